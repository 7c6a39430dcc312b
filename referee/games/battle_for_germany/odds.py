"""6.1 Odds and 6.4 terrain: strengths, multipliers, the ratio and its column on the CRT."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from referee.games.battle_for_germany.position import board, fighting
from referee.games.battle_for_germany.setting import Setting, german
from referee.games.battle_for_germany.state import Pos


def multiplier(g: Setting, p: Pos, node: int, attackers: Sequence[int]) -> int:
    """What terrain makes of a hex's defence (6.4): 1, 2 (one effect), 3 (two) or 4 (three; R-G2).

    Broken; a river that every attacker attacks across (6.4.a, R-G58); a standing fortification with Germans in it (R-G59).
    """
    return g.terms.three_effects if len(found := effects(g, p, node, attackers)) == 3 else 1 + len(found)


def effects(g: Setting, p: Pos, node: int, attackers: Sequence[int]) -> tuple[str, ...]:
    """The terrain effects that multiply the defence of a hex against these attackers: broken, river, fortified."""
    land = g.land
    found: tuple[str, ...] = ("broken",) if land.broken[node] else ()
    for unit in attackers:
        if (p.at[unit], node) not in land.rivers:
            break
    else:
        if attackers:
            found = (*found, "river")
    if node in land.forts and not p.forts_gone & land.forts[node]:
        units = board(p, land).there(node)
        if units and german(p.force[units[0]]):
            found = (*found, "fortified")
    return found


def defenders(g: Setting, p: Pos, node: int, named: Sequence[int] = ()) -> tuple[int, ...]:
    """Who defends in a hex: everybody there (6.3.d1), or the units named where single ones are attacked (18/6.3.a)."""
    units = board(p, g.land).there(node)
    if not named:
        return units
    return tuple([u for u in units if u in named]) or units


def printed_defence(g: Setting, p: Pos, nodes: Sequence[int], named: Sequence[int] = ()) -> int:
    """The printed defence strengths in these hexes together: what an exchange is paid against (R-G55)."""
    strength = g.roster.defence
    return sum([strength[u] for n in nodes for u in defenders(g, p, n, named)])


def defence(g: Setting, p: Pos, node: int, attackers: Sequence[int], named: Sequence[int] = ()) -> int:
    """The defence of one hex: printed sum times its multiplier (6.3.d1, R-G45; of the units named, R-G61)."""
    strength = g.roster.defence
    return sum([strength[u] for u in defenders(g, p, node, named)]) * multiplier(g, p, node, attackers)


def attack_strength(g: Setting, p: Pos, unit: int) -> int:
    """Printed; of an SS unit under the Western player half, rounded up (13.2.p3, R-G98). Terrain never changes it (R-G122)."""
    printed = g.roster.attack[unit]
    return (printed + 1) // 2 if p.regime and g.halved(p, unit) else printed


def column(g: Setting, attack: int, defending: int) -> int:
    """The odds column, 0 = the lowest of the table; -1 = worse than the table, no attack (6.1.p2, R-G17, R-G57).

    Rounded in the defender's favour: 19 to 7 is 2:1, 18 to 19 is 1:2; better than the best column counts as the best.
    """
    return _column(g.charts.columns, attack, defending)


@lru_cache(maxsize=1 << 12)
def _column(columns: tuple[str, ...], attack: int, defending: int) -> int:
    if attack <= 0 or defending <= 0:
        return -1
    odds = f"{attack // defending}:1" if attack >= defending else f"1:{-(-defending // attack)}"
    if odds in columns:
        return columns.index(odds)
    return len(columns) - 1 if attack >= defending else -1


def strengths(
    g: Setting, p: Pos, attackers: tuple[int, ...], targets: tuple[int, ...], named: tuple[int, ...] = ()
) -> tuple[int, int]:
    """(attack, defence) of one attack, terrain counted (6.1.p1, R-G122); ``named``: the units attacked alone (18/6.3). Kept with the
    board: the same attack is asked about when it is opened, when it is declared and when its die is rolled."""
    kept = fighting(p, g.land).strengths
    whole = attackers, targets, named
    found = kept.get(whole)
    if found is None:
        printed = g.roster.attack
        attack = sum([attack_strength(g, p, u) if p.regime else printed[u] for u in attackers])
        found = kept[whole] = attack, sum([defence(g, p, n, attackers, named) for n in targets])
    return found
