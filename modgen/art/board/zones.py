"""The map of a board of zones: sea, ground, washes, rivers, borders and rims, ways over sea, numbers and names, and the key to it all."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from gamebox.model import Box, Row
from modgen.art import plan, sea, symbols
from modgen.art.board.common import Board, wrapped
from modgen.art.fonts import face
from modgen.art.labels import TextBox
from modgen.art.svg import Point, attrs, num, path
from modgen.art.zonefield import Arc, ZoneField, drawn, inside, length, off, smooth
from modgen.layout.layout import Layout
from modgen.layout.reading import Rect, Where
from modgen.layout.tracks import filled
from modgen.layout.zonemap import Cover, Crossing, Disc, EdgeMark, Ground, Icon, Link, Rim, Wash, ZoneLook, link_key

NUMBER, NAME = 19.0, 18.0
DISC = 16.5
DASH = {"solid": None, "dashed": "12 7", "double": None, "chain": "14 5 3 5"}
SOFT = {"hills": 0.72}
"""Textures that are not laid on in full."""


class ZoneBoard(Board):
    """A board whose map is made of zones.

    Raises :class:`ArtError` when the game has none.
    """

    def __init__(self, box: Box, layout: Layout) -> None:
        self.zones: ZoneField = plan.zone_field(layout, box)
        super().__init__(box, layout, self.zones)
        self.look: ZoneLook = self.zones.look

    def map(self) -> None:
        """Everything inside the frame, from the water up to the zones' names."""
        self.keep_off_panels()
        self.water()
        self.neutral()
        self.ground()
        self.washes()
        self.rivers()
        self.borders()
        self.rims()
        self.coast()
        self.holding()
        self.titles()
        self.links()
        self.crossings()
        self.labels()
        self.river_names()
        self.draw_titles()

    # -- what is where

    @cached_property
    def paths(self) -> Mapping[str, str]:
        """Zone -> its outlines as path data."""
        return {name: self.zones.paths(name) for name in self.zones.names()}

    def area(self, names: Iterable[str]) -> str:
        """Zones as one path."""
        return "".join(self.paths[name] for name in names)

    @cached_property
    def outside(self) -> tuple[tuple[Point, ...], ...]:
        """Land out of play, in pixels."""
        if "out_of_play" not in self.box.tables:
            return ()
        return tuple(tuple(self.zones.pixel(p) for p in row.points("points")) for row in self.box["out_of_play"])

    @cached_property
    def lines(self) -> tuple[tuple[tuple[Point, ...], ...], tuple[tuple[Point, ...], ...]]:
        """The outer borders of the zones: where sea lies beyond, and where land out of play does."""
        shapes = [(min(x for x, _ in s), min(y for _, y in s), max(x for x, _ in s), max(y for _, y in s), s) for s in self.outside]
        sea: list[tuple[Point, ...]] = []
        land: list[tuple[Point, ...]] = []
        for arc in self.zones.arcs:
            if len(arc.zones) > 1:
                continue
            run: list[Point] = [arc.bends[0]]
            last: bool | None = None
            for a, b in itertools.pairwise(arc.bends):
                x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
                dry = any(_near(x, y, shape) for shape in shapes)
                if last is not None and dry != last:
                    (land if last else sea).append(tuple(run))
                    run = [a]
                last = dry
                run.append(b)
            (land if last else sea).append(tuple(run))
        return tuple(sea), tuple(land)

    # -- the ground

    def water(self) -> None:
        """Pale lines along the shores; the sea itself lies below the drawing."""
        shores = "".join(map(drawn, self.lines[0])) + "".join(map(drawn, self.outside))
        for width, opacity in ((26, 0.3), (15, 0.35)):
            self.c.path(
                shores, fill="none", stroke=self.look.water.shore, stroke_width=width, stroke_opacity=opacity, stroke_linejoin="round"
            )

    def under(self) -> tuple[bytes, Rect]:
        """The sea, deeper the farther from land."""
        rings = [ring for name in self.zones.names() for ring in self.zones.rings(name)]
        water = self.look.water
        return sea.picture(self.frame, (*self.outside, *rings), (water.shore, water.open, water.deep)), self.frame

    def neutral(self) -> None:
        """Land out of play."""
        d = "".join(map(drawn, self.outside))
        closed = self.layout.board.colours["closed"]
        self.c.path(d, fill=closed, stroke=closed, stroke_width=6, stroke_linejoin="round")
        # Its coast is drawn before the zones, which lie over it where both meet on land.
        self.c.path(d, fill="none", stroke=self.look.water.line, stroke_width=1.4, stroke_opacity=0.7, stroke_linejoin="round")

    def ground(self) -> None:
        """The zones by their terrain, and textures over them."""
        rows = [(name, self.zones.row(name)) for name in self.zones.names()]
        base = next(iter(self.look.terrain.values()))
        self.c.path(self.area(self.zones.names()), fill=base.fill, stroke=base.fill, stroke_width=1.6)
        for kind, look in self.look.terrain.items():
            names = [name for name, row in rows if row.text("terrain") == kind]
            if look is not base:
                self.c.path(self.area(names), fill=look.fill)
            plain = [name for name in names if self.cover(self.zones.row(name)) is None]
            self.textured(self.area(plain), look.texture)
        for cover in self.look.covers:
            d = self.area(name for name, row in rows if self.cover(row) is cover)
            self.textured(d, cover.texture)

    def textured(self, d: str, texture: str) -> None:
        """An area under a texture."""
        if texture != "none":
            self.c.path(d, fill=self.texture(texture), fill_opacity=SOFT.get(texture))

    def cover(self, row: Row) -> object:
        """The first cover whose test a zone passes."""
        return next((cover for cover in self.look.covers if cover.where(row)), None)

    def passing(self, where: Where) -> list[str]:
        """The zones that pass a test."""
        return [name for name in self.zones.names() if where(self.zones.row(name))]

    def washes(self) -> None:
        """Thin colours over parts of the map, each with a band inside its outline that fades inwards."""
        for wash in self.look.washes:
            names = self.passing(wash.where)
            self.c.path(self.area(names), fill=wash.fill, fill_opacity=wash.opacity)
            self.band(wash, names)

    def band(self, wash: Wash, names: Sequence[str]) -> None:
        if not wash.band or not names:
            return
        inside = set(names)
        arcs = [(arc, next(z for z in arc.zones if z in inside)) for arc in self.zones.around(inside) if len(arc.zones) > 1]
        for part in (1.0, 0.7, 0.4):
            d = "".join(strip(arc.thin, wash.band * part, self.zones.inward(arc, name)) for arc, name in arcs)
            self.c.path(d, fill=wash.fill, fill_opacity=0.2)

    def rivers(self) -> None:
        """Rivers by their lines in the data."""
        if "rivers" not in self.box.tables:
            return
        d = "".join(drawn([self.zones.pixel(p) for p in row.points("points")]) for row in self.box["rivers"])
        common = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
        self.c.path(d, stroke="#f4efdf", stroke_width=4.6, stroke_opacity=0.45, **common)
        self.c.path(d, stroke=self.look.water.river, stroke_width=2.5, **common)

    def borders(self) -> None:
        """The borders between zones: a dark line in a pale band."""
        d = "".join(drawn(arc.bends) for arc in self.zones.arcs if len(arc.zones) > 1)
        common = {"fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round"}
        self.c.path(d, stroke="#fffaf0", stroke_width=7, stroke_opacity=0.5, **common)
        self.c.path(d, stroke=self.layout.board.colours["hexline"], stroke_width=2.3, stroke_opacity=0.9, **common)

    def rims(self) -> None:
        """Lines around parts of the map that rules name."""
        for rim in self.look.rims:
            arcs = self.zones.around(self.passing(rim.where))
            d = "".join(drawn(line) for line in _linked([arc.bends for arc in arcs if len(arc.zones) > 1 or not rim.inland]))
            self.rim(rim, d)

    def rim(self, rim: Rim, d: str) -> None:
        common = {"fill": "none", "stroke_linejoin": "round"}
        if rim.dash == "double":
            self.c.path(d, stroke=rim.colour, stroke_width=rim.width, **common)
            self.c.path(d, stroke="#fdf6e3", stroke_width=max(rim.width - 3.6, 1.0), **common)
            self.c.path(d, stroke=rim.colour, stroke_width=max(rim.width - 5.6, 1.0), stroke_dasharray="9 7", **common)
            return
        self.c.path(d, stroke="#fffaf0", stroke_width=rim.width + 3, stroke_opacity=0.6, **common)
        self.c.path(d, stroke=rim.colour, stroke_width=rim.width, stroke_dasharray=DASH[rim.dash], **common)

    def coast(self) -> None:
        """Coasts, and borders with land out of play."""
        sea, land = self.lines
        common = {"fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round"}
        self.c.path("".join(map(drawn, sea)), stroke=self.look.water.line, stroke_width=2.4, **common)
        self.c.path("".join(map(drawn, land)), stroke="#7d7565", stroke_width=3, **common)

    # -- numbers and names

    def icons_of(self, row: Row) -> list[tuple[str, str]]:
        """The symbols beside a zone's name: (symbol, colour)."""
        return [(icon.symbol, icon.colour) for icon in self.look.icons if icon.where(row)]

    def titles(self) -> None:
        """Keeps a place for every zone's number and name; where a counter stands no name of the map may hide."""
        for name in self.zones.names():
            self.words.add(self.title_box(name))

    def title_box(self, name: str) -> TextBox:
        """The place of a zone's number, name and symbols."""
        x, y = self.zones.label(name)
        w, h = title_size(self.zones, name)
        return TextBox(x, y, w, h, what=f"name of zone {name}")

    def draw_titles(self) -> None:
        for name in self.zones.names():
            self.draw_title(name)

    def draw_title(self, name: str) -> None:
        """A disc with the number, the name beside it, symbols below the name."""
        row = self.zones.row(name)
        x, y = self.zones.label(name)
        w, _ = title_size(self.zones, name)
        left = x - w / 2
        self.number_disc(left + DISC + 2, y, next(d for d in self.look.discs if d.where(row)), name)
        icons = self.icons_of(row)
        words = left + 2 * DISC + 9
        base = y + (NAME * 0.33 if not icons else -2.5)
        self.c.text(
            words,
            base,
            row.text("name"),
            NAME,
            weight=700,
            fill="#201913",
            anchor="start",
            halo="#fbf5e6",
            halo_width=4,
            where=f"zone {name}",
        )
        for k, (symbol, colour) in enumerate(icons):
            self.icon(symbol, colour, words + 11 + 26 * k, y + 13)

    def number_disc(self, x: float, y: float, disc: Disc, number: str) -> None:
        """The disc that holds a zone's number."""
        self.c.circle(x, y, DISC + 2, fill="#fffaf0", fill_opacity=0.85)
        self.c.circle(x, y, DISC, fill="#fffdf6", stroke=disc.colour, stroke_width=3.4)
        if disc.target:
            self.c.circle(x, y, DISC - 4.2, fill="none", stroke=disc.colour, stroke_width=1.3)
        self.c.text(x, y + NUMBER * 0.34, number, NUMBER, weight=900, fill="#201913", where=f"zone {number}")

    def icon(self, symbol: str, colour: str, x: float, y: float) -> None:
        """A symbol in a disc of its own."""
        self.c.circle(x, y, 11.5, fill=colour, stroke="#fffaf0", stroke_width=1.6)
        ink = "#ffffff"
        if symbol == "anchor":
            self.c.add(symbols.anchor(x, y + 0.6, 15, ink, halo=colour))
        elif symbol == "derrick":
            self.c.add(symbols.derrick(x, y - 0.4, 15, ink))
        elif symbol == "supply":
            self.c.add(symbols.crate(x, y, 14, ink))
        elif symbol == "star":
            self.c.add(symbols.star(x, y + 0.6, 9.6, fill=ink))
        else:
            self.c.add(symbols.bastion(x, y, 15, ink))

    def holding(self) -> None:
        """Boxes off the map for zones too small for their counters, each with a line to its zone."""
        for name, place in self.look.places.items():
            if place.box is None:
                continue
            row = self.zones.row(name)
            x, y, w, h = place.box
            look = self.look.terrain[row.text("terrain")]
            disc = next(d for d in self.look.discs if d.where(row))
            u, v = place.leader
            start = (min(max(u, x), x + w), min(max(v, y), y + h))
            for stroke, width in (("#fffaf0", 6), (disc.colour, 2.6)):
                self.c.line(*start, u, v, stroke=stroke, stroke_width=width, stroke_linecap="round")
            self.c.circle(u, v, 5, fill=disc.colour, stroke="#fffaf0", stroke_width=1.6)
            self.c.rect(x, y, w, h, rx=6, fill=look.fill, stroke=disc.colour, stroke_width=2.6)
            if look.texture != "none":
                self.c.rect(x + 2, y + 2, w - 4, h - 4, rx=5, fill=self.texture(look.texture), fill_opacity=0.45)
            words = f"{name} {row.text('name')}"
            self.c.text(
                x + w / 2, y + 19, words, 15, weight=700, fill="#201913", halo="#fbf5e6", max_width=w - 12.0, where=f"zone {name}"
            )
            self.words.add(TextBox(x + w / 2, y + h / 2, w, h, what=f"box of zone {name}"))

    # -- ways over sea, and borders to look at twice

    def links(self) -> None:
        """Ways over sea, each along its line, with what the layout writes on it."""
        for link in self.look.links:
            for row in self.box[link.table]:
                if link.where(row):
                    self.link(link, row)

    def link(self, link: Link, row: Row) -> None:
        line = _curve([(float(x), float(y)) for x, y in link.lines[link_key(row)]])
        text = filled(link.text, row, self.box)
        self.arrow(link, line, text)
        at = line[0] if text else line[len(line) // 2]
        for x, y in (at, line[-1]):
            self.words.add(TextBox(x, y, 28, 28, what=f"arrow of {link.label} {link_key(row)}", group=f"links {row.text('to')}"))

    def arrow(self, link: Link, line: Sequence[Point], text: str) -> None:
        """One way over sea: its line, the arrow at its end, words at its beginning."""
        big = link.style == "landing"
        body = line[:-1]
        (x1, y1), (x2, y2) = line[-2], line[-1]
        angle = math.degrees(math.atan2(y2 - y1, x2 - x1))
        d = path(body)
        dash = None if big else "9 7" if link.style == "arrival" else "3 6"
        width = 8 if big else 3.6
        self.c.path(d, fill="none", stroke="#f6fafb", stroke_width=width + 4, stroke_opacity=0.8, stroke_linecap="round")
        self.c.path(
            d, fill="none", stroke=link.colour, stroke_width=width, stroke_dasharray=dash, stroke_linecap="butt" if dash else "round"
        )
        self.c.add(symbols.arrow(x2, y2, angle, 30 if big else 18, link.colour))
        if text:
            x, y = line[0]
            self.c.circle(x, y, 15, fill=link.colour, stroke="#f6fafb", stroke_width=2)
            self.c.text(x, y + 6.6, text, 19, weight=900, fill="#ffffff", where=f"link {link.name}")

    def crossings(self) -> None:
        """Marks on borders that could be doubted: passes, and borders so short that they look like mere corners."""
        board = self.box.zones
        assert board is not None
        for row in self.box[board.adjacency]:
            a, _, b = row.key.partition("|")
            arcs = self.zones.between(a, b)
            if not arcs:
                continue
            whole = sum(length(arc.raw) for arc in arcs)
            for crossing in self.look.crossings:
                if crossing.where(row) and (not crossing.shorter or whole < crossing.shorter):
                    self.crossing(crossing, arcs[0], f"{a}-{b}")
                    break

    def crossing(self, crossing: Crossing, arc: Arc, what: str) -> None:
        (x, y), (dx, dy) = _middle(arc.line)
        angle = math.degrees(math.atan2(dy, dx))
        self.crossing_mark(crossing, x, y, angle)
        self.words.add(TextBox(x, y, 34, 26, angle + 90, what=f"crossing {what}"))

    def crossing_mark(self, crossing: Crossing, x: float, y: float, along: float) -> None:
        """The mark at a point of a border that runs ``along`` degrees."""
        move = f"translate({num(x)} {num(y)}) rotate({num(along)})"
        if crossing.style == "pass":
            d = "M-9 -13Q-2.5 0 -9 13M9 -13Q2.5 0 9 13"
            for stroke, width in (("#fffaf0", 7.5), (crossing.colour, 3.6)):
                self.c.add(
                    f'<path d="{d}" transform="{move}"{attrs(fill="none", stroke=stroke, stroke_width=width, stroke_linecap="round")}/>'
                )
        else:
            d = "M0 -15L7 -6H2.4V6H7L0 15L-7 6H-2.4V-6H-7Z"
            self.c.add(
                f'<path d="{d}" transform="{move}"'
                f"{attrs(fill=crossing.colour, stroke='#fffaf0', stroke_width=1.8, stroke_linejoin='round')}/>"
            )

    def margin(self) -> None:
        """Arrows from the edge of the map into the zones that are supplied over it."""
        x0, y0, w, h = self.frame
        for mark in self.look.edges:
            for name in self.passing(mark.where):
                points = [p for ring in self.zones.rings(name) for p in ring]
                across = mark.side in "EW"
                values = [p[1] if across else p[0] for p in points if _at_edge(p, mark.side, self.frame)]
                if not values:
                    continue
                middle = (min(values) + max(values)) / 2
                for shift in (-40, 0, 40):
                    at = middle + shift
                    x, y = {"E": (x0 + w - 14, at), "W": (x0 + 14, at), "N": (at, y0 + 14), "S": (at, y0 + h - 14)}[mark.side]
                    self.c.add(symbols.arrow(x, y, {"E": 180, "W": 0, "N": 90, "S": 270}[mark.side], 24, mark.colour))

    def river_names(self) -> None:
        """Names along the rivers that the layout asks for, where there is room."""
        if "rivers" not in self.box.tables:
            return
        for row in self.box["rivers"]:
            self.avoid([self.zones.pixel(p) for p in row.points("points")], 3, "river", 1.0)
        for arc in self.zones.arcs:
            self.avoid(arc.bends, 4, "border", 1.0)
        for name in self.look.rivers:
            runs = [smooth([self.zones.pixel(p) for p in row.points("points")]) for row in self.box["rivers"] if row.text("name") == name]
            if not self.river_name(name, runs):
                self.faults.append(f"{self.layout.path.name}: [board] rivers: no room for the name of {name!r} along the river")

    def river_name(self, name: str, runs: Sequence[Sequence[Point]]) -> bool:
        type_, size = face(600, True), 13.0
        wide = type_.width(name, size, 0.5)
        best: list[tuple[int, float, float, float, float, float]] = []
        for run in sorted(runs, key=length, reverse=True):
            half, gone = length(run) / 2, 0.0
            for i, a in enumerate(run):
                gone += math.dist(run[i - 1], a) if i else 0.0
                b = next((p for p in run[i + 1 :] if math.dist(a, p) >= wide), None)
                if b is None:
                    break
                bend = max((off(p, a, b) for p in run[i : run.index(b)]), default=0.0)
                angle = math.degrees(math.atan2(b[1] - a[1], b[0] - a[0]))
                # Straight stretches first, of those the middle of the longest.
                best.append((int(bend // 5), abs(gone - half) - half / 8, bend, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2, angle))
        x0, y0, w, h = self.frame
        found: list[tuple[float, int, TextBox]] = []
        for order, (_, _, bend, x, y, angle) in enumerate(sorted(best)):
            angle = (angle + 90) % 180 - 90
            nx, ny = math.sin(math.radians(angle)), -math.cos(math.radians(angle))
            for far in (7 + bend + size * 0.3, -7 - bend - size * 0.3):
                box = TextBox(x + nx * far, y + ny * far, wide, size, angle, what=f"river {name}")
                if all(x0 < px < x0 + w and y0 < py < y0 + h for px, py in box.corners()) and self.words.hit(box) is None and bend < 14:
                    found.append((self.words.cost(box), order, box))
            if found and found[-1][0] == 0:
                break  # off all rivers and borders
        if not found:
            return False
        _, _, box = min(found, key=lambda item: item[:2])
        self.words.add(box)
        nx, ny = math.sin(math.radians(box.angle)), -math.cos(math.radians(box.angle))
        self.c.text(
            box.x - nx * size * 0.3,
            box.y - ny * size * 0.3,
            name,
            size,
            weight=600,
            italic=True,
            fill="#245b80",
            spacing=0.5,
            rotate=box.angle,
            halo="#f4efdf",
            halo_width=2.6,
            where=f"river {name}",
        )
        return True

    # -- what the key says

    def heart(self) -> tuple[int, int]:
        """The middle of the map."""
        x, y, w, h = self.frame
        return x + w // 2, y + h // 2

    def doubts(self) -> list[tuple[str, int, int]]:
        """Kinds of the key, how many of them our data calls reconstructed, and of how many."""
        board = self.box.zones
        assert board is not None
        out: list[tuple[str, int, int]] = []

        def count(label: str, certain: Iterable[bool]) -> None:
            found = list(certain)
            if label and found:
                out.append((label, sum(not c for c in found), len(found)))

        rows = list(self.zones.rows.values())
        count("borders of zones", (row.source().certain for row in self.box[board.outlines]))
        count("names and places of zones", (row.source("name").certain and row.source("confidence").certain for row in rows))
        for kind, look in self.look.terrain.items():
            count(look.label, (row.source("terrain").certain for row in rows if row.text("terrain") == kind))
        for cover in self.look.covers:
            count(cover.label, (row.source("terrain").certain for row in rows if cover.where(row)))
        for where, label in self.tested():
            count(label, (all(row.source(column).certain for column, _ in where.tests) for row in rows if where(row)))
        for link in self.look.links:
            count(link.label, (row.source().certain for row in self.box[link.table] if link.where(row)))
        return out

    def tested(self) -> Iterable[tuple[Where, str]]:
        """Every test on a zone that the key has an entry for."""
        for part in (self.look.washes, self.look.rims, self.look.discs, self.look.icons, self.look.edges):
            yield from ((entry.where, entry.label) for entry in part if entry.where.tests)

    def key(self, x: float, y: float, w: float) -> None:
        """The key to the map."""
        _Key(self).draw(x, y, w)


class _Key:
    """The key: a swatch and words for everything that the layout gives a label."""

    STEP, LINE = 44, 16

    def __init__(self, board: ZoneBoard) -> None:
        self.b, self.c, self.look = board, board.c, board.look
        self.doubts = {label: (ours, total) for label, ours, total in board.doubts()}

    def entries(self) -> list[tuple[str, object, str]]:
        """What is drawn, how, and its words; each label once."""
        found: list[tuple[str, object, str]] = [("ground", g, g.label) for g in self.look.terrain.values()]
        found += [("cover", cover, cover.label) for cover in self.look.covers]
        for what, parts in (
            ("wash", self.look.washes),
            ("rim", self.look.rims),
            ("disc", self.look.discs),
            ("icon", self.look.icons),
            ("link", self.look.links),
            ("crossing", self.look.crossings),
            ("edge", self.look.edges),
        ):
            found += [(what, part, part.label) for part in parts]
        once = {entry[2]: entry for entry in reversed(found)}
        return [e for e in found if e[2] and once[e[2]] is e]

    def draw(self, x: float, y: float, w: float) -> None:
        """Entries in columns as wide as they need, from the top left downwards."""
        entries = self.entries()
        _, top, _, high = self.b.layout.board.legend_rect
        room = top + high - y - 6
        columns = 1
        while (len(entries) + columns - 1) // columns * self.STEP > room and columns < 6:
            columns += 1
        rows = (len(entries) + columns - 1) // columns
        step = min(room / rows, 52.0)
        for i, (what, part, label) in enumerate(entries):
            px, py = x + (i // rows) * w / columns, y + (i % rows) * step
            self.swatch(what, part, px + 30, py + step / 2 - 2)
            self.words(label, px + 68, py + step / 2 + 2, w / columns - 76)

    def words(self, label: str, x: float, y: float, room: float) -> None:
        lines = [(line, False) for line in wrapped(label, 15.0, room, weight=600)]
        ours, total = self.doubts.get(label, (0, 0))
        if ours:
            lines.append(("reconstructed" if ours == total else f"{ours} of {total} reconstructed", True))
        colours = self.b.layout.board.colours
        for k, (line, slanted) in enumerate(lines):
            self.c.text(
                x,
                y + self.LINE * (k - (len(lines) - 1) / 2) + 3,
                line,
                14.0 if slanted else 15.0,
                weight=400 if slanted else 600,
                italic=slanted,
                fill=colours["reconstructed" if slanted else "ink"],
                anchor="start",
                max_width=room,
                where="key",
            )

    def swatch(self, what: str, part: object, x: float, y: float) -> None:
        """A small picture of one entry around a point."""
        c, look = self.c, self.look
        blob = _blob(x, y)
        edge = attrs(stroke=self.b.layout.board.colours["hexline"], stroke_width=1.4)
        base = next(iter(look.terrain.values())).fill
        if isinstance(part, Ground | Cover):
            fill = part.fill if isinstance(part, Ground) else self.ground_of(part)
            c.add(f'<path d="{blob}" fill="{fill}"/>')
            if part.texture != "none":
                c.add(f'<path d="{blob}" fill="{self.b.texture(part.texture)}"/>')
            c.add(f'<path d="{blob}" fill="none"{edge}/>')
        elif isinstance(part, Wash):
            c.add(f'<path d="{blob}" fill="{base}"/><path d="{blob}"{attrs(fill=part.fill, fill_opacity=part.opacity)}/>')
            c.add(f'<path d="{blob}"{attrs(fill="none", stroke=part.fill, stroke_width=5, stroke_opacity=0.55)}/>')
        elif isinstance(part, Rim):
            self.b.rim(part, path([(x - 27, y + 5), (x - 10, y - 5), (x + 8, y + 4), (x + 27, y - 4)]))
        elif isinstance(part, Disc):
            self.b.number_disc(x, y, part, "")
        elif isinstance(part, Icon):
            self.b.icon(part.symbol, part.colour, x, y)
        elif isinstance(part, Crossing):
            c.path(path([(x - 26, y), (x + 26, y)]), fill="none", stroke=self.b.layout.board.colours["hexline"], stroke_width=2.3)
            self.b.crossing_mark(part, x, y, 0)
        elif isinstance(part, EdgeMark):
            c.add(symbols.arrow(x, y, {"E": 180, "W": 0, "N": 90, "S": 270}[part.side], 24, part.colour))
        elif isinstance(part, Link):
            self.b.arrow(part, [(x - 24, y), (x, y), (x + 20, y)], "2" if part.text else "")

    def ground_of(self, cover: Cover) -> str:
        """The colour of the ground that a cover lies on."""
        kinds = [self.b.zones.row(name).text("terrain") for name in self.b.passing(cover.where)]
        return self.look.terrain[kinds[0]].fill if kinds else next(iter(self.look.terrain.values())).fill


def title_size(zones: ZoneField, name: str) -> tuple[float, float]:
    """Width and height of a zone's number, name and symbols."""
    row = zones.row(name)
    icons = sum(icon.where(row) for icon in zones.look.icons)
    words = max(face(700).width(row.text("name"), NAME), 26.0 * icons - 2)
    return 2 * DISC + 9 + words + 2, 42.0 if icons else 2 * DISC + 4


def _near(x: float, y: float, shape: tuple[float, float, float, float, Sequence[Point]], within: float = 9.0) -> bool:
    """Whether a point lies in a shape (with its bounds before it) or within a few pixels of it."""
    left, top, right, bottom, points = shape
    if not (left - within < x < right + within and top - within < y < bottom + within):
        return False
    return inside([points], x, y) or any(off((x, y), a, b) < within for a, b in itertools.pairwise((*points, points[0])))


def strip(line: Sequence[Point], width: float, side: int) -> str:
    """A band along one side of a line as path data: a quadrangle for every piece."""
    normals: list[Point] = []
    for a, b in itertools.pairwise(line):
        dx, dy = b[0] - a[0], b[1] - a[1]
        n = math.hypot(dx, dy) or 1.0
        normals.append((-dy / n * side, dx / n * side))
    edge: list[Point] = []
    closed = line[0] == line[-1]
    for i, (x, y) in enumerate(line):
        before = normals[i - 1] if i or closed else normals[0]
        after = normals[i] if i < len(normals) else normals[0] if closed else normals[-1]
        nx, ny = before[0] + after[0], before[1] + after[1]
        n = math.hypot(nx, ny)
        # Where a line turns back on itself there is no middle way: straight on.
        edge.append((x + nx / n * width, y + ny / n * width) if n > 0.3 else (x + before[0] * width, y + before[1] * width))
    quads = ((a, b, v, u) for (a, b), (u, v) in zip(itertools.pairwise(line), itertools.pairwise(edge), strict=True))
    # All turned the same way, so that those that lie over each other add up.
    return "".join(path(quad if _area(quad) > 0 else quad[::-1], closed=True) for quad in quads)


def _area(quad: Sequence[Point]) -> float:
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(quad, (*quad[1:], quad[0]), strict=True))


def _linked(lines: Sequence[tuple[Point, ...]]) -> list[list[Point]]:
    """Lines joined end to end as long as they go, so that dashes run on."""
    todo = [list(line) for line in lines]
    out: list[list[Point]] = []
    while todo:
        line = todo.pop(0)
        grown = True
        while grown and line[0] != line[-1]:
            grown = False
            for i, other in enumerate(todo):
                if line[-1] in (other[0], other[-1]):
                    line += (other if other[0] == line[-1] else other[::-1])[1:]
                elif line[0] in (other[0], other[-1]):
                    line = (other if other[-1] == line[0] else other[::-1])[:-1] + line
                else:
                    continue
                del todo[i]
                grown = True
                break
        out.append(line)
    return out


def _curve(points: Sequence[Point]) -> list[Point]:
    """A soft line through bends: corners cut three times, the ends kept."""
    line = list(points)
    for _ in range(3):
        line = smooth(line)
    return line


def _at(line: Sequence[Point], way: float) -> Point:
    """The point of a line after so many pixels, at most its end."""
    for a, b in itertools.pairwise(line):
        step = math.dist(a, b)
        if way <= step and step:
            t = max(way, 0.0) / step
            return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t
        way -= step
    return line[-1]


def _middle(line: Sequence[Point]) -> tuple[Point, Point]:
    """The point half way along a line, and the line's direction around it."""
    half = length(line) / 2
    (x1, y1), (x2, y2) = _at(line, half - 24), _at(line, half + 24)
    return _at(line, half), (x2 - x1, y2 - y1)


def _at_edge(p: Point, side: str, frame: Rect) -> bool:
    """Whether a point lies at an edge of the map."""
    x, y, w, h = frame
    return {"E": p[0] > x + w - 24, "W": p[0] < x + 24, "N": p[1] < y + 24, "S": p[1] > y + h - 24}[side]


def _blob(x: float, y: float) -> str:
    """A small patch of land."""
    turns = [k * math.pi / 14 for k in range(28)]
    bent = [(28 * (1 + 0.09 * math.sin(3 * a)), 16.5 * (1 + 0.12 * math.cos(2 * a)), a) for a in turns]
    return path([(x + r * math.cos(a), y + s * math.sin(a)) for r, s, a in bent], closed=True)
