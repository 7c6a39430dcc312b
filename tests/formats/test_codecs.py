"""Sequences, obfuscation and keystrokes, held to what the engine's own classes encoded (vectors.json)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modgen.formats.errors import FormatError
from modgen.formats.vassal import keys, obfuscation, pieces, sequence

VECTORS: dict[str, list[dict[str, Any]]] = json.loads((Path(__file__).parent / "vectors.json").read_text("utf-8"))

# What real texts are made of: delimiters, backslashes, quotes, and anything else.
TEXT = st.text(st.one_of(st.sampled_from("\\';\t/,|a1 "), st.characters(codec="utf-8")), max_size=12)


@pytest.mark.parametrize("vector", VECTORS["sequence"], ids=lambda v: v["encoded"][:20])
def test_sequences_are_encoded_and_decoded_as_by_the_engine(vector: dict[str, Any]) -> None:
    assert sequence.encode(vector["parts"], vector["delim"]) == vector["encoded"]
    assert sequence.decode(vector["encoded"], vector["delim"]) == vector["decoded"]


@pytest.mark.parametrize("vector", VECTORS["decodeOnly"], ids=lambda v: v["encoded"][:20])
def test_odd_sequences_are_decoded_as_by_the_engine(vector: dict[str, Any]) -> None:
    assert sequence.decode(vector["encoded"], vector["delim"]) == vector["tokens"]


def test_there_are_322_sequence_vectors() -> None:
    assert len(VECTORS["sequence"]) == 322


@given(st.lists(TEXT, min_size=1, max_size=6), st.sampled_from(";\t/,|:"))
def test_parts_come_back_unless_one_ends_in_a_backslash(parts: list[str], delim: str) -> None:
    kept = [part if index == len(parts) - 1 else part.rstrip("\\") for index, part in enumerate(parts)]
    assert sequence.decode(sequence.encode(kept, delim), delim) == kept


@given(st.lists(TEXT, min_size=1, max_size=6), st.sampled_from(";\t/"))
def test_the_head_is_the_first_part(parts: list[str], delim: str) -> None:
    text = sequence.encode(parts, delim)
    first, rest = sequence.head(text, delim)
    whole = sequence.decode(text, delim)
    assert first == whole[0]
    assert (rest is None) == (len(whole) == 1)
    if rest is not None:
        assert sequence.decode(rest, delim) == whole[1:]


def nested_by_pairs(parts: list[str], delim: str) -> str:
    text = parts[-1]
    for part in reversed(parts[:-1]):
        text = sequence.encode((part, text), delim)
    return text


def split_by_pairs(text: str, delim: str, count: int) -> list[str]:
    parts: list[str] = []
    while len(parts) < count - 1:
        tokens = sequence.decode(text, delim)
        parts.append(tokens[0])
        if len(tokens) == 1:
            return parts
        text = tokens[1]
    return [*parts, text]


@given(st.lists(TEXT, min_size=1, max_size=8))
def test_flat_nesting_is_the_engines_pair_by_pair_nesting(parts: list[str]) -> None:
    assert sequence.encode_nested(parts, "\t") == nested_by_pairs(parts, "\t")


@given(st.lists(TEXT.map(lambda text: text.rstrip("\\")), min_size=1, max_size=8))
def test_nested_parts_come_back(parts: list[str]) -> None:
    assert sequence.split_nested(sequence.encode_nested(parts, "\t"), "\t", count=len(parts)) == parts


@given(st.lists(TEXT, min_size=1, max_size=8))
def test_flat_splitting_is_the_engines_pair_by_pair_decoding(parts: list[str]) -> None:
    text = nested_by_pairs(parts, "\t")
    assert sequence.split_nested(text, "\t", count=len(parts)) == split_by_pairs(text, "\t", len(parts))


@given(st.one_of(st.text("\\\t'a", max_size=24), st.lists(TEXT, min_size=1, max_size=6).map(lambda p: nested_by_pairs(p, "\t"))), st.data())
def test_some_parts_are_what_they_are_among_all_or_are_not_told(text: str, data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 6))
    wanted = sorted(data.draw(st.sets(st.integers(0, count - 1))))
    every = sequence.split_nested(text, "\t", count=count)
    every += [""] * (count - len(every))
    found = sequence.some_nested(text, "\t", count, wanted)
    assert found is None or found == [every[number] for number in wanted]


@given(st.lists(st.text("ab;\\'", max_size=6), min_size=2, max_size=8))
def test_the_marks_of_a_plain_piece_are_told_without_the_rest(parts: list[str]) -> None:
    plain = [part.strip("\\'") for part in parts]
    text = sequence.encode_nested(plain, "\t")
    wanted = list(range(len(plain) - 1))
    assert sequence.some_nested(text, "\t", len(plain), wanted) == plain[:-1]


@given(st.one_of(st.text("\\;'a1-", max_size=20), st.lists(TEXT, min_size=1, max_size=7).map(lambda p: sequence.encode(p, ";"))))
def test_a_place_is_read_without_what_comes_behind_it(state: str) -> None:
    whole = pieces.basic("piece;;;;", state)
    assert pieces.place_in(state) == (whole.map, whole.x, whole.y)
    assert pieces.name_and_gpid("piece;;;;", state) == (whole.name, whole.gpid)


@given(st.text(max_size=60), st.integers(1, 6))
def test_splitting_takes_any_text(text: str, count: int) -> None:
    assert 1 <= len(sequence.split_nested(text, "\t", count=count)) <= count


@pytest.mark.parametrize("vector", VECTORS["obfuscation"], ids=lambda v: v["bytes"][:12])
def test_obfuscation_is_the_engines(vector: dict[str, Any]) -> None:
    data = vector["bytes"].encode("ascii")
    text, form = obfuscation.reveal(data)
    assert (text, form.kind, form.key, form.encoding) == (vector["text"], "vcsk", vector["key"], "utf-8")
    assert obfuscation.conceal(text, form) == data


@given(st.text(max_size=80), st.sampled_from(["vcsk", "vobs"]), st.integers(0, 255))
def test_every_form_comes_back(text: str, kind: obfuscation.Kind, key: int) -> None:
    form = obfuscation.Form(kind, key)
    assert obfuscation.reveal(obfuscation.conceal(text, form)) == (text, form)


def test_upper_case_digits_and_a_line_end_are_fine() -> None:
    assert obfuscation.reveal(b"!VCSK5A383F3D3334\n")[0] == "begin"


def test_plain_text_is_read_as_it_is() -> None:
    text, form = obfuscation.reveal("begin_save ü".encode())
    assert (text, form) == ("begin_save ü", obfuscation.PLAIN)
    assert obfuscation.conceal(text, form) == "begin_save ü".encode()


def test_what_is_not_utf8_is_read_by_a_fallback_that_is_told() -> None:
    text, form = obfuscation.reveal("Köln".encode("cp1252"))
    assert (text, form.encoding, form.fallback) == ("Köln", "cp1252", True)
    assert obfuscation.reveal(b"a\x81b")[1].encoding == "latin-1"


@pytest.mark.parametrize("data", [b"!VCSK", b"!VCSK5", b"!VCSKzz00", b"!VCSK5a3", b"!VCSK5a3g", b"!VCSK5a38 3f", b"VOBS"])
def test_broken_digits_are_one_clear_error(data: bytes) -> None:
    with pytest.raises(FormatError, match="game: begins with"):
        obfuscation.reveal(data, "game")


@pytest.mark.parametrize("vector", [v for v in VECTORS["keystrokes"] if "javaKeyStroke" in v], ids=lambda v: v["javaKeyStroke"])
def test_keystrokes_read_and_write_as_the_engines(vector: dict[str, Any]) -> None:
    code, modifiers = map(int, vector["encoded"].split(","))
    read = keys.key(vector["encoded"])
    assert (read.code, read.modifiers) == (code, modifiers)
    if code:
        assert str(read) == vector["encoded"]


def test_named_keys_are_cut_at_a_comma_and_only_the_name_counts() -> None:
    for vector in VECTORS["keystrokes"]:
        if "named" in vector:
            assert keys.key(vector["encoded"]).name == vector["decodesBackTo"]
        if "decode" in vector:
            assert keys.key(vector["decode"]).name == vector["name"]
    assert keys.ctrl("a") == "65,130"
    assert keys.named("flip", 3) == "57347,0,flip"
    with pytest.raises(ValueError, match="without commas"):
        keys.named("flip, now")


def test_an_old_or_empty_key_field() -> None:
    assert str(keys.key("f")) == "70,130"
    assert keys.key("") == keys.NO_KEY == keys.key("a,b")
    assert str(keys.NO_KEY) == ""
