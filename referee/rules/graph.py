"""Movement over graphs of places (hexes, zones, boxes alike): integer nodes, movement as data, one search.

Ties are always broken the same way: among the cheapest ways, each step back goes to the lowest-numbered place.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Node = int
Edges = tuple[tuple[tuple[Node, int], ...], ...]
"""``edges[node]`` lists (neighbour, cost of the step in MPs); costs are at least 1."""


Lattice = tuple[tuple[Node, tuple[Node, ...]], ...]
"""All cheapest ways to one place: each place on them but the start, the cheap ones first, with those before it, ascending."""


@dataclass(slots=True)
class Profile:
    """How one unit may move, as plain data.

    ``closed[node]`` is 1 where it may not go; ``stop[node]`` is 1 where it must end its move on entering (enemy ZOC).
    With ``start_stopped`` the unit begins in a stop node, and its first step may not lead into another one.
    """

    budget: int
    closed: bytes
    stop: bytes
    start_stopped: bool = False
    ward: bytes = b""
    """Borders that may be crossed one way only: a step may not lose a bit of ``ward`` (home side of a line). Empty = none."""


class Reach:
    """All places within the budget: ``cost[node]`` in MPs, and the step before each on the cheapest way."""

    __slots__ = ("before", "cost", "start")

    def __init__(self, start: Node, cost: dict[Node, int], before: dict[Node, Node]) -> None:
        self.start = start
        self.cost = cost
        self.before = before

    def way(self, goal: Node) -> tuple[Node, ...]:
        """The canonical cheapest way from the start (included) to the goal (included).

        Raises KeyError when the goal is out of reach.
        """
        way, here, before = [goal], goal, self.before
        while here != self.start:
            here = before[here]
            way.append(here)
        way.reverse()
        return tuple(way)


class FreeWay:
    """The canonical cheapest way to one place with nothing in the way: its cost in MPs, start and goal included; what is between."""

    __slots__ = ("cost", "inner", "way")

    def __init__(self, cost: int, way: tuple[Node, ...]) -> None:
        self.cost = cost
        self.way = way
        self.inner = way[1:-1]


class Free:
    """The cheapest ways from one place with nothing in the way, within ``limit`` MPs. Whoever keeps one for each place need not search
    for a move that meets nothing, or only what leaves another way as cheap."""

    __slots__ = ("_found", "_lattices", "_ways", "limit", "marks")

    def __init__(self, edges: Edges, start: Node, limit: int) -> None:
        self.limit = limit
        self._found = reach(edges, start, _unhindered(edges, limit))
        self._ways: dict[Node, FreeWay | None] = {}
        self._lattices: dict[Node, Lattice] = {}
        self.marks: dict[Node, int] = {}
        """By goal what a caller has marked of the places on the cheapest ways to it, put together as bits."""

    def look_further(self, edges: Edges, limit: int) -> None:
        """A greater limit: what was found within the one before stays as it is."""
        self.limit = limit
        self._found = reach(edges, self._found.start, _unhindered(edges, limit))
        self._ways = {goal: way for goal, way in self._ways.items() if way is not None}

    def way(self, goal: Node) -> FreeWay | None:
        """To one place; None when it lies further away than the limit."""
        if goal in self._ways:
            return self._ways[goal]
        cost = self._found.cost.get(goal)
        self._ways[goal] = way = None if cost is None else FreeWay(cost, self._found.way(goal))
        return way

    def lattice(self, into: Edges, goal: Node) -> Lattice:
        """All cheapest ways to a place within the limit; ``into``: the edges turned round. Raises KeyError when it is out of reach."""
        known = self._lattices.get(goal)
        if known is None:
            cost = self._found.cost
            befores: dict[Node, tuple[Node, ...]] = {goal: ()}
            there = [goal]
            for node in there:
                befores[node] = tuple(sorted([n for n, step in into[node] if n in cost and cost[n] + step == cost[node]]))
                for before in befores[node]:
                    if before not in befores and before != self._found.start:
                        befores[before] = ()
                        there.append(before)
            known = self._lattices[goal] = tuple([(node, befores[node]) for node in sorted(there, key=cost.__getitem__)])
        return known

    def way_past(self, into: Edges, goal: Node, closed: bytes, stop: bytes) -> FreeWay | None:
        """The canonical one of those cheapest ways that do not lead through a place with a 1 in ``closed`` or ``stop`` (the goal may have
        it); None when there is none within the limit."""
        free = self._ways.get(goal) or self.way(goal)
        if free is None:
            return None
        for node in free.inner:
            if closed[node] or stop[node]:
                break
        else:
            return free
        start = self._found.start
        came = {start: start}
        for node, befores in self.lattice(into, goal):
            if (closed[node] or stop[node]) and node != goal:
                continue
            for before in befores:
                if before in came:
                    came[node] = before
                    break
        return FreeWay(free.cost, Reach(start, {}, came).way(goal)) if goal in came else None


def reach(edges: Edges, start: Node, m: Profile) -> Reach:
    """Everything the profile can reach from ``start``, by buckets of equal cost (the start itself at cost 0)."""
    return _search(edges, start, m, None, -1, m.budget)


def search(edges: Edges, start: Node, goal: Node, m: Profile, bound: bytes | None = None) -> tuple[int, tuple[Node, ...]] | None:
    """(cost, cheapest way) to one goal, or None. ``bound`` is a table of lower bounds of the cost from each node to the goal."""
    found = corridor(edges, start, goal, m, bound)
    return (found.cost[goal], found.way(goal)) if found is not None else None


def corridor(edges: Edges, start: Node, goal: Node, m: Profile, bound: bytes | None = None, least: int = 0) -> Reach | None:
    """What ``reach`` finds, but for places that lie on no cheapest way to one goal; None when the goal is out of reach.

    With ``bound`` the budget is raised step by step from the least that could do: a place too far from the goal is never looked at.
    ``least``: what it costs at least, where the caller knows more than that.
    """
    if m.closed[goal]:
        return None
    if bound is None:
        found = _search(edges, start, m, None, goal, m.budget)
        return found if goal in found.cost else None
    for budget in range(max(bound[start], least), m.budget + 1):
        found = _search(edges, start, m, bound, goal, budget)
        if goal in found.cost:
            return found
    return None


def _search(edges: Edges, start: Node, m: Profile, bound: bytes | None, goal: Node, budget: int) -> Reach:
    closed, stop, ward, start_stopped = m.closed, m.stop, m.ward, m.start_stopped
    rest = bytes(len(edges)) if bound is None else bound
    cost: dict[Node, int] = {start: 0}
    before: dict[Node, Node] = {}
    buckets: list[list[Node]] = [[] for _ in range(budget + 1)]
    for node, step in edges[start]:
        if step + rest[node] > budget or closed[node] or (start_stopped and stop[node]):
            continue
        if ward and ward[start] & ~ward[node]:
            continue
        cost[node], before[node] = step, start
        buckets[step].append(node)
    for spent in range(1, budget):  # a last step is looked at where it is made: every step costs something
        left = budget - spent
        for here in buckets[spent]:
            if stop[here] or cost[here] != spent:
                continue
            for node, step in edges[here]:
                if step + rest[node] > left or closed[node] or (ward and ward[here] & ~ward[node]):
                    continue
                total = spent + step
                known = cost.get(node)
                if known is None or total < known:
                    cost[node], before[node] = total, here
                    buckets[total].append(node)
                elif total == known and here < before[node]:  # never true of the start, which costs nothing
                    before[node] = here
        if goal in cost and cost[goal] <= spent:
            break
    return Reach(start, cost, before)


def turned(edges: Edges) -> Edges:
    """The steps the other way round: for each place where a step into it begins, and its cost."""
    into: list[list[tuple[Node, int]]] = [[] for _ in edges]
    for here, steps in enumerate(edges):
        for node, step in steps:
            into[node].append((here, step))
    return tuple([tuple(steps) for steps in into])


def lower_bounds(into: Edges, goal: Node, limit: int) -> bytes:
    """For each node the cost of the cheapest way to ``goal`` with nothing in the way, at most ``limit + 1`` (255); ``into``: the edges
    turned round."""
    far = min(limit + 1, 255)
    table = bytearray([far]) * len(into)
    for node, cost in reach(into, goal, _unhindered(into, far - 1)).cost.items():
        table[node] = cost
    return bytes(table)


def _unhindered(edges: Edges, budget: int) -> Profile:
    nothing = bytes(len(edges))
    return Profile(budget, nothing, nothing)


def mask(nodes: Iterable[Node], size: int) -> bytes:
    """A byte table with 1 at the given nodes."""
    table = bytearray(size)
    for node in nodes:
        table[node] = 1
    return bytes(table)
