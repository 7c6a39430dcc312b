"""Games of From Overlord to Berlin, played by the engine and written as logs on our own module; not genuine logs."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import referee
from gamebox.load import load_box
from gamebox.model import Box
from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal.newgame import predefined
from modgen.formats.vassal.saves import LogFile, write_log
from referee.audit.run import audit_file
from referee.games.overlord_to_berlin.players import choose, opening
from referee.games.overlord_to_berlin.reading import Reader
from referee.rules.model import Action
from referee.rules.reading import Court
from referee.table.vassal import module_at, read_parts
from referee.table.writing import TableWriter, write_game

GAME = "overlord-to-berlin"
SETUP = "campaign.vsav"
SEATS = (("west", "Allied"), ("soviet", "Allied"), ("axis", "Axis"))


@cache
def box() -> Box:
    return load_box(GAME)


@cache
def book() -> Any:
    return referee.load(GAME, "campaign", box=box())


@cache
def played(plan: str, seed: int, most: int) -> tuple[Any, tuple[Action, ...]]:
    """(first position, the first actions of a lawful game)."""
    dice = random.Random(f"overlord-{plan}-{seed}")
    start = p = opening(book(), dice, plan)
    actions: list[Action] = []
    while len(actions) < most and not book().over(p):
        actions.append(choose(book(), p, dice, plan))
        p = book().play(p, actions[-1])
    return start, tuple(actions)


def written(actions: Iterable[Action], module: Path, style: str = "talk", position: Any = None) -> LogFile:
    return write_game(book(), box(), actions, module, setup=SETUP, style=style, sides=SEATS, position=position)


def read(log: LogFile, module: Path, folder: Path) -> Reader:
    """The reader of a log, done reading; its findings in ``found``."""
    path = folder / "game.vlog"
    write_log(path, log)
    (table,) = read_parts(path, box(), module=module_at(module))
    reader = Reader(Court(book(), None), book().game, table)
    reader.read()
    return reader


def audited(log: LogFile, module: Path, folder: Path, reader: str = "director") -> dict[str, Any]:
    """The audit of a log for one reader: the only file of its document."""
    path = folder / "game.vlog"
    write_log(path, log)
    file: dict[str, Any] = audit_file(path, "game", module=module, reader=reader).as_json()["files"][0]
    return file


def whole(actions: Sequence[object]) -> list[str]:
    """Actions as text, without the ends of steps after the last of them: the log does not hold these."""
    lines = [str(a) for a in actions]
    while lines and lines[-1].endswith(" done"):
        lines.pop()
    return lines


def writer_for(module: Path, position: Any, style: str = "talk") -> TableWriter:
    """A writer at a position, for logs that hold more than a list of lawful actions."""
    found = TableWriter(book(), box(), module_at(module), predefined(module, SETUP), style=style, position=position)
    found.sit(SEATS)
    return found


def said(log: LogFile, first: int, last: int) -> list[str]:
    """Everything that steps ``first`` to ``last`` - 1 (from 0) say to all players: chat, reports, table talk and properties."""
    found: list[str] = []
    for step in log.steps[first:last]:
        for command in step.commands:
            inner = command.command if isinstance(command, cmd.Log) else command
            if isinstance(inner, cmd.Chat):
                found.append(inner.text)
            elif isinstance(inner, cmd.PropertyChange):
                found += [inner.old, inner.new]
    return found
