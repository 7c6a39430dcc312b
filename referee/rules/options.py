"""Options, switches and amendments: how a rulebook is varied without a special case in the code that reads it.

A game keeps one frozen ``Terms`` value: what its rules read instead of constants. An option is a function from terms to
terms; an amendment is the same thing, applied in order up to the rules version asked for.

Rules versions bind: the terms as a game first compiles them are version 1 for ever, and whatever makes an old verdict come out
differently is an ``Amendment`` with a new version, so that an old version is the same book without the later amendments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

import msgspec

T = TypeVar("T")


class UsageError(ValueError):
    """A game, scenario or option that does not exist or does not go with another; the message lists what is allowed."""


class UnknownRules(UsageError):
    """A rules version that this referee does not have; the message tells those it has."""


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


class Amendment(msgspec.Struct, Generic[T], frozen=True):
    """One change of the rules that alters what was ruled before: from which rules version on, at which paragraph, and what changes."""

    since: int
    """The first version that has it: 2 or more, in the order of the list and without a gap."""
    para: str
    why: str
    """One line in our own words: what came out wrongly before."""
    change: Callable[[T], T]


def latest(known: Sequence[Amendment[T]]) -> int:
    """The newest rules version: 1 without amendments, else that of the last one.

    Raises ValueError for a list that has a gap or is out of order.
    """
    version = 1
    for amendment in known:
        if amendment.since not in (version, version + 1) or amendment.since < 2:
            raise ValueError(f"amendment of {amendment.para} since version {amendment.since} cannot follow version {version}")
        version = amendment.since
    return version


def apply_amendments(terms: T, known: Sequence[Amendment[T]], rules: int | None = None) -> T:
    """The terms as they are in that rules version (None: the newest).

    Raises UnknownRules for a version that there is not.
    """
    newest = latest(known)
    version = newest if rules is None else rules
    if not 1 <= version <= newest:
        there = f"there are: 1 to {newest}" if newest > 1 else "there is: 1"
        newer = "; it is newer than this referee" if version > newest else ""
        raise UnknownRules(f"rules version {version} is not known{newer}; {there}")
    for amendment in known:
        if amendment.since <= version:
            terms = amendment.change(terms)
    return terms
