"""Games played by the engine, written as logs on our own module, and judged again: not genuine logs, and counted nowhere as such.

What was played lawfully must never be called illegal, however little the players say; when they declare their attacks with the
module's own marks, nothing at all is left open.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import referee
from gamebox.load import load_box
from modgen.build import build
from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal.saves import write_log
from modgen.formats.vassal.steps import Step
from referee.audit.run import audit_file
from referee.rules.model import Action
from referee.table.vassal import read_vassal
from referee.table.writing import write_game
from tests.judge.games_as_logs import engine_box, lawful

SIDES = (("soviet", "Soviet"), ("western-allied", "Western Allied"))


@cache
def engine() -> Any:
    return referee.load("battle-for-germany", "historical", box=engine_box())


@cache
def played(seed: int, plan: str, turns: int) -> list[Action]:
    return lawful(engine(), seed, plan, turns)


@pytest.mark.parametrize("style", ["talk", "chat", "silent"])
@pytest.mark.parametrize(("seed", "plan"), [(1, "random"), (2, "racer"), (3, "runner"), (4, "exiter")])
def test_lawful_play_is_never_called_illegal(built_module: Path, tmp_path: Path, seed: int, plan: str, style: str) -> None:
    actions = played(seed, plan, 5)
    assert len(actions) > 150
    log = write_game(engine(), engine_box(), actions, built_module, setup="historical.vsav", style=style, sides=SIDES)
    path = tmp_path / "game.vlog"
    write_log(path, log)
    found = audit_file(path, "game", game="battle-for-germany", module=built_module).as_json()["files"][0]["actions"]
    wrong = [a for a in found if a["verdict"] in ("illegal", "doubtful")]
    assert not wrong, wrong[:3]
    open_ones = [a for a in found if a["verdict"] == "unclear"]
    if style == "talk":
        assert not open_ones, open_ones[:3]
    assert len(open_ones) <= len(found) // 50
    assert sum(a["kind"] == "attack" for a in found) > 4
    assert len(found) > 150


@pytest.mark.parametrize("told", ["talk and reports", "talk", "nothing"])
def test_turns_and_phases_are_known_without_the_module(built_module: Path, tmp_path: Path, told: str) -> None:
    """The log tells them itself: in the table talk of our modules, in the tracker's reports, and where it begins by the list of phases
    that a release keeps for good. With the module or without it, each event falls into the same turn and phase."""
    log = write_game(engine(), engine_box(), played(1, "random", 5), built_module, setup="historical.vsav", style="talk", sides=SIDES)
    hushed = {"talk and reports": (), "talk": ("CHAT",), "nothing": ("CHAT", "MutableProperty")}[told]
    steps = []
    for step in log.steps:
        hush = hushed if any(isinstance(c, cmd.Turn) for c in step.commands) else ()
        tokens = ((d, "LOG\tnull" if hush and text.removeprefix("LOG\t").startswith(hush) else text) for d, text in step.tokens)
        steps.append(Step(step.number, tuple(tokens)))
    log = replace(log, steps=tuple(steps))
    path = tmp_path / "game.vlog"
    write_log(path, log)
    known, plain = (read_vassal(path, engine_box(), module=given) for given in (built_module, None))
    phases = [[(e.step, e.turn, e.phase) for e in read.events if e.kind == "phase"] for read in (known, plain)]
    assert phases[0] == phases[1] and len(phases[0]) > 30
    assert (plain.start.turn, plain.start.phase) == (known.start.turn, known.start.phase) == (1, "Soviet Replacement Phase")
    assert not [note for note in plain.notes if "turn tracker" in note]


def test_an_earlier_builds_list_of_phases_is_not_taken_for_the_releases(built_module: Path, tmp_path: Path) -> None:
    log = write_game(engine(), engine_box(), played(1, "random", 2), built_module, setup="historical.vsav", style="silent", sides=SIDES)
    assert log.start.module is not None
    old = replace(log.start.module, version="0.1.4")
    foreign = replace(log.start.module, extra1="", extra2="")
    for module, begins in ((log.start.module, "Soviet Replacement Phase"), (old, ""), (foreign, "")):
        path = tmp_path / "game.vlog"
        write_log(path, replace(log, start=replace(log.start, module=module), steps=()))
        read = read_vassal(path, engine_box())
        assert (read.start.turn, read.start.phase) == (1, begins), module.version


def test_a_log_is_judged_on_the_data_that_its_module_was_built_with(tmp_path: Path) -> None:
    turned = {"AR": "DR", "DR": "AR", "AE": "EX", "EX": "DE", "DE": "EX"}
    changed = [
        f"{row.text('odds')},{row.text('die')},{turned[row.text('result')]},owner of a printed table"
        for row in engine_box()["crt"]
        if "rulebook" not in str(row.source("result"))
    ]
    overlay = tmp_path / "printed"
    overlay.mkdir()
    (overlay / "crt.csv").write_text("\n".join(["odds,die,result,source", *changed]) + "\n", "utf-8")
    module = build("battle-for-germany", out=tmp_path / "built", overlay=overlay).file
    box = load_box("battle-for-germany", overlay)
    book = referee.load("battle-for-germany", "historical", box=box)
    actions = lawful(book, 1, "racer", 2)
    path = tmp_path / "game.vlog"
    write_log(path, write_game(book, box, actions, module, setup="historical.vsav", style="talk", sides=SIDES))
    with_module = audit_file(path, "game", game="battle-for-germany", module=module).as_json()["files"][0]
    assert with_module["summary"]["legal"] == len(with_module["actions"]) > 100
    alone = audit_file(path, "game", game="battle-for-germany").as_json()["files"][0]
    assert any(box.data_hash[:12] in note and engine_box().data_hash[:12] in note for note in alone["notes"])
    assert not alone["summary"]["illegal"]


def test_a_german_who_has_changed_theaters_is_no_early_mover_of_his_old_side(built_module: Path, tmp_path: Path) -> None:
    actions = played(214, "racer", 7)
    assert any(str(a) == "western-allied advance wg-64 > 2715" for a in actions)
    path = tmp_path / "game.vlog"
    write_log(path, write_game(engine(), engine_box(), actions, built_module, setup="historical.vsav", style="chat", sides=SIDES))
    found = audit_file(path, "game", game="battle-for-germany", module=built_module).as_json()["files"][0]["actions"]
    assert [a["phase"] for a in found if a["notation"].startswith("western-allied advance wg-64")] == ["Soviet Combat Phase"]
    assert not [a for a in found if a["verdict"] != "legal"]


def test_what_a_die_asks_for_can_still_be_done_where_the_log_ends(built_module: Path, tmp_path: Path) -> None:
    actions = played(2, "racer", 2)
    owed = next(i for i, a in enumerate(actions) if str(a).split()[1] in ("retreat", "lose"))
    die = max(i for i in range(owed) if str(actions[i]).startswith("chance roll combat"))
    path = tmp_path / "game.vlog"
    log = write_game(engine(), engine_box(), actions[: die + 1], built_module, setup="historical.vsav", style="talk", sides=SIDES)
    write_log(path, log)
    file = audit_file(path, "game", game="battle-for-germany", module=built_module).as_json()["files"][0]
    assert [a["kind"] for a in file["actions"]].count("attack") and not [a for a in file["actions"] if a["verdict"] != "legal"]
    assert any("where the log ends, " in note and " is still to " in note for note in file["notes"])
