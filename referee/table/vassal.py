"""VASSAL saves and logs -> table events.

A piece is known by the marker of our own modules, else by a mapping, else it is adopted on the fly from its name, strengths and
place. A place is known by the module's grid, else by a grid fitted to what the log itself says about places.

Players' ids are their passwords: they serve to tell players apart here and go nowhere else.
"""

from __future__ import annotations

import csv
import hashlib
import html
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from msgspec.structs import replace

from gamebox.load import data_root
from gamebox.model import Box
from gamebox.tabletalk import Talk, TalkError
from gamebox.tabletalk import decode as parse_talk
from gamebox.value import Value
from modgen.formats.errors import FormatError
from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal import sequence
from modgen.formats.vassal.archive import read_archive
from modgen.formats.vassal.buildfile import Map, Module, read_module
from modgen.formats.vassal.pieces import Piece, Trait, layer, level_of
from modgen.formats.vassal.replay import Game, LivePiece
from modgen.formats.vassal.saves import MODULE_DATA, SAVED_GAME, LogFile, Step, read_log, read_metadata
from modgen.formats.vassal.traits import TRAITS
from modgen.formats.vassal.turns import Level, LevelState, Shown, Tracker, TrackerState, parse_state, shown
from referee.table.adopt import LIKELY, MAX_FOREIGN, UNIT_MARKER, Match, PieceMap, foreign_of_piece, foreigns_of_module, match
from referee.table.events import NOWHERE, EventKind, Spot, Table, TableEvent, TableLog
from referee.table.places import GuessedMap, Places, Where

T = TypeVar("T")

TALK_PROPERTY = "Talk"
"""The global property that carries the table talk of our modules; its running number stands in ``TalkN``."""

_HASH = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
_TYPED = re.compile(r"(?:&lt;|<)(?P<who>.*?)(?:&gt;|>)\s?- ?(?P<words>.*)", re.DOTALL)
_DIE = re.compile(r"\*+\s*(?P<die>.+?)\s*=\s*(?P<result>.+?)\s*\*+\s*(?:&lt;|<)(?P<who>.*?)(?:&gt;|>)\s*", re.DOTALL)
_STAR = re.compile(r"^\*\s?")
_UNDO_LINE = re.compile(r"\*?\s*UNDO:\s?")
_SUMMARY = re.compile(r"(-?\d+) x(\d+)")
MARKER_MARKER = "MarkerId"
"""The marker of our modules that says what kind of marker a piece is."""
SCENARIO_PROPERTY = "RefScenario"
"""The property in which our modules keep the scenario that is set up."""
_FROZEN, _FROZEN_TRACKER = "frozen.csv", "turn tracker"
"""The table beside a game's data with what its released modules may not change any more, and what the rows of a turn tracker begin
with."""
_GAME_WORD = "game "
"""What the first free field of our modules begins with; the game's id follows."""
_DIE_SIGNS = ("_total", "_keep", "_summary")
_DIE_OWN = ("_result", *_DIE_SIGNS)
_OBSERVER = "<observer>"
_WORD_OF = re.compile(r"[A-Za-z_]{1,24}(?=\t)")
_MOST_NOTES = 200
MAX_PIECES = 20_000
"""More pieces than this in one file are refused."""


def read_vassal(path: Path, box: Box, *, module: Path | None = None, mapping: PieceMap | None = None) -> TableLog:
    """Read a save or log. ``module`` is the .vmod it was played with, ``mapping`` what ``adopt`` drafted and a person corrected.

    Raises FormatError when a file is not what it should be; whatever is broken or unknown inside becomes a note.
    """
    return read_parts(path, box, module=module_at(module) if module is not None else None, mapping=mapping)[0]


def read_parts(
    source: Path | bytes, box: Box, *, name: str | None = None, module: Module | None = None, mapping: PieceMap | None = None
) -> tuple[TableLog, ...]:
    """The same, with a table log for every position that the file loads: one, unless files were joined. Steps are numbered on.

    ``name``: what errors and logs call bytes. Raises FormatError as ``read_vassal`` does.
    """
    log = read_whole(source, name if isinstance(source, bytes) else None)
    return tuple(_Reader(part, box, module, mapping).read() for part in (log, *log.loads))


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
        with path.open("rb") as file:
            content = hashlib.file_digest(file, "blake2b").digest()
    except OSError:
        return read_module(path)  # it says what is wrong
    return _kept_module(path, content)


@lru_cache(maxsize=4)
def _kept_module(path: Path, content: bytes) -> Module:
    return read_module(path)


def read_vassal_bytes(data: bytes, name: str, box: Box, *, module: Module | None = None, mapping: PieceMap | None = None) -> TableLog:
    """The same from bytes; ``name`` stands for the path. Raises FormatError as ``read_vassal`` does."""
    return read_parts(data, box, name=name, module=module, mapping=mapping)[0]


class _Known(Value, frozen=True):
    """Who a piece is: a piece id, or a label for what is none of the game's."""

    piece: str
    label: str
    marker: str = ""


_NOBODY = _Known("", "")
_NO_PLACE = Where("")


class _Added(NamedTuple):
    """A piece as it came into the game, as far as it takes to know who it is."""

    live: LivePiece
    name: str
    gpid: str
    markers: Mapping[str, str]

    @property
    def id(self) -> str:
        return self.live.id


class _StepEvents:
    """What one step is being read into."""

    __slots__ = ("events", "number", "players", "reports", "routes", "turned", "undoing", "undone_commands")

    def __init__(self, number: int) -> None:
        self.number = number
        self.events: list[TableEvent] = []
        self.undoing = False
        self.undone_commands: list[cmd.Command] = []
        self.players: set[tuple[str, str]] = set()
        self.reports: list[tuple[int, str]] = []
        """(position among the events, text) of the engine's own chat lines."""
        self.routes: list[tuple[str, str]] = []
        """(from, to) of every move, in the client's words."""
        self.turned = False


class _Reader:
    def __init__(self, log: LogFile, box: Box, module: Module | None, mapping: PieceMap | None) -> None:
        self.log = log
        self.box = box
        self.module = module
        self.mapping = mapping
        self.places = Places(box, mapping.places) if mapping else _places(Same(box))
        self.notes: list[str] = list(log.start.notes)
        self.game = Game()
        self.known: dict[str, _Known] = {}
        self.names: dict[str, str] = {}
        """Engine id -> what the counter is called, those deleted later too."""
        self.locator: _ModuleMaps | GuessedMap = GuessedMap(box, self.places)
        self.trackers = _Trackers(module)
        self.seats: dict[str, str] = {}
        self.events: list[TableEvent] = []
        self.signatures: dict[int, frozenset[str]] = {}
        self.undone: set[int] = set()
        self.undoes: dict[int, int] = {}
        self.spots: dict[tuple[str, int, int], tuple[str, Spot]] = {}
        """Pixel -> its name in the client's words, and the place in the game's."""
        self.waiting: set[str] = set()
        """Pieces that came into the game on no map: they are placed by the move that follows."""
        self.dice: frozenset[str] = frozenset(die.name for die in module.dice) if module else frozenset()

    # ------------------------------------------------------------------------------------------ the whole

    def read(self) -> TableLog:
        log = self.log
        start = log.start
        self._check_module()
        self.game.run(start.commands)
        self.game.boards |= start.boards
        added = self._added()
        self.names = {piece.id: piece.name for piece in added}
        if self.module is not None:
            self.locator = _ModuleMaps(self.module, self.game)
        else:
            self._learn_places()
        self._identify(added)
        if isinstance(self.locator, GuessedMap):
            self._learn_setups(self.locator)
        self.trackers.learn(log, self.box)
        self._bad_commands(start.commands, "the start")
        self._roster()
        table = self._table()
        self.trackers.begin(self.game.turns)
        for step in log.steps:
            self._step(step)
        if log.stray:
            self._note(f"{len(log.stray)} commands after the start belong to no step; they were not read")
        for tracker_note in self.trackers.notes:
            self._note(tracker_note)
        ours, data_hash = self._ours()
        module_name = start.module.name if start.module else ""
        version = start.metadata.version if start.metadata else start.module.version if start.module else ""
        engine = start.metadata.vassal_version if start.metadata else ""
        return TableLog(
            path=log.where,
            client=f"VASSAL {engine}".strip(),
            module=module_name or (self.module.name if self.module else ""),
            module_version=version,
            steps=log.before + len(log.steps),
            start=table,
            events=tuple([replace(e, undone=True) if e.step in self.undone else e for e in self.events] if self.undone else self.events),
            seats=self.seats,
            notes=tuple(self.notes),
            labels={known.piece: self._label(piece_id) for piece_id, known in sorted(self.known.items()) if known.piece},
            ours=ours,
            scenario=self._set_up() if ours else "",
            data_hash=data_hash,
        )

    def _set_up(self) -> str:
        """The scenario that a set-up of ours says it is."""
        return next((value for (_, name), value in self.log.start.properties.items() if name == SCENARIO_PROPERTY), "")

    def _label(self, piece_id: str) -> str:
        return self.names.get(piece_id, "")

    def _note(self, text: str) -> None:
        if len(self.notes) < _MOST_NOTES:
            self.notes.append(text)
        elif len(self.notes) == _MOST_NOTES:
            self.notes.append("there are more notes; they were left out")

    def _check_module(self) -> None:
        theirs = self.log.start.module
        if self.module is None or theirs is None:
            return
        if theirs.name and theirs.name != self.module.name:
            self._note(f"the log was played with the module {theirs.name}; the module given is {self.module.name}")
        elif theirs.version and theirs.version != self.module.version:
            self._note(f"the log was played with version {theirs.version} of the module; the one given is {self.module.version}")

    def _ours(self) -> tuple[bool, str]:
        ids = {piece.id for piece in self.box.pieces}
        ours = any(isinstance(kind, LivePiece) and self._marked(kind) in ids for kind in self.game.pieces.values())
        module = self.log.start.module
        texts = [*self.log.start.properties.values(), *((module.extra1, module.extra2, module.description) if module else ())]
        found = next((hit[0] for text in texts if (hit := _HASH.search(text))), "") if ours else ""
        return ours, found

    @staticmethod
    def _marked(live: LivePiece) -> str:
        return live.markers().get(UNIT_MARKER, "") if UNIT_MARKER in live.type else ""

    def _bad_commands(self, commands: Iterable[cmd.Command], where: str) -> None:
        for command in commands:
            if isinstance(command, cmd.Unknown):
                word = _WORD_OF.match(command.text)
                # Only its first word: the rest might be anyone's secret.
                self._note(f"{where}: {command.why}" + (f" {word[0]}" if word and command.why == "unknown command" else ""))

    # ----------------------------------------------------------------------------------------- who is who

    def _added(self) -> list[_Added]:
        """Every piece of the start, then every one that comes in later."""
        found: dict[str, _Added] = {}
        later = [c for step in self.log.steps for c in step.commands if type(c) is cmd.AddPiece]
        for command in (*self.log.start.commands, *later):
            if isinstance(command, cmd.AddPiece) and not command.is_stack and not command.is_deck and command.id not in found:
                if len(found) >= MAX_PIECES:
                    raise FormatError(self.log.where, f"holds more than {MAX_PIECES} pieces; no game of ours has so many")
                live = self.game.pieces.get(command.id)
                try:
                    if live is None or not live.is_as_added(command.type, command.state):
                        live = LivePiece(command.id, command.type, command.state)
                    found[command.id] = _Added(live, *live.name_and_gpid, live.markers())
                except ValueError as error:
                    self._note(f"a piece could not be read: {error}")
        return list(found.values())

    def _identify(self, added: Sequence[_Added]) -> None:
        ids = {piece.id for piece in self.box.pieces}
        open_ones: list[_Added] = []
        for piece in added:
            own = piece.markers.get(UNIT_MARKER, "")
            if own in ids:
                self.known[piece.id] = _Known(own, "")
                continue
            found = self.mapping.find(piece.gpid, piece.name, piece.markers.items()) if self.mapping else None
            if found is not None:
                self.known[piece.id] = _Known(found.piece, "" if found.piece else piece.name)
            else:
                open_ones.append(piece)
        own_module = any(known.piece for known in self.known.values()) and self.mapping is None
        if open_ones and not own_module:
            self._adopt(open_ones)
        for piece in open_ones:
            self.known.setdefault(piece.id, _Known("", piece.name or "a piece", piece.markers.get(MARKER_MARKER, "")))
        self._one_each()

    def _adopt(self, open_ones: Sequence[_Added]) -> None:
        if self.module is not None:
            drafted = _drafted(Same(self.module), Same(self.box)) if self.mapping is None else _draft(self.module, self.box, self.places)
        else:
            drafted = PieceMap(self._match_table([piece.live.piece() for piece in open_ones]))
        unsure: list[str] = []
        for piece in open_ones:
            found = drafted.find(piece.gpid, piece.name, piece.markers.items())
            if found is not None and found.piece:
                self.known[piece.id] = _Known(found.piece, "")
                if found.sure < LIKELY:
                    unsure.append(f"{piece.name} = {found.piece} ({found.sure} %)")
        if unsure:
            self._note("pieces matched without certainty (give a mapping to be sure): " + "; ".join(sorted(unsure)))

    def _match_table(self, open_ones: Sequence[Piece]) -> tuple[Match, ...]:
        """Counters as the log shows them: those on the table at the start are different ones, later ones may be the same again."""
        at_start = set(self.log.start.pieces)
        foreigns = []
        seen: set[tuple[str, tuple[tuple[str, str], ...]]] = set()
        for piece in open_ones:
            place = ""
            if piece.id in at_start and piece.basic.map:
                spot = self._spot(piece.basic.map, piece.basic.x, piece.basic.y)
                place = spot.name if spot.known else ""
            foreign = foreign_of_piece(piece, place)
            kind = (foreign.name, foreign.marks)
            if piece.id in at_start or kind not in seen:
                foreigns.append(foreign)
            seen.add(kind)
        return match(foreigns[:MAX_FOREIGN], self.box)

    def _one_each(self) -> None:
        """Of several counters at the start that pass for one piece, the first on a map stands; the others become labels."""
        holders: dict[str, str] = {}
        for piece_id, live in self.game.pieces.items():
            known = self.known.get(piece_id)
            if known is None or not known.piece:
                continue
            before = holders.get(known.piece)
            if before is None:
                holders[known.piece] = piece_id
                continue
            other = self.game.pieces[before]
            loser = before if not other.basic.map and live.basic.map else piece_id
            holders[known.piece] = piece_id if loser == before else before
            self.known[loser] = _Known("", self.game.pieces[loser].basic.name)
            self._note(f"two counters stand for {known.piece} at the start; {self.game.pieces[loser].basic.name} is taken for another")

    # -------------------------------------------------------------------------------------------- places

    def _spot(self, map_name: str, x: int, y: int) -> Spot:
        if not map_name:
            return NOWHERE
        return self.places.spot(self.locator.where(map_name, x, y))

    def _named_spot(self, map_name: str, x: int, y: int) -> tuple[str, Spot]:
        """What the client calls a pixel, and where that is in the game's words; asked once a pixel while the steps are read."""
        key = (map_name, x, y)
        found = self.spots.get(key)
        if found is None:
            where = self.locator.where(map_name, x, y) if map_name else _NO_PLACE
            found = self.spots[key] = (where.name, self.places.spot(where) if map_name else NOWHERE)
        return found

    def _learn_places(self) -> None:
        """Names of pixels, from ``Old...`` properties in states and from reports of moves."""
        guess = self.locator
        assert isinstance(guess, GuessedMap)
        for _, text in (*self.log.start.tokens, *(token for step in self.log.steps for token in step.tokens)):
            if "OldLocationName;" in text:
                self._learn_state(guess, text)
        for step in self.log.steps:
            self._learn_report(guess, step.commands)
        for live in self.game.pieces.values():
            if "sendto;" in live.type:
                self._hint(guess, live)
        guess.settle()

    def _learn_setups(self, guess: GuessedMap) -> None:
        """A file that names no place, but where the counters stand as in a set-up: their pixels are those hexes."""
        rows = self.box.tables.get("setups", ())
        where = {(row.text("setup"), row.text("piece")): row.text("place") for row in rows if row.values.get("place")}
        for setup in sorted({setup for setup, _ in where}):
            pairs: dict[str, list[tuple[int, int, str]]] = {}
            for piece_id, live in self.game.pieces.items():
                known = self.known.get(piece_id)
                hex_name = where.get((setup, known.piece), "") if known is not None else ""
                if live.basic.map and hex_name in self.places.hexes:
                    pairs.setdefault(live.basic.map, []).append((live.basic.x, live.basic.y, hex_name))
            for map_name, found in sorted(pairs.items()):
                guess.suppose(map_name, found)

    @staticmethod
    def _hint(guess: GuessedMap, live: LivePiece) -> None:
        """A piece that a send-to trait has sent away lies where the trait sends to, unless it was moved on since."""
        for trait in live.piece().traits:
            if trait.id == "sendto" and trait.state.strip(";"):
                guess.hint(*live.place, trait.field("zone") or trait.field("region"))

    @staticmethod
    def _learn_state(guess: GuessedMap, text: str) -> None:
        command = cmd.parse_command(text.removeprefix("LOG\t"))
        states = (
            (command.new, command.old or "")
            if isinstance(command, cmd.ChangePiece)
            else (command.state,)
            if isinstance(command, cmd.AddPiece)
            else ()
        )
        for state in states:
            words = sequence.decode(state.rpartition("\t")[2], ";")
            props = dict(zip(words[5::2], words[6::2], strict=False))
            try:
                guess.learn(props["OldMap"], int(props["OldX"]), int(props["OldY"]), props["OldLocationName"])
            except (KeyError, ValueError):
                continue

    def _learn_report(self, guess: GuessedMap, commands: Sequence[cmd.Command]) -> None:
        """One drag, one report: its last two places are where the pieces came from and went to; a send-to names only the last."""
        moves = [c for c in commands if isinstance(c, cmd.MovePiece)]
        if not moves or any(isinstance(c, cmd.Undo) for c in commands):
            return
        ends = {(c.map, c.x, c.y) for c in moves}
        begins = {(c.old_map, c.old_x, c.old_y) for c in moves}
        reports = [c.text for c in commands if isinstance(c, cmd.Chat) and c.text.startswith("*")]
        if len(ends) != 1 or len(reports) != 1 or len({c.id for c in moves}) != len(moves):
            return
        named = self.places.mentions(reports[0])
        if not named:
            return
        guess.learn(*next(iter(ends)), named[-1][2])
        if len(named) >= 2 and len(begins) == 1 and next(iter(begins))[0]:
            guess.learn(*next(iter(begins)), named[-2][2])

    # ------------------------------------------------------------------------------------- start of the log

    def _roster(self) -> None:
        for name, side in self.game.players.values():
            self.seats[name] = "" if side == _OBSERVER else side

    def _table(self) -> Table:
        at: dict[str, Spot] = {}
        markers: list[tuple[str, Spot]] = []
        marked: list[tuple[str, Spot]] = []
        flipped: set[str] = set()
        for piece_id, live in self.game.pieces.items():
            known = self.known.get(piece_id) or _Known("", live.basic.name)
            spot = self._spot(*live.place)
            if not known.piece:
                markers.append((known.label, spot))
                if known.marker:
                    marked.append((known.marker, spot))
                continue
            at[known.piece] = spot
            if "emb2;" in live.type and self._is_flipped(live):
                flipped.add(known.piece)
        now = self.trackers.show(self.game.turns)
        by_name = sorted(markers, key=lambda marker: (marker[0], marker[1].name))
        return Table(dict(sorted(at.items())), now.turn, now.phase, frozenset(flipped), tuple(by_name), tuple(sorted(marked, key=str)))

    @staticmethod
    def _is_flipped(live: LivePiece) -> bool:
        raised = (layer(Trait(kind, state)) for kind, state in zip(*live.some("emb2;"), strict=True) if level_of(state)[0] > 1)
        return any(found.active and found.images and not found.follows for found in raised)

    # ---------------------------------------------------------------------------------------------- steps

    def _step(self, step: Step) -> None:
        out = _StepEvents(step.number)
        commands = step.commands
        kinds = set(map(type, commands))
        if cmd.Unknown in kinds:
            self._bad_commands(commands, f"step {step.number}")
        rolls = _rolls(commands, self.dice) if cmd.Chat in kinds or cmd.PropertyChange in kinds else {}
        if rolls or cmd.Undo in kinds:
            self._with_rolls(out, commands, rolls)
        else:
            for command in commands:
                self._command(out, command, rolls)
        if cmd.Undo in kinds:
            self._undo(step, out)
        elif out.reports:
            self._keep_reports(out)
        self._sign(out)
        self.events += out.events

    def _with_rolls(self, out: _StepEvents, commands: Sequence[cmd.Command], rolls: Mapping[int, _Roll]) -> None:
        """The commands of a step in which dice are rolled or something is undone."""
        for index, command in enumerate(commands):
            if isinstance(command, cmd.Undo):
                out.undoing = command.begins
                continue
            if out.undoing:
                out.undone_commands.append(command)
                self._apply_quietly(command)
                continue
            if index in rolls:
                self._roll(out, rolls[index])
                if isinstance(command, cmd.PropertyChange):
                    self.game.apply(command)
                continue
            self._command(out, command, rolls)

    def _apply_quietly(self, command: cmd.Command) -> None:
        self.game.apply(command)
        if isinstance(command, cmd.Player | cmd.PlayerLeaves):
            self._roster()
        if isinstance(command, cmd.Turn):
            self.trackers.begin(self.game.turns)

    def _emit(self, out: _StepEvents, kind: EventKind, known: _Known | None = None, **fields: object) -> None:
        who = known or _NOBODY
        out.events.append(TableEvent(out.number, kind, piece=who.piece, label=who.label, marker=who.marker, **fields))  # type: ignore[arg-type]

    def _who(self, piece_id: str) -> _Known:
        live = self.game.pieces.get(piece_id)
        return self.known.get(piece_id) or _Known("", live.basic.name if live else "a piece")

    def _command(self, out: _StepEvents, command: cmd.Command, rolls: Mapping[int, _Roll]) -> None:
        match command:
            case cmd.Null():
                pass  # a third of a log
            case cmd.Chat():
                self._chat(out, command.text)
            case cmd.MovePiece():
                self._move(out, command)
            case cmd.ChangePiece():
                self._changed(out, command)
            case cmd.AddPiece():
                self.game.apply(command)
                self._placed(out, command)
            case cmd.RemovePiece():
                live = self.game.pieces.get(command.id)
                if live is not None:
                    spot = self._spot(*live.place)
                    self._emit(out, "remove", self._who(command.id), frm=spot)
                self.game.apply(command)
            case cmd.PropertyChange():
                self.game.apply(command)
                self._property(out, command, rolls)
            case cmd.Turn():
                self.game.apply(command)
                self._turn(out)
            case cmd.Player() | cmd.PlayerLeaves():
                self.game.apply(command)
                self._roster()
            case _:
                self.game.apply(command)

    def _mover(self, out: _StepEvents, player_id: str) -> tuple[str, str]:
        name, side = self.game.players.get(player_id, ("", ""))
        seat = "" if side == _OBSERVER else side
        if name:
            out.players.add((name, seat))
        return name, seat

    def _move(self, out: _StepEvents, command: cmd.MovePiece) -> None:
        known = self._who(command.id)
        moved = command.id in self.game.pieces
        name, seat = self._mover(out, command.player)
        old, frm = self._named_spot(command.old_map, command.old_x, command.old_y)
        new, to = self._named_spot(command.map, command.x, command.y)
        self.game.apply(command)
        if not moved:
            if command.id not in self.game.stacks:
                self._note(f"step {out.number}: a piece that is not on the table is moved")
            return
        out.routes.append((old, new))
        if command.id in self.waiting and command.map:
            self.waiting.discard(command.id)
            self._emit(out, "place", known, player=name, seat=seat, to=to)
        else:
            who, label, marker = known.piece, known.label, known.marker
            out.events.append(
                TableEvent(out.number, "move", player=name, seat=seat, piece=who, label=label, marker=marker, frm=frm, to=to)
            )

    def _placed(self, out: _StepEvents, command: cmd.AddPiece) -> None:
        live = self.game.pieces.get(command.id)
        if command.is_stack or command.is_deck or live is None:
            return
        if not live.basic.map:
            self.waiting.add(command.id)
            return
        name, spot = self._named_spot(*live.place)
        out.routes.append(("", name))
        self._emit(out, "place", self._who(command.id), to=spot)

    def _changed(self, out: _StepEvents, command: cmd.ChangePiece) -> None:
        live = self.game.pieces.get(command.id)
        try:
            before = live.place if live is not None else None
            changes = self.game.apply(command)
        except ValueError as error:
            self._note(f"step {out.number}: a changed piece could not be read: {error}")
            return
        if live is None:
            if command.id not in self.game.stacks and command.id not in self.game.decks:
                self._note(f"step {out.number}: a piece that is not on the table is changed")
            return
        known = self._who(command.id)
        for kind, was, now in changes:
            if not kind.startswith("piece;"):
                self._trait(out, known, kind, was, now)
        if before is not None and live.place != before:
            # A state can carry a place too, when the client sets one whole.
            self._emit(out, "move", known, frm=self._spot(*before), to=self._spot(*live.place))

    def _trait(self, out: _StepEvents, known: _Known, kind: str, was: str, now: str) -> None:
        name = kind.partition(";")[0]
        if name == "emb2":
            (a, on_a), (b, on_b) = level_of(was), level_of(now)
            up_before, up_now = on_a and a > 1, on_b and b > 1
            if up_before != up_now and not _follows(kind):
                self._emit(out, "flip", known, value="1" if up_now else "0", text=_field(kind, "name"))
        elif name == "PROP":
            self._emit(out, "property", known, text=_field(kind, "name"), value=now)
        elif name in ("obs", "hide"):
            # The state names its owner, who may be written as a password.
            hidden = not now.startswith("null")
            if hidden == was.startswith("null"):
                self._emit(out, "property", known, text="masked" if name == "obs" else "hidden", value="1" if hidden else "0")

    def _property(self, out: _StepEvents, command: cmd.PropertyChange, rolls: Mapping[int, _Roll]) -> None:
        if command.name == TALK_PROPERTY:
            self._emit(out, "talk", text=command.new)
        elif command.name != TALK_PROPERTY + "N" and not any(roll.owns(command.name) for roll in rolls.values()):
            self._emit(out, "property", text=command.name, value=command.new)

    def _turn(self, out: _StepEvents) -> None:
        before = self.trackers.current
        now = self.trackers.show(self.game.turns)
        self.trackers.current = now
        if before != now:
            out.turned = True
            self._emit(out, "phase", turn=now.turn, phase=now.phase, text=now.text)

    def _roll(self, out: _StepEvents, roll: _Roll) -> None:
        if not roll.first:
            return
        name, seat = self._named(roll.who) if roll.who else ("", "")
        if name:
            out.players.add((name, seat))
        self._emit(out, "roll", player=name, seat=seat, faces=roll.faces, text=roll.text, value=roll.die)

    def _named(self, who: str) -> tuple[str, str]:
        """(name, seat) of a player as chat names him; a module may write more than the name."""
        name = html.unescape(who).strip()
        if name in self.seats:
            return name, self.seats[name]
        inside = sorted((known for known in self.seats if known and known in name), key=len)
        return (inside[-1], self.seats[inside[-1]]) if inside else (name, "")

    def _chat(self, out: _StepEvents, text: str) -> None:
        typed = _TYPED.fullmatch(text)
        if typed:
            name, seat = self._named(typed["who"])
            out.players.add((name, seat))
            self._emit(out, "chat", player=name, seat=seat, text=html.unescape(typed["words"]).strip())
        elif not _UNDO_LINE.match(text):
            out.reports.append((len(out.events), text))

    @staticmethod
    def _sign(out: _StepEvents) -> None:
        """One step is one client's act: who moved in it also flipped, deleted and turned the page."""
        if len(out.players) != 1 or not out.events:
            return
        name, seat = next(iter(out.players))
        for at, e in enumerate(out.events):
            if not e.player and e.kind != "chat":
                out.events[at] = replace(e, player=name, seat=seat)

    def _keep_reports(self, out: _StepEvents) -> None:
        """The engine's own lines, but for those that only say again what an event says."""
        kept = 0
        for at, text in out.reports:
            plain = html.unescape(text)
            if out.turned and plain.startswith("*") and self.trackers.said(plain):
                continue
            if any([_tells_route(plain, route) for route in out.routes]):
                continue
            words = _STAR.sub("", plain).strip()
            if words:
                out.events.insert(at + kept, TableEvent(out.number, "chat", text=words))
                kept += 1

    def _done_in(self, number: int) -> frozenset[str]:
        """What a step did; asked only when something was undone."""
        found = self.signatures.get(number)
        if found is None:
            found = self.signatures[number] = _signature(self.log.steps[number - 1 - self.log.before].commands)
        return found

    def _undo(self, step: Step, out: _StepEvents) -> None:
        """Find the step that these inverse commands take back: the latest one that they mirror, else the latest one left."""
        mirror = _signature(out.undone_commands, inverse=True)
        left = [number for number in range(self.log.before + 1, step.number) if number not in self.undone and number not in self.undoes]
        target = next((number for number in reversed(left) if mirror and mirror == self._done_in(number)), None)
        if target is None:
            target = next((number for number in reversed(left) if mirror & self._done_in(number)), None)
        redone = None
        if target is None:
            standing = [number for number in self.undoes if number not in self.undone]
            redone = next((n for n in reversed(standing) if mirror and mirror == self._done_in(n)), None)
        if redone is not None:
            self.undone.add(redone)
            self.undone.discard(self.undoes[redone])
        elif target is not None or left:
            target = target if target is not None else left[-1]
            self.undone.add(target)
            self.undoes[step.number] = target
        self.signatures[step.number] = _signature(out.undone_commands)
        out.events.append(TableEvent(step.number, "undo", value=str(target or redone or "")))


# ---------------------------------------------------------------------------------------------------- helpers


class Same(Generic[T]):
    """A value that never changes as a key of a cache: it is known by being the very same object, which the cache keeps alive."""

    def __init__(self, it: T) -> None:
        self.it = it

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.it is self.it

    def __hash__(self) -> int:
        return id(self.it)


def _draft(module: Module, box: Box, places: Places) -> PieceMap:
    return PieceMap(match(foreigns_of_module(module, places)[:MAX_FOREIGN], box))


@lru_cache(maxsize=4)
def _drafted(module: Same[Module], box: Same[Box]) -> PieceMap:
    """Which counter of a module is which piece, worked out once for all logs that are read with it."""
    return _draft(module.it, box.it, _places(box))


@lru_cache(maxsize=4)
def _places(box: Same[Box]) -> Places:
    """The places of a game by their own names, for all its logs."""
    return Places(box.it)


class _ModuleMaps:
    """Names pixels by the module's own grids, in the arrangement of boards that the save has."""

    def __init__(self, module: Module, game: Game) -> None:
        self._maps: dict[str, Map] = {found.name: found for found in module.maps}
        self._game = game
        self._seen: dict[tuple[str, int, int], Where] = {}

    def where(self, map_name: str, x: int, y: int) -> Where:
        """The place of a pixel."""
        key = (map_name, x, y)
        found = self._seen.get(key)
        if found is None:
            on = self._maps.get(map_name)
            if on is None:
                found = Where("", "", map_name)
            else:
                found = _pixel(_arranged(Same(on), self._game.boards.get(map_name)), x, y)
            self._seen[key] = found
        return found


class _Arranged:
    """A map with its boards laid out."""

    def __init__(self, on: Map, boards: tuple[cmd.BoardPlace, ...] | None) -> None:
        self.on = on
        self.placed = on.placed(boards)


@lru_cache(maxsize=64)
def _arranged(on: Same[Map], boards: tuple[cmd.BoardPlace, ...] | None) -> _Arranged:
    return _Arranged(on.it, boards)


@lru_cache(maxsize=1 << 13)
def _pixel(there: _Arranged, x: int, y: int) -> Where:
    """The place of a pixel, kept for the next log: counters stand in the middle of their hexes there too."""
    location = there.on.locate_on(there.placed, x, y)
    return Where(location.name, location.zone, there.on.name)


def module_game(source: Path | bytes) -> str:
    """The game of ours that a file says it was played with, by its module's own words; "" when it does not say or cannot be read."""
    try:
        with read_archive(source) as archive:
            if MODULE_DATA not in archive:
                return ""
            words = read_metadata(archive.read(MODULE_DATA), MODULE_DATA).extra1
    except FormatError:
        return ""
    return words.removeprefix(_GAME_WORD) if words.startswith(_GAME_WORD) else ""


def _released_phases(box: Box, log: LogFile) -> tuple[str, ...]:
    """The list of phases of our own module that the log was played with: from the data, where it is kept with the first release and only
    grows at its end. Empty for other modules, and for builds before that release."""
    module = log.start.module
    if module is None or module.extra1 != _GAME_WORD + box.id:
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


class _Trackers:
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
        self.current = Shown("", 0, "")
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
        for step in log.steps:
            self._learn_talk(step)
        state = _state(turns.get(self._id, ""))
        for step in log.steps:
            undoing = False
            reports: list[str] = []
            for command in step.commands:
                if isinstance(command, cmd.Undo):
                    undoing = command.begins
                elif isinstance(command, cmd.Chat) and command.text.startswith("*") and not undoing:
                    reports.append(html.unescape(command.text))
                elif isinstance(command, cmd.Turn) and command.tracker == self._id:
                    new = _state(command.state)
                    if reports and state is not None and new is not None and not undoing:
                        self._learn_pair(reports[-1], state, new)
                    state = new

    def _learn_talk(self, step: Step) -> None:
        """What the table talk of a step calls the phase that begins in it."""
        phase, state, undoing = "", None, False
        for command in step.commands:
            if isinstance(command, cmd.Undo):
                undoing = command.begins
            elif undoing:
                continue
            elif isinstance(command, cmd.Turn) and command.tracker == self._id:
                state = _state(command.state)
            elif isinstance(command, cmd.PropertyChange) and command.name == TALK_PROPERTY:
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
        state = _state(turns.get(self._id, ""))
        if state is None:
            return Shown("", 0, "")
        if self._tracker is not None:
            return shown(self._tracker, state)
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


@dataclass(frozen=True, slots=True)
class _Roll:
    """One die roll of a step. ``first`` marks the command at which it is told; the others are only passed over."""

    die: str
    faces: tuple[int, ...]
    who: str
    text: str
    first: bool

    def owns(self, name: str) -> bool:
        """Whether a property is one of the die's own."""
        return name.startswith(self.die) and name[len(self.die) :] in _DIE_OWN


def _rolls(commands: Sequence[cmd.Command], dice: frozenset[str]) -> dict[int, _Roll]:
    """Command index -> roll. Undone lines are no rolls."""
    names = {c.name for c in commands if type(c) is cmd.PropertyChange}
    if not names and not [c for c in commands if type(c) is cmd.Chat and "=" in c.text]:
        return {}
    chats: list[tuple[int, re.Match[str]]] = []
    results: dict[str, list[int]] = {}
    undoing = False
    for index, command in enumerate(commands):
        if isinstance(command, cmd.Undo):
            undoing = command.begins
        elif undoing:
            continue
        elif isinstance(command, cmd.Chat) and "=" in command.text and (said := _DIE.fullmatch(command.text)):
            chats.append((index, said))
        elif isinstance(command, cmd.PropertyChange) and command.name.endswith("_result"):
            die = command.name.removesuffix("_result")
            told = any(said["die"] == die for _, said in chats)
            if told or die in dice or any(die + sign in names for sign in _DIE_SIGNS):
                results.setdefault(die, []).append(index)
    found: dict[int, _Roll] = {}
    for index, said in chats:
        die = html.unescape(said["die"])
        own = results.get(die, [])
        faces = _numbers(html.unescape(said["result"]))
        at = own.pop(0) if own else None
        if at is not None:
            faces = _faces(commands, at, die)
            found[at] = _Roll(die, faces, "", "", False)
        elif not faces:
            continue
        found[index] = _Roll(die, faces, said["who"], html.unescape(said[0]).strip(), True)
    for die, indices in results.items():
        for at in indices:
            found[at] = _Roll(die, _faces(commands, at, die), "", "", True)
    return found


def _numbers(text: str) -> tuple[int, ...]:
    words = [word.strip() for word in text.split(",")]
    return tuple(int(word) for word in words) if words and all(re.fullmatch(r"-?\d{1,9}", word, re.ASCII) for word in words) else ()


def _faces(commands: Sequence[cmd.Command], at: int, die: str) -> tuple[int, ...]:
    """The faces of a roll: from its result, or from the summary when the result is only a total."""
    result = commands[at]
    faces = _numbers(result.new) if isinstance(result, cmd.PropertyChange) else ()
    for command in commands[at + 1 : at + 8]:
        if isinstance(command, cmd.PropertyChange) and command.name == die + "_summary":
            each = tuple(int(face) for face, times in _SUMMARY.findall(command.new) for _ in range(min(int(times), 100)))
            return each if len(each) > len(faces) else faces
    return faces


def _follows(kind: str) -> bool:
    return _field(kind, "follow") == "true"


def _field(kind: str, name: str) -> str:
    trait, _, rest = kind.partition(";")
    fields = sequence.decode(rest, ";")
    index = TRAITS[trait].names.index(name)
    return fields[index] if index < len(fields) else ""


def _tells_route(report: str, route: tuple[str, str]) -> bool:
    """Whether a report of the engine only says that pieces went from here to there (or were created there)."""
    before, after = route
    words = report.strip(" *")
    if not after or not words.endswith(after):
        return False
    return not before or _as_a_word(before, words, len(words) - len(after))


def _as_a_word(name: str, text: str, end: int) -> bool:
    """Whether the name stands in the text before ``end``, and is no part of a longer word there."""
    at = text.find(name, 0, end)
    while at >= 0:
        behind = text[at + len(name) : at + len(name) + 1]
        if not _wordy(text[:at][-1:]) and _wordy(name[-1]) != _wordy(behind):
            return True
        at = text.find(name, at + 1, end)
    return False


def _wordy(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def _signature(commands: Iterable[cmd.Command], inverse: bool = False) -> frozenset[str]:
    """What a step did, in a form in which a step and its undo are equal: moves, changes, properties and lines."""
    found: set[str] = set()
    for command in commands:
        match command:
            case cmd.MovePiece():
                new, old = (command.map, command.x, command.y), (command.old_map, command.old_x, command.old_y)
                a, b = (new, old) if inverse else (old, new)
                found.add(f"M {command.id} {a} {b}")
            case cmd.ChangePiece() if command.old is not None:
                a_state, b_state = (command.new, command.old) if inverse else (command.old, command.new)
                found.add(f"D {command.id} {a_state} {b_state}")
            case cmd.AddPiece():
                found.add(f"{'-' if inverse else '+'} {command.id}")
            case cmd.RemovePiece():
                found.add(f"{'+' if inverse else '-'} {command.id}")
            case cmd.PropertyChange():
                a_text, b_text = (command.new, command.old) if inverse else (command.old, command.new)
                found.add(f"P {command.name} {a_text} {b_text}")
            case cmd.Chat():
                found.add("C " + _bare_line(command.text))
            case _:
                pass
    return frozenset(found)


def _bare_line(text: str) -> str:
    """A chat line without the words that an undo puts before it."""
    return _UNDO_LINE.sub("", text, count=1).strip() if _UNDO_LINE.match(text) else text.strip()


__all__ = ["TALK_PROPERTY", "FormatError", "read_vassal", "read_vassal_bytes"]
