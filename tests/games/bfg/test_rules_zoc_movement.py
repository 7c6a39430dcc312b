"""Chapters 4 and 5: zones of control, movement, stacking, the German Theater Boundary and Yugoslavia."""

from __future__ import annotations

import itertools

import msgspec
import pytest

from tests.games.bfg.facts import BERLIN, COURLAND, HEXES, JOINED, NEAR, PLAYABLE, SIDES, UNITS, closed, cost, country, features, theater
from tests.games.bfg.layout import (
    BOOK,
    Pos,
    allowed,
    attack,
    cited,
    force,
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

# Around 3725 everything for two hexes is clear, playable and without rivers; around 2211 in the west.


@rule("4.0.p1")
@rule("4.0.p2")
def test_a_zoc_is_the_six_hexes_around_and_entering_one_stops() -> None:
    p = lay("S movement", "su-1-gds-tk 3524, eg-10 3725")
    for name in NEAR["3725"]:
        assert name in reach(p, "su-1-gds-tk")
    # Into 3624 (ZOC) and on: refused; around it: fine.
    refused(p, "soviet move su-1-gds-tk @ 3524 > 3623 via 3624", "4.0.p2")
    allowed(p, "soviet move su-1-gds-tk @ 3524 > 3723 via 3623")
    # A unit that is no enemy stops nobody: W beside S.
    q = lay("S movement", "su-1-gds-tk 3524, we-4-us 3725, eg-2 0522")
    allowed(q, "soviet move su-1-gds-tk @ 3524 > 3623 via 3624", "soviet move su-1-gds-tk @ 3524 > 3825 via 3624,3724,3824")


@rule("4.0.p2")
@ruling("R-G30")
def test_no_exit_after_entering_a_zoc() -> None:
    p = lay("EG movement", "eg-24-pz 2024, su-1-gds-inf 2125")
    assert "2026" in NEAR["2126"] and "2126" in NEAR["2125"]
    refused(p, "western-allied exit eg-24-pz @ 2024 > 2126 via 2025", "4.0.p2")
    # Starting in a ZOC in the exit hex is no bar (R-G78).
    q = lay("EG movement", "eg-24-pz 2126, su-1-gds-inf 2125")
    allowed(q, "western-allied exit eg-24-pz @ 2126 > 2126")


@rule("4.0.a")
@ruling("R-G31")
def test_friends_do_not_cancel_a_zoc() -> None:
    # Movement: a friend in 3624 does not open it.
    p = lay("S movement", "su-1-gds-tk 3524, su-1-pol 3624, eg-10 3725")
    refused(p, "soviet move su-1-gds-tk @ 3524 > 3623 via 3624", "4.0.p2")
    # Units exert a ZOC at all times, even when in an enemy ZOC themselves: both stop each other.
    p = lay("EG movement", "eg-24-pz 3823, su-1-gds-inf 3725, su-2-gds-inf 3726")
    refused(p, "western-allied move eg-24-pz @ 3823 > 3825 via 3824", "4.0.p2")
    # Two enemies cover a hex; each alone does.
    p = lay("S movement", "su-1-gds-tk 3524, eg-10 3725, eg-2 3725")
    refused(p, "soviet move su-1-gds-tk @ 3524 > 3623 via 3624", "4.0.p2")


@rule("4.0.b")
@ruling("R-G34")
def test_entering_a_zoc_costs_nothing_more() -> None:
    # A Front with three points takes its third clear hex in a ZOC.
    p = lay("S movement", "su-1-br 3723, eg-10 3526")
    assert cost("3723", "3724") + cost("3724", "3725") + cost("3725", "3625") == 3
    allowed(p, "soviet move su-1-br @ 3723 > 3625 via 3724,3725")


@rule("4.0.c1")
@rule("4.0.c2")
@rule("4.0.c3")
@ruling("R-G28")
@ruling("R-G14")
def test_a_zoc_is_left_only_at_the_start_and_through_a_free_hex() -> None:
    p = lay("S movement", "su-1-gds-tk 3624, eg-10 3725")
    # 3624 -> 3724 are both in the ZOC of 3725 (the same unit's counts too); 3623 is free.
    refused(p, "soviet move su-1-gds-tk @ 3624 > 3824 via 3724", "4.0.c2")
    allowed(p, "soviet move su-1-gds-tk @ 3624 > 3724 via 3623", "soviet move su-1-gds-tk @ 3624 > 3524")
    # Out, through a free hex, into a ZOC: stops there.
    refused(p, "soviet move su-1-gds-tk @ 3624 > 3823 via 3623,3724", "4.0.p2")
    # Having entered one on the way it does not leave it: 3524-3624 (ZOC)-3623.
    q = lay("S movement", "su-1-gds-tk 3524, eg-10 3725")
    refused(q, "soviet move su-1-gds-tk @ 3524 > 3623 via 3624", "4.0.c1")
    # No free hex around: no move at all.
    r = lay("S movement", "su-1-gds-tk 3725, eg-10 3624, eg-2 3724, eg-6 3825, eg-8 3726, eg-9 3526")
    assert not reach(r, "su-1-gds-tk")


@ruling("R-G28")
def test_zocs_are_judged_as_units_stand_at_that_moment() -> None:
    # S units move; EG do not, so the same ZOC holds for the second unit.
    p = lay("S movement", "su-1-gds-tk 3624, su-2-tk 3724, eg-10 3725")
    p = play(p, "soviet move su-1-gds-tk @ 3624 > 3524")
    refused(p, "soviet move su-2-tk @ 3724 > 3524 via 3624", "4.0.c2")


@rule("4.0.d")
@ruling("R-G27")
@ruling("R-G43")
def test_no_zoc_over_lake_or_blocked_sides_but_over_rivers_and_borders() -> None:
    # Lake: Garda 0809|0810.
    assert features("0809", "0810") == {"lake"}
    for a, b in (("0809", "0810"), ("1220", "1320"), ("2602", "2603")):
        _zoc_over(a, b, False)
    blocked = [tuple(sorted(pair)) for pair, kinds in SIDES.items() if "blocked" in kinds and pair <= PLAYABLE]
    assert blocked
    for a, b in blocked:
        _zoc_over(a, b, False)
    # River, theater boundary, Yugoslav border.
    for kind in ("river", "theater_boundary", "yugoslav_border"):
        pairs = [tuple(sorted(p)) for p, k in SIDES.items() if kind in k and p <= PLAYABLE and not closed(*sorted(p)) and BERLIN not in p]
        for a, b in sorted(pairs)[::6]:
            _zoc_over(a, b, True)


def _zoc_over(a: str, b: str, reaches: bool) -> None:
    """Whether a unit in ``b`` stops a German who comes through ``a`` from a free hex and would go on to a free one."""
    side = theater(a)
    name, unit, other = ("EG", "eg-10", "su-1-gds-inf") if side == "east" else ("WG", "wg-75", "we-4-us")
    by = "western-allied" if name == "EG" else "soviet"
    free = [n for n in JOINED[a] if n in PLAYABLE and theater(n) == side and n != b and n not in NEAR[b]]
    for start, end in itertools.permutations(free, 2):
        if cost(start, a) + cost(a, end) <= UNITS[unit].move:
            p = lay(f"{name} movement", f"{unit} {start}, {other} {b}")
            line = f"{by} move {unit} @ {start} > {end} via {a}"
            if reaches:
                refused(p, line, "4.0.p2")
            else:
                allowed(p, line)


@ruling("R-G5")
@ruling("R-G27")
def test_zocs_reach_over_the_line_into_berlin_and_over_the_yugoslav_border() -> None:
    # EG in 2514 stops a Soviet displaced to the west: 2412 - 2413 (ZOC) - 2513.
    p = lay("S movement", "su-1-gds-inf 2412, eg-10 2514")
    refused(p, "soviet move su-1-gds-inf @ 2412 > 2612 via 2413,2513", "4.0.p2")
    # Into Berlin, which the German may not enter.
    p = lay("S movement", "su-1-gds-inf 2714, eg-10 2514")
    refused(p, "soviet move su-1-gds-inf @ 2714 > 2614 via 2613", "4.0.p2")
    # A Yugoslav in 1021 covers 1122 (outside): EG stops there.
    assert country("1021") == "yugoslavia" and country("1122") != "yugoslavia"
    p = lay("EG movement", "eg-24-pz 1321, su-1-yug 1021")
    assert "1122" in NEAR["1021"]
    refused(p, "western-allied move eg-24-pz @ 1321 > 1123 via 1221,1122", "4.0.p2")


@rule("5.0.a1")
def test_a_way_is_made_of_adjacent_hexes() -> None:
    p = lay("S movement", "su-1-gds-tk 3524, eg-10 0522")
    allowed(p, "soviet move su-1-gds-tk @ 3524 > 3624", "soviet move su-1-gds-tk @ 3524 > 3725 via 3624")
    refused(p, "soviet move su-1-gds-tk @ 3524 > 3725 via 3524", "5.0.a1")
    refused(p, "soviet move su-1-gds-tk @ 3524 > 3726 via 3624", "5.0.a1")
    refused(p, "soviet move su-1-gds-tk @ 3524 > 3524", "5.0.a1")
    refused(p, "soviet move su-1-gds-tk @ 3525 > 3625", "5.0.a1")
    # A loop is a path like any other.
    allowed(p, "soviet move su-1-gds-tk @ 3524 > 3524 via 3624")


@rule("5.0.a1")
@ruling("R-G27")
def test_prohibited_hexes_and_sides_are_not_crossed() -> None:
    p = lay("W movement", "we-5-us 2602, wg-63 1603")
    refused(p, "western-allied move we-5-us @ 2602 > 2604 via 2603", "5.0.a2")  # the lake side
    sea = next(n for n in NEAR["2602"] if n not in PLAYABLE)
    refused(p, f"western-allied move we-5-us @ 2602 > {sea}", "5.0.a2")
    swiss = next(h for h in sorted(HEXES) if country(h) == "switzerland" and any(n in PLAYABLE for n in NEAR[h]))
    start = next(n for n in NEAR[swiss] if n in PLAYABLE)
    p = lay("W movement", f"we-5-us {start}, wg-63 2408")
    refused(p, f"western-allied move we-5-us @ {start} > {swiss}", "5.0.a2")


@rule("5.0.a2")
@rule("5.0.p1")
@ruling("R-G34")
def test_terrain_and_rivers_cost_and_the_allowance_is_never_exceeded() -> None:
    # 2-3-4: broken 2, river +1. 1820 - 1920 (river, broken: 3).
    assert (cost("1821", "1921"), cost("1920", "1921"), cost("2424", "2525"), cost("2425", "2525")) == (2, 3, 1, 2)
    p = lay("EG movement", "eg-20 1920, su-1-gds-inf 3026")
    allowed(p, "western-allied move eg-20 @ 1920 > 1921")
    allowed(p, "western-allied move eg-20 @ 1920 > 2021")
    refused(p, "western-allied move eg-20 @ 1920 > 1922 via 1921", "5.0.p1", "5.0.a2")
    # No minimum move: a unit with too few points does not take a step (a Front enters any hex: at most 3).
    dearest = max(cost(a, b) for a in PLAYABLE for b in JOINED[a] if b in PLAYABLE)
    assert dearest == 3
    # Exactly the allowance is fine; one more is not.
    start = "1919"
    q = lay("S movement", f"su-1-gds-inf {start}, eg-10 0522")
    for end in reach(q, "su-1-gds-inf"):
        assert _cheapest(start, end) <= 4
    for end in PLAYABLE - reach(q, "su-1-gds-inf") - {start}:
        if theater(end) == "east" and country(end) != "yugoslavia":
            assert _cheapest(start, end) > 4, end


def _cheapest(a: str, b: str) -> int:
    """The cheapest cost from hex to hex over land, by relaxation."""
    best = {a: 0}
    frontier = [a]
    while frontier:
        here = frontier.pop(0)
        for there in JOINED[here]:
            if there in PLAYABLE:
                price = best[here] + cost(here, there)
                if price <= 8 and price < best.get(there, 99):
                    best[there] = price
                    frontier.append(there)
    return best.get(b, 99)


@rule("5.0.a3")
@ruling("R-G23")
def test_no_hex_that_holds_another_force_is_entered() -> None:
    for unit in ("eg-10", "we-4-us", "wg-63"):
        name = "3624" if unit != "wg-63" else "2412"
        p = lay("S movement", f"su-1-gds-tk 3524, {unit} {name}, eg-2 0522")
        if unit == "wg-63":
            p = lay("S movement", "su-1-gds-tk 2513, wg-63 2412, eg-2 0522")
            refused(p, "soviet move su-1-gds-tk @ 2513 > 2412", "5.0.a3")
            continue
        refused(p, "soviet move su-1-gds-tk @ 3524 > 3624", "5.0.a3")
        refused(p, "soviet move su-1-gds-tk @ 3524 > 3623 via 3624", "5.0.a3")
    # Friends are passed freely.
    p = lay("S movement", "su-1-gds-tk 3524, su-1-br 3624, su-1-pol 3624, eg-2 0522")
    allowed(p, "soviet move su-1-gds-tk @ 3524 > 3724 via 3624")


@rule("5.0.p1")
@rule("5.0.p2")
def test_any_number_of_units_moves_each_by_itself() -> None:
    p = lay("S movement", "su-1-gds-inf 3624, su-2-gds-inf 3624, eg-10 0522")
    allowed(p, "soviet done")
    p = play(p, "soviet move su-1-gds-inf @ 3624 > 3724")
    assert where(p, "su-2-gds-inf") == "3624"
    allowed(p, "soviet done", "soviet move su-2-gds-inf @ 3624 > 3623")


@rule("5.0.p3")
def test_points_are_neither_kept_nor_given() -> None:
    p = lay("S movement", "su-1-gds-inf 3624, su-2-gds-inf 3624, eg-10 0522")
    p = play(p, "soviet move su-1-gds-inf @ 3624 > 3623")
    refused(p, "soviet move su-1-gds-inf @ 3623 > 3622", "5.0.p3")
    # The next turn has the same allowance.
    while not (p.turn == 4 and phase(p) == "S movement"):
        p = play(p, f"{p.agenda[-1].by[0]} done")
    fresh = lay("S movement", "su-1-gds-inf 3623, su-2-gds-inf 3624, eg-10 0522", turn=4)
    assert reach(p, "su-1-gds-inf") == reach(fresh, "su-1-gds-inf")


@rule("5.1.p1")
@rule("5.1.p2")
@ruling("R-G33")
@pytest.mark.parametrize(
    ("name", "first", "second", "third", "hexes"),
    [
        ("S", "su-1-gds-inf", "su-2-gds-inf", "su-3-gds-inf", ("3624", "3724")),
        ("EG", "eg-2", "eg-6", "eg-1-hun", ("3624", "3724")),
        ("W", "we-5-us", "we-1-fr", "we-2-pol", ("2211", "2212")),
        ("WG", "wg-63", "wg-64", "wg-1-ss", ("2211", "2212")),
    ],
)
def test_three_units_end_no_phase(name: str, first: str, second: str, third: str, hexes: tuple[str, str]) -> None:
    here, there = hexes
    p = lay(f"{name} movement", f"{first} {here}, {second} {here}, {third} {there}, su-4-gds-inf 3026, we-4-us 1301")
    by = p.agenda[-1].by[0]
    allowed(p, f"{by} done", f"{by} move {third} @ {there} > {here}")
    q = play(p, f"{by} move {third} @ {there} > {here}")
    refused(q, f"{by} done", "5.1.p1")
    assert any("5.1.p1" in r.paragraphs for r in BOOK.duties(q))
    elsewhere = sorted(reach(q, first))[0]
    allowed(play(q, f"{by} move {first} @ {here} > {elsewhere}"), f"{by} done")


@rule("5.1.p2")
@ruling("R-G33")
def test_fronts_pass_each_other_but_do_not_stop_together() -> None:
    p = lay("S movement", "su-1-br 3624, su-2-br 3724, eg-10 0522")
    allowed(play(p, "soviet move su-2-br @ 3724 > 3524 via 3624"), "soviet done")
    q = play(p, "soviet move su-2-br @ 3724 > 3624")
    refused(q, "soviet done", "5.1.p2")
    allowed(play(q, "soviet move su-1-br @ 3624 > 3623"), "soviet done")


@ruling("R-G33")
def test_only_the_phasing_force_is_checked_at_its_phase_end() -> None:
    p = lay("W movement", "su-1-br 3624, su-2-br 3624, su-3-br 3624, we-4-us 1301, wg-63 2408, eg-2 0522")
    allowed(p, "western-allied done")


@rule("5.2.1.p1")
@ruling("R-G35")
@ruling("R-G36")
def test_germans_keep_to_their_theater_on_every_hex_of_the_way() -> None:
    p = lay("EG movement", "eg-24-pz 2514, su-1-gds-inf 3026")
    refused(p, "western-allied move eg-24-pz @ 2514 > 2513", "5.2.1.p1")
    # Over and back within one move: 2514 - 2413 (west) - 2414.
    assert theater("2413") == "west" and theater("2414") == "east"
    refused(p, "western-allied move eg-24-pz @ 2514 > 2414 via 2413", "5.2.1.p1")
    allowed(p, "western-allied move eg-24-pz @ 2514 > 2414")
    assert all(theater(h) == "east" for h in reach(p, "eg-24-pz"))
    p = lay("WG movement", "wg-1-ss 2513, we-5-us 1301")
    refused(p, "soviet move wg-1-ss @ 2513 > 2514", "5.2.1.p1")
    assert all(theater(h) == "west" for h in reach(p, "wg-1-ss"))


@rule("5.2.1.p2")
@ruling("R-G49")
def test_wg_driven_east_becomes_eg_at_once() -> None:
    # WG in 2513: 2412 and 2612 hold W, 2413 and 2512 lie in their ZOC; 2514 is open.
    p = lay("W combat", "wg-75 2513, we-5-us 2412, we-2-us 2612, we-20-us 2412, su-1-gds-inf 3026")
    p = attack(p, "we-5-us we-2-us we-20-us", "2513", 6)
    assert p.agenda[-1].by == ("soviet",)
    refused(p, "soviet retreat wg-75 > 2512", "6.2.1.b2")
    assert legal(p) == {"soviet retreat wg-75 > 2514"}
    p = play(p, "soviet retreat wg-75 > 2514")
    assert force(p, "wg-75") == "EG" and where(p, "wg-75") == "2514"
    while step(p) == "advance":
        p = play(p, "western-allied done")
    while phase(p) != "EG movement":
        p = play(p, f"{p.agenda[-1].by[0]} done")
    # It moves in the EG phase of the same game turn, by its new owner.
    assert p.turn == 3
    allowed(p, "western-allied move wg-75 @ 2514 > 2515")
    refused(p, "western-allied move wg-75 @ 2514 > 2513", "5.2.1.p1")


@ruling("R-G49")
def test_across_the_line_the_zoc_of_old_and_new_enemies_closes() -> None:
    units = "eg-10 2514, su-1-gds-inf 2414, su-2-gds-inf 2515, su-3-gds-inf 2614"
    for extra, open_ in (
        ("", True),
        (", we-4-us 2412", False),
        (", wg-63 2513", True),
        (", wg-63 2513, wg-64 2513", False),
        (", we-4-us 2513", False),
    ):
        p = attack(lay("S combat", units + extra), "su-1-gds-inf su-2-gds-inf su-3-gds-inf", "2514", 6)
        if open_:
            assert legal(p) == {"western-allied retreat eg-10 > 2513"}
        else:
            assert where(p, "eg-10") == "box-eg", extra


@ruling("R-G123")
@ruling("R-G49")
def test_a_german_may_change_identity_twice() -> None:
    # Thrown west by S, then thrown back east by W in the same turn: EG again.
    units = "eg-10 2514, su-1-gds-inf 2414, su-2-gds-inf 2515, su-3-gds-inf 2614, we-5-us 2411, we-2-us 2611, we-20-us 2411"
    p = attack(lay("S combat", units), "su-1-gds-inf su-2-gds-inf su-3-gds-inf", "2514", 6)
    p = play(p, "western-allied retreat eg-10 > 2513", "soviet done")
    while phase(p) != "W movement":
        p = play(p, "soviet done")
    p = play(p, "western-allied move we-5-us @ 2411 > 2412", "western-allied move we-2-us @ 2611 > 2612")
    p = play(p, "western-allied move we-20-us @ 2411 > 2412", "western-allied done")
    p = attack(p, "we-5-us we-2-us we-20-us", "2513", 6)
    # 2514 was left free; Soviet ZOC closes it: it stood beside 2414, 2515, 2614.
    assert where(p, "eg-10") == "box-wg"


@rule("5.2.1.p3")
@ruling("R-G50")
@ruling("R-G54")
def test_germans_enter_berlin_by_no_means() -> None:
    p = lay("EG movement", "eg-24-pz 2514, su-1-gds-inf 3026")
    refused(p, "western-allied move eg-24-pz @ 2514 > 2613", "5.2.1.p3")
    refused(p, "western-allied move eg-24-pz @ 2514 > 2714 via 2613", "5.2.1.p3")
    # Retreat: refused even when it is the only hex; the unit dies.
    p = attack(
        lay("S combat", "eg-10 2614, su-1-br 2515, su-1-gds-inf 2515, su-2-gds-inf 2615, su-3-gds-inf 2714"),
        "su-1-br su-1-gds-inf",
        "2614",
        5,
    )
    assert where(p, "eg-10") == "box-eg"
    # Advance: Soviets in Berlin die by AE; no German enters.
    p = attack(lay("EG combat", "su-1-pol 2613, eg-24-pz 2514, eg-39-pz 2514"), "eg-24-pz eg-39-pz", "2613", 1)
    assert where(p, "su-1-pol") == "box-s" and step(p) != "advance"
    assert not any("advance" in line for line in legal(p))


@rule("5.2.2.p1")
@ruling("R-G35")
def test_allies_do_not_cross_the_line_by_choice() -> None:
    p = lay("S movement", "su-1-gds-tk 2514, eg-2 0522")
    refused(p, "soviet move su-1-gds-tk @ 2514 > 2513", "5.2.2.p1")
    refused(p, "soviet move su-1-gds-tk @ 2514 > 2414 via 2413", "5.2.2.p1")
    assert all(theater(h) in {"east", "both"} for h in reach(p, "su-1-gds-tk"))
    p = lay("W movement", "we-5-us 2513, wg-63 1301")
    refused(p, "western-allied move we-5-us @ 2513 > 2514", "5.2.2.p1")
    refused(p, "western-allied move we-5-us @ 2513 > 2514 via 2613", "5.2.2.p1")
    assert all(theater(h) in {"west", "both"} for h in reach(p, "we-5-us"))


@rule("5.2.2.p1")
@ruling("R-G35")
def test_out_of_berlin_everybody_returns_to_his_own_side() -> None:
    p = lay("S movement", "su-1-gds-inf 2613, eg-2 0522")
    assert {h for h in reach(p, "su-1-gds-inf") if h in NEAR[BERLIN]} == {"2514", "2614", "2714"}
    refused(p, "soviet move su-1-gds-inf @ 2613 > 2513", "5.2.2.p1")
    p = lay("W movement", "we-5-us 2613, wg-63 1301")
    assert {h for h in reach(p, "we-5-us") if h in NEAR[BERLIN]} == {"2513", "2612", "2713"}
    # A unit in Berlin is not displaced: it may stay.
    p = play(p, "western-allied done")
    assert where(p, "we-5-us") == "2613"


@rule("5.2.2.p2")
@ruling("R-G37")
@ruling("R-G12")
@ruling("R-G63")
def test_displaced_allies_are_home_at_their_phase_end_or_dead() -> None:
    for name, unit, place, home, box in (
        ("S", "su-1-gds-inf", "2413", "2414", "box-s"),
        ("W", "we-5-us", "2514", "2513", "box-w"),
        ("W", "we-5-us", "1016", "0915", "box-italy" if country("1016") == "italy" else "box-w"),
    ):
        p = lay(f"{name} movement", f"{unit} {place}, eg-2 0122, wg-63 1301, su-4-gds-inf 3026, we-4-us 0601")
        by = p.agenda[-1].by[0]
        stay = play(p, f"{by} done")
        assert where(stay, unit) == box, place
        back = play(p, f"{by} move {unit} @ {place} > {home}", f"{by} done")
        assert where(back, unit) == home
    # To Berlin is home as well, entered from the wrong side (R-G38).
    p = lay("S movement", "su-1-gds-inf 2513, eg-2 0122")
    p = play(p, "soviet move su-1-gds-inf @ 2513 > 2613", "soviet done")
    assert where(p, "su-1-gds-inf") == "2613"


@ruling("R-G37")
def test_the_deadline_runs_out_in_the_next_movement_phase_only() -> None:
    # Displaced in the S Combat Phase: the WG, W and EG phases change nothing.
    p = lay("S combat", "su-1-gds-inf 2513, eg-2 0122, wg-63 1301, we-4-us 0601, su-2-gds-inf 3026, eg-24-pz 3024", turn=4)
    while not (p.turn == 5 and phase(p) == "S movement"):
        p = play(p, f"{p.agenda[-1].by[0]} done")
        assert where(p, "su-1-gds-inf") == "2513"
    assert where(play(p, "soviet done"), "su-1-gds-inf") == "box-s"


@ruling("R-G38")
def test_a_displaced_unit_ends_at_home_or_anywhere_if_it_cannot() -> None:
    p = lay("S movement", "su-1-gds-inf 2412, eg-2 0122")
    allowed(p, "soviet move su-1-gds-inf @ 2412 > 2514 via 2413", "soviet move su-1-gds-inf @ 2412 > 2613 via 2413,2513")
    # Through Berlin to its own side.
    q = lay("S movement", "su-1-gds-inf 2513, eg-2 0122")
    allowed(q, "soviet move su-1-gds-inf @ 2513 > 2614 via 2613")
    # Home and over the line again is crossing by choice.
    refused(q, "soviet move su-1-gds-inf @ 2513 > 2413 via 2514", "5.2.2.p1")
    # Too far from home: it may wander, and dies.
    far = lay("S movement", "su-1-gds-inf 2207, eg-2 0122")
    far = play(far, "soviet move su-1-gds-inf @ 2207 > 2208", "soviet done")
    assert where(far, "su-1-gds-inf") == "box-s"


@rule("5.2.2.p3")
@ruling("R-G26")
@ruling("R-G25")
def test_attacks_go_over_the_line() -> None:
    # A displaced Soviet unit in 2513 attacks 2514 and is attacked from there; WG beside it do not matter.
    allowed(lay("S combat", "su-1-gds-inf 2513, eg-10 2514, wg-63 2512"), "soviet attack su-1-gds-inf > 2514")
    allowed(lay("EG combat", "su-1-pol 2513, eg-24-pz 2514, wg-63 2512"), "western-allied attack eg-24-pz > 2513")
    refused(lay("WG combat", "su-1-pol 2513, eg-24-pz 2514, wg-1-ss 2512"), "soviet attack wg-1-ss > 2513", "3.0.a6")
    allowed(lay("W combat", "we-5-us 2514, wg-63 2513"), "western-allied attack we-5-us > 2513")


def across(p: Pos, piece: str, turn: int) -> Pos:
    """The position with a unit that was driven over the Yugoslav border on that turn."""
    return msgspec.structs.replace(p, abroad=((BOOK.game.unit(piece), turn),))


def run(p: Pos, *stops: str) -> Pos:
    """Ends phases until one of these runs."""
    while phase(p) not in stops:
        p = play(p, f"{p.agenda[-1].by[0]} done")
    return p


YUGOSLAV = {h for h in PLAYABLE if country(h) == "yugoslavia"}


@rule("5.3.1.p1")
@ruling("R-G41")
def test_yugoslavs_never_leave_yugoslavia_by_choice() -> None:
    p = lay("S movement", "su-1-yug 0824, eg-2 3026")
    assert reach(p, "su-1-yug") and reach(p, "su-1-yug") <= YUGOSLAV
    outside = next(n for h in sorted(YUGOSLAV) for n in JOINED[h] if n in PLAYABLE and n not in YUGOSLAV and theater(n) == "east")
    inside = next(n for n in JOINED[outside] if n in YUGOSLAV)
    p = lay("S movement", f"su-1-yug {inside}, eg-2 3026")
    refused(p, f"soviet move su-1-yug @ {inside} > {outside}", "5.3.1.p1")
    again = next((n for n in JOINED[outside] if n in YUGOSLAV and n != inside), None)
    if again:
        refused(p, f"soviet move su-1-yug @ {inside} > {again} via {outside}", "5.3.1.p1")


@rule("5.3.1.p2")
@ruling("R-G40")
@ruling("R-G42")
def test_a_displaced_yugoslav_is_back_by_the_end_of_the_next_soviet_combat_phase() -> None:
    # 1122 outside, 1021 inside. Crossed in turn 3.
    base = "su-1-yug 1122, eg-24-pz 3024, su-4-gds-inf 3026"
    p = lay("S movement", base, turn=4)
    p = across(p, "su-1-yug", 3)
    stay = play(p, "soviet done")
    stay = run(stay, "WG movement", "W movement", "EG movement")
    assert where(stay, "su-1-yug") == "box-s"
    back = play(p, "soviet move su-1-yug @ 1122 > 1021", "soviet done")
    back = run(back, "WG movement", "W movement", "EG movement")
    assert where(back, "su-1-yug") == "1021" and not back.abroad


@ruling("R-G40")
def test_a_displaced_yugoslav_may_advance_back_in() -> None:
    p = lay("S combat", "su-1-yug 1122, su-2-yug 1022, eg-4-pz 1021, eg-24-pz 3024", turn=4)
    p = across(p, "su-1-yug", 3)
    p = attack(p, "su-1-yug su-2-yug", "1021", 1)
    assert step(p) == "advance"
    p = play(p, "soviet advance su-1-yug > 1021")
    p = run(p, "WG movement", "W movement", "EG movement")
    assert where(p, "su-1-yug") == "1021" and not p.abroad


@rule("5.3.1.p3")
@rule("5.3.2.p3")
@rule("5.3.2.p4")
@ruling("R-G46")
@ruling("R-G54")
def test_attacks_over_the_yugoslav_border_without_advance() -> None:
    # Yugoslavs at 1021 against 1122: attack, no advance. A Romanian at 1123 against 1022: the same.
    p = attack(lay("S combat", "su-1-yug 1021, eg-4-pz 1122"), "su-1-yug", "1122", 1)
    assert step(p) != "advance"
    q = lay("S combat", "su-1-rom 1123, su-4-rom 1123, eg-4-pz 1022, eg-2 3024")
    assert "1022" in NEAR["1123"]
    q = attack(q, "su-1-rom su-4-rom", "1022", 1)
    assert where(q, "eg-4-pz") == "box-eg" and step(q) != "advance"
    # Together; then only the one on its own side may enter.
    r = lay("S combat", "su-1-yug 1021, su-1-rom 1123, su-4-rom 1123, eg-4-pz 1122, eg-2 3024")
    r = attack(r, "su-1-yug su-1-rom su-4-rom", "1122", 1)
    if step(r) == "lose":
        r = play(r, "soviet lose su-4-rom", "soviet done")
    assert step(r) == "advance"
    refused(r, "soviet advance su-1-yug > 1122", "5.3.1.p3")
    r2 = lay("S combat", "su-1-yug 1021, su-1-rom 1123, su-4-rom 1123, eg-4-pz 1022, eg-2 3024")
    r2 = attack(r2, "su-1-yug su-1-rom su-4-rom", "1022", 1)
    if step(r2) == "lose":
        r2 = play(r2, "soviet lose su-4-rom", "soviet done")
    assert step(r2) == "advance"
    refused(r2, "soviet advance su-1-rom > 1022", "5.3.2.p3")
    allowed(r2, "soviet advance su-1-yug > 1022")


@rule("5.3.2.p1")
@ruling("R-G41")
def test_other_soviets_never_enter_yugoslavia_by_choice() -> None:
    for unit in ("su-1-gds-inf", "su-1-rom", "su-1-pol", "su-1-bul"):
        p = lay("S movement", f"{unit} 1123, eg-2 3024")
        refused(p, f"soviet move {unit} @ 1123 > 1022", "5.3.2.p1")
        assert reach(p, unit) and not reach(p, unit) & YUGOSLAV
    # Germans come and go.
    p = lay("EG movement", "eg-24-pz 1123, su-4-gds-inf 3026")
    allowed(p, "western-allied move eg-24-pz @ 1123 > 1022")


@rule("5.3.2.p2")
@ruling("R-G39")
def test_soviets_driven_into_yugoslavia_leave_on_the_following_turn_or_die() -> None:
    p = lay("S movement", "su-1-rom 1022, eg-24-pz 3024, su-4-gds-inf 3026", turn=4)
    p = across(p, "su-1-rom", 3)
    out = play(p, "soviet move su-1-rom @ 1022 > 1123", "soviet done")
    assert where(run(out, "WG movement", "W movement", "EG movement"), "su-1-rom") == "1123"
    stay = play(p, "soviet done")
    stay = run(stay, "WG movement", "W movement", "EG movement")
    assert where(stay, "su-1-rom") == "box-s"
    # Crossed in this very turn: the deadline is next turn's Combat Phase.
    fresh = across(p, "su-1-rom", 4)
    fresh = play(fresh, "soviet done")
    assert where(run(fresh, "WG movement", "W movement", "EG movement"), "su-1-rom") == "1022"
    # Inside it may move, and not come back in: out and in again is refused.
    allowed(p, "soviet move su-1-rom @ 1022 > 0922")
    refused(p, "soviet move su-1-rom @ 1022 > 1021 via 1122", "5.3.2.p1")


@ruling("R-G54")
@rule("6.5.b")
def test_no_advance_over_the_line() -> None:
    # A displaced unit may go home by advance.
    q = lay("S combat", "su-1-gds-inf 2513, su-2-gds-inf 2414, eg-4-pz 2514")
    q = attack(q, "su-1-gds-inf su-2-gds-inf", "2514", 1)
    assert legal(q) == {"soviet advance su-1-gds-inf > 2514", "soviet advance su-2-gds-inf > 2514", "soviet done"}
    # EG in 2514 destroys S in 2513: no German crosses.
    r = attack(lay("EG combat", "su-1-rom 2513, eg-24-pz 2514, eg-39-pz 2514"), "eg-24-pz eg-39-pz", "2513", 1)
    assert not any("advance" in line for line in legal(r))
    # W in 2613 attacks WG in 2513: may enter it.
    s = attack(lay("W combat", "we-5-us 2613, we-20-us 2613, wg-63 2513"), "we-5-us we-20-us", "2513", 1)
    allowed(s, "western-allied advance we-5-us > 2513")


def test_courland_and_the_line_data_are_as_the_tests_take_them() -> None:
    assert theater(BERLIN) == "both" and all(theater(h) == "east" for h in COURLAND)
    assert all(closed(a, b) == closed(b, a) for a, b in itertools.islice(((a, b) for a in PLAYABLE for b in NEAR[a]), 500))
    assert not members(lay("S movement", "su-1-br 3624").garrison) and cited(lay("S movement", "su-1-br 3624"), "soviet done") == set()
