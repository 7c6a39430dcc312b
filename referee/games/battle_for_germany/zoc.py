"""4.0 Zones of control, and 5.0's ban on hexes held by others: tables of where a force is stopped and where it is shut out."""

from __future__ import annotations

from referee.games.battle_for_germany.position import Pos, board
from referee.games.battle_for_germany.setting import Setting


def enemy_zoc(g: Setting, p: Pos, force: int) -> bytes:
    """Per node 1 where an enemy of ``force`` has a ZOC (4.0.p1, 4.0.a, 4.0.d; enemies: R-G22).

    Always exerted (4.0.a), over river, boundary and border alike (R-G5, R-G27), not over lake, sea, blocked or Swiss sides.
    """
    here = board(p, g.land)
    table = here.cache.get(("zoc", force))
    if table is None:
        table = here.cache["zoc", force] = zoc_of(g, p, g.enemies(p, force))
    return table


def zoc_of(g: Setting, p: Pos, forces: int) -> bytes:
    """Per node 1 where any of the ``forces`` (bits) has a ZOC."""
    table = bytearray(len(g.land.names))
    near = g.land.near
    for node, units in board(p, g.land).occ.items():
        for unit in units:
            if forces >> p.force[unit] & 1:
                for other in near[node]:
                    table[other] = 1
                break
    return bytes(table)


def held_by_others(g: Setting, p: Pos, force: int) -> bytes:
    """Per node 1 where another force stands, enemy or not: nobody of ``force`` may enter (5.0.a3, R-G23)."""
    here = board(p, g.land)
    table = here.cache.get(("held", force))
    if table is None:
        held = bytearray(len(g.land.names))
        for node, units in here.occ.items():
            for unit in units:
                if p.force[unit] != force:
                    held[node] = 1
        table = here.cache["held", force] = bytes(held)
    return table
