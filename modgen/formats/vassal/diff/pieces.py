"""Pieces compared: which became which, what of their traits changed, and what Refresh Counters would set back.

The refresher knows a piece by its gpid only and copies states trait by trait, only where class and whole type text are the same, in
any position; markers always take the new definition's values.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from modgen.formats.vassal.diff.model import Change, Kind
from modgen.formats.vassal.pieces import Piece, Trait, marker
from modgen.formats.vassal.validate.model import Definition, Subject
from modgen.formats.vassal.words import STATEFUL, TITLES, described, differences, name_of, title, without_numbers

NUMBERS, REFRESH, PIECES, PROTOTYPES = "Numbers of pieces", "Refresh Counters", "Pieces", "Prototypes"
IDENTITIES = ("UnitId", "MarkerId")
"""Markers that say which piece it is, whatever it is called; our builder writes them."""


def compare(old: Subject, new: Subject) -> Iterator[Change]:
    """What became of the pieces and prototypes of a module."""
    pairs = list(_paired(old, new))
    yield from _numbers(old, new)
    yield from _refresh(old, new, pairs)
    for before, after in pairs:
        if before.piece is None or after.piece is None:
            continue
        name = _shown(after)
        if before.name != after.name:
            yield Change(PIECES, Kind.CHANGED, (f"gpid {after.gpid}",), "name", before.name, after.name)
        came, went = _home(old, before), _home(new, after)
        if came != went and before.kind == "slot":
            yield Change(PIECES, Kind.MOVED, (name,), "", came, went)
        yield from traits(PIECES, name, before.piece, after.piece)
    yield from _prototypes(old, new)


def _shown(found: Definition) -> str:
    return f'"{found.name}"' if found.name else f"gpid {found.gpid}"


def _home(subject: Subject, found: Definition) -> str:
    up = subject.parent(found.element)
    return subject.place(up).partition(": ")[2] if up is not None else ""


def _identity(subject: Subject, found: Definition) -> tuple[str, bool]:
    """(which piece it is, whether a marker says so)."""
    piece = subject.expanded(found)
    values = piece.markers() if piece is not None else {}
    named = next((f"{name} {values[name]}" for name in IDENTITIES if values.get(name)), "")
    return named or f'"{found.name}"', bool(named)


def _paired(old: Subject, new: Subject) -> Iterator[tuple[Definition, Definition]]:
    """Definitions of the same gpid that are the same piece, as far as can be told."""
    before, after = old.by_gpid, new.by_gpid
    for gpid, found in before.items():
        other = after.get(gpid)
        if other is None:
            continue
        one, sure = _identity(old, found)
        two, also = _identity(new, other)
        if one == two or not (sure and also):
            yield found, other


def _numbers(old: Subject, new: Subject) -> Iterator[Change]:
    before = {gpid: _identity(old, found) for gpid, found in old.by_gpid.items()}
    after = {gpid: _identity(new, found) for gpid, found in new.by_gpid.items()}
    had, has = _unique(before), _unique(after)
    for gpid, (who, sure) in before.items():
        if gpid not in after:
            if who in has and who in had and has[who] not in before:
                because = "its pieces in older saves are no longer found"
                yield Change(NUMBERS, Kind.MOVED, (who,), "gpid", gpid, has[who], because, loud=True)
            elif has.get(who) is None:
                yield Change(PIECES, Kind.REMOVED, (f"{_shown(old.by_gpid[gpid])} (gpid {gpid})",))
            continue
        other, also = after[gpid]
        if other == who:
            continue
        if who in had and who in has and has[who] != gpid:
            because = f"in older saves Refresh Counters makes it {other}"
            yield Change(NUMBERS, Kind.MOVED, (who,), "gpid", gpid, has[who], because, loud=True)
        elif sure and also:
            because = "in older saves Refresh Counters makes the one the other"
            yield Change(NUMBERS, Kind.CHANGED, (f"gpid {gpid}",), "is", who, other, because, loud=True)
    for gpid, (who, _) in after.items():
        if gpid not in before and had.get(who) is None:
            yield Change(PIECES, Kind.ADDED, (f"{_shown(new.by_gpid[gpid])} (gpid {gpid})",))


def _unique(known: dict[str, tuple[str, bool]]) -> dict[str, str]:
    """Piece -> its gpid, of the pieces that only one slot makes."""
    count = Counter(who for who, _ in known.values())
    return {who: gpid for gpid, (who, _) in known.items() if count[who] == 1}


def _refresh(old: Subject, new: Subject, pairs: Sequence[tuple[Definition, Definition]]) -> Iterator[Change]:
    seen: dict[tuple[tuple[str, ...], tuple[str, ...]], list[tuple[str, str]]] = {}
    for before, after in pairs:
        one, two = old.expanded(before), new.expanded(after)
        if one is None or two is None:
            continue
        key = tuple(t.text for t in one.traits[:-1]), tuple(t.text for t in two.traits[:-1])
        if key not in seen:
            seen[key] = list(_lost(one, two))
        for what, because in seen[key]:
            yield Change(REFRESH, Kind.NOTE, (_shown(after),), f"{what} is set back", because=because, loud=True)


def _lost(old: Piece, new: Piece) -> Iterator[tuple[str, str]]:
    """(trait, why) of each trait whose state an older save has and the refresher will not copy."""
    left = Counter(without_numbers(trait.text) for trait in new.traits)
    names = Counter((trait.id, name_of(trait)) for trait in new.traits)
    for trait in old.traits[:-1]:
        text = without_numbers(trait.text)
        if left[text]:
            left[text] -= 1
        elif trait.id in STATEFUL:
            there = names[trait.id, name_of(trait)] > 0
            rescue = "; UseLayerName keeps it" if trait.id == "emb2" and there else ""
            yield title(trait), ("its text is another" if there else "it is gone") + rescue


def traits(group: str, name: str, old: Piece, new: Piece) -> Iterator[Change]:
    """What changed in a definition: its traits, told apart by kind and name, its markers' values, its own name and picture."""
    before, after = _keyed(old), _keyed(new)
    for key, trait in before.items():
        other = after.get(key)
        if other is None:
            yield Change(group, Kind.CHANGED, (name,), "trait", described(trait), "")
        elif trait.id == "mark":
            yield from _markers(group, name, trait, other)
        elif without_numbers(trait.text) != without_numbers(other.text):
            for field, one, two in differences(trait, other):
                yield Change(group, Kind.CHANGED, (name,), f"{title(other)} {field}", one, two)
            if trait.id not in TITLES:
                yield Change(group, Kind.CHANGED, (name,), trait.id, trait.text, other.text)
        if other is not None and trait.id not in ("mark", "piece") and trait.state != other.state:
            yield Change(group, Kind.CHANGED, (name,), f"{title(other)} start", trait.state, other.state)
    for key, trait in after.items():
        if key not in before:
            yield Change(group, Kind.CHANGED, (name,), "trait", "", described(trait))
    common = [key for key in before if key in after]
    if common != [key for key in after if key in before]:
        yield Change(group, Kind.NOTE, (name,), "its traits stand in another order")


def _keyed(piece: Piece) -> dict[tuple[str, str, int], Trait]:
    count: dict[tuple[str, str], int] = defaultdict(int)
    out: dict[tuple[str, str, int], Trait] = {}
    for trait in piece.traits:
        # Markers are told apart by their place: their names are what may change.
        key = (trait.id, "" if trait.id in ("mark", "piece") else name_of(trait))
        count[key] += 1
        out[*key, count[key]] = trait
    return out


def _markers(group: str, name: str, old: Trait, new: Trait) -> Iterator[Change]:
    before, after = marker(old), marker(new)
    for key in dict.fromkeys((*before, *after)):
        if before.get(key) != after.get(key):
            yield Change(group, Kind.CHANGED, (name,), f"marker {key}", before.get(key, "unset"), after.get(key, "unset"))


def _prototypes(old: Subject, new: Subject) -> Iterator[Change]:
    before, after = old.module.prototypes, new.module.prototypes
    for name, piece in before.items():
        if name in after:
            yield from traits(PROTOTYPES, f'"{name}"', piece, after[name])
        else:
            yield Change(PROTOTYPES, Kind.REMOVED, (f'"{name}"',))
    for name in after:
        if name not in before:
            yield Change(PROTOTYPES, Kind.ADDED, (f'"{name}"',))
