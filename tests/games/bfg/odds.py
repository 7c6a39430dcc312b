"""What a combat does, seen from outside: the engine's odds column is found by playing all six faces."""

from __future__ import annotations

from tests.games.bfg.facts import CRT
from tests.games.bfg.layout import Pos, attack, by, on, step, where

COLUMNS = ("1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1")


def outcome(p: Pos, units: str, targets: str, die: int) -> str:
    """The result that the engine applied: AR, DR, EX; A or D when one side died, by AE or DE or for want of a retreat."""
    attackers = units.split()
    defenders = [piece for name in targets.split() for piece in on(p, name)]
    q = attack(p, units, targets, die)
    lost = {piece for piece in (*attackers, *defenders) if where(q, piece).startswith("box") or where(q, piece) == "out"}
    if step(q) == "retreat":
        return "AR" if by(q) == by(p) else "DR"
    if step(q) == "lose" or (lost >= set(defenders) and lost & set(attackers)):
        return "EX"
    if lost == set(attackers):
        return "A"
    assert lost == set(defenders), f"die {die}: neither side is gone: {lost}, {step(q)}"
    return "D"


def column(p: Pos, units: str, targets: str) -> str:
    """The odds column that the engine used."""
    seen = [outcome(p, units, targets, die) for die in range(1, 7)]
    found = [name for name in COLUMNS if all(CRT[name, die].startswith(what) for die, what in enumerate(seen, 1))]
    assert len(found) == 1, f"results {seen} are no column of the CRT"
    return found[0]
