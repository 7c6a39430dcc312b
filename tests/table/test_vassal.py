"""Logs become table events: with the module, without it, in our modules and in foreign ones; never with a password in them."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gamebox.load import load_box
from gamebox.model import Box
from modgen.formats.errors import FormatError
from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal.archive import pack
from modgen.formats.vassal.buildfile import read_module
from modgen.formats.vassal.logwriter import LogWriter
from modgen.formats.vassal.newgame import new_game
from modgen.formats.vassal.pieces import Basic, build
from modgen.formats.vassal.saves import LogFile, SaveFile, read_log, save_tokens, write_log
from referee.table.adopt import PieceMap, adopt
from referee.table.events import NOWHERE, Spot, TableEvent, TableLog
from referee.table.vassal import module_at, read_vassal, read_vassal_bytes
from tests.formats.files import CLUB, COOKBOOK, DATA, LOGS, PASSWORDS, SAMPLE, SAMPLES, module_of, name

CLUB_LOGS = sorted(SAMPLES.glob("*.vlog"))


@pytest.fixture(scope="module")
def box() -> Box:
    return load_box("battle-for-germany")


@pytest.fixture(scope="module")
def names(box: Box) -> dict[str, str]:
    """Club counter's name -> piece id. Names are unique in it but for the nation."""
    return {m.foreign.name: m.piece for m in adopt(CLUB, box).matches}


def key_of(path: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((DATA / f"bfg-club/{path.stem}.key.json").read_text("utf-8"))
    return read


def of_kind(log: TableLog, *kinds: str) -> list[TableEvent]:
    return [event for event in log.events if event.kind in kinds]


def positions(log: TableLog, before: int) -> dict[str, Spot]:
    """Where every piece is before a step."""
    at = dict(log.start.at)
    undone = {int(e.value): e.step for e in log.events if e.kind == "undo"}
    for event in log.events:
        if event.step >= before or (event.undone and undone[event.step] < before):
            continue
        if event.kind in ("move", "place"):
            at[event.piece] = event.to
        elif event.kind == "remove":
            at.pop(event.piece, None)
    return at


@pytest.mark.parametrize("path", CLUB_LOGS, ids=name)
def test_a_log_says_what_its_answer_key_says(path: Path, box: Box, names: dict[str, str]) -> None:
    log, key = read_vassal(path, box, module=CLUB), key_of(path)
    assert log.steps == key["steps_in_log"] and log.seats == key["players"] and not log.notes
    assert (log.module, log.module_version, log.ours) == ("BfG Club", "0.4", False)
    checked = 0
    boxes = {row.text("name"): row.key for row in box["boxes"]} | {alias: row.key for row in box["boxes"] for alias in row.items("aliases")}
    for item in key["items"]:
        first, last = item["steps"]
        before, after = positions(log, first), positions(log, last + 1)
        phases = [(log.start.turn, log.start.phase), *((e.turn, e.phase) for e in of_kind(log, "phase") if e.step < first)]
        assert "Turn {}: {}".format(*phases[-1]) == item["phase"]
        acting = [e for e in log.events if first <= e.step <= last]
        assert {e.player for e in acting if e.player} <= {item["player"]}
        if item.get("die"):
            assert (item["die"],) in [e.faces for e in acting if e.kind == "roll"]
        if item["kind"] in ("move", "advance", "retreat", "courland", "exit", "replacement") and item["from"]:
            starts, ends = item["from"].split(", "), item["to"].split(", ")
            for unit in item["units"]:
                checked += 1
                assert before[names[unit]].name in [boxes.get(place, place) for place in starts]
                assert after[names[unit]].name in [boxes.get(place, place) for place in ends]
    assert checked or "02" in path.name


def without_tracker_words(log: TableLog) -> list[TableEvent]:
    """Events without the words in which a tracker shows itself: those need the module."""
    return [TableEvent(e.step, "phase", e.player, e.seat, turn=e.turn, phase=e.phase) if e.kind == "phase" else e for e in log.events]


@pytest.mark.parametrize("path", CLUB_LOGS, ids=name)
def test_without_the_module_a_log_tells_the_same(path: Path, box: Box) -> None:
    with_it, without = read_vassal(path, box, module=CLUB), read_vassal(path, box)
    assert without.start == with_it.start
    assert without_tracker_words(without) == without_tracker_words(with_it)
    assert without.notes == ()


@pytest.mark.parametrize("path", CLUB_LOGS, ids=name)
def test_with_a_mapping_a_log_tells_the_same(path: Path, box: Box) -> None:
    mapping = adopt(CLUB, box).mapping
    assert read_vassal(path, box, module=CLUB, mapping=mapping) == read_vassal(path, box, module=CLUB)
    exchange = {"su-1-gds-inf": "su-2-gds-inf", "su-2-gds-inf": "su-1-gds-inf"}
    swapped = PieceMap(tuple(replace(m, piece=exchange.get(m.piece, m.piece)) for m in mapping.matches))
    start = read_vassal(path, box, module=CLUB).start.at
    other = read_vassal(path, box, module=CLUB, mapping=swapped).start.at
    assert (other["su-1-gds-inf"], other["su-2-gds-inf"]) == (start["su-2-gds-inf"], start["su-1-gds-inf"])


def test_the_historical_set_up_is_read_to_the_last_counter(box: Box) -> None:
    log = read_vassal(SAMPLES / "06-live-turn1.vlog", box)
    hist = dict(box.setup("hist"))
    courland = set(box["regions"]["courland"].items("hexes"))
    assert log.start.at.keys() == hist.keys()
    for piece, place in hist.items():
        spot = log.start.at[piece]
        assert spot.known and (spot.name == place or (place == "courland" and spot.name in courland))
    assert (log.start.turn, log.start.phase, log.start.markers, log.start.flipped) == (1, "Soviet Replacement Phase", (), frozenset())


@pytest.mark.parametrize("path", [*LOGS, SAMPLE / "sample.vsav"], ids=name)
def test_no_password_is_anywhere_in_what_is_read(path: Path, box: Box) -> None:
    for module in (None, module_of(path)):
        told = repr(read_vassal(path, box, module=module))
        assert not any(word in told for word in PASSWORDS)


def test_an_undone_move_is_marked_and_its_step_named(box: Box) -> None:
    log = read_vassal(SAMPLES / "06-live-turn1.vlog", box)
    assert [(e.step, e.kind, e.piece) for e in log.events if e.undone] == [(9, "move", "su-1-rom")]
    assert [(e.step, e.value) for e in of_kind(log, "undo")] == [(10, "9")]


def test_moves_beyond_the_map_and_into_boxes(box: Box) -> None:
    log = read_vassal(SAMPLES / "07-t3-east.vlog", box, module=CLUB)
    exits = [e for e in of_kind(log, "move") if e.piece == "eg-17"]
    assert [e.to for e in exits] == [Spot("1126"), Spot("off")]
    lost = next(e for e in of_kind(log, "move") if e.step == 4)
    assert (lost.piece, lost.frm, lost.to) == ("eg-2", Spot("3822"), Spot("box-eg"))
    module = read_module(CLUB)
    writer = started(module)
    writer.move([piece_named(writer, "11 Gds 7-7-4")], 30 + 44 * 26, 678, report=False)
    event = read_written(writer, box, module=CLUB).events[0]
    assert event.to == Spot("2227", known=False)


def test_a_supply_marker_is_a_label_and_deleting_is_removing(box: Box) -> None:
    placed = of_kind(read_vassal(SAMPLES / "04-kurland-offensive.vlog", box), "place")
    assert [(e.step, e.piece, e.label, e.frm, e.to, e.player) for e in placed] == [(2, "", "Supply", NOWHERE, Spot("3723"), "Red Player")]
    removed = of_kind(read_vassal(SAMPLES / "05-cup-turn6.vlog", box), "remove")
    assert [(e.step, e.piece, e.frm, e.to) for e in removed] == [(16, "we-19-us", Spot("2204"), NOWHERE)]


def test_chat_is_unescaped_and_reports_of_moves_and_phases_are_not_repeated(box: Box) -> None:
    log = read_vassal(SAMPLES / "05-cup-turn6.vlog", box)
    chats = of_kind(log, "chat")
    assert chats[0].text == "Verstärkungen: 30 Brit and 1 Brit" and chats[0].player == "Blue Player"
    assert [e.text for e in chats if not e.player] == ["67 Krps 3-5-4 is out: Destroyed West Germans *"]


# --------------------------------------------------------------------------------- other modules of the engine


def test_the_sample_log_shows_every_kind_of_event(box: Box) -> None:
    log = read_vassal(SAMPLE / "sample.vlog", box, module=SAMPLE / "sample.vmod")
    assert log.client == "VASSAL 3.8.0-SNAPSHOT" and log.seats == {"Alice": "Red", "Bob": "Blue"}
    rolls = of_kind(log, "roll")
    assert [(e.value, e.faces, e.player, e.seat) for e in rolls] == [("2d6", (5, 3), "Alice", "Red"), ("Chit", (0,), "Alice", "Red")]
    flips = of_kind(log, "flip")
    assert [(e.step, e.label, e.value, e.text) for e in flips] == [(6, "Red 1st", "1", "Step")]
    assert [(e.step, e.turn, e.phase) for e in of_kind(log, "phase")] == [(18, 1, "Red Combat"), (19, 1, "Blue Move")]
    changed = [(e.step, e.label, e.text, e.value) for e in of_kind(log, "property")]
    assert (7, "Red 1st", "Hits", "2") in changed and (21, "", "VP", "6") in changed and (10, "Red 2nd", "masked", "1") in changed
    assert [(e.step, e.label, e.to.name) for e in of_kind(log, "place")] == [
        (13, "Disrupted", "0604"),
        (14, "Red Reserve", "0202"),
        (15, "Control", "0505"),
    ]
    moves = [(e.step, e.label, e.frm.name, e.to.name) for e in of_kind(log, "move")]
    assert (12, "Event 4", "Events", "Red hand") in moves and (16, "Blue 2nd", "0705", "Dead Pile") in moves
    undone = [(e.label, e.frm, e.to) for e in log.events if e.undone and e.kind == "move"]
    assert undone == [("Blue 1st", Spot("0604"), Spot("Box 1", False))]
    assert [(e.step, e.label) for e in of_kind(log, "remove")] == [(24, "Disrupted")]
    assert log.events[-1].player == "Bob" and log.events[-1].seat == "Blue"


def test_table_talk_is_told_and_taken_back(box: Box) -> None:
    log = read_vassal(COOKBOOK / "cookbook-demo.vlog", box, module=COOKBOOK / "cookbook-demo.vmod")
    talk = of_kind(log, "talk")
    assert talk[0].text == "ATT|1|R1|0309|Red Player" and talk[-1].text == "RES|5|0510|9|3|x3|1-1|3|A1"
    assert not any(e.text == "TalkN" for e in of_kind(log, "property"))
    assert [e.faces for e in of_kind(log, "roll")] == [(3,), (3,)]
    undos = of_kind(log, "undo")
    assert [(e.step, e.value) for e in undos] == [(13, "12"), (15, "14")]
    assert {e.step for e in log.events if e.undone} == {12, 14}
    assert [(e.step, e.turn, e.phase, e.undone) for e in of_kind(log, "phase")] == [
        (2, 1, "Red Combat", False),
        (14, 1, "Blue Move", True),
        (16, 1, "Blue Move", False),
        (18, 1, "Blue Combat", False),
        (19, 2, "Red Move", False),
    ]


def test_a_log_alone_of_another_module_is_read_as_far_as_it_goes(box: Box) -> None:
    for path in (SAMPLE / "sample.vlog", COOKBOOK / "cookbook-demo.vlog"):
        alone = read_vassal(path, box)
        with_it = read_vassal(path, box, module=module_of(path))
        assert [e.step for e in of_kind(alone, "phase", "roll", "undo")] == [e.step for e in of_kind(with_it, "phase", "roll", "undo")]
        assert not alone.start.at and len(alone.start.markers) == len(with_it.start.markers)
    phases = of_kind(read_vassal(COOKBOOK / "cookbook-demo.vlog", box), "phase")
    assert [(e.turn, e.phase) for e in phases][-1] == (2, "Red Move")


# --------------------------------------------------------------------------------------------- written on purpose


ANN = cmd.Player("hunter2", "Ann", "Soviet")
BEN = cmd.Player("letmein", "Ben", "Western Allied")


def started(module: Any, *players: cmd.Player) -> LogWriter:
    return LogWriter(new_game(module, players=players or (ANN, BEN)), module, ANN)


def piece_named(writer: LogWriter, wanted: str) -> str:
    return next(live.id for live in writer.game.pieces.values() if live.basic.name == wanted)


def read_written(writer: LogWriter, box: Box, **options: Any) -> TableLog:
    return read_bytes(write_log(None, writer.log()), box, **options)


def read_bytes(data: bytes, box: Box, *, module: Path | None = None, mapping: PieceMap | None = None) -> TableLog:
    return read_vassal_bytes(data, "x.vlog", box, module=read_module(module) if module else None, mapping=mapping)


def log_of(start: SaveFile, steps: Iterable[Iterable[cmd.Command]]) -> bytes:
    """A log of these steps, every command after the first one level deeper."""
    text = start.text
    for step in steps:
        for index, command in enumerate(step):
            text += ("\\" if index else "") + cmd.ESC + str(cmd.Log(command))
    return pack([("savedGame", text.encode("utf-8"))])


def test_a_bare_save_of_a_set_up_shows_where_its_grid_lies(box: Box) -> None:
    start = new_game(read_module(CLUB), players=[ANN])
    log = read_bytes(log_of(start, []), box)
    hist = dict(box.setup("hist"))
    assert {piece: spot.name for piece, spot in log.start.at.items() if hist[piece] != "courland"} == {
        piece: place for piece, place in hist.items() if place != "courland"
    }
    assert all(spot.known for spot in log.start.at.values())
    heap = [piece.placed("Europe", 500 + 3 * index, 500) for index, piece in enumerate(start.pieces.values())]
    log = read_bytes(log_of(SaveFile("x", save_tokens(heap)), []), box)
    assert len(log.start.at) == 119 and not any(spot.known for spot in log.start.at.values())


def test_an_undone_die_is_no_second_roll(box: Box) -> None:
    writer = started(read_module(CLUB))
    writer.roll("d6", [2])
    writer.undo()
    writer.roll("d6", [5])
    log = read_written(writer, box)
    assert [(e.step, e.faces, e.undone) for e in of_kind(log, "roll")] == [(1, (2,), True), (3, (5,), False)]
    assert not of_kind(log, "chat")


def test_undo_finds_its_step_behind_other_peoples_steps_and_goes_on_backwards(box: Box) -> None:
    module = read_module(CLUB)
    writer = started(module)
    unit = piece_named(writer, "11 Gds 7-7-4")
    writer.move_to([unit], "3425")
    writer.chat("hm")
    writer.undo()
    writer.undo()
    log = read_written(writer, box, module=CLUB)
    assert [(e.step, e.value) for e in of_kind(log, "undo")] == [(3, "2"), (4, "1")]
    assert {e.step for e in log.events if e.undone} == {1, 2}
    # The undo of an earlier step while a later one of somebody else stands.
    steps = log_steps(writer)
    mixed = log_of(writer.start, [steps[0], [cmd.Chat("&lt;Ben&gt; - wait")], steps[3]])
    log = read_bytes(mixed, box)
    assert [(e.step, e.value) for e in of_kind(log, "undo")] == [(3, "1")]
    # An undo that was itself taken back: the move stands again.
    back: list[cmd.Command] = [cmd.Undo(True), *(c for c in steps[0] if isinstance(c, cmd.MovePiece)), cmd.Undo(False)]
    move: list[cmd.Command] = [c for c in steps[0] if isinstance(c, cmd.MovePiece)]
    inverse: list[cmd.Command] = [cmd.Undo(True), *(c for c in steps[3] if isinstance(c, cmd.MovePiece)), cmd.Undo(False)]
    log = read_bytes(log_of(writer.start, [move, inverse, back]), box)
    assert [(e.step, e.value, e.undone) for e in of_kind(log, "undo")] == [(2, "1", True), (3, "2", False)]
    assert not any(e.undone for e in of_kind(log, "move"))


def log_steps(writer: LogWriter) -> list[tuple[cmd.Command, ...]]:
    return [step.commands for step in writer.log().steps]


def test_dice_are_read_in_every_way_they_are_told(box: Box) -> None:
    start = new_game(read_module(CLUB), players=[ANN, BEN])

    def prop(name: str, new: str) -> cmd.Command:
        return cmd.PropertyChange(name, "", new, "Module")

    def said(text: str) -> cmd.Command:
        return cmd.Chat(text)

    total = [said("*** 3d6 = 12 *** <Ben>"), prop("3d6_result", "12"), prop("3d6_summary", "3 x1, 4 x1, 5 x1")]
    silent = [prop("d10_result", "7"), prop("d10_total", "7"), prop("d10_keep", "1")]
    twice = [said("*** d6 = 1 *** <Ann>"), prop("d6_result", "1"), said("*** d6 = 6 *** <Ann>"), prop("d6_result", "6")]
    words = [[said("&lt;Ann&gt; - *** d6 = 6 *** <Ann>")], [said("*** RESULT 1-1 die 3 = A1")], [prop("battle_result", "won")]]
    old = [said("*** d6 = 4 *** <Ann>")]
    log = read_bytes(log_of(start, [total, silent, twice, old, *words]), box)
    assert [(e.step, e.value, e.faces, e.player) for e in of_kind(log, "roll")] == [
        (1, "3d6", (3, 4, 5), "Ben"),
        (2, "d10", (7,), ""),
        (3, "d6", (1,), "Ann"),
        (3, "d6", (6,), "Ann"),
        (4, "d6", (4,), "Ann"),
    ]
    assert [(e.step, e.player, e.text) for e in of_kind(log, "chat", "property")] == [
        (5, "Ann", "*** d6 = 6 *** <Ann>"),
        (6, "", "** RESULT 1-1 die 3 = A1"),
        (7, "", "battle_result"),
    ]


def test_players_are_told_apart_by_their_ids_and_take_their_seats(box: Box) -> None:
    module = read_module(CLUB)
    twin = cmd.Player("third", "Ann", "<observer>")
    writer = LogWriter(new_game(module, players=[ANN, BEN]), module, ANN)
    unit = piece_named(writer, "11 Gds 7-7-4")
    writer.move_to([unit], "3425")
    writer.act_as(BEN)
    writer.move_to([unit], "3426")
    writer.act_as(cmd.Player("nobody knows", "Eve", "Soviet"))
    writer.move_to([unit], "3425")
    writer.join(twin)
    writer.chat("a &amp; b <c>")
    log = read_written(writer, box)
    assert [(e.player, e.seat) for e in of_kind(log, "move")] == [("Ann", "Soviet"), ("Ben", "Western Allied"), ("", "")]
    assert log.seats == {"Ann": "", "Ben": "Western Allied"}
    assert not any(word in repr(log) for word in ("hunter2", "letmein", "third", "nobody knows"))


def test_broken_and_unknown_commands_are_notes_with_their_step_and_without_their_text(box: Box) -> None:
    start = new_game(read_module(CLUB), players=[ANN])
    unit = next(iter(start.pieces))
    broken: list[cmd.Command] = [
        cmd.Unknown(f"M/{unit}/Europe/hunter2/7/null/Europe/1/2/null/hunter2"),
        cmd.Unknown("WIZARDRY\thunter2"),
        cmd.Unknown("D/999/hunter2"),
        cmd.MovePiece("999", "Europe", 1, 1, "", "Europe", 2, 2, "", "hunter2"),
        cmd.Unknown("+/5/x"),
    ]
    log = read_bytes(log_of(start, [[command] for command in broken]), box, module=CLUB)
    assert log.notes == (
        "step 1: broken command: a whole number is expected where something else stands",
        "step 2: unknown command WIZARDRY",
        "step 3: a piece that is not on the table is changed",
        "step 4: a piece that is not on the table is moved",
        "step 5: broken command: an added piece is written +/id/type/state",
    )
    assert not log.events and log.steps == 5


def test_notes_do_not_grow_without_end(box: Box) -> None:
    start = new_game(read_module(CLUB))
    log = read_bytes(log_of(start, [[cmd.Unknown("X\t")]] * 500), box, module=CLUB)
    assert len(log.notes) == 201 and log.notes[-1] == "there are more notes; they were left out"


def test_two_counters_for_one_piece_are_told(box: Box) -> None:
    start = new_game(read_module(CLUB))
    first = next(piece for piece in start.pieces.values() if piece.name == "11 Gds 7-7-4")
    double = first.named("5").placed("Europe", 932, 1058)
    both = SaveFile("x", save_tokens([*start.pieces.values(), double]))
    log = read_bytes(log_of(both, []), box, module=CLUB)
    assert log.start.at["su-11-gds-inf"] == Spot("3325")
    assert log.start.markers == (("11 Gds 7-7-4", Spot("1221")),)
    assert any("two counters stand for su-11-gds-inf" in note for note in log.notes)


def test_our_own_modules_are_known_by_their_marker_and_data_hash(box: Box) -> None:
    pieces = [
        build([("mark;UnitId,Side", f"{piece.id},x")], Basic(f"counter {n}", "", "Map", 100 + 44 * n, 50, str(n)), str(1000 + n))
        for n, piece in enumerate(box.pieces[:5])
    ]
    stranger = build([], Basic("1 Gds 7-7-4", "", "Map", 10, 10, "77"), "2000")
    data_hash = "ab" * 32
    start = SaveFile("x", save_tokens([*pieces, stranger], properties=[cmd.PropertyValue("Data", f"data {data_hash}", "Module")]))
    log = read_bytes(log_of(start, []), box)
    assert set(log.start.at) == {piece.id for piece in box.pieces[:5]}
    assert (log.ours, log.data_hash) == (True, data_hash)
    # In a module of ours nothing is guessed from names.
    assert [label for label, _ in log.start.markers] == ["1 Gds 7-7-4"]


def test_a_pieces_own_state_may_carry_a_place(box: Box) -> None:
    start = new_game(read_module(CLUB))
    unit = next(piece for piece in start.pieces.values() if piece.name == "11 Gds 7-7-4")
    moved = unit.placed("Europe", 932, 1058)
    whole, merged = cmd.ChangePiece(unit.id, moved.state), cmd.ChangePiece(unit.id, unit.state, moved.state)
    log = read_bytes(log_of(start, [[whole], [merged]]), box, module=CLUB)
    assert [(e.kind, e.piece, e.frm.name, e.to.name) for e in log.events] == [
        ("move", "su-11-gds-inf", "3325", "1221"),
        ("move", "su-11-gds-inf", "1221", "3325"),
    ]


def test_a_flip_is_told_by_its_layer_and_seen_in_the_start(box: Box) -> None:
    writer = started(read_module(CLUB))
    unit = piece_named(writer, "11 Gds 7-7-4")
    writer.set_layer(unit, "Back", 2)
    writer.set_layer(unit, "Back", 1)
    log = read_written(writer, box)
    assert [(e.piece, e.value) for e in of_kind(log, "flip")] == [("su-11-gds-inf", "1"), ("su-11-gds-inf", "0")]
    writer = started(read_module(CLUB))
    writer.set_layer(unit, "Back", 2)
    flipped = SaveFile("x", save_tokens([live.piece() for live in writer.game.pieces.values()]))
    assert read_bytes(log_of(flipped, []), box).start.flipped == {"su-11-gds-inf"}


def test_another_version_or_module_is_noted(box: Box) -> None:
    assert read_vassal(SAMPLE / "sample.vlog", box, module=CLUB).notes[0] == (
        "the log was played with the module Oracle Sample; the module given is BfG Club"
    )
    log = read_log(SAMPLES / "01-t1-red-moves.vlog")
    assert log.start.module is not None
    newer = replace(log.start.module, version="0.5")
    data = write_log(None, LogFile(replace(log.start, module=newer), log.steps))
    assert "version 0.5 of the module; the one given is 0.4" in read_bytes(data, box, module=CLUB).notes[0]


def test_what_is_no_log_is_refused(box: Box, tmp_path: Path) -> None:
    (tmp_path / "x.vlog").write_text("hello")
    with pytest.raises(FormatError, match="is no zip archive"):
        read_vassal(tmp_path / "x.vlog", box)
    with pytest.raises(FormatError, match="is a module"):
        read_vassal(CLUB, box)
    with pytest.raises(FormatError, match=r"a module \(\.vmod\) is expected"):
        read_vassal(SAMPLES / "01-t1-red-moves.vlog", box, module=SAMPLES / "01-t1-red-moves.vlog")


def test_reading_twice_gives_the_same(box: Box) -> None:
    path = SAMPLES / "03-t1-blue.vlog"
    assert read_vassal(path, box) == read_vassal(path, box)


def test_a_played_game_written_and_read_back_is_the_same_play(box: Box, names: dict[str, str]) -> None:
    module = read_module(CLUB)
    writer = started(module)
    ids = {live.basic.name: live.id for live in writer.game.pieces.values()}
    plan = [("8 Gds 7-7-4", "2626"), ("5 Gds Tk 6-4-6", "2825"), ("8 Gds 7-7-4", "2725"), ("65 Krps 4-5-5", "1907")]
    for unit, to in plan:
        writer.move_to([ids[unit]], to)
    for options in ({}, {"module": CLUB}):
        log = read_written(writer, box, **options)
        assert [(e.piece, e.to.name) for e in of_kind(log, "move")] == [(names[unit], to) for unit, to in plan]


def test_a_module_is_read_again_when_its_file_holds_something_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when it is as long as before, was written in the same moment, or was given its old time back. Else its file is not opened."""
    path = tmp_path / "m.vmod"

    def written(name: str) -> None:
        path.write_bytes(pack([("buildFile.xml", f'<VASSAL.build.GameModule name="{name}" version="1"/>'.encode())]))

    for word in ("A", "B"):
        written(word)
        assert module_at(path).name == word
    its, later = path.stat(), time.time_ns() + 10**10
    monkeypatch.setattr(time, "time_ns", lambda: later)
    kept = module_at(path)
    with monkeypatch.context() as patch:
        patch.setattr(hashlib, "file_digest", None)
        assert module_at(path) is kept
    written("C")
    os.utime(path, ns=(its.st_atime_ns, its.st_mtime_ns))
    assert module_at(path).name == "C"
