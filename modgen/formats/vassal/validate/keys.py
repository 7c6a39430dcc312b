"""Keys: one thing a key, what is sent is heard, and none that the engine or another trait has for itself."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from modgen.formats.vassal import engine, sequence
from modgen.formats.vassal.engine import Kind
from modgen.formats.vassal.keys import NO_KEY, Key, key
from modgen.formats.vassal.pieces import Trait
from modgen.formats.vassal.validate.model import MAPS, Check, Found, Severity, Subject, quoted
from modgen.formats.vassal.validate.structure import keys_fault, typed
from modgen.formats.vassal.validate.traits import heard, key_words, menu_entries, sent
from modgen.formats.vassal.xml import Element

# Attributes with a key that the component sends; all other keys of components are heard.
_SENDS = {
    ("module.GlobalKeyCommand", "hotkey"),
    ("module.map.MassKeyCommand", "hotkey"),
    ("module.StartupGlobalKeyCommand", "hotkey"),
    ("module.StartupGlobalKeyCommand", "globalHotkey"),
    ("module.map.DeckGlobalKeyCommand", "hotkey"),
    ("module.turn.TurnGlobalHotkey", "hotkey"),
    ("module.DoActionButton", "preLoopKey"),
    ("module.DoActionButton", "postLoopKey"),
    ("module.map.DrawPile", "emptyHotkey"),
    *((kind, "moveKey") for kind in MAPS),
}
_TEST = re.compile(r'(\w+)(==|!=)"([^"]*)"')
_FACES = ("text", "buttonText", "icon", "label", "iconName", "buttonName")


def _plain(text: str) -> Key:
    found = key(text)
    return Key(0, 0, found.name) if found.name else found


def _component_keys(subject: Subject) -> Iterator[tuple[Element, str, Key, bool]]:
    """(element, attribute, key, whether it is sent) of every key of a component."""
    for found, name, kind, value in typed(subject, Kind.KEY, Kind.KEYS):
        sends = kind is Kind.KEYS or (engine.short(found), name) in _SENDS
        listed = kind is Kind.KEYS
        # A list that is cut at the wrong commas is another check's to tell.
        for word in ([] if keys_fault(value) else sequence.decode(value, ",")) if listed else [value]:
            if (pressed := _plain(word)) != NO_KEY:
                yield found, name, pressed, sends


def _engines(subject: Subject) -> Iterator[Found]:
    for found, name, pressed, sends in _component_keys(subject):
        own = engine.OWN_KEYS.get((pressed.code, pressed.modifiers))
        if own and not sends and not pressed.name:
            yield Found(subject.place(found), f"{name} is {key_words(pressed)}, which is also {own}", "another key")
    for definition, piece in subject.wholes:
        for trait in piece.traits:
            for menu, text in menu_entries(trait):
                own = engine.OWN_KEYS.get((key(text).code, key(text).modifiers)) if not key(text).name else None
                if own:
                    yield Found(
                        definition.where, f"{quoted(menu)} is {key_words(key(text))}, which is also {own}", "another key", Severity.NOTE
                    )


def _twice(subject: Subject) -> Iterator[Found]:
    seen: dict[Key, list[tuple[Element, str, Element | None]]] = defaultdict(list)
    for found, name, pressed, sends in _component_keys(subject):
        if not sends and not pressed.name and engine.short(found) != "module.map.StackMetrics":
            seen[pressed].append((found, name, subject.map_of(found)))
    for pressed, those in seen.items():
        # The same key in two windows is heard by the window in front.
        for index, (found, name, window) in enumerate(those):
            clash = next((one for one, _, other in those[:index] if other is None or window is None or other is window), None)
            if clash is not None:
                what = f"{name} is {key_words(pressed)}, which {subject.place(clash).partition(': ')[2]} also hears: both act"
                yield Found(subject.place(found), what, "a key of its own")


def _mask_and_moved(subject: Subject) -> Iterator[Found]:
    for definition, piece in subject.wholes:
        masks = {pressed for trait in piece.traits if trait.id == "obs" for pressed in heard(trait)}
        moved = {pressed for trait in piece.traits if trait.id == "markmoved" for pressed in heard(trait)}
        for pressed in sorted(masks & moved, key=str):
            yield Found(definition.where, f"{key_words(pressed)} masks the piece and marks it moved, for the enemy as well", "two keys")


def _apart(one: Trait, other: Trait) -> bool:
    """Whether two triggers never act together: one wants a property to have one of some values, the other that it has none of them."""
    if one.id != "macro" or other.id != "macro":
        return False
    (has_one, not_one), (has_other, not_other) = (_wanted(t.field("filter")) for t in (one, other))
    sides = ((has_one, not_other), (has_other, not_one))
    return any(values <= barred.get(name, frozenset()) for has, barred in sides for name, values in has.items())


def _wanted(text: str) -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """Property -> the values of which it must have one, and those of which it must have none, as far as a filter says so plainly."""
    has: dict[str, frozenset[str]] = {}
    barred: dict[str, frozenset[str]] = {}
    for part in _split(text.removeprefix("{").removesuffix("}"), "&&"):
        tests = [_TEST.fullmatch(test) for test in _split(part, "||")]
        found = [(t[1], t[2], t[3]) for t in tests if t is not None]
        if len(found) == len(tests) and len({name for name, _, _ in found}) == 1:
            name, values = found[0][0], frozenset(value for _, _, value in found)
            if all(sign == "==" for _, sign, _ in found):
                has[name] = values
            elif len(found) == 1:
                barred[name] = barred.get(name, frozenset()) | values
    return has, barred


def _depths(text: str) -> list[int]:
    """For each sign of an expression in how many brackets it stands, brackets themselves inside; -1 for what stands in a text."""
    depth, quoted_, out = 0, False, []
    for letter in text:
        quoted_ ^= letter == '"'
        depth += letter == "(" and not quoted_
        out.append(-1 if quoted_ else depth)
        depth -= letter == ")" and not quoted_
    return out


def _split(text: str, sign: str) -> list[str]:
    """The parts of an expression between signs that stand in no bracket, without brackets around a part."""
    text = text.strip()
    depths = _depths(text)
    if text.startswith("(") and 0 not in depths and depths.count(1) >= 2 and text.endswith(")"):
        return _split(text[1:-1], sign)
    at = [n for n in range(len(text)) if depths[n] == 0 and text.startswith(sign, n)]
    if not at:
        return [text]
    begins, ends = [0, *(n + len(sign) for n in at)], [*at, len(text)]
    return [found for a, b in zip(begins, ends, strict=True) for found in _split(text[a:b], sign)]


def _menu_twice(subject: Subject) -> Iterator[Found]:
    for definition, piece in subject.wholes:
        seen: dict[Key, tuple[str, Trait]] = {}
        for trait in piece.traits:
            for menu, text in menu_entries(trait):
                pressed = _plain(text)
                if pressed == NO_KEY or pressed.name:
                    continue
                before, other = seen.setdefault(pressed, (menu, trait))
                if before != menu and not _apart(trait, other):
                    yield Found(definition.where, f"{key_words(pressed)} is that of {quoted(before)} and of {quoted(menu)}: both act")


def _all_heard(subject: Subject) -> set[Key]:
    found = {pressed for definition in subject.definitions for _, trait in definition.traits() for pressed in heard(trait)}
    return found | {pressed for _, _, pressed, sends in _component_keys(subject) if not sends}


def _unheard(subject: Subject) -> Iterator[Found]:
    known = _all_heard(subject)
    for found, name, pressed, sends in _component_keys(subject):
        if sends and pressed not in known and (pressed.name or (pressed.code, pressed.modifiers) not in engine.OWN_KEYS):
            yield Found(
                subject.place(found), f"{name} sends {key_words(pressed)}, which nothing hears", "a key that a trait or button listens for"
            )
    for definition in subject.definitions:
        for where, trait in definition.traits():
            for pressed in sorted(sent(trait) - known, key=str):
                yield Found(where, f"sends {key_words(pressed)}, which nothing hears", "a key that a trait or button listens for")


def _unsent(subject: Subject) -> Iterator[Found]:
    """A named key is on no keyboard: without a menu text or a button's face only something that sends it can reach it."""
    known = {pressed for definition in subject.definitions for _, trait in definition.traits() for pressed in sent(trait)}
    known |= {pressed for _, _, pressed, sends in _component_keys(subject) if sends}
    reached = {_plain(text) for definition in subject.definitions for _, trait in definition.traits() for _, text in menu_entries(trait)}
    for found, name, pressed, sends in _component_keys(subject):
        faced = any(found.get(face).strip() for face in _FACES) or engine.short(found) not in (
            "module.DoActionButton",
            "module.GlobalKeyCommand",
        )
        if not sends and pressed.name and pressed not in known and not faced:
            yield Found(subject.place(found), f"{name} is {key_words(pressed)}, which nothing sends")
    for definition in subject.definitions:
        for where, trait in definition.traits():
            for pressed in sorted(heard(trait) - known - reached, key=str):
                if pressed.name:
                    yield Found(where, f"listens for {key_words(pressed)}, which nothing sends")


CHECKS = (
    Check("key-engine", Severity.WARNING, "buttons leave the client's own keys alone", "both act", _engines),
    Check("key-twice", Severity.WARNING, "no two buttons of a window have the same key", "both act", _twice),
    Check("key-mask-moved", Severity.WARNING, "mask and moved-mark have two keys", "one key does both, for the enemy too", _mask_and_moved),
    Check("key-menu-twice", Severity.NOTE, "no two menu entries of a piece have the same key", "both act", _menu_twice),
    Check("key-unheard", Severity.WARNING, "keys that are sent are heard", "nothing happens", _unheard),
    Check("key-unsent", Severity.NOTE, "named keys that are heard are sent", "nobody can press them", _unsent),
)
