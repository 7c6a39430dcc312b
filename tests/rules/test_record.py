"""Records: the same bytes when read and written again, replayed under check, and told where they are wrong."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.rules.position_text import digest, position_text
from referee.rules.record import (
    Entry,
    Header,
    Record,
    RecordError,
    chain_error,
    header_of,
    read_record,
    record_of,
    replay,
    sealed,
)
from tests.rules.tiny import book

GOLDEN = Path(__file__).parent / "golden"
BOOK = book()
PLAY = ("red walk r-1 > e", "chance roll luck 6", "red done", "blue walk b-1 > c", "blue done", "red done")
OVERLAY = {"crt.csv": 'odds,die,result,source\n1:1,3,EX,"owner, with\n\ntwo blank lines"\n', "hexes.csv": "hex,source\n0101,owner\n"}


def last_of(actions: Any, p: Any) -> Any:
    for text in actions:
        if not text.startswith("#"):
            p = BOOK.play(p, BOOK.parse(text))
    return p


def record(*actions: str, start: Any = None, overlay: dict[str, str] | None = None, **more: Any) -> str:
    actions = actions or PLAY
    header = header_of(BOOK, **more)
    if overlay:
        header = replace(header, overlay=tuple(sorted(overlay.items())))
    text = "" if start is None else position_text(BOOK, start)
    return str(record_of(BOOK, header, actions, last_of(actions, BOOK.start() if start is None else start), start=text))


def first_version(text: str) -> str:
    """The same game as it was written before there were chains."""
    found = read_record(text)
    entries = tuple(Entry(entry.text, entry.comments) for entry in found.entries)
    return str(replace(found, version=1, entries=entries, seal="", end=None))


GOOD = record("# turn 1", *PLAY[:2], "# still", *PLAY[2:], "# the end", seed="7/3", notes=("plan walker", "and more"))
OLD = first_version(record(seed="7/3", notes=("plan walker", "and more")))
FULL = record("red walk r-1 > d", "# x", "red done", start=replace(BOOK.start(), at=(2, 1, 4), tired=4), overlay=OVERLAY, notes=("ä ; ö",))
"""With a first position and an overlay."""


def outcome(text: str) -> str:
    """'whole', or the error that tells otherwise."""
    try:
        replay(BOOK, read_record(text, "x"))
    except RecordError as error:
        assert str(error).startswith("x:") and "\n" not in str(error)
        return str(error)
    return "whole"


# -- the form ---------------------------------------------------------------------------------------------------------------


def test_a_record_is_this_text() -> None:
    """The golden pair: a record of each version, and the position that they lead to."""
    whole = (GOLDEN / "ring-2.record").read_text("utf-8")
    old = (GOLDEN / "ring-1.record").read_text("utf-8")
    assert (whole, old) == (GOOD, OLD)
    for text in (whole, old):
        p = replay(BOOK, read_record(text))
        assert position_text(BOOK, p) == (GOLDEN / "ring.position").read_text("utf-8")
        assert digest(BOOK, p) in whole.splitlines()[-1]
        assert str(read_record(text)) == text


def test_the_chain_is_what_the_page_says() -> None:
    """By hand, from the text alone: digest of (digest before, lines since then without their seals)."""
    before, block = b"", ""
    for line in GOOD.splitlines(keepends=True):
        text, mark, seal = line.partition(" ; ")
        block += f"{text}\n" if mark and not line.startswith("#") else line
        if mark:
            before = hashlib.sha256(before + block.encode()).digest()
            shown = seal.strip()
            assert len(shown) == (64 if line.startswith("end ") else 32)
            assert before.hex()[: len(shown)] == shown
            block = ""
    assert not block


def test_reading_and_writing_again_gives_the_same_bytes() -> None:
    for text in (GOOD, OLD, FULL, record("# only a comment"), record(start=BOOK.start()), record("red done")):
        assert str(read_record(text)) == text
        assert outcome(text) == "whole"
        assert str(read_record(text.replace("\n", "\r\n"))) == text
        assert str(read_record("\ufeff" + text)) == text


def test_a_record_replays_to_the_position_that_was_played() -> None:
    p = last_of(PLAY, BOOK.start())
    assert replay(BOOK, read_record(GOOD)) == p
    assert digest(BOOK, replay(BOOK, read_record(OLD))) == digest(BOOK, p)


def test_a_record_may_begin_anywhere() -> None:
    found = read_record(FULL)
    assert found.start
    assert replay(BOOK, found).at == (3, 1, 4)


def test_an_overlay_stands_in_the_record_as_it_was() -> None:
    assert dict(read_record(FULL).header.overlay) == OVERLAY
    assert "\noverlay crt.csv\n  odds,die,result,source\n" in FULL


def test_a_game_that_goes_on_has_no_result_and_one_that_is_over_has() -> None:
    going, over = read_record(record("red done")).end, read_record(GOOD).end
    assert going and over
    assert (going.actions, going.result, over.actions, over.result) == (1, "", 6, "over")


def test_what_a_later_stage_signs_is_carried_along() -> None:
    found = read_record(GOOD)
    reserved = (("chain", "00ff"), ("commit", "ab"), ("signature", "me:xyz"))
    more = sealed(replace(found, header=replace(found.header, reserved=reserved)))
    text = str(replace(more, trailers=("signature me 0a0b", "reveal ab salt")))
    text = re.sub(r"(\n3 red done ; \S+)", r"\1 by=red sig=00", text)
    again = read_record(text)
    assert str(again) == text
    assert again.header.reserved == reserved
    assert again.entries[2].more == "by=red sig=00"
    assert again.trailers == ("signature me 0a0b", "reveal ab salt")
    assert replay(BOOK, again) == replay(BOOK, found)


@pytest.mark.parametrize("bad", ["red done ; x", "red done\n", " red done", ""])
def test_what_no_line_can_hold_is_not_written(bad: str) -> None:
    with pytest.raises(ValueError, match="this is no record"):
        record_of(BOOK, header_of(BOOK), [bad], BOOK.start())
    with pytest.raises(ValueError, match="this is no record"):
        record_of(BOOK, header_of(BOOK, notes=("a\nb",)), [], BOOK.start())


# -- the first version ------------------------------------------------------------------------------------------------------


def test_numbers_comments_and_empty_lines_may_be_left_out_or_put_in_in_version_1() -> None:
    head, _, body = OLD.partition("actions\n")
    loose = "\ufeff" + head + "actions\n# hello\n\n" + "\n\n".join(line.split(" ", 1)[1] for line in body.splitlines()) + "\n# bye"
    found = read_record(loose.replace("\n", "\r\n"))
    assert found.actions == PLAY
    assert (found.entries[0].comments, found.comments) == (("# hello",), ("# bye",))
    assert replay(BOOK, found) == replay(BOOK, read_record(OLD))


def test_what_stands_after_an_action_of_version_1_is_carried_along() -> None:
    text = OLD.replace("seed 7/3\n", "seed 7/3\nchain 00ff\ncommit ab\nsignature me:xyz\n").replace("3 red done", "3 red done ; hash=12ab")
    found = read_record(text)
    assert str(found) == text
    assert found.header.reserved == (("chain", "00ff"), ("commit", "ab"), ("signature", "me:xyz"))
    assert found.entries[2].seal == "hash=12ab"
    assert chain_error(found) is None
    assert replay(BOOK, found) == replay(BOOK, read_record(OLD))


# -- errors -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "change", "told"),
    [
        (OLD, ("record 1", "record 9"), "x:1:1: a record begins with 'record 1' or 'record 2', not 'record 9'; a newer one needs"),
        (OLD, ("record 1", "rekord 1"), "x:1:1: a record begins with 'record 1' or 'record 2', not 'rekord 1'"),
        (OLD, ("game ring\n", ""), "x:9:1: the header ends without game"),
        (OLD, ("game ring", "game"), "x:2:5: 'game' needs a value"),
        (OLD, ("game ring", "gane ring"), "x:2:1: 'gane' is no field of a header; there are: game, scenario, options, rules, data, seed"),
        (OLD, ("game ring\nscenario only", "scenario only\ngame ring"), "x:3:1: 'game' cannot stand here; the order is: game, scenario"),
        (OLD, ("game ring", "game ring\ngame ring"), "x:3:1: 'game' cannot stand here"),
        (OLD, ("rules 3", "rules three"), "x:5:7: the rules version is a whole number, not 'three'"),
        (OLD, ("actions\n", "actions now\n"), "x:10:9: 'actions' stands alone on its line"),
        (OLD, ("actions\n", "position\nactions\n"), "x:10:1: the lines of 'position' follow it, indented by two blanks"),
        (OLD, ("actions\n", "overlay a.csv\n  a\nactions\n"), "x:10:1: 'overlay' is no field of a header"),
        (OLD, ("3 red done", "4 red done"), "x:13:1: number 4 where 3 comes next"),
        (OLD, ("3 red done", "3 red done ; "), "x:13:3: a line of the body reads '[NUMBER] ACTION [; SEAL]'"),
        (GOOD, ("actions ; ", "actions "), "x:10:9: 'actions' is followed by ' ; ' and the header's digest, 32 of 0-9 and a-f"),
        (GOOD, ("3 red done ; ", "3 red done "), "x:15:3: a line of the body reads 'NUMBER ACTION ; DIGEST'"),
        (GOOD, ("3 red done ; ", "3 red done ; A"), "x:15:14: a line of the body reads 'NUMBER ACTION ; DIGEST'"),
        (GOOD, ("3 red done", "red done"), "x:15:1: a line of the body reads 'NUMBER ACTION ; DIGEST'"),
        (GOOD, ("3 red done", "3  red done"), "x:15:3: this is not how a record is written; allowed: '3 red done ; "),
        (GOOD, ("3 red done", "\n3 red done"), "x:15:1: this is not how a record is written; allowed: '3 red done"),
        (GOOD, ("rules 3", "rules 03"), "x:5:7: this is not how a record is written; allowed: 'rules 3'"),
        (GOOD, ("end 6 ", "end six "), "x:20:1: the last line reads 'end COUNT position DIGEST result RESULT ; DIGEST'"),
        (GOOD, ("result over ; ", "result over ; A"), "x:20:95: the last line ends with all 64 digits of the chain's digest"),
        (FULL, ("overlay hexes.csv", "overlay brt.csv"), "x:13:9: 'brt.csv' cannot stand here; overlays stand once each"),
    ],
)
def test_a_wrong_line_is_told_with_its_place(text: str, change: tuple[str, str], told: str) -> None:
    assert change[0] in text
    with pytest.raises(RecordError) as error:
        read_record(text.replace(*change, 1), "x")
    assert str(error.value).startswith(told)
    assert "\n" not in str(error.value)
    assert error.value.kind == "form"


def test_a_file_that_ends_early_or_late_is_told() -> None:
    with pytest.raises(RecordError, match=r"x:10:1: the file ends before 'actions'"):
        read_record(GOOD.partition("actions")[0].rstrip("\n"), "x")
    with pytest.raises(RecordError, match=r"x:20:1: the file ends without its last line, 'end COUNT"):
        read_record(GOOD.partition("end 6 ")[0], "x")
    with pytest.raises(RecordError, match=r"x:21:1: nothing follows the last line but lines of: signature, reveal"):
        read_record(GOOD + "7 red done\n", "x")
    with pytest.raises(RecordError, match=r"x:20:\d+: a record ends with one line feed"):
        read_record(GOOD.removesuffix("\n"), "x")


@pytest.mark.parametrize("text", [OLD, GOOD], ids=["version 1", "version 2"])
@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("game ring", "game rang"), "x:2:6: the record says game rang, and it is being played with game ring"),
        (("scenario only", "scenario other"), "x:3:10: the record says scenario other, and"),
        (("options -", "options a,b"), "x:4:9: the record says options a,b, and it is being played with options -"),
        (("rules 3", "rules 2"), "x:5:7: the record says rules 2, and it is being played with rules 3"),
        (("data 0f0f", "data 1234"), "x:6:6: the record says data 1234, and it is being played with data 0f0f"),
        (("red walk r-1 > e", "red walk r-7 > e"), "x:N:12: 'r-7' is no unit"),
        (("red walk r-1 > e", "red hop r-1 > e"), "x:N:7: there is only 'BY walk UNIT > PLACE', not 'red hop r-1 > e'"),
        (("red walk r-1 > e", "red walk r-1 to e"), "x:N:16: 'to' cannot stand here"),
        (("red walk r-1 > e", "red walk r-1 > c"), "x:N:3: 'red walk r-1 > c' is illegal: too-far [1.2 (R-1), 1.3]"),
        (("red walk r-1 > e", "green walk r-1 > e"), "x:N:3: 'green' is no side of this game; there are: red, blue"),
        (("chance roll luck 6", "chance roll luck 7"), "x:N:3: 'chance roll luck 7' is illegal: no-such-roll [3.0]"),
    ],
)
def test_a_record_that_cannot_be_played_gives_one_clear_error(text: str, change: tuple[str, str], told: str) -> None:
    wrong = read_record(text.replace(*change, 1))
    line = next(n for n, line in enumerate(text.splitlines(), 1) if change[0] in line)
    # Somebody who changes a record can chain it anew; the rules find it all the same.
    wrong = read_record(str(sealed(wrong) if wrong.end else wrong), "x")
    with pytest.raises(RecordError) as error:
        replay(BOOK, wrong)
    assert str(error.value).startswith(told.replace(":N:", f":{line}:"))
    assert "\n" not in str(error.value)


def test_an_illegal_action_names_its_paragraphs() -> None:
    wrong = read_record(OLD.replace("red walk r-1 > e", "red walk r-1 > c"))
    with pytest.raises(RecordError) as error:
        replay(BOOK, wrong)
    assert (error.value.kind, error.value.rules) == ("illegal", ("1.2", "1.3"))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"actions": 5}, "x:20:1: the record ends with actions 5, and its game with 6"),
        ({"position": "0" * 64}, f"x:20:1: the record ends with position {'0' * 64}, and its game with "),
        ({"result": ""}, "x:20:1: the record ends with result -, and its game with over"),
        ({"result": "red wins"}, "x:20:1: the record ends with result red wins, and its game with over"),
    ],
)
def test_an_end_that_the_game_does_not_come_to_is_told(change: dict[str, Any], told: str) -> None:
    found = read_record(GOOD)
    assert found.end
    text = str(sealed(replace(found, end=replace(found.end, **change))))
    assert outcome(text).startswith(told)


def test_other_data_may_be_allowed() -> None:
    assert replay(BOOK, read_record(OLD.replace("0f0f", "1234")), data=False) == replay(BOOK, read_record(OLD))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("  turn 1", "  turn x"), "x:9:8: 'x' is no value of it"),
        (("  unit r-1 a\n  unit r-2 b", "  unit r-2 b\n  unit r-1 a"), "x:7:1: no game can begin with this position: it is not written"),
        (("  unit b-1 d\n", ""), "x:7:1: no game can begin with this position: blue has left"),
    ],
)
def test_a_first_position_that_is_none_is_told_with_its_place(change: tuple[str, str], told: str) -> None:
    text = record("red done", start=BOOK.start())
    for version in (text, first_version(text)):
        assert change[0] in version
        with pytest.raises(RecordError) as error:
            replay(BOOK, read_record(version.replace(*change, 1), "x"))
        assert str(error.value).startswith(told)
        assert error.value.kind == "position"


# -- tampering --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [GOOD, FULL], ids=["plain", "with position and overlay"])
def test_no_character_can_be_changed(text: str) -> None:
    for at, old in enumerate(text):
        for new in {" ", "\n", "\r", chr(ord(old) ^ 1), old.swapcase()} - {old}:
            changed = text[:at] + new + text[at + 1 :]
            assert outcome(changed) != "whole", (at, old, new)


@pytest.mark.parametrize("text", [GOOD, FULL], ids=["plain", "with position and overlay"])
def test_no_character_can_be_taken_out_or_put_in(text: str) -> None:
    for at in range(len(text)):
        assert outcome(text[:at] + text[at + 1 :]) != "whole", at
        for new in (" ", "\n", "0"):
            assert outcome(text[:at] + new + text[at:]) != "whole", (at, new)


@pytest.mark.parametrize("text", [GOOD, FULL], ids=["plain", "with position and overlay"])
def test_no_line_can_be_taken_out_put_in_or_exchanged(text: str) -> None:
    lines = text.splitlines(keepends=True)
    for at, line in enumerate(lines):
        assert outcome("".join((*lines[:at], *lines[at + 1 :]))) != "whole"
        for to in range(len(lines) + 1):
            assert outcome("".join((*lines[:to], line, *lines[to:]))) != "whole"
        for to in range(at + 1, len(lines)):
            if lines[to] != line:
                swapped = [*lines[:at], lines[to], *lines[at + 1 : to], line, *lines[to + 1 :]]
                assert outcome("".join(swapped)) != "whole"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ((" ring\n", " rung\n"), "x:10:11: the chain breaks here: the header, lines 1 to 10, is not what was recorded"),
        (("plan walker", "plan talker"), "x:10:11: the chain breaks here: the header, lines 1 to 10, is"),
        (("# turn 1", "# turn 2"), "x:12:22: the chain breaks here: this line, or a comment from line 11 on, is not what was recorded"),
        (("roll luck 6", "roll luck 5"), "x:13:24: the chain breaks here: this line is not what was recorded"),
        (("\n3 ", "\n4 "), "x:15:1: number 4 where 3 comes next: a line is missing or out of its place"),
        (("# the end", "# the And"), "x:20:95: the chain breaks here: this line, or a comment from line 19 on, is not"),
        (("result over", "result ovir"), "x:20:95: the chain breaks here: this line, or a comment from line 19 on, is not"),
    ],
)
def test_the_first_broken_line_is_named(change: tuple[str, str], told: str) -> None:
    assert change[0] in GOOD
    error = chain_error(read_record(GOOD.replace(*change, 1), "x"))
    assert error and str(error).startswith(told)
    assert error.kind == "chain"


def test_a_digest_that_was_changed_alone_is_told_as_such() -> None:
    found = read_record(GOOD, "x")
    other = "0" * 32
    changed = replace(found, entries=(*found.entries[:2], replace(found.entries[2], seal=other), *found.entries[3:]))
    error = chain_error(changed)
    assert error and str(error).startswith("x:15:14: the digest of this line was changed, not its text: what follows rests on ")


# -- any text ---------------------------------------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(st.sampled_from([GOOD, OLD, FULL]), st.text(max_size=40), st.integers(0, 900), st.integers(0, 20))
def test_no_text_does_worse_than_a_record_error(text: str, junk: str, at: int, drop: int) -> None:
    text = text[:at] + junk + text[at + drop :]
    try:
        found = read_record(text)
        again = read_record(str(found))
    except RecordError:
        return
    assert (again.header, again.actions) == (found.header, found.actions)
    assert str(again) == str(found)
    if found.end:
        assert str(found) == text.removeprefix("\ufeff").replace("\r\n", "\n")


LINE = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=12).filter(lambda s: s == s.strip())
TEXT = st.text(st.characters(exclude_characters="\r", exclude_categories=["Cs"]), max_size=40).map(lambda s: s + "\n")


@st.composite
def games(draw: Callable[[st.SearchStrategy[Any]], Any]) -> tuple[Header, list[str]]:
    """A header of any texts, and a lawful game with comments in it."""
    p, actions = BOOK.start(), list[str]()
    while not BOOK.over(p) and len(actions) < draw(st.integers(0, 12)):
        if draw(st.booleans()):
            actions.append(f"#{draw(LINE)}")
        choices = [a for a in BOOK.legal(p) if BOOK.check(p, a).legal]
        if not choices:
            break
        actions.append(str(action := draw(st.sampled_from(choices))))
        p = BOOK.play(p, action)
    notes = tuple(draw(st.lists(LINE, max_size=2)))
    overlay = draw(st.dictionaries(st.from_regex(r"[a-z]{1,5}\.csv", fullmatch=True), TEXT, max_size=3))
    return replace(header_of(BOOK, notes=notes, seed=draw(st.just("") | LINE)), overlay=tuple(sorted(overlay.items()))), actions


@settings(max_examples=150, deadline=None)
@given(games(), st.data())
def test_any_game_reads_back_as_it_was_and_no_character_of_it_can_be_changed(game: tuple[Header, list[str]], data: Any) -> None:
    header, actions = game
    made: Record = record_of(BOOK, header, actions, last_of(actions, BOOK.start()))
    text = str(made)
    found = read_record(text)
    assert (found.header, found.actions, found.comments) == (header, made.actions, made.comments)
    assert str(found) == text
    assert [entry.comments for entry in found.entries] == [entry.comments for entry in made.entries]
    assert replay(BOOK, found) == last_of(actions, BOOK.start())
    at = data.draw(st.integers(0, len(text) - 1))
    new = data.draw(st.characters(exclude_categories=["Cs"]).filter(lambda c: c != text[at]))
    assert outcome(text[:at] + new + text[at + 1 :]) != "whole"


def test_the_parts_are_values() -> None:
    assert Header("g", "s", (), 1, "d") == Header("g", "s", (), 1, "d")
    assert hash(Entry("red done")) == hash(Entry("red done"))
