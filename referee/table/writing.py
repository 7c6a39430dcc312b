"""Played games written as VASSAL logs, as the engine would have logged them: for tests and benchmarks, never to be taken for genuine.

Generic: a game's ``showing`` module says where the counters lie and what the players would say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

from msgspec.structs import replace as replace_struct

from gamebox.model import Box
from gamebox.tabletalk import Talk, encode
from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal.buildfile import Module, Slot, read_module
from modgen.formats.vassal.grid import fill
from modgen.formats.vassal.logwriter import LogWriter
from modgen.formats.vassal.newgame import new_game, predefined
from modgen.formats.vassal.pieces import Piece, Stack, level_of
from modgen.formats.vassal.saves import LogFile, SaveFile, save_tokens
from modgen.formats.vassal.turns import Shown, TrackerState, parse_state, shown
from referee.rules.book import Book
from referee.rules.events import Lies
from referee.rules.model import Action, Roll
from referee.table.adopt import UNIT_MARKER, PieceMap
from referee.table.places import PLACE_TABLES
from referee.table.vassal import MARKER_MARKER

STYLES = ("talk", "chat", "silent")
"""How attacks are announced: by the module's own declarations, in chat, or not at all."""


FACE = "Face"
"""The layer of our modules that turns a counter over."""
TURNING = {True: ("stepSay", "flipSay"), False: ("restoreSay", "flipSay")}
"""Whether the back comes up -> the reports of our modules that say so."""


def _words(box: Box) -> dict[str, tuple[str, ...]]:
    """Place -> what modules of ours call it: number and name of a zone, the box of a display."""
    found: dict[str, tuple[str, ...]] = {}
    for table in PLACE_TABLES:
        for row in box.tables.get(table, ()):
            if row.values.get("name"):
                found[row.key] = (f"{row.key} {row.text('name')}",)
    for row in box.tables.get("boxes", ()):
        found[row.key] = (f"{row.text('name')} box", row.text("name"))
    return found


def _masked(piece: Piece, side: str) -> dict[int, str]:
    """Number of the mask's trait -> its state when it hides the piece from all but one side ("" = from nobody)."""
    index = next((i for i, t in enumerate(piece.traits) if t.id == "obs"), None)
    if index is None:
        return {}
    state = f"{side};false|0" if side else "null;"
    return {index: state} if piece.traits[index].state != state else {}


def _turned(piece: Piece, face: int) -> dict[int, str]:
    """Number of the layer that turns a piece over -> its state with this face up; nothing where it lies so."""
    index = next((i for i, t in enumerate(piece.traits) if t.id == "emb2" and t.field("name") == FACE), None)
    return {} if index is None or level_of(piece.traits[index].state)[0] == face else {index: str(face)}


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
        self.words = _words(box)
        self.pixels: dict[tuple[str, str], tuple[tuple[int, int], ...]] = {}
        """(map, place) -> where counters are put there, in this order."""
        self.names = self._box_names(box)
        arranged = self._arranged(start)
        if arranged is not start:
            self.log = LogWriter(arranged, module, cmd.Player("writer", "Writer", ""))
            self.pieces = {unit: piece for unit, piece in self.pieces.items() if piece in self.log.game.pieces}
        self.die = module.dice[0].name
        self.talk = 0
        self.flown = self._flown(self.log)

    def _pieces(self, box: Box, mapping: PieceMap | None) -> dict[str, str]:
        """Piece id, or the id of a marker of which there is one -> the client's piece."""
        ids = {p.id for p in box.pieces}
        found: dict[str, str] = {}
        for piece_id, live in self.log.game.pieces.items():
            piece = live.piece()
            markers = piece.markers()
            own = markers.get(UNIT_MARKER, "")
            if own not in ids and mapping is not None:
                match = mapping.find(piece.basic.gpid, piece.name, markers.items())
                own = match.piece if match is not None else ""
            if own not in ids:
                own = markers.get(MARKER_MARKER, "")
            if own:
                found.setdefault(own, piece_id)
        return found

    def _arranged(self, start: SaveFile) -> SaveFile:
        """The start with the scenario's own set-up and first turn, where the module's set-up is another one's: counters that the
        scenario does not have are left out."""
        game, log = self.book.game, self.log
        p = self.position
        lies = self.show.lies(game, p)
        places = {unit: lie.place for unit, lie in lies.items()}
        turn, phase = self.show.clock(game, p)
        on = self.module.map(self.map)
        assert on is not None
        gone: set[str] = set()
        moved: dict[str, tuple[int, int]] = {}
        if any(lie.map or lie.face or lie.masked for lie in lies.values()):
            return self._laid_out(start, lies, self._clock(parse_state(log.game.turns["TurnTracker0"]), turn, phase))
        for unit, piece_id in self.pieces.items():
            if unit not in lies:
                continue
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

    def _laid_out(self, start: SaveFile, lies: Mapping[str, Lies], clock: TrackerState) -> SaveFile:
        """The start with every counter as it is to lie: put there by a writer whose steps are thrown away."""
        fresh, self.log = self.log, LogWriter(start, self.module, cmd.Player("writer", "Writer", ""))
        for unit, lie in lies.items():
            if unit in self.pieces:
                now = self._as_laid(unit, lie)
                self._lay(unit, now, replace_struct(lie, masked=now.masked), at_start=True)
        self.flown = self._flown(self.log)
        self._fly(self.position)
        laid, self.log = self.log, fresh
        game = laid.game
        if not laid.steps and parse_state(game.turns["TurnTracker0"]) == clock:
            return start
        tokens = save_tokens(
            [live.piece() for live in game.pieces.values()],
            [stack for stack in game.stacks.values() if stack.members and stack.map],
            game.decks.values(),
            players=start.players,
            properties=[c for c in start.commands if isinstance(c, cmd.PropertyValue)],
            turns=[cmd.Turn("TurnTracker0", str(clock))],
            boards=[c for c in start.commands if isinstance(c, cmd.Boards)],
        )
        return replace(start, tokens=tokens)

    def _as_laid(self, unit: str, wanted: Lies) -> Lies:
        """How a counter lies now, in the words of ``wanted`` where it lies there already."""
        live = self.log.game.pieces[self.pieces[unit]]
        on, x, y = live.place
        name = wanted.map or self.map
        there = wanted.place and on == name and any(word in self._calls(on, x, y) for word in self._called(wanted.place))
        piece = live.piece()
        face = next((level_of(t.state)[0] for t in piece.traits if t.id == "emb2" and t.field("name") == FACE), 1)
        states = piece.dynamic()
        return Lies(
            wanted.place if there else "?",
            wanted.map,
            face if wanted.face else 0,
            tuple((name, states.get(name, "")) for name, _ in wanted.states),
            next((t.state.split(";")[0] for t in piece.traits if t.id == "obs" and not t.state.startswith("null")), ""),
        )

    def _calls(self, on: str, x: int, y: int) -> tuple[str, str]:
        """What the client calls a pixel, and the zone that it lies in."""
        found = self.module.map(on)
        location = found.locate(x, y, self.log.game.boards.get(on)) if found is not None else None
        return (location.name, location.zone) if location is not None else ("", "")

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
            for name in (row.text("name"), *(row.items("aliases") if "aliases" in row.values else ())):
                try:
                    self.log.pixel_of(name, self.map)
                except KeyError:
                    continue
                names.setdefault(row.key, name)
        return names

    def sit(self, sides: Iterable[tuple[str, str]]) -> None:
        """Seats players: (player in the rules, side in the client). A player with several sides has one seat."""
        seated: dict[str, cmd.Player] = {}
        for owner, side in sides:
            if side not in seated:
                seated[side] = cmd.Player(f"{owner}-secret", side, side)
                self.log.join(seated[side])
            self.players[owner] = seated[side]

    def play(self, p: Any, a: Action) -> Any:
        """Carries one action out on the table and returns the position after it."""
        game, book = self.book.game, self.book
        self._act_as(self.show.actor(game, p, a))
        said, talk = self.show.announcement(game, p, a)
        if said and (self.style == "chat" or (self.style == "talk" and not talk)):
            self.log.chat(said)  # also what the module has no words of its own for
        elif self.style == "talk":
            self._declare(talk)
        if isinstance(a, Roll):
            for thrower, die, faces in self.show.throws(game, p, a):
                self._act_as(thrower)
                self.log.roll(die or self.die, faces)
        for unit, place in self.show.stops(game, a):
            if unit in self.pieces:
                self._lay(unit, self.show.lies(game, p)[unit], Lies(place))
        here = p
        for stage in book.stages(p, a):
            self._catch_up(here, stage, self.show.together(game, a))
            here = stage
        self._fly(here)
        return here

    def _flags(self, p: Any) -> Mapping[str, str]:
        """Place -> the marker that flies over it, "" for none; nothing in games whose players put out no flags."""
        wanted: Mapping[str, str] = self.show.flags(self.book.game, p) if hasattr(self.show, "flags") else {}
        return wanted

    def _flown(self, log: LogWriter) -> dict[str, tuple[str, str]]:
        """Place -> (marker, the client's piece) of the flags that lie on the board."""
        wanted = self._flags(self.position)
        markers = set(self.show.FLAGS) if wanted else set()
        places = {word: place for place in wanted for word in self._called(place)}
        found: dict[str, tuple[str, str]] = {}
        for piece_id, live in log.game.pieces.items() if markers else ():
            on, x, y = live.place
            marker = live.markers().get(MARKER_MARKER, "") if on == self.map else ""
            place = next((places[word] for word in self._calls(on, x, y) if word in places), "") if marker in markers else ""
            if place:
                found[place] = (marker, piece_id)
        return found

    def _fly(self, p: Any) -> None:
        """The flags that are to fly over places: the old one of a place is deleted, the new one taken out of the module's counters."""
        for place, marker in self._flags(p).items():
            now, piece_id = self.flown.get(place, ("", ""))
            if now == marker:
                continue
            if now:
                self.log.delete(piece_id)
                del self.flown[place]
            if marker:
                slot = self._slot(marker)
                self.flown[place] = (marker, self.log.place(slot, *self._pixel(place, self.map, ()), self.map))

    def _slot(self, marker: str) -> Slot:
        """The counter of the module that gives out a marker. Raises KeyError when it has none."""
        for slot in self.module.slots:
            if slot.path and self.module.expanded(slot).markers().get(MARKER_MARKER, "") == marker:
                return slot
        raise KeyError(f"the module gives out no {marker}")

    def _act_as(self, who: str) -> None:
        player = self.players.get(who)
        if player is not None and player != self.log.player:
            self.log.act_as(player)

    def _catch_up(self, p: Any, q: Any, together: Sequence[str] = ()) -> None:
        """Drags what lies elsewhere now; what leaves with the end of a phase goes before the tracker is stepped."""
        game = self.book.game
        stepped = self.show.clock(game, p) != self.show.clock(game, q)
        before, after = self.show.lies(game, p), self.show.lies(game, q)
        changed = [u for u in before if before[u] != after[u] and u in self.pieces]
        first = set(self.show.leaving(game, p)) if stepped else set(changed)
        group = [u for u in together if u in first and u in changed and before[u].place != after[u].place]
        if len({(before[u].place, after[u].place) for u in group}) == 1 and len(group) > 1:
            self._drag(group, after[group[0]])
            before = before | {u: replace_struct(before[u], place=after[u].place, map=after[u].map) for u in group}
        for unit in changed:
            if unit in first:
                self._lay(unit, before[unit], after[unit])
        if stepped:
            self._step(self.show.clock(game, q))
        for unit in changed:
            if unit not in first:
                self._lay(unit, before[unit], after[unit])

    def _lay(self, unit: str, before: Lies, after: Lies, *, at_start: bool = False) -> None:
        """One counter from how it lay to how it lies: masked or unmasked, turned, marked, dragged."""
        piece = self.log.game.pieces[self.pieces[unit]].piece()
        states: dict[int, str] = {}
        if before.masked != after.masked:
            owner = self.players.get(after.masked)
            states |= _masked(piece, owner.side if owner is not None else after.masked)
        if before.place != after.place or before.map != after.map:
            if after.place:
                if after.face and before.face != after.face:
                    states |= _turned(piece, after.face)
                self._drag([unit], after, states=states)
        elif states:
            self.log.change(piece.id, states)
        if after.face and before.face != after.face:
            piece = self.log.game.pieces[piece.id].piece()
            if turn := _turned(piece, after.face):
                self.log.change(piece.id, turn, say="" if at_start else self._told(piece, after.face))
        if before.states != after.states:
            was = dict(before.states)
            for name, word in after.states:
                if was.get(name) != word:
                    piece = self.log.game.pieces[piece.id].piece()
                    index = next(i for i, t in enumerate(piece.traits) if t.id == "PROP" and t.field("name") == name)
                    self.log.change(piece.id, {index: word})

    def _told(self, piece: Piece, face: int) -> str:
        """The module's own report of a counter that is turned, filled in."""
        key = TURNING[face > 1]
        for trait in piece.traits:
            if trait.id == "report" and any(word in trait.text for word in key):
                on, x, y = self.log.game.pieces[piece.id].place
                turned = piece.name + (self._reverse(piece) if face > 1 else "")
                words = {"BasicName": piece.name, "PieceName": turned, "LocationName": self._calls(on, x, y)[0]}
                return fill(trait.field("format"), words)
        return ""

    @staticmethod
    def _reverse(piece: Piece) -> str:
        """What the back of a counter adds to its name."""
        names = next((t.field("level_names") for t in piece.traits if t.id == "emb2" and t.field("name") == FACE), "")
        return names.rpartition("+")[2] if "+" in names else ""

    def _put(self, unit: str, place: str) -> None:
        if place and unit in self.pieces:
            self._drag([unit], Lies(place))

    def _drag(self, units: Sequence[str], lie: Lies, *, states: Mapping[int, str] | None = None) -> None:
        ids = [self.pieces[unit] for unit in units]
        on = lie.map or self.map
        x, y = self._pixel(lie.place, on, ids)
        self.log.move(ids, x, y, on, states={ids[0]: states} if states else {})

    def _pixel(self, place: str, on: str, ids: Sequence[str]) -> tuple[int, int]:
        """Where a counter is put: the first free slot of a place that has slots, else its middle, or a pixel of it where the middle is
        none."""
        key = (on, place)
        if key not in self.pixels:
            self.pixels[key] = self._spots(place, on)
        found = self.pixels[key]
        if len(found) == 1:
            return found[0]
        taken = {(x, y) for i, live in self.log.game.pieces.items() if i not in ids for m, x, y in (live.place,) if m == on}
        return next((pixel for pixel in found if pixel not in taken), found[0])

    def _spots(self, place: str, on: str) -> tuple[tuple[int, int], ...]:
        for name in self._called(place):
            slots = []
            for number in range(1, 40):
                try:
                    slots.append(self.log.pixel_of(f"{name} {number}", on))
                except KeyError:
                    break
            if slots:
                return tuple(slots)
            try:
                middle = self.log.pixel_of(name, on)
            except KeyError:
                continue
            return (self._inside(name, on, middle),)
        raise KeyError(f"the map {on} has no place {place}")

    def _inside(self, name: str, on: str, middle: tuple[int, int]) -> tuple[int, int]:
        """The pixel nearest to the middle of a place's frame that is of the place."""
        if name in self._calls(on, *middle):
            return middle
        x, y = middle
        around = sorted((dx * dx + dy * dy, x + dx, y + dy) for dx in range(-240, 241, 16) for dy in range(-240, 241, 16))
        return next(((a, b) for _, a, b in around if name in self._calls(on, a, b)), middle)

    def _called(self, place: str) -> tuple[str, ...]:
        """What the client may call a place: as the module's names for boxes have it, by number and name, as the box of a display."""
        known = (self.names[place],) if place in self.names else ()
        return (*known, *self.words.get(place, ()), place)

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
