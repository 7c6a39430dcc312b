"""What the parts of a hex map's drawing share: the hexes, their rows, hexsides by kind, areas as outlines."""

from __future__ import annotations

from collections.abc import Iterable

from gamebox.model import Box, Row
from modgen.art import plan
from modgen.art.board.common import Board
from modgen.art.labels import TextBox
from modgen.art.shapes import curve, natural_loop
from modgen.art.sheet import Corner, loops
from modgen.art.words import Words
from modgen.errors import ArtError
from modgen.layout.hexmap import City, Line
from modgen.layout.layout import Layout

COAST = 3.2
"""How far, at most, an outline is bent from its hexsides, in pixels."""
Side = tuple[Corner, Corner]


class HexBase(Board):
    """A board whose map is a hex grid: what its parts read.

    Raises :class:`ArtError` when the game has none, or its hexsides are none.
    """

    key_note = "MP = movement points; slanted = reconstructed"

    def __init__(self, box: Box, layout: Layout) -> None:
        self.sheet = plan.sheet(layout, box)
        super().__init__(box, layout, self.sheet)
        self.look = plan.hex_map(layout)
        self.said = Words(box, layout, {})
        self.rows = {row.key: row for row in box["hexes"]}
        self.land_hexes = {row.key for row in box["hexes"] if plan.is_land(layout, row)}
        self.ground_fill = next(t.fill for t in self.look.terrain.values() if not t.water and not t.texture)
        self.by_feature: dict[str, list[Row]] = {}
        for row in self.table("hexsides"):
            self.by_feature.setdefault(row.text("feature"), []).append(row)
        grid = self.sheet.grid
        # One line beyond the map, so that the drawing runs on to its frame.
        self.beyond = [
            (self.sheet.ring(*self.sheet.raw_centre(line, place)), self.rows[self.sheet.nearest(line, place)])
            for line in range(-1, grid.rows + 1)
            for place in range(-1, grid.columns + 1)
        ]

    def table(self, name: str) -> Iterable[Row]:
        """The rows of a table; none when the game has no such table."""
        return self.box[name] if name in self.box.tables else ()

    def is_land(self, row: Row) -> bool:
        """Whether a hex is drawn as land."""
        return row.key in self.land_hexes

    def area(self, rings: Iterable[tuple[Corner, ...]], amount: float = COAST) -> str:
        """A set of hexes as one path, its outline bent a little."""
        return "".join(curve(natural_loop(loop, amount), closed=True) for loop in loops(rings))

    def side(self, row: Row) -> Side:
        """A hexside of the table as corners; its name in messages is the row's key."""
        try:
            a, b = self.sheet.side(row.text("hex_a"), row.text("hex_b"))
        except ArtError as error:
            raise ArtError(f"hexsides line {row.line}: {error}") from error
        return min(a, b), max(a, b)

    def styled(self, *styles: str) -> list[tuple[str, Line, list[Row]]]:
        """The kinds of hexsides that are drawn in these styles, with their rows."""
        return [(f, line, self.by_feature.get(f, [])) for f, line in self.look.hexsides.items() if line.style in styles]

    def city(self, row: Row) -> City:
        """How a city is drawn."""
        return next(city for city in self.look.cities if city.where(row))

    def has_feature(self, name: str, style: str) -> bool:
        """Whether a hex holds something drawn in this style."""
        return any(r.text("hex") == name and self.look.features[r.text("feature")].style == style for r in self.table("features"))

    def inside(self, box: TextBox) -> bool:
        """Whether a word stands inside the frame, clear of it."""
        x, y, w, h = self.frame
        return all(x + 4 < px < x + w - 4 and y + 4 < py < y + h - 4 for px, py in box.corners())
