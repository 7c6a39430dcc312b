"""The map (2.2) and the charts (2.3) compiled to integers: nodes, edges, and byte tables that the rules read.

Nodes 0.. are the hexes in the order of the box; after them come the Destroyed Units boxes, the place of units not yet set
up, and the place of those out of the game. ``lenient`` compiles the same box with every reconstructed cell at its most
lenient value (what a player could claim of the printed map), for telling *doubtful* from *illegal*.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gamebox.model import Box, Row, Table
from referee.rules.graph import Edges, Free, lower_bounds, turned

WEST: Final = 1
EAST: Final = 2
BOTH: Final = 3
"""Theaters (5.2): bits, so that Berlin, which lies on the boundary, is in both (R-G35)."""

EDGES: Final = ("west", "east", "south")
"""Exit stretches of 9.0, in the order of ``Land.exits``."""


_MOST_KEPT: Final = 512
"""Places for which ways are kept."""
_BOUND_MPS: Final = 8
"""The longest printed allowance: as far as bounds for the search need tell distances apart."""


@dataclass(frozen=True, slots=True)
class Land:
    """Everything the rules ask of the map. Tables are indexed by node; ``size`` counts hexes only."""

    size: int
    names: tuple[str, ...]
    nodes: dict[str, int]
    edges: Edges
    """Steps a unit may take: (neighbour, MP cost), over sides that can be crossed, into hexes that can be entered (5.0.a2)."""
    into: Edges
    """The same turned round: (where the step comes from, MP cost), ascending."""
    near: tuple[tuple[int, ...], ...]
    """Neighbours over sides that let ZOC pass (4.0.d); the same sides let attack, retreat and advance pass (R-G43)."""
    around: tuple[int, ...]
    """``near`` of each hex as a byte table with 1s, written as one number: whole tables of ZOC are put together by ``|``."""
    touching: tuple[tuple[int, ...], ...]
    """All six neighbours on the grid, whatever the side."""
    playable: bytes
    broken: bytes
    rivers: frozenset[tuple[int, int]]
    """Both orders of each pair of hexes parted by a river."""
    theater: bytes
    sure_land: bytes
    """1 where it is certain that the hex can be entered."""
    sure_theater: bytes
    """1 where the hex's theater does not rest on a reconstructed cell."""
    yugoslavia: bytes
    sure_country: bytes
    italy: bytes
    forts: dict[int, int]
    """Fortified hex -> its bit in ``Pos.forts_gone`` (6.4.c1)."""
    cities: tuple[int, ...]
    city_names: tuple[str, ...]
    city_vps: tuple[int, ...]
    capital: bytes
    city_at: dict[int, int]
    cities_near: tuple[tuple[int, ...], ...]
    """Per node the cities in it or next to it, over sides that let ZOC pass (11.0, R-G92)."""
    noted: tuple[int, ...]
    """Where entering a hex can have an effect beyond standing there, as bits: the lowest for the cities in it or next to it, in their
    order; above them a fortification; a port, Berlin."""
    city_notes: tuple[int, ...]
    each_city: int
    """Such bits of each city; of all of them."""
    fort_note: int
    entry_note: int
    """These bits: fortifications; ports and Berlin."""
    berlin: int
    courland: frozenset[int]
    courland_ports: frozenset[int]
    ports: tuple[int, ...]
    """Stettin and Rostock (8.0): where the evacuated land."""
    exits: tuple[bytes, bytes, bytes]
    entry_soviet: bytes
    entry_west: bytes
    entry_italy: bytes
    beside_berlin: tuple[int, ...]
    axial: tuple[tuple[int, int], ...]
    certain_terrain: frozenset[tuple[str, int]]
    """(effect, node) of broken and fortified hexes that are not merely reconstructed: their multiplier is not in doubt."""
    lenient: bool
    bounds: dict[int, bytes]
    frees: dict[int, Free]
    box_s: int
    box_w: int
    box_italy: int
    box_eg: int
    box_wg: int
    unplaced: int
    off: int
    """Out of the game: exited, removed by an exit (9.0.a5), never to return (9.0.a6)."""

    def distance(self, a: int, b: int) -> int:
        """Hexes between two hexes, over sea and closed sides alike (R-G80)."""
        (qa, ra), (qb, rb) = self.axial[a], self.axial[b]
        dq, dr = qa - qb, ra - rb
        return max(abs(dq), abs(dr), abs(dq + dr))

    def bound(self, goal: int) -> bytes:
        """Least cost from each node to ``goal``, for the search; forgotten when there are very many."""
        table = self.bounds.get(goal)
        if table is None:
            if len(self.bounds) >= _MOST_KEPT:
                self.bounds.clear()
            table = self.bounds[goal] = lower_bounds(self.into, goal, _BOUND_MPS)
        return table

    def free(self, start: int, mps: int) -> Free:
        """The cheapest ways from a hex with no unit in the way, for ``mps`` MPs at least; forgotten when there are very many."""
        found = self.frees.get(start)
        if found is None:
            if len(self.frees) >= _MOST_KEPT:
                self.frees.clear()
            found = self.frees[start] = Free(self.edges, start, mps)
        elif found.limit < mps:
            found.look_further(self.edges, mps)
        return found

    def name(self, node: int) -> str:
        """The hex number, or the id of a box."""
        return self.names[node]


BOXES: Final = ("box-s", "box-w", "box-italy", "box-eg", "box-wg", "unplaced", "off")


def compile_land(box: Box, *, lenient: bool = False) -> Land:
    """Reads the map tables of the box (hexes, hexsides, cities, features, regions, terrain)."""
    hexes = box["hexes"]
    grid = box.grid
    if grid is None:
        raise ValueError("this game is played on a hex grid, and the box has none")
    names = [row.key for row in hexes]
    nodes = {name: i for i, name in enumerate(names)}
    size = len(names)
    nodes.update({name: size + i for i, name in enumerate(BOXES)})
    all_names = (*names, *BOXES)
    total = len(all_names)
    playable = bytearray(total)
    broken = bytearray(total)
    theater = bytearray(total)
    yugoslavia = bytearray(total)
    italy = bytearray(total)
    sure_theater = bytearray(total)
    sure_country = bytearray(total)
    certain_land = bytearray(total)
    for i, row in enumerate(hexes):
        certain_land[i] = row.source("playable").certain
        playable[i] = row.flag("playable") or (lenient and not certain_land[i])
        broken[i] = row.text("terrain") == "broken"
        theater[i] = {"west": WEST, "east": EAST, "both": BOTH}.get(row.text("theater"), 0)
        sure_theater[i] = row.source("theater").certain
        sure_country[i] = row.source("country").certain
        if lenient and not sure_theater[i]:
            theater[i] = BOTH
        yugoslavia[i] = row.text("country") == "yugoslavia"
        italy[i] = row.text("country") == "italy"
    axial = tuple(_axial(int(name[:2]), int(name[2:])) for name in names)
    by_axial = {a: i for i, a in enumerate(axial)}
    touching = tuple(tuple(sorted(by_axial[q + dq, r + dr] for dq, dr in _DIRECTIONS if (q + dq, r + dr) in by_axial)) for q, r in axial)
    terrain = box["terrain"]
    enter = {"clear": terrain["clear"].int("enter_cost", 1), "broken": terrain["broken"].int("enter_cost", 2)}
    river_cost = terrain["river"].int("extra_cost")
    rivers, no_zoc, no_way = _sides(box["hexsides"], terrain, nodes, lenient=lenient)
    edges: list[tuple[tuple[int, int], ...]] = []
    shared: dict[tuple[int, int], tuple[int, int]] = {}  # one pair for all steps that are the same: a third of the memory to walk over
    near: list[tuple[int, ...]] = []
    for i in range(size):
        steps: list[tuple[int, int]] = []
        open_sides: list[int] = []
        for j in touching[i] if playable[i] else ():
            if not playable[j]:
                continue
            if (i, j) not in no_zoc:
                open_sides.append(j)
            if (i, j) not in no_way:
                cost = 1 if lenient else enter["broken" if broken[j] else "clear"] + (river_cost if (i, j) in rivers else 0)
                steps.append(shared.setdefault((j, cost), (j, cost)))
        edges.append(tuple(steps))
        near.append(tuple(open_sides))
    edges.extend(() for _ in BOXES)
    steps_from = tuple(edges)
    near.extend(() for _ in BOXES)
    features = box["features"]
    forts = sorted(nodes[r.text("hex")] for r in features if r.text("feature") == "fortified")
    cities = [r for r in box["cities"]]
    city_nodes = tuple(nodes[r.text("hex")] for r in cities)
    city_at = {n: i for i, n in enumerate(city_nodes)}
    cities_near: list[tuple[int, ...]] = [()] * total
    for i in range(size):
        cities_near[i] = tuple(sorted(city_at[n] for n in (i, *near[i]) if n in city_at))
    berlin = next(i for i, row in enumerate(hexes) if row.text("theater") == "both")
    theater[berlin] = BOTH
    ports = tuple(sorted(nodes[r.text("hex")] for r in features if r.text("feature") == "port"))
    courland = frozenset(nodes[h] for h in box["regions"]["courland"].items("hexes"))
    courland_ports = frozenset(nodes[r.text("hex")] for r in features if r.text("feature") == "port_courland")
    fort_note, entry_note = 1 << len(cities), 2 << len(cities)
    city_notes = tuple(1 << city for city in range(len(cities)))
    noted = tuple(
        sum(city_notes[city] for city in cities_near[i])
        + (fort_note if i in forts else 0)
        + (entry_note if i in ports or i == berlin else 0)
        for i in range(total)
    )
    edge = {tag: bytearray(total) for tag in ("exit_west", "exit_east", "exit_south", "entry_soviet", "entry_west_allied", "entry_italy")}
    for i, row in enumerate(hexes):
        for tag in (*row.items("edge"), *row.items("entry")):  # exits rest on 9.0, entries on 7.2: two columns, two sources
            if tag in edge:
                edge[tag][i] = 1
    if lenient:
        _lenient_entries(edge, names, playable)
    return Land(
        size=size,
        names=all_names,
        nodes=nodes,
        edges=steps_from,
        into=turned(steps_from),
        near=tuple(near),
        around=tuple(sum(1 << 8 * n for n in there) for there in near),
        touching=touching,
        playable=bytes(playable),
        broken=bytes(broken),
        rivers=frozenset(rivers),
        theater=bytes(theater),
        sure_land=bytes(certain_land[i] and playable[i] for i in range(total)),
        sure_theater=bytes(sure_theater),
        yugoslavia=bytes(yugoslavia),
        sure_country=bytes(sure_country),
        italy=bytes(italy),
        forts={n: 1 << i for i, n in enumerate(forts)},
        cities=city_nodes,
        city_names=tuple(r.text("name") for r in cities),
        city_vps=tuple(r.int("vp") for r in cities),
        capital=bytes(1 if i in city_at and cities[city_at[i]].flag("capital") else 0 for i in range(total)),
        city_at=city_at,
        cities_near=tuple(cities_near),
        noted=noted,
        city_notes=city_notes,
        each_city=sum(city_notes),
        fort_note=fort_note,
        entry_note=entry_note,
        berlin=berlin,
        courland=courland,
        courland_ports=courland if lenient else courland_ports,
        ports=ports,
        exits=(bytes(edge["exit_west"]), bytes(edge["exit_east"]), bytes(edge["exit_south"])),
        entry_soviet=bytes(edge["entry_soviet"]),
        entry_west=bytes(edge["entry_west_allied"]),
        entry_italy=bytes(edge["entry_italy"]),
        beside_berlin=touching[berlin],
        axial=axial,
        certain_terrain=frozenset(
            [("broken", i) for i, row in enumerate(hexes) if broken[i] and row.source("terrain").certain]
            + [("fortified", nodes[r.text("hex")]) for r in features if r.text("feature") == "fortified" and r.source().certain]
        ),
        lenient=lenient,
        bounds={},
        frees={},
        **{box_name.replace("-", "_"): nodes[box_name] for box_name in BOXES},
    )


_DIRECTIONS: Final = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))


def _axial(row: int, column: int) -> tuple[int, int]:
    """Axial coordinates of hex (row, column): odd rows lie half a hex west of even ones (facts of the grid)."""
    return column - (row + 1) // 2 + row, -row


def _sides(
    hexsides: Table, terrain: Table, nodes: dict[str, int], *, lenient: bool
) -> tuple[set[tuple[int, int]], set[tuple[int, int]], set[tuple[int, int]]]:
    rivers: set[tuple[int, int]] = set()
    no_zoc: set[tuple[int, int]] = set()
    no_way: set[tuple[int, int]] = set()
    for row in hexsides:
        a, b = nodes[row.text("hex_a")], nodes[row.text("hex_b")]
        pair = ((a, b), (b, a))
        kind: Row = terrain[row.text("feature")]
        if row.text("feature") == "river":
            rivers.update(pair)
        if kind.values["zoc_extends"] == 0:
            no_zoc.update(pair)
        if kind.values["passable"] == 0 and (not lenient or row.source().certain):
            no_way.update(pair)
    return rivers, no_zoc, no_way


def _lenient_entries(edge: dict[str, bytearray], names: list[str], playable: bytearray) -> None:
    """Whatever 7.2 prints of the entry stretches stays; which edge hexes are land, or Italian, is the map's to say."""
    for i, name in enumerate(names):
        row, column = int(name[:2]), int(name[2:])
        if not playable[i]:
            continue
        if column == 26:
            edge["entry_soviet"][i] = 1
        if column == 1 and row <= 23:
            edge["entry_west_allied"][i] = 1
        if row == 1:
            edge["entry_italy"][i] = 1
