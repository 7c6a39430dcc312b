"""What happens by itself whenever a unit enters, leaves or disappears: city holders (11.0), fortifications (6.4.c1), the ports
of 8.0.p6, Berlin (R-G87), garrisons (10.0), identity (5.2.1.p2), deadlines of the Yugoslav border (5.3), boxes (7.1)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Final, TypedDict

from msgspec.structs import replace

from referee.games.battle_for_germany.land import Land
from referee.games.battle_for_germany.position import (
    EG,
    HOLD_GERMAN,
    HOLD_W,
    HOLDER_OF,
    Board,
    G,
    Ground,
    S,
    W,
    altered,
    anywhere,
    board,
    gone_by,
    hand_on,
    near_cities,
)
from referee.games.battle_for_germany.setting import HOME_YUGOSLAVIA, Setting
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.zoc import held_by_others
from referee.rules.model import Frame


def travel(
    g: Setting,
    p: Pos,
    unit: int,
    way: tuple[int, ...],
    *,
    fixed: bool = False,
    moved: int | None = None,
    agenda: tuple[Frame, ...] | None = None,
) -> Pos:
    """The position after ``unit`` has entered the hexes of ``way`` one by one (its start excluded, which may be a box), and with another
    ``moved`` and ``agenda``, where they are given.

    Every hex counts, passing included (R-G92, R-G59, R-G87). ``fixed``: by retreat or advance, so that a Front entering a
    capital is its garrison at once (R-G84).
    """
    land, here = g.land, board(p, g.land)
    start, goal, force = p.at[unit], way[-1], p.force[unit]
    ground = here.ground(force)
    noted = land.noted
    passed = noted[start]
    for node in way:
        passed |= noted[node]
    told = 0
    if passed:
        # a unit in combat is hardly ever where nothing can change
        told = passed if fixed else _telling(g, p, ground, unit, passed, goal)
    at = list(p.at)
    at[unit] = goal
    q = replace(
        p,
        at=tuple(at),
        holders=holders_after(g, p, unit, way, told & land.each_city) if told else p.holders,
        moved=p.moved if moved is None else moved,
        agenda=p.agenda if agenda is None else agenda,
    )
    if told > land.each_city:
        q = replace(q, **entries(g, p, unit, way))
    if fixed and land.capital[goal] and g.roster.front >> unit & 1:
        q = replace(q, garrison=p.garrison | 1 << unit)
    ward = g.wards(p, force, unit)
    if (ward[start] ^ ward[goal]) & HOME_YUGOSLAVIA and start < land.size:
        q = _cross_yugoslav_border(q, unit, away=not ward[goal] & HOME_YUGOSLAVIA)
    becomes = identity_at(g, p, force, goal)
    stays: dict[int, Ground] = {}
    if becomes == force:
        if not _shared(p, here, ground, force, goal):  # which is all that a ground knows of its own force (``_disorder``)
            stays[force] = ground
    else:
        q = replace(q, force=bytes((*p.force[:unit], becomes, *p.force[unit + 1 :])))
    near = here.near_cities if noted[start] == noted[goal] else gone_by(land, here.near_cities, force, start, goal)
    q.__dict__["board"] = here.after(unit, start, goal, stays, near)
    return q


def _shared(p: Pos, here: Board, ground: Ground, force: int, node: int) -> bool:
    """Whether a unit of the force would find another force in a hex, against 5.0.a3."""
    return ground.held[node] == 1 if ground.held else any([p.force[u] != force for u in here.there(node)])


def touched(g: Setting, p: Pos, unit: int, hexes: Iterable[int], goal: int) -> int:
    """What ``events`` has to look at when the unit passes through some of these hexes, its start among them, and ends its way at ``goal``:
    the bits of ``Land.noted`` there, but for those that ``_telling`` leaves out."""
    noted, passed = g.land.noted, 0
    for node in hexes:
        passed |= noted[node]
    return matters(g, p, unit, passed, goal)


def matters(g: Setting, p: Pos, unit: int, passed: int, goal: int) -> int:
    """The same of bits of ``Land.noted`` that have been put together already."""
    return passed and _telling(g, p, board(p, g.land).ground(p.force[unit]), unit, passed, goal)


def _telling(g: Setting, p: Pos, ground: Ground, unit: int, passed: int, goal: int) -> int:
    """What of ``passed`` can change when the unit comes by and goes on to ``goal``: not the cities that its own side holds, when no unit
    of another side is in them or next to them, or one of its own is there all the while, or it ends its way there itself (11.0, R-G89);
    nor what only others enter (6.4.c1, 8.0.p6, R-G87)."""
    if p.regime:
        return passed  # the SS of 13.2 are nobody's (R-G99)
    land, force = g.land, p.force[unit]
    mine = HOLDER_OF[force]
    if ground.holders is not p.holders:
        if ground.contested < 0:
            ground.contested = _contested(g, p, mine)
        told = _not_held(land, p.holders, mine)
        if mine != HOLD_GERMAN:
            told |= land.entry_note
        if force == W:
            told |= land.fort_note
        ground.holders, ground.told, ground.doubtful = p.holders, told, ground.contested & ~told
    told = passed & ground.told
    contested = passed & ground.doubtful
    if contested:
        doubtful = contested & _disorder(g, p, ground, force)
        told |= doubtful
        left = contested & ~(doubtful | land.noted[goal])
        near, start = near_cities(p, land)[mine], land.noted[p.at[unit]]
        while left:
            city = left.bit_length() - 1
            note = land.city_notes[city]
            left ^= note
            if near[city] == (start & note > 0):  # nobody else of its side
                told |= note
    return told


def _disorder(g: Setting, p: Pos, ground: Ground, force: int) -> int:
    """The cities in which another force stands, whoever holds them; every city when somewhere it shares a hex with a unit of this one:
    only where all keep 5.0.a3 does a unit's being there tell whose ZOC reaches a city from its hex."""
    if ground.disorder < 0:
        held = held_by_others(g, p, force)
        ground.disorder = g.land.each_city if anywhere(p, force, held) else _in_cities(g.land, held)
    return ground.disorder


def _in_cities(land: Land, table: bytes) -> int:
    """The cities where a table, by node, has a 1, as in ``Land.noted``."""
    found = 0
    for city, node in enumerate(land.cities):
        if table[node]:
            found |= land.city_notes[city]
    return found


def _not_held(land: Land, holders: bytes, mine: int) -> int:
    """The cities with another holder than this one, as in ``Land.noted``."""
    found = 0
    for city, note in enumerate(land.city_notes):
        if holders[city] != mine:
            found |= note
    return found


def _contested(g: Setting, p: Pos, mine: int) -> int:
    """The cities with a unit of another holder than this one in them or next to them, as in ``Land.noted``."""
    found = 0
    for holder, near in enumerate(near_cities(p, g.land)):
        if holder != mine:
            for city, note in enumerate(g.land.city_notes):
                if near[city]:
                    found |= note
    return found


class Entries(TypedDict):
    """What a way changes for good: fortifications (6.4.c1), ports (8.0.p6), who was in Berlin (R-G87)."""

    forts_gone: int
    ports_entered: int
    berlin_seen: int
    berlin_first: tuple[int, int, int]


class Events(Entries):
    """What a way changes besides the place of the unit."""

    holders: bytes


def events(g: Setting, p: Pos, unit: int, way: tuple[int, ...], told: int = -1) -> Events:
    """What a way (start excluded) of a unit changes. ``told``: what of it need be looked at (``touched``)."""
    passed = reduce(or_, [g.land.noted[node] for node in way], g.land.noted[p.at[unit]])
    return {"holders": holders_after(g, p, unit, way, passed & told & g.land.each_city), **entries(g, p, unit, way)}


def entries(g: Setting, p: Pos, unit: int, way: tuple[int, ...]) -> Entries:
    """What a way (start excluded) of a unit changes for good."""
    land, force = g.land, p.force[unit]
    forts, ports, seen, first = p.forts_gone, p.ports_entered, p.berlin_seen, p.berlin_first
    for node in way if force in (S, W) else ():
        if force == W and node in land.forts:
            forts |= land.forts[node]
        if node in land.ports:
            ports |= 1 << land.ports.index(node)
        if node == land.berlin:
            seen |= 1 << force
            if first[0] < 0:
                first = (force, p.turn, p.phase)
    return {"forts_gone": forts, "ports_entered": ports, "berlin_seen": seen, "berlin_first": first}


def holders_after(g: Setting, p: Pos, unit: int, way: tuple[int, ...], cities: int) -> bytes:
    """The city holders when a unit has gone a way (start excluded), as far as these cities on it go (as in ``Land.noted``)."""
    holders = p.holders
    while cities:
        city = cities.bit_length() - 1
        cities ^= g.land.city_notes[city]
        holder = holder_after(g, p, city, unit, way)
        if holder != p.holders[city]:
            holders = holders[:city] + _ONE_HOLDER[holder] + holders[city + 1 :]
    return holders


_ONE_HOLDER: Final = tuple([bytes((holder,)) for holder in range(3)])


def side_of(g: Setting, p: Pos, units: tuple[int, ...]) -> int:
    """Whose city the units in a hex make it (11.0): SS alone, under the Western player, make it nobody's (13.2.p4, R-G99)."""
    if not p.regime:
        return HOLDER_OF[p.force[units[0]]]
    for unit in units:
        if not g.halved(p, unit):
            return HOLDER_OF[p.force[unit]]
    return HOLD_GERMAN


def holder_after(g: Setting, p: Pos, city: int, unit: int = -1, way: tuple[int, ...] = ()) -> int:
    """Who holds a city (R-G89) when ``unit`` has gone this way (its start excluded); without one, as all units stand.

    It is asked wherever the unit is in the city or next to it, and where it has just left: the occupant; else whose ZOC reaches it.
    """
    land, here, holder = g.land, board(p, g.land), p.holders[city]
    place = land.cities[city]
    near, start = land.near[place], p.at[unit] if unit >= 0 else -1
    there = here.there(place) if place != start else _others(here.there(place), unit)
    if there and not p.regime:
        return side_of(g, p, there)  # whoever comes by, or joins them
    reach = _reaching(g, p, city, unit)
    if unit < 0:
        return side_of(g, p, there) if there else _claimed(p, holder, reach)
    mine = side_of(g, p, (unit,))
    was_near = start == place or start in near
    for node in way:
        comes = node == place or node in near
        if node == place:
            holder = side_of(g, p, (*there, unit))
        elif there and (comes or was_near):
            holder = side_of(g, p, there)
        elif comes:
            holder = _claimed(p, holder, reach | 1 << mine, mine)
        elif was_near:
            holder = _claimed(p, holder, reach)
        was_near = comes
    return holder


def _reaching(g: Setting, p: Pos, city: int, unit: int) -> int:
    """The holders whose ZOC reaches a city, as bits, with ``unit`` away; before 13.1, of a city in which nobody else is."""
    land, start, reach = g.land, p.at[unit] if unit >= 0 else -1, 0
    if not p.regime:
        away = HOLDER_OF[p.force[unit]] if start >= 0 and land.noted[start] & land.city_notes[city] else -1
        for holder, near in enumerate(near_cities(p, land)):
            if near[city] > (holder == away):
                reach |= 1 << holder
        if not reach & (reach - 1):
            return reach
        reach = 0  # in a hex that two share, against 5.0.a3, one of them counts
    occ = board(p, land).occ
    for node in land.near[land.cities[city]]:
        beside = occ.get(node, ()) if node != start else _others(occ[node], unit)
        if beside:
            reach |= 1 << side_of(g, p, beside)
    return reach


def _others(units: tuple[int, ...], unit: int) -> tuple[int, ...]:
    return tuple([u for u in units if u != unit])


def _claimed(p: Pos, holder: int, reach: int, entered: int = -1) -> int:
    """Who holds an empty city: the one holder whose ZOC alone reaches it (``reach``: bits); else that of the unit that has just come by
    (``entered``), a German taking back what an Ally left (R-G91); else ``holder``, as before. S and W count against each other, and
    Germans against both, whoever may fight whom (R-G95)."""
    if p.regime:  # SS ZOC does not disturb W, and keeps S from claiming by ZOC what W holds (R-G99)
        if reach >> HOLD_W & 1 or (holder == HOLD_W and reach == 1 << HOLD_GERMAN):
            reach &= ~(1 << HOLD_GERMAN)
        if entered == HOLD_GERMAN and holder == HOLD_W:
            entered = -1
    if reach and not reach & (reach - 1):
        return reach.bit_length() - 1
    return entered if entered >= 0 else holder


def recount_holders(g: Setting, p: Pos, nodes: Iterable[int] | None = None) -> Pos:
    """City holders computed anew near ``nodes`` (None: everywhere), after units have gone or been set up (R-G83, R-G90)."""
    land = g.land
    cities = range(len(land.cities)) if nodes is None else sorted({c for n in nodes for c in land.cities_near[n]})
    holders = bytearray(p.holders)
    for city in cities:
        holders[city] = holder_after(g, p, city)
    return altered(p, holders=bytes(holders)) if bytes(holders) != p.holders else p


def _cross_yugoslav_border(p: Pos, unit: int, *, away: bool) -> Pos:
    """Starts or ends the deadline of R-G39 and R-G40; it runs from the first crossing still in force (R-G123)."""
    others = tuple(pair for pair in p.abroad if pair[0] != unit)
    return replace(p, abroad=tuple(sorted((*others, (unit, p.turn)))) if away else others)


def identity_at(g: Setting, p: Pos, force: int, node: int) -> int:
    """What a unit of ``force`` is at ``node``: a German is East German east of the boundary, West German west of it (5.2.1.p2)."""
    return g.regimes[p.regime].identity[force][node]


def box_of(g: Setting, p: Pos, unit: int) -> int:
    """The Destroyed Units box for a unit that dies where it stands (7.1, R-G63, R-G69)."""
    land, force, node = g.land, p.force[unit], p.at[unit]
    if force == S:
        return land.box_s
    if force == W:
        return land.off if g.halved(p, unit) else land.box_italy if land.italy[node] else land.box_w  # SS: R-G98
    return land.box_eg if force in (EG, G) else land.box_wg  # one Germany has one box (R-G106)


def remove(g: Setting, p: Pos, units: Iterable[int], to: int | None = None, *, agenda: tuple[Frame, ...] | None = None) -> Pos:
    """The position without these units: each into its box (7.1), or all to ``to``; city holders anew (R-G83). ``agenda``: what waits
    then; None: the same as before."""
    gone = tuple(units)
    if not gone:
        return p if agenda is None else altered(p, agenda=agenda)
    nodes = [p.at[u] for u in gone]
    at = list(p.at)
    bits = 0
    for unit in gone:
        at[unit] = box_of(g, p, unit) if to is None else to
        bits |= 1 << unit
    forces = {p.force[u] for u in gone}
    q = replace(
        p,
        agenda=p.agenda if agenda is None else agenda,
        at=tuple(at),
        moved=p.moved & ~bits,
        attacked=p.attacked & ~bits,
        doubled=p.doubled & ~bits,
        locked=p.locked & ~bits,
        flipped=p.flipped & ~bits,
        garrison=p.garrison & ~bits,
        eligible=p.eligible & ~bits,
        used=p.used & ~bits,
        tired=p.tired & ~bits,
        abroad=tuple(pair for pair in p.abroad if pair[0] not in gone),
    )
    if len(forces) == 1:
        hand_on(q, g.land, forces.pop(), gone, p)
    return recount_holders(g, q, nodes)
