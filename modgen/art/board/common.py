"""What every board has, whatever its map is made of: paper, frame, title, key, names, and the boxes and tracks beside the map."""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gamebox.model import Box, Row
from modgen.art import plan
from modgen.art.counters.marks import draw_marker
from modgen.art.counters.pen import UNIT
from modgen.art.drawing import Drawing, Window
from modgen.art.field import Field
from modgen.art.fonts import face
from modgen.art.ground import pattern
from modgen.art.labels import PlaceName, Placer, TextBox
from modgen.art.svg import Canvas, Point, num
from modgen.errors import ArtError
from modgen.layout.counters import MarkerFace
from modgen.layout.layout import Layout
from modgen.layout.reading import Rect
from modgen.layout.tracks import Cell, TurnMark, filled

PICTURE = 28
"""The side of a pictogram on the turn track in pixels."""
PORTRAIT = (860, 560)
MARGIN = 10
"""Pixels between the outermost places of the map and its frame."""


@dataclass(frozen=True, slots=True)
class BoardArt:
    """A drawn board: SVG text, its size, the frame of the map, and the boxes of all words on it."""

    svg: str
    width: int
    height: int
    frame: Rect
    words: Placer
    title: Rect
    heart: tuple[int, int]
    """The middle of the place that stands for the game: the city that is drawn largest, else the middle of the map."""
    names: Mapping[str, PlaceName]
    """Place -> where the name of the city in it is drawn."""
    paper: str = "#ffffff"
    under: tuple[bytes, Rect] | None = None
    """A PNG that is spread over a rectangle below everything else, where the drawing leaves it open."""

    def drawing(self, file: str) -> Drawing:
        """The board as a picture."""
        return Drawing(file, self.svg, self.width, self.height, paper=self.paper, under=self.under)

    def portrait(self, file: str) -> Drawing:
        """A piece of the board at full size around its heart, under its title: a picture that can be read."""
        x, y, w, h = self.frame
        wide, high = min(PORTRAIT[0], w), min(PORTRAIT[1], h)
        left = min(max(self.heart[0] - wide * 5 // 8, x), x + w - wide)
        top = min(max(self.heart[1] - high * 9 // 16, y), y + h - high)
        a, b, c, d = self.title
        windows = (Window((left, top, wide, high), 0, 0), Window((a - 2, b - 2, c + 4, d + 4), 12, 12))
        return Drawing(file, self.svg, wide, high, paper=self.paper, under=self.under, windows=windows)


def wrapped(text: str, size: float, room: float, weight: int = 400, italic: bool = False) -> list[str]:
    """Words in lines no wider than ``room`` pixels; a word that is wider stands alone."""
    type_, lines = face(weight, italic), [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if not lines[-1] or type_.width(longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return [line for line in lines if line]


def heading(c: Canvas, title: str, rect: Rect, where: str, capitals: bool = True) -> float:
    """Words in the heading strip of a panel, smaller where it is narrow; how wide they are. Names stay as they are written."""
    x, y, w, _ = rect
    words, size, spacing = title.upper() if capitals else title, 16.0 if capitals else 18.0, 1.2 if capitals else 0.4
    while size > 11 and face(700).width(words, size, spacing) > w - 14:
        size, spacing = size - 0.5, max(spacing - 0.1, 0.0)
    left, base = x + min(10, (w - 4) / 12), y + 20 - (16 - size) / 3
    return c.text(left, base, words, size, weight=700, fill="#fff7e4", anchor="start", spacing=spacing, max_width=w - 10.0, where=where)


class Board(ABC):
    """One board being drawn. What the map is made of is the part of those that come after it: hexes, zones."""

    key_note = "slanted = reconstructed"
    """What the heading of the key adds."""

    def __init__(self, box: Box, layout: Layout, field: Field) -> None:
        self.box, self.layout, self.field = box, layout, field
        # Open where the map lets shine through what lies under it; paper is laid around the map in the end.
        self.c = Canvas(layout.board.width, layout.board.height)
        self.words = Placer()
        self.faults: list[str] = []
        self.tiles: set[str] = set()
        self.place_names: dict[str, PlaceName] = {}
        width, height = field.size
        self.frame: Rect = (layout.board.left - MARGIN, layout.board.top - MARGIN, width + 2 * MARGIN, height + 2 * MARGIN)

    def texture(self, name: str, ground: str = "") -> str:
        """A texture as something to fill with, on a ground of a colour or on what is there; it is put into the picture once."""
        key = f"{name}{ground.replace('#', '-')}"
        if key not in self.tiles:
            self.tiles.add(key)
            self.c.defs.append(pattern(name, key, ground))
        return f"url(#{key})"

    # -- what a kind of map adds

    @abstractmethod
    def map(self) -> None:
        """Draw the map itself; it may run on beyond the frame, for paper is laid over that."""

    @abstractmethod
    def margin(self) -> None:
        """Draw what stands in the margin around the map: arrows at its edges."""

    @abstractmethod
    def key(self, x: float, y: float, w: float) -> None:
        """Draw the swatches and words of the key in a column ``w`` wide."""

    def picture(self, x: float, y: float, mark: TurnMark, where: str) -> None:
        """A pictogram of the turn track, by its upper left corner."""
        art = draw_marker(MarkerFace("", "", mark.style, mark.colour, mark.ink, "", ""), where)
        self.c.group(art.parts, transform=f"translate({num(x)} {num(y)}) scale({num(PICTURE / UNIT)})")

    @abstractmethod
    def doubts(self) -> Iterable[tuple[str, int, int]]:
        """What the key calls each kind of thing on the map, how many of it our data calls reconstructed, and of how many."""

    @abstractmethod
    def heart(self) -> tuple[int, int]:
        """The pixel that stands for the game."""

    def under(self) -> tuple[bytes, Rect] | None:
        """A picture below the drawing, or None."""
        return None

    # -- the whole

    def draw(self) -> BoardArt:
        """The finished board.

        Raises :class:`ArtError` with everything that does not fit.
        """
        layout, c = self.layout, self.c
        x, y, w, h = self.frame
        self.map()
        paper = layout.board.colours["paper"]
        c.path(f"M0 0H{c.width}V{c.height}H0ZM{x} {y}V{y + h}H{x + w}V{y}Z", fill=paper)
        c.rect(x, y, w, h, fill="none", stroke=layout.board.colours["frame"], stroke_width=3)
        c.rect(x - 5, y - 5, w + 10, h + 10, fill="none", stroke=layout.board.colours["frame"], stroke_width=1)
        self.margin()
        self.title()
        self.turns()
        self.tracks()
        self.boxes()
        self.holds()
        self.legend()
        self.faults += [f"{a.what} touches {b.what} on the map" for a, b in self.words.collisions() if "label" not in a.what + b.what]
        if self.faults:
            raise ArtError("\n".join(self.faults))
        return BoardArt(
            svg=str(c),
            width=layout.board.width,
            height=layout.board.height,
            frame=self.frame,
            words=self.words,
            title=layout.board.title_rect,
            heart=self.heart(),
            names=self.place_names,
            paper=paper,
            under=self.under(),
        )

    # -- names on the map

    def keep_off_panels(self) -> None:
        """Keeps names of the map from hiding under panels that lie on it."""
        board = self.layout.board
        named = [(area.name, area.rect) for part in (board.boxes, board.holds, board.tracks) for area in part]
        named += [("title", board.title_rect), ("turn track", board.turns_rect), ("key", board.legend_rect)]
        for name, (x, y, w, h) in named:
            self.words.add(TextBox(x + w / 2, y + h / 2, w, h, what=f"panel {name}", group="panels"))

    def avoid(self, line: Sequence[Point], width: float, what: str, weight: float) -> None:
        """Names keep off this line where they can."""
        for a, b in itertools.pairwise(line):
            self.words.avoid(TextBox.along(a, b, width, what), weight)

    def labels(self) -> None:
        """The names that the layout puts on the map."""
        styles = {"land": ("#55462f", 700, False), "sea": ("#2e6a90", 400, True), "range": ("#5d4322", 600, True)}
        for label in self.layout.board.labels:
            colour, weight, italic = styles[label.style]
            x, y = self.field.centre(label.at) if label.at else (0, 0)
            x, y = x + label.dx, y + label.dy
            wide = face(weight, italic).width(label.text, label.size, label.spacing)
            box = TextBox(x, y, wide, label.size * 0.74, label.rotate, what=f"label {label.text}")
            if (hit := self.words.hit(box)) is not None:
                self.faults.append(
                    f"{self.layout.path.name}: [[label]] {label.text!r} at {label.at or (x, y)} touches {hit.what}: move it by dx, dy or at"
                )
            self.words.add(box)
            a = math.radians(label.rotate)
            drop = label.size * 0.34
            # A pale rim where lines or the texture of mountains run through the letters.
            rim = "#f6efdb" if label.style != "sea" and (label.style == "range" or self.words.cost(box)) else None
            self.c.text(
                x - math.sin(a) * drop,
                y + math.cos(a) * drop,
                label.text,
                label.size,
                weight=weight,
                italic=italic,
                fill=colour,
                spacing=label.spacing,
                rotate=label.rotate,
                halo=rim,
                halo_width=2.6,
                where=f"label {label.text}",
            )

    # -- around the map

    def panel(self, rect: Rect, title: str, note: str = "") -> None:
        x, y, w, h = rect
        c, colours = self.c, self.layout.board.colours
        c.rect(x, y, w, h, fill=colours["panel"], stroke=colours["frame"], stroke_width=2)
        c.rect(x, y, w, plan.HEADER, fill=colours["frame"])
        wide = heading(c, title, rect, f"heading {title}")
        if note and face(400, True).width(note, 14) < w - wide - 30:
            c.text(x + w - 10, y + 19.5, note, 14, italic=True, fill="#e9dcc0", anchor="end", where=f"note of {title}")
        elif note:
            ink = colours["ink"]
            c.text(x + w / 2, y + h - 9, note, 14, italic=True, fill=ink, max_width=w - 12.0, where=f"note of {title}")

    def title(self) -> None:
        x, y, w, h = self.layout.board.title_rect
        c, colours = self.c, self.layout.board.colours
        c.rect(x, y, w, h, fill=colours["panel"], stroke=colours["frame"], stroke_width=2.5)
        c.rect(x + 6, y + 6, w - 12, h - 12, fill="none", stroke=colours["frame"], stroke_width=1)
        words = self.layout.title.upper()
        notes = [*self.layout.notes, *self.reconstructed(w - 40)]
        size = min(64.0, 52.0 * (w - 48) / face(900).width(words, 52, 1))
        c.text(x + w / 2, y + 30 + size * 0.72, words, size, weight=900, fill=colours["city"], spacing=1, where="title")
        c.line(x + 40, y + 44 + size * 0.72, x + w - 40, y + 44 + size * 0.72, stroke=colours["frame"], stroke_width=1.5)
        c.text(x + w / 2, y + 70 + size * 0.72, self.layout.subtitle, 21, weight=600, fill=colours["ink"], where="subtitle")
        for k, note in enumerate(notes):
            c.text(
                x + w / 2,
                y + 98 + size * 0.72 + k * 18,
                note,
                14.5,
                italic=True,
                fill=colours["reconstructed"],
                max_width=w - 30,
                where="note",
            )

    def reconstructed(self, room: float) -> list[str]:
        """Which kinds of the key are reconstructed, wholly or in part, by the sources of the data: lines no wider than ``room``."""
        kinds = [label for label, ours, _ in self.doubts() if ours]
        if not kinds:
            return []
        type_, lines = face(400, True), ["Reconstructed, all or some:"]
        for k, kind in enumerate(kinds):
            word = kind + ("," if k + 1 < len(kinds) else ".")
            for part in word.split(" "):
                longer = f"{lines[-1]} {part}"
                if type_.width(longer, 14.5) <= room:
                    lines[-1] = longer
                else:
                    lines.append(part)
        return lines

    def turns(self) -> None:
        """The turn track: a cell a turn with its date, pictograms of what it brings, its replacements, and words at its foot."""
        layout, c, colours = self.layout, self.c, self.layout.board.colours
        track = layout.board.turn_track
        self.panel(layout.board.turns_rect, "Turn Record Track", track.note)
        table = self.box["rates"] if "rates" in self.box.tables else ()
        rates: dict[tuple[str, str], Row] = {(r.text("turn"), r.text("rate")): r for r in table}
        for turn, (x, y, w, h) in plan.turn_cells(layout, self.box).items():
            row = self.box["turns"][turn]
            tint = next((fill for where, fill in track.tints if where(row)), "none")
            c.rect(x, y, w, h, fill=tint, stroke=colours["frame"], stroke_width=1)
            c.text(x + 10, y + 34, turn, 32, weight=900, fill=colours["city"], anchor="start", where="turn")
            ours = not row.source("date").certain
            ink = colours["reconstructed" if ours else "ink"]
            c.text(x + w - 8, y + 20, filled(track.date, row, self.box), 14, weight=600, italic=ours, fill=ink, anchor="end", where="date")
            self.turn_pictures(turn, (x, y, w, h))
            left = x + 8.0
            for rate, word, colour in layout.board.rate_labels:
                found = rates.get((turn, rate))
                if found is None or found.int("number") == 0:
                    continue
                certain = found.source("number").certain
                text = f"{word}{found.int('number')}"
                wide = face(700).width(text, 13) + 7
                c.rect(left, y + h - 25, wide, 19, rx=3, fill=colour)
                weight = 700 if certain else 600
                c.text(left + wide / 2, y + h - 11, text, 13, weight=weight, italic=not certain, fill="#ffffff", where="rate")
                left += wide + 3
            self.turn_words(turn, (x, y, w, h - (25 if left > x + 8 else 0)))
        self.game_ends()

    def marked(self, turn: str, mark: TurnMark) -> list[str]:
        """What a mark says of a turn, once for every row that passes."""
        return [filled(mark.text, row, self.box) for row in self.box[mark.table] if row.text(mark.column) == turn and mark.where(row)]

    def turn_pictures(self, turn: str, rect: Rect) -> None:
        """The pictograms of a turn, in a row below its number."""
        x, y, _, _ = rect
        left = x + 9
        for mark in self.layout.board.turn_track.marks:
            for word in self.marked(turn, mark) if mark.style else ():
                self.picture(left, y + 41, mark, f"turn {turn}")
                left += PICTURE + 4
                if word:
                    wide = self.c.text(left, y + 60, word, 15, weight=700, fill=mark.colour, anchor="start", where=f"turn {turn}")
                    left += round(wide) + 6

    def turn_words(self, turn: str, rect: Rect) -> None:
        """What a turn says at the foot of its cell, in lines from the bottom upwards: the words of the tables, above them the scenarios
        that end with it."""
        x, y, w, h = rect
        lines: list[tuple[str, str, int]] = []
        for name in plan.last_turns(self.layout, self.box).get(turn, ()):
            lines += [(line, self.layout.board.colours["ink"], 400) for line in wrapped(name, 13.5, w - 14.0)]
        for mark in self.layout.board.turn_track.marks:
            # A name is not broken over two lines.
            words = [word.replace(" ", "\u00a0") for word in self.marked(turn, mark)] if not mark.style else []
            lines += [(line, mark.colour, 600) for line in wrapped(", ".join(words), 13.5, w - 14.0, weight=600)]
        step = min(15.0, (h - 48.0) / max(len(lines), 1))
        for k, (line, colour, weight) in enumerate(lines):
            base = y + h - 8 - step * (len(lines) - 1 - k)
            self.c.text(x + 8, base, line, min(13.5, step), weight=weight, fill=colour, anchor="start", where="turn mark")

    def tracks(self) -> None:
        """Rows of cells, each with its value and small print; the row's label before its first cell."""
        c, colours = self.c, self.layout.board.colours
        for track in self.layout.board.tracks:
            self.panel(track.rect, track.name, track.note)
            labelled: set[int] = set()
            for row, cell, (x, y, w, h) in plan.track_cells(self.box, track):
                c.rect(x + 1, y + 1, w - 2, h - 2, fill=row.colour, fill_opacity=0.1, stroke=row.colour, stroke_width=1.4)
                self.cell(cell, row.colour, (x, y, w, h))
                if id(row) not in labelled:
                    labelled.add(id(row))
                    left, _, wide, _ = plan.row_head(track, (x, y, w, h), row)
                    left, room = left + 4, wide - 10.0
                    notes = wrapped(row.note, 12.5, room)
                    base = y + h / 2 + 6 - 7 * len(notes)
                    c.text(left, base, row.label, 16, weight=700, fill=row.colour, anchor="start", max_width=room, where="track")
                    for k, line in enumerate(notes):
                        c.text(left, base + 15 + 13 * k, line, 12.5, italic=True, fill=colours["ink"], anchor="start", where="track")

    def cell(self, cell: Cell, colour: str, rect: Rect) -> None:
        """One cell of a track: a big pale value where a marker stands, or a small one with words beside it."""
        x, y, w, h = rect
        colours = self.layout.board.colours
        ink = colours["ink" if cell.certain else "reconstructed"]
        lines = [line for words in cell.words for line in wrapped(words, 13.5, w - 14.0, weight=400)]
        if not lines:
            self.c.text(x + w / 2, y + h / 2 + 8, cell.value, 23, weight=700, fill=colour, max_width=w - 8.0, where="track")
            return
        self.c.text(x + 7, y + 21, cell.value, 19, weight=900, fill=colour, anchor="start", max_width=w - 12.0, where="track")
        for k, line in enumerate(lines):
            base, room, ours = y + 36 + 14 * k, w - 12.0, not cell.certain
            self.c.text(x + 7, base, line, 13.5, italic=ours, fill=ink, anchor="start", max_width=room, where="track")
        if 36 + 14 * (len(lines) - 1) > h - 4:
            self.faults.append(f"{self.layout.path.name}: [[track]]: the words of {cell.name!r} do not fit into {w} x {h} pixels")

    def game_ends(self) -> None:
        """Marks on the track the last turns of the scenarios that are offered set up, and pales those that none of them reaches."""
        layout, c, colours = self.layout, self.c, self.layout.board.colours
        ends = plan.last_turns(layout, self.box)
        cells = plan.turn_cells(layout, self.box)
        for turn, (x, y, w, h) in cells.items():
            if ends and int(turn) > max(map(int, ends)):
                c.rect(x + 1, y + 1, w - 2, h - 2, fill=colours["closed"], fill_opacity=0.72)
        for turn in ends:
            if turn not in cells:
                continue
            x, y, w, h = cells[turn]
            c.rect(x + 2, y + 2, w - 4, h - 4, fill="none", stroke=colours["city"], stroke_width=4)
            c.text(x + w - 8, y + 37, "GAME ENDS", 14, weight=700, fill=colours["city"], anchor="end", max_width=w - 56.0, where="turn")

    def boxes(self) -> None:
        c, colours = self.c, self.layout.board.colours
        for area in self.layout.board.boxes:
            found = plan.slots(self.box, area)
            note = area.note or (f"by {area.column} strength" if found and not area.slots else "")
            self.panel(area.rect, area.title, note)
            for slot in found:
                x, y, w, h = slot.rect
                if x > area.rect[0]:
                    c.line(x, y, x, y + h, stroke=colours["frame"], stroke_width=1, stroke_opacity=0.45)
                if slot.large:
                    c.text(x + 8, y + 22, slot.label, 22, weight=900, fill=colours["frame"], opacity=0.35, anchor="start", where="slot")
                    continue
                for k, line in enumerate(wrapped(slot.label, 13.0, w - 12.0, 700)):
                    base = y + 18 + 15 * k
                    c.text(x + 7, base, line, 13, weight=700, fill=colours["ink"], anchor="start", max_width=w - 12.0, where="slot")

    def holds(self) -> None:
        for area in self.layout.board.holds:
            self.panel(area.rect, area.name)
            x, y, w, h = area.rect
            self.c.text(
                x + w / 2,
                y + h - 9,
                area.note,
                14,
                italic=True,
                fill=self.layout.board.colours["ink"],
                max_width=w - 12,
                where=f"note of {area.name}",
            )

    def legend(self) -> None:
        """The panel of the key."""
        x, y, w, _ = self.layout.board.legend_rect
        self.panel(self.layout.board.legend_rect, "Key to the Map", self.layout.board.key_note or self.key_note)
        self.key(x + 14, y + plan.HEADER + 12, w - 28)
