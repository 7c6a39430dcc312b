"""Chapters 10, 11 and 12: garrisons, cities and victory points, the Historical Scenario."""

from __future__ import annotations

import re

import pytest

from tests.games.bfg.facts import BERLIN, CAPITALS, CITIES, CRT, JOINED, NEAR, PLAYABLE, closed, rows, theater
from tests.games.bfg.layout import (
    BOOK,
    Pos,
    allowed,
    attack,
    force,
    holder,
    lay,
    legal,
    members,
    phase,
    play,
    reach,
    refused,
    rule,
    ruling,
    step,
    where,
)


def run(p: Pos, stop: str) -> Pos:
    """Ends phases until that one runs."""
    while phase(p) != stop:
        p = play(p, f"{p.agenda[-1].by[0]} done")
    return p


def answered(p: Pos) -> Pos:
    """Every open choice answered with a legal action, advances declined."""
    while step(p) in {"retreat", "advance", "lose"}:
        p = play(p, f"{p.agenda[-1].by[0]} done" if step(p) == "advance" else sorted(legal(p))[-1])
    return p


def score(units: str) -> tuple[int, int, str]:
    """VPs of S and W, and the result, when turn 10 ends on this layout."""
    p = play(lay("EG combat", units, turn=10), "western-allied done")
    soviet, western = re.findall(r"\d+", p.result)
    return int(soviet), int(western), p.result


@rule("10.0.p1")
def test_four_capitals_are_worth_more_than_other_eastern_cities() -> None:
    assert {CITIES[h]["name"] for h in CAPITALS} == {"Warsaw", "Prague", "Vienna", "Berlin"}
    for name, city in CITIES.items():
        if theater(name) in {"east", "both"}:
            assert (int(city["vp"]) > 1) == (name in CAPITALS), city["name"]


@rule("10.0.a1")
@ruling("R-G84")
@ruling("R-G85")
def test_a_garrison_fights_but_never_moves_or_advances() -> None:
    p = lay("S movement", "su-1-br 2723, su-1-gds-inf 2723, eg-2 2218")
    assert members(p.garrison) == {"su-1-br"}
    refused(p, "soviet move su-1-br @ 2723 > 2722", "10.0.a1")
    assert not reach(p, "su-1-br") and reach(p, "su-1-gds-inf")
    q = lay("S combat", "su-1-br 2723, eg-4-pz 2722")
    allowed(q, "soviet attack su-1-br > 2722")
    q = attack(q, "su-1-br", "2722", 1)
    assert where(q, "eg-4-pz") == "box-eg" and step(q) != "advance"
    # Another attacker may advance, the garrison may not.
    r = lay("S combat", "su-1-br 2723, su-1-gds-inf 2622, eg-4-pz 2722, eg-2 2218")
    r = attack(r, "su-1-br su-1-gds-inf", "2722", 1)
    assert legal(r) == {"soviet advance su-1-gds-inf > 2722", "soviet done"}
    refused(r, "soviet advance su-1-br > 2722", "10.0.a1")


@ruling("R-G84")
@rule("10.0.a1")
@pytest.mark.parametrize("kind", ["movement", "combat", "replacement"])
def test_a_front_is_fixed_when_it_stands_in_a_capital_at_the_end_of_a_phase(kind: str) -> None:
    for capital in sorted(CAPITALS):
        start = next(n for n in JOINED[capital] if n in PLAYABLE and theater(n) == "east" and CITIES.get(n) is None)
        through = lay("S movement", f"su-1-br {start}, eg-2 0522")
        assert not through.garrison
        inside = play(through, f"soviet move su-1-br @ {start} > {capital}")
        ended = play(inside, "soviet done")
        assert members(ended.garrison) == {"su-1-br"}, capital
        # Other units are never garrisons.
        other = play(
            lay("S movement", f"su-1-gds-inf {start}, eg-2 0522"), f"soviet move su-1-gds-inf @ {start} > {capital}", "soviet done"
        )
        assert not other.garrison
    del kind


@ruling("R-G126")
@rule("5.1.p2")
@rule("10.0.a1")
def test_a_second_front_does_not_stop_in_a_capital() -> None:
    p = lay("S movement", "su-1-br 2723, su-2-br 2722, eg-2 2218")
    refused(p, "soviet move su-2-br @ 2722 > 2723", "10.0.a1")
    # Passing through is free, and any other unit may stop there.
    play(p, "soviet move su-2-br @ 2722 > 2724 via 2723")
    # Of two Fronts beside a capital the first to stop in it keeps it, before the phase has ended too.
    both = lay("S movement", "su-1-br 2724, su-2-br 2722, su-1-gds-inf 2724, eg-2 2218")
    both = play(both, "soviet move su-1-br @ 2724 > 2723", "soviet move su-1-gds-inf @ 2724 > 2723")
    refused(both, "soviet move su-2-br @ 2722 > 2723", "5.1.p2")
    # The garrison cannot make room.
    refused(p, "soviet move su-1-br @ 2723 > 2623", "10.0.a1")
    # Berlin with a Front in it is no home to go to: a Front across the line with no other way home may go elsewhere (R-G38).
    away = "su-1-br 2613, su-2-br 2513, wg-64 1512, we-6-us 0601"
    stuck = lay("S movement", f"{away}, eg-8 2315, eg-9 2415, eg-16 2516, eg-20 2617", turn=3)
    homes = {h for h in reach(stuck, "su-2-br") if theater(h) == "east"}
    assert BERLIN not in reach(stuck, "su-2-br") and homes
    shut = lay("S movement", f"{away}, eg-8 2414, eg-9 2514, eg-16 2614, eg-20 2714, eg-2 2314, eg-34 2812", turn=3)
    assert reach(shut, "su-2-br") and all(theater(h) == "west" for h in reach(shut, "su-2-br"))
    # A new Front may come after the first has died.
    r = lay("S movement", "su-1-br box-s, su-2-br 2722, eg-2 2218")
    r = play(r, "soviet move su-2-br @ 2722 > 2723", "soviet done")
    assert members(r.garrison) == {"su-2-br"}


@rule("10.0.a2")
@ruling("R-G52")
@ruling("R-G85")
def test_a_garrison_ignores_retreats_but_not_elimination() -> None:
    p = lay("EG combat", "su-1-br 2015, su-1-gds-tk 2015, eg-24-pz 2014, eg-39-pz 2014, eg-gd-pz 1916, eg-3-ss 1916, eg-2 2218")
    q = attack(p, "eg-24-pz eg-39-pz eg-gd-pz eg-3-ss", "2015", 2)
    assert CRT["1:1", 2] == "DR"
    assert {line.split()[2] for line in legal(q)} == {"su-1-gds-tk"}
    refused(q, "soviet retreat su-1-br > 2115", "10.0.a2")
    q = play(q, sorted(legal(q))[0])
    assert where(q, "su-1-br") == "2015" and step(q) != "advance"
    # Exchange and AE take it.
    e = attack(p, "eg-24-pz eg-39-pz eg-gd-pz eg-3-ss", "2015", 1)
    assert CRT["1:1", 1] == "EX" and where(e, "su-1-br") == "box-s"
    a = attack(lay("S combat", "su-1-br 2723, eg-26 2722, eg-9 2722"), "su-1-br", "2722", 6)
    assert where(a, "su-1-br") == "box-s" and not members(a.garrison)


@rule("11.0.p1")
@rule("11.0.p2")
@rule("11.0.p3")
@rule("11.0.p4")
@rule("11.0.p6")
@ruling("R-G93")
@ruling("R-G94")
def test_points_go_to_the_holder_capitals_to_soviets_only_under_a_front() -> None:
    rest = "wg-63 1301, eg-2 2919"
    assert score(rest)[:2] == (0, 0) and "draw" in score(rest)[2]
    assert score(f"su-1-gds-inf 2618, {rest}")[:2] == (1, 0)  # Posen
    assert score(f"we-4-us 2809, {rest}")[:2] == (0, 2 + sum(int(CITIES[h]["vp"]) for h in NEAR["2809"] if h in CITIES))  # Hamburg
    assert score(f"su-1-gds-inf 2723, {rest}")[:2] == (0, 0)  # Warsaw without a Front
    assert score(f"su-1-br 2723, {rest}")[:2] == (2, 0)
    assert score(f"su-1-br 2722, {rest}")[:2] == (0, 0)  # beside it only
    assert score(f"we-4-us 2613, {rest}")[:2] == (0, 10)
    assert score(f"we-4-us 2513, {rest}")[1] >= 10  # W holds Berlin by ZOC
    # Soviet allies score like Soviets; Germans never.
    assert score(f"su-1-pol 2618, {rest}")[:2] == (1, 0)
    assert score(f"eg-9 2618, {rest}")[:2] == (0, 0)
    # Most points win.
    assert score(f"su-1-gds-inf 2618, {rest}")[2].startswith("Soviet")
    assert score(f"we-4-us 2613, {rest}")[2].startswith("Western Allied")
    both = score(f"su-1-gds-inf 2618, we-4-us 2708, we-5-us 1301, {rest}")
    assert both[0] == 1 and both[1] == 1 and "draw" in both[2]


@rule("11.0.a")
@ruling("R-G89")
@ruling("R-G95")
def test_control_by_zoc_alone_and_contested() -> None:
    assert holder(lay("S movement", "su-1-gds-inf 2619, eg-2 0522"), "2618") == "S"
    # Contested by a German of either theater, or by the other Ally: unchanged, German.
    assert holder(lay("S movement", "su-1-gds-inf 2619, eg-2 2617"), "2618") == "G"
    assert holder(lay("S movement", "su-1-gds-inf 2619, we-4-us 2719, eg-2 0522"), "2618") == "G"
    # WG counts against S, EG against W (R-G95): Berlin's neighbours.
    assert holder(lay("S movement", "su-1-gds-inf 2514, wg-63 2512, eg-2 0522"), BERLIN) == "S"
    assert holder(lay("S movement", "su-1-gds-inf 2514, wg-63 2513, eg-2 0522"), BERLIN) == "G"
    assert holder(lay("W movement", "we-4-us 2513, eg-2 2614"), BERLIN) == "G"
    # The occupant holds, whatever ZOCs there are.
    assert holder(lay("S movement", "su-1-gds-inf 2618, eg-2 2617, eg-6 2619"), "2618") == "S"
    assert holder(lay("S movement", "su-1-gds-inf 2619, eg-2 2618"), "2618") == "G"


@rule("11.0.a")
@rule("11.0.b")
@ruling("R-G92")
def test_no_control_over_closed_sides_but_over_the_line_and_the_border() -> None:
    assert closed("2602", "2603")
    assert holder(lay("W movement", "we-4-us 2603, wg-63 1301"), "2602") == "G"
    assert holder(lay("W movement", "we-4-us 2502, wg-63 1301"), "2602") == "W"
    assert holder(lay("W movement", "we-4-us 1216, wg-63 1301"), "1217") == "W"  # Graz, over the line
    assert holder(lay("S movement", "su-1-gds-inf 1615, eg-2 0522"), "1515") == "S"  # Linz


@rule("11.0.b")
@ruling("R-G89")
@ruling("R-G91")
@ruling("R-G92")
def test_passing_takes_a_city_until_somebody_else_passes() -> None:
    p = lay("S movement", "su-1-gds-inf 2620, eg-2 2615, wg-63 1301")
    p = play(p, "soviet move su-1-gds-inf @ 2620 > 2720 via 2619,2719")
    assert "2719" in NEAR["2618"] and "2720" not in NEAR["2618"] and holder(p, "2618") == "S"
    # Every hex of the way counts, and only those: another way that stays away.
    q = lay("S movement", "su-1-gds-inf 2620, eg-2 2615, wg-63 1301")
    assert holder(play(q, "soviet move su-1-gds-inf @ 2620 > 2720"), "2618") == "G"
    # A German passing beside it takes it back.
    p = run(p, "EG movement")
    p = play(p, "western-allied move eg-2 @ 2615 > 2517 via 2616,2617")
    assert holder(p, "2618") == "G"


@rule("11.0.b")
@ruling("R-G83")
@ruling("R-G89")
def test_after_a_removal_control_is_judged_anew() -> None:
    # S and EG both have ZOC on Posen, German by default; the German dies: S.
    p = lay("S combat", "su-1-br 2619, su-1-gds-inf 2717, eg-4-pz 2617, eg-2 0522, wg-63 1301")
    assert holder(p, "2618") == "G"
    q = lay("S combat", "su-1-br 2519, su-1-gds-inf 2717, su-2-gds-inf 2717, eg-4-pz 2617, eg-2 0522, wg-63 1301")
    q = attack(q, "su-1-gds-inf su-2-gds-inf", "2617", 1)
    q = answered(q)
    assert where(q, "eg-4-pz") == "box-eg" and holder(q, "2618") == "S"
    # An exit that takes the only holder by ZOC leaves it with him: last to pass.
    r = lay("EG movement", "eg-24-pz 2026, su-1-gds-inf 2619, wg-63 1301")
    assert holder(r, "2618") == "S"
    r = play(r, "western-allied exit eg-24-pz @ 2026 > 2026", "western-allied take su-1-gds-inf")
    assert holder(r, "2618") == "S"


@ruling("R-G89")
@rule("11.0.b")
def test_advance_and_retreat_count_as_passing() -> None:
    p = lay("S combat", "su-1-br 2620, su-1-gds-inf 2620, eg-4-pz 2619, eg-2 0522, wg-63 1301")
    p = attack(p, "su-1-br su-1-gds-inf", "2619", 1)
    assert holder(p, "2618") == "G"
    assert holder(play(p, "soviet advance su-1-br > 2619"), "2618") == "S"


@ruling("R-G90")
def test_every_city_starts_german() -> None:
    assert all(row["hist"] == "german" for row in rows("city_control"))


@ruling("R-G87")
def test_the_first_in_berlin_is_recorded() -> None:
    p = lay("S movement", "su-1-gds-inf 2714, eg-2 0522", turn=8)
    assert p.berlin_first[0] == -1
    p = play(p, "soviet move su-1-gds-inf @ 2714 > 2514 via 2613")
    assert p.berlin_first[0] == 0 and p.berlin_first[1] == 8 and p.berlin_seen.bit_count() == 1


@rule("12.2.a")
@ruling("R-G62")
@ruling("R-G18")
def test_turn_1_asks_two_west_german_attacks() -> None:
    units = "wg-1-ss 2005, wg-2-ss 2005, wg-13-ss 2205, we-7-us 2004, we-4-us 2204, eg-2 0522"
    p = lay("WG combat", units, turn=1)
    refused(p, "soviet done", "12.2.a")
    assert any("12.2.a" in r.paragraphs for r in BOOK.duties(p))
    one = answered(attack(p, "wg-1-ss", "2004", 2))
    refused(one, "soviet done", "12.2.a")
    two = answered(attack(one, "wg-2-ss", "2004", 2)) if where(one, "we-7-us") == "2004" else answered(attack(one, "wg-13-ss", "2204", 2))
    assert phase(two) != "WG combat" or not any("12.2.a" in r.paragraphs for r in BOOK.duties(two))
    # As many as possible: with no further attack the phase may end (and passes by itself).
    few = lay("WG combat", "wg-1-ss 2005, we-7-us 2004, eg-2 0522", turn=1)
    refused(few, "soviet done", "12.2.a")
    few = answered(attack(few, "wg-1-ss", "2004", 3))
    assert phase(few) != "WG combat"
    none = lay("WG combat", "wg-63 2005, we-7-us 2004, eg-2 0522", turn=1)
    allowed(none, "soviet done")
    # Later turns owe nothing; other forces neither.
    allowed(lay("WG combat", units, turn=2), "soviet done")
    allowed(lay("W combat", units, turn=1), "western-allied done")


@rule("12.2.a")
@ruling("R-G62")
def test_west_germans_may_not_move_out_of_the_duty() -> None:
    p = BOOK.start()
    for unit, place in (("eg-3-ss", "3822"), ("eg-2", "3824"), ("eg-10", "3823"), ("eg-16", "3824")):
        p = play(p, f"western-allied setup {unit} > {place}")
    p = play(p, "soviet done", "soviet done")
    assert phase(p) == "WG movement" and p.mandated[1] == 2
    allowed(p, "soviet done")
    # Everybody away from the enemy as far as he may go, until the engine says that the duty could not be met.
    q = p
    enemies = [where(q, u) for u in _west()]
    beside = {n for e in enemies for n in NEAR[e]}
    for unit in _germans():
        if where(q, unit) in beside:
            away = sorted(reach(q, unit) - beside)
            if away:
                q = play(q, f"soviet move {unit} @ {where(q, unit)} > {away[0]}")
    left = [u for u in _germans() if where(q, u) in beside]
    assert not left, [(u, where(q, u)) for u in left]
    refused(q, "soviet done", "12.2.a")


def _west() -> list[str]:
    return [row["piece"] for row in rows("units") if row["side"] == "W"]


def _germans() -> list[str]:
    return [row["piece"] for row in rows("units") if row["side"] == "WG"]


@rule("12.1")
def test_the_set_up_is_the_historical_column() -> None:
    p = BOOK.start()
    for row in rows("setups"):
        if row["setup"] == "hist":
            expected = "unplaced" if row["place"] == "courland" else row["place"]
            assert where(p, row["piece"]) == expected
            assert force(p, row["piece"]) in {"S", "W", "EG", "WG"}


@ruling("R-G23")
@rule("5.0.a3")
def test_one_force_a_hex_in_advance_and_retreat() -> None:
    # S retreats: a hex with W is closed; EG driven west does not join W, and joins WG with room.
    p = lay("EG combat", "su-1-pol 2513, we-4-us 2613, eg-24-pz 2514, eg-39-pz 2514, we-5-us 2512, we-6-us 2612")
    p = attack(p, "eg-24-pz eg-39-pz", "2513", 4)
    assert legal(p) == {"soviet retreat su-1-pol > 2412"}


def test_result_needs_the_last_turn() -> None:
    p = lay("EG combat", "eg-2 0522, wg-63 1301, su-1-gds-inf 2618, we-4-us 2809", turn=9)
    assert not play(p, "western-allied done").result


@ruling("R-G38")
def test_a_displaced_unit_that_can_go_home_does_not_wander() -> None:
    p = lay("S movement", "su-1-gds-inf 2413, eg-2 0122")
    refused(p, "soviet move su-1-gds-inf @ 2413 > 2412", "5.2.2.p2")
    allowed(p, "soviet move su-1-gds-inf @ 2413 > 2414", "soviet done")
