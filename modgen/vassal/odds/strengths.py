"""The attackers' side of odds by ratio: their strengths with what halves them, and what shifts the column of the whole attack.

Halved strengths keep their fractions until the ratio is taken, so they are summed in parts: quarters where two things may halve.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamebox.model import Box
from modgen.errors import ArtError
from modgen.layout.layout import Layout
from modgen.layout.odds import Halving, Odds, Shift, Strength
from modgen.layout.reading import Where
from modgen.vassal import idioms, names
from modgen.vassal.odds.figure import Figure, entries, entry, match, said, summed
from modgen.vassal.odds.targets import HERE, attacking

ATTACK, PARTS = "OddsAttack", "OddsParts"
"""The attack as it is said, and in the parts that it is counted in."""
SIDE = "OddsSide"


def strength(of: Strength, place: str, test: str = "") -> str:
    """The sum of a strength over a place, or a map; pieces whose second face is up count by their reduced one."""
    if not of.reduced:
        return summed(of.column.capitalize(), place, test)
    also = f"{test} && " if test else ""
    full, reduced = f"{also}{names.FACE}_Level!=2", f"{also}{names.FACE}_Level==2"
    return summed(of.column.capitalize(), place, full) + "+" + summed(of.reduced.capitalize(), place, reduced)


def parts_of(odds: Odds) -> int:
    """How many parts a point of attack is counted in."""
    return 1 << sum(h.kind != "hexsides" for h in odds.halvings)


def _having(of: Strength, worth: int, place: str, test: str) -> str:
    """How many pieces of a place have this strength on the side that is up."""
    full = f"{test} && {of.column.capitalize()}=={worth}"
    if not of.reduced:
        return f"CountLocation({place}, {match(full)})"
    reduced = f"{test} && {of.reduced.capitalize()}=={worth} && {names.FACE}_Level==2"
    return f"CountLocation({place}, {match(f'{full} && {names.FACE}_Level!=2')})+CountLocation({place}, {match(reduced)})"


def _worths(box: Box, of: Strength) -> list[int]:
    """Every strength that pieces have and that is something when it is halved, the smallest first."""
    found = {str(piece.row.values.get(column) or "") for piece in box.pieces for column in (of.column, of.reduced) if column}
    return sorted(int(worth) for worth in found if worth.isdigit() and int(worth) > 1)


def _words(state: str, words: tuple[str, ...], has: bool) -> str:
    """A test that a piece has one of these words of a state, or none of them."""
    if has:
        return "(" + " || ".join(f"{state}=={idioms.quoted(word)}" for word in words) + ")"
    return " && ".join(f"{state}!={idioms.quoted(word)}" for word in words)


def _turns(box: Box, where: Where) -> str:
    """A text of the turns that pass: ``;4;7;``."""
    return ";" + "".join(f"{row.key};" for row in box["turns"] if where(row))


def _now(figure: str) -> str:
    return f'{figure}.contains(";"+{names.TURN}+";")'


def attack_figures(box: Box, layout: Layout, odds: Odds) -> Iterator[Figure]:
    """The sum of the attackers, halved where they are.

    Raises :class:`ArtError` for hexsides that halve where a hex has several of them.
    """
    on, attacks = idioms.quoted(layout.board.map), attacking(odds)
    turn = next((h for h in odds.halvings if h.turns.tests), None)
    state = next((h for h in odds.halvings if h.state), None)
    over = next((h for h in odds.halvings if h.hexsides), None)
    unit = parts_of(odds)
    if turn is not None:
        yield Figure("OddsHalvingTurns", _turns(box, turn.turns))
        yield Figure("OddsHalving", "1", f"{_now('OddsHalvingTurns')} ? 2 : 1")
    if over is not None:
        beyond = _beyond(box, over)
        wide = len(next(iter(beyond), ""))
        yield Figure("OddsAcross", entries(beyond.items()))
        yield Figure("OddsFar", "", entry("OddsAcross", HERE, wide, ""))
    groups = [("Whole", 1, attacks if state is None else f"{attacks} && {_words(state.state, state.words, False)}")]
    groups += [] if state is None else [("Halved", 2, f"{attacks} && {_words(state.state, state.words, True)}")]
    terms = []
    for name, by, test in groups:
        yield Figure(f"Odds{name}", "0", strength(odds.attack, on, test))
        divided = f"/({by}*OddsHalving)" if turn is not None else f"/{by}" if by > 1 else ""
        near = f"Odds{name}"
        if over is not None:
            yield Figure(f"OddsOver{name}", "0", strength(odds.attack, f"OddsFar, {on}", test))
            near = f"(Odds{name}-OddsOver{name})"
            halves = f"{2 * by}*OddsHalving" if turn is not None else str(2 * by)
            # Each unit drops its own fraction: what is left of every strength, times how many have it.
            far = f"OddsFar, {on}"
            left = "+".join(f"{worth}/({halves})*({_having(odds.attack, worth, far, test)})" for worth in _worths(box, odds.attack))
            yield Figure(f"OddsRounded{name}", "0", f"OddsOver{name}==0 ? 0 : {left}")
            terms.append(f"OddsRounded{name}*{unit}")
        terms.append(f"{near}*{unit}{divided}" if unit > 1 else near)
    yield Figure(PARTS, "0", "+".join(terms))
    yield Figure(ATTACK, "0", PARTS if unit == 1 else f"{PARTS}%{unit}==0 ? {PARTS}/{unit} : {PARTS}/{unit}.0")


def declared_strength(odds: Odds) -> str:
    """What the attackers are worth before anything halves them: more than 0 as soon as somebody attacks, whatever is left of him."""
    return "(OddsWhole+OddsHalved)" if any(h.state for h in odds.halvings) else "OddsWhole"


def _beyond(box: Box, halving: Halving) -> dict[str, str]:
    """Hex -> the one hex beyond a hexside that halves."""
    found: dict[str, str] = {}
    sides = halving.hexsides
    for row in box[sides.table] if sides is not None else ():
        if sides is not None and sides.where(row):
            for here, there in ((row.text("hex_a"), row.text("hex_b")), (row.text("hex_b"), row.text("hex_a"))):
                if found.setdefault(here, there) != there:
                    raise ArtError(f"[[odds.halved]] {halving.word!r}: {here} has more than one such hexside; allowed: one a hex")
    return found


def halved_words(odds: Odds) -> str:
    """What is said of strengths that are halved, behind the attack."""
    parts = []
    for halving in odds.halvings:
        if halving.turns.tests:
            test = "OddsHalving==2"
        elif halving.state:
            test = "OddsHalved>0"
        else:
            test = "OddsOverWhole>0" + (" || OddsOverHalved>0" if any(h.state for h in odds.halvings) else "")
        parts.append(f'+({test} ? {said(f" (halved: {halving.word})")} : "")')
    return "".join(parts)


def shift_figures(box: Box, layout: Layout, odds: Odds) -> Iterator[Figure]:
    """What the column of the whole attack is moved by."""
    if odds.lead is not None or any(shift.sum or shift.lies.tests for shift in odds.shifts):
        on = idioms.quoted(layout.board.map)
        sides = dict.fromkeys(piece.side for piece in box.pieces)
        tests = (f"{attacking(odds)} && {names.SIDE}=={idioms.quoted(side)}" for side in sides)
        found = (f"CountMap({on}, {match(test)})>0 ? {said(side)} : " for side, test in zip(sides, tests, strict=True))
        yield Figure(SIDE, "", "".join(found) + said("nobody"))
    for number, shift in enumerate(odds.shifts, 1):
        turns = f"OddsShift{number}Turns"
        if shift.turns.tests:
            yield Figure(turns, _turns(box, shift.turns))
        yield Figure(f"OddsShift{number}", "0", _shift(box, layout, odds, shift, turns))


def _shift(box: Box, layout: Layout, odds: Odds, shift: Shift, turns: str) -> str:
    on, attacks = idioms.quoted(layout.board.map), attacking(odds)
    tests = [_now(turns)] if shift.turns.tests else []
    if shift.attackers:
        sides = " || ".join(f"{names.SIDE}=={idioms.quoted(side)}" for side in shift.attackers)
        tests.append(f"CountMap({on}, {match(f'{attacks} && ({sides})')})>0")
    if shift.pieces.tests:
        ids = " || ".join(f"{names.UNIT}=={idioms.quoted(piece.id)}" for piece in box.pieces if shift.pieces(piece.row))
        tests.append(f"CountMap({on}, {match(f'{attacks} && ({ids})')})>0")
    value = str(shift.value)
    if shift.sum:
        whose = f"{names.SIDE}=={SIDE}" if shift.whose == "attacker" else f"{names.SIDE}!={SIDE}"
        test = f"{whose} && {_words(shift.state, shift.words, True)}" if shift.state else whose
        value = f"{shift.value}*{summed(shift.sum.capitalize(), f'{HERE}, {on}', test)}"
    if shift.lies.tests:
        whose = f"{names.SIDE}=={SIDE}" if shift.whose == "attacker" else f"{names.SIDE}!={SIDE}"
        ids = " || ".join(f"{names.UNIT}=={idioms.quoted(piece.id)}" for piece in box.pieces if shift.lies(piece.row))
        value = f"{shift.value}*CountLocation({HERE}, {on}, {match(f'{whose} && ({ids})')})"
    return f"{' && '.join(tests)} ? {value} : 0" if tests else value


def shift_words(odds: Odds) -> str:
    """What is said of each shift: ``, 1 left for snow``."""
    out = ""
    for number, shift in enumerate(odds.shifts, 1):
        figure = f"OddsShift{number}"
        left, right = said(f" left for {shift.word}"), said(f" right for {shift.word}")
        out += f'+({figure}==0 ? "" : {figure}<0 ? ", "+(0-{figure})+{left} : ", "+{figure}+{right})'
    return out
