"""The roster of units, and what is derived from it and from the state: who stands where, whose ZOC reaches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import compress, count
from operator import not_
from typing import Final

from msgspec.structs import replace

from gamebox.model import Box, Row
from referee.games.battle_for_germany.land import Land
from referee.games.battle_for_germany.state import Pos

S: Final = 0
W: Final = 1
EG: Final = 2
WG: Final = 3
G: Final = 4
"""The forces (2.5). Hungarians are EG, Yugoslavs and the Soviet allies are S (R-G23, R-G74). With three players all Germans are
one force, G (16.0, R-G106)."""

FORCES: Final = ("S", "W", "EG", "WG", "G")
FORCE_NAMES: Final = ("Soviet", "Western Allied", "East German", "West German", "German")
GERMANS: Final = (EG, WG, G)

HOLD_GERMAN: Final = 0
HOLD_S: Final = 1
HOLD_W: Final = 2
"""City holders (11.0, R-G89): EG and WG are one German holder."""

HOLDER_OF: Final = (HOLD_S, HOLD_W, HOLD_GERMAN, HOLD_GERMAN, HOLD_GERMAN)
"""Force -> holder."""
HOLDER_NAMES: Final = ("German", "Soviet", "Western Allied")


@dataclass(frozen=True, slots=True)
class Roster:
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
    soviet_proper: int
    """Soviet units, their allies not counted (18.1.p7)."""
    commonwealth: int
    """British, Canadian, Polish Exile (18/5.3.a, 18.1.p16)."""
    american: int
    """US units, the French not counted (18.1.p16)."""
    us_french: int
    """US and French units, which stack freely (18/5.3.b)."""
    communist_poles: int
    exile_poles: int
    """The two that do not attack each other (13.1.p4, 15.2.f)."""
    nation: tuple[str, ...]

    def label(self, unit: int) -> str:
        """The unit as a player would say it: ``1 Gds 7-7-4``."""
        return f"{self.names[unit]} {self.attack[unit]}-{self.defence[unit]}-{self.move[unit]}"


def compile_roster(box: Box, *, one_germany: bool = False) -> Roster:
    """Reads the counters of the box; with ``one_germany`` every German is of force G (16.0).

    Sides are those of the set-up chart, whatever a counter's colour or the list of 2.5 seems to say (R-G20, R-G109)."""
    rows = [p.row for p in box.pieces]

    def bits(column: str) -> int:
        return sum(1 << i for i, r in enumerate(rows) if r.flag(column))

    def where(column: str, *values: str) -> int:
        return sum(1 << i for i, r in enumerate(rows) if r.text(column) in values)

    def force(row: Row) -> int:
        its = FORCES.index(row.text("side"))
        return G if one_germany and its in GERMANS else its

    return Roster(
        ids=tuple(p.id for p in box.pieces),
        index={p.id: i for i, p in enumerate(box.pieces)},
        names=tuple(p.name for p in box.pieces),
        attack=tuple(r.int("attack") for r in rows),
        defence=tuple(r.int("defense") for r in rows),
        move=tuple(r.int("move") for r in rows),
        force=bytes(map(force, rows)),
        front=bits("front"),
        yugoslav=bits("yugoslav"),
        ss=bits("ss"),
        replaceable=bits("replaceable"),
        soviet_proper=bits("soviet_proper"),
        commonwealth=where("group", "commonwealth"),
        american=where("group", "us"),
        us_french=where("group", "us", "french"),
        communist_poles=where("nation", "Communist Poland"),
        exile_poles=where("nation", "Polish Exiles"),
        nation=tuple(r.text("nation") for r in rows),
    )


_FEW_GONE: Final = 16
"""Units that may have gone where the dictionary is not made anew to see who stands in a hex."""
_MOST_GONE: Final = 32
"""Units that may have gone before the dictionary of a board is made anew."""


class Ground:
    """What the places of the *other* forces make of the map for one force: byte tables by node, empty until somebody asks."""

    __slots__ = (
        "closed",
        "contested",
        "disorder",
        "doubtful",
        "foes",
        "held",
        "held_or_berlin",
        "holders",
        "told",
        "zoc",
    )

    def __init__(self) -> None:
        self.foes: set[int] | None = None
        """Where its enemies are, boxes included; None = not asked yet."""
        self.zoc = b""
        """1 where an enemy has a ZOC (4.0)."""
        self.held = b""
        """1 where another force stands (5.0.a3)."""
        self.held_or_berlin = b""
        """The same for units that are barred from Berlin (5.2.1.p3)."""
        self.closed = [b"", b"", b"", b""]
        """By what of the borders depends on the unit (``Setting.kinds``), 1 where one on its own side of them may not go: ``barriers``."""
        self.contested = -1
        """Cities with a unit of another holder in them or next to them, as in ``Land.noted``; -1 = not asked yet."""
        self.disorder = -1
        """What of them a breach of 5.0.a3 keeps in doubt (``changes._telling``); -1 = not asked yet."""
        self.holders = b""
        self.told = 0
        """With these city holders: what a unit of the force has to look at whenever it comes by (``changes.touched``)."""
        self.doubtful = 0
        """With them: what of ``contested`` is not in that."""


class Fighting:
    """What combat asks of one position more than once."""

    __slots__ = ("open", "strengths")

    def __init__(self) -> None:
        self.open: dict[tuple[int, int], bool] = {}
        """(unit, hex beside it) -> whether it is open to its retreat."""
        self.strengths: dict[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]], tuple[int, int]] = {}
        """(attackers, hexes, units attacked alone) -> attack and defence."""


class Board:
    """Derived from a position: who stands where and whose ZOC reaches. Lives beside the position, never in it."""

    __slots__ = ("_known", "_since", "fighting", "grounds", "near_cities")

    def __init__(
        self,
        known: dict[int, tuple[int, ...]],
        since: list[tuple[int, int, int]],
        grounds: dict[int, Ground],
        near_cities: list[list[int]],
    ) -> None:
        self._known = known
        self._since = since
        """(unit, from, to): who has gone since then; put into the dictionary when somebody asks who stands where."""
        self.grounds = grounds
        """By force."""
        self.near_cities = near_cities
        """Per holder, how many of its units are in each city or next to it; not to be changed. Empty = not asked yet."""
        self.fighting: Fighting | None = None

    @property
    def occ(self) -> dict[int, tuple[int, ...]]:
        """Hex -> the units in it, ascending."""
        if self._since:
            occ = self._known.copy()
            for unit, start, goal in self._since:
                there = occ.get(start, ())  # it may come from a box
                if len(there) > 1:
                    occ[start] = tuple([u for u in there if u != unit])
                elif there:
                    del occ[start]
                if goal >= 0:
                    occ[goal] = tuple(sorted((*occ[goal], unit))) if goal in occ else (unit,)
            self._known, self._since = occ, []
        return self._known

    def there(self, node: int) -> tuple[int, ...]:
        """Who stands in one hex, ascending. In combat few have gone since, and few hexes are asked about."""
        if len(self._since) > _FEW_GONE:
            return self.occ.get(node, ())
        units = self._known.get(node, ())
        for unit, start, goal in self._since:
            if start == node:
                units = tuple([u for u in units if u != unit])
            if goal == node:
                units = tuple(sorted((*units, unit)))
        return units

    def crowded(self) -> list[int]:
        """The hexes with more than one unit, ascending."""
        return sorted([node for node, units in self.occ.items() if len(units) > 1])

    def after(self, unit: int, start: int, goal: int, grounds: dict[int, Ground], near_cities: list[list[int]]) -> Board:
        """The board when one unit, and nobody else, has gone somewhere else (``goal`` -1: off the map), with what stays true of the
        grounds: that of its own force, as long as it belongs to it; and with who is near the cities then (``gone_by``)."""
        known = self._known if len(self._since) < _MOST_GONE else self.occ
        return Board(known, [*self._since, (unit, start, goal)], grounds, near_cities)

    def ground(self, force: int) -> Ground:
        """What was derived for one force from the places of the others."""
        known = self.grounds.get(force)
        if known is None:
            known = self.grounds[force] = Ground()
        return known


def board(p: Pos, land: Land) -> Board:
    """The position's board, built once a position."""
    try:
        known: Board = p.__dict__["board"]
    except KeyError:
        known = p.__dict__["board"] = Board(_standing(p.at, land.size), [], {}, [])
    return known


def fighting(p: Pos, land: Land) -> Fighting:
    """What combat has asked of the position so far; kept with its board."""
    here: Board = p.__dict__.get("board") or board(p, land)
    found = here.fighting
    if found is None:
        found = here.fighting = Fighting()
    return found


_ALONE: Final = tuple([(unit,) for unit in range(256)])


def _standing(at: tuple[int, ...], size: int) -> dict[int, tuple[int, ...]]:
    """Hex -> the units in it, ascending."""
    occ: dict[int, tuple[int, ...]] = {}
    for node, unit in zip(at, _ALONE, strict=False):
        if node < size:
            there = occ.get(node)
            occ[node] = unit if there is None else there + unit
    return occ


@cache
def _members(forces: int) -> bytes:
    """Force -> 1 for those of a set (bits), 0 for others: a table for ``bytes.translate``."""
    return bytes(forces >> force & 1 for force in range(256))


def units_of(p: Pos, forces: int) -> Iterator[int]:
    """The units that belong to any of the ``forces`` (bits), ascending, wherever they are."""
    return compress(count(), p.force.translate(_members(forces)))


def units_where(p: Pos, forces: int, table: bytes) -> list[int]:
    """The units of any of the ``forces`` (bits) that are where ``table``, by node, has a 1; ascending."""
    at = p.at
    return [u for u in units_of(p, forces) if table[at[u]]]


def places_of(p: Pos, forces: int) -> set[int]:
    """Where units of any of the ``forces`` (bits) are, boxes included."""
    return set(each_place_of(p, forces))


def each_place_of(p: Pos, forces: int) -> Iterable[int]:
    """The same of unit after unit, a place as often as units are there."""
    return compress(p.at, p.force.translate(_members(forces)))


def anywhere(p: Pos, force: int, table: bytes) -> bool:
    """Whether a unit of a force is where ``table``, by node, has a 1."""
    forces = p.force
    return any(table[node] and forces[unit] == force for unit, node in enumerate(p.at))


def near_cities(p: Pos, land: Land) -> list[list[int]]:
    """``Board.near_cities`` of the position."""
    here = board(p, land)
    if not here.near_cities:
        near, forces = [[0] * len(land.cities) for _ in HOLDER_NAMES], p.force
        for unit, node in enumerate(p.at):
            for city in land.cities_near[node]:
                near[HOLDER_OF[forces[unit]]][city] += 1
        here.near_cities = near
    return here.near_cities


def gone_by(land: Land, near: list[list[int]], force: int, start: int, goal: int) -> list[list[int]]:
    """``Board.near_cities`` when one unit of the force has gone from a place to another."""
    if not near:
        return near
    near, holder = near.copy(), HOLDER_OF[force]
    near[holder] = mine = near[holder].copy()
    for city in land.cities_near[start]:
        mine[city] -= 1
    for city in land.cities_near[goal]:
        mine[city] += 1
    return near


def beside(p: Pos, land: Land, forces: int, places: set[int]) -> Iterator[int]:
    """The units of the ``forces`` (bits) that are next to one of these places, ascending: over sides that let ZOC and attacks pass."""
    units = tuple(units_of(p, forces))
    apart = map(places.isdisjoint, map(land.near.__getitem__, map(p.at.__getitem__, units)))
    return compress(units, map(not_, apart))


def hand_on(p: Pos, land: Land, force: int, units: Iterable[int], before: Pos) -> None:
    """Gives ``p`` the board of its predecessor, adjusted: nothing but the places of ``units``, all of ``force``, has changed.

    What was derived from the places of other forces stays true for the force that moved, and for nobody else.
    """
    here = board(before, land)
    for unit in units:
        goal = p.at[unit]
        start = before.at[unit]
        near = gone_by(land, here.near_cities, force, start, goal)
        here = here.after(unit, start, goal if goal < land.size else -1, {force: here.ground(force)}, near)
    p.__dict__["board"] = here


def altered(p: Pos, **changes: object) -> Pos:
    """The position with other values in fields that are no unit's place and no unit's force: its board stays true."""
    q = replace(p, **changes)
    if (known := p.__dict__.get("board")) is not None:
        q.__dict__["board"] = known
    return q


def at_rest(p: Pos) -> Pos:
    """The position with nothing pending: only the frame of its phase is left."""
    return p if len(p.agenda) == 1 else altered(p, agenda=p.agenda[:1])


def units_in(bits: int) -> list[int]:
    """The units of a set, ascending."""
    found: list[int] = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found
