"""VASSAL saves and logs -> table events.

A piece is known by the marker of our own modules, else by a mapping, else it is adopted on the fly from its name, strengths and
place. A place is known by the module's grid, else by a grid fitted to what the log itself says about places.

Players' ids are their passwords: they serve to tell players apart here and go nowhere else.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import time
from functools import lru_cache
from pathlib import Path
from stat import S_ISREG
from typing import Final

from gamebox.model import Box
from modgen.formats.errors import FormatError
from modgen.formats.vassal.archive import read_archive
from modgen.formats.vassal.buildfile import Module, read_module
from modgen.formats.vassal.commands import AddPiece, Boards, Unknown
from modgen.formats.vassal.pieces import Trait, layer, level_of
from modgen.formats.vassal.replay import Game, LivePiece
from modgen.formats.vassal.saves import MODULE_DATA, SAVED_GAME, LogFile, read_log, read_metadata
from referee.table.adopt import PieceMap
from referee.table.events import Spot, Table, TableLog
from referee.table.notes import Notes
from referee.table.places import GuessedMap, Places
from referee.table.same import Same
from referee.table.vassal_places import Ground, ModuleMaps, learn_places, learn_setups, places_of, spots_of
from referee.table.vassal_steps import Steps, note_bad_commands
from referee.table.vassal_trackers import GAME_WORD, TALK_PROPERTY, Trackers
from referee.table.vassal_who import MARKER_MARKER, Counters

SCENARIO_PROPERTY: Final = "RefScenario"
"""The property in which our modules keep the scenario that is set up."""
_LATELY: Final = 2_000_000_000
"""Nanoseconds: the coarsest clock of the file systems in use."""
_HASH: Final = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")


def read_vassal(path: Path, box: Box, *, module: Path | None = None, mapping: PieceMap | None = None) -> TableLog:
    """Read a save or log. ``module`` is the .vmod it was played with, ``mapping`` what ``adopt`` drafted and a person corrected.

    Raises FormatError when a file is not what it should be; whatever is broken or unknown inside becomes a note.
    """
    return read_parts(path, box, module=module_at(module) if module is not None else None, mapping=mapping)[0]


def read_parts(
    source: Path | bytes | LogFile, box: Box, *, name: str | None = None, module: Module | None = None, mapping: PieceMap | None = None
) -> tuple[TableLog, ...]:
    """The same, with a table log for every position that the file loads: one, unless files were joined. Steps are numbered on.

    ``source``: the file, its bytes, or what ``read_whole`` made of it; ``name``: what errors and logs call bytes. Raises FormatError as
    ``read_vassal`` does.
    """
    log = source if isinstance(source, LogFile) else read_whole(source, name if isinstance(source, bytes) else None)
    return tuple([_read(part, box, module, mapping) for part in (log, *log.loads)])


def read_whole(source: Path | bytes, name: str | None = None) -> LogFile:
    """A save or log as its commands. ``name``: what errors call it. Raises FormatError for what is none, and for one of which even the
    position that it begins with is not all there."""
    log = read_log(source, where=name)
    if log.cut_off:
        entry = f"{log.where}: {SAVED_GAME}"
        raise FormatError(entry, f"is cut off within the position that it begins with, after {len(log.start.tokens)} commands")
    return log


def module_at(path: Path) -> Module:
    """The module in a file, kept for the next log: read again only when the file holds something else. Raises FormatError."""
    try:
        content = _content(path)
    except OSError:
        return read_module(path)  # it says what is wrong
    return _kept_module(path, content)


@lru_cache(maxsize=4)
def _kept_module(path: Path, content: bytes) -> Module:
    return read_module(path)


def _content(path: Path) -> bytes:
    """What stands for a file's content. It is looked at again only when the file was written since, or so lately that a second writing
    might bear the same time."""
    its = path.stat()
    if not S_ISREG(its.st_mode):
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(path))
    if abs(time.time_ns() - max(its.st_mtime_ns, its.st_ctime_ns)) < _LATELY:
        return _digest(path)
    return _kept_digest(path, its.st_ino, its.st_size, its.st_mtime_ns, its.st_ctime_ns)


def _digest(path: Path) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "blake2b").digest()


@lru_cache(maxsize=8)
def _kept_digest(path: Path, node: int, size: int, written: int, changed: int) -> bytes:
    return _digest(path)


def read_vassal_bytes(data: bytes, name: str, box: Box, *, module: Module | None = None, mapping: PieceMap | None = None) -> TableLog:
    """The same from bytes; ``name`` stands for the path. Raises FormatError as ``read_vassal`` does."""
    return read_parts(data, box, name=name, module=module, mapping=mapping)[0]


def _read(log: LogFile, box: Box, module: Module | None, mapping: PieceMap | None) -> TableLog:
    """One position and its steps."""
    start = log.start
    notes = Notes(start.notes)
    _check_module(log, module, notes)
    game = Game()
    game.run(start.commands)
    game.boards |= start.boards
    others = [command for step in log.steps if not step.everyday for command in step.commands]
    counters = Counters(log, box, game, notes)
    counters.gather([command for command in others if type(command) is AddPiece], mapping)
    places = Places(box, mapping.places) if mapping is not None else places_of(Same(box))
    if module is None:
        guess = GuessedMap(box, places)
        learn_places(guess, places, log, game.pieces.values())
        ground = Ground(places, guess, {})
        counters.identify(None, mapping, ground)
        learn_setups(guess, places, box, counters.placed())
    else:
        # Where the boards change in play, a pixel stays what it was when it was first asked for: that is of this log alone.
        kept = mapping is None and not any([type(command) is Boards for command in others])
        spots = spots_of(Same(module), Same(box), frozenset(game.boards.items())) if kept else {}
        ground = Ground(places, ModuleMaps(module, game), spots)
        counters.identify(module, mapping, ground)
    trackers = Trackers(module)
    trackers.learn(log, box)
    if Unknown in set(map(type, start.commands)):
        note_bad_commands(start.commands, "the start", notes)
    table = _table(game, counters, ground, trackers)
    trackers.begin(game.turns)
    dice = frozenset([die.name for die in module.dice]) if module is not None else frozenset()
    steps = Steps(log, game, counters, ground, trackers, dice, notes)
    for number, step in enumerate(log.steps, log.before + 1):
        steps.read(number, step)
    if log.stray:
        notes.add(f"{len(log.stray)} commands after the start belong to no step; they were not read")
    for tracker_note in trackers.notes:
        notes.add(tracker_note)
    ours = counters.ours()
    undone = steps.undone
    return TableLog(
        path=log.where,
        client=f"VASSAL {start.metadata.vassal_version}".strip() if start.metadata else "VASSAL",
        module=(start.module.name if start.module else "") or (module.name if module else ""),
        module_version=start.metadata.version if start.metadata else start.module.version if start.module else "",
        steps=log.before + len(log.steps),
        start=table,
        events=tuple([e.marked(e.step in undone) for e in steps.events] if undone else steps.events),
        seats=steps.seats,
        notes=tuple(notes.all),
        labels=counters.labels(),
        ours=ours,
        scenario=_set_up(log) if ours else "",
        data_hash=_data_hash(log) if ours else "",
        counters=len(counters.names),
        unsure=counters.unsure,
    )


def _check_module(log: LogFile, module: Module | None, notes: Notes) -> None:
    theirs = log.start.module
    if module is None or theirs is None:
        return
    if theirs.name and theirs.name != module.name:
        notes.add(f"the log was played with the module {theirs.name}; the module given is {module.name}")
    elif theirs.version and theirs.version != module.version:
        notes.add(f"the log was played with version {theirs.version} of the module; the one given is {module.version}")


def _set_up(log: LogFile) -> str:
    """The scenario that a set-up of ours says it is."""
    return next((value for (_, name), value in log.start.properties.items() if name == SCENARIO_PROPERTY), "")


def _data_hash(log: LogFile) -> str:
    """The hash of the data that a module of ours was built from; "" when the file does not tell."""
    module = log.start.module
    texts = [*log.start.properties.values(), *((module.extra1, module.extra2, module.description) if module else ())]
    return next((hit[0] for text in texts if (hit := _HASH.search(text))), "")


def _table(game: Game, counters: Counters, ground: Ground, trackers: Trackers) -> Table:
    """The table as the log begins."""
    at: dict[str, Spot] = {}
    markers: list[tuple[str, Spot]] = []
    marked: list[tuple[str, Spot]] = []
    flipped: set[str] = set()
    for piece_id, live in game.pieces.items():
        piece, label, marker = counters.known.get(piece_id) or counters.who(piece_id)
        spot = ground.named(live.place)[1]
        if not piece:
            markers.append((label, spot))
            if marker:
                marked.append((marker, spot))
            continue
        at[piece] = spot
        if live.may_have("emb2;") and _is_flipped(live):
            flipped.add(piece)
    now = trackers.show(game.turns)
    by_name = sorted(markers, key=lambda marker: (marker[0], marker[1].name))
    return Table(
        {piece: at[piece] for piece in sorted(at)}, now.turn, now.phase, frozenset(flipped), tuple(by_name), tuple(sorted(marked, key=str))
    )


def _is_flipped(live: LivePiece) -> bool:
    raised = [layer(Trait(kind, state)) for kind, state in zip(*live.some("emb2;"), strict=True) if level_of(state)[0] > 1]
    return any([found.active and bool(found.images) and not found.follows for found in raised])


def module_game(source: Path | bytes) -> str:
    """The game of ours that a file says it was played with, by its module's own words; "" when it does not say or cannot be read."""
    try:
        with read_archive(source) as archive:
            if MODULE_DATA not in archive:
                return ""
            words = read_metadata(archive.read(MODULE_DATA), MODULE_DATA).extra1
    except FormatError:
        return ""
    return _game_told(words)


def game_told(read: LogFile | Module) -> str:
    """The same of a log or a module that has been read; "" where its entry is missing or was passed over."""
    data = read.start.module if isinstance(read, LogFile) else read.metadata
    return "" if data is None else _game_told(data.extra1)


def _game_told(words: str) -> str:
    return words.removeprefix(GAME_WORD) if words.startswith(GAME_WORD) else ""


__all__ = ["MARKER_MARKER", "TALK_PROPERTY", "FormatError", "Same", "read_vassal", "read_vassal_bytes"]
