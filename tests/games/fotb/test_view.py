"""What each side sees of a position (0.2, R-F135)."""

from __future__ import annotations

import pytest

import referee
from referee.games.overlord_to_berlin.position import HIDDEN

GAME = "overlord-to-berlin"
TWO, THREE = referee.load(GAME), referee.load(GAME, options={"three-seats"})


@pytest.mark.rule("fotb", "0.2.e")
def test_the_allied_player_sees_both_his_sides_and_with_three_seats_each_side_its_own() -> None:
    p = TWO.game.start()
    for side, two, three in (("west", "110", "100"), ("soviet", "110", "010"), ("axis", "001", "001")):
        for book, seen in ((TWO, two), (THREE, three)):  # one position, two books: neither sees with the eyes of the other
            shown = book.view(p, side).sealed
            assert "".join("1" if s.known else "0" for s in shown) == seen
            assert all(s == (p.sealed[i] if s.known else HIDDEN) for i, s in enumerate(shown))


def test_nobody_in_particular_sees_everything() -> None:
    p = TWO.game.start()
    assert TWO.view(p, None) == p
