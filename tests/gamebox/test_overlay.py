"""An overlay corrects cells, and only those, by an owner's word; a hostile zip harms nobody."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from gamebox import load
from gamebox.load import BoxErrors, load_box
from gamebox.model import Box, SourceKind
from tests.gamebox import tiny

OVERLAY = {"hexes.csv": "hex,terrain,source\n0101,wood,owner of a copy\n"}


def folder(tmp_path: Path, files: Mapping[str, str]) -> Path:
    path = tmp_path / "fixes"
    path.mkdir(parents=True)
    for name, text in files.items():
        (path / name).write_text(text, encoding="utf-8")
    return path


def zipped(path: Path, files: Mapping[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def laid(tmp_path: Path, files: Mapping[str, str]) -> Box:
    tiny.write(tmp_path)
    return load_box(tiny.GAME, folder(tmp_path, files), tmp_path)


def errors(tmp_path: Path, overlay: Path | Mapping[str, str]) -> list[str]:
    tiny.write(tmp_path)
    with pytest.raises(BoxErrors) as caught:
        load_box(tiny.GAME, overlay, tmp_path)
    return [str(error) for error in caught.value.errors]


def test_a_changed_cell_rests_on_the_owner_and_all_others_stay(tmp_path: Path) -> None:
    box = laid(tmp_path, OVERLAY)
    plain = load_box(tiny.GAME, root=tmp_path)
    row = box["hexes"]["0101"]
    assert row.text("terrain") == "wood" and str(row.source("terrain")) == "owner of a copy"
    assert row.flag("playable") and row.source("playable").kind is SourceKind.RULEBOOK
    assert box.data_hash != plain.data_hash
    assert [dict(r.values) for r in box["hexes"] if r.key != "0101"] == [dict(r.values) for r in plain["hexes"] if r.key != "0101"]
    assert box["hexes"]["0102"] == plain["hexes"]["0102"]


def test_a_folder_a_zip_a_zipped_folder_and_the_embedded_texts_are_one_overlay(tmp_path: Path) -> None:
    tiny.write(tmp_path)
    sources: list[Path | Mapping[str, str]] = [
        folder(tmp_path, OVERLAY),
        zipped(tmp_path / "a.zip", OVERLAY),
        zipped(tmp_path / "b.zip", {"fixes/hexes.csv": OVERLAY["hexes.csv"], "__MACOSX/x": b"\0", ".DS_Store": b"\0"}),
        zipped(tmp_path / "c.zip", {"hexes.csv": "\ufeff" + OVERLAY["hexes.csv"].replace(",", ";").replace("\n", "\r\n")}),
    ]
    boxes = [load_box(tiny.GAME, source, tmp_path) for source in sources]
    boxes.append(load_box(tiny.GAME, boxes[0].overlay, tmp_path))
    assert len({box.data_hash for box in boxes}) == 1
    assert [dict(box.overlay) for box in boxes] == [{"hexes.csv": "hex,terrain,source\n0101,wood,owner of a copy\n"}] * 5


def test_without_an_overlay_nothing_is_embedded(tmp_path: Path) -> None:
    tiny.write(tmp_path)
    assert dict(load_box(tiny.GAME, root=tmp_path).overlay) == {}


def test_a_whole_row_copied_and_corrected_works_as_well(tmp_path: Path) -> None:
    text = "hex,terrain,playable,source,source_playable\n0202,plain,1,reconstructed a lake by the look of it,owner of a copy\n"
    row = laid(tmp_path, {"hexes.csv": text})["hexes"]["0202"]
    assert row.flag("playable") and str(row.source("playable")) == "owner of a copy"
    assert not row.source("terrain").certain


def test_an_owner_confirms_a_cell_that_stays_as_it_is(tmp_path: Path) -> None:
    box = laid(tmp_path, {"results.csv": "odds,die,result,source\n1:1,2,miss,owner of a copy\n"})
    assert str(box["results"]["1:1|2"].source("result")) == "owner of a copy"
    assert box.data_hash != load_box(tiny.GAME, root=tmp_path).data_hash
    again = load_box(tiny.GAME, {"hexes.csv": "hex,playable,source\n0202,0,owner of a copy\n"}, tmp_path)["hexes"]["0202"]
    assert str(again.source("playable")) == "owner of a copy"


def test_a_correction_leaves_the_sources_of_other_cells_alone(tmp_path: Path) -> None:
    # ``terrain`` and ``combat`` rest on the plain source column, ``playable`` on its own.
    box = laid(tmp_path, {"hexes.csv": "hex,playable,source\n0202,1,owner of a copy\n"})
    row = box["hexes"]["0202"]
    assert str(row.source("playable")) == "owner of a copy" and str(row.source("terrain")) == "reconstructed a lake by the look of it"


def test_a_row_without_cells_confirms_all_or_what_it_names(tmp_path: Path) -> None:
    tiny.write(tmp_path)
    whole = load_box(tiny.GAME, {"hexes.csv": "hex,source\n0202,owner of a copy\n"}, tmp_path)["hexes"]["0202"]
    assert {str(whole.source(column)) for column in ("terrain", "playable")} == {"owner of a copy"}
    text = "hex,source,source_playable\n0202,owner of a copy,owner again\n"
    named = load_box(tiny.GAME, {"hexes.csv": text}, tmp_path)["hexes"]["0202"]
    assert str(named.source("playable")) == "owner again" and str(named.source("terrain")) == "reconstructed a lake by the look of it"


def test_rows_are_added_emptied_and_removed(tmp_path: Path) -> None:
    files = {"rivers.csv": "a,b,name,change,source\n0101,0102,Ditch,,owner of a copy\n0101,0201,,remove,owner of a copy\n"}
    box = laid(tmp_path, files)
    assert [row.key for row in box["rivers"]] == ["0101|0102"]
    assert box["rivers"]["0101|0102"].text("name") == "Ditch"
    emptied = load_box(tiny.GAME, {"rivers.csv": "a,b,name,source\n0101,0201,-,owner of a copy\n"}, tmp_path)
    assert emptied["rivers"]["0101|0201"].values["name"] is None


def test_a_new_row_rests_on_its_source_in_every_cell(tmp_path: Path) -> None:
    tiny.write(tmp_path, hexes=tiny.replaced("hexes.csv", "0302,plain,1,rulebook map,rulebook map\n", ""))
    row = load_box(tiny.GAME, {"hexes.csv": "hex,terrain,playable,source\n0302,wood,1,owner of a copy\n"}, tmp_path)["hexes"]["0302"]
    assert str(row.source("playable")) == str(row.source("terrain")) == "owner of a copy"


def test_errors_of_an_overlay_name_the_overlays_files(tmp_path: Path) -> None:
    files = {
        "hexes.csv": "hex,terrain,playable,source,source_playable\n"
        "0101,fog,,owner of a copy,\n0102,,0,owner of a copy,rulebook map\n0103,wood,1,,\n",
        "rivers.csv": "a,b,change,source\n"
        "0301,0302,remove,owner of a copy\n0101,0201,delete,owner of a copy\n0101,0201,remove,owner again\n",
        "setups.csv": "setup,place,source\nfirst,0102,owner of a copy\n",
        "results.csv": "odds,die,result,colour,source\n1:1,1,hit,red,owner of a copy\n",
        "units.csv": "piece\n",
    }
    assert errors(tmp_path, folder(tmp_path, files)) == [
        "fixes/hexes.csv:2:6: terrain `fog` is not allowed; allowed: plain, wood",
        "fixes/hexes.csv:3:25: source_playable `rulebook map` is still the old one, but playable has changed; allowed: who says so now",
        "fixes/hexes.csv:4:13: source is empty; allowed: owner, then who says so (or another source)",
        "fixes/results.csv:1:17: column `colour` is unknown; allowed: odds, die, result, source, change",
        "fixes/rivers.csv:2:1: a `0301|0302` is not in the box; allowed: keys of rivers.csv",
        "fixes/rivers.csv:3:11: change `delete` is not allowed; allowed: remove or empty",
        "fixes/rivers.csv:4:1: a `0101|0201` is here twice, first in line 3; allowed: one row for each a and b",
        "fixes/setups.csv:1:1: column `piece` is missing; allowed: setup, piece, source and any other columns of the table",
        "fixes/units.csv:1:1: this file is no table of the game; allowed: counters.csv, hexes.csv, results.csv, rivers.csv, setups.csv",
    ]


def test_a_new_row_needs_every_fact(tmp_path: Path) -> None:
    assert errors(tmp_path, {"counters.csv": "piece,name,source\nre-3,3,owner of a copy\n"}) == [
        "overlay/counters.csv:2:1: combat is empty; allowed: a whole number from 0 to 9",
        "overlay/counters.csv:2:1: move is empty; allowed: a whole number from 0 to 9",
        "overlay/counters.csv:2:1: nation is empty; allowed: text",
        "overlay/counters.csv:2:1: side is empty; allowed: red, blue",
    ]


def test_removing_what_others_need_is_an_error(tmp_path: Path) -> None:
    assert errors(tmp_path, {"counters.csv": "piece,change,source\nre-2,remove,owner of a copy\n"}) == [
        "pocket-war/setups.csv:4:7: piece `re-2` is not allowed; allowed: a key of counters"
    ]


def test_texts_that_no_file_could_hold_are_told(tmp_path: Path) -> None:
    assert errors(tmp_path, {"hexes.csv": "hex,terrain,source\n0101,\ud800,owner of a copy\n", "../x": "", "counters.csv": ""}) == [
        "overlay/../x:1:1: this file is no table of the game; allowed: counters.csv, hexes.csv, results.csv, rivers.csv, setups.csv",
        "overlay/counters.csv:1:1: the file is empty; allowed: a header line and rows",
        "overlay/hexes.csv:2:6: byte 0xED is not UTF-8; save the file as `CSV UTF-8`",
    ]
    digits = {"counters.csv": f"piece,combat,source\nre-1,{'9' * 9000},owner of a copy\n"}
    assert errors(tmp_path, digits) == [
        f"overlay/counters.csv:2:6: combat `{'9' * 77}...` is not allowed; allowed: a whole number from 0 to 9"
    ]


def test_an_overlay_that_is_not_there_is_told(tmp_path: Path) -> None:
    assert errors(tmp_path, tmp_path / "none.zip") == ["none.zip: no such overlay; allowed: a folder or a zip of table files"]


OUTSIDE = ["../hexes.csv", "a/../../hexes.csv", "/etc/hexes.csv", "..\\hexes.csv", "C:\\hexes.csv", "a//hexes.csv", "..", "./hexes.csv"]


@pytest.mark.parametrize("name", OUTSIDE)
def test_names_that_lead_out_of_a_zip_are_refused(tmp_path: Path, name: str) -> None:
    path = zipped(tmp_path / "bad.zip", {name: OVERLAY["hexes.csv"], "rivers.csv": "a,b,name,source\n"})
    found = errors(tmp_path, path)
    assert len(found) == 1 and "leads out of the overlay" in found[0], found
    assert not (tmp_path.parent / "hexes.csv").exists()


@pytest.mark.parametrize("names", [("a/hexes.csv", "b/hexes.csv"), ("hexes.csv", "b/hexes.csv"), ("a/hexes.csv", "a/b/rivers.csv")])
def test_files_of_a_zip_that_lie_in_several_folders_are_told_as_such(tmp_path: Path, names: tuple[str, str]) -> None:
    found = errors(tmp_path, zipped(tmp_path / "two.zip", dict.fromkeys(names, OVERLAY["hexes.csv"])))
    why = "this file lies in a folder, and not all files of the zip lie in the same one"
    allowed = "files beside each other, or all in one folder"
    top = "a/" if all(name.startswith("a/") for name in names) else ""
    assert found == [f"two.zip/{name}:1:1: {why}; allowed: {allowed}" for name in names if "/" in name.removeprefix(top)]


@pytest.mark.parametrize("inside", [(), (".DS_Store",), ("README.md", "__MACOSX/x")])
def test_an_overlay_without_a_table_is_refused(tmp_path: Path, inside: tuple[str, ...]) -> None:
    """It would change nothing, and whoever mistyped its name would not be told."""
    path = tmp_path / "fixes"
    path.mkdir()
    for name in inside:
        (path / name).parent.mkdir(exist_ok=True)
        (path / name).write_bytes(b"x")
    if "__MACOSX/x" not in inside:
        assert errors(tmp_path, path) == ["fixes: no table file in this overlay; allowed: a folder or a zip of table files"]
    packed = zipped(tmp_path / "none.zip", dict.fromkeys(inside, b"x"))
    assert errors(tmp_path, packed) == ["none.zip: no table file in this overlay; allowed: a folder or a zip of table files"]


def test_a_lone_file_above_the_zip_is_refused_too(tmp_path: Path) -> None:
    found = errors(tmp_path, zipped(tmp_path / "bad.zip", {"../hexes.csv": OVERLAY["hexes.csv"]}))
    assert len(found) == 1 and "leads out of the overlay" in found[0], found


def test_a_name_twice_in_a_zip_is_refused(tmp_path: Path) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("hexes.csv", OVERLAY["hexes.csv"])
        archive.writestr("hexes.csv", OVERLAY["hexes.csv"])
    path = tmp_path / "twice.zip"
    path.write_bytes(data.getvalue())
    assert errors(tmp_path, path) == ["twice.zip/hexes.csv:1:1: this name is in the zip twice; allowed: once"]


def test_a_link_in_a_zip_is_refused(tmp_path: Path) -> None:
    entry = zipfile.ZipInfo("hexes.csv")
    entry.external_attr = 0o120777 << 16
    path = tmp_path / "link.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(entry, "/etc/passwd")
    assert errors(tmp_path, path) == ["link.zip/hexes.csv:1:1: an encrypted file or a link; allowed: plain files"]


def test_a_zip_bomb_ends_early(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "MAX_FILE_BYTES", 100_000)
    path = zipped(tmp_path / "bomb.zip", {"hexes.csv": b"0" * 20_000_000})
    assert path.stat().st_size < 100_000
    assert errors(tmp_path, path) == ["bomb.zip/hexes.csv:1:1: too large; allowed: 100000 bytes a file, 32000000 in all"]


def test_too_many_files_are_refused(tmp_path: Path) -> None:
    names = {f"t{number}.csv": "a\n" for number in range(load.MAX_OVERLAY_FILES + 1)}
    assert errors(tmp_path, zipped(tmp_path / "many.zip", names)) == [
        f"many.zip:1:1: {len(names)} files in the zip; allowed: {load.MAX_OVERLAY_FILES}"
    ]


@pytest.mark.parametrize("cut", [0, 10, 60, -30])
def test_a_truncated_or_wrong_zip_is_told(tmp_path: Path, cut: int) -> None:
    path = zipped(tmp_path / "cut.zip", OVERLAY)
    path.write_bytes(path.read_bytes()[:cut])
    assert errors(tmp_path, path) == ["cut.zip:1:1: not a readable zip; allowed: a folder or a zip of table files"]
