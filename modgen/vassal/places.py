"""Where the places are that a layout can send pieces to or set them up on: the client's name of each, its map, its pixels."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

from gamebox.model import Box
from modgen.art import displays, plan
from modgen.errors import ArtError
from modgen.layout.layout import Layout
from modgen.layout.places import TURNS, on_display, turn_name, zone_name
from modgen.layout.reading import Rect
from modgen.vassal.idioms import quoted

MARKER_SPOT = 99
"""Markers stand on the last spot of a zone."""
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


@dataclass(frozen=True, slots=True)
class Place:
    """A place with all of its spots, which are filled in their order; the last one takes all that come after."""

    name: str
    map: str
    pixels: tuple[Pixel, ...]
    counted: bool = False
    """Pieces that are sent there take the spot after those that lie there."""

    def spot(self, number: int = 0) -> Spot:
        x, y = self.pixels[min(number, len(self.pixels) - 1)]
        across, at = _counted(self) if self.counted and number == 0 else (str(x), str(y))
        return Spot(self.name, self.map, x, y, across, at)


def _counted(place: Place) -> tuple[str, str]:
    """Expressions of the pixel of the next free spot: in lines of equal steps the first comes after the last, elsewhere the last stays."""
    here = place.pixels
    if len(here) == 1:
        return str(here[0][0]), str(here[0][1])
    line = next((n for n, (_, y) in enumerate(here) if y != here[0][1]), len(here))
    (x0, y0), dx = here[0], here[1][0] - here[0][0] if line > 1 else 0
    dy = here[line][1] - y0 if line < len(here) else 0
    lying = f"CountLocation({quoted(place.name)},{quoted(place.map)})"
    if any(pixel != (x0 + dx * (n % line), y0 + dy * (n // line)) for n, pixel in enumerate(here)):
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
        found = (_areas(self.layout), _zones(self.layout, self.box), _displayed(self.layout, self.box), _turns(self.layout, self.box))
        for key, place in itertools.chain(*found):
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


def _areas(layout: Layout) -> Iterator[tuple[str, Place]]:
    name = layout.board.map
    for area in layout.board.boxes:
        for key in (area.id, area.name):
            yield key, Place(area.name, name, (low(layout, area.rect),))
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
            pixels = card.slots or _room(card, layout.counters.size)
            place = Place(card.name, display.name, pixels, counted=True)
            for key in (on_display(display.name, card.id), card.id, card.name):
                yield key, place


def _room(card: displays.Card, size: int) -> tuple[Pixel, ...]:
    """The spots of a box without slots, until the first comes again."""
    found = [card.spot(0, size)]
    while (following := card.spot(len(found), size)) != found[0]:
        found.append(following)
    return tuple(found)


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
