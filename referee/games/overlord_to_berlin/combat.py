"""10: one combat from the announced strengths to the end, stage by stage; a free attack (11.5 to 11.7) passes through the same stages
without stratagems, reply and retreat.

``Pos.combat`` says how far it has come. The frame ``combat`` never waits: whenever it is on top, the next stage begins.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from referee.games.overlord_to_berlin import losses, odds, overstack, retreat
from referee.games.overlord_to_berlin.actions import Drop, Lay
from referee.games.overlord_to_berlin.changes import combat_over, lose_cards, send_home
from referee.games.overlord_to_berlin.interrupts import OpenStep, card_reasons
from referee.games.overlord_to_berlin.land import SIDES, WEST
from referee.games.overlord_to_berlin.odds import ATTACKER, DEFENDER
from referee.games.overlord_to_berlin.position import Combat, Pos, alter, members, popped, pushed, seal, set_byte
from referee.games.overlord_to_berlin.sequence import PhaseStep
from referee.games.overlord_to_berlin.setting import Setting, enemies
from referee.games.overlord_to_berlin.throwing import throw
from referee.games.overlord_to_berlin.units import gfs_in, units_in
from referee.rules.model import Action, Done, Frame, Reason, cite

ANNOUNCED, ATTACKER_LAID, LAID, FIRST_LOSSES, SECOND_LOSSES, FOUGHT, OVER = range(7)
"""Stages: strengths are announced; the attacker has laid his stratagems; the defender his; losses of the only or first fire; losses of
the second fire; all losses taken; the defender has retreated or stays."""


def begin(g: Setting, p: Pos, zone: int, attackers: int, supporters: int, side: int, *, free: bool = False, offensive: bool = False) -> Pos:
    """A combat in a zone: strengths, elite bonus and supply are known from now on (10.2, 10.5, R-F102). ``attackers`` and
    ``supporters``: formations, none in a free attack."""
    defender = next(s for s in enemies(side) if gfs_in(g, p, s, zone))
    against = gfs_in(g, p, defender, zone)
    c = Combat(zone, side, defender, attackers, supporters, sum(1 << gf for gf in against), free=free, offensive=offensive)
    if not free:
        c = replace(c, landing=_is_landing(g, p, c))
        c = replace(c, totals=odds.totals(g, p, c), elite=odds.bonuses(g, p, c))
        if side == WEST and _by_landers(g, p, attackers):
            p = alter(p, wall=p.wall & ~(1 << zone))
    p = seal(p, defender, steps=odds.steps_in(g, p, against))
    p = alter(p, combat=c, fought=set_byte(p.fought, zone, p.fought[zone] + 1))
    return pushed(p, Frame("combat", (SIDES[side],)))


def _is_landing(g: Setting, p: Pos, c: Combat) -> bool:
    """9.6, R-F99: the first combat of western formations in the landing zone in the phase of the landing; with the switch, of those that
    landed."""
    return c.attacker == WEST and bool(p.wall >> c.zone & 1) and _by_landers(g, p, c.attackers)


def _by_landers(g: Setting, p: Pos, attackers: int) -> bool:
    """Whether it can be the landing combat for those who attack: for any, with the switch of R-F99 for those that landed; then the
    attack of one that has followed by sea leaves the landing combat still to come."""
    return not g.terms.landers_only or bool(attackers & p.landers)


def running(p: Pos) -> Combat:
    """The running combat."""
    assert p.combat is not None
    return p.combat


class CombatStep(PhaseStep):
    """The stages of a combat (10.2 to 10.8)."""

    def __init__(self, g: Setting) -> None:
        super().__init__(g, {})

    def settle(self, p: Pos) -> Pos | None:
        """The next stage."""
        g, c = self.g, running(p)
        if c.stage in (ANNOUNCED, ATTACKER_LAID) and not c.free:
            side = c.attacker if c.stage == ANNOUNCED else c.defender
            return pushed(p, Frame("stratagems", (SIDES[side],)))
        if c.stage <= LAID:
            return _first_fire(g, p)
        if c.stage in (FIRST_LOSSES, SECOND_LOSSES):
            for who in (DEFENDER, ATTACKER):
                if c.losses[who]:
                    return losses.begin(g, p, who)
            if c.stage == FIRST_LOSSES and c.order >= 0:
                return _second_fire(g, p)
            return alter(p, combat=replace(c, stage=FOUGHT))
        if c.stage == FOUGHT:
            return _fought(g, p)
        return _over(g, p)


def _first_fire(g: Setting, p: Pos) -> Pos:
    """10.4: both dice, or that of the side which fires first (R-F49); a side of strength 0 throws none (R-F16)."""
    c = running(p)
    order = -1 if c.free else odds.first_to_fire(g, c)
    p = alter(p, combat=replace(c, stage=FIRST_LOSSES, order=order))
    if c.free:
        return throw(p, "free-attack", 1, c.attacker, (ATTACKER,))
    firing = tuple(who for who in (ATTACKER, DEFENDER) if order in (-1, who) and odds.column(g, c.totals[who]) >= 0)
    return throw(p, "combat", len(firing), c.attacker, firing) if firing else p


def _second_fire(g: Setting, p: Pos) -> Pos:
    """R-F49: the other side fires with what is left: strength, support and elite are counted anew, its shifts and bonuses stay."""
    c = running(p)
    who = 1 - c.order
    strength, bonus = odds.totals(g, p, c)[who], odds.bonuses(g, p, c)[who]
    p = alter(
        p, combat=replace(c, stage=SECOND_LOSSES, totals=odds.with_at(c.totals, who, strength), elite=odds.with_at(c.elite, who, bonus))
    )
    return throw(p, "combat", 1, c.attacker, (who,)) if odds.column(g, strength) >= 0 else p


def thrown(g: Setting, p: Pos, faces: tuple[int, ...], ctx: tuple[int, ...]) -> Pos:
    """The dice of a combat are read (10.2): the table, stratagems, and last of all supply (R-F37, R-F50). ``ctx``: whose they are."""
    c = running(p)
    dice, losing = c.dice, c.losses
    for who, die in zip(ctx, faces, strict=True):
        dice = odds.with_at(dice, who, die)
        number = odds.doubled(g, p, c, 1 - who, odds.inflicted(g, c, who, die))
        losing = odds.with_at(losing, 1 - who, number)
    return alter(p, combat=replace(c, dice=dice, losses=losing))


def _fought(g: Setting, p: Pos) -> Pos:
    """9.8, 10.7: formations without units leave, both sides' at once (R-F26), control passes; then the defender may retreat (10.6)."""
    c = running(p)
    p = alter(p, combat=replace(c, stage=OVER))
    empty = [gf for gf in members(c.attackers | c.supporters | c.defenders) if not units_in(g, p, gf)]
    p = send_home(g, p, empty) if empty else p
    return p if c.free else retreat.begin(g, p)


def _over(g: Setting, p: Pos) -> Pos:
    """The combat is over; where the defender has retreated to he may have to clear a zone (7.2)."""
    c = running(p)
    p = combat_over(popped(p))
    for zone in reversed(range(g.land.size)):
        if overstack.surplus(g, p, c.defender, zone) > 0:
            p = overstack.begin(g, p, c.defender, zone)
    return p


class StratagemsStep(OpenStep):
    """10.2, 10.5: one side lays any number of its operational stratagems, the West its paratroops too, and ends with ``done``."""

    def judge_own(self, p: Pos, a: Action) -> Iterator[Reason]:
        """A card of the hand (R-F51), or a corps that is ready (R-F113)."""
        g = self.g
        side = g.side(p.frame.by[0])
        if isinstance(a, Lay):
            card = g.cards.index[a.card]
            yield from card_reasons(g, p, side, card)
            if not g.cards.operational >> card & 1:
                yield Reason("no-combat-card", cite("11.1.c R-F48", "11.1.b R-F61"), (("card", g.cards.names[card]),))
        elif isinstance(a, Drop):
            yield from self._judge_drop(p, a, side)
        else:
            yield Reason("stratagems-awaited", cite("10.2.b R-F48"), (("action", str(a)),))

    def _judge_drop(self, p: Pos, a: Drop, side: int) -> Iterator[Reason]:
        g = self.g
        c = running(p)
        unit = g.units.index[a.unit]
        facts = (("unit", g.units.names[unit]), ("zone", g.land.name(c.zone)))
        if not g.units.paratroops >> unit & 1:
            yield Reason("no-paratroops", cite("12.3.a R-F113"), facts)
            return
        if g.units.side[unit] != side:
            yield Reason("paratroops-of-another", cite("12.3.b R-F113"), facts)
        if p.used_corps >> unit & 1:
            yield Reason("corps-used", cite("12.3.b R-F113"), facts)
        if p.at[unit] != g.land.places.paratroops:
            yield Reason("corps-out-of-play", cite("12.3.a R-F113"), facts)
        for corps, back in p.returns:
            if corps == unit and back > p.turn:
                yield Reason("corps-away", cite("12.3.d R-F114"), (*facts, ("turn", str(back))))
        if p.dropped >> c.zone & 1:
            yield Reason("one-corps-a-zone", cite("12.3.b R-F113"), facts)

    def apply_own(self, p: Pos, a: Action) -> Pos:
        """The card or corps is laid; ``done`` passes to the next stage."""
        g, c = self.g, running(p)
        side = g.side(p.frame.by[0])
        who = ATTACKER if c.stage == ANNOUNCED else DEFENDER
        if isinstance(a, Lay):
            card = 1 << g.cards.index[a.card]
            q = lose_cards(g, p, side, card)
            return alter(q, combat=replace(c, cards=odds.with_at(c.cards, who, c.cards[who] | card)))
        if isinstance(a, Drop):
            corps = 1 << g.units.index[a.unit]
            laid = replace(c, drops=odds.with_at(c.drops, who, c.drops[who] | corps))
            return alter(p, combat=laid, used_corps=p.used_corps | corps, dropped=p.dropped | 1 << c.zone)
        assert isinstance(a, Done)
        return alter(popped(p), combat=replace(c, stage=c.stage + 1))

    def choices_own(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every card of the hand, every corps that is ready."""
        g, by = self.g, p.frame.by[0]
        side = g.side(by)
        possible: list[Action] = []
        if about is None:
            possible += [Lay(by, g.cards.ids[card]) for card in members(p.sealed[side].hand & g.cards.operational)]
        possible += [Drop(by, g.units.ids[unit]) for unit in members(g.units.paratroops) if about in (None, unit)]
        yield from self.lawful(p, iter(possible))
