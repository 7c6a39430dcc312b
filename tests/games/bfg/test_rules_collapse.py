"""Chapter 14: Collapse in the East, the short game on the eastern half of the map."""

from __future__ import annotations

import re

import pytest

from tests.games.bfg.facts import BERLIN, CITIES, COURLAND, CRT, HEXES, RATES, UNITS, rows, theater
from tests.games.bfg.layout import (
    allowed,
    answered,
    attack,
    by,
    cited,
    force,
    holder,
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
)

EAST = sum(int(city["vp"]) for name, city in CITIES.items() if theater(name) in {"east", "both"})
"""All VPs of the map that is used."""


def count(units: str, *options: str) -> tuple[int, int, str]:
    """VPs of the Soviets and the Germans, and the result, when turn 6 ends on this layout."""
    with playing("collapse", *options) as book:
        p = play(lay("EG combat", units, turn=6), "western-allied done")
        assert book.over(p)
        soviet, german = map(int, re.findall(r"\d+", p.result))
        return soviet, german, p.result


@rule("14.0.p1")
@rule("14.0.p2")
@ruling("R-G102")
@ruling("R-G118")
@ruling("R-G75")
def test_only_soviets_and_east_germans_are_set_up_as_in_the_historical_scenario() -> None:
    sheet = {row["piece"]: row["place"] for row in rows("setups") if row["setup"] == "hist"}
    with playing("collapse") as book:
        p = book.start()
        for piece, unit in UNITS.items():
            expected = "out" if unit.force in {"W", "WG"} else "unplaced" if sheet[piece] == "courland" else sheet[piece]
            assert where(p, piece) == expected, piece
        assert step(p) == "set-up" and by(p) == "western-allied"
        assert {text.split("> ")[1] for text in legal(p)} == set(COURLAND)
        for piece, place in (("eg-2", "3822"), ("eg-3-ss", "3822"), ("eg-10", "3924"), ("eg-16", "3924")):
            p = play(p, f"western-allied setup {piece} > {place}")
        p = play(p, "western-allied done") if step(p) == "set-up" else p
        seen = []
        for _ in range(30):
            if p.turn > 2:
                break
            if (p.turn, phase(p)) not in seen:
                seen.append((p.turn, phase(p)))
            p = answered(play(p, f"{by(p)} done"))
        assert {name for _, name in seen} <= {f"{f} {k}" for f in ("S", "EG") for k in ("replacement", "movement", "combat")}
        assert {"S movement", "S combat", "EG movement", "EG combat"} <= {name for _, name in seen}


@rule("14.0.p3")
@ruling("R-G100")
@ruling("R-G27")
def test_nobody_enters_the_west_of_his_own_will() -> None:
    with playing("collapse"):
        p = lay("S movement", "su-1-gds-inf 2514, su-1-gds-tk 2613, eg-2 0522")
        for line in ("soviet move su-1-gds-inf @ 2514 > 2513", "soviet move su-1-gds-tk @ 2613 > 2612"):
            assert "14.0.p3" in cited(p, line)
        assert all(HEXES[h]["theater"] in {"east", "both"} for u in ("su-1-gds-inf", "su-1-gds-tk") for h in reach(p, u))
        allowed(p, f"soviet move su-1-gds-inf @ 2514 > {BERLIN}", "soviet move su-1-gds-tk @ 2613 > 2614")
        p = lay("EG movement", "eg-2 2514, eg-8 1515, su-1-gds-inf 0324")
        assert "14.0.p3" in cited(p, "western-allied move eg-2 @ 2514 > 2513")
        assert reach(p, "eg-2") and all(HEXES[h]["theater"] == "east" for h in reach(p, "eg-2"))


@rule("14.0.p3")
@ruling("R-G100")
def test_a_soviet_unit_that_could_only_retreat_west_is_destroyed() -> None:
    units = "su-1-gds-inf 2514, eg-24-pz 2515, eg-39-pz 2614, eg-gd-pz 2414, su-2-gds-inf 3026"
    assert CRT["3:1", 3] == "DR"
    with playing("collapse"):
        p = attack(lay("EG combat", units, turn=3), "eg-24-pz eg-39-pz eg-gd-pz", "2514", 3)
        assert where(p, "su-1-gds-inf") == "box-s"
    p = attack(lay("EG combat", units, turn=3), "eg-24-pz eg-39-pz eg-gd-pz", "2514", 3)
    assert legal(p) == {"soviet retreat su-1-gds-inf > 2513"}


@rule("14.0.p3")
@ruling("R-G100")
@ruling("R-G54")
def test_a_soviet_unit_does_not_advance_into_the_west() -> None:
    with playing("collapse"):
        p = attack(lay("S combat", "su-1-gds-inf 2514, su-2-gds-inf 2514, eg-4-pz 2513"), "su-1-gds-inf su-2-gds-inf", "2513", 1)
        assert where(p, "eg-4-pz") == "box-eg" and step(p) != "advance"
        p = attack(lay("S combat", "su-1-gds-inf 2514, su-2-gds-inf 2514, eg-4-pz 2515"), "su-1-gds-inf su-2-gds-inf", "2515", 1)
        assert step(p) == "advance"


@rule("14.0.p4")
@ruling("R-G102")
@ruling("R-G66")
def test_only_the_east_german_rate_is_received_and_a_blocked_replacement_is_lost() -> None:
    with playing("collapse"):
        p = lay("EG replacement", "eg-8 box-eg, eg-6 box-eg, eg-9 box-eg, su-1-gds-inf 3026", turn=4)
        assert p.rates[0] == RATES[4, "east_german"] == 2
        allowed(p, "western-allied replace eg-8 > 2514")
        refused(p, "western-allied replace eg-8 > 2513", "7.2.d1")
        ring = "su-1-gds-inf 2514, su-2-gds-inf 2614, su-3-gds-inf 2714"
        p = lay("EG replacement", f"eg-8 box-eg, {ring}", turn=4)
        assert not any("replace" in text for text in legal(p))
        assert "14.0.p4" in cited(p, "western-allied replace eg-8 > 2513")
        assert where(p, "eg-8") == "box-eg"
    # In the Historical Scenario it goes west.
    allowed(lay("EG replacement", f"eg-8 box-eg, {ring}", turn=4), "western-allied replace eg-8 > 2513")


@rule("14.0.p5")
@ruling("R-G100")
@ruling("R-G48")
def test_a_german_retreats_west_only_when_nothing_in_the_east_is_open() -> None:
    with playing("collapse"):
        # Attacked from 2614, the unit in 2514 has 2414 in the east, 2413 and 2513 in the west.
        p = attack(lay("S combat", "eg-10 2514, su-1-gds-inf 2614, su-1-br 2614"), "su-1-gds-inf su-1-br", "2514", 4)
        assert legal(p) == {"western-allied retreat eg-10 > 2414"}
        refused(p, "western-allied retreat eg-10 > 2513", "5.2.1.p1")
    # By the switch a vacant hex in the west comes before a friend in the east; vacant ones in the east still come first.
    with playing("collapse", "6.2.1/vacant-first"):
        units = "eg-10 2514, su-1-gds-inf 2614, su-1-br 2614"
        p = attack(lay("S combat", f"{units}, eg-9 2414"), "su-1-gds-inf su-1-br", "2514", 4)
        assert legal(p) == {f"western-allied retreat eg-10 > {h}" for h in ("2413", "2513")}
        p = attack(lay("S combat", units), "su-1-gds-inf su-1-br", "2514", 4)
        assert legal(p) == {"western-allied retreat eg-10 > 2414"}


@rule("14.0.p5")
@ruling("R-G100")
@ruling("R-G37")
@pytest.mark.parametrize("thrown_in", ["S combat", "EG combat"])
def test_a_german_in_the_west_has_its_next_movement_phase_to_come_back(thrown_in: str) -> None:
    with playing("collapse"):
        if thrown_in == "S combat":
            p = lay("S combat", "eg-10 2514, su-1-gds-inf 2414, su-2-gds-inf 2515, su-3-gds-inf 2614, eg-9 0522", turn=3)
            p = attack(p, "su-1-gds-inf su-2-gds-inf su-3-gds-inf", "2514", 6)
            p = play(p, "western-allied retreat eg-10 > 2513", "soviet done")
            turn = 3
        else:
            p = lay("EG combat", "eg-24-pz 2514, su-1-gds-inf 2414, su-2-gds-inf 2515, su-3-gds-inf 2614, eg-9 0522", turn=3)
            p = attack(p, "eg-24-pz", "2414", 4)
            assert CRT["1:1", 4] == "AR" and step(p) == "retreat"
            p = play(p, "western-allied retreat eg-24-pz > 2513")
            p = play(p, "soviet done") if step(p) == "advance" else p
            turn = 4
        unit = "eg-10" if thrown_in == "S combat" else "eg-24-pz"
        assert where(p, unit) == "2513" and force(p, unit) == "EG"
        p = run(p, "EG movement", turn)
        assert where(p, unit) == "2513"
        assert all(theater(h) == "east" for h in reach(p, unit))
        assert where(play(p, "western-allied done"), unit) == "box-eg"


@rule("14.0.p5")
@ruling("R-G100")
def test_a_german_that_comes_back_is_an_ordinary_unit_again() -> None:
    with playing("collapse"):
        p = lay("EG movement", "eg-10 2513, su-1-gds-inf 3026", turn=3)
        refused(p, f"western-allied move eg-10 @ 2513 > {BERLIN}", "5.2.1.p3")
        assert "14.0.p3" in cited(p, "western-allied move eg-10 @ 2513 > 2512")
        p = play(p, "western-allied move eg-10 @ 2513 > 2514", "western-allied done")
        p = run(p, "EG movement", 4)
        p = play(p, "western-allied done")
        assert where(p, "eg-10") == "2514"


@rule("14.0.p5")
@ruling("R-G26")
@ruling("R-G4")
@ruling("R-G5")
def test_over_the_line_both_sides_fight_and_hold_zocs() -> None:
    with playing("collapse"):
        allowed(lay("S combat", "su-1-gds-inf 2514, eg-10 2513"), "soviet attack su-1-gds-inf > 2513")
        allowed(lay("EG combat", "su-1-gds-tk 2514, eg-24-pz 2513"), "western-allied attack eg-24-pz > 2514")
        # 2413 is west, 2414 and 2514 are beside 2513 or not: the German's ZOC reaches over the line.
        p = lay("S movement", "su-1-gds-inf 2515, eg-10 2513, eg-9 0522")
        refused(p, f"soviet move su-1-gds-inf @ 2515 > {BERLIN} via 2514", "4.0.p2", "4.0.c2")


@rule("14.0.p5")
@ruling("R-G100")
@ruling("R-G48")
def test_a_german_beaten_in_the_west_retreats_home_first() -> None:
    with playing("collapse"):
        # 2413 attacked from 2414: 2314 and 2514 are in the attackers' ZOC. Attacked from 2314: 2514 is open.
        p = attack(lay("S combat", "eg-10 2413, su-1-br 2414, su-1-gds-inf 2414, eg-9 0522"), "su-1-br su-1-gds-inf", "2413", 4)
        assert legal(p) == {f"western-allied retreat eg-10 > {h}" for h in ("2313", "2412", "2513")}
        p = attack(lay("S combat", "eg-10 2413, su-1-br 2314, su-1-gds-inf 2314, eg-9 0522"), "su-1-br su-1-gds-inf", "2413", 4)
        assert legal(p) == {"western-allied retreat eg-10 > 2514"}


@rule("14.0.p6")
@rule("14.0.p7")
@ruling("R-G90")
@ruling("R-G101")
def test_every_city_starts_german_and_the_german_scores_what_the_soviets_have_not_taken() -> None:
    with playing("collapse"):
        p = lay("S movement", "su-1-gds-inf 2520, eg-2 0522", turn=1)
        assert {holder(p, city) for city in CITIES} == {"G"}
        # Passing by Posen and going on takes it for good.
        p = play(p, "soviet move su-1-gds-inf @ 2520 > 2620 via 2519,2619")
        assert holder(p, "2618") == "S"
    assert count("eg-2 2217, su-1-gds-inf 3026") == (0, EAST, f"German wins 0-{EAST}")
    # A ZOC does as well as a unit; a capital without a Front scores for nobody; Berlin is German until it is entered.
    assert count("eg-2 2217, su-1-gds-inf 2619")[:2] == (1, EAST - 1)
    assert count("eg-2 2217, su-1-gds-inf 2723")[:2] == (0, EAST - 2)
    assert count("eg-2 2217, su-1-br 2723")[:2] == (2, EAST - 2)
    assert count(f"eg-2 2217, su-1-br {BERLIN}")[:2] == (10, EAST - 10)


@rule("14.0.p3")
@rule("14.0.p6")
@ruling("R-G100")
def test_cities_of_the_west_count_for_nobody() -> None:
    assert HEXES["1515"]["theater"] == "west" and "1515" in CITIES
    assert count("eg-2 2217, su-1-gds-inf 1615")[:2] == (0, EAST)  # beside Linz


@rule("14.0.p6")
@ruling("R-G101")
def test_by_the_switch_only_cities_with_a_unit_in_them_count() -> None:
    option = "14.0/occupied"
    assert count("eg-2 2217, su-1-gds-inf 2619", option)[:2] == (0, 0)
    assert count("eg-2 2214, su-1-gds-inf 2618, su-2-gds-inf 2418", option) == (2, 1, "Soviet wins 2-1")
    assert count("eg-2 2214, su-1-gds-inf 2723", option)[:2] == (0, 1)
    assert count("eg-2 2214, su-1-br 2723", option)[:2] == (2, 1)
    assert count("eg-2 2015, su-1-gds-inf 3026", option)[:2] == (0, 2)


@rule("14.0.p8")
@ruling("R-G94")
def test_it_ends_on_turn_6_with_most_points_or_a_draw() -> None:
    assert count("eg-2 2214, su-1-gds-inf 2418", "14.0/occupied")[2] == "draw 1-1"
    with playing("collapse") as book:
        p = play(lay("EG combat", "eg-2 0522, su-1-gds-inf 3026", turn=5), "western-allied done")
        assert p.turn == 6 and not book.over(p)


@rule("9.0.p4")
@ruling("R-G102")
def test_germans_leave_by_the_east_edge_alone() -> None:
    with playing("collapse"):
        p = lay("EG movement", "eg-24-pz 2026, su-1-gds-inf 2323", turn=3)
        allowed(p, "western-allied exit eg-24-pz @ 2026 > 2026")
        p = play(p, "western-allied exit eg-24-pz @ 2026 > 2026", "western-allied take su-1-gds-inf")
        p = run(p, "S movement", 4) if step(p) != "over" else p
        assert where(p, "su-1-gds-inf") == where(p, "eg-24-pz") == "out" and not on(p, "box-s")
        for place in ("2101", "0113"):
            p = lay("EG movement", f"eg-24-pz {place}, eg-2 2217, su-1-gds-inf 3026", turn=3)
            assert told(p, f"western-allied exit eg-24-pz @ {place} > {place}")


@rule("12.2.a")
@ruling("R-G102")
def test_no_attack_is_owed_in_collapse() -> None:
    with playing("collapse"):
        p = lay("EG combat", "eg-24-pz 2515, su-1-gds-tk 2516", turn=1)
        allowed(p, "western-allied done")


@rule("14.0.p3")
@ruling("R-G41")
def test_yugoslavia_stands_in_collapse() -> None:
    with playing("collapse"):
        p = lay("S movement", "su-1-rom 1124, su-1-yug 1019, eg-2 2217")
        refused(p, "soviet move su-1-rom @ 1124 > 1023", "5.3.2.p1")
        refused(p, "soviet move su-1-yug @ 1019 > 1119", "5.3.1.p1")
