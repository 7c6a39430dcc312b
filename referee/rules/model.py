"""The core's values: positions, actions, frames, reasons and rulings. Game-neutral, immutable, hashable.

A game subclasses ``Position`` and ``Action``; everything that changes a position is an action (rolls included).
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import Final, final

import msgspec

CHANCE: Final = "chance"
"""Who makes rolls and draws: nobody at the table."""
PUBLIC: Final = "public"
"""Who watches and runs no side: he sees what everybody may see, and no more."""


class Verdict(StrEnum):
    """The referee's answer. ``check`` gives LEGAL or ILLEGAL; the judge of logs adds the other two."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    DOUBTFUL = "doubtful"
    UNCLEAR = "unclear"


class Cite(msgspec.Struct, frozen=True):
    """What a reason rests on: a paragraph at its finest level ("5.0.a3"), and a ruling or an option where one decides."""

    para: str
    ruling: str = ""
    option: str = ""

    def __str__(self) -> str:
        extra = ", ".join(x for x in (self.ruling, self.option and f"option {self.option}") if x)
        return f"{self.para} ({extra})" if extra else self.para


@lru_cache(maxsize=1024)
def cite(*texts: str) -> tuple[Cite, ...]:
    """Cites from short texts: ``cite("5.1.p1", "4.0.c1 R-G28", "5.1.p1 R-G116 18/5.3")``."""
    return tuple(Cite(*text.split()) for text in texts)


class Reason(msgspec.Struct, frozen=True):
    """Why an action is refused, or why a step may not end.

    ``code`` names the one check that spoke; ``facts`` are (name, value) pairs for the sentence, which is rendered later;
    ``basis`` names the data cells that the check read ("hexes 2105 terrain").
    """

    code: str
    cites: tuple[Cite, ...]
    facts: tuple[tuple[str, str], ...] = ()
    basis: tuple[str, ...] = ()

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """The cited paragraphs, in order."""
        return tuple(c.para for c in self.cites)

    def fact(self, name: str) -> str:
        """One fact by name, "" when absent."""
        return next((v for n, v in self.facts if n == name), "")


class Ruling(msgspec.Struct, frozen=True):
    """The referee's answer to one action: the verdict and what it rests on (empty when legal)."""

    verdict: Verdict
    reasons: tuple[Reason, ...] = ()

    @property
    def legal(self) -> bool:
        """True only for a plainly legal action."""
        return self.verdict is Verdict.LEGAL


LEGAL: Final = Ruling(Verdict.LEGAL)


class Frame(msgspec.Struct, frozen=True):
    """One resumption point of the agenda: which step waits, for whom, with which plain data."""

    step: str
    by: tuple[str, ...]
    data: tuple[int | str | tuple[int, ...], ...] = ()


class Position(msgspec.Struct, frozen=True, dict=True):
    """Everything on the table at one instant. The last frame of ``agenda`` decides what happens next.

    Games add fields. ``dict=True`` only lets a game cache what it derives from the fields; equality and hash ignore it.
    """

    turn: int
    agenda: tuple[Frame, ...]

    @property
    def frame(self) -> Frame:
        """What waits for an answer."""
        return self.agenda[-1]


class Action(msgspec.Struct, frozen=True):
    """One rules-level step by a player or by chance. ``str()`` gives its notation."""

    by: str


class Alternatives(msgspec.Struct, frozen=True):
    """What would have been legal instead of a refused action, worked out only when asked for."""

    text: str
    """One or two sentences: what stands in the way, and the nearest thing that is allowed."""
    legal: tuple[Action, ...] = ()
    """Legal actions near the refused one, the nearest first; a few."""
    reach: tuple[tuple[str, int], ...] = ()
    """For a move: every place in reach with its cost in MPs."""


class Roll(Action, frozen=True):
    """Dice from outside: ``key`` names what they are for, ``faces`` what they show."""

    key: str
    faces: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.by} roll {self.key} {','.join(map(str, self.faces))}"


@final
class Done(Action, frozen=True):
    """Ends a step, a declaration or a choice that may be declined; refused while a duty is owed."""

    def __str__(self) -> str:
        return f"{self.by} done"


class NotationError(ValueError):
    """A text that is no action: the message says what is wrong and what is allowed; ``word`` is the word it stumbles over, "" the
    whole line."""

    def __init__(self, message: str, word: str = "") -> None:
        super().__init__(message)
        self.word = word
