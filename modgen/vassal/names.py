"""Names that the parts of a module use for each other: properties, markers, commands. Players never type them."""

from __future__ import annotations

import re
import zlib

from modgen.formats.vassal.keys import ALT, CTRL, SHIFT, named

TALK, TALK_NUMBER = "Talk", "TalkN"
"""Module properties: the line of table talk, and the running number that makes each line a new one."""
GAME, DATA, SCENARIO, LAST_TURN = "RefGame", "RefData", "RefScenario", "LastTurn"
"""Module properties: the game's id, the data's hash, the scenario set up, and its last turn."""
EXITS = "ExitHexes"
TURN, PHASE = "GameTurn", "Phase"
NOW = "PhaseNow"
"""Module property, where either side may play first: the phase that runs, as it is called where a side's turn is fixed."""
HALVES = "Halves"
"""Module property: ``yes`` in games in which either side may play first."""
NOTICES = "Notices"
"""Module property: what is said when phases begin."""
FIELD = "Field"
"""Module property: the zones in which play goes on, ``;1 Here;2 There;``, of a map that is made of zones."""
GIVEN_X, GIVEN_Y, GIVEN_FACE = "GivenX", "GivenY", "GivenFace"
"""Module properties: the place that a piece gave up last, in pixels of the map, and which of its faces was up."""
UNIT, MARKER_ID, SIDE, NATION, LAYER, BOX_X = "UnitId", "MarkerId", "Side", "Nation", "Layer", "BoxX"
"""Markers of pieces. ``PieceId`` is the engine's own and must not be used."""
DECLARED, FACE = "Declared", "Face"
ANSWERED, ANSWER, NO_ANSWER = "Answered", "yes", "no"
"""Whether the side of a piece that is declared a target has answered the attack, where strengths are hidden."""
NOTE = "Note"
"""What is shown with a piece under the mouse."""
SAYS = "Says"
"""What a card does, in words."""
NO_WORD, ATTACKS, ATTACKED, FOUGHT, WAS_FOUGHT = "none", "attacks", "is attacked", "has attacked", "was attacked"
UNIT_LAYER, MARKER_LAYER = "Unit", "Marker"

DELETE = "127,0"
_PRESSED = re.compile(r"(Ctrl\+)?(Shift\+)?(Alt\+)?([A-Z0-9]|Delete)")

_COMMANDS = (
    *("bump", "talkAttack", "talkTarget", "talkClear", "markAttack", "markTarget", "unmark", "declSay"),
    *("elimNote", "elimGo", "elimBack", "elimSay", "backSay", "exitGo", "exitSay", "lastHex", "lastSay", "flip", "flipSay"),
    *("step", "unstep", "loseStep", "stepOff", "stepOut", "stepSay", "restore", "restoreSay"),
    *("clear", "clearAll", "clearDecl", "clearDeclAll"),
    *("moduleBump", "talkPhase", "talkClearAll", "nextPhase", "sayEnd", "btnNext", "btnClear", "roll"),
)


def command(name: str) -> str:
    """A named key: ``57347,0,talkClear``. The client tells them by name alone; the number only has to be none of the keyboard's."""
    name = re.sub(r"\W", "_", name)
    number = _COMMANDS.index(name) if name in _COMMANDS else len(_COMMANDS) + zlib.crc32(name.encode()) % 4096
    return named(name, number)


def ctrl(letter: str, shift: bool = False) -> str:
    """Ctrl (and shift) with a letter, as the engine writes it: modifiers 130 and 195."""
    return f"{ord(letter)},{CTRL + (SHIFT if shift else 0)}"


def pressed(words: str) -> str:
    """The key that is written ``Ctrl+Shift+E``, as the engine writes it; "" for no words.

    Raises ValueError for words that are no key.
    """
    if not words:
        return ""
    found = _PRESSED.fullmatch(words)
    if found is None:
        raise ValueError(f"{words!r} is no key; a key like Ctrl+E, Ctrl+Shift+1 or Delete is allowed")
    modifiers = sum(number for part, number in zip(found.groups(), (CTRL, SHIFT, ALT), strict=False) if part)
    code = DELETE.partition(",")[0] if found[4] == "Delete" else str(ord(found[4]))
    return f"{code},{modifiers}"


# What players press. Ctrl-Z is the client's own undo.
KEYS = {
    "attack": ctrl("A"),
    "target": ctrl("T"),
    "clear": ctrl("D"),
    "eliminate": ctrl("E"),
    "back": ctrl("E", shift=True),
    "last": ctrl("B"),
    "resolve": ctrl("Y"),
    "exit": ctrl("X"),
    "flip": ctrl("F"),
    "step": ctrl("R"),
    "restore": ctrl("R", shift=True),
    "gone": ctrl("X", shift=True),
    "moved": ctrl("M"),
    "trail": ctrl("L"),
}


def key_words(key: str) -> str:
    """A key as a person reads it: ``Ctrl+Shift+E``."""
    code, modifiers = (int(part) for part in key.split(",")[:2])
    held = [word for word, number in (("Ctrl", 128), ("Shift", 64), ("Alt", 512)) if modifiers & number]
    return "+".join([*held, "Delete" if str(code) == DELETE.partition(",")[0] else chr(code)])
