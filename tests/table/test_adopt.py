"""A foreign module's counters are matched by what they say, however they say it; what is unsure is said to be unsure."""

from __future__ import annotations

import itertools
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from gamebox.load import load_box
from gamebox.model import Box
from modgen.formats.errors import FormatError
from modgen.formats.vassal.buildfile import Module
from referee.table.adopt import (
    LIKELY,
    Adoption,
    Foreign,
    MappingErrors,
    Match,
    PieceMap,
    _hungarian,
    _words,
    adopt,
    match,
    read_csv,
    write_csv,
)
from tests.formats.files import CLUB, COOKBOOK, SAMPLE, SAMPLES, name
from tests.table import clubs

MARKERS = {"Supply"}


@pytest.fixture(scope="module")
def box() -> Box:
    return load_box("battle-for-germany")


@pytest.fixture(scope="module")
def club() -> Module:
    return clubs.club()


@pytest.fixture(scope="module")
def truth(box: Box, club: Module) -> dict[str, str]:
    """gpid -> piece id, from strengths, number and set-up hex alone: these three name every counter of the club module."""
    hist = dict(box.setup("hist"))
    courland = set(box["regions"]["courland"].items("hexes"))
    found: dict[str, str] = {}
    by_name: dict[tuple[str, str], str] = {}
    for slot in sorted(club.slots, key=lambda slot: not slot.at_start):
        words, strengths = clubs.split_name(slot.name)
        if not strengths:
            continue
        nation = club.expanded(slot).markers()["Nation"]
        if slot.at_start:
            number = re.match(r"\d*", words)[0]  # type: ignore[index]
            fits = [
                piece.id
                for piece in box.pieces
                if "-".join(map(str, piece.strengths)) == strengths
                and re.sub(r"\D", "", piece.name) == number
                and (hist[piece.id] == slot.location or (hist[piece.id] == "courland" and slot.location in courland))
            ]
            assert len(fits) == 1, slot.name
            by_name[slot.name, nation] = fits[0]
        found[slot.gpid] = by_name[slot.name, nation]
    assert len(set(found.values())) == 119 and len(found) == 238
    return found


def matched(adoption: Adoption) -> dict[str, str]:
    return {gpid: m.piece for m in adoption.matches for gpid in m.foreign.gpids}


def test_every_counter_of_the_club_module_is_matched_right_and_surely(box: Box, truth: dict[str, str]) -> None:
    drafted = adopt(CLUB, box)
    assert matched(drafted) == truth
    assert all(m.sure >= 95 and m.how for m in drafted.matches)
    assert drafted.missing == () and {foreign.name for foreign in drafted.unmatched} == MARKERS
    assert drafted.summary()[0] == "119 counters matched, 119 of them surely; 0 pieces of the game not found"


STYLES = [
    clubs.strengths_first,
    clubs.slashes,
    clubs.ordinals,
    clubs.romans,
    clubs.spelled_out,
    clubs.run_together,
    clubs.shouted,
    clubs.no_strengths,
]


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.__name__)
def test_other_names_are_matched_right(box: Box, club: Module, truth: dict[str, str], style: object) -> None:
    assert callable(style)
    renamed = clubs.changed(club, clubs.renamed(style))
    assert matched(adopt(renamed, box)) == truth
    plain = clubs.without_folders(clubs.changed(club, clubs.renamed(style), clubs.no_nation))
    assert matched(adopt(plain, box)) == truth
    assert matched(adopt(clubs.scattered(renamed, 0.3, 5), box)) == truth


@pytest.mark.parametrize("style", STYLES[:-1], ids=lambda style: style.__name__)
def test_names_and_strengths_are_enough(box: Box, club: Module, truth: dict[str, str], style: object) -> None:
    assert callable(style)
    plain = clubs.without_folders(clubs.changed(club, clubs.renamed(style), clubs.no_nation))
    assert matched(adopt(clubs.scattered(plain, 1.0, 3), box)) == truth


def test_strengths_may_stand_in_markers(box: Box, club: Module, truth: dict[str, str]) -> None:
    plain = clubs.changed(club, clubs.strengths_in_markers, clubs.no_nation)
    assert matched(adopt(clubs.scattered(plain, 1.0, 9), box)) == truth


def test_what_nothing_tells_apart_is_not_called_sure(box: Box, club: Module, truth: dict[str, str]) -> None:
    bare = clubs.without_folders(clubs.changed(club, clubs.renamed(clubs.no_strengths), clubs.no_nation))
    drafted = adopt(clubs.scattered(bare, 1.0, 3), box)
    wrong = [m for m in drafted.matches if truth.get(m.foreign.gpids[0]) != m.piece]
    assert len(wrong) <= 4
    assert all(m.sure < LIKELY for m in wrong)
    assert len([m for m in drafted.matches if m.sure >= LIKELY]) > 50
    assert any(line.startswith("look at: ") for line in drafted.summary())


@pytest.mark.parametrize("path", [SAMPLE / "sample.vmod", COOKBOOK / "cookbook-demo.vmod"], ids=name)
def test_the_counters_of_another_game_are_nobody(box: Box, path: Path) -> None:
    drafted = adopt(path, box)
    assert drafted.matches == () and len(drafted.missing) == 119 and drafted.unmatched


def test_half_a_module_is_half_a_mapping(box: Box, club: Module, truth: dict[str, str]) -> None:
    drafted = adopt(replace(club, slots=club.slots[::2]), box)
    assert all(truth[gpid] == piece for gpid, piece in matched(drafted).items())
    assert len(drafted.matches) + len(drafted.missing) == 119


def test_zones_and_phases_are_drafted_too(box: Box) -> None:
    mapping = adopt(CLUB, box).mapping
    assert mapping.places["Destroyed Allies/Italy"] == "box-italy" and mapping.places["Off Map"] == "off" and len(mapping.places) == 6
    assert len(mapping.phases) == 13
    assert (mapping.phases["West German Combat Phase"], mapping.phases["Turn Phase"]) == ("WG combat", "turn")


def test_a_module_that_is_none_is_refused(box: Box) -> None:
    with pytest.raises(FormatError, match="is a save or log"):
        adopt(SAMPLES / "01-t1-red-moves.vlog", box)


def test_a_mapping_comes_back_from_its_csv(tmp_path: Path, box: Box) -> None:
    drafted = adopt(CLUB, box)
    text = write_csv(drafted)
    path = tmp_path / "map.csv"
    path.write_text(text, "utf-8")
    again = read_csv(path, box)
    assert write_csv(again) == text
    assert (again.places, again.phases) == (drafted.mapping.places, drafted.mapping.phases)
    for m in drafted.mapping.matches:
        for gpid in m.foreign.gpids:
            found = again.find(gpid, m.foreign.name, m.foreign.marks)
            assert found is not None and found.piece == m.piece
    path.write_bytes(b"\xef\xbb\xbf" + text.replace(",", ";").replace("\n", "\r\n").encode("utf-8"))
    assert len(read_csv(path, box).matches) == len(drafted.mapping.matches)


def test_all_errors_of_a_mapping_are_told_with_their_places(tmp_path: Path, box: Box) -> None:
    path = tmp_path / "map.csv"
    path.write_text(
        "kind,name,marks,gpids,is,sure,how\n"
        "piece,1 Gds,,101,su-1-gds,,\n"
        "piece,,,102,su-2-gds-inf,,\n"
        "unit,3 Gds,,103,su-3-gds-inf,,\n"
        "place,Heaven,,,cloud,,\n"
        "piece,5 Gds,,,su-5-gds-inf,,\n"
        "piece,V Gds,,,su-5-gds-inf,,\n"
        "piece,10 Krps,,106,eg-11-ss,,\n"
        "piece,11 SS,,107,eg-11-ss,,\n",
        "utf-8",
    )
    with pytest.raises(MappingErrors) as caught:
        read_csv(path, box, where="map.csv")
    places = [":".join(line.split(":")[:3]) for line in caught.value.errors]
    assert places == ["map.csv:2:18", "map.csv:3:7", "map.csv:4:1", "map.csv:5:16", "map.csv:7:15", "map.csv:9:18"]
    assert all("allowed: " in line for line in caught.value.errors)
    assert "`su-1-gds` is no piece of Battle for Germany" in caught.value.errors[0]
    path.write_text("name,is\nx,y\n", "utf-8")
    with pytest.raises(MappingErrors, match="the column kind is missing"):
        read_csv(path, box)
    for data, what in ((b"", "the file is empty"), (b"\xff\xfe", "UTF-16"), (b'kind,name,is\n"x', "not readable as CSV")):
        path.write_bytes(data)
        with pytest.raises(MappingErrors, match=what):
            read_csv(path, box)
    with pytest.raises(MappingErrors, match="cannot be read"):
        read_csv(tmp_path / "none.csv", box)


def test_a_counter_is_found_by_slot_then_by_markers_then_by_name_alone() -> None:
    east = Match(Foreign("2 Krps", (("Nation", "East"),), ("1",)), "eg-2", 99)
    west = Match(Foreign("2 Krps", (("Nation", "West"),), ("2",)), "wg-2", 99)
    alone = Match(Foreign("GD", (), ("3",)), "eg-gd-pz", 99)
    mapping = PieceMap((east, west, alone))
    assert mapping.find("2", "2 Krps") is west
    assert mapping.find("9", "2 Krps", [("Nation", "East")]) is east
    assert mapping.find("9", "2 Krps") is None
    assert mapping.find("9", "GD", [("Nation", "East")]) is alone
    assert mapping.find("1", "other") is None


@pytest.mark.parametrize(
    ("name", "words", "numbers"),
    [
        ("1st Gds Tk", {"gds", "tk"}, {1}),
        ("XLVIII Pz", {"xlviii", "pz"}, {48}),
        ("GdsTank 5", {"gds", "tank"}, {5}),
        ("2.SS-Pz", {"ss", "pz"}, {2}),
        ("I", {"i"}, {1}),
        ("", set(), set()),
    ],
)
def test_names_are_words_and_numbers(name: str, words: set[str], numbers: set[int]) -> None:
    assert tuple(map(set, _words(name))) == (words, numbers)


def test_the_assignment_is_the_cheapest_of_all() -> None:
    chance = random.Random(11)
    for _ in range(60):
        rows = chance.randint(1, 5)
        columns = rows + chance.randint(0, 2)
        cost = [[float(chance.randint(-9, 9)) for _ in range(columns)] for _ in range(rows)]
        best = min(sum(cost[i][j] for i, j in enumerate(way)) for way in itertools.permutations(range(columns), rows))
        found = _hungarian(cost)
        assert len(set(found)) == rows
        assert sum(cost[i][j] for i, j in enumerate(found)) == best


def test_the_same_counters_are_matched_the_same_in_any_order(box: Box, club: Module) -> None:
    foreigns = [m.foreign for m in adopt(club, box).mapping.matches]
    there = {m.foreign: m.piece for m in match(foreigns, box)}
    back = {m.foreign: m.piece for m in match(foreigns[::-1], box)}
    assert there == back
