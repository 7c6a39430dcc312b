"""The actions of this game and their notation: ``parse(str(action)) == action``.

Sides are ``west`` ``soviet`` ``axis``; units, formations and cards are ids, zones printed numbers, as in data, modules and reports.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

import msgspec

from referee.rules.model import Action, NotationError
from referee.rules.notation import Parts, core_action, no_name, no_verb, split, write


class Draw(Action, frozen=True):
    """Chance: one side draws stratagems (3.1); no card where the pool is empty (R-F46) is never asked for."""

    side: str
    cards: tuple[str, ...]

    def __str__(self) -> str:
        return write(self.by, "draw", self.cards, self.side)


class Remove(Action, frozen=True):
    """A unit out of the game for good (PE.Soviet.2, PE.Soviet.12)."""

    unit: str

    def __str__(self) -> str:
        return write(self.by, "remove", (self.unit,))


class Disband(Action, frozen=True):
    """A formation out of the game for good (PE.Soviet.12)."""

    gf: str

    def __str__(self) -> str:
        return write(self.by, "disband", (self.gf,))


class Play(Action, frozen=True):
    """A national stratagem is played (11.5 to 11.7); ``to``: the formation or zone that it acts on, "" where it needs none."""

    card: str
    to: str = ""

    def __str__(self) -> str:
        return write(self.by, "play", (self.card,), to=(self.to,) if self.to else ())


class Reroll(Action, frozen=True):
    """One of the dice just thrown is thrown again (R-F59); ``die``: 1 for the first."""

    card: str
    die: int

    def __str__(self) -> str:
        return write(self.by, "reroll", (self.card,), to=(str(self.die),))


class Keep(Action, frozen=True):
    """Which of the two throws counts: ``old`` or ``new`` (R-F59)."""

    which: str

    def __str__(self) -> str:
        return write(self.by, "keep", to=(self.which,))


class Lend(Action, frozen=True):
    """11.9: an operational stratagem of the West passes to the Soviets."""

    card: str

    def __str__(self) -> str:
        return write(self.by, "lend", (self.card,))


class Lay(Action, frozen=True):
    """An operational stratagem in the running combat (10.2, 10.5)."""

    card: str

    def __str__(self) -> str:
        return write(self.by, "lay", (self.card,))


class Drop(Action, frozen=True):
    """A corps of paratroops in the running combat (12.3)."""

    unit: str

    def __str__(self) -> str:
        return write(self.by, "drop", (self.unit,))


class Return(Action, frozen=True):
    """4.5: a unit of a pile returns to the Reserve, reduced."""

    unit: str

    def __str__(self) -> str:
        return write(self.by, "return", (self.unit,))


class ToBox(Action, frozen=True):
    """4.5: a unit of a pile goes to the box of the destroyed."""

    unit: str

    def __str__(self) -> str:
        return write(self.by, "box", (self.unit,))


class Levy(Action, frozen=True):
    """4.4: the Volkssturm restores an infantry unit."""

    unit: str

    def __str__(self) -> str:
        return write(self.by, "levy", (self.unit,))


class Restore(Action, frozen=True):
    """A reduced unit is restored (4.2); ``track``: the western marker that pays, "" for the side's only one or where nothing is paid."""

    unit: str
    track: str = ""

    def __str__(self) -> str:
        return write(self.by, "restore", (self.unit,), self.track)


class Rebuild(Action, frozen=True):
    """A destroyed unit comes to the Reserve (4.3), by Hitler Offensive to the formation (11.5); ``state``: ``full`` or ``reduced``."""

    unit: str
    state: str
    track: str = ""

    def __str__(self) -> str:
        return write(self.by, "rebuild", (self.unit,), self.track, (self.state,))


class Exchange(Action, frozen=True):
    """A unit changes to another formation of the same zone (7.2)."""

    unit: str
    gf: str

    def __str__(self) -> str:
        return write(self.by, "exchange", (self.unit,), to=(self.gf,))


class Fill(Action, frozen=True):
    """A unit of the Reserve goes into a formation on the map or in the Reserve (9.2)."""

    unit: str
    gf: str

    def __str__(self) -> str:
        return write(self.by, "fill", (self.unit,), to=(self.gf,))


class Withdraw(Action, frozen=True):
    """A unit of a formation goes to the Reserve (9.2)."""

    unit: str

    def __str__(self) -> str:
        return write(self.by, "withdraw", (self.unit,))


class Place(Action, frozen=True):
    """A formation of the Reserve is placed in a zone (9.2)."""

    gf: str
    to: str

    def __str__(self) -> str:
        return write(self.by, "place", (self.gf,), to=(self.to,))


class Transfer(Action, frozen=True):
    """A unit passes from one formation to another, of the same or a neighbouring zone (9.3); a pocket joins one (R-F118)."""

    unit: str
    gf: str

    def __str__(self) -> str:
        return write(self.by, "transfer", (self.unit,), to=(self.gf,))


class Supply(Action, frozen=True):
    """The Axis names the formation that a Baltic zone supplies (6.1, R-F33)."""

    gf: str
    zone: str

    def __str__(self) -> str:
        return write(self.by, "supply", (self.gf,), self.zone)


class Move(Action, frozen=True):
    """Formations of one group go together to a zone (9.4). ``kinds``: the PA that each spends, in order; empty = the usual ones.

    A bought PA of the West names its marker: ``bought-england``."""

    gfs: tuple[str, ...]
    start: str
    to: str
    kinds: tuple[str, ...] = ()

    def __str__(self) -> str:
        return write(self.by, "move", self.gfs, self.start, (self.to,), self.kinds)


class Land(Action, frozen=True):
    """9.5: one or two formations of the Reserve land in a zone."""

    gfs: tuple[str, ...]
    to: str

    def __str__(self) -> str:
        return write(self.by, "land", self.gfs, to=(self.to,))


class Sail(Action, frozen=True):
    """9.7: a formation of the Reserve arrives in a port."""

    gf: str
    to: str

    def __str__(self) -> str:
        return write(self.by, "sail", (self.gf,), to=(self.to,))


class Attack(Action, frozen=True):
    """A formation (in a landing combat two) attacks all enemies of its zone (10.1), with supporters; ``kinds``: the PA, as in a move."""

    gfs: tuple[str, ...]
    zone: str
    supporters: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()

    def __str__(self) -> str:
        return write(self.by, "attack", self.gfs, self.zone, via=self.kinds, helped=self.supporters)


class TurnOver(Action, frozen=True):
    """A formation gives up its other PA (8.3)."""

    gf: str

    def __str__(self) -> str:
        return write(self.by, "turn-over", (self.gf,))


class Pocket(Action, frozen=True):
    """12.4: a unit stays behind in the port zone that its formation leaves."""

    unit: str

    def __str__(self) -> str:
        return write(self.by, "pocket", (self.unit,))


class Lose(Action, frozen=True):
    """A unit takes one step of the losses (10.3); ``by``: whoever chooses."""

    unit: str

    def __str__(self) -> str:
        return write(self.by, "lose", (self.unit,))


class Ask(Action, frozen=True):
    """A formation of the Axis wishes to retreat (10.8)."""

    gf: str

    def __str__(self) -> str:
        return write(self.by, "ask", (self.gf,))


class Retreat(Action, frozen=True):
    """A formation of the defender goes to another zone (10.6)."""

    gf: str
    to: str

    def __str__(self) -> str:
        return write(self.by, "retreat", (self.gf,), to=(self.to,))


class Recall(Action, frozen=True):
    """7.2: a surplus formation of an overstacked zone, with what it holds, goes to the Reserve."""

    gf: str

    def __str__(self) -> str:
        return write(self.by, "recall", (self.gf,))


class Concede(Action, frozen=True):
    """A player gives the game up (R-F134)."""

    def __str__(self) -> str:
        return write(self.by, "concede")


OWN = (Draw, Exchange, Fill, Lend, Levy, Restore, Transfer, Withdraw)
"""Actions that only their owner sees (R-F136); an unlawful one is told to him and the director alone (R-F139)."""


class Names(msgspec.Struct, frozen=True):
    """What can be named in a line."""

    units: Collection[str]
    gfs: Collection[str]
    zones: Collection[str]
    cards: Collection[str]
    tracks: Collection[str]
    sides: Collection[str]


def parse(text: str, names: Names) -> Action:
    """An action from its text.

    Raises NotationError: an unknown verb or name, or a part that the verb does not take.
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
    if given not in shape.forms or len(parts.to) > 1:
        raise NotationError(f"{parts.verb} reads {shape.reading!r}, not {text!r}")
    if len(parts.units) > shape.most:
        many = f"{_CALLED[shape.units]}s" if shape.most > 1 else _CALLED[shape.units]
        raise NotationError(f"{parts.verb} takes {'at most ' if shape.most > 1 else ''}{shape.most} {many}, not {len(parts.units)}")
    for kind, words in (
        (shape.units, parts.units),
        (shape.start, (parts.start,) if parts.start else ()),
        (shape.to, parts.to),
        ("kind", parts.via),
        ("gf", parts.helped),
    ):
        for word in words:
            _known(kind, word, names)
    return shape.make(parts)


KIND_WORDS = ("free", "card", "sea", "bought", "bought-england", "bought-italy")
"""How a PA is named in a move or an attack (R-F89)."""
_PLAIN = {"keep": ("old", "new"), "state": ("full", "reduced"), "kind": KIND_WORDS, "die": ("1", "2", "3")}
_CALLED = {
    "gf": "formation",
    "zone": "zone",
    "unit": "unit",
    "card": "stratagem",
    "track": "track",
    "side": "side",
    "kind": "kind of PA",
    "keep": "throw to keep",
    "state": "strength",
    "die": "die",
}


def _known(kind: str, word: str, names: Names) -> None:
    tables: dict[str, Collection[str]] = {
        "unit": names.units,
        "gf": names.gfs,
        "zone": names.zones,
        "card": names.cards,
        "track": names.tracks,
        "side": names.sides,
        **_PLAIN,
    }
    others = {_CALLED[other]: tables[other] for other in ("unit", "gf", "card", "side")}
    if kind == "target":
        if word not in names.zones and word not in names.gfs:
            zone = word.isdecimal()
            raise no_name(word, "zone" if zone else "zone or formation", names.zones if zone else names.gfs, others)
    elif word not in tables[kind]:
        raise no_name(word, _CALLED[kind], tables[kind], others)


class _Shape(msgspec.Struct, frozen=True):
    reading: str
    forms: tuple[str, ...]
    make: Callable[[Parts], Action]
    units: str = "unit"
    start: str = "zone"
    to: str = "zone"
    most: int = 1


def _s(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(names))


def _gfs(parts: Parts) -> tuple[str, ...]:
    """Formations that act together, sorted; as they were written when several PA are named, which follow the same order (R-F89)."""
    return parts.units if len(parts.via) > 1 else _s(parts.units)


_SHAPES: dict[str, _Shape] = {
    "draw": _Shape("chance draw CARD,CARD @ SIDE", ("u@",), lambda x: Draw(x.by, x.start, _s(x.units)), "card", "side", most=9),
    "remove": _Shape("BY remove UNIT", ("u",), lambda x: Remove(x.by, x.units[0])),
    "disband": _Shape("BY disband FORMATION", ("u",), lambda x: Disband(x.by, x.units[0]), "gf"),
    "play": _Shape(
        "BY play CARD [> ZONE or FORMATION]",
        ("u", "u>"),
        lambda x: Play(x.by, x.units[0], x.to[0] if x.to else ""),
        "card",
        to="target",
    ),
    "reroll": _Shape("BY reroll CARD > DIE", ("u>",), lambda x: Reroll(x.by, x.units[0], int(x.to[0])), "card", to="die"),
    "keep": _Shape("BY keep > old|new", (">",), lambda x: Keep(x.by, x.to[0]), to="keep"),
    "lend": _Shape("BY lend CARD", ("u",), lambda x: Lend(x.by, x.units[0]), "card"),
    "lay": _Shape("BY lay CARD", ("u",), lambda x: Lay(x.by, x.units[0]), "card"),
    "drop": _Shape("BY drop CORPS", ("u",), lambda x: Drop(x.by, x.units[0])),
    "return": _Shape("BY return UNIT", ("u",), lambda x: Return(x.by, x.units[0])),
    "box": _Shape("BY box UNIT", ("u",), lambda x: ToBox(x.by, x.units[0])),
    "levy": _Shape("BY levy UNIT", ("u",), lambda x: Levy(x.by, x.units[0])),
    "restore": _Shape("BY restore UNIT [@ TRACK]", ("u", "u@"), lambda x: Restore(x.by, x.units[0], x.start), start="track"),
    "rebuild": _Shape(
        "BY rebuild UNIT [@ TRACK] > full|reduced",
        ("u>", "u@>"),
        lambda x: Rebuild(x.by, x.units[0], x.to[0], x.start),
        start="track",
        to="state",
    ),
    "exchange": _Shape("BY exchange UNIT > FORMATION", ("u>",), lambda x: Exchange(x.by, x.units[0], x.to[0]), to="gf"),
    "fill": _Shape("BY fill UNIT > FORMATION", ("u>",), lambda x: Fill(x.by, x.units[0], x.to[0]), to="gf"),
    "withdraw": _Shape("BY withdraw UNIT", ("u",), lambda x: Withdraw(x.by, x.units[0])),
    "place": _Shape("BY place FORMATION > ZONE", ("u>",), lambda x: Place(x.by, x.units[0], x.to[0]), "gf"),
    "transfer": _Shape("BY transfer UNIT > FORMATION", ("u>",), lambda x: Transfer(x.by, x.units[0], x.to[0]), to="gf"),
    "supply": _Shape("BY supply FORMATION @ ZONE", ("u@",), lambda x: Supply(x.by, x.units[0], x.start), "gf"),
    "move": _Shape(
        "BY move FORMATION,FORMATION @ FROM > TO [via KIND,KIND]",
        ("u@>", "u@>v"),
        lambda x: Move(x.by, _gfs(x), x.start, x.to[0], x.via),
        "gf",
        most=3,
    ),
    "land": _Shape("BY land FORMATION,FORMATION > ZONE", ("u>",), lambda x: Land(x.by, _s(x.units), x.to[0]), "gf", most=2),
    "sail": _Shape("BY sail FORMATION > ZONE", ("u>",), lambda x: Sail(x.by, x.units[0], x.to[0]), "gf"),
    "attack": _Shape(
        "BY attack FORMATION[,FORMATION] @ ZONE [via KIND] [with FORMATION,FORMATION]",
        ("u@", "u@v", "u@w", "u@vw"),
        lambda x: Attack(x.by, _gfs(x), x.start, _s(x.helped), x.via),
        "gf",
        most=2,
    ),
    "turn-over": _Shape("BY turn-over FORMATION", ("u",), lambda x: TurnOver(x.by, x.units[0]), "gf"),
    "pocket": _Shape("BY pocket UNIT", ("u",), lambda x: Pocket(x.by, x.units[0])),
    "lose": _Shape("BY lose UNIT", ("u",), lambda x: Lose(x.by, x.units[0])),
    "ask": _Shape("BY ask FORMATION", ("u",), lambda x: Ask(x.by, x.units[0]), "gf"),
    "retreat": _Shape("BY retreat FORMATION > ZONE", ("u>",), lambda x: Retreat(x.by, x.units[0], x.to[0]), "gf"),
    "recall": _Shape("BY recall FORMATION", ("u",), lambda x: Recall(x.by, x.units[0]), "gf"),
    "concede": _Shape("BY concede", ("",), lambda x: Concede(x.by)),
}
