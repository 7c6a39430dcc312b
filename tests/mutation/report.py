"""What a run of mutants shows: the list of equivalent ones, the count a paragraph, the page."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.mutation.mutator import KINDS, Mutant
from tests.mutation.running import TIMEOUT, Result
from tests.mutation.sites import paragraph_key

COLUMNS = ("game", "module", "code", "mutation", "guard", "mutated", "why")
ENOUGH = 95
"""Of a hundred mutants that are not equivalent, how many must be killed."""

Key = tuple[str, str, str, str, str]


class ListError(ValueError):
    """A row of the list of equivalent mutants that cannot stand: the message says which and why."""


@dataclass(frozen=True)
class Equivalent:
    """A mutant that no test can tell from the rules, and why; ``line`` of the list."""

    key: Key
    why: str
    line: int


def read_equivalents(path: Path, short: str) -> tuple[Equivalent, ...]:
    """The rows for one game. Raises ListError for a row that is not whole or stands twice, OSError."""
    found: dict[Key, Equivalent] = {}
    with path.open(encoding="utf-8", newline="") as lines:
        reader = csv.DictReader(lines)
        if tuple(reader.fieldnames or ()) != COLUMNS:
            raise ListError(f"{path.name}:1: the columns are {', '.join(COLUMNS)}")
        for row in reader:
            if None in row or None in row.values():
                raise ListError(f"{path.name}:{reader.line_num}: a row has {len(COLUMNS)} fields")
            key: Key = (row["module"], row["code"], row["mutation"], row["guard"], row["mutated"])
            if row["mutation"] not in KINDS:
                raise ListError(f"{path.name}:{reader.line_num}: {row['mutation']!r} is no mutation; there are: {', '.join(KINDS)}")
            if not row["why"].strip():
                raise ListError(f"{path.name}:{reader.line_num}: say why nothing can tell this mutant from the rules")
            if row["game"] != short:
                continue
            if key in found:
                raise ListError(f"{path.name}:{reader.line_num}: the same as line {found[key].line}")
            found[key] = Equivalent(key, row["why"], reader.line_num)
    return tuple(found.values())


def stale(equivalents: Sequence[Equivalent], mutants: Sequence[Mutant], results: Sequence[Result]) -> Iterator[str]:
    """Rows that name no mutant of today's code, and rows whose mutant a test does kill."""
    known = {m.key for m in mutants}
    killed = {r.mutant.key: r.by for r in results if r.killed}
    for row in equivalents:
        what = f"equivalent.csv:{row.line}: {' '.join(row.key[:3])}: {row.key[3]}"
        if row.key not in known:
            yield f"{what}: there is no such mutant now"
        elif row.key in killed:
            yield f"{what}: no equivalent, {killed[row.key] or 'a test'} kills it"


@dataclass(frozen=True)
class Report:
    """A whole run. ``equivalents`` are the mutants that the list excuses; ``problems`` what is wrong with the list or the tests."""

    title: str
    results: tuple[Result, ...]
    equivalents: tuple[Equivalent, ...]
    problems: tuple[str, ...]
    base: str = ""
    based: frozenset[str] = frozenset()
    """The game's first scenario by name, and the paragraphs that act in it."""

    @property
    def counted(self) -> tuple[Result, ...]:
        """The results that are no excused mutant's."""
        excused = {e.key for e in self.equivalents}
        return tuple(r for r in self.results if r.killed or r.mutant.key not in excused)

    @property
    def survivors(self) -> tuple[Result, ...]:
        """Not killed and not excused, by module and line."""
        alive = (r for r in self.counted if not r.killed)
        return tuple(sorted(alive, key=lambda r: (r.mutant.refusal.source.path, r.mutant.line)))

    @property
    def killed(self) -> int:
        """How many were killed."""
        return sum(r.killed for r in self.counted)

    @property
    def in_base(self) -> tuple[int, int]:
        """(killed, counted) of the refusals that cite a paragraph of the first scenario."""
        own = [r for r in self.counted if self.based & set(r.mutant.refusal.paragraphs)]
        return sum(r.killed for r in own), len(own)

    @property
    def percent(self) -> float:
        """Killed of a hundred counted; 100 when there is nothing to count."""
        return 100 * self.killed / len(self.counted) if self.counted else 100.0

    @property
    def enough(self) -> bool:
        """Whether the run may pass."""
        return self.percent >= ENOUGH

    def by_paragraph(self) -> dict[str, tuple[int, int, int]]:
        """Paragraph -> (mutants, killed, equivalent). A refusal that cites several counts under each."""
        counted = set(map(id, self.counted))
        found: dict[str, list[int]] = {}
        for r in self.results:
            for paragraph in r.mutant.refusal.paragraphs:
                row = found.setdefault(paragraph, [0, 0, 0])
                row[0] += 1
                row[1] += r.killed
                row[2] += id(r) not in counted
        return {p: (found[p][0], found[p][1], found[p][2]) for p in sorted(found, key=paragraph_key)}

    def by_kind(self) -> dict[str, tuple[int, int, int]]:
        """The same by kind of mutation."""
        counted = set(map(id, self.counted))
        rows = {}
        for kind in KINDS:
            own = [r for r in self.results if r.mutant.kind == kind]
            rows[kind] = (len(own), sum(r.killed for r in own), sum(id(r) not in counted for r in own))
        return rows


def lines_of(report: Report) -> Iterator[str]:
    """The report for a terminal."""
    yield f"{'paragraph':<12}{'mutants':>8}{'killed':>8}{'equivalent':>12}{'left':>6}"
    for paragraph, (total, killed, equivalent) in report.by_paragraph().items():
        yield f"{paragraph:<12}{total:>8}{killed:>8}{equivalent:>12}{total - killed - equivalent or '':>6}"
    yield ""
    for kind, (total, killed, equivalent) in report.by_kind().items():
        yield f"{kind:<12}{total:>8}{killed:>8}{equivalent:>12}{total - killed - equivalent or '':>6}"
    yield ""
    for r in report.survivors:
        m = r.mutant
        yield f"{m.place}: {r.status}: {m.refusal.code} ({', '.join(m.refusal.paragraphs)}), {m.kind}, {r.tests} tests"
        yield from (f"    {line}" for line in m.diff())
    for problem in report.problems:
        yield f"problem: {problem}"
    if report.base:
        killed, counted = report.in_base
        yield f"{report.base}: {killed} of {counted} killed ({_percent(killed, counted)})"
    late = sum(r.status == TIMEOUT for r in report.results)
    yield (
        f"{report.killed} of {len(report.counted)} killed ({report.percent:.1f} %; {ENOUGH} are needed), {late} of them by timeout; "
        f"{len(report.results) - len(report.counted)} equivalent"
    )


def _percent(killed: int, counted: int) -> str:
    return f"{100 * killed / counted if counted else 100:.1f} %"


def as_json(report: Report) -> dict[str, Any]:
    """The report as plain values."""
    excused = {e.key: e.why for e in report.equivalents}

    def row(r: Result) -> dict[str, Any]:
        m = r.mutant
        return {
            "module": m.refusal.source.stem,
            "code": m.refusal.code,
            "paragraphs": list(m.refusal.paragraphs),
            "mutation": m.kind,
            "place": m.place,
            "guard": m.guard,
            "mutated": m.mutated,
            "diff": list(m.diff()),
            "status": r.status if r.killed or m.key not in excused else "equivalent",
            "why": "" if r.killed else excused.get(m.key, ""),
            "by": r.by,
            "tests": r.tests,
        }

    return {
        "title": report.title,
        "killed": report.killed,
        "counted": len(report.counted),
        "equivalent": len(report.results) - len(report.counted),
        "base": dict(zip(("killed", "counted"), report.in_base, strict=True)),
        "enough": report.enough,
        "problems": list(report.problems),
        "mutants": [row(r) for r in report.results],
    }


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def page(report: Report) -> str:
    """The page as Markdown: same code, tests and list, same bytes."""
    return "\n".join(_page(report)) + "\n"


def _page(report: Report) -> Iterator[str]:
    yield f"# Coverage by removal: {report.title}"
    yield ""
    yield "Made by `make mutation` from the rules code and the tests; not edited by hand."
    yield "Each refusal of the rules is left out once, and its conditions are negated, moved by one and turned to the other side, one place"
    yield "at a time. Such a mutant is killed when a test fails that is marked with a paragraph the refusal cites; tests of whole games do"
    yield "not count. The condition of a refusal is the `if` around it, what feeds that `if`, and what chooses the paragraph it cites."
    yield ""
    refusals = len({id(r.mutant.refusal) for r in report.results})
    yield f"{report.killed} of {len(report.counted)} mutants of {refusals} refusals are killed: {report.percent:.1f} %."
    if report.base:
        killed, counted = report.in_base
        yield f"Of the refusals that act in the {report.base}: {killed} of {counted}, {_percent(killed, counted)}."
    yield ""
    yield "| mutation | mutants | killed | equivalent | left |"
    yield "|---|---:|---:|---:|---:|"
    for kind, (total, killed, equivalent) in report.by_kind().items():
        yield f"| {kind} | {total} | {killed} | {equivalent} | {total - killed - equivalent} |"
    yield ""
    yield "## Paragraphs"
    yield ""
    yield "A refusal that cites several paragraphs counts under each."
    yield ""
    yield "| paragraph | mutants | killed | equivalent | left |"
    yield "|---|---:|---:|---:|---:|"
    for paragraph, (total, killed, equivalent) in report.by_paragraph().items():
        yield f"| {paragraph} | {total} | {killed} | {equivalent} | {total - killed - equivalent} |"
    yield ""
    yield "## Survivors"
    yield ""
    if not report.survivors:
        yield "None."
    for r in report.survivors:
        m = r.mutant
        yield f"`{m.refusal.source.path}`, {m.refusal.code} ({', '.join(m.refusal.paragraphs)}), {m.kind}:"
        yield ""
        yield from (f"    {line}" for line in m.diff())
        yield ""
    yield ""
    yield "## Equivalent mutants"
    yield ""
    if not report.equivalents:
        yield "None."
        return
    yield "No test can tell these from the rules."
    yield ""
    yield "| refusal | mutation | condition | changed to | why |"
    yield "|---|---|---|---|---|"
    for e in sorted(report.equivalents, key=lambda e: e.key):
        module, code, kind, guard, mutated = e.key
        yield f"| {module}: {code} | {kind} | `{_cell(guard)}` | `{_cell(mutated)}` | {_cell(e.why)} |"
