"""What pieces add to odds help: the hex of a declared target, and which attack each declaration belongs to."""

from __future__ import annotations

from modgen.formats.vassal.traits import make
from modgen.layout.odds import Odds
from modgen.vassal import names
from modgen.vassal.abilities.part import Entry
from modgen.vassal.idioms import Trait, dynamic, module_property, quoted, trigger
from modgen.vassal.names import command
from modgen.vassal.odds.figure import Figure, declared, match

TARGETS, SHIFT = "OddsTargets", "OddsOverride"
"""Module properties: the hexes of declared targets (``;0309;0310;``), and what players add to the column themselves."""
HERE = "OddsHex1"
"""Module property: the hex attacked, the first of several."""
AT = "OddsAt"
"""Module property, where attacks are announced together: which of the hexes attacked is being counted, from 0."""
NUMBER, BEGAN, AGAINST = "OddsNumber", "OddsBegan", "OddsAgainst"
"""Module properties, where attacks are announced together: the number of the attack that is being declared, with what it began
(``A``: attackers, ``T``: a target, nothing once it is resolved), and the hex of each number (``;1=0309;2=0310;``)."""
GROUP = "OddsGroup"
"""Property of a piece that is declared to attack: the number of its attack."""
RESOLVE = "Resolve this attack"
NO_TARGETS = ";"


def attacking(odds: Odds) -> str:
    """A test that a piece is one of the attackers of the hex that is being counted."""
    attacks = declared(names.ATTACKS)
    return f'{attacks} && {AGAINST}.contains(";"+{GROUP}+"="+{HERE}+";")' if odds.announced else attacks


def loose() -> str:
    """A test that a piece attacks, but that its attack has no target yet."""
    return f'{declared(names.ATTACKS)} && {AGAINST}.contains(";"+{GROUP}+"=")==false'


def targets(on: str) -> Trait:
    """A declared target adds its hex to those attacked, once; when the last declaration in the hex is taken back, or the last declared
    piece is dragged out of it, it goes again. ``on``: the map.

    It must stand outside of the property that holds the declaration, which it reads as it was before."""
    hexes, here = TARGETS, '";"+LocationName+";"'
    before = '";"+OldLocationName+";"'
    return module_property(
        hexes,
        (command("markTarget"), "{" + f'{hexes}.contains({here}) ? {hexes} : {hexes}+LocationName+";"' + "}"),
        (command("unaim"), "{" + f'{_left(on)} ? {hexes}.replace({before}, ";") : {hexes}' + "}"),
        (command("unmark"), "{" + f'{_last()} ? {hexes}.replace({here}, ";") : {hexes}' + "}"),
    )


def _last() -> str:
    """A test that the piece is the last in its hex that is declared to be attacked."""
    return f"{declared(names.ATTACKED)} && CountLocation({match(declared(names.ATTACKED))})<2"


def _left(on: str) -> str:
    """A test that the piece was declared to be attacked, and that nobody who was is left where it was dragged from."""
    return f"{declared(names.ATTACKED)} && CountLocation(OldLocationName, {quoted(on)}, {match(declared(names.ATTACKED))})==0"


def announced(map_name: str) -> tuple[Trait, ...]:
    """Which attack a declaration belongs to, outermost first; all of it outside of the property that holds the declaration.

    Attackers and a target, in this order or the other, make an attack; what comes after begins the next one, and so does an attacker
    who is not beside the target that was declared before him. Whoever comes later, or changes his mind, is declared with his target once
    more: one hex may have several numbers.
    """
    has = f'{AGAINST}.contains(";"+{NUMBER}+"=")'
    mine = f'{AGAINST}.contains(";"+{NUMBER}+"="+LocationName+";")'
    waiting = f"CountMap({quoted(map_name)}, {match(f'{declared(names.ATTACKS)} && {GROUP}=={NUMBER}')})>0"
    beside = declared(names.ATTACKED) + f' && {AGAINST}.contains(";"+{NUMBER}+"="+LocationName+";")'
    near = f"CountRange(0, 1, {match(beside)})>0"
    joins = f'{NUMBER}>0 && (({BEGAN}=="T" && {near}) || ({BEGAN}=="A" && {has}==false))'
    closes = f'{NUMBER}>0 && (({has}==false && {waiting}) || ({BEGAN}!="" && {mine}))'
    attack, target = command("markAttack"), command("markTarget")
    forgets = AGAINST + '.replaceAll("[0-9]+="+{}+";", "")'
    return (
        module_property(
            NUMBER,
            (attack, "{" + f"{joins} ? {NUMBER} : {NUMBER}+1" + "}"),
            (target, "{" + f"{closes} ? {NUMBER} : {NUMBER}+1" + "}"),
        ),
        module_property(
            BEGAN,
            (attack, "{" + f'{has} ? {BEGAN} : "A"' + "}"),
            (target, "{" + f'{has} ? {BEGAN} : {waiting} ? "A" : "T"' + "}"),
        ),
        module_property(
            AGAINST,
            (target, "{" + f'{has} ? {AGAINST} : {AGAINST}+{NUMBER}+"="+LocationName+";"' + "}"),
            (command("unaim"), "{" + f"{_left(map_name)} ? {forgets.format('OldLocationName')} : {AGAINST}" + "}"),
            (command("unmark"), "{" + f"{_last()} ? {forgets.format('LocationName')} : {AGAINST}" + "}"),
        ),
        dynamic(GROUP, "0", (attack, "{" + NUMBER + "}")),
    )


def resolving() -> tuple[tuple[Trait, ...], tuple[Trait, ...]]:
    """The menu entry of a target by which its attack is resolved before those announced earlier: its trigger, and what that sets off."""
    here = '";"+LocationName+";"'
    menu = trigger(RESOLVE, names.KEYS["resolve"], "{" + declared(names.ATTACKED) + "}", command("oddsNow"), command("oddsGo"))
    first = module_property(TARGETS, (command("oddsNow"), "{" + f'";"+LocationName+{TARGETS}.replace({here}, ";")' + "}"))
    return (menu,), (first, (make("globalhotkey", menu="", key=command("oddsGo"), hotkey=command("btnResolve")), ""))


def aid() -> tuple[Entry, ...]:
    """What the player aid says of it."""
    return (Entry(names.KEYS["resolve"], RESOLVE, "on a target: its attack is resolved before those that were announced earlier"),)


def figures(odds: Odds) -> tuple[Figure, ...]:
    """The module's properties about declarations, with what makes them forget."""
    over = ("clearAll", "clearDeclAll")
    if not odds.announced:
        return (Figure(TARGETS, NO_TARGETS, changes=tuple((key, NO_TARGETS) for key in (*over, "oddsOver"))),)
    resolved = f'{AGAINST}.contains(";"+{NUMBER}+"="+{HERE}+";") ? "" : {BEGAN}'
    return (
        Figure(
            TARGETS,
            NO_TARGETS,
            changes=(*((key, NO_TARGETS) for key in over), ("oddsOver", "{" + f'{TARGETS}.replace(";"+{HERE}+";", ";")' + "}")),
        ),
        Figure(NUMBER, "0", changes=tuple((key, "0") for key in over)),
        Figure(BEGAN, "", changes=(*((key, "") for key in over), ("oddsOver", "{" + resolved + "}"))),
        Figure(AGAINST, NO_TARGETS, changes=tuple((key, NO_TARGETS) for key in over)),
        Figure(AT, "0", changes=(("oddsFirst", "0"), ("oddsNext", "{" + f"{AT}+1" + "}"))),
    )
