"""What a player is told before he sends his turn: his breaches, his duties, his open attacks; nothing of the other side's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from modgen.formats.vassal.saves import write_log
from referee.audit.run import audit_file, check_file
from referee.table.writing import write_game
from tests.judge.games_as_logs import engine_box
from tests.judge.test_played_logs import SIDES, engine

SET_UP = ("eg-3-ss > 3822", "eg-2 > 3823", "eg-10 > 3823", "eg-16 > 3824")
SAMPLES = Path(__file__).parent.parent.parent / "data" / "battle-for-germany" / "samples"
KEYS = {"step", "turn", "phase", "side", "kind", "notation", "pieces", "from", "to", "verdict", "rules", "basis", "message"}


class Cut:
    """A log of ours that stops after some lines."""

    def __init__(self, module: Path, path: Path, lines: Sequence[str], style: str, drop: int = 0) -> None:
        self.module, self.path = module, path
        actions = [engine().parse(line) for line in (*(f"western-allied setup {x}" for x in SET_UP), *lines)]
        log = write_game(engine(), engine_box(), actions, module, setup="historical.vsav", style=style, sides=SIDES)
        write_log(path, replace(log, steps=log.steps[: len(log.steps) - drop]))

    def check(self, side: str) -> dict[str, Any]:
        document = check_file(self.path, "turn.vlog", side=side, game="battle-for-germany", module=self.module).as_json()
        file: dict[str, Any] = document["files"][0]
        return file

    def audit(self) -> dict[str, Any]:
        file: dict[str, Any] = audit_file(self.path, "turn.vlog", game="battle-for-germany", module=self.module).as_json()["files"][0]
        return file


def open_ones(file: dict[str, Any]) -> list[dict[str, Any]]:
    return [a for a in file["actions"] if a["verdict"] != "legal"]


ATTACK = ("soviet done", "soviet attack su-3-balt > 3824")


@pytest.mark.parametrize("style", ["talk", "chat"])
def test_a_declared_attack_without_its_die_is_named(built_module: Path, tmp_path: Path, style: str) -> None:
    # the writer declares together with the die: the log is cut before it
    log = Cut(built_module, tmp_path / "t.vlog", (*ATTACK, "chance roll combat 3"), style, drop=1)
    (told,) = open_ones(log.check("soviet"))
    assert set(told) >= KEYS
    assert (told["verdict"], told["kind"], told["rules"]) == ("unclear", "attack", ["6.1.p3"])
    assert (told["notation"], told["from"], told["to"]) == ("soviet attack su-3-balt > 3824", "3725", "3824")
    assert told["message"] == "is the attack of 3 Balt 8-20-3 on 3824 still to be made? It was declared, and no die follows"
    assert not open_ones(log.check("western-allied"))
    assert any("the log ends before its die" in note for note in log.audit()["notes"])
    assert not open_ones(log.audit())


def test_a_die_that_nobody_declared_is_asked_about(built_module: Path, tmp_path: Path) -> None:
    log = Cut(built_module, tmp_path / "t.vlog", (*ATTACK, "chance roll combat 3"), "silent")
    (told,) = open_ones(log.check("soviet"))
    assert (told["verdict"], told["kind"], told["side"]) == ("unclear", "roll", "Soviet")
    assert told["message"] == "who attacked what? A die (3) was thrown, and no attack was declared for it"
    west = log.check("western-allied")
    assert not open_ones(west) and not any("a die" in note for note in west["notes"])
    assert any("a die (3) that belongs to no action" in note for note in log.audit()["notes"])


@pytest.mark.parametrize("style", ["talk", "chat"])
def test_a_retreat_that_is_open_is_its_owners_duty_alone(built_module: Path, tmp_path: Path, style: str) -> None:
    log = Cut(built_module, tmp_path / "t.vlog", (*ATTACK, "chance roll combat 3"), style)
    assert not open_ones(log.check("soviet"))
    assert not any("retreat" in note for note in log.check("soviet")["notes"])
    (told,) = open_ones(log.check("western-allied"))
    assert set(told) >= KEYS
    assert (told["kind"], told["verdict"], told["side"]) == ("duty", "illegal", "East German")
    assert (told["pieces"], told["from"], told["to"]) == (["eg-16"], "3824", "3924, 3925")
    assert told["rules"] == ["6.2.e", "6.2.1.p1"]
    assert [b["name"] for b in told["basis"]] == ["R-G51"]
    assert told["message"] == "8:5 = 1:1, die 3: DR; EG 16 3-5-4 is still to retreat"
    whole = log.audit()
    assert not open_ones(whole)
    assert any(note.endswith("where the log ends, EG 16 3-5-4 is still to retreat") for note in whole["notes"])
    assert not any("did not" in note for note in whole["notes"])


@pytest.mark.parametrize("style", ["talk", "chat"])
def test_an_exchange_that_is_open_is_the_attackers_duty_alone(built_module: Path, tmp_path: Path, style: str) -> None:
    log = Cut(built_module, tmp_path / "t.vlog", (*ATTACK, "chance roll combat 1"), style)
    assert not open_ones(log.check("western-allied"))
    (told,) = open_ones(log.check("soviet"))
    assert (told["kind"], told["verdict"], told["side"], told["pieces"]) == ("duty", "illegal", "Soviet", ["su-3-balt"])
    assert (told["from"], told["to"], told["rules"]) == ("3725", "box-s", ["6.2.c"])
    assert told["message"].endswith("3 Balt 8-20-3 is still to be removed")
    assert [b["name"] for b in told["basis"]] == ["R-G55"]
    assert not open_ones(log.audit())


def test_a_loss_that_is_open_is_the_attackers_to_carry_out(built_module: Path, tmp_path: Path) -> None:
    log = Cut(built_module, tmp_path / "t.vlog", (*ATTACK, "chance roll combat 1"), "talk", drop=1)  # the die is the last step
    told = open_ones(log.check("soviet"))
    assert sorted((a["kind"], a["pieces"]) for a in told) == [("duty", ["eg-16"]), ("duty", ["su-3-balt"])]
    assert all(" is still to be removed" in a["message"] for a in told)
    assert not open_ones(log.check("western-allied"))
    assert not open_ones(log.audit())


def test_a_stack_too_high_is_told_like_every_other_finding(built_module: Path, tmp_path: Path) -> None:
    moves = ("soviet move su-4-gds-inf @ 1221 > 1220", "soviet move su-1-rom @ 1123 > 1220")
    log = Cut(built_module, tmp_path / "t.vlog", moves, "talk")
    (told,) = open_ones(log.check("soviet"))
    assert (told["kind"], told["verdict"], told["rules"]) == ("duty", "illegal", ["5.1.p1"])
    assert [b["name"] for b in told["basis"]] == ["R-G33"]
    assert (told["pieces"], told["from"], told["to"]) == (["su-1-rom", "su-3-ukr", "su-4-gds-inf"], "1220", "1220")
    assert told["message"] == "1220 holds too many units at the end of the phase: 1 Rom 3-5-4, 3 Ukr 8-20-3, 4 Gds 7-7-4"
    assert not open_ones(log.check("western-allied"))


def test_a_finished_turn_owes_nothing(built_module: Path, tmp_path: Path) -> None:
    done = (*ATTACK, "chance roll combat 3", "western-allied retreat eg-16 > 3924")
    log = Cut(built_module, tmp_path / "t.vlog", done, "talk")
    assert not open_ones(log.check("soviet")) and not open_ones(log.check("western-allied"))
    assert not any("where the log ends" in note for note in log.audit()["notes"])


def test_nobody_is_asked_about_what_the_other_side_did() -> None:
    told = {}
    for side in ("soviet", "western-allied"):
        document = check_file(SAMPLES / "07-t3-east.vlog", "t", side=side, game="battle-for-germany", module=SAMPLES / "bfg-club.vmod")
        told[side] = document.as_json()["files"][0]["actions"]
    assert not [a for a in told["soviet"] if a["notation"].startswith("western-allied")]
    assert not [a for a in told["western-allied"] if a["notation"].startswith("soviet")]
    asked = [a for a in told["western-allied"] if a["kind"] == "take" and a["verdict"] == "unclear"]
    assert ["su-1-rom"] in [a["pieces"] for a in asked]


@pytest.mark.parametrize("name", sorted(p.name for p in SAMPLES.glob("*.vlog")))
def test_both_sides_together_are_told_all_that_the_audit_tells(name: str) -> None:
    module = SAMPLES / "bfg-club.vmod"
    whole = audit_file(SAMPLES / name, "t", game="battle-for-germany", module=module).as_json()["files"][0]["actions"]
    parts = [
        a
        for side in ("soviet", "western-allied")
        for a in check_file(SAMPLES / name, "t", side=side, game="battle-for-germany", module=module).as_json()["files"][0]["actions"]
    ]
    rest = list(parts)
    for a in whole:
        assert a in rest, a
        rest.remove(a)
    assert all(a["kind"] in ("duty", "attack", "roll") and a["verdict"] != "legal" for a in rest), rest
