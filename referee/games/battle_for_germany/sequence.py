"""3.0 Sequence of Play: which phase follows which, what begins and what ends with each (interfaces: automatic effects)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.battle_for_germany.changes import recount_holders, remove
from referee.games.battle_for_germany.mandate import possible_attacks
from referee.games.battle_for_germany.position import EG, WG, Pos, S, W, altered, units_in
from referee.games.battle_for_germany.setting import HOME_LINE, Setting, german
from referee.games.battle_for_germany.terms import COMBAT, MOVEMENT, REPLACEMENT, TURN
from referee.games.battle_for_germany.victory import outcome
from referee.rules.model import Action, Frame, Reason, cite

RATES = {S: ("soviet", ""), W: ("western_allied", "western_allied_italy"), EG: ("east_german", ""), WG: ("west_german", "")}
"""Force -> its columns of the turn track: own, Italy (7.2)."""

STEP_OF = {REPLACEMENT: "replacement", MOVEMENT: "movement", COMBAT: "combat", TURN: "turn"}


def begin_phase(g: Setting, p: Pos, index: int) -> Pos:
    """Opens a phase: its frame, its rates (7.2), the count of possible attacks for 12.2 (R-G62)."""
    phase = g.terms.phases[index]
    agenda = (Frame(STEP_OF[phase.kind], (phase.owner,) if phase.owner else ()),)
    q = altered(p, phase=index, agenda=agenda, moved=0, attacked=0, rates=(0, 0))
    if phase.kind == REPLACEMENT:
        own, italy = RATES[phase.force]
        rates = g.charts.rates
        q = altered(q, rates=(rates.get((p.turn, own), 0), rates.get((p.turn, italy), 0) if italy else 0))
    elif phase.kind == MOVEMENT and phase.force == WG and p.turn == g.terms.mandate_turn:
        q = altered(q, mandated=(0, possible_attacks(g, q, WG, g.terms.mandated_attacks)))
    return q


def end_phase(g: Setting, p: Pos) -> Pos:
    """Closes the phase: what is due at its end, in the order of the rules; then the next phase begins."""
    phase = g.phase(p)
    q = p
    if phase.kind == MOVEMENT:
        if phase.force in (S, W):
            q = _eliminate_displaced(g, q, phase.force)
        if german(phase.force) and q.flipped:
            q = remove(g, q, units_in(q.flipped), g.land.off)
        own = sum(1 << u for u in units_in(q.locked) if q.force[u] == phase.force)
        q = altered(q, locked=q.locked & ~own)
    if phase.kind == COMBAT and phase.force == S:
        q = _eliminate_abroad(g, q)
    q = fix_garrisons(g, q)
    if p.phase + 1 < len(g.terms.phases):
        return begin_phase(g, q, p.phase + 1)
    return next_turn(g, q)


def next_turn(g: Setting, p: Pos) -> Pos:
    """3.0.c: the victory check after the last turn, else the next turn begins."""
    if p.turn >= g.terms.last_turn:
        return altered(p, agenda=(Frame("over", ()),), result=outcome(g, p))
    return begin_phase(g, altered(p, turn=p.turn + 1, doubled=0), 0)


def _eliminate_displaced(g: Setting, p: Pos, force: int) -> Pos:
    """5.2.2.p2, R-G37: an S or W unit that is still across the boundary when its own Movement Phase ends is destroyed."""
    lost = [u for u, node in enumerate(p.at) if p.force[u] == force and node < g.land.size and not g.wards(force, u)[node] & HOME_LINE]
    return remove(g, p, lost)


def _eliminate_abroad(g: Setting, p: Pos) -> Pos:
    """5.3.1.p2 and 5.3.2.p2 (R-G39, R-G40): across the Yugoslav border since an earlier turn at the end of the S Combat Phase."""
    return remove(g, p, [u for u, since in p.abroad if since < p.turn])


def fix_garrisons(g: Setting, p: Pos) -> Pos:
    """10.0.a1, R-G84: a Front that stands in a capital when a phase ends is its garrison."""
    bits = p.garrison
    for unit in units_in(g.roster.front & ~p.garrison):
        if p.at[unit] < g.land.size and g.land.capital[p.at[unit]]:
            bits |= 1 << unit
    return altered(p, garrison=bits) if bits != p.garrison else p


class TurnStep:
    """3.0.c, played automatically."""

    def __init__(self, g: Setting) -> None:
        self.g = g

    def judge(self, p: Pos, a: Action) -> Iterator[Reason]:
        """Nothing is done by hand in the Turn Phase."""
        yield Reason("nothing-to-do", cite("3.0.c"))

    def apply(self, p: Pos, a: Action) -> Pos:
        """Ends the turn."""
        return next_turn(self.g, p)

    def choices(self, p: Pos, about: int | None) -> Iterator[Action]:
        """None."""
        return iter(())

    def duties(self, p: Pos) -> Iterator[Reason]:
        """None."""
        return iter(())

    def settle(self, p: Pos) -> Pos | None:
        """Ends the turn at once."""
        return next_turn(self.g, p)


class OverStep(TurnStep):
    """The game has ended."""

    def judge(self, p: Pos, a: Action) -> Iterator[Reason]:
        """No action after the last turn."""
        yield Reason("game-over", cite("3.0.c"), (("turn", str(p.turn)),))

    def settle(self, p: Pos) -> Pos | None:
        """Nothing follows."""
        return None

    def duties(self, p: Pos) -> Iterator[Reason]:
        """There is nothing to end."""
        yield Reason("game-over", cite("3.0.c"), (("turn", str(p.turn)),))


def after_set_up(g: Setting, p: Pos) -> Pos:
    """12.1: the first phase of the first turn, with the city holders of the set-up (R-G90)."""
    return begin_phase(g, fix_garrisons(g, recount_holders(g, p)), 0)
