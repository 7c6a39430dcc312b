"""The set-up window: a card for each scenario whose pieces are set up in areas. ``[cards]`` in ``module.toml``.

A card shows a small map with the areas, and beside it a space for each area where its pieces wait until their owner puts them on the map.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gamebox.model import Row
from modgen.layout.reading import Against, Reader, Where, each

AREA_STYLES = ("fill", "spots", "front", "none")
"""How an area is shown on the small map: coloured, a ring in each of its hexes, a line around it, not at all."""


@dataclass(frozen=True, slots=True)
class AreaLook:
    """How the regions that pass a test are drawn and called; an empty ``label`` is the region's own name."""

    where: Where
    style: str
    label: str
    note: str

    @classmethod
    def hidden(cls) -> AreaLook:
        """That of a place which is no area."""
        return cls(Where(), "none", "", "")


@dataclass(frozen=True, slots=True)
class SideLook:
    """A side's spaces: their heading, and the colours that its areas take in turn."""

    side: str
    heading: str
    fills: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cards:
    """The set-up window."""

    window: str
    """The name of the window, which is also its map's in the client and the word of its button."""
    tooltip: str
    named: str
    """How clients call a space: ``{name}`` is its label, ``{scenario}`` the scenario's name."""
    across: int
    """Pixels between the centres of two hexes of the small map."""
    slots: int
    """Counters abreast in a space."""
    abreast: int
    """Spaces abreast of each side."""
    boxes: tuple[str, ...]
    """Boxes of the game whose pieces wait on the card until they are wanted, and not on the board."""
    areas: tuple[AreaLook, ...]
    sides: tuple[SideLook, ...]

    def area(self, region: Row) -> AreaLook:
        """How a region is drawn: by the first look whose test it passes, else coloured and by its own name."""
        return next((look for look in self.areas if look.where(region)), PLAIN)


PLAIN = AreaLook(Where(), "fill", "", "")


def read_cards(top: Reader) -> Cards | None:
    """The set-up window; None when the file has no ``[cards]``."""
    if "cards" not in top.data:
        return None
    r = top.table("cards")
    out = Cards(
        window=r.text("window"),
        tooltip=r.text("tooltip"),
        named=r.text("named"),
        across=r.int("across", 40, 24, 120),
        slots=r.int("slots", 7, 1, 30),
        abreast=r.int("abreast", 2, 1, 6),
        boxes=r.texts("boxes", ()),
        areas=each(
            r.listed("area"),
            lambda a: AreaLook(a.where("where"), a.text("style", "fill", AREA_STYLES), a.text("label", ""), a.text("note", "")),
        ),
        sides=each(r.listed("side"), lambda s: SideLook(s.text("side"), s.text("heading"), s.colours("fills"))),
    )
    r.end()
    return out


def check_cards(cards: Cards | None, held: Iterable[str], against: Against) -> None:
    """The set-up window held against the game's tables; ``held`` are the regions that have a space on the board itself."""
    a = against
    held = set(held)
    if cards is None:
        return
    pieces = {p.id: p.side for p in a.box.pieces}
    if "regions" not in a.box.tables or "setups" not in a.box.tables:
        a.fault("[cards]: the game has no regions that pieces could be set up in")
        return
    placed = {row.text("piece") for row in a.box["setups"] if row.text("place") in a.keys("regions") - held}
    sides = {pieces[p] for p in placed if p in pieces}
    a.known("[[cards.side]]", (s.side for s in cards.sides), set(pieces.values()), "side with pieces")
    a.known("[[cards.side]]", sorted(sides), (s.side for s in cards.sides), "side listed here, but sets up in areas")
    a.known("[cards] boxes", cards.boxes, a.keys("boxes"), "box of the game")
    columns = a.box["regions"].columns
    for look in cards.areas:
        a.known("[[cards.area]] where", (column for column, _ in look.where.tests), columns, "column of regions")
    a.fills("[cards] named", cards.named, ("name", "scenario"))
