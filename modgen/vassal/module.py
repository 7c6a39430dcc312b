"""The build file of a VASSAL module, made from a box and its layout.

Element names are the engine's classes, attributes its settings. A wrong name is dropped by the engine without a word, so
tests hold every one against the engine's own list.
"""

from __future__ import annotations

from dataclasses import dataclass

from gamebox.model import Box, Piece, Row
from modgen.art import charts, plan
from modgen.errors import ArtError
from modgen.formats.vassal import sequence
from modgen.formats.vassal.pieces import Piece as Counter
from modgen.formats.vassal.xml import Element, element
from modgen.layout.counters import Marker
from modgen.layout.layout import Layout
from modgen.vassal import grids, idioms, names, prototypes, tracker
from modgen.vassal import help as player_aid
from modgen.vassal.ledger import Ledger
from modgen.vassal.names import command

B = "VASSAL.build."
M = B + "module."
MAP = M + "map."
GRID = MAP + "boardPicker.board."
BOARD_FILE, ABOUT_FILE = "board.png", "about.png"
TALK_TARGET = "MODULE|false|MAP|||||0|0||false|||EQUALS||"


@dataclass(frozen=True, slots=True)
class Slots:
    """Every counter of the module as its slot defines it, in palette order."""

    units: tuple[tuple[Piece, Counter], ...]
    markers: tuple[tuple[Marker, Counter], ...]


def slot_names(box: Box, layout: Layout) -> list[str]:
    """The ledger's names of all slots, in the order in which new ones get their numbers."""
    pieces = [p.id for p in _palette_order(box, layout)]
    return [*pieces, *(f"marker:{m.id}" for m in layout.counters.markers), *prototypes.place_slots(layout)]


def _palette_order(box: Box, layout: Layout) -> list[Piece]:
    order = [s.id for s in layout.play.sides]
    return sorted(box.pieces, key=lambda p: (order.index(p.side), p.row.line))


def make_slots(box: Box, layout: Layout, ledger: Ledger) -> Slots:
    """All slots with their gpids.

    Raises :class:`ArtError` when two pieces would have one name.
    """
    called: dict[str, str] = {}
    for piece in (pieces := _palette_order(box, layout)):
        name = layout.named(piece)
        if name in called:
            raise ArtError(f"{layout.path.name}: [[side]] named: {piece.id} and {called[name]} would both be called {name!r}")
        called[name] = piece.id
    return Slots(
        tuple((p, prototypes.unit(layout, box, p, ledger.numbers[p.id])) for p in pieces),
        tuple((m, prototypes.marker(layout, m, ledger.numbers[f"marker:{m.id}"])) for m in layout.counters.markers),
    )


def game_word(box: Box) -> str:
    """What the module's first free field says: which game of ours it is."""
    return f"game {box.id}"


def data_word(box: Box) -> str:
    """What the module's second free field says: the hash of the data it was built from."""
    return f"data {box.data_hash}"


def scenario(box: Box, name: str) -> Row:
    """A scenario's row."""
    return box["scenarios"][name]


def properties(box: Box, layout: Layout) -> list[tuple[str, str]]:
    """Every property of the module with its start value, in the order of the build file and of saves."""
    first = scenario(box, layout.play.setups[0].scenario) if layout.play.setups else None
    return [
        (names.GAME, box.id),
        (names.DATA, box.data_hash),
        (names.SCENARIO, first.key if first else ""),
        (names.LAST_TURN, str(first.int("last_turn")) if first else "0"),
        (names.EXITS, ";" + "".join(f"{h};" for h in plan.exit_hexes(layout, box))),
        (names.TALK_NUMBER, "0"),
        (names.TALK, ""),
    ]


def build_file(box: Box, layout: Layout, ledger: Ledger, slots: Slots) -> Element:
    """The whole build file."""
    root = element(
        B + "GameModule",
        name=layout.title,
        version=layout.version,
        VassalVersion=layout.vassal,
        description=layout.description,
        nextPieceSlotId=ledger.next,
        ModuleOther1=game_word(box),
        ModuleOther2=data_word(box),
    )
    # The encoder first: without it no piece text below can be read.
    root.add(M + "BasicCommandEncoder")
    documentation = root.add(M + "Documentation")
    documentation.add(M + "documentation.AboutScreen", title=f"About {layout.title}", fileName=ABOUT_FILE)
    documentation.add(M + "documentation.HelpFile", title="Player aid", fileName=player_aid.FILE, fileType="archive")
    roster = root.add(M + "PlayerRoster", buttonKeyStroke="", buttonText="Retire", buttonToolTip="Switch sides or become an observer")
    for side in (*layout.play.players, *layout.play.referees):
        roster.add("entry", side)
    root.add(
        M + "GlobalOptions",
        autoReport="Always",
        chatterHTMLSupport="Never",
        hotKeysOnClosedWindows="Never",
        inventoryForAll="Always",
        nonOwnerUnmaskable="Never",
        playerIdFormat="$PlayerName$",
        promptString="Opponents can unmask my pieces",
        sendToLocationMoveTrails="Never",
        # Without this the engine reads the hex 0309 as the number 309.
        storeLeadingZeroIntegersAsStrings=True,
    )
    root.append(_properties(box, layout))
    _prototypes(root, box, layout, ledger)
    _palette(root, layout, slots)
    root.add(M + "Chatter")
    root.add(M + "KeyNamer")
    _buttons(root, box, layout, ledger)
    _windows(root, box, layout)
    for setup in layout.play.setups:
        root.add(M + "PredefinedSetup", name=setup.name, file=setup.file, useFile=True, isMenu=False, description=setup.note)
    root.append(_map(box, layout))
    return root


def _properties(box: Box, layout: Layout) -> Element:
    out = element(M + "properties.GlobalProperties")
    for name, value in properties(box, layout):
        made = out.add(
            M + "properties.GlobalProperty",
            name=name,
            initialValue=value,
            description="",
            isNumeric=False,
            min="null",
            max="null",
            wrap=False,
        )
        for key, expression in _changers(name):
            made.add(
                M + "properties.ChangePropertyButton",
                text="",
                tooltip="",
                icon="",
                hotkey=command(key),
                propChanger=idioms.setting(expression),
                reportFormat="",
            )
    return out


def _changers(name: str) -> list[tuple[str, str]]:
    """Buttons without a face: they only listen for their key."""
    if name == names.TALK_NUMBER:
        return [("moduleBump", "{" + names.TALK_NUMBER + "+1}")]
    if name == names.TALK:
        return [("talkPhase", idioms.talk("PH", names.TURN, names.PHASE)), ("talkClearAll", idioms.talk("CLR", '"*"'))]
    return []


def _prototypes(root: Element, box: Box, layout: Layout, ledger: Ledger) -> None:
    container = root.add(M + "PrototypesContainer")
    for name, piece in prototypes.prototypes(box, layout, ledger.numbers).items():
        container.add(M + "PrototypeDefinition", str(piece), name=name, description="")


def _slot(parent: Element, piece: Counter, size: int) -> None:
    parent.add(B + "widget.PieceSlot", str(piece), entryName=piece.name, gpid=piece.basic.gpid, width=size, height=size)


def _palette(root: Element, layout: Layout, slots: Slots) -> None:
    window = root.add(
        M + "PieceWindow",
        name="Counters",
        text="Counters",
        tooltip="All counters",
        icon="",
        hotkey="",
        hidden=False,
        scale="1.0",
        defaultWidth=0,
    )
    tabs = window.add(B + "widget.TabWidget", entryName="Counters")

    def tab(name: str) -> Element:
        return tabs.add(B + "widget.ListWidget", entryName=name, width=220, height=320, divider=110, scale="1.0")

    for group in dict.fromkeys(m.group for m in layout.counters.markers):
        made = tab(group)
        for marker, piece in slots.markers:
            if marker.group == group:
                _slot(made, piece, layout.counters.size)
    for side in layout.play.sides:
        made = tab(side.tab)
        for unit, piece in slots.units:
            if unit.side == side.id:
                _slot(made, piece, layout.counters.size)


def _action(root: Element, name: str, text: str, tooltip: str, key: str, *does: str) -> None:
    root.add(
        M + "DoActionButton",
        name=name,
        text=text,
        tooltip=tooltip,
        icon="",
        hotkey=command(key),
        canDisable=False,
        propertyGate="",
        hideWhenDisabled=False,
        disabledIcon="",
        doReport=False,
        reportFormat="",
        doSound=False,
        soundClip="",
        doHotkey=True,
        hotkeys=idioms.keys(*(command(d) for d in does)),
        doLoop=False,
        loopType="counted",
        loopCount=1,
        whileExpression="",
        untilExpression="",
        preLoopKey="",
        postLoopKey="",
        index=False,
        indexProperty="",
        indexStart=1,
        indexStep=1,
    )


def _clearing(root: Element, name: str, button: str, sent: str, when: str, says: str = "") -> None:
    """A key command that reaches every piece on every map that passes a test."""
    root.add(
        M + "GlobalKeyCommand",
        name=name,
        buttonText="",
        tooltip="",
        icon="",
        buttonHotkey=command(button),
        hotkey=command(sent),
        filter=when,
        deckCount=0,
        reportSingle=True,
        suppressSounds=True,
        reportFormat=says,
        target=TALK_TARGET,
    )


def _buttons(root: Element, box: Box, layout: Layout, ledger: Ledger) -> None:
    made = prototypes.parts(box, layout, ledger.numbers).values()
    clears = list(dict.fromkeys(test for part in made for test in part.clears))
    declared = [test for test in clears if test.startswith(names.DECLARED)]
    _action(
        root,
        "NextPhase",
        "Next phase",
        "Advance the turn, clear all marks, tell the log",
        "btnNext",
        *("clearAll", "nextPhase", "moduleBump", "talkPhase", "sayEnd"),
    )
    root.append(tracker.tracker(box, layout))
    over = f'{names.TURN}>{names.LAST_TURN} ? "*** The scenario ended with turn "+{names.LAST_TURN} : ""'
    _saying(root, "GameEnds", "sayEnd", "{" + over + "}")
    if clears:
        # The next phase says what it does besides: nobody should wonder where his marks went.
        _clearing(root, "Clear all marks", "clearAll", "clear", "{" + " || ".join(clears) + "}", "Marks of moves and declarations cleared")
    if declared:
        _clearing(root, "Clear declarations", "clearDeclAll", "clearDecl", "{" + " || ".join(declared) + "}")
        _action(
            root,
            "ClearDeclarations",
            "Clear declarations",
            "Take all marks of attack and target off",
            "btnClear",
            *("clearDeclAll", "moduleBump", "talkClearAll"),
        )
    for number, die in enumerate(layout.play.dice):
        root.add(
            M + "DiceButton",
            name=die.name,
            text=die.name,
            tooltip=die.tooltip,
            icon="/images/die.gif",
            hotkey=command("roll" if number == 0 else f"roll{number}"),
            nDice=die.dice,
            nSides=die.faces,
            plus=0,
            addToTotal=0,
            reportTotal=False,
            prompt=False,
            reportFormat="** $name$ = $result$ *** <$PlayerName$>",
        )


def _saying(root: Element, name: str, key: str, says: str) -> None:
    """A button without a face that only reports; an empty report writes nothing."""
    root.add(
        M + "DoActionButton",
        name=name,
        text="",
        tooltip="",
        icon="",
        hotkey=command(key),
        canDisable=False,
        doReport=True,
        reportFormat=says,
        doHotkey=False,
        hotkeys="",
        doLoop=False,
    )


def _windows(root: Element, box: Box, layout: Layout) -> None:
    window = root.add(M + "ChartWindow", name="Charts", text="Charts", tooltip="Charts and player aid", icon="", hotkey="")
    tabs = window.add(B + "widget.TabWidget", entryName="Charts")
    for chart in charts.charts(box, layout):
        tabs.add(B + "widget.Chart", chartName=chart.name, fileName=chart.file, description="")
    tabs.add(B + "widget.HtmlChart", chartName="Player aid", fileName=player_aid.FILE, description="")
    root.add(M + "NotesWindow", buttonText="Notes", tooltip="Notes", icon="/images/notes.gif", hotkey="")
    for item in layout.play.inventories:
        root.add(
            M + "Inventory",
            name=f"Forces: {item.name}",
            text=item.name,
            tooltip=f"Where the {item.name} units are",
            icon="/images/inventory.gif",
            hotkey="",
            include=idioms.either(names.SIDE, item.sides),
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


def _map(box: Box, layout: Layout) -> Element:
    moves = "$pieceName$ moves $previousLocation$ -> $location$ *"
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
        moveKey="",
        moveToFormat=moves,
        moveWithinFormat=moves,
        onlyReportChangedLocation=False,
        showKey="",
        hideKey="",
        thickness=3,
    )
    picker = out.add(
        MAP + "BoardPicker",
        addColumnText="Add column",
        addRowText="Add row",
        boardPrompt="Select board",
        slotHeight=125,
        slotScale="0.2",
        slotWidth=350,
        title="Choose Boards",
    )
    board = picker.add(MAP + "boardPicker.Board", name=layout.board.map, image=BOARD_FILE, reversible=False)
    board.append(grids.grid(box, layout))
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
    out.add(MAP + "ImageSaver", buttonText="", tooltip="Save the map as a picture", icon="/images/camera.gif", hotkey="")
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
        counterReportFormat="$PieceName$",
        emptyHexReportForma="$LocationName$",
        display="from all layers",
        combineCounterSummary=False,
        unrotatePieces=True,
    )
    out.add(
        MAP + "GlobalMap", scale="0.1", color="255,0,0", buttonText="", tooltip="Overview", icon="/images/overview.gif", hotkey="79,195"
    )
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
        pickTooltip="Zoom",
    )
    out.add(MAP + "LayeredPieceCollection", property=names.LAYER, layerOrder=sequence.encode((names.MARKER_LAYER, names.UNIT_LAYER), ","))
    out.add(MAP + "SelectionHighlighters")
    out.add(MAP + "HighlightLastMoved", color="255,0,0", enabled=True, thickness=2)
    return out
