"""What one ability adds to a prototype, and what it is told of the module."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from gamebox.model import Box
from modgen.art import plan
from modgen.formats.vassal.pieces import Piece as Counter
from modgen.layout.abilities import Menu, Place, Prototype, Send
from modgen.layout.board import BoxArea
from modgen.layout.layout import Layout
from modgen.layout.places import HEXES
from modgen.layout.reading import Where
from modgen.vassal import names, places
from modgen.vassal.idioms import Trait, either, neither, report
from modgen.vassal.names import command, pressed


@dataclass(frozen=True, slots=True)
class Entry:
    """A menu entry, for the player aid: its key as the engine writes it ("" for none), its words, what it does."""

    key: str
    menu: str
    does: str


@dataclass(frozen=True, slots=True)
class Part:
    """Traits of one ability, outermost first in each list. Parts are joined list by list: all ``outer`` before all ``says`` and so on."""

    outer: tuple[Trait, ...] = ()
    """Before all else: what may close the menu to others."""
    says: tuple[Trait, ...] = ()
    """Reports, which speak after everything inside them has acted."""
    menus: tuple[Trait, ...] = ()
    """Triggers, in the order of the menu."""
    inner: tuple[Trait, ...] = ()
    """What the triggers set off."""
    aid: tuple[Entry, ...] = ()
    clears: tuple[str, ...] = ()
    """Tests (without braces) that the piece has a mark which the next phase takes off."""
    ends: tuple[tuple[Where, str, str], ...] = ()
    """Marks that some phases take off when they begin: the phases by their rows, the command, the test that the piece has the mark."""
    hides: tuple[tuple[str, str], ...] = ()
    """Keys that the menu does not offer while a test (in braces) holds: (test, key)."""
    under: tuple[tuple[str, str], ...] = ()
    """Menu entries that stand in a submenu: (submenu, entry)."""
    orders: tuple[tuple[str, str], ...] = ()
    """What a button of the toolbar can ask of all pieces: (name, key)."""
    bound: tuple[tuple[str, str], ...] = ()
    """Sends into boxes whose first free place is looked for: (key of the send-to, box)."""


@dataclass(frozen=True, slots=True)
class Bench:
    """What abilities are made from."""

    layout: Layout
    box: Box
    prototype: Prototype
    gpids: Mapping[str, int] = field(default_factory=dict)
    """The ledger: slot -> gpid."""
    markers: Mapping[str, Counter] = field(default_factory=dict)
    """Marker -> its definition, expanded."""

    @property
    def size(self) -> int:
        """Pixels of a counter's side."""
        return self.layout.counters.size

    def on_map(self) -> str:
        """A test that the piece stands on the map proper; where no zones tell it, that it lies in none of its side's boxes beside it."""
        zones = [z.name for z in self.layout.board.zones]
        if zones:
            return either("CurrentZone", zones)
        sides = {p.side for p in self.box.pieces if self.layout.play.prototype(p) is self.prototype}
        boxes = [area.name for area in self.layout.board.boxes if sides.intersection(area.sides)]
        return neither("CurrentZone", boxes) if boxes else ""

    def in_play(self) -> str:
        """A test that the piece stands where play goes on: in a hex of the map or in one of its zones; in no box, no track, no pile and
        no other window."""
        board = self.layout.board
        if board.areas is not None:
            return "{" + f'{names.FIELD}.contains(";"+CurrentZone+";")' + "}"
        return either("CurrentZone", [z.name for z in board.zones] or [HEXES])

    def but(self, only: Where) -> str | None:
        """A test (in braces) that the piece is none of those that pass; empty when all of the prototype's pieces do, None when none
        does."""
        pieces = [p for p in self.box.pieces if self.layout.play.prototype(p) is self.prototype]
        passing = [p.id for p in pieces if only(p.row)]
        if not passing and only.tests:
            return None
        return neither(names.UNIT, passing) if len(passing) < len(pieces) else ""

    def area(self, box_id: str) -> BoxArea:
        """The drawn box of an id."""
        return next(b for b in self.layout.board.boxes if b.id == box_id)

    def spot(self, place: str) -> places.Spot:
        """A place that pieces are sent to: low in a box or space, so that piles lean upwards; the middle of a hex; the first spot of
        a zone. In a box that its pieces are eliminated to each has its own pile.

        Raises :class:`ArtError` for a name that is none.
        """
        found = places.find(self.layout, self.box, place)
        boxes = self.prototype.eliminate.boxes if self.prototype.eliminate is not None else ()
        sorted_in = any(self.area(box_id).name == found.name and plan.slots(self.box, self.area(box_id)) for _, box_id in boxes)
        return replace(found, across="{" + names.BOX_X + "}") if sorted_in else found


def said(menu: Menu, key: str, default: str) -> Trait:
    """The report of a menu entry, of the named command ``key``."""
    return report(command(key), worded(menu.say or default))


def worded(text: str) -> str:
    """A chat line of the layout in the client's own words."""
    for word, means in (("{name}", "$BasicName$"), ("{place}", "$LocationName$"), ("{from}", "$ElimFrom$"), ("{face}", "$PieceName$")):
        text = text.replace(word, means)
    return text


def press(menu: Menu, key: str) -> str:
    """What the client hears for a menu entry: the key that players may press, or a named one. Entries without any were never tried."""
    return pressed(menu.key) or command(f"{key}Menu")


def gathered(items: Iterable[Place | Send]) -> Part:
    """The player aid of entries that stand in submenus: a line for each of these."""
    listed: dict[str, list[str]] = {}
    for item in items:
        if item.under:
            listed.setdefault(item.under, []).append(item.menu.text + (f" ({item.menu.key})" if item.menu.key else ""))
    return Part(aid=tuple(Entry("", under, f"one of: {', '.join(texts)}") for under, texts in listed.items()))


def joined(parts: Iterable[Part]) -> Part:
    """Parts as one, list by list."""
    listed = tuple(parts)
    return Part(
        outer=tuple(t for part in listed for t in part.outer),
        says=tuple(t for part in listed for t in part.says),
        menus=tuple(t for part in listed for t in part.menus),
        inner=tuple(t for part in listed for t in part.inner),
        aid=tuple(e for part in listed for e in part.aid),
        clears=tuple(c for part in listed for c in part.clears),
        ends=tuple(e for part in listed for e in part.ends),
        hides=tuple(h for part in listed for h in part.hides),
        under=tuple(u for part in listed for u in part.under),
        orders=tuple(o for part in listed for o in part.orders),
        bound=tuple(b for part in listed for b in part.bound),
    )
