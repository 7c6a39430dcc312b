"""A position drawn on the board of its game's box: counters, holders of cities, fortifications, marks, what lies beside the map.

The board and the counters are ``modgen.art``'s, so that the picture looks like the module. The same scene gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from gamebox.load import data_root
from gamebox.model import Box
from modgen.art import plan, symbols
from modgen.art.board import draw_board
from modgen.art.counters import marker_art, unit_art
from modgen.art.fonts import face
from modgen.art.labels import PlaceName
from modgen.art.svg import Canvas, attrs, num, points, render
from modgen.errors import ArtError
from modgen.layout.layout import Layout, read_layout
from modgen.layout.reading import Rect
from referee.rules.options import UsageError
from referee.rules.scene import City, Scene, Seen, Token

ART = 104
"""The side that counters are drawn with before they are scaled."""
ONE, TWO, CITY = 44, 33, 34
"""The side of a counter alone in a hex, in a stack, over a city."""
BAND = 300
"""Height of the strip below the board: caption and legend."""
INK, PAPER = "#1d1914", "#fffaf0"
REACHED, AIMED, WAY = "#1f9d3a", "#d3140c", "#0b3d91"

_BADGES = {
    "moved": ("#1557b0", "tick"),
    "attacked": ("#c9150f", "arrow"),
    "garrison": ("#6b4a00", "lock"),
    "displaced": ("#d45500", "bang"),
    "abroad": ("#8a2be2", "bang"),
    "doubled": ("#0a7d6c", "x2"),
    "locked": ("#4a4a4a", "lock"),
    "flipped": ("#000000", "cross"),
    "eligible": ("#2c8f2c", "plus"),
    "used": ("#8f6b00", "minus"),
    "tired": ("#5b3fa0", "minus"),
}
"""Mark -> colour and sign of its badge; a mark without one is told in texts only."""


@dataclass(frozen=True, slots=True)
class Paint:
    """What is painted over hexes: where a unit can go, what can be attacked."""

    words: Mapping[str, str] = field(default_factory=dict)
    """Hex in reach -> the word in it (MPs left)."""
    targets: tuple[str, ...] = ()
    way: tuple[str, ...] = ()
    title: str = ""
    """The first line of the caption in place of turn and phase."""


def draw_position(box: Box, scene: Scene, caption: Sequence[str], paint: Paint | None = None) -> str:
    """The position as an SVG text. ``caption``: lines below the board, the first one large.

    Raises UsageError when the board cannot be drawn.
    """
    if "hexes" not in box.tables:
        raise UsageError(f"positions of {box.id!r} are not drawn: its board has no hexes; without --png and --svg they are told as text")
    try:
        layout = read_layout(data_root() / box.id / "module.toml", box)
        return _Picture(box, layout, scene, caption, paint or Paint()).draw()
    except ArtError as error:
        raise UsageError(str(error)) from None


def rendered(svg: str, scale: float = 1.0) -> bytes:
    """The picture as PNG bytes, ``scale`` pixels a user unit. Raises UsageError when the renderer refuses it."""
    try:
        return render(svg, scale)
    except ArtError as error:
        raise UsageError(str(error)) from None


class _Picture:
    """One picture being drawn."""

    def __init__(self, box: Box, layout: Layout, scene: Scene, caption: Sequence[str], paint: Paint) -> None:
        self.box, self.layout, self.scene, self.caption, self.paint = box, layout, scene, caption, paint
        self.sheet = plan.sheet(layout, box)
        self.c = Canvas(layout.board.width, layout.board.height + BAND)
        self.pieces = {piece.id: piece for piece in box.pieces}
        self.hexes = {row.key for row in box["hexes"]}
        self.cities = {city.hex: city for city in scene.cities}
        self.by_place: dict[str, list[Seen]] = {}
        self.names: Mapping[str, PlaceName] = {}
        for unit in scene.units:
            self.by_place.setdefault(unit.place, []).append(unit)

    def draw(self) -> str:
        board = draw_board(self.box, self.layout)
        self.names = board.names
        self.reach()
        self.holders()
        self.aims()
        for place, units in self.by_place.items():
            if place in self.hexes:
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
        c = self.c
        inside = board.svg[board.svg.index(">") + 1 :].removesuffix("</svg>")
        size = attrs(width=c.width, height=c.height, viewBox=f"0 0 {num(c.width)} {num(c.height)}")
        return f'<svg xmlns="http://www.w3.org/2000/svg"{size}>{inside}{"".join(c.body)}</svg>'

    # -- on the map

    @cached_property
    def colours(self) -> dict[str, tuple[str, str, str]]:
        """Holder -> fill, ink, letter, as the control markers of the module have them."""
        found: dict[str, tuple[str, str, str]] = {}
        spare = iter((("#3f4144", "#ffffff"), ("#b01f1a", "#ffe27a"), ("#33517a", "#ffffff"), ("#5f6b2e", "#ffffff")))
        for holder, title in self.scene.holders:
            marker = next((m for m in self.layout.counters.markers if m.style == "control" and m.name.startswith(title)), None)
            fill, ink = (marker.fill, marker.ink) if marker else next(spare, ("#444444", "#ffffff"))
            found[holder] = (fill, ink, marker.text if marker and marker.text else title[:1])
        return found

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

    def counter(self, x: float, y: float, side: float, unit: Seen) -> None:
        """One counter around a point, with the badges of its marks; one that has moved is a little paler."""
        art = unit_art(self.box, self.layout, self.pieces[unit.piece], ART)
        left, top = x - side / 2, y - side / 2
        self.c.rect(left - 1, top - 1, side + 2, side + 2, fill="#000000", fill_opacity=0.45, rx=2)
        self.c.group((art,), transform=f"translate({num(left)} {num(top)}) scale({side / ART:.4f})")
        if "moved" in unit.marks:
            self.c.rect(left, top, side, side * 0.62, fill="#ffffff", fill_opacity=0.32)
        r = 6.2 if side >= TWO else 5
        for i, mark in enumerate([mark for mark in unit.marks if mark in _BADGES][:3]):
            self.badge(left + side - r + 1.5 - i * (2 * r), top + r - 2.5, r, mark)

    def badge(self, x: float, y: float, r: float, mark: str) -> None:
        """A small disc that says what a unit has done or what holds it."""
        colour, sign = _BADGES[mark]
        self.c.circle(x, y, r, fill=colour, stroke="#ffffff", stroke_width=1.3)
        if sign == "x2":
            self.c.text(x, y + 0.48 * r, sign, 1.4 * r, weight=700, fill="#ffffff", where="badge")
            return
        # Drawn for a disc of radius 6.
        lines = {
            "tick": "M-2.8 0.2l2 2.2l3.4 -4.6",
            "arrow": "M-3 0h6m-2.4 -2.4l2.4 2.4l-2.4 2.4",
            "bang": "M0 -3.2v3.6m0 2.6v0.2",
            "cross": "M-2.4 -2.4l4.8 4.8m0 -4.8l-4.8 4.8",
            "plus": "M-3 0h6m-3 -3v6",
            "minus": "M-3 0h6",
            "lock": "M-2.2 0.2h4.4v2.4h-4.4zm0.6 -0.4v-1a1.6 1.6 0 0 1 3.2 0v1",
        }
        style = attrs(fill="none", stroke="#ffffff", stroke_width=1.7, stroke_linecap="round", stroke_linejoin="round")
        self.c.add(f'<path d="{lines[sign]}"{style} transform="translate({num(x)} {num(y)}) scale({r / 6:.3f})"/>')

    def token(self, token: Token) -> None:
        """A marker, small, below the counters of its hex; two of them side by side."""
        marker = next((m for m in self.layout.counters.markers if m.style == token.kind and m.text == token.force), None)
        x, y = self.sheet.centre(token.hex)
        top, count = y + (27 if token.hex in self.cities else 23), min(token.count, 2)
        for i in range(count):
            left = x - 10 + (i * 21 - 10.5) * (count - 1)
            self.c.rect(left - 1, top - 1, 22, 22, fill=INK, stroke=PAPER, stroke_width=1)
            if marker is not None:
                self.c.group((marker_art(marker, ART),), transform=f"translate({num(left)} {num(top)}) scale({20 / ART:.4f})")
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
            if name in self.hexes:
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
        rest = [u for place, units in self.by_place.items() if place not in drawn and place not in self.hexes for u in units]
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

    def turn(self) -> None:
        """The turn's cell on the track, framed, with the marker."""
        cells = plan.turn_cells(self.layout, self.box) if "turns" in self.box.tables else {}
        cell = cells.get(str(self.scene.turn))
        if cell is None:
            return
        x, y, w, h = cell
        self.c.rect(x + 3, y + 3, w - 6, h - 6, fill="none", stroke=REACHED, stroke_width=5)
        marker = next((m for m in self.layout.counters.markers if m.style == "turn"), None)
        if marker is not None:
            sx, sy = plan.turn_spot(self.layout, self.box, str(self.scene.turn))
            side = self.layout.counters.size
            place = f"translate({num(sx - side / 2)} {num(sy - side / 2 + 7)}) scale({side / ART:.4f})"
            self.c.group((marker_art(marker, ART),), transform=place)

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

    def legend(self, x: float, y: float, wide: float) -> None:
        """The signs with their words, in rows as they fit."""
        type_, size = face(600), 19.0
        at_x, at_y = x, y
        for sign, words in self.entries():
            need = 46 + type_.width(words, size) + 30
            if at_x + need > x + wide:
                at_x, at_y = x, at_y + 36
            self.sign(sign, at_x + 20, at_y)
            self.c.text(at_x + 44, at_y + 6, words, size, weight=600, fill=INK, anchor="start", where="legend")
            at_x += need

    def entries(self) -> Iterable[tuple[str, str]]:
        titles = dict(self.scene.holders)
        for holder in dict.fromkeys(city.holder for city in self.scene.cities):
            yield f"holder {holder}", f"{titles[holder]} city, with its VPs"
        if any(not whole for _, whole in self.scene.forts):
            yield "fort", "fortification destroyed"
        there = {mark for unit in self.scene.units for mark in unit.marks}
        yield from ((f"badge {mark}", words) for mark, words in self.scene.marks if mark in there and mark in _BADGES)
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
            marker = next((m for m in self.layout.counters.markers if m.style == self.scene.tokens[0].kind), None)
            if marker is not None:
                c.group((marker_art(marker, ART),), transform=f"translate({num(x - 15)} {num(y - 15)}) scale({30 / ART:.4f})")
        elif kind == "reach":
            c.rect(x - 15, y - 15, 30, 30, fill=REACHED, fill_opacity=0.3, stroke=REACHED, stroke_width=2)
            c.circle(x, y, 10, fill=PAPER, stroke=REACHED, stroke_width=2)
            c.text(x, y + 4.6, "2", 13.5, weight=700, fill="#0d5a1f", where="legend")
        elif kind == "way":
            c.line(x - 17, y, x + 17, y, stroke=WAY, stroke_width=5)
        elif kind == "aim":
            c.rect(x - 15, y - 14, 30, 28, fill=AIMED, fill_opacity=0.16, stroke=AIMED, stroke_width=4, stroke_dasharray="10 4")
