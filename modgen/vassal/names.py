"""Names that the parts of a module use for each other: properties, markers, commands. Players never type them."""

from __future__ import annotations

from modgen.formats.vassal.keys import CTRL, SHIFT, named

TALK, TALK_NUMBER = "Talk", "TalkN"
"""Module properties: the line of table talk, and the running number that makes each line a new one."""
GAME, DATA, SCENARIO, LAST_TURN = "RefGame", "RefData", "RefScenario", "LastTurn"
"""Module properties: the game's id, the data's hash, the scenario set up, and its last turn."""
EXITS = "ExitHexes"
TURN, PHASE = "GameTurn", "Phase"
UNIT, MARKER_ID, SIDE, NATION, LAYER, BOX_X = "UnitId", "MarkerId", "Side", "Nation", "Layer", "BoxX"
"""Markers of pieces. ``PieceId`` is the engine's own and must not be used."""
DECLARED, FACE = "Declared", "Face"
NO_WORD, ATTACKS, ATTACKED = "none", "attacks", "is attacked"
UNIT_LAYER, MARKER_LAYER = "Unit", "Marker"

_COMMANDS = (
    *("bump", "talkAttack", "talkTarget", "talkClear", "markAttack", "markTarget", "unmark", "declSay"),
    *("elimNote", "elimGo", "elimBack", "elimSay", "backSay", "exitGo", "exitSay", "lastHex", "lastSay", "flip", "flipSay"),
    *("clear", "clearAll", "clearDecl", "clearDeclAll"),
    *("moduleBump", "talkPhase", "talkClearAll", "nextPhase", "btnNext", "btnClear", "roll"),
)


def command(name: str) -> str:
    """A named key, with its fixed number: ``57347,0,talkClear``. Raises ValueError for a name that is not in use."""
    return named(name, _COMMANDS.index(name))


def ctrl(letter: str, shift: bool = False) -> str:
    """Ctrl (and shift) with a letter, as the engine writes it: modifiers 130 and 195."""
    return f"{ord(letter)},{CTRL + (SHIFT if shift else 0)}"


# What players press. Ctrl-Z is the client's own undo.
KEYS = {
    "attack": ctrl("A"),
    "target": ctrl("T"),
    "clear": ctrl("D"),
    "eliminate": ctrl("E"),
    "back": ctrl("E", shift=True),
    "last": ctrl("B"),
    "exit": ctrl("X"),
    "flip": ctrl("F"),
    "gone": ctrl("X", shift=True),
    "moved": ctrl("M"),
    "trail": ctrl("L"),
}
DELETE = "127,0"


def key_words(key: str) -> str:
    """A key as a person reads it: ``Ctrl+Shift+E``."""
    code, modifiers = (int(part) for part in key.split(",")[:2])
    if key == DELETE:
        return "Delete"
    return ("Ctrl+Shift+" if modifiers > CTRL else "Ctrl+") + chr(code)
