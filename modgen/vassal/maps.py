"""The map windows: their boards, what moves pieces on them, and what players look at them with."""

from __future__ import annotations

from collections.abc import Sequence

from gamebox.model import Box
from modgen.art import cards, displays
from modgen.art.icons import icon_file
from modgen.formats.vassal import sequence
from modgen.formats.vassal.commands import BoardPlace, Boards
from modgen.formats.vassal.xml import Element, element
from modgen.layout.displays import Display
from modgen.layout.layout import Layout
from modgen.vassal import area_grids, decks, grids, names, zones
from modgen.vassal.classes import MAP, M
from modgen.vassal.names import command
from modgen.vassal.places import atlas
from modgen.vassal.slots import Slots

BOARD_FILE = "board.png"


def main_map(box: Box, layout: Layout, slots: Slots) -> Element:
    """The map that everybody sees."""
    moves = "$pieceName$ moves $previousLocation$ -> $location$ *"
    # Where a counter lay on a display is nobody's business.
    arrives = "$pieceName$ comes to $location$ *" if layout.displays else moves
    out = element(
        M + "Map",
        mapName=layout.board.map,
        allowMultiple=False,
        backgroundcolor="255,255,255",
        buttonName="",
        changeFormat="$message$",
        color="0,0,0",
        createFormat="$pieceName$ created in $location$ *",
        edgeHeight=0,
        edgeWidth=0,
        hotkey="",
        icon="",
        launch=False,
        markMoved="Always",
        markUnmovedHotkey="",
        markUnmovedIcon="/images/unmoved.gif",
        markUnmovedReport="",
        markUnmovedText="",
        markUnmovedTooltip="Take all marks of moved units off",
        moveKey=command("dragged"),
        moveToFormat=arrives,
        moveWithinFormat=moves,
        onlyReportChangedLocation=False,
        showKey="",
        hideKey="",
        thickness=3,
    )
    board(out, layout.board.map, BOARD_FILE, grids.grid(box, layout))
    for deck in layout.play.decks:
        out.append(decks.component(layout, slots, deck))
    moving(out)
    out.add(MAP + "ImageSaver", buttonText="", tooltip="Save the map as a picture", icon="/images/camera.gif", hotkey="")
    viewer(out, layout)
    out.add(
        MAP + "GlobalMap",
        scale="0.1",
        color="255,0,0",
        buttonText="",
        tooltip="Show or hide the overview, a small map of the whole board",
        icon="/images/overview.gif",
        hotkey="79,195",
    )
    zoomer(out)
    layers(out)
    out.add(
        MAP + "HidePiecesButton",
        buttonText="",
        hotkey="72,195",
        tooltip="Hide all counters to see the map",
        hiddenIcon="/images/globe_selected.gif",
        showingIcon="/images/globe_unselected.gif",
    )
    out.add(
        MAP + "Flare",
        circleColor="255,0,0",
        circleScale=True,
        circleSize=100,
        flareKey="keyAlt",
        flareName="Look here",
        flarePulses=6,
        flarePulsesPerSec=3,
        reportFormat="",
    )
    out.add(MAP + "SelectionHighlighters")
    out.add(MAP + "HighlightLastMoved", color="255,0,0", enabled=True, thickness=2)
    return out


def display_map(box: Box, layout: Layout, display: Display) -> Element:
    """A side's own display, a window that only its seats can open.

    What happens in it is not reported, and who puts a counter into it is told without its name: the other side reads the log.
    """
    shown = any(
        atlas(layout, box).find(hand).map == display.name for p in layout.play.prototypes if p.card is not None for hand in p.card.hands
    )
    out = element(
        M + "PrivateMap",
        side=sequence.encode(display.seats, ","),
        visible=False,
        mapName=display.name,
        allowMultiple=False,
        backgroundcolor="255,255,255",
        buttonName=display.name,
        # Of what the others do not see, our reports say nothing that they may not know; without this a lost step would not be told.
        changeFormat="$message$",
        color="0,0,0",
        createFormat="",
        edgeHeight=0,
        edgeWidth=0,
        hotkey="",
        icon=icon_file("display"),
        launch=True,
        markMoved="Never",
        # A card that is dragged out of its deck comes masked; the key takes the mask off in the hand, as the buttons that draw do.
        moveKey=command("uncover") if shown else command("dragged"),
        moveToFormat=f"a counter goes to the {display.name} *",
        moveWithinFormat="",
        onlyReportChangedLocation=False,
        showKey="",
        hideKey="",
        thickness=3,
        tooltip=f"Open the {display.name}, which only its own side can see",
    )
    board(out, display.name, display.file, area_grids.display_grid(box, layout, displays.plan(box, layout, display)))
    moving(out)
    viewer(out, layout)
    zoomer(out)
    layers(out)
    out.add(MAP + "SelectionHighlighters")
    return out


def setup_map(box: Box, layout: Layout, made: Sequence[cards.Card]) -> Element:
    """The window that areas are set up from: a card for each scenario, of which a set-up shows its own."""
    assert layout.cards is not None
    out = element(
        M + "Map",
        mapName=layout.cards.window,
        allowMultiple=False,
        backgroundcolor="255,255,255",
        buttonName=layout.cards.window,
        changeFormat="$message$",
        color="0,0,0",
        createFormat="$pieceName$ created in $location$ *",
        edgeHeight=0,
        edgeWidth=0,
        hotkey="",
        icon=icon_file("display"),
        launch=True,
        markMoved="Never",
        moveKey=command("dragged"),
        moveToFormat="$pieceName$ moves $previousLocation$ -> $location$ *",
        moveWithinFormat="$pieceName$ moves $previousLocation$ -> $location$ *",
        onlyReportChangedLocation=True,
        showKey="",
        hideKey="",
        thickness=3,
        tooltip=layout.cards.tooltip,
    )
    picker = _picker(out)
    for card in made:
        grid = element(area_grids.GRID + "ZonedGrid")
        for space in card.spaces:
            grid.append(area_grids.zone(space.name, zones.rectangle(space.rect), "$name$"))
        grid.append(area_grids.rest(layout.cards.window, card.width, card.height))
        picker.add(MAP + "boardPicker.Board", name=card.name, image=card.file, reversible=False).append(grid)
    # The engine would ask which of several boards to show where a game names none.
    picker.add("setup", str(Boards(layout.cards.window, (BoardPlace(made[0].name),))))
    moving(out)
    out.add(MAP + "ImageSaver", buttonText="", tooltip="Save the card as a picture", icon="/images/camera.gif", hotkey="")
    viewer(out, layout)
    zoomer(out)
    layers(out)
    out.add(MAP + "SelectionHighlighters")
    return out


def board(out: Element, name: str, file: str, grid: Element) -> None:
    """The one board of a map, under the map's name."""
    _picker(out).add(MAP + "boardPicker.Board", name=name, image=file, reversible=False).append(grid)


def _picker(out: Element) -> Element:
    return out.add(
        MAP + "BoardPicker",
        addColumnText="Add column",
        addRowText="Add row",
        boardPrompt="Select board",
        slotHeight=125,
        slotScale="0.2",
        slotWidth=350,
        title="Choose Boards",
    )


def moving(out: Element) -> None:
    """What stacks pieces, and moves them by mouse and keys."""
    out.add(
        MAP + "StackMetrics", bottom="40,0", disabled=False, down="37,0", exSepX=8, exSepY=22, top="38,0", unexSepX=5, unexSepY=7, up="39,0"
    )
    for part in (
        "ForwardToKeyBuffer",
        "Scroller",
        "ForwardToChatter",
        "MenuDisplayer",
        "MapCenterer",
        "StackExpander",
        "PieceMover",
        "KeyBufferer",
    ):
        out.add(MAP + part)


def viewer(out: Element, layout: Layout) -> None:
    """The stack that the mouse rests on, enlarged; with what is to be known of its pieces."""
    noted = any(p.note for p in layout.play.prototypes)
    out.add(
        MAP + "CounterDetailViewer",
        version=4,
        description="Stack",
        delay=400,
        hotkey="32,130",
        bgColor="255,255,240",
        fgColor="0,0,0",
        borderColor="0,0,0",
        minDisplayPieces=1,
        zoomlevel="0.0",
        graphicsZoom="2.0",
        showgraph=True,
        showgraphsingle=True,
        showtext=True,
        showtextsingle=True,
        fontSize=12,
        summaryReportFormat="$LocationName$",
        counterReportFormat=f"$PieceName$ ${names.NOTE}$" if noted else "$PieceName$",
        emptyHexReportForma="$LocationName$",
        display="from all layers",
        combineCounterSummary=False,
        unrotatePieces=True,
    )


def zoomer(out: Element) -> None:
    """Nearer and farther."""
    out.add(
        MAP + "Zoomer",
        zoomLevels="0.33,0.5,0.6,0.75,1.0,1.25,1.5,2.0",
        # Counted from the closest: the fourth is 1.0.
        zoomStart=4,
        zoomInKey="61,195",
        zoomOutKey="45,130",
        zoomPickKey="",
        inTooltip="Zoom in",
        outTooltip="Zoom out",
        pickTooltip="Choose a scale",
    )


def layers(out: Element) -> None:
    """Markers lie under units."""
    out.add(MAP + "LayeredPieceCollection", property=names.LAYER, layerOrder=sequence.encode((names.MARKER_LAYER, names.UNIT_LAYER), ","))
