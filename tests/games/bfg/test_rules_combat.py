"""Chapter 6: combat, retreat, terrain, advance."""

from __future__ import annotations

import pytest

from referee.rules.model import NotationError
from tests.games.bfg.facts import BERLIN, CRT, HEXES, NEAR, country, features, river
from tests.games.bfg.layout import (
    BOOK,
    Pos,
    allowed,
    attack,
    check,
    lay,
    legal,
    members,
    play,
    playing,
    refused,
    rule,
    ruling,
    step,
    where,
)
from tests.games.bfg.odds import column

# 3725 and two rings around it are clear, without rivers. 3726 covers 3625 and 3825; 3624, 3724, 3824 are open.
DUEL = "su-1-br 3726, su-1-gds-inf 3726, eg-10 3725"


def answered(p: Pos) -> Pos:
    """Every open choice answered with its first legal action, advances declined."""
    while step(p) in {"retreat", "advance", "lose"}:
        p = play(p, f"{p.agenda[-1].by[0]} done" if step(p) == "advance" else sorted(legal(p))[-1])
    return p


@rule("6.0")
@ruling("R-G62")
def test_attacks_go_to_adjacent_enemies_and_are_voluntary() -> None:
    p = lay("S combat", DUEL + ", eg-2 3623, su-2-gds-inf 3026")
    allowed(p, "soviet attack su-1-br > 3725", "soviet done")
    refused(p, "soviet attack su-1-br > 3623", "6.0")
    refused(p, "soviet attack su-2-gds-inf > 3725", "6.0")
    refused(p, "soviet attack su-1-br > 3826", "6.0")  # nobody there
    # A turn later than 12.2 nobody must attack anything.
    for name, units in (("W", "we-5-us 2211, wg-63 2212"), ("WG", "we-5-us 2211, wg-1-ss 2212"), ("EG", "eg-24-pz 3725, su-1-pol 3726")):
        allowed(lay(f"{name} combat", units), f"{'soviet' if name == 'WG' else 'western-allied'} done")


@rule("6.0")
@ruling("R-G43")
def test_no_attack_over_lake_or_blocked_sides() -> None:
    assert "lake" in features("0809", "0810")
    refused(lay("W combat", "we-5-us 0809, we-20-us 0809, wg-63 0810"), "western-allied attack we-5-us,we-20-us > 0810", "6.0")
    refused(lay("S combat", "su-3-ukr 1220, eg-4-pz 1320"), "soviet attack su-3-ukr > 1320", "6.0")


@rule("6.1.e1")
@rule("6.1.p1")
@ruling("R-G16")
@ruling("R-G122")
def test_the_first_worked_combat() -> None:
    p = lay("W combat", "wg-63 2105, wg-64 2105, we-5-us 2004, we-2-us 2104, we-7-us 2204")
    assert column(p, "we-5-us we-2-us we-7-us", "2105") == "1:1"
    # Attack strengths do not feel terrain: 12 from broken 2004 against 3 in clear, unfortified 1904: 4:1.
    q = lay("WG combat", "we-30-br 2211, wg-1-ss 2212, wg-2-ss 2212")
    assert column(q, "wg-1-ss wg-2-ss", "2211") == "4:1"  # 16 : 4


@rule("6.1.e2")
def test_the_exchange_of_the_worked_combat_costs_one_corps() -> None:
    p = lay("W combat", "wg-63 2105, wg-64 2105, we-5-us 2004, we-2-us 2104, we-7-us 2204")
    p = attack(p, "we-5-us we-2-us we-7-us", "2105", 1)
    p = play(p, "western-allied lose we-7-us", "western-allied done")
    assert [where(p, u) for u in ("wg-63", "wg-64", "we-7-us", "we-2-us", "we-5-us")] == ["box-wg", "box-wg", "box-w", "2104", "2004"]


@rule("6.1.p2")
@ruling("R-G57")
@ruling("R-G17")
def test_ratios_round_for_the_defender_and_end_with_the_table() -> None:
    # Attack 3, 7, 8 ... against defences in clear hexes.
    cases = [
        ("su-1-gds-inf", "eg-49-geb", "1:1"),  # 7 : 7
        ("su-1-gds-inf", "eg-10", "1:1"),  # 7 : 4
        ("su-1-br", "eg-10", "2:1"),  # 8 : 4
        ("su-1-pol", "eg-10", "1:2"),  # 3 : 4
        ("su-1-pol", "eg-26", "1:2"),  # 3 : 6
        ("su-1-pol", "eg-49-geb", "1:3"),  # 3 : 7
        ("su-1-bul", "eg-26", "1:3"),  # 2 : 6
        ("su-1-gds-inf", "eg-72", "2:1"),  # 7 : 3
        ("su-1-gds-tk", "eg-72", "2:1"),  # 6 : 3
        ("su-1-gds-inf", "eg-4-pz", "3:1"),  # 7 : 2
        ("su-1-br", "eg-4-pz", "4:1"),  # 8 : 2
    ]
    for mine, theirs, expected in cases:
        assert column(lay("S combat", f"{mine} 3726, {theirs} 3725"), mine, "3725") == expected, (mine, theirs)
    refused(lay("S combat", "su-1-bul 3726, eg-49-geb 3725"), "soviet attack su-1-bul > 3725", "6.1.p2")  # 2 : 7
    p = lay("S combat", "su-1-bul 3726, eg-49-geb 3725")
    assert legal(p) == {"soviet done"}  # a hopeless attack is not even opened
    # 11 : 2 is 5:1, 14 : 2 is 7:1 and uses 6:1.
    assert column(lay("S combat", "su-1-br 3726, su-1-pol 3726, eg-4-pz 3725"), "su-1-br su-1-pol", "3725") == "5:1"
    assert column(lay("S combat", "su-1-gds-inf 3726, su-2-gds-inf 3726, eg-4-pz 3725"), "su-1-gds-inf su-2-gds-inf", "3725") == "6:1"


@rule("6.1.p3")
def test_one_die_by_chance_decides() -> None:
    p = play(lay("S combat", DUEL), "soviet attack su-1-br,su-1-gds-inf > 3725")
    assert step(p) == "combat-roll"
    assert legal(p) == {f"chance roll combat {die}" for die in range(1, 7)}
    for bad in ("chance roll combat 0", "chance roll combat 7", "chance roll combat 1,2", "chance roll evacuation 3"):
        refused(p, bad, "6.1.p3")
    refused(p, "soviet roll combat 3", "3.0.p1")
    refused(p, "soviet attack su-1-br > 3725")
    refused(p, "soviet done")


@rule("6.1.p4")
@ruling("R-G44")
def test_a_result_is_applied_before_the_next_attack() -> None:
    p = attack(lay("S combat", DUEL + ", su-2-br 3523, eg-2 3623"), "su-1-br su-1-gds-inf", "3725", 4)
    assert step(p) == "retreat"
    refused(p, "soviet attack su-2-br > 3623", "6.1.p4")
    refused(p, "soviet done")
    p = play(p, "western-allied retreat eg-10 > 3824")
    assert step(p) == "advance"
    refused(p, "soviet attack su-2-br > 3623", "6.1.p4")
    p = play(p, "soviet done")
    allowed(p, "soviet attack su-2-br > 3623")


@ruling("R-G44")
@rule("6.3.c1")
def test_a_unit_that_advanced_attacks_no_more_this_phase() -> None:
    # A unit that retreated stands in no ZOC, so only who advanced can be beside it: and that unit has attacked.
    p = lay("S combat", DUEL + ", eg-2 3724, eg-9 3824, su-2-br 2618, eg-6 2619")
    p = attack(p, "su-1-br su-1-gds-inf", "3725", 4)
    assert legal(p) == {"western-allied retreat eg-10 > 3624"}
    p = play(p, "western-allied retreat eg-10 > 3624", "soviet advance su-1-gds-inf > 3725")
    refused(p, "soviet attack su-1-gds-inf > 3624", "6.3.c1")
    refused(p, "soviet attack su-1-gds-inf > 3724", "6.3.c1")
    allowed(p, "soviet attack su-2-br > 2619")


@rule("6.2.a")
@rule("6.2.b")
@rule("6.2.d")
@rule("6.2.e")
@rule("7.0.p1")
@ruling("R-G45")
def test_results_de_ae_ar_dr() -> None:
    two = "su-1-br 3726, su-1-gds-inf 3726, eg-10 3725, eg-4-pz 3725"
    de = attack(lay("S combat", DUEL), "su-1-br su-1-gds-inf", "3725", 1)
    assert CRT["3:1", 1] == "DE" and where(de, "eg-10") == "box-eg"
    assert where(de, "su-1-br") == where(de, "su-1-gds-inf") == "3726"
    ae = attack(lay("S combat", "su-1-pol 3726, su-2-pol 3726, su-3-gds-inf 3726, eg-10 3725"), "su-1-pol", "3725", 6)
    assert CRT["1:2", 6] == "AE" and where(ae, "su-1-pol") == "box-s" and where(ae, "su-2-pol") == "3726"  # only attackers
    ar = attack(lay("S combat", two), "su-1-br su-1-gds-inf", "3725", 5)
    assert CRT["2:1", 5] == "AR" and step(ar) == "retreat" and ar.agenda[-1].by == ("soviet",)
    assert {line.split()[2] for line in legal(ar)} == {"su-1-br", "su-1-gds-inf"}
    dr = attack(lay("S combat", two), "su-1-br su-1-gds-inf", "3725", 3)
    assert CRT["2:1", 3] == "DR" and dr.agenda[-1].by == ("western-allied",)
    assert {line.split()[2] for line in legal(dr)} == {"eg-10", "eg-4-pz"}
    # One result for all hexes of an attack.
    both = lay("S combat", "su-1-br 3824, su-1-gds-inf 3824, eg-4-pz 3725, eg-48-pz 3724")
    both = attack(both, "su-1-br su-1-gds-inf", "3724 3725", 1)
    assert CRT["3:1", 1] == "DE" and where(both, "eg-4-pz") == where(both, "eg-48-pz") == "box-eg"  # 15 : 5


@rule("6.2.c")
@ruling("R-G55")
@ruling("R-G11")
@ruling("R-G56")
def test_exchange_takes_printed_strengths_and_the_attacker_picks() -> None:
    # 18 (8 + 7 + 3) against 3-4-4 and 3-5-4 = 9: 2:1, die 1 EX, price 9.
    p = lay("S combat", "su-1-br 3726, su-1-gds-inf 3726, su-1-pol 3824, eg-23 3725, eg-2 3725")
    p = attack(p, "su-1-br su-1-gds-inf su-1-pol", "3725", 1)
    assert step(p) == "lose" and p.agenda[-1].by == ("soviet",)
    refused(p, "soviet done", "6.2.c")
    refused(p, "soviet lose su-2-br", "6.2.c")
    refused(p, "western-allied lose su-1-br")
    p1 = play(p, "soviet lose su-1-br")
    refused(p1, "soviet done", "6.2.c")
    refused(p1, "soviet lose su-1-br", "6.2.c")
    p2 = play(p1, "soviet lose su-1-pol")
    allowed(p2, "soviet done", "soviet lose su-1-gds-inf")  # overpaying is allowed
    p2 = play(p2, "soviet done")
    assert where(p2, "su-1-br") == where(p2, "su-1-pol") == "box-s" and where(p2, "su-1-gds-inf") == "3726"
    # The survivor is victorious.
    assert step(p2) == "advance" and legal(p2) == {"soviet advance su-1-gds-inf > 3725", "soviet done"}
    # Too weak: all are lost (7 against a printed 9 at 1:2 cannot be; 6 : 5 at 1:1, price 5: the 6 goes).
    q = attack(lay("S combat", "su-1-pol 3726, su-2-pol 3726, eg-26 3725"), "su-1-pol su-2-pol", "3725", 1)
    assert CRT["1:1", 1] == "EX" and where(q, "su-1-pol") == where(q, "su-2-pol") == "box-s" and where(q, "eg-26") == "box-eg"
    # Printed, not multiplied: 2 x 4 behind a river; price 4.
    r = attack(lay("S combat", "su-1-br 2526, su-1-pol 2526, eg-10 2525"), "su-1-br su-1-pol", "2525", 1)
    assert river("2526", "2525") and CRT["1:1", 1] == "EX"
    allowed(play(r, "soviet lose su-1-br"), "soviet done")
    refused(play(r, "soviet lose su-1-pol"), "soviet done", "6.2.c")
    # All attacked hexes together.
    s = lay("S combat", "su-1-br 3824, su-1-gds-inf 3824, eg-4-pz 3725, eg-2 3724")
    s = attack(s, "su-1-br su-1-gds-inf", "3724 3725", 2)
    assert CRT["2:1", 2] == "EX"  # 15 : 7, price 7
    allowed(play(s, "soviet lose su-1-gds-inf"), "soviet done")


@rule("6.2.1.p1")
@ruling("R-G3")
@ruling("R-G51")
def test_the_owner_retreats_unit_by_unit_one_hex() -> None:
    p = attack(lay("S combat", DUEL + ", eg-4-pz 3725"), "su-1-br su-1-gds-inf", "3725", 3)
    assert p.agenda[-1].by == ("western-allied",)
    refused(p, "soviet retreat eg-10 > 3724", "3.0.p1")
    refused(p, "western-allied done", "6.2.1.p1")  # nobody may choose to die
    refused(p, "western-allied retreat eg-10 > 3723", "6.2.1.p1")  # two hexes
    refused(p, "western-allied retreat su-1-br > 3724", "6.2.1.p1")
    for first, second in (("eg-10", "eg-4-pz"), ("eg-4-pz", "eg-10")):
        q = play(p, f"western-allied retreat {first} > 3724")
        assert {line.split()[2] for line in legal(q)} == {second}


@rule("6.2.1.p2")
@rule("6.2.1.a1")
@ruling("R-G47")
def test_a_stack_splits_where_it_can() -> None:
    p = attack(lay("S combat", DUEL + ", eg-4-pz 3725"), "su-1-br su-1-gds-inf", "3725", 3)
    p = play(p, "western-allied retreat eg-10 > 3724")
    refused(p, "western-allied retreat eg-4-pz > 3724", "6.2.1.a1")
    assert legal(p) == {"western-allied retreat eg-4-pz > 3624", "western-allied retreat eg-4-pz > 3824"}


@rule("6.2.1.a1")
@rule("6.2.1.a2")
@rule("6.2.1.b2")
@rule("6.2.1.b3")
@ruling("R-G31")
def test_vacant_then_friendly_never_third_never_zoc() -> None:
    p = attack(lay("S combat", DUEL + ", eg-2 3724, eg-6 3624, eg-8 3624"), "su-1-br su-1-gds-inf", "3725", 4)
    assert legal(p) == {"western-allied retreat eg-10 > 3824"}
    refused(p, "western-allied retreat eg-10 > 3724", "6.2.1.a1")
    refused(p, "western-allied retreat eg-10 > 3624", "6.2.1.a2")
    refused(p, "western-allied retreat eg-10 > 3625", "6.2.1.b2")
    refused(p, "western-allied retreat eg-10 > 3726", "6.2.1.b1")
    p = attack(lay("S combat", DUEL + ", eg-2 3724, eg-6 3624, eg-8 3624, eg-9 3824, eg-16 3824"), "su-1-br su-1-gds-inf", "3725", 4)
    assert legal(p) == {"western-allied retreat eg-10 > 3724"}
    # ZOC closes even a friend's hex: another Soviet unit at 3623 covers 3624 and 3724.
    units = DUEL + ", eg-2 3724, eg-9 3824, eg-16 3824, su-2-gds-inf 3623"
    p = attack(lay("S combat", units), "su-1-br su-1-gds-inf", "3725", 4)
    assert "3624" in NEAR["3623"] and "3724" in NEAR["3623"]
    assert where(p, "eg-10") == "box-eg"


@rule("6.2.1.b3")
@ruling("R-G51")
@ruling("R-G63")
def test_no_hex_left_is_death_but_the_order_is_free() -> None:
    # One open hex, room for one friend: whoever goes first lives in it, the second joins; a third would die.
    units = DUEL + ", eg-4-pz 3725, eg-6 3624, eg-8 3624, eg-9 3824, eg-16 3824, eg-2 3724"
    p = attack(lay("S combat", units), "su-1-br su-1-gds-inf", "3725", 3)
    assert legal(p) == {"western-allied retreat eg-10 > 3724", "western-allied retreat eg-4-pz > 3724"}
    p = play(p, "western-allied retreat eg-4-pz > 3724")
    assert where(p, "eg-10") == "box-eg" and where(p, "eg-4-pz") == "3724"
    # The hex of units that died is vacated: the attacker may advance (R-G53).
    assert step(p) == "advance"
    allowed(p, "soviet advance su-1-br > 3725")


@rule("6.2.1.a3")
@rule("5.1.p2")
def test_fronts_do_not_join_fronts_in_retreat() -> None:
    # AR of 1 BR from 3725: 3724 and 3824 are open, each with a Front or a guards army.
    closed_off = "eg-9 3726, eg-26 3726, su-2-br 3724, su-2-gds-inf 3824, su-3-gds-inf 3624, su-4-gds-inf 3624"
    p = attack(lay("S combat", f"su-1-br 3725, {closed_off}"), "su-1-br", "3726", 2)
    assert CRT["1:2", 2] == "AR"
    assert legal(p) == {"soviet retreat su-1-br > 3824"}
    refused(p, "soviet retreat su-1-br > 3724", "6.2.1.a3")
    refused(p, "soviet retreat su-1-br > 3624", "6.2.1.a2")


@rule("6.2.1.b1")
@ruling("R-G27")
def test_no_retreat_off_the_map_or_over_closed_sides() -> None:
    # 1320 faces Balaton: not into 1220 over the lake.
    p = lay("S combat", "eg-10 1320, su-1-gds-inf 1420, su-1-br 1420")
    q = attack(p, "su-1-gds-inf su-1-br", "1320", 4)
    assert step(q) == "retreat" and "lake" in features("1220", "1320")
    refused(q, "western-allied retreat eg-10 > 1220", "6.2.1.b1")
    sea = next(n for n in NEAR["3923"] if HEXES[n]["playable"] == "0")
    p = attack(lay("S combat", "eg-10 3923, su-1-br 3924, su-1-gds-inf 3924"), "su-1-br su-1-gds-inf", "3923", 4)
    assert step(p) == "retreat"
    refused(p, f"western-allied retreat eg-10 > {sea}", "6.2.1.b1")


@ruling("R-G48")
@rule("5.2.2.p1")
@rule("6.2.1.b1")
def test_over_the_line_only_when_no_hex_on_the_own_side_is_left() -> None:
    # EG in 2514: own side 2414, 2614 or a friend at home beat 2513 across.
    units = "eg-10 2514, su-1-br 2515, su-1-gds-inf 2515"
    p = attack(lay("S combat", units + ", su-2-gds-inf 2415"), "su-1-br su-1-gds-inf", "2514", 4)
    # 2414 and 2614 lie in the ZOC of 2515; so 2413 and 2513 across are what is left.
    assert set(legal(p)) == {"western-allied retreat eg-10 > 2413", "western-allied retreat eg-10 > 2513"}
    # Attacked from across by a displaced unit in 2413: 2515 and 2614 are open at home.
    p = lay("S combat", "eg-10 2514, su-1-br 2413, su-1-gds-inf 2413")
    p = attack(p, "su-1-br su-1-gds-inf", "2514", 4)
    assert legal(p) == {"western-allied retreat eg-10 > 2515", "western-allied retreat eg-10 > 2614"}
    refused(p, "western-allied retreat eg-10 > 2513", "6.2.1.b2")
    # 2714, attacked from 2715: 2613 is Berlin, 2713 lies across; friends at home in 2813 beat it.
    p = attack(lay("S combat", "eg-4-pz 2714, eg-6 2813, su-1-br 2715, su-1-gds-inf 2715"), "su-1-br su-1-gds-inf", "2714", 4)
    assert legal(p) == {"western-allied retreat eg-4-pz > 2813"}
    refused(p, "western-allied retreat eg-4-pz > 2713", "5.2.1.p1")
    p = attack(lay("S combat", "eg-4-pz 2714, eg-6 2813, eg-8 2813, su-1-br 2715, su-1-gds-inf 2715"), "su-1-br su-1-gds-inf", "2714", 4)
    assert legal(p) == {"western-allied retreat eg-4-pz > 2713"}


@ruling("R-G48")
def test_friend_occupied_at_home_beats_vacant_across() -> None:
    # S in 2514, attacked by EG from 2515; 2414 and 2614 lie in its ZOC. Berlin counts as own side.
    p = lay("EG combat", "su-1-pol 2514, eg-24-pz 2515, eg-39-pz 2515")
    p = attack(p, "eg-24-pz eg-39-pz", "2514", 4)
    assert legal(p) == {"soviet retreat su-1-pol > 2613"}
    refused(p, "soviet retreat su-1-pol > 2513", "5.2.2.p1")
    p = lay("EG combat", "su-1-pol 2514, su-1-gds-inf 2613, eg-24-pz 2515, eg-39-pz 2515")
    p = attack(p, "eg-24-pz eg-39-pz", "2514", 4)
    assert legal(p) == {"soviet retreat su-1-pol > 2613"}
    p = lay("EG combat", "su-1-pol 2514, su-1-gds-inf 2613, su-2-gds-inf 2613, eg-24-pz 2515, eg-39-pz 2515, su-3-gds-inf 2413")
    p = attack(p, "eg-24-pz eg-39-pz", "2514", 4)
    assert legal(p) == {"soviet retreat su-1-pol > 2513"}  # vacant across, before 2413 with a friend


@ruling("R-G48")
@rule("6.2.1.a1")
def test_the_switch_lets_vacant_hexes_across_go_first() -> None:
    units = "eg-4-pz 2714, eg-6 2813, su-1-br 2715, su-1-gds-inf 2715"
    with playing("historical", "6.2.1/vacant-first"):
        p = attack(lay("S combat", units), "su-1-br su-1-gds-inf", "2714", 4)
        assert legal(p) == {"western-allied retreat eg-4-pz > 2713"}
        refused(p, "western-allied retreat eg-4-pz > 2813", "6.2.1.a1")
        # Vacant at home and vacant across: one class? At home first, still: crossing is no choice.
        p = attack(lay("S combat", "eg-4-pz 2714, su-1-br 2715, su-1-gds-inf 2715"), "su-1-br su-1-gds-inf", "2714", 4)
        assert "western-allied retreat eg-4-pz > 2813" in legal(p)


@ruling("R-G48")
@rule("5.3.1.p1")
@rule("5.3.2.p1")
def test_the_yugoslav_border_in_retreat() -> None:
    # A Romanian in 1123: home hexes first, Yugoslavia last; a Yugoslav the other way round.
    p = attack(lay("EG combat", "su-1-rom 1123, eg-24-pz 1124, eg-39-pz 1124"), "eg-24-pz eg-39-pz", "1123", 3)
    homes = {line.split("> ")[1] for line in legal(p)}
    assert homes and all(country(h) != "yugoslavia" for h in homes)
    refused(p, "soviet retreat su-1-rom > 1022", "5.3.2.p1")
    p = attack(lay("EG combat", "su-1-yug 1022, eg-24-pz 1021, eg-39-pz 1021"), "eg-24-pz eg-39-pz", "1022", 3)
    homes = {line.split("> ")[1] for line in legal(p)}
    assert homes and all(country(h) == "yugoslavia" for h in homes)
    refused(p, "soviet retreat su-1-yug > 1123", "5.3.1.p1")


@ruling("R-G48")
@ruling("R-G39")
def test_forced_over_the_yugoslav_border_the_turn_is_kept() -> None:
    # Every home hex of a Romanian in 1123 is closed: 1122, 1124, 1222, 1223 German; 1022 and 1023 lie in Yugoslavia.
    assert set(NEAR["1123"]) == {"1122", "1124", "1022", "1023", "1222", "1223"}
    p = attack(lay("EG combat", "su-1-rom 1123, eg-24-pz 1222, eg-39-pz 1223", turn=4), "eg-24-pz eg-39-pz", "1123", 3)
    assert legal(p) == {"soviet retreat su-1-rom > 1022", "soviet retreat su-1-rom > 1023"}
    p = play(p, "soviet retreat su-1-rom > 1022")
    assert p.abroad == ((BOOK.game.unit("su-1-rom"), 4),)
    # A friend with room at home comes first.
    q = lay("EG combat", "su-1-rom 1123, su-2-gds-inf 1122, eg-24-pz 1223, eg-39-pz 1223", turn=4)
    q = attack(q, "eg-24-pz eg-39-pz", "1123", 3)
    assert legal(q) == {"soviet retreat su-1-rom > 1122"}


@ruling("R-G50")
@ruling("R-G87")
def test_allies_retreat_into_berlin_from_either_side() -> None:
    p = lay("EG combat", "su-1-pol 2514, eg-24-pz 2515, eg-39-pz 2515")
    p = play(attack(p, "eg-24-pz eg-39-pz", "2514", 4), "soviet retreat su-1-pol > 2613")
    assert where(p, "su-1-pol") == BERLIN and p.berlin_first[0] == 0 and p.berlin_seen
    # From the west: a displaced Pole in 2513; Berlin is home.
    p = attack(lay("EG combat", "su-1-pol 2513, eg-24-pz 2514, eg-39-pz 2514"), "eg-24-pz eg-39-pz", "2513", 4)
    # 2613 lies in the ZOC of 2514, so it is closed here; 2412, 2512, 2612 remain.
    refused(p, "soviet retreat su-1-pol > 2613", "6.2.1.b2")
    assert legal(p) == {f"soviet retreat su-1-pol > {h}" for h in ("2412", "2512", "2612")}


@rule("6.3.c1")
@rule("6.3.c3")
@ruling("R-G44")
def test_a_unit_attacks_once_a_phase_and_undivided() -> None:
    p = lay("S combat", "su-1-br 3624, su-2-br 3724, eg-4-pz 3725, eg-10 3823, eg-2 3524")
    assert "3823" in NEAR["3724"] and "3524" in NEAR["3624"]
    p = answered(attack(p, "su-1-br", "3725", 4))
    for target in ("3524", "3725", "3823"):
        assert "6.3.c1" in {c.para for r in check(p, f"soviet attack su-1-br > {target}").reasons for c in r.cites}
    allowed(p, "soviet attack su-2-br > 3823")
    # In the declaration a unit joins once.
    q = play(lay("S combat", DUEL), "soviet target > 3725", "soviet join su-1-br")
    refused(q, "soviet join su-1-br", "6.3.c3")
    assert "soviet join su-1-br" not in legal(q)
    with pytest.raises(NotationError, match="twice"):
        check(lay("S combat", DUEL), "soviet attack su-1-br,su-1-br > 3725")


@ruling("R-G44")
def test_a_hex_may_be_attacked_again_by_others() -> None:
    p = lay("S combat", "su-1-pol 3624, su-2-br 3726, su-2-gds-inf 3726, eg-10 3725")
    p = attack(p, "su-1-pol", "3725", 2)
    assert CRT["1:2", 2] == "AR"
    p = answered(p)
    allowed(p, "soviet attack su-2-br,su-2-gds-inf > 3725")


@rule("6.3.c2")
@rule("6.3.e")
@ruling("R-G46")
def test_every_attacker_is_beside_every_target() -> None:
    units = "su-1-br 3624, su-1-gds-inf 3824, su-1-pol 3726, eg-10 3725, eg-2 3724, eg-6 3524"
    p = lay("S combat", units)
    allowed(p, "soviet attack su-1-br,su-1-gds-inf,su-1-pol > 3725", "soviet attack su-1-br,su-1-gds-inf > 3724,3725")
    refused(p, "soviet attack su-1-br,su-1-gds-inf,su-1-pol > 3724,3725", "6.3.e")
    refused(p, "soviet attack su-1-pol > 3724", "6.3.c2")
    # Targets need not touch each other.
    assert "3524" not in NEAR["3725"]
    allowed(p, "soviet attack su-1-br > 3524,3725")  # 8 : 9
    strong = lay("S combat", "su-1-br 3624, su-1-gds-inf 3624, eg-10 3725, eg-6 3524")
    allowed(strong, "soviet attack su-1-br,su-1-gds-inf > 3524,3725")


@rule("6.3.c4")
@ruling("R-G53")
def test_a_comrade_in_the_stack_need_not_attack() -> None:
    p = attack(lay("S combat", "su-1-pol 3726, su-1-gds-inf 3726, eg-10 3725"), "su-1-pol", "3725", 6)
    assert where(p, "su-1-pol") == "box-s" and where(p, "su-1-gds-inf") == "3726"
    # The hex is not vacated: no advance for the defender.
    assert not any("advance" in line for line in legal(p))
    # AR: only the attacker goes.
    q = attack(lay("S combat", "su-1-pol 3726, su-1-gds-inf 3726, eg-10 3725"), "su-1-pol", "3725", 2)
    assert {line.split()[2] for line in legal(q)} == {"su-1-pol"}


@rule("6.3.d1")
@rule("6.3.d2")
def test_a_stack_defends_as_one_and_shares_the_result() -> None:
    # 15 against 4 + 5: 1:1, not 3:1.
    p = lay("S combat", DUEL + ", eg-2 3725")
    assert column(p, "su-1-br su-1-gds-inf", "3725") == "1:1"
    q = attack(p, "su-1-br su-1-gds-inf", "3725", 1)
    assert where(q, "eg-10") == where(q, "eg-2") == "box-eg"
    r = attack(p, "su-1-br su-1-gds-inf", "3725", 2)
    assert {line.split()[2] for line in legal(r)} == {"eg-10", "eg-2"}


@rule("6.3.e")
@ruling("R-G45")
def test_several_hexes_multiply_each_for_itself() -> None:
    # 0621 is broken, 0722 clear, both beside 0622 without a river: 15 against 2 x 3 + 2.
    assert (HEXES["0621"]["terrain"], HEXES["0722"]["terrain"]) == ("broken", "clear")
    p = lay("S combat", "su-1-br 0622, su-1-gds-inf 0622, eg-72 0621, eg-4-pz 0722")
    assert column(p, "su-1-br su-1-gds-inf", "0621 0722") == "1:1"
    p = lay("S combat", "su-1-br 0622, su-1-gds-inf 0622, eg-4-pz 0621, eg-72 0722")  # 2 x 2 + 3 = 7
    assert column(p, "su-1-br su-1-gds-inf", "0621 0722") == "2:1"
    # The river is judged a hex: 2624 is across from 2525 and 2623; 2525 is also attacked from 2424 on its own bank.
    p = lay("S combat", "su-1-br 2624, su-1-gds-inf 2624, eg-72 2525, eg-4-pz 2623")
    assert column(p, "su-1-br su-1-gds-inf", "2525 2623") == "1:1"  # 15 : 6 + 4


@rule("6.4")
@rule("6.4.a")
@rule("6.4.b")
@rule("6.4.e1")
@ruling("R-G2")
@ruling("R-G58")
def test_terrain_multiplies_and_adds_up() -> None:
    # Each against 18 points: none 6:1, one effect 3:1, two 2:1, three 1:1 (4 x 3 = 12).
    force_of = "we-5-us {a}, we-20-us {a}, we-6-us {b}, wg-63 {t}"
    units = "we-5-us we-20-us we-6-us"
    for a, b, t, expected in (
        ("2211", "2112", "2212", "6:1"),  # clear
        ("1804", "1705", "1805", "3:1"),  # fortified
        ("2104", "2204", "2105", "2:1"),  # fortified and broken
        ("1904", "2004", "1905", "1:1"),  # fortified, broken, Moselle
        ("1904", "1804", "1905", "2:1"),  # one attacker not across: fortified and broken
    ):
        p = lay("W combat", force_of.format(a=a, b=b, t=t))
        assert column(p, units, t) == expected, (a, b, t)
    # Units of one hex share the side.
    p = lay("S combat", "su-1-br 2526, su-1-gds-inf 2526, eg-10 2525")
    assert column(p, "su-1-br su-1-gds-inf", "2525") == "1:1"  # 15 : 8


@rule("6.4.c1")
@rule("6.4.c2")
@rule("6.4.c3")
@ruling("R-G59")
def test_fortifications_fall_to_western_entry_for_good() -> None:
    # By advance.
    p = attack(lay("W combat", "we-5-us 1804, we-20-us 1804, we-6-us 1705, wg-63 1805"), "we-5-us we-20-us we-6-us", "1805", 1)
    assert not p.forts_gone
    p = play(p, "western-allied advance we-5-us > 1805")
    assert p.forts_gone.bit_count() == 1
    # By retreat.
    r = attack(lay("WG combat", "we-30-br 1705, wg-1-ss 1706, wg-2-ss 1706"), "wg-1-ss wg-2-ss", "1705", 4)
    assert play(r, "western-allied retreat we-30-br > 1804").forts_gone == 0
    r = attack(lay("WG combat", "we-30-br 1705, wg-1-ss 1605, wg-2-ss 1605"), "wg-1-ss wg-2-ss", "1705", 4)
    assert play(r, "western-allied retreat we-30-br > 1805").forts_gone.bit_count() == 1
    # WG that come back find nothing: 18 against 3.
    q = lay("W combat", "we-5-us 1804, we-20-us 1804, we-6-us 1705, wg-63 1805", forts_gone=p.forts_gone)
    assert column(q, "we-5-us we-20-us we-6-us", "1805") == "6:1"
    # WG entry does not destroy.
    s = play(lay("WG movement", "wg-1-ss 1804, we-4-us 1301"), "soviet move wg-1-ss @ 1804 > 1805")
    assert not s.forts_gone


@rule("6.5")
@rule("6.5.a")
@rule("6.5.c")
@ruling("R-G53")
def test_one_victor_of_the_combat_may_enter() -> None:
    p = attack(lay("S combat", DUEL + ", su-2-gds-inf 3824"), "su-1-br su-1-gds-inf", "3725", 1)
    assert legal(p) == {"soviet advance su-1-br > 3725", "soviet advance su-1-gds-inf > 3725", "soviet done"}
    refused(p, "soviet advance su-2-gds-inf > 3725", "6.5.a")
    refused(p, "western-allied done")
    refused(p, "soviet advance su-1-br > 3724", "6.5")
    stays = play(p, "soviet done")
    assert where(stays, "su-1-br") == "3726"
    p = play(p, "soviet advance su-1-br > 3725")
    assert step(p) != "advance"
    refused(p, "soviet advance su-1-gds-inf > 3725", "6.5")


@rule("6.5")
@ruling("R-G53")
def test_one_victor_a_hex_and_each_once_when_two_hexes_are_emptied() -> None:
    p = lay("S combat", "su-1-br 3824, su-1-gds-inf 3824, eg-4-pz 3725, eg-48-pz 3724")
    p = attack(p, "su-1-br su-1-gds-inf", "3724 3725", 1)
    first = step(p)
    assert first == "advance"
    targets = {line.split("> ")[1] for line in legal(p) if "advance" in line}
    p = play(p, f"soviet advance su-1-br > {min(targets)}")
    assert step(p) == "advance"
    other = ({"3724", "3725"} - {min(targets)}).pop()
    assert legal(p) == {f"soviet advance su-1-gds-inf > {other}", "soviet done"}


@rule("6.5")
@ruling("R-G53")
def test_a_unit_advances_once() -> None:
    p = lay("S combat", "su-1-br 3824, su-1-gds-inf 3824, eg-4-pz 3725, eg-48-pz 3724")
    p = play(attack(p, "su-1-br su-1-gds-inf", "3724 3725", 1), "soviet advance su-1-br > 3724")
    refused(p, "soviet advance su-1-br > 3725", "6.5")


@rule("6.5")
@ruling("R-G53")
@ruling("R-G120")
def test_defenders_advance_after_the_attackers_fall_or_fly() -> None:
    p = attack(lay("S combat", "su-1-pol 3726, eg-10 3725, eg-2 3624"), "su-1-pol", "3725", 6)
    assert p.agenda[-1].by == ("western-allied",)
    assert legal(p) == {"western-allied advance eg-10 > 3726", "western-allied done"}
    refused(p, "western-allied advance eg-2 > 3726", "6.5.a")
    # After AR too, once all retreats are done.
    q = attack(lay("S combat", "su-1-pol 3726, eg-10 3725"), "su-1-pol", "3725", 2)
    q = play(q, sorted(legal(q))[0])
    assert legal(q) == {"western-allied advance eg-10 > 3726", "western-allied done"}
    # WG defenders are the Soviet player's.
    r = attack(lay("W combat", "we-4-us 2211, wg-26 2212".replace("wg-26", "wg-13-ss")), "we-4-us", "2212", 6)
    assert r.agenda[-1].by == ("soviet",) and "soviet advance wg-13-ss > 2211" in legal(r)


@rule("6.5.b")
@ruling("R-G14")
def test_an_advance_ignores_zoc_and_terrain() -> None:
    # From ZOC to ZOC, over a river, into a hex beside another enemy.
    p = attack(lay("S combat", "su-1-br 2526, su-1-gds-inf 2526, eg-4-pz 2525, eg-10 2524"), "su-1-br su-1-gds-inf", "2525", 1)
    assert "2525" in NEAR["2524"] and river("2526", "2525")
    allowed(p, "soviet advance su-1-br > 2525")


@ruling("R-G52")
@rule("10.0.a2")
def test_a_garrison_keeps_its_hex_against_retreat() -> None:
    # DR on the garrison alone: nothing moves, nobody advances.
    p = lay("EG combat", "su-1-br 2723, eg-24-pz 2722, eg-39-pz 2722, eg-gd-pz 2622")
    p = attack(p, "eg-24-pz eg-39-pz eg-gd-pz", "2723", 2)
    assert CRT["1:1", 2] == "DR" and where(p, "su-1-br") == "2723" and step(p) != "advance"
    # DE takes it.
    q = lay("EG combat", "su-1-br 2723, eg-24-pz 2722, eg-39-pz 2722, eg-gd-pz 2622, eg-3-ss 2622, eg-hg-pz 2623, eg-9 2623")
    q = attack(q, "eg-24-pz eg-39-pz eg-gd-pz eg-3-ss eg-hg-pz eg-9", "2723", 1)
    assert where(q, "su-1-br") == "box-s" and not members(q.garrison)


@rule("6.3.a")
@rule("6.3.b")
def test_allies_do_not_fight_each_other_nor_germans_germans() -> None:
    p = lay("S combat", "su-1-br 2514, su-1-gds-inf 2514, we-4-us 2513")
    refused(p, "soviet attack su-1-br,su-1-gds-inf > 2513", "6.3.a")
    refused(lay("W combat", "we-5-us 2513, we-20-us 2513, su-1-pol 2514"), "western-allied attack we-5-us,we-20-us > 2514", "6.3.a")
    refused(lay("EG combat", "eg-24-pz 2514, eg-39-pz 2514, wg-63 2513"), "western-allied attack eg-24-pz,eg-39-pz > 2513", "6.3.b")
    refused(lay("WG combat", "wg-1-ss 2513, wg-2-ss 2513, eg-4-pz 2514"), "soviet attack wg-1-ss,wg-2-ss > 2514", "6.3.b")
