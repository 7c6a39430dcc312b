"""The odds help of a module: how strong the sides of a combat are, what ground does, which column of the chart that is. ``[odds]``.

``ratio``: attack to defence, rounded in the defender's favour. What ground does either multiplies the defence of its hex (several
effects: one, and one less than each of them) or shifts the column. The chart's columns are called ``1:2``, ``1:1``, ``2:1`` without a gap.
``column``: the strength of a side alone chooses its column; both sides roll. See ``modgen.layout.odds_column``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gamebox.model import Box, Row
from modgen.layout.odds_column import ColumnOdds, check_column_odds, read_column_odds
from modgen.layout.reading import Against, Reader, Where, each

KINDS = ("ratio", "column")
EFFECTS = ("multiply", "shift")
WHOSE = ("attacker", "defender")
LOW = ("ladder", "flat")
RATIO = re.compile(r"1:([1-9]\d*)|([1-9]\d*):1")


@dataclass(frozen=True, slots=True)
class Strength:
    """A column of pieces, and the one that counts while the second face is up; empty where no face changes it."""

    column: str
    reduced: str


@dataclass(frozen=True, slots=True)
class Ground:
    """What of a hex counts: rows of a table that stand for hexes, their kind being a row of the terrain table."""

    table: str
    hex: str
    kind: str
    where: Where
    sides: tuple[str, ...]
    """It counts only while pieces of these sides lie there; for all if there are none."""
    unless: str
    """The marker that takes it away."""
    kinds: tuple[tuple[str, str], ...]
    """What values of ``kind`` are called in the terrain table; others are called there what they are."""

    def kind_of(self, row: Row) -> str:
        """The kind of ground of a row."""
        value = row.text(self.kind)
        return dict(self.kinds).get(value, value)


@dataclass(frozen=True, slots=True)
class Hexsides:
    """Hexsides that count if every attacker attacks over one of them."""

    table: str
    kind: str
    where: Where


@dataclass(frozen=True, slots=True)
class Halving:
    """What halves strengths of attackers. One of three: turns; a word of a state of the piece; hexsides that it attacks over, which
    then drop fractions, each by itself."""

    word: str
    turns: Where
    state: str
    words: tuple[str, ...]
    hexsides: Hexsides | None

    @property
    def kind(self) -> str:
        """Which of the three."""
        return "turns" if self.turns.tests else "state" if self.state else "hexsides"


@dataclass(frozen=True, slots=True)
class Shift:
    """Columns that the whole attack is moved by, to the right if positive. All that is given must hold.

    With ``sum`` each piece of a side in the hex attacked counts times its column of that name, with ``lies`` each that passes counts once.
    """

    value: int
    word: str
    turns: Where
    attackers: tuple[str, ...]
    """The side that attacks."""
    pieces: Where
    """One of the attackers is such a piece."""
    sum: str
    lies: Where
    whose: str
    """Whose pieces are summed or counted: ``attacker`` or ``defender``."""
    state: str
    words: tuple[str, ...]
    """Only those that have one of these words of a state."""


@dataclass(frozen=True, slots=True)
class Lead:
    """Pieces that shift the column of an attack when every attacker lies in their reach; one of them counts."""

    where: Where
    radius: str
    """Their column with the reach in hexes."""
    value: int
    word: str
    boosts: tuple[tuple[str, str], ...]
    """Side -> the marker, or ``marker/side``, that lies on the map while its leaders are worth ``boosted``."""
    boosted: int
    boosted_word: str
    idle: tuple[tuple[str, str], ...]
    """Side -> the hex in which its leaders wait and lead nobody."""
    state: str
    words: tuple[str, ...]
    """With one of these words of a state they lead nobody."""
    rides: Where
    """Those that pass lead whoever attacks from their own hex, whatever the others of the attack do; nothing boosts them."""
    needs: tuple[tuple[Where, Where], ...]
    """Leaders who count only when a piece that passes the second test is one of the attackers."""


@dataclass(frozen=True, slots=True)
class Chart:
    """The table of results: which of its columns has the odds, which the roll, which the result."""

    table: str
    column: str
    roll: str
    result: str


@dataclass(frozen=True, slots=True)
class Odds:
    """The whole section of the kind ``ratio``."""

    die: str
    attack: Strength
    defence: Strength
    chart: Chart
    terrain: str
    effect: str
    """The column of the terrain table with what a kind does."""
    effects: str
    grounds: tuple[Ground, ...]
    hexsides: tuple[Hexsides, ...]
    halvings: tuple[Halving, ...]
    shifts: tuple[Shift, ...]
    lead: Lead | None
    targets: int
    """How many hexes one attack may have."""
    announced: bool
    """Attacks are announced together and resolved one by one: each has its own attackers and its own hex."""
    low: str
    """Below 1:1: each step a column lower (``ladder``), or all of it the one column below 1:1 (``flat``)."""
    assumes: tuple[str, ...]
    """What the help takes for granted, said with every count."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of pieces that it counts with."""
        named = (self.attack, self.defence)
        sums = (*(s.sum for s in self.shifts), self.lead.radius if self.lead is not None else "")
        return tuple(dict.fromkeys(c for c in (*(c for s in named for c in (s.column, s.reduced)), *sums) if c))


def read_odds(top: Reader) -> Odds | ColumnOdds | None:
    """The section; None for a file without."""
    if "odds" not in top.data:
        return None
    r = top.table("odds")
    if r.text("kind", among=KINDS) == "column":
        by_column = read_column_odds(r)
        r.end()
        return by_column
    out = Odds(
        die=r.text("die"),
        attack=_strength(r, "attack"),
        defence=_strength(r, "defence"),
        chart=_chart(r.table("chart")),
        terrain=r.text("terrain", "terrain"),
        effect=r.text("effect"),
        effects=r.text("effects", among=EFFECTS),
        grounds=each(
            r.listed("ground"),
            lambda g: Ground(
                g.text("table"),
                g.text("hex", "hex"),
                g.text("kind"),
                g.where("where"),
                g.texts("sides", ()),
                g.text("unless", ""),
                _pairs(g, "kinds"),
            ),
        ),
        hexsides=each(r.listed("hexside"), _hexsides),
        halvings=each(r.listed("halved"), _halving),
        shifts=each(
            r.listed("shift"),
            lambda s: Shift(
                s.int("value", 1, -9, 9),
                s.text("word"),
                s.where("turns"),
                s.texts("attackers", ()),
                s.where("pieces"),
                s.text("sum", ""),
                s.where("lies"),
                s.text("whose", "attacker", WHOSE),
                s.text("state", ""),
                s.texts("words", ()),
            ),
        ),
        lead=_lead(r.table("lead")) if "lead" in r.data else None,
        targets=r.int("targets", 1, 1, 5),
        announced=r.flag("announced"),
        low=r.text("low", "ladder", LOW),
        assumes=r.texts("assumes", ()),
    )
    r.end()
    return out


def _lead(r: Reader) -> Lead:
    out = Lead(
        where=r.where("where"),
        radius=r.text("radius"),
        value=r.int("value", 1, -9, 9),
        word=r.text("word"),
        boosts=_pairs(r, "boosts"),
        boosted=r.int("boosted", 1, -9, 9),
        boosted_word=r.text("boosted_word", ""),
        idle=_pairs(r, "idle"),
        state=r.text("state", ""),
        words=r.texts("words", ()),
        rides=r.where("rides"),
        needs=each(r.listed("needs"), lambda n: (n.where("leaders"), n.where("attackers"))),
    )
    r.end()
    return out


def _pairs(r: Reader, key: str) -> tuple[tuple[str, str], ...]:
    sub = r.table(key)
    return tuple((value, sub.text(value)) for value in sub.data)


def _hexsides(r: Reader) -> Hexsides:
    return Hexsides(r.text("table"), r.text("kind"), r.where("where"))


def _halving(r: Reader) -> Halving:
    sides = _hexsides(r) if "table" in r.data else None
    out = Halving(r.text("word"), r.where("turns"), r.text("state", ""), r.texts("words", ()), sides)
    if sum((bool(out.turns.tests), bool(out.state), sides is not None)) != 1:
        r.fault("turns, state, table", "allowed: one of the three")
    return out


def _strength(r: Reader, key: str) -> Strength:
    return Strength(r.text(key), r.text(f"{key}_reduced", ""))


def _chart(r: Reader) -> Chart:
    out = Chart(r.text("table"), r.text("column"), r.text("roll"), r.text("result"))
    r.end()
    return out


def columns(box: Box, chart: Chart) -> tuple[str, ...]:
    """The columns of a ratio chart, the lowest first."""
    found = dict.fromkeys(row.text(chart.column) for row in box[chart.table])
    return tuple(sorted((c for c in found if RATIO.fullmatch(c)), key=step))


def step(ratio: str) -> int:
    """How far a ratio stands from 1:1: 3:1 is 2, 1:3 is -2. ValueError for a text that is none."""
    found = RATIO.fullmatch(ratio)
    if found is None:
        raise ValueError(f"{ratio!r} is no ratio; allowed: 1:N and N:1")
    return 1 - int(found[1]) if found[1] else int(found[2]) - 1


def rolls(box: Box, chart: Chart) -> tuple[int, ...]:
    """The rolls of a chart in order."""
    return tuple(sorted({row.int(chart.roll) for row in box[chart.table]}))


def check_odds(
    odds: Odds | ColumnOdds | None,
    dice: Iterable[tuple[str, int]],
    markers: Iterable[str],
    faces: Iterable[str],
    states: Mapping[str, Iterable[str]],
    told: Iterable[str],
    against: Against,
) -> None:
    """The section held against the game's tables and the rest of the file: ``dice`` are names with their numbers of dice, ``faces`` the
    later sides of markers as ``marker/side``, ``states`` those of pieces with their words, ``told`` the properties in which pieces tell
    their strength."""
    if odds is None:
        return
    a, place = against, "[odds]"
    marked = tuple(markers)
    before = len(a.errors)
    a.known(f"{place} die", (odds.die,), (name for name, number in dice if number == 1), "[[die]] of this file with one die")
    if not odds.die.isidentifier():
        a.fault(f"{place} die: {odds.die!r} is not allowed; letters, digits and _, since expressions name its result")
    if isinstance(odds, ColumnOdds):
        check_column_odds(odds, told, states, a)
        return
    # A name that several tables share may stand for a piece of any of them.
    pieces = {c for piece in a.box.pieces for c in piece.row.values}
    a.known(f"{place} strengths", odds.columns, pieces, "column of pieces")
    if odds.lead is not None:
        _check_lead(odds.lead, {*marked, *faces}, states, a)
    sides = [*odds.hexsides, *(h.hexsides for h in odds.halvings if h.hexsides is not None)]
    tables = [odds.chart.table, odds.terrain, *(g.table for g in odds.grounds), *(s.table for s in sides)]
    a.known(f"{place} table", tables, a.box.tables, "table of the game")
    if len(a.errors) > before:
        return
    _columns(f"{place} chart", odds.chart.table, (odds.chart.column, odds.chart.roll, odds.chart.result), a)
    _columns(f"{place} effect", odds.terrain, (odds.effect,), a)
    for ground in odds.grounds:
        _columns(f"{place} ground", ground.table, (ground.hex, ground.kind, *(c for c, _ in ground.where.tests)), a)
        a.known(f"{place} ground sides", ground.sides, {p.side for p in a.box.pieces}, "side with pieces")
        a.known(f"{place} ground kinds", (kind for _, kind in ground.kinds), a.keys(odds.terrain), f"kind of {odds.terrain}")
        a.known(f"{place} ground unless", [ground.unless] if ground.unless else [], marked, "marker of this file")
    for side in sides:
        _columns(f"{place} hexside", side.table, ("hex_a", "hex_b", side.kind, *(c for c, _ in side.where.tests)), a)
    _check_moves(odds, states, a)
    if len(a.errors) > before:
        return
    kinds = {g.kind_of(row) for g in odds.grounds for row in a.box[g.table] if g.where(row)}
    kinds |= {row.text(s.kind) for s in sides for row in a.box[s.table] if s.where(row)}
    a.known(f"{place} kind", sorted(kinds), a.keys(odds.terrain), f"kind of {odds.terrain}")
    _check_chart(odds.chart, a)


def _check_moves(odds: Odds, states: Mapping[str, Iterable[str]], a: Against) -> None:
    """What halves and what shifts."""
    turns = [h.turns for h in odds.halvings] + [s.turns for s in odds.shifts]
    a.known("[odds] turns", (c for where in turns for c, _ in where.tests), a.cells("turns"), "column of turns")
    marked = [(h.state, h.words) for h in odds.halvings if h.state] + [(s.state, s.words) for s in odds.shifts if s.state]
    a.known("[odds] state", (state for state, _ in marked), states, "[[prototype.state]] of this file")
    for state, words in marked:
        a.known(f"[odds] words of {state}", words, states.get(state, words), "word of the state")
    kinds = [h.kind for h in odds.halvings]
    if again := next((h for n, h in enumerate(odds.halvings) if h.kind in kinds[:n]), None):
        a.fault(f"[[odds.halved]] {again.word!r}: the second by {again.kind}; allowed: one by turns, one by state, one by hexsides")
    sides = {p.side for p in a.box.pieces}
    a.known("[[odds.shift]] attackers", (side for s in odds.shifts for side in s.attackers), sides, "side with pieces")
    columns = {c for piece in a.box.pieces for c in piece.row.values}
    a.known("[[odds.shift]] pieces", (c for s in odds.shifts for c, _ in s.pieces.tests), columns, "column of pieces")
    a.known("[[odds.shift]] lies", (c for s in odds.shifts for c, _ in s.lies.tests), columns, "column of pieces")
    if both := next((s.word for s in odds.shifts if s.sum and s.lies.tests), ""):
        a.fault(f"[[odds.shift]] {both!r}: sum and lies; allowed: one of the two")
    if odds.announced and odds.targets > 1:
        a.fault(f"[odds] targets: {odds.targets} is not allowed where attacks are announced together; 1, for each has a hex of its own")
    if odds.effects == "shift" and odds.targets > 1:
        a.fault(f"[odds] targets: {odds.targets} is not allowed where ground shifts the column; 1, for the hexes of one attack may differ")
    if odds.effects == "multiply" and (odds.shifts or odds.lead is not None):
        what = "[[odds.shift]]" if odds.shifts else "[odds.lead]"
        a.fault(f"{what}: not allowed where ground multiplies; effects = \"shift\" has both")


def _check_lead(lead: Lead, markers: set[str], states: Mapping[str, Iterable[str]], a: Against) -> None:
    place = "[odds.lead]"
    rows = [piece.row for piece in a.box.pieces]
    a.known(f"{place} where", (c for c, _ in lead.where.tests), {c for row in rows for c in row.values}, "column of pieces")
    leaders = [row for row in rows if lead.where(row)]
    if not leaders:
        a.fault(f"{place} where: no piece passes; allowed: a test that the leaders pass")
    tested = [("rides", lead.rides)]
    for leaders_of, attackers in lead.needs:
        tested += [("needs leaders", leaders_of), ("needs attackers", attackers)]
    for part, test in tested:
        a.known(f"{place} {part}", (c for c, _ in test.tests), {c for row in rows for c in row.values}, "column of pieces")
        if test.tests and not any(test(row) for row in rows):
            a.fault(f"{place} {part}: no piece passes; allowed: a test that some pass")
    reach = [row for row in leaders if not (lead.rides.tests and lead.rides(row))]
    if bad := next((row.key for row in reach if not str(row.values.get(lead.radius, "")).isdigit()), ""):
        a.fault(f"{place} radius: {lead.radius!r} of {bad} is no number; allowed: a column with a number for each leader")
    sides = {p.side for p in a.box.pieces}
    a.known(f"{place} boosts, idle", (side for side, _ in (*lead.boosts, *lead.idle)), sides, "side with pieces")
    a.known(f"{place} boosts", (marker for _, marker in lead.boosts), markers, "marker of this file, or marker/side")
    a.known(f"{place} idle", (hex_ for _, hex_ in lead.idle), a.keys("hexes"), "hex of the game")
    if lead.state:
        a.known(f"{place} state", (lead.state,), states, "[[prototype.state]] of this file")
        a.known(f"{place} words of {lead.state}", lead.words, states.get(lead.state, lead.words), "word of the state")


def _columns(place: str, table: str, wanted: Iterable[str], a: Against) -> None:
    a.known(f"{place} {table}", wanted, a.cells(table), f"column of {table}")


def _check_chart(chart: Chart, a: Against) -> None:
    box, place = a.box, f"[odds.chart] {chart.table}"
    named = {row.text(chart.column) for row in box[chart.table]}
    wrong = sorted(c for c in named if not RATIO.fullmatch(c))
    if wrong:
        a.fault(f"{place}: the column {wrong[0]!r} is no ratio; allowed: 1:N and N:1")
        return
    steps, rolled = [step(c) for c in columns(box, chart)], rolls(box, chart)
    if steps != list(range(steps[0], steps[-1] + 1)) or not steps[0] <= 0 <= steps[-1]:
        a.fault(f"{place}: the columns are {', '.join(columns(box, chart))}; allowed: without a gap, 1:1 among them")
    cells = {(row.text(chart.column), row.int(chart.roll)): row.text(chart.result) for row in box[chart.table]}
    missing = [(c, n) for c in columns(box, chart) for n in rolled if not cells.get((c, n))]
    if missing or list(rolled) != list(range(rolled[0], rolled[-1] + 1)):
        a.fault(f"{place}: has no result for {missing[0] if missing else 'a roll between others'}; allowed: one for every column and roll")
    if any(" " in cell or set(cell) & set("\"'$\\|{}") for cell in cells.values()):
        a.fault(f"{place}: results may hold no blank and none of \"'$\\|{{}}, which the client reads")
