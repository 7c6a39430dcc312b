"""11.0 Victory: who holds which city, what it is worth, who wins."""

from __future__ import annotations

from gamebox.value import Value
from referee.games.battle_for_germany.position import HOLD_GERMAN, HOLD_S, HOLD_W, HOLDER_NAMES, S, W, board
from referee.games.battle_for_germany.setting import Setting
from referee.games.battle_for_germany.state import Pos


class CityCount(Value, frozen=True):
    """One city in the count: who holds it, what it scores and why."""

    hex: str
    name: str
    holder: str
    points: int
    side: str
    why: str


def count_cities(g: Setting, p: Pos) -> tuple[CityCount, ...]:
    """The count of VPs, city by city (11.0.p1): S scores a capital only under a Front (11.0.p4, R-G13, R-G93); Germans score nothing, but
    in Collapse (14.0.p6, R-G101), where the cities of the west are not played (14.0.p3, R-G100) and an event may count occupied
    cities only."""
    counted: list[CityCount] = []
    occ = board(p, g.land).occ
    for city, node in enumerate(g.land.cities):
        holder = p.holders[city]
        points, why = g.land.city_vps[city], "held"
        if holder == HOLD_GERMAN and not g.terms.german_points:
            points, why = 0, "German cities score for nobody" if p.regime == 0 else "no Ally holds it"
        elif holder == HOLD_S and g.land.capital[node] and not any(g.roster.front >> u & 1 for u in occ.get(node, ())):
            points, why = 0, "a capital scores for the Soviets only under a Front"
        elif g.out_of_play(node):
            points, why = 0, "only the map east of the boundary is used"
        elif g.terms.occupied_only and node not in occ:
            points, why = 0, "only cities with a unit in them score"
        side = HOLDER_NAMES[holder] if points else ""
        counted.append(CityCount(g.hex_name(node), g.land.city_names[city], HOLDER_NAMES[holder], points, side, why))
    return tuple(counted)


def points_of(g: Setting, p: Pos) -> dict[str, int]:
    """VPs as things stand, by holder: the two Allies; in Collapse the Soviets and the Germans (R-G101)."""
    cities = count_cities(g, p)
    scoring = (HOLD_S, HOLD_GERMAN) if g.terms.german_points else (HOLD_S, HOLD_W)
    return {HOLDER_NAMES[h]: sum(c.points for c in cities if c.side == HOLDER_NAMES[h]) for h in scoring}


def outcome(g: Setting, p: Pos) -> str:
    """The result if the game ended now, as it does after the last turn (11.0.p6, 14.0.p8, 15.2.e, 16.3.a, 17.3.b)."""
    if g.terms.victory == "berlin":
        return race_for_berlin(p)
    if g.terms.victory == "three" and not any(p.force[u] in (S, W) for u in board(p, g.land).occ.get(g.land.berlin, ())):
        return "German wins"  # nobody occupies Berlin; control does not do (16.3.a1, R-G94)
    (first, ours), (second, theirs) = points_of(g, p).items()
    winner = "draw" if ours == theirs else f"{first if ours > theirs else second} wins"  # a tie is a draw (R-G94)
    return f"{winner} {ours}-{theirs}"


def race_for_berlin(p: Pos) -> str:
    """17.3.b, R-G108: the Ally that was first in Berlin wins, and each German whose own Ally never got there.
    The Ally that came second, after the first had left, changes only the latter (R-G88)."""
    ally = {S: "Soviet", W: "Western Allied"}.get(p.berlin_first[0])
    germans = [name for force, name in ((S, "East German"), (W, "West German")) if not p.berlin_seen >> force & 1]
    winners = [*((ally,) if ally else ()), *germans]
    return f"{' and '.join(winners)} {'win' if len(winners) > 1 else 'wins'}"
