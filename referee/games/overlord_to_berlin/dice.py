"""Dice and the windows after them (R-F43, R-F59): thrown, perhaps thrown again by a stratagem, then read by the chapter that asked.

A chapter asks with ``throwing.throw``; ``OUTCOMES`` says by key who reads the faces when nobody throws again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from referee.games.overlord_to_berlin import stratagems
from referee.games.overlord_to_berlin.actions import Keep, Reroll
from referee.games.overlord_to_berlin.changes import lose_cards
from referee.games.overlord_to_berlin.interrupts import OpenStep
from referee.games.overlord_to_berlin.land import SIDES, WEST
from referee.games.overlord_to_berlin.position import Pos, popped, with_top
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.throwing import paragraph
from referee.rules.book import roll_reasons
from referee.rules.model import CHANCE, Action, Frame, Reason, Roll, cite

Outcome = Callable[[Setting, Pos, tuple[int, ...], tuple[int, ...]], Pos]
"""(book, position with the dice's frames gone, faces, context as given to ``throw``) -> position."""

Window = tuple[str, tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""Data of a ``reroll`` frame: key, faces, per die the set of cards that threw it again, context."""


def window(p: Pos) -> Window:
    """The data of the open ``reroll`` window."""
    return cast(Window, p.frame.data[:4])


class DiceStep:
    """Waits for dice; every face counts as it falls."""

    def __init__(self, g: Setting) -> None:
        self.g = g

    def judge(self, p: Pos, a: Action) -> Iterator[Reason]:
        """So many six-sided dice for what they are thrown."""
        key, count, side = cast(tuple[str, int, int], p.frame.data[:3])
        return roll_reasons(a, key, count, 6, paragraph(key, side))

    def apply(self, p: Pos, a: Action) -> Pos:
        """The window after the throw opens."""
        assert isinstance(a, Roll)
        key, count, side, ctx = cast(tuple[str, int, int, tuple[int, ...]], p.frame.data)
        return with_top(p, Frame("reroll", (SIDES[side],), (key, a.faces, (0,) * count, ctx)))

    def choices(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every throw, dice told apart."""
        key, count = cast(tuple[str, int], p.frame.data[:2])
        faces: list[tuple[int, ...]] = [()]
        for _ in range(count):
            faces = [(*f, n) for f in faces for n in range(1, 7)]
        return (Roll(CHANCE, key, f) for f in faces)

    def duties(self, p: Pos) -> Iterator[Reason]:
        """The dice must be thrown."""
        key, side = cast(tuple[str, int], (p.frame.data[0], p.frame.data[2]))
        yield Reason("roll-awaited", cite(paragraph(key, side)), (("key", key),))

    def settle(self, p: Pos) -> Pos | None:
        """Waits for the dice."""
        return None


_RETHROWS = (("11.5.n", "11.6.e"), ("11.6.e", "11.5.n"), ("11.5.n",))
"""What a side throws a die again by: Propaganda of the Soviets is likened to Szorkeny; of the West, which has no such card, the others'."""


class RerollStep(OpenStep):
    """The window after a throw: any side may throw one die again (11.5, 11.6, R-F59); whoever is on move goes on."""

    anybody = True

    def __init__(self, g: Setting, outcomes: dict[str, Outcome]) -> None:
        super().__init__(g)
        self.outcomes = outcomes

    def judge_own(self, p: Pos, a: Action) -> Iterator[Reason]:
        """A card that throws again, held by the side, once a die; a die that was thrown."""
        g = self.g
        if not isinstance(a, Reroll):
            yield Reason("window-open", cite(*(f"{own} R-F43" for own in _RETHROWS[WEST])), (("action", str(a)),))
            return
        _, faces, used, _ = window(p)
        card, side = g.cards.index[a.card], g.side(a.by)
        if not g.cards.with_effect("reroll_keep_choice") >> card & 1:
            yield Reason("no-reroll-card", cite(*(f"{own} R-F59" for own in _RETHROWS[side])), (("card", g.cards.names[card]),))
        elif not p.sealed[side].hand >> card & 1:
            para = "11.1.b R-F62" if stratagems.foreign(g, side, card) else "11.4 R-F136"
            yield Reason("card-not-held", cite(para), (("card", g.cards.names[card]),))
        if not 1 <= a.die <= len(faces):
            facts = (("die", str(a.die)), ("dice", str(len(faces))))
            yield Reason("no-such-die", cite(*(f"{own} R-F59" for own in _RETHROWS[side])), facts)
        elif used[a.die - 1] >> card & 1:
            facts = (("card", g.cards.names[card]), ("die", str(a.die)))
            yield Reason("rethrown-already", cite(*(f"{own} R-F59" for own in _RETHROWS[side])), facts)

    def apply_own(self, p: Pos, a: Action) -> Pos:
        """The die is thrown again; or, on ``done``, the dice are read."""
        g = self.g
        key, faces, used, ctx = window(p)
        if isinstance(a, Reroll):
            card, side = g.cards.index[a.card], g.side(a.by)
            used = (*used[: a.die - 1], used[a.die - 1] | 1 << card, *used[a.die :])
            q = lose_cards(g, p, side, 1 << card)
            return with_top(q, Frame("reroll-die", (CHANCE,), (key, faces, used, ctx, a.die, side, SIDES.index(p.frame.by[0]))))
        return self.outcomes[key](g, popped(p), faces, ctx)

    def choices_own(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every die with every card of this kind that the side holds."""
        if about is not None:
            return
        g = self.g
        _, faces, used, _ = window(p)
        for side, word in enumerate(SIDES):
            hand = p.sealed[side].hand & g.cards.with_effect("reroll_keep_choice")
            for card, name in enumerate(g.cards.ids):
                if hand >> card & 1:
                    yield from (Reroll(word, name, n) for n in range(1, len(faces) + 1) if not used[n - 1] >> card & 1)


class RerollDie:
    """One die is thrown again."""

    def __init__(self, g: Setting) -> None:
        self.g = g

    def judge(self, p: Pos, a: Action) -> Iterator[Reason]:
        """One die for the same purpose."""
        return roll_reasons(a, str(p.frame.data[0]), 1, 6, _RETHROWS[cast(int, p.frame.data[5])][0])

    def apply(self, p: Pos, a: Action) -> Pos:
        """Whoever played the card picks."""
        assert isinstance(a, Roll)
        side = cast(int, p.frame.data[5])
        return with_top(p, Frame("keep", (SIDES[side],), (*p.frame.data, a.faces[0])))

    def choices(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every face."""
        return (Roll(CHANCE, str(p.frame.data[0]), (n,)) for n in range(1, 7))

    def duties(self, p: Pos) -> Iterator[Reason]:
        """The die must be thrown."""
        key, side = str(p.frame.data[0]), cast(int, p.frame.data[5])
        yield Reason("roll-awaited", cite(*(f"{own} R-F59" for own in _RETHROWS[side])), (("key", key),))

    def settle(self, p: Pos) -> Pos | None:
        """Waits for the die."""
        return None


class KeepStep(OpenStep):
    """The card's player sees both throws and picks (R-F59)."""

    def judge_own(self, p: Pos, a: Action) -> Iterator[Reason]:
        """One of the two."""
        if not isinstance(a, Keep):
            yield Reason("keep-awaited", cite(*(f"{own} R-F59" for own in _RETHROWS[cast(int, p.frame.data[5])])))

    def apply_own(self, p: Pos, a: Action) -> Pos:
        """The window is open again, for other cards."""
        assert isinstance(a, Keep)
        key, faces, used, ctx, die, _, mover, new = cast(
            tuple[str, tuple[int, ...], tuple[int, ...], tuple[int, ...], int, int, int, int], p.frame.data
        )
        if a.which == "new":
            faces = (*faces[: die - 1], new, *faces[die:])
        return with_top(p, Frame("reroll", (SIDES[mover],), (key, faces, used, ctx)))

    def choices_own(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Both."""
        if about is None:
            yield from (Keep(p.frame.by[0], which) for which in ("old", "new"))

    def duties(self, p: Pos) -> Iterator[Reason]:
        """One of them must be named."""
        yield Reason("keep-awaited", cite(*(f"{own} R-F59" for own in _RETHROWS[cast(int, p.frame.data[5])])))
