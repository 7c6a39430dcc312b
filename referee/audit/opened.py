"""A file opened at one step: a record, a position's text or a client's file, as a position with the book that it is played by.

What every command that looks at positions begins with; nothing is judged here but whether a record can be replayed. A position is opened
for a reader, as audits are: it holds, with everything said of it, what he may know until the game has ended.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import referee
from gamebox.load import load_box
from gamebox.model import Box
from referee.audit.run import Files, find_game, module_overlay, must_be_of_game
from referee.audit.telling import Readership, notes_for, readership, view_for
from referee.rules.book import Book
from referee.rules.events import TableLog
from referee.rules.model import PUBLIC, Action
from referee.rules.options import UsageError
from referee.rules.position_text import PositionError, parse_position
from referee.rules.reached import Reached
from referee.rules.reading import Court
from referee.rules.record import Record, RecordError, chain_error, parse_entry, read_record, start_of
from referee.rules.scene import Shows
from referee.table.adopt import read_csv
from referee.table.judge import seats
from referee.table.vassal import read_parts

MOST = 64 * 2**20
"""Bytes of a record or a position that are read."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A position, and where it comes from."""

    name: str
    kind: str
    """``record``, ``position`` or ``log``."""
    book: Book[Any]
    box: Box
    position: Any
    """As its reader may see it."""
    whole: Any
    """With everything that is hidden from its reader: for what is asked of the rules, never for what is told."""
    reader: Readership
    secrets: bool
    """The game hides things, and it goes on: not everybody is told everything."""
    shows: Shows
    step: int
    """Actions played (record) or log steps read; 0 for a position's text."""
    steps: int
    """Of how many."""
    last: str
    """What led here: the last action, "" where there is none."""
    since: Mapping[str, str]
    """Hex -> when its holder last changed, as far as the file tells."""
    notes: tuple[str, ...]

    @property
    def caption(self) -> str:
        """Where the position comes from, in a line without the file's folder."""
        unit = "action" if self.kind == "record" else "step"
        here = f", after {unit} {self.step} of {self.steps}" if self.kind != "position" else ""
        return Path(self.name).name + here + (f": {self.last}" if self.last else "")


def open_file(
    path: Path,
    *,
    at: int | None = None,
    game: str | None = None,
    scenario: str | None = None,
    options: frozenset[str] = frozenset(),
    module: Path | None = None,
    mapping: Path | None = None,
    overlay: Path | None = None,
    reader: str = PUBLIC,
) -> Opened:
    """The position of a file after ``at`` of its steps (None: at its end), for a reader: ``public``, ``director``, a side or a player.

    Raises UsageError (no such step or reader, a record of another game, a record that cannot be replayed, no file of any kind),
    FormatError (a client's file), BoxErrors (the overlay) and OSError.
    """
    name = path.as_posix()
    with path.open("rb") as file:
        head = file.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()
    first = head.split(None, 1)[:1]
    try:
        if first == [b"record"]:
            return _record(name, _text(path), at, game, scenario, options, overlay, reader)
        if first == [b"position"] or head.startswith(b"#"):
            return _position(name, _text(path), at, game, scenario, options, overlay, reader)
    except (RecordError, PositionError) as error:
        raise UsageError(str(error)) from None
    if not head:
        raise UsageError(f"{name}: the file is empty; a record, a position's text, a .vlog or a .vsav is expected")
    if not head.startswith(b"PK"):
        raise UsageError(f"{name}: neither a record ('record 1 ...') nor a position ('position 1 ...') nor a VASSAL file")
    return _log(path, name, at, game, scenario, options, module, mapping, overlay, reader)


def _text(path: Path) -> str:
    if path.stat().st_size > MOST:
        raise UsageError(f"{path.as_posix()}: larger than {MOST // 2**20} MiB")
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path.as_posix()}: no UTF-8 at byte {error.start}") from None


def _shows(book: Book[Any], box: Box) -> Shows:
    try:
        depicting = import_module(f"referee.games.{book.game.id.replace('-', '_')}.depicting")
    except ModuleNotFoundError as e:
        raise UsageError(f"positions of {book.game.id!r} cannot be shown yet: its rules have no depicting") from e
    shows: Shows = depicting.Depiction(book.game, box)
    return shows


def _for(reader: str, book: Book[Any], over: bool) -> Readership:
    """The reader of a game that has ended or goes on. Raises UsageError for one that the game does not have."""
    owner, secrets = seats(book.game)
    return readership(reader, owner, secrets=secrets, over=over)


def _chosen(at: int | None, steps: int, name: str, what: str) -> int:
    if at is None:
        return steps
    if not 0 <= at <= steps:
        raise UsageError(f"{name}: there is no step {at}; it has {steps} {what}, so --at takes 0 to {steps}")
    return at


def _record(
    name: str,
    text: str,
    at: int | None,
    game: str | None,
    scenario: str | None,
    options: frozenset[str],
    overlay: Path | None,
    reader: str,
) -> Opened:
    record = read_record(text, name)
    h = record.header
    for option, wanted, has in (("--game", game, h.game), ("--scenario", scenario, h.scenario)):
        if wanted is not None and wanted != has:
            raise UsageError(f"{name}: the record says {has}, and {option} says {wanted}; a record needs neither")
    if options and options != frozenset(h.options):
        raise UsageError(f"{name}: the record says options {','.join(h.options) or '-'}; a record needs no --options")
    box = load_box(find_game(h.game), overlay if overlay is not None else dict(h.overlay) or None)
    book = referee.load(h.game, h.scenario, h.options, box=box, rules=h.rules)
    notes = () if h.data == book.game.data else (f"played on data {h.data[:12]}, shown on {book.game.data[:12]}",)
    if broken := chain_error(record):
        notes = (*notes, f"not as it was recorded: {broken.message} (line {broken.line}); `referee verify` tells more")
    step = _chosen(at, len(record.entries), name, "actions")
    shows = _shows(book, box)
    ended = record.end is not None and bool(record.end.result)
    who = _for(reader, book, ended)
    p, last, since = _replayed(book, record, step, shows, who)
    return _opened(name, "record", book, box, p, shows, reader, ended, step, len(record.entries), last, since, notes)


HIDDEN = "a hidden action"


def _replayed(book: Book[Any], record: Record, steps: int, shows: Shows, who: Readership) -> tuple[Any, str, dict[str, str]]:
    """(position after so many actions, the last of them, table entry -> what changed it last); a hidden action is not told to others."""

    def told_of(action: Action, text: str) -> str:
        return text if who.sees(shows.secret(action)) else HIDDEN

    p = start_of(book, record, data=False)
    layout = book.game.layout
    since = {key: "unchanged since the start" for keys, _ in layout.tables.values() for key in keys}
    last = ""
    for number, entry in enumerate(record.entries[:steps], 1):
        action = parse_entry(book, record, entry)
        ruling = book.check(p, action)
        last = told_of(action, entry.text)
        if not ruling.legal:
            place = f"{record.where}:{entry.line}:{entry.column}"
            before = f"--at {number - 1} shows the position before it"
            if last == HIDDEN:
                raise UsageError(f"{place}: action {number}, {HIDDEN}, is {ruling.verdict} ({before})")
            told = "; ".join(book.sentence(reason) for reason in ruling.reasons)
            raise UsageError(f"{place}: action {number}, {entry.text!r}, is {ruling.verdict}: {told} ({before})")
        q = book.play(p, action)
        for field, (keys, words) in layout.tables.items():
            before_it, after_it = getattr(p, field), getattr(q, field)
            if before_it != after_it:
                for key, old, new in zip(keys, before_it, after_it, strict=True):
                    if old != new:
                        since[key] = f"{words[new].replace('-', ' ').title()} since action {number}, turn {p.turn}: {last}"
        p = q
    return p, last, since


def _position(
    name: str,
    text: str,
    at: int | None,
    game: str | None,
    scenario: str | None,
    options: frozenset[str],
    overlay: Path | None,
    reader: str,
) -> Opened:
    if at is not None:
        raise UsageError(f"{name}: a position has no steps; --at goes with records and logs")
    chosen = find_game(game)
    box = load_box(chosen, overlay)
    book = referee.load(chosen, scenario or "", options, box=box)
    p = parse_position(book, text, name)
    # What is wrong is told as far as the reader may see it.
    seen = view_for(_for(reader, book, book.over(p)), book, p)
    notes = tuple(f"no game comes to this position: {told}" for told in book.broken(seen))
    return _opened(name, "position", book, box, p, _shows(book, box), reader, False, 0, 0, "", {}, notes)


def _opened(
    name: str,
    kind: str,
    book: Book[Any],
    box: Box,
    p: Any,
    shows: Shows,
    reader: str,
    ended: bool,
    step: int,
    steps: int,
    last: str,
    since: Mapping[str, str],
    notes: tuple[str, ...],
) -> Opened:
    """``ended``: the game of the file has ended, if not in this position, then later."""
    over = ended or book.over(p)
    who = _for(reader, book, over)
    secrets = seats(book.game)[1] and not over
    return Opened(name, kind, book, box, view_for(who, book, p), p, who, secrets, shows, step, steps, last, since, notes)


def _log(
    path: Path,
    name: str,
    at: int | None,
    game: str | None,
    scenario: str | None,
    options: frozenset[str],
    module: Path | None,
    mapping: Path | None,
    overlay: Path | None,
    reader: str,
) -> Opened:
    files = Files(path, name, module)
    chosen = files.game(game)
    laid: Path | Mapping[str, str] | None = overlay if overlay is not None or module is None else module_overlay(module)
    box = load_box(chosen, laid)
    pieces = read_csv(mapping, box) if mapping is not None else None
    read = files.module
    log = read_parts(files.log, box, module=read, mapping=pieces)[0]
    must_be_of_game((log,), box, name, module)
    step = _chosen(at, log.steps, name, "steps")
    book = referee.load(chosen, scenario or log.scenario, options, box=box)
    who = _for(reader, book, False)
    try:
        laid_out = import_module(f"referee.games.{chosen.replace('-', '_')}.laid_out")
    except ModuleNotFoundError as e:
        raise UsageError(f"logs of {chosen!r} cannot be shown yet: its rules have no reading") from e

    def after(steps: int) -> Reached[Any]:
        reached: Reached[Any] = laid_out.position_after(Court(book, None), book.game, until(log, steps))
        return reached

    here = after(step)
    # What was hidden is told when the log goes on to the end of the game, as its audit tells it.
    ended = book.over(here.position) or (not who.whole and step < log.steps and book.over(after(log.steps).position))
    notes = (*log.notes, *(here.notes if ended else notes_for(who, here.notes, here.whose_note)))
    return _opened(name, "log", book, box, here.position, _shows(book, box), reader, ended, step, log.steps, "", here.since, notes)


def until(log: TableLog, step: int) -> TableLog:
    """The log as it was after ``step`` of its steps: later events are gone, and so are undos that had not yet happened."""
    if step >= log.steps:
        return log
    events = [e for e in log.events if e.step <= step]
    undone: set[int] = set()
    undoes: dict[int, int] = {}
    for e in events:
        if e.kind == "undo" and e.value.isdigit():
            target = int(e.value)
            undone.add(target)
            if target in undoes:  # an undo of an undo: done again
                undone.discard(undoes[target])
            undoes[e.step] = target
    return replace(log, steps=step, events=tuple(e.marked(e.step in undone) for e in events))
