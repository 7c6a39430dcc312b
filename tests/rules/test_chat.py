"""Names in chat: what a line of talk names, whoever wrote the module."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from referee.rules.chat import Names, name_words, plain, words

OURS = {"a": "EG 26 4-6-4", "b": "EG HG 6-4-5", "c": "EG GD 7-5-8", "d": "WG 26 3-4-4", "e": "5 Gds 7-7-4"}
CLUB = {"a": "26 Krps 4-6-4", "b": "HG Pz Krps 6-4-5", "c": "GD Pz Krps 7-5-8", "d": "26 Krps 3-4-4", "e": "5 Gds 7-7-4"}


@pytest.mark.parametrize("called", [OURS, CLUB], ids=["names that begin with the side", "names that do not"])
@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("26 4-6-4, HG 6-4-5 on 3223", ["ad", "b"]),
        ("HG 6-4-5, 26 4-6-4 on 3223", ["b", "ad"]),
        ("3223: HG + 26", ["b", "ad"]),
        ("26/GD/hg", ["ad", "c", "b"]),
        ("5 Gds and GD on 3322", ["e", "c"]),
    ],
)
def test_a_unit_without_a_number_is_read_beside_one_with_a_number(called: dict[str, str], text: str, named: list[str]) -> None:
    line = Names({unit: name_words(name) for unit, name in called.items()}).read(text, lambda word: word in ("3223", "3322"))
    assert ["".join(sorted(mention.units)) for mention in line.mentions] == named


def test_what_all_units_share_names_none_of_them() -> None:
    names = Names({unit: name_words(name) for unit, name in OURS.items()})
    assert not names.read("EG attacks, eg first", lambda word: False).mentions


BITS = ("26", "HG", "GD", "5 Gds", "5gds", "Gds", "hgpz", "3223", "3322", "9", "4-6-4", "2:1", "a)", "+", ",", " ", "and", "(", ")", "Wien")


@given(st.lists(st.lists(st.sampled_from(BITS), max_size=7).map(" ".join), min_size=2, max_size=4))
def test_a_line_says_the_same_whatever_was_read_before(lines: list[str]) -> None:
    def names() -> Names:
        return Names({unit: name_words(name) for unit, name in CLUB.items()}, places={"wien": "3223"})

    known = names()
    for text in lines:
        line = known.read(text, lambda word: word in ("3223", "3322"))
        assert line == names().read(text, lambda word: word in ("3223", "3322"))
        assert list(line.hex_at) == sorted(line.hex_at)
        for at in (*line.hex_at, *(mention.at for mention in line.mentions)):
            assert text[at].isalnum()
        for place, at in zip(line.hexes, line.hex_at, strict=True):
            assert text.startswith((place, "Wien"), at)


@example(["1)", ",", "26"]).via("no enumerator: a sign stands behind it")
@example(["26", "+", "1) ", "HG"]).via("none either: a sign stands before it")
@given(st.lists(st.sampled_from((*BITS, ";", "/", "&", ":", "#", "1)", "b.", "3-1", " - ", "1944.5")), max_size=12))
def test_a_line_read_in_parts_says_what_it_says_in_one_piece(bits: list[str]) -> None:
    text = "".join(bits)
    names = Names({unit: name_words(name) for unit, name in CLUB.items()}, places={"wien": "3223"})
    line = names.read(text, lambda word: word in ("3223", "3322"))
    whole = names._part(plain(text))
    assert (line.mentions, line.odds, line.numbers, line.words) == (whole.mentions, whole.odds, whole.numbers, whole.words)
    assert line.words == {word for word in words(text) if not word.isdigit()}
    assert [city for city in zip(line.hexes, line.hex_at, strict=True) if not text.startswith(city[0], city[1])] == list(whole.cities)
