"""Played games written as VASSAL logs, as the engine would have logged them: for tests and benchmarks, never to be taken for genuine.

Generic: a game's ``showing`` module says where the counters lie and what the players would say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

from gamebox.model import Box
from gamebox.tabletalk import Talk, encode
from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal.buildfile import Module, read_module
from modgen.formats.vassal.logwriter import LogWriter
from modgen.formats.vassal.newgame import new_game, predefined
from modgen.formats.vassal.pieces import Stack
from modgen.formats.vassal.saves import LogFile, SaveFile, save_tokens
from modgen.formats.vassal.turns import Shown, TrackerState, parse_state, shown
from referee.rules.book import Book
from referee.rules.model import Action, Roll
from referee.table.adopt import UNIT_MARKER, PieceMap

STYLES = ("talk", "chat", "silent")
"""How attacks are announced: by the module's own declarations, in chat, or not at all."""


class TableWriter:
    """Writes one game. Each action becomes the drags, dice and tracker steps that carry it out on the table."""

    def __init__(
        self,
        book: Book[Any],
        box: Box,
        module: Module,
        start: SaveFile,
        *,
        style: str,
        mapping: PieceMap | None = None,
        position: Any = None,
        phases: Sequence[str] = (),
    ) -> None:
        self.book = book
        self.phases = phases
        self.position = book.start() if position is None else position
        self.style = style
        self.show = import_module(f"referee.games.{book.game.id.replace('-', '_')}.showing")
        self.module = module
        self.players: dict[str, cmd.Player] = {}
        self.map = next(m.name for m in module.maps if m.boards)
        self.log = LogWriter(start, module, cmd.Player("writer", "Writer", ""))
        self.pieces = self._pieces(box, mapping)
        self.names = self._box_names(box)
        arranged = self._arranged(start)
        if arranged is not start:
            self.log = LogWriter(arranged, module, cmd.Player("writer", "Writer", ""))
            self.pieces = {unit: piece for unit, piece in self.pieces.items() if piece in self.log.game.pieces}
        self.die = module.dice[0].name
        self.talk = 0

    def _pieces(self, box: Box, mapping: PieceMap | None) -> dict[str, str]:
        ids = {p.id for p in box.pieces}
        found: dict[str, str] = {}
        for piece_id, live in self.log.game.pieces.items():
            piece = live.piece()
            markers = piece.markers()
            own = markers.get(UNIT_MARKER, "")
            if own not in ids and mapping is not None:
                match = mapping.find(piece.basic.gpid, piece.name, markers.items())
                own = match.piece if match is not None else ""
            if own in ids:
                found.setdefault(own, piece_id)
        return found

    def _arranged(self, start: SaveFile) -> SaveFile:
        """The start with the scenario's own set-up and first turn, where the module's set-up is another one's: counters that the
        scenario does not have are left out."""
        game, log = self.book.game, self.log
        p = self.position
        places = self.show.places(game, p)
        turn, phase = self.show.clock(game, p)
        on = self.module.map(self.map)
        assert on is not None
        gone: set[str] = set()
        moved: dict[str, tuple[int, int]] = {}
        for unit, piece_id in self.pieces.items():
            basic = log.game.pieces[piece_id].basic
            if self.show.apart(game, p, unit):
                gone.add(piece_id)
            elif places[unit] and places[unit] not in on.location_name(basic.x, basic.y, log.game.boards.get(self.map)):
                moved[piece_id] = log.pixel_of(self.names.get(places[unit], places[unit]), self.map)
        before = parse_state(log.game.turns["TurnTracker0"])
        clock = self._clock(before, turn, phase)
        if not gone and not moved and clock == before:
            return start
        layers = {member: stack.layer for stack in start.stacks.values() for member in stack.members}
        pieces = []
        at: dict[tuple[str, int, int, int], list[str]] = {}
        for piece_id, piece in start.pieces.items():
            if piece_id not in gone:
                x, y = moved.get(piece_id, (piece.basic.x, piece.basic.y))
                pieces.append(piece.placed(piece.basic.map, x, y))
                at.setdefault((piece.basic.map, x, y, layers.get(piece_id, 0)), []).append(piece_id)
        stacks = [
            Stack(number, where, x, y, tuple(members), layer)
            for number, ((where, x, y, layer), members) in zip(self._numbers(start), at.items(), strict=False)
            if where
        ]
        tokens = save_tokens(
            pieces,
            stacks,
            players=start.players,
            properties=[c for c in start.commands if isinstance(c, cmd.PropertyValue)],
            turns=[cmd.Turn("TurnTracker0", str(clock))],
            boards=[c for c in start.commands if isinstance(c, cmd.Boards)],
        )
        return replace(start, tokens=tokens)

    def _clock(self, state: TrackerState, turn: int, phase: str) -> TrackerState:
        """The tracker at a turn and phase, with the writer's phases switched on where it was told any."""
        top = state.levels[0]
        level = self.module.trackers[0].levels[0]
        if not top.below:
            return replace(state, levels=(replace(top, value=turn), *state.levels[1:]))
        listed = [name.casefold() for name in level.below[0].values]
        flags = top.below[0].extra[1].split(",")
        if self.phases:
            flags, at = ["false"] * len(listed), 0
            for name in self.phases:
                at = listed.index(name.casefold(), at)
                flags[at], at = "true", at + 1
        found = [at for at, name in enumerate(listed) if name == phase.casefold() and flags[at] == "true"]
        inner = replace(top.below[0], value=found[0] if found else flags.index("true"), extra=(top.below[0].extra[0], ",".join(flags)))
        return replace(state, levels=(replace(top, value=turn, below=(inner, *top.below[1:])), *state.levels[1:]))

    @staticmethod
    def _numbers(start: SaveFile) -> Iterator[str]:
        """Ids for stacks: those of the save, then new ones."""
        yield from start.stacks
        yield from map(str, count(max((int(i) for i in (*start.pieces, *start.stacks) if i.isdecimal()), default=0) + 1))

    def _shown(self, log: LogWriter) -> Shown:
        return shown(self.module.trackers[0], parse_state(log.game.turns["TurnTracker0"]))

    def _box_names(self, box: Box) -> dict[str, str]:
        names: dict[str, str] = {}
        for row in box["boxes"]:
            for name in (row.text("name"), *row.items("aliases")):
                try:
                    self.log.pixel_of(name, self.map)
                except KeyError:
                    continue
                names.setdefault(row.key, name)
        return names

    def sit(self, sides: Iterable[tuple[str, str]]) -> None:
        """Seats players: (player in the rules, side in the client)."""
        for owner, side in sides:
            player = cmd.Player(f"{owner}-secret", side, side)
            self.players[owner] = player
            self.log.join(player)

    def play(self, p: Any, a: Action) -> Any:
        """Carries one action out on the table and returns the position after it."""
        game, book = self.book.game, self.book
        player = self.players.get(a.by)
        if player is not None and player != self.log.player:
            self.log.act_as(player)
        said, talk = self.show.announcement(game, p, a)
        if said and self.style == "chat":
            self.log.chat(said)
        elif self.style == "talk":
            self._declare(talk)
        if isinstance(a, Roll):
            self.log.roll(self.die, a.faces)
        for unit, place in self.show.stops(game, a):
            self._put(unit, place)
        here = p
        for stage in book.stages(p, a):
            self._catch_up(here, stage)
            here = stage
        return here

    def _catch_up(self, p: Any, q: Any) -> None:
        """Drags what lies elsewhere now; what leaves with the end of a phase goes before the tracker is stepped."""
        game = self.book.game
        stepped = self.show.clock(game, p) != self.show.clock(game, q)
        before, after = self.show.places(game, p), self.show.places(game, q)
        changed = [u for u in before if before[u] != after[u]]
        first = set(self.show.leaving(game, p)) if stepped else set(changed)
        for unit in changed:
            if unit in first:
                self._put(unit, after[unit])
        if stepped:
            self._step(self.show.clock(game, q))
        for unit in changed:
            if unit not in first:
                self._put(unit, after[unit])

    def _put(self, unit: str, place: str) -> None:
        if place and unit in self.pieces:
            self.log.move_to([self.pieces[unit]], self.names.get(place, place), self.map)

    def show_phase(self, p: Any) -> None:
        """Steps the tracker on to the phase of a position."""
        self._step(self.show.clock(self.book.game, p))

    def _step(self, clock: tuple[int, str]) -> None:
        turn, phase = clock
        for _ in range(60):
            text = self.shown()
            if phase.casefold() in text.casefold() and f"{turn}" in text.split(":")[0]:
                return
            self.log.next_phase()
        raise ValueError(f"the module's tracker never shows turn {turn}, {phase}")

    def shown(self) -> str:
        """The tracker's text now."""
        return self._shown(self.log).text

    def _declare(self, lines: Iterable[tuple[str, ...]]) -> None:
        for verb, *fields in lines:
            self.talk += 1
            self.log.talk(encode(Talk(self.talk, verb, tuple(fields))), self.talk)


def write_game(
    book: Book[Any],
    box: Box,
    actions: Iterable[Action],
    module_path: Path,
    *,
    setup: str = "",
    style: str = "talk",
    mapping: PieceMap | None = None,
    sides: Iterable[tuple[str, str]] = (),
    position: Any = None,
    phases: Sequence[str] = (),
) -> LogFile:
    """One game as a log.

    ``setup``: the module's predefined set-up to start from ("" = its at-start stacks); counters that stand elsewhere in the scenario's own
    set-up are put there. ``position``: where play begins, if not at that set-up. ``phases``: the phases to switch on in the tracker, in
    order, if not those of the set-up.

    Raises FormatError for a module that cannot be read, KeyError for a place that it does not have.
    """
    module = read_module(module_path)
    start = predefined(module_path, setup) if setup else new_game(module)
    writer = TableWriter(book, box, module, start, style=style, mapping=mapping, position=position, phases=phases)
    writer.sit(sides)
    p = writer.position
    for a in actions:
        p = writer.play(p, a)
    return writer.log.log()
