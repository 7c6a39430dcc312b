"""A position: what stands where, what the phase has seen, what is being decided."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from tests.games.bfg.enumerator.board import (
    BIT,
    CITIES_OF,
    EAST,
    FORTS,
    FRONTS,
    GERMANS,
    GROUP,
    HOME,
    ITALY,
    NAMES,
    OWNERS,
    PHASES,
    SCENARIOS,
    SS,
    WEST,
    YUGOSLAVIA,
    ZOC,
    checked,
    enemies,
)
from tests.games.bfg.facts import BERLIN, CAPITALS, CITIES, HEXES, JOINED, PORTS, UNITS, rows

NONE: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Rules:
    """What a scenario with its options fixes."""

    scenario: str
    options: frozenset[str]

    def has(self, option: str) -> bool:
        """Whether an option or switch is on."""
        return option in self.options


@dataclass(frozen=True)
class Combat:
    """The attack being declared or worked off. ``targets``: hexes, or single units under 18/6.3."""

    targets: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    defenders: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    price: int = 0
    victors: tuple[str, ...] = ()
    vacated: tuple[str, ...] = ()


@dataclass
class State:
    """One position. Sets are frozen and shared between copies; the dictionaries are copied."""

    rules: Rules
    turn: int
    phase: int
    """Index into ``PHASES``; -1 before the first one."""
    step: str
    at: dict[str, str]
    """Every unit of the game: a hex, a box, ``off`` (left or removed) or ``unplaced``."""
    who: dict[str, str]
    """The force a unit belongs to now: S W EG WG G; the SS of 13.2 are W."""
    occ: dict[str, tuple[str, ...]]
    """Hex to its units, in the order they came."""
    holder: dict[str, str]
    """City to S, W or G (R-G89)."""
    abroad: dict[str, int]
    """Units across the Yugoslav border with the game turn of the crossing still in force (R-G39, R-G40)."""
    moved: frozenset[str] = NONE
    attacked: frozenset[str] = NONE
    doubled: frozenset[str] = NONE
    locked: frozenset[str] = NONE
    flipped: frozenset[str] = NONE
    garrison: frozenset[str] = NONE
    eligible: frozenset[str] = NONE
    used: frozenset[str] = NONE
    tired: frozenset[str] = NONE
    forts_gone: frozenset[str] = NONE
    ports_entered: frozenset[str] = NONE
    berlin_first: tuple[str, int, str] | None = None
    """Force, game turn, player turn."""
    berlin_seen: frozenset[str] = NONE
    regime: str = "war"
    supply: int = 0
    markers: tuple[str, ...] = ()
    placed: int = 0
    """Markers placed in this Replacement Phase."""
    marker_western: str = ""
    group: str = ""
    tripled: bool = False
    attempts: int = 0
    rates: tuple[int, int] = (0, 0)
    """What is left of the phase's rates: own, Italian."""
    attacks: int = 0
    """Attacks of 12.2 made (under 18/12.2: those that count)."""
    required: int = 0
    """Attacks that the WG Movement Phase of turn 1 must leave possible (R-G62, R-G18)."""
    combat: Combat | None = None
    gate: str = ""
    """The exit hex while ``take`` waits."""
    taker: str = ""
    taken: int = 0
    from_box: bool = False
    sailor: str = ""
    unread: tuple[str, ...] = ()
    """Words of a position text that this reader does not know."""

    def copy(self) -> State:
        """An independent copy."""
        made = object.__new__(State)
        made.__dict__.update(self.__dict__)
        made.at, made.who, made.occ = self.at.copy(), self.who.copy(), self.occ.copy()
        made.holder, made.abroad = self.holder.copy(), self.abroad.copy()
        return made

    # Whose phase

    @property
    def force(self) -> str:
        """The acting force."""
        return PHASES[self.rules.scenario][self.phase][1] if self.phase >= 0 else ""

    @property
    def kind(self) -> str:
        """The kind of the phase."""
        return PHASES[self.rules.scenario][self.phase][2] if self.phase >= 0 else "set-up"

    @property
    def player_turn(self) -> str:
        """The force that gives the player turn its name."""
        return PHASES[self.rules.scenario][self.phase][0] if self.phase >= 0 else ""

    def by(self, force: str) -> str:
        """The owner of a force, as notation names him."""
        return OWNERS[self.rules.scenario][force]

    def foes(self, force: str) -> tuple[str, ...]:
        """The forces that are its enemies now."""
        return relation(self.rules, self.regime)[force]

    def line(self) -> bool:
        """Whether the German Theater Boundary binds (5.2, 13.1, 15.2, 16.3)."""
        return SCENARIOS[self.rules.scenario]["theater_boundary"] == "1" and self.regime == "war"

    # Who stands where

    def here(self, name: str) -> tuple[str, ...]:
        """The units in a hex."""
        return self.occ.get(name, ())

    def side(self, name: str) -> str:
        """The force that holds a hex, or nothing (R-G23: never two)."""
        there = self.occ.get(name)
        return self.who[there[0]] if there else ""

    def masks(self) -> tuple[dict[str, int], dict[str, int]]:
        """Per force: hexes occupied, hexes in its ZOC."""
        held: dict[str, int] = {"S": 0, "W": 0, "EG": 0, "WG": 0, "G": 0}
        zoc = dict(held)
        who = self.who
        for name, units in self.occ.items():
            force = who[units[0]]
            held[force] |= BIT[name]
            zoc[force] |= ZOC[name]
        return held, zoc

    def enemy_zoc(self, force: str) -> int:
        """The hexes in the ZOC of that force's enemies."""
        foes = self.foes(force)
        found = 0
        for name, units in self.occ.items():
            if self.who[units[0]] in foes:
                found |= ZOC[name]
        return found

    def on_map(self, force: str) -> list[str]:
        """The units of a force that stand in a hex."""
        return [u for u, place in self.at.items() if self.who[u] == force and place in BIT]

    def off_side(self, force: str, name: str) -> bool:
        """Across the line for that force (Berlin belongs to both theaters, R-G35)."""
        return self.line() and name in (EAST if HOME[force] == "west" else WEST)

    def wrong_country(self, unit: str, name: str) -> bool:
        """5.3: S in Yugoslavia, a Yugoslav out of it; binds S alone (R-G41)."""
        return self.who[unit] == "S" and UNITS[unit].yugoslav != (name in YUGOSLAVIA)

    def barred_berlin(self, unit: str) -> bool:
        """5.2.1, R-G50, R-G98: no German in Berlin but with three players; the SS of 13.2 keep the ban."""
        return self.who[unit] in ("EG", "WG") or (unit in SS and self.who[unit] == "W")

    def room(self, unit: str, name: str, force: str) -> bool:
        """Room at once (R-G33): no other force, two units, one Front, and under 18/5.3 no second mixed stack on that front."""
        there = self.here(name)
        if not there:
            return True
        if len(there) >= 2 or self.who[there[0]] != force:
            return False
        if unit in FRONTS and any(u in FRONTS for u in there):
            return False
        if force == "W" and self.rules.has("18/5.3") and mixed((*there, unit)):
            zone = name in ITALY
            return not any((h in ITALY) == zone for h in self.mixed_stacks(unit))
        return True

    def mixed_stacks(self, leaving: str = "") -> list[str]:
        """18/5.3: hexes where W units of both groups stand together, one unit that is about to leave not counted."""
        stacks = ((h, units) for h, units in self.occ.items() if len(units) > 1 and self.who[units[0]] == "W")
        return [h for h, units in stacks if mixed(u for u in units if u != leaving)]

    def overstacked(self, force: str) -> bool:
        """5.1 and 18/5.3 for one force, at the end of its movement."""
        for units in self.occ.values():
            if len(units) > 1 and self.who[units[0]] == force and (len(units) > 2 or sum(u in FRONTS for u in units) > 1):
                return True
        if force == "W" and self.rules.has("18/5.3"):
            zones = [h in ITALY for h in self.mixed_stacks()]
            return len(zones) != len(set(zones))
        return False

    # Changes

    def lift(self, unit: str) -> str:
        """Takes a unit out of its hex; cities are not looked at."""
        name = self.at[unit]
        rest = tuple(u for u in self.occ.get(name, ()) if u != unit)
        if rest:
            self.occ[name] = rest
        else:
            self.occ.pop(name, None)
        return name

    def drop(self, unit: str, name: str) -> None:
        """Puts a unit into a hex; cities are not looked at."""
        self.at[unit] = name
        self.occ[name] = (*self.occ.get(name, ()), unit)

    def enter(self, unit: str, name: str) -> None:
        """One unit comes into one hex by whatever means: forts, ports, Berlin, cities (interface section 4)."""
        old = self.lift(unit)
        self.drop(unit, name)
        force = self.who[unit]
        if force == "W" and name in FORTS:
            self.forts_gone |= {name}
        if force in ("S", "W") and unit not in SS:
            if name in PORTS:
                self.ports_entered |= {name}
            if name == BERLIN:
                self.berlin_first = self.berlin_first or (force, self.turn, self.player_turn)
                self.berlin_seen |= {force}
        self.judge_cities((*CITIES_OF.get(old, ()), *CITIES_OF.get(name, ())), unit)

    def stopped(self, unit: str, at_once: bool) -> None:
        """A unit ends a move, retreat or advance: the deadline over the Yugoslav border; R-G84 when ``at_once``."""
        name = self.at[unit]
        if self.wrong_country(unit, name):
            self.abroad.setdefault(unit, self.turn)
        else:
            self.abroad.pop(unit, None)
        if at_once and unit in FRONTS and name in CAPITALS:
            self.garrison |= {unit}

    def remove(self, unit: str, place: str) -> None:
        """A unit leaves the map, or is moved between boxes."""
        old = self.lift(unit)
        self.at[unit] = place
        self.abroad.pop(unit, None)
        gone = {unit}
        for name in ("garrison", "locked", "flipped", "eligible", "used", "tired", "doubled"):
            marks: frozenset[str] = getattr(self, name)
            if unit in marks:
                setattr(self, name, marks - gone)
        self.judge_cities(CITIES_OF.get(old, ()), "")

    def destroy(self, unit: str) -> None:
        """7.1: into the box by the hex where the unit stood (R-G63, R-G69); the SS of 13.2 are out (R-G98)."""
        force, name = self.who[unit], self.at[unit]
        box = {"S": "box-s", "EG": "box-eg", "WG": "box-wg", "G": "box-eg"}.get(force, "box-italy" if name in ITALY else "box-w")
        self.remove(unit, "off" if force == "W" and unit in SS else box)

    # Cities

    def nation(self, unit: str) -> str:
        """S, W, G, or X for the SS of 13.2, who deny and never hold (R-G99)."""
        force = self.who[unit]
        return "G" if force in GERMANS else "X" if unit in SS else force

    def judge_cities(self, cities: Iterable[str], came: str) -> None:
        """R-G89 for some cities; ``came`` has just entered its hex.

        Reading (13.2, R-G99): a city occupied by SS alone, or in the ZOC of SS alone while S holds it, is nobody's (written G); where
        W has a unit or ZOC beside SS, the SS do not count; SS that enter beside a city contested by S take it from S, for nobody.
        """
        for city in dict.fromkeys(cities):
            inside = self.occ.get(city)
            if inside:
                nations = {self.nation(u) for u in inside} - {"X"}
                self.holder[city] = next(iter(nations)) if nations else "G"
                continue
            claims = {self.nation(u) for n in JOINED[city] for u in self.occ.get(n, ())}
            if "W" in claims:
                claims.discard("X")
            if len(claims) == 1:
                only = next(iter(claims))
                if only != "X":
                    self.holder[city] = only
                elif self.holder[city] == "S":
                    self.holder[city] = "G"
            elif came and self.at[came] in JOINED[city]:
                mine = self.nation(came)
                if mine != "X":
                    self.holder[city] = mine
                elif self.holder[city] == "S":
                    self.holder[city] = "G"


def mixed(units: Iterable[str]) -> bool:
    """18/5.3: Commonwealth together with US or French; SS belong to neither (R-G116)."""
    groups = {GROUP[u] for u in units}
    return "commonwealth" in groups and bool(groups & {"us", "french"})


@lru_cache
def relation(rules: Rules, regime: str) -> dict[str, tuple[str, ...]]:
    """``board.enemies`` for these rules."""
    return enemies(rules.scenario, rules.options, regime)


def holders(state: State) -> dict[str, str]:
    """City hex to ``soviet``, ``western-allied`` or ``german``."""
    words = {"S": NAMES["S"], "W": NAMES["W"], "G": NAMES["G"]}
    return {city: words[state.holder[city]] for city in sorted(state.holder)}


def blank(scenario: str, options: Iterable[str] = ()) -> State:
    """A position with every counter of the scenario off the map, before the first phase.

    Raises ValueError for an unknown scenario or options that may not go together.
    """
    rules = Rules(scenario, frozenset(options))
    checked(scenario, rules.options)
    row = SCENARIOS[scenario]
    sides = set(row["sides"].split(";"))
    placed = {s["piece"] for s in rows("setups") if s["setup"] == row["setup"]}
    who = {u: unit.force for u, unit in UNITS.items() if unit.force in sides and u in placed}
    if scenario == "three_player":
        who = {u: "G" if force in GERMANS else force for u, force in who.items()}
    control = "rsws" if scenario == "rsws" else "hist"
    holder = {c["hex"]: {"german": "G"}.get(c[control], c[control]) for c in rows("city_control")}
    return State(rules, int(row["first_turn"]), -1, "set-up", dict.fromkeys(who, "off"), who, {}, holder, {})


def start(scenario: str, options: Iterable[str] = ()) -> State:
    """The start of a game: the four of Courland unplaced, or the die of 15.2."""
    state = blank(scenario, options)
    setup = SCENARIOS[scenario]["setup"]
    for row in rows("setups"):
        if row["setup"] == setup and row["piece"] in state.who:
            if row["place"] in HEXES:
                state.drop(row["piece"], row["place"])
            else:
                state.at[row["piece"]] = "unplaced"
    if state.rules.has("18.1"):
        state.supply = 7
    if scenario == "rsws":
        state.judge_cities(CITIES, "")
        state.garrison = frozenset(u for u in FRONTS if state.at.get(u) in CAPITALS)
        state.step = "turn11"
    return state


def with_combat(state: State, **changes: object) -> None:
    """Changes fields of the running combat."""
    assert state.combat
    state.combat = replace(state.combat, **changes)  # type: ignore[arg-type]


def arrange(scenario: str, places: dict[str, str], turn: int, force: str, kind: str, options: Iterable[str] = ()) -> State:
    """A laid-out position at the start of a phase; units not named are out. A place may be ``HEX:FORCE`` for a changed identity."""
    state = blank(scenario, options)
    state.turn = turn
    state.phase = next(i for i, (_, f, k) in enumerate(PHASES[scenario]) if (f, k) == (force, kind))
    for unit, place in places.items():
        name, _, identity = place.partition(":")
        if identity:
            state.who[unit] = identity
        if name in HEXES:
            state.drop(unit, name)
        else:
            state.at[unit] = name
    state.garrison = frozenset(u for u in FRONTS if state.at.get(u) in CAPITALS)
    state.supply = 7 if state.rules.has("18.1") else 0
    state.judge_cities(CITIES, "")
    return state
