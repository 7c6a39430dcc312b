"""Games to measure on: played at random by the sample game's own players, with fixed seeds."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from typing import Any

import referee
from referee.games.battle_for_germany.players import choose
from referee.rules.model import Action

GAME = "battle-for-germany"
SEED = 1944


@dataclass(frozen=True, slots=True)
class Stretch:
    """One phase as it was played: the position it began with, and its actions in order."""

    step: str
    start: Any
    actions: tuple[Action, ...]


@cache
def book() -> Any:
    """The sample game's rules."""
    return referee.load(GAME)


def phase_of(position: Any) -> tuple[object, ...]:
    """What tells one phase from the next: two of them can wait for the same player with the same step."""
    return position.turn, position.phase, position.agenda[0].step if position.agenda else ""


@cache
def stretches(plan: str = "racer", seed: int = SEED, most: int = 4000) -> tuple[Stretch, ...]:
    """One whole game, cut where the phase changes."""
    rules = book()
    dice = random.Random(seed)
    position = rules.start()
    found: list[Stretch] = []
    actions: list[Action] = []
    start, place = position, phase_of(position)
    for _ in range(most):
        if rules.over(position):
            break
        if phase_of(position) != place:
            found.append(Stretch(start.agenda[0].step, start, tuple(actions)))
            start, actions, place = position, [], phase_of(position)
        action = choose(rules, position, dice, plan)
        actions.append(action)
        position = rules.play(position, action)
    found.append(Stretch(start.agenda[0].step, start, tuple(actions)))
    return tuple(found)
