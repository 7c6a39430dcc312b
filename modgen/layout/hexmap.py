"""How the map of a hex game is drawn: the hexes' size, terrain, hexsides, features, map edges, washes. Part of ``module.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from modgen.layout.reading import Against, Reader, Where, each

HEXSIDE_STYLES = ("river", "ridge", "lake", "closed", "border")
FEATURE_STYLES = ("fort", "port")
EDGE_STYLES = ("exit", "entry")


@dataclass(frozen=True, slots=True)
class Terrain:
    """How one kind of terrain is drawn."""

    fill: str
    label: str
    water: bool = False
    relief: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """How one kind of hexside, feature or edge is drawn, and what the legend calls it."""

    style: str
    colour: str
    label: str
    width: int = 6
    names: bool = False


@dataclass(frozen=True, slots=True)
class Tint:
    """A thin wash over the hexes that pass a test, or over a region of the game, which is outlined too."""

    where: Where
    region: str
    fill: str
    opacity: float


@dataclass(frozen=True, slots=True)
class HexMap:
    """The hex part of a board."""

    across: int
    """Pixels between the centres of two hexes of one row."""
    down: int
    """Pixels between two rows."""
    terrain: Mapping[str, Terrain]
    hexsides: Mapping[str, Line]
    features: Mapping[str, Line]
    edges: Mapping[str, Line]
    tints: tuple[Tint, ...]


def _line(r: Reader, styles: tuple[str, ...]) -> Line:
    out = Line(r.text("style", among=styles), r.colour("colour"), r.text("label"), r.int("width", 6, 1, 40), r.flag("names"))
    r.end()
    return out


def read_hex_map(top: Reader, board: Reader) -> HexMap:
    """The hex part of the file: ``[board] across`` and ``down``, ``[terrain]``, ``[hexside]`` and so on."""
    return HexMap(
        across=board.int("across", low=24, high=400),
        down=board.int("down", low=20, high=400),
        terrain={
            name: terrain
            for name, r in top.named("terrain")
            for terrain in each([r], lambda r: Terrain(r.colour("fill"), r.text("label"), r.flag("water"), r.flag("relief")))
        },
        hexsides={name: _line(r, HEXSIDE_STYLES) for name, r in top.named("hexside")},
        features={name: _line(r, FEATURE_STYLES) for name, r in top.named("feature")},
        edges={name: _line(r, EDGE_STYLES) for name, r in top.named("edge")},
        tints=each(top.listed("tint"), lambda r: Tint(r.where("where"), r.text("region", ""), r.colour("fill"), r.real("opacity"))),
    )


def check_hex_map(hexes: HexMap, against: Against) -> None:
    """The hex part held against the game's tables."""
    a = against
    a.known("[terrain]", a.column("hexes", "terrain"), hexes.terrain, "terrain drawn here, but one of the map")
    a.known("[hexside]", a.column("hexsides", "feature"), hexes.hexsides, "hexside drawn here, but one of the map")
    a.known("[feature]", a.column("features", "feature"), hexes.features, "feature drawn here, but one of the map")
    edges = a.column("hexes", "edge") - {"N", "S", "E", "W"} | a.column("hexes", "entry")
    a.known("[edge]", edges, hexes.edges, "edge drawn here, but one of the map")
    a.known("[[tint]] region", (t.region for t in hexes.tints if t.region), a.keys("regions"), "region of the game")
