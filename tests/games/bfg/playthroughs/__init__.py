"""Whole games as reviewed text (``playing_through``). ``python -m tests.games.bfg.playthroughs`` writes the files anew; a test
compares them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from referee.games.battle_for_germany import players
from tests.games.playing_through import told

FOLDER = Path(__file__).parent
GAMES: dict[str, tuple[str, tuple[str, ...], str]] = {
    "expanded": ("expanded", ("13.2",), "racer"),
    "collapse": ("collapse", ("18/6.3",), "random"),
    "red-star": ("rsws", ("18.1", "18/5.3"), "random"),
    "three-player": ("three_player", (), "racer"),
    "four-player": ("four_player", ("18/8.0",), "exiter"),
}
"""File -> scenario, options, what the players are after."""


def playthrough(name: str) -> str:
    """The text of one game."""
    scenario, options, plan = GAMES[name]
    return told(name, "battle-for-germany", scenario, options, plan, players, _changes, "options")


def _changes(before: str, after: str) -> Iterator[str]:
    """What an action changed: of units and of what is asked whole lines, of lists the words that came or went."""
    old, new = before.splitlines(), after.splitlines()
    gone = [line for line in old if line not in set(new)]
    come = [line for line in new if line not in set(old)]
    was = {line.split(" ", 1)[0]: line for line in gone if not line.startswith(("unit ", "agenda "))}
    for line in gone:
        if line.startswith("unit ") and line.split()[1] not in {other.split()[1] for other in come if other.startswith("unit ")}:
            yield f"{line.split()[1]} is out of the game"
    for line in come:
        field = line.split(" ", 1)[0]
        if field in was and " " in line.removeprefix(field + " "):
            words = set(was[field].split())
            yield f"{field} {' '.join(word for word in line.split() if word not in words)}"
        else:
            yield line
