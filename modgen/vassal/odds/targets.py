"""What pieces add to odds help: the hex of a declared target."""

from __future__ import annotations

from modgen.vassal import names
from modgen.vassal.idioms import Trait, module_property, quoted
from modgen.vassal.names import command
from modgen.vassal.odds.figure import declared, match

TARGETS, SHIFT = "OddsTargets", "OddsOverride"
"""Module properties: the hexes of declared targets (``;0309;0310;``), and what players add to the column themselves."""


def targets(on: str) -> Trait:
    """A declared target adds its hex to those attacked, once; when the last declaration in the hex is taken back, or the last declared
    piece is dragged out of it, it goes again. ``on``: the map.

    It must stand outside of the property that holds the declaration, which it reads as it was before."""
    hexes, here = TARGETS, '";"+LocationName+";"'
    alone = f"CountLocation({match(declared(names.ATTACKED))})<2"
    before, left = '";"+OldLocationName+";"', f"CountLocation(OldLocationName, {quoted(on)}, {match(declared(names.ATTACKED))})==0"
    return module_property(
        hexes,
        (command("markTarget"), "{" + f'{hexes}.contains({here}) ? {hexes} : {hexes}+LocationName+";"' + "}"),
        (command("unaim"), "{" + f'{declared(names.ATTACKED)} && {left} ? {hexes}.replace({before}, ";") : {hexes}' + "}"),
        (command("unmark"), "{" + f'{declared(names.ATTACKED)} && {alone} ? {hexes}.replace({here}, ";") : {hexes}' + "}"),
    )
