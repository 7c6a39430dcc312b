"""What may be done between two actions, by whoever likes, in the phase of whoever is on move (R-F43, R-F44).

Every step that is an ``OpenStep`` takes these actions besides its own; nobody is asked for them because of what he holds.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.overlord_to_berlin.actions import Concede
from referee.games.overlord_to_berlin.land import AXIS, SIDES, WEST
from referee.games.overlord_to_berlin.position import Pos, alter
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.wrong import wrong_hand
from referee.rules.model import Action, Frame, Reason


def is_interrupt(g: Setting, p: Pos, a: Action) -> bool:
    """Whether the action is one of these."""
    return isinstance(a, Concede)


def judge(g: Setting, p: Pos, a: Action) -> Iterator[Reason]:
    """Every reason against it."""
    return iter(())


def apply(g: Setting, p: Pos, a: Action) -> Pos:
    """The position after it."""
    assert isinstance(a, Concede)
    winner = "allies" if g.side(a.by) == AXIS else "axis"
    return alter(p, agenda=(Frame("over", ()),), result=f"{winner}, {a.by} gave up")


def choices(g: Setting, p: Pos, by: str) -> Iterator[Action]:
    """What a side could do of this kind, worked out from its own view; giving up is never listed."""
    return iter(())


class OpenStep:
    """A step of a chapter in which interrupts are taken as well. Chapters fill ``judge_own``, ``apply_own``, ``choices_own``."""

    anybody = False
    """Whether the step's own actions are open to every side, not only to whoever the frame names."""

    def __init__(self, g: Setting) -> None:
        self.g = g

    def others(self, p: Pos) -> tuple[str, ...]:
        """Every side, whatever it holds; the West no more after a separate peace (R-F132)."""
        return SIDES[1:] if p.peace else SIDES

    def judge(self, p: Pos, a: Action) -> Iterator[Reason]:
        """Every reason against an interrupt or an action of the step's own."""
        if is_interrupt(self.g, p, a):
            yield from judge(self.g, p, a)
        elif not self.anybody and a.by not in p.frame.by:
            yield wrong_hand(self.g, p, a)
        else:
            yield from self.judge_own(p, a)

    def apply(self, p: Pos, a: Action) -> Pos:
        """The position after either."""
        if is_interrupt(self.g, p, a):
            return apply(self.g, p, a)
        return self.apply_own(p, a)

    def choices(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Own actions first, then everybody's interrupts. ``p`` is the view of one side: the others' hands in it are hidden."""
        if self.anybody or any(p.sealed[self.g.side(by)].known for by in p.frame.by):
            yield from self.choices_own(p, about)
        if about is None:
            for by in SIDES:
                if p.sealed[self.g.side(by)].known:
                    yield from choices(self.g, p, by)

    def settle(self, p: Pos) -> Pos | None:
        """Waits for an action."""
        return None

    def duties(self, p: Pos) -> Iterator[Reason]:
        """None, unless the chapter says so."""
        return iter(())

    def judge_own(self, p: Pos, a: Action) -> Iterator[Reason]:
        """Every reason against an action of the chapter; ``Done`` never comes here."""
        raise TypeError(f"{type(self).__name__} judges nothing")

    def apply_own(self, p: Pos, a: Action) -> Pos:
        """The position after an action of the chapter, ``Done`` included."""
        raise TypeError(f"{type(self).__name__} applies nothing")

    def choices_own(self, p: Pos, about: int | None) -> Iterator[Action]:
        """The legal actions of the chapter."""
        return iter(())


def side_on_move(g: Setting, p: Pos) -> int:
    """The side whose phase it is; the West where it is nobody's."""
    side = g.phase(p).side
    return side if side >= 0 else WEST


