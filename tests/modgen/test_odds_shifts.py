"""Odds help where ground shifts the column: a thousand combats, worked out a second time here from the tables by the rules' own words."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from gamebox import tabletalk
from gamebox.geometry import hexes
from gamebox.load import data_root, load_box
from gamebox.model import Box, Piece
from modgen.layout.layout import read_layout
from modgen.layout.reading import LayoutErrors
from modgen.vassal import names
from tests.modgen.client import Counter, Table, slots

from .conftest import Builder, Built
from .looking import zone_of

PLAYED = "great-patriotic-war"
COMBATS = 1000
GROUND = ("INF", "GDS", "SHK", "PZ", "TK", "MECH", "CAV", "MTN", "GAR", "AB")


@pytest.fixture(scope="module")
def built(builder: Builder) -> Built:
    return builder(PLAYED)


@dataclass
class Combat:
    """Attackers and the defender on their hexes; which lie reduced, which are out of supply, what flies; the turn and the die."""

    side: str
    turn: int
    target: str
    die: int
    places: dict[str, str] = field(default_factory=dict)
    reduced: set[str] = field(default_factory=set)
    unsupplied: dict[str, str] = field(default_factory=dict)
    flies: dict[str, str] = field(default_factory=dict)
    attackers: list[str] = field(default_factory=list)


def combats(box: Box, number: int = COMBATS, seed: int = 1941) -> Iterator[Combat]:
    """Random combats of one side against one hex."""
    luck = random.Random(seed)
    assert box.grid is not None
    grid = hexes(box.grid)
    land = sorted(r.key for r in box["hexes"] if r.int("playable") and r.text("terrain") not in ("sea", "lake"))
    special = sorted({r.text("hex") for r in box["features"]} | {r.key for r in box["cities"]})
    wet = sorted({r.text(c) for r in box["hexsides"] if r.text("feature") == "river" for c in ("hex_a", "hex_b")} & set(land))
    strait = {r.text(c) for r in box["hexsides"] if r.text("feature") == "strait" for c in ("hex_a", "hex_b")}
    ground = {s: [p for p in box.pieces if p.side == s and p.row.text("kind") in GROUND] for s in ("axis", "soviet")}
    air = {s: [p for p in box.pieces if p.side == s and p.row.text("kind") in ("BOM", "FB")] for s in ("axis", "soviet")}
    guns = [p.id for p in box.pieces if p.id.startswith("su-art-")]
    for _ in range(number):
        side, other = luck.choice((("axis", "soviet"), ("soviet", "axis")))
        target = luck.choice(luck.choice((land, special, wet, sorted(strait))))
        combat = Combat(side, luck.randint(1, 32), target, luck.randint(1, 6))
        pool = {s: luck.sample(ground[s], 12) for s in ground}
        place(combat, pool[other].pop(), target, luck)
        beside = [h for h in grid.neighbours(target) if h in land or h in strait]
        for hex_ in luck.sample(beside, min(len(beside), luck.randint(1, 5))):
            piece = pool[side].pop()
            if piece.id in guns:
                continue
            place(combat, piece, hex_, luck)
            combat.attackers.append(piece.id)
        # Two units over the strait from one hex are rounded together by the help, which says so: none here.
        dry = [combat.places[u] for u in combat.attackers if not {combat.places[u], target} <= strait]
        if side == "soviet" and luck.random() < 0.2 and dry:
            gun = luck.choice(guns)
            combat.places[gun] = dry[0]
            combat.attackers.append(gun)
        for whose, mission in ((side, "offensive support"), (other, "defensive support"), (side, "interception")):
            if luck.random() < 0.3:
                plane = luck.choice([p for p in air[whose] if p.id not in combat.flies])
                combat.flies[plane.id] = mission
                combat.places[plane.id] = target
        if beside:
            place(combat, pool[side].pop(), luck.choice(beside), luck)  # takes no part
        if combat.attackers:
            yield combat


def place(combat: Combat, piece: Piece, hex_: str, luck: random.Random) -> None:
    combat.places[piece.id] = hex_
    if piece.row.int("steps") == 2 and luck.random() < 0.3:
        combat.reduced.add(piece.id)
    if luck.random() < 0.15:
        combat.unsupplied[piece.id] = luck.choice(("out of supply", "isolated"))


@dataclass(frozen=True)
class Reckoning:
    """A combat worked out by hand: attack, defence, the shifts together, the column from 1 (1:1) on, 0 for no attack."""

    attack: Fraction
    defence: int
    left: int
    column: int


def reckon(box: Box, combat: Combat) -> Reckoning:
    """7.2 and 7.3: halve, sum, divide and drop the fraction; add all shifts; cut at 6:1; below 1:1 is no attack."""
    rows = {p.id: p.row for p in box.pieces}
    sides: dict[frozenset[str], set[str]] = {}
    for row in box["hexsides"]:
        sides.setdefault(frozenset((row.text("hex_a"), row.text("hex_b"))), set()).add(row.text("feature"))
    season = box["turns"][str(combat.turn)].text("weather")
    attack = Fraction(0)
    over = []
    for unit in combat.attackers:
        crossed = sides.get(frozenset((combat.places[unit], combat.target)), set())
        over.append(bool(crossed & {"river", "strait"}))
        factor = Fraction(rows[unit].int("reduced_attack" if unit in combat.reduced else "attack"))
        factor /= (2 if season == "mud" else 1) * (2 if unit in combat.unsupplied else 1)
        attack += Fraction(factor / 2).__floor__() if "strait" in crossed else factor
    (defender,) = (u for u, h in combat.places.items() if h == combat.target and u not in combat.flies)
    defence = rows[defender].int("reduced_defense" if defender in combat.reduced else "defense")
    terrain = {r.key: r.int("shift_left", 0) for r in box["terrain"]}
    left = terrain[box["hexes"][combat.target].text("terrain")]
    if combat.target in box["cities"].by_key:
        left += terrain[box["cities"][combat.target].text("class") + "_city"]
    left += sum(terrain[r.text("feature")] for r in box["features"] if r.text("hex") == combat.target)
    left += all(over)
    left += season == "snow"
    left += combat.side == "axis" and combat.turn in (5, 6)
    left -= any(u.startswith("su-art-") for u in combat.attackers)
    for plane, mission in combat.flies.items():
        left += {"offensive support": -1, "defensive support": 1}.get(mission, 0) * rows[plane].int("shift")
    column = (attack / defence).__floor__() - left
    return Reckoning(attack, defence, left, 0 if attack == 0 else max(0, min(column, 6)))


def lay(built: Built, palette: dict[str, Any], combat: Combat) -> tuple[Table, dict[str, Counter]]:
    """A combat laid out and declared."""
    table = Table(built.module, [combat.die], properties={names.TURN: str(combat.turn)})
    units = {}
    for unit, hex_ in combat.places.items():
        held = {f"{names.FACE}_Level": "2"} if unit in combat.reduced else {}
        held |= {"Supply": combat.unsupplied[unit]} if unit in combat.unsupplied else {}
        held |= {"Mission": combat.flies[unit]} if unit in combat.flies else {}
        units[unit] = table.put(palette[unit], hex_, map_name=built.layout.board.map, zone=zone_of(built, hex_), **held)
    table.key(names.KEYS["attack"], [units[u] for u in combat.attackers])
    table.key(names.KEYS["target"], [c for u, c in units.items() if c.place == combat.target and u not in combat.flies])
    return table, units


@pytest.fixture(scope="module")
def palette(built: Built) -> dict[str, Any]:
    return slots(built.module, names.UNIT)


def test_a_thousand_combats_come_out_as_the_tables_have_them(built: Built, palette: dict[str, Any]) -> None:
    chart = {(r.text("odds"), r.int("die")): r.text("result") for r in built.box["crt"]}
    seen: set[str] = set()
    for combat in combats(built.box):
        expected = reckon(built.box, combat)
        table, _ = lay(built, palette, combat)
        table.button("Resolve")
        told = tabletalk.decode(table.text("Talk"))
        named = f"{expected.column}:1" if expected.column else "below 1:1"
        outcome = chart[named, combat.die] if expected.column else "no attack"
        assert told.fields[:3] == (outcome, named, str(combat.die)), (combat, expected, told)
        assert (Fraction(told.fields[3]), int(told.fields[4])) == (expected.attack, expected.defence), (combat, expected, told)
        seen |= {named, "fraction" if expected.attack.denominator > 1 else "whole", f"{expected.left} left"}
    assert {"below 1:1", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1", "fraction", "-2 left", "-1 left", "4 left"} <= seen


def test_the_count_says_every_shift_by_its_name(built: Built, palette: dict[str, Any]) -> None:
    """Two shifts to the left: the forest, and a river that all attackers attack over; a third for snow on turn 5."""
    box = built.box
    rivers = [(r.text("hex_a"), r.text("hex_b")) for r in box["hexsides"] if r.text("feature") == "river"]
    woods = {r.key for r in box["hexes"] if r.text("terrain") == "forest"} - set(box["cities"].by_key)
    target, beyond = next((a, b) for a, b in rivers if a in woods)
    units = [p.id for p in box.pieces if p.side == "soviet" and p.row.text("kind") == "INF"]
    enemy = next(p.id for p in box.pieces if p.side == "axis" and p.row.text("kind") == "INF")
    combat = Combat("soviet", 5, target, 2, {u: beyond for u in units[:5]} | {enemy: target}, attackers=units[:5])
    table, _ = lay(built, palette, combat)
    table.button("Odds")
    line = table.chat[-1]
    assert "and 2 left for forest + river or strait" in line and ", 1 left for snow" in line
    assert f"column {expected if (expected := reckon(box, combat).column) else 'below 1'}:1" in line
    assert table.changes and line.count("=") == 0


def test_leaders_and_all_else_that_it_cannot_know_are_named_and_moved_by_hand(built: Built, palette: dict[str, Any]) -> None:
    combat = next(c for c in combats(built.box) if 1 < reckon(built.box, c).column < 6)
    table, _ = lay(built, palette, combat)
    table.button("Column +1")
    table.button("Odds")
    assert f"column {reckon(built.box, combat).column + 1}:1" in table.chat[-1]
    assert "leaders" in table.chat[-1] and "moved by 1 by hand" in table.chat[-1]

FAULTS = [
    ('state = "Supply"\nwords', 'state = "Supplies"\nwords', "[odds] state: 'Supplies' is no [[prototype.state]] of this file"),
    ('words = ["offensive support"]', 'words = ["offence"]', "[odds] words of Mission: 'offence' is no word of the state"),
    ('turns = { weather = "mud" }\nword', 'turns = { sky = "mud" }\nword', "[odds] turns: 'sky' is no column of turns"),
    (
        'turns = { weather = "mud" }\nword',
        'turns = { weather = "mud" }\nstate = "Supply"\nword',
        "[odds] [[halved]] 1 turns, state, table: allowed: one of the three",
    ),
    ('attackers = ["axis"]\nword', 'attackers = ["red"]\nword', "[[odds.shift]] attackers: 'red' is no side with pieces"),
    ('kinds = { major = "major_city"', 'kinds = { major = "metropolis"', "[odds] ground kinds: 'metropolis' is no kind of terrain"),
    ('low = "flat"', 'low = "flat"\ntargets = 2', '[odds] targets: 2 is not allowed where ground shifts the column'),
    ('die = "Combat"\nattack', 'die = "Lend Lease"\nattack', "[odds] die: 'Lend Lease' is not allowed; letters, digits and _"),
]


@pytest.mark.parametrize(("good", "bad", "told"), FAULTS, ids=[told.partition(":")[0] for _, _, told in FAULTS])
def test_what_is_wrong_with_the_section_is_told(tmp_path: Path, good: str, bad: str, told: str) -> None:
    text = (data_root() / PLAYED / "module.toml").read_text("utf-8")
    assert text.count(good) == 1
    path = tmp_path / "module.toml"
    path.write_text(text.replace(good, bad), "utf-8")
    with pytest.raises(LayoutErrors) as caught:
        read_layout(path, load_box(PLAYED))
    assert told in str(caught.value)
