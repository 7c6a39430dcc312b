"""3: the political phase: draws of stratagems, dice on the tables of events, and what an event does at once.

What an event asks for over the turn is in ``duties_of_events``; the separate peace and the German surrender are in ``victory``.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import cast

from referee.games.overlord_to_berlin.actions import Disband, Draw, Remove
from referee.games.overlord_to_berlin.changes import empty_home, gain_cards, put_gf, put_inside, put_outside, settle_control
from referee.games.overlord_to_berlin.duties_of_events import effect, in_reserve
from referee.games.overlord_to_berlin.interrupts import OpenStep
from referee.games.overlord_to_berlin.land import AXIS, SIDES, SOVIET, WEST
from referee.games.overlord_to_berlin.position import Pos, alter, members, popped, pushed, with_top
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.terms import Phase
from referee.games.overlord_to_berlin.throwing import throw
from referee.games.overlord_to_berlin.units import is_reduced, units_in
from referee.games.overlord_to_berlin.victory import separate_peace, surrender
from referee.games.overlord_to_berlin.wrong import wrong_step
from referee.rules.model import CHANCE, Action, Frame, Reason, cite

FINNISH_FRONTS = ("so-balt1", "so-balt2", "so-balt3")
"""The formations whose displays lose a unit to Finland (PE.Soviet.2)."""


def begin_national(g: Setting, p: Pos, phase: Phase) -> Pos:
    """3.1: the national stratagems of a side are drawn; what its pool lacks is lost (R-F46)."""
    return draw(g, p, phase.side, g.number(f"national_draws_{SIDES[phase.side]}"), operational=False)


def begin_operational(g: Setting, p: Pos, phase: Phase) -> Pos:
    """3.1: the operational stratagems of a side are drawn."""
    return draw(g, p, phase.side, g.number("operational_draws"), operational=True)


def draw(g: Setting, p: Pos, side: int, count: int, *, operational: bool) -> Pos:
    """Chance is asked for so many cards for a side, as far as there are any; how many there are is public."""
    count = min(count, pool(g, p, side, operational=operational).bit_count())
    return pushed(p, Frame("draw", (CHANCE,), (side, count, int(operational)))) if count else p


def pool(g: Setting, p: Pos, side: int, *, operational: bool) -> int:
    """The cards that can be drawn: nationals of the side that it does not hold; operationals that nobody holds and that were not
    played this turn (11.2, R-F47)."""
    if not operational:
        return g.cards.national[side] & ~p.sealed[side].hand
    held = p.sealed[WEST].hand | p.sealed[SOVIET].hand | p.sealed[AXIS].hand
    return g.cards.operational & ~held & ~p.used_cards


class DrawStep:
    """Waits for the cards that chance gives a side (3.1, 11.3)."""

    def __init__(self, g: Setting) -> None:
        self.g = g

    def judge(self, p: Pos, a: Action) -> Iterator[Reason]:
        """So many different cards of the pool, for that side."""
        side, count, operational = cast(tuple[int, int, int], p.frame.data)
        if not isinstance(a, Draw):
            yield Reason("draw-awaited", cite("3.1"), (("side", SIDES[side]),))
            return
        if a.side != SIDES[side]:
            yield Reason("draw-for-another", cite("3.1"), (("side", SIDES[side]),))
        if len(set(a.cards)) != count or len(a.cards) != count:
            yield Reason("draw-count", cite("3.1"), (("side", SIDES[side]), ("count", str(count)), ("drawn", str(len(a.cards)))))
        cards = [self.g.cards.index[card] for card in a.cards]
        kind = self.g.cards.operational if operational else self.g.cards.national[side]
        there = pool(self.g, p, side, operational=bool(operational))
        for card in cards:
            if not kind >> card & 1:
                yield Reason("draw-other-pool", cite("11.1.a"), (("card", self.g.cards.names[card]),))
            elif not there >> card & 1:
                yield Reason("draw-card-out", cite("11.2.a R-F47"), (("card", self.g.cards.names[card]),))

    def apply(self, p: Pos, a: Action) -> Pos:
        """The cards are in the hand."""
        assert isinstance(a, Draw)
        return gain_cards(self.g, popped(p), self.g.side(a.side), sum(1 << self.g.cards.index[card] for card in a.cards))

    def choices(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every set of so many cards of the pool."""
        side, count, operational = cast(tuple[int, int, int], p.frame.data)
        there = [self.g.cards.ids[card] for card in members(pool(self.g, p, side, operational=bool(operational)))]
        return (Draw(CHANCE, SIDES[side], tuple(sorted(cards))) for cards in combinations(there, count))

    def duties(self, p: Pos) -> Iterator[Reason]:
        """The cards must be drawn."""
        yield Reason("draw-awaited", cite("3.1"), (("side", SIDES[cast(int, p.frame.data[0])]),))

    def settle(self, p: Pos) -> Pos | None:
        """Waits for the cards."""
        return None


def begin_event(g: Setting, p: Pos, phase: Phase) -> Pos:
    """3.1: a side throws on its table of events."""
    return throw(p, "event", g.number("event_dice"), phase.side, (phase.side,))


def event_thrown(g: Setting, p: Pos, faces: tuple[int, ...], ctx: tuple[int, ...]) -> Pos:
    """The event of a side is known; what it does at once is done before the next side throws (R-F39)."""
    side = ctx[0]
    p = alter(p, event=(*p.event[:side], sum(faces), *p.event[side + 1 :]))
    word = effect(g, p, side)
    if word == "draw_national":
        return draw(g, p, side, 1, operational=False)
    if word in ("roosevelt_dead", "hitler_dead"):
        return throw(p, "war-end", g.number("event_2_dice"), side, (side,))
    if word == "finland":
        p = alter(p, pr_lost=g.number("event_pr_lost"))
        return pushed(p, Frame("finland", (SIDES[SOVIET],), (g.number("finland_units"),)))
    if word == "manchuria" and not p.manchuria:
        p = alter(p, pr_lost=g.number("event_pr_lost"), manchuria=True)
        return pushed(p, Frame("manchuria", (SIDES[SOVIET],), (1, g.number("manchuria_units"))))
    return p


def war_end_thrown(g: Setting, p: Pos, faces: tuple[int, ...], ctx: tuple[int, ...]) -> Pos:
    """PE.West.2, PE.Axis.2: three dice for the end of the war (R-F19, R-F130)."""
    total, german = sum(faces), ctx[0] == AXIS
    if total == g.number("event_2_low"):
        if german:
            return surrender(p)
        return alter(p, roosevelt=True)
    if german:
        p = alter(p, fuhrer_dead=True)
    if total == g.number("event_2_high") and not p.peace:
        p = separate_peace(g, p)
    return p


class FinlandStep(OpenStep):
    """PE.Soviet.2: the Soviets give a unit of the Baltic fronts for good (R-F126)."""

    def judge_own(self, p: Pos, a: Action) -> Iterator[Reason]:
        """A unit in the display of one of these fronts."""
        if not isinstance(a, Remove):
            yield wrong_step(self.g, p, a)
        elif self.g.units.index[a.unit] not in self._offered(p):
            yield Reason("not-of-the-baltic-fronts", cite("PE.Soviet.2.a R-F126"), (("unit", _name(self.g, a.unit)),))

    def apply_own(self, p: Pos, a: Action) -> Pos:
        """The unit is out of the game; a front left empty goes to the Reserve."""
        if not isinstance(a, Remove):
            return popped(p)
        left = cast(int, p.frame.data[0]) - 1
        p = popped(p) if left <= 0 else with_top(p, Frame("finland", p.frame.by, (left,)))
        return _out(self.g, p, self.g.units.index[a.unit])

    def choices_own(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every unit of these fronts."""
        return (Remove(SIDES[SOVIET], self.g.units.ids[unit]) for unit in self._offered(p) if about in (None, unit))

    def duties(self, p: Pos) -> Iterator[Reason]:
        """A unit must be given as long as there is one."""
        if self._offered(p):
            yield Reason("finland-owed", cite("PE.Soviet.2.a R-F126"))

    def _offered(self, p: Pos) -> list[int]:
        return sorted(unit for front in FINNISH_FRONTS for unit in units_in(self.g, p, self.g.gfs.index[front]))


class ManchuriaStep(OpenStep):
    """PE.Soviet.12: a formation counter and two units leave for good (R-F127), in whatever order."""

    def judge_own(self, p: Pos, a: Action) -> Iterator[Reason]:
        """As many as are still wanted, of those in the game."""
        g = self.g
        formations, units = cast(tuple[int, int], p.frame.data)
        if isinstance(a, Disband):
            gf = g.gfs.index[a.gf]
            if not formations:
                yield Reason("disbanded-already", cite("PE.Soviet.12.a R-F127"))
            if gf not in self._formations(p):
                yield Reason("no-such-formation", cite("PE.Soviet.12.a R-F127"), (("gf", g.gfs.names[gf]),))
        elif isinstance(a, Remove):
            if not units:
                yield Reason("removed-already", cite("PE.Soviet.12.a R-F127"))
            if g.units.index[a.unit] not in self._units(p):
                yield Reason("unit-not-inside", cite("PE.Soviet.12.a R-F127"), (("unit", _name(g, a.unit)),))
        else:
            yield wrong_step(g, p, a)

    def apply_own(self, p: Pos, a: Action) -> Pos:
        """Formation or unit is out of the game; the units of a formation that goes stay in the Reserve."""
        g = self.g
        formations, units = cast(tuple[int, int], p.frame.data)
        if isinstance(a, Disband):
            p = _disbanded(g, p, g.gfs.index[a.gf])
            formations -= 1
        elif isinstance(a, Remove):
            p = _out(g, p, g.units.index[a.unit])
            units -= 1
        else:
            return popped(p)
        return with_top(p, Frame("manchuria", p.frame.by, (formations, units))) if formations or units else popped(p)

    def choices_own(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Formations while one is wanted, then units while some are."""
        g = self.g
        formations, units = cast(tuple[int, int], p.frame.data)
        if formations:
            yield from (Disband(SIDES[SOVIET], g.gfs.ids[gf]) for gf in self._formations(p) if about in (None, len(g.units.ids) + gf))
        if units:
            yield from (Remove(SIDES[SOVIET], g.units.ids[unit]) for unit in self._units(p) if about in (None, unit))

    def duties(self, p: Pos) -> Iterator[Reason]:
        """All that are wanted, as long as there are any."""
        formations, units = cast(tuple[int, int], p.frame.data)
        if formations and self._formations(p):
            yield Reason("disbanding-owed", cite("PE.Soviet.12.a R-F127"))
        if units and self._units(p):
            yield Reason("removal-owed", cite("PE.Soviet.12.a R-F127"), (("count", str(units)),))

    def _formations(self, p: Pos) -> list[int]:
        return [gf for gf in members(self.g.gfs.of_side[SOVIET]) if p.gf_at[gf] != self.g.land.places.removed[SOVIET]]

    def _units(self, p: Pos) -> list[int]:
        """Those in displays, on the map or in the Reserve, and those loose in the Reserve."""
        on_map = [unit for gf in members(self.g.gfs.of_side[SOVIET]) if self.g.on_map(p, gf) for unit in units_in(self.g, p, gf)]
        return sorted((*on_map, *in_reserve(self.g, p, SOVIET)))


def _out(g: Setting, p: Pos, unit: int) -> Pos:
    side = g.units.side[unit]
    return empty_home(g, put_outside(g, p, unit, g.land.places.removed[side]), side)


def _disbanded(g: Setting, p: Pos, gf: int) -> Pos:
    """The counter is out of the game; its units lie in the Reserve."""
    side = g.gfs.side[gf]
    for unit in units_in(g, p, gf):
        p = put_inside(g, p, unit, g.reserve(side), reduced=is_reduced(g, p, unit))
    return settle_control(g, put_gf(g, p, gf, g.land.places.removed[side]))


def _name(g: Setting, unit: str) -> str:
    return g.units.names[g.units.index[unit]]
