"""The mutator on small sources: what it takes for a refusal, what each operator writes, and that a mutant nobody kills is told."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.mutation.__main__ import UnknownGame, game_of, main
from tests.mutation.mutator import NEGATE, OFF_BY_ONE, REMOVE, SWAP, Mutant, Swaps, mutants
from tests.mutation.report import ListError, Report, lines_of, page, read_equivalents, stale
from tests.mutation.running import KILLED, SURVIVED, Case, Result, holders
from tests.mutation.sites import Refusal, Source, paragraph_key, refusals, related

ROOT = Path(__file__).resolve().parent.parent.parent
KNOWN = frozenset("1.0 1.1 1.1.p1 1.2 2.0 2.0.a 2.0.b 3.0".split())
SWAPS = Swaps.of(names=[("RED", "BLUE")], fields=[("attack", "defence")], texts=[("east", "west")])


def source(text: str, name: str = "rules.moves") -> Source:
    text = textwrap.dedent(text).lstrip("\n")
    return Source(name, name.replace(".", "/") + ".py", text, ast.parse(text))


def found(text: str) -> tuple[Refusal, ...]:
    return refusals((source(text),), KNOWN)


def changes(text: str, kind: str, number: int = 0) -> list[str]:
    """The new lines of the mutants of one kind of one refusal, without indentation."""
    own = mutants(found(text)[number], SWAPS)
    for m in own:
        ast.parse(m.text)
    return [" ".join(line[1:].strip() for line in m.diff() if line.startswith("+")) for m in own if m.kind == kind]


GUARDED = """
    def reasons(p, unit):
        low = p.least + 1
        if p.over:
            return
        if p.cost > p.mps and p.force == RED:
            yield Reason("too-far", cite("1.1.p1 R-1"), (("unit", unit),))
        elif p.strength[unit].attack <= low:
            yield Reason("too-weak", cite("2.0.a" if p.side != "east" else "2.0.b"))
        else:
            yield Reason("wrong", cite("3.0"))
"""


def test_a_refusal_is_found_with_its_code_and_paragraphs() -> None:
    assert [(r.code, r.paragraphs) for r in found(GUARDED)] == [
        ("too-far", ("1.1.p1",)),
        ("too-weak", ("2.0.a", "2.0.b")),
        ("wrong", ("3.0",)),
    ]


def test_paragraphs_are_followed_through_names_tables_and_fields() -> None:
    text = """
        TABLE = {1: "2.0.a", 2: "2.0.b"}
        Phase(name="x", para=_para(1))

        def _para(n):
            if n:
                return {1: "1.1"}.get(n, "1.2")
            return f"{STEM[n]}{n + 1}"

        STEM = {0: "1.1.p"}

        def reasons(p):
            if p.red:
                paras = cite(TABLE[p.n])
            else:
                paras = cite("3.0 R-2")
            yield Reason("a-code", paras)
            yield Reason("b-code", cite(p.phase.para))

        def why(p):
            code, para = ("c-code", "3.0") if p else ("d-code", "1.0 R-9")
            return Reason(code, cite(para))
    """
    assert [(r.code, r.paragraphs) for r in found(text)] == [
        ("a-code", ("2.0.a", "2.0.b", "3.0")),
        ("b-code", ("1.1.p1", "1.2")),
        ("c-code|d-code", ("1.0", "3.0")),
    ]


def test_a_coarser_paragraph_gives_way_to_the_finer_ones_beside_it() -> None:
    assert found('def f(p):\n    yield Reason("a", cite("2.0", "2.0.a"))')[0].paragraphs == ("2.0.a",)


def test_a_reason_of_no_paragraph_of_the_game_is_no_refusal() -> None:
    assert not found('def f(p):\n    yield Reason("a", cite("9.9"))\n    x = Reason("b", cite("3.0"))\n    yield p')


def test_remove_leaves_the_reason_out() -> None:
    assert changes(GUARDED, REMOVE) == ["pass"]
    (mutant,) = [m for m in mutants(found(GUARDED)[0], SWAPS) if m.kind == REMOVE]
    assert "too-far" not in mutant.text and "too-weak" in mutant.text
    assert mutant.diff()[0].strip("- ") == 'yield Reason("too-far", cite("1.1.p1 R-1"), (("unit", unit),))'
    assert mutant.place == "rules/moves.py:6"


def test_a_return_that_nothing_follows_cannot_be_left_out() -> None:
    text = """
        def why(p):
            if p:
                return Reason("a", cite("1.0"))
            return Reason("b", cite("3.0"))
    """
    assert changes(text, REMOVE) == ["pass"] and not changes(text, REMOVE, 1)


def test_negate_turns_the_condition_and_each_of_its_parts() -> None:
    assert changes(GUARDED, NEGATE) == [
        "if not (p.cost > p.mps and p.force == RED):",
        "if not (p.cost > p.mps) and p.force == RED:",
        "if p.cost > p.mps and not (p.force == RED):",
        "if not p.over:",
    ]


def test_negate_turns_what_chooses_the_paragraph_and_spares_the_branch_before() -> None:
    assert changes(GUARDED, NEGATE, 1) == [
        "elif not (p.strength[unit].attack <= low):",
        "if not p.over:",
        'yield Reason("too-weak", cite("2.0.a" if not (p.side != "east") else "2.0.b"))',
    ]


def test_negate_takes_a_not_away() -> None:
    text = """
        def f(p):
            if not p.open:
                yield Reason("a", cite("1.0"))
            if p.x and not (p.a or p.b):
                yield Reason("b", cite("1.0"))
    """
    assert changes(text, NEGATE) == ["if p.open:"]
    assert "if p.x and (p.a or p.b):" in changes(text, NEGATE, 1) or "if p.x and ((p.a or p.b)):" in changes(text, NEGATE, 1)


def test_an_assignment_in_a_condition_is_negated_in_brackets() -> None:
    text = 'def f(p):\n    if found := p.all:\n        yield Reason("a", cite("1.0"))'
    assert changes(text, NEGATE) == ["if not (found := p.all):"]


def test_a_plain_else_is_negated_by_the_condition_it_answers() -> None:
    assert changes(GUARDED, NEGATE, 2) == ["elif not (p.strength[unit].attack <= low):", "if not p.over:"]


def test_off_by_one_moves_each_comparison_both_ways_and_what_feeds_it() -> None:
    assert changes(GUARDED, OFF_BY_ONE) == [
        "if p.cost >= p.mps and p.force == RED:",
        "if p.cost > p.mps + 1 and p.force == RED:",
    ]
    assert changes(GUARDED, OFF_BY_ONE, 1) == [
        "elif p.strength[unit].attack < low:",
        "elif p.strength[unit].attack <= low + 1:",
        "low = p.least + 2",
    ]


@pytest.mark.parametrize(
    ("condition", "changed"),
    [
        ("x < 3", ["x <= 3", "x < 2"]),
        ("x >= 3", ["x > 3", "x >= 2"]),
        ("0 <= x < n", ["0 < x < n", "-1 <= x < n", "0 <= x <= n", "0 <= x < n - 1"]),
        ("sum(a >> u & 1 for u in us) > 1", ["sum(a >> u & 1 for u in us) >= 1", "sum(a >> u & 1 for u in us) > 2"]),
        ("(a + b) <= c * 2", ["(a + b) < c * 2", "(a + b) <= (c * 2) + 1", "(a + b) <= c * 3"]),
        ("held >> unit & 1", []),
        ("data[2]", []),
        ("next(found, 1)", ["next(found, 2)"]),
        ("turn == 4", ["turn == 5"]),
        ("flag is True", []),
    ],
)
def test_off_by_one_knows_amounts_from_bits_and_places(condition: str, changed: list[str]) -> None:
    text = f'def f(a, b):\n    if {condition}:\n        yield Reason("a", cite("1.0"))'
    assert [line.removeprefix("if ").removesuffix(":") for line in changes(text, OFF_BY_ONE)] == changed


def test_swap_puts_the_other_side_in_its_place() -> None:
    assert changes(GUARDED, SWAP) == ["if p.cost > p.mps and p.force == BLUE:"]
    assert changes(GUARDED, SWAP, 1) == [
        "elif p.strength[unit].defence <= low:",
        'yield Reason("too-weak", cite("2.0.a" if p.side != "west" else "2.0.b"))',
    ]


def test_each_of_several_names_is_swapped_alone() -> None:
    text = 'def f(a):\n    if a in (RED, BLUE):\n        yield Reason("a", cite("1.0"))'
    assert changes(text, SWAP) == ["if a in (BLUE, BLUE):", "if a in (RED, RED):"]


def test_a_call_that_takes_the_paragraph_is_a_refusal_too() -> None:
    text = 'def judge(a):\n    return die(a, "combat", 1, 6, "2.0.a")'
    assert [(r.code, r.paragraphs) for r in found(text)] == [("die", ("2.0.a",))]
    assert changes(text, REMOVE) == ["return iter(())"]
    assert [line.removeprefix('return die(a, "combat", ') for line in changes(text, OFF_BY_ONE)] == [
        '2, 6, "2.0.a")',
        '0, 6, "2.0.a")',
        '1, 7, "2.0.a")',
        '1, 5, "2.0.a")',
    ]


def test_columns_are_counted_in_bytes() -> None:
    text = 'def f(a):\n    if a["Österreich"] and a.n > 3:\n        yield Reason("a", cite("1.0"))'
    assert 'if a["Österreich"] and a.n >= 3:' in changes(text, OFF_BY_ONE)


def test_a_condition_over_several_lines_is_named_on_one() -> None:
    text = 'def f(a):\n    if (\n        a.one\n        and a.n > 3\n    ):\n        yield Reason("a", cite("1.0"))'
    assert {m.guard for m in mutants(found(text)[0], SWAPS) if m.kind == OFF_BY_ONE} == {"a.one and a.n > 3"}


def test_paragraphs_are_related_by_whole_parts() -> None:
    assert related("5.1.p1", "5.1") and related("5.1", "5.1.p1") and related("5.1", "5.1")
    assert not related("5.1", "5.10") and not related("5.1.p1", "5.1.p2") and not related("3.0.a", "3.0.a1")
    assert sorted(["10.0", "7.2.e10", "7.2.e2", "9.0"], key=paragraph_key) == ["7.2.e2", "7.2.e10", "9.0", "10.0"]


def test_only_passing_tests_of_a_cited_paragraph_count_and_none_of_whole_games() -> None:
    cases = (
        Case("t::far", "t", ("1.1",), False, "passed"),
        Case("t::exact", "t", ("1.1.p1", "2.0.a"), False, "passed"),
        Case("t::game", "t", ("1.1.p1",), True, "passed"),
        Case("t::other", "t", ("1.2",), False, "passed"),
        Case("t::broken", "t", ("1.1.p1",), False, "failed"),
        Case("t::waits", "t", ("1.1.p1",), False, "skipped"),
    )
    assert [c.name for c in holders(("1.1.p1",), cases)] == ["t::exact", "t::far"]


def a_mutant() -> Mutant:
    return mutants(found(GUARDED)[0], SWAPS)[0]


def row(m: Mutant, why: str = "nobody can tell") -> str:
    cells = ["tiny", *m.key, why]
    return ",".join('"' + cell.replace('"', '""') + '"' for cell in cells)


HEADER = "game,module,code,mutation,guard,mutated,why\n"


def test_an_equivalent_mutant_is_excused_by_code_kind_and_condition(tmp_path: Path) -> None:
    m = a_mutant()
    path = tmp_path / "equivalent.csv"
    path.write_text(HEADER + row(m) + "\n", "utf-8")
    rows = read_equivalents(path, "tiny")
    assert [r.key for r in rows] == [m.key] and not read_equivalents(path, "other")
    result = Result(m, SURVIVED, "", 1)
    assert not list(stale(rows, (m,), (result,)))
    report = Report("Tiny", (result,), rows, ())
    assert not report.survivors and not report.counted and report.enough
    assert "nobody can tell" in page(report)


def test_a_row_is_stale_when_the_mutant_is_gone_or_can_be_killed(tmp_path: Path) -> None:
    m = a_mutant()
    path = tmp_path / "equivalent.csv"
    path.write_text(HEADER + row(m) + "\n", "utf-8")
    rows = read_equivalents(path, "tiny")
    assert ["there is no such mutant now" in told for told in stale(rows, (), ())] == [True]
    killed = Result(m, KILLED, "t::exact", 1)
    assert ["t::exact kills it" in told for told in stale(rows, (m,), (killed,))] == [True]
    assert Report("Tiny", (killed,), rows, ()).killed == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("game,code\n", "the columns are"),
        (HEADER + "tiny,moves,a,remove\n", "7 fields"),
        (HEADER + "tiny,moves,a,explode,x,y,why\n", "'explode' is no mutation"),
        (HEADER + "tiny,moves,a,remove,x,y,\n", "say why"),
        (HEADER + "tiny,moves,a,remove,x,y,why\ntiny,moves,a,remove,x,y,again\n", "the same as line 2"),
    ],
)
def test_a_broken_list_is_refused(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "equivalent.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(ListError, match=told):
        read_equivalents(path, "tiny")


def test_fewer_than_enough_do_not_pass_and_the_page_names_the_survivor() -> None:
    m = a_mutant()
    report = Report("Tiny", (Result(m, KILLED, "t", 1), Result(m, SURVIVED, "", 1)), (), ())
    assert report.percent == 50 and not report.enough
    assert report.by_paragraph() == {"1.1.p1": (2, 1, 0)}
    assert "+            pass" in page(report).replace("    +", "+", 1) or "pass" in page(report)
    told = "\n".join(lines_of(report))
    assert "rules/moves.py:6: survived: too-far (1.1.p1), remove, 1 tests" in told and "1 of 2 killed (50.0 %" in told


def test_an_unknown_game_is_told_with_those_there_are() -> None:
    with pytest.raises(UnknownGame, match="there is no game 'chess'; there are: bfg"):
        game_of("chess")


def test_the_command_lists_the_mutants_of_a_game_and_refuses_what_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bfg", "--list", "--only", "stacking:two-fronts"]) == 0
    told = capsys.readouterr().out
    assert "two-fronts (5.1.p2), remove" in told and "+            pass" in told and "overstacked" not in told
    assert main(["chess"]) == 2 and "there is no game 'chess'" in capsys.readouterr().err


RULES = """
from tinygame.model import Reason, cite


def reasons(p):
    if p.get("cost", 0) > 3:
        yield Reason("too-far", cite("1.1.p1"))
    if p.get("locked"):
        yield Reason("locked", cite("2.0.a"))


def duties(p):
    while p.get("owed", 0) > 1:
        p = {**p, "owed": p["owed"] - 1}
    if p.get("owed"):
        yield Reason("owed", cite("3.0"))


LIST = list(duties({"owed": 1}))
if not LIST:
    raise ValueError("nothing is owed")
"""
MODEL = """
def Reason(code, cites):
    return code


def cite(*texts):
    return texts
"""
SUITE = """
import pytest
from tinygame.moves import LIST, duties, reasons


@pytest.mark.rule("tiny", "1.1")
def test_far():
    assert list(reasons({"cost": 4})) == ["too-far"] and not list(reasons({"cost": 3}))


@pytest.mark.rule("tiny", "2.0.a")
@pytest.mark.whole_game
def test_game():
    assert list(reasons({"locked": 1})) == ["locked"]


@pytest.mark.rule("tiny", "2.0.a")
def test_lock():
    assert not list(reasons({}))


@pytest.mark.rule("tiny", "3.0")
def test_owed():
    assert LIST == ["owed"]
    assert list(duties({"owed": 3})) == ["owed"] and not list(duties({}))
"""
DRIVER = """
import json
import sys
from pathlib import Path

from tests.mutation.mutator import Swaps, mutants
from tests.mutation.report import Report, as_json
from tests.mutation.running import Suite, collect, run
from tests.mutation.sites import read_package, refusals

root = Path(sys.argv[1])
suite = Suite(root, ("suite",), "tiny")
found = refusals(read_package(root, "tinygame"), frozenset({"1.1.p1", "2.0.a", "3.0"}))
everything = [m for r in found for m in mutants(r, Swaps())]
results = run(suite, everything, collect(suite), least=3.0)
print(json.dumps(as_json(Report("Tiny", results, (), ()))))
"""


@pytest.mark.slow
def test_a_run_reports_the_mutant_that_no_test_kills_and_touches_no_file(tmp_path: Path) -> None:
    files = {
        "tinygame/__init__.py": "",
        "tinygame/model.py": MODEL,
        "tinygame/moves.py": RULES,
        "suite/test_tiny.py": SUITE,
        "pytest.ini": "[pytest]\npythonpath = .\nmarkers =\n    rule(game, paragraph): x\n    whole_game: x\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    ran = subprocess.run([sys.executable, "-c", DRIVER, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    status = {(m["code"], m["mutation"], m["diff"][-1].strip("+ ")): (m["status"], m["by"]) for m in told["mutants"]}
    far = "suite/test_tiny.py::test_far"
    assert status["too-far", "remove", "pass"] == ("killed", far)
    assert status["too-far", "off by one", 'if p.get("cost", 0) >= 3:'] == ("killed", far)
    assert status["too-far", "off by one", 'if p.get("cost", 1) > 3:'] == ("survived", "")
    # Only a test of whole games would notice that the lock is gone.
    assert status["locked", "remove", "pass"] == ("survived", "")
    assert status["locked", "negate", 'if not p.get("locked"):'] == ("killed", "suite/test_tiny.py::test_lock")
    # This one cannot even be imported; that the same tests run on the code as it is has been seen to.
    assert status["owed", "remove", "pass"][0] == "killed" and "suite/test_tiny.py" in status["owed", "remove", "pass"][1]
    assert not told["enough"]
    assert {p.relative_to(tmp_path).as_posix(): p.read_text("utf-8") for p in tmp_path.rglob("*") if p.suffix in {".py", ".ini"}} == files
