"""Versions: what was released stays as it is, whatever is added, renamed or put in another order."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bench.synthetic import GAME, write
from modgen.build import BuildError, build
from modgen.build.releases import FILE as RELEASES
from modgen.build.releases import PARTS, is_version, read_releases
from modgen.cli import app
from modgen.errors import ArtError
from modgen.formats.vassal.buildfile import read_module
from modgen.formats.vassal.saves import read_save
from modgen.vassal.frozen import FILE as FROZEN
from modgen.vassal.frozen import read_frozen
from modgen.vassal.ledger import LedgerError, read_ledger


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The folder of games, with one small game in it."""
    write(tmp_path / "data")
    return tmp_path / "data"


def edit(folder: Path, file: str, old: str, new: str) -> None:
    path = folder / GAME / file
    text = path.read_text("utf-8")
    assert text.count(old) == 1, (file, old)
    path.write_text(text.replace(old, new), "utf-8")


def version(folder: Path, old: str, new: str) -> None:
    edit(folder, "module.toml", f'version = "{old}"', f'version = "{new}"')


def test_a_version_that_is_not_released_may_change_freely(data: Path, tmp_path: Path) -> None:
    first = build(GAME, data=data, out=tmp_path / "a")
    edit(data, "module.toml", "#f3ead0", "#f3ead1")
    second = build(GAME, data=data, out=tmp_path / "b")
    assert first.content != second.content and first.version == second.version == "1.0.0"
    assert not first.released and not second.warnings
    assert not (data / GAME / RELEASES).exists() and not (data / GAME / FROZEN).exists()


def test_a_released_version_keeps_its_content(data: Path, tmp_path: Path) -> None:
    made = build(GAME, data=data, out=tmp_path / "a", release=True)
    (row,) = read_releases(data / GAME / RELEASES)
    assert made.released and (row.version, row.date, row.vassal, row.gpids) == ("1.0.0", "2026-11-30", "3.7.26", 7)
    again = build(GAME, data=data, out=tmp_path / "b")
    assert again.released and (tmp_path / "a" / f"{GAME}.vmod").read_bytes() == again.file.read_bytes()
    before = (data / GAME / RELEASES).read_bytes()
    build(GAME, data=data, out=tmp_path / "a", release=True)
    assert (data / GAME / RELEASES).read_bytes() == before


@pytest.mark.parametrize(
    ("file", "old", "new", "differs"),
    [
        ("module.toml", '"#f3ead0"', '"#f3ead1"', "board"),
        ("module.toml", 'text = "TURN"', 'text = "NOW"', "counters"),
        ("module.toml", 'tooltip = "the die"', 'tooltip = "a die"', "build file, help"),
        ("units.csv", "red-1,1,Red,red,1,", "red-1,1,Red,red,2,", "data, build file, help, set-ups, counters, rest"),
        ("setups.csv", "start,red-1,0102", "start,red-1,0103", "data, build file, help, set-ups, rest"),
    ],
)
def test_other_content_under_a_released_version_is_refused_with_what_differs(
    data: Path, tmp_path: Path, file: str, old: str, new: str, differs: str
) -> None:
    build(GAME, data=data, out=tmp_path / "a", release=True)
    edit(data, file, old, new)
    for release in (False, True):
        with pytest.raises(BuildError) as caught:
            build(GAME, data=data, out=tmp_path / "b", release=release)
        said = str(caught.value)
        where = f"{GAME}/module.toml: version: 1.0.0 was released on 2026-11-30 with other content"
        assert said.startswith(f"{where} (what differs: {differs})")
        assert "\n" not in said and "Raise version" in said
    assert not (tmp_path / "b" / f"{GAME}.vmod").exists()
    version(data, "1.0.0", "1.0.1-dev")
    assert build(GAME, data=data, out=tmp_path / "b").version.startswith("1.0.1-dev+")


def test_a_draft_carries_a_mark_of_its_content_so_that_clients_never_show_it_from_older_tiles(data: Path, tmp_path: Path) -> None:
    version(data, "1.0.0", "1.0.0-dev")
    first = build(GAME, data=data, out=tmp_path / "a")
    assert build(GAME, data=data, out=tmp_path / "b").version == first.version
    edit(data, "module.toml", "#f3ead0", "#f3ead1")
    other = build(GAME, data=data, out=tmp_path / "a")
    assert other.version != first.version and not other.warnings
    module = read_module(other.file)
    with zipfile.ZipFile(other.file) as archive:
        save = read_save(archive.read("start.vsav"))
        assert f"<version>{other.version}</version>" in archive.read("moduledata").decode()
    assert module.root.get("version") == other.version and save.metadata is not None and save.metadata.version == other.version
    with pytest.raises(BuildError, match=r"1\.0\.0-dev is still being worked on; take -dev away, then release 1\.0\.0"):
        build(GAME, data=data, out=tmp_path / "c", release=True)


def test_a_board_with_corrections_is_never_taken_for_the_released_one(data: Path, tmp_path: Path) -> None:
    build(GAME, data=data, out=tmp_path / "a", release=True)
    overlay = tmp_path / "mine"
    overlay.mkdir()
    seen = {"1.0.0"}
    for terrain in ("sea", "clear"):
        (overlay / "hexes.csv").write_text(f"hex,terrain,source\n0204,{terrain},owner A Tester\n", "utf-8")
        made = build(GAME, data=data, out=tmp_path / "b", overlay=overlay)
        assert made.version.startswith("1.0.0+") and not made.released
        seen.add(made.version)
    assert len(seen) == 3
    with pytest.raises(BuildError, match="without an overlay"):
        build(GAME, data=data, out=tmp_path / "b", overlay=overlay, release=True)


def test_what_a_version_may_be() -> None:
    assert all(map(is_version, ("1", "1.2.0", "1.2.0-dev", "2.0-beta1")))
    assert not any(map(is_version, ("v1", "1.0+a", "", "1 0", "1.0.0\n", "-dev")))


def test_a_version_that_is_none_is_told(data: Path, tmp_path: Path) -> None:
    version(data, "1.0.0", "first try")
    done = CliRunner().invoke(app, ["build", GAME, "--data", str(data), "--out", str(tmp_path / "a")])
    assert done.exit_code == 2
    assert done.stderr == (
        f"modgen: {GAME}/module.toml: version: 'first try' is not allowed; "
        "numbers like 1.2.0, and -dev after them while it is not released\n"
    )


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("1.0.0,2026-11-30,3.7.26,7,0123456789abcdef", "is no row; 13 cells are needed"),
        ("1.0.0,2026-11-30,3.7.26,7," + ",".join(["xyz"] * 9), "is no row that `modgen release` wrote"),
        ("one,2026-11-30,3.7.26,7," + ",".join(["0" * 16] * 9), "is no row that `modgen release` wrote"),
    ],
)
def test_a_damaged_file_of_releases_is_refused(data: Path, tmp_path: Path, row: str, said: str) -> None:
    heads = ",".join(part.replace(" ", "_") for part in PARTS)
    (data / GAME / RELEASES).write_text(f"version,date,vassal,gpids,ledger,{heads}\n{row}\n", "utf-8")
    with pytest.raises(LedgerError, match=f"{GAME}/releases.csv:2:1: .*{said}"):
        build(GAME, data=data, out=tmp_path / "a")


# -- what may change in a new version, and what may not


def changed_units(data: Path) -> None:
    """Two units more, one of them in the midst; all in reverse order; one renamed."""
    path = data / GAME / "units.csv"
    head, *rows = path.read_text("utf-8").splitlines()
    rows = [row.replace("blue-1,1,", "blue-1,1st Guards,") for row in rows]
    rows += ["red-0,0,Red,red,7,7,7,derived made up", "blue-9,9,Blue,blue,9,1,9,derived made up"]
    path.write_text("\n".join([head, *reversed(rows)]) + "\n", "utf-8")
    with (data / GAME / "setups.csv").open("a", encoding="utf-8") as file:
        file.write("start,red-0,0303,derived made up\nstart,blue-9,0304,derived made up\n")


def test_units_added_renamed_and_reordered_leave_every_old_number_alone(data: Path, tmp_path: Path) -> None:
    build(GAME, data=data, out=tmp_path / "a", release=True)
    before = read_ledger(data / GAME / "gpids.csv").numbers
    old = read_module(tmp_path / "a" / f"{GAME}.vmod")
    changed_units(data)
    version(data, "1.0.0", "1.1.0")
    with pytest.raises(LedgerError, match="no number for red-0, blue-9: build once with --allocate"):
        build(GAME, data=data, out=tmp_path / "b")
    report = build(GAME, data=data, out=tmp_path / "b", allocate=True)
    assert set(report.allocated) == {"red-0", "blue-9"}
    ledger = read_ledger(data / GAME / "gpids.csv")
    assert {slot: ledger.numbers[slot] for slot in before} == before
    assert sorted(ledger.numbers[slot] for slot in report.allocated) == [8, 9]
    assert {ledger.since[slot] for slot in report.allocated} == {"1.1.0"}
    unit = {slot.gpid: slot.piece.markers().get("UnitId") for slot in read_module(report.file).slots}
    for slot in old.slots:
        assert unit[slot.gpid] == slot.piece.markers().get("UnitId")
    build(GAME, data=data, out=tmp_path / "b", release=True)
    rows = read_frozen(data / GAME / FROZEN)
    assert {row.since for row in rows} == {"1.0.0", "1.1.0"}
    assert {gpid for row in rows if row.since == "1.1.0" for gpid in row.gpids} == {8, 9}


def test_a_unit_that_people_have_may_only_go_by_its_makers_word(data: Path, tmp_path: Path) -> None:
    build(GAME, data=data, out=tmp_path / "a", release=True)
    edit(data, "units.csv", "red-1,1,Red,red,1,1,2,derived made up\n", "")
    edit(data, "setups.csv", "start,red-1,0102,derived made up\n", "")
    version(data, "1.0.0", "2.0.0")
    with pytest.raises(LedgerError, match=r"gpids.csv:2:1: red-1 \(gpid 1\) is in games that people have"):
        build(GAME, data=data, out=tmp_path / "b")
    path = data / GAME / "gpids.csv"
    head, first, *rows = path.read_text("utf-8").splitlines()
    path.write_text("\n".join((f"{head},until", f"{first},2.0.0", *(f"{row}," for row in rows))) + "\n", "utf-8")
    assert build(GAME, data=data, out=tmp_path / "b").counters == 6


def test_a_number_moved_by_hand_is_refused_against_the_release_also_without_an_older_module(data: Path, tmp_path: Path) -> None:
    build(GAME, data=data, out=tmp_path / "a", release=True)
    path = data / GAME / "gpids.csv"
    head, first, second, *rows = path.read_text("utf-8").splitlines()
    swapped = (first.replace("red-1", "red-2"), second.replace("red-2", "red-1"))
    path.write_text("\n".join((head, *swapped, *rows)) + "\n", "utf-8")
    version(data, "1.0.0", "1.1.0")
    with pytest.raises(LedgerError, match=f"{GAME}/gpids.csv: the rows up to 7 are not those that were released as 1.0.0"):
        build(GAME, data=data, out=tmp_path / "b")


def test_the_check_holds_the_ledger_to_what_was_released(data: Path, tmp_path: Path) -> None:
    build(GAME, data=data, out=tmp_path / "a", release=True)
    good = CliRunner().invoke(app, ["check", GAME, "--data", str(data)])
    assert good.exit_code == 0 and "ok  gpids.csv, releases.csv and frozen.csv keep what was released (1)" in good.stdout
    edit(data, "gpids.csv", "2,red-2,1.0.0\n", "2,red-9,1.0.0\n")
    (data / GAME / FROZEN).write_text("nothing\n", "utf-8")
    bad = CliRunner().invoke(app, ["check", GAME, "--data", str(data)])
    assert bad.exit_code == 1
    moved, gone = "gpids.csv: the rows up to 7 are not those", "gpids.csv:3:1: red-9 (gpid 2) is in games"
    for said in (moved, gone, "frozen.csv:1:1: the heading is nothing"):
        assert f"    {GAME}/{said}" in bad.stdout


def test_a_trait_with_state_keeps_its_text_after_a_release(data: Path, tmp_path: Path) -> None:
    build(GAME, data=data, out=tmp_path / "a", release=True)
    # Another size of counters moves the mark "moved": its trait's text has the place.
    edit(data, "module.toml", "size = 52", "size = 60")
    version(data, "1.0.0", "1.1.0")
    with pytest.raises(LedgerError) as caught:
        build(GAME, data=data, out=tmp_path / "b")
    told = str(caught.value)
    assert told.startswith(f"{GAME}/frozen.csv:") and "slot Red 1 (gpid 1) and 5 more: the trait markmoved was " in told
    assert "would forget whether it has moved" in told and not (tmp_path / "b" / f"{GAME}.vmod").exists()
    edit(data, FROZEN, "1.0.0,,markmoved", "1.0.0,1.1.0,markmoved")
    assert build(GAME, data=data, out=tmp_path / "b").version == "1.1.0"


def test_nothing_is_released_that_cannot_be_built(data: Path, tmp_path: Path) -> None:
    edit(data, "module.toml", 'text = "TURN"', 'text = "⚓"')
    with pytest.raises(ArtError):
        build(GAME, data=data, out=tmp_path / "a", release=True)
    assert not (data / GAME / RELEASES).exists() and not (data / GAME / FROZEN).exists() and not (tmp_path / "a").exists()


def test_the_command_releases_and_says_so(data: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["release", GAME, "--data", str(data), "--out", str(tmp_path / "a")])
    assert (done.exit_code, done.stderr) == (0, "") and f"{GAME}, module 1.0.0 (released), " in done.stdout
    assert (data / GAME / RELEASES).exists()
