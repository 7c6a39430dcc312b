"""``python -m tests.mutation GAME``: coverage by removal of a game's rules, by its short name. Run from a checkout."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gamebox.load import BoxErrors, load_box
from tests.mutation.mutator import Mutant, Swaps, mutants
from tests.mutation.report import ListError, Report, as_json, lines_of, page, read_equivalents, stale
from tests.mutation.running import Result, Suite, collect, run
from tests.mutation.sites import read_package, refusals

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


class UnknownGame(ValueError):
    """A short name that no game of ``games.toml`` and ``data/`` has."""


def game_of(short: str) -> str:
    """The id of the game with this short name. Raises UnknownGame."""
    shorts = {}
    for toml in sorted((ROOT / "data").glob("*/game.toml")):
        told = tomllib.loads(toml.read_text("utf-8"))
        shorts[str(told["short"]).lower()] = str(told["id"])
    if short not in shorts:
        raise UnknownGame(f"there is no game {short!r}; there are: {', '.join(shorts)}")
    return shorts[short]


def fingerprint(folders: Sequence[Path]) -> str:
    """A hash of every source and data file below some folders."""
    found = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in {".py", ".csv", ".toml", ".json"} and path.is_file():
                found.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def _swaps(short: str) -> Swaps:
    told = tomllib.loads((HERE / "games.toml").read_text("utf-8"))
    return Swaps.of(**told.get(short, {}))


class _Bar:
    """A bar on a terminal, nothing elsewhere."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.done = self.alive = 0

    def __call__(self, result: Result) -> None:
        self.done += 1
        self.alive += not result.killed
        if sys.stderr.isatty():
            full = 40 * self.done // max(1, self.total)
            end = "\n" if self.done == self.total else ""
            text = f"\r[{'#' * full}{'.' * (40 - full)}] {self.done} of {self.total}, {self.alive} not killed"
            print(text, end=end, file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0: enough are killed; 1: not, or the list of equivalent mutants is wrong; 2: it cannot be run."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description="Coverage by removal of a game's refusals.")
    parser.add_argument("game", metavar="GAME", help="short name of a game, as its game.toml has it")
    parser.add_argument("--jobs", type=int, default=2, help="processes at once (2)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only refusals whose module:code holds this text; writes no page")
    parser.add_argument("--base", action="store_true", help="only refusals that act in the game's first scenario; writes no page")
    parser.add_argument("--json", action="store_true", help="the report as JSON on standard output")
    parser.add_argument("--list", action="store_true", help="list the mutants, run nothing")
    parser.add_argument("--docs", type=Path, default=ROOT / "docs/coverage", help="where the page lies (docs/coverage)")
    chosen: Any = parser.parse_args(arguments)
    short = chosen.game.lower()
    try:
        game = game_of(short)
        package = game.replace("-", "_")
        tests = next((f for name in (short, package) if (ROOT / (f := f"tests/games/{name}")).is_dir()), f"tests/games/{short}")
        folders = [ROOT / "gamebox", ROOT / "referee", ROOT / "data" / game, ROOT / tests]
        before = fingerprint(folders)
        box = load_box(game)
        based = frozenset(row.key for row in box["rules"] if row.text("role"))
        known = frozenset(text for row in box["rules"] for text in (row.key, row.text("section")))
        sources = read_package(ROOT, f"referee.games.{package}")
        swaps = _swaps(short)
        found = [r for r in refusals(sources, known) if chosen.only in f"{r.source.stem}:{r.code}"]
        if chosen.base:
            found = [r for r in found if based & set(r.paragraphs)]
        everything = tuple(m for r in found for m in mutants(r, swaps))
        if chosen.list:
            _list(everything)
            return 0
        equivalents = read_equivalents(HERE / "equivalent.csv", short)
        suite = Suite(ROOT, (tests,), short)
        cases = collect(suite)
        results = run(suite, everything, cases, jobs=chosen.jobs, told=_Bar(len(everything)))
    except (UnknownGame, BoxErrors, ListError, OSError, SyntaxError, RuntimeError) as error:
        print(f"mutation: {error}", file=sys.stderr)
        return 2
    if fingerprint(folders) != before:
        print("mutation: rules, data or tests were changed while the mutants ran: run it again", file=sys.stderr)
        return 2
    bad = [c.name for c in cases if c.outcome == "failed" and not c.whole_game]
    asked = {(r.source.stem, r.code) for r in found}
    partly = bool(chosen.only or chosen.base)
    own = tuple(e for e in equivalents if not partly or e.key[:2] in asked)
    problems = (*(f"{name} fails on the code as it is, and kills nothing" for name in bad), *stale(own, everything, results))
    report = Report(box.title, results, own, problems, next(iter(box["scenarios"])).text("name"), based)
    if chosen.json:
        print(json.dumps(as_json(report), indent=1, ensure_ascii=False))
    else:
        print("\n".join(lines_of(report)))
    if not partly:
        _write(chosen.docs / f"mutation-{game}.md", page(report))
    return 0 if report.enough and not problems else 1


def _list(everything: Sequence[Mutant]) -> None:
    for m in everything:
        print(f"{m.place}: {m.refusal.code} ({', '.join(m.refusal.paragraphs)}), {m.kind}")
        print("\n".join(f"    {line}" for line in m.diff()))


def _write(path: Path, text: str) -> None:
    beside = path.with_name(f".{path.name}.new")
    try:
        beside.write_text(text, "utf-8", newline="")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
