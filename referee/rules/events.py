"""What happened on the table, as a client recorded it: values only, free of client and game.

A reader (``referee.table.vassal``) turns a client's file into a ``TableLog``; a game's ``reading`` explains it as actions.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, final

from gamebox.value import Value

EventKind = Literal["move", "place", "remove", "flip", "roll", "phase", "chat", "talk", "undo", "property"]


class Spot(Value, frozen=True):
    """Where a piece lies: ``name`` is the hex, the id of a box of the game (``boxes`` table), ``""`` for nowhere,
    or, when the place is none of the game's, whatever the client calls it with ``known`` False."""

    name: str
    known: bool = True


NOWHERE: Final = Spot("")


@final
class TableEvent:
    """One thing a client recorded. ``step`` is 1-based and counts the client's own steps (an undo is one of its own).

    move/place/remove: ``piece`` goes ``frm`` -> ``to`` (place: from nowhere; remove: to nowhere).
    flip: ``value`` "1" or "0". roll: ``faces``. phase: ``turn`` and ``phase`` as the tracker shows them.
    chat: ``text``, ``player`` = who typed. talk: ``text`` = the table-talk line of our modules.
    ``undone``: a later undo took it back; the judge skips it. ``piece`` is a piece id of the game, or ``""`` and then
    ``label`` names what moved (a marker, a piece without a match).

    A value like others, equal and hashed by its fields, but a plain class: a judge reads two dozen fields of every event, which takes a
    tenth of the time then where it is compiled.
    """

    __slots__ = (
        "faces",
        "frm",
        "kind",
        "label",
        "marker",
        "phase",
        "piece",
        "player",
        "seat",
        "step",
        "text",
        "to",
        "turn",
        "undone",
        "value",
    )

    def __init__(
        self,
        step: int,
        kind: EventKind,
        player: str = "",
        seat: str = "",
        piece: str = "",
        label: str = "",
        marker: str = "",
        frm: Spot = NOWHERE,
        to: Spot = NOWHERE,
        faces: tuple[int, ...] = (),
        turn: int = 0,
        phase: str = "",
        text: str = "",
        value: str = "",
        undone: bool = False,
    ) -> None:
        self.step: Final = step
        self.kind: Final = kind
        self.player: Final = player
        """The client's name of who did it, "" when the client does not tell."""
        self.seat: Final = seat
        """The side that this player holds in the client ("Soviet"), "" when unknown."""
        self.piece: Final = piece
        self.label: Final = label
        self.marker: Final = marker
        """What kind of marker it is, by the id that our modules give it (``marker-pr-axis``, a card's id); "" for a piece of the game and
        where the client does not tell."""
        self.frm: Final = frm
        self.to: Final = to
        self.faces: Final = faces
        self.turn: Final = turn
        self.phase: Final = phase
        self.text: Final = text
        self.value: Final = value
        self.undone: Final = undone

    def by(self, player: str, seat: str) -> TableEvent:
        """The same, done by this player."""
        return TableEvent(self.step, self.kind, player, seat, *self._what(), self.undone)

    def marked(self, undone: bool) -> TableEvent:
        """The same, taken back by a later undo or not."""
        return self if self.undone == undone else TableEvent(self.step, self.kind, self.player, self.seat, *self._what(), undone)

    def _what(self) -> tuple[str, str, str, Spot, Spot, tuple[int, ...], int, str, str, str]:
        return self.piece, self.label, self.marker, self.frm, self.to, self.faces, self.turn, self.phase, self.text, self.value

    def _fields(self) -> tuple[object, ...]:
        return self.step, self.kind, self.player, self.seat, *self._what(), self.undone

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TableEvent) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash(self._fields())

    def __repr__(self) -> str:
        return f"TableEvent{self._fields()}"


class Lies(Value, frozen=True):
    """How a counter is to lie on a client's table: what a game's ``showing`` says of a position."""

    place: str
    """A hex, zone or box of the game, or what the client calls a place that the game has no word for; "" = not on the table."""
    map: str = ""
    """The client's map; "" = the one with the board."""
    face: int = 0
    """1 the front, 2 the back; 0 = as it lies."""
    states: tuple[tuple[str, str], ...] = ()
    """Marks on the counter: the client's property and its word."""
    masked: str = ""
    """The player in the rules from whose eyes alone it is not hidden; "" = it lies open."""


@dataclass(frozen=True, slots=True)
class Table:
    """Everything on the table at one instant: piece id -> spot; tracker; other pieces (markers) by label."""

    at: dict[str, Spot]
    turn: int = 0
    phase: str = ""
    flipped: frozenset[str] = frozenset()
    markers: tuple[tuple[str, Spot], ...] = ()
    marked: tuple[tuple[str, Spot], ...] = ()
    """Markers of our modules by their ids."""


@dataclass(frozen=True, slots=True)
class TableLog:
    """One client file, read: who played, how it began, what happened, and what could not be read."""

    path: str
    client: str
    module: str
    module_version: str
    steps: int
    start: Table
    events: tuple[TableEvent, ...]
    seats: dict[str, str] = field(default_factory=dict)
    """Player name -> side, as the client's roster has it (last one wins)."""
    notes: tuple[str, ...] = ()
    labels: dict[str, str] = field(default_factory=dict)
    """Piece id -> what the client's counter is called."""
    ours: bool = False
    """True when the module is one of ours (piece ids, data hash in it), so the game's own data is agreed on."""
    scenario: str = ""
    """The scenario that the module of ours was set up for; "" when the file does not tell."""
    counters: int = 0
    """How many counters came into the game: units, markers, whatever the client has."""
    unsure: frozenset[str] = frozenset()
    """Pieces of the game that a counter was taken for without certainty."""
    data_hash: str = ""
