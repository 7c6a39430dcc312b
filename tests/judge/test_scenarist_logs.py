"""More logs of the kind that clubs make, each with a key written from the rulebook and the rulings before the judge saw it.

The keys mean what they mean in ``test_club_logs``: an item must be judged as it says, with one of its rules among ours, and nothing
that the key calls legal or leaves open may be called illegal. ``OPEN`` holds what is known to be judged otherwise.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from referee.audit.run import audit_file
from tests.judge.scenarist import desk, make_logs
from tests.judge.scenarist.sloppy import HABITS, sloppy

LOGS = make_logs.LOGS
NAMES = sorted(path.name.removesuffix(".vlog") for path in LOGS.glob("*.vlog"))
OPEN: dict[str, str] = json.loads((Path(__file__).parent / "scenarist" / "open.json").read_text("utf-8"))
"""``log#item`` -> why the judge does not find this from the log alone."""


@cache
def key(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((LOGS / f"{name}.key.json").read_text("utf-8"))
    return found


def cases() -> list[Any]:
    return [pytest.param(name, item["n"], id=f"{name}-{item['n']}") for name in NAMES for item in key(name)["items"]]


@pytest.fixture(scope="module", params=["module", "log alone"])
def audits(request: pytest.FixtureRequest) -> dict[str, list[dict[str, Any]]]:
    module = desk.MODULE if request.param == "module" else None
    found = {}
    for name in NAMES:
        document = audit_file(LOGS / f"{name}.vlog", name, game="battle-for-germany", module=module).as_json()
        found[name] = document["files"][0]["actions"]
    return found


def meets(rules: list[str], wanted: list[str]) -> bool:
    return any(rule == one or rule.startswith(f"{one}.") for rule in rules for one in wanted)


def test_there_are_logs_enough() -> None:
    assert len(NAMES) >= 25
    assert sum(len(key(name)["items"]) for name in NAMES) >= 150


def test_the_files_are_what_the_scripts_write() -> None:
    written = {name: data for script in make_logs.scripts() for name, data in script.files().items()}
    assert written == {path.name: path.read_bytes() for path in LOGS.iterdir()}


@pytest.mark.parametrize(("name", "number"), cases())
def test_item_is_judged_as_its_key_says(
    request: pytest.FixtureRequest, audits: dict[str, list[dict[str, Any]]], name: str, number: int
) -> None:
    why = OPEN.get(f"{name}#{number}")
    if why and "log alone" in request.node.name:
        request.applymarker(pytest.mark.xfail(reason=why, strict=True))
    items = key(name)["items"]
    item = next(i for i in items if i["n"] == number)
    first, last = item["steps"]
    here = [a for a in audits[name] if a["step"] >= first and a["first_step"] <= last]
    expected = item["expected"]
    if expected == "any":
        for a in here:
            if a["verdict"] == "doubtful":
                assert a["basis"], a
            if a["verdict"] == "unclear":
                assert "?" in a["message"], a
        blamed = [a for a in here if a["verdict"] == "illegal"]
        others = [i for i in items if i["expected"] == "illegal" and i["steps"][0] <= last and i["steps"][1] >= first]
        assert not blamed or others, blamed
        return
    assert any(a["verdict"] == expected and meets(a["rules"], item["rules"]) for a in here), here


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_accused_that_no_key_item_accuses(audits: dict[str, list[dict[str, Any]]], name: str) -> None:
    breaches = [i["steps"] for i in key(name)["items"] if i["expected"] == "illegal"]
    open_to = [i["steps"] for i in key(name)["items"] if i["expected"] != "legal"]
    for a in audits[name]:
        if a["verdict"] in ("illegal", "doubtful"):
            ranges = breaches if a["verdict"] == "illegal" else open_to
            assert any(first <= a["step"] and a["first_step"] <= last for first, last in ranges), a


def test_no_password_of_a_player_leaves_the_file(audits: dict[str, list[dict[str, Any]]]) -> None:
    text = json.dumps(audits)
    for player in (desk.RED, desk.BLUE, desk.SOLO):
        assert player.id not in text


GAMES = (("racer", 1, 40), ("exiter", 3, 40))


@pytest.mark.parametrize(("plan", "seed", "phases"), GAMES)
@pytest.mark.parametrize("habit", HABITS)
def test_a_lawful_game_is_not_accused_however_it_is_logged(habit: str, plan: str, seed: int, phases: int) -> None:
    data = sloppy(habit, plan, seed, phases)
    actions = audit_file(data, "sloppy.vlog", game="battle-for-germany", module=desk.MODULE).as_json()["files"][0]["actions"]
    assert actions
    assert not [a for a in actions if a["verdict"] in ("illegal", "doubtful")]
