"""What bars a move and what could have been done instead: for reports, never for rulings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from referee.games.battle_for_germany.actions import Move
from referee.games.battle_for_germany.movement import (
    MovementStep,
    allowance,
    can_move,
    least_broken_way,
    mover_reasons,
    unit_reach,
    way_reasons,
)
from referee.games.battle_for_germany.position import board
from referee.games.battle_for_germany.sentences import TEMPLATES
from referee.games.battle_for_germany.setting import Setting
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.zoc import held_by_others
from referee.rules.model import Action, Alternatives, Reason

_MOST_BARS: Final = 2
"""Things in the way that are named; a way across half the map meets more than anybody wants to read."""


def instead_of_move(g: Setting, p: Pos, a: Move) -> Alternatives | None:
    """What bars the move, and the nearest hexes in reach. None when unit or places are none of the game's map.

    What a way costs is told only where nothing but its cost is in the way: a price beside a closed hex would read as if it were open.
    """
    if a.unit not in g.roster.index or a.to not in g.land.nodes:
        return None
    unit, goal = g.roster.index[a.unit], g.land.nodes[a.to]
    here = p.at[unit]
    if here >= g.land.size or goal >= g.land.size:
        return None
    if not can_move(g, p, unit):
        why = next(mover_reasons(g, p, unit, here), None)
        return Alternatives(f"{a.unit} cannot move in this phase" + (f": {_said(why)}" if why else ""))
    names, by = g.land.names, g.owner(p.force[unit])
    found = unit_reach(g, p, unit)
    near = sorted((n for n in found.cost if n != here), key=lambda n: (g.land.distance(n, goal), found.cost[n], n))
    legal = tuple(Move(by, a.unit, names[here], names[n]) for n in near[:3])
    bars = _bars(g, p, unit, goal)
    if not bars and goal in found.cost:
        text = f"{a.unit} can reach {a.to} by the cheapest way, for {found.cost[goal]} MP"
    else:
        text = f"{a.unit} (MA {allowance(g, p, unit)}) cannot go to {a.to}"
        text += f": {'; '.join(bars)}" if bars else ""
    if near and (bars or goal not in found.cost):
        text += f"; nearest in reach: {', '.join(f'{names[n]} ({found.cost[n]} MP)' for n in near[:3])}"
    elif not near:
        text += "; no other hex is open to it either"
    return Alternatives(text, legal, tuple((names[n], found.cost[n]) for n in sorted(found.cost) if n != here))


class ExplainedMovement(MovementStep):
    """A Movement Phase, first or second, that can say what would have been legal (``referee.rules.step.Explains``)."""

    def explain(self, p: Pos, a: Action) -> Alternatives | None:
        """For a move: what bars it, and the nearest hexes in reach."""
        return instead_of_move(self.g, p, a) if isinstance(a, Move) else None


def _bars(g: Setting, p: Pos, unit: int, goal: int) -> list[str]:
    """What stands between a unit and a hex, the hex itself first; every entry cites its paragraph."""
    if goal == p.at[unit]:
        return ["it stands there already [5.0.a1]"]
    if held_by_others(g, p, p.force[unit])[goal]:
        return ["units of another force stand there [5.0.a3]"]
    way = least_broken_way(g, p, unit, goal)
    reasons = list(way_reasons(g, p, unit, way))
    shut = [r for r in reasons if g.hex_name(goal) in (r.fact("hex"), r.fact("to")) and r.code in ("closed-hex", "german-in-berlin")]
    reasons = shut or reasons
    told: list[str] = []
    for r in reasons:
        match r.code:
            case "stop-in-zoc" | "zoc-to-zoc":
                node = g.land.nodes[r.fact("hex") or r.fact("to")]
                whose = _whose(g, p, unit, node)
                if r.code == "stop-in-zoc":
                    told.append(f"it must stop at {r.fact('hex')}, in the ZOC of {whose} [4.0.p2]")
                elif not any(x.code == "stop-in-zoc" and x.fact("hex") == r.fact("from") for x in reasons):
                    told.append(f"{r.fact('from')} and {r.fact('to')} are both in enemy ZOC ({whose}) [4.0.c2]")
            case "occupied":
                told.append(f"units of another force stand in {r.fact('hex')}, on the way [5.0.a3]")
            case "too-far":
                told.append(_price(g, way))
            case _:
                told.append(f"{_said(r)} [{r.cites[0].para}]")
    return list(dict.fromkeys(told))[:_MOST_BARS]


def _price(g: Setting, way: Sequence[int]) -> str:
    cost = sum(next((c for n, c in g.land.edges[x] if n == y), 1) for x, y in pairwise(way))
    return f"the cheapest way costs {cost} MP ({' '.join(g.land.names[n] for n in way[1:])}) [5.0.p1]"


def _said(r: Reason) -> str:
    """The sentence of a reason without its citations, the unit called "it"."""
    return re.sub(f"^{re.escape(r.fact('unit'))} ", "it ", TEMPLATES[r.code].format_map(dict(r.facts)))


def _whose(g: Setting, p: Pos, unit: int, node: int) -> str:
    """The enemies whose ZOC reaches a hex."""
    occ = board(p, g.land).occ
    foes = g.enemies(p, p.force[unit])
    return " and ".join(g.roster.ids[u] for n in g.land.near[node] for u in occ.get(n, ()) if foes >> p.force[u] & 1)
