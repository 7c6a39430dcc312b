"""The map of a hex board: terrain, water, hexsides, rivers, what stands in hexes, their numbers and names, and the key to it all."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence

from gamebox.model import Box, Row
from modgen.art import plan, symbols
from modgen.art.board.common import Board
from modgen.art.fonts import face
from modgen.art.labels import TextBox
from modgen.art.shapes import natural_line, natural_loop, pixels, straight_rounded
from modgen.art.sheet import Corner, chains, loops
from modgen.art.svg import Point, attrs, num, path
from modgen.errors import ArtError
from modgen.layout.hexmap import Line
from modgen.layout.layout import Layout

COAST = 3.2
BEND = 2.6
NUMBER = 11.0
CITIES, CAPITALS = "City with its victory points", "Capital with its victory points"


class HexBoard(Board):
    """A board whose map is a hex grid.

    Raises :class:`ArtError` when the game has none.
    """

    key_note = "MP = movement points; slanted = reconstructed"

    def __init__(self, box: Box, layout: Layout) -> None:
        self.sheet = plan.sheet(layout, box)
        super().__init__(box, layout, self.sheet)
        self.look = plan.hex_map(layout)
        self.number_words: list[tuple[str, int, float, str, str | None, float]] = []
        self.rows = {row.key: row for row in box["hexes"]}
        self.shore = {c for row in box["hexes"] if not plan.is_land(layout, row) for c in self.sheet.corners(row.key)}
        self.by_feature: dict[str, list[Row]] = {}
        for row in box["hexsides"]:
            self.by_feature.setdefault(row.text("feature"), []).append(row)

    # -- places, also one line beyond the map so that the drawing runs on to its frame

    def beyond(self) -> Iterable[tuple[tuple[Corner, ...], Row]]:
        grid, sheet = self.sheet.grid, self.sheet
        for line in range(-1, grid.rows + 1):
            for place in range(-1, grid.columns + 1):
                yield sheet.ring(*sheet.raw_centre(line, place)), self.rows[sheet.nearest(line, place)]

    def area(self, rings: Iterable[tuple[Corner, ...]], amount: float = COAST) -> str:
        return "".join(path(natural_loop(loop, amount), closed=True) for loop in loops(rings))

    def map(self) -> None:
        """Everything inside the frame, from the water up to the hex numbers."""
        self.land = self.area(ring for ring, row in self.beyond() if plan.is_land(self.layout, row))
        self.water()
        self.hexes(at_sea=True)
        # Nothing is clipped at the coast (that costs a picture of its own in the renderer): all areas bend alike there.
        self.ground()
        self.regions()
        self.hexes(at_sea=False)
        self.countries()
        self.borders()
        self.rivers()
        self.borders_in_rivers()
        self.special_sides()
        self.coast()
        self.features()
        self.numbers()
        self.cities()
        self.labels()
        self.river_names()
        self.draw_numbers()

    def doubts(self) -> list[tuple[str, int, int]]:
        """Kinds of the key, how many are reconstructed, of how many."""
        return doubts(self.layout, self.box)

    def key(self, x: float, y: float, w: float) -> None:
        """The key to the map."""
        _Legend(self).draw(x, y, w)

    def heart(self) -> tuple[int, int]:
        """The middle of the city of most victory points (the first of them); without cities the middle of the map."""
        x, y, w, h = self.frame
        cities = self.box["cities"] if "cities" in self.box.tables else ()
        best = max(cities, key=lambda row: row.int("vp"), default=None)
        return self.sheet.centre(best.text("hex")) if best is not None else (x + w // 2, y + h // 2)

    # -- the ground

    def water(self) -> None:
        layout, c = self.layout, self.c
        sea = next((t.fill for t in self.look.terrain.values() if t.water), "#a9cfe3")
        x, y, w, h = self.frame
        c.rect(x, y, w, h, fill=sea)
        rings = [ring for ring, row in self.beyond() if plan.is_land(layout, row)]
        coast = "".join(path(straight_rounded([*loop, loop[0]])) for loop in loops(rings))
        for width, opacity in ((56, 0.17), (36, 0.22), (18, 0.32)):
            c.path(coast, fill="none", stroke="#e8f4f8", stroke_width=width, stroke_opacity=opacity, stroke_linejoin="round")

    def ground(self) -> None:
        layout, c = self.layout, self.c
        beyond = list(self.beyond())
        base = next(t.fill for t in self.look.terrain.values() if not t.water and not t.relief)
        c.path(self.land, fill=base)
        for tint in self.look.tints:
            if tint.region:
                continue
            rings = [ring for ring, row in beyond if plan.is_land(layout, row) and tint.where(row)]
            c.path(self.area(rings), fill=tint.fill, fill_opacity=tint.opacity)
        for kind, terrain in self.look.terrain.items():
            if terrain.water or (terrain.fill == base and not terrain.relief):
                continue
            d = self.area(ring for ring, row in beyond if row.text("terrain") == kind)
            c.path(d, fill=terrain.fill)
            if terrain.relief:
                c.path(d, fill="url(#relief)")
        closed = self.area(ring for ring, row in beyond if plan.is_land(layout, row) and not row.flag("playable"))
        c.path(closed, fill=layout.board.colours["closed"])
        c.path(closed, fill="none", stroke="#8d897d", stroke_width=1)

    def regions(self) -> None:
        """Regions that a rule names: a wash, and a broken line around them."""
        for tint in self.look.tints:
            if tint.region:
                hexes = self.box["regions"][tint.region].items("hexes")
                d = self.area(self.sheet.corners(name) for name in hexes)
                self.c.path(d, fill=tint.fill, fill_opacity=tint.opacity)
                self.c.path(d, fill="none", stroke=tint.fill, stroke_width=2.6, stroke_opacity=0.75, stroke_dasharray="6 4")

    def hexes(self, at_sea: bool) -> None:
        """The lines of the grid, at sea or on land; where both meet the coast is the line."""
        sheet, layout = self.sheet, self.layout
        sides: dict[tuple[Corner, Corner], set[bool]] = {}
        for name in sheet.names():
            ring = sheet.corners(name)
            land = plan.is_land(layout, self.rows[name])
            for i in range(6):
                side = (min(ring[i], ring[(i + 1) % 6]), max(ring[i], ring[(i + 1) % 6]))
                sides.setdefault(side, set()).add(land)
        found = chains(s for s, kinds in sides.items() if kinds == {not at_sea})
        d = "".join(path(self.short_of_shore(pixels(chain), chain)) for chain in found)
        colour, opacity = ("#5f93b0", 0.5) if at_sea else (layout.board.colours["hexline"], 0.55)
        self.c.path(d, fill="none", stroke=colour, stroke_width=1.1, stroke_opacity=opacity, stroke_linecap="round")

    def short_of_shore(self, line: list[Point], chain: list[Corner], by: float = 3.5) -> list[Point]:
        """A line cut a little short where it ends at the sea: the drawn coast is rounded."""
        out = list(line)
        for end, inner, corner in ((0, 1, chain[0]), (-1, -2, chain[-1])):
            if corner in self.shore and len(out) > 1:
                (x, y), (u, v) = out[end], out[inner]
                length = math.dist((x, y), (u, v)) or 1.0
                out[end] = (x + (u - x) * by / length, y + (v - y) * by / length)
        return out

    def countries(self) -> None:
        """The borders between countries, as a fine broken line: no rule reads them."""
        sides = []
        special = {s for rows in self.by_feature.values() for row in rows for s in [self.side(row)]}
        for name, others in self.sheet.around.items():
            for other in others:
                a, b = self.rows[name], self.rows[other]
                if name > other or not self.dry_border(a, b):
                    continue
                side = self.sheet.side(name, other)
                if (min(side), max(side)) not in special:
                    sides.append(side)
        d = "".join(path(self.short_of_shore(straight_rounded(chain), chain)) for chain in chains(sides))
        self.c.path(d, fill="none", stroke="#ffffff", stroke_width=4, stroke_opacity=0.35)
        self.c.path(d, fill="none", stroke="#6b5d4c", stroke_width=1.8, stroke_opacity=0.8, stroke_dasharray="7 3 1.5 3")

    def dry_border(self, a: Row, b: Row) -> bool:
        """Whether two countries meet on land here."""
        return plan.is_land(self.layout, a) and plan.is_land(self.layout, b) and a.text("country") != b.text("country")

    def side(self, row: Row) -> tuple[Corner, Corner]:
        """A hexside of the table as corners; its name in messages is the row's key."""
        try:
            a, b = self.sheet.side(row.text("hex_a"), row.text("hex_b"))
        except ArtError as error:
            raise ArtError(f"hexsides line {row.line}: {error}") from error
        return min(a, b), max(a, b)

    def styled(self, style: str) -> list[tuple[str, Line, list[Row]]]:
        return [(f, line, self.by_feature.get(f, [])) for f, line in self.look.hexsides.items() if line.style == style]

    def borders(self) -> None:
        """Borders that rules read: a broad pale band that a river may run in, and a broken line where none does."""
        wet = self.wet()
        for _, line, rows in self.styled("border"):
            sides = [self.side(row) for row in rows]
            for chain in chains(sides):
                d = path(straight_rounded(chain))
                self.c.path(d, fill="none", stroke="#fff8ec", stroke_width=line.width + 3, stroke_opacity=0.45, stroke_linejoin="round")
                self.c.path(
                    d,
                    fill="none",
                    stroke=line.colour,
                    stroke_width=line.width,
                    stroke_opacity=0.33,
                    stroke_linejoin="round",
                    stroke_linecap="round",
                )
            dry = "".join(path(straight_rounded(chain)) for chain in chains(s for s in sides if s not in wet))
            self.c.path(dry, fill="none", stroke=line.colour, stroke_width=3.4, stroke_dasharray="11 5", stroke_linejoin="round")

    def wet(self) -> set[tuple[Corner, Corner]]:
        """The hexsides that a river runs along."""
        return {self.side(row) for _, _, rows in self.styled("river") for row in rows}

    def borders_in_rivers(self) -> None:
        """The broken line goes on over the rivers, each stroke with a pale rim: a dark band below the water alone is not seen."""
        wet = self.wet()
        for _, line, rows in self.styled("border"):
            d = "".join(path(straight_rounded(chain)) for chain in chains(s for s in map(self.side, rows) if s in wet))
            for stroke, width, dashes in (("#fff8ec", 6.2, "13 9 "), (line.colour, 3.4, "11 11")):
                offset = 0 if stroke == line.colour else 1
                self.c.path(d, fill="none", stroke=stroke, stroke_width=width, stroke_dasharray=dashes.strip(), stroke_dashoffset=offset)

    def rivers(self) -> None:
        """Rivers by name, so that each runs on smoothly."""
        c = self.c
        by_name: dict[str, set[tuple[Corner, Corner]]] = {}
        colour, width = "#3c86bd", 6
        for _, line, rows in self.styled("river"):
            colour, width = line.colour, line.width
            for row in rows:
                for name in row.text("name").split("/"):
                    by_name.setdefault(name, set()).add(self.side(row))
        lines = [natural_line(chain, BEND) for name in sorted(by_name) for chain in chains(by_name[name])]
        d = "".join(path(line) for line in lines)
        for stroke, w, o in (
            ("#f6f2e2", width + 4.0, 0.55),
            ("#2a628f", width + 1.6, 1.0),
            (colour, width - 0.6, 1.0),
            ("#8fc3e2", 1.6, 0.7),
        ):
            c.path(d, fill="none", stroke=stroke, stroke_width=w, stroke_opacity=o, stroke_linecap="round", stroke_linejoin="round")

    def special_sides(self) -> None:
        c = self.c
        for _, line, rows in self.styled("lake"):
            for row in rows:
                (x1, y1), (x2, y2) = pixels(self.side(row))
                mx, my = (x1 + x2) / 2, (y1 + y2) / 2
                length, angle = math.dist((x1, y1), (x2, y2)), math.degrees(math.atan2(y2 - y1, x2 - x1))
                shape = attrs(cx=mx, cy=my, rx=length / 2 + 1, ry=line.width / 2, transform=f"rotate({num(angle)} {num(mx)} {num(my)})")
                c.add(f'<ellipse{shape} fill="{line.colour}" stroke="#2a628f" stroke-width="2.4"/>')
        for _, line, rows in self.styled("closed"):
            d = "".join(path(straight_rounded(chain)) for chain in chains(self.side(row) for row in rows))
            c.path(d, fill="none", stroke="#ffffff", stroke_width=line.width + 2.6, stroke_linejoin="round")
            c.path(d, fill="none", stroke=line.colour, stroke_width=line.width, stroke_linejoin="round")
            c.path(d, fill="none", stroke="#ffffff", stroke_width=1.4, stroke_dasharray="4 4", stroke_linejoin="round")
        for _, line, rows in self.styled("ridge"):
            for chain in chains(self.side(row) for row in rows):
                self.ridge(pixels(chain), line)

    def ridge(self, line: Sequence[Point], style: Line) -> None:
        """A closed mountain crest: a heavy line with peaks on it."""
        c = self.c
        c.path(
            path(line),
            fill="none",
            stroke="#fbf3df",
            stroke_width=style.width + 3,
            stroke_opacity=0.6,
            stroke_linejoin="round",
            stroke_linecap="round",
        )
        c.path(path(line), fill="none", stroke=style.colour, stroke_width=style.width, stroke_linejoin="round", stroke_linecap="round")
        for (x1, y1), (x2, y2) in itertools.pairwise(line):
            for t in (0.25, 0.75):
                x, y = x1 + (x2 - x1) * t, y1 + (y2 - y1) * t
                c.polygon([(x - 8, y + 5), (x, y - 11), (x + 8, y + 5)], fill=style.colour, stroke="#fbf3df", stroke_width=1)
                c.polygon([(x, y - 11), (x + 2.6, y - 5.6), (x - 0.6, y - 4), (x - 2.8, y - 5.4)], fill="#ffffff")

    def coast(self) -> None:
        self.c.path(self.land, fill="none", stroke="#2f6f96", stroke_width=1.9, stroke_linejoin="round")

    # -- what stands in hexes

    def features(self) -> None:
        sheet, c = self.sheet, self.c
        for row in self.box["features"]:
            line = self.look.features[row.text("feature")]
            name = row.text("hex")
            x, y = sheet.centre(name)
            if line.style == "fort":
                outer, inner = sheet.hexagon(name, 3.4), sheet.hexagon(name, 8.2)
                c.polygon(outer, fill="none", stroke=line.colour, stroke_width=3.2, stroke_linejoin="miter")
                teeth = []
                for (x1, y1), (x2, y2), (u1, v1), (u2, v2) in zip(
                    outer, [*outer[1:], outer[0]], inner, [*inner[1:], inner[0]], strict=True
                ):
                    n = 6
                    for k in range(n):
                        a, m, b = k / n, (k + 0.5) / n, (k + 1) / n
                        teeth.append(
                            path(
                                [
                                    (x1 + (x2 - x1) * a, y1 + (y2 - y1) * a),
                                    (u1 + (u2 - u1) * m, v1 + (v2 - v1) * m),
                                    (x1 + (x2 - x1) * b, y1 + (y2 - y1) * b),
                                ],
                                closed=True,
                            )
                        )
                c.path("".join(teeth), fill=line.colour)
            elif line.style == "port":
                c.add(symbols.anchor(x + 25, y - 11, 19, line.colour))
                self.words.add(TextBox(x + 25, y - 11, 17, 20, what=f"port {name}", group=name))

    def numbers(self) -> None:
        """Keeps a place for every hex number, a little lower and with a halo where a line runs along the top of its hex."""
        type_ = face(600)
        size = NUMBER
        lined = {self.side(row) for rows in self.by_feature.values() for row in rows}
        for name in self.sheet.names():
            if not self.rows[name].flag("playable"):
                continue
            x, y = self.sheet.centre(name)
            fort = any(
                r.text("hex") == name and self.look.features[r.text("feature")].style == "fort" for r in self.box["features"]
            )
            ring = self.sheet.corners(name)
            peak = min(ring, key=lambda corner: (corner[1], corner[0]))
            wet = any((min(s), max(s)) in lined for s in itertools.pairwise((*ring, ring[0])) if peak in s)
            base = y - 25.5 + (3.5 if fort else 2.8 if wet else 0)
            rough = self.look.terrain[self.rows[name].text("terrain")].relief
            colour = "#2f2411" if rough else self.layout.board.colours["number"]
            halo = "#f0e0bb" if rough else "#f6efdb" if wet else None
            self.number_words.append((name, x, base, colour, halo, 2.6 if wet else 2.0))
            self.words.add(TextBox(x, base - 3.8, type_.width(name, size), 8.4, what=f"number {name}", group=name))

    def draw_numbers(self) -> None:
        """The hex numbers, above rivers, borders and names."""
        for name, x, base, colour, halo, wide in self.number_words:
            self.c.text(x, base, name, NUMBER, weight=600, fill=colour, halo=halo, halo_width=wide, where=f"hex {name}")

    def points(self, x: float, y: float, text: str, size: float, ink: str, certain: bool, where: str) -> None:
        """Victory points in a city's symbol: upright when printed or derived, slanted when reconstructed, as the key says."""
        if certain:
            self.c.text(x, y, text, size, weight=900, fill=ink, where=where)
        else:
            # A slanted word leans right of its advance: half a step back keeps it in the middle of the symbol.
            self.c.text(x - size * 0.04, y, text, size + 1.5, weight=600, italic=True, fill=ink, where=where)

    def cities(self) -> None:
        c, colours = self.c, self.layout.board.colours
        bold = face(700)
        for row in self.box["cities"]:
            x, y = self.sheet.centre(row.text("hex"))
            vp, capital = row.int("vp"), row.flag("capital")
            y -= 2
            big = len(str(vp)) > 1
            r = 14 if big else 11.5 if capital or vp > 1 else 9.5
            if capital:
                c.rect(x - r - 2.5, y - r - 2.5, 2 * r + 5, 2 * r + 5, fill="#fffaf0", stroke=colours["city"], stroke_width=2.2)
                c.rect(x - r, y - r, 2 * r, 2 * r, fill=colours["capital"], stroke=colours["ink"], stroke_width=1)
                ink = colours["ink"]
            else:
                c.circle(x, y, r + 2, fill="#fffaf0", stroke=colours["ink"], stroke_width=1)
                c.circle(x, y, r, fill=colours["city"])
                ink = "#ffffff"
            size = 19 if big else 16 if vp > 1 or capital else 13.5
            self.points(x, y + size * 0.33, str(vp), size, ink, row.source("vp").certain, f"city {row.key}")
            name = row.text("name")
            size = 14.0 if big else 13.2 if capital or vp > 1 else 12.2
            room = 82.0
            wide = min(bold.width(name, size), room)
            base = y + r + (16 if capital else 13.5)
            c.text(
                x,
                base,
                name,
                size,
                weight=700,
                fill="#1f1811",
                halo="#fbf4e1",
                halo_width=3.2,
                max_width=room,
                where=f"cities {row.key} name",
            )
            self.words.add(TextBox(x, base - size * 0.31, wide, size * 0.72, what=f"city {name}", group=row.text("hex")))
            self.words.add(TextBox(x, y, 2 * r, 2 * r, what=f"symbol of {name}", group=row.text("hex")))

    def river_names(self) -> None:
        """The rivers' names wherever there is room along them."""
        for _, line, rows in self.styled("river"):
            if not line.names:
                continue
            by_name: dict[str, list[tuple[Corner, Corner]]] = {}
            for row in rows:
                for name in row.text("name").split("/"):
                    by_name.setdefault(name, []).append(self.side(row))
            for name in sorted(by_name, key=lambda n: (len(by_name[n]), n)):
                self.river_name(name, by_name[name])

    def river_name(self, name: str, sides: list[tuple[Corner, Corner]]) -> None:
        type_, size = face(600, True), 12.0
        wide = type_.width(name, size, 0.4)
        wanted = 1 if len(sides) < 16 else 2 if len(sides) < 36 else 3
        ordered: list[tuple[Corner, Corner]] = []
        for chain in sorted(chains(sides), key=len, reverse=True):
            ordered += list(itertools.pairwise(chain))
        x0, y0, w0, h0 = self.frame
        placed = 0
        for part in range(wanted):
            centre = (part + 0.5) / wanted * (len(ordered) - 1)
            for index in sorted(range(len(ordered)), key=lambda i: (abs(i - centre), i)):
                if abs(index - centre) > len(ordered) / wanted / 2 + 1:
                    break
                (x1, y1), (x2, y2) = sorted(pixels(ordered[index]))
                angle = math.degrees(math.atan2(y2 - y1, x2 - x1))
                if angle > 80:
                    angle = -90
                nx, ny = math.sin(math.radians(angle)), -math.cos(math.radians(angle))
                done = False
                for off in (9.0, -9.5):
                    x, y = (x1 + x2) / 2 + nx * off, (y1 + y2) / 2 + ny * off
                    box = TextBox(x, y, wide, size * 0.8, angle, what=f"river {name}")
                    inside = all(x0 + 4 < px < x0 + w0 - 4 and y0 + 4 < py < y0 + h0 - 4 for px, py in box.corners())
                    if inside and self.words.hit(box) is None:
                        self.words.add(box)
                        self.c.text(
                            x - nx * size * 0.3,
                            y - ny * size * 0.3,
                            name,
                            size,
                            weight=600,
                            italic=True,
                            fill="#174f7c",
                            spacing=0.4,
                            rotate=angle,
                            halo="#f6efdb",
                            halo_width=2.4,
                            where=f"river {name}",
                        )
                        done = True
                        break
                if done:
                    placed += 1
                    break
        if not placed:
            self.faults.append(f"no room for the name of the river {name} along its {len(sides)} hexsides")

    def margin(self) -> None:
        """Arrows in the margin: out where pieces may leave, in where they may enter."""
        x0, y0, w, h = self.frame
        for row in self.box["hexes"]:
            marks = [(n, self.look.edges[n]) for n in (*row.items("edge"), *row.items("entry")) if n in self.look.edges]
            x, y = self.sheet.centre(row.key)
            for slot, (_, line) in enumerate(marks):
                aside = (slot - (len(marks) - 1) / 2) * 24
                edge = next((e for e in row.items("edge") if e in "NSEW"), "")
                outward = {"N": 270, "S": 90, "E": 0, "W": 180}.get(edge, 0)
                px, py = {
                    "N": (x + aside, y0 - 16),
                    "S": (x + aside, y0 + h + 16),
                    "E": (x0 + w + 17, y + aside),
                    "W": (x0 - 17, y + aside),
                }.get(edge, (x, y))
                angle = outward if line.style == "exit" else outward + 180
                self.c.add(symbols.arrow(px, py, angle, 19, line.colour, hollow=line.style == "exit"))


def doubts(layout: Layout, box: Box) -> list[tuple[str, int, int]]:
    """What the key calls each kind of city, feature and map edge, how many of it our data calls reconstructed, and of how many."""
    look, counts = plan.hex_map(layout), dict[str, list[int]]()

    def count(label: str, certain: bool) -> None:
        found = counts.setdefault(label, [0, 0])
        found[0] += not certain
        found[1] += 1

    for row in box["cities"]:
        count(CAPITALS if row.flag("capital") else CITIES, row.source("vp").certain)
    for row in box["features"]:
        count(look.features[row.text("feature")].label, row.source("feature").certain)
    for row in box["hexes"]:
        for column in ("edge", "entry"):
            for label in {look.edges[name].label for name in row.items(column) if name in look.edges}:
                count(label, row.source(column).certain)
    return [(label, ours, total) for label, (ours, total) in sorted(counts.items(), key=lambda item: item[0] not in (CITIES, CAPITALS))]


class _Legend:
    """The key: swatches with what they cost and do, by the terrain table."""

    def __init__(self, drawing: HexBoard) -> None:
        self.d, self.c, self.layout, self.box = drawing, drawing.c, drawing.layout, drawing.box
        self.look = drawing.look
        self.doubts = {label: (ours, total) for label, ours, total in doubts(drawing.layout, drawing.box)}

    def points_certain(self, capital: bool) -> bool:
        """Whether the key's city is upright: only when no city of its kind is reconstructed."""
        return not self.doubts.get(CAPITALS if capital else CITIES, (0, 0))[0]

    def effects(self, kind: str, applies: tuple[str, ...]) -> tuple[str, bool]:
        """What the terrain table says of a kind, and whether all of it is printed or derived."""
        for row in self.box["terrain"]:
            if row.text("kind") == kind and any(a in applies for a in row.items("applies_to")):
                words, certain = [], True
                if row.values.get("passable") == 0:
                    words.append("may not be crossed" if "hexside" in applies else "may not be entered")
                elif row.values.get("enter_cost") is not None:
                    words.append(f"{row.int('enter_cost')} MP")
                elif row.int("extra_cost"):
                    words.append(f"+{row.int('extra_cost')} MP")
                certain = row.source("enter_cost").certain and row.source("extra_cost").certain
                if row.int("defence_multiplier") > 1:
                    words.append(f"defence x{row.int('defence_multiplier')}")
                return ", ".join(words), certain
        return "", True

    def draw(self, x: float, y: float, w: float) -> None:
        c, layout = self.c, self.layout
        entries: list[tuple[str, str, str, tuple[str, bool]]] = []
        for kind, terrain in self.look.terrain.items():
            entries.append(("terrain", kind, terrain.label, self.effects(kind, ("hex",))))
        labels: set[str] = set()
        for kind, line in self.look.hexsides.items():
            if line.label not in labels and kind in self.d.by_feature:
                labels.add(line.label)
                entries.append(("hexside", kind, line.label, self.effects(kind, ("hexside",))))
        for kind, line in self.look.features.items():
            if line.label not in labels:
                labels.add(line.label)
                entries.append(("feature", kind, line.label, self.effects(kind, ("in hex", "hex"))))
        entries.append(("city", "", CITIES, ("", True)))
        entries.append(("capital", "", CAPITALS, ("", True)))
        for kind, line in self.look.edges.items():
            if line.label not in labels:
                labels.add(line.label)
                entries.append(("edge", kind, line.label, self.effects("exit", ("map edge",)) if line.style == "exit" else ("", True)))
        columns = 2
        rows = (len(entries) + columns - 1) // columns
        step = min(66.0, (layout.board.legend_rect[3] - plan.HEADER - 20) / rows)
        for i, (what, kind, label, (effect, certain)) in enumerate(entries):
            px, py = x + (i // rows) * w / columns, y + (i % rows) * step
            self.swatch(what, kind, px, py + step / 2 - 3)
            lines = [(label, 15.5, 600, False)]
            if effect:
                lines.append((effect, 14.5, 400, not certain))
            ours, total = self.doubts.get(label, (0, 0))
            if ours:
                what_of = "reconstructed" if ours == total else f"{ours} of {total} reconstructed"
                lines.append((what_of, 14.5, 400, True))
            top = py + step / 2 + 3 - 8.5 * (len(lines) - 1)
            for k, (words, size, weight, slanted) in enumerate(lines):
                c.text(
                    px + 70,
                    top + 17 * k,
                    words,
                    size,
                    weight=weight,
                    italic=slanted,
                    fill=layout.board.colours["reconstructed" if slanted else "ink"],
                    anchor="start",
                    max_width=w / columns - 78,
                    where="key",
                )

    def swatch(self, what: str, kind: str, x: float, y: float) -> None:
        c, layout = self.c, self.layout
        cx = x + 30
        base = next(t.fill for t in self.look.terrain.values() if not t.water and not t.relief)
        hexagon = [(cx + 26 * math.sin(math.pi * k / 3), y + 26 * -math.cos(math.pi * k / 3)) for k in range(6)]
        outline = attrs(stroke=layout.board.colours["hexline"], stroke_width=1.1)
        if what == "terrain":
            t = self.look.terrain[kind]
            c.add(f"<polygon{attrs(points=' '.join(f'{num(a)},{num(b)}' for a, b in hexagon), fill=t.fill)}{outline}/>")
            if t.relief:
                c.polygon(hexagon, fill="url(#relief)")
            return
        if what == "edge":
            line = self.look.edges[kind]
            c.add(symbols.arrow(cx, y, 180, 24, line.colour, hollow=line.style == "exit"))
            return
        c.add(f"<polygon{attrs(points=' '.join(f'{num(a)},{num(b)}' for a, b in hexagon), fill=base)}{outline}/>")
        if what == "city":
            c.circle(cx, y, 11.5, fill="#fffaf0", stroke=layout.board.colours["ink"], stroke_width=1)
            c.circle(cx, y, 9.5, fill=layout.board.colours["city"])
            self.d.points(cx, y + 4.5, "1", 13.5, "#ffffff", self.points_certain(capital=False), "key")
        elif what == "capital":
            c.rect(cx - 12, y - 12, 24, 24, fill="#fffaf0", stroke=layout.board.colours["city"], stroke_width=2)
            c.rect(cx - 9.5, y - 9.5, 19, 19, fill=layout.board.colours["capital"], stroke=layout.board.colours["ink"], stroke_width=1)
            self.d.points(cx, y + 5, "2", 15, layout.board.colours["ink"], self.points_certain(capital=True), "key")
        elif what == "feature":
            line = self.look.features[kind]
            if line.style == "port":
                c.add(symbols.anchor(cx, y + 1, 24, line.colour))
            else:
                inner = [(cx + 17 * math.sin(math.pi * k / 3), y - 17 * math.cos(math.pi * k / 3)) for k in range(6)]
                c.polygon(
                    [(cx + 22 * math.sin(math.pi * k / 3), y - 22 * math.cos(math.pi * k / 3)) for k in range(6)],
                    fill="none",
                    stroke=line.colour,
                    stroke_width=3,
                )
                for (x1, y1), (x2, y2) in zip(inner, [*inner[1:], inner[0]], strict=True):
                    c.line(x1, y1, x2, y2, stroke=line.colour, stroke_width=5, stroke_dasharray="2.4 2.4")
        else:
            line = self.look.hexsides[kind]
            a, b = (cx - 28.0, y + 1), (cx + 28.0, y + 1)
            if line.style == "river":
                wave = [(cx - 28 + 56 * t / 16, y + 3 * math.sin(t * 0.9)) for t in range(17)]
                for stroke, width in (("#2a628f", line.width + 1.6), (line.colour, line.width - 0.6), ("#8fc3e2", 1.6)):
                    c.path(path(wave), fill="none", stroke=stroke, stroke_width=width, stroke_linecap="round")
            elif line.style == "ridge":
                self.d.ridge([a, b], line)
            elif line.style == "lake":
                c.add(f'<ellipse{attrs(cx=cx, cy=y, rx=21, ry=line.width / 2)} fill="{line.colour}" stroke="#2a628f" stroke-width="2.4"/>')
            elif line.style == "closed":
                c.path(path([a, b]), stroke=line.colour, stroke_width=line.width)
                c.path(path([a, b]), stroke="#ffffff", stroke_width=1.4, stroke_dasharray="4 4")
            else:
                c.path(path([a, b]), stroke=line.colour, stroke_width=line.width, stroke_opacity=0.33, stroke_linecap="round")
                c.path(path([a, b]), stroke=line.colour, stroke_width=3.4, stroke_dasharray="11 5")
