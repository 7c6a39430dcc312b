"""Where counters stand in places of any shape: blocks of equal squares inside outlines, clear of words and of each other. Pure.

An area is a raster of small cells, a row of them an int, so that all places where a rectangle has room are found by shifting bits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, width, height."""

CELL = 6
"""The side of a cell in pixels."""
GAP = 4
"""Pixels between two counters of a block."""
CLEAR = 5
"""Pixels that a block keeps from borders, words and other blocks."""
FAN = 14
"""Pixels that a counter in a pile shows of the one below it."""
OPTIONS = 5
"""How many places are tried for a block while those after it find none."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A block: how wide and high it is, and where the upper left corners of its counters lie in it."""

    width: float
    height: float
    corners: tuple[Point, ...]
    piled: bool = False
    """Its counters cover each other."""


def shapes(count: int, side: float) -> Iterator[Shape]:
    """The blocks that so many counters can form without covering each other: a row, a column, and what lies between them."""
    made: set[tuple[int, int]] = set()
    for lines in sorted(range(1, count + 1), key=lambda n: (abs(n - math.sqrt(count) / 1.3), n)):
        across = -(-count // lines)
        down = -(-count // across)
        if (across, down) in made:
            continue
        made.add((across, down))
        step = side + GAP
        corners = tuple((i % across * step, i // across * step) for i in range(count))
        yield Shape(across * step - GAP, down * step - GAP, corners)


def pile(count: int, side: float) -> Shape:
    """Counters laid over each other, each showing its left and upper edge."""
    far = FAN * (count - 1)
    return Shape(side + far, side + far, tuple((FAN * i, FAN * i) for i in range(count)), piled=count > 1)


class Area:
    """The free cells of one place."""

    def __init__(self, rings: Iterable[Sequence[Point]], more: Iterable[Box] = ()) -> None:
        """``rings``: outlines, inside by even and odd. ``more``: rectangles that belong to it too."""
        outlines, extra = [tuple(ring) for ring in rings], tuple(more)
        xs = [x for ring in outlines for x, _ in ring] + [x for box in extra for x in (box[0], box[0] + box[2])]
        ys = [y for ring in outlines for _, y in ring] + [y for box in extra for y in (box[1], box[1] + box[3])]
        self.left, self.top = math.floor(min(xs) / CELL) * CELL, math.floor(min(ys) / CELL) * CELL
        self.across = math.ceil((max(xs) - self.left) / CELL) + 1
        down = math.ceil((max(ys) - self.top) / CELL) + 1
        lines = [self._line(outlines, self.top + j * CELL + 0.01) for j in range(down + 1)]
        # A cell is inside when its upper and its lower edge are.
        self.rows = [lines[j] & lines[j + 1] for j in range(down)]
        for box in extra:
            self._set(box, True)

    def _line(self, rings: Sequence[Sequence[Point]], y: float) -> int:
        """The cells whose edge at this height lies inside."""
        cuts: list[float] = []
        for ring in rings:
            x1, y1 = ring[-1]
            for x2, y2 in ring:
                if (y1 > y) != (y2 > y):
                    cuts.append((x2 - x1) * (y - y1) / (y2 - y1) + x1)
                x1, y1 = x2, y2
        cuts.sort()
        found = 0
        for a, b in zip(cuts[::2], cuts[1::2], strict=True):
            first, last = math.ceil((a - self.left) / CELL), math.floor((b - self.left) / CELL)
            if last > first:
                found |= ((1 << (last - first)) - 1) << first
        return found

    def _set(self, box: Box, free: bool) -> None:
        """Cells wholly inside a rectangle become free, or all that it touches are taken."""
        x, y, w, h = box
        whole, part = (math.ceil, math.floor) if free else (math.floor, math.ceil)
        first, last = max(whole((x - self.left) / CELL), 0), min(part((x + w - self.left) / CELL), self.across)
        if last <= first:
            return
        bits = ((1 << (last - first)) - 1) << first
        for j in range(max(whole((y - self.top) / CELL), 0), min(part((y + h - self.top) / CELL), len(self.rows))):
            self.rows[j] = self.rows[j] | bits if free else self.rows[j] & ~bits

    def take(self, box: Box) -> None:
        """A rectangle is not free any more."""
        self._set(box, False)

    def without(self, boxes: Iterable[Box]) -> Area:
        """The same area with some rectangles taken."""
        other = object.__new__(Area)
        other.left, other.top, other.across, other.rows = self.left, self.top, self.across, list(self.rows)
        for box in boxes:
            other.take(box)
        return other

    def room(self, width: float, height: float) -> Iterator[Point]:
        """Every upper left corner, on the raster, of a rectangle that lies wholly in free cells; line by line."""
        wide, high = math.ceil(width / CELL), math.ceil(height / CELL)
        level = [_run(row, wide) for row in self.rows]
        for j in range(len(level) - high + 1):
            found = level[j]
            for k in range(1, high):
                if not found:
                    break
                found &= level[j + k]
            while found:
                low = found & -found
                yield self.left + (low.bit_length() - 1) * CELL, self.top + j * CELL
                found ^= low


def _run(row: int, length: int) -> int:
    """The bits from which on so many in a row are set."""
    have = 1
    while have < length:
        step = min(have, length - have)
        row &= row >> step
        have += step
    return row


def arranged(area: Area, blocks: Sequence[Sequence[Shape]], anchors: Sequence[Point]) -> list[tuple[Shape, Point]] | None:
    """A place for every block (each in the first of its shapes that has room), near its anchor and clear of the others; None when
    they do not find room together."""
    if not blocks:
        return []
    best: tuple[float, list[tuple[Shape, Point]]] | None = None
    for shape in blocks[0]:
        for cost, at in _places(area, shape, anchors[0]):
            taken = (at[0] - CLEAR, at[1] - CLEAR, shape.width + 2 * CLEAR, shape.height + 2 * CLEAR)
            rest = arranged(area.without([taken]), blocks[1:], anchors[1:])
            if rest is None:
                continue
            whole = cost + sum(_far(other, spot, anchor) for (other, spot), anchor in zip(rest, anchors[1:], strict=True))
            if best is None or whole < best[0]:
                best = whole, [(shape, at), *rest]
            if len(blocks) == 1:
                break
        if best is not None:
            break
    return best[1] if best is not None else None


def scattered(area: Area, counts: Sequence[int], side: float, anchors: Sequence[Point]) -> list[tuple[Shape, Point]] | None:
    """Blocks whose counters stand each where there is room for it, near the block's anchor if they can, else packed from the upper
    left; None when there is no room for all."""
    for packed in (False, True):
        free, found = area, list[tuple[Shape, Point]]()
        for count, (ax, ay) in zip(counts, anchors, strict=True):
            corners: list[Point] = []
            for _ in range(count):
                room = [(x + CLEAR, y + CLEAR) for x, y in free.room(side + 2 * CLEAR, side + 2 * CLEAR)]
                if not room:
                    break
                near = room[0] if packed else min(room, key=lambda at: (math.hypot(at[0] + side / 2 - ax, at[1] + side / 2 - ay), at))
                corners.append(near)
                free = free.without([(near[0], near[1], side, side)])
            if len(corners) < count:
                break
            left, top = min(x for x, _ in corners), min(y for _, y in corners)
            wide, high = max(x for x, _ in corners) + side - left, max(y for _, y in corners) + side - top
            found.append((Shape(wide, high, tuple((x - left, y - top) for x, y in corners)), (left, top)))
        if len(found) == len(counts):
            return found
    return None


def _far(shape: Shape, at: Point, anchor: Point) -> float:
    """How far the middle of a block at a place is from its anchor."""
    return math.hypot(at[0] + shape.width / 2 - anchor[0], at[1] + shape.height / 2 - anchor[1])


def _places(area: Area, shape: Shape, anchor: Point) -> list[tuple[float, Point]]:
    """Some places for a block, the nearest to its anchor first, the others well apart from those before."""
    found = sorted(
        (_far(shape, (x + CLEAR, y + CLEAR), anchor), (x + CLEAR, y + CLEAR))
        for x, y in area.room(shape.width + 2 * CLEAR, shape.height + 2 * CLEAR)
    )
    kept: list[tuple[float, Point]] = []
    apart = max(shape.width, shape.height) / 2
    for cost, at in found:
        if all(math.dist(at, other) >= apart for _, other in kept):
            kept.append((cost, at))
            if len(kept) == OPTIONS:
                break
    return kept
