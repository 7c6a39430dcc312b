"""Two modules compared: what they say of themselves, their pieces, components, pictures, files and set-ups."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from modgen.formats.errors import FormatError
from modgen.formats.vassal import engine
from modgen.formats.vassal.buildfile import BUILD_FILE, image_size
from modgen.formats.vassal.diff import pieces, positions
from modgen.formats.vassal.diff.model import Change, Kind
from modgen.formats.vassal.replay import Game
from modgen.formats.vassal.saves import MODULE_DATA
from modgen.formats.vassal.validate.model import PROTOTYPE, SLOTS, Subject
from modgen.formats.vassal.xml import Element

IDENTITY, COMPONENTS, PICTURES, FILES, SETUPS = "Identity", "Components", "Pictures", "Files", "Set-ups"
GROUPS = (IDENTITY, pieces.NUMBERS, pieces.REFRESH, pieces.PIECES, pieces.PROTOTYPES, COMPONENTS, PICTURES, FILES, SETUPS)
_OF_ITSELF = ("name", "version", "description", "VassalVersion", "ModuleOther1", "ModuleOther2", "nextPieceSlotId")
_NAMES = ("mapName", "name", "entryName", "chartName", "threadName", "title", "flareName")


def compare(old: Subject, new: Subject) -> Iterator[Change]:
    """Everything that differs between two modules, group by group. Files are compared by their bytes."""
    yield from _identity(old, new)
    yield from pieces.compare(old, new)
    yield from _components(old.root, new.root, "")
    yield from _entries(old, new)
    yield from _setups(old, new)


def _identity(old: Subject, new: Subject) -> Iterator[Change]:
    becauses = {"name": "saves ask whether they may be loaded"}
    for name in _OF_ITSELF:
        before, after = old.root.get(name), new.root.get(name)
        if before == after:
            continue
        because, loud = becauses.get(name, ""), name in becauses
        if name == "nextPieceSlotId" and before.isdecimal() and after.isdecimal() and int(after) < int(before):
            because, loud = "numbers that were given away can be given again", True
        # Our builder writes into the free fields which game it is and the hash of its data.
        ours = {"game ": "game", "data ": "data hash"}.get(after[:5] or before[:5])
        what = ours or {"ModuleOther1": "first free field", "ModuleOther2": "second free field"}.get(name, name)
        yield Change(IDENTITY, Kind.CHANGED, ("module",), what, before, after, because, loud)
    one, two = old.module.metadata, new.module.metadata
    for what in ("name", "version", "vassal_version", "description"):
        before, after = (str(getattr(data, what)) if data is not None else "" for data in (one, two))
        if before != after and before != getattr(old.module, what):
            yield Change(IDENTITY, Kind.CHANGED, (MODULE_DATA,), what, before, after)


# -- components


def _key(found: Element) -> tuple[str, str]:
    return engine.short(found), next((found.get(name) for name in _NAMES if found.get(name)), "")


def _called(key: tuple[str, str], number: int) -> str:
    kind = key[0].rpartition(".")[2]
    return f'{kind} "{key[1]}"' if key[1] else (kind if number == 1 else f"{kind} {number}")


def _children(found: Element) -> dict[tuple[tuple[str, str], int], Element]:
    count: dict[tuple[str, str], int] = defaultdict(int)
    out: dict[tuple[tuple[str, str], int], Element] = {}
    for child in found.children:
        key = _key(child)
        if key[0] in SLOTS or key[0] == PROTOTYPE:
            continue
        count[key] += 1
        out[key, count[key]] = child
    return out


def _components(old: Element, new: Element, where: str) -> Iterator[Change]:
    before, after = _children(old), _children(new)
    gone = {key for key in before if key not in after}
    fresh = {key for key in after if key not in before}
    for key, child in before.items():
        place = f"{where} > {_called(*key)}" if where else _called(*key)
        other = after.get(key)
        if other is None:
            renamed = next((one for one in after if one in fresh and _renamed(child, after[one])), None)
            if renamed is None:
                yield Change(COMPONENTS, Kind.REMOVED, (place,))
                continue
            fresh.discard(renamed)
            other = after[renamed]
        yield from _attributes(place, child, other)
        yield from _components(child, other, place)
    for key in after:
        if key in fresh:
            yield Change(COMPONENTS, Kind.ADDED, (f"{where} > {_called(*key)}" if where else _called(*key),))
    common = [key for key in before if key not in gone and key in after]
    if common != [key for key in after if key in before]:
        yield Change(COMPONENTS, Kind.NOTE, (where or "module",), "its components stand in another order")


def _renamed(old: Element, new: Element) -> bool:
    """Whether a component is the same under another name: everything else of it agrees."""
    if old.name != new.name or [child.name for child in old.children] != [child.name for child in new.children]:
        return False
    differing = {name for name in {**old.attributes, **new.attributes} if old.attributes.get(name) != new.attributes.get(name)}
    return bool(old.attributes) and differing <= set(_NAMES) and old.text == new.text


def _attributes(place: str, old: Element, new: Element) -> Iterator[Change]:
    for name in dict.fromkeys((*old.attributes, *new.attributes)):
        before, after = (found.attributes.get(name, "unset") for found in (old, new))
        if before != after:
            yield Change(COMPONENTS, Kind.CHANGED, (place,), name, before, after)
    if old.text.strip() != new.text.strip():
        yield Change(COMPONENTS, Kind.CHANGED, (place,), "text", old.text.strip(), new.text.strip())


# -- files


def _size(subject: Subject, name: str) -> str:
    try:
        data = subject.archive.head(name)
    except FormatError:
        return "unreadable"
    size = image_size(data) if name.startswith("images/") else None
    pixels = f"{size[0]} x {size[1]}, " if size is not None else ""
    return f"{pixels}{subject.archive.size(name)} bytes"


def _same(old: Subject, new: Subject, name: str) -> bool:
    if old.archive.size(name) != new.archive.size(name):
        return False
    try:
        return old.archive.read(name) == new.archive.read(name)
    except FormatError:
        return False


def _entries(old: Subject, new: Subject) -> Iterator[Change]:
    boards = {f"images/{found.get('image')}" for found in new.all("module.map.boardPicker.Board") if found.get("image")}
    same_version = (old.module.name, old.module.version) == (new.module.name, new.module.version)
    own = {BUILD_FILE, "buildFile", MODULE_DATA}
    setups = {setup.file for subject in (old, new) for setup in subject.setups if setup.save is not None}
    for name in sorted((old.entries | new.entries) - own):
        group = PICTURES if name.startswith("images/") else SETUPS if name in setups else FILES
        shown = name.removeprefix("images/")
        if name not in new.entries:
            yield Change(group, Kind.REMOVED, (shown,))
        elif name not in old.entries:
            yield Change(group, Kind.ADDED, (shown,))
        elif group != SETUPS and not _same(old, new, name):
            stale = name in boards and same_version
            because = "under the same version, so that clients go on showing the old board" if stale else ""
            before, after = _size(old, name), _size(new, name)
            if before == after:
                because = because or "as large as before"
            yield Change(group, Kind.CHANGED, (shown,), "", before, after, because, loud=stale)


def _setups(old: Subject, new: Subject) -> Iterator[Change]:
    before = {setup.file: setup for setup in old.setups}
    for setup in new.setups:
        other = before.get(setup.file)
        if other is None or other.save is None or setup.save is None:
            continue
        one, two = Game().run(other.save.commands), Game().run(setup.save.commands)
        name = f'"{setup.name}"' if setup.name else setup.file
        for change in positions.compare(one, two, old.module, new.module, by_slot=True):
            yield replace(change, group=SETUPS, within=name)
