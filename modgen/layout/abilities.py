"""What the pieces of a prototype can do: ``[[prototype]]`` of ``module.toml``. ``modgen.vassal.abilities`` makes traits of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from modgen.layout.reading import Reader, Where, each

PLAIN = ("declare", "last", "moved", "trail", "delete")
"""Abilities without settings of their own; ``can`` lists them."""
TALK_FIELDS = ("piece", "place")
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
    """To a named place (a box or space beside the map, or a hex), from the places listed; from anywhere if none are."""

    menu: Menu
    to: str
    start: tuple[str, ...]
    back: bool


@dataclass(frozen=True, slots=True)
class State:
    """A mark on the piece that is put on, changed and taken off: one picture (a marker's) for each word."""

    id: str
    menu: Menu
    words: tuple[str, ...]
    marks: tuple[str, ...]
    corner: str
    until_next_phase: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Puts a marker under or on the piece."""

    menu: Menu
    marker: str


@dataclass(frozen=True, slots=True)
class Talk:
    """Writes a fact into the log: a verb of table talk with fields, each ``piece``, ``place`` or a fixed word."""

    menu: Menu
    verb: str
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mask:
    """Hides what the piece is from everybody but one side of the players' roster."""

    side: str
    menu: Menu
    name: str
    image: str


FACE_KINDS = ("steps", "flip", "leave")
CORNERS = ("top-left", "top-right", "bottom-left", "bottom-right", "middle")


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


def _prototype(r: Reader) -> Prototype:
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
        sends=each(r.listed("send"), lambda s: Send(_menu(s), s.text("to"), s.texts("from", ()), s.flag("back"))),
        states=each(
            r.listed("state"),
            lambda s: State(
                s.text("id"),
                _menu(s),
                s.texts("words"),
                s.texts("marks"),
                s.text("corner", "top-left", among=CORNERS),
                s.flag("until_next_phase"),
            ),
        ),
        places=each(r.listed("place"), lambda p: Place(_menu(p), p.text("marker"))),
        talks=each(r.listed("talk"), lambda t: Talk(_menu(t), t.text("verb"), t.texts("fields", ()))),
        mask=_only(r, "mask", lambda m: Mask(m.text("side"), _menu(m), m.text("name"), m.text("image"))),
    )


def read_prototypes(readers: Iterable[Reader]) -> tuple[Prototype, ...]:
    """Every ``[[prototype]]`` of the file, in its order."""
    return each(readers, _prototype)
