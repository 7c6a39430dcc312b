"""What a position looks like to people: plain values that pictures, texts and other programs are made from.

A game package tells it by the optional methods of ``Shows``; who draws or prints knows no game. Values only. A position that is
somebody's view is told as he sees it: who shows positions gives the view of whoever looks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

import msgspec

from referee.rules.model import Action


class Seen(msgspec.Struct, frozen=True):
    """One unit of the game: what it is called, whose it is now, where it lies (hex, box id), what is to be known of it."""

    piece: str
    name: str
    force: str
    place: str
    marks: tuple[str, ...] = ()
    """``moved`` ``attacked`` ``garrison`` ``displaced`` ...: the words of the position's text, and what follows from them."""
    back: bool = False
    """The last of its counter's faces is up instead of the first."""


class City(msgspec.Struct, frozen=True):
    """One city and its holder (a force's id, or a word that ``Scene.holders`` titles)."""

    hex: str
    name: str
    worth: int
    holder: str


class Token(msgspec.Struct, frozen=True):
    """Markers in a hex that are no units: what kind, whose, how many."""

    hex: str
    kind: str
    force: str
    count: int = 1


class Held(msgspec.Struct, frozen=True):
    """One zone of a map of zones: who controls it, and who stands in it (several: it is contested)."""

    zone: str
    holder: str
    there: tuple[str, ...] = ()


class Laid(msgspec.Struct, frozen=True):
    """A marker of the game, by its id in the box, and where it lies: a zone, the id of a piece that it lies on, or the name by which
    clients call the cell of a track or the box."""

    marker: str
    at: str
    word: str = ""
    """What it stands for where its place does not tell: a number beyond the end of its track, a name."""


class Pile(msgspec.Struct, frozen=True):
    """Cards in one place: a draw pile, a hand, those laid open."""

    place: str
    """The id of a box, or the name by which clients call it."""
    count: int
    names: tuple[str, ...] = ()
    """What they are called, as far as it is known."""


class Way(msgspec.Struct, frozen=True):
    """Something on its way from place to place, or that reaches from one into the other, and is not decided yet."""

    kind: str
    """``move`` ``attack`` ``support``."""
    pieces: tuple[str, ...]
    start: str
    to: str


class Scene(msgspec.Struct, frozen=True):
    """Everything to be shown of one position."""

    scenario: str
    """Its title."""
    turn: int
    date: str
    phase: str
    by: tuple[str, ...]
    """Who has to decide: titles of players; ``chance`` for rolls, nobody when the game is over."""
    asks: str
    """What is asked of them, in words."""
    forces: tuple[tuple[str, str], ...]
    """Force -> title, in the order of the game."""
    holders: tuple[tuple[str, str], ...]
    """Holder of a city -> title."""
    places: tuple[tuple[str, str], ...]
    """Places off the map -> title, in the order of the game."""
    units: tuple[Seen, ...]
    cities: tuple[City, ...] = ()
    forts: tuple[tuple[str, bool], ...] = ()
    """Fortified hex -> whether it is still whole."""
    tokens: tuple[Token, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    """What else is to be remembered, in words: (what, how it stands)."""
    marks: tuple[tuple[str, str], ...] = ()
    """Every mark that units can have -> what it means, for legends."""
    acting: tuple[str, ...] = ()
    """The places that the decision is about: targets, places of units that must go."""
    held: tuple[Held, ...] = ()
    """The zones of a map of zones."""
    laid: tuple[Laid, ...] = ()
    """Markers that lie on the map, on pieces, tracks and boxes."""
    piles: tuple[Pile, ...] = ()
    ways: tuple[Way, ...] = ()
    roles: tuple[tuple[str, str], ...] = ()
    """Piece -> its part in what is being decided: ``attacker`` ``supporter`` ``defender`` ``mover``."""
    displays: tuple[str, ...] = ()
    """Forces whose display the reader sees: what it holds is among the units, with ``in:PIECE`` or in a room of the display."""


class Ground(msgspec.Struct, frozen=True):
    """One city in the count: who holds it, by which test, and what it scores for whom."""

    hex: str
    name: str
    worth: int
    capital: bool
    holder: str
    test: str
    """``occupied`` ``zoc`` ``passed`` ``unchanged``: which test of the rule decided."""
    why: str
    """The same as a sentence with names."""
    points: int
    side: str
    """For whom it scores, "" for nobody."""
    note: str
    """Why it scores so."""
    rules: tuple[str, ...]
    source: str
    """What its worth rests on."""


class Standing(msgspec.Struct, frozen=True):
    """The count as things stand."""

    rows: tuple[Ground, ...]
    totals: tuple[tuple[str, int], ...]
    """Side -> points, for every side that can score."""
    rule: str
    """The scenario's victory rule in one or two sentences."""
    result: str
    """What the result would be if the game ended now."""
    why: str = ""
    """Why that is the result, where points do not tell."""


class Detail(msgspec.Struct, frozen=True):
    """What a legal action costs and does."""

    cost: int | None = None
    left: int | None = None
    way: tuple[str, ...] = ()
    """The hexes of the way, start and goal included."""
    note: str = ""


@runtime_checkable
class Shows(Protocol):
    """A game that tells what its positions look like. Positions and actions are the game's own."""

    def scene(self, p: Any) -> Scene:
        """The position as people see it."""
        ...

    def standing(self, p: Any, since: Mapping[str, str] | None = None) -> Standing:
        """The count of cities and who would win; ``since`` tells, hex by hex, when its holder last changed."""
        ...

    def detail(self, p: Any, a: Action) -> Detail:
        """What a legal action costs and does."""
        ...

    def unit_line(self, p: Any, unit: int) -> str:
        """One unit as it stands: name, place, what it may still do in this phase or why not."""
        ...

    def secret(self, a: Action) -> str:
        """The side that alone may know of an action, "" for those that everybody sees."""
        ...
