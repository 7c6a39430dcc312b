"""Whole games played beside the second referee's record: after every action both tables are the same."""

from __future__ import annotations

import os
import random
import re

import pytest

from tests.games.bfg import oracle
from tests.games.bfg.facts import CITIES, UNITS
from tests.games.bfg.layout import BOOK, FORCES, Pos, force, holder, legal, members, step, table, where
from tests.games.bfg.oracle import Table, allowance
from tests.games.bfg.player import choose
from tests.games.bfg.shadow import Shadow

SEEDS = range(21, 21 + 3 * int(os.environ.get("BFG_SEARCH", "1")))


def a_way(t: Table, unit: str, start: str, end: str, spare: int, dice: random.Random) -> list[str]:
    """Some lawful way between two hexes (not always the cheapest), as the hexes in between."""
    trail: list[str] = []

    def walk(here: str, left: int, depth: int) -> bool:
        nexts = list(oracle.JOINED[here])
        dice.shuffle(nexts)
        zoc = t.zoc(t.who[unit])
        for there in nexts:
            if there in trail or there == start or there not in oracle.PLAYABLE or t.strangers(there, t.who[unit]):
                continue
            rest = left - oracle.cost(here, there)
            if rest < 0 or (here == start and start in zoc and there in zoc):
                continue
            if t.who[unit] in oracle.GERMAN and oracle.theater(there) != oracle.SIDE[t.who[unit]]:
                continue
            if t.who[unit] not in oracle.GERMAN and oracle.abroad(unit, t.who[unit], there):
                continue
            if there == end:
                return True
            if there in zoc or oracle.apart(there, end) > rest or depth > 9:
                continue
            trail.append(there)
            if walk(there, rest, depth + 1):
                return True
            trail.pop()
        return False

    return trail if walk(start, allowance(t, unit) - spare, 0) else []


def same(p: Pos, s: Shadow, line: str) -> None:
    """Both records agree on everything that stands on the table."""
    t = s.t
    assert {u: where(p, u) for u in UNITS} == t.at, line
    assert {u: force(p, u) for u in UNITS if t.at[u] != "out"} == {u: t.who[u] for u in UNITS if t.at[u] != "out"}, line
    assert {c: holder(p, c) for c in CITIES} == s.holders, line
    seen = table(p)
    for name in ("garrison", "flipped", "locked", "forts_gone", "ports_entered", "attempts", "turn"):
        assert getattr(seen, name) == getattr(t, name), (line, name, getattr(seen, name), getattr(t, name))
    assert {BOOK.game.unit(u): turn for u, turn in s.abroad.items()} == dict(p.abroad), line
    first = None if p.berlin_first[0] < 0 else (FORCES[p.berlin_first[0]], p.berlin_first[1], p.berlin_first[2])
    assert first == s.berlin_first, line


@pytest.mark.parametrize("seed", SEEDS)
def test_a_game_beside_the_second_referee(seed: int) -> None:
    dice = random.Random(seed)
    p, s = BOOK.start(), Shadow()
    while not BOOK.over(p):
        expected = s.allowed() if step(p) not in {"combat-roll", "evacuation", "landing", "set-up"} else None
        if expected is not None and (step(p) != "movement" or dice.random() < 0.12):
            offered = legal(p)
            assert offered == expected, f"engine only: {sorted(offered - expected)}; rulebook only: {sorted(expected - offered)}"
        line = choose(p, dice)
        words = line.split()
        if words[1] in {"move", "exit"} and words[4] != words[6]:
            way = a_way(s.t, words[2], words[4], words[6], 4 if words[1] == "exit" else 0, dice)
            if way:
                line += f" via {','.join(way)}"
                assert BOOK.check(p, BOOK.parse(line)).legal, line
        before = (p.turn, p.phase)
        p = BOOK.play(p, BOOK.parse(line))
        s.apply(line)
        s.tidy()
        if words[1] in {"exit", "take", "done"} and step(p) != "take":
            s.gate = ""
        if BOOK.over(p):
            while not s.over:
                s.end()
        elif before[1] >= 0 or p.phase >= 0:
            s.catch_up(p.turn, p.phase)
        same(p, s, line)
    soviet, western = re.findall(r"\d+", p.result)
    assert (int(soviet), int(western)) == s.points()
    assert members(p.garrison) == s.t.garrison
