"""Positions that come with the module: they load, take no side, and hold the module's own pieces, where they can stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal import grid as grids
from modgen.formats.vassal.pieces import Piece, Trait
from modgen.formats.vassal.traits import TRAITS
from modgen.formats.vassal.turns import Level, LevelState, parse_state
from modgen.formats.vassal.validate.model import Check, Definition, Found, Setup, Severity, Subject, listed, quoted, trait_name
from modgen.formats.vassal.validate.properties import names as defined_names

_AT_START = ("module.map.SetupStack", "module.map.DrawPile")


def _loaded(subject: Subject) -> Iterator[tuple[Setup, list[cmd.Command]]]:
    for setup in subject.setups:
        if setup.save is not None:
            yield setup, list(setup.save.commands)


def _pieces(subject: Subject) -> Iterator[tuple[Setup, str, Piece]]:
    for setup in subject.setups:
        if setup.save is not None:
            for piece in setup.save.pieces.values():
                yield setup, f"{setup.where}: piece {piece.id} {quoted(piece.name)}", piece


def _unreadable(subject: Subject) -> Iterator[Found]:
    for setup in subject.setups:
        if setup.save is None:
            yield Found(setup.where, f"cannot be loaded: {setup.problem}", "a save (.vsav)")


def _brackets(subject: Subject) -> Iterator[Found]:
    for setup, commands in _loaded(subject):
        if not any(isinstance(command, cmd.BeginSave) for command in commands):
            yield Found(setup.where, "has no begin_save: what is on the table stays there", "begin_save first")
        if not any(isinstance(command, cmd.EndSave) for command in commands):
            yield Found(setup.where, "has no end_save: the pieces load, but the game counts as not begun", "end_save last")


def _placed_line(subject: Subject) -> Iterator[Found]:
    at_start = any(found.children for found in subject.all(*_AT_START))
    for setup in subject.setups:
        if setup.save is not None and not setup.save.setup_placed:
            if at_start:
                yield Found(setup.where, "has no SETUP_STACK line: the module's at-start pieces come a second time", "one SETUP_STACK line")
            else:
                yield Found(setup.where, "has no SETUP_STACK line", "one SETUP_STACK line", Severity.NOTE)


def _players(subject: Subject) -> Iterator[Found]:
    for setup, commands in _loaded(subject):
        for player in dict.fromkeys(command for command in commands if isinstance(command, cmd.Player)):
            what = f"the side {quoted(player.side)} is taken by {quoted(player.name)}, whose password everybody can read"
            yield Found(setup.where, what, "no PLAYER line")


def _boards(subject: Subject) -> Iterator[Found]:
    for setup, commands in _loaded(subject):
        placed: set[str] = set()
        for command in commands:
            if not isinstance(command, cmd.Boards):
                continue
            placed.add(command.map)
            each = subject.module.map(command.map)
            if each is None:
                yield Found(
                    setup.where,
                    f"places boards on the map {quoted(command.map)}, which does not exist",
                    listed(m.name for m in subject.module.maps),
                )
                continue
            for place in command.boards:
                if each.board(place.name) is None:
                    what = f"places the board {quoted(place.name)}, which the map {quoted(each.name)} does not have: the map is empty"
                    yield Found(setup.where, what, listed(board.name for board in each.boards))
        for each in subject.module.maps:
            if len(each.boards) > 1 and not each.default and each.name not in placed:
                yield Found(setup.where, f"does not say which boards lie on the map {quoted(each.name)}", "a BoardPicker line")


def _unexpanded(subject: Subject) -> Iterator[Found]:
    for _, where, piece in _pieces(subject):
        if any(trait.id == "prototype" for trait in piece.traits):
            what = "holds a prototype unexpanded: its step, marks and hits cannot be read, and Refresh Counters loses them"
            yield Found(where, what, "the prototype's own traits in its place")


def _gpids(subject: Subject) -> Iterator[Found]:
    for _, where, piece in _pieces(subject):
        if not piece.gpid:
            yield Found(where, "has no gpid: Refresh Counters cannot find its slot", "the gpid of its slot")
        elif piece.gpid not in subject.by_gpid:
            yield Found(where, f"has the gpid {piece.gpid}, which no slot of the module has", "the gpid of its slot")


def _pairs(subject: Subject) -> Iterator[tuple[str, Piece, Definition, Piece]]:
    """(place, piece, its slot, the slot's piece expanded) of every piece of a set-up whose slot is known."""
    expanded: dict[str, Piece] = {}
    for _, where, piece in _pieces(subject):
        slot = subject.by_gpid.get(piece.gpid)
        if slot is None or any(trait.id == "prototype" for trait in piece.traits):
            continue
        if piece.gpid not in expanded and (made := subject.expanded(slot)) is not None:
            expanded[piece.gpid] = made
        if piece.gpid in expanded:
            yield where, piece, slot, expanded[piece.gpid]


def same_text(trait: Trait) -> tuple[str, ...]:
    """A trait's type with every field in its place: what the engine writes of it, whatever was left out at the end."""
    spec = TRAITS.get(trait.id)
    fields = list(trait.fields)
    if spec is not None and trait.id not in ("mark", "prototype"):
        fields += [default for _, default in spec.fields[len(fields) :]]
        # The coming version of the engine adds fields at the end.
        fields = fields[: len(spec.fields)] if trait.id in ("footprint", "locCommand") else fields
    return (trait.id, *fields)


def _traits(subject: Subject) -> Iterator[Found]:
    for where, piece, slot, made in _pairs(subject):
        have = Counter(same_text(trait) for trait in piece.traits[:-1])
        want = Counter(same_text(trait) for trait in made.traits[:-1])
        if have == want:
            continue
        lacking, extra = list((want - have).elements()), list((have - want).elements())
        ids = [fields[0] for fields in lacking] or [fields[0] for fields in extra]
        number = len(lacking) or len(extra)
        first = next((trait_name(t, n) for n, t in enumerate(made.traits[:-1], 1) if same_text(t) in lacking), ids[0])
        what = f"{number} of its traits differ from those of its slot {quoted(slot.name)} ({first}): Refresh Counters resets them"
        yield Found(where, what, "the slot's traits, expanded")


def _faces(subject: Subject) -> Iterator[Found]:
    for where, piece, slot, made in _pairs(subject):
        if (piece.name, piece.basic.image) != (made.name, made.basic.image):
            slots = f"{quoted(slot.name)} with {quoted(made.basic.image)}"
            yield Found(where, f"is {quoted(piece.name)} with the picture {quoted(piece.basic.image)}; its slot has {slots}", "the slot's")
        here, there = piece.markers(), made.markers()
        wrong = [f"{name} {here[name]}, {there[name]} in the slot" for name in here if name in there and here[name] != there[name]]
        if wrong:
            yield Found(where, f"has other values than its slot: {listed(wrong)}", "the slot's")


def _places(subject: Subject) -> Iterator[Found]:
    for setup in subject.setups:
        if setup.save is None:
            continue
        save = setup.save
        layouts = {each.name: each.placed(save.boards.get(each.name)) for each in subject.module.maps}
        for piece in save.pieces.values():
            where = f"{setup.where}: piece {piece.id} {quoted(piece.name)}"
            on, x, y = piece.place
            each = subject.module.map(on)
            if not on:
                yield Found(where, "stands on no map: nobody can see it", "a place on a map")
                continue
            if each is None:
                yield Found(where, f"stands on the map {quoted(on)}, which does not exist", listed(m.name for m in subject.module.maps))
                continue
            location = each.locate_on(layouts[each.name], x, y)
            board = each.board(location.board)
            if board is None:
                yield Found(where, f"stands at {x},{y} of {quoted(on)}, where no board lies", "a point of a board")
            elif location.name == "offboard" and _has_names(board.grid):
                yield Found(
                    where,
                    f"stands at {x},{y} of {quoted(on)}, a place without a name: reports call it offboard",
                    "a grid location or a zone",
                )


def _has_names(grid: grids.Grid | None) -> bool:
    """Whether a grid gives names to places at all."""
    match grid:
        case grids.HexGrid() | grids.SquareGrid():
            return grid.numbering is not None
        case grids.RegionGrid():
            return bool(grid.regions)
        case grids.ZonedGrid():
            return bool(grid.zones) or _has_names(grid.background)
        case _:
            return False


def _stacks(subject: Subject) -> Iterator[Found]:
    for setup in subject.setups:
        if setup.save is None:
            continue
        save = setup.save
        piles = [pile.members for pile in save.stacks.values()] + [pile.members for pile in save.decks.values()]
        held = Counter(member for members in piles for member in members)
        for member, count in held.items():
            if member not in save.pieces:
                yield Found(setup.where, f"a stack holds {member}, which is no piece: the engine leaves it out", "ids of pieces")
            elif count > 1:
                yield Found(setup.where, f"the piece {member} is in {count} stacks", "one stack a piece")
        for stack in save.stacks.values():
            for member in stack.members:
                piece = save.pieces.get(member)
                if piece is not None and piece.place != (stack.map, stack.x, stack.y):
                    what = f"stands at {piece.basic.x},{piece.basic.y}, its stack at {stack.x},{stack.y}"
                    yield Found(f"{setup.where}: piece {piece.id} {quoted(piece.name)}", what, "one place")
        ids = Counter(command.id for command in save.commands if isinstance(command, cmd.AddPiece))
        for piece_id, count in ids.items():
            if count > 1:
                yield Found(setup.where, f"{count} pieces have the id {piece_id}: only one of them is there", "an id of its own for each")


def _turns(subject: Subject) -> Iterator[Found]:
    for setup in subject.setups:
        for tracker_id, state in setup.save.turns.items() if setup.save is not None else ():
            tracker = subject.module.tracker(tracker_id)
            if tracker is None:
                count = len(subject.module.trackers)
                yield Found(
                    setup.where,
                    f"sets {tracker_id}, which the module does not have",
                    f"TurnTracker0 to {count - 1}" if count else "no TURN line",
                )
                continue
            try:
                made = parse_state(state)
            except ValueError:
                yield Found(setup.where, f"the state {quoted(state)} of {quoted(tracker.name)} cannot be read", "index|level|level...")
                continue
            if len(made.levels) != len(tracker.levels) or not 0 <= made.current < max(1, len(tracker.levels)):
                yield Found(
                    setup.where,
                    f"the state {quoted(state)} has {len(made.levels)} levels, {quoted(tracker.name)} {len(tracker.levels)}",
                    "the tracker's levels",
                )
                continue
            for level, state_of in zip(tracker.levels, made.levels, strict=True):
                yield from _level(setup.where, tracker.name, level, state_of)


def _level(where: str, tracker: str, level: Level, state: LevelState) -> Iterator[Found]:
    name = f"level {quoted(level.name)} of {quoted(tracker)}"
    if len(state.below) != len(level.below):
        yield Found(where, f"{name} has {len(state.below)} levels below it, in the module {len(level.below)}", "the tracker's levels")
        return
    if not level.counter:
        if not 0 <= state.value < len(level.values):
            yield Found(where, f"{name} stands at entry {state.value} of {len(level.values)}", f"0 to {len(level.values) - 1}")
        flags = state.extra[1].split(",") if state.extra[1] else []
        if flags and len(flags) != len(level.values):
            yield Found(where, f"{name} has {len(flags)} active flags for {len(level.values)} entries", "true or false for each")
        elif flags and not set(flags) <= {"true", "false"}:
            yield Found(where, f"{name} has the active flags {quoted(','.join(flags))}", "true or false for each")
        elif 0 <= state.value < len(flags) and flags[state.value] == "false":
            yield Found(where, f"{name} stands on {quoted(level.values[state.value])}, which is switched off", "an entry that is active")
    for one, other in zip(level.below, state.below, strict=True):
        yield from _level(where, tracker, one, other)


def _values(subject: Subject) -> Iterator[Found]:
    known = defined_names(subject).shared
    containers = {"Module", *(each.name for each in subject.module.maps)}
    for setup in subject.setups:
        for container, name in setup.save.properties if setup.save is not None else ():
            if name not in known:
                yield Found(setup.where, f"sets the property {quoted(name)}, which the module does not have", listed(sorted(known), 12))
            elif container and container not in containers and container.partition(":")[0] not in containers:
                yield Found(
                    setup.where,
                    f"sets {quoted(name)} of {quoted(container)}, which is neither Module nor a map nor MAP:ZONE",
                    listed(sorted(containers)),
                )


def _lines(subject: Subject) -> Iterator[Found]:
    for setup, commands in _loaded(subject):
        for command in commands:
            if isinstance(command, cmd.Unknown):
                yield Found(
                    setup.where, f"the line {quoted(command.text)} is no command: the engine ignores it without a word", command.why
                )


def _origin(subject: Subject) -> Iterator[Found]:
    module = subject.module
    for setup in subject.setups:
        save = setup.save
        if save is None:
            continue
        if save.module is None:
            if save.metadata is not None:
                yield Found(setup.where, "has no moduledata: the client asks whether to load it", "a copy of the module's own")
            continue
        if save.module.name != module.name:
            yield Found(setup.where, f"was made for the module {quoted(save.module.name)}: the client asks whether to load it", module.name)
        version = save.metadata.version if save.metadata is not None else save.module.version
        if version != module.version:
            yield Found(setup.where, f"was made for version {version}: the client says so at every start", module.version, Severity.WARNING)
        elif setup.module_data != module.module_data:
            yield Found(setup.where, "its moduledata is not the module's own, byte for byte", "", Severity.NOTE)


CHECKS = (
    Check("setup-unreadable", Severity.ERROR, "predefined set-ups can be loaded", "the menu entry fails", _unreadable),
    Check(
        "setup-brackets", Severity.ERROR, "set-ups begin with begin_save and end with end_save", "the game counts as not begun", _brackets
    ),
    Check("setup-placed", Severity.ERROR, "set-ups have the SETUP_STACK line", "all at-start pieces come twice", _placed_line),
    Check("setup-player", Severity.ERROR, "no side is taken in a set-up", "nobody can take it, and the password is in clear", _players),
    Check("setup-board", Severity.ERROR, "boards and maps of set-ups exist", "the map is empty", _boards),
    Check(
        "setup-prototype",
        Severity.ERROR,
        "pieces of set-ups are expanded",
        "their state cannot be read, and is lost on refresh",
        _unexpanded,
    ),
    Check("setup-gpid", Severity.ERROR, "every piece of a set-up comes from a slot", "Refresh Counters leaves it as it is", _gpids),
    Check("setup-traits", Severity.WARNING, "pieces of set-ups have their slots' traits", "Refresh Counters resets what differs", _traits),
    Check(
        "setup-face",
        Severity.WARNING,
        "pieces of set-ups have their slots' names, pictures and markers",
        "they play with old values",
        _faces,
    ),
    Check("setup-place", Severity.ERROR, "pieces of set-ups stand on a board, at a place with a name", "reports call it offboard", _places),
    Check("setup-stack", Severity.ERROR, "stacks of set-ups hold pieces that are there, once", "the engine leaves them out", _stacks),
    Check("setup-turn", Severity.ERROR, "turn trackers of set-ups are set to what they have", "the engine keeps the old turn", _turns),
    Check("setup-property", Severity.ERROR, "properties that set-ups set exist", "the engine leaves them out", _values),
    Check("setup-line", Severity.WARNING, "every line of a set-up is a command", "the engine ignores it", _lines),
    Check("setup-origin", Severity.ERROR, "set-ups are of this module and version", "the client asks, or says so, at every start", _origin),
)
