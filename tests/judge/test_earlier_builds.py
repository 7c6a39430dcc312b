"""Saves and logs of earlier builds of our modules: the module of today takes them, and judges them as its own, also mixed with its own."""

from __future__ import annotations

import csv
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal import sequence
from modgen.formats.vassal.buildfile import Module, read_module
from modgen.formats.vassal.newgame import predefined
from modgen.formats.vassal.pieces import Piece, Trait
from modgen.formats.vassal.saves import SaveFile, read_log, read_save, save_tokens, write_log
from modgen.formats.vassal.turns import parse_state
from referee.audit.run import audit_file
from referee.table.writing import write_game
from tests.judge.games_as_logs import GAME, SEATS, book_of, engine_box, played

BUILDS = sorted(path for path in (Path(__file__).resolve().parents[1] / "data" / "builds").iterdir() if path.is_dir())
SIDES = tuple((player, SEATS[player]) for player in ("soviet", "western-allied"))


@pytest.fixture(scope="module")
def today(built_module: Path) -> Module:
    return read_module(built_module)


@cache
def save(build: Path) -> SaveFile:
    return read_save((build / "historical.vsav").read_bytes())


def refreshed(old: Piece, slot: Piece) -> Piece:
    """A piece as Refresh Counters makes it anew: of its slot's definition, with the state of each trait whose complete text is the same
    (cookbook of the client, 7); markers take the new value."""
    states: dict[str, list[str]] = {}
    for trait in old.traits:
        states.setdefault(trait.text, []).append(trait.state)
    traits = tuple(
        trait if trait.text.startswith("mark;") or not states.get(trait.text) else Trait(trait.text, states[trait.text].pop(0))
        for trait in slot.traits
    )
    made = Piece(old.id, traits, slot.basic)
    return made.with_basic(replace(slot.basic, map=old.basic.map, x=old.basic.x, y=old.basic.y, props=old.basic.props))


def mixed(start: SaveFile, module: Module, every: int) -> SaveFile:
    """A save in which one of ``every`` pieces was made anew from the module's slots, the others are as they were."""
    slots = {slot.gpid: module.expanded(slot) for slot in module.slots}
    pieces = [
        refreshed(piece, slots[piece.gpid]) if number % every == 0 else piece for number, piece in enumerate(start.pieces.values())
    ]
    tokens = save_tokens(
        pieces,
        list(start.stacks.values()),
        properties=[found for found in start.commands if isinstance(found, cmd.PropertyValue)],
        turns=[found for found in start.commands if isinstance(found, cmd.Turn)],
        boards=[found for found in start.commands if isinstance(found, cmd.Boards)],
    )
    return replace(start, tokens=tokens)


@pytest.mark.parametrize("build", BUILDS, ids=lambda path: path.name)
def test_every_piece_of_an_old_save_is_known_and_stands_where_it_stood(build: Path, today: Module) -> None:
    with (build / "pieces.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    pieces = list(save(build).pieces.values())
    slots = {slot.gpid: slot.piece.markers() for slot in today.slots}
    assert len(rows) == len(pieces) > 100
    for row, piece in zip(rows, pieces, strict=True):
        assert (piece.gpid, piece.name, str(piece.basic.x), str(piece.basic.y)) == (row["gpid"], row["name"], row["x"], row["y"])
        known = slots[piece.gpid]
        assert row["id"] in (known.get("UnitId"), known.get("MarkerId")), piece.name
        on = today.map(piece.basic.map)
        assert on is not None, f"there is no map {piece.basic.map} any more"
        place = on.locate(piece.basic.x, piece.basic.y)
        if row["location"].isdecimal():
            assert (place.name, place.zone) == (row["location"], row["zone"]), piece.name


@pytest.mark.parametrize("build", BUILDS, ids=lambda path: path.name)
def test_what_an_old_save_names_is_still_there(build: Path, today: Module, built_module: Path) -> None:
    """Pictures, boards, properties, the tracker: the client would drop what it does not know, or complain."""
    import zipfile

    with zipfile.ZipFile(built_module) as archive:
        images = {name.removeprefix("images/") for name in archive.namelist()}
    wanted: set[str] = set()
    for piece in save(build).pieces.values():
        for trait in piece.traits:
            if trait.id == "emb2":
                wanted |= set(sequence.decode(trait.field("images"), ","))
            elif trait.id == "markmoved":
                wanted.add(trait.field("image"))
    assert len(wanted) > 100 and wanted - images <= {""}
    for found in save(build).commands:
        match found:
            case cmd.PropertyValue(container="Module"):
                assert found.name in today.properties, found.name
            case cmd.Boards():
                on = today.map(found.map)
                assert on is not None and all(on.board(place.name) for place in found.boards)
            case cmd.Turn():
                tracker = today.tracker(found.tracker)
                assert tracker is not None and parse_state(found.state).levels[0].value == 1


def outcome(path: Path, module: Path) -> list[tuple[Any, ...]]:
    """What the referee says of each action."""
    found = audit_file(path, path.name, game=GAME, module=module).as_json()["files"][0]["actions"]
    return [(a["kind"], a["verdict"], a["notation"]) for a in found]


@pytest.mark.parametrize("build", BUILDS, ids=lambda path: path.name)
def test_a_log_of_an_old_build_is_judged_with_the_module_of_today(build: Path, built_module: Path, tmp_path: Path) -> None:
    old = outcome(build / "game.vlog", built_module)
    assert len(old) > 60 and {verdict for _, verdict, _ in old} == {"legal"}
    book, actions = book_of("historical"), list(played("historical", (), 2, "racer", 1))
    path = tmp_path / "new.vlog"
    write_log(path, write_game(book, engine_box(), actions, built_module, setup="historical.vsav", sides=SIDES))
    assert old == outcome(path, built_module)


def test_a_tracker_with_another_list_is_not_believed(built_module: Path) -> None:
    """0.1.3 had one scenario's phases in its list: by its place in the list of today every phase would have another name."""
    build = next(path for path in BUILDS if path.name.endswith("-0.1.3"))
    notes = audit_file(build / "game.vlog", "game.vlog", game=GAME, module=built_module).as_json()["files"][0]["notes"]
    assert [note for note in notes if "the log is of another build of it" in str(note)], notes


@pytest.mark.parametrize("every", [1, 2, 5])
@pytest.mark.parametrize("build", BUILDS, ids=lambda path: path.name)
def test_a_log_with_pieces_of_two_builds_is_judged_alike(
    build: Path, every: int, today: Module, built_module: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after Refresh Counters, which leaves out pieces that are hidden or lie in decks, or when pieces are dragged from the palette."""
    book, actions = book_of("historical"), list(played("historical", (), 2, "racer", 1))
    start = mixed(save(build), today, every)
    texts = {piece.type for piece in start.pieces.values()}
    old, new = ({piece.type for piece in found.pieces.values()} for found in (save(build), predefined(built_module, "historical.vsav")))
    assert texts & new and (every == 1 or texts & old)
    monkeypatch.setattr("referee.table.writing.predefined", lambda *_: start)
    path = tmp_path / "mixed.vlog"
    write_log(path, write_game(book, engine_box(), actions, built_module, setup="historical.vsav", sides=SIDES))
    assert {piece.type for piece in read_log(path).start.pieces.values()} == texts
    assert outcome(path, built_module) == outcome(build / "game.vlog", built_module)
