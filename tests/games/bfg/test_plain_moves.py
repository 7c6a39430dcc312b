"""What spares the rules work - ways over the empty map, boards that remember who has gone, what passing cannot change - against the same
questions answered at length, over positions of random games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

import referee
from referee.games.battle_for_germany.actions import Move
from referee.games.battle_for_germany.changes import events, touched, travel
from referee.games.battle_for_germany.movement import MovementStep, allowance, lawful_way, open_way, profile
from referee.games.battle_for_germany.players import choose
from referee.games.battle_for_germany.position import board, near_cities
from referee.rules.graph import reach

GAMES = (
    ("historical", frozenset[str]()),
    ("expanded", frozenset({"13.2", "18.1"})),
    ("collapse", frozenset[str]()),
    ("three_player", frozenset[str]()),
    ("four_player", frozenset[str]()),
)


@cache
def played(scenario: str, options: frozenset[str]) -> tuple[Any, tuple[Any, ...]]:
    """The rules, and every position of a random game in which units move."""
    rules = referee.load("battle-for-germany", scenario, options)
    dice = random.Random(7)
    p = rules.start()
    found = []
    while not rules.over(p) and len(found) < 500:
        if p.agenda[-1].step in ("movement", "second-movement"):
            found.append(p)
        p = rules.play(p, choose(rules, p, dice, "racer"))
    return rules, tuple(found)


def moving(scenario: str, options: frozenset[str], count: int) -> Iterator[tuple[Any, Any, int, random.Random]]:
    """The setting, a position, and a unit on the map of the phase's force; drawn with a fixed seed."""
    rules, positions = played(scenario, options)
    dice = random.Random(11)
    g = rules.game.setting
    for _ in range(count):
        p = dice.choice(positions)
        units = [u for u, node in enumerate(p.at) if node < g.land.size and p.force[u] == g.phase(p).force]
        if units:
            yield g, p, dice.choice(units), dice


@pytest.mark.parametrize(("scenario", "options"), GAMES)
def test_a_way_known_without_a_search_is_the_one_a_search_finds(scenario: str, options: frozenset[str]) -> None:
    opened = others = 0
    for g, p, unit, _ in moving(scenario, options, 40):
        budget = allowance(g, p, unit)
        whole = reach(g.land.edges, p.at[unit], profile(g, p, unit, budget))
        for goal in range(g.land.size):
            if goal == p.at[unit] or g.land.distance(p.at[unit], goal) > budget:
                continue
            way = open_way(g, p, unit, goal, budget)
            lawful = whole.way(goal) if goal in whole.cost else None
            assert not way or way == lawful, (p, unit, goal)
            if not g.terms.triple:
                assert lawful_way(g, p, unit, goal) == lawful
            opened, others = opened + bool(way), others + (lawful is not None and not way)
    assert opened > 200 and others > 10


@pytest.mark.parametrize(("scenario", "options"), GAMES)
def test_a_move_in_order_has_no_reason_against_it(scenario: str, options: frozenset[str]) -> None:
    rules, positions = played(scenario, options)
    dice, g, passed, refused = random.Random(3), rules.game.setting, 0, 0
    for _ in range(300):
        p = dice.choice(positions)
        step = rules.game.steps[p.agenda[-1].step]
        assert isinstance(step, MovementStep)
        unit = dice.randrange(len(p.at))
        start = p.at[unit]
        if start >= g.land.size:
            continue
        near = [n for n in range(g.land.size) if g.land.distance(start, n) <= 5]
        for goal in dice.sample(near, min(6, len(near))):
            move = Move("soviet", g.roster.ids[unit], g.land.names[start], g.land.names[goal])
            reasons = list(step._reasons(replace(p), move))
            if step._in_order(replace(p), move):
                assert not reasons
                passed += 1
            refused += bool(reasons)
            assert list(step.judge(replace(p), move)) == reasons
    assert passed > 25 and refused > 50


def disordered(g: Any, p: Any, unit: int, dice: random.Random) -> Any:
    """The position after somebody has put the unit and others, friend and foe, into one city or next to it, against the rules."""
    city = dice.choice(g.land.cities)
    around = (city, *dice.sample(g.land.near[city], 2))
    mapped = [u for u, node in enumerate(p.at) if node < g.land.size and u != unit]
    for other in (unit, *dice.sample(mapped, min(3, len(mapped)))):
        touched(g, p, unit, around, city)  # what is kept with this position must not mislead the next
        p = travel(g, p, other, (dice.choice(around),))
    return p


@pytest.mark.parametrize(("scenario", "options"), GAMES)
def test_what_is_not_looked_at_in_passing_does_not_change(scenario: str, options: frozenset[str]) -> None:
    spared = changed = 0
    for g, p, unit, dice in moving(scenario, options, 1500):
        if dice.randrange(2):
            p = disordered(g, p, unit, dice)
        way = [p.at[unit]]
        for _ in range(dice.randrange(1, 5)):
            way.append(dice.choice([n for n, _ in g.land.edges[way[-1]]] or [way[-1]]))
        told = touched(g, p, unit, way, way[-1])
        whole = events(g, p, unit, tuple(way[1:]))
        assert events(g, p, unit, tuple(way[1:]), told) == whole
        spared += not told
        changed += whole["holders"] != p.holders
    assert spared > 20 and changed > 10


@pytest.mark.parametrize(("scenario", "options"), GAMES)
def test_a_board_that_was_handed_on_is_the_board_of_its_position(scenario: str, options: frozenset[str]) -> None:
    rules, positions = played(scenario, options)
    land = rules.game.setting.land
    for p in positions:
        fresh, kept = replace(p), board(p, land)
        assert kept.occ == board(fresh, land).occ
        assert near_cities(p, land) == near_cities(fresh, land)
        assert kept.crowded() == [n for n, units in sorted(kept.occ.items()) if len(units) > 1]
        for unit, node in enumerate(p.at):
            assert (unit in kept.occ.get(node, ())) == (node < land.size)
        assert sum(map(len, kept.occ.values())) == sum(node < land.size for node in p.at)
