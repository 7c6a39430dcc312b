"""Maps as places: boards, grids, zones and regions, and what stands on them when a game begins."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product

from modgen.formats.vassal import engine
from modgen.formats.vassal import grid as grids
from modgen.formats.vassal.buildfile import Board, Map
from modgen.formats.vassal.commands import Boards, parse_command
from modgen.formats.vassal.validate.model import GRID, MAPS, ZONE, Check, Found, Severity, Subject, listed, quoted
from modgen.formats.vassal.validate.structure import is_number, is_whole
from modgen.formats.vassal.xml import Element

_PICKER, _BOARD = "module.map.BoardPicker", "module.map.boardPicker.Board"
_AT_START = ("module.map.SetupStack", "module.map.DrawPile")
_SLACK = 3
_SAMPLES = 24


def map_read(subject: Subject, found: Element) -> Map | None:
    """The map that an element stands in, as the reader has it."""
    up = subject.map_of(found)
    elements = subject.all(*MAPS)
    index = next((number for number, one in enumerate(elements) if one is up), -1)
    return subject.module.maps[index] if 0 <= index < len(subject.module.maps) else None


def _board_read(subject: Subject, found: Element) -> Board | None:
    up = found if engine.short(found) == _BOARD else subject.inside(found, _BOARD)
    each = map_read(subject, found)
    return each.board(up.get("name")) if up is not None and each is not None else None


def _points(text: str) -> list[tuple[int, int]] | None:
    """The corners of a path; None when a part of it cannot be read."""
    found = []
    for word in text.removesuffix(";").split(";"):
        parts = [part.strip() for part in word.split(",")]
        if len(parts) != 2 or not all(is_whole(part) for part in parts):
            return None
        found.append((int(parts[0]), int(parts[1])))
    return found


def _zone_paths(subject: Subject) -> Iterator[Found]:
    for found in subject.all(ZONE):
        path = found.get("path")
        points = _points(path)
        if points is None:
            yield Found(
                subject.place(found),
                f"its path {quoted(path)} is broken: the engine says nothing and the zone is not where it should be",
                "x,y;x,y;x,y",
            )
        elif len(set(points)) < 3:
            yield Found(subject.place(found), f"its path {quoted(path)} encloses nothing", "three corners or more")


def _zones_inside(subject: Subject) -> Iterator[Found]:
    for found in subject.all(ZONE):
        points, board = _points(found.get("path")), _board_read(subject, found)
        if not points or board is None or not board.width or not board.height:
            continue
        out = [p for p in points if not (-_SLACK <= p[0] <= board.width + _SLACK and -_SLACK <= p[1] <= board.height + _SLACK)]
        if out:
            what = f"{len(out)} of its {len(points)} corners lie outside the board, as {out[0][0]},{out[0][1]}"
            yield Found(subject.place(found), what, f"corners within {board.width} x {board.height}")


def _zones_covered(subject: Subject) -> Iterator[Found]:
    for found in subject.all(GRID + "ZonedGrid"):
        children = [child for child in found.children if engine.short(child) == ZONE]
        made = [(child, grids.Zone(child.get("name"), tuple(_points(child.get("path")) or ()))) for child in children]
        for index, (child, zone) in enumerate(made):
            own = (point for point in _samples(zone) if zone.contains(*point))
            free = next((p for p in own if not any(other.contains(*p) for _, other in made[:index])), None)
            if free is None and any(zone.contains(*point) for point in _samples(zone)):
                yield Found(
                    subject.place(child),
                    "earlier zones cover it, and the first that holds a point names it",
                    "smaller zones before larger ones",
                )


def _samples(zone: grids.Zone) -> Iterator[tuple[int, int]]:
    left, top, right, bottom = zone.around
    for row in range(_SAMPLES):
        for column in range(_SAMPLES):
            yield left + (2 * column + 1) * (right - left) // (2 * _SAMPLES), top + (2 * row + 1) * (bottom - top) // (2 * _SAMPLES)


def _grid_sizes(subject: Subject) -> Iterator[Found]:
    for found in subject.all(GRID + "HexGrid", GRID + "SquareGrid"):
        for name in ("dx", "dy"):
            text = found.get(name).strip()
            if name in found.attributes and is_number(text) and not float(text) > 0:
                yield Found(subject.place(found), f"{name} is {text}: the grid has no cells", "a number above 0")


def _regions(subject: Subject) -> Iterator[Found]:
    for found in subject.all(GRID + "Region"):
        x, y = found.get("originx").strip(), found.get("originy").strip()
        if not (is_whole(x) and is_whole(y)):
            continue
        board, up = _board_read(subject, found), subject.inside(found, ZONE)
        if board is not None and board.width and not (0 <= int(x) < board.width and 0 <= int(y) < board.height):
            yield Found(
                subject.place(found), f"lies at {x},{y}, outside the board of {board.width} x {board.height}", "a point of the board"
            )
        elif up is not None and (points := _points(up.get("path"))):
            zone = grids.Zone(up.get("name"), tuple(points))
            if not zone.contains(int(x), int(y)):
                what = f"lies at {x},{y}, outside its zone {quoted(zone.name)}: a piece sent there is named by what is there"
                yield Found(subject.place(found), what, "a point of the zone")


def _hex_names(subject: Subject) -> Iterator[Found]:
    for found in subject.all(_BOARD):
        board = _board_read(subject, found)
        for grid in grids.hex_grids(board.grid) if board is not None else ():
            yield from _names_of(subject.place(found), grid)


def _names_of(where: str, grid: grids.HexGrid) -> Iterator[Found]:
    if grid.width * grid.height > 200_000 * grid.dx * grid.dy:
        return
    numbering = grid.numbering or grids.Numbering()
    seen: set[str] = set()
    twice: list[str] = []
    negative: list[str] = []
    count = 0
    columns = math.ceil((grid.height if grid.sideways else grid.width) / grid.dx)
    rows = math.ceil((grid.width if grid.sideways else grid.height) / grid.dy)
    for column, row in product(range(columns), range(rows)):
        x, y = grid.centre(column, row)
        if not (0 <= x < grid.width and 0 <= y < grid.height):
            continue
        count += 1
        name = grid.location_name(x, y)
        if name in seen:
            twice.append(name)
        seen.add(name)
        across, down = grid.counted(column, row)
        if across + numbering.h_off < 0 or down + numbering.v_off < 0:
            negative.append(name)
    if twice:
        yield Found(
            where, f"{len(twice)} hexes have the name of another, as {twice[0]}", "leading zeros, or a separator between the numbers"
        )
    # A row or two at the edge is how people make room; a quarter of the map is a wrong offset.
    if len(negative) * 4 > count:
        what = f"{len(negative)} of {count} hexes have negative numbers, as {negative[0]}"
        yield Found(
            where,
            what + ": descending numbers count down from the board's size by the wrong side of a hex",
            "hOff and vOff that make up for it",
        )


def _stagger(subject: Subject) -> Iterator[Found]:
    for found in subject.all(GRID + "mapgrid.HexGridNumbering"):
        if "stagger" not in found.attributes:
            yield Found(
                subject.place(found),
                "stagger is left to the engine, whose default is true: odd columns count one row on",
                "false where 0101 lies above 0201",
            )


def _owning_boards(subject: Subject) -> Iterator[Found]:
    for found in subject.all(*_AT_START):
        each, owner = map_read(subject, found), found.get("owningBoard")
        if each is not None and owner and each.board(owner) is None:
            what = f"stands on the board {quoted(owner)}, which its map does not have: its pieces are never placed"
            yield Found(subject.place(found), what, listed(board.name for board in each.boards))


def _at_start(subject: Subject) -> Iterator[Found]:
    for found in subject.all(*_AT_START):
        each, owner = map_read(subject, found), found.get("owningBoard")
        if each is None or (owner and each.board(owner) is None):
            continue
        boards = [board for board in each.boards if not owner or board.name == owner]
        if found.get("useGridLocation") == "true" and (location := found.get("location")):
            if boards and not any(place_on(board, location) for board in boards):
                point = f"{found.get('x') or 0},{found.get('y') or 0}"
                what = f"stands at {quoted(location)}, which no grid of its board has: the engine puts it at {point}"
                yield Found(subject.place(found), what, "a place that the grid names")
            continue
        x, y = found.get("x").strip(), found.get("y").strip()
        sized = [board for board in boards if board.width and board.height]
        if sized and is_whole(x) and is_whole(y) and not any(0 <= int(x) < b.width and 0 <= int(y) < b.height for b in sized):
            yield Found(subject.place(found), f"stands at {x},{y}, outside its board", f"inside {sized[0].width} x {sized[0].height}")


def place_on(board: Board, location: str) -> bool:
    """Whether a board has a place of this name: a hex, a region, a zone or any square; true for a board of unknown size."""
    return not board.width or _has_place(board.grid, location)


def _has_place(grid: grids.Grid | None, location: str) -> bool:
    match grid:
        case grids.HexGrid():
            return grid.pixel_of(location) is not None
        case grids.SquareGrid():
            return grid.numbering is not None
        case grids.RegionGrid():
            return any(name == location for name, _, _ in grid.regions)
        case grids.ZonedGrid():
            named = any(zone.name == location and zone.location_format == "$name$" for zone in grid.zones)
            # A zone may name places by a format of its own, which is not turned round here.
            free = any(zone.location_format not in ("$name$", "$gridLocation$") for zone in grid.zones)
            return named or free or _has_place(grid.background, location) or any(_has_place(zone.grid, location) for zone in grid.zones)
        case _:
            return False


def _default_boards(subject: Subject) -> Iterator[Found]:
    for found in subject.all(_PICKER):
        each = map_read(subject, found)
        if each is None:
            continue
        known = [board.name for board in each.boards]
        texts = [child.text.strip("\n ") for child in found.children if engine.short(child) == "setup"]
        for text in texts:
            command = parse_command(text)
            if not isinstance(command, Boards) or not command.boards:
                yield Found(
                    subject.place(found),
                    f"its default boards {quoted(text)} cannot be read",
                    "MAPBoardPicker, then board, column and row, TABs between",
                )
                continue
            if command.map != each.name:
                yield Found(subject.place(found), f"its default boards are those of the map {quoted(command.map)}", each.name)
            for place in command.boards:
                if place.name not in known:
                    yield Found(
                        subject.place(found), f"its default board {quoted(place.name)} does not exist: the map is empty", listed(known)
                    )
        reversible = any(board.get("reversible") == "true" for board in subject.all(_BOARD) if subject.inside(board, _PICKER) is found)
        if not texts and (len(known) > 1 or reversible):
            yield Found(
                subject.place(found),
                f"has {len(known)} boards and no default: players are asked at every new game",
                "a <setup>",
                Severity.NOTE,
            )


def _no_board(subject: Subject) -> Iterator[Found]:
    for found in subject.all(*MAPS):
        each = map_read(subject, found)
        if each is not None and not each.boards and not found.get("useBoards"):
            yield Found(subject.place(found), "has no board: it is empty", "a Board in its BoardPicker")


def _flat_boards(subject: Subject) -> Iterator[Found]:
    for found in subject.all(_BOARD):
        board = _board_read(subject, found)
        if board is not None and not found.get("image") and not (board.width > 0 and board.height > 0):
            yield Found(subject.place(found), "has neither a picture nor a size", "image, or width and height")


CHECKS = (
    Check("zone-path", Severity.ERROR, "paths of zones can be read", "the engine says nothing of a broken one", _zone_paths),
    Check("zone-outside", Severity.WARNING, "zones lie on their board", "what lies outside is nowhere", _zones_inside),
    Check(
        "zone-covered", Severity.ERROR, "no zone is covered by earlier ones", "the first zone that holds a point names it", _zones_covered
    ),
    Check("grid-size", Severity.ERROR, "grids have cells of a size", "no place has a name", _grid_sizes),
    Check(
        "grid-names", Severity.WARNING, "every hex of a board has a name of its own", "reports and sends cannot tell them apart", _hex_names
    ),
    Check("grid-stagger", Severity.NOTE, "numberings say whether they stagger", "the default is true", _stagger),
    Check(
        "region-outside",
        Severity.WARNING,
        "regions lie on their board and in their zone",
        "what is sent there is named by another place",
        _regions,
    ),
    Check(
        "start-board",
        Severity.ERROR,
        "at-start stacks and decks stand on boards that exist",
        "their pieces are never placed",
        _owning_boards,
    ),
    Check(
        "start-place",
        Severity.ERROR,
        "at-start stacks and decks stand at places that exist",
        "the engine puts them somewhere else",
        _at_start,
    ),
    Check("board-default", Severity.ERROR, "default boards exist", "the map is empty", _default_boards),
    Check("board-none", Severity.WARNING, "every map has a board", "it is empty", _no_board),
    Check("board-flat", Severity.ERROR, "boards have a picture or a size", "the map is empty", _flat_boards),
)
