"""Decks: piles of cards that lie face down in a box of the board, as components of the module and as pieces of a set-up.

A deck of a saved game carries its whole definition in its type, forty-eight fields after the id. The client writes it from the
component's settings; both are made here from one place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from modgen.art import plan
from modgen.formats.vassal import sequence
from modgen.formats.vassal.pieces import Deck as Pile
from modgen.formats.vassal.pieces import Piece as Counter
from modgen.formats.vassal.xml import Element, element
from modgen.layout.counters import Marker
from modgen.layout.layout import Layout
from modgen.layout.play import Deck
from modgen.vassal.classes import MAP, B
from modgen.vassal.places import Spot
from modgen.vassal.slots import Slots

FACE_DOWN, SHUFFLED = "Always", "Always"
MOST_SHOWN = 4
"""Cards that a pile is drawn high with."""


def place(layout: Layout, deck: Deck) -> Spot:
    """Where a deck lies, in the middle of its box; it is called what the box is called."""
    area = next(b for b in layout.board.boxes if b.id == deck.box)
    x, y = plan.middle(area.rect)
    return Spot(area.name, layout.board.map, x, y, str(x), str(y))


def cards(layout: Layout, slots: Slots, deck: Deck) -> Iterator[tuple[Marker, Counter]]:
    """The cards of a deck with their slots."""
    return ((marker, counter) for marker, counter in slots.markers if layout.play.deck(marker) is deck)


def size(layout: Layout, deck: Deck) -> tuple[int, int]:
    """Pixels of a card, the largest of the deck."""
    mine = [m for m in layout.counters.markers if layout.play.deck(m) is deck]
    full = layout.counters.size
    return max(m.width or full for m in mine), max(m.height or full for m in mine)


def component(layout: Layout, slots: Slots, deck: Deck) -> Element:
    """The deck of the module, with its cards in it."""
    at, (width, height) = place(layout, deck), size(layout, deck)
    out = element(
        MAP + "DrawPile",
        name=at.name,
        owningBoard=layout.board.map,
        x=at.x,
        y=at.y,
        width=width,
        height=height,
        allowMultiple=False,
        allowSelect=False,
        faceDown=FACE_DOWN,
        drawFaceUp=False,
        shuffle=SHUFFLED,
        reversible=False,
        draw=True,
        color="0,0,0",
        maxStack=MOST_SHOWN,
        expressionCounting=False,
        hotkeyOnEmpty=False,
        canSave=False,
        reshufflable=False,
        deckRestrictAccess=bool(deck.seats),
        deckOwners=sequence.encode(deck.seats, ","),
    )
    for marker, counter in cards(layout, slots, deck):
        out.add(
            B + "widget.CardSlot",
            str(counter),
            entryName=counter.name,
            gpid=counter.basic.gpid,
            width=marker.width or layout.counters.size,
            height=marker.height or layout.counters.size,
        )
    return out


def pile_type(layout: Layout, deck: Deck) -> str:
    """The type of the deck as a piece, as the client writes it for the component."""
    width, height = size(layout, deck)
    no_key, no_words = "", ""
    fields = (
        *("true", "0,0,0", str(width), str(height), FACE_DOWN, SHUFFLED, "false", "false", "false"),
        *(no_words, no_words, no_words, place(layout, deck).name, no_words, no_words, no_words),
        *("false", "false", no_key, no_key, str(MOST_SHOWN), "", "false", "", "false", no_key, "$BasicName$", ""),
        *("false", "", "Shuffle", "Reverse", no_key, "Draw multiple cards", "Draw specific cards", "Face up", "Face down"),
        *(no_key, no_words, no_key, no_key, "Save Deck", no_key, "Deck Saved", "Load Deck", no_key, "Deck Loaded"),
        *("true" if deck.seats else "false", sequence.encode(deck.seats, ",")),
    )
    return "deck;" + sequence.encode(fields, ";")


def pile(layout: Layout, deck: Deck, piece_id: str, members: Sequence[str]) -> Pile:
    """The deck in a set-up, with its cards by their piece ids."""
    at = place(layout, deck)
    return Pile(piece_id, pile_type(layout, deck), at.map, at.x, at.y, True, tuple(members))
