"""What is drawn: every letter has a glyph, no word touches another, every hex and city is on the board, and drawing repeats exactly."""

from __future__ import annotations

import csv
import io
import itertools
import math
import re
from collections import Counter as Count
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from gamebox.load import data_root, load_box
from gamebox.model import Box, Grid
from modgen.art import charts, counters, legible, measure, plan, symbols
from modgen.art.board import BoardArt, draw_board
from modgen.art.board.hexkey import doubts
from modgen.art.fonts import face
from modgen.art.labels import Placer, TextBox
from modgen.art.shapes import natural_loop, pixels
from modgen.art.sheet import Sheet, chains, loops
from modgen.art.svg import Canvas, render
from modgen.errors import ArtError
from modgen.layout.layout import Layout, read_layout
from modgen.layout.reading import LayoutErrors
from modgen.vassal import zones

from .conftest import GAME, Built

LAYOUT = data_root() / GAME / "module.toml"
CITIES, CAPITALS = "City with its victory points", "Capital with its victory points"


@pytest.fixture(scope="module")
def board(box: Box, layout: Layout) -> BoardArt:
    return draw_board(box, layout)


# --- words


def test_a_letter_without_a_glyph_stops_the_build() -> None:
    """The renderer would leave it out without a word."""
    with pytest.raises(ArtError, match="U\\+2693"):
        Canvas(10, 10).text(0, 0, "port ⚓", 10, where="label")
    for text in ("Łódź", "Zürich", "Čačak", "Жуков", "★"):
        if text == "★":
            assert ord(text) not in face(700).advances
        else:
            face(700).check(text, "name")


def test_what_the_renderer_cannot_read_is_told_as_any_picture_that_cannot_be_drawn() -> None:
    with pytest.raises(ArtError, match="cannot be rendered"):
        render("<svg")
    small = '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"><rect x="1" width="2" height="2" fill="#ff0000"/></svg>'
    assert Image.open(io.BytesIO(render(small))).size == (3, 2)
    large = Image.open(io.BytesIO(render(small, 1.5)))
    assert large.size == (5, 3) and large.getpixel((0, 1))[3] == 0 and large.getpixel((3, 1)) == (255, 0, 0, 255)


def test_pictures_are_rendered_in_any_thread() -> None:
    """The renderer's fonts are held by the thread that read them."""
    canvas = Canvas(40, 20)
    canvas.text(20, 15, "Ab", 14)
    here = canvas.png()
    with ThreadPoolExecutor(1) as other:
        assert other.submit(canvas.png).result() == here
    assert len(set(Image.open(io.BytesIO(here)).convert("RGBA").tobytes())) > 2


def test_every_playable_hex_has_its_number_and_every_city_its_name(board: BoardArt, box: Box) -> None:
    words = [w.what for w in board.words.boxes]
    for row in box["hexes"]:
        assert (f"number {row.key}" in words) == row.flag("playable")
    for row in box["cities"]:
        assert f"city {row.text('name')}" in words
        assert f">{row.text('name')}</text>" in board.svg


def test_no_word_on_the_map_touches_another(board: BoardArt) -> None:
    assert board.words.collisions() == []


def test_hex_numbers_are_drawn_above_rivers_and_names(board: BoardArt, box: Box, layout: Layout) -> None:
    """Each with a halo where a line of the table runs along the top of its hex."""
    drawn = {m.group(2): (m.start(), "paint-order" in m.group(1)) for m in re.finditer(r"<text([^>]*)>(\d{4})</text>", board.svg)}
    last_name = max(board.svg.rindex(f">{label.text}</text>") for label in layout.board.labels)
    last_river = max(board.svg.rindex(f">{w.what.removeprefix('river ')}</text>") for w in board.words.boxes if w.what.startswith("river "))
    assert min(start for start, _ in drawn.values()) > max(last_name, last_river)
    sheet = plan.sheet(layout, box)
    for row in box["hexsides"]:
        a, b = sorted((row.text("hex_a"), row.text("hex_b")), key=lambda name: sheet.centre(name)[1])
        if box["hexes"][b].flag("playable") and sheet.centre(a)[1] < sheet.centre(b)[1]:
            assert drawn[b][1], b


def test_every_river_is_named(board: BoardArt, box: Box) -> None:
    rivers = {name for row in box["hexsides"] if row.text("feature") == "river" for name in row.text("name").split("/")}
    named = {w.what.removeprefix("river ") for w in board.words.boxes if w.what.startswith("river ")}
    assert named == rivers


@pytest.mark.parametrize(
    ("other", "touch"),
    [
        (TextBox(9, 0, 10, 4), True),
        (TextBox(11, 0, 10, 4), False),
        (TextBox(0, 5, 10, 4), False),
        (TextBox(0, 5, 10, 4, 90), True),
        (TextBox(9, 6.5, 10, 4, 45), False),
        (TextBox(6, 4, 10, 4, 45), True),
    ],
)
def test_slanted_boxes_touch_when_they_share_area(other: TextBox, touch: bool) -> None:
    assert TextBox(0, 0, 10, 4).touches(other) is touch
    assert other.touches(TextBox(0, 0, 10, 4)) is touch


def test_boxes_of_one_group_may_touch() -> None:
    placer = Placer()
    placer.add(TextBox(0, 0, 10, 10, group="a"))
    assert placer.hit(TextBox(1, 0, 10, 10, group="a")) is None
    assert placer.hit(TextBox(1, 0, 10, 10, group="b")) is not None
    assert placer.hit(TextBox(200, 0, 10, 10)) is None


def test_a_label_in_the_way_is_named_with_what_it_touches(box: Box, tmp_path: Path) -> None:
    path = tmp_path / "module.toml"
    path.write_text(LAYOUT.read_text("utf-8") + '\n[[label]]\ntext = "Here"\nat = "2613"\nstyle = "land"\n', "utf-8")
    with pytest.raises(ArtError, match=r"module.toml: \[\[label\]\] 'Here' at 2613 touches .*Berlin"):
        draw_board(box, read_layout(path, box))


# --- geometry


def test_neighbours_share_a_side_and_others_none(box: Box, layout: Layout) -> None:
    sheet = plan.sheet(layout, box)
    assert set(sheet.around["2613"]) == {"2612", "2614", "2513", "2514", "2713", "2714"}
    assert len(sheet.side("2613", "2614")) == 2
    with pytest.raises(ArtError, match="not neighbours"):
        sheet.side("2613", "2615")
    for row in box["hexsides"]:
        (x1, y1), (x2, y2) = sheet.side(row.text("hex_a"), row.text("hex_b"))
        assert math.dist((x1, y1 / 3), (x2, y2 / 3)) == pytest.approx(plan.hex_map(layout).across / math.sqrt(3), rel=0.02)


def test_hexes_are_regular_within_a_pixel(layout: Layout) -> None:
    assert abs(plan.hex_map(layout).down - plan.hex_map(layout).across * math.sqrt(3) / 2) < 0.5
    assert 64 <= plan.hex_map(layout).across <= 72


@pytest.mark.parametrize("rows_from", ["north", "south"])
@pytest.mark.parametrize("columns_from", ["west", "east"])
@pytest.mark.parametrize("stagger", ["odd-west", "odd-east", "even-west", "even-east"])
def test_names_and_places_go_both_ways_on_any_grid(rows_from: str, columns_from: str, stagger: str) -> None:
    sheet = Sheet(Grid(5, 7, rows_from=rows_from, columns_from=columns_from, stagger=stagger), 60, 52, 10, 20)
    seen = {sheet.centre(name): name for name in sheet.names()}
    assert len(seen) == 35
    top = min(y for _, y in seen)
    rows = {name[:2] for (_, y), name in seen.items() if y == top}
    assert rows == {"01" if rows_from == "north" else "05"}
    west = min(seen, key=lambda p: (p[0], p[1]))
    assert seen[west][2:] == ("01" if columns_from == "west" else "07")
    assert (int(seen[west][:2]) % 2 == 1) == (stagger in ("odd-west", "even-east"))
    for around in sheet.around.values():
        assert 2 <= len(around) <= 6


def test_outlines_close_and_chains_use_every_side_once(box: Box, layout: Layout) -> None:
    sheet = plan.sheet(layout, box)
    found = loops(sheet.corners(n) for n in ("1004", "1005", "1104", "0904"))
    assert len(found) == 1 and len(found[0]) == 6 * 4 - 2 * 3
    ring = [n for n in sheet.around["2613"]]
    assert sorted(len(loop) for loop in loops(sheet.corners(n) for n in ring)) == [6, 18]
    sides = [sheet.side(r.text("hex_a"), r.text("hex_b")) for r in box["hexsides"] if r.text("feature") == "river"]
    drawn = [tuple(sorted(pair)) for chain in chains(sides) for pair in itertools.pairwise(chain)]
    assert Count(drawn) == Count({tuple(sorted(s)) for s in sides})


def test_bent_outlines_stay_near_their_hexsides(box: Box, layout: Layout) -> None:
    """A reader of the map must never wonder which hex a coast belongs to."""
    sheet = plan.sheet(layout, box)
    loop = loops([sheet.corners("2613")])[0]
    x, y = sheet.centre("2613")
    for px, py in natural_loop(loop, 3.2):
        assert 24 < math.dist((px, py), (x, y)) < 45


def test_a_zone_with_a_hole_holds_its_hexes_and_not_the_hole(box: Box, layout: Layout) -> None:
    sheet = plan.sheet(layout, box)
    hexes = {*sheet.around["2613"], "1004", "1006"}
    line = zones.polygon(sheet, hexes)
    for name in sheet.names():
        assert zones.contains(line, *sheet.centre(name)) is (name in hexes)


def test_only_grids_that_can_be_drawn_are_taken(box: Box) -> None:
    with pytest.raises(ArtError, match="pointy-top"):
        Sheet(Grid(5, 5, orientation="flat"), 60, 52, 0, 0)
    with pytest.raises(ArtError, match="even"):
        Sheet(Grid(5, 5), 61, 52, 0, 0)


# --- the pictures


def test_the_board_shows_its_terrain(built: Built, box: Box, layout: Layout) -> None:
    """Sea is bluer than land, broken ground darker than clear, at a free spot of every hex without a city or name."""
    image = Image.open(io.BytesIO(built.entries["images/board.png"])).convert("RGB")
    sheet = plan.sheet(layout, box)
    taken = {row.key for row in box["cities"]} | {label.at for label in layout.board.labels}
    shade: dict[str, list[int]] = {}
    for row in box["hexes"]:
        x, y = sheet.centre(row.key)
        if row.key in taken or (row.text("terrain") == "sea" and (x < 540 and y < 310)):
            continue
        patch = image.crop((x - 12, y - 8, x + 12, y + 12)).resize((1, 1), Image.Resampling.BOX)
        red, green, blue = patch.getpixel((0, 0))  # type: ignore[misc]
        if not any(n in taken for n in sheet.around[row.key]):
            assert (blue > red) == (row.text("terrain") == "sea"), row.key
        if row.flag("playable"):
            shade.setdefault(row.text("terrain"), []).append(red + green + blue)
    assert sum(shade["broken"]) / len(shade["broken"]) < sum(shade["clear"]) / len(shade["clear"]) - 60


def test_a_border_that_rules_read_is_seen_in_rivers_too(built: Built, box: Box, layout: Layout) -> None:
    """Along every hexside of such a border its own colour stands out in several places, water or none."""
    image = Image.open(io.BytesIO(built.entries["images/board.png"])).convert("RGB")
    sheet = plan.sheet(layout, box)
    borders = {feature: line.colour for feature, line in plan.hex_map(layout).hexsides.items() if line.style == "border"}
    drawn: dict[tuple[str, str], str] = {}  # where two run along one hexside, the one that is drawn last is seen
    for feature in borders:
        drawn |= {(r.text("hex_a"), r.text("hex_b")): feature for r in box["hexsides"] if r.text("feature") == feature}
    seen = 0
    for row in box["hexsides"]:
        if (feature := row.text("feature")) != drawn.get((row.text("hex_a"), row.text("hex_b"))):
            continue
        (x1, y1), (x2, y2) = pixels(sheet.side(row.text("hex_a"), row.text("hex_b")))
        wanted = tuple(int(borders[feature][i : i + 2], 16) for i in (1, 3, 5))
        found = set()
        for step in range(2, 19):
            x, y = x1 + (x2 - x1) * step / 20, y1 + (y2 - y1) * step / 20
            around = [image.getpixel((round(x + dx), round(y + dy))) for dx in range(-6, 7) for dy in range(-6, 7)]
            if any(sum(abs(a - b) for a, b in zip(pixel, wanted, strict=True)) < 40 for pixel in around):  # type: ignore[arg-type]
                found.add(step)
        assert len(found) >= 5, f"{row.key}: {feature} is seen in {len(found)} of 17 places"
        seen += 1
    assert borders and seen > 30


def test_the_picture_of_the_about_window_is_the_board_at_full_size_under_its_title(built: Built, board: BoardArt, layout: Layout) -> None:
    about = Image.open(io.BytesIO(built.entries["images/about.png"])).convert("RGB")
    full = Image.open(io.BytesIO(built.entries["images/board.png"])).convert("RGB")
    assert about.width <= 1000 and about.height <= 700
    x, y, w, h = layout.board.title_rect
    assert same(about.crop((14, 14, 14 + w, 14 + h)), full.crop((x, y, x + w, y + h)))
    corner = about.crop((about.width - 200, about.height - 100, about.width, about.height))
    left, top = board.heart[0] - about.width * 5 // 8, board.heart[1] - about.height * 9 // 16
    where = (left + about.width - 200, top + about.height - 100, left + about.width, top + about.height)
    assert same(corner, full.crop(where))


def same(a: Image.Image, b: Image.Image) -> bool:
    """Whether two pictures show the same: a line's edge is rounded otherwise at another place of the renderer's own picture."""
    apart = ImageChops.difference(a, b)
    far = sum(count for value, count in enumerate(apart.convert("L").histogram()) if value > 24)
    return a.size == b.size and max(ImageStat.Stat(apart).mean) < 0.05 and far < a.width * a.height // 5000


def test_counters_can_be_told_apart(built: Built, box: Box) -> None:
    """No two units look the same."""
    pictures = [built.entries[f"images/{counters.front_file(p)}"] for p in box.pieces]
    assert len(set(pictures)) == len(pictures)


def test_print_stands_out_and_sides_stay_apart_for_every_eye(box: Box, layout: Layout) -> None:
    assert legible.faults(box, layout, counters.drawings(box, layout)) == []
    assert measure.contrast("#000000", "#ffffff") == pytest.approx(21)
    assert measure.distance("#ffffff", "#000000") == pytest.approx(100, abs=0.1)


def test_red_and_green_of_one_lightness_are_alike_to_some() -> None:
    red, green = "#a06040", "#6b7a3c"
    assert measure.distance(red, green) > 2 * measure.distance(red, green, "deuteranopia")


def test_every_symbol_of_the_layout_is_drawn(layout: Layout) -> None:
    assert len({symbols.unit_symbol(k.symbol, 0, 0, 40, 26, "#000000") for k in layout.counters.kinds}) == len(
        {k.symbol for k in layout.counters.kinds}
    )


def test_charts_mark_what_we_reconstructed(box: Box, layout: Layout) -> None:
    by_file = {c.file: c for c in charts.charts(box, layout)}
    table = by_file["chart-crt.png"].grids[0]
    certain = {(row[0].text, head.text) for row in table.rows[1:] for head, cell in zip(table.rows[0], row, strict=True) if cell.certain}
    assert {(die, odds) for die, odds in certain if odds != "Die"} == {("1", "1:1"), ("3", "4:1"), ("3", "5:1"), ("4", "3:1"), ("6", "4:1")}
    page = charts.html(list(by_file.values()))
    cells = [cell for chart in by_file.values() for grid in chart.grids for row in grid.rows for cell in row]
    assert page.count(" *</i>") == sum(not run.certain and bool(run.text) for cell in cells for run in cell.runs) > 50


def overlaid(tmp_path: Path, name: str, change: Callable[[dict[str, str]], None]) -> Box:
    """The game with one of its tables changed row by row."""
    file = data_root() / GAME / f"{name}.csv"
    with file.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        change(row)
    folder = tmp_path / "overlay"
    folder.mkdir(exist_ok=True)
    with (folder / file.name).open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return load_box(GAME, folder)


def slanted(svg: str, x: int) -> dict[str, set[bool]]:
    """Every one-line text left of ``x``: whether it is set slanted and whether upright."""
    out: dict[str, set[bool]] = {}
    for attributes, left, words in re.findall(r"<text([^>]*?translate\(([\d.-]+) [^>]*)>([^<]*)</text>", svg):
        if float(left) < x:
            out.setdefault(words, set()).add("italic" in attributes)
    return out


def test_reconstructed_victory_points_are_slanted_on_the_map_and_in_the_key(board: BoardArt, box: Box, layout: Layout) -> None:
    sheet = plan.sheet(layout, box)
    for row in box["cities"]:
        x, y = sheet.centre(row.text("hex"))
        found = [
            "italic" in attributes
            for attributes, left, top, words in re.findall(r"<text([^>]*?translate\(([\d.-]+) ([\d.-]+)[^>]*)>(\d+)</text>", board.svg)
            if words == row.text("vp") and abs(float(left) - x) < 2 and abs(float(top) - y) < 9
        ]
        assert found == [not row.source("vp").certain], row.key
    counts = {label: (ours, total) for label, ours, total in doubts(layout, box)}
    unsure = [row for row in box["cities"] if not row.source("vp").certain]
    assert sum(counts[label][0] for label in (CITIES, CAPITALS)) == len(unsure)
    for label, (ours, total) in counts.items():
        words = "reconstructed" if ours == total else f"{ours} of {total} reconstructed"
        assert (f">{words}</text>" in board.svg) or not ours, label


def test_a_corrected_source_stands_upright(tmp_path: Path, layout: Layout) -> None:
    """The slant follows the source columns: no kind is called reconstructed by the code."""
    box = overlaid(tmp_path, "cities", lambda row: row.update(source_vp="rulebook map"))
    counts = {label: ours for label, ours, _ in doubts(layout, box)}
    assert (counts[CITIES], counts[CAPITALS]) == (0, 0)
    svg = draw_board(box, layout).svg
    told = "".join(w for w, s in slanted(svg, layout.board.title_rect[0] + layout.board.title_rect[2]).items() if s == {True})
    assert "Reconstructed, all or some" in told and CITIES not in told
    assert slanted(svg, layout.board.legend_rect[0])["10"] == {False}


def test_the_track_marks_the_last_turn_of_what_is_offered(board: BoardArt, box: Box, layout: Layout, tmp_path: Path) -> None:
    def ends(art: BoardArt, turn: str, data: Box) -> bool:
        x, y, w, h = plan.turn_cells(layout, data)[turn]
        found = re.findall(r"translate\(([\d.-]+) ([\d.-]+)\)[^>]*>GAME ENDS<", art.svg)
        assert len(found) == len(plan.last_turns(layout, data))
        return any(x < float(at) < x + w and y < float(down) < y + h for at, down in found)

    assert set(plan.last_turns(layout, box)) == {"6", "10", "16"}
    assert plan.last_turns(layout, box)["6"] == ("Collapse in the East",)
    assert ends(board, "10", box)
    later = overlaid(tmp_path, "scenarios", lambda row: row.update(last_turn="12", source_turns="rulebook 12.0"))
    assert ends(draw_board(later, layout), "12", later)


def test_the_crt_shows_every_cell_of_the_table(box: Box, layout: Layout) -> None:
    table = next(c for c in charts.charts(box, layout) if c.file == "chart-crt.png").grids[0]
    assert [c.text for c in table.rows[0]] == ["Die", "1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1"]
    for row in table.rows[1:]:
        for head, cell in list(zip(table.rows[0], row, strict=True))[1:]:
            assert cell.text == box["crt"][f"{head.text}|{row[0].text}"].text("result")


# --- the layout's own faults


def faults(text: str, box: Box, tmp_path: Path) -> str:
    path = tmp_path / "module.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(LayoutErrors) as caught:
        read_layout(path, box)
    return str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("across = 72", 'across = "72"', r"module.toml: \[board\] across: '72' is not allowed; a whole number"),
        ("across = 72", "acros = 72", r"\[board\] acros: no such setting; did you mean 'across'"),
        ('paper = "#ece3cb"', 'paper = "white"', r"\[colours\] paper: 'white' is not allowed; a colour like #a0b0c0"),
        ("date = 2026-11-30", 'date = "soon"', "date: 'soon' is not allowed; a date like"),
        ('id = "box-w"', 'id = "box-x"', "'box-x' is no box of the game"),
        ('style = "fort"', 'style = "castle"', "'castle' is not allowed; one of fort, port"),
        ("[terrain.broken]", "[terrain.rough]", "'broken' is no terrain drawn here, but one of the map"),
        ('scenario = "historical"', 'scenario = "hysterical"', "'hysterical' is no scenario of the game"),
        ('Italy = "box-italy"', 'Itly = "box-italy"', "'Itly' is no zone of this file"),
        ('name = "Off Map"', 'name = "Italy"', "'Italy' is here twice; a client tells places by name alone"),
        ("rect = [1990, 560, 626, 176]", "rect = [2990, 560, 626, 176]", "leaves the board of 2660 x 2528"),
        ('markers = ["supply-s", "supply-w"]', 'markers = ["supply-x"]', "'supply-x' is no marker of this file"),
        ("title = [58, 58, 440, 212]", "title = [70, 66]", "a rectangle"),
    ],
)
def test_a_fault_in_the_layout_is_named_with_what_is_allowed(box: Box, tmp_path: Path, old: str, new: str, said: str) -> None:
    text = LAYOUT.read_text("utf-8")
    assert old in text
    assert re.search(said, faults(text.replace(old, new, 1), box, tmp_path))


def test_all_faults_are_told_at_once(box: Box, tmp_path: Path) -> None:
    text = LAYOUT.read_text("utf-8").replace("across = 72", "across = 0").replace('paper = "#ece3cb"', "paper = 7")
    assert len(faults(text, box, tmp_path).splitlines()) == 2


def test_broken_toml_and_a_missing_file_are_told(box: Box, tmp_path: Path) -> None:
    assert "module.toml:1:1: not readable as TOML" in faults("version = ", box, tmp_path)
    with pytest.raises(LayoutErrors, match="is missing"):
        read_layout(tmp_path / "none.toml", box)
