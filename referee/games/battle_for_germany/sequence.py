"""3.0 Sequence of Play: which phase follows which, what begins and what ends with each (interfaces: automatic effects)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from referee.games.battle_for_germany import supply
from referee.games.battle_for_germany.berlin import after_berlin, germans_leave
from referee.games.battle_for_germany.changes import recount_holders, remove
from referee.games.battle_for_germany.mandate import possible_attacks
from referee.games.battle_for_germany.position import WG, S, W, altered, units_in, units_where
from referee.games.battle_for_germany.setting import Setting, german, rates_of
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.terms import COMBAT, MOVEMENT, REPLACEMENT, SECOND_COMBAT, SECOND_MOVEMENT, TURN
from referee.games.battle_for_germany.victory import outcome
from referee.rules.book import roll_reasons
from referee.rules.model import CHANCE, Action, Frame, Reason, Roll, cite

STEP_OF: Final = {
    REPLACEMENT: "replacement",
    MOVEMENT: "movement",
    COMBAT: "combat",
    SECOND_COMBAT: "second-combat",
    SECOND_MOVEMENT: "second-movement",
    TURN: "turn",
}


def begin_phase(g: Setting, p: Pos, index: int) -> Pos:
    """Opens a phase: its frame, its rates (7.2), the count of possible attacks for 12.2 (R-G62)."""
    phase = g.terms.phases[index]
    agenda = (Frame(STEP_OF[phase.kind], (phase.owner,) if phase.owner else ()),)
    rates = rates_of(g, p.turn, phase.force) if phase.kind == REPLACEMENT else (0, 0)
    q = altered(p, phase=index, agenda=agenda, moved=0, attacked=0, rates=rates, tripled=0)
    if phase.kind == MOVEMENT and phase.force == WG and p.turn == g.terms.mandate_turn:
        return altered(q, mandated=(0, possible_attacks(g, q, WG, g.terms.mandated_attacks)))
    if phase.kind == SECOND_COMBAT:
        return supply.begin_second_combat(g, q, phase.force)
    return q


def end_phase(g: Setting, p: Pos) -> Pos:
    """Closes the phase: what is due at its end, in the order of the rules; then the next phase begins."""
    phase = g.phase(p)
    q = p
    if phase.kind == MOVEMENT:
        if phase.force in (S, W) or g.terms.east_only:
            q = _eliminate_displaced(g, q, phase.force)
        if german(phase.force) and q.flipped:
            q = remove(g, q, units_in(q.flipped), g.land.off)
        if q.locked:
            own = sum([1 << u for u in units_in(q.locked) if q.force[u] == phase.force])
            q = altered(q, locked=q.locked & ~own)
    if phase.kind == COMBAT and phase.force == S:
        q = _eliminate_abroad(g, q)
    q = fix_garrisons(g, q)
    if phase.kind == COMBAT and g.terms.markers:
        q = supply.after_combat(g, q, phase.force)
    phases = g.terms.phases
    index = _next(g, q, p.phase)
    if index < len(phases) and phases[index].player_turn != phase.player_turn:  # the player turn is over
        q = germans_leave(g, supply.after_player_turn(g, q, phase))
        index = _next(g, q, p.phase)
    return begin_phase(g, q, index) if index < len(phases) else next_turn(g, q)


def _next(g: Setting, p: Pos, index: int) -> int:
    """The phase after this one; the phases of forces that have left do not exist (R-G96, R-G118)."""
    phases = g.terms.phases
    index += 1
    while index < len(phases) and after_berlin(p) and german(phases[index].force):
        index += 1
    return index


def next_turn(g: Setting, p: Pos) -> Pos:
    """3.0.c: the victory check after the last turn (R-G119), else the next turn begins. What is then still due lapses (R-G125)."""
    if p.turn >= g.terms.last_turn:
        return altered(p, agenda=(Frame("over", ()),), result=outcome(g, p))
    q = altered(p, turn=p.turn + 1, doubled=0)
    if g.terms.attempts_each_turn:
        q = altered(q, attempts=0)  # 18/8.0, R-G77
    if q.turn == g.terms.markers_again:
        q = altered(q, supply=g.terms.markers)  # 18.1.p4
    return begin_phase(g, q, 0)


def _eliminate_displaced(g: Setting, p: Pos, force: int) -> Pos:
    """5.2.2.p2, R-G37: an S or W unit that is still across the boundary when its own Movement Phase ends is destroyed; in
    Collapse an East German too (14.0.p5, R-G100). The three borders have each their own deadline (R-G12)."""
    across = g.regimes[p.regime].across[force]
    return remove(g, p, units_where(p, 1 << force, across)) if 1 in across else p


def _eliminate_abroad(g: Setting, p: Pos) -> Pos:
    """5.3.1.p2 and 5.3.2.p2 (R-G39, R-G40): across the Yugoslav border since an earlier turn at the end of the S Combat Phase:
    destroyed, a Yugoslav for good (R-G42)."""
    return remove(g, p, [u for u, since in p.abroad if since < p.turn])


def fix_garrisons(g: Setting, p: Pos) -> Pos:
    """10.0.a1, R-G84: a Front that stands in a capital when a phase ends is its garrison, and no other unit is one (R-G86); so are
    those of the set-up of Red Star/White Star (10.0.a3, R-G104)."""
    bits, at, capital = p.garrison, p.at, g.land.capital
    for unit in _fronts(g.roster.front):
        if capital[at[unit]]:
            bits |= 1 << unit
    return altered(p, garrison=bits) if bits != p.garrison else p


@lru_cache(maxsize=16)
def _fronts(front: int) -> tuple[int, ...]:
    return tuple(units_in(front))


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
    """12.1: the first phase of the first turn, with the city holders of the set-up (R-G90) and the markers of 18.1.p3."""
    return begin_phase(g, _ready(g, p), 0)


def _ready(g: Setting, p: Pos) -> Pos:
    return altered(fix_garrisons(g, recount_holders(g, p)), supply=g.terms.markers)


class SkipRoll:
    """15.2.b: the die before Red Star/White Star; low, and the first player turn, the Soviet one, is left out (R-G103)."""

    def __init__(self, g: Setting) -> None:
        self.g = g

    def judge(self, p: Pos, a: Action) -> Iterator[Reason]:
        """One six-sided die."""
        return roll_reasons(a, "turn11", 1, 6, "15.2.b")

    def apply(self, p: Pos, a: Action) -> Pos:
        """The first phase of the first player turn that is played."""
        assert isinstance(a, Roll)
        phases = self.g.terms.phases
        second = next(i for i, phase in enumerate(phases) if phase.player_turn != phases[0].player_turn)
        return begin_phase(self.g, _ready(self.g, p), second if a.faces[0] <= self.g.terms.skip_die else 0)

    def choices(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every face."""
        return iter([Roll(CHANCE, "turn11", (n,)) for n in range(1, 7)])

    def duties(self, p: Pos) -> Iterator[Reason]:
        """The die must be rolled."""
        yield Reason("roll-awaited", cite("15.2.b"), (("key", "turn11"),))

    def settle(self, p: Pos) -> Pos | None:
        """Waits for the die."""
        return None
