"""What every picture of a position has, whatever its map is made of: counters with their badges, the boxes and the turn track of the
board, the caption and the legend below it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from gamebox.model import Box
from modgen.art import plan
from modgen.art.board import BoardArt
from modgen.art.counters import marker_art, unit_art
from modgen.art.fonts import face
from modgen.art.svg import Canvas, attrs, num
from modgen.layout.counters import Marker
from modgen.layout.layout import Layout
from referee.rules.scene import Scene, Seen

ART = 104
"""The side that counters are drawn with before they are scaled."""
BAND = 300
"""Height of the strip below the board: caption and legend."""
FULL, LARGE = 33, 50
"""Counters with a shorter side have smaller badges, those with a longer one larger ones."""
INK, PAPER = "#1d1914", "#fffaf0"
REACHED, AIMED, WAY = "#1f9d3a", "#d3140c", "#0b3d91"

BADGES = {
    "moved": ("#1557b0", "tick"),
    "attacked": ("#c9150f", "arrow"),
    "garrison": ("#6b4a00", "lock"),
    "displaced": ("#d45500", "bang"),
    "abroad": ("#8a2be2", "bang"),
    "doubled": ("#0a7d6c", "x2"),
    "locked": ("#4a4a4a", "lock"),
    "flipped": ("#000000", "cross"),
    "eligible": ("#2c8f2c", "plus"),
    "used": ("#8f6b00", "minus"),
    "tired": ("#5b3fa0", "minus"),
    "acted": ("#1557b0", "tick"),
    "extra": ("#2c8f2c", "plus"),
    "cut-off": ("#b3121a", "cross"),
    "pocket": ("#0a7d6c", "anchor"),
}
"""Mark -> colour and sign of its badge; a mark without one is told in texts only."""


@dataclass(frozen=True, slots=True)
class Paint:
    """What is painted over places of the map: where a unit can go, what can be attacked."""

    words: Mapping[str, str] = field(default_factory=dict)
    """Place in reach -> the word in it (MPs left)."""
    targets: tuple[str, ...] = ()
    way: tuple[str, ...] = ()
    title: str = ""
    """The first line of the caption in place of turn and phase."""


def colours_of(layout: Layout, scene: Scene) -> dict[str, tuple[str, str, str]]:
    """Holder -> fill, ink, letter, as the control markers of the module have them."""
    found: dict[str, tuple[str, str, str]] = {}
    spare = iter((("#3f4144", "#ffffff"), ("#b01f1a", "#ffe27a"), ("#33517a", "#ffffff"), ("#5f6b2e", "#ffffff")))
    controls = [m for m in layout.counters.markers if m.style == "control"]
    for holder, title in scene.holders:
        marker = next((m for m in controls if m.name.startswith(title) or m.id.endswith(f"-{holder}")), None)
        fill, ink = (marker.fill, marker.ink) if marker else next(spare, ("#444444", "#ffffff"))
        found[holder] = (fill, ink, marker.text if marker and marker.text else title[:1])
    return found


class Picture(ABC):
    """One picture being drawn. What stands on the map is the part of those that come after it."""

    def __init__(self, box: Box, layout: Layout, scene: Scene, caption: Sequence[str], paint: Paint, board: BoardArt, height: int) -> None:
        self.box, self.layout, self.scene, self.caption, self.paint, self.board = box, layout, scene, caption, paint, board
        self.c = Canvas(layout.board.width, height)
        self.pieces = {piece.id: piece for piece in box.pieces}
        self.by_place: dict[str, list[Seen]] = {}
        for unit in scene.units:
            self.by_place.setdefault(unit.place, []).append(unit)

    @abstractmethod
    def paint_all(self) -> None:
        """Draws everything that lies on the board."""

    def draw(self) -> str:
        """The board with everything on it, as SVG."""
        self.paint_all()
        c, svg = self.c, self.board.svg
        inside = svg[svg.index(">") + 1 :].removesuffix("</svg>")
        size = attrs(width=c.width, height=c.height, viewBox=f"0 0 {num(c.width)} {num(c.height)}")
        return f'<svg xmlns="http://www.w3.org/2000/svg"{size}>{self.below_board()}{inside}{"".join(c.body)}</svg>'

    def below_board(self) -> str:
        """What lies below the board where its drawing is open."""
        return ""

    @cached_property
    def colours(self) -> dict[str, tuple[str, str, str]]:
        """Holder -> fill, ink, letter, as the control markers of the module have them."""
        return colours_of(self.layout, self.scene)

    def marker(self, style: str, text: str | None = None) -> Marker | None:
        """The game's marker of a style (with a word on it), None when it has none."""
        found = (m for m in self.layout.counters.markers if m.style == style and text in (None, m.text))
        return next(found, None)

    def place_marker(self, marker: Marker, left: float, top: float, side: float) -> None:
        """A marker by its upper left corner."""
        self.c.group((marker_art(marker, ART),), transform=f"translate({num(left)} {num(top)}) scale({side / ART:.4f})")

    # -- counters

    def counter(self, x: float, y: float, side: float, unit: Seen) -> None:
        """One counter around a point, with the badges of its marks; one that has moved is a little paler."""
        piece = self.pieces[unit.piece]
        faces = self.layout.counters.faces(piece)
        art = unit_art(self.box, self.layout, piece, ART, faces[-1] if unit.back else faces[0])
        left, top = x - side / 2, y - side / 2
        self.c.rect(left - 1, top - 1, side + 2, side + 2, fill="#000000", fill_opacity=0.45, rx=2)
        self.c.group((art,), transform=f"translate({num(left)} {num(top)}) scale({side / ART:.4f})", data_piece=unit.piece)
        if "moved" in unit.marks:
            self.c.rect(left, top, side, side * 0.62, fill="#ffffff", fill_opacity=0.32)
        r = side / 8 if side > LARGE else 6.2 if side >= FULL else 5
        for i, mark in enumerate([mark for mark in unit.marks if mark in BADGES][:3]):
            self.badge(left + side - r + 1.5 - i * (2 * r), top + r - 2.5, r, mark)

    def badge(self, x: float, y: float, r: float, mark: str) -> None:
        """A small disc that says what a unit has done or what holds it."""
        colour, sign = BADGES[mark]
        self.c.circle(x, y, r, fill=colour, stroke="#ffffff", stroke_width=1.3)
        if sign == "x2":
            self.c.text(x, y + 0.48 * r, sign, 1.4 * r, weight=700, fill="#ffffff", where="badge")
            return
        # Drawn for a disc of radius 6.
        lines = {
            "tick": "M-2.8 0.2l2 2.2l3.4 -4.6",
            "arrow": "M-3 0h6m-2.4 -2.4l2.4 2.4l-2.4 2.4",
            "bang": "M0 -3.2v3.6m0 2.6v0.2",
            "cross": "M-2.4 -2.4l4.8 4.8m0 -4.8l-4.8 4.8",
            "plus": "M-3 0h6m-3 -3v6",
            "minus": "M-3 0h6",
            "anchor": "M0 -3v6.2m-3 -2.2q0.4 2.2 3 2.2q2.6 0 3 -2.2m-4.6 -2.4h3.2",
            "lock": "M-2.2 0.2h4.4v2.4h-4.4zm0.6 -0.4v-1a1.6 1.6 0 0 1 3.2 0v1",
        }
        style = attrs(fill="none", stroke="#ffffff", stroke_width=1.7, stroke_linecap="round", stroke_linejoin="round")
        self.c.add(f'<path d="{lines[sign]}"{style} transform="translate({num(x)} {num(y)}) scale({r / 6:.3f})"/>')

    # -- beside the map

    def turn(self) -> None:
        """The turn's cell on the track, framed, with the marker."""
        cells = plan.turn_cells(self.layout, self.box) if "turns" in self.box.tables else {}
        cell = cells.get(str(self.scene.turn))
        if cell is None:
            return
        x, y, w, h = cell
        self.c.rect(x + 3, y + 3, w - 6, h - 6, fill="none", stroke=REACHED, stroke_width=5)
        marker = self.marker("turn")
        if marker is not None:
            sx, sy = plan.turn_spot(self.layout, self.box, str(self.scene.turn))
            side = self.layout.counters.size
            self.place_marker(marker, sx - side / 2, sy - side / 2 + 7, side)

    # -- caption and legend

    def legend(self, x: float, y: float, wide: float, size: float = 19.0) -> float:
        """The signs with their words, in rows as they fit, in letters of ``size`` pixels; where the last row stands."""
        type_, k = face(600), size / 19
        at_x, at_y = x, y
        for sign, words in self.entries():
            need = 76 * k + type_.width(words, size)
            if at_x + need > x + wide:
                at_x, at_y = x, at_y + 36 * k
            self.sign(sign, at_x + 20 * k, at_y)
            self.c.text(at_x + 44 * k, at_y + 6 * k, words, size, weight=600, fill=INK, anchor="start", where="legend")
            at_x += need
        return at_y

    @abstractmethod
    def entries(self) -> Iterable[tuple[str, str]]:
        """The signs of the legend and their words."""

    @abstractmethod
    def sign(self, sign: str, x: float, y: float) -> None:
        """A sign of the legend around a point."""
