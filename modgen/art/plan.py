"""Where things stand on the board, for the drawing and for the client alike: slots of boxes, cells of the turn track, hex sets of zones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import accumulate

from gamebox.model import Box, Piece, Row
from gamebox.once import once
from modgen.art.field import Field
from modgen.art.sheet import Sheet
from modgen.art.zonefield import ZoneField
from modgen.errors import ArtError
from modgen.layout.board import BoxArea
from modgen.layout.hexmap import HexMap
from modgen.layout.layout import Layout
from modgen.layout.reading import Rect, Where
from modgen.layout.tracks import Cell, Track, TrackRow, cells

HEADER = 28
"""Height of the heading strip of every panel."""


def hex_map(layout: Layout) -> HexMap:
    """How the hexes are drawn.

    Raises :class:`ArtError` when the layout does not say it.
    """
    if layout.board.hexes is None:
        raise ArtError(f"{layout.path.name}: [board] across: is missing; the map of this game is drawn as hexes")
    return layout.board.hexes


def sheet(layout: Layout, box: Box) -> Sheet:
    """The hex field of the board.

    Raises :class:`ArtError` when the game has no hex grid.
    """
    if box.grid is None:
        raise ArtError(f"{box.title} has no hex grid: its board has no hexes")
    look = hex_map(layout)
    return Sheet(box.grid, look.across, look.down, layout.board.left, layout.board.top)


def field(layout: Layout, box: Box) -> Field:
    """The places of the board's map.

    Raises :class:`ArtError` when they cannot be drawn.
    """
    return sheet(layout, box) if box.grid is not None else zone_field(layout, box)


def zone_field(layout: Layout, box: Box) -> ZoneField:
    """The zones of the board.

    Raises :class:`ArtError` when the game has none, or the layout does not say how they are drawn.
    """
    if layout.board.areas is None:
        raise ArtError(f"{box.title} has no zones: its board has none")
    return ZoneField(box, layout.board.areas, layout.board.left, layout.board.top)


@dataclass(frozen=True, slots=True)
class Slot:
    """A part of a box, for the pieces that lie in it by a strength or that pass a test."""

    label: str
    rect: Rect
    large: bool
    """Its label is a figure."""
    holds: Callable[[Piece], bool]
    piles: int


def slots(box: Box, area: BoxArea) -> tuple[Slot, ...]:
    """The slots of a box, side by side: those that the layout lists, or one for each value that its sides' pieces have in the box's
    column. None = one heap."""
    found: list[tuple[str, Callable[[Piece], bool], int]] = [(s.label, partial(_passes, s.where), s.piles) for s in area.slots]
    if not found and area.column in box.strengths:
        values = {p.strength(area.column) for p in box.pieces if p.side in area.sides} - {None}
        found = [(str(value), partial(_has, area.column, value), 1) for value in sorted(v for v in values if v is not None)]
    x, y, w, h = area.rect
    ends = list(accumulate((piles for _, _, piles in found), initial=0))
    edges = [x + w * end // max(ends[-1], 1) for end in ends]
    return tuple(
        Slot(label, (left, y + HEADER, right - left, h - HEADER), not area.slots, holds, piles)
        for (label, holds, piles), left, right in zip(found, edges, edges[1:], strict=False)
    )


def _passes(where: Where, piece: Piece) -> bool:
    return where(piece.row)


def _has(column: str, value: int | None, piece: Piece) -> bool:
    return piece.strength(column) == value


def slot_rect(box: Box, area: BoxArea, piece: Piece) -> Rect | None:
    """The slot of a piece in a box: the first that holds it."""
    slot = _holder(slots(box, area), piece)
    return slot.rect if slot is not None else None


def spot(layout: Layout, box: Box, area: BoxArea, piece: Piece) -> tuple[int, int]:
    """Where an eliminated piece is put in a box: low in its slot, since piles lean upwards; in its own pile where the slot has several."""
    slot, alike = _sorted(box, area)[piece.id]
    (x, y, w, h), pile, piles = area.rect, 0, 1
    if slot is not None:
        (x, y, w, h), piles = slot.rect, slot.piles
    if piles > 1:
        pile = alike.index(piece.id) * piles // len(alike)
    return x + w * (2 * pile + 1) // (2 * piles) - 8, y + h - layout.counters.size // 2 - 8


@once
def _sorted(box: Box, area: BoxArea) -> Mapping[str, tuple[Slot | None, list[str]]]:
    """Piece -> its slot of a box, and the pieces of the box's sides that share it, in the order of the tables."""
    parts = slots(box, area)
    held = {piece.id: _holder(parts, piece) for piece in box.pieces}
    alike = {id(slot): [p.id for p in box.pieces if p.side in area.sides and held[p.id] is slot] for slot in (*parts, None)}
    return {piece.id: (slot, alike[id(slot)]) for piece, slot in ((piece, held[piece.id]) for piece in box.pieces)}


def _holder(parts: Iterable[Slot], piece: Piece) -> Slot | None:
    return next((slot for slot in parts if slot.holds(piece)), None)


def middle(rect: Rect) -> tuple[int, int]:
    """The middle of a panel below its heading."""
    x, y, w, h = rect
    return x + w // 2, y + (h + HEADER) // 2


def hold_spots(layout: Layout, rect: Rect, count: int) -> list[tuple[int, int]]:
    """Places for ``count`` waiting counters in rows that fill the panel; where there is no room for all, they overlap in their rows."""
    x, y, w, h = rect
    step = layout.counters.size + 10
    columns = max(1, min(count, (w - 16) // step))
    rows = (count + columns - 1) // columns
    if rows * step > h - HEADER:
        return _fanned(rect, count, layout.counters.size)
    left = x + (w - columns * step) // 2 + step // 2
    top = y + HEADER + (h - HEADER - 22 - rows * step) // 2 + step // 2
    return [(left + (i % columns) * step, top + (i // columns) * step) for i in range(count)]


def _fanned(rect: Rect, count: int, size: int) -> list[tuple[int, int]]:
    """Rows of counters that overlap as much as they must."""
    x, y, w, h = rect
    rows = max(1, (h - HEADER - 4) // (size + 4))
    columns = (count + rows - 1) // rows
    left, top = x + 8 + size // 2, y + HEADER + 4 + size // 2
    room, high = w - 16 - size, (h - HEADER - 4) // rows
    return [(left + room * (i % columns) // max(columns - 1, 1), top + high * (i // columns)) for i in range(count)]


def turn_side_spot(layout: Layout, box: Box, turn: str, side: str) -> tuple[int, int]:
    """Where a piece of a side that comes to wait for a turn is put in its cell: the first side at the left."""
    x, y, w, h = turn_cells(layout, box)[turn]
    order = [s.id for s in layout.play.sides]
    step = layout.counters.size + 14
    return x + w // 2 + step * (2 * order.index(side) - len(order) + 1) // 2, y + h // 2


def waiting_spots(layout: Layout, box: Box, turn: str, count: int) -> list[tuple[int, int]]:
    """Places for ``count`` counters that wait for a turn in its cell, in as many lines as there is room for between its head and its foot.
    Where a line has not room enough each covers the right of the one before it, so that all of them can be told and taken."""
    x, y, w, h = turn_cells(layout, box)[turn]
    size = layout.counters.size
    lines = max(1, (h - TURN_HEAD - TURN_FOOT) // (size + 2))
    abreast = max((w - 12) // (size + 10), (count + lines - 1) // lines)
    out = []
    for line, first in enumerate(range(0, count, abreast)):
        here = min(abreast, count - first)
        step = min(size + 10, (w - 12 - size) // max(here - 1, 1))
        out += [(x + 6 + size // 2 + step * n, y + TURN_HEAD + size // 2 + (size + 2) * line) for n in range(here)]
    return out


TURN_HEAD, TURN_FOOT = 72, 42
"""Height of what a cell of the turn track says at its top and at its foot."""


def turn_cells(layout: Layout, box: Box) -> dict[str, Rect]:
    """Turn -> its cell on the track, line by line."""
    x, y, w, h = layout.board.turns_rect
    turns = [row.key for row in sorted(box["turns"], key=lambda r: int(r.key))]
    columns = layout.board.turn_track.columns
    rows = (len(turns) + columns - 1) // columns
    top, room = y + HEADER + 6, h - HEADER - 6
    return {
        t: (x + w * (i % columns) // columns, top + room * (i // columns) // rows, w // columns, room // rows) for i, t in enumerate(turns)
    }


def turn_spot(layout: Layout, box: Box, turn: str) -> tuple[int, int]:
    """Where the turn marker stands in a cell: its middle, so that no point of it is nearer to another cell's; where pieces wait in cells,
    the upper corner at the right, off them."""
    x, y, w, h = turn_cells(layout, box)[turn]
    if any(row.text("turn") == turn for row in _waiting(box)):
        half = layout.counters.size // 2
        return x + w - half - 6, y + half + 21
    return x + w // 2, y + h // 2


def _waiting(box: Box) -> Iterable[Row]:
    """The boxes of the game that are cells of the turn track, if there are any."""
    return box["boxes"] if "boxes" in box.tables and "turn" in box["boxes"].columns else ()


def turn_heaps(layout: Layout, box: Box) -> dict[str, tuple[str, tuple[tuple[int, int], ...]]]:
    """Boxes of the game that are cells of the turn track: box -> (turn, where piles of counters lie in the cell, line by line)."""
    cells, step = turn_cells(layout, box), layout.counters.size + 10
    out = {}
    for row in _waiting(box):
        if (turn := row.text("turn")) in cells:
            x, y, w, h = cells[turn]
            count, lines = max(1, (w - 12) // step), max(1, (h - TURN_HEAD) // step)
            low = y + h - layout.counters.size // 2 - 10
            spots = ((x + w * (2 * k + 1) // (2 * count), low - step * (lines - 1 - n)) for n in range(lines) for k in range(count))
            out[row.key] = turn, tuple(spots)
    return out


def track_cells(box: Box, track: Track) -> list[tuple[TrackRow, Cell, Rect]]:
    """Every cell of a track with its rectangle. All lines are equally high; the cells of the longest line fill the panel's width."""
    x, y, w, h = track.rect
    lines: list[list[tuple[TrackRow, Cell | None]]] = []
    for row in track.rows:
        made = cells(row, box)
        if row.beside and lines:
            lines[-1] += [(row, None)] * row.beside + [(row, cell) for cell in made]
            continue
        wrap = row.wrap or len(made)
        lines += [[(row, cell) for cell in made[i : i + wrap]] for i in range(0, len(made), wrap)]
    across = max(map(len, lines))
    left, room, top, high = x + 8 + track.head, w - 16 - track.head, y + HEADER + 6, h - HEADER - 12
    out = []
    for n, line in enumerate(lines):
        y1, y2 = top + high * n // len(lines), top + high * (n + 1) // len(lines)
        for k, (row, made_cell) in enumerate(line):
            x1, x2 = left + room * k // across, left + room * (k + 1) // across
            if made_cell is not None:
                out.append((row, made_cell, (x1, y1, x2 - x1, y2 - y1)))
    return out


def row_head(track: Track, rect: Rect, row: TrackRow) -> Rect:
    """The space for a row's label before its first cell."""
    x, y, w, h = rect
    wide = row.beside * w if row.beside else track.head
    return x - wide, y, wide, h


def cell_spot(rect: Rect) -> tuple[int, int]:
    """Where a marker stands in a cell of a track."""
    x, y, w, h = rect
    return x + w // 2, y + h // 2


def last_turns(layout: Layout, box: Box) -> dict[str, tuple[str, ...]]:
    """Last turn -> names of the scenarios that are offered set up and end with it, in the order of the layout."""
    out: dict[str, list[str]] = {}
    first = {setup.scenario: setup for setup in reversed(layout.play.setups)}
    for setup in (setup for setup in layout.play.setups if first[setup.scenario] is setup):
        out.setdefault(str(box["scenarios"][setup.scenario].int("last_turn")), []).append(setup.name)
    return {turn: tuple(scenarios) for turn, scenarios in out.items()}


def zone_hexes(layout: Layout, box: Box) -> Mapping[str, tuple[str, ...]]:
    """Zone -> its hexes; a hex belongs to the first zone whose test it passes.

    Raises :class:`ArtError` when, on a map of several sheets, a zone lies on two of them or a hex in none: a client knows the sheet of
    a hex by its zone.
    """
    out: dict[str, list[str]] = {z.name: [] for z in layout.board.zones}
    field, lost = sheet(layout, box), []
    for row in box["hexes"]:
        zone = next((z.name for z in layout.board.zones if z.where(row)), None)
        if zone is not None:
            out[zone].append(row.key)
        elif field.sheets:
            lost.append(row.key)
    split = [name for name, hexes in out.items() if len({field.sheet_of(h) for h in hexes}) > 1]
    if split or lost:
        where = f"{split[0]!r} lies on several sheets of the map" if split else f"hex {lost[0]} is in none"
        raise ArtError(f"{layout.path.name}: [[zone]]: {where}; a client knows a hex's sheet by its zone, so each needs one on its sheet")
    return {name: tuple(hexes) for name, hexes in out.items()}


def other_hexes(layout: Layout, box: Box) -> tuple[str, ...]:
    """The hexes of the map that are in no zone."""
    zoned = {name for hexes in zone_hexes(layout, box).values() for name in hexes}
    return tuple(row.key for row in box["hexes"] if row.key not in zoned)


def exit_hexes(layout: Layout, box: Box) -> tuple[str, ...]:
    """Hexes from which pieces may leave the map."""
    edges = {edge for p in layout.play.prototypes if p.exit is not None for edge in p.exit.edges}
    hexes = box["hexes"] if "hexes" in box.tables else ()
    return tuple(row.key for row in hexes if edges and edges.intersection(row.items("edge")))


def is_land(layout: Layout, row: Row) -> bool:
    """Whether a hex is drawn as land."""
    return not hex_map(layout).terrain[row.text("terrain")].water
