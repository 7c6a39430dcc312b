"""The marks ``rule`` and ``example`` are what the rule-coverage pages count: a mistyped one must not count silently."""

from __future__ import annotations

import csv
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


def boxes() -> dict[str, Path]:
    """Short name of a game -> its data folder."""
    found = {}
    for toml in sorted((ROOT / "data").glob("*/game.toml")):
        found[str(tomllib.loads(toml.read_text("utf-8"))["short"]).lower()] = toml.parent
    return found


def paragraphs(folder: Path) -> set[str]:
    """What a ``rule`` mark may name: ids and sections of rules.csv, ids of rulings.csv."""
    named: set[str] = set()
    for file in ("rules.csv", "rulings.csv"):
        path = folder / file
        if path.exists():
            with path.open(encoding="utf-8", newline="") as lines:
                for row in csv.DictReader(lines):
                    named.update(value for column in ("id", "section") if (value := row.get(column)))
    return named


def test_every_rule_mark_names_a_game_and_a_paragraph_of_its_index(marks: tuple[Any, ...]) -> None:
    known = boxes()
    index = {short: paragraphs(folder) for short, folder in known.items()}
    wrong = []
    for mark in marks:
        if mark.name != "rule":
            continue
        if mark.kwargs or len(mark.args) != 2 or not all(isinstance(arg, str) for arg in mark.args):
            wrong.append(f"{mark.test}: write rule(game, paragraph) with two texts, not {mark.args}")
        elif mark.args[0] not in known:
            wrong.append(f"{mark.test}: no game is called {mark.args[0]!r}; there are {', '.join(known)}")
        elif index[mark.args[0]] and mark.args[1] not in index[mark.args[0]]:
            wrong.append(f"{mark.test}: {mark.args[1]!r} is no paragraph in rules.csv or rulings.csv of {mark.args[0]}")
    assert not wrong, "\n".join(sorted(set(wrong)))


def test_every_example_mark_carries_one_id(marks: tuple[Any, ...]) -> None:
    examples = [mark for mark in marks if mark.name == "example"]
    wrong = [mark.test for mark in examples if mark.kwargs or len(mark.args) != 1 or not isinstance(mark.args[0], str)]
    assert not wrong, "write example(id) with one text:\n" + "\n".join(sorted(set(wrong)))
