"""Games that the referee plays against itself end, break no invariant, and are records that read back."""

from __future__ import annotations

import pytest

from referee.audit.selfplay import selfplay
from referee.games.overlord_to_berlin.players import LAID_OUT, PLANS
from tests.games.fotb.layout import BOOK


@pytest.mark.whole_game
@pytest.mark.parametrize("plan", ["crusade", "fate", "courland", "directives", "beachhead"])
def test_a_whole_game_ends_without_a_problem(plan: str) -> None:
    report = selfplay("overlord-to-berlin", games=1, seed=3, plans=(plan,), processes=1)
    assert report.problems == ()
    assert all(game.result for game in report.played)


@pytest.mark.parametrize("plan", sorted(LAID_OUT))
def test_a_scene_breaks_no_invariant(plan: str) -> None:
    import random

    from referee.games.overlord_to_berlin.players import opening

    for seed in range(5):
        p = opening(BOOK, random.Random(seed), plan)
        assert BOOK.broken(p) == () and not BOOK.over(p)


def test_plans_have_names_of_their_own() -> None:
    assert len(set(PLANS)) == len(PLANS)
