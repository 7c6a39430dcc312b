"""13: the verdict after the last turn, and what ends the war before (R-F132 to R-F134)."""

from __future__ import annotations

import pytest

from referee.games.overlord_to_berlin.victory import in_words
from tests.games.fotb.layout import ZONES, G, Pos, check, example, in_use, lay, play, playing, refused, rule, ruling

BLUE = (1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14)
BLACK = (15, 16, 17, 18, 19, 23, 24, 25, 28, 29, 30, 31, 32, 33, 37, 38, 39, 40, 41)
RED = (20, 21, 22, 26, 27, 34, 35, 42, 43, 48, 49, 50, 51, 52, 53, 54)


def ended(west: tuple[int, ...], soviet: tuple[int, ...], forces: str = "", turn: int = 7, **fields: object) -> Pos:
    """The position after the final phase of a turn in which these zones are held."""
    control = f"west: {' '.join(map(str, west))} / soviet: {' '.join(map(str, soviet))}"
    fields.setdefault("capitulated", ("Romania", "Hungary"))
    return lay("final formations_face_up axis", forces, control=control, turn=turn, **fields)  # type: ignore[arg-type]


def winner(p: Pos) -> str:
    """Who has won, "" while the game goes on."""
    return p.result.split(",")[0]


@rule("13.a")
@rule("13.b")
@rule("13.c")
@ruling("R-F8")
@ruling("R-F134")
def test_the_allies_win_with_every_target_after_the_seventh_turn() -> None:
    p = ended(BLUE, BLACK + RED)
    assert in_use().over(p) and winner(p) == "allies"
    refused(p, "west done", "13")
    for turn in range(1, 7):
        p = ended(BLUE, BLACK + RED, turn=turn)
        assert not in_use().over(p) and not p.result and p.turn == turn + 1, "no earlier win"


@rule("13.b")
@rule("13.c")
@rule("13.d")
@ruling("R-F134")
@pytest.mark.parametrize("lost", [*BLUE, *BLACK, *RED])
def test_one_target_less_and_the_axis_wins(lost: int) -> None:
    p = ended(tuple(z for z in BLUE if z != lost), tuple(z for z in BLACK + RED if z != lost))
    assert in_use().over(p) and winner(p) == "axis"


@rule("13.b")
@rule("13.c")
@ruling("R-F24")
@ruling("R-F134")
def test_contesting_a_target_is_enough_supply_or_not() -> None:
    blue, rest = tuple(z for z in BLUE if z != 7), tuple(z for z in BLACK + RED if z != 17)
    assert winner(ended(blue, rest, "we-1us 7: we-vus / ax-1a 7: ax-80k / so-ukr1 17: so-13a / ax-4pz 17: ax-13k")) == "allies"
    assert winner(ended(blue, rest, "we-1us 7: we-vus / ax-1a 7: ax-80k / ax-4pz 17: ax-13k")) == "axis"
    assert winner(ended(blue, rest, "so-ukr1 17: so-13a / ax-4pz 17: ax-13k / ax-1a 7: ax-80k")) == "axis"
    nothing_else = "we-1us 7: we-vus / ax-1a 7: ax-80k"
    assert G.land.zone("10") < len(ZONES) and winner(ended(BLUE, BLACK + RED, nothing_else, pr="axis 9")) == "allies"


@rule("13.b")
@rule("13.c")
@ruling("R-F29")
@ruling("R-F134")
def test_a_target_counts_for_the_ally_whose_colour_it_is() -> None:
    assert winner(ended(tuple(z for z in BLUE if z != 14), (*BLACK, *RED, 14))) == "axis"
    assert winner(ended((*BLUE, 19), tuple(z for z in BLACK + RED if z != 19))) == "axis"
    assert winner(ended((*BLUE, 21), tuple(z for z in BLACK + RED if z != 21))) == "axis"


@rule("13.b")
@rule("13.d")
@rule("PE.West.2.c")
@rule("PE.Axis.2.c")
@example("F-54")
@ruling("R-F132")
def test_F_54_after_a_separate_peace_only_the_switch_lets_the_soviets_win_alone() -> None:
    assert winner(ended((), BLACK + RED, peace=True)) == "axis"
    with playing("peace-soviets-alone"):
        assert winner(ended((), BLACK + RED, peace=True)) == "allies"
        assert winner(ended((), BLACK[1:] + RED, peace=True)) == "axis"
        assert winner(ended((), BLACK + RED)) == "axis", "without a peace both points stand"


@ruling("R-F134")
@pytest.mark.parametrize("side,won", [("west", "axis"), ("soviet", "axis"), ("axis", "allies")])
def test_a_player_may_concede(side: str, won: str) -> None:
    p = lay("west_action combine west", "we-5us 10: we-iius")
    p = play(p, f"{side} concede")
    assert in_use().over(p) and winner(p) == won


@rule("13.d")
@ruling("R-F134")
@pytest.mark.parametrize(
    "west, soviet, told",
    [
        (BLUE, BLACK + RED, "the Allies win: every target is held or contested"),
        (BLUE[1:], BLACK + RED, "the Axis wins: it kept 1 blue target"),
        (BLUE, BLACK[2:] + RED, "the Axis wins: it kept 2 black and red targets"),
        (BLUE[3:], BLACK[1:] + RED, "the Axis wins: it kept 3 blue and 1 black and red target"),
    ],
)
def test_who_has_won_is_said_in_words(west: tuple[int, ...], soviet: tuple[int, ...], told: str) -> None:
    p = ended(west, soviet)
    assert in_words(p.result) == told
    (reason,) = check(p, "west done").reasons
    assert in_use().sentence(reason) == f"the game has ended, and {told} [13]"


@ruling("R-F134")
@ruling("R-F132")
@pytest.mark.parametrize(
    "result, told",
    [
        ("allies, axis gave up", "the Allies win: the Axis gave up"),
        ("axis, soviet gave up", "the Axis wins: the Soviets gave up"),
        ("allies, Germany surrenders", "the Allies win: Germany surrenders"),
        ("axis, separate peace in the West", "the Axis wins: the West has made a separate peace"),
    ],
)
def test_an_end_before_its_time_is_said_in_words(result: str, told: str) -> None:
    assert in_words(result) == told
