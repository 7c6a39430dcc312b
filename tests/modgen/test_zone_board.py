"""The board of a game of zones and its displays: what is drawn fits, and the client calls every place what is printed on it."""

from __future__ import annotations

import itertools
import random
import re
from pathlib import Path

import pytest

from gamebox.load import data_root, load_box
from gamebox.model import Box
from modgen.art import displays, plan
from modgen.art.board import BoardArt, draw_board
from modgen.art.board.zones import title_size
from modgen.art.zonefield import ZoneField, inside
from modgen.errors import ArtError
from modgen.formats.vassal.xml import Element
from modgen.layout.layout import Layout, read_layout
from modgen.layout.reading import LayoutErrors, Rect
from modgen.layout.tracks import filled
from modgen.vassal import area_grids, grids, maps

from .test_zonefield import even_odd, points_in

ZONED = "overlord-to-berlin"
PATH = data_root() / ZONED / "module.toml"
GRID = "VASSAL.build.module.map.boardPicker.board."


@pytest.fixture(scope="module")
def zoned() -> Box:
    return load_box(ZONED)


@pytest.fixture(scope="module")
def layout(zoned: Box) -> Layout:
    return read_layout(PATH, zoned)


@pytest.fixture(scope="module")
def field(zoned: Box, layout: Layout) -> ZoneField:
    return plan.zone_field(layout, zoned)


@pytest.fixture(scope="module")
def board(zoned: Box, layout: Layout) -> BoardArt:
    return draw_board(zoned, layout)


class Namer:
    """Names points as the engine does: the first zone that holds the point; in it the nearest region where the zone asks for that."""

    def __init__(self, grid: Element) -> None:
        self.zones = [(z, [tuple(map(int, p.split(","))) for p in z.get("path").split(";")]) for z in grid.children]
        self.bounds = [(min(xs), min(ys), max(xs), max(ys)) for _, line in self.zones for xs, ys in [zip(*line, strict=True)]]

    def zone(self, x: int, y: int) -> Element:
        return next(
            z
            for (z, line), (left, top, right, bottom) in zip(self.zones, self.bounds, strict=True)
            if left <= x <= right and top <= y <= bottom and even_odd(line, x, y)
        )

    def __call__(self, x: int, y: int) -> str:
        zone = self.zone(x, y)
        regions = [r for c in zone.children for r in c.children if r.name == GRID + "Region"]
        near = min(regions, key=lambda r: (int(r.get("originx")) - x) ** 2 + (int(r.get("originy")) - y) ** 2, default=None)
        place = near.get("name") if near is not None else ""
        return zone.get("locationFormat").replace("$name$", zone.get("name")).replace("$gridLocation$", place)

    def snapped(self, x: int, y: int) -> tuple[int, int]:
        """Where a counter dropped here comes to lie."""
        regions = [r for c in self.zone(x, y).children for r in c.children if r.name == GRID + "Region"]
        places = [(int(r.get("originx")), int(r.get("originy"))) for r in regions]
        return min(places, key=lambda p: (p[0] - x) ** 2 + (p[1] - y) ** 2, default=(x, y))


@pytest.fixture(scope="module")
def namer(zoned: Box, layout: Layout) -> Namer:
    return Namer(grids.grid(zoned, layout))


def square(x: float, y: float, size: float) -> list[tuple[float, float]]:
    """Points along the edge of a square, and its middle."""
    half = size / 2
    steps = [-half, -half / 2, 0, half / 2, half]
    return [(x + dx, y + dy) for dx in steps for dy in steps if max(abs(dx), abs(dy)) == half or dx == dy == 0]


def within(rect: Rect, count: int = 5) -> list[tuple[int, int]]:
    """Points spread over a rectangle, also close to its edges."""
    x, y, w, h = rect
    return [(x + 2 + (w - 4) * i // (count - 1), y + 2 + (h - 4) * j // (count - 1)) for i in range(count) for j in range(count)]


def overlap(a: Rect, b: Rect) -> bool:
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]


# --- the drawing


def test_no_word_on_the_map_touches_another(board: BoardArt) -> None:
    assert board.words.collisions() == []


def test_every_zone_has_its_number_and_its_name(board: BoardArt, zoned: Box) -> None:
    words = {w.what for w in board.words.boxes}
    for row in zoned["zones"]:
        assert f"name of zone {row.key}" in words
        assert f">{row.key}</text>" in board.svg and f">{row.text('name')}</text>" in board.svg


def test_a_zone_s_name_lies_inside_it(field: ZoneField) -> None:
    for name in field.names():
        x, y = field.label(name)
        w, h = title_size(field, name)
        for dx, dy in itertools.product((-w / 2, 0, w / 2), (-h / 2, 0, h / 2)):
            assert field.holds(name, x + dx, y + dy), name


def test_every_zone_has_room_for_a_pile_of_each_side_and_none_hides_the_name(field: ZoneField, layout: Layout) -> None:
    """Sides meet in zones: at least two piles, whole in the zone (or its box), on no name and not on each other."""
    size = layout.counters.size
    for name in field.names():
        spots = field.spots(name, size)
        assert len(spots) >= 2, name
        box = field.look.places[name].box
        label, (w, h) = field.label(name), title_size(field, name)
        for x, y in spots:
            off_map = box is not None and box[0] <= x - size / 2 and x + size / 2 <= box[0] + box[2]
            if off_map:
                assert box is not None and box[1] + 22 <= y - size / 2 and y + size / 2 <= box[1] + box[3], "below the words of the box"
            else:
                assert all(field.holds(name, px, py) for px, py in square(x, y, size)), (name, x, y)
            assert abs(x - label[0]) >= (w + size) / 2 or abs(y - label[1]) >= (h + size) / 2, (name, x, y)
        for (x1, y1), (x2, y2) in itertools.combinations(spots, 2):
            assert abs(x1 - x2) >= size or abs(y1 - y2) >= size, name


def test_the_line_of_a_box_off_the_map_leads_into_its_zone(field: ZoneField) -> None:
    boxes = {name: place for name, place in field.look.places.items() if place.box is not None}
    assert boxes
    for name, place in boxes.items():
        assert field.holds(name, *place.leader)


def test_every_way_over_sea_is_drawn_and_ends_in_its_zone(field: ZoneField, zoned: Box) -> None:
    drawn = 0
    for link in field.look.links:
        rows = [row for row in zoned[link.table] if link.where(row)]
        assert rows
        for row in rows:
            x, y = link.lines[f"{row.text('from')}-{row.text('to')}"][-1]
            near = [(x + dx, y + dy) for dx in range(-16, 17, 4) for dy in range(-16, 17, 4)]
            assert any(field.holds(row.text("to"), *p) for p in near), (link.name, row.key)
            drawn += 1
    assert drawn == len(zoned["sea_links"])


def test_panels_lie_on_no_zone_and_on_no_other_panel(field: ZoneField, layout: Layout) -> None:
    b = layout.board
    rects = {box.name: box.rect for box in b.boxes} | {h.name: h.rect for h in b.holds} | {t.name: t.rect for t in b.tracks}
    rects |= {"title": b.title_rect, "turns": b.turns_rect, "key": b.legend_rect}
    rects |= {f"box of {name}": place.box for name, place in field.look.places.items() if place.box is not None}
    for (one, a), (two, c) in itertools.combinations(rects.items(), 2):
        assert not overlap(a, c), (one, two)
    for what, rect in rects.items():
        for x, y in within(rect, 12):
            assert not any(field.holds(name, x, y) for name in field.names()), what


def test_the_board_stays_below_what_clients_take(board: BoardArt, layout: Layout) -> None:
    assert board.width * board.height < 40_000_000
    assert (board.width, board.height) == (layout.board.width, layout.board.height)


def test_what_we_reconstructed_is_said_on_the_board(board: BoardArt, zoned: Box) -> None:
    assert ">3 of 6 reconstructed</text>" in board.svg, "landings at 2, 3 and 6 are ours"
    for word in ("Reconstructed,", "borders", "of", "zones,"):
        assert word in board.svg
    for row in zoned["turns"]:
        slanted = re.search(rf'<text[^>]*font-style="italic"[^>]*>{re.escape(row.text("date"))}</text>', board.svg)
        assert bool(slanted) is not row.source("date").certain


def test_drawing_repeats_exactly(board: BoardArt, zoned: Box, layout: Layout) -> None:
    assert draw_board(zoned, layout).svg == board.svg


# --- the client


def test_every_point_of_a_zone_is_reported_by_its_number_and_name(namer: Namer, field: ZoneField, zoned: Box) -> None:
    chance = random.Random(54)
    for row in zoned["zones"]:
        for x, y in (*points_in(field, row.key, 25, chance), field.label(row.key), *field.spots(row.key, 60)):
            assert namer(x, y) == f"{row.key} {row.text('name')}"


def test_every_cell_box_and_track_is_reported_by_its_own_name(namer: Namer, zoned: Box, layout: Layout) -> None:
    for track in layout.board.tracks:
        for _, cell, rect in plan.track_cells(zoned, track):
            assert {namer(*p) for p in within(rect)} == {cell.name}
            assert namer.snapped(*within(rect)[0]) == plan.cell_spot(rect)
    for turn, rect in plan.turn_cells(layout, zoned).items():
        assert {namer(*p) for p in within(rect)} == {f"Turn {turn}"}
    for area in layout.board.boxes:
        assert {namer(*p) for p in within(area.rect)} == {area.name}
    for hold in layout.board.holds:
        assert {namer(*p) for p in within(hold.rect)} == {hold.name}


def test_the_rest_of_the_board_has_a_name_too(namer: Namer, layout: Layout) -> None:
    assert layout.board.areas is not None
    width, height = layout.board.width, layout.board.height
    for x, y in ((900, 620), (3, 3), (width - 3, height - 3), (1220, 760)):
        assert namer(x, y) == layout.board.areas.elsewhere


def test_names_are_told_apart_and_regions_too(zoned: Box, layout: Layout) -> None:
    made = [grids.grid(zoned, layout)]
    made += [area_grids.display_grid(zoned, layout, displays.plan(zoned, layout, d)) for d in layout.displays]
    for kind in ("mapgrid.Zone", "Region"):
        names = [e.get("name") for grid in made for e in grid.iter() if e.name == GRID + kind]
        assert len(names) == len(set(names))


def test_tracks_reach_as_far_as_the_game_s_do(zoned: Box, layout: Layout) -> None:
    cells = [(row.label, cell) for track in layout.board.tracks for row, cell, _ in plan.track_cells(zoned, track)]
    ends = {row.text("name").split(": ")[-1]: row.int("maximum") for row in zoned["tracks"] if row.values["maximum"] is not None}
    assert ends == {"England": 10, "Italy": 4}
    for label, end in ends.items():
        assert [cell.value for found, cell in cells if found == label] == [str(n) for n in range(end + 1)]
    strengths = [row.text("strength") for row in zoned["crt_columns"]]
    assert [cell.value for label, cell in cells if label == "Attacker"] == strengths


def test_the_cells_of_the_events_cover_every_throw_once(zoned: Box, layout: Layout) -> None:
    """And throws that share a cell have the same effect."""
    track = next(t for t in layout.board.tracks if t.name == "Political Events")
    sides = {"West": "west", "Soviets": "soviet", "Axis": "axis"}
    for row in track.rows:
        effects = {r.int("roll"): r.text("effect") for r in zoned["political_events"] if r.text("side") == sides[row.label]}
        seen: list[int] = []
        for value, _ in row.texts:
            first, _, last = value.partition("-")
            rolls = range(int(first), int(last or first) + 1)
            assert len({effects[roll] for roll in rolls}) == 1, (row.label, value)
            seen += rolls
        assert seen == sorted(effects)


# --- displays


def test_every_box_of_the_game_lies_on_the_board_or_on_a_display(zoned: Box, layout: Layout) -> None:
    on_board = {area.id for area in layout.board.boxes}
    shown = {card.id for d in layout.displays for card in displays.plan(zoned, layout, d).cards}
    assert on_board | shown == set(zoned["boxes"].by_key)
    for row in zoned["boxes"]:
        if row.text("kind") in ("display", "hand", "reserve"):
            assert row.key in shown, "what is hidden lies on a display"
        if not row.flag("secret"):
            assert row.key in on_board, "what is public lies on the board"


def test_a_display_shows_its_side_s_formations_with_their_capacity(zoned: Box, layout: Layout) -> None:
    assert {d.side for d in layout.displays} == {row.key for row in zoned["sides"]}
    for display in layout.displays:
        made = displays.plan(zoned, layout, display)
        formations = [row for row in zoned["formations"] if row.text("side") == display.side]
        cards = [card for card in made.cards if card.slots]
        assert [card.id for card in cards] == [row.key for row in sorted(formations, key=lambda r: r.int("order"))]
        for card in cards:
            row = zoned["formations"][card.id]
            assert (card.title, len(card.slots)) == (row.text("name"), row.int("capacity"))
            start = zoned["setups"][f"campaign|{card.id}"].text("place")
            named = zoned["boxes"][start].text("name") if zoned["boxes"].get(start) else f"{start} {zoned['zones'][start].text('name')}"
            assert any(named in word for word in card.words)


def test_what_lies_in_a_box_of_a_display_is_reported_by_the_box_and_stands_in_a_slot(zoned: Box, layout: Layout) -> None:
    size = layout.counters.size
    for display in layout.displays:
        made = displays.plan(zoned, layout, display)
        namer = Namer(area_grids.display_grid(zoned, layout, made))
        assert all(card.rect[0] + card.rect[2] <= made.width and card.rect[1] + card.rect[3] <= made.height for card in made.cards)
        for card in made.cards:
            assert {namer(*p) for p in within(card.rect)} == {card.name}
            for n in range(12):
                x, y = card.spot(n, size)
                assert card.rect[0] <= x - size / 2 and x + size / 2 <= card.rect[0] + card.rect[2]
                assert card.rect[1] + plan.HEADER <= y - size / 2 and y + size / 2 <= card.rect[1] + card.rect[3]
            for slot in card.slots:
                assert namer.snapped(slot[0] + 9, slot[1] - 9) == slot
        for a, b in itertools.combinations(made.cards, 2):
            assert not overlap(a.rect, b.rect)
        assert namer(3, 3) == display.name


def test_a_display_opens_for_its_own_seats_only_and_says_no_names(zoned: Box, layout: Layout) -> None:
    sides = {row.key: row.text("owner_two_players") for row in zoned["sides"]}
    for display in layout.displays:
        window = maps.display_map(zoned, layout, display)
        seats = window.get("side").split(",")
        rivals = set(sides.values()) - {sides[display.side]}
        assert sides[display.side] in seats and not rivals & set(seats)
        assert window.get("visible") == "false" and window.get("launch") == "true"
        said = [window.get(name) for name in ("moveToFormat", "moveWithinFormat", "createFormat")]
        assert not any("$" in text for text in said)


# --- faults of the layout


def faults(text: str, box: Box, tmp_path: Path) -> str:
    path = tmp_path / "module.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(LayoutErrors) as caught:
        read_layout(path, box)
    return str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("scale = 125", 'scale = "1"', r"\[board\] scale: '1' is not allowed; a whole number from 10 to 2000"),
        ("view = [20, 50, 2852, 2317]", "view = [20]", r"\[board\] view: \[20\] is not allowed; \[x, y, width, height\]"),
        ('named = "{zone} {name}"', 'named = "{zonk}"', r"\[board\] named: '\{zonk\}' is not allowed .*columns in braces"),
        ('named = "{zone} {name}"', 'named = "{sector}"', r"\[board\] named: 'west' is here twice; a client tells places by name"),
        ("[terrain.alps]", "[terrain.peaks]", r"\[terrain\]: 'alps' is no terrain drawn here, but one of the map"),
        ("\n37 = { label", "\n73 = { label", r"\[place\]: '73' is no zone of the game"),
        ('texture = "marsh"', 'texture = "bog"', r"\[\[cover\]\] 3 texture: 'bog' is not allowed; one of none, hills"),
        ('symbol = "derrick"', 'symbol = "tower"', r"\[\[icon\]\] 3 symbol: 'tower' is not allowed; one of anchor"),
        ("west-reserve-10 = ", "west-reserve-11 = ", r"\[link.arrival.lines\]: 'west-reserve-10' is no line drawn here"),
        ('rivers = ["Rhine"', 'rivers = ["Rein"', r"\[board\] rivers: 'Rein' is no river of the game"),
        ('table = "crt_columns"', 'table = "crt_rows"', r"\[\[track\]\] 'Combat Columns', row 'Attacker': 'crt_rows' is no table"),
        ("rect = [24, 2950, 1440, 290]", "rect = [24, 3950, 1440, 290]", "'Resource Points': its rectangle leaves the board"),
        ('id = "axis-hand"', 'id = "axis-head"', "'Axis Display': 'axis-head' is no box of the game"),
        ('slots = "capacity"', 'slots = "room"', "'Axis Display': 'room' is no column of formations"),
        ('title = "{name}"\nslots', 'title = "{nome}"\nslots', "'Axis Display': 'nome' is no column of formations"),
        ('id = "soviet-destroyed"', 'id = "axis-destroyed"', "'soviet-destroyed' is no box drawn here, but one of the game"),
    ],
)
def test_a_fault_in_the_layout_is_named_with_what_is_allowed(zoned: Box, tmp_path: Path, old: str, new: str, said: str) -> None:
    text = PATH.read_text("utf-8")
    assert old in text
    assert re.search(said, faults(text.replace(old, new, 1), zoned, tmp_path))


def test_a_label_on_a_zone_s_name_is_refused(zoned: Box, tmp_path: Path) -> None:
    text = PATH.read_text("utf-8").replace('text = "IRELAND"\n', 'text = "IRELAND"\nat = "37"\n', 1)
    path = tmp_path / "module.toml"
    path.write_text(text, "utf-8")
    layout = read_layout(path, zoned)
    x, y = plan.zone_field(layout, zoned).centre("37")
    dx, dy = layout.board.areas.places["37"].label if layout.board.areas else (0, 0)
    moved = re.sub(r'(at = "37"\n.*\n)dx = \d+\ndy = \d+', rf"\g<1>dx = {dx - x}\ndy = {dy - y}", text)
    path.write_text(moved, "utf-8")
    with pytest.raises(ArtError, match=r"\[\[label\]\] 'IRELAND' at 37 touches name of zone 37: move it"):
        draw_board(zoned, read_layout(path, zoned))


def test_templates_take_columns_names_of_pieces_and_labels(zoned: Box) -> None:
    row = zoned["formations"]["we-5us"]
    assert filled("{name}: {command:label} ({piece:piece})", row, zoned, {"us": "US"}) == "5 US Army: US (5 US Army)"
    assert filled("{start} {capacity}", row, zoned, start="9") == "9 4"
    with pytest.raises(KeyError):
        filled("{nothing}", row, zoned)


def test_inside_is_even_and_odd() -> None:
    rings = [[(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)], [(3.0, 3.0), (7.0, 3.0), (7.0, 7.0), (3.0, 7.0)]]
    assert inside(rings, 1, 1) and not inside(rings, 5, 5)
