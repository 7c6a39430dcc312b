"""What must hold of the data of Battle for Germany: the printed chart, what follows from the rules, and what we say each fact rests on."""

from __future__ import annotations

import csv
import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
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

GAME = "battle-for-germany"
FOLDER = Path(__file__).resolve().parents[2] / "data" / GAME
COURLAND = ("3822", "3823", "3824", "3923", "3924")
CLOSED = ("lake", "sea", "blocked", "swiss_border")
"""Hexsides that nothing passes: no move, no attack, no ZOC (4.0, R-G27, R-G43)."""
TABLES = (
    *("boxes", "cities", "city_control", "constants", "crt", "features", "hexes", "hexsides", "nations", "options", "phases"),
    *("rates", "regions", "rules", "rulings", "scenarios", "setups", "sides", "terrain", "turns", "units"),
)


@cache
def box() -> Box:
    return load_box(GAME)


@cache
def board() -> Hexes:
    grid = box().grid
    assert grid is not None
    return hexes(grid)


def playable() -> set[str]:
    return {row.key for row in box()["hexes"] if row.flag("playable")}


def sides(*features: str) -> set[tuple[str, str]]:
    return {(row.text("hex_a"), row.text("hex_b")) for row in box()["hexsides"] if row.text("feature") in features}


def near(name: str) -> list[str]:
    """The playable neighbours over a side that lets ZOC and units pass."""
    closed = sides_closed()
    return [other for other in board().neighbours(name) if board().hexside(name, other) not in closed and other in playable()]


@cache
def sides_closed() -> frozenset[tuple[str, str]]:
    return frozenset(sides(*CLOSED))


def at(setup: str) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for piece, place in box().setup(setup):
        found[place].append(box()["units"][piece])
    return found


def where(column: str, *values: str) -> set[str]:
    return {row.key for row in box()["hexes"] if row.flag("playable") and row.text(column) in values}


def tagged(column: str, tag: str) -> list[str]:
    return [row.key for row in box()["hexes"] if tag in row.items(column)]


def kinds(table: str, column: str) -> Counter[str]:
    return Counter(str(row.source(column).kind) for row in box()[table] if row.values[column] not in (None, ()))


# -- form -----------------------------------------------------------------------------------------------------------------


def test_the_box_is_whole_and_its_tables_agree() -> None:
    assert sorted(box().tables) == list(TABLES)
    assert (box().short, box().strengths) == ("bfg", ("attack", "defense", "move"))
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


# -- counters and set-ups -------------------------------------------------------------------------------------------------


@pytest.mark.example("G-28")
@pytest.mark.rule("bfg", "SC")
def test_the_counters_are_those_of_the_printed_chart() -> None:
    assert len(box().pieces) == 119
    assert Counter(piece.nation for piece in box().pieces) == {
        "Soviet Union": 26,
        "Communist Poland": 2,
        "Bulgaria": 1,
        "Yugoslavia": 4,
        "Romania": 2,
        "United States": 11,
        "Britain": 6,
        "Canada": 2,
        "France": 2,
        "Polish Exiles": 1,
        "West German": 22,
        "East German": 38,
        "Hungary": 2,
    }
    assert Counter(piece.side for piece in box().pieces) == {"S": 35, "W": 22, "WG": 22, "EG": 40}
    prefixes = {"S": "su", "W": "we", "WG": "wg", "EG": "eg"}
    assert all(piece.id.startswith(prefixes[piece.side] + "-") for piece in box().pieces)


@pytest.mark.rule("bfg", "SC")
def test_no_printed_strength_or_place_has_changed() -> None:
    # Names, strengths and both columns as the 1994 chart prints them. A change here is a mistake, whoever wants it.
    lines = [f"{piece.id} {piece.name} {piece.nation} {'-'.join(map(str, piece.strengths))}" for piece in box().pieces]
    lines += [f"{row.text('setup')} {row.text('piece')} {row.text('place')}" for row in box()["setups"]]
    digest = hashlib.sha256("\n".join(sorted(lines)).encode("utf-8")).hexdigest()
    assert digest == "8aa64407572479d162957ee301285aefad3824631c71e97ff3ff6c31e0642fba"
    assert {str(row.source()) for row in box()["setups"]} == {"rulebook 1994 Setup Chart"}
    assert {str(piece.row.source("attack")) for piece in box().pieces} == {"rulebook 1994 Setup Chart"}


@pytest.mark.example("G-28")
@pytest.mark.rule("bfg", "12.1")
@pytest.mark.parametrize(("setup", "count"), [("hist", 119), ("rsws", 50)])
def test_a_set_up_stacks_lawfully_on_land(setup: str, count: int) -> None:
    stacks = at(setup)
    assert sum(map(len, stacks.values())) == count == len({row.key for rows in stacks.values() for row in rows})
    for place, rows in stacks.items():
        if place == "courland":
            continue
        assert place in playable() and len(rows) <= 2, place
        assert len({row.text("side") for row in rows}) == 1, place
        assert sum(row.flag("front") for row in rows) <= 1, place
    if setup == "rsws":
        assert {row.text("side") for rows in stacks.values() for row in rows} == {"S", "W"}


@pytest.mark.example("G-17")
@pytest.mark.rule("bfg", "8.0.p1")
@pytest.mark.rule("bfg", "8.0.p2")
def test_courland_holds_four_and_two_fronts_stand_beside_it() -> None:
    assert box()["regions"]["courland"].items("hexes") == COURLAND
    assert {(row.key, "-".join(row.text(c) for c in box().strengths)) for row in at("hist")["courland"]} == {
        ("eg-3-ss", "7-5-8"),
        ("eg-2", "3-5-4"),
        ("eg-10", "2-4-4"),
        ("eg-16", "3-5-4"),
    }
    for place in ("3723", "3725"):
        assert [row.flag("front") for row in at("hist")[place]] == [True]
        assert set(board().neighbours(place)) & set(COURLAND)


@pytest.mark.rule("bfg", "5.2")
def test_every_side_sets_up_in_its_own_theater() -> None:
    theater = {"S": "east", "EG": "east", "W": "west", "WG": "west"}
    for place, rows in at("hist").items():
        for name in COURLAND if place == "courland" else (place,):
            assert {box()["hexes"][name].text("theater")} == {theater[row.text("side")] for row in rows}, name


def test_the_attributes_of_the_counters() -> None:
    units = box()["units"]
    assert {row.key for row in units if row.flag("front")} == {
        row.key for row in units if (row.int("attack"), row.int("defense"), row.int("move")) == (8, 20, 3)
    }
    assert sum(row.flag("front") for row in units) == 10
    assert {row.key for row in units if row.flag("ss")} == {
        *("wg-1-ss", "wg-2-ss", "wg-12-ss", "wg-13-ss", "eg-3-ss", "eg-4-ss", "eg-9-ss", "eg-11-ss", "eg-15-ss")
    }
    assert Counter(row.text("group") for row in units if row.text("group")) == {"commonwealth": 9, "us": 11, "french": 2}
    assert {row.text("nation") for row in units if not row.flag("replaceable")} == {"Yugoslavia", "Hungary"}
    assert {row.text("nation") for row in units if row.flag("soviet_proper")} == {"Soviet Union"}
    assert {row.text("nation") for row in units if row.flag("yugoslav")} == {"Yugoslavia"}
    garrisons = {row.key for row in units if row.flag("rsws_garrison")}
    assert {place for place, rows in at("rsws").items() for row in rows if row.key in garrisons} == {"2613", "2723", "1617"}
    assert {row.key for row in units if row.text("side") == "WG" and "lw" in row.key} == {"wg-1-lw", "wg-2-lw"}


# -- the map --------------------------------------------------------------------------------------------------------------


def test_the_grid_and_what_is_land() -> None:
    assert len(box()["hexes"]) == 1014 and box()["hexes"].rows[0].key == "0101" and box()["hexes"].rows[-1].key == "3926"
    assert len(playable()) == 732
    assert not any(box()["hexes"][name].text("terrain") == "sea" for name in playable())
    assert all((row.text("theater") == "none") != row.flag("playable") for row in box()["hexes"])
    assert len(box()["hexsides"]) == 538


@pytest.mark.example("G-15")
def test_the_stretches_where_units_leave_the_map() -> None:
    assert tagged("edge", "exit_west") == [f"{row}01" for row in range(16, 24)]
    assert tagged("edge", "exit_east") == [f"{row:02}26" for row in range(9, 36)]
    assert tagged("edge", "exit_south") == [f"01{column}" for column in range(12, 18)]
    assert [len(tagged("edge", f"exit_{way}")) for way in ("west", "east", "south")] == [8, 27, 6]
    assert all(name in playable() for way in ("west", "east", "south") for name in tagged("edge", f"exit_{way}"))
    edge = [row for row in box()["hexes"] if row.key[:2] in ("01", "39") or row.key[2:] in ("01", "26")]
    assert {str(row.source("edge").kind) for row in edge} == {"rulebook"}


@pytest.mark.rule("bfg", "7.2.e1")
@pytest.mark.rule("bfg", "7.2.e2")
@pytest.mark.rule("bfg", "7.2.e3")
def test_the_edges_where_replacements_arrive() -> None:
    west = [name for name in sorted(playable()) if name[2:] == "01" and int(name[:2]) <= 23]
    assert tagged("entry", "entry_west_allied") == west and len(west) == 21 and west[-1] == "2301"
    east = [name for name in sorted(playable()) if name[2:] == "26" and name not in where("country", "yugoslavia")]
    assert tagged("entry", "entry_soviet") == east and len(east) == 31 and east[0] == "0926"
    assert tagged("entry", "entry_italy") == tagged("edge", "exit_south")
    assert not any(row.items("entry") for row in box()["hexes"] if not row.flag("playable"))


def test_the_regions_that_follow_from_the_hexes() -> None:
    assert len(where("country", "italy")) == 82
    assert len(where("country", "yugoslavia")) == 83
    assert len(where("theater", "west")) == 353 and len(where("theater", "east")) == 378
    assert where("theater", "both") == {"2613"}
    assert len(where("theater", "west", "both") - where("country", "italy")) == 272
    assert sum(row.text("country") == "switzerland" for row in box()["hexes"]) == 19
    beside = set(board().neighbours("2613"))
    assert beside & where("theater", "west") == {"2513", "2612", "2713"} and beside & where("theater", "east") == {"2514", "2614", "2714"}


@pytest.mark.example("G-03")
@pytest.mark.example("G-07")
def test_hexes_that_the_worked_attacks_fix() -> None:
    features = {(row.text("hex"), row.text("feature")): row for row in box()["features"]}
    hexes_ = box()["hexes"]
    assert hexes_["2105"].text("terrain") == "broken" and hexes_["2105"].source("terrain").kind is SourceKind.RULEBOOK
    assert features["2105", "fortified"].source().kind is SourceKind.RULEBOOK
    assert not any(board().hexside("2105", name) in sides("river") for name in ("2004", "2104", "2204"))
    for name in COURLAND:
        assert hexes_[name].text("terrain") == "clear" and (name, "fortified") not in features
        assert not any(board().hexside(name, other) in sides("river") for other in board().neighbours(name))
    assert all(hexes_[name].source("terrain").kind is SourceKind.DERIVED for name in ("3823", "3824"))
    wall = {name for name, feature in features if feature == "fortified"}
    assert wall == {"2205", "2105", "2005", "1905", "1805", "1806", "1707"}
    assert [name for name, feature in features if feature == "port_courland"] == [
        name for name in COURLAND if any(box()["hexes"][other].text("terrain") == "sea" for other in board().neighbours(name))
    ]
    assert {row.text("name") for row in box()["features"] if row.text("feature") == "port"} == {"Stettin", "Rostock"}


@pytest.mark.rule("bfg", "10.0.p1")
def test_cities_and_their_victory_points() -> None:
    cities = box()["cities"]
    assert len(cities) == 55
    assert {row.text("name"): row.int("vp") for row in cities if row.flag("capital")} == {
        "Berlin": 10,
        "Warsaw": 2,
        "Prague": 2,
        "Vienna": 2,
    }
    total: Counter[str] = Counter()
    for row in cities:
        total[box()["hexes"][row.key].text("theater")] += row.int("vp")
        if box()["hexes"][row.key].text("theater") == "east" and not row.flag("capital"):
            assert row.int("vp") == 1
    assert total == {"east": 27, "west": 37, "both": 10}
    known = {
        "Berlin": "2613",
        "Warsaw": "2723",
        "Vienna": "1617",
        "Budapest": "1522",
        "Breslau": "2418",
        "Stettin": "2815",
        "Prague": "2015",
    }
    assert known.items() <= {row.text("name"): row.key for row in cities}.items()


def corners(name: str) -> list[tuple[int, int]]:
    """The corners of a hex as exact points."""
    row, column = board().row_column(name)
    x, y = 2 * column - row % 2, 3 * row
    return [(x, y + 2), (x + 1, y + 1), (x + 1, y - 1), (x, y - 2), (x - 1, y - 1), (x - 1, y + 1)]


def graph(lines: Iterable[tuple[str, str]]) -> dict[tuple[int, int], set[tuple[int, int]]]:
    """The corners that a chain of hexsides joins."""
    found: dict[tuple[int, int], set[tuple[int, int]]] = defaultdict(set)
    for a, b in lines:
        first, second = [corner for corner in corners(a) if corner in corners(b)]
        found[first].add(second)
        found[second].add(first)
    return dict(found)


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


@pytest.mark.rule("bfg", "5.2")
def test_the_boundary_is_two_chains_that_end_at_a_corner_of_the_capital_on_it() -> None:
    links = graph(sides("theater_boundary"))
    ends = [corner for corner, others in links.items() if len(others) == 1]
    assert len(parts(links)) == 2 and len(ends) == 4 and all(len(others) <= 2 for others in links.values())
    assert sum(corner in corners("2613") for corner in ends) == 2
    touching = {name for corner in ends if corner not in corners("2613") for name in board().names if corner in corners(name)}
    assert sum(box()["hexes"][name].text("terrain") == "sea" for name in touching) >= 2


@pytest.mark.rule("bfg", "5.3")
def test_the_yugoslav_border_is_one_chain_from_the_coast_to_the_east_edge() -> None:
    links = graph(sides("yugoslav_border"))
    assert len(parts(links)) == 1 and sum(len(others) == 1 for others in links.values()) == 2
    inside = where("country", "yugoslavia")
    assert "0826" in inside and "0926" not in inside
    for setup in ("hist", "rsws"):
        for place, rows in at(setup).items():
            for row in rows:
                assert not row.flag("yugoslav") or place in inside, place
                assert row.text("side") != "S" or row.flag("yugoslav") or place not in inside, place


def test_every_river_is_one_connected_chain_between_land() -> None:
    rivers: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in box()["hexsides"]:
        if row.text("feature") == "river":
            for name in row.text("name").split("/"):
                rivers[name].append((row.text("hex_a"), row.text("hex_b")))
            assert not any(box()["hexes"][row.text(column)].text("terrain") == "sea" for column in ("hex_a", "hex_b"))
    assert len(rivers) == 29
    assert {name: len(parts(graph(lines))) for name, lines in rivers.items() if len(parts(graph(lines))) != 1} == {}


def test_all_of_the_map_can_be_reached_and_each_theater_by_itself() -> None:
    assert len(parts({name: near(name) for name in playable()})) == 1
    for theater in ("west", "east"):
        inside = where("theater", theater)
        assert len(parts({name: [other for other in near(name) if other in inside] for name in inside})) == 1


@pytest.mark.example("G-45")
@pytest.mark.example("G-51")
def test_distances_that_the_examples_rest_on() -> None:
    assert [board().distance("3723", name) for name in ("3725", "3825", "3824")] == [2, 3, 2]
    italy = where("country", "italy")

    def nearest(hex_name: str, side: str, steps: int, *, in_italy: bool | None = None) -> set[str]:
        return {
            row.key
            for place, rows in at("hist").items()
            for row in rows
            if place != "courland" and row.text("side") == side and board().distance(hex_name, place) <= steps
            if in_italy is None or (place in italy) == in_italy
        }

    assert nearest("2101", "W", 3, in_italy=False) == {"we-5-us", "we-7-us", "we-12-br", "we-8-br", "we-30-br", "we-1-br", "we-2-cn"}
    assert nearest("0926", "S", 3) == {"su-1-yug"} and nearest("0926", "S", 4) == {"su-1-yug", "su-1-rom", "su-3-yug"}
    assert nearest("0112", "W", 4, in_italy=True) == {"we-2-us", "we-4-us", "we-13-br", "we-2-pol"}


# -- charts ---------------------------------------------------------------------------------------------------------------


@pytest.mark.example("G-04")
@pytest.mark.example("G-08")
@pytest.mark.example("G-09")
@pytest.mark.example("G-10")
def test_the_five_printed_cells_of_the_combat_table_and_no_others_are_called_printed() -> None:
    printed = {row.key: row.text("result") for row in box()["crt"] if row.source("result").kind is SourceKind.RULEBOOK}
    assert printed == {"1:1|1": "EX", "3:1|4": "DR", "4:1|3": "EX", "4:1|6": "DR", "5:1|3": "DE"}
    assert kinds("crt", "result") == {"rulebook": 5, "reconstructed": 43}


def test_the_combat_table_grows_worse_with_the_die_and_better_with_the_odds() -> None:
    rank = {"DE": 0, "EX": 1, "DR": 2, "AR": 3, "AE": 4}
    odds = list(dict.fromkeys(row.text("odds") for row in box()["crt"]))
    assert odds == ["1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1"]
    cell = {(row.text("odds"), row.int("die")): rank[row.text("result")] for row in box()["crt"]}
    assert all(cell[one, die] <= cell[one, die + 1] for one in odds for die in range(1, 6))
    assert all(cell[a, die] >= cell[b, die] for a, b in pairwise(odds) for die in range(1, 7))
    assert set(cell.values()) == set(rank.values())
    constants = box()["constants"]
    assert (constants["odds_lowest"].text("value"), constants["odds_highest"].text("value")) == (odds[0], odds[-1])


@pytest.mark.example("G-12")
@pytest.mark.example("G-13")
@pytest.mark.example("G-14")
def test_the_replacement_rates_and_what_each_rests_on() -> None:
    rates = {(row.int("turn"), row.text("rate")): row for row in box()["rates"]}
    assert len(rates) == 16 * 5
    for (turn, rate), row in rates.items():
        kind = row.source("number").kind
        if turn == 1:
            assert (row.int("number"), kind) == (0, SourceKind.RULEBOOK)
        elif (turn, rate) == (4, "west_german"):
            assert (row.int("number"), kind) == (1, SourceKind.DERIVED)
        elif (turn, rate) == (6, "western_allied"):
            assert (row.int("number"), kind) == (2, SourceKind.RULEBOOK)
        else:
            assert kind is SourceKind.RECONSTRUCTED
    assert [rates[turn, "east_german"].int("number") for turn in (2, 6, 7, 12, 13)] == [2, 2, 1, 1, 0]


@pytest.mark.example("G-06")
def test_the_terrain_chart() -> None:
    terrain = box()["terrain"]
    assert [terrain[kind].int("defence_multiplier") for kind in ("clear", "broken", "fortified", "river", "city")] == [1, 2, 2, 2, 1]
    assert {row.key for row in terrain if "hexside" in row.items("applies_to") and not row.flag("passable")} == set(CLOSED)
    for row in terrain:
        if "hexside" in row.items("applies_to"):
            assert row.int("attack_over", -1) == row.int("zoc_extends", -1) == row.int("passable")
    assert terrain["exit"].int("extra_cost") == 4 == box()["constants"]["exit_cost"].int("value")
    # A front (MA 3) can enter any hex beside it.
    assert terrain["broken"].int("enter_cost") + terrain["river"].int("extra_cost") <= 3
    assert not terrain["broken"].source("enter_cost").certain and terrain["broken"].source("defence_multiplier").certain


@pytest.mark.rule("bfg", "R-G119")
def test_scenarios_phases_and_options() -> None:
    scenarios = box()["scenarios"]
    assert {row.key: (row.int("first_turn"), row.int("last_turn")) for row in scenarios} == {
        "historical": (1, 10),
        "expanded": (1, 16),
        "collapse": (1, 6),
        "rsws": (11, 16),
        "three_player": (1, 10),
        "four_player": (1, 10),
    }
    phases = [row for row in box()["phases"] if row.text("scenario") == "historical" and not row.text("phase").startswith("second")]
    assert [(row.text("force"), row.text("phase")) for row in phases] == [
        *((force, kind) for force in ("S", "WG", "W", "EG") for kind in ("replacement", "movement", "combat")),
        ("", "turn"),
    ]
    assert {row.key for row in box()["options"] if row.text("kind") == "switch"} == {
        row.text("switch") for row in box()["rulings"] if row.text("switch")
    }
    constants = box()["constants"]
    assert constants["supply_markers_soviet"].int("value") + constants["supply_markers_western"].int("value") == 8


@pytest.mark.example("G-49")
@pytest.mark.rule("bfg", "R-G90")
@pytest.mark.rule("bfg", "R-G105")
@pytest.mark.parametrize("setup", ["hist", "rsws"])
def test_who_holds_each_city_at_the_start_follows_from_the_set_up(setup: str) -> None:
    stacks = {place: {row.text("side") if row.text("side") in "SW" else "german" for row in rows} for place, rows in at(setup).items()}
    unlike = {}
    for row in box()["city_control"]:
        here = stacks.get(row.key) or {side for other in near(row.key) for side in stacks.get(other, ())}
        other = "german" if setup == "hist" else "W" if box()["hexes"][row.key].text("theater") == "west" else "S"
        holder = next(iter(here)) if len(here) == 1 else other
        if holder != row.text(setup):
            unlike[row.key] = holder
    # Only Libau depends on where the four units of Courland are placed.
    assert unlike == ({"3822": "S"} if setup == "hist" else {})
    assert "set-up is complete" in box()["city_control"]["3822"].text("note")


def test_sides_nations_and_boxes_fit_together() -> None:
    for row in box()["sides"]:
        assert {unit.text("nation") for unit in box()["units"] if unit.text("side") == row.key} == set(row.items("nations"))
        assert {nation.key for nation in box()["nations"] if nation.text("side") == row.key} == set(row.items("nations"))
        assert {place.key for place in box()["boxes"] if place.text("side") == row.key} == set(row.items("boxes"))
    assert [row.key for row in box()["boxes"]] == ["box-s", "box-w", "box-italy", "box-eg", "box-wg", "off"]
    names = [alias.casefold() for row in box()["boxes"] for alias in row.items("aliases")]
    assert len(names) == len(set(names))


@pytest.mark.rule("bfg", "2.5")
def test_print_is_legible_on_every_nations_colour() -> None:
    def light(colour: str) -> float:
        parts_ = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts_]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for row in box()["nations"]:
        low, high = sorted((light(row.text("fill")), light(row.text("ink"))))
        assert (high + 0.05) / (low + 0.05) >= 4.5, row.key
        assert row.text("ink") == {"white": "#ffffff", "black": "#000000"}[row.text("print")]
        white = row.text("side") in ("W", "EG")
        assert row.text("print") == ("white" if white else "black")


# -- rules and rulings ----------------------------------------------------------------------------------------------------


def test_the_index_names_every_ruling_and_example() -> None:
    rules = box()["rules"]
    assert len(rules) == 336 and len(box()["rulings"]) == 126
    assert (
        {name for row in rules for name in row.items("rulings")}
        == {f"R-G{number}" for number in range(1, 127)}
        == set(box()["rulings"].by_key)
    )
    assert {name for row in rules for name in row.items("examples")} == {f"G-{number:02}" for number in range(1, 57)}


def test_every_paragraph_that_binds_has_a_role_and_no_other() -> None:
    for row in box()["rules"]:
        assert bool(row.text("role")) == (row.text("enforceable") == "yes"), row.key
    roles = {row.key: row.text("role") for row in box()["rules"]}
    assert {roles[name] for name in ("4.0.p2", "5.1.p1", "12.2.a", "6.2.1.a1", "9.0.p2")} == {"refuses"}
    assert {roles[name] for name in ("4.0.p1", "6.2.a", "11.0.a", "5.2.1.p2")} == {"effect"}
    assert {roles[name] for name in ("12.1", "SC.1", "8.0.p2")} == {"set-up"}
    assert {roles[name] for name in ("12.3.p3", "18.1.p3", "6.3.d1", "15.2.b", "16.3.b1", "17.2.b", "18/5.3.c")} == {"refuses"}
    assert {roles[name] for name in ("13.1.p2", "18.1.p13", "15.2.a", "17.3.b4")} == {"effect"}
    assert {roles[name] for name in ("15.1", "16.2", "14.0.p7")} == {"set-up"}
    assert {roles[name] for name in ("2.0.p1", "12.2", "18.1.p2")} == {""}


# -- provenance -----------------------------------------------------------------------------------------------------------


def test_nothing_of_the_map_is_called_printed_but_what_the_rulebook_says() -> None:
    assert kinds("hexsides", "name") == {"reconstructed": 538}
    assert [row.key for row in box()["hexes"] if row.source("terrain").kind is SourceKind.RULEBOOK] == ["2105"]
    assert [row.key for row in box()["hexes"] if row.source("terrain").kind is SourceKind.DERIVED] == ["3823", "3824"]
    assert tuple(row.key for row in box()["hexes"] if row.source("playable").kind is SourceKind.RULEBOOK) == COURLAND
    assert kinds("hexes", "theater").keys() == kinds("hexes", "country").keys() == {"derived", "reconstructed"}
    assert kinds("hexes", "lat") == kinds("hexes", "lon") == {"reconstructed": 1014}
    assert [row.key for row in box()["features"] if row.source().certain] == ["2105|fortified"]
    assert kinds("cities", "vp")["rulebook"] == 0 and not box()["cities"]["2613"].source("vp").certain
    assert kinds("nations", "fill") == kinds("nations", "ink") == {"reconstructed": 13}
    assert kinds("nations", "colour") == {"rulebook": 13}


def test_a_hex_where_a_unit_begins_or_leaves_is_certainly_land() -> None:
    named = {place for setup in ("hist", "rsws") for place in at(setup) if place != "courland"} | set(COURLAND)
    named |= {name for way in ("west", "east", "south") for name in tagged("edge", f"exit_{way}")} | {"2004", "3724"}
    assert {row.key for row in box()["hexes"] if row.source("playable").certain} == named


def test_where_a_side_begins_its_theater_is_certain() -> None:
    begin = {place for place in at("hist") if place != "courland"} | set(COURLAND) | {"2613"}
    # 8.0 and 9.0 let East Germans leave in the east; 7.2 lets the Allies arrive at their own edges, the Soviets north of the border.
    begin |= set(tagged("edge", "exit_east")) | set(tagged("entry", "entry_west_allied")) | set(tagged("entry", "entry_soviet"))
    assert {row.key for row in box()["hexes"] if row.source("theater").certain} == begin


def test_the_tally_of_printed_derived_and_reconstructed_facts() -> None:
    # Changes only when facts or their sources do; look at the difference before you write the new numbers.
    tally = {count.name: [count.facts.get(kind, 0) for kind in SourceKind] for count in check(GAME).tables}
    assert tally == {
        "hexes": [153, 368, 5960, 0],
        "cities": [55, 24, 86, 0],
        "features": [1, 0, 10, 0],
        "hexsides": [0, 0, 538, 0],
        "regions": [1, 0, 0, 0],
        "units": [715, 735, 0, 0],
        "setups": [169, 0, 0, 0],
        "nations": [39, 0, 39, 0],
        "boxes": [10, 1, 6, 0],
        "crt": [5, 0, 43, 0],
        "terrain": [10, 19, 33, 0],
        "turns": [3, 19, 0, 0],
        "rates": [6, 1, 73, 0],
        "sides": [20, 8, 0, 0],
        "scenarios": [52, 20, 0, 0],
        "phases": [166, 202, 0, 0],
        "options": [14, 30, 0, 0],
        "city_control": [0, 0, 111, 0],
        "constants": [54, 6, 9, 0],
        "rules": [336, 2101, 0, 0],
        "rulings": [0, 388, 0, 0],
    }
