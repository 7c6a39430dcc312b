"""The audit document as JSON values (docs/schema/audit-1.json): several put together, and its counts. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

VERSION: Final = 1
VERDICTS: Final = ("legal", "illegal", "doubtful", "unclear")

Document = Mapping[str, Any]
"""A document as ``AuditDocument.as_json()`` gives it."""


def summary(actions: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How many actions have each verdict; every verdict is there, also with 0."""
    return tally([action["verdict"] for action in actions])


def tally(verdicts: Iterable[str]) -> dict[str, int]:
    """How often each verdict was given; every verdict is there, also with 0."""
    found = Counter(verdicts)
    return {verdict: found[verdict] for verdict in VERDICTS}


def actions(document: Document) -> Iterator[Mapping[str, Any]]:
    """The actions of every file, in order."""
    for file in document["files"]:
        yield from file["actions"]


def merge(documents: Iterable[Document]) -> dict[str, Any]:
    """One document with the files of all, in order; the notes once each, in order of first appearance."""
    files: list[Any] = []
    notes: dict[str, None] = {}
    for document in documents:
        files += document["files"]
        notes.update(dict.fromkeys(document.get("notes", ())))
    merged: dict[str, Any] = {"version": VERSION, "files": files, "notes": list(notes)}
    merged["summary"] = summary(actions(merged))
    return merged
