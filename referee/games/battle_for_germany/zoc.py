"""4.0 Zones of control, and 5.0's ban on hexes held by others: tables of where a force is stopped and where it is shut out."""

from __future__ import annotations

from referee.games.battle_for_germany.position import board, places_of, tables_for
from referee.games.battle_for_germany.setting import Setting
from referee.games.battle_for_germany.state import Pos


def enemy_zoc(g: Setting, p: Pos, force: int) -> bytes:
    """Per node 1 where an enemy of ``force`` has a ZOC (4.0.p1, 4.0.a, 4.0.d; enemies: R-G22).

    Always exerted (4.0.a), over river, boundary and border alike (R-G5, R-G27), not over lake, sea, blocked or Swiss sides.
    """
    tables = tables_for(p, g.land, force)
    table = tables.get("zoc")
    if table is None:
        table = tables["zoc"] = zoc_of(g, p, g.enemies(p, force))
    return table


def in_enemy_zoc(g: Setting, p: Pos, force: int, node: int) -> bool:
    """Whether an enemy of ``force`` has a ZOC in one hex: what ``enemy_zoc`` has for it, without the other thousand (a ZOC reaches
    both ways over the same sides)."""
    table = tables_for(p, g.land, force).get("zoc")
    if table is not None:
        return bool(table[node])
    foes, occ = g.enemies(p, force), board(p, g.land).occ
    return any([foes >> p.force[u] & 1 for other in g.land.near[node] if other in occ for u in occ[other]])


def zoc_of(g: Setting, p: Pos, forces: int) -> bytes:
    """Per node 1 where any of the ``forces`` (bits) has a ZOC."""
    found = 0
    for node in places_of(p, forces):  # a box is next to nothing
        found |= g.land.around[node]
    return found.to_bytes(len(g.land.names), "little")


def held_by_others(g: Setting, p: Pos, force: int, *, berlin_too: bool = False) -> bytes:
    """Per node 1 where another force stands, enemy or not: nobody of ``force`` may enter (5.0.a3, R-G23). ``berlin_too``: and in
    Berlin, for units that are barred from it (5.2.1.p3)."""
    tables = tables_for(p, g.land, force)
    if berlin_too:
        barred = tables.get("held or Berlin")
        if barred is None:
            shut = bytearray(held_by_others(g, p, force))
            shut[g.land.berlin] = 1
            barred = tables["held or Berlin"] = bytes(shut)
        return barred
    table = tables.get("held")
    if table is None:
        held = bytearray(len(g.land.names))
        for node in places_of(p, ~(1 << force)):
            if node < g.land.size:
                held[node] = 1
        table = tables["held"] = bytes(held)
    return table
