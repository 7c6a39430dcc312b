"""Names in chat: what a line of talk names, whoever wrote the module."""

from __future__ import annotations

import pytest

from referee.rules.chat import Names, name_words

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
