"""The sample game's module: its set-up, phases and boxes as the rules of the game have them; the same bytes anywhere."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gamebox import tabletalk
from gamebox.model import Box
from modgen.art import plan
from modgen.formats.vassal import sequence
from modgen.formats.vassal.keys import key
from modgen.formats.vassal.pieces import expand
from modgen.layout.layout import Layout
from modgen.vassal import names

from .conftest import GAME, Built
from .looking import HERE, changers, evaluate


def test_table_talk_is_what_the_reader_expects(built: Built) -> None:
    values = {"TalkN": "7", "UnitId": "su-1-balt", "LocationName": "0309", "GameTurn": "3", "Phase": "Soviet Combat Phase"}
    values |= {"OddsOutcome": "DR", "OddsName": "2:1", "OddsAttack": "9", "OddsDefence": "4", "OddsTargets": ";0310;", "OddsOverride": "0"}
    values |= {"d6_result": "3"}
    said = []
    for prototype in built.module.prototypes.values():
        for trait in prototype.traits:
            if trait.id == "setprop" and trait.field("name") == names.TALK:
                said += [evaluate(value, values) for _, value in changers(trait)]
    (talk,) = (p for p in built.all("module.properties.GlobalProperty") if p.get("name") == names.TALK)
    said += [evaluate(sequence.decode(b.get("propChanger"), ",")[1], values) for b in talk.children]
    read = {tabletalk.decode(line).verb: tabletalk.decode(line) for line in said}
    assert read["ATT"].fields == ("su-1-balt", "0309") and read["TGT"].fields == ("su-1-balt", "0309")
    assert read["RES"].fields == ("DR", "2:1", "3", "9", "4", ";0310;", "0")
    assert read["PH"].fields == ("3", "Soviet Combat Phase")
    assert {tabletalk.decode(line).fields for line in said if "|CLR|" in line} == {("su-1-balt",), ("*",)}
    assert all(tabletalk.encode(tabletalk.decode(line)) == line for line in said)


# --- turns and sides


PHASES = [
    f"{who} {what} Phase"
    for who in ("Soviet", "West German", "Western Allied", "East German")
    for what in ("Replacement", "Movement", "Combat")
] + ["Turn Phase"]


def test_the_player_aid_cites_sections_that_the_rules_table_has(box: Box, layout: Layout) -> None:
    cited = {n for text in layout.play.help for group in re.findall(r"\(([\d., ]+)\)", text) for n in group.split(", ")}
    assert len(cited) >= 6
    assert cited <= {row.text("section") for row in box["rules"]}


@pytest.mark.rule("bfg", "3.0")
def test_the_tracker_has_the_phases_of_a_turn_in_order(built: Built) -> None:
    (level,) = built.all("module.turn.ListTurnLevel")
    flags = built.save.turns["TurnTracker0"].rpartition(";")[2].split(",")
    listed = sequence.decode(level.get("list"), ",")
    assert len(flags) == len(listed) and [name for name, on in zip(listed, flags, strict=True) if on == "true"] == PHASES
    (counter,) = built.all("module.turn.CounterTurnLevel")
    assert (counter.get("start"), counter.get("property"), level.get("property")) == ("1", names.TURN, names.PHASE)


def test_the_sides_are_the_players_and_the_referees(built: Built) -> None:
    (roster,) = built.all("module.PlayerRoster")
    assert [e.text for e in roster.children] == ["Soviet", "Western Allied", "German", "East German", "West German", "Referee", "Solo"]


# --- the set-up


def test_the_set_up_has_every_unit_on_its_hex(built: Built, box: Box) -> None:
    found = {}
    for piece in built.save.pieces.values():
        unit = piece.markers().get(names.UNIT)
        if unit:
            (only,) = built.module.maps
            found[unit] = only.location_name(piece.basic.x, piece.basic.y)
    places = dict(box.setup("hist"))
    assert len(found) == len(places) == 119
    waiting = {unit for unit, place in found.items() if place == "Courland Set-up"}
    assert len(waiting) == 4 and waiting == {unit for unit, place in places.items() if place == "courland"}
    assert {u: p for u, p in found.items() if u not in waiting} == {u: p for u, p in places.items() if u not in waiting}
    assert len(found) - len(waiting) == 115


@pytest.mark.rule("bfg", "5.1")
def test_no_hex_of_the_set_up_is_over_stacked(built: Built) -> None:
    (only,) = built.module.maps
    for stack in built.save.stacks.values():
        if only.location_name(stack.x, stack.y).isdigit():
            assert len(stack.members) <= 2


def test_the_save_begins_on_turn_one_with_the_first_phase(built: Built, box: Box) -> None:
    assert built.save.turns["TurnTracker0"].startswith("0|1;0;false;-1;0\\;0\\;0\\;true,")
    properties = {name: value for (_, name), value in built.save.properties.items()}
    declared = {p.get("name"): p.get("initialValue") for p in built.all("module.properties.GlobalProperty")}
    assert set(properties) == set(declared)
    assert properties[names.SCENARIO] == "historical" and properties[names.LAST_TURN] == "10" and properties[names.DATA] == box.data_hash


@pytest.mark.rule("bfg", "9.0.p1")
def test_units_can_leave_from_the_exit_hexes_only(built: Built) -> None:
    values = {p.get("name"): p.get("initialValue") for p in built.all("module.properties.GlobalProperty")}
    rows = [f"{r:02}" for r in range(1, 40)]
    expected = (
        {f"{r}01" for r in rows if "16" <= r <= "23"} | {f"{r}26" for r in rows if "09" <= r <= "35"} | {f"01{c}" for c in range(12, 18)}
    )
    assert set(values[names.EXITS].strip(";").split(";")) == expected


@pytest.mark.rule("bfg", "7.1.a")
@pytest.mark.rule("bfg", "7.1.b1")
@pytest.mark.rule("bfg", "7.1.c")
def test_eliminated_units_go_to_the_box_of_the_theater_they_stand_in(built: Built, box: Box, layout: Layout) -> None:
    """The expression of the engine, worked out here for every unit and zone."""
    (only,) = built.module.maps
    expected = {
        "S": {"": "Destroyed Soviets"},
        "W": {"": "Destroyed Western Allies", "Italy": "Destroyed Allies/Italy"},
        "EG": {"East": "Destroyed East Germans", "West": "Destroyed West Germans", "Italy": "Destroyed West Germans"},
        "WG": {"East": "Destroyed East Germans", "West": "Destroyed West Germans", "Italy": "Destroyed West Germans"},
    }
    for slot in built.module.slots:
        markers = slot.piece.markers()
        if names.UNIT not in markers:
            continue
        full = expand(slot.piece, built.module.prototypes)[0]
        (send,) = (t for t in full.traits if t.id == "sendto" and key(t.field("key")).name == "elimGo")
        assert send.field("x") == "{BoxX}" and send.field("dest") == "L"
        for zone, place in expected[markers["Side"]].items():
            y = chosen(send.field("y"), zone)
            assert only.location_name(int(markers["BoxX"]), y) == place, (slot.name, zone)


def chosen(expression: str, zone: str) -> int:
    """A number, or ``{test || test ? y : test ? y : y}`` with ElimZone given."""
    rest = expression.strip("{}")
    while "?" in rest:
        test, _, rest = rest.partition(" ? ")
        value, _, rest = rest.partition(" : ")
        if zone in re.findall(r'ElimZone=="([^"]*)"', test):
            return int(value)
    return int(rest)


# --- bytes


def test_the_same_data_gives_the_same_bytes_anywhere(built: Built, tmp_path: Path) -> None:
    import os

    env = {**os.environ, "TZ": "Pacific/Kiritimati", "LC_ALL": "C", "LANG": "C", "PYTHONHASHSEED": "17"}
    command = [sys.executable, "-m", "modgen.cli", "build", GAME, "--out", "elsewhere", "--json"]
    env["PYTHONPATH"] = str(HERE.parent.parent)
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["file"] == f"elsewhere/{GAME}.vmod"
    assert (tmp_path / "elsewhere" / f"{GAME}.vmod").read_bytes() == built.path.read_bytes()


def test_set_up_hexes_are_drawn_where_the_save_puts_the_units(built: Built, box: Box, layout: Layout) -> None:
    sheet = plan.sheet(layout, box)
    at = {p.markers().get(names.UNIT): (p.basic.x, p.basic.y) for p in built.save.pieces.values()}
    for unit, place in box.setup("hist"):
        if place.isdigit():
            assert at[unit] == sheet.centre(place)
