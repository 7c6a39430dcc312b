"""The judge: a client's log explained as lawful play, or not. Generic; a game's ``reading`` module does the explaining.

A log is cut at commit points (dice, the tracker, the end of the file). Each stretch is netted, so that put-backs vanish and stops
become waypoints; candidate readings are tried as rules actions. *legal*: some reading explains every event lawfully. *illegal*: the
candidates were complete and none did; then the cheapest broken one is told, and play goes on from what stands on the table.
*doubtful*: the same, but only because of reconstructed cells, which are named. *unclear*: the log does not tell; one question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from operator import attrgetter
from typing import Any

import referee
from gamebox.model import Box
from referee.rules.events import TableLog
from referee.rules.options import UsageError
from referee.rules.reading import Court, Finding, Open
from referee.rules.step import Game


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the judge says of one log."""

    scenario: str
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    open: tuple[Open, ...]
    """What waits for somebody without being a breach, in the order of the log."""
    whose_note: dict[str, str]
    """Notes that concern one side only -> that side."""
    owner: dict[str, str]
    """Side of a finding -> the player who runs it."""
    secrets: bool = False
    """The game hides things: not everybody may read everything."""
    over: bool = False
    """The game has ended where the log stops: nothing is hidden any more."""


def reading_of(game: str) -> Any:
    """The module that reads a game's logs. Raises UsageError for a game that has none."""
    try:
        return import_module(f"referee.games.{game.replace('-', '_')}.reading")
    except ModuleNotFoundError as e:
        raise UsageError(f"logs of {game!r} cannot be judged yet: its rules have no reading") from e


def seats(game: Game[Any]) -> tuple[dict[str, str], bool]:
    """(side, as findings name it -> the player who runs it; whether the game hides things). Raises UsageError as ``reading_of`` does."""
    reading = reading_of(game.id)
    return dict(reading.owners(game)), bool(reading.SECRETS)


class Judge:
    """A compiled book and, where the data is not agreed on, its lenient twin; judges any number of logs of one game."""

    def __init__(self, game: str, scenario: str = "", options: frozenset[str] = frozenset(), *, box: Box, agreed: bool = False) -> None:
        self.book = referee.load(game, scenario, options, box=box)
        lenient = None if agreed else referee.load(game, scenario, options, box=box, lenient=True)
        self.court: Court[Any] = Court(self.book, lenient)
        self._reading = reading_of(game)

    def judge(self, log: TableLog) -> Judgement:
        """Every finding of one log, in its order."""
        reader = self._reading.Reader(self.court, self.book.game, log)
        findings = tuple(sorted(reader.read(), key=attrgetter("step")))
        owner, secrets = seats(self.book.game)
        return Judgement(
            scenario=self.book.game.scenario,
            findings=findings,
            notes=(*log.notes, *reader.notes),
            open=tuple(reader.open),
            whose_note=dict(reader.whose_note),
            owner=owner,
            secrets=secrets,
            over=reader.over,
        )


def joined(logs: Sequence[TableLog], parts: Sequence[Judgement]) -> Judgement:
    """What was judged of the positions that one file loads one after the other. What was open when another position was loaded is
    dropped with the table that it was on."""
    first = parts[0]
    if len(parts) == 1:
        return replace(first, notes=tuple(dict.fromkeys(first.notes)))
    notes: list[str] = []
    for i, part in enumerate(parts):
        if i:
            notes.append(f"a new position is loaded at step {logs[i - 1].steps + 1}; judged from there")
        notes.extend(part.notes)
    waiting = [o for i, part in enumerate(parts) for o in part.open if i == len(parts) - 1 or o.finding.kind == "roll"]
    return replace(
        first,
        findings=tuple(f for part in parts for f in part.findings),
        notes=tuple(dict.fromkeys(notes)),
        open=tuple(waiting),
        whose_note={note: side for part in parts for note, side in part.whose_note.items()},
        over=parts[-1].over,
    )
