"""The actions of this game and their notation: ``parse(str(action)) == action``.

Units are piece ids, places hex numbers, as in data, modules, records and reports.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from referee.rules.model import Action, NotationError
from referee.rules.notation import Parts, core_action, no_name, no_verb, split, write


class SetUp(Action, frozen=True):
    """Places one of the Courland units before turn 1 (8.0.p1)."""

    unit: str
    to: str

    def __str__(self) -> str:
        return write(self.by, "setup", (self.unit,), to=(self.to,))


class Marker(Action, frozen=True):
    """Places an offensive supply marker under a unit (18.1.p6, 18.1.p15)."""

    unit: str

    def __str__(self) -> str:
        return write(self.by, "marker", (self.unit,))


class Group(Action, frozen=True):
    """Names the group that the Western marker serves: ``commonwealth`` or ``us`` (18.1.p16)."""

    group: str

    def __str__(self) -> str:
        return write(self.by, "group", (self.group,))


class Replace(Action, frozen=True):
    """Returns a unit from its Destroyed Units box to an arrival hex (7.2)."""

    unit: str
    to: str

    def __str__(self) -> str:
        return write(self.by, "replace", (self.unit,), to=(self.to,))


class Move(Action, frozen=True):
    """Moves one unit (5.0). ``via`` holds every hex between start and end; empty = the cheapest lawful way."""

    unit: str
    start: str
    to: str
    via: tuple[str, ...] = ()

    def __str__(self) -> str:
        return write(self.by, "move", (self.unit,), self.start, (self.to,), self.via)


class Exit(Action, frozen=True):
    """Moves one German unit to an exit hex (``to``) and off the map (9.0); ``via`` as in a move."""

    unit: str
    start: str
    to: str
    via: tuple[str, ...] = ()

    def __str__(self) -> str:
        return write(self.by, "exit", (self.unit,), self.start, (self.to,), self.via)


class Take(Action, frozen=True):
    """Names one of the two units that an exit removes (9.0.a1)."""

    unit: str

    def __str__(self) -> str:
        return write(self.by, "take", (self.unit,))


class Evacuate(Action, frozen=True):
    """Tries to ship a unit out of Courland (8.0.p3)."""

    unit: str

    def __str__(self) -> str:
        return write(self.by, "evacuate", (self.unit,))


class PutAshore(Action, frozen=True):
    """Lands the evacuated unit in a port (8.0.p6)."""

    to: str

    def __str__(self) -> str:
        return write(self.by, "land", to=(self.to,))


class Attack(Action, frozen=True):
    """A whole attack in one line: attackers on one or several hexes (6.1, 6.3), or on single units of a stack (18/6.3). Both
    lists sorted."""

    units: tuple[str, ...]
    targets: tuple[str, ...]

    def __str__(self) -> str:
        return write(self.by, "attack", self.units, to=self.targets)


class Target(Action, frozen=True):
    """Opens an attack on a hex, or adds a hex to the one being declared (6.3.e); ``to`` is a unit where one of a stack is
    attacked alone (18/6.3)."""

    to: str

    def __str__(self) -> str:
        return write(self.by, "target", to=(self.to,))


class Join(Action, frozen=True):
    """Adds an attacker to the attack being declared (6.3.c2)."""

    unit: str

    def __str__(self) -> str:
        return write(self.by, "join", (self.unit,))


class Lose(Action, frozen=True):
    """One attacker paid for an exchange (6.2.c)."""

    unit: str

    def __str__(self) -> str:
        return write(self.by, "lose", (self.unit,))


class Retreat(Action, frozen=True):
    """One losing unit retreats (6.2.1)."""

    unit: str
    to: str

    def __str__(self) -> str:
        return write(self.by, "retreat", (self.unit,), to=(self.to,))


class Advance(Action, frozen=True):
    """One victorious unit enters a vacated hex (6.5)."""

    unit: str
    to: str

    def __str__(self) -> str:
        return write(self.by, "advance", (self.unit,), to=(self.to,))


def parse(text: str, units: Collection[str], places: Collection[str]) -> Action:
    """An action from its text.

    Raises NotationError: an unknown verb, unit or hex, or a part that the verb does not take.
    """
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
