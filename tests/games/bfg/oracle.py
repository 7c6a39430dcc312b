"""A second referee, written from the rulebook and the rulings alone, slow and plain: what is allowed in a small position.

Imports nothing of ``referee`` or ``gamebox``. Historical Scenario, two players, no options.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import combinations
from math import ceil

from tests.games.bfg.facts import (
    BERLIN,
    CAPITALS,
    COASTAL,
    CRT,
    FEATURES,
    HEXES,
    JOINED,
    NEAR,
    PLAYABLE,
    PORTS,
    UNITS,
    apart,
    cost,
    country,
    edge,
    river,
    theater,
)

ENEMY = {"S": "EG", "EG": "S", "W": "WG", "WG": "W"}
OWNER = {"S": "soviet", "WG": "soviet", "W": "western-allied", "EG": "western-allied"}
GERMAN = ("EG", "WG")
SIDE = {"S": "east", "EG": "east", "W": "west", "WG": "west"}


@dataclass
class Table:
    """What stands where, and what this phase has seen. Units out of the game are not listed."""

    force: str
    kind: str
    turn: int
    at: dict[str, str]
    who: dict[str, str]
    moved: set[str] = field(default_factory=set)
    attacked: set[str] = field(default_factory=set)
    doubled: set[str] = field(default_factory=set)
    locked: set[str] = field(default_factory=set)
    flipped: set[str] = field(default_factory=set)
    garrison: set[str] = field(default_factory=set)
    forts_gone: set[str] = field(default_factory=set)
    ports_entered: set[str] = field(default_factory=set)
    attempts: int = 0

    def here(self, name: str) -> list[str]:
        """The units in a hex."""
        return [u for u, place in self.at.items() if place == name]

    def zoc(self, force: str) -> set[str]:
        """The hexes in the ZOC of that force's enemies (4.0, R-G22)."""
        return {n for u, place in self.at.items() if place in HEXES and self.who[u] == ENEMY[force] for n in JOINED[place]}

    def strangers(self, name: str, force: str) -> bool:
        """Whether units of another force stand there (R-G23)."""
        return any(self.who[u] != force for u in self.here(name))

    def copy(self) -> Table:
        """An independent copy."""
        return deepcopy(self)


def abroad(unit: str, force: str, name: str) -> bool:
    """Across a border that this unit may not cross by choice."""
    return off_side(force, name) or wrong_country(unit, force, name)


def off_side(force: str, name: str) -> bool:
    """Across the German Theater Boundary for that force (Berlin is on both sides)."""
    return theater(name) not in {SIDE[force], "both"}


def wrong_country(unit: str, force: str, name: str) -> bool:
    """S in Yugoslavia, or a Yugoslav out of it."""
    return force == "S" and UNITS[unit].yugoslav != (country(name) == "yugoslavia")


# Movement


def allowance(t: Table, unit: str) -> int:
    """MPs this phase (7.2.b2)."""
    return UNITS[unit].move * (2 if unit in t.doubled else 1)


def mobile(t: Table, unit: str) -> bool:
    """May it move at all in this phase."""
    still = unit in t.moved or unit in t.locked or unit in t.garrison
    return t.kind == "movement" and t.at[unit] in HEXES and t.who[unit] == t.force and not still


def ways(t: Table, unit: str) -> dict[str, int]:
    """Every hex that the unit can end a lawful way in, with the most MPs it may have left there.

    4.0: stop on entering a ZOC; out of a ZOC only into a hex without one. 5.2, 5.3: borders on every hex of the way.
    """
    force = t.who[unit]
    start = t.at[unit]
    zoc = t.zoc(force)
    held = {h for u, h in t.at.items() if t.who[u] != force}
    best: dict[tuple[str, bool, bool], int] = {}
    # (hex, came home over the line, came home over the Yugoslav border): crossing back is by choice, and refused.
    first = (start, not off_side(force, start), not wrong_country(unit, force, start))
    stack = [(first, allowance(t, unit))]
    while stack:
        state, left = stack.pop()
        here, home, inland = state
        for there in JOINED[here]:
            rest = left - cost(here, there) if there in PLAYABLE else -1
            if rest < 0 or there in held:
                continue
            if here == start and state == first and left == allowance(t, unit):
                if start in zoc and there in zoc:
                    continue
            elif here in zoc:
                continue
            if force in GERMAN and (theater(there) != SIDE[force]):
                continue
            if force not in GERMAN and not may_step(unit, force, there, home, inland):
                continue
            now = (there, home or not off_side(force, there), inland or not wrong_country(unit, force, there))
            if best.get(now, -1) < rest:
                best[now] = rest
                stack.append((now, rest))
    found: dict[str, int] = {}
    for (name, _, _), rest in best.items():
        found[name] = max(found.get(name, -1), rest)
    found.pop(start, None)
    return found


def may_step(unit: str, force: str, there: str, home: bool, inland: bool) -> bool:
    """5.2.2 and 5.3 for one step of an Ally: never across by choice; who is across may wander there and go home once."""
    if home and off_side(force, there):
        return False
    return not (inland and wrong_country(unit, force, there))


def destinations(t: Table, unit: str) -> set[str]:
    """Where a move may end (R-G38: a unit across the line that can get home ends at home)."""
    if not mobile(t, unit):
        return set()
    found = {name for name in ways(t, unit) if not second_front(t, unit, name)}
    force = t.who[unit]
    if force not in GERMAN and off_side(force, t.at[unit]):
        home = {name for name in found if not off_side(force, name)}
        return home or found
    return found


def second_front(t: Table, unit: str, name: str) -> bool:
    """R-G126: a Front does not stop in a capital where another one stands."""
    return UNITS[unit].front and name in CAPITALS and any(UNITS[u].front for u in t.here(name))


def exits(t: Table, unit: str) -> set[str]:
    """The exit hexes that a German may leave by (9.0)."""
    if not mobile(t, unit) or t.who[unit] not in GERMAN:
        return set()
    start = t.at[unit]
    zoc = t.zoc(t.who[unit])
    left = {name: rest for name, rest in ways(t, unit).items() if name not in zoc}
    left[start] = allowance(t, unit)
    return {name for name, rest in left.items() if rest >= 4 and any(edge(name, f"exit_{side}") for side in ("west", "east", "south"))}


def evacuable(t: Table, unit: str) -> bool:
    """8.0: unmoved EG on an anchor hex, turn 3 or later, first attempt, a port open."""
    if not mobile(t, unit) or t.who[unit] != "EG" or t.at[unit] not in COASTAL or t.turn < 3 or t.attempts:
        return False
    return bool(open_ports(t))


def open_ports(t: Table) -> set[str]:
    """Ports never entered by an Ally and with room."""
    return {p for p in PORTS if p not in t.ports_entered and len(t.here(p)) < 2 and not t.strangers(p, "EG")}


def overstacked(t: Table) -> bool:
    """5.1 for the phasing force."""
    for name in {place for u, place in t.at.items() if place in HEXES and t.who[u] == t.force}:
        mine = [u for u in t.here(name) if t.who[u] == t.force]
        if len(mine) > 2 or sum(UNITS[u].front for u in mine) > 1:
            return True
    return False


def movement_lines(t: Table) -> set[str]:
    """Every legal action of a Movement Phase (turn 2 or later)."""
    by = OWNER[t.force]
    found = set()
    for unit, place in t.at.items():
        found |= {f"{by} move {unit} @ {place} > {name}" for name in destinations(t, unit)}
        found |= {f"{by} exit {unit} @ {place} > {name}" for name in exits(t, unit)}
        if evacuable(t, unit):
            found.add(f"{by} evacuate {unit}")
    if not overstacked(t):
        found.add(f"{by} done")
    return found


# Combat


def factor(t: Table, name: str, attackers: Iterable[str]) -> int:
    """The multiplier of a hex against these attackers (6.4, R-G2)."""
    total = 1
    total += HEXES[name]["terrain"] == "broken"
    defender = t.who[t.here(name)[0]]
    total += "fortified" in FEATURES.get(name, set()) and name not in t.forts_gone and defender in GERMAN
    total += all(river(t.at[u], name) for u in attackers)
    return total


def odds(t: Table, attackers: Iterable[str], targets: Iterable[str]) -> str | None:
    """The column, or None below the table (6.1, R-G17, R-G57)."""
    attackers = list(attackers)
    strength = sum(UNITS[u].attack for u in attackers)
    defence = sum(sum(UNITS[u].defense for u in t.here(name)) * factor(t, name, attackers) for name in targets)
    if strength >= defence:
        return f"{min(6, strength // defence)}:1"
    down = ceil(defence / strength)
    return f"1:{down}" if down <= 3 else None


def may_attack(t: Table, attackers: Iterable[str], targets: Iterable[str]) -> bool:
    """Whether this attack may be made now."""
    attackers, targets = list(attackers), list(targets)
    if t.kind != "combat" or not attackers or not targets:
        return False
    for unit in attackers:
        if t.at[unit] not in HEXES or t.who[unit] != t.force or unit in t.attacked or unit in t.flipped:
            return False
        if not all(name in JOINED[t.at[unit]] for name in targets):
            return False
    for name in targets:
        if not t.here(name) or t.who[t.here(name)[0]] != ENEMY[t.force]:
            return False
    return odds(t, attackers, targets) is not None


def possible_attacks(t: Table, force: str) -> int:
    """How many separate attacks a force could make as things stand, counted up to two (12.2, R-G62).

    One hex each suffices: more hexes only make an attack harder.
    """
    ready = [u for u, h in t.at.items() if h in HEXES and t.who[u] == force and u not in t.attacked]
    foes = sorted({h for u, h in t.at.items() if h in HEXES and t.who[u] == ENEMY[force]})
    crews = []
    for name in foes:
        near = [u for u in ready if name in JOINED[t.at[u]]]
        for size in range(1, len(near) + 1):
            crews += [set(c) for c in combinations(near, size) if odds(t, c, [name])]
    if any(not (a & b) for a, b in combinations(crews, 2)):
        return 2
    return min(1, len(crews))


def result(t: Table, attackers: Iterable[str], targets: Iterable[str], die: int) -> str:
    """What the CRT says."""
    column = odds(t, attackers, targets)
    assert column is not None
    return CRT[column, die]


def retreat_hexes(t: Table, unit: str) -> set[str]:
    """Where a unit that must retreat may go (6.2.1, R-G48, R-G49, R-G50); empty = eliminated."""
    force, here = t.who[unit], t.at[unit]
    classes: dict[int, set[str]] = {}
    for there in JOINED[here]:
        if there not in PLAYABLE or (force in GERMAN and there == BERLIN):
            continue
        becomes = force
        if force in GERMAN and theater(there) != SIDE[force]:
            becomes = "WG" if force == "EG" else "EG"
        if there in t.zoc(force) or there in t.zoc(becomes):
            continue
        friends = t.here(there)
        if any(t.who[u] != becomes for u in friends) or len(friends) >= 2:
            continue
        if UNITS[unit].front and any(UNITS[u].front for u in friends):
            continue
        across = becomes != force or (force not in GERMAN and abroad(unit, force, there))
        classes.setdefault(2 * across + bool(friends), set()).add(there)
    return classes[min(classes)] if classes else set()


def stays(t: Table, unit: str) -> bool:
    """A garrison ignores retreat results (10.0.a2)."""
    return unit in t.garrison


def settle_retreat(t: Table, unit: str, there: str) -> None:
    """Puts the unit into its new hex, with its new identity if it crossed."""
    t.at[unit] = there
    if t.who[unit] in GERMAN and theater(there) != SIDE[t.who[unit]]:
        t.who[unit] = "WG" if t.who[unit] == "EG" else "EG"
    note_entry(t, unit, there)


def note_entry(t: Table, unit: str, there: str) -> None:
    """Forts, ports and garrisons on entering by retreat or advance."""
    if t.who[unit] == "W" and "fortified" in FEATURES.get(there, set()):
        t.forts_gone.add(there)
    if t.who[unit] in {"S", "W"} and there in PORTS:
        t.ports_entered.add(there)
    if UNITS[unit].front and there in CAPITALS:
        t.garrison.add(unit)


def box(unit: str, force: str, place: str) -> str:
    """The Destroyed Units box (7.1, R-G63, R-G69)."""
    if force == "S":
        return "box-s"
    if force == "W":
        return "box-italy" if country(place) == "italy" else "box-w"
    return "box-eg" if force == "EG" else "box-wg"


def kill(t: Table, unit: str) -> None:
    """Into the box."""
    t.at[unit] = box(unit, t.who[unit], t.at[unit])
    t.garrison.discard(unit)


def may_advance(t: Table, unit: str, there: str) -> bool:
    """Borders and garrisons for an advance (R-G54, R-G40); the combat's own conditions are the caller's."""
    force, here = t.who[unit], t.at[unit]
    if unit in t.garrison or there not in JOINED[here]:
        return False
    if force in GERMAN:
        return theater(there) == SIDE[force]
    if off_side(force, there):
        return False
    # Out of Berlin only to the own side; from across home is fine. Over the Yugoslav border only a Yugoslav going home.
    into, outof = country(there) == "yugoslavia", country(here) == "yugoslavia"
    if force == "S" and into != outof:
        return UNITS[unit].yugoslav and into
    return True


# Replacements


def arrivals(t: Table, unit: str) -> dict[str, str]:
    """Hex -> identity on arrival, for a unit in a box (7.2, R-G66, R-G67, R-G73)."""
    place = t.at[unit]
    if t.force in GERMAN:
        mine = [h for h in NEAR[BERLIN] if theater(h) == SIDE[t.force]]
        other = [h for h in NEAR[BERLIN] if theater(h) not in {SIDE[t.force], "both"}]
        blocked = all(any(t.who[u] in {"S", "W"} for u in t.here(h)) for h in mine)
        becomes = t.force if not blocked else ("WG" if t.force == "EG" else "EG")
        found = {h: becomes for h in (other if blocked else mine)}
    else:
        kind = {"box-s": "entry_soviet", "box-w": "entry_west_allied", "box-italy": "entry_italy"}[place]
        found = {h: t.force for h in PLAYABLE if edge(h, kind)}
    return {h: force for h, force in found.items() if _room(t, unit, h, force)}


def _room(t: Table, unit: str, name: str, force: str) -> bool:
    there = t.here(name)
    if any(t.who[u] != force for u in there) or len(there) >= 2:
        return False
    return not (UNITS[unit].front and any(UNITS[u].front for u in there))


def replacement_lines(t: Table, rates: tuple[int, int]) -> set[str]:
    """Every legal action of a Replacement Phase; ``rates``: own, Italian."""
    by = OWNER[t.force]
    found = {f"{by} done"}
    boxes = {"S": ("box-s",), "W": ("box-w", "box-italy"), "EG": ("box-eg",), "WG": ("box-wg",)}[t.force]
    for name, rate in zip(boxes, rates, strict=False):
        units = [u for u in t.at if t.at[u] == name and UNITS[u].replaceable]
        if rate <= 0 or not units:
            continue
        least = min(UNITS[u].attack for u in units)
        for unit in units:
            if t.force == "W" or UNITS[unit].attack == least:
                found |= {f"{by} replace {unit} > {h}" for h in arrivals(t, unit)}
    return found


# Leaving the map


def front_of(exit_hex: str, t: Table) -> list[str]:
    """The units of the front of that edge, not yet flipped (R-G79)."""
    if edge(exit_hex, "exit_east"):
        return [u for u, p in t.at.items() if p in HEXES and t.who[u] == "S" and u not in t.flipped]
    italy = edge(exit_hex, "exit_south")
    return [u for u, p in t.at.items() if p in HEXES and t.who[u] == "W" and (country(p) == "italy") == italy and u not in t.flipped]


def exit_box(exit_hex: str) -> str:
    """The box of that front."""
    return "box-s" if edge(exit_hex, "exit_east") else "box-italy" if edge(exit_hex, "exit_south") else "box-w"


def takeable(t: Table, exit_hex: str, taken: int) -> set[str]:
    """Who may be taken next (9.0.a1, a2, R-G80): every unit that belongs to some choice of the nearest ``2 - taken``."""
    front = front_of(exit_hex, t)
    want = 2 - taken
    if want <= 0:
        return set()
    if not front:
        return set() if taken and t.flipped else {u for u, p in t.at.items() if p == exit_box(exit_hex)}
    distances = sorted(apart(exit_hex, t.at[u]) for u in front)
    cut = distances[min(want, len(distances)) - 1]
    return {u for u in front if apart(exit_hex, t.at[u]) <= cut}


def pairs(names: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Every non-empty choice of one or two."""
    names = list(names)
    for i, first in enumerate(names):
        yield (first,)
        for second in names[i + 1 :]:
            yield (first, second)
