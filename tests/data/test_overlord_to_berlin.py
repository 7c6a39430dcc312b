"""What must hold of the data of From Overlord to Berlin: the printed lists and cells, the map as zones, and what each fact rests on."""

from __future__ import annotations

import csv
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from gamebox.geometry import Zones, zones
from gamebox.load import MAX_FILE_BYTES, load_box
from gamebox.model import Box, Row, SourceKind
from modgen.art.measure import VISIONS, contrast, distance
from modgen.check import check
from modgen.fmt import fmt

GAME = "overlord-to-berlin"
FOLDER = Path(__file__).resolve().parents[2] / "data" / GAME
TABLES = (
    *("adjacency", "boxes", "constants", "crt", "crt_columns", "formations", "markers", "modifiers", "nations", "options"),
    *("out_of_play", "outlines", "phases", "political_events", "reinforcements", "rivers", "rules", "rulings", "scenarios"),
    *("sea_links", "setups", "sides", "stratagems", "terrain", "tracks", "turns", "units", "zones"),
)
SHEET_CELL = 32_767
"""The longest cell that spreadsheets hold."""

# 14.6 to 14.8: formation, zone (* = its units begin reduced, reserve = off the map), units, as the lists of the set-up print them.
PRINTED = """\
1.Armee 2: 80.K, 86.K
2.Armee 41*: 8.K, 20.K, 23.K
4.Armee 40*: 12.K, 27.K, 39.Pz.K
6.Armee 49*: 7.K, 30.K, 44.K, 52.K
7.Armee 1: 84.K, 2.Fj.K, 1 ss.Pz.K, 47.PzK
8.Armee 48*: 4.K, 40.Pz.K, 4. ROM. K
9.Armee 38*: 35.K, 55.K, 41.Pz.K
10.Armee 9: 76.Pz.K, 51.Ge.K
14.Armee 9: 1.Fj.K, 14.Pz.K
15.Armee 4: 64.K, 67.K, 81.K, 82.K, 89.K
16.Armee 30*: 1.K, 2.K, 10.K, 50.K, 6.ss.K
17.Armee 39*: 5.K, 49.Ge.K
18.Armee 29*: 26.K, 28.K, 38.K, 43.K, 3.ss.PzK
19.Armee 3: 62.K, 4.Lw.K
1.FJ.Armee 6: 88.K
1.Pz.Armee 40*: 59.K, 3.Pz.K, 24.Pz.K, 46.Pz.K, 48.Pz.K
2.Pz.Armee 21: 69.K, 5.ss.Ge.K, 15.Ge.K, 21.Ge.K
3.Pz.Armee 37*: 6.K, 9.K, 53.K
4.Pz.Armee 39*: 13.K, 42.K, 56.Pz.K
1 US Army reserve: V US, VII US, XIX US
3 US Army reserve:
5 US Army 9: II US, IV US, XIII UK
7 US Army later:
9 US Army later:
1 Fr Army later:
2 UK Army reserve: I UK, 30 UK, II CAN
8 UK Army 9: I CAN, II POL, V UK
1 CA Army reserve:
Ukr 1 46: 13A, 3GdA, 5GdA, 1GTkA, 3GTkA
Ukr 2 47: 27A, 40A, 4GdA, 7GdA, 6GTkA
Ukr 3 47: 37A, 46A, 5SHK
Ukr 4 46: 18A, 38A, 1GdA, 4GTkA
Bielo 1 45: 3A, 48A, 65A, 8GdA, 2GTkA
Bielo 2 45: 33A, 49A, 50A
Bielo 3 44: 5A, 31A, 39A, 11GdA, 5GTkA
Balt 1 44: 43A, 51A, 4SHK, 2GdA
Balt 2 36: 22A, 3SHK
Balt 3 36: 8A, 42A, 54A, 67A, 2SHK
"""
OURS = ("ax-3rom", "ax-1hun")
"""Formations that we added for the units that 12.1 counts and the lists do not name (R-F5)."""
SOVIET_FRONT = ("29", "30", "37", "38", "39", "40", "41", "48", "49")


@cache
def box() -> Box:
    return load_box(GAME)


@cache
def board() -> Zones:
    found = zones(box())
    assert found is not None
    return found


@cache
def printed() -> dict[str, tuple[str, bool, tuple[str, ...]]]:
    """Formation -> its printed zone, whether its units begin reduced, their printed names."""
    found = {}
    for line in PRINTED.splitlines():
        head, _, units = line.partition(":")
        name, _, zone = head.rpartition(" ")
        found[name] = (zone.rstrip("*"), zone.endswith("*"), tuple(unit.strip() for unit in units.split(",") if unit.strip()))
    return found


def where(column: str, *values: str) -> set[str]:
    return {row.key for row in box()["zones"] if row.text(column) in values}


def numbers(*parts: int | range) -> set[str]:
    return {str(number) for part in parts for number in ((part,) if isinstance(part, int) else part)}


@cache
def at() -> dict[str, list[str]]:
    """Place -> the counters that begin there."""
    found: dict[str, list[str]] = defaultdict(list)
    for piece, place in box().setup("campaign"):
        found[place].append(piece)
    return dict(found)


@cache
def place() -> dict[str, str]:
    return {piece: found for piece, found in box().setup("campaign")}


def formations(side: str) -> list[Row]:
    return [row for row in box()["formations"] if row.text("side") == side]


def on_map(side: str) -> set[str]:
    """The zones in which formations of a side begin."""
    return {place()[row.key] for row in formations(side)} & set(board().names)


def reached(start: Iterable[str], allowed: Iterable[str]) -> set[str]:
    """The zones that a line through these zones reaches."""
    free = set(allowed)
    seen = set(start) & free
    queue = list(seen)
    while queue:
        for other in board().neighbours(queue.pop()):
            if other in free and other not in seen:
                seen.add(other)
                queue.append(other)
    return seen


def strength(units: Iterable[str], state: str = "full") -> int:
    return sum(box()["units"][unit].int(state) for unit in units)


def kinds(table: str, column: str) -> Counter[str]:
    return Counter(str(row.source(column).kind) for row in box()[table] if row.values[column] not in (None, ()))


def constant(name: str) -> int:
    return box()["constants"][name].int("value")


# -- form -----------------------------------------------------------------------------------------------------------------


def test_the_box_is_whole_and_its_tables_agree() -> None:
    assert sorted(box().tables) == list(TABLES)
    assert (box().short, box().strengths, box().grid) == ("fotb", ("capacity", "full", "reduced"), None)
    assert check(GAME).findings == ()


def test_the_files_are_in_their_one_form_and_fit_a_spreadsheet() -> None:
    result = fmt(GAME, write=False)
    assert result.repairs == () and result.errors == ()
    for path in FOLDER.glob("*.csv"):
        data = path.read_bytes()
        assert not data.startswith(b"\xef\xbb\xbf") and b"\r" not in data and data.endswith(b"\n"), path.name
        assert len(data) < MAX_FILE_BYTES
        with path.open(encoding="utf-8", newline="") as lines:
            assert max(len(cell) for row in csv.reader(lines) for cell in row) < SHEET_CELL, path.name


def test_every_row_of_every_file_has_a_source() -> None:
    for name in TABLES:
        with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                assert row["source"].split()[0] in {"rulebook", "derived", "reconstructed", "owner"}, (name, row)


# -- zones: what is printed of them ---------------------------------------------------------------------------------------


@pytest.mark.example("F-30")
@pytest.mark.rule("fotb", "3.2")
def test_every_zone_has_the_sector_that_is_printed() -> None:
    assert [row.int("zone") for row in box()["zones"]] == list(range(1, 55))
    assert where("sector", "west") == numbers(range(1, 9), range(11, 15))
    assert where("sector", "northeast") == numbers(range(15, 20), range(23, 26), range(28, 34), range(37, 42))
    assert where("sector", "southeast") == numbers(range(20, 23), 26, 27, 34, 35, 42, 43, range(48, 55))
    assert where("sector", "none") == numbers(9, 10, 36, range(44, 48))
    assert kinds("zones", "sector") == {"rulebook": 54}


@pytest.mark.example("F-03")
@pytest.mark.rule("fotb", "5.2")
def test_the_vaterland_and_the_oil_give_the_axis_fourteen_points() -> None:
    assert where("vaterland", "1") == numbers(7, range(11, 21), 23)
    assert where("economic", "1") == numbers(26, 53)
    assert constant("pr_axis_zone") * (len(where("vaterland", "1")) + len(where("economic", "1"))) == 14
    assert {row.key: row.text("capital_of") for row in box()["zones"] if row.text("capital_of")} == {"26": "Hungary", "53": "Romania"}


@pytest.mark.rule("fotb", "5.4")
@pytest.mark.rule("fotb", "R-F68")
@pytest.mark.rule("fotb", "R-F115")
def test_the_seven_ports_their_markers_and_pockets() -> None:
    ports = numbers(1, 2, 3, 4, 6, 10, 21)
    assert where("port", "1") == where("pocket", "1") == ports
    assert where("pr_track", "england") == numbers(1, 2, 3, 4, 6) and where("pr_track", "italy") == numbers(10, 21)
    assert where("pr_track", "") == set(board().names) - ports
    assert all(box()["zones"][name].text("coast") in ("atlantic", "mediterranean", "adriatic") for name in ports)
    for track in ("england", "italy"):
        row = box()["tracks"][track]
        assert set(row.items("ports")) == where("pr_track", track)
        assert row.int("maximum") == constant("pr_port") * len(row.items("ports")) and not row.flag("kept")
    assert [row.key for row in box()["tracks"]] == ["england", "italy", "soviet", "axis"]
    assert all(row.int("start", -1) == 0 for row in box()["tracks"])


@pytest.mark.rule("fotb", "7.1.d")
def test_the_landing_limits() -> None:
    limits = {row.key: row.int("landing_limit") for row in box()["zones"]}
    assert {name for name, limit in limits.items() if limit == 2} == numbers(1, 4)
    assert {str(box()["zones"][name].source("landing_limit")) for name in ("1", "4")} == {"rulebook 7.1"}
    assert limits["21"] == 1 and box()["zones"]["21"].source("landing_limit").kind is SourceKind.DERIVED
    assert {name for name, limit in limits.items() if limit} <= where("port", "1")
    assert not any(box()["zones"][name].source("landing_limit").certain for name in ("2", "3", "6", "9", "10", "11", "22"))


@pytest.mark.rule("fotb", "6.1")
@pytest.mark.rule("fotb", "R-F17")
def test_the_sources_of_supply() -> None:
    baltic = numbers(28, 29, 30)
    assert where("baltic_supply", "1") == baltic and {box()["zones"][name].text("coast") for name in baltic} == {"baltic"}
    assert where("soviet_edge", "1") == numbers(36, range(44, 48))
    assert constant("baltic_gfs") == 1


def test_terrain_is_ours_but_for_the_zone_of_the_example() -> None:
    assert Counter(row.text("terrain") for row in box()["zones"]) == {"clear": 38, "difficult": 14, "alps": 2}
    assert [row.key for row in box()["zones"] if row.source("terrain").certain] == ["37"]
    assert box()["zones"]["37"].text("terrain") == "clear" and not box()["zones"]["37"].flag("vaterland")
    assert {row.key: (row.int("shift"), row.int("stacking")) for row in box()["terrain"]} == {
        "clear": (0, 0),
        "difficult": (-1, 0),
        "alps": (-1, -1),
    }


@pytest.mark.example("F-48")
@pytest.mark.rule("fotb", "R-F23")
def test_who_controls_what_at_the_start_follows_from_the_set_up() -> None:
    control = {side: where("start_control", side) for side in ("west", "soviet", "axis")}
    assert control["west"] == {"10"} and control["soviet"] == where("soviet_edge", "1") and len(control["axis"]) == 48
    for side, zones_ in control.items():
        assert on_map(side) - {"9"} <= zones_
    assert on_map("west") & on_map("axis") == {"9"} == on_map("west")


# -- zones: the map -------------------------------------------------------------------------------------------------------


def test_every_ring_is_closed_and_simple_and_lies_on_the_board() -> None:
    assert box().zones is not None and (box().zones.width, box().zones.height, box().zones.unit) == (2880, 2375, "km")
    assert len(box()["outlines"]) == 67 and sum(len(row.points("points")) - 1 for row in box()["outlines"]) == 5155
    for row in (*box()["outlines"], *box()["out_of_play"]):
        points = row.points("points")
        assert points[0] == points[-1] and len(set(points)) == len(points) - 1 >= 3, row.key
        assert all(0 <= x <= 2880 and 0 <= y <= 2375 for x, y in points), row.key
    assert {name: board().crossings(name) for name in board().names if board().crossings(name)} == {}
    assert all(len(row.points("points")) >= 2 for row in box()["rivers"])


def test_zones_share_their_borders_to_the_last_point_and_lie_nowhere_over_each_other() -> None:
    shared = board().shared()
    pairs = {tuple(sorted((row.text("zone_a"), row.text("zone_b")), key=int)) for row in box()["adjacency"]}
    assert {tuple(sorted(pair, key=int)) for pair in shared} == pairs and len(pairs) == len(box()["adjacency"]) == 131
    assert min(shared.values()) > 35
    assert sum(board().overlaps(1000).values()) < 1
    edges: Counter[tuple[tuple[float, float], tuple[float, float]]] = Counter()
    for name in board().names:
        edges.update(board().edges(name))
    assert max(edges.values()) == 2


def test_every_label_lies_in_its_zone_and_zones_have_a_fair_size() -> None:
    for row in box()["zones"]:
        assert board().zone_at(float(row.text("label_x")), float(row.text("label_y"))) == row.key
        assert 20_000 < board().area(row.key) < 260_000, row.key


def on_board(latitude: float, longitude: float) -> tuple[float, float]:
    """The place of a town on the board: the projection that game.toml names."""
    a, b = math.radians(latitude), math.radians(longitude - 16)
    a0 = math.radians(50)
    k = math.sqrt(2 / (1 + math.sin(a0) * math.sin(a) + math.cos(a0) * math.cos(a) * math.cos(b))) * 6371
    east, north = k * math.cos(a) * math.sin(b), k * (math.cos(a0) * math.sin(a) - math.sin(a0) * math.cos(a) * math.cos(b))
    return east + 1580, 1195 - north


@pytest.mark.parametrize(
    ("town", "latitude", "longitude", "zone"),
    [
        ("Caen", 49.18, -0.37, "1"),
        ("Bordeaux", 44.84, -0.58, "2"),
        ("Lyon", 45.76, 4.84, "3"),
        ("Brussels", 50.85, 4.35, "4"),
        ("Paris", 48.857, 2.352, "5"),
        ("Amsterdam", 52.37, 4.90, "6"),
        ("Cologne", 50.94, 6.96, "7"),
        ("Metz", 49.12, 6.18, "8"),
        ("Rome", 41.90, 12.50, "9"),
        ("Milan", 45.46, 9.19, "9"),
        ("Benevento", 41.13, 14.78, "10"),
        ("Hanover", 52.37, 9.73, "11"),
        ("Frankfurt", 50.11, 8.68, "12"),
        ("Munich", 48.14, 11.58, "13"),
        ("Innsbruck", 47.26, 11.39, "14"),
        ("Berlin", 52.52, 13.405, "15"),
        ("Leipzig", 51.34, 12.37, "16"),
        ("Breslau", 51.11, 17.03, "18"),
        ("Prague", 50.08, 14.44, "19"),
        ("Vienna", 48.21, 16.37, "20"),
        ("Zagreb", 45.81, 15.98, "21"),
        ("Sarajevo", 43.85, 18.36, "22"),
        ("Allenstein", 53.78, 20.49, "23"),
        ("Warsaw", 52.23, 21.01, "24"),
        ("Budapest", 47.50, 19.04, "26"),
        ("Riga", 56.95, 24.11, "30"),
        ("Vilnius", 54.69, 25.28, "31"),
        ("Lublin", 51.25, 22.57, "33"),
        ("Leningrad", 59.93, 30.32, "36"),
        ("Minsk", 53.90, 27.56, "37"),
        ("Lvov", 49.84, 24.03, "39"),
        ("Pinsk", 52.11, 26.10, "41"),
        ("Smolensk", 54.78, 32.05, "44"),
        ("Gomel", 52.43, 31.00, "45"),
        ("Kiev", 50.45, 30.52, "46"),
        ("Vinnitsa", 49.23, 28.47, "47"),
        ("Kishinev", 47.01, 28.86, "49"),
        ("Bucharest", 44.43, 26.10, "53"),
        ("Sofia", 42.70, 23.32, "54"),
        ("London", 51.51, -0.13, None),
        ("Zurich", 47.38, 8.54, None),
        ("Salonika", 40.64, 22.94, None),
        ("Copenhagen", 55.68, 12.57, None),
    ],
)
def test_towns_lie_where_the_zones_say(town: str, latitude: float, longitude: float, zone: str | None) -> None:
    assert board().zone_at(*on_board(latitude, longitude)) == zone, town


def test_the_five_soviet_zones_and_no_others_reach_the_eastern_edge() -> None:
    assert {name for name in board().names if board().bounds(name)[2] == 2880} == where("soviet_edge", "1")


@pytest.mark.example("F-19")
@pytest.mark.rule("fotb", "11.3.c")
@pytest.mark.rule("fotb", "11.3.k")
def test_the_way_of_the_worked_example() -> None:
    assert "37" in board().neighbours("44") and "31" in board().neighbours("37") and "31" not in board().neighbours("44")
    for pair in ("37|44", "31|37"):
        assert str(box()["adjacency"][pair].source()) == "derived 11.3"
    assert kinds("adjacency", "kind") == {"reconstructed": 131}
    assert Counter(str(row.source().kind) for row in box()["adjacency"]) == {"reconstructed": 129, "derived": 2}


def test_the_map_hangs_together() -> None:
    assert reached({"1"}, board().names) == set(board().names)
    degrees = {name: len(board().neighbours(name)) for name in board().names}
    assert degrees["10"] == 1 and board().neighbours("10") == ("9",)
    assert all(2 <= degree <= 7 for name, degree in degrees.items() if name != "10")
    # A plane graph: no more borders than three times the zones, less six.
    assert len(box()["adjacency"]) <= 3 * 54 - 6
    touching = "1-2 2-3 1-4 4-6 6-7 9-10 9-14 9-20 9-21 21-22 20-26 23-28 53-54 15-17 15-18".split()
    assert all(b in board().neighbours(a) for a, b in (pair.split("-") for pair in touching))


def test_the_front_of_june_1944() -> None:
    soviet = on_map("soviet")
    assert soviet == where("soviet_edge", "1")
    axis = where("start_control", "axis")
    front = {(a, b) for a in axis for b in board().neighbours(a) if b in soviet}
    pairs = "29-36 30-36 30-44 37-44 37-45 38-45 41-45 41-46 39-46 40-46 40-47 48-47 49-47".split()
    assert front == {tuple(pair.split("-")) for pair in pairs}
    assert {a for a, _ in front} == set(SOVIET_FRONT) <= on_map("axis")
    # Each has a way back that no Soviet zone bars.
    assert all(set(board().neighbours(name)) & axis for name in SOVIET_FRONT)


@pytest.mark.rule("fotb", "6.1")
def test_every_formation_begins_in_supply() -> None:
    axis = where("start_control", "axis")
    assert axis <= reached(where("vaterland", "1"), axis) and on_map("axis") <= axis
    assert reached({"10"}, {"9", "10"}) == {"9", "10"} == on_map("west") | {"10"}


@pytest.mark.example("F-60")
@pytest.mark.rule("fotb", "R-F64")
def test_the_escort_flies_from_italy_alone_on_the_first_turn() -> None:
    vaterland = where("vaterland", "1")
    assert {name for name in on_map("west") if name in vaterland or vaterland & set(board().neighbours(name))} == {"9"}


# -- counters and set-up --------------------------------------------------------------------------------------------------


def test_the_counters() -> None:
    assert Counter(piece.row.table for piece in box().pieces) == {"units": 131, "formations": 40}
    assert Counter((piece.row.table, piece.side) for piece in box().pieces) == {
        ("formations", "axis"): 21,
        ("formations", "west"): 9,
        ("formations", "soviet"): 10,
        ("units", "axis"): 65,
        ("units", "west"): 25,
        ("units", "soviet"): 41,
    }
    prefixes = {"axis": "ax", "west": "we", "soviet": "so"}
    assert all(piece.id.startswith(prefixes[piece.side] + "-") for piece in box().pieces)
    army, corps = box().piece("ax-7a"), box().piece("ax-1sspzk")
    assert army is not None and corps is not None
    assert (army.columns, army.strengths, corps.columns, corps.strengths) == (("capacity",), (5,), ("full", "reduced"), (8, 4))


@pytest.mark.rule("fotb", "14.6")
@pytest.mark.rule("fotb", "14.7")
@pytest.mark.rule("fotb", "14.8")
def test_formations_units_and_zones_are_those_of_the_printed_lists() -> None:
    by_name = {row.text("name"): row for row in box()["formations"]}
    assert set(by_name) - set(printed()) == {"3.ROM.Armee", "1.HUN.Armee"} == {box()["formations"][key].text("name") for key in OURS}
    assert set(printed()) <= set(by_name) and len(printed()) == 38
    for name, (zone, reduced, units) in printed().items():
        row = by_name[name]
        start = box()["setups"][f"campaign|{row.key}"]
        known = {"reserve": "west-reserve", "later": "west-arrivals"}.get(zone, zone)
        assert (start.text("printed") or start.text("place")) == known, name
        here = at().get(row.key, [])
        assert {box()["units"][unit].text("printed") for unit in here} == set(units), name
        states = {box()["setups"][f"campaign|{unit}"].text("state") for unit in here}
        assert states <= {"reduced" if reduced else "full"}, name
        assert len(here) <= row.int("capacity")
        assert all(box()["units"][unit].text("home") == row.key for unit in here)
    # The order of section 14, with ours behind the Axis.
    ordered = sorted(box()["formations"], key=lambda row: row.int("order"))
    assert [row.int("order") for row in ordered] == list(range(1, 41))
    assert [row.text("name") for row in ordered if row.key not in OURS] == list(printed())


@pytest.mark.rule("fotb", "R-F2")
def test_one_formation_alone_stands_elsewhere_than_printed() -> None:
    moved = {row.text("piece"): (row.text("place"), row.text("printed")) for row in box()["setups"] if row.text("printed")}
    assert moved == {"ax-4a": ("37", "40")}
    row = box()["setups"]["campaign|ax-4a"]
    assert (row.source("place").kind, str(row.source("printed"))) == (SourceKind.DERIVED, "rulebook 14.6")


@pytest.mark.rule("fotb", "14.7")
@pytest.mark.rule("fotb", "R-F6")
def test_what_lies_in_the_western_reserve_and_what_comes_later() -> None:
    units = box()["units"]
    assert {units[p].text("name") for p in at()["west-reserve"] if p in units.by_key} == {"XII US", "XV US", "XXI US", "VIII UK", "XII UK"}
    assert {p for p in at()["west-reserve"] if p not in units.by_key} == {"we-1us", "we-3us", "we-2uk", "we-1ca"}
    assert not at().get("we-3us") and not at().get("we-1ca")
    coming = {(row.int("turn"), row.text("arrival")) for row in box()["reinforcements"]}
    assert coming == {
        *((1, "landing"), (2, "landing"), (2, "we-1fr"), (2, "we-7us"), (2, "we-vius"), (2, "we-ifr"), (2, "we-iifr")),
        *((3, "we-9us"), (3, "we-iiius"), (3, "we-xiiius"), (4, "we-xxiius")),
    }
    assert set(at()["west-arrivals"]) == {arrival for _, arrival in coming} - {"landing"}
    for piece in box().pieces:
        assert (piece.row.int("arrives"), piece.id) in coming or piece.row.int("arrives") == 1
    assert {row.key for row in box()["turns"] if row.flag("landing")} == {"1", "2"}


@pytest.mark.rule("fotb", "12.3")
@pytest.mark.rule("fotb", "R-F113")
def test_the_two_paratroop_corps_have_a_box_of_their_own() -> None:
    corps = {row.key: row for row in box()["units"] if row.text("kind") == "airborne_support"}
    assert {row.text("name") for row in corps.values()} == {"I UK Para", "XVIII US Para"}
    assert sorted(corps) == sorted(at()["west-paratroops"])
    assert {(row.text("class"), row.int("full"), row.int("reduced"), row.int("elite")) for row in corps.values()} == {("none", 0, 0, 0)}
    assert {row.key for row in box()["units"] if row.text("class") == "none"} == set(corps)


@pytest.mark.rule("fotb", "12.1.a")
@pytest.mark.rule("fotb", "R-F5")
def test_three_romanian_and_two_hungarian_units_four_of_them_ours() -> None:
    axis = [row for row in box()["units"] if row.text("side") == "axis"]
    assert Counter(row.text("nation") for row in axis) == {"Germany": 60, "Romania": 3, "Hungary": 2}
    ours = [row for row in box()["units"] if row.text("home") in OURS]
    assert len(ours) == 4 and not any(row.source(column).certain for row in ours for column in ("name", "full", "elite", "home"))
    assert {key: place()[key] for key in OURS} == {"ax-3rom": "53", "ax-1hun": "26"}


@pytest.mark.example("F-08")
@pytest.mark.rule("fotb", "7.1")
@pytest.mark.parametrize("fourth_army", ["37", "40"])
def test_the_set_up_keeps_to_stacking_and_the_allies_apart(fourth_army: str) -> None:
    stacks = Counter(
        (row.text("side"), fourth_army if row.key == "ax-4a" else place()[row.key])
        for row in box()["formations"]
        if place()[row.key] in board().names
    )
    for (side, zone), count in stacks.items():
        alps = constant("stacking_alps") if box()["zones"][zone].text("terrain") == "alps" else 0
        assert count <= constant(f"stacking_{side}") + alps, (side, zone)
    assert [constant(f"stacking_{side}") for side in ("axis", "soviet", "west")] == [2, 2, 3] and constant("stacking_alps") == -1
    assert not on_map("west") & on_map("soviet")


@pytest.mark.example("F-46")
@pytest.mark.rule("fotb", "R-F76")
def test_a_garrison_of_three_units_stands_in_yugoslavia() -> None:
    here = {row.key: len(at()[row.key]) for row in formations("axis") if place()[row.key] in ("21", "22")}
    assert here == {"ax-2pz": 4} and constant("garrison_units") == 3
    assert box()["constants"]["garrison_zones"].text("value").split() == ["21", "22"]


@pytest.mark.rule("fotb", "10.12")
def test_the_commands() -> None:
    command = {row.key: row.text("command") for row in box()["formations"]}
    nation = {row.key: row.text("nation") for row in box()["formations"]}
    assert {key for key, word in command.items() if word == "us"} == {k for k, n in nation.items() if n in ("United States", "France")}
    assert {key for key, word in command.items() if word == "commonwealth"} == {k for k, n in nation.items() if n in ("Britain", "Canada")}
    assert all(command[row.key] == row.text("side") for row in box()["formations"] if row.text("side") != "west")


def test_names_of_units_are_unique_and_written_in_one_way() -> None:
    units = box()["units"]
    for column in ("name", "printed"):
        assert len({(row.text("side"), row.text(column)) for row in units}) == 131
    style = re.compile(r"\d+\.(SS\.)?((Pz|Ge|Fj|Lw|ROM|HUN)\.)?K")
    assert all(style.fullmatch(row.text("name")) for row in units if row.text("side") == "axis")
    # What the rulebook writes is kept beside it, and only that is called printed.
    for row in units:
        if row.text("home") not in OURS:
            assert (row.source("name").kind is SourceKind.RULEBOOK) == (row.text("name") == row.text("printed")), row.key


# -- values ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fotb", "0.5.e")
def test_arms_and_values() -> None:
    units = [row for row in box()["units"] if row.text("class") != "none"]
    assert all(row.int("full") > row.int("reduced") > 0 for row in units)
    armor = {"armor", "ss_armor", "mechanized", "tank"}
    assert all((row.text("class") == "armor") == (row.text("kind") in armor) for row in units)
    assert sum(row.text("kind") == "guards_infantry" for row in units) == 8 >= constant("maskirovka_units")
    german = [row for row in units if row.text("nation") == "Germany"]
    weakest = min(row.int("full") for row in german if row.text("class") == "armor")
    assert weakest > max(row.int("full") for row in german if row.text("class") == "infantry")


@pytest.mark.example("F-43")
def test_the_army_in_normandy_defends_with_28_against_a_landing() -> None:
    units = [box()["units"][unit] for unit in at()["ax-7a"]]
    assert sum(unit.int("full") for unit in units) == 21
    doubled = sum(unit.int("full") * (constant("landing_infantry_factor") if unit.text("class") == "infantry" else 1) for unit in units)
    assert doubled == 28


@cache
def cells() -> dict[tuple[int, int], int]:
    return {(row.int("die"), row.int("column")): row.int("losses") for row in box()["crt"]}


def column(points: int) -> int:
    return next(row.int("column") for row in box()["crt_columns"] if row.int("low") <= points <= row.int("high", 10**6))


def losses(die: int, points: int, shift: int = 0) -> int:
    return cells()[die, column(points) + shift]


@pytest.mark.example("F-10")
@pytest.mark.example("F-11")
@pytest.mark.example("F-12")
@pytest.mark.example("F-13")
@pytest.mark.example("F-14")
@pytest.mark.example("F-15")
@pytest.mark.example("F-16")
@pytest.mark.example("F-17")
@pytest.mark.example("F-18")
@pytest.mark.rule("fotb", "11.3")
def test_the_worked_example_comes_out_with_our_values_step_by_step() -> None:
    bielo, balt = at()["so-bielo3"], at()["so-balt1"]
    assert (strength(bielo), strength(balt)) == (20, 13)
    germans = ("ax-12k", "ax-27k", "ax-39pzk", "ax-6k", "ax-9k", "ax-53k")
    assert sorted(germans) == sorted(at()["ax-4a"] + at()["ax-3pz"])
    assert not any(box()["units"][unit].flag("elite") for unit in (*germans, *bielo, *balt))
    steps = {unit: 2 for unit in (*bielo, *balt, "ax-27k", "ax-39pzk", "ax-6k")} | {unit: 1 for unit in ("ax-12k", "ax-9k", "ax-53k")}

    def total(units: Iterable[str]) -> int:
        return sum((0, box()["units"][unit].int("reduced"), box()["units"][unit].int("full"))[steps[unit]] for unit in units)

    def hit(*units: str) -> None:
        for unit in units:
            steps[unit] -= 1
        assert all(left >= 0 for left in steps.values())

    assert total(["ax-9k"]) == 1
    # Stalin's Organ: die 6 in column 16-20 takes three steps.
    assert (constant("free_attack_column"), cells()[6, 4], column(16)) == (4, 3, 4)
    hit("ax-9k", "ax-39pzk", "ax-6k")
    # Bielo 3 attacks with half of Balt 1: 26 points, one column left by Fortifications, die 2 + 1. The Germans answer with 12 and a 5.
    points = total(bielo) + total(balt) // constant("support_divisor")
    assert (points, total(germans)) == (26, 12)
    assert (losses(3, points, -1), losses(5, 12)) == (2, 2)
    hit("so-39a", "so-5gtka", "ax-27k", "ax-39pzk")
    # Balt 1 attacks with half of Bielo 3: 21 points, die 4, a third more by Fanaticism. The Germans answer with 8 and a 3.
    points = total(balt) + total(bielo) // constant("support_divisor")
    assert (total(bielo), points, total(germans)) == (16, 21, 8)
    loss = losses(4, points)
    assert loss + math.ceil(loss / constant("third_divisor")) == 4 and losses(3, 8) == 1
    hit("ax-12k", "ax-27k", "ax-6k", "ax-53k", "so-51a")
    assert total(germans) == 0


# -- charts ---------------------------------------------------------------------------------------------------------------


@pytest.mark.example("F-20")
@pytest.mark.rule("fotb", "CRT.a")
@pytest.mark.rule("fotb", "CRT.b")
@pytest.mark.rule("fotb", "CRT.c")
def test_the_twenty_printed_cells_of_the_combat_table_and_no_others_are_called_printed() -> None:
    known = ([0, 0, 0, 0, 1, 1, 2, 3], [0, 0, 0, 1, 1, 2, 3, 4], [0, 0, 1, 1])
    printed_ = {(die, at_ + 1): value for die, row in enumerate(known) for at_, value in enumerate(row)}
    by_kind: dict[SourceKind, dict[tuple[int, int], int]] = defaultdict(dict)
    for row in box()["crt"]:
        by_kind[row.source("losses").kind][row.int("die"), row.int("column")] = row.int("losses")
    assert by_kind[SourceKind.RULEBOOK] == printed_
    assert by_kind[SourceKind.DERIVED] == {(6, 4): 3, (3, 5): 2, (5, 3): 2, (4, 5): 3, (3, 2): 1}
    assert len(by_kind[SourceKind.RECONSTRUCTED]) == 63 and len(cells()) == 88


@pytest.mark.example("F-55")
def test_the_rest_of_the_combat_table_follows_one_formula_up_to_the_largest_die() -> None:
    offsets = (0, 1, 2, 3, 4, 5, 7, 9)
    assert cells() == {
        (die, at_): max(0, (die + offset - 2) // 2) for die in range(11) for at_, offset in enumerate(offsets, start=1)
    }
    # A six, an elite unit, Artillery support, Assault engineering and the Hitler Offensive.
    bonuses = [row.int("value") for row in box()["modifiers"] if row.text("changes") == "die"]
    assert 6 + sum(bonuses) == max(die for die, _ in cells())


@pytest.mark.rule("fotb", "R-F18")
def test_every_strength_has_one_column() -> None:
    rows = list(box()["crt_columns"])
    assert [row.text("strength") for row in rows] == ["1-5", "6-10", "11-15", "16-20", "21-25", "26-30", "31-40", "40+"]
    assert all(a.int("high") + 1 == b.int("low") for a, b in pairwise(rows)) and rows[0].int("low") == 1
    assert (column(40), column(41), column(999)) == (7, 8, 8)


@pytest.mark.rule("fotb", "CRT.Columns")
@pytest.mark.rule("fotb", "CRT.Die")
def test_what_shifts_a_combat() -> None:
    rows = box()["modifiers"]
    shifts = {row.text("modifier"): (row.text("whose"), row.int("value")) for row in rows if row.text("changes") == "column"}
    assert shifts == {
        "anti-tanks": ("own", 1),
        "surrounding": ("own", 1),
        "paratroops": ("own", constant("columns_paratroops")),
        "fortifications": ("enemy", -1),
        "difficult": ("attacker", constant("columns_difficult")),
        "vaterland": ("attacker", constant("columns_vaterland")),
        "partisans": ("attacker", constant("columns_partisans")),
    }
    assert box()["terrain"]["difficult"].int("shift") == box()["terrain"]["alps"].int("shift") == constant("columns_difficult")
    named = {row.text("stratagem") for row in rows if row.text("stratagem")}
    operational = {row.key for row in box()["stratagems"] if row.text("pool") == "operational"}
    assert named == operational | {"ax-offensive"}


@pytest.mark.example("F-28")
@pytest.mark.rule("fotb", "11.1.a")
@pytest.mark.rule("fotb", "11.1.c")
@pytest.mark.rule("fotb", "14.2.a")
def test_the_pools_of_stratagems() -> None:
    pools: Counter[str] = Counter()
    for row in box()["stratagems"]:
        pools[row.text("pool")] += row.int("count")
    assert pools == {"axis": 7, "soviet": 4, "west": 4, "operational": 9}
    assert 3 * constant("operational_draws") == pools["operational"]
    assert [row.key for row in box()["stratagems"] if row.text("start") == "hand"] == ["so-organ"]
    assert {row.key for row in box()["stratagems"]}.isdisjoint(piece.id for piece in box().pieces)
    for row in box()["stratagems"]:
        words = {"axis": "ax", "soviet": "so", "west": "we", "operational": "op"}
        assert row.key.startswith(words[row.text("pool")] + "-")


@pytest.mark.rule("fotb", "3.1.c")
@pytest.mark.rule("fotb", "R-F13")
def test_the_political_events() -> None:
    events = {(row.text("side"), row.int("roll")): row for row in box()["political_events"]}
    assert sorted(events) == sorted((side, roll) for side in ("west", "soviet", "axis") for roll in range(2, 13))
    assert [key for key, row in events.items() if not row.source("effect").certain] == [("west", 12), ("axis", 12)]
    for side in ("west", "soviet", "axis"):
        assert {events[side, roll].text("effect") for roll in (6, 7, 8)} == {"draw_national"}
    assert {key for key, row in events.items() if row.text("effect") == "nothing"} == {
        *(("west", 3), ("west", 4), ("west", 11), ("west", 12)),
        *(("soviet", 3), ("soviet", 4), ("soviet", 11)),
        *(("axis", 3), ("axis", 4), ("axis", 11), ("axis", 12)),
    }
    assert [key for key, row in events.items() if not row.flag("repeatable")] == [("soviet", 12)]
    assert {key: row.text("effect") for key, row in events.items() if "majority" in row.text("effect")} == {
        ("soviet", 5): "pr_majority_black",
        ("soviet", 9): "pr_majority_red",
        ("soviet", 10): "pr_majority_red",
    }


@pytest.mark.example("F-52")
@pytest.mark.rule("fotb", "9.5")
@pytest.mark.rule("fotb", "9.7")
@pytest.mark.rule("fotb", "PE.West.9")
def test_the_ways_over_sea() -> None:
    links: dict[str, list[Row]] = defaultdict(list)
    for row in box()["sea_links"]:
        links[row.text("rule")].append(row)
    limits = {row.key: row.int("landing_limit") for row in box()["zones"] if row.int("landing_limit")}
    assert {row.text("to"): row.int("formations") for row in links["9.5"]} == limits
    assert {(row.int("first_turn"), row.int("last_turn")) for row in links["9.5"]} == {(1, 2)}
    assert {row.text("to") for row in links["9.7"]} == where("port", "1")
    assert {row.text("from") for row in (*links["9.5"], *links["9.7"])} == {"west-reserve"}
    # The two formations that begin in Italy, or one of the Reserve.
    assert {(row.text("from"), row.text("to")) for row in links["PE.West.9"]} == {("9", "21"), ("10", "21"), ("west-reserve", "21")}
    assert {place()[key] for key in ("we-5us", "we-8uk")} == {"9"}


def test_the_numbers_that_the_rulebook_gives() -> None:
    known = {
        **{"turns": 7, "national_draws_west": 1, "national_draws_soviet": 1, "national_draws_axis": 2, "operational_draws": 3},
        **{"event_dice": 2, "event_2_dice": 3, "event_2_low": 3, "event_2_high": 18, "pr_axis_no_garrison": -2, "garrison_units": 3},
        **{"bombardment_dice": 1, "bombardment_escort": 1, "bombardment_flak_divisor": 2, "pr_port": 2, "pr_mulberry": 2},
        **{"pr_soviet": 5, "steps_per_pr": 2, "pa_free": 1, "pa_contested_to_contested": 2, "pile_minimum": 3, "pile_back_of_three": 1},
        **{"pile_out_of_three": 2, "volkssturm_steps": 1, "out_of_supply_strength_divisor": 2, "support_divisor": 2, "die_elite": 1},
        **{"leave_to_retreat": 4, "hitler_offensive_steps": 2, "propaganda_steps": 2, "maskirovka_units": 4, "lend_lease_cards": 1},
        **{"capitulation_steps": 2, "paratroop_divisor": 2, "pocket_step": 5, "pocket_bonus": 1, "manchuria_units": 2, "finland_units": 1},
    }
    assert {name: constant(name) for name in known} == known
    assert all(str(box()["constants"][name].source()).startswith("rulebook") for name in known)


# -- order of play, markers, boxes ----------------------------------------------------------------------------------------


@pytest.mark.rule("fotb", "2")
@pytest.mark.rule("fotb", "R-F41")
def test_the_order_of_play() -> None:
    phases = list(box()["phases"])
    assert [row.int("order") for row in phases] == list(range(1, 46))
    assert list(dict.fromkeys(row.text("phase") for row in phases)) == [
        *("political", "economic", "west_action", "soviet_action", "axis_action", "final"),
    ]
    action = ["combine", "strategic", "transfers", "operations", "combine_again"]
    for side in ("west", "soviet", "axis"):
        rows = [row for row in phases if row.text("phase") == f"{side}_action"]
        assert [row.text("step") for row in rows] == ([*action, "pockets"] if side == "west" else action)
        assert {row.text("force") for row in rows} == {side}
    joint = ("draw_national", "draw_operational", "event", "income", "automatic", "spending", "operationals_back", "formations_face_up")
    for step in joint:
        assert [row.text("force") for row in phases if row.text("step") == step] == ["west", "soviet", "axis"], step
    # Each row is one entry of the turn tracker: no two are called alike.
    assert len({(row.text("phase"), row.text("step"), row.text("force")) for row in phases}) == len(phases)
    owners = {row.key: row.text("owner_two_players") for row in box()["sides"]}
    assert all(row.text("owner") == owners.get(row.text("force"), "") for row in phases)
    assert [row.text("condition") for row in phases if row.text("condition")] == ["after turn 7"]


def test_the_turns() -> None:
    turns = list(box()["turns"])
    assert [row.int("turn") for row in turns] == list(range(1, 8)) and constant("turns") == 7
    assert (turns[0].text("date"), turns[-1].text("date")) == ("June-July '44", "March-April '45")
    assert [row.key for row in turns if row.source("date").kind is SourceKind.RULEBOOK] == ["1", "7"]
    assert [row.key for row in turns if row.flag("verdict")] == ["7"]
    scenario = box()["scenarios"]["campaign"]
    assert (scenario.int("first_turn"), scenario.int("last_turn"), scenario.items("sides")) == (1, 7, ("west", "soviet", "axis"))


@pytest.mark.rule("fotb", "0.2.b")
@pytest.mark.rule("fotb", "0.2.c")
@pytest.mark.rule("fotb", "R-F136")
def test_every_place_off_the_map_has_a_box_and_hides_what_is_hidden() -> None:
    boxes = box()["boxes"]
    displays = {row.key: row for row in boxes if row.text("kind") == "display"}
    assert set(displays) == set(box()["formations"].by_key)
    for key, row in displays.items():
        formation = box()["formations"][key]
        assert (row.text("formation"), row.text("name"), row.text("side")) == (key, formation.text("name"), formation.text("side"))
    by_side = {"reserve", "pile", "destroyed", "removed", "pool", "hand"}
    for side in ("west", "soviet", "axis"):
        here = Counter(row.text("kind") for row in boxes if row.text("side") == side and row.text("kind") != "display")
        assert by_side <= here.keys() and here["pile"] == 2, side
    hidden = {kind: {row.flag("secret") for row in boxes if row.text("kind") == kind} for kind in {row.text("kind") for row in boxes}}
    assert {kind for kind, flags in hidden.items() if flags == {True}} == {"reserve", "display", "pool", "hand"}
    assert all(len(flags) == 1 for flags in hidden.values())
    assert len({row.text("name") for row in boxes}) == len(boxes)
    assert set(place().values()) <= set(boxes.by_key) | set(board().names)


def test_there_is_a_marker_for_everything_that_must_be_seen() -> None:
    markers = box()["markers"]
    kinds_ = Counter(row.text("kind") for row in markers)
    assert kinds_["control"] == kinds_["event"] == 3 and kinds_["track"] == len(box()["tracks"])
    assert {row.text("side") for row in markers if row.text("kind") == "control"} == {"west", "soviet", "axis"}
    assert Counter(row.text("side") for row in markers if row.text("kind") == "track") == Counter(r.text("side") for r in box()["tracks"])
    assert all(row.key.startswith("marker-") for row in markers)
    assert markers["marker-paratroops-return"].int("count") == len(at()["west-paratroops"])
    assert markers["marker-baltic-supply"].int("count") == len(where("baltic_supply", "1"))
    # Only what the rulebook tells to mark is called its own; the rest are reminders of ours.
    own = {row.key for row in markers if row.source("name").kind is SourceKind.RULEBOOK}
    assert own == {
        *("marker-turn", "marker-pr-axis", "marker-pr-soviet", "marker-pr-england", "marker-pr-italy"),
        *("marker-event-west", "marker-event-soviet", "marker-event-axis", "marker-paratroops-return"),
    }


def test_sides_and_nations_fit_together_and_their_counters_can_be_told_apart() -> None:
    for side in box()["sides"]:
        assert {row.key for row in box()["nations"] if row.text("side") == side.key} == set(side.items("nations"))
        assert {piece.nation for piece in box().pieces if piece.side == side.key} == set(side.items("nations"))
    assert {row.key: row.text("owner_two_players") for row in box()["sides"]} == {"west": "Allied", "soviet": "Allied", "axis": "Axis"}
    assert all(contrast(row.text("fill"), row.text("ink")) >= 4.5 for row in box()["nations"])
    for a in box()["nations"]:
        for b in box()["nations"]:
            if a.text("side") != b.text("side"):
                assert all(distance(a.text("fill"), b.text("fill"), vision) >= 8 for vision in VISIONS), (a.key, b.key)


# -- rules and rulings ----------------------------------------------------------------------------------------------------


def test_the_index_names_every_ruling_and_example() -> None:
    rules = box()["rules"]
    assert len(rules) == 426 and len(box()["rulings"]) == 139
    everything = {f"R-F{number}" for number in range(1, 140)}
    assert {name for row in rules for name in row.items("rulings")} == everything == set(box()["rulings"].by_key)
    assert {name for row in rules for name in row.items("examples")} == {f"F-{number:02}" for number in range(1, 61)}
    cited = {name for table in ("political_events", "stratagems") for row in box()[table] for name in row.items("rulings")}
    assert cited <= everything


def test_every_switch_belongs_to_a_ruling_and_every_ruling_with_one_names_it() -> None:
    named = {row.text("switch"): row.key for row in box()["rulings"] if row.text("switch")}
    assert {row.key: row.source().text.split()[-1] for row in box()["options"]} == named and len(named) == 11
    assert all("Switch: " in box()["rulings"][ruling].text("ruling") for ruling in named.values())


def test_rulings_that_texts_of_the_data_name_exist() -> None:
    for name in TABLES:
        for row in box()[name]:
            texts = [row.text(column) for column in row.values] + [str(source) for source in row.sources.values()]
            assert {ruling for text in texts for ruling in re.findall(r"R-F\d+", text)} <= set(box()["rulings"].by_key), row.key


# -- provenance -----------------------------------------------------------------------------------------------------------


def test_nothing_of_the_map_is_called_printed_but_what_the_rulebook_says() -> None:
    assert {row.key for row in box()["zones"] if row.source("name").kind is SourceKind.RULEBOOK} == numbers(1, 2, 3, 4, 6, 21, 26, 31, 53)
    assert kinds("outlines", "points") == {"reconstructed": 67}
    assert kinds("zones", "label_x") == kinds("zones", "extent") == {"reconstructed": 54}
    assert kinds("out_of_play", "points") == {"derived": 36} and kinds("rivers", "points") == {"derived": 109}
    assert all("Natural Earth" in str(row.source("points")) for name in ("out_of_play", "rivers", "outlines") for row in box()[name])
    assert Counter(row.text("confidence") for row in box()["zones"]) == {"high": 11, "medium": 14, "low": 29}
    assert all(row.source("confidence").certain == (row.text("confidence") != "low") for row in box()["zones"])


def test_no_value_of_a_counter_is_called_printed() -> None:
    assert kinds("formations", "capacity") == {"reconstructed": 40}
    assert kinds("units", "full") == {"reconstructed": 129, "derived": 2}
    assert kinds("units", "elite") == {"reconstructed": 114, "derived": 17}
    assert kinds("nations", "fill") == kinds("nations", "ink") == {"reconstructed": 9}
    within = {row.key for row in box()["units"] if str(row.source("full")) == "reconstructed within the sums of 11.3"}
    assert within == {unit for home in ("so-bielo3", "so-balt1", "ax-4a", "ax-3pz") for unit in at()[home]}
