"""Whole games as reviewed text (``playing_through``). ``python -m tests.games.fotb.playthroughs`` writes the files anew; a test
compares them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from referee.games.overlord_to_berlin import players
from tests.games.playing_through import told

FOLDER = Path(__file__).parent
GAMES: dict[str, tuple[str, tuple[str, ...], str]] = {
    "crusade": ("campaign", (), "crusade"),
    "capitals": ("campaign", ("pocket-roll-besieged", "retreat-together", "west-keeps-pr"), "capitals"),
    "peace": ("campaign", ("left-end-die", "peace-soviets-alone", "three-seats"), "fate"),
}
"""File -> scenario, switches, what the players are after."""


def playthrough(name: str) -> str:
    """The text of one game."""
    scenario, options, plan = GAMES[name]
    return told(name, "overlord-to-berlin", scenario, options, plan, players, _changes, "switches")


def _changes(before: str, after: str) -> Iterator[str]:
    """What an action changed: of units, of hidden facts and of what is asked whole lines, of lists the words that came or went."""
    old, new = before.splitlines(), after.splitlines()
    come = [line for line in new if line not in set(old)]
    was = {_of(line): line for line in old if line not in set(new)}
    told = {_of(line) for line in new}
    yield from (f"{key} is no more" for key in was if key.startswith("sealed ") and key not in told)
    for line in come:
        field = _of(line)
        if field in was and field in ("control", "gf_at", "pa", "extra", "group", "fought", "baltic"):
            words = set(was[field].split())
            yield f"{field} {' '.join(word for word in line.split() if word not in words)}"
        else:
            yield line


def _of(line: str) -> str:
    """What a line is about: a field, a unit, a holder's unit or field."""
    words = line.split()
    if words[0] == "sealed":
        return " ".join(words[: 4 if words[2] == "unit" else 3])
    return " ".join(words[: 2 if words[0] == "unit" else 1])
