"""Where the places are that a layout can send pieces to or set them up on: the client's name of each, its map, its pixel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gamebox.model import Box
from modgen.art import plan
from modgen.errors import ArtError
from modgen.layout.layout import Layout
from modgen.layout.places import TURNS, track_rows, turn_name, zone_name
from modgen.layout.reading import Rect

MARKER_SPOT = 99
"""Markers stand on the last spot of a zone."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place as clients call it, and the pixel where a piece is put in it."""

    name: str
    map: str
    x: int
    y: int


def low(layout: Layout, rect: Rect) -> tuple[int, int]:
    """Where a pile begins in a box: low, since piles lean upwards."""
    x, y, w, h = rect
    return x + w // 2 - 8, y + h - layout.counters.size // 2 - 8


def along(layout: Layout, box: Box, row: str) -> tuple[Spot, ...]:
    """The cells of a track's row in order; ``turns`` are those of the turn track.

    Raises :class:`ArtError` for a row that there is not.
    """
    board = layout.board
    if row == TURNS:
        return tuple(Spot(turn_name(turn), board.map, *plan.turn_spot(layout, box, turn)) for turn in plan.turn_cells(layout, box))
    for track in board.tracks:
        made = [(cell, rect) for found, cell, rect in plan.track_cells(box, track) if found.label == row]
        if made:
            return tuple(Spot(cell.name, board.map, *plan.cell_spot(rect)) for cell, rect in made)
    raise ArtError(f"{layout.path.name}: {row!r} is no row of a [[track]]; there are {', '.join(track_rows(board))}")


def find(layout: Layout, box: Box, place: str, number: int = 0) -> Spot:
    """A place by the name that clients give it, or by its id in the game's tables. A zone of the map has several spots, filled in
    their order (``number``); the last one takes all that come after.

    Raises :class:`ArtError` for a name that is none.
    """
    board = layout.board
    for area in board.boxes:
        if place in (area.id, area.name):
            return Spot(area.name, board.map, *low(layout, area.rect))
    for hold in board.holds:
        if place == hold.name:
            return Spot(hold.name, board.map, *low(layout, hold.rect))
    if "hexes" in box.tables and box["hexes"].get(place) is not None:
        return Spot(place, board.map, *plan.sheet(layout, box).centre(place))
    if board.areas is not None and box.zones is not None:
        for row in box[box.zones.zones]:
            if place in (row.key, zone_name(board, box, row.key)):
                spots = board.areas.places[row.key].spots
                return Spot(zone_name(board, box, row.key), board.map, *spots[min(number, len(spots) - 1)])
    for spot in _cells(layout, box):
        if spot.name == place:
            return spot
    raise ArtError(f"{layout.path.name}: {place!r} is no place of the boards")


def _cells(layout: Layout, box: Box) -> Iterator[Spot]:
    yield from along(layout, box, TURNS)
    for track in layout.board.tracks:
        for row in track.rows:
            yield from along(layout, box, row.label)
