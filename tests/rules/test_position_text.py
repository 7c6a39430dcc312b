"""Positions as text: exact both ways, readable, and told where they are wrong."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.rules.book import Book
from referee.rules.layout import Layout
from referee.rules.model import CHANCE, Frame
from referee.rules.position_text import PositionError, digest, parse_position, position_text
from tests.rules.tiny import Pos, Ring, book

BOOK = book()


class Bare(Ring):
    """The same game with nothing told of its positions."""

    layout = Layout()


@st.composite
def positions(draw: st.DrawFn) -> Pos:
    return Pos(
        turn=draw(st.integers(0, 99)),
        agenda=tuple(
            draw(
                st.lists(
                    st.sampled_from(
                        (
                            Frame("walk", ("red",)),
                            Frame("over", ()),
                            Frame("luck", (CHANCE,), (2,)),
                            Frame("three", ("red", "blue"), ((0, 2), 4, -7)),
                            Frame("three", ("red",), ((), -1, 0)),
                            Frame("luck", (CHANCE,), ("word", 3, (1, 2))),
                        )
                    ),
                    max_size=3,
                )
            )
        ),
        at=tuple(draw(st.lists(st.integers(0, 5), min_size=3, max_size=3))),
        side=bytes(draw(st.lists(st.integers(0, 1), min_size=3, max_size=3))),
        tired=draw(st.integers(0, 7)),
        since=tuple((unit, draw(st.integers(-5, 99))) for unit in sorted(draw(st.sets(st.integers(0, 2))))),
        phase=draw(st.integers(-1, 1)),
        burnt=draw(st.integers(0, 63)),
        luck=bytes(draw(st.lists(st.integers(0, 2), min_size=2, max_size=2))),
        score=(draw(st.integers(-9, 9)), draw(st.integers(0, 9))),
        note=draw(st.text(max_size=8)),
    )


@settings(max_examples=200, deadline=None)
@given(positions())
def test_every_position_reads_back_exactly(p: Pos) -> None:
    text = position_text(BOOK, p)
    q = parse_position(BOOK, text)
    assert q == p and hash(q) == hash(p)
    assert position_text(BOOK, q) == text
    assert digest(BOOK, q) == digest(BOOK, p)


@settings(max_examples=50, deadline=None)
@given(positions())
def test_a_game_that_tells_nothing_of_its_positions_still_reads_back(p: Pos) -> None:
    bare = type(BOOK)(Bare())
    assert parse_position(bare, position_text(bare, p)) == p


def test_the_text_is_what_a_reader_expects() -> None:
    p = replace(BOOK.start(), tired=2, since=((1, 7),), phase=1, burnt=5, at=(5, 1, 3), side=b"\0\0\0")
    p = replace(p, agenda=(*p.agenda, Frame("three", ("red", "blue"), ((0, 2), 4, -7))))
    assert position_text(BOOK, p).splitlines() == [
        "position 1",
        "turn 1",
        "agenda walk red",
        "agenda three red,blue r-1,b-1 e -7",
        "phase night",
        "burnt a,c",
        "luck north=bad south=bad",
        "score [0,0]",
        'note ""',
        "unit r-2 b tired since=7",
        "unit b-1 d red",
    ]


def test_positions_that_differ_have_different_digests() -> None:
    p = BOOK.start()
    assert len({digest(BOOK, q) for q in (p, replace(p, tired=1), replace(p, turn=2), replace(p, at=(0, 1, 4)))}) == 4


def test_empty_lines_and_comments_are_skipped() -> None:
    p = BOOK.start()
    lines = position_text(BOOK, p).splitlines()
    assert parse_position(BOOK, "\n# here\n\n" + "\r\n\n  # and here\n".join(lines) + "\n\n") == p


GOOD = position_text(BOOK, BOOK.start())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "p:1:1: the text is empty"),
        ("position 2\n", "p:1:1: a position begins with 'position 1', not 'position 2'"),
        ("{}", "p:1:1: a position begins with 'position 1', not '{}'"),
        ("position 1\nturn 1\n", "p:3:1: the position ends without phase, burnt, luck, score, note"),
        (GOOD.replace("turn 1", "turn one"), "p:2:6: 'one' is no value of it"),
        (GOOD.replace("turn 1", "turn"), "p:2:5: turn has no value"),
        (GOOD.replace("turn 1", "turn 1\nturn 2"), "p:3:1: 'turn' stands here twice"),
        (GOOD.replace("turn 1", "torn 1"), "p:2:1: 'torn' is no field of a position; there are: turn, agenda, phase"),
        (GOOD.replace("phase -", "phase dusk"), "p:4:7: 'dusk' is no value of phase; there are: -, day, night"),
        (GOOD.replace("phase -", "phase day day"), "p:4:11: phase takes one value, and 'day' is left over"),
        (GOOD.replace("burnt -", "burnt a,q"), "p:5:7: 'q' is no part of burnt; there are: a, b, c, d, e, out"),
        (GOOD.replace("south=bad", ""), "p:6:6: luck tells each once, as KEY=VALUE: north, south"),
        (GOOD.replace("south=bad", "south=best"), "p:6:16: 'best' is no value of it; there are: bad, fair, good"),
        (GOOD.replace("unit r-1 a", "unit r-9 a"), "p:9:6: 'r-9' is no unit of this game; there are: r-1, r-2, b-1"),
        (GOOD.replace("unit r-1 a", "unit r-2 a"), "p:10:6: 'r-2' stands here twice"),
        (GOOD.replace("unit r-1 a", "unit r-1 z"), "p:9:10: 'z' is no place of this game; there are: a, b, c, d, e, out"),
        (GOOD.replace("unit r-1 a", "unit r-1"), "p:9:9: a unit reads 'unit PIECE PLACE [MARK ...]'"),
        (
            GOOD.replace("unit r-1 a", "unit r-1 a gone"),
            "p:9:12: 'gone' cannot be said of a unit; there are: red, blue, tired, since=NUMBER",
        ),
        (GOOD.replace("unit r-1 a", "unit r-1 a since=x"), "p:9:18: 'x' is no whole number"),
        (GOOD.replace("walk red", "walk"), "p:3:12: an agenda line reads 'agenda STEP WHO [WHAT ...]', WHO '-' for nobody"),
        (GOOD.replace("walk red", "luck chance r-7"), "p:3:20: 'r-7' is no unit of this game"),
        (GOOD.replace("walk red", "walk red {}"), "p:3:17: '{}' is no value of it"),
    ],
)
def test_a_wrong_text_is_told_with_its_place(text: str, told: str) -> None:
    with pytest.raises(PositionError) as error:
        parse_position(BOOK, text, "p")
    assert str(error.value).startswith(told)
    assert "\n" not in str(error.value)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60), st.integers(0, 300), st.integers(0, 30))
def test_no_text_does_worse_than_a_position_error(junk: str, at: int, drop: int) -> None:
    text = GOOD[:at] + junk + GOOD[at + drop :]
    try:
        found: Any = parse_position(BOOK, text)
    except PositionError:
        return
    assert parse_position(BOOK, position_text(BOOK, found)) == found


class Grown(Ring):
    """The same game, whose positions got a field after games of it were recorded."""

    layout = replace(Ring.layout, later=("note", "score"))


def test_a_later_field_is_written_only_when_it_is_not_at_its_default() -> None:
    grown = Book[Any](Grown())
    usual = Pos(1, (Frame("walk", ("red",)),))
    text = position_text(grown, usual)
    assert "note" not in text and "score" not in text and "luck" in text
    assert parse_position(grown, text) == usual
    other = replace(usual, score=(2, 1), note="x")
    assert '\nscore [2,1]\nnote "x"\n' in position_text(grown, other)
    assert parse_position(grown, position_text(grown, other)) == other
    assert digest(grown, usual) != digest(grown, other)
