"""What combat keeps beside a position - strengths of attacks, where enemies are, which hexes are open to a retreat - against the same
questions asked of a position that knows nothing yet, over whole random games; and who can open an attack, asked of everybody."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import referee
from referee.games.battle_for_germany.combat import can_open, candidates, enemies_near, enemy_hexes, single_targets
from referee.games.battle_for_germany.odds import strengths
from referee.games.battle_for_germany.players import choose
from referee.games.battle_for_germany.position import Board, board
from referee.games.battle_for_germany.retreat import hex_reasons, is_open, open_hexes
from referee.rules.model import Reason

GAMES = (
    ("historical", frozenset[str]()),
    ("expanded", frozenset({"13.2", "18.1", "18/6.3"})),
    ("collapse", frozenset[str]()),
    ("three_player", frozenset[str]()),
    ("four_player", frozenset[str]()),
)


@pytest.mark.parametrize(("scenario", "options"), GAMES)
def test_what_is_kept_is_what_a_position_that_knows_nothing_says(scenario: str, options: frozenset[str]) -> None:
    rules = referee.load("battle-for-germany", scenario, options)
    g = rules.game.setting
    dice = random.Random(3)
    p = rules.start()
    attacks = retreats = 0
    while not rules.over(p) and attacks + retreats < 400:
        step, fresh = p.agenda[-1].step, replace(p)
        if step in ("combat", "second-combat", "declare", "combat-roll", "lose", "retreat", "advance"):
            assert {n: us for n, us in board(p, g.land).occ.items() if us} == board(fresh, g.land).occ
        if step in ("combat", "second-combat"):
            near = [n for n in enemies_near(g, p) if can_open(g, p, (n,))]
            assert len(near) == len(set(near))
            assert sorted(near) == [n for n in enemy_hexes(g, fresh) if can_open(g, fresh, (n,))]
            for node in near:
                for named in ((), *((u,) for u in single_targets(g, p, node))):
                    units = candidates(g, p, (node,), named)
                    assert units == candidates(g, fresh, (node,), named)
                    assert strengths(g, p, units, (node,), named) == strengths(g, replace(p), units, (node,), named)
                    attacks += 1
        elif step == "retreat":
            for unit in p.agenda[-1].data[0]:
                for node in g.land.near[p.at[unit]]:
                    against: list[Reason] = list(hex_reasons(g, fresh, unit, node))
                    assert is_open(g, p, unit, node) == (not against)
                assert open_hexes(g, p, unit) == open_hexes(g, fresh, unit)
                retreats += 1
        action = choose(rules, p, dice, "racer")
        assert rules.check(p, action, every=True) == rules.check(fresh, action, every=True)
        following = rules.play(p, action)
        assert following == rules.play(replace(p), action)
        p = following
    assert attacks > 50 and retreats > 5


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4)), max_size=8))
def test_who_stands_in_a_hex_is_the_same_whether_all_hexes_are_looked_at_or_one(moves: list[tuple[int, int]]) -> None:
    at = [0, 0, 1, 1, 1, 2]
    here = Board({0: (0, 1), 1: (2, 3, 4), 2: (5,)}, (), {}, ())
    for unit, goal in moves:
        here = here.after(unit, at[unit], goal if goal < 4 else -1, {}, [])  # node 4 is a box
        at[unit] = goal
    found = [here.there(node) for node in range(5)]
    assert found == [tuple([u for u, where in enumerate(at) if where == node]) for node in range(4)] + [()]
    assert found == [here.occ.get(node, ()) for node in range(5)]
