"""``data/<game>/module.toml``: how a game's modules look and are laid out, read and checked.

Nothing here is a fact of the game: facts stand in the tables. Sizes are pixels of the board at 100 %, colours ``#rrggbb``,
rectangles ``[x, y, width, height]``. Every fault of the file is reported at once, by its place (``[board] across``) with what is allowed.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from gamebox.load import BoxError, toml_error
from gamebox.model import Box, Piece, Row
from modgen.art.fonts import ArtError

T = TypeVar("T")
Rect = tuple[int, int, int, int]
_COLOUR = re.compile(r"#[0-9a-f]{6}")

HEXSIDE_STYLES = ("river", "ridge", "lake", "closed", "border")
FEATURE_STYLES = ("fort", "port")
EDGE_STYLES = ("exit", "entry")
LABEL_STYLES = ("land", "sea", "range")
SYMBOLS = ("infantry", "armour", "mechanized", "mountain", "cavalry", "airborne", "none")
MARKER_STYLES = ("supply", "breach", "control", "turn", "text")


class LayoutErrors(ArtError):
    """Every fault of a module.toml; ``str()`` gives one line each."""

    def __init__(self, errors: Iterable[BoxError]) -> None:
        self.errors = tuple(errors)
        super().__init__("\n".join(map(str, self.errors)))


@dataclass(frozen=True, slots=True)
class Where:
    """A test on a row: column -> allowed values; a value with ``*`` at an end matches by that part. All columns must pass."""

    tests: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def __call__(self, row: Row) -> bool:
        return all(any(_like(row, column, value) for value in values) for column, values in self.tests)


def _like(row: Row, column: str, value: str) -> bool:
    if column not in row.values:
        return False
    cells = row.items(column) if isinstance(row.values[column], tuple) else (row.text(column),)
    if value.startswith("*") and value.endswith("*") and len(value) > 2:
        return any(value[1:-1] in cell for cell in cells)
    if value.startswith("*"):
        return any(cell.endswith(value[1:]) for cell in cells)
    if value.endswith("*"):
        return any(cell.startswith(value[:-1]) for cell in cells)
    return value in cells


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
class Label:
    """A name on the map, centred on a hex and shifted by whole pixels."""

    text: str
    hex: str
    style: str
    dx: int = 0
    dy: int = 0
    size: int = 15
    spacing: int = 3
    rotate: int = 0


@dataclass(frozen=True, slots=True)
class BoxArea:
    """One of the game's boxes beside the map; ``column`` sorts the pieces in it (a strength), slots are drawn for its values."""

    id: str
    name: str
    rect: Rect
    sides: tuple[str, ...]
    note: str
    column: str


@dataclass(frozen=True, slots=True)
class HoldArea:
    """A place beside the map where pieces or markers wait: for a region to set up in, or for use."""

    name: str
    rect: Rect
    note: str
    region: str
    markers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HexZone:
    """A named set of hexes; clients tell a piece's zone by it."""

    name: str
    where: Where
    set: str


@dataclass(frozen=True, slots=True)
class Kind:
    """What symbol and size pieces show. ``printed`` is False where the sources do not tell."""

    where: Where
    symbol: str
    size: str
    label: str
    band: str
    printed: bool


@dataclass(frozen=True, slots=True)
class Marker:
    """A counter that is no unit."""

    id: str
    name: str
    style: str
    fill: str
    ink: str
    text: str
    count: int
    group: str


@dataclass(frozen=True, slots=True)
class SidePalette:
    """How one side's pieces are called and filed: its owner's player side, the palette's tab, how a piece is named."""

    id: str
    tab: str
    player: str
    named: str
    exits: bool
    removable: bool


@dataclass(frozen=True, slots=True)
class Elimination:
    """Where a side's eliminated pieces go: zone -> box, ``*`` elsewhere."""

    side: str
    boxes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Setup:
    """One scenario that is offered ready set up."""

    scenario: str
    file: str
    name: str
    note: str


@dataclass(frozen=True, slots=True)
class Phases:
    """How the rows of the phases table are called in the turn tracker."""

    named: str
    words: tuple[tuple[str, str], ...]
    last: str


@dataclass(frozen=True, slots=True)
class Layout:
    """A whole module.toml."""

    path: Path
    version: str
    vassal: str
    date: int
    """Milliseconds since 1970: the one time every file is given."""
    title: str
    subtitle: str
    description: str
    map: str
    players: tuple[str, ...]
    referees: tuple[str, ...]
    width: int
    height: int
    left: int
    top: int
    across: int
    down: int
    counter: int
    colours: Mapping[str, str]
    terrain: Mapping[str, Terrain]
    hexsides: Mapping[str, Line]
    features: Mapping[str, Line]
    edges: Mapping[str, Line]
    tints: tuple[Tint, ...]
    labels: tuple[Label, ...]
    title_rect: Rect
    turns_rect: Rect
    legend_rect: Rect
    boxes: tuple[BoxArea, ...]
    holds: tuple[HoldArea, ...]
    zones: tuple[HexZone, ...]
    kinds: tuple[Kind, ...]
    inverse: Where
    """Pieces whose symbol is drawn in reverse."""
    markers: tuple[Marker, ...]
    sides: tuple[SidePalette, ...]
    eliminate: tuple[Elimination, ...]
    exit_box: str
    exit_edges: tuple[str, ...]
    phases: Phases
    setups: tuple[Setup, ...]
    rate_labels: tuple[tuple[str, str, str], ...]
    """Rate column, short word, colour: what the turn track prints."""
    chart_notes: Mapping[str, tuple[str, ...]]
    """Chart (crt, terrain, turns) -> lines below it."""
    help: tuple[str, ...]
    """Paragraphs of the player aid."""
    notes: tuple[str, ...] = field(default=())

    def kind(self, piece: Piece) -> Kind:
        """The first kind whose test the piece's row passes (the check makes sure that there is one)."""
        return next(k for k in self.kinds if k.where(piece.row))

    def side(self, side: str) -> SidePalette:
        """The palette of a side."""
        return next(s for s in self.sides if s.id == side)

    def named(self, piece: Piece) -> str:
        """The full, unique name of a piece as chat lines and reports show it."""
        strengths = "-".join(map(str, piece.strengths))
        return self.side(piece.side).named.format(name=piece.name, strengths=strengths, side=piece.side, nation=piece.nation)


class _Reader:
    """One table of the file: typed look-ups that collect faults instead of raising."""

    def __init__(self, data: Mapping[str, Any], place: str, errors: list[BoxError], file: str) -> None:
        self.data, self.place, self.errors, self.file = data, place, errors, file
        self.used: set[str] = set()

    def fault(self, key: str, text: str) -> None:
        self.errors.append(BoxError(self.file, 0, 0, f"{self.place}{' ' if self.place else ''}{key}: {text}"))

    def get(self, key: str, kind: type | tuple[type, ...], allowed: str, default: Any, test: Callable[[Any], bool] | None = None) -> Any:
        self.used.add(key)
        if key not in self.data:
            if default is None:
                self.fault(key, f"is missing; {allowed}")
                return None
            return default
        value = self.data[key]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool) or (test is not None and not test(value)):
            self.fault(key, f"{value!r} is not allowed; {allowed}")
            return default
        return value

    def text(self, key: str, default: str | None = None, among: Iterable[str] | None = None) -> str:
        options = tuple(among) if among is not None else None
        allowed = "a text" if options is None else "one of " + ", ".join(options)
        value = self.get(key, str, allowed, default, (lambda v: v in options) if options is not None else None)
        return value if isinstance(value, str) else ""

    def int(self, key: str, default: int | None = None, low: int = -100000, high: int = 100000) -> int:
        value = self.get(key, int, f"a whole number from {low} to {high}", default, lambda v: low <= v <= high)
        return value if isinstance(value, int) else low if low > 0 else 0

    def real(self, key: str, default: float | None = None) -> float:
        value = self.get(key, (int, float), "a number from 0 to 1", default, lambda v: 0 <= v <= 1)
        return float(value) if isinstance(value, int | float) else 0.0

    def flag(self, key: str, default: bool = False) -> bool:
        return bool(self.get(key, bool, "true or false", default))

    def colour(self, key: str, default: str | None = None) -> str:
        value = self.get(key, str, "a colour like #a0b0c0", default, lambda v: bool(_COLOUR.fullmatch(v)))
        return value if isinstance(value, str) else "#000000"

    def texts(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        value = self.get(key, list, 'a list of texts like ["a", "b"]', default, lambda v: all(isinstance(x, str) for x in v))
        return tuple(value) if value is not None else ()

    def rect(self, key: str) -> Rect:
        value = self.get(
            key,
            list,
            "a rectangle [x, y, width, height] in pixels",
            None,
            lambda v: len(v) == 4 and all(type(x) is int and x >= 0 for x in v),
        )
        return (value[0], value[1], value[2], value[3]) if value is not None else (0, 0, 10, 10)

    def where(self, key: str) -> Where:
        value = self.get(key, dict, 'columns and values like { country = "x", move = ["3", "4"] }', {})
        tests = []
        for column, allowed in value.items():
            values = allowed if isinstance(allowed, list) else [allowed]
            if not all(isinstance(v, str) for v in values):
                self.fault(f"{key}.{column}", f"{allowed!r} is not allowed; a text or a list of texts")
                continue
            tests.append((column, tuple(values)))
        return Where(tuple(tests))

    def table(self, key: str) -> _Reader:
        value = self.get(key, dict, "a table", {})
        return _Reader(value, f"[{key}]", self.errors, self.file)

    def named(self, key: str) -> list[tuple[str, _Reader]]:
        """Tables under a table: ``[key.NAME]``."""
        value = self.get(key, dict, f"tables [{key}.NAME]", {})
        return [
            (name, _Reader(sub if isinstance(sub, dict) else {}, f"[{key}.{name}]", self.errors, self.file)) for name, sub in value.items()
        ]

    def listed(self, key: str) -> list[_Reader]:
        """``[[key]]`` tables, numbered from 1 in messages."""
        value = self.get(key, list, f"tables [[{key}]]", [])
        return [_Reader(sub if isinstance(sub, dict) else {}, f"[[{key}]] {n}", self.errors, self.file) for n, sub in enumerate(value, 1)]

    def end(self) -> None:
        """Report keys that nobody asked for."""
        for key in self.data:
            if key not in self.used:
                near = difflib.get_close_matches(key, sorted(self.used), 1)
                self.fault(
                    key, "no such setting" + (f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(sorted(self.used))}")
                )


def _line(r: _Reader, styles: tuple[str, ...]) -> Line:
    out = Line(r.text("style", among=styles), r.colour("colour"), r.text("label"), r.int("width", 6, 1, 40), r.flag("names"))
    r.end()
    return out


def _each(readers: Iterable[_Reader], make: Callable[[_Reader], T]) -> tuple[T, ...]:
    out = []
    for r in readers:
        out.append(make(r))
        r.end()
    return tuple(out)


COLOURS = ("paper", "ink", "hexline", "number", "city", "capital", "closed", "frame", "panel", "reconstructed")


def read_layout(path: Path, box: Box) -> Layout:
    """The layout of a game's modules, checked against its box.

    Raises :class:`LayoutErrors` with every fault found.
    """
    file = f"{box.id}/{path.name}"
    try:
        text = path.read_text("utf-8")
        data = tomllib.loads(text)
    except FileNotFoundError:
        raise LayoutErrors([BoxError(file, 0, 0, f"is missing; it says how the modules of {box.title} are laid out")]) from None
    except OSError as error:
        raise LayoutErrors([BoxError(file, 0, 0, f"cannot be read ({error.strerror}); allowed: a readable file")]) from None
    except tomllib.TOMLDecodeError as error:
        raise LayoutErrors([toml_error(file, text, error)]) from None
    except UnicodeDecodeError as error:
        raise LayoutErrors([BoxError(file, 0, 0, f"is no UTF-8 ({error.reason} at byte {error.start})")]) from None
    errors: list[BoxError] = []
    top = _Reader(data, "", errors, file)
    board, panels, exits, phases = top.table("board"), top.table("panels"), top.table("exit"), top.table("phases")
    colours, counters, charts = top.table("colours"), top.table("counters"), top.table("charts")
    date = top.get("date", object, "a date like 2026-11-30", None)
    stamp = _stamp(date, top)
    layout = Layout(
        path=path,
        version=top.text("version"),
        vassal=top.text("vassal"),
        date=stamp,
        title=top.text("title"),
        subtitle=top.text("subtitle"),
        description=top.text("description"),
        map=top.text("map"),
        players=top.texts("players"),
        referees=top.texts("referees"),
        width=board.int("width", low=100, high=20000),
        height=board.int("height", low=100, high=20000),
        left=board.int("left", low=0),
        top=board.int("top", low=0),
        across=board.int("across", low=24, high=400),
        down=board.int("down", low=20, high=400),
        counter=board.int("counter", low=16, high=400),
        colours={name: colours.colour(name) for name in COLOURS},
        terrain={
            name: terrain
            for name, r in top.named("terrain")
            for terrain in _each([r], lambda r: Terrain(r.colour("fill"), r.text("label"), r.flag("water"), r.flag("relief")))
        },
        hexsides={name: _line(r, HEXSIDE_STYLES) for name, r in top.named("hexside")},
        features={name: _line(r, FEATURE_STYLES) for name, r in top.named("feature")},
        edges={name: _line(r, EDGE_STYLES) for name, r in top.named("edge")},
        tints=_each(top.listed("tint"), lambda r: Tint(r.where("where"), r.text("region", ""), r.colour("fill"), r.real("opacity"))),
        labels=_each(
            top.listed("label"),
            lambda r: Label(
                r.text("text"),
                r.text("hex"),
                r.text("style", among=LABEL_STYLES),
                r.int("dx", 0),
                r.int("dy", 0),
                r.int("size", 15, 6, 80),
                r.int("spacing", 3, 0, 60),
                r.int("rotate", 0, -90, 90),
            ),
        ),
        title_rect=panels.rect("title"),
        turns_rect=panels.rect("turns"),
        legend_rect=panels.rect("legend"),
        boxes=_each(
            top.listed("box"),
            lambda r: BoxArea(
                r.text("id"), r.text("name"), r.rect("rect"), r.texts("sides", ()), r.text("note", ""), r.text("column", "-")
            ),
        ),
        holds=_each(
            top.listed("hold"),
            lambda r: HoldArea(r.text("name"), r.rect("rect"), r.text("note", ""), r.text("region", ""), r.texts("markers", ())),
        ),
        zones=_each(top.listed("zone"), lambda r: HexZone(r.text("name"), r.where("where"), r.text("set", ""))),
        kinds=_each(
            top.listed("kind"),
            lambda r: Kind(
                r.where("where"),
                r.text("symbol", among=SYMBOLS),
                r.text("size", ""),
                r.text("label"),
                r.text("band", ""),
                r.flag("printed"),
            ),
        ),
        inverse=counters.where("inverse"),
        markers=_each(
            top.listed("marker"),
            lambda r: Marker(
                r.text("id"),
                r.text("name"),
                r.text("style", among=MARKER_STYLES),
                r.colour("fill"),
                r.colour("ink"),
                r.text("text", ""),
                r.int("count", 0, 0, 200),
                r.text("group"),
            ),
        ),
        sides=_each(
            top.listed("side"),
            lambda r: SidePalette(r.text("id"), r.text("tab"), r.text("player"), r.text("named"), r.flag("exits"), r.flag("removable")),
        ),
        eliminate=tuple(Elimination(name, tuple((zone, r.text(zone)) for zone in r.data)) for name, r in top.named("eliminate")),
        exit_box=exits.text("box"),
        exit_edges=exits.texts("edges"),
        phases=_phases(phases),
        setups=_each(top.listed("setup"), lambda r: Setup(r.text("scenario"), r.text("file"), r.text("name"), r.text("note", ""))),
        rate_labels=_each(top.listed("rate"), lambda r: (r.text("rate"), r.text("label"), r.colour("colour"))),
        chart_notes={name: charts.texts(name, ()) for name in ("crt", "terrain", "turns")},
        help=top.texts("help", ()),
        notes=top.texts("notes", ()),
    )
    for reader in (top, board, panels, exits, colours, counters, charts):
        reader.end()
    _against_box(layout, box, errors, file)
    if errors:
        raise LayoutErrors(errors)
    return layout


def _phases(r: _Reader) -> Phases:
    words = r.table("words")
    out = Phases(r.text("named"), tuple((key, words.text(key)) for key in words.data), r.text("last"))
    r.end()
    return out


def _stamp(value: object, top: _Reader) -> int:
    import datetime as dt

    if isinstance(value, dt.date) and not isinstance(value, dt.datetime):
        return int(dt.datetime(value.year, value.month, value.day, tzinfo=dt.UTC).timestamp() * 1000)
    if value is not None:
        top.fault("date", f"{value!r} is not allowed; a date like 2026-11-30, without quotes")
    return 0


def _against_box(layout: Layout, box: Box, errors: list[BoxError], file: str) -> None:
    """What the file says of the game must be in the game's tables."""

    def known(place: str, names: Iterable[str], among: Iterable[str], what: str) -> None:
        have = set(among)
        for name in names:
            if name not in have:
                errors.append(BoxError(file, 0, 0, f"{place}: {name!r} is no {what}; there are {', '.join(sorted(have)) or 'none'}"))

    def column(table: str, name: str) -> set[str]:
        if table not in box.tables:
            return set()
        return {v for row in box[table] for v in (row.items(name) if name in row.values else ())}

    pieces = {p.side for p in box.pieces}
    known("[[side]]", (s.id for s in layout.sides), pieces, "side with pieces")
    known("[[side]]", pieces, (s.id for s in layout.sides), "side listed here, but has pieces")
    known("[eliminate]", (e.side for e in layout.eliminate), pieces, "side with pieces")
    known("[eliminate]", pieces, (e.side for e in layout.eliminate), "side listed here, but has pieces")
    if "boxes" in box.tables:
        ids = {row.key for row in box["boxes"]}
        known("[[box]]", (b.id for b in layout.boxes), ids, "box of the game")
        known("[[box]]", ids, (b.id for b in layout.boxes), "box drawn here, but one of the game")
        known("[eliminate]", (b for e in layout.eliminate for _, b in e.boxes), ids, "box of the game")
        known("[exit] box", (layout.exit_box,), ids, "box of the game")
    known("[eliminate]", (z for e in layout.eliminate for z, _ in e.boxes), [*(z.name for z in layout.zones), "*"], "zone of this file")
    for e in layout.eliminate:
        if "*" not in dict(e.boxes):
            errors.append(BoxError(file, 0, 0, f'[eliminate.{e.side}]: "*" is missing: the box for pieces outside every zone'))
    known("[[side]] player", (s.player for s in layout.sides), layout.players, "player")
    known("[terrain]", column("hexes", "terrain"), layout.terrain, "terrain drawn here, but one of the map")
    known("[hexside]", column("hexsides", "feature"), layout.hexsides, "hexside drawn here, but one of the map")
    known("[feature]", column("features", "feature"), layout.features, "feature drawn here, but one of the map")
    known(
        "[edge]",
        column("hexes", "edge") - {"N", "S", "E", "W"} | column("hexes", "entry"),
        layout.edges,
        "edge drawn here, but one of the map",
    )
    known("[exit] edges", layout.exit_edges, column("hexes", "edge"), "edge of the map")
    known("[[setup]]", (s.scenario for s in layout.setups), column("scenarios", "scenario"), "scenario of the game")
    known("[phases.words]", column("phases", "phase"), dict(layout.phases.words), "phase named here, but one of the game")
    known("[[rate]]", column("rates", "rate"), (r[0] for r in layout.rate_labels), "rate labelled here, but one of the game")
    known("[[hold]] markers", (m for h in layout.holds for m in h.markers), (m.id for m in layout.markers), "marker of this file")
    regions = {row.key for row in box["regions"]} if "regions" in box.tables else set()
    known("[[tint]] region", (t.region for t in layout.tints if t.region), regions, "region of the game")
    known("[[hold]] region", (h.region for h in layout.holds if h.region), regions, "region of the game")
    for piece in box.pieces:
        if not any(k.where(piece.row) for k in layout.kinds):
            errors.append(BoxError(file, 0, 0, f"[[kind]]: no kind fits {piece.id}; the last one may have no test"))
            break
    for what, rects in (("[[box]]", [(b.name, b.rect) for b in layout.boxes]), ("[[hold]]", [(h.name, h.rect) for h in layout.holds])):
        for name, (x, y, w, h) in rects:
            if x + w > layout.width or y + h > layout.height:
                errors.append(BoxError(file, 0, 0, f"{what} {name!r}: its rectangle leaves the board of {layout.width} x {layout.height}"))
    places = [b.name for b in layout.boxes] + [h.name for h in layout.holds] + [z.name for z in layout.zones]
    for name in sorted({p for p in places if places.count(p) > 1}):
        errors.append(BoxError(file, 0, 0, f"two places are called {name!r}; a client tells places by name alone"))
    ids_ = [m.id for m in layout.markers]
    for name in sorted({i for i in ids_ if ids_.count(i) > 1}):
        errors.append(BoxError(file, 0, 0, f"[[marker]]: two markers have the id {name!r}"))
