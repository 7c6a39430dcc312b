"""Hexes and zones: names, neighbours, distances, lines and pixels. Pure.

Hexes. A :class:`gamebox.model.Grid` says how a printed map numbers its hexes; :class:`Hexes` answers in those names.

* ``numbering``: runs of ``R`` (row) and ``C`` (column) with any text around them: ``RRCC``, ``CCRR``, ``RR.CC``, ``xRRRxCCC``.
  A run's length is the number's width, filled with zeros; a single letter beside other text (``R.C``) takes as many digits as needed.
* ``rows_from`` ``south`` or ``north``, ``columns_from`` ``west`` or ``east``: the map edge at which the count begins with 1.
* ``orientation`` ``pointy``: rows are straight lines of hexes and every second row is shifted by half a hex (stagger ``odd-west``,
  ``odd-east``, ``even-west``, ``even-east``: which printed row numbers lie further to that side). ``flat``: columns are the
  straight lines, shifted ``odd-north``, ``odd-south``, ``even-north`` or ``even-south``.

Pixels count x to the right (east) and y down (south). ``size`` is the distance between the centres of two neighbours in one
straight line, in pixels; as a pair, (that distance, the distance between two lines) for grids stretched in one direction.
``origin`` is the pixel of the centre of the hex in the northernmost row and westernmost column.

Sheets. A map printed on several sheets that lie side by side is one grid: ``sheets`` names them and their columns from the edge at
which columns begin, and each hex is named by its sheet's letters and its number on that sheet (``B0101``). Rows and columns as numbers
are always those of the joined grid; for flat hexes the stagger goes by these too.

Zones. :class:`Zones` holds named polygons and adjacency given as data; :func:`zones` makes it of a box whose ``game.toml`` has
``[zones]`` (see :class:`gamebox.model.ZoneMap`).
"""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from gamebox.model import Box, Grid, Point

Ring = tuple[Point, ...]

POINTY = ("ne", "e", "se", "sw", "w", "nw")
"""Directions of pointy-top hexes, clockwise; the order of ``neighbours``."""
FLAT = ("n", "ne", "se", "s", "sw", "nw")
"""Directions of flat-top hexes, clockwise; the order of ``neighbours``."""

# Axial steps (along the line, across lines to the south or east) in the order of the directions above.
_POINTY_STEPS = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
_FLAT_STEPS = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))
_SQRT3_2 = math.sqrt(3) / 2


class GeometryError(ValueError):
    """A grid, a hex name, a polygon or an adjacency that cannot be; the message says what is allowed."""


class Hexes:
    """The hexes of one grid by their printed names."""

    def __init__(self, grid: Grid) -> None:
        """Raises GeometryError when the grid's fields do not fit together."""
        self.grid = grid
        _check(grid)
        self._pattern, self._row_width, self._column_width = _numbering(grid)
        self.sheet_columns: Mapping[str, range] = MappingProxyType(_sheet_columns(grid))
        """Sheet -> the columns of the joined grid that lie on it; empty for a map of one sheet without letters."""
        self._sheets = tuple(sheet for sheet, columns in self.sheet_columns.items() for _ in columns)
        self._pointy = grid.orientation == "pointy"
        self.directions: tuple[str, ...] = POINTY if self._pointy else FLAT
        parity, _, side = grid.stagger.partition("-")
        # A line counts as shifted when it lies half a hex further east (pointy) or south (flat) than its neighbours.
        forward = side in ("east", "south")
        self._shifted_parity = (1 if parity == "odd" else 0) if forward else (0 if parity == "odd" else 1)
        # Axial coordinates need an even difference between a line's doubled offset and its number; 1 corrects the grids where it is odd.
        self._correction = self._shift(0) % 2
        self._axial: dict[str, tuple[int, int]] = {}
        self._names: dict[tuple[int, int], str] = {}
        self._numbers: dict[str, tuple[int, int]] = {}
        for row in range(1, grid.rows + 1):
            for column in range(1, grid.columns + 1):
                name = self._write(row, column)
                axial = self._to_axial(row, column)
                self._axial[name] = axial
                self._names[axial] = name
                self._numbers[name] = (row, column)
        by_column = grid.numbering.index("C") < grid.numbering.index("R")
        order = list(self.sheet_columns)

        def printed(name: str) -> tuple[int, tuple[int, ...]]:
            row, column = self._numbers[name]
            sheet = order.index(self._sheets[column - 1]) if order else 0
            return sheet, (column, row) if by_column else (row, column)

        self.names: tuple[str, ...] = tuple(sorted(self._numbers, key=printed))
        """Every hex by its printed number, sheet by sheet: row and then column, or column and then row where that is printed first."""
        self._place = {name: at for at, name in enumerate(self.names)}
        steps = _POINTY_STEPS if self._pointy else _FLAT_STEPS
        self._steps = dict(zip(self.directions, steps, strict=True))
        self._neighbours = {
            name: tuple(found for dq, dr in steps if (found := self._names.get((q + dq, r + dr))) is not None)
            for name, (q, r) in self._axial.items()
        }

    def __contains__(self, name: object) -> bool:
        return name in self._axial

    def __len__(self) -> int:
        return len(self.names)

    def name(self, row: int, column: int) -> str:
        """The name of the hex with these numbers, columns counted over all sheets. Raises GeometryError off the map."""
        if not (1 <= row <= self.grid.rows and 1 <= column <= self.grid.columns):
            raise GeometryError(f"row {row}, column {column} is off the map; allowed: 1 to {self.grid.rows}, 1 to {self.grid.columns}")
        return self._write(row, column)

    def row_column(self, name: str) -> tuple[int, int]:
        """The row and column numbers of a hex, columns counted over all sheets. Raises GeometryError for a name that is not on the map."""
        try:
            return self._numbers[name]
        except KeyError:
            raise GeometryError(f"`{name}` is no hex of this map; allowed: {self.names[0]} to {self.names[-1]}") from None

    def sheet(self, name: str) -> str:
        """The letters of the sheet that a hex lies on; ``""`` on a map of one sheet. Raises GeometryError."""
        column = self.row_column(name)[1]
        return self._sheets[column - 1] if self._sheets else ""

    def neighbours(self, name: str) -> tuple[str, ...]:
        """The adjacent hexes that are on the map, clockwise in the order of ``directions``. Raises GeometryError."""
        self.row_column(name)
        return self._neighbours[name]

    def adjacent(self, a: str, b: str) -> bool:
        """Whether two hexes share a hexside. Raises GeometryError."""
        self.row_column(b)
        return b in self.neighbours(a)

    def step(self, name: str, direction: str) -> str | None:
        """The neighbour in a direction, or None beyond the map's edge. Raises GeometryError for an unknown direction or hex."""
        if direction not in self._steps:
            raise GeometryError(f"`{direction}` is no direction; allowed: {', '.join(self.directions)}")
        self.row_column(name)
        q, r = self._axial[name]
        dq, dr = self._steps[direction]
        return self._names.get((q + dq, r + dr))

    def direction(self, a: str, b: str) -> str | None:
        """The direction from a hex to its neighbour, or None when they do not touch. Raises GeometryError."""
        self.row_column(a)
        self.row_column(b)
        (q, r), (s, t) = self._axial[a], self._axial[b]
        return next((name for name, step in self._steps.items() if step == (s - q, t - r)), None)

    def distance(self, a: str, b: str) -> int:
        """The number of steps from one hex to the other, whatever lies between. Raises GeometryError."""
        self.row_column(a)
        self.row_column(b)
        (q, r), (s, t) = self._axial[a], self._axial[b]
        return max(abs(s - q), abs(t - r), abs(s - q + t - r))

    def within(self, name: str, radius: int) -> tuple[str, ...]:
        """The hexes at most ``radius`` steps away, itself included, in the order of ``names``. Raises GeometryError."""
        self.row_column(name)
        q, r = self._axial[name]
        found = {
            hex_name
            for dq in range(-radius, radius + 1)
            for dr in range(max(-radius, -dq - radius), min(radius, -dq + radius) + 1)
            if (hex_name := self._names.get((q + dq, r + dr))) is not None
        }
        return tuple(sorted(found, key=self._place.__getitem__))

    def line(self, a: str, b: str) -> tuple[str, ...]:
        """The hexes under the straight line between two centres, both ends included: ``distance + 1`` of them, each next to the last.

        Where the line runs along a hexside, the same one of the two hexes is taken in both directions, and always one that is on
        the map. Raises GeometryError for unknown hexes.
        """
        n = self.distance(a, b)
        if n == 0:
            return (a,)
        (q, r), (s, t) = self._axial[a], self._axial[b]
        found: list[str] = []
        for k in range(n + 1):
            # All in units of 1/(4n), so that rounding is exact; the nudge decides ties and is the same both ways.
            x, y = 4 * (q * (n - k) + s * k), 4 * (r * (n - k) + t * k)
            for nudge in (1, -1):
                name = self._names.get(_round(x + nudge, y, 4 * n))
                if name is not None:
                    found.append(name)
                    break
            else:  # pragma: no cover
                raise GeometryError(f"the line {a} - {b} leaves the map")
        return tuple(found)

    def hexside(self, a: str, b: str) -> tuple[str, str]:
        """The two hexes of a hexside in the order in which data files name it (by number). Raises GeometryError when they do not touch."""
        if not self.adjacent(a, b):
            raise GeometryError(f"{a} and {b} do not touch; {a} touches {' '.join(self.neighbours(a))}")
        return (a, b) if self._place[a] < self._place[b] else (b, a)

    def centre(self, name: str, size: float | Point, origin: Point = (0.0, 0.0)) -> Point:
        """The pixel of a hex's centre. Raises GeometryError for an unknown hex or a size that is not above 0."""
        along, across = _sizes(size)
        self.row_column(name)
        line, offset = self._geometric(name)
        a, b = offset * along, line * across
        return (origin[0] + a, origin[1] + b) if self._pointy else (origin[0] + b, origin[1] + a)

    def corners(self, name: str, size: float | Point, origin: Point = (0.0, 0.0)) -> tuple[Point, ...]:
        """The six corners in pixels, clockwise from the one at the north (pointy) or north-east (flat). Raises GeometryError."""
        along, across = _sizes(size)
        x, y = self.centre(name, size, origin)
        half, low, high = along / 2, across / 3, across * 2 / 3
        if self._pointy:
            return ((x, y - high), (x + half, y - low), (x + half, y + low), (x, y + high), (x - half, y + low), (x - half, y - low))
        return ((x + low, y - half), (x + high, y), (x + low, y + half), (x - low, y + half), (x - high, y), (x - low, y - half))

    def hex_at(self, x: float, y: float, size: float | Point, origin: Point = (0.0, 0.0)) -> str | None:
        """The hex that holds a pixel, or None off the map. Raises GeometryError for a size that is not above 0."""
        along, across = _sizes(size)
        dx, dy = x - origin[0], y - origin[1]
        offset, line = (dx / along, dy / across) if self._pointy else (dy / along, dx / across)
        if not (math.isfinite(offset) and math.isfinite(line)) or max(abs(offset), abs(line)) > 1e9:
            return None
        # Doubled offsets count from the unshifted position of line 0, as in _to_axial.
        q = offset + self._shift(0) / 2 - (line - self._correction) / 2
        return self._names.get(_nearest(q, line))

    def bounds(self, size: float | Point, origin: Point = (0.0, 0.0)) -> tuple[float, float, float, float]:
        """(left, top, right, bottom) of the whole grid in pixels."""
        points = [corner for name in self.names for corner in self.corners(name, size, origin)]
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        return min(xs), min(ys), max(xs), max(ys)

    def _write(self, row: int, column: int) -> str:
        sheet = self._sheets[column - 1] if self._sheets else ""
        if sheet:
            column -= self.sheet_columns[sheet].start - 1
        return sheet + self._pattern.format(str(row).zfill(self._row_width), str(column).zfill(self._column_width))

    def _lines(self, row: int, column: int) -> tuple[int, int]:
        """(line from the north or west, place in the line from the west or north), both from 0."""
        grid = self.grid
        south = grid.rows - row if grid.rows_from == "south" else row - 1
        east = column - 1 if grid.columns_from == "west" else grid.columns - column
        return (south, east) if self._pointy else (east, south)

    def _shift(self, line: int) -> int:
        """1 when this line is shifted by half a hex to the east (pointy) or south (flat), else 0."""
        grid = self.grid
        if self._pointy:
            number = grid.rows - line if grid.rows_from == "south" else line + 1
        else:
            number = line + 1 if grid.columns_from == "west" else grid.columns - line
        return int(number % 2 == self._shifted_parity)

    def _to_axial(self, row: int, column: int) -> tuple[int, int]:
        line, place = self._lines(row, column)
        return (2 * place + self._shift(line) - line + self._correction) // 2, line

    def _geometric(self, name: str) -> tuple[int, float]:
        """(line, offset along it in hex widths) of a centre, seen from the hex at the origin."""
        line, place = self._lines(*self._numbers[name])
        return line, place + (self._shift(line) - self._shift(0)) / 2


@lru_cache(maxsize=64)
def hexes(grid: Grid) -> Hexes:
    """The hexes of a grid, made once. Raises GeometryError."""
    return Hexes(grid)


@dataclass(frozen=True, slots=True)
class Zones:
    """Named areas: polygons in any plane coordinates, and which of them touch as the data says.

    ``polygons``: name -> rings of points; a point is inside when it lies in an odd number of rings (islands and holes).
    ``adjacency``: name -> names; always both ways.
    """

    polygons: Mapping[str, tuple[Ring, ...]]
    adjacency: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, polygons: Mapping[str, Iterable[Sequence[Point]]], pairs: Iterable[tuple[str, str]] = ()) -> Zones:
        """Zones from rings and pairs of touching zones.

        Raises GeometryError for a ring of fewer than three points, an unknown zone, or one that touches itself.
        """
        shapes = {name: tuple(_ring(name, ring) for ring in rings) for name, rings in sorted(polygons.items())}
        touching: dict[str, set[str]] = {name: set() for name in shapes}
        for a, b in pairs:
            for name in (a, b):
                if name not in touching:
                    raise GeometryError(f"`{name}` is no zone; allowed: {', '.join(shapes)}")
            if a == b:
                raise GeometryError(f"zone `{a}` touches itself; allowed: two different zones")
            touching[a].add(b)
            touching[b].add(a)
        return cls(MappingProxyType(shapes), MappingProxyType({name: frozenset(found) for name, found in touching.items()}))

    @property
    def names(self) -> tuple[str, ...]:
        """Every zone, sorted."""
        return tuple(self.polygons)

    def edges(self, name: str) -> Iterable[tuple[Point, Point]]:
        """Every edge of a zone's rings, its two ends in the order of their coordinates. Raises GeometryError."""
        for ring in self._rings(name):
            for a, b in _edges(ring):
                yield (a, b) if a <= b else (b, a)

    def shared(self) -> Mapping[tuple[str, str], float]:
        """Pairs of zones (in the order of ``names``) whose outlines have edges in common, and the length of those edges."""
        holders: dict[tuple[Point, Point], list[str]] = {}
        for name in self.names:
            for edge in self.edges(name):
                holders.setdefault(edge, []).append(name)
        found: dict[tuple[str, str], float] = {}
        for (a, b), names in holders.items():
            for at, first in enumerate(names):
                for second in names[at + 1 :]:
                    if first != second:
                        found[first, second] = found.get((first, second), 0.0) + math.dist(a, b)
        return found

    def area(self, name: str) -> float:
        """The area of a zone in square units; rings within rings are holes. Raises GeometryError."""
        # By even and odd, as `contains`: a ring counts against the zone when it lies in an odd number of its other rings.
        rings = self._rings(name)
        total = 0.0
        for ring in rings:
            doubled = abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in _edges(ring)))
            depth = sum(_inside(other, *ring[0]) for other in rings if other is not ring)
            total += (-1) ** depth * doubled / 2
        return total

    def bounds(self, name: str) -> tuple[float, float, float, float]:
        """(left, top, right, bottom) of a zone. Raises GeometryError, also for a zone without an outline."""
        points = [point for ring in self._rings(name) for point in ring]
        if not points:
            raise GeometryError(f"zone `{name}` has no outline")
        xs, ys = [x for x, _ in points], [y for _, y in points]
        return min(xs), min(ys), max(xs), max(ys)

    def overlaps(self, lines: int = 400) -> Mapping[tuple[str, str], float]:
        """Pairs of zones that lie over each other, and about how much area they share: measured along so many horizontal lines."""
        if lines < 1:
            raise GeometryError(f"{lines} lines; allowed: 1 or more")
        bounds = {name: self.bounds(name) for name in self.names if self.polygons[name]}
        top, bottom = min((b[1] for b in bounds.values()), default=0.0), max((b[3] for b in bounds.values()), default=0.0)
        step = (bottom - top) / lines
        found: dict[tuple[str, str], float] = {}
        for at in range(lines):
            y = top + (at + 0.5) * step
            spans: list[tuple[float, float, str]] = []
            for name, (_, north, _, south) in bounds.items():
                if north <= y <= south:
                    xs = sorted(x for ring in self.polygons[name] for a, b in _edges(ring) if (x := _meets(a, b, y)) is not None)
                    spans += [(left, right, name) for left, right in zip(xs[::2], xs[1::2], strict=True)]
            spans.sort()
            for index, (_, right, name) in enumerate(spans):
                for left, other_right, other in spans[index + 1 :]:
                    if left >= right:
                        break
                    pair = (min(name, other), max(name, other))
                    found[pair] = found.get(pair, 0.0) + (min(right, other_right) - left) * step
        return found

    def crossings(self, name: str) -> tuple[Point, ...]:
        """Corners at which a ring of the zone meets itself: the first end of every edge that another edge of its ring meets.

        Raises GeometryError.
        """
        found: list[Point] = []
        for ring in self._rings(name):
            edges = list(_edges(ring))
            spans = [(min(a[0], b[0]), max(a[0], b[0])) for a, b in edges]
            for at, (a, b) in enumerate(edges):
                west, east = spans[at]
                last = len(edges) - (at == 0)
                ahead = edges[(at + 1) % len(edges)][1]
                back = _turn(a, b, ahead) == 0 and (a[0] - b[0]) * (ahead[0] - b[0]) + (a[1] - b[1]) * (ahead[1] - b[1]) > 0
                beside = [n for n in range(at + 2, last) if spans[n][0] <= east and spans[n][1] >= west]
                if back or any(_touch(a, b, *edges[n]) for n in beside):
                    found.append(a)
        return tuple(found)

    def _rings(self, name: str) -> tuple[Ring, ...]:
        if name not in self.polygons:
            raise GeometryError(f"`{name}` is no zone; allowed: {', '.join(self.polygons)}")
        return self.polygons[name]

    def contains(self, name: str, x: float, y: float) -> bool:
        """Whether a point lies in a zone. A point on a border shared by two zones lies in exactly one of them. Raises GeometryError."""
        return sum(_inside(ring, x, y) for ring in self._rings(name)) % 2 == 1

    def zone_at(self, x: float, y: float) -> str | None:
        """The zone that holds a point (the first by name where polygons overlap), or None."""
        return next((name for name in self.polygons if self.contains(name, x, y)), None)

    def neighbours(self, name: str) -> tuple[str, ...]:
        """The zones that touch this one, sorted. Raises GeometryError."""
        if name not in self.adjacency:
            raise GeometryError(f"`{name}` is no zone; allowed: {', '.join(self.adjacency)}")
        return tuple(sorted(self.adjacency[name]))

    def distance(self, a: str, b: str) -> int | None:
        """The number of borders between two zones, or None when no way leads there. Raises GeometryError."""
        self.neighbours(b)
        seen = {a: 0}
        queue = deque([a])
        while queue:
            name = queue.popleft()
            if name == b:
                return seen[name]
            for other in self.neighbours(name):
                if other not in seen:
                    seen[other] = seen[name] + 1
                    queue.append(other)
        return None

    def centre(self, name: str) -> Point:
        """The centre of gravity of a zone's first ring. Raises GeometryError."""
        first = self._rings(name)[0]
        area = cx = cy = 0.0
        for (x1, y1), (x2, y2) in _edges(first):
            cross = x1 * y2 - x2 * y1
            area += cross
            cx += (x1 + x2) * cross
            cy += (y1 + y2) * cross
        if not area:
            return sum(p[0] for p in first) / len(first), sum(p[1] for p in first) / len(first)
        return cx / (3 * area), cy / (3 * area)


def zones(box: Box) -> Zones | None:
    """The zones of a box by their keys, or None where its board has none.

    Raises GeometryError for a ring of fewer than three points (``modgen check`` names its row).
    """
    board = box.zones
    if board is None:
        return None
    rings: dict[str, list[tuple[Point, ...]]] = {key: [] for key in box[board.zones].by_key}
    for row in box[board.outlines]:
        rings[row.key.partition("|")[0]].append(row.points("points"))
    pairs = (row.key.partition("|") for row in box[board.adjacency])
    return Zones.of(rings, ((a, b) for a, _, b in pairs))


def _check(grid: Grid) -> None:
    for field, allowed in (
        ("rows_from", ("south", "north")),
        ("columns_from", ("west", "east")),
        ("orientation", ("pointy", "flat")),
    ):
        if getattr(grid, field) not in allowed:
            raise GeometryError(f"{field} `{getattr(grid, field)}`; allowed: {', '.join(allowed)}")
    sides = ("west", "east") if grid.orientation == "pointy" else ("north", "south")
    staggers = tuple(f"{parity}-{side}" for parity in ("odd", "even") for side in sides)
    if grid.stagger not in staggers:
        raise GeometryError(f"stagger `{grid.stagger}` does not fit {grid.orientation} hexes; allowed: {', '.join(staggers)}")
    if grid.rows < 1 or grid.columns < 1:
        raise GeometryError(f"{grid.rows} rows, {grid.columns} columns; allowed: 1 or more of each")
    for sheet, columns in grid.sheets:
        # Letters alone, so that no two hexes of different sheets can share a name; upper and lower case look alike to clients.
        if not re.fullmatch(r"[A-Za-z]+", sheet) or columns < 1:
            raise GeometryError(f"sheet `{sheet}` with {columns} columns; allowed: letters, and 1 column or more")
    names = [sheet for sheet, _ in grid.sheets]
    if len({sheet.casefold() for sheet in names}) != len(names):
        raise GeometryError(f"sheets {', '.join(names)}; allowed: different letters for each")
    if grid.sheets and sum(columns for _, columns in grid.sheets) != grid.columns:
        raise GeometryError(f"{grid.columns} columns; allowed: the sum of the sheets', {sum(columns for _, columns in grid.sheets)}")


def _sheet_columns(grid: Grid) -> dict[str, range]:
    found: dict[str, range] = {}
    first = 1
    for sheet, columns in grid.sheets:
        found[sheet] = range(first, first + columns)
        first += columns
    return found


def _numbering(grid: Grid) -> tuple[str, int, int]:
    """(format string with {0} row and {1} column, row width, column width). Raises GeometryError."""
    text = grid.numbering
    runs = re.findall(r"R+|C+", text)
    if sorted(run[0] for run in runs) != ["C", "R"]:
        raise GeometryError(f"numbering `{text}`; allowed: one run of R and one of C, with any other signs around them")
    if re.search(r"[\d{}|;,\s\"]", text):
        raise GeometryError(f'numbering `{text}`; allowed between the numbers: anything but digits, blanks and the signs {{ }} | ; , "')
    apart = "RC" not in text and "CR" not in text
    widths: dict[str, int] = {}
    for run in runs:
        count = grid.rows if run[0] == "R" else max((columns for _, columns in grid.sheets), default=grid.columns)
        widths[run[0]] = len(run)
        if len(str(count)) > len(run) and not (apart and len(run) == 1):
            raise GeometryError(
                f"numbering `{text}` has {len(run)} digits where {count} must fit; allowed: as many as the largest number has"
            )
    return (
        text.replace(runs[0], "{0}" if runs[0][0] == "R" else "{1}", 1).replace(runs[1], "{0}" if runs[1][0] == "R" else "{1}", 1),
        widths["R"],
        widths["C"],
    )


def _sizes(size: float | Point) -> tuple[float, float]:
    along, across = size if isinstance(size, tuple) else (size, size * _SQRT3_2)
    if not (along > 0 and across > 0 and math.isfinite(along) and math.isfinite(across)):
        raise GeometryError(f"size {size}; allowed: numbers above 0")
    return along, across


def _round(x: int, y: int, unit: int) -> tuple[int, int]:
    """The axial hex nearest to (x, y) given in parts of ``unit``; exact."""
    z = -x - y
    rx, ry, rz = ((2 * v + unit) // (2 * unit) for v in (x, y, z))
    dx, dy, dz = abs(rx * unit - x), abs(ry * unit - y), abs(rz * unit - z)
    if dx > dy and dx > dz:
        rx = -ry - rz
    elif dy > dz:
        ry = -rx - rz
    return rx, ry


def _nearest(q: float, r: float) -> tuple[int, int]:
    """The axial hex nearest to a point in axial coordinates."""
    s = -q - r
    rq, rr, rs = round(q), round(r), round(s)
    dq, dr, ds = abs(rq - q), abs(rr - r), abs(rs - s)
    if dq > dr and dq > ds:
        rq = -rr - rs
    elif dr > ds:
        rr = -rq - rs
    return rq, rr


def _ring(name: str, points: Sequence[Point]) -> Ring:
    ring = tuple((float(x), float(y)) for x, y in points)
    if len(ring) > 1 and ring[0] == ring[-1]:
        ring = ring[:-1]
    if len(set(ring)) < 3 or not all(math.isfinite(v) for point in ring for v in point):
        raise GeometryError(f"zone `{name}`: a ring of {len(ring)} points; allowed: three or more different finite points")
    return ring


def _edges(ring: Ring) -> Iterable[tuple[Point, Point]]:
    return zip(ring, (*ring[1:], ring[0]), strict=True)


def _inside(ring: Ring, x: float, y: float) -> bool:
    """Whether a point lies in a ring."""
    return sum(_crosses(a, b, x, y) for a, b in _edges(ring)) % 2 == 1


def _meets(a: Point, b: Point, y: float) -> float | None:
    """Where an edge crosses the horizontal line at ``y``; the same number for two zones that share it, whichever way it runs."""
    if a > b:
        a, b = b, a
    if (a[1] <= y) == (b[1] <= y):
        return None
    return a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1])


def _turn(a: Point, b: Point, c: Point) -> float:
    """Above 0 when c lies on one side of the line from a to b, below 0 on the other, 0 on it."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _touch(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two edges have a point in common."""
    if max(a[0], b[0]) < min(c[0], d[0]) or max(c[0], d[0]) < min(a[0], b[0]):
        return False
    if max(a[1], b[1]) < min(c[1], d[1]) or max(c[1], d[1]) < min(a[1], b[1]):
        return False
    return _turn(a, b, c) * _turn(a, b, d) <= 0 and _turn(c, d, a) * _turn(c, d, b) <= 0


def _crosses(a: Point, b: Point, x: float, y: float) -> bool:
    """Whether the ray from (x, y) to the east crosses this edge.

    The edge is always taken from its lower to its upper end and closed below only, so that two zones that share it give
    opposite answers for every point, points on it included.
    """
    if a[1] > b[1] or (a[1] == b[1] and a[0] > b[0]):
        a, b = b, a
    if not a[1] <= y < b[1]:
        return False
    return (b[0] - a[0]) * (y - a[1]) > (x - a[0]) * (b[1] - a[1])
