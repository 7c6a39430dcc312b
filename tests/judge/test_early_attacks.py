"""Attacks carried out before the tracker was stepped, and bystanders dragged in a Combat Phase."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from modgen.formats.vassal.buildfile import read_module
from modgen.formats.vassal.newgame import predefined
from modgen.formats.vassal.saves import LogFile, write_log
from modgen.formats.vassal.steps import Step
from referee.audit.run import audit_file, check_file
from referee.table.writing import TableWriter, write_game
from tests.judge.games_as_logs import engine_box
from tests.judge.scenarist import desk, make_logs
from tests.judge.test_played_logs import SIDES, engine

SET_UP = ("eg-3-ss > 3822", "eg-2 > 3823", "eg-10 > 3823", "eg-16 > 3824")


def played_late(module: Path, lines: tuple[str, ...], style: str) -> LogFile:
    """A log whose step to the Soviet Combat Phase comes only behind everything else."""
    actions = [engine().parse(line) for line in (*(f"western-allied setup {x}" for x in SET_UP), *lines)]
    log = write_game(engine(), engine_box(), actions, module, setup="historical.vsav", style=style, sides=SIDES)
    trackers = [s for s in log.steps if any("TURN" in text[:8] for _, text in s.tokens)]
    last = trackers[-1]
    order = [s for s in log.steps if s is not last]
    return replace(log, steps=tuple(Step(i, s.tokens) for i, s in enumerate([*order, last], 1)))


def audited(path: Path, module: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = audit_file(path, "t", game="battle-for-germany", module=module).as_json()["files"][0]["actions"]
    return found


@pytest.mark.parametrize("style", ["talk", "chat"])
def test_an_attack_before_its_phase_is_judged_and_the_tracker_asked_about(built_module: Path, tmp_path: Path, style: str) -> None:
    path = tmp_path / "late.vlog"
    lines = ("soviet done", "soviet attack su-3-balt > 3824", "chance roll combat 3", "western-allied retreat eg-16 > 3924")
    write_log(path, played_late(built_module, lines, style))
    found = audited(path, built_module)
    attacks = [a for a in found if a["kind"] == "attack"]
    assert [(a["verdict"], a["notation"]) for a in attacks] == [("unclear", "soviet attack su-3-balt > 3824")]
    assert attacks[0]["message"].startswith(
        "was the tracker forgotten? The attack on 3824 was rolled before the Soviet Combat Phase was shown"
    )
    assert attacks[0]["phase"] == "Soviet Combat Phase"
    assert [a["verdict"] for a in found if a["kind"] == "retreat"] == ["legal"]
    assert not [a for a in found if a["verdict"] in ("illegal", "doubtful")]


def test_an_early_attack_that_is_wrong_by_itself_is_still_wrong(built_module: Path, tmp_path: Path) -> None:
    path = tmp_path / "late.vlog"
    lines = ("soviet done", "soviet attack su-3-balt > 3824", "chance roll combat 3", "western-allied retreat eg-16 > 3924")
    log = played_late(built_module, lines, "chat")
    spoken = tuple(
        Step(s.number, tuple((d, t.replace("3 Balt", "1 Balt") if "CHAT" in t[:10] else t) for d, t in s.tokens)) for s in log.steps
    )
    write_log(path, replace(log, steps=spoken))
    attacks = [a for a in audited(path, built_module) if a["kind"] == "attack"]
    assert [(a["verdict"], "6.0" in a["rules"]) for a in attacks] == [("illegal", True)]


def test_a_fun_die_in_the_movement_phase_is_no_early_attack(built_module: Path, tmp_path: Path) -> None:
    path = tmp_path / "fun.vlog"
    lines = ("soviet done", "soviet attack su-3-balt > 3824", "chance roll combat 3")
    write_log(path, played_late(built_module, lines, "chat"))
    assert not [a for a in audited(path, built_module) if a["verdict"] in ("illegal", "doubtful")]
    check = check_file(path, "t", side="western-allied", game="battle-for-germany", module=built_module).as_json()["files"][0]
    assert not [a for a in check["actions"] if a["verdict"] != "legal"]


def test_the_late_click_of_the_club_is_read_as_such() -> None:
    found = audited(make_logs.LOGS / "o01-late-clicks.vlog", desk.MODULE)
    (attack,) = [a for a in found if a["kind"] == "attack"]
    assert (attack["verdict"], attack["pieces"]) == ("unclear", ["su-2-balt", "su-5-gds-tk", "su-10-gds-inf"])
    assert not any("taken off the map" in a["message"] for a in found)


@pytest.mark.parametrize("style", ["talk", "chat", "silent"])
def test_a_bystander_dragged_two_hexes_in_combat_is_illegal_in_every_reading(built_module: Path, tmp_path: Path, style: str) -> None:
    lines = ("soviet done", "soviet attack su-3-balt > 3824", "chance roll combat 3", "western-allied retreat eg-16 > 3924")
    start = predefined(built_module, "historical.vsav")
    writer = TableWriter(engine(), engine_box(), read_module(built_module), start, style=style)
    writer.sit(SIDES)
    p = engine().start()
    for line in (*(f"western-allied setup {x}" for x in SET_UP), *lines):
        p = writer.play(p, engine().parse(line))
    writer._put("su-7-gds-inf", "1525")
    writer._put("eg-57-pz", "1419")
    path = tmp_path / "drag.vlog"
    write_log(path, writer.log.log())
    found = audited(path, built_module)
    for piece in ("su-7-gds-inf", "eg-57-pz"):
        (drag,) = [a for a in found if a["pieces"] == [piece]]
        assert drag["verdict"] == "illegal" and any(r.startswith("3.0") for r in drag["rules"]), drag
