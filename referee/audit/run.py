"""One file audited: read, judged, and written down as the audit document (docs/schema/audit-1.json)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any, Final, TypeVar

from gamebox.load import data_root, games, is_game, load_box
from gamebox.model import Box
from modgen.formats.errors import FormatError
from modgen.formats.vassal.archive import read_archive
from modgen.formats.vassal.buildfile import Module
from modgen.formats.vassal.saves import LogFile
from referee.audit.telling import DIRECTOR, findings_for, notes_for, readership
from referee.document import tally
from referee.rules.events import TableLog
from referee.rules.model import PUBLIC
from referee.rules.options import UsageError
from referee.rules.reading import Finding
from referee.table.adopt import read_csv
from referee.table.judge import Judge, Judgement, joined
from referee.table.vassal import Same, game_told, module_at, module_game, read_parts, read_whole

VERSION: Final = 1
_BOM: Final = b"\xef\xbb\xbf"
_TEXT_HEAD: Final = 64
"""Bytes that tell a record or a position from a save."""
_FEW: Final = 12
"""A log is of a game when one in so many of its counters, or of the game's pieces where it has fewer, is surely one and lies at a known
place. Of all files that we have, those of the game have a third at least, those of other games one in twenty-four at most."""
Progress = Callable[[int, int], None]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AuditDocument:
    """The audit of one file."""

    name: str
    game: str
    judgement: Judgement
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    box: Box

    def as_json(self) -> dict[str, Any]:
        """The document of docs/schema/audit-1.json."""
        actions = [action_json(f, self.box) for f in self.findings]
        counts = tally([f.verdict for f in self.findings])
        return {
            "version": VERSION,
            "files": [
                {
                    "path": self.name,
                    "game": self.game,
                    "scenario": self.judgement.scenario,
                    "actions": actions,
                    "notes": list(self.notes),
                    "summary": counts,
                }
            ],
            "summary": counts,
        }


def basis_json(name: str, box: Box) -> dict[str, str]:
    """What a finding rests on, with its source: a cell of the data ("hexes 2105 terrain"), a ruling, an option (no source)."""
    table, _, cell = name.partition(" ")
    key, _, column = cell.rpartition(" ")
    if not key or table not in box.tables:
        return {"name": name, "source": ""}
    row = box[table].get(key)
    return {"name": name, "source": str(row.source(column)) if row else "not in the data"}


def action_json(f: Finding, box: Box) -> dict[str, Any]:
    """One finding as the document holds it."""
    return {
        "step": f.step,
        "first_step": f.first,
        "turn": f.turn,
        "phase": f.phase,
        "side": f.side,
        "kind": f.kind,
        "notation": f.notation,
        "pieces": [*f.pieces],
        "from": f.frm,
        "to": f.to,
        "verdict": str(f.verdict),
        "rules": [*f.rules],
        "basis": [basis_json(name, box) for name in f.basis] if f.basis else [],
        "message": f.message,
        "instead": f.instead,
        "by_proxy": f.by_proxy,
    }


def find_game(game: str | None, told: str = "") -> str:
    """The game asked for, else the one that a file says it was played with (``told``), else the only one that this referee has rules for.

    Raises UsageError when it must be named, does not exist, is not the file's, or has no rules here.
    """
    if game is not None and told in ("", game) and is_game(game) and _judged((game,)):
        return game
    known = games()
    judged = _judged(known)
    if game is not None and game not in known:
        raise UsageError(f"there is no game {game!r}; there are: {', '.join(known)}")
    if game is not None and told in known and told != game:
        raise UsageError(f"the file was played with our module of {told}, not of {game}")
    chosen = game or (told if told in known else "") or (judged[0] if len(judged) == 1 else "")
    if not chosen:
        raise UsageError(f"say which game it is; there are: {', '.join(known)}")
    if chosen not in judged:
        raise UsageError(f"the referee has no rules of {chosen} yet; it has those of: {', '.join(judged)}")
    return chosen


@lru_cache(maxsize=16)
def _judged(known: tuple[str, ...]) -> tuple[str, ...]:
    """The games that this referee has rules for."""
    return tuple([name for name in known if find_spec(f"referee.games.{name.replace('-', '_')}") is not None])


class Files:
    """A log and its module, each opened once. What is wrong with one of them is told in its turn, when it is asked for."""

    def __init__(self, source: Path | bytes, name: str, module: Path | None) -> None:
        """``name``: how errors call the log. Raises FormatError for a record or a position's text."""
        _must_be_no_text(source, name)
        self.source, self.name, self.module_path = source, name, module
        self._log: LogFile | FormatError = _tried(lambda: read_whole(source, name if isinstance(source, bytes) else None))
        self._module: Module | FormatError | None = _tried(lambda: module_at(module)) if module is not None else None

    @property
    def log(self) -> LogFile:
        """The log. Raises FormatError."""
        return _right(self._log)

    @property
    def module(self) -> Module | None:
        """The module, None when none was given. Raises FormatError."""
        return None if self._module is None else _right(self._module)

    def game(self, game: str | None) -> str:
        """The game asked for, else the one that the log, or else the module it was played with, says it is of.

        Raises UsageError as ``find_game`` does and for a module of ours of another game, and FormatError for a file that cannot tell
        because it is no save or log at all.
        """
        of_module = self._game_of_module()
        told = self._game_of_log() or of_module
        if game is None and not told:
            if isinstance(self._log, FormatError):
                read_whole(self.source, self.name)  # which says what the file is, by the name that it is given here
            try:
                return find_game(None)
            except UsageError as error:
                raise UsageError(f"{self.name}: does not tell its game: {error}") from None
        chosen = find_game(game, told)
        if self.module_path is not None and of_module not in ("", chosen) and of_module in games():
            raise UsageError(f"{self.module_path.as_posix()}: is our module of {of_module}, and {self.name} is of {chosen}")
        return chosen

    def _game_of_log(self) -> str:
        return module_game(self.source) if isinstance(self._log, FormatError) else game_told(self._log)

    def _game_of_module(self) -> str:
        if self.module_path is None or self._module is None:
            return ""
        return module_game(self.module_path) if isinstance(self._module, FormatError) else game_told(self._module)


def _tried(read: Callable[[], T]) -> T | FormatError:
    try:
        return read()
    except FormatError as error:
        return error


def _right(read: T | FormatError) -> T:
    if isinstance(read, FormatError):
        raise read
    return read


def _must_be_no_text(source: Path | bytes, name: str) -> None:
    """A record or a position's text given for a log is called what it is."""
    try:
        with source.open("rb") if isinstance(source, Path) else BytesIO(source) as stream:
            words = stream.read(_TEXT_HEAD).removeprefix(_BOM).split(None, 2)
    except OSError:
        return  # whoever reads the file says what is wrong with it
    if words[:1] in ([b"record"], [b"position"]) and words[1:] and words[1].isdigit():
        raise FormatError(name, f"is a {words[0].decode()}'s text; a save or log (.vsav, .vlog) is expected")


def audit_file(
    source: Path | bytes,
    name: str,
    *,
    game: str | None = None,
    scenario: str | None = None,
    options: frozenset[str] = frozenset(),
    module: Path | None = None,
    mapping: Path | None = None,
    overlay: Path | None = None,
    progress: Progress | None = None,
    reader: str = PUBLIC,
) -> AuditDocument:
    """Audits one log.

    ``source``: the file or its bytes; ``name``: how the document calls it. ``reader``: who the document is for, ``public``,
    ``director``, a side or a player; in games that hide things it holds only what he may know. Raises FormatError (the file),
    UsageError (game, scenario, option, reader) and BoxErrors (the overlay).
    """
    files = Files(source, name, module)
    chosen = files.game(game)
    read = files.module
    laid: Path | Mapping[str, str] | None = overlay
    if module is not None and read is not None and overlay is None:
        laid = _kept_overlay(Same(read), module)
    box = _box(chosen, laid)
    if progress:
        progress(0, 2)
    pieces = read_csv(mapping, box) if mapping is not None else None
    logs = read_parts(files.log, box, module=read, mapping=pieces)
    if progress:
        progress(1, 2)
    must_be_of_game(logs, box, name, module)
    if not logs[-1].steps:
        nothing = "the file holds no steps, only a position, as a save does: nothing was done in it that could be judged"
        logs = (replace(logs[0], notes=(*logs[0].notes, nothing)), *logs[1:])
    agreed = all(log.ours and log.data_hash in ("", box.data_hash) for log in logs)
    other = next((log.data_hash for log in logs if log.ours and log.data_hash not in ("", box.data_hash)), "")
    if other:
        told = f"the log was played on data {other[:12]} and is judged on {box.data_hash[:12]}"
        first = replace(logs[0], notes=(*logs[0].notes, f"{told}: give its module, or what was changed as an overlay"))
        logs = (first, *logs[1:])
    judge = _judge(_Held(box), chosen, scenario or logs[0].scenario, options, agreed)
    judgement = joined(logs, [judge.judge(log) for log in logs])
    if progress:
        progress(2, 2)
    who = readership(reader, judgement.owner, secrets=judgement.secrets, over=judgement.over)
    waiting = tuple(o.note for o in judgement.open if o.note and who.sees(o.finding.secret))
    whose = judgement.whose_note if judgement.secrets else {}
    notes = (*notes_for(who, judgement.notes, whose), *waiting)
    return AuditDocument(name, chosen, judgement, findings_for(who, judgement), notes, box)


class _Held:
    """Keeps a box out of a cache's key: its data hash stands for it."""

    def __init__(self, box: Box) -> None:
        self.box = box

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held) and other.box.data_hash == self.box.data_hash and other.box.id == self.box.id

    def __hash__(self) -> int:
        return hash((self.box.id, self.box.data_hash))


@lru_cache(maxsize=8)
def _judge(held: _Held, game: str, scenario: str, options: frozenset[str], agreed: bool) -> Judge:
    """The compiled books of one game, kept for the next file; values, so nothing is carried over from one file to another."""
    return Judge(game, scenario, options, box=held.box, agreed=agreed)


def module_overlay(module: Path) -> Mapping[str, str] | None:
    """The overlay that a module of ours was built with (its entries ``overlay/*.csv``), None when it has none.

    Raises FormatError when the module cannot be read.
    """
    with read_archive(module) as archive:
        names = [name for name in archive.names if name.startswith("overlay/") and not name.endswith("/")]
        texts = {name.removeprefix("overlay/"): archive.read(name).decode("utf-8", "replace") for name in names}
    return texts or None


@lru_cache(maxsize=4)
def _kept_overlay(read: Same[Module], module: Path) -> Mapping[str, str] | None:
    """The same for a module that has been read already: as long as that one is kept, its file holds what it held."""
    return module_overlay(module)


def _box(game: str, overlay: Path | Mapping[str, str] | None) -> Box:
    """The game's box, read again only when one of its files has changed."""
    with os.scandir(data_root() / game) as entries:
        signature = tuple([(e.name, its.st_mtime_ns, its.st_size) for e in entries if e.is_file() and (its := e.stat())])
    return load_box(game, overlay) if overlay is not None else _kept_box(game, signature)


@lru_cache(maxsize=4)
def _kept_box(game: str, signature: tuple[tuple[str, int, int], ...]) -> Box:
    return load_box(game)


def must_be_of_game(logs: Sequence[TableLog], box: Box, name: str, module: Path | None) -> None:
    """A log in which hardly a counter is surely one of the game's and lies where its map has a place says nothing about the game: better
    refused than judged on a table not seen. Raises FormatError.

    Where counters lie in zones and on displays is told by the module alone: of a log of ours half of that must be known without it.
    """
    fits = [_fitting(log) for log in logs]
    of = [min(log.counters, len(box.pieces)) for log in logs]
    if not any([sure * _FEW >= most > 0 for (sure, _), most in zip(fits, of, strict=True)]):
        raise FormatError(name, _strange(logs[0], box, *fits[0]))
    if module is None:
        _must_tell_places(logs, name)
    if not any([placed * _FEW >= most > 0 for (_, placed), most in zip(fits, of, strict=True)]):
        raise FormatError(name, _strange(logs[0], box, *fits[0]))


def _fitting(log: TableLog) -> tuple[int, int]:
    """(how many pieces of the game a log surely holds, how many of these lie at a known place where they are first seen)."""
    # Places only as the log begins, or where a counter comes in later: those that reports of moves name are taken from any number in them.
    at = [(piece, spot) for piece, spot in log.start.at.items() if piece not in log.unsure]
    later = {e.piece: e.to for e in log.events if e.kind == "place" and e.piece and e.piece not in log.start.at}
    at += [(piece, spot) for piece, spot in later.items() if piece not in log.unsure]
    return len(at), len([piece for piece, spot in at if spot.known and spot.name])


def _strange(log: TableLog, box: Box, sure: int, placed: int) -> str:
    """What is wrong with a log that seems to be of another game, and what would help if it is not."""
    pieces = "pieces" if sure > 1 else "a piece"
    surely = f"of {log.counters} counters {sure or 'none'} can surely be {pieces} of {box.title}"
    lie = f", {placed or 'none'} of them at a known place of its map" if sure else ""
    give = "give the module it was played with, or a mapping of its counters and places"
    return f"{surely}{lie}; is it a log of another game? If not, {give}"


def _must_tell_places(logs: Sequence[TableLog], name: str) -> None:
    """Where counters lie in zones and on displays is told by the module alone: better refused than judged on a table not seen."""
    for log in logs:
        unknown = sum(not spot.known for spot in log.start.at.values())
        if log.ours and unknown * 2 > len(log.start.at):
            told = f"where {unknown} of {len(log.start.at)} counters lie is known with the module only"
            raise FormatError(name, f"{told}; give the module it was played with, too")


def check_file(
    source: Path | bytes,
    name: str,
    *,
    side: str,
    game: str | None = None,
    scenario: str | None = None,
    options: frozenset[str] = frozenset(),
    module: Path | None = None,
    mapping: Path | None = None,
    overlay: Path | None = None,
    progress: Progress | None = None,
) -> AuditDocument:
    """The same for a player before he sends his turn: only what ``side`` did, and what waits for it where the file ends.

    What waits: duties (kind ``duty``: illegal unless done; a result to carry out, a stack too high), attacks declared without a die and
    dice thrown without an attack (both ``unclear``, as a question). Nothing that waits for the other side is told.

    ``side``: a side or the player who runs it, as the game calls them. Raises UsageError for another one.
    """
    whole = audit_file(
        source,
        name,
        game=game,
        scenario=scenario,
        options=options,
        module=module,
        mapping=mapping,
        overlay=overlay,
        progress=progress,
        reader=DIRECTOR,
    )
    wanted = side.casefold().replace(" ", "-")
    sides = {s for s, owner in whole.judgement.owner.items() if wanted in (s.casefold().replace(" ", "-"), owner)}
    if not sides:
        forces: dict[str, list[str]] = {}
        for force, owner in sorted(whole.judgement.owner.items()):
            forces.setdefault(owner, []).append(force)
        known = "; ".join(f"{owner} ({', '.join(names)})" for owner, names in sorted(forces.items()))
        raise UsageError(f"there is no side {side!r}; there are: {known}")
    judged = whole.judgement
    own = [f for f in whole.findings if f.side in sides]
    waiting = [o.finding for o in judged.open if o.finding.side in sides]
    notes = tuple(note for note in judged.notes if judged.whose_note.get(note, "") in {"", *sides})
    return AuditDocument(name, whole.game, judged, tuple(sorted((*own, *waiting), key=lambda f: f.step)), notes, whole.box)
