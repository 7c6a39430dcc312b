"""Odds help where the strength of each side chooses its column: a thousand combats, worked out a second time here from the tables."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from gamebox import tabletalk
from gamebox.load import data_root, load_box
from gamebox.model import Box
from modgen.layout.layout import read_layout
from modgen.layout.places import zone_name
from modgen.layout.reading import LayoutErrors
from modgen.vassal import names
from modgen.vassal.places import find
from tests.modgen.client import Counter, Table, slots

from .conftest import Builder, Built

PLAYED = "overlord-to-berlin"
COMBATS = 1000


@pytest.fixture(scope="module")
def built(builder: Builder) -> Built:
    return builder(PLAYED)


@pytest.fixture(scope="module")
def palette(built: Built) -> dict[str, Any]:
    return slots(built.module, names.UNIT)


@dataclass
class Combat:
    """The formations of a zone by role, the units in their boxes, who is reduced or out of supply, what is moved by hand, the dice."""

    zone: str
    attackers: list[str]
    defenders: list[str]
    others: list[str]
    holds: dict[str, list[str]]
    dice: tuple[int, int]
    reduced: set[str] = field(default_factory=set)
    unsupplied: set[str] = field(default_factory=set)
    hand: dict[str, int] = field(default_factory=dict)


def combats(box: Box, number: int = COMBATS, seed: int = 1944) -> Iterator[Combat]:
    """Random combats in one zone: an attacker with up to two supporters, up to two defenders, a formation that takes no part."""
    luck = random.Random(seed)
    formations = {s: [r for r in box["formations"] if r.text("side") == s] for s in ("axis", "west", "soviet")}
    units = {s: [r.key for r in box["units"] if r.text("side") == s] for s in formations}
    special = [r.key for r in box["zones"] if r.text("terrain") != "clear" or r.int("vaterland")] + ["21", "22"]
    zones = [r.key for r in box["zones"]]
    for _ in range(number):
        side, other = luck.choice((("west", "axis"), ("soviet", "axis"), ("axis", "west"), ("axis", "soviet")))
        mine = luck.sample(formations[side], luck.randint(1, 3) + 1)
        theirs = luck.sample(formations[other], luck.randint(1, 2))
        pool = {s: luck.sample(units[s], len(units[s])) for s in (side, other)}
        holds = {}
        for row in (*mine, *theirs):
            whose = row.text("side")
            holds[row.key] = [pool[whose].pop() for _ in range(min(luck.randint(0, row.int("capacity")), len(pool[whose])))]
        combat = Combat(
            luck.choice(luck.choice((zones, special))),
            [r.key for r in mine[:-1]],
            [r.key for r in theirs],
            [mine[-1].key],
            holds,
            (luck.randint(1, 6), luck.randint(1, 6)),
        )
        combat.reduced = {u for held in holds.values() for u in held if luck.random() < 0.4}
        combat.unsupplied = {f for f in holds if luck.random() < 0.2}
        if luck.random() < 0.3:
            combat.hand = {luck.choice(("Attack column", "Defence column", "Attack die", "Defence die")): luck.choice((-1, 1, 2))}
        yield combat


@dataclass(frozen=True)
class Side:
    """What a side has: strength, the number of its column from 0 (-1 for none), what its die counts, what the other side loses."""

    strength: int
    column: int
    die: int
    inflicts: int


def reckon(box: Box, combat: Combat) -> tuple[Side, Side]:
    """10.2: sum, column, die; 6.3 and 10.1 halve each formation by itself; 10.9 to 10.13 move the die and the attacker's column."""
    worth = {r.key: (r.int("full"), r.int("reduced"), r.int("elite")) for r in box["units"]}
    zone = box["zones"][combat.zone]
    side = {r.key: r.text("side") for r in box["formations"]}

    def strength(formation: str, supports: bool) -> int:
        total = sum(worth[u][u in combat.reduced] for u in combat.holds[formation])
        total = total // 2 if formation in combat.unsupplied else total
        return total // 2 if supports else total

    moved = 0
    by_hand = combat.hand
    if zone.text("terrain") in ("difficult", "alps") or (side[combat.defenders[0]] == "axis" and zone.int("vaterland")):
        moved -= 1
    if combat.zone in ("21", "22") and side[combat.attackers[0]] != "axis":
        moved += 1
    elites = {f: any(worth[u][2] for u in combat.holds[f]) for f in combat.holds}
    out = []
    for word, members, thrown, elite, shift in (
        ("Attack", combat.attackers, combat.dice[0], elites[combat.attackers[0]], moved),
        ("Defence", combat.defenders, combat.dice[1], any(elites[f] for f in combat.defenders), 0),
    ):
        total = sum(strength(f, word == "Attack" and n > 0) for n, f in enumerate(members))
        column = -1
        for number, row in enumerate(box["crt_columns"]):
            if total >= row.int("low"):
                column = number
        if total >= 1:
            column = max(0, min(7, column + shift + by_hand.get(f"{word} column", 0)))
        die = thrown + elite + by_hand.get(f"{word} die", 0)
        counted = max(0, min(10, die))
        losses = {(r.int("die"), r.int("column")): r.int("losses") for r in box["crt"]}
        out.append(Side(total, column if total else -1, die, losses[counted, column + 1] if total else 0))
    return out[0], out[1]


def lay(built: Built, palette: dict[str, Any], combat: Combat) -> tuple[Table, dict[str, Counter]]:
    """A combat laid out and declared: the attacker, then those that support it, then all defenders at once."""
    box, layout = built.box, built.layout
    table = Table(built.module, list(combat.dice))
    place = zone_name(layout.board, box, combat.zone)
    pieces = {}
    for formation, held in combat.holds.items():
        state = {"Supply": "is out of supply"} if formation in combat.unsupplied else {}
        pieces[formation] = table.put(palette[formation], place, map_name=layout.board.map, zone=place, **state)
        at = find(layout, box, formation)
        for unit in held:
            face = {f"{names.FACE}_Level": "2"} if unit in combat.reduced else {}
            pieces[unit] = table.put(palette[unit], at.name, map_name=at.map, **face)
    table.key(names.KEYS["attack"], [pieces[combat.attackers[0]]])
    table.key(names.KEYS["attack"], [pieces[f] for f in reversed(combat.attackers[1:])])
    table.key(names.KEYS["target"], [pieces[f] for f in combat.defenders])
    for text, times in combat.hand.items():
        for _ in range(abs(times)):
            table.button(f"{text} {'+1' if times > 0 else '-1'}")
    return table, pieces


def test_a_thousand_combats_come_out_as_the_tables_have_them(built: Built, palette: dict[str, Any]) -> None:
    named = [r.text("strength") for r in built.box["crt_columns"]] + ["none"]
    seen: set[str] = set()
    for combat in combats(built.box):
        attack, defence = reckon(built.box, combat)
        table, _ = lay(built, palette, combat)
        table.button("Resolve")
        told = tabletalk.decode(table.text("Talk"))
        assert told.fields[3:5] == (str(attack.strength), str(defence.strength)), (combat, attack, defence, told)
        assert told.fields[1] == f"{named[attack.column]} v {named[defence.column]}", (combat, attack, defence, told)
        assert told.fields[2] == f"{combat.dice[0]} v {combat.dice[1]}"
        losses = f"attack loses {defence.inflicts}, defence loses {attack.inflicts}"
        assert told.field("result") == losses, (combat, attack, defence, told)
        assert table.chat[-1].endswith(f": {losses}")
        assert [int(n) for n in re.findall(r"\((\d+)[) ]", table.chat[-1])] == [attack.die, defence.die]
        seen |= {named[attack.column], named[defence.column], f"{attack.die}", f"{attack.inflicts} lost"}
    assert {*named, "1", "7", "8", "0 lost", "4 lost"} <= seen


def test_the_count_tells_what_a_declared_combat_shows_and_no_more(built: Built, palette: dict[str, Any]) -> None:
    """The sums of both sides, the columns, an elite yes or no: no name of a unit, no strength of a single formation."""
    large = (c for c in combats(built.box) if len(c.attackers) == 3 and len(c.defenders) == 2)
    combat = next(c for c in large if reckon(built.box, c)[0].strength > 12)
    combat.hand = {}
    attack, defence = reckon(built.box, combat)
    table, pieces = lay(built, palette, combat)
    table.button("Odds")
    line = table.chat[-1]
    place = zone_name(built.layout.board, built.box, combat.zone)
    assert line.startswith(f"** Odds in {place}: attack {attack.strength}, column ") and f"; defence {defence.strength}, column " in line
    for held in combat.holds.values():
        for unit in held:
            assert pieces[unit].piece.name not in line and unit not in line
    alone = {str(value) for f in combat.attackers if (value := int(pieces[f].text("Strength"))) not in (attack.strength, defence.strength)}
    held_by_module = {name: value for name, value in table.properties.items() if name.startswith("Odds") and value in alone}
    assert {n for n in held_by_module if not n.startswith(("OddsColumn", "OddsAnswer", "OddsBonus", "OddsZones"))} == set()


def test_nothing_is_told_of_the_other_side_before_a_combat_is_declared(built: Built, palette: dict[str, Any]) -> None:
    """Without an attacker in the zone the count says nothing: a target alone would be a way to ask how strong it is."""
    combat = next(combats(built.box))
    table, pieces = lay(built, palette, combat)
    table.press("clearAll")
    table.key(names.KEYS["target"], [pieces[f] for f in combat.defenders])
    table.button("Odds")
    assert "declare the attacker" in table.chat[-1] and not any(c.isdigit() for c in table.chat[-1])
    # The log and the save keep every figure, said or not.
    figures = ("OddsAttack", "OddsDefence", "OddsBonusAttack", "OddsBonusDefence")
    assert [table.text(name) for name in figures] == ["0"] * 4
    table.dice, talked = [1, 1], table.text("Talk")
    table.button("Resolve")
    assert [table.text(name) for name in figures] == ["0"] * 4
    assert (table.dice, table.text("Talk")) == ([1, 1], talked), "nothing is thrown, nothing noted"
    assert pieces[combat.defenders[0]].text(names.DECLARED) == names.ATTACKED, "what is declared stays so"
    table.key(names.KEYS["target"], [pieces[f] for f in combat.defenders])
    # An attacker elsewhere is none here.
    pieces[combat.attackers[0]].place = "somewhere else"
    table.key(names.KEYS["attack"], [pieces[combat.attackers[0]]])
    table.button("Odds")
    assert "declare the attacker" in table.chat[-1]


def seat_of(built: Built, piece: str) -> str:
    """The first seat of a formation's side."""
    of = {"axis": "Axis", "west": "Western Allied", "soviet": "Soviet"}
    return of[next(p.side for p in built.box.pieces if p.id == piece)]


def test_a_sham_declaration_learns_nothing(built: Built, palette: dict[str, Any]) -> None:
    """Whoever wants to know how strong the others are can neither declare their attack nor answer for them: their side must."""
    told = 0
    for combat in combats(built.box, 60, seed=7):
        mine, theirs = combat.attackers[0], combat.defenders
        table, pieces = lay(built, palette, combat)
        table.press("clearAll")
        figures = {n for n in table.properties if n.startswith(("OddsAttack", "OddsDefence", "OddsBonus", "OddsColumn", "OddsAnswer"))}
        assert len(figures) == 6
        table.seat = seat_of(built, mine)
        begun = len(table.changes)
        # Their formations as attackers, mine as those attacked; then mine attack, and theirs are said to be attacked.
        for attacks, attacked in ((theirs, [mine]), ([mine], theirs)):
            table.key(names.KEYS["attack"], [pieces[f] for f in attacks])
            table.key(names.KEYS["target"], [pieces[f] for f in attacked])
            for button in ("Odds", "Resolve"):
                table.button(button)
                assert not any(c.isdigit() for c in table.chat[-1]), table.chat[-1]
            if attacks == theirs:
                table.press("clearAll")
        assert not figures.intersection(name for name, _, _ in table.changes[begun:]), "the log keeps no figure of theirs"
        assert "has to answer first (Ctrl+T" in table.chat[-1]
        # One of several answers: still nothing. All do: now both sides hear both strengths.
        table.seat = seat_of(built, theirs[0])
        for n, formation in enumerate(theirs):
            table.button("Odds")
            assert "has to answer" in table.chat[-1], (n, table.chat[-1])
            table.key(names.KEYS["target"], [pieces[formation]])
            assert table.chat[-1].endswith(f"{pieces[formation].piece.name} is attacked, and its side answers")
            assert tabletalk.decode(table.text("Talk")).verb == "ANS"
            assert pieces[formation].text(names.ANSWERED) == names.ANSWER
        table.seat = seat_of(built, mine)
        table.button("Odds")
        defence = sum(int(pieces[f].text("OddsCounts")) for f in theirs)
        assert f"; defence {defence}, column" in table.chat[-1]
        told += 1
        # The answer was for this combat: another declaration of the same target asks anew.
        table.key(names.KEYS["target"], [pieces[theirs[0]]])
        table.button("Odds")
        assert "has to answer" in table.chat[-1] and table.text("OddsDefence") == "0"
    assert told == 60


def test_defenders_that_nobody_declared_are_told_of(built: Built, palette: dict[str, Any]) -> None:
    """Whoever attacks, attacks all of them; the count must not pass over those that were forgotten (10.1)."""
    combat = next(c for c in combats(built.box, seed=11) if len(c.defenders) == 2)
    table, pieces = lay(built, palette, combat)
    table.button("Odds")
    assert "more there that nobody" not in table.chat[-1]
    table.key(names.KEYS["clear"], [pieces[combat.defenders[1]]])
    table.button("Odds")
    assert ", without 1 more there that nobody has declared a target. Assumed" in table.chat[-1]


def test_declarations_are_taken_back_in_words_when_there_are_any(built: Built, palette: dict[str, Any]) -> None:
    table, _ = lay(built, palette, next(combats(built.box)))
    for told in (["All declarations are taken back"], []):
        said = len(table.chat)
        table.button("Clear declarations")
        assert table.chat[said:] == told


def test_elites_are_told_with_the_count_and_with_the_die(built: Built, palette: dict[str, Any]) -> None:
    words = {True: 0, False: 0}
    for combat in combats(built.box, 80, seed=3):
        combat.hand = {}
        attack, defence = reckon(built.box, combat)
        table, _ = lay(built, palette, combat)
        table.button("Odds")
        by_side = table.chat[-1].partition("; defence")
        for side, thrown, text in ((attack, combat.dice[0], by_side[0]), (defence, combat.dice[1], by_side[2])):
            elite = side.die > thrown
            assert ("die +1 for an elite" in text) == elite, (combat, table.chat[-1])
            words[elite] += 1
        table.button("Resolve")
        helped = [side.die > thrown for side, thrown in zip((attack, defence), combat.dice, strict=True)]
        assert table.chat[-1].count("with +1 for an elite") == sum(helped)
    assert min(words.values()) > 10


def test_the_one_declared_first_attacks_and_all_is_forgotten_when_it_is_resolved(built: Built, palette: dict[str, Any]) -> None:
    combat = next(c for c in combats(built.box) if len(c.attackers) == 3)
    combat.hand = {"Attack die": 1, "Defence column": -1}
    table, pieces = lay(built, palette, combat)
    assert table.text("OddsFirst") == combat.attackers[0]
    assert table.chat[-1] == "** Moved by hand: attack column 0, defence column -1, attack die 1, defence die 0"
    table.button("Resolve")
    assert {table.text(n) for n in ("OddsOverride", "OddsOverrideDefence", "OddsDieAttack", "OddsDieDefence")} == {"0"}
    assert (table.text("OddsFirst"), table.text("OddsTargets")) == ("", ";")
    assert pieces[combat.attackers[0]].text(names.DECLARED) == names.FOUGHT
    assert pieces[combat.defenders[0]].text(names.DECLARED) == names.WAS_FOUGHT
    table.key(names.KEYS["attack"], [pieces[combat.attackers[1]]])
    assert table.text("OddsFirst") == combat.attackers[1]
    table.key(names.KEYS["clear"], [pieces[combat.attackers[1]]])
    assert table.text("OddsFirst") == ""

FAULTS = [
    (
        'strength = "Strength"\nsupports',
        'strength = "Might"\nsupports',
        "[odds] strength: 'Might' is no property of pieces that tell their strength",
    ),
    ('modifier = "die|elite"', 'modifier = "die|luck"', "[odds] modifier: 'die|luck' is no row of modifiers"),
    (
        'named = "strength"\nhigh = "high"\n\n[odds.chart]',
        'named = "strength"\nhigh = "low"\n\n[odds.chart]',
        "[odds.bands] crt_columns: 0 rows without an end; allowed: one, the strongest",
    ),
    ('result = "losses"', 'result = "source"', "[odds] crt: 'source' is no column of crt"),
    (
        'words = ["is out of supply"]\n\n[odds.elite]',
        'words = ["is hungry"]\n\n[odds.elite]',
        "[odds] halved words: 'is hungry' is no word of the state",
    ),
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
