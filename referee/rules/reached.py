"""Where a log leads, as a game tells it to whoever asks for the position instead of the verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from referee.rules.model import Position

P = TypeVar("P", bound=Position)


@dataclass(frozen=True, slots=True)
class Reached(Generic[P]):
    """The position that a log leads to (``laid_out.position_after`` of a game), and what is to be said of it."""

    position: P
    since: Mapping[str, str]
    """Place -> when it last changed hands, as far as the log tells."""
    notes: tuple[str, ...]
    """What was assumed."""
    whose_note: Mapping[str, str]
    """Notes that concern one side only -> that side."""
