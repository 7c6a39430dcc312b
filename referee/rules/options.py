"""Options, switches and amendments: how a rulebook is varied without a special case in the code that reads it.

A game keeps one frozen ``Terms`` value: what its rules read instead of constants. An option is a function from terms to
terms; an amendment is the same thing, applied in order up to the rules version asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

import msgspec

T = TypeVar("T")


class UsageError(ValueError):
    """A game, scenario or option that does not exist or does not go with another; the message lists what is allowed."""


class Option(msgspec.Struct, Generic[T], frozen=True):
    """One switch: its name ("18/6.3"), where it may be used, what it needs and excludes, and what it changes."""

    name: str
    change: Callable[[T], T]
    scenarios: frozenset[str]
    needs: frozenset[str] = frozenset()
    excludes: frozenset[str] = frozenset()


def apply_options(terms: T, chosen: Iterable[str], known: Iterable[Option[T]], scenario: str) -> T:
    """The terms with the chosen options applied, in the order of ``known``.

    Raises UsageError for an option that is unknown, out of place, or at odds with another.
    """
    wanted = set(chosen)
    table = {o.name: o for o in known}
    for name in sorted(wanted):
        option = table.get(name)
        if option is None:
            raise UsageError(f"option {name!r} is not playable here; there are: {', '.join(table) or 'none'}")
        if scenario not in option.scenarios:
            raise UsageError(f"option {name!r} has no place in scenario {scenario!r}; it belongs to: {', '.join(sorted(option.scenarios))}")
        if missing := option.needs - wanted:
            raise UsageError(f"option {name!r} needs {', '.join(sorted(missing))} as well")
        if clash := option.excludes & wanted:
            raise UsageError(f"option {name!r} does not go with {', '.join(sorted(clash))}")
    for name, option in table.items():
        if name in wanted:
            terms = option.change(terms)
    return terms
