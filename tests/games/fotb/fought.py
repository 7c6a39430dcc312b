"""A second referee for combats, written from the rulebook and the rulings alone: imports nothing of the engine.

It is told what lies where (``enumerated.Table``), which side up, who fights and which cards were laid, and says what both sides are
worth, who fires first, how many steps each die takes, who chooses them, and whether leave to retreat is granted.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil

from tests.games.fotb.enumerated import UNITS, VATERLAND, ZONES, Table, holds, rows, standing, supplied

CRT = {(int(row["die"]), int(row["column"])): int(row["losses"]) for row in rows("crt")}
COLUMNS = ((1, 5), (6, 10), (11, 15), (16, 20), (21, 25), (26, 30), (31, 40), (41, 999))
RIGHT, LEFT = ("op-antitank", "op-surround"), ("op-fortifications",)
DIE, FIRST = ("op-artillery", "op-engineers"), ("op-surprise", "op-information")


__all__ = ["Fight", "elite", "first", "holds", "leave", "standing", "steps", "totals"]


@dataclass(frozen=True)
class Fight:
    """Who fights whom, where, and what was laid: pairs are attacker, defender."""

    zone: str
    sides: tuple[str, str]
    attackers: tuple[str, ...]
    supporters: tuple[str, ...]
    defenders: tuple[str, ...]
    landing: bool = False
    offensive: bool = False
    free: bool = False
    cards: tuple[set[str], set[str]] = field(default_factory=lambda: (set(), set()))
    corps: tuple[int, int] = (0, 0)


def strength(t: Table, down: set[str], gf: str, *, wall: bool = False, helps: bool = False) -> int:
    """10.2, 9.6, 6.3, 10.1 in the order of R-F36."""
    points = 0
    for unit in holds(t, gf):
        row = UNITS[unit]
        points += int(row["reduced" if unit in down else "full"]) * (2 if wall and row["class"] == "infantry" else 1)
    points = points if supplied(t, gf) else points // 2
    return points // 2 if helps else points


def totals(t: Table, down: set[str], f: Fight) -> tuple[int, int]:
    """Both sides' points."""
    mine = sum(strength(t, down, gf) for gf in f.attackers) + sum(strength(t, down, gf, helps=True) for gf in f.supporters)
    return mine, sum(strength(t, down, gf, wall=f.landing) for gf in f.defenders)


def elite(t: Table, gfs: tuple[str, ...]) -> bool:
    """10.9: an elite in one of these."""
    return any(UNITS[unit]["elite"] == "1" for gf in gfs for unit in holds(t, gf))


def first(f: Fight) -> int | None:
    """R-F49: 0 the attacker, 1 the defender, None both at once."""
    mine, other = (sum(card in FIRST for card in laid) for laid in f.cards)
    other += f.landing
    return None if mine == other else 0 if mine > other else 1


def shift(f: Fight, who: int) -> int:
    """Columns to the right, those to the left taken off (10.10 to 10.13, 11.8, 12.3)."""
    found = sum(card in RIGHT for card in f.cards[who]) - sum(card in LEFT for card in f.cards[1 - who]) + f.corps[who]
    if who == 0:
        rough = ZONES[f.zone]["terrain"] != "clear"
        found -= rough or (f.zone in VATERLAND and f.sides[1] == "axis")
        found += f.zone in ("21", "22") and f.sides[0] != "axis" and not f.free
    return found


def steps(t: Table, f: Fight, who: int, points: int, has_elite: bool, die: int) -> int:
    """What one side's die takes from the other (10.2, CRT, R-F15, R-F37, R-F50)."""
    if f.free:
        column = 4
    else:
        column = next((n for n, (low, high) in enumerate(COLUMNS, 1) if low <= points <= high), 0)
        if not column:
            return 0
    column = min(max(1, column + shift(f, who)), 8)
    row = die + has_elite + sum(card in DIE for card in f.cards[who]) + (f.offensive and who == 0)
    number = CRT[min(row, 10), column]
    third = ceil(number / 3)
    number += third * ("op-fanaticism" in f.cards[who]) - third * ("op-elastic" in f.cards[1 - who])
    bleeding = f.defenders if who == 0 else (*f.attackers, *f.supporters)
    return number * 2 if bleeding and all(not supplied(t, gf) for gf in bleeding) else number


def leave(die: int, lost: int, had: int, earlier: bool) -> bool:
    """10.8, R-F11."""
    return die + (2 * lost >= had or earlier) >= 4
