"""Positions shown to people: everything of a whole position, nothing of the enemy in a view; where 13 stands; what actions spend."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gamebox.load import load_box
from referee.cli import app
from referee.cli_options import ROWS
from referee.games.overlord_to_berlin import sheet
from referee.games.overlord_to_berlin.depicting import Depiction
from referee.rules.position_text import position_text
from tests.games.fotb.layout import BOOK, G, lay, parse, rule

SHOWS = Depiction(BOOK.game, load_box("overlord-to-berlin"))  # type: ignore[arg-type]
FORCES = "ax-4pz 37: ax-13k ax-42k- / so-balt1 37: so-43a / so-bielo3 44: so-5a / we-8uk 10: we-vuk / + reserve: ax-8k / + 4: ax-64k-"


def front() -> object:
    return lay("soviet_action operations soviet", FORCES, hands="axis: ax-szorkeny", pr="soviet 3")


def test_every_counter_is_shown_where_it_lies_with_its_marks() -> None:
    seen = {unit.piece: (unit.place, unit.marks) for unit in SHOWS.scene(front()).units}  # type: ignore[arg-type]
    assert seen["ax-42k"] == ("37", ("in:ax-4pz", "reduced")) and seen["ax-13k"] == ("37", ("in:ax-4pz",))
    assert seen["ax-64k"] == ("4", ("reduced", "pocket")) and seen["ax-8k"][0] == "axis-reserve"
    assert seen["so-balt1"][0] == "37" and len(seen) == len(G.units.ids) + len(G.gfs.ids)


def test_a_view_shows_formations_and_open_places_of_the_enemy_and_nothing_that_he_hides() -> None:
    scene = SHOWS.scene(BOOK.view(front(), "soviet"))  # type: ignore[arg-type]
    seen = {unit.piece: unit for unit in scene.units}
    assert seen["ax-4pz"].place == "37" and "hidden" in seen["ax-4pz"].marks and seen["ax-64k"].place == "4"
    assert not {"ax-13k", "ax-42k", "ax-8k"} & set(seen) and "so-43a" in seen
    told = " ".join(value for _, value in scene.facts)
    assert "Szorkeny" not in told and "1 national" in told
    assert SHOWS.unit_line(BOOK.view(front(), "soviet"), G.units.index["ax-13k"]) == "ax-13k (13.K): hidden"  # type: ignore[arg-type]


@rule("13.b")
@rule("13.c")
def test_the_count_has_every_target_and_says_who_keeps_it() -> None:
    count = SHOWS.standing(lay("axis_action combine axis", FORCES, control="west: 1 2 / soviet: 38"))
    rows = {row.hex: row for row in count.rows}
    assert len(rows) == 12 + 19 + 16
    assert (rows["1"].points, rows["1"].test) == (1, "occupied") and (rows["38"].points, rows["38"].side) == (1, "soviet")
    assert (rows["37"].points, rows["37"].test) == (1, "contested") and rows["3"].points == 0
    assert dict(count.totals) == {"Allies hold or contest": 4, "Axis keeps": 43}
    assert count.result == "the Axis wins: it kept 10 blue and 33 black and red targets"


def test_a_move_and_an_attack_say_which_PA_they_spend() -> None:
    p = front()
    assert SHOWS.detail(p, parse("soviet move so-balt1 @ 37 > 31")).note == "so-balt1 spends free"  # type: ignore[arg-type]
    assert SHOWS.detail(p, parse("soviet attack so-balt1 @ 37 via bought")).note == "so-balt1 spends bought"  # type: ignore[arg-type]


def test_the_commands_show_a_position_s_text(tmp_path: Path) -> None:
    file = tmp_path / "here.position"
    file.write_text(position_text(BOOK, front()), "utf-8")  # type: ignore[arg-type]
    game = ["--game", "overlord-to-berlin"]
    for command, told in (("show", "ax-42k (42.K"), ("score", "blue target"), ("legal", "soviet attack so-balt1 @ 37")):
        result = CliRunner().invoke(app, [command, str(file), *game, "--for", "director"])
        assert result.exit_code == 0, result.output
        assert told in result.output


def test_zones_are_listed_by_their_numbers_and_points_by_the_names_of_their_owners(tmp_path: Path) -> None:
    file = tmp_path / "start.position"
    file.write_text(position_text(BOOK, BOOK.start()), "utf-8")
    told = CliRunner().invoke(app, ["show", str(file), "--game", "overlord-to-berlin"]).output
    zones = [int(at) for at in re.findall(r"^  (\d+)  ax-", told, re.M)]
    assert len(zones) > 10 and zones == sorted(zones)
    assert re.search(r"^  PR: England \d+, Italy \d+, Soviets \d+, Axis \d+$", told, re.M)
    assert "Western Allies control: 1 zone: 10\n" in told


@pytest.mark.parametrize("unit", ["so-balt1", "ax-13k", "ax-64k"])
def test_one_counter_has_a_line(unit: str) -> None:
    line = SHOWS.unit_line(front(), BOOK.game.unit(unit))  # type: ignore[arg-type]
    assert line.startswith(f"{unit} (")


def test_a_formation_that_cannot_get_there_is_told_why(tmp_path: Path) -> None:
    path = tmp_path / "front.position"
    path.write_text(position_text(BOOK, front()), "utf-8")  # type: ignore[arg-type]
    words = ["legal", str(path), "--game", "overlord-to-berlin", "--unit", "so-bielo3", "--to"]
    told = CliRunner().invoke(app, [*words, "1"])
    assert told.exit_code == 0 and "zone 44 does not touch zone 1 [9.4.a]" in " ".join(told.output.split())
    assert "Soviet Action: operations" in told.output and told.output.startswith("From Overlord to Berlin\n")


def test_every_switch_has_words_of_its_own_and_the_sheet_fits_a_page() -> None:
    box = load_box("overlord-to-berlin")
    assert set(sheet.READINGS) == {row.key for row in box["options"]} and all(off != on for off, on in sheet.READINGS.values())
    listed = CliRunner().invoke(app, ["options", "overlord-to-berlin"])
    assert listed.exit_code == 0 and all(name in listed.output for name in sheet.READINGS) and "rulings R-F99" in listed.output
    page = CliRunner().invoke(app, ["options", "overlord-to-berlin", "--sheet", "-o", "left-end-die"])
    assert page.output.startswith("FROM OVERLORD TO BERLIN\n")
    assert page.exit_code == 0 and len(page.output.splitlines()) <= ROWS
    assert "left-end-die ON" in " ".join(page.output.split()) and "Axis 2, Soviets 2, West 3" in page.output
