"""Records: the same bytes when read and written again, replayed under check, and told where they are wrong."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.rules.position_text import digest, position_text
from referee.rules.record import Entry, Header, RecordError, header_of, read_record, record_of, replay
from tests.rules.tiny import book

BOOK = book()
PLAY = ("red walk r-1 > e", "chance roll luck 6", "red done", "blue walk b-1 > c", "blue done", "red done")


def record(*actions: str, start: str = "", **more: Any) -> str:
    return str(record_of(header_of(BOOK, **more), actions or PLAY, start=start))


GOOD = record(seed="7/3", notes=("plan walker", "and more"))


def test_a_record_is_this_text() -> None:
    text = record("# turn 1", *PLAY[:2], "# the end", seed="7/3", notes=("plan walker",))
    assert text.splitlines() == [
        "record 1",
        "game ring",
        "scenario only",
        "options -",
        "rules 3",
        "data 0f0f",
        "seed 7/3",
        "note plan walker",
        "actions",
        "# turn 1",
        "1 red walk r-1 > e",
        "2 chance roll luck 6",
        "# the end",
    ]


def test_reading_and_writing_again_gives_the_same_bytes() -> None:
    for text in (GOOD, record("# only a comment"), record(start=position_text(BOOK, BOOK.start())), record("red done")):
        assert str(read_record(text)) == text


def test_a_record_replays_to_the_position_that_was_played() -> None:
    p = BOOK.start()
    for text in PLAY:
        p = BOOK.play(p, BOOK.parse(text))
    assert replay(BOOK, read_record(GOOD)) == p
    assert digest(BOOK, replay(BOOK, read_record(GOOD))) == digest(BOOK, p)


def test_a_record_may_begin_anywhere() -> None:
    p = replace(BOOK.start(), at=(2, 1, 4), tired=4)
    text = record("red walk r-1 > d", start=position_text(BOOK, p))
    assert replay(BOOK, read_record(text)).at == (3, 1, 4)


def test_numbers_comments_and_empty_lines_may_be_left_out_or_put_in() -> None:
    head, _, body = GOOD.partition("actions\n")
    loose = "\ufeff" + head + "actions\n# hello\n\n" + "\n\n".join(line.split(" ", 1)[1] for line in body.splitlines()) + "\n# bye"
    found = read_record(loose.replace("\n", "\r\n"))
    assert found.actions == PLAY
    assert (found.entries[0].comments, found.comments) == (("# hello",), ("# bye",))
    assert replay(BOOK, found) == replay(BOOK, read_record(GOOD))


def test_what_a_later_stage_seals_is_carried_along() -> None:
    text = GOOD.replace("seed 7/3\n", "seed 7/3\nchain 00ff\ncommit ab\nsignature me:xyz\n").replace("3 red done", "3 red done ; hash=12ab")
    found = read_record(text)
    assert str(found) == text
    assert found.header.reserved == (("chain", "00ff"), ("commit", "ab"), ("signature", "me:xyz"))
    assert found.entries[2].seal == "hash=12ab"
    assert replay(BOOK, found) == replay(BOOK, read_record(GOOD))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("record 1", "record 9"), "x:1:1: a record begins with 'record 1', not 'record 9'"),
        (("game ring\n", ""), "x:9:1: the header ends without game"),
        (("game ring", "game"), "x:2:5: 'game' needs a value"),
        (("game ring", "gane ring"), "x:2:1: 'gane' is no field of a header; there are: game, scenario, options, rules, data, seed, chain"),
        (("game ring\nscenario only", "scenario only\ngame ring"), "x:3:1: 'game' cannot stand here; the order is: game, scenario"),
        (("game ring", "game ring\ngame ring"), "x:3:1: 'game' cannot stand here"),
        (("rules 3", "rules three"), "x:5:7: the rules version is a whole number, not 'three'"),
        (("actions\n", "actions now\n"), "x:10:9: 'actions' stands alone on its line"),
        (("actions\n", "position\nactions\n"), "x:10:1: the lines of a position follow it, indented by two blanks"),
        (("3 red done", "4 red done"), "x:13:1: number 4 where 3 comes next"),
        (("3 red done", "3 red done ; "), "x:13:3: a line of the body reads '[NUMBER] ACTION [; SEAL]'"),
    ],
)
def test_a_wrong_line_is_told_with_its_place(change: tuple[str, str], told: str) -> None:
    assert change[0] in GOOD
    with pytest.raises(RecordError) as error:
        read_record(GOOD.replace(*change, 1), "x")
    assert str(error.value).startswith(told)
    assert "\n" not in str(error.value)


def test_a_file_without_a_body_is_told() -> None:
    with pytest.raises(RecordError, match=r"x:10:1: the file ends before 'actions'"):
        read_record(GOOD.partition("actions")[0].rstrip("\n"), "x")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("game ring", "game rang"), "x: the record says game rang, and it is being played with game ring"),
        (("scenario only", "scenario other"), "x: the record says scenario other, and"),
        (("options -", "options a,b"), "x: the record says options a,b, and it is being played with options -"),
        (("rules 3", "rules 2"), "x: the record says rules 2, and it is being played with rules 3"),
        (("data 0f0f", "data 1234"), "x: the record says data 1234, and it is being played with data 0f0f"),
        (("red walk r-1 > e", "red walk r-7 > e"), "x:11:12: 'r-7' is no unit"),
        (("red walk r-1 > e", "red hop r-1 > e"), "x:11:7: there is only 'BY walk UNIT > PLACE', not 'red hop r-1 > e'"),
        (("red walk r-1 > e", "red walk r-1 to e"), "x:11:16: 'to' cannot stand here"),
        (("red walk r-1 > e", "red walk r-1 > c"), "x:11:3: 'red walk r-1 > c' is illegal: too-far [1.2 (R-1), 1.3]"),
        (("chance roll luck 6", "chance roll luck 7"), "x:12:3: 'chance roll luck 7' is illegal: no-such-roll [3.0]"),
    ],
)
def test_a_record_that_cannot_be_played_gives_one_clear_error(change: tuple[str, str], told: str) -> None:
    with pytest.raises(RecordError) as error:
        replay(BOOK, read_record(GOOD.replace(*change, 1), "x"))
    assert str(error.value).startswith(told)
    assert "\n" not in str(error.value)


def test_other_data_may_be_allowed() -> None:
    assert replay(BOOK, read_record(GOOD.replace("0f0f", "1234")), data=False) == replay(BOOK, read_record(GOOD))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("  turn 1", "  turn x"), "x:9:8: 'x' is no value of it"),
        (("  unit r-1 a\n  unit r-2 b", "  unit r-2 b\n  unit r-1 a"), "x:7:1: no game can begin with this position: it is not written"),
        (("  unit b-1 d\n", ""), "x:7:1: no game can begin with this position: blue has left"),
    ],
)
def test_a_first_position_that_is_none_is_told_with_its_place(change: tuple[str, str], told: str) -> None:
    text = record("red done", start=position_text(BOOK, BOOK.start()))
    assert change[0] in text
    with pytest.raises(RecordError) as error:
        replay(BOOK, read_record(text.replace(*change, 1), "x"))
    assert str(error.value).startswith(told)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=40), st.integers(0, 200), st.integers(0, 20))
def test_no_text_does_worse_than_a_record_error(junk: str, at: int, drop: int) -> None:
    text = GOOD[:at] + junk + GOOD[at + drop :]
    try:
        found = read_record(text)
        again = read_record(str(found))
    except RecordError:
        return
    assert (again.header, again.actions) == (found.header, found.actions)
    assert str(again) == str(found)


def test_the_parts_are_values() -> None:
    assert Header("g", "s", (), 1, "d") == Header("g", "s", (), 1, "d")
    assert hash(Entry("red done")) == hash(Entry("red done"))
