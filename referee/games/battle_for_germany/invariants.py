"""What must hold in every position, whatever was played: a broken one is a fault of the engine, never of a player."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.battle_for_germany.changes import side_of
from referee.games.battle_for_germany.land import EAST, WEST
from referee.games.battle_for_germany.position import EG, HOLD_W, WG, G, S, W, board, units_in
from referee.games.battle_for_germany.sequence import STEP_OF
from referee.games.battle_for_germany.setting import HOME_YUGOSLAVIA, Setting, german, rates_of
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.terms import COMBAT, REPLACEMENT


def broken(g: Setting, p: Pos) -> Iterator[str]:
    """Each invariant that does not hold, in words."""
    yield from _sequence(g, p)
    yield from _places(g, p)
    yield from _marks(g, p)
    yield from _cities(g, p)
    if (p.berlin_first[0] >= 0) != bool(p.berlin_seen):
        yield "Berlin's first entry and its visitors disagree (R-G87)"
    yield from _supply(g, p)
    if not 0 <= p.attempts <= g.terms.attempts:
        yield "more evacuations than allowed (8.0.p7)"


def _sequence(g: Setting, p: Pos) -> Iterator[str]:
    """The turn, the phase and what is asked in it (3.0)."""
    if not g.terms.first_turn <= p.turn <= g.terms.last_turn:
        yield f"turn {p.turn} is none of the scenario's {g.terms.first_turn} to {g.terms.last_turn}"
    phase = g.phase(p) if p.phase >= 0 else None
    asked = STEP_OF[phase.kind] if phase else "turn11" if g.terms.skip_die else "set-up"
    if not p.agenda or p.agenda[0].step not in (asked, "over"):
        yield f"the agenda of the {phase.name if phase else 'set-up'} begins with {asked} (3.0)"
    most = (0, 0)
    if phase and phase.kind == REPLACEMENT:
        most = rates_of(g, p.turn, phase.force)
    if any(not 0 <= rate <= allowed for rate, allowed in zip(p.rates, most, strict=True)):
        yield f"replacements left {p.rates}, the rate is {most} (7.2)"


def _supply(g: Setting, p: Pos) -> Iterator[str]:
    """18.1: the markers, and whom they serve; 13.1: nothing German after the Germans have left."""
    if not 0 <= p.supply <= g.terms.markers or len(p.markers_soviet) > g.terms.markers_turn:
        yield f"{p.supply} Soviet markers in stock and {len(p.markers_soviet)} on the map (18.1.p3, 18.1.p5)"
    if not g.terms.western_marker and (p.marker_western >= 0 or p.group):
        yield "a Western marker where none is played (18.1, R-G117)"
    if not g.terms.markers and (p.eligible | p.used | p.tired):
        yield "units marked by 18.1 where it is not played"
    if p.eligible & p.tired:
        yield "a unit that is tired may act in a second phase (18.1.p11)"
    if p.tripled > g.terms.triples:
        yield "more tripled moves than allowed (16.3.b1)"
    if p.regime and any(german(force) and p.at[u] != g.land.off for u, force in enumerate(p.force)):
        yield "Germans after they have left (13.1.p2)"


def _places(g: Setting, p: Pos) -> Iterator[str]:
    """Hex by hex: who stands together, and whether each may stand there."""
    land, ids, force_of = g.land, g.roster.ids, p.force
    size = land.size
    fresh: dict[int, list[int]] = {}
    for u, node in enumerate(p.at):
        if node < size:
            fresh.setdefault(node, []).append(u)
    occ = board(p, land).occ
    if len(occ) != len(fresh) or any(tuple(us) != occ.get(node) for node, us in fresh.items()):
        yield "the board beside the position does not agree with it"
    resting = p.phase >= 0 and g.phase(p).kind in (COMBAT, REPLACEMENT)
    front, abroad = g.roster.front, {u for u, _ in p.abroad}
    if abroad and any(p.at[u] >= size for u in abroad):
        yield "a unit off the map has a deadline of 5.3"
    home = {EG: EAST, WG: WEST}
    for node, units in fresh.items():
        force = force_of[units[0]]
        if not land.playable[node]:
            yield f"a unit in {g.hex_name(node)}, which cannot be entered"
        if len(units) > 1:
            if any(force_of[u] != force for u in units):
                yield f"two forces in {g.hex_name(node)} (R-G23)"
            if resting and len(units) > g.terms.stacking:
                yield f"{len(units)} units in {g.hex_name(node)} outside a Movement Phase (5.1.p1)"
            if resting and sum(front >> u & 1 for u in units) > 1:
                yield f"two Fronts in {g.hex_name(node)} outside a Movement Phase (5.1.p2)"
        if force in home and g.boundary(p) and not g.terms.east_only and land.theater[node] != home[force]:
            yield f"{', '.join(ids[u] for u in units)} in {g.hex_name(node)} outside its theater (5.2.1)"
        for u in units:
            away = force == S and not g.wards(p, force, u)[node] & HOME_YUGOSLAVIA
            if away != (u in abroad):
                yield f"{ids[u]} in {g.hex_name(node)}: its deadline of 5.3 is wrong"


def _marks(g: Setting, p: Pos) -> Iterator[str]:
    """Unit by unit: identity, and what is remembered of it."""
    land, ids = g.land, g.roster.ids
    for u, (home, now) in enumerate(zip(g.roster.force, p.force, strict=True)):
        joined = p.regime == 1 and now == W and g.terms.ss_stay and g.roster.ss >> u & 1
        if home != now and not (german(home) and german(now)) and not joined:
            yield f"{ids[u]} changed sides"
    germans = (G,) if g.terms.players == 3 else ()
    homes = {land.box_s: (S,), land.box_w: (W,), land.box_italy: (W,), land.box_eg: germans or (EG,), land.box_wg: germans or (WG,)}
    for u, node in enumerate(p.at):
        if node in homes and p.force[u] not in homes[node]:
            yield f"{ids[u]} lies in {g.hex_name(node)}, another force's box (7.0)"
    for u in units_in(p.garrison | p.flipped | p.locked | p.moved | p.doubled | p.eligible | p.used | p.tired):
        if p.at[u] >= land.size:
            yield f"{ids[u]} is off the map and still marked"
    for u in units_in(p.garrison):
        if not g.roster.front >> u & 1 or not land.capital[p.at[u]]:
            yield f"{ids[u]} is a garrison outside a capital (10.0)"
    for u in units_in(p.flipped):
        if p.force[u] not in (S, W):
            yield f"{ids[u]} is flipped and no Ally (9.0.a1)"


def _cities(g: Setting, p: Pos) -> Iterator[str]:
    """City by city: the holder (R-G89)."""
    land = g.land
    occ = board(p, land).occ
    for city, node in enumerate(land.cities):
        holder = p.holders[city]
        here = occ.get(node)
        if here is not None:
            if holder != side_of(g, p, here):
                yield f"{land.city_names[city]} is not held by its occupant (R-G89)"
            continue
        reach = 0
        for n in land.near[node]:
            if n in occ:
                reach |= 1 << side_of(g, p, occ[n])
        if p.regime and (reach >> HOLD_W & 1 or (holder == HOLD_W and reach == 1)):
            reach &= ~1  # SS ZOC does not disturb W (R-G99)
        if reach and not reach & (reach - 1) and not reach >> holder & 1 and p.phase >= 0:
            yield f"{land.city_names[city]} is not held by the only side whose ZOC reaches it (R-G89)"
