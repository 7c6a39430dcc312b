"""Words that name a unit which is not understood: such an attack is asked about, never accused; and names run together."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from modgen.formats.vassal.saves import LogFile, write_log
from modgen.formats.vassal.steps import Step
from referee.audit.run import audit_file
from referee.games.battle_for_germany.reading_words import unread_name
from referee.rules.chat import Names, name_words
from referee.table.writing import write_game
from tests.judge.games_as_logs import engine_box
from tests.judge.test_played_logs import SIDES, engine, played

NAMES = Names(
    {"a": name_words("26 Krps 4-6-4"), "b": name_words("EG HG 6-4-5"), "c": name_words("EG GD 7-5-8"), "d": name_words("41 Pz 6-4-6")},
    {"b": ("eg", "hg", "pz", "krps"), "c": ("eg", "gd", "pz", "krps")},
)


def unread(text: str) -> str:
    return unread_name(text, NAMES.read(text, lambda word: word in ("3223", "3322")))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("26 4-6-4, Foo 6-4-5 on 3223", "Foo"),
        ("Foo 6-4-5, 26 4-6-4 on 3223", "Foo"),
        ("26, FOO on 3223", "FOO"),
        ("FOO, 26 on 3223", "FOO"),
        ("FOO and 26 attack 3223", "FOO"),
        ("26 und Foo gegen 3223", "Foo"),
        ("3223: foo + 26", "foo"),
        ("26/foo na 3223", "foo"),
    ],
)
def test_a_word_in_the_place_of_a_name_is_found(text: str, word: str) -> None:
    assert unread(text) == word


@pytest.mark.parametrize(
    "text",
    [
        "26 4-6-4, HG 6-4-5 on 3223",
        "41pz,hgpz -> 3223",
        "26 on 3223, 2:1",
        "26, on 3223",
        "26 and GD attack 3223 / 3322",
        "ok, 26 + 41 Pz gegen 3223",
        "3223: 26, 41, HG, 5:1, good luck",
        "attack 3223 with 26, 41 Pz and HG",
    ],
)
def test_a_line_that_is_read_whole_has_no_such_word(text: str) -> None:
    assert unread(text) == ""


@pytest.mark.parametrize("word", ["hgpz", "hgkrps", "hgpzkrps", "hgpanzer", "hg"])
def test_a_name_run_together_with_what_goes_with_it_is_read(word: str) -> None:
    (mention,) = NAMES.read(f"{word} on 3223", lambda number: number == "3223").mentions
    assert (mention.units, mention.exact) == (("b",), True)


@pytest.mark.parametrize("word", ["hgx", "gde", "gdhg", "hgdp"])
def test_other_words_that_begin_alike_are_no_names(word: str) -> None:
    assert not NAMES.read(f"{word} on 3223", lambda number: number == "3223").mentions


def reworded(log: LogFile, old: str, new: str) -> LogFile:
    """The same log with a word of its chat changed."""

    def change(text: str) -> str:
        return re.sub(old, new, text) if "CHAT" in text[:10] else text

    return replace(log, steps=tuple(Step(s.number, tuple((depth, change(text)) for depth, text in s.tokens)) for s in log.steps))


@pytest.mark.parametrize(("old", "new"), [(r"(EG )?\b(HG|GD)\b", "Foo"), (r"\b\d+ Gds\b", "Gwardia"), (r"\b\d+ Balt\b", "Front")])
@pytest.mark.parametrize(("seed", "plan"), [(2, "racer"), (4, "exiter"), (3, "runner"), (201, "random")])
def test_lawful_attacks_with_a_name_nobody_knows_are_accused_of_nothing(
    built_module: Path, tmp_path: Path, seed: int, plan: str, old: str, new: str
) -> None:
    log = write_game(engine(), engine_box(), played(seed, plan, 4), built_module, setup="historical.vsav", style="chat", sides=SIDES)
    path = tmp_path / "game.vlog"
    write_log(path, reworded(log, old, new))
    found = audit_file(path, "game", game="battle-for-germany", module=built_module).as_json()["files"][0]["actions"]
    wrong = [a for a in found if a["verdict"] in ("illegal", "doubtful")]
    assert not wrong, wrong[:3]


ROMAN = Names({x: name_words(f"{x} (US) 6-6-7") for x in ("1", "3", "4", "5", "10", "19", "30")})


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("XIX Corps, VII Corps", "19  Corps, VII Corps"),  # there is no 7
        ("XXX Corps on 2105", "30  Corps on 2105"),
        ("30 XXX on 2105", "30 XXX on 2105"),  # the sign of a corps
        ("IV. Korps + III US", "4 . Korps + 3   US"),
        ("V US, V Corps", "5 US, 5 Corps"),
        ("I attack 2105", "I attack 2105"),
        ("19 US X 2105, 5 V 67", "19 US X 2105, 5 V 67"),
        ("X US", "X US"),
        ("MIX, LI", "MIX, LI"),
    ],
)
def test_roman_numbers_of_units(text: str, digits: str) -> None:
    assert ROMAN.arabic(text) == digits
    assert len(digits) == len(text)
