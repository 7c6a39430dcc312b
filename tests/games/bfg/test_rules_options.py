"""12.3, the optional rules of 18.0 but supply, and the switches of our rulings."""

from __future__ import annotations

import pytest

import referee
from gamebox.load import load_box
from referee.games.battle_for_germany.terms import compile_terms
from referee.games.battle_for_germany.terms import options as known
from referee.rules.options import UsageError, apply_options
from tests.games.bfg.facts import BERLIN, CRT, HEXES, JOINED, RATES, river, rows
from tests.games.bfg.layout import (
    allowed,
    answered,
    attack,
    by,
    check,
    cited,
    fallen,
    force,
    lay,
    legal,
    members,
    on,
    owed,
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

FAR = "su-4-gds-inf 0324, we-6-us 0601, eg-2 0522, wg-64 1512"


@rule("18.0")
@ruling("R-G19")
@ruling("R-G117")
def test_options_are_named_after_their_section_and_belong_to_scenarios() -> None:
    table = {row["option"]: row for row in rows("options")}
    assert {"12.3", "13.2", "18.1", "18/5.3", "18/6.3", "18/8.0", "18/12.2"} == {o for o, row in table.items() if row["kind"] == "option"}
    box = load_box("battle-for-germany")
    for scenario in (row["scenario"] for row in rows("scenarios")):
        terms = compile_terms(box, scenario)
        for name, row in table.items():
            wanted = frozenset((name, *filter(None, row["needs"].split(";"))))
            if scenario in row["scenarios"].split(";"):
                assert apply_options(terms, wanted, known(box), scenario) != terms, (scenario, name)
            else:
                with pytest.raises(UsageError):
                    apply_options(terms, wanted, known(box), scenario)
    with pytest.raises(UsageError):
        referee.load("battle-for-germany", "historical", options=("5.3",))


@ruling("R-G117")
@rule("18.0")
@pytest.mark.parametrize(
    ("scenario", "options"),
    [
        ("historical", ("12.3", "18/12.2")),
        ("expanded", ("12.3", "18/12.2")),
        ("rsws", ("18/8.0",)),
        ("collapse", ("18/5.3",)),
        ("collapse", ("12.3",)),
        ("three_player", ("18/12.2",)),
        ("four_player", ("12.3",)),
        ("historical", ("13.1/race",)),
        ("rsws", ("13.2",)),
        ("expanded", ("13.2", "13.1/race")),
        ("historical", ("17.3/own-front",)),
    ],
)
def test_senseless_combinations_are_refused(scenario: str, options: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        referee.load("battle-for-germany", scenario, options=options)


# ---------------------------------------------------------------------------------------------------------------------------
# 12.3


BOXES = "wg-73 box-wg, wg-63 box-wg, wg-1-ss box-wg, eg-17 box-eg, eg-1-hun box-eg, eg-24-pz box-eg"


@rule("12.3.p2")
@ruling("R-G71")
def test_under_concentration_no_attack_is_owed() -> None:
    units = "wg-1-ss 2005, wg-2-ss 1905, we-7-us 2004, we-6-us 1904, eg-2 0522"
    for scenario in ("historical", "expanded"):
        with playing(scenario, "12.3"):
            assert owed(lay("WG combat", units, turn=1)) == {}
            p = play(lay("WG movement", units, turn=1), "soviet move wg-1-ss @ 2005 > 2107", "soviet done")
            assert phase(p) in {"WG combat", "W movement"}
        with playing(scenario):
            assert "12.2.a" in {x for paras in owed(lay("WG combat", units, turn=1)).values() for x in paras}


@rule("12.3.p3")
@ruling("R-G71")
def test_under_concentration_the_east_germans_take_both_rates_from_both_boxes() -> None:
    with playing("historical", "12.3"):
        p = lay("EG replacement", f"{BOXES}, {FAR}", turn=4)
        assert p.rates[0] == RATES[4, "east_german"] + RATES[4, "west_german"]
        east = ("2514", "2614", "2714")
        # Weakest of the one pile: 1-3-4 and 1-2-4; the Hungarian never.
        assert legal(p) == {f"western-allied replace {u} > {h}" for u in ("wg-73", "eg-17") for h in east} | {"western-allied done"}
        refused(p, "western-allied replace wg-73 > 2513", "7.2.d1")
        p = play(p, "western-allied replace wg-73 > 2514")
        assert force(p, "wg-73") == "EG"
        p = play(p, "western-allied replace eg-17 > 2514", "western-allied replace wg-63 > 2614")
        assert where(p, "wg-1-ss") == "box-wg"
        # With its phases, doubled, as an East German in everything.
        p = run(p, "EG movement", 4)
        assert reach(p, "wg-73") <= within("2514", 8) and reach(p, "wg-73") - within("2514", 4)
        assert members(p.doubled) == {"wg-73", "eg-17", "wg-63"}
        p = attack(lay("S combat", "wg-63 2514, su-1-gds-inf 2515, su-1-br 2515, we-6-us 0601"), "su-1-gds-inf su-1-br", "2514", 1)
        assert where(p, "wg-63") == "box-eg"


@rule("12.3.p3")
@ruling("R-G71")
def test_under_concentration_the_west_germans_receive_nothing() -> None:
    with playing("historical", "12.3"):
        p = lay("WG replacement", f"{BOXES}, {FAR}", turn=4)
        assert legal(p) == {"soviet done"}
        assert told(p, "soviet replace wg-73 > 2513")["all-go-east"] == ("12.3.p3",)
        p = run(lay("S combat", f"{BOXES}, {FAR}", turn=4), "WG movement", 4)
        assert where(p, "wg-73") == "box-wg"


@rule("12.3.p3")
@rule("7.2.d1")
@ruling("R-G71")
@ruling("R-G67")
def test_under_concentration_a_blocked_replacement_goes_west_by_the_ordinary_rule() -> None:
    with playing("historical", "12.3"):
        ring = "su-1-gds-inf 2514, su-2-gds-inf 2614, su-3-gds-inf 2714"
        p = lay("EG replacement", f"eg-17 box-eg, {ring}, we-6-us 0601", turn=4)
        p = play(p, "western-allied replace eg-17 > 2612")
        assert force(p, "eg-17") == "WG"


@rule("12.3.p3")
@ruling("R-G71")
def test_by_the_switch_only_the_east_german_box_is_drawn_on() -> None:
    with playing("historical", "12.3", "12.3/east-box"):
        p = lay("EG replacement", f"{BOXES}, {FAR}", turn=4)
        assert p.rates[0] == RATES[4, "east_german"] + RATES[4, "west_german"]
        assert {text.split()[2] for text in legal(p) if "replace" in text} == {"eg-17"}
        p = play(p, "western-allied replace eg-17 > 2514")
        assert {text.split()[2] for text in legal(p) if "replace" in text} == {"eg-24-pz"}
        assert told(p, "western-allied replace wg-73 > 2514")
        assert legal(lay("WG replacement", f"{BOXES}, {FAR}", turn=4)) == {"soviet done"}


# ---------------------------------------------------------------------------------------------------------------------------
# 18/5.3: Western groups


EMPTY = "wg-64 1512, su-4-gds-inf 0324, eg-2 0522"


@rule("18/5.3.a")
@rule("18/5.3.b")
@ruling("R-G116")
def test_within_a_group_any_two_stack_and_stacks_of_one_group_are_not_counted() -> None:
    units = "we-1-br 2001, we-1-cn 2001, we-2-pol 1901, we-8-br 1901, we-5-br 1801, we-12-br 1801, "
    units += "we-5-us 1704, we-1-fr 1704, we-7-us 1604, we-2-fr 1604, we-2-us 1505, we-4-us 1505, "
    with playing("historical", "18/5.3"):
        allowed(lay("W movement", units + EMPTY), "western-allied done")


@rule("18/5.3.c")
@ruling("R-G116")
def test_one_stack_of_both_groups_is_allowed_on_each_western_front() -> None:
    france = ("we-1-br 2001, we-5-us 2001", "we-1-cn 1901, we-1-fr 1901")
    italy = ("we-2-pol 0510, we-2-fr 0510", "we-5-br 0611, we-7-us 0611")
    with playing("historical", "18/5.3"):
        for one in france:
            for two in (*italy, EMPTY):
                allowed(lay("W movement", f"{one}, {two}, {EMPTY}"), "western-allied done")
        for pair in (france, italy):
            p = lay("W movement", f"{', '.join(pair)}, {EMPTY}")
            assert owed(p) == {"mixed-stacks": ("18/5.3.c",)}
            refused(p, "western-allied done", "18/5.3.c")
    allowed(lay("W movement", f"{', '.join(france)}, {EMPTY}"), "western-allied done")


@rule("18/5.3.c")
@ruling("R-G116")
@ruling("R-G33")
def test_mixed_stacks_are_judged_when_the_phase_ends_and_moving_through_is_free() -> None:
    with playing("historical", "18/5.3"):
        p = lay("W movement", f"we-1-br 2001, we-5-us 2001, we-1-cn 2003, we-7-us 2002, {EMPTY}")
        p = play(p, "western-allied move we-7-us @ 2002 > 2003")
        refused(p, "western-allied done", "18/5.3.c")
        p = play(p, "western-allied move we-5-us @ 2001 > 1901")
        allowed(p, "western-allied done")


@rule("18/5.3.c")
@rule("5.1.p1")
@ruling("R-G116")
def test_two_a_hex_is_the_limit_in_a_group_too() -> None:
    with playing("historical", "18/5.3"):
        p = lay("W movement", f"we-1-br 2001, we-1-cn 2001, we-2-pol 2002, {EMPTY}")
        p = play(p, "western-allied move we-2-pol @ 2002 > 2001")
        refused(p, "western-allied done", "5.1.p1")


@rule("18/5.3.c")
@ruling("R-G116")
def test_a_replacement_makes_no_second_mixed_stack() -> None:
    with playing("historical", "18/5.3"):
        p = lay("W replacement", f"we-7-us box-w, we-1-br 2001, we-5-us 2001, we-1-cn 1901, {EMPTY}", turn=4)
        assert told(p, "western-allied replace we-7-us > 1901") == {"arrival-mixes": ("18/5.3.c",)}
        allowed(p, "western-allied replace we-7-us > 1801")
        assert "western-allied replace we-7-us > 1901" not in legal(p)
        # With no mixed stack yet it may make the first.
        p = lay("W replacement", f"we-7-us box-w, we-1-cn 1901, {EMPTY}", turn=4)
        allowed(p, "western-allied replace we-7-us > 1901")


@rule("18/5.3.c")
@ruling("R-G116")
@ruling("R-G48")
def test_a_retreat_makes_no_second_mixed_stack() -> None:
    # 2004 attacked from 2005: its other neighbours are full but one with a Canadian and one with an American.
    with playing("historical", "18/5.3"):
        around = [h for h in JOINED["2004"] if h != "2005" and h not in JOINED["2005"]]
        fillers = iter(("we-12-us we-13-us", "we-15-us we-19-us", "we-20-us we-8-us"))
        units = {"we-7-us": "2004", "wg-1-ss": "2005", "wg-2-ss": "2005", "we-1-br": "0601", "we-5-us": "1604", "we-8-br": "1604"}
        units |= {"we-1-cn": around[0], "we-4-us": around[1]}
        for place in around[2:]:
            units |= dict.fromkeys(next(fillers).split(), place)
        p = lay("WG combat", units | {"su-4-gds-inf": "0324", "eg-2": "0522"})
        p = attack(p, "wg-1-ss wg-2-ss", "2004", 2)  # 16 against twice 6
        assert CRT["1:1", 2] == "DR"
        assert told(p, f"western-allied retreat we-7-us > {around[0]}") == {"retreat-mixes": ("18/5.3.c",)}
        allowed(p, f"western-allied retreat we-7-us > {around[1]}")
        # With no other hex it is destroyed; without the first mixed stack it goes there.
        p = lay(
            "WG combat", units | {"we-4-us": "0611", "we-8-us": around[1], "we-6-us": around[1], "su-4-gds-inf": "0324", "eg-2": "0522"}
        )
        assert where(attack(p, "wg-1-ss wg-2-ss", "2004", 2), "we-7-us") == "box-w"
        p = lay("WG combat", units | {"we-4-us": "0611", "we-8-us": around[1], "we-6-us": around[1], "we-8-br": "1605", "eg-2": "0522"})
        assert legal(attack(p, "wg-1-ss wg-2-ss", "2004", 2)) == {f"western-allied retreat we-7-us > {around[0]}"}


@rule("18/5.3.c")
@ruling("R-G98")
@ruling("R-G116")
def test_ss_units_belong_to_no_group() -> None:
    with playing("expanded", "13.2", "18/5.3"):
        units = "wg-1-ss 2007, we-1-br 2007, wg-2-ss 2008, we-5-us 2008, wg-12-ss 2107, we-1-fr 2107, su-4-gds-inf 0324"
        p = fallen("W movement", units)
        assert owed(p) == {}


# ---------------------------------------------------------------------------------------------------------------------------
# 18/6.3: attacks on part of a stack


STACK = "eg-8 2515, eg-24-pz 2515, su-1-gds-inf 2514, su-2-gds-inf 2414, su-1-br 2614, we-6-us 0601, wg-64 1512"
"""A 2-3-4 and a 7-5-8 in a clear hex, no river between them and the Soviets."""


@rule("18/6.3.a")
@rule("18/6.3.c")
@ruling("R-G61")
def test_one_unit_of_a_stack_is_attacked_at_its_own_strength_or_both_together() -> None:
    with playing("historical", "18/6.3"):
        p = lay("S combat", STACK + ", su-3-gds-inf 2415")
        assert river("2415", "2515") and not any(river(h, "2515") for h in ("2514", "2414", "2614"))
        assert part(p, "su-1-gds-inf", "eg-8") == "2:1"  # 7 against 3
        assert column(p, "su-1-gds-inf su-1-br", "2515") == "1:1"  # 15 against 8
        # The hex's multipliers go with the unit: over the river alone 7 against 6.
        assert part(p, "su-3-gds-inf", "eg-8") == "1:1"
        q = attack(p, "su-3-gds-inf", "eg-8", 1)
        assert CRT["1:1", 1] == "EX" and where(q, "eg-8") == "box-eg"
        q = play(q, "soviet lose su-3-gds-inf")  # 7 for 3, there is nothing smaller
        assert step(q) == "combat" and on(q, "2515") == {"eg-24-pz"}
    refused(lay("S combat", STACK), "soviet attack su-1-gds-inf > eg-8", "6.3.d1")


def part(p: object, units: str, target: str) -> str:
    """The column of an attack on one unit, found by its six results; DE and a DR without a way out look alike."""
    seen = []
    for face in range(1, 7):
        q = attack(p, units, target, face)  # type: ignore[arg-type]
        gone = where(q, target) == "box-eg"
        mine = any(where(q, u) == "box-s" for u in units.split())
        if gone and (mine or step(q) == "lose"):
            seen.append("EX")
        else:
            seen.append("AE" if mine else "AR" if step(q) == "retreat" and by(q) == "soviet" else "DR")
    columns = [name for name in ("1:1", "2:1", "3:1") if [CRT[name, face] for face in range(1, 7)] == seen]
    return columns[0] if columns else str(seen)


@rule("18/6.3.p1")
@rule("18/6.3.a")
@ruling("R-G61")
def test_the_unit_that_is_not_attacked_stays_and_nobody_advances() -> None:
    with playing("historical", "18/6.3"):
        p = attack(lay("S combat", STACK), "su-1-gds-inf", "eg-8", 3)
        assert step(p) == "retreat" and {text.split()[2] for text in legal(p)} == {"eg-8"}
        refused(p, "western-allied retreat eg-24-pz > 2516", "6.2.1.p1")
        p = play(p, sorted(legal(p))[0])
        assert on(p, "2515") == {"eg-24-pz"} and step(p) == "combat"
        p = attack(lay("S combat", STACK), "su-1-br su-1-gds-inf su-2-gds-inf", "eg-8", 1)
        assert where(p, "eg-8") == "box-eg" and on(p, "2515") == {"eg-24-pz"} and step(p) != "advance"


@rule("18/6.3.b")
@ruling("R-G61")
@ruling("R-G44")
def test_each_unit_of_a_stack_may_be_attacked_by_different_units_and_who_empties_the_hex_advances() -> None:
    with playing("historical", "18/6.3"):
        p = attack(lay("S combat", STACK), "su-1-br su-2-gds-inf", "eg-8", 1)
        p = play(p, "soviet lose su-2-gds-inf", "soviet done") if step(p) == "lose" else p
        assert on(p, "2515") == {"eg-24-pz"} and step(p) == "combat"
        refused(p, "soviet attack su-1-br > 2515", "6.3.c1")
        p = attack(p, "su-1-gds-inf", "2515", 2)
        assert CRT["1:1", 2] == "DR" and step(p) == "retreat"
        p = play(p, sorted(legal(p))[0])
        assert legal(p) == {"soviet advance su-1-gds-inf > 2515", "soviet done"}


@rule("18/6.3.b")
@ruling("R-G61")
@ruling("R-G45")
def test_units_of_several_hexes_may_be_targets_of_one_attack() -> None:
    with playing("historical", "18/6.3"):
        # 2514 is beside 2515 and 2614: one of the stack in 2515, and the unit in 2614.
        p = lay("S combat", "eg-8 2515, eg-24-pz 2515, eg-20 2614, su-1-gds-inf 2514, su-1-br 2514, we-6-us 0601, wg-64 1512")
        allowed(p, "soviet attack su-1-br,su-1-gds-inf > 2614,eg-8")
        q = play(p, "soviet attack su-1-br,su-1-gds-inf > 2614,eg-8", "chance roll combat 3")
        # 15 against 3 + 3: 2:1, DR for both and for nobody else.
        assert CRT["2:1", 3] == "DR" and {text.split()[2] for text in legal(q)} == {"eg-8", "eg-20"}
        # Declared step by step too, each unit or hex once.
        q = play(p, "soviet target > eg-8")
        assert {"soviet target > 2614", "soviet join su-1-br"} <= legal(q)
        assert not {"soviet target > 2515", "soviet target > eg-8", "soviet target > eg-24-pz"} & legal(q)
        assert "soviet target > eg-20" not in legal(p)  # it stands alone


@rule("18/6.3.a")
@rule("6.2.c")
@ruling("R-G61")
@ruling("R-G55")
def test_an_exchange_on_one_unit_pays_for_that_unit() -> None:
    with playing("historical", "18/6.3"):
        p = attack(lay("S combat", STACK + ", su-1-pol 2514"), "su-1-gds-inf su-1-pol", "eg-8", 2)
        # 10 against 3 is 3:1.
        assert CRT["3:1", 2] == "EX" and step(p) == "lose"
        p = play(p, "soviet lose su-1-pol", "soviet done")  # 3 for 3
        assert where(p, "su-1-gds-inf") == "2514" and on(p, "2515") == {"eg-24-pz"}


@rule("18/6.3.p1")
@ruling("R-G61")
@ruling("R-G53")
def test_after_the_attackers_loss_only_the_attacked_unit_may_advance() -> None:
    with playing("historical", "18/6.3"):
        p = attack(lay("S combat", "eg-8 2515, eg-24-pz 2515, su-1-pol 2514, we-6-us 0601, wg-64 1512"), "su-1-pol", "eg-8", 6)
        assert CRT["1:1", 6] == "AE" and where(p, "su-1-pol") == "box-s"
        assert legal(p) == {"western-allied advance eg-8 > 2514", "western-allied done"}


@rule("18/6.3.a")
@ruling("R-G47")
@ruling("R-G61")
def test_a_unit_thrown_out_of_a_shared_hex_takes_a_vacant_one_first() -> None:
    with playing("historical", "18/6.3"):
        p = attack(lay("S combat", STACK.replace("su-2-gds-inf 2414, ", "") + ", eg-9 2516"), "su-1-gds-inf", "eg-8", 3)
        assert legal(p) == {"western-allied retreat eg-8 > 2415"}


@rule("18/6.3.a")
@rule("12.2.a")
@ruling("R-G61")
@ruling("R-G62")
def test_an_attack_on_one_unit_counts_for_the_mandate_and_is_owed_if_it_alone_is_possible() -> None:
    # 3 against 16 is no attack, 3 against 8 is.
    units = "wg-67 2410, we-1-br 2411, we-4-us 2411, eg-2 0522"
    allowed(lay("WG combat", units, turn=1), "soviet done")
    with playing("historical", "18/6.3"):
        p = lay("WG combat", units, turn=1)
        refused(p, "soviet done", "12.2.a")
        # Two attacks on the units of one stack are two.
        p = lay("WG combat", units.replace("wg-67 2410", "wg-1-ss 2410, wg-2-ss 2410"), turn=1)
        p = answered(attack(p, "wg-1-ss", "we-1-br", 4))
        refused(p, "soviet done", "12.2.a")
        p = answered(attack(p, "wg-2-ss", "we-4-us", 4))
        assert phase(p) != "WG combat" or owed(p) == {}


@rule("18/6.3.a")
@rule("10.0.a2")
@ruling("R-G52")
@ruling("R-G61")
def test_a_garrison_attacked_alone_stays_and_its_comrade_too() -> None:
    with playing("historical", "18/6.3"):
        p = lay("EG combat", "su-1-br 2723, su-1-pol 2723, eg-24-pz 2722, eg-39-pz 2722, eg-gd-pz 2622, eg-3-ss 2622")
        q = attack(p, "eg-24-pz eg-39-pz eg-gd-pz eg-3-ss", "su-1-br", 2)
        assert CRT["1:1", 2] == "DR" and on(q, "2723") == {"su-1-br", "su-1-pol"} and step(q) != "advance"
        q = attack(p, "eg-24-pz", "su-1-pol", 2)
        assert {text.split()[2] for text in legal(q)} == {"su-1-pol"}


@rule("18/5.3.c")
@ruling("R-G116")
@ruling("R-G33")
def test_mixed_stacks_are_judged_after_the_second_movement_too() -> None:
    with playing("historical", "18/5.3", "18.1"):
        units = "we-1-br 2001, we-5-us 2001, we-1-cn 1901, we-7-us 1902, wg-64 1512, eg-2 1019"
        p = lay("W second_movement", units, eligible="we-7-us", group=2)
        assert owed(p) == {}
        p = play(p, "western-allied move we-7-us @ 1902 > 1901")
        refused(p, "western-allied done", "18/5.3.c")


# ---------------------------------------------------------------------------------------------------------------------------
# 18/8.0, 18/12.2


@rule("18/8.0")
@ruling("R-G77")
@ruling("R-G8")
def test_one_evacuation_a_turn_from_turn_1_whatever_became_of_the_last_one() -> None:
    four = "eg-3-ss 3822, eg-2 3822, eg-10 3923, eg-16 3923, su-2-balt 3723, we-6-us 0601, wg-64 1512"
    with playing("historical", "18/8.0"):
        p = lay("EG movement", four, turn=1)
        for number, (unit, die) in enumerate((("eg-3-ss", 1), ("eg-10", 6), ("eg-16", 1), ("eg-2", 3)), 1):
            p = run(p, "EG movement", number)
            p = play(p, f"western-allied evacuate {unit}", f"chance roll evacuation {die}")
            p = play(p, "western-allied land > 2912") if die > 1 else p
            assert where(p, unit) == ("box-eg" if die == 1 else "2912")
            rest = next((u for u in ("eg-2", "eg-16") if where(p, u) in {"3822", "3923"}), "")
            if rest:
                assert told(p, f"western-allied evacuate {rest}") == {"evacuation-tried": ("18/8.0",)}
                assert check(p, f"western-allied evacuate {rest}").reasons[0].fact("each") == "a turn"
    for turn, code in ((1, "evacuation-too-early"), (3, "")):
        assert set(told(lay("EG movement", four, turn=turn), "western-allied evacuate eg-2")) == ({code} if code else set())


ATTACKS = "wg-1-ss 2005, wg-65 1905, wg-63 1805, we-7-us 2004, we-6-us 1904, we-8-us 1804, eg-2 0522"


@rule("18/12.2")
@ruling("R-G62")
@ruling("R-G18")
def test_only_attacks_at_even_odds_fulfil_the_mandate_but_others_are_allowed() -> None:
    # The 7-4-8 stands in the clear 2411 beside 2511 and 2410 ...: two attackers strong enough, one too weak.
    units = "wg-1-ss 2511, wg-2-ss 2410, wg-75 2312, we-20-us 2411, we-5-us 2510, eg-2 0522, su-4-gds-inf 0324"
    with playing("historical", "18/12.2"):
        p = lay("WG combat", units, turn=1)
        # 2 against 4 in 2411: 1:2, allowed and worth nothing.
        assert "2411" in JOINED["2312"]
        q = answered(attack(p, "wg-75", "2411", 3))
        assert phase(q) == "WG combat"
        assert "18/12.2" in {x for paras in owed(q).values() for x in paras}
        refused(q, "soviet done", "18/12.2")
        # Two real ones do.
        q = answered(attack(p, "wg-1-ss", "2510", 5))
        refused(q, "soviet done", "18/12.2") if phase(q) == "WG combat" else None
        q = answered(attack(q, "wg-2-ss", "2411", 5)) if phase(q) == "WG combat" else q
        assert phase(q) != "WG combat" or owed(q) == {}
    # Without the option the weak one counts: one more is owed, then none.
    p = answered(attack(lay("WG combat", units, turn=1), "wg-75", "2411", 3))
    assert p.mandated[0] == 1


@rule("18/12.2")
@ruling("R-G62")
@ruling("R-G18")
def test_if_no_attack_at_even_odds_is_possible_none_is_owed() -> None:
    units = "wg-75 2312, we-20-us 2411, eg-2 0522, su-4-gds-inf 0324"
    with playing("historical", "18/12.2"):
        p = lay("WG combat", units, turn=1)
        allowed(p, "soviet attack wg-75 > 2411", "soviet done")
    refused(lay("WG combat", units, turn=1), "soviet done", "12.2.a")


@rule("18/12.2")
@ruling("R-G62")
def test_terrain_counts_for_the_even_odds() -> None:
    # 8 against 6 in broken 2004: 8 against 12.
    units = "wg-1-ss 2005, we-7-us 2004, eg-2 0522, su-4-gds-inf 0324"
    assert HEXES["2004"]["terrain"] == "broken"
    with playing("historical", "18/12.2"):
        assert owed(lay("WG combat", units, turn=1)) == {}
    assert owed(lay("WG combat", units, turn=1))


# ---------------------------------------------------------------------------------------------------------------------------
# Switches


@rule("6.2.1.a1")
@ruling("R-G48")
def test_by_the_switch_a_vacant_hex_across_comes_before_a_friend_at_home() -> None:
    # 2514 attacked from 2614: 2414 is held by a friend, 2413 and 2513 over the line are vacant.
    units = "eg-10 2514, eg-9 2414, su-1-gds-inf 2614, su-1-br 2614, we-6-us 0601, wg-64 1512"
    p = attack(lay("S combat", units), "su-1-gds-inf su-1-br", "2514", 4)
    assert CRT["3:1", 4] == "DR" and legal(p) == {"western-allied retreat eg-10 > 2414"}
    with playing("historical", "6.2.1/vacant-first"):
        p = attack(lay("S combat", units), "su-1-gds-inf su-1-br", "2514", 4)
        assert legal(p) == {f"western-allied retreat eg-10 > {h}" for h in ("2413", "2513")}
        refused(p, "western-allied retreat eg-10 > 2414", "6.2.1.a1")
        # A vacant hex at home is still before one across.
        p = attack(lay("S combat", units.replace("eg-9 2414", "eg-9 0522")), "su-1-gds-inf su-1-br", "2514", 4)
        assert legal(p) == {"western-allied retreat eg-10 > 2414"}


@rule("6.4.b")
@ruling("R-G2")
def test_by_the_switch_three_effects_are_five_and_two_still_three() -> None:
    units = "wg-58-pz 1905, we-5-us 1904, we-20-us 1904, we-7-us 2004, we-6-us 2004"
    force_of = "we-5-us we-20-us we-7-us we-6-us"
    assert column(lay("W combat", units), force_of, "1905") == "2:1"  # 24 against 12
    with playing("historical", "6.4/three-effects"):
        assert column(lay("W combat", units), force_of, "1905") == "1:1"  # against 15
        two = "eg-72 1921, su-1-gds-inf 1920, su-1-br 1920, su-1-pol 2020"
        assert column(lay("S combat", two), "su-1-gds-inf su-1-br su-1-pol", "1921") == "2:1"  # 18 against 9


@rule("12.3.p2")
@rule("5.2.1.p3")
@ruling("R-G117")
def test_under_concentration_everything_else_is_as_ever() -> None:
    with playing("historical", "12.3"):
        p = lay("EG movement", "eg-2 2614, su-4-gds-inf 0324")
        assert "5.2.1.p3" in cited(p, f"western-allied move eg-2 @ 2614 > {BERLIN}")
