"""Self-play: whole games that keep every rule, the same from the same seed, and faults that are told."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import referee
from gamebox.load import load_box
from referee.audit.selfplay import SelfplayReport, players_of, selfplay
from referee.games.battle_for_germany import players
from referee.rules.model import Done
from referee.rules.options import UsageError
from referee.rules.position_text import digest
from referee.rules.record import read_record, replay, start_of

GAME = "battle-for-germany"
PLANS = tuple(dict.fromkeys(players.PLANS))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("records")


@pytest.fixture(scope="module")
def report(folder: Path) -> SelfplayReport:
    """One game of every plan."""
    return selfplay(GAME, games=len(PLANS), seed=5, plans=PLANS, record=folder, processes=1)


def test_a_game_of_every_plan_ends_with_no_rule_and_no_invariant_broken(report: SelfplayReport) -> None:
    assert report.problems == ()
    assert report.plans() == PLANS
    assert all(one.actions and one.tries and one.result for one in report.played)
    assert {one.plan for one in report.played if one.plan in report.laid_out} == set(players.LAID_OUT)


def test_every_game_is_kept_as_a_record_that_replays(report: SelfplayReport, folder: Path) -> None:
    book = referee.load(GAME)
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == [f"{GAME}-5-{n:04}.record" for n in range(1, len(PLANS) + 1)]
    for file, one in zip(files, report.played, strict=True):
        record = read_record(file.read_text("utf-8"), file.name)
        assert record.header.notes == (f"plan {one.plan}",)
        assert record.end and record.end.result == one.result
        assert (bool(record.start), len(record.entries)) == (one.plan in players.LAID_OUT, one.actions)
        if one.plan in ("random", "border"):
            last = replay(book, record)
            assert last.result == one.result
            assert digest(book, start_of(book, record)) != digest(book, last)


def test_the_same_seed_gives_the_same_games_whatever_the_number_of_processes(report: SelfplayReport, folder: Path, tmp_path: Path) -> None:
    done: list[tuple[int, int]] = []
    again = selfplay(GAME, games=len(PLANS), seed=5, plans=PLANS, record=tmp_path, processes=2, progress=lambda n, of: done.append((n, of)))
    assert again == report
    assert again.as_json() == report.as_json()
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {file.name: file.read_bytes() for file in folder.iterdir()}
    assert done == [(n, len(PLANS)) for n in range(1, len(PLANS) + 1)]


def test_another_seed_gives_other_games(report: SelfplayReport) -> None:
    other = selfplay(GAME, games=2, seed=6, plans=("border", "rim"), processes=1)
    mine = {one.plan: one.actions for one in report.played}
    assert other.problems == ()
    assert [one.actions for one in other.played] != [mine["border"], mine["rim"]]


def test_a_game_with_switches_is_played_and_recorded_with_them(tmp_path: Path) -> None:
    options = ("6.2.1/vacant-first", "6.4/three-effects")
    one = selfplay(GAME, games=2, seed=2, options=options, plans=("capitals",), record=tmp_path, processes=1)
    assert (one.problems, one.options) == ((), options)
    record = read_record(next(iter(sorted(tmp_path.iterdir()))).read_text("utf-8"))
    assert record.header.options == options


def test_the_report_is_plain_data_and_plain_text(report: SelfplayReport) -> None:
    data = json.loads(json.dumps(report.as_json()))
    assert (data["games"], data["problems"], data["seed"]) == (len(PLANS), [], 5)
    lines = list(report.lines())
    assert lines[0] == f"{GAME}, historical, no options: {len(PLANS)} games from seed 5"
    row = next(line for line in lines if line.startswith("5.1.p1 "))
    assert row.split()[1] == str(next(r["allowed"] for r in data["paragraphs"] if r["paragraph"] == "5.1.p1"))
    assert not any(line.startswith("problem") for line in lines)


def test_what_is_counted_are_paragraphs_that_can_refuse(report: SelfplayReport) -> None:
    rules = [row for row in load_box(GAME)["rules"] if row.text("role") == "refuses"]
    able = {row.key for row in rules if row.text("kind") != "option" and {"all", "historical"} & {*row.items("scenarios")}}
    for one in report.played:
        assert set(one.allowed) <= able
        assert set(one.refused) <= able
    assert {row.paragraph for row in report.rows} == able


def test_what_one_check_alone_refuses_is_legal_without_it_and_what_is_counted_says_so() -> None:
    import random

    book = referee.load(GAME)
    dice, tried = random.Random("a"), random.Random("b")
    alone = 0
    for plan in ("border", "rim", "displaced", "ports"):
        p = players.opening(book, dice, plan)
        while not book.over(p):
            for a in players.probes(book, p, tried, plan):
                codes = {reason.code for reason in book.check(p, a, every=True).reasons}
                if len(codes) == 1:
                    alone += 1
                    assert book.check(p, a, without=frozenset(codes)).legal
                elif codes:
                    assert not any(book.check(p, a, without=frozenset({code})).legal for code in codes)
            p = book.play(p, players.choose(book, p, dice, plan))
    assert alone > 100


def test_an_illegal_choice_is_a_problem_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "choose", lambda book, p, dice, plan: Done(p.frame.by[0]))
    one = selfplay(GAME, games=1, seed=1, plans=("random",), processes=1)
    assert len(one.problems) == 1
    assert one.problems[0].startswith(
        "game 1 (random, seed 1/0), action 0: 'western-allied done' is played and ruled illegal: still to be set up"
    )
    assert list(one.lines())[-1] == f"problem: {one.problems[0]}"


def test_a_fault_of_the_engine_is_a_problem_and_the_other_games_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def sometimes(book: Any, p: Any, dice: Any, plan: str) -> Any:
        if plan == "rim":
            raise ZeroDivisionError("by nought")
        return choose(book, p, dice, plan)

    choose = players.choose
    monkeypatch.setattr(players, "choose", sometimes)
    one = selfplay(GAME, games=2, seed=1, plans=("rim", "border"), processes=1)
    assert one.problems == ("game 1 (rim, seed 1/0), action 0: ZeroDivisionError: by nought",)
    assert one.played[1].result


@pytest.mark.skipif(bool(os.environ.get("REFEREE_COMPILED")), reason="what is compiled has no method that could be exchanged")
def test_a_broken_invariant_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    load = referee.load

    def loaded(*arguments: Any, **more: Any) -> Any:
        book = load(*arguments, **more)
        monkeypatch.setattr(book.game, "broken", lambda p: iter(["the sky fell"] if p.turn == 10 else []))
        return book

    monkeypatch.setattr(referee, "load", loaded)
    one = selfplay(GAME, games=1, seed=1, plans=("capitals",), processes=1)
    assert len(one.problems) == 1
    assert one.problems[0].endswith("the sky fell")


def test_an_unlawful_record_folder_is_an_os_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(OSError, match="file"):
        selfplay(GAME, games=1, plans=("rim",), record=tmp_path / "file" / "deeper", processes=1)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"plans": ("dancer",)}, "nobody plays 'dancer' here; there are: random, racer"),
        ({"scenario": "none"}, "scenario 'none' does not exist; there are: historical"),
        ({"options": ("none",)}, "option 'none' is not playable here"),
    ],
)
def test_what_there_is_not_is_told(more: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError) as error:
        selfplay(GAME, games=1, processes=1, **more)
    assert str(error.value).startswith(told)


def test_a_game_without_players_is_told() -> None:
    class Book:
        class game:
            id = "no-such"

    book: Any = Book
    with pytest.raises(UsageError, match="the referee has no players for 'no-such'"):
        players_of(book)
