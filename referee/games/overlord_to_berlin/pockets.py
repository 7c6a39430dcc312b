"""12.4: units that a formation of the Axis leaves in a port (R-F115, R-F116), and the dice that wear them down (R-F117)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from referee.games.overlord_to_berlin.actions import Pocket
from referee.games.overlord_to_berlin.changes import lose_step, put_outside
from referee.games.overlord_to_berlin.land import ALLIES, AXIS, SIDES, WEST
from referee.games.overlord_to_berlin.landings import mulberry_stands
from referee.games.overlord_to_berlin.phasing import PhasingStep
from referee.games.overlord_to_berlin.position import Pos, popped, pushed, with_top
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.stacking import display_of
from referee.games.overlord_to_berlin.terms import Phase
from referee.games.overlord_to_berlin.throwing import throw
from referee.games.overlord_to_berlin.units import gfs_in, is_reduced, units_in
from referee.rules.model import Action, Done, Frame, Reason, cite


def holds_pockets(g: Setting) -> int:
    """The zones where a pocket can be left: ports, or by the other reading of R-F115 any coast of the western seas."""
    return g.land.coast if g.terms.pocket_any_coast else g.land.atlantic


def leave_behind(g: Setting, p: Pos, gfs: list[int], zone: int) -> Pos:
    """A move of the Axis out of a port zone: each German formation may leave a unit there. Asked whatever the formations hold."""
    leaving = tuple(gf for gf in gfs if g.gfs.german >> gf & 1)
    if not leaving or not holds_pockets(g) >> zone & 1:
        return p
    return pushed(p, Frame("leave-behind", (SIDES[AXIS],), (zone, leaving)))


class LeaveBehindStep(PhasingStep):
    """One unit of each formation that has left, or none."""

    takes = (Pocket,)

    def judge_here(self, p: Pos, a: Action) -> Iterator[Reason]:
        """A German unit of one of these formations, which keeps another (R-F115)."""
        assert isinstance(a, Pocket)
        g = self.g
        zone, leaving = cast(tuple[int, tuple[int, ...]], p.frame.data)
        unit = g.units.index[a.unit]
        name = ("unit", g.units.names[unit])
        gf = display_of(g, p, unit)
        if gf not in leaving:
            yield Reason("not-leaving", cite("12.4.a R-F115"), (name, ("zone", g.land.name(zone))))
            return
        if not g.units.german >> unit & 1:
            yield Reason("pocket-is-german", cite("12.4.a R-F115"), (name,))
        if len(units_in(g, p, gf)) < 2:
            yield Reason("last-unit", cite("12.4.a R-F115"), (name, ("gf", g.gfs.names[gf])))

    def apply_own(self, p: Pos, a: Action) -> Pos:
        """The unit is a pocket, with the side up that it had; or nobody else stays."""
        g = self.g
        if isinstance(a, Done):
            return popped(p)
        assert isinstance(a, Pocket)
        zone, leaving = cast(tuple[int, tuple[int, ...]], p.frame.data)
        unit = g.units.index[a.unit]
        rest = tuple(gf for gf in leaving if gf != display_of(g, p, unit))
        q = put_outside(g, p, unit, zone, reduced=is_reduced(g, p, unit))
        return with_top(q, Frame("leave-behind", p.frame.by, (zone, rest))) if rest else popped(q)

    def choices_own(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every unit that may stay."""
        g = self.g
        leaving = cast(tuple[int, ...], p.frame.data[1])
        for unit in (u for gf in leaving for u in units_in(g, p, gf)):
            a = Pocket(p.frame.by[0], g.units.ids[unit])
            if about in (None, unit) and not any(True for _ in self.judge_here(p, a)):
                yield a


def begin(g: Setting, p: Pos, phase: Phase) -> Pos:
    """The end of the action phase of the West: where the Mulberry stands is settled (5.5), then one die for each pocket unit."""
    p = mulberry_stands(g, p)
    for unit in reversed([unit for unit, at in enumerate(p.at) if at < g.land.size]):
        if not spared(g, p, p.at[unit]):
            p = throw(p, "pocket", 1, WEST, (unit,))
    return p


def spared(g: Setting, p: Pos, zone: int) -> bool:
    """The other reading of R-F117: no die in a zone that the Axis controls while no Allied formation is there."""
    return g.terms.pocket_besieged and p.control[zone] == AXIS and not _besieged(g, p, zone)


def _besieged(g: Setting, p: Pos, zone: int) -> bool:
    return any(gfs_in(g, p, side, zone) for side in ALLIES)


def outcome(g: Setting, p: Pos, faces: tuple[int, ...], ctx: tuple[int, ...]) -> Pos:
    """12.4, R-F117: the unit loses a step on 5 or more, +1 once with an Allied formation in its zone."""
    (unit,) = ctx
    bonus = g.number("pocket_bonus") if _besieged(g, p, p.at[unit]) else 0
    return lose_step(g, p, unit) if faces[0] + bonus >= g.number("pocket_step") else p


