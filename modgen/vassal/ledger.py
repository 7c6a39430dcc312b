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

HEADER = ("gpid", "slot", "since")


class LedgerError(Exception):
    """The ledger is damaged or incomplete; the message has one line for each fault."""


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


def read_ledger(path: Path) -> Ledger:
    """Read a ledger; a missing file is an empty one.

    Raises :class:`LedgerError` for rows out of order, numbers or slots given twice, and anything that is no row.
    """
    if not path.exists():
        return Ledger(path, {}, {})
    faults: list[str] = []
    numbers: dict[str, int] = {}
    since: dict[str, str] = {}
    last = 0
    with path.open(encoding="utf-8-sig", newline="") as lines:
        rows = csv.reader(lines)
        head = next(rows, [])
        if tuple(head) != HEADER:
            raise LedgerError(f"{path.name}:1:1: the heading is {','.join(head)}; it must be {','.join(HEADER)}")
        for row in rows:
            where = f"{path.name}:{rows.line_num}"
            if len(row) != len(HEADER) or not row[0].isascii() or not row[0].isdecimal() or not row[1]:
                faults.append(f"{where}:1: {','.join(row)!r} is no row; a number, a slot and a version are needed")
                continue
            number, slot = int(row[0]), row[1]
            if number <= last:
                faults.append(f"{where}:1: {number} after {last}: numbers only grow, and rows are only added at the end")
            if slot in numbers:
                faults.append(f"{where}:2: {slot} has the number {numbers[slot]} already; a slot keeps its number for ever")
            last = max(last, number)
            numbers[slot], since[slot] = number, row[2]
    if faults:
        raise LedgerError("\n".join(faults))
    return Ledger(path, numbers, since)
