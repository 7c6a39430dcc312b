"""Chapters 7, 8 and 9: losses and replacements, Courland, leaving the map."""

from __future__ import annotations

import msgspec
import pytest

from tests.games.bfg.facts import COURLAND, HEXES, PLAYABLE, RATES, apart, country, edge
from tests.games.bfg.layout import (
    BOOK,
    Pos,
    allowed,
    attack,
    force,
    lay,
    legal,
    members,
    on,
    phase,
    play,
    reach,
    refused,
    rule,
    ruling,
    step,
    where,
)

WEST = ("2513", "2612", "2713")
EAST = ("2514", "2614", "2714")


def returns(p: Pos) -> set[tuple[str, str]]:
    """(unit, hex) of every legal replacement."""
    return {(line.split()[2], line.split("> ")[1]) for line in legal(p) if " replace " in line}


def run(p: Pos, stop: str) -> Pos:
    """Ends phases until that one runs."""
    while phase(p) != stop:
        p = play(p, f"{p.agenda[-1].by[0]} done")
    return p


def picks(p: Pos) -> set[str]:
    """The units that an exit may take now."""
    return {line.split()[-1] for line in legal(p) if " take " in line}


@rule("7.0.p1")
@rule("7.1.a")
@rule("7.1.b1")
@rule("7.1.c")
@ruling("R-G63")
@ruling("R-G69")
def test_the_box_goes_by_side_and_place() -> None:
    cases = [
        ("S", "su-1-br 3726, su-1-gds-inf 3726", "su-1-br su-1-gds-inf", "eg-4-pz", "3725", "box-eg"),
        ("S", "su-1-br 3726, su-1-gds-inf 3726", "su-1-br su-1-gds-inf", "eg-1-hun", "3725", "box-eg"),
        ("W", "we-5-us 2211, we-20-us 2211", "we-5-us we-20-us", "wg-63", "2212", "box-wg"),
        ("EG", "eg-24-pz 3726, eg-39-pz 3726", "eg-24-pz eg-39-pz", "su-1-pol", "3725", "box-s"),
        ("EG", "eg-24-pz 1021, eg-39-pz 1021", "eg-24-pz eg-39-pz", "su-1-rom", "1022", "box-s"),
        ("WG", "wg-1-ss 2211, wg-2-ss 2211", "wg-1-ss wg-2-ss", "we-30-br", "2212", "box-w"),
        ("WG", "wg-1-ss 0712, wg-2-ss 0712", "wg-1-ss wg-2-ss", "we-30-br", "0611", "box-italy"),
        # A unit that began in France and fights in Italy, and the reverse: the hex decides.
        ("WG", "wg-1-ss 0712, wg-2-ss 0712", "wg-1-ss wg-2-ss", "we-5-us", "0611", "box-italy"),
        ("WG", "wg-1-ss 2211, wg-2-ss 2211", "wg-1-ss wg-2-ss", "we-13-br", "2212", "box-w"),
    ]
    assert country("0611") == "italy"
    for name, mine, units, victim, place, box in cases:
        p = lay(f"{name} combat", f"{mine}, {victim} {place}")
        outcomes = set()
        for die in range(1, 7):
            q = attack(p, units, place, die)
            outcomes.add(where(q, victim))
        assert box in outcomes and outcomes <= {box, place}, (victim, outcomes)
    # EG driven west and lost there: WG box.
    p = lay("W combat", "we-5-us 2412, we-20-us 2412, eg-4-pz 2513")
    assert force(p, "eg-4-pz") == "WG"
    assert where(attack(p, "we-5-us we-20-us", "2513", 1), "eg-4-pz") == "box-wg"


@rule("7.0.p2")
@rule("7.2.p1")
@ruling("R-G65")
@pytest.mark.parametrize("turn", range(2, 11))
def test_the_turn_track_gives_the_number(turn: int) -> None:
    boxes = {
        "S": (("su-1-pol", "su-2-pol", "su-1-rom"), "box-s", "3026", RATES[turn, "soviet"]),
        "WG": (("wg-63", "wg-64", "wg-90"), "box-wg", "2513", RATES[turn, "west_german"]),
        "W": (("we-4-us", "we-6-us", "we-8-us"), "box-w", "2001", RATES[turn, "western_allied"]),
        "EG": (("eg-8", "eg-20", "eg-27"), "box-eg", "2514", RATES[turn, "east_german"]),
    }
    for name, (units, box, _, rate) in boxes.items():
        # One more unit in the box than may return; the phase waits as long as something may.
        p = lay(f"{name} replacement", ", ".join(f"{u} {box}" for u in units) + ", we-30-br 1301, su-4-gds-inf 2826", turn=turn)
        assert p.rates == (rate, RATES[turn, "western_allied_italy"] if name == "W" else 0)
        for _ in range(rate):
            assert phase(p) == f"{name} replacement" and p.turn == turn
            p = play(p, min(line for line in legal(p) if " replace " in line))
        assert sum(where(p, u) == box for u in units) == 3 - rate
        if phase(p) == f"{name} replacement" and p.turn == turn:
            assert not returns(p)


@rule("7.2.p1")
@ruling("R-G65")
@ruling("R-G69")
def test_fewer_or_none_may_be_taken_and_the_italian_rate_is_apart() -> None:
    p = lay("W replacement", "we-4-us box-w, we-6-us box-w, we-8-us box-w, we-13-br box-italy, we-5-br box-italy", turn=4)
    assert p.rates == (2, 1)
    allowed(p, "western-allied done")
    p = play(p, "western-allied replace we-13-br > 0112")
    refused(p, "western-allied replace we-5-br > 0112", "7.2.p1")
    p = play(p, "western-allied replace we-4-us > 2001", "western-allied replace we-6-us > 2001")
    assert where(p, "we-8-us") == "box-w" and where(p, "we-5-br") == "box-italy"
    # Turn 3 has none for Italy.
    q = lay("W replacement", "we-4-us box-w, we-13-br box-italy", turn=3)
    assert RATES[3, "western_allied_italy"] == 0
    refused(q, "western-allied replace we-13-br > 0112", "7.2.p1")


@rule("7.2.p2")
@ruling("R-G65")
def test_nothing_is_saved_and_an_empty_box_gives_nothing() -> None:
    p = lay("S replacement", "su-1-pol box-s, su-2-pol box-s, su-1-rom box-s, su-4-gds-inf 2720, eg-2 0522", turn=4)
    p = play(p, "soviet done")
    p = play(p, "soviet done", "western-allied done")
    assert p.turn == 5 and phase(p) == "S replacement" and p.rates == (RATES[5, "soviet"], 0)
    empty = lay("S replacement", "su-4-gds-inf 2720, eg-2 0522", turn=5)
    assert legal(empty) == {"soviet done"}
    refused(empty, "soviet replace su-4-gds-inf > 2826", "7.2.p2")


@rule("7.2.a1")
@rule("7.2.a2")
@rule("7.1.b2")
@rule("7.1.b3")
@ruling("R-G9")
@ruling("R-G10")
@ruling("R-G64")
def test_the_weakest_first_for_soviets_and_germans() -> None:
    p = lay("S replacement", "su-1-br box-s, su-1-gds-tk box-s, su-1-pol box-s, su-1-rom box-s, su-1-yug box-s", turn=4)
    assert {u for u, _ in returns(p)} == {"su-1-pol", "su-1-rom"}
    refused(p, "soviet replace su-1-br > 2826", "7.2.a1")
    refused(p, "soviet replace su-1-yug > 2826", "7.1.b2")
    p = play(p, "soviet replace su-1-pol > 2826")
    assert {u for u, _ in returns(p)} == {"su-1-rom"}  # judged again after each
    p = lay("EG replacement", "eg-24-pz box-eg, eg-17 box-eg, eg-8 box-eg, eg-1-hun box-eg", turn=4)
    assert {u for u, _ in returns(p)} == {"eg-17"}
    p = play(p, "western-allied replace eg-17 > 2514")
    assert {u for u, _ in returns(p)} == {"eg-8"}
    # A Hungarian as the weakest is skipped.
    p = lay("EG replacement", "eg-24-pz box-eg, eg-1-hun box-eg", turn=4)
    assert {u for u, _ in returns(p)} == {"eg-24-pz"}
    refused(p, "western-allied replace eg-1-hun > 2514", "7.1.b2")
    # Only Hungarians: nobody.
    p = lay("EG replacement", "eg-1-hun box-eg, eg-3-hun box-eg", turn=4)
    assert not returns(p)


@rule("7.2.a3")
@rule("7.2.x2")
def test_any_western_unit_may_return() -> None:
    p = lay("W replacement", "we-5-us box-w, we-7-us box-w, we-4-us box-w", turn=6)
    assert {u for u, _ in returns(p)} == {"we-5-us", "we-7-us", "we-4-us"}
    p = play(p, "western-allied replace we-5-us > 2101", "western-allied replace we-4-us > 2101")
    p = run(p, "W movement")
    assert reach(p, "we-5-us") and reach(p, "we-4-us")


@rule("7.2.b1")
@rule("7.2.c")
@rule("7.2.d1")
@rule("7.2.x1")
@ruling("R-G66")
def test_germans_arrive_beside_berlin_on_their_side() -> None:
    p = lay("WG replacement", "wg-63 box-wg, we-4-us 1301", turn=4)
    assert returns(p) == {("wg-63", h) for h in WEST}
    refused(p, "soviet replace wg-63 > 2613", "7.2.b1")
    refused(p, "soviet replace wg-63 > 2512", "7.2.b1")
    p = lay("EG replacement", "eg-8 box-eg, su-4-gds-inf 2826", turn=4)
    assert returns(p) == {("eg-8", h) for h in EAST}
    refused(p, "western-allied replace eg-8 > 2513", "7.2.d1")
    # Not where enemies (or their Allies) stand.
    p = lay("EG replacement", "eg-8 box-eg, su-4-gds-inf 2514, we-4-us 2614", turn=4)
    assert returns(p) == {("eg-8", "2714")}
    refused(p, "western-allied replace eg-8 > 2514", "7.2.c")
    refused(p, "western-allied replace eg-8 > 2614", "7.2.c")


@rule("7.2.b2")
@ruling("R-G68")
def test_a_returned_german_moves_double_that_turn_only() -> None:
    p = play(
        lay("EG replacement", "eg-8 box-eg, eg-20 box-eg, su-4-gds-inf 3026", turn=4),
        "western-allied replace eg-8 > 2514",
        "western-allied done",
    )
    double = reach(p, "eg-8")
    single = reach(lay("EG movement", "eg-8 2514, su-4-gds-inf 3026", turn=4), "eg-8")
    assert single < double and members(p.doubled) == {"eg-8"}
    p = run(play(p, "western-allied done"), "EG movement")
    assert p.turn == 5 and reach(p, "eg-8") == single
    # Allies return with their printed allowance.
    q = run(play(lay("W replacement", "we-4-us box-w, wg-63 2408", turn=4), "western-allied replace we-4-us > 1301"), "W movement")
    assert reach(q, "we-4-us") == reach(lay("W movement", "we-4-us 1301, wg-63 2408", turn=4), "we-4-us")


@rule("7.2.d1")
@rule("7.2.d2")
@ruling("R-G66")
@ruling("R-G67")
def test_blocked_by_enemies_the_other_theater_takes_them() -> None:
    blocked = "su-1-gds-inf 2514, su-2-gds-inf 2614, su-3-gds-inf 2714"
    p = lay("EG replacement", f"eg-8 box-eg, {blocked}, we-4-us 1301", turn=4)
    assert returns(p) == {("eg-8", h) for h in WEST}
    p = play(p, "western-allied replace eg-8 > 2612")
    assert force(p, "eg-8") == "WG"
    # It moves next turn with WG, not doubled.
    p = run(p, "WG movement")
    assert p.turn == 5 and reach(p, "eg-8") == reach(lay("WG movement", f"eg-8 2612, {blocked}, we-4-us 1301", turn=5), "eg-8")
    # WG sent east: EG at once, doubled in this turn's EG phase.
    q = lay("WG replacement", "wg-63 box-wg, we-4-us 2513, we-6-us 2612, we-8-us 2713, su-4-gds-inf 3026", turn=4)
    q = play(q, "soviet replace wg-63 > 2614")
    assert force(q, "wg-63") == "EG" and members(q.doubled) == {"wg-63"}
    q = run(q, "EG movement")
    assert q.turn == 4
    assert reach(lay("EG movement", "wg-63 2614, we-4-us 2513, we-6-us 2612, we-8-us 2713, su-4-gds-inf 3026", turn=4), "wg-63") < reach(
        q, "wg-63"
    )
    # Either Ally blocks; friends do not send anybody across.
    mixed = lay("EG replacement", "eg-8 box-eg, su-1-gds-inf 2514, we-4-us 2614, su-3-gds-inf 2714", turn=4)
    assert returns(mixed) == {("eg-8", h) for h in WEST}
    full = lay("EG replacement", "eg-8 box-eg, su-1-gds-inf 2514, su-2-gds-inf 2614, eg-6 2714, eg-9 2714", turn=4)
    assert not returns(full)
    refused(full, "western-allied replace eg-8 > 2714", "7.2.e4")
    refused(full, "western-allied replace eg-8 > 2513", "7.2.d1")
    # All six held: the rate is lost, the unit stays.
    lost = lay("EG replacement", f"eg-8 box-eg, {blocked}, we-4-us 2513, we-6-us 2612, we-8-us 2713", turn=4)
    assert not returns(lost)
    refused(lost, "western-allied replace eg-8 > 2612", "7.2.d2")
    assert where(play(lost, "western-allied done"), "eg-8") == "box-eg"
    # Across, the same hexes serve: not those held by enemies.
    two = lay("EG replacement", f"eg-8 box-eg, {blocked}, we-4-us 2513", turn=4)
    assert returns(two) == {("eg-8", "2612"), ("eg-8", "2713")}
    refused(two, "western-allied replace eg-8 > 2513", "7.2.c")


@rule("7.2.e1")
@rule("7.2.e4")
@ruling("R-G73")
def test_soviets_arrive_on_the_east_edge_north_of_yugoslavia() -> None:
    p = lay("S replacement", "su-1-pol box-s, eg-2 0522", turn=4)
    expected = {f"{row:02}26" for row in range(9, 40) if f"{row:02}26" in PLAYABLE}
    assert {h for _, h in returns(p)} == expected and all(edge(h, "E") for h in expected)
    assert country("0826") == "yugoslavia"
    refused(p, "soviet replace su-1-pol > 0826", "7.2.e1")
    refused(p, "soviet replace su-1-pol > 2825", "7.2.e1")
    # An enemy closes its own hex only; a full hex is closed; a Front does not join a Front.
    p = lay("S replacement", "su-1-pol box-s, eg-2 2026, su-1-gds-inf 2126, su-2-gds-inf 2126, su-1-br 2226", turn=4)
    assert {h for _, h in returns(p)} == expected - {"2026", "2126"}
    refused(p, "soviet replace su-1-pol > 2126", "7.2.e4")
    refused(p, "soviet replace su-1-pol > 2026", "7.2.e4")
    q = lay("S replacement", "su-2-br box-s, eg-2 0522, su-1-br 2226", turn=4)
    refused(q, "soviet replace su-2-br > 2226", "7.2.e4")


@rule("7.2.e2")
@ruling("R-G73")
def test_the_west_arrives_from_2301_southward() -> None:
    p = lay("W replacement", "we-4-us box-w, wg-63 2101, we-5-us 2001, we-6-us 2001", turn=4)
    expected = {f"{row:02}01" for row in range(1, 24) if f"{row:02}01" in PLAYABLE}
    assert {h for _, h in returns(p)} == expected - {"2101", "2001"}
    refused(p, "western-allied replace we-4-us > 2001", "7.2.e4")
    refused(p, "western-allied replace we-4-us > 2101", "7.2.e4")
    refused(p, "western-allied replace we-4-us > 2401", "7.2.e2")
    refused(p, "western-allied replace we-4-us > 0112", "7.2.e2")


@rule("7.2.e3")
@ruling("R-G69")
@ruling("R-G73")
def test_the_italian_front_arrives_on_the_south_edge_of_italy() -> None:
    p = lay("W replacement", "we-13-br box-italy, we-5-us box-italy, wg-63 0114", turn=4)
    expected = {h for h in PLAYABLE if edge(h, "entry_italy")}
    assert expected and all(h.startswith("01") and country(h) == "italy" for h in expected)
    assert {h for _, h in returns(p)} == expected - {"0114"}
    assert {u for u, _ in returns(p)} == {"we-13-br", "we-5-us"}
    refused(p, "western-allied replace we-13-br > 2001", "7.2.e3")
    refused(p, "western-allied replace we-13-br > 0114", "7.2.e4")


@rule("7.2.f")
@ruling("R-G29")
def test_an_arrival_in_a_zoc_stands_still_for_one_movement_phase() -> None:
    p = lay("S replacement", "su-1-pol box-s, su-2-pol box-s, eg-10 2925, su-4-gds-inf 2326, wg-63 2408, we-4-us 1301", turn=4)
    p = play(p, "soviet replace su-1-pol > 2926", "soviet replace su-2-pol > 2626")
    assert phase(p) == "S movement"
    refused(p, "soviet move su-1-pol @ 2926 > 3026", "7.2.f")
    assert not reach(p, "su-1-pol") and reach(p, "su-2-pol")
    p = play(p, "soviet done")
    assert phase(p) == "S combat"
    allowed(p, "soviet attack su-1-pol > 2925")
    # Next turn it moves.
    q = run(play(p, "soviet done"), "S movement")
    assert q.turn == 5 and reach(q, "su-1-pol")
    # Locked: no exit either.
    e = lay("EG movement", "eg-24-pz 2026, su-4-gds-inf 3026", locked="eg-24-pz")
    refused(e, "western-allied exit eg-24-pz @ 2026 > 2026", "7.2.f")
    e = lay("EG movement", "eg-24-pz 3822, su-4-gds-inf 3026", locked="eg-24-pz")
    refused(e, "western-allied evacuate eg-24-pz", "7.2.f")


@rule("8.0.p1")
@rule("12.1")
@ruling("R-G75")
def test_courland_sets_up_four_units_two_a_hex() -> None:
    p = BOOK.start()
    assert p.agenda[-1].by == ("western-allied",)
    refused(p, "western-allied done", "8.0.p1")
    refused(p, "western-allied setup eg-6 > 3823", "8.0.p1")
    refused(p, "soviet setup eg-2 > 3823", "2.5.a")
    refused(p, "western-allied setup eg-2 > 3722", "8.0.p1")
    for name in COURLAND:
        q = play(p, f"western-allied setup eg-2 > {name}", f"western-allied setup eg-10 > {name}")
        refused(q, f"western-allied setup eg-16 > {name}", "5.1.p1")
        refused(q, f"western-allied setup eg-2 > {name}", "8.0.p1")  # once
    p = play(p, "western-allied setup eg-2 > 3924", "western-allied setup eg-10 > 3924", "western-allied setup eg-16 > 3923")
    p = play(p, "western-allied setup eg-3-ss > 3923")
    assert p.turn == 1 and phase(p) == "S movement"


@rule("8.0.p2")
def test_two_fronts_stand_beside_courland() -> None:
    p = BOOK.start()
    assert where(p, "su-2-balt") == "3723" and where(p, "su-3-balt") == "3725"


@rule("8.0.p3")
@rule("8.0.p4")
@ruling("R-G76")
def test_evacuation_takes_an_unmoved_east_german_from_an_anchor_hex() -> None:
    p = lay("EG movement", "eg-3-ss 3822, eg-6 3923, eg-2 3823, su-4-gds-inf 3026", turn=3)
    allowed(p, "western-allied evacuate eg-3-ss", "western-allied evacuate eg-6")  # the four or any other
    refused(p, "western-allied evacuate eg-2", "8.0.p4", "8.0.p3")
    q = play(p, "western-allied move eg-2 @ 3823 > 3822")
    refused(q, "western-allied evacuate eg-2", "8.0.p4")  # it did not start there
    q = play(p, "western-allied evacuate eg-3-ss", "chance roll evacuation 3", "western-allied land > 2815")
    refused(q, "western-allied evacuate eg-6", "8.0.p7")
    refused(q, "western-allied move eg-3-ss @ 2815 > 2814", "5.0.p3")  # it replaces the move
    # Not in another phase, not another force, not out of anywhere else.
    refused(lay("EG combat", "eg-3-ss 3822, su-1-gds-inf 3723"), "western-allied evacuate eg-3-ss", "3.0.b5")
    refused(
        lay("W movement", "we-4-us 3822, wg-63 2408"),
        "western-allied evacuate we-4-us",
        "8.0.p3",
    )
    refused(lay("EG movement", "eg-3-ss 3120, su-4-gds-inf 3026"), "western-allied evacuate eg-3-ss", "8.0.p4")


@ruling("R-G76")
@ruling("R-G30")
def test_evacuation_ignores_zoc_at_either_end_and_the_unit_may_attack() -> None:
    p = lay("EG movement", "eg-3-ss 3822, su-1-gds-inf 3723, su-2-gds-inf 2816", turn=3)
    p = play(p, "western-allied evacuate eg-3-ss", "chance roll evacuation 6", "western-allied land > 2815", "western-allied done")
    assert phase(p) == "EG combat"
    allowed(p, "western-allied attack eg-3-ss > 2816")  # 7 : 14


@rule("8.0.p5")
@rule("8.0.p6")
@ruling("R-G76")
def test_the_evacuation_die() -> None:
    p = play(lay("EG movement", "eg-3-ss 3822, eg-2 3822, su-4-gds-inf 3026", turn=3), "western-allied evacuate eg-3-ss")
    assert legal(p) == {f"chance roll evacuation {die}" for die in range(1, 7)}
    refused(p, "western-allied move eg-2 @ 3822 > 3823")
    dead = play(p, "chance roll evacuation 1")
    assert where(dead, "eg-3-ss") == "box-eg" and step(dead) == "movement" and dead.attempts == 1
    for die in range(2, 7):
        q = play(p, f"chance roll evacuation {die}")
        assert step(q) == "landing" and q.agenda[-1].by == ("western-allied",)
        assert legal(q) == {"western-allied land > 2815", "western-allied land > 2912"}
        refused(q, "western-allied land > 3120", "8.0.p6")
        refused(q, "western-allied done")
        assert where(play(q, "western-allied land > 2912"), "eg-3-ss") == "2912"


@rule("8.0.p6")
@ruling("R-G76")
def test_ports_close_for_good_when_entered_and_while_full() -> None:
    # W driven into Rostock closes it, too; a unit beside a port does not.
    near = lay("EG movement", "eg-3-ss 3822, su-1-gds-inf 2816, su-2-gds-inf 2814", turn=3)
    p = play(near, "western-allied evacuate eg-3-ss", "chance roll evacuation 5")
    assert legal(p) == {"western-allied land > 2815", "western-allied land > 2912"}
    one = lay("EG movement", "eg-3-ss 3822, eg-6 2815, su-4-gds-inf 3026", turn=3)
    q = play(one, "western-allied evacuate eg-3-ss", "chance roll evacuation 5")
    assert "western-allied land > 2815" in legal(q)  # one friend leaves room
    # Both closed before the roll: refused.
    shut = msgspec.structs.replace(near, ports_entered=3)
    refused(shut, "western-allied evacuate eg-3-ss", "8.0.p6")


@rule("8.0.p4")
def test_a_unit_that_came_to_the_coast_this_phase_did_not_start_there() -> None:
    p = lay("EG movement", "eg-3-ss 3822, eg-2 3823, su-4-gds-inf 3026", turn=3)
    refused(play(p, "western-allied move eg-2 @ 3823 > 3822"), "western-allied evacuate eg-2", "8.0.p4")


@rule("8.0.p6")
@ruling("R-G76")
def test_no_landing_on_an_ally() -> None:
    held = lay("EG movement", "eg-3-ss 3822, su-1-gds-inf 2815", turn=3)
    r = play(held, "western-allied evacuate eg-3-ss", "chance roll evacuation 5")
    assert where(r, "eg-3-ss") == "2912"


@rule("8.0.p6")
@ruling("R-G76")
@pytest.mark.parametrize("how", ["advance", "retreat", "pass"])
def test_every_entry_of_a_port_counts(how: str) -> None:
    if how == "advance":
        p = attack(lay("S combat", "su-1-br 2814, su-1-gds-inf 2814, eg-4-pz 2815, eg-2 3822"), "su-1-br su-1-gds-inf", "2815", 1)
        assert not p.ports_entered
        p = play(p, "soviet advance su-1-br > 2815")
    elif how == "retreat":
        p = attack(lay("EG combat", "su-1-pol 2814, eg-24-pz 2714, eg-39-pz 2714, eg-2 3822"), "eg-24-pz eg-39-pz", "2814", 4)
        p = play(p, "soviet retreat su-1-pol > 2815")
    else:
        p = play(lay("S movement", "su-1-gds-inf 2814, eg-2 3822"), "soviet move su-1-gds-inf @ 2814 > 2814 via 2815")
    assert p.ports_entered.bit_count() == 1


@rule("8.0.p7")
@ruling("R-G8")
def test_one_attempt_a_game_from_turn_3() -> None:
    for turn in (1, 2):
        refused(lay("EG movement", "eg-3-ss 3822, su-4-gds-inf 3026", turn=turn), "western-allied evacuate eg-3-ss", "8.0.p7")
    for turn in (3, 10):
        allowed(lay("EG movement", "eg-3-ss 3822, su-4-gds-inf 3026", turn=turn), "western-allied evacuate eg-3-ss")
    refused(lay("EG movement", "eg-3-ss 3822, su-4-gds-inf 3026", turn=5, attempts=1), "western-allied evacuate eg-3-ss", "8.0.p7")


@rule("8.0.p8")
@ruling("R-G7")
def test_courland_units_exit_like_others_by_row_35_at_most() -> None:
    p = lay("EG movement", "eg-3-ss 3726, eg-2 3826, su-4-gds-inf 3026")
    refused(p, "western-allied exit eg-3-ss @ 3726 > 3726", "9.0.p4")
    refused(p, "western-allied exit eg-2 @ 3826 > 3826", "9.0.p4")
    allowed(p, "western-allied exit eg-3-ss @ 3726 > 3526 via 3626")


@rule("9.0.p1")
@ruling("R-G74")
def test_only_germans_leave() -> None:
    for name, unit, place in (("S", "su-1-gds-inf", "2026"), ("S", "su-1-yug", "0926"), ("W", "we-5-us", "2001"), ("W", "we-5-us", "0112")):
        p = lay(f"{name} movement", f"{unit} {place}, eg-2 0522, wg-63 2408")
        refused(p, f"{p.agenda[-1].by[0]} exit {unit} @ {place} > {place}", "9.0.p1")
        assert not any(" exit " in line for line in legal(p))


@rule("9.0.p2")
@ruling("R-G78")
def test_four_points_must_be_left_doubled_ones_count() -> None:
    p = lay("EG movement", "eg-8 2025, su-4-gds-inf 3026")
    refused(p, "western-allied exit eg-8 @ 2025 > 2026", "9.0.p2")
    allowed(lay("EG movement", "eg-8 2026, su-4-gds-inf 3026"), "western-allied exit eg-8 @ 2026 > 2026")
    allowed(lay("EG movement", "eg-8 2025, su-4-gds-inf 3026", doubled="eg-8"), "western-allied exit eg-8 @ 2025 > 2026")


@rule("9.0.p3")
@rule("9.0.p4")
@rule("9.0.p5")
def test_the_three_exit_stretches() -> None:
    cases = [
        ("WG", "wg-1-ss", "1501", "9.0.p3", False),
        ("WG", "wg-1-ss", "1601", "9.0.p3", True),
        ("WG", "wg-1-ss", "2301", "9.0.p3", True),
        ("WG", "wg-1-ss", "2401", "9.0.p3", False),
        ("EG", "eg-24-pz", "0826", "9.0.p4", False),
        ("EG", "eg-24-pz", "0926", "9.0.p4", True),
        ("EG", "eg-24-pz", "3526", "9.0.p4", True),
        ("EG", "eg-24-pz", "3626", "9.0.p4", False),
        ("WG", "wg-1-ss", "0112", "9.0.p5", True),
        ("WG", "wg-1-ss", "0117", "9.0.p5", True),
    ]
    for name, unit, place, paragraph, open_ in cases:
        p = lay(f"{name} movement", f"{unit} {place}, su-4-gds-inf 2720, we-4-us 1604")
        line = f"{p.agenda[-1].by[0]} exit {unit} @ {place} > {place}"
        assert place in PLAYABLE
        if open_:
            allowed(p, line)
        else:
            refused(p, line, paragraph)
    # EG by the south, WG by the east: the line parts them; inner hexes are no exit at all.
    p = lay("EG movement", "eg-24-pz 2514, su-4-gds-inf 3026")
    assert not any(" exit " in line for line in legal(p))
    assert not lay("EG movement", "eg-24-pz 2514").flipped


@rule("9.0.a1")
@rule("9.0.a2")
@ruling("R-G6")
@ruling("R-G79")
@ruling("R-G80")
@ruling("R-G120")
def test_the_nearest_two_of_the_front_of_that_edge() -> None:
    # East: S only, though W stand nearer; garrisons and Yugoslavs count.
    units = "eg-24-pz 2026, we-4-us 2025, su-1-gds-inf 2024, su-2-gds-inf 2224, su-3-gds-inf 2124, su-4-gds-inf 2723"
    p = play(lay("EG movement", units), "western-allied exit eg-24-pz @ 2026 > 2026")
    distance = {u: apart("2026", where(p, u)) for u in ("su-1-gds-inf", "su-2-gds-inf", "su-3-gds-inf")}
    assert distance == {"su-1-gds-inf": 2, "su-2-gds-inf": 3, "su-3-gds-inf": 3}
    refused(p, "western-allied take we-4-us", "9.0.a1")
    refused(p, "western-allied take su-4-gds-inf", "9.0.a1")
    p = play(p, "western-allied take su-1-gds-inf")
    assert picks(p) == {"su-2-gds-inf", "su-3-gds-inf"}
    p = play(p, "western-allied take su-3-gds-inf")
    assert step(p) == "movement"
    refused(p, "western-allied take su-2-gds-inf")
    # West: W outside Italy, chosen by the Soviet player; south: W inside Italy.
    west = "wg-1-ss 1601, we-4-us 2001, we-5-us 0706, we-6-us 1801, su-1-gds-inf 1602"
    p = play(lay("WG movement", west), "soviet exit wg-1-ss @ 1601 > 1601")
    assert p.agenda[-1].by == ("soviet",) and picks(p) == {"we-6-us", "we-4-us"}
    south = "wg-1-ss 0112, we-4-us 0611, we-5-us 0706, we-6-us 0301"
    p = play(lay("WG movement", south), "soviet exit wg-1-ss @ 0112 > 0112")
    assert picks(p) == {"we-4-us", "we-5-us"}
    yugoslavs = "eg-24-pz 0926, su-1-yug 0826, su-1-br 2723, su-4-gds-inf 3026"
    p = play(lay("EG movement", yugoslavs), "western-allied exit eg-24-pz @ 0926 > 0926", "western-allied take su-1-yug")
    assert picks(p) == {"su-1-br" if apart("0926", "2723") < apart("0926", "3026") else "su-4-gds-inf"}


@ruling("R-G80")
def test_order_of_picking_does_not_let_a_far_unit_replace_a_near_one() -> None:
    units = "eg-24-pz 2026, su-1-gds-inf 2025, su-2-gds-inf 2024, su-3-gds-inf 2023, su-4-gds-inf 2022"
    p = play(lay("EG movement", units), "western-allied exit eg-24-pz @ 2026 > 2026")
    assert picks(p) <= {"su-1-gds-inf", "su-2-gds-inf"} and "su-1-gds-inf" in picks(p)
    q = play(p, "western-allied take su-1-gds-inf")
    assert picks(q) == {"su-2-gds-inf"}
    allowed(q, "western-allied done")  # one is enough, or none
    # A second exit takes the next two that are not flipped.
    units += ", eg-39-pz 2126"
    p = play(lay("EG movement", units), "western-allied exit eg-24-pz @ 2026 > 2026")
    p = play(p, "western-allied take su-1-gds-inf", "western-allied take su-2-gds-inf")
    p = play(p, "western-allied exit eg-39-pz @ 2126 > 2126")
    p = play(p, "western-allied take su-3-gds-inf")
    assert picks(p) == {"su-4-gds-inf"}
    p = play(p, "western-allied done")
    assert [where(p, f"su-{n}-gds-inf") for n in (1, 2, 3)] == ["out"] * 3 and where(p, "su-4-gds-inf") == "2022"


@rule("9.0.a3")
@rule("9.0.a4")
@rule("9.0.a5")
@rule("9.0.a6")
@ruling("R-G82")
@ruling("R-G63")
def test_flipped_units_hold_until_the_phase_ends_and_never_return() -> None:
    units = "eg-24-pz 2026, eg-10 2223, eg-39-pz 2122, su-1-gds-inf 2023, su-2-gds-inf 2024, su-9 1111"
    units = units.replace(", su-9 1111", "")
    p = play(lay("EG movement", units, turn=4), "western-allied exit eg-24-pz @ 2026 > 2026")
    p = play(p, "western-allied take su-2-gds-inf", "western-allied take su-1-gds-inf")
    assert members(p.flipped) == {"su-1-gds-inf", "su-2-gds-inf"} and where(p, "su-1-gds-inf") == "2023"
    refused(p, "western-allied move eg-10 @ 2223 > 2122 via 2123", "4.0.p2")  # ZOC
    refused(p, "western-allied move eg-39-pz @ 2122 > 2023", "5.0.a3")  # the hex
    p = play(p, "western-allied done")
    assert where(p, "su-1-gds-inf") == where(p, "su-2-gds-inf") == where(p, "eg-24-pz") == "out"
    assert not p.flipped and not any(on(p, box) for box in ("box-s", "box-eg", "box-w", "box-wg", "box-italy"))
    # Removal comes before combat: there is nobody to fight, and nothing ever returns.
    assert phase(p) != "EG combat"
    back = lay("S replacement", "su-4-gds-inf 3026, eg-2 0522", turn=5)
    refused(back, "soviet replace su-1-gds-inf > 2826", "9.0.a6")
    gone = lay("EG replacement", "su-4-gds-inf 3026, eg-2 0522", turn=5)
    refused(gone, "western-allied replace eg-24-pz > 2614", "9.0.a6")


@rule("9.0.b")
@ruling("R-G81")
@ruling("R-G79")
def test_with_the_front_empty_units_of_its_box_are_taken() -> None:
    # One left: it alone.
    p = play(lay("EG movement", "eg-24-pz 2026, su-1-gds-inf 2720, su-1-pol box-s"), "western-allied exit eg-24-pz @ 2026 > 2026")
    assert picks(p) == {"su-1-gds-inf"}
    p = play(p, "western-allied take su-1-gds-inf")
    assert step(p) != "take" and where(p, "su-1-pol") == "box-s"
    # None left: two of the box, any.
    units = "eg-24-pz 2026, su-1-pol box-s, su-1-br box-s, su-1-yug box-s, we-4-us box-w, we-5-us 1604"
    p = play(lay("EG movement", units), "western-allied exit eg-24-pz @ 2026 > 2026")
    assert picks(p) == {"su-1-pol", "su-1-br", "su-1-yug"}
    refused(p, "western-allied take we-4-us", "9.0.b")
    p = play(p, "western-allied take su-1-br")
    assert where(p, "su-1-br") == "out"  # at once
    p = play(p, "western-allied take su-1-yug")
    assert where(p, "su-1-yug") == "out" and where(p, "su-1-pol") == "box-s" and step(p) != "take"
    # All left are flipped: the box again.
    units = "eg-24-pz 2026, eg-39-pz 2126, su-1-gds-inf 2720, su-1-pol box-s, su-2-pol box-s"
    p = play(lay("EG movement", units), "western-allied exit eg-24-pz @ 2026 > 2026", "western-allied take su-1-gds-inf")
    p = play(p, "western-allied exit eg-39-pz @ 2126 > 2126")
    assert picks(p) == {"su-1-pol", "su-2-pol"}
    # The Italian front has its own box; West the other.
    units = "wg-1-ss 0112, we-4-us 1604, we-5-us box-italy, we-6-us box-w"
    p = play(lay("WG movement", units), "soviet exit wg-1-ss @ 0112 > 0112")
    assert picks(p) == {"we-5-us"}
    # Nothing at all: no choice is asked.
    p = play(lay("WG movement", "wg-1-ss 0112, wg-2-ss 2408, we-4-us 1604"), "soviet exit wg-1-ss @ 0112 > 0112")
    assert step(p) != "take"


def test_edges_in_the_data_are_the_printed_stretches() -> None:
    assert {h for h in HEXES if edge(h, "exit_west")} == {f"{row}01" for row in range(16, 24)}
    assert {h for h in HEXES if edge(h, "exit_east")} == {f"{row:02}26" for row in range(9, 36)}
    assert {h for h in HEXES if edge(h, "exit_south")} == {f"01{column}" for column in range(12, 18)}
