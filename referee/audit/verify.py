"""Is a record what it says it is: its chain whole, its rules and data known, every action lawful when it was played, its end reached.

``verify_file`` reads one record and never stops at the first thing that is wrong with it; only a file that is no record at all is
an error. What can be told without a key is told: whoever rewrites a whole record, digests included, makes another one that holds.
The last digest of the chain is what two copies are compared by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

import referee
from gamebox.load import BoxErrors, games
from referee.rules.book import Book
from referee.rules.options import UnknownRules, UsageError
from referee.rules.record import (
    Header,
    Record,
    RecordError,
    chain_error,
    end_errors,
    mismatch,
    play_on,
    read_record,
    result_of,
    start_of,
)

VERSION = 1
"""The version of the JSON form (docs/schema/verify-1.json)."""
MAX_BYTES = 64_000_000
"""The largest record that is read."""

Progress = Callable[[int, int], None]


class Finding(msgspec.Struct, frozen=True):
    """One thing that does not hold. ``line`` 0 = the file as a whole."""

    line: int
    column: int
    kind: str
    """One of ``referee.rules.record.KINDS``."""
    message: str
    rules: tuple[str, ...] = ()


class Verified(msgspec.Struct, frozen=True):
    """What one record came to."""

    path: str
    record: int
    """The version of its form; 1 has no chain."""
    game: str
    scenario: str
    options: tuple[str, ...]
    rules: int
    data: str
    overlay: tuple[str, ...]
    """The files of the overlay that it embeds."""
    actions: int
    legal: int
    """How many of its actions were replayed and ruled legal."""
    result: str
    """How its game ended, as replayed; empty when it has not, or could not be replayed."""
    chain: str
    """Its last digest; empty in version 1."""
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]

    @property
    def verified(self) -> bool:
        """Nothing was found."""
        return not self.findings

    def as_json(self) -> dict[str, Any]:
        """The entry of the document."""
        built: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return {"path": self.path, "verified": self.verified, **built}

    def lines(self) -> Iterator[str]:
        """For people: one line a finding, or one that says what was verified."""
        for f in self.findings:
            yield f"{self.path}:{f.line}:{f.column}: {f.message}" if f.line else f"{self.path}: {f.message}"
        if self.verified:
            played = ", ".join((self.game, self.scenario, *self.options, f"rules {self.rules}", *(["own overlay"] if self.overlay else [])))
            yield f"{self.path}: verified: {played}: {self.actions} actions, {self.result or 'not over'}; " + (
                f"chain {self.chain[:32]}" if self.chain else "not chained"
            )
        yield from (f"{self.path}: note: {note}" for note in self.notes)


def document(files: Sequence[Verified], unreadable: Sequence[tuple[str, str]] = ()) -> dict[str, Any]:
    """All of one run as JSON values; ``unreadable``: (path, message)."""
    good = sum(one.verified for one in files)
    return {
        "version": VERSION,
        "files": [one.as_json() for one in files],
        "unreadable": [{"path": path, "message": message} for path, message in unreadable],
        "summary": {"verified": good, "failed": len(files) - good, "unreadable": len(unreadable)},
    }


class Unplayable(Exception):
    """A record whose game, rules or data this referee does not have."""

    def __init__(self, errors: Sequence[RecordError]) -> None:
        self.errors = tuple(errors)
        super().__init__("\n".join(map(str, errors)))


class Books:
    """The compiled books of a run; records that were played under the same header share one."""

    def __init__(self) -> None:
        self._load = lru_cache(maxsize=16)(_load)

    def of(self, record: Record) -> Book[Any]:
        """The book that the record was played with, as far as there is one.

        Raises Unplayable, and BoxErrors when it is the referee's own data that is broken.
        """
        h = record.header
        if h.game not in games():
            raise Unplayable([record.error("game", f"there is no game {h.game!r}; there are: {', '.join(games())}", "game")])
        try:
            return self._load(h.game, h.scenario, h.options, h.rules, h.overlay)
        except UnknownRules as error:
            raise Unplayable([record.error("rules", str(error), "rules")]) from None
        except UsageError as error:
            field = next((name for name in ("scenario", "option") if str(error).startswith(name)), "game")
            raise Unplayable([record.error("options" if field == "option" else field, str(error), "game")]) from None
        except BoxErrors as errors:
            if not h.overlay:
                raise
            raise Unplayable([*_in_the_record(record, h, errors)]) from None


def _load(game: str, scenario: str, options: tuple[str, ...], rules: int, overlay: tuple[tuple[str, str], ...]) -> Book[Any]:
    return referee.load(game, scenario, options, overlay=dict(overlay) or None, rules=rules)


def _in_the_record(record: Record, h: Header, errors: BoxErrors) -> Iterator[RecordError]:
    """What is wrong with an embedded overlay, where it stands in the record."""
    names = {f"overlay/{name}": f"overlay {name}" for name, _ in h.overlay}
    for error in errors.errors:
        field = names.get(error.file)
        if field is None:
            yield record.error(f"overlay {h.overlay[0][0]}", f"with the overlay embedded here, {error}", "data")
        else:
            yield RecordError(record.where, record.line(field) + error.line, error.column + 2, error.message, kind="data")


def verify_file(path: Path, name: str, *, books: Books | None = None, data: bool = True, progress: Progress | None = None) -> Verified:
    """Verifies the record in a file, which the answer calls ``name``; the rest as ``verify_text``.

    Raises RecordError for a file that is no record, and OSError for one that cannot be read.
    """
    with path.open("rb") as stream:
        raw = stream.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise RecordError(name, 0, 0, f"the file is too large; allowed: {MAX_BYTES} bytes")
    if raw.startswith(b"PK"):
        raise RecordError(name, 0, 0, "the file is a zip archive, as VASSAL's are; a record is expected")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        column = len(before.rpartition(b"\n")[2].decode("utf-8", "replace")) + 1
        raise RecordError(name, before.count(b"\n") + 1, column, f"byte 0x{raw[error.start]:02X} is not UTF-8") from None
    return verify_text(text, name, books=books, data=data, progress=progress)


def verify_text(text: str, name: str, *, books: Books | None = None, data: bool = True, progress: Progress | None = None) -> Verified:
    """Verifies a record: chain, game, rules version, data (with the overlay it embeds), every action, the end.

    ``data`` False replays it on whatever data the referee has; otherwise a record that was played on other data is not replayed:
    what was lawful there cannot be told here. ``progress`` is called now and then with (actions done, of). Raises RecordError for a
    text that is no record.
    """
    record = read_record(text, name)
    h = record.header
    errors: list[RecordError] = []
    notes: list[str] = []
    legal, result = 0, ""
    if broken := chain_error(record):
        errors.append(broken)
    try:
        book = (books or Books()).of(record)
        if data and (other := _other_data(book, record)):
            errors.append(other)
            notes.append(f"none of its {len(record.entries)} actions was replayed: what was lawful on other data cannot be told here")
        elif wrong := mismatch(book, record, data=data):
            errors.append(wrong)
        else:
            p, stopped = play_on(book, record, start_of(book, record, data=data), progress)
            legal = stopped[0] if stopped else len(record.entries)
            if stopped:
                errors.append(stopped[1])
                if left := len(record.entries) - legal - 1:
                    notes.append(f"the replay ended there; {left} actions after it were not judged")
            else:
                result = result_of(book, p)
                errors += end_errors(book, record, p)
    except Unplayable as unplayable:
        errors += unplayable.errors
    except RecordError as error:
        errors.append(error)
    if record.end is None:
        notes.append("a record of version 1: it has no chain, so nothing tells whether a line was changed, and no end to compare with")
    if h.reserved or record.trailers or any(entry.more for entry in record.entries):
        notes.append("it holds signatures or commitments; this referee carries them along and does not check them")
    return Verified(
        path=name,
        record=record.version,
        game=h.game,
        scenario=h.scenario,
        options=h.options,
        rules=h.rules,
        data=h.data,
        overlay=tuple(name for name, _ in h.overlay),
        actions=len(record.entries),
        legal=legal,
        result=result,
        chain=record.end.seal if record.end else "",
        findings=tuple(Finding(e.line, e.column, e.kind, e.message, e.rules) for e in sorted(errors, key=lambda e: (e.line, e.column))),
        notes=tuple(notes),
    )


def _other_data(book: Book[Any], record: Record) -> RecordError | None:
    h, mine = record.header, book.game.data
    if h.data == mine:
        return None
    whose = "this referee's data with the overlay embedded here" if h.overlay else "this referee's data"
    return record.error("data", f"the game was played on data {h.data[:16]}, and {whose} is {mine[:16]}", "data")
