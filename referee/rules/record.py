"""A game as a readable text file: what was played under which rules, then one action a line, rolls included, chained by digests.

::

    record 2
    game a-game
    scenario historical
    options -
    rules 1
    data 4be1f0...
    seed 7/12
    note plan racer
    overlay crt.csv
      odds,die,result,source
      1:1,3,EX,owner of a printed copy
    actions ; 5d0c8a41...
    # turn 1
    1 red move r-1 @ 1926 > 2026 via 1925 ; 11d2b07e...
    2 chance roll combat 3 ; e9a0417c...
    3 red done ; 02c4ffb6...
    end 3 position 9f04... result - ; 8e21...

Header, one field a line in this order: ``record`` (version of this form), ``game``, ``scenario``, ``options`` (by comma, ``-`` =
none), ``rules`` (rules version), ``data`` (hash of the box, overlay included), then, where there is one, ``seed`` (of games played
by the machine), any number of ``note`` lines, and one ``overlay`` with the text of each file that was laid over the data.
``position`` follows only when the game does not begin at the scenario's start: the position's text
(``referee.rules.position_text``). What belongs to ``overlay`` and ``position`` is indented by two blanks. ``actions`` begins the
body.

Body: number, action in notation, `` ; `` and the line's digest. A line that begins with ``#`` is a comment. The last line tells the
number of actions, the digest of the last position, the result (``-`` while the game goes on) and the chain's whole digest. How the
chain is made: ``referee.rules.record_form``.

Kept free for a later stage, which signs records and hides what is secret: the header fields ``chain``, ``commit`` and
``signature``, text after a line's digest (outside the chain), and lines of ``signature`` and ``reveal`` after ``end`` (outside it
too). They are carried along, and nothing is judged by them.

Version 1 (still read, no longer written) has neither ``overlay``, digests nor ``end``; numbers may be left out and empty lines put
in, and after `` ; `` stands any text.

Reading is strict and tells the place of the first error as ``file:line:column``. Writing is deterministic, so a record that is
read and written again has the same bytes. Nothing here reads or writes files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

from referee.rules.book import Book
from referee.rules.model import Action, NotationError, Position
from referee.rules.position_text import PositionError, digest, parse_position, position_text
from referee.rules.record_form import KINDS, RESERVED, VERSION, End, Entry, Header, Record, RecordError, chain_error, sealed
from referee.rules.record_reading import read_record

__all__ = [
    "KINDS",
    "RESERVED",
    "VERSION",
    "End",
    "Entry",
    "Header",
    "Record",
    "RecordError",
    "chain_error",
    "end_errors",
    "end_of",
    "header_of",
    "mismatch",
    "parse_entry",
    "play_on",
    "read_record",
    "record_of",
    "replay",
    "result_of",
    "sealed",
    "start_of",
]

P = TypeVar("P", bound=Position)

ASK_EVERY = 64
"""Actions between two reports of how far a replay is."""


def header_of(book: Book[P], *, seed: str = "", notes: Iterable[str] = ()) -> Header:
    """The header for games of this book, with the overlay that its box was made with. ``seed`` and notes are single lines."""
    game = book.game
    overlay = tuple(sorted(book.overlay.items()))
    return Header(game.id, game.scenario, tuple(sorted(game.options)), game.rules, game.data, seed, tuple(notes), overlay=overlay)


def result_of(book: Book[P], p: P) -> str:
    """How the game ended, in its own words (the position's field ``result``; ``over`` where it has none); empty while it goes on."""
    return (str(getattr(p, "result", "")) or "over") if book.over(p) else ""


def end_of(book: Book[P], p: P, actions: int) -> End:
    """The end of a record whose last position this is."""
    return End(actions, digest(book, p), result_of(book, p))


def record_of(book: Book[P], header: Header, actions: Iterable[Action | str], last: P, *, start: str = "") -> Record:
    """The sealed record of a game that was played: its actions, and the position they led to.

    A text that begins with ``#`` is a comment before the action that follows. Raises ValueError for what no line can hold.
    """
    entries: list[Entry] = []
    comments: list[str] = []
    for action in actions:
        text = str(action)
        if text.startswith("#"):
            comments.append(text)
        else:
            entries.append(Entry(text, tuple(comments)))
            comments = []
    made = sealed(Record(header, tuple(entries), start, tuple(comments), end_of(book, last, len(entries))))
    try:
        back = read_record(str(made))
    except RecordError as error:
        raise ValueError(f"this is no record: {error}") from None
    if (back.header, back.start, back.comments, back.actions) != (made.header, made.start, made.comments, made.actions):
        raise ValueError("this is no record: a text in it would be read as something else")
    return made


def replay(book: Book[P], record: Record, *, data: bool = True) -> P:
    """The position that the record leads to; every action is checked before it is played, and its chain and its end must hold.

    ``data`` False plays it on whatever box the book has. Raises RecordError: a line was changed, the record is of another game,
    scenario, rules version or box, its first position is none, an action cannot be read or is illegal, or it ends otherwise.
    """
    p = start_of(book, record, data=data)
    if broken := chain_error(record):
        raise broken
    p, stopped = play_on(book, record, p)
    if stopped:
        raise stopped[1]
    for error in end_errors(book, record, p):
        raise error
    return p


def play_on(
    book: Book[P], record: Record, p: P, progress: Callable[[int, int], None] | None = None
) -> tuple[P, tuple[int, RecordError] | None]:
    """(the position after the record's actions, None), or (the position before the first that cannot be read or is illegal, (its
    index, what is wrong)). ``progress`` is called now and then with (done, of)."""
    for at, entry in enumerate(record.entries):
        if progress and at % ASK_EVERY == 0:
            progress(at, len(record.entries))
        try:
            action = parse_entry(book, record, entry)
        except RecordError as error:
            return p, (at, error)
        ruling = book.check(p, action)
        if not ruling.legal:
            told = "; ".join(book.sentence(reason) for reason in ruling.reasons)
            rules = tuple(dict.fromkeys(para for reason in ruling.reasons for para in reason.paragraphs))
            message = f"{entry.text!r} is {ruling.verdict}: {told}"
            return p, (at, RecordError(record.where, entry.line, entry.column, message, kind="illegal", rules=rules))
        p = book.play(p, action)
    return p, None


def end_errors(book: Book[P], record: Record, p: P) -> Iterable[RecordError]:
    """Where the last line says something else than the game that led to this position; nothing for version 1, which has none."""
    end = record.end
    if end is None:
        return
    result = result_of(book, p)
    for name, theirs, mine in (
        ("actions", str(end.actions), str(len(record.entries))),
        ("position", end.position, digest(book, p)),
        ("result", end.result or "-", result or "-"),
    ):
        if theirs != mine:
            yield RecordError(record.where, end.line, 1, f"the record ends with {name} {theirs}, and its game with {mine}", kind="end")


def mismatch(book: Book[P], record: Record, *, data: bool = True) -> RecordError | None:
    """The first field of the header that is not the book's; ``data`` False leaves the box out."""
    h, game = record.header, book.game
    pairs = [("game", h.game, game.id), ("scenario", h.scenario, game.scenario)]
    pairs += [("options", ",".join(h.options) or "-", ",".join(sorted(game.options)) or "-"), ("rules", str(h.rules), str(game.rules))]
    if data:
        pairs.append(("data", h.data, game.data))
    for name, theirs, ours in pairs:
        if theirs != ours:
            kind = name if name in KINDS else "game"
            return record.error(name, f"the record says {name} {theirs}, and it is being played with {name} {ours}", kind)
    return None


def start_of(book: Book[P], record: Record, *, data: bool = True) -> P:
    """The position the record begins with. Raises RecordError as ``replay`` does."""
    if error := mismatch(book, record, data=data):
        raise error
    if not record.start:
        return book.start()
    line = record.line("position")
    indented = "\n" * line + "".join(f"  {line}\n" for line in record.start.split("\n"))
    try:
        p = parse_position(book, indented, record.where)
    except PositionError as error:
        found = re.match(r"(?P<line>\d+):(?P<column>\d+): (?P<what>.*)", str(error).removeprefix(f"{record.where}:"), re.DOTALL)
        place = (int(found["line"]), int(found["column"]), found["what"]) if found else (line, 1, str(error))
        raise RecordError(record.where, *place, kind="position") from None
    if position_text(book, p) != record.start or (broken := book.broken(p)):
        told = "; ".join(broken) if position_text(book, p) == record.start else "it is not written as the referee writes it"
        raise RecordError(record.where, max(1, line), 1, f"no game can begin with this position: {told}", kind="position")
    return p


def parse_entry(book: Book[P], record: Record, entry: Entry) -> Action:
    """One action of the record. Raises RecordError."""
    try:
        return book.parse(entry.text)
    except NotationError as error:
        found = re.search(rf"(?<![^\s,]){re.escape(error.word)}(?![^\s,])", entry.text) if error.word else None
        column = entry.column + (found.start() if found else 0)
        raise RecordError(record.where, entry.line, column, str(error), kind="action") from None
