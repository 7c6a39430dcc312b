"""The build file of a VASSAL module, made from a box and its layout.

Element names are the engine's classes, attributes its settings. A wrong name is dropped by the engine without a word, so
tests hold every one against the engine's own list.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamebox.model import Box, Row
from gamebox.once import once
from modgen.art import cards, plan
from modgen.formats.vassal.xml import Element, element
from modgen.layout.layout import Layout
from modgen.layout.places import zone_name
from modgen.vassal import buttons, idioms, maps, names, prototypes, telling, tracker, windows
from modgen.vassal import help as player_aid
from modgen.vassal.abilities import moving, replacing
from modgen.vassal.classes import B, M
from modgen.vassal.ledger import Ledger
from modgen.vassal.names import command
from modgen.vassal.odds import toolbar
from modgen.vassal.slots import Slots

ABOUT_FILE = "about.png"


def game_word(box: Box) -> str:
    """What the module's first free field says: which game of ours it is."""
    return f"game {box.id}"


def data_word(box: Box) -> str:
    """What the module's second free field says: the hash of the data it was built from."""
    return f"data {box.data_hash}"


def scenario(box: Box, name: str) -> Row:
    """A scenario's row."""
    return box["scenarios"][name]


@once
def properties(box: Box, layout: Layout) -> Sequence[tuple[str, str]]:
    """Every property of the module with its start value, in the order of the build file and of saves."""
    first = scenario(box, layout.play.setups[0].scenario) if layout.play.setups else None
    return (
        (names.GAME, box.id),
        (names.DATA, box.data_hash),
        (names.SCENARIO, first.key if first else ""),
        (names.LAST_TURN, str(first.int("last_turn")) if first else "0"),
        *_now(box, layout),
        *_exits(box, layout),
        *_field(box, layout),
        *telling.properties(box, layout),
        *replacing.properties(layout.play.prototypes),
        *moving.properties(layout.play.prototypes),
        (names.TALK_NUMBER, "0"),
        (names.TALK, ""),
        *((figure.name, figure.start) for figure in toolbar.figures(box, layout)),
    )


def _now(box: Box, layout: Layout) -> list[tuple[str, str]]:
    """The phase that runs by the names of the sides; none where the tracker has those."""
    if not tracker.of_halves(box, layout):
        return []
    return [(names.HALVES, "no"), (names.NOW, tracker.first_now(box, layout, layout.play.setups[0]))]


def _exits(box: Box, layout: Layout) -> list[tuple[str, str]]:
    """The hexes that lead off the map; none where no piece may leave it that way."""
    if not any(p.exit is not None for p in layout.play.prototypes):
        return []
    return [(names.EXITS, ";" + "".join(f"{h};" for h in plan.exit_hexes(layout, box)))]


def _field(box: Box, layout: Layout) -> list[tuple[str, str]]:
    """The zones in which play goes on; none for a map of hexes."""
    if layout.board.areas is None or box.zones is None:
        return []
    called = (zone_name(layout.board, box, row.key) for row in box[box.zones.zones])
    return [(names.FIELD, ";" + "".join(f"{name};" for name in called))]


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
    for title, file in player_aid.PAGES.items():
        documentation.add(M + "documentation.HelpFile", title=title, fileName=file, fileType="archive")
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
    windows.palette(root, layout, slots)
    root.add(M + "Chatter")
    root.add(M + "KeyNamer")
    buttons.buttons(root, box, layout, ledger)
    toolbar.buttons(root, box, layout)
    windows.windows(root, box, layout)
    for setup in sorted(layout.play.setups, key=lambda s: s.halves):
        root.add(M + "PredefinedSetup", name=setup.name, file=setup.file, useFile=True, isMenu=False, description=setup.note)
    root.append(maps.main_map(box, layout, slots))
    if made := cards.cards(layout, box):
        root.append(maps.setup_map(box, layout, made))
    for display in layout.displays:
        root.append(maps.display_map(box, layout, display))
    return root


def _properties(box: Box, layout: Layout) -> Element:
    out = element(M + "properties.GlobalProperties")
    changers = _changers(box, layout)
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
        for key, value in changers.get(name, ()):
            made.add(
                M + "properties.ChangePropertyButton",
                text="",
                tooltip="",
                icon="",
                hotkey=command(key),
                propChanger=idioms.setting(value),
                reportFormat="",
            )
    return out


def _changers(box: Box, layout: Layout) -> dict[str, tuple[tuple[str, str], ...]]:
    """Property -> (command, value or expression) of its buttons without a face, which only listen for their key."""
    talks = (("talkPhase", idioms.talk("PH", names.TURN, tracker.phase_now(box, layout))), ("talkClearAll", idioms.talk("CLR", '"*"')))
    return {
        names.TALK_NUMBER: (("moduleBump", "{" + names.TALK_NUMBER + "+1}"),),
        **({names.NOW: (("workPhase", tracker.now_expression(box, layout)),)} if tracker.of_halves(box, layout) else {}),
        names.TALK: (*talks, *toolbar.talks(box, layout.odds)),
        **{figure.name: figure.changers for figure in toolbar.figures(box, layout)},
    }


def _prototypes(root: Element, box: Box, layout: Layout, ledger: Ledger) -> None:
    container = root.add(M + "PrototypesContainer")
    for name, piece in prototypes.prototypes(box, layout, ledger.numbers).items():
        container.add(M + "PrototypeDefinition", str(piece), name=name, description="")
