"""What was made before: reused only when it is right, and never seen in the bytes. Builds of several games, and builds cut off."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bench.synthetic import GAME, write
from gamebox.load import BoxErrors
from modgen.build import BuildError, Order, Report, build, build_all
from modgen.build import cache as caches
from modgen.build.cache import FOLDER, Cache
from modgen.build.keys import drawing_key, hash_of
from modgen.cli import app

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Report]:
    """A small game built without any cache: the bytes that every build of it must have."""
    root = tmp_path_factory.mktemp("first")
    write(root / "data")
    return root, build(GAME, data=root / "data", out=root / "out", cached=False)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write(tmp_path / "data")
    return tmp_path / "data"


def edit(folder: Path, file: str, old: str, new: str) -> None:
    path = folder / GAME / file
    text = path.read_text("utf-8")
    assert text.count(old) == 1, (file, old)
    path.write_text(text.replace(old, new), "utf-8")


# -- the folder


def test_kept_things_come_back_and_damaged_ones_do_not(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "c")
    assert cache.get("a-1") is None
    cache.put("a-1", b"content")
    cache.put("a-2", b"")
    assert cache.get("a-1") == b"content" and cache.get("a-2") == b"" and len(list((tmp_path / "c").iterdir())) == 2
    path = tmp_path / "c" / "a-1"
    for damaged in (path.read_bytes()[:-1], path.read_bytes() + b"x", b"", b"content", bytes(32) + b"content"):
        path.write_bytes(damaged)
        assert cache.get("a-1") is None and not path.exists()
        path.write_bytes(damaged)
        cache.put("a-1", b"content")
        assert cache.get("a-1") == b"content"


def test_a_cache_that_cannot_be_written_only_costs_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("mine", "utf-8")
    for folder in (None, tmp_path / "file", tmp_path / "file" / "deeper"):
        cache = Cache(folder)
        cache.put("a", b"content")
        cache.tidy(0)
        assert cache.get("a") is None
    assert (tmp_path / "file").read_text("utf-8") == "mine"

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    Cache(tmp_path / "c").put("a", b"content")
    assert not (tmp_path / "c").exists()
    (tmp_path / "mine").mkdir()
    Cache(tmp_path / "mine").put("a", b"content")
    assert not list((tmp_path / "mine").iterdir())


def test_ctrl_c_while_writing_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", ended)
    with pytest.raises(KeyboardInterrupt):
        Cache(tmp_path / "c").put("a", b"content")
    assert not (tmp_path / "c").exists()


def test_what_was_used_longest_ago_goes_first(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    for number, name in enumerate("abcd"):
        cache.put(name, bytes(100))
        os.utime(tmp_path / name, ns=(number, number))
    assert cache.get("a") is not None
    cache.tidy(3 * 132)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "c", "d"]


def test_keys_tell_everything_apart(first: tuple[Path, Report]) -> None:
    assert hash_of("a", "b") != hash_of("ab") != hash_of(["a", "b"]) != hash_of("a", ["b"])
    assert hash_of(1) != hash_of("1") and hash_of(None) != hash_of("null") and hash_of({"a": 1, "b": 2}) == hash_of({"b": 2, "a": 1})
    assert caches.LIMIT > 100 << 20


# -- builds


def test_the_bytes_are_the_same_with_and_without_a_cache(first: tuple[Path, Report], data: Path, tmp_path: Path) -> None:
    expected = first[1].file.read_bytes()
    new = build(GAME, data=data, out=tmp_path / "out")
    assert new.file.read_bytes() == expected and new.drawn == new.pictures > 12
    again = build(GAME, data=data, out=tmp_path / "out")
    assert again.drawn == 0 and not again.changed and again.file.read_bytes() == expected
    new.file.unlink()
    anew = build(GAME, data=data, out=tmp_path / "out")
    assert anew.changed and anew.drawn == 0 and anew.pictures == new.pictures and anew.file.read_bytes() == expected
    plain = build(GAME, data=data, out=tmp_path / "out", cached=False)
    assert plain.drawn == plain.pictures and not plain.changed and plain.as_json() | {"drawn": 0} == again.as_json()


def test_nothing_changed_is_answered_without_reading_the_game(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = build(GAME, data=data, out=tmp_path / "out")
    monkeypatch.setattr("modgen.build.work.load_box", lambda *_: pytest.fail("read"))
    assert build(GAME, data=data, out=tmp_path / "out").content == made.content


@pytest.mark.parametrize(
    ("file", "old", "new", "drawn"),
    [
        ("units.csv", "red-1,1,Red,red,1,", "red-1,1,Red,red,2,", {"red-1.png"}),
        ("module.toml", '"#f3ead0"', '"#f3ead1"', {"board.png", "about.png"}),
        ("setups.csv", "start,red-1,0102", "start,red-1,0103", set()),
        ("module.toml", 'text = "TURN"', 'text = "NOW"', {"marker-turn.png"}),
    ],
)
def test_only_pictures_that_look_otherwise_are_drawn_anew(
    data: Path, tmp_path: Path, file: str, old: str, new: str, drawn: set[str]
) -> None:
    before = build(GAME, data=data, out=tmp_path / "out")
    edit(data, file, old, new)
    after = build(GAME, data=data, out=tmp_path / "out")
    assert (after.drawn, after.pictures) == (len(drawn), before.pictures)
    shutil.copytree(data, tmp_path / "copy")
    assert build(GAME, data=tmp_path / "copy", out=tmp_path / "other", cached=False).file.read_bytes() == after.file.read_bytes()


def test_a_module_or_picture_that_was_tampered_with_is_made_anew(first: tuple[Path, Report], data: Path, tmp_path: Path) -> None:
    expected = first[1].file.read_bytes()
    made = build(GAME, data=data, out=tmp_path / "out")
    made.file.write_bytes(expected[:-100] + bytes(100))
    assert build(GAME, data=data, out=tmp_path / "out").changed and made.file.read_bytes() == expected
    made.file.unlink()
    pictures = sorted((tmp_path / "out" / FOLDER).glob("picture-*"))
    for path in pictures[:5]:
        path.write_bytes(path.read_bytes()[:-1] + b"!")
    again = build(GAME, data=data, out=tmp_path / "out")
    assert again.drawn >= 5 and made.file.read_bytes() == expected


def test_what_is_kept_is_kept_for_the_code_that_made_it(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = build(GAME, data=data, out=tmp_path / "out")
    monkeypatch.setattr("modgen.build.keys.code_key", lambda: "another program")
    again = build(GAME, data=data, out=tmp_path / "out")
    assert (again.drawn, again.changed) == (0, False)
    monkeypatch.setattr("modgen.build.keys.art_key", lambda: "another pen")
    assert build(GAME, data=data, out=tmp_path / "out").content == made.content
    made.file.unlink()
    assert build(GAME, data=data, out=tmp_path / "out").drawn == made.pictures


def test_files_that_change_while_they_are_read_are_not_kept_under_the_wrong_name(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from modgen.build import work

    sound = work.sound

    def changed_meanwhile(game: str, overlay: Path | None, root: Path | None) -> object:
        found = sound(game, overlay, root)
        edit(data, "setups.csv", "start,red-1,0102", "start,red-1,0103")
        return found

    monkeypatch.setattr(work, "sound", changed_meanwhile)
    old = build(GAME, data=data, out=tmp_path / "out")
    monkeypatch.setattr(work, "sound", sound)
    assert build(GAME, data=data, out=tmp_path / "out").content != old.content


def test_a_refused_build_keeps_nothing_that_a_later_one_would_believe(data: Path, tmp_path: Path) -> None:
    build(GAME, data=data, out=tmp_path / "out")
    edit(data, "setups.csv", "start,red-1,0102", "start,red-1,9999")
    for _ in range(2):
        with pytest.raises(BoxErrors):
            build(GAME, data=data, out=tmp_path / "out")


# -- several games


def second_game(data: Path) -> None:
    shutil.copytree(data / GAME, data / "made-twice")
    path = data / "made-twice" / "game.toml"
    path.write_text(path.read_text("utf-8").replace('"made-up"', '"made-twice"'), "utf-8")


def test_several_games_are_built_at_once_or_not_at_all(data: Path, tmp_path: Path) -> None:
    second_game(data)
    told: list[tuple[float, str]] = []
    reports = build_all([GAME, "made-twice", GAME], Order(tmp_path / "out", data=data), lambda part, doing: told.append((part, doing)))
    assert [report.file.name for report in reports] == ["made-up.vmod", "made-twice.vmod"]
    assert all(report.file.exists() for report in reports)
    parts = [part for part, _ in told]
    assert parts == sorted(parts) and parts[0] == 0 and parts[-1] == pytest.approx(1)
    edit(data, "module.toml", '"#f3ead0"', '"#f3ead1"')
    path = data / "made-twice" / "sides.csv"
    path.write_text(path.read_text("utf-8").replace("blue", "green"), "utf-8")
    before = hashlib.sha256((tmp_path / "out" / "made-up.vmod").read_bytes()).hexdigest()
    with pytest.raises(BoxErrors):
        build_all([GAME, "made-twice"], Order(tmp_path / "out", data=data))
    assert hashlib.sha256((tmp_path / "out" / "made-up.vmod").read_bytes()).hexdigest() == before
    edit(data, "sides.csv", "blue", "green")
    with pytest.raises(BuildError) as caught:
        build_all([GAME, "made-twice"], Order(tmp_path / "out", data=data))
    assert {line.partition("/")[0] for line in str(caught.value).splitlines()} == {"made-up", "made-twice"}


def test_the_command_builds_every_game_that_has_a_module(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import json

    second_game(data)
    shutil.copytree(data / GAME, data / "a-box-only")
    (data / "a-box-only" / "module.toml").unlink()
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["build", "--all", "--data", str(data), "--json"])
    assert (done.exit_code, done.stderr) == (0, "")
    assert [module["file"] for module in json.loads(done.stdout)["modules"]] == [
        "build/made-twice/made-twice.vmod",
        "build/made-up/made-up.vmod",
    ]
    again = CliRunner().invoke(app, ["build", GAME, "made-twice", "--data", str(data)])
    assert again.exit_code == 0 and again.stdout.count("\n") == 2 and "made-up, module 1.0.0, " in again.stdout
    both = CliRunner().invoke(app, ["build", GAME, "--all"])
    assert (both.exit_code, both.stderr) == (2, "modgen: not both: name the games, or --all for every game; see modgen build --help\n")
    mine = CliRunner().invoke(app, ["build", GAME, "made-twice", "--overlay", "x"])
    assert (mine.exit_code, mine.stderr) == (2, "modgen: --overlay and --art are of one game; name that game alone\n")


def test_two_builds_of_one_place_at_a_time_both_give_the_whole_module(first: tuple[Path, Report], data: Path, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "modgen.cli", "build", GAME, "--data", str(data), "--out", str(tmp_path / "out")]
    running = [subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(3)]
    assert [process.wait(120) for process in running] == [0, 0, 0], [process.communicate() for process in running]
    assert (tmp_path / "out" / f"{GAME}.vmod").read_bytes() == first[1].file.read_bytes()
    assert not list((tmp_path / "out").rglob("*.part"))


def begun(process: subprocess.Popen[bytes], folder: Path) -> None:
    """Waits until the first thing is kept, or the program has ended."""
    until = time.monotonic() + 60
    while not folder.exists() and process.poll() is None and time.monotonic() < until:
        time.sleep(0.01)


STOPPED = {130: "modgen: stopped by Ctrl-C; no module is half written\n", 143: "modgen: stopped by TERM\n"}


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_build_that_is_cut_off_leaves_nothing_half_written(
    first: tuple[Path, Report], data: Path, tmp_path: Path, sign: signal.Signals
) -> None:
    words = [sys.executable, "-m", "modgen.cli", "build", GAME, "--data", str(data), "--out", str(tmp_path / "out")]
    for wait in (0.0, 0.1, 0.3):
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        process = subprocess.Popen(
            words,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - no threads here
        )
        begun(process, tmp_path / "out" / FOLDER)
        time.sleep(wait)
        process.send_signal(sign)
        _, errors = process.communicate(timeout=60)
        assert process.returncode in (0, 130, 143, -sign) and b"Traceback" not in errors
        if process.returncode in STOPPED:
            assert errors.decode() == STOPPED[process.returncode]
        path = tmp_path / "out" / f"{GAME}.vmod"
        assert not path.exists() or path.read_bytes() == first[1].file.read_bytes()
        if sign != signal.SIGKILL:
            assert not list(tmp_path.rglob("*.part"))
    assert build(GAME, data=data, out=tmp_path / "out").file.read_bytes() == first[1].file.read_bytes()


def test_a_build_that_cannot_write_leaves_no_folder_behind(data: Path, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "modgen.cli", "build", GAME, "--data", str(data), "--out", str(tmp_path / "new" / "out")]
    full = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, preexec_fn=no_room)
    assert full.returncode == 2 and full.stderr.count("\n") == 1
    assert full.stderr.startswith("modgen: ") and "made-up.vmod: cannot be written: File too large" in full.stderr
    assert not (tmp_path / "new").exists()
    (tmp_path / "new" / "out").mkdir(parents=True)
    subprocess.run(words, cwd=ROOT, capture_output=True, preexec_fn=no_room)
    assert not list((tmp_path / "new" / "out").iterdir())


def no_room() -> None:
    """No file may grow beyond a few bytes, as on a full disk."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))


def test_a_picture_is_known_by_what_it_shows_not_by_its_file() -> None:
    from modgen.art.drawing import Drawing

    assert drawing_key(Drawing("a.png", "<svg>", 1, 1)) == drawing_key(Drawing("b.png", "<svg>", 1, 1))
    assert drawing_key(Drawing("a.png", "<svg>", 1, 1)) != drawing_key(Drawing("a.png", "<svg >", 1, 1))
