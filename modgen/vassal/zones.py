"""Sets of hexes as the one polygon that a client's zone has.

Several outlines and holes are joined by cuts run through twice. The client counts crossings (even-odd), so a cut encloses nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from modgen.art.sheet import Sheet, loops

Pixel = tuple[int, int]


def polygon(sheet: Sheet, hexes: Iterable[str]) -> list[Pixel]:
    """The outline of a set of hexes in whole pixels; empty for no hexes.

    Hexes are the upright rectangles that the client takes them for: along any other line there would be pixels that the client's zone
    counts to one hex and its grid to another.
    """
    found = [_turns([(x, y // 3) for x, y in loop]) for loop in loops(sheet.brick(name) for name in sorted(hexes))]
    if not found:
        return []
    found.sort(key=lambda loop: (-len(loop), loop))
    return joined(found)


def joined(found: Sequence[list[Pixel]]) -> list[Pixel]:
    """Several outlines as one line, each cut in where it comes nearest to those before it."""
    line = found[0]
    for loop in found[1:]:
        _, i, j = min(((ax - bx) ** 2 + (ay - by) ** 2, i, j) for i, (ax, ay) in enumerate(line) for j, (bx, by) in enumerate(loop))
        line = [*line[: i + 1], *loop[j:], *loop[: j + 1], *line[i:]]
    return line


def _turns(loop: list[Pixel]) -> list[Pixel]:
    """A rectilinear loop without the points that it runs straight through."""
    before = [loop[-1], *loop[:-1]]
    after = [*loop[1:], loop[0]]
    return [here for (ax, ay), here, (bx, by) in zip(before, loop, after, strict=True) if not (ax == here[0] == bx or ay == here[1] == by)]


def rectangle(rect: tuple[int, int, int, int]) -> list[Pixel]:
    """The corners of a rectangle."""
    x, y, w, h = rect
    return [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]


def path(line: Iterable[Pixel]) -> str:
    """A polygon as the client writes it."""
    return ";".join(f"{x},{y}" for x, y in line)


def contains(line: list[Pixel], x: float, y: float) -> bool:
    """Whether a point lies inside, by even-odd crossings."""
    inside = False
    for (x1, y1), (x2, y2) in zip(line, [*line[1:], line[0]], strict=True):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            inside = not inside
    return inside
