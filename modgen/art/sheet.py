"""The hex grid on the drawing: names to pixels and hexsides to lines.

Centres are whole pixels, the same that VASSAL computes, so what is drawn and what the client calls a hex cannot drift apart.
Pointy-top hexes whose printed number is two digits row and two digits column, on one sheet or on several side by side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from gamebox.geometry import GeometryError, Hexes, hexes
from gamebox.model import Grid
from modgen.art.svg import Point
from modgen.errors import ArtError

Corner = tuple[int, int]
"""A corner as whole numbers: x pixels, 3 * y pixels. Corners of neighbouring hexes are equal."""


@dataclass(frozen=True)
class Sheet:
    """A grid laid on a drawing.

    ``across``: pixels between centres of one row (even); ``down``: between rows; ``left``, ``top``: the frame's corner.
    """

    grid: Grid
    across: int
    down: int
    left: int
    top: int

    def __post_init__(self) -> None:
        g = self.grid
        if g.orientation != "pointy" or g.numbering != "RRCC":
            raise ArtError(f"grid: only pointy-top hexes named RRCC can be drawn, not {g.orientation} {g.numbering}")
        if g.stagger not in {"odd-west", "odd-east", "even-west", "even-east"}:
            raise ArtError(f"grid: stagger is odd-west, odd-east, even-west or even-east, not {g.stagger!r}")
        if self.across % 2 or self.across < 24 or self.down < 20:
            raise ArtError(f"module.toml: hex across must be even and at least 24, down at least 20, not {self.across} x {self.down}")

    # -- lines and places in a line, counted from the top left, from 0

    def line_of(self, row: int) -> int:
        """Which line from the top a printed row is."""
        return self.grid.rows - row if self.grid.rows_from == "south" else row - 1

    def row_of(self, line: int) -> int:
        """The printed row of a line."""
        return self.grid.rows - line if self.grid.rows_from == "south" else line + 1

    def place_of(self, column: int) -> int:
        """Which place from the left a printed column is."""
        return column - 1 if self.grid.columns_from == "west" else self.grid.columns - column

    def column_of(self, place: int) -> int:
        """The printed column of a place."""
        return place + 1 if self.grid.columns_from == "west" else self.grid.columns - place

    def is_east(self, line: int) -> bool:
        """Whether a line lies half a hex to the east of its neighbours."""
        odd = self.row_of(line) % 2 == 1
        return odd == (self.grid.stagger in {"odd-east", "even-west"})

    @property
    def lead(self) -> int:
        """1 when the top line is the eastern kind: the client's raw line 0 then lies one line above the map."""
        return 1 if self.is_east(0) else 0

    def raw_centre(self, line: int, place: int) -> tuple[int, int]:
        """Centre of a place, also beyond the map's edge."""
        x = self.left + self.across // 2 + self.across * place + (self.across // 2 if self.is_east(line) else 0)
        return x, self.top + (2 * self.down + 2) // 3 + self.down * line

    @cached_property
    def hexes(self) -> Hexes:
        """The hexes by their printed names."""
        return hexes(self.grid)

    def centre(self, name: str) -> tuple[int, int]:
        """Centre of a hex in whole pixels.

        Raises :class:`ArtError` when there is no such hex.
        """
        known = self._centres.get(name)
        if known is None:
            try:
                row, column = self.hexes.row_column(name)
            except GeometryError as error:
                raise ArtError(str(error)) from None
            known = self._centres[name] = self.raw_centre(self.line_of(row), self.place_of(column))
        return known

    @cached_property
    def _centres(self) -> dict[str, tuple[int, int]]:
        """The centres asked for so far: drawing a map asks for each a hundred times."""
        return {}

    def name(self, line: int, place: int) -> str:
        """The printed name of a place on the map."""
        return self.hexes.name(self.row_of(line), self.column_of(place))

    def names(self) -> Iterator[str]:
        """Every hex, line by line from the top left."""
        return iter(self._names)

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(self.name(line, place) for line in range(self.grid.rows) for place in range(self.grid.columns))

    def nearest(self, line: int, place: int) -> str:
        """The hex of the map that lies nearest to a place, for the strip drawn beyond the edge."""
        return self.name(min(max(line, 0), self.grid.rows - 1), min(max(place, 0), self.grid.columns - 1))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the hex field in pixels."""
        return self.across * self.grid.columns + self.across // 2, self.down * (self.grid.rows - 1) + 2 * ((2 * self.down + 2) // 3)

    # -- sheets

    @property
    def sheets(self) -> dict[str, tuple[int, int]]:
        """Sheet -> its westernmost place and how many columns it has; empty for a map of one sheet."""
        return {
            sheet: (min(self.place_of(columns[0]), self.place_of(columns[-1])), len(columns))
            for sheet, columns in self.hexes.sheet_columns.items()
        }

    def sheet_of(self, name: str) -> str:
        """The letters of the sheet that a hex lies on; ``""`` on a map of one sheet."""
        return self.hexes.sheet(name)

    # -- corners and sides

    def ring(self, x: int, y: int) -> tuple[Corner, ...]:
        """The six corners around a centre, clockwise from the top."""
        half, third = self.across // 2, self.down
        y3 = 3 * y
        return (
            (x, y3 - 2 * third),
            (x + half, y3 - third),
            (x + half, y3 + third),
            (x, y3 + 2 * third),
            (x - half, y3 + third),
            (x - half, y3 - third),
        )

    def brick(self, name: str) -> tuple[Corner, ...]:
        """What a client takes for a hex: the upright rectangle of its row around its centre; six corners, as ``ring`` has them."""
        x, y = self.centre(name)
        half, top = self.across // 2, 3 * (y - self.down // 2)
        bottom = top + 3 * self.down
        return ((x, top), (x + half, top), (x + half, bottom), (x, bottom), (x - half, bottom), (x - half, top))

    def corners(self, name: str) -> tuple[Corner, ...]:
        """The corners of a hex, clockwise from the top."""
        known = self._rings.get(name)
        if known is None:
            known = self._rings[name] = self.ring(*self.centre(name))
        return known

    @cached_property
    def _rings(self) -> dict[str, tuple[Corner, ...]]:
        return {}

    def outline(self, name: str) -> list[Point]:
        """The corners of a hex as drawing points, clockwise from the top."""
        return [(float(x), y / 3) for x, y in self.corners(name)]

    def hexagon(self, name: str, inset: float = 0.0) -> list[Point]:
        """The outline of a hex, shrunk by ``inset`` pixels measured across."""
        x, y = self.centre(name)
        k = 1 - 2 * inset / self.across
        return [(x + (cx - x) * k, y + (cy / 3 - y) * k) for cx, cy in self.corners(name)]

    def side(self, a: str, b: str) -> tuple[Corner, Corner]:
        """The two corners of the hexside between two hexes.

        Raises :class:`ArtError` when they are not neighbours.
        """
        ring, other = self.corners(a), set(self.corners(b))
        shared = [c for c in ring if c in other]
        if len(shared) != 2:
            raise ArtError(f"hexes {a} and {b} are not neighbours")
        return shared[0], shared[1]

    @cached_property
    def around(self) -> dict[str, tuple[str, ...]]:
        """Hex -> its neighbours on the map."""
        return {name: tuple(sorted(self.hexes.neighbours(name))) for name in self.names()}


def loops(rings: Iterable[tuple[Corner, ...]]) -> list[list[Corner]]:
    """The outlines of a set of hexagons, given each one's corners clockwise: outer loops clockwise, holes the other way."""
    edges: dict[Corner, Corner] = {}
    seen: set[tuple[Corner, Corner]] = set()
    for ring in rings:
        for i, start in enumerate(ring):
            seen.add((start, ring[(i + 1) % 6]))
    for start, end in seen:
        if (end, start) not in seen:
            edges[start] = end
    out = []
    for first in sorted(edges):
        if first not in edges:
            continue
        loop, here = [], first
        while here in edges:
            loop.append(here)
            here = edges.pop(here)
        out.append(loop)
    return out


def chains(sides: Iterable[tuple[Corner, Corner]]) -> list[list[Corner]]:
    """Hexsides joined to lines as long as they go; a closed line ends where it began."""
    links: dict[Corner, list[Corner]] = {}
    for a, b in sorted({(min(s), max(s)) for s in sides}):
        links.setdefault(a, []).append(b)
        links.setdefault(b, []).append(a)
    used: set[tuple[Corner, Corner]] = set()
    out: list[list[Corner]] = []

    def walk(start: Corner, to: Corner) -> None:
        line = [start]
        here = start
        nxt: Corner | None = to
        while nxt is not None:
            used.add((min(here, nxt), max(here, nxt)))
            line.append(nxt)
            here = nxt
            free = [n for n in links[here] if (min(here, n), max(here, n)) not in used]
            nxt = free[0] if len(links[here]) == 2 and free else None
        out.append(line)

    for start in sorted(links):
        if len(links[start]) != 2:
            for to in links[start]:
                if (min(start, to), max(start, to)) not in used:
                    walk(start, to)
    for start in sorted(links):
        for to in links[start]:
            if (min(start, to), max(start, to)) not in used:
                walk(start, to)
    return out
