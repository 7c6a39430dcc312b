"""The key to a hex map: swatches, what the terrain table says of each, and how much of it is reconstructed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from gamebox.model import Box, Row
from modgen.art import plan, symbols
from modgen.art.board import rails
from modgen.art.board.common import PICTURE
from modgen.art.board.hexbase import HexBase
from modgen.art.board.places import city_symbol, fort
from modgen.art.board.sides import DASHES, crossing, ridge, river
from modgen.art.fonts import face
from modgen.art.svg import attrs, path
from modgen.layout.hexmap import City, HexMap, Line, Terrain
from modgen.layout.layout import Layout
from modgen.layout.tracks import TurnMark

Run = tuple[str, bool]
"""Words in one look: upright where they are printed or derived (True), slanted where they are reconstructed."""
SMALL = 14.5
"""The size of the small print."""
STEP = 66.0
"""The most that an entry of the key is high."""


def city_of(look: HexMap, row: Row) -> City:
    """How a city is drawn."""
    return next(city for city in look.cities if city.where(row))


def doubts(layout: Layout, box: Box) -> list[tuple[str, int, int]]:
    """What the key calls each kind of city, feature and map edge, how many of it our data calls reconstructed, and of how many."""
    look, counts = plan.hex_map(layout), dict[str, list[int]]()

    def count(label: str, certain: bool) -> None:
        found = counts.setdefault(label, [0, 0])
        found[0] += not certain
        found[1] += 1

    def rows(table: str) -> list[Row]:
        return list(box[table]) if table in box.tables else []

    for row in sorted(rows("cities"), key=lambda row: look.cities.index(city_of(look, row)), reverse=True):
        city = city_of(look, row)
        count(city.label, row.source(city.doubt).certain)
    for row in rows("features"):
        count(look.features[row.text("feature")].label, row.source("feature").certain)
    for row in box["hexes"]:
        for column in ("edge", "entry"):
            if column in row.values:
                for label in {look.edges[name].label for name in row.items(column) if name in look.edges}:
                    count(label, row.source(column).certain)
    for name, line in look.edges.items():
        if (region := next((row for row in rows("regions") if row.key == name), None)) is not None:
            count(line.label, region.source("hexes").certain)
    if look.rail is not None and look.rail.off_map:
        for row in rows(look.rail.off_map):
            count(look.rail.off_label, row.source("hex_a").certain)
    return [(label, ours, total) for label, (ours, total) in counts.items()]


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line of the key: its swatch, its name, the row of the terrain table that it quotes."""

    label: str
    swatch: Callable[[float, float], None]
    effect: str
    applies: tuple[str, ...]


def broken(parts: Sequence[Run], room: float) -> list[list[Run]]:
    """Parts with commas between them, in lines no wider than ``room`` pixels; what is alike in a line is one run."""
    lines: list[list[Run]] = []
    width = 0.0
    for number, (part, certain) in enumerate(parts, 1):
        text = part + ("," if number < len(parts) else "")
        wide = face(400, not certain).width(text + " ", SMALL)
        if not lines or width + wide > room:
            lines.append([(text, certain)])
            width = wide
        else:
            before, sure = lines[-1][-1]
            lines[-1][-1:] = [(f"{before} {text}", sure)] if sure == certain else [(before, sure), (text, certain)]
            width += wide
    return lines


class HexKey:
    """The key: two columns of entries."""

    def __init__(self, board: HexBase) -> None:
        self.b, self.c, self.look = board, board.c, board.look
        self.colours = board.layout.board.colours
        self.doubts = {label: (ours, total) for label, ours, total in doubts(board.layout, board.box)}

    def draw(self, x: float, y: float, w: float) -> None:
        """The entries in two columns below a point, ``w`` pixels wide."""
        found: dict[str, _Entry] = {}
        for entry in self.entries():
            found.setdefault(entry.label, entry)
        entries = list(found.values())
        rows = (len(entries) + 1) // 2
        step = min(STEP, (self.b.layout.board.legend_rect[3] - plan.HEADER - 20) / rows)
        for i, entry in enumerate(entries):
            px, py = x + (i // rows) * w / 2, y + (i % rows) * step
            entry.swatch(px + 30, py + step / 2 - 3)
            self.words(entry, px + 70, py + step / 2 + 3, w / 2 - 78)

    def words(self, entry: _Entry, x: float, y: float, room: float) -> None:
        """The name, what the terrain table says, and what is ours."""
        lines: list[list[Run]] = [[(entry.label, True)], *broken(self.effect(entry), room)]
        ours, total = self.doubts.get(entry.label, (0, 0))
        if ours:
            lines.append([("reconstructed" if ours == total else f"{ours} of {total} reconstructed", False)])
        top = y - 8.5 * (len(lines) - 1)
        for k, runs in enumerate(lines):
            size, weight, at = (SMALL, 400, x) if k else (15.5, 600, x)
            for text, certain in runs:
                fill, left = self.colours["ink" if certain else "reconstructed"], x + room - at
                self.c.text(
                    at, top + 17 * k, text, size, weight=weight, italic=not certain, fill=fill, anchor="start", max_width=left, where="key"
                )
                at += face(weight, not certain).width(text + " ", size)

    def effect(self, entry: _Entry) -> list[Run]:
        """What the terrain table says of a kind, part by part."""
        for row in self.b.table("terrain"):
            # A row may serve hexes and hexsides: the key says of each what holds of it.
            applies = tuple(a for a in row.items("applies_to") if a in entry.applies)
            if applies and row.text("kind") == entry.effect:
                here = replace(row, values={**row.values, "applies_to": applies})
                return [(text, certain) for text, certain in (self.b.said.column(c, here) for c in self.look.effects) if text]
        return []

    # -- entries

    def entries(self) -> list[_Entry]:
        """Every kind that the map shows, in the order of the layout."""
        out = []
        for kind, terrain in self.look.terrain.items():
            out.append(_Entry(terrain.label, self.terrain(terrain), kind, ("hex",)))
        for kind, line in self.look.hexsides.items():
            if kind in self.b.by_feature:
                out.append(_Entry(line.label, self.hexside(line), kind, ("hexside",)))
        rail = self.look.rail
        if rail is not None:
            out.append(_Entry(rail.label, self.rail(broken=False), rail.effect, ("hex", "in hex", "hexside")))
            if rail.off_map:
                out.append(_Entry(rail.off_label, self.rail(broken=True), "", ()))
        for kind, line in self.look.features.items():
            out.append(_Entry(line.label, self.feature(line), kind, ("in hex", "hex")))
        for label in dict.fromkeys(city.label for city in reversed(self.look.cities)):
            if (shown := self.common_city(label)) is not None:
                out.append(_Entry(label, self.city(shown), shown[0].effect, ("in hex", "hex")))
        for line in self.look.edges.values():
            out.append(_Entry(line.label, self.edge(line), "exit" if line.style == "exit" else "", ("map edge",)))
        for mark in self.b.layout.board.turn_track.marks:
            if mark.style and mark.label:
                out.append(_Entry(mark.label, self.mark(mark), "", ()))
        return out

    def mark(self, mark: TurnMark) -> Callable[[float, float], None]:
        half = PICTURE / 2
        return lambda x, y: self.b.picture(x - half, y - half, mark, "key")

    def common_city(self, label: str) -> tuple[City, str] | None:
        """The look and value that most cities of a label have; None when the map has no such city."""
        found = Counter(
            (self.look.cities.index(city), self.b.said.fill(city.value.pieces, row)[0])
            for row in self.b.table("cities")
            if (city := self.b.city(row)).label == label
        )
        if not found:
            return None
        index, value = max(found, key=lambda item: (found[item], -item[0]))
        return self.look.cities[index], value

    def hexagon(self, x: float, y: float, fill: str, texture: str = "") -> None:
        corners = [(x + 26 * math.sin(math.pi * k / 3), y - 26 * math.cos(math.pi * k / 3)) for k in range(6)]
        outline = {"stroke": self.colours["hexline"], "stroke_width": 1.1}
        self.c.polygon(corners, fill=self.b.texture(texture, fill) if texture else fill, **outline)

    def terrain(self, terrain: Terrain) -> Callable[[float, float], None]:
        return lambda x, y: self.hexagon(x, y, terrain.fill, terrain.texture)

    def edge(self, line: Line) -> Callable[[float, float], None]:
        return lambda x, y: self.c.add(symbols.arrow(x, y, 180, 24, line.colour, hollow=line.style == "exit"))

    def rail(self, broken: bool) -> Callable[[float, float], None]:
        def draw(x: float, y: float) -> None:
            self.hexagon(x, y, self.b.ground_fill)
            assert self.look.rail is not None
            rails.line(self.c, path([(x - 28, y + 1), (x + 28, y + 1)]), self.look.rail.colour, broken)

        return draw

    def city(self, shown: tuple[City, str]) -> Callable[[float, float], None]:
        look, value = shown
        # Slanted as soon as one city of the kind is ours: the key stands for all of them.
        certain = not self.doubts.get(look.label, (0, 0))[0]

        def draw(x: float, y: float) -> None:
            self.hexagon(x, y, self.b.ground_fill)
            city_symbol(self.c, x, y, look, value, certain, "key")

        return draw

    def feature(self, line: Line) -> Callable[[float, float], None]:
        def draw(x: float, y: float) -> None:
            self.hexagon(x, y, self.b.ground_fill)
            if line.style == "port":
                self.c.add(symbols.anchor(x, y + 1, 24, line.colour))
            else:
                rings = [[(x + r * math.sin(math.pi * k / 3), y - r * math.cos(math.pi * k / 3)) for k in range(6)] for r in (22.5, 18)]
                fort(self.c, rings[0], rings[1], line)

        return draw

    def hexside(self, line: Line) -> Callable[[float, float], None]:
        def draw(x: float, y: float) -> None:
            self.hexagon(x, y, self.b.ground_fill)
            a, b = (x - 28.0, y + 1), (x + 28.0, y + 1)
            if line.style == "river":
                river(self.c, path([(x - 28 + 56 * t / 16, y + 3 * math.sin(t * 0.9)) for t in range(17)]), line.colour, line.width)
            elif line.style == "ridge":
                ridge(self.c, [a, b], line)
            elif line.style in ("lake", "strait"):
                shape = attrs(cx=x, cy=y, rx=21, ry=line.width / 2)
                self.c.add(f'<ellipse{shape} fill="{line.colour}" stroke="#2a628f" stroke-width="2.4"/>')
                if line.style == "strait":
                    crossing(self.c, (x, y), 90, line.width)
            elif line.style == "closed":
                self.c.path(path([a, b]), stroke=line.colour, stroke_width=line.width)
                self.c.path(path([a, b]), stroke="#ffffff", stroke_width=1.4, stroke_dasharray="4 4")
            else:
                dashes, wide = DASHES[line.style]
                self.c.path(path([a, b]), stroke=line.colour, stroke_width=line.width, stroke_opacity=0.33, stroke_linecap="round")
                self.c.path(path([a, b]), stroke=line.colour, stroke_width=wide, stroke_dasharray=dashes)

        return draw
