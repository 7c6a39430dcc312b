"""The text form of actions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.rules.model import CHANCE, Done, NotationError, Roll
from referee.rules.notation import Parts, core_action, split, write

names = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_./:-]{0,8}", fullmatch=True)
lists = st.lists(names, max_size=4).map(tuple)


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
    ],
)
def test_a_wrong_line_is_told_with_its_word(text: str, word: str) -> None:
    with pytest.raises(NotationError) as error:
        split(text)
    assert error.value.word == word
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["chance roll", "chance roll luck", "chance roll luck x", "chance roll luck 3, 4", "chance roll luck -1"])
def test_a_roll_needs_a_key_and_faces(text: str) -> None:
    with pytest.raises(NotationError, match="a roll reads"):
        core_action(text)
