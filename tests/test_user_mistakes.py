"""What people mistype: an output that is one of the inputs or no file, an option given twice, another file for an overlay or a mapping.

Each is one line and exit code 2, and no file is lost.
"""

from __future__ import annotations

import io
import os
import shutil
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from gamebox.load import BoxErrors, data_root, load_box
from modgen import cli as modgen_cli
from modgen.formats.errors import FormatError
from modgen.formats.vassal.archive import write_file
from modgen.formats.vassal.dump import dump
from referee import cli

GAME = "battle-for-germany"
SAMPLES = data_root() / GAME / "samples"


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder to work in, with a log, a module, and an overlay that confirms a hex."""
    shutil.copy(SAMPLES / "01-t1-red-moves.vlog", tmp_path / "turn.vlog")
    shutil.copy(SAMPLES / "bfg-club.vmod", tmp_path / "club.vmod")
    (tmp_path / "fixes").mkdir()
    (tmp_path / "fixes/hexes.csv").write_text("hex,source\n2105,owner of a copy\n", "utf-8")
    (tmp_path / "others").mkdir()
    (tmp_path / "others/letter.txt").write_text("Dear\n", "utf-8")
    (tmp_path / "others/list.csv").write_text("a,b\n", "utf-8")
    (tmp_path / "others/more").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def run(monkeypatch: pytest.MonkeyPatch, words: str) -> int:
    monkeypatch.setattr(sys, "argv", [word.strip("'") for word in words.split()])
    with pytest.raises(SystemExit) as end:
        (cli if words.startswith("referee") else modgen_cli).main()
    return end.value.code if isinstance(end.value.code, int) else 0


ADOPT = f"referee adopt club.vmod --game {GAME}"
SHOW = f"referee show turn.vlog --game {GAME}"
AUDIT = f"referee audit turn.vlog --game {GAME}"
SAME = "is read or written by the same command; write to another file"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (f"{ADOPT} --out club.vmod", f"club.vmod {SAME}"),
        (f"{ADOPT} --out others/../club.vmod", f"club.vmod {SAME}"),
        (f"{ADOPT} --overlay fixes --out fixes/hexes.csv", f"fixes/hexes.csv {SAME}"),
        (f"{SHOW} --png turn.vlog", f"turn.vlog {SAME}"),
        (f"{SHOW} --module club.vmod --svg club.vmod", f"club.vmod {SAME}"),
        (f"{SHOW} --png a.png --svg a.png", f"a.png {SAME}"),
        (f"referee legal turn.vlog --game {GAME} --svg turn.vlog", f"turn.vlog {SAME}"),
        (f"referee options {GAME} --overlay fixes --html fixes/hexes.csv", f"fixes/hexes.csv {SAME}"),
        (f"modgen picture {GAME} --overlay fixes --out fixes/hexes.csv", f"fixes/hexes.csv {SAME}"),
        (f"{ADOPT} --out ''", ".: cannot be written: Is a directory"),
        (f"{ADOPT} --out /", "/: cannot be written: Is a directory"),
        (f"{ADOPT} --out fixes", "fixes: cannot be written: Is a directory"),
        (f"{SHOW} --png ''", ".: cannot be written: Is a directory"),
        (f"referee options {GAME} --html ''", ".: cannot be written: Is a directory"),
        (f"{AUDIT} --game {GAME}", "option '--game' is given twice; see referee audit --help"),
        (f"{AUDIT} -g {GAME}", "option '--game' is given twice"),
        (f"{AUDIT} --module club.vmod -m club.vmod", "option '--module' is given twice"),
        (f"{SHOW} --at 3 --at 4", "option '--at' is given twice; see referee show --help"),
        (f"modgen build {GAME} --out a --out b", "option '--out' is given twice; see modgen build --help"),
        (f"{AUDIT} --overlay others", "others: none of the 3 things in it is a table of the game; allowed: boxes.csv, "),
        (f"{AUDIT} --overlay turn.vlog", "turn.vlog: none of the 3 things in it is a table of the game; allowed: boxes.csv, "),
        (f"{AUDIT} --map others/list.csv", "others/list.csv:1:1: the columns kind, name, is are missing; allowed: kind, "),
    ],
)
def test_a_mistake_is_one_line_and_loses_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: str, told: str
) -> None:
    before = contents(folder)
    assert run(monkeypatch, words) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.count("\n") == 1 and told in captured.err, captured.err
    assert contents(folder) == before


@pytest.mark.parametrize("words", [f"{AUDIT} --options 18.1 --options 12.3", f"{AUDIT} --findings --findings"])
def test_what_may_be_given_again_is_taken_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: str
) -> None:
    assert run(monkeypatch, words) in (0, 1)
    assert capsys.readouterr().err == ""


def test_a_new_file_beside_the_inputs_is_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents(folder)
    assert run(monkeypatch, f"{ADOPT} --overlay fixes --out fixes-map.csv") == 0
    assert run(monkeypatch, f"{ADOPT} --overlay fixes --out fixes-map.csv") == 0  # an older one is written anew
    after = contents(folder)
    assert after.pop("fixes-map.csv").startswith(b"kind,name,") and after == before


def test_a_table_among_other_files_is_an_overlay_with_something_strange_in_it(folder: Path) -> None:
    (folder / "fixes/letter.txt").write_text("Dear\n", "utf-8")
    (folder / "fixes/more").mkdir()
    with pytest.raises(BoxErrors) as caught:
        load_box(GAME, folder / "fixes")
    assert [error.file for error in caught.value.errors] == ["fixes/letter.txt", "fixes/more"]


HUGE = 1 << 33
"""Bytes of a file with nothing in it but a hole: more than any memory here."""


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (f"{AUDIT} --map HUGE", "cannot be read: more than 8000000 bytes"),
        (f"{AUDIT} --module HUGE", "is no zip archive"),
        (f"{AUDIT} --overlay HUGE", "not a readable zip"),
        (f"{AUDIT} --overlay linked", "linked/hexes.csv:1:1: the file is too large"),
        (f"referee audit HUGE --game {GAME}", "is no zip archive"),
        (f"referee show HUGE --game {GAME}", "neither a record"),
        ("referee verify HUGE", "the file is too large"),
        ("modgen dump HUGE", "is no zip archive"),
        ("modgen diff HUGE club.vmod", "is no zip archive"),
        (f"modgen fmt {GAME} --data games", "hexes.csv:1:1: cannot be read (more than 8000000 bytes)"),
        (f"modgen build {GAME} --data games", "hexes.csv:1:1: the file is too large"),
    ],
)
@pytest.mark.parametrize("kind", ["a file", "a device"])
def test_what_never_ends_is_not_read_to_its_end(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: str, told: str, kind: str
) -> None:
    huge = folder / "huge"
    if kind == "a file":
        huge.touch()
        os.truncate(huge, HUGE)
    else:
        huge = Path("/dev/zero")
        if not huge.is_char_device():
            pytest.skip("this system has no such device")
    (folder / "linked").mkdir()
    shutil.copytree(data_root() / GAME, folder / "games" / GAME, ignore=shutil.ignore_patterns("samples", "hexes.csv"))
    for place in ("linked", f"games/{GAME}"):
        (folder / place / "hexes.csv").symlink_to(huge)
    assert run(monkeypatch, words.replace("HUGE", huge.as_posix())) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and (told in err or (kind == "a device" and "internal" not in err)), err


def test_a_game_s_other_files_are_not_read_to_their_end_either(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "huge").touch()
    os.truncate(folder / "huge", HUGE)
    shutil.copytree(data_root() / GAME, folder / "games" / GAME, ignore=shutil.ignore_patterns("samples"))
    for name in ("module.toml", "gpids.csv"):
        shutil.rmtree(folder / "other", ignore_errors=True)
        shutil.copytree(folder / "games", folder / "other")
        (folder / "other" / GAME / name).unlink()
        (folder / "other" / GAME / name).symlink_to(folder / "huge")
        assert run(monkeypatch, f"modgen build {GAME} --data other") == 2
        err = capsys.readouterr().err
        assert err.count("\n") == 1 and f"{name}: cannot be read (more than 8000000 bytes)" in err


def test_a_text_to_be_compared_is_not_read_to_its_end_either(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "old.txt").write_text(dump(folder / "club.vmod"), "utf-8")
    os.truncate(folder / "old.txt", HUGE)
    assert run(monkeypatch, "modgen diff old.txt old.txt") == 2
    assert capsys.readouterr().err.startswith("modgen: old.txt: cannot be read: more than ")


def test_building_all_of_no_games_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, "modgen build --all --data others") == 2
    assert capsys.readouterr().err == "modgen: others: holds no game with a module.toml\n"


def test_no_memory_is_told_as_that(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def full(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("modgen.formats.vassal.dump.dump", full)
    assert run(monkeypatch, "modgen dump club.vmod") == 2
    assert capsys.readouterr().err == "modgen: out of memory: is a file much larger than it should be?\n"


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="this system has no such device")
@pytest.mark.parametrize("words", ["verify none", "audit none", "audit"])
def test_where_errors_cannot_be_written_the_exit_code_still_tells(words: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([sys.executable, "-m", "referee.cli", *words.split()], stderr=full, cwd=Path(cli.__file__).parents[1])
    assert done.returncode == 2


def test_a_link_stays_a_link_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept/map.csv").write_bytes(b"old")
    link = tmp_path / "map.csv"
    link.symlink_to("kept/map.csv")
    write_file(link, b"new")
    assert link.is_symlink() and contents(tmp_path) == {"kept/map.csv": b"new", "map.csv": b"new"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_written_into_and_stays_one(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = io.BytesIO()
    reader = threading.Thread(target=lambda: read.write(pipe.read_bytes()), daemon=True)
    reader.start()
    write_file(pipe, b"new")
    reader.join(10)
    assert read.getvalue() == b"new" and stat.S_ISFIFO(pipe.stat().st_mode) and list(tmp_path.iterdir()) == [pipe]


def test_a_folder_is_not_written_over(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be written: Is a directory"):
        write_file(tmp_path, b"new")
    assert list(tmp_path.iterdir()) == []
