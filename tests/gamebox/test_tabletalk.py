"""Table talk round-trips through a client's log, whatever a field holds."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebox.tabletalk import MAX_LENGTH, VERBS, Talk, TalkError, decode, encode, escape, is_talk, unescape

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
verbs = st.one_of(st.sampled_from(sorted(VERBS)), st.from_regex(r"[A-Z]{1,12}", fullmatch=True))


@st.composite
def talks(draw: st.DrawFn) -> Talk:
    verb = draw(verbs)
    needed = len(VERBS.get(verb, ()))
    fields = [*draw(st.lists(texts.filter(bool), min_size=needed, max_size=needed)), *draw(st.lists(texts, max_size=3))]
    return Talk(draw(st.integers(0, 10**18 - 1)), verb, tuple(fields))


@given(talks())
def test_a_line_reads_back_as_it_was(talk: Talk) -> None:
    line = encode(talk)
    assert decode(line) == talk and str(talk) == line and is_talk(line)


@given(talks())
def test_a_line_is_safe_in_the_clients_formats(talk: Talk) -> None:
    line = encode(talk)
    assert not set(line) & set("$\\'\n\r\t\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
    assert line.splitlines() == [line]
    assert line.count("|") == 2 + len(talk.fields)
    assert not line.endswith((" ", "\\"))


@given(st.text(max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    for line in (text, f"RT1|{text}", f"RT1|7|ATT|{text}|2105", f"RT1|7|{text}"):
        try:
            talk = decode(line)
        except TalkError:
            continue
        # A field that a client wrote unescaped comes back escaped, but means the same.
        try:
            assert decode(encode(talk)) == talk
        except TalkError as error:
            assert "surrogate" in str(error) or "characters" in str(error)


@given(texts)
def test_a_field_reads_back_as_it_was(text: str) -> None:
    assert unescape(escape(text)) == text


def test_lines_that_our_modules_write() -> None:
    assert encode(Talk(1, "ATT", ("we-7-us", "2104"))) == "RT1|1|ATT|we-7-us|2104"
    assert encode(Talk(2, "PH", ("3", "Soviet Movement"))) == "RT1|2|PH|3|Soviet Movement"
    assert encode(Talk(3, "RES", ("4:1 $6 | 50%\\",))) == "RT1|3|RES|4:1 %246 %7C 50%25%5C"
    talk = decode("RT1|15|TGT|wg-67|2105|later")
    assert (talk.field("piece"), talk.field("place"), talk.field("turn"), talk.fields[2]) == ("wg-67", "2105", "", "later")
    assert decode("RT1|4|CLR|*").fields == ("*",)
    assert decode("RT1|4|ZAP") == Talk(4, "ZAP"), "verbs of later modules are read"


def test_a_percent_sign_that_a_client_wrote_stands_for_itself() -> None:
    assert decode("RT1|1|RES|100% sure|%zz|%C3|%C3%BC").fields == ("100% sure", "%zz", "%C3", "ü")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("hello", "allowed: lines that begin with RT1|"),
        ("RT2|1|ATT|a-1|0101", "version 2; allowed: 1"),
        ("RT01|1|ATT|a-1|0101", "allowed: lines that begin with RT1|"),
        ("RT1|", "number ``; allowed: 0 to 18 digits"),
        ("RT1|01|ATT|a-1|0101", "number `01`"),
        ("RT1|1", "verb ``; allowed: one to twelve capital letters"),
        ("RT1|1|att|a-1|0101", "verb `att`"),
        ("RT1|1|ATT|a-1", "ATT with 1 fields; allowed: ATT|piece|place"),
        ("RT1|1|CLR|", "CLR with 1 fields; allowed: CLR|piece, none of them empty"),
        ("RT1|1|RES|" + "x" * MAX_LENGTH, f"allowed: {MAX_LENGTH}"),
    ],
)
def test_what_is_no_table_talk_is_told(line: str, told: str) -> None:
    with pytest.raises(TalkError, match=re.escape(told)):
        decode(line)


@pytest.mark.parametrize(
    "talk", [Talk(-1, "RES", ("x",)), Talk(1, "res", ("x",)), Talk(1, "ATT"), Talk(1, "RES", ("\ud800",)), Talk(1, "RES", ("x" * 3000,))]
)
def test_what_cannot_be_written_is_refused(talk: Talk) -> None:
    with pytest.raises(TalkError):
        encode(talk)
