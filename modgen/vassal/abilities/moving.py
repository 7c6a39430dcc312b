"""Marks of movement, markers put down by a piece, deleting."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from modgen.art import counters
from modgen.errors import ArtError
from modgen.formats.vassal.traits import make
from modgen.layout.abilities import Place, Prototype
from modgen.vassal import names
from modgen.vassal.abilities.part import Bench, Entry, Part, gathered, joined, press, said
from modgen.vassal.idioms import module_property, neither, quoted, trigger
from modgen.vassal.names import KEYS, command
from modgen.vassal.odds.figure import match


def trail(bench: Bench) -> Part:
    """The trail of places that the piece has left."""
    return Part(
        inner=((make("footprint", key=KEYS["trail"], menu="Movement trail"), "false;;0;false"),),
        aid=(Entry(KEYS["trail"], "Movement trail", "shows where the unit has been"),),
    )


def moved(bench: Bench) -> Part:
    """The mark of a unit that has moved, set by the client with every move."""
    text = make(
        "markmoved",
        image=counters.MOVED,
        x=bench.size // 2 - 18,
        y=-(bench.size // 2),
        menu="Mark moved",
        key=KEYS["moved"],
        menu_true="",
        menu_false="",
        key_false=command("clear"),
    )
    return Part(
        inner=((text, "false"),),
        aid=(Entry(KEYS["moved"], "Mark moved", "set by every move; the next phase clears it"),),
        clears=("Moved==true",),
    )


def crossed(once: str) -> str:
    """The module's property with the turn on which such a crossing was made last."""
    return f"Crossed{once.capitalize()}"


def properties(prototypes: Iterable[Prototype]) -> list[tuple[str, str]]:
    """The module's properties that remember crossings."""
    return [(name, "0") for name in dict.fromkeys(crossed(p.cross.once) for p in prototypes if p.cross is not None)]


def cross(bench: Bench) -> Part:
    """Over to the other of two hexes, unless somebody has crossed on this turn or an enemy who can be attacked stands there."""
    item = bench.prototype.cross
    if item is None or (others := bench.but(item.only)) is None:
        return Part()
    (one, a), (other, b) = ((hex_, bench.spot(hex_)) for hex_ in item.ends)
    sides = {p.side for p in bench.box.pieces if bench.layout.play.prototype(p) is bench.prototype}
    enemy = " && ".join([f'{names.DECLARED}!=""', *(f"{names.SIDE}!={quoted(side)}" for side in sorted(sides))])
    there = f"(LocationName=={quoted(one)} ? {quoted(other)} : {quoted(one)})"
    held = f'CountLocation({there}, {quoted(a.map)}, {match(enemy)})>0'
    free = "{" + f"{crossed(item.once)}!={names.TURN} && ({held})==false" + "}"
    pressed = press(item.menu, "cross")
    go = make(
        "sendto",
        key=command("crossGo"),
        map=a.map,
        x="{" + f"LocationName=={quoted(one)} ? {b.x} : {a.x}" + "}",
        y="{" + f"LocationName=={quoted(one)} ? {b.y} : {a.y}" + "}",
        x_offset=0,
        y_offset=0,
    )
    does = ("elimNote", "unmark", "crossNote", "crossGo", "crossSay")
    return Part(
        says=(said(item.menu, "crossSay", "{name} crosses from {from} to {place}"),),
        menus=(trigger(item.menu.text, pressed, free, *(command(c) for c in does)),),
        inner=((go, ";;"), module_property(crossed(item.once), (command("crossNote"), "{" + names.TURN + "}"))),
        aid=(Entry(names.pressed(item.menu.key), item.menu.text, f"between {one} and {other}, one unit of its side a turn"),),
        hides=((neither("LocationName", item.ends), pressed), *(((others, pressed),) if others else ())),
    )


def delete(bench: Bench) -> Part:
    """Taken off the table."""
    return Part(inner=((make("delete", key=names.DELETE), ""),), aid=(Entry(names.DELETE, "Delete", "markers only"),))


def place_slot(prototype: str, marker: str) -> str:
    """The ledger's name of a marker that pieces of a prototype put down: it needs a number of its own."""
    return f"place:{prototype}:{marker}"


def _place(bench: Bench, item: Place) -> Part:
    key = f"place-{item.marker}"
    slot = place_slot(bench.prototype.name, item.marker)
    marker, number = bench.markers.get(item.marker), bench.gpids.get(slot)
    if marker is None or number is None:
        raise ArtError(f"{bench.layout.path.name}: [[prototype]] {bench.prototype.name} place: no number for {slot}")
    text = make(
        "placemark",
        menu="",
        key=command(f"{key}Go"),
        piece=str(marker.with_basic(replace(marker.basic, gpid=str(number)))),
        gpid=number,
        x=0,
        y=0,
    )
    return Part(
        says=(said(item.menu, f"{key}Say", "{place}: " + item.menu.text),),
        menus=(trigger(item.menu.text, press(item.menu, key), bench.in_play(), command(f"{key}Go"), command(f"{key}Say")),),
        inner=((text, ""),),
        aid=() if item.under else (Entry(names.pressed(item.menu.key), item.menu.text, "puts the marker on the unit's place"),),
        under=((item.under, item.menu.text),) if item.under else (),
    )


def places(bench: Bench) -> Part:
    """Every marker that the prototype puts down."""
    return joined((gathered(bench.prototype.places), *(_place(bench, item) for item in bench.prototype.places)))
