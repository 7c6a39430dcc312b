"""Tracks beside the map: rows of cells that a marker stands in. ``[turns]`` and ``[[track]]`` in ``module.toml``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gamebox.model import Box, Row
from modgen.layout.charts import Template
from modgen.layout.counters import MARKER_STYLES
from modgen.layout.reading import Against, Reader, Rect, Where, each


@dataclass(frozen=True, slots=True)
class TurnMark:
    """Words or a pictogram in the cells of the turn track: every row of a table that passes the test adds its own.

    ``column`` of the table says in which turn's cell. With a ``style`` (a marker's pictogram) ``text`` stands beside it.
    """

    table: str
    where: Where
    column: str
    text: str
    colour: str
    style: str
    ink: str
    label: str
    """What the key says of it; empty to leave it out."""


@dataclass(frozen=True, slots=True)
class TurnTrack:
    """How the turn track is laid out."""

    columns: int
    note: str
    date: str
    """What stands in the corner of a cell, from the columns of the turn's row."""
    marks: tuple[TurnMark, ...]
    tints: tuple[tuple[Where, str], ...]
    """Tests on the turn's row and the colours of the cells that pass them, the first one counts."""


@dataclass(frozen=True, slots=True)
class TrackRow:
    """One row of cells: numbers from first to last, or the rows of a table in its order; ``{value}`` in ``named`` is what a cell holds."""

    label: str
    colour: str
    named: str
    note: str
    first: int
    last: int
    wrap: int
    """Cells in a line; 0 for all in one."""
    beside: int
    """So many empty cells after the row before it, in the same line; 0 for a line of its own."""
    table: str
    where: Where
    value: str
    words: tuple[str, ...]
    """Lines of small print in a cell, from the columns of its row."""
    texts: tuple[tuple[str, str], ...]
    """Values with their small print, for cells that the layout itself lists."""


@dataclass(frozen=True, slots=True)
class Track:
    """A panel of rows of cells; clients call each cell by its own name."""

    name: str
    rect: Rect
    note: str
    head: int
    """Width in pixels of the space for the rows' labels."""
    rows: tuple[TrackRow, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a track."""

    name: str
    """How clients call it."""
    value: str
    words: tuple[str, ...]
    certain: bool


def read_turns(top: Reader) -> TurnTrack:
    """How the turn track is laid out; without ``[turns]`` four turns to a line."""
    r = top.table("turns")
    out = TurnTrack(
        r.int("columns", 4, 1, 40),
        r.text("note", "replacements of each turn; slanted = reconstructed"),
        r.text("date", "{date}"),
        each(
            top.listed("turn_mark"),
            lambda m: TurnMark(
                m.text("table"),
                m.where("where"),
                m.text("column", "turn"),
                m.text("text", ""),
                m.colour("colour"),
                m.text("style", "", among=("", *MARKER_STYLES)),
                m.colour("ink", "#ffffff"),
                m.text("label", ""),
            ),
        ),
        each(top.listed("turn_tint"), lambda t: (t.where("where"), t.colour("fill"))),
    )
    r.end()
    return out


def read_tracks(top: Reader) -> tuple[Track, ...]:
    """The tracks of the file."""
    return each(
        top.listed("track"),
        lambda r: Track(r.text("name"), r.rect("rect"), r.text("note", ""), r.int("head", 0, 0, 400), each(r.listed("row"), _row)),
    )


def _row(r: Reader) -> TrackRow:
    texts = r.table("texts")
    return TrackRow(
        label=r.text("label"),
        colour=r.colour("colour", "#3a3021"),
        named=r.text("named"),
        note=r.text("note", ""),
        first=r.int("first", 0, -1000, 1000),
        last=r.int("last", -1, -1000, 1000),
        wrap=r.int("wrap", 0, 0, 100),
        beside=r.int("beside", 0, 0, 20),
        table=r.text("table", ""),
        where=r.where("where"),
        value=r.text("value", "{value}"),
        words=r.texts("words", ()),
        texts=tuple((key, texts.text(key)) for key in texts.data),
    )


def filled(text: str, row: Row, box: Box, labels: Mapping[str, str] | None = None, **more: str) -> str:
    """A template with the columns of a row in its braces; ``{column:piece}`` is the name of the piece of that id, ``{column:label}``
    what ``labels`` calls the value.

    Raises KeyError for what is no column.
    """
    out = ""
    for before, column, forms in Template.of(text).pieces:
        out += before
        if column:
            word = more[column] if column in more else row.text(column)
            piece = box.piece(word) if "piece" in forms else None
            out += piece.name if piece is not None else (labels or {}).get(word, word) if "label" in forms else word
    return out


def cells(row: TrackRow, box: Box) -> tuple[Cell, ...]:
    """The cells of a row in order."""
    if row.table:
        found = [r for r in box[row.table] if row.where(r)]
        out = []
        for r in found:
            value = filled(row.value, r, box)
            words = tuple(filled(w, r, box) for w in row.words)
            out.append(Cell(filled(row.named, r, box, value=value), value, words, r.source().certain))
        return tuple(out)
    listed = row.texts if row.texts else tuple((str(n), "") for n in range(row.first, row.last + 1))
    return tuple(Cell(row.named.format(value=value), value, tuple(text.split("|")) if text else (), True) for value, text in listed)


def check_turns(track: TurnTrack, against: Against) -> None:
    """The turn track held against the game's tables."""
    turns = against.box.tables.get("turns")
    for place, table, where, texts in (
        *((f"[[turn_mark]] {k}", mark.table, mark.where, (mark.text, "{" + mark.column + "}")) for k, mark in enumerate(track.marks, 1)),
        *((f"[[turn_tint]] {k}", "turns", where, ()) for k, (where, _) in enumerate(track.tints, 1)),
        *((("[turns] date", "turns", Where(), (track.date,)),) if turns is not None else ()),
    ):
        if table not in against.box.tables:
            against.fault(f"{place}: {table!r} is no table of the game; there are {', '.join(against.box.tables)}")
            continue
        rows = against.box[table]
        against.known(place, (column for column, _ in where.tests), rows.columns, f"column of {table}")
        for text in texts:
            try:
                for row in rows:
                    filled(text, row, against.box)
            except (KeyError, IndexError, ValueError) as error:
                against.fault(f"{place}: {error} is no column of {table}; allowed in braces: {', '.join(rows.columns)}")
                break


def check_tracks(tracks: Iterable[Track], width: int, height: int, against: Against) -> list[str]:
    """The tracks held against the game's tables; the names of all their cells."""
    names: list[str] = []
    for track in tracks:
        x, y, w, h = track.rect
        if x + w > width or y + h > height:
            against.fault(f"[[track]] {track.name!r}: its rectangle leaves the board of {width} x {height}")
        for row in track.rows:
            place = f"[[track]] {track.name!r}, row {row.label!r}"
            if row.table and row.table not in against.box.tables:
                against.fault(f"{place}: {row.table!r} is no table of the game; there are {', '.join(against.box.tables)}")
                continue
            try:
                made = cells(row, against.box)
            except KeyError as error:
                against.fault(f"{place}: {error} is no column of its table; allowed in braces: value and the table's columns")
                continue
            if not made:
                against.fault(f"{place}: has no cells; allowed: first and last, a table with rows that pass, or texts")
            names += [cell.name for cell in made]
    against.once("[[track]]", names, "a client tells places by name alone")
    return names
