"""``modgen diff``: what changed between two files of a kind, in words: modules, saves or logs, or their text twins."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from gamebox.load import bounded
from modgen.formats.errors import FormatError
from modgen.formats.vassal.archive import DEFAULT_LIMITS, Limits, read_archive
from modgen.formats.vassal.buildfile import BUILD_FILE, Module, read_module
from modgen.formats.vassal.diff import logs, modules, texts
from modgen.formats.vassal.diff.model import Change, Kind, gathered, in_order, in_words
from modgen.formats.vassal.saves import SAVED_GAME, read_log
from modgen.formats.vassal.validate.model import Subject

VERSION = 1
"""Of the JSON form."""
_MOST_LINES, _MOST_NAMES = 12, 3


@dataclass(frozen=True, slots=True)
class Report:
    """What differs between two files. ``kind`` is module, save or text; changes are in the order of their groups."""

    kind: str
    old: str
    new: str
    changes: tuple[Change, ...]

    def as_json(self) -> dict[str, Any]:
        """The report as plain values (docs/schema/diff-1.json)."""
        return {
            "version": VERSION,
            "kind": self.kind,
            "old": self.old,
            "new": self.new,
            "differences": [
                {
                    "group": change.group,
                    "kind": str(change.kind),
                    "subjects": list(change.subjects),
                    "field": change.field,
                    "old": change.old,
                    "new": change.new,
                    "because": change.because,
                    "within": change.within,
                    "care": change.loud,
                }
                for change in self.changes
            ],
            "summary": {"differences": len(self.changes), "care": sum(change.loud for change in self.changes)},
        }


def diff(old: Path, new: Path, *, module: Path | None = None, limits: Limits = DEFAULT_LIMITS) -> Report:
    """Compare two files of a kind. ``module`` names the places of saves and logs.

    Raises FormatError when one of them cannot be read, or when they are of two kinds.
    """
    one, two = _kind(old, limits), _kind(new, limits)
    if one != two:
        raise FormatError(new.as_posix(), f"is a {two}, {old.as_posix()} a {one}; two files of a kind are compared")
    if one == "module":
        with Subject(old, None, limits) as before, Subject(new, None, limits) as after:
            return _report(one, old, new, modules.GROUPS, modules.compare(before, after))
    if one == "text":
        return _report(one, old, new, texts.GROUPS, texts.compare(_text(old, limits), _text(new, limits)))
    read: Module | None = read_module(module, limits=limits) if module is not None else None
    return _report(one, old, new, logs.GROUPS, logs.compare(read_log(old, limits=limits), read_log(new, limits=limits), read))


def _report(kind: str, old: Path, new: Path, groups: tuple[str, ...], changes: Iterable[Change]) -> Report:
    return Report(kind, old.as_posix(), new.as_posix(), in_order(groups, gathered(changes)))


def _kind(path: Path, limits: Limits) -> str:
    """module, save (also of logs), or text (a twin of any). Raises FormatError for anything else."""
    try:
        with path.open("rb") as stream:
            start = stream.read(32)
    except OSError as error:
        raise FormatError(path.as_posix(), f"cannot be opened: {error.strerror or error}") from None
    if start.startswith(tuple(head.encode() for head in texts.HEADS)):
        return "text"
    with read_archive(path, limits=limits) as archive:
        if BUILD_FILE in archive or "buildFile" in archive:
            return "module"
        if SAVED_GAME in archive:
            return "save"
        raise FormatError(archive.where, f"holds neither {BUILD_FILE}, as a module does, nor {SAVED_GAME}, as a save or log does")


def _text(path: Path, limits: Limits) -> str:
    try:
        data = bounded(path, limits.entry)
    except OSError as error:
        raise FormatError(path.as_posix(), f"cannot be read: {error.strerror or error}") from None
    return data.decode("utf-8", "replace")


def text(report: Report, every: bool = False) -> str:
    """The report for people, group by group; long lists are cut short with a count unless ``every``.

    What needs care has a ``!`` before it.
    """
    lines = [f"{report.old} -> {report.new}"]
    for group, found in groupby(report.changes, key=lambda change: change.group):
        # What needs care comes first, so that no cut hides it.
        changes = sorted(found, key=lambda change: not change.loud)
        shown = changes if every else changes[: max(_MOST_LINES, sum(change.loud for change in changes))]
        lines += ["", f"{group} ({len(changes)})"]
        lines += [f"{'!' if change.loud else ' '} {in_words(change, None if every else _MOST_NAMES)}" for change in shown]
        if len(shown) < len(changes):
            lines.append(f"  and {len(changes) - len(shown)} more (--all shows them)")
    care = sum(change.loud for change in report.changes)
    if not report.changes:
        lines.append("no differences")
    else:
        lines += ["", f"{len(report.changes)} differences, {care} of them need care" if care else f"{len(report.changes)} differences"]
    return "\n".join(line.rstrip() for line in lines) + "\n"


__all__ = ["VERSION", "Change", "Kind", "Report", "diff", "text"]
