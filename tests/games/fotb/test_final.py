"""The final phase (2), capitulations (12.1) and the dice of the paratroops (12.3)."""

from __future__ import annotations

import pytest

from tests.games.fotb.layout import (
    CARDS,
    UNITS,
    G,
    Pos,
    agreed,
    allowed,
    bits,
    by,
    example,
    go_on,
    hand,
    holder,
    home,
    in_use,
    lay,
    legal,
    owed,
    phase,
    play,
    reduced,
    refused,
    rule,
    ruling,
    sealed,
    step,
    throw,
    units,
    where,
    zone,
)

OPERATIONALS = {card for card in CARDS if card.startswith("op-")}
BUCHAREST, BUDAPEST = "53", "26"
MINORS = "ax-3rom 52: ax-2romk ax-6romk ax-89k- / ax-1hun 27: ax-6hunk / ax-8a 51: ax-4romk / + destroyed: ax-7hunk"


def final(forces: str, **fields: object) -> Pos:
    """The end of a turn of which the action phases are over."""
    return lay("final capitulation soviet", forces, **fields)  # type: ignore[arg-type]


def next_turn(p: Pos) -> Pos:
    """The position at the first decision of the next turn."""
    turn = p.turn
    for _ in range(30):
        if p.turn > turn or in_use().over(p):
            return p
        p = throw(p, 1) if step(p) == "dice" else go_on(p)
    raise AssertionError(p.agenda)


# ---------------------------------------------------------------------------------------------------------------------------
# 12.1


@rule("12.1.f")
@rule("12.1.g")
@ruling("R-F119")
@ruling("R-F120")
def test_a_country_whose_capital_the_soviets_hold_alone_leaves_the_war() -> None:
    p = final(f"so-ukr2 53: so-27a / {MINORS}")
    assert p.capitulated == ("Romania",)
    for unit in ("ax-2romk", "ax-6romk", "ax-4romk"):
        assert where(p, unit) == "removed"
    assert zone(p, "ax-3rom") == "axis-removed"
    assert where(p, "ax-89k") == "reserve" and reduced(p, "ax-89k"), "a German unit of its army"
    assert home(p, "ax-8a"), "a German army left empty"
    assert where(p, "ax-6hunk") == "ax-1hun" and where(p, "ax-7hunk") == "destroyed", "the other country fights on"
    both = final(f"so-ukr2 53: so-27a / so-ukr3 26: so-37a / {MINORS}")
    assert set(both.capitulated) == {"Romania", "Hungary"} and where(both, "ax-7hunk") == where(both, "ax-6hunk") == "removed"


@rule("12.1.f")
@ruling("R-F119")
@pytest.mark.parametrize(
    "forces,control,falls",
    [
        ("", "soviet: 53", True),  # control is enough
        ("", "", False),
        ("so-ukr2 53: so-27a / ax-6a 53: ax-7k", "", False),  # contested
        ("so-ukr2 53: so-27a / ax-6a 53: ax-7k", "soviet: 53", False),
        ("we-5us 53: we-iius", "", False),  # the West does not count
        ("so-ukr2 52: so-27a", "", False),
    ],
)
def test_the_capital_must_be_soviet_and_uncontested(forces: str, control: str, falls: bool) -> None:
    p = final(f"{forces} / ax-8a 51: ax-4romk" if forces else "ax-8a 51: ax-4romk", control=control)
    assert (p.capitulated == ("Romania",)) is falls


@rule("12.1.f")
@ruling("R-F119")
def test_each_country_falls_once_and_a_zone_retaken_stays_empty_of_it() -> None:
    p = final("so-ukr2 53: so-27a- / ax-8a 51: ax-4k", capitulated=("Romania",))
    assert step(p) != "liberation" and p.capitulated == ("Romania",)


@rule("12.1.g")
@ruling("R-F120")
def test_zones_that_nobody_of_the_axis_holds_any_more_pass_to_the_soviets_who_stand_there() -> None:
    p = final("so-ukr2 53: so-27a / ax-3rom 52: ax-2romk / so-ukr3 52: so-37a / ax-1hun 27: ax-6hunk")
    assert holder(p, 52) == "soviet" and holder(p, 27) == "axis"


@rule("12.1.h")
@rule("12.1.i")
@example("F-59")
@ruling("R-F121")
def test_F_59_two_steps_of_infantry_in_the_capital_are_restored_as_far_as_there_are() -> None:
    p = final("so-ukr3 26: so-8gda- so-6gtka- / so-ukr2 27: so-27a- / ax-1hun 25: ax-6hunk")
    assert p.capitulated == ("Hungary",) and step(p) == "liberation" and by(p) == "soviet"
    assert {t for t in legal(p) if " restore " in t} == {"soviet restore so-8gda"}
    refused(p, "soviet restore so-6gtka", "12.1.h", only=True)  # armour
    refused(p, "soviet restore so-27a", "12.1.h", only=True)  # elsewhere
    refused(p, "soviet restore so-8gda @ soviet", "12.1.h", only=True)
    refused(p, "soviet rebuild so-8gda > full", "2", only=True)
    q = play(p, "soviet restore so-8gda")
    assert not reduced(q, "so-8gda") and step(q) == "liberation"
    refused(q, "soviet restore so-8gda", "12.1.i", only=True)
    q = go_on(q)
    assert step(q) != "liberation" and reduced(q, "so-6gtka") and q.pr == p.pr


@rule("12.1.h")
@ruling("R-F121")
def test_no_more_than_two_steps_and_only_in_the_capital() -> None:
    p = final("so-ukr3 26: so-37a- so-46a- so-5shk- / ax-1hun 25: ax-6hunk")
    agreed(p)
    p = play(p, "soviet restore so-37a", "soviet restore so-5shk")
    assert step(p) != "liberation" and reduced(p, "so-46a")
    # Asked whatever the fronts hold; not where none stands.
    assert step(final("so-ukr3 26: so-6gtka / ax-1hun 25: ax-6hunk")) == "liberation"
    nobody = final("ax-1hun 25: ax-6hunk", control="soviet: 26")
    assert nobody.capitulated == ("Hungary",) and step(nobody) != "liberation"


@rule("12.1.g")
@ruling("R-F77")
def test_after_the_capitulation_the_axis_has_the_oil_only_if_it_takes_the_zone_back() -> None:
    p = lay("economic income axis", "", control="soviet: 53", capitulated=("Romania",))
    q = lay("economic income axis", "ax-6a 53: ax-7k", control="soviet: 53", capitulated=("Romania",))
    assert q.pr[3] == p.pr[3] + 1


# ---------------------------------------------------------------------------------------------------------------------------
# 12.3


@rule("12.3.d")
@rule("12.3.e")
@example("F-44")
@example("F-26")
@ruling("R-F114")
@pytest.mark.parametrize("turn,die,usable", [(2, 1, 3), (2, 2, 3), (2, 3, 4), (2, 4, 4), (5, 5, 8), (5, 6, 8), (1, 6, 4)])
def test_F_44_half_the_die_rounded_up_is_the_number_of_turns(turn: int, die: int, usable: int) -> None:
    forces = "+ paratroops: we-iukpara we-xviiiuspara / ax-8a 51: ax-4k"
    p = lay("final paratroop_dice west", forces, turn=turn, used_corps=bits("we-iukpara"))
    assert step(p) == "dice" and p.agenda[-1].data[0] == "paratroops"
    p = throw(p, die)
    corps = UNITS.index("we-iukpara")
    assert p.turn == turn + 1 and not p.used_corps
    assert p.returns == (((corps, usable),) if usable > turn + 1 else ())
    assert where(p, "we-iukpara") == "paratroops"


@rule("12.3.d")
@ruling("R-F114")
def test_each_corps_used_has_its_own_die() -> None:
    p = lay(
        "final paratroop_dice west",
        "+ paratroops: we-iukpara we-xviiiuspara / ax-8a 51: ax-4k",
        turn=1,
        used_corps=bits("we-iukpara we-xviiiuspara"),
        hands="soviet: so-propaganda",
    )
    p = throw(p, 3)
    assert step(p) == "dice"
    p = throw(p, 6)
    assert p.returns == ((UNITS.index("we-iukpara"), 3), (UNITS.index("we-xviiiuspara"), 4))
    unused = lay("final paratroop_dice west", "+ paratroops: we-iukpara / ax-8a 51: ax-4k", turn=1)
    assert unused.turn == 2, "no die for a corps that was not used"


@rule("12.3.d")
@ruling("R-F114")
def test_a_corps_that_is_back_is_no_more_waited_for() -> None:
    iuk = UNITS.index("we-iukpara")
    p = lay("final formations_face_up west", "ax-8a 51: ax-4k", turn=2, returns=((iuk, 3),))
    assert p.turn == 3 and p.returns == ()
    p = lay("final formations_face_up west", "ax-8a 51: ax-4k", turn=2, returns=((iuk, 4),))
    assert p.turn == 3 and p.returns == ((iuk, 4),)


# ---------------------------------------------------------------------------------------------------------------------------
# 2: cards back, formations face up


@rule("2.l")
@rule("11.3.b")
@example("F-28")
@ruling("R-F45")
@ruling("R-F42")
def test_operationals_go_back_and_nationals_stay() -> None:
    hands = "west: we-patton op-surprise op-surround / soviet: so-organ op-elastic / axis: ax-flak ax-secret op-antitank"
    p = lay("final operationals_back west", "ax-8a 51: ax-4k", hands=hands, used_cards=bits("op-artillery"), turn=3)
    assert p.turn == 4
    assert (hand(p, "west"), hand(p, "soviet"), hand(p, "axis")) == ({"we-patton"}, {"so-organ"}, {"ax-flak", "ax-secret"})
    assert p.held == ((1, 0), (1, 0), (2, 0)) and not p.used_cards
    q = lay("political draw_operational west", "ax-8a 51: ax-4k")
    assert {card for text in legal(q) for card in text.split()[2].split(",")} == OPERATIONALS


@rule("2.m")
@ruling("R-F42")
def test_formations_are_face_up_and_the_turn_is_forgotten() -> None:
    size = len(G.gfs.ids)
    p = lay(
        "final formations_face_up west",
        "ax-8a 51: ax-4k / we-5us 10: we-iius / so-ukr1 46: so-13a",
        turn=2,
        pa=bytes([16] * size),
        extra=bytes([1] * size),
        event=(5, 9, 10),
        fought=bytes([2] * G.land.size),
        dropped=3,
        lent=True,
        croatia=True,
        wall=1,
    )
    assert p.turn == 3 and phase(p) == "political draw_national west"
    assert not any(p.pa) and not any(p.extra) and p.event == (0, 0, 0)
    assert not any(p.fought) and not p.dropped and not p.lent and not p.croatia and not p.wall


@rule("2.m")
@ruling("R-F42")
def test_what_events_remembered_ends_with_the_turn() -> None:
    before = lay("axis_action combine_again axis", "ax-8a 51: ax-4k / so-ukr1 46: so-13a", event=(0, 5, 5))
    for side in ("west", "soviet", "axis"):
        before = sealed(before, side, spent=(1, 2, 1, 0), owed=(2, 7), lent=1)
    p = next_turn(before)
    assert p.turn == 2
    assert all((s.spent, s.owed, s.lent, s.credit) == ((0, 0, 0, 0), (0, 0), 0, ()) for s in p.sealed)


@rule("2.l")
@ruling("R-F42")
@ruling("R-F132")
def test_after_a_separate_peace_the_turn_ends_all_the_same() -> None:
    p = lay(
        "final capitulation soviet",
        "ax-8a 51: ax-4k / so-ukr2 53: so-27a",
        hands="soviet: op-elastic / axis: op-antitank",
        used_cards=bits("op-artillery"),
        event=(2, 3, 2),
        peace=True,
        turn=3,
    )
    assert not owed(p)
    p = next_turn(p)
    assert p.turn == 4 and not hand(p, "soviet") and not hand(p, "axis") and not p.used_cards and p.event == (0, 0, 0)
    assert units(p, "so-ukr2") == "so-27a"
    allowed(p, next(iter(legal(p))))
