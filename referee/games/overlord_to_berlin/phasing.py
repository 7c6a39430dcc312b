"""What the steps of an action phase have in common (2, R-F41): whose step it is, and what an action names must be his."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.overlord_to_berlin.actions import Recall
from referee.games.overlord_to_berlin.interrupts import OpenStep
from referee.games.overlord_to_berlin.land import SIDES
from referee.games.overlord_to_berlin.position import Pos, popped, pushed
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.stacking import emptied, over_capacity, recall_reasons, sent_home
from referee.games.overlord_to_berlin.terms import Phase
from referee.games.overlord_to_berlin.wrong import wrong_step
from referee.rules.model import Action, Done, Frame, Reason, cite


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


class DisplaysStep(PhasingStep):
    """A step in which units are put from display to display, in any order: room binds when it ends (R-F80), and so a formation left
    empty stays in its zone until then (9.8), unless its owner recalls it before. Chapters fill ``judge_units``, ``apply_units``,
    ``choices_units`` and, where more than capacity binds, ``crowded``."""

    def judge_here(self, p: Pos, a: Action) -> Iterator[Reason]:
        """A recall, or the chapter's own."""
        if isinstance(a, Recall):
            yield from recall_reasons(self.g, p, a)
            yield from self.crowded(p)
        else:
            yield from self.judge_units(p, a)

    def apply_own(self, p: Pos, a: Action) -> Pos:
        """On ``done`` all empty formations of the side go home (9.8, R-F83)."""
        if isinstance(a, Done):
            return popped(self.at_end(p))
        if isinstance(a, Recall):
            return sent_home(self.g, p, (self.g.gfs.index[a.gf],))
        return self.apply_units(p, a)

    def at_end(self, p: Pos) -> Pos:
        """The position once the empty formations of the side have gone home, as far as the position shows them."""
        return sent_home(self.g, p, emptied(self.g, p, self.side(p)))

    def crowded(self, p: Pos) -> Iterator[Reason]:
        """Where there is no room, so that the step cannot end and what was done must stay open to be taken back (R-F80): no display
        may hold more units than it takes."""
        yield from over_capacity(self.g, p, self.side(p))

    def duties(self, p: Pos) -> Iterator[Reason]:
        """Room for all."""
        yield from self.crowded(p)

    def choices_own(self, p: Pos, about: int | None) -> Iterator[Action]:
        """The chapter's, then the empty formations that may be sent home at once."""
        g = self.g
        yield from self.choices_units(p, about)
        found = [gf for gf in emptied(g, p, self.side(p)) if about in (None, len(g.units.ids) + gf)]
        yield from self.lawful(p, (Recall(p.frame.by[0], g.gfs.ids[gf]) for gf in found))

    def judge_units(self, p: Pos, a: Action) -> Iterator[Reason]:
        """Every reason against an action of the chapter."""
        raise TypeError(f"{type(self).__name__} judges nothing")

    def apply_units(self, p: Pos, a: Action) -> Pos:
        """The position after it."""
        raise TypeError(f"{type(self).__name__} applies nothing")

    def choices_units(self, p: Pos, about: int | None) -> Iterator[Action]:
        """The legal actions of the chapter."""
        return iter(())


def named(g: Setting, a: Action) -> Iterator[tuple[str, int]]:
    """The units and formations that an action moves or uses, each with its side."""
    units = [getattr(a, "unit", "")]
    gfs = [getattr(a, "gf", ""), *getattr(a, "gfs", ()), *getattr(a, "supporters", ())]
    for name in filter(None, units):
        yield g.units.names[g.units.index[name]], g.units.side[g.units.index[name]]
    for name in filter(None, gfs):
        yield g.gfs.names[g.gfs.index[name]], g.gfs.side[g.gfs.index[name]]
