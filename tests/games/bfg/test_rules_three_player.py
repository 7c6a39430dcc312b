"""Chapter 16: three players, one of them all the Germans."""

from __future__ import annotations

import re

import pytest

from tests.games.bfg.facts import BERLIN, CITIES, COURLAND, CRT, JOINED, NEAR, RATES, UNITS, apart, rows, theater
from tests.games.bfg.layout import (
    allowed,
    answered,
    attack,
    by,
    check,
    cited,
    force,
    holder,
    in_use,
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

FAR = "su-4-gds-inf 0324, we-6-us 0601"
BESIDE = set(JOINED[BERLIN])


@pytest.fixture(autouse=True)
def three() -> object:
    """Every test here is played by three."""
    with playing("three_player") as book:
        yield book


@rule("16.0")
@rule("16.2")
@ruling("R-G106")
@ruling("R-G120")
@ruling("R-G75")
def test_the_german_player_runs_all_germans_and_sets_up_courland() -> None:
    sheet = {row["piece"]: row["place"] for row in rows("setups") if row["setup"] == "hist"}
    p = in_use().start()
    for piece, unit in UNITS.items():
        assert where(p, piece) == ("unplaced" if sheet[piece] == "courland" else sheet[piece]), piece
        assert force(p, piece) == (unit.force if unit.force in {"S", "W"} else "G")
    assert step(p) == "set-up" and by(p) == "german"
    assert legal(p) == {f"german setup {u} > {h}" for u in ("eg-2", "eg-3-ss", "eg-10", "eg-16") for h in COURLAND}
    assert told(p, "western-allied setup eg-2 > 3822")
    assert in_use().game.players == ("soviet", "western-allied", "german")


@rule("16.0")
@ruling("R-G120")
def test_retreats_of_all_germans_are_the_german_players_and_advances_the_victors() -> None:
    for unit, place, foes in (("eg-10", "2514", "su-1-gds-inf su-1-br"), ("wg-75", "2411", "su-1-gds-inf su-1-br")):
        gate = "2515" if place == "2514" else "2410"
        foes_at = ", ".join(f"{u} {gate}" for u in foes.split())
        p = attack(lay("S combat", f"{unit} {place}, {foes_at}, we-6-us 0601"), foes, place, 4)
        assert step(p) == "retreat" and by(p) == "german"
        p = play(p, sorted(legal(p))[0])
        assert step(p) == "advance" and by(p) == "soviet"


@rule("16.0")
@rule("6.3.e")
@ruling("R-G120")
@ruling("R-G53")
def test_one_german_attack_on_both_allies_asks_each_for_his_own_units() -> None:
    p = lay("G combat", "wg-1-ss 2513, wg-2-ss 2513, su-1-bul 2514, we-5-us 2412, eg-2 0522")
    q = attack(p, "wg-1-ss wg-2-ss", "2412 2514", 3)
    assert step(q) == "retreat" and set(q.agenda[-1].by) == {"soviet", "western-allied"}
    assert {text.split()[2] for text in legal(q) if text.startswith("soviet")} == {"su-1-bul"}
    assert told(q, "soviet retreat we-5-us > 2411") == {"not-yours": ("3.0.p1", "16.0")}
    q = play(q, "western-allied retreat we-5-us > 2411", "soviet retreat su-1-bul > 2515")
    assert by(q) == "german" and {text.split("> ")[1] for text in legal(q) if "advance" in text} == {"2412", "2514"}
    # The other way round either Ally may follow up, one of them.
    q = attack(p, "wg-1-ss wg-2-ss", "2412 2514", 6)
    assert CRT["1:1", 6] == "AE" and set(q.agenda[-1].by) == {"soviet", "western-allied"}
    assert legal(q) == {
        "soviet advance su-1-bul > 2513",
        "soviet done",
        "western-allied advance we-5-us > 2513",
        "western-allied done",
    }
    late = play(q, "soviet done")
    assert legal(late) == {"western-allied advance we-5-us > 2513", "western-allied done"}
    assert step(play(q, "soviet advance su-1-bul > 2513")) != "advance"


@rule("16.1")
@rule("16.1.a")
@rule("16.1.b")
@rule("16.1.c")
@rule("16.1.d")
@ruling("R-G106")
@ruling("R-G119")
def test_soviets_germans_and_the_west_take_their_player_turns_in_this_order() -> None:
    units = "su-1-gds-inf 2515, su-1-bul box-s, eg-24-pz 2514, eg-8 box-eg, we-5-us 2004, we-7-us box-w, wg-63 2005"
    p = lay("S replacement", units, turn=9)
    seen = []
    while p.turn == 9:
        if not seen or seen[-1] != (phase(p), by(p)):
            seen.append((phase(p), by(p)))
        p = play(p, f"{by(p)} done")
    kinds = ("replacement", "movement", "combat")
    names = (("S", "soviet"), ("G", "german"), ("W", "western-allied"))
    assert seen == [(f"{name} {kind}", player) for name, player in names for kind in kinds]
    assert p.turn == 10
    p = run(p, "W combat", 10)
    p = play(p, "western-allied done")
    assert in_use().over(p)


@rule("16.1.a1")
@rule("16.1.b1")
@rule("16.1.c1")
@ruling("R-G121")
@pytest.mark.parametrize(
    ("name", "line", "paragraph"),
    [
        ("S", "soviet replace su-1-bul > 2526", "16.1.a1"),
        ("G", "german replace eg-8 > 2514", "16.1.b1"),
        ("W", "western-allied replace we-7-us > 2001", "16.1.c1"),
    ],
)
def test_no_player_has_replacements_on_turn_1(name: str, line: str, paragraph: str) -> None:
    units = f"su-1-bul box-s, eg-8 box-eg, we-7-us box-w, {FAR}"
    refused(lay(f"{name} replacement", units, turn=1), line, paragraph)
    allowed(lay(f"{name} replacement", units, turn=2), line)


@rule("16.1.a2")
@rule("16.1.b2")
@rule("16.1.c2")
def test_each_movement_phase_moves_that_players_units_and_no_others() -> None:
    units = "su-1-gds-inf 2620, su-1-yug 1019, su-1-rom 1125, eg-10 2217, eg-1-hun 1419, wg-63 1512, we-5-us 2004, we-2-pol 0512"
    for name, mine in (
        ("S", {"su-1-gds-inf", "su-1-yug", "su-1-rom"}),
        ("G", {"eg-10", "eg-1-hun", "wg-63"}),
        ("W", {"we-5-us", "we-2-pol"}),
    ):
        p = lay(f"{name} movement", units)
        assert {text.split()[2] for text in legal(p) if " move " in text} == mine
    p = lay("S movement", units)
    assert "16.1.a2" in cited(p, "soviet move eg-10 @ 2217 > 2216")
    p = lay("G movement", units)
    assert "16.1.b2" in cited(p, "german move we-5-us @ 2004 > 2003")
    assert told(p, "soviet move su-1-gds-inf @ 2620 > 2619")
    assert "16.1.c2" in cited(lay("W movement", units), "western-allied move eg-10 @ 2217 > 2216")


@rule("16.1.a3")
@rule("16.1.b3")
@rule("16.1.c3")
@ruling("R-G22")
@ruling("R-G4")
@ruling("R-G106")
def test_either_ally_fights_any_german_and_any_german_either_ally_and_the_allies_not_each_other() -> None:
    units = "su-1-gds-inf 2514, we-7-us 2412, wg-1-ss 2513, eg-24-pz 2413"
    # The German stacks and attacks with all his units.
    assert {"2513", "2413"} <= set(NEAR["2514"]) & set(NEAR["2412"])
    p = lay("S combat", units)
    allowed(p, "soviet attack su-1-gds-inf > 2513", "soviet attack su-1-gds-inf > 2413")
    p = lay("W combat", units)
    allowed(p, "western-allied attack we-7-us > 2513", "western-allied attack we-7-us > 2413")
    p = lay("G combat", units)
    for place in ("2514", "2412"):
        allowed(p, f"german attack eg-24-pz,wg-1-ss > {place}")
    assert column(p, "eg-24-pz wg-1-ss", "2514") == "2:1"  # 15 against 7
    p = lay("S combat", "su-1-gds-inf 2514, we-7-us 2513, eg-24-pz 2515")
    assert told(p, "soviet attack su-1-gds-inf > 2513") == {"allies-do-not-fight": ("6.3.a",)}
    # No ZOC between the Allies, but none may enter the other's hex.
    p = lay("S movement", "su-1-gds-inf 2514, we-7-us 2513, eg-2 0522")
    allowed(p, f"soviet move su-1-gds-inf @ 2514 > 2612 via {BERLIN}")
    refused(p, "soviet move su-1-gds-inf @ 2514 > 2513", "5.0.a3")


@rule("16.1.b2")
@ruling("R-G23")
@ruling("R-G106")
def test_east_and_west_germans_are_one_force() -> None:
    p = lay("G movement", f"eg-10 2514, wg-63 2513, {FAR}")
    p = play(p, "german move eg-10 @ 2514 > 2513")
    allowed(p, "german done")
    q = play(p, "german done")
    assert force(q, "eg-10") == force(q, "wg-63") == "G"
    # Beaten over the old line nobody changes anything.
    p = attack(
        lay("S combat", "eg-10 2514, su-1-gds-inf 2414, su-2-gds-inf 2515, su-3-gds-inf 2614, we-6-us 0601"),
        "su-1-gds-inf su-2-gds-inf su-3-gds-inf",
        "2514",
        6,
    )
    p = play(p, "german retreat eg-10 > 2513")
    assert force(p, "eg-10") == "G"


@rule("16.1.d")
@ruling("R-G106")
@ruling("R-G118")
def test_no_attack_is_owed_on_turn_1() -> None:
    p = lay("G combat", "wg-1-ss 2005, wg-2-ss 1905, we-7-us 2004, we-6-us 1904, eg-2 0522", turn=1)
    allowed(p, "german done")
    allowed(lay("G movement", "wg-1-ss 2005, wg-2-ss 1905, we-7-us 2004, we-6-us 1904, eg-2 0522", turn=1), "german done")


# ---------------------------------------------------------------------------------------------------------------------------
# 16.3


def ending(units: str, **more: object) -> str:
    """The result when turn 10 ends on this layout."""
    p = play(lay("W combat", units, turn=10, **more), "western-allied done")
    assert in_use().over(p)
    return str(p.result)


@rule("16.3.a1")
@ruling("R-G94")
def test_the_germans_win_unless_an_ally_stands_in_berlin_at_the_end() -> None:
    rest = "eg-2 0522, wg-63 1512"
    assert ending(f"su-1-gds-inf 2620, we-5-us 2004, {rest}") == "German wins"
    # Control of it does not do, nor having been there.
    p = lay("W combat", f"su-1-gds-inf 2614, we-5-us 2004, {rest}", turn=10)
    assert holder(p, BERLIN) == "S"
    assert ending(f"su-1-gds-inf 2614, we-5-us 2004, {rest}", berlin_first=(0, 8, 0), berlin_seen=1) == "German wins"
    assert ending(f"eg-10 {BERLIN}, su-1-gds-inf 2614, {rest}, we-5-us 2004") == "German wins"
    assert ending(f"su-1-br {BERLIN}, we-5-us 2004, {rest}").startswith("Soviet wins")
    assert ending(f"su-1-gds-inf 2620, we-5-us {BERLIN}, {rest}").startswith("Western Allied wins")


@rule("16.3.a2")
@ruling("R-G94")
def test_with_an_ally_in_berlin_points_decide_and_germans_have_none() -> None:
    # A Soviet unit that is no Front holds Berlin for nothing: the West wins by a city.
    result = ending(f"su-1-gds-inf {BERLIN}, we-5-us 2509, eg-2 0522")
    assert result == "Western Allied wins 0-1"
    result = ending(f"su-1-gds-inf {BERLIN}, we-5-us 2509, su-2-gds-inf 2418, eg-2 0522")
    assert result == "draw 1-1"
    result = ending(f"su-1-br {BERLIN}, we-5-us 2509, eg-2 0522")
    assert result == "Soviet wins 10-1"
    assert set(re.findall(r"[A-Za-z]+", result)) == {"Soviet", "wins"}


@rule("16.3.b1")
@ruling("R-G107")
def test_one_german_a_phase_moves_triple_any_german_and_every_phase() -> None:
    for unit, place in (("eg-10", "2217"), ("wg-63", "1512"), ("eg-1-hun", "1419"), ("wg-1-ss", "2310")):
        p = lay("G movement", f"{unit} {place}, eg-6 2619, su-4-gds-inf 0224, we-6-us 0601")
        most = within(place, 3 * UNITS[unit].move)
        shut = set(JOINED["0224"]) | set(JOINED["0601"]) | {"0224", "0601"}
        assert reach(p, unit) == most - shut - {"2619"} | (reach(p, unit) & {"2619"}), unit
        far = max(reach(p, unit), key=lambda h: (apart(place, h), h))
        q = play(p, f"german move {unit} @ {place} > {far}")
        assert reach(q, "eg-6") <= within("2619", 4)
        q = run(q, "G movement", 4)
        assert reach(q, "eg-6") - within("2619", 4)


@rule("16.3.b1")
@ruling("R-G107")
@ruling("R-G29")
def test_a_tripled_replacement_moves_three_times_its_allowance_and_not_six() -> None:
    p = lay("G replacement", f"wg-63 box-wg, eg-9 2217, {FAR}", turn=4)
    p = run(play(p, "german replace wg-63 > 2612"), "G movement", 4)
    assert members(p.doubled) == {"wg-63"}
    assert reach(p, "wg-63") == within("2612", 12)
    # Another one's tripled move leaves it its double one.
    far = max(reach(p, "eg-9") - within("2217", 5), key=lambda h: (apart("2217", h), h))
    q = play(p, f"german move eg-9 @ 2217 > {far}")
    assert reach(q, "wg-63") == within("2612", 8)


@rule("16.3.b1")
@rule("9.0.p2")
@ruling("R-G107")
@ruling("R-G78")
def test_a_tripled_unit_may_leave_the_map() -> None:
    p = lay("G movement", "eg-10 2523, eg-8 2623, su-1-gds-inf 0324, we-6-us 0601")
    line = "german exit eg-10 @ 2523 > 2526"
    assert apart("2523", "2526") + 4 > UNITS["eg-10"].move and "2526" in within("2523", 8)
    allowed(p, line)
    q = play(p, line)
    q = play(q, "german done") if step(q) == "take" else q
    assert where(q, "eg-10") == "out"
    refused(q, "german exit eg-8 @ 2623 > 2526", "16.3.b1")


@rule("16.3.b2")
@ruling("R-G107")
def test_a_tripled_unit_neither_starts_nor_sets_foot_in_an_enemy_zoc() -> None:
    p = lay("G movement", "eg-10 2514, su-1-gds-inf 2518, we-7-us 2205")
    assert "16.3.b2" in cited(p, "german move eg-10 @ 2514 > 2617 via 2515,2516,2517")
    ring = set(JOINED["2518"]) | set(JOINED["2205"])
    beyond = reach(p, "eg-10") - within("2514", 4)
    assert beyond and not beyond & ring
    # With its own allowance it may end beside an enemy.
    allowed(lay("G movement", "eg-10 2516, su-1-gds-inf 2518, we-7-us 2205"), "german move eg-10 @ 2516 > 2517")
    q = lay("G movement", "eg-10 2516, su-1-gds-inf 2517, we-7-us 2205")
    assert reach(q, "eg-10") <= within("2516", 4)
    assert "16.3.b1" in cited(q, "german move eg-10 @ 2516 > 2510 via 2515,2514,2513,2512,2511")


@rule("16.3.b1")
@ruling("R-G107")
def test_nobody_else_moves_triple() -> None:
    p = lay("S movement", f"su-1-gds-inf 2620, eg-2 0522, {FAR}")
    assert reach(p, "su-1-gds-inf") == within("2620", 4)
    p = lay("W movement", "we-4-us 2005, eg-2 0522, su-4-gds-inf 0324")
    assert reach(p, "we-4-us") == within("2005", 6)


@rule("16.3.c1")
@ruling("R-G41")
@ruling("R-G106")
def test_the_line_binds_nobody_and_yugoslavia_the_soviets() -> None:
    p = lay("S movement", "su-1-gds-inf 2514, su-1-rom 1124, su-1-yug 1019, eg-2 2217, we-6-us 0601")
    assert reach(p, "su-1-gds-inf") == within("2514", 4)
    p = play(p, "soviet move su-1-gds-inf @ 2514 > 2513")
    refused(p, "soviet move su-1-rom @ 1124 > 1023", "5.3.2.p1")
    refused(p, "soviet move su-1-yug @ 1019 > 1119", "5.3.1.p1")
    p = run(p, "S movement", 4)
    p = play(p, "soviet done")
    assert where(p, "su-1-gds-inf") == "2513"
    p = lay("W movement", f"we-5-us 2512, {FAR}".replace("we-6-us 0601", "we-7-us 0816"))
    assert any(theater(h) == "east" for h in reach(p, "we-5-us"))
    assert "1016" in reach(p, "we-7-us")
    p = lay("G movement", f"eg-9 1017, wg-65 2513, {FAR}")
    assert any(theater(h) == "east" for h in reach(p, "wg-65")) and any(theater(h) == "west" for h in reach(p, "eg-9"))


@rule("16.3.c1")
@ruling("R-G48")
@ruling("R-G54")
def test_retreats_and_advances_know_no_line() -> None:
    p = attack(lay("S combat", "eg-10 2514, su-1-gds-inf 2614, su-1-br 2614, we-6-us 0601"), "su-1-gds-inf su-1-br", "2514", 4)
    # 2414 in the east and 2413, 2513 in the west are equal; 2513 is in no Soviet ZOC but Berlin's neighbours are not all free.
    free = {h for h in JOINED["2514"] if h not in JOINED["2614"] and h != "2614"}
    assert {"2414", "2413"} <= free
    assert {text.split("> ")[1] for text in legal(p)} == free
    p = play(p, "german retreat eg-10 > 2413")
    assert by(p) == "soviet"
    p = attack(lay("S combat", "su-1-gds-inf 2514, su-1-br 2514, wg-63 2513, we-6-us 0601"), "su-1-gds-inf su-1-br", "2513", 1)
    allowed(p, "soviet advance su-1-gds-inf > 2513")


@rule("16.3.c2")
@rule("10.0.p1")
@ruling("R-G50")
@ruling("R-G106")
def test_germans_enter_berlin_by_move_retreat_and_advance() -> None:
    p = lay("G movement", f"eg-10 2614, wg-63 2612, {FAR}")
    p = play(p, f"german move eg-10 @ 2614 > {BERLIN}")
    q = play(p, f"german move wg-63 @ 2612 > {BERLIN}", "german done")
    assert on(q, BERLIN) == {"eg-10", "wg-63"} and holder(q, BERLIN) == "G"
    assert q.berlin_first[0] == -1  # nobody's entry but an Ally's counts
    # Retreat: 23 against 4, over rivers alone, 2:1.
    assert CRT["2:1", 3] == "DR"
    p = attack(
        lay("S combat", "eg-10 2614, su-1-gds-inf 2715, su-1-br 2715, su-2-br 2615, we-6-us 0601"),
        "su-1-gds-inf su-1-br su-2-br",
        "2614",
        3,
    )
    allowed(p, f"german retreat eg-10 > {BERLIN}")
    p = attack(lay("G combat", f"eg-24-pz 2614, wg-1-ss 2612, su-1-bul {BERLIN}, we-6-us 0601"), "eg-24-pz wg-1-ss", BERLIN, 3)
    if step(p) == "retreat":
        p = play(p, sorted(legal(p))[0])
    allowed(p, f"german advance eg-24-pz > {BERLIN}", f"german advance wg-1-ss > {BERLIN}")


@rule("16.3.c3")
@rule("16.3.c4")
@ruling("R-G72")
def test_german_replacements_are_one_pile_weakest_first_in_any_hex_beside_berlin() -> None:
    units = f"wg-73 box-wg, eg-8 box-eg, wg-63 box-wg, eg-24-pz box-eg, eg-1-hun box-eg, {FAR}"
    p = lay("G replacement", units, turn=4)
    assert p.rates[0] == RATES[4, "east_german"] + RATES[4, "west_german"] == 3
    assert legal(p) == {f"german replace wg-73 > {h}" for h in BESIDE} | {"german done"}
    refused(p, "german replace eg-24-pz > 2514", "16.3.c4")
    refused(p, f"german replace wg-73 > {BERLIN}", "16.3.c3")
    p = play(p, "german replace wg-73 > 2514")
    assert {text.split()[2] for text in legal(p) if "replace" in text} == {"eg-8", "wg-63"}
    p = play(p, "german replace eg-8 > 2513", "german replace wg-63 > 2513")
    assert not any("replace" in text for text in legal(p))
    assert where(p, "eg-24-pz").startswith("box") and where(p, "eg-1-hun").startswith("box")


@rule("16.3.c3")
@ruling("R-G72")
def test_only_enemies_and_full_hexes_close_an_arrival_hex_and_six_held_lose_the_rate() -> None:
    held = "su-1-gds-inf 2514, su-2-gds-inf 2614, we-5-us 2513, we-7-us 2612, su-3-gds-inf 2714"
    p = lay("G replacement", f"wg-63 box-wg, {held}", turn=4)
    assert legal(p) == {"german replace wg-63 > 2713", "german done"}
    refused(p, "german replace wg-63 > 2514", "7.2.c")
    p = lay("G replacement", f"wg-63 box-wg, {held}, we-20-us 2713", turn=4)
    assert legal(p) == {"german done"} or phase(p) != "G replacement"
    assert not check(p, "german replace wg-63 > 2713").legal
    p = lay("G replacement", f"wg-63 box-wg, {held}, eg-2 2713, eg-6 2713", turn=4)
    refused(p, "german replace wg-63 > 2713", "7.2.e4")


@rule("16.3.c3")
@ruling("R-G72")
@ruling("R-G106")
def test_a_destroyed_german_comes_back_whichever_side_it_died_on() -> None:
    p = attack(lay("S combat", "wg-63 2412, su-1-gds-inf 2411, su-1-br 2411, we-6-us 0601", turn=3), "su-1-gds-inf su-1-br", "2412", 1)
    assert where(p, "wg-63").startswith("box-")
    p = run(answered(p), "G replacement", 4)
    assert {text.split("> ")[1] for text in legal(p) if "replace wg-63" in text} == BESIDE


@rule("9.0.a1")
@ruling("R-G79")
@ruling("R-G106")
def test_an_exit_takes_from_the_front_of_its_edge_with_three_players_too() -> None:
    p = lay("G movement", "eg-24-pz 2026, wg-63 1512, su-1-gds-inf 2323, we-6-us 0601")
    p = play(p, "german exit eg-24-pz @ 2026 > 2026")
    assert legal(p) == {"german take su-1-gds-inf", "german done"}
    p = lay("G movement", "eg-24-pz 2101, wg-63 1512, su-1-gds-inf 2323, we-5-us 2503, we-4-us 0510")
    p = play(p, "german exit eg-24-pz @ 2101 > 2101")
    assert legal(p) == {"german take we-5-us", "german done"}


@rule("8.0.p2")
@ruling("R-G76")
@ruling("R-G106")
def test_courland_is_evacuated_by_the_german_player() -> None:
    p = lay("G movement", "eg-2 3822, su-2-balt 3723, we-6-us 0601", turn=3)
    p = play(p, "german evacuate eg-2", "chance roll evacuation 4", "german land > 2912")
    assert where(p, "eg-2") == "2912"
    early = lay("G movement", "eg-2 3822, su-2-balt 3723, we-6-us 0601", turn=2)
    refused(early, "german evacuate eg-2", "8.0.p7")


@rule("16.1.b3")
@ruling("R-G59")
def test_a_german_of_either_printing_has_the_fortifications() -> None:
    for unit in ("wg-63", "eg-72"):
        p = lay("W combat", f"{unit} 1805, we-5-us 1804, we-20-us 1804, we-6-us 1705, su-4-gds-inf 0324")
        assert column(p, "we-5-us we-20-us we-6-us", "1805") == "3:1"
    assert {city for city in CITIES if holder(lay("W combat", FAR), city) != "G"} == set()
    assert owed(lay("W combat", FAR)) == {}


@rule("16.3.b1")
@rule("16.3.b2")
@ruling("R-G107")
def test_what_is_wrong_with_a_tripled_move_is_told_alone() -> None:
    p = lay("G movement", "eg-10 2620, eg-8 2720, su-1-gds-inf 2614, we-7-us 2205")
    far = "german move eg-10 @ 2620 > 2416 via 2619,2519,2518,2417"
    assert told(p, far) == {}
    spent = play(p, "german move eg-8 @ 2720 > 2725 via 2721,2722,2723,2724")
    assert told(spent, far) == {"tripled-already": ("16.3.b1",)}
    into = "german move eg-10 @ 2620 > 2615 via 2619,2519,2518,2517,2516"
    assert told(p, into) == {"triple-into-zoc": ("16.3.b2",)}
    stuck = lay("G movement", "eg-10 2620, su-1-gds-inf 2621, we-7-us 2205")
    assert set(told(stuck, far)) == {"triple-from-zoc"} and told(stuck, far)["triple-from-zoc"] == ("16.3.b1",)
    # Beyond even three times the allowance it is just too far.
    row = ",".join(f"26{c:02}" for c in range(19, 8, -1))
    assert set(told(p, f"german move eg-10 @ 2620 > 2608 via {row}")) >= {"too-far"}
    # In an ordinary scenario there is no such thing.
    with playing("historical"):
        q = lay("EG movement", "eg-10 2620, su-1-gds-inf 2614")
        assert told(q, far.replace("german", "western-allied")) == {"too-far": ("5.0.p1", "5.0.a2")}
