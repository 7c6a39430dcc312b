"""``modgen fmt``: one form for every file, repairs only where one way back is allowed, never half a file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gamebox.load import BoxErrors, load_box
from modgen.fmt import fmt
from modgen.formats.errors import FormatError
from tests.gamebox import tiny

ROOT = Path(__file__).resolve().parents[2]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "modgen.cli", "fmt", *words], cwd=ROOT, capture_output=True, text=True, check=False)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def spoilt(folder: Path) -> None:
    """The game as a spreadsheet gives it back."""
    (folder / "hexes.csv").write_bytes(
        "\ufeffhex;terrain;playable;source;source_playable\r\n"
        "302;plain;TRUE;rulebook map;rulebook map\r\n"
        "101;plain;1.0;rulebook map;rulebook map\r\n"
        "102;wood;1;rulebook map;rulebook map\r\n"
        ";;;;\r\n"
        "201;plain;1;rulebook map;rulebook map\r\n"
        "202;plain;0;reconstructed a lake by the look of it;rulebook 2.1\r\n"
        "301;plain;1;rulebook map;rulebook map\r\n".encode()
    )
    (folder / "setups.csv").write_bytes(
        b"setup,piece,place,source\r\nfirst,re-2,102,rulebook 3\r\nfirst,bl-1,301,rulebook 3\r\nfirst,re-1, 101 ,rulebook 3\r\n"
    )
    (folder / "results.csv").write_bytes(tiny.FILES["results.csv"].replace("1:2,", "01:02,").replace("2:1,1,", "2:01,1.0,").encode())


def test_what_a_spreadsheet_spoilt_is_the_old_game_again(tmp_path: Path) -> None:
    folder = tiny.write(tmp_path)
    before, whole = contents(folder), load_box(tiny.GAME, root=tmp_path).data_hash
    spoilt(folder)
    with pytest.raises(BoxErrors):
        load_box(tiny.GAME, root=tmp_path)
    result = fmt(tiny.GAME, tmp_path)
    assert result.errors == ()
    assert [(repair.file, repair.what) for repair in result.repairs] == [
        ("pocket-war/hexes.csv", ("BOM", "CRLF", "delimiter ;", "blank rows", "order", "8 cells")),
        ("pocket-war/results.csv", ("4 cells",)),
        ("pocket-war/setups.csv", ("CRLF", "blanks around cells", "order", "3 cells")),
    ]
    assert [str(cell) for cell in result.repairs[0].cells][:3] == [
        "pocket-war/hexes.csv:2:1: hex `302`: a spreadsheet dropped the leading zero; now 0302",
        "pocket-war/hexes.csv:2:11: playable `TRUE`: a spreadsheet made a truth value of it; now 1",
        "pocket-war/hexes.csv:3:1: hex `101`: a spreadsheet dropped the leading zero; now 0101",
    ]
    assert contents(folder) == before and load_box(tiny.GAME, root=tmp_path).data_hash == whole


def test_a_game_in_form_is_left_alone(tmp_path: Path) -> None:
    folder = tiny.write(tmp_path)
    times = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    result = fmt(tiny.GAME, tmp_path)
    assert result.repairs == () and result.errors == ()
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == times


def test_check_changes_nothing_and_says_so_by_its_exit_code(tmp_path: Path) -> None:
    folder = tiny.write(tmp_path)
    clean = run(tiny.GAME, "--data", str(tmp_path), "--check")
    assert (clean.returncode, clean.stdout) == (0, "nothing to do\n")
    spoilt(folder)
    before = contents(folder)
    found = run(tiny.GAME, "--data", str(tmp_path), "--check")
    assert found.returncode == 1 and "pocket-war/setups.csv: would repair CRLF" in found.stdout
    assert contents(folder) == before
    done = run(tiny.GAME, "--data", str(tmp_path))
    assert done.returncode == 0 and "pocket-war/setups.csv: repaired CRLF" in done.stdout
    assert run(tiny.GAME, "--data", str(tmp_path), "--check").returncode == 0


def test_what_is_not_certain_is_left_as_it_is(tmp_path: Path) -> None:
    game = tiny.replaced("game.toml", 'name = "text"\nnation', 'name = "enum(4-8, 8-4, 1)"\nnation')
    counters = tiny.FILES["counters.csv"].replace("re-1,1,", "re-1,04-Aug,").replace('"2, ""Old Guard"""', "1")
    tiny.write(tmp_path, game=game, counters=counters, setups=tiny.replaced("setups.csv", "re-2,0102", "re-2,9"))
    assert fmt(tiny.GAME, tmp_path).repairs == ()
    with pytest.raises(BoxErrors) as caught:
        load_box(tiny.GAME, root=tmp_path)
    assert [str(error) for error in caught.value.errors] == [
        "pocket-war/counters.csv:3:6: name `04-Aug`: a spreadsheet made a date of it; write 4-8 or 8-4 (and format the column as text)",
        "pocket-war/setups.csv:4:12: place `9` is not allowed; allowed: a key of hexes",
    ]


def test_references_come_back_with_the_keys_they_point_to(tmp_path: Path) -> None:
    # The key was spoilt in the same way, so that the reference alone looks right.
    folder = tiny.write(tmp_path)
    (folder / "hexes.csv").write_text(tiny.FILES["hexes.csv"].replace("\n0", "\n"), "utf-8")
    (folder / "setups.csv").write_text(tiny.FILES["setups.csv"].replace(",0", ","), "utf-8")
    fmt(tiny.GAME, tmp_path)
    assert contents(folder)["setups.csv"].decode() == tiny.FILES["setups.csv"]


def test_lists_come_back_item_by_item(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "game.toml").write_text(
        'id = "small"\nshort = "s"\ntitle = "Small"\nversion = "1"\n[grid]\nrows = 9\ncolumns = 9\n'
        '[tables.regions]\nfile = "regions.csv"\nkey = ["region"]\n'
        '[tables.regions.columns]\nregion = "text"\nhexes = "hexes"\nturns = "list(int(1..9))?"\nsource = "source"\n',
        "utf-8",
    )
    (folder / "regions.csv").write_text("region,hexes,turns,source\nnorth,0901 802 903,1;2.0,rulebook 1\nsouth,101,,rulebook 1\n", "utf-8")
    fmt("small", tmp_path)
    assert (folder / "regions.csv").read_text(
        "utf-8"
    ) == "region,hexes,turns,source\nnorth,0901 0802 0903,1;2,rulebook 1\nsouth,0101,,rulebook 1\n"


def test_columns_take_the_order_of_the_schema(tmp_path: Path) -> None:
    folder = tiny.write(tmp_path, rivers="source,name,b,a\nrulebook map,Brook,0201,0101\n")
    fmt(tiny.GAME, tmp_path)
    assert contents(folder)["rivers.csv"].decode() == tiny.FILES["rivers.csv"]


def test_an_unreadable_file_is_not_touched_and_the_others_are_repaired(tmp_path: Path) -> None:
    folder = tiny.write(tmp_path)
    spoilt(folder)
    (folder / "counters.csv").write_bytes(b"piece,name\r\nre-1,\xfc\r\n")
    (folder / "rivers.csv").write_bytes(b"a,b,name,source\r\n0101,0201,Brook\r\n")
    before = contents(folder)
    done = run(tiny.GAME, "--data", str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "modgen: pocket-war/counters.csv:2:6: byte 0xFC is not UTF-8; save the file as `CSV UTF-8`",
        "modgen: pocket-war/rivers.csv:2:11: the row has 3 cells; allowed: 4, as the header",
    ]
    after = contents(folder)
    assert after["counters.csv"] == before["counters.csv"] and after["rivers.csv"] == before["rivers.csv"]
    assert after["results.csv"].decode() == tiny.FILES["results.csv"]


def test_game_toml_keeps_its_words_and_loses_carriage_returns(tmp_path: Path) -> None:
    folder = tiny.write(tmp_path)
    plain = (folder / "game.toml").read_bytes()
    (folder / "game.toml").write_bytes(b"\xef\xbb\xbf" + plain.replace(b"\n", b"\r\n"))
    assert [(repair.file, repair.what) for repair in fmt(tiny.GAME, tmp_path).repairs] == [("pocket-war/game.toml", ("BOM", "CRLF"))]
    assert (folder / "game.toml").read_bytes() == plain


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    folder = tiny.write(tmp_path)
    spoilt(folder)
    folder.chmod(0o500)
    try:
        done = run(tiny.GAME, "--data", str(tmp_path))
    finally:
        folder.chmod(0o700)
    assert done.returncode == 2 and "permission denied" in done.stderr


def test_nothing_is_left_beside_when_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tiny.write(tmp_path)
    spoilt(folder)
    before = contents(folder)

    def fail(beside: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(FormatError, match=r"\.csv: cannot be written: No space left"):
        fmt(tiny.GAME, tmp_path)
    assert contents(folder) == before
