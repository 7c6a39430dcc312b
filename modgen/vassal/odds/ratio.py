"""Odds by ratio: the sum of the attackers to that of the defenders, with what ground does.

Every figure is a property of the module with a button that has no face; the button Odds sends their keys in order, so each may read
those before it. Up to so many hexes attacked together have figures of their own, numbered from 1. Where attacks are announced together
there is one set of figures, worked out for one attack after the other.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamebox.model import Box
from modgen.errors import ArtError
from modgen.layout.layout import Layout
from modgen.layout.odds import Hexsides, Odds, columns, rolls, step
from modgen.vassal import idioms, names
from modgen.vassal.odds import leaders
from modgen.vassal.odds.figure import Figure, cell, cells, entries, entry, match, said
from modgen.vassal.odds.strengths import (
    ATTACK,
    PARTS,
    SIDE,
    attack_figures,
    declared_strength,
    halved_words,
    parts_of,
    shift_figures,
    shift_words,
    strength,
)
from modgen.vassal.odds.targets import AT, HERE, SHIFT, TARGETS, attacking, loose

DEFENCE, COUNT, STEP, COLUMN, NAME = "OddsDefence", "OddsHexes", "OddsStep", "OddsColumn", "OddsName"
"""The sum of the defence, how many hexes are attacked, how far the odds stand from 1:1, the column (-1 for none), what it is called."""
RESULT = "OddsOutcome"
"""Not called a result: a reader of logs takes ``..._result`` for a die."""
CELLS, HEADS = "OddsCells", "OddsHeads"
NONE = "no attack"
"""The outcome of what the chart has no column for."""
NOTHING = "0 "
"""What a table of ground says of hexes that are not in it; with a blank, so that the client does not take it for a number."""


def figures(box: Box, layout: Layout, odds: Odds) -> tuple[Figure, ...]:
    """Every property in the order in which they are worked out; tables first.

    Raises :class:`ArtError` for tables that the client's expressions cannot carry.
    """
    return (*_tables(box, odds), *_slots(box, layout, odds), *_sums(box, layout, odds))


def width(box: Box) -> int:
    """How long the names of hexes are.

    Raises :class:`ArtError` when they differ.
    """
    found = {len(row.key) for row in box["hexes"]}
    if len(found) != 1:
        raise ArtError(f"[odds]: names of hexes have {sorted(found)} letters; allowed: all the same")
    return found.pop()


def _tables(box: Box, odds: Odds) -> Iterator[Figure]:
    chart, named = odds.chart, columns(box, odds.chart)
    results = {(row.text(chart.column), row.int(chart.roll)): row.text(chart.result) for row in box[chart.table]}
    yield Figure(HEADS, cells(named)[0])
    yield Figure(CELLS, cells(results[c, n] for c in named for n in rolls(box, chart))[0])
    for number, ground in enumerate(odds.grounds, 1):
        kept: dict[str, str] = {}
        for row in box[ground.table]:
            worth = _worth(box, odds, ground.kind_of(row)) if ground.where(row) else 0
            if worth:
                kept[row.text(ground.hex)] = f"{worth}{_word(ground.kind_of(row))}"
        yield Figure(f"OddsGround{number}", entries(kept.items()))
    for number, sides in enumerate(odds.hexsides, 1):
        yield Figure(f"OddsSides{number}", entries(_across(box, odds, sides)))


def _word(kind: str) -> str:
    word = kind.replace("_", " ")
    said(word)
    return word


def _worth(box: Box, odds: Odds, kind: str) -> int:
    """What a kind of ground adds: columns to the left, or to the multiplier."""
    number = box[odds.terrain][kind].int(odds.effect, 0)
    worth = number - 1 if odds.effects == "multiply" and number else number
    if not 0 <= worth <= 9:
        raise ArtError(f"[odds] effect: {odds.terrain} gives {kind} {number}; allowed: an effect of one digit")
    return worth


def _across(box: Box, odds: Odds, sides: Hexsides) -> Iterator[tuple[str, str]]:
    """Hex -> what its hexsides are worth, and the hexes beyond them: ``1:0310:0410:``."""
    beyond: dict[str, list[str]] = {}
    worth = {_worth(box, odds, row.text(sides.kind)) for row in box[sides.table] if sides.where(row)}
    if len(worth) > 1:
        raise ArtError(f"[[odds.hexside]]: its kinds are worth {sorted(worth)}; allowed: one worth, or an entry for each")
    for row in box[sides.table]:
        if sides.where(row):
            for here, there in ((row.text("hex_a"), row.text("hex_b")), (row.text("hex_b"), row.text("hex_a"))):
                beyond.setdefault(here, []).append(there)
    for here in sorted(beyond):
        yield here, f"{max(worth)}:" + "".join(f"{there}:" for there in dict.fromkeys(beyond[here]))


def _slots(box: Box, layout: Layout, odds: Odds) -> Iterator[Figure]:
    """Figures of each hex attacked: which it is, what counts there, the multiplier or shift of that, and what its defenders are worth."""
    wide = width(box)
    yield Figure(COUNT, "0", f"({TARGETS}.length()-1)/{wide + 1}")
    for slot in range(1, odds.targets + 1):
        at = (slot - 1) * (wide + 1) + 1
        here = f"OddsHex{slot}"
        ends = (str(at), str(at + wide))
        if odds.announced:
            ends = (f"{AT}*{wide + 1}+1", f"{AT}*{wide + 1}+{wide + 1}")
        none = f"{COUNT}<={AT}" if odds.announced else f"{COUNT}<{slot}"
        yield Figure(here, "", f'{none} ? "" : {TARGETS}.substring({ends[0]}, {ends[1]})')
        counted = []
        for part in (*_grounds(layout, odds, slot, here, wide), *_hexsides(box, layout, odds, slot, here, wide)):
            yield from part
            counted.append(part[-1].name)
        yield Figure(f"OddsWorth{slot}", "0", "+".join(f"Integer.parseInt({name}.substring(0, 1))" for name in counted) or "0")
        words = (f'({name}.startsWith("0") ? "" : " + "+{name}.substring(1))' for name in counted)
        yield Figure(f"OddsWords{slot}", ":", "+".join((said(":"), *words)))
        yield Figure(f"OddsDefence{slot}", "0", f"{none} ? 0 : {strength(odds.defence, f'{here}, {_map(layout)}')}")


def _map(layout: Layout) -> str:
    return idioms.quoted(layout.board.map)


def _grounds(layout: Layout, odds: Odds, slot: int, here: str, wide: int) -> Iterator[tuple[Figure, ...]]:
    """What lies in the hex: the number it is worth and its word, ``1hills``."""
    for number, ground in enumerate(odds.grounds, 1):
        tests = []
        if ground.sides:
            mine = " || ".join(f"{names.SIDE}=={idioms.quoted(side)}" for side in ground.sides)
            tests.append(f"CountLocation({here}, {_map(layout)}, {match(mine)})>0")
        if ground.unless:
            gone = f"{names.MARKER_ID}=={idioms.quoted(ground.unless)}"
            tests.append(f"CountLocation({here}, {_map(layout)}, {match(gone)})==0")
        found = entry(f"OddsGround{number}", here, wide, NOTHING)
        asked = f'{" && ".join(tests)} ? ({found}) : "{NOTHING}"' if tests else found
        yield (Figure(f"OddsCounts{slot}p{number}", NOTHING, asked),)


def _hexsides(box: Box, layout: Layout, odds: Odds, slot: int, here: str, wide: int) -> Iterator[tuple[Figure, ...]]:
    """What lies on its hexsides, if every attacker is beyond one of them."""
    for number, sides in enumerate(odds.hexsides, 1):
        beyond = Figure(f"OddsBeyond{slot}p{number}", NOTHING, entry(f"OddsSides{number}", here, wide, NOTHING))
        dry = match(f'{attacking(odds)} && {beyond.name}.contains(":"+LocationName+":")==false')
        word = " or ".join(dict.fromkeys(_word(row.text(sides.kind)) for row in box[sides.table] if sides.where(row)))
        asked = (
            f'{beyond.name}.startsWith("0") ? "{NOTHING}" : CountMap({_map(layout)}, {match(attacking(odds))})==0 ? "{NOTHING}" : '
            f'CountMap({_map(layout)}, {dry})>0 ? "{NOTHING}" : {beyond.name}.substring(0, 1)+{said(word)}'
        )
        yield beyond, Figure(f"OddsOver{slot}p{number}", NOTHING, asked)


def _sums(box: Box, layout: Layout, odds: Odds) -> Iterator[Figure]:
    """The two sides, the ratio, the column."""
    named = columns(box, odds.chart)
    lowest, top = step(named[0]), len(named) - 1
    slots = range(1, odds.targets + 1)
    multiply = odds.effects == "multiply"
    yield from attack_figures(box, layout, odds)
    unit = parts_of(odds)
    whole = DEFENCE if unit == 1 else f"{DEFENCE}*{unit}"
    yield Figure(DEFENCE, "0", "+".join(f"OddsDefence{n}*(1+OddsWorth{n})" if multiply else f"OddsDefence{n}" for n in slots))
    below = "-1" if odds.low == "flat" else f"1-({whole}+{PARTS}-1)/Math.max({PARTS}, 1)"
    yield Figure(STEP, "0", f"{DEFENCE}==0 ? 0 : {PARTS}>={whole} ? {PARTS}/({whole})-1 : {below}")
    yield from shift_figures(box, layout, odds)
    yield from leaders.figures(box, layout, odds, SIDE)
    moved = "".join(f"+OddsShift{n}" for n in range(1, len(odds.shifts) + 1))
    moved += f"+{leaders.LEAD}" if odds.lead is not None else ""
    by_hand = _by_hand(odds)
    shifts = by_hand if multiply else f"{by_hand}-OddsWorth1{moved}"
    nothing = f'{HERE}==""' if odds.announced else f"{COUNT}==0 || {COUNT}>{odds.targets}"
    none = f"{nothing} || {PARTS}==0 || {DEFENCE}==0"
    yield Figure(COLUMN, "-1", f"{none} ? -1 : Math.max(Math.min({STEP}+{-lowest}+{shifts}, {top}), -1)")
    wide = max(map(len, named))
    yield Figure(NAME, "", f"{COLUMN}<0 ? {said(f'below {named[0]}')} : {cell(HEADS, COLUMN, wide)}")


def _by_hand(odds: Odds) -> str:
    """What is added to the column by hand: of attacks announced together it is the one that is resolved next."""
    return f"({AT}==0 ? {SHIFT} : 0)" if odds.announced else SHIFT


def outcome(box: Box, layout: Layout, odds: Odds) -> str:
    """The expression of the result, once the die is thrown."""
    rolled = rolls(box, odds.chart)
    wide = max(len(row.text(odds.chart.result)) for row in box[odds.chart.table])
    number = f"{COLUMN}*{len(rolled)}+{_die(odds)}-{rolled[0]}"
    return f"{COLUMN}<0 ? {said(NONE)} : {cell(CELLS, number, wide)}"


def _die(odds: Odds) -> str:
    return f"{odds.die}_result"


def line(box: Box, odds: Odds) -> str:
    """The expression of what the count says: one line."""
    keys = {word: names.key_words(names.KEYS[word]) for word in ("attack", "target")}
    ask = said(f"** Odds: declare who attacks ({keys['attack']}) and a target in each hex attacked ({keys['target']}) first")
    many = said(f" hexes are attacked; the odds of more than {odds.targets} are counted by hand")
    slots = "+".join(_slot(odds, n) for n in range(1, odds.targets + 1))
    base = f'({STEP}<0 ? "1:"+(1-{STEP}) : ({STEP}+1)+":1")'
    if odds.low == "flat":
        base = f'({STEP}<0 ? "less than 1:1" : ({STEP}+1)+":1")'
    own = f'({_by_hand(odds)}==0 ? "" : "; column moved by "+{SHIFT}+" by hand")'
    takes = said(". Assumed: " + "; ".join(odds.assumes)) if odds.assumes else said(".")
    if odds.announced and odds.assumes:
        takes = f'({AT}<{COUNT}-1 ? "." : {takes})'
    none = f"{declared_strength(odds)}==0 || {COUNT}==0 || {DEFENCE}==0"
    attack = f"{ATTACK}{halved_words(odds)}"
    on = f"{slots}{shift_words(odds)}{leaders.words(odds.lead)}+{own}"
    which = f'"** Odds"+({COUNT}>1 ? " "+({AT}+1)+" of "+{COUNT} : "")+": "' if odds.announced else '"** Odds: "'
    told = f'{which}+{ATTACK}+" to "+{DEFENCE}+", "+{base}+": attack "+{attack}+" on"+{on}+"; column "+{NAME}+{takes}'
    if odds.announced:
        nobody = f'"** Odds: nobody attacks "+{HERE}+", or nobody defends it"'
        return f"{COUNT}==0 ? {ask} : {none} ? {nobody} : {told}"
    return f'{COUNT}>{odds.targets} ? "** Odds: "+{COUNT}+{many} : {none} ? {ask} : {told}'


def _slot(odds: Odds, slot: int) -> str:
    """What is said of a hex attacked; nothing of one that is not."""
    worth = f'" x"+(1+OddsWorth{slot})' if odds.effects == "multiply" else f'" and "+OddsWorth{slot}+" left"'
    why = f'(OddsWorth{slot}==0 ? "" : {worth}+" for "+OddsWords{slot}.substring(4))'
    comma = '" "' if slot == 1 else '", "'
    none = f"{COUNT}<={AT}" if odds.announced else f"{COUNT}<{slot}"
    return f'({none} ? "" : {comma}+OddsHex{slot}+" with "+OddsDefence{slot}+{why})'


def resolved(odds: Odds) -> str:
    """The expression of what a combat that is resolved says: one line."""
    where = f'({HERE}=="" ? "" : " at "+{HERE})+' if odds.announced else ""
    return (
        f'{COLUMN}<0 ? "** Combat"+{where}": no attack, the chart has no column for it" : '
        f'"** Combat"+{where}": column "+{NAME}+", die "+{_die(odds)}+": "+{RESULT}'
        if where
        else f'{COLUMN}<0 ? "** Combat: no attack, the chart has no column for it" : '
        f'"** Combat: column "+{NAME}+", die "+{_die(odds)}+": "+{RESULT}'
    )


def unmatched(layout: Layout) -> str:
    """The expression of what is said of attackers whose attack has no target; nothing when there are none."""
    count = f"CountMap({_map(layout)}, {match(loose())})"
    key = names.key_words(names.KEYS["target"])
    ask = said(f" declared to attack, without a target: declare their target ({key}), again if it is one already")
    return f'{count}==0 ? "" : "** Odds: "+{count}+{ask}'


def talk(odds: Odds) -> str:
    """The line of table talk of a combat: its result, the column, the die, the two sums, the hexes attacked, what was moved by hand."""
    return idioms.talk("RES", RESULT, NAME, _die(odds), ATTACK, DEFENCE, f'";"+{HERE}+";"' if odds.announced else TARGETS, SHIFT)
