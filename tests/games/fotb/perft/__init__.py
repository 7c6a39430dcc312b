"""Counts of lawful play: how many actions there are from a position (cards, reactions and ``done`` not counted), and how many after
each of them, the window of a declared PA closed.

``perft.csv`` was made by the second referee of ``tests.games.fotb.enumerated`` (``python -m tests.games.fotb.perft``), which imports
nothing of the engine, and is kept; the engine is held to it. A position is a game's first lines, one action each.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from referee.games.overlord_to_berlin.position import Pos
from tests.games.fotb.layout import BOOK, by, step
from tests.games.fotb.test_enumerated import CARD_VERBS

FOLDER = Path(__file__).parent
TABLE = FOLDER.parent / "perft.csv"
FIELDS = ("position", "step", "actions_before", "plies_1", "plies_2")


@dataclass(frozen=True)
class Line:
    """A position: its name, and the actions that lead to it."""

    name: str
    actions: tuple[str, ...]


def positions() -> Iterator[Line]:
    """The kept games' positions in order of name."""
    for file in sorted(FOLDER.glob("*.play")):
        yield Line(file.stem, tuple(file.read_text("utf-8").splitlines()))


def reached(line: Line) -> Pos:
    """The position, every action on the way being lawful."""
    p = BOOK.start()
    for text in line.actions:
        action = BOOK.parse(text)
        assert BOOK.check(p, action).legal, text
        p = BOOK.play(p, action)
    return p


def listed(p: Pos) -> list[str]:
    """What the engine lists of the kind that is counted."""
    return [str(a) for a in BOOK.legal(p, by=by(p)) if str(a).split()[1] not in CARD_VERBS]


def after(p: Pos, text: str) -> Pos:
    """The position after an action, the window in which its PA can be cancelled closed."""
    p = BOOK.play(p, BOOK.parse(text))
    while step(p) == "cancel":
        p = BOOK.play(p, BOOK.parse(f"{by(p)} done"))
    return p


def counts(p: Pos, lines: Callable[[Pos], list[str] | None]) -> tuple[int, int]:
    """How many actions ``lines`` tells here, and how many after each, where it knows the step."""
    first = lines(p) or []
    return len(first), sum(len(lines(after(p, text)) or ()) for text in first)


def kept() -> dict[str, dict[str, str]]:
    """The table: position -> its row."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return {row["position"]: row for row in csv.DictReader(file)}
