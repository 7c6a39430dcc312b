"""What stands in hexes: fortifications, ports, cities with their names, hex numbers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from gamebox.model import Row
from modgen.art import symbols
from modgen.art.board.hexbase import HexBase
from modgen.art.fonts import face
from modgen.art.labels import PlaceName, TextBox
from modgen.art.svg import Canvas, Point, path
from modgen.layout.hexmap import City, Line

NUMBER = 11.0
NAME_INK, HALO = "#1f1811", "#fbf4e1"


class Places:
    """The places of a map: first all that claims room, then the names in the room that is left."""

    def __init__(self, board: HexBase) -> None:
        self.b, self.c, self.sheet, self.look = board, board.c, board.sheet, board.look
        self.across, self.down = board.look.across, board.look.down
        self.lines: list[tuple[str, float, float, str, str | None, float]] = []

    # -- features

    def features(self) -> None:
        """Fortifications around their hexes, ports beside the middle."""
        for row in self.b.table("features"):
            line = self.look.features[row.text("feature")]
            name = row.text("hex")
            if line.style == "fort":
                fort(self.c, self.sheet.hexagon(name, 3.4), self.sheet.hexagon(name, 8.2), line)
            elif line.style == "port":
                x, y = self.sheet.centre(name)
                x += round(self.across * 25 / 72)
                self.c.add(symbols.anchor(x, y - 11, 19, line.colour))
                self.b.words.add(TextBox(x, y - 11, 17, 20, what=f"port {name}", group=name))

    # -- hex numbers

    def numbers(self) -> None:
        """Keeps a place for every hex number, a little lower and with a halo where a line runs along the top of its hex."""
        type_ = face(600)
        b = self.b
        lined = {b.side(row) for rows in b.by_feature.values() for row in rows}
        for name in self.sheet.names():
            row = b.rows[name]
            if not row.flag("playable"):
                continue
            x, y = self.sheet.centre(name)
            fort = b.has_feature(name, "fort")
            ring = self.sheet.corners(name)
            peak = min(ring, key=lambda corner: (corner[1], corner[0]))
            wet = any((min(s), max(s)) in lined for s in itertools.pairwise((*ring, ring[0])) if peak in s)
            base = y - 2 * self.down / 3 + 15.8 + (3.5 if fort else 2.8 if wet else 0)
            textured = self.look.terrain[row.text("terrain")].texture
            colour = "#2f2411" if textured else b.layout.board.colours["number"]
            halo = self.look.terrain[row.text("terrain")].fill if textured else "#f6efdb" if wet else None
            self.lines.append((name, x, base, colour, halo, 2.6 if wet else 2.0))
            b.words.add(TextBox(x, base - 3.8, type_.width(name, NUMBER), 8.4, what=f"number {name}"))

    def draw_numbers(self) -> None:
        """The hex numbers, above rivers, borders and names."""
        for name, x, base, colour, halo, wide in self.lines:
            self.c.text(x, base, name, NUMBER, weight=600, fill=colour, halo=halo, halo_width=wide, where=f"hex {name}")

    # -- cities

    def symbols(self) -> None:
        """The cities' symbols, with what stands in them."""
        for row in self.b.table("cities"):
            x, y = self.sheet.centre(row.text("hex"))
            look = self.b.city(row)
            value, certain = self.b.said.fill(look.value.pieces, row)
            city_symbol(self.c, x, y, look, value, certain, f"city {row.key}")
            side = 2 * look.size + (4 if look.symbol == "disc" else 5)
            self.b.words.add(TextBox(x, y, side, side, what=f"symbol of {row.text('name')}", group=row.text("hex")))

    def city_names(self) -> None:
        """The cities' names, each where it touches nothing and as few lines as can be; the largest first."""
        rows = sorted(self.b.table("cities"), key=lambda row: (-self.b.city(row).name_size, -self.b.city(row).size))
        for row in rows:
            look, name = self.b.city(row), row.text("name")
            x, y = self.sheet.centre(row.text("hex"))
            for size in (look.name_size, look.name_size - 1, look.name_size - 2):
                found = self.room(row, name, x, y, look.size + 2.5, float(size))
                if found is not None:
                    break
            else:
                self.b.faults.append(f"no room for the name of the city {name} around {row.text('hex')}")
                continue
            base = found.y + size * 0.31
            where = f"cities {row.key} name"
            self.c.text(found.x, base, name, size, weight=700, fill=NAME_INK, halo=HALO, halo_width=3.2, where=where)
            self.b.words.add(found)
            self.b.place_names[row.text("hex")] = PlaceName(name, found.x, base, float(size))

    def room(self, row: Row, name: str, x: float, y: float, r: float, size: float) -> TextBox | None:
        """The best free place for a name around a symbol of radius ``r``; None when there is none."""
        wide, high = face(700).width(name, size), size * 0.72
        best: tuple[float, TextBox] | None = None
        for dear, (px, py) in self.around(x, y, r, wide, high):
            if best is not None and dear >= best[0]:
                continue
            box = TextBox(px, py, wide, high, what=f"city {name}", group=row.text("hex"))
            if not self.b.inside(box) or self.b.words.hit(box) is not None:
                continue
            cost = dear + self.b.words.cost(box)
            if best is None or cost < best[0]:
                best = cost, box
        return best[1] if best is not None else None

    def around(self, x: float, y: float, r: float, wide: float, high: float) -> Iterator[tuple[float, Point]]:
        """Places for a name, the dearer the further from below: below, above, beside, and aslant."""
        gap = 4.2
        low, top, aside = r + gap + high / 2, -(r + gap + high / 2 - 1), r + gap + wide / 2
        yield 0.0, (x, y + low)
        for step in (0.2, 0.4, 0.6):
            for way in (1, -1):
                yield 0.6 + step, (x + way * step * wide, y + low)
        yield 0.9, (x + aside, y + 1)
        yield 1.0, (x - aside, y + 1)
        yield 1.2, (x, y + top)
        for step in (0.25, 0.5):
            for way in (1, -1):
                yield 1.3 + step, (x + way * step * wide, y + top)
        for way in (1, -1):
            for down in (0.7, -0.6):
                yield 1.5, (x + way * (wide / 2 + r * 0.8), y + down * low)
        yield 1.9, (x, y + low + 7)


def city_symbol(c: Canvas, x: float, y: float, look: City, value: str, certain: bool, where: str) -> None:
    """A city: a disc, a square or a square with a star, with a pale ring around it and its value in it."""
    r = float(look.size)
    if look.symbol == "disc":
        c.circle(x, y, r + 2, fill="#fffaf0", stroke=look.rim, stroke_width=1)
        c.circle(x, y, r, fill=look.fill)
    else:
        c.rect(x - r - 2.5, y - r - 2.5, 2 * r + 5, 2 * r + 5, fill="#fffaf0", stroke=look.rim, stroke_width=2.2)
        c.rect(x - r, y - r, 2 * r, 2 * r, fill=look.fill, stroke=look.rim, stroke_width=1)
        if look.symbol == "star":
            c.add(symbols.star(x, y + 0.6, r * 0.95, fill=look.ink))
    if value:
        size = look.value_size
        # Upright when printed or derived, slanted when reconstructed. A slanted word leans right of its advance: half a step back.
        if certain:
            c.text(x, y + size * 0.33, value, size, weight=900, fill=look.ink, where=where)
        else:
            c.text(x - size * 0.04, y + size * 0.33, value, size + 1.5, weight=600, italic=True, fill=look.ink, where=where)


def fort(c: Canvas, outer: list[Point], inner: list[Point], line: Line) -> None:
    """A fortified hex: a line around it with teeth inwards."""
    c.polygon(outer, fill="none", stroke=line.colour, stroke_width=3.2, stroke_linejoin="miter")
    teeth = []
    for (x1, y1), (x2, y2), (u1, v1), (u2, v2) in zip(outer, [*outer[1:], outer[0]], inner, [*inner[1:], inner[0]], strict=True):
        n = max(2, round(math.dist((x1, y1), (x2, y2)) / 6.4))
        for k in range(n):
            a, m, b = k / n, (k + 0.5) / n, (k + 1) / n
            tooth = [
                (x1 + (x2 - x1) * a, y1 + (y2 - y1) * a),
                (u1 + (u2 - u1) * m, v1 + (v2 - v1) * m),
                (x1 + (x2 - x1) * b, y1 + (y2 - y1) * b),
            ]
            teeth.append(path(tooth, closed=True))
    c.path("".join(teeth), fill=line.colour)
