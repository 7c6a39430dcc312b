"""CSV text as spreadsheets and people write it: decoding, delimiters, cells and where each cell stands. Pure.

``decode`` turns bytes into text (UTF-8, with or without BOM), ``read_sheet`` text into a :class:`Sheet`,
``write_sheet`` writes the one form that our own files have (comma, LF, minimal quotes).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

DELIMITERS = ",;\t"
MAX_FIELD = 131_072
"""Characters in one cell; the csv module's own limit."""


class SheetError(ValueError):
    """The text is no table at all: ``line`` and ``column`` (both from 1) say where."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.column = column
        self.message = message


@dataclass(frozen=True, slots=True)
class Line:
    """One record: the number of its first physical line (from 1), and its cells without surrounding blanks."""

    number: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of texts. ``oddities`` names what ``modgen fmt`` would repair: BOM, CRLF, delimiter, blanks."""

    header: Line
    lines: tuple[Line, ...]
    delimiter: str
    oddities: tuple[str, ...]
    physical: tuple[str, ...]
    """The physical lines, for :func:`column_of`."""


def decode(data: bytes) -> tuple[str, tuple[str, ...]]:
    """The text of a file and what is odd about its bytes (``BOM``).

    Raises SheetError at the first byte that is not UTF-8.
    """
    if not data.strip():
        raise SheetError(1, 1, "the file is empty; allowed: a header line and rows")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise SheetError(1, 1, "the file is UTF-16; save it as `CSV UTF-8`")
    oddities: tuple[str, ...] = ()
    if data.startswith(b"\xef\xbb\xbf"):
        data, oddities = data[3:], ("BOM",)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        line = before.count(b"\n") + 1
        column = len(before.rpartition(b"\n")[2].decode("utf-8", "replace")) + 1
        raise SheetError(line, column, f"byte 0x{data[error.start]:02X} is not UTF-8; save the file as `CSV UTF-8`") from None
    nul = text.find("\0")
    if nul >= 0:
        line = text.count("\n", 0, nul) + 1
        raise SheetError(line, nul - text.rfind("\n", 0, nul), "a NUL character; this is not a text file")
    return text, oddities


def read_sheet(text: str, columns: Iterable[str] = (), oddities: tuple[str, ...] = ()) -> Sheet:
    """Splits text into cells. ``columns`` are the names expected in the header: they decide between ``,`` ``;`` and tab.

    Blank rows (also ``,,,``) are left out, as are nameless columns that a spreadsheet appends. Raises SheetError.
    """
    notes = list(oddities)
    if "\r" in text:
        notes.append("CRLF")
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    skip = 0
    if text[:4].lower() == "sep=" and "\n" in text:
        # A spreadsheet's own hint about the delimiter; never part of the table.
        notes.append("sep= line")
        skip = 1
        text = text.partition("\n")[2]
    delimiter = _delimiter(text, frozenset(columns))
    if delimiter != ",":
        notes.append("delimiter " + ("tab" if delimiter == "\t" else delimiter))
    records: list[Line] = []
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, strict=True)
    before = 0
    blanks = False
    try:
        for cells in reader:
            stripped = tuple(cell.strip() for cell in cells)
            blanks = blanks or list(stripped) != cells
            if any(stripped):
                records.append(Line(before + 1 + skip, stripped))
            elif before:
                notes.append("blank rows")
            before = reader.line_num
    except csv.Error as error:
        raise SheetError(
            before + 1 + skip, 1, f"not readable as CSV ({error}); allowed: cells in double quotes, a quote inside doubled"
        ) from None
    if not records:
        raise SheetError(1, 1, "the file is empty; allowed: a header line and rows")
    if blanks:
        notes.append("blanks around cells")
    header = records[0].cells
    width = len(header)
    while width and not header[width - 1]:
        width -= 1
    if width < len(header):
        notes.append("nameless columns")
    head = Line(records[0].number, header[:width])
    lines = tuple(Line(line.number, _cut(line.cells, width)) for line in records[1:])
    return Sheet(head, lines, delimiter, tuple(dict.fromkeys(notes)), ("",) * skip + tuple(text.split("\n")))


def column_of(sheet: Sheet, line: Line, index: int) -> int:
    """The column (in characters, from 1) where cell ``index`` of this record begins, opening quote included.

    A cell that begins on a later physical line of its record counts from there.
    """
    column, quoted, cell = 1, False, 0
    number = line.number
    while number <= len(sheet.physical):
        text = sheet.physical[number - 1]
        for at, char in enumerate(text):
            if cell == index:
                return column
            if char == '"':
                quoted = not quoted
            elif char == sheet.delimiter and not quoted:
                cell += 1
                column = at + 2
        if not quoted:
            break
        number += 1
    return column


def write_sheet(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """The table in our own form: commas, LF, quotes only where needed."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()


def _cut(cells: tuple[str, ...], width: int) -> tuple[str, ...]:
    """Cells beyond the header's width go when they are empty; the loader reports them when not."""
    while len(cells) > width and not cells[-1]:
        cells = cells[:-1]
    return cells


def _delimiter(text: str, columns: frozenset[str]) -> str:
    first = next((line for line in text.split("\n") if line.strip()), "")

    def score(delimiter: str) -> tuple[int, int]:
        names = [name.strip().strip('"') for name in first.split(delimiter)]
        return sum(name in columns for name in names), len(names)

    return max(DELIMITERS, key=lambda d: (*score(d), -DELIMITERS.index(d)))
