"""5.3: the bombardment of Germany and its stratagems (11.5, 11.7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from referee.games.overlord_to_berlin.actions import Play
from referee.games.overlord_to_berlin.changes import lose_cards, pay
from referee.games.overlord_to_berlin.interrupts import OpenStep
from referee.games.overlord_to_berlin.land import AXIS, SIDES, WEST, bits
from referee.games.overlord_to_berlin.position import Pos, alter, members, popped, pushed, with_top
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.stratagems import foreign
from referee.games.overlord_to_berlin.terms import AXIS_PR, Phase
from referee.games.overlord_to_berlin.throwing import throw
from referee.games.overlord_to_berlin.units import zones_of
from referee.games.overlord_to_berlin.wrong import wrong_step
from referee.rules.model import Action, Frame, Reason, cite

AIR_FORCE, FLAK = 1, 2
"""Bits of ``Pos.flak``."""
_EFFECTS = ("bombardment_best_of_two", "halve_bombardment_die")
_ASKED = (WEST, AXIS)
"""Who says whether he plays his card, in this order (5.3, R-F65)."""


def begin(g: Setting, p: Pos, phase: Phase) -> Pos:
    """The West says first whether it plays its card."""
    return pushed(p, Frame("bombard", (SIDES[WEST],), (0,)))


class BombardStep(OpenStep):
    """West, then Axis: the own card for the bombardment, or none. Asked whatever they hold."""

    def judge_own(self, p: Pos, a: Action) -> Iterator[Reason]:
        """The card for this moment, from the own hand."""
        g = self.g
        if not isinstance(a, Play):
            yield wrong_step(g, p, a)
            return
        card = g.cards.index[a.card]
        if not g.cards.with_effect(_EFFECTS[self._asked(p)]) >> card & 1:
            yield Reason("no-bombardment-card", cite("5.3.e R-F65"), (("card", g.cards.names[card]),))
        elif not p.sealed[_ASKED[self._asked(p)]].hand >> card & 1:
            para = "11.1.b R-F62" if foreign(g, _ASKED[self._asked(p)], card) else "11.4 R-F136"
            yield Reason("card-not-held", cite(para), (("card", g.cards.names[card]),))
        if a.to:
            yield Reason("card-without-target", cite("5.3.e R-F65"), (("card", g.cards.names[card]),))

    def apply_own(self, p: Pos, a: Action) -> Pos:
        """The card is played, or not; then the next is asked, then the dice fall."""
        asked = self._asked(p)
        if isinstance(a, Play):
            p = lose_cards(self.g, p, _ASKED[asked], 1 << self.g.cards.index[a.card])
            p = alter(p, flak=p.flak | (AIR_FORCE, FLAK)[asked])
        if asked == 0:
            return with_top(p, Frame("bombard", (SIDES[AXIS],), (1,)))
        return throw(popped(p), "bombardment", dice(self.g, p), WEST)

    def choices_own(self, p: Pos, about: int | None) -> Iterator[Action]:
        """The card, if it is held."""
        asked = self._asked(p)
        held = p.sealed[_ASKED[asked]].hand & self.g.cards.with_effect(_EFFECTS[asked])
        if about is None:
            yield from (Play(SIDES[_ASKED[asked]], self.g.cards.ids[card]) for card in members(held))

    def _asked(self, p: Pos) -> int:
        return cast(int, p.frame.data[0])


def dice(g: Setting, p: Pos) -> int:
    """How many dice the bombardment has: one, two after the event, one more with 8th Air Force (5.3, R-F65)."""
    count = g.number("bombardment_dice_after_roosevelt" if p.roosevelt else "bombardment_dice")
    return count + (g.number("bombardment_dice_8th_air_force") if p.flak & AIR_FORCE else 0)


def thrown(g: Setting, p: Pos, faces: tuple[int, ...], ctx: tuple[int, ...]) -> Pos:
    """5.3: the Axis loses as many PR, saved ones too, down to none (R-F66)."""
    return alter(pay(g, p, AXIS_PR, damage(g, p, faces)), flak=0)


def damage(g: Setting, p: Pos, faces: tuple[int, ...]) -> int:
    """R-F65: the lowest die dropped after 8th Air Force, the sum, halved down by FLAK, then the escort."""
    counted = sorted(faces)[g.number("bombardment_dice_8th_air_force") if p.flak & AIR_FORCE else 0 :]
    total = sum(counted)
    if p.flak & FLAK:
        total //= g.number("bombardment_flak_divisor")
    return total + (g.number("bombardment_escort") if escorted(g, p) else 0)


def escorted(g: Setting, p: Pos) -> bool:
    """Whether a western formation stands in the Vaterland or next to it (5.3, R-F64)."""
    bases = g.land.vaterland
    for zone in bits(g.land.vaterland):
        bases |= g.land.near[zone]
    there = bases & zones_of(g, p, WEST)
    if g.terms.escort_uncontested:
        there &= ~zones_of(g, p, AXIS)
    return bool(there)
