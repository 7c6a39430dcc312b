"""The order of play: where the tracker goes, what it was moved past, what was done although it stood still, and who gives up."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.overlord_to_berlin import reading_losses as bleeding
from referee.games.overlord_to_berlin.actions import Concede
from referee.games.overlord_to_berlin.land import SIDE_NAMES, SIDES
from referee.games.overlord_to_berlin.reading_cards import Cards
from referee.games.overlord_to_berlin.reading_search import Propose, Way
from referee.games.overlord_to_berlin.reading_sheet import CHANCE, PLAYERS, sides_at
from referee.games.overlord_to_berlin.reading_table import CARD, CHAT, FLIP, GF, SILENT, TALK, UNIT, Act, Facts
from referee.games.overlord_to_berlin.reading_verdicts import Refusal
from referee.games.overlord_to_berlin.showing import ENDED_BY_TRACKER, phase_name
from referee.rules.giving_up import given_up
from referee.rules.reading import Stint


class OrderOfPlay(Cards):
    """Follows play from step to step."""

    def phase_of(self, text: str) -> int | None:
        """Which step of the order of play the tracker means."""
        low = text.casefold()
        return next((i for i, phase in enumerate(self.g.terms.phases) if phase_name(phase).casefold() == low), None)

    def _done_late(self, left: Stint, rest: Sequence[Stint], lists: Sequence[list[Act]]) -> None:
        """What the step that the tracker leaves still owes may be carried out in a later one of the same phase: it is read where it is
        owed. ``rest``: the stretches to come, ``lists``: their acts, from which it is taken."""
        phases = self.g.terms.phases
        for stint, found in zip(rest, lists, strict=True):
            if (stint.turn, phases[stint.phase].phase) != (left.turn, phases[left.phase].phase):
                return
            n = 0
            while n < len(found):
                q = self._windows_closed()
                if q.frame.by == (CHANCE,) or q.frame.step in ENDED_BY_TRACKER or not self.court.owed(q):
                    return
                act = found[n]
                if act.kind == CARD and not act.to.endswith("-hand"):
                    return  # whatever it does comes first
                result = self._find(self._proposals(act, self.facts), self.facts, bound=0) if act.kind in (GF, UNIT, FLIP) else []
                if isinstance(result, list) or not result[1]:
                    n += 1
                    continue
                del found[n]
                self.facts.take(act)
                self._commit(act, result)

    def _walk_to(self, stint: Stint, before: Stint) -> None:
        """The tracker shows another step: what is left of the steps before it ends, or is asked for."""
        phases = self.g.terms.phases
        here = self._order(self.p)
        if stint.order < here and stint.turn * len(phases) + stint.phase < before.order:
            self.notes.append(f"step {before.end_step}: the tracker goes back to {phase_name(phases[stint.phase])}")
            return
        while self._order(self.p) < stint.order and not self.p.result:
            closed = self._closed(self.p, stint.order)
            if closed is not None:
                self.record.append(closed[0])
                self.p = closed[1]
                continue
            if self.p.frame.by == (CHANCE,) and phases[self.p.phase].phase == phases[stint.phase].phase and self.p.turn == stint.turn:
                return  # dice and draws of one phase may come in another order
            self._left_open(before)
            self.sync()
            self.begin_at(stint.turn, stint.phase)

    def _gone_ahead(self, found: Sequence[Act], at: int, propose: Propose, after: Facts, refused: list[Refusal]) -> Way | list[Refusal]:
        """The tracker is forgotten: an act of a later phase, when nobody does anything more in the phase that the tracker shows, and when
        it is moved on later, or nobody ever moves it."""
        if self.trying or self.loose or self._blind() or self.p.result:
            return refused
        phases = self.g.terms.phases
        bound, until = self._order(self.p) + len(phases) * (not self.tracked), [*found[at:]]
        for stint, later in self.coming:
            bound = max(bound, stint.order)
            until += later
            if any(a.kind not in (*SILENT, TALK, CHAT) for a in later):
                break
        result = self._find(propose, after, bound=bound) if bound > self._limit() else refused
        if isinstance(result, list) or self._order(result[2]) <= self._limit():
            return refused
        left = self.step_of(self.phase).side
        moved = (a for a in until if a.kind in (GF, UNIT) and not bleeding.is_loss(self.g, a))
        if self.tracked and phases[result[2].phase].side != left and any(self.side_of(a) == left for a in moved):
            return refused
        self.note(f"step {found[at].step}: the tracker still shows {phase_name(self.step_of(self.phase))}; taken as not moved on")
        self.ahead, self.turn, self.phase = True, result[2].turn, result[2].phase
        return result

    def _given_up(self) -> None:
        """Who gives up in chat ends the game if nothing is done after it (13, R-F134)."""
        names = (*SIDE_NAMES, *SIDES, *PLAYERS)

        def sides_of(seat: str) -> tuple[str, ...]:
            return tuple(word for side in sides_at(seat) for word in (SIDE_NAMES[side], SIDES[side], PLAYERS[side]))

        for word in given_up(self.log.events, sides_of, names):
            if self.p.result:
                return
            side = sides_at(word.seat)[0]
            act = Act(CHAT, word.step, player=word.player, seat=word.seat)
            concedes = Concede(SIDES[side])
            if word.played_on:
                if word.surely:
                    self.note(f"step {word.step}: {word.seat} gives up in chat, and play goes on: taken as withdrawn")
            elif word.surely and self.book.check(self.p, concedes).legal:
                self._commit(act, ([], (concedes,), self.book.play(self.p, concedes)))
                self.note(f"step {word.step}: {word.seat} gives up in chat, and nothing is done after it: the game is over [13, R-F134]")
                self.conceded = True
            else:
                asked = f"does {word.seat} give the game up? So it seems in chat, and nothing is done after it"
                self.add(self.unclear(asked, "13"), "concede", side, act)
