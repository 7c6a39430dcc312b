"""Zones on the drawing: outlines in pixels, cut where three areas meet, so that neighbours share every point of their border.

The outlines of the data are smoothed once for the eye (``rings``) and thinned to whole pixels for the client (``shape``). Both are made
arc by arc, an arc being the border of the same two areas between two meeting points; so no sliver can open between two zones, and what is
drawn and what the client calls a zone lie within a pixel of each other.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from gamebox.geometry import zones
from gamebox.model import Box, Row
from modgen.art.shapes import curve
from modgen.art.svg import Point
from modgen.errors import ArtError
from modgen.layout.reading import Rect
from modgen.layout.zonemap import Pixel, ZoneLook

THIN = 0.9
"""How far in pixels the client's outline may leave the drawn one before it is rounded to whole pixels."""
GAP = 4
"""Pixels between two counters of one zone."""

_START = re.compile(r"M[-\d.]+ [-\d.]+")

Ring = tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Arc:
    """A piece of border between two meeting points, or a whole outline that nothing else touches."""

    zones: tuple[str, ...]
    """The zones on its sides, in the map's order: two, or one where sea, neutral land or the edge of the map lies beyond."""
    raw: Ring
    """As the data has it, in units of the map."""
    bends: Ring
    """The same in pixels: what pulls at the curve that is drawn."""
    line: Ring
    """As it is drawn, in straight pieces."""
    thin: tuple[Pixel, ...]
    """As the client has it."""


@dataclass(frozen=True)
class ZoneField:
    """The zones of a game laid on a drawing.

    ``left``, ``top``: where the shown part of the map begins, in pixels of the board.
    """

    box: Box
    look: ZoneLook
    left: int
    top: int

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the shown part of the map in pixels."""
        return self.look.view[2] * self.look.scale // 100, self.look.view[3] * self.look.scale // 100

    def pixel(self, point: Point) -> Point:
        """A point of the map on the board."""
        x, y, _, _ = self.look.view
        return self.left + (point[0] - x) * self.look.scale / 100, self.top + (point[1] - y) * self.look.scale / 100

    @cached_property
    def rows(self) -> Mapping[str, Row]:
        """Zone -> its row, in the order of the table."""
        if self.box.zones is None:
            raise ArtError(f"{self.box.title} has no zones: its board has none")
        return self.box[self.box.zones.zones].by_key

    def names(self) -> Iterator[str]:
        """Every zone, in the order of the game's table."""
        yield from self.rows

    def row(self, name: str) -> Row:
        """A zone's row.

        Raises :class:`ArtError` when there is no such zone.
        """
        if name not in self.rows:
            raise ArtError(f"{name!r} is no zone of this map; there are {', '.join(self.rows)}")
        return self.rows[name]

    def called(self, name: str) -> str:
        """How clients call a zone: its location name."""
        row = self.row(name)
        return self.look.named.format(**{column: row.text(column) for column in row.values})

    # -- outlines

    @cached_property
    def _pieces(self) -> Mapping[str, tuple[tuple[tuple[int, bool], ...], ...]]:
        """Zone -> its rings as arcs: (number of the arc, whether it runs backwards)."""
        return self._cut[1]

    @cached_property
    def arcs(self) -> tuple[Arc, ...]:
        """Every piece of border once."""
        return self._cut[0]

    @cached_property
    def _cut(self) -> tuple[tuple[Arc, ...], Mapping[str, tuple[tuple[tuple[int, bool], ...], ...]]]:
        shapes = zones(self.box)
        if shapes is None:
            raise ArtError(f"{self.box.title} has no zones: its board has none")
        meets: dict[Point, set[Point]] = {}
        for name in shapes.names:
            for a, b in shapes.edges(name):
                meets.setdefault(a, set()).add(b)
                meets.setdefault(b, set()).add(a)
        nodes = {point for point, around in meets.items() if len(around) != 2}
        found: dict[Ring, int] = {}
        beside: list[list[str]] = []
        raw: list[Ring] = []
        pieces: dict[str, tuple[tuple[tuple[int, bool], ...], ...]] = {}
        for name in self.names():
            rings = []
            for ring in shapes.polygons[name]:
                parts = []
                for part in _parts(ring, nodes):
                    key, turned = _one_way(part)
                    if key not in found:
                        found[key] = len(raw)
                        raw.append(key)
                        beside.append([])
                    beside[found[key]].append(name)
                    parts.append((found[key], turned))
                rings.append(tuple(parts))
            pieces[name] = tuple(rings)
        arcs = []
        for line, names in zip(raw, beside, strict=True):
            bends = tuple(self.pixel(p) for p in line)
            drawn = smooth(bends)
            thin = tuple((round(x), round(y)) for x, y in thinned(drawn, THIN))
            arcs.append(Arc(tuple(names), line, bends, tuple(drawn), thin))
        return tuple(arcs), pieces

    def rings(self, name: str) -> tuple[Ring, ...]:
        """The outlines of a zone as they are drawn; each ends before its first point comes again. Raises :class:`ArtError`."""
        self.row(name)
        return self._rings[name]

    @cached_property
    def _rings(self) -> Mapping[str, tuple[Ring, ...]]:
        return {name: tuple(tuple(self._joined(parts, lambda arc: arc.line)) for parts in pieces) for name, pieces in self._pieces.items()}

    def paths(self, name: str) -> str:
        """The outlines of a zone as path data: curves, for the eye the same as ``rings``. Raises :class:`ArtError`."""
        self.row(name)
        out = ""
        for parts in self._pieces[name]:
            runs = [drawn(self.arcs[number].bends[::-1] if turned else self.arcs[number].bends) for number, turned in parts]
            # Each run goes on where the one before it ends.
            out += runs[0] + "".join(_START.sub("", run, 1) for run in runs[1:]) + "Z"
        return out

    def shape(self, name: str) -> tuple[tuple[Pixel, ...], ...]:
        """The outlines of a zone in whole pixels, for a client, as far as the map is shown.

        Raises :class:`ArtError` when a zone has no area left.
        """
        self.row(name)
        out = []
        width, height = self.size
        for parts in self._pieces[name]:
            shown = clipped(list(self._joined(parts, lambda arc: arc.thin)), (self.left, self.top, width, height))
            ring = [pixel for pixel, _ in itertools.groupby((round(x), round(y)) for x, y in shown)]
            if len(ring) > 1 and ring[0] == ring[-1]:
                ring.pop()
            if len(ring) > 2:
                out.append(tuple(ring))
        if not out:
            raise ArtError(f"zone {name} is too small to be drawn at {self.look.scale} pixels for 100 units: raise [board] scale")
        return tuple(out)

    def _joined(self, parts: Sequence[tuple[int, bool]], line: Callable[[Arc], Sequence[Point]]) -> Iterator[Point]:
        for number, turned in parts:
            points = line(self.arcs[number])
            yield from (points[:0:-1] if turned else points[:-1])

    def outline(self, name: str) -> list[Point]:
        """The longest outline of a zone. Raises :class:`ArtError` when there is no such zone."""
        return max((list(ring) for ring in self.rings(name)), key=length)

    def around(self, names: Iterable[str]) -> list[Arc]:
        """The arcs that part a set of zones from everything else."""
        inside = set(names)
        return [arc for arc in self.arcs if sum(name in inside for name in arc.zones) == 1]

    def between(self, a: str, b: str) -> list[Arc]:
        """The arcs between two zones, the longest first."""
        return sorted((arc for arc in self.arcs if set(arc.zones) == {a, b}), key=lambda arc: (-length(arc.raw), arc.raw))

    def holds(self, name: str, x: float, y: float) -> bool:
        """Whether a pixel lies in a zone as drawn, by even and odd. Raises :class:`ArtError` when there is no such zone."""
        return inside(self.rings(name), x, y)

    def inward(self, arc: Arc, name: str) -> int:
        """On which side of an arc, looking along its line on the board, a zone lies: 1 to the right, -1 to the left."""
        a, b = max(itertools.pairwise(arc.line), key=lambda pair: math.dist(*pair))
        dx, dy = b[0] - a[0], b[1] - a[1]
        step = 0.5 / (math.hypot(dx, dy) or 1.0)
        return 1 if self.holds(name, (a[0] + b[0]) / 2 - dy * step, (a[1] + b[1]) / 2 + dx * step) else -1

    # -- where things stand

    def label(self, name: str) -> Pixel:
        """The middle of a zone's number and name: as the layout says, else where the table writes it. Raises :class:`ArtError`."""
        row = self.row(name)
        if name in self.look.places:
            return self.look.places[name].label
        x, y = self.pixel((float(row.text("label_x")), float(row.text("label_y"))))
        return round(x), round(y)

    def spots(self, name: str, size: int) -> tuple[Pixel, ...]:
        """Where counters of ``size`` pixels stand in a zone, the first to be filled first: as the layout says, else three below the name.

        Raises :class:`ArtError` when there is no such zone.
        """
        if name in self.look.places and self.look.places[name].spots:
            return self.look.places[name].spots
        x, y = self.label(name)
        step = size + GAP
        return tuple((x + dx * step, y + step // 2 + 24) for dx in (0, -1, 1))

    def centre(self, name: str) -> tuple[int, int]:
        """Where the first counter stands in a zone. Raises :class:`ArtError`."""
        return self.spots(name, 60)[0]


def _parts(ring: Sequence[Point], nodes: set[Point]) -> Iterator[tuple[Point, ...]]:
    """A closed ring (first point not repeated) cut at the nodes; each part holds both its ends."""
    first = next((i for i, point in enumerate(ring) if point in nodes), None)
    if first is None:
        # Nothing touches it: a line closed in itself, begun where every zone that has it would begin.
        start = min(range(len(ring)), key=lambda i: ring[i])
        yield (*ring[start:], *ring[:start], ring[start])
        return
    turned = (*ring[first:], *ring[:first], ring[first])
    part = [turned[0]]
    for point in turned[1:]:
        part.append(point)
        if point in nodes:
            yield tuple(part)
            part = [point]


def _one_way(part: Ring) -> tuple[Ring, bool]:
    """The part in the direction in which all its zones have it, and whether it had to be turned round."""
    back = part[::-1]
    return (part, False) if part <= back else (back, True)


def clipped(ring: Sequence[Point], rect: Rect) -> list[Point]:
    """What of a closed line lies in a rectangle, closed along its edges."""
    x, y, w, h = rect
    out = list(ring)
    # One edge after the other: the coordinate across it, its value, and on which side of it lies what stays.
    for across, value, side in ((0, x, 1), (0, x + w, -1), (1, y, 1), (1, y + h, -1)):
        line, out = out, []
        for a, b in zip(line, (*line[1:], *line[:1]), strict=True):
            before, after = (a[across] - value) * side, (b[across] - value) * side
            if before >= 0:
                out.append(a)
            if before * after < 0:
                t = before / (before - after)
                out.append((a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t))
    return out


def inside(rings: Iterable[Sequence[Point]], x: float, y: float) -> bool:
    """Whether a point lies in an odd number of rings."""
    found = False
    for ring in rings:
        x1, y1 = ring[-1]
        for x2, y2 in ring:
            if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
                found = not found
            x1, y1 = x2, y2
    return found


def drawn(line: Sequence[Point]) -> str:
    """A line as path data of a curve; closed when it ends where it began."""
    return curve(line[:-1], closed=True)[:-1] if len(line) > 3 and line[0] == line[-1] else curve(line)


def length(line: Sequence[Point]) -> float:
    """The length of a line."""
    return sum(math.dist(a, b) for a, b in itertools.pairwise(line))


def smooth(line: Sequence[Point]) -> list[Point]:
    """A line with its corners cut once; an open line keeps its ends, a closed one (first = last point) stays closed."""
    if len(line) < 3:
        return list(line)
    closed = line[0] == line[-1]
    out: list[Point] = [] if closed else [line[0]]
    for (x1, y1), (x2, y2) in itertools.pairwise(line):
        out += [(0.75 * x1 + 0.25 * x2, 0.75 * y1 + 0.25 * y2), (0.25 * x1 + 0.75 * x2, 0.25 * y1 + 0.75 * y2)]
    out.append(out[0] if closed else line[-1])
    return out


def thinned(line: Sequence[Point], tolerance: float) -> list[Point]:
    """A line with only those points without which it would leave the given one by more than ``tolerance``; its ends stay.

    A closed line keeps the point farthest from its ends too, so that it never falls into one.
    """
    if len(line) < 3:
        return list(line)
    keep = {0, len(line) - 1}
    todo = [(0, len(line) - 1)]
    if line[0] == line[-1]:
        far = max(range(len(line)), key=lambda i: math.dist(line[i], line[0]))
        keep.add(far)
        todo = [(0, far), (far, len(line) - 1)]
    while todo:
        start, end = todo.pop()
        worst, at = tolerance, 0
        for i in range(start + 1, end):
            if (d := off(line[i], line[start], line[end])) > worst:
                worst, at = d, i
        if at:
            keep.add(at)
            todo += [(start, at), (at, end)]
    return [line[i] for i in sorted(keep)]


def off(p: Point, a: Point, b: Point) -> float:
    """How far a point lies from the piece of line between two others."""
    (px, py), (ax, ay), (bx, by) = p, a, b
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    t = 0.0 if square == 0 else min(1.0, max(0.0, ((px - ax) * dx + (py - ay) * dy) / square))
    return math.hypot(px - ax - t * dx, py - ay - t * dy)
