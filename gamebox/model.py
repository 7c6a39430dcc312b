"""The game box as typed, checked values: what lies in one game's box, with the source of every fact.

Pure: no file is read here (see ``gamebox.load``), no rule and no client is known.
A box is a set of tables; each row knows its table, its key, its line and what each of its cells rests on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

Value = str | int | tuple[str, ...] | None
"""A checked cell: text, whole number, list of texts (``;`` or space separated in the file), or empty."""

Point = tuple[float, float]


class SourceKind(StrEnum):
    """What a fact rests on; the first word of every ``source`` cell."""

    RULEBOOK = "rulebook"
    DERIVED = "derived"
    RECONSTRUCTED = "reconstructed"
    OWNER = "owner"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a fact comes from: its kind, and the words after it (sections, reasons, the owner's name)."""

    kind: SourceKind
    text: str = ""

    @property
    def certain(self) -> bool:
        """False only for what we had to reconstruct: no finding may rest on such a cell alone."""
        return self.kind is not SourceKind.RECONSTRUCTED

    def __str__(self) -> str:
        return f"{self.kind} {self.text}".rstrip()


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table. ``key`` joins the key columns with ``|`` (``2105``, ``1:1|3``, ``1907|2006|river``)."""

    table: str
    key: str
    values: Mapping[str, Value]
    sources: Mapping[str, Source]
    """Column -> source; the entry ``""`` serves every column without one of its own."""
    line: int = 0

    def text(self, column: str) -> str:
        """The cell as text; an empty cell is ``""``."""
        value = self.values[column]
        if isinstance(value, str):
            return value
        return "" if value is None else " ".join(value) if isinstance(value, tuple) else str(value)

    def int(self, column: str, default: int = 0) -> int:
        """The cell as a whole number; an empty cell is ``default``."""
        value = self.values[column]
        return value if isinstance(value, int) else default

    def flag(self, column: str) -> bool:
        """The cell as yes or no (1 or 0 in the file; empty is no)."""
        return self.values[column] == 1

    def items(self, column: str) -> tuple[str, ...]:
        """The cell as a list; an empty cell is ``()``."""
        value = self.values[column]
        return value if isinstance(value, tuple) else () if value is None else (str(value),)

    def points(self, column: str) -> tuple[Point, ...]:
        """The cell of a column of type ``points`` as pairs of numbers; an empty cell is ``()``."""
        pairs = (text.partition(",") for text in self.items(column))
        return tuple((float(x), float(y)) for x, _, y in pairs)

    def source(self, column: str = "") -> Source:
        """What this cell (or, without a column, the row) rests on."""
        return self.sources.get(column) or self.sources[""]

    def cell(self, column: str) -> str:
        """The cell's name in reports: ``hexes 2105 terrain``."""
        return f"{self.table} {self.key} {column}"


@dataclass(frozen=True, slots=True)
class Table:
    """One file of the box. Rows keep the file's (sorted) order."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    by_key: Mapping[str, Row] = field(repr=False)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, key: str) -> Row:
        return self.by_key[key]

    def get(self, key: str) -> Row | None:
        """The row with this key, or None."""
        return self.by_key.get(key)


@dataclass(frozen=True, slots=True)
class Piece:
    """One counter. ``id`` is its piece id everywhere: data, modules, saves, records, reports."""

    id: str
    name: str
    nation: str
    side: str
    strengths: tuple[int, ...]
    """As printed, in the order of ``columns`` (attack, defence, movement allowance)."""
    row: Row
    columns: tuple[str, ...] = ()
    """The names of its strengths: those of ``Box.strengths`` that its table has."""

    def strength(self, column: str) -> int | None:
        """The strength of this name, or None where such counters have none."""
        return self.strengths[self.columns.index(column)] if column in self.columns else None


@dataclass(frozen=True, slots=True)
class Grid:
    """A hex grid as the printed map numbers it. See ``gamebox.geometry`` for what it means."""

    rows: int
    columns: int
    numbering: str = "RRCC"
    rows_from: str = "south"
    columns_from: str = "west"
    orientation: str = "pointy"
    stagger: str = "odd-west"
    """Which lines are shifted by half a hex, and to which side."""
    sheets: tuple[tuple[str, int], ...] = ()
    """Map sheets that lie side by side, each with its letters and its number of columns, from the edge where columns begin."""


@dataclass(frozen=True, slots=True)
class ZoneMap:
    """A board of zones: its size in its own units, x to the right and y down, and the tables that hold it.

    ``gamebox.geometry.zones`` makes the geometry of it.
    """

    width: int
    height: int
    unit: str = ""
    """What one unit is (``km``), for a scale; empty where a board has none."""
    zones: str = "zones"
    """Keyed by one column, the zone's name; ``label_x`` and ``label_y`` are where that name is best written."""
    outlines: str = "outlines"
    """One ring a row: the first key column is the zone, ``points`` the closed ring."""
    adjacency: str = "adjacency"
    """Keyed by two zones that touch, in the order of the table of zones."""
    touching: bool = True
    """Whether zones touch exactly where their outlines have an edge in common; off where ways lead over a strait."""


@dataclass(frozen=True, slots=True)
class Box:
    """All components of one game, from ``data/<game>/`` and any overlay laid over it."""

    id: str
    short: str
    title: str
    version: str
    strengths: tuple[str, ...]
    """The names of all printed strengths; not every kind of counter has each."""
    grid: Grid | None
    tables: Mapping[str, Table]
    pieces: tuple[Piece, ...]
    data_hash: str
    """SHA-256 over the canonical rows, overlay included (hex digits)."""
    zones: ZoneMap | None = None
    overlay: Mapping[str, str] = field(default_factory=dict)
    """The overlay's files, name -> text, as embedded in modules and records."""

    def __getitem__(self, table: str) -> Table:
        return self.tables[table]

    def piece(self, piece_id: str) -> Piece | None:
        """The counter with this id, or None."""
        return next((p for p in self.pieces if p.id == piece_id), None)

    def setup(self, name: str) -> tuple[tuple[str, str], ...]:
        """The set-up of this name as (piece id, place) pairs; a place is a hex, a zone, a region or a box."""
        return tuple((r.text("piece"), r.text("place")) for r in self.tables["setups"] if r.text("setup") == name)
