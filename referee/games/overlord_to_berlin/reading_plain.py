"""Acts that no rule of any step allows at the moment at which they are done, whatever is read into them: what is plain is no question.

Only acts whose meaning their counters tell alone are here: reinforcements before their turn (14.7), rebuilding and restoring outside the
economic phase (4.2, 4.3, 5.7), formations that enter the map outside the strategic step (9.2), stratagems laid where there is no combat
(10.2, 11.1), formations that go although leave was refused (10.8).
"""

from __future__ import annotations

from collections.abc import Collection

from referee.games.overlord_to_berlin.land import AXIS, WEST
from referee.games.overlord_to_berlin.position import Combat, Pos, members
from referee.games.overlord_to_berlin.reading_table import CARD, FLIP, GF, UNIT, Act
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.showing import PLAYED
from referee.games.overlord_to_berlin.terms import Phase

Plain = tuple[tuple[str, ...], str]
"""Paragraphs, and what is wrong: a sentence to follow the name of the counter."""


def plainly(g: Setting, p: Pos, act: Act, phase: Phase, *, asked: Collection[str], fought: Combat | None) -> Plain | None:
    """Why an act cannot be lawful now; None where it may be something that the log does not tell. ``phase``: the step that the tracker
    shows; ``asked``: formations for which leave to retreat was thrown for in the combat ``fought``."""
    if act.frm.endswith("-arrivals"):
        return _early(g, p, act)
    if act.kind == CARD:
        return _no_combat(g, p, act, phase)
    if act.kind == GF:
        return _no_leave(g, act, asked, fought) or _not_strategic(g, act, phase)
    if act.kind in (UNIT, FLIP):
        return _not_economic(g, p, act, phase) or _after_strategic(g, p, act) or _second_pocket(g, p, act)
    return None


def arrives(g: Setting, piece: str) -> int:
    """The turn on which a counter comes as a reinforcement; 0 = it does not."""
    return next((turn for turn, arrival in g.charts.reinforcements if arrival == piece), 0)


def _early(g: Setting, p: Pos, act: Act) -> Plain | None:
    turn = max((arrives(g, piece) for piece in act.pieces), default=0)
    return (("14.7",), f"comes on turn {turn}") if turn > p.turn else None


def _no_combat(g: Setting, p: Pos, act: Act, phase: Phase) -> Plain | None:
    """R-F48: operational stratagems are for combats, never for free attacks."""
    if act.to != PLAYED or not g.cards.operational >> g.cards.index[act.piece] & 1:
        return None
    if p.combat is not None and p.combat.free:
        return ("11.1.c", "11.3.f"), "is laid in a combat; a free attack takes no operational stratagem"
    if phase.step == "operations":
        return None
    return ("11.1.c", "10.2.b"), "is laid in a combat, and none is fought in this step"


def _no_leave(g: Setting, act: Act, asked: Collection[str], fought: Combat | None) -> Plain | None:
    """10.8: the die did not let it go. Asked about only when no reading of the drag as a retreat was possible."""
    if fought is None or fought.defender != AXIS or act.frm != g.land.name(fought.zone):
        return None
    return (("10.8.b",), "was refused leave to retreat") if set(act.pieces) <= set(asked) else None


def _not_strategic(g: Setting, act: Act, phase: Phase) -> Plain | None:
    """9.2: only the West enters the map otherwise, by sea."""
    side = g.gfs.side[g.gfs.index[act.piece]]
    reserve, to = g.land.places.names[g.reserve(side)], g.land.places.index.get(act.to, g.land.size)
    if side == WEST or act.frm != reserve or to >= g.land.size or phase.side != side or phase.step in ("combine", "strategic"):
        return None
    return ("9.2.e",), "is placed on the map in the strategic step alone"


def _after_strategic(g: Setting, p: Pos, act: Act) -> Plain | None:
    """9.1: the strategic step comes first; whoever has gone on has closed it (R-F41)."""
    if act.kind != UNIT:
        return None
    side = g.units.side[g.units.index[act.piece]]
    reserve, now = g.land.places.names[g.reserve(side)], g.phase(p)
    if now.side != side or now.step not in ("transfers", "operations", "combine_again"):
        return None
    if act.to == reserve and act.frm in g.gfs.index:
        return ("9.1.a", "9.2.b"), "goes to the Reserve in the strategic step, and that is over"
    if act.frm == reserve and act.to in g.gfs.index:
        return ("9.1.a", "9.2.a"), "comes from the Reserve in the strategic step, and that is over"
    return None


def _second_pocket(g: Setting, p: Pos, act: Act) -> Plain | None:
    """R-F115: each formation that leaves may leave one unit."""
    if act.kind != UNIT or act.frm not in g.gfs.index or g.units.side[g.units.index[act.piece]] != AXIS:
        return None
    zone = g.land.places.index.get(act.to, g.land.size)
    left = any(p.at[unit] == zone for unit in members(g.units.of_side[AXIS] & ~g.units.paratroops))
    if zone >= g.land.size or p.gf_at[g.gfs.index[act.frm]] == zone or not left:
        return None
    return ("12.4.a",), "stays behind too, and a formation leaves one unit"


def _not_economic(g: Setting, p: Pos, act: Act, phase: Phase) -> Plain | None:
    """5.7, R-F40: steps are paid for in the economic phase."""
    if not phase.phase.endswith("_action"):
        return None
    if act.kind == FLIP:
        return None if act.value else (("4.2", "5.7.a"), "is restored in the economic phase alone")
    if act.frm.endswith(("-losses", "-destroyed")) and (act.to in g.gfs.index or act.to.endswith("-reserve")):
        return ("4.3.a", "5.7.a"), "is rebuilt in the economic phase alone"
    return None
