"""The actions of this game and their notation: ``parse(str(action)) == action``.

Units are piece ids, places hex numbers, as in data, modules, records and reports.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import ClassVar, Protocol

from referee.rules.model import Action, NotationError
from referee.rules.notation import Parts, core_action, in_words, names_in, no_name, no_verb, one_name, split, write

Names = tuple[tuple[str, ...], tuple[str, ...]]
"""Units, places."""


class Deed(Action, frozen=True):
    """An action of this game, the core's own apart."""

    VERB: ClassVar[str]

    def names(self) -> Names:
        """The units and the places that it names; a target may be a unit (18/6.3)."""
        return (), ()


class OfUnit(Deed, frozen=True):
    """What names one unit."""

    unit: str

    def names(self) -> Names:
        """The unit."""
        return (self.unit,), ()

    def __str__(self) -> str:
        return f"{self.by} {self.VERB} {self.unit}"


class ToPlace(Deed, frozen=True):
    """What names one place."""

    to: str

    def names(self) -> Names:
        """The place."""
        return (), (self.to,)

    def __str__(self) -> str:
        return f"{self.by} {self.VERB} > {self.to}"


class UnitTo(Deed, frozen=True):
    """What brings one unit to a place."""

    unit: str
    to: str

    def names(self) -> Names:
        """The unit and the place."""
        return (self.unit,), (self.to,)

    def __str__(self) -> str:
        return f"{self.by} {self.VERB} {self.unit} > {self.to}"


class Journey(Deed, frozen=True):
    """What one unit does on its way; ``via`` holds every hex between start and end."""

    unit: str
    start: str
    to: str
    via: tuple[str, ...] = ()

    def names(self) -> Names:
        """The unit, where it starts and ends, and the hexes between."""
        return (self.unit,), (self.start, self.to, *self.via)

    def __str__(self) -> str:
        line = f"{self.by} {self.VERB} {self.unit} @ {self.start} > {self.to}"
        return f"{line} via {','.join(self.via)}" if self.via else line


class SetUp(UnitTo, frozen=True):
    """Places one of the Courland units before turn 1 (8.0.p1)."""

    VERB: ClassVar[str] = "setup"


class Marker(OfUnit, frozen=True):
    """Places an offensive supply marker under a unit (18.1.p6, 18.1.p15)."""

    VERB: ClassVar[str] = "marker"


class Group(Deed, frozen=True):
    """Names the group that the Western marker serves: ``commonwealth`` or ``us`` (18.1.p16)."""

    VERB: ClassVar[str] = "group"
    group: str

    def __str__(self) -> str:
        return f"{self.by} {self.VERB} {self.group}"


class Replace(UnitTo, frozen=True):
    """Returns a unit from its Destroyed Units box to an arrival hex (7.2)."""

    VERB: ClassVar[str] = "replace"


class Move(Journey, frozen=True):
    """Moves one unit (5.0). ``via`` holds every hex between start and end; empty = the cheapest lawful way."""

    VERB: ClassVar[str] = "move"


class Exit(Journey, frozen=True):
    """Moves one German unit to an exit hex (``to``) and off the map (9.0); ``via`` as in a move."""

    VERB: ClassVar[str] = "exit"


class Take(OfUnit, frozen=True):
    """Names one of the two units that an exit removes (9.0.a1)."""

    VERB: ClassVar[str] = "take"


class Evacuate(OfUnit, frozen=True):
    """Tries to ship a unit out of Courland (8.0.p3)."""

    VERB: ClassVar[str] = "evacuate"


class PutAshore(ToPlace, frozen=True):
    """Lands the evacuated unit in a port (8.0.p6)."""

    VERB: ClassVar[str] = "land"


class Attack(Deed, frozen=True):
    """A whole attack in one line: attackers on one or several hexes (6.1, 6.3), or on single units of a stack (18/6.3). Both
    lists sorted."""

    VERB: ClassVar[str] = "attack"
    units: tuple[str, ...]
    targets: tuple[str, ...]

    def names(self) -> Names:
        """The attackers, and what they attack."""
        return self.units, self.targets

    def __str__(self) -> str:
        return write(self.by, self.VERB, self.units, to=self.targets)


class Target(ToPlace, frozen=True):
    """Opens an attack on a hex, or adds a hex to the one being declared (6.3.e); ``to`` is a unit where one of a stack is
    attacked alone (18/6.3)."""

    VERB: ClassVar[str] = "target"


class Join(OfUnit, frozen=True):
    """Adds an attacker to the attack being declared (6.3.c2)."""

    VERB: ClassVar[str] = "join"


class Lose(OfUnit, frozen=True):
    """One attacker paid for an exchange (6.2.c)."""

    VERB: ClassVar[str] = "lose"


class Retreat(UnitTo, frozen=True):
    """One losing unit retreats (6.2.1)."""

    VERB: ClassVar[str] = "retreat"


class Advance(UnitTo, frozen=True):
    """One victorious unit enters a vacated hex (6.5)."""

    VERB: ClassVar[str] = "advance"


_PLAIN: dict[tuple[str, ...], Callable[..., Action]] = {
    ("setup", ">"): SetUp,
    ("marker",): Marker,
    ("replace", ">"): Replace,
    ("move", "@", ">"): Move,
    ("move", "@", ">", "via"): Move,
    ("exit", "@", ">"): Exit,
    ("take",): Take,
    ("evacuate",): Evacuate,
    ("join",): Join,
    ("lose",): Lose,
    ("retreat", ">"): Retreat,
    ("advance", ">"): Advance,
}
"""Every second word of a line about one unit, as actions are written -> what the others are the fields of."""
_AIMED: dict[str, Callable[..., Action]] = {"target": Target, "land": PutAshore}


def parse(text: str, units: Collection[str], places: frozenset[str]) -> Action:
    """An action from its text.

    Raises NotationError: an unknown verb, unit or hex, or a part that the verb does not take.
    """
    words = in_words(text)
    marks = words[1::2]
    make = _PLAIN.get(marks)
    # a line as ``str`` writes it, with names that exist, says nothing else than its words; whatever else there is, is taken apart
    if make is not None:
        if len(words) & 1 and words[2] in units:
            if marks[-1] == "via":
                via = names_in(words[8])
                if places.issuperset(via) and places.issuperset(words[4:7:2]):
                    return make(one_name(words[0]), *words[2:7:2], via)
            elif places.issuperset(words[4::2]):
                return make(one_name(words[0]), *words[2::2])
    elif len(words) == 4 and words[2] == ">" and words[3] in places and (make := _AIMED.get(words[1])) is not None:
        return make(one_name(words[0]), words[3])
    return any_order(text, units, places)


def any_order(text: str, units: Collection[str], places: Collection[str]) -> Action:
    """An action whose parts may stand in any order behind the units; raises what ``parse`` does."""
    core = core_action(text)
    if core is not None:
        return core
    parts = split(text)
    shape = _SHAPES.get(parts.verb)
    if shape is None:
        raise no_verb(parts, _SHAPES)
    given = ("u" if parts.units else "") + ("@" if parts.start else "") + (">" if parts.to else "")
    given += ("v" if parts.via else "") + ("w" if parts.helped else "")
    reading, forms, make = shape
    several = parts.verb == "attack"
    if given not in forms or (not several and (len(parts.units) > 1 or len(parts.to) > 1)):
        raise NotationError(f"{parts.verb} reads {reading!r}, not {text!r}")
    for name in parts.units:
        if name not in units and parts.verb != "group":
            raise no_name(name, "unit", units)
    for name in (*((parts.start,) if parts.start else ()), *parts.to, *parts.via):
        if name not in places and not (parts.verb in ("attack", "target") and name in units):
            raise NotationError(f"{name!r} is no hex of this map", name)
    return make(parts)


class _Maker(Protocol):
    def __call__(self, parts: Parts, /) -> Action: ...


_SHAPES: dict[str, tuple[str, tuple[str, ...], _Maker]] = {
    "setup": ("BY setup UNIT > HEX", ("u>",), lambda x: SetUp(x.by, x.units[0], x.to[0])),
    "marker": ("BY marker UNIT", ("u",), lambda x: Marker(x.by, x.units[0])),
    "group": ("BY group GROUP", ("u",), lambda x: Group(x.by, x.units[0])),
    "replace": ("BY replace UNIT > HEX", ("u>",), lambda x: Replace(x.by, x.units[0], x.to[0])),
    "move": ("BY move UNIT @ FROM > TO [via A,B]", ("u@>", "u@>v"), lambda x: Move(x.by, x.units[0], x.start, x.to[0], x.via)),
    "exit": ("BY exit UNIT @ FROM > EXIT-HEX [via A,B]", ("u@>", "u@>v"), lambda x: Exit(x.by, x.units[0], x.start, x.to[0], x.via)),
    "take": ("BY take UNIT", ("u",), lambda x: Take(x.by, x.units[0])),
    "evacuate": ("BY evacuate UNIT", ("u",), lambda x: Evacuate(x.by, x.units[0])),
    "land": ("BY land > PORT", (">",), lambda x: PutAshore(x.by, x.to[0])),
    "attack": (
        "BY attack UNIT,UNIT > HEX,HEX (or units of a stack, 18/6.3)",
        ("u>",),
        lambda x: Attack(x.by, tuple(sorted(x.units)), tuple(sorted(x.to))),
    ),
    "target": ("BY target > HEX (or a unit of a stack, 18/6.3)", (">",), lambda x: Target(x.by, x.to[0])),
    "join": ("BY join UNIT", ("u",), lambda x: Join(x.by, x.units[0])),
    "lose": ("BY lose UNIT", ("u",), lambda x: Lose(x.by, x.units[0])),
    "retreat": ("BY retreat UNIT > HEX", ("u>",), lambda x: Retreat(x.by, x.units[0], x.to[0])),
    "advance": ("BY advance UNIT > HEX", ("u>",), lambda x: Advance(x.by, x.units[0], x.to[0])),
}
