"""The backend that judges with the real engine and the real audit. Imported only when a server starts."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Any

import referee
from gamebox.load import games
from modgen.formats.errors import FormatError
from referee.document import merge
from referee.rules.book import Book
from referee.rules.model import CHANCE, Action, NotationError, Reason
from referee.rules.options import UsageError
from referee.rules.position_text import left_out, parse_position, position_text
from referee.service.backend import Alive, Answer, At, ReasonText, Spec, Upload
from referee.service.errors import BadRequest, NotFound, Problem, Stopped
from referee.table.adopt import MappingErrors

ASK_EVERY = 64
"""Actions between two looks at the caller's deadline."""


class Engine:
    """The referee of every game in data/. Compiled books are kept; safe for many threads (books and positions are values)."""

    def __init__(self) -> None:
        self._compile = lru_cache(maxsize=32)(self._book_of)
        self._lock = threading.Lock()

    def check(self, spec: Spec, at: At, action: str, *, every: bool, play: bool, alive: Alive) -> Answer:
        """The ruling on one action, and the position after it when asked for and legal."""
        book = self._book(spec)
        position = self._position(book, at, alive)
        parsed = _parse(book, action, "action")
        _must_hold(book, position, () if parsed.by == CHANCE else (parsed.by,), play=play)
        try:
            ruling = book.check(position, parsed, every=every)
            after = position_text(book, book.play(position, parsed)) if play and ruling.legal else ""
        except Exception as error:
            raise self._blame(at, error) from error
        return Answer(str(ruling.verdict), tuple(_reason(book, reason) for reason in ruling.reasons), str(parsed), after)

    def legal(self, spec: Spec, at: At, *, unit: str, side: str, alive: Alive) -> Iterator[str]:
        """The legal actions in notation, in the engine's order."""
        book = self._book(spec)
        position = self._position(book, at, alive)
        about = None
        if unit:
            try:
                about = book.game.unit(unit)
            except (KeyError, ValueError, NotationError) as error:
                raise BadRequest(Problem("unknown_unit", f"{unit!r} is no piece of {spec.game}", "unit")) from error
        if side and side not in (known := (*book.game.players, CHANCE)):
            raise BadRequest(Problem("unknown_side", f"{side!r} is no side of {spec.game}", "side", known))
        _must_hold(book, position, (side,) if side else position.agenda[-1].by if position.agenda else ())
        try:
            for number, action in enumerate(book.legal(position, by=side or None, about=about)):
                if number % ASK_EVERY == 0:
                    _go_on(alive)
                yield str(action)
        except (Stopped, BadRequest):
            raise
        except Exception as error:
            raise self._blame(at, error) from error

    def audit(self, upload: Upload, alive: Alive) -> Mapping[str, Any]:
        """All logs judged, one after the other, as one document."""
        from referee.audit.run import audit_file, check_file

        def progress(done: int, of: int) -> None:
            _go_on(alive)

        judge = partial(check_file, side=upload.side) if upload.side else audit_file
        documents = []
        try:
            for name, content in upload.logs:
                _go_on(alive)
                document = judge(
                    content,
                    name,
                    game=upload.game or None,
                    scenario=upload.scenario or None,
                    options=upload.options,
                    module=upload.module,
                    mapping=upload.mapping,
                    overlay=upload.overlay,
                    progress=progress,
                )
                documents.append(document.as_json())
        except MappingErrors as errors:
            # The caller sent a text, not the file that it was put into here.
            lines = [line.replace(str(upload.mapping), "header.mapping") for line in errors.errors]
            raise BadRequest(*(Problem("bad_mapping", line, "header.mapping") for line in lines)) from errors
        except FormatError as error:
            raise FormatError(_as_sent(upload, error.where), _as_sent(upload, error.what)) from error
        except UsageError as error:
            raise UsageError(_as_sent(upload, str(error))) from error
        return merge(documents)

    def _book(self, spec: Spec) -> Book[Any]:
        known = games()
        if spec.game not in known:
            raise NotFound(Problem("unknown_game", f"no game {spec.game!r} here", "game.game", known))
        with self._lock:
            return self._compile(spec)

    @staticmethod
    def _book_of(spec: Spec) -> Book[Any]:
        return referee.load(spec.game, spec.scenario, spec.options)

    @staticmethod
    def _position(book: Book[Any], at: At, alive: Alive) -> Any:
        if at.text:
            return read_position(book, at.text)
        position = book.start()
        for number, text in enumerate(at.played):
            if number % ASK_EVERY == 0:
                _go_on(alive)
            where = f"position.played.actions[{number}]"
            action = _parse(book, text, where)
            ruling = book.check(position, action)
            if not ruling.legal:
                told = "; ".join(book.sentence(reason) for reason in ruling.reasons)
                raise BadRequest(Problem("illegal_history", f"{where} {text!r} is illegal: {told}", where))
            position = book.play(position, action)
        return position

    @staticmethod
    def _blame(at: At, error: Exception) -> Exception:
        """A position given as text can be one that no play leads to: then the fault is the caller's."""
        if at.text and not isinstance(error, BadRequest):
            return BadRequest(Problem("bad_position", "this position cannot be judged: no play leads to it", "position.text"))
        return error


def _as_sent(upload: Upload, told: str) -> str:
    """A sentence without the folder of this server that the module was put into: the caller knows no such place."""
    return told if upload.module is None else told.replace(f"{upload.module.parent}{os.sep}", "")


def read_position(book: Book[Any], text: str) -> Any:
    """A position from its text form.

    Raises BadRequest when the text is none, or breaks what always holds in this game.
    """
    position = parse_position(book, text, "position.text")
    try:
        broken = book.broken(position)
    except (IndexError, KeyError, ValueError) as error:
        raise BadRequest(Problem("bad_position", f"this is no position of the game: {error}", "position.text")) from error
    if broken:
        raise BadRequest(*(Problem("bad_position", sentence, "position.text") for sentence in broken))
    return position


def _must_hold(book: Book[Any], position: Any, sides: Iterable[str], *, play: bool = False) -> None:
    """What a side may do hangs on what it hides, and where an action leads on what everybody does: a view that leaves it out would
    be answered wrongly. Raises BadRequest."""
    if not (missing := left_out(book.game.layout, position)):
        return
    if those := [side for side in sides if side in missing]:
        told = f"the position leaves out what {' and '.join(those)} hides, and what may be done hangs on it"
    elif play:
        told = f"the position leaves out what {' and '.join(missing)} hides, and where the action leads hangs on it"
    else:
        return
    raise BadRequest(Problem("view_only", told, "position.text"))


def _parse(book: Book[Any], text: str, where: str) -> Action:
    try:
        return book.parse(text)
    except NotationError as error:
        raise BadRequest(Problem("bad_notation", str(error), where)) from error


def _reason(book: Book[Any], reason: Reason) -> ReasonText:
    def once(names: Iterator[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for name in names if name))

    return ReasonText(
        code=reason.code,
        paragraphs=once(cite.para for cite in reason.cites),
        rulings=once(cite.ruling for cite in reason.cites),
        options=once(cite.option for cite in reason.cites),
        sentence=book.sentence(reason),
    )


def _go_on(alive: Alive) -> None:
    if not alive():
        raise Stopped(Problem("stopped", "the caller's deadline has passed, or it went away"))
