"""State (what must be remembered), the roster of units, and what is derived from both: who stands where, whose ZOC reaches."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from gamebox.model import Box
from referee.games.battle_for_germany.land import Land
from referee.rules.model import Position

S, W, EG, WG = 0, 1, 2, 3
"""The forces (2.5). Hungarians are EG, Yugoslavs and the Soviet allies are S (R-G23, R-G74)."""

FORCES = ("S", "W", "EG", "WG")
FORCE_NAMES = ("Soviet", "Western Allied", "East German", "West German")
GERMANS = (EG, WG)

HOLD_GERMAN, HOLD_S, HOLD_W = 0, 1, 2
"""City holders (11.0, R-G89): EG and WG are one German holder."""

HOLDER_OF = (HOLD_S, HOLD_W, HOLD_GERMAN, HOLD_GERMAN)
"""Force -> holder."""
HOLDER_NAMES = ("German", "Soviet", "Western Allied")


class Roster(msgspec.Struct, frozen=True):
    """The 119 units as parallel tables, in the order of the box; a unit is its index."""

    ids: tuple[str, ...]
    index: dict[str, int]
    names: tuple[str, ...]
    attack: tuple[int, ...]
    defence: tuple[int, ...]
    move: tuple[int, ...]
    force: bytes
    """The force a unit begins in; what it is now is in the position (5.2.1)."""
    front: int
    """The 8-20-3 units, as a set of bits (5.1, 10.0)."""
    yugoslav: int
    ss: int
    replaceable: int
    """Those that may return (7.1.b2)."""
    nation: tuple[str, ...]

    def label(self, unit: int) -> str:
        """The unit as a player would say it: ``1 Gds 7-7-4``."""
        return f"{self.names[unit]} {self.attack[unit]}-{self.defence[unit]}-{self.move[unit]}"


def compile_roster(box: Box) -> Roster:
    """Reads the counters of the box."""
    rows = [p.row for p in box.pieces]

    def bits(column: str) -> int:
        return sum(1 << i for i, r in enumerate(rows) if r.flag(column))

    return Roster(
        ids=tuple(p.id for p in box.pieces),
        index={p.id: i for i, p in enumerate(box.pieces)},
        names=tuple(p.name for p in box.pieces),
        attack=tuple(r.int("attack") for r in rows),
        defence=tuple(r.int("defense") for r in rows),
        move=tuple(r.int("move") for r in rows),
        force=bytes(FORCES.index(r.text("side")) for r in rows),
        front=bits("front"),
        yugoslav=bits("yugoslav"),
        ss=bits("ss"),
        replaceable=bits("replaceable"),
        nation=tuple(r.text("nation") for r in rows),
    )


class Pos(Position, frozen=True, dict=True):
    """A position. Unit sets are ints used as bits; ``at`` and ``force`` are indexed by unit."""

    at: tuple[int, ...]
    force: bytes
    """Identity now: a German driven over the boundary changes it (5.2.1)."""
    holders: bytes
    """Per city its holder (11.0)."""
    phase: int = -1
    """Index into the scenario's phases; -1 before turn 1."""
    moved: int = 0
    attacked: int = 0
    doubled: int = 0
    """Germans that returned this game turn (7.2.b2)."""
    locked: int = 0
    """Replacements that arrived in an enemy ZOC: no move in the next Movement Phase of their force (7.2.f, R-G29)."""
    flipped: int = 0
    """To be removed at the end of the Movement Phase (9.0.a3)."""
    garrison: int = 0
    """Fronts fixed in a capital (10.0)."""
    abroad: tuple[tuple[int, int], ...] = ()
    """Units across the Yugoslav border by retreat, with the game turn of the crossing (5.3, R-G39, R-G40)."""
    forts_gone: int = 0
    ports_entered: int = 0
    """Stettin, Rostock: bits of those ever entered by S or W (8.0.p6)."""
    berlin_first: tuple[int, int, int] = (-1, 0, 0)
    """Who entered Berlin first, on which turn and in which phase (R-G87)."""
    berlin_seen: int = 0
    """Bits of the forces that were ever in Berlin."""
    attempts: int = 0
    """Evacuations tried in this game (8.0.p7)."""
    rates: tuple[int, int] = (0, 0)
    """Replacements left this phase: the force's own rate, and the one for Italy (7.2)."""
    mandated: tuple[int, int] = (0, 0)
    """12.2 on turn 1: attacks made by WG, and how many of the two were possible when its Movement Phase began (R-G62)."""
    result: str = ""


class Board:
    """Derived from a position: who stands where and whose ZOC reaches. Lives beside the position, never in it."""

    __slots__ = ("cache", "occ", "ways")

    def __init__(self, occ: dict[int, tuple[int, ...]], cache: dict[tuple[str, int], bytes]) -> None:
        self.occ = occ
        """Hex -> the units in it, ascending."""
        self.cache = cache
        """(what, force) -> byte table; what it holds depends on the *other* forces' places only."""
        self.ways: dict[tuple[int, int, int, bool], tuple[int, ...] | None] = {}
        """(unit, goal, MPs, lenient map) -> the cheapest lawful way, as found when the move was checked: playing it asks again."""


def board(p: Pos, land: Land) -> Board:
    """The position's board, built once a position."""
    known: Board | None = p.__dict__.get("board")
    if known is not None:
        return known
    occ: dict[int, tuple[int, ...]] = {}
    size = land.size
    for unit, node in enumerate(p.at):
        if node < size:
            occ[node] = (*occ.get(node, ()), unit)
    fresh = Board(occ, {})
    p.__dict__["board"] = fresh
    return fresh


def hand_on(p: Pos, land: Land, force: int, units: Iterable[int], before: Pos) -> None:
    """Gives ``p`` the board of its predecessor, adjusted: nothing but the places of ``units``, all of ``force``, has changed.

    Tables about the places of other forces stay true for the force that moved, and for nobody else.
    """
    old = board(before, land)
    occ = old.occ.copy()
    for unit in units:
        start, goal = before.at[unit], p.at[unit]
        if start < land.size:
            rest = tuple(u for u in occ[start] if u != unit)
            if rest:
                occ[start] = rest
            else:
                del occ[start]
        if goal < land.size:
            occ[goal] = tuple(sorted((*occ[goal], unit))) if goal in occ else (unit,)
    p.__dict__["board"] = Board(occ, {key: value for key, value in old.cache.items() if key[1] == force})


def altered(p: Pos, **changes: object) -> Pos:
    """The position with other values in fields that are no unit's place and no unit's force: its board stays true."""
    q = replace(p, **changes)
    if (known := p.__dict__.get("board")) is not None:
        q.__dict__["board"] = known
    return q


def units_in(bits: int) -> list[int]:
    """The units of a set, ascending."""
    found: list[int] = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found
