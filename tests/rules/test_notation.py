"""The text form of actions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.rules.model import CHANCE, Done, NotationError, Roll
from referee.rules.notation import Parts, core_action, split, write
from tests.rules import tiny

names = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_./:-]{0,8}", fullmatch=True)
lists = st.lists(names, max_size=4, unique=True).map(tuple)


@given(names, names, lists, st.one_of(st.just(""), names), lists, lists)
def test_what_is_written_is_taken_apart_again(
    by: str, verb: str, units: tuple[str, ...], start: str, to: tuple[str, ...], via: tuple[str, ...]
) -> None:
    if units and units[0] == "via" and len(units) == 1:
        return  # the one word that cannot be a unit alone
    assert split(write(by, verb, units, start, to, via)) == Parts(by, verb, units, start, to, via)


@given(names, st.lists(st.integers(0, 99), min_size=1, max_size=4).map(tuple))
def test_rolls_and_done_read_back(key: str, faces: tuple[int, ...]) -> None:
    roll = Roll(CHANCE, key, faces)
    assert core_action(str(roll)) == roll
    assert core_action(str(Done(key))) == Done(key)


def test_another_verb_is_the_games_own() -> None:
    assert core_action("red walk r-1 > b") is None


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("red", ""),
        ("", ""),
        ("red walk r-1 to b", "to"),
        ("red walk r-1 > b > c", ">"),
        ("red walk r-1 >", ">"),
        ("red walk r-1 @ a,b", "a,b"),
        ("red walk r-1,,r-2", "r-1,,r-2"),
        ("red walk r-1 > b!", "b!"),
        ("red walk r-1,r-1 > b", "r-1"),
        ("red walk r-1 > b,c,b", "b"),
        ("red walk r-\uff11 > b", "r-\uff11"),
        ("r\u00e9d walk r-1 > b", "r\u00e9d"),
        ("red,blue walk r-1 > b", "red,blue"),
        ("red wa;lk r-1 > b", "wa;lk"),
        ("\u202ered walk r-1 > b", ""),
        ("red walk r-1\x1f> b", ""),
        ("red\u2028walk r-1 > b", ""),
        ("red walk\nr-1 > b", ""),
        ("red\x00 walk r-1 > b", ""),
    ],
)
def test_a_wrong_line_is_told_with_its_word(text: str, word: str) -> None:
    with pytest.raises(NotationError) as error:
        split(text)
    assert error.value.word == word
    assert "\n" not in str(error.value)


def test_a_way_may_come_back_to_a_place() -> None:
    assert split("red walk r-1 > b via c,b,c").via == ("c", "b", "c")


@pytest.mark.parametrize(
    "text",
    [
        "chance roll",
        "chance roll luck",
        "chance roll luck x",
        "chance roll luck 3, 4",
        "chance roll luck -1",
        "chance roll luck \uff13",
        "chance roll luck 03",
        "chance roll luck 9999",
    ],
)
def test_a_roll_needs_a_key_and_faces(text: str) -> None:
    with pytest.raises(NotationError, match="a roll reads"):
        core_action(text)


@pytest.mark.parametrize("text", ["\u202ered done", "red\x1fdone", "re\u0501 done", "chance roll lu\u212ack 3", "red\u00a0done"])
def test_what_is_not_seen_or_looks_like_something_else_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        core_action(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("martian done", "'martian' is no side of this game; there are: red, blue"),
        ("martian walk r-1 > b", "'martian' is no side"),
        ("martian roll luck 3", "'martian' is no side"),
    ],
)
def test_sides_that_the_game_does_not_have_are_refused(text: str, told: str) -> None:
    with pytest.raises(NotationError, match=told):
        tiny.book().parse(text)
