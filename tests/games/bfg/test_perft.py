"""The engine against the kept counts of the independent enumerator (``tests.games.bfg.perft``)."""

from __future__ import annotations

from typing import Any

import pytest

import referee
from tests.games.bfg.perft import Line, kept, positions

LINES = {line.name: line for line in positions()}
KEPT = kept()
pytestmark = pytest.mark.whole_game


def reached(line: Line) -> tuple[Any, Any]:
    """The book and the position, every action on the way being lawful."""
    book: Any = referee.load("battle-for-germany", line.scenario, options=line.options)
    p = book.start()
    for text in line.actions:
        action = book.parse(text)
        assert book.check(p, action).legal, text
        p = book.play(p, action)
    return book, p


def test_the_table_has_every_start_and_at_least_ten_positions_from_games() -> None:
    assert set(KEPT) == set(LINES)
    assert sum(bool(line.actions) for line in LINES.values()) >= 10
    assert {line.scenario for line in LINES.values() if line.actions} == {line.scenario for line in LINES.values()}


@pytest.mark.parametrize("name", LINES)
def test_as_many_actions_are_legal_as_the_enumerator_counted(name: str) -> None:
    row = KEPT[name]
    book, p = reached(LINES[name])
    first = list(book.legal(p))
    assert (1, len(first)) == (int(row["plies_0"]), int(row["plies_1"]))
    assert sum(sum(1 for _ in book.legal(book.play(p, a))) for a in first) == int(row["plies_2"])
