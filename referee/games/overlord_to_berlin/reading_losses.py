"""Losses as the table shows them: which act is one, whose it is, and how a combat goes on after one that the rules do not allow.

Nobody has to take losses in the order of 10.3 on a table: what matters is which steps are gone when the combat is over. So a loss that
is not lawful now waits; only when the combat is left is what still waits judged, and then it counts as one of the losses owed.
"""

from __future__ import annotations

from typing import cast

from msgspec.structs import replace

from referee.games.overlord_to_berlin import losses
from referee.games.overlord_to_berlin.odds import ATTACKER, DEFENDER, with_at
from referee.games.overlord_to_berlin.position import Combat, Pos, alter
from referee.games.overlord_to_berlin.reading_table import FLIP, UNIT, Act
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.units import is_reduced


def is_loss(g: Setting, act: Act) -> bool:
    """Whether an act takes a step from a unit: it is turned on its back, or goes from a display to its side's dead."""
    if act.kind == FLIP:
        return bool(act.value)
    return act.kind == UNIT and act.frm in g.gfs.index and act.to.endswith(("-losses", "-destroyed"))


def steps_lost(g: Setting, p: Pos, act: Act) -> int:
    """How many steps a unit loses with an act: both, when it goes to the dead although it is full."""
    return 1 if act.kind == FLIP or is_reduced(g, p, g.units.index[act.piece]) else 2


def whose(g: Setting, c: Combat, act: Act) -> int | None:
    """Whose loss of a combat an act can be: 0 the attacker's, 1 the defender's; None for a unit of a side that does not fight in it."""
    side = g.units.side[g.units.index[act.piece]]
    return {c.attacker: ATTACKER, c.defender: DEFENDER}.get(side)


def in_combat(g: Setting, p: Pos, c: Combat, act: Act) -> bool:
    """Whether the unit of a loss was in a formation that fights in the combat."""
    side = g.units.side[g.units.index[act.piece]]
    own = p.sealed[side]
    gf = own.at[g.units.index[act.piece]] - g.land.places.display if own.known else -1
    if not 0 <= gf < len(g.gfs.ids):
        gf = g.gfs.index.get(act.frm, -1)
    return gf >= 0 and bool((c.attackers | c.supporters | c.defenders) >> gf & 1)


def bleeds(p: Pos) -> int | None:
    """Whose losses are chosen now: 0 the attacker's, 1 the defender's."""
    return cast(int, p.frame.data[0]) if p.frame.step == "loss" else None


def owed(p: Pos) -> int:
    """How many losses are still to be chosen of the side whose losses are chosen now."""
    who = bleeds(p)
    return 0 if who is None or p.combat is None else p.combat.losses[who]


def counted(g: Setting, p: Pos, how_many: int) -> Pos:
    """So many of the losses that are chosen now count as taken; unsettled."""
    who, c = bleeds(p), p.combat
    assert who is not None and c is not None
    left = max(0, c.losses[who] - how_many)
    return losses.asked(g, alter(p, combat=replace(c, losses=with_at(c.losses, who, left), chosen=c.chosen + how_many)), who)
