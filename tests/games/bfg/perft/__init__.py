"""Counts of lawful play: how many factored actions there are from a position, and how many after each of them.

``perft.csv`` was made once by the independent enumerator (``python -m tests.games.bfg.perft``, which imports nothing of the engine) and
is kept; the engine is held to it. A position is a game's first lines, one action each, every move with its way.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
TABLE = FOLDER.parent / "perft.csv"
SCENARIOS = ("historical", "expanded", "collapse", "rsws", "three_player", "four_player")
"""Each start is a row."""
FIELDS = ("position", "scenario", "options", "actions_before", "plies_0", "plies_1", "plies_2")


@dataclass(frozen=True)
class Line:
    """A position: where it comes from, and the actions that lead to it."""

    name: str
    scenario: str
    options: tuple[str, ...]
    actions: tuple[str, ...]


def positions() -> Iterator[Line]:
    """The starts, then the kept games' positions in order of name."""
    for scenario in SCENARIOS:
        yield Line(f"start-{scenario}", scenario, (), ())
    for file in sorted(FOLDER.glob("*.play")):
        scenario, options, *actions = file.read_text("utf-8").splitlines()
        named = options.removeprefix("options ")
        yield Line(file.stem, scenario.removeprefix("scenario "), tuple(named.split(",")) if named != "-" else (), tuple(actions))


def kept() -> dict[str, dict[str, str]]:
    """The table: position -> its row."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return {row["position"]: row for row in csv.DictReader(file)}
