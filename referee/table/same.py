"""Values as keys of caches by what they are, not by what is in them."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class Same(Generic[T]):
    """A value that never changes as a key of a cache: it is known by being the very same object, which the cache keeps alive."""

    def __init__(self, it: T) -> None:
        self.it = it

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.it is self.it

    def __hash__(self) -> int:
        return id(self.it)
