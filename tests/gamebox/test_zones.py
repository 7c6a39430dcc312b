"""A board of zones as data: outlines as rings of points, adjacency as pairs, and what of it is held by whom."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebox.geometry import GeometryError, Zones, zones
from gamebox.load import BoxErrors, load_box
from gamebox.schema import CellError, Scope, parse_type, read_cell
from modgen.check import check
from modgen.fmt import fmt

GAME = "pond-war"

# Two shores, an island of two parts between them, and a road over a ford that is no border.
FILES = {
    "game.toml": """\
id = "pond-war"
short = "pond"
title = "Pond War"
version = "1"

[zones]
width = 20
height = 10
zones = "areas"
outlines = "shapes"
adjacency = "ways"

[tables.areas]
file = "areas.csv"
key = ["area"]
[tables.areas.columns]
area = "int(1..)"
label_x = "decimal"
label_y = "decimal"
source = "source"

[tables.shapes]
file = "shapes.csv"
key = ["area", "ring"]
[tables.shapes.columns]
area = "ref(areas)"
ring = "int(1..)"
points = "points"
source = "source"

[tables.ways]
file = "ways.csv"
key = ["a", "b"]
[tables.ways.columns]
a = "ref(areas)"
b = "ref(areas)"
source = "source"
""",
    "areas.csv": """\
area,label_x,label_y,source
2,2.5,5,rulebook map
9,7.5,5,rulebook map
10,12.5,1,rulebook map
""",
    "shapes.csv": """\
area,ring,points,source
2,1,"0,0 5,0 5,5 5,10 0,10 0,0",rulebook map
9,1,"5,0 10,0 10,10 5,10 5,5 5,0",rulebook map
10,1,"12,0 14,0 14,4 12,4 12,0",rulebook map
10,2,"15.5,0 17,0 17,4.25 15.5,0",rulebook map
""",
    "ways.csv": """\
a,b,source
2,9,rulebook map
""",
}


def write(root: Path, **changed: str) -> Path:
    folder = root / GAME
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in FILES.items():
        (folder / name).write_text(changed.get(name.partition(".")[0], text), encoding="utf-8")
    return root


def replaced(name: str, old: str, new: str) -> str:
    assert FILES[name].count(old) == 1, (name, old)
    return FILES[name].replace(old, new)


def findings(root: Path) -> list[str]:
    return [str(finding) for finding in check(GAME, root=root).findings]


def test_the_zones_of_a_box_come_from_its_tables(tmp_path: Path) -> None:
    box = load_box(GAME, root=write(tmp_path))
    assert box.zones is not None and (box.zones.width, box.zones.height, box.zones.unit) == (20, 10, "")
    assert box["shapes"]["10|2"].points("points") == ((15.5, 0.0), (17.0, 0.0), (17.0, 4.25), (15.5, 0.0))
    board = zones(box)
    assert board is not None
    assert board.neighbours("2") == ("9",) and board.neighbours("10") == ()
    assert [board.zone_at(*place) for place in ((2, 2), (7, 2), (13, 1), (16.9, 1), (14.5, 1))] == ["2", "9", "10", "10", None]
    assert fmt(GAME, tmp_path, write=False).repairs == ()


def test_a_game_in_order_passes_and_says_what_was_held(tmp_path: Path) -> None:
    report = check(GAME, root=write(tmp_path))
    assert report.findings == ()
    assert {one.name: one.cases for one in report.checks} == {
        "outlines of zones are there, close, and cross themselves nowhere": 4,
        "zones do not lie over each other": 3,
        "labels of zones lie inside them": 3,
        "adjacent zones are named once, and are those that touch": 1,
    }


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("shapes.csv", "5,10 0,10 0,0", "5,10 0,10", "shapes.csv:2:1: 2|1: 5 points that do not close; allowed: three or more,"),
        ("shapes.csv", "14,4 12,4", "12,4 14,4", "shapes.csv:4:1: 10|1 meets itself after"),
        ("shapes.csv", "0,10 0,0", "0,11 0,0", "shapes.csv:2:1: 2|1 leaves the board; allowed: 0,0 to 20,10"),
        (
            "shapes.csv",
            '10,2,"15.5,0 17,0 17,4.25 15.5,0"',
            '9,2,"13,1 17,1 17,4 13,4 13,1"',
            "areas.csv:4:1: zones 9 and 10 lie over each other by about 3 square units",
        ),
        ("areas.csv", "10,12.5,1", "10,14.5,1", "areas.csv:4:1: zone 10: its label at 14.5,1 lies outside of it"),
        ("areas.csv", "10,12.5,1", "8,1,1,rulebook map\n10,12.5,1", "areas.csv:4:1: zone 8 has no outline in shapes.csv"),
        ("ways.csv", "2,9", "9,2", "ways.csv:2:1: 9 and 2: allowed: two different zones, each pair once, in the order of the zones"),
        ("ways.csv", "2,9", "2,9,rulebook map\n9,9", "ways.csv:3:1: 9 and 9: allowed: two different zones"),
        ("ways.csv", "2,9", "2,9,rulebook map\n9,10", "ways.csv:3:1: 9 and 10 are adjacent, but their outlines have no edge in common"),
        ("ways.csv", "2,9,rulebook map\n", "", "areas.csv:2:1: the outlines of 2 and 9 have an edge in common, but ways.csv does not name"),
    ],
)
def test_what_does_not_agree_is_found(tmp_path: Path, file: str, old: str, new: str, told: str) -> None:
    found = findings(write(tmp_path, **{file.partition(".")[0]: replaced(file, old, new)}))
    assert any(line.startswith(f"pond-war/{told}") for line in found), found


def test_a_way_over_water_is_lawful_where_the_game_says_that_not_all_zones_touch(tmp_path: Path) -> None:
    ways = replaced("ways.csv", "2,9", "2,9,rulebook map\n9,10")
    root = write(tmp_path, ways=ways, game=replaced("game.toml", "height = 10", "height = 10\ntouching = false"))
    assert findings(root) == []
    board = zones(load_box(GAME, root=root))
    assert board is not None and board.distance("2", "10") == 2


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("width = 20", "width = 0", "game.toml:7:1: `width` is missing or no number; allowed: width = a whole number above 0"),
        ("height = 10\n", "", "game.toml:6:1: `height` is missing or no number"),
        ("height = 10", "height = 10\ntouching = 1", "game.toml:9:1: `touching` is neither true nor false"),
        ("height = 10", "height = 10\ndepth = 3", "game.toml:9:1: `depth` is unknown; allowed: width, height, unit, zones,"),
        ('zones = "areas"', "zones = 3", "game.toml:9:1: `zones` is no text"),
        ('zones = "areas"', 'zones = "spaces"', "game.toml:9:1: `spaces` is no table; allowed: areas, shapes, ways"),
        ('label_y = "decimal"', 'label_y = "text"', "the table of the zones is not keyed by one column, with label_x and label_y"),
        ('points = "points"', 'points = "points?"', "the outlines do not begin their key with a ref(areas), or have no `points`"),
        ('key = ["a", "b"]', 'key = ["a"]', "the adjacency is not keyed by two columns of type ref(areas)"),
    ],
)
def test_a_wrong_section_is_told_with_its_line(tmp_path: Path, old: str, new: str, told: str) -> None:
    with pytest.raises(BoxErrors) as caught:
        load_box(GAME, root=write(tmp_path, game=replaced("game.toml", old, new)))
    assert any(told in str(error) and error.file == "pond-war/game.toml" for error in caught.value.errors), caught.value


def test_the_board_counts_in_the_data_hash(tmp_path: Path) -> None:
    first = load_box(GAME, root=write(tmp_path)).data_hash
    assert load_box(GAME, root=write(tmp_path, game=replaced("game.toml", "width = 20", "width = 21"))).data_hash != first
    assert load_box(GAME, root=write(tmp_path, shapes=replaced("shapes.csv", "4.25", "4.5"))).data_hash != first


def test_a_box_without_zones_has_none(tmp_path: Path) -> None:
    head, _, rest = FILES["game.toml"].partition("[zones]")
    plain = head + "[tables.areas]" + rest.partition("[tables.areas]")[2]
    box = load_box(GAME, root=write(tmp_path, game=plain))
    assert box.zones is None and zones(box) is None


# -- points as a cell -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["1", "1,2 3", "1;2", "1,2,3", "1, 2", "a,b", "1,2e5", "1.,2", "nan,0", "1,2 3,1234567890"])
def test_what_is_no_point_is_told(text: str) -> None:
    with pytest.raises(CellError, match="is no point; allowed: points as x,y with blanks between them"):
        read_cell(parse_type("points"), text, Scope())


@given(st.lists(st.tuples(st.integers(-99999, 99999), st.integers(0, 9)), min_size=1, max_size=9))
def test_points_keep_their_order_and_may_repeat(numbers: list[tuple[int, int]]) -> None:
    texts = tuple(f"{a}.{b},{b}" for a, b in numbers)
    assert read_cell(parse_type("points"), "  ".join(texts), Scope()) == texts


# -- what can be measured on zones ----------------------------------------------------------------------------------------


def test_shared_edges_are_found_whichever_way_the_rings_run() -> None:
    left = [(0.0, 0.0), (1.0, 0.0), (1.5, 1.0), (1.0, 2.0), (0.0, 2.0)]
    right = [(1.0, 0.0), (3.0, 0.0), (3.0, 2.0), (1.0, 2.0), (1.5, 1.0)]
    for second in (right, right[::-1]):
        assert Zones.of({"l": [left], "r": [second]}).shared() == {("l", "r"): pytest.approx(2 * 1.25**0.5)}
    assert Zones.of({"l": [left], "far": [[(5.0, 0.0), (6.0, 0.0), (5.0, 1.0)]]}).shared() == {}


def test_an_area_leaves_out_holes_and_counts_islands_within_them() -> None:
    def square(at: float, size: float) -> list[tuple[float, float]]:
        return [(at, at), (at + size, at), (at + size, at + size), (at, at + size)]

    lake = Zones.of({"lake": [square(0, 10), square(2, 6), square(4, 2)], "part": [square(0, 1), square(20, 2)]})
    assert lake.area("lake") == 100 - 36 + 4 and lake.area("part") == 5
    assert lake.bounds("part") == (0, 0, 22, 22)


@given(st.floats(0, 9), st.floats(0, 9), st.floats(0.5, 5), st.floats(0.5, 5))
def test_the_overlap_of_two_rectangles_is_about_what_it_is(x: float, y: float, width: float, height: float) -> None:
    board = Zones.of(
        {"a": [[(0, 0), (10, 0), (10, 10), (0, 10)]], "b": [[(x, y), (x + width, y), (x + width, y + height), (x, y + height)]]}
    )
    true = max(0.0, min(10.0, x + width) - x) * max(0.0, min(10.0, y + height) - y)
    assert board.overlaps(1000).get(("a", "b"), 0.0) == pytest.approx(true, abs=0.1)


def test_zones_that_only_touch_do_not_overlap() -> None:
    border = [(5.0, 0.0), (4.1, 3.3), (6.7, 3.9), (5.2, 10.0)]
    board = Zones.of({"l": [[(0.0, 0.0), *border, (0.0, 10.0)]], "r": [[(10.0, 10.0), *border[::-1], (10.0, 0.0)]]})
    assert sum(board.overlaps().values()) == 0


@pytest.mark.parametrize(
    ("ring", "crossed"),
    [
        ([(0, 0), (4, 0), (4, 4), (0, 4)], False),
        ([(0, 0), (4, 4), (4, 0), (0, 4)], True),
        ([(0, 0), (4, 0), (4, 4), (2, 0), (0, 4)], True),
        ([(0, 0), (4, 0), (4, 4), (4, 2), (0, 4)], True),
        ([(0, 0), (2, 2), (4, 0), (4, 4), (2, 2), (0, 4)], True),
        ([(0, 0), (2, 0), (4, 0), (4, 4)], False),
        ([(0, 0), (4, 0), (2, 3)], False),
    ],
)
def test_a_ring_that_meets_itself_is_found_wherever_it_begins(ring: list[tuple[float, float]], crossed: bool) -> None:
    for at in range(len(ring)):
        turned = ring[at:] + ring[:at]
        assert bool(Zones.of({"z": [turned]}).crossings("z")) == crossed
        assert bool(Zones.of({"z": [turned[::-1]]}).crossings("z")) == crossed


def test_a_zone_without_an_outline_has_no_bounds_and_overlaps_nothing() -> None:
    board = Zones.of({"a": [[(0, 0), (1, 0), (0, 1)]], "b": []}, [("a", "b")])
    with pytest.raises(GeometryError, match="zone `b` has no outline"):
        board.bounds("b")
    assert board.overlaps() == {} and board.zone_at(0.2, 0.2) == "a" and board.neighbours("b") == ("a",)
    with pytest.raises(GeometryError, match="0 lines; allowed: 1 or more"):
        board.overlaps(0)
