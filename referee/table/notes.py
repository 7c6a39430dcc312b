"""What a reader has to say about a file beside what happened in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_MOST_NOTES: Final = 200


class Notes:
    """Notes in the order in which they were made; a file with hundreds of faults has so many and one that says that there are more."""

    def __init__(self, notes: Iterable[str] = ()) -> None:
        self.all: list[str] = list(notes)

    def add(self, text: str) -> None:
        """Adds one."""
        if len(self.all) < _MOST_NOTES:
            self.all.append(text)
        elif len(self.all) == _MOST_NOTES:
            self.all.append("there are more notes; they were left out")
