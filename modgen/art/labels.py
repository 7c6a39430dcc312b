"""Where words may stand: text boxes, also slanted ones, and whether two of them touch."""

from __future__ import annotations

import math
from dataclasses import dataclass

from modgen.art.svg import Point

_HAIR = 1e-6
"""Pixels by which sums may be off."""


@dataclass(frozen=True, slots=True)
class TextBox:
    """A rectangle around a word: centre, width, height, slant in degrees, and what it is."""

    x: float
    y: float
    w: float
    h: float
    angle: float = 0.0
    what: str = ""
    group: str = ""
    """Boxes of one group may touch: a city's symbol and its own name."""

    def corners(self) -> list[Point]:
        """The four corners."""
        if not self.angle:
            x, y, half, up = self.x, self.y, self.w / 2, self.h / 2
            return [(x - half, y - up), (x + half, y - up), (x + half, y + up), (x - half, y + up)]
        a = math.radians(self.angle)
        c, s = math.cos(a), math.sin(a)
        return [
            (self.x + dx * self.w / 2 * c - dy * self.h / 2 * s, self.y + dx * self.w / 2 * s + dy * self.h / 2 * c)
            for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]

    @classmethod
    def along(cls, a: Point, b: Point, width: float, what: str) -> TextBox:
        """The strip of a width along a straight line."""
        (x1, y1), (x2, y2) = a, b
        angle = math.degrees(math.atan2(y2 - y1, x2 - x1))
        return cls((x1 + x2) / 2, (y1 + y2) / 2, math.dist(a, b), width, angle, what)

    def touches(self, other: TextBox) -> bool:
        """Whether two rectangles share any area (separating axes)."""
        reach = (math.hypot(self.w, self.h) + math.hypot(other.w, other.h)) / 2
        if abs(self.x - other.x) > reach or abs(self.y - other.y) > reach:
            return False
        if not self.angle and not other.angle:
            # Upright ones are the most by far; only what touches by a hair's breadth has to be looked at in the same way as slanted ones.
            over = min((self.w + other.w) / 2 - abs(self.x - other.x), (self.h + other.h) / 2 - abs(self.y - other.y))
            if abs(over) > _HAIR:
                return over > 0
        mine, theirs = self.corners(), other.corners()
        for angle in {self.angle, self.angle + 90, other.angle, other.angle + 90}:
            ax, ay = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            a, b = [x * ax + y * ay for x, y in mine], [x * ax + y * ay for x, y in theirs]
            if max(a) <= min(b) or max(b) <= min(a):
                return False
        return True


@dataclass(frozen=True, slots=True)
class PlaceName:
    """Where a city's name is drawn: the middle of its baseline, its size."""

    text: str
    x: float
    y: float
    size: float


class _Raster:
    """Boxes found by the cells of a coarse raster."""

    CELL = 64

    def __init__(self) -> None:
        self.boxes: list[TextBox] = []
        self._cells: dict[tuple[int, int], list[int]] = {}

    def _around(self, box: TextBox) -> list[tuple[int, int]]:
        if box.angle:
            xs, ys = zip(*box.corners(), strict=True)
        else:
            xs, ys = (box.x - box.w / 2, box.x + box.w / 2), (box.y - box.h / 2, box.y + box.h / 2)
        return [
            (i, j)
            for i in range(int(min(xs) // self.CELL), int(max(xs) // self.CELL) + 1)
            for j in range(int(min(ys) // self.CELL), int(max(ys) // self.CELL) + 1)
        ]

    def near(self, box: TextBox) -> list[int]:
        """The numbers of the boxes that may touch this one, in the order in which they came."""
        return sorted({n for cell in self._around(box) for n in self._cells.get(cell, ())})

    def add(self, box: TextBox) -> None:
        """One more box."""
        for cell in self._around(box):
            self._cells.setdefault(cell, []).append(len(self.boxes))
        self.boxes.append(box)


class Placer:
    """All words placed so far, and the lines that words had better keep off."""

    def __init__(self) -> None:
        self._words = _Raster()
        self._lines = _Raster()
        self._weights: list[float] = []

    @property
    def boxes(self) -> list[TextBox]:
        """Every word placed."""
        return self._words.boxes

    def hit(self, box: TextBox) -> TextBox | None:
        """A placed box that this one would touch."""
        for n in self._words.near(box):
            other = self.boxes[n]
            if not (other.group and other.group == box.group) and other.touches(box):
                return other
        return None

    def add(self, box: TextBox) -> None:
        """Place a box, whatever it touches."""
        self._words.add(box)

    def avoid(self, box: TextBox, weight: float) -> None:
        """A piece of a line that words had better not touch."""
        self._lines.add(box)
        self._weights.append(weight)

    def cost(self, box: TextBox) -> float:
        """What stands against putting a word here: the weights of all lines that it touches."""
        return sum(self._weights[n] for n in self._lines.near(box) if self._lines.boxes[n].touches(box))

    def collisions(self) -> list[tuple[TextBox, TextBox]]:
        """Every pair that touches."""
        out = []
        for i, a in enumerate(self.boxes):
            for n in self._words.near(a):
                b = self.boxes[n]
                if n > i and not (a.group and a.group == b.group) and a.touches(b):
                    out.append((a, b))
        return out
