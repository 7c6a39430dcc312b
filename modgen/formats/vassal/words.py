"""Traits in words: what kind it is, its name, and those of its fields that are not as the engine makes them.

Named keys are shown without their numbers, which the engine allots anew in every session.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from modgen.formats.vassal import sequence
from modgen.formats.vassal.keys import NO_KEY, Key, key
from modgen.formats.vassal.pieces import Trait
from modgen.formats.vassal.traits import DECK, TRAITS

TITLES: Final[Mapping[str, str]] = {
    "AreaOfEffect": "area of effect",
    "PROP": "property",
    "attach": "attachment",
    "basicName": "basic name",
    "border": "border",
    "button": "action button",
    "calcProp": "calculated property",
    "clone": "clone",
    "cmt": "comment",
    "delete": "delete",
    "deselect": "deselect",
    "emb2": "layer",
    "footprint": "trail",
    "globalhotkey": "global hotkey",
    "globalkey": "key command",
    "hide": "invisible",
    "hideCmd": "restricted commands",
    "immob": "does not stack",
    "label": "label",
    "locCommand": "location command",
    "locmsg": "message",
    "macro": "trigger",
    "mark": "marker",
    "markmoved": "moved mark",
    "mat": "mat",
    "matPiece": "mat cargo",
    "menuSeparator": "menu separator",
    "nonRect2": "shape",
    "obs": "mask",
    "piece": "piece",
    "pivot": "pivot",
    "placemark": "place marker",
    "playSound": "sound",
    "propertysheet": "property sheet",
    "prototype": "prototype",
    "replace": "replace",
    "report": "report",
    "restrict": "restricted access",
    "return": "return to deck",
    "rotate": "rotate",
    "sendto": "send to",
    "setpieceprop": "set property of pieces",
    "setprop": "set property",
    "submenu": "sub-menu",
    "table": "table",
    "translate": "move",
}
"""Trait id -> what people call it."""
STATEFUL: Final = frozenset(
    "emb2 PROP obs hide rotate footprint markmoved label propertysheet table restrict return sendto AreaOfEffect attach mat "
    "matPiece".split()
)
"""Traits whose state is more than their definition: what has happened to the piece stands there."""

_LATER: Final[Mapping[str, tuple[str, ...]]] = {"footprint": ("ignore_same",), "locCommand": ("menu_sort", "ascending", "numeric")}
"""Fields that the coming version of the engine adds at the end."""
_NAMED_BY: Final[Mapping[str, tuple[str, ...]]] = {
    "obs": ("mask_name",),
    "label": ("property", "menu"),
    "mark": ("names",),
    "matPiece": (),
    "propertysheet": ("menu",),
    "report": (),
    "restrict": (),
}
KEY_LISTS: Final = frozenset(
    {("report", "keys"), ("report", "cycle_key"), ("macro", "watch_keys"), ("macro", "action_keys"), ("hideCmd", "keys")}
)
"""Fields that hold a list of keys: (trait, field)."""
_COMMANDS: Final = ("PROP", "setprop", "setpieceprop")
_NAMED: Final = re.compile(r"(?<!\d)\d{5}(\\*,0\\*,)(?=[^\W\d])")
_MODIFIERS: Final = {0: "", 130: "Ctrl-", 65: "Shift-", 520: "Alt-", 195: "Ctrl-Shift-", 585: "Alt-Shift-", 650: "Ctrl-Alt-"}
_SIGNS: Final = {
    127: "Delete",
    32: "Space",
    10: "Enter",
    27: "Escape",
    33: "Page Up",
    34: "Page Down",
    37: "Left",
    38: "Up",
    39: "Right",
    40: "Down",
}


def keys_words(text: str) -> str:
    """A list of keys for people."""
    return " ".join(key_text(word) for word in sequence.decode(text, ","))


def key_words(pressed: Key) -> str:
    """A key for people: ``Ctrl-A``, ``<step>`` for a named one, the numbers of one that has no words."""
    if pressed.name:
        return f"<{pressed.name}>"
    sign = _SIGNS.get(pressed.code) or (chr(pressed.code) if 48 <= pressed.code <= 57 or 65 <= pressed.code <= 90 else "")
    before = _MODIFIERS.get(pressed.modifiers)
    return before + sign if sign and before is not None else str(pressed)


def without_numbers(text: str) -> str:
    """A trait's text with all named keys under one number, so that texts which the engine takes for the same are the same."""
    return _NAMED.sub(r"57344\1", text) if "," in text else text


def key_text(text: str) -> str:
    """A key's text for people; what is no key stays as it is."""
    found = key(text) if "," in text else NO_KEY
    return key_words(found) if found != NO_KEY else text


def _command(text: str) -> str:
    """One key command of a property: its menu text, key and changer."""
    parts = sequence.decode(text, ":")
    menu, pressed, changer = (*parts, "", "", "")[:3]
    shown = " ".join(part for part in (menu, key_text(pressed), changer) if part)
    return shown if len(parts) <= 3 else f"{shown} :{':'.join(parts[3:])}"


def _value(trait: str, name: str, value: str) -> str:
    if (trait, name) in KEY_LISTS:
        return keys_words(value)
    if trait in _COMMANDS and name == "commands":
        return "[" + "] [".join(_command(word) for word in sequence.decode(value, ",")) + "]"
    if name == "key" or name.endswith("_key") or name.startswith("key_"):
        return key_text(value)
    return value


def _layout(trait: Trait) -> tuple[tuple[str, str], ...]:
    """(field, default) of a trait's fields, in order; none for a trait that is not known."""
    spec = DECK if trait.id == "deck" else TRAITS.get(trait.id)
    if spec is None:
        return ()
    if trait.id == "rotate" and trait.fields[:1] == ("1",):
        return (spec.fields[0], ("key", ""), ("menu", ""), *spec.fields[5:])
    return spec.fields


@lru_cache(maxsize=4096)
def fields_in_words(text: str) -> tuple[tuple[str, str], ...]:
    """(field, value) of a trait's type where it is not the default, in order; fields that no such trait has by their number."""
    trait = Trait(text)
    fields = trait.fields
    names = [name for name, _ in _layout(trait)]
    out = [
        (name, _value(trait.id, name, value))
        for (name, default), value in zip(_layout(trait), fields, strict=False)
        if value != default and name not in ("names", "piece")
    ]
    later = _LATER.get(trait.id, ())
    for number, value in enumerate(fields[len(names) :]):
        out.append((later[number] if number < len(later) else str(len(names) + number + 1), value))
    return tuple(out)


def name_of(trait: Trait) -> str:
    """The words that tell a trait from others of its kind on the same piece; "" for none."""
    return _named(trait)[1]


def _named(trait: Trait) -> tuple[str, str]:
    """(field, value) of the field that names a trait."""
    fields = {name: value for (name, _), value in zip(_layout(trait), trait.fields, strict=False)}
    for name in _NAMED_BY.get(trait.id, ("name", "menu", "text")):
        if fields.get(name):
            return name, fields[name]
    if trait.id == "report":
        return "keys", _value("report", "keys", fields.get("keys", ""))
    return "", ""


def title(trait: Trait) -> str:
    """What a trait is called: ``layer "Step"``."""
    name = name_of(trait)
    kind = TITLES.get(trait.id, trait.id)
    return f'{kind} "{name}"' if name else kind


def described(trait: Trait) -> str:
    """A trait's type on one line: what it is called, then its fields that are not the default, two spaces between them."""
    naming, _ = _named(trait)
    return "  ".join([title(trait), *(f"{name}={value}" for name, value in fields_in_words(trait.text) if name != naming)])


def differences(old: Trait, new: Trait) -> Iterator[tuple[str, str, str]]:
    """(field, old value, new value) of each field in which two traits of a kind differ."""
    before, after = dict(fields_in_words(old.text)), dict(fields_in_words(new.text))
    defaults = dict(_layout(old))
    for name in dict.fromkeys((*before, *after)):
        one, other = before.get(name, defaults.get(name, "")), after.get(name, defaults.get(name, ""))
        if one != other:
            yield name, one, other
