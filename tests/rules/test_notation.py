"""The text form of actions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.rules.model import CHANCE, Done, NotationError, Roll
from referee.rules.notation import Parts, alike, core_action, no_name, no_verb, split, write
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
        ("red walk r-1 > via a", ">"),
        ("red r-1,r-2 > b", "r-1,r-2"),
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


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("red done now", "'BY done' is all; 'now' cannot stand behind it"),
        ("red done done", "'BY done' is all; 'done' cannot stand behind it"),
        ("red walk r-1 >", "behind '>' a name is missing"),
        ("red walk r-1 with", "behind 'with' a name is missing"),
        ("red @ b", "an action reads BY VERB ...; '@' is no verb"),
    ],
)
def test_what_is_missing_or_too_much_is_named(line: str, told: str) -> None:
    with pytest.raises(NotationError) as raised:
        if core_action(line) is None:
            split(line)
    assert str(raised.value) == told


@pytest.mark.parametrize(
    ("line", "told", "word"),
    [
        ("walk r-1 > b", "an action begins with who acts: 'BY walk ...', not 'walk'", "walk"),
        ("done red", "an action begins with who acts: 'BY done ...', not 'done'", "done"),
        ("red Walk r-1 > b", "'Walk' is no action here; spelled alike: walk", "Walk"),
        ("red wallk r-1 > b", "'wallk' is no action here; spelled alike: walk", "wallk"),
        ("red fly r-1 > b", "'fly' is no action here; there are: walk, jump, roll, done", "fly"),
    ],
)
def test_a_verb_that_there_is_not(line: str, told: str, word: str) -> None:
    error = no_verb(split(line), ("walk", "jump"))
    assert (str(error), error.word) == (told, word)


MANY = tuple(f"r-{number}" for number in range(1, 13))


@pytest.mark.parametrize(
    ("word", "names", "told"),
    [
        ("x", ("a", "b"), "'x' is no piece of this game; there are: a, b"),
        ("99", tuple(map(str, range(1, 55))), "'99' is no piece of this game; there are: 1 to 54"),
        ("99", tuple(map(str, range(1, 55, 2))), "'99' is no piece of this game"),
        ("R-7", MANY, "'R-7' is no piece of this game; spelled alike: r-7"),
        ("r-77", MANY, "'r-77' is no piece of this game; spelled alike: r-7"),
        ("zebra", MANY, "'zebra' is no piece of this game"),
        ("b-1", MANY, "'b-1' is a card, no piece"),
    ],
)
def test_a_name_that_there_is_not(word: str, names: tuple[str, ...], told: str) -> None:
    error = no_name(word, "piece", names, {"card": ("b-1",)})
    assert (str(error), error.word) == (told, word)


def test_names_that_are_spelled_alike_are_few_and_in_a_fixed_order() -> None:
    assert len(alike("r-1", [name for name in MANY if name != "r-1"])) == 3
    assert alike("r-1", MANY) == ["r-1"] and alike("", MANY) == []
