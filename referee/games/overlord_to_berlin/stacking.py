"""7: how many formations a zone takes, how many units a formation, and what happens when a formation is left empty (9.8)."""

from __future__ import annotations

from collections.abc import Iterator

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
    """7.1, R-F80: zones in which a side has more formations than it may."""
    for zone in range(g.land.size):
        yield from too_many(g, side, zone, len(gfs_in(g, p, side, zone)), "zone-over-limit")


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
    """The unit in another display, its side up as before; the formation that it leaves goes to the Reserve when it was the last, and
    must wait there, as its owner sent it (9.8, R-F83, R-F88)."""
    before = display_of(g, p, unit)
    return left_empty(g, put_inside(g, p, unit, g.display(gf), reduced=is_reduced(g, p, unit)), before)


def left_empty(g: Setting, p: Pos, gf: int) -> Pos:
    """9.8, R-F83: a formation on the map whose owner has taken its last unit goes to the Reserve until the next turn."""
    if gf < 0 or not g.on_map(p, gf) or units_in(g, p, gf):
        return p
    return send_home(g, alter(p, waiting=p.waiting | 1 << gf), (gf,))
