"""4.0 Zones of control, and 5.0's ban on hexes held by others: tables of where a force is stopped and where it is shut out."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Final

from referee.games.battle_for_germany.position import board, places_of, standing
from referee.games.battle_for_germany.setting import Setting
from referee.games.battle_for_germany.state import Pos

SHUT: Final = 1
STOPS: Final = 2
"""Bits of ``shut_to``."""


def enemy_zoc(g: Setting, p: Pos, force: int) -> bytes:
    """Per node 1 where an enemy of ``force`` has a ZOC (4.0.p1, 4.0.a, 4.0.d; enemies: R-G22).

    Always exerted (4.0.a), over river, boundary and border alike (R-G5, R-G27), not over lake, sea, blocked or Swiss sides.
    """
    ground = board(p, g.land).ground(force)
    if not ground.zoc:
        ground.zoc = zoc_of(g, p, g.enemies(p, force))
    return ground.zoc


def enemies_at(g: Setting, p: Pos, force: int) -> set[int]:
    """Where the enemies of ``force`` are: what is next to one of them is in an enemy ZOC, as ``enemy_zoc`` has it for the whole map
    (a ZOC reaches both ways over the same sides). Not to be changed."""
    return standing(p, g.land, g.enemies(p, force))


def zoc_of(g: Setting, p: Pos, forces: int) -> bytes:
    """Per node 1 where any of the ``forces`` (bits) has a ZOC."""
    around = g.land.around
    return reduce(or_, map(around.__getitem__, places_of(p, forces)), 0).to_bytes(len(around), "little")  # a box is next to nothing


def held_by_others(g: Setting, p: Pos, force: int, *, berlin_too: bool = False) -> bytes:
    """Per node 1 where another force stands, enemy or not: nobody of ``force`` may enter (5.0.a3, R-G23). ``berlin_too``: and in
    Berlin, for units that are barred from it (5.2.1.p3)."""
    ground, land = board(p, g.land).ground(force), g.land
    if not ground.held:
        held = bytearray(len(land.names))
        for node in places_of(p, ~(1 << force)):
            held[node] = 1
        held[land.size :] = bytes(len(held) - land.size)  # boxes
        ground.held = bytes(held)
    if not berlin_too:
        return ground.held
    if not ground.held_or_berlin:
        barred = bytearray(ground.held)
        barred[land.berlin] = 1
        ground.held_or_berlin = bytes(barred)
    return ground.held_or_berlin


def closed_to(g: Setting, p: Pos, unit: int) -> bytes:
    """Per node 1 where a unit on its own side of every border may not go: where another force stands (5.0.a3), across the boundary or the
    Yugoslav border (5.2, 5.3), and Berlin if it is barred from it."""
    force, kind = p.force[unit], g.kinds[unit]
    ground = board(p, g.land).ground(force)
    if not ground.closed[kind]:
        held = held_by_others(g, p, force, berlin_too=g.berlin_barred(unit))
        closed = int.from_bytes(held, "little") | g.regimes[p.regime].foreign[force][g.yugoslav(unit)]
        ground.closed[kind] = closed.to_bytes(len(held), "little")
    return ground.closed[kind]


def shut_to(g: Setting, p: Pos, unit: int) -> bytes:
    """All that stands in the way of such a unit, per node: ``SHUT`` where ``closed_to`` has a 1, ``STOPS`` where an enemy has a ZOC
    (4.0)."""
    force = p.force[unit]
    shut, kind = board(p, g.land).ground(force).shut, g.kinds[unit]
    table = shut[kind]
    if not table:
        closed, zoc = int.from_bytes(closed_to(g, p, unit), "little"), int.from_bytes(enemy_zoc(g, p, force), "little")
        table = shut[kind] = (closed * SHUT | zoc * STOPS).to_bytes(len(g.land.names), "little")
    return table
