"""The text form of actions: ``BY VERB [UNITS] [@ FROM] [> TO,...] [via A,B] [with C,D]``. Every action round-trips: ``parse(str(x)) == x``.

``chance roll KEY 3,5`` and ``BY done`` are the core's own; games add verbs.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from gamebox.value import Value
from referee.rules.model import CHANCE, Action, Done, NotationError, Roll

_FACES = re.compile(r"(0|[1-9]\d{0,2})(,(0|[1-9]\d{0,2}))*\Z", re.ASCII)
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./:-]*\Z")


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
    words = _words(text)
    if len(words) < 2:
        raise NotationError(f"an action reads BY VERB ..., not {text!r}")
    by, verb, rest = _name(words[0]), _name(words[1]), words[2:]
    units: tuple[str, ...] = ()
    found: dict[str, tuple[str, ...]] = {}
    if rest and rest[0] not in _MARKS:
        units = _once(_names(rest[0]))
        rest = rest[1:]
    while rest:
        mark = rest[0]
        if mark not in _MARKS or mark in found or len(rest) < 2:
            allowed = "after the units come, once each, '@ FROM', '> TO', 'via A,B', 'with C,D'"
            raise NotationError(f"{mark!r} cannot stand here; {allowed}", mark)
        found[mark] = _names(rest[1]) if mark == "via" else _once(_names(rest[1]))
        rest = rest[2:]
    start = found.get("@", ("",))
    if len(start) != 1:
        raise NotationError(f"'@' takes one place, not {','.join(start)!r}", ",".join(start))
    return Parts(by, verb, units, start[0], found.get(">", ()), found.get("via", ()), found.get("with", ()))


def core_action(text: str) -> Action | None:
    """A roll or a ``done``, or None when the verb is a game's own.

    Raises NotationError for a roll without faces. Which faces a die has is for the rules to say.
    """
    words = _words(text)
    if len(words) == 2 and words[1] == "done":
        return Done(_name(words[0]))
    if len(words) > 1 and words[1] == "roll":
        if len(words) != 4 or not _FACES.match(words[3]):
            raise NotationError(f"a roll reads 'chance roll KEY 3' or 'chance roll KEY 3,5', not {text!r}")
        return Roll(_name(words[0]), _name(words[2]), tuple(int(n) for n in words[3].split(",")))
    return None


def by_known_hand(a: Action, players: Collection[str]) -> Action:
    """The action, if one of these players or chance can be meant by its first word; whether he may do it is for the rules to say.

    Raises NotationError.
    """
    if a.by != CHANCE and a.by not in players:
        raise NotationError(f"{a.by!r} is no side of this game; there are: {', '.join(players)}", a.by)
    return a


_MARKS = ("@", ">", "via", "with")


@lru_cache(maxsize=1)
def _words(text: str) -> tuple[str, ...]:
    """The words between blanks, kept for whoever takes the same line apart next. Letters of other alphabets are told where they stand;
    what cannot be seen is refused at once."""
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
def _names(word: str) -> tuple[str, ...]:
    """The names in a list, kept: a game has a few thousand words, and a record says them again and again."""
    names = tuple(word.split(","))
    for name in names:
        if not _WORD.match(name):
            raise NotationError(f"{name!r} is no name: letters, digits and . / : _ - only", name or word)
    return names


@lru_cache(maxsize=1 << 10)
def _name(word: str) -> str:
    if not _WORD.match(word):
        raise NotationError(f"{word!r} is no name: letters, digits and . / : _ - only", word)
    return word
