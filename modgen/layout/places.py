"""What clients call the places of a board, and which names a layout may use for them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from gamebox.model import Box
from modgen.layout.board import BoardLayout
from modgen.layout.displays import Display, rows
from modgen.layout.tracks import cells, filled

HEXES, BESIDE = "Other hexes", "Beside the map"
"""What clients call the hexes that no ``[[zone]]`` has, and all that lies beside the hexes."""
TURNS = "turns"
"""The turn track, where the label of a track's row is asked for."""


def turn_name(turn: str) -> str:
    """How clients call a cell of the turn track."""
    return f"Turn {turn}"


def zone_name(board: BoardLayout, box: Box, zone: str) -> str:
    """How clients call a zone of the map; KeyError for a board of another kind or a zone that there is not."""
    if board.areas is None or box.zones is None:
        raise KeyError(zone)
    row = box[box.zones.zones][zone]
    return board.areas.named.format(**{column: row.text(column) for column in row.values})


def on_display(display: str, box: str) -> str:
    """How a layout calls a box of a display where the board has one of the same id: ``Red Display/red-reserve``."""
    return f"{display}/{box}"


def track_rows(board: BoardLayout) -> tuple[str, ...]:
    """How a layout calls the rows of all tracks: ``Points/Red``, the track's name and the row's label; and ``turns``."""
    return (TURNS, *(f"{track.name}/{row.label}" for track in board.tracks for row in track.rows))


def place_names(board: BoardLayout, displays: Sequence[Display], box: Box) -> set[str]:
    """Every name and id of a place that a piece can be sent to or set up on."""
    out = {area.id for area in board.boxes} | {area.name for area in board.boxes} | {hold.name for hold in board.holds}
    if "hexes" in box.tables:
        out |= set(box["hexes"].by_key)
    if board.areas is not None and box.zones is not None:
        for row in box[box.zones.zones]:
            out.add(row.key)
            # What is wrong with their form the check of the map says.
            with suppress(KeyError, IndexError, ValueError):
                out.add(zone_name(board, box, row.key))
    if "turns" in box.tables:
        out |= {turn_name(row.key) for row in box["turns"]}
        out |= {row.key for row in (box["boxes"] if "boxes" in box.tables else ()) if row.values.get("turn")}
    for display in displays:
        out |= {word for room in display.rooms for word in (room.id, room.name, on_display(display.name, room.id))}
    # What is wrong with tracks and displays their own checks say.
    for track in board.tracks:
        for line in track.rows:
            with suppress(KeyError):
                out |= {cell.name for cell in cells(line, box)}
    for display in displays:
        with suppress(KeyError):
            for row in rows(display.cards, box):
                out |= {filled(display.cards.id, row, box), filled(display.cards.named, row, box)}
                out.add(on_display(display.name, filled(display.cards.id, row, box)))
    return out
