"""Where things stand on the cards of the set-up window, for the drawing and for the client alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gamebox.model import Box, Piece
from gamebox.once import once
from modgen.art.plan import HEADER
from modgen.art.sheet import Sheet
from modgen.errors import ArtError
from modgen.layout.cards import AREA_STYLES, AreaLook, Cards
from modgen.layout.layout import Layout
from modgen.layout.play import Setup
from modgen.layout.reading import Rect

MARGIN, GAP, PAD = 24, 12, 10
TITLE = 58
"""Height of the line with the card's title."""
HEADING = 40
"""Height of the line with a side's name above its spaces."""


@dataclass(frozen=True, slots=True)
class Space:
    """Where the pieces of one side that set up in one area wait, or all pieces of a box."""

    place: str
    """The area or box, by its key in the game's tables."""
    hexes: tuple[str, ...]
    look: AreaLook
    side: str
    """Empty for a box."""
    label: str
    name: str
    """How clients call it."""
    pieces: tuple[str, ...]
    rect: Rect
    spots: tuple[tuple[int, int], ...]
    """The middle of each piece's slot, in the order of ``pieces``."""


@dataclass(frozen=True, slots=True)
class Card:
    """One card: a board of the set-up window."""

    scenario: str
    map_name: str
    """The map that it is a board of: the set-up window."""
    name: str
    """How clients call the board."""
    file: str
    title: str
    note: str
    width: int
    height: int
    sheet: Sheet
    """The hexes of its small map."""
    map: Rect
    headings: tuple[tuple[str, Rect], ...]
    """A line above each side's spaces."""
    spaces: tuple[Space, ...]


@once
def cards(layout: Layout, box: Box) -> tuple[Card, ...]:
    """The card of each scenario whose pieces set up in areas; none for a layout without a set-up window.

    Raises :class:`ArtError` when two spaces would be called alike.
    """
    look = layout.cards
    if look is None or box.grid is None:
        return ()
    # Set-ups of one scenario share its card.
    setups = {setup.scenario: setup for setup in reversed(layout.play.setups)}
    made = tuple(_card(layout, box, look, s) for s in layout.play.setups if setups[s.scenario] is s and _waiting(layout, box, look, s))
    names = [space.name for card in made for space in card.spaces if space.side]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ArtError(f"{layout.path.name}: [cards] named: two spaces would be called {twice!r}; a client tells places by name alone")
    return made


def space_of(card: Card, place: str, side: str) -> Space | None:
    """The space of a card for the pieces of a side that set up in an area, or lie in a box."""
    return next((space for space in card.spaces if space.place == place and space.side in ("", side)), None)


def card_of(layout: Layout, box: Box, scenario: str) -> Card | None:
    """The card of a scenario, if its pieces set up in areas."""
    return next((card for card in cards(layout, box) if card.scenario == scenario), None)


def _waiting(layout: Layout, box: Box, look: Cards, setup: Setup) -> dict[tuple[str, str], tuple[str, ...]]:
    """(side, area) -> the pieces that a scenario sets up there, of areas that have no space on the board itself; ("", box) likewise."""
    held = {hold.region for hold in layout.board.holds}
    name, regions = box["scenarios"][setup.scenario].text("setup"), box["regions"]
    pieces = {p.id: p for p in box.pieces}
    found: dict[tuple[str, str], list[Piece]] = {}
    for row in box["setups"]:
        place, piece = row.text("place"), pieces.get(row.text("piece"))
        if row.text("setup") != name or piece is None:
            continue
        if place in look.boxes:
            found.setdefault(("", place), []).append(piece)
        elif place not in held and regions.get(place) is not None:
            found.setdefault((piece.side, place), []).append(piece)
    assert box.grid is not None
    order, field = [side.side for side in look.sides], Sheet(box.grid, 24, 20, 0, 0)

    def rank(key: tuple[str, str]) -> tuple[int, int, int]:
        side, place = key
        if not side:
            return len(order), look.boxes.index(place), 0
        # As they lie from north to south; those that are drawn as no area come last.
        north = min((field.centre(h)[1] for h in regions[place].items("hexes")), default=0)
        return order.index(side), AREA_STYLES.index(look.area(regions[place]).style), north

    return {key: _sorted(found[key]) for key in sorted(found, key=rank)}


def _sorted(pieces: Iterable[Piece]) -> tuple[str, ...]:
    """Side by side, the strongest first; pieces that only some games need, last."""
    ranked = sorted(pieces, key=lambda p: (p.side, bool(p.row.values.get("needs")), tuple(-s for s in p.strengths), p.nation, p.id))
    return tuple(p.id for p in ranked)


def _card(layout: Layout, box: Box, look: Cards, setup: Setup) -> Card:
    assert box.grid is not None
    across = look.across + look.across % 2
    down = round(across * 31 / 36)
    step = layout.counters.size + 8
    wide = look.slots * step + 2 * PAD
    probe = Sheet(box.grid, across, down, 0, 0)
    width = 2 * MARGIN + max(len(look.sides) * look.abreast * (wide + GAP) - GAP, probe.size[0])
    top = MARGIN + TITLE
    sheet = Sheet(box.grid, across, down, (width - probe.size[0]) // 2, top)
    below = top + sheet.size[1] + GAP
    part = (width - 2 * MARGIN + GAP) // len(look.sides)
    each = (part - GAP - (look.abreast - 1) * GAP) // look.abreast
    bottoms = {(side.side, k): below + HEADING for side in look.sides for k in range(look.abreast)}
    lefts = {(side.side, k): MARGIN + n * part + k * (each + GAP) for n, side in enumerate(look.sides) for k in range(look.abreast)}
    spaces = []
    for (side, place), pieces in _waiting(layout, box, look, setup).items():
        if side:
            column = min((c for c in bottoms if c[0] == side), key=lambda c: (bottoms[c], c))
            left, y, w, slots = lefts[column], bottoms[column], each, look.slots
        else:
            left, y, w = MARGIN, max(bottoms.values()), width - 2 * MARGIN
            slots = (w - 2 * PAD) // step
        rect: Rect = (left, y, w, HEADER + -(-len(pieces) // slots) * step + 2 * PAD)
        bottoms |= dict.fromkeys([column] if side else bottoms, y + rect[3] + GAP)
        spaces.append(_space(box, look, setup, side, place, pieces, rect, slots, step))
    return Card(
        scenario=setup.scenario,
        map_name=look.window,
        name=f"{look.window}: {setup.name}",
        file=f"card-{setup.scenario.replace('_', '-')}.png",
        title=f"{setup.name}: set-up",
        note=setup.note,
        width=width,
        height=max(bottoms.values()) - GAP + MARGIN,
        sheet=sheet,
        map=(sheet.left, top, *sheet.size),
        headings=tuple((side.heading, (MARGIN + n * part, below, part - GAP, HEADING)) for n, side in enumerate(look.sides)),
        spaces=tuple(spaces),
    )


def _space(
    box: Box, look: Cards, setup: Setup, side: str, place: str, pieces: tuple[str, ...], rect: Rect, slots: int, step: int
) -> Space:
    x, y, w, _ = rect
    left, top = x + (w - slots * step) // 2 + step // 2, y + HEADER + PAD + step // 2
    spots = tuple((left + k % slots * step, top + k // slots * step) for k in range(len(pieces)))
    if not side:
        label = box["boxes"][place].text("name")
        return Space(place, (), AreaLook.hidden(), "", label, label, pieces, rect, spots)
    region = box["regions"][place]
    area = look.area(region)
    label = area.label or region.text("name")
    name = look.named.format(name=label, scenario=setup.name)
    return Space(place, region.items("hexes"), area, side, label, name, pieces, rect, spots)


def fills(layout: Layout, card: Card) -> Mapping[str, str]:
    """Space -> the colour of its area on the small map: of its side's colours one that no neighbour has, while there are enough."""
    assert layout.cards is not None
    around = card.sheet.around
    hexes = {space.name: set(space.hexes) for space in card.spaces if space.look.style == "fill"}
    touching = {
        name: {other for other, theirs in hexes.items() if other != name and any(theirs.intersection((h, *around[h])) for h in mine)}
        for name, mine in hexes.items()
    }
    out: dict[str, str] = {}
    for space in card.spaces:
        if space.name in hexes:
            listed = next(side.fills for side in layout.cards.sides if side.side == space.side)
            used = {out[other] for other in touching[space.name] if other in out}
            free = [fill for fill in listed if fill not in used]
            out[space.name] = free[0] if free else listed[len(out) % len(listed)]
    return out
