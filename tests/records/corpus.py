"""The records that bind: for every rules version of a game, games that must verify to the same end for ever.

``tests/records/<game>/v<rules version>/*.record``. A record of an old version is never written anew: a change that makes one fail is
an amendment with a new version (``referee.rules.options.Amendment``), or, where positions got a field, one name more in
``Layout.later``.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from referee.audit.selfplay import players_of, selfplay
from referee.audit.verify import Books
from referee.rules.book import Book
from referee.rules.record import Record, end_of, parse_entry, read_record, sealed, start_of

FOLDER = Path(__file__).parent
LARGEST = 72_000
"""Bytes that a record of the corpus may have; a longer game is cut at the end of a turn."""


class CorpusError(Exception):
    """What cannot be written; one line."""


def records(game: str = "*", version: str = "*") -> list[Path]:
    """The files of the corpus."""
    return sorted(FOLDER.glob(f"{game}/v{version}/*.record"))


def cut(book: Book[Any], record: Record, largest: int = LARGEST) -> Record:
    """The record as it was at the end of the last turn with which it is not larger than that (the first turn at least)."""
    if len(str(record).encode()) <= largest:
        return record
    p = start_of(book, record, data=False)
    best: Record | None = None
    for at, entry in enumerate(record.entries):
        q = book.play(p, parse_entry(book, record, entry))
        if q.turn > p.turn:
            done = at + 1
            one = sealed(replace(record, entries=record.entries[:done], comments=(), end=end_of(book, q, done)))
            if best is not None and len(str(one).encode()) > largest:
                break
            best = one
        p = q
    return best or record


def write(game: str, *, scenario: str, options: tuple[str, ...] = (), games: int = 6, seed: int = 1, folder: Path = FOLDER) -> list[Path]:
    """Plays games of the newest rules version, as many plans as there are, and keeps them.

    Raises CorpusError, before anything is written, when one of the files is there already, or when a game shows a problem.
    """
    books = Books()
    with tempfile.TemporaryDirectory() as beside:
        played = selfplay(game, games=1, seed=seed, scenario=scenario, options=options, record=Path(beside), processes=1)
        first = read_record(next(Path(beside).iterdir()).read_text("utf-8"))
        plans = tuple(dict.fromkeys(players_of(books.of(first)).plans(books.of(first))))[:games]
        played = selfplay(game, games=games, seed=seed, scenario=scenario, options=options, record=Path(beside), processes=1, plans=plans)
        if played.problems:
            raise CorpusError(f"nothing is written, a game shows a problem: {played.problems[0]}")
        texts: dict[Path, str] = {}
        for number, (one, path) in enumerate(zip(played.played, sorted(Path(beside).glob("*.record")), strict=True), 1):
            record = read_record(path.read_text("utf-8"), path.name)
            book = books.of(record)
            name = "-".join((record.header.scenario, *(option.replace("/", "_") for option in record.header.options), one.plan))
            texts[folder / game / f"v{record.header.rules}" / f"{name}-{seed}-{number}.record"] = str(cut(book, record))
    if there := [path for path in texts if path.exists()]:
        raise CorpusError(f"{there[0]} is there already, and a record of a rules version is never written anew; allowed: another --seed")
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", newline="")
    return list(texts)
