"""13: who has won; and what ends the war before its time: a separate peace, a German surrender (PE.West.2, PE.Axis.2)."""

from __future__ import annotations

import re

from referee.games.overlord_to_berlin.changes import put_gf, put_outside, settle_control
from referee.games.overlord_to_berlin.land import AXIS, BLACK, BLUE, RED, SIDE_NAMES, SIDES, SOVIET, WEST, bits
from referee.games.overlord_to_berlin.position import NOBODY, Pos, Sealed, alter, members
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.terms import ENGLAND, ITALY, Phase
from referee.games.overlord_to_berlin.units import zones_of

_KEPT = re.compile(r"targets kept: (\d+) blue, (\d+) black and red")
_WORDS = {
    "every target": "every target is held or contested",
    "every black and red target after a separate peace": "after a separate peace the Soviets hold or contest every black and red target",
    "separate peace in the West": "the West has made a separate peace",
    **{f"{side} gave up": f"the {name} gave up" for side, name in zip(SIDES, SIDE_NAMES, strict=True)},
}
"""The reason in a position's result -> how a player says it."""


def begin_verdict(g: Setting, p: Pos, phase: Phase) -> Pos:
    """13, R-F134: after the final phase of the last turn, and no earlier."""
    return alter(p, result=verdict(g, p)) if p.turn >= g.terms.last_turn else p


def verdict(g: Setting, p: Pos) -> str:
    """Who would win if the game ended now, and why: ``allies, ...`` or ``axis, ...``."""
    west, soviet = missing(g, p, WEST), missing(g, p, SOVIET)
    if not soviet and p.peace and g.terms.peace_soviets_alone:
        return "allies, every black and red target after a separate peace"
    if p.peace:
        return "axis, separate peace in the West"
    if not west and not soviet:
        return "allies, every target"
    return f"axis, targets kept: {len(tuple(bits(west)))} blue, {len(tuple(bits(soviet)))} black and red"


def in_words(result: str) -> str:
    """A result as a player says it: ``the Axis wins: it kept 2 blue targets``. Positions and records hold the short form."""
    winner, _, why = result.partition(", ")
    if kept := _KEPT.fullmatch(why):
        counts = [(int(count), colour) for count, colour in zip(kept.groups(), ("blue", "black and red"), strict=True) if int(count)]
        noun = "target" if counts[-1][0] == 1 else "targets"
        why = f"it kept {' and '.join(f'{count} {colour}' for count, colour in counts)} {noun}"
    return f"the {'Allies win' if winner == 'allies' else 'Axis wins'}: {_WORDS.get(why, why)}"


def missing(g: Setting, p: Pos, side: int) -> int:
    """The targets of an Allied side that it neither controls nor contests (3.2, R-F8, R-F24): blue ones of the West, black and red
    ones of the Soviets. Supply does not matter."""
    wanted = g.land.sectors[BLUE] if side == WEST else g.land.sectors[BLACK] | g.land.sectors[RED]
    held = sum(1 << zone for zone, holder in enumerate(p.control) if holder == side)
    return wanted & ~held & ~zones_of(g, p, side)


def surrender(p: Pos) -> Pos:
    """PE.Axis.2, R-F133: Germany gives up, the Allies win at once."""
    return alter(p, result="allies, Germany surrenders")


def separate_peace(g: Setting, p: Pos) -> Pos:
    """R-F132: western units, formations, paratroops and cards are out of the game, and its zones pass to the Axis."""
    removed, inside = g.land.places.removed[WEST], g.land.places.inside
    for unit in members(g.units.of_side[WEST]):
        if p.at[unit] != removed:
            p = put_outside(g, p, unit, removed)
    for gf in members(g.gfs.of_side[WEST]):
        p = put_gf(g, p, gf, removed)
    nothing = Sealed(known=True, at=bytes([inside] * len(g.units.ids)))
    points = [0 if track in (ENGLAND, ITALY) else value for track, value in enumerate(p.pr)]
    p = alter(
        p,
        peace=True,
        sealed=(nothing, *p.sealed[1:]),
        control=bytes(AXIS if holder == WEST else holder for holder in p.control),
        held=((0, 0), *p.held[1:]),
        pr=(points[0], points[1], points[2], points[3]),
        mulberry=NOBODY,
        mulberry_gone=True,
        used_corps=0,
        dropped=0,
        returns=(),
        flak=0,
    )
    return settle_control(g, p)
