"""The position at the start of a log: where everything lies on its table, and the rest as it is when a step begins."""

from __future__ import annotations

from referee.games.overlord_to_berlin.changes import put_gf, settle_control
from referee.games.overlord_to_berlin.land import AXIS
from referee.games.overlord_to_berlin.position import Pos, alter
from referee.games.overlord_to_berlin.reading_sheet import Sheet
from referee.games.overlord_to_berlin.showing import FLAGS, phase_name
from referee.rules.model import Frame

_LASTING = {
    "marker-fuhrer-dead": "fuhrer_dead",
    "marker-roosevelt": "roosevelt",
    "marker-manchuria": "manchuria",
    "marker-separate-peace": "peace",
    "marker-lend-lease": "lent",
}
"""Markers that remind of what lasts -> the field that says so."""


class Beginning(Sheet):
    """Lays out where a log begins."""

    def lay_out(self) -> tuple[Pos, int, int]:
        """(position, turn, step of the order of play) at the log's start."""
        g = self.g
        phases = g.terms.phases
        shown = self.log.start.phase.casefold()
        phase = next((i for i, ph in enumerate(phases) if phase_name(ph).casefold() == shown), None)
        turn = self.log.start.turn or g.terms.first_turn
        if phase is None:
            self.notes.append(f"the log's tracker shows {self.log.start.phase!r} at its start: read as {phase_name(phases[0])}")
        index = phase or 0
        self.p = self.game.start()
        if (turn, index) != (g.terms.first_turn, 0):
            self._in_the_middle(turn, index)
        self._as_on_the_table()
        p = self.book.settled(self.p)
        return p, turn, index

    def _in_the_middle(self, turn: int, index: int) -> None:
        """A log that begins later: control by the flags, points by the markers; what no counter tells as if nothing had happened."""
        g = self.g
        self.middle = True
        flown = [(g.land.places.index.get(spot.name, g.land.size), FLAGS.index(m)) for m, spot in self.log.start.marked if m in FLAGS]
        flown = [(zone, side) for zone, side in flown if zone < g.land.size]
        # Where flags are used at all, a zone without one is the Axis's: so the module says, whose set-up has those of the Allies.
        control = bytearray(bytes([AXIS]) * g.land.size if flown else g.land.start_control)
        for zone, side in flown:
            control[zone] = side
        there = {marker for marker, _ in self.log.start.marked}
        totals = tuple(self.facts.events.get(side, (0, 0))[0] for side in range(3))
        points = tuple(self.facts.points.get(track, value) for track, value in enumerate(self.p.pr))
        self.p = alter(self.p, turn=turn, phase=index - 1, agenda=(Frame("phase", ()),), control=bytes(control), pr=points)
        self.p = alter(self.p, event=totals, **{name: True for marker, name in _LASTING.items() if marker in there})
        self.notes.append("taken as if nothing had happened before the log: events, combats fought, landings, cards and PA used this turn")

    def _as_on_the_table(self) -> None:
        g = self.g
        absent: list[str] = []
        for gf, name in enumerate(g.gfs.ids):
            place = self.place(self.facts.at.get(name, ""))
            if place >= 0:
                self.p = put_gf(g, self.p, gf, place)
            else:
                absent.append(name)
                self.p = put_gf(g, self.p, gf, g.land.places.removed[g.gfs.side[gf]])
        for unit, name in enumerate(g.units.ids):
            lies = self.facts.at.get(name, "")
            if self.place(lies) < 0:
                absent.append(name)
                lies = g.land.places.names[g.land.places.removed[g.units.side[unit]]]
            self.p = self._unit_to(unit, lies)
        for card, name in enumerate(g.cards.ids):
            self.p = self._card_to(card, self.facts.at.get(name, ""))
        self.p = settle_control(g, self.p)
        self.broken = False
        if absent:
            self.notes.append(f"{len(absent)} counters lie nowhere that is known at the start; taken as out of the game")

