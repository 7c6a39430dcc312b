"""The board's grids for the client: zones for boxes, tracks and named sets of hexes, and the hexes below them."""

from __future__ import annotations

from collections.abc import Sequence

from gamebox.model import Box
from modgen.art import plan
from modgen.art.sheet import Sheet
from modgen.formats.vassal.xml import Element, element
from modgen.layout.layout import Layout
from modgen.layout.places import BESIDE, HEXES, turn_name
from modgen.layout.reading import Rect
from modgen.vassal import zones
from modgen.vassal.area_grids import GRID, area_zones, regions, rest, track_zone, zone

TRACK = "Turn Track"
"""The zone of the turn track."""


def hex_grid(sheet: Sheet, size: tuple[int, int], place: int = 0, columns: int | None = None) -> Element:
    """The hex grid: rows of pointy hexes are the engine's columns of a sideways grid, so everything is named the other way round.

    ``size``: width and height of what holds the grid, the board or a zone's bounds. ``place``, ``columns``: the westernmost place and
    the number of columns of one sheet of the map; without them the whole of it.
    """
    printed = sheet.grid
    columns = printed.columns if columns is None else columns
    out = _hexes(sheet, place, snaps=True)
    lead = sheet.lead
    # The engine counts down from its holder's size divided by the wrong side of the hex; the offsets make up for it.
    from_south, from_east = printed.rows_from == "south", printed.columns_from == "east"
    max_rows = int(size[1] / sheet.down + 0.5)
    max_columns = int(size[0] / sheet.across + 0.5)
    row_off = printed.rows + lead - max_rows if from_south else 1 - lead
    column_off = columns - max_columns if from_east else 1
    out.add(
        GRID + "mapgrid.HexGridNumbering",
        first="H",
        sep="",
        hType="N",
        hLeading=1,
        hOff=row_off,
        hDescend=from_east,
        vType="N",
        vLeading=1,
        vOff=column_off,
        vDescend=from_south,
        stagger=False,
        locationFormat="$gridLocation$",
        visible=False,
        fontSize=9,
        color="0,0,0",
        rotateText=0,
        hDrawOff=0,
        vDrawOff=0,
    )
    return out


def _hexes(sheet: Sheet, place: int, *, snaps: bool) -> Element:
    """The hexes without their names."""
    x, y = sheet.raw_centre(0, place)
    return element(
        GRID + "HexGrid",
        color="0,0,0",
        cornersLegal=False,
        edgesLegal=False,
        dotsVisible=False,
        visible=False,
        snapTo=snaps,
        sideways=True,
        dx=f"{sheet.down}.0",
        dy=f"{sheet.across}.0",
        x0=y - sheet.down * sheet.lead,
        y0=x - (sheet.across // 2 if sheet.is_east(0) else 0),
    )


def turn_regions(box: Box, layout: Layout) -> list[tuple[str, tuple[int, int]]]:
    """The turn track's places by name."""
    return [(turn_name(turn), plan.turn_spot(layout, box, turn)) for turn in plan.turn_cells(layout, box)]


def grid(box: Box, layout: Layout) -> Element:
    """Zones first: the first one that holds a point names it; the map lies below all of them."""
    out = element(GRID + "ZonedGrid")
    places: list[tuple[str, Rect]] = [(b.name, b.rect) for b in layout.board.boxes] + [(h.name, h.rect) for h in layout.board.holds]
    for name, rect in places:
        out.append(zone(name, zones.rectangle(rect), "$name$"))
    # Where pieces wait for their turn a cell is a zone without a grid: they lie side by side, and the turn is their zone.
    if heaps := plan.turn_heaps(layout, box):
        cells_of_turns = plan.turn_cells(layout, box)
        for turn, _ in heaps.values():
            out.append(zone(turn_name(turn), zones.rectangle(cells_of_turns[turn]), "$name$"))
    track = zone(TRACK, zones.rectangle(layout.board.turns_rect), "$gridLocation$")
    regions(track, turn_regions(box, layout))
    out.append(track)
    for cells in layout.board.tracks:
        out.append(track_zone(box, cells))
    if layout.board.areas is not None:
        for part in area_zones(plan.zone_field(layout, box)):
            out.append(part)
        out.append(rest(layout.board.areas.elsewhere, layout.board.width, layout.board.height))
        return out
    sheet = plan.sheet(layout, box)
    for name, hexes in plan.zone_hexes(layout, box).items():
        if hexes:
            out.append(hex_zone(sheet, name, hexes))
    if others := plan.other_hexes(layout, box):
        out.append(hex_zone(sheet, HEXES, others))
    # The client's hexes go on beyond the map: what lies there must not have the name of a hex.
    out.append(rest(BESIDE, layout.board.width, layout.board.height))
    if sheet.sheets:
        # Between two zones the client measures by the grid below them, in pixels where there is none: so hexes of two sheets need one.
        # It names nothing and draws nothing to itself; what lies beside the map lies where it was put.
        out.append(_hexes(sheet, 0, snaps=False))
    else:
        out.append(hex_grid(sheet, (layout.board.width, layout.board.height)))
    return out


def hex_zone(sheet: Sheet, name: str, hexes: Sequence[str]) -> Element:
    """A set of hexes. On a map of several sheets it has a grid of its own, which puts the sheet's letters before the number."""
    line = zones.polygon(sheet, hexes)
    if not sheet.sheets:
        return zone(name, line, "$gridLocation$", parent=True)
    letters = sheet.sheet_of(hexes[0])
    place, columns = sheet.sheets[letters]
    xs, ys = [x for x, _ in line], [y for _, y in line]
    out = zone(name, line, f"{letters}$gridLocation$")
    out.append(hex_grid(sheet, (max(xs) - min(xs), max(ys) - min(ys)), place, columns))
    return out
