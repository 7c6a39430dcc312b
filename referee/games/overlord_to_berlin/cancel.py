"""11.5, 11.7, R-F56: the window between the declaration of a PA and its effect, in which Strategic blocking and Enigma answer it.

The window opens after every declared PA, whatever anybody holds (R-F43); the mover's ``done`` goes on. Then the PA are spent or
lost, and what was declared is carried out for the formations that were not stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

import msgspec

from referee.games.overlord_to_berlin import stratagems
from referee.games.overlord_to_berlin.actions import Play
from referee.games.overlord_to_berlin.changes import lose_cards
from referee.games.overlord_to_berlin.interrupts import OpenStep
from referee.games.overlord_to_berlin.land import SIDES, WEST
from referee.games.overlord_to_berlin.points import Plan, spend
from referee.games.overlord_to_berlin.position import Pos, popped, pushed, with_top
from referee.games.overlord_to_berlin.setting import Setting, enemies
from referee.rules.model import Action, Frame, Reason, cite

CANCELS = ("cancel_pa", "cancel_pa_or_extra_pa")
"""What the cards do that can be played here (R-F21)."""


class Declared(msgspec.Struct, frozen=True):
    """What a side has announced: a verb of ``CARRY`` with everything that the verb needs. All of it is public."""

    verb: str
    """``move`` ``land`` ``sail`` ``attack``."""
    plan: Plan
    """The formations and their PA; ``plan.zone`` is where the action goes or happens."""
    supporters: tuple[int, ...] = ()
    start: int = -1
    """The zone that a move leaves."""


Carry = Callable[[Setting, Pos, Declared, tuple[int, ...]], Pos]
"""(book, position with the window gone and the PA spent, what was declared, the formations that were stopped) -> position. Not
called when all of them were."""


def declare(p: Pos, side: int, declared: Declared) -> Pos:
    """The window opens; nothing is spent yet."""
    return pushed(p, Frame("cancel", (SIDES[side],), _data(declared, ())))


def _data(declared: Declared, stopped: tuple[int, ...]) -> tuple[int | str | tuple[int, ...], ...]:
    plan = declared.plan
    kinds = "/".join("+".join(own) for own in plan.kinds)
    return (declared.verb, plan.gfs, kinds, plan.purpose, plan.zone, declared.supporters, declared.start, stopped)


def waiting(p: Pos) -> tuple[Declared, tuple[int, ...]]:
    """What the open window is about, and the formations stopped so far."""
    verb, gfs, kinds, purpose, zone, supporters, start, stopped = cast(
        tuple[str, tuple[int, ...], str, str, int, tuple[int, ...], int, tuple[int, ...]], p.frame.data
    )
    plan = Plan(gfs, tuple(tuple(own.split("+")) for own in kinds.split("/")), purpose, zone)
    return Declared(verb, plan, supporters, start), stopped


_CARDS = (("11.7.d", "11.5.i"), ("11.5.i", "11.7.d"), ("11.5.i",))
"""What a side may cancel a PA by: Enigma, which is likened to Strategic blocking; of the Soviets, who have no such card, the others'."""


class CancelStep(OpenStep):
    """The window: an enemy may stop one formation with a card (there is no side with two of them)."""

    anybody = True

    def __init__(self, g: Setting, carry: dict[str, Carry]) -> None:
        super().__init__(g)
        self.carry = carry

    def judge_own(self, p: Pos, a: Action) -> Iterator[Reason]:
        """A card that cancels, in the hand of an enemy of the mover; a formation whose PA was declared."""
        g = self.g
        if not isinstance(a, Play):
            yield Reason("cancel-open", cite(*(f"{own} R-F43" for own in _CARDS[enemies(g.side(p.frame.by[0]))[0]])), (("action", str(a)),))
            return
        card, side = g.cards.index[a.card], g.side(a.by)
        declared, _ = waiting(p)
        name = ("card", g.cards.names[card])
        if g.cards.effect[card] not in CANCELS:
            yield Reason("no-cancel-card", cite(*(f"{own} R-F56" for own in _CARDS[side])), (name,))
        elif not p.sealed[side].hand >> card & 1:
            yield Reason("card-not-held", cite("11.1.b R-F62" if stratagems.foreign(g, side, card) else "11.4 R-F136"), (name,))
        if g.side(p.frame.by[0]) not in enemies(side):
            ruling = "R-F21" if side == WEST else "R-F56"
            yield Reason("cancels-enemies", cite(*(f"{own} {ruling}" for own in _CARDS[side])), (name,))
        if a.to not in {g.gfs.ids[gf] for gf in declared.plan.gfs}:
            yield Reason("not-declared", cite(*(f"{own} R-F56" for own in _CARDS[side])), (("to", g.called(a.to)),))

    def apply_own(self, p: Pos, a: Action) -> Pos:
        """The formation is stopped; or, on ``done``, the PA are spent and the action is carried out."""
        g = self.g
        declared, stopped = waiting(p)
        if isinstance(a, Play):
            stopped = (*stopped, g.gfs.index[a.to])
            q = lose_cards(g, p, g.side(a.by), 1 << g.cards.index[a.card])
            return with_top(q, Frame("cancel", p.frame.by, _data(declared, stopped)))
        q = spend(g, popped(p), declared.plan, stopped)
        if all(gf in stopped for gf in declared.plan.gfs):
            return q
        return self.carry[declared.verb](g, q, declared, stopped)

    def choices_own(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every card of this kind that an enemy of the mover is known to hold, on each formation not stopped yet."""
        if about is not None:
            return
        g = self.g
        declared, stopped = waiting(p)
        able = sum(g.cards.with_effect(effect) for effect in CANCELS)
        for side in enemies(g.side(p.frame.by[0])):
            for card, name in enumerate(g.cards.ids):
                if p.sealed[side].hand & able & (1 << card):
                    yield from (Play(SIDES[side], name, g.gfs.ids[gf]) for gf in declared.plan.gfs if gf not in stopped)
