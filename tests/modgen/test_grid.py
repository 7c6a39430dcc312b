"""The engine must call every hex what is printed on it.

The engine's arithmetic is written down here a second time, from the description of the format and without our own code, and is
first tried on a module that the engine itself has run.
"""

from __future__ import annotations

import io
import itertools
import math
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from gamebox.load import data_root
from gamebox.model import Box, Grid
from modgen.art import plan
from modgen.art.sheet import Sheet
from modgen.formats.vassal.xml import Element, element, from_bytes
from modgen.layout.layout import Layout
from modgen.vassal import grids

from .conftest import Built

GRID = "VASSAL.build.module.map.boardPicker.board."
Square = list[tuple[int, int]]


def java_round(value: float) -> int:
    return math.floor(value + 0.5)


def padded(value: int, leading: int) -> str:
    return ("-" if value < 0 else "") + str(abs(value)).zfill(leading + 1)


def hex_name(grid: Element, numbering: Element, board: tuple[int, int], x: int, y: int) -> str:
    """The name by section 4.2 and 4.3 of the format: raw column and row, the odd maxima, descending, offsets."""
    flag = lambda e, name: e.get(name, "false") == "true"  # noqa: E731
    dx, dy = float(grid.get("dx")), float(grid.get("dy"))
    x0, y0 = int(grid.get("x0")), int(grid.get("y0"))
    width, height = board
    px, py = (y, x) if flag(grid, "sideways") else (x, y)
    column = math.floor((px - x0) / dx + 0.5)
    row = java_round((py - y0) / dy) if column % 2 == 0 else java_round((py - y0 - dy / 2) / dy)
    odd = column % 2 == 1
    max_rows, max_columns = math.floor(height / dx + 0.5), math.floor(width / dy + 0.5)
    if flag(grid, "sideways"):
        if flag(numbering, "vDescend"):
            column = max_rows - column
        if flag(numbering, "hDescend"):
            row = max_columns - row
    else:
        if flag(numbering, "hDescend"):
            column = max_columns - column
        if flag(numbering, "vDescend"):
            row = max_rows - row
    if numbering.get("stagger", "true") == "true" and odd:
        row += 1
    a = padded(column + int(numbering.get("hOff")), int(numbering.get("hLeading")))
    b = padded(row + int(numbering.get("vOff")), int(numbering.get("vLeading")))
    return a + numbering.get("sep") + b if numbering.get("first") == "H" else b + numbering.get("sep") + a


def inside(line: Square, x: float, y: float) -> bool:
    """Even-odd, as the engine's polygons."""
    found = False
    for (x1, y1), (x2, y2) in zip(line, line[1:] + line[:1], strict=True):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            found = not found
    return found


def in_grid(grid: Element, holder: tuple[int, int], x: int, y: int) -> str:
    """The name of a point in a hex grid, by the numbering inside it."""
    return hex_name(grid, next(c for c in grid.children if c.name.endswith("HexGridNumbering")), holder, x, y)


def polygon(zone: Element) -> Square:
    return [(int(a), int(b)) for a, b in (point.split(",") for point in zone.get("path").split(";"))]


class Namer:
    """Names points of a board as the engine does: the first zone that holds the point, else the background grid."""

    def __init__(self, root: Element, board: tuple[int, int]) -> None:
        zoned = next(e for e in root.iter() if e.name == GRID + "ZonedGrid")
        self.board = board
        self.zones = [(z, polygon(z)) for z in zoned.children if z.name.endswith("mapgrid.Zone")]
        self.background = next((c for c in zoned.children if c.name == GRID + "HexGrid"), None)

    @property
    def grid(self) -> Element:
        assert self.background is not None
        return self.background

    def zone(self, x: int, y: int) -> Element | None:
        return next((zone for zone, line in self.zones if inside(line, x, y)), None)

    def __call__(self, x: int, y: int) -> str:
        zone = self.zone(x, y)
        own = next((c for c in zone.children if c.name == GRID + "HexGrid"), None) if zone is not None else None
        if zone is not None and own is not None:
            # What holds the grid is the zone: the engine takes the bounds of its polygon for the size.
            xs, ys = [a for a, _ in polygon(zone)], [b for _, b in polygon(zone)]
            return zone.get("locationFormat").replace("$gridLocation$", in_grid(own, (max(xs) - min(xs), max(ys) - min(ys)), x, y))
        if zone is None or zone.get("useParentGrid") == "true":
            name = in_grid(self.background, self.board, x, y) if self.background is not None else "offboard"
            return name if zone is None else zone.get("locationFormat").replace("$gridLocation$", name)
        regions = [r for c in zone.children for r in c.children if r.name == GRID + "Region"]
        nearest = min(regions, key=lambda r: math.dist((x, y), (int(r.get("originx")), int(r.get("originy")))), default=None)
        place = nearest.get("name") if nearest is not None else ""
        return zone.get("locationFormat").replace("$name$", zone.get("name")).replace("$gridLocation$", place)


def image_size(data: bytes) -> tuple[int, int]:
    return Image.open(io.BytesIO(data)).size


def test_this_arithmetic_names_the_hexes_of_a_module_that_the_engine_has_run() -> None:
    """The club's module: 0101 in the south west, first centre (3901) at 30,32, rows 38 and columns 44 pixels apart."""
    path = Path(data_root() / "battle-for-germany/samples/bfg-club.vmod")
    with zipfile.ZipFile(path) as archive:
        namer = Namer(from_bytes(archive.read("buildFile.xml"), "buildFile.xml"), image_size(archive.read("images/europa.png")))
    for row in range(1, 40):
        for column in range(1, 27):
            x, y = 30 + 44 * (column - 1) + (0 if row % 2 else 22), 32 + 38 * (39 - row)
            assert namer(x, y) == f"{row:02}{column:02}"


@pytest.fixture(scope="module")
def namer(built: Built) -> Namer:
    return Namer(built.root, image_size(built.entries["images/board.png"]))


@pytest.mark.parametrize(("dx", "dy"), [(0, 0), (10, 0), (-10, 0), (0, 10), (0, -10), (10, 10), (-10, 10), (10, -10), (-10, -10)])
def test_every_hex_is_named_as_drawn_also_beside_its_centre(namer: Namer, box: Box, layout: Layout, dx: int, dy: int) -> None:
    sheet = plan.sheet(layout, box)
    hexes = [row.key for row in box["hexes"]]
    assert len(hexes) == 1014
    wrong = {}
    for name in hexes:
        x, y = sheet.centre(name)
        if namer(x + dx, y + dy) != name:
            wrong[name] = namer(x + dx, y + dy)
    assert not wrong


def test_a_dropped_piece_snaps_to_the_centre_that_is_drawn(namer: Namer, box: Box, layout: Layout) -> None:
    """By section 4.2: px = int(dx*c + x0), py = int(dy*r + y0), plus int(dy/2) in odd lines; both swapped on a sideways grid."""
    sheet = plan.sheet(layout, box)
    dx, dy = float(namer.grid.get("dx")), float(namer.grid.get("dy"))
    x0, y0 = int(namer.grid.get("x0")), int(namer.grid.get("y0"))
    for row in box["hexes"]:
        x, y = sheet.centre(row.key)
        column = math.floor((y - x0) / dx + 0.5)
        raw = java_round((x - y0 - (dy / 2 if column % 2 else 0)) / dy)
        assert (int(dy * raw + y0) + (int(dy / 2) if column % 2 else 0), int(dx * column + x0)) == (x, y)


@pytest.mark.parametrize("columns_from", ["east", "west"])
@pytest.mark.parametrize("rows_from", ["north", "south"])
@pytest.mark.parametrize("stagger", ["odd-east", "odd-west"])
@pytest.mark.parametrize(("across", "down"), [(80, 69), (72, 62)])
def test_hexes_of_several_sheets_have_their_letters(columns_from: str, rows_from: str, stagger: str, across: int, down: int) -> None:
    """All over the rectangle that the client takes for a hex, to its last pixels, on both sides of the join."""
    grid = Grid(9, 11, rows_from=rows_from, columns_from=columns_from, stagger=stagger, sheets=(("A", 4), ("B", 5), ("C", 2)))
    sheet = Sheet(grid, across, down, 44, 37)
    root = element("root")
    zoned = root.add(GRID + "ZonedGrid")
    for letters in "ABC":
        zoned.append(grids.hex_zone(sheet, f"Map {letters}", [name for name in sheet.names() if name[0] == letters]))
    namer = Namer(root, (2000, 1500))
    left, top, right, bottom = -across // 2, -(down // 2), across // 2 - 1, down - down // 2 - 1
    names = list(sheet.names())
    assert len(names) == 99 and {name[0] for name in names} == set("ABC")
    for name in names:
        x, y = sheet.centre(name)
        for dx, dy in itertools.product((left, 0, right), (top, 0, bottom)):
            assert namer(x + dx, y + dy) == name
    assert namer(20, 20) == "offboard"


def test_hexes_stand_where_the_printed_numbering_puts_them(box: Box, layout: Layout) -> None:
    """0101 in the south west, 3926 in the north east, odd rows half a hex to the west of even ones."""
    sheet = plan.sheet(layout, box)
    x, y = sheet.centre("0101")
    assert sheet.centre("0102") == (x + plan.hex_map(layout).across, y)
    assert sheet.centre("0201") == (x + plan.hex_map(layout).across // 2, y - plan.hex_map(layout).down)
    assert sheet.centre("0301") == (x, y - 2 * plan.hex_map(layout).down)
    assert sheet.centre("3926") == (x + 25 * plan.hex_map(layout).across, y - 38 * plan.hex_map(layout).down)


def test_the_theater_of_a_hex_is_the_zone_around_it(namer: Namer, box: Box, layout: Layout) -> None:
    sheet = plan.sheet(layout, box)
    zones = {"west": "West", "east": "East", "both": "Berlin", "none": "Other hexes"}
    for row in box["hexes"]:
        x, y = sheet.centre(row.key)
        expected = "Italy" if row.text("theater") == "west" and row.text("country") == "italy" else zones[row.text("theater")]
        for dx, dy in ((0, 0), (9, 9), (-9, -9)):
            zone = namer.zone(x + dx, y + dy)
            assert (zone.get("name") if zone is not None else None) == expected, row.key


def test_boxes_and_turns_are_named_and_lie_off_the_hexes(namer: Namer, box: Box, layout: Layout) -> None:
    for area in layout.board.boxes:
        assert namer(*plan.middle(area.rect)) == area.name
        assert area.name == box["boxes"][area.id].text("name") or area.name in box["boxes"][area.id].items("aliases")
        for piece in box.pieces:
            if piece.side in area.sides:
                assert namer(*plan.spot(layout, box, area, piece)) == area.name
    for turn in box["turns"]:
        assert namer(*plan.turn_spot(layout, box, turn.key)) == f"Turn {turn.key}"
    for hold in layout.board.holds:
        for x, y in plan.hold_spots(layout, hold.rect, 8):
            assert namer(x, y) == hold.name
