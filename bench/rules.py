"""The rules alone: every action of one whole game checked and played, movement and combat apart, against python-chess reading PGN.

Each phase begins with a fresh position, so nothing that an earlier run derived is used again; within a phase the engine may keep
what it wants, as it does in play.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from bench.games import Stretch, book, stretches
from bench.harness import Ratio, Work, paired
from bench.yardstick import pgn_work
from referee.rules.model import Action


def _values(played: tuple[Stretch, ...]) -> int:
    rules, done = book(), 0
    for stretch in played:
        position = replace(stretch.start)
        for action in stretch.actions:
            if not rules.check(position, action).legal:
                raise ValueError(f"a legal game became illegal: {action}")
            position = rules.play(position, action)
        done += len(stretch.actions)
    return done


def _texts(played: tuple[tuple[Stretch, tuple[str, ...]], ...]) -> int:
    rules, done = book(), 0
    for stretch, lines in played:
        position = replace(stretch.start)
        for line in lines:
            action: Action = rules.parse(line)
            if not rules.check(position, action).legal:
                raise ValueError(f"a legal game became illegal: {line}")
            position = rules.play(position, action)
        done += len(lines)
    return done


def works() -> Iterator[Work]:
    """Movement and combat, as values and from notation."""
    for step, name in (("movement", "moves"), ("combat", "combat actions")):
        played = tuple(stretch for stretch in stretches() if stretch.step == step)
        written = tuple((stretch, tuple(map(str, stretch.actions))) for stretch in played)
        yield Work(f"{name}, checked and played", "actions", partial(_values, played))
        yield Work(f"{name}, parsed too", "actions", partial(_texts, written))


def ratios() -> list[Ratio]:
    """Actions a second against plies a second."""
    yardstick = pgn_work()
    return [paired(work, yardstick) for work in works()]
