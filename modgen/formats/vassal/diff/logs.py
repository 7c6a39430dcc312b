"""Two saves or logs compared: where they start, which steps they share, where they end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile

from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal.buildfile import Module
from modgen.formats.vassal.diff import positions
from modgen.formats.vassal.diff.model import Change, Kind
from modgen.formats.vassal.replay import Game
from modgen.formats.vassal.saves import LogFile, SaveFile
from modgen.formats.vassal.steps import Step

IDENTITY, STEPS = "Identity", "Steps"
_START, _END = "At the start: ", "At the end: "
GROUPS = (
    IDENTITY,
    *positions.GROUPS,
    *(_START + group for group in positions.GROUPS),
    STEPS,
    *(_END + group for group in positions.GROUPS),
)


def compare(old: LogFile, new: LogFile, module: Module | None = None) -> Iterator[Change]:
    """Everything that differs between two saves or logs; places are named by ``module`` when it is given."""
    yield from _identity(old.start, new.start)
    before, after = (Game().run(log.start.commands) for log in (old, new))
    logs = bool(_steps(old) or _steps(new))
    for change in positions.compare(before, after, module, module):
        yield replace(change, group=_START + change.group) if logs else change
    if not logs:
        return
    yield from _compare_steps(_steps(old), _steps(new))
    for change in positions.compare(_played(old), _played(new), module, module):
        yield replace(change, group=_END + change.group)


def _identity(old: SaveFile, new: SaveFile) -> Iterator[Change]:
    for word, one, two in (("module", old.module, new.module), ("save", old.metadata, new.metadata)):
        for name in ("name", "version", "vassal_version", "description"):
            before, after = (str(getattr(data, name)) if data is not None else "" for data in (one, two))
            if before != after:
                yield Change(IDENTITY, Kind.CHANGED, (word,), name.replace("_", " "), before, after)
    if old.form.kind != new.form.kind:
        yield Change(IDENTITY, Kind.CHANGED, ("save",), "form", old.form.kind, new.form.kind)


def _steps(log: LogFile) -> list[Step]:
    return [step for part in (log, *log.loads) for step in part.steps]


def _played(log: LogFile) -> Game:
    """The position after the last step."""
    game = Game()
    for part in (log, *log.loads):
        game = Game().run(part.start.commands)
        for step in part.steps:
            game.run(step.commands)
    return game


def _compare_steps(old: list[Step], new: list[Step]) -> Iterator[Change]:
    same = sum(1 for _ in takewhile(lambda pair: pair[0].tokens == pair[1].tokens, zip(old, new, strict=False)))
    if same == len(old) == len(new):
        return
    yield Change(
        STEPS,
        Kind.NOTE,
        ("the logs",),
        f"share their first {same} steps; then the old one has {len(old) - same}, the new one {len(new) - same}",
    )
    for word, steps in (("the old one", old), ("the new one", new)):
        if same < len(steps):
            yield Change(STEPS, Kind.NOTE, (word,), f"goes on with step {steps[same].number}: {_says(steps[same])}")


def _says(step: Step) -> str:
    """What a step tells players: its chat, or what kind of command it is."""
    chat = next((command.text for command in step.commands if isinstance(command, cmd.Chat)), "")
    kinds = sorted({type(command).__name__ for command in step.commands} - {"Null", "Empty"})
    return f'"{chat}"' if chat else ", ".join(kinds) or "nothing"
