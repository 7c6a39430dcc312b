"""Control in logs: flags lie where it has changed, at the start of a log that is laid out and as it changes in play, and are read back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from modgen.formats.vassal.pieces import Piece
from modgen.formats.vassal.saves import LogFile, write_log
from referee.games.overlord_to_berlin.land import AXIS
from referee.games.overlord_to_berlin.reading import Reader
from referee.games.overlord_to_berlin.showing import FLAGS, flags
from referee.rules.reading import Court
from referee.table.vassal import module_at, read_parts
from tests.judge.overlord_games import book, box, played, read, whole, writer_for, written


@pytest.fixture(scope="session")
def module(build_once: Callable[[str], Path]) -> Path:
    return build_once("overlord-to-berlin")


def _flown(log: LogFile, module: Path, folder: Path, *, at_end: bool = False) -> dict[str, list[str]]:
    """Zone -> the flags in it, at the start of a log or where it stops."""
    write_log(folder / "flags.vlog", log)
    (table,) = read_parts(folder / "flags.vlog", box(), module=module_at(module))
    found = [(marker, spot.name) for marker, spot in table.start.marked if marker in FLAGS]
    for e in table.events if at_end else ():
        if e.marker in FLAGS and e.kind == "place":
            found.append((e.marker, e.to.name))
        elif e.marker in FLAGS and e.kind == "remove":
            found.remove((e.marker, e.frm.name))
    zones: dict[str, list[str]] = {}
    for marker, zone in found:
        zones.setdefault(zone, []).append(marker)
    return zones


def _wanted(p: Any) -> dict[str, list[str]]:
    return {zone: [marker] for zone, marker in flags(book().game, p).items() if marker}


def _changed(p: Any, holders: Mapping[str, str]) -> Any:
    """A position in which other sides hold some zones."""
    land = book().game.setting.land
    control = bytearray(p.control)
    for zone, side in holders.items():
        control[land.zone(zone)] = ("west", "soviet", "axis").index(side)
    return type(p)(**{**{f: getattr(p, f) for f in p.__struct_fields__}, "control": bytes(control)})


def _middle() -> Any:
    """A position within a game, some turns on."""
    _, actions = played("crusade", 1, 700)
    p = book().start()
    for a in actions:
        p = book().play(p, a)
        if p.turn > 1 and p.frame.step == "combine":
            return p
    raise AssertionError("the game is too short")


def test_the_flags_of_the_set_up_are_those_of_the_first_position(module: Path, tmp_path: Path) -> None:
    p = book().start()
    assert _wanted(p) and _flown(written((), module), module, tmp_path) == _wanted(p)


def _empty(p: Any) -> list[str]:
    """Zones in which nobody stands: control of any other follows who does."""
    land = book().game.setting.land
    return [land.name(zone) for zone in range(land.size) if zone not in p.gf_at]


@pytest.mark.parametrize("sides", [(), ("west", "west", "soviet"), ("axis", "axis", "axis"), ("soviet", "axis", "west")])
def test_control_of_a_position_that_is_laid_out_is_read_back(module: Path, tmp_path: Path, sides: tuple[str, ...]) -> None:
    p = _middle()
    held = book().game.setting.land.start_control
    empty = sorted(_empty(p), key=lambda name: held[int(name) - 1] == 2)
    assert held[int(empty[0]) - 1] != 2, "one that an Ally held at the start"
    p = _changed(p, dict(zip(empty, sides, strict=False)))
    start = book().game.setting.land.start_control
    assert p.control != start
    log = written((), module, position=p)
    assert _flown(log, module, tmp_path) == _wanted(p)
    reader = read(log, module, tmp_path)
    assert reader.p.turn == p.turn and reader.p.control == book().settled(p).control


def test_players_put_flags_out_as_control_changes(module: Path, tmp_path: Path) -> None:
    _, actions = played("crusade", 1, 700)
    p = book().start()
    for a in actions:
        p = book().play(p, a)
    log = written(actions, module)
    assert _wanted(p) != _wanted(book().start())
    assert _flown(log, module, tmp_path, at_end=True) == _wanted(p), "the old flag of a zone is deleted"
    assert whole(read(log, module, tmp_path).record) == whole(actions), "flags are for people: they change nothing of what is read"


def _without(log: LogFile, gone: Callable[[Piece], bool]) -> LogFile:
    """A log whose start has no more of some counters."""
    tokens = []
    pieces = {piece_id for piece_id, piece in log.start.pieces.items() if gone(piece)}
    for depth, text in log.start.tokens:
        if not any(text.startswith(f"+/{piece_id}/") for piece_id in pieces):
            tokens.append((depth, text))
    return replace(log, start=replace(log.start, tokens=tokens))


def _read(log: LogFile, module: Path, folder: Path) -> Reader:
    write_log(folder / "game.vlog", log)
    (table,) = read_parts(folder / "game.vlog", box(), module=module_at(module))
    reader = Reader(Court(book(), None), book().game, table)
    reader.read()
    return reader


def test_where_flags_are_used_a_zone_without_one_is_the_axis_and_where_none_are_all_is_as_at_the_start(
    module: Path, tmp_path: Path
) -> None:
    land = book().game.setting.land
    p = _middle()
    held = next(zone for zone in map(land.zone, _empty(p)) if land.start_control[zone] == p.control[zone] != AXIS)
    p = _changed(p, {next(name for name in _empty(p) if land.start_control[land.zone(name)] == AXIS): "west"})
    log = written((), module, position=p)
    whole_start = writer_for(module, p).flown
    bare = _read(_without(log, lambda piece: piece.markers().get("MarkerId", "") in FLAGS), module, tmp_path).p
    empty = [land.zone(name) for name in _empty(p)]
    assert [bare.control[zone] for zone in empty] == [land.start_control[zone] for zone in empty]
    less = _read(_without(log, lambda piece: piece.id == whole_start[land.name(held)][1]), module, tmp_path).p
    assert less.control[held] == AXIS != p.control[held]
    assert [zone for zone in empty if less.control[zone] != p.control[zone]] == [held]
