"""What a build says when it is done, and when it refuses."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

VERSION = 1
"""Of the JSON form."""


class BuildError(Exception):
    """Nothing was built; the message says why and what to do, one line each."""


@dataclass(frozen=True, slots=True)
class Report:
    """What was built. ``version`` is the module's, ``game_version`` that of the game's data.

    ``content`` is a SHA-256 over all entries but the identity; ``changed`` False when the file was so already. ``drawn`` counts the
    pictures that were rendered; the others of ``pictures`` were at hand from an earlier build.
    """

    game: str
    version: str
    game_version: str
    file: Path
    size: int
    data: str
    content: str
    entries: int
    counters: int
    allocated: tuple[str, ...]
    changed: bool
    warnings: tuple[str, ...]
    pictures: int = 0
    drawn: int = 0
    released: bool = False
    """Whether people are given this very version (``modgen release``)."""

    def as_json(self) -> dict[str, Any]:
        """The report for programs."""
        return {
            "version": VERSION,
            "game": self.game,
            "module_version": self.version,
            "game_version": self.game_version,
            "file": self.file.as_posix(),
            "bytes": self.size,
            "data": self.data,
            "content": self.content,
            "entries": self.entries,
            "counters": self.counters,
            "pictures": self.pictures,
            "drawn": self.drawn,
            "released": self.released,
            "allocated": list(self.allocated),
            "changed": self.changed,
            "warnings": list(self.warnings),
        }
