"""The client's zones for areas, tracks and displays: polygons named by themselves, regions for cells and slots.

The client names a point by the first zone that holds it. So panels that lie on the map come first, then the map's own zones, and at the
end one for all the rest, lest a counter dropped at sea be reported as nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gamebox.model import Box
from modgen.art import displays, plan
from modgen.art.zonefield import ZoneField
from modgen.formats.vassal.xml import Element, element
from modgen.layout.layout import Layout
from modgen.layout.tracks import Track
from modgen.vassal import zones
from modgen.vassal.zones import Pixel

GRID = "VASSAL.build.module.map.boardPicker.board."


def zone(name: str, line: Sequence[Pixel], named: str, parent: bool = False) -> Element:
    """A zone of the client: its outline, and how it names what lies in it."""
    return element(
        GRID + "mapgrid.Zone",
        name=name,
        path=zones.path(line),
        locationFormat=named,
        useParentGrid=parent,
        useHighlight=False,
        highlightProperty="",
    )


def regions(into: Element, places: Iterable[tuple[str, Pixel]]) -> None:
    """Places of a zone: the nearest takes a counter, and names it where the zone asks for that."""
    grid = into.add(GRID + "RegionGrid", fontsize=9, snapto=True, visible=False)
    for name, (x, y) in places:
        grid.add(GRID + "Region", name=name, originx=x, originy=y)


def track_zone(box: Box, track: Track) -> Element:
    """A track: a counter in it stands in the nearest cell and is reported by that cell's name."""
    out = zone(track.name, zones.rectangle(track.rect), "$gridLocation$")
    regions(out, ((cell.name, plan.cell_spot(rect)) for _, cell, rect in plan.track_cells(box, track)))
    return out


def area_line(field: ZoneField, name: str) -> list[Pixel]:
    """A zone's outline for the client, with the box off the map that belongs to it."""
    loops: list[list[Pixel]] = [list(ring) for ring in field.shape(name)]
    place = field.look.places.get(name)
    if place is not None and place.box is not None:
        loops.append(zones.rectangle(place.box))
    return zones.joined(loops)


def area_zones(field: ZoneField) -> list[Element]:
    """The map's zones."""
    return [zone(field.called(name), area_line(field, name), "$name$") for name in field.names()]


def rest(name: str, width: int, height: int) -> Element:
    """All of a board that nothing else has named."""
    return zone(name, zones.rectangle((0, 0, width, height)), "$name$")


def display_grid(box: Box, layout: Layout, made: displays.Plan) -> Element:
    """The grid of a display: every counter in a box is reported by the box's name, and snaps to a slot where there are any."""
    out = element(GRID + "ZonedGrid")
    for card in made.cards:
        part = zone(card.name, zones.rectangle(card.rect), "$name$")
        if card.slots:
            regions(part, ((f"{card.name} {n}", spot) for n, spot in enumerate(card.slots, 1)))
        out.append(part)
    out.append(rest(made.display.name, made.width, made.height))
    return out
