"""Logs that go on from a saved position in the middle of a game, as every log but a game's first does: what was done before does not
show on the table, and nobody is accused by what is taken for granted in its place."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal import saves
from modgen.formats.vassal.pieces import Stack
from modgen.formats.vassal.replay import Game
from modgen.formats.vassal.steps import Step
from referee.audit.run import audit_file
from tests.judge.games_as_logs import audited, book_of, played, written
from tests.judge.scenarist.desk import BLUE, MODULE, Desk

GAMES = (
    ("historical", (), 3, "exiter", 4),
    ("historical", (), 4, "exiter", 4),
    ("historical", (), 7, "exiter", 4),
    ("historical", (), 4, "runner", 4),
    ("expanded", ("13.2", "18/6.3"), 2, "racer", 8),
    ("three_player", (), 4, "exiter", 4),
    ("four_player", (), 2, "racer", 4),
    ("collapse", (), 2, "racer", 6),
)


def from_step(log: saves.LogFile, number: int) -> saves.LogFile:
    """The rest of a log, as one of its own that begins with the position before it."""
    game = Game().run(log.start.commands)
    for step in log.steps[:number]:
        for command in step.commands:
            game.apply(command)
    stacks = [Stack(s.id, s.map, s.x, s.y, s.members, s.layer) for s in game.stacks.values() if s.members and s.map]
    tokens = saves.save_tokens(
        [live.piece() for live in game.pieces.values()],
        stacks,
        game.decks.values(),
        players=[cmd.Player(player, name, side) for player, (name, side) in game.players.items()],
        properties=[c for c in log.start.commands if isinstance(c, cmd.PropertyValue)],
        turns=[cmd.Turn(tracker, state) for tracker, state in game.turns.items()],
        boards=[c for c in log.start.commands if isinstance(c, cmd.Boards)],
    )
    rest = tuple(Step(i, s.tokens) for i, s in enumerate(log.steps[number:], 1))
    return replace(log, start=replace(log.start, tokens=tokens), steps=rest)


@pytest.mark.parametrize(("scenario", "options", "seed", "plan", "turns"), GAMES, ids=str)
def test_lawful_play_from_any_step_on_is_never_called_illegal(
    built_module: Path, tmp_path: Path, scenario: str, options: tuple[str, ...], seed: int, plan: str, turns: int
) -> None:
    book = book_of(scenario, options)
    log = written(book, played(scenario, options, seed, plan, turns), built_module, "chat")
    dice = random.Random(f"{scenario}-{seed}")
    for number in sorted(dice.randrange(5, len(log.steps) - 5) for _ in range(12)):
        found = audited(book, from_step(log, number), built_module, tmp_path)["actions"]
        wrong = [a for a in found if a["verdict"] in ("illegal", "doubtful")]
        assert not wrong, (number, wrong[:3])
        assert sum(a["verdict"] == "unclear" for a in found) <= 40


def judged(tmp_path: Path, desk: Desk) -> list[dict[str, Any]]:
    Desk.all.remove(desk)
    path = tmp_path / "on.vlog"
    saves.write_log(path, desk.log.log())
    found: list[dict[str, Any]] = audit_file(path, "t", game="battle-for-germany", module=MODULE).as_json()["files"][0]["actions"]
    return found


CORPS = "65 Krps 4-5-5"


@pytest.mark.rule("bfg", "7.2.b2")
@pytest.mark.parametrize(
    ("phase", "to", "verdict"),
    [
        ("WG M", "2509", "legal"),
        ("WG M", "2508", "unclear"),
        ("WG R", "2508", "unclear"),
        ("WG M", "2106", "wrong"),
        ("S M", "2508", "wrong"),
    ],
)
def test_a_german_beside_berlin_may_have_returned_before_the_log(tmp_path: Path, phase: str, to: str, verdict: str) -> None:
    """5 MPs, 10 where it returned in this turn; a log that begins before its Replacement Phase would show that."""
    desk = Desk("on", "on", at={CORPS: "2513"}, turn=3, phase=phase).red().to("WG M").drag(to, CORPS).next()
    (move,) = [a for a in judged(tmp_path, desk) if a["kind"] == "move"]
    assert (move["verdict"] == verdict) if verdict != "wrong" else (move["verdict"] in ("illegal", "doubtful")), move
    if verdict == "unclear":
        assert move["message"].startswith("did 65 Krps 4-5-5 return as a replacement in this turn, before the log begins?")


@pytest.mark.rule("bfg", "6.4.c1")
@pytest.mark.parametrize(("turn", "verdict"), [(1, "doubtful"), (3, "unclear")])
def test_a_fortification_may_be_gone_when_the_log_begins(tmp_path: Path, turn: int, verdict: str) -> None:
    """4 against 5 x3 in 1806 is worse than 1:3 (if 1806 is broken), and 1:3 where the fortification has gone: AR, and 15 US has no hex."""
    desk = Desk("on", "on", at={"13 SS Krps 6-7-6": "2108"}, turn=turn, phase="S M").to("W C").blue("15 US on 82 in 1806").die(1)
    (attack,) = [a for a in judged(tmp_path, desk.delete("15 (US) 4-8-6").next()) if a["kind"] == "attack"]
    assert attack["verdict"] == verdict, attack
    if verdict == "unclear":
        assert attack["message"].startswith("does the fortification in 1806 still stand?")


@pytest.mark.rule("bfg", "9.0.a1")
@pytest.mark.parametrize(("turned", "verdict"), [(True, "unclear"), (False, "illegal")])
def test_others_may_have_been_named_for_exits_before_the_log(tmp_path: Path, turned: bool, verdict: str) -> None:
    """They lie turned over until the phase is over (9.0.a2)."""
    first = Desk("on", "on", at={"GD Pz Krps 7-5-8": "2126"}, turn=5, phase="EG M").blue()
    if turned:
        first.flip("1 Ukr Front 8-20-3", "3 Gds Tk 6-4-6")
    desk = Desk("on", "on", at={"GD Pz Krps 7-5-8": "2126"}, turn=5, phase="EG M").blue()
    Desk.all.remove(first)
    desk.log = type(desk.log)(from_step(first.log.log(), first.log.steps).start, desk.log.module, BLUE)
    desk.drag("off", "GD Pz Krps 7-5-8").flip("2 Balt Front 8-20-3").next()
    (take,) = [a for a in judged(tmp_path, desk) if a["kind"] == "take"]
    assert take["verdict"] == verdict, take
