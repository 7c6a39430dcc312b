"""Counters dragged and turned: acts that belong together, or that their player thought better of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from referee.games.overlord_to_berlin import reading_acts as can
from referee.games.overlord_to_berlin.actions import Land
from referee.games.overlord_to_berlin.points import face_down
from referee.games.overlord_to_berlin.position import TURNED, Pos, alter, set_byte
from referee.games.overlord_to_berlin.reading_acts import Candidate
from referee.games.overlord_to_berlin.reading_put_off import PutOff
from referee.games.overlord_to_berlin.reading_search import Propose, Way
from referee.games.overlord_to_berlin.reading_table import CARD, CHAT, DIE, FLIP, GF, PR, SILENT, TALK, UNIT, Act, Facts
from referee.games.overlord_to_berlin.reading_verdicts import Refusal
from referee.games.overlord_to_berlin.terms import TRACKS_OF
from referee.rules.model import Verdict
from referee.rules.reading import Ruled


class Moves(PutOff):
    """Reads what was done with formations and units."""

    def _missing(self, act: Act) -> None:
        """A counter that is moved from where it was not: steps of the log are missing, and it is right."""
        for piece in act.pieces if act.kind in (GF, UNIT, CARD) else ():
            lay = self.facts.at.get(piece, act.frm)
            if lay != act.frm and act.frm:
                text = f"step {act.step}: {self.label(piece)} lay in {lay or 'no place'} and is moved from {act.frm}: steps are missing"
                self.note(text, None if act.kind == GF else self.side_of(act))
                self.guessed = True
                there = Act(act.kind, act.step, (piece,), lay, act.frm)
                if not self.stands(there):
                    self.put(there)

    def _after(self, found: Sequence[Act], at: int) -> Facts:
        """The table once everything is in step with an act: what follows it up to the next one that does something itself."""
        facts = self.facts.copy()
        facts.take(found[at])
        for act in found[at + 1 :]:
            if act.kind in SILENT or (act.kind == FLIP and (act.pieces, act.step) == (found[at].pieces, found[at].step)):
                facts.take(act)
            elif act.kind not in (TALK, CHAT):
                break
        return facts

    def _with_empties_gone(self, act: Act, propose: Propose, after: Facts) -> Way | None:
        """An act that is lawful once empty formations have gone home: they may go before the step ends (9.8)."""

        def gone(q: Pos) -> Iterator[Candidate]:
            first = can.recalls(self.g, q, self.side_of(act))
            yield from ((*first, *candidate) for candidate in propose(q) if first)

        if act.kind not in (GF, UNIT):
            return None
        result = self._find(gone, after)
        return None if isinstance(result, list) else result

    def _with_later(self, found: list[Act], at: int, after: Facts) -> int:
        """A counter that is moved on at once made one way with a stop; formations dragged one after the other went together."""
        act = found[at]
        if act.kind not in (GF, UNIT):
            return 0
        for n in range(at + 1, len(found)):
            later = found[n]
            if later.kind in SILENT:
                continue
            if later.kind != act.kind:
                return 0
            if later.pieces == act.pieces and later.frm == act.to:
                found[n] = Act(act.kind, later.step, act.pieces, act.frm, later.to, player=act.player, seat=act.seat)
                if act.frm == later.to:
                    self._put_back(act)
                    self._skip(found, at, n)
                    return n + 1
                self._skip(found, at, n)
                return n
            if act.kind == GF and (later.frm, later.to) == (act.frm, act.to):
                both = Act(GF, later.step, (*act.pieces, *later.pieces), act.frm, act.to, player=act.player, seat=act.seat)
                trial = [*found[:n], both, *found[n + 1 :]]
                end = self._after(trial, n)
                result = self._find(self._proposals(both, end), end)
                if isinstance(result, list):
                    return 0
                self._skip(found, at, n)
                self.facts.take(both)
                self._commit(both, result)
                return n + 1
            return 0
        return 0

    def _landed_together(self, found: Sequence[Act], at: int, alone: Way) -> int:
        """Two formations dragged one after the other to a landing: the second has arrived by sea, unless what follows is explained only
        by both having landed (9.5, 9.7): they attack together."""
        act = found[at]
        n = next((n for n in range(at + 1, len(found)) if found[n].kind not in SILENT), len(found))
        if self.trying or n == len(found) or not any(isinstance(a, Land) for a in alone[1]) or len(act.pieces) > 1:
            return 0
        later = found[n]
        if later.kind != GF or (later.frm, later.to) != (act.frm, act.to):
            return 0
        both = Act(GF, later.step, (*act.pieces, *later.pieces), act.frm, act.to, player=act.player, seat=act.seat)
        end = self._after([*found[:n], both, *found[n + 1 :]], n)
        result = self._find(self._proposals(both, end), end)
        if isinstance(result, list) or not any(isinstance(a, Land) for a in result[1]):
            return 0
        if self._cost_once_done(result, both, found[n + 1 :]) >= self._cost_once_done(alone, act, found[at + 1 :]):
            return 0
        self._skip(found, at, n)
        self.facts.take(both)
        self._commit(both, result)
        return n + 1

    def _cost_once_done(self, way: Way, act: Act, later: Sequence[Act]) -> tuple[int, int]:
        """The cost of a way whose act is on the table before what follows is read."""
        kept, self.facts = self.facts, self.facts.copy()
        try:
            self.facts.take(act)
            return self._cost(way, act, later)
        finally:
            self.facts = kept

    def _thought_better(self, found: list[Act], at: int, result: Way | list[Refusal]) -> bool:
        """A counter that goes on later, before any die or card, from where it was put: to where it had been, or elsewhere. Whoever thinks
        better of a move has not made it; it is taken so where that explains what follows better, and the acts are read anew."""
        act = found[at]
        n = next((n for n in range(at + 1, len(found)) if found[n].kind in (DIE, CARD) or self._goes_on(act, found[n])), len(found))
        if self.trying or n == len(found) or found[n].kind in (DIE, CARD):
            return False
        later = found[n]
        rest = tuple(piece for piece in act.pieces if piece not in later.pieces)
        back = act.kind == FLIP or later.to == act.frm
        again = [] if back else [replace(later, frm=act.frm)]
        instead = [*([replace(act, pieces=rest)] if rest else []), *found[at + 1 : n], *again, *found[n + 1 :]]

        def as_it_is() -> None:
            self.facts.take(act)
            if isinstance(result, list):
                self._refused(act, result)
            else:
                self._commit(act, result)

        cost = self._tried(as_it_is, found[at + 1 :])
        if (not back and not cost[0]) or self._tried(lambda: None, instead) >= cost:
            return False
        if not back and not self._goes_straight(act, found[at + 1 : n], again[0]):
            return False
        found[at:] = instead
        if back:
            self._put_back(replace(act, pieces=later.pieces))
        return True

    def _goes_straight(self, act: Act, between: Sequence[Act], straight: Act) -> bool:
        """Whether a counter may go from where it was to where it ended, and nothing was paid on the way."""
        tracks = TRACKS_OF[self.side_of(act)]
        if any(a.kind == PR and int(a.words[0]) in tracks for a in between):
            return False
        return self._tried(lambda: None, [*between, straight])[0] <= self._tried(lambda: None, between)[0]

    def _goes_on(self, act: Act, later: Act) -> bool:
        """Whether a later act takes a counter on from where an act has put it."""
        if act.kind not in (GF, UNIT, FLIP) or later.kind != act.kind or not set(later.pieces) <= set(act.pieces):
            return False
        return later.value != act.value if act.kind == FLIP else later.frm == act.to

    def _put_back(self, act: Act) -> None:
        ruled = Ruled(Verdict.LEGAL, ("2",), (), "put back where it began: no move")
        secret = act.kind in (UNIT, FLIP, CARD)
        self.add(ruled, "put-back", self.side_of(act), act, secret=secret)

    def _turn(self, found: Sequence[Act], at: int) -> None:
        """A formation turned over: it gives up what it has left, or shows that nothing is left."""
        act = found[at]
        gf = self.g.gfs.index[act.piece]
        self.facts.take(act)
        if not act.value:
            self._taken_up(gf)
        following = next((i for i in range(at + 1, len(found)) if found[i].kind not in (*SILENT, TALK, CHAT)), len(found))
        said = [later.words[1] for later in found[at + 1 : following] if later.kind == TALK and later.words[0] == "ATT"]
        if (not said or act.piece in said) and following < len(found) and self._begins_another(found[following]):
            return  # what it spent its last action on is the combat of which nobody has said anything yet
        if not act.value or not self.p.pa or face_down(self.p, gf) or self.p.combat is not None:
            return
        result = self._find(lambda q: [can.over(self.g, act)], self.facts, bound=0)
        if not isinstance(result, list):
            self._commit(act, result)
            self.given_up.add(gf)

    def _taken_up(self, gf: int) -> bool:
        """A formation that was turned over before it had spent everything is used again: nothing was given up."""
        if gf not in self.given_up or not self.p.pa[gf] & TURNED:
            return False
        self.given_up.discard(gf)
        self.p = alter(self.p, pa=set_byte(self.p.pa, gf, self.p.pa[gf] & ~TURNED))
        self.broken = True
        return True
