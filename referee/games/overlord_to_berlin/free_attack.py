"""11.5 to 11.7: Secret weapons, Stalin's Organ, Carpet Bombing: an attack without formations (R-F53)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.overlord_to_berlin import combat, stratagems
from referee.games.overlord_to_berlin.actions import Play
from referee.games.overlord_to_berlin.attack import enemy_there
from referee.games.overlord_to_berlin.changes import lose_cards
from referee.games.overlord_to_berlin.interrupts import card_reasons
from referee.games.overlord_to_berlin.position import Pos, members
from referee.games.overlord_to_berlin.setting import Setting
from referee.rules.model import Action, Reason, cite

EFFECT = "free_attack_16_20"


def judge(g: Setting, p: Pos, a: Play) -> Iterator[Reason]:
    """A card of the hand that makes such an attack, on a zone with enemy formations (R-F53, R-F63)."""
    card, side = g.cards.index[a.card], g.side(a.by)
    facts = (("card", g.cards.names[card]), ("to", g.called(a.to)))
    yield from card_reasons(g, p, side, card)
    if a.to not in g.land.places.names[: g.land.size] or not enemy_there(g, p, side, g.land.zone(a.to)):
        own = stratagems.paragraph(g, card)
        yield Reason("free-attack-on-nobody", cite(*dict.fromkeys((f"{own} R-F53", f"{own} R-F63", "11.5.a R-F53"))), facts)


def apply(g: Setting, p: Pos, a: Play) -> Pos:
    """The card returns to its pool; the die is wanted."""
    side = g.side(a.by)
    q = lose_cards(g, p, side, 1 << g.cards.index[a.card])
    return combat.begin(g, q, g.land.zone(a.to), 0, 0, side, free=True)


def choices(g: Setting, p: Pos, by: str) -> Iterator[Action]:
    """Every such card on every zone with enemies."""
    side = g.side(by)
    for card in members(p.sealed[side].hand & g.cards.with_effect(EFFECT)):
        for zone in range(g.land.size):
            if enemy_there(g, p, side, zone):
                yield Play(by, g.cards.ids[card], g.land.name(zone))
