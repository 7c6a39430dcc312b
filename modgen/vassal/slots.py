"""Every counter of a module once: the slots that its palette shows and that its set-ups are made from."""

from __future__ import annotations

from dataclasses import dataclass

from gamebox.model import Box, Piece
from modgen.errors import ArtError
from modgen.formats.vassal.pieces import Piece as Counter
from modgen.layout.counters import Marker
from modgen.layout.layout import Layout
from modgen.vassal import prototypes
from modgen.vassal.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Slots:
    """Every counter of the module as its slot defines it, in palette order."""

    units: tuple[tuple[Piece, Counter], ...]
    markers: tuple[tuple[Marker, Counter], ...]


def slot_names(box: Box, layout: Layout) -> list[str]:
    """The ledger's names of all slots, in the order in which new ones get their numbers."""
    pieces = [p.id for p in _palette_order(box, layout)]
    return [*pieces, *(f"marker:{m.id}" for m in layout.counters.markers), *prototypes.place_slots(layout)]


def _palette_order(box: Box, layout: Layout) -> list[Piece]:
    order = [s.id for s in layout.play.sides]
    return sorted(box.pieces, key=lambda p: (order.index(p.side), p.row.line))


def make_slots(box: Box, layout: Layout, ledger: Ledger) -> Slots:
    """All slots with their gpids.

    Raises :class:`ArtError` when two pieces would have one name.
    """
    called: dict[str, str] = {}
    for piece in (pieces := _palette_order(box, layout)):
        name = layout.named(piece)
        if name in called:
            raise ArtError(f"{layout.path.name}: [[side]] named: {piece.id} and {called[name]} would both be called {name!r}")
        called[name] = piece.id
    return Slots(
        tuple((p, prototypes.unit(layout, box, p, ledger.numbers[p.id])) for p in pieces),
        tuple((m, prototypes.marker(layout, box, m, ledger.numbers[f"marker:{m.id}"])) for m in layout.counters.markers),
    )
