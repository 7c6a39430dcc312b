"""The position that a module starts from: its at-start stacks placed, as the engine does for a new game, or a predefined set-up."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from modgen.formats.errors import FormatError
from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal.archive import read_archive
from modgen.formats.vassal.buildfile import Module, Slot
from modgen.formats.vassal.obfuscation import Form
from modgen.formats.vassal.pieces import Piece, Stack
from modgen.formats.vassal.saves import Metadata, SaveFile, read_save, save_tokens
from modgen.formats.vassal.turns import initial

FIRST_ID = 1_700_000_000_000
"""Ids of pieces count on from here; the engine takes the time in milliseconds."""


def predefined(module_path: Path, name: str) -> SaveFile:
    """A predefined set-up by the name of its file in the module. Raises FormatError."""
    with read_archive(module_path) as archive:
        return read_save(archive.read(name), where=f"{module_path.as_posix()}: {name}")


def new_game(module: Module, *, players: Iterable[cmd.Player] = (), first_id: int = FIRST_ID) -> SaveFile:
    """A new game: every at-start piece on its map, one stack a place, trackers at their start, nobody's password anywhere but yours.

    Raises FormatError for a module that places decks at the start: their order is the engine's to shuffle.
    """
    decks = [deck.name for each in module.maps for deck in each.decks]
    if decks:
        raise FormatError(module.where, f"has the deck {decks[0]}; only modules without decks can be started here")
    number = first_id
    pieces: list[Piece] = []
    groups: dict[tuple[str, int, int], list[str]] = {}
    for slot in _at_start(module):
        number += 1
        piece = module.expanded(slot).named(str(number)).placed(slot.map, slot.x, slot.y)
        pieces.append(piece)
        groups.setdefault((slot.map, slot.x, slot.y), []).append(piece.id)
    stacks: list[Stack] = []
    for (on, x, y), members in groups.items():
        number += 1
        stacks.append(Stack(str(number), on, x, y, tuple(members)))
    boards = []
    for each in module.maps:
        places = each.default or tuple(cmd.BoardPlace(board.name) for board in each.boards[:1])
        if places:
            boards.append(cmd.Boards(each.name, places))
    tokens = save_tokens(
        pieces,
        stacks,
        players=[player for player in players for _ in range(2)],
        properties=[cmd.PropertyValue(name, value, "Module") for name, value in module.properties.items()],
        turns=[cmd.Turn(f"TurnTracker{index}", str(initial(tracker))) for index, tracker in enumerate(module.trackers)],
        boards=boards,
    )
    date = module.metadata.date if module.metadata else ""
    metadata = Metadata(version=module.version, vassal_version=module.vassal_version, date=date)
    return SaveFile(module.where, tokens, Form(), metadata, module.metadata)


def _at_start(module: Module) -> list[Slot]:
    return [slot for slot in module.slots if slot.at_start and slot.map]
