"""``python -m tests.games.fotb.perft``: counts every kept position with the second referee and writes ``perft.csv`` anew; with
``--positions`` first writes the positions anew, each the beginning of a game that the players play."""

from __future__ import annotations

import csv
import random
import sys

from referee.games.overlord_to_berlin import players
from referee.games.overlord_to_berlin.position import Pos
from tests.games.fotb.enumerated import actions
from tests.games.fotb.layout import BOOK, by, step
from tests.games.fotb.perft import FIELDS, FOLDER, TABLE, counts, positions, reached
from tests.games.fotb.test_enumerated import table

WANTED = (
    ("crusade", "strategic", "west", 1),
    ("crusade", "operations", "west", 1),
    ("crusade", "operations", "soviet", 1),
    ("crusade", "operations", "axis", 1),
    ("counter", "loss", "axis", 1),
    ("siege", "combine", "soviet", 2),
    ("rear", "transfers", "axis", 2),
    ("runner", "retreat", "axis", 2),
    ("capitals", "operations", "west", 3),
    ("random", "strategic", "axis", 3),
    ("hoarder", "operations", "soviet", 4),
)
"""Plan, step, side and turn: the first position of such a game at which that side is in that step."""


def told(p: Pos) -> list[str] | None:
    """What the second referee lists."""
    if by(p) not in ("west", "soviet", "axis"):
        return None
    found = actions(table(p))
    return None if found is None else sorted(found)


def write_positions() -> None:
    """One file a wanted position."""
    for plan, at, side, turn in WANTED:
        dice = random.Random(f"perft/{plan}/{at}/{side}")
        p, lines = BOOK.start(), []
        while not (step(p) == at and by(p) == side and p.turn >= turn and len(list(BOOK.legal(p, by=side))) > 2):
            if BOOK.over(p):
                raise SystemExit(f"{plan}: {side} is never in {at}")
            a = players.choose(BOOK, p, dice, plan)
            lines.append(str(a))
            p = BOOK.play(p, a)
        (FOLDER / f"{plan}-{at}-{side}.play").write_text("".join(f"{line}\n" for line in lines), "utf-8", newline="")


def main() -> None:
    """Writes beside, then renames."""
    if "--positions" in sys.argv[1:]:
        write_positions()
    beside = TABLE.with_suffix(".new")
    with beside.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(FIELDS)
        for line in positions():
            p = reached(line)
            writer.writerow((line.name, step(p), str(len(line.actions)), *map(str, counts(p, told))))
    beside.replace(TABLE)


if __name__ == "__main__":
    main()
