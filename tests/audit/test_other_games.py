"""A log judged as another game is refused in one line; a log of the game is judged, however few counters or words it has."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from gamebox.load import data_root, load_box
from gamebox.model import Box
from modgen.formats.errors import FormatError
from modgen.formats.vassal.grid import RegionGrid
from modgen.formats.vassal.saves import read_log, write_log
from referee.audit.opened import open_file
from referee.audit.run import audit_file, check_file, must_be_of_game
from referee.cli import main
from referee.rules.events import NOWHERE, Spot, Table, TableEvent, TableLog
from referee.service.backend import Upload
from referee.service.engine import Engine
from referee.table.adopt import adopt, write_csv
from tests.judge.test_overlord_scenarios import log_file
from tests.table import clubs

GAME, OTHER = "battle-for-germany", "overlord-to-berlin"
SAMPLES = data_root() / GAME / "samples"
MODULE = SAMPLES / "bfg-club.vmod"
LOGS = sorted(SAMPLES.glob("*.vlog"))


@cache
def box() -> Box:
    return load_box(GAME)


def packed(text: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("savedGame", text)
    return file.getvalue()


def counter(text: str) -> bool:
    return text.startswith("+/") and "piece;" in text


def thinned(path: Path, keep: int) -> bytes:
    """A log with so many counters left on the table, and all its markers."""
    log = read_log(path)
    units = [token for token in log.start.tokens if counter(token[1])]
    kept = set(random.Random(keep).sample(units, keep))
    tokens = [token for token in log.start.tokens if not counter(token[1]) or token in kept]
    return write_log(None, replace(log, start=replace(log.start, tokens=tokens)))


@pytest.mark.parametrize("module", [None, MODULE], ids=["log alone", "module"])
@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_genuine_log_is_judged_as_its_own_game_only(path: Path, module: Path | None) -> None:
    assert audit_file(path, "game", game=GAME, module=module).findings
    with pytest.raises(
        FormatError, match=r"^game: of 1[12][0-9] counters \d+ can surely be pieces of From Overlord to Berlin, .* another game"
    ):
        audit_file(path, "game", game=OTHER, module=module)
    with pytest.raises(FormatError, match="another game"):
        check_file(path, "game", side="soviet", game=OTHER, module=module)
    with pytest.raises(FormatError, match="another game"):
        open_file(path, game=OTHER, module=module)


@pytest.mark.parametrize("hide", [lambda text: text, lambda text: text.replace("UnitId", "Anyword")], ids=["ours", "foreign"])
@pytest.mark.parametrize("name", ["overlord", "bagration", "politics"])
def test_the_other_way_round(name: str, hide: Callable[[str], str], build_once: Callable[[str], Path]) -> None:
    with zipfile.ZipFile(io.BytesIO(log_file(name))) as archive:
        data = packed(hide(archive.read("savedGame").decode("utf-8")))
    with pytest.raises(FormatError, match="another game"):
        audit_file(data, "game", game=GAME)
    # Where its counters lie is told by the module alone: without it, nothing was seen that could be judged.
    with pytest.raises(FormatError, match="module"):
        audit_file(data, "game", game=OTHER)
    assert audit_file(data, "game", game=OTHER, module=build_once(OTHER)).findings


def test_a_mapping_and_a_module_of_the_game_do_not_make_a_log_of_it(tmp_path: Path, build_once: Callable[[str], Path]) -> None:
    mapping = tmp_path / "map.csv"
    mapping.write_text(write_csv(adopt(MODULE, box())), "utf-8")
    with pytest.raises(FormatError, match="another game"):
        audit_file(log_file("overlord"), "game", game=GAME, mapping=mapping)
    with pytest.raises(FormatError, match="another game"):
        audit_file(LOGS[0], "game", module=build_once(OTHER))


@pytest.mark.parametrize("module", [None, MODULE], ids=["log alone", "module"])
@pytest.mark.parametrize("keep", [1, 3, 10, 60])
def test_a_log_with_few_counters_left_is_judged(keep: int, module: Path | None) -> None:
    assert audit_file(thinned(LOGS[0], keep), "game", game=GAME, module=module).judgement.owner


def log(
    at: Iterable[tuple[str, Spot]], counters: int, *, unsure: Iterable[str] = (), later: Iterable[TableEvent] = (), ours: bool = False
) -> TableLog:
    start = Table(dict(at))
    return TableLog("game", "VASSAL", "", "", 1, start, tuple(later), ours=ours, counters=counters, unsure=frozenset(unsure))


HERE, UNKNOWN = Spot("2105"), Spot("Map 3,4", known=False)


@pytest.mark.parametrize("module", [None, MODULE], ids=["log alone", "module"])
@pytest.mark.parametrize(
    ("fit", "counters", "judged"),
    [(10, 400, True), (9, 400, False), (10, 119, True), (5, 60, True), (4, 60, False), (1, 12, True), (1, 13, False), (0, 1, False)],
)
def test_one_counter_in_twelve_must_fit(fit: int, counters: int, judged: bool, module: Path | None) -> None:
    """Of the log's counters or, where it has more than the game, of the game's pieces: markers are no strangers."""
    ids = [piece.id for piece in box().pieces]
    fitting = [(piece, HERE) for piece in ids[:fit]]

    def is_judged(*logs: TableLog) -> bool:
        try:
            must_be_of_game(logs, box(), "game", module)
        except FormatError as error:
            assert str(counters) in str(error)
            return False
        return True

    assert is_judged(log(fitting, counters)) == judged
    # Neither what passes for a piece without certainty nor what lies at no known place makes a log one of the game.
    others = ids[fit : min(len(ids), counters)]
    assert is_judged(log([*fitting, *((piece, HERE) for piece in others)], counters, unsure=others)) == judged
    assert is_judged(log([*fitting, *((piece, UNKNOWN) for piece in others)], counters)) == judged
    assert is_judged(log([*fitting, *((piece, NOWHERE) for piece in others)], counters)) == judged
    # What comes in later counts, and one fitting part of joined files is enough.
    come = [TableEvent(1, "place", piece=piece, to=spot) for piece, spot in fitting]
    assert is_judged(log([], counters, later=come)) == judged
    assert is_judged(log([], counters), log(fitting, counters)) == judged


def test_where_moves_go_makes_no_log_one_of_the_game() -> None:
    """Reports of moves name places by any number in them that the game has for one."""
    ids = [piece.id for piece in box().pieces]
    moves = [TableEvent(1, "move", piece=piece, frm=UNKNOWN, to=HERE) for piece in ids]
    with pytest.raises(FormatError, match="none of them at a known place"):
        must_be_of_game([log([(piece, UNKNOWN) for piece in ids], 119, later=moves)], box(), "game", None)


def test_a_log_of_ours_without_its_module_is_told_to_give_it() -> None:
    at = [(piece.id, UNKNOWN) for piece in box().pieces]
    with pytest.raises(FormatError, match="is known with the module only; give the module"):
        must_be_of_game([log(at, 119, ours=True)], box(), "game", None)


@pytest.mark.parametrize("module", [None, MODULE], ids=["log alone", "module"])
def test_the_service_and_saves_are_told_the_same(module: Path | None) -> None:
    with pytest.raises(FormatError, match="another game"):
        Engine().audit(Upload([("turn.vlog", LOGS[0].read_bytes())], game=OTHER, module=module), lambda: True)
    read = read_log(LOGS[0])
    save = write_log(None, replace(read, steps=()))
    assert not audit_file(save, "game.vsav", game=GAME, module=module).findings
    with pytest.raises(FormatError, match="another game"):
        audit_file(save, "game.vsav", game=OTHER, module=module)


@pytest.mark.parametrize("command", [("audit",), ("check", "--side", "soviet"), ("show",), ("score",)])
def test_it_is_one_line_and_exit_code_2(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["referee", *command, "--game", OTHER, str(LOGS[0])])
    with pytest.raises(SystemExit) as end:
        main()
    told = capsys.readouterr()
    assert end.value.code == 2 and not told.out
    assert len(told.err.splitlines()) == 1 and told.err.startswith("referee: ") and "another game" in told.err


BARE = clubs.without_folders(clubs.changed(clubs.club(), clubs.renamed(clubs.no_strengths), clubs.no_nation))
OWN = {
    "the club module": clubs.club(),
    "nothing but names": BARE,
    "nothing but names, no set-up": replace(BARE, slots=tuple(slot for slot in BARE.slots if not slot.at_start)),
    "few counters": replace(clubs.club(), slots=clubs.club().slots[::10]),
    "no board": replace(clubs.club(), maps=tuple(replace(each, boards=()) for each in clubs.club().maps)),
    "no board, nothing but names": replace(BARE, maps=tuple(replace(each, boards=()) for each in BARE.maps)),
}


@pytest.mark.parametrize("name", OWN)
def test_a_module_of_the_game_is_adopted(name: str) -> None:
    drafted = adopt(OWN[name], box())
    assert drafted.matches and drafted.strange == ""


@pytest.mark.parametrize("name", ["the club module", "few counters"])
def test_a_module_of_another_game_is_told_to_be_one(name: str) -> None:
    drafted = adopt(OWN[name], load_box(OTHER))
    assert drafted.matches and drafted.strange.endswith("places on its maps none is of its map")


@pytest.mark.parametrize("numbers", [lambda name: name, lambda name: f"x{name}y"], ids=["as printed", "of its own"])
def test_a_module_that_counts_its_hexes_in_its_own_way_is_adopted_where_its_counters_tell(numbers: Callable[[str], str]) -> None:
    (on,) = clubs.club().maps
    named = RegionGrid(tuple((numbers(name), 0, number) for number, name in enumerate(sorted(row.key for row in box()["hexes"]))))
    maps = (replace(on, boards=(replace(on.boards[0], grid=named),)),)
    assert adopt(replace(clubs.club(), maps=maps), box()).strange == ""
    strange = adopt(replace(BARE, maps=maps), box()).strange
    assert (strange == "") == (numbers("1") == "1"), strange


@pytest.mark.parametrize("game", [GAME, OTHER])
def test_modules_of_ours_are_adopted_as_their_own_game_only(game: str, build_once: Callable[[str], Path]) -> None:
    module = build_once(game)
    assert adopt(module, load_box(game)).strange == ""
    for other in {GAME, OTHER, "great-patriotic-war"} - {game}:
        assert adopt(module, load_box(other)).strange


def test_adopt_refuses_another_games_module_in_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "map.csv"
    monkeypatch.setattr("sys.argv", ["referee", "adopt", "--game", OTHER, str(MODULE), "--out", str(out)])
    with pytest.raises(SystemExit) as end:
        main()
    told = capsys.readouterr()
    assert end.value.code == 2 and not told.out and not out.exists()
    assert len(told.err.splitlines()) == 1 and told.err.endswith("is it another game's module?\n")
