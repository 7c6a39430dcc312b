"""Whole games as reviewed text: the first position, then every action with its ruling and what it changed, and now and then a refused
try with its sentence. Each game keeps its own in a folder ``playthroughs``."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import referee
from referee.rules.position_text import position_text

TRIES = 25
"""A refused try is told before every so many actions."""

Changes = Callable[[str, str], Iterator[str]]
"""(text of the position before, after) -> what changed, as lines."""


def told(name: str, game: str, scenario: str, options: tuple[str, ...], plan: str, players: Any, changes: Changes, word: str) -> str:
    """The text of one game. ``players``: the game's module of them; ``word``: how it calls its options."""
    return "\n".join(_lines(name, game, scenario, options, plan, players, changes, word)) + "\n"


def _lines(
    name: str, game: str, scenario: str, options: tuple[str, ...], plan: str, players: Any, changes: Changes, word: str
) -> Iterator[str]:
    book: Any = referee.load(game, scenario, options=options)
    dice, tried = random.Random(f"playthrough/{name}"), random.Random(f"playthrough/{name}/tries")
    p = book.start()
    yield f"{game}, {scenario}, {word} {', '.join(options) or '-'}, players: {plan}"
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
            yield from _refused(book, players.probes(book, p, tried, plan), p)
        action = players.choose(book, p, dice, plan)
        ruling = book.check(p, action)
        number += 1
        yield f"{number} {action}: {ruling.verdict}"
        p = book.play(p, action)
        after = position_text(book, p)
        yield from (f"    {line}" for line in changes(before, after))
        before = after
    yield ""
    yield f"== {p.result}"


def _refused(book: Any, tries: Iterable[Any], p: Any) -> Iterator[str]:
    """The first try that is refused, with every sentence against it."""
    for action in tries:
        ruling = book.check(p, action, every=True)
        if not ruling.legal:
            yield f"  tried {action}: {ruling.verdict}"
            yield from (f"    {book.sentence(reason)}" for reason in ruling.reasons)
            return


def write_anew(folder: Path, names: Iterable[str], playthrough: Callable[[str], str]) -> None:
    """Writes every playthrough of a game, each beside and then in its place."""
    for name in names:
        beside = folder / f"{name}.new"
        beside.write_text(playthrough(name), "utf-8")
        beside.replace(folder / f"{name}.txt")
        print(f"{name}.txt")
