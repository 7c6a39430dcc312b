"""Draws the board from the box: the map, hexes or zones, and everything beside it."""

from __future__ import annotations

from gamebox.model import Box
from modgen.art.board.common import Board, BoardArt
from modgen.art.board.hexes import HexBoard
from modgen.art.board.zones import ZoneBoard
from modgen.errors import ArtError
from modgen.layout.layout import Layout

__all__ = ["Board", "BoardArt", "draw_board"]


def draw_board(box: Box, layout: Layout) -> BoardArt:
    """The board of a game, by what its map is made of.

    Raises :class:`ArtError` when a name has no glyph, a label no room, or the data names a hexside that is none.
    """
    if box.grid is None and box.zones is None:
        raise ArtError(f"{box.title} has neither a hex grid nor zones: there is no map to draw")
    return (HexBoard if box.grid is not None else ZoneBoard)(box, layout).draw()
