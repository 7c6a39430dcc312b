"""What the reading of one log carries from act to act, and where in the order of play it is."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.overlord_to_berlin import reading_losses as bleeding
from referee.games.overlord_to_berlin.game import OverlordToBerlin
from referee.games.overlord_to_berlin.land import SIDES
from referee.games.overlord_to_berlin.position import Combat, Pos
from referee.games.overlord_to_berlin.reading_sheet import CHANCE
from referee.games.overlord_to_berlin.reading_start import Beginning
from referee.games.overlord_to_berlin.reading_table import DIE, GF, PR, SILENT, TALK, UNIT, Act
from referee.games.overlord_to_berlin.showing import ENDED_BY_TRACKER
from referee.rules.events import TableLog
from referee.rules.model import Action, Done
from referee.rules.reading import Court, Stint

FAR = 60
"""So many ends of steps and windows are passed in search of the one that an act belongs to."""


class Progress(Beginning):
    """The state of a reading, and small questions about it."""

    def __init__(self, court: Court[Pos], game: OverlordToBerlin, log: TableLog) -> None:
        super().__init__(court, game, log)
        self.conceded = False
        """Somebody has given the game up in chat, and nothing was done after it."""
        self.attackers: list[str] = []
        """Formations named for the next attack: the first attacks, the others support it."""
        self.targets: list[str] = []
        """Formations that were aimed at in table talk."""
        self.declared_at = Act(TALK, 0)
        """The words that named the attackers."""
        self.aims: list[str] = []
        """What the next stratagem was said to be for: formations, zones."""
        self.die = 0
        """The die that was said to be thrown again, from 1; 0 = nobody said so."""
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
        """How many trials deep the reading is: what is read on trial is forgotten."""
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

    def _order(self, p: Pos) -> int:
        """Where in the whole game a position is: steps of the order of play since its beginning."""
        return p.turn * len(self.g.terms.phases) + p.phase

    def _limit(self) -> int:
        """The last step of the phase that the tracker shows: an action of a later step closes the earlier ones (R-F41)."""
        phases = self.g.terms.phases
        last = max(i for i, phase in enumerate(phases) if phase.phase == phases[self.phase].phase)
        return self.turn * len(phases) + last

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

    def _windows_closed(self) -> Pos:
        """The position once all windows that are open have been closed."""
        q = self.p
        for _ in range(FAR):
            if q.frame.step in ENDED_BY_TRACKER or (closed := self._closed(q, 0)) is None:
                break
            q = closed[1]
        return q

    def _fighting(self) -> bool:
        """Whether a combat or a window is under way in the step."""
        return self.p.combat is not None or len(self.p.agenda) > 2

    def _blind(self) -> bool:
        """Dice of this step belong to no combat that was read: then a retreat explains what looks like a move."""
        return any(act.kind == DIE for act in self.held) or self.loose

    def _unexplained(self) -> bool:
        """Something waits that is none of the losses of a running combat."""
        return any(self.p.combat is None or not bleeding.is_loss(self.g, act) for act in self.held)

    def _in_step(self) -> bool:
        """Whether every counter lies where the position has it."""
        names = ((GF, self.g.gfs.ids), (UNIT, self.g.units.ids))
        acts = (Act(kind, 0, (name,), to=self.facts.at.get(name, "")) for kind, ids in names for name in ids)
        return all(self.stands(act) for act in acts if self.place(act.to) >= 0)

    def _skip(self, found: Sequence[Act], at: int, until: int) -> None:
        """Acts that are passed over: markers that moved among them are still where they were moved to."""
        for act in found[at:until]:
            if act.kind in SILENT:
                self.tracks_used = self.tracks_used or act.kind == PR
                self.facts.take(act)

    def _whose(self, a: Action, act: Act) -> int:
        """The side that an action is about: whose counters it moves, else who acts."""
        side = self.side_of(act)
        if side >= 0:
            return side
        return SIDES.index(a.by) if a.by in SIDES else self.step_of(self.phase).side
