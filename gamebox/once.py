"""What follows from a whole box and its layout is worked out once, while the same ones are asked about again and again."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
KEPT = 4
"""Results that are kept of each function: of the games that are worked on at a time."""


def once(function: Callable[P, T]) -> Callable[P, T]:
    """A pure function of large values that never change, of which it keeps the last few results.

    Its arguments are told apart by what they are, not by what is in them: to compare two boxes would take longer than the work. What it
    returns is everybody's: nobody may change it.
    """
    kept: list[tuple[tuple[object, ...], T]] = []

    @wraps(function)
    def known(*args: P.args, **kwargs: P.kwargs) -> T:
        asked = (*args, *kwargs.keys(), *kwargs.values())
        for before, result in kept:
            if len(before) == len(asked) and all(a is b for a, b in zip(before, asked, strict=True)):
                return result
        result = function(*args, **kwargs)
        kept.append((asked, result))
        del kept[:-KEPT]
        return result

    return known
