"""The ledger of gpids, ``data/<game>/gpids.csv``: the permanent number of every counter's slot.

Clients match old saves to a new module by these numbers alone, and a number that moved to another counter silently swaps units.
So rows are only ever added at the end, and a build refuses a counter without a number unless it is told to allocate. A counter that
people have got is never silently gone either: its row says in ``until`` with which version it went, and its number is never given out
again.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gamebox.load import BoxError, bounded_text

HEADER, UNTIL = ("gpid", "slot", "since"), "until"
"""The columns; the last one, ``until``, may be left out of the file."""


class LedgerError(Exception):
    """The ledger is damaged or incomplete; the message has one line for each fault of ``errors``."""

    def __init__(self, errors: Iterable[BoxError]) -> None:
        self.errors = tuple(errors)
        super().__init__("\n".join(map(str, self.errors)))


@dataclass(frozen=True, slots=True)
class Ledger:
    """Slot -> its number, the version that each row came with, and of slots that are gone the version that they went with."""

    path: Path
    numbers: Mapping[str, int]
    since: Mapping[str, str]
    until: Mapping[str, str] = field(default_factory=dict)

    @property
    def next(self) -> int:
        """The first number never given out."""
        return max(self.numbers.values(), default=0) + 1

    def missing(self, slots: Iterable[str]) -> list[str]:
        """Slots without a number."""
        return [slot for slot in slots if slot not in self.numbers]

    def unnumbered(self, slots: Iterable[str]) -> tuple[BoxError, ...]:
        """The error that slots without a number are; none when all have one."""
        missing = self.missing(slots)
        if not missing:
            return ()
        few = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")
        return (BoxError(shown(self.path), 0, 0, f"no number for {few}: build once with --allocate and commit the file"),)

    def with_slots(self, slots: Iterable[str], version: str) -> Ledger:
        """The ledger with new numbers for the slots that have none, in the order given."""
        numbers, since, number = dict(self.numbers), dict(self.since), self.next
        for slot in slots:
            if slot not in numbers:
                numbers[slot], since[slot] = number, version
                number += 1
        return Ledger(self.path, numbers, since, self.until)

    def gone(self, slots: Iterable[str], last: int) -> tuple[BoxError, ...]:
        """The errors that slots with numbers up to ``last`` (those that people have got) are which the module has no more, and those
        that it has again."""
        have = set(slots)
        out = []
        for line, (slot, number) in enumerate(sorted(self.numbers.items(), key=lambda item: item[1]), 2):
            if slot in have and slot in self.until:
                what = f"{slot} went with {self.until[slot]}, but the module has it; a counter that comes back has nothing in `until`"
                out.append(BoxError(shown(self.path), line, 1, what))
            elif number <= last and slot not in have and slot not in self.until:
                what = (
                    f"{slot} (gpid {number}) is in games that people have, and no counter of the module any more: there Refresh Counters "
                    "would leave it as it is, without a slot. Put it back, or give it up by writing the new version into a fourth column, "
                    "`until`"
                )
                out.append(BoxError(shown(self.path), line, 1, what))
        return tuple(out)

    def fingerprint(self, last: int) -> str:
        """A hash over the rows with numbers up to ``last``: numbers that people have got may never be another counter's."""
        rows = sorted((number, slot) for slot, number in self.numbers.items() if number <= last)
        return hashlib.sha256("".join(f"{number},{slot}\n" for number, slot in rows).encode()).hexdigest()[:16]

    def text(self) -> str:
        """The file's text: rows in the order of their numbers."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow((*HEADER, UNTIL) if self.until else HEADER)
        for slot, number in sorted(self.numbers.items(), key=lambda item: item[1]):
            row = (number, slot, self.since[slot])
            writer.writerow((*row, self.until.get(slot, "")) if self.until else row)
        return out.getvalue()


def shown(path: Path) -> str:
    """A file of a game as errors name it: with its folder, which is the game."""
    return f"{path.parent.name}/{path.name}" if path.parent.name else path.name


def read_rows(path: Path, header: tuple[str, ...], faults: list[BoxError], extra: str = "") -> Iterator[tuple[int, list[str]]]:
    """(line, cells) of a small CSV file of a game's identity; none when there is no file. ``extra`` is a last column that may be absent.

    A row of another length is put on ``faults``. Raises :class:`LedgerError` for a file that cannot be read and another heading.
    """
    if not path.exists():
        return
    name = shown(path)
    try:
        rows = csv.reader(io.StringIO(bounded_text(path, "utf-8-sig")))
    except OSError as error:
        raise LedgerError([BoxError(name, 0, 0, f"cannot be read ({error.strerror}); allowed: a readable file")]) from None
    except UnicodeDecodeError as error:
        raise LedgerError([BoxError(name, 0, 0, f"is no UTF-8 ({error.reason} at byte {error.start})")]) from None
    try:
        head = tuple(next(rows, []))
        if head != header and not (extra and head == (*header, extra)):
            raise LedgerError([BoxError(name, 1, 1, f"the heading is {','.join(head)}; it must be {','.join(header)}")])
        for row in rows:
            if len(row) == len(head):
                yield rows.line_num, row
            else:
                what = f"{','.join(row)!r} is no row; {len(head)} cells are needed: {','.join(head)}"
                faults.append(BoxError(name, rows.line_num, 1, what))
    except csv.Error as error:
        faults.append(BoxError(name, rows.line_num, 1, f"not readable as CSV ({error})"))


def read_ledger(path: Path) -> Ledger:
    """Read a ledger; a missing file is an empty one.

    Raises :class:`LedgerError` for rows out of order, numbers or slots given twice, and anything that is no row.
    """
    faults: list[BoxError] = []
    numbers: dict[str, int] = {}
    since: dict[str, str] = {}
    until: dict[str, str] = {}
    last = 0
    for line, row in read_rows(path, HEADER, faults, UNTIL):
        if not row[0].isascii() or not row[0].isdecimal() or not row[1]:
            faults.append(BoxError(shown(path), line, 1, f"{','.join(row)!r} is no row; a number, a slot and a version are needed"))
            continue
        number, slot = int(row[0]), row[1]
        if number <= last:
            what = f"{number} after {last}: numbers only grow, and rows are only added at the end"
            faults.append(BoxError(shown(path), line, 1, what))
        if slot in numbers:
            what = f"{slot} has the number {numbers[slot]} already; a slot keeps its number for ever"
            faults.append(BoxError(shown(path), line, 2, what))
        last = max(last, number)
        numbers[slot], since[slot] = number, row[2]
        if len(row) > len(HEADER) and row[3]:
            until[slot] = row[3]
    if faults:
        raise LedgerError(faults)
    return Ledger(path, numbers, since, until)
