"""Movement over graphs of places (hexes, zones, boxes alike): integer nodes, movement as data, one search.

Ties are always broken the same way: among the cheapest ways, each step back goes to the lowest-numbered place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Node = int
Edges = Sequence[Sequence[tuple[Node, int]]]
"""``edges[node]`` lists (neighbour, cost of the step in MPs); costs are at least 1."""


Slopes = dict[Node, tuple[Node, ...]]
"""For one goal: place -> the places from which it is nearer by what the step there costs, with nothing in the way."""


@dataclass(slots=True)
class Profile:
    """How one unit may move, as plain data.

    ``closed[node]`` is 1 where it may not go; ``stop[node]`` is 1 where it must end its move on entering (enemy ZOC).
    With ``start_stopped`` the unit begins in a stop node, and its first step may not lead into another one.
    """

    budget: int
    closed: bytes | bytearray
    stop: bytes | bytearray
    start_stopped: bool = False
    ward: bytes = b""
    """Borders that may be crossed one way only: a step may not lose a bit of ``ward`` (home side of a line). Empty = none."""


@dataclass(slots=True)
class Reach:
    """All places within the budget: ``cost[node]`` in MPs, and the step before each on the cheapest way."""

    start: Node
    cost: dict[Node, int]
    before: dict[Node, Node]

    def way(self, goal: Node) -> tuple[Node, ...]:
        """The canonical cheapest way from the start (included) to the goal (included).

        Raises KeyError when the goal is out of reach.
        """
        way = [goal]
        while way[-1] != self.start:
            way.append(self.before[way[-1]])
        return tuple(reversed(way))


@dataclass(slots=True)
class FreeWay:
    """The canonical cheapest way to one place with nothing in the way: its cost in MPs, start and goal included."""

    cost: int
    way: tuple[Node, ...]


class Free:
    """The cheapest ways from one place with nothing in the way, within ``limit`` MPs. Whoever keeps one for each place need not search
    for a move that meets nothing: where the canonical way is free, it is the canonical one of those that are."""

    __slots__ = ("edges", "found", "known", "lying")

    def __init__(self, edges: Edges, start: Node, limit: int) -> None:
        nothing = bytes(len(edges))
        self.edges = edges
        self.found = reach(edges, start, Profile(limit, nothing, nothing))
        self.known: dict[Node, FreeWay | None] = {}
        self.lying: dict[Node, tuple[Node, ...]] = {}

    def way(self, goal: Node) -> FreeWay | None:
        """To one place; None when it lies further away than the limit."""
        if goal in self.known:
            return self.known[goal]
        cost = self.found.cost.get(goal)
        self.known[goal] = way = None if cost is None else FreeWay(cost, self.found.way(goal))
        return way

    def between(self, goal: Node) -> tuple[Node, ...]:
        """All places on any of the cheapest ways to a place within the limit, start and goal left out, in no special order. A pair of
        neighbours must be joined in both directions, be it at different costs. Raises KeyError when the goal is out of reach."""
        known = self.lying.get(goal)
        if known is not None:
            return known
        cost, edges = self.found.cost, self.edges
        met = [goal]
        for node in met:
            for before, _ in edges[node]:
                if before not in met and before in cost and (node, cost[node] - cost[before]) in edges[before]:
                    met.append(before)
        self.lying[goal] = lying = tuple([node for node in met if node not in (goal, self.found.start)])
        return lying


def reach(edges: Edges, start: Node, m: Profile) -> Reach:
    """Everything the profile can reach from ``start``, by buckets of equal cost (the start itself at cost 0)."""
    return _search(edges, start, m, None, -1, m.budget)


def search(edges: Edges, start: Node, goal: Node, m: Profile, bound: bytes | None = None) -> tuple[int, tuple[Node, ...]] | None:
    """(cost, cheapest way) to one goal, or None. ``bound`` is a table of lower bounds of the cost from each node to the goal."""
    found = corridor(edges, start, goal, m, bound)
    return (found.cost[goal], found.way(goal)) if found is not None else None


def corridor(
    edges: Edges, start: Node, goal: Node, m: Profile, bound: bytes | None = None, slopes: Slopes | None = None
) -> Reach | None:
    """What ``reach`` finds, but for places that lie on no cheapest way to one goal; None when the goal is out of reach.

    With ``bound`` the budget is raised step by step from the least that could do: a place too far from the goal is never looked at.
    ``slopes``: where ``bound`` leads, kept by the caller for this goal; most ways have nothing in them, and only follow it.
    """
    if m.closed[goal]:
        return None
    if bound is None:
        found = _search(edges, start, m, None, goal, m.budget)
        return found if goal in found.cost else None
    for budget in range(bound[start], m.budget + 1):
        if slopes is not None and budget == bound[start]:
            found = _downhill(edges, start, m, bound, slopes)
        else:
            found = _search(edges, start, m, bound, goal, budget)
        if goal in found.cost:
            return found
    return None


def _downhill(edges: Edges, start: Node, m: Profile, bound: bytes, slopes: Slopes) -> Reach:
    """What ``_search`` finds within the budget ``bound[start]``: no step may cost more than it brings nearer, so that every place has
    one cost, and the order in which the places are looked at does not matter."""
    closed, stop, ward, start_stopped = m.closed, m.stop, m.ward, m.start_stopped
    before: dict[Node, Node] = {}
    reached = [start]
    for here in reached:
        if here != start and stop[here]:
            continue
        down = slopes.get(here)
        if down is None:
            down = slopes[here] = tuple([node for node, step in edges[here] if step + bound[node] == bound[here]])
        for node in down:
            if closed[node] or (ward and ward[here] & ~ward[node]) or (start_stopped and stop[node] and here == start):
                continue
            if node not in before:
                before[node] = here
                reached.append(node)
            elif here < before[node]:
                before[node] = here
    least = bound[start]
    return Reach(start, {node: least - bound[node] for node in reached}, before)


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


def lower_bounds(edges: Edges, goal: Node, size: int, limit: int) -> bytes:
    """For each node the cost of the cheapest way to ``goal`` with nothing in the way, at most ``limit + 1``; a pair of neighbours
    must be joined in both directions, be it at different costs."""
    far = min(limit + 1, 255)
    table = bytearray([far]) * size
    table[goal] = 0
    rings: list[list[Node]] = [[] for _ in range(far)]
    rings[0].append(goal)
    for distance, ring in enumerate(rings):
        for here in ring:
            if table[here] != distance:
                continue
            for node, _ in edges[here]:
                total = distance + next((cost for back, cost in edges[node] if back == here), far)
                if total < table[node]:
                    table[node] = total
                    rings[total].append(node)
    return bytes(table)


def mask(nodes: Iterable[Node], size: int) -> bytes:
    """A byte table with 1 at the given nodes."""
    table = bytearray(size)
    for node in nodes:
        table[node] = 1
    return bytes(table)
