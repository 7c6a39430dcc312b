"""Nothing hidden shows: for pairs of positions that a side cannot tell apart every byte that it is given is the same.

View and its digest, the list of what it may do, every ruling with its sentences, what is said would have been legal, whose decision
waits; and after an action what the side sees of its outcome. Positions come from whole games of every plan and from scenes.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.overlord_to_berlin import players
from referee.games.overlord_to_berlin.actions import Exchange, Fill, Levy, Transfer, Withdraw
from referee.games.overlord_to_berlin.position import Pos
from referee.games.overlord_to_berlin.stacking import emptied
from referee.rules.model import CHANCE, Action, Done
from referee.rules.position_text import digest, position_text
from tests.games.fotb.layout import BOOK, G, playing
from tests.games.fotb.twins import twin

SIDES = ("west", "soviet", "axis")
MET: Counter[str] = Counter()
"""Steps at which pairs were compared in this run."""


def told(p: Pos, a: Action) -> tuple[Any, ...]:
    """Everything that is said to somebody who tries this."""
    ruling = BOOK.check(p, a, every=True)
    first = BOOK.check(p, a)
    return (
        ruling,
        first,
        tuple(BOOK.sentence(reason) for reason in ruling.reasons),
        () if ruling.legal else (BOOK.explain(p, a).text, BOOK.explain(p, a).legal),
    )


def same(p: Pos, q: Pos, viewer: str, dice: random.Random) -> None:
    """Every byte that the viewer gets is the same."""
    MET[p.frame.step] += 1
    assert position_text(BOOK, BOOK.view(p, viewer)) == position_text(BOOK, BOOK.view(q, viewer))
    assert digest(BOOK, BOOK.view(p, viewer)) == digest(BOOK, BOOK.view(q, viewer))
    mine = [str(a) for a in BOOK.legal(p, by=viewer)]
    assert mine == [str(a) for a in BOOK.legal(q, by=viewer)]
    tries = [BOOK.parse(line) for line in dice.sample(mine, min(4, len(mine)))]
    tries += [a for a in islice(players.probes(BOOK, p, dice, ""), 8) if a.by == viewer]
    tries += [Done(viewer)]
    for a in tries:
        assert told(p, a) == told(q, a), f"{a} for {viewer} at {p.frame}"


def lines(p: Pos, viewer: str, but: tuple[str, ...] = ()) -> list[str]:
    """The view, line by line, without some fields."""
    return [line for line in position_text(BOOK, BOOK.view(p, viewer)).splitlines() if not line.startswith(but)]


def outcome(p: Pos, q: Pos, a: Action, viewer: str) -> None:
    """What the viewer sees of an action is the same, but for what becomes public by the rules: the strengths of a combat (10.5), the
    garrison loss on the track of the Axis (R-F138), the formations that go home empty when a step ends (9.8)."""
    if p.combat is not None or (a.by not in (viewer, CHANCE) and not isinstance(a, Done)):
        return  # losses are shown; a hidden action of an enemy may be one that only he can make
    if a.by in SIDES and a.by != viewer and emptied(G, p, SIDES.index(a.by)) != emptied(G, q, SIDES.index(a.by)):
        return
    if not BOOK.check(q, a).legal:
        assert a.by != viewer, f"{a} is legal in one of the twins alone"
        return
    after = [BOOK.play(x, a) for x in (p, q)]
    if any(x.combat is not None for x in after) or any(BOOK.over(x) for x in after):
        return
    assert lines(after[0], viewer, ("pr ",)) == lines(after[1], viewer, ("pr ",)), f"{a} at {p.frame}, seen by {viewer}"


def game(plan: str, seed: int, every: int) -> None:
    """One whole game of a plan; pairs at every so-many-th position and wherever a step is met seldom."""
    dice = random.Random(f"{plan}/{seed}")
    p = players.opening(BOOK, dice, plan)
    for number in range(5000):
        if BOOK.over(p):
            return
        a = players.choose(BOOK, p, dice, plan)
        if number % every == 0 or MET[p.frame.step] < 12:
            viewer = SIDES[number % 3]
            q = twin(p, viewer, dice)
            assert position_text(BOOK, p) != position_text(BOOK, q)
            same(p, q, viewer, dice)
            outcome(p, q, a, viewer)
        p = BOOK.play(p, a)
    raise AssertionError("the game does not end")


@pytest.mark.rule("fotb", "0.2.e")
@pytest.mark.rule("fotb", "11.4")
@pytest.mark.rule("fotb", "0.6.c")
@pytest.mark.whole_game
@pytest.mark.parametrize("plan", players.PLANS)
def test_no_side_can_tell_what_is_hidden_from_it_in_a_whole_game(plan: str) -> None:
    game(plan, 1, 19)


@pytest.mark.whole_game
def test_pairs_are_compared_at_every_step_of_the_game() -> None:
    """Plays on until every step has been met; with the games above in one run most of them have."""
    steps = set(BOOK.game.steps) - {"phase", "over", "combat", "automatic"}
    for seed in range(2, 12):
        for plan in players.PLANS:
            if steps <= set(MET):
                return
            if (MET["finland"] and MET["manchuria"]) or plan == "fate" or seed == 2:
                game(plan, seed, 400)
    assert steps <= set(MET), sorted(steps - set(MET))


@pytest.mark.whole_game
@settings(max_examples=60)
@given(st.sampled_from(sorted(players.LAID_OUT)), st.integers(0, 2**32), st.integers(0, 40), st.sampled_from(SIDES))
def test_scenes_played_on_a_little_have_twins_that_nobody_tells_apart(plan: str, seed: int, further: int, viewer: str) -> None:
    dice = random.Random(seed)
    p = players.opening(BOOK, dice, plan)
    for _ in range(further):
        if not BOOK.over(p):
            p = BOOK.play(p, players.choose(BOOK, p, dice, plan))
    if not BOOK.over(p):
        same(p, twin(p, viewer, dice), viewer, dice)


@pytest.mark.rule("fotb", "0.2.e")
@pytest.mark.whole_game
@pytest.mark.parametrize("plan", ["crusade", "directives", "bucharest"])
def test_a_hidden_action_leaves_the_view_of_the_enemy_as_it_was(plan: str) -> None:
    """Units changed, filled in, transferred, levied: the enemy sees nothing, not even that a formation is left empty."""
    dice = random.Random(7)
    p = players.opening(BOOK, dice, plan)
    seen: Counter[str] = Counter()
    while not BOOK.over(p) and p.turn < 5:
        a = players.choose(BOOK, p, dice, plan)
        q = BOOK.play(p, a)
        pocket = isinstance(a, Transfer) and p.at[G.units.index[a.unit]] != G.land.places.inside
        if isinstance(a, Exchange | Fill | Transfer | Levy | Withdraw) and not pocket:
            seen["left empty"] += emptied(G, q, SIDES.index(a.by)) != emptied(G, p, SIDES.index(a.by))
            enemy = "west" if a.by == "axis" else "axis"
            but = ("agenda", "phase") if isinstance(a, Levy) else ()
            assert lines(p, enemy, but) == lines(q, enemy, but), a
            seen[type(a).__name__] += 1
        p = q
    assert seen["Fill"] and seen["Exchange"] and (seen["left empty"] or plan != "crusade"), seen


@pytest.mark.ruling("R-F135")
def test_with_three_seats_the_allies_hide_from_each_other_too() -> None:
    with playing("three-seats") as book:
        p = book.start()
        for side in SIDES:
            view = book.view(p, side)
            assert [s.known for s in view.sealed] == [name == side for name in SIDES]
    assert [s.known for s in BOOK.view(BOOK.start(), "west").sealed] == [True, True, False]
    assert [s.known for s in BOOK.view(BOOK.start(), "axis").sealed] == [False, False, True]
