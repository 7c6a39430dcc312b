"""10.6 and 10.8: the defender's retreat after a combat, formation by formation, and the leave that the Axis must ask for.

Frames: ``ask`` (data: the set of formations named so far), ``retreat`` (data: the set of formations that may still go).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from referee.games.overlord_to_berlin.actions import Ask, Retreat
from referee.games.overlord_to_berlin.changes import put_gf, settle_control
from referee.games.overlord_to_berlin.interrupts import OpenStep
from referee.games.overlord_to_berlin.land import AXIS, SIDES
from referee.games.overlord_to_berlin.odds import DEFENDER
from referee.games.overlord_to_berlin.position import Combat, Pos, members, popped, pushed, with_top
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.supply import ground, supplied, takes_a_place
from referee.games.overlord_to_berlin.throwing import throw
from referee.rules.model import Action, Done, Frame, Reason, cite


def begin(g: Setting, p: Pos) -> Pos:
    """The defender decides, if any of his formations is left that has a zone to go to; the Axis asks first, while there is a Führer
    (PE.Axis.2, R-F130)."""
    c = _running(p)
    if not _able(g, p, c.defenders):
        return p
    if c.defender == AXIS and not p.fuhrer_dead:
        return pushed(p, Frame("ask", (SIDES[AXIS],), (0,)))
    left = sum(1 << gf for gf in members(c.defenders) if p.gf_at[gf] == c.zone)
    return pushed(p, Frame("retreat", (SIDES[c.defender],), (left,)))


def _running(p: Pos) -> Combat:
    assert p.combat is not None
    return p.combat


def _able(g: Setting, p: Pos, gfs: int) -> int:
    """Those of the formations that still stand in the zone of the combat and have a zone to retreat to; with ``retreat-together`` none
    where one of them has none."""
    here = [gf for gf in members(gfs) if p.gf_at[gf] == _running(p).zone]
    able = sum(1 << gf for gf in here if retreat_zones(g, p, gf))
    return 0 if g.terms.retreat_together and able.bit_count() < len(here) else able


def supplied_there(g: Setting, p: Pos, gf: int, zone: int) -> bool:
    """6.2, R-F35: whether the formation will be in supply in the zone once it has gone there, and takes no other's place in the Baltic
    by coming (R-F33)."""
    q = settle_control(g, put_gf(g, p, gf, zone))
    return supplied(g, q, gf) and (g.gfs.side[gf] != AXIS or not takes_a_place(g, p, q, (gf,)))


def zone_reasons(g: Setting, p: Pos, gf: int, zone: int) -> Iterator[Reason]:
    """10.6, R-F108: an adjacent zone, own or contested with own formations, where the formation will be in supply."""
    facts = (("gf", g.gfs.names[gf]), ("zone", g.land.name(zone)))
    here = ground(g, p, g.gfs.side[gf])
    if not g.land.near[p.gf_at[gf]] >> zone & 1:
        yield Reason("retreat-far", cite("10.6.b R-F108"), facts, _frontier(g, p.gf_at[gf], zone))
    if not (here.own | here.contested) >> zone & 1:
        yield Reason("retreat-not-friendly", cite("10.6.b R-F108"), facts)
    if not supplied_there(g, p, gf, zone):
        yield Reason("retreat-cut-off", cite("10.6.b R-F108", "6.2"), facts)


def _frontier(g: Setting, a: int, b: int) -> tuple[str, ...]:
    """The cell that says whether two zones touch."""
    return (f"adjacency {g.land.name(min(a, b))}|{g.land.name(max(a, b))} kind",)


def retreat_zones(g: Setting, p: Pos, gf: int) -> tuple[int, ...]:
    """Every zone to which a defender may retreat (R-F108)."""
    if not g.on_map(p, gf):
        return ()
    return tuple(zone for zone in members(g.land.near[p.gf_at[gf]]) if not any(True for _ in zone_reasons(g, p, gf, zone)))


def _gf_set(p: Pos) -> int:
    return cast(int, p.frame.data[0])


class AskStep(OpenStep):
    """10.8: the Axis names the formations that it wishes to withdraw, before the one die (R-F109)."""

    def judge_own(self, p: Pos, a: Action) -> Iterator[Reason]:
        """A defender that is left and has a zone to go to."""
        g = self.g
        if not isinstance(a, Ask):
            yield Reason("leave-awaited", cite("10.8.a R-F109"), (("action", str(a)),))
            return
        gf = g.gfs.index[a.gf]
        facts = (("gf", g.gfs.names[gf]),)
        if not _running(p).defenders >> gf & 1 or not g.on_map(p, gf):
            yield Reason("no-defender", cite("10.6.a R-F108"), facts)
            return
        if _gf_set(p) >> gf & 1:
            yield Reason("asked-already", cite("10.8.a R-F109"), facts)
        if not _able(g, p, _running(p).defenders) >> gf & 1:
            yield Reason("nowhere-to-retreat", cite("10.6.b R-F108"), facts)

    def apply_own(self, p: Pos, a: Action) -> Pos:
        """The formation is named; on ``done`` the die is thrown for all that are."""
        asked = _gf_set(p)
        if isinstance(a, Ask):
            return with_top(p, Frame("ask", p.frame.by, (asked | 1 << self.g.gfs.index[a.gf],)))
        assert isinstance(a, Done)
        q = popped(p)
        return throw(q, "leave", 1, _running(p).attacker, tuple(members(asked))) if asked else q

    def choices_own(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every defender that can still be named."""
        yield from self.lawful(p, (Ask(p.frame.by[0], self.g.gfs.ids[gf]) for gf in _about(self.g, _running(p).defenders, about)))

    def duties(self, p: Pos) -> Iterator[Reason]:
        """With ``retreat-together`` all are named or none."""
        asked = _gf_set(p)
        if self.g.terms.retreat_together and asked and asked != _able(self.g, p, _running(p).defenders):
            yield Reason("retreat-together", cite("10.6.a R-F108"))


def _about(g: Setting, gfs: int, about: int | None) -> tuple[int, ...]:
    """Those of the formations that a question is about: all when it is about none."""
    return tuple(gf for gf in members(gfs) if about in (None, len(g.units.ids) + gf))


def leave_granted(g: Setting, p: Pos, die: int) -> bool:
    """10.8, R-F11: 4 or more, +1 if the defender has lost half of his steps in this combat or there was an earlier combat here this
    turn. On the whole position: how many steps he had is his own knowledge (R-F138)."""
    c = _running(p)
    halved = c.taken[DEFENDER] * 2 >= p.sealed[c.defender].steps
    bonus = g.number("leave_to_retreat_bonus") if halved or p.fought[c.zone] > 1 else 0
    return die + bonus >= g.number("leave_to_retreat")


def leave(g: Setting, p: Pos, faces: tuple[int, ...], ctx: tuple[int, ...]) -> Pos:
    """The die for leave is read (10.8); ``ctx``: the formations named."""
    if not leave_granted(g, p, faces[0]):
        return p
    return pushed(p, Frame("retreat", (SIDES[AXIS],), (sum(1 << gf for gf in ctx),)))


class RetreatStep(OpenStep):
    """10.6: each formation goes to a zone or stays; ``done`` leaves the rest where it is."""

    def judge_own(self, p: Pos, a: Action) -> Iterator[Reason]:
        """A formation that may go, and a zone that takes it."""
        g = self.g
        if not isinstance(a, Retreat):
            yield Reason("retreat-awaited", cite("10.6.a R-F108"), (("action", str(a)),))
            return
        gf = g.gfs.index[a.gf]
        if not _running(p).defenders >> gf & 1 or p.gf_at[gf] != _running(p).zone:
            yield Reason("no-defender", cite("10.6.a R-F108"), (("gf", g.gfs.names[gf]),))
            return
        if not _gf_set(p) >> gf & 1:
            yield Reason("no-leave", cite("10.8.a R-F109"), (("gf", g.gfs.names[gf]),))
        yield from zone_reasons(g, p, gf, g.land.zone(a.to))

    def apply_own(self, p: Pos, a: Action) -> Pos:
        """The formation stands in its new zone; control follows at once (R-F25)."""
        g = self.g
        if isinstance(a, Done):
            return popped(p)
        assert isinstance(a, Retreat)
        gf = g.gfs.index[a.gf]
        left = _gf_set(p) & ~(1 << gf)
        q = settle_control(g, put_gf(g, p, gf, g.land.zone(a.to)))
        return with_top(q, Frame("retreat", p.frame.by, (left,)))

    def settle(self, p: Pos) -> Pos | None:
        """Over when none is left that could go."""
        return None if any(retreat_zones(self.g, p, gf) for gf in members(_gf_set(p))) else popped(p)

    def choices_own(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every formation to every zone."""
        g, by = self.g, p.frame.by[0]
        for gf in _about(g, _gf_set(p), about):
            yield from (Retreat(by, g.gfs.ids[gf], g.land.name(zone)) for zone in retreat_zones(g, p, gf))

    def duties(self, p: Pos) -> Iterator[Reason]:
        """With ``retreat-together`` all go or none."""
        g, left = self.g, _gf_set(p)
        gone = any(p.gf_at[gf] != _running(p).zone and g.on_map(p, gf) for gf in members(_running(p).defenders))
        if g.terms.retreat_together and gone and any(retreat_zones(g, p, gf) for gf in members(left)):
            yield Reason("retreat-together", cite("10.6.a R-F108"))
