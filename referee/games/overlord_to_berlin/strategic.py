"""9.2: the strategic step, between the Strategic Reserve and the displays, both ways and in any order (R-F83 to R-F85)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.overlord_to_berlin.actions import Fill, Place, Recall, Withdraw
from referee.games.overlord_to_berlin.changes import put_gf, put_inside, settle_control
from referee.games.overlord_to_berlin.duties_of_events import strategic_begins, strategic_duties
from referee.games.overlord_to_berlin.phasing import DisplaysStep, begin_step
from referee.games.overlord_to_berlin.position import Pos, alter, members, seal
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.stacking import display_of, has_room, over_limit, staying
from referee.games.overlord_to_berlin.supply import friendly_for, supplied, takes_a_place
from referee.games.overlord_to_berlin.terms import Phase
from referee.games.overlord_to_berlin.units import gfs_in, is_reduced, loose, place_of, units_in
from referee.rules.model import Action, Reason, cite


def begin(g: Setting, p: Pos, phase: Phase) -> Pos:
    """Step 2 of an action phase; the Reserve is counted where an event asks for it (R-F128)."""
    return begin_step(strategic_begins(g, p), phase, "strategic")


class StrategicStep(DisplaysStep):
    """Units to and from displays, formations to the map."""

    takes = (Fill, Withdraw, Place, Recall)

    def judge_units(self, p: Pos, a: Action) -> Iterator[Reason]:
        """9.2."""
        if isinstance(a, Fill):
            yield from fill_reasons(self.g, p, a)
        elif isinstance(a, Withdraw):
            yield from withdraw_reasons(self.g, p, a)
        elif isinstance(a, Place):
            yield from _place_reasons(self.g, p, a)

    def apply_units(self, p: Pos, a: Action) -> Pos:
        """The unit or the formation at its new place."""
        g = self.g
        if isinstance(a, Fill):
            return filled(g, p, a)
        if isinstance(a, Withdraw):
            return withdrawn(g, p, a)
        assert isinstance(a, Place)
        return placed(g, p, g.gfs.index[a.gf], g.land.zone(a.to))

    def duties(self, p: Pos) -> Iterator[Reason]:
        """R-F80: zones and displays within their limits; what an event wants of the Reserve (PE.Axis.5, 9, 10), once the empty
        formations have left."""
        yield from self.crowded(p)
        yield from strategic_duties(self.g, self.at_end(p))

    def crowded(self, p: Pos) -> Iterator[Reason]:
        """Zones too."""
        yield from over_limit(self.g, p, self.side(p))
        yield from super().crowded(p)

    def choices_units(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Units into displays with room, units back, formations to zones with room; capacity and limits bind when the step ends, so
        more is legal."""
        g, by, side = self.g, p.frame.by[0], self.side(p)
        possible: list[Action] = list(fillings(g, p, side, by))
        possible += [Withdraw(by, g.units.ids[u]) for gf in members(g.gfs.of_side[side]) for u in units_in(g, p, gf)]
        for gf in gfs_in(g, p, side, g.reserve(side)):
            if units_in(g, p, gf):
                zones = [z for z in range(g.land.size) if len(staying(g, p, side, z)) < g.stacking(side, z)]
                possible += [Place(by, g.gfs.ids[gf], g.land.name(zone)) for zone in zones]
        for a in possible:
            if about in (None, *concerned(g, a)) and not any(True for _ in self.judge_units(p, a)):
                yield a


def concerned(g: Setting, a: Action) -> tuple[int, ...]:
    """The units and formations that an action names, as ``about`` numbers them."""
    unit, gf = getattr(a, "unit", ""), getattr(a, "gf", "")
    gfs = (*((gf,) if gf else ()), *getattr(a, "gfs", ()), *getattr(a, "supporters", ()))
    return (*((g.units.index[unit],) if unit else ()), *(len(g.units.ids) + g.gfs.index[name] for name in gfs))


def fillings(g: Setting, p: Pos, side: int, by: str) -> Iterator[Fill]:
    """Loose units of the Reserve into displays with room."""
    free = [u for u in loose(g, p, side) if not p.sealed[side].waiting >> u & 1]
    for gf in members(g.gfs.of_side[side]):
        if (g.on_map(p, gf) or p.gf_at[gf] == g.reserve(side)) and has_room(g, p, gf):
            yield from (Fill(by, g.units.ids[unit], g.gfs.ids[gf]) for unit in free)


def fill_reasons(g: Setting, p: Pos, a: Fill) -> Iterator[Reason]:
    """9.2: a unit of the Reserve that need not wait, into a formation in supply or in the Reserve."""
    unit, gf = g.units.index[a.unit], g.gfs.index[a.gf]
    side = g.units.side[unit]
    name, army = ("unit", g.units.names[unit]), ("gf", g.gfs.names[gf])
    if place_of(g, p, unit) != g.reserve(side):
        yield Reason("not-in-reserve", cite("9.2.a R-F83"), (name,))
    if p.sealed[side].waiting >> unit & 1:
        yield Reason("unit-waits", cite("9.2.c R-F83"), (name,))
    if not g.on_map(p, gf):
        if p.gf_at[gf] != g.reserve(side):
            yield Reason("gf-not-in-play", cite("9.2.a"), (army,))
    elif not supplied(g, p, gf):
        yield Reason("gf-cut-off", cite("9.2.a R-F34"), (army, name))


def filled(g: Setting, p: Pos, a: Fill) -> Pos:
    """The unit in the display."""
    unit = g.units.index[a.unit]
    return put_inside(g, p, unit, g.display(g.gfs.index[a.gf]), reduced=is_reduced(g, p, unit))


def withdraw_reasons(g: Setting, p: Pos, a: Withdraw) -> Iterator[Reason]:
    """9.2: a unit of a formation in supply or in the Reserve."""
    unit = g.units.index[a.unit]
    gf = display_of(g, p, unit)
    name = ("unit", g.units.names[unit])
    if gf < 0:
        yield Reason("unit-in-no-gf", cite("9.2.b"), (name,))
    elif not supplied(g, p, gf):
        yield Reason("leaves-cut-off", cite("9.2.b R-F34"), (name, ("gf", g.gfs.names[gf])))


def withdrawn(g: Setting, p: Pos, a: Withdraw) -> Pos:
    """The unit loose in the Reserve, where it waits if it came from the map (R-F83)."""
    unit = g.units.index[a.unit]
    side, gf = g.units.side[unit], display_of(g, p, unit)
    from_map = gf >= 0 and g.on_map(p, gf)
    p = put_inside(g, p, unit, g.reserve(side), reduced=is_reduced(g, p, unit))
    if from_map:
        p = seal(p, side, waiting=p.sealed[side].waiting | 1 << unit)
    return p


def _place_reasons(g: Setting, p: Pos, a: Place) -> Iterator[Reason]:
    """9.2, R-F84: a formation of the Reserve that holds a unit, on a zone that is friendly for it once it stands there."""
    gf, zone = g.gfs.index[a.gf], g.land.zone(a.to)
    side = g.gfs.side[gf]
    army, where = ("gf", g.gfs.names[gf]), ("zone", a.to)
    if p.gf_at[gf] != g.reserve(side):
        yield Reason("gf-not-in-reserve", cite("9.2.e R-F84"), (army,))
    if p.waiting >> gf & 1:
        yield Reason("gf-waits", cite("9.2.c R-F83"), (army,))
    if not units_in(g, p, gf):
        yield Reason("gf-empty", cite("9.2.f R-F84"), (army,))
    after = placed(g, p, gf, zone)
    if p.control[zone] != side or not friendly_for(g, after, gf) >> zone & 1 or takes_a_place(g, p, after, (gf,)):
        yield Reason("zone-not-friendly", cite("9.2.e R-F84"), (army, where))


def placed(g: Setting, p: Pos, gf: int, zone: int) -> Pos:
    """The formation in the zone; it is none of the Reserve any more."""
    return settle_control(g, alter(put_gf(g, p, gf, zone), began_reserve=p.began_reserve & ~(1 << gf)))
