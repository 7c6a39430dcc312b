"""The steps of a VASSAL log -> table events, one step after the other, on a game that goes along."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, get_args

from modgen.formats.vassal import sequence
from modgen.formats.vassal.commands import (
    AddPiece,
    ChangePiece,
    Chat,
    Command,
    MovePiece,
    Null,
    Player,
    PlayerLeaves,
    PropertyChange,
    RemovePiece,
    Turn,
    Undo,
    Unknown,
)
from modgen.formats.vassal.pieces import level_of
from modgen.formats.vassal.replay import Game
from modgen.formats.vassal.saves import LogFile
from modgen.formats.vassal.steps import Step
from modgen.formats.vassal.traits import TRAITS
from referee.table.events import NOWHERE, EventKind, Spot, TableEvent
from referee.table.notes import Notes
from referee.table.vassal_lines import UNDO_LINE, Roll, rolls, signature, tells_a_route
from referee.table.vassal_places import Ground
from referee.table.vassal_trackers import TALK_PROPERTY, Trackers
from referee.table.vassal_who import Counters, Known

_OBSERVER: Final = "<observer>"
_TYPED: Final = re.compile(r"(?:&lt;|<)(?P<who>.*?)(?:&gt;|>)\s?- ?(?P<words>.*)", re.DOTALL)
_STAR: Final = re.compile(r"^\*\s?")
_WORD_OF: Final = re.compile(r"[A-Za-z_]{1,24}(?=\t)")
_NOBODY: Final[Known] = ("", "", "")
_TOLD_TOGETHER: Final[frozenset[type]] = frozenset((PropertyChange, Undo, Unknown))
"""Commands that tell what others of their step mean, as properties of dice and the brackets of an undo do, or nothing at all."""


def note_bad_commands(commands: Iterable[Command], where: str, notes: Notes) -> None:
    """Says which commands nobody knows or are broken."""
    for command in commands:
        if type(command) is Unknown:
            word = _WORD_OF.match(command.text)
            # Only its first word: the rest might be anyone's secret.
            notes.add(f"{where}: {command.why}" + (f" {word[0]}" if word and command.why == "unknown command" else ""))


class Steps:
    """Reads steps into ``events``. ``undone`` are the numbers of the steps that later ones took back."""

    def __init__(
        self, log: LogFile, game: Game, counters: Counters, ground: Ground, trackers: Trackers, dice: frozenset[str], notes: Notes
    ) -> None:
        self._log = log
        self._game = game
        self._pieces = game.pieces
        self._counters = counters
        self._known = counters.known
        self._ground = ground
        self._spots = ground.spots
        self._trackers = trackers
        self._dice = dice
        self._notes = notes
        self.events: list[TableEvent] = []
        self.seats: dict[str, str] = {}
        self.undone: set[int] = set()
        self._movers: dict[str, tuple[str, str]] = {}
        """Player's id -> (name, seat), as the roster is now."""
        self._waiting: set[str] = set()
        """Pieces that came into the game on no map: they are placed by the move that follows."""
        self._signatures: dict[int, frozenset[str]] = {}
        self._undoes: dict[int, int] = {}
        self.take_roster()
        # What the step that is read now has been read into.
        self._number = 0
        self._players: list[tuple[str, str]] = []
        self._unsigned = False
        """Whether an event does not say who did it."""
        self._reports: list[tuple[int, str]] = []
        """(position among all events, text) of the engine's own chat lines."""
        self._routes: list[tuple[str, str]] = []
        """(from, to) of every move, in the client's words."""
        self._turned = False

    def take_roster(self) -> None:
        """Who plays what side, from the game as it is now."""
        self._movers.clear()
        for name, side in self._game.players.values():
            self.seats[name] = "" if side == _OBSERVER else side

    def read(self, number: int, step: Step) -> None:
        """Read one step."""
        self._number = number
        commands = step.commands
        self._players, self._reports, self._routes = [], [], []
        self._unsigned = self._turned = False
        if step.everyday or _TOLD_TOGETHER.isdisjoint(map(type, commands)) or not self._told_together(commands):
            for command in commands:
                kind = type(command)
                if kind is not Null:  # a third of a log
                    _ACTS[kind](self, command)
        if self._reports:
            self._keep_reports()
        if self._unsigned and self._players:
            self._sign()

    def _told_together(self, commands: Sequence[Command]) -> bool:
        """Read the commands of a step in which dice are rolled or something is undone; False where each stands for itself after all."""
        kinds = set(map(type, commands))
        if Unknown in kinds:
            note_bad_commands(commands, f"step {self._number}", self._notes)
        rolled = rolls(commands, self._dice)
        if not rolled and Undo not in kinds:
            return False
        undoing = False
        taken_back: list[Command] = []
        for index, command in enumerate(commands):
            if type(command) is Undo:
                undoing = command.begins
            elif undoing:
                taken_back.append(command)
                self._apply_quietly(command)
            elif index in rolled:
                self._roll(rolled[index])
                if type(command) is PropertyChange:
                    self._game.apply(command)
            elif type(command) is not PropertyChange or not any([roll.owns(command.name) for roll in rolled.values()]):
                _ACTS[type(command)](self, command)
            else:
                self._game.apply(command)
        if Undo in kinds:
            self._reports.clear()
            self._undo(taken_back)
        return True

    def _apply_quietly(self, command: Command) -> None:
        self._game.apply(command)
        kind = type(command)
        if kind is Player or kind is PlayerLeaves:
            self.take_roster()
        elif kind is Turn:
            self._trackers.begin(self._game.turns)

    def _remove(self, command: RemovePiece) -> None:
        live = self._pieces.get(command.id)
        if live is not None:
            self._add("remove", self._counters.who(command.id), frm=self._ground.named(live.place)[1])
        self._game.apply(command)

    def _add(
        self, kind: EventKind, known: Known = _NOBODY, frm: Spot = NOWHERE, to: Spot = NOWHERE, text: str = "", value: str = ""
    ) -> None:
        """An event of which the client does not say who did it."""
        piece, label, marker = known
        self.events.append(TableEvent(self._number, kind, "", "", piece, label, marker, frm, to, (), 0, "", text, value))
        self._unsigned = True

    # ------------------------------------------------------------------------------------------- on the table

    def _mover(self, player_id: str) -> tuple[str, str]:
        """(name, seat) of a player; empty when the roster does not have him."""
        name, side = self._game.players.get(player_id, ("", ""))
        found = self._movers[player_id] = name, "" if side == _OBSERVER else side
        return found

    def _move(self, command: MovePiece) -> None:
        piece_id = command.id
        who = self._movers.get(command.player) or self._mover(command.player)
        player, seat = who
        if player:
            self._players.append(who)
        else:
            self._unsigned = True
        left, reached = (command.old_map, command.old_x, command.old_y), (command.map, command.x, command.y)
        old, frm = self._spots.get(left) or self._ground.first(left)
        new, to = self._spots.get(reached) or self._ground.first(reached)
        piece, label, marker = self._known.get(piece_id) or self._counters.who(piece_id)
        live = self._pieces.get(piece_id)
        if live is None:
            self._game.move(command)
            if piece_id not in self._game.stacks:
                self._notes.add(f"step {self._number}: a piece that is not on the table is moved")
            return
        self._game.drop(live, command, reached)
        self._routes.append((old, new))
        kind: EventKind = "move"
        if self._waiting and command.map and piece_id in self._waiting:
            self._waiting.discard(piece_id)
            kind, frm = "place", NOWHERE
        self.events.append(TableEvent(self._number, kind, player, seat, piece, label, marker, frm, to))

    def _place(self, command: AddPiece) -> None:
        self._game.apply(command)
        live = self._pieces.get(command.id) if command.type != "stack" and not command.is_deck else None
        if live is None:
            return
        if not live.basic.map:
            self._waiting.add(command.id)
            return
        name, spot = self._ground.named(live.place)
        self._routes.append(("", name))
        self._add("place", self._counters.who(command.id), to=spot)

    def _change(self, command: ChangePiece) -> None:
        live = self._pieces.get(command.id)
        try:
            if live is None:
                self._game.change(command)
                if command.id not in self._game.holders:
                    self._notes.add(f"step {self._number}: a piece that is not on the table is changed")
                return
            before = live.place
            changes = self._game.change(command)
        except ValueError as error:
            self._notes.add(f"step {self._number}: a changed piece could not be read: {error}")
            return
        for kind, was, now in changes:
            if not kind.startswith("piece;"):
                self._trait(self._counters.who(command.id), kind, was, now)
        if not live.stands and (after := live.place) != before:
            # A state can carry a place too, when the client sets one whole.
            self._add("move", self._counters.who(command.id), self._ground.named(before)[1], self._ground.named(after)[1])

    def _trait(self, known: Known, kind: str, was: str, now: str) -> None:
        name = kind.partition(";")[0]
        if name == "emb2":
            (a, on_a), (b, on_b) = level_of(was), level_of(now)
            up_before, up_now = on_a and a > 1, on_b and b > 1
            if up_before != up_now and _field(kind, "follow") != "true":
                self._add("flip", known, value="1" if up_now else "0", text=_field(kind, "name"))
        elif name == "PROP":
            self._add("property", known, text=_field(kind, "name"), value=now)
        elif name in ("obs", "hide"):
            # The state names its owner, who may be written as a password.
            hidden = not now.startswith("null")
            if hidden == was.startswith("null"):
                self._add("property", known, text="masked" if name == "obs" else "hidden", value="1" if hidden else "0")

    # --------------------------------------------------------------------------------------------- what is told

    def _property(self, command: PropertyChange) -> None:
        self._game.apply(command)
        if command.name == TALK_PROPERTY:
            self._add("talk", text=command.new)
        elif command.name != TALK_PROPERTY + "N":
            self._add("property", text=command.name, value=command.new)

    def _turn(self, command: Turn) -> None:
        self._game.apply(command)
        before = self._trackers.current
        now = self._trackers.show(self._game.turns)
        self._trackers.current = now
        if before != now:
            self._turned = self._unsigned = True
            self.events.append(TableEvent(self._number, "phase", turn=now.turn, phase=now.phase, text=now.text))

    def _roll(self, roll: Roll) -> None:
        if not roll.first:
            return
        name, seat = self._named(roll.who) if roll.who else ("", "")
        if name:
            self._players.append((name, seat))
        else:
            self._unsigned = True
        self.events.append(TableEvent(self._number, "roll", name, seat, faces=roll.faces, text=roll.text, value=roll.die))

    def _named(self, who: str) -> tuple[str, str]:
        """(name, seat) of a player as chat names him; a module may write more than the name."""
        name = html.unescape(who).strip()
        if name in self.seats:
            return name, self.seats[name]
        inside = sorted((known for known in self.seats if known and known in name), key=len)
        return (inside[-1], self.seats[inside[-1]]) if inside else (name, "")

    def _chat(self, command: Chat) -> None:
        text = command.text
        if text.startswith("*") and self._routes and "&" not in text and "=" not in text and tells_a_route(text, self._routes):
            return  # an event says it
        typed = _TYPED.fullmatch(text) if text[:1] in "<&" else None
        if typed:
            name, seat = self._named(typed["who"])
            self._players.append((name, seat))
            self.events.append(TableEvent(self._number, "chat", name, seat, text=html.unescape(typed["words"]).strip()))
        elif "=" in text and (rolled := rolls((command,), self._dice)):
            self._roll(rolled[0])
        elif "UNDO:" not in text or not UNDO_LINE.match(text):
            self._reports.append((len(self.events), text))

    def _sign(self) -> None:
        """One step is one client's act: who moved in it also flipped, deleted and turned the page."""
        name, seat = self._players[0]
        if any([other != (name, seat) for other in self._players]):
            return
        for at in range(len(self.events) - 1, -1, -1):
            e = self.events[at]
            if e.step != self._number:
                return
            if not e.player and e.kind != "chat":
                self.events[at] = e.by(name, seat)

    def _keep_reports(self) -> None:
        """The engine's own lines, but for those that only say again what an event says."""
        kept = 0
        for at, text in self._reports:
            plain = html.unescape(text) if "&" in text else text
            if self._turned and plain.startswith("*") and self._trackers.said(plain):
                continue
            if tells_a_route(plain, self._routes):
                continue
            words = _STAR.sub("", plain).strip()
            if words:
                self.events.insert(at + kept, TableEvent(self._number, "chat", text=words))
                kept += 1

    # ------------------------------------------------------------------------------------------------- undone

    def _done_in(self, number: int) -> frozenset[str]:
        """What a step did; asked only when something was undone."""
        found = self._signatures.get(number)
        if found is None:
            found = self._signatures[number] = signature(self._log.steps[number - 1 - self._log.before].commands)
        return found

    def _undo(self, taken_back: Sequence[Command]) -> None:
        """Find the step that these inverse commands take back: the latest one that they mirror, else the latest one left."""
        step = self._number
        mirror = signature(taken_back, inverse=True)
        steps = range(self._log.before + 1, step)
        left = [number for number in steps if number not in self.undone and number not in self._undoes]
        target = next((number for number in reversed(left) if mirror and mirror == self._done_in(number)), None)
        if target is None:
            target = next((number for number in reversed(left) if mirror & self._done_in(number)), None)
        redone = None
        if target is None:
            standing = [number for number in self._undoes if number not in self.undone]
            redone = next((n for n in reversed(standing) if mirror and mirror == self._done_in(n)), None)
        if redone is not None:
            self.undone.add(redone)
            self.undone.discard(self._undoes[redone])
        elif target is not None or left:
            target = target if target is not None else left[-1]
            self.undone.add(target)
            self._undoes[step] = target
        self._signatures[step] = signature(taken_back)
        self._add("undo", value=str(target or redone or ""))


def _field(kind: str, name: str) -> str:
    trait, _, rest = kind.partition(";")
    fields = sequence.decode(rest, ";")
    index = TRAITS[trait].names.index(name)
    return fields[index] if index < len(fields) else ""


_ACTS: Final[dict[type, Callable[[Steps, Any], None]]] = {kind: Steps._apply_quietly for kind in get_args(Command)} | {
    AddPiece: Steps._place,
    ChangePiece: Steps._change,
    Chat: Steps._chat,
    MovePiece: Steps._move,
    PropertyChange: Steps._property,
    RemovePiece: Steps._remove,
    Turn: Steps._turn,
}
"""How each command is carried out. Not by ``match``: to be none of its classes costs many times what it costs to be one."""
