"""9.0 Exiting the map: who may leave where, what it costs, and the two units it takes along."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from referee.games.battle_for_germany.actions import Take
from referee.games.battle_for_germany.changes import remove
from referee.games.battle_for_germany.land import EDGES
from referee.games.battle_for_germany.position import S, W, altered, units_where
from referee.games.battle_for_germany.setting import Setting, german
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.wrong import unknown_names, wrong_step
from referee.games.battle_for_germany.zoc import enemy_zoc
from referee.rules.graph import Reach
from referee.rules.model import Action, Done, Frame, Reason, cite

_OUTSIDE: Final = bytes([1]) + bytes(255)
_STRETCH: Final = {"west": "9.0.p3", "east": "9.0.p4", "south": "9.0.p5"}


def edge_of(g: Setting, node: int) -> int:
    """Which exit stretch the hex belongs to (index into ``land.EDGES``), -1 for none; the same for the units of Courland (R-G7)."""
    edge = next((i for i, table in enumerate(g.land.exits) if table[node]), -1)
    return -1 if g.terms.east_only and EDGES[edge] != "east" else edge


def exit_reasons(g: Setting, p: Pos, unit: int, node: int) -> Iterator[Reason]:
    """Reasons against this unit leaving from this hex, the way apart."""
    name = ("unit", g.roster.ids[unit])
    if not german(p.force[unit]):
        yield Reason("only-germans-exit", cite("9.0.p1"), (name,))
    if edge_of(g, node) < 0:
        here = g.hex_name(node)
        sides = [
            s for s, there in (("west", here.endswith("01")), ("east", here.endswith("26")), ("south", here.startswith("01"))) if there
        ]
        yield Reason("no-exit-hex", cite(*(_STRETCH[side] for side in sides or EDGES)), (name, ("hex", here)))


def open_exits(g: Setting, p: Pos, unit: int, found: Reach, mps: int) -> Iterator[int]:
    """The exit hexes the unit can leave from: four MPs left (9.0.p2), not stopped by a ZOC entered this phase (R-G30, R-G78)."""
    if not german(p.force[unit]):
        return
    zoc = enemy_zoc(g, p, p.force[unit])
    for node in sorted(found.cost):
        if edge_of(g, node) >= 0 and found.cost[node] + g.terms.exit_cost <= mps and (node == p.at[unit] or not zoc[node]):
            yield node


def on_front(g: Setting, p: Pos, unit: int, edge: int) -> bool:
    """Whether the unit belongs to the front of an edge: east the Soviets, west W outside Italy, south W in Italy
    (R-G79); units of other fronts are never taken, however near (R-G6)."""
    return p.force[unit] == _force_of(edge) and bool(_front_hexes(g, edge)[p.at[unit]])


def _force_of(edge: int) -> int:
    return S if EDGES[edge] == "east" else W


def _front_hexes(g: Setting, edge: int) -> bytes:
    """Per node 1 where the front of an edge stands: everywhere, outside Italy, in Italy."""
    size = g.land.size
    italy = g.land.italy if EDGES[edge] == "south" else g.land.italy.translate(_OUTSIDE)
    return (b"\1" * size if EDGES[edge] == "east" else italy[:size]) + bytes(len(g.land.names) - size)


def front_of(g: Setting, p: Pos, edge: int) -> Iterator[int]:
    """The units of the front of an edge that are not flipped, ascending."""
    there = units_where(p, 1 << _force_of(edge), _front_hexes(g, edge))
    return iter([u for u in there if not p.flipped >> u & 1] if p.flipped else there)


def leave(g: Setting, p: Pos, unit: int) -> Pos:
    """The unit is gone for good (9.0.a5, 9.0.a6), and its player may name units of that front (9.0.a1)."""
    node = p.at[unit]
    by = g.owner(p.force[unit])
    q = remove(g, p, (unit,), g.land.off)
    edge = edge_of(g, node)
    emptied = not any(True for _ in front_of(g, q, edge))
    frame = Frame("take", (by,), (node, edge, g.terms.exit_removals, int(emptied)))
    return altered(q, agenda=(*q.agenda, frame))


def takeable(g: Setting, p: Pos) -> tuple[int, ...]:
    """The units that may be named next: the two nearest not yet flipped, ties at the cut open (R-G80); when none of the front
    was left on the map at the exit, any of its box (9.0.b, R-G81)."""
    known: tuple[Setting, tuple[int, ...]] | None = p.__dict__.get("takeable")  # whether anybody is asked, and then whom he names
    if known is None or known[0] is not g:
        known = p.__dict__["takeable"] = (g, _takeable(g, p))
    return known[1]


def _takeable(g: Setting, p: Pos) -> tuple[int, ...]:
    node, edge, left, emptied = _data(p)
    if left < 1 or edge < 0:
        return ()
    if emptied:
        box = (g.land.box_w, g.land.box_s, g.land.box_italy)[edge]
        return tuple(u for u, at in enumerate(p.at) if at == box)
    front = sorted([(g.land.distance(node, p.at[u]), u) for u in front_of(g, p, edge)])
    if not front:
        return ()
    cut = front[min(left, len(front)) - 1][0]
    return tuple(sorted([u for d, u in front if d <= cut]))


def _data(p: Pos) -> tuple[int, int, int, int]:
    node, edge, left, emptied = p.frame.data
    assert isinstance(node, int) and isinstance(edge, int) and isinstance(left, int) and isinstance(emptied, int)
    return node, edge, left, emptied


class TakeStep:
    """9.0.a1: the exiting player names up to two units, or none (R-G80)."""

    def __init__(self, g: Setting) -> None:
        self.g = g

    def judge(self, p: Pos, a: Action) -> Iterator[Reason]:
        """The unit must be among the nearest of that front."""
        g = self.g
        if not isinstance(a, Take):
            yield wrong_step(g, p, a)
            return
        unknown = unknown_names(g, a)
        if unknown:
            yield from unknown
            return
        unit = g.roster.index[a.unit]
        node, edge, left, emptied = _data(p)
        nearest = takeable(g, p)
        if unit not in nearest:
            facts = (("unit", a.unit), ("hex", g.hex_name(node)), ("edge", EDGES[edge]))
            if emptied:
                yield Reason("not-in-front-box", cite("9.0.b R-G81"), facts)
            elif p.at[unit] < g.land.size and not on_front(g, p, unit, edge):
                yield Reason("not-of-that-front", cite("9.0.a1 R-G79"), facts, (f"hexes {g.hex_name(p.at[unit])} country",))
            else:
                yield Reason("not-among-nearest", cite("9.0.a1 R-G80", *(("9.0.a2 R-G80",) if len(nearest) > left else ())), facts)

    def apply(self, p: Pos, a: Action) -> Pos:
        """Flips the unit until the phase ends (9.0.a3, 9.0.a4, R-G82); from a box it leaves at once (R-G81)."""
        g = self.g
        node, edge, left, emptied = _data(p)
        rest = p.agenda[:-1]
        if isinstance(a, Done):
            return altered(p, agenda=rest)
        assert isinstance(a, Take)
        unit = g.roster.index[a.unit]
        frame = Frame("take", p.frame.by, (node, edge, left - 1, emptied))
        from_box = p.at[unit] >= g.land.size
        q = remove(g, p, (unit,), g.land.off) if from_box else altered(p, flipped=p.flipped | 1 << unit)
        return altered(q, agenda=(*rest, frame))

    def choices(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every unit that may be named."""
        return iter([Take(p.frame.by[0], self.g.roster.ids[u]) for u in takeable(self.g, p) if about in (None, u)])

    def duties(self, p: Pos) -> Iterator[Reason]:
        """None: naming is optional (R-G80)."""
        return iter(())

    def settle(self, p: Pos) -> Pos | None:
        """With both named, or nobody to name, play goes on."""
        return None if takeable(self.g, p) else altered(p, agenda=p.agenda[:-1])
