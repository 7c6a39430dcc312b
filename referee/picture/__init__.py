"""A position drawn on the board of its game's box: counters, holders, marks, what lies beside the map.

The board and the counters are ``modgen.art``'s, so that the picture looks like the module. The same scene gives the same bytes. ``hexes``
and ``zones`` draw what stands on a map of either kind, ``common`` what both have.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamebox.load import data_root
from gamebox.model import Box
from modgen.art.svg import render
from modgen.errors import ArtError
from modgen.layout.layout import read_layout
from referee.picture.common import Paint
from referee.picture.hexes import HexPicture
from referee.picture.zones import ZonePicture
from referee.rules.options import UsageError
from referee.rules.scene import Scene

__all__ = ["Paint", "draw_position", "rendered"]


def draw_position(box: Box, scene: Scene, caption: Sequence[str], paint: Paint | None = None) -> str:
    """The position as an SVG text. ``caption``: lines below the board, the first one large.

    Raises UsageError when the board cannot be drawn.
    """
    try:
        layout = read_layout(data_root() / box.id / "module.toml", box)
        return (HexPicture if box.grid is not None else ZonePicture)(box, layout, scene, caption, paint or Paint()).draw()
    except ArtError as error:
        raise UsageError(str(error)) from None


def rendered(svg: str, scale: float = 1.0) -> bytes:
    """The picture as PNG bytes, ``scale`` pixels a user unit. Raises UsageError when the renderer refuses it."""
    try:
        return render(svg, scale)
    except ArtError as error:
        raise UsageError(str(error)) from None
