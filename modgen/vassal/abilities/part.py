"""What one ability adds to a prototype, and what it is told of the module."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from gamebox.model import Box
from modgen.art import plan
from modgen.errors import ArtError
from modgen.formats.vassal.pieces import Piece as Counter
from modgen.layout.abilities import Menu, Prototype
from modgen.layout.board import BoxArea
from modgen.layout.layout import Layout
from modgen.layout.reading import Rect
from modgen.vassal.idioms import Trait, either, report
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
        """A test that the piece stands on the map proper; empty when the board has no zones to tell it by."""
        zones = [z.name for z in self.layout.board.zones]
        return either("CurrentZone", zones) if zones else ""

    def area(self, box_id: str) -> BoxArea:
        """The drawn box of an id."""
        return next(b for b in self.layout.board.boxes if b.id == box_id)

    def spot(self, place: str) -> tuple[int, int]:
        """The pixel that a named place sends pieces to: low in a box or space, so that piles lean upwards; the middle of a hex.

        Raises :class:`ArtError` for a name that is none.
        """
        rects: dict[str, Rect] = {b.name: b.rect for b in self.layout.board.boxes} | {h.name: h.rect for h in self.layout.board.holds}
        if place in rects:
            x, y, w, h = rects[place]
            return x + w // 2 - 8, y + h - self.size // 2 - 8
        if "hexes" in self.box.tables and self.box["hexes"].get(place) is not None:
            return plan.sheet(self.layout, self.box).centre(place)
        raise ArtError(f"{self.layout.path.name}: [[prototype]] {self.prototype.name}: {place!r} is no place of the board")


def said(menu: Menu, key: str, default: str) -> Trait:
    """The report of a menu entry, of the named command ``key``."""
    text = menu.say or default
    for word, means in (("{name}", "$BasicName$"), ("{place}", "$LocationName$"), ("{from}", "$ElimFrom$"), ("{face}", "$PieceName$")):
        text = text.replace(word, means)
    return report(command(key), text)


def press(menu: Menu, key: str) -> str:
    """What the client hears for a menu entry: the key that players may press, or a named one. Entries without any were never tried."""
    return pressed(menu.key) or command(f"{key}Menu")


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
    )
