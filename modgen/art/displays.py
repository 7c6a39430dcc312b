"""Draws a side's display: a box for every formation with its slots, and wide boxes for what the side keeps hidden."""

from __future__ import annotations

from dataclasses import dataclass

from gamebox.model import Box
from modgen.art.board.common import heading, wrapped
from modgen.art.drawing import Drawing
from modgen.art.fonts import face
from modgen.art.plan import HEADER
from modgen.art.svg import Canvas
from modgen.errors import ArtError
from modgen.layout.displays import Display, rows, words
from modgen.layout.layout import Layout
from modgen.layout.reading import Rect
from modgen.layout.tracks import filled

MARGIN, GAP, TITLE = 20, 12, 64
STEP = 6
"""Pixels between two slots."""
SMALL = 14.0


@dataclass(frozen=True, slots=True)
class Card:
    """One box of a display."""

    id: str
    """The game's box."""
    name: str
    """How clients call it."""
    title: str
    words: tuple[str, ...]
    rect: Rect
    slots: tuple[tuple[int, int], ...]
    """The middles of its slots, the first to be filled first; none where counters lie as they like."""
    certain: bool
    """Whether the number of its slots is printed or derived."""

    def spot(self, number: int, size: int) -> tuple[int, int]:
        """Where the counter of this number (from 0) stands, of ``size`` pixels."""
        if self.slots:
            return self.slots[number % len(self.slots)]
        x, y, w, h = self.rect
        step = size + STEP
        across = max(1, (w - 16) // step)
        down = max(1, (h - HEADER - 30) // step)
        column, line = number % across, number // across % down
        return x + 8 + step // 2 + column * step, y + HEADER + 4 + step // 2 + line * step


@dataclass(frozen=True, slots=True)
class Plan:
    """A display laid out: its size and its boxes."""

    display: Display
    width: int
    height: int
    cards: tuple[Card, ...]

    def card(self, id: str) -> Card:
        """The box with this id.

        Raises :class:`ArtError` when the display has none.
        """
        found = next((card for card in self.cards if card.id == id), None)
        if found is None:
            raise ArtError(f"[[display]] {self.display.name!r}: has no box {id!r}; there are {', '.join(c.id for c in self.cards)}")
        return found


def plan(box: Box, layout: Layout, display: Display) -> Plan:
    """Where everything on a display stands."""
    cards, size = display.cards, layout.counters.size
    step = size + STEP
    found = rows(cards, box)
    most = max((row.int(cards.slots) for row in found), default=1)
    lines, small = -(-most // cards.across), max((len(words(cards, row, box)) for row in found), default=0)
    wide = cards.across * step + 16
    high = HEADER + 6 + 17 * small + lines * step + 10
    out = []
    for n, row in enumerate(found):
        x = MARGIN + n % display.columns * (wide + GAP)
        y = TITLE + MARGIN + n // display.columns * (high + GAP)
        top = y + HEADER + 6 + 17 * small + step // 2
        slots = tuple((x + 8 + step // 2 + k % cards.across * step, top + k // cards.across * step) for k in range(row.int(cards.slots)))
        name, title = filled(cards.named, row, box), filled(cards.title, row, box)
        certain = row.source(cards.slots).certain
        out.append(Card(filled(cards.id, row, box), name, title, tuple(words(cards, row, box)), (x, y, wide, high), slots, certain))
    y = TITLE + MARGIN + -(-len(found) // display.columns) * (high + GAP)
    tall, x = HEADER + display.high * step + 34, MARGIN
    for room in display.rooms:
        w = room.span * (wide + GAP) - GAP
        out.append(Card(room.id, room.name, room.title, (room.note,), (x, y, w, tall), (), True))
        x += w + GAP
    width = 2 * MARGIN + display.columns * (wide + GAP) - GAP
    return Plan(display, width, y + (tall + MARGIN if display.rooms else MARGIN - GAP), tuple(out))


def draw_display(box: Box, layout: Layout, display: Display) -> Drawing:
    """A display as a picture.

    Raises :class:`ArtError` when a word has no glyph or no room.
    """
    made = plan(box, layout, display)
    colours = layout.board.colours
    c = Canvas(made.width, made.height, colours["paper"])
    c.rect(6, 6, made.width - 12, made.height - 12, fill="none", stroke=colours["frame"], stroke_width=3)
    c.rect(11, 11, made.width - 22, made.height - 22, fill="none", stroke=colours["frame"], stroke_width=1)
    where = f"display {display.name}"
    wide = c.text(MARGIN + 6, 58, display.title.upper(), 34, weight=900, fill=colours["city"], anchor="start", spacing=1, where=where)
    room = made.width - 2 * MARGIN - wide - 40
    lines = wrapped(display.note, 15.0, room, italic=True)
    for k, line in enumerate(lines):
        base = 58 - 18 * (len(lines) - 1 - k)
        c.text(made.width - MARGIN - 6, base, line, 15, italic=True, fill=colours["ink"], anchor="end", where=where)
    if len(lines) > 3:
        raise ArtError(f"{layout.path.name}: [[display]] {display.name!r} note: is longer than three lines")
    for card in made.cards:
        _card(c, card, layout, where)
    return Drawing(display.file, str(c), made.width, made.height, paper=colours["paper"])


def _card(c: Canvas, card: Card, layout: Layout, where: str) -> None:
    colours, size = layout.board.colours, layout.counters.size
    x, y, w, h = card.rect
    c.rect(x, y, w, h, fill=colours["panel"], stroke=colours["frame"], stroke_width=2)
    c.rect(x, y, w, HEADER, fill=colours["frame"])
    held = str(len(card.slots)) if card.slots else ""
    heading(c, card.title, (x, y, w - (34 if held else 0), h), where, capitals=not held)
    if not card.slots:
        c.text(x + w / 2, y + h - 10, card.words[0], SMALL, italic=True, fill=colours["ink"], max_width=w - 16.0, where=where)
        return
    # How many counters it holds: slanted where we reconstructed it, as everywhere.
    c.circle(x + w - 18, y + HEADER / 2, 11, fill="#fff7e4")
    ink = colours["ink" if card.certain else "reconstructed"]
    weight = 900 if card.certain else 600
    c.text(x + w - 18, y + HEADER / 2 + 6, held, 17, weight=weight, italic=not card.certain, fill=ink, where=where)
    for k, line in enumerate(card.words):
        base = y + HEADER + 17 + 17 * k
        if face(400).width(line, SMALL) > 1.35 * (w - 16):
            raise ArtError(f"{layout.path.name}: [[display]]: {line!r} in {card.name!r} is too long for {w} pixels")
        c.text(x + 9, base, line, SMALL, fill=colours["ink"], anchor="start", max_width=w - 16.0, where=where)
    for sx, sy in card.slots:
        half = size / 2
        c.rect(sx - half, sy - half, size, size, rx=4, fill="#000000", fill_opacity=0.05, stroke=colours["frame"], stroke_width=1.2)
