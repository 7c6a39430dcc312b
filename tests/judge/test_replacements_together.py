"""Units that come back in one Replacement Phase are held against 7.2.a1 as a set: the log's order says which counter was put down first,
not which was chosen first."""

from __future__ import annotations

from pathlib import Path

import pytest

from modgen.formats.vassal.saves import write_log
from referee.audit.run import audit_file
from tests.judge.scenarist.desk import MODULE, Desk

BOXED = {"2 Tk 6-4-6": "box-s", "1 Polish 3-4-4": "box-s 1", "2 Gds 7-7-4": "box-s 2"}
PLACES = {"2 Tk 6-4-6": "2426", "1 Polish 3-4-4": "2326", "2 Gds 7-7-4": "2426"}


def judged(tmp_path: Path, turn: int, *names: str) -> list[tuple[str, str, set[str]]]:
    desk = Desk("back", "back", at=BOXED, turn=turn, phase="S R")
    for name in names:
        desk.drag(PLACES[name], name)
    desk.next()
    Desk.all.remove(desk)
    path = tmp_path / "back.vlog"
    write_log(path, desk.log.log())
    actions = audit_file(path, "t", game="battle-for-germany", module=MODULE).as_json()["files"][0]["actions"]
    steps = [a["step"] for a in actions]
    assert steps == sorted(steps)
    return [(a["pieces"][0], a["verdict"], set(a["rules"])) for a in actions if a["kind"] == "replace"]


@pytest.mark.rule("bfg", "7.2.a1")
@pytest.mark.rule("bfg", "R-G65")
def test_the_two_weakest_may_be_put_down_in_either_order(tmp_path: Path) -> None:
    first = judged(tmp_path, 3, "2 Tk 6-4-6", "1 Polish 3-4-4")
    assert [(piece, verdict) for piece, verdict, _ in first] == [("su-2-tk", "legal"), ("su-1-pol", "legal")]
    second = judged(tmp_path, 3, "1 Polish 3-4-4", "2 Tk 6-4-6")
    assert [(piece, verdict) for piece, verdict, _ in second] == [("su-1-pol", "legal"), ("su-2-tk", "legal")]


@pytest.mark.rule("bfg", "7.2.a1")
@pytest.mark.parametrize("names", [("2 Gds 7-7-4", "1 Polish 3-4-4"), ("1 Polish 3-4-4", "2 Gds 7-7-4")])
def test_a_weaker_one_that_stays_in_its_box_bars_the_stronger_in_any_order(tmp_path: Path, names: tuple[str, str]) -> None:
    found = {piece: (verdict, rules) for piece, verdict, rules in judged(tmp_path, 3, *names)}
    assert found["su-1-pol"][0] == "legal"
    assert found["su-2-gds-inf"][0] == "illegal" and "7.2.a1" in found["su-2-gds-inf"][1]


@pytest.mark.rule("bfg", "7.2.p1")
def test_what_is_over_the_rate_is_the_strongest_and_doubtful_as_the_rate_is_reconstructed(tmp_path: Path) -> None:
    found = judged(tmp_path, 3, "2 Gds 7-7-4", "2 Tk 6-4-6", "1 Polish 3-4-4")
    assert [(piece, verdict) for piece, verdict, _ in found] == [("su-2-gds-inf", "doubtful"), ("su-2-tk", "legal"), ("su-1-pol", "legal")]
    assert "7.2.p1" in found[0][2] and "7.2.a1" not in found[0][2]


@pytest.mark.parametrize(("second", "replace", "move"), [("2726", "2726", "legal"), ("2725", "2826", "unclear")])
def test_a_replacement_put_elsewhere_in_its_phase_is_no_early_move(tmp_path: Path, second: str, replace: str, move: str) -> None:
    """From one hex where it may arrive into another; on from there into a hex where it may not is a move before its phase (3.0)."""
    desk = Desk("back", "back", at={"2 Tk 6-4-6": "box-s"}, turn=3, phase="S R")
    desk.drag("2826", "2 Tk 6-4-6").drag(second, "2 Tk 6-4-6").next().drag("2724", "2 Tk 6-4-6").next()
    Desk.all.remove(desk)
    path = tmp_path / "back.vlog"
    write_log(path, desk.log.log())
    found = audit_file(path, "t", game="battle-for-germany", module=MODULE).as_json()["files"][0]["actions"]
    told = [(a["kind"], a["verdict"], a["to"]) for a in found if a["kind"] in ("replace", "move")]
    assert told == [("replace", "legal", replace), ("move", move, "2724")]
