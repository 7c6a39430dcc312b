"""Reads records of every version, strictly: the first thing that is wrong is told with its place. Pure: text in, values out.

Version 1 was written by hand too: numbers may be left out, empty lines are skipped. Version 2 has one way of being written, and a
file that is written otherwise is refused, so that nothing in it is outside the chain but what is reserved for later.
"""

from __future__ import annotations

import re

from referee.rules.record_form import READABLE, RESERVED, SHOWN, TRAILERS, End, Entry, Header, Record, RecordError

_FIELDS = ("game", "scenario", "options", "rules", "data", "seed", *RESERVED, "note", "overlay", "position", "actions")
_NEEDED = ("game", "scenario", "options", "rules", "data")
_MANY = ("note", "overlay")
_SEAL = re.compile(rf"([0-9a-f]{{{SHOWN}}})(?: (.*))?", re.ASCII)
_END = re.compile(r"end ([0-9]{1,9}) position ([0-9a-f]{64}) result (.+)", re.ASCII)


def read_record(text: str, where: str = "record") -> Record:
    """The record that a file holds; its actions are not parsed yet, that takes the game's book, and its chain is not checked.

    Raises RecordError at the first thing that is wrong; ``where`` is the name of the file in its message.
    """
    return _Reading(text, where).read()


class _Reading:
    """One file being read; knows where it is."""

    def __init__(self, text: str, where: str) -> None:
        self.where = where
        self.at = 0
        text = text.removeprefix("\ufeff")
        # A file that went through another system's line ends is the same record; one with some of them is not.
        self.text = text.replace("\r\n", "\n") if text.count("\r\n") == text.count("\n") else text
        self.version = 0
        self.fields: tuple[str, ...] = _FIELDS
        self.lines = self.text.split("\n")
        self.places: list[tuple[str, int]] = []

    def error(self, column: int, message: str) -> RecordError:
        return RecordError(self.where, self.at, column, message)

    def next(self) -> str | None:
        """The next line, without blanks at its end; None after the last."""
        self.at += 1
        return self.lines[self.at - 1].rstrip() if self.at <= len(self.lines) else None

    def read(self) -> Record:
        first = self.next() or ""
        versions = {f"record {version}": version for version in READABLE}
        if first not in versions:
            newer = re.fullmatch(r"record [0-9]{1,6}", first, re.ASCII) and "; a newer one needs a newer referee"
            allowed = " or ".join(repr(name) for name in versions)
            found = f"not {first[:60]!r}{newer or ''}" if "".join(self.lines).strip() else "and this is empty"
            raise self.error(1, f"a record begins with {allowed}, {found}")
        self.version = versions[first]
        if self.version == 1:
            self.lines = [line.removesuffix("\r") for line in self.lines]
            self.fields = tuple(name for name in _FIELDS if name != "overlay")
        header, start, seal = self.header()
        entries, comments, end, trailers = self.body()
        places = tuple(self.places)
        record = Record(header, tuple(entries), start, tuple(comments), end, seal, tuple(trailers), self.version, self.where, places)
        if self.version > 1:
            self.hold_form(str(record))
        return record

    def hold_form(self, written: str) -> None:
        """Raises RecordError where the file is not written as the referee writes it."""
        if written == self.text:
            return
        mine = written.split("\n")
        for number, (theirs, allowed) in enumerate(zip(self.lines, mine, strict=False), 1):
            if theirs != allowed:
                self.at = number
                column = next((n for n, (a, b) in enumerate(zip(theirs, allowed, strict=False)) if a != b), min(len(theirs), len(allowed)))
                raise self.error(column + 1, f"this is not how a record is written; allowed: {allowed[:200]!r}")
        self.at = min(len(self.lines), len(mine))
        raise self.error(len(self.lines[self.at - 1]) + 1, "a record ends with one line feed after its last line")

    def header(self) -> tuple[Header, str, str]:
        found: dict[str, str] = {}
        notes: list[str] = []
        reserved: list[tuple[str, str]] = []
        overlay: list[tuple[str, str]] = []
        start, last = "", -1
        while (line := self.next()) is not None:
            name, _, value = line.partition(" ")
            if not line:
                continue
            if name not in self.fields:
                raise self.error(1, f"{name!r} is no field of a header; there are: {', '.join(self.fields)}")
            order = self.fields.index(name)
            if order < last or (order == last and name not in _MANY):
                raise self.error(1, f"{name!r} cannot stand here; the order is: {', '.join(self.fields)}")
            last = order
            self.places.append((f"overlay {value}" if name == "overlay" else name, self.at))
            if name in ("position", "actions"):
                if value and not (name == "actions" and self.version > 1):
                    raise self.error(len(name) + 2, f"{name!r} stands alone on its line")
            elif not value.strip():
                raise self.error(len(line) + 1, f"{name!r} needs a value")
            if name == "actions":
                if missing := [n for n in _NEEDED if n not in found]:
                    raise self.error(1, f"the header ends without {', '.join(missing)}")
                seal = re.fullmatch(rf"actions ; ([0-9a-f]{{{SHOWN}}})", line, re.ASCII) if self.version > 1 else None
                if self.version > 1 and seal is None:
                    raise self.error(len(name) + 2, f"'actions' is followed by ' ; ' and the header's digest, {SHOWN} of 0-9 and a-f")
                return self.made(found, notes, reserved, overlay), start, seal[1] if seal else ""
            if name == "position":
                start = self.indented()
            elif name == "note":
                notes.append(value)
            elif name == "overlay":
                if overlay and value <= overlay[-1][0]:
                    raise self.error(9, f"{value!r} cannot stand here; overlays stand once each, in the order of their names")
                overlay.append((value, self.indented()))
            elif name in RESERVED:
                reserved.append((name, value))
            else:
                found[name] = value
                if name == "rules" and not re.fullmatch(r"\d{1,6}", value, re.ASCII):
                    raise self.error(7, f"the rules version is a whole number, not {value!r}")
        raise self.error(1, "the file ends before 'actions'")

    def made(self, found: dict[str, str], notes: list[str], reserved: list[tuple[str, str]], overlay: list[tuple[str, str]]) -> Header:
        options = () if found["options"] == "-" else tuple(found["options"].split(","))
        told = (found["game"], found["scenario"], options, int(found["rules"]), found["data"], found.get("seed", ""))
        return Header(*told, tuple(notes), tuple(reserved), tuple(overlay))

    def indented(self) -> str:
        lines: list[str] = []
        while self.at < len(self.lines) and self.lines[self.at].startswith("  "):
            line = self.lines[self.at][2:]
            lines.append(line if self.version > 1 else line.rstrip())
            self.at += 1
        if not lines:
            raise self.error(1, f"the lines of {self.places[-1][0].partition(' ')[0]!r} follow it, indented by two blanks")
        return "\n".join(lines) + "\n"

    def body(self) -> tuple[list[Entry], list[str], End | None, list[str]]:
        entries: list[Entry] = []
        comments: list[str] = []
        while (line := self.next()) is not None:
            if not line.strip():
                continue
            if line.startswith("#"):
                comments.append(line)
            elif self.version > 1 and line.startswith("end "):
                return entries, comments, self.end(line), self.trailers()
            else:
                entries.append(self.entry(line, len(entries) + 1, tuple(comments)))
                comments = []
        if self.version > 1:
            self.at -= 1
            raise self.error(1, "the file ends without its last line, 'end COUNT position DIGEST result RESULT ; DIGEST'")
        return entries, comments, None, []

    def entry(self, line: str, number: int, comments: tuple[str, ...]) -> Entry:
        action, mark, seal = f"{line} ".partition(" ; ")
        numbered = re.match(r"\s*(\d{1,9})\s+", action, re.ASCII)
        told = int(numbered[1]) if numbered else 0
        if numbered and told != number and (self.version == 1 or not told):
            raise self.error(numbered.start(1) + 1, f"number {numbered[1]} where {number} comes next")
        text = (action[numbered.end() :] if numbered else action).rstrip()
        column = len(action.rstrip()) - len(text.lstrip()) + 1
        if self.version == 1:
            if not text.strip() or (mark and not seal.strip()):
                raise self.error(column, "a line of the body reads '[NUMBER] ACTION [; SEAL]'")
            return Entry(text.strip(), comments, seal.strip(), number=told, line=self.at, column=column)
        found = _SEAL.fullmatch(seal.strip())
        if found is None or not numbered or not text.strip():
            at = len(action) + 4 if mark and found is None else column
            raise self.error(at, f"a line of the body reads 'NUMBER ACTION ; DIGEST', the digest {SHOWN} of 0-9 and a-f")
        return Entry(text.strip(), comments, found[1], found[2] or "", told, self.at, column)

    def end(self, line: str) -> End:
        text, _, seal = line.partition(" ; ")
        found = _END.fullmatch(text)
        if found is None:
            raise self.error(1, "the last line reads 'end COUNT position DIGEST result RESULT ; DIGEST', RESULT '-' while the game goes on")
        if not re.fullmatch(r"[0-9a-f]{64}", seal, re.ASCII):
            raise self.error(len(text) + 4, "the last line ends with all 64 digits of the chain's digest, 0-9 and a-f")
        return End(int(found[1]), found[2], "" if found[3] == "-" else found[3], seal, self.at)

    def trailers(self) -> list[str]:
        lines: list[str] = []
        while (line := self.next()) is not None:
            if not line and self.at == len(self.lines):
                break
            if line.partition(" ")[0] not in TRAILERS:
                raise self.error(1, f"nothing follows the last line but lines of: {', '.join(TRAILERS)}")
            lines.append(line)
        return lines
