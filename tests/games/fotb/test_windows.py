"""Windows: who may answer what, in which order, and that they open whatever anybody holds (11.5, 11.6, R-F43, R-F44, R-F59)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.fotb.layout import (
    BOOK,
    G,
    agreed,
    allowed,
    by,
    go_on,
    hand,
    lay,
    legal,
    owed,
    play,
    refused,
    rule,
    ruling,
    sealed,
    step,
)

WEST, SOVIET, AXIS = "west_action operations west", "soviet_action operations soviet", "axis_action operations axis"
FRONT = "so-balt1 37: so-2gda so-4shk so-43a / ax-4a 37: ax-12k ax-27k / ax-3pz 37: ax-6k ax-53k"


def dice(hands: str = "axis: ax-szorkeny / soviet: so-propaganda", faces: str = "6,1") -> Any:
    """A Soviet attack whose dice have just been thrown."""
    p = go_on(play(lay(SOVIET, FRONT, hands=hands), "soviet attack so-balt1 @ 37"))
    return play(go_on(go_on(p)), f"chance roll combat {faces}")


@rule("11.5.n")
@ruling("R-F59")
def test_Szorkeny_throws_one_die_again_its_own_or_the_enemys_and_keeps_either() -> None:
    p = dice()
    assert step(p) == "reroll" and by(p) == "soviet"
    allowed(p, "axis reroll ax-szorkeny > 1", "axis reroll ax-szorkeny > 2", "soviet done")
    refused(p, "axis reroll ax-szorkeny > 3", "11.5.n")
    p = play(p, "axis reroll ax-szorkeny > 1")
    assert step(p) == "reroll-die" and hand(p, "axis") == set()
    p = play(p, "chance roll combat 2")
    assert step(p) == "keep" and by(p) == "axis" and owed(p)
    old, new = play(p, "axis keep > old"), play(p, "axis keep > new")
    refused(p, "soviet keep > new", "2")
    assert go_on(old).combat.dice == (6, 1) and go_on(new).combat.dice == (2, 1)


@rule("11.6.e")
@ruling("R-F9")
@ruling("R-F44")
def test_Soviet_Propaganda_is_a_rethrow_and_answers_a_rethrow() -> None:
    p = play(dice(), "axis reroll ax-szorkeny > 1", "chance roll combat 1", "axis keep > new")
    assert step(p) == "reroll" and by(p) == "soviet"
    refused(p, "soviet reroll so-propaganda > 3", "11.6.e", "11.5.n", only=True)
    p = play(p, "soviet reroll so-propaganda > 1")
    refused(p, "chance roll combat 7", "11.6.e", only=True)
    p = play(p, "chance roll combat 5")
    refused(p, "soviet turn-over so-balt1", "11.6.e", "11.5.n", only=True)
    p = play(p, "soviet keep > new")
    assert go_on(p).combat.dice == (5, 1) and hand(p, "soviet") == set()


@ruling("R-F59")
def test_a_card_that_throws_nothing_again_is_refused_in_the_window() -> None:
    p = dice("axis: ax-blocking / soviet: so-joukov")
    refused(p, "axis reroll ax-blocking > 1", "11.5.n", only=True)
    refused(p, "soviet reroll so-propaganda > 1", "11.4", only=True)
    agreed(p)


@ruling("R-F61")
def test_inside_a_combat_nationals_are_rethrows_only() -> None:
    p = go_on(play(lay(SOVIET, FRONT, hands="soviet: so-joukov so-organ / axis: ax-secret ax-offensive"), "soviet attack so-balt1 @ 37"))
    for line in ("soviet play so-joukov > so-balt1", "soviet play so-organ > 37"):
        refused(p, line, "10.2.b", only=True)
    refused(p, "soviet lay so-joukov", "11.1.c")


@ruling("R-F43")
@ruling("R-F136")
@pytest.mark.parametrize("where", ["operations", "cancel", "stratagems", "reroll", "loss"])
def test_no_window_tells_what_the_enemy_holds(where: str) -> None:
    p = lay(SOVIET, FRONT, hands="axis: ax-szorkeny ax-blocking")
    steps = ["soviet attack so-balt1 @ 37", "soviet done", "soviet done", "axis done", "chance roll combat 6,1", "soviet done"]
    while step(p) != where:
        p = play(p, steps.pop(0))
    held = sealed(p, "axis", hand=sum(1 << G.cards.index[c] for c in ("ax-propaganda", "ax-mystification")))
    assert step(held) == step(p) and by(held) == by(p)
    for seat in ("west", "soviet"):
        assert legal(held, seat) == legal(p, seat)
        assert BOOK.view(held, seat) == BOOK.view(p, seat)


@ruling("R-F102")
@ruling("R-F136")
def test_units_of_equal_totals_look_alike_to_the_enemy_until_he_must_pick() -> None:
    p = lay(SOVIET, FRONT + "/ + reserve: ax-13k ax-42k")
    q = lay(SOVIET, FRONT.replace("ax-12k ax-27k", "ax-13k ax-42k") + "/ + reserve: ax-12k ax-27k")
    for line in ("soviet attack so-balt1 @ 37", "soviet done", "soviet done", "axis done", "chance roll combat 6,1", "soviet done"):
        assert legal(p, "soviet") == legal(q, "soviet") and BOOK.view(p, "soviet") == BOOK.view(q, "soviet")
        p, q = play(p, line), play(q, line)
    assert step(p) == "loss" and BOOK.view(p, "soviet") == BOOK.view(q, "soviet")


@ruling("R-F102")
def test_the_enemy_learns_the_units_only_with_his_first_choice() -> None:
    q = go_on(dice("", "6,1"))
    assert step(q) == "loss" and by(q) == "axis" and q.shown == ()
    assert legal(q, "soviet") == set()
    q = play(q, "axis lose ax-6k")
    assert len(q.shown) == 4 and {t.split()[1] for t in legal(q, "soviet")} == {"lose"}


@ruling("R-F132")
def test_after_a_separate_peace_the_west_answers_nothing() -> None:
    p = lay(SOVIET, FRONT, hands="west: we-enigma op-artillery", peace=True)
    assert legal(p, "west") == set()
    assert told_nothing(p, "west lend op-artillery")


def told_nothing(p: Any, line: str) -> bool:
    """Whether the line is refused because it is somebody else's turn to speak."""
    return {r.code for r in BOOK.check(p, BOOK.parse(line)).reasons} == {"wrong-hand"}


@rule("11.5.m")
@ruling("R-F43")
def test_a_side_off_move_never_ends_the_step() -> None:
    p = lay(SOVIET, FRONT, hands="axis: ax-propaganda")
    refused(p, "axis done", "2")
    refused(p, "west done", "2")
