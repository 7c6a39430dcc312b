"""Outlines of zones in pixels: neighbours share their borders, and the client takes no point of a zone for another's."""

from __future__ import annotations

import itertools
import math
import random
import tomllib
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebox.load import BoxError, load_box
from gamebox.model import Box
from modgen.art.svg import Point
from modgen.art.zonefield import ZoneField, clipped, inside, length, off, smooth, thinned
from modgen.errors import ArtError
from modgen.layout.reading import Reader
from modgen.layout.zonemap import ZoneLook, read_zone_map
from modgen.vassal import zones
from modgen.vassal.area_grids import area_line

ZONED = "overlord-to-berlin"
LOOK = """
[board]
scale = 125
view = [20, 50, 2852, 2317]
named = "{zone} {name}"
elsewhere = "nowhere"
[water]
shore = "#dbecf2"
open = "#b3d3e2"
deep = "#93bdd3"
line = "#2f6f96"
river = "#4a90bd"
[terrain.clear]
fill = "#f2ead2"
label = "Clear"
[place]
14 = { label = [1556, 1816], spots = [[1178, 1884]], box = [1140, 1818, 212, 106], leader = [1420, 1840] }
"""
EDGE = 2.0
"""Pixels from a border within which the client may take a point for the neighbour's."""


def look_of(text: str) -> ZoneLook:
    errors: list[BoxError] = []
    top = Reader(tomllib.loads(text), "", errors, "module.toml")
    made = read_zone_map(top, top.table("board"))
    assert not errors
    return made


@pytest.fixture(scope="module")
def zoned() -> Box:
    return load_box(ZONED)


@pytest.fixture(scope="module")
def field(zoned: Box) -> ZoneField:
    return ZoneField(zoned, look_of(LOOK), 24, 24)


def even_odd(line: Sequence[Point], x: float, y: float) -> bool:
    """The engine's rule, written down a second time."""
    crossings = 0
    for (x1, y1), (x2, y2) in zip(line, (*line[1:], line[0]), strict=True):
        if (y1 <= y < y2) or (y2 <= y < y1):
            crossings += x < x1 + (x2 - x1) * (y - y1) / (y2 - y1)
    return crossings % 2 == 1


def to_border(field: ZoneField, name: str, x: float, y: float) -> float:
    rings = field.rings(name)
    return min(off((x, y), a, b) for ring in rings for a, b in zip(ring, (*ring[1:], ring[0]), strict=True))


def points_in(field: ZoneField, name: str, count: int, chance: random.Random) -> list[tuple[int, int]]:
    """Whole pixels in a zone as drawn and shown, not at its very border."""
    rings = field.rings(name)
    xs, ys = [x for ring in rings for x, _ in ring], [y for ring in rings for _, y in ring]
    width, height = field.size
    out = []
    while len(out) < count:
        x, y = chance.randint(int(min(xs)), int(max(xs))), chance.randint(int(min(ys)), int(max(ys)))
        shown = field.left + EDGE < x < field.left + width - EDGE and field.top + EDGE < y < field.top + height - EDGE
        if shown and inside(rings, x, y) and to_border(field, name, x, y) > EDGE:
            out.append((x, y))
    return out


def test_neighbours_share_every_point_of_their_border(field: ZoneField, zoned: Box) -> None:
    """As drawn and as the client has it: no sliver between them belongs to a third or to nobody."""
    for row in zoned["adjacency"]:
        a, b = row.text("zone_a"), row.text("zone_b")
        arcs = field.between(a, b)
        assert arcs, f"{a} and {b}"
        drawn = [{p for ring in field.rings(name) for p in ring} for name in (a, b)]
        client = [{p for ring in field.shape(name) for p in ring} for name in (a, b)]
        for arc in arcs:
            assert set(arc.line) <= drawn[0] & drawn[1]
            shown = {p for p in arc.thin if 24 <= p[0] <= 24 + field.size[0] and 24 <= p[1] <= 24 + field.size[1]}
            assert shown <= client[0] & client[1]


def test_no_arc_is_the_border_of_more_than_two_zones(field: ZoneField) -> None:
    assert {len(arc.zones) for arc in field.arcs} == {1, 2}
    assert len({arc.raw for arc in field.arcs}) == len(field.arcs)


def test_every_point_of_a_zone_is_the_client_s_too(field: ZoneField) -> None:
    """Of the zones in their order the first that holds a point names it."""
    chance = random.Random(1944)
    lines = {name: area_line(field, name) for name in field.names()}
    bounds = {
        name: (min(x for x, _ in line), min(y for _, y in line), max(x for x, _ in line), max(y for _, y in line))
        for name, line in lines.items()
    }
    for name in field.names():
        for x, y in points_in(field, name, 40, chance):
            holding = [
                other
                for other, (left, top, right, bottom) in bounds.items()
                if left <= x <= right and top <= y <= bottom and even_odd(lines[other], x, y)
            ]
            assert holding == [name], (x, y)


def test_a_point_at_sea_is_in_no_zone(field: ZoneField) -> None:
    for x, y in ((900, 300), (3500, 2300), (60, 2100), (1900, 620)):
        assert not any(even_odd(area_line(field, name), x, y) for name in field.names())


def test_the_box_off_the_map_belongs_to_its_zone_and_the_way_to_it_does_not(field: ZoneField) -> None:
    line = area_line(field, "14")
    for x, y in ((1150, 1830), (1246, 1871), (1345, 1920), (1556, 1816)):
        assert even_odd(line, x, y), (x, y)
    for x, y in ((1365, 1871), (1246, 1800), (1130, 1871), (1246, 1935)):
        assert not even_odd(line, x, y), (x, y)


def test_the_client_s_outlines_are_short_and_end_with_the_map(field: ZoneField) -> None:
    width, height = field.size
    total = 0
    for name in field.names():
        for ring in field.shape(name):
            total += len(ring)
            assert all(24 <= x <= 24 + width and 24 <= y <= 24 + height for x, y in ring)
            assert all(a != b for a, b in zip(ring, (*ring[1:], ring[0]), strict=True))
    drawn = sum(len(ring) for name in field.names() for ring in field.rings(name))
    assert total < 0.8 * drawn


def test_a_drawing_too_small_for_a_zone_is_refused(zoned: Box) -> None:
    tiny = ZoneField(zoned, look_of(LOOK.replace("scale = 125", "scale = 10").replace("[place]", "").split("14 =")[0]), 0, 0)
    assert all(tiny.shape(name) for name in tiny.names()), "10 pixels for 100 km are still enough for each"
    with pytest.raises(ArtError, match=r"zone 14 is too small to be drawn at 0 pixels"):
        ZoneField(zoned, replace(tiny.look, scale=0), 0, 0).shape("14")
    with pytest.raises(ArtError, match="'99' is no zone of this map"):
        tiny.label("99")


def test_which_side_of_a_border_is_inside(field: ZoneField) -> None:
    for arc in field.arcs:
        sides = [field.inward(arc, name) for name in arc.zones]
        assert len(set(sides)) == len(sides), "the zones of a border lie on its two sides"


def test_without_a_place_the_name_stands_where_the_table_writes_it(field: ZoneField, zoned: Box) -> None:
    row = zoned["zones"]["37"]
    x, y = field.label("37")
    assert abs(x - (24 + (float(row.text("label_x")) - 20) * 1.25)) <= 0.5
    assert abs(y - (24 + (float(row.text("label_y")) - 50) * 1.25)) <= 0.5
    spots = field.spots("37", 60)
    assert len(spots) == 3 and all(math.dist(a, b) >= 60 for a, b in itertools.combinations(spots, 2))
    assert field.called("37") == "37 Minsk"


# --- lines

coordinates = st.floats(-500, 500).map(lambda v: round(v, 1))
lines_of_points = st.lists(st.tuples(coordinates, coordinates), min_size=2, max_size=40, unique=True)


@given(lines_of_points, st.floats(0.1, 20))
def test_a_thinned_line_keeps_its_ends_and_stays_near(line: list[Point], tolerance: float) -> None:
    thin = thinned(line, tolerance)
    assert (thin[0], thin[-1]) == (line[0], line[-1])
    at = -1
    kept = []
    for point in thin:
        at = line.index(point, at + 1)
        kept.append(at)
    for first, last in itertools.pairwise(kept):
        assert all(off(p, line[first], line[last]) <= tolerance + 1e-6 for p in line[first : last + 1])


@given(lines_of_points)
def test_a_closed_line_thinned_by_any_measure_is_no_point(line: list[Point]) -> None:
    closed = [*line, line[0]]
    thin = thinned(closed, 1e9)
    assert thin[0] == thin[-1] == line[0] and len(thin) >= 3


@given(lines_of_points)
def test_a_smoothed_line_keeps_its_ends_and_grows_no_longer(line: list[Point]) -> None:
    out = smooth(line)
    assert (out[0], out[-1]) == (line[0], line[-1])
    assert length(out) <= length(line) + 1e-6
    closed = smooth([*line, line[0]])
    assert closed[0] == closed[-1] or len(line) < 2


@given(lines_of_points.filter(lambda line: len(line) >= 3), coordinates, coordinates)
def test_what_is_clipped_is_what_lies_in_the_rectangle(ring: list[Point], x: float, y: float) -> None:
    rect = (-200, -100, 300, 250)
    out = clipped(ring, rect)
    assert all(-200 - 1e-6 <= px <= 100 + 1e-6 and -100 - 1e-6 <= py <= 150 + 1e-6 for px, py in out)
    far = all(off((x, y), a, b) > 1e-3 for a, b in zip(ring, (*ring[1:], ring[0]), strict=True))
    if far and -199 < x < 99 and -99 < y < 149:
        assert bool(out and even_odd(out, x, y)) == even_odd(ring, x, y)


def test_outlines_joined_by_cuts_hold_what_they_held() -> None:
    squares = [zones.rectangle((0, 0, 10, 10)), zones.rectangle((30, 5, 10, 10)), zones.rectangle((12, 40, 10, 10))]
    line = zones.joined(squares)
    for x, y in ((5, 5), (35, 10), (17, 45)):
        assert even_odd(line, x + 0.5, y + 0.5)
    for x, y in ((20, 7), (11, 25), (25, 30)):
        assert not even_odd(line, x + 0.5, y + 0.5)
