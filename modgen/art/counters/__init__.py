"""Draws the counters: units with symbol, size, name and strengths, their other sides, the markers and the small marks laid over units.

Each picture is drawn at twice the size shown on the board, so that counters stay sharp when zoomed in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gamebox.model import Box, Piece
from modgen.art.counters import marks
from modgen.art.counters.marks import draw_marker
from modgen.art.counters.pen import UNIT, Pen, Print, Role
from modgen.art.counters.units import draw_unit
from modgen.art.drawing import Drawing as Picture
from modgen.art.drawing import render_whole
from modgen.art.svg import attrs
from modgen.layout.counters import Face, Marker, Mask, face_file, marker_stem
from modgen.layout.layout import Layout

SCALE = 2
"""Pixels drawn for one pixel shown."""
ATTACK, TARGET, MOVED = "mark-attack.png", "mark-target.png", "mark-moved.png"
FOUGHT, WAS_FOUGHT, ANSWERED = "mark-attack-over.png", "mark-target-over.png", "mark-target-answered.png"
"""Marks of attacks that are resolved; only where odds are counted."""

__all__ = (
    "ANSWERED",
    "ATTACK",
    "FOUGHT",
    "MOVED",
    "SCALE",
    "TARGET",
    "WAS_FOUGHT",
    "Drawing",
    "Print",
    "Role",
    "draw_counters",
    "draw_unit",
    "drawings",
    "faces",
    "front_file",
    "marker_art",
    "marker_faces",
    "marker_file",
    "mask_file",
    "unit_art",
)


@dataclass(frozen=True, slots=True)
class Drawing:
    """One picture before it is rendered."""

    file: str
    what: str
    """What it shows, for people (``units su-1 reduced``)."""
    svg: str
    width: int
    height: int
    prints: tuple[Print, ...]
    piece: str = ""
    """The piece id of a unit."""

    @property
    def picture(self) -> Picture:
        """What is to be rendered."""
        return Picture(self.file, self.svg, self.width, self.height)


def faces(box: Box, layout: Layout, piece: Piece) -> tuple[tuple[str, str], ...]:
    """The faces of a piece in the order in which it is turned: (name of the face, picture file). The first is its front."""
    del box  # what a face shows is in the piece's row; its file is not
    return tuple((face.id, face_file(piece.id, face.id)) for face in layout.counters.faces(piece))


def marker_faces(marker: Marker) -> tuple[tuple[str, str], ...]:
    """The faces of a marker in the order in which it is turned: (name of the face, picture file)."""
    return tuple((face.id, face_file(marker_stem(marker.id), face.id)) for face in marker.faces)


def mask_file(mask: Mask) -> str:
    """The picture of a mask."""
    return f"mask-{mask.id}.png"


def front_file(piece: Piece) -> str:
    """The picture of a piece's front."""
    return f"{piece.id}.png"


def back_file(piece: Piece) -> str:
    """The picture of a piece's back."""
    return f"{piece.id}-back.png"


def marker_file(marker: Marker) -> str:
    """The picture of a marker's front."""
    return f"{marker_stem(marker.id)}.png"


def unit_art(box: Box, layout: Layout, piece: Piece, side: int, face: Face | None = None) -> str:
    """A face of a piece (its front) as SVG elements in a square of ``side`` pixels at the origin.

    Raises :class:`ArtError` when its name has no glyph.
    """
    pen = draw_unit(box, layout.counters, piece, face or layout.counters.faces(piece)[0])
    return _scaled(pen, side)


def marker_art(marker: Marker, side: int) -> str:
    """The front of a marker as SVG elements in a square of ``side`` pixels at the origin."""
    return _scaled(draw_marker(marker.faces[0], f"marker {marker.id}"), side)


def _scaled(pen: Pen, side: int) -> str:
    body = "".join(pen.parts)
    return body if side == UNIT else f"<g{attrs(transform=f'scale({side / UNIT:.5f})')}>{body}</g>"


def drawings(box: Box, layout: Layout) -> list[Drawing]:
    """Every picture of the counters: units face by face, markers, masks, marks.

    Raises :class:`ArtError` when a word has no glyph.
    """
    side = layout.counters.size * SCALE
    out = []
    for piece in box.pieces:
        for face in layout.counters.faces(piece):
            pen = draw_unit(box, layout.counters, piece, face)
            out.append(_done(face_file(piece.id, face.id), pen, side, side, piece.id))
    for marker in layout.counters.markers:
        w, h = (marker.width or layout.counters.size) * SCALE, (marker.height or layout.counters.size) * SCALE
        k = UNIT / side
        for sided in marker.faces:
            pen = draw_marker(sided, f"marker {marker.id} {sided.id}", w * k, h * k)
            out.append(_done(face_file(marker_stem(marker.id), sided.id), pen, w, h))
    for mask in layout.counters.masks:
        # The client draws masks as they are, without a scale of their own.
        w, h = mask.width or layout.counters.size, mask.height or layout.counters.size
        k = UNIT / layout.counters.size
        out.append(_done(mask_file(mask), draw_marker(mask.face, f"mask {mask.id}", w * k, h * k), w, h))
    small: tuple[tuple[str, Callable[[Pen], None], int], ...] = (
        (ATTACK, marks.attack_mark, 44),
        (TARGET, marks.target_mark, 44),
        (MOVED, marks.moved_mark, 18),
        *(((FOUGHT, marks.attacked_mark, 44), (WAS_FOUGHT, marks.targeted_mark, 44)) if layout.odds is not None else ()),
        *(((ANSWERED, marks.answered_mark, 44),) if any(layout.answers(p) for p in layout.play.prototypes) else ()),
    )
    for file, draw, size in small:
        pen = Pen(file.removesuffix(".png"), size, size)
        draw(pen)
        out.append(_done(file, pen, size, size))
    return out


def _done(file: str, pen: Pen, w: int, h: int, piece: str = "") -> Drawing:
    return Drawing(file, pen.where, pen.svg(w, h), w, h, tuple(pen.prints), piece)


def draw_counters(box: Box, layout: Layout) -> dict[str, bytes]:
    """File name -> PNG of every counter and mark.

    Raises :class:`ArtError` when a name has no glyph.
    """
    return {drawn.file: render_whole(drawn.picture) for drawn in drawings(box, layout)}
