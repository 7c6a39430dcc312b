"""The odds help of built modules, played: what its buttons work out is what the charts, and the engine, say of a thousand combats."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from msgspec.structs import replace as put

import referee
from gamebox import tabletalk
from gamebox.geometry import hexes
from gamebox.load import data_root
from gamebox.model import Box
from modgen.layout.layout import read_layout
from modgen.layout.reading import LayoutErrors
from modgen.vassal import names
from referee.games.battle_for_germany import odds as engine
from tests.modgen.client import Counter, Table, slots

from .conftest import GAME, Built
from .looking import zone_of

COMBATS = 1000


@dataclass(frozen=True)
class Combat:
    """Units on hexes: who attacks, which hexes; the hexes whose fortification is marked destroyed; the die."""

    places: dict[str, str]
    attackers: tuple[str, ...]
    targets: tuple[str, ...]
    gone: tuple[str, ...]
    die: int


def combats(box: Box, number: int = COMBATS, seed: int = 1945) -> Iterator[Combat]:
    """Random combats: one force attacks one to three hexes that lie together, each with one or two units of another force."""
    luck = random.Random(seed)
    assert box.grid is not None
    grid = hexes(box.grid)
    playable = {r.key for r in box["hexes"] if r.int("playable")}
    fortified = [r.text("hex") for r in box["features"] if r.text("feature") == "fortified"]
    watered = sorted({r.text(c) for r in box["hexsides"] if r.text("feature") == "river" for c in ("hex_a", "hex_b")} & playable)
    land = sorted(playable)
    force = {side: [p.id for p in box.pieces if p.side == side] for side in ("S", "W", "EG", "WG")}
    while number:
        attacker, defender = luck.choice([("S", "EG"), ("S", "WG"), ("W", "WG"), ("W", "EG"), ("EG", "S"), ("WG", "W"), ("WG", "S")])
        first = luck.choice(luck.choice((land, watered, fortified)))
        near = [h for h in grid.neighbours(first) if h in playable]
        targets = [first, *luck.sample(near, min(len(near), luck.choice((0, 0, 0, 1, 1, 2))))]
        beside = sorted({h for t in targets for h in grid.neighbours(t) if h in playable} - set(targets))
        if not beside:
            continue
        units = {attacker: luck.sample(force[attacker], len(force[attacker])), defender: luck.sample(force[defender], len(force[defender]))}
        places: dict[str, str] = {}
        for target in targets:
            for _ in range(luck.choice((1, 1, 2))):
                places[units[defender].pop()] = target
        attackers = []
        for place in luck.sample(beside, min(len(beside), luck.randint(1, 4))):
            for _ in range(luck.choice((1, 1, 2))):
                attackers.append(units[attacker].pop())
                places[attackers[-1]] = place
        gone = tuple(h for h in targets if h in fortified and luck.random() < 0.3)
        # Somebody who stands by and takes no part.
        places[units[attacker].pop()] = luck.choice(beside)
        yield Combat(places, tuple(attackers), tuple(luck.sample(targets, len(targets))), gone, luck.randint(1, 6))
        number -= 1


@dataclass
class Laid:
    """A combat on the table of a module."""

    table: Table
    units: dict[str, Counter]


@pytest.fixture(scope="module")
def palette(built: Built) -> tuple[dict[str, Any], dict[str, Any]]:
    return slots(built.module, names.UNIT), slots(built.module, names.MARKER_ID)


def lay(built: Built, palette: tuple[dict[str, Any], dict[str, Any]], combat: Combat) -> Laid:
    """A combat laid out and declared: the attackers selected together and one key, then a unit in each hex attacked."""
    table = Table(built.module, [combat.die])
    on = built.layout.board.map
    units = {u: table.put(palette[0][u], place, map_name=on, zone=zone_of(built, place)) for u, place in combat.places.items()}
    for place in combat.gone:
        table.put(palette[1]["breach"], place, map_name=on)
    table.key(names.KEYS["attack"], [units[u] for u in combat.attackers])
    for target in combat.targets:
        table.key(names.KEYS["target"], [next(c for u, c in units.items() if combat.places[u] == target)])
    return Laid(table, units)


@pytest.mark.rule("bfg", "6.1.p2")
@pytest.mark.rule("bfg", "6.4.b")
def test_a_thousand_combats_come_out_as_the_engine_has_them(built: Built, palette: tuple[dict[str, Any], dict[str, Any]]) -> None:
    book: Any = referee.load(GAME, "historical")
    g = book.game.setting
    chart = {(r.text("odds"), r.int("die")): r.text("result") for r in built.box["crt"]}
    seen: set[str] = set()
    for combat in combats(built.box):
        p = book.game.arranged(combat.places, turn=3, force="S", kind="combat")
        node = g.land.nodes
        p = put(p, forts_gone=p.forts_gone | sum(g.land.forts[node[h]] for h in combat.gone))
        who = tuple([g.roster.index[u] for u in combat.attackers])
        attack, defence = engine.strengths(g, p, who, tuple([node[t] for t in combat.targets]))
        column = engine.column(g, attack, defence)
        laid = lay(built, palette, combat)
        laid.table.button("Resolve")
        found = {name: laid.table.text(f"Odds{name}") for name in ("Attack", "Defence", "Column", "Name")}
        assert found["Attack"] == str(attack) and found["Defence"] == str(defence), (combat, found, attack, defence)
        assert found["Column"] == str(column), (combat, found)
        for target in combat.targets:
            slot = next(n for n in (1, 2, 3) if laid.table.text(f"OddsHex{n}") == target)
            assert int(laid.table.text(f"OddsWorth{slot}")) + 1 == engine.multiplier(g, p, node[target], who)
            seen.add(laid.table.text(f"OddsWords{slot}"))
        named = g.charts.columns[column] if column >= 0 else ""
        outcome = chart[named, combat.die] if named else "no attack"
        told = tabletalk.decode(laid.table.text("Talk"))
        assert told.verb == "RES" and told.field("result") == outcome
        assert told.fields[1:5] == (named or "below 1:3", str(combat.die), str(attack), str(defence))
        seen.add(named)
    assert {"", "1:3", "1:2", "1:1", "2:1", "3:1", "6:1"} <= seen
    assert {":", ": + broken", ": + river", ": + fortified", ": + broken + river", ": + broken + fortified"} <= seen


def worked(built: Built, palette: tuple[dict[str, Any], dict[str, Any]], *targets: str, die: int = 3) -> Laid:
    """Soviets beside West Wall hexes, Germans in them."""
    german = iter(("wg-1-ss", "wg-2-ss", "wg-12-ss", "wg-81"))
    places = {next(german): target for target in targets}
    places |= {"su-1-br": "2106", "su-2-br": "2106", "su-1-gds-tk": "2205"}
    return lay(built, palette, Combat(places, ("su-1-br", "su-2-br"), targets, (), die))


def test_an_attack_takes_three_clicks_and_its_die(built: Built, palette: tuple[dict[str, Any], dict[str, Any]]) -> None:
    laid = worked(built, palette, "2105")
    before = len(laid.table.chat)
    laid.table.button("Resolve")
    said = laid.table.chat[before:]
    assert len(said) == 1 and said[0].startswith("** Combat: column ") and ", die 3: " in said[0]
    assert [name for name, _, _ in laid.table.changes if name == "d6_result"] == ["d6_result"]
    declared = {u: c.text(names.DECLARED) for u, c in laid.units.items()}
    assert declared["su-1-br"] == declared["su-2-br"] == names.FOUGHT and declared["wg-1-ss"] == names.WAS_FOUGHT
    assert declared["su-1-gds-tk"] == names.NO_WORD
    # The next attack begins with its own declarations: nothing is left of this one.
    assert laid.table.text("OddsTargets") == ";"
    laid.table.button("Odds")
    assert laid.table.text("OddsAttack") == "0" and "declare who attacks" in laid.table.chat[-1]


def test_the_count_says_strengths_ground_column_and_what_it_takes_for_granted(
    built: Built, palette: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    laid = worked(built, palette, "2105")
    laid.table.button("Odds")
    line = laid.table.chat[-1]
    attack = sum(int(laid.units[u].text("Attack")) for u in ("su-1-br", "su-2-br"))
    defence = int(laid.units["wg-1-ss"].text("Defense"))
    times = int(laid.table.text("OddsWorth1")) + 1
    assert line.startswith(f"** Odds: {attack} to {defence * times}, ") and f"2105 with {defence} x{times} for " in line
    assert "fortified" in line and all(text in line for text in built.layout.odds.assumes)  # type: ignore[union-attr]
    assert "=" not in line, "a reader of logs would take it for a die"


def test_the_column_moved_by_hand_counts_once_and_is_said(built: Built, palette: tuple[dict[str, Any], dict[str, Any]]) -> None:
    laid = worked(built, palette, "2206")
    table = laid.table
    table.button("Odds")
    counted = int(table.text("OddsColumn"))
    for text, moved in (("Column +1", "1"), ("Column +1", "2"), ("Column -1", "1"), ("Column as counted", "0"), ("Column -1", "-1")):
        table.button(text)
        assert table.chat[-1] == f"** Column moved by {moved} by hand"
    table.button("Odds")
    assert int(table.text("OddsColumn")) == counted - 1 and "column moved by -1 by hand" in table.chat[-1]
    table.button("Resolve")
    assert tabletalk.decode(table.text("Talk")).fields[-1] == "-1" and table.text("OddsOverride") == "0"


@pytest.mark.parametrize("key", ["clearAll", "clearDeclAll"])
def test_the_next_phase_and_clear_declarations_forget_targets_and_the_hand(
    built: Built, palette: tuple[dict[str, Any], dict[str, Any]], key: str
) -> None:
    laid = worked(built, palette, "2105")
    laid.table.button("Column +1")
    laid.table.press(key)
    assert (laid.table.text("OddsTargets"), laid.table.text("OddsOverride")) == (";", "0")
    assert {c.text(names.DECLARED) for c in laid.units.values()} == {names.NO_WORD}


def test_a_target_is_listed_once_and_goes_with_its_last_declaration(built: Built, palette: tuple[dict[str, Any], dict[str, Any]]) -> None:
    places = {"wg-1-ss": "2105", "wg-2-ss": "2105", "wg-12-ss": "2206", "su-1-br": "2106"}
    laid = lay(built, palette, Combat(places, ("su-1-br",), ("2105", "2206"), (), 1))
    table, clear = laid.table, names.KEYS["clear"]
    table.key(names.KEYS["target"], [laid.units["wg-1-ss"], laid.units["wg-2-ss"]])
    assert table.text("OddsTargets") == ";2105;2206;"
    table.key(clear, [laid.units["wg-1-ss"]])
    assert table.text("OddsTargets") == ";2105;2206;"
    table.key(clear, [laid.units["su-1-br"]])
    assert table.text("OddsTargets") == ";2105;2206;"
    table.key(clear, [laid.units["wg-2-ss"]])
    assert table.text("OddsTargets") == ";2206;"
    table.key(clear, [laid.units["wg-12-ss"]])
    assert table.text("OddsTargets") == ";"


def test_what_is_dragged_away_before_its_combat_is_in_it_no_more(built: Built, palette: tuple[dict[str, Any], dict[str, Any]]) -> None:
    """An attacker or a target; its hex goes from those attacked with the last target in it. Inside its hex it may be moved about."""
    places = {"wg-1-ss": "2105", "wg-2-ss": "2105", "wg-12-ss": "2206", "su-1-br": "2106", "su-2-br": "2106"}
    laid = lay(built, palette, Combat({**places, "su-2-br": "2106"}, ("su-1-br", "su-2-br"), ("2105", "2206"), (), 1))
    table, on = laid.table, laid.units
    table.key(names.KEYS["target"], [on["wg-1-ss"], on["wg-2-ss"]])
    table.drag([on["wg-1-ss"]], "2105", zone="West")
    assert on["wg-1-ss"].text(names.DECLARED) == names.ATTACKED
    table.drag([on["wg-1-ss"]], "2004", zone="West")
    assert (on["wg-1-ss"].text(names.DECLARED), table.text("OddsTargets")) == (names.NO_WORD, ";2105;2206;")
    assert tabletalk.decode(table.text("Talk")).fields == ("wg-1-ss",)
    table.drag([on["wg-2-ss"], on["su-1-br"]], "2004", zone="West")
    assert table.text("OddsTargets") == ";2206;" and on["su-2-br"].text(names.DECLARED) == names.ATTACKS
    said = len(table.changes)
    table.drag([on["wg-2-ss"]], "2005", zone="West")
    assert len(table.changes) == said, "what is not declared tells nothing"
    table.button("Odds")
    assert "2105" not in table.chat[-1] and f"attack {on['su-2-br'].text('Attack')} on 2206" in table.chat[-1]


def test_more_hexes_than_it_counts_are_left_to_the_players(built: Built, palette: tuple[dict[str, Any], dict[str, Any]]) -> None:
    laid = worked(built, palette, "2105", "2206", "2107", "2005")
    laid.table.button("Odds")
    assert laid.table.chat[-1] == "** Odds: 4 hexes are attacked; the odds of more than 3 are counted by hand"
    laid.table.button("Resolve")
    assert tabletalk.decode(laid.table.text("Talk")).field("result") == "no attack"


def test_a_plain_die_and_no_declaration_are_as_good_as_ever(built: Built) -> None:
    table = Table(built.module, [5])
    table.press("roll")
    assert table.changes == [("d6_result", "1", "5")] and table.chat == []


FAULTS = [
    ('kind = "ratio"\ndie', 'kind = "dice"\ndie', "[odds] kind: 'dice' is not allowed; one of ratio"),
    ('die = "d6"\nattack', 'die = "d7"\nattack', "[odds] die: 'd7' is no [[die]] of this file with one die; there are d6"),
    ('attack = "attack"', 'attack = "might"', "[odds] strengths: 'might' is no column of pieces"),
    ('effect = "defence_multiplier"', 'effect = "defence"', "[odds] effect terrain: 'defence' is no column of terrain"),
    ('table = "features"\nkind', 'table = "fields"\nkind', "[odds] table: 'fields' is no table of the game"),
    ('unless = "breach"', 'unless = "hole"', "[odds] ground unless: 'hole' is no marker of this file"),
    ('column = "odds"\nroll', 'column = "die"\nroll', "[odds.chart] crt: the column '1' is no ratio; allowed: 1:N and N:1"),
    ("targets = 3", "targets = 9", "[odds] targets: 9 is not allowed; a whole number from 1 to 5"),
]


@pytest.mark.parametrize(("good", "bad", "told"), FAULTS, ids=[bad.replace("\n", " ") for _, bad, _ in FAULTS])
def test_what_is_wrong_with_the_section_is_told(tmp_path: Any, box: Box, good: str, bad: str, told: str) -> None:
    text = (data_root() / GAME / "module.toml").read_text("utf-8")
    assert text.count(good) == 1
    path = tmp_path / "module.toml"
    path.write_text(text.replace(good, bad), "utf-8")
    with pytest.raises(LayoutErrors) as caught:
        read_layout(path, box)
    assert told in str(caught.value)
