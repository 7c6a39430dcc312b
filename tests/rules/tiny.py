"""A game of five places in a ring and three units, as the core takes one: enough for everything the core does by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from referee.rules.book import Book, roll_reasons
from referee.rules.layout import NUMBER, PLACE, UNIT, UNITS, Layout
from referee.rules.model import CHANCE, Action, Done, Frame, NotationError, Position, Reason, Roll, cite
from referee.rules.notation import core_action, split, write
from referee.rules.step import Step

PLACES = ("a", "b", "c", "d", "e", "out")
UNITS_ = ("r-1", "r-2", "b-1")
SIDES = ("red", "blue")


class Pos(Position, frozen=True, dict=True):
    """Units in a ring."""

    at: tuple[int, ...] = (0, 1, 3)
    side: bytes = b"\0\0\1"
    tired: int = 0
    since: tuple[tuple[int, int], ...] = ()
    phase: int = -1
    burnt: int = 0
    luck: bytes = b"\0\0"
    score: tuple[int, int] = (0, 0)
    note: str = ""


class Walk(Action, frozen=True):
    """One step round the ring."""

    unit: str
    to: str

    def __str__(self) -> str:
        return write(self.by, "walk", (self.unit,), to=(self.to,))


class WalkStep:
    """Each unit may walk once to the next place; a side may not end with two units in one place; the last place asks for a die."""

    def judge(self, p: Pos, a: Action) -> Iterator[Reason]:
        if not isinstance(a, Walk):
            yield Reason("wrong-step", cite("1.0"))
            return
        unit, to = UNITS_.index(a.unit), PLACES.index(a.to)
        if p.tired >> unit & 1:
            yield Reason("tired", cite("1.1"), (("unit", a.unit),))
        if abs(p.at[unit] - to) not in (1, 4):
            yield Reason("too-far", cite("1.2 R-1", "1.3"), (("unit", a.unit), ("to", a.to)))

    def apply(self, p: Pos, a: Action) -> Pos:
        if isinstance(a, Done):
            following = "blue" if p.frame.by == ("red",) else "red"
            frame = Frame("walk", (following,)) if p.turn < 3 else Frame("over", ())
            return replace(p, turn=p.turn + 1, tired=0, phase=(p.phase + 1) % 2, agenda=(frame,))
        assert isinstance(a, Walk)
        unit, to = UNITS_.index(a.unit), PLACES.index(a.to)
        q = replace(p, at=(*p.at[:unit], to, *p.at[unit + 1 :]), tired=p.tired | 1 << unit)
        return replace(q, agenda=(*q.agenda, Frame("luck", (CHANCE,), (unit,)))) if a.to == "e" else q

    def choices(self, p: Pos, about: int | None) -> Iterator[Action]:
        mine = SIDES.index(p.frame.by[0])
        for unit, name in enumerate(UNITS_):
            if p.side[unit] == mine and about in (None, unit) and not p.tired >> unit & 1:
                for to in (0, 1, 2, 3, 4):
                    if abs(p.at[unit] - to) in (1, 4):
                        yield Walk(p.frame.by[0], name, PLACES[to])

    def duties(self, p: Pos) -> Iterator[Reason]:
        if p.at[0] == p.at[1] and p.frame.by == ("red",):
            yield Reason("crowded", cite("2.1"), (("place", PLACES[p.at[0]]),))

    def settle(self, p: Pos) -> Pos | None:
        return None


class LuckStep:
    """One die: a 6 burns the place."""

    def judge(self, p: Pos, a: Action) -> Iterator[Reason]:
        return roll_reasons(a, "luck", 1, 6, "3.0")

    def apply(self, p: Pos, a: Action) -> Pos:
        assert isinstance(a, Roll)
        q = replace(p, agenda=p.agenda[:-1], luck=bytes((a.faces[0] % 3, 2)))
        return replace(q, burnt=q.burnt | 16, since=((0, 7), (2, 9)), note='a "word"') if a.faces == (6,) else q

    def choices(self, p: Pos, about: int | None) -> Iterator[Action]:
        return (Roll(CHANCE, "luck", (n,)) for n in range(1, 7))

    def duties(self, p: Pos) -> Iterator[Reason]:
        yield Reason("roll-awaited", cite("3.0"), (("key", "luck"),))

    def settle(self, p: Pos) -> Pos | None:
        return None


class OverStep(WalkStep):
    """Nothing more."""

    def judge(self, p: Pos, a: Action) -> Iterator[Reason]:
        yield Reason("over", cite("4.0"))

    def choices(self, p: Pos, about: int | None) -> Iterator[Action]:
        return iter(())

    def duties(self, p: Pos) -> Iterator[Reason]:
        yield Reason("over", cite("4.0"))


class Ring:
    """The game."""

    id = "ring"
    scenario = "only"
    options: frozenset[str] = frozenset()
    rules = 3
    players = ("red", "blue")
    data = "0f0f"
    layout = Layout(
        units=UNITS_,
        places=PLACES,
        at="at",
        absent=5,
        values={"side": (SIDES, b"\0\0\1")},
        marks=("tired",),
        notes=("since",),
        tables={"luck": (("north", "south"), ("bad", "fair", "good"))},
        sets={"burnt": PLACES},
        names={"phase": ("-", "day", "night")},
        data={"luck": (UNIT,), "three": (UNITS, PLACE, NUMBER)},
    )

    def __init__(self) -> None:
        self.steps: Mapping[str, Step[Pos]] = {"walk": WalkStep(), "luck": LuckStep(), "over": OverStep()}

    def start(self) -> Pos:
        return Pos(1, (Frame("walk", ("red",)),))

    def parse(self, text: str) -> Action:
        core = core_action(text)
        if core is not None:
            return core
        parts = split(text)
        if parts.verb != "walk" or len(parts.units) != 1 or len(parts.to) != 1:
            raise NotationError(f"there is only 'BY walk UNIT > PLACE', not {text!r}", parts.verb)
        if parts.units[0] not in UNITS_:
            raise NotationError(f"{parts.units[0]!r} is no unit", parts.units[0])
        return Walk(parts.by, parts.units[0], parts.to[0])

    def sentence(self, reason: Reason) -> str:
        return f"{reason.code} [{', '.join(map(str, reason.cites))}]"

    def unit(self, piece: str) -> int:
        return UNITS_.index(piece)

    def wrong_step(self, p: Pos, a: Action) -> Reason:
        return Reason("wrong-step", cite("1.0"))

    def wrong_hand(self, p: Pos, a: Action) -> Reason:
        return Reason("not-yours", cite("0.1"))

    def view(self, p: Pos, side: str | None) -> Pos:
        return p

    def broken(self, p: Pos) -> Iterator[str]:
        if p.at[2] == 5:
            yield "blue has left"


def book() -> Book[Any]:
    """The game, compiled."""
    return Book(Ring())
