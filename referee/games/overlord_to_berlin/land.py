"""The board: 54 zones as bits of an int, and every place where a counter can lie as one small number.

Places: the zones (0 to 53), the displays of the formations, the boxes of the game, and ``inside``, which says of a unit that it lies
in a display or in the Strategic Reserve, where only its owner may look (0.2, R-F136).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from gamebox.model import Box, Row

WEST, SOVIET, AXIS = 0, 1, 2
"""The sides (1), in their order of play (2)."""
SIDES = ("west", "soviet", "axis")
SIDE_NAMES = ("Western Allies", "Soviets", "Axis")
ALLIES = (WEST, SOVIET)

BLUE, BLACK, RED = "west", "northeast", "southeast"
"""The political sectors by the colour of their targets (3.2)."""


class Places(msgspec.Struct, frozen=True):
    """Place -> its name, and the numbers of those that rules speak of. Tuples of boxes are by side."""

    names: tuple[str, ...]
    index: dict[str, int]
    display: int
    """The display of formation 0; those of the others follow."""
    reserve: tuple[int, int, int]
    piles: tuple[tuple[int, int], ...]
    """Per side the piles of infantry and of armour (4.5)."""
    destroyed: tuple[int, int, int]
    removed: tuple[int, int, int]
    arrivals: int
    """Reinforcements of the West that have not come yet (14.7)."""
    paratroops: int
    inside: int


class Land(msgspec.Struct, frozen=True):
    """The map. Sets of zones are ints used as bits, zone 1 being bit 0."""

    size: int
    places: Places
    near: tuple[int, ...]
    """Zone -> the zones next to it."""
    title: tuple[str, ...]
    everywhere: int
    difficult: int
    """Difficult terrain and Alps (0.7)."""
    alps: int
    vaterland: int
    economic: int
    sectors: dict[str, int]
    """Sector -> its zones, all of them targets (3.2, R-F8)."""
    ports: int
    port_of: dict[str, int]
    """Track of the West -> its ports (5.4, R-F68)."""
    atlantic: int
    """Zones where a German formation can leave a pocket (12.4, R-F115)."""
    coast: int
    """Zones with an Atlantic, Mediterranean or Adriatic coast (the other reading of R-F115)."""
    landing: bytes
    """Zone -> formations that can land there at once, 0 = no arrow (7.1, 9.5)."""
    edge: int
    """Sources of Soviet supply (6.1)."""
    baltic: tuple[int, ...]
    """The Baltic coastal zones in order (6.1, R-F17)."""
    capital: dict[str, int]
    """Nation -> zone (12.1)."""
    start_control: bytes
    terrain_certain: int
    """Zones whose terrain is no reconstruction."""
    touching_certain: int
    """Always 0 or everything: the frontiers between zones are drawn by us."""

    def zone(self, name: str) -> int:
        """The number of a zone by its printed number. Raises KeyError."""
        found = self.places.index[name]
        if found >= self.size:
            raise KeyError(name)
        return found

    def name(self, place: int) -> str:
        """The printed number of a zone, the id of a display or box."""
        return self.places.names[place]


def bits(zones: int) -> Iterator[int]:
    """The members of a set, ascending."""
    while zones:
        low = zones & -zones
        yield low.bit_length() - 1
        zones ^= low


def flood(near: tuple[int, ...], sources: int, through: int) -> int:
    """All zones of ``through`` that are connected to ``sources``, which count only where they are of ``through``."""
    reached = fresh = sources & through
    while fresh:
        around = 0
        for zone in bits(fresh):
            around |= near[zone]
        fresh = around & through & ~reached
        reached |= fresh
    return reached


def compile_places(box: Box) -> Places:
    """Zones, displays in the order of the formations, boxes in the order of the box, and ``inside``."""
    zones = [r.key for r in box["zones"]]
    formations = [r.key for r in box["formations"]]
    rows = [r for r in box["boxes"] if r.text("kind") not in ("display", "hand", "pool")]
    names = (*zones, *formations, *(r.key for r in rows), "inside")
    index = {name: i for i, name in enumerate(names)}

    def one(kind: str, side: str) -> int:
        return next(index[r.key] for r in rows if r.text("kind") == kind and r.text("side") == side)

    def pile(side: str, what: str) -> int:
        return next(index[r.key] for r in rows if r.text("kind") == "pile" and r.text("side") == side and what in r.key)

    def by_side(kind: str) -> tuple[int, int, int]:
        return (one(kind, "west"), one(kind, "soviet"), one(kind, "axis"))

    return Places(
        names=names,
        index=index,
        display=len(zones),
        reserve=by_side("reserve"),
        piles=tuple((pile(side, "infantry"), pile(side, "armor")) for side in SIDES),
        destroyed=by_side("destroyed"),
        removed=by_side("removed"),
        arrivals=one("arrivals", "west"),
        paratroops=one("paratroops", "west"),
        inside=index["inside"],
    )


def compile_land(box: Box, *, lenient: bool = False) -> Land:
    """The map of the box. ``lenient``: reconstructed terrain counts as clear."""
    rows = list(box["zones"])
    places = compile_places(box)

    def where(test: Callable[[Row], bool]) -> int:
        return sum(1 << i for i, r in enumerate(rows) if test(r))

    near = [0] * len(rows)
    for pair in box["adjacency"]:
        a, b = places.index[pair.text("zone_a")], places.index[pair.text("zone_b")]
        near[a] |= 1 << b
        near[b] |= 1 << a
    certain = where(lambda r: r.source("terrain").certain)
    trusted = certain if lenient else (1 << len(rows)) - 1
    return Land(
        size=len(rows),
        places=places,
        near=tuple(near),
        title=tuple(r.text("name") for r in rows),
        everywhere=(1 << len(rows)) - 1,
        difficult=where(lambda r: r.text("terrain") != "clear") & trusted,
        alps=where(lambda r: r.text("terrain") == "alps") & trusted,
        vaterland=where(lambda r: r.flag("vaterland")),
        economic=where(lambda r: r.flag("economic")),
        sectors={name: where(lambda r, name=name: r.text("sector") == name) for name in (BLUE, BLACK, RED)},  # type: ignore[misc]
        ports=where(lambda r: r.flag("port")),
        port_of={t: where(lambda r, t=t: r.flag("port") and r.text("pr_track") == t) for t in ("england", "italy")},  # type: ignore[misc]
        atlantic=where(lambda r: r.flag("pocket")),
        coast=where(lambda r: r.text("coast") in ("atlantic", "mediterranean", "adriatic")),
        landing=bytes(r.int("landing_limit") for r in rows),
        edge=where(lambda r: r.flag("soviet_edge")),
        baltic=tuple(i for i, r in enumerate(rows) if r.flag("baltic_supply")),
        capital={r.text("capital_of"): i for i, r in enumerate(rows) if r.text("capital_of")},
        start_control=bytes(SIDES.index(r.text("start_control")) for r in rows),
        terrain_certain=certain,
        touching_certain=0,
    )
