"""What the core does by itself: whose decision it is, checks left out, duties, the list of legal actions, the end."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.model import CHANCE, LEGAL, Cite, Done, Roll, Verdict, cite
from tests.rules.tiny import Walk, book

BOOK = book()


def codes(p: Any, text: str, **more: Any) -> list[str]:
    return [reason.code for reason in BOOK.check(p, BOOK.parse(text), **more).reasons]


def after(*texts: str) -> Any:
    p = BOOK.start()
    for text in texts:
        assert BOOK.check(p, BOOK.parse(text)).legal, text
        p = BOOK.play(p, BOOK.parse(text))
    return p


def test_a_legal_action_has_the_one_legal_ruling() -> None:
    assert BOOK.check(BOOK.start(), BOOK.parse("red walk r-1 > b")) is LEGAL
    assert not LEGAL.reasons and LEGAL.verdict is Verdict.LEGAL


def test_the_first_reason_is_told_or_every_one() -> None:
    p = after("red walk r-1 > b")
    assert codes(p, "red walk r-1 > d") == ["tired"]
    assert codes(p, "red walk r-1 > d", every=True) == ["tired", "too-far"]


def test_a_check_left_out_is_as_if_it_were_not_there() -> None:
    p = after("red walk r-1 > b")
    assert BOOK.check(p, BOOK.parse("red walk r-1 > c"), without=frozenset({"tired"})).legal
    assert codes(p, "red walk r-1 > d", without=frozenset({"tired"})) == ["too-far"]
    assert BOOK.check(p, BOOK.parse("red walk r-1 > d"), without=frozenset({"tired", "too-far"})).legal


def test_the_wrong_hand_is_told_only_when_nothing_else_is_wrong() -> None:
    p = BOOK.start()
    assert codes(p, "blue walk r-1 > b") == ["not-yours"]
    assert codes(p, "blue walk r-1 > d", every=True) == ["too-far"]
    assert codes(p, "blue done") == ["not-yours"]
    assert codes(p, "blue walk r-1 > b", without=frozenset({"not-yours"})) == []


def test_a_step_does_not_end_while_a_duty_is_owed() -> None:
    p = after("red walk r-1 > b")
    assert codes(p, "red done") == ["crowded"]
    assert [reason.code for reason in BOOK.duties(p)] == ["crowded"]
    assert Done("red") not in list(BOOK.legal(p))
    assert codes(BOOK.play(p, BOOK.parse("red walk r-2 > c")), "red done") == []


def test_chance_answers_with_the_right_die() -> None:
    p = after("red walk r-1 > e")
    assert codes(p, "chance roll luck 7") == ["no-such-roll"]
    assert codes(p, "chance roll luck 1,2") == ["no-such-roll"]
    assert codes(p, "chance roll fate 1") == ["roll-awaited"]
    assert codes(p, "red walk r-2 > c") == ["roll-awaited"]
    assert codes(p, "red roll luck 3") == ["not-yours"]
    assert list(BOOK.legal(p)) == [Roll(CHANCE, "luck", (n,)) for n in range(1, 7)]


def test_the_list_can_be_asked_for_one_unit_or_one_side() -> None:
    p = BOOK.start()
    assert [str(a) for a in BOOK.legal(p)] == [
        *("red walk r-1 > b", "red walk r-1 > e", "red walk r-2 > a", "red walk r-2 > c", "red done"),
    ]
    assert [str(a) for a in BOOK.legal(p, about=1)] == ["red walk r-2 > a", "red walk r-2 > c"]
    assert list(BOOK.legal(p, by="blue")) == []


def test_nothing_is_legal_after_the_end_and_every_act_is_told_why() -> None:
    p = after("red done", "blue done", "red done")
    assert BOOK.over(p)
    assert list(BOOK.legal(p)) == []
    assert codes(p, "red done") == ["over"]
    assert codes(p, "blue walk b-1 > c") == ["over"]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 30), min_size=1, max_size=12))
def test_everything_listed_is_legal_and_playing_changes_no_old_position(picks: list[int]) -> None:
    p = BOOK.start()
    for pick in picks:
        acts = list(islice(BOOK.legal(p), 40))
        if not acts:
            break
        assert all(BOOK.check(p, a).legal for a in acts)
        assert all(BOOK.parse(str(a)) == a for a in acts)
        kept, text = hash(p), repr(p)
        q = BOOK.play(p, acts[pick % len(acts)])
        assert hash(p) == kept and repr(p) == text
        p = q


def test_cites_are_read_from_short_texts_and_tell_themselves() -> None:
    assert cite("5.1", "4.0 R-2", "5.1 R-3 18/6") == (Cite("5.1"), Cite("4.0", "R-2"), Cite("5.1", "R-3", "18/6"))
    assert [str(c) for c in cite("5.1", "4.0 R-2", "5.1 R-3 18/6")] == ["5.1", "4.0 (R-2)", "5.1 (R-3, option 18/6)"]


def test_a_reason_gives_its_facts_by_name() -> None:
    (reason,) = BOOK.check(BOOK.start(), Walk("red", "r-1", "d")).reasons
    assert (reason.fact("unit"), reason.fact("none"), reason.paragraphs) == ("r-1", "", ("1.2", "1.3"))
    assert BOOK.sentence(reason) == "too-far [1.2 (R-1), 1.3]"


@pytest.mark.parametrize("side", [None, "red", "blue"])
def test_an_open_game_hides_nothing(side: str | None) -> None:
    p = BOOK.start()
    assert BOOK.view(p, side) is p
