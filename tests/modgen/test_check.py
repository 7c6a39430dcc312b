"""``modgen check``: provenance counted, rows held against each other, exit codes 0, 1 and 2."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

from gamebox.load import BoxErrors
from gamebox.model import SourceKind
from modgen.check import CHECKS, check, text
from tests.gamebox import tiny

ROOT = Path(__file__).resolve().parents[2]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "modgen.cli", *words], cwd=ROOT, capture_output=True, text=True, check=False)


def findings(root: Path) -> list[str]:
    return [str(finding) for finding in check(tiny.GAME, root=root).findings]


def test_facts_are_counted_by_what_they_rest_on(tmp_path: Path) -> None:
    tiny.write(tmp_path)
    report = check(tiny.GAME, {"rivers.csv": "a,b,name,source\n0101,0201,Creek,owner of a copy\n"}, tmp_path)
    counts = {count.name: (count.rows, *(count.facts.get(kind, 0) for kind in SourceKind)) for count in report.tables}
    # Rows; rulebook, derived, reconstructed, owner. Keys are no facts, empty cells neither.
    assert counts == {
        "hexes": (6, 11, 0, 1, 0),
        "rivers": (1, 0, 0, 0, 1),
        "counters": (3, 10, 0, 5, 0),
        "setups": (3, 3, 0, 0, 0),
        "results": (6, 5, 0, 1, 0),
    }
    assert report.findings == () and report.overlay == ("rivers.csv",)
    shown = text(report)
    assert (
        shown.startswith("Pocket War (pocket-war): game data 0.1\n")
        and f"data {report.data_hash}" in shown
        and "with an overlay of rivers.csv" in shown
    )
    assert "counters     3        10        0              5      0                66 %" in shown.splitlines()


def test_a_game_in_order_has_no_findings_and_only_checks_that_concern_it(tmp_path: Path) -> None:
    tiny.write(tmp_path)
    report = check(tiny.GAME, root=tmp_path)
    assert report.findings == ()
    assert [one.name for one in report.checks] == [
        "every hex of the grid has a row",
        "hexsides lie between hexes that touch",
        "set-ups, regions, cities and features lie on playable hexes",
        "every counter begins in some set-up",
        "set-ups keep to stacking, one side a hex",
        "tables are complete",
    ]
    assert set(one.name for one in report.checks) < set(CHECKS)


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        (
            "hexes.csv",
            "0302,plain,1,rulebook map,rulebook map\n",
            "",
            "hexes.csv:1:1: hex 0302 of the grid has no row; allowed: a row for each of 6 hexes",
        ),
        ("setups.csv", "re-2,0102", "re-2,0202", "setups.csv:4:1: first|re-2: hex 0202 is not playable"),
        (
            "setups.csv",
            "first,re-2,0102,rulebook 3\n",
            "",
            "counters.csv:4:1: re-2 begins nowhere; allowed: a place in at least one set-up",
        ),
        ("setups.csv", "re-2,0102", "re-2,0101", "setups.csv:4:1: first: 2 counters begin in 0101; allowed: 1"),
        ("setups.csv", "re-2,0102", "re-2,0301", "setups.csv:4:1: first: counters of blue and red begin in 0301; allowed: one side"),
        ("results.csv", "1:1,1,hit,rulebook table\n", "", "results.csv:1:1: no row for 1:1 1; allowed: one for each odds and die"),
    ],
)
def test_what_does_not_agree_is_found(tmp_path: Path, file: str, old: str, new: str, told: str) -> None:
    tiny.write(tmp_path, **{file.partition(".")[0]: tiny.replaced(file, old, new)})
    assert f"pocket-war/{told}" in findings(tmp_path)


def test_a_combat_results_table_has_no_holes_though_the_game_does_not_ask_for_it(tmp_path: Path) -> None:
    game = tiny.FILES["game.toml"].replace('complete = ["results"]', "").replace("[tables.results", "[tables.crt")
    tiny.write(tmp_path, game=game)
    assert findings(tmp_path) == []
    tiny.write(tmp_path, game=game, results=tiny.replaced("results.csv", "1:1,1,hit,rulebook table\n", ""))
    assert findings(tmp_path) == ["pocket-war/results.csv:1:1: no row for 1:1 1; allowed: one for each odds and die"]


BORDERED = (
    tiny.FILES["game.toml"]
    .replace('complete = ["results"]', 'complete = ["results"]\nborders = [{ feature = "edge", column = "terrain", value = "wood" }]')
    .replace("[tables.rivers]", "[tables.hexsides]")
    .replace(
        'file = "rivers.csv"\nkey = ["a", "b"]\npair = ["a", "b"]',
        'file = "rivers.csv"\nkey = ["hex_a", "hex_b", "feature"]\npair = ["hex_a", "hex_b"]',
    )
    .replace(
        '[tables.rivers.columns]\na = "hex"\nb = "hex"\nname = "text?"',
        '[tables.hexsides.columns]\nhex_a = "hex"\nhex_b = "hex"\nfeature = "text"',
    )
)


def test_a_border_runs_exactly_between_the_hexes_it_parts(tmp_path: Path) -> None:
    sides = "hex_a,hex_b,feature,source\n0101,0102,edge,rulebook map\n0102,0201,edge,rulebook map\n"
    tiny.write(tmp_path, game=BORDERED, rivers=sides)
    # 0202 is not playable, so its sides do not count.
    assert findings(tmp_path) == []
    tiny.write(tmp_path, game=BORDERED, rivers=sides.replace("0102,0201,edge", "0201,0301,edge"))
    assert findings(tmp_path) == [
        "pocket-war/hexes.csv:3:1: 0102 and 0201 differ in terrain; allowed: a hexside edge between them",
        "pocket-war/rivers.csv:3:1: edge between 0201 and 0301, which do not differ in terrain",
    ]


def test_a_border_may_be_drawn_by_one_of_several_features(tmp_path: Path) -> None:
    game = BORDERED.replace('feature = "edge", column', 'feature = ["edge", "fence"], column')
    sides = "hex_a,hex_b,feature,source\n0101,0102,fence,rulebook map\n0102,0201,edge,rulebook map\n"
    tiny.write(tmp_path, game=game, rivers=sides)
    assert findings(tmp_path) == []
    tiny.write(tmp_path, game=game, rivers=sides.replace("0102,0201,edge", "0201,0301,fence"))
    assert findings(tmp_path) == [
        "pocket-war/hexes.csv:3:1: 0102 and 0201 differ in terrain; allowed: a hexside edge or fence between them",
        "pocket-war/rivers.csv:3:1: fence between 0201 and 0301, which do not differ in terrain",
    ]


PLACED = (
    tiny.FILES["game.toml"]
    .replace('place = "ref(hexes)"', 'place = "ref(hexes, regions, boxes)"')
    .replace("stacking = 1", 'stacking = 1\nuncounted = { move = ["3"] }')
    + """
[tables.regions]
file = "regions.csv"
key = ["region"]
[tables.regions.columns]
region = "text"
hexes = "hexes"
source = "source"

[tables.boxes]
file = "boxes.csv"
key = ["box"]
[tables.boxes.columns]
box = "text"
source = "source"
"""
)


def placed(root: Path, *places: str) -> list[str]:
    """The findings with the three counters, of which ``re-2`` counts nowhere, in these places."""
    folder = tiny.write(root, game=PLACED)
    (folder / "regions.csv").write_text("region,hexes,source\nwest,0101 0102,rulebook 3\nedge,0101,rulebook 3\n", "utf-8")
    (folder / "boxes.csv").write_text("box,source\nshelf,rulebook 3\n", "utf-8")
    rows = "".join(f"first,{piece},{place},rulebook 3\n" for piece, place in zip(("bl-1", "re-1", "re-2"), places, strict=True))
    (folder / "setups.csv").write_text("setup,piece,place,source\n" + rows, "utf-8")
    return findings(root)


def test_counters_that_do_not_count_and_boxes_are_never_full(tmp_path: Path) -> None:
    assert placed(tmp_path, "0301", "0101", "0101") == []
    assert placed(tmp_path, "shelf", "shelf", "shelf") == []


def test_counters_of_several_places_need_room_beside_each_other(tmp_path: Path) -> None:
    assert placed(tmp_path, "0101", "west", "0301") == []
    assert placed(tmp_path, "west", "0102", "0301") == []
    told = "setups.csv:3:1: first: re-1 finds no room in edge beside the others; allowed: 1 in a hex"
    assert placed(tmp_path, "0101", "edge", "0301") == [f"pocket-war/{told}"]


RULED = (
    tiny.FILES["game.toml"]
    + """
[tables.rules]
file = "rules.csv"
key = ["id"]
[tables.rules.columns]
id = "text"
enforceable = "enum(yes, no)"
why_not = "text?"
rulings = "list(ref(rulings))?"
role = "enum(refuses, effect)?"
source = "source"
[tables.rulings]
file = "rulings.csv"
key = ["id"]
[tables.rulings.columns]
id = "text"
source = "source"
[tables.options]
file = "options.csv"
key = ["option"]
[tables.options.columns]
option = "text"
excludes = "list(ref(options))?"
source = "source"
[tables.phases]
file = "phases.csv"
key = ["scenario", "order"]
[tables.phases.columns]
scenario = "text"
order = "int(1..)"
source = "source"
"""
)


def test_rules_rulings_options_and_phases_hang_together(tmp_path: Path) -> None:
    folder = tiny.write(tmp_path, game=RULED)
    (folder / "rules.csv").write_text(
        "id,enforceable,why_not,rulings,role,source\n1,yes,,R-1,refuses,rulebook 1\n2,no,,,,rulebook 2\n3,no,history,,effect,rulebook 3\n",
        "utf-8",
    )
    (folder / "rulings.csv").write_text("id,source\nR-1,derived 1\nR-2,derived 2\n", "utf-8")
    (folder / "options.csv").write_text("option,excludes,source\na,b,rulebook 9\nb,,rulebook 9\n", "utf-8")
    (folder / "phases.csv").write_text("scenario,order,source\nshort,1,rulebook 4\nshort,3,rulebook 4\n", "utf-8")
    assert findings(tmp_path) == [
        "pocket-war/phases.csv:3:1: short: phase 3 follows phase 1; allowed: 1, 2, 3 and on",
        "pocket-war/options.csv:3:1: a excludes b, but not the other way round",
        "pocket-war/rules.csv:3:1: 2: enforceable is no, why_not ``; allowed: a reason exactly where no",
        "pocket-war/rules.csv:4:1: 3 has the role effect, but is not enforceable",
        "pocket-war/rulings.csv:3:1: R-2 belongs to no rule; allowed: at least one rule that names it",
    ]
    (folder / "rules.csv").write_text("id,enforceable,why_not,rulings,role,source\n1,yes,,R-9,,rulebook 1\n", "utf-8")
    with pytest.raises(BoxErrors, match="rulings `R-9` is not allowed; allowed: a key of rulings"):
        check(tiny.GAME, root=tmp_path)


def test_the_command_prints_the_table_and_says_how_it_went(tmp_path: Path) -> None:
    tiny.write(tmp_path)
    done = run("check", tiny.GAME, "--data", str(tmp_path))
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout == text(check(tiny.GAME, root=tmp_path))
    tiny.write(tmp_path, setups=tiny.replaced("setups.csv", "re-2,0102", "re-2,0202"))
    found = run("check", tiny.GAME, "--data", str(tmp_path))
    assert found.returncode == 1
    assert "WRONG  set-ups, regions, cities and features lie on playable hexes (3)" in found.stdout
    tiny.write(tmp_path, setups=tiny.replaced("setups.csv", "re-2,0102", "re-9,102"))
    broken = run("check", tiny.GAME, "--data", str(tmp_path))
    assert (broken.returncode, broken.stdout) == (2, "")
    assert broken.stderr.splitlines() == [
        "modgen: pocket-war/setups.csv:4:7: piece `re-9` is not allowed; allowed: a key of counters",
        "modgen: pocket-war/setups.csv:4:12: place `102`: a spreadsheet dropped the leading zero; "
        "write 0102 (and format the column as text)",
    ]


def test_the_versions_of_data_module_and_program_are_told_apart(tmp_path: Path) -> None:
    game = "battle-for-germany"
    report = check(game)
    layout = tomllib.loads((ROOT / "data" / game / "module.toml").read_text("utf-8"))
    assert report.module_version == layout["version"]
    first = text(report).splitlines()[0]
    assert first == f"{report.title} ({game}): game data {report.version}, module {report.module_version}"
    assert (report.as_json()["game_version"], report.as_json()["module_version"]) == (report.version, report.module_version)
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"modgen {version('modgen-referee')}\n")


def test_the_command_speaks_json(tmp_path: Path) -> None:
    tiny.write(tmp_path)
    (tmp_path / "fixes").mkdir()
    (tmp_path / "fixes" / "hexes.csv").write_text("hex,terrain,source\n0101,wood,owner of a copy\n", "utf-8")
    done = run("check", tiny.GAME, "--data", str(tmp_path), "--overlay", str(tmp_path / "fixes"), "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 0 and report == check(tiny.GAME, tmp_path / "fixes", tmp_path).as_json()
    assert report["tables"][0] == {"table": "hexes", "rows": 6, "rulebook": 10, "derived": 0, "reconstructed": 1, "owner": 1}
    assert report["findings"] == 0 and report["overlay"] == ["hexes.csv"] and str(tmp_path) not in done.stdout
    (tmp_path / "fixes" / "hexes.csv").write_text("hex,terrain,source\n0101,fog,owner of a copy\n", "utf-8")
    broken = run("check", tiny.GAME, "--data", str(tmp_path), "--overlay", str(tmp_path / "fixes"), "--json")
    assert broken.returncode == 2
    assert json.loads(broken.stdout)["errors"] == [
        {"file": "fixes/hexes.csv", "line": 2, "column": 6, "message": "terrain `fog` is not allowed; allowed: plain, wood"}
    ]


def test_wrong_usage_is_told_without_a_traceback(tmp_path: Path) -> None:
    for words in (("check",), ("check", "no-such-game"), ("nonsense",), ("check", tiny.GAME, "--overlay"), ("fmt", "no-such-game")):
        done = run(*words)
        assert done.returncode == 2 and "Traceback" not in done.stderr and done.stderr, words
