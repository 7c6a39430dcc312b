"""``modgen fmt``: puts a game's files into their one form and repairs what can be repaired without a doubt.

Repaired: BOM, CRLF, semicolons or tabs as delimiter, blanks around cells, blank rows, the order of rows and columns, and cells
that a spreadsheet changed where only one way back is allowed (0112 turned into 112, 1:3 into a time, 1 into 1.0). What needs a
decision is left as it is and named by ``modgen check``. Files are written beside and renamed; an unreadable one is not touched.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from gamebox.geometry import hexes
from gamebox.load import GAME_FILE, BoxError, GameSchema, TableSchema, bounded, canonical_rows, data_root, load_schema
from gamebox.schema import ColumnType, Scope, restored
from gamebox.sheets import Line, Sheet, SheetError, column_of, decode, read_sheet
from modgen.formats.vassal.archive import write_file

_ROUNDS = 5
"""Keys restored in one table make references in the next one certain; no game chains more tables than this."""


@dataclass(frozen=True, slots=True)
class Repair:
    """What ``fmt`` did to one file, or would do."""

    file: str
    """``<game>/<file>``."""
    what: tuple[str, ...]
    cells: tuple[BoxError, ...] = ()
    """Cells that were restored, each with its place and what it was."""


@dataclass(frozen=True, slots=True)
class Formatted:
    """The outcome of ``fmt``: files that changed, and errors that kept a file from being read."""

    repairs: tuple[Repair, ...]
    errors: tuple[BoxError, ...]


def fmt(game: str, root: Path | None = None, *, write: bool = True) -> Formatted:
    """Brings the files of a game into form; with ``write`` off only says what it would do.

    Raises BoxErrors when ``game.toml`` itself is wrong.
    """
    schema = load_schema(game, root)
    folder = (root or data_root()) / game
    errors: list[BoxError] = []
    sheets: dict[str, Sheet] = {}
    before: dict[str, bytes] = {}
    for table in schema.tables.values():
        path = folder / table.file
        shown = f"{game}/{table.file}"
        try:
            before[table.name] = bounded(path)
            text, oddities = decode(before[table.name])
            sheet = read_sheet(text, table.columns, oddities)
            _whole(sheet)
            sheets[table.name] = sheet
        except SheetError as error:
            errors.append(BoxError(shown, error.line, error.column, error.message))
        except OSError as error:
            errors.append(BoxError(shown, 1, 1, f"cannot be read ({error.strerror}); allowed: a table"))
    cells = _restore(schema, sheets, game)
    repairs: list[Repair] = []
    for name, sheet in sheets.items():
        table = schema.tables[name]
        after = canonical_rows(table, sheet).encode("utf-8")
        if after == before[name]:
            continue
        what = list(sheet.oddities)
        if _unsorted(table, sheet):
            what.append("order")
        if cells[name]:
            what.append(f"{len(cells[name])} cells")
        repairs.append(Repair(f"{game}/{table.file}", tuple(what or ["quotes and line ends"]), tuple(cells[name])))
        if write:
            write_file(folder / table.file, after)
    repairs += _toml(folder, game, write)
    return Formatted(tuple(sorted(repairs, key=lambda repair: repair.file)), tuple(sorted(errors)))


def text(result: Formatted, *, write: bool) -> str:
    """The outcome for a reader."""
    done = "repaired" if write else "would repair"
    out: list[str] = []
    for repair in result.repairs:
        out.append(f"{repair.file}: {done} {', '.join(repair.what)}")
        out += [f"    {cell}" for cell in repair.cells]
    if not result.repairs and not result.errors:
        out.append("nothing to do")
    return "".join(f"{line}\n" for line in out)


def _whole(sheet: Sheet) -> None:
    """Raises SheetError where cells cannot be told apart: repeated names in the header, rows of another width."""
    names = sheet.header.cells
    for at, name in enumerate(names):
        if name in names[:at]:
            raise SheetError(sheet.header.number, column_of(sheet, sheet.header, at), f"column `{name}` is here twice; allowed: once")
    for line in sheet.lines:
        if len(line.cells) != len(names):
            column = column_of(sheet, line, min(len(line.cells), len(names)))
            raise SheetError(line.number, column, f"the row has {len(line.cells)} cells; allowed: {len(names)}, as the header")


def _restore(schema: GameSchema, sheets: dict[str, Sheet], game: str) -> dict[str, list[BoxError]]:
    """Undoes a spreadsheet's damage in all sheets, in place; what was done, table by table."""
    done: dict[str, list[BoxError]] = {name: [] for name in sheets}
    grid = frozenset(hexes(schema.grid).names) if schema.grid else None
    for _ in range(_ROUNDS):
        scope = Scope(grid, {name: _keys(schema.tables[name], sheet) for name, sheet in sheets.items()})
        changed = False
        for name, sheet in sheets.items():
            table = schema.tables[name]
            lines: list[Line] = []
            for line in sheet.lines:
                cells = list(line.cells)
                for at, column in enumerate(sheet.header.cells):
                    kind = table.columns.get(column)
                    found = _back(kind, cells[at], scope) if kind is not None and cells[at] else None
                    if found is not None:
                        was, what = found
                        place = column_of(sheet, line, at)
                        done[name].append(
                            BoxError(f"{game}/{table.file}", line.number, place, f"{column} `{cells[at]}`: {what}; now {was}")
                        )
                        cells[at] = was
                lines.append(Line(line.number, tuple(cells)))
            if tuple(lines) != sheet.lines:
                sheets[name] = replace(sheet, lines=tuple(lines))
                changed = True
        if not changed:
            break
    return {name: sorted(found) for name, found in done.items()}


def _back(kind: ColumnType, cell: str, scope: Scope) -> tuple[str, str] | None:
    """What the cell was, when that is certain and it is not allowed as it stands."""
    first = kind.kinds[0]
    if first.base in ("list", "hexes"):
        item = first.item if first.base == "list" else ColumnType((replace(first, base="hex"),))
        if item is None:
            return None
        mark = ";" if first.base == "list" else " "
        parts = [part.strip() for part in (cell.split(";") if first.base == "list" else cell.split())]
        found = [_back(item, part, scope) for part in parts]
        told = next((back[1] for back in found if back is not None), None)
        if told is None:
            return None
        return mark.join(back[0] if back is not None else part for back, part in zip(found, parts, strict=True)), told
    return restored(kind, cell, scope)


def _keys(table: TableSchema, sheet: Sheet) -> frozenset[str]:
    if any(column not in sheet.header.cells for column in table.key):
        return frozenset()
    at = [sheet.header.cells.index(column) for column in table.key]
    return frozenset("|".join(line.cells[index] for index in at) for line in sheet.lines)


def _unsorted(table: TableSchema, sheet: Sheet) -> bool:
    names = sheet.header.cells
    keys = [table.sort_key(dict(zip(names, line.cells, strict=True))) for line in sheet.lines]
    return keys != sorted(keys)


def _toml(folder: Path, game: str, write: bool) -> list[Repair]:
    """``game.toml`` keeps its words and loses only a BOM and carriage returns."""
    path = folder / GAME_FILE
    before = bounded(path)
    content, oddities = decode(before)
    after = content.replace("\r\n", "\n").encode("utf-8")
    if after == before:
        return []
    if write:
        write_file(path, after)
    return [Repair(f"{game}/{GAME_FILE}", (*oddities, *(("CRLF",) if "\r\n" in content else ())))]
