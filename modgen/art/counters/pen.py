"""Draws one counter as SVG and keeps account of what is printed on what, so that the build measures what is really drawn.

Words are set as outlines of glyphs: a picture without text needs no fonts, and hundreds of small pictures render twice as fast.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from modgen.art import symbols
from modgen.art.fonts import face
from modgen.art.svg import attrs, num

SHARP = ' shape-rendering="crispEdges"'
UNIT = 104
"""The side of a counter in the units that everything is drawn in."""


class Role(StrEnum):
    """What a print is for; the build sets a limit for each."""

    TEXT = "text"
    FACTORS = "factors"
    NAME = "name"
    SIGN = "sign"


@dataclass(frozen=True, slots=True)
class Print:
    """Something printed on a counter: a word or a symbol, in ``ink`` on ``ground``."""

    role: Role
    what: str
    """The word, or the symbol's name."""
    ink: str
    ground: str
    height: float = 0.0
    """Height of a capital, in units of the counter; 0 for symbols."""
    squeeze: float = 1.0
    """Its width, in parts of what it would be if there were room."""


@dataclass(slots=True)
class Pen:
    """A picture being drawn, ``w`` x ``h`` units. ``where`` names it in errors (``units su-1 front``)."""

    where: str
    w: float = UNIT
    h: float = UNIT
    parts: list[str] = field(default_factory=list)
    prints: list[Print] = field(default_factory=list)

    def add(self, element: str) -> None:
        """A finished element."""
        self.parts.append(element)

    def rect(self, x: float, y: float, w: float, h: float, fill: str, rx: float = 0.0) -> None:
        """A filled rectangle; without round corners its edges are sharp, which is drawn faster."""
        corner = f' rx="{num(rx)}"' if rx else SHARP
        self.parts.append(f'<rect x="{num(x)}" y="{num(y)}" width="{num(w)}" height="{num(h)}" fill="{fill}"{corner}/>')

    def path(self, d: str, fill: str = "none", stroke: str = "none", width: float = 0.0, **kw: object) -> None:
        """A path by its data; lines have round ends and joins."""
        line = f' stroke="{stroke}" stroke-width="{num(width)}" stroke-linecap="round" stroke-linejoin="round"' if width else ""
        self.parts.append(f'<path d="{d}" fill="{fill}"{line}{attrs(**kw)}/>')

    def circle(self, x: float, y: float, r: float, fill: str = "none", stroke: str = "none", width: float = 0.0) -> None:
        """A circle."""
        line = f' stroke="{stroke}" stroke-width="{num(width)}"' if width else ""
        self.parts.append(f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(r)}" fill="{fill}"{line}/>')

    def symbol(self, name: str, x: float, y: float, w: float, h: float, ink: str, ground: str, stroke: float) -> None:
        """A unit symbol in a box."""
        self.parts.append(symbols.unit_symbol(name, x, y, w, h, ink, ground, stroke))
        self.sign(name, ink, ground)

    def sign(self, what: str, ink: str, ground: str) -> None:
        """Notes that a drawing in this ink lies on this ground."""
        self.prints.append(Print(Role.SIGN, what, ink, ground))

    def words(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        ink: str,
        *ground: str,
        weight: int = 700,
        anchor: float = 0.5,
        room: float | None = None,
        upward: bool = False,
        least: float = 0.8,
        centred: bool = False,
        role: Role = Role.TEXT,
    ) -> float:
        """A line of text on ``ground`` with its base line at ``y`` (or, ``upward``, read from below with its base line at ``x``).

        When ``centred``, ``y`` is the middle of its capitals. ``anchor`` is the part of its width that lies before the point. A line
        wider than ``room`` is set smaller, down to the part ``least``, and what is still too wide is narrowed. Its drawn width is
        returned.
        Raises :class:`ArtError` when a letter has no glyph.
        """
        if not text:
            return 0.0
        type_ = face(weight)
        shape = type_.outline(text, f"{self.where}: {role}")
        width = type_.width(text, size)
        if room is not None and width > room:
            smaller = max(room / width, least)
            size, width = size * smaller, width * smaller
        squeeze = 1.0 if room is None or width <= room else room / width
        if centred:
            y += size * type_.cap / 2
        k = size / type_.units
        turn = " rotate(-90)" if upward else ""
        start = f" translate({num(-anchor * width * squeeze)} 0)" if anchor else ""
        at = f"translate({num(x)} {num(y)}){turn}{start} scale({k * squeeze:.5f} {-k:.5f})"
        self.parts.append(f'<path transform="{at}" fill="{ink}" d="{shape}"/>')
        for colour in ground:
            self.prints.append(Print(role, text, ink, colour, size * type_.cap, squeeze))
        return width * squeeze

    def lines(
        self, box: tuple[float, float, float, float], text: str, sizes: tuple[float, float], ink: str, ground: str, weight: int = 600
    ) -> None:
        """Text in lines, centred in the box ``x, y, w, h``, as large as it fits between the two sizes."""
        x, y, w, h = box
        type_ = face(weight)
        size, least = sizes
        broken = _wrapped(text, w, size, weight)
        while size > least and (len(broken) * size * 1.08 > h or any(type_.width(line, size) > w for line in broken)):
            size -= 0.5
            broken = _wrapped(text, w, size, weight)
        step = min(size * 1.12, h / len(broken))
        top = y + (h - step * len(broken)) / 2 + step * 0.5 + size * type_.cap / 2
        for index, line in enumerate(broken):
            self.words(x + w / 2, top + index * step, line, size, ink, ground, weight=weight, room=w)

    def svg(self, width: int, height: int) -> str:
        """The picture as SVG text, ``width`` x ``height`` pixels."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {num(self.w)} {num(self.h)}">'
            f"{''.join(self.parts)}</svg>"
        )


def _wrapped(text: str, room: float, size: float, weight: int) -> list[str]:
    """Words in lines no wider than ``room`` unless one word alone is."""
    type_ = face(weight)
    out: list[str] = []
    for word in text.split():
        if out and type_.width(f"{out[-1]} {word}", size) <= room:
            out[-1] += f" {word}"
        else:
            out.append(word)
    return out or [""]
