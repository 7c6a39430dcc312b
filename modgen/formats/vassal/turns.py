"""Turn trackers: their levels in the module, and the state in saves and logs.

State: a ``|`` sequence, index of the current top level, then every top level. A counter is ``value;subLevel;loop;limit;sub...``,
a list ``index;subLevel;first;flags;sub...``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from modgen.formats.vassal import sequence
from modgen.formats.vassal.grid import fill

_MAX_DEPTH: Final = 32


@dataclass(frozen=True, slots=True)
class Level:
    """A level of a tracker: a counter, or a list of names. ``below`` are its sub-levels."""

    name: str
    counter: bool
    values: tuple[str, ...] = ()
    format: str = "$value$"
    below: tuple[Level, ...] = ()
    property: str = ""
    start: int = 1
    loop: bool = False
    limit: int = -1


@dataclass(frozen=True, slots=True)
class Tracker:
    """A turn tracker. ``format`` has ``$level1$`` ... for the levels that are current."""

    name: str
    format: str
    levels: tuple[Level, ...]
    report: str = "* <$PlayerId$> Turn Updated from $oldTurn$ to $newTurn$"


@dataclass(frozen=True, slots=True)
class LevelState:
    """A level as saved. ``value`` is a counter's number or a list's index (from 0); ``below`` all its sub-levels."""

    counter: bool
    value: int
    current: int = 0
    below: tuple[LevelState, ...] = ()
    extra: tuple[str, str] = ("", "")
    """The third and fourth fields, as written: loop and limit, or first and active flags."""


@dataclass(frozen=True, slots=True)
class TrackerState:
    """A tracker as saved."""

    current: int
    levels: tuple[LevelState, ...]

    @property
    def path(self) -> tuple[LevelState, ...]:
        """The levels that are current, outermost first."""
        found: list[LevelState] = []
        levels, index = self.levels, self.current
        while 0 <= index < len(levels) and len(found) < _MAX_DEPTH:
            found.append(levels[index])
            levels, index = found[-1].below, found[-1].current
        return tuple(found)

    def __str__(self) -> str:
        return sequence.encode((str(self.current), *(write_level(level) for level in self.levels)), "|")


@dataclass(frozen=True, slots=True)
class Shown:
    """What a tracker shows: the whole text, the first counter's number (0 when there is none), and the words of the list levels."""

    text: str
    turn: int
    phase: str


def write_level(level: LevelState) -> str:
    """A level's state text."""
    return sequence.encode((str(level.value), str(level.current), *level.extra, *(write_level(below) for below in level.below)), ";")


def parse_state(text: str) -> TrackerState:
    """Read a tracker's state. Raises ValueError when it is none."""
    parts = sequence.decode(text, "|")
    return TrackerState(int(parts[0]), tuple(_parse_level(part, 0) for part in parts[1:]))


def _parse_level(text: str, depth: int) -> LevelState:
    if depth > _MAX_DEPTH:
        raise ValueError("a tracker nested too deeply")
    parts = sequence.decode(text, ";")
    if len(parts) < 4:
        raise ValueError("a tracker's level is written value;subLevel;...;...;sub-levels")
    below = tuple(_parse_level(part, depth + 1) for part in parts[4:])
    return LevelState(parts[2] in ("true", "false"), int(parts[0]), int(parts[1]), below, (parts[2], parts[3]))


def initial(tracker: Tracker) -> TrackerState:
    """The state of a new game."""
    return TrackerState(0, tuple(_initial(level) for level in tracker.levels))


def _initial(level: Level) -> LevelState:
    below = tuple(_initial(inner) for inner in level.below)
    if level.counter:
        return LevelState(True, level.start, 0, below, ("true" if level.loop else "false", str(level.limit)))
    return LevelState(False, 0, 0, below, ("0", sequence.encode(["true"] * len(level.values), ",")))


def shown(tracker: Tracker, state: TrackerState) -> Shown:
    """What the tracker shows in this state."""
    words: dict[str, str] = {}
    turn = 0
    phases: list[str] = []
    levels: Sequence[Level] = tracker.levels
    index = state.current
    states: Sequence[LevelState] = state.levels
    number = 0
    while 0 <= index < len(levels) and index < len(states) and number < _MAX_DEPTH:
        level, saved = levels[index], states[index]
        number += 1
        if level.counter:
            value = str(saved.value)
            turn = turn or saved.value
        else:
            value = level.values[saved.value] if 0 <= saved.value < len(level.values) else ""
            phases.append(value)
        words[f"level{number}"] = fill(level.format, {"value": value})
        levels, states, index = level.below, saved.below, saved.current
    return Shown(fill(tracker.format, words).strip(), turn, " ".join(phase for phase in phases if phase))


def advance(tracker: Tracker, state: TrackerState) -> TrackerState:
    """The state one step on: the innermost current level first, carrying over to the level above when it ends."""
    levels = list(state.levels)
    if not 0 <= state.current < min(len(levels), len(tracker.levels)):
        return state
    levels[state.current], carried = _next(tracker.levels[state.current], levels[state.current])
    current = state.current
    if carried and len(levels) > 1:
        current = (current + 1) % len(levels)
    return TrackerState(current, tuple(levels))


def _next(level: Level, state: LevelState) -> tuple[LevelState, bool]:
    """(the level one step on, whether it came round)."""
    if state.below and 0 <= state.current < min(len(state.below), len(level.below)):
        below = list(state.below)
        below[state.current], carried = _next(level.below[state.current], below[state.current])
        current = state.current
        if carried and current + 1 < len(below):
            current, carried = current + 1, False
        elif carried:
            current = 0
        state = LevelState(state.counter, state.value, current, tuple(below), state.extra)
        if not carried:
            return state, False
    if level.counter:
        value = state.value + 1
        limit = state.extra[1]
        if state.extra[0] == "true" and limit.lstrip("-").isdecimal() and value > int(limit) >= 0:
            return LevelState(True, level.start, state.current, state.below, state.extra), True
        return LevelState(True, value, state.current, state.below, state.extra), False
    flags = state.extra[1].split(",")
    value, carried = state.value, False
    for _ in range(max(1, len(level.values))):
        value += 1
        if value >= len(level.values):
            value, carried = 0, True
        if value >= len(flags) or flags[value] != "false":
            break
    return LevelState(False, value, state.current, state.below, state.extra), carried
