"""4.2, 4.3, 5.7: resource points spent on steps, one side after the other (R-F40, R-F71, R-F72)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from referee.games.overlord_to_berlin import duties_of_events
from referee.games.overlord_to_berlin.actions import Rebuild, Restore
from referee.games.overlord_to_berlin.changes import flip, pay, put_inside
from referee.games.overlord_to_berlin.interrupts import OpenStep
from referee.games.overlord_to_berlin.land import SIDES, WEST
from referee.games.overlord_to_berlin.position import Pos, members, popped, pushed, seal
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.supply import supplied, tracks_reached
from referee.games.overlord_to_berlin.terms import TRACKS, TRACKS_OF, Phase
from referee.games.overlord_to_berlin.units import is_reduced
from referee.games.overlord_to_berlin.wrong import wrong_step
from referee.rules.model import Action, Frame, Reason, cite


class Price(NamedTuple):
    """What steps cost: PR to pay now, and steps paid for and not used, before and after (R-F71)."""

    points: int
    left: int


def begin(g: Setting, p: Pos, phase: Phase) -> Pos:
    """The side may spend, whatever it has."""
    return pushed(p, Frame("spend", (SIDES[phase.side],)))


def price(g: Setting, p: Pos, side: int, track: int, steps: int) -> Price:
    """5.7: one PR for two steps; a step paid for and not used serves first."""
    per = g.number("steps_per_pr")
    paid = p.sealed[side].credit.count(track)
    points = -(-max(0, steps - paid) // per)
    return Price(points, paid + points * per - steps)


class SpendStep(OpenStep):
    """Units are restored where they are and rebuilt in the Reserve, for PR."""

    def judge_own(self, p: Pos, a: Action) -> Iterator[Reason]:
        """An own unit, in a state to be paid for; a marker that may pay; enough PR; nothing against it in the event."""
        g = self.g
        if not isinstance(a, Restore | Rebuild):
            yield wrong_step(g, p, a)
            return
        side, unit = g.side(a.by), g.units.index[a.unit]
        called = ("unit", g.units.names[unit])
        if g.units.side[unit] != side:
            yield Reason("not-own-unit", cite("4.1"), (called,))
            return
        if g.units.minor >> unit & 1:
            yield Reason("never-paid-for", cite("12.1.b R-F74"), (called,))
        track = self._track(a, side)
        if track is None:
            yield Reason("which-marker", cite("5.4.k R-F68"), (("tracks", ", ".join(_words(side)) or "none named"),))
            return
        if isinstance(a, Restore):
            yield from self._restorable(p, unit, track)
        elif p.at[unit] not in (*g.land.places.piles[side], g.land.places.destroyed[side]):
            yield Reason("not-destroyed", cite("4.3.a"), (called,))
        cost = price(g, p, side, track, _steps(a))
        if p.pr[track] < cost.points:
            money = (("track", TRACKS[track]), ("points", str(cost.points)), ("there", str(p.pr[track])))
            yield Reason("too-few-pr", cite("5.7.a R-F71"), money)
        gf, zone, purpose = self._spent_on(p, a, unit)
        yield from duties_of_events.spend_reasons(g, p, side, track, gf, zone, purpose, cost.points)

    def _restorable(self, p: Pos, unit: int, track: int) -> Iterator[Reason]:
        """4.2: reduced, in the Reserve or in a formation that is in supply, by a port of the marker (R-F68, R-F72)."""
        g = self.g
        called = ("unit", g.units.names[unit])
        if p.at[unit] != g.land.places.inside:
            yield Reason("unit-not-inside", cite("4.2 R-F72"), (called,))
            return
        if not is_reduced(g, p, unit):
            yield Reason("unit-full", cite("4.2"), (called,))
        gf = self._standing(p, unit)
        if gf is None:
            return
        if not supplied(g, p, gf):
            yield Reason("cut-off-no-pr", cite("4.2 R-F72"), (called, ("gf", g.gfs.names[gf])))
        elif g.gfs.side[gf] == WEST and track not in tracks_reached(g, p, gf):
            yield Reason("not-by-that-port", cite("5.4.h R-F68"), (("gf", g.gfs.names[gf]), ("track", TRACKS[track])))

    def apply_own(self, p: Pos, a: Action) -> Pos:
        """The steps are there and paid; or the side is ready, and half a PR not used is lost."""
        g, side = self.g, g_side(self.g, p)
        if not isinstance(a, Restore | Rebuild):
            own = p.sealed[side]
            return popped(seal(p, side, credit=(), spent=(*own.spent[:3], 0)))
        unit, track = g.units.index[a.unit], self._track(a, side)
        assert track is not None
        cost = price(g, p, side, track, _steps(a))
        _, zone, purpose = self._spent_on(p, a, unit)
        p = duties_of_events.note_spent(g, p, side, track, zone, purpose, cost.points)
        p = pay(g, p, track, cost.points)
        others = tuple(t for t in p.sealed[side].credit if t != track)
        p = seal(p, side, credit=tuple(sorted((*others, *(track,) * cost.left))))
        if isinstance(a, Restore):
            return flip(g, p, unit, reduced=False)
        return put_inside(g, p, unit, g.reserve(side), reduced=a.state == "reduced")

    def choices_own(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every unit that could be restored, then every one that could be rebuilt, by every marker that may pay."""
        g, side = self.g, g_side(self.g, p)
        by, own = SIDES[side], p.sealed[side]
        graves = (*g.land.places.piles[side], g.land.places.destroyed[side])
        words = _words(side) or ("",)
        found: list[Action] = [Restore(by, g.units.ids[u], t) for u in members(own.reduced) for t in words if about in (None, u)]
        for unit in members(g.units.of_side[side]):
            if p.at[unit] in graves and about in (None, unit):
                found.extend(Rebuild(by, g.units.ids[unit], state, t) for state in ("full", "reduced") for t in words)
        yield from (a for a in found if not any(True for _ in self.judge_own(p, a)))

    def duties(self, p: Pos) -> Iterator[Reason]:
        """What an event wants paid first (PE.Axis.10)."""
        return duties_of_events.spending_duties(self.g, p)

    def _track(self, a: Restore | Rebuild, side: int) -> int | None:
        """The track that pays, None where it is not named as it must be: the West's by its name, the others' not at all."""
        if side == WEST:
            return TRACKS.index(a.track) if a.track in _words(side) else None
        return None if a.track else TRACKS_OF[side][0]

    def _standing(self, p: Pos, unit: int) -> int | None:
        """The formation on the map in whose display a unit lies."""
        gf = p.sealed[self.g.units.side[unit]].at[unit] - self.g.land.places.display
        return gf if gf in range(len(self.g.gfs.ids)) and self.g.on_map(p, gf) else None

    def _spent_on(self, p: Pos, a: Restore | Rebuild, unit: int) -> tuple[int, int, str]:
        """Formation on the map, zone and purpose, as the events want to know."""
        gf = None if isinstance(a, Rebuild) else self._standing(p, unit)
        purpose = duties_of_events.REBUILD if isinstance(a, Rebuild) else duties_of_events.RESTORE
        return (-1, -1, purpose) if gf is None else (gf, p.gf_at[gf], purpose)


def g_side(g: Setting, p: Pos) -> int:
    """The side that spends."""
    return g.side(p.frame.by[0])


def _steps(a: Restore | Rebuild) -> int:
    return 2 if isinstance(a, Rebuild) and a.state == "full" else 1


def _words(side: int) -> tuple[str, ...]:
    """The markers that an action must name (5.4): those of the West."""
    return tuple(TRACKS[track] for track in TRACKS_OF[side]) if side == WEST else ()
