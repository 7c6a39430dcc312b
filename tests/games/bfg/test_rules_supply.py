"""18.1: offensive supply markers, the second phases and what they cost."""

from __future__ import annotations

import msgspec
import pytest

from tests.games.bfg.facts import BERLIN, CRT, JOINED, UNITS, apart, rows
from tests.games.bfg.layout import (
    Pos,
    allowed,
    answered,
    attack,
    by,
    check,
    cited,
    fallen,
    in_use,
    lay,
    legal,
    members,
    names,
    node,
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

QUIET = "wg-64 1512, we-6-us 0601, eg-2 1019"
"""A unit of each force far from everything here."""
COURLAND = {"eg-2": "3822", "eg-3-ss": "3822", "eg-10": "3824", "eg-16": "3924"}


@pytest.fixture(autouse=True)
def supplied() -> object:
    """Every test here is played with the option."""
    with playing("historical", "18.1") as book:
        yield book


def second(units: str, fronts: str = "su-1-br", turn: int = 4) -> Pos:
    """The end of the Soviet Combat Phase of a turn in which these Fronts got markers and nobody moved or attacked."""
    p = lay("S replacement", f"{units}, {QUIET}, su-1-bul box-s", turn=turn)
    for front in fronts.split():
        p = play(p, f"soviet marker {front}")
    while phase(p) in {"S replacement", "S movement", "S combat"}:
        p = play(p, "soviet done")
    return p


# ---------------------------------------------------------------------------------------------------------------------------
# Placing


@rule("18.1.p1")
@rule("18.1.p3")
@ruling("R-G110")
@ruling("R-G115")
def test_there_are_eight_markers_seven_of_them_soviet_from_turn_1() -> None:
    constants = {row["name"]: row["value"] for row in rows("constants")}
    assert (constants["supply_markers_total"], constants["supply_markers_soviet"], constants["supply_markers_western"]) == ("8", "7", "1")
    p = in_use().start()
    for piece, place in COURLAND.items():
        p = play(p, f"western-allied setup {piece} > {place}")
    p = play(p, f"{by(p)} done") if step(p) == "set-up" else p
    assert (phase(p), p.turn, p.supply) == ("S replacement", 1, 7)
    fronts = {u for u, unit in UNITS.items() if unit.front}
    assert legal(p) == {f"soviet marker {u}" for u in fronts} | {"soviet done"}
    p = run(p, "S movement")
    # The Western one too; nobody's units return on turn 1.
    p = run(lay("WG movement", f"we-5-us 2004, we-7-us box-w, {QUIET}", turn=1), "W replacement", 1)
    assert {"western-allied marker we-5-us", "western-allied marker we-6-us", "western-allied done"} == legal(p)
    refused(p, "western-allied replace we-7-us > 2001", "3.0.b1")


@rule("18.1.p1")
@ruling("R-G110")
@ruling("R-G118")
def test_without_the_option_there_are_no_markers_no_phase_on_turn_1_and_no_second_phases() -> None:
    with playing("historical"):
        p = in_use().start()
        for piece, place in COURLAND.items():
            p = play(p, f"western-allied setup {piece} > {place}")
        p = play(p, f"{by(p)} done") if step(p) == "set-up" else p
        assert (phase(p), p.turn, p.supply) == ("S movement", 1, 0)
        with pytest.raises(KeyError):
            lay("S second_combat", QUIET)


@rule("18.1.p5")
@rule("18.1.p6")
@ruling("R-G115")
def test_zero_to_two_a_turn_under_fronts_on_the_map() -> None:
    units = f"su-1-br 2723, su-2-br 2516, su-3-br 2518, su-1-gds-inf 2517, su-1-ukr box-s, su-1-bul box-s, {QUIET}"
    p = lay("S replacement", units, turn=4)
    markers = {text for text in legal(p) if "marker" in text}
    # A garrison may carry one.
    assert members(p.garrison) == {"su-1-br"}
    assert markers == {f"soviet marker su-{n}-br" for n in (1, 2, 3)}
    assert "soviet done" in legal(p)
    refused(p, "soviet marker su-1-gds-inf", "18.1.p6")
    refused(p, "soviet marker su-1-ukr", "18.1.p6")
    p = play(p, "soviet marker su-2-br")
    assert names(p.markers_soviet) == ["2516"] and p.supply == 6
    # Two under one Front are legal and pointless.
    p = play(p, "soviet marker su-2-br")
    assert names(p.markers_soviet) == ["2516", "2516"] and p.supply == 5
    refused(p, "soviet marker su-3-br", "18.1.p5")
    # A marker is no replacement: the rate is whole.
    allowed(p, "soviet replace su-1-bul > 2526")


@rule("18.1.p3")
@ruling("R-G115")
def test_when_the_stock_is_gone_no_marker_is_placed() -> None:
    units = f"su-1-br 2516, su-2-br 2517, su-1-bul box-s, {QUIET}"
    p = lay("S replacement", units, turn=4, supply=1)
    p = play(p, "soviet marker su-1-br")
    refused(p, "soviet marker su-2-br", "18.1.p3")
    assert not any("marker" in text for text in legal(p))


@rule("18.1.p6")
def test_the_front_moves_and_attacks_as_ever_and_the_marker_stays() -> None:
    p = lay("S replacement", f"su-1-br 2516, su-1-gds-tk 2518, su-2-gds-inf 2520, eg-8 2314, su-1-bul box-s, {QUIET}", turn=4)
    p = run(play(p, "soviet marker su-1-br"), "S movement")
    assert reach(p, "su-1-br") == within("2516", 3) and "2414" in within("2516", 3)
    p = play(p, "soviet move su-1-br @ 2516 > 2414", "soviet done")
    assert names(p.markers_soviet) == ["2516"]
    p = answered(attack(p, "su-1-br", "2314", 3))
    assert CRT["2:1", 3] == "DR"
    p = run(p, "S second_movement")
    # Judged from 2516, where it lies: 2518 and the Front itself are two away, 2520 is four.
    assert (apart("2516", "2518"), apart("2516", "2414"), apart("2516", "2520")) == (2, 2, 4)
    assert members(p.eligible) == {"su-1-gds-tk", "su-1-br"}


# ---------------------------------------------------------------------------------------------------------------------------
# Who is served


@rule("18.1.p7")
@ruling("R-G111")
def test_soviet_units_within_three_hexes_and_no_allies() -> None:
    units = {
        "su-1-br": "2516",
        "su-1-gds-inf": "2519",
        "su-2-gds-inf": "2520",
        "su-3-gds-inf": "2817",
        "su-1-pol": "2517",
        "su-1-rom": "2517",
        "su-1-bul": "2518",
        "su-1-gds-tk": "2214",
    }
    p = second(", ".join(f"{u} {h}" for u, h in units.items()))
    served = {u for u, h in units.items() if apart("2516", h) <= 3 and UNITS[u].nation == "Soviet Union"}
    assert served == {"su-1-br", "su-1-gds-inf", "su-3-gds-inf", "su-1-gds-tk"}
    assert members(p.eligible) == served
    assert phase(p) == "S second_movement"
    assert {text.split()[2] for text in legal(p) if " move " in text} == served
    for unit, place in (("su-1-pol", "2517"), ("su-2-gds-inf", "2520")):
        refused(p, f"soviet move {unit} @ {place} > {sorted(JOINED[place])[0]}", "18.1.p7")


@rule("18.1.p7")
@ruling("R-G111")
def test_two_markers_serve_two_places() -> None:
    p = second("su-1-br 2516, su-2-br 1324, su-1-gds-inf 1325, su-2-gds-inf 2517, su-3-gds-inf 2020", "su-1-br su-2-br")
    assert members(p.eligible) == {"su-1-br", "su-2-br", "su-1-gds-inf", "su-2-gds-inf"}


@rule("18.1.p7")
@ruling("R-G111")
def test_the_list_is_made_when_the_ordinary_combat_phase_ends_and_serves_both_phases() -> None:
    # 2521 is out of range of 2517; an advance into 2520 brings the unit in. A unit that then advances out of range still moves.
    units = "su-1-br 2517, su-1-gds-inf 2521, su-2-gds-inf 2619, su-1-gds-tk 2619, eg-4-pz 2520, eg-17 2620"
    assert (apart("2517", "2521"), apart("2517", "2520"), apart("2517", "2619"), apart("2517", "2620")) == (4, 3, 3, 4)
    p = lay("S replacement", f"{units}, {QUIET}, su-1-bul box-s", turn=4)
    p = run(play(p, "soviet marker su-1-br"), "S combat")
    p = attack(p, "su-1-gds-inf su-2-gds-inf", "2520", 1)
    p = play(p, "soviet advance su-1-gds-inf > 2520", "soviet done")
    assert phase(p) == "S second_combat"
    assert members(p.eligible) == {"su-1-br", "su-1-gds-inf", "su-2-gds-inf", "su-1-gds-tk"}
    p = attack(p, "su-2-gds-inf su-1-gds-tk", "2620", 1)
    p = play(p, "soviet advance su-1-gds-tk > 2620")
    assert phase(p) == "S second_movement"
    assert reach(p, "su-1-gds-tk") == within("2620", 3)


# ---------------------------------------------------------------------------------------------------------------------------
# The second phases


@rule("18.1.p8")
@ruling("R-G112")
@ruling("R-G124")
def test_the_second_phases_follow_the_soviet_combat_phase_before_the_west_germans() -> None:
    units = f"su-1-br 2516, su-1-gds-inf 2516, eg-9 2515, su-1-bul box-s, wg-63 box-wg, {QUIET}"
    p = play(lay("S replacement", units, turn=4), "soviet marker su-1-br")
    seen = []
    while p.turn == 4 and phase(p) != "W movement":
        if not seen or seen[-1] != phase(p):
            seen.append(phase(p))
        p = play(p, f"{by(p)} done")
    assert seen[:7] == [
        "S replacement",
        "S movement",
        "S combat",
        "S second_combat",
        "S second_movement",
        "WG replacement",
        "WG movement",
    ]


@rule("18.1.p8")
@ruling("R-G124")
@pytest.mark.parametrize(
    ("scenario", "after_soviet", "after_west"),
    [("three_player", "G", "S"), ("four_player", "EG", "S"), ("rsws", "W", "S"), ("collapse", "EG", ""), ("expanded", "WG", "EG")],
)
def test_their_place_with_other_players(scenario: str, after_soviet: str, after_west: str) -> None:
    with playing(scenario, "18.1") as book:
        order = [(ph.force, ph.kind) for ph in book.game.setting.terms.phases]
        forces = ("S", "W", "EG", "WG", "G")
        for force, following in ((0, after_soviet), (1, after_west)):
            mine = [i for i, (f, _) in enumerate(order) if f == force]
            kinds = [order[i][1] for i in mine]
            if force == 1 and not after_west:
                assert not mine
                continue
            assert kinds == ["replacement", "movement", "combat", "second_combat", "second_movement"]
            then = order[(mine[-1] + 1) % len(order)]
            name = forces[then[0]] if then[0] >= 0 else forces[order[0][0]]
            assert name == following


@rule("18.1.p8")
@ruling("R-G112")
@ruling("R-G111")
def test_who_attacked_or_was_thrown_back_may_attack_again_and_advance() -> None:
    # 2515 is attacked in both phases by the same unit.
    units = f"su-1-br 2516, su-1-gds-inf 2514, su-2-gds-inf 2521, eg-9 2515, eg-8 2522, su-1-bul box-s, {QUIET}"
    p = run(play(lay("S replacement", units, turn=4), "soviet marker su-1-br"), "S combat")
    p = attack(p, "su-1-gds-inf", "2515", 4)
    assert CRT["1:1", 4] == "AR" and step(p) == "retreat"
    p = answered(p)
    p = run(p, "S second_combat")
    here = where(p, "su-1-gds-inf")
    assert here != "2514" and not p.attacked
    assert "su-1-gds-inf" in members(p.eligible)
    # Only the served open attacks and join; the one at Lodz is out of range.
    assert "soviet target > 2522" not in legal(p)
    assert told(p, "soviet attack su-2-gds-inf > 2522") == {"not-served": ("18.1.p7",)}
    p = attack(p, "su-1-br", "2515", 1)
    assert CRT["1:1", 1] == "EX"


@rule("18.1.p8")
@ruling("R-G111")
def test_others_do_not_join_a_second_attack() -> None:
    units = f"su-1-br 2516, su-1-gds-inf 2514, su-1-pol 2614, eg-9 2515, su-1-bul box-s, {QUIET}"
    p = run(play(lay("S replacement", units, turn=4), "soviet marker su-1-br"), "S second_combat")
    refused(p, "soviet attack su-1-gds-inf,su-1-pol > 2515", "18.1.p7")
    q = play(p, "soviet target > 2515")
    assert legal(q) == {"soviet join su-1-br", "soviet join su-1-gds-inf"}
    # One attack each, here as in any Combat Phase; a victor advances.
    p = attack(p, "su-1-br su-1-gds-inf", "2515", 1)
    assert CRT["3:1", 1] == "DE"
    assert {text.split()[2] for text in legal(p) if "advance" in text} == {"su-1-br", "su-1-gds-inf"}
    p = play(p, "soviet advance su-1-gds-inf > 2515")
    assert members(p.used) == {"su-1-br", "su-1-gds-inf"}


@rule("18.1.p9")
@ruling("R-G112")
@pytest.mark.parametrize("unit", ["su-2-br", "su-1-gds-inf", "su-1-gds-tk"])
def test_the_second_movement_is_half_of_the_printed_allowance_rounded_down(unit: str) -> None:
    p = second(f"su-1-br 2516, {unit} 2518")
    points = UNITS[unit].move // 2
    assert reach(p, unit) == within("2518", points)
    beyond = min(within("2518", points + 1) - within("2518", points))
    refused(p, f"soviet move {unit} @ 2518 > {beyond}", "5.0.p1")


@rule("18.1.p9")
@ruling("R-G112")
@ruling("R-G29")
@ruling("R-G33")
def test_the_second_movement_knows_zocs_and_stacking_like_the_first() -> None:
    p = second("su-1-br 2516, su-1-gds-tk 2516, su-2-gds-inf 2615, su-3-gds-inf 2616, su-4-gds-inf 2616, eg-9 2514")
    p = run(p, "S second_movement")
    # 2515 is beside 2514: entered, and no further.
    refused(p, "soviet move su-1-gds-tk @ 2516 > 2614 via 2515", "4.0.p2")
    allowed(p, "soviet move su-2-gds-inf @ 2615 > 2616")
    q = play(p, "soviet move su-2-gds-inf @ 2615 > 2616")
    refused(q, "soviet done", "5.1.p1")
    # A unit in a ZOC may leave it, to a hex outside.
    p = run(second("su-1-br 2516, su-1-gds-tk 2515, eg-9 2514"), "S second_movement")
    allowed(p, "soviet move su-1-gds-tk @ 2515 > 2516")
    refused(p, "soviet move su-1-gds-tk @ 2515 > 2315 via 2414", "4.0.c2")


@rule("18.1.p9")
@rule("10.0.a1")
@ruling("R-G85")
@ruling("R-G112")
def test_garrisons_attack_again_but_do_not_move() -> None:
    p = run(second("su-1-br 2723, su-1-gds-inf 2723, eg-9 2722"), "S second_combat")
    allowed(p, "soviet attack su-1-br > 2722", "soviet attack su-1-br,su-1-gds-inf > 2722")
    p = run(p, "S second_movement")
    assert not reach(p, "su-1-br") and reach(p, "su-1-gds-inf")
    assert "10.0.a1" in cited(p, "soviet move su-1-br @ 2723 > 2823")


@rule("18.1.p9")
@ruling("R-G112")
@ruling("R-G37")
def test_no_deadline_is_measured_by_the_second_movement() -> None:
    # Thrown over the line by its own attack, a unit has until the end of its next ordinary Movement Phase.
    units = f"su-1-br 2515, su-1-gds-inf 2514, eg-24-pz 2614, eg-gd-pz 2414, eg-9 2614, su-1-bul box-s, {QUIET}"
    p = run(play(lay("S replacement", units, turn=4), "soviet marker su-1-br"), "S combat")
    p = attack(p, "su-1-gds-inf", "2414", 5)
    assert where(p, "su-1-gds-inf") == "2514" and "soviet retreat su-1-gds-inf > 2513" in legal(p)
    p = answered(play(p, "soviet retreat su-1-gds-inf > 2513"))
    p = run(p, "S second_movement")
    assert "su-1-gds-inf" in members(p.eligible)
    # It may use it to go home.
    assert reach(p, "su-1-gds-inf") <= set(JOINED["2513"]) | {BERLIN} | within("2513", 2)
    p = play(p, "soviet done")
    assert where(p, "su-1-gds-inf") == "2513"
    p = play(run(p, "S movement", 5), "soviet done")
    assert where(p, "su-1-gds-inf") == "box-s"


# ---------------------------------------------------------------------------------------------------------------------------
# Afterwards


@rule("18.1.p11")
@ruling("R-G113")
def test_who_moved_in_a_second_phase_pays_for_one_player_turn() -> None:
    p = run(second("su-1-br 2516, su-1-gds-tk 2518, su-2-gds-inf 2517, eg-9 2216"), "S second_movement")
    p = play(p, "soviet move su-1-gds-tk @ 2518 > 2618")
    assert members(p.used) == {"su-1-gds-tk"}
    p = run(p, "S movement", 5)
    # Being in range costs nothing.
    assert members(p.tired) == {"su-1-gds-tk"}
    assert reach(p, "su-1-gds-tk") == within("2618", 3) and reach(p, "su-2-gds-inf") == within("2517", 4) - zoc_shadow(p, "su-2-gds-inf")
    p = run(p, "S movement", 6)
    assert not p.tired and reach(p, "su-1-gds-tk") >= within("2618", 5) - set(JOINED["2216"])


def zoc_shadow(p: Pos, unit: str) -> set[str]:
    """What an enemy in 2216 keeps a unit from reaching."""
    return (within(where(p, unit), UNITS[unit].move) - reach(p, unit)) & {h for h in within("2216", 3) | {"2216"}}


@rule("18.1.p11")
@ruling("R-G113")
def test_who_attacked_in_a_second_phase_attacks_in_neither_the_turn_after_and_moves_half_up() -> None:
    units = f"su-1-br 2516, su-1-gds-inf 2514, eg-49-geb 2515, eg-9-ss 2515, su-1-bul box-s, {QUIET}"
    p = run(play(lay("S replacement", units, turn=4), "soviet marker su-1-br"), "S second_combat")
    p = attack(p, "su-1-br su-1-gds-inf", "2515", 4)
    assert CRT["1:1", 4] == "AR"
    p = answered(p)
    p = play(run(p, "S replacement", 5), "soviet marker su-1-br")
    p = run(p, "S movement", 5)
    assert members(p.tired) == {"su-1-br", "su-1-gds-inf"}
    spots = {u: where(p, u) for u in ("su-1-br", "su-1-gds-inf")}
    for unit, place in spots.items():
        assert reach(p, unit) <= within(place, -(-UNITS[unit].move // 2)), unit
    # No attack now, no second phases either, though a marker lies beside them.
    q = lay("S combat", f"su-1-br 2516, su-1-gds-inf 2514, su-2-gds-inf 2614, eg-9 2515, {QUIET}", turn=5, tired="su-1-br su-1-gds-inf")
    q = with_marker(q, "2516")
    assert told(q, "soviet attack su-1-br > 2515") == told(q, "soviet attack su-1-gds-inf > 2515") == {"tired": ("18.1.p11",)}
    refused(q, "soviet attack su-1-gds-inf,su-2-gds-inf > 2515", "18.1.p11")
    allowed(q, "soviet attack su-2-gds-inf > 2515")
    assert legal(play(q, "soviet target > 2515")) == {"soviet join su-2-gds-inf"}
    q = run(q, "S second_combat", 5)
    assert members(q.eligible) == {"su-2-gds-inf"}
    assert told(q, "soviet attack su-1-gds-inf > 2515")
    q = run(q, "S second_movement", 5)
    assert not reach(q, "su-1-gds-inf") and reach(q, "su-2-gds-inf")


def with_marker(p: Pos, *hexes: str) -> Pos:
    """The position with Soviet markers there."""
    return msgspec.structs.replace(p, markers_soviet=tuple(sorted(node(h) for h in hexes)))


@rule("18.1.p11")
@ruling("R-G113")
def test_a_tired_unit_defends_retreats_and_advances_as_a_defender() -> None:
    p = lay("EG combat", "su-1-gds-inf 2514, eg-24-pz 2515, eg-8 2414, su-4-gds-inf 0324", turn=5, tired="su-1-gds-inf")
    assert column(p, "eg-24-pz", "2514") == "1:1"
    q = attack(p, "eg-24-pz", "2514", 6)
    assert CRT["1:1", 6] == "AE" and legal(q) == {"soviet advance su-1-gds-inf > 2515", "soviet done"}
    q = attack(p, "eg-24-pz", "2514", 2)
    assert step(q) == "retreat" and {text.split()[2] for text in legal(q)} == {"su-1-gds-inf"}
    # The Poles beside it are nobody's business: it is the unit that is tired, not the hex.
    assert members(q.tired) == {"su-1-gds-inf"}


@rule("18.1.p11")
@ruling("R-G113")
def test_a_destroyed_unit_loses_the_mark() -> None:
    units = f"su-1-br 2516, su-1-gds-inf 2514, eg-49-geb 2515, su-1-bul 2526, {QUIET}"
    p = lay("S replacement", units, turn=4)
    p = run(play(p, "soviet marker su-1-br"), "S second_combat")
    p = attack(p, "su-1-gds-inf", "2515", 6)
    assert CRT["1:1", 6] == "AE" and where(p, "su-1-gds-inf") == "box-s"
    p = run(answered(p), "S replacement", 5)
    p = run(play(p, "soviet replace su-1-gds-inf > 2426"), "S movement", 5)
    assert "su-1-gds-inf" not in members(p.tired)
    assert reach(p, "su-1-gds-inf") == within("2426", 4)


@rule("18.1.p13")
@ruling("R-G115")
def test_a_marker_is_spent_at_the_end_of_the_player_turn_used_or_not() -> None:
    p = lay("S replacement", f"su-1-br 2516, su-2-br 2518, su-1-bul box-s, {QUIET}", turn=4)
    p = play(p, "soviet marker su-1-br", "soviet marker su-2-br")
    q = run(p, "WG movement", 4)
    assert names(q.markers_soviet) == ["2516", "2518"]  # the Soviet player turn still runs
    q = run(p, "W movement", 4)
    assert not q.markers_soviet and q.supply == 5 and not q.eligible
    left = run(q, "S replacement", 5)
    assert left.supply == 5


@rule("18.1.p4")
@ruling("R-G115")
def test_the_stock_is_full_on_turn_11_in_the_long_games_and_only_there() -> None:
    with playing("expanded", "18.1"):
        p = lay("EG combat", f"su-1-br 2516, {QUIET}", turn=10, supply=1)
        p = play(p, "western-allied done")
        assert p.turn == 11 and p.supply == 7
        p = lay("EG combat", f"su-1-br 2516, {QUIET}", turn=9, supply=1)
        assert play(p, "western-allied done").supply == 1
    with playing("rsws", "18.1"):
        for die in (1, 6):
            assert play(in_use().start(), f"chance roll turn11 {die}").supply == 7
        p = run(lay("W combat", "su-1-br 2516, we-6-us 0601, su-1-bul box-s", turn=11, supply=3), "S replacement", 12)
        assert p.supply == 3


# ---------------------------------------------------------------------------------------------------------------------------
# The Western marker


WEST = "we-5-us 2004, we-1-br 2003, we-1-fr 2002, we-2-pol 1904, we-1-cn 2104, we-12-us 1601, wg-64 1512, eg-2 1019, su-4-gds-inf 0324"


def western(units: str = WEST, under: str = "we-5-us", turn: int = 4) -> Pos:
    """Where the Western Combat Phase has ended in a turn with the marker under that unit."""
    p = lay("W replacement", f"{units}, we-20-us box-w", turn=turn)
    p = play(p, f"western-allied marker {under}")
    while phase(p) in {"W replacement", "W movement", "W combat"}:
        p = play(p, "western-allied done")
    return p


@rule("18.1.p15")
@ruling("R-G114")
def test_the_western_marker_goes_under_any_unit_of_his_french_too_and_stays() -> None:
    p = lay("W replacement", f"{WEST}, we-20-us box-w", turn=4)
    markers = {text.split()[2] for text in legal(p) if "marker" in text}
    assert markers == {"we-5-us", "we-1-br", "we-1-fr", "we-2-pol", "we-1-cn", "we-12-us"}
    p = play(p, "western-allied marker we-1-fr")
    refused(p, "western-allied marker we-5-us", "18.1.p15")
    p = run(p, "W movement")
    p = play(p, "western-allied move we-1-fr @ 2002 > 2001")
    assert names([p.marker_western]) == ["2002"]


@rule("18.1.p16")
@ruling("R-G114")
@pytest.mark.parametrize(("group", "served"), [("commonwealth", {"we-1-br", "we-2-pol", "we-1-cn"}), ("us", {"we-5-us"})])
def test_it_serves_the_commonwealth_or_the_us_and_never_the_french(group: str, served: set[str]) -> None:
    p = western()
    assert step(p) == "group" and legal(p) == {f"western-allied group {g}" for g in ("commonwealth", "us")} | {"western-allied done"}
    p = play(p, f"western-allied group {group}")
    assert phase(p) == "W second_movement" and members(p.eligible) == served
    assert {text.split()[2] for text in legal(p) if " move " in text} == served
    near = sorted(JOINED["2002"])[0]
    assert "18.1.p16" in cited(p, f"western-allied move we-1-fr @ 2002 > {near}")


@rule("18.1.p16")
@ruling("R-G114")
def test_he_may_do_without_and_a_group_out_of_reach_is_not_offered() -> None:
    p = play(western(), "western-allied done")
    assert phase(p) not in {"W second_combat", "W second_movement"} and not p.used and not p.eligible
    p = western("we-1-fr 2002, we-5-us 2004, we-1-br 1601, wg-64 1512, eg-2 1019, su-4-gds-inf 0324", "we-1-fr")
    assert apart("2002", "1601") > 3
    assert legal(p) == {"western-allied group us", "western-allied done"}
    refused(p, "western-allied group commonwealth", "18.1.p17")
    # Only French in range: nothing to choose.
    p = western("we-1-fr 2002, we-2-fr 2003, we-5-us 1601, wg-64 1512, eg-2 1019, su-4-gds-inf 0324", "we-1-fr")
    assert step(p) != "group" and phase(p) not in {"W second_combat", "W second_movement"}


@rule("18.1.p17")
@ruling("R-G111")
@ruling("R-G113")
def test_range_abilities_and_price_are_the_same_as_the_soviet_ones() -> None:
    units = "we-5-us 2004, we-7-us 2007, we-2-us 2008, we-12-us 2103, wg-63 2108, eg-2 1019, su-4-gds-inf 0324"
    assert (apart("2004", "2007"), apart("2004", "2008")) == (3, 4)
    p = western(units)
    p = play(p, "western-allied group us")
    assert phase(p) == "W second_combat" and members(p.eligible) == {"we-5-us", "we-7-us", "we-12-us"}
    assert told(p, "western-allied attack we-2-us,we-7-us > 2108")["not-served"] == ("18.1.p16", "18.1.p17")
    p = answered(attack(p, "we-7-us", "2108", 4))
    p = run(p, "W second_movement")
    for unit in ("we-5-us", "we-12-us"):
        assert reach(p, unit) <= within(where(p, unit), UNITS[unit].move // 2)
    p = play(p, "western-allied move we-12-us @ 2103 > 2102")
    p = run(p, "W movement", 5)
    assert members(p.tired) == {"we-7-us", "we-12-us"}
    assert reach(p, "we-12-us") <= within("2102", 4) and reach(p, "we-12-us")
    q = lay("W combat", "we-7-us 2004, we-5-us 2004, wg-63 2005, eg-2 1019, su-4-gds-inf 0324", turn=5, tired="we-7-us")
    assert told(q, "western-allied attack we-7-us > 2005") == {"tired": ("18.1.p17",)}
    allowed(q, "western-allied attack we-5-us > 2005")


@rule("18.1.p18")
@ruling("R-G114")
def test_the_western_marker_is_back_every_turn() -> None:
    p = play(western(), "western-allied group us")
    p = run(p, "EG movement", 4)
    assert names([p.marker_western]) == ["2004"]
    p = run(p, "S movement", 5)
    assert p.marker_western == -1 and p.group == 0
    p = run(p, "W replacement", 5)
    allowed(p, "western-allied marker we-1-cn")
    # The other group this time: those who acted are served no more, the others are.
    p = run(play(p, "western-allied marker we-1-cn"), "W second_combat", 5)
    assert "western-allied group commonwealth" in legal(p)


@rule("18.1.p1")
@ruling("R-G117")
@ruling("R-G102")
def test_collapse_has_soviet_markers_only() -> None:
    with playing("collapse", "18.1"):
        p = lay("S replacement", "su-1-br 2516, eg-2 2514, su-1-bul box-s", turn=1)
        allowed(p, "soviet marker su-1-br")
        p = lay("EG replacement", "su-1-br 2516, eg-2 2514, eg-8 box-eg", turn=2)
        assert told(p, "western-allied marker eg-2") == {"no-markers": ("18.1.p1",)}


@rule("18.1.p16")
@ruling("R-G98")
@ruling("R-G114")
def test_the_ss_under_the_west_are_of_neither_group() -> None:
    with playing("expanded", "18.1", "13.2"):
        p = fallen("W replacement", "wg-1-ss 2004, we-5-us 2003, wg-2-ss 1904, su-4-gds-inf 0324, we-20-us box-w")
        allowed(p, "western-allied marker wg-1-ss")
        p = run(play(p, "western-allied marker we-5-us"), "W second_combat", 12)
        assert legal(p) == {"western-allied group us", "western-allied done"}
        p = play(p, "western-allied group us")
        assert members(p.eligible) == {"we-5-us"}


# ---------------------------------------------------------------------------------------------------------------------------
# The printed example


@rule("18.1.e1")
@rule("18.1.e2")
@rule("18.1.e3")
@ruling("R-G61")
@ruling("R-G113")
def test_the_printed_example_without_its_supply_ends_after_the_first_attacks() -> None:
    with playing("historical", "18.1", "18/6.3"):
        units = "eg-10 3823, eg-3-ss 3822, eg-2 3824, eg-16 3824, su-2-balt 3723, su-1-gds-inf 3723, su-1-gds-tk 3724, "
        units += f"su-3-balt 3725, su-3-gds-tk 3725, su-2-gds-inf 3825, {QUIET}".replace("eg-2 1019", "eg-9 1019")
        p = lay("S combat", units, turn=5)
        p = play(attack(p, "su-2-balt su-1-gds-inf su-1-gds-tk", "3823", 3), "soviet advance su-1-gds-tk > 3823")
        p = play(attack(p, "su-3-balt su-3-gds-tk su-2-gds-inf", "eg-2", 3), "soviet lose su-3-gds-tk", "soviet done")
        assert phase(p) not in {"S second_combat", "S second_movement"} and on(p, "3822") == {"eg-3-ss"}
        assert not check(p, "soviet attack su-2-balt,su-1-gds-inf,su-1-gds-tk > 3822").legal
        assert owed(p) == {}


@rule("18.1.p8")
@rule("18.1.p9")
@ruling("R-G124")
def test_what_has_two_phases_is_told_of_both() -> None:
    p = run(second("su-1-br 2525, su-1-gds-inf 2526, eg-16 2425"), "S second_movement", 4)
    reason = check(p, "soviet attack su-1-gds-inf > 2425").reasons[0]
    assert (reason.code, reason.paragraphs) == ("wrong-phase", ("3.0.a3", "18.1.p8"))
    assert reason.fact("own") == "Soviet Combat Phase and the Soviet Second Combat Phase"
    # A second phase moves, and does nothing else that a Movement Phase may do.
    q = run(second("su-1-br 2525, su-1-gds-inf 2526, eg-16 2425"), "S second_combat", 4)
    reason = check(q, "soviet move su-1-gds-inf @ 2526 > 2626").reasons[0]
    assert (reason.code, reason.paragraphs) == ("wrong-phase", ("3.0.a2", "18.1.p9"))
