"""Properties: what is read or set must be defined somewhere: by the module, a map, a zone, a piece, or the engine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

from modgen.formats.vassal import engine, sequence
from modgen.formats.vassal.pieces import Trait
from modgen.formats.vassal.validate.beanshell import calls, names_read, syntax_fault
from modgen.formats.vassal.validate.model import MAPS, PROPERTIES, Check, Found, Severity, Subject, listed, quoted
from modgen.formats.vassal.validate.sources import sources
from modgen.formats.vassal.validate.traits import fields_of

# Component -> the attribute with its name, and what stands behind the name in the properties it gives.
_GIVERS = {
    "module.DiceButton": ("name", ("_result", "_total", "_keep", "_summary")),
    "module.RandomTextButton": ("name", ("_result", "_total", "_keep", "_summary")),
    "module.SpecialDiceButton": ("name", ("_result", "_total")),
    "module.map.DrawPile": ("name", ("_numPieces",)),
    "module.turn.CounterTurnLevel": ("property", ("",)),
    "module.turn.ListTurnLevel": ("property", ("",)),
    "module.properties.GlobalTranslatableMessage": ("name", ("",)),
    "module.DoActionButton": ("indexProperty", ("",)),
    "module.SpecialDie": ("name", ("_result",)),
    **{kind: ("mapName", ("_isVisible",)) for kind in MAPS},
    **{kind: ("name", ("",)) for kind in PROPERTIES},
    **{f"VASSAL.preferences.{kind}Preference": ("name", ("",)) for kind in ("String", "Text", "Enum", "Integer", "Double", "Boolean")},
    **{f"module.properties.{kind}ScenarioProperty": ("name", ("",)) for kind in ("List", "Boolean", "String", "Number")},
}
_READS = ("GetProperty", "GetString", "GetMapProperty", "GetZoneProperty", "GetLocalizedProperty")
_SUMS = ("SumStack", "SumLocation", "SumMap", "SumZone", "Sum", "SumMat")


@dataclass(frozen=True)
class Names:
    """The properties that are defined: by components, and by traits of pieces. Those of pieces that a prototype's parameters name
    are not known; ``open`` says that there are such."""

    shared: frozenset[str]
    pieces: frozenset[str]

    def __contains__(self, name: str) -> bool:
        return name in self.shared or name in self.pieces or name in engine.PROPERTIES


def _of_trait(trait: Trait) -> Iterator[str]:
    fields = fields_of(trait)
    name = fields.get("name", "")
    match trait.id:
        case "mark":
            yield from sequence.decode(fields.get("names", ""), ",")
        case "PROP" | "calcProp":
            yield name
        case "macro":
            yield fields.get("index_property", "")
        case "label":
            yield fields.get("property", "")
        case "locmsg":
            yield fields.get("key", "")
        case "propertysheet":
            yield from (line.lstrip("0123456789") for line in fields.get("definition", "").split("~"))
        case _:
            pass
    entry = engine.traits().get(trait.id)
    for given in entry.properties if entry is not None else ():
        yield (name + given) if given.startswith("_") else given


@lru_cache(maxsize=1)
def names(subject: Subject) -> Names:
    """Every property that the module defines."""
    shared: set[str] = set()
    for found in subject.elements:
        giver = _GIVERS.get(engine.short(found))
        if giver is None:
            continue
        attribute, endings = giver
        name = found.get(attribute).strip()
        if not name:
            continue
        shared |= {name + ending for ending in endings} | {name.replace(" ", "_") + ending for ending in endings}
        if engine.short(found) == "module.map.DrawPile":
            shared |= {f"{name}_{word.partition(':')[0]}" for word in sequence.decode(found.get("countExpressions"), ",")}
    pieces = {name for definition in subject.definitions for _, trait in definition.traits() for name in _of_trait(trait)}
    return Names(frozenset(shared - {""}), frozenset(pieces - {""}))


def _hint(name: str, known: Names) -> str:
    near = get_close_matches(name, sorted({*known.shared, *known.pieces, *engine.PROPERTIES}), 1)
    return f"perhaps {near[0]}" if near else "a property of the module, a map, a zone or a piece"


def _read(subject: Subject) -> Iterator[tuple[str, str, str]]:
    """(place, property, in what) of every property that expressions and lists read by its name."""
    for found in sources(subject).expressions:
        if syntax_fault(found.text):
            continue
        parts = found.tokens
        shown = quoted("{" + found.text + "}", 90)
        for name in names_read(parts):
            yield found.where, name, shown
        for call in calls(parts):
            text = call.literal(0) if not call.method and call.name in (*_READS, *_SUMS) else None
            if text and not text.startswith("{") and "$" not in text:
                yield found.where, text, shown
    for found_element in subject.elements:
        match engine.short(found_element):
            case "module.Inventory":
                listed_names = sequence.decode(found_element.get("groupBy"), ",")
            case "module.map.LayeredPieceCollection":
                listed_names = [found_element.get("property", "Layer")]
            case _:
                continue
        for name in listed_names:
            if name:
                yield subject.place(found_element), name, f"{engine.short(found_element).rpartition('.')[2]}"


def _undefined(subject: Subject) -> Iterator[Found]:
    known = names(subject)
    for where, name, shown in _read(subject):
        if name not in known:
            yield Found(where, f"the property {quoted(name)} is read and defined nowhere: {shown}", _hint(name, known))


def _unknown_words(subject: Subject) -> Iterator[Found]:
    known = names(subject)
    for text in sources(subject).texts:
        for name in text.names:
            # The engine's own words for old and new values are free: old + any name.
            plain = name[3:] if name.startswith("old") and len(name) > 3 else name
            if name in known or plain in known or plain[:1].lower() + plain[1:] in known or name in engine.FORMAT_WORDS:
                continue
            if name.replace("_", "").isalnum():
                yield Found(text.where, f"${name}$ is defined nowhere and stays empty: {quoted(text.text)}", _hint(name, known))


def _set(subject: Subject) -> Iterator[Found]:
    known = names(subject)
    for found in sources(subject).changers:
        if not found.trait or found.trait == "PROP" or not found.name or found.name.startswith("{") or "$" in found.name:
            continue
        if found.trait == "setprop" and found.name not in known.shared:
            what = f"sets the property {quoted(found.name)}, which no module, map or zone has: the engine complains and sets nothing"
            yield Found(found.where, what, _hint(found.name, known))
        elif found.trait == "setpieceprop" and found.name not in known.pieces:
            what = f"sets the property {quoted(found.name)}, which no piece has"
            yield Found(found.where, what, _hint(found.name, known))


def _idle(subject: Subject) -> Iterator[Found]:
    read = {name for _, name, _ in _read(subject)}
    read |= {name for text in sources(subject).texts for name in text.names}
    read |= {found.name for found in sources(subject).changers}
    quiet = [
        found.get("name")
        for found in subject.all("module.properties.GlobalProperty")
        if found.get("name") and found.get("name") not in read and not found.children
    ]
    if quiet:
        yield Found(subject.build_file, f"{len(quiet)} properties are read and set by nothing in the module: {listed(quiet, 8)}")


CHECKS = (
    Check("property-undefined", Severity.WARNING, "properties that are read are defined", "they are empty", _undefined),
    Check("property-word", Severity.WARNING, "$name$ in reports and names is defined", "it stays empty", _unknown_words),
    Check("property-set", Severity.ERROR, "properties that are set exist", "the engine complains and sets nothing", _set),
    Check("property-idle", Severity.NOTE, "properties are used by something", "they only carry what others read from saves", _idle),
)
