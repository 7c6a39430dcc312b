"""What the engine knows: its component classes with their settings, its traits, its own properties and pictures.

``engine.json`` was read from live objects of the engine (release 3.7.26): ``classes`` maps a class, without the engine's package
name, to its attributes (name -> [the engine's type, its default]) and to what may stand in it; ``traits`` maps a trait's id to the
type and state of a fresh one and to the properties it gives. An element or attribute that is not there is dropped by the engine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files

from modgen.formats.vassal import sequence
from modgen.formats.vassal.buildfile import PREFIX
from modgen.formats.vassal.xml import Element

ROOT = "GameModule"
OLD_ROOT = "VASSAL.launch.BasicModule"


class Kind(StrEnum):
    """What stands in an attribute."""

    TEXT = "text"
    FLAG = "flag"
    WHOLE = "whole number"
    NUMBER = "number"
    COLOUR = "colour"
    KEY = "key"
    KEYS = "list of keys"
    IMAGE = "picture"
    FILE = "file"
    SOUND = "sound"
    FORMAT = "format"
    EXPRESSION = "expression"
    CHANGER = "property changer"
    TARGET = "target"
    LIST = "list"


_KINDS: Mapping[str, Kind] = {
    "Boolean": Kind.FLAG,
    "Integer": Kind.WHOLE,
    "Double": Kind.NUMBER,
    "Color": Kind.COLOUR,
    "ColorConfig": Kind.COLOUR,
    "ColorConfig2": Kind.COLOUR,
    "ColorConfig3": Kind.COLOUR,
    "NamedKeyStroke": Kind.KEY,
    "KeyStroke": Kind.KEY,
    "HotkeyConfig": Kind.KEYS,
    "IconConfig": Kind.IMAGE,
    "InIconConfig": Kind.IMAGE,
    "OutIconConfig": Kind.IMAGE,
    "PickIconConfig": Kind.IMAGE,
    "UnmovedIconConfig": Kind.IMAGE,
    "Image": Kind.IMAGE,
    "Icon": Kind.IMAGE,
    "File": Kind.FILE,
    "SoundConfig": Kind.SOUND,
    "PropertyExpression": Kind.EXPRESSION,
    "FormattedStringExpression": Kind.EXPRESSION,
    "LoopCountConfig": Kind.FORMAT,
    "PropChangerOptions": Kind.CHANGER,
    "GlobalCommandTarget": Kind.TARGET,
    "String[]": Kind.LIST,
    "FormattedStringConfig": Kind.FORMAT,
    "UnmovedReportConfig": Kind.FORMAT,
    "ChangeOptionConfig": Kind.FORMAT,
    "PiecePropertyConfig": Kind.FORMAT,
}


@dataclass(frozen=True, slots=True)
class Attribute:
    """A setting: the engine's name for its type, what that means, and its default (None: it has none)."""

    type: str
    kind: Kind
    default: str | None


@dataclass(frozen=True, slots=True)
class ComponentClass:
    """A class of components: its settings by name, and the classes that may stand in it. ``open`` classes have settings that could
    not be read, so none is called unknown."""

    attributes: Mapping[str, Attribute]
    children: frozenset[str]
    open: bool = False


@dataclass(frozen=True, slots=True)
class TraitClass:
    """A kind of trait: how many fields a fresh one has, its state, and the properties that every one gives to its piece.

    Properties that begin with an underscore stand behind the trait's own name.
    """

    fields: int
    state: str
    properties: tuple[str, ...]


# Classes that could not be made alone, or stand in old build files only, so that their settings are not known.
_OPEN = frozenset(
    {
        "module.properties.ScenarioOptions",
        "module.map.boardPicker.board.ZonedGridHighlighter",
        "module.map.boardPicker.board.mapgrid.ZonedGridHighlighter",
        "module.map.boardPicker.board.mapgrid.ZoneProperty",
        "option",
        "module.InternetDiceButton",
        *(f"module.{name}" for name in ("BasicLogger", "EventLog", "DieManager", "ConnectionWindow", "Plugin", "ExtensionElement")),
    }
)


def _kind(type_name: str) -> Kind:
    if type_name.endswith("FormatConfig"):
        return Kind.FORMAT
    return _KINDS.get(type_name, Kind.TEXT)


@lru_cache(maxsize=1)
def _table() -> tuple[Mapping[str, ComponentClass], Mapping[str, TraitClass]]:
    found = json.loads((files("modgen.formats.vassal") / "engine.json").read_text("utf-8"))
    classes = {
        name: ComponentClass(
            {key: Attribute(kind, _kind(kind), default) for key, (kind, default) in entry["attributes"].items()},
            frozenset(entry["children"]),
            name in _OPEN,
        )
        for name, entry in found["classes"].items()
    }
    traits = {
        name: TraitClass(len(sequence.decode(entry["type"].partition(";")[2], ";")), entry["state"], tuple(entry["properties"]))
        for name, entry in found["traits"].items()
        if name not in ("stack", "deck")
    }
    return classes, traits


def classes() -> Mapping[str, ComponentClass]:
    """Every class of components by its name without the engine's package."""
    return _table()[0]


def traits() -> Mapping[str, TraitClass]:
    """Every kind of trait by its id, the BasicPiece (``piece``) included."""
    return _table()[1]


def short(found: Element) -> str:
    """An element's class without the engine's package; both names of the root are one."""
    name = found.name.removeprefix(PREFIX)
    return ROOT if name == OLD_ROOT else name


WORDS: Mapping[tuple[str, str], tuple[str, ...]] = {
    **{
        ("module.GlobalOptions", name): ("Always", "Never", "Use Preferences Setting")
        for name in (
            "autoReport",
            "nonOwnerUnmaskable",
            "chatterHTMLSupport",
            "hotKeysOnClosedWindows",
            "inventoryForAll",
            "sendToLocationMoveTrails",
        )
    },
    **{(name, "markMoved"): ("Always", "Never", "Use Preferences Setting") for name in ("module.Map", "module.PrivateMap")},
    ("module.map.DrawPile", "faceDown"): ("Always", "Never", "Via right-click Menu", "MenuDefaultUp"),
    ("module.map.DrawPile", "shuffle"): ("Always", "Never", "Via right-click Menu"),
    ("module.DoActionButton", "loopType"): ("counted", "while", "until"),
    ("module.Inventory", "sorting"): ("alpha", "length", "numeric"),
    ("module.turn.TurnTracker", "lengthStyle"): ("Maximum", "Fixed", "Variable"),
    **{
        (f"module.map.boardPicker.board.mapgrid.{grid}Numbering", name): words
        for grid in ("HexGrid", "SquareGrid", "ObliqueHexGrid")
        for name, words in (("first", ("H", "V")), ("hType", ("N", "A")), ("vType", ("N", "A")))
    },
}
"""The words that some attributes take; any other is read as if nothing stood there."""

PICTURES = frozenset(
    "camera.gif chart.gif chess_clock.png connect.gif counter.gif die.gif disconnect.gif Edit16.gif getMessages.gif globe_selected.gif "
    "globe_unselected.gif Help16.gif inventory.gif keyCommand.gif lockedRoom.gif map.gif moved.gif notes.gif overview.gif "
    "playerAway.gif playerLooking.gif postMessage.gif recenter.gif Save16.gif SaveAs16.gif Splash.gif Splash.png status.gif "
    "StepForward16.gif thread.gif Undo16.gif unmoved.gif zoom.png zoomIn.gif zoomIn.png zoomOut.gif zoomOut.png black.jpg".split()
)
"""Pictures that the engine itself brings along; they are named ``/images/NAME``."""

OWN_KEYS: Mapping[tuple[int, int], str] = {
    (90, 130): "the players' undo",
    (34, 0): "the step through a log",
    (87, 520): "the beginning of a log",
    (87, 585): "the end of a log",
}
"""Keys that the engine listens for itself: (key code, modifiers) -> what for."""

_OF_PIECES = (
    "BasicName PieceName LocalizedBasicName LocalizedPieceName LocationName CurrentMap CurrentBoard CurrentZone CurrentX CurrentY "
    "DeckName DeckPosition ClickedX ClickedY OldLocationName OldMap OldBoard OldZone OldDeckName OldX OldY OldMat OldMatID "
    "OldMatPieceName OldMatBasicName OldMatOffsetX OldMatOffsetY PieceUID UniqueID PieceId StackPos StackSize Moved Invisible "
    "InvisibleToOthers Obscured ObscuredToOthers Selected Immobile IgnoreGrid cannotMove NoStack Restricted RestrictedMovement "
    "ParentID CloneID AttachCount"
).split()
_OF_MODULES = (
    "PlayerSide playerSide PlayerName playerName PlayerId playerId PlayerID ModuleName ModuleVersion ModuleDescription ModuleOther1 "
    "ModuleOther2 VassalVersionCreated VassalVersionRunning ModuleGameFileName DrawingMouseover DrawingMouseoverIndex"
).split()
PROPERTIES = frozenset((*_OF_PIECES, *_OF_MODULES))
"""Properties that the engine gives by itself, to pieces and to everything else."""

TAKEN = frozenset((*_OF_PIECES, "PlayerSide", "PlayerName", "PlayerId"))
"""Names that a marker must not have: the engine answers for them itself. ``PieceId`` it even overwrites."""

FORMAT_WORDS = frozenset(
    "pieceName location previousLocation previousMap mapName message pieceCount oldPieceName newPieceName oldLocation oldMapName "
    "menuCommand name result result1 result2 result3 result4 result5 numericalTotal oldValue newValue value oldTurn newTurn level1 "
    "level2 level3 level4 level5 level6 PropertyValue gridLocation row column deckName commandName playerId playerName playerSide "
    "nDice nSides plus addToTotal Name FromLocation ToLocation AllLocationsChecked LocationsChecked Range RangeList label "
    "MapName ZoneName propertyPrompt tabName visible condition sum propertyName maxLines summary LocationOfCommand BoardOfCommand "
    "MapOfCommand ZoneOfCommand FlareName FlareLocation FlareZone FlareMap".split()
)
"""Words between dollar signs that only the format they stand in knows."""
