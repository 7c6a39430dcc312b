"""How the map of a hex game is drawn: the hexes' size, terrain, hexsides, rails, cities, features, map edges. Part of ``module.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from modgen.layout.charts import Column, Template, check_template, read_column
from modgen.layout.reading import Against, Reader, Where, each

TEXTURES = ("", "hills", "crags", "woods", "hedges", "marsh")
HEXSIDE_STYLES = ("river", "ridge", "lake", "closed", "border", "country", "strait")
FEATURE_STYLES = ("fort", "port")
EDGE_STYLES = ("exit", "entry")
CITY_SYMBOLS = ("disc", "square", "star")


@dataclass(frozen=True, slots=True)
class Terrain:
    """How one kind of terrain is drawn."""

    fill: str
    label: str
    water: bool = False
    texture: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """How one kind of hexside, feature or edge is drawn, and what the legend calls it."""

    style: str
    colour: str
    label: str
    width: int = 6
    names: bool = False


@dataclass(frozen=True, slots=True)
class City:
    """How the cities that pass a test are drawn. ``value`` stands in the symbol; ``doubt`` is the column whose source the key counts.

    ``effect``: the row of the terrain table that the key quotes.
    """

    where: Where
    symbol: str
    size: int
    """Half the symbol's width in pixels."""
    fill: str
    rim: str
    ink: str
    value: Template
    value_size: int
    name_size: int
    label: str
    doubt: str
    effect: str


@dataclass(frozen=True, slots=True)
class Rail:
    """How rails are drawn, and the tables of links on the map and beyond its edge (none: ``""``)."""

    table: str
    off_map: str
    colour: str
    label: str
    off_label: str
    effect: str


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
    """By the value of a hex's edge or entry, or by the region whose hexes they are."""
    tints: tuple[Tint, ...]
    cities: tuple[City, ...]
    rail: Rail | None
    effects: tuple[Column, ...]
    """What the key quotes of the terrain table: what each column says of a kind, one after the other."""

    def labels(self) -> dict[str, str]:
        """What the key calls the kinds of things on the map, by their words in the tables."""
        out = {kind: line.label for lines in (self.edges, self.features, self.hexsides) for kind, line in lines.items()}
        out |= {city.effect: city.label for city in self.cities if city.effect}
        return out | {kind: terrain.label for kind, terrain in self.terrain.items()}


def _line(r: Reader, styles: tuple[str, ...]) -> Line:
    out = Line(r.text("style", among=styles), r.colour("colour"), r.text("label"), r.int("width", 6, 1, 40), r.flag("names"))
    r.end()
    return out


def _terrain(r: Reader) -> Terrain:
    out = Terrain(r.colour("fill"), r.text("label"), r.flag("water"), r.text("texture", "", among=TEXTURES))
    r.end()
    return out


def _city(r: Reader) -> City:
    return City(
        where=r.where("where"),
        symbol=r.text("symbol", among=CITY_SYMBOLS),
        size=r.int("size", low=3, high=40),
        fill=r.colour("fill"),
        rim=r.colour("rim"),
        ink=r.colour("ink"),
        value=Template.of(r.text("value", "")),
        value_size=r.int("value_size", 14, 6, 40),
        name_size=r.int("name_size", 13, 6, 40),
        label=r.text("label"),
        doubt=r.text("doubt"),
        effect=r.text("effect", ""),
    )


def _rail(r: Reader) -> Rail:
    out = Rail(r.text("table"), r.text("off_map", ""), r.colour("colour"), r.text("label"), r.text("off_label", ""), r.text("effect", ""))
    r.end()
    return out


def read_hex_map(top: Reader, board: Reader) -> HexMap:
    """The hex part of the file: ``[board] across`` and ``down``, ``[terrain]``, ``[hexside]`` and so on."""
    return HexMap(
        across=board.int("across", low=24, high=400),
        down=board.int("down", low=20, high=400),
        terrain={name: _terrain(r) for name, r in top.named("terrain")},
        hexsides={name: _line(r, HEXSIDE_STYLES) for name, r in top.named("hexside")},
        features={name: _line(r, FEATURE_STYLES) for name, r in top.named("feature")},
        edges={name: _line(r, EDGE_STYLES) for name, r in top.named("edge")},
        tints=each(top.listed("tint"), lambda r: Tint(r.where("where"), r.text("region", ""), r.colour("fill"), r.real("opacity"))),
        cities=each(top.listed("city"), _city),
        rail=_rail(top.table("rail")) if "rail" in top.data else None,
        effects=each(top.listed("effect"), read_column),
    )


def check_hex_map(hexes: HexMap, against: Against) -> None:
    """The hex part held against the game's tables."""
    a = against
    a.known("[terrain]", a.column("hexes", "terrain"), hexes.terrain, "terrain drawn here, but one of the map")
    a.known("[hexside]", a.column("hexsides", "feature"), hexes.hexsides, "hexside drawn here, but one of the map")
    a.known("[feature]", a.column("features", "feature"), hexes.features, "feature drawn here, but one of the map")
    edges = {e for e in a.column("hexes", "edge") | a.column("hexes", "entry") if e.lower() not in SIDES}
    a.known("[edge]", edges, hexes.edges, "edge drawn here, but one of the map")
    a.known("[edge]", (e for e in hexes.edges if e not in edges), a.keys("regions"), "region of the game, nor an edge of its map")
    a.known("[[tint]] region", (t.region for t in hexes.tints if t.region), a.keys("regions"), "region of the game")
    if not any(not t.water and not t.texture for t in hexes.terrain.values()):
        a.fault("[terrain]: one kind must be land without a texture: the ground of the map")
    _check_cities(hexes, a)
    if hexes.rail is not None:
        tables = [name for name in (hexes.rail.table, hexes.rail.off_map) if name]
        a.known("[rail]", tables, a.box.tables, "table of the game")
        for name in tables:
            if name in a.box.tables and not {"hex_a", "hex_b"} <= set(a.box[name].columns):
                a.fault(f"[rail]: the table {name} has no columns hex_a and hex_b: no links from hex to hex")
    if "terrain" in a.box.tables:
        for column in hexes.effects:
            for case in column.cases:
                check_template("[[effect]]", a.box["terrain"], case.show, case.where, a)
        quoted = [city.effect for city in hexes.cities if city.effect]
        a.known("[[city]] effect", quoted, a.column("terrain", "kind"), "kind of the terrain table")


SIDES = frozenset({"n", "s", "e", "w", "north", "south", "east", "west"})
"""Words of a hex's ``edge`` that only say on which side of the map it lies."""


def _check_cities(hexes: HexMap, a: Against) -> None:
    if "cities" not in a.box.tables:
        return
    table = a.box["cities"]
    for k, city in enumerate(hexes.cities, 1):
        check_template(f"[[city]] {k}", table, city.value, city.where, a)
        a.known(f"[[city]] {k} doubt", (city.doubt,), table.columns, "column of cities")
    lost = next((row.key for row in table if not any(city.where(row) for city in hexes.cities)), None)
    if lost is not None:
        a.fault(f"[[city]]: none fits the city in {lost}; the last one may have no test")
