"""Logs that the real engine wrote on a module that is not ours, with keys made by people who know the rulebook.

Every item of a key must be judged as it says, with one of its rules among ours, and nothing that the key calls legal or leaves
open may be called illegal. A finding belongs to an item when their log steps overlap.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.audit.run import audit_file

CLUB = Path(__file__).parent.parent / "data" / "vassal" / "bfg-club"
SAMPLES = Path(__file__).parent.parent.parent / "data" / "battle-for-germany" / "samples"
LOGS = sorted(p.name.removesuffix(".vlog") for p in SAMPLES.glob("*.vlog"))
MODULE = SAMPLES / "bfg-club.vmod"


def items() -> list[tuple[str, int]]:
    return [(name, item["n"]) for name in LOGS for item in json.loads((CLUB / f"{name}.key.json").read_text("utf-8"))["items"]]


@pytest.fixture(scope="module", params=["module", "log alone"])
def audits(request: pytest.FixtureRequest) -> dict[str, list[dict[str, Any]]]:
    module = MODULE if request.param == "module" else None
    found = {}
    for name in LOGS:
        document = audit_file(SAMPLES / f"{name}.vlog", name, game="battle-for-germany", module=module).as_json()
        found[name] = document["files"][0]["actions"]
    return found


def meets(rules: list[str], wanted: list[str]) -> bool:
    return any(rule == key or rule.startswith(f"{key}.") for rule in rules for key in wanted)


def test_the_keys_are_here() -> None:
    assert len(LOGS) >= 8
    assert len(items()) >= 70


@pytest.mark.parametrize(("name", "number"), items())
def test_item_is_judged_as_its_key_says(audits: dict[str, list[dict[str, Any]]], name: str, number: int) -> None:
    key = json.loads((CLUB / f"{name}.key.json").read_text("utf-8"))
    item = next(i for i in key["items"] if i["n"] == number)
    first, last = item["steps"]
    here = [a for a in audits[name] if a["step"] >= first and a["first_step"] <= last]
    expected = item["expected"]
    if expected == "any":
        for a in here:
            if a["verdict"] == "doubtful":
                assert a["basis"], a
            if a["verdict"] == "unclear":
                assert a["message"].count("?") == 1 or "?" in a["message"], a
        blamed = [a for a in here if a["verdict"] == "illegal"]
        others = [i for i in key["items"] if i["expected"] == "illegal" and i["steps"][0] <= last and i["steps"][1] >= first]
        assert not blamed or others, blamed
        return
    assert any(a["verdict"] == expected and meets(a["rules"], item["rules"]) for a in here), here


@pytest.mark.parametrize("name", LOGS)
def test_nothing_is_accused_that_no_key_item_accuses(audits: dict[str, list[dict[str, Any]]], name: str) -> None:
    key = json.loads((CLUB / f"{name}.key.json").read_text("utf-8"))
    breaches = [i["steps"] for i in key["items"] if i["expected"] == "illegal"]
    for a in audits[name]:
        if a["verdict"] in ("illegal", "doubtful"):
            ranges = breaches if a["verdict"] == "illegal" else [i["steps"] for i in key["items"] if i["expected"] != "legal"]
            assert any(first <= a["step"] and a["first_step"] <= last for first, last in ranges), a


def test_no_password_of_a_player_leaves_the_file(audits: dict[str, list[dict[str, Any]]]) -> None:
    text = json.dumps(audits)
    assert "tango-red" not in text
    assert "blue-ocean" not in text
