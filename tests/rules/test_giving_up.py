"""Giving the game up in chat: read by its parts, in several languages; what is only near it is not taken for it."""

from __future__ import annotations

import pytest

from referee.rules.events import TableEvent
from referee.rules.giving_up import TONGUES, GivesUp, Tongue, given_up, gives_up

OWN = ("Axis",)
OTHERS = ("Allied", "Western Allies", "Soviets")


@pytest.mark.parametrize(
    "text",
    [
        "I concede.",
        "I give up",
        "OK, I give up!",
        "Well played, I resign. GG",
        "We surrender",
        "we hereby capitulate",
        "I'm conceding",
        "I've conceded",
        "That's it, I throw in the towel",
        "I want to concede the game",
        "OK I'm done, I concede - good game",
        "Axis concedes",
        "the Axis gives up.",
        "ich gebe auf",
        "Gut, dann gebe ich auf",
        "Ich gebe das Spiel auf",
        "ich gebe mich geschlagen",
        "Ich ergebe mich",
        "hiermit kapituliere ich",
        "poddaję się",
        "Poddaję partię, gratulacje",
        "j'abandonne",
        "je me rends, bravo",
        "Je concède la partie",
        "me rindo",
        "Mi arrendo",
        "ik geef het op",
        "jag ger upp",
        "vzdávám se",
        "сдаюсь",
    ],
)
def test_the_game_is_given_up(text: str) -> None:
    assert gives_up(text, OWN, OTHERS) is GivesUp.SURELY


@pytest.mark.parametrize(
    "text",
    [
        "I don't concede",
        "I won't give up",
        "I never surrender!",
        "I'm not going to resign yet",
        "ich gebe nicht auf",
        "nie poddaję się",
        "je n'abandonne pas",
        "Non mi arrendo",
        "no me rindo",
    ],
)
def test_who_denies_it_does_not(text: str) -> None:
    assert gives_up(text, OWN, OTHERS) is GivesUp.DENIED


@pytest.mark.parametrize(
    "text",
    [
        "I give up Bordeaux",
        "I surrender zone 14",
        "Ich gebe Paris auf",
        "I give up the attack",
        "I concede the hill",
        "resign!",
        "concede",
        "Romania capitulates",
    ],
)
def test_what_may_be_something_else_that_is_given_up_is_no_more_than_perhaps(text: str) -> None:
    assert gives_up(text, OWN, OTHERS) is GivesUp.PERHAPS


@pytest.mark.parametrize(
    "text",
    [
        "If you roll a 6, I concede",
        "I would give up now",
        "I almost gave up",
        "when I surrender you'll know",
        "wenn das schiefgeht, gebe ich auf",
        "jeśli tak, to poddaję się",
        "do you concede?",
        "Shall I resign?",
        "you should concede",
        "I hope you concede soon",
        "I think you give up too early",
        "he surrenders",
        "The Allies give up",
        "Soviets surrender",
        "give me a minute",
        "I give you a 6",
        "gebe dir einen Tipp",
        "auf geht's",
        "I'm throwing three dice",
        "I attack 14 with 3 Gds",
        "",
    ],
)
def test_what_is_near_it_is_not_it(text: str) -> None:
    assert gives_up(text, OWN, OTHERS) is GivesUp.NOTHING


@pytest.mark.parametrize("tongue", TONGUES, ids=lambda tongue: next(iter(tongue.verbs)))
def test_every_verb_of_a_language_is_read_and_none_gives_up_when_it_is_denied(tongue: Tongue) -> None:
    who, no = min(tongue.me), min(tongue.no)
    for verb, needs in tongue.verbs.items():
        rest = f"{verb} {needs.split(',')[0]}".strip()
        assert gives_up(f"{who} {rest}") in (GivesUp.SURELY, GivesUp.PERHAPS), rest
        assert gives_up(f"{who} {no} {rest}") in (GivesUp.DENIED, GivesUp.PERHAPS), rest


def _sides(seat: str) -> tuple[str, ...]:
    return {"Axis": ("Axis",), "Allied": ("Allied", "Soviets")}.get(seat, ())


def _chat(step: int, text: str, seat: str = "Axis", *, undone: bool = False) -> TableEvent:
    return TableEvent(step, "chat", player=f"{seat} player", seat=seat, text=text, undone=undone)


def _read(*events: TableEvent) -> list[tuple[int, str, bool, bool]]:
    return [(g.step, g.seat, g.surely, g.played_on) for g in given_up(events, _sides, ("Axis", *OTHERS))]


def test_what_is_done_after_it_says_whether_the_game_has_ended() -> None:
    move = TableEvent(2, "move", piece="x")
    assert _read(_chat(1, "I give up")) == [(1, "Axis", True, False)]
    assert _read(_chat(1, "I give up"), move) == [(1, "Axis", True, True)]
    assert _read(_chat(1, "I give up"), move, _chat(3, "ok, I give up")) == [(3, "Axis", True, False)]
    assert _read(_chat(1, "I give up"), TableEvent(2, "move", piece="x", undone=True), _chat(3, "thanks")) == [(1, "Axis", True, False)]
    for kind in ("roll", "flip", "phase", "place", "remove"):
        assert _read(_chat(1, "I give up"), TableEvent(2, kind, seat="Allied")) == [(1, "Axis", True, True)]  # type: ignore[arg-type]


def test_who_denies_it_later_has_not_given_up_and_nobody_gives_up_for_another() -> None:
    assert _read(_chat(1, "I give up"), _chat(2, "no wait, I don't give up")) == []
    assert _read(_chat(1, "I give up"), _chat(2, "I don't give up", "Allied")) == [(1, "Axis", True, False)]
    assert _read(_chat(1, "The Axis gives up", "Allied"), _chat(2, "I give up", "Observer"), _chat(3, "I give up", undone=True)) == []
    assert _read(_chat(1, "the Soviets give up", "Allied")) == [(1, "Allied", True, False)]


def test_of_what_is_sure_and_what_is_not_the_sure_stands() -> None:
    assert _read(_chat(1, "I give up"), _chat(2, "I surrender Berlin")) == [(1, "Axis", True, False)]
    assert _read(_chat(1, "I surrender Berlin"), _chat(2, "I give up")) == [(2, "Axis", True, False)]
    assert _read(_chat(1, "I surrender Berlin")) == [(1, "Axis", False, False)]
