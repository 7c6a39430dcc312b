"""Odds help where ground shifts the column and attacks are announced together: a thousand combats, in phases of one to four, worked out
a second time here from the tables by the rules' own words."""

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

PLAYED = "great-patriotic-war"
COMBATS = 1000
GROUND = ("INF", "GDS", "SHK", "PZ", "TK", "MECH", "CAV", "MTN", "GAR", "AB")
CAPITALS = {"axis": "B1922", "soviet": "A0720"}
SIDES = ("axis", "soviet")


@pytest.fixture(scope="module")
def built(builder: Builder) -> Built:
    return builder(PLAYED)


@dataclass
class Combat:
    """One attack of a phase: its hex, its attackers, the die."""

    target: str
    die: int
    attackers: list[str] = field(default_factory=list)
    late: str = ""
    """An attacker who is declared after all others, and the target then once more."""


@dataclass
class Phase:
    """What lies where in the combat phase of a side; which lie reduced, which are out of supply, what flies; leaders, shock attacks."""

    side: str
    turn: int
    combats: list[Combat] = field(default_factory=list)
    places: dict[str, str] = field(default_factory=dict)
    reduced: set[str] = field(default_factory=set)
    unsupplied: dict[str, str] = field(default_factory=dict)
    flies: dict[str, str] = field(default_factory=dict)
    leaders: dict[str, bool] = field(default_factory=dict)
    """Leader -> whether he is cut off."""
    shock: set[str] = field(default_factory=set)
    targets_first: bool = False
    order: list[int] = field(default_factory=list)
    """The numbers of the combats as they are resolved."""


def phases(box: Box, number: int = COMBATS, seed: int = 1941) -> Iterator[Phase]:
    """Random phases with so many combats in all; what is near to each other attacks near to each other."""
    luck = random.Random(seed)
    assert box.grid is not None
    grid = hexes(box.grid)
    land = sorted(r.key for r in box["hexes"] if r.int("playable") and r.text("terrain") not in ("sea", "lake"))
    special = sorted({r.text("hex") for r in box["features"]} | {r.key for r in box["cities"]})
    wet = sorted({r.text(c) for r in box["hexsides"] if r.text("feature") == "river" for c in ("hex_a", "hex_b")} & set(land))
    seam = sorted(h for h in land if len({n[0] for n in grid.neighbours(h)} | {h[0]}) > 1)
    strait = {r.text(c) for r in box["hexsides"] if r.text("feature") == "strait" for c in ("hex_a", "hex_b")}
    ground = {s: [p for p in box.pieces if p.side == s and p.row.text("kind") in GROUND] for s in SIDES}
    air = {s: [p for p in box.pieces if p.side == s and p.row.text("kind") in ("BOM", "FB")] for s in SIDES}
    chiefs = {s: [p for p in box.pieces if p.side == s and p.row.text("kind") == "LDR"] for s in SIDES}
    guns = [p.id for p in box.pieces if p.id.startswith("su-art-")]
    usable = set(land) | strait
    while number > 0:
        side, other = luck.choice((SIDES, SIDES[::-1]))
        phase = Phase(side, luck.randint(1, 32), targets_first=luck.random() < 0.5)
        pool = {s: [p for p in luck.sample(ground[s], 40) if p.id not in guns] for s in ground}
        first = luck.choice(luck.choice((land, special, wet, seam, sorted(strait))))
        free = {h for h in usable if grid.distance(h, first) <= 5}
        wanted, target = luck.randint(1, 4), first
        for _ in range(wanted):
            free.discard(target)
            combat = Combat(target, luck.randint(1, 6))
            beside = sorted(set(grid.neighbours(target)) & free)
            for hex_ in luck.sample(beside, min(len(beside), luck.randint(1, 5))):
                piece = pool[side].pop()
                place(phase, piece, hex_, luck)
                combat.attackers.append(piece.id)
                free.discard(hex_)
                if {hex_, target} <= strait and luck.random() < 0.6:
                    second = pool[side].pop()
                    place(phase, second, hex_, luck)
                    combat.attackers.append(second.id)
            if combat.attackers:
                place(phase, pool[other].pop(), target, luck)
                left = [gun for gun in guns if gun not in phase.places]
                if side == "soviet" and luck.random() < 0.2 and left:
                    phase.places[left[0]] = phase.places[combat.attackers[0]]
                    combat.attackers.append(left[0])
                if len(combat.attackers) > 1 and luck.random() < 0.2:
                    combat.late = luck.choice(combat.attackers)
                phase.combats.append(combat)
                _fly(phase, target, (side, other), air, luck)
            if not free:
                break
            target = luck.choice(sorted(h for h in free if grid.distance(h, first) <= 3) or sorted(free))
        if free:
            place(phase, pool[side].pop(), luck.choice(sorted(free)), luck)  # takes no part
        for leader in luck.sample(chiefs[side], luck.randint(0, 2)) + luck.sample(chiefs[other], luck.randint(0, 1)):
            near = sorted(h for h in usable if grid.distance(h, first) <= 4)
            phase.places[leader.id] = luck.choice((*near, CAPITALS[leader.side]))
            phase.leaders[leader.id] = luck.random() < 0.15
        phase.shock = {s for s in SIDES if luck.random() < 0.3}
        if phase.combats:
            phase.order = luck.sample(range(len(phase.combats)), len(phase.combats))
            number -= len(phase.combats)
            yield phase


def _fly(phase: Phase, target: str, sides: tuple[str, str], air: dict[str, list[Piece]], luck: random.Random) -> None:
    side, other = sides
    for whose, mission in ((side, "offensive support"), (other, "defensive support"), (side, "interception")):
        if luck.random() < 0.25 and (left := [p for p in air[whose] if p.id not in phase.flies]):
            plane = luck.choice(left)
            phase.flies[plane.id] = mission
            phase.places[plane.id] = target


def place(phase: Phase, piece: Piece, hex_: str, luck: random.Random) -> None:
    phase.places[piece.id] = hex_
    if piece.row.int("steps") == 2 and luck.random() < 0.3:
        phase.reduced.add(piece.id)
    if luck.random() < 0.15:
        phase.unsupplied[piece.id] = luck.choice(("out of supply", "isolated"))


@dataclass(frozen=True)
class Reckoning:
    """A combat worked out by hand: attack, defence, the shifts together, the column from 1 (1:1) on, 0 for no attack; the leader's part."""

    attack: Fraction
    defence: int
    left: int
    column: int
    led: int


def reckon(box: Box, phase: Phase, combat: Combat) -> Reckoning:
    """7.2 and 7.3: halve, sum, divide and drop the fraction; add all shifts; cut at 6:1; below 1:1 is no attack. 12.1: a leader who has
    every attacker in his radius; 13.2.H: two columns of him in a shock attack."""
    rows = {p.id: p.row for p in box.pieces}
    sides: dict[frozenset[str], set[str]] = {}
    for row in box["hexsides"]:
        sides.setdefault(frozenset((row.text("hex_a"), row.text("hex_b"))), set()).add(row.text("feature"))
    season = box["turns"][str(phase.turn)].text("weather")
    attack = Fraction(0)
    over = []
    for unit in combat.attackers:
        crossed = sides.get(frozenset((phase.places[unit], combat.target)), set())
        over.append(bool(crossed & {"river", "strait"}))
        factor = Fraction(rows[unit].int("reduced_attack" if unit in phase.reduced else "attack"))
        factor /= (2 if season == "mud" else 1) * (2 if unit in phase.unsupplied else 1)
        attack += Fraction(factor / 2).__floor__() if "strait" in crossed else factor
    (defender,) = (u for u, h in phase.places.items() if h == combat.target and u not in phase.flies and u not in phase.leaders)
    defence = rows[defender].int("reduced_defense" if defender in phase.reduced else "defense")
    terrain = {r.key: r.int("shift_left", 0) for r in box["terrain"]}
    left = terrain[box["hexes"][combat.target].text("terrain")]
    if combat.target in box["cities"].by_key:
        left += terrain[box["cities"][combat.target].text("class") + "_city"]
    left += sum(terrain[r.text("feature")] for r in box["features"] if r.text("hex") == combat.target)
    left += all(over)
    left += season == "snow"
    left += phase.side == "axis" and phase.turn in (5, 6)
    left -= any(u.startswith("su-art-") for u in combat.attackers)
    for plane, mission in phase.flies.items():
        if phase.places[plane] == combat.target:
            left += {"offensive support": -1, "defensive support": 1}.get(mission, 0) * rows[plane].int("shift")
    ranks = {leads(box, phase, combat, who) for who in phase.leaders}
    led = (2 if phase.side in phase.shock else 1) if "in reach" in ranks else 1 if "rides" in ranks else 0
    left -= led
    left += phase.side == "soviet" and phase.places.get("g-guderian") == combat.target
    column = (attack / defence).__floor__() - left
    return Reckoning(attack, defence, left, 0 if attack == 0 else max(0, min(column, 6)), led)


def leads(box: Box, phase: Phase, combat: Combat, who: str) -> str:
    """R-P135 to R-P138: a leader of the attackers' side outside his capital, not cut off, with every attacker in his radius. 23.5.3.9:
    Dietrich only with an SS unit. 23.5.3.8 with R-P251: Guderian has no radius, but rides with one of them."""
    assert box.grid is not None
    grid, row = hexes(box.grid), next(p.row for p in box.pieces if p.id == who)
    here = phase.places[who]
    if row.text("side") != phase.side or phase.leaders[who] or here == CAPITALS[phase.side]:
        return ""
    if who == "g-guderian":
        return "rides" if here in {phase.places[unit] for unit in combat.attackers} else ""
    if who == "g-dietrich" and not any("SS" in unit_name(box, unit) for unit in combat.attackers):
        return ""
    return "in reach" if all(grid.distance(here, phase.places[unit]) <= row.int("radius") for unit in combat.attackers) else ""


def unit_name(box: Box, unit: str) -> str:
    return next(p.name for p in box.pieces if p.id == unit)


Palette = tuple[dict[str, Any], dict[str, Any]]


@pytest.fixture(scope="module")
def palette(built: Built) -> Palette:
    return slots(built.module, names.UNIT), slots(built.module, names.MARKER_ID)


def lay(built: Built, palette: Palette, phase: Phase) -> tuple[Table, dict[str, Counter]]:
    """A phase laid out, and its attacks announced: attackers selected together and the target, or the target and then its attackers."""
    assert built.box.grid is not None
    grid = hexes(built.box.grid)

    def apart(a: Counter, b: Counter) -> int:
        return grid.distance(a.place, b.place) if a.place in grid and b.place in grid else 99

    table = Table(built.module, properties={names.TURN: str(phase.turn)}, apart=apart)
    units, on = {}, built.layout.board.map
    for unit, hex_ in phase.places.items():
        held = {f"{names.FACE}_Level": "2"} if unit in phase.reduced else {}
        held |= {"Supply": phase.unsupplied[unit]} if unit in phase.unsupplied else {}
        held |= {"Mission": phase.flies[unit]} if unit in phase.flies else {}
        held |= {"Command": "cut off"} if phase.leaders.get(unit) else {}
        units[unit] = table.put(palette[0][unit], hex_, map_name=on, zone=f"Map {hex_[0]}", **held)
    for side in SIDES:
        held = {f"{names.FACE}_Level": "2"} if side in phase.shock else {}
        table.put(palette[1][f"shock-{side}"], "Shock Attacks", map_name=on, **held)

    def declare(combat: Combat, who: list[str]) -> None:
        attackers = (names.KEYS["attack"], [units[u] for u in who])
        target = (names.KEYS["target"], [units[defender(phase, combat)]])
        for pressed, pieces in (target, attackers) if phase.targets_first else (attackers, target):
            table.key(pressed, pieces)

    for combat in phase.combats:
        declare(combat, [u for u in combat.attackers if u != combat.late])
    for combat in phase.combats:
        if combat.late:
            declare(combat, [combat.late])
    return table, units


def defender(phase: Phase, combat: Combat) -> str:
    return next(u for u, h in phase.places.items() if h == combat.target and u not in phase.flies and u not in phase.leaders)


def named(expected: Reckoning) -> str:
    return f"{expected.column}:1" if expected.column else "below 1:1"


@pytest.mark.rule("gpw", "7.1.B")
@pytest.mark.rule("gpw", "12.1.B")
@pytest.mark.rule("gpw", "13.2.H")
def test_a_thousand_combats_announced_together_come_out_as_the_tables_have_them(built: Built, palette: Palette) -> None:
    chart = {(r.text("odds"), r.int("die")): r.text("result") for r in built.box["crt"]}
    seen: set[str] = set()
    count = 0
    for phase in phases(built.box):
        expected = {c.target: reckon(built.box, phase, c) for c in phase.combats}
        table, units = lay(built, palette, phase)
        before = len(table.chat)
        table.button("Odds")
        said = table.chat[before:]
        assert len(said) == len(phase.combats), said
        for number, (combat, line) in enumerate(zip(phase.combats, said, strict=True), 1):
            start = f"** Odds {number} of {len(said)}: " if len(said) > 1 else "** Odds: "
            assert line.startswith(start) and f" on {combat.target} with " in line, (line, phase)
            assert f"; column {named(expected[combat.target])}." in line, (line, combat, phase)
        waiting = [c.target for c in phase.combats]
        for number in phase.order:
            combat = phase.combats[number]
            table.dice = [combat.die]
            if combat.target == waiting[0]:
                table.button("Resolve")
            else:
                table.key(names.KEYS["resolve"], [units[defender(phase, combat)]])
            waiting.remove(combat.target)
            told, due = tabletalk.decode(table.text("Talk")), expected[combat.target]
            outcome = chart[named(due), combat.die] if due.column else "no attack"
            assert told.fields[:3] == (outcome, named(due), str(combat.die)), (combat, phase, due, told)
            assert (Fraction(told.fields[3]), int(told.fields[4])) == (due.attack, due.defence), (combat, phase, due, told)
            assert told.fields[5] == f";{combat.target};"
            declared = {u: units[u].text(names.DECLARED) for u in units}
            for other in phase.combats:
                mark = names.ATTACKS if other.target in waiting else names.FOUGHT
                assert {declared[u] for u in other.attackers} == {mark}, (other, phase)
            assert table.text("OddsTargets") == "".join((";", *(f"{h};" for h in waiting)))
            seen |= {named(due), "fraction" if due.attack.denominator > 1 else "whole", f"{due.left} left", f"led {due.led}"}
            count += 1
        seen |= {f"{len(phase.combats)} attacks"}
    assert count >= COMBATS
    assert {"below 1:1", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1", "fraction", "-2 left", "-1 left", "4 left"} <= seen
    assert {"led 0", "led 1", "led 2", "1 attacks", "2 attacks", "3 attacks", "4 attacks"} <= seen


def small(built: Built, *, targets_first: bool = False) -> Phase:
    """Two attacks side by side on clear ground: two corps on one army, one corps on another."""
    places = {"g-1-inf": "A0304", "g-2-inf": "A0305", "su-3-inf": "A0404", "g-4-inf": "A0504", "su-4-inf": "A0604"}
    combats = [Combat("A0404", 1, ["g-1-inf", "g-2-inf"]), Combat("A0604", 1, ["g-4-inf"])]
    return Phase("axis", 1, combats, places, targets_first=targets_first)


@pytest.mark.parametrize("targets_first", [False, True])
def test_attacks_that_are_announced_keep_their_own_attackers(built: Built, palette: Palette, targets_first: bool) -> None:
    table, _ = lay(built, palette, small(built, targets_first=targets_first))
    assert table.text("OddsAgainst") == ";1=A0404;2=A0604;" and table.text("OddsTargets") == ";A0404;A0604;"
    assert [u.text("OddsGroup") for u in table.pieces[:5]] == ["1", "1", "0", "2", "0"]


def test_an_attack_takes_three_clicks_with_its_die(built: Built, palette: Palette) -> None:
    phase = small(built)
    table, units = lay(built, palette, Phase("axis", 1, [], phase.places))
    table.dice = [3]
    table.key(names.KEYS["attack"], [units["g-1-inf"], units["g-2-inf"]])
    table.key(names.KEYS["target"], [units["su-3-inf"]])
    before = len(table.chat)
    table.button("Resolve")
    assert table.dice == [] and table.chat[before:] == ["** Combat at A0404: column 2:1, die 3: EX"]


def test_whoever_attacks_without_a_target_is_told_of_and_joins_when_it_is_declared_again(built: Built, palette: Palette) -> None:
    phase = small(built)
    table, units = lay(built, palette, phase)
    late = table.put(palette[0]["g-5-inf"], "A0303", map_name=built.layout.board.map, zone="Map A")
    table.key(names.KEYS["attack"], [late])
    table.button("Odds")
    assert table.chat[-1] == "** Odds: 1 declared to attack, without a target: declare their target (Ctrl+T), again if it is one already"
    table.key(names.KEYS["target"], [units["su-3-inf"]])
    table.button("Odds")
    assert " 24 to 8, 3:1: attack 24 on A0404 with 8" in table.chat[-2] and " on A0604 with 8; column 1:1." in table.chat[-1]


def test_a_target_that_is_taken_back_leaves_its_attackers_for_another(built: Built, palette: Palette) -> None:
    phase = small(built)
    table, units = lay(built, palette, Phase("axis", 1, [phase.combats[0]], phase.places))
    table.key(names.KEYS["clear"], [units["su-3-inf"]])
    assert table.text("OddsTargets") == ";" == table.text("OddsAgainst")
    table.key(names.KEYS["target"], [units["su-4-inf"]])
    assert table.text("OddsAgainst") == ";1=A0604;"
    table.button("Odds")
    assert " attack 16 on A0604 with 8" in table.chat[-1]


def test_whoever_is_not_beside_the_last_target_begins_an_attack_of_his_own(built: Built, palette: Palette) -> None:
    phase = small(built)
    table, units = lay(built, palette, Phase("axis", 1, [], phase.places))
    for key, unit in (("target", "su-4-inf"), ("attack", "g-4-inf"), ("attack", "g-1-inf"), ("target", "su-3-inf")):
        table.key(names.KEYS[key], [units[unit]])
    assert table.text("OddsAgainst") == ";1=A0604;2=A0404;"
    assert [units[u].text("OddsGroup") for u in ("g-4-inf", "g-1-inf")] == ["1", "2"]


def test_the_next_phase_forgets_what_was_announced(built: Built, palette: Palette) -> None:
    for key in ("clearAll", "clearDeclAll"):
        table, _ = lay(built, palette, small(built))
        table.button("Column +1")
        table.press(key)
        assert [table.text(f"Odds{n}") for n in ("Targets", "Against", "Number", "Began", "Override")] == [";", ";", "0", "", "0"]
    table, units = lay(built, palette, small(built))
    table.dice = [1, 1]
    table.button("Resolve")
    table.key(names.KEYS["attack"], [units["g-2-inf"]])
    assert units["g-2-inf"].text("OddsGroup") == "3", "what comes after a combat is no part of it"


def test_the_count_says_every_shift_by_its_name(built: Built, palette: Palette) -> None:
    """Two shifts to the left: the forest, and a river that all attackers attack over; a third for snow on turn 5; a leader."""
    box = built.box
    rivers = [(r.text("hex_a"), r.text("hex_b")) for r in box["hexsides"] if r.text("feature") == "river"]
    woods = {r.key for r in box["hexes"] if r.text("terrain") == "forest"} - set(box["cities"].by_key)
    target, beyond = next((a, b) for a, b in rivers if a in woods)
    units = [p.id for p in box.pieces if p.side == "soviet" and p.row.text("kind") == "INF"]
    enemy = next(p.id for p in box.pieces if p.side == "axis" and p.row.text("kind") == "INF")
    places = {u: beyond for u in units[:5]} | {enemy: target, "su-zhukov": beyond}
    phase = Phase("soviet", 5, [Combat(target, 2, units[:5])], places, leaders={"su-zhukov": False})
    for shock, words in ((set(), ", 1 right for a leader;"), ({"soviet"}, ", 2 right for a leader in a shock attack;")):
        phase.shock = shock
        table, _ = lay(built, palette, phase)
        table.button("Odds")
        line = table.chat[-1]
        assert "and 2 left for forest + river or strait" in line and ", 1 left for snow" in line and words in line
        assert f"column {named(reckon(box, phase, phase.combats[0]))}." in line
        assert table.changes and line.count("=") == 0


def test_each_unit_over_the_strait_drops_its_own_fraction(built: Built, palette: Palette) -> None:
    """In mud a corps of 6 and a division of 2 over the strait are 1 and 0, not 2 together."""
    places = {"g-6-inf": "A2714", "g-blue-inf": "A2714", "su-3-inf": "A2715"}
    for turn, who, attack in ((1, ["g-6-inf", "g-blue-inf"], "4"), (4, ["g-6-inf", "g-blue-inf"], "1"), (4, ["g-blue-inf"], "0")):
        phase = Phase("axis", turn, [Combat("A2715", 1, who)], places)
        table, _ = lay(built, palette, phase)
        table.button("Odds")
        assert f": {attack} to 8, " in table.chat[-1] and "halved: over the strait" in table.chat[-1], table.chat


@pytest.mark.rule("gpw", "23.5.3.8.A")
@pytest.mark.rule("gpw", "23.5.3.8.B")
@pytest.mark.rule("gpw", "23.5.3.9.C")
def test_leaders_of_variants_lead_as_their_variants_have_it(built: Built, palette: Palette) -> None:
    """Guderian rides with one of the attackers, and in defence; Dietrich leads no attack without an SS unit."""
    box, said = built.box, {}
    for case, who, where, shock in (
        ("rides", "g-guderian", "A0304", {"axis"}),
        ("rides elsewhere", "g-guderian", "A0303", set()),
        ("no SS unit", "g-dietrich", "A0304", set()),
        ("both, one counts", "g-guderian", "A0304", set()),
    ):
        phase = small(built)
        phase.shock, phase.places, phase.leaders = shock, phase.places | {who: where}, {who: False}
        if case == "both, one counts":
            phase.places, phase.leaders = phase.places | {"g-bock": "A0304"}, phase.leaders | {"g-bock": False}
        table, _ = lay(built, palette, phase)
        table.button("Odds")
        said[case] = table.chat[-2]
        assert f"column {named(reckon(box, phase, phase.combats[0]))}." in table.chat[-2], case
    assert ", 1 right for a leader;" in said["rides"] and ", 1 right for a leader;" in said["both, one counts"]
    assert "for a leader" not in said["rides elsewhere"] + said["no SS unit"]
    places = {"g-2ss-pz": "A0304", "g-dietrich": "A0304", "su-3-inf": "A0404"}
    table, _ = lay(built, palette, Phase("axis", 1, [Combat("A0404", 1, ["g-2ss-pz"])], places, leaders={"g-dietrich": False}))
    table.button("Odds")
    assert ", 1 right for a leader;" in table.chat[-1]
    places = {"g-2-inf": "A0404", "g-guderian": "A0404", "su-3-inf": "A0304"}
    table, _ = lay(built, palette, Phase("soviet", 1, [Combat("A0404", 1, ["su-3-inf"])], places, leaders={"g-guderian": False}))
    table.button("Odds")
    assert ", 1 left for Guderian in defence;" in table.chat[-1]


def test_what_it_takes_for_granted_is_said_once_and_the_rest_is_moved_by_hand(built: Built, palette: Palette) -> None:
    table, units = lay(built, palette, small(built))
    table.button("Column +1")
    table.button("Odds")
    first, second = table.chat[-2:]
    assert first.endswith("; column moved by 1 by hand; column 3:1.") and "by hand; column" not in second, "the next one alone is moved"
    assert "Assumed" not in first and "leaders and artillery" in second and "rail line" in second
    table.dice = [2]
    table.key(names.KEYS["resolve"], [units["su-4-inf"]])
    assert table.chat[-1].startswith("** Combat at A0604: column 2:1") and table.text("OddsOverride") == "0"


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
    ('low = "flat"', 'low = "flat"\ntargets = 3', '[odds] targets: 3 is not allowed where attacks are announced together'),
    ('axis = "shock-axis/running"', 'axis = "shock-axis/ended"', "[odds.lead] boosts: 'shock-axis/ended' is no marker of this file"),
    ('idle = { axis = "B1922"', 'idle = { axis = "B9999"', "[odds.lead] idle: 'B9999' is no hex of the game"),
    ('radius = "radius"\nvalue', 'radius = "move"\nvalue', "[odds.lead] radius: 'move' of g-bock is no number"),
    ('rides = { piece = "g-guderian" }', 'rides = { piece = "g-guder" }', "[odds.lead] rides: no piece passes"),
    ('attackers = { title = "* SS *" }', 'attackers = { titel = "* SS *" }', "[odds.lead] needs attackers: 'titel' is no column of pieces"),
    ('lies = { piece = "g-guderian" }', 'lies = { pieces = "g-guderian" }', "[[odds.shift]] lies: 'pieces' is no column of pieces"),
    (
        'whose = "defender"\nword = "Gud',
        'sum = "shift"\nwhose = "defender"\nword = "Gud',
        "[[odds.shift]] 'Guderian in defence': sum and lies",
    ),
    (
        'words = ["cut off"]\nrides',
        'words = ["lost"]\nrides',
        "[odds.lead] words of Command: 'lost' is no word of the state",
    ),
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
