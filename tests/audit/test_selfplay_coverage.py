"""The rule-coverage page: what it counts, and that the committed one is what its sources say."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from gamebox.load import load_box
from referee.audit.coverage import (
    COVERED,
    NOT,
    OPEN,
    counts_text,
    generate,
    lines_of,
    main,
    marks_of,
    page,
    playable,
    read_counts,
    rulings_of,
)
from referee.audit.selfplay import ENOUGH, FULL_RUN, Played, Row, SelfplayReport
from referee.rules.options import UsageError

ROOT = Path(__file__).resolve().parents[2]
GAME = "battle-for-germany"
DOCS = ROOT / "docs/coverage"
ENGINE = ROOT / "referee/games/battle_for_germany"


def test_the_committed_page_is_what_its_sources_say() -> None:
    assert (DOCS / f"{GAME}.md").read_text("utf-8") == generate(GAME, ROOT / "tests", DOCS), "run `make coverage`"


def test_in_the_last_full_run_every_paragraph_that_can_refuse_did_both_often_enough() -> None:
    counts = read_counts((DOCS / f"{GAME}-selfplay.csv").read_text("utf-8"))
    assert counts.notes[0] == f"referee selfplay {GAME} --games {FULL_RUN} --seed 1"
    assert counts.notes[1].endswith(" 0 problems")
    able = {
        row.key
        for row in load_box(GAME)["rules"]
        if row.text("role") == "refuses" and row.text("kind") != "option" and {"all", "historical"} & {*row.items("scenarios")}
    }
    assert len(able) > 80
    assert set(counts.rows) >= able
    assert {name: counts.rows[name][:2] for name in able if min(counts.rows[name][:2]) < ENOUGH} == {}


def test_every_ruling_is_cited_by_code_and_held_by_a_test_or_says_why_not() -> None:
    box = load_box(GAME)
    assert [line.id for line in rulings_of(box, marks_of(ROOT / "tests", box.short)) if not line.held] == []


def test_every_paragraph_has_a_test() -> None:
    box = load_box(GAME)
    lines = lines_of(box, playable(box), marks_of(ROOT / "tests", box.short))
    assert [line.paragraph for line in lines if line.status == OPEN] == []
    assert len([line for line in lines if line.status == COVERED]) > 250
    assert {line.status for line in lines} == {COVERED, NOT}


def cited() -> Iterator[tuple[str, str]]:
    """(file, paragraph) of every paragraph that stands in a refusal of the engine."""
    for path in sorted(ENGINE.glob("*.py")):
        if path.stem.startswith("reading"):
            continue  # how logs are told, not what refuses
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("cite", "Reason"):
                texts = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
                firsts = [text.split()[0] for text in texts if text.strip()]
                yield from ((path.name, word) for word in firsts if word[0].isdigit() and "." in word)


def test_the_rules_index_says_of_every_paragraph_that_a_check_cites_that_it_can_refuse() -> None:
    roles = {row.key: row.text("role") for row in load_box(GAME)["rules"]}
    names_only = {"2.2", "2.5"}  # a hex or a unit that does not exist
    assert {(file, name) for file, name in cited() if roles[name] != "refuses"} == {("wrong.py", name) for name in names_only}


def marked(tmp_path: Path, text: str, name: str = "games/ab/test_x.py") -> dict[str, dict[str, tuple[str, ...]]]:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return marks_of(tmp_path, "ab")


def test_marks_are_found_wherever_they_may_stand(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text(
        "import pytest\n\ndef law(p):\n    return pytest.mark.rule('ab', p)\n\ndef shown(p):\n    return pytest.mark.example(p)\n"
    )
    found = marked(
        tmp_path,
        "import pytest\nfrom helper import law, shown\n"
        "pytestmark = pytest.mark.rule('ab', '1')\n"
        "@law('2')\n@shown('E-1')\ndef test_a(): pass\n"
        "@pytest.mark.rule('ab', '3')\nclass TestB:\n    @law('2')\n    async def test_c(self): pass\n"
        "@pytest.mark.parametrize('x', [pytest.param(1, marks=pytest.mark.rule('ab', '4'))])\ndef test_d(x): pass\n"
        "@law('5')\ndef not_a_test(): pass\n"
        "def test_e():\n    law('6')\n",
    )
    everywhere = ("test_x::TestB::test_c", "test_x::test_a", "test_x::test_d", "test_x::test_e")
    assert found["rule"] == {
        "1": everywhere,
        "2": ("test_x::TestB::test_c", "test_x::test_a"),
        "3": ("test_x::TestB::test_c",),
        "4": ("test_x::test_d",),
    }
    assert found["example"] == {"E-1": ("test_x::test_a",)}


def test_marks_of_another_game_do_not_count(tmp_path: Path) -> None:
    text = "import pytest\n@pytest.mark.rule('cd', '1')\n@pytest.mark.example('E-1')\ndef test_a(): pass\n"
    assert marked(tmp_path, text, "games/cd/test_x.py") == {"rule": {}, "example": {}, "ruling": {}}


def report() -> SelfplayReport:
    played = (Played(0, "walker", (), 3, 5, "red wins", {}, {}, {}, ()), Played(1, "scene", (), 2, 1, "draw", {}, {}, {}, ("bad",)))
    return SelfplayReport(GAME, "historical", (), False, 9, played, {"scene": "a corner"}, (Row("5.1.p1", "t", "refuses", 4, 3, 2, 1),))


def test_counts_are_kept_with_how_they_were_made() -> None:
    text = counts_text(report())
    assert text.splitlines() == [
        f"# referee selfplay {GAME} --games 2 --seed 9",
        "# 5 actions, 6 tries, 1 problems",
        "# walker: 1 games, 3 actions, from the set-up",
        "# scene: 1 games, 2 actions, laid out: a corner",
        "paragraph,allowed,refused,allowed_laid_out,refused_laid_out",
        "5.1.p1,4,3,2,1",
    ]
    counts = read_counts(text)
    assert counts.rows == {"5.1.p1": (4, 3, 2, 1)}
    assert counts.notes[3] == "scene: 1 games, 2 actions, laid out: a corner"


@pytest.mark.parametrize("text", ["", "a,b\n", "paragraph,allowed,refused,allowed_laid_out,refused_laid_out\n5.1,1,2,3\n"])
def test_counts_that_nobody_wrote_are_told(text: str) -> None:
    with pytest.raises(UsageError, match="--selfplay"):
        read_counts(text)


def test_the_page_tells_what_is_below_and_what_waits() -> None:
    box = load_box(GAME)
    marks = {"rule": {"5.1.p1": ("test_x::test_a",)}, "example": {}, "ruling": {"R-G33": ("test_x::test_b",)}}
    text = page(box, ("historical",), marks, read_counts(counts_text(report())))
    assert "| R-G15 | 2.4 |  | cosmetic: no rule depends on the scale |" in text
    assert "| 5.1.p1 | 4 | 3 | 2 / 1 | Two units a hex at phase end |" in text
    assert "| 5.1.p1 | Two units a hex at phase end | covered, refuses | `test_x::test_a` |" in text
    assert "Below that: 5.1.p1." in text
    assert "| open, effect | no test names it |" in text
    assert "waits for a scenario | Red Star/White Star" in text
    assert "| not enforceable | art only |" in text
    assert "Not played yet" in page(box, ("historical",), {"rule": {}, "example": {}, "ruling": {}}, None)


def test_a_game_that_is_not_there_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["none", "--docs", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("coverage: there is no game 'none'; there are: ")
    assert list(tmp_path.iterdir()) == []


def test_two_games_may_call_their_helpers_alike(tmp_path: Path) -> None:
    for short in ("one", "two"):
        folder = tmp_path / "games" / short
        folder.mkdir(parents=True)
        (folder / "layout.py").write_text(f'import pytest\ndef rule(p):\n    return pytest.mark.rule("{short}", p)\n', "utf-8")
        test = f'from games.{short}.layout import rule\n@rule("1.{short}")\ndef test_it():\n    pass\n'
        (folder / f"test_{short}.py").write_text(test, "utf-8")
    for short, other in (("one", "two"), ("two", "one")):
        found = marks_of(tmp_path, short)["rule"]
        assert found == {f"1.{short}": (f"test_{short}::test_it",)} and f"1.{other}" not in found
