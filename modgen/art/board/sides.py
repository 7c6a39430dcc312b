"""What runs along hexsides: the grid's own lines, rivers, borders, lakes, crests, straits, the join of two sheets."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence

from gamebox.model import Row
from modgen.art.board.hexbase import HexBase, Side
from modgen.art.fonts import face
from modgen.art.labels import TextBox
from modgen.art.shapes import curve, natural_line, pixels, straight_rounded
from modgen.art.sheet import Corner, chains
from modgen.art.svg import Canvas, Point, attrs, num, path
from modgen.layout.hexmap import Line

BEND = 2.6
"""How far, at most, a river is bent from its hexsides, in pixels."""
RIVER_NAME = 12.0
DASHES = {"border": ("11 5", 3.4), "country": ("9 3 2.2 3", 2.3)}
"""Style of a border -> its strokes and their width."""


class Sides:
    """The hexsides of a map, to be drawn in several turns between its other parts."""

    def __init__(self, board: HexBase) -> None:
        self.b, self.c, self.sheet, self.look = board, board.c, board.sheet, board.look
        self.shore = {c for name in self.sheet.names() if name not in board.land_hexes for c in self.sheet.corners(name)}
        self.wet = {board.side(row) for _, _, rows in board.styled("river") for row in rows}
        """The hexsides that a river runs along."""

    # -- the grid

    def hexes(self, at_sea: bool) -> None:
        """The lines of the grid, at sea or on land; where both meet the coast is the line."""
        sides: dict[Side, set[bool]] = {}
        for name in self.sheet.names():
            ring = self.sheet.corners(name)
            for i in range(6):
                side = (min(ring[i], ring[(i + 1) % 6]), max(ring[i], ring[(i + 1) % 6]))
                sides.setdefault(side, set()).add(name in self.b.land_hexes)
        d = self.along(s for s, kinds in sides.items() if kinds == {not at_sea})
        colour, opacity = ("#5f93b0", 0.5) if at_sea else (self.b.layout.board.colours["hexline"], 0.55)
        self.c.path(d, fill="none", stroke=colour, stroke_width=1.1, stroke_opacity=opacity, stroke_linecap="round")

    def join(self) -> None:
        """Where two sheets of the map meet."""
        if not self.sheet.sheets:
            return
        over = [
            self.sheet.side(name, other)
            for name, others in self.sheet.around.items()
            for other in others
            if name < other and self.sheet.sheet_of(name) != self.sheet.sheet_of(other)
        ]
        d = "".join(path(pixels(chain)) for chain in chains(over))
        self.c.path(d, fill="none", stroke="#ffffff", stroke_width=3.4, stroke_opacity=0.5)
        ink = self.b.layout.board.colours["hexline"]
        self.c.path(d, fill="none", stroke=ink, stroke_width=1.6, stroke_opacity=0.75, stroke_dasharray="5 3")

    def along(self, sides: Iterable[Side]) -> str:
        """Lines straight along hexsides that end short of the sea."""
        return "".join(path(self.short_of_shore(pixels(chain), chain)) for chain in chains(sides))

    def short_of_shore(self, line: list[Point], chain: list[Corner], by: float = 3.5) -> list[Point]:
        """A line cut a little short where it ends at the sea: the drawn coast is rounded."""
        out = list(line)
        for end, inner, corner in ((0, 1, chain[0]), (-1, -2, chain[-1])):
            if corner in self.shore and len(out) > 1:
                (x, y), (u, v) = out[end], out[inner]
                length = math.dist((x, y), (u, v)) or 1.0
                out[end] = (x + (u - x) * by / length, y + (v - y) * by / length)
        return out

    # -- borders

    def countries(self) -> None:
        """The borders between countries that no rule reads, as a fine broken line."""
        special = {self.b.side(row) for rows in self.b.by_feature.values() for row in rows}
        sides = []
        for name, others in self.sheet.around.items():
            for other in others:
                if name < other and {name, other} <= self.b.land_hexes:
                    a, b = self.b.rows[name], self.b.rows[other]
                    side = self.sheet.side(name, other)
                    if a.text("country") != b.text("country") and (min(side), max(side)) not in special:
                        sides.append(side)
        d = "".join(path(self.short_of_shore(straight_rounded(chain), chain)) for chain in chains(sides))
        self.c.path(d, fill="none", stroke="#ffffff", stroke_width=4, stroke_opacity=0.35)
        self.c.path(d, fill="none", stroke="#6b5d4c", stroke_width=1.8, stroke_opacity=0.8, stroke_dasharray="7 3 1.5 3")

    def borders(self) -> None:
        """Borders that rules read: a broad pale band that a river may run in, and a broken line where none does."""
        for _, line, rows in self.b.styled("border", "country"):
            sides = [self.b.side(row) for row in rows if self.in_play(row)]
            dashes, wide = DASHES[line.style]
            round_ = {"stroke_linejoin": "round", "stroke_linecap": "round"}
            for chain in chains(sides):
                self.b.avoid(pixels(chain), line.width, "border", 0.8)
                d = path(self.short_of_shore(straight_rounded(chain), chain))
                self.c.path(d, fill="none", stroke="#fff8ec", stroke_width=line.width + 3, stroke_opacity=0.45, stroke_linejoin="round")
                self.c.path(d, fill="none", stroke=line.colour, stroke_width=line.width, stroke_opacity=0.33, **round_)
            dry = "".join(
                path(self.short_of_shore(straight_rounded(chain), chain)) for chain in chains(s for s in sides if s not in self.wet)
            )
            self.c.path(dry, fill="none", stroke=line.colour, stroke_width=wide, stroke_dasharray=dashes, stroke_linejoin="round")

    def in_play(self, row: Row) -> bool:
        """Whether pieces can stand on one side of a hexside at least."""
        return any(self.b.rows[row.text(end)].flag("playable") for end in ("hex_a", "hex_b"))

    def borders_in_rivers(self) -> None:
        """The broken line goes on over the rivers, each stroke with a pale rim: a dark band below the water alone is not seen."""
        for _, line, rows in self.b.styled("border", "country"):
            wide = DASHES[line.style][1]
            sides = [side for row in rows if (side := self.b.side(row)) in self.wet]
            d = "".join(path(straight_rounded(chain)) for chain in chains(sides))
            for stroke, width, dashes in (("#fff8ec", wide + 2.8, "13 9"), (line.colour, wide, "11 11")):
                offset = 0 if stroke == line.colour else 1
                self.c.path(d, fill="none", stroke=stroke, stroke_width=width, stroke_dasharray=dashes, stroke_dashoffset=offset)

    # -- water and crests

    def rivers(self) -> None:
        """Rivers by name, so that each runs on smoothly."""
        by_name: dict[str, set[Side]] = {}
        colour, width = "#3c86bd", 6
        for _, line, rows in self.b.styled("river"):
            colour, width = line.colour, line.width
            for row in rows:
                for name in row.text("name").split("/"):
                    by_name.setdefault(name, set()).add(self.b.side(row))
        lines = [natural_line(chain, BEND) for name in sorted(by_name) for chain in chains(by_name[name])]
        for chain in chains(self.wet):
            self.b.avoid(pixels(chain), width, "river", 1.0)
        river(self.c, "".join(curve(line) for line in lines), colour, width)

    def special(self) -> None:
        """Lakes and seas between land hexes, straits, closed borders, crests."""
        c = self.c
        for _, line, rows in self.b.styled("lake", "strait"):
            for row in rows:
                (x1, y1), (x2, y2) = pixels(self.b.side(row))
                mx, my = (x1 + x2) / 2, (y1 + y2) / 2
                length, angle = math.dist((x1, y1), (x2, y2)), math.degrees(math.atan2(y2 - y1, x2 - x1))
                shape = attrs(cx=mx, cy=my, rx=length / 2 + 1, ry=line.width / 2, transform=f"rotate({num(angle)} {num(mx)} {num(my)})")
                c.add(f'<ellipse{shape} fill="{line.colour}" stroke="#2a628f" stroke-width="2"/>')
                if line.style == "strait":
                    crossing(c, (mx, my), angle + 90, line.width)
        for _, line, rows in self.b.styled("closed"):
            d = "".join(path(straight_rounded(chain)) for chain in chains(self.b.side(row) for row in rows))
            c.path(d, fill="none", stroke="#ffffff", stroke_width=line.width + 2.6, stroke_linejoin="round")
            c.path(d, fill="none", stroke=line.colour, stroke_width=line.width, stroke_linejoin="round")
            c.path(d, fill="none", stroke="#ffffff", stroke_width=1.4, stroke_dasharray="4 4", stroke_linejoin="round")
        for _, line, rows in self.b.styled("ridge"):
            for chain in chains(self.b.side(row) for row in rows):
                self.b.avoid(pixels(chain), line.width + 8, "ridge", 3.0)
                ridge(c, pixels(chain), line)

    # -- the rivers' names

    def names(self) -> None:
        """The rivers' names wherever there is room along them: the shortest first, since they have the least choice."""
        for _, line, rows in self.b.styled("river"):
            if not line.names:
                continue
            by_name: dict[str, list[Side]] = {}
            for row in rows:
                for name in row.text("name").split("/"):
                    by_name.setdefault(name, []).append(self.b.side(row))
            for name in sorted(by_name, key=lambda n: (len(by_name[n]), n)):
                self.name(name, by_name[name])

    def name(self, name: str, sides: list[Side]) -> None:
        """One river's name, once or, along a great river, several times. What stands in brackets only tells arms apart."""
        text, size = name.split(" (", maxsplit=1)[0], RIVER_NAME
        wide = face(600, True).width(text, size, 0.4)
        wanted = 1 if len(sides) < 16 else 2 if len(sides) < 36 else 3
        ordered: list[tuple[Corner, Corner]] = []
        for chain in sorted(chains(sides), key=len, reverse=True):
            ordered += list(itertools.pairwise(chain))
        placed = 0
        for part in range(wanted):
            centre = (part + 0.5) / wanted * (len(ordered) - 1)
            near = [i for i in range(len(ordered)) if abs(i - centre) <= len(ordered) / wanted / 2 + 1]
            choices = [
                (self.b.words.cost(box) + abs(index - centre) / len(ordered), index, box, normal)
                for index in near
                for box, normal in self.beside(ordered[index], text, wide, size)
                if self.b.inside(box) and self.b.words.hit(box) is None
            ]
            if not choices:
                continue
            _, _, box, (nx, ny) = min(choices, key=lambda choice: choice[:2])
            self.b.words.add(box)
            self.c.text(
                box.x - nx * size * 0.3,
                box.y - ny * size * 0.3,
                text,
                size,
                weight=600,
                italic=True,
                fill="#174f7c",
                spacing=0.4,
                rotate=box.angle,
                halo="#f6efdb",
                halo_width=2.4,
                where=f"river {name}",
            )
            placed += 1
        if not placed:
            self.b.faults.append(f"no room for the name of the river {name} along its {len(sides)} hexsides")

    def beside(self, side: Side, text: str, wide: float, size: float) -> Iterable[tuple[TextBox, Point]]:
        """Places for a name along a hexside, above and below it, with the direction that is up for its letters."""
        (x1, y1), (x2, y2) = sorted(pixels(side))
        angle = math.degrees(math.atan2(y2 - y1, x2 - x1))
        if angle > 80:
            angle = -90
        nx, ny = math.sin(math.radians(angle)), -math.cos(math.radians(angle))
        for off in (9.0, -9.5):
            x, y = (x1 + x2) / 2 + nx * off, (y1 + y2) / 2 + ny * off
            yield TextBox(x, y, wide, size * 0.8, angle, what=f"river {text}"), (nx, ny)


def river(c: Canvas, d: str, colour: str, width: float) -> None:
    """A river along a path: water between darker banks, with a pale rim."""
    for stroke, w, o in (("#f6f2e2", width + 4.0, 0.55), ("#2a628f", width + 1.6, 1.0), (colour, width - 0.6, 1.0), ("#8fc3e2", 1.6, 0.7)):
        c.path(d, fill="none", stroke=stroke, stroke_width=w, stroke_opacity=o, stroke_linecap="round", stroke_linejoin="round")


def ridge(c: Canvas, line: Sequence[Point], style: Line) -> None:
    """A closed mountain crest: a heavy line with peaks on it."""
    round_ = {"stroke_linejoin": "round", "stroke_linecap": "round"}
    c.path(path(line), fill="none", stroke="#fbf3df", stroke_width=style.width + 3, stroke_opacity=0.6, **round_)
    c.path(path(line), fill="none", stroke=style.colour, stroke_width=style.width, **round_)
    for (x1, y1), (x2, y2) in itertools.pairwise(line):
        for t in (0.25, 0.75):
            x, y = x1 + (x2 - x1) * t, y1 + (y2 - y1) * t
            c.polygon([(x - 8, y + 5), (x, y - 11), (x + 8, y + 5)], fill=style.colour, stroke="#fbf3df", stroke_width=1)
            c.polygon([(x, y - 11), (x + 2.6, y - 5.6), (x - 0.6, y - 4), (x - 2.8, y - 5.4)], fill="#ffffff")


def crossing(c: Canvas, middle: Point, angle: float, width: float) -> None:
    """The sign of a strait that may be crossed: an arrow with two heads over the water."""
    a = math.radians(angle)
    reach = width / 2 + 9
    for stroke, wide in (("#ffffff", 5.4), ("#1d2f45", 2.6)):
        for way in (1, -1):
            tip = (middle[0] + way * reach * math.cos(a), middle[1] + way * reach * math.sin(a))
            barbs = [(tip[0] - way * 7 * math.cos(a + t), tip[1] - way * 7 * math.sin(a + t)) for t in (0.6, -0.6)]
            d = path([middle, tip]) + path([barbs[0], tip, barbs[1]])
            c.path(d, fill="none", stroke=stroke, stroke_width=wide, stroke_linecap="round")
