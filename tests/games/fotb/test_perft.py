"""The engine against the kept counts of the second referee (``tests.games.fotb.perft``)."""

from __future__ import annotations

import pytest

from tests.games.fotb.layout import step
from tests.games.fotb.perft import counts, kept, listed, positions, reached

LINES = {line.name: line for line in positions()}
KEPT = kept()
KNOWN = ("combine", "strategic", "transfers", "operations", "loss", "ask", "retreat")
pytestmark = pytest.mark.whole_game


def test_the_table_has_ten_positions_and_every_step_that_is_counted() -> None:
    assert set(KEPT) == set(LINES) and len(LINES) >= 10
    assert {row["step"] for row in KEPT.values()} >= {"combine", "strategic", "transfers", "operations", "loss", "retreat"}


@pytest.mark.parametrize("name", LINES)
def test_as_many_actions_are_legal_as_the_second_referee_counted(name: str) -> None:
    row = KEPT[name]
    p = reached(LINES[name])
    assert step(p) == row["step"]
    assert counts(p, lambda q: listed(q) if step(q) in KNOWN else None) == (int(row["plies_1"]), int(row["plies_2"]))
