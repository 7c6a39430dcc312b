"""Modules (``.vmod``): what the build file says about maps, grids, pieces, prototypes, decks, trackers, dice and sides.

Only what a reader of saves and logs needs is typed; the whole tree stays at hand in ``Module.root``.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from modgen.formats.errors import FormatError
from modgen.formats.vassal import grid as grids
from modgen.formats.vassal import sequence
from modgen.formats.vassal.archive import DEFAULT_LIMITS, Archive, Limits, read_archive
from modgen.formats.vassal.commands import BoardPlace, Boards, parse_command
from modgen.formats.vassal.pieces import Piece, expand, parse_definition
from modgen.formats.vassal.saves import MODULE_DATA, Metadata, read_metadata
from modgen.formats.vassal.turns import Level, Tracker
from modgen.formats.vassal.xml import Element, from_bytes

PREFIX = "VASSAL.build."
BUILD_FILE = "buildFile.xml"
_PICKER = "module.map.BoardPicker"
_BOARD = "module.map.boardPicker.Board"
_GRID = "module.map.boardPicker.board."
_MAPS = ("module.Map", "module.PrivateMap", "module.PlayerHand")
_PIECES = ("widget.PieceSlot", "widget.CardSlot")


@dataclass(frozen=True, slots=True)
class Board:
    """A board: size in pixels (0 when its picture could not be measured) and its grid."""

    name: str
    width: int
    height: int
    grid: grids.Grid | None = None
    image: str = ""


@dataclass(frozen=True, slots=True)
class DeckPlace:
    """A deck as the module places it: name and map pixel."""

    name: str
    x: int
    y: int
    board: str = ""


@dataclass(frozen=True)
class Map:
    """A map window: boards it may show, the default arrangement, edge padding and layers."""

    name: str
    boards: tuple[Board, ...] = ()
    default: tuple[BoardPlace, ...] = ()
    edge_width: int = 0
    edge_height: int = 0
    layer_property: str = ""
    layer_order: tuple[str, ...] = ()
    decks: tuple[DeckPlace, ...] = ()
    formats: Mapping[str, str] = field(default_factory=dict)
    """moveWithinFormat, moveToFormat, createFormat ... as in the build file."""

    def board(self, name: str) -> Board | None:
        """The board of this name."""
        return next((board for board in self.boards if board.name == name), None)

    def placed(self, boards: tuple[BoardPlace, ...] | None = None) -> list[tuple[Board, int, int, bool]]:
        """(board, left, top, reversed) in map pixels of an arrangement; by default the module's own."""
        places = boards if boards else self.default
        if not places and len(self.boards) == 1:
            places = (BoardPlace(self.boards[0].name),)
        known = [(place, board) for place in places if (board := self.board(place.name)) is not None]
        widths: dict[int, int] = {}
        heights: dict[int, int] = {}
        for place, board in known:
            widths[place.column] = max(widths.get(place.column, 0), board.width)
            heights[place.row] = max(heights.get(place.row, 0), board.height)
        out = []
        for place, board in known:
            left = self.edge_width + sum(width for column, width in widths.items() if column < place.column)
            top = self.edge_height + sum(height for row, height in heights.items() if row < place.row)
            out.append((board, left, top, place.reversed))
        return out

    def locate(self, x: int, y: int, boards: tuple[BoardPlace, ...] | None = None) -> Location:
        """What stands at a map pixel: the engine's name for it, zone, board. A deck exactly there gives its name."""
        return self.locate_on(self.placed(boards), x, y)

    def locate_on(self, placed: Sequence[tuple[Board, int, int, bool]], x: int, y: int) -> Location:
        """The same on boards that ``placed`` has laid out."""
        found = Location("offboard", "", "")
        for board, left, top, turned in placed:
            inside = left <= x and top <= y and (not board.width or x < left + board.width) and (not board.height or y < top + board.height)
            if not inside:
                continue
            bx, by = x - left, y - top
            if turned:
                bx, by = board.width - bx, board.height - by
            name, zone = grids.names_at(board.grid, bx, by)
            found = Location(name or "offboard", zone, board.name)
            break
        for deck in self.decks:
            if (deck.x + self.edge_width, deck.y + self.edge_height) == (x, y):
                return Location(deck.name, found.zone, found.board)
        return found

    def location_name(self, x: int, y: int, boards: tuple[BoardPlace, ...] | None = None) -> str:
        """The engine's name of a map pixel, as in its reports."""
        return self.locate(x, y, boards).name


@dataclass(frozen=True, slots=True)
class Location:
    """A place on a map in the engine's words; zone and board may be ""."""

    name: str
    zone: str
    board: str


@dataclass(frozen=True)
class Slot:
    """A piece of the module: at start (``map`` and place set), in a palette, or in a deck.

    ``path`` are the names of the windows, tabs and lists above it. x and y are map pixels. ``piece`` is unexpanded.
    """

    gpid: str
    name: str
    piece: Piece
    path: tuple[str, ...] = ()
    map: str = ""
    x: int = 0
    y: int = 0
    location: str = ""
    """The grid location of an at-start stack, or the deck's name."""
    at_start: bool = False


@dataclass(frozen=True, slots=True)
class Die:
    """A dice button."""

    name: str
    dice: int
    sides: int
    symbols: bool = False


@dataclass(frozen=True)
class Module:
    """A module, read. ``notes`` tell what could not be made sense of."""

    where: str
    name: str
    version: str
    vassal_version: str
    description: str
    maps: tuple[Map, ...]
    slots: tuple[Slot, ...]
    prototypes: Mapping[str, Piece]
    trackers: tuple[Tracker, ...]
    sides: tuple[str, ...]
    dice: tuple[Die, ...]
    properties: Mapping[str, str]
    """Global properties of the module: name -> initial value."""
    setups: tuple[tuple[str, str], ...]
    """Predefined set-ups: (name, file in the module)."""
    metadata: Metadata | None
    module_data: bytes | None
    root: Element
    notes: tuple[str, ...] = ()

    def map(self, name: str) -> Map | None:
        """The map of this name."""
        return next((found for found in self.maps if found.name == name), None)

    def tracker(self, tracker_id: str) -> Tracker | None:
        """The tracker of an id as saves write it (``TurnTracker0`` is the first)."""
        number = tracker_id.removeprefix("TurnTracker")
        return self.trackers[int(number)] if number.isdecimal() and int(number) < len(self.trackers) else None

    def expanded(self, slot: Slot) -> Piece:
        """The slot's piece as it is placed in a game: prototypes replaced by their traits."""
        return expand(slot.piece, self.prototypes)[0]

    @cached_property
    def boards(self) -> dict[str, Board]:
        """All boards by name (the first of a name counts)."""
        found: dict[str, Board] = {}
        for each in self.maps:
            for board in each.boards:
                found.setdefault(board.name, board)
        return found


def _short(found: Element) -> str:
    return found.name.removeprefix(PREFIX)


def _int(found: Element, name: str, default: int = 0) -> int:
    try:
        return int(float(found.get(name) or default))
    except (ValueError, OverflowError):
        return default


def _float(found: Element, name: str, default: float) -> float:
    try:
        value = float(found.get(name) or default)
    except ValueError:
        return default
    return value if 1e-3 < abs(value) < 1e6 else default


def _flag(found: Element, name: str, default: bool = False) -> bool:
    return found.get(name, "true" if default else "false") == "true"


def read_module(source: Path | bytes, *, where: str | None = None, limits: Limits = DEFAULT_LIMITS) -> Module:
    """Read a module.

    Raises FormatError when the file is no zip archive, holds no build file, or the build file is no XML or too large. Single
    components that make no sense become notes.
    """
    with read_archive(source, where=where, limits=limits) as archive:
        name = BUILD_FILE if BUILD_FILE in archive else "buildFile"
        if name not in archive:
            raise FormatError(archive.where, _other(archive))
        return _Reader(archive, read_root(archive, name)).module()


def _other(archive: Archive) -> str:
    """What an archive without a build file is, and what is expected instead."""
    if not archive.names:
        return "is a zip archive with nothing in it; a module (.vmod) is expected"
    return "is a save or log; a module (.vmod) is expected" if "savedGame" in archive else f"holds no {BUILD_FILE}: not a module"


def read_root(archive: Archive, name: str) -> Element:
    """The tree of a build file. Raises FormatError when it is no XML, or its root is not a module's."""
    root = from_bytes(archive.read(name), f"{archive.where}: {name}")
    if _short(root) not in ("GameModule", "VASSAL.launch.BasicModule"):
        raise FormatError(f"{archive.where}: {name}", f"has the root element {root.name}; {PREFIX}GameModule is expected")
    return root


class _Reader:
    """Walks the tree once and gathers."""

    def __init__(self, archive: Archive, root: Element) -> None:
        self.archive = archive
        self.root = root
        self.notes: list[str] = []
        self.prototypes: dict[str, Piece] = {}
        self.maps: list[Map] = []
        self.slots: list[Slot] = []
        self.trackers: list[Tracker] = []
        self.sides: tuple[str, ...] = ()
        self.dice: list[Die] = []
        self.properties: dict[str, str] = {}
        self.setups: list[tuple[str, str]] = []

    def module(self) -> Module:
        for found in self.root.iter():
            if _short(found) == "module.PrototypeDefinition":
                self._prototype(found)
        self._walk()
        data = self.archive.read(MODULE_DATA) if MODULE_DATA in self.archive else None
        metadata = None
        if data is not None:
            try:
                metadata = read_metadata(data, f"{self.archive.where}: {MODULE_DATA}")
            except FormatError as error:
                self.notes.append(f"{MODULE_DATA} {error.what}")
        root = self.root
        return Module(
            where=self.archive.where,
            name=root.get("name"),
            version=root.get("version"),
            vassal_version=root.get("VassalVersion"),
            description=root.get("description"),
            maps=tuple(self.maps),
            slots=tuple(self.slots),
            prototypes=self.prototypes,
            trackers=tuple(self.trackers),
            sides=self.sides,
            dice=tuple(self.dice),
            properties=self.properties,
            setups=tuple(self.setups),
            metadata=metadata,
            module_data=data,
            root=root,
            notes=tuple(self.notes),
        )

    def _walk(self) -> None:
        stack: list[tuple[Element, tuple[str, ...]]] = [(self.root, ())]
        while stack:
            found, path = stack.pop()
            kind = _short(found)
            if kind in _MAPS:
                self._map(found)
                continue
            if kind in _PIECES:
                self._slot(found, path)
            elif kind == "module.PlayerRoster":
                self.sides = tuple(entry.text.strip() for entry in found.children if entry.name == "entry")
            elif kind == "module.turn.TurnTracker":
                self.trackers.append(_tracker(found))
            elif kind in ("module.DiceButton", "module.InternetDiceButton"):
                self.dice.append(Die(found.get("name", "2d6"), _int(found, "nDice", 2), _int(found, "nSides", 6)))
            elif kind == "module.SpecialDiceButton":
                faces = max((len(die.children) for die in found.children), default=0)
                self.dice.append(Die(found.get("name", "Symbols"), len(found.children), faces, symbols=True))
            elif kind == "module.PredefinedSetup" and _flag(found, "useFile", True) and found.get("file"):
                self.setups.append((found.get("name"), found.get("file")))
            elif kind == "module.properties.GlobalProperty":
                self.properties[found.get("name")] = found.get("initialValue")
            name = found.get("entryName")
            below = (*path, name) if name and kind not in _PIECES else path
            stack.extend((child, below) for child in reversed(found.children))

    def _prototype(self, found: Element) -> None:
        try:
            self.prototypes[found.get("name")] = parse_definition(found.text)
        except ValueError as error:
            self.notes.append(f"prototype {found.get('name')}: {error}")

    def _slot(self, found: Element, path: tuple[str, ...], place: Slot | None = None) -> None:
        name = found.get("entryName")
        try:
            piece = parse_definition(found.text)
        except ValueError as error:
            self.notes.append(f"piece {name}: {error}")
            return
        missing = expand(piece, self.prototypes)[1]
        for prototype in missing:
            self.notes.append(f"piece {name}: the prototype {prototype} is not defined")
        gpid = found.get("gpid") or piece.basic.gpid
        slot = Slot(gpid, name or piece.name, piece, path)
        if place is not None:
            slot = Slot(gpid, slot.name, piece, path, place.map, place.x, place.y, place.location, place.at_start)
        self.slots.append(slot)

    def _map(self, found: Element) -> None:
        name = found.get("mapName") or "Map"
        boards: list[Board] = []
        default: tuple[BoardPlace, ...] = ()
        layer_property = ""
        layer_order: tuple[str, ...] = ()
        decks: list[DeckPlace] = []
        setups: list[Element] = []
        for below in found.iter():
            kind = _short(below)
            if kind == _BOARD:
                boards.append(self._board(below))
            elif kind == "setup":
                command = parse_command(below.text.strip("\n "))
                default = command.boards if isinstance(command, Boards) else default
            elif kind == "module.map.LayeredPieceCollection":
                layer_property = below.get("property")
                layer_order = tuple(sequence.decode(below.get("layerOrder"), ","))
            elif kind == "module.map.DrawPile":
                decks.append(DeckPlace(below.get("name", "Deck"), _int(below, "x"), _int(below, "y"), below.get("owningBoard")))
                setups.append(below)
            elif kind == "module.map.SetupStack":
                setups.append(below)
        made = Map(
            name=name,
            boards=tuple(boards),
            default=default,
            edge_width=_int(found, "edgeWidth"),
            edge_height=_int(found, "edgeHeight"),
            layer_property=layer_property,
            layer_order=layer_order,
            decks=tuple(decks),
            formats={key: value for key, value in found.attributes.items() if key.endswith("Format")},
        )
        self.maps.append(made)
        for below in setups:
            self._setup(below, made)

    def _setup(self, found: Element, on: Map) -> None:
        location = found.get("location") if _flag(found, "useGridLocation") else ""
        x, y = _int(found, "x"), _int(found, "y")
        for board, left, top, _ in on.placed():
            owner = found.get("owningBoard")
            if owner and board.name != owner:
                continue
            pixel = next((p for g in grids.hex_grids(board.grid) if (p := g.pixel_of(location))), None) if location else None
            x, y = pixel if pixel is not None else (x, y)
            x, y = x + left, y + top
            break
        if _short(found) == "module.map.DrawPile":
            location = found.get("name", "Deck")
        place = Slot("", "", _NOTHING, (), on.name, x, y, location, True)
        for child in found.children:
            if _short(child) in _PIECES:
                self._slot(child, (on.name, found.get("name")), place)

    def _board(self, found: Element) -> Board:
        image = found.get("image")
        width, height = _int(found, "width"), _int(found, "height")
        if image:
            size = self._image_size(image)
            if size is None:
                self.notes.append(f"board {found.get('name')}: the size of its picture {image} is not known")
            width, height = size or (width, height)
        grid = next((made for child in found.children if (made := self._grid(child, width, height)) is not None), None)
        return Board(found.get("name"), width, height, grid, image)

    def _image_size(self, image: str) -> tuple[int, int] | None:
        for name in (f"images/{image}", image):
            if name in self.archive:
                try:
                    return image_size(self.archive.read(name))
                except FormatError as error:
                    self.notes.append(f"picture {image} {error.what}")
                    return None
        return None

    def _grid(self, found: Element, width: int, height: int) -> grids.Grid | None:
        kind = _short(found).removeprefix(_GRID)
        if kind == "HexGrid":
            dy = _float(found, "dy", 64.0)
            dx = _float(found, "dx", dy * 3**0.5 / 2)
            numbering = _numbering(found)
            return grids.HexGrid(dx, dy, _int(found, "x0"), _int(found, "y0"), _flag(found, "sideways"), numbering, width, height)
        if kind == "SquareGrid":
            numbering = _numbering(found)
            return grids.SquareGrid(
                _float(found, "dx", 48.0), _float(found, "dy", 48.0), _int(found, "x0"), _int(found, "y0"), numbering, width, height
            )
        if kind == "RegionGrid":
            return grids.RegionGrid(
                tuple((child.get("name"), _int(child, "originx"), _int(child, "originy")) for child in found.children if child.get("name"))
            )
        if kind == "ZonedGrid":
            return self._zoned(found, width, height)
        return None

    def _zoned(self, found: Element, width: int, height: int) -> grids.ZonedGrid:
        zones: list[grids.Zone] = []
        background: grids.Grid | None = None
        for child in found.children:
            if _short(child) != _GRID + "mapgrid.Zone":
                made = self._grid(child, width, height)
                background = made if made is not None else background
                continue
            path = _path(child.get("path"))
            if not path:
                self.notes.append(f"zone {child.get('name')}: its path is no list of x,y;x,y;...")
                continue
            xs, ys = [p[0] for p in path], [p[1] for p in path]
            size = (max(xs) - min(xs), max(ys) - min(ys))
            inner = next((grid for below in child.children if (grid := self._grid(below, *size)) is not None), None)
            zones.append(grids.Zone(child.get("name"), path, child.get("locationFormat", "$name$"), _flag(child, "useParentGrid"), inner))
        return grids.ZonedGrid(tuple(zones), background)


_NOTHING = Piece("", (), parse_definition("+/null/piece;;;;/null;0;0;;0").basic)


def _path(text: str) -> tuple[tuple[int, int], ...]:
    points: list[tuple[int, int]] = []
    for word in text.split(";"):
        x, comma, y = word.partition(",")
        try:
            points.append((int(float(x)), int(float(y))))
        except (ValueError, OverflowError):
            if word.strip():
                return ()
        if word.strip() and not comma:
            return ()
    return tuple(points)


def _numbering(found: Element) -> grids.Numbering | None:
    for child in found.children:
        kind = _short(child).removeprefix(_GRID + "mapgrid.")
        if kind in ("HexGridNumbering", "SquareGridNumbering"):
            return grids.Numbering(
                first=child.get("first", "H"),
                sep=child.get("sep"),
                h_type=child.get("hType", "N"),
                v_type=child.get("vType", "N"),
                h_leading=_int(child, "hLeading", 1),
                v_leading=_int(child, "vLeading", 1),
                h_off=_int(child, "hOff", 1),
                v_off=_int(child, "vOff", 1),
                h_descend=_flag(child, "hDescend"),
                v_descend=_flag(child, "vDescend"),
                stagger=_flag(child, "stagger", True) if kind == "HexGridNumbering" else False,
                location_format=child.get("locationFormat", "$gridLocation$"),
            )
    return None


def _tracker(found: Element) -> Tracker:
    levels = tuple(level for child in found.children if (level := _level(child)) is not None)
    name, text = found.get("name", "Turn"), found.get("turnFormat", "$level1$ $level2$ $level3$ $level4$")
    return Tracker(name, text, levels, found.get("reportFormat", Tracker("", "", ()).report))


def _level(found: Element) -> Level | None:
    kind = _short(found)
    if kind not in ("module.turn.CounterTurnLevel", "module.turn.ListTurnLevel"):
        return None
    counter = kind.endswith("CounterTurnLevel")
    below = tuple(level for child in found.children if (level := _level(child)) is not None)
    values = () if counter else tuple(sequence.decode(found.get("list"), ","))
    return Level(
        name=found.get("name"),
        counter=counter,
        values=values,
        format=found.get("turnFormat", "$value$"),
        below=below,
        property=found.get("property"),
        start=_int(found, "start", 1),
        loop=_flag(found, "loop"),
        limit=_int(found, "loopLimit", -1),
    )


def image_size(data: bytes) -> tuple[int, int] | None:
    """(width, height) in pixels of a PNG, GIF or JPEG picture, or of an SVG with both attributes; None when it is none of these."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    if data[:4] == b"GIF8" and len(data) >= 10:
        width, height = struct.unpack("<HH", data[6:10])
        return width, height
    if data[:2] == b"\xff\xd8":
        return _jpeg_size(data)
    if b"<svg" in data[:4096]:
        return _svg_size(data)
    return None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    for kind, start in _jpeg_segments(data):
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC) and start + 7 <= len(data):
            height, width = struct.unpack(">HH", data[start + 3 : start + 7])
            return width, height
    return None


def _jpeg_segments(data: bytes) -> Iterator[tuple[int, int]]:
    """(marker, offset of the segment's length) of every segment."""
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            return
        kind = data[at + 1]
        if kind == 0xFF:
            at += 1
            continue
        yield kind, at + 2
        if 0xD0 <= kind <= 0xD9 or kind == 0x01:
            at += 2
        else:
            at += 2 + max(2, struct.unpack(">H", data[at + 2 : at + 4])[0])


def _svg_size(data: bytes) -> tuple[int, int] | None:
    try:
        root = from_bytes(data, "svg")
    except FormatError:
        return None
    try:
        width, height = (float(root.get(name).removesuffix("px")) for name in ("width", "height"))
        return round(width), round(height)
    except ValueError:
        pass
    box = root.get("viewBox").replace(",", " ").split()
    try:
        return (round(float(box[2])), round(float(box[3]))) if len(box) == 4 else None
    except ValueError:
        return None
