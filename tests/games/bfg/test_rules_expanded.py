"""Chapter 13: the Expanded Historical Scenario, what Berlin's fall changes, and its two options."""

from __future__ import annotations

import re

import pytest

import referee
from referee.rules.options import UsageError
from tests.games.bfg.facts import BERLIN, CRT, HEXES, NEAR, UNITS
from tests.games.bfg.layout import (
    Pos,
    allowed,
    answered,
    attack,
    by,
    fallen,
    force,
    holder,
    in_use,
    lay,
    legal,
    on,
    phase,
    play,
    playing,
    reach,
    refused,
    rule,
    ruling,
    run,
    step,
    told,
    where,
    within,
)
from tests.games.bfg.odds import column

FAR = "su-4-gds-inf 1223, we-6-us 0601"
"""One unit of each Ally out of everybody's way."""


def gone(p: Pos) -> set[str]:
    """The units out of the game."""
    return {u for u in UNITS if where(p, u) == "out"}


@rule("13.0")
@ruling("R-G119")
@pytest.mark.parametrize(
    ("scenario", "last"), [("historical", 10), ("expanded", 16), ("collapse", 6), ("three_player", 10), ("four_player", 10)]
)
def test_the_last_turn_of_each_scenario(scenario: str, last: int) -> None:
    with playing(scenario) as book:
        force_of = {"three_player": "W", "four_player": "W"}.get(scenario, "EG")
        units = "su-1-gds-inf 2516, eg-2 0522" + ("" if scenario == "collapse" else ", we-5-us 2004, wg-63 1512")
        p = lay(f"{force_of} combat", units, turn=last - 1)
        p = play(p, f"{by(p)} done")
        assert p.turn == last and not book.over(p)
        p = lay(f"{force_of} combat", units, turn=last)
        p = play(p, f"{by(p)} done")
        assert book.over(p) and p.turn == last
        assert told(p, "soviet done") == {"game-over": ("3.0.c",)}


@rule("13.0")
@ruling("R-G96")
def test_while_berlin_stands_the_war_goes_on_with_germans_to_turn_16() -> None:
    with playing("expanded"):
        p = lay("EG combat", "su-1-gds-inf 2516, eg-2 0522, we-5-us 2004, wg-63 1512, wg-64 box-wg", turn=11)
        p = run(play(p, "western-allied done"), "WG replacement", 12)
        assert where(p, "wg-63") == "1512" and "soviet replace wg-64 > 2612" in legal(p)
        p = run(p, "EG movement", 16)
        assert where(p, "wg-63") == "1512" and reach(p, "eg-2")
        refused(lay("S combat", "su-1-gds-inf 2514, we-5-us 2513, eg-2 2515", turn=16), "soviet attack su-1-gds-inf > 2513", "6.3.a")


# ---------------------------------------------------------------------------------------------------------------------------
# Who was in Berlin, and when


@rule("13.1.p1")
@ruling("R-G87")
def test_berlin_falls_to_a_unit_that_passes_through_it() -> None:
    with playing("expanded"):
        p = lay("S movement", "su-1-gds-inf 2714, eg-2 0522, wg-63 1512, we-5-us 2001", turn=8)
        p = play(p, "soviet move su-1-gds-inf @ 2714 > 2614 via 2613")
        assert p.berlin_first[:2] == (0, 8)
        assert {"eg-2", "wg-63"} <= gone(run(p, "W movement", 8))
        beside = play(lay("S movement", "su-1-gds-inf 2714, eg-2 0522, we-5-us 2001", turn=8), "soviet move su-1-gds-inf @ 2714 > 2614")
        assert beside.berlin_first[0] == -1 and where(run(beside, "S movement", 9), "eg-2") == "0522"


@rule("13.1.p1")
@ruling("R-G87")
@ruling("R-G88")
@ruling("R-G50")
def test_berlin_falls_to_an_advance_and_to_a_retreat() -> None:
    with playing("expanded"):
        # W beside Berlin is thrown back by its own attack; only Berlin is open to it.
        units = "we-5-us 2612, wg-1-lw 2611, wg-58-pz 2512, wg-64 2712, eg-2 0522, su-1-gds-inf 3026"
        p = lay("W combat", units, turn=8)
        assert CRT["1:3", 1] == "AR"
        q = attack(p, "we-5-us", "2611", 1)
        assert legal(q) == {f"western-allied retreat we-5-us > {BERLIN}"}
        q = play(q, f"western-allied retreat we-5-us > {BERLIN}")
        assert where(q, "we-5-us") == BERLIN and q.berlin_first[:2] == (1, 8)
        # In race and war alike an Ally may hold it and lose it: S advances into it after destroying the holder, but is not first.
        p = fallen("S combat", f"we-5-us {BERLIN}, su-1-gds-inf 2614, su-2-gds-inf 2714, su-1-br 2714, {FAR}")
        first = p.berlin_first
        q = play(attack(p, "su-1-br su-1-gds-inf su-2-gds-inf", BERLIN, 1), f"soviet advance su-1-gds-inf > {BERLIN}")
        assert where(q, "su-1-gds-inf") == BERLIN and q.berlin_first == first and q.berlin_seen & 1


@rule("13.1.p2")
@ruling("R-G87")
@ruling("R-G96")
@pytest.mark.parametrize("fallen_in", ["WG combat", "EG combat"])
def test_an_ally_thrown_into_berlin_by_germans_ends_that_player_turn_for_them(fallen_in: str) -> None:
    with playing("expanded"):
        if fallen_in == "WG combat":
            # 2612 attacked from 2611; 2511, 2512, 2513, 2711 to 2713 closed or occupied.
            units = "we-5-us 2612, wg-1-ss 2611, wg-2-ss 2611, wg-58-pz 2512, wg-64 2712, eg-2 0522, su-1-gds-inf 3026, wg-63 1512"
            p = attack(lay("WG combat", units, turn=8), "wg-1-ss wg-2-ss", "2612", 3)
            line, unit, following, turn = f"western-allied retreat we-5-us > {BERLIN}", "we-5-us", "W movement", 8
        else:
            units = "su-1-gds-tk 2614, eg-24-pz 2615, eg-gd-pz 2615, eg-9 2515, eg-16 2715, eg-2 0522, we-6-us 0601, wg-63 1512"
            p = attack(lay("EG combat", units, turn=8), "eg-24-pz eg-gd-pz", "2614", 2)
            line, unit, following, turn = f"soviet retreat su-1-gds-tk > {BERLIN}", "su-1-gds-tk", "S movement", 9
        assert line in legal(p) and p.regime == 0 and where(p, "wg-63") == "1512"
        p = answered(play(p, line))
        assert where(p, unit) == BERLIN
        p = run(p, following, turn)
        assert p.regime == 1 and {"wg-63", "eg-2"} <= gone(p)


@rule("13.1.p1")
@ruling("R-G87")
def test_in_the_historical_scenario_the_fall_of_berlin_changes_nothing() -> None:
    p = lay("S movement", "su-1-gds-inf 2714, eg-2 0522, wg-63 1512, we-5-us 2001", turn=8)
    p = run(play(p, "soviet move su-1-gds-inf @ 2714 > 2613"), "S movement", 9)
    assert where(p, "eg-2") == "0522" and where(p, "wg-63") == "1512" and p.regime == 0
    refused(p, "soviet move su-1-gds-inf @ 2613 > 2612", "5.2.2.p1")


# ---------------------------------------------------------------------------------------------------------------------------
# Hostilities


@rule("13.1.p1")
@rule("13.1.p2")
@ruling("R-G1")
@ruling("R-G22")
@ruling("R-G96")
def test_the_allies_become_enemies_with_the_next_player_turn_and_not_before() -> None:
    with playing("expanded"):
        units = "we-5-us 2512, su-1-gds-inf 2614, we-7-us 2004, wg-63 2005, eg-2 0522, eg-10 box-eg, su-2-gds-inf 2617"
        p = lay("W movement", units, turn=8)
        # Nothing holds the one beside the other yet.
        p = play(p, f"western-allied move we-5-us @ 2512 > {BERLIN} via 2612", "western-allied done")
        assert phase(p) == "W combat"
        refused(p, "western-allied attack we-5-us > 2614", "6.3.a")
        allowed(p, "western-allied attack we-7-us > 2005")
        # The East German phases of this player turn still take place.
        p = run(p, "EG replacement", 8)
        allowed(p, "western-allied replace eg-10 > 2714")
        p = run(p, "EG movement", 8)
        assert reach(p, "eg-2")
        p = run(p, "S movement", 9)
        assert {"eg-2", "wg-63", "eg-10"} <= gone(p) and p.regime == 1
        # ZOC between the Allies holds now.
        assert "2714" in set(NEAR[BERLIN]) & set(NEAR["2614"])
        refused(p, "soviet move su-1-gds-inf @ 2614 > 2814 via 2714", "4.0.c2", "4.0.p2")
        p = play(p, "soviet done")
        assert phase(p) == "S combat"
        allowed(p, f"soviet attack su-1-gds-inf > {BERLIN}")


@rule("13.1.p1")
@ruling("R-G1")
def test_after_a_soviet_entry_the_western_player_turn_is_the_first_that_fights() -> None:
    with playing("expanded"):
        units = "su-1-gds-inf 2714, we-5-us 2512, we-7-us 2512, eg-2 0522, wg-63 1512"
        p = play(lay("S movement", units, turn=8), f"soviet move su-1-gds-inf @ 2714 > {BERLIN}")
        p = run(p, "W movement", 8)
        allowed(p, "western-allied move we-5-us @ 2512 > 2612")
        refused(p, "western-allied move we-5-us @ 2512 > 2713 via 2612", "4.0.p2")
        p = play(p, "western-allied move we-5-us @ 2512 > 2612", "western-allied move we-7-us @ 2512 > 2513", "western-allied done")
        assert phase(p) == "W combat"
        allowed(p, f"western-allied attack we-5-us,we-7-us > {BERLIN}")


@rule("13.1.p2")
@ruling("R-G96")
@ruling("R-G118")
def test_the_germans_go_to_no_box_and_their_phases_and_boxes_close() -> None:
    with playing("expanded"):
        units = f"eg-2 2515, eg-10 3822, eg-24-pz 2026, wg-63 1512, wg-1-ss 2101, eg-8 box-eg, wg-64 box-wg, {FAR}"
        p = fallen("S movement", units)
        germans = {u for u, unit in UNITS.items() if unit.force in {"EG", "WG"}}
        assert germans <= gone(p)
        assert not on(p, "box-eg") and not on(p, "box-wg")
        seen = set()
        while p.turn < 14:
            seen.add(phase(p))
            p = play(p, f"{by(p)} done")
        assert seen <= {"S replacement", "S movement", "S combat", "W replacement", "W movement", "W combat"}
        # No exit, no evacuation: what is gone does nothing.
        p = fallen("W movement", units)
        assert told(p, "western-allied exit eg-24-pz @ 2026 > 2026")
        assert told(p, "western-allied evacuate eg-10")


@rule("13.1.p2")
@ruling("R-G83")
@ruling("R-G89")
def test_cities_that_germans_kept_from_the_allies_fall_to_them_when_they_leave() -> None:
    with playing("expanded"):
        # Posen 2618: Soviet ZOC and German ZOC; then the Soviet one alone.
        units = f"su-1-gds-inf 2619, eg-2 2617, {FAR}"
        before = lay("EG combat", units, turn=11)
        assert holder(before, "2618") == "G"
        assert holder(fallen("S movement", units), "2618") == "S"
        # Nobody beside it: as it was.
        assert holder(fallen("S movement", f"eg-2 2617, {FAR}"), "2618") == "G"


@rule("13.1.p3")
@ruling("R-G41")
@ruling("R-G96")
def test_without_germans_the_line_is_open_and_yugoslavia_is_not() -> None:
    with playing("expanded"):
        p = fallen("S movement", f"su-1-gds-inf 2514, su-2-gds-inf 1023, su-1-rom 1124, su-1-yug 1019, {FAR}")
        assert reach(p, "su-1-gds-inf") == within("2514", 4)
        assert any(HEXES[h]["theater"] == "west" for h in reach(p, "su-1-gds-inf"))
        refused(p, "soviet move su-1-rom @ 1124 > 1023", "5.3.2.p1")
        refused(p, "soviet move su-1-yug @ 1019 > 1119", "5.3.1.p1")
        p = fallen("W movement", f"we-5-us 2513, we-7-us 0915, {FAR}")
        assert reach(p, "we-5-us") == within("2513", 8)
        # The West was kept out of Yugoslavia by the line alone.
        assert any(HEXES[h]["country"] == "yugoslavia" for h in reach(p, "we-7-us")), {HEXES["1016"]["country"]}


@rule("13.1.p3")
@ruling("R-G96")
@ruling("R-G37")
def test_who_was_across_the_line_is_not_displaced_any_more() -> None:
    with playing("expanded"):
        p = fallen("W movement", f"su-1-gds-inf 2513, we-5-us 2414, {FAR}")
        assert where(p, "su-1-gds-inf") == "2513"
        p = run(p, "S movement", 13)
        assert where(p, "we-5-us") == "2414" and where(p, "su-1-gds-inf") == "2513"
    # With the line it costs both.
    with playing("expanded"):
        p = run(lay("S movement", f"su-1-gds-inf 2513, we-5-us 2414, eg-2 0522, wg-63 1512, {FAR}", turn=12), "S movement", 13)
        assert where(p, "su-1-gds-inf") == "box-s" and where(p, "we-5-us") == "box-w"


# ---------------------------------------------------------------------------------------------------------------------------
# Poles


@rule("13.1.p4")
@ruling("R-G60")
def test_an_attack_with_communist_poles_leaves_exile_poles_alone_and_the_reverse() -> None:
    with playing("expanded"):
        p = fallen("S combat", f"su-1-pol 2514, su-1-gds-inf 2514, we-2-pol 2513, {FAR}")
        assert told(p, "soviet attack su-1-gds-inf,su-1-pol > 2513") == {"poles": ("13.1.p4",)}
        allowed(p, "soviet attack su-1-gds-inf > 2513")
        q = play(p, "soviet target > 2513")
        assert legal(q) == {"soviet join su-1-gds-inf"}
        p = fallen("W combat", f"su-1-pol 2514, we-2-pol 2513, we-4-us 2513, {FAR}")
        assert told(p, "western-allied attack we-2-pol,we-4-us > 2514") == {"poles": ("13.1.p4",)}
        allowed(p, "western-allied attack we-4-us > 2514")
        # Against anybody else they fight.
        p = fallen("W combat", f"su-1-gds-tk 2514, we-2-pol 2513, {FAR}")
        allowed(p, "western-allied attack we-2-pol > 2514")


@rule("13.1.p4")
@ruling("R-G60")
def test_a_stack_with_an_exile_pole_is_closed_to_communist_poles_whoever_else_is_there() -> None:
    with playing("expanded"):
        p = fallen("S combat", f"su-1-pol 2514, su-2-pol 2514, su-1-gds-inf 2413, we-2-pol 2513, we-1-fr 2513, {FAR}")
        refused(p, "soviet attack su-1-gds-inf,su-1-pol,su-2-pol > 2513", "13.1.p4")
    with playing("expanded", "18/6.3"):
        p = fallen("S combat", f"su-1-pol 2514, su-2-pol 2514, we-2-pol 2513, we-1-fr 2513, {FAR}")
        allowed(p, "soviet attack su-1-pol,su-2-pol > we-1-fr")
        refused(p, "soviet attack su-1-pol,su-2-pol > we-2-pol", "13.1.p4")
        assert "soviet target > we-1-fr" in legal(p) and not {"soviet target > we-2-pol", "soviet target > 2513"} & legal(p)


@rule("13.1.p4")
@ruling("R-G60")
def test_poles_have_zocs_against_each_other_as_usual() -> None:
    with playing("expanded"):
        p = fallen("S movement", f"su-1-pol 2514, we-2-pol 2513, {FAR}")
        refused(p, "soviet move su-1-pol @ 2514 > 2412 via 2413", "4.0.c2", "4.0.p2")


# ---------------------------------------------------------------------------------------------------------------------------
# The other reading: a race for points


@rule("13.1.a1")
@rule("13.1.a2")
@ruling("R-G97")
def test_in_the_race_nobody_fights_and_only_hexes_are_closed() -> None:
    with playing("expanded", "13.1/race"):
        p = fallen("S movement", f"su-1-gds-inf 2514, su-2-gds-inf 2414, we-5-us 2513, eg-2 2515, {FAR}")
        assert where(p, "eg-2") == "out"
        # From ZOC to ZOC, over the line: nothing in the way but the hex that is held.
        assert reach(p, "su-1-gds-inf") == within("2514", 4, {"2513"})
        refused(p, "soviet move su-1-gds-inf @ 2514 > 2513", "5.0.a3")
        p = run(p, "W movement", 12)
        assert phase(p) == "W movement"
        with pytest.raises(AssertionError):
            run(p, "W combat", 12)
        # Asked for all the same:
        q = run(p, "S movement", 13)
        assert "attack" not in " ".join(legal(q))


@rule("13.1.a2")
@ruling("R-G97")
def test_in_the_race_an_attack_is_refused_and_without_it_allowed() -> None:
    units = f"su-1-gds-inf 2514, we-5-us 2513, {FAR}"
    with playing("expanded", "13.1/race"):
        refused(lay("S combat", units, turn=12, regime=1), "soviet attack su-1-gds-inf > 2513", "13.1.a2")
    with playing("expanded"):
        allowed(lay("S combat", units, turn=12, regime=1), "soviet attack su-1-gds-inf > 2513")


@rule("13.1.a2")
@ruling("R-G97")
def test_in_the_race_cities_go_by_zoc_as_ever() -> None:
    with playing("expanded", "13.1/race"):
        p = fallen("S movement", f"su-1-gds-inf 2620, we-5-us 2515, {FAR}")
        assert holder(p, "2618") == "G"
        p = play(p, "soviet move su-1-gds-inf @ 2620 > 2619")
        assert holder(p, "2618") == "S"


# ---------------------------------------------------------------------------------------------------------------------------
# 13.2: the SS


SS = "wg-1-ss 2510, wg-12-ss 2411, eg-3-ss 2516, eg-9-ss 2218, eg-4-ss box-eg, wg-2-ss box-wg, eg-24-pz 2517, wg-63 1512"


@rule("13.2.p1")
@rule("13.2.p2")
@ruling("R-G98")
def test_the_ss_on_the_map_stay_under_the_western_player() -> None:
    with playing("expanded", "13.2"):
        p = fallen("S movement", f"{SS}, {FAR}")
        for unit, place in (("wg-1-ss", "2510"), ("wg-12-ss", "2411"), ("eg-3-ss", "2516"), ("eg-9-ss", "2218")):
            assert where(p, unit) == place and force(p, unit) == "W"
        assert {"eg-4-ss", "wg-2-ss", "eg-24-pz", "wg-63"} <= gone(p)
        p = run(p, "W movement", 12)
        movers = {text.split()[2] for text in legal(p) if " move " in text}
        assert movers == {"wg-1-ss", "wg-12-ss", "eg-3-ss", "eg-9-ss", "we-6-us"}
        q = play(p, "western-allied move eg-9-ss @ 2218 > 2219")
        assert where(q, "eg-9-ss") == "2219"
    with playing("expanded"):
        assert {u for u in UNITS if "ss" in u.split("-")} <= gone(fallen("S movement", f"{SS}, {FAR}"))


@rule("13.2.p2")
@ruling("R-G98")
@ruling("R-G23")
def test_the_ss_stack_and_attack_with_the_west() -> None:
    with playing("expanded", "13.2"):
        p = fallen("W movement", f"wg-1-ss 2510, we-5-us 2509, we-7-us 2409, su-1-gds-inf 2513, {FAR}")
        p = play(p, "western-allied move we-5-us @ 2509 > 2510")
        allowed(p, "western-allied done")
        p = play(p, "western-allied move we-7-us @ 2409 > 2510")
        refused(p, "western-allied done", "5.1.p1")
        # 4 + 7 against the 7-7-4: one attack.
        p = fallen("W combat", f"wg-1-ss 2511, we-5-us 2511, su-1-gds-inf 2510, {FAR}")
        assert column(p, "wg-1-ss we-5-us", "2510") == "1:1"


@rule("13.2.p3")
@ruling("R-G98")
def test_the_ss_defend_with_the_printed_strength_and_are_gone_when_destroyed() -> None:
    with playing("expanded", "13.2"):
        p = fallen("S combat", f"wg-1-ss 2511, su-1-gds-inf 2510, su-1-gds-tk 2510, {FAR}")
        assert column(p, "su-1-gds-inf su-1-gds-tk", "2511") == "2:1"  # 13 against 6
        dead = attack(p, "su-1-gds-inf su-1-gds-tk", "2511", 1)
        assert where(dead, "wg-1-ss") == "out"


@rule("13.2.p3")
@ruling("R-G98")
def test_each_ss_unit_is_halved_before_they_are_added() -> None:
    # 5-... none is odd but 3-6-4, 3-4-4 and 7-5-8: 2 + 2 = 4 and not 3.
    with playing("expanded", "13.2"):
        p = fallen("W combat", f"eg-9-ss 2515, eg-11-ss 2515, su-1-gds-tk 2514, {FAR}")
        assert column(p, "eg-9-ss eg-11-ss", "2514") == "1:1"


@rule("13.2.p3")
@rule("6.4.c2")
@ruling("R-G98")
def test_fortifications_help_the_ss_no_more() -> None:
    with playing("expanded", "13.2"):
        # 1805: clear and fortified. 14 against the 6 of the SS: 2:1, not 1:1.
        p = fallen("S combat", f"wg-1-ss 1805, su-1-gds-inf 1804, su-2-gds-inf 1804, {FAR}")
        assert column(p, "su-1-gds-inf su-2-gds-inf", "1805") == "2:1"


@rule("13.2.p2")
@ruling("R-G98")
def test_the_ss_never_enter_berlin_and_leave_no_map_edge() -> None:
    with playing("expanded", "13.2"):
        p = fallen("W movement", f"wg-1-ss 2612, eg-3-ss 2026, we-5-us 2612, {FAR}")
        refused(p, f"western-allied move wg-1-ss @ 2612 > {BERLIN}", "5.2.1.p3")
        allowed(p, f"western-allied move we-5-us @ 2612 > {BERLIN}")
        assert told(p, "western-allied exit eg-3-ss @ 2026 > 2026")
        # An SS unit that attacks Berlin does not advance into it; a Western one beside it may.
        p = fallen("W combat", f"wg-1-ss 2612, we-5-us 2612, we-20-us 2513, su-1-bul {BERLIN}, {FAR}")
        q = attack(p, "wg-1-ss we-5-us we-20-us", BERLIN, 1)
        assert step(q) == "advance"
        assert legal(q) == {
            f"western-allied advance we-5-us > {BERLIN}",
            f"western-allied advance we-20-us > {BERLIN}",
            "western-allied done",
        }


@rule("13.2.p4")
@ruling("R-G99")
def test_an_ss_unit_alone_in_a_city_scores_it_for_nobody() -> None:
    with playing("expanded", "13.2"):
        alone = fallen("S movement", f"wg-1-ss 2509, {FAR}")  # Hannover
        assert holder(alone, "2509") == "G"
        both = fallen("S movement", f"wg-1-ss 2509, we-5-us 2509, {FAR}")
        assert holder(both, "2509") == "W"
        # Left alone in it by a Western unit that stays beside it, the SS still score it for nobody.
        p = fallen("W movement", f"wg-1-ss 2509, we-5-us 2509, {FAR}")
        assert holder(play(p, "western-allied move we-5-us @ 2509 > 2409"), "2509") == "G"
        # Beside a city that a Western unit has left they disturb nothing.
        p = fallen("W movement", f"wg-1-ss 2408, we-5-us 2509, {FAR}")
        assert holder(play(p, "western-allied move we-5-us @ 2509 > 2407"), "2509") == "W"


@rule("13.2.p4")
@ruling("R-G99")
def test_the_ss_stop_a_soviet_claim_and_disturb_no_western_one() -> None:
    with playing("expanded", "13.2"):
        # Posen 2618 between a Soviet unit and an SS one: nobody's; a Western unit and an SS one: the West's.
        assert holder(fallen("S movement", f"su-1-gds-inf 2619, eg-9-ss 2617, {FAR}"), "2618") == "G"
        assert holder(fallen("S movement", f"su-1-gds-inf 2619, {FAR}"), "2618") == "S"
        assert holder(fallen("S movement", f"we-5-us 2619, eg-9-ss 2617, {FAR}"), "2618") == "W"
        # And keep the Soviets from a city that the West has left: both have a ZOC there, so it stays as it was.
        p = fallen("W movement", f"we-5-us 2618, eg-9-ss 2617, su-1-gds-inf 2619, {FAR}")
        assert holder(p, "2618") == "W"
        assert holder(play(p, "western-allied move we-5-us @ 2618 > 2417 via 2518"), "2618") == "W"
        without = fallen("W movement", f"we-5-us 2618, su-1-gds-inf 2619, {FAR}")
        assert holder(play(without, "western-allied move we-5-us @ 2618 > 2417 via 2518"), "2618") == "S"
        # SS that walk by take no city for the West.
        p = fallen("W movement", f"eg-15-ss 2616, {FAR}")
        p = play(p, "western-allied move eg-15-ss @ 2616 > 2517 via 2617")
        assert holder(p, "2618") == "G"
        # And take a Soviet one from the Soviets when they stand in it.
        p = fallen("W movement", f"eg-15-ss 2616, su-1-gds-inf 2620, {FAR}")
        p = run(p, "S movement", 13)
        p = play(p, "soviet move su-1-gds-inf @ 2620 > 2520 via 2619")
        assert holder(p, "2618") == "S"
        p = run(p, "W movement", 13)
        p = play(p, "western-allied move eg-15-ss @ 2616 > 2618 via 2617")
        assert holder(p, "2618") == "G"


@rule("13.2.p3")
@ruling("R-G55")
@ruling("R-G98")
def test_a_soviet_exchange_pays_the_printed_defence_of_the_ss() -> None:
    with playing("expanded", "13.2"):
        p = fallen("S combat", f"wg-2-ss box-wg, wg-1-ss 2511, su-1-gds-inf 2510, su-1-gds-tk 2510, {FAR}")
        p = attack(p, "su-1-gds-inf su-1-gds-tk", "2511", 1)
        assert CRT["2:1", 1] == "EX" and step(p) == "lose"
        allowed(play(p, "soviet lose su-1-gds-tk"), "soviet done")  # 6 for 6


@rule("13.1.p2")
@ruling("R-G96")
def test_points_of_a_game_without_germans_are_counted_after_turn_16() -> None:
    with playing("expanded") as book:
        p = fallen("W movement", f"su-1-br 2613, we-5-us 2509, {FAR}", turn=16)
        while not book.over(p):
            p = answered(play(p, f"{by(p)} done"))
        soviet, western = map(int, re.findall(r"\d+", p.result))
        assert (soviet, western) == (10, 1) and p.result.startswith("Soviet wins")


@ruling("R-G117")
@rule("13.2.p1")
def test_combinations_that_make_no_sense_are_refused_before_play() -> None:
    assert in_use() is not None
    for scenario, options in (
        ("expanded", ("13.2", "13.1/race")),
        ("historical", ("13.2",)),
        ("three_player", ("13.1/race",)),
        ("rsws", ("18/8.0",)),
        ("collapse", ("18/5.3",)),
        ("historical", ("12.3", "18/12.2")),
        ("four_player", ("12.3",)),
        ("collapse", ("18/12.2",)),
        ("historical", ("12.3/east-box",)),
    ):
        with pytest.raises(UsageError):
            referee.load("battle-for-germany", scenario, options=options)
    for scenario, options in (("expanded", ("13.2", "18.1", "18/5.3", "18/6.3", "18/8.0", "18/12.2")), ("expanded", ("12.3", "13.1/race"))):
        assert referee.load("battle-for-germany", scenario, options=options).start().turn == 1


@rule("13.1.p1")
@rule("10.0.a3")
@ruling("R-G85")
@ruling("R-G93")
def test_the_garrison_of_berlin_may_be_destroyed_by_the_west() -> None:
    with playing("expanded"):
        units = f"su-1-br {BERLIN}, we-5-us 2612, we-20-us 2612, we-30-br 2513, we-2-cn 2513, we-7-us 2713, we-2-us 2713, {FAR}"
        p = fallen("W combat", units)
        # 40 against 20: 2:1. AR and DR leave it where it is, an exchange takes it.
        all_of_them = "we-5-us we-20-us we-30-br we-2-cn we-7-us we-2-us"
        assert where(answered(attack(p, all_of_them, BERLIN, 3)), "su-1-br") == BERLIN
        q = attack(p, all_of_them, BERLIN, 1)
        assert CRT["2:1", 1] == "EX" and where(q, "su-1-br") == "box-s" and step(q) == "lose"
        for unit in ("we-5-us", "we-20-us", "we-7-us"):
            q = play(q, f"western-allied lose {unit}")
        q = play(q, "western-allied done", f"western-allied advance we-2-us > {BERLIN}")
        assert holder(q, BERLIN) == "W"
