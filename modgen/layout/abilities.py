"""What the pieces of a prototype can do: ``[[prototype]]`` of ``module.toml``. ``modgen.vassal.abilities`` makes traits of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from gamebox.model import Box
from modgen.layout.counters import fields as braces
from modgen.layout.counters import fill_in
from modgen.layout.reading import Reader, Where, each

PLAIN = ("declare", "last", "moved", "trail", "delete")
"""Abilities without settings of their own; ``can`` lists them."""
TALK_FIELDS = ("piece", "place")
STRENGTH, ELITES = "Strength", "Elites"
"""Properties of pieces that tell their strength."""
T = TypeVar("T")
_KEY = re.compile(r"(Ctrl\+)?(Shift\+)?(Alt\+)?([A-Z0-9]|Delete)")


@dataclass(frozen=True, slots=True)
class Menu:
    """A menu entry of a piece: its words, the key that players may press instead (``Ctrl+E``, may be empty), the chat line it gives.

    In ``say`` ``{name}``, ``{place}`` and ``{from}`` stand for the piece and where it is and was.
    """

    text: str
    key: str
    say: str


@dataclass(frozen=True, slots=True)
class Eliminate:
    """To the box of the zone that the piece stands in; ``*`` from anywhere else. ``back`` brings it back."""

    boxes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Exit:
    """Off the map from hexes at these edges, into a box."""

    box: str
    edges: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Faces:
    """The faces after the front; ``words`` follow the piece's name while a face is up.

    ``kind`` is ``steps`` (a step lost, then eliminated), ``flip`` (turned and turned back) or ``leave`` (marked to go out of the game).
    """

    kind: str
    words: tuple[str, ...]
    states: tuple[str, ...]
    """What the set-ups' ``state`` column says of pieces that begin with a face up, one for each face; may be left out."""
    box: str
    """For ``leave``: the box of pieces that are out of the game."""


@dataclass(frozen=True, slots=True)
class Send:
    """To a named place (a box, a space beside the map, a hex, a zone), from the places listed; from anywhere if none are."""

    menu: Menu
    to: str
    start: tuple[str, ...]
    """Places, or maps."""
    hide: bool
    """From elsewhere the menu does not show it; otherwise it shows it as not possible."""
    back: bool
    quiet: bool
    """Nothing is said of it: the piece stays out of the other side's sight."""
    under: str
    """The submenu that it stands in; empty for the menu itself."""
    turn: str
    """A column of the piece's row with the turn from which on it can be done; empty for always."""
    face: str
    """``full`` or ``last``: the face that it is turned to as well; empty to leave it."""
    order: str
    """A name by which a button of the toolbar can ask it of all pieces at once."""

    @property
    def direct(self) -> bool:
        """Nothing happens but that the piece goes there and that it is said: the menu entry itself can do it."""
        more = self.back or self.turn or self.face or self.order or (self.start and not self.hide)
        return not more and (self.quiet or (self.menu.say != "" and "{from}" not in self.menu.say))


@dataclass(frozen=True, slots=True)
class State:
    """A mark on the piece that is put on, changed and taken off: one picture (a marker's) for each word."""

    id: str
    menu: Menu
    words: tuple[str, ...]
    marks: tuple[str, ...]
    """A marker each, or one of its later sides: ``out-of-supply/isolated``."""
    corner: str
    until_next_phase: bool
    until: tuple[Where, ...]
    """Phases, by their rows, that take it off when they begin: one test for all words, or one for each."""
    choose: bool
    """Every word has an entry of its own, in a submenu; otherwise one entry goes through them in turn."""
    keys: tuple[str, ...]
    """For words to choose from: the key of each."""
    verb: str
    """For words to choose from: the verb of table talk that tells the log of it, with the piece, its place and a code; empty for none."""
    codes: tuple[str, ...]
    """What stands for each word in table talk."""
    off: str
    """The word for a piece without the mark."""
    under: str
    """The submenu that it stands in; empty for the menu itself."""
    only: Where
    """The pieces of the prototype that have it; all if it has no test."""
    until_moved: bool
    """Whoever is dragged to another place loses it. For one word alone."""

    def ends(self, number: int) -> Where:
        """The phases that take the word of this number (from 0) off."""
        return self.until[number] if len(self.until) > 1 else self.until[0] if self.until else Where()


@dataclass(frozen=True, slots=True)
class TurnTo:
    """Turned where it lies: to its full face, or its last."""

    menu: Menu
    face: str
    start: tuple[str, ...]
    """Places; elsewhere the menu does not show it. Anywhere if there are none."""
    under: str


@dataclass(frozen=True, slots=True)
class Later:
    """Onto the turn track, to wait: so many turns on, or on the first turn after that whose row passes the test."""

    menu: Menu
    turns: int
    where: Where
    beyond: str
    """Where it goes when there is no such turn."""
    under: str
    alone: bool
    """Only one piece of its side waits in a cell: it goes on to the first in which none of them waits."""


@dataclass(frozen=True, slots=True)
class Cross:
    """From one of two hexes to the other, over what lies between them; one piece a turn of all that share the name ``once``."""

    menu: Menu
    ends: tuple[str, ...]
    once: str
    only: Where
    """The pieces of the prototype that can; all if it has no test."""


@dataclass(frozen=True, slots=True)
class Give:
    """Makes room for another piece, which then takes its place and its face; it goes to a box itself."""

    menu: Menu
    to: str


@dataclass(frozen=True, slots=True)
class Take:
    """Takes the place that another piece has given up last."""

    menu: Menu
    start: tuple[str, ...]
    """Places; elsewhere the menu does not show it."""


@dataclass(frozen=True, slots=True)
class Place:
    """Puts a marker under or on the piece."""

    menu: Menu
    marker: str
    under: str
    """The submenu that it stands in; empty for the menu itself."""


@dataclass(frozen=True, slots=True)
class Along:
    """Steps along the cells of a track, up and down."""

    row: str
    """A row of a ``[[track]]`` by the track's name and the row's label (``Points/Red``), or ``turns`` for the turn track."""
    up: Menu
    down: Menu
    around: bool
    """From the last cell it goes on at the first."""
    inside: bool
    """Offered on the track alone; otherwise from anywhere onto its first cell too."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card of a deck: drawn into a hand, played before everybody's eyes, put back."""

    deck: str
    """The box that the deck lies in."""
    hands: tuple[str, ...]
    """Boxes that it can be drawn into."""
    shown: str
    """The place where it lies when it is played."""
    lend: tuple[tuple[str, str, Menu], ...]
    """From one hand into another: the hands, and how the menu calls it."""
    table: str
    """The table whose row of the card's id says what it does."""
    says: str
    """The column with those words."""
    mask: str
    """The back: a ``[[mask]]`` of the counters."""
    order: str
    """A name by which a button of the toolbar can put all such cards back; empty for none."""


@dataclass(frozen=True, slots=True)
class Strength:
    """Tells how strong the pieces are that lie in the piece's own box of a display; only its side can ask."""

    menu: Menu
    elite: str
    """A column of those pieces: who has 1 in it gives a bonus, and that there is one is told; empty for none."""
    seats: tuple[str, ...]
    table: str
    """The columns of the table of results: how each is called, and the strength that it ends with (empty for the last)."""
    named: str
    high: str

    @property
    def told(self) -> tuple[str, ...]:
        """The properties of the piece that others may ask: what is in its box, how many of it give a bonus."""
        return (STRENGTH, ELITES) if self.elite else (STRENGTH,)


@dataclass(frozen=True, slots=True)
class Talk:
    """Writes a fact into the log: a verb of table talk with fields, each ``piece``, ``place`` or a fixed word."""

    menu: Menu
    verb: str
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mask:
    """Hides what the piece is from everybody but the side that hides it."""

    menu: Menu
    mask: str
    """What the others see: a ``[[mask]]`` of the counters."""


FACE_KINDS = ("steps", "flip", "leave")
CORNERS = ("top-left", "top-right", "bottom-left", "bottom-right", "middle")
TURNED = ("", "full", "last")


@dataclass(frozen=True, slots=True)
class Prototype:
    """What a set of pieces, or markers, can do."""

    name: str
    where: Where
    markers: tuple[str, ...]
    can: tuple[str, ...]
    eliminate: Eliminate | None
    exit: Exit | None
    faces: Faces | None
    sends: tuple[Send, ...]
    states: tuple[State, ...]
    places: tuple[Place, ...]
    talks: tuple[Talk, ...]
    mask: Mask | None
    turns: tuple[TurnTo, ...]
    later: tuple[Later, ...]
    cross: Cross | None
    give: Give | None
    take: Take | None
    note: str
    """Shown with the piece under the mouse: words, and columns of its row in braces."""
    along: Along | None
    card: Card | None
    strength: Strength | None
    worth: tuple[str, ...]
    """For pieces that ``strength`` counts: the columns with their worth, one for each face."""
    secret: str
    """For pieces that the other side does not see: the name of their side. Reports then say neither where they are nor what nobody
    has seen."""
    columns: tuple[str, ...]
    """Columns of the pieces' rows that the client knows as properties."""
    lies: tuple[tuple[str, str], ...]
    """Places of set-ups, and where pieces of this kind lie instead."""


def _menu(r: Reader) -> Menu:
    key = r.text("key", "")
    if key and not _KEY.fullmatch(key):
        r.fault("key", f"{key!r} is not allowed; a key like Ctrl+E, Ctrl+Shift+1 or Delete, or none")
    return Menu(r.text("menu"), key, r.text("say", ""))


def _only(r: Reader, key: str, make: Callable[[Reader], T]) -> T | None:
    if key not in r.data:
        return None
    inner = r.table(key)
    return each([inner], make)[0]


def _faces(r: Reader) -> Faces:
    return Faces(r.text("kind", among=FACE_KINDS), r.texts("words"), r.texts("states", ()), r.text("box", ""))


def _sends(r: Reader, box: Box) -> Iterator[Send]:
    """A way to go, or one for each row of a table; its menu and place may then use the row's columns in braces."""
    made = Send(
        menu=_menu(r),
        to=r.text("to"),
        start=r.texts("from", ()),
        hide=r.flag("hide"),
        back=r.flag("back"),
        quiet=r.flag("quiet"),
        under=r.text("under", ""),
        turn=r.text("turn", ""),
        face=r.text("face", "", TURNED),
        order=r.text("order", ""),
    )
    table, where = r.text("rows", ""), r.where("where")
    r.end()
    if not table:
        yield made
        return
    if table not in box.tables:
        r.fault("rows", f"{table!r} is no table of the game; there are {', '.join(box.tables)}")
        return
    columns = box[table].columns
    if unknown := sorted({n for text in (made.to, made.menu.text) for n in braces(text)} - set(columns)):
        r.fault("rows", f"{unknown[0]!r} is no column of {table}; there are {', '.join(columns)}")
        return
    rows = [row for row in box[table] if where(row)]
    if not rows:
        r.fault("where", f"no row of {table} passes")
    for row in rows:
        cells = {column: row.text(column) for column in row.values}
        yield replace(made, to=fill_in(made.to, cells), menu=replace(made.menu, text=fill_in(made.menu.text, cells)))


def _step(r: Reader, key: str, words: str) -> Menu:
    """A menu entry of one line: its words, and its key under ``<name>_key``."""
    text, pressed = r.text(key, words), r.text(f"{key}_key", "")
    if pressed and not _KEY.fullmatch(pressed):
        r.fault(f"{key}_key", f"{pressed!r} is not allowed; a key like Ctrl+E, Ctrl+Shift+1 or Delete, or none")
    return Menu(text, pressed, "")


def _along(r: Reader) -> Along:
    return Along(r.text("row"), _step(r, "up", "+1"), _step(r, "down", "-1"), r.flag("around"), r.flag("inside"))


def _card(r: Reader) -> Card:
    return Card(
        deck=r.text("deck"),
        hands=r.texts("hands"),
        shown=r.text("shown"),
        lend=each(r.listed("lend"), lambda one: (one.text("from"), one.text("to"), _menu(one))),
        table=r.text("table"),
        says=r.text("says"),
        mask=r.text("mask"),
        order=r.text("order", ""),
    )


def _strength(r: Reader) -> Strength:
    return Strength(_menu(r), r.text("elite", ""), r.texts("seats"), r.text("table"), r.text("named"), r.text("high"))


def _pairs(r: Reader, key: str) -> tuple[tuple[str, str], ...]:
    sub = r.table(key)
    return tuple((name, sub.text(name)) for name in sub.data)


def _state_keys(r: Reader) -> tuple[str, ...]:
    keys = r.texts("keys", ())
    for key in keys:
        if key and not _KEY.fullmatch(key):
            r.fault("keys", f"{key!r} is not allowed; a key like Ctrl+E, Ctrl+Shift+1 or Delete, or none")
    return keys


def _prototype(r: Reader, box: Box) -> Prototype:
    can = r.texts("can", ())
    for word in can:
        if word not in PLAIN:
            r.fault("can", f"{word!r} is not allowed; {', '.join(PLAIN)}")
    return Prototype(
        name=r.text("name"),
        where=r.where("where"),
        markers=r.texts("markers", ()),
        can=can,
        eliminate=_only(r, "eliminate", lambda e: Eliminate(tuple((zone, e.text(zone)) for zone in e.data))),
        exit=_only(r, "exit", lambda e: Exit(e.text("box"), e.texts("edges"))),
        faces=_only(r, "faces", _faces),
        sends=tuple(send for one in r.listed("send") for send in _sends(one, box)),
        states=each(
            r.listed("state"),
            lambda s: State(
                s.text("id"),
                _menu(s),
                s.texts("words"),
                s.texts("marks"),
                s.text("corner", "top-left", among=CORNERS),
                s.flag("until_next_phase"),
                s.wheres("until"),
                s.flag("choose"),
                _state_keys(s),
                s.text("verb", ""),
                s.texts("codes", ()),
                s.text("off", "none"),
                s.text("under", ""),
                s.where("only"),
                s.flag("until_moved"),
            ),
        ),
        places=each(r.listed("place"), lambda p: Place(_menu(p), p.text("marker"), p.text("under", ""))),
        talks=each(r.listed("talk"), lambda t: Talk(_menu(t), t.text("verb"), t.texts("fields", ()))),
        mask=_only(r, "mask", lambda m: Mask(_menu(m), m.text("mask"))),
        turns=each(
            r.listed("turn"), lambda t: TurnTo(_menu(t), t.text("face", among=TURNED[1:]), t.texts("from", ()), t.text("under", ""))
        ),
        later=each(
            r.listed("later"),
            lambda t: Later(
                _menu(t), t.int("turns", 1, 0, 100), t.where("where"), t.text("beyond"), t.text("under", ""), t.flag("alone")
            ),
        ),
        cross=_only(r, "cross", lambda c: Cross(_menu(c), c.texts("ends"), c.text("once"), c.where("only"))),
        give=_only(r, "give", lambda g: Give(_menu(g), g.text("to"))),
        take=_only(r, "take", lambda t: Take(_menu(t), t.texts("from", ()))),
        note=r.text("note", ""),
        along=_only(r, "along", _along),
        card=_only(r, "card", _card),
        strength=_only(r, "strength", _strength),
        worth=r.texts("worth", ()),
        secret=r.text("secret", ""),
        columns=r.texts("columns", ()),
        lies=_pairs(r, "lies"),
    )


LISTS = ("send", "state", "place", "talk", "turn", "later")
OWN = ("name", "where", "markers", "base", "like")
"""What a prototype never takes from another."""


def read_prototypes(readers: Iterable[Reader], box: Box) -> tuple[Prototype, ...]:
    """Every ``[[prototype]]`` of the file, in its order; ways to go that are made from rows of a table need the box.

    One that is ``like`` another, above it, has everything that the other has and more; its own settings count before the other's.
    ``base`` ones are only there to be taken from.
    """
    above: dict[str, dict[str, Any]] = {}
    kept = []
    for r in readers:
        other = r.text("like", "")
        if other and other not in above:
            r.fault("like", f"{other!r} is no prototype above it; there are {', '.join(above) or 'none'}")
        taken = {key: value for key, value in above.get(other, {}).items() if key not in OWN}
        mine = dict(r.data)
        for key in LISTS:
            if isinstance(mine.get(key), list) and isinstance(taken.get(key), list):
                mine[key] = [*taken[key], *mine[key]]
        full = Reader({**taken, **mine}, r.place, r.errors, r.file)
        above[r.text("name")] = dict(full.data)
        if not full.flag("base"):
            full.text("like", "")
            kept.append(full)
    return each(kept, lambda r: _prototype(r, box))
