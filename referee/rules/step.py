"""What a game hands to the core: its steps, one a kind of frame, and the game as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol, TypeVar, runtime_checkable

from referee.rules.layout import Layout
from referee.rules.model import Action, Alternatives, Position, Reason

P = TypeVar("P", bound=Position)


class Step(Protocol[P]):
    """One kind of frame. A game has one class a step, in the module of its chapter."""

    def judge(self, p: P, a: Action) -> Iterator[Reason]:
        """Every reason against the action, cheap and certain ones first; nothing yielded means legal."""
        ...

    def apply(self, p: P, a: Action) -> P:
        """The position after a legal action; unchecked."""
        ...

    def choices(self, p: P, about: int | None) -> Iterator[Action]:
        """The legal canonical actions, lazily, in a fixed order; only those of one unit when ``about`` is given."""
        ...

    def duties(self, p: P) -> Iterator[Reason]:
        """What ``done`` would be refused for."""
        ...

    def settle(self, p: P) -> P | None:
        """Answers the frame when no choice is left; None = it waits for an action."""
        ...


@runtime_checkable
class Explains(Protocol):
    """A step that can say what would have been legal better than a list of its choices does."""

    def explain(self, p: Any, a: Action) -> Alternatives | None:
        """The alternatives to a refused action of this step's own kind; None for any other."""
        ...


@runtime_checkable
class Reacts(Protocol):
    """A step in which others than those who have to decide may act as well: windows that open whatever anybody holds."""

    def others(self, p: Any) -> tuple[str, ...]:
        """Who may act besides those that the frame names, in the order in which they are asked; they never end the step. Must not
        depend on what is hidden from anybody."""
        ...


class Game(Protocol[P]):
    """What a game package hands to ``Book``: its steps, its first position, its notation and its sentences."""

    @property
    def id(self) -> str: ...
    @property
    def scenario(self) -> str: ...
    @property
    def options(self) -> frozenset[str]: ...
    @property
    def rules(self) -> int:
        """The rules version: it rises whenever a ruling or an amendment makes the same action come out differently."""
        ...

    @property
    def data(self) -> str:
        """The hash of the box that the rules were compiled from (``Box.data_hash``)."""
        ...

    @property
    def players(self) -> tuple[str, ...]:
        """Who acts: the words that an action may begin with, chance aside."""
        ...

    @property
    def layout(self) -> Layout:
        """How positions read as text."""
        ...

    @property
    def steps(self) -> Mapping[str, Step[P]]: ...
    def start(self) -> P: ...
    def parse(self, text: str) -> Action: ...
    def sentence(self, reason: Reason) -> str: ...
    def unit(self, piece: str) -> int: ...
    def subject(self, a: Action) -> int | None: ...
    def wrong_step(self, p: P, a: Action) -> Reason: ...
    def wrong_hand(self, p: P, a: Action) -> Reason: ...
    def view(self, p: P, side: str | None) -> P: ...
    def broken(self, p: P) -> Iterator[str]: ...
