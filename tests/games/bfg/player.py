"""A simple seeded player: keeps the stacking limit, goes for the enemy, and plays whole games through ``legal``."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tests.games.bfg.facts import UNITS, apart
from tests.games.bfg.layout import BOOK, FORCES, INDEX, PHASES, Pos, force, on, step, where

ENEMY = {"S": "EG", "EG": "S", "W": "WG", "WG": "W"}


def games(seed: int, turns: int) -> Iterator[tuple[Pos, str]]:
    """(position, legal action) of one game from the set-up, up to the end of that turn."""
    dice = random.Random(seed)
    p = BOOK.start()
    while not BOOK.over(p) and p.turn <= turns:
        line = choose(p, dice)
        yield p, line
        p = BOOK.play(p, BOOK.parse(line))


def choose(p: Pos, dice: random.Random) -> str:
    """One legal action."""
    if step(p) == "movement":
        return _movement(p, dice)
    lines = [str(a) for a in BOOK.legal(p)]
    if step(p) in {"combat", "declare"}:
        done = [line for line in lines if line.endswith(" done")]
        more = [line for line in lines if not line.endswith(" done")]
        # Attack wherever there is an enemy, with everybody who can join; sometimes less.
        if more and (not done or dice.random() < 0.85):
            joins = [line for line in more if " join " in line]
            return dice.choice(joins or more) if dice.random() < 0.9 else dice.choice(more)
        return done[0]
    if step(p) == "replacement":
        rest = [line for line in lines if not line.endswith(" done")]
        return dice.choice(rest) if rest and dice.random() < 0.9 else lines[-1] if lines[-1].endswith("done") else dice.choice(lines)
    return dice.choice(lines)


def _movement(p: Pos, dice: random.Random) -> str:
    name = PHASES[p.phase][0]
    by = p.agenda[-1].by[0]
    done = f"{by} done"
    mine = [u for u in UNITS if FORCES[p.force[INDEX[u]]] == name and where(p, u).isdigit() and not p.moved >> INDEX[u] & 1]
    foes = [where(p, u) for u in UNITS if where(p, u).isdigit() and force(p, u) == ENEMY[name]]
    if dice.random() < 0.12 or (p.turn == 1 and name == "WG"):
        mine = []
    dice.shuffle(mine)
    for unit in mine[:6]:
        lines = [str(a) for a in BOOK.legal(p, about=INDEX[unit])]
        leaving = [line for line in lines if " exit " in line or " evacuate " in line]
        if leaving and dice.random() < 0.5:
            return dice.choice(leaving)
        moves = [line for line in lines if " move " in line and _room(p, unit, line.split("> ")[1])]
        if moves:
            if foes and dice.random() < 0.75:
                best = min(min(apart(line.split("> ")[1], foe) for foe in foes) for line in moves)
                moves = [line for line in moves if min(apart(line.split("> ")[1], foe) for foe in foes) == best]
            return dice.choice(moves)
    assert BOOK.check(p, BOOK.parse(done)).legal, BOOK.duties(p)
    return done


def _room(p: Pos, unit: str, name: str) -> bool:
    there = on(p, name)
    return len(there) < 2 and not (UNITS[unit].front and any(UNITS[u].front for u in there))
