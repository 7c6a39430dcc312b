"""Random games of every scenario, with and without options: at every decision the engine lists exactly the actions that the
independent enumerator lists, keeps the same city holders, and ends with the same winners and points."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

import referee
from gamebox.load import load_box
from referee.games.battle_for_germany.movement import MovementStep
from referee.games.battle_for_germany.victory import points_of
from referee.rules.options import UsageError
from tests.games.bfg import enumerator
from tests.games.bfg.perft import SCENARIOS

pytestmark = pytest.mark.whole_game
HOLDERS = ("german", "soviet", "western-allied")
ACTIONS = 450


def drawn(scenario: str, dice: random.Random) -> tuple[Any, tuple[str, ...]]:
    """A book with options that go together."""
    able = [row.key for row in load_box("battle-for-germany")["options"] if scenario in row.items("scenarios")]
    while True:
        names = tuple(name for name in able if dice.random() < 0.4)
        try:
            return referee.load("battle-for-germany", scenario, options=names), names
        except UsageError:
            continue


def pick(book: Any, p: Any, lines: list[str], dice: random.Random) -> str:
    """One of the lines, stacks kept low and Berlin sought, so that games go far."""
    land = book.game.setting.land
    done = [line for line in lines if line.endswith(" done")]
    if done and dice.random() < 0.12:
        return dice.choice(done)
    if p.frame.step in ("movement", "second-movement"):
        held = {land.names[node] for node in p.at}
        free = [line for line in lines if ">" in line and line.split("> ")[1] not in held]
        free += [line for line in lines if " exit " in line or " evacuate " in line] * 8
        goals = [line for line in free if ">" in line]
        if goals and dice.random() < 0.35:
            goals.sort(key=lambda line: land.distance(land.nodes[line.split("> ")[1]], land.berlin))
            free = goals[:3]
        lines = free or lines
    return dice.choice(lines)


def with_way(book: Any, p: Any, line: str) -> str:
    """A move as the engine takes it, its way written out: equally cheap ways are the referee's choice (R-G92)."""
    action = book.parse(line)
    if line.split()[1] not in ("move", "exit"):
        return line
    way = MovementStep(book.game.setting).way(p, action)
    return str(msgspec.structs.replace(action, via=tuple(book.game.setting.land.names[n] for n in way[1:-1])))


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_engine_and_enumerator_agree_all_through_a_game(scenario: str, seed: int) -> None:
    dice = random.Random(f"{scenario}/{seed}")
    book, options = drawn(scenario, dice) if seed else (referee.load("battle-for-germany", scenario), ())
    land = book.game.setting.land
    p, state = book.start(), enumerator.start(scenario, options)
    played: list[str] = []
    while not book.over(p) and len(played) < ACTIONS:
        lines = sorted(map(str, book.legal(p)))
        assert lines == sorted(enumerator.actions(state)), (options, played)
        if not lines:
            return  # what the phase owes can no longer be met: the last move would have to be taken back
        line = with_way(book, p, pick(book, p, lines, dice))
        played.append(line)
        p, state = book.play(p, book.parse(line)), enumerator.play(state, line)
        if p.phase >= 0:
            held = {land.names[node]: HOLDERS[p.holders[i]] for i, node in enumerate(land.cities)}
            assert held == enumerator.holders(state), (options, played[-3:])
    if book.over(p):
        told = enumerator.result(state)
        if told["points"]:
            assert tuple(points_of(book.game.setting, p).values()) == tuple(told["points"].values())
        western = "German" if scenario == "collapse" else "Western Allied"  # he runs the Germans there (14.0)
        names = {"soviet": "Soviet", "western-allied": western, "east-german": "East German", "west-german": "West German"}
        for winner in told["winners"]:
            assert names.get(winner, "German") in p.result.split(" win")[0]
