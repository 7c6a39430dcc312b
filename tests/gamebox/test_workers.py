"""Workers end with their program, however it ends, and say nothing of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from gamebox.workers import workers

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import os, sys, time
from pathlib import Path
sys.path.insert(0, {root!r})
from gamebox.workers import workers

def work(folder):
    Path(folder, str(os.getpid())).touch()
    time.sleep(600)

if __name__ == "__main__":
    folder, start = sys.argv[1:]
    try:
        with workers(2, start=start) as pool:
            print("begun", flush=True)
            list(pool.map(work, [folder] * 4))
    except KeyboardInterrupt:
        sys.exit(130)
"""


def alive(pid: int) -> bool:
    """Whether a process still does something (one that is dead and not yet waited for does not)."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


def wait_for(condition: object, seconds: float = 20.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if callable(condition) and condition():
            return True
        time.sleep(0.02)
    return False


def hear_ctrl_c() -> None:
    """A program started in the background, as by a CI, would hand its deafness to SIGINT on to the one under test."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def running(words: list[str]) -> Iterator[subprocess.Popen[str]]:
    """A program in a process group of its own, as a terminal starts it."""
    process = subprocess.Popen(
        [sys.executable, *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=hear_ctrl_c,  # noqa: PLW1509 - these tests have no threads
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def end(process: subprocess.Popen[str], number: signal.Signals) -> tuple[int, str]:
    """Sends a signal, Ctrl-C to the whole group as a terminal does; (exit code, standard error), once nobody holds that open."""
    if number == signal.SIGINT:
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    err = process.communicate(timeout=30)[1]
    return process.returncode, err


linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")


@linux
@pytest.mark.parametrize("start", ["spawn", "fork"])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, -15), (signal.SIGKILL, -9), (signal.SIGINT, 130)], ids=str)
def test_workers_end_when_their_program_is_ended(tmp_path: Path, start: str, number: signal.Signals, code: int) -> None:
    script, seen = tmp_path / "program.py", tmp_path / "seen"
    script.write_text(PROGRAM.format(root=str(ROOT)), "utf-8")
    seen.mkdir()
    with running([str(script), str(seen), start]) as process:
        assert wait_for(lambda: len(list(seen.iterdir())) == 2)
        pids = [int(path.name) for path in seen.iterdir()]
        assert all(map(alive, pids))
        ended, err = end(process, number)
        # Of a program that could not tidy up, Python's own resource tracker may say so.
        assert ended == code and (not err or "leaked semaphore" in err) and "Traceback" not in err
        assert wait_for(lambda: not any(map(alive, pids)), 5)


@linux
@pytest.mark.parametrize("after", [0.0, 0.02, 0.05, 0.1, 0.2])
def test_ctrl_c_while_workers_start_is_quiet(tmp_path: Path, after: float) -> None:
    script = tmp_path / "program.py"
    script.write_text(PROGRAM.format(root=str(ROOT)), "utf-8")
    with running([str(script), str(tmp_path), "spawn"]) as process:
        assert process.stdout is not None and process.stdout.readline() == "begun\n"
        time.sleep(after)
        assert end(process, signal.SIGINT) == (130, "")


@linux
@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize(
    "words",
    [
        ["-m", "referee.cli", "selfplay", "battle-for-germany", "--games", "50", "--record"],
        ["-m", "modgen.cli", "build", "battle-for-germany", "--out"],
    ],
    ids=["selfplay", "build"],
)
def test_the_commands_leave_nobody_behind(tmp_path: Path, words: list[str], number: signal.Signals) -> None:
    def group() -> list[int]:
        found = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError, IndexError):
                state, _, pgrp = stat.read_text().rpartition(")")[2].split()[:3]
                found += [int(stat.parent.name)] if state not in "ZX" and int(pgrp) == process.pid else []
        return found

    with running([*words, str(tmp_path / "out")]) as process:
        assert wait_for(lambda: len(group()) >= 3)
        time.sleep(0.5)
        code, err = end(process, number)
        assert code == {signal.SIGTERM: 143, signal.SIGKILL: -9, signal.SIGINT: 130}[number]
        if number == signal.SIGKILL:
            assert not err or ("leaked semaphore" in err and "Traceback" not in err)
        else:
            assert err.count("\n") == 1 and f"stopped by {'Ctrl-C' if number == signal.SIGINT else 'TERM'}" in err
        assert wait_for(lambda: not group(), 10)
    for path in (tmp_path / "out").rglob("*.record"):
        assert path.read_text("utf-8").endswith("\n")


def test_an_error_ends_the_workers_and_comes_through() -> None:
    before = time.monotonic()
    with pytest.raises(ZeroDivisionError), workers(2) as pool:
        pool.submit(time.sleep, 600)
        raise ZeroDivisionError
    assert time.monotonic() - before < 60


def test_workers_begin_as_they_are_told_and_give_their_results_in_order() -> None:
    with workers(2, start="spawn", begin=os.putenv, arguments=("A", "b")) as pool:
        assert list(pool.map(abs, range(-5, 0))) == [5, 4, 3, 2, 1]


LONG_RESULTS = """
import sys, time
sys.path.insert(0, {root!r})
from gamebox.workers import workers

def work(number):
    return b"x" * 40_000_000

if __name__ == "__main__":
    for _ in range(6):
        try:
            with workers(2, start=sys.argv[1]) as pool:
                for number in range(8):
                    pool.submit(work, number)
                time.sleep(0.15)
                raise ValueError
        except ValueError:
            print("ended", flush=True)
"""


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_workers_that_end_in_the_midst_of_a_long_result_are_not_waited_for_for_ever(tmp_path: Path, start: str) -> None:
    program = tmp_path / "program.py"
    program.write_text(LONG_RESULTS.format(root=str(ROOT)), "utf-8")
    done = subprocess.run([sys.executable, str(program), start], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ended\n" * 6, "")
