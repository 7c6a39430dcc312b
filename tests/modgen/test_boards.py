"""The boards of the hex games: nothing touches, everything is named, and the client calls every place what is printed on it."""

from __future__ import annotations

import io
import itertools
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from PIL import Image

from gamebox.load import data_root, load_box
from gamebox.model import Box
from modgen.art import plan
from modgen.art.board import BoardArt, draw_board
from modgen.art.board.hexes import HexBoard
from modgen.art.board.hexkey import HexKey, broken
from modgen.art.drawing import part_of
from modgen.art.labels import TextBox
from modgen.art.svg import render
from modgen.art.words import Words
from modgen.check import LAYOUT_FILE
from modgen.errors import ArtError
from modgen.formats.vassal.xml import Element, element
from modgen.layout.layout import Layout, read_layout
from modgen.layout.reading import LayoutErrors
from modgen.vassal import grids

from .test_grid import Namer

SAFE_PIXELS = 40_000_000
"""Boards up to this size open everywhere."""


class Game(NamedTuple):
    box: Box
    layout: Layout
    board: BoardArt
    namer: Namer


def hex_games() -> list[str]:
    """Every game with a hex grid and a layout."""
    found = sorted(path.parent.name for path in data_root().glob(f"*/{LAYOUT_FILE}"))
    return [name for name in found if load_box(name).grid is not None]


@cache
def drawn(name: str) -> Game:
    box = load_box(name)
    layout = read_layout(data_root() / name / LAYOUT_FILE, box)
    root: Element = element("root")
    root.append(grids.grid(box, layout))
    return Game(box, layout, draw_board(box, layout), Namer(root, (layout.board.width, layout.board.height)))


@pytest.fixture(params=hex_games())
def game(request: pytest.FixtureRequest) -> Game:
    return drawn(request.param)


def test_both_hex_games_are_here() -> None:
    assert {"battle-for-germany", "great-patriotic-war"} <= set(hex_games())


def test_no_word_on_the_map_touches_another_or_a_panel(game: Game) -> None:
    assert game.board.words.collisions() == []
    assert sum(word.what.startswith("panel ") for word in game.board.words.boxes) >= 3 + len(game.layout.board.boxes)


def test_every_playable_hex_has_its_number_and_every_city_and_river_its_name(game: Game) -> None:
    words = [word.what for word in game.board.words.boxes]
    assert {word.removeprefix("number ") for word in words if word.startswith("number ")} == {
        row.key for row in game.box["hexes"] if row.flag("playable")
    }
    for row in game.box["cities"]:
        assert f"city {row.text('name')}" in words
        assert game.board.names[row.text("hex")].text == row.text("name")
        assert f">{row.text('name')}</text>" in game.board.svg
    rivers = {n.split(" (")[0] for row in game.box["hexsides"] if row.text("feature") == "river" for n in row.text("name").split("/")}
    assert {word.removeprefix("river ") for word in words if word.startswith("river ")} == rivers


def test_names_of_cities_stand_by_their_city(game: Game) -> None:
    """Nearer to the city's own symbol than to any other's."""
    sheet = plan.sheet(game.layout, game.box)
    symbols = {row.text("hex"): sheet.centre(row.text("hex")) for row in game.box["cities"]}
    boxes = [w for w in game.board.words.boxes if w.what.startswith("city ")]
    assert len(boxes) == len(symbols)

    def gap(word: TextBox, place: tuple[int, int]) -> float:
        dx = max(abs(place[0] - word.x) - word.w / 2, 0)
        dy = max(abs(place[1] - word.y) - word.h / 2, 0)
        return (dx * dx + dy * dy) ** 0.5

    for word in boxes:
        assert min(symbols, key=lambda name: gap(word, symbols[name])) == word.group, word.what
        assert gap(word, symbols[word.group]) < 40, word.what


def test_names_of_cities_keep_off_rails_and_rivers_where_there_is_room(game: Game) -> None:
    """Few touch one at all: around a junction of five rails there is no other place."""
    boxes = [w for w in game.board.words.boxes if w.what.startswith("city ")]
    touching = [w.what for w in boxes if game.board.words.cost(w) >= 1]
    assert len(touching) <= len(boxes) // 8, touching


def test_a_board_opens_everywhere(game: Game) -> None:
    assert game.layout.board.width * game.layout.board.height < SAFE_PIXELS


def test_panels_lie_on_the_board_and_not_on_each_other(game: Game) -> None:
    board = game.layout.board
    rects = [(area.name, area.rect) for part in (board.boxes, board.holds, board.tracks) for area in part]
    rects += [("title", board.title_rect), ("turns", board.turns_rect), ("key", board.legend_rect)]
    fx, fy, fw, fh = game.board.frame
    for name, (x, y, w, h) in rects:
        assert x >= 0 and y >= 0 and x + w <= board.width and y + h <= board.height, name
        beside = x >= fx + fw or y >= fy + fh or x + w <= fx or y + h <= fy
        assert beside or (x > fx and y > fy and x + w < fx + fw and y + h < fy + fh), f"{name} lies over the frame of the map"
    for (a, (ax, ay, aw, ah)), (b, (bx, by, bw, bh)) in itertools.combinations(rects, 2):
        assert ax + aw <= bx or bx + bw <= ax or ay + ah <= by or by + bh <= ay, f"{a} lies on {b}"


def test_counters_fit_into_hexes(game: Game) -> None:
    look = plan.hex_map(game.layout)
    assert game.layout.counters.size + 16 <= look.across
    assert abs(look.down - look.across * 3**0.5 / 2) < 0.5


def test_the_client_names_every_hex_as_printed_all_over_it(game: Game) -> None:
    """At the drawn centre and to the last pixels of the rectangle that the client takes for the hex, by the engine's own arithmetic."""
    sheet = plan.sheet(game.layout, game.box)
    across, down = sheet.across, sheet.down
    xs, ys = (-across // 2, 0, across // 2 - 1), (-(down // 2), 0, down - down // 2 - 1)
    wrong = {}
    for row in game.box["hexes"]:
        x, y = sheet.centre(row.key)
        for dx, dy in itertools.product(xs, ys):
            zone = game.namer.zone(x + dx, y + dy)
            over = zone is not None and zone.get("locationFormat") == "$name$"  # a panel lies on this corner
            if not over and game.namer(x + dx, y + dy) != row.key:
                wrong[row.key] = (dx, dy, game.namer(x + dx, y + dy))
    assert not wrong


def test_the_client_names_hexes_inside_their_outline_but_for_its_tips(game: Game) -> None:
    """Three quarters of the way to each of the six corners the hex is still itself."""
    sheet = plan.sheet(game.layout, game.box)
    for row in game.box["hexes"]:
        x, y = sheet.centre(row.key)
        for cx, cy in sheet.outline(row.key):
            assert game.namer(round(x + (cx - x) * 0.72), round(y + (cy - y) * 0.72)) == row.key


def test_the_client_names_boxes_tracks_and_turns(game: Game) -> None:
    board = game.layout.board
    for area in (*board.boxes, *board.holds):
        assert game.namer(*plan.middle(area.rect)) == area.name
    for track in board.tracks:
        for _, cell, rect in plan.track_cells(game.box, track):
            assert game.namer(*plan.cell_spot(rect)) == cell.name
    for turn in game.box["turns"]:
        assert game.namer(*plan.turn_spot(game.layout, game.box, turn.key)) == f"Turn {turn.key}"
    for turn, spots in plan.turn_heaps(game.layout, game.box).values():
        assert len(spots) > 1
        x, y, w, h = plan.turn_cells(game.layout, game.box)[turn]
        half = game.layout.counters.size // 2
        assert all(x <= sx - half and sx + half <= x + w and y <= sy - half and sy + half <= y + h for sx, sy in spots)
        for spot in spots:
            zone = game.namer.zone(*spot)
            assert zone is not None and zone.get("name") == game.namer(*spot) == f"Turn {turn}"


@pytest.mark.parametrize("count", range(1, 13))
def test_what_waits_for_a_turn_lies_in_its_cell_and_shows_its_left(count: int) -> None:
    """Between what the cell says at its head and at its foot, no two at one place; each shows the id at its left."""
    game = drawn("great-patriotic-war")
    half = game.layout.counters.size // 2
    for turn, (x, y, w, h) in plan.turn_cells(game.layout, game.box).items():
        spots = plan.waiting_spots(game.layout, game.box, turn, count)
        assert len(set(spots)) == count
        assert all(x < sx - half and sx + half <= x + w for sx, _ in spots)
        assert all(y + plan.TURN_HEAD <= sy - half and sy + half <= y + h - plan.TURN_FOOT for _, sy in spots)
        for (ax, ay), (bx, by) in itertools.pairwise(spots):
            assert (ay == by and bx - ax >= half) or by - ay >= 2 * half
        mx, my = plan.turn_spot(game.layout, game.box, turn)
        assert my + half <= y + plan.TURN_HEAD + 12 and mx + half <= x + w


def test_every_box_of_the_game_has_its_place_on_the_board_or_in_the_set_up_window(game: Game) -> None:
    boxes = {row.key: row for row in game.box["boxes"]}
    drawn_boxes = {area.id: area.name for area in game.layout.board.boxes}
    on_track = plan.turn_heaps(game.layout, game.box)
    on_cards = set(game.layout.cards.boxes) if game.layout.cards is not None else set()
    assert set(boxes) == set(drawn_boxes) | set(on_track) | on_cards
    for key, name in drawn_boxes.items():
        assert name == boxes[key].text("name") or name in boxes[key].items("aliases")


def pixels(game: Game, x: int, y: int, w: int, h: int) -> Image.Image:
    """A part of the drawing, without the paper's grain."""
    return Image.open(io.BytesIO(render(part_of(game.board.svg, (x, y, w, h))))).convert("RGBA")


def test_rails_run_from_centre_to_centre() -> None:
    """Dark along every link around a capital, and not along hexes that no link joins."""
    game = drawn("great-patriotic-war")
    sheet = plan.sheet(game.layout, game.box)
    x0, y0 = sheet.centre("A0720")
    left, top = x0 - 260, y0 - 200
    picture = pixels(game, left, top, 520, 400)
    links = {frozenset((row.text("hex_a"), row.text("hex_b"))) for row in game.box["rail"]}

    def dark(a: str, b: str) -> int:
        """Of five places on the middle part of the way how many are as dark as a rail."""
        (ax, ay), (bx, by) = sheet.centre(a), sheet.centre(b)
        found = 0
        for t in (0.3, 0.36, 0.42, 0.62, 0.68):
            x, y = ax + (bx - ax) * t - left, ay + (by - ay) * t - top
            around = [picture.getpixel((round(x) + i, round(y) + j)) for i in (-1, 0, 1) for j in (-1, 0, 1)]
            found += any(max(p[:3]) < 110 for p in around)  # type: ignore[index]
        return found

    seen = {True: 0, False: 0}
    for a in ("A0720", "A0719", "A0721", "A0620", "A0820", "A0819", "A0621", "A0619"):
        for b in sheet.around[a]:
            if all(left + 20 < sheet.centre(h)[0] < left + 500 and top + 20 < sheet.centre(h)[1] < top + 380 for h in (a, b)):
                linked = frozenset((a, b)) in links
                seen[linked] += 1
                assert (dark(a, b) >= 4) == linked, (a, b)
    assert min(seen.values()) >= 6


def test_a_map_of_two_sheets_says_which_is_which() -> None:
    game = drawn("great-patriotic-war")
    for letters in ("A", "B"):
        assert f">MAP {letters}</text>" in game.board.svg
    sheet = plan.sheet(game.layout, game.box)
    # Beside each other, no column shared: A column 21 lies west of its column 20 and east of B column 01.
    assert sheet.centre("B0101")[0] + sheet.across == sheet.centre("A0121")[0] == sheet.centre("A0120")[0] - sheet.across
    assert sheet.centre("B0101")[1] == sheet.centre("A0121")[1]
    assert sheet.centre("A0201")[0] == sheet.centre("A0101")[0] - sheet.across // 2


def told(game: str, tmp_path: Path, old: str, new: str) -> str:
    """The faults of a game's layout with one place of it changed."""
    text = (data_root() / game / LAYOUT_FILE).read_text("utf-8")
    assert old in text
    path = tmp_path / LAYOUT_FILE
    path.write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(LayoutErrors) as caught:
        read_layout(path, load_box(game))
    return str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('[[city]]\nsymbol = "disc"', '[[city]]\nwhere = { class = "x" }\nsymbol = "disc"', "[[city]]: none fits the city in"),
        ('symbol = "star"', 'symbol = "stair"', "'stair' is not allowed; one of disc, square, star"),
        ('doubt = "class"', 'doubt = "klass"', "[[city]] 1 doubt: 'klass' is no column of cities; there are"),
        ('effect = "minor_city"', 'effect = "hamlet"', "[[city]] effect: 'hamlet' is no kind of the terrain table"),
        ('texture = "woods"', 'texture = "trees"', "'trees' is not allowed; one of"),
        ('off_map = "rail_off_map"', 'off_map = "railways"', "[rail]: 'railways' is no table of the game"),
        ('table = "rail"', 'table = "cities"', "[rail]: the table cities has no columns hex_a and hex_b"),
        ("[edge.soviet-home-edge]", "[edge.home-edge]", "[edge]: 'home-edge' is no region of the game, nor an edge of its map"),
        ('[[turn_tint]]\nwhere = { weather', "[[turn_tint]]\nwhere = { whether", "[[turn_tint]] 1: 'whether' is no column of turns"),
        ('date = "{months} {year}"', 'date = "{month} {year}"', "[turns] date: 'month' is no column of turns"),
        ('[[turn_mark]]\ntable = "turns"', '[[turn_mark]]\ntable = "turn"', "[[turn_mark]] 1: 'turn' is no table of the game"),
        ('style = "crate"', 'style = "crates"', "'crates' is not allowed; one of"),
        ('show = "+{extra_cost} MP"', 'show = "+{extra} MP"', "[[effect]] terrain: 'extra' is no column of terrain"),
    ],
)
def test_a_fault_in_how_a_hex_map_is_drawn_is_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert said in told("great-patriotic-war", tmp_path, old, new)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('where = { hex = "A*" }', 'where = { hex = "A0*" }', r"\[\[zone\]\]: hex A1001 is in none; a client knows a hex's sheet"),
        ('where = { hex = "A*" }', 'where = { country = "ussr" }', r"\[\[zone\]\]: 'Map A' lies on several sheets of the map"),
    ],
)
def test_on_a_map_of_sheets_every_hex_lies_in_a_zone_of_its_sheet(tmp_path: Path, old: str, new: str, said: str) -> None:
    text = (data_root() / "great-patriotic-war" / LAYOUT_FILE).read_text("utf-8")
    assert old in text
    path = tmp_path / LAYOUT_FILE
    path.write_text(text.replace(old, new, 1), "utf-8")
    box = load_box("great-patriotic-war")
    with pytest.raises(ArtError, match=said):
        plan.zone_hexes(read_layout(path, box), box)


def test_a_city_whose_name_finds_no_room_stops_the_build(tmp_path: Path) -> None:
    """Among names set as large as a hex is wide."""
    text = (data_root() / "great-patriotic-war" / LAYOUT_FILE).read_text("utf-8").replace("name_size = 13", "name_size = 40")
    path = tmp_path / LAYOUT_FILE
    path.write_text(text, "utf-8")
    box = load_box("great-patriotic-war")
    with pytest.raises(ArtError, match="no room for the name of the city"):
        draw_board(box, read_layout(path, box))


def test_the_key_slants_what_the_terrain_chart_slants_and_nothing_more() -> None:
    made = drawn("great-patriotic-war")
    key = HexKey(HexBoard(made.box, made.layout))
    told = {entry.label: key.effect(entry) for entry in key.entries()}
    assert told["Swamp"] == [("3 MP, armour stops", True), ("1 left", False)]
    assert told["Rough"] == [("2 MP, armour 3", False), ("1 left", True)]
    assert told["Straits of Kerch"] == [("+1 MP, armour may not cross", True), ("1 left if all cross", True), ("attack ÷2", True)]
    assert (told["Sea or lake"], told["Lake or sea between hexes"]) == ([("may not be entered", True)], [("may not be crossed", True)])
    (part,) = next(chart for chart in made.layout.charts if chart.id == "terrain").parts
    by_title = {column.title: column for column in part.columns}
    said, compared = Words(made.box, made.layout, part.words), 0
    rows = {row.text("kind"): row for row in made.box["terrain"]}
    for entry in key.entries():
        row = rows.get(entry.effect)
        if row is None or not told[entry.label] or row.text("passable") == "0":
            continue
        chart = {title: said.column(by_title[title], row) for title in ("Infantry", "Armour", "Odds")}
        costs = [certain for text, certain in told[entry.label] if "MP" in text]
        odds = [certain for text, certain in told[entry.label] if "left" in text]
        assert costs in ([], [chart["Infantry"][1] and chart["Armour"][1]]), entry.label
        assert odds == ([chart["Odds"][1]] if chart["Odds"][0] else []), entry.label
        compared += 1
    assert compared >= 10


def test_parts_of_the_key_are_broken_into_lines_and_runs_of_one_look() -> None:
    parts = [("3 MP", True), ("armour stops", True), ("1 left", False)]
    assert broken(parts, 400) == [[("3 MP, armour stops,", True), ("1 left", False)]]
    assert broken(parts, 60) == [[("3 MP,", True)], [("armour stops,", True)], [("1 left", False)]]
    assert broken([], 60) == []
