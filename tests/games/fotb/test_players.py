"""Games that the referee plays against itself end, break no invariant, and are records that read back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.audit.selfplay import selfplay
from referee.games.overlord_to_berlin.players import LAID_OUT, PLANS
from referee.games.overlord_to_berlin.showing import phase_name
from tests.games.fotb.layout import BOOK


@pytest.mark.whole_game
@pytest.mark.parametrize("plan", ["crusade", "fate", "courland", "directives", "beachhead"])
def test_a_whole_game_ends_without_a_problem(plan: str, tmp_path: Path) -> None:
    report = selfplay("overlord-to-berlin", games=1, seed=3, plans=(plan,), record=tmp_path, processes=1)
    assert report.problems == ()
    assert all(game.result for game in report.played)
    told = [line for line in next(tmp_path.iterdir()).read_text("utf-8").splitlines() if line.startswith("#")]
    names = [phase_name(phase) for phase in BOOK.game.setting.terms.phases]
    assert len(set(told)) == len(told) > 40
    assert all(re.fullmatch(rf"# turn [1-7]: ({'|'.join(map(re.escape, names))})", line) for line in told)


@pytest.mark.parametrize("plan", sorted(LAID_OUT))
def test_a_scene_breaks_no_invariant(plan: str) -> None:
    import random

    from referee.games.overlord_to_berlin.players import opening

    for seed in range(5):
        p = opening(BOOK, random.Random(seed), plan)
        assert BOOK.broken(p) == () and not BOOK.over(p)


def test_plans_have_names_of_their_own() -> None:
    assert len(set(PLANS)) == len(PLANS)
