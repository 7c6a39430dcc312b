"""Writes play as the engine logs it: drags, dice, tracker steps, send-tos, deletions, chat, table talk, undo.

Every operation becomes one step with the commands, and the nesting, that the engine's own logger gives the same act. The
commands that it cannot encode (changed properties of a moved piece) stand as ``null``, as in its files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal import sequence
from modgen.formats.vassal.buildfile import Map, Module, Slot
from modgen.formats.vassal.grid import ZonedGrid, fill, hex_grids
from modgen.formats.vassal.pieces import Basic, Piece, Trait
from modgen.formats.vassal.replay import Game
from modgen.formats.vassal.saves import LogFile, SaveFile
from modgen.formats.vassal.steps import Step
from modgen.formats.vassal.turns import advance, parse_state, shown

MAP_ID = "Map0"
"""What movement trails call the first map."""
_OLD = ("OldZone", "OldLocationName", "OldDeckName", "OldX", "OldY", "OldBoard", "OldMap")


def java_hash(text: str) -> int:
    """Java's String.hashCode, spread as a HashMap does."""
    value = 0
    data = text.encode("utf-16-be")
    for index in range(0, len(data), 2):
        value = (31 * value + (data[index] << 8) + data[index + 1]) & 0xFFFFFFFF
    return value ^ (value >> 16)


def hash_order(props: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Properties in the order in which the engine writes them: that of a Java HashMap filled in the order given."""
    pairs = tuple(props)
    size = 16
    while len(pairs) > size * 3 // 4:
        size *= 2
    return tuple(sorted(pairs, key=lambda pair: java_hash(pair[0]) & (size - 1)))


@dataclass
class _Node:
    """A logged command, its inverse, and what is nested below it."""

    command: cmd.Command
    inverse: cmd.Command | None
    below: list[_Node] = field(default_factory=list)
    remembered: tuple[str, tuple[tuple[str, str], ...]] | None = None
    """Piece and its properties before: what the inverse of unencodable commands brings back."""

    def append(self, other: _Node | None) -> _Node:
        if other is not None:
            self.below.append(other)
        return self

    def walk(self) -> Iterable[_Node]:
        yield self
        for child in self.below:
            yield from child.walk()

    def undo(self) -> _Node | None:
        """The inverse commands: the last one first, each nested as the engine nests them."""
        root: _Node | None = None
        for child in reversed(self.below):
            root = _join(root, child.undo())
        return _join(root, None if self.inverse is None else _Node(self.inverse, self.command))

    def flat(self, depth: int = 0) -> Iterable[tuple[int, str]]:
        yield depth, str(cmd.Log(self.command))
        for child in self.below:
            yield from child.flat(depth + 1)


def _join(root: _Node | None, other: _Node | None) -> _Node | None:
    return root.append(other) if root is not None else other


def _nulls(count: int, remembered: tuple[str, tuple[tuple[str, str], ...]] | None = None) -> _Node | None:
    """``count`` changed properties: the first one holds the others."""
    if not count:
        return None
    root = _Node(cmd.Null(), cmd.Null(), remembered=remembered)
    for _ in range(count - 1):
        root.append(_Node(cmd.Null(), cmd.Null()))
    return root


class LogWriter:
    """Records play on a position. Pieces are named by their ids in the save; places are map pixels.

    ``player`` is who acts; ``act_as`` changes him. ``new_id`` gives ids for new stacks and pieces (decimal text); by default they
    count on from the highest id of the save, so the same play gives the same log.
    Raises KeyError for a piece that is not on the table.
    """

    def __init__(self, start: SaveFile, module: Module, player: cmd.Player, *, new_id: Callable[[], str] | None = None) -> None:
        self.start = start
        self.module = module
        self.player = player
        self.game = Game().run(start.commands)
        self._steps: list[tuple[tuple[int, str], ...]] = []
        self._done: list[_Node] = []
        known = [*self.game.pieces, *self.game.stacks, *self.game.decks]
        self._last_id = max((int(name) for name in known if name.isdecimal()), default=1_000_000_000_000) + 1000
        self._new_id = new_id or self._count

    def _count(self) -> str:
        self._last_id += 1
        return str(self._last_id)

    # -------------------------------------------------------------------------------------------- steps

    def act_as(self, player: cmd.Player) -> None:
        """From now on this player acts."""
        self.player = player

    def join(self, player: cmd.Player) -> None:
        """A player takes a side, and acts from now on."""
        self._step(_Node(player, cmd.PlayerLeaves(player.id)))
        self.player = player

    def chat(self, words: str) -> None:
        """The player says something."""
        name, text = (part.replace("<", "&lt;").replace(">", "&gt;") for part in (self.player.name, words))
        self._report_step(f"&lt;{name}&gt; - {text}")

    def report(self, text: str) -> None:
        """A line of the engine's own, given whole (``* ...``)."""
        self._report_step(text)

    def _report_step(self, text: str) -> None:
        self._step(_chat(text))

    def move(
        self,
        piece_ids: Sequence[str],
        x: int,
        y: int,
        map_name: str = "",
        *,
        report: bool = True,
        states: Mapping[str, Mapping[int, str]] = MappingProxyType({}),
        say: str = "",
    ) -> None:
        """Drag these pieces (of one stack, bottom first) to a pixel; ``map_name`` "" is the map they stand on. ``states``: piece ->
        number of a trait -> the state that it takes before it goes (a card drawn face down is masked). ``say``: a report of its own."""
        first = self.game.pieces[piece_ids[0]]
        old_map = first.basic.map
        to_map = map_name or old_map
        before = self._location(old_map, first.basic.x, first.basic.y)
        names = [self._name(piece_id) for piece_id in piece_ids]
        root: _Node | None = None
        for piece_id in piece_ids:
            if states.get(piece_id):
                root = _join(root, self._with_states(piece_id, states[piece_id]))
            root = _join(root, self._prepare(piece_id))
            root = self._moved(root, piece_id, to_map, x, y)
        if report:
            after = self._location(to_map, x, y)
            on = self._map(to_map)
            pattern = on.formats.get("moveWithinFormat" if to_map == old_map else "moveToFormat", "") if on else ""
            words = fill(pattern, {"pieceName": ", ".join(names), "previousLocation": before, "location": after})
            root = _join(root, _report(words) if words else None)
        self._step(_join(root, _report(say)) if say else root)

    def _with_states(self, piece_id: str, states: Mapping[int, str]) -> _Node:
        """Traits by their numbers, outermost first, brought into other states."""
        live = self.game.pieces[piece_id]
        texts = [trait.state for trait in live.piece().traits]
        for index, text in states.items():
            texts[index] = text
        return self._change(piece_id, sequence.encode_nested(texts, "\t"), live.state)

    def change(self, piece_id: str, states: Mapping[int, str], *, say: str = "") -> None:
        """Bring traits of a piece into other states by a key of its own, with the report ``say``."""
        root = self._clicked(piece_id)
        changed = self._with_states(piece_id, states)
        if say:
            changed.append(_report(say))
        self._step(_join(root, changed))

    def move_to(self, piece_ids: Sequence[str], place: str, map_name: str = "", *, report: bool = True) -> None:
        """Drag to a hex, zone or region by its name. Raises KeyError for a place that the module does not have."""
        to_map = map_name or self.game.pieces[piece_ids[0]].basic.map
        x, y = self.pixel_of(place, to_map)
        self.move(piece_ids, x, y, to_map, report=report)

    def roll(self, die: str, faces: Sequence[int]) -> None:
        """Throw a die button of the module."""
        result, total = ",".join(map(str, faces)), str(sum(faces))
        counts = ", ".join(f"{face} x{list(faces).count(face)}" for face in sorted(set(faces)))
        name = self.player.name
        root = _chat(f"*** {die} = {result} *** <{name}>")
        for prop, first, value in (("result", "1", result), ("total", "0", total), ("keep", "0", str(len(faces))), ("summary", "", counts)):
            key = ("Module", f"{die}_{prop}")
            root.append(self._property(key[1], self.game.properties.get(key, first), value, "Module"))
        self._step(root)

    def next_phase(self, tracker: int = 0) -> None:
        """One step of a turn tracker."""
        tracker_id = f"TurnTracker{tracker}"
        self.set_turn(str(advance(self.module.trackers[tracker], parse_state(self.game.turns[tracker_id]))), tracker)

    def set_turn(self, state: str, tracker: int = 0) -> None:
        """Put a turn tracker into this state."""
        tracker_id = f"TurnTracker{tracker}"
        kind = self.module.trackers[tracker]
        old = self.game.turns.get(tracker_id, "")
        words = {
            "oldTurn": shown(kind, parse_state(old)).text if old else "",
            "newTurn": shown(kind, parse_state(state)).text,
            "PlayerId": self.player.name,
            "playerId": self.player.name,
            "PlayerName": self.player.name,
        }
        root = _report(fill(kind.report, words))
        root.append(_Node(cmd.Turn(tracker_id, state), cmd.Turn(tracker_id, old)))
        self._step(root)

    def send(self, piece_id: str, menu: str = "", *, say: str = "") -> None:
        """Use a send-to trait (the first, or that of this menu name), by its key, with the report ``say``."""
        live = self.game.pieces[piece_id]
        piece = live.piece()
        index, trait = next(
            (i, t) for i, t in enumerate(piece.traits) if t.id == "sendto" and (not menu or t.field("menu") == menu)
        )
        root = self._clicked(piece_id)
        basic = live.basic
        old_state = live.state
        states = [t.state for t in live.piece().traits]
        states[index] = sequence.encode((basic.map, str(basic.x), str(basic.y)), ";")
        changed = self._change(piece_id, sequence.encode_nested(states, "\t"), old_state)
        to_map = trait.field("map") or basic.map
        x, y = self.pixel_of(trait.field("zone") or trait.field("region") or trait.field("grid_location"), to_map)
        changed.append(self._old_place(piece_id))
        node = self._moved(None, piece_id, to_map, x, y)
        changed.append(node)
        if say:
            changed.append(_report(say))
        self._step(_join(root, changed))

    def delete(self, piece_id: str) -> None:
        """Delete a piece by its key: the engine logs no words for it."""
        live = self.game.pieces[piece_id]
        root = self._clicked(piece_id)
        gone = _join(self._old_place(piece_id), _Node(cmd.RemovePiece(piece_id), cmd.AddPiece(piece_id, live.type, live.state)))
        self.game.apply(cmd.RemovePiece(piece_id))
        self._step(_join(root, gone))

    def place(self, slot: Slot, x: int, y: int, map_name: str) -> str:
        """Drag a new piece out of a palette; its id is returned."""
        piece_id = self._new_id()
        piece = self.module.expanded(slot).named(piece_id)
        piece = piece.with_basic(self._with_old(piece.basic))
        location = self._location(map_name, x, y)
        target = "" if _never_stacks(piece) else self.game.top_of(map_name, x, y)
        root = _nulls(len(_OLD))
        if target:
            added = cmd.AddPiece(piece_id, piece.type, piece.state)
            self.game.apply(added)
            node = _Node(added, cmd.RemovePiece(piece_id))
            node.append(self._moved(None, piece_id, map_name, x, y))
        else:
            piece = piece.placed(map_name, x, y)
            added = cmd.AddPiece(piece_id, piece.type, piece.state)
            self.game.apply(added)
            node = _Node(added, cmd.RemovePiece(piece_id))
        root = _join(root, node)
        if not target and not _never_stacks(piece):
            root = _join(root, self._new_stack(piece_id, map_name, x, y))
        on = self._map(map_name)
        words = fill(on.formats.get("createFormat", "") if on else "", {"pieceName": piece.name, "location": location})
        self._step(_join(root, _report(words) if words else None))
        return piece_id

    def set_layer(self, piece_id: str, name: str, level: int, *, say: str = "") -> None:
        """Turn a named layer of a piece to a level, by its key, with the report ``say``."""
        live = self.game.pieces[piece_id]
        traits = live.piece().traits
        index = next(i for i, t in enumerate(traits) if t.id == "emb2" and t.field("name") == name)
        root = self._clicked(piece_id)
        old_state = live.state
        states = [t.state for t in live.piece().traits]
        states[index] = str(level)
        changed = self._change(piece_id, sequence.encode_nested(states, "\t"), old_state)
        if say:
            changed.append(_report(say))
        self._step(_join(root, changed))

    def set_property(self, name: str, value: str, container: str = "Module") -> None:
        """Change a global property."""
        old = self.game.properties.get((container, name), self.module.properties.get(name, ""))
        self._step(self._property(name, old, value, container))

    def talk(self, line: str, number: int, *, register: str = "Talk", counter: str = "TalkN") -> None:
        """A line of table talk: the running number, then the line."""
        root = self._property(counter, self.game.properties.get(("Module", counter), "0"), str(number), "Module")
        root.append(self._property(register, self.game.properties.get(("Module", register), ""), line, "Module"))
        self._step(root)

    def undo(self) -> None:
        """Take the last step back. Raises ValueError when there is none."""
        if not self._done:
            raise ValueError("nothing is left to undo")
        done = self._done.pop()
        undone = done.undo()
        root = _Node(cmd.Undo(True), None)
        root.append(undone)
        root.append(_Node(cmd.Undo(False), None))
        self._steps.append(tuple(root.flat()))
        for _, text in root.flat():
            self.game.apply(cmd.parse_command(text))
        for node in reversed(list(done.walk())):
            live = self.game.pieces.get(node.remembered[0]) if node.remembered else None
            if live is not None and node.remembered is not None:
                live.set_state(live.piece().with_basic(replace(live.basic, props=node.remembered[1])).state)

    # ------------------------------------------------------------------------------------------ result

    @property
    def steps(self) -> int:
        """How many steps were recorded."""
        return len(self._steps)

    def log(self) -> LogFile:
        """What was recorded."""
        return LogFile(self.start, tuple(Step(number, tokens) for number, tokens in enumerate(self._steps, 1)))

    def pixel_of(self, place: str, map_name: str) -> tuple[int, int]:
        """The pixel of a hex, region or zone (its middle) on a map. Raises KeyError."""
        on = self._map(map_name)
        for board, left, top, _ in on.placed(self.game.boards.get(map_name)) if on else ():
            for grid in hex_grids(board.grid):
                pixel = grid.pixel_of(place)
                if pixel is not None:
                    return pixel[0] + left, pixel[1] + top
            if isinstance(board.grid, ZonedGrid):
                found = _in_zones(board.grid, place)
                if found is not None:
                    return found[0] + left, found[1] + top
        raise KeyError(f"the map {map_name} has no place {place}")

    # ---------------------------------------------------------------------------------------- building

    def _step(self, root: _Node | None) -> None:
        if root is None:
            return
        self._steps.append(tuple(root.flat()))
        self._done.append(root)
        for _, text in root.flat():
            command = cmd.parse_command(text)
            # Pieces, stacks and their states were changed while the step was built: later parts depend on earlier ones.
            if isinstance(command, cmd.Log) and not isinstance(
                command.command, cmd.MovePiece | cmd.ChangePiece | cmd.AddPiece | cmd.RemovePiece
            ):
                self.game.apply(command)

    def _map(self, name: str) -> Map | None:
        return self.module.map(name)

    def _location(self, map_name: str, x: int, y: int) -> str:
        on = self._map(map_name)
        return on.location_name(x, y, self.game.boards.get(map_name)) if on else ""

    def _name(self, piece_id: str) -> str:
        """The piece's name with what its layers add to it."""
        piece = self.game.pieces[piece_id].piece()
        name = piece.name
        for trait in reversed(piece.traits):
            if trait.id == "emb2":
                name = _layered(trait, name)
        return name

    def _with_old(self, basic: Basic) -> Basic:
        """The piece remembers where it is now."""
        zone = location = deck = board = ""
        if basic.map:
            on = self._map(basic.map)
            found = on.locate(basic.x, basic.y, self.game.boards.get(basic.map)) if on else None
            if found is not None:
                zone, location, board = found.zone, found.name, found.board
        values = dict(zip(_OLD, (zone, location, deck, str(basic.x), str(basic.y), board, basic.map), strict=True))
        props = dict(basic.props) | values
        return replace(basic, props=hash_order(props.items()))

    def _old_place(self, piece_id: str) -> _Node | None:
        """The piece remembers where it was: one unencodable command for every value that changes."""
        live = self.game.pieces[piece_id]
        old = dict(live.basic.props)
        in_deck = self.game.in_stack.get(piece_id, "")
        basic = self._with_old(live.basic)
        if in_deck in self.game.decks:
            props = dict(basic.props) | {"OldDeckName": self.game.decks[in_deck].name}
            basic = replace(basic, props=tuple(props.items()))
        new = dict(basic.props)
        live.set_state(live.piece().with_basic(basic).state)
        return _nulls(sum(old.get(name) != new[name] for name in _OLD), (piece_id, tuple(old.items())))

    def _clicked(self, piece_id: str) -> _Node | None:
        live = self.game.pieces[piece_id]
        old = dict(live.basic.props)
        props = {**old, "ClickedX": "0", "ClickedY": "0"}
        live.set_state(live.piece().with_basic(replace(live.basic, props=hash_order(props.items()))).state)
        return _nulls(sum(old.get(name) != "0" for name in ("ClickedX", "ClickedY")), (piece_id, tuple(old.items())))

    def _change(self, piece_id: str, new: str, old: str) -> _Node:
        command = cmd.ChangePiece(piece_id, new, old)
        self.game.apply(command)
        return _Node(command, cmd.ChangePiece(piece_id, old, new))

    def _prepare(self, piece_id: str) -> _Node | None:
        """What happens before a piece is dragged: it remembers its place, is marked as moved, and its trail grows."""
        root = self._old_place(piece_id)
        live = self.game.pieces[piece_id]
        old_state = live.state
        traits = live.piece().traits
        states = [_moved_state(trait, live.basic) for trait in traits]
        new_state = sequence.encode_nested(states, "\t")
        if new_state != old_state:
            root = _join(root, self._change(piece_id, new_state, old_state))
        return root

    def _moved(self, root: _Node | None, piece_id: str, map_name: str, x: int, y: int) -> _Node:
        live = self.game.pieces[piece_id]
        basic = live.basic
        under, old_under = self.game.top_of(map_name, x, y), self._below(piece_id)
        if under == piece_id:
            under = old_under
        if _never_stacks(live.piece()):
            under = ""
        command = cmd.MovePiece(piece_id, map_name, x, y, under, basic.map, basic.x, basic.y, old_under, self.player.id)
        inverse = cmd.MovePiece(piece_id, basic.map, basic.x, basic.y, old_under, map_name, x, y, under, self.player.id)
        self.game.apply(command)
        node = _Node(command, inverse)
        stack = None
        if not under and not _never_stacks(live.piece()) and not self._in_deck(piece_id):
            stack = self._new_stack(piece_id, map_name, x, y)
        if root is None:
            return node.append(stack)
        root.append(node)
        return root.append(stack)

    def _in_deck(self, piece_id: str) -> bool:
        return self.game.in_stack.get(piece_id, "") in self.game.decks

    def _below(self, piece_id: str) -> str:
        holder = self.game.in_stack.get(piece_id, "")
        members: tuple[str, ...] = ()
        if holder in self.game.stacks:
            members = self.game.stacks[holder].members
        elif holder in self.game.decks:
            members = self.game.decks[holder].members
        at = members.index(piece_id) if piece_id in members else 0
        return members[at - 1] if at else ""

    def _new_stack(self, piece_id: str, map_name: str, x: int, y: int) -> _Node:
        layer = self._layer(piece_id, map_name)
        stack_id = self._new_id()
        state = sequence.encode((map_name, str(x), str(y), piece_id, f"@@{layer}"), ";")
        command = cmd.AddPiece(stack_id, "stack", state)
        self.game.apply(command)
        return _Node(command, cmd.RemovePiece(stack_id))

    def _layer(self, piece_id: str, map_name: str) -> int:
        on = self._map(map_name)
        if on is None or not on.layer_property:
            return 1
        piece = self.game.pieces[piece_id].piece()
        value = piece.markers().get(on.layer_property) or piece.dynamic().get(on.layer_property, "")
        return on.layer_order.index(value) if value in on.layer_order else len(on.layer_order)

    def _property(self, name: str, old: str, new: str, container: str) -> _Node:
        self.game.properties[container, name] = new
        return _Node(cmd.PropertyChange(name, old, new, container), cmd.PropertyChange(name, new, old, container))


def _chat(text: str) -> _Node:
    return _Node(cmd.Chat(text), cmd.Chat("* UNDO: " + text))


def _report(words: str) -> _Node:
    """A report of the engine: an asterisk goes before it."""
    return _chat("* " + words)


def _never_stacks(piece: Piece) -> bool:
    return any(trait.id == "mat" or (trait.id == "immob" and trait.field("stack") == "R") for trait in piece.traits)


def _moved_state(trait: Trait, basic: Basic) -> str:
    """A trait's state once the piece begins a drag from where it is."""
    if trait.id == "markmoved":
        return "true"
    if trait.id != "footprint":
        return trait.state
    parts = sequence.decode(trait.state, ";")
    if len(parts) < 3 or not parts[2].isdecimal():
        return trait.state
    count = int(parts[2])
    points, rest = parts[3 : 3 + count], parts[3 + count :]
    if parts[1] != MAP_ID:
        points = []
    here = f"{basic.x},{basic.y}"
    if not points or points[-1] != here:
        points.append(here)
    return sequence.encode((parts[0], MAP_ID, str(len(points)), *points, "true", *rest[1:]), ";")


def _layered(trait: Trait, name: str) -> str:
    """A name with the words of the layer's current level: ``+x`` behind it, ``x+`` before it, others in its place."""
    state = trait.state.partition(";")[0]
    level = int(state) if state.lstrip("-").isdecimal() else 1
    names = sequence.decode(trait.field("level_names"), ",")
    word = names[level - 1] if 0 < level <= len(names) else ""
    if word.startswith("+"):
        return name + word[1:]
    if word.endswith("+"):
        return word[:-1] + name
    return word or name


def _in_zones(grid: ZonedGrid, place: str) -> tuple[int, int] | None:
    for zone in grid.zones:
        regions = getattr(zone.grid, "regions", ())
        for name, x, y in regions:
            if name == place:
                return x, y
        if zone.name == place and zone.path:
            xs, ys = [p[0] for p in zone.path], [p[1] for p in zone.path]
            return (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2
    return None
