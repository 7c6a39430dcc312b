"""A game as a readable text file: what was played under which rules, then one action a line, rolls included.

::

    record 1
    game a-game
    scenario historical
    options -
    rules 1
    data 4be1f0...
    seed 7/12
    note plan racer
    actions
    # turn 1
    1 red move r-1 @ 1926 > 2026 via 1925
    2 chance roll combat 3
    3 red done

Header, one field a line in this order: ``record`` (version of this form), ``game``, ``scenario``, ``options`` (by comma, ``-`` =
none), ``rules`` (rules version), ``data`` (hash of the box), then, where there is one, ``seed`` (of games played by the machine)
and any number of ``note`` lines. ``position`` follows only when the game does not begin at the scenario's start: the position's
text (``referee.rules.position_text``), indented by two blanks. ``actions`` begins the body.

Body: an action in notation, with or without its number (they count from 1). Empty lines are skipped; a line that begins with
``#`` is a comment and kept.

Kept free for a later stage, which chains and signs records: the header fields ``chain``, ``commit`` and ``signature``, and
after any action `` ; `` and text (``12 red done ; hash=...``). This version carries such text along and judges nothing by it.

Reading is strict and tells the place of the first error as ``file:line:column``. Writing is deterministic, so a record that is
read and written again has the same bytes. Nothing here reads or writes files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TypeVar

import msgspec

from referee.rules.book import Book
from referee.rules.model import Action, NotationError, Position
from referee.rules.position_text import PositionError, parse_position, position_text

P = TypeVar("P", bound=Position)

VERSION = 1
"""The version of the file form."""
RESERVED = ("chain", "commit", "signature")
"""Header fields that a later stage fills."""
_FIELDS = ("game", "scenario", "options", "rules", "data", "seed", *RESERVED, "note", "position", "actions")
_NEEDED = ("game", "scenario", "options", "rules", "data")


class RecordError(ValueError):
    """A text that is no record, or a record that cannot be played: ``file:line:column: what is wrong, what is allowed``."""


class Header(msgspec.Struct, frozen=True):
    """What the game was played under."""

    game: str
    scenario: str
    options: tuple[str, ...]
    rules: int
    data: str
    seed: str = ""
    notes: tuple[str, ...] = ()
    reserved: tuple[tuple[str, str], ...] = ()
    """The fields of ``RESERVED`` that were given, in the order of the file."""


class Entry(msgspec.Struct, frozen=True):
    """One action of the body as text."""

    text: str
    comments: tuple[str, ...] = ()
    """The comment lines before it, ``#`` and all."""
    seal: str = ""
    """What stands after `` ; ``."""
    line: int = 0
    column: int = 0
    """Where it was read, counting from 1; 0 = it was not."""


class Record(msgspec.Struct, frozen=True):
    """One game. ``str()`` gives the file."""

    header: Header
    entries: tuple[Entry, ...] = ()
    start: str = ""
    """The text of the first position; empty = the scenario's start."""
    comments: tuple[str, ...] = ()
    """The comment lines after the last action."""
    where: str = "record"
    """The name that errors tell."""
    start_line: int = 0

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions in notation."""
        return tuple(entry.text for entry in self.entries)

    def __str__(self) -> str:
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        h = self.header
        yield f"record {VERSION}"
        yield f"game {h.game}"
        yield f"scenario {h.scenario}"
        yield f"options {','.join(h.options) or '-'}"
        yield f"rules {h.rules}"
        yield f"data {h.data}"
        if h.seed:
            yield f"seed {h.seed}"
        yield from (f"{name} {value}" for name, value in h.reserved)
        yield from (f"note {note}" for note in h.notes)
        if self.start:
            yield "position"
            yield from (f"  {line}" for line in self.start.splitlines())
        yield "actions"
        for number, entry in enumerate(self.entries, 1):
            yield from entry.comments
            yield f"{number} {entry.text}" + (f" ; {entry.seal}" if entry.seal else "")
        yield from self.comments


def header_of(book: Book[P], *, seed: str = "", notes: Iterable[str] = ()) -> Header:
    """The header for games of this book. ``seed`` and notes are single lines."""
    game = book.game
    return Header(game.id, game.scenario, tuple(sorted(game.options)), game.rules, game.data, seed, tuple(notes))


def record_of(header: Header, actions: Iterable[Action | str], *, start: str = "") -> Record:
    """A record from actions. A text that begins with ``#`` is a comment before the action that follows."""
    entries: list[Entry] = []
    comments: list[str] = []
    for action in actions:
        text = str(action)
        if text.startswith("#"):
            comments.append(text)
        else:
            entries.append(Entry(text, tuple(comments)))
            comments = []
    return Record(header, tuple(entries), start, tuple(comments))


def read_record(text: str, where: str = "record") -> Record:
    """The record that a file holds; its actions are not parsed yet, that takes the game's book.

    Raises RecordError at the first thing that is wrong; ``where`` is the name of the file in its message.
    """
    return _Reading(text, where).read()


def replay(book: Book[P], record: Record, *, data: bool = True) -> P:
    """The position that the record leads to; every action is checked before it is played.

    ``data`` False plays it on whatever box the book has. Raises RecordError: the record is of another game, scenario, rules version
    or box, its first position is none, or an action cannot be read or is illegal.
    """
    p = start_of(book, record, data=data)
    for entry in record.entries:
        action = parse_entry(book, record, entry)
        ruling = book.check(p, action)
        if not ruling.legal:
            told = "; ".join(book.sentence(reason) for reason in ruling.reasons)
            raise RecordError(f"{record.where}:{entry.line}:{entry.column}: {entry.text!r} is {ruling.verdict}: {told}")
        p = book.play(p, action)
    return p


def start_of(book: Book[P], record: Record, *, data: bool = True) -> P:
    """The position the record begins with. Raises RecordError as ``replay`` does."""
    h, game = record.header, book.game
    pairs = [("game", h.game, game.id), ("scenario", h.scenario, game.scenario)]
    pairs += [("options", ",".join(h.options) or "-", ",".join(sorted(game.options)) or "-"), ("rules", str(h.rules), str(game.rules))]
    if data:
        pairs.append(("data", h.data, game.data))
    for name, theirs, ours in pairs:
        if theirs != ours:
            raise RecordError(f"{record.where}: the record says {name} {theirs}, and it is being played with {name} {ours}")
    if not record.start:
        return book.start()
    indented = "\n" * record.start_line + "".join(f"  {line}\n" for line in record.start.splitlines())
    try:
        p = parse_position(book, indented, record.where)
    except PositionError as error:
        raise RecordError(str(error)) from None
    if position_text(book, p) != record.start or (broken := book.broken(p)):
        told = "; ".join(broken) if position_text(book, p) == record.start else "it is not written as the referee writes it"
        raise RecordError(f"{record.where}:{max(1, record.start_line)}:1: no game can begin with this position: {told}")
    return p


def parse_entry(book: Book[P], record: Record, entry: Entry) -> Action:
    """One action of the record. Raises RecordError."""
    try:
        return book.parse(entry.text)
    except NotationError as error:
        found = re.search(rf"(?<![^\s,]){re.escape(error.word)}(?![^\s,])", entry.text) if error.word else None
        column = entry.column + (found.start() if found else 0)
        raise RecordError(f"{record.where}:{entry.line}:{column}: {error}") from None


class _Reading:
    """One file being read; knows where it is."""

    def __init__(self, text: str, where: str) -> None:
        self.lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
        self.where = where
        self.at = 0

    def error(self, column: int, message: str) -> RecordError:
        return RecordError(f"{self.where}:{self.at}:{column}: {message}")

    def next(self) -> str | None:
        """The next line, without blanks at its end; None after the last."""
        self.at += 1
        return self.lines[self.at - 1].rstrip() if self.at <= len(self.lines) else None

    def read(self) -> Record:
        first = self.next()
        if first != f"record {VERSION}":
            raise self.error(1, f"a record begins with 'record {VERSION}', not {(first or '')[:60]!r}")
        header, start, start_line = self.header()
        entries, comments = self.body()
        return Record(header, tuple(entries), start, tuple(comments), self.where, start_line)

    def header(self) -> tuple[Header, str, int]:
        found: dict[str, str] = {}
        notes: list[str] = []
        reserved: list[tuple[str, str]] = []
        start, start_line, last = "", 0, -1
        while (line := self.next()) is not None:
            name, _, value = line.partition(" ")
            if not line:
                continue
            if name not in _FIELDS:
                raise self.error(1, f"{name!r} is no field of a header; there are: {', '.join(_FIELDS)}")
            order = _FIELDS.index(name)
            if order < last or (order == last and name != "note"):
                raise self.error(1, f"{name!r} cannot stand here; the order is: {', '.join(_FIELDS)}")
            last = order
            if name in ("position", "actions"):
                if value:
                    raise self.error(len(name) + 2, f"{name!r} stands alone on its line")
            elif not value.strip():
                raise self.error(len(line) + 1, f"{name!r} needs a value")
            if name == "actions":
                if missing := [n for n in _NEEDED if n not in found]:
                    raise self.error(1, f"the header ends without {', '.join(missing)}")
                return self.made(found, notes, reserved), start, start_line
            if name == "position":
                start_line = self.at
                start = self.indented()
            elif name == "note":
                notes.append(value)
            elif name in RESERVED:
                reserved.append((name, value))
            else:
                found[name] = value
                if name == "rules" and not re.fullmatch(r"\d{1,6}", value, re.ASCII):
                    raise self.error(7, f"the rules version is a whole number, not {value!r}")
        raise self.error(1, "the file ends before 'actions'")

    def made(self, found: dict[str, str], notes: list[str], reserved: list[tuple[str, str]]) -> Header:
        options = () if found["options"] == "-" else tuple(found["options"].split(","))
        rules = int(found["rules"])
        return Header(found["game"], found["scenario"], options, rules, found["data"], found.get("seed", ""), tuple(notes), tuple(reserved))

    def indented(self) -> str:
        lines: list[str] = []
        while self.at < len(self.lines) and self.lines[self.at].startswith("  "):
            lines.append(self.lines[self.at][2:].rstrip())
            self.at += 1
        if not lines:
            raise self.error(1, "the lines of a position follow it, indented by two blanks")
        return "\n".join(lines) + "\n"

    def body(self) -> tuple[list[Entry], list[str]]:
        entries: list[Entry] = []
        comments: list[str] = []
        while (line := self.next()) is not None:
            if not line.strip():
                continue
            if line.startswith("#"):
                comments.append(line)
                continue
            action, mark, seal = f"{line} ".partition(" ; ")
            numbered = re.match(r"\s*(\d+)\s+", action, re.ASCII)
            if numbered and int(numbered[1]) != len(entries) + 1:
                raise self.error(numbered.start(1) + 1, f"number {numbered[1]} where {len(entries) + 1} comes next")
            text = (action[numbered.end() :] if numbered else action).rstrip()
            column = len(action.rstrip()) - len(text.lstrip()) + 1
            if not text.strip() or (mark and not seal.strip()):
                raise self.error(column, "a line of the body reads '[NUMBER] ACTION [; SEAL]'")
            entries.append(Entry(text.strip(), tuple(comments), seal.strip(), self.at, column))
            comments = []
        return entries, comments
