"""5.1 Stacking: two units a hex, never two Fronts; 18/5.3: Western groups. Judged when a Movement Phase ends, at once for every other
arrival (R-G33)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from referee.games.battle_for_germany.position import W, board
from referee.games.battle_for_germany.setting import Setting
from referee.games.battle_for_germany.state import Pos
from referee.rules.model import Reason, cite


def stacking_duties(g: Setting, p: Pos) -> Iterator[Reason]:
    """Every hex of the phasing force that is overstacked: more than two units (5.1.p1), two Fronts (5.1.p2)."""
    force, forces = g.phase(p).force, p.force
    front = g.roster.front
    here = board(p, g.land)
    occ = here.occ
    for node in here.crowded():
        units = [u for u in occ[node] if forces[u] == force]
        if len(units) < 2:
            continue  # of another force
        if len(units) > g.terms.stacking:
            yield Reason("overstacked", cite("5.1.p1 R-G33"), _stack(g, node, units))
        if sum([front >> u & 1 for u in units]) > 1:
            yield Reason("two-fronts", cite("5.1.p2 R-G33"), _stack(g, node, units))
    if g.terms.mixed_stacks >= 0 and force == W:
        yield from _mixed_duties(g, p)


def _stack(g: Setting, node: int, units: Sequence[int]) -> tuple[tuple[str, str], ...]:
    return ("hex", g.hex_name(node)), ("units", ", ".join(g.roster.ids[u] for u in units))


def _mixed_duties(g: Setting, p: Pos) -> Iterator[Reason]:
    """18/5.3.c: at most one stack of both Western groups on each front."""
    for italy in (True, False):
        mixed = [n for n in mixed_stacks(g, p) if bool(g.land.italy[n]) == italy]
        if len(mixed) > g.terms.mixed_stacks:
            there = [u for n in mixed for u in board(p, g.land).occ[n]]
            facts = (("hexes", ", ".join(map(g.hex_name, mixed))), ("units", ", ".join(g.roster.ids[u] for u in there)))
            basis = tuple(f"hexes {g.hex_name(n)} country" for n in mixed)
            yield Reason("mixed-stacks", cite("18/5.3.c R-G116"), facts, basis)


def groups_of(g: Setting, units: Iterable[int]) -> int:
    """The Western groups among units: 1 Commonwealth, 2 US with French, 3 both; the SS are of neither (R-G116)."""
    found = 0
    for unit in units:
        found |= (g.roster.commonwealth >> unit & 1) | (g.roster.us_french >> unit & 1) << 1
    return found


def mixed_stacks(g: Setting, p: Pos) -> tuple[int, ...]:
    """The hexes in which both groups stand together, ascending."""
    here = board(p, g.land)
    return tuple([n for n in here.crowded() if groups_of(g, here.occ[n]) == 3])


def mixes(g: Setting, p: Pos, node: int, unit: int) -> bool:
    """18/5.3.c: with ``unit`` in it the hex would be one mixed stack too many on its front (judged at once on retreat, advance and
    arrival, R-G116)."""
    if g.terms.mixed_stacks < 0 or p.force[unit] != W:
        return False
    there = tuple(u for u in board(p, g.land).there(node) if u != unit)
    if groups_of(g, there) == 3 or groups_of(g, (*there, unit)) != 3:
        return False
    others = [n for n in mixed_stacks(g, p) if n != node and g.land.italy[n] == g.land.italy[node]]
    leaves = p.at[unit] in others and groups_of(g, [u for u in board(p, g.land).occ[p.at[unit]] if u != unit]) != 3
    return len(others) - leaves >= g.terms.mixed_stacks


def full(g: Setting, p: Pos, node: int, force: int) -> bool:
    """No room for one more unit of ``force``: two of it are there already."""
    return sum(p.force[u] == force for u in board(p, g.land).there(node)) >= g.terms.stacking


def front_there(g: Setting, p: Pos, node: int, unit: int) -> bool:
    """``unit`` is a Front and another Front is in the hex."""
    front = g.roster.front
    return bool(front >> unit & 1) and any(front >> u & 1 for u in board(p, g.land).there(node) if u != unit)
