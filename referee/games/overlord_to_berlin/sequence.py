"""2: the order of play, step by step as ``phases.csv`` has it (R-F39 to R-F42)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from referee.games.overlord_to_berlin.land import WEST
from referee.games.overlord_to_berlin.position import Pos, alter
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.terms import Phase
from referee.games.overlord_to_berlin.victory import in_words
from referee.rules.model import Action, Frame, Reason, cite

Begin = Callable[[Setting, Pos, Phase], Pos]
"""What a chapter does when its step of the order of play begins: frames for what must be decided, on top of the ``phase`` frame;
none when nothing is to be asked."""


def nothing_asked(g: Setting, p: Pos, phase: Phase) -> Pos:
    """A step in which nothing happens."""
    return p


class PhaseStep:
    """The bottom of the agenda: whenever it comes to the top, the next step of the order of play begins."""

    def __init__(self, g: Setting, begin: dict[str, Begin]) -> None:
        self.g = g
        self.begin = begin

    def settle(self, p: Pos) -> Pos | None:
        """The next step, of the next turn when this one is over; the game ends when the last verdict has left a result."""
        phases = self.g.terms.phases
        if p.result:
            return alter(p, agenda=(Frame("over", ()),))
        index = p.phase + 1
        turn = p.turn
        if index >= len(phases):
            index, turn = 0, turn + 1
        q = alter(p, phase=index, turn=turn)
        phase = phases[index]
        if q.peace and phase.side == WEST:
            return q  # R-F132: the West draws and acts no more
        return self.begin[phase.step](self.g, q, phase)

    def judge(self, p: Pos, a: Action) -> Iterator[Reason]:
        """Nothing is done by hand here."""
        yield Reason("nothing-to-do", cite("2"))

    def apply(self, p: Pos, a: Action) -> Pos:
        """Nothing."""
        return p

    def choices(self, p: Pos, about: int | None) -> Iterator[Action]:
        """None."""
        return iter(())

    def duties(self, p: Pos) -> Iterator[Reason]:
        """None."""
        return iter(())


class OverStep(PhaseStep):
    """The game has ended."""

    def __init__(self, g: Setting) -> None:
        super().__init__(g, {})

    def settle(self, p: Pos) -> Pos | None:
        """Nothing follows."""
        return None

    def judge(self, p: Pos, a: Action) -> Iterator[Reason]:
        """No action after the end."""
        yield Reason("game-over", cite("13"), (("result", in_words(p.result)),))

    def duties(self, p: Pos) -> Iterator[Reason]:
        """There is nothing to end."""
        yield Reason("game-over", cite("13"), (("result", in_words(p.result)),))
