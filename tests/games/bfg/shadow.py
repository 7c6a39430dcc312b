"""A whole game kept beside the engine by the second referee: places, identities, garrisons, boxes, cities, phases.

Imports nothing of ``referee``. Moves must be written with their way (``via``), since cities and fortifications depend on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.games.bfg import oracle
from tests.games.bfg.facts import BERLIN, CITIES, FEATURES, HEXES, JOINED, PORTS, RATES, UNITS, edge, rows
from tests.games.bfg.oracle import ENEMY, GERMAN, OWNER, Table, off_side, wrong_country

PHASES = tuple((f, k) for f in ("S", "WG", "W", "EG") for k in ("replacement", "movement", "combat"))
RATE = {"S": "soviet", "WG": "west_german", "W": "western_allied", "EG": "east_german"}


def nation(force: str) -> str:
    """Whose city it is: both German forces are one holder (R-G89)."""
    return "G" if force in GERMAN else force


@dataclass
class Combat:
    """The attack being declared or resolved."""

    hexes: list[str] = field(default_factory=list)
    units: list[str] = field(default_factory=list)
    result: str = ""
    waiting: list[str] = field(default_factory=list)
    price: int = 0
    winners: list[str] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)
    stage: str = "declare"


class Shadow:
    """The second referee's record of one game."""

    def __init__(self) -> None:
        sheet = {row["piece"]: row["place"] for row in rows("setups") if row["setup"] == "hist"}
        at = {u: ("unplaced" if place == "courland" else place) for u, place in sheet.items()}
        self.t = Table("", "set-up", 1, at, {u: UNITS[u].force for u in at})
        self.phase = -1
        self.holders = dict.fromkeys(CITIES, "G")
        self.abroad: dict[str, int] = {}
        self.rates = [0, 0]
        self.combat: Combat | None = None
        self.gate, self.taken = "", 0
        self.sailing = ""
        self.berlin_first: tuple[str, int, int] | None = None
        self.berlin_seen: set[str] = set()
        self.attacks = 0
        self.over = False

    @classmethod
    def of(cls, t: Table, phase: int, holders: dict[str, str], abroad: dict[str, int]) -> Shadow:
        """The record of a laid-out position at the start of a phase."""
        made = cls()
        made.t, made.phase, made.holders, made.abroad = t, phase, holders, abroad
        for unit in UNITS:
            t.at.setdefault(unit, "out")
            t.who.setdefault(unit, UNITS[unit].force)
        if t.kind == "replacement" and t.turn > 1:
            made.rates = [RATES[t.turn, RATE[t.force]], RATES[t.turn, "western_allied_italy"] if t.force == "W" else 0]
        return made

    # Cities

    def _claims(self, city: str) -> set[str]:
        return {nation(self.t.who[u]) for n in JOINED[city] for u in self._by_hex.get(n, ())}

    def cities(self, came: str = "", place: str = "") -> None:
        """R-G89 over all cities; ``came`` has just entered ``place``."""
        self._by_hex: dict[str, list[str]] = {}
        for u, h in self.t.at.items():
            self._by_hex.setdefault(h, []).append(u)
        for city in CITIES:
            inside = self._by_hex.get(city)
            claims = self._claims(city)
            if inside:
                self.holders[city] = nation(self.t.who[inside[0]])
            elif len(claims) == 1:
                self.holders[city] = next(iter(claims))
            elif came and (place == city or place in JOINED[city]):
                self.holders[city] = nation(self.t.who[came])

    def enter(self, unit: str, place: str) -> None:
        """One unit comes into one hex by whatever means."""
        t = self.t
        t.at[unit] = place
        force = t.who[unit]
        if force == "W" and "fortified" in FEATURES.get(place, set()):
            t.forts_gone.add(place)
        if force in {"S", "W"}:
            if place in PORTS:
                t.ports_entered.add(place)
            if place == BERLIN:
                self.berlin_first = self.berlin_first or (force, t.turn, self.phase)
                self.berlin_seen.add(force)
        self.cities(unit, place)

    def borders(self, unit: str) -> None:
        """A deadline over the Yugoslav border begins with the crossing and lapses at home."""
        if self.t.who[unit] == "S" and self.t.at[unit] in HEXES and wrong_country(unit, "S", self.t.at[unit]):
            self.abroad.setdefault(unit, self.t.turn)
        else:
            self.abroad.pop(unit, None)

    def gone(self, units: Iterable[str], destroyed: bool) -> None:
        """Into the box, or out of the game."""
        for unit in units:
            if destroyed:
                oracle.kill(self.t, unit)
            else:
                self.t.at[unit] = "out"
                self.t.garrison.discard(unit)
            self.t.flipped.discard(unit)
            self.t.locked.discard(unit)
            self.abroad.pop(unit, None)
            self.cities()

    # Phases

    def begin(self, number: int) -> None:
        """Starts a phase."""
        t = self.t
        self.phase = number
        t.force, t.kind = PHASES[number]
        t.moved, t.attacked, self.attacks = set(), set(), 0
        self.rates = [0, 0]
        if t.kind == "replacement" and t.turn > 1:
            self.rates = [RATES[t.turn, RATE[t.force]], RATES[t.turn, "western_allied_italy"] if t.force == "W" else 0]

    def end(self) -> None:
        """What happens by itself at the end of the running phase; then the next one begins."""
        t = self.t
        if t.kind == "movement":
            if t.force in {"S", "W"}:
                late = [u for u, h in t.at.items() if h in HEXES and t.who[u] == t.force and off_side(t.force, h)]
                self.gone(late, True)
            self.gone(sorted(t.flipped), False)
            t.locked -= {u for u in t.locked if t.who[u] == t.force}
        if t.kind == "combat" and t.force == "S":
            self.gone([u for u, turn in self.abroad.items() if turn < t.turn], True)
        t.garrison |= {u for u, h in t.at.items() if h in oracle.CAPITALS and UNITS[u].front}
        self.combat = None
        if self.phase == len(PHASES) - 1:
            t.doubled = set()
            if t.turn == 10:
                self.over = True
                return
            t.turn += 1
            self.begin(0)
        else:
            self.begin(self.phase + 1)

    def catch_up(self, turn: int, phase: int) -> None:
        """Passes phases until the engine's; raises AssertionError if it is never reached."""
        for _ in range(30):
            if (self.t.turn, self.phase) == (turn, phase) or self.over:
                return
            self.end()
        raise AssertionError(f"phase {phase} of turn {turn} is not reached from turn {self.t.turn}")

    def points(self) -> tuple[int, int]:
        """VPs of S and W (10.0, 11.0)."""
        total = {"S": 0, "W": 0, "G": 0}
        for city, row in CITIES.items():
            side = self.holders[city]
            if side == "S" and city in oracle.CAPITALS and not any(UNITS[u].front for u in self.t.here(city)):
                continue
            total[side] += int(row["vp"])
        return total["S"], total["W"]

    # Actions

    def apply(self, line: str) -> None:
        """One line of notation."""
        words = line.split()
        verb = words[1]
        getattr(self, f"_{verb}")(words)

    def _setup(self, words: list[str]) -> None:
        self.t.at[words[2]] = words[4]
        if "unplaced" not in self.t.at.values():
            self.cities()
            self.begin(0)

    def _way(self, words: list[str]) -> list[str]:
        via = words[words.index("via") + 1].split(",") if "via" in words else []
        return [*via, words[words.index(">") + 1]]

    def _move(self, words: list[str]) -> None:
        unit = words[2]
        for name in self._way(words):
            self.enter(unit, name)
        self.borders(unit)
        self.t.moved.add(unit)

    def _exit(self, words: list[str]) -> None:
        unit, way = words[2], self._way(words)
        if way != [words[4]]:
            for name in way:
                self.enter(unit, name)
        self.gone([unit], False)
        self.gate, self.taken = way[-1], 0

    def _take(self, words: list[str]) -> None:
        unit = words[2]
        if self.t.at[unit] in HEXES:
            self.t.flipped.add(unit)
        else:
            self.t.at[unit] = "out"
        self.taken += 1

    def _evacuate(self, words: list[str]) -> None:
        self.sailing = words[2]
        self.t.attempts += 1

    def _land(self, words: list[str]) -> None:
        self.enter(self.sailing, words[3])
        self.t.moved.add(self.sailing)
        self.sailing = ""

    def _replace(self, words: list[str]) -> None:
        unit, place = words[2], words[4]
        t = self.t
        becomes = oracle.arrivals(t, unit)[place]
        self.rates[t.at[unit] == "box-italy"] -= 1
        t.who[unit] = becomes
        if t.force in GERMAN and not (t.force == "EG" and becomes == "WG"):
            t.doubled.add(unit)
        self.enter(unit, place)
        if place in t.zoc(becomes):
            t.locked.add(unit)

    def _target(self, words: list[str]) -> None:
        self.combat = self.combat or Combat()
        self.combat.hexes.append(words[3])

    def _join(self, words: list[str]) -> None:
        assert self.combat
        self.combat.units.append(words[2])

    def _done(self, words: list[str]) -> None:
        c = self.combat
        if c and c.stage == "declare":
            c.stage = "roll"
        elif c and c.stage == "lose":
            self._advances(c.winners, c.hexes)
        elif c and c.stage == "advance":
            c.empty = []
        # The end of a phase, or of taking: the caller catches up with the engine.

    def _roll(self, words: list[str]) -> None:
        die, t = int(words[3]), self.t
        if words[2] == "evacuation":
            t.moved.add(self.sailing)
            if die == 1:
                self.gone([self.sailing], True)
                self.sailing = ""
            else:
                ports = oracle.open_ports(t)
                if len(ports) == 1:
                    self._land(["", "", "", ports.pop()])
            return
        c = self.combat
        assert c
        t.attacked |= set(c.units)
        self.attacks += 1
        c.result = oracle.result(t, c.units, c.hexes, die)
        defenders = [u for h in c.hexes for u in t.here(h)]
        if c.result == "EX":
            c.price = sum(UNITS[u].defense for u in defenders)
            c.winners = list(c.units)
            self.gone(defenders, True)
            if sum(UNITS[u].attack for u in c.units) <= c.price:
                self.gone(c.units, True)
                self.combat = None
            else:
                c.stage = "lose"
        elif c.result in {"DE", "AE"}:
            losers = defenders if c.result == "DE" else list(c.units)
            empty = sorted({t.at[u] for u in losers})
            winners = list(c.units) if c.result == "DE" else defenders
            self.gone(losers, True)
            self._advances(winners, empty)
        else:
            c.stage = "retreat"
            losers = defenders if c.result == "DR" else list(c.units)
            c.waiting = [u for u in losers if u not in t.garrison]
            c.empty = sorted({t.at[u] for u in c.waiting})
            c.winners = list(c.units) if c.result == "DR" else defenders
            self._stuck()

    def _lose(self, words: list[str]) -> None:
        c = self.combat
        assert c
        c.price -= UNITS[words[2]].attack
        c.winners.remove(words[2])
        self.gone([words[2]], True)
        if not c.winners:
            self.combat = None

    def _retreat(self, words: list[str]) -> None:
        c, unit = self.combat, words[2]
        assert c
        if self.t.who[unit] in GERMAN and oracle.theater(words[4]) != oracle.SIDE[self.t.who[unit]]:
            self.t.who[unit] = "WG" if self.t.who[unit] == "EG" else "EG"
        self.enter(unit, words[4])
        self.borders(unit)
        if UNITS[unit].front and words[4] in oracle.CAPITALS:
            self.t.garrison.add(unit)
        c.waiting.remove(unit)
        self._stuck()

    def _stuck(self) -> None:
        c = self.combat
        assert c
        if not any(oracle.retreat_hexes(self.t, u) for u in c.waiting):
            self.gone(c.waiting, True)
            c.waiting = []
            self._advances(c.winners, c.empty)

    def _advances(self, winners: list[str], empty: list[str]) -> None:
        c = self.combat
        assert c
        c.stage, c.winners = "advance", [u for u in winners if self.t.at[u] in HEXES]
        c.empty = [h for h in empty if not self.t.here(h)]

    def entries(self) -> set[tuple[str, str]]:
        """(unit, hex) of every advance that is open."""
        c = self.combat
        if not c or c.stage != "advance":
            return set()
        return {(u, h) for h in c.empty for u in c.winners if oracle.may_advance(self.t, u, h)}

    def _advance(self, words: list[str]) -> None:
        c, unit = self.combat, words[2]
        assert c
        self.enter(unit, words[4])
        self.borders(unit)
        if UNITS[unit].front and words[4] in oracle.CAPITALS:
            self.t.garrison.add(unit)
        c.winners.remove(unit)
        c.empty.remove(words[4])

    # What is allowed now

    def tidy(self) -> None:
        """Forgets a combat that asks for nothing more."""
        c = self.combat
        if c and c.stage == "advance" and not self.entries():
            self.combat = None

    def allowed(self) -> set[str] | None:
        """Every legal action, or None where this record has no opinion (a roll, the set-up)."""
        t, c = self.t, self.combat
        by = OWNER.get(t.force, "")
        if self.phase < 0 or self.sailing:
            return None
        if self.gate:
            return {f"{by} take {u}" for u in oracle.takeable(t, self.gate, self.taken)} | {f"{by} done"}
        if t.kind == "replacement":
            return oracle.replacement_lines(t, (self.rates[0], self.rates[1]))
        if t.kind == "movement":
            return None if t.turn == 1 and t.force == "WG" else oracle.movement_lines(t)
        if c is None:
            fresh = self._openable([], [])
            done = set() if t.turn == 1 and t.force == "WG" and self.attacks < 2 and fresh else {f"{by} done"}
            return {f"{by} target > {h}" for h in fresh} | done
        if c.stage == "declare":
            # The notation names all hexes before the attackers.
            found = set() if c.units else {f"{by} target > {h}" for h in self._openable(c.hexes, c.units)}
            found |= {f"{by} join {u}" for u in self._free(c.hexes) if u not in c.units}
            if c.units and oracle.odds(t, c.units, c.hexes):
                found.add(f"{by} done")
            return found
        if c.stage == "lose":
            found = {f"{by} lose {u}" for u in c.winners}
            return found | {f"{by} done"} if c.price <= 0 else found
        if c.stage == "retreat":
            return {f"{OWNER[t.who[u]]} retreat {u} > {h}" for u in c.waiting for h in oracle.retreat_hexes(t, u)}
        if c.stage == "advance":
            return {f"{OWNER[t.who[u]]} advance {u} > {h}" for u, h in self.entries()} | {f"{OWNER[t.who[c.winners[0]]]} done"}
        return None

    def _free(self, hexes: list[str]) -> list[str]:
        t = self.t
        ready = [u for u, h in t.at.items() if h in HEXES and t.who[u] == t.force and u not in t.attacked]
        return [u for u in ready if all(h in JOINED[t.at[u]] for h in hexes)]

    def _openable(self, hexes: list[str], units: list[str]) -> set[str]:
        """Hexes that may be attacked, together with those named, by the joined units and whoever else is free.

        More attackers never make an attack worse: strength grows, and the river advantage can only be lost.
        """
        t = self.t
        foes = {h for u, h in t.at.items() if h in HEXES and t.who[u] == ENEMY[t.force]} - set(hexes)
        found = set()
        for name in foes:
            together = [*hexes, name]
            crew = self._free(together)
            if crew and all(u in crew for u in units) and oracle.odds(t, crew, together):
                found.add(name)
        return found


def on_edge(name: str) -> bool:
    """An exit hex."""
    return any(edge(name, f"exit_{side}") for side in ("west", "east", "south"))
