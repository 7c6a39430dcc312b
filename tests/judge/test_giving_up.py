"""Who gives the game up in chat: the record ends with it where the rules have it, and nothing that is hidden is laid open by words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modgen.formats.vassal.saves import write_log
from referee.audit.opened import open_file
from referee.audit.run import audit_file
from tests.judge import games_as_logs
from tests.judge.overlord_games import audited, book, played, read, whole, writer_for, written
from tests.judge.test_overlord_logs import HIDDEN


@pytest.fixture(scope="session")
def module(build_once: Callable[[str], Path]) -> Path:
    return build_once("overlord-to-berlin")


def _log(module: Path, seat: str, *lines: str, on: int = 0) -> Any:
    """A game's beginning, then what the player at a seat says; ``on``: actions that are played after it."""
    _, actions = played("counter", 2, 120 + on)
    writer = writer_for(module, book().start())
    p = writer.position
    for number, a in enumerate(actions):
        if number == 120:
            break
        p = writer.play(p, a)
    writer.log.act_as(writer.players[seat])
    for line in lines:
        writer.log.chat(line)
    for a in actions[120:]:
        p = writer.play(p, a)
    return writer.log.log()


@pytest.mark.parametrize("style", ["talk", "chat"])
def test_a_game_that_is_conceded_reads_back_to_its_record(module: Path, tmp_path: Path, style: str) -> None:
    _, actions = played("counter", 2, 120)
    ends = [*actions, book().parse("axis concede")]
    reader = read(written(ends, module, style), module, tmp_path)
    assert str(reader.record[-1]) == "axis concede" and reader.p.result == "allies, axis gave up"
    if style == "talk":
        assert whole(reader.record) == whole(ends)


@pytest.mark.parametrize("line", ["I give up", "Well played, I resign.", "Gut, dann gebe ich auf", "Axis concedes"])
def test_who_gives_up_in_chat_ends_the_game_with_the_step_of_his_words(module: Path, tmp_path: Path, line: str) -> None:
    log = _log(module, "axis", line)
    reader = read(log, module, tmp_path)
    last = reader.found[-1]
    assert (last.kind, last.notation, str(last.verdict), last.step) == ("concede", "axis concede", "legal", len(log.steps))
    assert reader.p.result == "allies, axis gave up" and not reader.open
    assert reader.notes[-1] == f"step {len(log.steps)}: Axis gives up in chat, and nothing is done after it: the game is over [13, R-F134]"


def test_words_change_nothing_on_the_table_that_is_shown(module: Path, tmp_path: Path) -> None:
    """What is shown of a step may be what was said before play went on; and a game that is over is shown whole to everybody."""
    write_log(tmp_path / "game.vlog", _log(module, "axis", "I give up"))
    assert not open_file(tmp_path / "game.vlog", module=module).position.result


def test_the_player_of_two_sides_gives_up_for_both(module: Path, tmp_path: Path) -> None:
    assert read(_log(module, "soviet", "we surrender"), module, tmp_path).p.result.startswith("axis, ")


def test_who_plays_on_has_not_given_up(module: Path, tmp_path: Path) -> None:
    log = _log(module, "axis", "I give up", on=30)
    reader = read(log, module, tmp_path)
    assert not reader.p.result and not [f for f in reader.found if f.kind == "concede"]
    assert any("Axis gives up in chat, and play goes on: taken as withdrawn" in note for note in reader.notes)
    assert whole(reader.record) == whole(played("counter", 2, 150)[1])


@pytest.mark.parametrize("line", ["I give up Bordeaux", "resign!"])
def test_words_that_may_mean_something_else_are_a_question(module: Path, tmp_path: Path, line: str) -> None:
    log = _log(module, "axis", line)
    reader = read(log, module, tmp_path)
    last = reader.found[-1]
    assert (last.kind, str(last.verdict), last.step, last.rules) == ("concede", "unclear", len(log.steps), ("13",))
    assert last.message.startswith("does Axis give the game up?") and not reader.p.result


@pytest.mark.parametrize("line", ["do you concede?", "I don't give up", "the Soviets give up", "hurrying up, give me a minute"])
def test_words_that_give_nothing_up_leave_no_trace(module: Path, tmp_path: Path, line: str) -> None:
    reader = read(_log(module, "axis", line), module, tmp_path)
    silent = read(_log(module, "axis"), module, tmp_path)
    assert (reader.found, reader.notes, reader.p) == (silent.found, silent.notes, silent.p)


def test_words_lay_nothing_open_that_is_hidden(module: Path, tmp_path: Path) -> None:
    """A line of chat is too little for it: whoever plays on afterwards would have been betrayed."""
    hidden = {str(kind.__name__).lower() for kind in HIDDEN}
    log = _log(module, "axis", "I give up")
    told = audited(log, module, tmp_path, "public")["actions"]
    assert told[-1]["notation"] == "axis concede" and not [a for a in told if a["kind"] in hidden]
    assert [a for a in audited(log, module, tmp_path, "director")["actions"] if a["kind"] in hidden]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("I resign", "Soviet gives up in chat, and nothing is done after it"),
        ("I resign 3824", "Soviet seems to give up in chat, and nothing is done after it"),
        ("do you resign?", ""),
    ],
)
def test_where_the_rules_know_no_giving_up_it_is_noted(built_module: Path, tmp_path: Path, line: str, told: str) -> None:
    writer = games_as_logs.writer_for(games_as_logs.book_of("historical"), built_module, "talk")
    writer.log.act_as(writer.players["soviet"])
    writer.log.chat(line)
    write_log(tmp_path / "game.vlog", writer.log.log())
    notes = [note for note in audit_file(tmp_path / "game.vlog", "game", module=built_module).notes if "up in chat" in note]
    assert len(notes) == bool(told) and all(told in note for note in notes)
