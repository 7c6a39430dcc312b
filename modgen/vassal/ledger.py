"""The ledger of gpids, ``data/<game>/gpids.csv``: the permanent number of every counter's slot.

Clients match old saves to a new module by these numbers alone, and a number that moved to another counter silently swaps units.
So rows are only ever added at the end, and a build refuses a counter without a number unless it is told to allocate.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from gamebox.load import BoxError

HEADER = ("gpid", "slot", "since")


class LedgerError(Exception):
    """The ledger is damaged or incomplete; the message has one line for each fault of ``errors``."""

    def __init__(self, errors: Iterable[BoxError]) -> None:
        self.errors = tuple(errors)
        super().__init__("\n".join(map(str, self.errors)))


@dataclass(frozen=True, slots=True)
class Ledger:
    """Slot -> its number, and the version that each row came with."""

    path: Path
    numbers: Mapping[str, int]
    since: Mapping[str, str]

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
        return (BoxError(_shown(self.path), 0, 0, f"no number for {few}: build once with --allocate and commit the file"),)

    def with_slots(self, slots: Iterable[str], version: str) -> Ledger:
        """The ledger with new numbers for the slots that have none, in the order given."""
        numbers, since, number = dict(self.numbers), dict(self.since), self.next
        for slot in slots:
            if slot not in numbers:
                numbers[slot], since[slot] = number, version
                number += 1
        return Ledger(self.path, numbers, since)

    def text(self) -> str:
        """The file's text: rows in the order of their numbers."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(HEADER)
        for slot, number in sorted(self.numbers.items(), key=lambda item: item[1]):
            writer.writerow((number, slot, self.since[slot]))
        return out.getvalue()


def _shown(path: Path) -> str:
    return f"{path.parent.name}/{path.name}" if path.parent.name else path.name


def read_ledger(path: Path) -> Ledger:
    """Read a ledger; a missing file is an empty one.

    Raises :class:`LedgerError` for rows out of order, numbers or slots given twice, and anything that is no row.
    """
    if not path.exists():
        return Ledger(path, {}, {})
    shown = _shown(path)
    faults: list[BoxError] = []
    numbers: dict[str, int] = {}
    since: dict[str, str] = {}
    last = 0
    try:
        rows = csv.reader(io.StringIO(path.read_text("utf-8-sig")))
    except OSError as error:
        raise LedgerError([BoxError(shown, 0, 0, f"cannot be read ({error.strerror}); allowed: a readable file")]) from None
    except UnicodeDecodeError as error:
        raise LedgerError([BoxError(shown, 0, 0, f"is no UTF-8 ({error.reason} at byte {error.start})")]) from None
    try:
        head = next(rows, [])
        if tuple(head) != HEADER:
            raise LedgerError([BoxError(shown, 1, 1, f"the heading is {','.join(head)}; it must be {','.join(HEADER)}")])
        for row in rows:
            line = rows.line_num
            if len(row) != len(HEADER) or not row[0].isascii() or not row[0].isdecimal() or not row[1]:
                faults.append(BoxError(shown, line, 1, f"{','.join(row)!r} is no row; a number, a slot and a version are needed"))
                continue
            number, slot = int(row[0]), row[1]
            if number <= last:
                faults.append(BoxError(shown, line, 1, f"{number} after {last}: numbers only grow, and rows are only added at the end"))
            if slot in numbers:
                faults.append(BoxError(shown, line, 2, f"{slot} has the number {numbers[slot]} already; a slot keeps its number for ever"))
            last = max(last, number)
            numbers[slot], since[slot] = number, row[2]
    except csv.Error as error:
        faults.append(BoxError(shown, rows.line_num, 1, f"not readable as CSV ({error})"))
    if faults:
        raise LedgerError(faults)
    return Ledger(path, numbers, since)
