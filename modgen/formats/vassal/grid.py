"""The engine's grids: where a pixel is, in the words that its reports and ``OldLocationName`` use.

All formulas are the engine's, whole-number divisions and odd maxima included. Pixels are board pixels, x to the right, y down.
A *sideways* hex grid (pointy hexes) swaps everything: ``x0`` moves it vertically, ``dx`` is the distance between rows, and the
engine's "columns" run down the page.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MAX_HEXES = 200_000
_LONGEST = 40
"""More letters or zeros than this are a broken module's."""


def _round(value: float) -> int:
    """Java's Math.round: halves go up."""
    return math.floor(value + 0.5)


def number_name(value: int, kind: str, leading: int) -> str:
    """A row or column as text. ``leading`` zeros fill up to ``leading + 1`` digits; letters repeat (A..Z, AA, BB, ...)."""
    sign = "-" if value < 0 else ""
    value = abs(value)
    if kind == "A":
        return sign + _LETTERS[value % 26] * min(value // 26 + 1, _LONGEST)
    leading = min(leading, _LONGEST)
    while leading > 0:
        if value < 10**leading:
            sign += "0"
        else:
            break
        leading -= 1
    return f"{sign}{value}"


@dataclass(frozen=True, slots=True)
class Numbering:
    """How rows and columns are named (``HexGridNumbering``, ``SquareGridNumbering``)."""

    first: str = "H"
    sep: str = ""
    h_type: str = "N"
    v_type: str = "N"
    h_leading: int = 1
    v_leading: int = 1
    h_off: int = 1
    v_off: int = 1
    h_descend: bool = False
    v_descend: bool = False
    stagger: bool = True
    location_format: str = "$gridLocation$"

    def name(self, row: int, column: int) -> str:
        """The name of a counted row and column (offsets are added here)."""
        rows = number_name(row + self.v_off, self.v_type, self.v_leading)
        columns = number_name(column + self.h_off, self.h_type, self.h_leading)
        joined = columns + self.sep + rows if self.first == "H" else rows + self.sep + columns
        if self.location_format in ("", "$gridLocation$"):
            return joined
        return fill(self.location_format, {"gridLocation": joined, "row": rows, "column": columns})


def fill(text: str, values: dict[str, str]) -> str:
    """``$name$`` in a format replaced; names without a value vanish."""
    out: list[str] = []
    pieces = text.split("$")
    index = 0
    while index < len(pieces):
        out.append(pieces[index])
        if index + 2 <= len(pieces) - 1:
            out.append(values.get(pieces[index + 1], ""))
            index += 2
        else:
            index += 1
    return "".join(out)


@dataclass(frozen=True, slots=True)
class HexGrid:
    """Hexes: ``dx`` between columns, ``dy`` the hex height, first centre at (``x0``, ``y0``); all swapped when sideways.

    ``width`` and ``height`` are the board's (or zone's) size in pixels, which descending numbers are counted from.
    """

    dx: float
    dy: float
    x0: int
    y0: int
    sideways: bool = False
    numbering: Numbering | None = None
    width: int = 0
    height: int = 0

    def raw(self, x: int, y: int) -> tuple[int, int]:
        """(raw column, raw row) of a pixel, counted from the first hex."""
        px, py = (y, x) if self.sideways else (x, y)
        column = math.floor((px - self.x0) / self.dx + 0.5)
        return column, self._raw_row(px, py)

    def _raw_row(self, px: int, py: int) -> int:
        # The row asks for its own rounding of the column, as the engine does; they differ only on the line between two columns.
        parity = _round((px - self.x0) / self.dx)
        if parity % 2 == 0:
            return _round((py - self.y0) / self.dy)
        return _round((py - self.y0 - self.dy / 2) / self.dy)

    def centre(self, column: int, row: int) -> tuple[int, int]:
        """The pixel that a piece dropped in this raw hex snaps to."""
        px = int(self.dx * column + self.x0)
        py = int(self.dy * row + self.y0) if column % 2 == 0 else int(self.dy * row + int(self.dy / 2) + self.y0)
        return (py, px) if self.sideways else (px, py)

    def snap(self, x: int, y: int) -> tuple[int, int]:
        """The centre of the hex under a pixel, as on a drop."""
        px, py = (y, x) if self.sideways else (x, y)
        column = math.floor((px - self.x0 + self.dx / 2) / self.dx)
        from_top = py - self.y0 + (self.dy / 2 if column % 2 == 0 else 0)
        return self.centre(column, math.floor(from_top / self.dy))

    @property
    def max_rows(self) -> int:
        """What descending rows count down from: the board's height divided by the hex *width*."""
        return math.floor(self.height / self.dx + 0.5)

    @property
    def max_columns(self) -> int:
        """What descending columns count down from: the board's width divided by the hex *height*."""
        return math.floor(self.width / self.dy + 0.5)

    def counted(self, column: int, row: int) -> tuple[int, int]:
        """(column, row) as numbered, before offsets."""
        numbering = self.numbering or Numbering()
        parity = column % 2
        if self.sideways:
            if numbering.v_descend:
                column = self.max_rows - column
            if numbering.h_descend:
                row = self.max_columns - row
            down = numbering.h_descend
        else:
            if numbering.h_descend:
                column = self.max_columns - column
            if numbering.v_descend:
                row = self.max_rows - row
            down = numbering.v_descend
        if numbering.stagger and parity:
            row += -1 if down else 1
        return column, row

    def location_name(self, x: int, y: int) -> str:
        """The name of the hex under a pixel; "" without numbering."""
        if self.numbering is None:
            return ""
        column, row = self.counted(*self.raw(x, y))
        return self.numbering.name(row, column)

    def pixel_of(self, name: str) -> tuple[int, int] | None:
        """The centre of the hex of this name: the first in reading order, or None when no hex of the board or its margin has it."""
        return _pixels(self).get(name)

    def names(self) -> dict[str, tuple[int, int]]:
        """Name -> centre of every hex whose centre lies on the board."""
        return {name: (x, y) for name, (x, y) in _pixels(self).items() if 0 <= x < self.width and 0 <= y < self.height}


@lru_cache(maxsize=32)
def _pixels(grid: HexGrid) -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    if grid.numbering is None:
        return found
    columns = int((grid.height if grid.sideways else grid.width) / grid.dx) + 2
    rows = int((grid.width if grid.sideways else grid.height) / grid.dy) + 2
    if columns * rows > _MAX_HEXES:
        return found
    for column in range(-1, columns):
        for row in range(-1, rows):
            counted = grid.counted(column, row)
            found.setdefault(grid.numbering.name(counted[1], counted[0]), grid.centre(column, row))
    return found


@dataclass(frozen=True, slots=True)
class SquareGrid:
    """Squares: ``dx`` by ``dy``, first centre at (``x0``, ``y0``)."""

    dx: float
    dy: float
    x0: int
    y0: int
    numbering: Numbering | None = None
    width: int = 0
    height: int = 0

    def location_name(self, x: int, y: int) -> str:
        """The name of the square under a pixel; "" without numbering."""
        if self.numbering is None:
            return ""
        column = math.floor((x - self.x0) / self.dx + 0.5)
        row = math.floor((y - self.y0) / self.dy + 0.5)
        if self.numbering.h_descend:
            column = math.floor(self.width / self.dx + 0.5) - column
        if self.numbering.v_descend:
            row = math.floor(self.height / self.dy + 0.5) - row
        return self.numbering.name(row, column)


@dataclass(frozen=True, slots=True)
class RegionGrid:
    """Named points; a pixel has the name of the nearest one, however far."""

    regions: tuple[tuple[str, int, int], ...] = ()

    def location_name(self, x: int, y: int) -> str:
        """The nearest region's name; "" when there are none."""
        best, name = math.inf, ""
        for region, rx, ry in self.regions:
            distance = (rx - x) ** 2 + (ry - y) ** 2
            if distance < best:
                best, name = distance, region
        return name


@dataclass(frozen=True, slots=True)
class Zone:
    """A named polygon with its own grid, or the background's."""

    name: str
    path: tuple[tuple[int, int], ...]
    location_format: str = "$name$"
    use_parent_grid: bool = False
    grid: Grid | None = None
    around: tuple[int, int, int, int] = field(init=False, repr=False, compare=False)
    """The smallest upright rectangle that holds the path: left, top, right, bottom."""

    def __post_init__(self) -> None:
        xs, ys = zip(*self.path, strict=True) if self.path else ((0,), (0,))
        object.__setattr__(self, "around", (min(xs), min(ys), max(xs), max(ys)))

    def contains(self, x: int, y: int) -> bool:
        """Whether the pixel lies inside, with Java's rule for points on the border."""
        left, top, right, bottom = self.around
        return left <= x < right and top <= y < bottom and _inside(self.path, x, y)


@dataclass(frozen=True, slots=True)
class ZonedGrid:
    """Zones over one background grid; the first zone that holds the pixel names it."""

    zones: tuple[Zone, ...] = ()
    background: Grid | None = None

    def zone_at(self, x: int, y: int) -> Zone | None:
        """The zone under a pixel, or None on the background."""
        return next((zone for zone in self.zones if zone.contains(x, y)), None)

    def location_name(self, x: int, y: int) -> str:
        """The location's name; "" where nothing names it."""
        return self.name_in(self.zone_at(x, y), x, y)

    def name_in(self, zone: Zone | None, x: int, y: int) -> str:
        """The name of a location of which the zone is known (None: the background)."""
        if zone is None:
            return self.background.location_name(x, y) if self.background else ""
        inner = self.background if zone.use_parent_grid else zone.grid
        if zone.location_format == "$name$":
            return zone.name
        location = inner.location_name(x, y) if inner else ""
        return fill(zone.location_format, {"name": zone.name, "gridLocation": location})


Grid = HexGrid | SquareGrid | RegionGrid | ZonedGrid


def zone_name(grid: Grid | None, x: int, y: int) -> str:
    """The name of the zone under a pixel; "" on the background or without zones."""
    return names_at(grid, x, y)[1]


def names_at(grid: Grid | None, x: int, y: int) -> tuple[str, str]:
    """(location, zone) under a pixel by name; "" for what there is not."""
    if isinstance(grid, ZonedGrid):
        zone = grid.zone_at(x, y)
        return grid.name_in(zone, x, y), zone.name if zone else ""
    return (grid.location_name(x, y) if grid else ""), ""


def hex_grids(grid: Grid | None) -> list[HexGrid]:
    """Every numbered hex grid in a grid: the background's first, then the zones'."""
    if isinstance(grid, HexGrid):
        return [grid] if grid.numbering else []
    if isinstance(grid, ZonedGrid):
        found = hex_grids(grid.background)
        for zone in grid.zones:
            found += hex_grids(zone.grid)
        return found
    return []


def _inside(path: tuple[tuple[int, int], ...], x: int, y: int) -> bool:
    """java.awt.Polygon.contains for a whole-number point inside the rectangle around the path."""
    if len(path) < 3:
        return False
    hits = 0
    last_x, last_y = path[-1]
    for cur_x, cur_y in path:
        from_x, from_y = last_x, last_y
        last_x, last_y = cur_x, cur_y
        if cur_y == from_y or x >= max(cur_x, from_x):
            continue
        if cur_y < from_y:
            if y < cur_y or y >= from_y:
                continue
            test_x, test_y = x - cur_x, y - cur_y
        else:
            if y < from_y or y >= cur_y:
                continue
            test_x, test_y = x - from_x, y - from_y
        if x < min(cur_x, from_x) or test_x < test_y / (from_y - cur_y) * (from_x - cur_x):
            hits += 1
    return hits % 2 == 1
