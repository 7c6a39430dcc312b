"""Movement over graphs of places (hexes, zones, boxes alike): integer nodes, movement as data, one search.

Ties are always broken the same way: among the cheapest ways, each step back goes to the lowest-numbered place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

Node = int
Edges = Sequence[Sequence[tuple[Node, int]]]
"""``edges[node]`` lists (neighbour, cost of the step in MPs); costs are at least 1."""


class Profile(msgspec.Struct, frozen=True):
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


class Reach(msgspec.Struct, frozen=True):
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


def reach(edges: Edges, start: Node, m: Profile) -> Reach:
    """Everything the profile can reach from ``start``, by buckets of equal cost (the start itself at cost 0)."""
    return _search(edges, start, m, None, -1)


def search(edges: Edges, start: Node, goal: Node, m: Profile, bound: bytes | None = None) -> tuple[int, tuple[Node, ...]] | None:
    """(cost, cheapest way) to one goal, or None. ``bound`` is a table of lower bounds of the cost from each node to the goal."""
    if m.closed[goal]:
        return None
    found = _search(edges, start, m, bound, goal)
    return (found.cost[goal], found.way(goal)) if goal in found.cost else None


def _search(edges: Edges, start: Node, m: Profile, bound: bytes | None, goal: Node) -> Reach:
    budget, closed, stop, ward = m.budget, m.closed, m.stop, m.ward
    cost: dict[Node, int] = {start: 0}
    before: dict[Node, Node] = {}
    buckets: list[list[Node]] = [[] for _ in range(budget + 1)]
    for node, step in edges[start]:
        if closed[node] or step > budget or (m.start_stopped and stop[node]) or (bound is not None and step + bound[node] > budget):
            continue
        if ward and ward[start] & ~ward[node]:
            continue
        cost[node], before[node] = step, start
        buckets[step].append(node)
    for spent in range(1, budget + 1):
        for here in buckets[spent]:
            if cost[here] != spent or stop[here]:
                continue
            for node, step in edges[here]:
                total = spent + step
                if total > budget or closed[node] or node == start or (ward and ward[here] & ~ward[node]):
                    continue
                known = cost.get(node)
                if known is None or total < known:
                    if bound is not None and total + bound[node] > budget:
                        continue
                    cost[node], before[node] = total, here
                    buckets[total].append(node)
                elif total == known and here < before[node]:
                    before[node] = here
        if goal in cost and cost[goal] <= spent:
            break
    return Reach(start, cost, before)


def lower_bounds(edges: Edges, goal: Node, size: int, limit: int) -> bytes:
    """For each node the least cost to ``goal`` over ``edges``, capped at ``limit + 1``; both directions must cost at least 1.

    The cost of a step back is taken as 1, which never exceeds the true cost, so the table is a lower bound for any costs.
    """
    table = bytearray([min(limit + 1, 255)]) * size
    table[goal] = 0
    ring: list[Node] = [goal]
    for distance in range(1, limit + 1):
        following: list[Node] = []
        for here in ring:
            for node, _ in edges[here]:
                if table[node] > distance:
                    table[node] = distance
                    following.append(node)
        ring = following
    return bytes(table)


def mask(nodes: Iterable[Node], size: int) -> bytes:
    """A byte table with 1 at the given nodes."""
    table = bytearray(size)
    for node in nodes:
        table[node] = 1
    return bytes(table)
