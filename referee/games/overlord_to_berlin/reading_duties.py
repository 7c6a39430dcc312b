"""What is owed: losses of a combat, what a step leaves undone, dice that belong to nothing, what waits where the log stops."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.overlord_to_berlin import reading_losses as bleeding
from referee.games.overlord_to_berlin.land import SIDES
from referee.games.overlord_to_berlin.reading_points import Points
from referee.games.overlord_to_berlin.reading_sheet import CHANCE
from referee.games.overlord_to_berlin.reading_table import CARD, DIE, TALK, Act
from referee.games.overlord_to_berlin.reading_verdicts import NOT_HERE
from referee.games.overlord_to_berlin.showing import ENDED_BY_TRACKER, phase_name
from referee.rules.model import Reason, Verdict
from referee.rules.reading import Stint, fresh


class Duties(Points):
    """Asks for what is owed when something else begins or a step is over."""

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

    def _finish(self, stint: Stint) -> None:
        """What waits where the log stops."""
        side = self.step_of(self.p.phase).side if self.p.phase >= 0 else -1
        act = Act(TALK, self.log.steps)
        for reason in self.court.owed(self.p) if not self.p.result else ():
            if reason.code in NOT_HERE:
                continue
            by = self.p.frame.by[0] if self.p.frame.by else ""
            whose = SIDES.index(by) if by in SIDES else side
            self.wait(self.court.against((reason,), None), "duty", whose, act, secret=True)
