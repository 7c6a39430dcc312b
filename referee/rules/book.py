"""A rulebook, compiled: box + scenario + options + rules version. Everything a caller does with a game goes through a ``Book``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, islice
from types import MappingProxyType
from typing import Generic, TypeVar

from referee.rules.model import CHANCE, LEGAL, Action, Alternatives, Done, Frame, Position, Reason, Roll, Ruling, Verdict, cite
from referee.rules.notation import by_known_hand
from referee.rules.step import Explains, Game, Reacts

P = TypeVar("P", bound=Position)


class Book(Generic[P]):
    """One game with one scenario and one set of options, ready to judge."""

    def __init__(self, game: Game[P]) -> None:
        self.game = game
        self._steps, self._players = game.steps, game.players
        self._others = {name: step.others for name, step in game.steps.items() if isinstance(step, Reacts)}
        self.overlay: Mapping[str, str] = MappingProxyType({})
        """What was laid over the game's data, file name -> text (``Box.overlay``), as records embed it."""

    def start(self) -> P:
        """The first position of the scenario."""
        return self.settled(self.game.start())

    def check(self, p: P, a: Action, *, every: bool = False, without: frozenset[str] = frozenset()) -> Ruling:
        """The ruling on one action: the first reason against it, or with ``every`` all of them (that the decision is another
        player's only when nothing speaks against the action itself).

        ``without`` names checks (reason codes) to leave out, as if their lines were deleted from the rules.
        Judges the mover's view only, so that a ruling cannot tell what he may not know. Never raises on a player's error.
        """
        by = a.by
        v = self.game.view(p, None if by == CHANCE else by)
        frame = v.agenda[-1]
        step = self._steps[frame.step]
        if type(a) is Done:
            found = step.duties(v)
            if by not in frame.by and frame.by:
                found = chain((self.game.wrong_hand(v, a),), found)
        else:
            found = step.judge(v, a)
            if by not in frame.by and by not in self._reacting(frame.step, v):
                found = self._by_another_hand(v, a, found)
        reasons: list[Reason] = []
        for reason in found:
            if reason.code not in without:
                reasons.append(reason)
                if not every:
                    break
        return Ruling(Verdict.ILLEGAL, tuple(reasons)) if reasons else LEGAL

    def _by_another_hand(self, v: P, a: Action, found: Iterator[Reason]) -> Iterator[Reason]:
        """The reasons against the action; where there are none, that the decision is another player's."""
        refused = False
        for reason in found:
            refused = True
            yield reason
        if not refused:
            yield self.game.wrong_hand(v, a)

    def play(self, p: P, a: Action) -> P:
        """The position after the action, with everything automatic carried out. Unchecked: give it only legal actions."""
        return self.settled(self._steps[p.agenda[-1].step].apply(p, a))

    def stages(self, p: P, a: Action) -> Iterator[P]:
        """The positions on the way from one action to the next decision: after the action itself, then after each automatic step."""
        q = self._steps[p.agenda[-1].step].apply(p, a)
        yield q
        while q.agenda:
            following = self._steps[q.agenda[-1].step].settle(q)
            if following is None:
                return
            q = following
            yield q

    def settled(self, p: P) -> P:
        """The position after all frames that leave no choice."""
        while p.agenda:
            following = self._steps[p.agenda[-1].step].settle(p)
            if following is None:
                return p
            p = following
        return p

    def legal(self, p: P, by: str | None = None, about: int | None = None) -> Iterator[Action]:
        """The legal actions, canonical and factored, in a fixed order (rolls: every face). Each player's are worked out from his own
        view, so that they cannot tell what he may not know; those who may only react come after those who have to decide.

        None although the game is not over: what the phase owes can no longer be met (``duties`` says what), as at a table where
        the last move has to be taken back. Positions are values, so going on from an earlier one takes it back.
        """
        frame = p.agenda[-1]
        step = self._steps[frame.step]
        actors = (*frame.by, *[player for player in self._reacting(frame.step, p) if player not in frame.by])
        if by is not None:
            actors = tuple(player for player in actors if player == by)
        for player in actors:
            v = p if player == CHANCE else self.game.view(p, player)
            for a in step.choices(v, about):
                if a.by == player:
                    yield a
        if about is None and CHANCE not in frame.by:
            for player in frame.by:
                if by in (None, player) and not any(True for _ in step.duties(self.game.view(p, player))):
                    yield Done(player)

    def explain(self, p: P, a: Action) -> Alternatives:
        """What would have been legal: for a move its reach and the nearest place, for anything else the choices of the same unit
        (or, when it has none, of the step), as far as whoever acts may know. Slow; for reports, never for rulings."""
        step = self._steps[p.agenda[-1].step]
        eligible = (*p.agenda[-1].by, *self._reacting(p.agenda[-1].step, p))
        by = a.by if a.by in eligible else None
        v = p if a.by == CHANCE else self.game.view(p, a.by)
        if isinstance(step, Explains) and (told := step.explain(v, a)) is not None:
            return told
        subject = self.game.subject(a)
        legal = tuple(islice(self.legal(v, by, about=subject), 6)) if subject is not None else ()
        legal = legal or tuple(islice(self.legal(v, by), 6))
        return Alternatives("legal now: " + "; ".join(map(str, legal)) if legal else "nothing is legal now", legal)

    def duties(self, p: P, by: str | None = None) -> tuple[Reason, ...]:
        """What ``done`` would be refused for now; as far as that side may know, where one is named."""
        return tuple(self._steps[p.agenda[-1].step].duties(self.game.view(p, by)))

    def _reacting(self, step: str, p: P) -> tuple[str, ...]:
        """Who may act in this step besides those whom the frame names."""
        others = self._others.get(step)
        return () if others is None else others(p)

    def over(self, p: P) -> bool:
        """True when the game has ended."""
        return not p.agenda or p.agenda[-1].by == ()

    def view(self, p: P, side: str | None) -> P:
        """What that side may see (None: everything; ``PUBLIC``, or any word that is no side: what everybody may see)."""
        return self.game.view(p, side)

    def parse(self, text: str) -> Action:
        """An action from its notation. Raises NotationError."""
        return by_known_hand(self.game.parse(text), self._players)

    def sentence(self, reason: Reason) -> str:
        """The reason as one plain sentence with its citation."""
        return self.game.sentence(reason)

    def broken(self, p: P) -> tuple[str, ...]:
        """Invariants of the game that do not hold in this position (always empty, or the engine has a fault)."""
        return tuple(self.game.broken(p))


def roll_reasons(a: Action, key: str, dice: int, faces: int, para: str) -> Iterator[Reason]:
    """Reasons against a roll answer: the wrong action, die or number of faces."""
    if not isinstance(a, Roll) or a.key != key:
        yield Reason("roll-awaited", cite(para), (("key", key),))
    elif len(a.faces) != dice or not all(1 <= f <= faces for f in a.faces):
        yield Reason("no-such-roll", cite(para), (("faces", ",".join(map(str, a.faces))), ("dice", str(dice)), ("sides", str(faces))))


def push(p: Position, frame: Frame) -> tuple[Frame, ...]:
    """The agenda with one more frame on top."""
    return (*p.agenda, frame)
