"""The cards of the set-up window: a small map with the areas of a scenario, and a space for the pieces of each."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gamebox.model import Box
from modgen.art import cards as plan
from modgen.art.cards import Card, Space
from modgen.art.drawing import Drawing
from modgen.art.fonts import face
from modgen.art.labels import Placer, TextBox
from modgen.art.plan import HEADER, hex_map
from modgen.art.sheet import chains, loops
from modgen.art.svg import Canvas, path
from modgen.layout.layout import Layout

FADED = "#ddd8ca"
"""Land that is not played on."""


def draw_card(card: Card, box: Box, layout: Layout) -> Drawing:
    """A card as a picture.

    Raises :class:`ArtError` when a word has letters that the font lacks.
    """
    # Without the grain of paper, which boards have: cards are many, and their map is a plan.
    canvas = Canvas(card.width, card.height, layout.board.colours["paper"])
    _Pen(card, box, layout, canvas).draw()
    return Drawing.of(canvas, card.file)


class _Pen:
    def __init__(self, card: Card, box: Box, layout: Layout, canvas: Canvas) -> None:
        self.card, self.box, self.layout, self.c = card, box, layout, canvas
        self.colours = layout.board.colours
        self.fills = plan.fills(layout, card)
        self.words = Placer()
        self.land: set[str] = set()

    def draw(self) -> None:
        card, c = self.card, self.c
        c.text(card.width / 2, plan.MARGIN + 32, card.title, 34, weight=900, fill=self.colours["city"], where=f"title of {card.name}")
        c.text(
            card.width - plan.MARGIN,
            plan.MARGIN + 32,
            card.note,
            15,
            italic=True,
            fill=self.colours["ink"],
            anchor="end",
            max_width=card.width / 3,
            where=f"note of {card.name}",
        )
        self.map()
        for heading, (x, y, w, h) in card.headings:
            c.text(x + w / 2, y + h - 13, heading, 24, weight=900, fill=self.colours["ink"], where=f"heading {heading}")
        for space in card.spaces:
            self.space(space)

    # -- the small map

    def map(self) -> None:
        c, sheet, look = self.c, self.card.sheet, hex_map(self.layout)
        x, y, w, h = self.card.map
        rows = {row.key: row for row in self.box["hexes"]}
        self.land = {h for h, row in rows.items() if row.values.get("playable") != 0 and not look.terrain[row.text("terrain")].water}
        kinds: dict[str, list[str]] = {}
        for name in sheet.names():
            terrain = look.terrain[rows[name].text("terrain")]
            played = rows[name].values.get("playable") != 0
            kinds.setdefault(terrain.fill if terrain.water or played else FADED, []).append(name)
        for fill, names in kinds.items():
            c.path(self.outline(names), fill=fill, fill_opacity=0.8)
        for space in self.card.spaces:
            if space.name in self.fills:
                c.path(self.outline(space.hexes), fill=self.fills[space.name], fill_opacity=0.62)
        grid = "".join(path([(cx, cy / 3) for cx, cy in sheet.corners(name)], closed=True) for name in sheet.names())
        c.path(grid, fill="none", stroke=self.colours["hexline"], stroke_width=0.6, stroke_opacity=0.55)
        self.seams()
        for space in sorted(self.card.spaces, key=lambda s: s.look.style != "fill"):
            self.area(space)
        self.names()
        self.numbers([name for name in sheet.names() if rows[name].values.get("playable") != 0])
        c.rect(x, y, w, h, fill="none", stroke=self.colours["frame"], stroke_width=2)

    def outline(self, names: Sequence[str]) -> str:
        """A set of hexes as a path."""
        rings = [self.card.sheet.corners(name) for name in names]
        return "".join(path([(x, y / 3) for x, y in loop], closed=True) for loop in loops(rings))

    def front(self, hexes: Sequence[str]) -> str:
        """The border of an area where it does not run along water, the edge of the map or land that is not played on."""
        sheet, inside = self.card.sheet, set(hexes)
        sides = [sheet.side(h, n) for h in hexes for n in sheet.around[h] if n not in inside and n in self.land]
        return "".join(path([(x, y / 3) for x, y in line]) for line in chains(sides))

    def seams(self) -> None:
        """Where the sheets of the map meet, with their letters."""
        sheet = self.card.sheet
        for letters, (place, columns) in sheet.sheets.items():
            x = sheet.left + sheet.across * (place + columns) + sheet.across // 4
            if place + columns < sheet.grid.columns:
                y, h = self.card.map[1], self.card.map[3]
                self.c.line(x, y, x, y + h, stroke=self.colours["frame"], stroke_width=5, stroke_opacity=0.18)
            middle = sheet.left + sheet.across * (place + columns / 2)
            self.c.text(middle, self.card.map[1] - 8, f"Map {letters}", 15, weight=700, fill=self.colours["ink"], where="sheet")

    def area(self, space: Space) -> None:
        """The border of an area, or what it is shown by instead."""
        hexes, c, sheet = space.hexes, self.c, self.card.sheet
        if space.look.style == "fill":
            c.path(self.outline(hexes), fill="none", stroke="#fffaf0", stroke_width=4.5, stroke_linejoin="round", stroke_opacity=0.8)
            c.path(self.outline(hexes), fill="none", stroke=self.colours["ink"], stroke_width=2.2, stroke_linejoin="round")
        elif space.look.style == "front":
            c.path(self.front(hexes), fill="none", stroke=self.colours["city"], stroke_width=3.6, stroke_dasharray="10 5")
        elif space.look.style == "spots":
            for name in hexes:
                x, y = sheet.centre(name)
                c.circle(x, y, sheet.across * 0.42, fill="none", stroke=self.colours["city"], stroke_width=2.4)

    def names(self) -> None:
        """The names of the areas in their middles, and those of the cities, each where it touches nothing if there is such a place."""
        c, sheet, look = self.c, self.card.sheet, hex_map(self.layout)
        looks = [(next(one for one in look.cities if one.where(row)), row) for row in self.box["cities"]]
        largest = max((city.name_size for city, _ in looks), default=0)
        cities = sorted(looks, key=lambda pair: (-pair[0].name_size, pair[1].key))
        for city, row in cities:
            x, y = sheet.centre(row.text("hex"))
            r = 4.2 if city.name_size > largest - 2 else 2.8
            c.circle(x, y, r, fill=self.colours["city"], stroke="#ffffff", stroke_width=1)
            self.words.add(TextBox(x, y, 2 * r, 2 * r, group=row.key))
        for space in sorted(self.card.spaces, key=lambda s: len(s.hexes)):
            if space.look.style == "fill":
                self.area_name(space)
        for city, row in cities:
            x, y = sheet.centre(row.text("hex"))
            size, weight = (12.5, 700) if city.name_size > largest - 2 else (10.0, 600)
            text = row.text("name")
            wide, high = face(weight).width(text, size), size * 0.72
            beside, under = 8 + wide / 2, 7 + high / 2
            near = [(0, under), (0, -under), (beside, 0), (-beside, 0), (0, 2 * under)]
            near += [(side, dy) for side in (beside, -beside) for dy in (8, -8)]
            boxes = [TextBox(x + dx, y + dy, wide, high, group=row.key) for dx, dy in near]
            spot = next((box for box in boxes if self.inside(box) and self.words.hit(box) is None), boxes[0])
            self.words.add(spot)
            base, where = spot.y + high / 2, f"city {row.key}"
            c.text(spot.x, base, text, size, weight=weight, fill="#1f1811", halo="#fbf4e1", halo_width=2.6, where=where)

    def inside(self, box: TextBox) -> bool:
        x, y, w, h = self.card.map
        return all(x + 2 < px < x + w - 2 and y + 2 < py < y + h - 2 for px, py in box.corners())

    def area_name(self, space: Space) -> None:
        """The name of an area where its hexes are widest and deepest, clear of the names there are; beside it when it is too small."""
        sheet, hexes = self.card.sheet, space.hexes
        size, text = 17.0, space.label
        wide = face(900).width(text, size)
        deep, (mx, my) = self.depths(hexes), self.middle(hexes)
        tries = [
            (x + dx, y + dy, deep[h] - (abs(dx) + abs(dy)) / sheet.across - math.dist((x, y), (mx, my)) / (6 * sheet.across))
            for h in hexes
            for x, y in (sheet.centre(h),)
            for dx in (0, -sheet.across // 2, sheet.across // 2, -sheet.across - wide / 2, sheet.across + wide / 2)
            for dy in (0, -sheet.down // 2, sheet.down // 2)
        ]
        # The best first: to see whether a place is free takes the longest.
        best = sorted(tries, key=lambda place: (place[2], -place[1], -place[0]), reverse=True)
        boxes = [TextBox(x, y, wide + 6, size, what=text) for x, y, _ in best]
        spot = next((box for box in boxes if self.inside(box) and self.words.hit(box) is None), boxes[0])
        self.words.add(spot)
        base = spot.y + size * 0.36
        self.c.text(spot.x, base, text, size, weight=900, fill="#ffffff", halo="#241c12", halo_width=4, where=f"area {text}")

    def middle(self, hexes: Sequence[str]) -> tuple[float, float]:
        xs, ys = zip(*(self.card.sheet.centre(h) for h in hexes), strict=True)
        return sum(xs) / len(xs), sum(ys) / len(ys)

    def depths(self, hexes: Sequence[str]) -> dict[str, int]:
        """Hex -> how many hexes it lies inside the area."""
        around, out, left, depth = self.card.sheet.around, {}, set(hexes), 0
        while left:
            rim = {h for h in left if any(n not in left for n in around[h]) or len(around[h]) < 6} or set(left)
            out.update(dict.fromkeys(rim, depth))
            left, depth = left - rim, depth + 1
        return out

    def numbers(self, names: Sequence[str]) -> None:
        """The hex numbers at the top of their hexes, where no name stands."""
        sheet = self.card.sheet
        for name in names:
            x, y = sheet.centre(name)
            at = y - sheet.down * 0.36
            text = name.removeprefix(sheet.sheet_of(name))
            spot = TextBox(x, at, face(400).width(text, 8.5), 6.5, group="number")
            if self.words.hit(spot) is None:
                self.c.text(x, at + 3, text, 8.5, fill=self.colours["number"], where=f"hex {name}")

    # -- the spaces

    def space(self, space: Space) -> None:
        c, (x, y, w, h) = self.c, space.rect
        size = self.layout.counters.size
        c.rect(x, y, w, h, fill=self.colours["panel"], stroke=self.colours["frame"], stroke_width=2)
        c.rect(x, y, w, HEADER, fill=self.colours["frame"])
        left = x + 10
        if space.name in self.fills:
            c.rect(x + 8, y + 6, 24, 16, fill=self.fills[space.name], stroke="#fff7e4", stroke_width=1.5)
            left = x + 40
        count = f"{len(space.pieces)} unit{'s' if len(space.pieces) > 1 else ''}"
        note = f"{space.look.note}, {count}" if space.look.note else count
        taken = c.text(x + w - 10, y + 19.5, note, 14, italic=True, fill="#e9dcc0", anchor="end", where=f"note of {space.label}")
        c.text(
            left,
            y + 20,
            space.label,
            16,
            weight=700,
            fill="#fff7e4",
            anchor="start",
            max_width=x + w - 20 - taken - left,
            where=f"heading {space.label}",
        )
        for cx, cy in space.spots:
            c.rect(cx - size / 2 - 1, cy - size / 2 - 1, size + 2, size + 2, rx=4, fill="none", stroke="#b8a888", stroke_width=1.2)


