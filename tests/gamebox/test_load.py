"""The loader follows game.toml, and says of everything that is wrong where it is and what is allowed."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from gamebox.load import BoxErrors, data_root, games, load_box, load_schema
from gamebox.model import SourceKind
from tests.gamebox import tiny

ROOT = Path(__file__).resolve().parents[2]
SOURCES = "rulebook, derived, reconstructed, owner, then the sections or the reason"


def errors(root: Path, game: str = tiny.GAME) -> list[str]:
    with pytest.raises(BoxErrors) as caught:
        load_box(game, root=root)
    assert str(caught.value).splitlines() == [str(error) for error in caught.value.errors]
    return [str(error) for error in caught.value.errors]


def test_a_game_is_a_folder_and_nothing_else(tmp_path: Path) -> None:
    tiny.write(tmp_path)
    (tmp_path / "no-game").mkdir()
    assert games(tmp_path) == (tiny.GAME,)
    box = load_box(tiny.GAME, root=tmp_path)
    assert (box.id, box.short, box.title, box.version) == ("pocket-war", "pw", "Pocket War", "0.1")
    assert box.grid is not None and box.grid.numbering == "CCRR"
    assert {name: len(table) for name, table in box.tables.items()} == {"hexes": 6, "rivers": 1, "counters": 3, "setups": 3, "results": 6}
    old_guard = box.piece("re-2")
    assert old_guard is not None
    assert (old_guard.name, old_guard.side, old_guard.strengths) == ('2, "Old Guard"', "red", (4, 3))
    assert old_guard.row.source("combat").kind is SourceKind.RECONSTRUCTED and not old_guard.row.source().certain
    assert box.setup("first") == (("bl-1", "0301"), ("re-1", "0101"), ("re-2", "0102"))
    assert box["hexes"]["0202"].source("playable").certain and not box["hexes"]["0202"].source("terrain").certain
    assert box["rivers"]["0101|0201"].text("name") == "Brook"
    assert [row.key for row in box["results"]][:3] == ["1:2|1", "1:2|2", "1:1|1"], "enums sort in their own order"


def test_our_own_games_are_found_beside_the_package() -> None:
    assert data_root() == ROOT / "data"
    assert all((data_root() / game / "game.toml").is_file() for game in games())


def armies(root: Path, **changed: str) -> Path:
    """The tiny game with a second kind of counters: armies, which print how many counters they hold, and nothing else."""
    game = tiny.FILES["game.toml"].replace('strengths = ["combat", "move"]', 'strengths = ["combat", "move", "room"]')
    game = game.replace('pieces = "counters"', 'pieces = ["armies", "counters"]').replace("ref(counters)", "ref(armies, counters)")
    game += (
        '[tables.armies]\nfile = "armies.csv"\nkey = ["piece"]\n[tables.armies.columns]\npiece = "id"\nname = "text"\n'
        'nation = "text"\nside = "enum(red, blue)"\nroom = "int(1..)"\nsource = "source"\n'
    )
    folder = tiny.write(root, **{"game": game, **changed})
    rows = changed.get("armies", "piece,name,nation,side,room,source\nre-army,Army,Redland,red,3,rulebook counters\n")
    (folder / "armies.csv").write_text(rows, encoding="utf-8")
    return root


def test_counters_of_several_tables_each_have_the_strengths_that_their_table_has(tmp_path: Path) -> None:
    box = load_box(tiny.GAME, root=armies(tmp_path))
    assert box.strengths == ("combat", "move", "room")
    assert [(piece.id, piece.columns, piece.strengths) for piece in box.pieces] == [
        ("re-army", ("room",), (3,)),
        ("bl-1", ("combat", "move"), (3, 4)),
        ("re-1", ("combat", "move"), (2, 4)),
        ("re-2", ("combat", "move"), (4, 3)),
    ]
    army = box.piece("re-army")
    assert army is not None and army.row.table == "armies"
    assert (army.strength("room"), army.strength("combat")) == (3, None)


def test_no_two_counters_have_one_id_whatever_their_tables(tmp_path: Path) -> None:
    root = armies(tmp_path, armies="piece,name,nation,side,room,source\nre-1,Army,Redland,red,3,rulebook counters\n")
    assert errors(root) == ["pocket-war/counters.csv:3:1: piece `re-1` is a counter of armies too; allowed: an id of its own"]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"armies", "counters"]', '"armies", "units"]', "6:1: `units` is no table; allowed: hexes, rivers, counters,"),
        ('"armies", "counters"]', '"armies", "armies"]', "6:1: `pieces` is missing or no list of different texts"),
        ('"move", "room"]', '"move", "rooms"]', "5:1: `rooms` is a column of no table of counters (armies, counters)"),
        ('"armies", "counters"]', '"armies", "rivers"]', "the counters' table is not keyed by one column of type id"),
        ('side = "enum(red, blue)"\nroom', 'room', "the counters' table has no column `side`"),
    ],
)
def test_tables_of_counters_that_cannot_be_are_told(tmp_path: Path, old: str, new: str, told: str) -> None:
    armies(tmp_path)
    file = tmp_path / tiny.GAME / "game.toml"
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")
    assert any(told in line and line.startswith("pocket-war/game.toml:") for line in errors(tmp_path)), errors(tmp_path)


def test_a_game_without_a_grid_loads(tmp_path: Path) -> None:
    folder = tmp_path / "zones"
    folder.mkdir()
    (folder / "game.toml").write_text(
        'id = "zones"\nshort = "z"\ntitle = "Zones"\nversion = "1"\n'
        '[tables.zones]\nfile = "zones.csv"\nkey = ["zone"]\n'
        '[tables.zones.columns]\nzone = "int(1..)"\nname = "text"\nnear = "list(ref(zones))?"\nsource = "source"\n',
        encoding="utf-8",
    )
    rows = "zone,name,near,source\n1,North,2,rulebook 1\n2,South,1;10,rulebook 1\n10,Isle,,rulebook 1\n"
    (folder / "zones.csv").write_text(rows, encoding="utf-8")
    box = load_box("zones", root=tmp_path)
    assert box.grid is None and box.pieces == ()
    assert [row.key for row in box["zones"]] == ["1", "2", "10"]
    assert box["zones"]["2"].items("near") == ("1", "10") and box["zones"]["10"].items("near") == ()


def test_a_map_of_two_sheets_names_its_hexes_by_sheet(tmp_path: Path) -> None:
    lettered = {"0101": "A0101", "0102": "A0102", "0201": "B0101", "0202": "B0102", "0301": "B0201", "0302": "B0202"}
    texts = {name: text for name, text in tiny.FILES.items() if name in ("hexes.csv", "rivers.csv", "setups.csv")}
    for old, new in lettered.items():
        texts = {name: text.replace(old, new) for name, text in texts.items()}
    sheets = tiny.replaced("game.toml", "columns = 3\n", 'sheets = [["A", 1], ["B", 2]]\n')
    tiny.write(tmp_path, game=sheets, **{name.partition(".")[0]: text for name, text in texts.items()})
    box = load_box(tiny.GAME, root=tmp_path)
    assert box.grid is not None and box.grid.columns == 3 and box.grid.sheets == (("A", 1), ("B", 2))
    assert [row.key for row in box["hexes"]] == ["A0101", "A0102", "B0101", "B0102", "B0201", "B0202"]
    assert [row.key for row in box["rivers"]] == ["A0101|B0101"]
    assert box.setup("first") == (("bl-1", "B0201"), ("re-1", "A0101"), ("re-2", "A0102"))


def test_sheets_count_in_the_hash_only_where_there_are_some(tmp_path: Path) -> None:
    tiny.write(tmp_path)
    plain = load_box(tiny.GAME, root=tmp_path).data_hash
    # As it was before grids knew sheets: records made then hold this.
    assert plain == "dfaf39a831b92e892c1b8c6f3a397398d3e666bc9a894dcea88374774cbe0c5a"
    tiny.write(tmp_path, game=tiny.replaced("game.toml", "columns = 3\n", "columns = 3\nsheets = []\n"))
    assert load_box(tiny.GAME, root=tmp_path).data_hash == plain


def test_every_error_of_every_file_is_reported_at_once(tmp_path: Path) -> None:
    tiny.write(
        tmp_path,
        hexes=tiny.replaced("hexes.csv", "0102,wood", "9902,forest").replace("0201,plain,1,rulebook", "0201,plain,yes,book"),
        rivers="a,b,name,source\n0101,0301,Far,rulebook map\n0201,0101,Turned,rulebook map\n",
        counters=tiny.replaced("counters.csv", "re-1,1,Redland,red,2", "bl-1,1,Redland,green,12").replace("re-2,", "Old Guard,"),
        setups=tiny.replaced("setups.csv", "first,re-2,0102,rulebook 3", "first,re-9,0102,\nfirst,re-1,0302,rulebook 3"),
        results="odds,die,result\n1:1,1,hit\n",
    )
    assert errors(tmp_path) == [
        "pocket-war/counters.csv:3:1: piece `bl-1` is here twice, first in line 2; allowed: one row for each piece",
        "pocket-war/counters.csv:4:1: piece `Old Guard` is not allowed; allowed: a piece id "
        "(two to eight words of a-z and 0-9 joined by `-`, the first beginning with a letter, 40 characters at most)",
        "pocket-war/hexes.csv:3:1: hex `9902` is not allowed; allowed: a hex of the grid",
        "pocket-war/hexes.csv:3:6: terrain `forest` is not allowed; allowed: plain, wood",
        "pocket-war/hexes.csv:4:12: playable `yes`: a spreadsheet made a truth value of it; write 1 (and format the column as text)",
        f"pocket-war/hexes.csv:4:16: source `book` is no kind of source; allowed: {SOURCES}",
        "pocket-war/results.csv:1:1: column `source` is missing; allowed: odds, die, result, source",
        "pocket-war/rivers.csv:2:6: b `0301` does not touch 0101; allowed: 0201 0102",
        "pocket-war/rivers.csv:3:1: a `0201` stands before 0101; allowed: the lower number first (0101, 0201)",
        "pocket-war/setups.csv:3:7: piece `re-1` is not allowed; allowed: a key of counters",
        "pocket-war/setups.csv:4:7: piece `re-9` is not allowed; allowed: a key of counters",
        f"pocket-war/setups.csv:4:17: source is empty; allowed: {SOURCES}",
        "pocket-war/setups.csv:5:1: setup `first|re-1` is here twice, first in line 3; allowed: one row for each setup and piece",
    ]


def test_a_duplicate_unit_is_named_with_its_first_line(tmp_path: Path) -> None:
    tiny.write(tmp_path, counters=tiny.FILES["counters.csv"] + "re-1,1,Redland,red,2,4,rulebook counters\n")
    assert errors(tmp_path) == ["pocket-war/counters.csv:5:1: piece `re-1` is here twice, first in line 3; allowed: one row for each piece"]


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("re-1,1,Redland,red,2,4", "counters.csv:3:22: the row has 6 cells; allowed: 7, as the header"),
        ("re-1,1,Redland,red,2,4,rulebook counters,x", "counters.csv:3:42: the row has 8 cells; allowed: 7, as the header"),
        ("Re 1,1,Redland,red,2,4,rulebook counters", "counters.csv:3:1: piece `Re 1`"),
    ],
)
def test_a_row_that_cannot_be_read_is_one_error_and_those_that_refer_to_it_are_none(tmp_path: Path, row: str, told: str) -> None:
    counters = tiny.replaced("counters.csv", "re-1,1,Redland,red,2,4,rulebook counters", row)
    tiny.write(tmp_path, counters=counters)
    found = errors(tmp_path)
    assert len(found) == 1 and found[0].startswith(f"pocket-war/{told}"), found
    # What is wrong elsewhere is still told, also where more keys are missing than rows.
    tiny.write(tmp_path, counters=counters, setups=tiny.replaced("setups.csv", "re-2,0102", "re-2,0109"))
    assert [line.partition(": ")[0] for line in errors(tmp_path)] == [found[0].partition(": ")[0], "pocket-war/setups.csv:4:12"]
    tiny.write(tmp_path, counters=counters, setups=tiny.replaced("setups.csv", "re-2,0102", "re-7,0102"))
    assert "pocket-war/setups.csv:4:7: piece `re-7` is not allowed; allowed: a key of counters" in errors(tmp_path)


def test_numbers_that_a_spreadsheet_made_of_hexes_are_told_where_they_stand_alone(tmp_path: Path) -> None:
    hexes = tiny.FILES["hexes.csv"].replace("\n0", "\n").replace(",plain", ".0,plain").replace(",wood", ".0,wood")
    tiny.write(tmp_path, hexes=hexes)
    found = errors(tmp_path)
    assert len(found) == 6 and all(line.startswith("pocket-war/hexes.csv:") for line in found), found


def test_a_table_with_a_header_alone_is_told_where_rows_are_needed(tmp_path: Path) -> None:
    header = tiny.FILES["counters.csv"].splitlines(keepends=True)[0]
    tiny.write(tmp_path, counters=header)
    assert errors(tmp_path) == [
        "pocket-war/counters.csv:1:1: the table has a header and no rows; allowed: rows, which other tables refer to"
    ]
    # Where nothing refers to them, a table may be empty.
    folder = tiny.write(tmp_path, counters=header, setups=tiny.FILES["setups.csv"].splitlines(keepends=True)[0])
    assert load_box(tiny.GAME, root=folder.parent).pieces == ()


def test_files_that_are_missing_empty_or_no_text_are_told(tmp_path: Path) -> None:
    folder = tiny.write(tmp_path, rivers="")
    (folder / "hexes.csv").unlink()
    (folder / "setups.csv").write_bytes(b"setup,piece,place,source\nfirst,re-1,0101,rulebook f\xfcr\n")
    (folder / "results.csv").write_bytes("odds,die,result,source\n".encode("utf-16"))
    (folder / "counters.csv").write_bytes(b"piece,name\nre-1,\x00\n")
    assert errors(tmp_path) == [
        "pocket-war/counters.csv:2:6: a NUL character; this is not a text file",
        "pocket-war/hexes.csv:1:1: the file is missing; allowed: a table with the columns hex, terrain, playable, source, source_playable",
        "pocket-war/results.csv:1:1: the file is UTF-16; save it as `CSV UTF-8`",
        "pocket-war/rivers.csv:1:1: the file is empty; allowed: a header line and rows",
        "pocket-war/setups.csv:2:27: byte 0xFC is not UTF-8; save the file as `CSV UTF-8`",
    ]


def test_headers_and_rows_of_the_wrong_width_are_told(tmp_path: Path) -> None:
    tiny.write(
        tmp_path,
        rivers="a,b,name,colour,source\n0101,0201,Brook,blue,rulebook map\n",
        setups="setup,piece,place,source,setup\nfirst,re-1,0101,rulebook 3,x\n",
        results=tiny.replaced("results.csv", "2:1,1,hit,rulebook table", "2:1,1,hit") + "2:1,2,hit,rulebook table,again\n",
        counters='piece,name\nre-1,"open\n',
    )
    assert errors(tmp_path) == [
        "pocket-war/counters.csv:2:1: not readable as CSV (unexpected end of data); "
        "allowed: cells in double quotes, a quote inside doubled",
        "pocket-war/results.csv:6:7: the row has 3 cells; allowed: 4, as the header",
        "pocket-war/results.csv:8:26: the row has 5 cells; allowed: 4, as the header",
        "pocket-war/rivers.csv:1:10: column `colour` is unknown; allowed: a, b, name, source",
        "pocket-war/setups.csv:1:26: column `setup` is here twice; allowed: once",
    ]


def test_columns_of_an_error_count_characters_even_behind_quotes(tmp_path: Path) -> None:
    tiny.write(tmp_path, counters=tiny.replaced("counters.csv", "Redland,red,4,3", "Redland,red,4,30"))
    assert errors(tmp_path) == ["pocket-war/counters.csv:4:39: move `30` is not allowed; allowed: a whole number from 0 to 9"]
    line = tiny.FILES["counters.csv"].splitlines()[3]
    assert line.index(",3,") + 2 == 39


def test_what_a_spreadsheet_saves_loads_and_is_the_same_box(tmp_path: Path) -> None:
    plain = load_box(tiny.GAME, root=tiny.write(tmp_path / "plain").parent)
    folder = tiny.write(tmp_path / "saved")
    for path in folder.glob("*.csv"):
        if path.name == "counters.csv":
            quoted = path.read_text("utf-8").replace('"2, ""Old Guard"""', '"2, ""Old Guard"""').replace(",", ";").replace('"2;', '"2,')
        else:
            quoted = "\n".join(";".join(f'"{cell}"' for cell in line.split(",")) for line in path.read_text("utf-8").splitlines())
        rows = quoted.rstrip("\n").split("\n")
        path.write_bytes(b"\xef\xbb\xbf" + ("\r\n".join([rows[0] + ";;", *(row + ";;" for row in rows[1:]), ";;;;", ""])).encode("utf-8"))
    saved = load_box(tiny.GAME, root=folder.parent)
    assert saved.data_hash == plain.data_hash
    assert [dict(row.values) for row in saved["counters"]] == [dict(row.values) for row in plain["counters"]]


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        (
            "hexes.csv",
            "0102,wood",
            "102,wood",
            "3:1: hex `102`: a spreadsheet dropped the leading zero; write 0102 (and format the column as text)",
        ),
        (
            "hexes.csv",
            "0102,wood",
            "102.0,wood",
            "3:1: hex `102.0`: a spreadsheet dropped the leading zero; write 0102 (and format the column as text)",
        ),
        ("hexes.csv", "0102,wood", "1.02E+02,wood", "3:1: hex `1.02E+02`: a spreadsheet dropped the leading zero; write 0102"),
        ("setups.csv", "re-2,0102", "re-2,102", "4:12: place `102`: a spreadsheet dropped the leading zero; write 0102"),
        ("results.csv", "1:2,1,", "01:02,1,", "2:1: odds `01:02`: a spreadsheet made a time of it; write 1:2"),
        ("results.csv", "1:2,1,", "01:02:00 AM,1,", "2:1: odds `01:02:00 AM`: a spreadsheet made a time of it; write 1:2"),
        ("results.csv", "1:2,1,", "1:2,1.0,", "2:5: die `1.0`: a spreadsheet made a decimal number of it; write 1"),
        ("results.csv", "1:2,1,", '1:2,"1,0",', "2:5: die `1,0`: a spreadsheet made a decimal number of it; write 1"),
        (
            "counters.csv",
            "re-1,1,",
            "re-1,04-Aug,",
            "3:6: name `04-Aug`: a spreadsheet made a date of it; write 4-8 or 8-4 if that is what it was",
        ),
        (
            "counters.csv",
            "re-1,1,",
            "re-1,4. Okt,",
            "3:6: name `4. Okt`: a spreadsheet made a date of it; write 4-10 or 10-4 if that is what it was",
        ),
        ("counters.csv", "re-1,1,", "re-1,#NAME?,", "3:6: name `#NAME?` is a spreadsheet's formula or error; allowed: text"),
        ("hexes.csv", "0201,plain,1", "0201,plain,TRUE", "4:12: playable `TRUE`: a spreadsheet made a truth value of it; write 1"),
        ("hexes.csv", "0201,plain,1", "0201,plain,#REF!", "4:12: playable `#REF!` is a spreadsheet's error; allowed: 1 or 0"),
    ],
)
def test_what_a_spreadsheet_destroys_is_named_with_its_fix(tmp_path: Path, file: str, old: str, new: str, told: str) -> None:
    tiny.write(tmp_path, **{file.partition(".")[0]: tiny.replaced(file, old, new)})
    assert any(line.startswith(f"pocket-war/{file}:{told}") for line in errors(tmp_path)), errors(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('id = "pocket-war"', 'id = "other"', "1:1: id `other` is not the folder's name; allowed: pocket-war"),
        ('version = "0.1"', "version = 1", '4:1: `version` is missing or no text; allowed: version = "..."'),
        ('side = "enum(red, blue)"', 'side = "colours"', "49:1: `colours` is no type; allowed: text, int,"),
        (
            'piece = "ref(counters)"',
            'piece = "ref(units)"',
            "59:1: ref to `units`, which is no table; allowed: hexes, rivers, counters, setups, results",
        ),
        (
            'stagger = "even-south"',
            'stagger = "even-west"',
            "8:1: stagger `even-west` does not fit flat hexes; allowed: odd-north, odd-south,",
        ),
        ('key = ["odds", "die"]', 'key = ["odds", "dice"]', "65:1: key column `dice` is no column; allowed: odds, die, result, source"),
        (
            'source_playable = "source(playable)"',
            'source_playable = "source(seen)"',
            "30:1: source for `seen`, which is no column of facts",
        ),
        ("columns = 3", 'sheets = [["A", 1], "B"]', '10:1: `sheets` is no list of sheets; allowed: sheets = [["A", 21], ["B", 23]]'),
        ("columns = 3", 'columns = 3\nsheets = [["A", 1], ["B", 1]]', "8:1: 3 columns; allowed: the sum of the sheets', 2"),
        ("columns = 3", 'sheets = [["A 1", 3]]', "8:1: sheet `A 1` with 3 columns; allowed: letters, and 1 column or more"),
        ("[grid]", "[gird]", "`gird` is unknown; allowed: id, short, title,"),
        ('title = "Pocket War"', 'title = "Pocket War', "3:20: not readable as TOML: Illegal character"),
        (
            'file = "rivers.csv"',
            'file = "../rivers.csv"',
            "33:1: file `../rivers.csv`; allowed: a name of a-z, 0-9, _ and - that ends in .csv",
        ),
        ('complete = ["results"]', 'complete = ["resluts"]', "`resluts` is no table; allowed: hexes, rivers,"),
        ("stacking = 1", "uncounted = { move = [4] }", "18:1: `uncounted` is no table of values; allowed: uncounted = {"),
        ("stacking = 1", 'uncounted = ["move"]', "18:1: `uncounted` is no table of values; allowed: uncounted = {"),
        ("stacking = 1", 'borders = [{ feature = [], column = "terrain" }]', "18:1: a border needs feature (one or a list) and column"),
    ],
)
def test_a_wrong_schema_is_told_with_its_line(tmp_path: Path, old: str, new: str, told: str) -> None:
    tiny.write(tmp_path, game=tiny.replaced("game.toml", old, new))
    found = errors(tmp_path)
    assert any(told in line and line.startswith("pocket-war/game.toml:") for line in found), found


@pytest.mark.parametrize("game", ["nope", "../pocket-war", "", "Pocket War"])
def test_an_unknown_game_is_told_with_those_there_are(tmp_path: Path, game: str) -> None:
    tiny.write(tmp_path)
    assert errors(tmp_path, game) == [f"there is no game {game!r}; there are: pocket-war"]


def test_a_folder_of_games_that_is_missing_or_holds_none_is_told(tmp_path: Path) -> None:
    none = tmp_path / "none"
    assert errors(none) == [f"{none.as_posix()}: the folder is missing; allowed: a folder that holds games"]
    assert errors(tmp_path) == [f"there is no game 'pocket-war'; {tmp_path.as_posix()} holds none"]
    (tmp_path / tiny.GAME).mkdir()
    assert errors(tmp_path) == ["pocket-war/game.toml: the file is missing; allowed: a folder with a file that describes the game"]
    none.write_text("x", "utf-8")
    assert errors(none) == [f"{none.as_posix()}: this is no folder; allowed: a folder that holds games"]


def test_an_empty_description_and_folders_in_place_of_files_are_told(tmp_path: Path) -> None:
    folder = tiny.write(tmp_path, game=" \n")
    assert errors(tmp_path) == [
        "pocket-war/game.toml:1:1: the file is empty; allowed: id, short, title, version and [tables.NAME] sections"
    ]
    tiny.write(tmp_path)
    (folder / "rivers.csv").unlink()
    (folder / "rivers.csv").mkdir()
    assert errors(tmp_path) == ["pocket-war/rivers.csv:1:1: this is a folder; allowed: a file"]


def test_the_data_hash_does_not_depend_on_order_line_ends_or_quotes(tmp_path: Path) -> None:
    first = load_box(tiny.GAME, root=tiny.write(tmp_path / "a").parent)
    folder = tiny.write(tmp_path / "b")
    for path in folder.glob("*.csv"):
        head, *rows = path.read_text("utf-8").splitlines()
        random.Random(7).shuffle(rows)
        path.write_bytes("\r\n".join([head, *rows]).encode("utf-8"))
    second = load_box(tiny.GAME, root=folder.parent)
    assert second.data_hash == first.data_hash and len(first.data_hash) == 64
    assert [row.key for table in second.tables.values() for row in table] == [row.key for table in first.tables.values() for row in table]


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("hexes.csv", "0102,wood", "0102,plain"),
        ("hexes.csv", "0202,plain,0,reconstructed a lake", "0202,plain,0,owner a lake"),
        ("game.toml", 'rows_from = "north"', 'rows_from = "south"'),
        ("rivers.csv", "0101,0201,Brook,rulebook map\n", ""),
    ],
)
def test_the_data_hash_changes_with_every_fact_and_source(tmp_path: Path, file: str, old: str, new: str) -> None:
    first = load_box(tiny.GAME, root=tiny.write(tmp_path / "a").parent)
    changed = tiny.write(tmp_path / "b", **{file.partition(".")[0]: tiny.replaced(file, old, new)})
    assert load_box(tiny.GAME, root=changed.parent).data_hash != first.data_hash


def test_the_data_hash_is_the_same_in_every_process_and_locale() -> None:
    code = "from gamebox.load import games, load_box; print(*(load_box(game).data_hash for game in games()))"
    found = set()
    for seed, locale in (("1", "C"), ("2", "C.UTF-8")):
        env = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale, "TZ": "Asia/Tokyo"}
        found.add(subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, check=True).stdout)
    assert found == {" ".join(load_box(game).data_hash for game in games()) + "\n"}


def test_a_source_may_be_empty_only_where_it_serves_nothing(tmp_path: Path) -> None:
    tiny.write(tmp_path, hexes=tiny.FILES["hexes.csv"].replace("a lake by the look of it,rulebook 2.1", "a lake by the look of it,"))
    assert errors(tmp_path) == [f"pocket-war/hexes.csv:5:53: source_playable is empty, but playable is not; allowed: {SOURCES}"]


def test_a_source_needs_a_reason(tmp_path: Path) -> None:
    tiny.write(tmp_path, rivers=tiny.replaced("rivers.csv", "rulebook map", "reconstructed"))
    assert errors(tmp_path) == [
        "pocket-war/rivers.csv:2:17: source `reconstructed` does not say where or why; allowed: "
        "`reconstructed` and then the sections, the reason or the owner's name"
    ]


def test_load_schema_tells_the_columns_without_reading_tables(tmp_path: Path) -> None:
    folder = tiny.write(tmp_path)
    (folder / "hexes.csv").unlink()
    schema = load_schema(tiny.GAME, tmp_path)
    assert schema.tables["hexes"].values == ("hex", "terrain", "playable")
    assert schema.tables["hexes"].default_source == "source"
    assert schema.checks.stacking == 1 and schema.checks.complete == ("results",)
