"""Reads a game's box from ``data/<game>/``: the only part of gamebox that touches files.

``game.toml`` names the game, its grid and its tables, with a type for every column (see ``gamebox.schema``); everything here
follows it, so a new game is a new folder and no code. All errors of a box are reported at once, each as
``file:line:column: what is wrong, what is allowed``.

An overlay is a folder or a zip of files with the same names that hold only changed rows. Each row has its key, its changed
cells and a source; an empty cell keeps what the box has, ``-`` empties it, and ``remove`` in a column ``change`` takes the row out.
"""

from __future__ import annotations

import errno
import hashlib
import io
import json
import re
import stat
import tomllib
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from gamebox import geometry
from gamebox.model import Box, Grid, Piece, Row, Source, Table, Value, ZoneMap
from gamebox.schema import CellError, ColumnType, SchemaError, Scope, parse_type, read_cell, read_source
from gamebox.sheets import Line, Sheet, SheetError, column_of, decode, read_sheet, write_sheet

GAME_FILE = "game.toml"
CHANGE = "change"
"""The column of an overlay file that may say ``remove``."""
MAX_OVERLAY_FILES = 100
MAX_FILE_BYTES = 8_000_000
MAX_OVERLAY_BYTES = 32_000_000
_IGNORED = re.compile(r"(.*/)?(\.[^./\\][^/\\]*|__MACOSX(/.*)?|desktop\.ini|Thumbs\.db|README[^/]*)", re.IGNORECASE)
_GAME_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)
_NUMBERS = re.compile(r"\d+|\D+", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class BoxError:
    """One thing wrong with a box. ``file`` is ``<game>/<file>`` or ``<overlay>/<file>``.

    Lines and columns count from 1; line 0 is an error that has no place within the file, as when there is no file. An empty
    ``file`` is one that belongs to none.
    """

    file: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        # A cell may hold line feeds; an error is one line.
        place = f":{self.line}:{self.column}" if self.line else ""
        return f"{self.file}{place}: ".removeprefix(": ") + " ".join(self.message.split())


class BoxErrors(Exception):
    """Everything that is wrong with a box, in the order of files and lines. ``str()`` gives one line an error."""

    def __init__(self, errors: Iterable[BoxError]) -> None:
        self.errors: tuple[BoxError, ...] = tuple(sorted(set(errors)))
        super().__init__("\n".join(str(error) for error in self.errors))


@dataclass(frozen=True, slots=True)
class TableSchema:
    """One ``[tables.NAME]`` of ``game.toml``."""

    name: str
    file: str
    key: tuple[str, ...]
    columns: Mapping[str, ColumnType]
    pair: tuple[str, str] | None = None
    """Two columns that name a hexside: hexes that touch, the lower number first."""
    title: str = ""
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Key column -> its words in their order: an enum's, or those of the table that it refers to."""

    @property
    def values(self) -> tuple[str, ...]:
        """The columns that hold facts."""
        return tuple(name for name, kind in self.columns.items() if not kind.is_source)

    @property
    def covers(self) -> Mapping[str, tuple[str, ...]]:
        """Source column -> the columns it serves; ``()`` for the one that serves all others."""
        return {name: kind.kinds[0].words for name, kind in self.columns.items() if kind.is_source}

    @property
    def default_source(self) -> str:
        """The source column that serves every column without one of its own."""
        return next(name for name, words in self.covers.items() if not words)

    @property
    def numbered(self) -> bool:
        """Whether one whole number is the key."""
        return len(self.key) == 1 and self.columns[self.key[0]].kinds[0].base == "int"

    def sort_key(self, cells: Mapping[str, str]) -> tuple[object, ...]:
        """The place of a row: by key, enums in their order, numbers within texts by size."""
        return tuple(_sort_key(self.orders.get(name, ()), cells.get(name, "")) for name in self.key)


@dataclass(frozen=True, slots=True)
class Border:
    """Hexsides with one of these features are exactly the sides between playable hexes that differ in a column of the hex table.

    With ``value`` only being that value or not counts; hexes with a value of ``both`` differ from none.
    """

    features: tuple[str, ...]
    column: str
    value: str = ""
    both: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Checks:
    """``[checks]`` of ``game.toml``: what must hold between rows, for ``modgen check``."""

    stacking: int = 0
    """Counters that may begin in one hex; 0: any number."""
    uncounted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Column of the counters' table -> its values: counters that have one of them do not count for ``stacking``."""
    alone: tuple[str, ...] = ()
    """Flags of counters: two that have it never begin in one hex."""
    complete: tuple[str, ...] = ()
    """Tables that have a row for every combination of their key columns' values."""
    same_keys: tuple[tuple[str, str], ...] = ()
    """Pairs of tables with the same keys."""
    borders: tuple[Border, ...] = ()


@dataclass(frozen=True, slots=True)
class GameSchema:
    """What ``game.toml`` says."""

    id: str
    short: str
    title: str
    version: str
    strengths: tuple[str, ...]
    grid: Grid | None
    pieces: tuple[str, ...]
    """The tables of the counters; none when the game has no counters."""
    tables: Mapping[str, TableSchema]
    checks: Checks = Checks()
    zones: ZoneMap | None = None


_HERE = Path(__file__).resolve().parent
_INSTALLED, _CHECKOUT = _HERE / "_data", _HERE.parent / "data"


def data_root() -> Path:
    """The folder of all games: ``gamebox/_data`` in an installed wheel, else ``data`` beside the package in a checkout."""
    return _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT


def games(root: Path | None = None) -> tuple[str, ...]:
    """The ids of all games, sorted: the folders that hold a ``game.toml``."""
    base = root or data_root()
    if not base.is_dir():
        return ()
    return tuple(sorted(path.name for path in base.iterdir() if is_game(path.name, base)))


def is_game(name: str, root: Path | None = None) -> bool:
    """Whether ``games`` has it."""
    return _GAME_ID.fullmatch(name) is not None and ((root or data_root()) / name / GAME_FILE).is_file()


def load_schema(game: str, root: Path | None = None) -> GameSchema:
    """What a game's ``game.toml`` says. Raises BoxErrors."""
    base = root or data_root()
    name = f"{game}/{GAME_FILE}"
    if not _GAME_ID.fullmatch(game) or not (base / game / GAME_FILE).exists():
        raise BoxErrors([_no_game(game, base)])
    data = _read_file(base / game / GAME_FILE, name)
    if isinstance(data, BoxError):
        raise BoxErrors([data])
    if not data.strip():
        raise BoxErrors([BoxError(name, 1, 1, "the file is empty; allowed: id, short, title, version and [tables.NAME] sections")])
    try:
        text, _ = decode(data)
        return _schema(game, name, text)
    except SheetError as error:
        raise BoxErrors([BoxError(name, error.line, error.column, error.message)]) from None


def _no_game(game: str, base: Path) -> BoxError:
    if not base.is_dir():
        what = "this is no folder" if base.exists() else "the folder is missing"
        return BoxError(base.as_posix(), 0, 0, f"{what}; allowed: a folder that holds games")
    if _GAME_ID.fullmatch(game) and (base / game).is_dir():
        return BoxError(f"{game}/{GAME_FILE}", 0, 0, "the file is missing; allowed: a folder with a file that describes the game")
    known = ", ".join(games(base))
    return BoxError("", 0, 0, f"there is no game {game!r}; " + (f"there are: {known}" if known else f"{base.as_posix()} holds none"))


def load_box(game: str, overlay: Path | Mapping[str, str] | None = None, root: Path | None = None) -> Box:
    """The checked box of a game, with an overlay (a folder, a zip, or the file texts of ``Box.overlay``) laid over it.

    Raises BoxErrors with every error there is.
    """
    schema = load_schema(game, root)
    base = root or data_root()
    loader = _Loader(schema)
    for table in schema.tables.values():
        path = base / game / table.file
        shown = f"{game}/{table.file}"
        if not path.is_file() and not path.is_dir():
            loader.report(shown, 1, 1, f"the file is missing; allowed: a table with the columns {', '.join(table.columns)}")
            continue
        data = _read_file(path, shown)
        if isinstance(data, BoxError):
            loader.errors.append(data)
        else:
            loader.read_base(table, shown, data)
    texts = loader.read_overlay(overlay) if overlay is not None else {}
    return loader.box(texts)


def canonical_rows(schema: TableSchema, sheet: Sheet) -> str:
    """A sheet in the form of our own files: known columns in the schema's order, rows sorted. Values are not checked."""
    index = {name: at for at, name in enumerate(sheet.header.cells)}
    names = [name for name in schema.columns if name in index] + [name for name in sheet.header.cells if name not in schema.columns]
    rows = [{name: line.cells[index[name]] if index[name] < len(line.cells) else "" for name in names} for line in sheet.lines]
    rows.sort(key=schema.sort_key)
    return write_sheet(names, ([row[name] for name in names] for row in rows))


@dataclass(slots=True)
class _Record:
    """One row on its way: its texts, and where each of them stands."""

    file: str
    sheet: Sheet
    line: Line
    cells: dict[str, str]
    places: dict[str, tuple[str, Sheet, Line, int]] = field(default_factory=dict)
    """Column -> (file, sheet, line, index of the cell), which an overlay changes cell by cell."""


class _Loader:
    def __init__(self, schema: GameSchema) -> None:
        self.schema = schema
        self.errors: list[BoxError] = []
        self.records: dict[str, dict[str, _Record]] = {}
        self.unread: dict[str, int] = {}
        """Table -> how many of its rows could not be read."""
        self.hexes = geometry.hexes(schema.grid) if schema.grid else None

    def report(self, file: str, line: int, column: int, message: str) -> None:
        self.errors.append(BoxError(file, line, column, message))

    def report_cell(self, record: _Record, column: str, message: str) -> None:
        file, sheet, line, index = record.places.get(column, (record.file, record.sheet, record.line, 0))
        self.report(file, line.number, column_of(sheet, line, index), f"{column} {message}")

    # -- reading ------------------------------------------------------------------------------------------------------

    def sheet(self, table: TableSchema, shown: str, data: bytes, extra: tuple[str, ...] = ()) -> Sheet | None:
        try:
            text, oddities = decode(data)
            sheet = read_sheet(text, (*table.columns, *extra), oddities)
        except SheetError as error:
            self.report(shown, error.line, error.column, error.message)
            return None
        good = True
        allowed = (*table.columns, *extra)
        seen: set[str] = set()
        for at, name in enumerate(sheet.header.cells):
            column = column_of(sheet, sheet.header, at)
            if name in seen:
                self.report(shown, sheet.header.number, column, f"column `{name}` is here twice; allowed: once")
                good = False
            elif name not in allowed:
                self.report(shown, sheet.header.number, column, f"column `{name}` is unknown; allowed: {', '.join(allowed)}")
                good = False
            seen.add(name)
        return sheet if good else None

    def read_base(self, table: TableSchema, shown: str, data: bytes) -> None:
        sheet = self.sheet(table, shown, data)
        if sheet is None:
            return
        missing = [name for name in table.columns if name not in sheet.header.cells]
        for name in missing:
            self.report(shown, sheet.header.number, 1, f"column `{name}` is missing; allowed: {', '.join(table.columns)}")
        if missing:
            return
        found: dict[str, _Record] = {}
        for line in sheet.lines:
            record = self.record(shown, sheet, line)
            if record is None:
                self.unread[table.name] = self.unread.get(table.name, 0) + 1
                continue
            key = _key(table, record.cells)
            if key in found:
                first = found[key].line.number
                self.report_cell(
                    record,
                    table.key[0],
                    f"`{key}` is here twice, first in line {first}; allowed: one row for each {' and '.join(table.key)}",
                )
                continue
            found[key] = record
        self.records[table.name] = found

    def record(self, shown: str, sheet: Sheet, line: Line) -> _Record | None:
        width = len(sheet.header.cells)
        if len(line.cells) != width:
            index = min(len(line.cells), width)
            column = column_of(sheet, line, index)
            self.report(shown, line.number, column, f"the row has {len(line.cells)} cells; allowed: {width}, as the header")
            return None
        cells = dict(zip(sheet.header.cells, line.cells, strict=True))
        places = {name: (shown, sheet, line, at) for at, name in enumerate(sheet.header.cells)}
        return _Record(shown, sheet, line, cells, places)

    # -- overlay ------------------------------------------------------------------------------------------------------

    def read_overlay(self, overlay: Path | Mapping[str, str]) -> dict[str, str]:
        """Lays an overlay over the records; gives its files in canonical form, name -> text."""
        before = len(self.errors)
        if isinstance(overlay, Mapping):
            title = "overlay"
            # Text that UTF-8 cannot hold fails where it is decoded again, with its place.
            files = {name: text.encode("utf-8", "surrogatepass") for name, text in overlay.items()}
        else:
            title = overlay.name or overlay.as_posix()
            files = self.overlay_files(overlay)
        known = {table.file: table for table in self.schema.tables.values()}
        texts: dict[str, str] = {}
        others = len(files) + len(self.errors) - before
        is_zip = isinstance(overlay, Path) and not overlay.is_dir()
        if others > 1 and not (is_zip and len(self.errors) > before) and known.keys().isdisjoint(files):
            # Another folder or zip, given for an overlay: one error, not one for each of its files.
            told = f"none of the {others} things in it is a table of the game; allowed: {', '.join(sorted(known))}"
            self.errors[before:] = [BoxError(title, 0, 0, told)]
            return {}
        for name in sorted(files):
            shown = f"{title}/{name}"
            if name not in known:
                self.report(shown, 1, 1, f"this file is no table of the game; allowed: {', '.join(sorted(known))}")
                continue
            table = known[name]
            sheet = self.sheet(table, shown, files[name], (CHANGE,))
            if sheet is None:
                continue
            texts[name] = canonical_rows(table, sheet)
            needed = [*table.key, table.default_source]
            missing = [column for column in needed if column not in sheet.header.cells]
            for column in missing:
                self.report(
                    shown,
                    sheet.header.number,
                    1,
                    f"column `{column}` is missing; allowed: {', '.join(needed)} and any other columns of the table",
                )
            if not missing and table.name in self.records:
                self.lay_over(table, shown, sheet)
        return texts

    def overlay_files(self, overlay: Path) -> dict[str, bytes]:
        title = overlay.name or overlay.as_posix()
        before = len(self.errors)
        if overlay.is_dir():
            paths = [path for path in sorted(overlay.iterdir()) if not _IGNORED.fullmatch(path.name)]
            found: dict[str, bytes] = {}
            for path in paths[: MAX_OVERLAY_FILES + 1]:
                data = _read_file(path, f"{title}/{path.name}")
                if isinstance(data, BoxError):
                    self.errors.append(data)
                else:
                    found[path.name] = data
        elif overlay.is_file():
            found = self.overlay_zip(overlay)
        else:
            self.report(title, 0, 0, "no such overlay; allowed: a folder or a zip of table files")
            return {}
        if not found and len(self.errors) == before:
            # A folder that was mistyped would otherwise change nothing, and nobody would be told.
            self.report(title, 0, 0, "no table file in this overlay; allowed: a folder or a zip of table files")
        if len(found) > MAX_OVERLAY_FILES or sum(map(len, found.values())) > MAX_OVERLAY_BYTES:
            self.report(title, 1, 1, f"too much for an overlay; allowed: {MAX_OVERLAY_FILES} files, {MAX_OVERLAY_BYTES} bytes")
            return {}
        return found

    def overlay_zip(self, path: Path) -> dict[str, bytes]:
        title = path.name
        found: dict[str, bytes] = {}
        try:
            with zipfile.ZipFile(path) as archive:
                entries = [entry for entry in archive.infolist() if not entry.is_dir() and not _IGNORED.fullmatch(entry.filename)]
                if len(entries) > MAX_OVERLAY_FILES:
                    self.report(title, 1, 1, f"{len(entries)} files in the zip; allowed: {MAX_OVERLAY_FILES}")
                    return {}
                # People zip the folder as often as its files: one common folder on top is left out.
                tops = {entry.filename.partition("/")[0] for entry in entries if "/" in entry.filename}
                top = f"{tops.pop()}/" if len(tops) == 1 and all("/" in entry.filename for entry in entries) else ""
                total = 0
                for entry in entries:
                    name = entry.filename.removeprefix(top)
                    shown = f"{title}/{entry.filename}"
                    parts = name.split("/")
                    if not {"", ".", ".."}.isdisjoint(parts) or "\\" in name or ":" in name or top in ("../", "./", "/"):
                        self.report(shown, 1, 1, "this name leads out of the overlay; allowed: plain file names")
                        continue
                    if len(parts) > 1:
                        why = "lies in a folder, and not all files of the zip lie in the same one"
                        self.report(shown, 1, 1, f"this file {why}; allowed: files beside each other, or all in one folder")
                        continue
                    if name in found:
                        self.report(shown, 1, 1, "this name is in the zip twice; allowed: once")
                        continue
                    if entry.flag_bits & 1 or stat.S_ISLNK(entry.external_attr >> 16):
                        self.report(shown, 1, 1, "an encrypted file or a link; allowed: plain files")
                        continue
                    with archive.open(entry) as stream:
                        # Never trusts the size that the archive states.
                        data = stream.read(MAX_FILE_BYTES + 1)
                    total += len(data)
                    if len(data) > MAX_FILE_BYTES or total > MAX_OVERLAY_BYTES:
                        self.report(shown, 1, 1, f"too large; allowed: {MAX_FILE_BYTES} bytes a file, {MAX_OVERLAY_BYTES} in all")
                        return {}
                    found[name] = data
        except PermissionError as error:
            self.report(title, 0, 0, f"cannot be read ({error.strerror}); allowed: a readable folder or zip")
            return {}
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError, ValueError, UnicodeError):
            self.report(title, 1, 1, "not a readable zip; allowed: a folder or a zip of table files")
            return {}
        return found

    def lay_over(self, table: TableSchema, shown: str, sheet: Sheet) -> None:
        rows = self.records[table.name]
        seen: dict[str, int] = {}
        for line in sheet.lines:
            change = self.record(shown, sheet, line)
            if change is None:
                self.unread[table.name] = self.unread.get(table.name, 0) + 1
                continue
            key = _key(table, change.cells)
            if key in seen:
                self.report_cell(
                    change,
                    table.key[0],
                    f"`{key}` is here twice, first in line {seen[key]}; allowed: one row for each {' and '.join(table.key)}",
                )
                continue
            seen[key] = line.number
            word = change.cells.pop(CHANGE, "")
            if word not in ("", "remove"):
                self.report_cell(change, CHANGE, f"`{word}` is not allowed; allowed: remove or empty")
                continue
            who = change.cells[table.default_source]
            if not who:
                self.report_cell(change, table.default_source, "is empty; allowed: owner, then who says so (or another source)")
                continue
            old = rows.get(key)
            if word == "remove":
                if old is None:
                    self.report_cell(change, table.key[0], f"`{key}` is not in the box; allowed: keys of {table.file}")
                rows.pop(key, None)
                continue
            if old is None:
                for column in table.columns:
                    change.cells.setdefault(column, "")
                for column, text in change.cells.items():
                    change.cells[column] = "" if text == "-" else text
                for source, words in table.covers.items():
                    if not change.cells[source] and any(change.cells[column] for column in words):
                        change.cells[source] = who
                rows[key] = change
                continue
            rows[key] = self.changed(table, old, change, who)

    def changed(self, table: TableSchema, old: _Record, change: _Record, who: str) -> _Record:
        """A row with an overlay's cells in it.

        Every cell that the overlay gives, changed or confirmed, rests on its own source column if that is filled, else on
        the overlay row's ``source``. A row that gives no cell confirms the whole row, or the cells whose sources it names.
        """
        serves = {column: source for source, words in table.covers.items() for column in words}
        cells, places = dict(old.cells), dict(old.places)
        given = [column for column in table.values if column not in table.key and change.cells.get(column, "")]
        named = [source for source in table.covers if source != table.default_source and change.cells.get(source, "")]
        for column in given:
            text = change.cells[column]
            text = "" if text == "-" else text
            source = serves.get(column, table.default_source)
            told = change.cells.get(source, "") or who
            if text != old.cells[column] and told == old.cells[source]:
                self.report_cell(change, source, f"`{told}` is still the old one, but {column} has changed; allowed: who says so now")
                continue
            cells[column], cells[source] = text, told
            places[column] = change.places[column]
            places[source] = change.places.get(source, change.places[table.default_source])
        for source in named or (() if given else table.covers):
            cells[source] = change.cells.get(source, "") or who
            places[source] = change.places.get(source, change.places[table.default_source])
        return _Record(old.file, old.sheet, old.line, cells, places)

    # -- values -------------------------------------------------------------------------------------------------------

    def box(self, overlay: Mapping[str, str]) -> Box:
        schema = self.schema
        scope = Scope(
            frozenset(self.hexes.names) if self.hexes else None,
            {name: frozenset(rows) for name, rows in self.records.items()},
            frozenset(name for name, table in schema.tables.items() if table.numbered),
        )
        told = list(self.errors)
        tables = self.tables(scope)
        if self.errors and (doubtful := self.doubtful(scope)):
            # A reference to a row that could not be read is no second error: it would hide the first among hundreds of its kind.
            self.errors = told
            for name in sorted(doubtful - self.unread.keys()):
                if not self.records[name]:
                    self.report(
                        f"{schema.id}/{schema.tables[name].file}",
                        1,
                        1,
                        "the table has a header and no rows; allowed: rows, which other tables refer to",
                    )
            tables = self.tables(replace(scope, keys={name: keys for name, keys in scope.keys.items() if name not in doubtful}))
        pieces = self.pieces(tables)
        if self.errors:
            raise BoxErrors(self.errors)
        return Box(
            id=schema.id,
            short=schema.short,
            title=schema.title,
            version=schema.version,
            strengths=schema.strengths,
            grid=schema.grid,
            tables=MappingProxyType(tables),
            pieces=pieces,
            data_hash=_data_hash(schema, tables),
            zones=schema.zones,
            overlay=MappingProxyType(dict(overlay)),
        )

    def tables(self, scope: Scope) -> dict[str, Table]:
        return {name: self.table(table, scope) for name, table in self.schema.tables.items() if name in self.records}

    def doubtful(self, scope: Scope) -> set[str]:
        """Tables whose keys are not all known, if that may be why references to them fail.

        That is a table with at least as many rows that could not be read, or have a key that is none, as other tables name keys
        that are not there; and a table without rows where nothing but its rows is allowed.
        """
        free = replace(scope, keys={})
        lost = dict(self.unread)
        for name, records in self.records.items():
            table = self.schema.tables[name]
            keys = [tuple(record.cells[column] for column in table.key) for record in records.values()]
            good = {
                (at, text): _reads(table.columns[column], text, free)
                for at, column in enumerate(table.key)
                for text in {key[at] for key in keys}
            }
            lost[name] = lost.get(name, 0) + sum(not all(good[place] for place in enumerate(key)) for key in keys)
        empty = {name for name, records in self.records.items() if not records and not lost[name]}
        found: set[str] = set()
        wanted: dict[str, set[str]] = {name: set() for name in self.records}
        for name, records in self.records.items():
            for column, kind in self.schema.tables[name].columns.items():
                texts = {record.cells[column] for record in records.values()} - {""}
                targets = _only_refs(kind)
                if targets and targets <= empty and texts:
                    found |= targets
                for target in set(_refs(kind)) & wanted.keys():
                    if lost[target]:
                        without = replace(scope, keys={other: keys for other, keys in scope.keys.items() if other != target})
                        wanted[target] |= {text for text in texts if not _reads(kind, text, scope) and _reads(kind, text, without)}
        return found | {name for name, texts in wanted.items() if 0 < len(texts) <= lost[name]}

    def table(self, table: TableSchema, scope: Scope) -> Table:
        records = sorted(self.records[table.name].values(), key=lambda record: table.sort_key(record.cells))
        rows: list[Row] = []
        covers = table.covers
        # Most cells of a column repeat; each text is read once.
        facts: list[tuple[str, ColumnType, dict[str, Value]]] = [(column, table.columns[column], {}) for column in table.values]
        grounds: list[tuple[str, tuple[str, ...], dict[str, Source]]] = [(column, words, {}) for column, words in covers.items()]
        for record in records:
            values: dict[str, Value] = {}
            sources: dict[str, Source] = {}
            good = True
            cells = record.cells
            for column, kind, seen in facts:
                text = cells[column]
                if text not in seen:
                    try:
                        seen[text] = read_cell(kind, text, scope)
                    except CellError as error:
                        self.report_cell(record, column, str(error))
                        good = False
                        continue
                values[column] = seen[text]
            for column, words, told in grounds:
                text = cells[column]
                if words and not text:
                    # A source with nothing to serve may be left empty.
                    filled = [name for name in words if cells[name]]
                    if filled:
                        self.report_cell(
                            record, column, f"is empty, but {filled[0]} is not; allowed: {table.columns[column].allowed}"
                        )
                        good = False
                    continue
                if text not in told:
                    try:
                        if not text:
                            raise CellError(f"is empty; allowed: {table.columns[column].allowed}")
                        told[text] = read_source(text)
                    except CellError as error:
                        self.report_cell(record, column, str(error))
                        good = False
                        continue
                for name in words or ("",):
                    sources[name] = told[text]
            if good and table.pair:
                good = self.pair(table, record)
            if good:
                key = _key(table, record.cells)
                rows.append(Row(table.name, key, MappingProxyType(values), MappingProxyType(sources), record.line.number))
        columns = (*table.values, *covers)
        return Table(table.name, columns, tuple(rows), MappingProxyType({row.key: row for row in rows}))

    def pair(self, table: TableSchema, record: _Record) -> bool:
        """Whether the two hexes of a hexside touch and stand in order."""
        assert table.pair is not None and self.hexes is not None
        first, second = table.pair
        a, b = record.cells[first], record.cells[second]
        if not self.hexes.adjacent(a, b):
            self.report_cell(record, second, f"`{b}` does not touch {a}; allowed: {' '.join(self.hexes.neighbours(a))}")
            return False
        if self.hexes.hexside(a, b) != (a, b):
            self.report_cell(record, first, f"`{a}` stands before {b}; allowed: the lower number first ({b}, {a})")
            return False
        return True

    def pieces(self, tables: Mapping[str, Table]) -> tuple[Piece, ...]:
        found: dict[str, Piece] = {}
        for name in self.schema.pieces:
            schema = self.schema.tables[name]
            columns = tuple(column for column in self.schema.strengths if column in schema.columns)
            for row in tables.get(name, ()):
                if row.key in found:
                    other = found[row.key].row.table
                    record = self.records[name][row.key]
                    self.report_cell(record, schema.key[0], f"`{row.key}` is a counter of {other} too; allowed: an id of its own")
                    continue
                found[row.key] = Piece(
                    id=row.key,
                    name=row.text("name"),
                    nation=row.text("nation"),
                    side=row.text("side"),
                    strengths=tuple(row.int(column) for column in columns),
                    row=row,
                    columns=columns,
                )
        return tuple(found.values())


def _reads(kind: ColumnType, text: str, scope: Scope) -> bool:
    try:
        read_cell(kind, text, scope)
    except CellError:
        return False
    return True


def _only_refs(kind: ColumnType) -> set[str]:
    """The tables that a column refers to; none when its cells may be anything else too."""
    items = [one.item.kinds if one.item else (one,) for one in kind.kinds]
    plain = [one for kinds in items for one in kinds]
    return {word for one in plain for word in one.words} if all(one.base == "ref" for one in plain) else set()


def _key(table: TableSchema, cells: Mapping[str, str]) -> str:
    return "|".join(cells[column] for column in table.key)


def _sort_key(order: tuple[str, ...], text: str) -> tuple[object, ...]:
    if text in order:
        return ((0, order.index(text), ""),)
    return tuple((1, int(part), "") if part.isdigit() else (2, 0, part) for part in _NUMBERS.findall(text))


def _data_hash(schema: GameSchema, tables: Mapping[str, Table]) -> str:
    """SHA-256 over what the box says; the order of rows and columns, line ends and quoting in the files do not count."""
    canonical: dict[str, Any] = {
        "id": schema.id,
        "strengths": schema.strengths,
        "grid": _grid_facts(schema.grid) if schema.grid else None,
        "tables": {
            name: {
                row.key: {"values": dict(row.values), "sources": {column: str(source) for column, source in row.sources.items()}}
                for row in table
            }
            for name, table in tables.items()
        },
    }
    if schema.zones:
        # Only where a game has them: a box without zones keeps the hash that its records hold.
        canonical["zones"] = {name: getattr(schema.zones, name) for name in ZoneMap.__slots__}
    return hashlib.sha256(json.dumps(canonical, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode("utf-8")).hexdigest()


def _grid_facts(grid: Grid) -> list[object]:
    """The grid's fields in their order. Sheets count only where there are some: records of older games hold hashes from before them."""
    return [getattr(grid, name) for name in Grid.__slots__ if name != "sheets" or grid.sheets]


def bounded(path: Path, most: int = MAX_FILE_BYTES) -> bytes:
    """A file's bytes. Raises OSError when it cannot be read or holds more than ``most``: no file that is given by mistake fills the
    memory."""
    with path.open("rb") as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"more than {most} bytes", str(path))
    return data


def bounded_text(path: Path, encoding: str) -> str:
    """A file's text as ``Path.read_text`` reads it. Raises OSError as ``bounded`` does, and UnicodeDecodeError."""
    return io.TextIOWrapper(io.BytesIO(bounded(path)), encoding).read()


def _read_file(path: Path, shown: str) -> bytes | BoxError:
    try:
        if path.is_dir():
            return BoxError(shown, 1, 1, "this is a folder; allowed: a file")
        return bounded(path)
    except OSError as error:
        if error.errno == errno.EFBIG:
            return BoxError(shown, 1, 1, f"the file is too large; allowed: {MAX_FILE_BYTES} bytes")
        return BoxError(shown, 1, 1, f"cannot be read ({error.strerror}); allowed: a readable file")


def toml_error(shown: str, text: str, error: tomllib.TOMLDecodeError) -> BoxError:
    """What a TOML file has wrong, with its place (the end of the text where the reader names none)."""
    place = re.search(r"line (\d+), column (\d+)", str(error))
    line, column = (int(place[1]), int(place[2])) if place else (text.count("\n") + 1, 1)
    what = re.sub(r"\s*\(at .*\)$", "", str(error), flags=re.DOTALL)
    return BoxError(shown, line, column, f"not readable as TOML: {what}")


# -- game.toml ------------------------------------------------------------------------------------------------------------


def _schema(game: str, shown: str, text: str) -> GameSchema:
    try:
        raw = tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise BoxErrors([toml_error(shown, text, error)]) from None
    reader = _TomlReader(shown, text, raw)
    schema = reader.schema(game)
    if reader.errors or schema is None:
        raise BoxErrors(reader.errors)
    return schema


class _TomlReader:
    """Checks the tree of ``game.toml`` and reports what is wrong with lines found by name."""

    def __init__(self, shown: str, text: str, raw: dict[str, Any]) -> None:
        self.shown = shown
        self.lines = text.splitlines()
        self.raw = raw
        self.errors: list[BoxError] = []

    def report(self, section: str, name: str, message: str) -> None:
        line, column = self.place(section, name)
        self.errors.append(BoxError(self.shown, line, column, message))

    def place(self, section: str, name: str) -> tuple[int, int]:
        """The line and column of a name within a section, else of the section's head, else the top of the file."""
        current, head = "", 0
        for number, text in enumerate(self.lines, start=1):
            stripped = text.strip()
            if stripped.startswith("["):
                current = stripped.strip("[] ")
                if current == section:
                    head = number
            elif current == section and re.match(rf'"?{re.escape(name)}"?\s*=', stripped):
                return number, len(text) - len(text.lstrip()) + 1
        return max(head, 1), 1

    def text(self, tree: dict[str, Any], section: str, name: str, default: str | None = None) -> str:
        value = tree.get(name, default)
        if not isinstance(value, str) or (not value and default is None):
            self.report(section, name, f'`{name}` is missing or no text; allowed: {name} = "..."')
            return ""
        return value

    def words(self, tree: dict[str, Any], section: str, name: str) -> tuple[str, ...]:
        value = tree.get(name)
        if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value) or len(set(value)) != len(value):
            self.report(section, name, f'`{name}` is missing or no list of different texts; allowed: {name} = ["..."]')
            return ()
        return tuple(value)

    def known(self, tree: dict[str, Any], section: str, allowed: Sequence[str]) -> None:
        for name in tree:
            if name not in allowed:
                self.report(section, name, f"`{name}` is unknown; allowed: {', '.join(allowed)}")

    def section(self, name: str) -> dict[str, Any] | None:
        value = self.raw.get(name)
        if value is not None and not isinstance(value, dict):
            self.report("", name, f"`{name}` is no section; allowed: [{name}]")
            return None
        return value

    def schema(self, game: str) -> GameSchema | None:
        self.known(self.raw, "", ("id", "short", "title", "version", "strengths", "pieces", "grid", "zones", "checks", "tables"))
        id_, short, title, version = (self.text(self.raw, "", name) for name in ("id", "short", "title", "version"))
        if id_ and id_ != game:
            self.report("", "id", f"id `{id_}` is not the folder's name; allowed: {game}")
        if short and not re.fullmatch(r"[a-z0-9]{1,8}", short):
            self.report("", "short", f"short `{short}`; allowed: one to eight of a-z and 0-9")
        strengths = self.words(self.raw, "", "strengths") if "strengths" in self.raw else ()
        grid = self.grid()
        tables = self.tables(grid is not None)
        named = self.raw.get("pieces", [])
        pieces = self.words(self.raw, "", "pieces") if isinstance(named, list) and named else (self.text(self.raw, "", "pieces", ""),)
        pieces = tuple(name for name in pieces if name)
        self.pieces(pieces, strengths, tables)
        checks = self.checks(tables)
        zones = self.zones(tables)
        if self.errors:
            return None
        return GameSchema(id_, short, title, version, strengths, grid, pieces, MappingProxyType(tables), checks, zones)

    def checks(self, tables: Mapping[str, TableSchema]) -> Checks:
        tree = self.section("checks")
        if tree is None:
            return Checks()
        self.known(tree, "checks", ("stacking", "uncounted", "alone", "complete", "same_keys", "borders"))
        stacking = tree.get("stacking", 0)
        if not isinstance(stacking, int) or isinstance(stacking, bool) or stacking < 0:
            self.report("checks", "stacking", "`stacking` is no number; allowed: 0 or more")
            stacking = 0
        alone = self.words(tree, "checks", "alone") if "alone" in tree else ()
        complete = self.words(tree, "checks", "complete") if "complete" in tree else ()
        same: list[tuple[str, str]] = []
        for pair in tree.get("same_keys", []):
            if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(name, str) for name in pair):
                self.report("checks", "same_keys", "`same_keys` is no list of pairs of tables")
            else:
                same.append((pair[0], pair[1]))
        for name in (*complete, *(table for pair in same for table in pair)):
            if name not in tables and not self.errors:
                self.report("checks", "complete", f"`{name}` is no table; allowed: {', '.join(tables)}")
        borders: list[Border] = []
        for raw in tree.get("borders", []):
            good = isinstance(raw, dict) and {"feature", "column"} <= set(raw) <= {"feature", "column", "value", "both"}
            features = _texts(raw["feature"]) if good else None
            both = _texts(raw.get("both", [])) if good else None
            if not features or both is None:
                self.report("checks", "borders", "a border needs feature (one or a list) and column; allowed besides: value, both = [..]")
                continue
            borders.append(Border(features, str(raw["column"]), str(raw.get("value", "")), both))
        return Checks(stacking, self.uncounted(tree), alone, complete, tuple(same), tuple(borders))

    def uncounted(self, tree: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
        raw = tree.get("uncounted", {})
        found = {column: _texts(words) for column, words in raw.items()} if isinstance(raw, dict) else {"": None}
        if not all(found.values()):
            self.report("checks", "uncounted", '`uncounted` is no table of values; allowed: uncounted = { COLUMN = ["VALUE"] }')
        return {column: words for column, words in found.items() if words}

    def grid(self) -> Grid | None:
        tree = self.section("grid")
        if tree is None:
            return None
        self.known(tree, "grid", tuple(Grid.__slots__))
        sheets = self.sheets(tree)
        if sheets is None:
            return None
        tree = {**tree, "sheets": sheets}
        if sheets:
            tree.setdefault("columns", sum(columns for _, columns in sheets))
        for name in tree:
            wanted = int if name in ("rows", "columns") else tuple if name == "sheets" else str
            if name in Grid.__slots__ and (not isinstance(tree[name], wanted) or isinstance(tree[name], bool)):
                self.report("grid", name, f"`{name}` is no {'number' if wanted is int else 'text'}")
                return None
        for name in ("rows", "columns"):
            if name not in tree:
                self.report("grid", name, f"`{name}` is missing; allowed: {name} = a number above 0")
                return None
        grid = Grid(**{name: value for name, value in tree.items() if name in Grid.__slots__})
        try:
            geometry.hexes(grid)
        except geometry.GeometryError as error:
            self.report("grid", "", str(error))
            return None
        return grid

    def sheets(self, tree: Mapping[str, Any]) -> tuple[tuple[str, int], ...] | None:
        """The map sheets of ``[grid]``: () when there is one without letters, None when they are wrong."""
        raw = tree.get("sheets", [])
        found: list[tuple[str, int]] = []
        for sheet in raw if isinstance(raw, list) else (None,):
            match sheet:
                case [str(name), int(columns)] if not isinstance(columns, bool):
                    found.append((name, columns))
                case _:
                    self.report("grid", "sheets", '`sheets` is no list of sheets; allowed: sheets = [["A", 21], ["B", 23]]')
                    return None
        return tuple(found)

    def zones(self, tables: Mapping[str, TableSchema]) -> ZoneMap | None:
        tree = self.section("zones")
        if tree is None:
            return None
        before = len(self.errors)
        self.known(tree, "zones", tuple(ZoneMap.__slots__))
        for name in ("width", "height"):
            value = tree.get(name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                self.report("zones", name, f"`{name}` is missing or no number; allowed: {name} = a whole number above 0")
        for name in ("unit", "zones", "outlines", "adjacency"):
            if not isinstance(tree.get(name, ""), str):
                self.report("zones", name, f"`{name}` is no text")
        if not isinstance(tree.get("touching", True), bool):
            self.report("zones", "touching", "`touching` is neither true nor false")
        if len(self.errors) > before:
            return None
        found = ZoneMap(**{name: value for name, value in tree.items() if name in ZoneMap.__slots__})
        if self.errors:
            # What is wrong with the tables is said already.
            return None
        for name in ("zones", "outlines", "adjacency"):
            table = tables.get(getattr(found, name))
            if table is None:
                self.report("zones", name, f"`{getattr(found, name)}` is no table; allowed: {', '.join(tables)}")
            elif (complaint := _zone_table(name, table, found)) is not None:
                self.report(f"tables.{table.name}", "key", complaint)
        return None if self.errors else found

    def tables(self, has_grid: bool) -> dict[str, TableSchema]:
        tree = self.section("tables")
        if not tree:
            self.report("", "tables", "no tables; allowed: [tables.NAME] sections")
            return {}
        found: dict[str, TableSchema] = {}
        for name, raw in tree.items():
            table = self.table(name, raw, has_grid) if isinstance(raw, dict) else None
            if table is None:
                if not isinstance(raw, dict):
                    self.report("tables", name, f"`{name}` is no section; allowed: [tables.{name}]")
                continue
            if any(other.file == table.file for other in found.values()):
                self.report(f"tables.{name}", "file", f"`{table.file}` serves two tables; allowed: one file a table")
            found[name] = table
        for name, table in found.items():
            found[name] = replace(table, orders=MappingProxyType({column: _order(found, table.columns[column]) for column in table.key}))
            for column, kind in table.columns.items():
                for word in _refs(kind):
                    if word not in tree:
                        self.report(f"tables.{name}.columns", column, f"ref to `{word}`, which is no table; allowed: {', '.join(tree)}")
        return found

    def table(self, name: str, raw: dict[str, Any], has_grid: bool) -> TableSchema | None:
        section = f"tables.{name}"
        before = len(self.errors)
        self.known(raw, section, ("title", "file", "key", "pair", "columns"))
        file = self.text(raw, section, "file")
        if file and not re.fullmatch(r"[a-z0-9_-]+\.csv", file):
            self.report(section, "file", f"file `{file}`; allowed: a name of a-z, 0-9, _ and - that ends in .csv, in the game's folder")
        key = self.words(raw, section, "key")
        columns: dict[str, ColumnType] = {}
        tree = raw.get("columns")
        if not isinstance(tree, dict) or not tree:
            self.report(section, "columns", f"no columns; allowed: [{section}.columns]")
            tree = {}
        for column, text in tree.items():
            try:
                if not isinstance(text, str):
                    raise SchemaError(f'`{column}` has no type; allowed: {column} = "text" and so on')
                columns[column] = parse_type(text)
                if not has_grid and any(kind.base in ("hex", "hexes") for kind in columns[column].kinds):
                    raise SchemaError(f"`{column}` holds hexes, but the game has no [grid]")
            except SchemaError as error:
                self.report(f"{section}.columns", column, str(error))
        self.sources(section, columns, len(self.errors) == before)
        for column in key:
            if column in columns and (columns[column].optional or columns[column].many or columns[column].is_source):
                self.report(
                    section, "key", f"key column `{column}` may be empty, a list or a source; allowed: one value that is always there"
                )
            elif columns and column not in columns:
                self.report(section, "key", f"key column `{column}` is no column; allowed: {', '.join(columns)}")
        pair = raw.get("pair")
        if pair is not None and (
            not has_grid
            or not isinstance(pair, list)
            or len(pair) != 2
            or not all(column in columns and columns[column].kinds[0].base == "hex" for column in pair)
        ):
            self.report(section, "pair", "`pair` is not two hex columns of a game with a grid")
        if len(self.errors) > before:
            return None
        return TableSchema(name, file, key, MappingProxyType(columns), tuple(pair) if pair else None, self.text(raw, section, "title", ""))

    def sources(self, section: str, columns: dict[str, ColumnType], complete: bool) -> None:
        served: dict[str, str] = {}
        plain = 0
        for column, kind in columns.items():
            if not kind.is_source:
                continue
            plain += not kind.kinds[0].words
            for word in kind.kinds[0].words:
                if complete and (word not in columns or columns[word].is_source):
                    self.report(f"{section}.columns", column, f"source for `{word}`, which is no column of facts")
                if word in served:
                    self.report(f"{section}.columns", column, f"`{word}` has two sources, also {served[word]}; allowed: one")
                served[word] = column
        if complete and plain != 1:
            self.report(f"{section}.columns", "", f"{plain} columns of plain type source; allowed: exactly one")

    def pieces(self, pieces: tuple[str, ...], strengths: tuple[str, ...], tables: dict[str, TableSchema]) -> None:
        known = [tables[name] for name in pieces if name in tables]
        for name in pieces:
            if name not in tables and not self.errors:
                self.report("", "pieces", f"`{name}` is no table; allowed: {', '.join(tables)}")
        for table in known:
            if len(table.key) != 1 or table.columns[table.key[0]].kinds[0].base != "id":
                self.report(f"tables.{table.name}", "key", "the counters' table is not keyed by one column of type id")
            # One table of counters has every strength; of several, each has those that its counters print.
            needed = ("name", "nation", "side", *(strengths if len(pieces) == 1 else ()))
            for column in needed:
                if column not in table.columns:
                    self.report(
                        f"tables.{table.name}.columns",
                        "",
                        f"the counters' table has no column `{column}`; allowed: name, nation, side and the strengths",
                    )
        for column in strengths:
            if len(pieces) > 1 and not self.errors and not any(column in table.columns for table in known):
                self.report("", "strengths", f"`{column}` is a column of no table of counters ({', '.join(pieces)})")


def _zone_table(part: str, table: TableSchema, zones: ZoneMap) -> str | None:
    """What keeps a table from being the zones, outlines or adjacency of a board; None when nothing does."""
    refers = [_only_refs(table.columns[column]) == {zones.zones} for column in table.key]
    match part:
        case "zones":
            good = len(table.key) == 1 and all(_base(table, column) == "decimal" for column in ("label_x", "label_y"))
            return None if good else "the table of the zones is not keyed by one column, with label_x and label_y of type decimal"
        case "outlines":
            good = refers[0] and _base(table, "points") == "points"
            return None if good else f"the outlines do not begin their key with a ref({zones.zones}), or have no `points` of type points"
        case _:
            good = len(refers) == 2 and all(refers)
            return None if good else f"the adjacency is not keyed by two columns of type ref({zones.zones})"


def _base(table: TableSchema, column: str) -> str:
    """The base of a column that must be filled and has one alternative; empty for any other."""
    kind = table.columns.get(column)
    return kind.kinds[0].base if kind is not None and len(kind.kinds) == 1 and not kind.optional else ""


def _texts(value: object) -> tuple[str, ...] | None:
    """A text or a list of texts as a tuple; None for anything else."""
    words = [value] if isinstance(value, str) else value
    return tuple(words) if isinstance(words, list) and all(isinstance(word, str) and word for word in words) else None


def _order(tables: Mapping[str, TableSchema], kind: ColumnType) -> tuple[str, ...]:
    """The order of a key column's words; () where they sort as texts and numbers."""
    first = kind.kinds[0]
    if first.base == "ref" and len(first.words) == 1 and first.words[0] in tables:
        target = tables[first.words[0]]
        return target.columns[target.key[0]].order if len(target.key) == 1 else ()
    return kind.order


def _refs(kind: ColumnType) -> Iterable[str]:
    for one in kind.kinds:
        if one.base == "ref":
            yield from one.words
        if one.item:
            yield from _refs(one.item)
