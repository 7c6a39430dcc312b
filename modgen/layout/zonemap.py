"""How the map of a board of zones is drawn: scale, ground, washes, rims, symbols, ways over sea, places. Part of ``module.toml``.

Nothing here is a fact of the game: which zone is what stands in the table of zones, and every drawing is bound to it by a test on a row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gamebox.model import Row
from modgen.layout.reading import Against, Reader, Rect, Where, each

TEXTURES = ("none", "hills", "crags", "woods", "hedges", "marsh")
SYMBOLS = ("anchor", "derrick", "supply", "star", "pocket")
CROSSINGS = ("pass", "contact")
LINKS = ("landing", "arrival", "event")
DASHES = ("solid", "dashed", "double", "chain")
SIDES = ("N", "E", "S", "W")
Pixel = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Ground:
    """How one kind of terrain is drawn."""

    fill: str
    label: str
    texture: str


@dataclass(frozen=True, slots=True)
class Cover:
    """A texture of its own for some of the zones of one kind of terrain: woods, hedges, marsh."""

    where: Where
    texture: str
    label: str


@dataclass(frozen=True, slots=True)
class Wash:
    """A thin colour over the zones that pass a test, and a band of it inside their common outline."""

    where: Where
    fill: str
    opacity: float
    band: int
    """Width of the band in pixels; 0 for none."""
    label: str


@dataclass(frozen=True, slots=True)
class Rim:
    """A line around the zones that pass a test."""

    where: Where
    colour: str
    width: int
    dash: str
    inland: bool
    """Only where other zones lie beyond, not along the coast and the edge of the map."""
    label: str


@dataclass(frozen=True, slots=True)
class Disc:
    """The disc that holds a zone's number: the first whose test the zone passes."""

    where: Where
    colour: str
    target: bool
    """Drawn as a target, with a second ring."""
    label: str


@dataclass(frozen=True, slots=True)
class Icon:
    """A symbol beside the name of every zone that passes a test."""

    where: Where
    symbol: str
    colour: str
    label: str


@dataclass(frozen=True, slots=True)
class Link:
    """Ways over sea of one kind: the rows of a table that pass a test, each drawn along its own line (``from-to``)."""

    name: str
    table: str
    where: Where
    style: str
    colour: str
    text: str
    """What stands on the arrow, from the row's columns."""
    label: str
    lines: Mapping[str, tuple[Pixel, ...]]


@dataclass(frozen=True, slots=True)
class Crossing:
    """A mark on the border of neighbours that a reader of the map could doubt: by the table's row, or by the shortness of the border."""

    where: Where
    shorter: int
    """Only borders shorter than this, in units of the map; 0 for all."""
    style: str
    colour: str
    label: str


@dataclass(frozen=True, slots=True)
class EdgeMark:
    """Arrows from one edge of the map into the zones that pass a test."""

    where: Where
    side: str
    colour: str
    label: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where a zone's number and name stand, and where counters stand in it, in pixels of the board; the first spots are filled first."""

    label: Pixel
    spots: tuple[Pixel, ...]
    box: Rect | None = None
    """A box off the zone that belongs to it, for a zone too small for its counters; a line leads from it to ``leader``."""
    leader: Pixel = (0, 0)


@dataclass(frozen=True, slots=True)
class Water:
    """Colours of sea and rivers."""

    shore: str
    open: str
    deep: str
    line: str
    river: str


@dataclass(frozen=True, slots=True)
class ZoneLook:
    """The zone part of a board."""

    scale: int
    """Pixels for 100 units of the outlines."""
    view: tuple[int, int, int, int]
    """The part of the map that is shown: x, y, width, height in its units."""
    named: str
    """How clients call a zone, from its columns."""
    elsewhere: str
    """How clients call the rest of the board."""
    terrain: Mapping[str, Ground]
    covers: tuple[Cover, ...]
    washes: tuple[Wash, ...]
    rims: tuple[Rim, ...]
    discs: tuple[Disc, ...]
    icons: tuple[Icon, ...]
    links: tuple[Link, ...]
    crossings: tuple[Crossing, ...]
    edges: tuple[EdgeMark, ...]
    rivers: tuple[str, ...]
    """Rivers whose names are written along them."""
    water: Water
    places: Mapping[str, Place]


def _spot(r: Reader, key: str) -> Pixel:
    value = r.get(key, list, "a point [x, y] in pixels", None, _is_point)
    return (value[0], value[1]) if value is not None else (0, 0)


def _is_point(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(x) is int for x in value)


def _spots(r: Reader, key: str) -> tuple[Pixel, ...]:
    value = r.get(key, list, "points [[x, y], ...] in pixels", None, lambda v: all(_is_point(p) for p in v))
    return tuple((p[0], p[1]) for p in value) if value is not None else ()


def _place(r: Reader) -> Place:
    if "box" not in r.data:
        return Place(_spot(r, "label"), _spots(r, "spots"))
    return Place(_spot(r, "label"), _spots(r, "spots"), r.rect("box"), _spot(r, "leader"))


def _ground(r: Reader) -> Ground:
    return Ground(r.colour("fill"), r.text("label"), r.text("texture", "none", TEXTURES))


def _link(name: str, r: Reader) -> Link:
    lines = r.table("lines")
    out = Link(
        name,
        r.text("table"),
        r.where("where"),
        r.text("style", among=LINKS),
        r.colour("colour"),
        r.text("text", ""),
        r.text("label"),
        {key: _spots(lines, key) for key in lines.data},
    )
    r.end()
    return out


def read_zone_map(top: Reader, board: Reader) -> ZoneLook:
    """The zone part of the file: ``[board] scale`` and ``view``, ``[terrain]``, ``[[wash]]``, ``[place]`` and so on."""
    allowed = "[x, y, width, height] in units of the map"
    view = board.get("view", list, allowed, None, lambda v: len(v) == 4 and all(type(x) is int for x in v))
    water = top.table("water")
    out = ZoneLook(
        scale=board.int("scale", low=10, high=2000),
        view=tuple(view) if view is not None else (0, 0, 100, 100),
        named=board.text("named"),
        elsewhere=board.text("elsewhere"),
        terrain={name: ground for name, r in top.named("terrain") for ground in each([r], _ground)},
        covers=each(top.listed("cover"), lambda r: Cover(r.where("where"), r.text("texture", among=TEXTURES), r.text("label", ""))),
        washes=each(
            top.listed("wash"),
            lambda r: Wash(r.where("where"), r.colour("fill"), r.real("opacity"), r.int("band", 0, 0, 60), r.text("label", "")),
        ),
        rims=each(
            top.listed("rim"),
            lambda r: Rim(
                r.where("where"),
                r.colour("colour"),
                r.int("width", 4, 1, 20),
                r.text("dash", "solid", DASHES),
                r.flag("inland"),
                r.text("label", ""),
            ),
        ),
        discs=each(top.listed("disc"), lambda r: Disc(r.where("where"), r.colour("colour"), r.flag("target"), r.text("label", ""))),
        icons=each(
            top.listed("icon"), lambda r: Icon(r.where("where"), r.text("symbol", among=SYMBOLS), r.colour("colour"), r.text("label"))
        ),
        links=tuple(_link(name, r) for name, r in top.named("link")),
        crossings=each(
            top.listed("crossing"),
            lambda r: Crossing(
                r.where("where"), r.int("shorter", 0, 0), r.text("style", among=CROSSINGS), r.colour("colour"), r.text("label")
            ),
        ),
        edges=each(
            top.listed("edge"), lambda r: EdgeMark(r.where("where"), r.text("side", among=SIDES), r.colour("colour"), r.text("label"))
        ),
        rivers=board.texts("rivers", ()),
        water=Water(water.colour("shore"), water.colour("open"), water.colour("deep"), water.colour("line"), water.colour("river")),
        places={
            name: place for name, r in top.named("place") for place in each([r], _place)
        },
    )
    water.end()
    return out


def check_zone_map(look: ZoneLook, against: Against) -> None:
    """The zone part held against the game's tables."""
    a = against
    board = a.box.zones
    if board is None:
        a.fault("[board] scale: the game has no zones; allowed: a map of zones in game.toml, or [board] across for hexes")
        return
    rows = a.box[board.zones]
    if "terrain" in rows.columns:
        a.known("[terrain]", a.column(board.zones, "terrain"), look.terrain, "terrain drawn here, but one of the map")
    a.known("[place]", look.places, rows.by_key, "zone of the game")
    for row in rows:
        if not any(d.where(row) for d in look.discs):
            a.fault(f"[[disc]]: none for zone {row.key}; the last one may be without a test")
    try:
        names = [look.named.format(**{c: row.text(c) for c in rows.columns if c in row.values}) for row in rows]
    except (KeyError, IndexError, ValueError) as error:
        a.fault(f"[board] named: {look.named!r} is not allowed ({error}); columns in braces like {{{rows.columns[0]}}}")
    else:
        a.once("[board] named", [*names, look.elsewhere], "a client tells places by name alone")
    for link in look.links:
        _check_link(link, a)
    if "rivers" in a.box.tables:
        a.known("[board] rivers", look.rivers, a.column("rivers", "name"), "river of the game")


def _check_link(link: Link, a: Against) -> None:
    if link.table not in a.box.tables:
        a.fault(f"[link.{link.name}] table: {link.table!r} is no table of the game; there are {', '.join(a.box.tables)}")
        return
    if missing := {"from", "to"} - set(a.box[link.table].columns):
        what = "allowed: a table of ways from one place to another"
        a.fault(f"[link.{link.name}] table: {link.table!r} has no column {', '.join(sorted(missing))}; {what}")
        return
    wanted = {link_key(row) for row in a.box[link.table] if link.where(row)}
    a.known(f"[link.{link.name}.lines]", link.lines, wanted, f"row of {link.table} that passes the test")
    a.known(f"[link.{link.name}.lines]", sorted(wanted), link.lines, "line drawn here, but a row of the game")
    for key, line in link.lines.items():
        if len(line) < 2:
            a.fault(f"[link.{link.name}.lines] {key}: two points at least")


def link_key(row: Row) -> str:
    """How the line of a way is called in the file: from where to where."""
    return f"{row.text('from')}-{row.text('to')}"
