"""The text form of actions: ``BY VERB [UNITS] [@ FROM] [> TO,...] [via A,B] [with C,D]``. Every action round-trips: ``parse(str(x)) == x``.

``chance roll KEY 3,5`` and ``BY done`` are the core's own; games add verbs.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from functools import lru_cache
from typing import Final

from gamebox.value import Value
from referee.rules.model import CHANCE, Action, Done, NotationError, Roll

_FACES: Final = re.compile(r"(0|[1-9]\d{0,2})(,(0|[1-9]\d{0,2}))*\Z", re.ASCII)
_WORD: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./:-]*\Z")


class Parts(Value, frozen=True):
    """One line taken apart; absent parts are empty."""

    by: str
    verb: str
    units: tuple[str, ...] = ()
    start: str = ""
    to: tuple[str, ...] = ()
    via: tuple[str, ...] = ()
    helped: tuple[str, ...] = ()


def write(
    by: str,
    verb: str,
    units: tuple[str, ...] = (),
    start: str = "",
    to: tuple[str, ...] = (),
    via: tuple[str, ...] = (),
    helped: tuple[str, ...] = (),
) -> str:
    """One action as a line of text."""
    line = f"{by} {verb}"
    if units:
        line += f" {','.join(units)}"
    if start:
        line += f" @ {start}"
    if to:
        line += f" > {','.join(to)}"
    if via:
        line += f" via {','.join(via)}"
    if helped:
        line += f" with {','.join(helped)}"
    return line


def split(text: str) -> Parts:
    """Takes one line apart.

    Raises NotationError with the offending word and what may stand there.
    """
    words = in_words(text)
    count = len(words)
    if count < 2:
        raise NotationError(f"an action reads BY VERB ..., not {text!r}")
    by, verb = one_name(words[0]), words[1]
    if not _WORD.match(verb):
        raise NotationError(f"an action reads BY VERB ...; {verb!r} is no verb", verb)
    units: tuple[str, ...] = ()
    found: dict[str, tuple[str, ...]] = {}
    at = 2
    if count > 2 and words[2] not in _MARKS:
        units = _once(names_in(words[2]))
        at = 3
    while at < count:
        mark = words[at]
        if mark not in _MARKS or mark in found:
            allowed = "after the units come, once each, '@ FROM', '> TO', 'via A,B', 'with C,D'"
            raise NotationError(f"{mark!r} cannot stand here; {allowed}", mark)
        if at + 1 == count or words[at + 1] in _MARKS:
            raise NotationError(f"behind {mark!r} a name is missing", mark)
        names = names_in(words[at + 1])
        found[mark] = names if mark == "via" else _once(names)
        at += 2
    start = found.get("@", ("",))
    if len(start) != 1:
        raise NotationError(f"'@' takes one place, not {','.join(start)!r}", ",".join(start))
    return Parts(by, verb, units, start[0], found.get(">", ()), found.get("via", ()), found.get("with", ()))


def core_action(text: str) -> Action | None:
    """A roll or a ``done``, or None when the verb is a game's own.

    Raises NotationError for a roll without faces, and for more behind a ``done``. Which faces a die has is for the rules to say.
    """
    words = in_words(text)
    verb = words[1] if len(words) > 1 else ""
    if verb == "done":
        if len(words) > 2:
            raise NotationError(f"'BY done' is all; {words[2]!r} cannot stand behind it", words[2])
        return Done(one_name(words[0]))
    if verb == "roll":
        if len(words) != 4 or not _FACES.match(words[3]):
            raise NotationError(f"a roll reads 'chance roll KEY 3' or 'chance roll KEY 3,5', not {text!r}")
        return Roll(one_name(words[0]), one_name(words[2]), tuple(map(int, words[3].split(","))))
    return None


def by_known_hand(a: Action, players: Collection[str]) -> Action:
    """The action, if one of these players or chance can be meant by its first word; whether he may do it is for the rules to say.

    Raises NotationError.
    """
    if a.by != CHANCE and a.by not in players:
        raise NotationError(f"{a.by!r} is no side of this game; there are: {', '.join(players)}", a.by)
    return a


def no_verb(parts: Parts, verbs: Collection[str]) -> NotationError:
    """What is wrong with a line whose second word is none of a game's verbs: often its first, who acts, is missing."""
    known = (*verbs, "roll", "done")
    if parts.by in known:
        return NotationError(f"an action begins with who acts: 'BY {parts.by} ...', not {parts.by!r}", parts.by)
    near = alike(parts.verb, known)
    told = f"; spelled alike: {', '.join(near)}" if near else f"; there are: {', '.join(known)}"
    return NotationError(f"{parts.verb!r} is no action here{told}", parts.verb)


def no_name(word: str, what: str, names: Collection[str], others: Mapping[str, Collection[str]] | None = None) -> NotationError:
    """What is wrong with a word that is no ``what`` of a game: it is something else, is spelled otherwise, or is none of those that there
    are. ``others``: what else words may be, by what they are called."""
    for kind, some in (others or {}).items():
        if word in some:
            return NotationError(f"{word!r} is a {kind}, no {what}", word)
    told = f"{word!r} is no {what} of this game"
    if len(names) < _FEW:
        return NotationError(f"{told}; there are: {', '.join(names)}", word)
    if all(name.isdecimal() for name in names):
        numbers = sorted(map(int, names))
        if numbers == list(range(numbers[0], numbers[-1] + 1)):
            return NotationError(f"{told}; there are: {numbers[0]} to {numbers[-1]}", word)
    near = alike(word, names)
    return NotationError(told + (f"; spelled alike: {', '.join(near)}" if near else ""), word)


def alike(word: str, names: Collection[str]) -> list[str]:
    """The few names that a word may have been meant for: the same in other letters' case, else the nearest in spelling."""
    low = word.casefold()
    return [name for name in names if name.casefold() == low] or get_close_matches(low, names, 3, 0.75)


_FEW: Final = 10
"""So many names are listed whole, all but one."""
_MARKS: Final = ("@", ">", "via", "with")


@lru_cache(maxsize=1)
def in_words(text: str) -> tuple[str, ...]:
    """The words between blanks, kept for whoever takes the same line apart next. Letters of other alphabets are told where they stand;
    what cannot be seen is refused at once (NotationError)."""
    line = text.strip(" \t\r\n")
    if not line.isprintable():
        hidden = next(c for c in line if not c.isprintable())
        raise NotationError(f"an action is one line of letters, digits and blanks; {hidden!r} cannot stand in {text!r}")
    return tuple(line.split())


def _once(names: tuple[str, ...]) -> tuple[str, ...]:
    if len(names) > 1 and len(set(names)) < len(names):
        twice = next(name for at, name in enumerate(names) if name in names[:at])
        raise NotationError(f"{twice!r} is here twice; allowed: once", twice)
    return names


@lru_cache(maxsize=1 << 13)
def names_in(word: str) -> tuple[str, ...]:
    """The names in a list, kept: a game has a few thousand words, and a record says them again and again. Raises NotationError."""
    names = tuple(word.split(","))
    for name in names:
        if not _WORD.match(name):
            raise NotationError(f"{name!r} is no name: letters, digits and . / : _ - only", name or word)
    return names


@lru_cache(maxsize=1 << 10)
def one_name(word: str) -> str:
    """The word, which must be a name, or NotationError."""
    if not _WORD.match(word):
        raise NotationError(f"{word!r} is no name: letters, digits and . / : _ - only", word)
    return word
