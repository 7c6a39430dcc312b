"""How an act is matched with actions of the rules: the nearest point of play at which one that it can have been is lawful.

Of several that are lawful the table tells which was meant, or what follows: it is read on trial after each of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence

from referee.games.overlord_to_berlin import reading_acts as can
from referee.games.overlord_to_berlin.actions import Ask, Attack, Fill, Land, Move, Sail
from referee.games.overlord_to_berlin.land import SIDES
from referee.games.overlord_to_berlin.points import face_down
from referee.games.overlord_to_berlin.position import Pos
from referee.games.overlord_to_berlin.reading_acts import Candidate
from referee.games.overlord_to_berlin.reading_progress import FAR
from referee.games.overlord_to_berlin.reading_sheet import pieces_of, verb_of
from referee.games.overlord_to_berlin.reading_table import CARD, DIE, GF, UNIT, Act, Facts
from referee.games.overlord_to_berlin.reading_verdicts import Refusal, Verdicts
from referee.games.overlord_to_berlin.showing import PLAYED, formation_marks
from referee.games.overlord_to_berlin.units import loose
from referee.rules.model import Action, Verdict
from referee.rules.reading import Ruled

Propose = Callable[[Pos], Iterable[Candidate]]
Way = tuple[list[Action], Candidate, Pos]
"""Ends of steps and windows, the actions that explain an act, the position after them."""
_TRIAL = 40
"""So many acts are read on trial to tell readings apart."""
CLEAR = 3
"""A way that explains what follows so much better than any other is taken although something in it is not lawful."""


class Search(Verdicts, ABC):
    """Finds what an act was, and takes it over."""

    @abstractmethod
    def _act(self, found: list[Act], at: int) -> int:
        """Reads one act, whatever its kind; the index of the next."""

    def _find(self, propose: Propose, after: Facts, *, bound: int | None = None) -> Way | list[Refusal]:
        """The nearest point from here at which a candidate is lawful, with the ends of steps and windows on the way; of several lawful
        ones that which the marks and tracks on the table bear out best, the first on a tie. Else every refusal met."""
        ways, refused = self._ways(propose, after, bound)
        return ways[0] if ways else refused

    def _ways(self, propose: Propose, after: Facts, bound: int | None = None, *, every: bool = False) -> tuple[list[Way], list[Refusal]]:
        """All lawful candidates at the nearest point with any, those that the table bears out best (``every``: the others after them);
        and every refusal met."""
        q, path = self.p, list[Action]()
        refused: list[Refusal] = []
        limit = self._limit() if bound is None else bound
        for _ in range(FAR):
            lawful: list[tuple[int, Candidate, Pos]] = []
            for candidate in self._paid(propose(q)):
                found = self._played(q, candidate)
                if isinstance(found, Refusal):
                    refused.append(found)
                elif not any(found == other for _, _, other in lawful):
                    lawful.append((self._borne_out(found, after), candidate, found))
            if lawful:
                lawful.sort(key=lambda item: -item[0])
                best = lawful[0][0]
                return [(path, candidate, end) for score, candidate, end in lawful if every or score == best], refused
            closed = self._closed(q, limit)
            if closed is None:
                break
            path.append(closed[0])
            q = closed[1]
        return [], refused

    def _paid(self, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
        """The candidates that pay from the marker that was named first, where one was."""
        if not self.pays:
            yield from candidates
            return
        known = list(candidates)
        bought = f"bought-{self.pays}"
        first = [c for c in known if any(getattr(a, "track", "") == self.pays or bought in getattr(a, "kinds", ()) for a in c)]
        yield from first or known

    def _played(self, p: Pos, candidate: Candidate) -> Pos | Refusal:
        for a in candidate:
            ruling = self.book.check(p, a, every=True)
            if not ruling.legal:
                return Refusal(p, a, ruling.reasons)
            p = self.book.play(p, a)
        return p

    def _borne_out(self, p: Pos, after: Facts) -> int:
        """How far tracks, marks and turned formations on the table agree with a position."""
        g = self.g
        score = 2 * sum(p.pr[track] == value for track, value in after.points.items()) if self.tracks_used else 0
        score += sum(2 for side, (low, high) in after.events.items() if low <= p.event[side] <= high)
        for gf, name in enumerate(g.gfs.ids):
            if not p.pa:
                break
            marks = dict(formation_marks(p, gf))
            score += sum(after.marks[name, word] == value for word, value in marks.items() if (name, word) in after.marks)
            score += face_down(p, gf) == (name in after.back)
        return score

    def _proposals(self, act: Act, after: Facts, later: Sequence[Act] = ()) -> Propose:
        g = self.g
        back = act.piece in after.back

        def propose(q: Pos) -> Iterator[Candidate]:
            if self.stands(act, q):
                yield ()
            elif act.kind == GF:
                inside = [u for u in loose(g, q, self.side_of(act)) if self.facts.at.get(g.units.ids[u]) in act.pieces]
                taken = tuple(Fill(SIDES[self.side_of(act)], g.units.ids[u], self.facts.at[g.units.ids[u]]) for u in inside)
                if taken and act.frm in can.reserves(g):  # it was dragged home whole, and its units were left in its display
                    yield from ((*taken, *candidate) for candidate in can.formation(g, q, act))
                yield from can.formation(g, q, act)
            elif act.kind == UNIT:
                possible = list(can.unit(g, q, act, back=back))
                first = self._recalled(q, act, later)
                yield from ((*first, *candidate) for candidate in possible if first)
                if not first or self.facts.at.get(act.to) not in can.reserves(g):
                    yield from possible
            elif act.kind == DIE:
                yield from can.dice(q, [act])
            elif act.kind == CARD:
                yield from can.drawn(g, q, [act])
            else:
                yield from can.turned(g, q, act)

        return propose

    def _recalled(self, q: Pos, act: Act, later: Sequence[Act]) -> Candidate:
        """The recall of an empty formation into whose display a unit is put when its counter lies in the Reserve already; or when it
        is dragged there later and the unit comes from there: then it was filled at home."""
        g = self.g
        if act.to not in g.gfs.index:
            return ()
        home = g.land.places.names[g.reserve(g.gfs.side[g.gfs.index[act.to]])]
        filled = act.frm == home and any(a.kind == GF and act.to in a.pieces and a.to == home for a in later)
        return can.recalls(g, q, g.gfs.side[g.gfs.index[act.to]], act.to) if filled or self.facts.at.get(act.to) == home else ()

    def _likeliest(self, ways: Sequence[Way], act: Act, later: Sequence[Act], depth: int = 0) -> Way:
        """Of several lawful ways that the table does not tell apart, the one after which what follows is explained best."""
        if len(ways) < 2 or self.trying > depth or not later:
            self.guessed = self.guessed or (len(ways) > 1 and not self.trying)
            return ways[0]
        costs = [self._cost(way, act, later) for way in ways]
        best, *others = sorted(bad for bad, _ in costs)
        if not self.trying and others[0] - best < (CLEAR if best else 1):
            self.guessed = True  # no way explains what follows clearly better than the others
        return ways[costs.index(min(costs))]

    def _cost(self, way: Way, act: Act, later: Sequence[Act]) -> tuple[int, int]:
        """How badly what follows is explained if this way was taken, and how far the marks on the table disagree in the end."""
        return self._tried(lambda: self._commit(act, way), later)

    def _tried(self, begin: Callable[[], None], later: Sequence[Act]) -> tuple[int, int]:
        """How badly a beginning and what follows it are explained, and how far the marks on the table disagree in the end: read on
        trial, then forgotten."""
        now = self.now
        kept = self.p, self.facts, self.attackers, self.targets, self.declared_at, self.aims, self.die, self.held, self.given_up
        flags = self.loose, self.unsure, self.broken, self.tracks_used, self.guessed, self.fought, self.asked, self.refused_units
        lists = self.found, self.record, self.open, self.notes
        self.facts, self.attackers, self.targets, self.aims = self.facts.copy(), [*self.attackers], [*self.targets], [*self.aims]
        self.held, self.given_up, told, self.told = [*self.held], {*self.given_up}, self.told, {*self.told}
        self.found, self.record, self.open, self.notes = [], [], [], []
        self.trying += 1
        try:
            begin()
            trial, at = [*later[:_TRIAL]], 0
            while at < len(trial) and not self._begins_another(trial[at]):
                at = self._act(trial, at)
            weight = {Verdict.LEGAL: 0, Verdict.ILLEGAL: 4, Verdict.DOUBTFUL: 4, Verdict.UNCLEAR: 3}
            bad = sum(weight[f.verdict] for f in self.found) + 2 * len(self.open) + len(self.held) + 3 * self.loose
            return bad, -self._borne_out(self._windows_closed(), self.facts)
        finally:
            self.trying -= 1
            self.now, self.told = now, told
            self.p, self.facts, self.attackers, self.targets, self.declared_at, self.aims, self.die, self.held, self.given_up = kept
            self.loose, self.unsure, self.broken, self.tracks_used, self.guessed, self.fought, self.asked, self.refused_units = flags
            self.found, self.record, self.open, self.notes = lists

    def _begins_another(self, act: Act) -> bool:
        """A die or a card with which a combat begins of which nobody has said anything: a trial ends before it."""
        laid = act.kind == CARD and act.to == PLAYED and bool(self.g.cards.operational >> self.g.cards.index[act.piece] & 1)
        if act.kind != DIE and not laid and not act.frm.endswith("-paratroops"):
            return False
        q = self._windows_closed()
        if self.p.combat is not None and act.text in can.SPECIAL:
            return False  # leave to retreat, a die thrown again
        return q.combat is None and not can.wanted(q) and not can.wanted(self.p) and not self.attackers

    def _commit(self, act: Act, result: Way) -> None:
        path, candidate, end = result
        self.record += (*path, *candidate)
        for a in candidate:
            self.add(Ruled(Verdict.LEGAL), verb_of(a), self._whose(a, act), act, action=a, pieces=pieces_of(a))
            if isinstance(a, Move | Land | Sail):
                self.loose = False
        self.pays = ""
        self.fought = end.combat or self.p.combat or self.fought
        for a in candidate:
            if isinstance(a, Attack):
                self.asked = ()
            elif isinstance(a, Ask):
                self.asked = (*self.asked, a.gf)
        self.p = end
        self._retry()

    def _retry(self) -> None:
        """Acts that had to wait may be explained now."""
        for act in list(self.held):
            if act not in self.held:
                continue
            if act.kind != DIE and self.stands(act):
                self.held.remove(act)
                continue
            result = self._find(self._proposals(act, self.facts), self.facts)
            if not isinstance(result, list):
                self.held.remove(act)
                self._commit(act, result)
                return
