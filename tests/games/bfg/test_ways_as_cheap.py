"""The other ways of a move that a log shows by its ends only (R-G92), against all ways gone through one by one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import pytest

import referee
from gamebox.load import load_box
from referee.games.battle_for_germany.actions import Move
from referee.games.battle_for_germany.changes import events
from referee.games.battle_for_germany.game import BattleForGermany
from referee.games.battle_for_germany.movement import MovementStep, allowance, way_reasons, ways_as_cheap
from referee.games.battle_for_germany.players import choose
from referee.games.battle_for_germany.setting import Setting
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.terms import MOVEMENT

GAME = "battle-for-germany"
SCENARIOS = (("historical", ""), ("expanded", "13.2"), ("collapse", ""), ("rsws", ""), ("three_player", ""), ("four_player", ""))
Way = tuple[int, ...]


@cache
def played(scenario: str, option: str) -> tuple[BattleForGermany, tuple[Pos, ...]]:
    """The game, and positions of Movement Phases of a random game of it, one a phase and some moves into it."""
    book = referee.load(GAME, scenario, frozenset(filter(None, [option])), box=load_box(GAME))
    game = book.game
    assert isinstance(game, BattleForGermany)
    dice, found, p = random.Random(scenario), [], book.start()
    while len(found) < 12 and not book.over(p):
        phase = p.phase
        p = book.play(p, choose(book, p, dice, "racer"))
        if p.phase == phase and p.frame.step == "movement" and game.setting.phase(p).kind == MOVEMENT and p.moved.bit_count() == 2:
            found.append(p)
    return game, tuple(found)


def cost(g: Setting, way: Way) -> int:
    return sum(dict(g.land.edges[here])[there] for here, there in pairwise(way))


def every_way(g: Setting, p: Pos, unit: int, way: Way) -> Iterator[Way]:
    """The ways of the same cost to the same hex against which nothing speaks, by trying all."""
    goal, bound, price = way[-1], g.land.bound(way[-1]), cost(g, way)
    stack: list[tuple[Way, int]] = [(way[:1], 0)]
    while stack:
        gone, spent = stack.pop()
        if gone[-1] == goal:
            if spent == price and not any(True for _ in way_reasons(g, p, unit, gone)):
                yield gone
            continue
        for node, step in g.land.edges[gone[-1]]:
            if node not in gone and spent + step + bound[node] <= price:
                stack.append(((*gone, node), spent + step))


def effects(g: Setting, p: Pos, unit: int, way: Way) -> tuple[bytes, int, int]:
    changed = events(g, p, unit, way[1:])
    return changed["holders"], changed["forts_gone"], changed["ports_entered"]


@pytest.mark.parametrize(("scenario", "option"), SCENARIOS)
def test_other_ways_are_all_told_or_change_nothing(scenario: str, option: str) -> None:
    game, positions = played(scenario, option)
    g, step, dice = game.setting, game.steps["movement"], random.Random(scenario)
    assert isinstance(step, MovementStep)
    several = alike = 0
    for p in positions:
        moves = [a for a in step.choices(p, None) if isinstance(a, Move)]
        for move in dice.sample(moves, min(25, len(moves))):
            unit = g.roster.index[move.unit]
            way = step.way(p, move)
            told = ways_as_cheap(g, p, unit, way, 10**6)
            if cost(g, way) > allowance(g, p, unit):
                assert told == [way]  # tripled (16.3.b): taken as it stands
                continue
            expected = set(every_way(g, p, unit, way))
            if len(told) > 1:
                several += 1
                assert len(told) == len(expected) and set(told) == expected, (str(move), told, expected)
            else:
                alike += len(expected) > 1
                assert told == [way] and len({effects(g, p, unit, w) for w in expected}) <= 1, (str(move), expected)
    assert several >= 5 and alike >= 5, "the positions try both"
