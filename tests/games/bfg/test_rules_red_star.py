"""Chapter 15: Red Star/White Star, the Allies against each other on turns 11 to 16."""

from __future__ import annotations

import re

import pytest

from tests.games.bfg.facts import BERLIN, CITIES, HEXES, RATES, UNITS, rows, theater
from tests.games.bfg.layout import (
    allowed,
    answered,
    attack,
    by,
    cited,
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

SHEET = {row["piece"]: row["place"] for row in rows("setups") if row["setup"] == "rsws"}
FAR = "su-4-gds-inf 1223, we-6-us 0601"


@rule("15.1")
@ruling("R-G70")
@ruling("R-G118")
def test_the_second_column_is_the_set_up_and_a_dash_is_out() -> None:
    with playing("rsws") as book:
        p = book.start()
        for piece in UNITS:
            assert where(p, piece) == SHEET.get(piece, "out"), piece
        assert {"su-1-balt", "su-3-balt", "su-2-br", "su-6-gds-tk", "su-4-yug", "su-1-rom", "su-4-rom"} <= set(UNITS) - set(SHEET)
        assert not any(on(p, box) for box in ("box-s", "box-w", "box-italy", "box-eg", "box-wg"))
        assert step(p) == "turn11"  # no Courland to be set up


@rule("15.2.a")
@ruling("R-G70")
@ruling("R-G119")
def test_it_is_played_from_turn_11_to_turn_16_with_replacements_from_the_start() -> None:
    with playing("rsws") as book:
        assert book.start().turn == 11
        p = lay("S replacement", f"su-1-bul box-s, {FAR}", turn=11)
        assert p.rates[0] == RATES[11, "soviet"]
        allowed(p, "soviet replace su-1-bul > 2526")
        p = lay("W replacement", f"we-5-us box-w, we-1-br box-italy, {FAR}", turn=12)
        assert p.rates == (RATES[12, "western_allied"], RATES[12, "western_allied_italy"])
        allowed(p, "western-allied replace we-5-us > 2001")
        p = play(lay("W combat", FAR, turn=16), "western-allied done")
        assert book.over(p)


@rule("15.2.b")
@ruling("R-G103")
def test_a_low_die_leaves_out_the_first_soviet_player_turn_and_only_that() -> None:
    with playing("rsws", "18.1"):
        p = in_use().start()
        assert legal(p) == {f"chance roll turn11 {die}" for die in range(1, 7)}
        assert owed(p) == {"roll-awaited": ("15.2.b",)}
        assert told(p, "soviet done") and told(p, "soviet move su-1-br @ 2613 > 2612")
        for die in (1, 2, 3):
            q = play(p, f"chance roll turn11 {die}")
            assert q.turn == 11 and phase(q).startswith("W ") and q.supply == 7
            q = run(q, "S replacement", 12)
            assert q.supply == 7
        for die in (4, 5, 6):
            q = play(p, f"chance roll turn11 {die}")
            assert q.turn == 11 and phase(q) == "S replacement"


@rule("15.2.c")
@ruling("R-G118")
def test_there_are_no_german_phases_and_no_attack_is_owed() -> None:
    with playing("rsws"):
        p = play(in_use().start(), "chance roll turn11 5")
        seen = set()
        while p.turn < 13:
            seen.add(phase(p))
            p = answered(play(p, f"{by(p)} done"))
        assert seen <= {f"{f} {k}" for f in "SW" for k in ("replacement", "movement", "combat")}
        with pytest.raises(KeyError):
            lay("EG movement", FAR)


@rule("15.2.d")
@ruling("R-G22")
@ruling("R-G41")
@ruling("R-G28")
def test_the_line_is_nothing_and_yugoslavia_a_border_for_soviets() -> None:
    with playing("rsws"):
        p = lay("S movement", f"su-1-gds-inf 2514, su-1-pol 1123, su-1-yug 1019, {FAR}", turn=12)
        assert reach(p, "su-1-gds-inf") == within("2514", 4)
        assert any(theater(h) == "west" for h in reach(p, "su-1-gds-inf"))
        refused(p, "soviet move su-1-pol @ 1123 > 1022", "5.3.2.p1")
        refused(p, "soviet move su-1-yug @ 1019 > 1119", "5.3.1.p1")
        p = play(p, "soviet move su-1-gds-inf @ 2514 > 2513")
        assert where(run(p, "S movement", 13), "su-1-gds-inf") == "2513"
        p = lay("W movement", f"we-5-us 2512, we-7-us 0816, {FAR}", turn=12)
        assert reach(p, "we-5-us") == within("2512", 8)
        assert any(HEXES[h]["country"] == "yugoslavia" for h in reach(p, "we-7-us"))


@rule("15.2.d")
@rule("6.3.a")
@ruling("R-G22")
def test_the_allies_are_enemies_in_everything() -> None:
    with playing("rsws"):
        units = f"su-1-gds-inf 2514, su-2-gds-inf 2514, we-5-us 2513, we-7-us 2413, {FAR}"
        p = lay("S combat", units, turn=12)
        assert column(p, "su-1-gds-inf su-2-gds-inf", "2513") == "3:1"  # 14 against 4
        allowed(lay("W combat", units, turn=12), "western-allied attack we-5-us,we-7-us > 2514")
        p = lay("S movement", units.replace("we-7-us 2413, ", ""), turn=12)
        refused(p, f"soviet move su-1-gds-inf @ 2514 > 2614 via {BERLIN}", "4.0.c2", "4.0.p2")
        refused(p, "soviet move su-1-gds-inf @ 2514 > 2513", "5.0.a3")


@rule("15.2.d")
@ruling("R-G58")
@ruling("R-G59")
def test_terrain_helps_either_side_but_fortifications_nobody() -> None:
    with playing("rsws"):
        # 1805: clear, fortified. 14 against 6: 2:1, whoever stands in it.
        assert (
            column(
                lay("S combat", f"su-1-gds-inf 1804, su-2-gds-inf 1804, we-7-us 1805, {FAR}", turn=12), "su-1-gds-inf su-2-gds-inf", "1805"
            )
            == "2:1"
        )
        p = lay("W combat", f"we-5-us 1804, we-20-us 1804, su-1-bul 1805, {FAR}", turn=12)
        assert column(p, "we-5-us we-20-us", "1805") == "2:1"


@rule("15.2.e")
@ruling("R-G94")
@ruling("R-G93")
@ruling("R-G105")
def test_most_points_win_from_the_holders_of_the_start() -> None:
    with playing("rsws") as book:
        # Nobody near any city: the holders of the start; Soviet capitals count only under a Front.
        p = play(lay("W combat", "su-1-gds-inf 1223, we-6-us 0601", turn=16), "western-allied done")
        east = sum(int(c["vp"]) for h, c in CITIES.items() if theater(h) == "east" and c["capital"] == "0")
        west = sum(int(c["vp"]) for h, c in CITIES.items() if theater(h) == "west")
        soviet, western = map(int, re.findall(r"\d+", p.result))
        assert book.over(p) and (soviet, western) == (east, west)
        assert p.result.startswith("Western Allied wins" if west > east else "Soviet wins")
        # With Fronts in Berlin, Warsaw and Vienna 14 more.
        p = play(lay("W combat", f"su-1-br {BERLIN}, su-3-br 2723, su-2-ukr 1617, we-6-us 0601", turn=16), "western-allied done")
        assert int(re.findall(r"\d+", p.result)[0]) == east + 14


@rule("15.1")
@rule("10.0.a3")
@ruling("R-G104")
@ruling("R-G105")
def test_three_fronts_are_garrisons_from_the_start_and_prague_has_none() -> None:
    with playing("rsws"):
        p = play(in_use().start(), "chance roll turn11 6")
        assert members(p.garrison) == {"su-1-br", "su-3-br", "su-2-ukr"}
        assert {where(p, u) for u in members(p.garrison)} == {BERLIN, "2723", "1617"}
        assert not on(p, "2015") and holder(p, "2015") == "S"
        p = run(p, "S movement", 11)
        for unit, place, near in (("su-1-br", BERLIN, "2614"), ("su-3-br", "2723", "2722"), ("su-2-ukr", "1617", "1616")):
            assert "10.0.a1" in cited(p, f"soviet move {unit} @ {place} > {near}")
            assert not reach(p, unit)


@rule("15.2.f")
@ruling("R-G60")
def test_poles_do_not_attack_poles() -> None:
    with playing("rsws"):
        p = lay("S combat", f"su-1-pol 2514, su-2-pol 2514, su-1-gds-inf 2413, we-2-pol 2513, {FAR}", turn=12)
        assert told(p, "soviet attack su-1-gds-inf,su-1-pol > 2513") == {"poles": ("15.2.f",)}
        allowed(p, "soviet attack su-1-gds-inf > 2513")
        p = lay("W combat", f"su-1-pol 2514, we-2-pol 2513, we-4-us 2513, {FAR}", turn=12)
        assert told(p, "western-allied attack we-2-pol > 2514") == {"poles": ("15.2.f",)}
        allowed(p, "western-allied attack we-4-us > 2514")
        # Alone beside each other they open no attack; their ZOCs hold, and a Pole retreats and stacks as usual.
        alone = lay("S combat", f"su-1-pol 2514, we-2-pol 2513, {FAR}", turn=12)
        assert legal(alone) == {"soviet done"}
        refused(lay("S movement", f"su-1-pol 2514, we-2-pol 2513, {FAR}", turn=12), "soviet move su-1-pol @ 2514 > 2412 via 2413", "4.0.c2")


@rule("15.2.d")
@ruling("R-G69")
@ruling("R-G63")
def test_losses_go_to_the_boxes_of_their_side() -> None:
    with playing("rsws"):
        p = attack(lay("S combat", f"su-1-gds-inf 0913, su-1-br 0913, we-5-us 0914, {FAR}", turn=12), "su-1-gds-inf su-1-br", "0914", 1)
        assert where(p, "we-5-us") == "box-italy"
        p = attack(lay("S combat", f"su-1-gds-inf 2514, su-1-br 2514, we-5-us 2513, {FAR}", turn=12), "su-1-gds-inf su-1-br", "2513", 1)
        assert where(p, "we-5-us") == "box-w"
        p = attack(
            lay("W combat", f"su-1-bul 2514, we-5-us 2513, we-20-us 2513, we-7-us 2413, {FAR}", turn=12),
            "we-5-us we-20-us we-7-us",
            "2514",
            1,
        )
        assert where(p, "su-1-bul") == "box-s"


@rule("15.2.d")
@ruling("R-G53")
@ruling("R-G54")
def test_advances_cross_the_line_and_not_the_yugoslav_border() -> None:
    with playing("rsws"):
        p = attack(lay("S combat", f"su-1-gds-inf 2514, su-1-br 2514, we-5-us 2513, {FAR}", turn=12), "su-1-gds-inf su-1-br", "2513", 1)
        p = play(p, "soviet advance su-1-gds-inf > 2513")
        assert where(p, "su-1-gds-inf") == "2513"
        p = attack(lay("S combat", f"su-1-gds-inf 1123, su-1-br 1123, we-5-us 1022, {FAR}", turn=12), "su-1-gds-inf su-1-br", "1022", 3)
        assert step(p) != "advance"
