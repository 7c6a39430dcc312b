"""5.1 Stacking: two units a hex, never two Fronts; judged when a Movement Phase ends, at once for every other arrival (R-G33)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.battle_for_germany.position import Pos, board
from referee.games.battle_for_germany.setting import Setting
from referee.rules.model import Reason, cite


def stacking_duties(g: Setting, p: Pos) -> Iterator[Reason]:
    """Every hex of the phasing force that is overstacked: more than two units (5.1.p1), two Fronts (5.1.p2)."""
    force = g.phase(p).force
    front = g.roster.front
    crowded = [(node, there) for node, there in board(p, g.land).occ.items() if len(there) > 1]
    for node, there in sorted(crowded):
        units = tuple(u for u in there if p.force[u] == force)
        facts = (("hex", g.hex_name(node)), ("units", ", ".join(g.roster.ids[u] for u in units)))
        if len(units) > g.terms.stacking:
            yield Reason("overstacked", cite("5.1.p1 R-G33"), facts)
        if sum(front >> u & 1 for u in units) > 1:
            yield Reason("two-fronts", cite("5.1.p2 R-G33"), facts)


def full(g: Setting, p: Pos, node: int, force: int) -> bool:
    """No room for one more unit of ``force``: two of it are there already."""
    return sum(p.force[u] == force for u in board(p, g.land).occ.get(node, ())) >= g.terms.stacking


def front_there(g: Setting, p: Pos, node: int, unit: int) -> bool:
    """``unit`` is a Front and another Front is in the hex."""
    front = g.roster.front
    return bool(front >> unit & 1) and any(front >> u & 1 for u in board(p, g.land).occ.get(node, ()) if u != unit)
