"""How play on a table maps to this game's actions: a log is walked step by step of the order of play, every act on the table is matched
with an action of the rules that is lawful there, and what is not is judged.

What is hidden lies open in a client's file: the reading sees units in displays and cards in hands, and every finding that speaks of
them is marked as its owner's alone (R-F138, R-F139). ``reading_acts`` says what an act can have been, ``reading_sheet`` keeps position,
table and findings, ``reading_start`` lays the position out at the log's start.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from referee.games.overlord_to_berlin import reading_acts as can
from referee.games.overlord_to_berlin import reading_losses as bleeding
from referee.games.overlord_to_berlin.actions import Ask, Attack, Concede, Fill, Keep, Land, Move, Sail, Supply
from referee.games.overlord_to_berlin.game import OverlordToBerlin
from referee.games.overlord_to_berlin.land import AXIS, SIDE_NAMES, SIDES, SOVIET, WEST
from referee.games.overlord_to_berlin.points import face_down
from referee.games.overlord_to_berlin.position import TURNED, Combat, Pos, alter, members, seal, set_byte
from referee.games.overlord_to_berlin.reading_acts import Candidate
from referee.games.overlord_to_berlin.reading_plain import plainly
from referee.games.overlord_to_berlin.reading_sheet import CHANCE, PLAYERS, sides_at
from referee.games.overlord_to_berlin.reading_start import Beginning
from referee.games.overlord_to_berlin.reading_table import (
    CARD,
    CHAT,
    DIE,
    EVENT,
    FLIP,
    GF,
    PR,
    SILENT,
    STATE,
    TALK,
    TURN,
    UNIT,
    Act,
    Facts,
    acts,
)
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.showing import (
    DECKS,
    ENDED_BY_TRACKER,
    OPERATIONAL_DECK,
    PLAYED,
    TRACK_ENDS,
    formation_marks,
    phase_name,
)
from referee.games.overlord_to_berlin.terms import TRACKS, TRACKS_OF
from referee.games.overlord_to_berlin.units import gfs_in, loose, units_in
from referee.rules.giving_up import given_up
from referee.rules.model import Action, Done, Reason, Roll, Verdict
from referee.rules.reading import Finding, Ruled, Stint, fresh, stints

SECRETS = True
"""Whether anything of this game is hidden from anybody."""
_WORDS = re.compile(r"\d+")
Propose = Callable[[Pos], Iterable[Candidate]]
Way = tuple[list[Action], Candidate, Pos]
"""Ends of steps and windows, the actions that explain an act, the position after them."""
_TRIAL = 40
"""So many acts are read on trial to tell readings apart."""
_NOT_HERE = frozenset(
    ("wrong-step", "wrong-hand", "window-open", "cancel-open", "nothing-to-do", "roll-awaited", "keep-awaited", "game-over")
)
"""Refusals that say no more than that another step is being played."""
_SURE = frozenset(
    """ally-stands-there attacker-bleeds-first capacity-exceeded corps-away elite-first gf-elsewhere gf-empty gf-full gf-holds-units
    gf-not-on-map gf-overfull in-that-gf infantry-stays last-unit never-paid-for no-arrow no-cooperation no-enemy-there no-port
    not-adjacent not-destroyed not-in-reserve not-same-zone overstacked pocket-elsewhere pocket-is-german retreat-far too-many-land
    unit-full unit-in-no-gf unit-not-on-map west-alone-sails zone-full zone-over-limit""".split()
)
"""Refusals that what lies on the table alone bears out: they hold in a log that begins in the middle of a game too."""
_OF_HIDDEN = frozenset(("gf-empty", "gf-holds-units", "no-guards"))
"""Refusals of open acts that tell what a display holds: what they say is their owner's alone."""
_PAYING = frozenset(("too-few-pr", "no-pr", "wrong-marker", "nothing-paid", "which-marker", "offensive-unpaid"))
"""Refusals that hang on which marker paid for what."""
_CLEAR = 3
"""A way that explains what follows so much better than any other is taken although something in it is not lawful."""
_FAR = 60
"""So many ends of steps and windows are passed in search of the one that an act belongs to."""
_KINDS = {GF: "move", UNIT: "move", TURN: "turn", FLIP: "turn", CARD: "card", DIE: "roll", TALK: "declare", CHAT: "declare"}


@dataclass(slots=True)
class Refusal:
    """A candidate that was refused, where, and why."""

    p: Pos
    action: Action
    reasons: tuple[Reason, ...]


class Reader(Beginning):
    """Reads one log. ``read`` gives the findings in the order of the log; ``record`` everything that was read, as actions."""

    def read(self) -> list[Finding]:
        """Every finding of the log."""
        phases = self.g.terms.phases
        self.p, self.turn, self.phase = self.lay_out()
        self.conceded = False
        """Somebody has given the game up in chat, and nothing was done after it."""
        self.attackers: list[str] = []
        self.targets: list[str] = []
        self.declared_at = Act(TALK, 0)
        self.aims: list[str] = []
        self.die = 0
        self.held: list[Act] = []
        """Acts that cannot be explained yet: losses out of order, a die thrown before the losses of the other."""
        self.guessed = False
        """Something was read that the log does not tell: which throw counts, who fought; what rests on it is asked, not held against
        anybody."""
        self.coming: list[tuple[Stint, list[Act]]] = []
        """The stretches after this one, and their acts."""
        self.refused_units: frozenset[str] = frozenset()
        """Units that lie where they were put unlawfully."""
        self.short: dict[tuple[str, str], int] = {}
        """Deck and hand -> cards that were due this turn and have not been drawn."""
        self.tracked = True
        """Somebody moves the tracker in this log."""
        self.ahead = False
        """Nobody has moved the tracker on: play has, and ``turn`` and ``phase`` with it."""
        self.told: set[tuple[str, tuple[tuple[str, str], ...]]] = set()
        """What was owed at the end of a step and has been told: it is not told again at the end of the next."""
        self.now = 0
        """The log's step that is being read."""
        self.trying = 0
        self.pays = ""
        """The marker that was said to pay for what comes next."""
        self.given_up: set[int] = set()
        """Formations that were turned over with PA left: their player may think better of it."""
        self.fought: Combat | None = None
        """The last combat of this step: its losses may lie on the table after it is over for the rules."""
        self.asked: tuple[str, ...] = ()
        """Formations of the last combat that asked leave to retreat."""
        self.loose = self.unsure = False
        """A combat of which the log does not tell who fought: its dice, losses and retreats are taken as they are; ``unsure`` until the
        step is over: then the position is brought in step with the table."""
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

    def phase_of(self, text: str) -> int | None:
        """Which step of the order of play the tracker means."""
        low = text.casefold()
        return next((i for i, phase in enumerate(self.g.terms.phases) if phase_name(phase).casefold() == low), None)

    # ------------------------------------------------------------------------------------------- searching

    def _find(self, propose: Propose, after: Facts, *, bound: int | None = None) -> Way | list[Refusal]:
        """The nearest point from here at which a candidate is lawful, with the ends of steps and windows on the way; of several lawful
        ones that which the marks and tracks on the table bear out best, the first on a tie. Else every refusal met."""
        ways, refused = self._ways(propose, after, bound)
        return ways[0] if ways else refused

    def _ways(
        self, propose: Propose, after: Facts, bound: int | None = None, *, every: bool = False
    ) -> tuple[list[Way], list[Refusal]]:
        """All lawful candidates at the nearest point with any, those that the table bears out best (``every``: the others after them);
        and every refusal met."""
        q, path = self.p, list[Action]()
        refused: list[Refusal] = []
        limit = self._limit() if bound is None else bound
        for _ in range(_FAR):
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

    def _likeliest(self, ways: Sequence[Way], act: Act, later: Sequence[Act], depth: int = 0) -> Way:
        """Of several lawful ways that the table does not tell apart, the one after which what follows is explained best."""
        if len(ways) < 2 or self.trying > depth or not later:
            self.guessed = self.guessed or (len(ways) > 1 and not self.trying)
            return ways[0]
        costs = [self._cost(way, act, later) for way in ways]
        best, *others = sorted(bad for bad, _ in costs)
        if not self.trying and others[0] - best < (_CLEAR if best else 1):
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

    def _windows_closed(self) -> Pos:
        """The position once all windows that are open have been closed."""
        q = self.p
        for _ in range(_FAR):
            if q.frame.step in ENDED_BY_TRACKER or (closed := self._closed(q, 0)) is None:
                break
            q = closed[1]
        return q

    def _played(self, p: Pos, candidate: Candidate) -> Pos | Refusal:
        for a in candidate:
            ruling = self.book.check(p, a, every=True)
            if not ruling.legal:
                return Refusal(p, a, ruling.reasons)
            p = self.book.play(p, a)
        return p

    def _closed(self, p: Pos, limit: int) -> tuple[Action, Pos] | None:
        """The step or window of a position ended by whoever it is for; a step that the tracker shows not if that leads beyond ``limit``."""
        if not p.frame.by or p.frame.by[0] == CHANCE:
            return None
        done = Done(p.frame.by[0])
        if not self.book.check(p, done).legal:
            return None
        q = self.book.play(p, done)
        within = self._order(q) <= max(limit, self._order(p)) or self._order(p) < limit
        return (done, q) if within or p.frame.step not in ENDED_BY_TRACKER else None

    def _order(self, p: Pos) -> int:
        return p.turn * len(self.g.terms.phases) + p.phase

    def _limit(self) -> int:
        """The last step of the phase that the tracker shows: an action of a later step closes the earlier ones (R-F41)."""
        phases = self.g.terms.phases
        last = max(i for i, phase in enumerate(phases) if phase.phase == phases[self.phase].phase)
        return self.turn * len(phases) + last

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

    # -------------------------------------------------------------------------------------------- a stretch

    def _stint(self, found: list[Act], stint: Stint) -> None:
        at = 0
        while at < len(found):
            at = self._act(found, at)
        self.now = stint.end_step or self.log.steps
        self._declare()
        self._flush(more=not stint.end_step)
        if stint.end_step and not self.ahead and self.step_of(stint.phase).step == "income":
            self._income(found, stint)

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

    def _gone_ahead(
        self, found: Sequence[Act], at: int, propose: Propose, after: Facts, refused: list[Refusal]
    ) -> Way | list[Refusal]:
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

    def _proposals(self, act: Act, after: Facts, later: Sequence[Act] = ()) -> Propose:
        g = self.g
        back = act.piece in after.back

        def propose(q: Pos) -> Iterator[Candidate]:
            if self.stands(act, q):
                yield ()
            elif act.kind == GF:
                inside = [u for u in loose(g, q, self.side_of(act)) if self.facts.at.get(g.units.ids[u]) in act.pieces]
                taken = tuple(Fill(SIDES[self.side_of(act)], g.units.ids[u], self.facts.at[g.units.ids[u]]) for u in inside)
                if taken and act.frm in _reserves(g):  # it was dragged home whole, and its units were left in its display
                    yield from ((*taken, *candidate) for candidate in can.formation(g, q, act))
                yield from can.formation(g, q, act)
            elif act.kind == UNIT:
                possible = list(can.unit(g, q, act, back=back))
                first = self._recalled(q, act, later)
                yield from ((*first, *candidate) for candidate in possible if first)
                if not first or self.facts.at.get(act.to) not in _reserves(g):
                    yield from possible
            elif act.kind == DIE:
                yield from can.dice(q, [act])
            elif act.kind == CARD:
                yield from can.drawn(g, q, [act])
            else:
                yield from can.turned(g, q, act)

        return propose

    def _after_its_units(self, found: list[Act], at: int) -> bool:
        """Formations dragged from the Reserve to the map before their displays are filled, which lie apart from the map: read after the
        last unit that is put into one of them, as none goes empty (9.2) and who comes by sea is filled before (9.5, 9.7)."""
        act, last = found[at], at
        by_sea = self.step_of(self.phase).step == "operations"
        if act.kind != GF or not act.frm.endswith("-reserve") or not can.is_zone(self.g, act.to):
            return False
        together = {at}
        for n in range(at + 1, len(found)):
            later = found[n]
            if later.kind == GF and later.frm == act.frm and can.is_zone(self.g, later.to):
                together |= {n} if later.to == act.to else set()
            elif later.kind == UNIT:
                into = any(later.to in found[m].pieces for m in together)
                last = n if into and later.frm == act.frm and (by_sea or later.to not in self.facts.at.values()) else last
            elif later.kind not in (FLIP, CHAT, *SILENT):
                break
        going = sorted(n for n in together if n < last)
        found[at : last + 1] = [*(found[n] for n in range(at, last + 1) if n not in going), *(found[n] for n in going)]
        return last > at

    def _after_its_formation(self, found: list[Act], at: int) -> bool:
        """A unit put into the zone where its formation still stands, which then leaves: a pocket (12.4), read after the move."""
        act = found[at]
        if act.kind != UNIT or not can.is_zone(self.g, act.to) or self.facts.at.get(act.frm) != act.to:
            return False
        for n in range(at + 1, len(found)):
            later = found[n]
            if later.kind == GF and act.frm in later.pieces:
                leaves = later.frm == act.to and can.is_zone(self.g, later.to)
                found[at : n + 1] = [*found[at + 1 : n + 1], act] if leaves else found[at : n + 1]
                return leaves
            if later.kind not in (GF, UNIT, FLIP, CHAT, *SILENT):
                break
        return False

    def _after_losses(self, found: list[Act], at: int) -> bool:
        """A formation dragged out of a combat while losses are still to be taken: read after those that follow (10.3, 10.6)."""
        act, last = found[at], at
        if act.kind != GF or self.p.combat is None or self._windows_closed().frame.step != "loss":
            return False
        for n in range(at + 1, len(found)):
            later = found[n]
            if bleeding.is_loss(self.g, later):
                last = n
            elif later.kind not in (GF, UNIT, FLIP, CHAT, *SILENT):
                break
        found[at : last + 1] = [*found[at + 1 : last + 1], act]
        return last > at

    def _recalled(self, q: Pos, act: Act, later: Sequence[Act]) -> Candidate:
        """The recall of an empty formation into whose display a unit is put when its counter lies in the Reserve already; or when it
        is dragged there later and the unit comes from there: then it was filled at home."""
        g = self.g
        if act.to not in g.gfs.index:
            return ()
        home = g.land.places.names[g.reserve(g.gfs.side[g.gfs.index[act.to]])]
        filled = act.frm == home and any(a.kind == GF and act.to in a.pieces and a.to == home for a in later)
        return can.recalls(g, q, g.gfs.side[g.gfs.index[act.to]], act.to) if filled or self.facts.at.get(act.to) == home else ()

    def _with_empties_gone(self, act: Act, propose: Propose, after: Facts) -> Way | None:
        """An act that is lawful once empty formations have gone home: they may go before the step ends (9.8)."""

        def gone(q: Pos) -> Iterator[Candidate]:
            first = can.recalls(self.g, q, self.side_of(act))
            yield from ((*first, *candidate) for candidate in propose(q) if first)

        if act.kind not in (GF, UNIT):
            return None
        result = self._find(gone, after)
        return None if isinstance(result, list) else result

    def _home_after_its_units(self, found: list[Act], at: int) -> bool:
        """A formation dragged home before its units have left its display: it is read after the last of them."""
        g, act = self.g, found[at]
        if act.kind != GF or act.to not in _reserves(g) or not can.is_zone(g, act.frm):
            return False
        left = {g.units.ids[unit] for gf in act.pieces for unit in units_in(g, self.p, g.gfs.index[gf])}
        for n in range(at + 1, len(found)) if left else ():
            later = found[n]
            if later.kind not in (UNIT, FLIP, TALK, CHAT, *SILENT):
                break
            if later.kind == UNIT and later.frm in act.pieces:
                left -= {later.piece}
            if not left:
                found[at : n + 1] = [*found[at + 1 : n + 1], act]
                return True
        return False

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

    def _skip(self, found: Sequence[Act], at: int, until: int) -> None:
        for act in found[at:until]:
            if act.kind in SILENT:
                self.tracks_used = self.tracks_used or act.kind == PR
                self.facts.take(act)

    def _put_back(self, act: Act) -> None:
        ruled = Ruled(Verdict.LEGAL, ("2",), (), "put back where it began: no move")
        secret = act.kind in (UNIT, FLIP, CARD)
        self.add(ruled, "put-back", self.side_of(act), act, secret=secret)

    # ------------------------------------------------------------------------------------------ what is found

    def _commit(self, act: Act, result: Way) -> None:
        path, candidate, end = result
        self.record += (*path, *candidate)
        for a in candidate:
            self.add(Ruled(Verdict.LEGAL), _verb(a), self._whose(a, act), act, action=a, pieces=_pieces(a))
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

    def _whose(self, a: Action, act: Act) -> int:
        """The side that an action is about: whose counters it moves, else who acts."""
        side = self.side_of(act)
        if side >= 0:
            return side
        return SIDES.index(a.by) if a.by in SIDES else self.step_of(self.phase).side

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

    def _refused(self, act: Act, refusals: Sequence[Refusal]) -> None:
        """No reading of an act is lawful: it waits while a combat is being carried out, else it is judged."""
        if self.loose:
            self.put(act)
            return
        if act.kind in (UNIT, FLIP) and (self._fighting() or not self.step_of(self.phase).phase.endswith("_action")):
            self.held.append(act)
            return
        if act.kind == FLIP and not act.value:
            self.held.append(act)  # the rules may restore it before the phase is over
            return
        self._judge(act, refusals)
        if act.kind == UNIT and self.found[-1].verdict in (Verdict.ILLEGAL, Verdict.DOUBTFUL):
            self.refused_units |= {act.piece}
        self.put(act)

    def _judge(self, act: Act, refusals: Sequence[Refusal]) -> None:
        side = self.side_of(act)
        if self._too_many(act, side):
            return
        chosen = self._chosen(refusals)
        public = act.to.endswith(("-losses", "-destroyed")) or can.is_zone(self.g, act.to)
        secret = act.kind in (UNIT, FLIP) and not public
        if chosen is None and self._plainly(act, side, secret=secret):
            return
        if chosen is None:
            what = ", ".join(map(self.label, act.pieces)) or "this"
            asked = f"what was done with {what}? {self._place_words(act)}no rule of this step does so"
            wrong = next(iter(refusals), None)
            theirs = side != self.step_of(self.phase).side and not self._fighting() and not self._blind() and not self.middle
            if wrong is not None and theirs and act.kind == GF and not self.guessed:
                said = f"{' and '.join(map(self.label, act.pieces))} cannot move now: it is {phase_name(self.step_of(self.phase))}"
                self.add(Ruled(Verdict.ILLEGAL, ("2",), (), said), _KINDS[act.kind], side, act, action=wrong.action, secret=secret)
                return
            self.add(self.unclear(asked, "2"), _KINDS[act.kind], side, act, secret=secret)
            return
        lenient = self.court.lenient
        soft = None if lenient is None else lenient.check(fresh(chosen.p), chosen.action, every=True).reasons
        ruled = self._as_far_as_told(self.court.against(chosen.reasons, soft), side)
        told = ruled.verdict is not Verdict.UNCLEAR and not self.trying
        instead = self.book.explain(chosen.p, chosen.action).text if told else ""
        a = chosen.action
        secret = secret or any(reason.code in _OF_HIDDEN for reason in chosen.reasons)
        self.add(ruled, _verb(a), side, act, action=a, pieces=_pieces(a), instead=instead, secret=secret)

    def _plainly(self, act: Act, side: int, *, secret: bool) -> bool:
        """What no rule of any step allows now is told as that, where the log tells all that was done before."""
        found = plainly(self.g, self.p, act, self.step_of(self.phase), asked=self.asked, fought=self.fought)
        if found is None or self._blind():
            return False
        rules, said = found
        names = " and ".join(map(self.label, act.pieces))
        ruled = Ruled(Verdict.ILLEGAL, rules, (), f"{names} {said}", frozenset(("never-now",)))
        self.add(self._as_far_as_told(ruled, side), _KINDS[act.kind], side, act, secret=secret)
        return True

    def _too_many(self, act: Act, side: int) -> bool:
        """A step is lost by a formation that has fought, although every loss of its combat is taken: that is what is wrong."""
        c = self.fought
        if c is None or not bleeding.is_loss(self.g, act):
            return False
        if bleeding.bleeds(self.p) is not None and (bleeding.owed(self.p) > 1 or bleeding.steps_lost(self.g, self.p, act) < 2):
            return False
        if not bleeding.in_combat(self.g, self.p, c, act):
            return False
        said = f"{self.label(act.piece)} loses a step too many: the losses of this combat have been taken"
        ruled = self._as_far_as_told(Ruled(Verdict.ILLEGAL, ("10.2.d", "10.3.a"), (), said, frozenset(("losses-taken",))), side)
        self.add(ruled, "lose", side, act, pieces=act.pieces)
        return True

    def _chosen(self, refusals: Sequence[Refusal]) -> Refusal | None:
        """The refusal that an act is judged by: the first of this step; where the log does not tell everything, the first that what was
        before could lift, so that nobody is accused by a reading that was not the only one (a landing, where an arrival was meant)."""
        here = [r for r in refusals if not any(x.code in _NOT_HERE or self._of_the_west(x.code, r) for x in r.reasons)]
        open_ = (r for r in here if not any(x.code in _SURE for x in r.reasons)) if self.middle or self.guessed else iter(())
        return next(open_, next(iter(here), None))

    def _of_the_west(self, code: str, refusal: Refusal) -> bool:
        """A refusal by the rules of arrivals by sea, of a side that has none."""
        return code in ("not-for-sea", "unit-not-for-sea") and refusal.action.by != SIDES[WEST]

    def _as_far_as_told(self, ruled: Ruled, side: int) -> Ruled:
        """A refusal that rests on what the log does not tell is a question: which of two markers paid, what was before the log began."""
        if ruled.verdict is not Verdict.ILLEGAL or not ruled.codes:
            return ruled
        if ruled.codes & _SURE:
            return ruled
        if ruled.codes & _PAYING and len(TRACKS_OF[side]) > 1:
            return self.unclear(f"which marker paid? As read, {ruled.message}", *ruled.rules)
        if self.middle or self.guessed:
            why = "begins in the middle of a game" if self.middle else "does not tell all that was done before"
            return self.unclear(f"was it so? {ruled.message}; but the log {why}", *ruled.rules)
        return ruled

    def _place_words(self, act: Act) -> str:
        return f"From {act.frm} to {act.to}: " if act.frm or act.to else ""

    def _blind(self) -> bool:
        """Dice of this step belong to no combat that was read: then a retreat explains what looks like a move."""
        return any(act.kind == DIE for act in self.held) or self.loose

    # ----------------------------------------------------------------------------------------------- combat

    def _fighting(self) -> bool:
        return self.p.combat is not None or len(self.p.agenda) > 2

    def _unfinished(self) -> bool:
        """Something is under way that the log does not bring to its end: what it owes is told, and it is over."""
        if not self._fighting():
            return False
        self._wrong_losses()
        owed = self.court.owed(self.p)
        if not owed:
            return False
        self._owed(owed)
        self.guessed = self.guessed or self.found[-1].verdict is Verdict.UNCLEAR
        self.abort()
        self.sync()
        return True

    def _loss_in_combat(self, act: Act) -> bool:
        """Whether an act is a loss while a combat is being carried out: it waits for the others, in whatever order they are taken."""
        return self.p.combat is not None and bleeding.is_loss(self.g, act)

    def _wrong_losses(self, *, more: bool = False) -> None:
        """Losses that wait although nothing more is taken: those of the side whose losses are chosen are judged and count as taken;
        where only the other side's wait, what the first still owes is told. ``more``: the log stops here, and more may be taken."""
        while self.p.combat is not None and (who := bleeding.bleeds(self.p)) is not None and not self.loose:
            waiting = [act for act in self.held if bleeding.is_loss(self.g, act) and not self.stands(act)]
            own = [act for act in waiting if bleeding.whose(self.g, self.p.combat, act) == who]
            if own and (not more or len(own) >= bleeding.owed(self.p)):
                self._wrong_loss(own[0])
            elif waiting and not more and not own:
                self._owed(self.court.owed(self.p))
                self.p = self.book.settled(bleeding.counted(self.g, self.p, bleeding.owed(self.p)))
                self.broken = True
            else:
                return
            self._retry()

    def _wrong_loss(self, act: Act) -> None:
        """A loss that the rules do not allow is judged; the step is gone, and counts as one of those owed."""
        self.held.remove(act)
        result = self._find(self._proposals(act, self.facts), self.facts)
        if not isinstance(result, list):
            self._commit(act, result)
            return
        gone = bleeding.steps_lost(self.g, self.p, act)
        self._judge(act, result)
        self.put(act)
        self.p = self.book.settled(bleeding.counted(self.g, self.p, gone))

    def _owed(self, owed: Sequence[Reason]) -> None:
        if not self._fighting():
            if (owed[0].code, owed[0].facts) in self.told:
                return
            self.told.add((owed[0].code, owed[0].facts))
            if self._by_what_was_refused(owed[0]):
                return
        soft = None if self.court.lenient is None else self.court.lenient.duties(fresh(self.p))
        kept = None if soft is None else tuple(r for r in soft if r.code == owed[0].code)
        ruled = self.court.against((owed[0],), kept)
        if self.p.frame.by == (CHANCE,):
            ruled = self.unclear(f"which dice were thrown for it? {ruled.message}", *ruled.rules)
        elif owed[0].code in ("over-capacity", "zone-over-limit") and self._in_step():
            pass  # what lies on the table bears it out, whatever was before
        elif self._unexplained() or self.broken or self.middle or self.p.frame.step not in (*ENDED_BY_TRACKER, "loss"):
            ruled = self.unclear(f"was it carried out? {ruled.message}", *ruled.rules)
        by = self.p.frame.by[0] if self.p.frame.by else ""
        side = SIDES.index(by) if by in SIDES else self.step_of(self.phase).side
        self.add(ruled, "duty", side, Act(TALK, self.now), secret=not self._fighting() and self.p.frame.by != (CHANCE,))

    def _by_what_was_refused(self, reason: Reason) -> bool:
        """A display is too full because of a unit that was put there unlawfully: that has been told."""
        name = dict(reason.facts).get("gf", "")
        return reason.code == "over-capacity" and any(
            self.facts.at.get(unit, "") in self.g.gfs.index and self.g.gfs.names[self.g.gfs.index[self.facts.at[unit]]] == name
            for unit in self.refused_units
        )

    def _in_step(self) -> bool:
        """Whether every counter lies where the position has it."""
        names = ((GF, self.g.gfs.ids), (UNIT, self.g.units.ids))
        acts = (Act(kind, 0, (name,), to=self.facts.at.get(name, "")) for kind, ids in names for name in ids)
        return all(self.stands(act) for act in acts if self.place(act.to) >= 0)

    def _unexplained(self) -> bool:
        """Something waits that is none of the losses of a running combat."""
        return any(self.p.combat is None or not bleeding.is_loss(self.g, act) for act in self.held)

    def _flush(self, *, more: bool = False) -> None:
        """A stretch is over: what could not be explained in it is judged. ``more``: the log stops here."""
        self._wrong_losses(more=more)
        if more and self.p.combat is not None:
            self.held = [act for act in self.held if not bleeding.is_loss(self.g, act)]  # the other losses may follow
        waiting, self.held = self.held, []
        self._loose_ends(waiting)
        if self.unsure and not self.trying:
            if self._fighting():
                self.abort()
            self.sync()
        self.loose = self.unsure = False
        if not self.trying and self.step_of(self.phase).step in ("spending", "operations"):
            self._points()

    def _points(self) -> None:
        """5.7: what was paid, against the markers on their tracks, at the end of a step in which points are spent."""
        q = self._windows_closed()
        tracks = TRACKS_OF[self.step_of(self.phase).side]
        if not self.tracks_used or self.p.result or any(track not in self.facts.points for track in tracks):
            return
        shown = [self.facts.points[track] for track in tracks]
        read = [q.pr[track] % (TRACK_ENDS[track] + 1) for track in tracks]
        if shown == read:
            return
        if sum(shown) != sum(read):
            names = " and ".join(f"{TRACKS[track]} {now}, as read {was}" for track, now, was in zip(tracks, shown, read, strict=True))
            last = self.found[-1].step if self.found else 0
            asked = self.unclear(f"what was paid? The markers show {names}", "5.7")
            self.add(asked, "points", self.step_of(self.phase).side, Act(PR, last))
        self.guessed = True
        points = tuple(dict(zip(tracks, shown, strict=True)).get(track, value) for track, value in enumerate(self.p.pr))
        if q is self.p:
            self.p = alter(self.p, pr=points)

    def _income(self, found: Sequence[Act], stint: Stint) -> None:
        """5.2, 5.4, 5.6: a marker that was moved for the income of a side and shows more than that makes. Nothing can be paid before; who
        takes less is asked when points are spent."""
        phases, side = self.g.terms.phases, self.step_of(stint.phase).side
        if not stint.phase < self.p.phase or self.p.turn != stint.turn or phases[self.p.phase].step not in ("income", "bombardment"):
            return
        until = "bombardment" if side == AXIS else "spending"
        later: list[Act] = []
        for following, list_ in self.coming:
            if following.turn != stint.turn or phases[following.phase].step == until:
                break
            later += list_
        for track in TRACKS_OF[side]:
            moved = [a for a in found if a.kind == PR and int(a.words[0]) == track]
            shown = [a for a in (*moved, *later) if a.kind == PR and int(a.words[0]) == track]
            due = self.p.pr[track] % (TRACK_ENDS[track] + 1)
            if not moved or shown[-1].value <= due:
                continue
            said = f"the marker of {TRACKS[track]} shows {shown[-1].value}, and the income makes it {due}"
            para = {WEST: "5.4.f", SOVIET: "5.6.a", AXIS: "5.2.a"}[side]
            ruled = self._as_far_as_told(Ruled(Verdict.ILLEGAL, (para,), (), said, frozenset(("income",))), side)
            self.add(ruled, "points", side, shown[-1])
            self.p = alter(self.p, pr=tuple(shown[-1].value if n == track else value for n, value in enumerate(self.p.pr)))
            self.broken = True

    def _loose_ends(self, waiting: Sequence[Act]) -> None:
        for act in waiting:
            if act.kind == DIE:
                self._no_attack(act)
            elif act.kind == CARD:
                self.held.append(act)
            elif not self.stands(act):
                result = self._find(self._proposals(act, self.facts), self.facts)
                self._judge(act, result if isinstance(result, list) else ())
                self.put(act)

    def _no_attack(self, act: Act) -> None:
        shown = ", ".join(map(str, act.faces))
        side = self.step_of(self.phase).side
        asked = self.unclear(f"what was the die for? A die ({shown}) was thrown, and nothing that was declared or done wants one", "10.1")
        self.wait(asked, "roll", side, act, note=f"step {act.step}: a die ({shown}) that belongs to no action")

    def _talk(self, act: Act) -> None:
        g = self.g
        verb, fields = act.words[0], act.words[1:]
        piece = fields[0] if fields else ""
        if verb == "CLR":
            if piece == "*" or not piece:
                self.attackers, self.targets = [], []
            else:
                self.attackers = [gf for gf in self.attackers if gf != piece]
                self.targets = [gf for gf in self.targets if gf != piece]
        elif verb == "ATT" and piece in g.gfs.index:
            self.declared_at = act
            if piece not in self.attackers:
                self.attackers.append(piece)
        elif verb == "TGT" and piece in g.gfs.index:
            self.targets.append(piece)
        elif verb == "AIM" and piece in g.gfs.index:
            self.aims.append(piece)
        elif verb == "AGAIN" and piece.isdecimal():
            self.die = int(piece)
        elif verb == "PAY" and piece in TRACKS:
            self.pays = piece
        elif verb == "GO":
            self._declare()
            if self.p.frame.step not in ENDED_BY_TRACKER:
                closed = self._closed(self.p, self._limit())
                if closed is not None:
                    self.record.append(closed[0])
                    self.p = closed[1]
                    self._retry()
        elif verb == "KEEP" and piece in ("old", "new"):
            self._declare()
            self._said(act, lambda q: [(Keep(by, piece),) for by in q.frame.by[:1] if q.frame.step == "keep"])
        elif verb == "ASK" and piece in g.gfs.index:
            self._declare()
            self._said(act, lambda q: [(Ask(SIDES[AXIS], piece),)])
        elif verb == "SUP" and piece in g.gfs.index and len(fields) > 1 and can.is_zone(g, fields[1]):
            self._said(act, lambda q: [(Supply(SIDES[AXIS], piece, fields[1]),)])

    def _keep(self, found: Sequence[Act], at: int) -> None:
        """Which of two throws counts, where nobody said so: the one with which what follows agrees."""
        if self.p.frame.step != "keep":
            return
        for act in found[at:]:
            if act.kind == TALK and act.words[0] == "KEEP":
                return
            if act.kind == DIE:
                break
        by = self.p.frame.by[0]
        ways, _ = self._ways(lambda q: [(Keep(by, which),) for which in ("new", "old")], self._settled_marks(found, at, self.facts))
        if ways:
            step = found[at].step if at < len(found) else self.log.steps
            self._commit(Act(TALK, step), self._likeliest(ways, Act(TALK, step), found[at:], 1))

    def _said(self, act: Act, propose: Propose) -> None:
        """Something that is done by saying it. What cannot be done binds nobody."""
        result = self._find(propose, self.facts)
        if not isinstance(result, list):
            self._commit(act, result)

    def _chat(self, found: Sequence[Act], at: int) -> None:
        """What is announced in chat, in any language: formations named before a die, a stratagem or a drop are who attacks, the first
        of them, and who supports it; named before a national stratagem they are whom it is for, and so is a zone by its number."""
        g, p = self.g, self.p
        low = found[at].text.casefold()
        following = next((act for act in found[at + 1 :] if act.kind not in (*SILENT, TALK, CHAT)), None)
        if following is None or self.step_of(p.phase).step != "operations":
            return
        side = self.step_of(p.phase).side
        named = sorted((low.find(self.label(name).casefold()), name) for name in g.gfs.ids if self.label(name).casefold() in low)
        if following.kind == CARD and not g.cards.operational >> g.cards.index[following.piece] & 1:
            self.aims += [name for _, name in named]
            self.aims += [word for word in _WORDS.findall(low) if can.is_zone(g, word)]
            if g.cards.national[side] >> g.cards.index[following.piece] & 1:
                return  # the other side's card answers what was announced
        if following.kind not in (DIE, CARD) and not (following.kind == UNIT and following.frm.endswith("-paratroops")):
            return
        own = [name for _, name in named if g.gfs.side[g.gfs.index[name]] == side and g.on_map(p, g.gfs.index[name])]
        if own:
            self.attackers, self.declared_at = own, found[at]

    def _declare(self, found: Sequence[Act] = (), at: int = 0) -> None:
        """An attack that was declared begins with the next act that is none of words."""
        if not self.attackers:
            return
        named, act = self.attackers, self.declared_at
        self.attackers = []
        after = self._after(found, at) if found else self.facts
        after = self._settled_marks(found, at, after)
        result = self._find(lambda q: can.attacks(self.g, q, named), after)
        if isinstance(result, list) and any([self._taken_up(self.g.gfs.index[gf]) for gf in named[:2]]):
            result = self._find(lambda q: can.attacks(self.g, q, named), after)
        if isinstance(result, list) and self._unfinished():
            result = self._find(lambda q: can.attacks(self.g, q, named), after)
        if not isinstance(result, list):
            self.loose = False
            self._commit(act, result)
            return
        if not found:
            return  # no die, no card: announcing binds nobody
        self._judge(Act(GF, act.step, tuple(named[:1]), player=act.player, seat=act.seat), result)
        self.loose = self.unsure = self.guessed = True

    def _settled_marks(self, found: Sequence[Act], at: int, after: Facts) -> Facts:
        """The marks and points up to the dice of the attack: whoever pays for it does so before or after it is declared."""
        facts = after.copy()
        for act in found[at:]:
            if act.kind in SILENT:
                facts.take(act)
            elif act.kind == DIE:
                break
        return facts

    def _die(self, found: list[Act], at: int, after: Facts) -> int:
        """Reads a throw, or several that make up one roll; the index of the next act."""
        act = found[at]
        throws = self._throws(found, at)
        if len(throws) == 1 and self._thrown_again_between(found, at, after):
            return at + 1
        for size in range(len(throws), 0, -1):
            some = [found[n] for n in throws[:size]]
            result = self._find(lambda q, some=some: self._thrown(q, some, found[at + 1 :]), after)  # type: ignore[misc]
            if not isinstance(result, list):
                self._skip(found, at, throws[size - 1])
                self._commit(act, result)
                return throws[size - 1] + 1
        if self.loose:
            return at + 1
        if self.p.combat is not None and (act.text in can.SPECIAL or self._windows_closed().combat is not None):
            self.held.append(act)
        elif len(act.faces) == 1 and self._guess(found, at, act):
            return self._die(found, at, after)
        elif not self.loose:
            self._no_attack(act)
        return at + 1

    def _throws(self, found: Sequence[Act], at: int) -> list[int]:
        """The throws of one die that follow one another from here, at most two: each side of a combat throws its own."""
        throws = [at]
        for n in range(at + 1, len(found)):
            if found[n].kind == DIE and len(found[n].faces) == len(found[at].faces) == 1 and found[n].text == found[at].text:
                return [at, n]
            if found[n].kind not in (*SILENT, CHAT):
                break
        return throws

    def _thrown_again_between(self, found: list[Act], at: int, after: Facts) -> bool:
        """The first of two dice was thrown again before the second was thrown (R-F59): both were thrown, and then the first again."""
        act = found[at]
        between: list[Act] = []
        for n in range(at + 1, len(found)):
            later = found[n]
            if later.kind == DIE and len(later.faces) == len(act.faces) == 1 and later.text == act.text and between:
                pair = [act, later]
                result = self._find(lambda q: self._thrown(q, pair, found[n + 1 :]), after)  # noqa: B023 (used at once)
                if isinstance(result, list):
                    return False
                mover = self.step_of(self.phase).side
                first = 2 if can.seat_side(act.seat) not in (None, mover) and can.seat_side(later.seat) == mover else 1
                found[at + 1 : n + 1] = [Act(TALK, act.step, words=("AGAIN", str(first))), *found[at + 1 : n]]
                self._commit(act, result)
                return True
            again = later.kind == CARD and self.g.cards.with_effect("reroll_keep_choice") >> self.g.cards.index[later.piece] & 1
            if again or (later.kind == DIE and between):
                between.append(later)
            elif later.kind not in (*SILENT, TALK, CHAT):
                return False
        return False

    def _thrown(self, q: Pos, some: Sequence[Act], later: Sequence[Act]) -> Iterator[Candidate]:
        yield from can.dice(q, some)
        act = some[0]
        if len(some) == 1 and act.text == "Leave to retreat" and q.combat is not None and q.frame.by == (SIDES[AXIS],):
            zone = self.g.land.name(q.combat.zone)
            gone = [gf for a in later if a.kind == GF and a.frm == zone for gf in a.pieces]
            defending = [self.g.gfs.ids[gf] for gf in members(q.combat.defenders) if q.gf_at[gf] == q.combat.zone]
            names = [gf for gf in defending if gf in gone] or defending
            yield (*(Ask(SIDES[AXIS], gf) for gf in names), Done(SIDES[AXIS]), Roll(CHANCE, "leave", act.faces))

    def _guess(self, found: Sequence[Act], at: int, act: Act) -> bool:
        """Who fought where, when nobody said so: the attack with which dice, losses and retreats that follow agree. Where none does,
        one question is asked, and the combat is taken as it lies on the table."""
        g, p = self.g, self._windows_closed()
        if self.trying or self.step_of(p.phase).step != "operations":
            return False
        side = self.step_of(p.phase).side
        ways: list[Way] = []
        for zone in range(g.land.size):
            if gfs_in(g, p, side, zone):
                ways += self._ways(lambda q, zone=zone: can.undeclared(g, q, side, zone), self._settled_marks(found, at, self.facts))[0]  # type: ignore[misc]
        if ways:
            costs = [self._cost(way, act, found[at:]) for way in ways]
            bad = sorted(cost for cost, _ in costs)
            clear = len(bad) < 2 or bad[1] - bad[0] >= _CLEAR
            if not bad[0] or clear:
                self.guessed = self.guessed or not (clear or bad[:2].count(0) == 1)
                self._commit(act, ways[costs.index(min(costs))])
                return True
        shown = ", ".join(map(str, act.faces))
        what = f"A die ({shown}) was thrown" if shown else f"{self.label(act.piece)} was played"
        self.add(self.unclear(f"who attacked where? {what}, and no attack was declared", "10.1"), "attack", side, act)
        self.loose = self.unsure = self.guessed = True
        return False

    # ------------------------------------------------------------------------------------------------ cards

    def _draw(self, found: list[Act], at: int) -> int:
        """Cards drawn one after another are one draw; of several pools several."""
        first = found[at]
        run, n = [first], at + 1
        while n < len(found) and (found[n].kind in SILENT or (found[n].kind, found[n].frm, found[n].to) == (CARD, first.frm, first.to)):
            if found[n].kind == CARD:
                run.append(found[n])
            n += 1
        if all(self.stands(act) for act in run):
            for act in run:
                self.facts.take(act)
            self._skip(found, at, n)
            return n
        for size in range(len(run), 0, -1):
            some = run[:size]
            result = self._find(lambda q, some=some: can.drawn(self.g, q, some), self.facts)  # type: ignore[misc]
            if not isinstance(result, list):
                for act in some:
                    self.facts.take(act)
                self._commit(some[-1], result)
                if size == len(run):
                    self._skip(found, at, n)
                return at + size if size < len(run) else n
        if self._drawn_too_little(found, at, run):
            return at + len(run)
        if self._put_back_later(found, at):
            return at + 1
        for act in run:
            self.facts.take(act)
        self._another_draw(run)
        self._skip(found, at, n)
        return n

    def _drawn_too_little(self, found: list[Act], at: int, run: Sequence[Act]) -> bool:
        """Fewer cards than are drawn now: the others come later in this stretch, and all are one draw; or they do not come at all: who
        takes fewer gains nothing by it, and play goes on."""
        first, q = run[0], self._windows_closed()
        if q.frame.step != "draw":
            return False
        side, count, operational = q.frame.data
        pool = OPERATIONAL_DECK if operational else DECKS[int(str(side))]
        if (first.frm, first.to) != (pool, f"{SIDES[int(str(side))]}-hand") or len(run) >= int(str(count)):
            return False
        others = [a for a in found[at + 1 :] if (a.kind, a.frm, a.to) == (CARD, first.frm, first.to) and a not in run]
        others = others[: int(str(count)) - len(run)]
        whole = [*run, *others]
        if len(whole) == count:
            result = self._find(lambda q: can.drawn(self.g, q, whole), self.facts)
            if isinstance(result, list):
                return False
            found[at:] = [a for a in found[at:] if a not in others]
            for act in whole:
                self.facts.take(act)
            self._commit(run[-1], result)
            return True
        self.p = q
        for act in run:
            self.facts.take(act)
            self.put(act)
        self.p = self.book.settled(alter(self.p, agenda=self.p.agenda[:-1]))
        said = f"step {first.step}: {SIDE_NAMES[int(str(side))]} draw {len(run)} of {count} cards"
        self.note(said)
        self.short[first.frm, first.to] = int(str(count)) - len(run)
        self.add(Ruled(Verdict.LEGAL), "draw", int(str(side)), first, pieces=tuple(a.piece for a in run), secret=True)
        return True

    def _another_draw(self, run: Sequence[Act]) -> None:
        """Cards that no draw of this step is for: those that were missing earlier, or too many; a question while a draw of the same pool
        is still to come."""
        first = run[0]
        side, operational = self.side_of(first), first.frm == OPERATIONAL_DECK
        for act in run:
            self.put(act)
        missing = self.short.get((first.frm, first.to), 0)
        self.short[first.frm, first.to] = max(0, missing - len(run))
        step = "draw_operational" if operational else "draw_national"
        to_come = any(ph.step == step and ph.side == side for ph in self.g.terms.phases[max(self.p.phase, 0) :])
        pieces = tuple(act.piece for act in run)
        if len(run) <= missing:
            ruled = Ruled(Verdict.LEGAL)
        elif to_come or first.frm not in (OPERATIONAL_DECK, *DECKS):
            ruled = self.unclear("why were these cards drawn? No draw of this step is for so many of this pool", "3.1")
        else:
            names = " and ".join(map(self.label, pieces))
            para = "3.1.b" if operational else "3.1.a"
            said = f"{names}: {len(run) - missing} more than is drawn"
            ruled = self._as_far_as_told(Ruled(Verdict.ILLEGAL, (para,), (), said, frozenset(("drawn-too-many",))), side)
        self.add(ruled, "draw", side, first, pieces=pieces, secret=True)

    def _put_back_later(self, found: list[Act], at: int) -> bool:
        """A card that is put back into its deck in the same phase was not drawn."""
        act = found[at]
        phases = self.g.terms.phases
        lists = [found, *(later for stint, later in self.coming if phases[stint.phase].phase == phases[self.phase].phase)]
        for list_ in lists:
            for n in range(at + 1 if list_ is found else 0, len(list_)):
                later = list_[n]
                if later.kind == CARD and later.pieces == act.pieces:
                    if later.to != act.frm:
                        return False
                    del list_[n]
                    self._put_back(act)
                    return True
        return False

    def _card(self, found: Sequence[Act], at: int, after: Facts) -> None:
        g, act = self.g, found[at]
        aims = list(dict.fromkeys((*self.aims, *self._coming(found, at), *self._zones(self.targets))))
        for later in found[at + 1 :]:
            if later.kind == TALK and later.words[0] == "AGAIN" and len(later.words) > 1 and later.words[1].isdecimal():
                self.die = int(later.words[1])
            elif later.kind not in SILENT and later.kind != TALK:
                break
        ways, refused = self._ways(lambda q: can.card(g, q, act, aims=aims, die=self.die), after)
        if not ways and act.to == PLAYED and act.frm.endswith("-hand"):
            ways, refused = self._untold(act, after, refused)
        free = self.p.combat is not None and self.p.combat.free
        if not ways and not free and self._unfinished():
            ways, refused = self._ways(lambda q: can.card(g, q, act, aims=aims, die=self.die), after)
        laid = act.to == PLAYED and bool(g.cards.operational >> g.cards.index[act.piece] & 1)
        if not ways and laid and not free and not self.loose and self._guess(found, at, act):
            ways, refused = self._ways(lambda q: can.card(g, q, act, aims=aims, die=self.die), after)
        self.facts.take(act)
        if ways:
            self.aims, self.die = [], 0
            self._commit(act, self._likeliest(ways, act, found[at + 1 :]))
            return
        hands = [f"{side}-hand" for side in SIDES]
        if act.to != PLAYED and (act.frm, act.to) == (hands[SOVIET], hands[WEST]) and self._lent_back(act):
            return
        if act.to != PLAYED and (act.frm, act.to) != (hands[WEST], hands[SOVIET]):
            self.put(act)  # back into its deck: nobody gains by it
            return
        if self.loose:
            self.put(act)
            return
        self._judge(act, refused)
        self.put(act)

    def _lent_back(self, act: Act) -> bool:
        """The card that was lent goes back before it was of any use: nothing was lent (11.9)."""
        card = 1 << self.g.cards.index[act.piece]
        if not self.p.sealed[WEST].lent & card:
            return False
        self._put_back(act)
        self.put(act)
        self.p = alter(seal(seal(self.p, WEST, lent=0), SOVIET, lent=0), lent=False)
        return True

    def _untold(self, act: Act, after: Facts, refused: list[Refusal]) -> tuple[list[Way], list[Refusal]]:
        """A card of which nobody said what it is for: every zone and formation is thought of, also those that lie turned over, as nobody
        turns one up for it."""
        g = self.g
        everything = (*g.gfs.ids, *g.land.places.names[: g.land.size])
        ways, more = self._ways(lambda q: can.card(g, q, act, aims=everything, die=0), after, every=True)
        return ways, refused or more

    def _coming(self, found: Sequence[Act], at: int) -> Iterator[str]:
        """What a card just played is said to be for in the words that follow it."""
        for later in found[at + 1 :]:
            if later.kind == TALK and later.words[0] in ("AIM", "TGT") and len(later.words) > 1:
                yield from (later.words[1],) if later.words[0] == "AIM" else self._zones((later.words[1],))
            elif later.kind not in (*SILENT, TALK, CHAT):
                return

    def _zones(self, gfs: Iterable[str]) -> Iterator[str]:
        """The zones in which formations stand."""
        for name in gfs:
            place = self.p.gf_at[self.g.gfs.index[name]] if name in self.g.gfs.index else self.g.land.size
            if place < self.g.land.size:
                yield self.g.land.name(place)

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

    # -------------------------------------------------------------------------------------- order of play

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

    def _left_open(self, stint: Stint) -> None:
        """A step is left although something in it is still owed."""
        step = stint.end_step or self.log.steps
        act = Act(TALK, step)
        side = self.step_of(self.p.phase).side
        name = phase_name(self.step_of(self.p.phase))
        if self.p.frame.by == (CHANCE,):
            asked = self.unclear(f"what was thrown or drawn in this step? The log does not hold it: {name}", "2")
            self.add(asked, "phase-end", side, act)
            return
        owed = self.court.owed(self.p)
        if owed:
            self._owed(owed)

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

    def _finish(self, stint: Stint) -> None:
        """What waits where the log stops."""
        side = self.step_of(self.p.phase).side if self.p.phase >= 0 else -1
        act = Act(TALK, self.log.steps)
        for reason in self.court.owed(self.p) if not self.p.result else ():
            if reason.code in _NOT_HERE:
                continue
            by = self.p.frame.by[0] if self.p.frame.by else ""
            whose = SIDES.index(by) if by in SIDES else side
            self.wait(self.court.against((reason,), None), "duty", whose, act, secret=True)


def _reserves(g: Setting) -> tuple[str, ...]:
    """The Strategic Reserves, as places of the table."""
    return tuple(g.land.places.names[g.reserve(side)] for side in range(len(SIDES)))


def _verb(a: Action) -> str:
    """The verb of an action's notation."""
    return str(a).split(" ", 2)[1]


def _pieces(a: Action) -> tuple[str, ...]:
    """The counters and cards that an action names."""
    found: list[str] = []
    for name in ("unit", "gf", "card"):
        if value := getattr(a, name, ""):
            found.append(value)
    found += getattr(a, "gfs", ())
    found += getattr(a, "cards", ())
    return tuple(found)


def owners(game: OverlordToBerlin) -> dict[str, str]:
    """Side, as findings name it -> the player who runs it."""
    if game.setting.terms.three_seats:
        return {side: side for side in SIDES}
    return dict(zip(SIDES, PLAYERS, strict=True))


__all__ = ["Reader", "owners"]
