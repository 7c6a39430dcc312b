"""A small stage for scripted play on the club module: what the players do becomes a log, what the rulebook says of it becomes its key.

Nothing here knows a rule. Verdicts are written by hand where the play is written (``make_logs``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal import saves, sequence
from modgen.formats.vassal.buildfile import Module, read_module
from modgen.formats.vassal.logwriter import LogWriter, _join, _Node
from modgen.formats.vassal.obfuscation import Form
from modgen.formats.vassal.pieces import Piece, Stack
from modgen.formats.vassal.replay import Game

ROOT = Path(__file__).parents[3]
SAMPLES = ROOT / "data" / "battle-for-germany" / "samples"
MODULE = SAMPLES / "bfg-club.vmod"
RED = cmd.Player("kestrel-red-4", "Red Player", "Soviet")
BLUE = cmd.Player("heron-blue-9", "Blue Player", "Western Allied")
SOLO = cmd.Player("lone-owl-1", "Solo Gamer", "Solo")
SHORT = {"S": "Soviet", "WG": "West German", "W": "Western Allied", "EG": "East German"}
KINDS = {"R": "Replacement", "M": "Movement", "C": "Combat"}
PHASES = (*(f"{force} {kind} Phase" for force in SHORT.values() for kind in KINDS.values()), "Turn Phase")
BOXES = {
    "box-s": "Destroyed Soviets",
    "box-w": "Destroyed Western Allies",
    "box-italy": "Destroyed Allies/Italy",
    "box-eg": "Destroyed East Germans",
    "box-wg": "Destroyed West Germans",
    "off": "Off Map",
}
CORNERS = {box: (1277, 60 + 248 * number) for number, box in enumerate(("box-w", "box-italy", "box-eg", "box-wg", "box-s", "off"))}
HOW_TO_READ = (
    "steps = first and last step of the log (1-based; one step per logged action, chat and dice included). expected: legal | illegal | "
    "any (terrain, map regions, unprinted CRT cells or an option decide) | unclear (policy). from/to = net movement within the steps."
)


def phase_name(code: str) -> str:
    """``S M`` -> Soviet Movement Phase; ``T`` -> Turn Phase."""
    force, _, kind = code.partition(" ")
    return "Turn Phase" if code == "T" else f"{SHORT[force]} {KINDS[kind]} Phase"


def turn_state(turn: int, phase: str) -> str:
    """The tracker's state text."""
    flags = ",".join(["true"] * len(PHASES))
    return rf"0|{turn};0;false;-1;{PHASES.index(phase)}\;0\;0\;{flags}"


@cache
def module() -> Module:
    return read_module(MODULE)


@cache
def _fresh(version: str) -> saves.SaveFile:
    return saves.read_log(SAMPLES / f"{'06-live-turn1-v38' if version.startswith('3.8') else '01-t1-red-moves'}.vlog").start


@dataclass
class Item:
    """One line of a key."""

    steps: tuple[int, int]
    phase: str
    player: str
    kind: str
    action: str
    units: tuple[str, ...]
    start: str
    end: str
    expected: str
    rules: tuple[str, ...]
    why: str
    certainty: str
    more: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self, number: int) -> dict[str, Any]:
        return {
            "n": number,
            "steps": list(self.steps),
            "phase": self.phase,
            "player": self.player,
            "kind": self.kind,
            "action": self.action,
            "units": list(self.units),
            "from": self.start,
            "to": self.end,
            "expected": self.expected,
            "rules": list(self.rules),
            "why": self.why,
            **self.more,
            "certainty": self.certainty,
        }


class Desk:
    """One log in the making. Pieces are called by the names on them, places by hex or box."""

    all: ClassVar[list[Desk]] = []

    def __init__(
        self,
        slug: str,
        title: str,
        *,
        at: Mapping[str, str] | None = None,
        turn: int = 1,
        phase: str = "S R",
        by: cmd.Player = RED,
        seats: Sequence[cmd.Player] = (RED, BLUE),
        cleared: bool = True,
        version: str = "3.7.26",
        form: Form | None = None,
    ) -> None:
        self.slug, self.title, self.by_hand = slug, title, bool(at)
        self.items: list[Item] = []
        self.recorder = by
        self.version = version
        save = _arranged(dict(at or {}), turn, phase_name(phase), (by, *(s for s in seats if s != by)), cleared, version)
        save = replace(save, metadata=saves.Metadata("0.4", version, "1795998000000"), form=form or save.form)
        self.log = LogWriter(save, module(), by)
        self.ids = {live.piece().name: name for name, live in self.log.game.pieces.items()}
        Desk.all.append(self)

    # ------------------------------------------------------------------------------------------- players and words

    def as_(self, player: cmd.Player) -> Desk:
        self.log.act_as(player)
        return self

    def red(self, words: str = "") -> Desk:
        self.as_(RED)
        return self.say(words) if words else self

    def blue(self, words: str = "") -> Desk:
        self.as_(BLUE)
        return self.say(words) if words else self

    def say(self, words: str) -> Desk:
        self.log.chat(words)
        return self

    def die(self, face: int) -> Desk:
        self.log.roll("d6", [face])
        return self

    # ------------------------------------------------------------------------------------------------------ tracker

    @property
    def phase(self) -> str:
        state = self.log.game.turns["TurnTracker0"]
        turn, number = state.split("|")[1].split(";")[0], state.split(";")[4].split("\\")[0]
        return f"Turn {turn}: {PHASES[int(number)]}"

    def next(self, times: int = 1) -> Desk:
        for _ in range(times):
            self.log.next_phase()
        return self

    def to(self, code: str) -> Desk:
        """Step the tracker on until this phase of the same turn."""
        wanted = phase_name(code)
        for _ in range(len(PHASES)):
            if self.phase.endswith(": " + wanted):
                return self
            self.log.next_phase()
        raise ValueError(code)

    def tracker(self, turn: int, code: str) -> Desk:
        self.log.set_turn(turn_state(turn, phase_name(code)))
        return self

    # ------------------------------------------------------------------------------------------------------- pieces

    def drag(self, place: str, *names: str) -> Desk:
        """Drag to a hex, or to a spot in a box (``box-s 2`` is the third spot of it)."""
        spot = _spot(place)
        pieces = [self.ids[name] for name in names]
        if spot:
            self.log.move(pieces, *spot)
        else:
            self.log.move_to(pieces, place)
        return self

    def out(self, *names: str) -> Desk:
        """The Eliminate key."""
        for name in names:
            box = next(t.field("zone") for t in self.log.game.pieces[self.ids[name]].piece().traits if t.id == "sendto")
            self.log.send(self.ids[name], "Eliminate", say=f"{name} is out: {box} *")
        return self

    def delete(self, *names: str) -> Desk:
        for name in names:
            self.log.delete(self.ids[name])
        return self

    def flip(self, *names: str, level: int = 2) -> Desk:
        for name in names:
            self.log.set_layer(self.ids[name], "Back", level)
        return self

    def undo(self) -> Desk:
        self.log.undo()
        return self

    def supply(self, place: str) -> Desk:
        """A supply marker out of the palette."""
        slot = next(s for s in module().slots if s.name == "Supply")
        self.log.place(slot, *self.log.pixel_of(place, "Europe"), "Europe")
        return self

    def clear_marks(self) -> Desk:
        """Ctrl U: one step with a change of every piece that was marked."""
        root: _Node | None = _Node(cmd.Empty(), cmd.Empty())
        for name, live in self.log.game.pieces.items():
            piece = live.piece()
            if not any(t.id == "markmoved" and t.state == "true" for t in piece.traits):
                continue
            old = live.state
            new = sequence.encode_nested(_unmarked(piece, "Map0"), "\t")
            change = cmd.ChangePiece(name, new, old)
            self.log.game.apply(change)
            root = _join(root, _Node(change, cmd.ChangePiece(name, old, new)))
        self.log._step(root)
        return self

    def raw(self, *texts: str) -> Desk:
        """A step of commands written as they are, the first one above the others."""
        root = _Node(cmd.parse_command(texts[0]), None)
        for text in texts[1:]:
            root.append(_Node(cmd.parse_command(text), None))
        self.log._step(root)
        return self

    def place_of(self, name: str) -> str:
        live = self.log.game.pieces.get(self.ids[name])
        return "" if live is None else self.log._location("Europe", live.basic.x, live.basic.y)

    def places(self) -> dict[str, str]:
        return {name: self.place_of(name) for name in self.ids}

    # --------------------------------------------------------------------------------------------------------- key

    @contextmanager
    def item(
        self,
        expected: str,
        rules: str,
        action: str,
        why: str,
        *,
        units: Sequence[str] = (),
        kind: str = "move",
        certainty: str = "",
        **more: Any,
    ) -> Iterator[None]:
        """The steps made inside are one line of the key."""
        first, phase, before = self.log.steps + 1, self.phase, {name: self.place_of(name) for name in units}
        player = self.log.player.name
        yield
        after = {name: self.place_of(name) for name in units}
        moved = [name for name in units if before[name] != after[name]] or list(units)[:1]
        ends = (", ".join(dict.fromkeys(where[name] or "deleted" for name in moved)) for where in (before, after))
        start, end = ends
        usual = {"legal": "practical", "illegal": "printed rules only", "any": "not decided by printed rules"}
        certainty = certainty or usual.get(expected, "policy")
        self.items.append(
            Item(
                (first, self.log.steps), phase, player, kind, action, tuple(units), start, end,
                expected, tuple(rules.split()), why, certainty, more,
            )
        )  # fmt: skip

    def move(self, expected: str, rules: str, place: str, *names: str, why: str, certainty: str = "", kind: str = "move") -> Desk:
        """A drag that is a line of the key by itself."""
        action = f"{', '.join(names)} moves {self.place_of(names[0])} -> {_box(place)}"
        with self.item(expected, rules, action, why, units=names, certainty=certainty, kind=kind):
            self.drag(place, *names)
        return self

    def widen(self, number: int) -> None:
        """The item with this number (from 1) reaches to the last step so far."""
        item = self.items[number - 1]
        item.steps = (item.steps[0], self.log.steps)

    # -------------------------------------------------------------------------------------------------------- files

    def key(self) -> dict[str, Any]:
        within = {step for item in self.items for step in range(item.steps[0], item.steps[1] + 1)}
        return {
            "log": f"{self.slug}.vlog",
            "module": "bfg-club.vmod",
            "engine": "scripted with our own writer in the shapes of VASSAL " + self.version,
            "title": self.title,
            "start": "a position set up by hand" if self.by_hand else "new game (the Historical set-up)",
            "belongs_to": "",
            "players": {player.name: player.side for player in (RED, BLUE)} if self.recorder != SOLO else {SOLO.name: SOLO.side},
            "game": "two players, Historical Scenario, standard rules; an optional rule only where an item says so",
            "steps_in_log": self.log.steps,
            "how_to_read": HOW_TO_READ,
            "quiet_steps": [step for step in range(1, self.log.steps + 1) if step not in within],
            "items": [item.as_json(number) for number, item in enumerate(self.items, 1)],
        }

    def files(self) -> dict[str, bytes]:
        """File name -> bytes."""
        key = json.dumps(self.key(), ensure_ascii=False, indent=1) + "\n"
        return {f"{self.slug}.vlog": saves.write_log(None, self.log.log()), f"{self.slug}.key.json": key.encode()}


def _box(place: str) -> str:
    return BOXES.get(place.split(maxsplit=1)[0], place)


def _spot(place: str) -> tuple[int, int] | None:
    box, _, number = place.partition(" ")
    if box not in CORNERS:
        return None
    index = int(number or 0)
    x, y = CORNERS[box]
    return x + 37 * (index % 3), y + 40 * (index // 3)


def _unmarked(piece: Piece, trail_map: str) -> list[str]:
    states = []
    for trait in piece.traits:
        state = trait.state
        if trait.id == "markmoved":
            state = "false"
        elif trait.id == "footprint":
            rest = sequence.decode(state, ";")[3 + int(sequence.decode(state, ";")[2] or 0) + 1 :]
            state = sequence.encode(("false", trail_map, "1", f"{piece.basic.x},{piece.basic.y}", "true", *rest), ";")
        states.append(state)
    return states


def _arranged(at: dict[str, str], turn: int, phase: str, seats: tuple[cmd.Player, ...], cleared: bool, version: str) -> saves.SaveFile:
    """A position made by dragging pieces about before the log was begun. Place ``-``: deleted."""
    fresh = _fresh(version)
    game = LogWriter(fresh, module(), seats[0])
    ids = {live.piece().name: name for name, live in game.game.pieces.items()}
    for name, place in at.items():
        if place == "-":
            game.delete(ids[name])
            continue
        spot = _spot(place)
        if spot:
            game.move([ids[name]], *spot)
        else:
            game.move_to([ids[name]], place)
    pieces: list[Piece] = []
    moved = {ids[name] for name in at}
    for name, live in game.game.pieces.items():
        piece = live.piece()
        if at and cleared:
            live.set_state(sequence.encode_nested(_unmarked(piece, "Map0" if name in moved else ""), "\t"))
            piece = live.piece()
        pieces.append(piece)
    stacks = [Stack(s.id, s.map, s.x, s.y, s.members, s.layer) for s in game.game.stacks.values() if s.members]
    tokens = saves.save_tokens(
        pieces,
        stacks,
        players=[player for _ in range(2) for player in seats],
        turns=[cmd.Turn("TurnTracker0", turn_state(turn, phase))],
        notes=[found for found in fresh.commands if isinstance(found, cmd.Note)],
        boards=[cmd.Boards(name, boards) for name, boards in fresh.boards.items()],
    )
    return replace(fresh, tokens=tokens)


def board(save: saves.SaveFile) -> Game:
    """The position of a save."""
    return Game().run(save.commands)
