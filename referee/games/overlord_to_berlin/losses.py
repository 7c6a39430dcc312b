"""10.3: losses, chosen by turns; who bleeds (10.2), the elite that goes first (10.9), what is out of supply (6.3).

Frame ``loss``: data ``(who, gf)``: 0 for the attacker's losses and 1 for the defender's; the formation that must take a second step of
the same loss (R-F37), -1 = none. Whoever chooses is named by the frame. The enemy chooses among the units that are shown (R-F102).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from msgspec.structs import replace

from referee.games.overlord_to_berlin.actions import Lose
from referee.games.overlord_to_berlin.changes import lose_step, place_shown
from referee.games.overlord_to_berlin.interrupts import OpenStep
from referee.games.overlord_to_berlin.land import SIDES
from referee.games.overlord_to_berlin.odds import ATTACKER, DEFENDER, loss_by_loss, with_at
from referee.games.overlord_to_berlin.position import Combat, Pos, alter, members, popped, pushed, with_top
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.units import units_in
from referee.rules.model import Action, Frame, Reason, cite

NONE = -1
"""No formation."""


def tiers(c: Combat, who: int) -> tuple[int, ...]:
    """Who bleeds, the later only when the earlier have no step left: every defender alike; the attackers, then supporters (10.2,
    R-F104)."""
    return (c.defenders,) if who == DEFENDER else (c.attackers, c.supporters)


def owner_of(c: Combat, who: int) -> int:
    """The side whose losses they are."""
    return c.defender if who == DEFENDER else c.attacker


def begin(g: Setting, p: Pos, who: int) -> Pos:
    """The losses of one side are to be chosen."""
    c = _running(p)
    p = alter(p, combat=replace(c, chosen=0))
    return asked(g, pushed(p, Frame("loss", (), (who, NONE))), who)


def _running(p: Pos) -> Combat:
    assert p.combat is not None
    return p.combat


def asked(g: Setting, p: Pos, who: int) -> Pos:
    """The frame on top for the next loss, or gone when all are taken or nothing is left to lose (R-F104). On the whole position."""
    c = _running(p)
    open_ = next((tier for tier in tiers(c, who) if any(units_in(g, p, gf) for gf in members(tier))), 0)
    if not c.losses[who] or not open_:
        return alter(popped(p), combat=replace(c, losses=with_at(c.losses, who, 0), chosen=0))
    owner = owner_of(c, who)
    chooser = owner if c.chosen % 2 == 0 else c.attacker + c.defender - owner
    if chooser != owner:
        p = place_shown(g, p, members(open_))
    return with_top(p, Frame("loss", (SIDES[chooser],), (who, NONE)))


def _asks(p: Pos) -> tuple[int, int]:
    return cast(tuple[int, int], p.frame.data)


def bleeders(g: Setting, p: Pos, who: int) -> dict[int, int]:
    """Unit -> its formation, of those that can take the next loss, elites not regarded: known to the owner, shown to the enemy."""
    c = _running(p)
    for tier in tiers(c, who):
        found = _units_of(g, p, owner_of(c, who), tier)
        if found:
            return found
    return {}


def _units_of(g: Setting, p: Pos, owner: int, gfs: int) -> dict[int, int]:
    if p.sealed[owner].known:
        return {u: gf for gf in members(gfs) for u in units_in(g, p, gf)}
    return {u: gf for u, gf, _ in p.shown if gfs >> gf & 1}


def bound_elites(g: Setting, p: Pos, who: int) -> int:
    """10.3, 10.9, R-F12: the elites of the attacking formations, one of which takes the first loss of the attacker."""
    c = _running(p)
    if who != ATTACKER or c.chosen or not c.elite[ATTACKER]:
        return 0
    return sum(1 << u for u in bleeders(g, p, who) if g.units.elite >> u & 1)


class LossStep(OpenStep):
    """One loss after the other, the owner's choice first, then the enemy's (10.3)."""

    def judge_own(self, p: Pos, a: Action) -> Iterator[Reason]:
        """A unit of the formations that bleed now."""
        g, c = self.g, _running(p)
        who, again = _asks(p)
        if not isinstance(a, Lose):
            yield Reason("loss-awaited", cite("10.3.a R-F104"), (("action", str(a)),))
            return
        unit = g.units.index[a.unit]
        facts = (("unit", g.units.names[unit]),)
        owner = owner_of(c, who)
        everybody: dict[int, int] = {}
        for tier in tiers(c, who):
            everybody |= _units_of(g, p, owner, tier)
        if unit not in everybody:
            yield Reason("not-in-combat", cite("10.2.e R-F104"), facts)
            return
        if unit not in bleeders(g, p, who):
            yield Reason("attacker-bleeds-first", cite("10.2.e R-F104"), facts)
        if again != NONE:
            if everybody[unit] != again:
                yield Reason("second-step-same-gf", cite("6.3.c R-F37"), (*facts, ("gf", g.gfs.names[again])))
            return
        elites = bound_elites(g, p, who)
        if elites and not elites >> unit & 1:
            yield Reason("elite-first", cite("10.3.c R-F12", "10.9.b R-F12"), facts)

    def apply_own(self, p: Pos, a: Action) -> Pos:
        """The unit loses a step, and is seen with it (R-F102)."""
        assert isinstance(a, Lose)
        g, c = self.g, _running(p)
        who, again = _asks(p)
        unit = g.units.index[a.unit]
        gf = p.sealed[owner_of(c, who)].at[unit] - g.land.places.display
        p = lose_step(g, p, unit)
        if p.at[unit] == g.land.places.inside and all(u != unit for u, _, _ in p.shown):
            p = alter(p, shown=tuple(sorted((*p.shown, (unit, gf, 1)))))
        c = replace(c, taken=with_at(c.taken, who, c.taken[who] + 1))
        if again == NONE:
            c = replace(c, losses=with_at(c.losses, who, c.losses[who] - 1), chosen=c.chosen + 1)
        p = alter(p, combat=c)
        if again == NONE and loss_by_loss(g, p, c, who) >> gf & 1 and units_in(g, p, gf):
            shown = p if p.frame.by[0] == SIDES[owner_of(c, who)] else place_shown(g, p, (gf,))
            return with_top(shown, Frame("loss", p.frame.by, (who, gf)))
        return asked(g, p, who)

    def choices_own(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every unit that may be chosen."""
        who, _ = _asks(p)
        possible = (Lose(p.frame.by[0], self.g.units.ids[u]) for u in sorted(bleeders(self.g, p, who)) if about in (None, u))
        yield from self.lawful(p, possible)

    def duties(self, p: Pos) -> Iterator[Reason]:
        """The losses must be taken."""
        yield Reason("loss-owed", cite("10.3.a R-F104"))
