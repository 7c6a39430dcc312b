"""Whole games as reviewed text: the first position, then every action with its ruling and what it changed, and now and then a refused
try with its sentence. ``python -m tests.games.bfg.playthroughs`` writes the files anew; a test compares them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import referee
from referee.games.battle_for_germany.players import choose, probes
from referee.rules.position_text import position_text

FOLDER = Path(__file__).parent
GAMES: dict[str, tuple[str, tuple[str, ...], str]] = {
    "expanded": ("expanded", ("13.2",), "racer"),
    "collapse": ("collapse", ("18/6.3",), "random"),
    "red-star": ("rsws", ("18.1", "18/5.3"), "random"),
    "three-player": ("three_player", (), "racer"),
    "four-player": ("four_player", ("18/8.0",), "exiter"),
}
"""File -> scenario, options, what the players are after."""
TRIES = 25
"""A refused try is told before every so many actions."""


def playthrough(name: str) -> str:
    """The text of one game."""
    return "\n".join(_lines(name)) + "\n"


def _lines(name: str) -> Iterator[str]:
    scenario, options, plan = GAMES[name]
    book: Any = referee.load("battle-for-germany", scenario, options=options)
    dice, tried = random.Random(f"playthrough/{name}"), random.Random(f"playthrough/{name}/tries")
    p = book.start()
    yield f"battle-for-germany, {scenario}, options {', '.join(options) or '-'}, players: {plan}"
    before = position_text(book, p)
    yield ""
    yield from before.splitlines()
    number, phase = 0, None
    while not book.over(p):
        if (p.turn, p.phase) != phase:
            phase = (p.turn, p.phase)
            yield ""
            yield f"== turn {p.turn}, {book.game.setting.phase(p).name if p.phase >= 0 else 'set-up'}"
        if number % TRIES == 0:
            yield from _refused(book, p, tried, plan)
        action = choose(book, p, dice, plan)
        ruling = book.check(p, action)
        number += 1
        yield f"{number} {action}: {ruling.verdict}"
        p = book.play(p, action)
        after = position_text(book, p)
        yield from (f"    {line}" for line in _changes(before, after))
        before = after
    yield ""
    yield f"== {p.result}"


def _refused(book: Any, p: Any, dice: random.Random, plan: str) -> Iterator[str]:
    """The first try that is refused, with every sentence against it."""
    for action in probes(book, p, dice, plan):
        ruling = book.check(p, action, every=True)
        if not ruling.legal:
            yield f"  tried {action}: {ruling.verdict}"
            yield from (f"    {book.sentence(reason)}" for reason in ruling.reasons)
            return


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
