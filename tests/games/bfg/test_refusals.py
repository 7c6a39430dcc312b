"""Every refusal alone: it is given, under its own code and paragraphs, exactly where its condition holds, and nowhere beside it.

Where no play leads to a condition, the position is made by hand: what waits for an answer is put on the agenda.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from referee.games.battle_for_germany.actions import Attack, Group, Move, Replace
from referee.games.battle_for_germany.state import Pos
from referee.rules.model import Action, Frame
from tests.games.bfg.facts import BERLIN, HEXES, JOINED, NEAR, PLAYABLE, closed, theater
from tests.games.bfg.layout import (
    BOOK,
    INDEX,
    check,
    in_use,
    lay,
    legal,
    play,
    playing,
    rule,
    ruling,
)

LAST = max(HEXES)
"""3926, the last hex of the map: it is one, and no box."""
Told = dict[str, tuple[str, ...]]


def told(p: Pos, action: str | Action) -> Told:
    """Code -> paragraphs of every reason against an action."""
    ruling_ = check(p, action) if isinstance(action, str) else in_use().check(p, action, every=True)
    return {reason.code: reason.paragraphs for reason in ruling_.reasons}


def owed(p: Pos) -> Told:
    """Code -> paragraphs of everything that ``done`` is refused for."""
    return {reason.code: reason.paragraphs for reason in in_use().duties(p)}


def node(name: str) -> int:
    """The engine's number of a hex."""
    number: int = in_use().game.setting.land.nodes[name]
    return number


def asked(p: Pos, name: str, by: str, *data: tuple[int, ...] | int) -> Pos:
    """The position with one more question on its agenda."""
    return msgspec.structs.replace(p, agenda=(*p.agenda, Frame(name, (by,) if by else (), data)))


def offered(p: Pos, by: str, victors: str, hexes: str) -> Pos:
    """An advance of these units into these hexes is offered."""
    return asked(p, "advance", by, tuple(INDEX[u] for u in victors.split()), tuple(node(h) for h in hexes.split()), ())


def beaten(p: Pos, by: str, units: str) -> Pos:
    """These units must retreat."""
    return asked(p, "retreat", by, tuple(INDEX[u] for u in units.split()))


def test_the_last_hex_is_as_these_tests_take_it() -> None:
    assert LAST == "3926" and LAST in PLAYABLE and theater(LAST) == "east" and {"3925", "3826", "3825"} == set(JOINED[LAST])


# ---------------------------------------------------------------------------------------------------------------------------
# 2 and 3: names, phases, hands


@rule("2.5")
def test_a_unit_that_the_game_does_not_have_is_refused_by_name() -> None:
    p = lay("S movement", "su-1-gds-inf 2516, eg-2 0522")
    assert told(p, Move("soviet", "su-9-nobody", "2516", "2517")) == {"no-such-unit": ("2.5",)}
    p = lay("S combat", "su-1-gds-inf 2516, eg-24-pz 2515")
    assert told(p, Attack("soviet", ("su-1-gds-inf", "su-9-nobody"), ("2515",))) == {"no-such-unit": ("2.5",)}
    assert not told(p, Attack("soviet", ("su-1-gds-inf",), ("2515",)))


@rule("2.2")
def test_a_hex_that_the_map_does_not_have_is_refused_by_name() -> None:
    p = lay("S movement", "su-1-gds-inf 2516, su-2-gds-inf box-s, su-1-pol 3925, eg-2 0522")
    for a in (
        Move("soviet", "su-1-gds-inf", "2516", "4000"),
        Move("soviet", "su-1-gds-inf", "2516", "2518", ("4000",)),
        Move("soviet", "su-1-gds-inf", "4000", "2517"),
        Move("soviet", "su-1-gds-inf", "2516", "box-s"),
        Move("soviet", "su-1-gds-inf", "2516", "box-w"),
    ):
        assert told(p, a) == {"no-such-hex": ("2.2",)}, a
    # A unit may be said to start in a box: it is not on the map then, but the box there is.
    assert told(p, Move("soviet", "su-2-gds-inf", "box-s", "2516")) == {"not-on-map": ("5.0.a1",)}
    assert not told(p, Move("soviet", "su-1-gds-inf", "2516", "2517"))
    assert not told(p, Move("soviet", "su-1-pol", "3925", LAST))
    p = lay("S combat", "su-1-gds-inf 2516, eg-24-pz 2515")
    assert told(p, Attack("soviet", ("su-1-gds-inf",), ("2515", "4000"))) == {"no-such-hex": ("2.2",)}
    # Nothing else that is said about an action has a start.
    p = lay("S replacement", "su-1-bul box-s, eg-2 0522")
    assert told(p, Replace("soviet", "su-1-bul", "box-s")) == {"no-such-hex": ("2.2",)}


@rule("3.0.c")
def test_nothing_is_done_by_hand_in_the_turn_phase() -> None:
    p = msgspec.structs.replace(lay("EG combat", "su-1-gds-inf 2516, eg-24-pz 2515"), agenda=(Frame("turn", ("soviet",)),))
    assert told(p, "soviet move su-1-gds-inf @ 2516 > 2517") == {"nothing-to-do": ("3.0.c",)}


@rule("3.0.a1")
@rule("3.0.b1")
@rule("7.2.p1")
@ruling("R-G65")
def test_a_replacement_after_its_phase_is_told_with_the_rate() -> None:
    units = "su-1-bul box-s, we-4-us box-w, su-1-gds-inf 3026, we-5-us 0601, eg-24-pz 2515, wg-1-ss 2105"
    p = lay("S movement", units)
    assert told(p, "soviet replace su-1-bul > 2526") == {"replacement-over": ("3.0.a1", "7.2.p1")}
    # In any other phase, and for any other force, it is just the wrong one.
    assert told(p, "western-allied replace we-4-us > 2001") == {"wrong-phase": ("3.0.b1",)}
    assert told(lay("S combat", units), "soviet replace su-1-bul > 2526") == {"wrong-phase": ("3.0.a1",)}
    assert told(lay("WG movement", units), "soviet replace su-1-bul > 2526") == {"wrong-phase": ("3.0.a1",)}
    assert told(lay("W movement", units), "western-allied replace we-4-us > 2001") == {"replacement-over": ("3.0.b1", "7.2.p1")}
    # A move in its own movement phase is neither; an attack in it is too early.
    assert not told(p, "soviet move su-1-gds-inf @ 3026 > 3025")
    assert told(p, "soviet attack su-1-gds-inf > 2515") == {"wrong-phase": ("3.0.a3",)}


@rule("3.0.a3")
@rule("3.0.b3")
@rule("3.0.p1")
def test_an_action_that_names_no_unit_goes_by_the_phase_that_runs() -> None:
    units = "su-1-gds-inf 2516, eg-24-pz 2515, we-5-us 2004, wg-1-ss 2105"
    assert told(lay("S movement", units), "soviet target > 2515") == {"wrong-phase": ("3.0.a3",)}
    assert told(lay("W movement", units), "western-allied target > 2105") == {"wrong-phase": ("3.0.b3",)}
    # Before the first turn there is no phase, and no force.
    reason = check(BOOK.start(), "western-allied target > 2105").reasons[0]
    assert (reason.code, reason.paragraphs, reason.fact("phase")) == ("wrong-phase", ("3.0.p1",), "set-up")


@rule("8.0.p1")
@rule("3.0.a1")
@rule("6.1.p4")
@ruling("R-G75")
def test_the_set_up_is_no_phase_and_the_first_phase_is_one() -> None:
    # It is no combat that has to be carried out first, either.
    reason = check(BOOK.start(), "soviet move su-1-gds-inf @ 2526 > 2525").reasons[0]
    assert (reason.code, reason.paragraphs, reason.fact("phase")) == ("wrong-phase", ("3.0.a2",), "set-up")
    p = lay("S replacement", "su-1-bul box-s, su-1-gds-inf 2516, eg-24-pz 2515")
    reason = check(p, "soviet move su-1-gds-inf @ 2516 > 2517").reasons[0]
    assert reason.code == "wrong-phase" and "Soviet" in reason.fact("phase")


@rule("3.0.p1")
@rule("2.5.a")
@rule("2.5.b")
@ruling("R-G120")
@pytest.mark.parametrize(("scenario", "paragraph"), [("historical", "2.5.b"), ("three_player", "16.0"), ("four_player", "17.0")])
def test_the_wrong_hand_is_told_by_who_owns_the_units_in_that_scenario(scenario: str, paragraph: str) -> None:
    with playing(scenario):
        p = lay("S movement", "su-1-gds-inf 2516, eg-2 0522")
        told_ = told(p, "western-allied move su-1-gds-inf @ 2516 > 2517")
        assert told_ == {"not-yours": ("3.0.p1", paragraph)} and told(p, "soviet move su-1-gds-inf @ 2516 > 2517") == {}


@rule("3.0.p1")
@rule("16.0")
@rule("17.0")
@rule("6.5.a")
@ruling("R-G120")
def test_where_one_player_is_asked_another_ones_units_are_refused_for_what_they_did() -> None:
    # Two players: nobody is asked beside another, and no paragraph of three or four players is any answer.
    p = lay("S combat", "su-1-br 3726, su-1-gds-inf 3726, eg-10 3725, eg-2 3724")
    p = play(p, "soviet attack su-1-br,su-1-gds-inf > 3725", "chance roll combat 4", "western-allied retreat eg-10 > 3624")
    assert p.frame.step == "advance" and told(p, "soviet advance eg-10 > 3725") == {"took-no-part": ("6.5.a",)}


# ---------------------------------------------------------------------------------------------------------------------------
# 4 and 5: movement


@rule("5.0.a1")
@rule("9.0.a6")
def test_a_unit_in_a_box_does_not_move_and_one_in_the_last_hex_does() -> None:
    p = lay("S movement", f"su-1-gds-inf box-s, su-2-gds-inf {LAST}, su-1-pol 3024, eg-2 0522")
    assert told(p, "soviet move su-1-gds-inf @ 2516 > 2517") == {"not-on-map": ("5.0.a1",)}
    assert told(p, f"soviet move su-2-gds-inf @ {LAST} > 3825") == {}
    assert told(p, f"soviet move su-2-gds-inf @ {LAST} > 3824 via 3825") == {}
    assert told(lay("S movement", "su-1-gds-inf 3824, eg-2 0522"), f"soviet move su-1-gds-inf @ 3824 > {LAST} via 3825") == {}
    assert told(p, f"soviet move su-2-gds-inf @ {LAST} > {LAST}") == {"no-move": ("5.0.a1",)}
    # Out of the game for good: that is what an exit does (9.0.a6).
    assert told(p, "soviet move su-3-gds-inf @ 2516 > 2517") == {"not-on-map": ("9.0.a6",)}
    p = lay("W movement", "we-5-us box-w, we-4-us 0601, wg-63 3009")
    assert told(p, "western-allied move we-5-us @ 2004 > 2003") == {"not-on-map": ("5.0.a1",)}


@rule("5.0.p1")
@rule("5.0.a2")
@ruling("R-G27")
def test_a_side_or_hex_that_cannot_be_entered_is_told_alone() -> None:
    # 1220 and 1320 are parted by a lake.
    assert closed("1220", "1320") and {"1220", "1320"} <= PLAYABLE
    # A Front has three points: 1220, the lake, 1419. What cannot be crossed is counted as one point, so the way is not too long.
    p = lay("S movement", "su-1-br 1219, eg-2 0522")
    assert told(p, "soviet move su-1-br @ 1219 > 1419 via 1220,1320") == {"closed-side": ("5.0.a2",)}
    assert told(p, "soviet move su-1-br @ 1219 > 1419 via 1320") == {}
    # 2915 is sea: there and back along the coast.
    p = lay("S movement", "su-1-gds-inf 2815, eg-2 0522")
    assert "2915" not in PLAYABLE
    assert told(p, "soviet move su-1-gds-inf @ 2815 > 2916 via 2915") == {"closed-hex": ("5.0.a2",), "closed-side": ("5.0.a2",)}
    assert told(p, "soviet move su-1-gds-inf @ 2815 > 2813 via 2814") == {}


@rule("4.0.p2")
@rule("9.0.p2")
@ruling("R-G30")
@ruling("R-G78")
def test_nobody_exits_out_of_a_zoc_that_he_entered() -> None:
    # Soviets in 2125 reach 2126, an exit hex, and not 2026 beside it.
    assert "2126" in NEAR["2125"] and "2126" in NEAR["2026"] and "2026" not in NEAR["2125"]
    p = lay("EG movement", "eg-24-pz 2026, eg-39-pz 2126, su-1-gds-inf 2125")
    assert told(p, "western-allied exit eg-24-pz @ 2026 > 2126") == {"exit-from-zoc": ("4.0.p2", "9.0.p2")}
    # Standing in the ZOC from the start is no bar; entering a ZOC without leaving the map neither; nor leaving from elsewhere.
    assert told(p, "western-allied exit eg-39-pz @ 2126 > 2126") == {}
    assert told(p, "western-allied exit eg-24-pz @ 2026 > 1926") == {}
    q = lay("EG movement", "eg-24-pz 1926, su-1-gds-inf 2125")
    assert told(q, "western-allied move eg-24-pz @ 1926 > 2126 via 2026") == {}
    assert told(q, "western-allied exit eg-24-pz @ 1926 > 2026") == {}


@rule("5.2.2.p2")
@ruling("R-G38")
def test_a_displaced_unit_that_can_get_home_is_told_so_and_no_other() -> None:
    # S in the west, its side next door.
    p = lay("S movement", "su-1-gds-inf 2513, eg-2 0122")
    assert told(p, "soviet move su-1-gds-inf @ 2513 > 2512") == {"must-go-home": ("5.2.2.p2",)}
    assert told(p, "soviet move su-1-gds-inf @ 2513 > 2514") == {}
    # W in the east; no border of Yugoslavia is any business of its own.
    p = lay("W movement", "we-5-us 2514, wg-63 1301")
    assert told(p, "western-allied move we-5-us @ 2514 > 2515") == {"must-go-home": ("5.2.2.p2",)}
    assert told(p, "western-allied move we-5-us @ 2514 > 2513") == {}
    # Too far from home, it goes where it likes.
    p = lay("S movement", "su-1-gds-inf 2207, eg-2 0122")
    assert told(p, "soviet move su-1-gds-inf @ 2207 > 2208") == {}
    # Who is at home is not sent there; that he may not leave is another matter.
    p = lay("W movement", "we-5-us 2513, wg-63 1301")
    assert told(p, "western-allied move we-5-us @ 2513 > 2514") == {"ally-over-line": ("5.2.2.p1",)}
    assert told(p, "western-allied move we-5-us @ 2513 > 2512") == {}


@rule("5.1.p2")
@ruling("R-G33")
def test_one_front_may_stand_with_another_unit() -> None:
    assert not owed(lay("S movement", "su-1-br 2516, su-1-gds-inf 2516, eg-2 0522"))
    assert owed(lay("S movement", "su-1-br 2516, su-2-br 2516, eg-2 0522")) == {"two-fronts": ("5.1.p2",)}


# ---------------------------------------------------------------------------------------------------------------------------
# 6: combat


@rule("6.0")
def test_who_is_not_on_the_map_does_not_attack_and_the_last_hex_is_on_it() -> None:
    p = lay("S combat", f"su-1-gds-inf box-s, su-2-gds-inf {LAST}, eg-8 3925")
    assert told(p, "soviet attack su-1-gds-inf > 3925") == {"not-on-map": ("6.0",)}
    assert told(p, "soviet attack su-2-gds-inf > 3925") == {}
    p = lay("W combat", "we-5-us box-w, we-7-us 2004, wg-63 2005")
    assert told(p, "western-allied attack we-5-us > 2005") == {"not-on-map": ("6.0",)}


@rule("6.0")
@rule("6.3.c2")
@rule("6.3.e")
@ruling("R-G43")
@ruling("R-G46")
def test_a_hex_out_of_reach_is_told_by_its_distance_and_a_closed_side_by_its_side() -> None:
    p = lay("S combat", "su-1-gds-inf 1220, eg-8 1320, eg-17 1419, eg-10 1121")
    assert told(p, "soviet attack su-1-gds-inf > 1320") == {"side-closed-to-attack": ("6.0",)}
    assert told(p, "soviet attack su-1-gds-inf > 1419") == {"not-adjacent": ("6.0", "6.3.c2")}
    assert told(p, "soviet attack su-1-gds-inf > 1121") == {}
    # Of several hexes, each must be adjacent (6.3.e); of one there is nothing to say about several.
    assert told(p, "soviet attack su-1-gds-inf > 1121,1419") == {"not-adjacent": ("6.0", "6.3.c2", "6.3.e")}


@rule("6.0")
@ruling("R-G4")
def test_own_units_are_no_target_and_nobody_attacks_nothing() -> None:
    p = lay("S combat", "su-1-gds-inf 2516, su-2-gds-inf 2517, eg-8 2515")
    assert told(p, "soviet attack su-1-gds-inf > 2517") == {"own-target": ("6.0",)}
    assert told(p, "soviet attack su-1-gds-inf > 2416") == {"empty-target": ("6.0",)}
    assert told(p, Attack("soviet", (), ("2515",))) == {"empty-attack": ("6.0",)}
    assert told(p, Attack("soviet", ("su-1-gds-inf",), ())) == {"empty-attack": ("6.0",)}
    assert told(p, "soviet attack su-1-gds-inf > 2515") == {}


@rule("6.0")
@rule("6.1.p2")
@ruling("R-G17")
def test_a_hex_that_nobody_can_attack_is_not_opened() -> None:
    # Two against thirteen is worse than the table.
    p = lay("S combat", "su-1-bul 2516, eg-49-geb 2515, eg-26 2515, eg-17 2416, we-5-us 2616")
    assert told(p, "soviet target > 2515") == {"nobody-can-attack": ("6.0", "6.1.p2")}
    assert told(p, "soviet target > 2416") == {}
    # What may not be attacked at all is told as that alone.
    assert told(p, "soviet target > 2517") == {"empty-target": ("6.0",)}
    assert told(p, "soviet target > 2616") == {"allies-do-not-fight": ("6.3.a",)}


@rule("6.3.d1")
@rule("2.2")
@ruling("R-G61")
def test_a_stack_is_attacked_as_one() -> None:
    p = lay("S combat", "su-1-gds-inf 2516, su-2-gds-inf 2516, eg-8 2515, eg-17 2515, eg-10 2416")
    for unit in ("eg-8", "eg-10"):
        assert told(p, Attack("soviet", ("su-1-gds-inf",), (unit,))) == {"whole-stack": ("6.3.d1",)}
    assert told(p, Attack("soviet", ("su-1-gds-inf",), ("2515",))) == {}
    # Only an attack may name a unit for its hex.
    q = lay("S movement", "su-1-gds-inf 2516, eg-8 2515")
    assert told(q, Move("soviet", "su-1-gds-inf", "2516", "eg-8")) == {"no-such-hex": ("2.2",)}


@rule("6.3.c3")
@ruling("R-G44")
def test_nothing_is_named_twice_in_an_attack() -> None:
    p = lay("S combat", "su-1-gds-inf 2516, su-2-gds-inf 2516, eg-8 2515, eg-17 2416")
    one, two = ("su-1-gds-inf",), ("su-1-gds-inf", "su-2-gds-inf")
    assert set(told(p, Attack("soviet", one, ("2515", "2515")))) == {"named-twice"}
    assert set(told(p, Attack("soviet", one * 2, ("2515",)))) == {"named-twice"}
    assert told(p, Attack("soviet", two, ("2515",))) == told(p, Attack("soviet", two, ("2416", "2515"))) == {}


@rule("6.3.e")
@rule("6.1.p2")
@rule("6.0")
@ruling("R-G46")
def test_an_attack_is_put_together_hexes_first_and_never_empty() -> None:
    p = lay("S combat", "su-1-gds-inf 2516, su-2-gds-inf 2516, eg-8 2515, eg-17 2416, eg-10 2514, we-5-us 2616")
    p = play(p, "soviet target > 2515")
    assert owed(p) == {"empty-attack": ("6.0",)}
    # 2514 is beside nobody who stands beside 2515; 2517 is empty; 2515 is named already.
    assert "2514" not in NEAR["2516"]
    assert told(p, "soviet target > 2514") == {"nobody-can-attack": ("6.3.e", "6.1.p2")}
    assert told(p, "soviet target > 2517") == {"empty-target": ("6.0",)}
    assert told(p, "soviet target > 2515") == {"named-twice": ("6.3.e",)}
    assert told(p, "soviet target > 2416") == {}
    q = play(p, "soviet target > 2416", "soviet join su-1-gds-inf")
    assert owed(q) == {}
    r = play(p, "soviet join su-1-gds-inf")
    assert told(r, "soviet target > 2416") == {"hexes-first": ("6.3.e",)}
    assert told(r, "soviet join su-2-gds-inf") == {}


@rule("6.3.c2")
@ruling("R-G44")
def test_nobody_joins_before_an_attack_is_opened() -> None:
    p = lay("S combat", "su-1-gds-inf 2516, su-2-gds-inf 2516, eg-8 2515")
    assert told(p, "soviet join su-1-gds-inf") == {"no-attack-open": ("6.3.c2",)}
    assert told(play(p, "soviet target > 2515"), "soviet join su-1-gds-inf") == {}
    # In another phase it is too early, and while a die waits it is too late, for an attack as well as for joining one.
    q = lay("S movement", "su-1-gds-inf 2516, eg-8 2515")
    assert told(q, "soviet join su-1-gds-inf") == told(q, "soviet attack su-1-gds-inf > 2515") == {"wrong-phase": ("3.0.a3",)}
    assert told(p, "soviet move su-1-gds-inf @ 2516 > 2517") == {"wrong-phase": ("3.0.a2",)}
    r = play(p, "soviet attack su-1-gds-inf > 2515")
    assert set(told(r, "soviet join su-2-gds-inf")) == {"roll-awaited"}


@rule("6.1.p3")
def test_a_combat_is_rolled_with_one_die_of_six_sides() -> None:
    p = play(lay("S combat", "su-1-gds-inf 2516, eg-8 2515"), "soviet attack su-1-gds-inf > 2515")
    assert owed(p) == {"roll-awaited": ("6.1.p3",)}
    assert not any(told(p, f"chance roll combat {face}") for face in range(1, 7))
    for wrong in ("0", "7", "3,3"):
        assert told(p, f"chance roll combat {wrong}") == {"no-such-roll": ("6.1.p3",)}, wrong
    assert told(p, "chance roll evacuation 3") == {"roll-awaited": ("6.1.p3",)}


@rule("6.2.1.p1")
@ruling("R-G47")
def test_who_has_not_lost_need_not_retreat() -> None:
    p = beaten(lay("EG combat", "su-1-pol 2514, su-1-rom 2515, eg-8 2416"), "soviet", "su-1-pol")
    assert told(p, "soviet retreat su-1-rom > 2615") == {"need-not-retreat": ("6.2.1.p1",)}
    assert owed(p) == {"retreat-owed": ("6.2.1.p1",)}


@rule("5.2.1.p3")
@ruling("R-G50")
def test_berlin_is_closed_to_retreating_germans_and_to_nobody_else() -> None:
    p = beaten(lay("S combat", "eg-10 2614, su-1-gds-inf 2816"), "western-allied", "eg-10")
    assert told(p, f"western-allied retreat eg-10 > {BERLIN}") == {"german-in-berlin": ("5.2.1.p3",)}
    assert told(p, "western-allied retreat eg-10 > 2615") == {}
    q = beaten(lay("EG combat", "su-1-pol 2614, eg-8 2816"), "soviet", "su-1-pol")
    assert told(q, f"soviet retreat su-1-pol > {BERLIN}") == {}


@rule("6.2.1.b2")
@ruling("R-G31")
@ruling("R-G49")
def test_over_the_line_the_zoc_of_the_new_enemies_closes_a_hex_too() -> None:
    # 2413 and 2513 lie over the line from 2514; Soviets hold the other side of it and everything else.
    around = "eg-10 2514, su-1-gds-inf 2414, su-2-gds-inf 2515, su-3-gds-inf 2614"
    p = beaten(lay("S combat", around), "western-allied", "eg-10")
    assert told(p, "western-allied retreat eg-10 > 2513") == {}
    p = beaten(lay("S combat", f"{around}, we-4-us 2412"), "western-allied", "eg-10")
    assert set(told(p, "western-allied retreat eg-10 > 2513")) == {"retreat-into-zoc"}
    assert told(p, "western-allied retreat eg-10 > 2513")["retreat-into-zoc"] == ("6.2.1.b2",)
    # West Germans are no enemies of his, now or then.
    p = beaten(lay("S combat", f"{around}, wg-63 2412"), "western-allied", "eg-10")
    assert told(p, "western-allied retreat eg-10 > 2513") == {}


@rule("6.2.1.b1")
@ruling("R-G27")
@ruling("R-G100")
def test_soviets_retreat_over_the_line_but_where_the_west_is_not_played() -> None:
    units, line = "su-1-pol 2514, eg-8 2416", "soviet retreat su-1-pol > 2513"
    p = beaten(lay("EG combat", units), "soviet", "su-1-pol")
    assert set(told(p, line)) == {"retreat-across"} and told(p, "soviet retreat su-1-pol > 2614") == {}
    with playing("collapse"):
        q = beaten(lay("EG combat", units), "soviet", "su-1-pol")
        assert told(q, line)["west-not-used"] == ("14.0.p3", "6.2.1.b1")
        assert told(q, "soviet retreat su-1-pol > 2614") == {}


@rule("6.2.1.a1")
@ruling("R-G48")
def test_among_hexes_all_over_the_line_the_vacant_ones_come_first() -> None:
    p = beaten(lay("EG combat", "su-1-pol 2412, su-1-rom 2411, eg-8 2416"), "soviet", "su-1-pol")
    assert told(p, "soviet retreat su-1-pol > 2411") == {"vacant-hex-first": ("6.2.1.a1",)}
    assert told(p, "soviet retreat su-1-pol > 2312") == {}


@rule("5.2.1.p1")
@rule("5.2.2.p1")
@ruling("R-G54")
def test_nobody_advances_over_the_line() -> None:
    for name, by, unit, start, over, stays in (
        ("WG", "soviet", "wg-1-ss", "2513", "2514", "2512"),
        ("EG", "western-allied", "eg-10", "2514", "2513", "2515"),
        ("W", "western-allied", "we-5-us", "2513", "2514", "2512"),
        ("S", "soviet", "su-1-gds-inf", "2514", "2513", "2515"),
    ):
        p = offered(lay(f"{name} combat", f"{unit} {start}"), by, unit, f"{over} {stays}")
        para = "5.2.1.p1" if name in {"WG", "EG"} else "5.2.2.p1"
        assert told(p, f"{by} advance {unit} > {over}") == {"advance-over-line": (para,)}
        assert told(p, f"{by} advance {unit} > {stays}") == {}


@rule("5.3.1.p3")
@rule("5.3.2.p3")
@ruling("R-G39")
@ruling("R-G40")
def test_only_yugoslavs_advance_homeward_over_their_border() -> None:
    q = offered(lay("S combat", "su-1-yug 1122, su-1-rom 1022"), "soviet", "su-1-yug su-1-rom", "1021 1123")
    assert told(q, "soviet advance su-1-yug > 1021") == {}
    assert told(q, "soviet advance su-1-rom > 1123") == {"advance-over-border": ("5.3.2.p3",)}
    r = offered(lay("S combat", "su-1-yug 1021, su-1-rom 1123"), "soviet", "su-1-yug su-1-rom", "1122 1022")
    assert told(r, "soviet advance su-1-yug > 1122") == {"advance-over-border": ("5.3.1.p3",)}
    assert told(r, "soviet advance su-1-rom > 1022") == {"advance-over-border": ("5.3.2.p3",)}
    assert told(r, "soviet advance su-1-rom > 1122") == {}


@rule("6.5")
@ruling("R-G53")
@ruling("R-G43")
def test_an_advance_goes_from_the_map_into_an_offered_empty_neighbour() -> None:
    units = f"su-1-gds-inf 2516, su-2-gds-inf box-s, su-3-gds-inf {LAST}, su-1-pol 2517"
    victors = "su-1-gds-inf su-2-gds-inf su-3-gds-inf"
    p = offered(lay("S combat", units), "soviet", victors, "2515 2517 2514 3925")
    assert told(p, "soviet advance su-1-gds-inf > 2515") == told(p, "soviet advance su-3-gds-inf > 3925") == {}
    assert told(p, "soviet advance su-2-gds-inf > 2515") == {"not-on-map": ("6.5",)}
    assert told(p, "soviet advance su-1-gds-inf > 2517") == {"not-vacated": ("6.5",)}
    assert told(p, "soviet advance su-1-gds-inf > 2416") == {"not-vacated": ("6.5",)}
    assert told(p, "soviet advance su-1-gds-inf > 2514") == {"advance-too-far": ("6.5",)}
    q = offered(lay("W combat", "we-5-us box-w, we-7-us 2004"), "western-allied", "we-5-us we-7-us", "2005")
    assert told(q, "western-allied advance we-5-us > 2005") == {"not-on-map": ("6.5",)}


# ---------------------------------------------------------------------------------------------------------------------------
# 7: replacements


@rule("7.2.p2")
@rule("7.2.p1")
@rule("3.0.a1")
@ruling("R-G65")
def test_a_unit_on_the_map_is_not_replaced_and_is_told_nothing_of_rates() -> None:
    p = lay("S replacement", f"su-1-bul {LAST}, su-1-rom 2516, su-4-rom box-s, su-1-yug box-s, eg-2 0522")
    assert p.rates[0] > 0
    assert told(p, "soviet replace su-1-bul > 2526") == {"not-in-box": ("7.2.p2",)}
    assert told(p, "soviet replace su-1-rom > 2526") == {"not-in-box": ("7.2.p2",)}
    assert told(p, "soviet replace su-4-rom > 2526") == {}
    # The rate used up cites what the turn track is for; on turn 1 there is none at all, as the phase itself says.
    none = msgspec.structs.replace(p, rates=(0, 0))
    assert told(none, "soviet replace su-4-rom > 2526") == {"rate-used": ("7.2.p1", "7.2.p2")}
    assert told(lay("S replacement", "su-4-rom box-s, eg-2 0522", turn=1), "soviet replace su-4-rom > 2526") == {"rate-used": ("3.0.a1",)}


@rule("7.2.p2")
@rule("3.0.b4")
def test_a_unit_in_another_force_s_box_is_told_by_the_phase() -> None:
    p = lay("EG replacement", "su-1-bul box-s, we-4-us box-w, eg-6 box-eg, su-1-gds-inf 3026")
    assert told(p, "western-allied replace su-1-bul > 2614")["not-in-box"] == ("3.0.b4",)
    assert told(p, "western-allied replace we-4-us > 2614")["not-in-box"] == ("3.0.b4",)
    assert told(p, "western-allied replace eg-6 > 2614") == {}


@rule("7.2.a1")
@ruling("R-G10")
def test_the_weakest_returns_first() -> None:
    p = lay("S replacement", "su-1-bul box-s, su-1-pol box-s, su-1-gds-inf 3026, eg-2 0522")
    assert told(p, "soviet replace su-1-pol > 2526") == {"weakest-first": ("7.2.a1",)}
    assert told(p, "soviet replace su-1-bul > 2526") == {}


# ---------------------------------------------------------------------------------------------------------------------------
# 8 and 9: Courland, exits


@rule("8.0.p5")
def test_an_evacuation_is_rolled_with_one_die_of_six_sides() -> None:
    p = play(lay("EG movement", "eg-10 3822, su-1-gds-inf 3026", turn=4), "western-allied evacuate eg-10")
    assert owed(p) == {"roll-awaited": ("8.0.p5",)}
    assert not any(told(p, f"chance roll evacuation {face}") for face in range(1, 7))
    for wrong in ("0", "7", "3,3"):
        assert told(p, f"chance roll evacuation {wrong}") == {"no-such-roll": ("8.0.p5",)}, wrong
    assert told(p, "chance roll combat 3") == {"roll-awaited": ("8.0.p5",)}


@rule("9.0.p3")
@rule("9.0.p4")
@rule("9.0.p5")
def test_a_hex_on_an_edge_that_is_no_exit_cites_the_stretch_of_that_edge() -> None:
    exits = {name for name, row in HEXES.items() if "exit" in row["edge"]}

    def edge_hex(start: str, end: str, side: str) -> str:
        found = (n for n in sorted(PLAYABLE - exits) if n.startswith(start) and n.endswith(end) and theater(n) == side)
        return next(n for n in found if not (n.startswith("01") and n.endswith(("01", "26"))))

    west, south, east, inland = edge_hex("", "01", "west"), edge_hex("01", "", "east"), edge_hex("", "26", "east"), "2515"
    for name, place, paragraphs in (
        ("WG", west, ("9.0.p3",)),
        ("EG", east, ("9.0.p4",)),
        ("EG", south, ("9.0.p5",)),
        ("EG", inland, ("9.0.p3", "9.0.p4", "9.0.p5")),
    ):
        unit, by = ("wg-1-ss", "soviet") if name == "WG" else ("eg-24-pz", "western-allied")
        p = lay(f"{name} movement", f"{unit} {place}, su-1-gds-inf 3026, we-5-us 0601")
        assert told(p, f"{by} exit {unit} @ {place} > {place}") == {"no-exit-hex": paragraphs}, place


@rule("9.0.a1")
@rule("9.0.a2")
@ruling("R-G79")
@ruling("R-G80")
def test_a_unit_that_an_exit_cannot_take_is_told_by_its_front_or_its_distance() -> None:
    near = "eg-24-pz 2026, eg-2 2416, su-1-gds-inf 2024, su-2-gds-inf 2124"
    p = lay("EG movement", f"{near}, su-3-gds-inf 2516, su-4-gds-inf box-s, we-4-us 2001, we-5-us {LAST}")
    p = play(p, "western-allied exit eg-24-pz @ 2026 > 2026")
    assert {line.split()[-1] for line in legal(p) if " take " in line} == {"su-1-gds-inf", "su-2-gds-inf"}
    far, front = {"not-among-nearest": ("9.0.a1",)}, {"not-of-that-front": ("9.0.a1",)}
    assert told(p, "western-allied take su-3-gds-inf") == told(p, "western-allied take su-4-gds-inf") == far
    assert told(p, "western-allied take we-4-us") == told(p, "western-allied take we-5-us") == front
    assert told(p, "western-allied take su-1-gds-inf") == {}
    # Three equally near for two: which of them is the player's choice (9.0.a2), and the fourth is farther than all.
    q = lay("EG movement", f"{near}, su-5-gds-inf 1924, su-3-gds-inf 2516")
    q = play(q, "western-allied exit eg-24-pz @ 2026 > 2026")
    assert {line.split()[-1] for line in legal(q) if " take " in line} == {"su-1-gds-inf", "su-2-gds-inf", "su-5-gds-inf"}
    assert told(q, "western-allied take su-3-gds-inf") == {"not-among-nearest": ("9.0.a1", "9.0.a2")}


# ---------------------------------------------------------------------------------------------------------------------------
# 12: the compulsory attacks


@rule("12.2.a")
@ruling("R-G62")
def test_one_of_two_possible_attacks_is_not_moved_away_either() -> None:
    p = lay("WG movement", "wg-1-ss 2005, wg-13-ss 2205, we-7-us 2004, we-4-us 2204, eg-2 0522", turn=1)
    assert p.mandated == (0, 2) and not owed(p)
    q = play(p, "soviet move wg-13-ss @ 2205 > 2207")
    assert owed(q) == {"attacks-given-away": ("12.2.a",)}


# ---------------------------------------------------------------------------------------------------------------------------
# 18.1: offensive supply


def with_(p: Pos, **fields: Any) -> Pos:
    """The position with other fields; unit sets as words of one text."""
    return msgspec.structs.replace(p, **{k: sum(1 << INDEX[u] for u in v.split()) if isinstance(v, str) else v for k, v in fields.items()})


@rule("18.1.p1")
@ruling("R-G117")
def test_supply_markers_are_the_allies_and_only_with_the_option() -> None:
    units = "su-1-br 2516, we-5-us 2004, eg-8 2415, eg-6 box-eg, wg-63 2105, su-1-bul box-s, we-4-us box-w"
    none = {"no-markers": ("18.1.p1",)}
    assert told(lay("S replacement", units), "soviet marker su-1-br") == none
    assert told(lay("W replacement", units), "western-allied marker we-5-us") == none
    with playing("historical", "18.1"):
        assert told(with_(lay("S replacement", units), supply=3), "soviet marker su-1-br") == {}
        assert told(lay("W replacement", units), "western-allied marker we-5-us") == {}
        assert told(lay("EG replacement", units), "western-allied marker eg-8") == none
        assert told(lay("WG replacement", units), "soviet marker wg-63") == none


@rule("18.1.p3")
@rule("18.1.p5")
@rule("18.1.p6")
@ruling("R-G115")
def test_a_soviet_marker_lies_under_a_front_two_a_turn_while_there_are_any() -> None:
    with playing("historical", "18.1"):
        p = with_(lay("S replacement", f"su-1-br 2516, su-1-gds-inf 2516, su-2-br {LAST}, su-3-br box-s, eg-8 2415"), supply=1)
        assert told(p, "soviet marker su-1-br") == told(p, "soviet marker su-2-br") == {}
        assert told(p, "soviet marker su-1-gds-inf") == {"marker-under-front": ("18.1.p6",)}
        assert told(p, "soviet marker su-3-br") == {"not-on-map": ("18.1.p6",)}
        assert told(p, "soviet marker eg-8") == {"wrong-force": ("18.1.p6",)}
        assert told(with_(p, supply=0), "soviet marker su-1-br") == {"no-marker-left": ("18.1.p3",)}
        assert told(with_(p, markers_soviet=(node("2516"),)), "soviet marker su-2-br") == {}
        assert told(with_(p, markers_soviet=(node("2516"), node("2616"))), "soviet marker su-2-br") == {"markers-placed": ("18.1.p5",)}


@rule("18.1.p15")
@ruling("R-G114")
def test_the_western_marker_is_one_and_lies_under_any_of_his_units() -> None:
    with playing("historical", "18.1"):
        p = with_(lay("W replacement", f"we-5-us 2004, we-7-us {LAST}, we-4-us box-w, we-6-us box-italy, wg-63 2105"), supply=0)
        assert told(p, "western-allied marker we-5-us") == told(p, "western-allied marker we-7-us") == {}
        assert told(p, "western-allied marker we-4-us") == told(p, "western-allied marker we-6-us") == {"not-on-map": ("18.1.p15",)}
        assert told(p, "western-allied marker wg-63") == {"wrong-force": ("18.1.p15",)}
        for place in (0, node("2004")):
            assert told(with_(p, marker_western=place), "western-allied marker we-5-us") == {"marker-placed": ("18.1.p15",)}


@rule("18.1.p7")
@rule("18.1.p16")
@rule("18.1.p17")
@ruling("R-G111")
@ruling("R-G114")
def test_in_a_second_phase_only_the_served_act() -> None:
    with playing("historical", "18.1"):
        p = lay("S second_combat", "su-1-gds-inf 2516, su-2-gds-inf 2516, eg-8 2515")
        p = with_(p, eligible="su-1-gds-inf")
        assert told(p, "soviet attack su-1-gds-inf > 2515") == {}
        assert told(p, "soviet attack su-2-gds-inf > 2515") == {"not-served": ("18.1.p7",)}
        q = with_(lay("W second_combat", "we-5-us 2004, we-7-us 2004, wg-63 2105"), eligible="we-5-us")
        assert told(q, "western-allied attack we-5-us > 2105") == {}
        assert told(q, "western-allied attack we-7-us > 2105") == {"not-served": ("18.1.p16", "18.1.p17")}
        r = with_(asked(q, "group", "western-allied"), marker_western=node("2004"))
        assert told(r, Group("western-allied", "us")) == {}
        assert told(r, Group("western-allied", "commonwealth")) == {"group-out-of-range": ("18.1.p17",)}
        assert told(r, Group("western-allied", "french")) == {"no-such-group": ("18.1.p16",)}


@rule("18.1.p11")
@rule("18.1.p17")
@ruling("R-G113")
def test_who_acted_in_a_second_phase_does_not_attack_the_turn_after() -> None:
    with playing("historical", "18.1"):
        p = with_(lay("S combat", "su-1-gds-inf 2516, su-2-gds-inf 2516, eg-8 2515"), tired="su-1-gds-inf")
        assert told(p, "soviet attack su-1-gds-inf > 2515") == {"tired": ("18.1.p11",)}
        assert told(p, "soviet attack su-2-gds-inf > 2515") == {}
        q = with_(lay("W combat", "we-5-us 2004, we-7-us 2004, wg-63 2105"), tired="we-5-us")
        assert told(q, "western-allied attack we-5-us > 2105") == {"tired": ("18.1.p17",)}
        assert told(q, "western-allied attack we-7-us > 2105") == {}


# ---------------------------------------------------------------------------------------------------------------------------
# Other scenarios and options


@rule("14.0.p3")
@ruling("R-G100")
def test_in_collapse_nobody_moves_in_the_west() -> None:
    way = "soviet move su-1-gds-inf @ 2514 > 2512 via 2513"
    with playing("collapse"):
        p = lay("S movement", "su-1-gds-inf 2514, su-1-pol 2613, eg-2 0522")
        assert told(p, way)["west-not-used"] == ("14.0.p3",)
        assert told(p, "soviet move su-1-gds-inf @ 2514 > 2515 via 2414") == told(p, "soviet move su-1-pol @ 2613 > 2614") == {}
    assert "west-not-used" not in told(lay("S movement", "su-1-gds-inf 2514, eg-2 0522"), way)
    displaced = lay("W movement", "we-5-us 2514, wg-63 1301")
    assert told(displaced, "western-allied move we-5-us @ 2514 > 2513 via 2413") == {}


@rule("17.3.a")
@rule("17.2.c")
@ruling("R-G24")
def test_of_four_players_each_german_fights_on_his_own_front() -> None:
    units = "su-1-gds-inf 2514, we-5-us 2412, wg-1-ss 2513, eg-8 2515"
    with playing("four_player"):
        assert told(lay("WG combat", units), "west-german attack wg-1-ss > 2514") == {}
    with playing("four_player", "17.3/own-front"):
        assert told(lay("WG combat", units), "west-german attack wg-1-ss > 2412") == {}
        assert told(lay("WG combat", units), "west-german attack wg-1-ss > 2514") == {"not-of-own-front": ("17.3.a",)}
    assert "not-of-own-front" not in told(lay("WG combat", units), "soviet attack wg-1-ss > 2514")
    with playing("three_player"):
        assert "not-of-own-front" not in told(lay("G combat", units), "german attack wg-1-ss > 2514")


@rule("12.3.p3")
@ruling("R-G71")
def test_under_concentration_every_replacement_is_east_german() -> None:
    units = "wg-63 box-wg, eg-6 box-eg, su-1-gds-inf 3026, we-5-us 0601"
    with playing("historical", "12.3"):
        assert told(lay("WG replacement", units), "soviet replace wg-63 > 2513")["all-go-east"] == ("12.3.p3",)
        assert "all-go-east" not in told(lay("EG replacement", units), "western-allied replace eg-6 > 2614")
    assert "all-go-east" not in told(lay("WG replacement", units), "soviet replace wg-63 > 2513")


@rule("15.2.b")
@ruling("R-G103")
def test_the_die_before_red_star_white_star_has_six_sides() -> None:
    with playing("rsws") as book:
        p = book.start()
        assert owed(p) == {"roll-awaited": ("15.2.b",)}
        assert not any(told(p, f"chance roll turn11 {face}") for face in range(1, 7))
        for wrong in ("0", "7", "3,3"):
            assert told(p, f"chance roll turn11 {wrong}") == {"no-such-roll": ("15.2.b",)}, wrong


@rule("18/6.3.c")
@ruling("R-G61")
def test_a_unit_attacked_alone_shares_its_hex_and_the_others_are_left_alone() -> None:
    with playing("historical", "18/6.3"):
        p = lay("S combat", f"su-1-gds-inf 2516, su-2-gds-inf 3925, eg-8 2515, eg-17 2515, eg-10 2416, eg-20 {LAST}, eg-27 {LAST}")
        assert told(p, Attack("soviet", ("su-1-gds-inf",), ("eg-8",))) == {}
        assert told(p, Attack("soviet", ("su-2-gds-inf",), ("eg-20",))) == {}
        assert told(p, Attack("soviet", ("su-1-gds-inf",), ("eg-10",))) == {"name-the-hex": ("18/6.3.c",)}
        assert "name-the-hex" in told(p, Attack("soviet", ("su-1-gds-inf",), ("2515", "eg-8")))
        q = lay("S combat", f"su-2-gds-inf 3925, eg-20 {LAST}, eg-8 2515")
        assert told(q, Attack("soviet", ("su-2-gds-inf",), ("eg-20",))) == {"name-the-hex": ("18/6.3.c",)}
        r = lay("EG combat", "eg-8 2515, su-1-pol 2516, su-2-pol box-s")
        assert "name-the-hex" not in told(r, Attack("western-allied", ("eg-8",), ("su-2-pol",)))


@rule("15.2.f")
@ruling("R-G60")
def test_poles_do_not_attack_poles() -> None:
    with playing("rsws"):
        p = lay("S combat", "su-1-pol 2514, su-1-gds-inf 2514, we-2-pol 2513, we-5-us 2413", turn=11)
        assert told(p, "soviet attack su-1-pol > 2513") == {"poles": ("15.2.f",)}
        assert told(p, "soviet attack su-1-gds-inf > 2513") == told(p, "soviet attack su-1-pol > 2413") == {}


@rule("16.3.b1")
@rule("16.3.b2")
@ruling("R-G107")
def test_one_german_moves_triple_clear_of_every_zoc() -> None:
    with playing("three_player"):
        line = "german move eg-8 @ 2515 > 2521"
        p = lay("G movement", "eg-8 2515, su-1-gds-inf 3026, we-5-us 0601")
        assert told(p, line) == {}
        assert told(with_(p, tripled=1), line) == {"tripled-already": ("16.3.b1",)}
        q = lay("G movement", "eg-8 2515, su-1-gds-inf 2414, we-5-us 0601")
        assert told(q, line) == {"triple-from-zoc": ("16.3.b1",)}
        r = lay("G movement", "eg-8 2515, su-1-gds-inf 2522, we-5-us 0601")
        assert told(r, line) == {"triple-into-zoc": ("16.3.b2",)}


@rule("18/5.3.c")
@ruling("R-G116")
def test_one_stack_of_both_western_groups_a_front() -> None:
    stacks = "we-5-us 2004, we-1-br 2004, we-7-us 1904, we-1-cn 1904"
    with playing("historical", "18/5.3"):
        assert owed(lay("W movement", f"{stacks}, wg-63 1301")) == {"mixed-stacks": ("18/5.3.c",)}
        assert owed(lay("W movement", "we-5-us 2004, we-1-br 2004, we-7-us 1904, we-4-us 1904, wg-63 1301")) == {}
        p = beaten(lay("WG combat", "we-5-us 2004, we-1-br 2004, we-7-us 1904, we-1-cn 1804, wg-63 2106"), "western-allied", "we-1-cn")
        assert told(p, "western-allied retreat we-1-cn > 1904").get("retreat-mixes") == ("18/5.3.c",)
        assert "retreat-mixes" not in told(p, "western-allied retreat we-1-cn > 1803")
        q = lay("W replacement", "we-5-us 2004, we-1-br 2004, we-7-us 2001, we-1-cn box-w, we-4-us box-w, wg-63 1301")
        assert told(q, "western-allied replace we-1-cn > 2001") == {"arrival-mixes": ("18/5.3.c",)}
        assert told(q, "western-allied replace we-4-us > 2001") == {}
    assert owed(lay("W movement", f"{stacks}, wg-63 1301")) == {}
