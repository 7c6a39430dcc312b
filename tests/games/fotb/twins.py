"""Twins of a position: equal to one side, different in whatever is hidden from it (0.2, 0.6, R-F136; what must be kept: R-F102).

Kept is what everybody can see from the hidden facts: that a formation on the map holds a unit, but for the steps at whose end the empty
ones of the side go home (9.8); how many cards a side holds; units shown in the running combat; whose cards nobody else can hold because
they were seen.
"""

from __future__ import annotations

import random

from msgspec.structs import replace

from referee.games.overlord_to_berlin.land import SIDES
from referee.games.overlord_to_berlin.position import Pos, Sealed, members
from tests.games.fotb.layout import SOVIET, WEST, G

SORTING = ("combine", "strategic", "transfers")
"""Steps in which a formation on the map may be empty for a while: nobody but its owner knows."""
SEEN_BY: dict[str, tuple[int, ...]] = {"west": (0, 1), "soviet": (0, 1), "axis": (2,), "public": ()}
"""With two players (R-F135), and the public."""


def twin(p: Pos, viewer: str, dice: random.Random) -> Pos:
    """Another position that the viewer cannot tell from this one."""
    hidden = [side for side in range(3) if side not in SEEN_BY[viewer]]
    own = list(p.sealed)
    free_cards = G.cards.operational & ~p.used_cards
    for side in SEEN_BY[viewer]:
        free_cards &= ~p.sealed[side].hand
    for side in hidden:
        dealt = _units(p, side, dice)
        hand = 0
        nationals, operationals = p.held[side]
        for card in dice.sample(list(members(G.cards.national[side])), nationals):
            hand |= 1 << card
        for card in dice.sample(list(members(free_cards)), operationals):
            hand |= 1 << card
            free_cards &= ~(1 << card)
        own[side] = replace(dealt, hand=hand, lent=p.sealed[side].lent and 1 << dice.choice(list(members(G.cards.operational))))
    if len(hidden) == 2 and p.lent:
        own[SOVIET] = replace(own[SOVIET], lent=own[WEST].lent)
    return replace(p, sealed=tuple(own))


def _units(p: Pos, side: int, dice: random.Random) -> Sealed:
    """The side's hidden units dealt anew: each formation on the map has one at least, none more than it takes (unless it had); where the
    side is putting units from display to display any may be empty or not."""
    was = p.sealed[side]
    shown = {unit: (gf, turned) for unit, gf, turned in p.shown}
    inside = [unit for unit in members(G.units.of_side[side]) if p.at[unit] == G.land.places.inside]
    at = bytearray(was.at)
    reduced = 0
    loose = [unit for unit in inside if unit not in shown]
    dice.shuffle(loose)
    for unit in inside:
        if unit in shown:
            at[unit] = G.display(shown[unit][0])
            reduced |= shown[unit][1] << unit
    fixed = {gf for gf, _ in shown.values()}
    standing = [gf for gf in members(G.gfs.of_side[side]) if p.gf_at[gf] < G.land.size and gf not in fixed]
    resting = [gf for gf in members(G.gfs.of_side[side]) if p.gf_at[gf] == G.reserve(side)]
    held = {gf: was.at.count(G.display(gf)) for gf in standing}
    room = {gf: max(G.gfs.capacity[gf], held.get(gf, 0)) for gf in (*standing, *resting)}
    sorting = any(frame.step in SORTING and SIDES[side] in frame.by for frame in p.agenda) and dice.random() < 0.5
    for gf in standing:
        if held[gf] and loose and not sorting:
            at[loose[-1]] = G.display(gf)
            _turn = dice.random() < 0.5
            reduced |= _turn << loose.pop()
            room[gf] -= 1
    for unit in loose:
        places = [gf for gf in (*standing, *resting) if room[gf] and (gf in resting or held[gf] or sorting)]
        if places and dice.random() < 0.75:
            gf = dice.choice(places)
            room[gf] -= 1
            at[unit] = G.display(gf)
        else:
            at[unit] = G.reserve(side)
        reduced |= (dice.random() < 0.5) << unit
    lying = [unit for unit in inside if at[unit] == G.reserve(side)]
    return replace(
        was,
        at=bytes(at),
        reduced=reduced,
        waiting=sum(1 << unit for unit in lying if dice.random() < 0.3) if was.waiting else 0,
        came=tuple((unit, G.display(dice.choice(standing))) for unit in inside if dice.random() < 0.3) if was.came and standing else (),
        steps=max(1, was.steps + dice.randrange(-2, 3)) if was.steps else 0,
        owed=(dice.randrange(4), sum(1 << unit for unit in inside if dice.random() < 0.3)) if any(was.owed) else was.owed,
        spent=tuple(dice.randrange(4) for _ in range(4)) if any(was.spent) else was.spent,
        given=dice.randrange(was.given + 1),
    )
