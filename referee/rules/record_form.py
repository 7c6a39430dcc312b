"""What a record holds, how it is written, and the chain of digests that runs through it (the form: ``referee.rules.record``).

The chain: SHA-256 over the header, then, block by block, over the digest before (all 32 bytes) and the block. A block is what
stands from the line after the one before to its own line, seals left out, every line with its line feed, UTF-8: the header with
``actions``; an action with the comments before it; ``end`` with the comments before it. Each line shows the first ``SHOWN`` hex
digits of its digest, ``end`` shows all of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import msgspec

VERSION = 2
"""The version of the file form that is written."""
READABLE = (1, 2)
"""The versions that are read."""
SHOWN = 32
"""Hex digits of its digest that a line shows: 128 bits. No two games that differ share one by chance, and to make two that do takes
about 2**64 hashes; half as many digits would take 2**32, which any machine does in a minute. The chain itself runs on all 256 bits,
so what the lines leave out weakens nothing that rests on ``end``."""
RESERVED = ("chain", "commit", "signature")
"""Header fields that a later stage fills."""
TRAILERS = ("signature", "reveal")
"""First words of the lines that may follow ``end``: what is signed or opened afterwards cannot stand in what it is about."""


class RecordError(ValueError):
    """A text that is no record, or a record that does not hold what it says: ``file:line:column: what is wrong, what is allowed``.

    ``line`` and ``column`` count from 1; line 0 = the file as a whole. ``kind`` is what it is about (``KINDS``); ``rules`` are the
    paragraphs that an illegal action breaks.
    """

    def __init__(self, where: str, line: int, column: int, message: str, *, kind: str = "form", rules: tuple[str, ...] = ()) -> None:
        self.where, self.line, self.column, self.kind, self.rules = where, line, column, kind, rules
        self.message = " ".join(message.split())
        super().__init__(f"{where}:{line}:{column}: {self.message}" if line else f"{where}: {self.message}")


KINDS = ("form", "chain", "game", "rules", "data", "position", "action", "illegal", "end")
"""``form``: it is no record. ``chain``: a line is not the one that was recorded. ``game``, ``rules``, ``data``: the game, the rules
version or the data are not the referee's. ``position``: no game begins so. ``action``: a line is no action of the game. ``illegal``:
the action was not allowed when it was played. ``end``: the last line tells another number, position or result."""


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
    overlay: tuple[tuple[str, str], ...] = ()
    """(file name, text) of what was laid over the game's data, in the order of names."""


class Entry(msgspec.Struct, frozen=True):
    """One action of the body as text."""

    text: str
    comments: tuple[str, ...] = ()
    """The comment lines before it, ``#`` and all."""
    seal: str = ""
    """What stands after `` ; ``: in version 2 the digest that the line shows, in version 1 any text."""
    more: str = ""
    """What follows the digest: kept for a later stage, and outside the chain."""
    number: int = 0
    """The number it was read with; 0 = none."""
    line: int = 0
    column: int = 0
    """Where it was read, counting from 1; 0 = it was not."""


class End(msgspec.Struct, frozen=True):
    """The last line of a version 2 record."""

    actions: int
    position: str
    """The digest of the last position (``referee.rules.position_text.digest``)."""
    result: str = ""
    """How the game ended, in the game's words; empty = it has not."""
    seal: str = ""
    line: int = 0


class Record(msgspec.Struct, frozen=True):
    """One game. ``str()`` gives the file."""

    header: Header
    entries: tuple[Entry, ...] = ()
    start: str = ""
    """The text of the first position; empty = the scenario's start."""
    comments: tuple[str, ...] = ()
    """The comment lines after the last action."""
    end: End | None = None
    """There in version 2."""
    seal: str = ""
    """The digest of the header."""
    trailers: tuple[str, ...] = ()
    """The lines after ``end``, outside the chain."""
    version: int = VERSION
    where: str = "record"
    """The name that errors tell."""
    lines: tuple[tuple[str, int], ...] = ()
    """Where the header's fields were read: (``game``, 2) ... (``overlay crt.csv``, 9), (``actions``, 30)."""

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions in notation."""
        return tuple(entry.text for entry in self.entries)

    def line(self, field: str) -> int:
        """The line of a header field, 0 when it was not read or is not there."""
        return dict(self.lines).get(field, 0)

    def error(self, field: str, message: str, kind: str) -> RecordError:
        """An error at the value of a header field."""
        line = self.line(field)
        return RecordError(self.where, line, len(field) + 2 if line else 0, message, kind=kind)

    def __str__(self) -> str:
        parts = ["".join(f"{line}\n" for line in block) for block in self._blocks()]
        seals = [(self.seal, ""), *((entry.seal, entry.more) for entry in self.entries), (self.end.seal if self.end else "", "")]
        for at, (seal, more) in enumerate(seals):
            if seal:
                parts[at] = f"{parts[at][:-1]} ; {seal}{' ' if more else ''}{more}\n"
        return "".join((*parts, *(f"{line}\n" for line in self.trailers)))

    def _blocks(self, *, counted: bool = False) -> Iterator[tuple[str, ...]]:
        """The lines of header, actions and end, without seals. ``counted``: numbered as they should be, not as they were read."""
        yield tuple(self._header())
        for number, entry in enumerate(self.entries, 1):
            yield (*entry.comments, f"{number if counted else entry.number or number} {entry.text}")
        end = self.end
        told = () if end is None else (f"end {end.actions} position {end.position} result {end.result or '-'}",)
        yield (*self.comments, *told)

    def _header(self) -> Iterator[str]:
        h = self.header
        yield f"record {self.version}"
        yield f"game {h.game}"
        yield f"scenario {h.scenario}"
        yield f"options {','.join(h.options) or '-'}"
        yield f"rules {h.rules}"
        yield f"data {h.data}"
        if h.seed:
            yield f"seed {h.seed}"
        yield from (f"{name} {value}" for name, value in h.reserved)
        yield from (f"note {note}" for note in h.notes)
        for name, text in h.overlay:
            yield f"overlay {name}"
            yield from (f"  {line}" for line in text.removesuffix("\n").split("\n"))
        if self.start:
            yield "position"
            yield from (f"  {line}" for line in self.start.removesuffix("\n").split("\n"))
        yield "actions"

    def digests(self) -> tuple[str, ...]:
        """The chain: 64 hex digits for the header, for each action, and for ``end``."""
        found: list[str] = []
        before = b""
        for block in self._blocks(counted=True):
            lines = "".join(f"{line}\n" for line in block).encode("utf-8", "surrogatepass")
            before = hashlib.sha256(before + lines).digest()
            found.append(before.hex())
        return tuple(found)


def sealed(record: Record) -> Record:
    """The record with its digests written into it. ``end`` is needed; raises ValueError without it."""
    if record.end is None:
        raise ValueError("a record is sealed when it has an end")
    first, *middle, last = record.digests()
    return msgspec.structs.replace(
        record,
        seal=first[:SHOWN],
        entries=tuple(msgspec.structs.replace(entry, seal=seal[:SHOWN]) for entry, seal in zip(record.entries, middle, strict=True)),
        end=msgspec.structs.replace(record.end, seal=last),
    )


def chain_error(record: Record) -> RecordError | None:
    """The first line of a version 2 record that is not the one that was recorded; None when the chain is whole.

    A chain says that no line was changed by itself; whoever changes one and all digests after it makes another whole chain, with
    another last digest.
    """
    end = record.end
    if end is None:
        return None
    for number, entry in enumerate(record.entries, 1):
        if entry.number not in (0, number):
            message = f"number {entry.number} where {number} comes next: a line is missing or out of its place"
            return RecordError(record.where, entry.line, 1, message, kind="chain")
    digests = record.digests()
    shown = (record.seal, *(entry.seal for entry in record.entries))
    wrong = [at for at, (mine, theirs) in enumerate(zip(digests, shown, strict=False)) if mine[:SHOWN] != theirs]
    if digests[-1] != end.seal:
        wrong.append(len(shown))
    if not wrong:
        return None
    at = wrong[0]
    places = (record.line("actions"), *(entry.line for entry in record.entries), end.line)
    first, line = places[at - 1] + 1 if at else 1, places[at]
    column = len(list(record._blocks())[at][-1]) + len(" ; ") + 1
    if wrong == [at] and at < len(shown):
        message = f"the digest of this line was changed, not its text: what follows rests on {digests[at][:SHOWN]}"
    elif at == 0:
        message = f"the chain breaks here: the header, lines 1 to {line}, is not what was recorded"
    else:
        what = "this line" if first >= line else f"this line, or a comment from line {first} on,"
        message = f"the chain breaks here: {what} is not what was recorded"
    return RecordError(record.where, line, column, message, kind="chain")
