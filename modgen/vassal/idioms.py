"""The idioms that traits are written in, after those that were run in the client's engine."""

from __future__ import annotations

from collections.abc import Sequence

from gamebox import tabletalk
from modgen.art import counters
from modgen.formats.vassal import sequence
from modgen.formats.vassal.traits import make
from modgen.vassal import names

Trait = tuple[str, str]
"""Type string and state string."""


def quoted(text: str) -> str:
    """A text inside an expression.

    Raises ValueError for signs that the engine's expressions or property texts do not carry.
    """
    if any(c in text for c in '"\\$\n'):
        raise ValueError(f"{text!r} cannot stand in an expression")
    return f'"{text}"'


def setting(value: str) -> str:
    """A changer that sets a value; it is a comma list itself, so commas in the value are escaped."""
    return sequence.encode(("P", value), ",")


def commands(*pairs: tuple[str, str]) -> str:
    """The command list of a property trait: ``:KEY:CHANGER`` each, without menu entries."""
    return sequence.encode([sequence.encode(("", key, setting(value)), ":") for key, value in pairs], ",")


def keys(*listed: str) -> str:
    """A list of keys."""
    return sequence.encode(listed, ",")


def report(said: str | Sequence[str], text: str) -> Trait:
    """A chat line of its own key, or of several, also when a global command sent it."""
    heard = (said,) if isinstance(said, str) else said
    return make("report", keys=keys(*heard), format=text, no_suppress=True), "-1"


def trigger(menu: str, key: str, when: str, *does: str) -> Trait:
    """A menu entry that sends the piece several keys in turn; without words it is a step of others."""
    text = make("macro", name=menu or key.rpartition(",")[2], menu=menu, key=key, filter=when, action_keys=keys(*does), count="1")
    return text, ""


def dynamic(name: str, start: str, *pairs: tuple[str, str]) -> Trait:
    """A property of the piece that is saved and logged with it."""
    return make("PROP", name=name, commands=commands(*pairs)), start


def module_property(name: str, *pairs: tuple[str, str]) -> Trait:
    """Sets a property of the module: always logged, also when the value stays the same."""
    return make("setprop", name=name, commands=commands(*pairs)), ""


def pictures(
    name: str,
    images: Sequence[str],
    *,
    words: Sequence[str] = (),
    up: str = "",
    down: str = "",
    follow: str = "",
    x: int = 0,
    y: int = 0,
    size: float = 1.0,
) -> Trait:
    """A layer of pictures drawn at twice the shown size; ``follow`` is an expression that gives the level.

    With ``up`` alone the last level is followed by the first; with ``down`` too each key stops at its end.
    """
    text = make(
        "emb2",
        activate_menu="",
        activate_letter="",
        activate_key="",
        images=sequence.encode(images, ","),
        level_names=sequence.encode(words or [""] * len(images), ","),
        loop=bool(up) and not down,
        name=name,
        follow=bool(follow),
        property=follow,
        up_key=up,
        down_key=down,
        x=x,
        y=y,
        scale=str(size / counters.SCALE),
    )
    return text, "1"


def talk(verb: str, *fields: str) -> str:
    """An expression that gives a line of table talk; fields are expressions themselves."""
    parts = [f'"{tabletalk.MARK}{tabletalk.VERSION}|"', names.TALK_NUMBER, f'"|{verb}|"']
    for index, field in enumerate(fields):
        parts += ['"|"', field] if index else [field]
    return "{" + "+".join(parts) + "}"


def both(one: str, other: str) -> str:
    """A test that two tests hold; an empty one always does."""
    return "{(" + one[1:-1] + ") && (" + other[1:-1] + ")}" if one and other else one or other


def neither(name: str, values: Sequence[str]) -> str:
    """A test that a property has none of these values."""
    return "{" + (" && ".join(f"{name}!={quoted(v)}" for v in values) or "true") + "}"


def hidden(test: str, *keys_: str) -> Trait:
    """Menu entries that are not offered while a test holds, nor is their key heard; it must stand outside of what it hides."""
    return make("hideCmd", name="elsewhere", action="Hide", filter=test, keys=keys(*keys_)), ""


def submenu(name: str, entries: Sequence[str]) -> Trait:
    """Menu entries of other traits gathered under one."""
    return make("submenu", name=name, items=sequence.encode(entries, ",")), ""


def either(name: str, values: Sequence[str]) -> str:
    """A test that a property has one of these values; false for none."""
    return "{" + (" || ".join(f"{name}=={quoted(v)}" for v in values) or "false") + "}"
