"""Whole games played beside the second referee's record: after every action both tables are the same."""

from __future__ import annotations

import os
import random
import re
from collections import Counter

import pytest

from tests.games.bfg import oracle
from tests.games.bfg.facts import CITIES, UNITS
from tests.games.bfg.layout import BOOK, FORCES, PIECES, Pos, force, holder, lay, legal, members, step, table, where
from tests.games.bfg.oracle import Table, allowance
from tests.games.bfg.player import choose
from tests.games.bfg.shadow import Shadow
from tests.games.bfg.small import fits
from tests.games.bfg.universe import patch

MORE = int(os.environ.get("BFG_SEARCH", "1"))
pytestmark = pytest.mark.whole_game

SEEDS = range(21, 21 + 2 * MORE)


def a_way(t: Table, unit: str, start: str, end: str, spare: int, dice: random.Random) -> list[str] | None:
    """Some lawful way between two hexes (not always the cheapest), as the hexes in between; None if none was found.

    A line without a way means the cheapest one, so the single step is a way only when it is the cheapest by far.
    """
    trail: list[str] = []
    force, zoc = t.who[unit], t.zoc(t.who[unit])

    def walk(here: str, left: int, home: bool, inland: bool) -> bool:
        nexts = list(oracle.JOINED[here])
        dice.shuffle(nexts)
        for there in nexts:
            if there in trail or there == start or there not in oracle.PLAYABLE or t.strangers(there, force):
                continue
            rest = left - oracle.cost(here, there)
            if rest < 0 or (here == start and start in zoc and there in zoc):
                continue
            if force in oracle.GERMAN and oracle.theater(there) != oracle.SIDE[force]:
                continue
            if force not in oracle.GERMAN and not oracle.may_step(unit, force, there, home, inland):
                continue
            if there == end:
                if trail or oracle.cost(here, there) == 1:
                    return True
                continue
            if there in zoc or oracle.apart(there, end) > rest or len(trail) > 9:
                continue
            trail.append(there)
            now = home or not oracle.off_side(force, there), inland or not oracle.wrong_country(unit, force, there)
            if walk(there, rest, *now):
                return True
            trail.pop()
        return False

    first = not oracle.off_side(force, start), not oracle.wrong_country(unit, force, start)
    return trail if walk(start, allowance(t, unit) - spare, *first) else None


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


def beside(p: Pos, s: Shadow, dice: random.Random, last: int, often: float) -> tuple[Pos, Counter[str]]:
    """Plays on to the end of turn ``last``, comparing after every action; gives what happened how often."""
    seen: Counter[str] = Counter()
    while not BOOK.over(p) and p.turn <= last:
        expected = s.allowed() if step(p) not in {"combat-roll", "evacuation", "landing", "set-up"} else None
        if expected is not None and (step(p) != "movement" or dice.random() < often):
            offered = legal(p)
            assert offered == expected, f"engine only: {sorted(offered - expected)}; rulebook only: {sorted(expected - offered)}"
        line = choose(p, dice)
        words = line.split()
        if words[1] in {"move", "exit"} and words[4] != words[6]:
            way = a_way(s.t, words[2], words[4], words[6], 4 if words[1] == "exit" else 0, dice)
            if way is None:
                continue
            if way:
                line += f" via {','.join(way)}"
            assert BOOK.check(p, BOOK.parse(line)).legal, line
        before, dead, who = p.phase, sum(h.startswith("box") for h in s.t.at.values()), dict(s.t.who)
        p = BOOK.play(p, BOOK.parse(line))
        s.apply(line)
        s.tidy()
        if words[1] in {"exit", "take", "done"} and step(p) != "take":
            s.gate = ""
        if BOOK.over(p):
            while not s.over:
                s.end()
        elif before >= 0 or p.phase >= 0:
            s.catch_up(p.turn, p.phase)
        same(p, s, line)
        seen[words[1]] += 1
        seen["identity"] += who != s.t.who
        seen["abroad"] += bool(s.abroad)
        seen["deadline"] += words[1] == "done" and sum(h.startswith("box") for h in s.t.at.values()) > dead
        seen["flipped"] += bool(s.t.flipped)
        seen["garrison"] += bool(s.t.garrison)
        seen["berlin"] += bool(s.berlin_seen)
        seen["locked"] += bool(s.t.locked)
    return p, seen


@pytest.mark.parametrize("seed", SEEDS)
def test_a_game_beside_the_second_referee(seed: int) -> None:
    s = Shadow()
    p, _ = beside(BOOK.start(), s, random.Random(seed), 10, 0.12)
    soviet, western = re.findall(r"\d+", p.result)
    assert (int(soviet), int(western)) == s.points()
    assert members(p.garrison) == s.t.garrison


def test_short_play_at_borders_and_capitals_beside_the_second_referee() -> None:
    dice = random.Random(77)
    seen: Counter[str] = Counter()
    for number in range(60 * MORE):
        spots = ("2613", "2414", "2514", "1122", "1022", "1217", "1515", "2722", "2015", "1616", "2814", "2911", "0915", "2026", "3824")
        spot = spots[number % len(spots)]
        placed: dict[str, str] = {}
        hexes = [h for h in patch(spot, 2) if h in oracle.PLAYABLE]
        for _ in range(16):
            unit, place = dice.choice(sorted(UNITS)), dice.choice(hexes)
            if unit not in placed and fits(unit, place, placed):
                placed[unit] = place
        name = dice.choice(FORCES)
        p = lay(f"{name} {dice.choice(('movement', 'combat'))}", placed, turn=dice.choice((3, 4)))
        s = Shadow.of(table(p), p.phase, {c: holder(p, c) for c in CITIES}, {PIECES[u]: turn for u, turn in p.abroad})
        if s.t.here("2613"):
            s.berlin_seen = {s.t.who[u] for u in s.t.here("2613")}
            s.berlin_first = None if p.berlin_first[0] < 0 else (FORCES[p.berlin_first[0]], p.berlin_first[1], p.berlin_first[2])
        assert {u: where(p, u) for u in placed} == placed
        _, more = beside(p, s, dice, p.turn + 1, 0.3)
        seen += more
    for what in (
        "identity",
        "abroad",
        "deadline",
        "flipped",
        "garrison",
        "berlin",
        "locked",
        "evacuate",
        "exit",
        "take",
        "advance",
        "lose",
    ):
        assert seen[what], (what, seen)
