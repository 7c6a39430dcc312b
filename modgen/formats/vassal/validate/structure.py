"""Components: classes and settings that the engine knows, values it can read, what must be there, and in which order."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from difflib import get_close_matches

from modgen.formats.vassal import engine, sequence
from modgen.formats.vassal.engine import Kind
from modgen.formats.vassal.keys import NO_KEY, key
from modgen.formats.vassal.validate.model import MAPS, PROTOTYPE, SLOTS, Check, Found, Severity, Subject, listed, quoted
from modgen.formats.vassal.xml import Element

_NEEDED = ("PieceMover", "KeyBufferer", "MenuDisplayer", "ForwardToKeyBuffer")
_USEFUL = ("ForwardToChatter", "StackExpander", "Scroller", "MapCenterer", "CounterDetailViewer", "Zoomer", "ImageSaver")
_NEWEST = (3, 8)
_COLOUR = re.compile(r"\s*\d{1,3}\s*(,\s*\d{1,3}\s*){2,3}")


def close(name: str, known: list[str]) -> str:
    """What may be said of a name that is not known: the nearest one that is."""
    near = get_close_matches(name, sorted(known), 1)
    return f"perhaps {near[0]}" if near else ""


def is_whole(text: str) -> bool:
    """Whether the engine reads a whole number."""
    return re.fullmatch(r"[+-]?[0-9]{1,10}", text) is not None


def is_number(text: str) -> bool:
    """Whether the engine reads a number."""
    try:
        return math.isfinite(float(text)) and "_" not in text
    except ValueError:
        return False


def key_fault(text: str) -> str:
    """What is wrong with a keystroke; "" for nothing."""
    if not text:
        return ""
    if key(text) == NO_KEY:
        return f"the key {quoted(text)} cannot be read"
    parts = text.split(",")
    if len(parts) == 1:
        # The old form is one character; a number alone has lost its modifiers.
        return f"the key {quoted(text)} is read as Ctrl and its first character" if len(text) > 1 else ""
    if len(parts) > 3:
        return f"the key's name {quoted(','.join(parts[2:]))} is cut off at its comma"
    return ""


KEY_FORM = "keycode,modifiers (65,130 is Ctrl-A) or number,0,NAME"


def keys_fault(text: str) -> str:
    """What is wrong with a list of keys; "" for nothing."""
    for word in sequence.decode(text, ","):
        if word and "," not in word and (len(word) > 1 or word.isdecimal()):
            return f"the list of keys {quoted(text)} has the lone {quoted(word)}: the comma inside each key must be written \\,"
        if fault := key_fault(word):
            return fault
    return ""


def is_own_code(subject: Subject, found: Element) -> bool:
    """Whether a component's class comes with the module."""
    return found.name.replace(".", "/") + ".class" in subject.entries


def _classes(subject: Subject) -> Iterator[Found]:
    known = engine.classes()
    for found in subject.elements:
        kind = engine.short(found)
        if kind in known:
            continue
        if is_own_code(subject, found):
            yield Found(subject.place(found), f"{found.name} is the module's own code, which is not looked into", "", Severity.NOTE)
        else:
            yield Found(
                subject.place(found), f"the class {found.name} is not known to the engine, which drops it", close(kind, list(known))
            )


def _attributes(subject: Subject) -> Iterator[Found]:
    for found in subject.elements:
        entry = engine.classes().get(engine.short(found))
        if entry is None or entry.open:
            continue
        for name in found.attributes:
            if name not in entry.attributes:
                near = close(name, list(entry.attributes)) or f"{listed(entry.attributes, 40)}"
                yield Found(subject.place(found), f"the engine drops the attribute {name} without a word", near)


def typed(subject: Subject, *kinds: Kind) -> Iterator[tuple[Element, str, Kind, str]]:
    """(element, attribute, kind, value) of every attribute of these kinds that stands in the module."""
    for found in subject.elements:
        entry = engine.classes().get(engine.short(found))
        for name, value in found.attributes.items() if entry is not None else ():
            attribute = entry.attributes.get(name) if entry is not None else None
            if attribute is not None and attribute.kind in kinds:
                yield found, name, attribute.kind, value


def _numbers(subject: Subject) -> Iterator[Found]:
    for found, name, kind, value in typed(subject, Kind.WHOLE, Kind.NUMBER):
        whole = kind is Kind.WHOLE
        if not (is_whole(value.strip()) if whole else is_number(value.strip())):
            what = f"{name} is {quoted(value)}: the engine stops at it and drops this component"
            severity = None if value.strip() else Severity.WARNING
            yield Found(subject.place(found), what, f"a {kind}, {'no point in it' if whole else 'with a point if need be'}", severity)


def _flags(subject: Subject) -> Iterator[Found]:
    for found, name, _, value in typed(subject, Kind.FLAG):
        if value not in ("true", "false", ""):
            yield Found(subject.place(found), f"{name} is {quoted(value)}, which is read as false", "true or false")


def _words(subject: Subject) -> Iterator[Found]:
    for found in subject.elements:
        for name, value in found.attributes.items():
            words = engine.WORDS.get((engine.short(found), name))
            if words is not None and value not in words:
                yield Found(subject.place(found), f"{name} is {quoted(value)}, which is none of its words", ", ".join(words))


def _colours(subject: Subject) -> Iterator[Found]:
    for found, name, _, value in typed(subject, Kind.COLOUR):
        fits = _COLOUR.fullmatch(value) is not None and all(int(part) < 256 for part in value.split(","))
        if value.strip() and not fits:
            yield Found(
                subject.place(found), f"{name} is {quoted(value)}, which is no colour", "red,green,blue of 0 to 255 each, or nothing"
            )


def _keys(subject: Subject) -> Iterator[Found]:
    for found, name, kind, value in typed(subject, Kind.KEY, Kind.KEYS):
        fault = keys_fault(value) if kind is Kind.KEYS else key_fault(value)
        if fault:
            yield Found(subject.place(found), f"{name}: {fault}", KEY_FORM)


def _children(subject: Subject) -> Iterator[Found]:
    known = engine.classes()
    for found in subject.elements:
        up = subject.parent(found)
        if up is None or engine.short(up) not in known or engine.short(found) not in known:
            continue
        if engine.short(found) not in known[engine.short(up)].children:
            inside = sorted(name for name, entry in known.items() if engine.short(found) in entry.children)
            yield Found(subject.place(found), f"{engine.short(found)} does not belong into {engine.short(up)}", f"inside {listed(inside)}")


def _encoder(subject: Subject) -> Iterator[Found]:
    order = [engine.short(found) for found in subject.elements]
    first = next((index for index, kind in enumerate(order) if kind in SLOTS or kind == PROTOTYPE), None)
    at = order.index("module.BasicCommandEncoder") if "module.BasicCommandEncoder" in order else None
    # A module with code of its own may bring another encoder.
    if first is not None and (at is None or at > first) and not any(is_own_code(subject, found) for found in subject.root.children):
        missing = "is missing, and the engine adds it only at the end" if at is None else "stands behind the first piece"
        yield Found(
            subject.place(subject.elements[first]), f"BasicCommandEncoder {missing}: no piece can be read", "the module's first component"
        )


def _picker(subject: Subject) -> Iterator[Found]:
    for found in subject.all(*MAPS):
        order = [engine.short(child) for child in found.iter()]
        pickers = [index for index, kind in enumerate(order) if kind == "module.map.BoardPicker"]
        stacks = [index for index, kind in enumerate(order) if kind in ("module.map.SetupStack", "module.map.DrawPile")]
        if not pickers:
            yield Found(subject.place(found), "has no BoardPicker, so no board", "a BoardPicker as the map's first component")
        elif stacks and stacks[0] < pickers[0]:
            what = "BoardPicker stands behind an at-start stack or deck: the engine complains and makes a second, empty one"
            yield Found(subject.place(found), what, "a BoardPicker as the map's first component")


def _parts(subject: Subject) -> Iterator[Found]:
    for found in subject.all(*MAPS):
        have = {engine.short(child).removeprefix("module.map.") for child in found.children}
        lacking = [name for name in _NEEDED if name not in have]
        if lacking:
            what = f"lacks {', '.join(lacking)}: nothing on it can be moved or answers a key"
            own = any(is_own_code(subject, child) for child in found.children)
            yield Found(subject.place(found), what, ", ".join(_NEEDED), Severity.NOTE if own else None)


def _comforts(subject: Subject) -> Iterator[Found]:
    for found in subject.all("module.Map"):
        have = {engine.short(child).removeprefix("module.map.") for child in found.iter()}
        lacking = [name for name in _USEFUL if name not in have]
        if lacking:
            yield Found(subject.place(found), f"lacks {', '.join(lacking)}, which the engine does not add by itself")


def version_of(text: str) -> tuple[int, int] | None:
    """Major and minor of an engine version; None when it cannot be read."""
    match = re.match(r"(\d{1,4})\.(\d{1,4})", text)
    return (int(match[1]), int(match[2])) if match else None


def _engine_version(subject: Subject) -> Iterator[Found]:
    texts = [(f"{subject.build_file}: {engine.ROOT}", subject.module.vassal_version)]
    if subject.module.metadata is not None:
        texts.append(("moduledata", subject.module.metadata.vassal_version))
    for where, text in texts:
        version = version_of(text)
        if version is None:
            yield Found(where, f"VassalVersion is {quoted(text)}, which is no version", "3.5 or later, as 3.7.26")
        elif version < (3, 5) and subject.build_file == "buildFile.xml":
            yield Found(
                where,
                f"VassalVersion {text} makes the engine look for buildFile, not buildFile.xml: the module does not load",
                "3.5 or later",
            )
        elif version > _NEWEST:
            what = f"VassalVersion {text} is newer than any engine known here ({_NEWEST[0]}.{_NEWEST[1]}), which refuses the module"
            yield Found(where, what, "the oldest version that the module needs", Severity.WARNING)


def _metadata(subject: Subject) -> Iterator[Found]:
    module, data = subject.module, subject.module.metadata
    if data is None:
        problem = next((note for note in module.notes if note.startswith("moduledata")), "is missing: the engine guesses what the file is")
        yield Found(
            "moduledata", problem.removeprefix("moduledata "), "name, version and VassalVersion as in the build file", Severity.WARNING
        )
        return
    for name, here, there in (("name", data.name, module.name), ("version", data.version, module.version)):
        if here != there:
            yield Found("moduledata", f"{name} is {quoted(here)}, in the build file {quoted(there)}", "the same in both")


def _identity(subject: Subject) -> Iterator[Found]:
    for name in ("name", "version"):
        if not subject.root.get(name).strip():
            yield Found(f"{subject.build_file}: {engine.ROOT}", f"{name} is empty: saves and tiles are told apart by it", "a text")


CHECKS = (
    Check(
        "class-unknown",
        Severity.ERROR,
        "every component's class is one of the engine's",
        "the engine shows an error and drops it",
        _classes,
    ),
    Check(
        "attribute-unknown",
        Severity.WARNING,
        "every attribute is one that its class reads",
        "the engine drops it without a word",
        _attributes,
    ),
    Check("value-number", Severity.ERROR, "numbers can be read", "the engine shows an error and drops the component", _numbers),
    Check("value-flag", Severity.WARNING, "flags are true or false", "anything else is false", _flags),
    Check("value-word", Severity.WARNING, "choices are among the words the engine has", "another word is as good as none", _words),
    Check("value-colour", Severity.WARNING, "colours can be read", "the engine takes none", _colours),
    Check("value-key", Severity.WARNING, "keys of components can be read", "an unreadable key never works", _keys),
    Check(
        "child-misplaced", Severity.WARNING, "every component stands where the engine offers it", "it may be refused or ignored", _children
    ),
    Check("encoder-first", Severity.ERROR, "BasicCommandEncoder stands before any piece", "without it no piece can be read", _encoder),
    Check(
        "picker-first",
        Severity.ERROR,
        "every map has a BoardPicker, before its stacks and decks",
        "else boards and stacks miss each other",
        _picker,
    ),
    Check("map-parts", Severity.ERROR, "every map has what it takes to move pieces", "the engine does not add it and says nothing", _parts),
    Check("map-comforts", Severity.NOTE, "maps have the usual windows and tools", "the engine does not add them", _comforts),
    Check(
        "engine-version", Severity.ERROR, "VassalVersion is one that loads", "below 3.5 the module does not load at all", _engine_version
    ),
    Check("moduledata", Severity.ERROR, "moduledata agrees with the build file", "the module manager and saves go by it", _metadata),
    Check(
        "module-identity", Severity.ERROR, "the module has a name and a version", "saves and board tiles are told apart by them", _identity
    ),
)
