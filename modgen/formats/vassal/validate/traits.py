"""What single traits say, and how the traits of one piece work together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from modgen.formats.vassal import engine, sequence, words
from modgen.formats.vassal.keys import NO_KEY, Key, key
from modgen.formats.vassal.pieces import Piece, Trait, layer
from modgen.formats.vassal.traits import TRAITS
from modgen.formats.vassal.validate.model import Check, Found, Severity, Subject, listed, quoted
from modgen.formats.vassal.validate.structure import KEY_FORM, is_number, key_fault, keys_fault

_OLD_PLACE = re.compile(r"\bOld(?:LocationName|Zone|Map|Board|X|Y|DeckName)\b")
_KEPT = 4096
_LEVEL_ZERO = re.compile(r"[?:]\s*0\s*(?:[:}]|$)")


@lru_cache(maxsize=128)
def _forms(trait: str) -> Mapping[str, str]:
    """Field -> what stands in it, as far as its default tells: flag, number, key, keys."""
    found: dict[str, str] = {}
    spec = TRAITS.get(trait)
    for name, default in spec.fields if spec is not None else ():
        if (trait, name) in words.KEY_LISTS:
            found[name] = "keys"
        elif default in ("true", "false"):
            found[name] = "flag"
        elif name == "key" or name.endswith("_key") or name.startswith("key_"):
            found[name] = "key"
        elif is_number(default):
            found[name] = "number"
    return found


def fields_of(trait: Trait) -> Mapping[str, str]:
    """A trait's fields by name, those that stand in its text; a rotator with one facing has others than one with more."""
    return _fields_of(trait.text)


@lru_cache(maxsize=_KEPT)
def _fields_of(text: str) -> Mapping[str, str]:
    trait = Trait(text)
    spec = TRAITS.get(trait.id)
    if spec is None:
        return {}
    names = spec.names
    fields = trait.fields
    if trait.id == "rotate" and fields[:1] == ("1",):
        names = ("facings", "key", "menu", *names[5:])
    return dict(zip(names, fields, strict=False))


def _form_fault(form: str, value: str) -> tuple[str, str] | None:
    if not value or value.startswith("{") or "$" in value:
        return None
    if form == "flag" and value not in ("true", "false"):
        return f"is {quoted(value)}, which is read as false", "true or false"
    if form == "number" and not is_number(value):
        return f"is {quoted(value)}, in place of which the engine takes its default", "a number"
    if form in ("key", "keys") and (fault := key_fault(value) if form == "key" else keys_fault(value)):
        return f"is wrong: {fault}", KEY_FORM
    return None


def _fields(subject: Subject) -> Iterator[Found]:
    for found in subject.definitions:
        for where, trait in found.traits():
            forms = _forms(trait.id)
            for name, value in fields_of(trait).items():
                fault = _form_fault(forms.get(name, ""), value)
                if fault is not None:
                    yield Found(where, f"the field {name} {fault[0]}", fault[1])


# -- layers


def _old_layers(subject: Subject) -> Iterator[Found]:
    at = TRAITS["emb2"].names.index("version")
    for found in subject.definitions:
        for where, trait in found.traits():
            if trait.id == "emb2" and trait.fields[at : at + 1] != ("1",):
                yield Found(where, "a layer in the old form, whose keys are letters", "version 1 in its field 25")


def _layers(subject: Subject) -> Iterator[tuple[str, Trait]]:
    at = TRAITS["emb2"].names.index("version")
    for found in subject.definitions:
        for where, trait in found.traits():
            if trait.id == "emb2" and trait.fields[at : at + 1] == ("1",):
                yield where, trait


def _layer_levels(subject: Subject) -> Iterator[Found]:
    for where, trait in _layers(subject):
        made = layer(trait)
        names = sequence.decode(trait.field("level_names"), ",")
        if not any(made.images) and len(made.images) < 2:
            yield Found(where, "the layer has no picture at all", "a picture a level; a level without one is an empty name in the list")
            continue
        if not made.follows and made.level > len(made.images):
            yield Found(where, f"the layer stands on level {made.level} of {len(made.images)}", f"1 to {len(made.images)}")
        if len(names) > len(made.images):
            yield Found(where, f"the layer has {len(names)} names of levels and {len(made.images)} pictures", "no more names than pictures")


def _level_zero(subject: Subject) -> Iterator[Found]:
    for where, trait in _layers(subject):
        if trait.state.partition(";")[0].strip() == "0":
            yield Found(
                where, "the layer stands on level 0, which draws level 1 all the same", "1 and up; a level without a picture shows nothing"
            )
        elif trait.field("follow") == "true" and trait.field("first_level") == "1" and _LEVEL_ZERO.search(trait.field("property")):
            yield Found(
                where,
                f"the layer follows {quoted(trait.field('property'))}, which may be 0: level 0 draws level 1 all the same",
                "an expression of 1 and up, with an empty picture as level 1",
            )


# -- masks


def _mask_access(subject: Subject) -> Iterator[Found]:
    for found in subject.definitions:
        for where, trait in found.traits():
            if trait.id not in ("obs", "hide"):
                continue
            access = trait.field("access")
            if access.startswith("player:") or not access:
                what = "belongs to a player, not to a side: it stores his password, and whoever takes his place can never open it"
                yield Found(where, what, "side: or sides:NAME:NAME")
            elif not access.startswith(("side:", "sides:")):
                yield Found(where, f"access is {quoted(access)}", "side: or sides:NAME:NAME")


def menu_entries(trait: Trait) -> list[tuple[str, str]]:
    """(menu text, key) of what a trait puts into its piece's menu; entries without a text are left out."""
    fields = fields_of(trait)
    if trait.id in ("PROP", "setprop", "setpieceprop"):
        parts = [sequence.decode(command, ":") for command in sequence.decode(fields.get("commands", ""), ",")]
        pairs = [(part[0], part[1] if len(part) > 1 else "") for part in parts]
    else:
        pairs = [(fields[menu], fields.get(pressed, "")) for menu, pressed in _MENUS.get(trait.id, ()) if menu in fields]
    return [(menu, pressed) for menu, pressed in pairs if menu]


_MENUS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "emb2": (("activate_menu", "activate_key"), ("up_menu", "up_key"), ("down_menu", "down_key"), ("random_menu", "random_key")),
    "rotate": (("cw_menu", "cw_key"), ("ccw_menu", "ccw_key"), ("random_menu", "random_key"), ("menu", "key")),
    "sendto": (("menu", "key"), ("back_menu", "back_key")),
    "markmoved": (("menu", "key"), ("menu_true", "key_true"), ("menu_false", "key_false")),
    "AreaOfEffect": (("menu", "key"), ("menu_on", "key_on"), ("menu_off", "key_off")),
    "attach": (("menu", ""), ("clear_menu", "clear_key"), ("clear_matching_menu", "clear_matching_key")),
    "pivot": (("menu", "key"), ("menu_2", "key_2")),
    **{
        name: (("menu", "key"),)
        for name in (
            *("obs", "hide", "footprint", "delete", "clone", "macro", "placemark", "replace", "globalkey", "globalhotkey", "label"),
            *("return", "translate", "deselect", "playSound", "propertysheet", "table", "locCommand"),
        )
    },
}
"""Trait -> its (menu text, key) fields."""


def _mask_order(subject: Subject) -> Iterator[Found]:
    for found, piece in subject.wholes:
        outside: list[str] = []
        for trait in piece.traits:
            if trait.id == "obs":
                if outside:
                    what = f"the mask lies inside traits with menu entries ({listed(outside, 4)}), which the other side can still use"
                    yield Found(found.where, what, "the mask as the outermost trait")
                break
            outside += [quoted(menu) for menu, _ in menu_entries(trait)]


# -- markers, reports, decks


def _marker_names(subject: Subject) -> Iterator[Found]:
    for found in subject.definitions:
        for where, trait in found.traits():
            if trait.id not in ("mark", "PROP", "calcProp"):
                continue
            first = (trait.fields or ("",))[0]
            for name in sequence.decode(first, ",") if trait.id == "mark" else [first]:
                if name == "PieceId":
                    yield Found(
                        where, "PieceId is the engine's own: placing the piece overwrites it with the gpid", "another name, as UnitId"
                    )
                elif name in engine.TAKEN:
                    yield Found(where, f"the engine itself answers for {name}", "another name", Severity.WARNING)


def _report_words(subject: Subject) -> Iterator[Found]:
    for found in subject.definitions:
        for where, trait in found.traits():
            if trait.id == "report" and "$pieceName$" in trait.field("format"):
                yield Found(where, "$pieceName$ is empty in a report", "$PieceName$, $BasicName$, $newPieceName$ or $oldPieceName$")


def _report_twice(subject: Subject) -> Iterator[Found]:
    for found, piece in subject.wholes:
        seen: dict[Key, str] = {}
        for trait in piece.traits:
            if trait.id != "report":
                continue
            for pressed in {key(word) for word in sequence.decode(trait.field("keys"), ",")} - {NO_KEY}:
                before = seen.setdefault(_plain(pressed), trait.text)
                if before != trait.text:
                    yield Found(found.where, f"two reports speak at {key_words(pressed)}; the inner one comes first")


def _plain(pressed: Key) -> Key:
    """A named key without its number, which the engine allots anew."""
    return Key(0, 0, pressed.name) if pressed.name else pressed


def key_words(pressed: Key) -> str:
    """A key for people."""
    return f"the named key {quoted(pressed.name)}" if pressed.name else words.key_words(pressed)


def _return_deck(subject: Subject) -> Iterator[Found]:
    decks = {deck.name for each in subject.module.maps for deck in each.decks}
    for found in subject.definitions:
        for where, trait in found.traits():
            if trait.id != "return":
                continue
            fields = fields_of(trait)
            if fields.get("version", "1") != "2":
                named = fields.get("old_deck", "")
            else:
                named = fields.get("deck", "")
                if not named and fields.get("select") != "true":
                    what = "names its deck in a field that this form does not read" if fields.get("old_deck") else "names no deck"
                    yield Found(where, what + ": the engine finds none", "the deck's name in the last field")
                    continue
            if named and named not in decks and not named.startswith("{") and "$" not in named:
                yield Found(where, f"there is no deck {quoted(named)}", listed(sorted(decks)))


def _submenus(subject: Subject) -> Iterator[Found]:
    for found, piece in subject.wholes:
        entries = {menu for trait in piece.traits for menu, _ in menu_entries(trait)}
        entries |= {(trait.fields or ("",))[0] for trait in piece.traits if trait.id == "submenu"}
        for trait in piece.traits:
            if trait.id != "submenu":
                continue
            for name in sequence.decode(fields_of(trait).get("items", ""), ","):
                if name and name not in entries:
                    yield Found(
                        found.where,
                        f"the sub-menu {quoted(trait.fields[0])} lists {quoted(name)}, which is no entry of the piece",
                        listed(sorted(entries)),
                    )


def _old_places(subject: Subject) -> Iterator[Found]:
    for found, piece in subject.wholes:
        ids = {trait.id for trait in piece.traits}
        if ids & {"markmoved", "footprint"}:
            continue
        asks = next((trait for trait in piece.traits if trait.id not in ("piece", "mark") and _OLD_PLACE.search(trait.text)), None)
        if asks is not None:
            what = f"asks for the place it left ({quoted(asks.text)}), but a piece without a moved-mark or trail loses that in every log"
            yield Found(found.where, what, "a markmoved or footprint trait")


def _placed_nothing(subject: Subject) -> Iterator[Found]:
    for found in subject.definitions:
        for where, trait in found.traits():
            if trait.id in ("placemark", "replace"):
                piece, slot = trait.field("piece"), trait.field("slot")
                if piece in ("", "null") and slot in ("", "null"):
                    yield Found(where, "places no piece", "a piece's text, or the path of a slot")


# -- triggers


def heard(trait: Trait) -> frozenset[Key]:
    """The keys that a trait answers; named keys without their numbers."""
    return _heard(trait.text)


@lru_cache(maxsize=_KEPT)
def _heard(text: str) -> frozenset[Key]:
    trait = Trait(text)
    fields, forms = fields_of(trait), _forms(trait.id)
    found = {key(value) for name, value in fields.items() if forms.get(name) == "key" and name not in _SENT.get(trait.id, ())}
    if trait.id in ("report", "macro"):
        for name in ("keys", "watch_keys", "cycle_key"):
            found |= {key(word) for word in sequence.decode(fields.get(name, ""), ",")}
    if trait.id in ("PROP", "setprop", "setpieceprop"):
        found |= {key(part[1]) for word in sequence.decode(fields.get("commands", ""), ",") if len(part := sequence.decode(word, ":")) > 1}
    return frozenset(_plain(pressed) for pressed in found) - {NO_KEY}


_SENT: Mapping[str, tuple[str, ...]] = {
    "globalkey": ("sent_key",),
    "placemark": ("after_key",),
    "replace": ("after_key",),
    "macro": ("pre_key", "post_key"),
    "matPiece": ("found_key", "left_key"),
}
"""Fields with keys that a trait sends, not hears."""


def sent(trait: Trait) -> set[Key]:
    """The keys that a trait sends to its own piece or to others."""
    fields = fields_of(trait)
    found = {key(fields.get(name, "")) for name in _SENT.get(trait.id, ())}
    actions = fields.get("action_keys", "") if trait.id == "macro" else ""
    if not keys_fault(actions):
        found |= {key(word) for word in sequence.decode(actions, ",")}
    if trait.id == "globalhotkey":
        found.add(key(fields.get("hotkey", "")))
    return {_plain(pressed) for pressed in found} - {NO_KEY}


def _sets(trait: Trait) -> set[str]:
    """Properties of the piece that a trait's keys change."""
    fields = fields_of(trait)
    match trait.id:
        case "PROP":
            return {fields.get("name", "")}
        case "emb2":
            return {f"{fields.get('name', '')}_{word}" for word in ("Level", "Name", "Image", "Active")}
        case "rotate":
            return {f"{fields.get('name', '')}_{word}" for word in ("Facing", "Degrees")}
        case _:
            return set()


def _changed_by(piece: Piece, start: set[Key]) -> set[str]:
    """The properties of a piece that change when it gets these keys, triggers followed."""
    reached, work = set(start), list(start)
    while work:
        pressed = work.pop()
        for trait in piece.traits:
            if trait.id == "macro" and pressed in heard(trait):
                new = sent(trait) - reached
                reached |= new
                work += new
    return {name for trait in piece.traits if heard(trait) & reached for name in _sets(trait)}


def _trigger_order(subject: Subject) -> Iterator[Found]:
    """The inner of two triggers on one key is asked first; the outer one reads its filter after the inner has acted."""
    for found, piece in subject.wholes:
        triggers = [trait for trait in piece.traits if trait.id == "macro"]
        for index, outer in enumerate(triggers):
            reads = set(re.findall(r"[A-Za-z_]\w*", re.sub(r'"[^"]*"', "", outer.field("filter"))))
            for inner in triggers[index + 1 :]:
                both = heard(outer) & heard(inner)
                if not reads or not both or not inner.field("filter"):
                    continue
                if changed := reads & _changed_by(piece, sent(inner)):
                    names = f"{quoted(outer.field('name'))} and {quoted(inner.field('name'))}"
                    what = (
                        f"the triggers {names} hear the same key: the inner one, {quoted(inner.field('name'))}, acts first and changes "
                        f"{listed(sorted(changed))}, which the outer one then asks for, so that one key may do both"
                    )
                    yield Found(found.where, what, f"{quoted(outer.field('name'))} inside {quoted(inner.field('name'))}")


CHECKS = (
    Check("trait-form", Severity.WARNING, "fields of traits hold what the engine reads", "it takes a default in their place", _fields),
    Check("layer-old", Severity.WARNING, "layers are in the form of today", "in the old form their keys are letters", _old_layers),
    Check("layer-levels", Severity.WARNING, "layers have pictures, and stand on one of their levels", "nothing is drawn", _layer_levels),
    Check("layer-zero", Severity.WARNING, "no layer is meant to be off at level 0", "the engine draws level 1", _level_zero),
    Check("mask-access", Severity.WARNING, "masks and hiding belong to sides", "a replacement player can never open them", _mask_access),
    Check(
        "mask-order",
        Severity.WARNING,
        "the mask is outside everything with a menu entry",
        "the other side keeps those entries",
        _mask_order,
    ),
    Check(
        "marker-taken",
        Severity.ERROR,
        "no property of a piece has a name of the engine's own",
        "the engine overwrites or hides it",
        _marker_names,
    ),
    Check("report-word", Severity.WARNING, "reports do not use $pieceName$", "it is empty there", _report_words),
    Check("report-twice", Severity.NOTE, "one report speaks at one key", "the inner one speaks first", _report_twice),
    Check("return-deck", Severity.ERROR, "return-to-deck names a deck that is there", "the engine finds none", _return_deck),
    Check("submenu-entry", Severity.WARNING, "sub-menus list entries of their piece", "they have a hole", _submenus),
    Check(
        "old-place", Severity.WARNING, "pieces that ask where they were have a moved-mark or trail", "logs lose it otherwise", _old_places
    ),
    Check("placed-nothing", Severity.WARNING, "traits that place a piece have one", "nothing happens", _placed_nothing),
    Check("trigger-order", Severity.WARNING, "follow-up triggers stand inside those they follow", "one key does both", _trigger_order),
)
