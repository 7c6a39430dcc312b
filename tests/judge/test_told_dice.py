"""Lawful attacks of which the log does not hold everything in its usual place: dice that are only told in chat, thrown twice or in
another order than announced, attackers named in a line of their own, turns that are split over several logs. Nobody is accused."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal import saves
from modgen.formats.vassal.pieces import Stack
from modgen.formats.vassal.steps import Step
from referee.audit.run import audit_file, check_file
from referee.games.battle_for_germany.reading_attacks import told_face
from referee.table.writing import write_game
from tests.judge.games_as_logs import engine_box
from tests.judge.scenarist.desk import BLUE, MODULE, RED, Desk
from tests.judge.test_played_logs import SIDES, engine, played

GAME = "battle-for-germany"
EIGHTH, TANKS = "8 Gds 7-7-4", "1 Gds Tk 6-4-6"
FIFTH, THIRD = "5 Gds 7-7-4", "3 Gds 7-7-4"
PANZERS = ("46 Pz Krps 4-3-5", "56 Pz Krps 4-3-5")
SAID = "8 Gds, 1 Gds Tk on 2525"
"""13:6 = 2:1; a 5 drives both back (6.2.d)."""


def judged(tmp_path: Path, desk: Desk) -> list[dict[str, Any]]:
    Desk.all.remove(desk)
    path = tmp_path / "told.vlog"
    saves.write_log(path, desk.log.log())
    found: list[dict[str, Any]] = audit_file(path, "t", game=GAME, module=MODULE).as_json()["files"][0]["actions"]
    return found


def fight(**more: Any) -> Desk:
    return Desk("told", "told", turn=2, phase="S C", **more).red()


def back(desk: Desk) -> Desk:
    """Both attackers retreat."""
    return desk.drag("2626", EIGHTH).drag("2426", TANKS)


def verdicts(found: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(a["kind"], a["verdict"]) for a in found]


@pytest.mark.parametrize("line", ["rolled a 5", "real die: 5", "1d6 -> 5", "gewürfelt: 5", "rzut kostką 5", "кубик 5", "jet de dé: 5"])
def test_a_die_that_is_told_in_chat_is_a_die(tmp_path: Path, line: str) -> None:
    found = judged(tmp_path, back(fight().say(SAID).say(line)).next())
    assert verdicts(found) == [("attack", "legal"), ("retreat", "legal"), ("retreat", "legal")]


@pytest.mark.parametrize("line", ["AR, retreat both", "we go back then", "", "die server said 2"])
def test_where_no_die_fits_one_question_is_asked(tmp_path: Path, line: str) -> None:
    desk = fight().say(SAID)
    found = judged(tmp_path, back(desk.say(line) if line else desk).next())
    attack, *rest = found
    assert (attack["kind"], attack["verdict"], attack["pieces"]) == ("attack", "unclear", ["su-1-gds-tk", "su-8-gds-inf"])
    assert attack["message"].startswith("what was rolled for the attack on 2525?")
    assert {a["verdict"] for a in rest} <= {"legal"}


def test_an_attack_that_no_die_could_make_lawful_is_illegal_without_one(tmp_path: Path) -> None:
    """10 Gds in 3025 is nowhere near 2525 (6.0)."""
    found = judged(tmp_path, fight().say("10 Gds, 8 Gds on 2525").say("rolled a 5").drag("2626", EIGHTH).next())
    (attack,) = [a for a in found if a["kind"] == "attack"]
    assert (attack["verdict"], "6.0" in attack["rules"]) == ("illegal", True)


@pytest.mark.parametrize(
    ("text", "face"),
    [
        ("rolled a 5", 5),
        ("d6 = 4", 4),
        ("1d6: 3", 3),
        ("Würfel: 6", 6),
        ("die roll for 2525 at 2:1 is 1", 1),
        ("need a 3 for 2525", 0),
        ("good roll", 0),
        ("rolled 12", 0),
    ],
)
def test_the_face_of_a_told_die(text: str, face: int) -> None:
    assert told_face(text) == face


@pytest.mark.parametrize("line", ["plus 1 Gds Tk", "1 Gds Tk joins", "dazu 1 Gds Tk", "i 1 Gds Tk"])
def test_an_attacker_named_in_a_line_of_its_own_may_have_taken_part(tmp_path: Path, line: str) -> None:
    found = judged(tmp_path, back(fight().say("8 Gds on 2525").say(line).die(5)).next())
    assert verdicts(found) == [("attack", "legal"), ("retreat", "legal"), ("retreat", "legal")]
    assert found[0]["pieces"] == ["su-1-gds-tk", "su-8-gds-inf"]


@pytest.mark.parametrize("line", ["13 vs 3x2 at 2525", "Attack 1 of 2: 2526 x 2525"])
def test_numbers_that_are_taken_for_units_accuse_nobody_else(tmp_path: Path, line: str) -> None:
    found = judged(tmp_path, back(fight().say(line).die(5)).next())
    assert verdicts(found) == [("attack", "legal"), ("retreat", "legal"), ("retreat", "legal")]
    assert found[0]["pieces"] == ["su-1-gds-tk", "su-8-gds-inf"]


def test_two_dice_for_one_attack_are_asked_about(tmp_path: Path) -> None:
    attack, *rest = judged(tmp_path, back(fight().say(SAID).die(1).die(5)).next())
    assert attack["verdict"] == "unclear"
    assert attack["message"].startswith("which die counts for the attack on 2525? Two were thrown for it, 1 and 5")
    assert verdicts(rest) == [("retreat", "legal"), ("retreat", "legal")]


def test_the_first_of_two_dice_may_be_the_one_that_was_carried_out(tmp_path: Path) -> None:
    found = judged(tmp_path, back(fight().say(SAID).die(5).die(1)).next())
    assert verdicts(found) == [("attack", "legal"), ("retreat", "legal"), ("retreat", "legal")]


def two_in_another_order(first: int) -> Desk:
    """14:12 = 1:1 on 2424, ``first``; then 2525, 5."""
    desk = fight().say(SAID).say("5 Gds, 3 Gds on 2424").die(first).blue().drag("2423", *PANZERS)
    return back(desk.red().die(5)).next()


def test_attacks_announced_together_are_made_in_any_order(tmp_path: Path) -> None:
    found = judged(tmp_path, two_in_another_order(2))
    assert {a["verdict"] for a in found} == {"legal"}
    assert [a["to"] for a in found if a["kind"] == "attack"] == ["2424", "2525"]


def test_the_die_of_another_order_must_still_fit(tmp_path: Path) -> None:
    """1:1 with a 1 is an exchange (printed, 6.1): a retreat is no way to pay it."""
    found = judged(tmp_path, two_in_another_order(1))
    assert [a["to"] for a in found if a["kind"] == "attack" and a["verdict"] in ("illegal", "doubtful")] == ["2424"]


def continued(desk: Desk) -> Desk:
    """A new log that begins where this one ends."""
    game = desk.log.game
    stacks = [Stack(s.id, s.map, s.x, s.y, s.members, s.layer) for s in game.stacks.values() if s.members]
    start = desk.log.start
    tokens = saves.save_tokens(
        [live.piece() for live in game.pieces.values()],
        stacks,
        players=[RED, BLUE],
        turns=[cmd.Turn("TurnTracker0", game.turns["TurnTracker0"])],
        boards=[cmd.Boards(name, boards) for name, boards in start.boards.items()],
    )
    following = fight()
    following.log = type(desk.log)(replace(start, tokens=tokens), desk.log.module, RED)
    Desk.all.remove(desk)
    return following


def test_an_advance_behind_an_attack_of_the_log_before_is_asked_about(tmp_path: Path) -> None:
    """Red declares and rolls in his log, Blue answers in his, Red goes on in a third."""
    red = fight().say("5 Gds, 3 Gds on 2424").die(2)
    blue = continued(red).blue().drag("2423", *PANZERS)
    again = continued(blue).drag("2424", FIFTH).say(SAID).die(5)
    path = tmp_path / "third.vlog"
    saves.write_log(path, back(again).next().log.log())
    Desk.all.remove(again)
    for file in (audit_file(path, "t", game=GAME, module=MODULE), check_file(path, "t", side="soviet", game=GAME, module=MODULE)):
        first, *rest = file.as_json()["files"][0]["actions"]
        assert (first["verdict"], first["pieces"]) == ("unclear", ["su-5-gds-inf"])
        assert first["message"].endswith("was its attack rolled before this log begins?")
        assert verdicts(rest) == [("attack", "legal"), ("retreat", "legal"), ("retreat", "legal")]


def test_a_march_where_no_attack_can_have_been_is_still_illegal(tmp_path: Path) -> None:
    """No enemy is near 1926 or 2026, and none is in a box."""
    (move,) = judged(tmp_path, fight().drag("2026", "1 Gds 7-7-4").next())
    assert (move["verdict"], "3.0" in move["rules"]) == ("illegal", True)


def test_an_exchange_that_waits_is_told_as_one(tmp_path: Path) -> None:
    desk = fight().say(SAID).die(1)
    Desk.all.remove(desk)
    path = tmp_path / "waits.vlog"
    saves.write_log(path, desk.log.log())
    notes = audit_file(path, "t", game=GAME, module=MODULE).as_json()["files"][0]["notes"]
    (note,) = [n for n in notes if "where the log ends" in n]
    assert note.startswith("step 2: 13:6 = 2:1, die 1: EX; where the log ends, of 1 Gds Tk 6-4-6 and 8 Gds 7-7-4, 3 printed")


def test_a_die_thrown_behind_what_it_asks_for_is_asked_about(tmp_path: Path) -> None:
    *rest, attack = judged(tmp_path, back(fight().say(SAID)).die(5).next())
    assert attack["verdict"] == "unclear"
    assert attack["message"].startswith("was the attack on 2525 carried out before its die was thrown? The 5 stands behind it")
    assert verdicts(rest) == [("retreat", "legal"), ("retreat", "legal")]


@pytest.mark.parametrize(("dice", "asked"), [((5, 2), 0), ((2, 5), 1)])
def test_two_dice_thrown_before_anything_is_done(tmp_path: Path, dice: tuple[int, int], asked: int) -> None:
    """2:1 on 2525 with a 5 is AR, 1:1 on 2424 with a 2 is DR; the other way round nothing fits."""
    desk = fight().say(SAID).say("5 Gds, 3 Gds on 2424").die(dice[0]).die(dice[1]).blue().drag("2423", *PANZERS).red()
    found = judged(tmp_path, back(desk).next())
    assert not [a for a in found if a["verdict"] in ("illegal", "doubtful")]
    questions = [a["message"] for a in found if a["verdict"] == "unclear"]
    assert [q.startswith("which die was for which attack? The dice 2 and 5") for q in questions] == [True] * asked


def test_who_was_only_guessed_to_have_attacked_may_attack(tmp_path: Path) -> None:
    """A 1 that eliminates 8 Krps in 2525, nobody said by whom: all beside it may have been in it, and 5 Gds and 3 Gds need not."""
    desk = fight().die(1).out("8 Krps 2-3-4").say("5 Gds, 3 Gds on 2424").die(2).blue().drag("2423", *PANZERS).red().next()
    found = judged(tmp_path, desk)
    assert not [a for a in found if a["verdict"] in ("illegal", "doubtful")]
    (second,) = [a for a in found if a["kind"] == "attack" and a["to"] == "2424"]
    assert second["verdict"] == "legal" and second["pieces"] == ["su-3-gds-inf", "su-5-gds-inf"]


@pytest.mark.parametrize(("seed", "plan"), [(2, "racer"), (2, "random"), (5, "exiter")])
def test_what_a_die_asks_for_is_done_in_any_order(built_module: Path, tmp_path: Path, seed: int, plan: str) -> None:
    """Retreats are the owner's to order (R-G47), and who was dragged first says little: the drags behind each combat die are shuffled."""
    log = write_game(engine(), engine_box(), played(seed, plan, 5), built_module, setup="historical.vsav", style="chat", sides=SIDES)
    order = random.Random(seed)
    steps: list[Step] = []
    behind: list[Step] = []
    fighting = rolled = False
    for step in log.steps:
        told = [text for _, text in step.tokens if "CHAT" in text[:10]]
        phase = any("TURN" in text[:10] for _, text in step.tokens)
        die = any("***" in text for text in told)
        if phase or die or any("&lt;" in text for text in told):
            order.shuffle(behind)
            steps += [*behind, step]
            behind = []
            fighting = any("Combat Phase" in text.rpartition(" to ")[2] for text in told) if phase else fighting
            rolled = die and fighting
        else:
            (behind if rolled else steps).append(step)
    shuffled = replace(log, steps=tuple(Step(i, s.tokens) for i, s in enumerate([*steps, *behind], 1)))
    assert shuffled.steps != log.steps
    path = tmp_path / "shuffled.vlog"
    saves.write_log(path, shuffled)
    found = audit_file(path, "t", game=GAME, module=built_module).as_json()["files"][0]["actions"]
    assert not [a for a in found if a["verdict"] in ("illegal", "doubtful")]


@pytest.mark.parametrize("how", ["rolled a {}", ""])
def test_games_without_the_dice_button_accuse_nobody(built_module: Path, tmp_path: Path, how: str) -> None:
    log = write_game(engine(), engine_box(), played(2, "racer", 4), built_module, setup="historical.vsav", style="chat", sides=SIDES)
    steps: list[Step] = []
    for step in log.steps:
        die = [text for _, text in step.tokens if "CHAT***" in text]
        if not die:
            steps.append(step)
        elif how:
            face = die[0].split(" = ")[1][0]
            steps.append(Step(0, ((0, f"LOG\tCHAT&lt;Soviet&gt; - {how.format(face)}"),)))
    path = tmp_path / "diceless.vlog"
    saves.write_log(path, replace(log, steps=tuple(Step(i, s.tokens) for i, s in enumerate(steps, 1))))
    found = audit_file(path, "t", game=GAME, module=built_module).as_json()["files"][0]["actions"]
    assert not [a for a in found if a["verdict"] in ("illegal", "doubtful")]
    attacks = [a["verdict"] for a in found if a["kind"] == "attack"]
    assert len(attacks) > 20 and attacks.count("legal") >= (len(attacks) - 1 if how else 0)
