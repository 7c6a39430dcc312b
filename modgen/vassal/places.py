"""Where the places are that a layout can send pieces to or set them up on: the client's name of each, its map, its pixels."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from gamebox.model import Box
from modgen.art import displays, plan
from modgen.errors import ArtError
from modgen.layout.layout import Layout
from modgen.layout.places import TURNS, on_display, turn_name, zone_name
from modgen.layout.reading import Rect
from modgen.vassal.idioms import quoted

GAP, NOTE = 6, 22
"""Pixels between pieces in a box, and for the note at its foot."""
MARKER_SPOT = 99
"""Markers stand on the last spot of a zone."""
FREE = "Free"
"""The property of a piece that tells which place is the first free one of the box on a display that it is sent to."""
Pixel = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Spot:
    """A place as clients call it, and the pixel where a piece is put in it.

    ``across``, ``at`` are that pixel as the client is told: numbers, or expressions where it depends on how many pieces lie there.
    """

    name: str
    map: str
    x: int
    y: int
    across: str
    at: str
    gaps: bool = False
    """The expressions need to be told where the piece is bound for."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place with all of its spots, which are filled in their order; the last one takes all that come after."""

    name: str
    map: str
    pixels: tuple[Pixel, ...]
    counted: bool = False
    """Pieces that are sent there take the spot after those that lie there."""
    gaps: bool = False
    """Pieces that are sent there take the first spot that is free: of boxes on displays, whose spots lie in lines of equal steps."""

    def spot(self, number: int = 0) -> Spot:
        x, y = self.pixels[min(number, len(self.pixels) - 1)]
        across, at = _counted(self) if self.counted and number == 0 else (str(x), str(y))
        return Spot(self.name, self.map, x, y, across, at, self.gaps)


def steps(place: Place) -> tuple[int, int, int]:
    """How many spots a line has, and how far they lie apart across and down; 0 where there is no next one."""
    here = place.pixels
    line = next((n for n, (_, y) in enumerate(here) if y != here[0][1]), len(here))
    return line, here[1][0] - here[0][0] if line > 1 else 0, here[line][1] - here[0][1] if line < len(here) else 0


def even(place: Place) -> bool:
    """Whether its spots lie in lines of equal steps."""
    (x0, y0), (line, dx, dy) = place.pixels[0], steps(place)
    return all(pixel == (x0 + dx * (n % line), y0 + dy * (n // line)) for n, pixel in enumerate(place.pixels))


def _counted(place: Place) -> tuple[str, str]:
    """Expressions of the pixel of the next free spot: in lines of equal steps the first comes after the last, elsewhere the last stays."""
    here = place.pixels
    if len(here) == 1:
        return str(here[0][0]), str(here[0][1])
    (x0, y0), (line, dx, dy) = here[0], steps(place)
    lying = FREE if place.gaps else f"CountLocation({quoted(place.name)},{quoted(place.map)})"
    if not even(place):
        tests = [f"{lying}<{n} ? " for n in range(1, len(here))] + [""]
        xs, ys = (" : ".join(f"{test}{pixel[k]}" for test, pixel in zip(tests, here, strict=True)) for k in (0, 1))
        return f"{{{xs}}}", f"{{{ys}}}"
    x = f"{{{x0}+{dx}*({lying}%{len(here)}%{line})}}" if dx else str(x0)
    y = f"{{{y0}+{dy}*({lying}%{len(here)}/{line})}}" if dy else str(y0)
    return x, y


def low(layout: Layout, rect: Rect) -> Pixel:
    """Where a pile begins in a box: low, since piles lean upwards."""
    x, y, w, h = rect
    return x + w // 2 - 8, y + h - layout.counters.size // 2 - 8


@dataclass(slots=True)
class Atlas:
    """Every place of a module by the names that layouts use for it: what clients call it, and its id in the game's tables."""

    layout: Layout
    box: Box
    places: dict[str, Place] = field(default_factory=dict)
    rows: dict[str, tuple[Place, ...]] = field(default_factory=dict)
    """The cells of each track's row, by the track's name and the row's label; those of the turn track under ``turns``."""

    def __post_init__(self) -> None:
        self.rows = dict(_rows(self.layout, self.box))
        for key, place in itertools.chain(*(part(self.layout, self.box) for part in (_areas, _zones, _displayed, _turns))):
            self.places.setdefault(key, place)
        for cells in self.rows.values():
            for place in cells:
                self.places.setdefault(place.name, place)

    def find(self, place: str, number: int = 0) -> Spot:
        """A place; of one with several spots that of this number.

        Raises :class:`ArtError` for a name that is none.
        """
        found = self.places.get(place)
        if found is None and "hexes" in self.box.tables and self.box["hexes"].get(place) is not None:
            found = Place(place, self.layout.board.map, (plan.sheet(self.layout, self.box).centre(place),))
        if found is None:
            raise ArtError(f"{self.layout.path.name}: {place!r} is no place of the boards")
        return found.spot(number)

    def along(self, row: str) -> tuple[Spot, ...]:
        """The cells of a track's row in order.

        Raises :class:`ArtError` for a row that there is not.
        """
        if row not in self.rows:
            raise ArtError(f"{self.layout.path.name}: {row!r} is no row of a [[track]]; there are {', '.join(self.rows)}")
        return tuple(place.spot() for place in self.rows[row])


def _rows(layout: Layout, box: Box) -> Iterator[tuple[str, tuple[Place, ...]]]:
    name = layout.board.map
    if "turns" in box.tables:
        yield TURNS, tuple(Place(turn_name(t), name, (plan.turn_spot(layout, box, t),)) for t in plan.turn_cells(layout, box))
    for track in layout.board.tracks:
        made: dict[str, list[Place]] = {}
        for row, cell, rect in plan.track_cells(box, track):
            made.setdefault(row.label, []).append(Place(cell.name, name, (plan.cell_spot(rect),)))
        for label, cells in made.items():
            yield f"{track.name}/{label}", tuple(cells)


def _areas(layout: Layout, box: Box) -> Iterator[tuple[str, Place]]:
    name, size = layout.board.map, layout.counters.size
    for area in layout.board.boxes:
        # In boxes that are sorted by strength pieces are piled up; elsewhere they lie in lines.
        pixels = (low(layout, area.rect),) if plan.slots(box, area) else _lines(area.rect, size, size)
        for key in (area.id, area.name):
            yield key, Place(area.name, name, pixels, counted=True)
    for hold in layout.board.holds:
        yield hold.name, Place(hold.name, name, (plan.middle(hold.rect),))


def _zones(layout: Layout, box: Box) -> Iterator[tuple[str, Place]]:
    board = layout.board
    if board.areas is None or box.zones is None:
        return
    for row in box[box.zones.zones]:
        called = zone_name(board, box, row.key)
        for key in (row.key, called):
            yield key, Place(called, board.map, board.areas.places[row.key].spots, counted=True)


def _turns(layout: Layout, box: Box) -> Iterator[tuple[str, Place]]:
    """Cells of the turn track that the game has as boxes, for pieces that wait for their turn."""
    for key, (turn, spots) in plan.turn_heaps(layout, box).items():
        yield key, Place(turn_name(turn), layout.board.map, spots)


def _displayed(layout: Layout, box: Box) -> Iterator[tuple[str, Place]]:
    for display in layout.displays:
        for card in displays.plan(box, layout, display).cards:
            pixels = card.slots or _lines(card.rect, *_held(layout, (card.id, on_display(display.name, card.id))))
            place = Place(card.name, display.name, pixels, counted=True)
            place = replace(place, gaps=len(pixels) > 1 and even(place))
            for key in (on_display(display.name, card.id), card.id, card.name):
                yield key, place


def _held(layout: Layout, names: Sequence[str]) -> tuple[int, int]:
    """How large the pieces are that a box holds: cards in a hand, units elsewhere."""
    full = layout.counters.size
    for prototype in layout.play.prototypes:
        if prototype.card is not None and set(names).intersection(prototype.card.hands):
            mine = [m for m in layout.counters.markers if layout.play.marker_prototype(m) is prototype]
            return max(m.width or full for m in mine), max(m.height or full for m in mine)
    return full, full


def _lines(rect: Rect, width: int, height: int) -> tuple[Pixel, ...]:
    """The spots of a box without slots: lines of pieces of this size below its heading, above its note; one at least."""
    x, y, w, h = rect
    dx, dy = width + GAP, height + GAP
    across, down = max(1, (w - 2 * GAP) // dx), max(1, (h - plan.HEADER - NOTE) // dy)
    left, top = x + GAP + dx // 2, y + plan.HEADER + GAP // 2 + dy // 2
    return tuple((left + k * dx, top + n * dy) for n in range(down) for k in range(across))


_made: list[Atlas] = []


def atlas(layout: Layout, box: Box) -> Atlas:
    """The places of a module; the last one asked for is kept, since a build asks for hundreds of them."""
    if not _made or _made[-1].layout is not layout or _made[-1].box is not box:
        _made[:] = [Atlas(layout, box)]
    return _made[-1]


def find(layout: Layout, box: Box, place: str, number: int = 0) -> Spot:
    """A place by the name that clients give it, or by its id in the game's tables; of a zone with several spots that of this number.

    Raises :class:`ArtError` for a name that is none.
    """
    return atlas(layout, box).find(place, number)
