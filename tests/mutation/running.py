"""Runs tests against mutants: one forked process a mutant, so that no mutant leaves anything behind.

The process that forks has imported what costs time and is never mutated (pytest, the data loader, third parties), and none of the
rules: each child imports those anew, the mutated module from memory, so the working tree is never written to.
"""

from __future__ import annotations

import contextlib
import gc
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import hypothesis  # noqa: F401 - slow to import, wanted in every child
import msgspec  # noqa: F401 - the same
import pytest

import gamebox.load  # noqa: F401 - the same
from tests.mutation.mutator import Mutant
from tests.mutation.sites import related

WHOLE_GAME = "whole_game"
"""Tests with this mark play or replay games and hold no one paragraph: they kill nothing."""
MEMORY = 3 << 30
"""Bytes a mutant may take: one that loops for ever may do so by growing."""

KILLED, TIMEOUT, SURVIVED, UNTESTED = "killed", "killed by timeout", "survived", "no test"


@dataclass(frozen=True)
class Case:
    """One collected test: its id, its file, the paragraphs it is marked with for this game, and how it came out unmutated."""

    name: str
    file: str
    paragraphs: tuple[str, ...]
    whole_game: bool
    outcome: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Result:
    """How a mutant fared; ``by``: the first test that failed, as far as one did."""

    mutant: Mutant
    status: str
    by: str = ""
    tests: int = 0

    @property
    def killed(self) -> bool:
        """Some test of a cited paragraph failed, or hung."""
        return self.status in (KILLED, TIMEOUT)


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads one module from a text instead of its file; tracebacks still name the file."""

    def __init__(self, module: str, path: str, text: str) -> None:
        super().__init__(module, path)
        self.text = text

    def get_code(self, fullname: str) -> CodeType:
        """Compiled from the text: no cached bytecode is read or written."""
        code: CodeType = compile(self.text, self.path, "exec", dont_inherit=True)
        return code


class Overlay(importlib.abc.MetaPathFinder):
    """Finds one module in a text instead of its file."""

    def __init__(self, module: str, path: Path, text: str) -> None:
        self.module, self.path, self.text = module, str(path), text

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The spec of the one module, None for any other."""
        if fullname != self.module:
            return None
        return importlib.util.spec_from_file_location(fullname, self.path, loader=_Loader(fullname, self.path, self.text))


@dataclass
class _Chooser:
    """A pytest plugin: keeps the tests that ``names`` gives, in its order (all when None), and notes what was collected and run."""

    short: str
    names: Sequence[str] | None = None
    cases: dict[str, Case] = field(default_factory=dict)
    failed: str = ""

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Chooses."""
        root = config.rootpath
        for item in items:
            marks = [m.args for m in item.iter_markers("rule") if len(m.args) == 2]
            own = tuple(dict.fromkeys(str(a[1]) for a in marks if a[0] == self.short))
            file = item.path.relative_to(root).as_posix()
            self.cases[item.nodeid] = Case(item.nodeid, file, own, item.get_closest_marker(WHOLE_GAME) is not None)
        if self.names is None:
            keep = [i for i in items if self.cases[i.nodeid].paragraphs and not self.cases[i.nodeid].whole_game]
        else:
            order = {name: n for n, name in enumerate(self.names)}
            keep = sorted((i for i in items if i.nodeid in order), key=lambda i: order[i.nodeid])
        kept = {i.nodeid for i in keep}
        config.hook.pytest_deselected(items=[i for i in items if i.nodeid not in kept])
        items[:] = keep

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Notes."""
        old = self.cases[report.nodeid]
        worse = report.outcome if report.outcome != "passed" or not old.outcome else old.outcome
        self.cases[report.nodeid] = Case(old.name, old.file, old.paragraphs, old.whole_game, worse, old.seconds + report.duration)
        if report.failed and not self.failed:
            self.failed = report.nodeid


@dataclass(frozen=True)
class Suite:
    """Where the tests of a game lie: below ``root`` (absolute), in folders relative to it."""

    root: Path
    folders: tuple[str, ...]
    short: str


def _pytest(suite: Suite, chooser: _Chooser, where: Sequence[str], *more: str) -> int:
    os.chdir(suite.root)
    args = ["-q", "--rootdir", str(suite.root), "-p", "no:cacheprovider", "-p", "no:xdist", *more, *where]
    return int(pytest.main(args, plugins=[chooser]))


def collect(suite: Suite) -> tuple[Case, ...]:
    """Every test of the game, and how each marked one comes out on the code as it is.

    Raises RuntimeError when the tests cannot be collected.
    """

    def work() -> Any:
        chooser = _Chooser(suite.short)
        code = _pytest(suite, chooser, suite.folders)
        return {"code": code, "cases": [vars(c) for c in chooser.cases.values()]}

    child = _Child(work, 600.0)
    answer = child.waited()
    if not answer or answer["code"] not in (0, 1):
        told = "\n".join(child.output.splitlines()[-12:])
        raise RuntimeError(f"the tests in {', '.join(suite.folders)} cannot be run:\n{told}")
    return tuple(Case(**{**c, "paragraphs": tuple(c["paragraphs"])}) for c in answer["cases"])


def holders(paragraphs: Sequence[str], cases: Sequence[Case]) -> tuple[Case, ...]:
    """The tests that hold any of these paragraphs and pass: the nearest marks first, then the fastest."""

    def rank(case: Case) -> tuple[bool, float, str]:
        return not set(case.paragraphs) & set(paragraphs), round(case.seconds, 1), case.name

    fit = (c for c in cases if not c.whole_game and any(related(p, q) for p in paragraphs for q in c.paragraphs))
    return tuple(sorted((c for c in fit if c.outcome == "passed"), key=rank))


def run(
    suite: Suite,
    mutants: Sequence[Mutant],
    cases: Sequence[Case],
    *,
    jobs: int = 2,
    least: float = 60.0,
    told: Callable[[Result], None] = lambda _: None,
) -> tuple[Result, ...]:
    """All results, in the order of the mutants. A mutant may take twenty times what its tests take unmutated, and ``least`` seconds.

    Raises RuntimeError when the tests can no longer be run on the code as it is.
    """
    results: dict[int, Result] = {}
    running: dict[int, tuple[_Child, tuple[Case, ...]]] = {}
    waiting = iter(enumerate(mutants))
    left = True
    while left or running:
        while left and len(running) < jobs:
            number, mutant = next(waiting, (-1, None))
            if mutant is None:
                left = False
            elif chosen := holders(mutant.refusal.paragraphs, cases):
                running[number] = (_started(suite, chosen, least, mutant), chosen)
            else:
                results[number] = Result(mutant, UNTESTED)
                told(results[number])
        for number, (child, chosen) in list(running.items()):
            if (answer := child.answer()) is not None:
                del running[number]
                mutant = mutants[number]
                if _dumb(answer):
                    answer = _sure(suite, chosen, least, mutant)
                results[number] = _result(mutant, answer, len(chosen))
                told(results[number])
        time.sleep(0.005)
    return tuple(results[n] for n in range(len(mutants)))


def _started(suite: Suite, chosen: Sequence[Case], least: float, mutant: Mutant | None) -> _Child:
    """The tests, on the mutant or on the code as it is."""

    def work() -> Any:
        if mutant is not None:
            source = mutant.refusal.source
            sys.meta_path.insert(0, Overlay(source.module, suite.root / source.path, mutant.text))
        chooser = _Chooser(suite.short, [c.name for c in chosen])
        code = _pytest(suite, chooser, list(dict.fromkeys(c.file for c in chosen)), "-x", "--tb=no")
        return {"code": code, "by": chooser.failed}

    return _Child(work, max(least, 20 * sum(c.seconds for c in chosen)))


def _dumb(answer: Any) -> bool:
    """Neither passed nor late, and no test failed: the mutant broke the import, or something else went wrong."""
    return bool(answer) and answer["code"] != 0 and not answer["by"]


def _sure(suite: Suite, chosen: Sequence[Case], least: float, mutant: Mutant) -> Any:
    """The mutant again, once the same tests run on the code as it is: what failed may have been the machine.

    Raises RuntimeError when they do not run.
    """
    child = _started(suite, chosen, least, None)
    for pause in (1, 5, 20, 60, 0):
        answer = child.waited()
        if answer and answer["code"] == 0:
            child = _started(suite, chosen, least, mutant)
            answer = child.waited()
            return {**answer, "by": answer["by"] or child.trouble()} if answer else answer
        time.sleep(pause)
        child = _started(suite, chosen, least, None)
    child.waited()
    raise RuntimeError(f"the tests no longer run on the code as it is: {child.trouble()}")


def _result(mutant: Mutant, answer: Any, tests: int) -> Result:
    if answer == {}:
        return Result(mutant, TIMEOUT, "", tests)
    if answer["code"] == 0:
        return Result(mutant, SURVIVED, "", tests)
    return Result(mutant, KILLED, answer["by"], tests)


class _Child:
    """A forked process doing one piece of work; what the work returns comes back as JSON."""

    def __init__(self, work: Callable[[], Any], seconds: float) -> None:
        self.output = ""
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the child is done
        self._out = tempfile.TemporaryFile()  # noqa: SIM115
        self._end = time.monotonic() + seconds
        sys.stdout.flush()
        sys.stderr.flush()
        gc.freeze()
        self.pid = os.fork()
        if self.pid == 0:
            self._live(work)

    def _live(self, work: Callable[[], Any]) -> None:
        try:
            os.setsid()
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            os.dup2(self._out.fileno(), 1)
            os.dup2(self._out.fileno(), 2)
            sys.dont_write_bytecode = True
            answer = json.dumps(work())
            self._file.write(answer.encode())
            self._file.flush()
            os._exit(0)
        except BaseException as error:  # a mutant may do anything: it never reaches the parent's code
            os.write(2, f"{type(error).__name__}: {error}\n".encode())
            os._exit(1)

    def waited(self) -> Any:
        """The answer, waited for."""
        while (found := self.answer()) is None:
            time.sleep(0.02)
        return found

    def trouble(self) -> str:
        """The line of its output that tells most: an error of pytest's, else the last one."""
        lines = [line for line in self.output.splitlines() if line.strip()]
        return next((line for line in lines if line.startswith("ERROR ")), lines[-1] if lines else "nothing written")

    def answer(self) -> Any:
        """What the work returned; None while it runs; {} when it took too long; code 70 when it died."""
        pid, _ = os.waitpid(self.pid, os.WNOHANG)
        late = time.monotonic() > self._end
        if pid == 0 and not late:
            return None
        if pid == 0:
            os.killpg(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        self._file.seek(0)
        text = self._file.read()
        self._out.seek(0)
        self.output = self._out.read().decode(errors="replace")
        self._file.close()
        self._out.close()
        if pid == 0:
            return {}
        return json.loads(text) if text else {"code": 70, "by": "", "cases": []}
