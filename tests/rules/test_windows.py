"""What the core does where others may act as well and where something is hidden: a side's rulings and lists come from its view."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from referee.rules.book import Book
from referee.rules.model import Action, Done, Frame, Reason, cite
from referee.rules.notation import NotationError, core_action, split, write
from tests.rules.tiny import Pos, Ring


class Secret(Pos, frozen=True, dict=True):
    """The ring with a card for each side that the other does not see (None: not seen)."""

    cards: tuple[int | None, int | None] = (1, 1)
    spent: int = 0


class Card(Action, frozen=True):
    """A side plays its card, in its own phase or the other's."""

    def __str__(self) -> str:
        return write(self.by, "card")


class OpenWalk:
    """Red decides when it ends, and only while its card is out; both may play a card that they hold."""

    def others(self, p: Secret) -> tuple[str, ...]:
        return ("red", "blue")

    def judge(self, p: Secret, a: Action) -> Iterator[Reason]:
        if not isinstance(a, Card):
            yield Reason("wrong-step", cite("1.0"))
        elif not p.cards[("red", "blue").index(a.by)]:
            yield Reason("no-card", cite("1.1"))

    def apply(self, p: Secret, a: Action) -> Secret:
        if isinstance(a, Done):
            return replace(p, agenda=(Frame("over", ()),))
        at = ("red", "blue").index(a.by)
        return replace(p, spent=p.spent + 1, cards=(*p.cards[:at], 0, *p.cards[at + 1 :]))

    def choices(self, p: Secret, about: int | None) -> Iterator[Action]:
        for side, held in zip(("red", "blue"), p.cards, strict=True):
            if held:
                yield Card(side)

    def duties(self, p: Secret) -> Iterator[Reason]:
        if p.cards[0]:
            yield Reason("card-first", cite("1.2"))

    def settle(self, p: Secret) -> Secret | None:
        return None


class Hidden(Ring):
    """The game."""

    def __init__(self) -> None:
        super().__init__()
        self.steps = {**self.steps, "open": OpenWalk()}

    def start(self) -> Secret:
        return Secret(1, (Frame("open", ("red",)),))

    def parse(self, text: str) -> Action:
        core = core_action(text)
        if core is None and split(text).verb == "card":
            return Card(split(text).by)
        return core or super().parse(text)

    def subject(self, a: Action) -> int | None:
        return None

    def view(self, p: Any, side: str | None) -> Any:
        if side is None:
            return p
        seen = (c if s == side else None for s, c in zip(("red", "blue"), p.cards, strict=True))
        return replace(p, cards=tuple(seen))


BOOK: Book[Any] = Book(Hidden())


def lines(p: Secret, **more: Any) -> list[str]:
    return [str(a) for a in BOOK.legal(p, **more)]


def test_whoever_may_react_acts_out_of_turn_but_never_ends_the_step() -> None:
    p = replace(BOOK.start(), cards=(0, 1))
    assert BOOK.check(p, Card("blue")).legal
    assert [r.code for r in BOOK.check(p, Done("blue")).reasons] == ["not-yours"]
    assert lines(p) == ["blue card", "red done"]
    assert lines(p, by="blue") == ["blue card"]
    assert lines(p, by="red") == ["red done"]


def test_somebody_who_is_not_asked_is_told_so() -> None:
    p = replace(BOOK.start(), agenda=(Frame("walk", ("red",)),))
    assert [r.code for r in BOOK.check(p, BOOK.parse("blue walk r-1 > b")).reasons] == ["not-yours"]
    assert lines(p, by="blue") == []
    assert lines(BOOK.start(), by="green") == []


@pytest.mark.parametrize("side", ["red", "blue"])
def test_lists_and_rulings_of_a_side_do_not_change_with_what_it_cannot_see(side: str) -> None:
    mine = ("red", "blue").index(side)
    for own in (0, 1):
        pairs = [BOOK.start(), BOOK.start()]
        shown = []
        for other, p in enumerate(pairs):
            p = replace(p, cards=(own, other) if mine == 0 else (other, own))
            rulings = [BOOK.check(p, a) for a in (Card(side), Done(side), BOOK.parse(f"{side} walk r-1 > b"))]
            shown.append((lines(p, by=side), rulings, BOOK.explain(p, Card(side)), BOOK.duties(p, side)))
        assert shown[0] == shown[1]


def test_a_line_may_name_helpers_once() -> None:
    parts = split("red attack r-1 @ a with r-2,b-1")
    assert (parts.start, parts.helped) == ("a", ("r-2", "b-1"))
    assert write("red", "attack", ("r-1",), "a", helped=("r-2", "b-1")) == "red attack r-1 @ a with r-2,b-1"
    with pytest.raises(NotationError, match="twice"):
        split("red attack r-1 with r-2,r-2")
