"""Hexes by their printed names in every numbering, orientation and stagger; zones as polygons."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamebox.geometry import FLAT, POINTY, GeometryError, Hexes, Zones, hexes
from gamebox.model import Grid

PRINTED = Grid(rows=39, columns=26)
SHEETS = ((), ("A",), ("A", "B"), ("North", "B", "C"))
JOINED = Grid(rows=32, columns=44, rows_from="north", columns_from="east", stagger="odd-east", sheets=(("A", 21), ("B", 23)))
NUMBERINGS = ("RRCC", "CCRR", "RR.CC", "C-R", "xRRRyCCC", "CCCRR", "R.CC")


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    orientation = draw(st.sampled_from(("pointy", "flat")))
    sides = ("west", "east") if orientation == "pointy" else ("north", "south")
    sheets = tuple(zip(draw(st.sampled_from(SHEETS)), draw(st.lists(st.integers(1, 6), min_size=3, max_size=3)), strict=False))
    return Grid(
        rows=draw(st.integers(1, 12)),
        columns=sum(columns for _, columns in sheets) or draw(st.integers(1, 12)),
        numbering=draw(st.sampled_from(NUMBERINGS)),
        rows_from=draw(st.sampled_from(("south", "north"))),
        columns_from=draw(st.sampled_from(("west", "east"))),
        orientation=orientation,
        stagger=f"{draw(st.sampled_from(('odd', 'even')))}-{draw(st.sampled_from(sides))}",
        sheets=sheets,
    )


@st.composite
def grids_and_hexes(draw: st.DrawFn, count: int) -> tuple[Hexes, tuple[str, ...]]:
    board = hexes(draw(grids()))
    return board, tuple(draw(st.sampled_from(board.names)) for _ in range(count))


sizes = st.one_of(st.floats(1, 500), st.tuples(st.floats(1, 500), st.floats(1, 500)))
origins = st.tuples(st.floats(-1e4, 1e4), st.floats(-1e4, 1e4))


def test_the_neighbours_of_a_printed_hex() -> None:
    board = hexes(PRINTED)
    assert len(board) == 1014
    assert sorted(board.neighbours("2105")) == ["2004", "2005", "2104", "2106", "2204", "2205"]


def test_neighbours_follow_the_parity_of_the_printed_row() -> None:
    board = hexes(PRINTED)
    for name in board.names:
        r, c = int(name[:2]), int(name[2:])
        shifts = (-1, 0) if r % 2 else (0, 1)
        near = {(r, c - 1), (r, c + 1), *((r + d, c + s) for d in (-1, 1) for s in shifts)}
        expected = sorted(f"{a:02}{b:02}" for a, b in near if 1 <= a <= 39 and 1 <= b <= 26)
        assert sorted(board.neighbours(name)) == expected


def test_the_same_parity_rule_holds_for_rows_from_the_north_and_columns_from_the_east() -> None:
    # A map that counts the other way round, with odd rows half a hex further east, touches by the same arithmetic.
    board = hexes(Grid(rows=31, columns=22, rows_from="north", columns_from="east", stagger="odd-east"))
    assert sorted(board.neighbours("0305")) == ["0204", "0205", "0304", "0306", "0404", "0405"]
    assert sorted(board.neighbours("0405")) == ["0305", "0306", "0404", "0406", "0505", "0506"]
    x, y = board.centre("0101", 10)
    assert x > board.centre("0102", 10)[0] and y == board.centre("0102", 10)[1]


def test_north_is_up_and_west_is_left_on_the_printed_map() -> None:
    board = hexes(PRINTED)
    assert board.centre("3901", 38, (30, 32)) == (30, 32)
    assert board.centre("3902", 38, (30, 32)) == (68, 32)
    assert board.centre("3801", 38, (30, 32)) == pytest.approx((49, 32 + 38 * math.sqrt(3) / 2))
    assert board.centre("0126", (38, 44), (30, 32)) == (30 + 25 * 38, 32 + 38 * 44)
    assert board.step("2105", "e") == "2106" and board.step("2105", "nw") == "2204" and board.step("2105", "se") == "2005"


@pytest.mark.parametrize(
    ("a", "b", "steps"), [("3723", "3725", 2), ("3723", "3825", 3), ("3723", "3824", 2), ("2105", "2105", 0), ("0101", "3926", 44)]
)
def test_distances_on_the_printed_map(a: str, b: str, steps: int) -> None:
    assert hexes(PRINTED).distance(a, b) == steps


def test_flat_hexes_touch_north_and_south() -> None:
    board = hexes(Grid(rows=4, columns=4, numbering="CCRR", rows_from="north", orientation="flat", stagger="even-south"))
    assert board.step("0202", "n") == "0201" and board.step("0202", "s") == "0203"
    assert board.neighbours("0202") == ("0201", "0302", "0303", "0203", "0103", "0102")
    assert board.neighbours("0101") == ("0201", "0102")


@given(grids_and_hexes(1))
def test_a_name_gives_its_numbers_and_back(case: tuple[Hexes, tuple[str]]) -> None:
    board, (name,) = case
    row, column = board.row_column(name)
    assert board.name(row, column) == name
    assert len(set(board.names)) == len(board) == board.grid.rows * board.grid.columns


@given(grids_and_hexes(1))
def test_a_name_is_its_sheet_and_its_number_on_that_sheet(case: tuple[Hexes, tuple[str]]) -> None:
    board, (name,) = case
    grid, sheet = board.grid, board.sheet(name)
    row, column = board.row_column(name)
    if not grid.sheets:
        assert sheet == "" and not board.sheet_columns
        return
    before = 0
    for letters, columns in grid.sheets:
        assert board.sheet_columns[letters] == range(before + 1, before + columns + 1)
        if letters == sheet:
            # The numbers are those that the sheet would print if it lay alone, whatever lies beside it.
            alone = hexes(Grid(99, 6, grid.numbering, grid.rows_from, grid.columns_from, grid.orientation, grid.stagger))
            number = alone.name(row, column - before)
            assert name == sheet + number
        before += columns
    assert column in board.sheet_columns[sheet]


@given(grids())
def test_sheets_are_named_one_after_the_other(grid: Grid) -> None:
    board = hexes(grid)
    letters = [board.sheet(name) for name in board.names]
    assert letters == [letter for letter, columns in grid.sheets for _ in range(columns * grid.rows)] or not grid.sheets


def test_two_sheets_join_into_one_map() -> None:
    board = hexes(JOINED)
    assert len(board) == 1408 and (board.names[0], board.names[-1]) == ("A0101", "B3223")
    assert board.names[671:673] == ("A3221", "B0101")
    assert board.row_column("A0121") == (1, 21) and board.row_column("B0101") == (1, 22) and board.name(32, 44) == "B3223"
    assert board.sheet("A3221") == "A" and board.sheet("B3201") == "B"
    assert board.step("A1621", "w") == "B1601" and board.distance("A1601", "B1601") == 21
    assert board.hexside("B0101", "A0121") == ("A0121", "B0101")
    assert board.line("A1620", "B1602") == ("A1620", "A1621", "B1601", "B1602")
    assert board.hex_at(*board.centre("B0323", 40, (9, 9)), 40, (9, 9)) == "B0323"
    assert board.centre("B0223", 40) == (-20, pytest.approx(40 * math.sqrt(3) / 2)), "even rows lie half a hex further west"
    with pytest.raises(GeometryError, match="allowed: A0101 to B3223"):
        board.neighbours("A0122")


def test_neighbours_over_the_join_follow_the_parity_of_the_row() -> None:
    board = hexes(JOINED)
    for row in range(1, 33):
        here, shifts = f"A{row:02}21", (-1, 0) if row % 2 else (0, 1)
        # Column 22 of the joined grid is the first of the second sheet.
        beyond = {f"B{r:02}01" for r in (row - 1, row + 1) if shifts[1] == 1 and 1 <= r <= 32} | {f"B{row:02}01"}
        assert {name for name in board.neighbours(here) if board.sheet(name) == "B"} == beyond


def test_names_run_by_the_printed_number() -> None:
    by_row = hexes(Grid(rows=2, columns=3))
    assert by_row.names == ("0101", "0102", "0103", "0201", "0202", "0203")
    by_column = hexes(Grid(rows=2, columns=3, numbering="C.R"))
    assert by_column.names == ("1.1", "1.2", "2.1", "2.2", "3.1", "3.2")
    assert by_column.hexside("2.1", "1.2") == ("1.2", "2.1")


@given(grids_and_hexes(1))
def test_neighbours_are_mutual_and_in_opposite_directions(case: tuple[Hexes, tuple[str]]) -> None:
    board, (name,) = case
    near = board.neighbours(name)
    assert len(near) == len(set(near)) <= 6 and name not in near
    for other in near:
        assert name in board.neighbours(other)
        assert board.adjacent(name, other) and board.distance(name, other) == 1
        way = board.direction(name, other)
        assert way is not None and board.step(name, way) == other
        back = board.direction(other, name)
        assert back == board.directions[(board.directions.index(way) + 3) % 6]
        assert board.hexside(name, other) == board.hexside(other, name)
    assert near == tuple(found for way in board.directions if (found := board.step(name, way)) is not None)


@given(grids_and_hexes(3))
def test_distance_is_a_metric(case: tuple[Hexes, tuple[str, str, str]]) -> None:
    board, (a, b, c) = case
    assert board.distance(a, b) == board.distance(b, a)
    assert (board.distance(a, b) == 0) == (a == b)
    assert board.distance(a, c) <= board.distance(a, b) + board.distance(b, c)


@given(grids_and_hexes(1), st.integers(0, 4))
def test_within_is_what_the_distance_says(case: tuple[Hexes, tuple[str]], radius: int) -> None:
    board, (name,) = case
    assert board.within(name, radius) == tuple(other for other in board.names if board.distance(name, other) <= radius)


@given(grids_and_hexes(2))
def test_a_line_is_as_short_as_can_be_and_the_same_both_ways(case: tuple[Hexes, tuple[str, str]]) -> None:
    board, (a, b) = case
    line = board.line(a, b)
    assert (line[0], line[-1], len(line)) == (a, b, board.distance(a, b) + 1)
    assert all(board.adjacent(one, other) for one, other in pairwise(line))
    assert tuple(reversed(board.line(b, a))) == line


@given(grids_and_hexes(2), sizes)
def test_a_line_runs_under_the_straight_one(case: tuple[Hexes, tuple[str, str]], size: float | tuple[float, float]) -> None:
    board, (a, b) = case
    (ax, ay), (bx, by) = board.centre(a, 2.0), board.centre(b, 2.0)
    n = board.distance(a, b)
    for k, name in enumerate(board.line(a, b)):
        x, y = board.centre(name, 2.0)
        px, py = (ax + (bx - ax) * k / n, ay + (by - ay) * k / n) if n else (ax, ay)
        assert math.hypot(px - x, py - y) <= 2 / math.sqrt(3) + 1e-6


@given(grids_and_hexes(1), sizes, origins)
def test_a_centre_lies_in_its_hex(case: tuple[Hexes, tuple[str]], size: float | tuple[float, float], origin: tuple[float, float]) -> None:
    board, (name,) = case
    x, y = board.centre(name, size, origin)
    assert board.hex_at(x, y, size, origin) == name


@given(grids_and_hexes(1), st.floats(0, 2 * math.pi), st.floats(0, 0.99), st.floats(1, 500), origins)
def test_every_pixel_within_the_inner_circle_is_the_hexs(
    case: tuple[Hexes, tuple[str]], angle: float, part: float, size: float, origin: tuple[float, float]
) -> None:
    board, (name,) = case
    x, y = board.centre(name, size, origin)
    r = part * size / 2
    assert board.hex_at(x + r * math.cos(angle), y + r * math.sin(angle), size, origin) == name


@given(grids(), st.floats(0, 1), st.floats(0, 1), st.floats(1, 500))
def test_a_pixel_belongs_to_the_nearest_centre_or_to_nobody(grid: Grid, across: float, down: float, size: float) -> None:
    board = hexes(grid)
    left, top, right, bottom = board.bounds(size)
    x, y = left + (right - left) * across, top + (bottom - top) * down
    away = {name: math.dist((x, y), board.centre(name, size)) for name in board.names}
    found = board.hex_at(x, y, size)
    if found is not None:
        assert away[found] <= min(away.values()) + size * 1e-9
    else:
        assert min(away.values()) >= size / 2 * (1 - 1e-9)


@given(grids_and_hexes(1), sizes, origins)
def test_neighbours_share_two_corners(
    case: tuple[Hexes, tuple[str]], size: float | tuple[float, float], origin: tuple[float, float]
) -> None:
    board, (name,) = case
    along = size[0] if isinstance(size, tuple) else size
    mine = board.corners(name, size, origin)
    assert len(set(mine)) == 6
    for other in board.neighbours(name):
        theirs = board.corners(other, size, origin)
        shared = [a for a in mine if any(math.dist(a, b) < along * 1e-3 + 1e-6 for b in theirs)]
        assert len(shared) >= 2


@given(grids())
def test_the_corner_of_the_map_stands_at_the_origin(grid: Grid) -> None:
    board = hexes(grid)
    row = grid.rows if grid.rows_from == "south" else 1
    column = 1 if grid.columns_from == "west" else grid.columns
    assert board.centre(board.name(row, column), 10, (3, 4)) == (3, 4)


@settings(max_examples=20)
@given(grids(), st.sampled_from((math.nan, math.inf, -math.inf, 1e300)))
def test_pixels_from_nowhere_are_no_hex(grid: Grid, value: float) -> None:
    assert hexes(grid).hex_at(value, 0, 10) is None
    assert hexes(grid).hex_at(0, value, 10) is None


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"numbering": "RR"}, "one run of R and one of C"),
        ({"numbering": "RRCRR"}, "one run of R and one of C"),
        ({"numbering": "RC"}, "has 1 digits where 39 must fit"),
        ({"numbering": "R|C"}, "anything but digits, blanks"),
        ({"numbering": "RR{CC"}, "anything but digits, blanks"),
        ({"rows": 0}, "allowed: 1 or more of each"),
        ({"rows": 100}, "has 2 digits where 100 must fit"),
        ({"stagger": "odd-north"}, "odd-west, odd-east, even-west, even-east"),
        ({"orientation": "flat"}, "odd-north, odd-south, even-north, even-south"),
        ({"orientation": "round"}, "pointy, flat"),
        ({"rows_from": "west"}, "south, north"),
        ({"sheets": (("A", 12), ("B", 12))}, "26 columns; allowed: the sum of the sheets', 24"),
        ({"sheets": (("A", 13), ("a", 13))}, "different letters for each"),
        ({"sheets": (("A1", 26),)}, "sheet `A1` with 26 columns; allowed: letters"),
        ({"sheets": (("A", 26), ("B", 0))}, "sheet `B` with 0 columns; allowed: letters, and 1 column or more"),
    ],
)
def test_a_grid_that_cannot_be_is_refused(changed: dict[str, object], told: str) -> None:
    fields = {"rows": 39, "columns": 26, **changed}
    with pytest.raises(GeometryError, match=told.replace("|", r"\|")):
        Hexes(Grid(**fields))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["0000", "4001", "0127", "105", "", "2105 ", "A105"])
def test_a_name_off_the_map_is_refused_with_what_is_allowed(name: str) -> None:
    board = hexes(PRINTED)
    assert name not in board
    for call in (lambda: board.neighbours(name), lambda: board.distance("0101", name), lambda: board.centre(name, 10)):
        with pytest.raises(GeometryError, match="allowed: 0101 to 3926"):
            call()


def test_hexes_that_do_not_touch_have_no_hexside_and_no_direction() -> None:
    board = hexes(PRINTED)
    assert board.direction("0101", "0103") is None
    with pytest.raises(GeometryError, match="0101 and 0103 do not touch"):
        board.hexside("0101", "0103")
    with pytest.raises(GeometryError, match=", ".join(POINTY)):
        board.step("0101", "n")
    assert set(POINTY) ^ set(FLAT) == {"n", "s", "e", "w"}


# -- zones ----------------------------------------------------------------------------------------------------------------

SQUARES = {
    f"{chr(97 + column)}{row}": [[(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]]
    for column in range(4)
    for row in range(4)
}
TOUCH = [(a, b) for a in SQUARES for b in SQUARES if a < b and abs(ord(a[0]) - ord(b[0])) + abs(int(a[1]) - int(b[1])) == 1]


@given(st.integers(0, 16), st.integers(0, 16))
def test_every_point_of_a_tiled_plane_lies_in_exactly_one_zone(x: int, y: int) -> None:
    zones = Zones.of(SQUARES)
    inside = [name for name in zones.names if zones.contains(name, x / 4, y / 4)]
    assert len(inside) == (1 if x < 16 and y < 16 else 0)
    assert zones.zone_at(x / 4, y / 4) == (inside[0] if inside else None)


@given(st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=2, max_size=8), st.floats(-10, 10), st.floats(-10, 10))
def test_two_zones_parted_by_any_line_share_no_point(middle: list[tuple[float, float]], x: float, y: float) -> None:
    # One ragged border from south to north; left and right of it two zones that fill a square.
    border = [(0.0, -10.0), *sorted({p[1]: p for p in middle}.values(), key=lambda p: p[1]), (0.0, 10.0)]
    zones = Zones.of({"left": [[(-10.0, -10.0), *border, (-10.0, 10.0)]], "right": [[(10.0, -10.0), *border, (10.0, 10.0)]]})
    inside = [name for name in zones.names if zones.contains(name, x, y)]
    assert len(inside) == (1 if -10 <= x < 10 and -10 <= y < 10 else 0)


def test_a_hole_and_an_island_count() -> None:
    ring = [[(0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)], [(3.0, 3.0), (6.0, 3.0), (6.0, 6.0), (3.0, 6.0)]]
    zones = Zones.of({"ring": ring, "isles": [[(20.0, 0.0), (21.0, 0.0), (21.0, 1.0)], [(30.0, 0.0), (31.0, 0.0), (31.0, 1.0)]]})
    assert zones.contains("ring", 1, 1) and not zones.contains("ring", 4, 4)
    assert zones.zone_at(20.9, 0.5) == zones.zone_at(30.9, 0.5) == "isles"
    assert zones.centre("ring") == (4.5, 4.5)


def test_zones_touch_as_the_data_says() -> None:
    zones = Zones.of(SQUARES, TOUCH)
    assert zones.neighbours("b1") == ("a1", "b0", "b2", "c1")
    assert all(name in zones.adjacency[other] for name in zones.names for other in zones.neighbours(name))
    assert zones.distance("a0", "d3") == 6 and zones.distance("a0", "a0") == 0
    assert Zones.of(SQUARES).distance("a0", "b0") is None


def test_zones_that_cannot_be_are_refused() -> None:
    with pytest.raises(GeometryError, match="a ring of 2 points"):
        Zones.of({"line": [[(0, 0), (1, 1), (0, 0)]]})
    with pytest.raises(GeometryError, match="`b9` is no zone"):
        Zones.of(SQUARES, [("a0", "b9")])
    with pytest.raises(GeometryError, match="touches itself"):
        Zones.of(SQUARES, [("a0", "a0")])
    with pytest.raises(GeometryError, match="`z` is no zone"):
        Zones.of(SQUARES).contains("z", 0, 0)
