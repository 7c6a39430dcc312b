"""Odds by strength alone: each side's sum chooses its column, both roll, each loses what the other's column says.

Only sums are worked out: what a declared combat shows to all. The strength of a single piece stands in no property of the module.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamebox.model import Box
from modgen.formats.vassal.traits import make
from modgen.layout.layout import Layout
from modgen.layout.odds_column import ColumnOdds, Place, bands, rolls
from modgen.layout.places import zone_name
from modgen.vassal import idioms, names
from modgen.vassal.idioms import Trait, module_property
from modgen.vassal.names import command
from modgen.vassal.odds.figure import Figure, cell, cells, declared, match, said
from modgen.vassal.odds.targets import SHIFT, TARGETS

FIRST, COUNTS = "OddsFirst", "OddsCounts"
"""The piece that was declared to attack first, and what a declared piece counts: the one is the module's, the other the piece's."""
ZONE, COUNT, FORCE, FOE = "OddsZone", "OddsZones", "OddsForce", "OddsFoe"
WAITS, READY, LEFT = "OddsWaits", "OddsReady", "OddsLeft"
"""How many declared targets of the zone their side has not answered for, whether a combat can be counted (1, or 0), and how many pieces of
the side attacked stand in the zone undeclared."""
ATTACK, DEFENCE = "OddsAttack", "OddsDefence"
COLUMNS = {"Attack": "OddsColumn", "Defence": "OddsAnswer"}
"""Side -> the figure with its column."""
BY_HAND = {"Attack": SHIFT, "Defence": "OddsOverrideDefence"}
DIE_BY_HAND = {"Attack": "OddsDieAttack", "Defence": "OddsDieDefence"}
THROWN = {"Attack": "OddsThrownAttack", "Defence": "OddsThrownDefence"}
BONUS = {"Attack": "OddsBonusAttack", "Defence": "OddsBonusDefence"}
LOSSES = {"Attack": "OddsLossesDefence", "Defence": "OddsLossesAttack"}
"""Side that throws -> the figure with what the other side loses."""
RESULT = "OddsOutcome"
CELLS, HEADS, NONE = "OddsCells", "OddsHeads", "no combat"


def traits() -> tuple[Trait, ...]:
    """What a piece that can be declared adds: who attacked first. It must stand outside of the declaration's own property."""
    return (
        module_property(
            FIRST,
            (command("markAttack"), "{" + f'{FIRST}=="" ? {names.UNIT} : {FIRST}' + "}"),
            (command("unmark"), "{" + f'{FIRST}=={names.UNIT} ? "" : {FIRST}' + "}"),
        ),
    )


def counting(odds: ColumnOdds) -> tuple[Trait, ...]:
    """What a declared piece counts: its strength, halved out of supply, halved as a supporter, fractions dropped each time."""
    value = odds.strength
    if odds.state:
        value = f"({' || '.join(f'{odds.state}=={idioms.quoted(word)}' for word in odds.words)} ? {value}/2 : {value})"
    if odds.supports:
        value = f"{declared(names.ATTACKS)} && {names.UNIT}!={FIRST} ? {value}/2 : {value}"
    return ((make("calcProp", name=COUNTS, expression="{" + value + "}"), ""),)


def figures(box: Box, layout: Layout, odds: ColumnOdds) -> tuple[Figure, ...]:
    """Every property in the order in which they are worked out; tables first.

    Raises :class:`ArtError` for words that the client's expressions cannot carry.
    """
    return (*_tables(box, layout, odds), *_counted(box, layout, odds), *_thrown(box, odds))


def hand(odds: ColumnOdds) -> tuple[Figure, ...]:
    """What players add by hand, and who attacked first; all forgotten with the declarations."""
    over = ("clearAll", "clearDeclAll", "oddsOver")
    out = [Figure(FIRST, "", changes=tuple((key, "") for key in over))]
    for figure, word in (*((BY_HAND[s], f"column{s}") for s in BY_HAND), *((DIE_BY_HAND[s], f"die{s}") for s in DIE_BY_HAND)):
        moves = ((f"{word}Up", "{" + f"{figure}+1" + "}"), (f"{word}Down", "{" + f"{figure}-1" + "}"))
        out.append(Figure(figure, "0", changes=(*moves, *((key, "0") for key in ("oddsReset", *over)))))
    return tuple(out)


def _tables(box: Box, layout: Layout, odds: ColumnOdds) -> Iterator[Figure]:
    listed, chart = bands(box, odds), odds.losses
    results = {(row.text(chart.column), row.int(chart.roll)): row.text(chart.result) for row in box[chart.table]}
    yield Figure(HEADS, cells(row.text(odds.bands.named) for row in listed)[0])
    yield Figure(CELLS, cells(results[row.key, n] for row in listed for n in rolls(box, odds))[0])
    for number, place in enumerate(odds.places, 1):
        yield Figure(f"OddsZones{number}", _zones(box, layout, place))


def _zones(box: Box, layout: Layout, place: Place) -> str:
    """The zones of a place as clients call them: ``;1 Here;7 There;``."""
    zones = box[box.zones.zones] if box.zones is not None else ()
    found = ";" + "".join(f"{zone_name(layout.board, box, row.key)};" for row in zones if place.where(row))
    said(found)
    return found


def _counted(box: Box, layout: Layout, odds: ColumnOdds) -> Iterator[Figure]:
    on = idioms.quoted(layout.board.map)
    yield Figure(ZONE, "", f'{TARGETS}.length()<2 ? "" : {TARGETS}.substring(1, {TARGETS}.indexOf(";", 1))')
    yield Figure(COUNT, "0", f"{TARGETS}.length()<2 ? 0 : {TARGETS}.length()=={ZONE}.length()+2 ? 1 : 2")
    words = {"Attack": names.ATTACKS, "Defence": names.ATTACKED}
    here = {side: f"{declared(word)} && LocationName=={ZONE}" for side, word in words.items()}
    for figure, who in ((FORCE, here["Attack"]), (FOE, here["Defence"])):
        sides = dict.fromkeys(piece.side for piece in box.pieces)
        found = ((side, match(f"{who} && {names.SIDE}=={idioms.quoted(side)}")) for side in sides)
        yield Figure(figure, "", "".join(f"CountMap({on}, {test})>0 ? {said(side)} : " for side, test in found) + said("nobody"))
    unanswered = f"{here['Defence']} && {names.ANSWERED}!={idioms.quoted(names.ANSWER)}"
    yield Figure(WAITS, "0", f"CountMap({on}, {match(unanswered)})" if _answers(layout) else "0")
    yield Figure(READY, "0", f"{_nothing()} || {WAITS}>0 ? 0 : 1")
    # Only pieces that can be declared have an answer to give.
    others = f"LocationName=={ZONE} && {names.SIDE}=={FOE} && {names.ANSWERED}=={idioms.quoted(names.NO_ANSWER)}"
    undeclared = f"{others} && {names.DECLARED}!={idioms.quoted(names.ATTACKED)}"
    yield Figure(LEFT, "0", f"{READY}==0 ? 0 : CountMap({on}, {match(undeclared)})" if _answers(layout) else "0")
    for figure, who in ((ATTACK, here["Attack"]), (DEFENCE, here["Defence"])):
        # Before a combat is declared and answered nothing is counted: the log keeps every figure, and a sum would tell what is hidden.
        yield Figure(figure, "0", f"{READY}==0 ? 0 : SumMap({idioms.quoted(COUNTS)}, {on}, {match(who)})")
    for number, place in enumerate(odds.places, 1):
        tests = [f'OddsZones{number}.contains(";"+{ZONE}+";")', *_either(FORCE, place.attackers), *_either(FOE, place.defenders)]
        value = odds.modifier(box, place.modifier).int(odds.value)
        yield Figure(f"OddsPlace{number}", "0", f"{' && '.join(tests)} ? {value} : 0")
    top = len(bands(box, odds)) - 1
    moved = "".join(f"+OddsPlace{n}" for n in range(1, len(odds.places) + 1))
    for side, figure in COLUMNS.items():
        strength = ATTACK if side == "Attack" else DEFENCE
        base = "".join(
            f"{strength}<={row.text(odds.bands.high)} ? {n} : " for n, row in enumerate(bands(box, odds)) if row.text(odds.bands.high)
        )
        moves = f"+{BY_HAND[side]}" + (moved if side == "Attack" else "")
        none = f"{READY}==0 || {strength}<1"
        yield Figure(figure, "-1", f"{none} ? -1 : Math.max(Math.min(({base}{top}){moves}, {top}), 0)")
    if odds.elite:
        worth = odds.modifier(box, odds.elite_modifier).int(odds.value)
        only = {"Attack": f"{names.UNIT}=={FIRST}" if odds.supports else "", "Defence": ""}
        for side, figure in BONUS.items():
            test = " && ".join(t for t in (here[side], only[side], f"{odds.elite}>0") if t)
            yield Figure(figure, "0", f"{READY}==0 ? 0 : CountMap({on}, {match(test)})>0 ? {worth} : 0")


def _either(figure: str, sides: tuple[str, ...]) -> list[str]:
    return ["(" + " || ".join(f"{figure}=={idioms.quoted(side)}" for side in sides) + ")"] if sides else []


def _thrown(box: Box, odds: ColumnOdds) -> Iterator[Figure]:
    """What comes of the dice: worked out by keys of their own, after each throw."""
    wide = max(len(row.text(odds.losses.result)) for row in box[odds.losses.table])
    low, high = rolls(box, odds)[0], rolls(box, odds)[-1]
    for side, figure in THROWN.items():
        yield Figure(figure, "0", changes=((f"thrown{side}", "{" + f"{odds.die}_result" + "}"),))
        bonus = f"+{BONUS[side]}" if odds.elite else ""
        thrown = f"Math.min(Math.max({figure}{bonus}+{DIE_BY_HAND[side]}, {low}), {high})-{low}"
        number = f"{COLUMNS[side]}*{high - low + 1}+{thrown}"
        losses = f'{COLUMNS[side]}<0 ? "0" : {cell(CELLS, number, wide)}'
        yield Figure(LOSSES[side], "0", changes=(("oddsLosses", "{" + losses + "}"),))
    attack, defence = LOSSES["Defence"], LOSSES["Attack"]
    outcome = f'{READY}==0 ? {said(NONE)} : "attack loses "+{attack}+", defence loses "+{defence}'
    yield Figure(RESULT, "", changes=(("oddsOutcome", "{" + outcome + "}"),))


def _answers(layout: Layout) -> bool:
    """Whether those who are attacked answer: where some of them hide their strength."""
    return any(layout.answers(p) for p in layout.play.prototypes)


def _nothing() -> str:
    """A test that no combat of two sides in one zone is declared."""
    return f'{COUNT}==0 || {COUNT}==2 || {FORCE}=={said("nobody")} || {FOE}=={said("nobody")} || {FORCE}=={FOE}'


def line(box: Box, odds: ColumnOdds) -> str:
    """The expression of what the count says: one line."""
    takes = said(". Assumed: " + "; ".join(odds.assumes)) if odds.assumes else said(".")
    places = "".join(_because(box, odds, number, place) for number, place in enumerate(odds.places, 1))
    told = f'"** Odds in "+{ZONE}+": attack "+{ATTACK}+", column "+{_column(box, odds, "Attack")}{places}{_own("Attack", odds)}'
    told += f'+"; defence "+{DEFENCE}+", column "+{_column(box, odds, "Defence")}{_own("Defence", odds)}'
    told += f'+({LEFT}==0 ? "" : ", without "+{LEFT}+" more there that nobody has declared a target")+{takes}'
    return f"{_asks(odds)}{told}"


def waits(odds: ColumnOdds) -> str:
    """The expression of what is said in place of a combat that cannot be counted; empty for one that can."""
    return f'{_asks(odds)}""'


def _asks(odds: ColumnOdds) -> str:
    """The beginning of an expression: what is still to be declared, or answered."""
    keys = {word: names.key_words(names.KEYS[word]) for word in ("attack", "target")}
    support = ", then who supports" if odds.supports else ""
    ask = said(f"** Odds: declare the attacker ({keys['attack']}){support}, and all defenders of their zone ({keys['target']}) first")
    many = said("** Odds: declared targets lie in several zones; a combat is in one")
    wait = said(f"** Odds: the side attacked has to answer first ({keys['target']} on each of its declared targets, by one of its players)")
    return f"{COUNT}==2 ? {many} : {_nothing()} ? {ask} : {WAITS}>0 ? {wait} : "


def _column(box: Box, odds: ColumnOdds, side: str) -> str:
    wide = max(len(row.text(odds.bands.named)) for row in bands(box, odds))
    return f"({COLUMNS[side]}<0 ? {said('none')} : {cell(HEADS, COLUMNS[side], wide)})"


def _because(box: Box, odds: ColumnOdds, number: int, place: Place) -> str:
    row = odds.modifier(box, place.modifier)
    value = row.int(odds.value)
    words = f" ({abs(value)} {'right' if value > 0 else 'left'} for {row.text(odds.text).partition(',')[0]})"
    return f'+(OddsPlace{number}==0 ? "" : {said(words)})'


def _own(side: str, odds: ColumnOdds) -> str:
    """What is said of the bonus for an elite, and of what was moved by hand."""
    out = f'+({BONUS[side]}==0 ? "" : ", die +"+{BONUS[side]}+" for an elite")' if odds.elite else ""
    out += f'+({BY_HAND[side]}==0 ? "" : ", column moved by "+{BY_HAND[side]}+" by hand")'
    return out + f'+({DIE_BY_HAND[side]}==0 ? "" : ", die moved by "+{DIE_BY_HAND[side]}+" by hand")'


def resolved(box: Box, odds: ColumnOdds) -> str:
    """The expression of what a combat that is resolved says: one line."""
    sides = (
        f'"{word} column "+{_column(box, odds, side)}+" die "+{THROWN[side]}+" ("+{_die(side, odds)}+{_elite(side, odds)}+")"'
        for side, word in (("Attack", "attack"), ("Defence", "defence"))
    )
    both = '+", "+'.join(sides)
    return f'"** Combat: "+{both}+": "+{RESULT}'


def _elite(side: str, odds: ColumnOdds) -> str:
    """An expression: that an elite is in what the throw counts as."""
    return f'({BONUS[side]}==0 ? "" : " with +"+{BONUS[side]}+" for an elite")' if odds.elite else '""'


def _die(side: str, odds: ColumnOdds) -> str:
    """What the throw counts as."""
    bonus = f"+{BONUS[side]}" if odds.elite else ""
    return f"({THROWN[side]}{bonus}+{DIE_BY_HAND[side]})"


def talk(box: Box, odds: ColumnOdds) -> str:
    """The line of table talk of a combat: its result, the columns, the dice, the two sums, the zone, what was moved by hand."""
    both = [f'{_column(box, odds, "Attack")}+" v "+{_column(box, odds, "Defence")}', f'{THROWN["Attack"]}+" v "+{THROWN["Defence"]}']
    moved = f'{BY_HAND["Attack"]}+" v "+{BY_HAND["Defence"]}'
    return idioms.talk("RES", RESULT, *both, ATTACK, DEFENCE, TARGETS, moved)
