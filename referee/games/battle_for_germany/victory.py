"""11.0 Victory: who holds which city, what it is worth, who wins."""

from __future__ import annotations

import msgspec

from referee.games.battle_for_germany.position import HOLD_GERMAN, HOLD_S, HOLD_W, HOLDER_NAMES, Pos, board
from referee.games.battle_for_germany.setting import Setting


class CityCount(msgspec.Struct, frozen=True):
    """One city in the count: who holds it, what it scores and why."""

    hex: str
    name: str
    holder: str
    points: int
    side: str
    why: str


def count_cities(g: Setting, p: Pos) -> tuple[CityCount, ...]:
    """The count of VPs, city by city (11.0.p1): S scores a capital only under a Front (11.0.p4, R-G93); Germans score nothing."""
    counted: list[CityCount] = []
    occ = board(p, g.land).occ
    for city, node in enumerate(g.land.cities):
        holder = p.holders[city]
        worth = g.land.city_vps[city]
        if holder == HOLD_GERMAN:
            points, why = 0, "German cities score for nobody"
        elif holder == HOLD_S and g.land.capital[node] and not any(g.roster.front >> u & 1 for u in occ.get(node, ())):
            points, why = 0, "a capital scores for the Soviets only under a Front"
        else:
            points, why = worth, "held"
        side = HOLDER_NAMES[holder] if points else ""
        counted.append(CityCount(g.hex_name(node), g.land.city_names[city], HOLDER_NAMES[holder], points, side, why))
    return tuple(counted)


def victory_points(g: Setting, p: Pos) -> tuple[int, int]:
    """(Soviet, Western Allied) VPs as things stand."""
    cities = count_cities(g, p)
    return tuple(sum(c.points for c in cities if c.side == HOLDER_NAMES[h]) for h in (HOLD_S, HOLD_W))  # type: ignore[return-value]


def outcome(g: Setting, p: Pos) -> str:
    """The result once the last turn is over: most VPs wins (11.0.p6); a tie is a draw (R-G94)."""
    soviet, western = victory_points(g, p)
    winner = "draw" if soviet == western else "Soviet wins" if soviet > western else "Western Allied wins"
    return f"{winner} {soviet}-{western}"
