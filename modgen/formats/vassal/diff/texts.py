"""Two text twins compared, as ``modgen dump`` prints them: line by line, each line under what it stands in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from modgen.formats.vassal.diff.model import Change, Kind

TEXT = "Text"
GROUPS = (TEXT,)
HEADS = ("vassal module", "vassal save", "vassal log")
_NAMES = (".mapName = ", ".name = ", ".entryName = ", ".chartName = ", ".title = ")
_PARTS = re.compile(r"^(.*?(?: = | => |: ))(.*)$")


def compare(old: str, new: str) -> Iterator[Change]:
    """Lines that only one of two texts has, each with its place; lines that differ behind a sign ( = , => , : ) are one change."""
    before, after = list(_placed(old)), list(_placed(new))
    gone, fresh = Counter(before) - Counter(after), Counter(after) - Counter(before)
    waiting: dict[tuple[str, str], list[str]] = {}
    for place, line in dict.fromkeys(after):
        for _ in range(fresh[place, line]):
            waiting.setdefault((place, _head(line)), []).append(line)
    for place, line in dict.fromkeys(before):
        for _ in range(gone[place, line]):
            others = waiting.get((place, _head(line)), [])
            if others and _head(line):
                other = others.pop(0)
                head = _head(line)
                yield Change(TEXT, Kind.CHANGED, (_shown(place, head.rstrip(" =>:")),), "", line[len(head) :], other[len(head) :])
            else:
                yield Change(TEXT, Kind.REMOVED, (_shown(place, line),))
    for (place, _), lines in waiting.items():
        for line in lines:
            yield Change(TEXT, Kind.ADDED, (_shown(place, line),))
    if old != new and not gone and not fresh:
        yield Change(TEXT, Kind.NOTE, ("the texts",), "have the same lines in another order")


def _shown(place: str, line: str) -> str:
    return f"{place} > {line}" if place else line


def _head(line: str) -> str:
    match = _PARTS.match(line)
    return match[1] if match is not None else ""


def _placed(text: str) -> Iterator[tuple[str, str]]:
    """(what a line stands in, the line) of every line; what has a name of its own below it is called by that too."""
    lines = text.splitlines()
    path: list[str] = []
    for index, line in enumerate(lines):
        bare = line.lstrip(" ")
        depth = (len(line) - len(bare)) // 2
        del path[depth:]
        path += [""] * (depth - len(path))
        yield " > ".join(part for part in path if part), bare
        path.append(bare + _name_below(lines, index, depth))


def _name_below(lines: list[str], index: int, depth: int) -> str:
    indent = "  " * (depth + 1)
    for line in lines[index + 1 : index + 60]:
        if not line.startswith(indent + "."):
            break
        name = next((start for start in _NAMES if line.startswith(indent + start)), "")
        if name:
            return f' "{line.strip()[len(name) :]}"'
    return ""
