"""What the steps of an action phase have in common (2, R-F41): whose step it is, and what an action names must be his."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.overlord_to_berlin.interrupts import OpenStep
from referee.games.overlord_to_berlin.land import SIDES
from referee.games.overlord_to_berlin.position import Pos, pushed
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.terms import Phase
from referee.games.overlord_to_berlin.wrong import wrong_step
from referee.rules.model import Action, Frame, Reason, cite


def begin_step(p: Pos, phase: Phase, step: str) -> Pos:
    """The frame of a step of the side on move."""
    return pushed(p, Frame(step, (SIDES[phase.side],)))


class PhasingStep(OpenStep):
    """A step of the side on move: only its own counters are handled. ``takes``: the actions that belong here."""

    takes: tuple[type[Action], ...] = ()

    def side(self, p: Pos) -> int:
        """Whose step it is."""
        return self.g.side(p.frame.by[0])

    def judge_own(self, p: Pos, a: Action) -> Iterator[Reason]:
        """An action of this step, with counters of the own side; then ``judge_here``."""
        g = self.g
        if not isinstance(a, self.takes):
            yield wrong_step(g, p, a)
            return
        foreign = [name for name, side in named(g, a) if side != self.side(p)]
        if foreign:
            yield Reason("not-yours", cite("1.f"), (("piece", foreign[0]), ("by", a.by)))
            return
        yield from self.judge_here(p, a)

    def judge_here(self, p: Pos, a: Action) -> Iterator[Reason]:
        """Every reason of the chapter."""
        raise TypeError(f"{type(self).__name__} judges nothing")


def named(g: Setting, a: Action) -> Iterator[tuple[str, int]]:
    """The units and formations that an action moves or uses, each with its side."""
    units = [getattr(a, "unit", "")]
    gfs = [getattr(a, "gf", ""), *getattr(a, "gfs", ()), *getattr(a, "supporters", ())]
    for name in filter(None, units):
        yield g.units.names[g.units.index[name]], g.units.side[g.units.index[name]]
    for name in filter(None, gfs):
        yield g.gfs.names[g.gfs.index[name]], g.gfs.side[g.gfs.index[name]]
