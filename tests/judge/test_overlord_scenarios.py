"""Short logs of the real client, each with a key written from the rulebook and the rulings before the judge saw it.

What lies in ``overlord_scenarios`` and what the words of its keys mean stands in the README there. A stretch that its key calls legal
must be called so, and what its key does not call illegal must not be.
"""

from __future__ import annotations

import csv
import io
import lzma
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from referee.audit.run import audit_file

FOLDER = Path(__file__).parent / "overlord_scenarios"
GAME = "overlord-to-berlin"


@dataclass(frozen=True, slots=True)
class Stretch:
    """A row of ``keys.csv``: steps of a log, counted from 1, both ends in it."""

    log: str
    first: int
    last: int
    expected: str
    rules: tuple[str, ...]
    what: str

    def meets(self, action: dict[str, Any]) -> bool:
        return bool(action["step"] >= self.first and action["first_step"] <= self.last)


def _read() -> tuple[Stretch, ...]:
    with (FOLDER / "keys.csv").open(encoding="utf-8", newline="") as file:
        return tuple(
            Stretch(row["log"], int(row["first"]), int(row["last"]), row["expected"], tuple(row["rules"].split()), row["what"])
            for row in csv.DictReader(file)
        )


KEYS = _read()
LOGS = tuple(dict.fromkeys(key.log for key in KEYS))


def log_file(name: str) -> bytes:
    """The log as a file that the client can replay: its set-up and its steps in one ``savedGame``."""
    text = b"".join(lzma.decompress((FOLDER / f"{part}.xz").read_bytes()) for part in ("start", name))
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("savedGame", text)
    return file.getvalue()


@cache
def judged(name: str, module: Path) -> list[dict[str, Any]]:
    document = audit_file(log_file(name), f"{name}.vlog", game=GAME, module=module, reader="director").as_json()
    found: list[dict[str, Any]] = document["files"][0]["actions"]
    return found


@pytest.fixture(scope="module")
def module(build_once: Callable[[str], Path]) -> Path:
    return build_once(GAME)


def names(action: dict[str, Any], rules: tuple[str, ...]) -> bool:
    return not rules or any(rule == one or rule.startswith(f"{one}.") for rule in action["rules"] for one in rules)


def test_every_log_has_its_key_and_every_kind_of_verdict_is_asked_for() -> None:
    assert {path.stem for path in FOLDER.glob("*.xz")} == {*LOGS, "start"}
    counted = [key.expected for key in KEYS]
    assert set(counted) == {"legal", "illegal", "any"}
    assert counted.count("legal") >= 150
    assert counted.count("illegal") >= 20


@pytest.mark.parametrize("key", KEYS, ids=lambda key: f"{key.log}-{key.first}")
def test_stretch_is_judged_as_its_key_says(key: Stretch, module: Path) -> None:
    here = [action for action in judged(key.log, module) if key.meets(action)]
    if key.expected == "legal":
        assert [action for action in here if action["verdict"] != "legal"] == [], key.what
    elif key.expected == "illegal":
        assert any(action["verdict"] == "illegal" and names(action, key.rules) for action in here), (key.what, here)
    else:
        assert all("?" in action["message"] for action in here if action["verdict"] == "unclear"), here


@pytest.mark.parametrize("log", LOGS)
def test_nothing_outside_the_breaches_is_accused(log: str, module: Path) -> None:
    mine = [key for key in KEYS if key.log == log and key.expected != "legal"]
    actions = judged(log, module)
    assert sum(action["verdict"] == "legal" for action in actions) >= 8
    for action in actions:
        if action["verdict"] in ("illegal", "doubtful"):
            assert any(key.meets(action) for key in mine), action
