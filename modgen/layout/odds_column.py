"""Odds help where the strength of a side alone chooses its column and both sides roll: ``[odds]`` with ``kind = "column"``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gamebox.model import Box, Row
from modgen.layout.reading import Against, Reader, Where, each


@dataclass(frozen=True, slots=True)
class Bands:
    """The columns of the chart: a row for each with its name and the strength that it ends with, empty for the last."""

    table: str
    named: str
    high: str


@dataclass(frozen=True, slots=True)
class Losses:
    """The chart: which of its columns has the number of the band, which the roll, which the losses of the other side."""

    table: str
    column: str
    roll: str
    result: str


@dataclass(frozen=True, slots=True)
class Place:
    """What moves the attacker's column in some zones: a row of the table of modifiers says how far, and what it is called."""

    modifier: str
    where: Where
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    """Sides that attack and that are attacked; all if there are none."""


@dataclass(frozen=True, slots=True)
class ColumnOdds:
    """The whole section."""

    die: str
    strength: str
    """A property of declared pieces."""
    elite: str
    """A property of them: how many in them give a bonus to the die; empty for no such bonus."""
    elite_modifier: str
    state: str
    words: tuple[str, ...]
    """A state of pieces whose words halve the strength, fractions dropped."""
    supports: bool
    """The first attacker counts whole, the others half, fractions dropped."""
    bands: Bands
    losses: Losses
    modifiers: str
    value: str
    text: str
    """The table of modifiers, its columns with the number and the words."""
    places: tuple[Place, ...]
    assumes: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of pieces that it counts with: none, for pieces tell their strength themselves."""
        return ()

    def modifier(self, box: Box, name: str) -> Row:
        """A row of the table of modifiers."""
        return box[self.modifiers][name]


def read_column_odds(r: Reader) -> ColumnOdds:
    """The section's settings."""
    bands, losses, elite, supply = r.table("bands"), r.table("chart"), r.table("elite"), r.table("halved")
    out = ColumnOdds(
        die=r.text("die"),
        strength=r.text("strength"),
        elite=elite.text("property", ""),
        elite_modifier=elite.text("modifier", ""),
        state=supply.text("state", ""),
        words=supply.texts("words", ()),
        supports=r.flag("supports"),
        bands=Bands(bands.text("table"), bands.text("named"), bands.text("high")),
        losses=Losses(losses.text("table"), losses.text("column"), losses.text("roll"), losses.text("result")),
        modifiers=r.text("modifiers", "modifiers"),
        value=r.text("value", "value"),
        text=r.text("text", "text"),
        places=each(
            r.listed("place"),
            lambda p: Place(p.text("modifier"), p.where("where"), p.texts("attackers", ()), p.texts("defenders", ())),
        ),
        assumes=r.texts("assumes", ()),
    )
    for part in (bands, losses, elite, supply):
        part.end()
    return out


def check_column_odds(odds: ColumnOdds, properties: Iterable[str], states: Mapping[str, Iterable[str]], a: Against) -> None:
    """The section held against the game's tables; ``properties``: what declared pieces are asked for."""
    place, before = "[odds]", len(a.errors)
    a.known(f"{place} strength", [p for p in (odds.strength, odds.elite) if p], properties, "property of pieces that tell their strength")
    a.known(f"{place} table", (odds.bands.table, odds.losses.table, odds.modifiers), a.box.tables, "table of the game")
    if odds.state:
        a.known(f"{place} halved", (odds.state,), states, "[[prototype.state]] of this file")
        a.known(f"{place} halved words", odds.words, states.get(odds.state, odds.words), "word of the state")
    if a.box.zones is None:
        a.fault(f'{place} kind: a board of hexes; "column" is for boards of zones')
    if len(a.errors) > before or a.box.zones is None:
        return
    for table, wanted in (
        (odds.bands.table, (odds.bands.named, odds.bands.high)),
        (odds.losses.table, (odds.losses.column, odds.losses.roll, odds.losses.result)),
        (odds.modifiers, (odds.value, odds.text)),
        (a.box.zones.zones, tuple(c for p in odds.places for c, _ in p.where.tests)),
    ):
        a.known(f"{place} {table}", wanted, a.cells(table), f"column of {table}")
    named = [p.modifier for p in odds.places] + ([odds.elite_modifier] if odds.elite else [])
    a.known(f"{place} modifier", named, a.keys(odds.modifiers), f"row of {odds.modifiers}")
    sides = {p.side for p in a.box.pieces}
    a.known(f"{place} place", (s for p in odds.places for s in (*p.attackers, *p.defenders)), sides, "side with pieces")
    if len(a.errors) == before:
        _check_losses(odds, a)


def bands(box: Box, odds: ColumnOdds) -> tuple[Row, ...]:
    """The columns, the weakest first; the one without an end is the last."""
    rows = list(box[odds.bands.table])
    return tuple(sorted(rows, key=lambda row: (not row.text(odds.bands.high), row.int(odds.bands.high, 0))))


def rolls(box: Box, odds: ColumnOdds) -> tuple[int, ...]:
    """The rolls of the chart in order."""
    return tuple(sorted({row.int(odds.losses.roll) for row in box[odds.losses.table]}))


def _check_losses(odds: ColumnOdds, a: Against) -> None:
    place, box = f"[odds.chart] {odds.losses.table}", a.box
    ends = [row.text(odds.bands.high) for row in bands(box, odds)]
    if ends.count("") != 1:
        a.fault(f"[odds.bands] {odds.bands.table}: {ends.count('')} rows without an end; allowed: one, the strongest")
    have = {(row.text(odds.losses.column), row.int(odds.losses.roll)): row.text(odds.losses.result) for row in box[odds.losses.table]}
    rolled = rolls(box, odds)
    missing = [(row.key, n) for row in bands(box, odds) for n in rolled if not have.get((row.key, n), "").isdigit()]
    if missing or list(rolled) != list(range(rolled[0], rolled[-1] + 1)):
        a.fault(f"{place}: has no number for {missing[0] if missing else 'a roll between others'}; allowed: one for every column and roll")
