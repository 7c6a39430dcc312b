"""12.2 The compulsory West German attacks of turn 1 (R-G18, R-G62)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from referee.games.battle_for_germany.odds import column, defence
from referee.games.battle_for_germany.position import WG, Pos, board
from referee.games.battle_for_germany.setting import Setting
from referee.games.battle_for_germany.terms import COMBAT, MOVEMENT
from referee.rules.model import Reason, cite


def allowed_attacks(g: Setting, p: Pos, force: int, size: int) -> Iterator[frozenset[int]]:
    """Sets of at most ``size`` unused units of ``force`` that could make an allowed attack on one hex."""
    occ = board(p, g.land).occ
    for node in sorted(occ):
        if not g.terms.enemies[force] >> p.force[occ[node][0]] & 1:
            continue
        near = [u for n in g.land.near[node] for u in occ.get(n, ()) if p.force[u] == force and not p.attacked >> u & 1]
        for count in range(1, min(size, len(near)) + 1):
            for units in combinations(near, count):
                if column(g, sum(g.roster.attack[u] for u in units), defence(g, p, node, units)) >= 0:
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
        yield Reason("attacks-owed", cite("12.2.a R-G62"), (("made", str(made)), ("owed", str(g.terms.mandated_attacks))))
    if phase.kind == MOVEMENT:
        left = possible_attacks(g, p, WG, g.terms.mandated_attacks)
        if left < possible:
            yield Reason("attacks-given-away", cite("12.2.a R-G62"), (("left", str(left)), ("possible", str(possible))))


def count_attack(g: Setting, p: Pos) -> tuple[int, int]:
    """The count of 12.2 after one more declared attack (several targets make one attack, R-G46)."""
    phase = g.phase(p)
    if p.turn == g.terms.mandate_turn and phase.force == WG:
        return p.mandated[0] + 1, p.mandated[1]
    return p.mandated
