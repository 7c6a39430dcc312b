"""How play on a table maps to this game's actions: a log is walked step by step of the order of play, every act on the table is matched
with an action of the rules that is lawful there, and what is not is judged.

What is hidden lies open in a client's file: the reading sees units in displays and cards in hands, and every finding that speaks of
them is marked as its owner's alone (R-F138, R-F139).

The reading is one class in parts, each of which uses those before it: ``reading_sheet`` (the table and the findings), ``reading_start``
(where the log begins), ``reading_progress`` (what is carried from act to act), ``reading_verdicts`` (what is wrong, and how surely),
``reading_search`` (what an act was), ``reading_points``, ``reading_duties`` (what is owed), ``reading_put_off`` (what is read later
than it was done), ``reading_moves``, ``reading_combat``, ``reading_words``, ``reading_cards``, ``reading_order`` (the order of play).
Functions that they share: ``reading_acts`` says what an act can have been, ``reading_losses`` which acts are losses, ``reading_plain``
what no rule allows at all, ``reading_table`` what a log tells.
"""

from __future__ import annotations

from referee.games.overlord_to_berlin.game import OverlordToBerlin
from referee.games.overlord_to_berlin.land import SIDES
from referee.games.overlord_to_berlin.reading_order import OrderOfPlay
from referee.games.overlord_to_berlin.reading_sheet import PLAYERS
from referee.games.overlord_to_berlin.reading_table import CARD, CHAT, DIE, EVENT, FLIP, GF, PR, STATE, TALK, TURN, UNIT, Act, Facts, acts
from referee.rules.reading import Finding, Stint, stints

SECRETS = True
"""Whether anything of this game is hidden from anybody."""


class Reader(OrderOfPlay):
    """Reads one log. ``read`` gives the findings in the order of the log; ``record`` everything that was read, as actions."""

    def read(self) -> list[Finding]:
        """Every finding of the log."""
        phases = self.g.terms.phases
        self.p, self.turn, self.phase = self.lay_out()
        cut = list(stints(self.log.events, self.phase_of, (self.turn, self.phase), len(phases)))
        self.tracked = len(cut) > 1
        lists = [acts(self.g, stint.events) for stint in cut]
        for i, (stint, found) in enumerate(zip(cut, lists, strict=True)):
            if i:
                self._keep(found, 0)
                self._done_late(cut[i - 1], cut[i:], lists[i:])
                self._walk_to(stint, cut[i - 1])
            self.coming = [*zip(cut[i + 1 :], lists[i + 1 :], strict=True)]
            self.ahead = self.ahead and self._order(self.p) > stint.order
            if stint.turn != self.turn:
                self.short.clear()
                self.refused_units = frozenset()
            if not self.ahead:
                self.turn, self.phase = stint.turn, stint.phase
            self.given_up.clear()
            self.fought = None
            self._stint(found, stint)
        self._given_up()
        self._finish(cut[-1])
        return self.found

    @property
    def over(self) -> bool:
        """The game has ended where the log stops: nothing is hidden any more. Words in chat are too little to lay everything open."""
        return bool(self.p.result) and not self.conceded

    def _stint(self, found: list[Act], stint: Stint) -> None:
        """Reads the acts of a stretch, and asks at its end for what they leave open."""
        at = 0
        while at < len(found):
            at = self._act(found, at)
        self.now = stint.end_step or self.log.steps
        self._declare()
        self._flush(more=not stint.end_step)
        if stint.end_step and not self.ahead and self.step_of(stint.phase).step == "income":
            self._income(found, stint)

    def _act(self, found: list[Act], at: int) -> int:
        """Reads one act; the index of the next."""
        act = found[at]
        self.now = max(self.now, act.step)
        if act.kind == TALK:
            self._talk(act)
            return at + 1
        if act.kind == CHAT:
            self._chat(found, at)
            return at + 1
        if act.kind in (PR, STATE, EVENT):
            self.tracks_used = self.tracks_used or act.kind == PR
            self.facts.take(act)
            return at + 1
        if act.kind == TURN:
            self._turn(found, at)
            return at + 1
        later = (self._after_its_units, self._after_its_formation, self._after_losses, self._home_after_its_units)
        if any(put_off(found, at) for put_off in later):
            return at
        self._keep(found, at)
        self._declare(found, at)
        after = self._after(found, at)
        if act.kind == CARD and act.to.endswith("-hand") and not act.frm.endswith("-hand"):
            return self._draw(found, at)
        if act.kind == DIE:
            return self._die(found, at, after)
        self._missing(act)
        if self.stands(act):
            self.facts.take(act)
            self.held = [other for other in self.held if act.kind not in (UNIT, FLIP) or other.pieces != act.pieces or self.stands(other)]
            return at + 1
        if act.kind == CARD:
            self._card(found, at, after)
            return at + 1
        return self._counter(found, at, after)

    def _counter(self, found: list[Act], at: int, after: Facts) -> int:
        """Reads a formation or a unit that was moved or turned; the index of the next act."""
        act = found[at]
        propose = self._proposals(act, after, found[at + 1 :])
        result = self._find(propose, after)
        if isinstance(result, list):
            result = self._with_empties_gone(act, propose, after) or result
        if isinstance(result, list) and act.kind == GF and any([self._taken_up(self.g.gfs.index[gf]) for gf in act.pieces]):
            result = self._find(propose, after)
        if isinstance(result, list) and (taken := self._with_later(found, at, after)):
            return taken
        if self._thought_better(found, at, result):
            return at
        if not isinstance(result, list) and (taken := self._landed_together(found, at, result)):
            return taken
        if isinstance(result, list) and not self._loss_in_combat(act) and self._unfinished():
            self._flush()
            result = self._find(propose, after)
        if isinstance(result, list) and act.frm.endswith("-paratroops") and not self.loose and self._guess(found, at, act):
            result = self._find(propose, after)
        if isinstance(result, list):
            result = self._gone_ahead(found, at, propose, after, result)
        self.facts.take(act)
        if isinstance(result, list):
            self._refused(act, result)
        else:
            self._commit(act, result)
        return at + 1


def owners(game: OverlordToBerlin) -> dict[str, str]:
    """Side, as findings name it -> the player who runs it."""
    if game.setting.terms.three_seats:
        return {side: side for side in SIDES}
    return dict(zip(SIDES, PLAYERS, strict=True))


__all__ = ["Reader", "owners"]
