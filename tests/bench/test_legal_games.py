"""Nobody is accused falsely: a game that was legal, written into a log as a tidy player would, is judged without an illegal action.

The logs are the benchmarks': random legal games with announced attacks, dice, tracker steps; retreats, losses and advances dragged at
once; an exit dragged to the edge and off the map; what it takes removed at the end of the phase.
"""

from __future__ import annotations

import pytest

from bench import logs
from referee.audit.run import audit_file

GAMES = [("racer", 1), ("racer", 2), ("random", 3), ("runner", 4), ("exiter", 5), ("exiter", 100), ("random", 109), ("racer", 110)]


def accusations(plan: str, seed: int) -> list[str]:
    """Every illegal action found in a legal game."""
    made = logs.game(2, 200, plan, seed)
    document = audit_file(made.data, "game.vlog", game=logs.GAME, module=logs.module_path()).as_json()
    assert document["summary"]["legal"] > made.actions / 3
    return [
        f"step {action['step']} {action['phase']}: {action['notation']}: {action['message']}"
        for action in document["files"][0]["actions"]
        if action["verdict"] == "illegal"
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("plan", "seed"), GAMES)
def test_a_legal_game_is_judged_without_an_accusation(plan: str, seed: int) -> None:
    accused = accusations(plan, seed)
    assert not accused, "\n".join(accused)
