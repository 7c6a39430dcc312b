"""How strong a formation is: counted from what lies in its box on its side's display, and told only when its side says so."""

from __future__ import annotations

from gamebox.model import Box
from modgen.formats.vassal.traits import make
from modgen.layout.abilities import ELITES, STRENGTH, Strength
from modgen.vassal import names
from modgen.vassal.abilities.part import Bench, Entry, Part, press, said
from modgen.vassal.idioms import Trait, neither, quoted, trigger
from modgen.vassal.names import command

WORTH, TOLD = "Worth", "Told"
"""What a piece is worth with the face that is up; how what is in a box is said."""
BOX, BOX_MAP = "OwnBox", "OwnBoxMap"
"""Markers of a formation: its box, and the display that has it. A bare ``Box`` would be a class of Java to the engine's expressions."""


def _calculated(name: str, expression: str) -> Trait:
    return make("calcProp", name=name, expression="{" + expression + "}"), ""


def worth(bench: Bench) -> Part:
    """What a piece adds to the strength of its box, by the face that is up."""
    columns = [column.capitalize() for column in bench.prototype.worth]
    if not columns:
        return Part()
    chain = "".join(f"{names.FACE}_Level=={n} ? {column} : " for n, column in enumerate(columns[:-1], 1))
    return Part(inner=(_calculated(WORTH, chain + columns[-1]),))


def column(box: Box, item: Strength, value: str) -> str:
    """An expression: which column of the table of results a strength has."""
    rows = list(box[item.table])
    chain = "".join(f"{value}<={row.text(item.high)} ? {quoted(row.text(item.named))} : " for row in rows if row.text(item.high))
    last = next(row.text(item.named) for row in rows if not row.text(item.high))
    return f'({value}<1 ? "none" : {chain}{quoted(last)})'


def tell(bench: Bench) -> Part:
    """The strength, whole and halved, each with its column, and whether there is an elite: in the chat, for its side's seats to say."""
    item = bench.prototype.strength
    if item is None:
        return Part()
    pressed = press(item.menu, "tell")
    whole, half = column(bench.box, item, STRENGTH), column(bench.box, item, f"({STRENGTH}/2)")
    words = f'"strength "+{STRENGTH}+" (column "+{whole}+"), half "+({STRENGTH}/2)+" (column "+{half}+")"'
    counted = [_calculated(STRENGTH, f"SumLocation({quoted(WORTH)},{BOX},{BOX_MAP})")]
    if item.elite:
        test = "{" + f"{item.elite.capitalize()}==1" + "}"
        counted.append(_calculated(ELITES, f'CountLocation({BOX},{BOX_MAP},"{test}")'))
        words += f'+({ELITES}>0 ? ", with an elite" : ", without elites")'
    return Part(
        says=(said(item.menu, "tellSay", f"{{place}}: {{name}} has ${TOLD}$"),),
        menus=(trigger(item.menu.text, pressed, "", command("tellSay")),),
        inner=(_calculated(TOLD, words), *counted),
        aid=(Entry(names.pressed(item.menu.key), item.menu.text, "tells everybody how strong it is: before supply and shifts"),),
        hides=((neither("PlayerSide", item.seats), pressed),),
    )
