"""11.5 Hitler Offensive: two armour steps for a formation of the Axis, then its attack with a PA of the card and +1 on the die (R-F54).

Frame ``offensive``: data ``(formation,)``. Which steps were taken is hidden (R-F136): what is left of them is in ``Sealed.given``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from referee.games.overlord_to_berlin import attack
from referee.games.overlord_to_berlin.actions import Attack, Play, Rebuild, Restore
from referee.games.overlord_to_berlin.changes import flip, lose_cards, put_inside
from referee.games.overlord_to_berlin.interrupts import OpenStep, card_reasons, steps_given
from referee.games.overlord_to_berlin.position import CARD, OFFENSIVE, Pos, alter, members, popped, pushed, seal, set_byte
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.units import is_reduced, units_in
from referee.rules.model import Action, Frame, Reason, cite

EFFECT = "free_combat_pa_plus_2_armor_steps_plus_1"


def judge(g: Setting, p: Pos, a: Play) -> Iterator[Reason]:
    """The card, and an own formation that can attack where it stands; turned over or cut off too (R-F54)."""
    card, side = g.cards.index[a.card], g.side(a.by)
    facts = (("card", g.cards.names[card]), ("gf", g.called(a.to)))
    yield from card_reasons(g, p, side, card)
    gf = g.gfs.index.get(a.to)
    if gf is None or g.gfs.side[gf] != side or not g.on_map(p, gf):
        yield Reason("offensive-own-gf", cite("11.5.d R-F54"), facts)
    elif not attack.enemy_there(g, p, side, p.gf_at[gf]):
        yield Reason("offensive-attacks", cite("11.5.d R-F54", "11.5.d R-F63"), facts)


def apply(g: Setting, p: Pos, a: Play) -> Pos:
    """The card is out of the hand; its steps and its PA are there."""
    side, gf = g.side(a.by), g.gfs.index[a.to]
    q = lose_cards(g, p, side, 1 << g.cards.index[a.card])
    q = alter(q, extra=set_byte(q.extra, gf, q.extra[gf] + 1), pa=set_byte(q.pa, gf, q.pa[gf] | OFFENSIVE))
    return pushed(seal(q, side, given=g.number("hitler_offensive_steps")), Frame("offensive", (a.by,), (gf,)))


def choices(g: Setting, p: Pos, by: str) -> Iterator[Action]:
    """The card on every formation that stands before an enemy."""
    side = g.side(by)
    for card in members(p.sealed[side].hand & g.cards.with_effect(EFFECT)):
        possible = (Play(by, g.cards.ids[card], g.gfs.ids[gf]) for gf in members(g.gfs.of_side[side]))
        yield from (a for a in possible if not any(True for _ in judge(g, p, a)))


class OffensiveStep(OpenStep):
    """Steps for the formation's armour, then its attack, which ends this."""

    def _gf(self, p: Pos) -> int:
        return cast(int, p.frame.data[0])

    def judge_own(self, p: Pos, a: Action) -> Iterator[Reason]:
        """Armour of the formation, or destroyed armour for it; or its attack with the PA of the card."""
        if isinstance(a, Attack):
            yield from self._judge_attack(p, a)
        elif isinstance(a, Restore | Rebuild):
            yield from self._judge_steps(p, a)
        else:
            yield Reason("offensive-awaited", cite("11.5.d R-F54"), (("action", str(a)),))

    def _judge_attack(self, p: Pos, a: Attack) -> Iterator[Reason]:
        g = self.g
        facts = (("gf", g.gfs.names[self._gf(p)]),)
        if a.gfs != (g.gfs.ids[self._gf(p)],):
            yield Reason("offensive-other-gf", cite("11.5.d R-F54"), facts)
        if a.kinds != (CARD,):
            yield Reason("offensive-card-pa", cite("11.5.e R-F54"), facts)
        yield from attack.judge(g, p, a)

    def _judge_steps(self, p: Pos, a: Restore | Rebuild) -> Iterator[Reason]:
        g, gf = self.g, self._gf(p)
        side, unit = g.gfs.side[gf], g.units.index[a.unit]
        facts = (("unit", g.units.names[unit]), ("gf", g.gfs.names[gf]))
        if a.track:
            yield Reason("offensive-unpaid", cite("11.5.f R-F54"), facts)
        if not g.units.armour >> unit & 1:
            yield Reason("offensive-armour", cite("11.5.f R-F54"), facts)
        if isinstance(a, Restore):
            if unit not in units_in(g, p, gf) or not is_reduced(g, p, unit):
                yield Reason("offensive-not-worn", cite("11.5.f R-F54"), facts)
        else:
            if p.at[unit] not in (*g.land.places.piles[side], g.land.places.destroyed[side]):
                yield Reason("offensive-not-destroyed", cite("11.5.f R-F54"), facts)
            if len(units_in(g, p, gf)) >= g.gfs.capacity[gf]:
                yield Reason("offensive-full", cite("7.2.d R-F82"), facts)
        if steps_given(a) > p.sealed[side].given:
            yield Reason("offensive-steps", cite("11.5.f R-F54"), (("left", str(p.sealed[side].given)),))

    def apply_own(self, p: Pos, a: Action) -> Pos:
        """A unit of the formation restored or brought back; or the attack declared."""
        g, gf = self.g, self._gf(p)
        side = g.gfs.side[gf]
        if isinstance(a, Attack):
            return attack.declared(g, popped(seal(p, side, given=0)), a)
        assert isinstance(a, Restore | Rebuild)
        unit = g.units.index[a.unit]
        q = seal(p, side, given=p.sealed[side].given - steps_given(a))
        if isinstance(a, Restore):
            return flip(g, q, unit, reduced=False)
        return put_inside(g, q, unit, g.display(gf), reduced=a.state == "reduced")

    def choices_own(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every step that can be taken, then the attack with every set of supporters."""
        g, by, gf = self.g, p.frame.by[0], self._gf(p)
        side = g.gfs.side[gf]
        possible: list[Action] = []
        for unit in members(g.units.armour & g.units.of_side[side]):
            if about in (None, unit):
                name = g.units.ids[unit]
                possible += [Restore(by, name), Rebuild(by, name, "reduced"), Rebuild(by, name, "full")]
        if about in (None, len(g.units.ids) + gf):
            for a in attack.choices(g, p, by):
                assert isinstance(a, Attack)
                if a.gfs == (g.gfs.ids[gf],):
                    possible.append(Attack(by, a.gfs, a.zone, a.supporters, (CARD,)))
        yield from self.lawful(p, iter(possible))

    def duties(self, p: Pos) -> Iterator[Reason]:
        """The attack must be declared (R-F54: the card is laid with it)."""
        yield Reason("offensive-attack-owed", cite("11.5.d R-F54"), (("gf", self.g.gfs.names[self._gf(p)]),))
