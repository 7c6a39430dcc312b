"""The text form of actions: ``BY VERB [UNITS] [@ FROM] [> TO,...] [via A,B]``. Every action round-trips: ``parse(str(x)) == x``.

``chance roll KEY 3,5`` and ``BY done`` are the core's own; games add verbs.
"""

from __future__ import annotations

import re

import msgspec

from referee.rules.model import Action, Done, NotationError, Roll

_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./:-]*\Z")


class Parts(msgspec.Struct, frozen=True):
    """One line taken apart; absent parts are empty."""

    by: str
    verb: str
    units: tuple[str, ...] = ()
    start: str = ""
    to: tuple[str, ...] = ()
    via: tuple[str, ...] = ()


def write(by: str, verb: str, units: tuple[str, ...] = (), start: str = "", to: tuple[str, ...] = (), via: tuple[str, ...] = ()) -> str:
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
    return line


def split(text: str) -> Parts:
    """Takes one line apart.

    Raises NotationError with the offending word and what may stand there.
    """
    words = text.split()
    if len(words) < 2:
        raise NotationError(f"an action reads BY VERB ..., not {text!r}")
    by, verb, rest = words[0], words[1], words[2:]
    units: tuple[str, ...] = ()
    found: dict[str, tuple[str, ...]] = {}
    if rest and rest[0] not in _MARKS:
        units = _names(rest[0])
        rest = rest[1:]
    while rest:
        mark = rest[0]
        if mark not in _MARKS or mark in found or len(rest) < 2:
            raise NotationError(f"{mark!r} cannot stand here; after the units come, once each, '@ FROM', '> TO', 'via A,B'", mark)
        found[mark] = _names(rest[1])
        rest = rest[2:]
    start = found.get("@", ("",))
    if len(start) != 1:
        raise NotationError(f"'@' takes one place, not {','.join(start)!r}", ",".join(start))
    return Parts(by, verb, units, start[0], found.get(">", ()), found.get("via", ()))


def core_action(text: str) -> Action | None:
    """A roll or a ``done``, or None when the verb is a game's own.

    Raises NotationError for a roll without faces.
    """
    words = text.split()
    if len(words) == 2 and words[1] == "done":
        return Done(words[0])
    if len(words) > 1 and words[1] == "roll":
        if len(words) != 4 or not re.fullmatch(r"\d+(,\d+)*", words[3]):
            raise NotationError(f"a roll reads 'chance roll KEY 3' or 'chance roll KEY 3,5', not {text!r}")
        return Roll(words[0], words[2], tuple(int(n) for n in words[3].split(",")))
    return None


_MARKS = ("@", ">", "via")


def _names(word: str) -> tuple[str, ...]:
    names = tuple(word.split(","))
    for name in names:
        if not _WORD.match(name):
            raise NotationError(f"{name!r} is no name: letters, digits and . / : _ - only", name or word)
    return names
