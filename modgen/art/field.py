"""What the map of any board is to those who put things on it: named places with a middle and an outline."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from modgen.art.svg import Point


class Field(Protocol):
    """The places of a map, in pixels of the board at 100 %. Hexes and zones are fields."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the map."""
        ...

    def names(self) -> Iterator[str]:
        """Every place, in the order in which a reader finds them: from the top left."""
        ...

    def centre(self, name: str) -> tuple[int, int]:
        """Where a counter stands in a place, in whole pixels.

        Raises :class:`ArtError` when there is no such place.
        """
        ...

    def outline(self, name: str) -> list[Point]:
        """The corners of a place, clockwise. Raises :class:`ArtError` when there is no such place."""
        ...
