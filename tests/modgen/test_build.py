"""The build: permanent numbers, refusals, warnings, and what the command line says."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gamebox.load import BoxErrors, data_root, load_box
from modgen.build import IDENTITY, BuildError, build, picture
from modgen.cli import app
from modgen.vassal.ledger import LedgerError

from .conftest import GAME, Built


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A copy of the data that a test may change; nothing of it is out yet."""
    root = tmp_path / "data"
    shutil.copytree(data_root() / GAME, root / GAME, ignore=shutil.ignore_patterns("samples", "releases.csv", "frozen.csv"))
    return root


def test_a_counter_without_a_number_stops_the_build_until_it_is_allowed(games: Path, tmp_path: Path) -> None:
    path = games / GAME / "gpids.csv"
    lines = path.read_text("utf-8").splitlines()
    number, slot, _ = lines[-1].split(",")
    path.write_text("\n".join(lines[:-1]) + "\n", "utf-8")
    with pytest.raises(LedgerError, match=f"no number for {slot}: build once with --allocate"):
        build(GAME, out=tmp_path / "out", data=games)
    assert not (tmp_path / "out").exists()
    report = build(GAME, out=tmp_path / "out", data=games, allocate=True)
    assert report.allocated == (slot,)
    *before, last = path.read_text("utf-8").splitlines()
    assert before == lines[:-1] and last.startswith(f"{number},{slot},")


def test_a_number_that_moved_since_the_last_build_stops_the_build(built: Built, games: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    shutil.copy(built.path, out)
    path = games / GAME / "gpids.csv"
    text = path.read_text("utf-8")
    path.write_text(text.replace("1,su-1-balt,", "1,su-1-bR,").replace("2,su-1-br,", "2,su-1-balt,").replace("su-1-bR", "su-1-br"), "utf-8")
    with pytest.raises(BuildError, match="old saves would swap units"):
        build(GAME, out=out, data=games)
    assert (out / built.path.name).read_bytes() == built.path.read_bytes()


def test_other_content_under_the_same_version_is_warned_of(built: Built, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    target = out / built.path.name
    identity = json.loads(built.entries[IDENTITY]) | {"content": "0" * 64}
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr(IDENTITY, json.dumps(identity))
    report = build(GAME, out=out)
    assert len(report.warnings) == 1 and "Raise version in module.toml" in report.warnings[0] and report.changed
    assert target.read_bytes() == built.path.read_bytes()


@pytest.mark.parametrize(
    ("file", "row", "told"),
    [
        ("setups.csv", "hist,su-1-balt,", "units.csv:42:1: su-1-balt begins nowhere; allowed: a place in at least one set-up"),
        ("crt.csv", "3:1,4,", "crt.csv:1:1: no row for 3:1 4; allowed: one for each odds and die"),
    ],
)
def test_rows_that_do_not_agree_stop_the_build_with_the_sentences_of_the_check(
    games: Path, tmp_path: Path, file: str, row: str, told: str
) -> None:
    path = games / GAME / file
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if not line.startswith(row)), "utf-8")
    checked = CliRunner().invoke(app, ["check", GAME, "--data", str(games)])
    assert checked.exit_code == 1
    with pytest.raises(BoxErrors) as caught:
        build(GAME, out=tmp_path / "out", data=games)
    assert str(caught.value) == f"{GAME}/{told}" and str(caught.value) in checked.stdout
    assert not (tmp_path / "out").exists()
    with pytest.raises(BoxErrors):
        picture(GAME, "board", 400, data=games)


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("module.toml", "version = ", "x = [\nversion = ", "module.toml:5:1: not readable as TOML: Invalid value"),
        ("module.toml", "across = 72", "acros = 72", "module.toml: [board] acros: no such setting; did you mean 'across'?"),
        ("gpids.csv", "2,su-1-br,", "1,su-1-br,", "gpids.csv:3:1: 1 after 1: numbers only grow, and rows are only added at the end"),
        ("gpids.csv", "126,marker:control-g,0.1.0\n", "", "gpids.csv: no number for marker:control-g: build once with --allocate"),
        (
            "nations.csv",
            "#000000",
            "#a08050",
            "nations.csv:2:1: Soviet Union: #a08050 on #b98a58 has a contrast of 1.2; at least 4.5 is needed",
        ),
    ],
)
def test_the_check_reads_the_files_of_the_module_too_and_says_what_the_build_says(
    games: Path, tmp_path: Path, file: str, old: str, new: str, told: str
) -> None:
    path = games / GAME / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    checked = CliRunner().invoke(app, ["check", GAME, "--data", str(games)])
    assert checked.exit_code == 1 and f"    {GAME}/{told}" in checked.stdout
    done = CliRunner().invoke(app, ["build", GAME, "--data", str(games), "--out", str(tmp_path / "out")])
    assert done.exit_code == 2 and f"modgen: {GAME}/{told}" in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_game_that_has_no_module_yet_is_checked_without_one(games: Path) -> None:
    for name in ("module.toml", "gpids.csv"):
        (games / GAME / name).unlink()
    checked = CliRunner().invoke(app, ["check", GAME, "--data", str(games)])
    assert checked.exit_code == 0 and "module.toml" not in checked.stdout and "gpids.csv" not in checked.stdout


def test_an_overlay_goes_into_the_module(built: Built, tmp_path: Path) -> None:
    overlay = tmp_path / "mine"
    overlay.mkdir()
    (overlay / "hexes.csv").write_text("hex,terrain,source\n2105,clear,owner A Tester\n", "utf-8")
    box = load_box(GAME, overlay)
    report = build(GAME, out=tmp_path / "out", overlay=overlay)
    assert report.game_version == box.version == report.as_json()["game_version"]
    assert report.data == box.data_hash != json.loads(built.entries[IDENTITY])["data"]
    with zipfile.ZipFile(tmp_path / "out" / f"{GAME}.vmod") as archive:
        assert "2105" in archive.read("overlay/hexes.csv").decode()
        assert archive.read("images/board.png") != built.entries["images/board.png"]
        assert box.data_hash.encode() in archive.read("buildFile.xml")


def test_the_command_line_tells_faults_without_a_traceback(games: Path, tmp_path: Path) -> None:
    (games / GAME / "module.toml").write_text("version = 1\n", "utf-8")
    done = CliRunner().invoke(app, ["build", GAME, "--data", str(games), "--out", str(tmp_path / "out")])
    assert done.exit_code == 2
    lines = done.stderr.splitlines()
    assert len(lines) > 5 and all(line.startswith(f"modgen: {GAME}/module.toml: ") for line in lines)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("below", ["", "deeper/still"])
def test_a_file_in_place_of_the_folder_to_write_to_is_told(tmp_path: Path, below: str) -> None:
    file = tmp_path / "file"
    file.write_text("mine", "utf-8")
    done = CliRunner().invoke(app, ["build", GAME, "--out", str(file / below)])
    assert done.exit_code == 2
    assert done.stderr == f"modgen: {file.as_posix()}: is a file; a folder is expected, in which {GAME}.vmod is written\n"
    assert file.read_text("utf-8") == "mine"


def test_a_picture_there_is_not_is_told(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["picture", GAME, "--what", "box", "--out", str(tmp_path / "x.png")])
    assert done.exit_code == 2 and "there are board and counters" in done.stderr
