"""7.2: too many formations in a zone after a retreat. Their owner redistributes the units, then sends what is too much to his Reserve
(R-F81). Frame ``redistribute``: data ``(zone,)``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from referee.games.overlord_to_berlin.actions import Exchange, Recall
from referee.games.overlord_to_berlin.changes import put_inside, send_home
from referee.games.overlord_to_berlin.interrupts import OpenStep
from referee.games.overlord_to_berlin.land import SIDES
from referee.games.overlord_to_berlin.position import Pos, popped, pushed
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.units import gfs_in, is_reduced, units_in
from referee.rules.model import Action, Done, Frame, Reason, cite


def surplus(g: Setting, p: Pos, side: int, zone: int) -> int:
    """How many formations of a side are too many in a zone (7.1); 0 or less: none."""
    return len(gfs_in(g, p, side, zone)) - g.stacking(side, zone)


def begin(g: Setting, p: Pos, side: int, zone: int) -> Pos:
    """The owner must clear the zone (7.2)."""
    return pushed(p, Frame("redistribute", (SIDES[side],), (zone,)))


def _zone(p: Pos) -> int:
    return cast(int, p.frame.data[0])


class RedistributeStep(OpenStep):
    """Units change between the formations of the zone; surplus formations go to the Reserve with what they hold (R-F81)."""

    def _here(self, p: Pos) -> tuple[int, ...]:
        return gfs_in(self.g, p, self.g.side(p.frame.by[0]), _zone(p))

    def judge_own(self, p: Pos, a: Action) -> Iterator[Reason]:
        """An exchange inside the zone, or a formation recalled from it while there are too many."""
        if isinstance(a, Exchange):
            yield from self._judge_exchange(p, a)
        elif isinstance(a, Recall):
            yield from self._judge_recall(p, a)
        else:
            yield Reason("redistribution-awaited", cite("7.2.a R-F81"), (("action", str(a)),))

    def _judge_exchange(self, p: Pos, a: Exchange) -> Iterator[Reason]:
        g = self.g
        unit, gf = g.units.index[a.unit], g.gfs.index[a.gf]
        facts = (("unit", g.units.names[unit]), ("gf", g.gfs.names[gf]))
        holders = [h for h in self._here(p) if unit in units_in(g, p, h)]
        if not holders or gf not in self._here(p):
            yield Reason("not-of-this-zone", cite("7.2.a R-F81"), facts)
        elif gf in holders:
            yield Reason("same-formation", cite("7.2.a R-F81"), facts)

    def _judge_recall(self, p: Pos, a: Recall) -> Iterator[Reason]:
        g = self.g
        gf = g.gfs.index[a.gf]
        facts = (("gf", g.gfs.names[gf]), ("zone", g.land.name(_zone(p))))
        if gf not in self._here(p):
            yield Reason("gf-not-here", cite("7.2.b R-F81"), facts)
            return
        if self._left_over(p) <= 0:
            yield Reason("no-surplus", cite("7.2.b R-F81"), facts)
        if len(units_in(g, p, gf)) > g.gfs.capacity[gf]:
            yield Reason("gf-overfull", cite("7.2.d R-F82"), facts)

    def _left_over(self, p: Pos) -> int:
        """Formations too many, those that hold no unit any more not counted (9.8)."""
        holding = [gf for gf in self._here(p) if units_in(self.g, p, gf)]
        return len(holding) - self.g.stacking(self.g.side(p.frame.by[0]), _zone(p))

    def apply_own(self, p: Pos, a: Action) -> Pos:
        """The unit in its new display; the formation in the Reserve; on ``done`` empty formations follow it (9.8)."""
        g = self.g
        if isinstance(a, Exchange):
            unit = g.units.index[a.unit]
            return put_inside(g, p, unit, g.display(g.gfs.index[a.gf]), reduced=is_reduced(g, p, unit))
        if isinstance(a, Recall):
            return send_home(g, p, (g.gfs.index[a.gf],))
        assert isinstance(a, Done)
        empty = [gf for gf in self._here(p) if not units_in(g, p, gf)]
        return popped(send_home(g, p, empty) if empty else p)

    def choices_own(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every recall, and every exchange into a formation with room."""
        g, by = self.g, p.frame.by[0]
        here = self._here(p)
        recalls: list[Action] = [Recall(by, g.gfs.ids[gf]) for gf in here if about in (None, len(g.units.ids) + gf)]
        yield from self.lawful(p, iter(recalls))
        for gf in here:
            for unit in units_in(g, p, gf):
                if about in (None, unit):
                    takes = (to for to in here if to != gf and len(units_in(g, p, to)) < g.gfs.capacity[to])
                    yield from (Exchange(by, g.units.ids[unit], g.gfs.ids[to]) for to in takes)

    def duties(self, p: Pos) -> Iterator[Reason]:
        """No formation too many, none with more units than it takes (7.1, R-F80)."""
        g = self.g
        if (more := self._left_over(p)) > 0:
            yield Reason("overstacked", cite("7.2.b R-F81"), (("zone", g.land.name(_zone(p))), ("surplus", str(more))))
        over = [gf for gf in self._here(p) if len(units_in(g, p, gf)) > g.gfs.capacity[gf]]
        if over:
            yield Reason("capacity-exceeded", cite("7.2.d R-F82"), (("gf", ", ".join(g.gfs.names[gf] for gf in over)),))
