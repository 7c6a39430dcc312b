"""4.0 Zones of control, and 5.0's ban on hexes held by others: tables of where a force is stopped and where it is shut out."""

from __future__ import annotations

from functools import reduce
from operator import or_

from referee.games.battle_for_germany.position import Ground, board, each_place_of, places_of
from referee.games.battle_for_germany.setting import Setting
from referee.games.battle_for_germany.state import Pos


def enemy_zoc(g: Setting, p: Pos, force: int) -> bytes:
    """Per node 1 where an enemy of ``force`` has a ZOC (4.0.p1, 4.0.a, 4.0.d; enemies: R-G22).

    Always exerted (4.0.a), over river, boundary and border alike (R-G5, R-G27), not over lake, sea, blocked or Swiss sides.
    """
    ground = board(p, g.land).ground(force)
    return ground.zoc or _zoc(g, p, force, ground)


def _zoc(g: Setting, p: Pos, force: int, ground: Ground) -> bytes:
    reached = reduce(or_, map(g.land.around.__getitem__, enemies_at(g, p, force)), 0)  # a box is next to nothing
    ground.zoc = reached.to_bytes(len(g.land.names), "little")
    return ground.zoc


def in_enemy_zoc(g: Setting, p: Pos, force: int, node: int) -> bool:
    """``enemy_zoc`` of one hex, where the rest of the map is not asked for."""
    here, foes = board(p, g.land), g.enemies(p, force)
    return any([foes >> p.force[u] & 1 for n in g.land.near[node] for u in here.there(n)])


def enemies_at(g: Setting, p: Pos, force: int) -> set[int]:
    """Where the enemies of ``force`` are: what is next to one of them is in an enemy ZOC, as ``enemy_zoc`` has it for the whole map
    (a ZOC reaches both ways over the same sides). Not to be changed."""
    ground = board(p, g.land).ground(force)
    if ground.foes is None:
        ground.foes = places_of(p, g.enemies(p, force))
    return ground.foes


def held_by_others(g: Setting, p: Pos, force: int, *, berlin_too: bool = False) -> bytes:
    """Per node 1 where another force stands, enemy or not: nobody of ``force`` may enter (5.0.a3, R-G23). ``berlin_too``: and in
    Berlin, for units that are barred from it (5.2.1.p3)."""
    ground, land = board(p, g.land).ground(force), g.land
    if not ground.held:
        held = bytearray(len(land.names))
        _hold(p, force, land.size, held)
        ground.held = bytes(held)
    if not berlin_too:
        return ground.held
    if not ground.held_or_berlin:
        barred = bytearray(ground.held)
        barred[land.berlin] = 1
        ground.held_or_berlin = bytes(barred)
    return ground.held_or_berlin


def _hold(p: Pos, force: int, size: int, table: bytearray) -> None:
    """Puts a 1 wherever another force stands."""
    for node in each_place_of(p, ~(1 << force)):
        if node < size:
            table[node] = 1


def barriers(g: Setting, p: Pos, unit: int) -> tuple[bytes, bytes]:
    """What stands in the way of a unit on its own side of every border, per node: 1 where it may not go, for another force stands there
    (5.0.a3), or it is across the boundary or the Yugoslav border (5.2, 5.3), or Berlin and the unit is barred from it; and 1 where an
    enemy has a ZOC (4.0)."""
    force, kind = p.force[unit], g.kinds[unit]
    ground = board(p, g.land).ground(force)
    return ground.closed[kind] or _closed(g, p, unit, ground), ground.zoc or _zoc(g, p, force, ground)


def _closed(g: Setting, p: Pos, unit: int, ground: Ground) -> bytes:
    closed = bytearray(g.foreign(p, unit))
    _hold(p, p.force[unit], g.land.size, closed)
    if g.berlin_barred(unit):
        closed[g.land.berlin] = 1
    ground.closed[g.kinds[unit]] = found = bytes(closed)
    return found
