"""5.0 Movement, with 4.0's stops, 5.2's boundary and 5.3's border; 8.0 evacuation and 9.0 exit start from here."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from itertools import pairwise
from operator import or_

from referee.games.battle_for_germany import courland, exits
from referee.games.battle_for_germany.actions import Evacuate, Exit, Move
from referee.games.battle_for_germany.changes import matters, touched, travel
from referee.games.battle_for_germany.mandate import mandate_duties
from referee.games.battle_for_germany.position import altered
from referee.games.battle_for_germany.sequence import end_phase
from referee.games.battle_for_germany.setting import HOME_LINE, HOME_YUGOSLAVIA, Setting, german
from referee.games.battle_for_germany.stacking import front_there, stacking_duties
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.supply import second_reasons
from referee.games.battle_for_germany.terms import SECOND_MOVEMENT
from referee.games.battle_for_germany.wrong import unknown_names, wrong_step
from referee.games.battle_for_germany.zoc import barriers, enemy_zoc, held_by_others
from referee.rules.graph import Free, Lattice, Profile, Reach, corridor, reach, search
from referee.rules.model import Action, Done, Reason, cite


def allowance(g: Setting, p: Pos, unit: int) -> int:
    """MPs of the unit in this phase (2.6.d): printed; doubled on the turn of its return (7.2.b2, R-G68); half, rounded down, in a
    second Movement Phase (18.1.p9), rounded up on the turn after one (18.1.p11) and for the SS of 13.2 (13.2.p3)."""
    printed = g.roster.move[unit]
    if p.doubled >> unit & 1:
        return printed * g.terms.double
    if g.phase(p).kind == SECOND_MOVEMENT:
        return printed // 2
    if p.tired >> unit & 1 or (p.regime and g.halved(p, unit)):
        return (printed + 1) // 2
    return printed


def profile(g: Setting, p: Pos, unit: int, budget: int) -> Profile:
    """How the unit may move now: shut out by other forces (5.0.a3), Berlin (5.2.1.p3) and, in Collapse, the west (14.0.p3); stopped
    by enemy ZOC (4.0); held by boundary and border (5.2, 5.3)."""
    force, start = p.force[unit], p.at[unit]
    zoc = enemy_zoc(g, p, force)
    closed = held_by_others(g, p, force, berlin_too=g.berlin_barred(unit))
    ward = g.wards(p, force, unit)
    if g.terms.east_only and not ward[start] & HOME_LINE:
        closed = bytes(h or not w & HOME_LINE for h, w in zip(closed, ward, strict=True))
    return Profile(budget, closed, zoc, bool(zoc[start]), ward)


def may_triple(g: Setting, p: Pos, unit: int) -> bool:
    """16.3.b1, R-G107: one German a phase, starting outside enemy ZOC, may have its allowance tripled."""
    return g.terms.triple > 0 and p.tripled < g.terms.triples and german(p.force[unit]) and not enemy_zoc(g, p, p.force[unit])[p.at[unit]]


def tripled_profile(g: Setting, p: Pos, unit: int, extra: int = 0) -> Profile:
    """The tripled move: three times the printed allowance, no enemy ZOC entered at all (16.3.b2, R-G107)."""
    m = profile(g, p, unit, g.roster.move[unit] * g.terms.triple - extra)
    return replace(m, closed=bytes(map(int.__or__, m.closed, m.stop)))


def unit_reach(g: Setting, p: Pos, unit: int) -> Reach:
    """Every hex the unit can reach in this phase, with costs and ways (4.0, 5.0, 5.2, 5.3); the tripled move apart."""
    return reach(g.land.edges, p.at[unit], profile(g, p, unit, allowance(g, p, unit)))


def can_move(g: Setting, p: Pos, unit: int) -> bool:
    """The unit belongs to the phase, is on the map, has not moved, and nothing holds it."""
    phase, held = g.phase(p), p.moved | p.locked | p.garrison
    if phase.kind == SECOND_MOVEMENT:
        held |= ~p.eligible
    return not held >> unit & 1 and p.force[unit] == phase.force and p.at[unit] < g.land.size


def mover_reasons(g: Setting, p: Pos, unit: int, start: int) -> Iterator[Reason]:
    """Reasons against this unit moving at all (by path or by sea)."""
    phase = g.phase(p)
    name = ("unit", g.roster.ids[unit])
    if p.force[unit] != phase.force:
        yield Reason("wrong-force", cite(phase.para), (name, ("phase", phase.name)))
    here = p.at[unit]
    if here >= g.land.size:
        yield Reason("not-on-map", cite("9.0.a6" if here == g.land.off else "5.0.a1"), (name, ("place", g.hex_name(here))))
        return
    if here != start:
        yield Reason("not-there", cite("5.0.a1"), (name, ("place", g.hex_name(here)), ("start", g.hex_name(start))))
    if p.moved >> unit & 1:
        yield Reason("moved-already", cite("5.0.p3 R-G32", "5.0.p1"), (name,))
    if p.locked >> unit & 1:
        yield Reason("arrived-in-zoc", cite("7.2.f R-G29"), (name,))
    if p.garrison >> unit & 1:
        yield Reason("garrison", cite("10.0.a1 R-G85"), (name, ("hex", g.hex_name(here))))
    if phase.kind == SECOND_MOVEMENT:
        yield from second_reasons(g, p, unit)


def way_reasons(g: Setting, p: Pos, unit: int, way: tuple[int, ...], extra: int = 0, said: str = "the cheapest way") -> Iterator[Reason]:
    """Reasons against one way, start included, hex by hex (4.0, 5.0, 5.2, 5.3). Only here is ZOC to ZOC barred, not in retreat and
    advance (R-G14). ``extra`` MPs are needed at its end (9.0); ``said``:
    what a sentence calls the way."""
    land, force = g.land, p.force[unit]
    names = land.names
    me = ("unit", g.roster.ids[unit])
    mps = allowance(g, p, unit)
    ids = ",".join(names[n] for n in way)
    cost = 0
    for here, node in pairwise(way):
        if node >= land.size or here >= land.size or node not in land.touching[here]:
            yield Reason("path-broken", cite("5.0.a1"), (me, ("from", names[here]), ("to", names[node])))
            return
        cost += next((c for n, c in land.edges[here] if n == node), 1)
    tripled = cost + extra > mps and g.terms.triple > 0 and german(force)
    if tripled:
        yield from tripled_reasons(g, p, unit, way)
        mps = g.roster.move[unit] * g.terms.triple
    if cost + extra > mps:
        sure = land.distance(way[0], way[-1]) + extra > mps
        cells = () if sure else tuple(f"hexes {names[n]} terrain" for n in way[1:])
        paras = cite("9.0.p2 R-G78", "5.0.p1", "5.0.a2") if extra else cite("5.0.p1", "5.0.a2 R-G34")
        facts = (me, ("cost", str(cost + extra)), ("mps", str(mps)), ("way", ids), ("said", said))
        yield Reason("too-far", paras, facts, cells)
    held, zoc, ward = held_by_others(g, p, force), enemy_zoc(g, p, force), g.wards(p, force, unit)
    for node in way[1:]:
        if held[node]:
            yield Reason("occupied", cite("5.0.a3 R-G23"), (me, ("hex", names[node])))
    for i, (here, node) in enumerate(pairwise(way)):
        if zoc[here] and i > 0:
            yield Reason("stop-in-zoc", cite("4.0.p2", "4.0.c1 R-G28"), (me, ("hex", names[here]), ("way", ids)))
        if zoc[here] and zoc[node]:
            yield Reason("zoc-to-zoc", cite("4.0.c2 R-G28"), (me, ("from", names[here]), ("to", names[node])))
    if extra and zoc[way[-1]] and len(way) > 1:
        yield Reason("exit-from-zoc", cite("4.0.p2 R-G30", "9.0.p2 R-G78"), (me, ("hex", names[way[-1]])))
    for here, node in pairwise(way):
        if not land.playable[node]:  # it lies on no side of any border
            yield Reason("closed-hex", cite("5.0.a2 R-G27"), (me, ("hex", names[node])), (f"hexes {names[node]} playable",))
            continue
        yield from border_reasons(g, unit, force, here, node, ward)
        if g.out_of_play(node):
            yield Reason("west-not-used", cite("14.0.p3 R-G100"), (me, ("hex", names[node])), (f"hexes {names[node]} theater",))
        if not any(n == node for n, _ in land.edges[here]):
            side = "|".join(sorted((names[here], names[node])))
            yield Reason("closed-side", cite("5.0.a2 R-G27"), (me, ("side", side)), (f"hexsides {side} feature",))
    yield from home_reasons(g, p, unit, way)
    yield from capital_reasons(g, p, unit, way[-1])


def capital_reasons(g: Setting, p: Pos, unit: int, goal: int) -> Iterator[Reason]:
    """R-G126: a second Front cannot stop in a capital; the one that stopped there first is its garrison."""
    if g.land.capital[goal] and front_there(g, p, goal, unit):
        yield Reason("second-front", cite("10.0.a1 R-G126", "5.1.p2"), (("unit", g.roster.ids[unit]), ("hex", g.hex_name(goal))))


def tripled_reasons(g: Setting, p: Pos, unit: int, way: tuple[int, ...]) -> Iterator[Reason]:
    """Reasons against the tripled move (16.3.b, R-G107), which a way beyond the ordinary allowance is."""
    name = ("unit", g.roster.ids[unit])
    zoc = enemy_zoc(g, p, p.force[unit])
    if p.tripled >= g.terms.triples:
        yield Reason("tripled-already", cite("16.3.b1 R-G107"), (name, ("mps", str(allowance(g, p, unit)))))
    elif zoc[way[0]]:
        yield Reason("triple-from-zoc", cite("16.3.b1 R-G107"), (name, ("hex", g.hex_name(way[0]))))
    elif entered := [n for n in way[1:] if zoc[n]]:
        yield Reason("triple-into-zoc", cite("16.3.b2 R-G107"), (name, ("hex", g.hex_name(entered[0]))))


def border_reasons(g: Setting, unit: int, force: int, here: int, node: int, ward: bytes) -> Iterator[Reason]:
    """Reasons against stepping over the boundary (5.2) or the Yugoslav border (5.3), or into Berlin (5.2.1.p3)."""
    names = g.land.names
    facts = (("unit", g.roster.ids[unit]), ("from", names[here]), ("to", names[node]))
    lost = ward[here] & ~ward[node]
    if node == g.land.berlin and g.berlin_barred(unit):
        yield Reason("german-in-berlin", cite("5.2.1.p3"), facts)
    elif german(force):
        if lost & HOME_LINE:
            yield Reason("german-over-line", cite("5.2.1.p1 R-G36"), facts, (f"hexes {names[node]} theater",))
    elif lost & HOME_LINE:
        yield Reason("ally-over-line", cite("5.2.2.p1 R-G35"), facts, (f"hexes {names[node]} theater",))
    if lost & HOME_YUGOSLAVIA:
        para = "5.3.1.p1" if g.yugoslav(unit) else "5.3.2.p1 R-G41"
        yield Reason("yugoslav-border", cite(para), facts, (f"hexes {names[node]} country",))


def homes(g: Setting, p: Pos, unit: int, found: Reach) -> list[int]:
    """Where a displaced unit could end its move at home (R-G38): not in a capital that another Front keeps (R-G126)."""
    ward = g.wards(p, p.force[unit], unit)
    return [n for n in found.cost if ward[n] & HOME_LINE and not (g.land.capital[n] and front_there(g, p, n, unit))]


def home_reasons(g: Setting, p: Pos, unit: int, way: tuple[int, ...]) -> Iterator[Reason]:
    """5.2.2.p2, R-G38: a displaced unit that can get home this phase must end its move there."""
    ward = g.wards(p, p.force[unit], unit)
    if ward[way[0]] & HOME_LINE or ward[way[-1]] & HOME_LINE:
        return
    found = unit_reach(g, p, unit)
    home = homes(g, p, unit, found)
    if home:
        nearest = min(home, key=lambda n: (found.cost[n], n))
        yield Reason(
            "must-go-home",
            cite("5.2.2.p2 R-G38"),
            (("unit", g.roster.ids[unit]), ("hex", g.hex_name(way[-1])), ("home", g.hex_name(nearest))),
            (f"hexes {g.hex_name(way[-1])} theater",),
        )


class Found:
    """The cheapest lawful way of a unit, and how it was found: over the map as it is printed, by a search, or tripled."""

    __slots__ = ("budget", "searched", "tripled", "unit", "way")

    def __init__(self, unit: int, way: tuple[int, ...], budget: int, searched: Reach | None, tripled: bool) -> None:
        self.unit = unit
        self.way = way
        """Its hexes, start included."""
        self.budget = budget
        """MPs that there were for it, but for a tripled one."""
        self.searched = searched
        """All lawful ways that cost as little; None when nothing stands in this one, and for a tripled one."""
        self.tripled = tripled


def lawful_way(g: Setting, p: Pos, unit: int, goal: int, extra: int = 0) -> tuple[int, ...] | None:
    """The cheapest lawful way to ``goal`` (start included), ties by a fixed order; None when there is none. Tripled only when the
    ordinary allowance does not do (16.3.b1)."""
    found = find_way(g, p, unit, goal, extra)
    return None if found is None else found.way


def find_way(g: Setting, p: Pos, unit: int, goal: int, extra: int = 0) -> Found | None:
    """``lawful_way``, and how it was found."""
    if goal == p.at[unit] or goal >= g.land.size:
        return None
    budget = allowance(g, p, unit) - extra
    way = open_way(g, p, unit, goal, budget)
    if way:
        return Found(unit, way, budget, None, False)
    searched = _corridor(g, p, unit, goal, budget, dearer=way is None)
    if searched is not None:
        return Found(unit, searched.way(goal), budget, searched, False)
    if may_triple(g, p, unit):
        far = search(g.land.edges, p.at[unit], goal, tripled_profile(g, p, unit, extra), g.land.bound(goal))
        return Found(unit, far[1], budget, None, True) if far else None
    return None


def open_way(g: Setting, p: Pos, unit: int, goal: int, budget: int) -> tuple[int, ...] | None:
    """The canonical one of the ways over the map as it is printed that cost least, when no unit and no border stands in it: then it is
    the lawful one. None when something stands in all of them; () when the search has to tell, as for a unit on the wrong side of a
    border."""
    land, start = g.land, p.at[unit]
    closed, zoc = barriers(g, p, unit)
    if closed[start]:
        return ()
    free = None if closed[goal] else land.free(start, budget).way_past(land.into, goal, closed, zoc)
    if free is None or free.cost > budget:
        return None
    return () if zoc[start] and zoc[goal] and not free.inner else free.way  # out of one ZOC into another


def _corridor(g: Setting, p: Pos, unit: int, goal: int, budget: int, *, dearer: bool) -> Reach | None:
    """The cheapest lawful ways to ``goal``; None when there is none. ``dearer``: not one of them costs as little as over an empty map."""
    land, start = g.land, p.at[unit]
    free = land.free(start, budget).way(goal)
    if free is None or free.cost > budget:
        return None
    return corridor(land.edges, start, goal, _searched(g, p, unit, budget), land.bound(goal), free.cost + dearer)


def _searched(g: Setting, p: Pos, unit: int, budget: int) -> Profile:
    """``profile``, with what is across a border put down as closed for a unit at home: it loses nothing else by a step."""
    start = p.at[unit]
    closed, zoc = barriers(g, p, unit)
    return profile(g, p, unit, budget) if closed[start] else Profile(budget, closed, zoc, bool(zoc[start]))


def way_past(g: Setting, p: Pos, unit: int, goal: int, avoided: int) -> tuple[int, ...] | None:
    """The cheapest lawful way that does not lead through one hex, within the ordinary allowance; None when there is none."""
    m = profile(g, p, unit, allowance(g, p, unit))
    closed = bytearray(m.closed)
    closed[avoided] = 1
    found = search(g.land.edges, p.at[unit], goal, replace(m, closed=bytes(closed)), g.land.bound(goal))
    return found[1] if found else None


def ways_as_cheap(g: Setting, p: Pos, unit: int, way: tuple[int, ...], limit: int) -> list[tuple[int, ...]]:
    """The lawful ways that cost as little as this cheapest one (start included), at most ``limit`` of them (R-G92); none but this one
    when it changes nothing which of them is taken, as nothing between start and goal is worth a look (``touched``), and for a tripled
    move."""
    land, start, goal = g.land, way[0], way[-1]
    found = _found(g, p, unit, way)
    if found is None or found.tripled:
        return [way]
    if found.searched is None:  # those are the ways over the empty map that nothing stands in
        free = land.free(start, found.budget)
        passed = free.marks.get(goal, -1)
        if not passed or not matters(g, p, unit, _between(g, free, goal) if passed < 0 else passed, goal):
            return [way]
        closed, zoc = barriers(g, p, unit)
        steps = _open_steps(free.lattice(land.into, goal), start, goal, closed, zoc)
    else:
        if not touched(g, p, unit, [node for node in found.searched.cost if node not in (start, goal)], goal):
            return [way]
        steps = _steps_back(g, found.searched, goal, profile(g, p, unit, found.budget))
    ways: list[tuple[int, ...]] = []
    stack: list[tuple[int, ...]] = [(goal,)]
    while stack and len(ways) < limit:
        back = stack.pop()
        here = back[0]
        if here == start:
            ways.append(back)
            continue
        stack.extend([(before, *back) for before in reversed(steps[here])])
    return ways


def _found(g: Setting, p: Pos, unit: int, way: tuple[int, ...]) -> Found | None:
    """How a unit's cheapest lawful way was found; looked for again unless it is that of the action judged last in the position."""
    asked: Asked | None = p.__dict__.get("asked")
    found = None if asked is None or asked.step.g is not g else asked.found
    return found if found is not None and found.way is way and found.unit == unit else find_way(g, p, unit, way[-1])


def _between(g: Setting, free: Free, goal: int) -> int:
    """The bits of ``Land.noted`` on all cheapest ways over the empty map, start and goal left out; kept, 0 where there is one way only."""
    lattice = free.lattice(g.land.into, goal)
    way = free.way(goal)
    several = way is not None and len(lattice) >= len(way.way)
    free.marks[goal] = passed = reduce(or_, [g.land.noted[node] for node, _ in lattice if node != goal], 0) if several else 0
    return passed


def _cost(g: Setting, way: tuple[int, ...]) -> int:
    """What a way costs (5.0.a2)."""
    return sum([next((c for n, c in g.land.edges[here] if n == node), 1) for here, node in pairwise(way)])


def _open_steps(lattice: Lattice, start: int, goal: int, closed: bytes, zoc: bytes) -> dict[int, list[int]]:
    """For each hex that can be reached on a cheapest way over the empty map, those from which such a way goes on into it, ascending."""
    steps: dict[int, list[int]] = {}
    for node, befores in lattice:
        if node == goal or not (closed[node] or zoc[node]):
            open_there = [n for n in befores if n in steps or (n == start and not (zoc[start] and zoc[node]))]
            if open_there:
                steps[node] = open_there
    return steps


def _steps_back(g: Setting, found: Reach, goal: int, m: Profile) -> dict[int, list[int]]:
    """For each hex on a cheapest way to the goal, but the start, those from which such a way goes on into it, ascending."""
    cost, start = found.cost, found.start
    steps: dict[int, list[int]] = {}
    there = [goal]
    for here in there:
        if here in steps or here == start:
            continue
        befores: list[int] = []
        for before, step in g.land.into[here]:
            if before not in cost or cost[before] + step != cost[here] or (m.ward and m.ward[before] & ~m.ward[here]):
                continue
            if m.start_stopped and m.stop[here] if before == start else m.stop[before]:
                continue
            befores.append(before)
        steps[here] = befores
        there.extend(befores)
    return steps


def least_broken_way(g: Setting, p: Pos, unit: int, goal: int, extra: int = 0) -> tuple[int, ...]:
    """The way a player most likely took when no lawful one exists: within the MPs with the fewest breaches; when even that is
    too far, the cheapest one. For explanations only."""
    budget = allowance(g, p, unit) - extra
    return _relaxed(g, p, unit, goal, budget) or _relaxed(g, p, unit, goal, 10**6) or (p.at[unit], goal)


def _relaxed(g: Setting, p: Pos, unit: int, goal: int, budget: int) -> tuple[int, ...]:
    land, start, m = g.land, p.at[unit], profile(g, p, unit, budget)
    far = budget > 255
    best: dict[int, int] = {}
    heap: list[tuple[int, int, tuple[int, ...]]] = [(0, 0, (start,))]
    while heap:
        first, second, way = heapq.heappop(heap)
        breaches, cost = (second, first) if far else (first, second)
        here = way[-1]
        if here == goal:
            return way
        if best.get(here, 10**9) <= (first if far else cost):
            continue
        best[here] = first if far else cost
        steps = dict(land.edges[here])
        for node in land.touching[here]:
            total = cost + steps.get(node, 1)
            if total > budget or (not far and total + land.distance(node, goal) > budget) or node in way:  # a step costs 1 at least
                continue
            wrong = (node not in steps) + bool(m.closed[node]) + bool(m.ward[here] & ~m.ward[node])
            wrong += bool(m.stop[here] and (len(way) > 1 or m.stop[node]))
            key = (total, breaches + wrong) if far else (breaches + wrong, total)
            heapq.heappush(heap, (*key, (*way, node)))
    return ()


class Asked:
    """The action judged last in a position, and the lawful way found for it: whoever goes on from there need not look for it again."""

    __slots__ = ("action", "found", "step")

    def __init__(self, step: MovementStep, action: Action, found: Found | None) -> None:
        self.step = step
        self.action = action
        self.found = found


def _judged(step: MovementStep, p: Pos, a: Action) -> Asked | None:
    """What was found for this action, when it is the one that was judged last in this position."""
    known: Asked | None = p.__dict__.get("asked")
    return known if known is not None and known.action is a and known.step is step else None


class MovementStep:
    """A Movement Phase (5.0): one continuous move a unit (R-G32), in any order; stacking is judged when it ends (5.1).

    A second one (18.1.p9, R-G112) is the same for the units that a marker serves, at half allowance and with moves only.
    """

    def __init__(self, g: Setting) -> None:
        self.g = g

    def judge(self, p: Pos, a: Action) -> Iterator[Reason]:
        """Reasons against a move, an exit or an evacuation."""
        return iter(()) if type(a) is Move and not a.via and self._in_order(p, a) else self._reasons(p, a)

    def _in_order(self, p: Pos, a: Move) -> bool:
        """Whether nothing can speak against a move by the cheapest way, so that no reason need be looked for: a unit that may move, on its
        own side of the boundary, has a lawful way to where it may end its move. Says no, too, where it takes a closer look."""
        g = self.g
        land = g.land
        try:
            unit, start, goal = g.roster.index[a.unit], land.nodes[a.start], land.nodes[a.to]
        except KeyError:
            return False
        if p.at[unit] != start or start == goal or not can_move(g, p, unit):
            return False
        found = find_way(g, p, unit, goal)
        p.__dict__["asked"] = Asked(self, a, found)
        at_home = g.wards(p, p.force[unit], unit)[start] & HOME_LINE
        return found is not None and at_home != 0 and not (land.capital[goal] and front_there(g, p, goal, unit))

    def _reasons(self, p: Pos, a: Action) -> Iterator[Reason]:
        g = self.g
        if not isinstance(a, (Move, Exit, Evacuate)) or (g.phase(p).kind == SECOND_MOVEMENT and not isinstance(a, Move)):
            yield wrong_step(g, p, a)
            return
        unknown = unknown_names(g, a)
        if unknown:
            yield from unknown
            return
        unit = g.roster.index[a.unit]
        if isinstance(a, Evacuate):
            for reason in mover_reasons(g, p, unit, p.at[unit]):
                if reason.code != "moved-already":
                    yield reason
            yield from courland.evacuation_reasons(g, p, unit)
            return
        start, goal = g.land.nodes[a.start], g.land.nodes[a.to]
        yield from mover_reasons(g, p, unit, start)
        if p.at[unit] >= g.land.size:
            return
        if isinstance(a, Exit):
            yield from exits.exit_reasons(g, p, unit, goal)
        extra = g.terms.exit_cost if isinstance(a, Exit) else 0
        if goal == p.at[unit] and not a.via:
            if not extra:
                yield Reason("no-move", cite("5.0.a1"), (("unit", a.unit), ("hex", a.to)))
            else:
                yield from way_reasons(g, p, unit, (goal,), extra)
            return
        if a.via:
            yield from way_reasons(g, p, unit, (p.at[unit], *(g.land.nodes[n] for n in a.via), goal), extra, "this way")
            return
        known = _judged(self, p, a)
        found = known.found if known is not None else find_way(g, p, unit, goal, extra)
        p.__dict__["asked"] = Asked(self, a, found)
        if found is None:
            yield from way_reasons(g, p, unit, least_broken_way(g, p, unit, goal, extra), extra)
        else:
            if extra and enemy_zoc(g, p, p.force[unit])[goal]:
                yield from way_reasons(g, p, unit, found.way, extra)
            yield from home_reasons(g, p, unit, found.way)
            yield from capital_reasons(g, p, unit, goal)

    def apply(self, p: Pos, a: Action) -> Pos:
        """Carries out a move, an exit or an evacuation attempt; ``done`` ends the phase."""
        g = self.g
        if type(a) is not Move:
            if type(a) is Done:
                return end_phase(g, p)
            if type(a) is Evacuate:
                return courland.attempt(g, p, g.roster.index[a.unit])
            assert isinstance(a, Exit)
        unit = g.roster.index[a.unit]
        way = self.way(p, a)
        if g.phase(p).kind == SECOND_MOVEMENT:
            p = altered(p, used=p.used | 1 << unit)  # tired next turn (18.1.p11)
        if g.terms.triple and german(p.force[unit]) and self._cost(way, a) > allowance(g, p, unit):
            p = altered(p, tripled=p.tripled + 1)
        moved = p.moved | 1 << unit
        q = travel(g, p, unit, way[1:], moved=moved) if len(way) > 1 else altered(p, moved=moved)
        return exits.leave(g, q, unit) if type(a) is Exit else q

    def _cost(self, way: tuple[int, ...], a: Move | Exit) -> int:
        """What the way costs, an exit at its end included."""
        return _cost(self.g, way) + (self.g.terms.exit_cost if isinstance(a, Exit) else 0)

    def way(self, p: Pos, a: Move | Exit) -> tuple[int, ...]:
        """The hexes of a move, start included: as given, or the cheapest lawful way (R-G92)."""
        g = self.g
        known = _judged(self, p, a)
        if known is not None and known.found is not None:
            return known.found.way
        unit, goal = g.roster.index[a.unit], g.land.nodes[a.to]
        if a.via:
            return (p.at[unit], *(g.land.nodes[n] for n in a.via), goal)
        if goal == p.at[unit]:
            return (goal,)
        extra = g.terms.exit_cost if isinstance(a, Exit) else 0
        return lawful_way(g, p, unit, goal, extra) or least_broken_way(g, p, unit, goal, extra)

    def choices(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Per unit: every hex in reach, then the exits, then evacuation."""
        g = self.g
        by = g.phase(p).owner
        names = g.land.names
        for unit in range(len(p.at)) if about is None else (about,):
            if not can_move(g, p, unit):
                continue
            found = unit_reach(g, p, unit)
            ward = g.wards(p, p.force[unit], unit)
            displaced = not ward[p.at[unit]] & HOME_LINE
            must_go = displaced and bool(homes(g, p, unit, found))
            start = names[p.at[unit]]
            piece = g.roster.ids[unit]
            for node in sorted(found.cost):
                if g.land.capital[node] and front_there(g, p, node, unit):
                    continue  # R-G126
                if node != p.at[unit] and (not must_go or ward[node] & HOME_LINE):
                    yield Move(by, piece, start, names[node])
            if g.phase(p).kind == SECOND_MOVEMENT:
                continue
            leaving = {*exits.open_exits(g, p, unit, found, allowance(g, p, unit))}
            if may_triple(g, p, unit):
                far = reach(g.land.edges, p.at[unit], tripled_profile(g, p, unit))
                yield from [Move(by, piece, start, names[n]) for n in sorted(far.cost) if n not in found.cost]
                leaving.update(exits.open_exits(g, p, unit, far, g.roster.move[unit] * g.terms.triple))
            for node in sorted(leaving):
                yield Exit(by, piece, start, names[node])
            if courland.may_evacuate(g, p, unit):
                yield Evacuate(by, piece)

    def duties(self, p: Pos) -> Iterator[Reason]:
        """Stacking (5.1), and 12.2's attacks not given away on turn 1."""
        yield from stacking_duties(self.g, p)
        yield from mandate_duties(self.g, p)

    def settle(self, p: Pos) -> Pos | None:
        """A phase whose force has no unit on the map is passed (R-G118); a second one when no marker serves any that can move."""
        g = self.g
        phase, size = g.phase(p), g.land.size
        if phase.kind == SECOND_MOVEMENT:
            return None if p.eligible & ~p.garrison else end_phase(g, p)
        force = phase.force
        moved = p.moved.bit_length() - 1  # a unit that has moved is mostly still there: nobody else need be asked
        if moved >= 0 and p.force[moved] == force and p.at[moved] < size:
            return None
        if any(node < size and p.force[u] == force for u, node in enumerate(p.at)):
            return None
        return end_phase(g, p)
