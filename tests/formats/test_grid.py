"""Hex names by the engine's own arithmetic: descending counts, stagger, sideways grids, letters, zones and regions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modgen.formats.vassal.buildfile import read_module
from modgen.formats.vassal.commands import BoardPlace
from modgen.formats.vassal.grid import HexGrid, Numbering, RegionGrid, SquareGrid, Zone, ZonedGrid, fill, hex_grids, number_name, zone_name
from tests.formats.files import CLUB, SAMPLE

PLAIN = Numbering(stagger=False)


@pytest.mark.parametrize(
    ("value", "kind", "leading", "name"),
    [
        (3, "N", 1, "03"),
        (3, "N", 0, "3"),
        (30, "N", 1, "30"),
        (7, "N", 3, "0007"),
        (0, "N", 1, "00"),
        (-3, "N", 1, "-03"),
        (123, "N", 1, "123"),
        (0, "A", 1, "A"),
        (25, "A", 0, "Z"),
        (26, "A", 0, "AA"),
        (27, "A", 0, "BB"),
        (52, "A", 0, "AAA"),
    ],
)
def test_numbers_and_letters_as_the_engine_writes_them(value: int, kind: str, leading: int, name: str) -> None:
    assert number_name(value, kind, leading) == name


def test_absurd_numbers_of_a_broken_module_end_soon() -> None:
    assert len(number_name(10**12, "A", 1)) == len(number_name(5, "N", 10**12)) - 1 == 40
    assert HexGrid(0.001, 0.001, 0, 0, numbering=PLAIN, width=10**12, height=10**12).names() == {}


def test_a_plain_grid_is_numbered_from_its_first_hex() -> None:
    grid = HexGrid(52.0, 60.0, 30, 35, numbering=PLAIN, width=700, height=600)
    assert grid.location_name(30, 35) == "0101"
    assert grid.location_name(82, 65) == "0201"
    assert grid.centre(1, 0) == (82, 65)
    assert grid.location_name(134, 155) == "0303"


def test_stagger_moves_odd_columns_by_one_in_the_direction_of_the_rows() -> None:
    down = HexGrid(52.0, 60.0, 30, 35, numbering=Numbering(), width=700, height=600)
    up = HexGrid(52.0, 60.0, 30, 35, numbering=Numbering(v_descend=True), width=700, height=600)
    assert (down.location_name(30, 35), down.location_name(82, 65)) == ("0101", "0202")
    assert up.max_rows == 12  # 600 divided by the hex width, as the engine does
    assert (up.location_name(30, 35), up.location_name(82, 65)) == ("0113", "0212")


def test_descending_maxima_divide_by_the_other_size() -> None:
    grid = HexGrid(52.0, 60.0, 30, 35, numbering=Numbering(h_descend=True, v_descend=True, stagger=False), width=700, height=600)
    assert (grid.max_columns, grid.max_rows) == (12, 12)
    assert grid.location_name(30, 35) == "1313"


def test_a_sideways_grid_counts_its_columns_down_the_page() -> None:
    grid = HexGrid(38.0, 44.0, 32, 30, True, Numbering(h_off=-1, v_off=1, v_descend=True, stagger=False), 1460, 1516)
    assert grid.max_rows == 40
    assert grid.location_name(30, 32) == "3901"
    assert grid.location_name(52, 70) == "3801"
    assert grid.location_name(30 + 44 * 26, 32) == "3927"
    assert grid.pixel_of("1221") == (932, 1058)
    staggered = HexGrid(38.0, 44.0, 32, 30, True, Numbering(h_descend=True), 1460, 1516)
    assert staggered.counted(1, 0) == (1, 32)


def test_vertical_first_and_separators() -> None:
    grid = HexGrid(52.0, 60.0, 30, 35, numbering=Numbering("V", ".", "A", "N", 0, 1, 0, 1, stagger=False), width=700, height=600)
    assert grid.location_name(82, 125) == "02.B"
    told = HexGrid(52.0, 60.0, 30, 35, numbering=Numbering(location_format="Hex $gridLocation$ ($column$/$row$)", stagger=False))
    assert told.location_name(82, 125) == "Hex 0202 (02/02)"


FLAG = st.booleans()
NUMBERINGS = st.builds(Numbering, h_descend=FLAG, v_descend=FLAG, stagger=FLAG, h_leading=st.just(2), v_leading=st.just(2))
GRIDS = st.builds(
    HexGrid,
    dx=st.floats(20, 120).map(lambda value: round(value, 1)),
    dy=st.floats(20, 120).map(lambda value: round(value, 1)),
    x0=st.integers(-60, 60),
    y0=st.integers(-60, 60),
    sideways=FLAG,
    numbering=NUMBERINGS,
    width=st.integers(400, 2000),
    height=st.integers(400, 2000),
)


@given(GRIDS, st.integers(0, 1900), st.integers(0, 1900))
def test_a_snapped_piece_lies_on_a_centre_and_stays_there(grid: HexGrid, x: int, y: int) -> None:
    snapped = grid.snap(x, y)
    assert grid.snap(*snapped) == snapped
    assert grid.centre(*grid.raw(*snapped)) == snapped


@given(GRIDS, st.integers(0, 20), st.integers(0, 20))
def test_the_raw_index_of_a_centre_is_its_own(grid: HexGrid, column: int, row: int) -> None:
    assert grid.raw(*grid.centre(column, row)) == (column, row)


@given(GRIDS)
def test_names_lead_back_to_their_pixels(grid: HexGrid) -> None:
    for name, pixel in list(grid.names().items())[:40]:
        assert grid.location_name(*pixel) == name


def test_squares_count_like_hexes() -> None:
    grid = SquareGrid(50.0, 40.0, 25, 20, PLAIN, 500, 400)
    assert (grid.location_name(25, 20), grid.location_name(130, 61)) == ("0101", "0302")
    down = SquareGrid(50.0, 40.0, 25, 20, Numbering(h_descend=True, v_descend=True), 500, 400)
    assert down.location_name(25, 20) == "1111"
    assert SquareGrid(50.0, 40.0, 0, 0).location_name(1, 1) == HexGrid(50.0, 40.0, 0, 0).location_name(1, 1) == ""


def test_the_nearest_region_names_a_pixel_however_far() -> None:
    regions = RegionGrid((("Box 1", 60, 550), ("Box 2", 160, 550)))
    assert regions.location_name(5000, 0) == "Box 2"
    assert RegionGrid().location_name(1, 1) == ""


SQUARE = ((0, 0), (10, 0), (10, 10), (0, 10))


def test_the_first_zone_that_holds_a_pixel_names_it() -> None:
    hexes = HexGrid(52.0, 60.0, 30, 35, numbering=PLAIN)
    inner = Zone("Inner", SQUARE)
    outer = Zone("Outer", ((0, 0), (50, 0), (50, 50), (0, 50)), "$name$/$gridLocation$", True)
    zoned = ZonedGrid((inner, outer), hexes)
    assert (zoned.location_name(5, 5), zoned.location_name(30, 30), zoned.location_name(82, 65)) == ("Inner", "Outer/0101", "0201")
    assert (zone_name(zoned, 5, 5), zone_name(zoned, 82, 65), zone_name(hexes, 5, 5)) == ("Inner", "", "")
    assert hex_grids(zoned) == [hexes] and hex_grids(None) == []


@pytest.mark.parametrize(("x", "y", "inside"), [(0, 0, True), (9, 9, True), (10, 5, False), (5, 10, False), (0, 9, True), (-1, 5, False)])
def test_borders_of_zones_are_javas(x: int, y: int, inside: bool) -> None:
    assert Zone("z", SQUARE).contains(x, y) is inside
    assert Zone("z", SQUARE[::-1]).contains(x, y) is inside


def test_a_zone_with_a_notch() -> None:
    notched = Zone("z", ((0, 0), (10, 0), (10, 10), (5, 5), (0, 10)))
    assert notched.contains(5, 4) and notched.contains(1, 8) and not notched.contains(5, 8)
    assert not Zone("z", ((0, 0), (1, 1))).contains(0, 0)


def test_formats_lose_unknown_words() -> None:
    assert fill("$a$-$b$!", {"a": "1"}) == "1-!"
    assert fill("x $a$ y", {"a": "1"}) == "x 1 y"
    assert fill("$a$$b$", {"a": "1", "b": "2"}) == "12"


def test_boards_side_by_side_are_named_by_their_own_grids() -> None:
    sample = read_module(SAMPLE / "sample.vmod")
    main = sample.map("Main Map")
    assert main is not None
    both = (BoardPlace("Board"), BoardPlace("Board", column=1))
    assert main.location_name(134, 155, both) == main.location_name(834, 155, both) == "0303"
    turned = (BoardPlace("Board", reversed=True),)
    assert main.location_name(700 - 134, 600 - 155, turned) == "0303"
    assert main.location_name(-5, 10) == "offboard"
    assert main.location_name(450, 550) == "Events"
    assert main.locate(60, 550).zone == "Track"


def test_the_club_map_goes_on_beyond_the_printed_one() -> None:
    europe = read_module(CLUB).map("Europe")
    assert europe is not None
    assert europe.location_name(30 + 44 * 26, 32) == "3927"
    assert europe.location_name(1330, 626) == "Destroyed East Germans"
