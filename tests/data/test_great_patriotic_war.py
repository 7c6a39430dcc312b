"""What must hold of the data of The Great Patriotic War: what the rulebook fixes, what follows from it, and what each fact rests on."""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import pytest

from gamebox.geometry import Hexes, hexes
from gamebox.load import load_box
from gamebox.model import Box, Row, SourceKind
from modgen.check import check
from modgen.fmt import fmt

T = TypeVar("T")

GAME = "great-patriotic-war"
FOLDER = Path(__file__).resolve().parents[2] / "data" / GAME
TABLES = (
    *("boxes", "cities", "constants", "crt", "features", "hexes", "hexsides", "markers", "nations", "options", "order_of_battle"),
    *("phases", "points", "rail", "rail_off_map", "rates", "regions", "rules", "rulings", "scenarios", "sequences", "setups", "shock"),
    *("sides", "tables", "terrain", "turns", "units", "victory", "weather"),
)
SCENARIOS = ("barbarossa", "blau", "uranus", "citadel", "bagration", "campaign")
LEADERS_AND_AIRCRAFT = ("LDR", "FB", "BOM")
UNCOUNTED = ("AB", "PAR", *LEADERS_AND_AIRCRAFT)
"""Kinds that share a hex with another unit or are never printed in a set-up area of their own (11.1.B, 12.0.A, 15.1.A, 16.1.C)."""


@cache
def box() -> Box:
    return load_box(GAME)


@cache
def board() -> Hexes:
    grid = box().grid
    assert grid is not None
    return hexes(grid)


def hex_of(city: str) -> str:
    return next(row.key for row in box()["cities"] if row.text("name") == city)


def is_land(name: str) -> bool:
    return box()["hexes"][name].text("terrain") not in ("sea", "lake")


def playable() -> set[str]:
    return {row.key for row in box()["hexes"] if row.flag("playable")}


def sides(*features: str) -> set[tuple[str, str]]:
    return {(row.text("hex_a"), row.text("hex_b")) for row in box()["hexsides"] if row.text("feature") in features}


@cache
def closed() -> frozenset[tuple[str, str]]:
    """Hexsides that no unit crosses but by rail (5.3.A, 5.3.B)."""
    return frozenset(sides("sea", "lake"))


def near(name: str) -> list[str]:
    """The playable neighbours that a unit may walk to; the strait counts."""
    return [other for other in board().neighbours(name) if other in playable() and board().hexside(name, other) not in closed()]


@cache
def rail() -> Mapping[str, frozenset[str]]:
    links: dict[str, set[str]] = defaultdict(set)
    for row in box()["rail"]:
        links[row.text("hex_a")].add(row.text("hex_b"))
        links[row.text("hex_b")].add(row.text("hex_a"))
    return {name: frozenset(others) for name, others in links.items()}


def ride(start: str, without: Collection[str] = ()) -> dict[str, int]:
    """Every hex that can be reached by rail on the map, with the number of links."""
    found = {start: 0}
    queue = deque([start])
    while queue:
        name = queue.popleft()
        for other in rail()[name]:
            if other not in found and other not in without:
                found[other] = found[name] + 1
                queue.append(other)
    return found


def parts(links: Mapping[T, Iterable[T]]) -> list[set[T]]:
    seen: set[T] = set()
    found: list[set[T]] = []
    for start in links:
        if start in seen:
            continue
        part: set[T] = set()
        queue = [start]
        while queue:
            node = queue.pop()
            if node not in part:
                part.add(node)
                queue += links[node]
        seen |= part
        found.append(part)
    return found


def corners(name: str) -> set[tuple[int, int]]:
    return {(round(x), round(y)) for x, y in board().corners(name, 1000.0)}


def chain(lines: Iterable[tuple[str, str]]) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """Hexsides as a graph of the corners they join."""
    links: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for a, b in lines:
        ends = [corner for corner in corners(a) if any(abs(corner[0] - x) + abs(corner[1] - y) < 5 for x, y in corners(b))]
        assert len(ends) == 2
        # One spelling for a corner, however it was rounded in the hexes around it.
        one, other = ((10 * round(x / 10), 10 * round(y / 10)) for x, y in ends)
        links[one].append(other)
        links[other].append(one)
    return links


def at_start(setup: str, side: str) -> set[str]:
    return set(box()["regions"][f"{setup if setup != 'campaign' else 'barbarossa'}-{side}-side-at-start"].items("hexes"))


def places(row: Row) -> tuple[str, ...]:
    """The hexes that a set-up row allows; () for a box."""
    place = row.text("place")
    return () if row.text("how") == "box" else box()["regions"][place].items("hexes") if place in box()["regions"].by_key else (place,)


def setup(name: str) -> list[Row]:
    return [row for row in box()["setups"] if row.text("setup") == name]


def unit(row: Row) -> Row:
    return box()["units"][row.text("piece")]


def events(*kinds_: str) -> list[Row]:
    return [row for row in box()["order_of_battle"] if row.text("event") in kinds_]


def kinds(table: str, column: str) -> Counter[str]:
    return Counter(str(row.source(column).kind) for row in box()[table] if row.values[column] not in (None, ()))


# -- form -----------------------------------------------------------------------------------------------------------------


def test_the_box_is_whole_and_its_tables_agree() -> None:
    assert sorted(box().tables) == list(TABLES)
    assert (box().short, box().strengths) == ("gpw", ("attack", "defense", "move"))
    assert check(GAME).findings == ()


def test_the_files_are_in_their_one_form() -> None:
    result = fmt(GAME, write=False)
    assert result.repairs == () and result.errors == ()
    for path in FOLDER.glob("*.csv"):
        data = path.read_bytes()
        assert not data.startswith(b"\xef\xbb\xbf") and b"\r" not in data and data.endswith(b"\n"), path.name


def test_every_row_of_every_file_has_a_source() -> None:
    for name in TABLES:
        with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                assert row["source"].split()[0] in {"rulebook", "derived", "reconstructed", "owner"}, (name, row)


# -- the map --------------------------------------------------------------------------------------------------------------

NAMED = """
B1103 B1003 B1004 B1005 B1006 B1203 B1204 B1205 B1107 B1304 B1305 B1404 B1405 A2616 A2716 A1613 A2016 A1817 A1816 A1917 A2501 A2901
A2714 A2715 B1503 B1602 B1703 B1603 B1704 A0812 A0913 A0813 A0816 A1214 A1215 A1213 A1314 A1315 A1414 A1811 A1911 A1912 A2012 A1913
A1812 A1813 A1116 A1216 A1309 A1408 B1301 B2507 B2607 B2606 B2506 B2406 A0920 B2301 B2111 B1105 B2004 B0812 B1407 B2210 B2109
""".split()
"""Hexes that the rulebook names in examples, set-ups, errata and variants."""


@pytest.mark.rule("gpw", "2.1.1")
def test_two_maps_join_into_one_grid() -> None:
    assert len(box()["hexes"]) == len(board()) == 1408
    expected = {f"{sheet}{r:02}{c:02}" for sheet, last in (("A", 21), ("B", 23)) for r in range(1, 33) for c in range(1, last + 1)}
    assert set(box()["hexes"].by_key) == set(board().names) == expected
    for row in range(1, 33):
        assert board().adjacent(f"A{row:02}21", f"B{row:02}01"), "column 21 of map A lies beside column 01 of map B"
        assert board().row_column(f"B{row:02}01") == (row, 22)


def test_every_hex_that_the_rulebook_names_is_playable_land() -> None:
    assert len(set(NAMED)) == 65
    assert {name for name in NAMED if name not in playable() or not is_land(name)} == set()
    assert not any(row.flag("playable") and row.text("terrain") in ("sea", "lake") for row in box()["hexes"])


@pytest.mark.rule("gpw", "5.4.A")
@pytest.mark.rule("gpw", "11.5.C")
def test_terrain_that_the_examples_fix() -> None:
    fixed = {
        "clear": ("B1004", "B1005", "B1204", "B1107", "A1215", "A1315"),
        "forest": ("B1006", "B1205", "B1603", "A0813"),
        "swamp": ("B1305", "B1405", "B2109"),
        "rough": ("B2507",),
    }
    for terrain, names in fixed.items():
        for name in names:
            row = box()["hexes"][name]
            assert row.text("terrain") == terrain and row.source("terrain").certain, name


@cache
def cost(a: str, b: str, armour: bool, snow: int = 0) -> int | str | None:
    """MPs from hex to hex by the Terrain Effects Chart: ``stop`` where armour ends its move, None where it may not go."""
    terrain, side = box()["terrain"], board().hexside(a, b)
    if not is_land(b) or side in closed():
        return None
    city = box()["cities"].get(b)
    row = terrain[f"{city.text('class')}_city" if city else box()["hexes"][b].text("terrain")]
    which = "_armour" if armour else ""
    if armour and row.flag("armour_stops"):
        return "stop"
    total = row.int(f"enter_cost{which}") + snow
    for feature in ("river", "strait"):
        if side in sides(feature):
            if not terrain[feature].flag(f"passable{which}"):
                return None
            total += terrain[feature].int(f"extra_cost{which}")
    return total


@pytest.mark.example("P-01")
@pytest.mark.example("P-02")
@pytest.mark.example("P-03")
@pytest.mark.example("P-04")
@pytest.mark.example("P-06")
def test_the_movement_examples_cost_what_they_say() -> None:
    path = ("B1103", "B1003", "B1004", "B1005", "B1006")
    assert [cost(a, b, False) for a, b in pairwise(path)] == [2, 1, 1, 2]
    assert [cost("B1203", "B1204", True), cost("B1204", "B1205", True)] == [2, 4]
    assert any(cost("B1205", name, True) == 1 == cost(name, "B1107", True) for name in ("B1106", "B1206"))
    assert [cost("B1304", "B1305", False), cost("B1305", "B1205", False)] == [4, 2]
    assert cost("B1404", "B1405", True) == "stop"
    assert [cost("B1004", "B1005", True, 1), cost("B1204", "B1205", True, 1)] == [2, 5]


@pytest.mark.example("P-17")
def test_the_strait_is_open_to_all_but_armour() -> None:
    assert sides("strait") == {("A2714", "A2715")}
    assert cost("A2714", "A2715", True) is None and cost("A2714", "A2715", False) == 2
    strait = box()["terrain"]["strait"]
    assert (strait.int("attack_divisor"), strait.int("shift_left")) == (2, 1)


@pytest.mark.example("P-13")
@pytest.mark.example("P-14")
@pytest.mark.rule("gpw", "12.4.D")
@pytest.mark.rule("gpw", "12.4.E")
def test_rivers_that_the_examples_fix() -> None:
    rivers = sides("river")
    fixed = ("B1003/B1103 B1203/B1204 B1304/B1305 B1503/B1603 B1602/B1603 B1603/B1703", "A1214/A1215 A1314/A1315 A1315/A1414")
    for text in " ".join((*fixed, "A1116/A1216 A1309/A1408")).split():
        a, b = text.split("/")
        assert (a, b) in rivers and box()["hexsides"][f"{a}|{b}|river"].source().kind is SourceKind.RULEBOOK, text
    assert ("B1603", "B1704") not in rivers and board().adjacent("B1603", "B1704")
    assert not {("A0812", "A0813"), ("A0813", "A0913")} <= rivers, "no river shift at A0813"
    assert all(is_land(name) for name in board().neighbours("B1603"))


@pytest.mark.example("P-25")
@pytest.mark.example("P-27")
@pytest.mark.example("P-31")
def test_distances_and_neighbours_that_the_examples_rest_on() -> None:
    assert board().distance("A0816", "A0813") == 3
    assert [board().distance("A1213", name) for name in ("A1214", "A1314", "A1414")] == [1, 1, 2]
    around = set(board().neighbours("A1912"))
    assert {"A1811", "A1911", "A1913", "A2012"} < around
    assert around - {"A1811", "A1911", "A1913", "A2012"} == {"A1812", "A2011"}
    assert "A1813" in board().neighbours("A1812") and "A1811" in board().neighbours("A1812") and "A1911" in board().neighbours("A2011")
    assert not {"A1811", "A1911"} & set(board().neighbours("A1813"))


@pytest.mark.example("P-39")
@pytest.mark.rule("gpw", "2.1.2.A")
@pytest.mark.rule("gpw", "2.1.2.B")
@pytest.mark.rule("gpw", "2.1.2.C")
def test_the_map_has_the_errata() -> None:
    assert {("A1116", "A1216"), ("A1309", "A1408")} <= sides("river")
    assert hex_of("Bryansk") == "B1301" and hex_of("Cernauti") == "B2507"
    assert {("B2507", "B2607"), ("B2507", "B2606")} <= sides("border")
    assert ("B2506", "B2606") not in sides("border", "bessarabia") and ("B2406", "B2507") not in sides("border")
    assert box()["hexes"]["B2507"].text("country") == "bessarabia"
    assert "B2507" in box()["regions"]["barbarossa-kiev-md"].items("hexes")


def test_borders_part_countries_and_bessarabia_only_the_ussr() -> None:
    def country(name: str) -> str:
        return box()["hexes"][name].text("country")

    apart = {
        (a, b)
        for a in board().names
        for b in board().neighbours(a)
        if board().hexside(a, b) == (a, b) and "sea" not in (country(a), country(b)) and country(a) != country(b)
    }
    assert apart == sides("border", "bessarabia") and not sides("border") & sides("bessarabia")
    assert sides("bessarabia") == {(a, b) for a, b in apart if {country(a), country(b)} == {"bessarabia", "ussr"}}


def test_rivers_never_run_along_water_and_each_is_one_chain() -> None:
    assert not sides("river") & (sides("sea") | sides("lake") | sides("strait"))
    rivers: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in box()["hexsides"]:
        if row.text("feature") == "river":
            for name in row.text("name").split("/"):
                rivers[name].append((row.text("hex_a"), row.text("hex_b")))
    assert {name: len(parts(chain(lines))) for name, lines in rivers.items() if len(parts(chain(lines))) != 1} == {}
    wanted = "Dnepr,W. Dvina,Don,Donets,Volga,Bug,Dnestr,Prut,Vistula,Niemen,Oder,Danube,Desna,Berezina,Pripet,Oka,Kuban,Terek,Narew,San"
    assert set(wanted.split(",")) <= set(rivers)
    assert ("B1902", "B1903") in rivers["Dnepr"] and ("A1607", "A1608") in rivers["Volga"], "Kiev and Stalingrad on the west bank"


def test_all_playable_land_hangs_together_and_the_crimea_by_its_three_ways() -> None:
    assert len(parts({name: near(name) for name in playable()})) == 1
    crimea = set(box()["regions"]["crimea"].items("hexes"))
    ways = {board().hexside(a, b) for a in crimea for b in near(a) if b not in crimea}
    assert ways == {("A2617", "A2718"), ("A2618", "A2718"), ("A2714", "A2715")}


def test_edges_are_those_of_the_joined_grid() -> None:
    for row in box()["hexes"]:
        line, column = board().row_column(row.key)
        edges = {
            edge for edge, there in (("north", line == 1), ("south", line == 32), ("east", column == 1), ("west", column == 44)) if there
        }
        assert set(row.items("edge")) == edges, row.key
    west, east = (box()["regions"][name].items("hexes") for name in ("axis-home-edge", "soviet-home-edge"))
    assert {name for name in playable() if board().row_column(name)[1] == 44} == set(west)
    assert set(east) == {
        name for name in playable() if name[0] == "A" and name.endswith("01") and box()["hexes"][name].text("country") == "ussr"
    }


# -- cities and rails -----------------------------------------------------------------------------------------------------

CITIES = """
Moscow Leningrad Kuybyshev Berlin Kalinin Kharkov Kiev Rostov Voronezh Stalingrad Astrakhan Tbilisi Yerevan Dnepropetrovsk Stalino
Zaporozhe Kursk Smolensk Minsk Riga Lwow Warsaw Königsberg Bucharest Budapest Prague Breslau Vienna Saratov Odessa Sevastopol Gomel Orel
Yaroslavl Bryansk Cernauti Orsha Zhitomir Brest-Litovsk Bratislava Mogilev Vitebsk
""".split()
"""Cities that the rulebook names."""


def test_every_city_that_the_rulebook_names_is_there_once() -> None:
    names = [row.text("name") for row in box()["cities"]]
    assert set(CITIES) <= set(names) and len(names) == len(set(names)) == 107
    assert {row.text("name") for row in box()["cities"] if row.source("name").certain} == set(CITIES)
    aliases = [alias for row in box()["cities"] for alias in row.items("aliases")]
    assert {"Kuibyshev", "Konigsberg", "Brunn"} <= set(aliases) and len(aliases) == len(set(aliases)) and not set(aliases) & set(names)


@pytest.mark.rule("gpw", "23.5.2.1")
@pytest.mark.rule("gpw", "23.5.2.2")
def test_the_cities_whose_hexes_the_rulebook_gives() -> None:
    given = {
        "Orsha": "B1105",
        "Zhitomir": "B2004",
        "Riga": "B0812",
        "Minsk": "B1407",
        "Lwow": "B2210",
        "Bryansk": "B1301",
        "Cernauti": "B2507",
    }
    assert {name: hex_of(name) for name in given} == given
    assert {row.text("name") for row in box()["cities"] if row.source().kind is SourceKind.RULEBOOK} == set(given)
    assert hex_of("Kuybyshev").startswith("A") and hex_of("Kuybyshev").endswith("06"), "the sixth hex from the east edge"
    reach = {text for row in box()["tables"] if row.text("table") == "armour_group" for text in re.findall(r"B\d{4}", row.text("result"))}
    assert reach == {given[name] for name in ("Orsha", "Zhitomir", "Riga", "Minsk", "Lwow")}


def test_classes_capitals_and_fortresses() -> None:
    cities = box()["cities"]

    def country(row: Row) -> str:
        return box()["hexes"][row.key].text("country")

    major = [row for row in cities if row.text("class") == "major"]
    assert sum(country(row) in ("ussr", "bessarabia") for row in major) >= 10 and sum(country(row) == "germany" for row in major) >= 4
    capitals = {row.text("capital_of"): row.text("name") for row in cities if row.flag("capital")}
    assert capitals == {
        "ussr": "Moscow",
        "germany": "Berlin",
        "romania": "Bucharest",
        "hungary": "Budapest",
        "slovakia": "Bratislava",
        "jugoslavia": "Belgrade",
    }
    assert {row.text("name") for row in box()["features"]} == {"Sevastopol", "Brest-Litovsk"}
    assert all(row.text("name") == cities[row.text("hex")].text("name") for row in box()["features"])
    assert all(box()["hexes"][hex_of(name)].flag("coast") for name in ("Sevastopol", "Odessa", "Kerch", "Novorossiysk", "Constanta"))
    assert "black_sea" in box()["hexes"][hex_of("Kerch")].items("sea") and box()["hexes"][hex_of("Mariupol")].items("sea") == ("azov",)


@pytest.mark.rule("gpw", "17.2.2.A")
def test_one_hungarian_unit_more_comes_in_may_1942_than_there_are_hungarian_cities() -> None:
    cities = [row for row in box()["cities"] if box()["hexes"][row.key].text("country") == "hungary"]
    coming = [row for row in events("reinforcement", "return") if row.int("turn") == 8 and unit(row).text("nation") == "Hungary"]
    assert len(coming) == len(cities) + 1 == 4


def test_the_rails_are_one_net_of_land_hexes_with_every_city_on_it() -> None:
    assert len(box()["rail"]) == 646 and len(ride("A0720")) == len(rail())
    assert all(is_land(name) for name in rail())
    assert {name for name in rail() if name not in playable()} == {"B3122"}, "the line from Zagreb into Italy"
    crossed = {(row.text("hex_a"), row.text("hex_b")) for row in box()["rail"]} & (sides("sea", "lake", "strait"))
    assert crossed == {("A2616", "A2716")}
    assert {row.text("name") for row in box()["cities"] if row.key not in rail()} == set()
    for column in (1, 44):
        assert sum(board().row_column(name)[1] == column for name in rail()) >= 3, "rails reach both home edges"


@pytest.mark.parametrize(
    "ends",
    [
        *("Warsaw/Brest-Litovsk", "Brest-Litovsk/Minsk", "Minsk/Smolensk", "Smolensk/Moscow", "Leningrad/Moscow", "Kiev/Kharkov"),
        *("Rostov/Grozny", "Moscow/Kuybyshev", "Kuybyshev/Kazan", "Melitopol/Sevastopol", "Lwow/Odessa", "Budapest/Bucharest"),
        *("Berlin/Warsaw", "Stalingrad/Astrakhan"),
    ],
)
def test_the_trunk_lines_run_without_long_ways_round(ends: str) -> None:
    a, b = (hex_of(name) for name in ends.split("/"))
    assert ride(a)[b] <= board().distance(a, b) * 1.6 + 1


@pytest.mark.example("P-18")
@pytest.mark.rule("gpw", "5.5.1.D")
@pytest.mark.rule("gpw", "5.5.1.E")
def test_the_rail_examples() -> None:
    assert "A1817" in rail()["A1816"] and "A1917" in rail()["A1817"]
    assert "A1816" in ride("A1613", ["A1817"]) and "A1917" in ride("A2016", ["A1817"])
    assert ride("A1613")["A1917"] == ride("A1613")["A1817"] + 1 and ride("A2016")["A1816"] == ride("A2016")["A1817"] + 1
    assert "A2716" in rail()["A2616"] and "A2716" not in near("A2616") and near("A2616") and near("A2716")
    for key in ("A1816|A1817", "A1817|A1917", "A2616|A2716"):
        assert box()["rail"][key].source().kind is SourceKind.RULEBOOK


@pytest.mark.rule("gpw", "5.5.2")
def test_one_railway_joins_off_the_map_and_ours_only_under_their_switch() -> None:
    table = box()["rail_off_map"]
    assert [row.key for row in table if not row.text("option")] == ["A2501|A2901"] and table[
        "A2501|A2901"
    ].source().kind is SourceKind.RULEBOOK
    assert all(not row.source().certain for row in table if row.text("option"))
    for row in table:
        a, b = row.text("hex_a"), row.text("hex_b")
        assert a in rail() and b in rail()
        edge = {"soviet": 1, "axis": 44}[row.text("side")]
        assert [board().row_column(name)[1] for name in (a, b)] == [edge, edge]


# -- counters -------------------------------------------------------------------------------------------------------------


def test_the_counters_by_nation_and_kind() -> None:
    own = [row for row in box()["units"] if row.text("enters") != "variant"]
    assert (len(own), len(box()["units"])) == (225, 237)
    assert Counter(row.text("nation") for row in own) == {
        "Germany": 77,
        "German SS": 4,
        "Italy": 3,
        "Romania": 14,
        "Hungary": 9,
        "Slovakia": 1,
        "Soviet Union": 99,
        "Soviet Guards": 11,
        "Poland": 2,
        "Bulgaria": 3,
        "Soviet-allied Romania": 2,
    }
    count = Counter((row.text("side"), row.text("kind")) for row in own)
    assert [count["soviet", kind] for kind in ("SHK", "GDS", "TK", "MECH", "AB", "PAR")] == [5, 11, 6, 3, 5, 4]
    assert len({(row.text("side"), row.text("title")) for row in box()["units"]}) == 237, "no two counters are told alike"


def test_values_that_the_rulebook_gives_to_whole_kinds() -> None:
    def values(kind: str, side: str = "soviet") -> set[tuple[int, ...]]:
        columns = ("attack", "defense", "reduced_attack", "reduced_defense", "move", "steps")
        rows = [row for row in box()["units"] if (row.text("kind"), row.text("side")) == (kind, side) and row.text("enters") != "variant"]
        return {tuple(row.int(column) for column in columns) for row in rows}

    assert values("TK") == {(14, 14, 7, 7, 8, 2)}
    assert values("SHK") == values("GDS") == {(10, 10, 5, 5, 6, 2)}
    assert values("AB") == values("AB", "axis") == {(2, 2, 0, 0, 6, 1)}
    assert values("PAR") == {(0, 0, 0, 0, 6, 1)}
    assert values("GAR", "axis") == {(2, 4, 1, 2, 4, 2)}
    for row in box()["units"]:
        assert row.flag("circled") == (row.text("kind") in ("PZ", "TK", "MECH", "CAV")), row.key
        if row.int("reduced_attack"):
            assert (2 * row.int("reduced_attack"), 2 * row.int("reduced_defense")) == (row.int("attack"), row.int("defense")), row.key
        assert (row.int("steps") == 2) == bool(row.int("reduced_attack"))


@pytest.mark.rule("gpw", "2.3.2.5")
@pytest.mark.rule("gpw", "R-P17")
def test_leaders_and_aircraft() -> None:
    units = box()["units"]
    assert [(units[name].int("turn"), units[name].int("radius")) for name in ("su-koniev", "g-manstein")] == [(17, 2), (13, 3)]
    assert [units[name].int("radius") for name in ("g-rundstedt", "g-bock")] == [3, 3]
    assert {row.key for row in events("leader") if row.int("turn") == 1} == {"1|leader|g-bock", "1|leader|g-rundstedt"}
    for row in units:
        assert (row.text("kind") == "LDR") == bool(row.text("radius")) or row.key == "g-guderian"
        assert (row.text("kind") in ("FB", "BOM")) == bool(row.int("range")) == bool(row.int("shift"))
        assert row.flag("intercepts") == (row.text("kind") == "FB")
    strong = [row for row in units if row.int("shift") == 2]
    assert sorted(row.text("side") for row in strong) == ["axis", "soviet"], "one aircraft of two columns on each side (25.0)"
    assert all(row.int("turn") >= 13 for row in units if row.text("kind") == "FB" and row.text("side") == "soviet")
    germans = {row.key for row in units if row.text("kind") == "LDR" and row.text("side") == "axis" and row.text("enters") != "variant"}
    assert germans == {row.text("piece") for row in events("recall") if row.text("side") == "axis" and row.int("turn") <= 26}


@pytest.mark.rule("gpw", "17.1.1.A")
@pytest.mark.rule("gpw", "17.2.1.B")
def test_garrisons_that_may_not_leave_their_country_begin_in_it() -> None:
    bound = {row.key for row in box()["units"] if row.flag("garrison")}
    assert bound == {"ro-8-gar", "ro-9-gar", "ro-10-gar", "ro-11-gar", "ro-12-gar", "hu-6-gar", "hu-9-gar"}
    for name in SCENARIOS:
        for row in setup(name):
            if row.text("piece") in bound and row.text("how") != "box":
                nation = unit(row).text("nation").lower()
                assert {box()["hexes"][place].text("country") for place in places(row)} == {nation}, row.key


# -- set-ups --------------------------------------------------------------------------------------------------------------

PRINTED = """
barbarossa axis Hungary: INF 4-6 2H 5H; GAR 2-4-4 6H 9H
barbarossa axis Romania: INF 8-6 11; INF 6-6 30 54; INF 4-6 2RO 3RO 4RO 5RO; GAR 2-4-4 9RO 10RO 11RO 12RO; MTN 4-6 Mtn; CAV 4-6 Cav
barbarossa soviet Baltic MD: INF 8-6 8 11; INF 6-6 27
barbarossa soviet Western MD: INF 8-6 3 4 10 13; MECH 8-8 2
barbarossa soviet Odessa MD: INF 8-6 9; INF 6-6 Cos
barbarossa soviet Kiev MD: INF 8-6 5 6 12 18 ...
barbarossa soviet Kiev: INF 8-6 16; AB 2-6 1
barbarossa soviet Kharkov: AB 2-6 2
barbarossa soviet Odessa: AB 2-6 3
barbarossa soviet Minsk: AB 2-6 4
barbarossa soviet Leningrad: AB 2-6 5
barbarossa soviet B2301: MECH 8-8 3
barbarossa soviet B2111: INF 8-6 19
barbarossa soviet A0920: INF 8-6 20
barbarossa soviet Orel: INF 6-6 24
barbarossa soviet Yaroslavl: INF 6-6 28
barbarossa soviet Rostov: INF 6-6 29
barbarossa soviet Tbilisi: INF 6-6 44
blau axis Hungary: INF 4-6 2H 5H; GAR 2-4-4 6H 9H
blau axis Romania: INF 4-6 1RO 3RO 5RO 6RO; GAR 2-4-4 8RO 9RO 10RO 11RO 12RO; CAV 4-6 Cav
blau axis Crimea: INF 6-6 30 42 54; MTN 4-6 Mtn
blau axis Anywhere: GAR 2-4-4 Slov 8H
blau soviet Leningrad: INF 8-6 8; INF 6-6 42
blau soviet Volkov: INF 6-6 52 59; INF 8-6 4; SHK 10-6 2
blau soviet Northwestern: INF 6-6 27R 34 53; INF 8-6 11; SHK 10-6 1
uranus axis Hungary: INF 4-6 2H 5H; GAR 2-4-4 6H 9H
uranus axis Romania: GAR 2-4-4 9RO 10RO 12RO
uranus axis AGN: INF 6-6 26 28 30R 38 50 54; INF 8-6 1 2 10; FB FB
uranus axis AGC: INF 6-6 6 9 12 20 23 27 35 43 53; GAR 2-4-4 2LW ...
uranus soviet Leningrad: INF 6-6 42 55
uranus soviet Volkov: INF 6-6 52R 54 59; INF 8-6 4 6; SHK 10-6 2
uranus soviet Northwestern: INF 6-6 27 34 53; INF 8-6 11; SHK 10-6 1; LDR Timoshenko
citadel axis Hungary: INF 4-6 2H 5H; GAR 2-4-4 6H 9H
citadel axis Romania: GAR 2-4-4 9RO 10RO 12RO
citadel axis AGN: INF 6-6 26 28 38 50 54; INF 8-6 1 2 8R 10; GAR 2-4-4 3LW; BOM BOM; FB FB
citadel axis AGC: INF 4-6 59; INF 6-6 6 7 9 12 20 23 27 35 43 55; INF 8-6 13 ...
citadel soviet Leningrad: INF 6-6 42 67; INF 8-6 8
citadel soviet Volkov: INF 6-6 54 59; SHK 10-6 2; BOM BOM
citadel soviet Northwestern: INF 6-6 68; SHK 10-6 1; MECH 8-8 1 ...
citadel soviet Central: INF 8-6 6 ...
bagration axis Hungary: INF 4-6 2H 5H; GAR 2-4-4 6H 9H
bagration axis Balkan Garrison: GAR 2-4-4 68 69; MTN 4-6 15 21 22 5SS
bagration axis Romania: GAR 2-4-4 9RO 10RO 12RO
bagration axis AGN: INF 4-6 6SS; INF 6-6 26R 28R 38 43 50; INF 8-6 1R 2 10R ...
bagration axis AGSU: INF 8-6 4 17 ...
bagration soviet Leningrad: INF 6-6 59R; INF 8-6 8R; SHK 10-6 2
bagration soviet 3rd Baltic: INF 6-6 42R 54 67R; BOM BOM
bagration soviet 2nd Baltic: GDS 10-6 10; SHK 10-6 1 3
bagration soviet 1st Baltic: INF 6-6 43 51 ...
"""
"""Scenario, side, place, then what stands there; R: reduced; ``...``: the printed rows break off (R-P25), so more may follow."""
BARE = re.compile(r"(?<=\d)(Sh|Gd)$|(?<=[\dS]) (AB|GRP|Mtn|TA)$")
"""What the counter adds to the number by which a set-up row calls it."""


def printed_units() -> Iterable[tuple[str, str, str, bool, list[tuple[str, str, str]]]]:
    """(setup, side, place, whether the rows are whole, (kind, values, id) of each unit)."""
    for line in PRINTED.strip().splitlines():
        head, _, tail = line.partition(": ")
        name, side, place = head.split(" ", 2)
        whole = not tail.endswith(" ...")
        found = []
        for group in tail.removesuffix(" ...").split("; "):
            kind, *words = group.split()
            values = words.pop(0) if re.fullmatch(r"\d+-[\d-]+", words[0]) else ""
            found += [(kind, values, word) for word in words]
        yield name, side, place, whole, found


def printed_as(row: Row) -> tuple[str, str, str]:
    """A set-up row as the printed table would name it."""
    piece = unit(row)
    kind, name = piece.text("kind"), BARE.sub("", piece.text("name"))
    if kind in LEADERS_AND_AIRCRAFT:
        return kind, "", name
    values = [piece.int("attack"), piece.int("move")] if kind != "GAR" else [piece.int("attack"), piece.int("defense"), piece.int("move")]
    return kind, "-".join(map(str, values)), name + ("R" if row.text("state") == "reduced" else "")


@pytest.mark.rule("gpw", "22.1.6")
@pytest.mark.rule("gpw", "22.2.6")
@pytest.mark.rule("gpw", "22.3.6")
@pytest.mark.rule("gpw", "22.4.6")
@pytest.mark.rule("gpw", "22.5.6")
@pytest.mark.rule("gpw", "R-P25")
def test_every_printed_set_up_row_is_kept_and_whole_areas_hold_nothing_else() -> None:
    seen = 0
    for name, side, place, whole, wanted in printed_units():
        rows = [row for row in setup(name) if row.text("printed") == place and unit(row).text("side") == side]
        found = Counter(map(printed_as, rows))
        # Values printed wrong are read by R-P13; aircraft stand without their values.
        missing = Counter(wanted) - found
        assert not missing, (name, place, missing)
        if whole and place != "Anywhere":
            assert Counter(wanted) == found, (name, place)
        for row in rows:
            if printed_as(row) in wanted and (name, place) != ("barbarossa", "Kiev MD"):
                assert row.source("place").certain, row.key
        seen += len(wanted)
    assert seen == 194


@pytest.mark.rule("gpw", "R-P261")
@pytest.mark.rule("gpw", "R-P262")
@pytest.mark.rule("gpw", "R-P12")
def test_rows_that_are_printed_wrong_follow_our_rulings() -> None:
    rows = {row.text("piece"): row for row in setup("barbarossa")}
    assert [rows[piece].text("place") for piece in ("su-29-inf", "su-26-inf", "su-21-inf", "su-19-inf")] == [
        hex_of("Rostov"),
        "barbarossa-kiev-md",
        hex_of("Gomel"),
        "B2111",
    ]
    assert [str(rows[piece].source("place").kind) for piece in ("su-26-inf", "su-21-inf", "su-19-inf")] == [
        "derived",
        "derived",
        "rulebook",
    ]
    assert box()["units"]["su-26-inf"].source("name").kind is box()["units"]["su-21-inf"].source("name").kind is SourceKind.DERIVED


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_counter_has_one_place_in_every_set_up(name: str) -> None:
    rows = setup(name)
    assert Counter(row.text("piece") for row in rows) == Counter(piece.id for piece in box().pieces)
    for row in rows:
        kind, how = unit(row).text("kind"), row.text("how")
        regions, boxes = box()["regions"], box()["boxes"]
        assert (row.text("place") in boxes.by_key) == (how == "box"), row.key
        assert (row.text("place") in regions.by_key) == (how in ("region", "airfield")), row.key
        assert how == "box" or (how == "airfield") == (kind in ("FB", "BOM")), row.key
        if how == "region":
            assert name in regions[row.text("place")].items("scenarios"), row.key


@pytest.mark.parametrize("name", SCENARIOS)
def test_areas_lie_on_their_own_side_and_control_is_complete(name: str) -> None:
    axis, soviet = at_start(name, "axis"), at_start(name, "soviet")
    assert axis | soviet == playable() and not axis & soviet
    for row in setup(name):
        own = axis if unit(row).text("side") == "axis" else soviet
        assert set(places(row)) <= own, row.key
    # Crimea is a name of geography, not an area of its own.
    areas = [row for row in box()["regions"] if row.text("kind") == "setup" and name in row.items("scenarios") and row.key != "crimea"]
    assert len(areas) >= 11
    assert max(Counter(hex_name for row in areas for hex_name in row.items("hexes")).values()) == 1


def test_enclaves_at_the_start_are_only_the_besieged_ones() -> None:
    found = {}
    for name in SCENARIOS:
        for side in ("axis", "soviet"):
            own = at_start(name, side)
            rest = sorted(parts({hex_name: [other for other in near(hex_name) if other in own] for hex_name in own}), key=len)[:-1]
            if rest:
                found[name, side] = sorted(hex_name for part in rest for hex_name in part)
    assert found == {
        ("blau", "soviet"): ["A2918", "B0108", "B0209"],
        ("uranus", "soviet"): ["B0108", "B0209"],
        ("citadel", "soviet"): ["B0209"],
    }


@pytest.mark.parametrize(
    ("name", "axis", "soviet"),
    [("barbarossa", 57, 25), ("blau", 64, 50), ("uranus", 72, 61), ("citadel", 60, 68), ("bagration", 66, 58), ("campaign", 57, 25)],
)
def test_how_many_ground_units_each_side_begins_with(name: str, axis: int, soviet: int) -> None:
    count = Counter(unit(row).text("side") for row in setup(name) if row.text("how") != "box" and unit(row).text("kind") not in UNCOUNTED)
    assert (count["axis"], count["soviet"]) == (axis, soviet)


@pytest.mark.rule("gpw", "10.0.I")
@pytest.mark.rule("gpw", "R-P125")
@pytest.mark.rule("gpw", "R-P266")
@pytest.mark.parametrize("name", SCENARIOS)
def test_what_stands_off_the_map_follows_from_the_order_of_battle(name: str) -> None:
    scenario = box()["scenarios"][name]
    first, last = scenario.int("first_turn"), scenario.int("last_turn")
    log: dict[str, list[Row]] = defaultdict(list)
    for row in box()["order_of_battle"]:
        if not row.flag("at_start"):
            log[row.text("piece")].append(row)
    for row in setup(name):
        piece, place, kind = row.text("piece"), row.text("place"), unit(row).text("kind")
        past = [event.text("event") for event in log[piece] if event.int("turn") < first]
        # What the Axis half that is not played would have done has happened (R-P266).
        skipped = scenario.text("skipped_side") == unit(row).text("side")
        past += [
            event.text("event") for event in log[piece] if event.int("turn") == first and skipped and event.text("event") == "withdrawal"
        ]
        coming = [event for event in log[piece] if event.int("turn") >= first and event.text("event") not in ("withdrawal", "recall")]
        if unit(row).text("enters") == "variant":
            assert place == "variants", row.key
        elif unit(row).text("enters") == "event":
            assert place == "waiting", row.key
        elif past and past[-1] == "withdrawal":
            assert place == "withdrawn", row.key
        elif past and past[-1] == "recall":
            assert place == "out", row.key
        elif coming and not past and unit(row).text("enters") != "setup" and row.text("how") == "box":
            due = coming[0].int("turn")
            assert place == (f"turn-{due}" if due <= last else "out"), row.key
            assert row.text("state") == (coming[0].text("state") or "full"), row.key
        elif row.text("how") == "box":
            expected = "partisans" if kind == "PAR" else "balkan" if "balkan" in past else f"dead-{unit(row).text('side')}"
            assert place == expected, row.key
            assert kind not in (*LEADERS_AND_AIRCRAFT, "AB"), "only what RPs can buy is dead"
        else:
            assert not (coming and not past and unit(row).text("enters") != "setup"), f"{row.key} begins before its turn"


def test_rows_name_the_section_that_must_be_in_play() -> None:
    need = {"LDR": "12", "FB": "11", "BOM": "11", "AB": "15", "PAR": "16"}
    for row in box()["setups"]:
        piece = unit(row)
        if piece.text("enters") != "variant" and piece.text("kind") in need:
            assert row.items("needs") == (need[piece.text("kind")],), row.key
        if row.text("place") in ("balkan", "waiting"):
            assert row.items("needs") == ("17",), row.key


# -- order of battle, turns -----------------------------------------------------------------------------------------------


@pytest.mark.rule("gpw", "9.3")
def test_the_order_of_battle_in_numbers() -> None:
    assert Counter(row.text("event") for row in box()["order_of_battle"]) == {
        "reinforcement": 70,
        "conversion": 16,
        "leader": 15,
        "withdrawal": 10,
        "recall": 10,
        "aircraft": 8,
        "balkan": 6,
        "build": 6,
        "return": 5,
        "partisan": 4,
    }
    for row in box()["order_of_battle"]:
        assert row.text("side") == unit(row).text("side")
        assert bool(row.text("state")) == (row.text("event") in ("reinforcement", "return"))


@pytest.mark.example("P-22")
@pytest.mark.rule("gpw", "9.3.E")
def test_soviet_reinforcements_of_july_and_august_1941_arrive_reduced_and_no_others() -> None:
    for row in events("reinforcement", "return"):
        assert (row.text("state") == "reduced") == (row.text("side") == "soviet" and row.int("turn") in (2, 3)), row.key


@pytest.mark.example("P-23")
@pytest.mark.example("P-29")
@pytest.mark.rule("gpw", "16.1.A")
@pytest.mark.rule("gpw", "9.4.D")
def test_events_that_the_rulebook_dates() -> None:
    keys = set(box()["order_of_battle"].by_key)
    assert {"6|recall|g-rundstedt", "13|leader|g-manstein", "17|leader|su-koniev", *(f"8|build|su-{n}-tk" for n in range(1, 7))} <= keys
    assert sorted(row.int("turn") for row in events("partisan")) == [6, 14, 22, 30]
    assert sum(row.int("turn") == 5 for row in events("conversion")) == 2
    gone = {row.text("piece") for row in events("withdrawal")}
    assert {row.key for row in box()["units"] if row.text("nation") == "Italy"} < gone and "g-7fl-ab" in gone
    assert not any(unit(row).text("kind") == "INF" and unit(row).text("nation") != "Italy" for row in events("withdrawal"))


def test_every_counter_comes_into_play_somewhere() -> None:
    turns = {(row.text("piece"), row.int("turn")) for row in box()["order_of_battle"]}
    for row in box()["units"]:
        match row.text("enters"):
            case "setup":
                assert any(other.text("piece") == row.key and other.text("how") != "box" for other in setup("campaign")), row.key
            case "event":
                assert row.text("nation") in ("Bulgaria", "Soviet-allied Romania")
            case "variant":
                assert row.items("needs")
            case _:
                assert (row.key, row.int("turn")) in turns, row.key


@pytest.mark.parametrize("name", SCENARIOS[:5])
def test_every_withdrawal_finds_its_unit_in_play(name: str) -> None:
    scenario = box()["scenarios"][name]
    begun = {row.text("piece") for row in setup(name) if row.text("place") not in ("out", "variants", "waiting")}
    for row in events("withdrawal"):
        if scenario.int("first_turn") <= row.int("turn") <= scenario.int("last_turn"):
            assert row.text("piece") in begun, row.key


def test_replacement_points() -> None:
    rates = {(row.int("turn"), row.text("rate")): row.int("number") for row in box()["rates"]}
    axis = [rates[turn, "axis"] for turn in range(1, 33)]
    assert axis[13] > axis[12] and len(set(axis[13:])) == 1 and axis[25] > 2, "rises in 1943, then stays (25.0, 23.2.7.A)"
    assert kinds("rates", "number") == {"reconstructed": 64}


@pytest.mark.example("P-38")
@pytest.mark.rule("gpw", "3.0.A")
def test_the_calendar() -> None:
    turns = list(box()["turns"])
    order = ["Jan/Feb", "Mar/Apr", "May", "Jun", "Jul", "Aug", "Sep/Oct", "Nov/Dec"]
    assert [(row.int("year"), row.text("months")) for row in turns] == [(1941 + n // 8, order[n % 8]) for n in range(3, 35)]
    assert [turns[n - 1].text("date") for n in (1, 8, 32)] == ["Jun, 1941", "May, 1942", "May, 1945"]


@pytest.mark.example("P-07")
@pytest.mark.example("P-08")
@pytest.mark.rule("gpw", "6.3.B")
def test_weather() -> None:
    weather = box()["weather"]
    for row in box()["turns"]:
        kind, turn = weather[row.text("weather")], row.int("turn")
        assert row.text("months") in kind.items("months")
        marked = kind.key != "clear"
        assert row.int("soviet_adverse") == kind.int("adverse") == (3 if marked else 0)
        assert row.int("axis_adverse") == (0 if not marked else 5 if 4 <= turn <= 7 else 4 if 12 <= turn <= 15 else 3)
    assert [weather["snow"].int(column) for column in ("move_extra", "shift_left", "axis_first_winter_left")] == [1, 1, 2]
    assert [weather["mud"].int(column) for column in ("move_divisor", "attack_divisor", "shift_left")] == [2, 2, 0]


@pytest.mark.example("P-21")
@pytest.mark.example("P-24")
@pytest.mark.rule("gpw", "9.2.C")
@pytest.mark.rule("gpw", "11.4.A")
def test_lend_lease_and_boxes_for_aircraft() -> None:
    rolled = {row.int("turn"): row.int("lend_lease") for row in box()["turns"] if row.text("lend_lease")}
    assert sorted(rolled) == list(range(3, 30))
    assert {turn for turn, change in rolled.items() if change} == {3, 4, 5, *range(22, 30)}
    assert [row.flag("axis_aircraft") for row in box()["turns"]] == [turn % 2 == 1 for turn in range(1, 33)]
    assert all(row.flag("soviet_aircraft") for row in box()["turns"])


# -- charts ---------------------------------------------------------------------------------------------------------------


@pytest.mark.example("P-15")
def test_the_printed_cells_of_the_combat_table_and_no_others_are_called_printed() -> None:
    printed = {row.key: row.text("result") for row in box()["crt"] if row.source("result").kind is SourceKind.RULEBOOK}
    assert printed == {"2:1|2": "DR", "4:1|2": "DR"}
    assert kinds("crt", "result") == {"rulebook": 2, "derived": 4, "reconstructed": 30}
    best = [row for row in box()["crt"] if row.text("odds") == "6:1" and row.text("result") == "DE"]
    assert len(best) == 4 and {row.source("result").kind for row in best} == {SourceKind.DERIVED}


def test_the_combat_table_grows_better_with_the_odds() -> None:
    rank = {"DE": 0, "DRL": 1, "DR": 2, "EX": 3, "NE": 4, "AL": 5}
    cell = {(row.text("odds"), row.int("die")): rank[row.text("result")] for row in box()["crt"]}
    odds = list(dict.fromkeys(row.text("odds") for row in box()["crt"]))
    assert odds == ["1:1", "2:1", "3:1", "4:1", "5:1", "6:1"] and set(cell.values()) == set(rank.values())
    assert all(cell[a, die] >= cell[b, die] for a, b in pairwise(odds) for die in range(1, 7))
    totals = [sum(cell[one, die] for die in range(1, 7)) for one in odds]
    assert all(a > b for a, b in pairwise(totals))


@pytest.mark.rule("gpw", "7.4.2.C.exc")
@pytest.mark.example("P-37")
def test_the_terrain_chart() -> None:
    terrain = box()["terrain"]
    assert {row.key for row in terrain if row.flag("armour_stops")} == {"swamp", "mountain"}
    assert {row.key for row in terrain if row.flag("stand")} == {"swamp", "mountain", "fortress"}
    assert [terrain[kind].int("shift_left") for kind in ("clear", "forest", "rough", "minor_city", "river")] == [0, 1, 1, 0, 1]
    assert {row.key for row in terrain if not row.flag("passable")} == {"sea", "lake"}
    certain = {row.key for row in terrain if row.source("enter_cost").certain and row.text("enter_cost")}
    assert certain == {"clear", "forest", "swamp", "minor_city", "major_city"}
    assert not terrain["mountain"].source("shift_left").certain and terrain["mountain"].source("stand").certain
    # B2109 defends better than a major city of the base game (23.5.4.5.4, note).
    assert box()["hexes"]["B2109"].text("terrain") == "swamp" and terrain["swamp"].flag("stand") and not terrain["major_city"].flag("stand")


def test_bands_of_every_table_follow_each_other_without_a_gap() -> None:
    bands: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in box()["tables"]:
        bands[row.text("table"), row.text("entry")].append(row)
    for (table, entry), rows in bands.items():
        ends = sorted((row.int("low", -999), row.int("high", 999)) for row in rows)
        assert all(a[1] + 1 == b[0] for a, b in pairwise(ends)), (table, entry)
        span = (ends[0][0], ends[-1][1])
        assert span == {"lend_lease": (0, 6), "bombing": (0, 7), "victory_levels": (-999, 999)}.get(table, (1, 6)), (table, entry)


@pytest.mark.example("P-58")
@pytest.mark.example("P-57")
def test_some_bands() -> None:
    def result(table: str, entry: str, roll: int) -> str:
        rows = [row for row in box()["tables"] if (row.text("table"), row.text("entry")) == (table, entry)]
        return next(row.text("result") for row in rows if row.int("low", -999) <= roll <= row.int("high", 999))

    assert [result("interception", "interceptor", roll) for roll in (3, 4, 6)] == ["none", "aborted", "shot down"]
    assert [result("air_combat", "fighter:bomber", roll) for roll in (3, 4, 5)] == ["none", "aborted", "shot down"]
    assert [result("lend_lease", "modified roll", roll) for roll in (1, 2, 5)] == ["0 RPs", "1 RP", "2 RPs"]
    assert [result("victory_levels", "total", total) for total in (60, 15, 14, -14, -15, -59, -60)] == [
        *("German Strategic", "German Marginal", "Draw", "Draw", "Soviet Marginal", "Soviet Substantive", "Soviet Strategic"),
    ]


# -- scenarios, phases, options -------------------------------------------------------------------------------------------


@pytest.mark.example("P-35")
@pytest.mark.rule("gpw", "R-P191")
def test_scenarios() -> None:
    scenarios = box()["scenarios"]
    assert {row.key: (row.int("first_turn"), row.int("last_turn")) for row in scenarios} == {
        "barbarossa": (1, 5),
        "blau": (8, 13),
        "uranus": (13, 17),
        "citadel": (18, 21),
        "bagration": (25, 29),
        "campaign": (1, 32),
    }
    assert [row.text("moves_first") for row in scenarios] == ["axis", "axis", "soviet", "axis", "soviet", "axis"]
    assert [row.text("sets_up_first") for row in scenarios] == ["soviet", "soviet", "soviet", "axis", "axis", "soviet"]
    skipped = {row.key: (row.text("skipped_side"), row.int("skipped_turn")) for row in scenarios if row.text("skipped_side")}
    assert skipped == {"uranus": ("axis", 13), "bagration": ("axis", 25)}
    assert [row.flag("draw") for row in scenarios] == [False, True, False, True, False, True]
    assert [row.flag("advanced") for row in scenarios] == [False, True, True, True, True, True]


@pytest.mark.rule("gpw", "3.0.A")
@pytest.mark.parametrize("name", SCENARIOS)
def test_ten_phases_in_every_turn_and_what_options_add(name: str) -> None:
    phases = [row for row in box()["phases"] if row.text("scenario") == name]
    ten = [(row.text("force"), row.text("phase")) for row in phases if not row.text("option") and row.text("force")]
    assert ten == [(side, phase) for side in ("axis", "soviet") for phase in ("replacement", "rail", "armoured", "combat", "general")]
    assert [row.text("phase") for row in phases if row.text("option")] == ["initiative", "weather", "exploitation", "exploitation"]
    assert phases[-1].text("phase") == "turn"
    scenario = box()["scenarios"][name]
    for row in phases:
        told = "not on turn" in row.text("condition")
        assert told == (bool(row.text("force")) and row.text("force") == scenario.text("skipped_side")), row.key


def test_victory_conditions_end_in_a_last_resort() -> None:
    for name in SCENARIOS:
        rows = [row for row in box()["victory"] if row.text("scenario") == name]
        last = [row for row in rows if not row.int("need")]
        assert len(last) == 1 and last[0].int("rank") == max(row.int("rank") for row in rows)
        for row in rows:
            cities = row.items("cities")
            assert (row.text("among") == "named") == bool(cities) and row.int("need") <= max(len(cities), 1)
    moscow = box()["victory"]["barbarossa|1|axis|1"]
    assert moscow.items("cities") == (hex_of("Moscow"),) and moscow.text("when") == "at once"
    four = box()["victory"]["barbarossa|2|axis|1"]
    assert (four.int("need"), len(four.items("cities"))) == (4, 6)


@pytest.mark.example("P-51")
@pytest.mark.rule("gpw", "R-P131")
def test_shock_attacks() -> None:
    def shocks(scenario: str, side: str) -> dict[str, int]:
        rows = [row for row in box()["shock"] if (row.text("scenario"), row.text("side")) == (scenario, side) and row.int("number")]
        return {row.text("year"): row.int("from_turn") for row in rows}

    assert shocks("campaign", "axis") == {"T1": 1, "1941": 1, "1942": 6, "1943": 14, "1945": 30}
    assert shocks("campaign", "soviet") == {"1942": 6, "1943": 14, "1944": 22, "1945": 30}
    assert shocks("barbarossa", "axis") == {"T1": 1, "1941": 1} and shocks("barbarossa", "soviet") == {}
    assert shocks("blau", "axis") == {"1942": 8} and shocks("blau", "soviet") == {}
    assert shocks("uranus", "axis") == shocks("uranus", "soviet") == {"1942": 13, "1943": 14}
    assert shocks("citadel", "axis") == shocks("citadel", "soviet") == {"1943": 18}
    assert shocks("bagration", "axis") == shocks("bagration", "soviet") == {"1944": 25}


def test_options_are_the_advanced_sections_optional_rules_variants_and_switches() -> None:
    options = box()["options"]
    assert Counter(row.text("kind") for row in options) == {"advanced": 8, "option": 4, "variant": 75, "switch": 18}
    assert {row.key for row in options if row.text("kind") == "advanced"} == {str(number) for number in range(11, 19)}
    assert {row.key for row in options if row.text("kind") == "switch"} == {
        row.text("switch") for row in box()["rulings"] if row.text("switch")
    }
    assert options["23.5.4.3.4"].items("needs_one") == ("20.3", "23.4.10.A")
    ids = {row.key for row in box()["rules"]} | {row.text("section") for row in box()["rules"]}
    for row in options:
        if row.text("kind") in ("option", "variant"):
            assert row.key in ids or any(name.startswith(f"{row.key}.") for name in ids), row.key
        assert not set(row.items("excludes")) & (set(row.items("needs")) | set(row.items("needs_one"))), row.key
    for row in box()["units"]:
        for name in (*row.items("needs"), *row.items("needs_one")):
            assert options[name].text("kind") == ("variant" if row.text("enters") == "variant" else "advanced"), row.key


# -- sides, nations, boxes, markers ---------------------------------------------------------------------------------------


@pytest.mark.rule("gpw", "2.3.3")
def test_the_colours_of_the_nations() -> None:
    told = {row.key: (row.text("print"), row.text("colour"), row.text("type_box")) for row in box()["nations"]}
    assert told == {
        "Germany": ("black", "green", ""),
        "German SS": ("white", "black", ""),
        "Italy": ("black", "green", "yellow"),
        "Romania": ("black", "green", "brown"),
        "Hungary": ("black", "green", "red"),
        "Slovakia": ("black", "green", "white"),
        "Soviet Union": ("white", "red", ""),
        "Soviet Guards": ("yellow", "red", ""),
        "Poland": ("black", "red", ""),
        "Bulgaria": ("black", "red", "green"),
        "Soviet-allied Romania": ("black", "red", "brown"),
    }
    assert kinds("nations", "colour") == {"rulebook": 11} and kinds("nations", "fill") == {"reconstructed": 11}


def light(colour: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts_ = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts_]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_print_is_legible_on_every_nations_colour() -> None:
    for row in box()["nations"]:
        low, high = sorted((light(row.text("fill")), light(row.text("ink"))))
        assert (high + 0.05) / (low + 0.05) >= 4.5, row.key
        assert bool(row.text("type_box")) == bool(row.text("type_fill"))


def test_sides_nations_and_boxes_fit_together() -> None:
    for row in box()["sides"]:
        assert {nation.key for nation in box()["nations"] if nation.text("side") == row.key} == set(row.items("nations"))
        assert {piece.text("nation") for piece in box()["units"] if piece.text("side") == row.key} == set(row.items("nations"))
        assert {place.key for place in box()["boxes"] if place.text("side") == row.key} == set(row.items("boxes"))
        assert box()["cities"][row.text("capital")].flag("capital")
        assert box()["regions"][row.text("home_edge")].text("side") == row.key
    assert {row.int("turn") for row in box()["boxes"] if row.text("turn")} == set(range(1, 33))
    names = [alias.casefold() for row in box()["boxes"] for alias in row.items("aliases")]
    assert len(names) == len(set(names)) and not set(box()["boxes"].by_key) & set(box()["regions"].by_key)


@pytest.mark.rule("gpw", "5.5.1.E")
@pytest.mark.rule("gpw", "23.5.3.1.A")
def test_every_marker_that_the_rules_call_for_is_there() -> None:
    markers = box()["markers"]
    wanted = ("rail", "control", "shock", "points", "trains", "strait", "assault", "support", "vp", "fortification")
    assert {f"{name}-{side}" for name in wanted for side in ("axis", "soviet")} <= set(markers.by_key)
    assert {"out-of-supply", "weather", "reserve", "flown", "attack", "balkan", "romania", "fortress-lost"} <= set(markers.by_key)
    assert (markers["out-of-supply"].text("name"), markers["out-of-supply"].text("back")) == ("Out of supply", "Isolated")
    assert markers["fortification-axis"].int("count") == 3


# -- rules and rulings ----------------------------------------------------------------------------------------------------


def test_the_index_names_every_ruling_and_example() -> None:
    rules = box()["rules"]
    assert len(rules) == 946 and len(box()["rulings"]) == 276
    assert (
        {name for row in rules for name in row.items("rulings")}
        == {f"R-P{number}" for number in range(1, 277)}
        == set(box()["rulings"].by_key)
    )
    assert {name for row in rules for name in row.items("examples")} == {f"P-{number:02}" for number in range(1, 63)}


def test_every_paragraph_and_ruling_that_is_cited_exists() -> None:
    index = {row.key for row in box()["rules"]} | {row.text("section") for row in box()["rules"]}
    known = {".".join(name.split(".")[:length]) for name in index for length in range(1, 9)}
    for table in box().tables.values():
        for row in table:
            for column, source in row.sources.items():
                cited = set(re.findall(r"(?<![\w.])\d+\.\d+(?:\.[\dA-Za-z]+)*", source.text))
                assert cited <= known, row.cell(column)
                assert set(re.findall(r"R-P\d+", source.text)) <= set(box()["rulings"].by_key), row.cell(column)
    for row in box()["rulings"]:
        assert set(row.items("sections")) <= index, row.key
    for row in box()["options"]:
        assert set(row.items("replaces")) <= known, row.key
    for row in box()["constants"]:
        assert set(row.text("section").split()) <= index, row.key


def test_rulings_that_name_a_switch_have_it() -> None:
    options = {row.key for row in box()["options"] if row.text("kind") == "switch"}
    for row in box()["rulings"]:
        told = {name for name in options if name in row.text("ruling")}
        assert told == set(row.items("switch")) and ("Switch:" in row.text("ruling")) == bool(told), row.key


# -- provenance -----------------------------------------------------------------------------------------------------------


def test_strengths_called_printed_stand_in_a_printed_row_or_a_rule() -> None:
    # R after a number only marks a reduced unit.
    in_rows = {(side, kind, re.sub(r"(?<=\d)R$", "", word)) for _, side, _, _, rows in printed_units() for kind, _, word in rows}
    for row in box()["units"]:
        if row.source("attack").kind is not SourceKind.RULEBOOK or not row.text("attack") or row.text("enters") == "variant":
            continue
        kind = row.text("kind")
        if kind in ("TK", "SHK", "GDS", "PAR"):
            continue
        name = BARE.sub("", row.text("name"))
        assert (row.text("side"), kind, name) in in_rows or row.key in ("su-21-inf", "su-26-inf"), row.key
    assert kinds("units", "attack")["reconstructed"] == 69
    panzers = [row for row in box()["units"] if row.text("kind") == "PZ"]
    assert len(panzers) == 17 and not any(row.source("attack").certain or row.source("name").certain for row in panzers)


def test_nothing_of_the_map_is_called_printed_but_what_the_rulebook_says() -> None:
    assert kinds("hexsides", "name")["rulebook"] == 14 and kinds("rail", "lines") == {"reconstructed": 646}
    printed = {row.key for row in box()["hexes"] if row.source("terrain").kind is SourceKind.RULEBOOK}
    assert printed == {"B1004", "B1005", "B1006", "B1205", "B1305", "B1405", "B1603", "A0813"}
    assert [row.key for row in box()["hexes"] if row.source("country").kind is SourceKind.RULEBOOK] == ["B2507"]
    assert kinds("hexes", "lat") == kinds("hexes", "lon") == {"reconstructed": 1408}
    derived = {row.key for row in box()["hexes"] if row.source("playable").kind is SourceKind.DERIVED and row.flag("playable")}
    assert derived <= set(NAMED) and not any(row.source("playable").kind is SourceKind.RULEBOOK for row in box()["hexes"])
    assert {row.key for row in box()["regions"] if row.source("hexes").certain} == set()


def test_what_rests_on_our_order_of_battle_is_never_called_more() -> None:
    sure = {row.text("piece") for row in box()["order_of_battle"] if row.source("side").certain}
    for row in box()["setups"]:
        if row.text("place").startswith("turn-"):
            assert not row.source("place").certain or row.text("piece") in sure, row.key
        if row.text("place").startswith("dead-") or row.text("place") == "withdrawn":
            assert not row.source("place").certain, row.key


def test_the_tally_of_printed_derived_and_reconstructed_facts() -> None:
    # Changes only when facts or their sources do; look at the difference before you write the new numbers.
    tally = {count.name: [count.facts.get(kind, 0) for kind in SourceKind] for count in check(GAME).tables}
    assert tally == {
        "hexes": [9, 426, 8423, 0],
        "cities": [45, 116, 169, 0],
        "features": [0, 1, 1, 0],
        "hexsides": [14, 2, 904, 0],
        "rail": [0, 0, 646, 0],
        "rail_off_map": [1, 0, 25, 0],
        "regions": [180, 112, 209, 0],
        "units": [962, 1808, 1295, 0],
        "setups": [1123, 1170, 3200, 0],
        "order_of_battle": [54, 257, 133, 0],
        "rates": [0, 0, 64, 0],
        "turns": [204, 87, 0, 0],
        "weather": [24, 0, 0, 0],
        "nations": [39, 0, 39, 0],
        "sides": [6, 4, 0, 0],
        "boxes": [83, 13, 45, 0],
        "markers": [26, 182, 0, 0],
        "crt": [2, 4, 30, 0],
        "terrain": [83, 55, 15, 0],
        "scenarios": [68, 5, 0, 0],
        "victory": [74, 2, 0, 0],
        "shock": [30, 18, 0, 0],
        "phases": [502, 14, 0, 0],
        "sequences": [20, 0, 0, 0],
        "options": [261, 549, 0, 0],
        "constants": [207, 6, 0, 0],
        "tables": [186, 0, 0, 0],
        "points": [26, 0, 0, 0],
        "rules": [946, 5509, 0, 0],
        "rulings": [0, 848, 0, 0],
    }
