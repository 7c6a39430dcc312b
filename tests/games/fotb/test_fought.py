"""In the combats of games the engine comes to the sums, the order of fire and the losses of the second referee of ``fought``."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from referee.games.overlord_to_berlin import players
from referee.games.overlord_to_berlin.position import Combat, Pos, members
from referee.rules.model import Roll
from tests.games.fotb import fought
from tests.games.fotb.layout import BOOK, CARDS, UNITS, ZONES, lay, play, step, throw
from tests.games.fotb.test_enumerated import SIDES, names, table

LAID, READ = 3, 4
"""Stages of a combat: dice of the only or the first fire, those of the second."""


def fight(c: Combat) -> fought.Fight:
    """A combat in words."""
    one, other = ({CARDS[card] for card in members(laid)} for laid in c.cards)
    return fought.Fight(
        zone=ZONES[c.zone],
        sides=(SIDES[c.attacker], SIDES[c.defender]),
        attackers=names(c.attackers),
        supporters=names(c.supporters),
        defenders=names(c.defenders),
        landing=c.landing,
        offensive=c.offensive,
        free=c.free,
        cards=(one, other),
        corps=(c.drops[0].bit_count(), c.drops[1].bit_count()),
    )


def down(p: Pos) -> set[str]:
    """The units whose reduced side is up."""
    turned = p.reduced
    for own in p.sealed:
        turned |= own.reduced
    return {UNITS[unit] for unit in members(turned)}


def begun(p: Pos, q: Pos, met: Counter[str]) -> None:
    """A combat has begun: who fights, what is announced."""
    c = q.combat
    assert c is not None
    f, t = fight(c), table(q, "axis")
    assert set(f.defenders) == {gf for gf in fought.standing(t, (f.sides[1],), f.zone)}
    assert c.landing == (f.sides[0] == "west" and not c.free and bool(p.wall >> c.zone & 1))
    if not c.free:
        assert c.totals == fought.totals(t, down(q), f)
        assert c.elite == (fought.elite(t, f.attackers), fought.elite(t, f.defenders))
    met["combats"] += 1
    met["landings"] += c.landing


def read(p: Pos, q: Pos, met: Counter[str]) -> None:
    """Dice have been read: how many steps each takes, where anything is left to take them."""
    c, before = q.combat, p.combat
    assert c is not None and before is not None
    f, t = fight(before), table(p, "axis")
    for who in (0, 1):
        if before.dice[who] != c.dice[who]:
            bleeding = f.defenders if who == 0 else (*f.attackers, *f.supporters)
            wanted = fought.steps(t, f, who, before.totals[who], before.elite[who], c.dice[who])
            assert c.losses[1 - who] == (wanted if any(fought.holds(t, gf) for gf in bleeding) else 0)
            met["dice"] += 1
            met["cards"] += bool(f.cards[0] or f.cards[1])


def asked(p: Pos, q: Pos, met: Counter[str]) -> None:
    """Dice are asked for: whose they are, and what the second to fire has left."""
    c = q.combat
    assert c is not None
    f = fight(c)
    assert (c.order if c.order >= 0 else None) == (None if f.free else fought.first(f))
    if p.combat is not None and c.stage == READ and p.combat.stage == LAID:
        who = 1 - c.order
        assert c.totals[who] == fought.totals(table(q, "axis"), down(q), f)[who]
        met["second fires"] += 1


def followed(p: Pos, q: Pos, met: Counter[str]) -> None:
    """One action of a game, as far as it is about a combat."""
    if p.combat is None and q.combat is not None:
        begun(p, q, met)
    if p.combat is not None and q.combat is not None and p.combat.dice != q.combat.dice:
        read(p, q, met)
    if q.combat is not None and step(q) == "dice" and step(p) != "dice" and q.frame.data[0] in ("combat", "free-attack"):
        asked(p, q, met)
    if step(p) == "reroll" and p.frame.data[0] == "leave" and step(q) not in ("reroll", "reroll-die"):
        c = p.combat
        assert c is not None
        granted = fought.leave(p.frame.data[1][0], c.taken[1], p.sealed[c.defender].steps, p.fought[c.zone] > 1)  # type: ignore[index]
        assert granted == (step(q) == "retreat")
        met["leaves"] += 1


@pytest.mark.whole_game
@pytest.mark.parametrize("plan", ["counter", "rear", "beachhead"])
def test_engine_and_second_referee_fight_alike(plan: str) -> None:
    dice = random.Random(f"fought/{plan}")
    p = players.opening(BOOK, dice, plan)
    met: Counter[str] = Counter()
    for _ in range(5000):
        if BOOK.over(p):
            break
        q = BOOK.play(p, players.choose(BOOK, p, dice, plan))
        followed(p, q, met)
        p = q
    assert met["combats"] > 10 and met["dice"] > 20 and met["cards"] and met["leaves"], met


def test_a_loss_that_only_one_of_the_two_counts_would_be_found() -> None:
    """The comparison itself: a step more or less is told apart."""
    p = lay("soviet_action operations soviet", "so-balt1 37: so-2gda so-4shk / ax-4a 37: ax-12k ax-27k")
    p = play(p, "soviet attack so-balt1 @ 37", "soviet done", "soviet done", "axis done")
    rolled = BOOK.play(p, Roll("chance", "combat", (6, 1)))
    q = play(rolled, "soviet done")
    met: Counter[str] = Counter()
    read(rolled, q, met)
    assert met["dice"] == 2 and q.combat is not None and q.combat.losses[1] and throw(p, 6, 1) == q
    wrong = replace(q, combat=replace(q.combat, losses=(q.combat.losses[0], q.combat.losses[1] + 1)))
    with pytest.raises(AssertionError):
        read(rolled, wrong, met)
