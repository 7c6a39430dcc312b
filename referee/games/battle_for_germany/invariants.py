"""What must hold in every position, whatever was played: a broken one is a fault of the engine, never of a player."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.battle_for_germany.land import EAST, WEST
from referee.games.battle_for_germany.position import EG, HOLDER_OF, Pos, S, W, board, units_in
from referee.games.battle_for_germany.setting import HOME_YUGOSLAVIA, Setting, german
from referee.games.battle_for_germany.terms import COMBAT, REPLACEMENT


def broken(g: Setting, p: Pos) -> Iterator[str]:
    """Each invariant that does not hold, in words."""
    land = g.land
    occ = board(p, land).occ
    fresh = board(Pos(p.turn, p.agenda, p.at, p.force, p.holders), land).occ
    if {n: tuple(sorted(us)) for n, us in occ.items()} != fresh:
        yield "the board beside the position does not agree with it"
    for node, units in occ.items():
        name = g.hex_name(node)
        if len({p.force[u] for u in units}) > 1:
            yield f"two forces in {name} (R-G23)"
        if not land.playable[node]:
            yield f"a unit in {name}, which cannot be entered"
        resting = p.phase >= 0 and g.phase(p).kind in (COMBAT, REPLACEMENT)
        if resting and len(units) > g.terms.stacking:
            yield f"{len(units)} units in {name} outside a Movement Phase (5.1.p1)"
        if resting and sum(g.roster.front >> u & 1 for u in units) > 1:
            yield f"two Fronts in {name} outside a Movement Phase (5.1.p2)"
        for u in units:
            force = p.force[u]
            theater = land.theater[node]
            if german(force) and theater != (EAST if force == EG else WEST):
                yield f"{g.roster.ids[u]} in {name} outside its theater (5.2.1)"
            away = force == S and not g.wards(force, u)[node] & HOME_YUGOSLAVIA
            if away != any(unit == u for unit, _ in p.abroad):
                yield f"{g.roster.ids[u]} in {name}: its deadline of 5.3 is wrong"
    for u, node in enumerate(p.at):
        home = g.roster.force[u]
        if (home in (S, W)) != (p.force[u] in (S, W)) or (home in (S, W) and home != p.force[u]):
            yield f"{g.roster.ids[u]} changed sides"
        if node >= land.size and (p.garrison | p.flipped | p.locked) >> u & 1:
            yield f"{g.roster.ids[u]} is off the map and still marked"
    for u in units_in(p.garrison):
        if not g.roster.front >> u & 1 or not land.capital[p.at[u]]:
            yield f"{g.roster.ids[u]} is a garrison outside a capital (10.0)"
    for city, node in enumerate(land.cities):
        if node in occ and p.holders[city] != HOLDER_OF[p.force[occ[node][0]]]:
            yield f"{land.city_names[city]} is not held by its occupant (R-G89)"
        reach = {HOLDER_OF[p.force[occ[n][0]]] for n in land.near[node] if n in occ}
        if not occ.get(node) and len(reach) == 1 and p.holders[city] not in reach and p.phase >= 0:
            yield f"{land.city_names[city]} is not held by the only side whose ZOC reaches it (R-G89)"
    if (p.berlin_first[0] >= 0) != bool(p.berlin_seen):
        yield "Berlin's first entry and its visitors disagree (R-G87)"
    if min(p.rates) < 0:
        yield "more replacements than the rate (7.2)"
    if p.attempts > g.terms.attempts:
        yield "more evacuations than allowed (8.0.p7)"
