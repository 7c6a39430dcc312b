"""Who may read what: audits and positions for everybody, for one side, or for the director (design: hidden information).

A finding about what only its owner sees is left out for all others; when it is a refusal, they hear that one was made and no more.
Games without hidden things are told whole to everybody, and so is every game that has ended.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from msgspec.structs import replace

from referee.rules.book import Book
from referee.rules.model import PUBLIC, Verdict
from referee.rules.options import UsageError
from referee.rules.reading import Finding
from referee.table.judge import Judgement

DIRECTOR: Final = "director"


@dataclass(frozen=True, slots=True)
class Readership:
    """Who something is told to: ``sides`` are those whose secrets he may know; the director knows all."""

    name: str
    sides: frozenset[str]
    whole: bool

    def sees(self, secret: str) -> bool:
        """Whether he may know a secret of this side ("" = of nobody)."""
        return self.whole or not secret or secret in self.sides


def readership(name: str, owner: Mapping[str, str], *, secrets: bool, over: bool) -> Readership:
    """A reader by name: ``public``, ``director``, a side, or a player who runs sides. Raises UsageError for another.

    ``owner``: side -> the player who runs it. ``secrets``: whether the game hides things. ``over``: whether it has ended.
    """
    wanted = name.casefold().replace(" ", "-")
    over = over or not secrets
    if wanted in (PUBLIC, DIRECTOR):
        return Readership(wanted, frozenset(), over or wanted == DIRECTOR)
    player = next((who for side, who in owner.items() if wanted in (side.casefold().replace(" ", "-"), who)), None)
    if player is None:
        known = ", ".join((PUBLIC, DIRECTOR, *sorted({*owner, *owner.values()})))
        raise UsageError(f"there is no reader {name!r}; there are: {known}")
    return Readership(wanted, frozenset(side for side, who in owner.items() if who == player), over)


def findings_for(reader: Readership, judgement: Judgement) -> tuple[Finding, ...]:
    """The findings as this reader may have them."""
    if reader.whole:
        return judgement.findings
    return tuple(told for f in judgement.findings if (told := _told(reader, f)) is not None)


def view_for(reader: Readership, book: Book[Any], p: Any) -> Any:
    """The position as this reader may see it: all of it, what one of his sides sees, or what everybody does."""
    # Those who share a player share what they see.
    return book.view(p, None if reader.whole else min(reader.sides, default=PUBLIC))


def notes_for(reader: Readership, notes: Sequence[str], whose: Mapping[str, str]) -> tuple[str, ...]:
    """The notes that this reader may have; ``whose``: notes about one side's own affairs -> that side."""
    return tuple(note for note in notes if reader.sees(whose.get(note, "")))


def _told(reader: Readership, f: Finding) -> Finding | None:
    if not reader.sees(f.secret):
        if f.verdict is not Verdict.ILLEGAL:
            return None
        return Finding(
            step=f.step,
            first=f.first,
            turn=f.turn,
            phase=f.phase,
            side=f.side,
            kind="hidden",
            verdict=f.verdict,
            message="a hidden action was refused",
        )
    # What would have been legal is worked out from everything its owner has.
    return f if reader.sees(f.side) else replace(f, instead="")
