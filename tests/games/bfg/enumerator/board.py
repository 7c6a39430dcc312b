"""The fixed facts as bit masks and small tables: hexes, sides, counters, phases, who is whose enemy.

A set of hexes is an int with one bit a hex (``BIT``), so that occupancy and ZOC of a whole force are one number.
"""

from __future__ import annotations

from tests.games.bfg.facts import CITIES, FEATURES, HEXES, JOINED, PLAYABLE, UNITS, cost, country, edge, river, rows, theater

BIT = {name: 1 << i for i, name in enumerate(HEXES)}
ZOC = {name: sum(BIT[n] for n in JOINED[name]) for name in HEXES}
"""4.0: the hexes around, but for those over a closed side (R-G27)."""
STEPS = {name: tuple((n, BIT[n], cost(name, n)) for n in JOINED[name] if n in PLAYABLE) for name in PLAYABLE}
RIVERS = frozenset((a, b) for a in HEXES for b in JOINED[a] if river(a, b))
WEST = frozenset(h for h in PLAYABLE if theater(h) == "west")
EAST = frozenset(h for h in PLAYABLE if theater(h) == "east")
YUGOSLAVIA = frozenset(h for h in PLAYABLE if country(h) == "yugoslavia")
ITALY = frozenset(h for h in PLAYABLE if country(h) == "italy")
EXITS = {side: frozenset(h for h in PLAYABLE if edge(h, f"exit_{side}")) for side in ("west", "east", "south")}
ENTRY = {
    box: tuple(sorted(h for h in PLAYABLE if edge(h, kind)))
    for box, kind in (("box-s", "entry_soviet"), ("box-w", "entry_west_allied"), ("box-italy", "entry_italy"))
}
FORTS = frozenset(h for h, kinds in FEATURES.items() if "fortified" in kinds)
_REACHED: dict[str, list[str]] = {}
for _city in CITIES:
    for _hex in (_city, *JOINED[_city]):
        _REACHED.setdefault(_hex, []).append(_city)
CITIES_OF = {name: tuple(cities) for name, cities in _REACHED.items()}
"""The cities that a unit in this hex stands in or beside (11.0, R-G92)."""

SHEET = {row["piece"]: row for row in rows("units")}
SS = frozenset(u for u, row in SHEET.items() if row["ss"] == "1")
PROPER = frozenset(u for u, row in SHEET.items() if row["soviet_proper"] == "1")
GROUP = {u: row["group"] for u, row in SHEET.items()}
POLES_EAST = frozenset(u for u, row in SHEET.items() if row["nation"] == "Communist Poland")
POLES_WEST = frozenset(u for u, row in SHEET.items() if row["nation"] == "Polish Exiles")
FRONTS = frozenset(u for u, unit in UNITS.items() if unit.front)
GERMANS = ("EG", "WG", "G")
HOME = {"S": "east", "EG": "east", "W": "west", "WG": "west"}

SCENARIOS = {row["scenario"]: row for row in rows("scenarios")}
OPTIONS = {row["option"]: row for row in rows("options")}
NAMES = {"S": "soviet", "W": "western-allied", "EG": "east-german", "WG": "west-german", "G": "german"}
PLAYER_TURNS = {"Soviet": "S", "Western Allied": "W", "East German": "EG", "West German": "WG", "German": "G"}


def phases(scenario: str) -> tuple[tuple[str, str, str], ...]:
    """(force that gives the player turn its name, acting force, kind) of every phase of a game turn, the turn phase left out."""
    found = [row for row in rows("phases") if row["scenario"] == scenario and row["phase"] != "turn"]
    found.sort(key=lambda row: int(row["order"]))
    return tuple((PLAYER_TURNS[row["player_turn"]], row["force"], row["phase"].replace("_", "-")) for row in found)


PHASES = {scenario: phases(scenario) for scenario in SCENARIOS}


def owners(scenario: str) -> dict[str, str]:
    """Who runs which force (R-G120)."""
    if scenario == "three_player":
        return {"S": "soviet", "W": "western-allied", "G": "german"}
    if scenario == "four_player":
        return {"S": "soviet", "W": "western-allied", "EG": "east-german", "WG": "west-german"}
    return {"S": "soviet", "WG": "soviet", "W": "western-allied", "EG": "western-allied"}


OWNERS = {scenario: owners(scenario) for scenario in SCENARIOS}


def enemies(scenario: str, options: frozenset[str], regime: str) -> dict[str, tuple[str, ...]]:
    """R-G22: who may attack whom, and so whose ZOC binds whom.

    Reading (17.3, R-G24's switch): with own front only, S-WG and W-EG are no enemies in anything: no attack either way, no ZOC.
    """
    pairs = [("S", "EG"), ("W", "WG")]
    if scenario == "four_player" and "17.3/own-front" not in options:
        pairs += [("S", "WG"), ("W", "EG")]
    elif scenario == "collapse":
        pairs = [("S", "EG")]
    elif scenario == "three_player":
        pairs = [("S", "G"), ("W", "G")]
    elif scenario == "rsws" or regime == "after-berlin":
        pairs = [] if "13.1/race" in options else [("S", "W")]
    found: dict[str, tuple[str, ...]] = {"S": (), "W": (), "EG": (), "WG": (), "G": ()}
    for a, b in pairs:
        found[a] += (b,)
        found[b] += (a,)
    return found


def checked(scenario: str, options: frozenset[str]) -> None:
    """Raises ValueError for an unknown scenario or a set of options that R-G117 refuses."""
    if scenario not in SCENARIOS:
        raise ValueError(f"scenario {scenario}: must be one of {', '.join(SCENARIOS)}")
    for option in sorted(options):
        if option not in OPTIONS:
            raise ValueError(f"option {option}: must be one of {', '.join(OPTIONS)}")
        row = OPTIONS[option]
        if scenario not in row["scenarios"].split(";"):
            raise ValueError(f"option {option}: not in scenario {scenario}")
        for need in filter(None, row["needs"].split(";")):
            if need not in options:
                raise ValueError(f"option {option}: needs {need}")
        for other in filter(None, row["excludes"].split(";")):
            if other in options:
                raise ValueError(f"option {option}: not together with {other}")
