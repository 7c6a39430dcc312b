"""What only some may see, as text: lines of its own for each holder, exact both ways, and told where they are wrong."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.rules.book import Book
from referee.rules.layout import Layout, Sealed
from referee.rules.model import Frame
from referee.rules.position_text import PositionError, digest, parse_position, position_text
from tests.rules import tiny

CARDS = ("knife", "rope", "lamp")


class Purse(msgspec.Struct, frozen=True):
    """What a player hides."""

    known: bool = False
    at: bytes = b""
    tired: int = 0
    hand: int = 0
    gold: tuple[int, ...] = ()


class Pos(tiny.Pos, frozen=True, dict=True):
    """A position with a purse a player."""

    purse: tuple[Purse, Purse] = (Purse(), Purse())


INSIDE = Layout(
    tiny.UNITS_, tiny.PLACES, at="at", absent=5, marks=("tired",), sets={"hand": CARDS}, later=("known", "hand", "gold")
)


class Secret(tiny.Ring):
    """The ring with purses."""

    layout = replace(tiny.Ring.layout, sealed={"purse": Sealed(tiny.SIDES, Purse, INSIDE)})

    def start(self) -> Pos:
        return Pos(1, (Frame("walk", ("red",)),), purse=(Purse(True, b"\0\2\5", 2, 5), Purse()))


BOOK = Book[Any](Secret())


@st.composite
def purses(draw: st.DrawFn) -> Purse:
    if draw(st.booleans()) and draw(st.booleans()):
        return Purse(hand=draw(st.integers(0, 7)))
    return Purse(
        draw(st.booleans()),
        bytes(draw(st.lists(st.integers(0, 5), min_size=3, max_size=3))),
        draw(st.integers(0, 7)),
        draw(st.integers(0, 7)),
        tuple(draw(st.lists(st.integers(0, 9), max_size=2))),
    )


@given(purses(), purses())
def test_every_sealed_value_reads_back_exactly(red: Purse, blue: Purse) -> None:
    p = replace(BOOK.start(), purse=(red, blue))
    text = position_text(BOOK, p)
    assert parse_position(BOOK, text) == p
    assert digest(BOOK, parse_position(BOOK, text)) == digest(BOOK, p)


def test_the_lines_are_what_a_reader_expects() -> None:
    p = BOOK.start()
    told = [line for line in position_text(BOOK, p).splitlines() if line.startswith("purse")]
    assert told == [
        "purse red known true",
        "purse red hand knife,lamp",
        "purse red unit r-1 a",
        "purse red unit r-2 c tired",
        "purse blue -",
    ]


def test_a_value_that_is_known_to_be_empty_is_told_from_one_of_which_nothing_is_known() -> None:
    texts = {position_text(BOOK, replace(BOOK.start(), purse=(purse, Purse()))) for purse in (Purse(), Purse(at=b"\5\5\5"))}
    assert len(texts) == 2
    assert "\npurse red empty\n" in position_text(BOOK, replace(BOOK.start(), purse=(Purse(at=b"\5\5\5"), Purse())))


GOOD = position_text(BOOK, BOOK.start())


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("purse blue -", "", "the position ends without purse of blue"),
        ("purse blue -", "purse green -", "13:7: 'green' holds no purse; there are: red, blue"),
        ("purse blue -", "purse blue", "13:11: purse reads 'purse WHO WHAT ...', or 'purse WHO -' where nothing is known"),
        ("purse blue -", "purse blue - x", "13:14: '-' stands alone, and 'x' is left over"),
        ("purse blue -", "purse blue -\npurse blue known true", "14:12: 'known' cannot stand beside what is told of 'blue' before"),
        ("purse blue -", "purse blue json {", "13:17: '{' is no value of it"),
        ("purse blue -", "purse blue json", "13:16: purse has no value"),
        ("red hand knife,lamp", "red hand knife,lamb", "10:16: 'lamb' is no part of hand; there are: knife, rope, lamp"),
        ("red hand knife,lamp", "red hands knife", "10:11: 'hands' is no field of a position; there are: known, hand, gold, unit"),
        ("red known true", "red known true\npurse red known true", "10:11: 'known' stands here twice"),
        ("red unit r-1 a", "red unit r-1 q", "11:20: 'q' is no place of this game; there are: a, b, c, d, e, out"),
        ("red unit r-2 c tired", "red unit r-1 c", "12:16: 'r-1' stands here twice"),
        ("red unit r-2 c tired", "red unit r-2 c lazy", "12:22: 'lazy' cannot be said of a unit; there are: tired"),
    ],
)
def test_a_wrong_line_is_told_with_its_place(old: str, new: str, told: str) -> None:
    with pytest.raises(PositionError) as error:
        parse_position(BOOK, GOOD.replace(old, new), "p")
    assert told in str(error.value)


@given(st.text(max_size=40), st.integers(0, 300), st.integers(0, 30))
def test_no_text_does_worse_than_a_position_error(junk: str, at: int, drop: int) -> None:
    text = GOOD[:at] + junk + GOOD[at + drop :]
    try:
        found: Any = parse_position(BOOK, text)
    except PositionError:
        return
    assert parse_position(BOOK, position_text(BOOK, found)) == found
