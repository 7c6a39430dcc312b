"""18.1 Offensive supply markers: placing them, whom they serve, what the second phases allow and what they cost afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from referee.games.battle_for_germany.actions import Group
from referee.games.battle_for_germany.position import S, W, altered, units_in
from referee.games.battle_for_germany.setting import Setting
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.terms import Phase
from referee.games.battle_for_germany.wrong import wrong_step
from referee.rules.model import Action, Done, Frame, Reason, cite

GROUPS: Final = ("commonwealth", "us")
"""Whom the Western marker may serve (18.1.p16); ``Pos.group`` counts from 1."""


# Placing (18.1.p5, 18.1.p6, 18.1.p15)


def marker_reasons(g: Setting, p: Pos, unit: int) -> Iterator[Reason]:
    """Reasons against a marker under this unit in this Replacement Phase. Any unit of the Western force will do, the French and the SS
    of 13.2 too (R-G114): whom it serves is another question."""
    force = g.phase(p).force
    facts = (("unit", g.roster.ids[unit]), ("phase", g.phase(p).name))
    if force not in (S, W) or (force == S and not g.terms.markers) or (force == W and not g.terms.western_marker):
        yield Reason("no-markers", cite("18.1.p1 R-G117"), facts)
        return
    if p.force[unit] != force:
        yield Reason("wrong-force", cite("18.1.p6" if force == S else "18.1.p15"), facts)
    elif p.at[unit] >= g.land.size:
        yield Reason("not-on-map", cite("18.1.p6" if force == S else "18.1.p15"), (facts[0], ("place", g.hex_name(p.at[unit]))))
    elif force == S and not g.roster.front >> unit & 1:
        yield Reason("marker-under-front", cite("18.1.p6 R-G115"), facts)
    yield from _stock_reasons(g, p, force, facts)


def _stock_reasons(g: Setting, p: Pos, force: int, facts: tuple[tuple[str, str], ...]) -> Iterator[Reason]:
    if force == W:
        if p.marker_western >= 0:
            yield Reason("marker-placed", cite("18.1.p15 R-G114"), facts)
        return
    if p.supply < 1:
        yield Reason("no-marker-left", cite("18.1.p3 R-G115"), facts)
    if len(p.markers_soviet) >= g.terms.markers_turn:
        yield Reason("markers-placed", cite("18.1.p5 R-G115"), (*facts, ("most", str(g.terms.markers_turn))))


def carriers(g: Setting, p: Pos) -> tuple[int, ...]:
    """The units under which a marker may be placed now."""
    force = g.phase(p).force
    if not g.terms.markers or force not in (S, W):
        return ()
    able = g.roster.front if force == S else -1
    return tuple(
        u
        for u, node in enumerate(p.at)
        if p.force[u] == force and node < g.land.size and able >> u & 1 and not any(True for _ in marker_reasons(g, p, u))
    )


def place(g: Setting, p: Pos, unit: int) -> Pos:
    """The marker lies in the unit's hex and stays there (18.1.p6); a Soviet one leaves the stock for good (18.1.p13)."""
    node = p.at[unit]
    if g.phase(p).force == S:
        return altered(p, supply=p.supply - 1, markers_soviet=tuple(sorted((*p.markers_soviet, node))))
    return altered(p, marker_western=node)


# Whom it serves (18.1.p7, 18.1.p16, R-G111)


def served(g: Setting, p: Pos, among: int, hexes: tuple[int, ...]) -> int:
    """The units of a set that may act in the second phases: on the map within range of a marker, in plain hex distance; not those
    still tired (18.1.p11). Bits."""
    found = 0
    for unit in units_in(among & ~p.tired):
        node = p.at[unit]
        if node < g.land.size and any(g.land.distance(node, marker) <= g.terms.supply_range for marker in hexes):
            found |= 1 << unit
    return found


def after_combat(g: Setting, p: Pos, force: int) -> Pos:
    """The list for both second phases, judged once, as the ordinary S Combat Phase ends (R-G111)."""
    return altered(p, eligible=served(g, p, g.roster.soviet_proper, p.markers_soviet)) if force == S else p


def group_bits(g: Setting, group: int) -> int:
    """The units of a group: 1 Commonwealth, 2 US; the French are of neither (R-G114)."""
    return (0, g.roster.commonwealth, g.roster.american)[group]


def open_groups(g: Setting, p: Pos) -> tuple[int, ...]:
    """The groups that the Western marker could serve now."""
    if p.marker_western < 0:
        return ()
    return tuple(n for n in (1, 2) if served(g, p, group_bits(g, n), (p.marker_western,)))


def begin_second_combat(g: Setting, p: Pos, force: int) -> Pos:
    """The Western player first says whom his marker serves (R-G114)."""
    if force != W or not open_groups(g, p):
        return p
    return altered(p, agenda=(*p.agenda, Frame("group", p.frame.by)))


def second_reasons(g: Setting, p: Pos, unit: int) -> Iterator[Reason]:
    """Reasons against this unit acting in a second phase."""
    if not p.eligible >> unit & 1:
        paras = cite("18.1.p7 R-G111") if g.phase(p).force == S else cite("18.1.p16 R-G114", "18.1.p17 R-G111")
        yield Reason("not-served", paras, (("unit", g.roster.ids[unit]), ("phase", g.phase(p).name)))


def tired_reasons(g: Setting, p: Pos, unit: int) -> Iterator[Reason]:
    """18.1.p11: who acted in a second phase last turn does not attack in this one."""
    if p.tired >> unit & 1:
        paras = cite("18.1.p11 R-G113") if p.force[unit] == S else cite("18.1.p17 R-G113")
        yield Reason("tired", paras, (("unit", g.roster.ids[unit]),))


def after_player_turn(g: Setting, p: Pos, phase: Phase) -> Pos:
    """R-G113, R-G115: old marks go and this turn's stay; the Soviet markers on the map are spent, the Western one returns
    (18.1.p13, 18.1.p18)."""
    if not g.terms.markers:
        return p
    forces = {ph.force for ph in g.terms.phases if ph.player_turn == phase.player_turn} & {S, W}
    own = sum(1 << u for u, force in enumerate(p.force) if force in forces)
    q = altered(p, tired=(p.tired & ~own) | (p.used & own), used=p.used & ~own, eligible=0)
    if S in forces:
        q = altered(q, markers_soviet=())
    return altered(q, marker_western=-1, group=0) if W in forces else q


class GroupStep:
    """18.1.p16: the Western player names the group that his marker serves, or does without the second phases."""

    def __init__(self, g: Setting) -> None:
        self.g = g

    def judge(self, p: Pos, a: Action) -> Iterator[Reason]:
        """One of the two groups, with somebody in range."""
        g = self.g
        if not isinstance(a, Group):
            yield wrong_step(g, p, a)
            return
        facts = (("group", a.group), ("range", str(g.terms.supply_range)))
        if a.group not in GROUPS:
            yield Reason("no-such-group", cite("18.1.p16 R-G114"), facts)
        elif GROUPS.index(a.group) + 1 not in open_groups(g, p):
            yield Reason("group-out-of-range", cite("18.1.p17 R-G111"), facts)

    def apply(self, p: Pos, a: Action) -> Pos:
        """The group's units in range may act; or nobody."""
        q = altered(p, agenda=p.agenda[:-1])
        if isinstance(a, Done):
            return q
        assert isinstance(a, Group)
        group = GROUPS.index(a.group) + 1
        return altered(q, group=group, eligible=served(self.g, p, group_bits(self.g, group), (p.marker_western,)))

    def choices(self, p: Pos, about: int | None) -> Iterator[Action]:
        """The groups with somebody in range."""
        return iter([Group(p.frame.by[0], GROUPS[n - 1]) for n in open_groups(self.g, p)] if about is None else ())

    def duties(self, p: Pos) -> Iterator[Reason]:
        """None: the second phases are a right."""
        return iter(())

    def settle(self, p: Pos) -> Pos | None:
        """Waits."""
        return None
