"""How an act that no reading makes lawful is judged: by which refusal, as a breach or as a question, in which words.

Nobody is accused by what the log does not tell: which of two markers paid, what was before the log began, which reading was meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.games.overlord_to_berlin import reading_acts as can
from referee.games.overlord_to_berlin import reading_losses as bleeding
from referee.games.overlord_to_berlin.actions import Attack
from referee.games.overlord_to_berlin.land import SIDES, WEST
from referee.games.overlord_to_berlin.position import Pos
from referee.games.overlord_to_berlin.reading_plain import plainly
from referee.games.overlord_to_berlin.reading_progress import Progress
from referee.games.overlord_to_berlin.reading_sheet import pieces_of, verb_of
from referee.games.overlord_to_berlin.reading_table import CARD, CHAT, DIE, FLIP, GF, TALK, TURN, UNIT, Act
from referee.games.overlord_to_berlin.showing import phase_name
from referee.games.overlord_to_berlin.terms import TRACKS_OF
from referee.rules.model import Action, Reason, Verdict
from referee.rules.reading import Ruled, fresh

NOT_HERE = frozenset(
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
_KINDS = {GF: "move", UNIT: "move", TURN: "turn", FLIP: "turn", CARD: "card", DIE: "roll", TALK: "declare", CHAT: "declare"}


@dataclass(slots=True)
class Refusal:
    """A candidate that was refused, where, and why."""

    p: Pos
    action: Action
    reasons: tuple[Reason, ...]


class Verdicts(Progress):
    """Writes down what is wrong, as far as the log tells it."""

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
        """What no reading makes lawful, told by the refusal that it is judged by."""
        side = self.side_of(act)
        if self._too_many(act, side):
            return
        chosen = self._chosen(refusals)
        public = act.to.endswith(("-losses", "-destroyed")) or can.is_zone(self.g, act.to)
        secret = act.kind in (UNIT, FLIP) and not public
        if chosen is None and self._plainly(act, side, secret=secret):
            return
        if chosen is None:
            self._of_no_step(act, side, next(iter(refusals), None), secret=secret)
            return
        lenient = self.court.lenient
        soft = None if lenient is None else lenient.check(fresh(chosen.p), chosen.action, every=True).reasons
        ruled = self._as_far_as_told(self.court.against(chosen.reasons, soft), side)
        told = ruled.verdict is not Verdict.UNCLEAR and not self.trying
        instead = self.book.explain(chosen.p, chosen.action).text if told else ""
        a = chosen.action
        secret = secret or any(reason.code in _OF_HIDDEN for reason in chosen.reasons)
        self.add(ruled, verb_of(a), side, act, action=a, pieces=pieces_of(a), instead=instead, secret=secret)

    def _of_no_step(self, act: Act, side: int, wrong: Refusal | None, *, secret: bool) -> None:
        """What no rule of this step does: a breach of the side that is not on move, a question to the other. ``wrong``: the likeliest of
        what it can have been."""
        names = " and ".join(map(self.label, act.pieces)) or "this"
        attack = wrong is not None and isinstance(wrong.action, Attack)
        kind = "attack" if attack else _KINDS[act.kind]
        theirs = side != self.step_of(self.phase).side and not self._fighting() and not self._blind() and not self.middle
        if wrong is not None and theirs and act.kind == GF and not self.guessed:
            what = f"this is no time for {names} to attack" if attack else f"{names} cannot move now"
            ruled = Ruled(Verdict.ILLEGAL, ("2",), (), f"{what}: it is {phase_name(self.step_of(self.phase))}")
            self.add(ruled, kind, side, act, action=wrong.action, secret=secret)
            return
        asked = f"did {names} attack? " if attack else f"what was done with {names}? {self._place_words(act)}"
        self.add(self.unclear(f"{asked}no rule of this step does so", "2"), kind, side, act, secret=secret)

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
        here = [r for r in refusals if not any(x.code in NOT_HERE or self._of_the_west(x.code, r) for x in r.reasons)]
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
