"""Synthetic VASSAL logs: a random legal game written as a player would have logged it, with pieces of any number of traits.

They are written for the club module of the samples, by the project's own log writer: drags with the state changes the engine writes
beside them, dice, turn tracker steps, and a line of chat that announces each attack.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from bench.games import GAME, SEED, book, phase_of
from gamebox.load import data_root, load_box
from modgen.formats.vassal import buildfile, commands, grid, pieces, saves, turns
from modgen.formats.vassal.steps import Step
from referee.games.battle_for_germany.players import choose
from referee.games.battle_for_germany.position import FORCES
from referee.rules.model import Action
from referee.table.adopt import adopt

SAMPLES = data_root() / GAME / "samples"
PLAYER = commands.Player("bench-id", "Bench", "Solo")
FILLERS = (
    "markmoved;moved.png;24;0;Mark moved;77,130;;false;;;;",
    "mark;Note{n}",
    "PROP;Count{n};false,0,100,false;",
    "delete;Delete{n};127,0;",
)
FILLER_STATES = ("false", "text {n}", "{n}", "")


@dataclass(frozen=True)
class Game:
    """A log's bytes, and how many actions of the game are in it."""

    data: bytes
    actions: int


def module_path() -> Path:
    """The module that the logs belong to."""
    return SAMPLES / "bfg-club.vmod"


@cache
def game(traits: int, phases: int, plan: str = "racer", seed: int = SEED) -> Game:
    """A log of the first ``phases`` phases in which anything is done; every piece has ``traits`` traits, the basic one included."""
    return _Writer(traits).write(phases, plan, seed)


class _Writer:
    def __init__(self, traits: int) -> None:
        self.book = book()
        self.setting: Any = self.book.game.setting
        self.module = buildfile.read_module(module_path())
        (self.map,) = self.module.maps
        self.tracker = self.module.trackers[0]
        adoption = adopt(self.module, load_box(GAME)).mapping
        self.phases: Mapping[str, str] = adoption.phases
        self.spots = dict(self._spots(adoption.places))
        by_gpid = {gpid: match.piece for match in adoption.matches for gpid in match.foreign.gpids if match.piece}
        start = saves.read_log(SAMPLES / "01-t1-red-moves.vlog").start
        self.start = start
        self.pieces = {
            by_gpid[piece.basic.gpid]: _padded(piece, traits)
            for piece in start.pieces.values()
            if piece.basic.gpid in by_gpid and by_gpid[piece.basic.gpid] in self.setting.roster.index
        }
        self.state = turns.parse_state(next(iter(start.turns.values())))
        self.steps: list[Step] = []

    def _spots(self, names: Mapping[str, str]) -> Iterator[tuple[str, tuple[int, int]]]:
        """(hex or box, pixel) for the whole board."""
        board = self.map.boards[0].grid
        assert isinstance(board, grid.ZonedGrid) and isinstance(board.background, grid.HexGrid)
        yield from board.background.names().items()
        for zone in board.zones:
            xs, ys = zip(*zone.path, strict=True)
            yield names[zone.name], (sum(xs) // len(xs), sum(ys) // len(ys))

    def write(self, phases: int, plan: str, seed: int) -> Game:
        position = self.book.start()
        while position.frame.step == "set-up":
            position = self.book.play(position, self._as_it_stands(position))
        standing = [*self.pieces.values()]
        first = saves.save_tokens(
            standing,
            [pieces.Stack(f"{number}9", self.map.name, *_place(piece), (piece.id,), 0) for number, piece in enumerate(standing)],
            players=[PLAYER],
            turns=[commands.Turn("TurnTracker0", str(self.state))],
            boards=[commands.Boards(self.map.name, (commands.BoardPlace(self.map.boards[0].name),))],
        )
        self._turn_to(position)
        dice = random.Random(seed)
        actions = 0
        while True:
            action = choose(self.book, position, dice, plan)
            following = self.book.play(position, action)
            self._log(position, action, following)
            actions += 1
            if phase_of(following) != phase_of(position):
                phases -= 1
                if not phases or self.book.over(following):
                    break
                self._turn_to(following)
            position = following
        start = saves.SaveFile("bench.vlog", first, self.start.form, self.start.metadata, self.start.module)
        return Game(saves.write_log(None, saves.LogFile(start, tuple(self.steps))), actions)

    def _as_it_stands(self, position: Any) -> Action:
        """The set-up action that puts a unit where the module has it."""
        hexes = {spot: name for name, spot in self.spots.items()}
        for action in self.book.legal(position):
            _, _, unit, _, to = str(action).split()
            if hexes.get(_place(self.pieces[unit])) == to:
                return action  # type: ignore[no-any-return]
        raise ValueError("the module's set-up is none of the scenario's")

    def _step(self, *made: commands.Command) -> None:
        tokens = [(0 if number == 0 else 1, f"LOG\t{command}") for number, command in enumerate(made)]
        self.steps.append(Step(len(self.steps) + 1, tuple(tokens)))

    def _say(self, text: str) -> None:
        self._step(commands.Chat(f"&lt;{PLAYER.name}&gt; - {text}"))

    def _log(self, before: Any, action: Action, after: Any) -> None:
        words = str(action).split()
        if words[1] == "roll":
            face = words[3]
            self._step(commands.Chat(f"*** d6 = {face} *** <{PLAYER.name}>"), commands.PropertyChange("d6_result", "", face, "Module"))
        elif words[1] == "attack":
            self._announce(words[2].split(","), words[4].split(","))
        elif words[1] == "done" and before.frame.step == "declare":
            targets, joined = before.frame.data
            roster, names = self.setting.roster.ids, self.setting.land.names
            self._announce([roster[unit] for unit in joined], [names[node] for node in targets])
        elif words[1] == "exit":
            self._move(words[2], words[6])  # to the edge first, then off the map
        for unit, (here, there) in enumerate(zip(before.at, after.at, strict=True)):
            if here != there:
                self._move(self.setting.roster.ids[unit], self.setting.land.names[there])

    def _announce(self, attackers: list[str], targets: list[str]) -> None:
        self._say(f"{' + '.join(self.pieces[unit].name for unit in attackers)} attack {' and '.join(targets)}")

    def _move(self, unit: str, place: str) -> None:
        piece = self.pieces[unit]
        x, y = self.spots[place]
        old_x, old_y = _place(piece)
        where = self.map.location_name(old_x, old_y)
        props = {**dict(piece.basic.props), "OldLocationName": where, "OldX": str(old_x), "OldY": str(old_y), "OldMap": self.map.name}
        told = piece.with_basic(replace(piece.basic, props=tuple(props.items())))
        moved = told.placed(self.map.name, x, y)
        self._step(
            commands.Null(),
            commands.ChangePiece(piece.id, told.state, piece.state),
            commands.MovePiece(piece.id, self.map.name, x, y, "", self.map.name, old_x, old_y, "", PLAYER.id),
            commands.Chat(f"* {piece.name} moves {where} -> {self.map.location_name(x, y)} *"),
        )
        self.pieces[unit] = moved

    def _turn_to(self, position: Any) -> None:
        phase = self.setting.phase(position)
        wanted = f"{FORCES[phase.force]} {phase.kind}"
        while not self._shows(wanted, position.turn):
            before = turns.shown(self.tracker, self.state).text
            self.state = turns.advance(self.tracker, self.state)
            now = turns.shown(self.tracker, self.state)
            self._step(commands.Chat(f"* {before} -> {now.text}"), commands.Turn("TurnTracker0", str(self.state)))
            if now.turn > position.turn:
                raise ValueError(f"the tracker never shows {wanted} of turn {position.turn}")

    def _shows(self, wanted: str, turn: int) -> bool:
        now = turns.shown(self.tracker, self.state)
        return now.turn == turn and self.phases.get(now.phase) == wanted


def _place(piece: pieces.Piece) -> tuple[int, int]:
    return piece.basic.x, piece.basic.y


def _padded(piece: pieces.Piece, traits: int) -> pieces.Piece:
    """The piece with exactly this many traits: its marks and its basic part, then fillers of the kinds that modules use."""
    kept = [trait for trait in piece.traits if trait.id in ("mark", "piece")][-traits:]
    fillers = [
        pieces.Trait(FILLERS[number % len(FILLERS)].format(n=number), FILLER_STATES[number % len(FILLERS)].format(n=number))
        for number in range(traits - len(kept))
    ]
    return replace(piece, traits=(*fillers, *kept))
