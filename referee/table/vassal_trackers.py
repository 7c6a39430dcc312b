"""What the turn tracker of a VASSAL log shows: by the module's levels, else as the log itself tells it."""

from __future__ import annotations

import csv
import html
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from gamebox.load import data_root
from gamebox.model import Box
from gamebox.tabletalk import Talk, TalkError
from gamebox.tabletalk import decode as parse_talk
from modgen.formats.vassal import sequence
from modgen.formats.vassal.buildfile import Module
from modgen.formats.vassal.commands import Chat, PropertyChange, Turn, Undo
from modgen.formats.vassal.saves import LogFile
from modgen.formats.vassal.steps import Step
from modgen.formats.vassal.turns import Level, LevelState, Shown, Tracker, TrackerState, parse_state, shown
from referee.table.same import Same

TALK_PROPERTY: Final = "Talk"
"""The global property that carries the table talk of our modules; its running number stands in ``TalkN``."""
GAME_WORD: Final = "game "
"""What the first free field of our modules begins with; the game's id follows."""
_FROZEN: Final = "frozen.csv"
_FROZEN_TRACKER: Final = "turn tracker"
"""The table beside a game's data with what its released modules may not change any more, and what the rows of a turn tracker begin
with."""
_NOTHING: Final = Shown("", 0, "")


def _released_phases(box: Box, log: LogFile) -> tuple[str, ...]:
    """The list of phases of our own module that the log was played with: from the data, where it is kept with the first release and only
    grows at its end. Empty for other modules, and for builds before that release."""
    module = log.start.module
    if module is None or module.extra1 != GAME_WORD + box.id:
        return ()
    kept = [phases for since, phases in _kept_lists(box.id) if since <= _release(module.version)]
    return kept[-1] if kept else ()


@lru_cache(maxsize=8)
def _kept_lists(game: str) -> tuple[tuple[tuple[int, ...], tuple[str, ...]], ...]:
    """(release, list of phases) of each list that still holds, in the order of the releases; none for a game of which nothing is out."""
    path = data_root() / game / _FROZEN
    if not path.is_file():
        return ()
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if (row["trait"] or "").startswith(_FROZEN_TRACKER) and not row["until"]]
    found = ((_release(row["since"]), tuple(sequence.decode(sequence.decode(row["text"], ";")[0], ","))) for row in rows)
    return tuple(sorted(found))


def _release(version: str) -> tuple[int, ...]:
    """A version's numbers: ``1.0.1-dev`` is of 1.0.1."""
    return tuple(int(n) for n in re.findall(r"\d+", re.split(r"[-+]", version)[0]))


class Trackers:
    """What the first turn tracker shows: by the module's levels, else as the log itself has it: in the table talk of our modules, in
    the tracker's reports, in the list that our released modules have."""

    def __init__(self, module: Module | None) -> None:
        self._tracker: Tracker | None = None
        self._id = "TurnTracker0"
        if module is not None and module.trackers:
            # The tracker that counts phases: the first one with a list in it.
            chosen = next((i for i, t in enumerate(module.trackers) if _has_list(t.levels)), 0)
            self._tracker = module.trackers[chosen]
            self._id = f"TurnTracker{chosen}"
        self._words: dict[tuple[int, ...], str] = {}
        self._listed: tuple[str, ...] = ()
        self.current = _NOTHING
        self.notes: list[str] = []
        self._untold = False

    def learn(self, log: LogFile, box: Box) -> None:
        """Without a module: what table talk and reports call the list entries. Either stands in the same step as the change it tells of.

        A save tells a phase by its place in the list alone. So a module whose list has another length, as an earlier build's had, would
        name every phase of the log wrongly: then the reports count too.
        """
        turns = dict(log.start.turns)
        if self._tracker is not None:
            state = _state(turns.get(self._id, ""))
            if state is None or _fits(self._tracker.levels, state.levels):
                return
            self._tracker = None
            self.notes.append("the turn tracker of the log has another list of phases than the module's: the log is of another build of it")
        if self._id not in turns:
            self._id = min(turns, default=self._id)
        self._listed = _released_phases(box, log)
        turning = [step for step in log.steps if Turn in map(type, step.commands)]
        for step in turning:
            self._learn_talk(step)
        state = _state(turns.get(self._id, ""))
        for step in turning:
            undoing = False
            reports: list[str] = []
            for command in step.commands:
                if type(command) is Undo:
                    undoing = command.begins
                elif type(command) is Chat and command.text.startswith("*") and not undoing:
                    reports.append(html.unescape(command.text))
                elif type(command) is Turn and command.tracker == self._id:
                    new = _state(command.state)
                    if reports and state is not None and new is not None and not undoing:
                        self._learn_pair(reports[-1], state, new)
                    state = new

    def _learn_talk(self, step: Step) -> None:
        """What the table talk of a step calls the phase that begins in it."""
        phase, state, undoing = "", None, False
        for command in step.commands:
            if type(command) is Undo:
                undoing = command.begins
            elif undoing:
                continue
            elif type(command) is Turn and command.tracker == self._id:
                state = _state(command.state)
            elif type(command) is PropertyChange and command.name == TALK_PROPERTY:
                talk = _talk(command.new)
                phase = talk.field("phase") if talk is not None and talk.verb == "PH" else phase
        if phase and state is not None:
            self._words.setdefault(_indices(state), phase)

    def _learn_pair(self, report: str, old: TrackerState, new: TrackerState) -> None:
        text = re.sub(r"^[*\s]+", "", report)
        text = re.sub(r"^<[^>]*>\s*", "", text).strip(" *")
        for separator in (" -> ", " → ", " => ", " to ", "->", "→"):
            before, found, after = text.rpartition(separator)
            if found:
                before = re.split(r"\bfrom\b ", before)[-1]
                self._words.setdefault(_indices(old), _phase_of(before, _number(old)))
                self._words.setdefault(_indices(new), _phase_of(after, _number(new)))
                return

    def show(self, turns: Mapping[str, str]) -> Shown:
        """What the tracker shows in this state of the game."""
        text = turns.get(self._id, "")
        if self._tracker is not None:
            return _shown(Same(self._tracker), text)
        state = _state(text)
        if state is None:
            return _NOTHING
        turn = _number(state)
        indices = _indices(state)
        phase = self._words.get(indices, "") or self._named(state)
        if not phase and indices and not self._untold:
            self._untold = True
            self.notes.append("the log does not tell what its turn tracker shows at some point; give the module to know")
        return Shown(f"{turn}: {phase}" if turn else phase, turn, phase)

    def _named(self, state: TrackerState) -> str:
        """The entry of our own module's list; empty where the log's list is another one."""
        lists = [level for level in state.path if not level.counter]
        if len(lists) != 1 or len(sequence.decode(lists[0].extra[1], ",")) < len(self._listed):
            return ""
        return self._listed[lists[0].value] if 0 <= lists[0].value < len(self._listed) else ""

    def begin(self, turns: Mapping[str, str]) -> None:
        """Take this state as the current one."""
        self.current = self.show(turns)

    def said(self, report: str) -> bool:
        """Whether a report only says that the tracker shows what it shows."""
        return bool(self.current.phase and self.current.phase in report) or bool(self.current.text and self.current.text in report)


@lru_cache(maxsize=1 << 10)
def _shown(tracker: Same[Tracker], text: str) -> Shown:
    """What a module's tracker shows in a state: the same few in all logs."""
    state = _state(text)
    return shown(tracker.it, state) if state is not None else _NOTHING


def _talk(text: str) -> Talk | None:
    try:
        return parse_talk(text)
    except TalkError:
        return None


def _state(text: str) -> TrackerState | None:
    try:
        return parse_state(text) if text else None
    except (ValueError, IndexError):
        return None


def _fits(levels: Sequence[Level], states: Sequence[LevelState]) -> bool:
    """Whether a tracker's state is of lists as long as these: it has a flag for each entry."""
    if len(levels) != len(states):
        return False
    for level, state in zip(levels, states, strict=True):
        flags = state.extra[1]
        if level.counter != state.counter or (not level.counter and flags and len(sequence.decode(flags, ",")) != len(level.values)):
            return False
        if not _fits(level.below, state.below):
            return False
    return True


def _number(state: TrackerState) -> int:
    return next((level.value for level in state.path if level.counter), 0)


def _indices(state: TrackerState) -> tuple[int, ...]:
    return tuple(level.value for level in state.path if not level.counter)


def _has_list(levels: Iterable[object]) -> bool:
    return any(not getattr(level, "counter", True) or _has_list(getattr(level, "below", ())) for level in levels)


def _phase_of(text: str, turn: int) -> str:
    """The words of a tracker's text without its turn number: ``Turn 3: Movement`` -> ``Movement``."""
    text = text.strip()
    if turn:
        after = re.fullmatch(rf"(?:[^\W\d]+\W*){{0,3}}?\b0*{turn}\b\W*(.*)", text, re.DOTALL) or re.fullmatch(
            rf"[^\W\d]{{1,4}}0*{turn}\b\W*(.*)", text, re.DOTALL
        )
        if after and after[1]:
            return after[1].strip()
        before = re.fullmatch(rf"(.*?)\W*(?:\b[^\W\d]+\W*)?\b0*{turn}\b\W*", text, re.DOTALL)
        if before and before[1]:
            return before[1].strip()
    return text
