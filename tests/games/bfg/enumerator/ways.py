"""Where a unit can go: reach of a move, the cheapest lawful way, exits (4.0, 5.0, 5.2, 5.3, 9.0)."""

from __future__ import annotations

from heapq import heappop, heappush

from tests.games.bfg.enumerator import readings
from tests.games.bfg.enumerator.board import BIT, EAST, EXITS, FRONTS, GERMANS, HOME, SS, STEPS, WEST, YUGOSLAVIA
from tests.games.bfg.enumerator.state import State
from tests.games.bfg.facts import BERLIN, CAPITALS, UNITS

EXIT_HEXES = frozenset().union(*EXITS.values())
EXIT_COST = 4
_mask: dict[str, int] = {
    "west": sum(BIT[h] for h in WEST),
    "east": sum(BIT[h] for h in EAST),
    "in": sum(BIT[h] for h in YUGOSLAVIA),
    "out": sum(BIT[h] for h in (WEST | EAST | {BERLIN}) - YUGOSLAVIA),
}


class Ground:
    """What stops a unit: hexes it may never enter, hexes across its borders, hexes held by others, enemy ZOC; all masks."""

    __slots__ = ("country", "held", "offside", "shut", "zoc")

    def __init__(self, shut: int, offside: int, country: int, held: int, zoc: int) -> None:
        self.shut, self.offside, self.country, self.held, self.zoc = shut, offside, country, held, zoc

    def key(self) -> tuple[int, int, int, int, int]:
        """What the reach depends on, beside start and MPs."""
        return (self.shut, self.offside, self.country, self.held, self.zoc)


class Terrain:
    """The masks of one position, made once for all its units."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.held, zoc = state.masks()
        self.zoc: dict[str, int] = {}
        self.others: dict[str, int] = {}
        for force in zoc:
            self.zoc[force] = 0
            for foe in state.foes(force):
                self.zoc[force] |= zoc[foe]
            self.others[force] = 0
            for other, mask in self.held.items():
                if other != force:
                    self.others[force] |= mask
        self.made: dict[tuple[str, bool, bool], Ground] = {}

    def ground(self, unit: str) -> Ground:
        """The masks for one unit."""
        state = self.state
        force = state.who[unit]
        yugoslav = UNITS[unit].yugoslav
        berlin = state.barred_berlin(unit)
        found = self.made.get((force, yugoslav, berlin))
        if found is None:
            offside = _mask["east" if HOME[force] == "west" else "west"] if force in HOME and state.line() else 0
            shut = BIT[BERLIN] if berlin else 0
            if state.rules.scenario == "collapse" and force == "S":
                shut |= _mask["west"]
            if state.rules.scenario == "collapse" and force == "EG" and not readings.WANDER_WEST:
                shut |= _mask["west"]
            country = 0
            if force == "S":
                country = _mask["out" if yugoslav else "in"]
            found = self.made[force, yugoslav, berlin] = Ground(shut, offside, country, self.others[force], self.zoc[force])
        return found


_reach: dict[tuple[object, ...], dict[str, int]] = {}


def reach(start: str, mps: int, ground: Ground, quiet: bool = False) -> dict[str, int]:
    """Every hex but the start that a lawful way can end in, with the most MPs left there.

    A border may be crossed only homeward, and not again (5.2, 5.3, R-G38). ``quiet``: no enemy ZOC may be entered at all (R-G107).
    A way back to the start is no move (reading: ``move U @ A > A`` is never listed).
    """
    key = (start, mps, quiet, *ground.key())
    found = _reach.get(key)
    if found is None:
        if len(_reach) > 200_000:
            _reach.clear()
        found = _reach[key] = _search(start, mps, ground, quiet)
    return found


def _search(start: str, mps: int, ground: Ground, quiet: bool) -> dict[str, int]:
    zoc, closed = ground.zoc, ground.shut | ground.held
    if quiet:
        closed |= zoc
    bit = BIT[start]
    home, inland = not bit & ground.offside, not bit & ground.country
    if home and inland:
        return _plain(start, mps, closed | ground.offside | ground.country, zoc)
    best: dict[tuple[str, bool, bool], int] = {}
    heap: list[tuple[int, str, bool, bool]] = []

    def push(here: str, left: int, home: bool, inland: bool, closed: int) -> None:
        for there, mask, price in STEPS[here]:
            rest = left - price
            if rest < 0 or mask & closed:
                continue
            off, foreign = bool(mask & ground.offside), bool(mask & ground.country)
            if (off and home) or (foreign and inland):
                continue
            now = (there, home or not off, inland or not foreign)
            if best.get(now, -1) < rest:
                best[now] = rest
                heappush(heap, (-rest, *now))

    push(start, mps, home, inland, closed | zoc if bit & zoc else closed)
    while heap:
        minus, here, at_home, in_country = heappop(heap)
        if best[here, at_home, in_country] != -minus or BIT[here] & zoc:
            continue
        push(here, -minus, at_home, in_country, closed)
    found: dict[str, int] = {}
    for (name, _, _), rest in best.items():
        if rest > found.get(name, -1):
            found[name] = rest
    found.pop(start, None)
    return found


def _plain(start: str, mps: int, closed: int, zoc: int) -> dict[str, int]:
    """The search of a unit that is at home: no border may be crossed at all. One list of hexes per number of MPs left."""
    levels: list[list[str]] = [[] for _ in range(mps + 1)]
    best: dict[str, int] = {start: mps}
    levels[mps].append(start)
    shut = closed | zoc if BIT[start] & zoc else closed
    for left in range(mps, 0, -1):
        for here in levels[left]:
            if best[here] != left or (here != start and BIT[here] & zoc):
                continue
            for there, mask, price in STEPS[here]:
                rest = left - price
                if rest >= 0 and best.get(there, -1) < rest and not mask & shut:
                    best[there] = rest
                    levels[rest].append(there)
        shut = closed
    del best[start]
    return best


def way(start: str, goal: str, mps: int, ground: Ground, quiet: bool = False) -> tuple[str, ...] | None:
    """The cheapest lawful way (the start left out), or None.

    Reading (R-G92, contract): of equally cheap ways the one whose hex numbers come first, hex by hex; the contract leaves this open.
    """
    zoc, closed = ground.zoc, ground.shut | ground.held
    if quiet:
        closed |= zoc
    bit = BIT[start]
    heap: list[tuple[int, tuple[str, ...], bool, bool]] = [(0, (), not bit & ground.offside, not bit & ground.country)]
    done: set[tuple[str, bool, bool]] = set()
    while heap:
        spent, path, home, inland = heappop(heap)
        here = path[-1] if path else start
        if path:
            if here == goal:
                return path
            if (here, home, inland) in done or BIT[here] & zoc:
                continue
            done.add((here, home, inland))
        shut = closed | zoc if not path and bit & zoc else closed
        for there, mask, price in STEPS[here]:
            if spent + price > mps or mask & shut:
                continue
            off, foreign = bool(mask & ground.offside), bool(mask & ground.country)
            if (off and home) or (foreign and inland):
                continue
            heappush(heap, (spent + price, (*path, there), home or not off, inland or not foreign))
    return None


def allowance(state: State, unit: str) -> int:
    """MPs in this Movement Phase (7.2, 13.2, 18.1)."""
    printed = UNITS[unit].move
    if state.kind == "second-movement":
        return printed // 2
    if unit in state.tired or (unit in SS and state.who[unit] == "W"):
        return (printed + 1) // 2
    return printed * 2 if unit in state.doubled else printed


def mobile(state: State, unit: str) -> bool:
    """May it move at all now (R-G29, R-G32, R-G85, R-G111)."""
    if state.who[unit] != state.force or state.at[unit] not in BIT or unit in state.moved or unit in state.locked:
        return False
    if unit in state.garrison:
        return False
    return state.kind != "second-movement" or unit in state.eligible


def may_triple(state: State, unit: str, ground: Ground) -> bool:
    """16.3: one G unit a Movement Phase that starts outside enemy ZOC."""
    return state.who[unit] == "G" and not state.tripled and not BIT[state.at[unit]] & ground.zoc


def goals(state: State, unit: str, terrain: Terrain) -> dict[str, int] | set[str]:
    """Where a move of a mobile unit may end.

    R-G38: a unit across the line that can get home ends at home. Reading: this holds in 18.1's second movement too, and for the EG of
    Collapse in the west (R-G100), who may otherwise move in the west like any displaced unit; over the Yugoslav border nothing forces
    a move home (its deadline is the end of a Combat Phase).
    Reading (R-G126 against R-G33): a Front may not end where another Front stands in a capital, not even during the phase.
    """
    ground = terrain.ground(unit)
    start = state.at[unit]
    found: dict[str, int] | set[str] = reach(start, allowance(state, unit), ground)
    if state.who[unit] == "G" and may_triple(state, unit, ground):
        found = set(found) | set(reach(start, UNITS[unit].move * 3, ground, True))
    if BIT[start] & ground.offside:
        at_home = {name for name in found if not BIT[name] & ground.offside}
        found = at_home or found
    if unit in FRONTS and readings.SECOND_FRONT_BARRED:
        for city in CAPITALS:
            if city in found and any(u in FRONTS for u in state.here(city)):
                found = {name for name in found if name != city}
    return found


def exits(state: State, unit: str, terrain: Terrain) -> set[str]:
    """The exit hexes that a mobile German may leave by with 4 MPs left, not stopped by a ZOC (9.0, R-G78, R-G102, R-G107).

    Reading: with the tripled allowance too (the way there enters no ZOC).
    """
    if state.who[unit] not in GERMANS or state.kind != "movement":
        return set()
    ground = terrain.ground(unit)
    start = state.at[unit]
    open_hexes = EXITS["east"] if state.rules.scenario == "collapse" else EXIT_HEXES
    mps = allowance(state, unit)
    triple = UNITS[unit].move * 3 if may_triple(state, unit, ground) else 0
    found = set()
    if start in open_hexes and max(mps, triple) >= EXIT_COST:
        found.add(start)
    for limit, quiet in ((mps, False), (triple, True)):
        for name, rest in reach(start, limit, ground, quiet).items() if limit > EXIT_COST else ():
            if rest >= EXIT_COST and name in open_hexes and not BIT[name] & ground.zoc:
                found.add(name)
    return found
