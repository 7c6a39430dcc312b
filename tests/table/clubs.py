"""Copies of the club module as other hobbyists might have made it: other names, no nation marker, other set-ups."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace

from modgen.formats.vassal import pieces
from modgen.formats.vassal.buildfile import Module, Slot, read_module
from tests.formats.files import CLUB

STRENGTHS = re.compile(r"\s*(\d+)-(\d+)-(\d+)$")
Change = Callable[[Slot, pieces.Piece], pieces.Piece]


def club() -> Module:
    """The module as it is."""
    return read_module(CLUB)


def changed(module: Module, *changes: Change) -> Module:
    """The module with every counter changed in the same ways."""
    slots = []
    for slot in module.slots:
        piece = slot.piece
        for change in changes:
            piece = change(slot, piece)
        slots.append(replace(slot, piece=piece, name=piece.name))
    return replace(module, slots=tuple(slots))


def renamed(rename: Callable[[str], str]) -> Change:
    """Another name on every counter."""
    return lambda slot, piece: piece.with_basic(replace(piece.basic, name=rename(piece.name)))


def split_name(name: str) -> tuple[str, str]:
    """(words, strengths) of a name; no strengths for a marker."""
    found = STRENGTHS.search(name)
    return (name[: found.start()], found[0].strip()) if found else (name, "")


def no_nation(slot: Slot, piece: pieces.Piece) -> pieces.Piece:
    """Without the nation marker, and without prototypes that speak of nations."""
    kept = tuple(t for t in piece.traits if not (t.id == "mark" and t.fields[0] == "Nation") and t.id != "prototype")
    return replace(piece, traits=kept)


def without_folders(module: Module) -> Module:
    """All counters in one palette."""
    return replace(module, slots=tuple(replace(slot, path=()) for slot in module.slots))


def strengths_first(name: str) -> str:
    words, strengths = split_name(name)
    return f"{strengths} {words}".strip()


def slashes(name: str) -> str:
    words, strengths = split_name(name)
    return f"{words} ({strengths.replace('-', '/')})" if strengths else words


def ordinals(name: str) -> str:
    def ordinal(match: re.Match[str]) -> str:
        number = int(match[0])
        ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10 if number % 100 not in (11, 12, 13) else 0, "th")
        return f"{number}{ending}"

    words, strengths = split_name(name)
    return f"{re.sub(r'^[0-9]+', ordinal, words)} {strengths}".strip()


def romans(name: str) -> str:
    def roman(match: re.Match[str]) -> str:
        number, out = int(match[0]), ""
        for value, letters in ((90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
            out += letters * (number // value)
            number %= value
        return out

    words, strengths = split_name(name)
    return f"{re.sub(r'^[0-9]+', roman, words)} {strengths}".strip()


LONG = {"Gds": "Guards", "Tk": "Tank", "Krps": "Corps", "Pz": "Panzer", "Geb": "Mountain", "Ukr": "Ukrainian", "BR": "Belorussian"}
LONG |= {"Balt": "Baltic", "Kav": "Cavalry", "Bulg": "Bulgarian", "Rom": "Rumanian", "Hung": "Hungarian", "LW": "Luftwaffe"}


def spelled_out(name: str) -> str:
    return " ".join(LONG.get(word, word) for word in name.split())


def run_together(name: str) -> str:
    words, strengths = split_name(name)
    return f"{words.replace(' ', '')} {strengths}".strip()


def shouted(name: str) -> str:
    return name.upper()


def strengths_in_markers(slot: Slot, piece: pieces.Piece) -> pieces.Piece:
    words, strengths = split_name(piece.name)
    if not strengths:
        return piece
    mark = pieces.Trait("mark;Attack,Defence,MA", strengths.replace("-", ","))
    return replace(piece, traits=(mark, *piece.traits)).with_basic(replace(piece.basic, name=words))


def no_strengths(name: str) -> str:
    return split_name(name)[0]


def scattered(module: Module, share: float, seed: int) -> Module:
    """This share of the at-start counters stands where another one stood."""
    chance = random.Random(seed)
    moved = [slot for slot in module.slots if slot.at_start and chance.random() < share]
    places = [(slot.map, slot.x, slot.y, slot.location) for slot in moved]
    chance.shuffle(places)
    found = {slot.gpid: place for slot, place in zip(moved, places, strict=True)}
    out = []
    for slot in module.slots:
        place = found.get(slot.gpid)
        out.append(replace(slot, map=place[0], x=place[1], y=place[2], location=place[3]) if place else slot)
    return replace(module, slots=tuple(out))
