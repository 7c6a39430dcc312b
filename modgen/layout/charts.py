"""The charts of a module: which tables they print and how. ``[[chart]]`` in ``module.toml``.

A chart is a page of parts. A part prints a table of the game: a row of it becomes a line, or all rows that share a value of ``rows``
do. ``columns`` say what stands in a line; ``across`` adds a column for every value of another column, filled by ``cell``.

What a cell says is a template: text with ``{column}`` in it, or ``{column:form}`` with a form of

    label           the word that the part's ``words``, the map's key or else the value itself has for it
    sign            a number with its sign
    list            the items of a list with commas between them
    piece           the full name of the piece of this id
    TABLE.COLUMN    what another table has in the row of this key; of a list for each item, with commas between them
    ..COLUMN        this number and that of another column: ``1 to 3``, ``4 or 5``, ``6``, ``60 or more``

Forms may follow one another: ``{turn:turns.weather:label}``. A template of which a column is empty says nothing. Where one template is
not enough, ``cases`` give several, each with a test; the first that passes speaks.

What a cell says is ours when any of it is: the columns it takes, and for what it looks up elsewhere the row itself. A column that only
names its line (the first always does; others with ``names = true``) is of the table in which it looks up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gamebox.model import Table
from modgen.layout.reading import Against, Reader, Where, each

FORMS = ("label", "sign", "list", "piece")
_FIELD = re.compile(r"\{(\w+)((?::[\w.]+)*)\}")
_ID = re.compile(r"[a-z0-9-]+")


@dataclass(frozen=True, slots=True)
class Template:
    """Text with columns in it: (text, column, forms) pieces in order, the text before each column; column ``""`` at the end."""

    text: str
    pieces: tuple[tuple[str, str, tuple[str, ...]], ...]

    @classmethod
    def of(cls, text: str) -> Template:
        """A template from its text."""
        pieces: list[tuple[str, str, tuple[str, ...]]] = []
        at = 0
        for found in _FIELD.finditer(text):
            pieces.append((text[at : found.start()], found[1], tuple(found[2].split(":")[1:])))
            at = found.end()
        return cls(text, (*pieces, (text[at:], "", ())))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns it names."""
        return tuple(column for _, column, _ in self.pieces if column)


@dataclass(frozen=True, slots=True)
class Case:
    """What a cell says of the rows that pass a test."""

    where: Where
    show: Template


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a chart. Of the rows of its line only those count that pass ``where``; what they say is joined by ``join``."""

    title: str
    cases: tuple[Case, ...]
    where: Where
    join: str
    left: bool
    names: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """One table of a page."""

    title: str
    table: str
    where: Where
    rows: str
    columns: tuple[Column, ...]
    across: str
    order: tuple[str, ...]
    """The values of ``across`` in their order; empty for numbers by size and anything else as the table has it."""
    heading: Template | None
    """What stands above the columns of ``across``; without it the value."""
    cell: Column | None
    words: Mapping[str, str]
    fills: Mapping[str, str]
    """What a cell says -> a colour for it."""
    notes: tuple[str, ...]
    beside: bool
    """Whether it stands to the right of the part before it, not below."""


@dataclass(frozen=True, slots=True)
class ChartPage:
    """A page of the chart window."""

    id: str
    title: str
    heading: str
    width: int
    """Pixels that the page may be wide; longer lines are broken."""
    parts: tuple[Part, ...]
    notes: tuple[str, ...]


def _cases(r: Reader) -> tuple[Case, ...]:
    if "cases" in r.data:
        return each(r.listed("cases"), lambda c: Case(c.where("where"), Template.of(c.text("show"))))
    return (Case(Where(), Template.of(r.text("show"))),)


def read_column(r: Reader) -> Column:
    """A column of a chart, or any line of words about rows."""
    return Column(r.text("title", ""), _cases(r), r.where("where"), r.text("join", ", "), r.flag("left"), r.flag("names"))


def _part(r: Reader) -> Part:
    words, fills = r.table("words"), r.table("fills")
    across = r.text("across", "")
    out = Part(
        title=r.text("title", ""),
        table=r.text("table"),
        where=r.where("where"),
        rows=r.text("rows", ""),
        columns=each(r.listed("columns"), read_column),
        across=across,
        order=r.texts("order", ()),
        heading=Template.of(r.text("heading")) if "heading" in r.data else None,
        cell=next(iter(each([r.table("cell")], read_column)), None) if across else None,
        words={word: words.text(word) for word in words.data},
        fills={word: fills.colour(word) for word in fills.data},
        notes=r.texts("notes", ()),
        beside=r.flag("beside"),
    )
    if across and not out.rows:
        r.fault("rows", "is missing; the column whose values make the lines, where across makes the columns")
    if not out.columns:
        r.fault("columns", 'is missing; at least one column like { title = "Die", show = "{die}" }')
    return out


def read_charts(top: Reader) -> tuple[ChartPage, ...]:
    """The charts' part of the file."""

    def page(r: Reader) -> ChartPage:
        name = r.text("id")
        if not _ID.fullmatch(name):
            r.fault("id", f"{name!r} is not allowed; small letters, digits and hyphens")
        title = r.text("title")
        return ChartPage(
            id=name,
            title=title,
            heading=r.text("heading", title),
            width=r.int("width", 1100, 300, 4000),
            parts=each(r.listed("part"), _part),
            notes=r.texts("notes", ()),
        )

    return each(top.listed("chart"), page)


def _templates(part: Part) -> Iterator[tuple[Template, Where]]:
    for column in (*part.columns, *((part.cell,) if part.cell else ())):
        yield from ((case.show, case.where) for case in column.cases)
        yield Template.of(""), column.where
    if part.heading is not None:
        yield part.heading, Where()


def check_charts(charts: tuple[ChartPage, ...], against: Against) -> None:
    """The charts held against the game's tables."""
    a = against
    a.once("[[chart]] id", (page.id for page in charts), "every chart has an id of its own")
    a.once("[[chart]] title", (page.title for page in charts), "the window has one tab a chart, and a client tells tabs by name")
    for page in charts:
        place = f"[[chart]] {page.id!r}"
        a.known(f"{place} table", (part.table for part in page.parts), a.box.tables, "table of the game")
        for part in page.parts:
            if (table := a.box.tables.get(part.table)) is not None:
                _check_part(place, part, table, a)


def check_template(place: str, table: Table, template: Template, where: Where, against: Against) -> None:
    """What a template and a test name, held against the table whose rows they are for."""
    for form in (form for _, _, forms in template.pieces for form in forms):
        if form in FORMS:
            continue
        if form.startswith(".."):
            against.known(f"{place} {table.name}", (form[2:],), table.columns, f"column of {table.name}")
            continue
        other, _, column = form.partition(".")
        found = against.box.tables.get(other)
        if found is None or column not in found.columns:
            forms = ", ".join(FORMS)
            against.fault(f"{place}: {template.text!r}: {form!r} is no form; there are {forms}, ..COLUMN, and TABLE.COLUMN of the game")
    named = (*template.columns, *(column for column, _ in where.tests))
    against.known(f"{place} {table.name}", named, table.columns, f"column of {table.name}")


def _check_part(place: str, part: Part, table: Table, against: Against) -> None:
    against.known(f"{place} {table.name}", (c for c in (part.rows, part.across) if c), table.columns, f"column of {table.name}")
    check_template(place, table, Template.of(""), part.where, against)
    if part.across in table.columns:
        against.known(f"{place} order", part.order, {row.text(part.across) for row in table}, f"value of {part.across}")
    for template, where in _templates(part):
        check_template(place, table, template, where, against)
