"""The engine against every action that could be tried, and against a second referee that knows only the rulebook."""

from __future__ import annotations

import itertools
import os
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.games.bfg import oracle
from tests.games.bfg.facts import BERLIN, CRT, HEXES, UNITS, theater
from tests.games.bfg.layout import BOOK, INDEX, OWNER, Pos, check, force, lay, legal, members, on, phase, play, step, table, where
from tests.games.bfg.oracle import Table
from tests.games.bfg.small import CENTERS, FOE, SPOTS, STRONG, Small, crowds, rings, smalls
from tests.games.bfg.universe import lines, patch

FACING = {"S": "S EG", "EG": "EG S", "W": "W WG", "WG": "WG W"}
MORE = int(os.environ.get("BFG_SEARCH", "1"))
"""How many times as many positions as usual; above 1 they differ from run to run."""
PLAIN = {"deadline": None, "derandomize": MORE == 1, "suppress_health_check": list(HealthCheck), "database": None}


def standing(p: Pos) -> dict[str, str]:
    """Every unit that is in the game, with its place."""
    return {u: where(p, u) for u in UNITS if where(p, u) != "out"}


def agree(p: Pos, hexes: tuple[str, ...]) -> None:
    """``legal`` is exactly what ``check`` allows, over every action with these hexes."""
    units = standing(p)
    tried = {line for line in lines(units, {u: force(p, u) for u in units}, hexes)}
    fine = {line for line in tried if BOOK.check(p, BOOK.parse(line)).legal}
    offered = legal(p)
    known = {line for line in offered if line in tried or "> " not in line or line.split("> ")[1] in hexes}
    assert fine == known, f"check allows, legal omits: {sorted(fine - known)}; legal offers, check refuses: {sorted(known - fine)}"
    for line in offered - tried:
        assert BOOK.check(p, BOOK.parse(line)).legal, line


@pytest.mark.parametrize("name", ["S", "W", "EG", "WG"])
@settings(max_examples=10 * MORE, **PLAIN)
@given(data=st.data())
def test_legal_is_what_check_allows_in_movement(name: str, data: st.DataObject) -> None:
    small = data.draw(smalls("S EG W WG"))
    agree(lay(f"{name} movement", small.places), patch(small.center, 3))


@pytest.mark.parametrize("name", ["S", "W", "EG", "WG"])
@settings(max_examples=8 * MORE, **PLAIN)
@given(data=st.data())
def test_legal_is_what_check_allows_in_combat_and_what_it_asks(name: str, data: st.DataObject) -> None:
    small = data.draw(smalls(FACING[name] + " S W", radius=1, least=4))
    p = lay(f"{name} combat", small.places)
    dice = random.Random(data.draw(st.integers(0, 999)))
    hexes = patch(small.center, 2)
    for _ in range(9):
        agree(p, hexes)
        offered = sorted(legal(p))
        better = [line for line in offered if " done" not in line] or offered
        p = play(p, dice.choice(better if dice.random() < 0.8 else offered))
        if phase(p) != f"{name} combat":
            break


@pytest.mark.parametrize("name", ["S", "W", "EG", "WG"])
@settings(max_examples=6 * MORE, **PLAIN)
@given(data=st.data())
def test_legal_is_what_check_allows_in_replacement(name: str, data: st.DataObject) -> None:
    p = lay(f"{name} replacement", _boxed(data, name), turn=4)
    for _ in range(3):
        agree(p, patch(BERLIN, 1))
        offered = [line for line in sorted(legal(p)) if " replace " in line]
        if not offered or "replacement" not in phase(p):
            break
        p = play(p, data.draw(st.sampled_from(offered)))


def _boxed(data: st.DataObject, name: str) -> dict[str, str]:
    """Units in and around Berlin and on edges, and some in the boxes of a force."""
    small = data.draw(smalls("S W EG WG", radius=1, least=6, centers=(BERLIN, BERLIN, "2026", "2001", "0113")))
    boxes = {"S": ["box-s"], "W": ["box-w", "box-italy"], "EG": ["box-eg"], "WG": ["box-wg"]}[name]
    pool = [u for u in sorted(UNITS) if UNITS[u].force == name and u not in small.places]
    chosen = data.draw(st.lists(st.sampled_from(pool), max_size=4, unique=True))
    return small.places | {u: boxes[i % len(boxes)] for i, u in enumerate(chosen)}


def _mirror(p: Pos) -> Table:
    return table(p)


@pytest.mark.parametrize("name", ["S", "W", "EG", "WG"])
@settings(max_examples=45 * MORE, **PLAIN)
@given(data=st.data())
def test_moves_are_those_of_the_second_referee(name: str, data: st.DataObject) -> None:
    small = data.draw(smalls(FACING[name] + " " + FACING["W" if name in "S EG" else "S"]))
    units = list(small.places)
    some = data.draw(st.lists(st.sampled_from(units), max_size=2, unique=True)) if units else []
    marks = {key: " ".join(some) if data.draw(st.booleans()) else "" for key in ("doubled", "locked", "moved")}
    if data.draw(st.integers(0, 3)):
        marks = {"doubled": marks["doubled"]} if name in {"EG", "WG"} else {}
    p = lay(f"{name} movement", small.places, turn=data.draw(st.sampled_from((2, 3, 5))), **marks)
    expected = oracle.movement_lines(_mirror(p))
    offered = legal(p)
    assert offered == expected, f"engine only: {sorted(offered - expected)}; rulebook only: {sorted(expected - offered)}"


@settings(max_examples=30 * MORE, **PLAIN)
@given(data=st.data())
def test_moves_on_a_whole_map_are_those_of_the_second_referee(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(("S", "W", "EG", "WG")))
    small = data.draw(smalls("S W EG WG", radius=5, least=8, most=24))
    p = lay(f"{name} movement", small.places)
    assert legal(p) == oracle.movement_lines(_mirror(p))


@pytest.mark.parametrize("name", ["S", "W", "EG", "WG"])
@settings(max_examples=25 * MORE, **PLAIN)
@given(data=st.data())
def test_attacks_and_their_odds_are_those_of_the_second_referee(name: str, data: st.DataObject) -> None:
    centers = SPOTS[name] if data.draw(st.booleans()) else CENTERS
    small = data.draw(smalls(FACING[name] + " " + FACING[name] + " S W WG", radius=1, least=4, centers=centers))
    p = lay(f"{name} combat", small.places)
    t = _mirror(p)
    mine = [u for u in small.places if t.who[u] == name][:4]
    targets = sorted({h for u, h in small.places.items() if t.who[u] != name})[:3]
    for units in _subsets(mine):
        for hexes in _subsets(targets):
            line = f"{OWNER[name]} attack {','.join(sorted(units))} > {','.join(sorted(hexes))}"
            may = oracle.may_attack(t, units, hexes)
            assert check(p, line, every=False).legal == may, (line, may, oracle.odds(t, units, hexes) if may else None)
            if may:
                die = data.draw(st.integers(1, 6))
                _applied(p, t, units, hexes, die)


@pytest.mark.parametrize("loser", ["S", "W", "EG", "WG"])
@settings(max_examples=120 * MORE, **PLAIN)
@given(data=st.data())
def test_retreats_out_of_a_crowd_are_those_of_the_second_referee(loser: str, data: st.DataObject) -> None:
    small, gate = data.draw(crowds(loser))
    mine = sorted(u for u, h in small.places.items() if h == small.center)
    foe = FOE[loser]
    if not gate:
        return
    # The crowd's enemies attack (DR), or its own units do (AR).
    for name, units, hexes, want in ((foe, STRONG[foe], (small.center,), "DR"), (loser, tuple(mine), (gate,), "AR")):
        p = lay(f"{name} combat", small.places)
        t = table(p)
        may = oracle.may_attack(t, units, hexes)
        line = f"{OWNER[name]} attack {','.join(sorted(units))} > {','.join(hexes)}"
        assert check(p, line, every=False).legal == may, line
        if may:
            dice = [die for die in range(1, 7) if oracle.result(t, units, hexes, die) == want]
            _applied(p, t, units, hexes, data.draw(st.sampled_from(dice or [1, 6])))
            _applied(p, t, units, hexes, data.draw(st.integers(1, 6)))


def _subsets(things: list[str]) -> list[tuple[str, ...]]:
    return [c for n in range(1, len(things) + 1) for c in itertools.combinations(things, n)]


def _applied(p: Pos, t: Table, units: tuple[str, ...], hexes: tuple[str, ...], die: int) -> None:
    """Rolls, and follows every choice to the end beside the second referee; the last offer is taken each time."""
    by = OWNER[t.force]
    defenders = sorted(u for h in hexes for u in t.here(h))
    what = oracle.result(t, units, hexes, die)
    p = play(p, f"{by} attack {','.join(sorted(units))} > {','.join(sorted(hexes))}", f"chance roll combat {die}")
    t = t.copy()
    t.attacked = t.attacked | set(units)
    emptied: list[str] = []
    winners: list[str] = []
    if what == "EX":
        price = sum(UNITS[u].defense for u in defenders)
        for u in defenders:
            oracle.kill(t, u)
        living = list(units)
        if sum(UNITS[u].attack for u in units) <= price:
            for u in units:
                oracle.kill(t, u)
            living = []
        else:
            paid = 0
            while paid < price:
                assert legal(p) == {f"{by} lose {u}" for u in living}, (what, legal(p))
                victim = sorted(living)[-1]
                p = play(p, f"{by} lose {victim}")
                oracle.kill(t, victim)
                living.remove(victim)
                paid += UNITS[victim].attack
            if living and step(p) == "lose":
                assert f"{by} done" in legal(p)
                p = play(p, f"{by} done")
        emptied, winners = list(hexes), living
    elif what in {"AE", "DE"}:
        losers = list(units) if what == "AE" else defenders
        emptied = sorted({t.at[u] for u in losers})
        for u in losers:
            oracle.kill(t, u)
        winners = defenders if what == "AE" else list(units)
    else:
        losers = [u for u in (units if what == "AR" else defenders) if not oracle.stays(t, u)]
        emptied = sorted({t.at[u] for u in losers})
        p = _flown(p, t, losers)
        winners = defenders if what == "AR" else list(units)
    emptied = [h for h in emptied if not t.here(h)]
    _entered(p, t, winners, emptied)


def _flown(p: Pos, t: Table, losers: list[str]) -> Pos:
    """All retreats, in the order the engine offers them last."""
    waiting = list(losers)
    while waiting:
        open_ = {u: oracle.retreat_hexes(t, u) for u in waiting}
        if not any(open_.values()):
            for u in waiting:
                oracle.kill(t, u)
            break
        assert step(p) == "retreat", (step(p), open_)
        owner = OWNER[t.who[waiting[0]]]
        expected = {f"{owner} retreat {u} > {h}" for u, hexes in open_.items() for h in hexes}
        assert legal(p) == expected, f"engine only: {sorted(legal(p) - expected)}; rulebook only: {sorted(expected - legal(p))}"
        line = sorted(expected)[-1]
        p = play(p, line)
        unit, name = line.split()[2], line.split()[-1]
        oracle.settle_retreat(t, unit, name)
        waiting.remove(unit)
    assert step(p) != "retreat"
    return p


def _entered(p: Pos, t: Table, winners: list[str], emptied: list[str]) -> None:
    """Advances; then both tables are the same."""
    used: set[str] = set()
    left = list(emptied)
    while True:
        expected = {(u, h) for h in left for u in winners if u not in used and t.at[u] in HEXES and oracle.may_advance(t, u, h)}
        if not expected:
            break
        owner = OWNER[t.who[winners[0]]]
        offered = legal(p)
        assert step(p) == "advance", (step(p), expected)
        assert offered == {f"{owner} advance {u} > {h}" for u, h in expected} | {f"{owner} done"}, (offered, expected)
        unit, name = min(expected)
        p = play(p, f"{owner} advance {unit} > {name}")
        t.at[unit] = name
        oracle.note_entry(t, unit, name)
        used.add(unit)
        left.remove(name)
    assert step(p) != "advance", legal(p)
    assert {u: where(p, u) for u in t.at} == t.at
    assert {u: force(p, u) for u in t.at if t.at[u] in HEXES} == {u: t.who[u] for u in t.at if t.at[u] in HEXES}
    assert members(p.garrison) >= t.garrison


@pytest.mark.parametrize("name", ["S", "W", "EG", "WG"])
@settings(max_examples=25 * MORE, **PLAIN)
@given(data=st.data())
def test_replacements_are_those_of_the_second_referee(name: str, data: st.DataObject) -> None:
    p = lay(f"{name} replacement", _boxed(data, name), turn=data.draw(st.integers(2, 10)))
    for _ in range(3):
        if phase(p) != f"{name} replacement":
            break
        expected = oracle.replacement_lines(_mirror(p), p.rates)
        assert legal(p) == expected
        if len(expected) == 1:
            break
        line = data.draw(st.sampled_from(sorted(expected - {f"{OWNER[name]} done"})))
        becomes = oracle.arrivals(_mirror(p), line.split()[2])[line.split()[-1]]
        p = play(p, line)
        assert force(p, line.split()[2]) == becomes and where(p, line.split()[2]) == line.split()[-1]


@pytest.mark.parametrize("name", ["EG", "WG"])
@settings(max_examples=40 * MORE, **PLAIN)
@given(data=st.data())
def test_replacements_around_a_full_berlin_are_those_of_the_second_referee(name: str, data: st.DataObject) -> None:
    p = lay(f"{name} replacement", data.draw(rings(name)), turn=4)
    expected = oracle.replacement_lines(table(p), p.rates)
    assert legal(p) == expected, (sorted(legal(p)), sorted(expected))


@settings(max_examples=40 * MORE, **PLAIN)
@given(data=st.data())
def test_removals_after_an_exit_are_those_of_the_second_referee(data: st.DataObject) -> None:
    leaver, gate, name = data.draw(
        st.sampled_from((("eg-24-pz", "2026", "EG"), ("eg-24-pz", "0926", "EG"), ("wg-1-ss", "2101", "WG"), ("wg-1-ss", "0113", "WG")))
    )
    small = data.draw(smalls("S W S W S W", radius=4, centers=(gate,)))
    units = {u: h for u, h in small.places.items() if h != gate}
    boxed = data.draw(st.lists(st.sampled_from(("su-2-pol", "we-6-us", "we-30-br", "su-4-rom")), unique=True))
    units |= {u: ("box-s" if u.startswith("su") else data.draw(st.sampled_from(("box-w", "box-italy")))) for u in boxed}
    stay = "eg-2" if name == "EG" else "wg-90"
    p = lay(f"{name} movement", units | {leaver: gate, stay: "2416" if name == "EG" else "2510"})
    p = play(p, f"{OWNER[name]} exit {leaver} @ {gate} > {gate}")
    taken = 0
    while True:
        expected = oracle.takeable(_mirror(p), gate, taken)
        offered = {line.split()[-1] for line in legal(p) if " take " in line}
        assert offered == expected, (offered, expected, taken)
        if not expected:
            break
        p = play(p, f"{OWNER[name]} take {data.draw(st.sampled_from(sorted(expected)))}")
        taken += 1


@settings(max_examples=60 * MORE, **PLAIN)
@given(data=st.data())
def test_the_compulsory_attacks_are_counted_as_the_second_referee_counts(data: st.DataObject) -> None:
    small = data.draw(smalls("WG W WG W", radius=1, least=4, centers=("2005", "2211", "1805", "2105", "2510")))
    # Weak crews make the counting hard: several corps for one attack.
    start = oracle.possible_attacks(table(lay("WG combat", small.places, turn=1)), "WG")
    p = lay("WG movement", small.places, turn=1, mandated=(0, start))
    for _ in range(3):
        now = oracle.possible_attacks(table(p), "WG")
        t = table(p)
        ready = now >= start and not oracle.overstacked(t)
        assert check(p, "soviet done").legal == ready, (start, now, sorted(c for r in BOOK.duties(p) for c in r.paragraphs))
        if now < start:
            assert "12.2.a" in {c for r in BOOK.duties(p) for c in r.paragraphs}
        moves = [line for line in sorted(legal(p)) if " move " in line]
        if not moves:
            break
        p = play(p, data.draw(st.sampled_from(moves)))
        if phase(p) != "WG movement":
            break
    q = lay("WG combat", small.places, turn=1)
    assert check(q, "soviet done").legal == (start == 0)


def test_small_positions_reach_berlin_and_both_sides_of_the_line() -> None:
    assert {theater(h) for h in patch(BERLIN, 2)} == {"east", "west", "both"}
    assert set(INDEX) == set(UNITS) and isinstance(Small(BERLIN, ()).places, dict) and on(lay("S movement", "su-1-br 2613"), BERLIN)
    assert len(CRT) == 48
