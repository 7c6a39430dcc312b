"""The box of Battle for Germany as the checker reads it: straight from the CSV files, with its own hex arithmetic.

Imports nothing of ``gamebox`` or ``referee``: what the engine gets wrong must not be wrong here too.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

DATA = Path(__file__).resolve().parents[3] / "data" / "battle-for-germany"
CLOSED = ("sea", "lake", "blocked", "swiss_border")
"""Hexsides that nothing crosses and over which no ZOC reaches (4.0.d, R-G27, R-G43)."""


def rows(name: str) -> list[dict[str, str]]:
    """The rows of one file."""
    with (DATA / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


@dataclass(frozen=True)
class Unit:
    """One counter as printed."""

    piece: str
    nation: str
    force: str
    attack: int
    defense: int
    move: int
    front: bool
    yugoslav: bool
    replaceable: bool


def split(name: str) -> tuple[int, int]:
    """Row and column of a hex."""
    return int(name[:2]), int(name[2:])


def around(name: str) -> tuple[str, ...]:
    """The hexes next to a hex. Odd rows lie half a hex west of even ones."""
    r, c = split(name)
    low = c - 1 if r % 2 else c
    places = [(r, c - 1), (r, c + 1), (r - 1, low), (r - 1, low + 1), (r + 1, low), (r + 1, low + 1)]
    return tuple(f"{a:02}{b:02}" for a, b in places if 1 <= a <= 39 and 1 <= b <= 26)


_HALVES = {f"{r:02}{c:02}": (r, 2 * c - r % 2) for r in range(1, 40) for c in range(1, 27)}
"""Row, and half hex widths from the west edge."""


def apart(a: str, b: str) -> int:
    """Hex distance over whatever lies between: a step to another row may go half a hex sideways for nothing."""
    (r1, x1), (r2, x2) = _HALVES[a], _HALVES[b]
    rows_apart, halves = abs(r1 - r2), abs(x1 - x2)
    return rows_apart + max(0, halves - rows_apart) // 2


HEXES = {row["hex"]: row for row in rows("hexes")}
UNITS = {
    row["piece"]: Unit(
        row["piece"],
        row["nation"],
        row["side"],
        int(row["attack"]),
        int(row["defense"]),
        int(row["move"]),
        row["front"] == "1",
        row["yugoslav"] == "1",
        row["replaceable"] == "1",
    )
    for row in rows("units")
}
SIDES: dict[frozenset[str], set[str]] = {}
for _row in rows("hexsides"):
    SIDES.setdefault(frozenset((_row["hex_a"], _row["hex_b"])), set()).add(_row["feature"])
FEATURES: dict[str, set[str]] = {}
for _row in rows("features"):
    FEATURES.setdefault(_row["hex"], set()).add(_row["feature"])
CITIES = {row["hex"]: row for row in rows("cities")}
CAPITALS = {h for h, row in CITIES.items() if row["capital"] == "1"}
CRT = {(row["odds"], int(row["die"])): row["result"] for row in rows("crt")}
RATES = {(int(row["turn"]), row["rate"]): int(row["number"]) for row in rows("rates")}
COURLAND = ("3822", "3823", "3824", "3923", "3924")
COASTAL = ("3822", "3923")
PORTS = ("2815", "2912")
BERLIN = "2613"
TERRAIN = {row["kind"]: row for row in rows("terrain")}
NEAR = {name: around(name) for name in HEXES}
PLAYABLE = {name for name, row in HEXES.items() if row["playable"] == "1"}


def features(a: str, b: str) -> set[str]:
    """What lies on the side between two hexes."""
    return SIDES.get(frozenset((a, b)), set())


def closed(a: str, b: str) -> bool:
    """A side that stops movement, attack and ZOC."""
    return any(kind in features(a, b) for kind in CLOSED)


def river(a: str, b: str) -> bool:
    """A river side."""
    return "river" in features(a, b)


JOINED = {name: tuple(n for n in NEAR[name] if not closed(name, n)) for name in HEXES}
"""Neighbours over sides that are open to ZOC and attack, whatever the hexes are."""


@cache
def cost(a: str, b: str) -> int:
    """MPs to go from one hex into the next one (TEC)."""
    extra = int(TERRAIN["river"]["extra_cost"]) if river(a, b) else 0
    return int(TERRAIN[HEXES[b]["terrain"]]["enter_cost"]) + extra


def theater(name: str) -> str:
    """west, east, both (Berlin) or none."""
    return HEXES[name]["theater"]


def country(name: str) -> str:
    """The country a hex lies in."""
    return HEXES[name]["country"]


def edge(name: str, kind: str) -> bool:
    """A mark of the ``edge`` or ``entry`` column."""
    return kind in HEXES[name]["edge"].split(";") or kind in HEXES[name]["entry"].split(";")
