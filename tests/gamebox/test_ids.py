"""Piece ids keep to one syntax and need no quoting anywhere."""

from __future__ import annotations

import string
import urllib.parse

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebox.ids import MAX_LENGTH, check_piece_id, is_piece_id, make_piece_id, prefix, words

piece_ids = st.from_regex(r"[a-z][a-z0-9]{0,5}(-[a-z0-9]{1,3}){1,7}", fullmatch=True).filter(lambda text: len(text) <= MAX_LENGTH)


@given(piece_ids)
def test_a_piece_id_is_its_words_and_needs_no_quoting(text: str) -> None:
    assert is_piece_id(text) and check_piece_id(text) == text
    assert "-".join(words(text)) == text and prefix(text) == words(text)[0]
    assert urllib.parse.quote(text) == text and set(text) <= set(string.ascii_lowercase + string.digits + "-")


@given(st.text(max_size=50))
def test_any_other_text_is_refused_with_what_is_allowed(text: str) -> None:
    if not is_piece_id(text):
        with pytest.raises(ValueError, match="allowed: two to eight words"):
            check_piece_id(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "su",
        "SU-1",
        "su_1",
        "su--1",
        "-su-1",
        "su-1-",
        "1-su",
        "su-1\n",
        "sü-1",
        "su-1|x",
        "a-" + "b" * 40,
        "-".join("abcdefghi"),
        "su-١",
    ],
)
def test_what_is_no_piece_id(text: str) -> None:
    assert not is_piece_id(text)


@pytest.mark.parametrize(
    ("side", "name", "made"),
    [
        ("su", "1 Balt", "su-1-balt"),
        ("we", "30 (Br)", "we-30-br"),
        ("EG", "HG", "eg-hg"),
        ("hu", "3. Páncélos hadosztály", "hu-3-pancelos-hadosztaly"),
        ("pl", "Łódź № 1", "pl-lodz-no-1"),
    ],
)
def test_an_id_is_made_from_the_printed_name(side: str, name: str, made: str) -> None:
    assert make_piece_id(side, name) == made


@given(st.text(max_size=4), st.text(max_size=12))
def test_what_is_made_is_a_piece_id_or_refused(side: str, name: str) -> None:
    try:
        made = make_piece_id(side, name)
    except ValueError:
        return
    assert is_piece_id(made)
    first, _, rest = made.partition("-")
    assert make_piece_id(first, rest) == made
