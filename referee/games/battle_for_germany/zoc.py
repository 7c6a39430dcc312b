"""4.0 Zones of control, and 5.0's ban on hexes held by others: tables of where a force is stopped and where it is shut out."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Final

from referee.games.battle_for_germany.position import Ground, board, places_of
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
        ground.zoc = _zoc_number(g, p, force, ground).to_bytes(len(g.land.names), "little")
    return ground.zoc


def _zoc_number(g: Setting, p: Pos, force: int, ground: Ground) -> int:
    """``enemy_zoc`` as one number: such tables are put together faster than bytes, and turned into bytes only where somebody looks."""
    if ground.zoc_number < 0:
        ground.zoc_number = reduce(or_, map(g.land.around.__getitem__, enemies_at(g, p, force)), 0)  # a box is next to nothing
    return ground.zoc_number


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
    kind, ground = g.kinds[unit], board(p, g.land).ground(p.force[unit])
    if not ground.closed[kind]:
        ground.closed[kind] = _closed_number(g, p, unit, ground).to_bytes(len(g.land.names), "little")
    return ground.closed[kind]


def _closed_number(g: Setting, p: Pos, unit: int, ground: Ground) -> int:
    """``closed_to`` as one number."""
    force, kind = p.force[unit], g.kinds[unit]
    if ground.closed_numbers[kind] < 0:
        held = held_by_others(g, p, force, berlin_too=g.berlin_barred(unit))
        ground.closed_numbers[kind] = int.from_bytes(held, "little") | g.regimes[p.regime].foreign[force][g.yugoslav(unit)]
    return ground.closed_numbers[kind]


def shut_to(g: Setting, p: Pos, unit: int) -> bytes:
    """All that stands in the way of such a unit, per node: ``SHUT`` where ``closed_to`` has a 1, ``STOPS`` where an enemy has a ZOC
    (4.0)."""
    force, kind = p.force[unit], g.kinds[unit]
    ground = board(p, g.land).ground(force)
    table = ground.shut[kind]
    if not table:
        both = _closed_number(g, p, unit, ground) | _zoc_number(g, p, force, ground) * STOPS  # SHUT is 1
        table = ground.shut[kind] = both.to_bytes(len(g.land.names), "little")
    return table
