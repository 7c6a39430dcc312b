"""What a game tells of its positions so that they can be written as text: which fields belong to units, and what numbers are called.

Pure data; ``referee.rules.position_text`` reads it. A field that no layout names is written as JSON, so a layout is never needed
for exactness, only for readers.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

UNIT, UNITS, PLACE, PLACES, NUMBER = "unit", "units", "place", "places", "number"
"""What one item of a frame's data is: a unit's index, a tuple of them, a place's index, a tuple of them, a plain number."""


class Layout(msgspec.Struct, frozen=True):
    """How the fields of a game's positions read. Units and places are the engine's indices into ``units`` and ``places``."""

    units: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    at: str = ""
    """The field with the place of every unit; empty = the positions of this game have none."""
    absent: int = -1
    """Units at this place (out of the game) are left out when nothing else is to be told of them."""
    values: Mapping[str, tuple[tuple[str, ...], bytes]] = {}
    """Field with one small number a unit -> what the numbers are called, and every unit's usual one."""
    marks: tuple[str, ...] = ()
    """Fields that are sets of units, as bits of an int."""
    notes: tuple[str, ...] = ()
    """Fields of (unit, number) pairs in ascending order."""
    tables: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    """Field with one small number a key -> the keys, and what the numbers are called."""
    sets: Mapping[str, tuple[str, ...]] = {}
    """Fields that are sets of something else, as bits of an int -> the names of the bits."""
    names: Mapping[str, tuple[str, ...]] = {}
    """Fields that are one small number -> what the numbers from -1 on are called (-1 first)."""
    lists: Mapping[str, tuple[str, ...]] = {}
    """Fields that are tuples of small numbers, in ascending order -> what the numbers from 0 on are called."""
    later: tuple[str, ...] = ()
    """Fields that positions got after records of this game were first kept: written only where they differ from their default, so
    that the text and the digest of a position that has no use for them stay what they were."""
    data: Mapping[str, tuple[str, ...]] = {}
    """Step -> what each item of its frame's data is; a frame may leave out the last ones."""
    sealed: Mapping[str, Sealed] = {}
    """Fields that hold what only some may see, one value a holder."""


class Sealed(msgspec.Struct, frozen=True):
    """A field that is a tuple of structs, one a holder: what he alone may see. A placeholder in a view is the struct with nothing but
    defaults."""

    holders: tuple[str, ...]
    kind: type[msgspec.Struct]
    layout: Layout
    """How the fields of one struct read; all of them are ``later``, its units those of the game."""
