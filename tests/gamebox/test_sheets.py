"""Tables as text: whatever delimiter and line end, the same cells, each with its place."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebox.sheets import SheetError, column_of, decode, read_sheet, write_sheet

cells = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=8).map(str.strip)
tables = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(cells, min_size=width, max_size=width).filter(any), min_size=1, max_size=5)
)


@given(tables, st.sampled_from(",;\t"), st.sampled_from(("\n", "\r\n", "\r")), st.booleans(), st.booleans())
def test_every_way_of_saving_gives_the_same_cells(rows: list[list[str]], delimiter: str, end: str, bom: bool, quoted: bool) -> None:
    header = [f"name{at}" for at in range(len(rows[0]))]
    if len(header) == 1:
        delimiter = ","  # a table of one column holds no delimiter that could be told from its cells
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL)
    writer.writerows([header, *rows])
    text, oddities = decode((b"\xef\xbb\xbf" if bom else b"") + out.getvalue().encode("utf-8"))
    sheet = read_sheet(text, header, oddities)
    assert sheet.header.cells == tuple(header)
    assert [list(line.cells) for line in sheet.lines] == rows
    assert [line.number for line in sheet.lines] == list(range(2, 2 + len(rows)))
    assert ("BOM" in sheet.oddities) == bom and ("CRLF" in sheet.oddities) == (end != "\n")
    again = read_sheet(write_sheet(header, rows), header)
    assert again.lines == sheet.lines and not again.oddities


@given(tables)
def test_the_column_of_a_cell_is_where_it_begins(rows: list[list[str]]) -> None:
    header = [f"name{at}" for at in range(len(rows[0]))]
    text = write_sheet(header, rows)
    sheet = read_sheet(text, header)
    for line in sheet.lines:
        physical = text.split("\n")[line.number - 1]
        for at, cell in enumerate(line.cells):
            rest = physical[column_of(sheet, line, at) - 1 :]
            assert rest.startswith((cell, '"' + cell.replace('"', '""')))


def test_a_cell_over_several_lines_keeps_the_numbers_of_the_next_rows() -> None:
    sheet = read_sheet('a,b\n1,"two\nlines"\n3,4\n', ("a", "b"))
    assert [(line.number, line.cells) for line in sheet.lines] == [(2, ("1", "two\nlines")), (4, ("3", "4"))]
    assert column_of(sheet, sheet.lines[0], 1) == 3 and column_of(sheet, sheet.lines[1], 1) == 3


def test_a_spreadsheets_extras_are_left_out() -> None:
    sheet = read_sheet("sep=;\na;b;;\n 1 ;2;;\n;;;\n3;4;;\n", ("a", "b"))
    assert sheet.header.cells == ("a", "b")
    assert [(line.number, line.cells) for line in sheet.lines] == [(3, ("1", "2")), (5, ("3", "4"))]
    assert sheet.oddities == ("sep= line", "delimiter ;", "blank rows", "blanks around cells", "nameless columns")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", (1, 1, "empty")),
        (b" \r\n ", (1, 1, "empty")),
        (b"\xff\xfea\x00", (1, 1, "UTF-16")),
        (b"a,b\r\nx,\xe4\r\n", (2, 3, "byte 0xE4 is not UTF-8")),
        ("a,b\nü,".encode() + b"\xfc\n", (2, 3, "byte 0xFC is not UTF-8")),
        (b"a,b\n1,\x00\n", (2, 3, "NUL")),
    ],
)
def test_bytes_that_are_no_text_are_told_with_their_place(data: bytes, told: tuple[int, int, str]) -> None:
    with pytest.raises(SheetError) as caught:
        decode(data)
    assert (caught.value.line, caught.value.column) == told[:2] and told[2] in caught.value.message
