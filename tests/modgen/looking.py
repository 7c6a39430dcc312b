"""What tests look for in a built module: its piece texts, pictures, expressions and keys, and the traits that ran in the engine."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from modgen.art import plan
from modgen.formats.vassal import sequence
from modgen.formats.vassal.keys import key
from modgen.formats.vassal.pieces import Piece, Trait
from tests.modgen.conftest import Built

HERE = Path(__file__).parent
COMPONENTS: dict[str, dict[str, list[str]]] = json.loads((HERE / "components.json").read_text("utf-8"))
IDIOMS: list[tuple[str, str]] = json.loads((HERE / "idioms.json").read_text("utf-8"))
"""Type and state of traits that ran in the engine without a complaint."""
M = "VASSAL.build.module."


def definitions(built: Built) -> Iterator[tuple[str, Piece]]:
    """Every piece text of the module: prototypes and slots."""
    yield from ((f"prototype {name}", piece) for name, piece in built.module.prototypes.items())
    yield from ((f"slot {slot.name}", slot.piece) for slot in built.module.slots)


def form(value: str) -> str:
    """What kind of thing stands in a field."""
    if re.fullmatch(r"\d+,\d+(,[\w-]+)?", value):
        return "key"
    if re.fullmatch(r"-?\d+(\.\d+)?", value):
        return "number"
    return value if value in ("true", "false", "") else "value"


def proved() -> dict[str, dict[int, set[str]]]:
    """Trait -> field -> the kinds that ran in the engine; field -1 holds how many fields there were."""
    out: dict[str, dict[int, set[str]]] = {}
    for text, _ in IDIOMS:
        name, _, rest = text.partition(";")
        fields = sequence.decode(rest, ";")
        seen = out.setdefault(name, {})
        seen.setdefault(-1, set()).add(str(len(fields)))
        for at, value in enumerate(fields):
            seen.setdefault(at, set()).add(form(value))
    return out


def zone_of(built: Built, place: str) -> str:
    """The zone of a place of the map: the set of hexes that a hex belongs to; zones of a map without hexes are their own."""
    if built.layout.board.areas is not None:
        return place
    return next(zone for zone, hexes in plan.zone_hexes(built.layout, built.box).items() if place in hexes)


def images_of(piece: Piece) -> Iterator[str]:
    for trait in piece.traits:
        if trait.id == "emb2":
            yield from sequence.decode(trait.field("images"), ",")
        elif trait.id in ("markmoved", "obs"):
            yield trait.field("image")
    yield piece.basic.image


def expressions(built: Built) -> Iterator[str]:
    for found in built.root.iter():
        for value in found.attributes.values():
            yield from re.findall(r"\{.*\}", value)
    for _, piece in definitions(built):
        for trait in piece.traits:
            yield from (f for f in trait.fields if f.startswith("{"))
            if trait.id in ("PROP", "setprop"):
                yield from (value for _, value in changers(trait))


def changers(trait: Trait) -> Iterator[tuple[str, str]]:
    """(key, value) of each command of a property trait."""
    for command in sequence.decode(trait.field("commands"), ","):
        menu, pressed, changer = sequence.decode(command, ":")
        parts = sequence.decode(changer, ",")
        assert menu == "" and parts[0] == "P" and len(parts) == 2, "a comma in a changer must be escaped or the value is cut"
        yield pressed, parts[1]


def sent_keys(built: Built) -> set[str]:
    out = set()
    for _, piece in definitions(built):
        for trait in piece.traits:
            if trait.id == "macro":
                out |= {key(k).name for k in sequence.decode(trait.field("action_keys"), ",")}
    for found in built.root.iter():
        for name in ("hotkeys", "hotkey"):
            if found.name in (M + "DoActionButton", M + "GlobalKeyCommand") and (name == "hotkeys" or found.name == M + "GlobalKeyCommand"):
                out |= {key(k).name for k in sequence.decode(found.get(name), ",")} if name == "hotkeys" else {key(found.get(name)).name}
    return out - {""}


def heard_keys(built: Built) -> set[str]:
    out = set()
    for _, piece in definitions(built):
        for trait in piece.traits:
            if trait.id in ("PROP", "setprop"):
                out |= {key(k).name for k, _ in changers(trait)}
            elif trait.id == "report":
                out |= {key(k).name for k in sequence.decode(trait.field("keys"), ",")}
            else:
                out |= {key(f).name for f in trait.fields if re.fullmatch(r"\d+,\d+,[\w-]+", f)}
    for found in built.root.iter():
        for name in ("hotkey", "buttonHotkey", "nexthotkey"):
            if name in found.attributes and not (found.name == M + "GlobalKeyCommand" and name == "hotkey"):
                out.add(key(found.get(name)).name)
    return out - {""}


def evaluate(expression: str, values: dict[str, str]) -> str:
    """A sum of texts and properties, as the engine's expressions add them."""
    assert expression.startswith("{") and expression.endswith("}")
    parts = re.findall(r'"[^"]*"|\w+', expression[1:-1])
    assert "+".join(parts) == expression[1:-1]
    return "".join(p[1:-1] if p.startswith('"') else values[p] for p in parts)


def reports(piece: Piece) -> dict[str, str]:
    """Named key -> what the report of that key says."""
    return {key(t.field("keys").replace("\\,", ",")).name: t.field("format") for t in piece.traits if t.id == "report"}
