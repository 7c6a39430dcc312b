"""The module of The Great Patriotic War: its set-ups against the tables, and what players do with its pieces, acted out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from gamebox import tabletalk
from gamebox.load import data_root
from gamebox.model import Box, Row
from modgen.art import cards, plan
from modgen.formats.vassal import sequence
from modgen.formats.vassal.commands import Note
from modgen.formats.vassal.grid import HexGrid, ZonedGrid
from modgen.formats.vassal.keys import key
from modgen.layout.layout import Layout
from modgen.layout.play import Setup
from modgen.vassal import names, telling, tracker
from modgen.vassal.frozen import read_frozen
from modgen.vassal.names import command

from .acting import Actor, Table
from .conftest import Builder, Built
from .looking import M

GAME = "great-patriotic-war"
MAIN, SETUP = "Eastern Front", "Set-up"
SCENARIOS = ("barbarossa", "blau", "uranus", "citadel", "bagration", "campaign")


@pytest.fixture(scope="module")
def war(builder: Builder) -> Built:
    return builder(GAME)


@pytest.fixture(scope="module")
def box(war: Built) -> Box:
    return war.box


@pytest.fixture(scope="module")
def layout(war: Built) -> Layout:
    return war.layout


def setup_of(built: Built, scenario: str) -> Setup:
    return next(s for s in built.layout.play.setups if s.scenario == scenario)


def table(built: Built, scenario: str, turn: int | None = None, seat: str = "Axis") -> Table:
    """A scenario's set-up, on a turn of it."""
    made = Table(built, built.saves[setup_of(built, scenario).file], seat)
    first = built.box["scenarios"][scenario].int("first_turn")
    made.properties["GameTurn"] = str(turn if turn is not None else first)
    return made


def rows(box: Box, scenario: str) -> Iterator[tuple[str, Row]]:
    name = box["scenarios"][scenario].text("setup")
    return ((row.text("piece"), row) for row in box["setups"] if row.text("setup") == name)


def put(actor: Actor, hex_: str) -> None:
    """Dragged to a hex."""
    sheet = plan.sheet(actor.table.built.layout, actor.table.built.box)
    actor.old = {"OldMap": actor.map, "OldX": str(actor.x), "OldY": str(actor.y)}
    actor.map, (actor.x, actor.y) = MAIN, sheet.centre(hex_)


def slot_under(box: Box, layout: Layout, box_id: str, actor: Actor) -> str:
    """The label of the slot of a box that a piece lies in."""
    area = next(b for b in layout.board.boxes if b.id == box_id)
    found = [s.label for s in plan.slots(box, area) if _inside(s.rect, actor.x, actor.y)]
    assert len(found) == 1, (actor.x, actor.y)
    return found[0]


def _inside(rect: tuple[int, int, int, int], x: int, y: int) -> bool:
    left, top, wide, high = rect
    return left < x < left + wide and top < y < top + high


# --- set-ups


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_unit_begins_where_the_set_up_says_with_its_state_shown(war: Built, box: Box, scenario: str) -> None:
    game, name = table(war, scenario), setup_of(war, scenario).name
    labels = {"axis": "Axis, anywhere", "soviet": "Soviet, anywhere"}
    seen = 0
    for piece, row in rows(box, scenario):
        actor, place, how = game.of(piece), row.text("place"), row.text("how")
        if how == "hex":
            expected = (MAIN, place)
        elif how in ("region", "airfield"):
            region = box["regions"][place]
            word = labels[region.text("side")] if region.text("kind") == "control" else region.text("name")
            expected = (SETUP, f"{word}, {name}")
        elif turn := box["boxes"][place].text("turn"):
            expected = (MAIN, f"Turn {turn}")
        else:
            expected = (SETUP if place in ("out", "variants") else MAIN, box["boxes"][place].text("name"))
        assert (actor.map, game.where(actor)) == expected, piece
        assert actor.level == (2 if row.text("state") == "reduced" else 1), piece
        seen += 1
    assert seen == len(box.pieces) == len([a for a in game.there() if a.marker("UnitId")])


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_no_counter_of_a_set_up_space_lies_on_another(war: Built, layout: Layout, scenario: str) -> None:
    size = layout.counters.size
    spots = [(s.x, s.y) for s in war.saves[setup_of(war, scenario).file].stacks.values() if s.map == SETUP]
    assert len(spots) == len(set(spots)) and len(spots) > 90
    assert not [(a, b) for a in spots for b in spots if a < b and abs(a[0] - b[0]) < size and abs(a[1] - b[1]) < size]


def test_spaces_of_the_cards_lie_on_them_and_apart(layout: Layout, box: Box) -> None:
    made = cards.cards(layout, box)
    assert [card.scenario for card in made] == list(SCENARIOS)
    for card in made:
        rects = [card.map, *(space.rect for space in card.spaces)]
        for n, (x, y, w, h) in enumerate(rects):
            assert x >= 0 and y >= 0 and x + w <= card.width and y + h <= card.height
            assert not [r for r in rects[n + 1 :] if x < r[0] + r[2] and r[0] < x + w and y < r[1] + r[3] and r[1] < y + h]
        for space in card.spaces:
            x, y, w, h = space.rect
            half = layout.counters.size // 2
            assert all(x < sx - half and sx + half < x + w and y + plan.HEADER < sy - half and sy + half < y + h for sx, sy in space.spots)


def test_neighbouring_areas_of_a_side_have_colours_of_their_own(layout: Layout, box: Box) -> None:
    for card in cards.cards(layout, box):
        fills, around = cards.fills(layout, card), card.sheet.around
        drawn = [space for space in card.spaces if space.name in fills]
        assert len(drawn) >= 8
        for a in drawn:
            near = {n for h in a.hexes for n in (h, *around[h])}
            same = [b.label for b in drawn if b is not a and b.side == a.side and near & set(b.hexes) and fills[b.name] == fills[a.name]]
            assert not same, (card.name, a.label)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_games_begin_with_their_turn_phase_and_end(war: Built, box: Box, scenario: str) -> None:
    save, row = war.saves[setup_of(war, scenario).file], box["scenarios"][scenario]
    tracker = war.module.trackers[0]
    counter = tracker.levels[0]
    listed = counter.below[0].values
    _, turn, *_ = re.split(r"[|;]", save.turns["TurnTracker0"])
    inner = save.turns["TurnTracker0"].split("|")[1].split(";", 4)[4].split("\\;")
    flags = inner[3].split(",")
    assert turn == row.text("first_turn")
    late = row.text("skipped_turn") == row.text("first_turn") and row.text("skipped_side") == "axis"
    assert listed[int(inner[0])] == f"{'Soviet' if late else 'Axis'} Reinforcement/Replacement" and flags[int(inner[0])] == "true"
    on = [name for name, flag in zip(listed, flags, strict=True) if flag == "true"]
    wanted = [r for r in box["phases"] if r.text("scenario") == scenario and not r.text("option")]
    assert on[:-1] == [r.text("name") for r in sorted(wanted, key=lambda r: r.int("order"))][:-1] and on[-1] == "End of the Game Turn"
    properties = {name: value for (_, name), value in save.properties.items()}
    assert (properties[names.SCENARIO], properties[names.LAST_TURN]) == (scenario, row.text("last_turn"))


@pytest.mark.rule("gpw", "23.1.2.A")
@pytest.mark.rule("gpw", "23.4.10.C")
def test_other_orders_of_phases_can_be_switched_on(war: Built, box: Box) -> None:
    listed = [name for name in war.module.trackers[0].levels[0].below[0].values if name.startswith("Soviet")]
    words = {r.text("phase"): r.text("name") for r in box["phases"] if r.text("force") == "soviet" and r.text("scenario") == "campaign"}
    orders: dict[tuple[str, str], list[Row]] = {}
    for row in box["sequences"]:
        orders.setdefault((row.text("option"), row.text("player")), []).append(row)
    assert len(orders) == 4
    for wanted in orders.values():
        rest = iter(listed)
        assert all(words[row.text("phase")] in rest for row in sorted(wanted, key=lambda r: r.int("order")))


def test_markers_that_games_begin_with(war: Built, box: Box) -> None:
    for scenario in SCENARIOS:
        game = table(war, scenario)
        lying = [(a.marker("MarkerId"), game.where(a), a.level) for a in game.there() if a.marker("MarkerId")]
        first = box["scenarios"][scenario].text("first_turn")
        assert [place for marker, place, _ in lying if marker == "turn"] == [f"Turn {first}"]
        later = scenario not in ("barbarossa", "campaign")
        states = {marker: level for marker, place, level in lying if place == "States of the War"}
        assert states == {"balkan": 1, "romania": 1, "hungary": 1, "slovakia": 1, "romania-bound": 1 + later, "bessarabia": 1 + later}
        held = {h for r in box["regions"] if r.key == f"{scenario}-axis-side-at-start" for h in r.items("hexes")}
        home = {h for h in held if box["hexes"][h].text("country") in ("ussr", "bessarabia")}
        assert {p for m, p, _ in lying if m == "control-axis"} == {c.text("hex") for c in box["cities"]} & home
        for side, word in (("axis", "Axis"), ("soviet", "Soviet")):
            due = Counter(
                f"{word} Shock Attacks" if r.text("from_turn") == first else f"Turn {r.text('from_turn')}"
                for r in box["shock"]
                if (r.text("scenario"), r.text("side"), r.int("number")) == (scenario, side, 1)
            )
            assert Counter(p for m, p, _ in lying if m == f"shock-{side}") == due, scenario
            # The extra one of turn 1 runs from the start.
            running = [p for m, p, level in lying if m == f"shock-{side}" and level == 2]
            assert running == (["Axis Shock Attacks"] if side == "axis" and scenario in ("barbarossa", "campaign") else [])


# --- pieces, acted out


def test_every_kind_of_piece_belongs_to_a_prototype_of_its_own_side(layout: Layout, box: Box) -> None:
    for piece in box.pieces:
        can = layout.play.prototype(piece)
        if can.eliminate is not None:
            assert dict(can.eliminate.boxes) == {"*": f"dead-{piece.side}"}, piece.id
        assert (can.faces is not None) == (piece.row.int("steps") == 2), piece.id
        fights = piece.row.text("kind") not in ("PAR", "LDR", "FB", "BOM")
        assert ("declare" in can.can) == fights, piece.id
        # Who is never rebuilt has no entry for it (R-P113).
        never = piece.nation in ("Italy", "Bulgaria")
        assert bool(can.turns) == (piece.row.int("steps") == 2 and not never), piece.id


@pytest.mark.rule("gpw", "9.1.A")
def test_a_unit_loses_its_steps_dies_into_its_slot_and_is_rebuilt_at_half_strength(war: Built, box: Box, layout: Layout) -> None:
    game = table(war, "blau")
    unit = game.of("ro-3-inf")
    put(unit, "A2115")
    assert game.choose(unit, "Lose a step") == ["A2115: 3 Romanian Corps loses a step, now 3 Romanian Corps (reduced)"]
    assert unit.level == 2
    game.choose(unit, "Lose a step")
    assert game.where(unit) == "Axis Dead Pile" and unit.level == 2
    assert slot_under(box, layout, "dead-axis", unit) == "Romania"
    full = game.of("g-12-inf")
    put(full, "B1005")
    game.choose(full, "Eliminate")
    assert full.level == 1 and "Rebuild at half strength" not in game.menu(game.of("g-6-inf"))
    assert game.choose(full, "Rebuild at half strength") == ["12 Corps (reduced) in Axis Dead Pile is rebuilt: place it (9.1)"]
    assert full.level == 2
    put(full, "B1922")
    game.choose(full, "Restore a step")
    assert full.level == 1


@pytest.mark.rule("gpw", "14.0.C")
@pytest.mark.rule("gpw", "14.0.F")
@pytest.mark.parametrize("reduced", [False, True])
def test_a_converted_army_gives_its_hex_and_strength_to_the_guards(
    war: Built, box: Box, layout: Layout, reduced: bool
) -> None:
    game = table(war, "uranus", seat="Soviet")
    army, other, guards = game.of("su-48-inf"), game.of("su-61-inf"), game.of("su-2-gds")
    put(army, "A1317")
    put(other, "A0521")
    assert "Take the place of the converted army" not in game.menu(guards)
    assert game.where(guards) == "Turn 13"
    game.choose(guards, "At hand for conversions")
    assert game.where(guards) == "Guards and Shock Armies at Hand"
    assert "Take the place of the converted army" not in game.menu(guards), "nobody has made room yet"
    if reduced:
        game.choose(army, "Lose a step")
    game.choose(army, "Convert: make room")
    assert game.where(army) == "Soviet Dead Pile" and slot_under(box, layout, "dead-soviet", army) == "Infantry"
    said = game.choose(guards, "Take the place of the converted army")
    assert (game.where(guards), guards.level) == ("A1317", 2 if reduced else 1)
    assert said == [f"2 Guards Army{' (reduced)' if reduced else ''} takes its place in A1317 (14.0)"]
    later = game.of("su-3-gds")
    game.choose(later, "At hand for conversions")
    assert "Take the place of the converted army" not in game.menu(later), "a place is taken once"


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("box_id", ["dead-axis", "dead-soviet"])
def test_dead_units_lie_in_piles_that_stay_in_their_slots(war: Built, box: Box, layout: Layout, scenario: str, box_id: str) -> None:
    area, half = next(b for b in layout.board.boxes if b.id == box_id), layout.counters.size // 2
    metrics = war.all("module.map.StackMetrics")[0]
    lean, climb = int(metrics.attributes["unexSepX"]), int(metrics.attributes["unexSepY"])
    units = [a for a in table(war, scenario).actors.values() if a.map == MAIN and _inside(area.rect, a.x, a.y)]
    dead = {piece for piece, row in rows(box, scenario) if row.text("place") == box_id}
    assert {a.marker("UnitId") for a in units} == dead
    for (x, y), count in Counter((a.x, a.y) for a in units).items():
        slot = next(s for s in plan.slots(box, area) if _inside(s.rect, x, y))
        left, top, _, _ = slot.rect
        assert x - half >= left and x + half + lean * (count - 1) <= area.rect[0] + area.rect[2], slot.label
        assert y - half - climb * (count - 1) > top + 36, f"{count} units in {slot.label} hide its label"


def test_guards_are_not_at_hand_before_their_turn(war: Built) -> None:
    game = table(war, "uranus", seat="Soviet")
    guards = game.of("su-5-shk")
    assert "At hand for conversions" not in game.menu(guards)
    game.properties["GameTurn"] = "14"
    assert "At hand for conversions" in game.menu(guards)


@pytest.mark.rule("gpw", "14.0.G")
def test_tank_armies_are_ready_to_be_built_from_turn_eight(war: Built, box: Box, layout: Layout) -> None:
    game = table(war, "campaign", turn=7, seat="Soviet")
    tanks = game.of("su-1-tk")
    assert "Ready to be built" not in game.menu(tanks)
    game.properties["GameTurn"] = "8"
    game.choose(tanks, "Ready to be built")
    assert game.where(tanks) == "Soviet Dead Pile" and slot_under(box, layout, "dead-soviet", tanks) == "Tanks"
    game.choose(tanks, "Rebuild at half strength")
    assert tanks.level == 2


@pytest.mark.rule("gpw", "11.4.A")
def test_aircraft_shot_down_wait_on_the_next_turn_of_their_side(war: Built, box: Box) -> None:
    game = table(war, "campaign")
    for piece, column in (("g-fb-1", "axis_aircraft"), ("su-bom-1", "soviet_aircraft")):
        actor = game.of(piece)
        for turn in range(1, 33):
            put(actor, "B1505")
            game.properties["GameTurn"] = str(turn)
            said = game.choose(actor, "Shot down")
            due = next((t for t in range(turn + 1, 33) if box["turns"][str(t)].flag(column)), None)
            assert game.where(actor) == (f"Turn {due}" if due else "Out of Play"), (piece, turn)
            assert len(said) == 1 and "B1505" in said[0] and game.where(actor) in said[0]
        put(actor, "B1505")
        game.properties["GameTurn"] = "4"
        game.choose(actor, "Shot down")
        before = game.where(actor)
        game.choose(actor, "One turn later")
        assert int(game.where(actor).split()[1]) == int(before.split()[1]) + 1
        put(actor, "B1505")
        assert "One turn later" not in game.menu(actor)


@pytest.mark.rule("gpw", "11.4.A")
def test_only_one_aircraft_of_a_side_waits_on_a_turn(war: Built, box: Box) -> None:
    """The first free cell that its side may use (R-P156); what arrives there anew, and what the enemy lost, takes no place."""
    game = table(war, "campaign", turn=2)
    fliers = {s: [p.id for p in box.pieces if p.side == s and p.row.text("kind") in ("BOM", "FB")] for s in ("axis", "soviet")}
    assert any(game.where(game.of(p)).startswith("Turn ") for p in (*fliers["axis"], *fliers["soviet"]))
    for side, due in (("axis", [3, 5, 7, 9, 11]), ("soviet", [3, 4, 5, 6])):
        for piece, turn in zip(fliers[side], due, strict=False):
            put(game.of(piece), "B1505")
            game.choose(game.of(piece), "Shot down")
            assert game.where(game.of(piece)) == f"Turn {turn}", piece
    back = game.of(fliers["axis"][1])
    put(back, "B1505")
    game.choose(back, "Shot down")
    assert game.where(back) == "Turn 5", "its cell is free again"
    game.properties["GameTurn"] = "31"
    for piece, place in zip(fliers["soviet"][-3:], ("Turn 32", "Out of Play", "Out of Play"), strict=True):
        put(game.of(piece), "B1505")
        game.choose(game.of(piece), "Shot down")
        assert game.where(game.of(piece)) == place


@pytest.mark.rule("gpw", "5.2.B")
@pytest.mark.rule("gpw", "5.2.C")
def test_one_unit_of_a_side_crosses_the_straits_on_a_turn_and_no_armour(war: Built, box: Box) -> None:
    game, entry = table(war, "blau"), "Cross the Straits of Kerch"
    first, second, enemy = game.of("g-12-inf"), game.of("g-6-inf"), game.of("su-48-inf")
    for piece in box.pieces:
        actor = game.of(piece.id)
        put(actor, "A2714")
        kind = piece.row.text("kind")
        assert (entry in game.menu(actor)) == (kind not in ("PZ", "TK", "MECH", "LDR", "BOM", "FB")), piece.id
        put(actor, "A2713")
        assert entry not in game.menu(actor)
    put(first, "A2714")
    put(second, "A2714")
    assert game.choose(first, entry) == [
        "12 Corps crosses the Straits of Kerch from A2714 to A2715: 1 MP more, the one unit of its side on this turn (5.2)"
    ]
    assert game.where(first) == "A2715" and entry not in game.menu(first) and entry not in game.menu(second)
    put(enemy, "A2714")
    assert entry not in game.menu(enemy), "an enemy stands there"
    put(first, "B1005")
    game.choose(enemy, entry)
    assert game.where(enemy) == "A2715"
    game.properties["GameTurn"] = "9"
    assert entry not in game.menu(second), "an enemy stands there"
    put(enemy, "A2810")
    game.choose(second, entry)
    assert game.where(second) == "A2715"


@pytest.mark.rule("gpw", "23.5.4.1.1")
def test_the_reserve_is_for_armour_cavalry_and_shock_armies_until_they_move(war: Built, box: Box) -> None:
    game = table(war, "blau")
    for piece in box.pieces:
        kind = piece.row.text("kind")
        assert ("In reserve" in game.menu(game.of(piece.id))) == (kind in ("PZ", "TK", "MECH", "SHK", "CAV")), piece.id
    for piece in ("g-cav", "su-1-shk", "su-1-tk"):
        actor = game.of(piece)
        put(actor, "B1005")
        actor.old["OldLocationName"] = "B1004"
        assert game.choose(actor, "In reserve")[0].endswith("reserve: in reserve")
        put(actor, "B1006")
        actor.old["OldLocationName"] = "B1005"
        game.press(actor, command("dragged"))
        assert actor.state("Reserve") == "none"


@pytest.mark.rule("gpw", "16.2.D")
def test_partisans_come_back_three_turns_on(war: Built) -> None:
    game = table(war, "campaign", turn=3, seat="Soviet")
    actor = game.of("su-par-1")
    put(actor, "B1505")
    game.choose(actor, "Eliminate: back in three turns")
    assert game.where(actor) == "Turn 6"
    game.properties["GameTurn"] = "30"
    put(actor, "B1505")
    game.choose(actor, "Eliminate: back in three turns")
    assert game.where(actor) == "Out of Play"


@pytest.mark.rule("gpw", "12.2.A")
def test_leaders_go_home_and_off_the_map(war: Built) -> None:
    game = table(war, "blau")
    for piece, home, city, beside in (
        ("g-kluge", "To Berlin", "B1922", "Axis Leaders off the Map"),
        ("su-zhukov", "To Moscow", "A0720", "Soviet Leaders off the Map"),
    ):
        actor = game.of(piece)
        put(actor, "B1005")
        said = game.choose(actor, home)
        assert game.where(actor) == city and "B1005" in said[0] and city in said[0]
        game.choose(actor, "Off the map: lost, or no capital")
        assert game.where(actor) == beside
        game.choose(actor, "Recalled")
        assert game.where(actor) == "Out of Play"


def test_missions_are_marked_and_told_in_one_choice(war: Built) -> None:
    game = table(war, "blau")
    actor = game.of("g-fb-1")
    put(actor, "B1005")
    for word, code in (("Offensive support", "OAS"), ("Defensive support", "DAS"), ("Interception", "INT")):
        said = game.choose(actor, word)
        assert actor.state("Mission") == word.lower() and said == [f"B1005: Axis Fighter-bombers 1 flies: {word.lower()}"]
        told = tabletalk.decode(game.talk[-1])
        assert (told.verb, told.fields) == ("AIR", ("g-fb-1", "B1005", code))
    game.choose(actor, "No mission")
    assert actor.state("Mission") == "none"


@pytest.mark.rule("gpw", "11.1.3.A")
def test_marks_of_aircraft_end_with_the_player_turn_and_defensive_support_with_the_enemys(war: Built) -> None:
    game = table(war, "blau")
    offensive, defensive = game.of("g-fb-1"), game.of("g-fb-2")
    for actor, word in ((offensive, "Offensive support"), (defensive, "Defensive support")):
        put(actor, "B1005")
        game.choose(actor, word)
        game.choose(actor, "Flown")

    def begins(phase: str) -> None:
        game.properties[names.NOW] = phase
        (button,) = (b for b in war.all("module.DoActionButton") if b.get("name") == "NextPhase")
        for one in sequence.decode(button.get("hotkeys"), ","):
            if key(one).name.startswith("ends_"):
                game.command(key(one).name)

    begins("Axis General Movement")
    assert [offensive.state("Mission"), offensive.state("Flown")] == ["offensive support", "has flown"]
    begins("Soviet Reinforcement/Replacement")
    assert [offensive.state("Mission"), offensive.state("Flown")] == ["none", "none"]
    assert [defensive.state("Mission"), defensive.state("Flown")] == ["defensive support", "none"]
    begins("Axis Reinforcement/Replacement")
    assert defensive.state("Mission") == "none"


def test_supply_and_rail_marks(war: Built) -> None:
    game = table(war, "blau")
    unit = game.of("g-12-inf")
    put(unit, "B1005")
    seen = []
    for _ in range(3):
        game.choose(unit, "Supply")
        seen.append(unit.state("Supply"))
    assert seen == ["out of supply", "isolated", "none"]
    assert game.choose(unit, "Rail move") == ["B1005: 12 Corps by rail: rides"]
    game.command("clearAll")
    assert unit.state("Rail") == "none"


@pytest.mark.rule("gpw", "17.1.5.D")
@pytest.mark.rule("gpw", "17.2.4")
@pytest.mark.rule("gpw", "17.4.C")
@pytest.mark.parametrize(
    ("text", "nation"),
    [("Romania defects", "Romania"), ("Hungary surrenders", "Hungary"), ("Slovakia surrenders", "Slovakia")],
)
def test_a_country_leaves_the_game_with_all_its_units_and_nobody_else(war: Built, box: Box, text: str, nation: str) -> None:
    game = table(war, "blau")
    dead = game.of("ro-3-inf")
    put(dead, "A2115")
    game.choose(dead, "Eliminate")
    before = {a.id: (a.map, a.x, a.y) for a in game.there()}
    theirs = [p.id for p in box.pieces if p.nation == nation]
    out = [a for a in game.there() if a.marker("UnitId") in theirs and game.where(a) == "Out of Play"]
    said = game.button(text)
    assert len(said) == len(theirs) - len(out), "what is out of play already neither goes nor is told of"
    assert all(before[a.id] == (a.map, a.x, a.y) for a in out)
    assert game.button(text) == []
    for actor in game.there():
        if actor.marker("UnitId") in theirs:
            assert (actor.map, game.where(actor)) == (MAIN, "Out of Play")
        else:
            assert before[actor.id] == (actor.map, actor.x, actor.y)


@pytest.mark.rule("gpw", "17.6.A")
def test_the_balkan_garrison_gathers_and_enters_jugoslavia(war: Built, box: Box) -> None:
    game = table(war, "campaign", turn=18)
    unit = game.of("g-22-mtn")
    assert game.where(unit) == "Turn 19" and "To the Balkan Garrison" not in game.menu(unit)
    game.properties["GameTurn"] = "19"
    game.choose(unit, "To the Balkan Garrison")
    assert game.where(unit) == "Balkan Garrison"
    entry = box["regions"]["balkan-garrison-entry"].items("hexes")
    for text in ("Enter at Belgrade", "Enter at Zagreb"):
        game.choose(unit, text)
        assert game.where(unit) in entry
        assert text not in game.menu(unit)
        game.choose(unit, "To the Balkan Garrison")


def test_losses_that_rules_count_are_counted(war: Built) -> None:
    game = table(war, "blau")
    for piece in ("ro-1-inf", "ro-3-inf", "hu-3-inf", "g-12-inf"):
        put(game.of(piece), "A2115")
        game.choose(game.of(piece), "Eliminate")
    assert game.says("btnTally1") == "** Dead Axis allies: Romania 2, Hungary 1, Slovakia 0, Italy 0"


def test_counting_markers_step_along_their_track(war: Built) -> None:
    game = table(war, "blau")
    actor = game.of("points-axis")
    for expected in ("Points 1", "Points 2"):
        game.choose(actor, "One more")
        assert game.where(actor) == expected
    game.choose(actor, "One less")
    assert game.where(actor) == "Points 1"
    turn = game.of("turn")
    game.choose(turn, "Next turn")
    assert game.where(turn) == "Turn 9"


def test_two_sided_markers_are_turned_over(war: Built, layout: Layout) -> None:
    sided = {m.id for m in layout.counters.markers if len(m.faces) > 1}
    assert {m for m in sided if layout.play.marker_prototype(next(x for x in layout.counters.markers if x.id == m)).faces is None} == set()
    game = table(war, "blau")
    actor = game.of("hungary")
    assert game.choose(actor, "Turn over") == ["States of the War: Hungary in the war is turned, now Hungary surrendered"]


def test_units_put_down_the_markers_of_their_own_side(layout: Layout, box: Box) -> None:
    for piece in box.pieces:
        for item in layout.play.prototype(piece).places:
            assert item.marker.endswith(f"-{piece.side}"), piece.id


# --- what is said when phases begin


def test_notices_tell_what_the_tables_have_for_the_turn(war: Built, box: Box, layout: Layout) -> None:
    game = table(war, "campaign")
    titles = {p.id: p.row.text("title") for p in box.pieces}
    phases = {r.text("name") for r in box["phases"]}
    told = 0
    for turn in range(1, 33):
        game.properties["GameTurn"] = str(turn)
        for phase in sorted(phases):
            game.properties[names.NOW] = phase
            said = game.says("sayNews")
            told += said != ""
            own = telling.notices(box, layout).get(("campaign", str(turn), phase), "")
            assert said.endswith(own)
            lend = "Lend Lease" in said
            said = said.removesuffix(own).rstrip(" *") if own else said
            side = "axis" if phase.startswith("Axis") else "soviet"
            if phase.endswith("Reinforcement/Replacement"):
                due = [r for r in box["order_of_battle"] if r.int("turn") == turn and r.text("side") == side and not r.flag("at_start")]
                assert all(titles[r.text("piece")] in said for r in due), (turn, phase)
                (rate,) = (r for r in box["rates"] if r.int("turn") == turn and r.text("rate") == side)
                assert f"RPs (9.1): {rate.text('number')}." in said
                assert lend == (side == "soviet" and box["turns"][str(turn)].values["lend_lease"] is not None)
            elif re.search("Panzer|Armored|General", phase):
                adverse = box["turns"][str(turn)].int(f"{side}_adverse")
                assert (f"1 to {adverse} is" in said) if adverse else said == "", (turn, phase)
            elif phase.endswith("Combat"):
                assert (said != "") == (box["turns"][str(turn)].text("weather") != "clear")
            else:
                assert said == ""
    # Turn 1 tells of the extra shock attack in three phases that are silent otherwise.
    assert told == len({key[1:] for key in telling.notices(box, layout) if key[0] in ("", "campaign")}) == 163


@pytest.mark.rule("gpw", "22.1.4.B")
@pytest.mark.rule("gpw", "22.1.4.C")
@pytest.mark.rule("gpw", "22.1.5.C")
@pytest.mark.rule("gpw", "22.3.4.B")
def test_what_only_a_turn_or_a_scenario_has_is_told_there_alone(war: Built, box: Box) -> None:
    def said(scenario: str, turn: int, phase: str) -> str:
        game = table(war, scenario, turn)
        game.properties[names.NOW] = phase
        assert game.says("sayNotes") == (game.says("sayNews") or "** Nothing is noted for this phase.")
        return game.says("sayNews")

    for scenario in ("barbarossa", "campaign"):
        first = said(scenario, 1, "Axis Panzer Movement")
        assert "infantry outside Romania and Hungary may move one hex" in first and "stays there on this turn" in first
        assert "stays there" in said(scenario, 1, "Axis General Movement") and "two columns" in said(scenario, 1, "Axis Combat")
        assert "delete its marker" in said(scenario, 1, "Soviet Reinforcement/Replacement")
        assert said(scenario, 2, "Axis Panzer Movement") == ""
    soviet = "Soviet Reinforcement/Replacement"
    assert "shock army" in said("barbarossa", 5, soviet) and "in place of a 6-6" not in said("campaign", 5, soviet)
    titles = {p.id: p.row.text("title") for p in box.pieces}
    due = [r for r in box["order_of_battle"] if (r.int("turn"), r.text("side")) == (13, "axis") and not r.flag("at_start")]
    arrive = [titles[r.text("piece")] for r in due if r.text("event") in ("reinforcement", "return", "aircraft", "leader")]
    uranus = said("uranus", 13, soviet)
    assert arrive and all(title in uranus for title in arrive) and "The Axis places its arrivals of this turn now" in uranus
    assert "The Axis places" not in said("blau", 13, soviet) + said("campaign", 13, soviet)
    assert "Soviet half only" in said("bagration", 25, soviet) and "Soviet half only" not in said("campaign", 25, soviet)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_notes_of_a_game_tell_its_rules_and_its_first_phase(war: Built, box: Box, scenario: str) -> None:
    """No button leads to the phase that play begins with: what it brings stands in the notes."""
    setup = setup_of(war, scenario)
    (note,) = (c for c in war.saves[setup.file].commands if isinstance(c, Note) and c.word == "NOTES")
    lines = note.text.split("|")
    assert lines[0] == setup.note and tuple(lines[1:-1]) == setup.notes
    game = table(war, scenario)
    assert game.properties[names.NOW] == tracker.first_phase(box, war.layout, scenario)
    assert lines[-1] == f"Play begins with {game.properties[names.NOW]}. {game.says('sayNews').removeprefix('** ')}"


@pytest.mark.rule("gpw", "23.1.3.A")
@pytest.mark.rule("gpw", "23.1.3.B")
def test_with_initiative_the_phases_are_those_of_the_first_and_the_second_player(war: Built, box: Box) -> None:
    """A set-up has them in place of the sides' own, behind the list that games of 1.0.0 know; the marker says whose they are."""
    (setup,) = (s for s in war.layout.play.setups if s.halves)
    save, listed = war.saves[setup.file], war.module.trackers[0].levels[0].below[0].values
    inner = save.turns["TurnTracker0"].split("|")[1].split(";", 4)[4].split("\\;")
    flags = inner[3].split(",")
    on = [name for name, flag in zip(listed, flags, strict=True) if flag == "true"]
    kinds = ["Reinforcement/Replacement", "Rail Movement", "Armoured Movement", "Combat", "General Movement"]
    halves = [f"{half}: {kind}" for half in ("First player", "Second player") for kind in kinds]
    assert on == ["Initiative", *halves, "End of Both Halves"] and listed[int(inner[0])] == "Initiative"
    game = Table(war, save, "Axis")
    assert (game.properties[names.HALVES], game.properties[names.NOW]) == ("yes", "Initiative")
    sides = {"axis": ["Axis Panzer Movement", "Soviet Armored Movement"], "soviet": ["Soviet Armored Movement", "Axis Panzer Movement"]}
    for first, (mine, other) in sides.items():
        if first == "soviet":
            game.choose(game.of("first-player"), "Turn over")
        for half, expected in (("First player", mine), ("Second player", other)):
            game.properties["Phase"] = f"{half}: Armoured Movement"
            assert game.work("workPhase") == expected
    game.properties["Phase"] = "Initiative"
    assert game.work("workPhase") == "Initiative"


def test_games_without_initiative_pass_over_its_phases(war: Built, box: Box) -> None:
    """A save of 1.0.0 has no switches for them; the client takes them for switched on."""
    frozen = next(r for r in read_frozen(data_root() / GAME / "frozen.csv") if r.trait == "turn tracker 0")
    listed = war.module.trackers[0].levels[0].below[0].values
    old = sequence.decode(frozen.text, ",")
    assert list(listed[: len(old)]) == old and len(listed) > len(old)
    (button,) = (b for b in war.all("module.DoActionButton") if b.get("name") == "PassOver")
    (following,) = (b for b in war.all("module.DoActionButton") if b.get("name") == "NextPhase")
    assert [key(k).name for k in sequence.decode(button.get("hotkeys"), ",")] == ["nextPhase"] and button.get("loopType") == "while"
    sent = [key(k).name for k in sequence.decode(following.get("hotkeys"), ",")]
    assert sent.index("nextPhase") < sent.index("passOver") < sent.index("workPhase") < sent.index("sayNews")
    game = table(war, "uranus")
    for halves, names_ in (("no", listed[len(old) :]), ("yes", ())):
        game.properties[names.HALVES] = halves
        for name in listed:
            game.properties["Phase"] = name
            assert game.asks(button.get("whileExpression")) is (name in names_), name


def test_the_card_of_a_set_up_is_the_board_of_its_window(war: Built) -> None:
    for setup in war.layout.play.setups:
        (board,) = war.saves[setup.file].boards[SETUP]
        # Set-ups of one scenario share its card.
        assert board.name == f"{SETUP}: {setup_of(war, setup.scenario).name}"
    (window,) = (m for m in war.all("module.Map") if m.get("mapName") == SETUP)
    assert window.get("launch") == "true" and window.get("buttonName") == SETUP
    (default,) = (e for e in window.iter() if e.name == "setup")
    assert default.text == f"{SETUP}BoardPicker\t{SETUP}: Operation Barbarossa\t0\t0"


def test_dice_say_what_they_are_for(war: Built) -> None:
    dice = {d.get("name"): (d.get("nDice"), d.get("nSides"), d.get("tooltip")) for d in war.all("module.DiceButton")}
    assert {name: d[:2] for name, d in dice.items()} == {
        "Combat": ("1", "6"),
        "Weather": ("1", "6"),
        "Air": ("2", "6"),
        "Lend Lease": ("1", "6"),
        "Romania": ("1", "6"),
        "Initiative": ("2", "6"),
        "Variant": ("1", "6"),
    }
    assert all(re.search(r"\(\d+\.\d", tooltip) for _, _, tooltip in dice.values())
    menus = {m.get("text"): sequence.decode(m.get("menuItems"), ",") for m in war.all("module.ToolbarMenu")}
    assert menus == {
        "Events": ["Romania defects", "Hungary surrenders", "Slovakia surrenders"],
        "Other dice": ["Lend Lease", "Romania", "Initiative", "Variant"],
    }


def test_the_seats_are_the_two_sides_and_those_that_look_after_a_game(war: Built) -> None:
    (roster,) = war.all("module.PlayerRoster")
    assert [e.text for e in roster.children] == ["Axis", "Soviet", "Referee", "Solo"]
    assert [e.get("name") for e in war.root.iter() if e.name == M + "PredefinedSetup"] == [
        "Operation Barbarossa",
        "Fall Blau",
        "Operation Uranus",
        "Operation Citadel",
        "Operation Bagration",
        "Campaign",
        "Campaign, with initiative",
    ]


def test_what_binds_a_unit_is_shown_under_the_mouse(war: Built, box: Box) -> None:
    viewers = war.all("module.map.CounterDetailViewer")
    assert {v.get("counterReportFormat") for v in viewers} == {"$PieceName$ $Note$"}
    game = table(war, "blau")
    for piece in box.pieces:
        note = game.of(piece.id).marker("Note")
        assert "{" not in note
        if piece.row.flag("garrison"):
            assert note.startswith("never leaves"), piece.id
        if piece.row.text("kind") == "LDR":
            assert note == f"command radius {piece.row.text('radius')}"


def test_ranges_hold_across_the_two_maps(war: Built, box: Box) -> None:
    """Between zones the client measures by the grid below them: it must have the hexes of both, and name nothing itself."""
    (found,) = (m for m in war.module.maps if m.name == MAIN)
    zoned = found.boards[0].grid
    assert isinstance(zoned, ZonedGrid) and isinstance(zoned.background, HexGrid) and zoned.background.numbering is None
    sheet, below = plan.sheet(war.layout, box), zoned.background
    raw = {row.key: below.raw(*sheet.centre(row.key)) for row in box["hexes"]}
    assert all(below.centre(*raw[h]) == sheet.centre(h) for h in raw) and len(set(raw.values())) == len(raw)
    (drawn,) = (e for e in war.root.iter() if e.name.endswith(".ZonedGrid") and any(c.get("name") == "Map A" for c in e.children))
    assert [c.get("snapTo") for c in drawn.children if c.name.endswith(".HexGrid")] == ["false"]
