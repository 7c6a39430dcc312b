"""2, 12.1, 12.3: the final phase: capitulations, the dice of paratroops, cards back, formations face up (R-F42)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from referee.games.overlord_to_berlin.actions import Restore
from referee.games.overlord_to_berlin.changes import empty_home, flip, put_gf, put_inside, put_outside, settle_control
from referee.games.overlord_to_berlin.interrupts import OpenStep
from referee.games.overlord_to_berlin.land import AXIS, SIDES, SOVIET, WEST
from referee.games.overlord_to_berlin.position import NOBODY, Pos, alter, members, popped, pushed, seal, set_byte, with_top
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.terms import Phase
from referee.games.overlord_to_berlin.throwing import throw
from referee.games.overlord_to_berlin.units import gfs_in, is_reduced, units_in
from referee.games.overlord_to_berlin.wrong import wrong_step
from referee.rules.model import Action, Frame, Reason, cite


def begin_capitulation(g: Setting, p: Pos, phase: Phase) -> Pos:
    """12.1: each country whose capital the Soviets hold uncontested leaves the war."""
    for nation in reversed([n for n in g.land.capital if falls(g, p, n)]):
        zone = g.land.capital[nation]
        p = capitulate(g, p, nation)
        if gfs_in(g, p, SOVIET, zone):
            p = pushed(p, Frame("liberation", (SIDES[SOVIET],), (zone, g.number("capitulation_steps"))))
    return p


def falls(g: Setting, p: Pos, nation: str) -> bool:
    """R-F119: the capital is controlled by the Soviets and holds no Axis formation; once for each country."""
    zone = g.land.capital[nation]
    return nation not in p.capitulated and p.control[zone] == SOVIET and not gfs_in(g, p, AXIS, zone)


def capitulate(g: Setting, p: Pos, nation: str) -> Pos:
    """R-F120: the units of the country go, wherever they are, and its formations; German units in these go to the Reserve."""
    removed, reserve = g.land.places.removed[AXIS], g.reserve(AXIS)
    for unit in members(g.units.of_side[AXIS]):
        if g.units.nation[unit] == nation and p.at[unit] != removed:
            p = put_outside(g, p, unit, removed)
    for gf in members(g.gfs.of_side[AXIS]):
        if g.gfs.nation[gf] == nation:
            for unit in units_in(g, p, gf):
                p = put_inside(g, p, unit, reserve, reduced=is_reduced(g, p, unit))
            p = put_gf(g, p, gf, removed)
    p = alter(p, capitulated=(*p.capitulated, nation))
    return settle_control(g, empty_home(g, p, AXIS))


class LiberationStep(OpenStep):
    """12.1, R-F121: the Soviets restore reduced infantry of their formations in the capital, as many as there are, up to two."""

    def judge_own(self, p: Pos, a: Action) -> Iterator[Reason]:
        """A reduced infantry unit there."""
        g = self.g
        if not isinstance(a, Restore):
            yield wrong_step(g, p, a)
            return
        unit = g.units.index[a.unit]
        called = ("unit", g.units.names[unit])
        if unit not in self._there(p):
            yield Reason("not-in-the-capital", cite("12.1.h R-F121"), (called, ("zone", self._zone(p))))
        if not g.units.infantry >> unit & 1:
            yield Reason("not-infantry", cite("12.1.h R-F121"), (called,))
        if not is_reduced(g, p, unit):
            yield Reason("unit-full", cite("12.1.i R-F121"), (called,))
        if a.track:
            yield Reason("nothing-paid", cite("12.1.h R-F121"), (called,))

    def apply_own(self, p: Pos, a: Action) -> Pos:
        """The unit is full. Steps that nobody takes are lost."""
        if not isinstance(a, Restore):
            return popped(p)
        zone, left = cast(tuple[int, int], p.frame.data)
        p = flip(self.g, p, self.g.units.index[a.unit], reduced=False)
        return with_top(p, Frame("liberation", p.frame.by, (zone, left - 1))) if left > 1 else popped(p)

    def choices_own(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every unit that could be restored."""
        for unit in self._there(p):
            a = Restore(SIDES[SOVIET], self.g.units.ids[unit])
            if about in (None, unit) and not any(True for _ in self.judge_own(p, a)):
                yield a

    def _there(self, p: Pos) -> list[int]:
        zone = cast(int, p.frame.data[0])
        return sorted(unit for gf in gfs_in(self.g, p, SOVIET, zone) for unit in units_in(self.g, p, gf))

    def _zone(self, p: Pos) -> str:
        return self.g.land.name(cast(int, p.frame.data[0]))


def begin_paratroop_dice(g: Setting, p: Pos, phase: Phase) -> Pos:
    """12.3: a die for each corps used this turn."""
    for corps in sorted(members(p.used_corps), reverse=True):
        p = throw(p, "paratroops", 1, WEST, (corps,))
    return p


def paratroops_thrown(g: Setting, p: Pos, faces: tuple[int, ...], ctx: tuple[int, ...]) -> Pos:
    """R-F114: half of the die, rounded up, is the number of turns until the corps can be used again."""
    turns = -(-faces[0] // g.number("paratroop_divisor"))
    corps = ctx[0]
    others = tuple(pair for pair in p.returns if pair[0] != corps)
    return alter(p, used_corps=p.used_corps & ~(1 << corps), returns=tuple(sorted((*others, (corps, p.turn + turns)))))


def begin_operationals_back(g: Setting, p: Pos, phase: Phase) -> Pos:
    """2, 11.3: operational stratagems go back, used or not; nationals stay (R-F45)."""
    side = phase.side
    p = seal(p, side, hand=p.sealed[side].hand & ~g.cards.operational, lent=0)
    return alter(p, held=(*p.held[:side], (p.held[side][0], 0), *p.held[side + 1 :]), used_cards=0)


def begin_formations_face_up(g: Setting, p: Pos, phase: Phase) -> Pos:
    """2: the formations of a side are face up again, and the duties of its event end (R-F42); with the last side the turn is over."""
    side = phase.side
    p = seal(p, side, spent=(0, 0, 0, 0), owed=(0, 0), credit=(), waiting=0, came=())
    for gf in members(g.gfs.of_side[side]):
        p = alter(p, pa=set_byte(p.pa, gf, 0), extra=set_byte(p.extra, gf, 0))
    p = alter(p, event=(*p.event[:side], 0, *p.event[side + 1 :]))
    return _turn_over(g, p) if side == AXIS else p


def _turn_over(g: Setting, p: Pos) -> Pos:
    """What was remembered of this turn is forgotten, the event of a side that has left the war too (R-F132)."""
    return alter(
        p,
        event=(0, 0, 0),
        fought=bytes(g.land.size),
        group=bytes([NOBODY] * len(g.gfs.ids)),
        acting=NOBODY,
        waiting=0,
        began_reserve=0,
        wall=0,
        landers=0,
        dropped=0,
        lent=False,
        croatia=False,
        returns=tuple(pair for pair in p.returns if pair[1] > p.turn + 1),
    )
