"""The records that bind: every record of every rules version verifies, and the corpus is never written over."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

import referee
from referee.audit.verify import Books, verify_file
from referee.rules.record import read_record, start_of
from tests.records.corpus import FOLDER, LARGEST, CorpusError, cut, records, write

BOOKS = Books()


@pytest.mark.parametrize("path", records(), ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_a_kept_record_verifies_to_the_same_end(path: Path) -> None:
    # The box grows and is corrected; the verdicts on these games and the positions they come to may not change by it.
    found = verify_file(path, path.name, books=BOOKS, data=False)
    assert not found.findings, (
        f"{found.findings[0].message}. A change that alters an old verdict is an amendment with a new rules version"
        " (referee/rules/options.py); a field that positions got is named in Layout.later."
    )
    assert (found.game, f"v{found.rules}", found.legal) == (path.parent.parent.name, path.parent.name, found.actions)
    assert path.stat().st_size <= LARGEST


def test_every_rules_version_of_a_game_has_records() -> None:
    for game in sorted({path.parent.parent.name for path in records()}):
        newest = referee.load(game).game.rules
        assert {path.parent.name for path in records(game)} == {f"v{n}" for n in range(1, newest + 1)}, game


def test_the_corpus_is_never_written_over(tmp_path: Path) -> None:
    path = records()[0]
    found = read_record(path.read_text("utf-8"))
    h = found.header
    written = write(h.game, scenario=h.scenario, games=1, seed=77, folder=tmp_path)
    assert [file.parent.parent.name for file in written] == [h.game]
    before = written[0].read_bytes()
    with pytest.raises(CorpusError, match="is there already, and a record of a rules version is never written anew"):
        write(h.game, scenario=h.scenario, games=1, seed=77, folder=tmp_path)
    assert written[0].read_bytes() == before
    assert not verify_file(written[0], "x", books=BOOKS).findings


def test_a_long_game_is_cut_at_the_end_of_a_turn() -> None:
    found = read_record(max(records(), key=lambda path: path.stat().st_size).read_text("utf-8"))
    book = BOOKS.of(found)
    short = cut(book, found, 15_000)
    assert len(str(short)) < len(str(found))
    assert str(read_record(str(short))) == str(short)
    assert short.entries == found.entries[: len(short.entries)]
    p = start_of(book, found, data=False)
    turns = [p.turn]
    for action in short.actions:
        p = book.play(p, book.parse(action))
        turns.append(p.turn)
    assert turns[-1] > turns[-2]
    assert all(b - a in (0, 1) for a, b in pairwise(turns))
