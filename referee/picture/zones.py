"""A position drawn on a board of zones: who holds what, formations in their zones, markers, tracks and boxes, what is on its way, and
the displays that the reader may see."""

from __future__ import annotations

import colorsys
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from gamebox.model import Box as GameBox
from modgen.art import displays, plan
from modgen.art.board.common import wrapped
from modgen.art.board.zones import ZoneBoard, strip, title_size
from modgen.art.fonts import face
from modgen.art.svg import Canvas, attrs, data_uri, num
from modgen.art.zonefield import ZoneField
from modgen.layout.counters import Marker
from modgen.layout.displays import Display
from modgen.layout.layout import Layout
from modgen.layout.places import turn_name
from modgen.layout.reading import Rect
from referee.picture.common import AIMED, BADGES, INK, PAPER, REACHED, WAY, Paint, Picture, colours_of
from referee.picture.placing import Area, Box, Point, Shape, arranged, pile, scattered, shapes
from referee.rules.scene import Held, Laid, Scene, Seen

SIDES = (84, 76, 68, 60, 54, 48, 42)
"""The sides of counters on the map that are tried in a zone, the largest first: at half the size the last can still be told apart."""
TIGHT = (54, 48, 42, 38, 34)
"""The sides that are tried where counters of one side cannot stand together."""
BOXED = (72, 64, 56, 52, 48, 45, 42, 40, 38)
"""The sides of counters that are tried in a box."""
MARK, LEAST_MARK = 34, 24
"""The side of a marker on the map, and the least."""
BAND = 14
"""Width in pixels of the colour along the border between zones of different holders."""
TINT, GREY_TINT, STRIPE = 0.3, 0.2, 0.34
"""How strongly the holder's colour lies over a zone, one that is a grey, and the stripes of those who contest it."""
GREY = 0.2
"""A colour with less saturation is a grey."""
START, NOW = "{start}", "in"
"""What a display's layout calls the place of a piece in the set-up, and what stands there instead."""
LETTERS = 26.0
"""Size of the letters below the board."""
ROLES = {"attacker": "#d3140c", "supporter": "#e07b00", "defender": "#0b3d91", "mover": "#7b1fa2"}
"""Part of a piece in what is being decided -> the colour of the frame around it."""
ARROWS = {"move": "#7b1fa2", "attack": "#d3140c", "support": "#e07b00"}


class HeldBoard(ZoneBoard):
    """The board with the colours of those who hold its zones in place of those that the layout lays over parts of the map."""

    def __init__(self, box: GameBox, layout: Layout, held: Sequence[Held], colours: Mapping[str, str]) -> None:
        assert layout.board.areas is not None  # else there is no field of zones
        areas = replace(layout.board.areas, washes=())
        super().__init__(box, replace(layout, board=replace(layout.board, areas=areas)))
        self.held, self.colours = held, colours

    def washes(self) -> None:
        """A thin colour over the zones of each holder, stripes over contested ones, and bands where the holder changes."""
        for holder, colour in self.colours.items():
            own = [held.zone for held in self.held if held.holder == holder]
            self.c.path(self.area(own), fill=colour, fill_opacity=tint(colour))
        for held in self.held:
            for other in held.there:
                if other != held.holder and len(held.there) > 1:
                    self.c.path(self.paths[held.zone], fill=f"url(#{self.stripes(self.colours[other])})", fill_opacity=STRIPE)
        for holder, colour in self.colours.items():
            own = [held.zone for held in self.held if held.holder == holder]
            for part, opacity in ((1.0, 0.3), (0.55, 0.3)):
                self.c.path(self.edge(own, BAND * part), fill=colour, fill_opacity=opacity)

    def edge(self, names: Sequence[str], width: float) -> str:
        """Bands inside the common outline of zones, where other zones lie beyond."""
        inside = set(names)
        arcs = [(arc, next(z for z in arc.zones if z in inside)) for arc in self.zones.around(inside) if len(arc.zones) > 1]
        return "".join(strip(arc.thin, width, self.zones.inward(arc, name)) for arc, name in arcs)

    def stripes(self, colour: str) -> str:
        """The name of a pattern of slanted stripes of a colour."""
        name = f"contested{colour.replace('#', '-')}"
        if name not in self.tiles:
            self.tiles.add(name)
            pattern = attrs(id=name, width=24, height=24, patternUnits="userSpaceOnUse", patternTransform="rotate(45)")
            self.c.defs.append(f'<pattern{pattern}><rect width="12" height="24" fill="{colour}"/></pattern>')
        return name


def _hls(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return colorsys.rgb_to_hls(red, green, blue)


def tint(colour: str) -> float:
    """How strongly a colour is laid over the ground."""
    return GREY_TINT if _hls(colour)[2] < GREY else TINT


def vivid(colour: str) -> str:
    """A colour that is still told from others when it is laid thinly over ground: as full as it can be, neither dark nor pale. Greys
    stay grey."""
    hue, light, full = _hls(colour)
    if full < GREY:
        return colour
    return "#" + "".join(f"{round(255 * part):02x}" for part in colorsys.hls_to_rgb(hue, max(0.44, min(light, 0.5)), max(full, 0.8)))


@dataclass(frozen=True, slots=True)
class Lying:
    """A counter on the map: its middle and its side."""

    unit: Seen
    x: float
    y: float
    side: float
    piled: bool = False

    @property
    def box(self) -> Box:
        """The square that it covers."""
        return self.x - self.side / 2, self.y - self.side / 2, self.side, self.side


class ZonePicture(Picture):
    """One picture of a board of zones. Raises ArtError when the board cannot be drawn."""

    def __init__(self, box: GameBox, layout: Layout, scene: Scene, caption: Sequence[str], paint: Paint) -> None:
        plan.zone_field(layout, box)
        holders = {holder: vivid(fill) for holder, (fill, _, _) in colours_of(layout, scene).items()}
        board = HeldBoard(box, layout, scene.held, holders)
        super().__init__(box, layout, scene, caption, paint, board.draw(), 0)
        self.zones: ZoneField = board.zones
        self.names = tuple(self.zones.names())
        self.on_display = frozenset(unit.piece for unit in scene.units if self.is_inside(unit))
        self.on_map = self.lying()
        self.at = {lying.unit.piece: lying for lying in self.on_map}

    # -- what lies where

    @cached_property
    def shown(self) -> tuple[tuple[Display, displays.Plan], ...]:
        """The displays that the reader sees, in the order of the forces."""
        found = {display.side: self.as_played(display) for display in self.layout.displays}
        sides = [force for force, _ in self.scene.forces if force in self.scene.displays and force in found]
        return tuple((found[side], displays.plan(self.box, self.layout, found[side])) for side in sides)

    @cached_property
    def rooms(self) -> frozenset[str]:
        """The boxes of all displays."""
        plans = [displays.plan(self.box, self.layout, display) for display in self.layout.displays]
        return frozenset(card.id for made in plans for card in made.cards)

    @staticmethod
    def as_played(display: Display) -> Display:
        """The display without what it says of the set-up: there stands where a formation is now."""
        return replace(display, cards=replace(display.cards, words=tuple(NOW if START in w else w for w in display.cards.words)))

    def is_inside(self, unit: Seen) -> bool:
        """Whether a unit lies on a display: in the box of a formation, or in a room; formations themselves lie on the board."""
        return _box_of(unit) in self.rooms and unit.piece not in self.rooms

    def lying(self) -> tuple[Lying, ...]:
        """Every counter on the map, zone by zone."""
        return tuple(lying for zone in self.names for lying in self.lying_in(zone))

    def area_of(self, zone: str) -> Area:
        """A zone with the box that belongs to it."""
        place = self.zones.look.places.get(zone)
        more = []
        if place is not None and place.box is not None:
            x, y, w, h = place.box
            more.append((x, y + 26, w, h - 26))
        return Area(self.zones.rings(zone), more)

    @cached_property
    def titles(self) -> dict[str, Box]:
        """Zone -> the rectangle of its number, name and symbols."""
        found = {}
        for zone in self.names:
            (x, y), (w, h) = self.zones.label(zone), title_size(self.zones, zone)
            found[zone] = (x - w / 2 - 2, y - h / 2 - 1, w + 4, h + 2)
        return found

    @cached_property
    def words(self) -> tuple[Box, ...]:
        """The rectangles of everything that is written or marked on the map and had better stay visible."""
        found = []
        for box in self.board.words.boxes:
            xs, ys = zip(*box.corners(), strict=True)
            if not box.what.startswith(("panel", "box of")):
                found.append((min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)))
        return tuple(found)

    @cached_property
    def stacks(self) -> dict[str, list[list[Seen]]]:
        """Zone -> the counters in it that lie together: the formations of each side, then the units that lie there alone."""
        found: dict[str, list[list[Seen]]] = {}
        for zone in self.names:
            here = [unit for unit in self.by_place.get(zone, ()) if unit.piece not in self.on_display]
            groups: dict[tuple[int, str], list[Seen]] = {}
            for unit in here:
                groups.setdefault((int(unit.piece not in self.rooms), unit.force), []).append(unit)
            if groups:
                found[zone] = [groups[key] for key in sorted(groups, key=lambda key: (key[0], -self.force_order[key[1]]))]
        return found

    @cached_property
    def force_order(self) -> dict[str, int]:
        return {force: i for i, (force, _) in enumerate(self.scene.forces)}

    def lying_in(self, zone: str) -> Iterator[Lying]:
        """The counters in a zone: clear of names and of each other, as large as there is room for; in piles only where there is none."""
        groups = self.stacks.get(zone, [])
        if not groups:
            return
        side, made = self.block_places(zone, [len(group) for group in groups])
        for group, (shape, at) in zip(groups, made, strict=True):
            for unit, corner in zip(group, shape.corners, strict=True):
                yield Lying(unit, at[0] + corner[0] + side / 2, at[1] + corner[1] + side / 2, side, shape.piled)

    def block_places(self, zone: str, counts: Sequence[int]) -> tuple[float, list[tuple[Shape, Point]]]:
        """The side of the counters of a zone, and shape and upper left corner of each of its blocks."""
        area = self.area_of(zone)
        label = self.zones.label(zone)
        clear, named = area.without(self.words), area.without(self.titles.values())
        for side in SIDES:
            anchors = self.anchors(label, side, counts)
            for free in (clear, named):
                found = arranged(free, [list(shapes(count, side)) for count in counts], anchors)
                if found is not None:
                    return side, found
        for side in TIGHT:
            found = scattered(named, counts, side, self.anchors(label, side, counts))
            if found is not None:
                return side, found
        side = SIDES[-1]
        piles = [[pile(count, side)] for count in counts]
        found = arranged(named, piles, self.anchors(label, side, counts)) or arranged(area, piles, self.anchors(label, side, counts))
        if found is not None:
            return side, found
        # A zone smaller than its counters: piles in a row over its middle.
        wide = sum(shape.width + 6 for (shape,) in piles)
        left, row = label[0] - wide / 2, list[tuple[Shape, Point]]()
        for (shape,) in piles:
            row.append((shape, (left, label[1] + 24.0)))
            left += shape.width + 6
        return side, row

    def anchors(self, label: Point, side: float, counts: Sequence[int]) -> list[Point]:
        """Where the blocks of a zone had best stand: below its name, one beside the other."""
        x, y = label
        apart = side * 1.3
        middle = (len(counts) - 1) / 2
        return [(x + (i - middle) * apart * 1.6, y + 28 + side / 2) for i in range(len(counts))]

    # -- the whole

    def paint_all(self) -> None:
        """Everything on the board, then what stands below it, which the height of the picture depends on."""
        x, y, w, h = self.board.frame
        self.c.add(f'<clipPath id="map"><rect{attrs(x=x, y=y, width=w, height=h)}/></clipPath>')
        self.reach()
        self.aims()
        self.ways()
        self.way()
        for lying in self.on_map:
            self.frame(lying.unit, lying.x, lying.y, lying.side)
        for lying in self.on_map:
            self.counter(lying.x, lying.y, lying.side, lying.unit)
        self.counts()
        self.markers()
        self.reach_words()
        rest = self.boxes()
        self.tracks()
        self.turn()
        self.lasting()
        self.piles()
        top = float(self.layout.board.height)
        top = self.band(top)
        top = self.listed(top, rest)
        top = self.draw_displays(top)
        # Laid below everything that was drawn since.
        self.c.height = math.ceil(top + 8)
        self.c.body.insert(0, f"<rect{attrs(x=0, y=self.layout.board.height, width=self.c.width, height=self.c.height, fill=self.paper)}/>")

    @property
    def paper(self) -> str:
        return self.layout.board.colours["paper"]

    def below_board(self) -> str:
        if self.board.under is None:
            return ""
        png, (x, y, w, h) = self.board.under
        size = attrs(x=x, y=y, width=w, height=h, preserveAspectRatio="none")
        return f'<image{size} href="{data_uri(png)}"/>'

    # -- on the map

    @cached_property
    def roles(self) -> dict[str, str]:
        """Piece -> its part in what is being decided."""
        return dict(self.scene.roles)

    def frame(self, unit: Seen, x: float, y: float, side: float) -> None:
        """A coloured frame around a counter that takes part in what is being decided."""
        colour = ROLES.get(self.roles.get(unit.piece, ""))
        for fill, out in (("#ffffff", 6.5), (colour, 5.0)) if colour else ():
            self.c.rect(x - side / 2 - out, y - side / 2 - out, side + 2 * out, side + 2 * out, rx=5, fill=fill)

    def counts(self) -> None:
        """How many counters a pile has."""
        top: dict[tuple[str, str], list[Lying]] = {}
        for lying in self.on_map:
            if lying.piled:
                top.setdefault((lying.unit.place, lying.unit.force), []).append(lying)
        for group in top.values():
            last = group[-1]
            self.number(last.x + last.side / 2, last.y + last.side / 2, str(len(group)), 11)

    def number(self, x: float, y: float, text: str, r: float, fill: str = "#ffd34d") -> None:
        """A number in a disc."""
        self.c.circle(x, y, r, fill=fill, stroke=INK, stroke_width=1.6)
        self.c.text(x, y + r * 0.42, text, r * 1.2, weight=700, fill=INK, max_width=1.7 * r, where="count")

    def markers(self) -> None:
        """The markers of each zone in a row where there is room, near its name; those on pieces at their lower corner."""
        by_id = {marker.id: marker for marker in self.layout.counters.markers}
        zones = set(self.names)
        here: dict[str, list[Marker]] = {}
        for laid in self.scene.laid:
            if laid.marker not in by_id:
                continue
            if laid.at in zones:
                here.setdefault(laid.at, []).append(by_id[laid.marker])
            elif laid.at in self.at:
                lying = self.at[laid.at]
                side = lying.side * 0.44
                self.place_marker(by_id[laid.marker], lying.x + lying.side / 2 - side * 0.8, lying.y + lying.side / 2 - side * 0.8, side)
        for zone, markers in here.items():
            self.zone_markers(zone, markers)

    def zone_markers(self, zone: str, markers: Sequence[Marker]) -> None:
        counters = [lying.box for lying in self.on_map if lying.unit.place == zone]
        area = self.area_of(zone)
        x, y = self.zones.label(zone)
        for side in (MARK, LEAST_MARK):
            for words in (self.words, tuple(self.titles.values())):
                free = area.without([*words, *counters])
                found = arranged(free, [list(shapes(len(markers), side))], [(x, y + 20)])
                if found is not None:
                    (shape, at) = found[0]
                    for marker, corner in zip(markers, shape.corners, strict=True):
                        self.place_marker(marker, at[0] + corner[0], at[1] + corner[1], side)
                    return
        left = x - title_size(self.zones, zone)[0] / 2 - LEAST_MARK
        for i, marker in enumerate(markers):
            self.place_marker(marker, left - i * LEAST_MARK * 0.7, y - LEAST_MARK / 2, LEAST_MARK)

    def over(self, d: str, **look: object) -> None:
        """A path over the map; zones that run on beyond the frame end at it."""
        self.c.path(d, clip_path="url(#map)", **look)

    def reach(self) -> None:
        for name in self.paint.words:
            if name in self.names:
                self.over(self.zones.paths(name), fill=REACHED, fill_opacity=0.22, stroke=REACHED, stroke_width=4)

    def reach_words(self) -> None:
        for name, word in self.paint.words.items():
            if name in self.names and word:
                x, y, w, _ = self.titles[name]
                self.c.circle(x + w + 14, y + 18, 14, fill=PAPER, stroke=REACHED, stroke_width=2.4)
                self.c.text(x + w + 14, y + 24, word, 18, weight=700, fill="#0d5a1f", max_width=24, where="reach")

    def aims(self) -> None:
        for name in dict.fromkeys((*self.paint.targets, *self.scene.acting)):
            if name in self.names:
                line = self.zones.paths(name)
                self.over(line, fill=AIMED, fill_opacity=0.1, stroke="#ffffff", stroke_width=10, stroke_linejoin="round")
                self.over(line, fill="none", stroke=AIMED, stroke_width=6, stroke_dasharray="16 7", stroke_linejoin="round")

    def spot(self, place: str, pieces: Sequence[str] = ()) -> Box | None:
        """What lies in a place (of it those pieces that are on the map): its counters, else its name, else its box on the board."""
        here = [self.at[piece] for piece in pieces if piece in self.at] or [lying for lying in self.on_map if lying.unit.place == place]
        if here:
            left, top = min(lying.box[0] for lying in here), min(lying.box[1] for lying in here)
            right, bottom = (max(lying.box[k] + lying.side for lying in here) for k in (0, 1))
            return left, top, right - left, bottom - top
        if place in self.names:
            return self.titles[place]
        return next((area.rect for area in self.layout.board.boxes if area.id == place), None)

    def ways(self) -> None:
        """An arrow for everything that is on its way, from the counters that go to what stands in the zone."""
        for way in self.scene.ways:
            start, goal = self.spot(way.start, way.pieces), self.spot(way.to)
            if start is not None and goal is not None:
                self.arrow_between(start, goal, ARROWS.get(way.kind, WAY))

    def way(self) -> None:
        boxes = [box for name in self.paint.way if (box := self.spot(name)) is not None]
        for a, b in pairwise(boxes):
            self.arrow_between(a, b, WAY)

    def arrow_between(self, a: Box, b: Box, colour: str) -> None:
        """An arrow from the edge of one rectangle to that of another."""
        start, goal = (a[0] + a[2] / 2, a[1] + a[3] / 2), (b[0] + b[2] / 2, b[1] + b[3] / 2)
        self.arrow(start, goal, colour, _reach(a, start, goal) + 4, _reach(b, goal, start) + 9)

    def arrow(self, a: Point, b: Point, colour: str, leave: float, keep: float) -> None:
        """An arrow that begins and ends so many pixels off two points."""
        far = math.dist(a, b)
        if far < 1:
            return
        if far < leave + keep + 30:
            leave, keep = far * 0.2, far * 0.1
        ux, uy = (b[0] - a[0]) / far, (b[1] - a[1]) / far
        x1, y1, x2, y2 = a[0] + ux * leave, a[1] + uy * leave, b[0] - ux * keep, b[1] - uy * keep
        head = min(34.0, math.dist((x1, y1), (x2, y2)) * 0.6)
        bx, by = x2 - ux * head, y2 - uy * head
        w = head * 0.55
        shape = [(x2, y2), (bx - uy * w, by + ux * w), (bx + uy * w, by - ux * w)]
        for ink, more in (("#ffffff", 5.0), (colour, 0.0)):
            self.c.line(x1, y1, bx, by, stroke=ink, stroke_width=9 + more, stroke_linecap="round")
            self.c.polygon(shape, fill=ink, stroke=ink, stroke_width=more, stroke_linejoin="round")

    # -- beside the map

    def boxes(self) -> list[tuple[str, list[Seen]]]:
        """What lies in the boxes of the board, as far as it has room; (title, counters) of the boxes that are too full."""
        full = []
        titles = dict(self.scene.places)
        drawn_ = set(self.names)
        for area in self.layout.board.boxes:
            drawn_.add(area.id)
            here = [unit for unit in self.by_place.get(area.id, ()) if unit.piece not in self.on_display]
            if not here:
                continue
            x, y, w, h = area.rect
            self.number(x + w - 13, y + h - 12, str(len(here)), 11)
            if not self.filled((x, y + plan.HEADER, w, h - plan.HEADER - 18), here):
                c = self.c
                c.text(x + w / 2, y + h / 2 + 8, "listed below", 17, weight=600, italic=True, fill=INK, max_width=w - 10.0, where="box")
                full.append((titles.get(area.id, area.name), here))
        for place, units in self.by_place.items():
            rest = [unit for unit in units if unit.piece not in self.on_display]
            if place not in drawn_ and rest:
                full.append((titles.get(place, place), rest))
        return full

    def filled(self, rect: Rect, units: Sequence[Seen]) -> bool:
        """Counters in rows in a rectangle, as large as they fit side by side; False when they do not."""
        x, y, w, h = rect
        for side in BOXED:
            step = side + 4
            columns, rows = int((w - 8) // step), int((h - 2) // step)
            if columns * rows < len(units):
                continue
            columns = min(columns, len(units))
            rows = -(-len(units) // columns)
            left, top = x + (w - columns * step + 4) / 2, y + (h - rows * step + 4) / 2
            for i, unit in enumerate(units):
                cx, cy = left + i % columns * step + side / 2, top + i // columns * step + side / 2
                self.frame(unit, cx, cy, side)
                self.counter(cx, cy, side, unit)
            return True
        return False

    def tracks(self) -> None:
        """The markers on the tracks; two in one cell side by side."""
        by_id = {marker.id: marker for marker in self.layout.counters.markers}
        cells = {
            cell.name: rect for track in self.layout.board.tracks for _, cell, rect in plan.track_cells(self.box, track)
        }
        turns = {turn_name(turn): rect for turn, rect in plan.turn_cells(self.layout, self.box).items()}
        there: dict[str, list[Laid]] = {}
        for laid in self.scene.laid:
            if (laid.at in cells or laid.at in turns) and laid.marker in by_id:
                there.setdefault(laid.at, []).append(laid)
        for name, all_ in there.items():
            x, y, w, h = cells.get(name) or turns[name]
            for i, laid in enumerate(all_):
                if name in turns:
                    side = 40.0
                    left, top = x + w - (i + 1) * (side + 4), y + h - side - 6
                else:
                    side = min(h - 6.0, w - 6.0, 54.0)
                    left, top = x + (w - side) / 2 if w < 2 * side else x + w - side - 4, y + (h - side) / 2
                self.place_marker(by_id[laid.marker], left, top, side)
                if laid.word and name in cells:
                    self.number(left + side - 2, top + 3, laid.word, 12)

    def lasting(self) -> None:
        """Markers in the holds of the board: what lasts."""
        by_id = {marker.id: marker for marker in self.layout.counters.markers}
        for hold in self.layout.board.holds:
            here = [by_id[laid.marker] for laid in self.scene.laid if laid.at == hold.name and laid.marker in by_id]
            x, y, w, _ = hold.rect
            side = 48.0 if len(here) <= 8 else 38.0
            columns = max(1, int((w - 10) // (side + 4)))
            for i, marker in enumerate(here):
                left, top = x + 7 + i % columns * (side + 4), y + plan.HEADER + 4 + i // columns * (side + 4)
                self.place_marker(marker, left, top, side)

    def piles(self) -> None:
        """Draw piles as cards with their number, cards laid open by name."""
        rects = {area.id: area.rect for area in self.layout.board.boxes} | {hold.name: hold.rect for hold in self.layout.board.holds}
        for pile_ in self.scene.piles:
            if pile_.place not in rects or not pile_.count:
                continue
            x, y, w, h = rects[pile_.place]
            if pile_.names:
                self.named(pile_.names, (x + 8, y + plan.HEADER + 4, w - 16, h - plan.HEADER - 24))
                continue
            for k in (2, 1, 0) if pile_.count > 1 else (0,):
                left, top = x + w / 2 - 26 + 3 * k, y + plan.HEADER + 8 - 2 * k
                self.c.rect(left, top, 52, 66, rx=5, fill="#6b5a3a", stroke=PAPER, stroke_width=1.6)
            self.c.text(x + w / 2, y + plan.HEADER + 52, str(pile_.count), 32, weight=900, fill="#fff7e4", max_width=46, where="pile")

    def named(self, names: Sequence[str], rect: Rect, size: float = 15.0) -> None:
        """Names of cards in lines, in two columns and smaller where there are many."""
        x, y, w, h = rect
        columns = 1
        while -(-len(names) // columns) * (size + 2) > h and size > 9:
            columns, size = 2, size - 1 if columns == 2 else size
        down = -(-len(names) // columns)
        for k, name in enumerate(names):
            left, base, room = x + k // down * (w / columns), y + size + k % down * (size + 2), w / columns - 6
            self.c.text(left, base, name, size, weight=700, fill=INK, anchor="start", max_width=room, where="card")

    # -- below the board

    def panel(self, top: float, high: float) -> tuple[float, float]:
        """A panel as wide as the board; where its words begin, and how wide they may be."""
        colours, left = self.layout.board.colours, self.layout.board.left - 10
        wide = self.layout.board.width - 2 * left
        self.c.rect(left, top, wide, high, fill=colours["panel"], stroke=colours["frame"], stroke_width=2)
        return left + 24.0, wide - 48.0

    def band(self, top: float) -> float:
        """Caption and legend; where the next thing stands."""
        colours = self.layout.board.colours
        room = self.layout.board.width - 2 * (self.layout.board.left - 10) - 48.0
        lines: list[tuple[str, float, int]] = []
        for i, text in enumerate(self.caption):
            size, weight = (1.6 * LETTERS, 900) if i == 0 else (1.1 * LETTERS, 600) if i <= 2 else (LETTERS, 400)
            lines += [(line, size, weight) for line in wrapped(text, size, room, weight)]
        mark = len(self.c.body)
        y = top + 20.0
        left = self.layout.board.left - 10 + 24.0
        for k, (line, size, weight) in enumerate(lines):
            y += size + 8
            fill = colours["city"] if k == 0 else INK
            self.c.text(left, y, line, size, weight=weight, fill=fill, anchor="start", max_width=room, where="caption")
        bottom = self.legend(left, y + 44, room, LETTERS) + 40
        made = self.c.body[mark:]
        del self.c.body[mark:]
        self.panel(top, bottom - top)
        self.c.body += made
        return bottom + 12

    def listed(self, top: float, boxes: Sequence[tuple[str, Sequence[Seen]]]) -> float:
        """What lies in boxes that have no room for it, counter by counter."""
        if not boxes:
            return top
        side, mark = 56, len(self.c.body)
        left = self.layout.board.left - 10 + 24.0
        end = self.layout.board.width - left
        x, y = left, top + 14.0
        for title, units in boxes:
            words = f"{title}: {len(units)}"
            need = max(face(700).width(words, LETTERS), min(len(units), 8) * (side + 5))
            if x > left and x + need > end:
                x, y = left, y + 34 + side + 16
            begin = x
            self.c.text(x, y + 24, words, 0.85 * LETTERS, weight=700, fill=INK, anchor="start", where="box")
            for unit in units:
                if x + side > end:
                    x, y = left, y + side + 5
                self.counter(x + side / 2, y + 34 + side / 2, side, unit)
                x += side + 5
            x = max(x, begin + face(700).width(words, 0.85 * LETTERS)) + 34
        bottom = y + 34 + side + 18
        made = self.c.body[mark:]
        del self.c.body[mark:]
        self.panel(top, bottom - top)
        self.c.body += made
        return bottom + 12

    def draw_displays(self, top: float) -> float:
        """The displays that the reader sees, side by side, with all that lies on them."""
        if not self.shown:
            return top
        gap, left = 14.0, self.layout.board.left - 10.0
        wide = sum(made.width for _, made in self.shown)
        k = min(1.4, (self.layout.board.width - 2 * left - gap * (len(self.shown) - 1)) / wide)
        x, board = left, self.c
        for display, made in self.shown:
            self.c = Canvas(made.width, made.height)
            self.on_cards(made)
            svg = displays.draw_display(self.box, self.layout, display).svg
            inside = svg[svg.index(">") + 1 :].removesuffix("</svg>")
            board.group((inside, *self.c.body), transform=f"translate({num(x)} {num(top)}) scale({k:.4f})")
            x += made.width * k + gap
        self.c = board
        return top + k * max(made.height for _, made in self.shown) + 12

    def on_cards(self, made: displays.Plan) -> None:
        """The units in the boxes of a display, where each formation stands, and the cards in hand."""
        size = self.layout.counters.size
        places = {unit.piece: unit.place for unit in self.scene.units if unit.piece in self.rooms}
        hands = {pile_.place: pile_ for pile_ in self.scene.piles}
        for card in made.cards:
            x, y, w, h = card.rect
            held = [u for u in self.scene.units if u.piece in self.on_display and _box_of(u) == card.id]
            if card.id in hands:
                self.named(hands[card.id].names, (x + 14, y + plan.HEADER + 8, w - 28, h - plan.HEADER - 30), 24.0)
            if card.slots:
                self.where(places.get(card.id, ""), card)
                for number, unit in enumerate(held):
                    sx, sy = card.slots[number] if number < len(card.slots) else (x + w - size / 2, y + h - size / 2 - 4 * number)
                    self.counter(sx, sy, size, unit)
            elif held:
                self.number(x + w - 20, y + plan.HEADER / 2, str(len(held)), 13)
                if not self.filled((x, y + plan.HEADER, w, h - plan.HEADER - 24), held):
                    self.fanned((x, y + plan.HEADER, w, h - plan.HEADER - 24), held)

    def fanned(self, rect: Rect, units: Sequence[Seen]) -> None:
        """More counters than fit side by side: rows in which each shows the left half of the one below it at least."""
        x, y, w, h = rect
        side = 38
        rows = max(1, int(h // (side + 3)))
        columns = -(-len(units) // rows)
        step = (w - 12 - side) / max(columns - 1, 1)
        for i, unit in enumerate(units):
            self.counter(x + 6 + side / 2 + i % columns * step, y + 4 + side / 2 + i // columns * (side + 3), side, unit)

    def where(self, place: str, card: displays.Card) -> None:
        """Where a formation stands, in its box on the display: the zone, or the box in which it lies."""
        titles = dict(self.scene.places)
        text = f"{place} {self.zones.row(place).text('name')}" if place in self.names else titles.get(place, place)
        x, y, w, _ = card.rect
        line = card.words.index(NOW) if NOW in card.words else 0
        left = face(400).width(f"{NOW} ", 14) if NOW in card.words else 0.0
        ink, base = self.layout.board.colours["city"], y + plan.HEADER + 17 + 17 * line
        self.c.text(x + 9 + left, base, text, 14, weight=700, fill=ink, anchor="start", max_width=w - 16 - left, where="display")

    # -- legend

    def entries(self) -> Iterable[tuple[str, str]]:
        """Colours of holders, stripes, badges, frames and arrows, as far as they are there."""
        titles = dict(self.scene.holders)
        for holder in dict.fromkeys(held.holder for held in self.scene.held):
            yield f"holder {holder}", f"{titles[holder]} control"
        if any(len(held.there) > 1 for held in self.scene.held):
            yield "contested", "contested"
        there = {mark for unit in self.scene.units for mark in unit.marks}
        yield from ((f"badge {mark}", words) for mark, words in self.scene.marks if mark in there and mark in BADGES)
        by_id = {marker.id: marker for marker in self.layout.counters.markers}
        zones = set(self.names) | set(self.at)
        told = (laid.marker for laid in self.scene.laid if laid.at in zones and laid.marker in by_id)
        yield from ((f"marker {marker}", by_id[marker].name) for marker in dict.fromkeys(told) if by_id[marker].style != "contested")
        yield from ((f"role {role}", role) for role in ROLES if role in self.roles.values())
        yield from ((f"arrow {kind}", kind) for kind in ARROWS if any(way.kind == kind for way in self.scene.ways))
        if self.paint.words:
            yield "reach", "in reach"
        if self.scene.acting or self.paint.targets:
            yield "aim", "what the decision is about"

    def sign(self, sign: str, x: float, y: float) -> None:
        c = self.c
        kind, _, which = sign.partition(" ")
        if kind == "holder":
            fill = vivid(self.colours[which][0])
            c.rect(x - 22, y - 16, 44, 32, fill="#f2ead2", stroke=INK, stroke_width=1.4)
            c.rect(x - 22, y - 16, 44, 32, fill=fill, fill_opacity=tint(fill))
            c.rect(x - 22, y - 16, 14, 32, fill=fill, fill_opacity=0.6)
        elif kind == "contested":
            c.rect(x - 22, y - 16, 44, 32, fill="#f2ead2", stroke=INK, stroke_width=1.4)
            for k in range(3):
                left = x - 20 + 14 * k
                c.polygon([(left, y + 16), (left + 7, y + 16), (left + 14, y - 16), (left + 7, y - 16)], fill=INK, fill_opacity=STRIPE)
        elif kind == "badge":
            self.badge(x, y, 14, which)
        elif kind == "marker":
            marker = next(m for m in self.layout.counters.markers if m.id == which)
            self.place_marker(marker, x - 18, y - 18, 36)
        elif kind == "role":
            c.rect(x - 17, y - 17, 34, 34, rx=5, fill=ROLES[which])
            c.rect(x - 11, y - 11, 22, 22, fill=PAPER)
        elif kind == "arrow":
            self.arrow((x - 26, y), (x + 26, y), ARROWS[which], 0, 0)
        elif kind == "reach":
            c.rect(x - 20, y - 15, 40, 30, fill=REACHED, fill_opacity=0.3, stroke=REACHED, stroke_width=3)
        elif kind == "aim":
            c.rect(x - 20, y - 15, 40, 30, fill=AIMED, fill_opacity=0.14, stroke=AIMED, stroke_width=5, stroke_dasharray="11 5")


def _reach(box: Box, start: Point, goal: Point) -> float:
    """How far a line from the middle of a rectangle towards a point runs inside it."""
    dx, dy = abs(goal[0] - start[0]), abs(goal[1] - start[1])
    far = math.hypot(dx, dy) or 1.0
    return min(box[2] / 2 * far / dx if dx else math.inf, box[3] / 2 * far / dy if dy else math.inf, far)


def _box_of(unit: Seen) -> str:
    """The box of a display that a unit lies in: that of the formation which holds it, else its place."""
    return next((mark.removeprefix("in:") for mark in unit.marks if mark.startswith("in:")), unit.place)
