"""Combats: attacks as they were declared or as the table betrays them, their dice, and which of two throws counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.games.overlord_to_berlin import reading_acts as can
from referee.games.overlord_to_berlin.actions import Ask, Keep
from referee.games.overlord_to_berlin.land import AXIS, SIDES
from referee.games.overlord_to_berlin.position import Pos, members
from referee.games.overlord_to_berlin.reading_acts import Candidate
from referee.games.overlord_to_berlin.reading_moves import Moves
from referee.games.overlord_to_berlin.reading_search import CLEAR, Way
from referee.games.overlord_to_berlin.reading_sheet import CHANCE
from referee.games.overlord_to_berlin.reading_table import CARD, CHAT, DIE, GF, SILENT, TALK, Act, Facts
from referee.games.overlord_to_berlin.units import gfs_in
from referee.rules.model import Done, Roll


class Combats(Moves):
    """Reads attacks and dice."""

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
            clear = len(bad) < 2 or bad[1] - bad[0] >= CLEAR
            if not bad[0] or clear:
                self.guessed = self.guessed or not (clear or bad[:2].count(0) == 1)
                self._commit(act, ways[costs.index(min(costs))])
                return True
        shown = ", ".join(map(str, act.faces))
        what = f"A die ({shown}) was thrown" if shown else f"{self.label(act.piece)} was played"
        self.add(self.unclear(f"who attacked where? {what}, and no attack was declared", "10.1"), "attack", side, act)
        self.loose = self.unsure = self.guessed = True
        return False
