"""The board of a module: its size, the map, the panels and boxes around the map. ``[board]`` and its kin in ``module.toml``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gamebox.model import Box
from modgen.layout.hexmap import HexMap, check_hex_map, read_hex_map
from modgen.layout.reading import Against, Reader, Rect, Where, each
from modgen.layout.tracks import Track, TurnTrack, check_tracks, check_turns, read_tracks, read_turns
from modgen.layout.zonemap import ZoneLook, check_zone_map, read_zone_map

LABEL_STYLES = ("land", "sea", "range")
COLOURS = ("paper", "ink", "hexline", "number", "city", "capital", "closed", "frame", "panel", "reconstructed")


@dataclass(frozen=True, slots=True)
class Label:
    """A name on the map, centred on one of its places and shifted by whole pixels; without a place at that pixel of the board."""

    text: str
    at: str
    style: str
    dx: int = 0
    dy: int = 0
    size: int = 15
    spacing: int = 3
    rotate: int = 0


@dataclass(frozen=True, slots=True)
class BoxSlot:
    """A part of a box, for the pieces that pass a test, in so many piles side by side; it is as many times wider than one with one pile."""

    label: str
    where: Where
    piles: int


@dataclass(frozen=True, slots=True)
class BoxArea:
    """One of the game's boxes beside the map; ``column`` sorts the pieces in it (a strength), slots are drawn for its values."""

    id: str
    name: str
    rect: Rect
    sides: tuple[str, ...]
    note: str
    column: str
    title: str
    """What its heading says; the name where the layout says nothing else."""
    slots: tuple[BoxSlot, ...] = ()
    """Parts of it with a label each; instead of a column."""


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
class BoardLayout:
    """The board. Sizes are pixels at 100 %, colours ``#rrggbb``."""

    map: str
    """The map's name in the client."""
    width: int
    height: int
    left: int
    top: int
    hexes: HexMap | None
    """How the map is drawn when it is a hex grid."""
    areas: ZoneLook | None
    """How the map is drawn when it is made of zones."""
    colours: Mapping[str, str]
    labels: tuple[Label, ...]
    title_rect: Rect
    turns_rect: Rect
    legend_rect: Rect
    key_note: str
    """What the heading of the key adds; empty for what the kind of map says."""
    turn_track: TurnTrack
    tracks: tuple[Track, ...]
    boxes: tuple[BoxArea, ...]
    holds: tuple[HoldArea, ...]
    zones: tuple[HexZone, ...]
    rate_labels: tuple[tuple[str, str, str], ...]
    """Rate column, short word, colour: what the turn track prints."""

    def labels_of_kinds(self) -> dict[str, str]:
        """What the key calls the kinds of things on the map, by their words in the tables."""
        if self.areas is not None:
            return {kind: ground.label for kind, ground in self.areas.terrain.items()}
        return self.hexes.labels() if self.hexes is not None else {}


def read_board(top: Reader, box: Box) -> BoardLayout:
    """The board's part of the file; its map is what the box has: a hex grid, or zones."""
    board, panels = top.table("board"), top.table("panels")
    colours = top.table("colours")
    out = BoardLayout(
        map=top.text("map"),
        width=board.int("width", low=100, high=20000),
        height=board.int("height", low=100, high=20000),
        left=board.int("left", low=0),
        top=board.int("top", low=0),
        hexes=read_hex_map(top, board) if box.grid is not None else None,
        areas=read_zone_map(top, board) if box.zones is not None else None,
        colours={name: colours.colour(name) for name in COLOURS},
        labels=each(
            top.listed("label"),
            lambda r: Label(
                r.text("text"),
                r.text("at", ""),
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
        key_note=panels.text("key_note", ""),
        turn_track=read_turns(top),
        tracks=read_tracks(top),
        boxes=each(
            top.listed("box"),
            lambda r: BoxArea(
                r.text("id"),
                r.text("name"),
                r.rect("rect"),
                r.texts("sides", ()),
                r.text("note", ""),
                r.text("column", "-"),
                r.text("title", r.data.get("name", "")),
                each(r.listed("slot"), lambda s: BoxSlot(s.text("label"), s.where("where"), s.int("piles", 1, 1, 9))),
            ),
        ),
        holds=each(
            top.listed("hold"),
            lambda r: HoldArea(r.text("name"), r.rect("rect"), r.text("note", ""), r.text("region", ""), r.texts("markers", ())),
        ),
        zones=each(top.listed("zone"), lambda r: HexZone(r.text("name"), r.where("where"), r.text("set", ""))),
        rate_labels=each(top.listed("rate"), lambda r: (r.text("rate"), r.text("label"), r.colour("colour"))),
    )
    for reader in (board, panels, colours):
        reader.end()
    return out


def check_board(board: BoardLayout, against: Against, displayed: Iterable[str] = ()) -> None:
    """The board held against the game's tables; ``displayed``: boxes that lie on a side's own display."""
    a = against
    if "boxes" in a.box.tables:
        a.known("[[box]]", (b.id for b in board.boxes), a.keys("boxes"), "box of the game")
        on_track = [row.key for row in a.box["boxes"] if row.values.get("turn")]
        drawn = [*(b.id for b in board.boxes), *displayed, *on_track]
        a.known("[[box]]", sorted(a.keys("boxes")), drawn, "box drawn here, but one of the game")
    columns = {column for piece in a.box.pieces for column in piece.row.values}
    for area in board.boxes:
        for slot in area.slots:
            a.known(f"[[box]] {area.id} slot {slot.label!r} where", (c for c, _ in slot.where.tests), columns, "column of the pieces")
    if board.hexes is not None:
        check_hex_map(board.hexes, a)
    if board.areas is not None:
        check_zone_map(board.areas, a)
    check_turns(board.turn_track, a)
    cells = check_tracks(board.tracks, board.width, board.height, a)
    a.known("[[rate]]", a.column("rates", "rate"), (r[0] for r in board.rate_labels), "rate labelled here, but one of the game")
    a.known("[[hold]] region", (h.region for h in board.holds if h.region), a.keys("regions"), "region of the game")
    for what, rects in (("[[box]]", [(b.name, b.rect) for b in board.boxes]), ("[[hold]]", [(h.name, h.rect) for h in board.holds])):
        for name, (x, y, w, h) in rects:
            if x + w > board.width or y + h > board.height:
                a.fault(f"{what} {name!r}: its rectangle leaves the board of {board.width} x {board.height}")
    places = [*(b.name for b in board.boxes), *(h.name for h in board.holds), *(z.name for z in board.zones), *cells]
    a.once("[[box]], [[hold]], [[zone]]", places, "a client tells places by name alone")
