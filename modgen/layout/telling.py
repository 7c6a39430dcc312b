"""What a module tells its players: when a phase begins, and how many pieces lie where. ``[[notice]]``, ``[[tally]]`` in ``module.toml``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from modgen.layout.charts import Case, Template
from modgen.layout.reading import Against, Reader, Where, each


@dataclass(frozen=True, slots=True)
class Notice:
    """A line of chat when phases begin, about the rows of a table whose column ``turn`` has the turn.

    Templates are those of charts: columns in braces, with forms. ``cases`` say what each row gives, the first that passes; ``text`` is
    the line, in which ``{items}`` stands for all of them.
    """

    phases: Where
    """The phases, by their rows."""
    table: str
    where: Where
    cases: tuple[Case, ...]
    text: str
    scenarios: tuple[str, ...] = ()
    """Those whose games are told it; all if there are none."""


@dataclass(frozen=True, slots=True)
class Count:
    """How many pieces with a property's value lie in a place."""

    label: str
    place: str
    property: str
    value: str


@dataclass(frozen=True, slots=True)
class Tally:
    """A button that says how many pieces lie where."""

    text: str
    tooltip: str
    says: str
    """What stands before the counts."""
    counts: tuple[Count, ...]


def read_notices(top: Reader) -> tuple[Notice, ...]:
    """The notices of the file."""
    return each(top.listed("notice"), _notice)


def _notice(r: Reader) -> Notice:
    show, cases = r.text("show", ""), r.listed("case")
    listed = each(cases, lambda c: Case(c.where("where"), Template.of(c.text("show"))))
    if show:
        listed = (*listed, Case(Where(), Template.of(show)))
    text, scenarios = r.text("text", "{items}"), r.texts("scenarios", ())
    return Notice(r.where("phases"), r.text("table"), r.where("where"), listed, text, scenarios)


def read_tallies(top: Reader) -> tuple[Tally, ...]:
    """The tallies of the file."""
    return each(
        top.listed("tally"),
        lambda r: Tally(
            r.text("text"),
            r.text("tooltip"),
            r.text("says"),
            each(r.listed("count"), lambda c: Count(c.text("label"), c.text("place"), c.text("property"), c.text("value"))),
        ),
    )


def check_telling(notices: Iterable[Notice], tallies: Iterable[Tally], properties: Iterable[str], places: set[str], a: Against) -> None:
    """Both held against the game's tables; ``properties``: what pieces are known by."""
    known = set(properties)
    for notice in notices:
        place = f"[[notice]] {notice.text!r}"
        a.known(f"{place} table", (notice.table,), a.box.tables, "table of the game")
        a.known(f"{place} scenarios", notice.scenarios, a.column("scenarios", "scenario"), "scenario of the game")
        a.known(f"{place} phases", (c for c, _ in notice.phases.tests), _columns(a, "phases"), "column of phases")
        columns = _columns(a, notice.table)
        if "turn" not in columns and notice.table in a.box.tables:
            a.fault(f"{place} table: {notice.table} has no column turn; a notice is about a turn")
        used = [c for c, _ in notice.where.tests] + [c for case in notice.cases for c in case.show.columns]
        a.known(place, used, columns, f"column of {notice.table}")
        if not notice.cases:
            a.fault(f"{place}: says nothing; allowed: show, or [[notice.case]] with show")
    for tally in tallies:
        for count in tally.counts:
            a.known(f"[[tally]] {tally.text} place", (count.place,), places, "place of the boards")
            a.known(f"[[tally]] {tally.text} property", (count.property,), known, "property of pieces")


def _columns(a: Against, table: str) -> tuple[str, ...]:
    return a.box[table].columns if table in a.box.tables else ()
