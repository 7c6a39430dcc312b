"""11.5 to 11.7: the paragraph that describes each national stratagem; some are only likened to the card of another side.

A refusal of a chapter cites the card's own paragraph, then the one that it is likened to.
"""

from __future__ import annotations

from referee.games.overlord_to_berlin.land import AXIS, SOVIET, WEST
from referee.games.overlord_to_berlin.setting import Setting

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
def paragraph(g: Setting, card: int) -> str:
    """The paragraph that describes a stratagem; operational ones are all for combat (11.1)."""
    side = next((s for s in (WEST, SOVIET, AXIS) if g.cards.national[s] >> card & 1), None)
    return "11.1.c" if side is None else _DESCRIBED[g.cards.effect[card]][side]


def foreign(g: Setting, side: int, card: int) -> bool:
    """Whether it is a national stratagem of another side, which that side alone can use (11.1)."""
    return any(own >> card & 1 for s, own in enumerate(g.cards.national) if s != side)
