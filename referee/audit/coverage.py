"""The rule-coverage page of a game: every row of its rules index, with the tests that hold it, or why there are none.

``python -m referee.audit.coverage GAME`` writes ``docs/coverage/GAME.md`` from the rules index, the marks in the tests' source and
the counts of the last full self-play, which lie beside the page as CSV; with ``--selfplay`` it plays those games first. Run from a
checkout. Same sources, same bytes.
"""

from __future__ import annotations

import argparse
import ast
import csv
import io
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

import referee
from gamebox.load import BoxErrors, games, load_box
from gamebox.model import Box, Row
from modgen.formats.errors import FormatError
from modgen.formats.vassal.archive import write_file
from referee.audit.selfplay import ENOUGH, FULL_RUN, SelfplayReport, selfplay
from referee.rules.options import UsageError

SEED = 1
"""The seed of the full run whose counts are kept."""
COLUMNS = ("paragraph", "allowed", "refused", "allowed_laid_out", "refused_laid_out")

COVERED, OPEN, SCENARIO, NOT = "covered", "open", "waits for a scenario", "not enforceable"


class Counts(msgspec.Struct, frozen=True):
    """The counts of a full run as they are kept: notes on the run, and per paragraph the last four ``COLUMNS``."""

    notes: tuple[str, ...]
    rows: dict[str, tuple[int, int, int, int]]


class Line(msgspec.Struct, frozen=True):
    """One row of the page."""

    paragraph: str
    title: str
    section: str
    status: str
    role: str
    text: str


# ---------------------------------------------------------------------------------------------------------------------------
# Marks in the tests' source


def marks_of(folder: Path, short: str) -> dict[str, dict[str, tuple[str, ...]]]:
    """``{"rule" | "example" | "ruling": {name: (file::test, ...)}}`` of all tests below a folder for the game of this short name.

    Understands ``pytest.mark.rule(SHORT, "5.1")``, ``pytest.mark.example("G-01")`` and helpers that return one of them with their
    own parameter, as decorators of a function or a class, in ``pytestmark`` and in ``pytest.param(..., marks=...)``. Marks of
    examples and rulings carry no game; they count for the game in whose folder ``games/SHORT`` the test lies.
    """
    trees = {path: ast.parse(path.read_text("utf-8"), str(path)) for path in sorted(folder.rglob("*.py"))}
    made = {path: dict(_helpers(tree)) for path, tree in trees.items()}
    found: dict[str, dict[str, set[str]]] = {"rule": defaultdict(set), "example": defaultdict(set), "ruling": defaultdict(set)}
    for path, tree in trees.items():
        theirs = short in path.relative_to(folder).parts
        helpers = _known_here(path, tree, made)
        for test, call in _marked(tree):
            for kind, game, name in _meaning(call, helpers):
                if game == short or (kind in ("example", "ruling") and theirs):
                    found[kind][name].add(f"{path.stem}::{test}" if test else path.stem)
    return {kind: {name: tuple(sorted(tests)) for name, tests in names.items()} for kind, names in found.items()}


def _known_here(path: Path, tree: ast.Module, made: Mapping[Path, Mapping[str, tuple[str, str]]]) -> dict[str, tuple[str, str]]:
    """The helpers that a file can call: its own, and those that it imports, by the name that they have there. Games may call theirs
    alike."""
    known: dict[str, tuple[str, str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            parts = tuple(node.module.split("."))
            for other, helpers in made.items():
                if other.with_suffix("").parts[-len(parts) :] == parts:
                    known.update({n.asname or n.name: helpers[n.name] for n in node.names if n.name in helpers})
    return {**known, **made[path]}


def _helpers(tree: ast.Module) -> Iterator[tuple[str, tuple[str, str]]]:
    """Functions of one parameter that return a mark with it: name -> (kind, game)."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and len(node.args.args) == 1:
            for statement in node.body:
                if isinstance(statement, ast.Return) and isinstance(statement.value, ast.Call):
                    kind = _mark_kind(statement.value)
                    if kind in ("rule", "example", "ruling"):
                        first = statement.value.args[0]
                        yield node.name, (kind, str(first.value) if kind == "rule" and isinstance(first, ast.Constant) else "")


def _mark_kind(call: ast.Call) -> str:
    """``rule`` for a call of ``pytest.mark.rule``."""
    f = call.func
    return f.attr if isinstance(f, ast.Attribute) and isinstance(f.value, ast.Attribute) and f.value.attr == "mark" else ""


def _meaning(call: ast.Call, helpers: Mapping[str, tuple[str, str]]) -> Iterator[tuple[str, str, str]]:
    """(kind, game, name) of each mark in the call itself."""
    texts = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    if len(texts) != len(call.args):
        return
    kind = _mark_kind(call)
    if kind == "rule" and len(texts) == 2:
        yield kind, texts[0], texts[1]
    elif kind in ("example", "ruling") and len(texts) == 1:
        yield kind, "", texts[0]
    elif isinstance(call.func, ast.Name) and call.func.id in helpers and len(texts) == 1:
        kind, game = helpers[call.func.id]
        yield kind, game, texts[0]


def _marked(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """(test, call) for every call that stands where a mark of a test may stand."""

    def calls(node: ast.AST) -> Iterator[ast.Call]:
        return (inner for inner in ast.walk(node) if isinstance(inner, ast.Call))

    def inside(body: Iterable[ast.stmt], outer: str, above: Sequence[ast.Call]) -> Iterator[tuple[str, ast.Call]]:
        own = list(above)
        for node in body:
            if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "pytestmark" for t in node.targets):
                own += calls(node.value)
        for node in body:
            if isinstance(node, ast.ClassDef):
                yield from inside(node.body, f"{outer}{node.name}::", [*own, *(c for d in node.decorator_list for c in calls(d))])
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
                for call in (*own, *(c for d in node.decorator_list for c in calls(d))):
                    yield outer + node.name, call

    return inside(tree.body, "", ())


# ---------------------------------------------------------------------------------------------------------------------------
# Rows


def playable(box: Box) -> tuple[str, ...]:
    """The scenarios that the referee judges."""
    found = []
    for row in box["scenarios"]:
        try:
            referee.load(box.id, row.key, box=box)
        except UsageError:
            continue
        found.append(row.key)
    return tuple(found)


def lines_of(box: Box, scenarios: Sequence[str], marks: Mapping[str, Mapping[str, tuple[str, ...]]]) -> list[Line]:
    """Every paragraph of the rules index with its status, in the order of the index."""
    return [_line(box, row, scenarios, marks) for row in box["rules"]]


def _line(box: Box, row: Row, scenarios: Sequence[str], marks: Mapping[str, Mapping[str, tuple[str, ...]]]) -> Line:
    def line(status: str, text: str) -> Line:
        return Line(row.key, row.text("title"), row.text("section"), status, row.text("role"), text)

    where = row.items("scenarios")
    rule_tests = marks["rule"].get(row.key, ())
    example_tests = tuple(test for name in row.items("examples") for test in marks["example"].get(name, ()))
    tests = ", ".join(f"`{test}`" for test in dict.fromkeys((*rule_tests, *example_tests)))
    if row.text("enforceable") == "no":
        return line(NOT, row.text("why_not"))
    if "all" not in where and not set(where) & set(scenarios):
        return line(SCENARIO, ", ".join(box["scenarios"][name].text("name") for name in where))
    return line(COVERED, tests) if tests else line(OPEN, "no test names it")


# ---------------------------------------------------------------------------------------------------------------------------
# Counts of self-play


def counts_text(report: SelfplayReport) -> str:
    """The counts of a run as CSV; the notes on the run come first, as comments."""
    out = io.StringIO(newline="")
    plans = report.plans()
    out.write(f"# referee selfplay {report.game} --games {len(report.played)} --seed {report.seed}\n")
    out.write(f"# {report.actions} actions, {sum(p.tries for p in report.played)} tries, {len(report.problems)} problems\n")
    for plan in plans:
        games_of = [p for p in report.played if p.plan == plan]
        begins = f"laid out: {report.laid_out[plan]}" if plan in report.laid_out else "from the set-up"
        out.write(f"# {plan}: {len(games_of)} games, {sum(p.actions for p in games_of)} actions, {begins}\n")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in report.rows:
        writer.writerow((row.paragraph, row.allowed, row.refused, row.allowed_laid_out, row.refused_laid_out))
    return out.getvalue()


def read_counts(text: str) -> Counts:
    """The counts from their CSV.

    Raises UsageError for a file that ``counts_text`` did not write.
    """
    notes = tuple(line.removeprefix("# ") for line in text.splitlines() if line.startswith("#"))
    table = list(csv.reader(line for line in text.splitlines() if line and not line.startswith("#")))
    if not table or tuple(table[0]) != COLUMNS:
        raise UsageError(f"the counts of self-play have the columns {', '.join(COLUMNS)}; make them anew with --selfplay")
    try:
        return Counts(notes, {name: (int(a), int(b), int(c), int(d)) for name, a, b, c, d in table[1:]})
    except ValueError:
        raise UsageError(
            "a row of the counts of self-play is no paragraph and four whole numbers; make them anew with --selfplay"
        ) from None


# ---------------------------------------------------------------------------------------------------------------------------
# The page


def page(box: Box, scenarios: Sequence[str], marks: Mapping[str, Mapping[str, tuple[str, ...]]], counts: Counts | None) -> str:
    """The page as Markdown."""
    return "\n".join(_page(box, lines_of(box, scenarios, marks), scenarios, counts, marks)) + "\n"


def _page(
    box: Box,
    lines: Sequence[Line],
    scenarios: Sequence[str],
    counts: Counts | None,
    marks: Mapping[str, Mapping[str, tuple[str, ...]]],
) -> Iterator[str]:
    n = Counter(line.status for line in lines)
    yield f"# Rule coverage: {box.title}"
    yield ""
    yield "Made by `make coverage` from the rules index, the marks in the tests and the last full self-play; not edited by hand."
    yield f"Refereed: {', '.join(box['scenarios'][s].text('name') for s in scenarios)}. The titles are ours, the numbers the rulebook's."
    yield ""
    yield "| paragraphs | |"
    yield "|---|---:|"
    yield f"| in the index | {len(lines)} |"
    for status in (COVERED, OPEN, SCENARIO, NOT):
        yield f"| {status} | {n[status]} |"
    yield ""
    yield from _self_play(lines, counts)
    yield "## Every paragraph"
    section = None
    for line in lines:
        if line.section != section:
            section = line.section
            yield ""
            yield f"### {section}"
            yield ""
            yield "| paragraph | title | status | tests, or the reason |"
            yield "|---|---|---|---|"
        role = f", {line.role}" if line.status in (COVERED, OPEN) else ""
        yield f"| {line.paragraph} | {_cell(line.title)} | {line.status}{role} | {_cell(line.text)} |"
    yield ""
    yield "## Every ruling"
    yield ""
    yield "Where the rulebook is silent or contradicts itself: which modules of the game cite our ruling, and which tests hold it."
    yield ""
    yield "| ruling | sections | cited by | tests, or why it needs none |"
    yield "|---|---|---|---|"
    for ruling in rulings_of(box, marks):
        tests = ", ".join(f"`{test}`" for test in ruling.tests)
        cited = ", ".join(ruling.modules)
        yield f"| {ruling.id} | {', '.join(ruling.sections)} | {cited} | {_cell('; '.join(t for t in (ruling.why, tests) if t))} |"


class RulingLine(msgspec.Struct, frozen=True):
    """One ruling: which modules of the game's package cite it, which tests are marked with it, why it needs no code."""

    id: str
    sections: tuple[str, ...]
    modules: tuple[str, ...]
    tests: tuple[str, ...]
    why: str

    @property
    def held(self) -> bool:
        """Cited by code and by a test, or the data says why not."""
        return bool(self.why) or bool(self.modules and self.tests)


def rulings_of(box: Box, marks: Mapping[str, Mapping[str, tuple[str, ...]]]) -> list[RulingLine]:
    """Every ruling of the box, in its order by number."""
    package = files(f"referee.games.{box.id.replace('-', '_')}")
    sources = {f.name.removesuffix(".py"): f.read_text("utf-8") for f in package.iterdir() if f.name.endswith(".py")}
    cited = {name: set(re.findall(r"R-[A-Z]+\d+", text)) for name, text in sorted(sources.items())}
    rows = sorted(box["rulings"], key=lambda row: (len(row.key), row.key))
    return [
        RulingLine(
            row.key,
            row.items("sections"),
            tuple(name for name, ids in cited.items() if row.key in ids),
            tuple(dict.fromkeys(marks["ruling"].get(row.key, ()))),
            row.text("no_code"),
        )
        for row in rows
    ]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _self_play(lines: Sequence[Line], counts: Counts | None) -> Iterator[str]:
    yield "## Self-play"
    yield ""
    if counts is None:
        yield "Not played yet: `make selfplay`."
        yield ""
        return
    able = [line for line in lines if line.role == "refuses" and line.paragraph in counts.rows]
    weak = [line.paragraph for line in able if min(counts.rows.get(line.paragraph, (0, 0, 0, 0))[:2]) < ENOUGH]
    first, *rest = counts.notes
    yield f"    {first}"
    yield ""
    yield from (f"- {note}" for note in rest)
    yield ""
    yield "*Allowed*: legal actions at which a check that cites the paragraph looked and bit (`coverage.py` of the game says when)."
    yield "*Refused*: tries against which that check alone stood, so that without it they would have been legal."
    yield "*Laid out*: how many of both come from positions laid out by hand."
    yield f"{len(able) - len(weak)} of the {len(able)} paragraphs that can refuse have both at least {ENOUGH} times."
    if weak:
        yield f"Below that: {', '.join(weak)}."
    yield ""
    yield "| paragraph | allowed | refused | laid out | title |"
    yield "|---|---:|---:|---:|---|"
    for line in able:
        allowed, refused, a, r = counts.rows.get(line.paragraph, (0, 0, 0, 0))
        yield f"| {line.paragraph} | {allowed} | {refused} | {f'{a} / {r}' if a or r else ''} | {_cell(line.title)} |"
    yield ""


def generate(game: str, tests: Path, docs: Path) -> str:
    """The page of a game, from the tests below ``tests`` and the counts in ``docs``. Raises UsageError, BoxErrors and OSError."""
    if game not in games():
        raise UsageError(f"there is no game {game!r}; there are: {', '.join(games())}")
    box = load_box(game)
    kept = docs / f"{game}-selfplay.csv"
    counts = read_counts(kept.read_text("utf-8")) if kept.exists() else None
    return page(box, playable(box), marks_of(tests, box.short), counts)


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the page; exit code 1 when self-play had problems, 2 when the page cannot be made."""
    parser = argparse.ArgumentParser(prog="python -m referee.audit.coverage", description="Writes the rule-coverage page of a game.")
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--tests", type=Path, default=Path("tests"), help="where the tests lie (tests)")
    parser.add_argument("--docs", type=Path, default=Path("docs/coverage"), help="where the page and the counts lie (docs/coverage)")
    parser.add_argument("--selfplay", action="store_true", help=f"first play {FULL_RUN} games and keep their counts")
    chosen: Any = parser.parse_args(arguments)
    problems: tuple[str, ...] = ()
    try:
        if chosen.selfplay:
            report = selfplay(chosen.game, games=FULL_RUN, seed=SEED)
            problems = report.problems
            write_file(chosen.docs / f"{chosen.game}-selfplay.csv", counts_text(report).encode("utf-8"))
        write_file(chosen.docs / f"{chosen.game}.md", generate(chosen.game, chosen.tests, chosen.docs).encode("utf-8"))
    except (UsageError, BoxErrors, FormatError, OSError) as error:
        print(f"coverage: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    for problem in problems:
        print(f"problem: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
