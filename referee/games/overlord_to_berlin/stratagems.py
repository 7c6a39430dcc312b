"""11.5 to 11.7: the paragraph that describes each national stratagem; some are only likened to the card of another side."""

from __future__ import annotations

from referee.games.overlord_to_berlin.land import AXIS, SOVIET, WEST
from referee.games.overlord_to_berlin.setting import Setting
from referee.rules.model import Cite, cite

FREE_ATTACK, EXTRA_PA, CANCEL, RETHROW = "11.5.a", "11.6.c", "11.5.i", "11.5.n"
"""What other stratagems are likened to: Secret weapons, Joukov, Strategic blocking, Szorkeny."""
_DESCRIBED = {
    "bombardment_best_of_two": ("11.7.c", "", ""),
    "cancel_pa": ("", "", "11.5.i"),
    "cancel_pa_or_extra_pa": ("11.7.d", "", ""),
    "extra_pa": ("11.7.a", "11.6.c", ""),
    "free_attack_16_20": ("11.7.b", "11.6.a", "11.5.a"),
    "free_combat_pa_plus_2_armor_steps_plus_1": ("", "", "11.5.d"),
    "halve_bombardment_die": ("", "", "11.5.h"),
    "rebuild_two_steps_to_reserve": ("", "", "11.5.l"),
    "reroll_keep_choice": ("", "11.6.e", "11.5.n"),
    "reserve_to_displays": ("", "", "11.5.k"),
    "transfer_4_guards_infantry": ("", "11.6.b", ""),
}
"""Effect of a card (stratagems.csv) -> its paragraph, by side."""
_RETHROWS = ((RETHROW, "11.6.e"), ("11.6.e", RETHROW), (RETHROW,))
_CANCELS = (("11.7.d", CANCEL), (CANCEL, "11.7.d"), (CANCEL,))
"""By side: its own card first, then what it is likened to; for the side that has none, those of the others."""


def paragraph(g: Setting, card: int) -> str:
    """The paragraph that describes a stratagem; operational ones are all for combat (11.1)."""
    side = next((s for s in (WEST, SOVIET, AXIS) if g.cards.national[s] >> card & 1), None)
    return "11.1.c" if side is None else _DESCRIBED[g.cards.effect[card]][side]


def described(g: Setting, card: int, like: str, *rulings: str) -> tuple[Cite, ...]:
    """What is cited against a card: its own paragraph with each of the rulings, then the one of the card that it is ``like``."""
    own = paragraph(g, card)
    return cite(*(f"{own} {ruling}" for ruling in rulings), *([f"{like} {rulings[0]}"] if like != own else []))


def rethrowing(side: int, ruling: str) -> tuple[Cite, ...]:
    """What a side may throw a die again by; of the West, which has no such card, what the others may."""
    return cite(*(f"{named} {ruling}" for named in _RETHROWS[side]))


def cancelling(side: int, ruling: str) -> tuple[Cite, ...]:
    """What a side may cancel a PA by; of the Soviets, who have no such card, what the others may."""
    return cite(*(f"{named} {ruling}" for named in _CANCELS[side]))


def held(g: Setting, side: int, card: int) -> tuple[Cite, ...]:
    """Why a card that a side does not hold cannot be played: a national stratagem of another side, or none of its hand."""
    others = sum(own for s, own in enumerate(g.cards.national) if s != side)
    return cite("11.1.b R-F62") if others >> card & 1 else cite("11.4 R-F136")
