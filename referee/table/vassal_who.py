"""Who the counters of a VASSAL log are: by the marker of our own modules, by a mapping, else adopted on the fly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from gamebox.model import Box
from modgen.formats.errors import FormatError
from modgen.formats.vassal.buildfile import Module
from modgen.formats.vassal.commands import AddPiece, ChangePiece, Command, Log, MovePiece, RemovePiece
from modgen.formats.vassal.pieces import Piece
from modgen.formats.vassal.replay import Game, LivePiece
from modgen.formats.vassal.saves import LogFile
from referee.table.adopt import LIKELY, MAX_FOREIGN, UNIT_MARKER, Match, PieceMap, foreign_of_piece, foreigns_of_module, match
from referee.table.notes import Notes
from referee.table.places import Places
from referee.table.same import Same
from referee.table.vassal_places import Ground, Pixel, places_of

MARKER_MARKER: Final = "MarkerId"
"""The marker of our modules that says what kind of marker a piece is."""
MAX_PIECES: Final = 20_000
"""More pieces than this in one file are refused."""
_SHORT_TYPE: Final = 1 << 14
"""A type of fewer characters cannot hold more traits than any piece has."""

_TOUCH: Final[frozenset[type]] = frozenset((ChangePiece, Log, MovePiece, RemovePiece))
"""Commands after which a counter may not be what it came in as."""

Known = tuple[str, str, str]
"""Who a counter is: (piece id, "", ""), or ("", what it is called, the kind of marker that it is) for what is none of the game's."""
_Open = tuple[LivePiece, str, str]
"""A counter that does not say itself which piece it is: itself as it came into the game, its name, its slot."""


@lru_cache(maxsize=4)
def _ids(box: Same[Box]) -> frozenset[str]:
    return frozenset([piece.id for piece in box.it.pieces])


def _draft(module: Module, box: Box, places: Places) -> PieceMap:
    return PieceMap(match(foreigns_of_module(module, places)[:MAX_FOREIGN], box))


@lru_cache(maxsize=4)
def _drafted(module: Same[Module], box: Same[Box]) -> PieceMap:
    """Which counter of a module is which piece, worked out once for all logs that are read with it."""
    return _draft(module.it, box.it, places_of(box))


class Counters:
    """The counters of one log. Use ``gather``, then ``identify``; then ``known`` tells each by its id in the client."""

    def __init__(self, log: LogFile, box: Box, game: Game, notes: Notes) -> None:
        self._log = log
        self._box = box
        self._game = game
        self._notes = notes
        self._ids = _ids(Same(box))
        self._open: list[_Open] = []
        self._marked = False
        """Whether any counter has the marker of our modules at all."""
        self.known: dict[str, Known] = {}
        self.names: dict[str, str] = {}
        """Id in the client -> what the counter is called, those deleted later too."""
        self.unsure: frozenset[str] = frozenset()
        """Pieces of the game that a counter was taken for without certainty."""

    def gather(self, later: Iterable[Command], mapping: PieceMap | None) -> None:
        """Every piece of the start, then every one that comes in ``later``. Raises FormatError for more than any game has."""
        names, ids = self.names, self._ids
        lives = self._came_in(later)
        crowd = len(lives) > MAX_PIECES
        for live in lives:
            piece_id, kind = live.id, live.type
            says = live.may_have(UNIT_MARKER)
            if says:
                self._marked = True
            if piece_id in names:
                continue
            if crowd and len(names) >= MAX_PIECES:
                raise FormatError(self._log.where, f"holds more than {MAX_PIECES} pieces; no game of ours has so many")
            try:
                name, gpid = live.name_and_gpid
                own = live.markers().get(UNIT_MARKER, "") if says or len(kind) >= _SHORT_TYPE else ""
            except ValueError as error:
                self._notes.add(f"a piece could not be read: {error}")
                continue
            names[piece_id] = name
            if own and own in ids:
                self.known[piece_id] = own, "", ""
                continue
            found = mapping.find(gpid, name, live.markers().items()) if mapping is not None else None
            if found is None:
                self._open.append((live, name, gpid))
            else:
                self.known[piece_id] = (found.piece, "", "") if found.piece else ("", name, "")

    def _came_in(self, later: Iterable[Command]) -> list[LivePiece]:
        """The counters as they came into the game, in order."""
        start, game = self._log.start.commands, self._game
        kinds = list(map(type, start))
        if _TOUCH.isdisjoint(kinds) and kinds.count(AddPiece) == len(game.pieces) + len(game.holders):
            found = list(game.pieces.values())  # a position as clients write it: each comes in once, and then nothing touches it
            start = ()
        else:
            found = []
        for command in (*start, *later):
            if type(command) is AddPiece and not command.is_stack and not command.is_deck:
                live = game.pieces.get(command.id)
                if live is None or not live.is_as_added(command.type, command.state):
                    live = LivePiece(command.id, command.type, command.state)
                found.append(live)
        return found

    def identify(self, module: Module | None, mapping: PieceMap | None, ground: Ground) -> None:
        """Finds out who the others are. In a log of our own module they are none of the game's pieces."""
        if self._open and (mapping is not None or not any([piece for piece, _, _ in self.known.values()])):
            self._adopt(module, mapping, ground)
        known = self.known
        for live, name, _ in self._open:
            if live.id not in known:
                known[live.id] = "", name or "a piece", live.markers().get(MARKER_MARKER, "")
        self._one_each()

    def _adopt(self, module: Module | None, mapping: PieceMap | None, ground: Ground) -> None:
        if module is None:
            drafted = PieceMap(self._match_table([live.piece() for live, _, _ in self._open], ground))
        elif mapping is None:
            drafted = _drafted(Same(module), Same(self._box))
        else:
            drafted = _draft(module, self._box, ground.places)
        unsure: dict[str, str] = {}
        known, slots = self.known, drafted.slots
        for live, name, gpid in self._open:
            found = slots.get((name, gpid)) or drafted.find(gpid, name, live.markers().items())
            if found is not None and found.piece:
                known[live.id] = found.piece, "", ""
                if found.sure < LIKELY:
                    unsure[live.id] = f"{name} = {found.piece} ({found.sure} %)"
        if unsure:
            self._notes.add("pieces matched without certainty (give a mapping to be sure): " + "; ".join(sorted(unsure.values())))
            self.unsure = frozenset([known[id_][0] for id_ in unsure])

    def _match_table(self, open_ones: Sequence[Piece], ground: Ground) -> tuple[Match, ...]:
        """Counters as the log shows them: those on the table at the start are different ones, later ones may be the same again."""
        at_start = {c.id for c in self._log.start.commands if type(c) is AddPiece and not c.is_stack and not c.is_deck}
        foreigns = []
        seen: set[tuple[str, tuple[tuple[str, str], ...]]] = set()
        for piece in open_ones:
            place = ""
            if piece.id in at_start and piece.basic.map:
                _, spot = ground.look((piece.basic.map, piece.basic.x, piece.basic.y))
                place = spot.name if spot.known else ""
            foreign = foreign_of_piece(piece, place)
            kind = (foreign.name, foreign.marks)
            if piece.id in at_start or kind not in seen:
                foreigns.append(foreign)
            seen.add(kind)
        return match(foreigns[:MAX_FOREIGN], self._box)

    def _one_each(self) -> None:
        """Of several counters at the start that pass for one piece, the first on a map stands; the others become labels."""
        pieces = self._game.pieces
        passing = [(who[0], piece_id) for piece_id in pieces if (who := self.known.get(piece_id)) is not None and who[0]]
        if len(dict(passing)) == len(passing):
            return
        holders: dict[str, str] = {}
        for piece, piece_id in passing:
            before = holders.get(piece)
            if before is None:
                holders[piece] = piece_id
                continue
            loser = before if not pieces[before].basic.map and pieces[piece_id].basic.map else piece_id
            holders[piece] = piece_id if loser == before else before
            name = pieces[loser].basic.name
            self.known[loser] = "", name, ""
            self._notes.add(f"two counters stand for {piece} at the start; {name} is taken for another")

    def who(self, piece_id: str) -> Known:
        """Who a counter is, those too that could not be read or never came into the game."""
        found = self.known.get(piece_id)
        if found is None:
            live = self._game.pieces.get(piece_id)
            found = "", live.basic.name if live is not None else "a piece", ""
        return found

    def placed(self) -> list[tuple[str, Pixel]]:
        """(piece id, "" for none of the game's; where it lies) of every counter on the table that is known."""
        pieces = self._game.pieces.items()
        return [(who[0], live.place) for piece_id, live in pieces if (who := self.known.get(piece_id)) is not None]

    def labels(self) -> dict[str, str]:
        """Piece id -> what the client's counter is called."""
        known, names = self.known, self.names
        return {known[piece_id][0]: names.get(piece_id, "") for piece_id in sorted(known) if known[piece_id][0]}

    def ours(self) -> bool:
        """Whether the module is one of ours: then a counter that is on the table now says which piece it is."""
        if self._marked:
            for live in self._game.pieces.values():
                if live.may_have(UNIT_MARKER) and live.markers().get(UNIT_MARKER, "") in self._ids:
                    return True
        return False
