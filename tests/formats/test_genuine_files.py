"""Everything the engine wrote is read and comes back the same; what it says about hexes is what our grid says."""

from __future__ import annotations

import io
import itertools
import json
import re
import zipfile
from pathlib import Path

import pytest

from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal import obfuscation, saves
from modgen.formats.vassal.buildfile import Module, read_module
from modgen.formats.vassal.pieces import Basic, Piece, basic_of, parse_deck, parse_definition, parse_piece, parse_stack
from modgen.formats.vassal.replay import Game, LivePiece
from modgen.formats.vassal.turns import advance, initial, parse_state, shown
from modgen.formats.vassal.xml import from_bytes, to_bytes
from tests.formats.files import CLUB, COOKBOOK, LOGS, MODULES, SAMPLE, SAMPLES, SAVES, module_of, name

BOTH = [*SAVES, *LOGS]
FORGOTTEN = re.compile(r"Old(Zone|LocationName|DeckName|X|Y|Board|Map)|Clicked[XY]|ParentID")
"""Properties whose changes the engine logs as ``null``: they cannot be replayed."""


def raw(path: Path) -> bytes:
    with zipfile.ZipFile(path) as archive:
        return archive.read("savedGame")


def all_commands(path: Path) -> list[cmd.Command]:
    log = saves.read_log(path)
    return [*log.start.commands, *(command for step in log.steps for command in step.commands)]


def test_the_files_are_there() -> None:
    assert (len(SAVES), len(LOGS), len(MODULES)) == (6, 12, 3)


@pytest.mark.parametrize("path", BOTH, ids=name)
def test_decoding_and_encoding_gives_the_identical_file_text(path: Path) -> None:
    data = raw(path)
    text, form = obfuscation.reveal(data)
    assert obfuscation.conceal(text, form) == data
    assert cmd.join_tree(cmd.split_tree(text)) == text
    log = saves.read_log(path)
    assert log.text == text
    assert not log.stray and not log.start.notes


@pytest.mark.parametrize("path", BOTH, ids=name)
def test_every_command_is_known_and_comes_back(path: Path) -> None:
    log = saves.read_log(path)
    for _, text in (*log.start.tokens, *(token for step in log.steps for token in step.tokens)):
        command = cmd.parse_command(text)
        assert str(command) == text
        inner = command.command if isinstance(command, cmd.Log) else command
        assert not isinstance(inner, cmd.Unknown | cmd.Other)


@pytest.mark.parametrize("path", BOTH, ids=name)
def test_every_piece_stack_and_deck_comes_back(path: Path) -> None:
    pieces = 0
    for command in all_commands(path):
        if not isinstance(command, cmd.AddPiece):
            continue
        if command.is_stack:
            assert str(parse_stack(command.state, command.id)) == str(command)
        elif command.is_deck:
            assert str(parse_deck(command.type, command.state, command.id)) == str(command)
        else:
            pieces += 1
            piece = parse_piece(command.type, command.state, command.id)
            assert str(piece) == str(command)
            assert basic_of(command.type, command.state) == piece.basic
            live = LivePiece(command.id, command.type, command.state)
            assert (live.name_and_gpid, live.place, live.markers()) == ((piece.name, piece.gpid), piece.place, piece.markers())
            layers = [(trait.text, trait.state) for trait in piece.traits if trait.id == "emb2"]
            assert list(zip(*live.some("emb2;"), strict=True)) == layers
            assert str(piece.with_basic(piece.basic)) == str(command)
            assert piece.basic.prop("UniqueID") == piece.id
    assert pieces


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_every_definition_of_a_module_comes_back(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        root = from_bytes(archive.read("buildFile.xml"), "buildFile.xml")
    texts = [found.text.strip() for found in root.iter() if found.text.strip().startswith("+/")]
    assert len(texts) > 5
    for text in texts:
        assert str(parse_definition(text)) == text
    again = from_bytes(to_bytes(root), "again")
    assert [(e.name, e.attributes, e.text.strip()) for e in again.iter()] == [(e.name, e.attributes, e.text.strip()) for e in root.iter()]
    assert to_bytes(again) == to_bytes(root)


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_modules_are_read_without_a_note(path: Path) -> None:
    module = read_module(path)
    assert module.name and module.version and module.maps and module.slots and module.trackers and not module.notes
    for slot in module.slots:
        assert not any(trait.id == "prototype" for trait in module.expanded(slot).traits)


def test_a_module_says_what_it_holds() -> None:
    club = read_module(CLUB)
    assert (club.name, club.version, club.sides) == ("BfG Club", "0.4", ("Soviet", "Western Allied", "Solo"))
    assert len(club.slots) == 239 and len(club.prototypes) == 4
    europe = club.map("Europe")
    assert europe is not None and (europe.boards[0].width, europe.boards[0].height) == (1460, 1516)
    assert [(die.name, die.dice, die.sides) for die in club.dice] == [("d6", 1, 6)]
    sample = read_module(SAMPLE / "sample.vmod")
    assert sample.setups == (("Campaign", "campaign.vsav"),) and sample.properties == {"Weather": "Clear", "VP": "0"}
    assert [(die.name, die.symbols) for die in sample.dice] == [("2d6", False), ("Chit", True)]
    assert [found.name for found in sample.maps] == ["Main Map", "Red hand"]
    assert read_module(COOKBOOK / "cookbook-demo.vmod").properties["TalkN"] == "0"


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_at_start_pieces_stand_where_the_module_says(path: Path) -> None:
    module = read_module(path)
    placed = 0
    for slot in module.slots:
        on = module.map(slot.map) if slot.at_start else None
        if on is not None and slot.location:
            placed += 1
            assert on.location_name(slot.x, slot.y) == slot.location
    assert placed >= 4


def places_told(module: Module, path: Path) -> list[tuple[str, str]]:
    """(what the engine called a place, what our grid calls it) wherever a log tells both name and pixel."""
    found: list[tuple[str, str]] = []

    def ours(map_name: str, x: int, y: int) -> str:
        on = module.map(map_name)
        assert on is not None
        return on.location_name(x, y, boards.get(map_name))

    log = saves.read_log(path)
    boards = log.start.boards
    states: list[Basic] = [piece.basic for piece in log.start.pieces.values()]
    types = {piece.id: piece.type for piece in log.start.pieces.values()}
    for step in log.steps:
        if any(isinstance(command, cmd.Undo) for command in step.commands):
            continue
        moves = [command for command in step.commands if isinstance(command, cmd.MovePiece)]
        for command in step.commands:
            if isinstance(command, cmd.AddPiece):
                types[command.id] = command.type
            if isinstance(command, cmd.ChangePiece) and command.id in types and types[command.id].find("piece;") >= 0:
                states.append(parse_piece(types[command.id], command.new).basic)
            told = re.fullmatch(r"\* .* moves (.+) -> (.+) \*", command.text) if isinstance(command, cmd.Chat) else None
            if told and moves:
                found.append((told[1], ours(moves[0].old_map, moves[0].old_x, moves[0].old_y)))
                found += [(told[2], ours(move.map, move.x, move.y)) for move in moves]
    for basic in states:
        if basic.prop("OldMap"):
            found.append((basic.prop("OldLocationName"), ours(basic.prop("OldMap"), int(basic.prop("OldX")), int(basic.prop("OldY")))))
    return found


@pytest.mark.parametrize("path", LOGS, ids=name)
def test_hex_names_in_reports_and_old_locations_are_our_grids_names(path: Path) -> None:
    told = places_told(read_module(module_of(path)), path)
    assert len(told) > 3
    assert [pair for pair in told if pair[0] != pair[1]] == []


def comparable(piece: Piece) -> tuple[object, ...]:
    basic = piece.basic
    props = {key: value for key, value in basic.props if not FORGOTTEN.fullmatch(key)}
    return ([(trait.text, trait.state) for trait in piece.traits[:-1]], basic.type, basic.map, basic.x, basic.y, basic.gpid, props)


@pytest.mark.parametrize(
    ("log", "save"),
    [
        (SAMPLE / "sample.vlog", SAMPLE / "sample.vsav"),
        (SAMPLE / "v3.7.26/sample.vlog", SAMPLE / "v3.7.26/sample.vsav"),
        (COOKBOOK / "cookbook-demo.vlog", COOKBOOK / "cookbook-demo.vsav"),
    ],
    ids=["sample", "v3.7.26", "cookbook"],
)
def test_replaying_a_log_to_its_end_gives_the_pieces_of_the_save_made_there(log: Path, save: Path) -> None:
    game = Game().run(all_commands(log))
    end = saves.read_save(save)
    assert game.pieces.keys() == end.pieces.keys()
    for piece_id, live in game.pieces.items():
        assert comparable(live.piece()) == comparable(end.pieces[piece_id])
    stacks = {(s.map, s.x, s.y, s.members) for s in game.stacks.values() if s.members}
    assert stacks == {(s.map, s.x, s.y, s.members) for s in end.stacks.values()}
    assert {d.id: (d.members, d.face_down) for d in game.decks.values()} == {d.id: (d.members, d.face_down) for d in end.decks.values()}
    assert game.turns == end.turns
    assert end.properties.items() <= game.properties.items()
    assert [(name, side) for name, side in game.players.values()] == [(p.name, p.side) for p in end.players]


def test_one_log_ends_where_the_next_one_of_its_chain_begins() -> None:
    ends: dict[str, tuple[str, int, int]] | None = None
    for number in ("01-t1-red-moves", "02-t1-red-fights", "03-t1-blue"):
        log = saves.read_log(SAMPLES / f"{number}.vlog")
        game = Game().run(log.start.commands)
        begins = {live.basic.gpid: live.place for live in game.pieces.values()}
        assert ends is None or begins == ends
        for step in log.steps:
            game.run(step.commands)
        ends = {live.basic.gpid: live.place for live in game.pieces.values()}


def test_steps_are_counted_as_the_answer_keys_count_them() -> None:
    for path in sorted(SAMPLES.glob("*.vlog")):
        key = json.loads((Path(__file__).parents[1] / f"data/vassal/bfg-club/{path.stem}.key.json").read_text("utf-8"))
        assert len(saves.read_log(path).steps) == key["steps_in_log"]
    assert len(saves.read_log(SAMPLE / "sample.vlog").steps) == 28


def test_players_stand_once_and_start_values_are_read() -> None:
    start = saves.read_save(SAMPLE / "sample-start.vsav")
    assert [(player.name, player.side) for player in start.players] == [("Alice", "Red")]
    assert start.properties == {("Module", "Weather"): "Clear", ("Module", "VP"): "5"}
    assert start.setup_placed and start.boards["Main Map"][0].name == "Board"
    assert start.metadata is not None and start.metadata.vassal_version.startswith("3.8")
    assert start.module is not None and start.module.name == "Oracle Sample"
    assert [deck.name for deck in start.decks.values()] == ["Events"]


@pytest.mark.parametrize("path", LOGS, ids=name)
def test_tracker_states_come_back_and_move_on_as_the_engine_moves_them(path: Path) -> None:
    module = read_module(module_of(path))
    tracker = module.trackers[0]
    states = [command.state for command in all_commands(path) if isinstance(command, cmd.Turn)]
    assert states
    for state in states:
        assert str(parse_state(state)) == state
        assert shown(tracker, parse_state(state)).phase
    if "live" in path.name:
        for before, after in itertools.pairwise(states):
            assert str(advance(tracker, parse_state(before))) == after
        assert str(initial(tracker)) == states[0]


def test_trackers_show_what_the_reports_say() -> None:
    tracker = read_module(CLUB).trackers[0]
    said = re.compile(r"\* \* (.+) -> (.+)")
    for path in sorted(SAMPLES.glob("*.vlog")):
        for step in saves.read_log(path).steps:
            chats = [match for c in step.commands if isinstance(c, cmd.Chat) and (match := said.fullmatch(c.text))]
            turns = [c for c in step.commands if isinstance(c, cmd.Turn)]
            for chat, turn in zip(chats, turns, strict=False):
                now = shown(tracker, parse_state(turn.state))
                assert now.text == chat[2] == f"Turn {now.turn}: {now.phase}"


@pytest.mark.parametrize("path", [*SAVES[:2], SAMPLE / "sample.vlog", SAMPLES / "01-t1-red-moves.vlog"], ids=name)
def test_a_file_that_is_written_again_holds_the_same_entries_in_the_engines_order(path: Path) -> None:
    log = saves.read_log(path)
    with zipfile.ZipFile(path) as archive:
        module_data, names = archive.read("moduledata"), archive.namelist()
    data = saves.write_log(None, log, module_data=module_data)
    assert data == saves.write_log(None, log, module_data=module_data)
    again = saves.read_log(data)
    assert again.text == log.text and again.start.metadata == log.start.metadata and again.start.module == log.start.module
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(io.BytesIO(data)) as new:
        assert new.namelist() == names == ["savedGame", "savedata", "moduledata"]
        assert new.read("savedGame") == old.read("savedGame") and new.read("moduledata") == module_data
