"""Trait texts that may not change any more, ``data/<game>/frozen.csv``.

*Refresh Counters* gives a piece of an old game its state trait by trait, and only where the complete text of the trait is the same in
the new module: one other letter in a menu, and every unit of the game is back at full strength, without a word. So the texts of the
traits that hold state are written down with the first version that people get, and a build refuses other texts from then on.

Traits without state are free, new traits too. A row ends only by the maker's hand: the version that gives its state up, in ``until``.

What saves name outside of pieces is frozen as well: the module's name, its maps with their boards, and the list of the turn tracker, of
which a save keeps nothing but the place of the phase in it.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from gamebox.load import BoxError
from modgen.formats.vassal import sequence
from modgen.formats.vassal.pieces import Piece, Trait, layer
from modgen.formats.vassal.xml import Element
from modgen.vassal.ledger import LedgerError, read_rows, shown

FILE = "frozen.csv"
HEADER = ("since", "until", "trait", "gpids", "text")
LOST: Mapping[str, str] = {
    "emb2": "which side is up",
    "PROP": "its value",
    "markmoved": "whether it has moved",
    "footprint": "its trail",
    "obs": "whether it is masked, and by whom",
    "hide": "whether it is hidden, and by whom",
    "rotate": "which way it faces",
    "label": "what is written on it",
    "restrict": "whose it is",
    "propertysheet": "what is written on its sheet",
}
"""Trait id -> what a piece loses with its state. Not here: where a send-to trait came from, for its text has places of the board,
which may move; it only serves to take the last sending back."""
MODULE = "module"
"""Stands in place of gpids where the text is not of pieces."""
_WAY_OUT = "Put it back as it was, or give that up by writing the new version into `until` of this row"
NAME, MAP, TRACKER = "name", "map", "turn tracker"
# A named key's number is the client's own affair: only the name counts, and it is numbered anew in every session.
_NAMED = re.compile(r"\b(?:57[3-9]|5[89]\d|6[0-3]\d)\d\d(\\*),0(\\*),(?=[A-Za-z])")


@dataclass(frozen=True, slots=True)
class Row:
    """One text and the pieces (by gpid) that have it; none when it is of the module itself. ``until`` is the version that gave its state
    up, "" for none."""

    since: str
    until: str
    trait: str
    gpids: tuple[int, ...]
    text: str
    line: int = 0


def named(trait: Trait) -> str:
    """What people call a trait: its id, and its name where pieces have several of a kind (``PROP Hits``)."""
    name = trait.field("name") if trait.id in ("emb2", "PROP", "rotate") else ""
    return f"{trait.id} {name}".strip()


def stateful(piece: Piece) -> Iterator[Trait]:
    """The traits of an expanded piece whose state a game would miss."""
    for trait in piece.traits:
        if trait.id not in LOST:
            continue
        if trait.id == "emb2":
            about = layer(trait)
            # A layer that follows a property, or has one picture and cannot be switched off, has no state of its own.
            if about.follows or (len(about.images) < 2 and trait.field("always_active") == "true"):
                continue
        yield trait


def same(a: str, b: str) -> bool:
    """Whether two texts are one to the client."""
    return _plain(a) == _plain(b)


@lru_cache(maxsize=4096)
def _plain(text: str) -> str:
    return _NAMED.sub(r"key\1,0\2,", text)


def read_frozen(path: Path) -> tuple[Row, ...]:
    """Read the file; a missing one freezes nothing.

    Raises :class:`LedgerError` with every row that is none.
    """
    faults: list[BoxError] = []
    rows = []
    for line, cells in read_rows(path, HEADER, faults):
        gpids = () if cells[3] == MODULE else _numbers(cells[3])
        if gpids is None or not (cells[0] and cells[2] and cells[4]):
            what = "a version, a version or nothing, a trait, numbers like 1-40 42, and a text are needed"
            faults.append(BoxError(shown(path), line, 1, f"{','.join(cells[:4])!r} is no row; {what}"))
            continue
        rows.append(Row(cells[0], cells[1], cells[2], gpids, cells[4], line))
    if faults:
        raise LedgerError(faults)
    return tuple(rows)


def _numbers(text: str) -> tuple[int, ...] | None:
    out: list[int] = []
    for word in text.split():
        found = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", word, re.ASCII)
        if found is None:
            return None
        first = int(found.group(1))
        last = int(found.group(2) or first)
        if last < first or (out and first <= out[-1]):
            return None
        out += range(first, last + 1)
    return tuple(out) or None


def text_of(rows: Iterable[Row]) -> str:
    """The file's text."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADER)
    for row in rows:
        writer.writerow((row.since, row.until, row.trait, _ranges(row.gpids) or MODULE, row.text))
    return out.getvalue()


def _ranges(numbers: Iterable[int]) -> str:
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def fixtures(root: Element) -> dict[str, str]:
    """What saves name outside of pieces: what it is -> its text, a list of names where it has several."""
    out = {NAME: root.get("name")}
    trackers = 0
    for found in root.iter():
        if found.name.endswith(".TurnTracker"):
            lists = [e.get("list") for e in found.iter() if e.name.endswith(".ListTurnLevel")]
            out[f"{TRACKER} {trackers}"] = sequence.encode(lists, ";")
            trackers += 1
        elif found.get("mapName"):
            boards = [e.get("name") for e in found.iter() if e.name.endswith(".boardPicker.Board")]
            out[f"{MAP} {found.get('mapName')}"] = sequence.encode(boards, ",")
    return out


def _lost_fixture(row: Row, now: str | None) -> str:
    """What games under way would lose by what has become of a fixture; empty for nothing."""
    if row.trait == NAME:
        return "clients would take it for another game's module" if now != row.text else ""
    if row.trait.startswith(MAP):
        gone = now is None or not set(sequence.decode(row.text, ",")) <= set(sequence.decode(now, ","))
        return "games under way would come up without this map" if gone else ""
    old = [sequence.decode(part, ",") for part in sequence.decode(row.text, ";")]
    new = [sequence.decode(part, ",") for part in sequence.decode(now or "", ";")]
    kept = len(old) == len(new) and all(after[: len(before)] == before for before, after in zip(old, new, strict=True))
    return "" if kept else "games under way would show another phase; a list may only grow at its end"


def frozen_with(
    rows: tuple[Row, ...], pieces: Mapping[int, tuple[str, Piece]], fixed: Mapping[str, str], version: str
) -> tuple[Row, ...]:
    """The rows with new ones for what is not frozen yet, as of a version; ``fixed`` are the module's ``fixtures``."""
    held = {(row.trait, row.text) for row in rows if not row.gpids and not row.until}
    module = [Row(version, "", what, (), text) for what, text in fixed.items() if (what, text) not in held and text]
    known: dict[int, set[str]] = {}
    for row in rows:
        if not row.until:
            for gpid in row.gpids:
                known.setdefault(gpid, set()).add(_plain(row.text))
    new: dict[tuple[str, str], list[int]] = {}
    for gpid in sorted(pieces):
        for trait in stateful(pieces[gpid][1]):
            if _plain(trait.text) not in known.get(gpid, ()):
                new.setdefault((named(trait), trait.text), []).append(gpid)
    return (*rows, *module, *(Row(version, "", trait, tuple(dict.fromkeys(gpids)), text) for (trait, text), gpids in new.items()))


def faults(
    path: Path, rows: Iterable[Row], pieces: Mapping[int, tuple[str, Piece]], fixed: Mapping[str, str]
) -> tuple[BoxError, ...]:
    """Every frozen text that the module and its pieces have no more. A piece that is gone as a whole is the ledger's matter."""
    out = []
    held = [row for row in rows if not row.until]
    for row in held:
        if not row.gpids and (lost := _lost_fixture(row, fixed.get(row.trait))):
            became = f"and is {fixed[row.trait]!r}" if row.trait in fixed else "and is gone"
            what = f"the {row.trait} was {row.text!r} since {row.since}, {became}; {lost}. {_WAY_OUT}"
            out.append(BoxError(shown(path), row.line, 1, what))
    asked = {gpid for row in held for gpid in row.gpids if gpid in pieces}
    texts = {gpid: {_plain(trait.text) for trait in pieces[gpid][1].traits} for gpid in asked}
    for row in held:
        wrong = [gpid for gpid in row.gpids if gpid in pieces and _plain(row.text) not in texts[gpid]]
        if not wrong:
            continue
        who, piece = pieces[wrong[0]]
        others = f" and {len(wrong) - 1} more" if len(wrong) > 1 else ""
        now = next((trait.text for trait in piece.traits if named(trait) == row.trait), None)
        lost = LOST.get(row.trait.partition(" ")[0], "its state")
        out.append(
            BoxError(
                shown(path),
                row.line,
                1,
                f"{who} (gpid {wrong[0]}){others}: the trait {row.trait} was {row.text!r} since {row.since}, "
                + (f"and is {now!r}" if now is not None else "and is gone")
                + f"; in every game under way Refresh Counters would forget {lost}. {_WAY_OUT}",
            )
        )
    return tuple(out)
