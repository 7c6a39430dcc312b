"""A position drawn on a board of hexes: counters in their hexes, rings of the holders of cities, fortifications, marks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gamebox.model import Box
from modgen.art import plan, symbols
from modgen.art.board import draw_board
from modgen.art.fonts import face
from modgen.art.labels import PlaceName
from modgen.art.svg import attrs, num, points
from modgen.layout.layout import Layout
from modgen.layout.reading import Rect
from referee.picture.common import AIMED, BADGES, BAND, INK, PAPER, REACHED, WAY, Paint, Picture
from referee.rules.scene import City, Scene, Seen, Token

ONE, TWO, CITY = 44, 33, 34
"""The side of a counter alone in a hex, in a stack, over a city."""


class HexPicture(Picture):
    """One picture of a board of hexes. Raises ArtError when the board cannot be drawn."""

    def __init__(self, box: Box, layout: Layout, scene: Scene, caption: Sequence[str], paint: Paint) -> None:
        super().__init__(box, layout, scene, caption, paint, draw_board(box, layout), layout.board.height + BAND)
        self.sheet = plan.sheet(layout, box)
        self.places = {row.key for row in box["hexes"]}
        self.cities = {city.hex: city for city in scene.cities}
        self.names: Mapping[str, PlaceName] = self.board.names

    def paint_all(self) -> None:
        self.reach()
        self.holders()
        self.aims()
        for place, units in self.by_place.items():
            if place in self.places:
                self.stack(place, units)
        self.way()
        self.flags()
        self.forts()
        self.reach_words()
        for token in self.scene.tokens:
            self.token(token)
        self.boxes()
        self.turn()
        self.band()

    # -- on the map

    def holders(self) -> None:
        """A ring in the holder's colour inside the hex of each city."""
        for city in self.scene.cities:
            fill, _, _ = self.colours[city.holder]
            ring = self.sheet.hexagon(city.hex, 4.5)
            self.c.polygon(ring, fill="none", stroke="#ffffff", stroke_width=8.4, stroke_linejoin="round")
            self.c.polygon(ring, fill=fill, fill_opacity=0.16, stroke=fill, stroke_width=5.4, stroke_linejoin="round")
        for city in self.scene.cities:
            self.city_words(city)

    def city_words(self, city: City) -> None:
        """The hex number and the city's name once more, above the ring, where the board has them."""
        x, y = self.sheet.centre(city.hex)
        name = self.names.get(city.hex)
        if name is not None:
            self.words(name.x, name.y, name.text, name.size, 700)
        self.words(x, y - (25 if city.hex in self.by_place else 23), city.hex, 11, 600)

    def words(self, x: float, y: float, text: str, size: float, weight: int) -> None:
        self.c.text(x, y, text, size, weight=weight, fill=INK, halo=PAPER, halo_width=3.4, max_width=82, where=text)

    def flags(self) -> None:
        """The victory points of each city on a disc of its holder, beside the hex number."""
        features = self.box["features"] if "features" in self.box.tables else ()
        ports = {row.text("hex") for row in features if "port" in row.text("feature")}
        for city in self.scene.cities:
            fill, ink, letter = self.colours[city.holder]
            middle = self.sheet.centre(city.hex)
            x, y = middle[0] + (-23.5 if city.hex in ports else 23.5), middle[1] - 23
            big = city.worth > 9
            self.c.circle(x, y, 10.5 if big else 9, fill=fill, stroke="#ffffff", stroke_width=1.6)
            text = f"{letter}{city.worth}"
            self.c.text(x, y + 4, text, 10.5 if big else 11, weight=700, fill=ink, max_width=17 if big else 15, where=f"flag {city.hex}")

    def forts(self) -> None:
        """A burst in every fortified hex whose fortification is gone; the whole ones are on the board."""
        for name, whole in self.scene.forts:
            if not whole:
                x, y = self.sheet.centre(name)
                self.breach(x - 23.5, y - 22, 0.78)

    def breach(self, x: float, y: float, k: float = 1.0) -> None:
        self.c.add(symbols.burst(x, y, 13 * k, 7 * k, 9, fill="#c8301f", stroke="#ffd34d", stroke_width=1.6 * k))
        cross = f"M{num(x - 3.6 * k)} {num(y - 3.6 * k)}l{num(7.2 * k)} {num(7.2 * k)}m0 {num(-7.2 * k)}l{num(-7.2 * k)} {num(7.2 * k)}"
        self.c.path(cross, stroke="#ffffff", stroke_width=2 * k)

    def stack(self, name: str, units: Sequence[Seen]) -> None:
        """Side by side, so that every counter can be read; three and more in two rows."""
        x, y = self.sheet.centre(name)
        city = name in self.cities
        count = len(units)
        if count == 1:
            self.counter(x, y - 4 if city else y + 1, CITY if city else ONE, units[0])
            return
        columns = 2 if count <= 4 else 3
        rows = (count + columns - 1) // columns
        side = TWO if columns == 2 else 23
        for i, unit in enumerate(units):
            row, column = divmod(i, columns)
            here = columns if (row + 1) * columns <= count else count - row * columns
            left = x - (here - 1) * (side + 1) / 2 + column * (side + 1)
            top = y - (5 if city else 0) - (rows - 1) * (side + 1) / 2 + row * (side + 1)
            self.counter(left, top, side, unit)

    def token(self, token: Token) -> None:
        """A marker, small, below the counters of its hex; two of them side by side."""
        marker = self.marker(token.kind, token.force)
        x, y = self.sheet.centre(token.hex)
        top, count = y + (27 if token.hex in self.cities else 23), min(token.count, 2)
        for i in range(count):
            left = x - 10 + (i * 21 - 10.5) * (count - 1)
            self.c.rect(left - 1, top - 1, 22, 22, fill=INK, stroke=PAPER, stroke_width=1)
            if marker is not None:
                self.place_marker(marker, left, top, 20)
            else:
                self.c.text(left + 10, top + 14, token.force, 12, weight=700, fill="#ffffff", where=token.kind)

    # -- what may be done

    def reach(self) -> None:
        for name in self.paint.words:
            self.c.polygon(self.sheet.hexagon(name, 1), fill=REACHED, fill_opacity=0.3, stroke=REACHED, stroke_width=2)

    def reach_words(self) -> None:
        for name, word in self.paint.words.items():
            x, y = self.sheet.centre(name)
            low = 29 if self.by_place.get(name) or name in self.cities else 4
            self.c.circle(x, y + low, 10, fill=PAPER, stroke=REACHED, stroke_width=2)
            self.c.text(x, y + low + 4.6, word, 13.5, weight=700, fill="#0d5a1f", max_width=17, where="reach")

    def aims(self) -> None:
        for name in dict.fromkeys((*self.paint.targets, *self.scene.acting)):
            if name in self.places:
                line = self.sheet.hexagon(name, 0)
                self.c.polygon(line, fill=AIMED, fill_opacity=0.16, stroke="#ffffff", stroke_width=7)
                self.c.polygon(line, fill="none", stroke=AIMED, stroke_width=4.4, stroke_dasharray="10 4")

    def way(self) -> None:
        line = [self.sheet.centre(name) for name in self.paint.way]
        if len(line) > 1:
            for colour, width in (("#ffffff", 8.0), (WAY, 4.4)):
                shape = attrs(points=points(line), fill="none", stroke=colour, stroke_width=width)
                self.c.add(f'<polyline{shape} stroke-linecap="round" stroke-linejoin="round"/>')

    # -- beside the map

    def boxes(self) -> None:
        """The destroyed and those off the map, in the boxes of the board; those in places that it has no box for in a hold."""
        drawn: set[str] = set()
        for area in self.layout.board.boxes:
            drawn.add(area.id)
            units = self.by_place.get(area.id, [])
            groups: dict[Rect, list[Seen]] = {}
            for unit in units:
                slot = plan.slot_rect(self.box, area, self.pieces[unit.piece])
                groups.setdefault(slot if slot is not None else self.below(area.rect), []).append(unit)
            for rect, there in groups.items():
                self.fill(rect, there)
            if units:
                x, y, _, _ = area.rect
                beside = x + 26 + face(700).width(area.name.upper(), 16, 1.2)
                self.c.text(beside, y + 20, str(len(units)), 17, weight=700, fill="#ffd34d", anchor="start", where="count")
        rest = [u for place, units in self.by_place.items() if place not in drawn and place not in self.places for u in units]
        hold = next((area for area in self.layout.board.holds if area.region), None)
        if rest and hold is not None:
            x, y, w, h = hold.rect
            self.fill((x, y + plan.HEADER, w, h - plan.HEADER - 24), rest)

    def below(self, rect: Rect) -> Rect:
        x, y, w, h = rect
        return x, y + plan.HEADER, w, h - plan.HEADER

    def fill(self, rect: Rect, units: Sequence[Seen]) -> None:
        """Counters in rows in a rectangle, as large as they fit; too many are laid over one another."""
        x, y, w, h = rect
        count, side, columns, rows = len(units), 46, 1, 1
        if count <= 3:
            x, w = x + 18, w - 18  # beside the slot's value
        for side in (46, 42, 38, 34, 30):
            columns = max(1, (w - 6) // (side + 3))
            rows = (count + columns - 1) // columns
            if rows * (side + 3) <= h - 8:
                break
        step = min(side + 3.0, (h - 8 - side) / max(rows - 1, 1))
        # From below, so that of counters that are covered the strengths are left to be read.
        for i, unit in reversed(tuple(enumerate(units))):
            row, column = divmod(i, columns)
            here = min(columns, count - row * columns)
            left = x + w / 2 - (here - 1) * (side + 3) / 2 + column * (side + 3)
            self.counter(left, y + 6 + side / 2 + row * step, side, unit)

    # -- caption and legend

    def band(self) -> None:
        c, layout, colours = self.c, self.layout, self.layout.board.colours
        top = layout.board.height
        c.rect(0, top, layout.board.width, BAND, fill=colours["paper"])
        left, wide = layout.board.left - 10, layout.board.width - 2 * (layout.board.left - 10)
        c.rect(left, top - 8, wide, BAND - 24, fill=colours["panel"], stroke=colours["frame"], stroke_width=2)
        y = top + 34.0
        for i, line in enumerate(self.caption):
            size, weight = (34, 900) if i == 0 else (23, 600) if i <= 2 else (20, 400)
            y += 0 if i == 0 else size + 8
            fill = colours["city"] if i == 0 else INK
            c.text(left + 20, y, line, size, weight=weight, fill=fill, anchor="start", max_width=wide - 40, where="caption")
        self.legend(left + 20, top + 192, wide - 40)

    def entries(self) -> Iterable[tuple[str, str]]:
        titles = dict(self.scene.holders)
        for holder in dict.fromkeys(city.holder for city in self.scene.cities):
            yield f"holder {holder}", f"{titles[holder]} city, with its VPs"
        if any(not whole for _, whole in self.scene.forts):
            yield "fort", "fortification destroyed"
        there = {mark for unit in self.scene.units for mark in unit.marks}
        yield from ((f"badge {mark}", words) for mark, words in self.scene.marks if mark in there and mark in BADGES)
        if self.scene.tokens:
            yield "token", "offensive supply"
        if self.paint.words:
            yield "reach", "in reach, with MPs left"
        if len(self.paint.way) > 1:
            yield "way", "cheapest way"
        if self.paint.targets:
            yield "aim", "can be attacked"
        elif self.scene.acting:
            yield "aim", "what the decision is about"

    def sign(self, sign: str, x: float, y: float) -> None:
        c = self.c
        kind, _, which = sign.partition(" ")
        if kind == "holder":
            fill, ink, letter = self.colours[which]
            c.circle(x, y, 15, fill="none", stroke=fill, stroke_width=4)
            c.circle(x, y, 10, fill=fill)
            c.text(x, y + 4.4, letter, 13, weight=700, fill=ink, where="legend")
        elif kind == "fort":
            self.breach(x, y)
        elif kind == "badge":
            self.badge(x, y, 11, which)
        elif kind == "token":
            marker = self.marker(self.scene.tokens[0].kind)
            if marker is not None:
                self.place_marker(marker, x - 15, y - 15, 30)
        elif kind == "reach":
            c.rect(x - 15, y - 15, 30, 30, fill=REACHED, fill_opacity=0.3, stroke=REACHED, stroke_width=2)
            c.circle(x, y, 10, fill=PAPER, stroke=REACHED, stroke_width=2)
            c.text(x, y + 4.6, "2", 13.5, weight=700, fill="#0d5a1f", where="legend")
        elif kind == "way":
            c.line(x - 17, y, x + 17, y, stroke=WAY, stroke_width=5)
        elif kind == "aim":
            c.rect(x - 15, y - 14, 30, 28, fill=AIMED, fill_opacity=0.16, stroke=AIMED, stroke_width=4, stroke_dasharray="10 4")
