"""The benchmarks measure what they say: the harness's arithmetic, and logs that hold the game they were written from."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from bench import __main__ as bench_main
from bench import harness, logs, synthetic
from gamebox.load import load_box
from modgen.check import check
from modgen.formats.vassal import saves
from referee.table.vassal import read_vassal_bytes


def test_a_ratio_is_over_one_for_what_is_faster_than_its_yardstick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(harness, "LEAST_SECONDS", 0.01)

    def work(name: str, seconds: float) -> harness.Work:
        def run() -> int:
            time.sleep(seconds)
            return 10

        return harness.Work(name, "items", run)

    ratio = harness.paired(work("quick", 0.001), work("slow", 0.004), rounds=3)
    assert ratio.lowest <= ratio.ratio <= ratio.highest and ratio.ratio > 1.5
    assert ratio.rate > ratio.yardstick_rate and ratio.rounds == 3
    assert ratio.line().startswith("quick / slow: x") and ratio.as_json()["unit"] == "items"


def test_seconds_are_the_clocks_without_what_goes_before() -> None:
    done: list[str] = []

    def before() -> None:
        done.append("before")
        time.sleep(0.05)

    def run() -> None:
        done.append("run")
        time.sleep(0.01)

    taken = harness.Seconds.of("waiting", 3, run, before)
    assert done == ["before", "run"] * 3
    assert 0.01 <= taken.shortest <= taken.seconds <= taken.longest < 0.05
    assert taken.line().startswith("waiting: 0.0") and taken.as_json()["rounds"] == 3


def test_what_processors_do_is_counted_in_other_processes_too_and_waiting_is_not() -> None:
    waited = harness.Seconds.of("waiting", 1, lambda: time.sleep(0.3))
    assert waited.busy < 0.2 and f"processors {waited.busy:.2f} s" in waited.line()
    work = "import time\nwhile time.process_time() < 0.3: pass"
    worked = harness.Seconds.of("working", 1, lambda: subprocess.run([sys.executable, "-c", work], check=True))
    assert worked.busy > 0.25


def test_bytecodes_are_counted_for_each_item_and_are_the_same_every_time() -> None:
    def run(rounds: int) -> int:
        total = 0
        for number in range(rounds):
            total += number
        return rounds

    few, many = harness.bytecodes(lambda: run(10)), harness.bytecodes(lambda: run(1000))
    assert harness.bytecodes(lambda: run(1000)) == many
    assert 3 < many < few < 30  # what goes before the loop is shared by its rounds
    told = harness.Count("loop", "other loop", few / many, many, "rounds", few, "rounds")
    assert told.line().startswith("loop / other loop: x1") and told.as_json()["unit"] == "rounds"


@pytest.mark.parametrize("counters", [2, 9])
def test_a_made_up_box_is_one_that_can_be_checked_and_built(tmp_path: Path, counters: int) -> None:
    synthetic.write(tmp_path, counters)
    report = check(synthetic.GAME, root=tmp_path)
    assert report.findings == ()
    assert len(load_box(synthetic.GAME, root=tmp_path).pieces) == counters


def test_a_synthetic_log_has_pieces_of_the_traits_asked_for_and_is_the_same_every_time() -> None:
    for traits in (12, 40):
        made = logs.game(traits, 4)
        logs.game.cache_clear()
        assert logs.game(traits, 4) == made
        assert {len(piece.traits) for piece in saves.read_log(made.data).start.pieces.values()} == {traits}


def test_a_synthetic_log_reads_back_as_the_moves_and_rolls_of_the_game() -> None:
    made = logs.game(12, 4)
    table = read_vassal_bytes(made.data, "bench.vlog", load_box(logs.GAME))
    moves = [event for event in table.events if event.kind == "move"]
    assert len(moves) > 40 and all(event.piece and event.frm.known and event.to.known for event in moves)
    assert any(event.kind == "roll" and len(event.faces) == 1 for event in table.events)
    assert not [event for event in table.events if event.undone]


def test_what_is_not_compiled_is_not_measured_as_compiled() -> None:
    with pytest.raises(SystemExit, match="there is nothing compiled in"):
        list(bench_main.on_compiled(bench_main.ROOT, ["decode"]))
