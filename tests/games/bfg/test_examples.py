"""The worked examples and checkable statements of Battle for Germany, one test an example, named after its id."""

from __future__ import annotations

import itertools
import re
from collections import Counter

import pytest

from tests.games.bfg.facts import (
    CAPITALS,
    CITIES,
    COURLAND,
    CRT,
    FEATURES,
    HEXES,
    JOINED,
    NEAR,
    PLAYABLE,
    RATES,
    TERRAIN,
    UNITS,
    apart,
    closed,
    cost,
    rows,
)
from tests.games.bfg.layout import (
    BOOK,
    Pos,
    allowed,
    answered,
    attack,
    check,
    example,
    fallen,
    force,
    holder,
    in_use,
    lay,
    legal,
    members,
    on,
    phase,
    play,
    playing,
    reach,
    refused,
    run,
    step,
    where,
    within,
)
from tests.games.bfg.odds import column

SHEET = {row["piece"]: row["place"] for row in rows("setups") if row["setup"] == "hist"}
COURLAND_AT = {"eg-10": "3823", "eg-3-ss": "3822", "eg-2": "3824", "eg-16": "3824"}
START = {**SHEET, **COURLAND_AT}

# 6.1: two 2-3-4 in 2105, attacked by 7-4-8, 6-6-7, 6-6-7 from 2004, 2104, 2204.
US = "we-5-us we-2-us we-7-us"
DRIVE = lay("W combat", "wg-63 2105, wg-64 2105, we-5-us 2004, we-2-us 2104, we-7-us 2204")


@example("G-01")
def test_G_01_nineteen_against_seven_is_two_to_one() -> None:
    # 7 + 6 + 6 against 3 + 4 in a clear hex without a river.
    p = lay("W combat", "wg-63 2303, wg-75 2303, we-5-us 2402, we-2-us 2403, we-7-us 2302")
    assert HEXES["2303"]["terrain"] == "clear"
    assert column(p, US, "2303") == "2:1"


@example("G-02")
def test_G_02_neighbours_of_2105() -> None:
    assert set(NEAR["2105"]) == {"2104", "2106", "2004", "2005", "2204", "2205"}
    for name in NEAR["2105"]:
        p = lay("W combat", f"wg-63 2105, we-5-us {name}, we-2-us {name}")
        allowed(p, "western-allied attack we-5-us,we-2-us > 2105")
    for name in ("2003", "2103", "2107", "2203", "2304"):
        p = lay("W combat", f"wg-63 2105, we-5-us {name}, we-2-us {name}")
        refused(p, "western-allied attack we-5-us,we-2-us > 2105", "6.3.c2")


@example("G-03")
def test_G_03_two_corps_in_2105_are_attacked_at_one_to_one() -> None:
    assert column(DRIVE, US, "2105") == "1:1"


@example("G-04")
def test_G_04_exchange_pays_the_printed_six() -> None:
    assert CRT["1:1", 1] == "EX"
    p = attack(DRIVE, US, "2105", 1)
    assert where(p, "wg-63") == where(p, "wg-64") == "box-wg"
    assert step(p) == "lose" and p.agenda[-1].by == ("western-allied",)
    assert legal(p) == {f"western-allied lose {unit}" for unit in US.split()}
    refused(p, "western-allied done", "6.2.c")
    one = play(p, "western-allied lose we-2-us")
    assert where(one, "we-2-us") == "box-w"
    allowed(one, "western-allied done")
    also = play(p, "western-allied lose we-5-us")
    allowed(also, "western-allied done", "western-allied lose we-7-us")
    done = play(one, "western-allied done")
    assert where(done, "we-5-us") == "2004" and where(done, "we-7-us") == "2204"


@example("G-05")
def test_G_05_broken_behind_a_river_is_tripled() -> None:
    # 1921 is broken; 1920 and 2020 lie across a river, 1922 does not. 18 against 3.
    over = lay("S combat", "eg-72 1921, su-1-gds-inf 1920, su-1-br 1920, su-1-pol 2020")
    assert column(over, "su-1-gds-inf su-1-br su-1-pol", "1921") == "2:1"
    mixed = lay("S combat", "eg-72 1921, su-1-gds-inf 1920, su-1-br 1920, su-1-pol 1922")
    assert column(mixed, "su-1-gds-inf su-1-br su-1-pol", "1921") == "3:1"


@example("G-06")
def test_G_06_broken_river_and_fortified_double() -> None:
    assert {TERRAIN[kind]["defence_multiplier"] for kind in ("broken", "river", "fortified")} == {"2"}
    # 18 against 3: 6:1 plain, 3:1 doubled.
    plain = lay("S combat", "eg-72 2515, su-1-gds-inf 2514, su-1-br 2514, su-1-pol 2516")
    assert column(plain, "su-1-gds-inf su-1-br su-1-pol", "2515") == "6:1"
    broken = lay("S combat", "eg-72 1921, su-1-gds-inf 1922, su-1-br 1922, su-1-pol 1821")
    assert column(broken, "su-1-gds-inf su-1-br su-1-pol", "1921") == "3:1"
    river = lay("S combat", "eg-72 2525, su-1-gds-inf 2526, su-1-br 2425, su-1-pol 2526")
    assert HEXES["2525"]["terrain"] == "clear"
    assert column(river, "su-1-gds-inf su-1-br su-1-pol", "2525") == "3:1"
    # 7 + 7 + 4 against 3 in the fortified clear hex 1805.
    fort = lay("W combat", "wg-63 1805, we-5-us 1804, we-20-us 1804, we-6-us 1705")
    assert HEXES["1805"]["terrain"] == "clear" and "fortified" in FEATURES["1805"]
    assert column(fort, "we-5-us we-20-us we-6-us", "1805") == "3:1"


# 18.1: Courland. Germans 2-4-4 in 3823, 7-5-8 in 3822, two 3-5-4 in 3824.
POCKET = "eg-10 3823, eg-3-ss 3822, eg-2 3824, eg-16 3824, su-2-balt 3723, su-1-gds-inf 3723, su-1-gds-tk 3724, "
POCKET += "su-3-balt 3725, su-3-gds-tk 3725, su-2-gds-inf 3825"


@example("G-07")
def test_G_07_first_attack_in_courland_is_five_to_one() -> None:
    p = lay("S combat", POCKET)
    assert "3823" in NEAR["3723"] and "3823" in NEAR["3724"]
    p = attack(p, "su-2-balt su-1-gds-inf su-1-gds-tk", "3823", 3)
    assert where(p, "eg-10") == "box-eg" and step(p) == "advance"
    p = play(p, "soviet advance su-1-gds-tk > 3823")
    assert where(p, "su-1-gds-tk") == "3823" and step(p) == "combat"
    # The column, with room for everybody.
    free = lay("S combat", "eg-10 3823, su-2-balt 3723, su-1-gds-inf 3723, su-1-gds-tk 3724")
    assert column(free, "su-2-balt su-1-gds-inf su-1-gds-tk", "3823") == "5:1"
    assert CRT["5:1", 3] == "DE"


@example("G-08")
def test_G_08_twenty_one_against_a_lone_corps_is_four_to_one_and_an_exchange_costs_five() -> None:
    # The same combat against a corps that stands alone; the attack on one of two needs 18/6.3.
    p = lay("S combat", POCKET.replace("eg-16 3824", "eg-16 box-eg"))
    p = attack(p, "su-3-balt su-3-gds-tk su-2-gds-inf", "3824", 3)
    assert CRT["4:1", 3] == "EX"
    assert where(p, "eg-2") == "box-eg" and step(p) == "lose"
    p = play(p, "soviet lose su-3-gds-tk", "soviet done")
    assert where(p, "su-3-gds-tk") == "box-s"


@example("G-07")
@example("G-08")
@example("G-09")
@example("G-10")
@example("G-11")
def test_G_07_to_G_11_the_example_of_offensive_supply_comes_out_as_printed() -> None:
    with playing("historical", "18.1", "18/6.3"):
        p = lay("S replacement", POCKET + ", eg-9 2223", turn=5)
        p = play(p, "soviet marker su-2-balt", "soviet done", "soviet done")
        assert phase(p) == "S combat"
        p = attack(p, "su-2-balt su-1-gds-inf su-1-gds-tk", "3823", 3)
        p = play(p, "soviet advance su-1-gds-tk > 3823")
        # G-08: one of the two in 3824 alone.
        p = attack(p, "su-3-balt su-3-gds-tk su-2-gds-inf", "eg-2", 3)
        assert where(p, "eg-2") == "box-eg" and step(p) == "lose"
        p = play(p, "soviet lose su-3-gds-tk", "soviet done")
        assert where(p, "su-3-gds-tk") == "box-s" and on(p, "3824") == {"eg-16"}
        # Nobody advanced into a hex that still holds an enemy; nobody is left to attack, so the second phases begin.
        assert phase(p) == "S second_combat"
        five = {"su-2-balt", "su-1-gds-inf", "su-1-gds-tk", "su-3-balt", "su-2-gds-inf"}
        assert members(p.eligible) == five
        # G-09 and G-10: no way out for either.
        p = attack(p, "su-2-balt su-1-gds-inf su-1-gds-tk", "3822", 6)
        assert where(p, "eg-3-ss") == "box-eg"
        p = play(p, "soviet done") if step(p) == "advance" else p
        p = attack(p, "su-3-balt su-2-gds-inf", "3824", 4)
        assert where(p, "eg-16") == "box-eg"
        p = play(p, "soviet done") if step(p) == "advance" else p
        # G-11: half of the allowance now, rounded down; half of it next turn, rounded up, and no attack.
        assert phase(p) == "S second_movement" and members(p.used) == five
        for unit in sorted(five):
            assert reach(p, unit) == within(where(p, unit), UNITS[unit].move // 2), unit
        p = play(p, "soviet move su-1-gds-tk @ 3823 > 3623")
        refused(p, "soviet move su-1-gds-tk @ 3623 > 3523", "5.0.p3")
        p = run(p, "S movement", 6)
        assert members(p.tired) == five and not p.used
        for unit in sorted(five):
            assert reach(p, unit) == within(where(p, unit), -(-UNITS[unit].move // 2)), unit


@example("G-09")
def test_G_09_the_ss_corps_at_libau_has_no_retreat() -> None:
    units = "eg-3-ss 3822, eg-2 3824, su-2-balt 3723, su-1-gds-inf 3723, su-1-gds-tk 3823, su-3-balt 3725, su-2-gds-inf 3825"
    assert CRT["4:1", 6] == "DR"
    p = attack(lay("S combat", units), "su-2-balt su-1-gds-inf su-1-gds-tk", "3822", 6)
    assert where(p, "eg-3-ss") == "box-eg"
    # Without the advance of G-07 the 6-4-6 stands in 3724: 15 against 5, and 3923 stays open.
    p = lay("S combat", units.replace("su-1-gds-tk 3823", "su-1-gds-tk 3724"))
    refused(p, "soviet attack su-2-balt,su-1-gds-inf,su-1-gds-tk > 3822", "6.3.c2")
    p = attack(p, "su-2-balt su-1-gds-inf", "3822", 4)
    assert step(p) == "retreat" and "western-allied retreat eg-3-ss > 3923" in legal(p)


@example("G-10")
def test_G_10_the_corps_in_3824_has_no_retreat() -> None:
    units = "eg-2 3824, su-1-gds-tk 3823, su-2-balt 3723, su-3-balt 3725, su-2-gds-inf 3825"
    assert CRT["3:1", 4] == "DR"
    p = attack(lay("S combat", units), "su-3-balt su-2-gds-inf", "3824", 4)
    assert where(p, "eg-2") == "box-eg"
    p = lay("S combat", units.replace("su-2-gds-inf 3825", "su-2-gds-inf 3725"))
    p = attack(p, "su-3-balt su-2-gds-inf", "3824", 4)
    assert legal(p) == {"western-allied retreat eg-2 > 3925"}


@example("G-11")
@pytest.mark.parametrize(("unit", "now", "then"), [("su-2-balt", 1, 2), ("su-1-gds-inf", 2, 2), ("su-1-gds-tk", 3, 3)])
def test_G_11_a_soviet_unit_that_moves_twice_pays_next_turn(unit: str, now: int, then: int) -> None:
    assert (UNITS[unit].move // 2, -(-UNITS[unit].move // 2)) == (now, then)
    with playing("historical", "18.1"):
        p = lay("S replacement", f"su-1-br 2516, {unit} 2517, eg-6 2208, su-4-gds-inf 3026".replace("2208", "1019"), turn=4)
        p = run(play(p, "soviet marker su-1-br"), "S second_movement")
        assert reach(p, unit) == {h for h in within("2517", now)}
        goal = sorted(h for h in NEAR["2517"] if h in reach(p, unit))[-1]
        p = play(p, f"soviet move {unit} @ 2517 > {goal}")
        p = run(p, "S movement", 5)
        assert reach(p, unit) == within(goal, then)
        # Back to the printed allowance the turn after.
        p = run(p, "S movement", 6)
        assert reach(p, unit) == {h for h in within(goal, UNITS[unit].move) if HEXES[h]["theater"] != "west"}


@example("G-11")
@pytest.mark.parametrize(("unit", "now", "then"), [("we-7-us", 3, 4), ("we-5-us", 4, 4), ("we-4-us", 3, 3)])
def test_G_11_a_western_unit_that_moves_twice_pays_next_turn(unit: str, now: int, then: int) -> None:
    assert (UNITS[unit].move // 2, -(-UNITS[unit].move // 2)) == (now, then)
    with playing("historical", "18.1"):
        p = lay("W replacement", f"{unit} 2004, wg-63 0208, we-2-fr 2003".replace("0208", "1512"), turn=4)
        p = run(play(p, f"western-allied marker {unit}", "western-allied done"), "W second_combat")
        p = play(p, "western-allied group us")
        assert phase(p) == "W second_movement"
        assert reach(p, unit) == within("2004", now)
        p = play(p, f"western-allied move {unit} @ 2004 > 2003")
        p = run(p, "W movement", 5)
        assert reach(p, unit) == within("2003", then)


@example("G-12")
def test_G_12_the_weakest_west_german_returns_and_moves_double() -> None:
    units = "wg-47-pz box-wg, wg-74 box-wg, wg-14-pz box-wg, wg-75 box-wg, wg-63 box-wg"
    p = lay("WG replacement", units, turn=4)
    assert {(UNITS[u].attack, UNITS[u].defense, UNITS[u].move) for u in on(p, "box-wg")} == {
        (6, 5, 6),
        (5, 6, 5),
        (4, 6, 5),
        (2, 4, 4),
        (2, 3, 4),
    }
    assert legal(p) == {f"soviet replace {u} > {h}" for u in ("wg-75", "wg-63") for h in ("2513", "2612", "2713")} | {"soviet done"}
    refused(p, "soviet replace wg-14-pz > 2513", "7.2.a1")
    refused(p, "soviet replace wg-75 > 2514", "7.2.d1")
    refused(p, "soviet replace wg-75 > 2511", "7.2.b1")
    p = play(p, "soviet replace wg-75 > 2612")
    if phase(p) == "WG replacement":
        refused(p, "soviet replace wg-63 > 2612", "7.2.p1")
        p = play(p, "soviet done")
    assert phase(p) == "WG movement"
    # Eight points: six hexes along the row, two of them behind a river; a unit that was there before has four.
    row = ("2612", "2611", "2610", "2609", "2608", "2607", "2606", "2605")
    assert [cost(a, b) for a, b in itertools.pairwise(row)] == [2, 1, 1, 1, 2, 1, 2]
    assert "2606" in reach(p, "wg-75") and "2605" not in reach(p, "wg-75")
    plain = lay("WG movement", "wg-75 2612", turn=4)
    assert "2609" in reach(plain, "wg-75") and "2608" not in reach(plain, "wg-75")


@example("G-13")
def test_G_13_western_replacements_are_picked_freely() -> None:
    p = lay("W replacement", "we-5-us box-w, we-2-us box-w, we-4-us box-w", turn=6)
    assert RATES[6, "western_allied"] == 2
    picks = {text.split()[2] for text in legal(p) if "replace" in text}
    assert picks == {"we-5-us", "we-2-us", "we-4-us"}
    places = {text.split("> ")[1] for text in legal(p) if "replace" in text}
    assert places == {f"{row:02}01" for row in range(1, 24) if f"{row:02}01" in PLAYABLE}
    refused(p, "western-allied replace we-5-us > 2401", "7.2.e2")
    allowed(p, "western-allied done")
    for first, second in itertools.permutations(picks, 2):
        q = play(p, f"western-allied replace {first} > 2001")
        allowed(q, "western-allied done")
        q = play(q, f"western-allied replace {second} > 2001")
        assert phase(q) != "W replacement" or not any("replace" in text for text in legal(q))
        assert where(q, first) == where(q, second) == "2001"
        third = (picks - {first, second}).pop()
        assert where(q, third) == "box-w"
        if phase(q) == "W replacement":
            refused(q, f"western-allied replace {third} > 2001", "7.2.p1")


@example("G-14")
@pytest.mark.parametrize(
    ("name", "unit", "box", "place", "paragraph"),
    [
        ("S", "su-1-bul", "box-s", "2526", "3.0.a1"),
        ("WG", "wg-63", "box-wg", "2513", "3.0.a4"),
        ("W", "we-4-us", "box-w", "2001", "3.0.b1"),
        ("EG", "eg-6", "box-eg", "2514", "3.0.b4"),
    ],
)
def test_G_14_no_replacements_on_turn_1(name: str, unit: str, box: str, place: str, paragraph: str) -> None:
    by = "soviet" if name in ("S", "WG") else "western-allied"
    p = lay(f"{name} replacement", f"{unit} {box}", turn=1)
    refused(p, f"{by} replace {unit} > {place}", paragraph)
    allowed(p, f"{by} done")
    q = lay(f"{name} replacement", f"{unit} {box}", turn=2)
    allowed(q, f"{by} replace {unit} > {place}", f"{by} done")


@example("G-14")
def test_G_14_unused_rates_are_lost() -> None:
    p = lay("WG replacement", "wg-63 box-wg, wg-64 box-wg, wg-65 2408, we-5-us 1603", turn=4)
    p = play(p, "soviet done")
    while not (p.turn == 5 and phase(p) == "WG replacement"):
        by = p.agenda[-1].by[0]
        p = play(p, f"{by} done")
    assert p.rates == (RATES[5, "west_german"], 0)


@example("G-15")
def test_G_15_exit_hexes_and_their_cost() -> None:
    west = {f"{row}01" for row in range(16, 24)}
    east = {f"{row:02}26" for row in range(9, 36)}
    south = {f"01{column:02}" for column in range(12, 18)}
    for name in sorted(PLAYABLE):
        if not name.endswith(("01", "26")) and not name.startswith("01") and not name.startswith("39"):
            continue
        germany = HEXES[name]["theater"]
        force_of, unit, by = ("EG", "eg-24-pz", "western-allied") if germany == "east" else ("WG", "wg-1-ss", "soviet")
        p = lay(f"{force_of} movement", f"{unit} {name}, we-5-us 1604, su-1-gds-inf 2624")
        line = f"{by} exit {unit} @ {name} > {name}"
        if name in west | east | south:
            assert check(p, line).legal, name
        else:
            assert not check(p, line).legal, name
            paragraph = "9.0.p3" if name.endswith("01") else "9.0.p4" if name.endswith("26") else "9.0.p5"
            if not (name.startswith("01") and name.endswith(("01", "26"))):
                refused(p, line, paragraph)


@example("G-15")
def test_G_15_four_points_must_be_left_and_only_germans_leave() -> None:
    # Two clear hexes from 1424 to 1426: an allowance of six leaves four points, one of five leaves three.
    assert cost("1424", "1425") + cost("1425", "1426") == 2
    for unit, enough in (("eg-3-pz", True), ("eg-29", False)):
        p = lay("EG movement", f"{unit} 1424, su-1-gds-inf 3624")
        line = f"western-allied exit {unit} @ 1424 > 1426 via 1425"
        if enough:
            allowed(p, line)
        else:
            refused(p, line, "9.0.p2")
    p = lay("S movement", "su-1-gds-inf 2626, eg-24-pz 2515")
    refused(p, "soviet exit su-1-gds-inf @ 2626 > 2626", "9.0.p1")
    p = lay("W movement", "we-5-us 2001, wg-63 2408")
    refused(p, "western-allied exit we-5-us @ 2001 > 2001", "9.0.p1")


@example("G-16")
def test_G_16_exit_may_take_the_two_nearest_which_stay_until_the_phase_ends() -> None:
    p = lay("EG movement", "eg-24-pz 2026, eg-2 2223, su-1-gds-inf 2023, su-2-gds-inf 2024, su-3-gds-inf 1924, su-4-gds-inf 3026")
    p = play(p, "western-allied exit eg-24-pz @ 2026 > 2026")
    assert where(p, "eg-24-pz") == "out" and step(p) == "take"
    # Nearest: 2024 (2), then 2023 and 1924 (3 each).
    assert apart("2026", "2024") == 2 and apart("2026", "2023") == 3 and apart("2026", "1924") == 3
    picks = {text.split()[-1] for text in legal(p)} - {"done"}
    assert picks >= {"su-2-gds-inf"} and "su-4-gds-inf" not in picks
    refused(p, "western-allied take su-4-gds-inf", "9.0.a1")
    allowed(p, "western-allied done")
    p = play(p, "western-allied take su-2-gds-inf")
    assert {text.split()[-1] for text in legal(p)} - {"done"} == {"su-1-gds-inf", "su-3-gds-inf"}
    p = play(p, "western-allied take su-1-gds-inf")
    assert step(p) == "movement" and members(p.flipped) == {"su-2-gds-inf", "su-1-gds-inf"}
    assert where(p, "su-2-gds-inf") == "2024"
    # The flipped unit in 2023 still stops a move beside it.
    assert "2123" in NEAR["2023"]
    refused(p, "western-allied move eg-2 @ 2223 > 2122 via 2123", "4.0.p2")
    p = play(p, "western-allied done")
    assert where(p, "su-1-gds-inf") == where(p, "su-2-gds-inf") == "out"
    assert where(p, "su-3-gds-inf") == "1924" and not on(p, "box-s")


@example("G-16")
def test_G_16_an_exit_may_take_nothing() -> None:
    p = lay("EG movement", "eg-24-pz 2026, su-1-gds-inf 2023, su-2-gds-inf 2024")
    p = play(p, "western-allied exit eg-24-pz @ 2026 > 2026", "western-allied done")
    assert p.flipped == 0 and where(p, "su-2-gds-inf") == "2024"


@example("G-17")
def test_G_17_courland_set_up() -> None:
    p = BOOK.start()
    assert {text.split()[2] for text in legal(p)} == {"eg-3-ss", "eg-2", "eg-10", "eg-16"}
    strengths = {(UNITS[u].attack, UNITS[u].defense, UNITS[u].move) for u in ("eg-3-ss", "eg-2", "eg-10", "eg-16")}
    assert strengths == {(7, 5, 8), (3, 5, 4), (2, 4, 4)}
    assert {text.split("> ")[1] for text in legal(p)} == set(COURLAND)
    p = play(p, "western-allied setup eg-3-ss > 3822", "western-allied setup eg-2 > 3822")
    refused(p, "western-allied setup eg-10 > 3822", "5.1.p1")
    refused(p, "western-allied setup eg-10 > 3722", "8.0.p1")
    assert where(p, "su-2-balt") == "3723" and where(p, "su-3-balt") == "3725"
    for front in ("3723", "3725"):
        assert set(NEAR[front]) & set(COURLAND)


@example("G-17")
def test_G_17_evacuation() -> None:
    units = "eg-3-ss 3822, eg-2 3822, eg-10 3923, eg-16 3824, su-2-balt 3723"
    early = lay("EG movement", units, turn=2)
    refused(early, "western-allied evacuate eg-3-ss", "8.0.p7")
    p = lay("EG movement", units, turn=3)
    allowed(p, "western-allied evacuate eg-3-ss", "western-allied evacuate eg-10")
    refused(p, "western-allied evacuate eg-16", "8.0.p4")
    p = play(p, "western-allied evacuate eg-2")
    dead = play(p, "chance roll evacuation 1")
    assert where(dead, "eg-2") == "box-eg"
    refused(dead, "western-allied evacuate eg-3-ss", "8.0.p7")
    for die in range(2, 7):
        q = play(p, f"chance roll evacuation {die}")
        assert legal(q) == {"western-allied land > 2815", "western-allied land > 2912"}
        q = play(q, "western-allied land > 2815")
        assert where(q, "eg-2") == "2815"
        refused(q, "western-allied evacuate eg-3-ss", "8.0.p7")


@example("G-17")
def test_G_17_a_port_once_entered_or_full_is_closed() -> None:
    p = lay("S movement", "eg-2 3822, su-1-gds-inf 2816, wg-63 2408", turn=3)
    p = play(p, "soviet move su-1-gds-inf @ 2816 > 2814 via 2815")
    while phase(p) != "EG movement":
        p = play(p, f"{p.agenda[-1].by[0]} done")
    p = play(p, "western-allied evacuate eg-2", "chance roll evacuation 6")
    assert where(p, "eg-2") == "2912"  # the only open port
    full = lay("EG movement", "eg-2 3822, eg-6 2815, eg-8 2815", turn=3)
    q = play(full, "western-allied evacuate eg-2", "chance roll evacuation 2")
    assert where(q, "eg-2") == "2912"
    both = lay("EG movement", "eg-2 3822, eg-6 2815, eg-8 2815, eg-9 2912, eg-16 2912", turn=3)
    refused(both, "western-allied evacuate eg-2", "8.0.p6")


@example("G-17")
def test_G_17_with_the_option_one_evacuation_a_turn_from_turn_1() -> None:
    with playing("historical", "18/8.0"):
        p = lay("EG movement", "eg-3-ss 3822, eg-2 3822, su-4-gds-inf 3026", turn=1)
        p = play(p, "western-allied evacuate eg-3-ss", "chance roll evacuation 4", "western-allied land > 2815")
        refused(p, "western-allied evacuate eg-2", "18/8.0")
        p = run(play(p, "western-allied done"), "EG movement", 2)
        allowed(p, "western-allied evacuate eg-2")


@example("G-18")
def test_G_18_two_units_a_hex_and_never_two_fronts() -> None:
    p = lay("S movement", "su-1-gds-inf 2515, su-2-gds-inf 2515, su-3-gds-inf 2516, eg-2 2218")
    allowed(p, "soviet done")
    p = play(p, "soviet move su-3-gds-inf @ 2516 > 2515")
    refused(p, "soviet done", "5.1.p1")
    p = lay("S movement", "su-1-br 2515, su-2-br 2516, su-3-gds-inf 2517, eg-2 2218")
    p = play(p, "soviet move su-2-br @ 2516 > 2515")
    refused(p, "soviet done", "5.1.p2")
    p = lay("S movement", "su-1-br 2515, su-3-gds-inf 2517, eg-2 2218")
    allowed(play(p, "soviet move su-3-gds-inf @ 2517 > 2515"), "soviet done")


@example("G-19")
def test_G_19_germans_never_enter_berlin() -> None:
    p = lay("EG movement", "eg-2 2614, su-1-gds-inf 3026")
    refused(p, "western-allied move eg-2 @ 2614 > 2613", "5.2.1.p3")
    p = lay("WG movement", "wg-63 2612, we-5-us 1603")
    refused(p, "soviet move wg-63 @ 2612 > 2613", "5.2.1.p3")
    # Retreat: EG in 2614, everything else closed by Soviets in 2515, 2615, 2714.
    p = lay("S combat", "eg-10 2614, su-1-gds-inf 2515, su-2-gds-inf 2615, su-3-gds-inf 2714, su-1-br 2715")
    p = attack(p, "su-1-gds-inf su-2-gds-inf su-3-gds-inf", "2614", 6)
    assert CRT["5:1", 6] == "DR" and where(p, "eg-10") == "box-eg"
    # Advance: a Soviet unit in Berlin is destroyed by its own attack.
    p = lay("S combat", "su-1-pol 2613, eg-2 2614")
    p = attack(p, "su-1-pol", "2614", 6)
    assert where(p, "su-1-pol") == "box-s" and step(p) != "advance"


@example("G-20")
def test_G_20_retreat_classes() -> None:
    # EG in 3725, attacked from 3726: 15 against 4. Beside 3726 lie 3625 and 3825.
    units = "su-1-br 3726, su-1-gds-inf 3726, eg-10 3725, "
    p = attack(lay("S combat", units + "eg-2 3724"), "su-1-br su-1-gds-inf", "3725", 4)
    assert CRT["3:1", 4] == "DR" and p.agenda[-1].by == ("western-allied",)
    assert legal(p) == {f"western-allied retreat eg-10 > {h}" for h in ("3624", "3824")}
    refused(p, "western-allied retreat eg-10 > 3724", "6.2.1.a1")
    refused(p, "western-allied retreat eg-10 > 3825", "6.2.1.b2")
    # No vacant hex: the friendly ones, but never a third unit and never a ZOC, friend or not.
    p = lay("S combat", units + "eg-2 3724, eg-6 3624, eg-8 3624, eg-9 3824, eg-16 3825")
    p = attack(p, "su-1-br su-1-gds-inf", "3725", 4)
    assert legal(p) == {f"western-allied retreat eg-10 > {h}" for h in ("3724", "3824")}
    refused(p, "western-allied retreat eg-10 > 3624", "6.2.1.a2")
    refused(p, "western-allied retreat eg-10 > 3825", "6.2.1.b2")
    # Nothing left: eliminated.
    p = lay("S combat", units + "eg-2 3724, eg-4-pz 3724, eg-6 3624, eg-8 3624, eg-9 3824, eg-16 3824")
    assert where(attack(p, "su-1-br su-1-gds-inf", "3725", 4), "eg-10") == "box-eg"


@example("G-20")
def test_G_20_garrisons_ignore_retreats() -> None:
    # 28 against 20 + 4 in Warsaw, die 2: DR. The Front stays, the Pole goes, nobody advances.
    p = lay("EG combat", "su-1-br 2723, su-1-pol 2723, eg-24-pz 2722, eg-39-pz 2722, eg-gd-pz 2622, eg-3-ss 2622")
    p = attack(p, "eg-24-pz eg-39-pz eg-gd-pz eg-3-ss", "2723", 2)
    assert step(p) == "retreat" and {text.split()[2] for text in legal(p)} == {"su-1-pol"}
    p = play(p, sorted(legal(p))[0])
    assert where(p, "su-1-br") == "2723" and step(p) != "advance"
    # Its own AR: 8 against 4 + 3 in the clear 2722, die 4 at 1:1.
    p = lay("S combat", "su-1-br 2723, su-1-gds-inf 2622, eg-9 2722, eg-8 2722")
    p = attack(p, "su-1-br", "2722", 4)
    assert CRT["1:1", 4] == "AR" and where(p, "su-1-br") == "2723" and step(p) == "combat"


@example("G-21")
def test_G_21_western_entry_ends_a_fortification() -> None:
    # 7 + 7 + 4 against 3 in 1805: doubled while the fortification stands.
    units = "wg-63 1805, we-5-us 1804, we-20-us 1804, we-6-us 1705"
    assert column(lay("W combat", units), "we-5-us we-20-us we-6-us", "1805") == "3:1"
    p = lay("W movement", "we-4-us 1804, wg-63 2408")
    p = play(p, "western-allied move we-4-us @ 1804 > 1905 via 1805")
    assert p.forts_gone.bit_count() == 2
    after = lay("W combat", units, forts_gone=p.forts_gone)
    assert column(after, "we-5-us we-20-us we-6-us", "1805") == "6:1"
    # The Allies get nothing from one: 16 against the 4-8-6 in 1805.
    assert column(lay("WG combat", "we-4-us 1805, wg-1-ss 1806, wg-2-ss 1806"), "wg-1-ss wg-2-ss", "1805") == "2:1"


@example("G-21")
def test_G_21_soviet_entry_leaves_a_fortification() -> None:
    # A Soviet unit thrown far west goes through 1805 (laid out: only retreats bring one there).
    p = lay("S movement", "su-1-gds-inf 1804, eg-2 0522")
    p = play(p, "soviet move su-1-gds-inf @ 1804 > 1706 via 1805")
    assert p.forts_gone == 0


@example("G-22")
def test_G_22_yugoslavs_and_hungarians_never_return() -> None:
    p = lay("S replacement", "su-1-yug box-s, su-1-pol box-s", turn=4)
    assert {text.split()[2] for text in legal(p) if "replace" in text} == {"su-1-pol"}
    refused(p, "soviet replace su-1-yug > 2526", "7.1.b2")
    for unit in ("su-1-pol", "su-1-rom", "su-1-bul"):
        allowed(lay("S replacement", f"{unit} box-s", turn=4), f"soviet replace {unit} > 2526")
    p = lay("EG replacement", "eg-1-hun box-eg, eg-24-pz box-eg", turn=4)
    refused(p, "western-allied replace eg-1-hun > 2514", "7.1.b2")
    allowed(p, "western-allied replace eg-24-pz > 2514")


@example("G-23")
def test_G_23_soviets_score_capitals_only_under_a_front() -> None:
    assert {"2723", "2015", "1617", "2613"} == CAPITALS
    rest = "wg-63 1603, eg-2 0522"  # Germans far from every capital
    for capital in sorted(CAPITALS):
        bare = _scores(f"su-1-pol {capital}, {rest}")
        held = _scores(f"su-1-br {capital}, {rest}")
        assert held[0] - bare[0] == int(CITIES[capital]["vp"]), capital
    for capital in ("2613",):
        one = _scores(f"we-5-us {capital}, {rest}")
        none = _scores(rest)
        assert one[1] - none[1] == int(CITIES[capital]["vp"])


def _scores(units: str) -> tuple[int, int]:
    """VPs of S and W when turn 10 ends on this layout."""
    p = play(lay("EG combat", units, turn=10), "western-allied done")
    assert BOOK.over(p)
    soviet, western = re.findall(r"\d+", p.result)
    return int(soviet), int(western)


@example("G-24")
def test_G_24_west_germans_owe_two_attacks_on_turn_1_only() -> None:
    units = "wg-1-ss 2005, wg-2-ss 1905, we-7-us 2004, we-6-us 1904, eg-2 0522"
    p = lay("WG combat", units, turn=1)
    refused(p, "soviet done", "12.2.a")
    allowed(lay("WG combat", units, turn=2), "soviet done")


@example("G-24")
def test_G_24_with_12_3_all_replacements_go_east() -> None:
    with playing("historical", "12.3"):
        allowed(lay("WG combat", "wg-1-ss 2005, we-7-us 2004, eg-2 0522", turn=1), "soviet done")
        p = lay("WG replacement", "wg-63 box-wg, wg-64 2408", turn=4)
        assert not any("replace" in text for text in legal(p))
        p = lay("EG replacement", "wg-63 box-wg, eg-24-pz box-eg, wg-64 box-wg, eg-9 box-eg", turn=4)
        assert p.rates[0] == RATES[4, "east_german"] + RATES[4, "west_german"] == 3
        # One pile, weakest first: 2, 2, then 4; all on the east side.
        assert {text.split(" ", 1)[1] for text in legal(p)} == {
            "done",
            *(f"replace {u} > {h}" for u in ("wg-63", "wg-64") for h in ("2514", "2614", "2714")),
        }
        p = play(p, "western-allied replace wg-63 > 2514", "western-allied replace wg-64 > 2514")
        assert force(p, "wg-63") == force(p, "wg-64") == "EG"
        refused(p, "western-allied replace eg-24-pz > 2614", "7.2.a1")
        p = play(p, "western-allied replace eg-9 > 2614")
        assert where(p, "eg-24-pz") == "box-eg" and not any("replace" in text for text in legal(p))


@example("G-25")
def test_G_25_red_star_white_star() -> None:
    with playing("rsws") as book:
        p = book.start()
        assert p.turn == 11
        assert legal(p) == {f"chance roll turn11 {die}" for die in range(1, 7)}
        for die in range(1, 7):
            q = play(p, f"chance roll turn11 {die}")
            assert q.turn == 11 and phase(q) == ("W movement" if die <= 3 else "S movement")
        assert all(where(p, u) == "out" for u, unit in UNITS.items() if unit.force in {"EG", "WG"})
        assert all(ph.force in (0, 1, -1) for ph in book.game.setting.terms.phases)
        p = lay("S combat", "su-1-pol 2413, su-1-gds-inf 2413, we-2-pol 2412", turn=12)
        refused(p, "soviet attack su-1-gds-inf,su-1-pol > 2412", "15.2.f")
        allowed(p, "soviet attack su-1-gds-inf > 2412")
        # The last turn is 16.
        p = lay("W combat", "su-1-gds-inf 2516, we-5-us 2004", turn=15)
        p = play(p, "western-allied done")
        assert p.turn == 16 and not book.over(p)
        p = play(lay("W combat", "su-1-gds-inf 2516, we-5-us 2004", turn=16), "western-allied done")
        assert book.over(p)


@example("G-26")
def test_G_26_collapse_in_the_east() -> None:
    with playing("collapse") as book:
        p = book.start()
        assert all(where(p, u) == "out" for u, unit in UNITS.items() if unit.force in {"W", "WG"})
        assert all(where(p, u) == START[u] or u in COURLAND_AT for u, unit in UNITS.items() if unit.force in {"S", "EG"})
        assert {holder(p, city) for city in CITIES} == {"G"}
        p = play(lay("EG combat", "eg-2 0522, su-1-gds-inf 2518", turn=5), "western-allied done")
        assert p.turn == 6 and not book.over(p)
        # One Soviet unit in the east, in Breslau; everything else of the east is German's: his Berlin too.
        p = play(lay("EG combat", "eg-2 0522, su-1-gds-inf 2418", turn=6), "western-allied done")
        east = sum(int(c["vp"]) for h, c in CITIES.items() if HEXES[h]["theater"] in {"east", "both"})
        assert book.over(p) and "German wins" in p.result and set(re.findall(r"\d+", p.result)) == {"1", str(east - 1)}


@example("G-27")
def test_G_27_supply_markers() -> None:
    with playing("historical", "18.1"):
        p = in_use().start()
        for piece, place in COURLAND_AT.items():
            p = play(p, f"western-allied setup {piece} > {place}")
        assert p.supply == 7 and phase(p) == "S replacement"
        p = play(p, "western-allied done") if step(p) == "set-up" else p
        fronts = "su-1-br 2515, su-2-br 2516, su-3-br 2517, su-1-bul box-s"
        p = lay("S replacement", f"{fronts}, eg-2 0522, we-5-us 2004, we-4-us box-w, wg-63 1512", turn=2)
        allowed(p, "soviet done", "soviet marker su-1-br", "soviet marker su-2-br", "soviet marker su-3-br")
        p = play(p, "soviet marker su-1-br", "soviet marker su-2-br")
        refused(p, "soviet marker su-3-br", "18.1.p5")
        assert p.supply == 5
        # Spent, though nobody used them; the Western one comes back every turn.
        p = run(p, "W replacement", 2)
        assert p.supply == 5 and not p.markers_soviet
        p = play(p, "western-allied marker we-5-us")
        refused(p, "western-allied marker we-5-us", "18.1.p15")
        p = run(p, "S replacement", 3)
        assert p.supply == 5 and p.marker_western == -1
        p = run(p, "W replacement", 3)
        allowed(p, "western-allied marker we-5-us")


@example("G-27")
def test_G_27_the_stock_is_full_again_on_turn_11() -> None:
    with playing("expanded", "18.1"):
        p = lay("EG combat", "su-1-br 2515, eg-2 0522, we-5-us 2004, wg-63 1512", turn=9, supply=2)
        p = play(p, "western-allied done")
        assert p.turn == 10 and p.supply == 2
        p = run(p, "S replacement", 11)
        assert p.supply == 7
        p = run(play(p, "soviet marker su-1-br"), "S replacement", 12)
        assert p.supply == 6


@example("G-28")
def test_G_28_set_up() -> None:
    nations = Counter(unit.nation for unit in UNITS.values())
    forces = Counter(unit.force for unit in UNITS.values())
    assert nations == {
        "Soviet Union": 26,
        "Communist Poland": 2,
        "Bulgaria": 1,
        "Yugoslavia": 4,
        "Romania": 2,
        "United States": 11,
        "Britain": 6,
        "Canada": 2,
        "France": 2,
        "Polish Exiles": 1,
        "West German": 22,
        "East German": 38,
        "Hungary": 2,
    }
    assert forces == {"S": 35, "W": 22, "WG": 22, "EG": 40} and len(UNITS) == 119
    for column_of in ("hist", "rsws"):
        sheet = {row["piece"]: row["place"] for row in rows("setups") if row["setup"] == column_of}
        stacks: dict[str, list[str]] = {}
        for piece, place in sheet.items():
            if place != "courland":
                stacks.setdefault(place, []).append(piece)
        for place, pieces in stacks.items():
            assert place in PLAYABLE
            assert len(pieces) <= 2 and sum(UNITS[u].front for u in pieces) <= 1, place
            assert len({UNITS[u].force for u in pieces}) == 1, place
    p = BOOK.start()
    for piece, place in SHEET.items():
        assert where(p, piece) == ("unplaced" if place == "courland" else place), piece
        assert force(p, piece) == UNITS[piece].force


@example("G-29")
@pytest.mark.parametrize(
    ("entries", "winners"),
    [
        ("", "East German and West German"),
        ("S", "Soviet and West German"),
        ("W", "Western Allied and East German"),
        ("S W", "Soviet"),
        ("W S", "Western Allied"),
    ],
)
def test_G_29_four_player_winners(entries: str, winners: str) -> None:
    """Berlin is entered in this order on turns 8 and up, each time by passing through it."""
    with playing("four_player") as book:
        p = lay("S movement", "su-1-gds-inf 2714, we-5-us 2713, eg-2 0522, wg-63 1301", turn=8)
        for name in entries.split():
            p = run(p, f"{name} movement")
            line = {"S": "soviet move su-1-gds-inf @ 2714 > 2614", "W": "western-allied move we-5-us @ 2713 > 2612"}[name]
            p = play(p, f"{line} via 2613")
        while not book.over(p):
            p = play(p, f"{p.agenda[-1].by[0]} done")
        assert p.turn == 10 and p.result == f"{winners} win{'s' if ' and ' not in winners else ''}"


@example("G-30")
def test_G_30_driven_over_the_line_an_east_german_becomes_west_german() -> None:
    units = "eg-10 2514, su-1-gds-inf 2414, su-2-gds-inf 2515, su-3-gds-inf 2614, we-5-us 2511"
    p = attack(lay("S combat", units), "su-1-gds-inf su-2-gds-inf su-3-gds-inf", "2514", 6)
    assert CRT["5:1", 6] == "DR" and p.agenda[-1].by == ("western-allied",)
    assert legal(p) == {"western-allied retreat eg-10 > 2513"}
    refused(p, "western-allied retreat eg-10 > 2413", "6.2.1.b2")
    refused(p, "western-allied retreat eg-10 > 2613", "5.2.1.p3")
    p = play(p, "western-allied retreat eg-10 > 2513")
    assert force(p, "eg-10") == "WG" and where(p, "eg-10") == "2513"
    p = play(p, "soviet advance su-1-gds-inf > 2514") if step(p) == "advance" else p
    q = lay("S combat", "eg-10 2513, su-1-gds-inf 2514, su-2-gds-inf 2514")
    refused(q, "soviet attack su-1-gds-inf,su-2-gds-inf > 2513", "3.0.a3")
    while phase(p) != "WG movement":
        p = play(p, "soviet done")
    p = play(p, "soviet move eg-10 @ 2513 > 2411", "soviet done")
    assert phase(p) == "WG combat"
    p = attack(p, "eg-10", "2511", 6)
    assert CRT["1:2", 6] == "AE" and where(p, "eg-10") == "box-wg"


@example("G-31")
def test_G_31_berlin_belongs_to_both_theaters() -> None:
    p = lay("S movement", "su-1-gds-inf 2714, eg-2 0522")
    allowed(p, "soviet move su-1-gds-inf @ 2714 > 2514 via 2613", "soviet move su-1-gds-inf @ 2714 > 2613")
    refused(p, "soviet move su-1-gds-inf @ 2714 > 2513 via 2613", "5.2.2.p1")
    p = lay("W movement", "we-5-us 2713, wg-63 1603")
    allowed(p, "western-allied move we-5-us @ 2713 > 2612 via 2613", "western-allied move we-5-us @ 2713 > 2613")
    refused(p, "western-allied move we-5-us @ 2713 > 2614 via 2613", "5.2.2.p1")
    for name, unit, start, by in (("EG", "eg-2", "2614", "western-allied"), ("WG", "wg-63", "2513", "soviet")):
        p = lay(f"{name} movement", f"{unit} {start}, su-1-gds-inf 3026, we-5-us 1603")
        refused(p, f"{by} move {unit} @ {start} > 2613", "5.2.1.p3")
        assert "2613" not in reach(p, unit)


@example("G-32")
def test_G_32_balaton_parts_two_armies() -> None:
    assert SHEET["su-3-ukr"] == "1220" and SHEET["eg-4-pz"] == "1320" and closed("1220", "1320")
    p = lay("S combat", "su-3-ukr 1220, eg-4-pz 1320")
    refused(p, "soviet attack su-3-ukr > 1320", "6.0")
    assert legal(p) == {"soviet done"}
    # Over the lake no ZOC reaches: a unit passes through 1220 beside 1320, and through 1320 beside 1220.
    p = lay("S movement", "su-4-gds-inf 1120, eg-4-pz 1320")
    allowed(p, "soviet move su-4-gds-inf @ 1120 > 1221 via 1220")
    refused(p, "soviet move su-4-gds-inf @ 1120 > 1218 via 1219", "4.0.p2")
    p = lay("EG movement", "su-3-ukr 1220, eg-4-pz 1419")
    allowed(p, "western-allied move eg-4-pz @ 1419 > 1319 via 1320")


@example("G-33")
def test_G_33_soviets_and_west_germans_ignore_each_other() -> None:
    units = "su-1-gds-inf 2514, su-2-gds-inf 2514, wg-63 2513, eg-2 0522"
    refused(lay("S combat", units), "soviet attack su-1-gds-inf,su-2-gds-inf > 2513", "3.0.a3")
    refused(lay("WG combat", units), "soviet attack wg-63 > 2514", "3.0.a6")
    # Both go from hex to hex beside the other.
    assert {"2514", "2613"} <= set(NEAR["2513"]) and {"2513", "2413"} <= set(NEAR["2514"])
    allowed(lay("S movement", units), "soviet move su-1-gds-inf @ 2514 > 2613", "soviet move su-1-gds-inf @ 2514 > 2714 via 2613")
    allowed(lay("WG movement", units), "soviet move wg-63 @ 2513 > 2413", "soviet move wg-63 @ 2513 > 2412 via 2413")


@example("G-33")
def test_G_33_with_four_players_they_fight() -> None:
    units = "su-1-gds-inf 2514, su-2-gds-inf 2514, wg-63 2513, eg-2 0522"
    with playing("four_player"):
        allowed(lay("S combat", units), "soviet attack su-1-gds-inf,su-2-gds-inf > 2513")
        allowed(lay("WG combat", units.replace("wg-63", "wg-1-ss")), "west-german attack wg-1-ss > 2514")
        p = lay("S movement", units)
        refused(p, "soviet move su-1-gds-inf @ 2514 > 2714 via 2613", "4.0.c2")
        refused(lay("WG movement", units), "west-german move wg-63 @ 2513 > 2412 via 2413", "4.0.c2")
    with playing("four_player", "17.3/own-front"):
        refused(lay("S combat", units), "soviet attack su-1-gds-inf,su-2-gds-inf > 2513", "17.3.a")
        refused(lay("WG combat", units.replace("wg-63", "wg-1-ss")), "west-german attack wg-1-ss > 2514", "17.3.a")
        allowed(lay("S movement", units), "soviet move su-1-gds-inf @ 2514 > 2714 via 2613")
        allowed(lay("WG movement", units), "west-german move wg-63 @ 2513 > 2412 via 2413")


@example("G-34")
def test_G_34_out_of_a_zoc_through_a_free_hex() -> None:
    p = lay("S movement", {**START, **COURLAND_AT}, turn=1)
    # Written with a way; without one the move below is found.
    refused(p, "soviet move su-2-balt @ 3723 > 3624 via 3724", "4.0.c2")
    allowed(p, "soviet move su-2-balt @ 3723 > 3724 via 3623")
    assert cost("3723", "3623") + cost("3623", "3724") == 2
    q = play(p, "soviet move su-2-balt @ 3723 > 3623")
    refused(q, "soviet move su-2-balt @ 3623 > 3724", "5.0.p3")


HEAVY = (
    "su-1-br 3526, su-1-gds-inf 3526, su-2-br 3625, su-2-gds-inf 3625, su-3-br 3626, su-3-gds-inf 3626, su-1-ukr 3726, su-4-gds-inf 3726"
)


@example("G-35")
def test_G_35_ratios() -> None:
    # 3725 and 3724 are both beside 3624 and 3824 (all clear, no rivers).
    nineteen = "eg-49-geb 3724, eg-9-ss 3724, eg-10 3725, eg-4-pz 3725"  # 7 + 6 + 4 + 2
    p = lay("S combat", f"{nineteen}, su-1-br 3624, su-1-gds-inf 3624, su-1-pol 3824")
    assert column(p, "su-1-br su-1-gds-inf su-1-pol", "3724 3725") == "1:2"  # 18 : 19
    p = lay("S combat", "eg-49-geb 3724, eg-9-ss 3724, eg-9 3725, su-1-gds-tk 3624, su-1-pol 3824")
    assert column(p, "su-1-gds-tk su-1-pol", "3724 3725") == "1:2"  # 9 : 18
    p = lay("S combat", f"{nineteen}, su-1-gds-tk 3624, su-1-pol 3824")
    assert column(p, "su-1-gds-tk su-1-pol", "3724 3725") == "1:3"  # 9 : 19
    # 7 + 6 + 6 + 5 + 5 + 2 = 31 in three hexes around 3624.
    thirty = "eg-49-geb 3724, eg-9-ss 3724, eg-26 3725, eg-9 3725, eg-68 3625, eg-4-pz 3625"
    p = lay("S combat", f"{thirty}, su-1-gds-inf 3624, su-1-pol 3624")
    refused(p, "soviet attack su-1-gds-inf,su-1-pol > 3724,3725,3625", "6.1.p2")
    p = lay("S combat", f"{thirty}, su-1-gds-inf 3624, su-2-gds-inf 3624")
    allowed(p, "soviet attack su-1-gds-inf,su-2-gds-inf > 3724,3725,3625")  # 14 : 31
    p = lay("S combat", "eg-49-geb 3725, su-1-gds-inf 3726")
    assert column(p, "su-1-gds-inf", "3725") == "1:1"  # 7 : 7
    p = lay("S combat", HEAVY.replace("3526", "3724").replace("3626", "3824") + ", eg-49-geb 3725")
    units = "su-1-br su-1-gds-inf su-2-br su-2-gds-inf su-3-br su-3-gds-inf su-1-ukr su-4-gds-inf"
    assert column(p, units, "3725") == "6:1"  # 60 : 7


@example("G-36")
def test_G_36_one_attack_on_two_hexes_behind_the_vistula() -> None:
    assert (SHEET["su-1-br"], SHEET["su-2-tk"], SHEET["eg-8"], SHEET["eg-20"], SHEET["eg-23"]) == ("2624", "2624", "2525", "2623", "2623")
    p = lay("S combat", {**START, **COURLAND_AT}, turn=1)
    assert column(p, "su-1-br su-2-tk", "2525 2623") == "1:2"
    refused(p, "soviet attack su-1-br,su-2-tk,su-1-pol > 2525,2623", "6.3.e")
    p = play(p, "soviet target > 2525", "soviet target > 2623", "soviet join su-1-br")
    refused(p, "soviet join su-1-pol", "6.3.e")


@example("G-37")
def test_G_37_the_vistula_counts_only_if_all_cross_it() -> None:
    # 3-3-4 in 2525; 18 points.
    p = lay("S combat", "eg-72 2525, su-1-gds-inf 2425, su-1-br 2526, su-1-pol 2624")
    assert column(p, "su-1-gds-inf su-1-br su-1-pol", "2525") == "3:1"
    p = lay("S combat", "eg-72 2525, su-1-gds-inf 2425, su-1-br 2526, su-1-pol 2424")
    assert column(p, "su-1-gds-inf su-1-br su-1-pol", "2525") == "6:1"


@example("G-38")
def test_G_38_three_effects_quadruple() -> None:
    p = lay("W combat", "wg-58-pz 1905, we-5-us 1904, we-20-us 1904, we-7-us 2004, we-6-us 2004")
    assert column(p, "we-5-us we-20-us we-7-us we-6-us", "1905") == "2:1"


@example("G-38")
def test_G_38_with_the_switch_three_effects_multiply_by_five() -> None:
    with playing("historical", "6.4/three-effects"):
        p = lay("W combat", "wg-58-pz 1905, we-5-us 1904, we-20-us 1904, we-7-us 2004, we-6-us 2004")
        assert column(p, "we-5-us we-20-us we-7-us we-6-us", "1905") == "1:1"
        # Two effects are three as ever.
        p = lay("W combat", "wg-63 2105, wg-64 2105, we-5-us 2004, we-2-us 2104, we-7-us 2204")
        assert column(p, US, "2105") == "1:1"


@example("G-39")
@pytest.mark.parametrize(
    ("unit", "place", "strength", "points"),
    [
        ("wg-1-ss", "2511", 4, 4),
        ("eg-3-ss", "2515", 4, 4),
        ("eg-9-ss", "2515", 2, 2),
        ("eg-15-ss", "2515", 1, 3),
        ("wg-13-ss", "2511", 3, 3),
    ],
)
def test_G_39_halved_ss(unit: str, place: str, strength: int, points: int) -> None:
    with playing("expanded", "13.2"):
        p = fallen("W movement", f"{unit} {place}, su-1-gds-inf 1223, we-5-us 0601")
        assert force(p, unit) == "W"
        # Berlin stays barred (5.2.1.p3, R-G98); the line does not.
        assert reach(p, unit) == within(place, points) - {"2613"}
        # Attack strength against 4, 5 and 7 defence points in the clear, no river between.
        gate = {"2511": "2510", "2515": "2514"}[place]
        assert HEXES[gate]["terrain"] == "clear" and gate in NEAR[place]
        for foe, defence in (("su-1-gds-tk", 4), ("su-1-bul", 5), ("su-2-gds-inf", 7)):
            q = fallen("W combat", f"{unit} {place}, {foe} {gate}, we-20-us 2003, su-4-tk 2004, we-5-us 0601, su-1-gds-inf 1223")
            if strength * 3 < defence:
                refused(q, f"western-allied attack {unit} > {gate}", "6.1.p2")
            else:
                assert column(q, unit, gate) == f"1:{-(-defence // strength)}"


@example("G-39")
def test_G_39_an_exchange_with_halved_ss_is_paid_with_printed_strengths() -> None:
    # 4 + 7 against the 7-7-4: 1:1. The 8-6-8 alone pays for it.
    with playing("expanded", "13.2"):
        p = fallen("W combat", "wg-1-ss 2511, we-5-us 2511, su-1-gds-inf 2510, su-2-gds-inf 1223")
        assert CRT["1:1", 1] == "EX"
        p = attack(p, "wg-1-ss we-5-us", "2510", 1)
        assert where(p, "su-1-gds-inf") == "box-s" and step(p) == "lose"
        paid = play(p, "western-allied lose wg-1-ss")
        allowed(paid, "western-allied done")
        assert where(paid, "wg-1-ss") == "out"


@example("G-40")
def test_G_40_two_units_of_a_stack_split() -> None:
    # 15 against 4 + 2 in 3725: 2:1, die 4 DR. 3624, 3724 and 3824 lie outside the ZOC of 3726.
    units = "su-1-br 3726, su-1-gds-inf 3726, eg-10 3725, eg-4-pz 3725"
    p = lay("S combat", units + ", eg-6 3624, eg-8 3624")
    p = attack(p, "su-1-br su-1-gds-inf", "3725", 4)
    assert CRT["2:1", 4] == "DR"
    p = play(p, "western-allied retreat eg-4-pz > 3724")
    assert legal(p) == {"western-allied retreat eg-10 > 3824"}
    refused(p, "western-allied retreat eg-10 > 3724", "6.2.1.a1")
    # One vacant hex, one with one friend.
    p = lay("S combat", units + ", eg-6 3624, eg-8 3624, eg-9 3824")
    p = attack(p, "su-1-br su-1-gds-inf", "3725", 4)
    assert legal(p) == {"western-allied retreat eg-4-pz > 3724", "western-allied retreat eg-10 > 3724"}
    p = play(p, "western-allied retreat eg-10 > 3724")
    assert legal(p) == {"western-allied retreat eg-4-pz > 3724", "western-allied retreat eg-4-pz > 3824"}


@example("G-41")
def test_G_41_yugoslavs_and_romanians_attack_together() -> None:
    # 1122, over the Drava and the Danube; 5 + 6 ... : 5 + 5 + 3 = 13 against 3.
    p = lay("S combat", "su-1-yug 1021, su-2-yug 1022, su-1-rom 1123, eg-72 1122")
    assert column(p, "su-1-yug su-2-yug su-1-rom", "1122") == "2:1"
    p = lay("S combat", "su-1-yug 1021, su-2-yug 1022, su-1-rom 1123, su-4-rom 1123, eg-4-pz 1122")
    assert column(p, "su-1-yug su-2-yug su-1-rom su-4-rom", "1122") == "4:1"  # 16 against 2 x 2
    p = attack(p, "su-1-yug su-2-yug su-1-rom su-4-rom", "1122", 1)
    assert step(p) == "advance" and legal(p) == {"soviet advance su-1-rom > 1122", "soviet advance su-4-rom > 1122", "soviet done"}
    refused(p, "soviet advance su-1-yug > 1122", "5.3.1.p3")


@example("G-42")
def test_G_42_a_replacement_in_an_enemy_zoc_stands_still() -> None:
    p = lay("WG replacement", "wg-63 box-wg, we-4-us 2412, we-5-us 1603", turn=4)
    p = play(p, "soviet replace wg-63 > 2513")
    assert members(p.locked) == {"wg-63"}
    p = play(p, "soviet done") if phase(p) == "WG replacement" else p
    assert phase(p) != "WG movement" or not reach(p, "wg-63")
    # The enemy has gone: still no move; but an attack.
    p = lay("WG movement", "wg-63 2513, wg-64 2712, we-4-us 2410", turn=4, locked="wg-63")
    refused(p, "soviet move wg-63 @ 2513 > 2512", "7.2.f")
    allowed(p, "soviet move wg-64 @ 2712 > 2711")
    p = lay("WG combat", "wg-1-ss 2513, we-4-us 2412", turn=4, locked="wg-1-ss")
    allowed(p, "soviet attack wg-1-ss > 2412")


@example("G-43")
def test_G_43_blocked_replacements_go_to_the_other_theater() -> None:
    west = "we-5-us 2513, we-2-us 2612, we-4-us 2713"
    p = lay("WG replacement", f"wg-63 box-wg, {west}", turn=4)
    assert {text for text in legal(p) if "replace" in text} == {f"soviet replace wg-63 > {h}" for h in ("2514", "2614", "2714")}
    p = play(p, "soviet replace wg-63 > 2614")
    assert force(p, "wg-63") == "EG"
    while phase(p) != "EG movement":
        p = play(p, f"{p.agenda[-1].by[0]} done")
    assert p.turn == 4 and max(apart("2614", h) for h in reach(p, "wg-63")) > UNITS["wg-63"].move
    # The third full of Germans: neither here nor there.
    p = lay("WG replacement", "wg-63 box-wg, we-5-us 2513, we-2-us 2612, wg-64 2713, wg-65 2713", turn=4)
    assert not any("replace" in text for text in legal(p))
    refused(p, "soviet replace wg-63 > 2713", "7.2.e4")
    refused(p, "soviet replace wg-63 > 2614", "7.2.d1")
    # All six enemy-held: lost.
    east = "su-1-gds-inf 2514, su-2-gds-inf 2614, su-3-gds-inf 2714"
    p = lay("WG replacement", f"wg-63 box-wg, {west}, {east}", turn=4)
    assert not any("replace" in text for text in legal(p))
    refused(p, "soviet replace wg-63 > 2614", "7.2.d2")
    assert where(p, "wg-63") == "box-wg"


@example("G-44")
def test_G_44_the_soviet_box_gives_the_weakest_first() -> None:
    p = lay("S replacement", "su-1-yug box-s, su-1-bul box-s, su-1-rom box-s, su-2-tk box-s", turn=4)
    assert {text.split()[2] for text in legal(p) if "replace" in text} == {"su-1-bul"}
    refused(p, "soviet replace su-1-rom > 2526", "7.2.a1")
    refused(p, "soviet replace su-1-yug > 2526", "7.1.b2")
    p = play(p, "soviet replace su-1-bul > 2526")
    assert {text.split()[2] for text in legal(p) if "replace" in text} == {"su-1-rom"}
    p = lay("S replacement", "su-1-yug box-s, su-2-tk box-s", turn=4)
    assert {text.split()[2] for text in legal(p) if "replace" in text} == {"su-2-tk"}


@example("G-45")
def test_G_45_whom_an_exit_takes_from_the_set_up() -> None:
    def picks(p: Pos) -> set[str]:
        return {text.split()[-1] for text in legal(p)} - {"done"}

    p = lay("WG movement", {**START, **COURLAND_AT, "wg-1-ss": "2101"}, turn=2)
    p = play(p, "soviet exit wg-1-ss @ 2101 > 2101")
    assert picks(p) == {"we-5-us", "we-7-us", "we-12-br", "we-8-br", "we-30-br", "we-1-br", "we-2-cn"}
    p = lay("EG movement", {**START, **COURLAND_AT, "eg-24-pz": "0926"}, turn=2)
    p = play(p, "western-allied exit eg-24-pz @ 0926 > 0926")
    p = play(p, "western-allied take su-1-yug")
    assert picks(p) == {"su-1-rom", "su-3-yug"}
    p = lay("WG movement", {**START, **COURLAND_AT, "wg-1-ss": "0112"}, turn=2)
    p = play(p, "soviet exit wg-1-ss @ 0112 > 0112")
    assert picks(p) == {"we-2-us", "we-4-us", "we-13-br", "we-2-pol"}


@example("G-46")
def test_G_46_when_a_front_becomes_a_garrison() -> None:
    p = lay("S movement", "su-1-br 2724, su-2-br 2823, eg-2 0522")
    passing = play(p, "soviet move su-2-br @ 2823 > 2722 via 2822")
    assert not passing.garrison
    through = play(lay("S movement", "su-1-br 2622, eg-2 0522"), "soviet move su-1-br @ 2622 > 2722 via 2723", "soviet done")
    assert not through.garrison
    stays = play(lay("S movement", "su-1-br 2622, eg-2 2218"), "soviet move su-1-br @ 2622 > 2723", "soviet done")
    assert members(stays.garrison) == {"su-1-br"}
    later = lay("S movement", "su-1-br 2723, su-1-gds-inf 2723, eg-2 2218")
    refused(later, "soviet move su-1-br @ 2723 > 2722", "10.0.a1")
    allowed(later, "soviet move su-1-gds-inf @ 2723 > 2722")
    # Advance into it: 8 against 2 in 2723 over no river, die 1 DE.
    p = attack(lay("S combat", "su-1-br 2622, su-1-gds-inf 2622, eg-4-pz 2723"), "su-1-br su-1-gds-inf", "2723", 1)
    p = play(p, "soviet advance su-1-br > 2723")
    assert members(p.garrison) == {"su-1-br"}
    # Retreat into it: its own AR, 8 against 6 in 2621.
    p = attack(lay("S combat", "su-1-br 2622, eg-26 2621"), "su-1-br", "2621", 4)
    assert CRT["1:1", 4] == "AR"
    p = play(p, "soviet retreat su-1-br > 2723")
    assert members(p.garrison) == {"su-1-br"}


@example("G-47")
def test_G_47_posen_changes_hands_by_passing() -> None:
    p = lay("S movement", "su-1-gds-inf 2720, eg-2 2616, wg-63 1603")
    assert holder(p, "2618") == "G"
    # 2720-2719-2718 passes beside Posen and goes on to 2817.
    p = play(p, "soviet move su-1-gds-inf @ 2720 > 2620 via 2719,2619")
    assert holder(p, "2618") == "S"
    while phase(p) != "EG movement":
        p = play(p, f"{p.agenda[-1].by[0]} done")
    q = play(p, "western-allied move eg-2 @ 2616 > 2516 via 2617,2517")
    assert holder(q, "2618") == "G"
    # Both stay beside it: the last comer holds; when one leaves, the other.
    stays = lay("S movement", "su-1-gds-inf 2620, eg-2 2616, wg-63 1603")
    stays = play(stays, "soviet move su-1-gds-inf @ 2620 > 2619")
    assert holder(stays, "2618") == "S"
    while phase(stays) != "EG movement":
        stays = play(stays, f"{stays.agenda[-1].by[0]} done")
    both = play(stays, "western-allied move eg-2 @ 2616 > 2617")
    assert holder(both, "2618") == "G"
    while phase(both) != "S movement":
        both = play(both, f"{both.agenda[-1].by[0]} done")
    assert holder(play(both, "soviet move su-1-gds-inf @ 2619 > 2520"), "2618") == "G"
    # The German leaves instead.
    while phase(both) != "EG movement":
        both = play(both, f"{both.agenda[-1].by[0]} done")
    assert holder(play(both, "western-allied move eg-2 @ 2617 > 2616"), "2618") == "S"


@example("G-48")
def test_G_48_lake_sides_and_the_line() -> None:
    p = play(lay("W movement", "we-4-us 2604, wg-63 1603"), "western-allied move we-4-us @ 2604 > 2603")
    assert holder(p, "2602") == "G"
    assert holder(lay("W movement", "we-4-us 2603, wg-63 1603"), "2602") == "G"
    p = play(lay("S movement", "su-1-gds-inf 1715, eg-2 0522"), "soviet move su-1-gds-inf @ 1715 > 1615")
    assert holder(p, "1515") == "S"
    assert holder(lay("S movement", "su-1-gds-inf 1615, eg-2 0522"), "1515") == "S"


@example("G-49")
def test_G_49_control_at_the_start() -> None:
    control = {row["hex"]: row["hist"] for row in rows("city_control")}
    assert set(control.values()) == {"german"} and set(control) == set(CITIES)
    p = BOOK.start()
    for piece, place in COURLAND_AT.items():
        p = play(p, f"western-allied setup {piece} > {place}")
    assert {holder(p, city) for city in CITIES} == {"G"}
    # Nobody in or beside Libau: 2 Balt's ZOC takes it.
    p = BOOK.start()
    for piece, place in {"eg-10": "3824", "eg-3-ss": "3824", "eg-2": "3924", "eg-16": "3924"}.items():
        p = play(p, f"western-allied setup {piece} > {place}")
    assert {city for city in CITIES if holder(p, city) != "G"} == {"3822"} and holder(p, "3822") == "S"


@example("G-49")
def test_G_49_control_at_the_start_of_red_star_white_star() -> None:
    sheet = {row["piece"]: row["place"] for row in rows("setups") if row["setup"] == "rsws"}
    at: dict[str, set[str]] = {}
    for piece, place in sheet.items():
        at.setdefault(place, set()).add(UNITS[piece].force)
    with playing("rsws") as book:
        p = book.start()
        control = {row["hex"]: row["rsws"] for row in rows("city_control")}
        assert {city: "S" if HEXES[city]["theater"] in {"east", "both"} else "W" for city in CITIES} == control
        p = play(p, "chance roll turn11 6")
        for city, side in control.items():
            beside = {name for near in JOINED[city] for name in at.get(near, ())}
            (expected,) = at.get(city) or (beside if len(beside) == 1 else {side})
            assert holder(p, city) == expected, city
        assert holder(p, "2015") == "S" and "2015" not in at  # Prague


@example("G-50")
def test_G_50_triple_movement() -> None:
    with playing("three_player"):
        units = "eg-2 2620, eg-6 2619, eg-8 2719, su-4-gds-inf 0324, we-4-us 1301"
        p = lay("G movement", units)
        assert UNITS["eg-2"].move == 4
        near, far = within("2620", 4), within("2620", 12)
        assert reach(p, "eg-2") == far and "2609" not in near
        assert sum(cost(a, b) for a, b in itertools.pairwise(f"26{c:02}" for c in range(20, 8, -1))) > 12
        goal = max(far - near, key=lambda h: (apart("2620", h), h))
        q = play(p, f"german move eg-2 @ 2620 > {goal}")
        # Once a phase: others move as printed.
        assert reach(q, "eg-6") == within("2619", 4)
        refused(q, f"german move eg-6 @ 2619 > {goal}", "16.3.b1")
        # An ordinary move does not use it up.
        q = play(p, "german move eg-6 @ 2619 > 2618")
        assert reach(q, "eg-2") == far


@example("G-50")
def test_G_50_a_tripled_unit_keeps_away_from_enemy_zocs() -> None:
    with playing("three_player"):
        units = "eg-2 2620, su-4-gds-inf 2615, we-4-us 1301"
        p = lay("G movement", units)
        ring = set(JOINED["2615"])
        assert {"2616"} <= ring and "2616" in within("2620", 12) - within("2620", 4)
        assert not reach(p, "eg-2") & ring and "2617" in reach(p, "eg-2")
        refused(p, "german move eg-2 @ 2620 > 2616", "16.3.b2")
        # Within its own allowance it may enter a ZOC.
        near = lay("G movement", units.replace("2615", "2617"))
        allowed(near, "german move eg-2 @ 2620 > 2618 via 2619")
        # It does not start in one either.
        stuck = lay("G movement", units.replace("2615", "2720"))
        assert reach(stuck, "eg-2") <= within("2620", 4)


@example("G-51")
def test_G_51_supply_range() -> None:
    assert (apart("3723", "3725"), apart("3723", "3825"), apart("3723", "3824")) == (2, 3, 2)
    assert apart("3723", "3926") == 4
    with playing("historical", "18.1"):
        units = "su-2-balt 3723, su-3-balt 3725, su-1-gds-inf 3825, su-2-gds-inf 3724, su-3-gds-inf 3926, su-1-pol 3724, su-1-rom 3623"
        p = lay("S replacement", units + ", eg-2 2223", turn=3)
        p = run(play(p, "soviet marker su-2-balt"), "S second_movement")
        served = {"su-2-balt", "su-3-balt", "su-1-gds-inf", "su-2-gds-inf"}
        assert members(p.eligible) == served
        assert {text.split()[2] for text in legal(p) if " move " in text} == served
        for unit, place in (("su-1-pol", "3724"), ("su-1-rom", "3623"), ("su-3-gds-inf", "3926")):
            near = sorted(set(JOINED[place]) & PLAYABLE)[0]
            refused(p, f"soviet move {unit} @ {place} > {near}", "18.1.p7")


@example("G-52")
def test_G_52_the_compulsory_attacks_of_turn_1() -> None:
    units = "wg-1-ss 2005, wg-2-ss 2005, wg-65 1905, we-7-us 2004, we-6-us 1904, eg-2 0522"
    p = lay("WG combat", units, turn=1)
    refused(p, "soviet done", "12.2.a")
    one = _through(attack(p, "wg-1-ss", "2004", 2))
    refused(one, "soviet done", "12.2.a")
    # Two attacks on one hex by different units are two: 8 against 20 is no attack, 8 against 8 stays after AR.
    both = lay("WG combat", "wg-1-ss 2005, wg-2-ss 1905, wg-65 1805, we-6-us 2004, we-8-us 1804, eg-2 0522", turn=1)
    once = _through(attack(both, "wg-1-ss", "2004", 4))
    assert where(once, "we-6-us") == "2004"
    refused(once, "soviet done", "12.2.a")
    twice = _through(attack(once, "wg-2-ss", "2004", 4))
    assert phase(twice) != "WG combat" or check(twice, "soviet done").legal


@example("G-52")
def test_G_52_one_attack_on_two_hexes_is_one() -> None:
    # 1905 is beside 1904 and 2004.
    units = "wg-1-ss 1905, wg-2-ss 1905, wg-58-pz 1805, we-6-us 1904, we-8-us 2004, we-4-us 1804, eg-2 0522"
    p = lay("WG combat", units, turn=1)
    assert {"1904", "2004"} <= set(NEAR["1905"])
    p = _through(attack(p, "wg-1-ss wg-2-ss", "1904 2004", 3))
    assert p.mandated[0] == 1 and phase(p) == "WG combat"
    refused(p, "soviet done", "12.2.a")


@example("G-52")
def test_G_52_west_germans_may_not_walk_away_from_it() -> None:
    units = "wg-1-ss 2005, wg-2-ss 1905, we-7-us 2004, we-6-us 1904, eg-2 0522"
    p = lay("WG movement", units, turn=1, mandated=(0, 2))
    allowed(p, "soviet done")
    q = play(p, "soviet move wg-1-ss @ 2005 > 2107")
    refused(q, "soviet done", "12.2.a")


def _through(p: Pos) -> Pos:
    """Retreats and advances answered with the first choice, until the next attack."""
    while step(p) in {"retreat", "advance", "lose"}:
        lines = sorted(legal(p))
        p = play(p, lines[-1] if step(p) != "advance" else f"{p.agenda[-1].by[0]} done")
    return p


@example("G-53")
def test_G_53_collapse_over_the_line() -> None:
    units = "eg-10 2514, su-1-gds-inf 2414, su-2-gds-inf 2515, su-3-gds-inf 2614, eg-9 0522"
    with playing("collapse"):
        p = attack(lay("S combat", units), "su-1-gds-inf su-2-gds-inf su-3-gds-inf", "2514", 6)
        assert legal(p) == {"western-allied retreat eg-10 > 2513"}
        p = play(p, "western-allied retreat eg-10 > 2513")
        assert force(p, "eg-10") == "EG" and p.agenda[-1].by == ("soviet",)
        allowed(p, "soviet advance su-1-gds-inf > 2514")
        allowed(lay("S combat", "su-1-gds-inf 2514, eg-10 2513"), "soviet attack su-1-gds-inf > 2513")
        refused(lay("S movement", "su-1-gds-inf 2514, eg-2 0522"), "soviet move su-1-gds-inf @ 2514 > 2513", "14.0.p3")
        # It has its next own Movement Phase to come back in.
        p = run(play(p, "soviet done"), "EG movement")
        assert where(p, "eg-10") == "2513"
        stays = play(p, "western-allied done")
        assert where(stays, "eg-10") == "box-eg"
    with playing("collapse"):
        p = lay("EG movement", "eg-10 2513, eg-9 0522, su-1-gds-inf 3026")
        home = play(p, "western-allied move eg-10 @ 2513 > 2514", "western-allied done")
        assert where(home, "eg-10") == "2514"


@example("G-54")
def test_G_54_a_soviet_unit_thrown_over_the_line_must_come_back() -> None:
    # EG attack 2514 (7-7-4): 2515, 2614 and 2414 German, so 2513 and Berlin remain; Berlin is held by the West.
    units = "su-1-gds-inf 2514, eg-24-pz 2515, eg-39-pz 2614, eg-gd-pz 2414, we-5-us 2613, su-2-gds-inf 3026"
    p = attack(lay("EG combat", units, turn=5), "eg-24-pz eg-39-pz eg-gd-pz", "2514", 3)
    assert CRT["3:1", 3] == "DR"
    assert "soviet retreat su-1-gds-inf > 2513" in legal(p)
    p = play(p, "soviet retreat su-1-gds-inf > 2513")
    p = _through(p)
    while phase(p) != "S movement":
        p = play(p, f"{p.agenda[-1].by[0]} done")
    assert p.turn == 6 and where(p, "su-1-gds-inf") == "2513"
    p = play(p, "soviet done")
    assert where(p, "su-1-gds-inf") == "box-s"


@example("G-55")
def test_G_55_three_units_on_the_way_are_no_offence() -> None:
    p = lay("S movement", "su-1-gds-inf 2618, su-2-gds-inf 2618, su-3-gds-inf 2620, su-4-gds-inf 2619, eg-2 0522")
    through = play(p, "soviet move su-3-gds-inf @ 2620 > 2518 via 2619,2618")
    allowed(through, "soviet done")
    rests = play(p, "soviet move su-4-gds-inf @ 2619 > 2618")
    refused(rests, "soviet done", "5.1.p1")
    left = play(rests, "soviet move su-1-gds-inf @ 2618 > 2718")
    allowed(left, "soviet done")


@example("G-56")
def test_G_56_germans_leave_after_berlin_falls() -> None:
    with playing("expanded"):
        units = "su-1-gds-inf 2714, eg-2 0522, wg-63 2512, wg-1-ss 2410, eg-8 box-eg, we-5-us 2411, we-4-us 2411, su-2-gds-inf 2414"
        p = lay("S movement", units, turn=8)
        p = play(p, "soviet move su-1-gds-inf @ 2714 > 2613", "soviet done")
        assert phase(p) == "WG movement"
        p = play(p, "soviet move wg-63 @ 2512 > 2612", "soviet done")
        assert phase(p) == "WG combat"
        p = play(p, "soviet done")
        assert phase(p) == "W movement" and {where(p, u) for u in ("wg-63", "eg-2", "eg-8")} == {"out"}
        p = play(p, "western-allied move we-5-us @ 2411 > 2413 via 2412", "western-allied done")
        assert phase(p) == "W combat"
        p = play(p, "western-allied target > 2414", "western-allied join we-5-us", "western-allied done", "chance roll combat 3")
        p = answered(p)
        p = play(p, "western-allied done") if phase(p) == "W combat" else p
        assert (phase(p), p.turn) == ("S movement", 9)
