"""The map of a hex board: water, ground, and everything on it in its order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from gamebox.model import Box
from modgen.art import sea, symbols
from modgen.art.board import rails
from modgen.art.board.hexbase import COAST, HexBase
from modgen.art.board.hexkey import HexKey, doubts
from modgen.art.board.places import Places
from modgen.art.board.sides import Sides
from modgen.art.shapes import curve, natural_loop, pixels
from modgen.art.sheet import loops
from modgen.layout.hexmap import SIDES
from modgen.layout.layout import Layout
from modgen.layout.reading import Rect

SHORE = 15
"""Width of the pale line along the coast."""
Edge = Literal["N", "S", "E", "W"]
OUTWARD: dict[Edge, int] = {"N": 270, "S": 90, "E": 0, "W": 180}


class HexBoard(HexBase):
    """A board whose map is a hex grid.

    Raises :class:`ArtError` when the game has none.
    """

    key_note = "MP = movement points; slanted = reconstructed"

    def __init__(self, box: Box, layout: Layout) -> None:
        super().__init__(box, layout)
        self.sides, self.places = Sides(self), Places(self)

    def map(self) -> None:
        """Everything inside the frame, from the water up to the hex numbers."""
        self.keep_off_panels()
        self.shores = loops(ring for ring, row in self.beyond if self.is_land(row))
        self.land = "".join(curve(natural_loop(loop, COAST), closed=True) for loop in self.shores)
        self.water()
        self.sides.hexes(at_sea=True)
        # Nothing is clipped at the coast (that costs a picture of its own in the renderer): all areas bend alike there.
        self.ground()
        self.regions()
        self.sides.hexes(at_sea=False)
        self.sides.join()
        self.sides.countries()
        self.sides.borders()
        self.sides.rivers()
        self.sides.borders_in_rivers()
        self.coast()
        self.sides.special()
        if self.look.rail is not None:
            rails.rails(self, self.look.rail)
        self.places.features()
        self.places.numbers()
        self.places.symbols()
        # Names of lands and seas have places of their own; those of cities and rivers take what is free.
        self.labels()
        self.places.city_names()
        self.sides.names()
        self.places.draw_numbers()

    def doubts(self) -> list[tuple[str, int, int]]:
        """Kinds of the key, how many are reconstructed, of how many."""
        return doubts(self.layout, self.box)

    def key(self, x: float, y: float, w: float) -> None:
        """The key to the map."""
        HexKey(self).draw(x, y, w)

    def heart(self) -> tuple[int, int]:
        """The middle of the city that is drawn largest (the first of them); without cities the middle of the map."""
        x, y, w, h = self.frame
        best = max(self.table("cities"), key=lambda row: (self.city(row).size, row.flag("capital")), default=None)
        return self.sheet.centre(best.text("hex")) if best is not None else (x + w // 2, y + h // 2)

    # -- the ground

    def water(self) -> None:
        """A pale line along the coast; the sea itself lies below the drawing."""
        self.c.path(self.land, fill="none", stroke="#eef6f8", stroke_width=SHORE, stroke_opacity=0.5, stroke_linejoin="round")

    def under(self) -> tuple[bytes, Rect]:
        """The sea, deeper the farther from land; lakes are as shallow as the shore."""
        land = [natural_loop(loop, COAST) for loop in self.shores]
        open_ = next((t.fill for t in self.look.terrain.values() if t.water), "#a9cfe3")
        return sea.picture(self.frame, land, (sea.tone(open_, 0.45), open_, sea.tone(open_, -0.12))), self.frame

    def coast(self) -> None:
        """The line between land and sea, which names had better not cross."""
        self.c.path(self.land, fill="none", stroke="#2f6f96", stroke_width=1.9, stroke_linejoin="round")
        for loop in self.shores:
            self.avoid(pixels([*loop, loop[0]]), 3, "coast", 0.6)

    def ground(self) -> None:
        """Land, washes, and every kind of terrain with its texture."""
        c = self.c
        c.path(self.land, fill=self.ground_fill)
        for tint in self.look.tints:
            if not tint.region:
                c.path(
                    self.area(ring for ring, row in self.beyond if self.is_land(row) and tint.where(row)),
                    fill=tint.fill,
                    fill_opacity=tint.opacity,
                )
        for kind, terrain in self.look.terrain.items():
            if terrain.water or (terrain.fill == self.ground_fill and not terrain.texture):
                continue
            d = self.area(ring for ring, row in self.beyond if row.text("terrain") == kind)
            c.path(d, fill=self.texture(terrain.texture, terrain.fill) if terrain.texture else terrain.fill)
        closed = self.area(ring for ring, row in self.beyond if self.is_land(row) and not row.flag("playable"))
        c.path(closed, fill=self.layout.board.colours["closed"], stroke="#8d897d", stroke_width=1)

    def regions(self) -> None:
        """Regions that a rule names: a wash, and a broken line around them."""
        for tint in self.look.tints:
            if tint.region:
                hexes = self.box["regions"][tint.region].items("hexes")
                d = self.area(self.sheet.corners(name) for name in hexes)
                self.c.path(d, fill=tint.fill, fill_opacity=tint.opacity)
                self.c.path(d, fill="none", stroke=tint.fill, stroke_width=2.6, stroke_opacity=0.75, stroke_dasharray="6 4")

    # -- around the map

    def margin(self) -> None:
        """Arrows where pieces may leave or enter the map, links of rails beyond it, letters of the sheets."""
        x0, y0, w, h = self.frame
        marks: dict[str, list[str]] = {}
        for name in self.look.edges:
            for hex_name in self.edge_hexes(name):
                if not self.edges_at(hex_name):
                    continue
                marks.setdefault(hex_name, []).append(name)
        edges = {name: self.edge_of(name) for name in self.look.edges}
        railed = rails.leaving(self, self.look.rail)
        for hex_name in self.sheet.names():
            here = marks.get(hex_name, [])
            x, y = self.sheet.centre(hex_name)
            for slot, name in enumerate(here):
                line, edge = self.look.edges[name], edges[name] or self.own_edge(hex_name)
                # Beside the rail where one runs out of the map.
                aside = (slot - (len(here) - 1) / 2) * 24 + (18 if hex_name in railed else 0)
                px, py = {
                    "N": (x + aside, y0 - 16),
                    "S": (x + aside, y0 + h + 16),
                    "E": (x0 + w + 17, y + aside),
                    "W": (x0 - 17, y + aside),
                }[edge]
                angle = OUTWARD[edge] + (0 if line.style == "exit" else 180)
                self.c.add(symbols.arrow(px, py, angle, 19, line.colour, hollow=line.style == "exit"))
        if self.look.rail is not None and self.look.rail.off_map:
            rails.off_map(self, self.look.rail)
        for letters, (place, columns) in self.sheet.sheets.items():
            middle = self.sheet.raw_centre(0, place)[0] + (columns - 1) * self.look.across / 2
            ink = self.layout.board.colours["frame"]
            self.c.text(middle, y0 - 14, f"MAP {letters}", 21, weight=900, fill=ink, spacing=6, where=f"sheet {letters}")

    def edge_hexes(self, name: str) -> Iterable[str]:
        """The hexes of an edge: those that name it, or those of the region of that name."""
        region = self.box["regions"].get(name) if "regions" in self.box.tables else None
        if region is not None:
            return region.items("hexes")
        columns = [c for c in ("edge", "entry") if c in self.box["hexes"].columns]
        return [row.key for row in self.box["hexes"] if any(name in row.items(c) for c in columns)]

    def edge_of(self, name: str) -> Edge | None:
        """The edge of the map that most hexes of a region lie at; None for what single hexes name."""
        if "regions" not in self.box.tables or self.box["regions"].get(name) is None:
            return None
        hexes = self.edge_hexes(name)
        return max(OUTWARD, key=lambda edge: sum(edge in self.edges_at(h) for h in hexes))

    def edges_at(self, name: str) -> list[Edge]:
        """The edges of the map that a hex lies at."""
        row, column = self.sheet.hexes.row_column(name)
        line, place = self.sheet.line_of(row), self.sheet.place_of(column)
        grid = self.sheet.grid
        at: list[tuple[bool, Edge]] = [(line == 0, "N"), (line == grid.rows - 1, "S"), (place == grid.columns - 1, "E"), (place == 0, "W")]
        return [edge for here, edge in at if here]

    def own_edge(self, name: str) -> Edge:
        """The edge that the table says a hex lies at, else the one where it lies."""
        said = self.rows[name].items("edge") if "edge" in self.rows[name].values else ()
        found = [edge for word in said if word.lower() in SIDES for edge in OUTWARD if edge == word[:1].upper()]
        return (found or self.edges_at(name) or ["S"])[0]
