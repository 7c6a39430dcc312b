"""What the lines and properties of one step tell: dice, moves that a report only says again, and what an undo has to mirror. Pure."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from typing import Final

from gamebox.value import Value
from modgen.formats.vassal.commands import AddPiece, ChangePiece, Chat, Command, MovePiece, PropertyChange, RemovePiece, Undo

UNDO_LINE: Final = re.compile(r"\*?\s*UNDO:\s?")
"""What the engine puts before the lines of an undo."""
_DIE: Final = re.compile(r"\*+\s*(?P<die>.+?)\s*=\s*(?P<result>.+?)\s*\*+\s*(?:&lt;|<)(?P<who>.*?)(?:&gt;|>)\s*", re.DOTALL)
_SUMMARY: Final = re.compile(r"(-?\d+) x(\d+)")
_NUMBER: Final = re.compile(r"-?\d{1,9}", re.ASCII)
_MOST_DIGITS: Final = 10
_DIE_SIGNS: Final = ("_total", "_keep", "_summary")
_DIE_OWN: Final = ("_result", *_DIE_SIGNS)


class Roll(Value, frozen=True):
    """One die roll of a step. ``first`` marks the command at which it is told; the others are only passed over."""

    die: str
    faces: tuple[int, ...]
    who: str
    text: str
    first: bool

    def owns(self, name: str) -> bool:
        """Whether a property is one of the die's own."""
        return name.startswith(self.die) and name[len(self.die) :] in _DIE_OWN


def rolls(commands: Sequence[Command], dice: frozenset[str]) -> dict[int, Roll]:
    """Command index -> roll. Undone lines are no rolls."""
    names: set[str] = set()
    chats: list[tuple[int, re.Match[str]]] = []
    told: set[str] = set()
    shown: list[tuple[int, str, bool]] = []
    undoing = False
    for index, command in enumerate(commands):
        if type(command) is PropertyChange:
            names.add(command.name)
            if not undoing and command.name.endswith("_result"):
                die = command.name.removesuffix("_result")
                shown.append((index, die, die in told))
        elif type(command) is Chat:
            if "=" in command.text and not undoing and (said := _DIE.fullmatch(command.text)):
                chats.append((index, said))
                told.add(said["die"])
        elif type(command) is Undo:
            undoing = command.begins
    results: dict[str, list[int]] = {}
    for index, die, after in shown:
        if after or die in dice or any([die + sign in names for sign in _DIE_SIGNS]):
            results.setdefault(die, []).append(index)
    found: dict[int, Roll] = {}
    for index, said in chats:
        die = html.unescape(said["die"])
        own = results.get(die)
        if own:
            at = own.pop(0)
            faces = _faces(commands, at, die)
            found[at] = Roll(die, faces, "", "", False)
        else:
            faces = _numbers(html.unescape(said["result"]))
            if not faces:
                continue
        found[index] = Roll(die, faces, said["who"], html.unescape(said[0]).strip(), True)
    for die, indices in results.items():
        for at in indices:
            found[at] = Roll(die, _faces(commands, at, die), "", "", True)
    return found


def _numbers(text: str) -> tuple[int, ...]:
    if text.isdecimal() and text.isascii() and len(text) < _MOST_DIGITS:
        return (int(text),)  # one die
    words = [word.strip() for word in text.split(",")]
    return tuple([int(word) for word in words]) if words and all([_NUMBER.fullmatch(word) for word in words]) else ()


def _faces(commands: Sequence[Command], at: int, die: str) -> tuple[int, ...]:
    """The faces of a roll: from its result, or from the summary when the result is only a total."""
    result = commands[at]
    faces = _numbers(result.new) if type(result) is PropertyChange else ()
    for command in commands[at + 1 : at + 8]:
        if type(command) is PropertyChange and command.name == die + "_summary":
            each = tuple([int(face) for face, times in _SUMMARY.findall(command.new) for _ in range(min(int(times), 100))])
            return each if len(each) > len(faces) else faces
    return faces


def tells_a_route(report: str, routes: Sequence[tuple[str, str]]) -> bool:
    """Whether a report of the engine only says that pieces went along one of these ways, (from, to), or were created there: from ""."""
    for before, after in routes:
        if report.endswith(f" {before} -> {after} *") and before[-1:].isalnum() and after[-1:] not in " *":
            return True  # in the engine's own words
    words = report.strip(" *")
    for before, after in routes:
        if after and words.endswith(after) and (not before or _as_a_word(before, words, len(words) - len(after))):
            return True
    return False


def _as_a_word(name: str, text: str, end: int) -> bool:
    """Whether the name stands in the text before ``end``, and is no part of a longer word there."""
    at = text.find(name, 0, end)
    while at >= 0:
        behind = text[at + len(name) : at + len(name) + 1]
        if not _wordy(text[:at][-1:]) and _wordy(name[-1]) != _wordy(behind):
            return True
        at = text.find(name, at + 1, end)
    return False


def _wordy(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def signature(commands: Iterable[Command], inverse: bool = False) -> frozenset[str]:
    """What a step did, in a form in which a step and its undo are equal: moves, changes, properties and lines."""
    found: set[str] = set()
    for command in commands:
        if type(command) is MovePiece:
            new, old = (command.map, command.x, command.y), (command.old_map, command.old_x, command.old_y)
            a, b = (new, old) if inverse else (old, new)
            found.add(f"M {command.id} {a} {b}")
        elif type(command) is ChangePiece and command.old is not None:
            a_state, b_state = (command.new, command.old) if inverse else (command.old, command.new)
            found.add(f"D {command.id} {a_state} {b_state}")
        elif type(command) is AddPiece:
            found.add(f"{'-' if inverse else '+'} {command.id}")
        elif type(command) is RemovePiece:
            found.add(f"{'+' if inverse else '-'} {command.id}")
        elif type(command) is PropertyChange:
            a_text, b_text = (command.new, command.old) if inverse else (command.old, command.new)
            found.add(f"P {command.name} {a_text} {b_text}")
        elif type(command) is Chat:
            found.add("C " + _bare_line(command.text))
    return frozenset(found)


def _bare_line(text: str) -> str:
    """A chat line without the words that an undo puts before it."""
    return UNDO_LINE.sub("", text, count=1).strip() if UNDO_LINE.match(text) else text.strip()
