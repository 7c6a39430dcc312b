"""The windows of a module: the palette of counters, charts, notes, what each side has and where."""

from __future__ import annotations

from gamebox.model import Box
from modgen.art import charts
from modgen.art.icons import icon_file
from modgen.formats.vassal import sequence
from modgen.formats.vassal.pieces import Piece as Counter
from modgen.formats.vassal.xml import Element
from modgen.layout.layout import Layout
from modgen.layout.play import Inventory
from modgen.vassal import help as player_aid
from modgen.vassal import idioms, names
from modgen.vassal.classes import B, M
from modgen.vassal.slots import Slots


def _slot(parent: Element, piece: Counter, size: int) -> None:
    parent.add(B + "widget.PieceSlot", str(piece), entryName=piece.name, gpid=piece.basic.gpid, width=size, height=size)


def palette(root: Element, layout: Layout, slots: Slots) -> None:
    """The palette: a tab for each group of markers and each side\'s units."""
    window = root.add(
        M + "PieceWindow",
        name="Counters",
        text="Counters",
        tooltip="All counters, to be dragged onto the map",
        icon=icon_file("counters"),
        hotkey="",
        hidden=False,
        scale="1.0",
        defaultWidth=0,
    )
    tabs = window.add(B + "widget.TabWidget", entryName="Counters")

    def tab(name: str) -> Element:
        return tabs.add(B + "widget.ListWidget", entryName=name, width=220, height=320, divider=110, scale="1.0")

    # Cards have their slots in their decks.
    loose = [(marker, piece) for marker, piece in slots.markers if layout.play.deck(marker) is None]
    for group in dict.fromkeys(marker.group for marker, _ in loose):
        made = tab(group)
        for marker, piece in loose:
            if marker.group == group:
                _slot(made, piece, layout.counters.size)
    for side in layout.play.sides:
        made = tab(side.tab)
        for unit, piece in slots.units:
            if unit.side == side.id:
                _slot(made, piece, layout.counters.size)


def windows(root: Element, box: Box, layout: Layout) -> None:
    """Charts, notes, and an inventory for each that the layout lists."""
    window = root.add(
        M + "ChartWindow", name="Charts", text="Charts", tooltip="Charts and rules", icon=icon_file("charts"), hotkey=""
    )
    tabs = window.add(B + "widget.TabWidget", entryName="Charts")
    for chart in charts.charts(box, layout):
        tabs.add(B + "widget.Chart", chartName=chart.name, fileName=chart.file, description="")
    for title, file in player_aid.PAGES.items():
        tabs.add(B + "widget.HtmlChart", chartName=title, fileName=file, description="")
    root.add(M + "NotesWindow", buttonText="Notes", tooltip="Notes, for all and for oneself", icon="/images/notes.gif", hotkey="")
    for item in layout.play.inventories:
        root.add(
            M + "Inventory",
            name=f"Forces: {item.name}",
            text=item.name,
            tooltip=item.tooltip or f"A list of counters by place: {item.name}",
            icon=icon_file("forces"),
            hotkey="",
            include=_listed(layout, item),
            groupBy=sequence.encode((names.SIDE, "CurrentZone"), ","),
            nonLeafFormat="$PropertyValue$",
            leafFormat="$PieceName$ $LocationName$",
            sides=sequence.encode(item.seats, ",") if item.seats else "",
            sortPieces=True,
            sortFormat="$PieceName$",
            sorting="alpha",
            foldersOnly=False,
            centerOnPiece=True,
            forwardKeystroke=True,
            showMenu=True,
            drawPieces=True,
            zoomOn=False,
            launchFunction="functionHide",
            refreshHotkey="",
        )


def _listed(layout: Layout, item: Inventory) -> str:
    sides = idioms.either(names.SIDE, item.sides)
    return "{(" + sides[1:-1] + f") && CurrentMap=={idioms.quoted(layout.board.map)}" + "}" if item.open else sides
