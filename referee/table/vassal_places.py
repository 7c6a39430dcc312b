"""Where the pixels of a VASSAL log are: by the module's own grids, or by what the log itself says about places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from gamebox.model import Box
from modgen.formats.vassal import sequence
from modgen.formats.vassal.buildfile import Board, Map, Module
from modgen.formats.vassal.commands import AddPiece, BoardPlace, ChangePiece, Chat, Command, Log, MovePiece, Undo
from modgen.formats.vassal.replay import Game, LivePiece
from modgen.formats.vassal.saves import LogFile
from referee.table.events import NOWHERE, Spot
from referee.table.places import GuessedMap, Places, Where
from referee.table.same import Same

Pixel = tuple[str, int, int]
"""(map, x, y); map "" for no place at all."""
NamedSpot = tuple[str, Spot]
"""What the client calls a place, and where that is in the game's words."""
_NOWHERE: Final[NamedSpot] = ("", NOWHERE)
_MOST_PIXELS: Final = 1 << 14


class ModuleMaps:
    """Names pixels by the module's own grids, in the arrangement of boards that the save has."""

    def __init__(self, module: Module, game: Game) -> None:
        self._maps: dict[str, Map] = {found.name: found for found in module.maps}
        self._game = game

    def where(self, map_name: str, x: int, y: int) -> Where:
        """The place of a pixel."""
        on = self._maps.get(map_name)
        if on is None:
            return Where("", "", map_name)
        location = on.locate_on(_laid(Same(on), self._game.boards.get(map_name)), x, y)
        return Where(location.name, location.zone, map_name)


class Ground:
    """Where the pixels of one log are; every pixel is looked for once."""

    def __init__(self, places: Places, maps: ModuleMaps | GuessedMap, spots: dict[Pixel, NamedSpot]) -> None:
        self.places = places
        self.maps = maps
        self.spots = spots
        """The pixels that were asked for, ``{}`` to begin with or what earlier logs know of them."""

    def look(self, pixel: Pixel) -> NamedSpot:
        """The place of a pixel, as far as it is known now."""
        if not pixel[0]:
            return _NOWHERE
        where = self.maps.where(*pixel)
        return where.name, self.places.spot(where)

    def named(self, pixel: Pixel) -> NamedSpot:
        """The place of a pixel, kept from then on: for when all is learned that can be."""
        return self.spots.get(pixel) or self.first(pixel)

    def first(self, pixel: Pixel) -> NamedSpot:
        """The same for a pixel that was not asked for before."""
        found = self.look(pixel)
        if len(self.spots) >= _MOST_PIXELS:
            self.spots.clear()
        self.spots[pixel] = found
        return found


@lru_cache(maxsize=4)
def places_of(box: Same[Box]) -> Places:
    """The places of a game by their own names, for all its logs."""
    return Places(box.it)


@lru_cache(maxsize=8)
def spots_of(module: Same[Module], box: Same[Box], boards: frozenset[tuple[str, tuple[BoardPlace, ...]]]) -> dict[Pixel, NamedSpot]:
    """The pixels that the logs of a module have asked for while its boards lay so, to be gone on with: counters stand in the middle of
    their hexes in the next log too."""
    return {}


@lru_cache(maxsize=64)
def _laid(on: Same[Map], boards: tuple[BoardPlace, ...] | None) -> Sequence[tuple[Board, int, int, bool]]:
    """A map's boards laid out."""
    return on.it.placed(boards)


# ------------------------------------------------------------------------------------------- learned from the log


def learn_places(guess: GuessedMap, places: Places, log: LogFile, pieces: Iterable[LivePiece]) -> None:
    """Names of pixels, from ``Old...`` properties in states and from reports of moves."""
    for command in log.start.commands:
        _learn_states(guess, command.command if type(command) is Log else command)
    for step in log.steps:
        for command in step.commands:
            _learn_states(guess, command)
    for step in log.steps:
        _learn_report(guess, places, step.commands)
    for live in pieces:
        if live.may_have("sendto;"):
            _hint(guess, live)
    guess.settle()


def learn_setups(guess: GuessedMap, places: Places, box: Box, counters: Sequence[tuple[str, Pixel]]) -> None:
    """A file that names no place, but where the counters stand as in a set-up: their pixels are those hexes. ``counters``: (piece, pixel)
    as the file begins."""
    rows = box.tables.get("setups", ())
    where = {(row.text("setup"), row.text("piece")): row.text("place") for row in rows if row.values.get("place")}
    for setup in sorted({setup for setup, _ in where}):
        pairs: dict[str, list[tuple[int, int, str]]] = {}
        for piece, (map_name, x, y) in counters:
            hex_name = where.get((setup, piece), "")
            if map_name and hex_name in places.hexes:
                pairs.setdefault(map_name, []).append((x, y, hex_name))
        for map_name, found in sorted(pairs.items()):
            guess.suppose(map_name, found)


def _hint(guess: GuessedMap, live: LivePiece) -> None:
    """A piece that a send-to trait has sent away lies where the trait sends to, unless it was moved on since."""
    for trait in live.piece().traits:
        if trait.id == "sendto" and trait.state.strip(";"):
            guess.hint(*live.place, trait.field("zone") or trait.field("region"))


def _learn_states(guess: GuessedMap, command: Command) -> None:
    if type(command) is ChangePiece:
        _learn_state(guess, command.new)
        _learn_state(guess, command.old or "")
    elif type(command) is AddPiece:
        _learn_state(guess, command.state)


def _learn_state(guess: GuessedMap, state: str) -> None:
    if "OldLocationName;" not in state:
        return
    words = sequence.decode(state.rpartition("\t")[2], ";")
    props = dict(zip(words[5::2], words[6::2], strict=False))
    try:
        guess.learn(props["OldMap"], int(props["OldX"]), int(props["OldY"]), props["OldLocationName"])
    except (KeyError, ValueError):
        return


def _learn_report(guess: GuessedMap, places: Places, commands: Sequence[Command]) -> None:
    """One drag, one report: its last two places are where the pieces came from and went to; a send-to names only the last."""
    kinds = set(map(type, commands))
    if MovePiece not in kinds or Chat not in kinds or Undo in kinds:
        return
    moves = [c for c in commands if type(c) is MovePiece]
    ends = {(c.map, c.x, c.y) for c in moves}
    begins = {(c.old_map, c.old_x, c.old_y) for c in moves}
    reports = [c.text for c in commands if type(c) is Chat and c.text.startswith("*")]
    if len(ends) != 1 or len(reports) != 1 or len({c.id for c in moves}) != len(moves):
        return
    named = places.mentions(reports[0])
    if not named:
        return
    guess.learn(*next(iter(ends)), named[-1][2])
    if len(named) >= 2 and len(begins) == 1 and next(iter(begins))[0]:
        guess.learn(*next(iter(begins)), named[-2][2])
