"""9.5, 9.7: formations of the western Reserve land on a coast or arrive in a port (R-F95 to R-F101); the landing in Croatia that an
event orders (PE.West.9, R-F124); the Mulberry (5.5, R-F70).

A formation is filled in the Reserve before it sails. Its first PA brings it, its second costs no PR and serves any purpose.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from referee.games.overlord_to_berlin import points
from referee.games.overlord_to_berlin.actions import Fill, Land, Sail, Withdraw
from referee.games.overlord_to_berlin.cancel import Declared, declare
from referee.games.overlord_to_berlin.changes import put_gf, settle_control
from referee.games.overlord_to_berlin.duties_of_events import croatia_allows
from referee.games.overlord_to_berlin.land import ALLIES, SIDES, WEST
from referee.games.overlord_to_berlin.position import NOBODY, Pos, alter, members, set_byte
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.stacking import has_room, too_many
from referee.games.overlord_to_berlin.strategic import fill_reasons, fillings
from referee.games.overlord_to_berlin.supply import ground
from referee.games.overlord_to_berlin.units import gfs_in, units_in
from referee.rules.model import Action, Reason, cite

CROATIA = "21"
"""Where PE.West.9 lands, besides the landing of the turn."""


def judge(g: Setting, p: Pos, a: Action) -> Iterator[Reason]:
    """Every reason against a landing, an arrival, or the filling of a formation that is to sail."""
    if isinstance(a, Land):
        yield from _land_reasons(g, p, a)
    elif isinstance(a, Sail):
        yield from _sail_reasons(g, p, a)
    elif isinstance(a, Fill):
        gf = g.gfs.index[a.gf]
        yield from fill_reasons(g, p, a)
        yield from _may_load(g, p, gf)
        if not has_room(g, p, gf):
            yield Reason("gf-full", cite("9.7.b R-F80"), (("gf", g.gfs.names[gf]), ("unit", g.units.names[g.units.index[a.unit]])))
    elif isinstance(a, Withdraw):
        unit = g.units.index[a.unit]
        if not any(unit in units_in(g, p, gf) for gf in gfs_in(g, p, WEST, g.reserve(WEST)) if waits_to_sail(g, p, gf)):
            yield Reason("unit-not-for-sea", cite("9.7.b R-F101"), (("unit", g.units.names[unit]),))


def _may_load(g: Setting, p: Pos, gf: int) -> Iterator[Reason]:
    """In the operational step only a formation that may yet sail is filled (9.7)."""
    if not waits_to_sail(g, p, gf):
        yield Reason("not-for-sea", cite("9.7.b R-F101"), (("gf", g.gfs.names[gf]),))


def waits_to_sail(g: Setting, p: Pos, gf: int) -> bool:
    """A western formation of the Reserve that has been there since the phase began (R-F101)."""
    return g.gfs.side[gf] == WEST and p.gf_at[gf] == g.reserve(WEST) and bool(p.began_reserve >> gf & 1)


def landing_made(g: Setting, p: Pos) -> bool:
    """Whether the landing of this turn has taken place (R-F95)."""
    return len(p.landings) > p.turn - g.terms.first_turn


def by_event(g: Setting, p: Pos, gfs: list[int], zone: int) -> bool:
    """Whether a landing is that of PE.West.9: one formation in Croatia, while the event wants it (R-F124)."""
    return len(gfs) == 1 and zone == g.land.zone(CROATIA) and croatia_allows(g, p, gfs[0])


def _land_reasons(g: Setting, p: Pos, a: Land) -> Iterator[Reason]:
    """9.5, R-F95 to R-F97, R-F124."""
    gfs, zone = [g.gfs.index[name] for name in a.gfs], g.land.zone(a.to)
    where = ("zone", a.to)
    if any(g.gfs.side[gf] != WEST for gf in gfs):
        yield Reason("west-alone-sails", cite("9.5.a"), (("by", a.by),))
        return
    ordered = by_event(g, p, gfs, zone)
    if not ordered:
        if p.turn not in g.charts.landing_turns:
            yield Reason("no-landing-turn", cite("9.5.a R-F95"), (("turn", str(p.turn)),))
        elif landing_made(g, p):
            yield Reason("landed-already", cite("9.5.a R-F95"), (("turn", str(p.turn)),))
        yield from (_not_from_reserve(g, gf, "9.5.c R-F96") for gf in gfs if not waits_to_sail(g, p, gf))
    limit, arrow = g.land.landing[zone], (f"zones {a.to} landing_limit",)
    if not limit:
        yield Reason("no-arrow", cite("9.5.b R-F96"), (where,), arrow)
    elif len(gfs) > limit:
        yield Reason("too-many-land", cite("9.5.c R-F96", "7.1.d"), (where, ("limit", str(limit))), arrow)
    if p.control[zone] in ALLIES or any(gfs_in(g, p, side, zone) for side in ALLIES):
        yield Reason("ashore-already", cite("9.5.b R-F96"), (where,))
    yield from _crossing_reasons(g, p, gfs, zone)


def _not_from_reserve(g: Setting, gf: int, where: str) -> Reason:
    return Reason("not-from-reserve", cite(where), (("gf", g.gfs.names[gf]),))


def _crossing_reasons(g: Setting, p: Pos, gfs: list[int], zone: int) -> Iterator[Reason]:
    """9.8, 9.5, 9.7: it holds a unit, and has a PA to come."""
    for gf in gfs:
        if not units_in(g, p, gf):
            yield Reason("gf-empty", cite("9.7.b R-F27"), (("gf", g.gfs.names[gf]),))
    yield from points.against(g, p, _plan(g, p, gfs, zone))


def _plan(g: Setting, p: Pos, gfs: list[int], zone: int) -> points.Plan:
    return points.plan(g, p, tuple(gfs), 1, (), purpose=points.BY_WATER, zone=zone)


def _sail_reasons(g: Setting, p: Pos, a: Sail) -> Iterator[Reason]:
    """9.7, R-F101: a port that is friendly, or contested with own formations, and not full."""
    gf, zone = g.gfs.index[a.gf], g.land.zone(a.to)
    where = ("zone", a.to)
    if g.gfs.side[gf] != WEST:
        yield Reason("west-alone-sails", cite("9.7.a"), (("by", a.by),))
        return
    if not waits_to_sail(g, p, gf):
        yield _not_from_reserve(g, gf, "9.7.a R-F101")
    if not g.land.ports >> zone & 1:
        yield Reason("no-port", cite("9.7.a R-F101"), (where,))
    here = ground(g, p, WEST)
    if not (here.own | here.contested) >> zone & 1:
        yield Reason("port-closed", cite("9.7.a R-F101"), (where,))
    yield from too_many(g, WEST, zone, len({*gfs_in(g, p, WEST, zone), gf}), "zone-full")
    yield from _crossing_reasons(g, p, [gf], zone)


def declared(g: Setting, p: Pos, a: Land | Sail) -> Pos:
    """The window opens. Those that come from the Reserve together are a group from now on, any other is one of its own (R-F90, R-F101);
    who comes from Italy (PE.West.9) is still of the group with which it began the step."""
    gfs = [g.gfs.index[name] for name in (a.gfs if isinstance(a, Land) else (a.gf,))]
    zone = g.land.zone(a.to)
    verb = "sail" if isinstance(a, Sail) else "croatia" if by_event(g, p, gfs, zone) else "land"
    group, own = p.group, g.land.size + min(gfs) + (len(g.gfs.ids) if len(gfs) > 1 else 0)
    for gf in gfs:
        group = group if g.on_map(p, gf) else set_byte(group, gf, own)
    return declare(alter(p, group=group), WEST, Declared(verb, _plan(g, p, gfs, zone)))


def carry_land(g: Setting, p: Pos, declared: Declared, stopped: tuple[int, ...]) -> Pos:
    """9.5: the formations that were not stopped are ashore; the landing of the turn is made."""
    before = (*p.landings, *[NOBODY] * (p.turn - g.terms.first_turn))[: p.turn - g.terms.first_turn]
    return _ashore(g, alter(p, landings=(*before, declared.plan.zone)), declared, stopped)


def carry_croatia(g: Setting, p: Pos, declared: Declared, stopped: tuple[int, ...]) -> Pos:
    """PE.West.9: as a landing, besides that of the turn (R-F124)."""
    return _ashore(g, alter(p, croatia=True), declared, stopped)


def _ashore(g: Setting, p: Pos, declared: Declared, stopped: tuple[int, ...]) -> Pos:
    """R-F99: the first combat of the West in the zone in this phase will be the landing combat."""
    landed = sum(1 << gf for gf in declared.plan.gfs if gf not in stopped)
    return carry_sail(g, alter(p, wall=p.wall | 1 << declared.plan.zone, landers=p.landers | landed), declared, stopped)


def carry_sail(g: Setting, p: Pos, declared: Declared, stopped: tuple[int, ...]) -> Pos:
    """9.7: the formation is in the zone, and in the Reserve no more."""
    for gf in declared.plan.gfs:
        if gf not in stopped:
            p = put_gf(g, alter(p, began_reserve=p.began_reserve & ~(1 << gf)), gf, declared.plan.zone)
    return settle_control(g, p)


def possible(g: Setting, p: Pos, side: int, by: str) -> Iterator[Action]:
    """What could be tried of this chapter: landings by one or two formations, arrivals, the filling of those that wait to sail."""
    if side != WEST:
        return
    ready = [gf for gf in members(g.gfs.of_side[WEST]) if waits_to_sail(g, p, gf)]
    full = [gf for gf in ready if units_in(g, p, gf)]
    coasts = [zone for zone in range(g.land.size) if g.land.landing[zone]]
    event = [gf for gf in members(g.gfs.of_side[WEST]) if g.on_map(p, gf) and croatia_allows(g, p, gf)]
    for gfs in (*combinations([*full, *event], 1), *combinations(full, 2)):
        names = tuple(sorted(g.gfs.ids[gf] for gf in gfs))
        yield from (Land(SIDES[WEST], names, g.land.name(zone)) for zone in coasts)
    for gf in full:
        yield from (Sail(by, g.gfs.ids[gf], g.land.name(zone)) for zone in members(g.land.ports))
    yield from (a for a in fillings(g, p, WEST, by) if g.gfs.index[a.gf] in ready)
    yield from (Withdraw(by, g.units.ids[unit]) for gf in ready for unit in units_in(g, p, gf))


def mulberry_stands(g: Setting, p: Pos) -> Pos:
    """5.5, R-F70: at the end of the phase of the West, the first landing zone in which its formations still stand is that of the
    Mulberry; it pays as long as they stay without a break."""
    turn = p.turn - g.terms.first_turn
    zone = p.landings[turn] if len(p.landings) > turn else NOBODY
    if p.mulberry_gone or zone == NOBODY or not gfs_in(g, p, WEST, zone):
        return p
    return alter(p, mulberry=zone, mulberry_gone=True)
