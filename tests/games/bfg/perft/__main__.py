"""``python -m tests.games.bfg.perft``: counts every kept position with the independent enumerator and writes ``perft.csv`` anew."""

from __future__ import annotations

import csv
import sys

from tests.games.bfg.enumerator import play, start
from tests.games.bfg.enumerator.__main__ import count
from tests.games.bfg.perft import FIELDS, TABLE, Line, positions


def row(line: Line) -> tuple[str, ...]:
    """One row of the table."""
    state = start(line.scenario, line.options)
    for action in line.actions:
        state = play(state, action)
    counts = (count(state, plies) for plies in range(3))
    return (line.name, line.scenario, " ".join(line.options) or "-", str(len(line.actions)), *map(str, counts))


def main() -> None:
    """Writes beside, then renames."""
    beside = TABLE.with_suffix(".new")
    with beside.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(FIELDS)
        for line in positions():
            print(f"\r\033[K{line.name}", end="", file=sys.stderr, flush=True)
            table.writerow(row(line))
    print("\r\033[K", end="", file=sys.stderr)
    beside.replace(TABLE)


if __name__ == "__main__":
    main()
