"""7: how many formations a zone takes, how many units a formation, and what happens when a formation is left empty (9.8).

Units are put from display to display in any order and limits bind when a step ends (R-F80): so a formation that holds no unit for a
moment stays where it stands until then, or until its owner sends it home himself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.games.overlord_to_berlin.actions import Recall
from referee.games.overlord_to_berlin.changes import put_inside, send_home
from referee.games.overlord_to_berlin.position import Pos, alter, members
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.units import gfs_in, is_reduced, units_in
from referee.rules.model import Reason, cite


def display_of(g: Setting, p: Pos, unit: int) -> int:
    """The formation in whose display a unit lies, -1 if in none (or if the position does not show it)."""
    own = p.sealed[g.units.side[unit]]
    gf = own.at[unit] - g.land.places.display if own.known else -1
    return gf if 0 <= gf < len(g.gfs.ids) else -1


def has_room(g: Setting, p: Pos, gf: int) -> bool:
    """Whether one more unit fits into a display; a reduced unit takes a whole place (7.2, R-F82)."""
    return len(units_in(g, p, gf)) < g.gfs.capacity[gf]


def over_capacity(g: Setting, p: Pos, side: int) -> Iterator[Reason]:
    """7.2, R-F80: displays of a side that hold more units than they may."""
    for gf in members(g.gfs.of_side[side]):
        held = len(units_in(g, p, gf))
        if held > g.gfs.capacity[gf]:
            facts = (("gf", g.gfs.names[gf]), ("units", str(held)), ("capacity", str(g.gfs.capacity[gf])))
            yield Reason("over-capacity", cite("7.2.d R-F80"), facts, (f"formations {g.gfs.ids[gf]} capacity",))


def over_limit(g: Setting, p: Pos, side: int) -> Iterator[Reason]:
    """7.1, R-F80: zones in which a side has more formations than it may; those that hold no unit leave when the step ends (9.8)."""
    for zone in range(g.land.size):
        yield from too_many(g, side, zone, len(staying(g, p, side, zone)), "zone-over-limit")


def too_many(g: Setting, side: int, zone: int, count: int, code: str) -> Iterator[Reason]:
    """7.1: that so many formations of a side are too many for a zone."""
    limit = g.stacking(side, zone)
    if count > limit:
        alps = g.land.alps >> zone & 1
        paragraph = "7.1.c" if alps else "7.1.b" if side == 0 else "7.1.a"
        facts = (("zone", g.land.name(zone)), ("count", str(count)), ("limit", str(limit)))
        basis = (f"zones {g.land.name(zone)} terrain",) if alps and not g.land.terrain_certain >> zone & 1 else ()
        yield Reason(code, cite(f"{paragraph} R-F80"), facts, basis)


def shifted(g: Setting, p: Pos, unit: int, gf: int) -> Pos:
    """The unit in another display, its side up as before."""
    return put_inside(g, p, unit, g.display(gf), reduced=is_reduced(g, p, unit))


def emptied(g: Setting, p: Pos, side: int) -> tuple[int, ...]:
    """The formations of a side on the map that hold no unit; none if the position does not show what they hold."""
    if not p.sealed[side].known:
        return ()
    return tuple(gf for gf in members(g.gfs.of_side[side]) if g.on_map(p, gf) and not units_in(g, p, gf))


def staying(g: Setting, p: Pos, side: int, zone: int) -> tuple[int, ...]:
    """The formations of a side in a zone that hold a unit, as far as the position shows it."""
    gone = emptied(g, p, side)
    return tuple(gf for gf in gfs_in(g, p, side, zone) if gf not in gone)


def sent_home(g: Setting, p: Pos, gfs: Sequence[int]) -> Pos:
    """9.8, R-F83: formations that their owner has emptied go to the Reserve, and wait there until the next turn."""
    return send_home(g, alter(p, waiting=p.waiting | sum(1 << gf for gf in gfs)), gfs) if gfs else p


def recall_reasons(g: Setting, p: Pos, a: Recall) -> Iterator[Reason]:
    """9.8, R-F85: before the step ends its owner may send home a formation on the map that holds no unit."""
    gf = g.gfs.index[a.gf]
    facts = (("gf", g.gfs.names[gf]),)
    if not g.on_map(p, gf):
        yield Reason("gf-not-on-map", cite("9.2.b R-F85"), facts)
    if units_in(g, p, gf):
        yield Reason("gf-holds-units", cite("9.2.b R-F85"), facts)
