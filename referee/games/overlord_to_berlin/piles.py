"""4.4, 4.5, 5.4, 12.1: what comes back by itself: a third of each pile, Romanians and Hungarians, the Volkssturm, western units in the
Reserve."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from referee.games.overlord_to_berlin.actions import Levy, Return, ToBox
from referee.games.overlord_to_berlin.changes import flip, put_inside, put_outside
from referee.games.overlord_to_berlin.duties_of_events import in_reserve
from referee.games.overlord_to_berlin.interrupts import OpenStep
from referee.games.overlord_to_berlin.land import AXIS, SIDES, WEST, bits
from referee.games.overlord_to_berlin.position import Pos, members, popped, pushed, with_top
from referee.games.overlord_to_berlin.roster import CLASSES
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.terms import Phase
from referee.games.overlord_to_berlin.units import gfs_in, in_pile, is_reduced, units_in, zones_of
from referee.games.overlord_to_berlin.wrong import wrong_step
from referee.rules.model import Action, Frame, Reason, cite


def begin(g: Setting, p: Pos, phase: Phase) -> Pos:
    """R-F40: the piles, infantry first, then what needs no choice, then the Volkssturm."""
    side = phase.side
    p = pushed(p, Frame("automatic", (SIDES[side],), (side,)))
    for which in reversed(range(len(g.land.places.piles[side]))):
        back, out = split(g, p, side, which)
        if back or out:
            p = pushed(p, Frame("pile", (SIDES[side],), (side, which, back, out)))
    return p


def split(g: Setting, p: Pos, side: int, which: int) -> tuple[int, int]:
    """How many units of a pile return reduced, and how many go to the box (4.5, R-F73). Below three nothing moves; elites count, but
    never return: the places that they leave go to the box."""
    units = tuple(in_pile(g, p, g.land.places.piles[side][which]))
    least = g.number("pile_minimum")
    if len(units) < least:
        return 0, 0
    back = len(units) * g.number("pile_back_of_three") // least
    out = len(units) * g.number("pile_out_of_three") // least
    may_return = sum(1 for unit in units if not g.units.elite >> unit & 1)
    return min(back, may_return), out + max(0, back - may_return)


class PileStep(OpenStep):
    """The owner picks who returns, and who goes to the box (4.5)."""

    def settle(self, p: Pos) -> Pos | None:
        """Waits; what a stratagem has taken out of the pile meanwhile is no more asked for (R-F73)."""
        g = self.g
        side, which, back, out = cast(tuple[int, int, int, int], p.frame.data)
        units = self._units(p)
        can = min(back, sum(1 for unit in units if not g.units.elite >> unit & 1))
        rest = min(out + back - can, len(units) - can)
        if (can, rest) == (back, out):
            return None
        return with_top(p, Frame("pile", p.frame.by, (side, which, can, rest))) if can or rest else popped(p)

    def judge_own(self, p: Pos, a: Action) -> Iterator[Reason]:
        """A unit of this pile, as many each way as the third wants."""
        g = self.g
        _, which, back, out = cast(tuple[int, int, int, int], p.frame.data)
        if not isinstance(a, Return | ToBox):
            yield wrong_step(g, p, a)
            return
        unit = g.units.index[a.unit]
        units = self._units(p)
        called = ("unit", g.units.names[unit])
        if unit not in units:
            yield Reason("not-in-the-pile", cite("4.5.a R-F73"), (called, ("pile", CLASSES[which])))
        if isinstance(a, Return):
            if g.units.elite >> unit & 1:
                yield Reason("elite-not-free", cite("4.5.j R-F73"), (called,))
            if not back:
                yield Reason("third-returned", cite("4.5.c R-F73"), (called,))
        else:
            if not out:
                yield Reason("box-served", cite("4.5.e R-F73"), (called,))
            others = [u for u in units if u != unit and not g.units.elite >> u & 1]
            if len(others) < back:
                yield Reason("needed-for-return", cite("4.5.c R-F73"), (called, ("back", str(back))))

    def apply_own(self, p: Pos, a: Action) -> Pos:
        """The unit is in the Reserve, reduced, or in the box."""
        g = self.g
        side, which, back, out = cast(tuple[int, int, int, int], p.frame.data)
        if isinstance(a, Return):
            p = put_inside(g, p, g.units.index[a.unit], g.reserve(side), reduced=True)
            back -= 1
        elif isinstance(a, ToBox):
            p = put_outside(g, p, g.units.index[a.unit], g.land.places.destroyed[side])
            out -= 1
        else:
            return popped(p)
        return with_top(p, Frame("pile", p.frame.by, (side, which, back, out))) if back or out else popped(p)

    def choices_own(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Those who can return, then those who can go to the box."""
        by = p.frame.by[0]
        for make in (Return, ToBox):
            for unit in self._units(p):
                a = make(by, self.g.units.ids[unit])
                if about in (None, unit) and not any(True for _ in self.judge_own(p, a)):
                    yield a

    def duties(self, p: Pos) -> Iterator[Reason]:
        """The third is not optional."""
        _, which, back, out = cast(tuple[int, int, int, int], p.frame.data)
        yield Reason("pile-waits", cite("4.5.c R-F73"), (("pile", CLASSES[which]), ("back", str(back)), ("out", str(out))))

    def _units(self, p: Pos) -> tuple[int, ...]:
        side, which = cast(tuple[int, int], p.frame.data[:2])
        return tuple(in_pile(self.g, p, self.g.land.places.piles[side][which]))


class AutomaticStep(OpenStep):
    """What needs no choice, once the piles are done."""

    def settle(self, p: Pos) -> Pos | None:
        """West: the Reserve restored. Axis: Romanians and Hungarians, then the Volkssturm is asked."""
        side = cast(int, p.frame.data[0])
        p = popped(p)
        if side == WEST:
            return restored_reserve(self.g, p)
        return _ask_levy(self.g, minors_back(self.g, p)) if side == AXIS else p


def restored_reserve(g: Setting, p: Pos) -> Pos:
    """5.4, R-F79: all western units in the Reserve, loose or in a formation there, are full."""
    for unit in tuple(in_reserve(g, p, WEST)):
        p = flip(g, p, unit, reduced=False)
    return p


def minors_back(g: Setting, p: Pos) -> Pos:
    """12.1, R-F74: reduced Romanians and Hungarians are restored wherever they are, destroyed ones full in the Reserve."""
    own = p.sealed[AXIS]
    for unit in members(g.units.minor):
        if p.at[unit] == g.land.places.destroyed[AXIS]:
            p = put_inside(g, p, unit, g.reserve(AXIS), reduced=False)
        elif own.reduced >> unit & 1:
            p = flip(g, p, unit, reduced=False)
    return p


def _ask_levy(g: Setting, p: Pos) -> Pos:
    """4.4: a step for each Axis formation in a contested zone of the Vaterland, in supply or not (R-F75)."""
    contested = g.land.vaterland & zones_of(g, p, AXIS) & (zones_of(g, p, WEST) | zones_of(g, p, SIDES.index("soviet")))
    gfs = tuple(gf for zone in bits(contested) for gf in gfs_in(g, p, AXIS, zone))
    return pushed(p, Frame("levy", (SIDES[AXIS],), (gfs * g.number("volkssturm_steps"),))) if gfs else p


class LevyStep(OpenStep):
    """The Axis picks a reduced infantry unit of each such formation, or none; asked whatever they hold."""

    def judge_own(self, p: Pos, a: Action) -> Iterator[Reason]:
        """A reduced infantry unit of a formation whose step is not taken."""
        g = self.g
        if not isinstance(a, Levy):
            yield wrong_step(g, p, a)
            return
        unit = g.units.index[a.unit]
        called = ("unit", g.units.names[unit])
        if self._gf(p, unit) not in self._left(p):
            yield Reason("no-volkssturm-there", cite("4.4.a R-F75"), (called,))
        if not g.units.infantry >> unit & 1:
            yield Reason("not-infantry", cite("4.4.a R-F75"), (called,))
        if not is_reduced(g, p, unit):
            yield Reason("unit-full", cite("4.4.b R-F75"), (called,))

    def apply_own(self, p: Pos, a: Action) -> Pos:
        """The unit is full; the formation has had its step. Steps not taken are lost."""
        if not isinstance(a, Levy):
            return popped(p)
        unit = self.g.units.index[a.unit]
        left = list(self._left(p))
        left.remove(self._gf(p, unit))
        p = with_top(p, Frame("levy", p.frame.by, (tuple(left),))) if left else popped(p)
        return flip(self.g, p, unit, reduced=False)

    def choices_own(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every unit that could have a step."""
        for gf in sorted(set(self._left(p))):
            for unit in units_in(self.g, p, gf):
                a = Levy(p.frame.by[0], self.g.units.ids[unit])
                if about in (None, unit) and not any(True for _ in self.judge_own(p, a)):
                    yield a

    def _left(self, p: Pos) -> tuple[int, ...]:
        return cast(tuple[int, ...], p.frame.data[0])

    def _gf(self, p: Pos, unit: int) -> int:
        """The formation in whose display an Axis unit lies; a number of none when it lies elsewhere."""
        return p.sealed[AXIS].at[unit] - self.g.land.places.display
