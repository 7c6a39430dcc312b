"""Keystrokes as the engine writes them: ``keycode,modifiers`` or, for a named key, ``code,0,NAME``."""

from __future__ import annotations

from dataclasses import dataclass

CTRL = 130
SHIFT = 65
ALT = 520
"""Modifier numbers: Java's old and new bits together; add them up (ctrl+shift is 195)."""

NAMED_FROM = 57344
"""The first number for named keys. The engine renumbers them; only the name counts when they are read."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key: its Java key code and modifiers, and the name when it is a named key. ``NO_KEY`` is none at all."""

    code: int = 0
    modifiers: int = 0
    name: str = ""

    def __str__(self) -> str:
        if self == NO_KEY:
            return ""
        return f"{self.code},{self.modifiers},{self.name}" if self.name else f"{self.code},{self.modifiers}"


NO_KEY = Key()


def key(text: str) -> Key:
    """Read a keystroke. Empty or unreadable text is ``NO_KEY``; one without a comma is the old form, a character with ctrl.

    A name ends at its first comma, as in the engine.
    """
    if not text:
        return NO_KEY
    parts = text.split(",")
    if len(parts) == 1:
        # Of one sign only: some letters are two when they are large.
        return Key(ord(text[0].upper()[0]), CTRL)
    try:
        code, modifiers = int(parts[0]), int(parts[1])
    except ValueError:
        return NO_KEY
    return Key(code, modifiers, parts[2] if len(parts) > 2 else "")


def ctrl(character: str) -> str:
    """Ctrl and a letter or digit: ``ctrl("A")`` is ``65,130``."""
    return str(Key(ord(character.upper()), CTRL))


def named(name: str, number: int = 0) -> str:
    """A named key, ``number`` counted from 0: ``57344,0,flip``. A comma in the name would cut it off, so it is refused (ValueError)."""
    if "," in name or not name:
        raise ValueError(f"named key {name!r}: a name without commas is allowed")
    return f"{NAMED_FROM + number},0,{name}"
