"""Broken moves out of played games: each breaks one paragraph, and the engine must name it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from tests.games.bfg.facts import HEXES, UNITS
from tests.games.bfg.layout import BOOK, PIECES, Pos, lay, legal, on, phase, play, step, table, where
from tests.games.bfg.mutators import (
    ANSWERS,
    ENEMY,
    IN_ATTACK,
    IN_MOVEMENT,
    OWNER,
    PLAYABLE,
    advances_wrong,
    attackers,
    done_too_soon,
    garrison_retreats,
    mine,
    takes_wrong,
)
from tests.games.bfg.player import choose, games
from tests.games.bfg.small import CENTERS, SORTED, fits
from tests.games.bfg.universe import patch

pytestmark = pytest.mark.whole_game

SEEDS = (11, 12)
CAPITALS = ("2723", "2015", "1617", "2613")
EXPECTED = """
2.5.a 2.5.b 3.0.p1 3.0.a1 3.0.a2 3.0.a3 3.0.a4 3.0.a5 3.0.a6 3.0.b1 3.0.b2 3.0.b3 3.0.b4 3.0.b5 3.0.b6
4.0.c1 4.0.c2 4.0.p2 5.0.a1 5.0.a2 5.0.a3 5.0.p1 5.0.p3 5.1.p1 5.1.p2 5.2.1.p1 5.2.1.p3 5.2.2.p1 5.3.1.p1 5.3.1.p3 5.3.2.p1 5.3.2.p3
6.0 6.1.p2 6.1.p3 6.1.p4 6.2.1.a1 6.2.1.a2 6.2.1.a3 6.2.1.b1 6.2.1.b2 6.2.1.p1 6.2.c 6.3.a 6.3.b 6.3.c1 6.3.c2 6.3.c3 6.3.e 6.5 6.5.a
7.1.b2 7.2.a1 7.2.b1 7.2.c 7.2.d1 7.2.e1 7.2.e2 7.2.e3 7.2.e4 7.2.f 7.2.p1 8.0.p1 8.0.p3 8.0.p4 8.0.p5 8.0.p6 8.0.p7
9.0.a1 9.0.a6 9.0.p1 9.0.p2 9.0.p3 9.0.p4 10.0.a1 10.0.a2 12.2.a
""".split()
"""Every paragraph that some broken action must name."""


def random_layout(dice: random.Random, kind: str) -> Pos:
    """A small crowded position."""
    name = dice.choice(("S", "W", "EG", "WG"))
    placed: dict[str, str] = {}
    hexes = [h for h in patch(dice.choice((*CENTERS, *CAPITALS, "1122", "2401")), 2) if h in PLAYABLE]
    for _ in range(14):
        force = dice.choice(("S", "W", "EG", "WG", name, ENEMY[name]))
        unit, place = dice.choice(SORTED[force]), dice.choice(hexes)
        if unit not in placed and fits(unit, place, placed):
            placed[unit] = place
    return lay(f"{name} {kind}", placed, turn=dice.choice((2, 4)))


def boxed_layout(dice: random.Random) -> Pos:
    """Full boxes, and Berlin's neighbours more or less full."""
    name = dice.choice(("S", "W", "EG", "WG"))
    placed: dict[str, str] = {}
    for place in patch("2613", 1):
        for unit in dice.sample(sorted(UNITS), 6):
            if dice.random() < 0.5 and unit not in placed and fits(unit, place, placed):
                placed[unit] = place
    boxes = {"S": ("box-s",), "W": ("box-w", "box-italy"), "EG": ("box-eg",), "WG": ("box-wg",)}[name]
    pool = [u for u in sorted(UNITS) if UNITS[u].force == name and u not in placed]
    placed |= {u: boxes[i % len(boxes)] for i, u in enumerate(dice.sample(pool, 6))}
    return lay(f"{name} replacement", placed, turn=4)


# What chance brings too rarely: garrisons attacked and attacking, both sides of the Yugoslav border, the west edge north of 2301.
STORIES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "EG combat",
        "su-1-br 2723, su-1-pol 2723, eg-24-pz 2722, eg-39-pz 2722, eg-gd-pz 2622, eg-3-ss 2622",
        (
            "western-allied attack eg-24-pz,eg-39-pz,eg-3-ss,eg-gd-pz > 2723",
            "chance roll combat 2",
            "soviet retreat su-1-pol > 2823",
        ),
    ),
    (
        "S combat",
        "su-1-br 2723, su-1-gds-inf 2622, su-2-br 2622, eg-4-pz 2722, eg-2 2218",
        ("soviet attack su-1-br,su-2-br > 2722", "chance roll combat 1", "soviet advance su-2-br > 2722"),
    ),
    ("S movement", "su-1-br 2723, su-1-gds-inf 2622, eg-4-pz 2720", ("soviet move su-1-gds-inf @ 2622 > 2522",)),
    (
        "S combat",
        "su-1-yug 1021, su-2-yug 1022, su-1-rom 1123, su-4-rom 1123, eg-4-pz 1122",
        ("soviet attack su-1-rom,su-1-yug,su-2-yug,su-4-rom > 1122", "chance roll combat 1", "soviet advance su-1-rom > 1122"),
    ),
    (
        "S combat",
        "su-1-yug 1021, su-1-rom 1123, su-1-gds-inf 1123, eg-4-pz 1022",
        (
            "soviet attack su-1-gds-inf,su-1-rom,su-1-yug > 1022",
            "chance roll combat 1",
            "soviet advance su-1-yug > 1022",
        ),
    ),
    ("WG movement", "wg-1-ss 2401, wg-2-ss 1501, we-4-us 1301", ("soviet move wg-1-ss @ 2401 > 2301",)),
)


@cache
def samples() -> tuple[tuple[Pos, str, float], ...]:
    """(position, legal action, how often to spoil a move): whole games, stories, short play from crowded layouts."""
    found: list[tuple[Pos, str, float]] = []
    for seed in SEEDS:
        found += ((p, line, 0.15) for p, line in games(seed, 10))
    for where_, units, lines in STORIES:
        p = lay(where_, units)
        for line in lines:
            assert BOOK.check(p, BOOK.parse(line)).legal, (line, legal(p))
            found.append((p, line, 1.0))
            p = BOOK.play(p, BOOK.parse(line))
    dice = random.Random(99)
    laid = [boxed_layout(dice) if n % 4 == 3 else random_layout(dice, "movement" if n % 2 else "combat") for n in range(200)]
    for p in laid:
        for _ in range(6):
            if BOOK.over(p) or not legal(p):
                break
            if step(p) == "movement" and not BOOK.check(p, BOOK.parse(f"{p.agenda[-1].by[0]} done")).legal:
                break
            line = choose(p, dice)
            found.append((p, line, 0.25))
            p = BOOK.play(p, BOOK.parse(line))
    return tuple(found)


def broken() -> Iterator[tuple[Pos, str, str]]:
    """(position, paragraph, line) from every mutator."""
    dice = random.Random(5)
    opened: Pos | None = None
    fought: list[str] = []
    hexes: list[str] = []
    gate, taken = "", 0
    for p, line, often in samples():
        verb, now = line.split()[1], step(p)
        if now == "combat":
            opened = p
            yield from ((p, *found) for found in done_too_soon(table(p), p.mandated[0]))
        if verb == "exit":
            gate, taken = line.split()[-1], 0
        if now == "movement":
            # What a mutator makes hardly depends on the action: some of the moves are plenty.
            if verb == "move" and dice.random() < often:
                t = table(p)
                for mutate in IN_MOVEMENT:
                    yield from ((p, *found) for found in mutate(t, line))
                yield from overstacked(p)
            if verb == "done":
                by = line.split()[0]
                yield p, "2.5.b" if by == "soviet" else "2.5.a", f"{'western-allied' if by == 'soviet' else 'soviet'} done"
        elif opened is not None and (verb == "attack" or (now == "declare" and verb == "done")):
            fought, hexes = attackers(line) if verb == "attack" else declared(p)
            attack = f"{line.split()[0]} attack {','.join(fought)} > {','.join(hexes)}"
            assert BOOK.check(opened, BOOK.parse(attack)).legal
            t = table(opened)
            for mutate in IN_ATTACK:
                yield from ((opened, *found) for found in mutate(t, attack))
            if verb == "done":
                yield p, "6.3.c3", f"{line.split()[0]} join {fought[0]}"
        elif now == "take":
            yield from ((p, *found) for found in takes_wrong(table(p), gate, taken))
            taken += verb == "take"
        elif verb in ANSWERS:
            t = table(p)
            for mutate in ANSWERS[verb]:
                yield from ((p, *found) for found in mutate(t, line))
            if now == "advance":
                yield from ((p, *found) for found in advances_wrong(t, line, fought, hexes))
            if now == "retreat":
                losers = [u for h in hexes for u in t.here(h)] if t.who[line.split()[2]] != t.force else fought
                yield from ((p, *found) for found in garrison_retreats(t, line, losers))
                for unit in mine(t)[:1]:
                    yield p, "6.1.p4", f"{OWNER[t.force]} attack {unit} > 2513"
            if now == "replacement":
                yield from no_more(p)


def declared(p: Pos) -> tuple[list[str], list[str]]:
    """The attackers and hexes of the attack being declared."""
    hexes, units = p.agenda[-1].data[:2]
    assert isinstance(hexes, tuple) and isinstance(units, tuple)
    names = sorted(HEXES)
    return sorted(PIECES[u] for u in units), sorted(names[h] for h in hexes)


def overstacked(p: Pos) -> Iterator[tuple[Pos, str, str]]:
    """5.1: a move that is legal by itself and leaves three units, or two Fronts, when the phase ends."""
    by = p.agenda[-1].by[0]
    seen: set[str] = set()
    for line in sorted(legal(p)):
        if " move " in line and len(seen) < 2:
            unit, name = line.split()[2], line.split()[-1]
            there = on(p, name)
            fronts = UNITS[unit].front and any(UNITS[u].front for u in there)
            what = "5.1.p1" if len(there) == 2 else "5.1.p2" if fronts else ""
            if what and what not in seen:
                seen.add(what)
                yield play(p, line), what, f"{by} done"


def no_more(p: Pos) -> Iterator[tuple[Pos, str, str]]:
    """7.2.p1: more than the turn track gives; 9.0.a6: what has left the game."""
    t = table(p)
    by = p.agenda[-1].by[0]
    for name, rate, place in (("box-w", p.rates[0], "2001"), ("box-italy", p.rates[1], "0114")):
        boxed = sorted(on(p, name))
        if t.force == "W" and rate == 0 and boxed:
            yield p, "7.2.p1", f"{by} replace {boxed[0]} > {place}"
    gone = [u for u in sorted(UNITS) if where(p, u) == "out" and UNITS[u].force == t.force]
    for unit in gone[:1]:
        yield p, "9.0.a6", f"{by} replace {unit} > {dict(S='2526', W='2001', EG='2514', WG='2513')[t.force]}"


def test_every_broken_action_is_refused_for_its_paragraph() -> None:
    count: Counter[str] = Counter()
    wrong: list[str] = []
    for p, paragraph, line in broken():
        count[paragraph] += 1
        ruling = BOOK.check(p, BOOK.parse(line), every=True)
        found = {c.para for reason in ruling.reasons for c in reason.cites}
        if ruling.legal:
            wrong.append(f"{paragraph}: ALLOWED {line} in {phase(p)}/{step(p)}")
        elif paragraph not in found:
            wrong.append(f"{paragraph}: cites {sorted(found)} for {line} in {phase(p)}/{step(p)}")
    assert not wrong, f"{len(wrong)} of {sum(count.values())}:\n" + "\n".join(wrong[:60])
    assert not set(EXPECTED) - set(count), sorted(set(EXPECTED) - set(count))


def test_games_stay_sound_from_the_set_up_to_turn_10() -> None:
    for p, line, _ in samples()[::25]:
        assert BOOK.broken(p) == ()
        action = BOOK.parse(line)
        assert str(action) == line and BOOK.check(p, action).legal
