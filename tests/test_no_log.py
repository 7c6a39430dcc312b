"""What is given for a log and is none: every command that reads logs says in one line what it is, whether the game is named or not."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from modgen.formats.vassal.archive import read_archive
from referee.cli import main

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "data/battle-for-germany/samples"
LOG = (SAMPLES / "01-t1-red-moves.vlog").read_bytes()
NO_LOG = "a save or log (.vsav, .vlog) is expected"
NO_ZIP = "a zip archive (.vmod, .vsav, .vlog) is expected"


def zipped(entries: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in entries.items():
            out.writestr(name, data)
    return buffer.getvalue()


def of_log(most: int | None = None) -> dict[str, bytes]:
    """The entries of a genuine log; ``most``: so many bytes of its saved game."""
    with read_archive(LOG) as archive:
        return {name: archive.read(name)[: most if name == "savedGame" else None] for name in archive.names}


FILES = {
    "empty": (b"", f"is empty; {NO_ZIP}"),
    "cut off": (LOG[:4000], "is a zip archive cut off before its end, after 4000 bytes"),
    "cut off at its end": (LOG[:-5], f"is a zip archive cut off before its end, after {len(LOG) - 5} bytes"),
    "cut off at its third byte": (LOG[:3], "is a zip archive cut off before its end, after 3 bytes"),
    "no savedGame": (zipped({"readme.txt": b"hello"}), f"holds no entry savedGame; {NO_LOG}"),
    "empty zip": (zipped({}), f"is a zip archive with nothing in it; {NO_LOG}"),
    "empty savedGame": (zipped({"savedGame": b""}), "savedGame: is no text of a saved game (no begin_save, piece or LOG in it)"),
    "half a position": (zipped(of_log(73_685)), "savedGame: is cut off within the position that it begins with, after 78 commands"),
    "half a letter": (zipped(of_log(73_684)), "savedGame: begins with !VCSK, after which only pairs of hex digits are allowed"),
    "text": (b"Dear diary,\n", "is no zip archive (.vmod, .vsav, .vlog)"),
    "picture": (b"\x89PNG\r\n\x1a\n" + bytes(100), "is no zip archive (.vmod, .vsav, .vlog)"),
    "module": ((SAMPLES / "bfg-club.vmod").read_bytes(), f"is a module; {NO_LOG}"),
    "save of Tabletop Simulator": (
        b'\xef\xbb\xbf {"SaveName": "", "ObjectStates": []}',
        f"is JSON text, as a save of Tabletop Simulator is; {NO_ZIP}",
    ),
    "record": (b"record 2\ngame battle-for-germany\n", f"is a record's text; {NO_LOG}"),
    "position": (b"position 1\nturn 1\n", f"is a position's text; {NO_LOG}"),
}
OF_SHOW = {
    "empty": "the file is empty; a record, a position's text, a .vlog or a .vsav is expected",
    "text": "neither a record ('record 1 ...') nor a position ('position 1 ...') nor a VASSAL file",
    "picture": "neither a record ('record 1 ...') nor a position ('position 1 ...') nor a VASSAL file",
    "save of Tabletop Simulator": "neither a record ('record 1 ...') nor a position ('position 1 ...') nor a VASSAL file",
}
"""What the commands that show positions say instead: they read records and positions too."""
GAMES = ("", "battle-for-germany", "overlord-to-berlin")


def told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line that a command ends with, exit code 2."""
    monkeypatch.setattr("sys.argv", ["referee", *words])
    with pytest.raises(SystemExit) as end:
        main()
    captured = capsys.readouterr()
    assert (end.value.code, captured.out, captured.err.count("\n")) == (2, "", 1), captured.err
    return captured.err


CASES = [
    *((command, what) for command in ("audit", "check") for what in FILES),
    *(("show", what) for what in FILES if what not in ("record", "position")),
    *((command, what) for command in ("score", "legal") for what in ("empty", "cut off")),
]


@pytest.mark.parametrize(("command", "what"), CASES)
def test_what_is_no_log_is_told_so_with_and_without_its_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str, what: str
) -> None:
    monkeypatch.chdir(tmp_path)
    data, expected = FILES[what]
    Path("game.vlog").write_bytes(data)
    line = OF_SHOW.get(what, expected) if command not in ("audit", "check") else expected
    for game in GAMES:
        words = [command, "game.vlog", *(["--side", "soviet"] if command == "check" else []), *(["--game", game] if game else [])]
        assert told(monkeypatch, capsys, *words).startswith(f"referee: game.vlog: {line}")


def test_a_folder_is_told_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.vlog").mkdir()
    for words in (["audit"], ["check", "--side", "axis"], ["adopt", "--game", "battle-for-germany"]):
        assert told(monkeypatch, capsys, *words, "game.vlog") == f"referee: game.vlog: is a folder; {NO_ZIP}\n"
    assert told(monkeypatch, capsys, "show", "game.vlog").startswith("referee: game.vlog: is a folder; ")


def test_only_a_log_that_is_whole_is_asked_for_its_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.vlog").write_bytes(LOG)
    asked = "referee: game.vlog: does not tell its game: say which game it is; there are: battle-for-germany, "
    for words in (["audit"], ["check", "--side", "soviet"], ["show"]):
        assert told(monkeypatch, capsys, *words, "game.vlog").startswith(asked)


def test_what_is_no_log_keeps_no_other_file_from_being_judged(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, built_module: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    with read_archive(built_module) as archive:
        Path("turn.vsav").write_bytes(archive.read("historical.vsav"))
    Path("none.vlog").write_bytes(b"")
    monkeypatch.setattr("sys.argv", ["referee", "audit", "none.vlog", "turn.vsav"])
    with pytest.raises(SystemExit) as end:
        main()
    captured = capsys.readouterr()
    assert end.value.code == 2 and captured.err == f"referee: none.vlog: is empty; {NO_ZIP}\n"
    assert "turn.vsav: battle-for-germany, historical\n" in captured.out


def test_a_save_in_place_of_a_log_is_judged_and_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, built_module: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    with read_archive(built_module) as archive:
        Path("turn.vsav").write_bytes(archive.read("historical.vsav"))
    for words in (["audit"], ["check", "--side", "soviet"]):
        monkeypatch.setattr("sys.argv", ["referee", *words, "turn.vsav"])
        with pytest.raises(SystemExit) as end:
            main()
        assert end.value.code == 0
        assert "  note: the file holds no steps, only a position, as a save does: nothing was done in it" in capsys.readouterr().out


def test_a_module_that_is_none_or_another_games_is_told_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, built_module: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    with read_archive(built_module) as archive:
        Path("turn.vsav").write_bytes(archive.read("historical.vsav"))
        ours = {name: archive.read(name) for name in ("moduledata", "buildFile.xml")}
    renamed = {name: data.replace(b"battle-for-germany", b"overlord-to-berlin") for name, data in ours.items()}
    Path("other.vmod").write_bytes(zipped(renamed))
    for module, line in (
        ("turn.vsav", "turn.vsav: is a save or log; a module (.vmod) is expected"),
        ("other.vmod", "other.vmod: is our module of overlord-to-berlin, and turn.vsav is of battle-for-germany"),
    ):
        for words in (["audit"], ["check", "--side", "soviet"], ["show"]):
            assert told(monkeypatch, capsys, *words, "turn.vsav", "--module", module) == f"referee: {line}\n"


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"", "game.vlog:1:1: a record begins with 'record 1' or 'record 2', and this is empty"),
        (b" \n\n", "game.vlog:1:1: a record begins with 'record 1' or 'record 2', and this is empty"),
        (LOG, "game.vlog: the file is a zip archive, as VASSAL's are; a record is expected"),
        (zipped({}), "game.vlog: the file is a zip archive, as VASSAL's are; a record is expected"),
        (b"Dear diary,\n", "game.vlog:1:1: a record begins with 'record 1' or 'record 2', not 'Dear diary,'"),
    ],
    ids=["empty", "blank", "log", "empty zip", "text"],
)
def test_what_is_no_record_is_told_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, data: bytes, line: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.vlog").write_bytes(data)
    assert told(monkeypatch, capsys, "verify", "game.vlog") == f"referee: {line}\n"
