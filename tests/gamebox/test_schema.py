"""Types of columns, and the way back from what spreadsheets do to cells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebox.geometry import hexes
from gamebox.model import Grid
from gamebox.schema import CellError, SchemaError, Scope, damage, looks_like_date, parse_type, read_cell, read_source, restored

GRID = Scope(
    frozenset(hexes(Grid(39, 26)).names), {"units": frozenset(("su-1", "1")), "turns": frozenset(("1", "2"))}, frozenset(("turns",))
)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("text", "Essen (Ruhr)", "Essen (Ruhr)"),
        ("text?", "", None),
        ("int", "-3", -3),
        ("int(1..6)", "6", 6),
        ("int(0..)", "0", 0),
        ("flag", "1", 1),
        ("flag?", "", None),
        ("value", "8", 8),
        ("value", "1:3", "1:3"),
        ("value", "08", "08"),
        ("decimal", "48.242", "48.242"),
        ("hex", "0101", "0101"),
        ("hexes", "0101 3926", ("0101", "3926")),
        ("hexes?", "", ()),
        ("id", "su-1-balt", "su-1-balt"),
        ("colour", "#00ff7f", "#00ff7f"),
        ("enum(1:3, 1:2)", "1:2", "1:2"),
        ("ref(units)", "su-1", "su-1"),
        ("ref(turns)", "2", 2),
        ("ref(units, turns)", "su-1", "su-1"),
        ("ref(gone)", "anything", "anything"),
        ("ref(units) | enum(all)", "all", "all"),
        ("list", "Off Map;Out of play", ("Off Map", "Out of play")),
        ("list(int(1..3))?", "", ()),
        ("list(ref(units) | enum(all))", "su-1;all", ("su-1", "all")),
        ("source", "rulebook 6.1", "rulebook 6.1"),
    ],
)
def test_a_cell_is_read_by_its_type(kind: str, text: str, value: object) -> None:
    assert read_cell(parse_type(kind), text, GRID) == value


@pytest.mark.parametrize(
    ("kind", "text", "told"),
    [
        ("text", "", "is empty; allowed: text"),
        ("int", "x", "`x` is not allowed; allowed: a whole number"),
        ("int", "007", "`007` is written with needless zeros; write 7"),
        ("int(1..6)", "7", "`7` is not allowed; allowed: a whole number from 1 to 6"),
        ("int(..6)?", "7", "`7` is not allowed; allowed: a whole number up to 6 or empty"),
        ("hex", "4001", "`4001` is not allowed; allowed: a hex of the grid"),
        ("hexes", "0101 101 0102", "`101`: a spreadsheet dropped the leading zero; write 0101 (and format the column as text)"),
        ("hexes", "0101 0101", "`0101` stands twice in the list; allowed: each item once"),
        ("colour", "#FFF", "`#FFF` is not allowed; allowed: a colour as #rrggbb in lower case"),
        ("ref(units) | enum(all)", "none", "`none` is not allowed; allowed: a key of units or all"),
        ("list", "a;;b", "an item is empty; allowed: text"),
        ("list(flag)", "1;2", "`2` is not allowed; allowed: 1 or 0"),
        ("decimal", "48,242", "`48,242` is not allowed; allowed: a number with a decimal point"),
        ("enum(4-8, 8-4)", "04-Aug", "`04-Aug`: a spreadsheet made a date of it; write 4-8 or 8-4 (and format the column as text)"),
        ("enum(5-4-6)", "2005-04-06", "`2005-04-06` is not allowed; allowed: 5-4-6"),
        (
            "source",
            "book",
            "`book` is no kind of source; allowed: rulebook, derived, reconstructed, owner, then the sections or the reason",
        ),
        ("text", "y" * 200 + "=", None),
        ("enum(a)", "y" * 200, "`" + "y" * 77 + "...` is not allowed; allowed: a"),
    ],
)
def test_a_wrong_cell_is_told_with_what_is_allowed(kind: str, text: str, told: str | None) -> None:
    if told is None:
        assert read_cell(parse_type(kind), text, GRID) == text
        return
    with pytest.raises(CellError) as caught:
        read_cell(parse_type(kind), text, GRID)
    assert str(caught.value) == told


@pytest.mark.parametrize(
    ("kind", "text", "was"),
    [
        ("hex", "112", "0112"),
        ("hex", "112.0", "0112"),
        ("hex", "1.12E+02", "0112"),
        ("hex", "'0112", "0112"),
        ("hex", '="0112"', "0112"),
        ("enum(1:3, 6:1)", "01:03", "1:3"),
        ("enum(1:3, 6:1)", "6:01:00 AM", "6:1"),
        ("int", "1.0", "1"),
        ("int", "1,0", "1"),
        ("int(0..9)", "5.00", "5"),
        ("flag", "TRUE", "1"),
        ("flag", "FALSCH", "0"),
        ("enum(4-8)", "04-Aug", "4-8"),
        ("enum(4-8)", "Aug-04", "4-8"),
        ("enum(4-8)", "4. Aug", "4-8"),
        ("enum(8-4)", "04.08.2026", "8-4"),
        ("enum(5.1, 6.1)", "05. Jan", "5.1"),
        ("enum(5.2.1)", "2001-02-05", "5.2.1"),
        ("ref(units)", "1.0", "1"),
        # Allowed as it stands, or more than one way back: nothing is certain.
        ("hex", "0112", None),
        ("enum(4-8, 8-4)", "04-Aug", None),
        ("text", "04-Aug", None),
        ("value", "1.0", None),
        ("hex", "9999", None),
        ("int", "abc", None),
    ],
)
def test_what_a_spreadsheet_did_is_undone_only_when_one_way_back_is_allowed(kind: str, text: str, was: str | None) -> None:
    found = restored(parse_type(kind), text, GRID)
    assert (found[0] if found else None) == was


@given(st.integers(1, 39), st.integers(1, 26))
def test_every_hex_that_lost_its_zero_comes_back(row: int, column: int) -> None:
    name = f"{row:02}{column:02}"
    lost = str(int(name))
    if lost != name:
        assert restored(parse_type("hex"), lost, GRID) == (name, "a spreadsheet dropped the leading zero")


@given(st.sampled_from(hexes(Grid(32, 44, "RRCC", "north", "east", "pointy", "odd-east", (("E", 21), ("MAI", 23)))).names))
def test_a_hex_with_its_sheets_letters_is_nothing_that_a_spreadsheet_changes(name: str) -> None:
    assert not list(damage(name)) and not looks_like_date(name)
    assert read_cell(parse_type("text"), name, GRID) == name


@given(st.integers(1, 9), st.integers(1, 9))
def test_every_ratio_that_became_a_time_comes_back(a: int, b: int) -> None:
    found = restored(parse_type(f"enum({a}:{b})"), f"{a:02}:{b:02}", GRID)
    assert found == (f"{a}:{b}", "a spreadsheet made a time of it")


@given(st.text(max_size=30))
def test_reading_any_text_gives_a_value_or_a_cell_error(text: str) -> None:
    for kind in ("text", "int", "flag", "value", "decimal", "hex", "hexes", "id", "colour", "enum(a)", "ref(units)", "list(hex)", "source"):
        try:
            read_cell(parse_type(kind), text, GRID)
        except CellError as error:
            assert "allowed" in str(error) or "write" in str(error)


@pytest.mark.parametrize("text", ["Dec II 1944", "Aug", "4-8", "1:3", "2 Tk", "May Day parade", "1 Pol C", "8 US", "3 Mai x"])
def test_names_and_dates_of_our_own_are_no_spreadsheets_dates(text: str) -> None:
    assert not looks_like_date(text)


def test_sources_have_a_kind_and_a_reason() -> None:
    source = read_source("derived 5.2 7.2, the set-up")
    assert (str(source.kind), source.text, source.certain, str(source)) == (
        "derived",
        "5.2 7.2, the set-up",
        True,
        "derived 5.2 7.2, the set-up",
    )
    assert not read_source("reconstructed our choice").certain
    for text in ("", "rulebook", "Rulebook 6.1", "printed 6.1", "rulebook6.1"):
        with pytest.raises(CellError):
            read_source(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "texts",
        "enum",
        "ref",
        "enum()",
        "enum(a,)",
        "enum(a, a)",
        "int(6)",
        "int(a..b)",
        "text(3)",
        "list(list)",
        "list(source)",
        "hex hex",
        "hex | list",
        "ref(a",
        "hex ?x",
    ],
)
def test_a_type_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(SchemaError):
        parse_type(text)
