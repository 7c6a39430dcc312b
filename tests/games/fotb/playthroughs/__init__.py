"""Whole games as reviewed text: the first position, then every action with its ruling and what it changed, and now and then a refused
try with its sentence. ``python -m tests.games.fotb.playthroughs`` writes the files anew; a test compares them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import referee
from referee.games.overlord_to_berlin.players import choose, probes
from referee.rules.position_text import position_text

FOLDER = Path(__file__).parent
GAMES: dict[str, tuple[str, tuple[str, ...], str]] = {
    "crusade": ("campaign", (), "crusade"),
    "capitals": ("campaign", ("pocket-roll-besieged", "retreat-together", "west-keeps-pr"), "capitals"),
    "peace": ("campaign", ("left-end-die", "peace-soviets-alone", "three-seats"), "fate"),
}
"""File -> scenario, switches, what the players are after."""
TRIES = 25
"""A refused try is told before every so many actions."""


def playthrough(name: str) -> str:
    """The text of one game."""
    return "\n".join(_lines(name)) + "\n"


def _lines(name: str) -> Iterator[str]:
    scenario, options, plan = GAMES[name]
    book: Any = referee.load("overlord-to-berlin", scenario, options=options)
    dice, tried = random.Random(f"playthrough/{name}"), random.Random(f"playthrough/{name}/tries")
    p = book.start()
    yield f"overlord-to-berlin, {scenario}, switches {', '.join(options) or '-'}, players: {plan}"
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
