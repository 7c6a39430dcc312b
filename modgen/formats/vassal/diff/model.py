"""What a comparison finds, and how values are shown side by side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

_CONTEXT = 24
_MOST = 72


class Kind(StrEnum):
    """What happened to a thing."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Change:
    """One difference. ``group`` is the heading it stands under; ``subjects`` are the things it happened to (pieces, components, files);
    ``field`` is what of them changed, with its ``old`` and ``new`` value; ``within`` the set-up that they are in. ``loud`` changes hurt
    saves or players."""

    group: str
    kind: Kind
    subjects: tuple[str, ...]
    field: str = ""
    old: str = ""
    new: str = ""
    because: str = ""
    loud: bool = False
    within: str = ""


def side_by_side(old: str, new: str) -> tuple[str, str]:
    """Two values fit to be shown: whole when short, otherwise what lies round the first difference."""
    if max(len(old), len(new)) <= _MOST:
        return flat(old), flat(new)
    start = next((at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), min(len(old), len(new)))
    return tuple(_cut(text, max(0, start - _CONTEXT)) for text in (old, new))  # type: ignore[return-value]


def _cut(text: str, start: int) -> str:
    end = start + _MOST
    return ("..." if start else "") + flat(text[start:end]) + ("..." if end < len(text) else "")


def flat(text: str) -> str:
    """A text on one line."""
    return "".join(c if c.isprintable() else "�" for c in text)


def in_words(change: Change, most: int | None = 3) -> str:
    """A change as a sentence; of its subjects at most ``most`` are named."""
    names = list(change.subjects)
    shown = ", ".join(names[:most])
    if most is not None and len(names) > most:
        shown += f" and {len(names) - most} more"
    shown = f"{change.within}: {shown}" if change.within else shown
    head = f"{change.kind}: {shown}" if change.kind in (Kind.ADDED, Kind.REMOVED) else shown
    if change.kind in (Kind.CHANGED, Kind.MOVED):
        old, new = side_by_side(change.old, change.new)
        head += (f": {change.field}" if change.field else ":") + f" {old or '(nothing)'} -> {new or '(nothing)'}"
    elif change.field:
        head += f": {change.field}"
    return head + (f" ({change.because})" if change.because else "")


def gathered(changes: Iterable[Change]) -> Iterator[Change]:
    """The same changes with those that differ only in their subjects made one, in the order of the first of each."""
    subjects: dict[Change, list[str]] = defaultdict(list)
    for change in changes:
        subjects[replace(change, subjects=())] += change.subjects
    for change, names in subjects.items():
        yield replace(change, subjects=tuple(dict.fromkeys(names)))


def in_order(groups: Sequence[str], changes: Iterable[Change]) -> tuple[Change, ...]:
    """Changes by group, in the order of groups; within one as they came."""
    return tuple(sorted(changes, key=lambda change: groups.index(change.group)))
