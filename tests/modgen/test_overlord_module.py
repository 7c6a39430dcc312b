"""From Overlord to Berlin as a module: its set-up, its order of play, what formations and units can do on the table."""

from __future__ import annotations

import random
import re

import pytest

from gamebox.load import data_root
from modgen.art import counters
from modgen.art.counters.pen import UNIT
from modgen.formats.vassal import sequence
from modgen.layout.places import zone_name
from modgen.vassal import help as player_aid
from modgen.vassal import names, prototypes
from modgen.vassal.ledger import read_ledger
from modgen.vassal.names import key_words

from .acting import Table
from .conftest import GAMES, Builder, Built

GAME = "overlord-to-berlin"
pytestmark = pytest.mark.skipif(GAME not in GAMES, reason="the game has no module here")


@pytest.fixture(scope="module")
def built(builder: Builder) -> Built:
    return builder(GAME)


@pytest.fixture
def play(built: Built) -> Table:
    return Table(built, built.save, "Solo")


def called(built: Built, place: str) -> str:
    """What the client calls a place of the tables: a zone, or a box."""
    box, board = built.box, built.layout.board
    if place in {row.key for row in box["zones"]}:
        return zone_name(board, box, place)
    return next(b.name for b in board.boxes if b.id == place)


def test_formations_stand_in_the_open_and_units_on_their_sides_display(built: Built, play: Table) -> None:
    main = built.layout.board.map
    displays = {d.side: d.name for d in built.layout.displays}
    for row in built.box["setups"]:
        piece = next(p for p in built.box.pieces if p.id == row.text("piece"))
        actor, place = play.of(piece.id), row.text("place")
        if piece.row.table == "formations":
            assert (actor.map, play.where(actor)) == (main, called(built, place)), piece.id
            assert actor.level == 1
        elif place in ("west-paratroops", "west-arrivals"):
            assert (actor.map, play.where(actor)) == (main, called(built, place)), piece.id
        else:
            assert actor.map == displays[piece.side], piece.id
            kind = built.box["boxes"][place].text("kind")
            home = next(p.name for p in built.box.pieces if p.id == place) if kind == "display" else ""
            assert play.where(actor).startswith(home) and ("box" in play.where(actor) or kind == "reserve"), piece.id
            assert actor.level == (2 if row.text("state") == "reduced" else 1), piece.id


def test_no_slot_of_a_display_holds_two_units(play: Table, built: Built) -> None:
    for display in built.layout.displays:
        at = [(a.x, a.y) for a in play.actors.values() if a.map == display.name]
        assert len(at) == len(set(at))


def test_control_of_the_allies_and_empty_tracks_at_the_start(play: Table, built: Built) -> None:
    for side in ("west", "soviet"):
        flags = [a for a in play.actors.values() if a.marker(names.MARKER_ID) == f"marker-control-{side}"]
        held = {zone_name(built.layout.board, built.box, z.key) for z in built.box["zones"] if z.text("start_control") == side}
        assert {play.where(a) for a in flags} == held and len(flags) == len(held)
    for row in built.box["tracks"]:
        marker = play.of(f"marker-pr-{row.key}")
        assert play.where(marker).endswith(f"PR {row.text('start')}")


def test_one_stratagem_lies_in_a_hand_before_play(play: Table, built: Built) -> None:
    hands = {room.name for d in built.layout.displays for room in d.rooms if room.id.endswith("-hand")}
    dealt = [a for a in play.actors.values() if a.marker(names.SAYS) and not a.deck]
    assert [(a.marker(names.MARKER_ID), play.where(a)) for a in dealt] == [("so-organ", "Soviet Stratagems in Hand")]
    assert "Soviet Stratagems in Hand" in hands
    counts = {pool: sum(r.int("count") for r in built.box["stratagems"] if r.text("pool") == pool) for pool in ("west", "soviet", "axis")}
    assert counts == {"west": 4, "soviet": 4, "axis": 7}


def test_the_tracker_has_every_step_of_the_order_of_play(built: Built) -> None:
    (level,) = built.all("module.turn.ListTurnLevel")
    listed = sequence.decode(level.get("list"), ",")
    rows = sorted(built.box["phases"], key=lambda r: r.int("order"))
    assert len(listed) == len(set(listed)) == len(rows), "each step has a name of its own"
    sides = {r.key: r.text("name") for r in built.box["sides"]}
    for name, row in zip(listed, rows, strict=True):
        begins = {"political": "Political", "economic": "Economic", "final": "Final"}.get(row.text("phase"), "")
        assert name.startswith(begins)
        if row.text("phase").endswith("_action"):
            assert "Action" in name
        if row.text("step") in ("draw_national", "event", "income", "spending"):
            assert sides[row.text("force")] in name


def test_all_face_up_says_so_only_when_a_formation_lies_turned_over(built: Built) -> None:
    (button,) = (e for e in built.all("module.GlobalKeyCommand") if e.get("name") == "All face up")
    says = button.get("reportFormat") or ""
    assert says.startswith('{Count("{Face_Level>1 && (') and says.endswith('>0 ? "All formations are turned face up" : ""}')
    formations = {p.id for p in built.box.pieces if (faces := built.layout.play.prototype(p).faces) and faces.kind == "flip"}
    assert formations and set(re.findall(r'UnitId==\\"([^"\\]+)', says)) == formations


def test_the_game_ends_after_turn_seven(built: Built) -> None:
    properties = {name: value for (_, name), value in built.save.properties.items()}
    assert properties[names.LAST_TURN] == "7"


def test_reinforcements_arrive_by_turn(play: Table, built: Built) -> None:
    due = {r.text("arrival"): r.int("turn") for r in built.box["reinforcements"] if r.text("place") == "west-reserve"}
    waiting = [a for a in play.actors.values() if play.where(a) == "Western Allied Reinforcements"]
    assert {a.marker(names.UNIT): int(a.marker("Arrives")) for a in waiting} == due
    for turn in range(1, 5):
        play.properties["GameTurn"] = str(turn)
        said = play.button("Reinforcements")
        come = {piece for piece, when in due.items() if when == turn}
        assert len(said) == len(come) and all(any(play.of(piece).name in line for line in said) for piece in come)
        for piece in come:
            formation = next(p for p in built.box.pieces if p.id == piece).row.table == "formations"
            assert (play.of(piece).map == built.layout.board.map) == formation
            assert "Strategic Reserve" in play.where(play.of(piece))


def test_western_formations_land_and_sail_where_the_map_lets_them(play: Table, built: Built) -> None:
    army = play.of("we-1us")
    zones = built.box["zones"]
    landing = [zone_name(built.layout.board, built.box, z.key) for z in zones if z.int("landing_limit") > 0]
    ports = [zone_name(built.layout.board, built.box, z.key) for z in zones if z.text("port") == "1"]
    for entry in landing:
        assert entry in play.menu(army)
    for entry in ports:
        assert f"{entry} (port)" in play.menu(army)
    assert sum(e.endswith("(port)") for e in play.menu(army)) == len(ports)
    standing = {(a.x, a.y) for a in play.actors.values() if play.where(a) == landing[0]}
    (line,) = play.choose(army, landing[0])
    assert play.where(army) == landing[0] and (army.x, army.y) not in standing, "beside the enemy, not on him"
    assert line == f"1 US Army lands in {landing[0]}"
    assert not set(landing) & set(play.menu(army)), "from the Reserve only"
    (line,) = play.choose(army, "To the Strategic Reserve")
    assert landing[0] in line and "Strategic Reserve" in play.where(army)


def test_units_and_cards_that_are_sent_fill_the_gaps_of_a_display(play: Table, built: Built) -> None:
    """Whatever has left a box, no counter comes to lie on another one while there is room."""
    luck, moved = random.Random(1944), 0
    held = {row.text("name"): row.int("capacity") for row in built.box["formations"]}
    units = [a for a in play.actors.values() if a.marker("Worth") == "" and a.marker("Class") in ("infantry", "armor")]
    units = [a for a in units if a.map in {d.name for d in built.layout.displays}]
    for _ in range(250):
        unit = luck.choice(units)
        side = next(d for d in built.layout.displays if d.name == unit.map)
        boxes = [n for n in held if n in play.menu(unit)]
        to = luck.choice([*boxes, "To the Strategic Reserve"])
        name = f"{to} box" if to in held else f"{side.name.removesuffix(' Display')} Strategic Reserve box"
        there = [a for a in play.actors.values() if play.where(a) == name and a is not unit]
        if len(there) >= held.get(to, 24):
            continue
        assert play.choose(unit, to) == [] and play.where(unit) == name
        assert (unit.x, unit.y) not in {(a.x, a.y) for a in there}, (unit.name, to)
        moved += 1
    assert moved > 150
    for _ in range(4):
        play.button("Axis: 3 operational")
        hand = [a for a in play.actors.values() if play.where(a) == "Axis Stratagems in Hand"]
        assert len({(a.x, a.y) for a in hand}) == len(hand)
        for card in luck.sample(hand, 2):
            play.choose(card, "Back to the deck")


def test_players_read_no_number_of_a_ruling_in_the_charts(built: Built) -> None:
    """They have no page where it stands; the rules index, which lists the rulings, is the one place for them."""
    assert not re.findall(r"\bR-[A-Z]+\d+", built.entries[player_aid.FILE].decode())
    assert re.findall(r"\bR-[A-Z]+\d+", built.entries[player_aid.RULES].decode())


def test_one_key_means_one_thing_on_all_counters(built: Built) -> None:
    meant: dict[str, set[tuple[str, str]]] = {}
    for part in prototypes.parts(built.box, built.layout, read_ledger(data_root() / GAME / "gpids.csv").numbers).values():
        for entry in part.aid:
            if entry.key:
                meant.setdefault(key_words(entry.key), set()).add((entry.menu, entry.does))
    for key, entries in meant.items():
        assert len({menu for menu, _ in entries}) == 1 or len({does for _, does in entries}) == 1 or key == "Ctrl+T", (key, entries)
    assert {menu for menu, _ in meant["Ctrl+T"]} == {"Declare target", "Answer the attack"}, "the same word, by either side"
    assert {menu for menu, _ in meant["Ctrl+R"]} == {"Lose a step"} and {menu for menu, _ in meant["Ctrl+D"]} == {"Clear declaration"}


def test_the_words_of_every_card_can_be_read_at_half_size(built: Built) -> None:
    """Six pixels of a capital's height at 100 %, three at 50 %: smaller letters run together."""
    layout = built.layout
    cards = {counters.marker_file(m): m for m in layout.counters.markers if layout.play.marker_prototype(m).card is not None}
    seen = 0
    for drawn in counters.drawings(built.box, layout):
        if drawn.file in cards:
            wide = cards[drawn.file].width or layout.counters.size
            for printed in drawn.prints:
                pixels = printed.height * wide / (drawn.width / counters.SCALE) * printed.squeeze * layout.counters.size / UNIT
                assert not printed.height or pixels >= 6.0, (drawn.file, printed.what, pixels)
                seen += 1
    assert seen > 24


def test_pockets_are_left_in_ports_by_germans(play: Table, built: Built) -> None:
    ports = [zone_name(built.layout.board, built.box, z.key) for z in built.box["zones"] if z.text("pocket") == "1"]
    unit = play.of("ax-80k")
    assert set(ports) <= set(play.menu(unit)) and not set(ports) & set(play.menu(play.of("ax-6romk")))
    (line,) = play.choose(unit, ports[0])
    assert play.where(unit) == ports[0] and "pocket" in line and "1.Armee" not in line
    assert play.choose(unit, "7.Armee") == [] and play.where(unit) == "7.Armee box", "a unit of a pocket may join a formation"


def test_used_formations_are_turned_face_up_together(play: Table) -> None:
    turned = [play.of(piece) for piece in ("ax-1a", "so-balt1", "we-5us")]
    for formation in turned:
        (line,) = play.choose(formation, "Turn over")
        assert formation.level == 2 and formation.name in line and "(used)" in line
    assert play.button("All face up") == []
    assert [a.level for a in play.actors.values() if a.marker("Capacity")] == [1] * 40


def test_actions_are_marked_and_the_next_phase_takes_the_marks_off(play: Table, built: Built) -> None:
    formation = play.of("so-bielo3")
    for entry, prop in (("First action used", "Acted"), ("Extra action (PR or stratagem)", "Extra"), ("Action lost", "Lost")):
        start = formation.state(prop)
        (line,) = play.choose(formation, entry)
        assert formation.state(prop) != start and formation.state(prop) in line and "44 Smolensk" in line
    play.choose(formation, "Out of supply")
    (clear,) = (b for b in built.all("module.GlobalKeyCommand") if b.get("name") == "Clear all marks")
    assert play.holds(clear.get("filter"), formation)
    play.press(formation, clear.get("hotkey"))
    assert not play.holds(clear.get("filter"), formation)
    assert formation.state("Supply") == "is out of supply", "supply is judged when it matters, no phase ends it"


def test_romanians_and_hungarians_are_never_in_the_piles(play: Table, built: Built) -> None:
    for unit in ("ax-4romk", "ax-6hunk"):
        actor = play.of(unit)
        play.choose(actor, "Eliminate")
        assert play.where(actor) == built.box["boxes"]["axis-destroyed"].text("name")


def test_every_formation_can_tell_its_strength(play: Table, built: Built) -> None:
    (line,) = play.choose(play.of("so-bielo3"), "Tell the strength")
    assert "44 Smolensk: Bielo 3 has strength 20 (column 16-20), half 10 (column 6-10), without elites" in line  # 11.3
    assert all("Tell the strength" in play.menu(a) for a in play.actors.values() if a.marker("Capacity"))


def test_every_purpose_has_a_die(built: Built) -> None:
    dice = {e.get("name"): (e.get("nDice"), e.get("nSides")) for e in built.all("module.DiceButton")}
    single = ("Combat", "Leave to retreat", "Pocket", "Paratroops return", "Bombardment", "Rethrow")
    assert {dice[name] for name in single} == {("1", "6")}
    assert {dice[name] for name in ("Western event", "Soviet event", "Axis event")} == {("2", "6")} and dice["Three dice"] == ("3", "6")
    assert all(e.get("tooltip") for e in built.all("module.DiceButton"))


def test_buttons_of_the_toolbar_menus_are_there(built: Built) -> None:
    texts = {e.get("text") or e.get("buttonText") for e in built.root.iter() if e.get("text") or e.get("buttonText")}
    for menu in built.all("module.ToolbarMenu"):
        items = sequence.decode(menu.get("menuItems"), ",")
        assert items and set(items) <= texts - {menu.get("text")}
