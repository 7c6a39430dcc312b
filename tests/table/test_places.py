"""Places in the game's words, with a client's grid and without one."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamebox.geometry import hexes
from gamebox.load import load_box
from gamebox.model import Box, Grid
from referee.table.events import NOWHERE, Spot
from referee.table.places import GuessedMap, Places, Where, squeeze


@pytest.fixture(scope="module")
def box() -> Box:
    return load_box("battle-for-germany")


@pytest.fixture(scope="module")
def places(box: Box) -> Places:
    return Places(box)


@pytest.mark.parametrize(
    ("where", "spot"),
    [
        (Where("2613", "", "Europe"), Spot("2613")),
        (Where("26-13", "", "Europe"), Spot("2613")),
        (Where("26.13"), Spot("2613")),
        (Where("2227", "", "Europe"), Spot("2227", known=False)),
        (Where("Destroyed Allies/Italy"), Spot("box-italy")),
        (Where("destroyed allies - ITALY"), Spot("box-italy")),
        (Where("Box 3", "Destroyed Soviets", "Europe"), Spot("box-s")),
        (Where("offboard", "", "Out of Play"), Spot("off")),
        (Where("offboard", "", "Notes"), Spot("Notes", known=False)),
        (Where("", "Charts", "Europe"), Spot("Charts", known=False)),
        (Where(""), NOWHERE),
    ],
)
def test_a_clients_words_name_a_place_of_the_game_or_stay_unknown(places: Places, where: Where, spot: Spot) -> None:
    assert places.spot(where) == spot


def test_a_mapping_gives_more_names(box: Box) -> None:
    extra = Places(box, {"Valhalla": "box-s", "Home": "2613"})
    assert extra.spot(Where("valhalla")) == Spot("box-s") and extra.spot(Where("Home")) == Spot("2613")


def test_mentions_are_found_in_order_the_longest_name_first(places: Places) -> None:
    text = "2 Krps 3-5-4 moves Destroyed East Germans -> 2613 (was 9999, 12-21)"
    assert [(place, word) for _, place, word in places.mentions(text)] == [("box-eg", "Destroyed East Germans"), ("2613", "2613")]


def test_names_are_compared_by_letters_and_digits() -> None:
    assert squeeze("Destroyed Allies / Italy!") == "destroyedalliesitaly"


def settled(box: Box, pairs: dict[tuple[int, int], str]) -> GuessedMap:
    guess = GuessedMap(box, Places(box))
    for (x, y), name in pairs.items():
        guess.learn("Map", x, y, name)
    guess.settle()
    return guess


def pixels(grid: Grid, size: tuple[float, float], origin: tuple[float, float]) -> dict[str, tuple[int, int]]:
    shape = hexes(grid)
    return {name: (round(x), round(y)) for name in shape.names for x, y in (shape.centre(name, size, origin),)}


@given(st.integers(20, 90), st.integers(20, 90), st.integers(-40, 200), st.integers(-40, 200), st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_a_few_named_pixels_give_the_whole_grid(across: int, down: int, left: int, top: int, seed: int) -> None:
    box = load_once()
    assert box.grid is not None
    there = pixels(box.grid, (float(across), float(down)), (left, top))
    sample = random.Random(seed).sample(sorted(there), 12)
    guess = settled(box, {there[name]: name for name in sample})
    wrong = [name for name, (x, y) in there.items() if guess.where("Map", x, y).name != name]
    assert wrong == []


_ONCE: list[Box] = []


def load_once() -> Box:
    if not _ONCE:
        _ONCE.append(load_box("battle-for-germany"))
    return _ONCE[0]


def test_wrong_names_among_right_ones_do_not_bend_the_grid(box: Box) -> None:
    assert box.grid is not None
    there = pixels(box.grid, (44.0, 38.0), (30, 32))
    sample = random.Random(4).sample(sorted(there), 20)
    pairs = {there[name]: name for name in sample[:16]} | {there[name]: "0101" for name in sample[16:]}
    guess = settled(box, pairs)
    assert guess.where("Map", *there["1221"]).name == "1221"


def test_one_line_of_hexes_gives_the_grid_of_regular_hexes(box: Box) -> None:
    assert box.grid is not None
    there = pixels(box.grid, (44.0, 44 * 3**0.5 / 2), (30, 32))
    row = {there[name]: name for name in ("1203", "1209", "1221")}
    column = {there[name]: name for name in ("0312", "1512", "2112")}
    for pairs in (row, column):
        guess = settled(box, pairs)
        assert guess.where("Map", *there["2613"]).name == "2613"


def test_what_nothing_tells_is_called_by_its_pixel(box: Box) -> None:
    guess = settled(box, {(100, 100): "2613"})
    assert guess.where("Map", 100, 100) == Where("2613", "", "Map")
    assert guess.where("Map", 300, 100).name == "Map 300,100"
    assert guess.where("Other", 1, 1).name == "Other 1,1"
    assert Places(box).spot(guess.where("Map", 300, 100)) == Spot("Map 300,100", known=False)


def test_a_box_beside_the_map_is_known_round_the_pixel_that_names_it(box: Box) -> None:
    assert box.grid is not None
    there = pixels(box.grid, (44.0, 38.0), (30, 32))
    pairs = {there[name]: name for name in ("0101", "3926", "2613", "1221")} | {(1330, 626): "Destroyed East Germans"}
    guess = settled(box, pairs)
    assert guess.where("Map", 1370, 640).name == "Destroyed East Germans"
    assert guess.where("Map", 1330, 1100).name == "Map 1330,1100"
    guess = GuessedMap(box, Places(box))
    guess.learn("Map", *there["0101"], "0101")
    guess.learn("Map", *there["3926"], "3926")
    guess.hint("Map", *there["1221"], "Destroyed Soviets")
    guess.hint("Map", 1330, 1100, "Destroyed Soviets")
    guess.hint("Map", 1330, 200, "Nowhere Land")
    guess.settle()
    assert guess.where("Map", *there["1221"]).name == "1221"
    assert guess.where("Map", 1330, 1100).name == "Destroyed Soviets"
    assert guess.where("Map", 1330, 200).name == "Map 1330,200"
