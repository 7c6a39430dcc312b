"""12.2 The compulsory West German attacks of turn 1 (R-G18, R-G62)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from referee.games.battle_for_germany.odds import column, defence
from referee.games.battle_for_germany.position import WG, board
from referee.games.battle_for_germany.setting import Setting
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.terms import COMBAT, MOVEMENT
from referee.rules.model import Cite, Reason, cite


def fulfils(g: Setting, attack: int, defending: int) -> bool:
    """Whether an attack of these strengths counts for 12.2: any allowed one, or only those at 1:1 or better (18/12.2)."""
    return column(g, attack, defending) >= (g.charts.columns.index(g.terms.mandate_odds) if g.terms.mandate_odds else 0)


def _choices(g: Setting, units: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """What may be attacked in a hex: all of it, and under 18/6.3 each unit alone (R-G61)."""
    yield ()
    if g.terms.partial and len(units) > 1:
        yield from [(u,) for u in units]


def allowed_attacks(g: Setting, p: Pos, force: int, size: int) -> Iterator[frozenset[int]]:
    """Sets of at most ``size`` unused units of ``force`` that could make an attack on one hex that counts for 12.2, in any order."""
    occ = board(p, g.land).occ
    foes = g.enemies(p, force)
    for node, there in occ.items():
        if not foes >> p.force[there[0]] & 1:
            continue
        near = [u for n in g.land.near[node] for u in occ.get(n, ()) if p.force[u] == force and not p.attacked >> u & 1]
        for count in range(1, min(size, len(near)) + 1):
            for units in combinations(near, count):
                attack = sum(g.roster.attack[u] for u in units)
                if any(fulfils(g, attack, defence(g, p, node, units, named)) for named in _choices(g, there)):
                    yield frozenset(units)


def possible_attacks(g: Setting, p: Pos, force: int, limit: int) -> int:
    """How many separate attacks ``force`` could still make, counted up to ``limit`` (0, 1 or 2)."""
    found: list[frozenset[int]] = []
    for size in (1, 2, 12):
        found = []
        for units in allowed_attacks(g, p, force, size):
            if limit > 1 and any(not units & other for other in found):
                return 2
            found.append(units)
            if limit <= 1:
                return 1
    return min(1, len(found))


def mandate_duties(g: Setting, p: Pos) -> Iterator[Reason]:
    """12.2.a: what is still owed when the WG Movement or Combat Phase of turn 1 would end."""
    phase = g.phase(p)
    if p.turn != g.terms.mandate_turn or phase.force != WG:
        return
    made, possible = p.mandated
    if phase.kind == COMBAT and made < g.terms.mandated_attacks and possible_attacks(g, p, WG, 1):
        yield Reason("attacks-owed", _paras(g), (("made", str(made)), ("owed", str(g.terms.mandated_attacks))))
    if phase.kind == MOVEMENT:
        left = possible_attacks(g, p, WG, g.terms.mandated_attacks)
        if left < possible:
            yield Reason("attacks-given-away", _paras(g), (("left", str(left)), ("possible", str(possible))))


def _paras(g: Setting) -> tuple[Cite, ...]:
    return cite("12.2.a R-G62", *(("18/12.2 R-G62",) if g.terms.mandate_odds else ()))


def count_attack(g: Setting, p: Pos, attack: int, defending: int) -> tuple[int, int]:
    """The count of 12.2 after one more declared attack of these strengths (several targets make one attack, R-G46)."""
    phase = g.phase(p)
    counts = not g.terms.mandate_odds or fulfils(g, attack, defending)  # odds below the table are the attack's own fault, not 12.2's
    if p.turn == g.terms.mandate_turn and phase.force == WG and counts:
        return p.mandated[0] + 1, p.mandated[1]
    return p.mandated
