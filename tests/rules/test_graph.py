"""The one movement search, against a search that knows no shortcut."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.graph import Free, Profile, corridor, lower_bounds, mask, reach, search, turned


@dataclass(frozen=True)
class Case:
    edges: tuple[tuple[tuple[int, int], ...], ...]
    start: int
    profile: Profile


@st.composite
def cases(draw: st.DrawFn) -> Case:
    size = draw(st.integers(2, 9))
    nodes = range(size)
    pairs = draw(st.sets(st.sampled_from([(a, b) for a in nodes for b in nodes if a < b]), max_size=size * 3))
    costs = draw(st.lists(st.integers(1, 3), min_size=2 * len(pairs), max_size=2 * len(pairs)))
    edges: list[list[tuple[int, int]]] = [[] for _ in nodes]
    for i, (a, b) in enumerate(sorted(pairs)):
        edges[a].append((b, costs[2 * i]))
        edges[b].append((a, costs[2 * i + 1]))
    some = st.sets(st.sampled_from(nodes), max_size=size // 2)
    start = draw(st.sampled_from(nodes))
    stop = mask(draw(some), size)
    ward = draw(st.one_of(st.just(b""), st.binary(min_size=size, max_size=size).map(lambda b: bytes(x & 3 for x in b))))
    closed = mask(draw(some) - {start}, size)
    return Case(tuple(map(tuple, edges)), start, Profile(draw(st.integers(1, 8)), closed, stop, draw(st.booleans()), ward))


def lawful_ways(case: Case) -> dict[int, list[tuple[int, tuple[int, ...]]]]:
    """Goal -> (cost, way) of every lawful way that visits no place twice, by walking all of them."""
    m = case.profile
    found: dict[int, list[tuple[int, tuple[int, ...]]]] = {}
    stack: list[tuple[int, tuple[int, ...]]] = [(0, (case.start,))]
    while stack:
        cost, way = stack.pop()
        here = way[-1]
        if len(way) > 1:
            found.setdefault(here, []).append((cost, way))
            if m.stop[here]:
                continue
        for node, step in case.edges[here]:
            if m.closed[node] or node in way or cost + step > m.budget:
                continue
            if len(way) == 1 and m.start_stopped and m.stop[node]:
                continue
            if m.ward and m.ward[here] & ~m.ward[node]:
                continue
            stack.append((cost + step, (*way, node)))
    return found


@settings(max_examples=300, deadline=None)
@given(cases())
def test_reach_finds_the_least_cost_of_every_place_and_no_other(case: Case) -> None:
    found = reach(case.edges, case.start, case.profile)
    ways = lawful_ways(case)
    assert found.cost == {case.start: 0, **{node: min(cost for cost, _ in there) for node, there in ways.items()}}


@settings(max_examples=300, deadline=None)
@given(cases())
def test_the_way_is_lawful_and_of_all_cheapest_ones_the_canonical_one(case: Case) -> None:
    found = reach(case.edges, case.start, case.profile)
    for node, there in lawful_ways(case).items():
        cheapest = [way for cost, way in there if cost == found.cost[node]]
        assert found.way(node) == min(cheapest, key=lambda way: way[::-1])


@settings(max_examples=300, deadline=None)
@given(cases(), st.booleans())
def test_search_for_one_goal_agrees_with_reach_with_and_without_bounds(case: Case, bounded: bool) -> None:
    whole = reach(case.edges, case.start, case.profile)
    size = len(case.edges)
    for goal in range(size):
        if goal == case.start:
            continue
        bound = lower_bounds(turned(case.edges), goal, 8) if bounded else None
        found = search(case.edges, case.start, goal, case.profile, bound)
        assert found == ((whole.cost[goal], whole.way(goal)) if goal in whole.cost else None)


@settings(max_examples=300, deadline=None)
@given(cases())
def test_a_corridor_holds_every_cheapest_way(case: Case) -> None:
    size = len(case.edges)
    ways = lawful_ways(case)
    for goal in set(range(size)) - {case.start}:
        found = corridor(case.edges, case.start, goal, case.profile, lower_bounds(turned(case.edges), goal, 8))
        there = ways.get(goal)
        assert (found is None) == (there is None)
        if found is None or there is None:
            continue
        least = min(cost for cost, _ in there)
        for cost, way in there:
            if cost == least:
                spent = [0]
                for here, node in pairwise(way):
                    spent.append(spent[-1] + dict(case.edges[here])[node])
                assert [found.cost[node] for node in way] == spent


@settings(max_examples=300, deadline=None)
@given(cases(), st.integers(1, 8), st.integers(0, 4))
def test_free_ways_are_the_cheapest_with_nothing_in_the_way_and_go_round_what_is_barred(case: Case, limit: int, nearer: int) -> None:
    m = case.profile
    free = Free(case.edges, case.start, limit)
    if 0 < nearer < limit:
        free = Free(case.edges, case.start, nearer)
        for goal in set(range(len(case.edges))) - {case.start}:
            if free.way(goal) is not None:  # what is kept of them must be what a longer look finds
                free.lattice(turned(case.edges), goal)
        free.look_further(case.edges, limit)
    empty = Case(case.edges, case.start, Profile(limit, bytes(len(case.edges)), bytes(len(case.edges))))
    whole, ways = reach(empty.edges, empty.start, empty.profile), lawful_ways(empty)
    for goal in set(range(len(case.edges))) - {case.start}:
        found = free.way(goal)
        if goal not in whole.cost:
            assert found is None
            continue
        assert found is not None and found == free.way(goal)
        assert (found.cost, found.way) == (whole.cost[goal], whole.way(goal))
        cheapest = {node for cost, way in ways[goal] if cost == found.cost for node in way}
        assert {case.start, *[node for node, _ in free.lattice(turned(case.edges), goal)]} == cheapest
        past = free.way_past(turned(case.edges), goal, m.closed, m.stop)
        left = [way for cost, way in ways[goal] if cost == found.cost and not any(m.closed[n] or m.stop[n] for n in way[1:-1])]
        assert (past.way if past else None) == min(left, key=lambda way: way[::-1], default=None)


@settings(max_examples=100, deadline=None)
@given(cases(), st.integers(1, 8))
def test_bounds_never_exceed_the_cost(case: Case, limit: int) -> None:
    free = Profile(24, mask((), len(case.edges)), mask((), len(case.edges)))
    size = len(case.edges)
    for goal in range(size):
        table = lower_bounds(turned(case.edges), goal, limit)
        for start in range(size):
            cost = reach(case.edges, start, free).cost.get(goal)
            assert table[start] <= (limit + 1 if cost is None else cost)


def test_a_goal_that_is_closed_is_not_reached() -> None:
    edges = (((1, 1),), ((0, 1),))
    assert search(edges, 0, 1, Profile(5, mask((1,), 2), mask((), 2))) is None


def test_a_stop_place_beside_a_stopped_start_needs_a_free_place_between() -> None:
    edges = (((1, 1), (2, 1)), ((0, 1), (2, 1)), ((0, 1), (1, 1)))
    profile = Profile(5, mask((), 3), mask((0, 2), 3), True)
    assert search(edges, 0, 2, profile) == (2, (0, 1, 2))
