"""What is sent where: key commands to pieces, and pieces to places."""

from __future__ import annotations

from collections.abc import Iterator

from modgen.formats.vassal import engine, sequence
from modgen.formats.vassal import grid as grids
from modgen.formats.vassal.buildfile import Board, Map
from modgen.formats.vassal.engine import Kind
from modgen.formats.vassal.pieces import Trait
from modgen.formats.vassal.validate.boards import place_on
from modgen.formats.vassal.validate.model import ZONE, Check, Found, Severity, Subject, listed, quoted
from modgen.formats.vassal.validate.structure import is_number, typed
from modgen.formats.vassal.validate.traits import fields_of

_COMMANDS = {
    "module.GlobalKeyCommand": "MODULE",
    "module.StartupGlobalKeyCommand": "MODULE",
    "module.map.MassKeyCommand": "MAP",
    "module.map.DeckGlobalKeyCommand": "DECK",
}
_OF_TRAITS = ("globalkey", "setpieceprop", "attach")
_TYPES = ("CURSTACK", "CURMAP", "CURZONE", "CURLOC", "MAP", "ZONE", "LOCATION", "XY", "DECK", "CURMAT", "CURATTACH")
_COMPARES = ("EQUALS", "NOT_EQUALS", "GREATER", "GREATER_EQUALS", "LESS", "LESS_EQUALS", "MATCH", "NOT_MATCH")
_TARGET_FIELDS = 16
_DESTINATIONS = "LGZRACN"


def _conditions(subject: Subject) -> Iterator[Found]:
    for found in subject.all(*_COMMANDS):
        if "condition" in found.attributes and not found.get("condition"):
            yield Found(subject.place(found), 'condition="" makes it match no piece at all', "no condition attribute")


def _targets(subject: Subject) -> Iterator[tuple[str, str, str]]:
    """(place, what kind of command it belongs to, target) of every target that is written."""
    for found, _, _, value in typed(subject, Kind.TARGET):
        if value:
            yield subject.place(found), _COMMANDS.get(engine.short(found), ""), value
    for definition in subject.definitions:
        for where, trait in definition.traits():
            value = fields_of(trait).get("target", "") if trait.id in _OF_TRAITS else ""
            if value:
                yield where, "COUNTER", value


def _target_forms(subject: Subject) -> Iterator[Found]:
    for where, owner, value in _targets(subject):
        fields = sequence.decode(value, "|")
        kinds = ("COUNTER", "MAP", "MODULE", "DECK")
        if fields[0] not in kinds:
            yield Found(where, f"its target {quoted(value)} begins with {quoted(fields[0])}", owner or " or ".join(kinds))
        elif len(fields) > 2 and fields[2] not in _TYPES and fields[2]:
            yield Found(where, f"its target is of the type {quoted(fields[2])}", ", ".join(_TYPES))
        elif len(fields) > 13 and fields[13] not in _COMPARES and fields[13]:
            yield Found(where, f"its target compares by {quoted(fields[13])}", ", ".join(_COMPARES))
        elif len(fields) > _TARGET_FIELDS:
            yield Found(where, f"its target has {len(fields)} fields", f"{_TARGET_FIELDS}")
        elif owner and fields[0] != owner:
            yield Found(where, f"its target is one of {fields[0]}, not of {owner}", f"{owner}|...")


def _target_places(subject: Subject) -> Iterator[Found]:
    """What a target names counts only where it is asked for: by its type, or by its property."""
    module = subject.module
    for where, _, value in _targets(subject):
        fields = sequence.decode(value, "|") + [""] * _TARGET_FIELDS
        if fields[1] != "true":
            continue
        kind = fields[2]
        wanted = {
            "map": (fields[3] if kind in ("MAP", "ZONE", "LOCATION", "XY") else "", [each.name for each in module.maps]),
            "board": (fields[4] if kind == "XY" else "", list(module.boards)),
            "zone": (fields[5] if kind == "ZONE" else "", [found.get("name") for found in subject.all(ZONE)]),
            "deck": (fields[9] if kind == "DECK" else "", [deck.name for each in module.maps for deck in each.decks]),
        }
        for what, (name, known) in wanted.items():
            if name and not _computed(name) and name not in known:
                yield Found(where, f"its target is the {what} {quoted(name)}, which does not exist", listed(known, 12))


def _keyless(subject: Subject) -> Iterator[Found]:
    for found in subject.all(*_COMMANDS):
        plain = found.get("hotkeyOrKeyCommand", "sendKeyCommand") == "sendKeyCommand"
        if plain and not found.get("hotkey"):
            yield Found(subject.place(found), "sends no key to the pieces: nothing happens", "hotkey; its own key is buttonHotkey")


def _computed(text: str) -> bool:
    """Whether a field's value is worked out in play."""
    return text.startswith("{") or "$" in text


def _sends(subject: Subject) -> Iterator[tuple[str, Trait]]:
    for definition in subject.definitions:
        for where, trait in definition.traits():
            if trait.id == "sendto":
                yield where, trait


def _sendto_maps(subject: Subject) -> Iterator[Found]:
    known = [each.name for each in subject.module.maps]
    for where, trait in _sends(subject):
        name, board = trait.field("map"), trait.field("board")
        each = subject.module.map(name)
        if name and not _computed(name) and each is None:
            yield Found(where, f"sends to the map {quoted(name)}, which does not exist", listed(known))
        boards = [one.name for one in each.boards] if each is not None else list(subject.module.boards)
        if board and not _computed(board) and board not in boards:
            yield Found(where, f"sends to the board {quoted(board)}, which does not exist", listed(boards))


def _boards_of(subject: Subject, trait: Trait) -> list[Board] | None:
    """The boards that a send-to may reach; None when that is worked out in play."""
    name, board = trait.field("map"), trait.field("board")
    if _computed(name) or _computed(board):
        return None
    maps: list[Map] = [each for each in subject.module.maps if not name or each.name == name]
    return [one for each in maps for one in each.boards if not board or one.name == board]


def _sendto_places(subject: Subject) -> Iterator[Found]:
    for where, trait in _sends(subject):
        dest = trait.field("dest")
        boards = _boards_of(subject, trait)
        if dest not in tuple(_DESTINATIONS):
            yield Found(
                where, f"sends to a place of the kind {quoted(dest)}", "L point, G grid location, Z zone, R region, A C N another counter"
            )
        if boards is None or not boards:
            continue
        if dest == "Z" and not _computed(name := trait.field("zone")):
            zones = [zone.name for board in boards for zone in _zones(board.grid)]
            if name not in zones:
                yield Found(where, f"sends to the zone {quoted(name)}, which does not exist", listed(zones, 12))
        elif dest == "R" and not _computed(name := trait.field("region")):
            regions = [region for board in boards for region in _regions(board.grid)]
            if name not in regions:
                yield Found(where, f"sends to the region {quoted(name)}, which does not exist", listed(regions, 12))
        elif dest == "G" and not _computed(name := trait.field("grid_location")):
            if not any(place_on(board, name) for board in boards):
                what = f"sends to the grid location {quoted(name)}, which does not exist: the engine complains as soon as a menu opens"
                yield Found(where, what, "a place that the grid names")
        elif dest == "L":
            yield from _point(where, trait, boards)


def _point(where: str, trait: Trait, boards: list[Board]) -> Iterator[Found]:
    x, y = trait.field("x"), trait.field("y")
    if _computed(x) or _computed(y) or not (is_number(x) and is_number(y)):
        return
    sized = [board for board in boards if board.width and board.height]
    # Points are of the board when one is named, of the map otherwise; the largest extent of all is what either can be.
    if sized and not any(0 <= float(x) < 4 * board.width and 0 <= float(y) < 4 * board.height for board in sized):
        yield Found(where, f"sends to the point {x},{y}, far outside its board", f"a point of {sized[0].width} x {sized[0].height}")


def _zones(grid: grids.Grid | None) -> tuple[grids.Zone, ...]:
    return grid.zones if isinstance(grid, grids.ZonedGrid) else ()


def _regions(grid: grids.Grid | None) -> Iterator[str]:
    match grid:
        case grids.RegionGrid():
            yield from (name for name, _, _ in grid.regions)
        case grids.ZonedGrid():
            yield from _regions(grid.background)
            for zone in grid.zones:
                yield from _regions(zone.grid)
        case _:
            pass


CHECKS = (
    Check("command-condition", Severity.ERROR, "no key command has an empty condition", "it matches no piece", _conditions),
    Check("command-target", Severity.ERROR, "targets of key commands can be read", "the engine stops at them", _target_forms),
    Check("command-place", Severity.ERROR, "places that targets name exist", "no piece is there", _target_places),
    Check("command-key", Severity.WARNING, "key commands send a key", "nothing happens", _keyless),
    Check("send-map", Severity.ERROR, "maps and boards that pieces are sent to exist", "the piece stays", _sendto_maps),
    Check(
        "send-place",
        Severity.ERROR,
        "zones, regions and places that pieces are sent to exist",
        "the engine complains and the piece stays",
        _sendto_places,
    ),
)
