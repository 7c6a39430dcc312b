"""The printed set-up list (14), typed in apart from data/: every formation with its zone and its units."""

from __future__ import annotations

import pytest

from referee.games.overlord_to_berlin.supply import supplied
from referee.games.overlord_to_berlin.units import gfs_in
from tests.games.fotb.layout import (
    CARDS,
    GFS,
    UNITS,
    ZONES,
    G,
    altered,
    example,
    holder,
    home,
    in_use,
    lay,
    legal,
    phase,
    play,
    playing,
    reduced,
    rule,
    ruling,
    units,
    where,
    zone,
)

SET_UP = """
14.6.a | 1.Armee    | 2  | 80.K 86.K                      | full
14.6.b | 2.Armee    | 41 | 8.K 20.K 23.K                  | reduced
14.6.c | 4.Armee    | 37 | 12.K 27.K 39.Pz.K              | reduced
14.6.d | 6.Armee    | 49 | 7.K 30.K 44.K 52.K             | reduced
14.6.e | 7.Armee    | 1  | 84.K 2.Fj.K 1.SS.Pz.K 47.Pz.K  | full
14.6.f | 8.Armee    | 48 | 4.K 40.Pz.K 4.ROM.K            | reduced
14.6.g | 9.Armee    | 38 | 35.K 55.K 41.Pz.K              | reduced
14.6.h | 10.Armee   | 9  | 76.Pz.K 51.Ge.K                | full
14.6.i | 14.Armee   | 9  | 1.Fj.K 14.Pz.K                 | full
14.6.j | 15.Armee   | 4  | 64.K 67.K 81.K 82.K 89.K       | full
14.6.k | 16.Armee   | 30 | 1.K 2.K 10.K 50.K 6.SS.K       | reduced
14.6.l | 17.Armee   | 39 | 5.K 49.Ge.K                    | reduced
14.6.m | 18.Armee   | 29 | 26.K 28.K 38.K 43.K 3.SS.Pz.K  | reduced
14.6.n | 19.Armee   | 3  | 62.K 4.Lw.K                    | full
14.6.o | 1.FJ.Armee | 6  | 88.K                           | full
14.6.p | 1.Pz.Armee | 40 | 59.K 3.Pz.K 24.Pz.K 46.Pz.K 48.Pz.K | reduced
14.6.q | 2.Pz.Armee | 21 | 69.K 5.SS.Ge.K 15.Ge.K 21.Ge.K | full
14.6.r | 3.Pz.Armee | 37 | 6.K 9.K 53.K                   | reduced
14.6.s | 4.Pz.Armee | 39 | 13.K 42.K 56.Pz.K              | reduced
14.7.c | 5 US Army  | 9  | II_US IV_US XIII_UK            | full
14.7.h | 8 UK Army  | 9  | I_CAN II_POL V_UK              | full
14.8.a | Ukr 1      | 46 | 13A 3GdA 5GdA 1GTkA 3GTkA      | full
14.8.b | Ukr 2      | 47 | 27A 40A 4GdA 7GdA 6GTkA        | full
14.8.c | Ukr 3      | 47 | 37A 46A 5SHK                   | full
14.8.d | Ukr 4      | 46 | 18A 38A 1GdA 4GTkA             | full
14.8.e | Bielo 1    | 45 | 3A 48A 65A 8GdA 2GTkA          | full
14.8.f | Bielo 2    | 45 | 33A 49A 50A                    | full
14.8.g | Bielo 3    | 44 | 5A 31A 39A 11GdA 5GTkA         | full
14.8.h | Balt 1     | 44 | 43A 51A 4SHK 2GdA              | full
14.8.i | Balt 2     | 36 | 22A 3SHK                       | full
14.8.j | Balt 3     | 36 | 8A 42A 54A 67A 2SHK            | full
"""
RESERVE = {"14.7.a": ("1 US Army", "V_US VII_US XIX_US"), "14.7.g": ("2 UK Army", "I_UK XXX_UK II_CAN"), "14.7.b": ("3 US Army", "")}
RESERVE["14.7.i"] = ("1 CA Army", "")
LATER = {"14.7.d": ("7 US Army", 2), "14.7.e": ("9 US Army", 3), "14.7.f": ("1 Fr Army", 2)}
OURS = {"3.ROM.Armee": ("53", "2.ROM.K 6.ROM.K"), "1.HUN.Armee": ("26", "6.HUN.K 7.HUN.K")}
"""R-F5: what the rulebook counts and does not list."""


def lines() -> list[list[str]]:
    """The list, line by line and column by column."""
    return [[cell.strip() for cell in line.split("|")] for line in SET_UP.strip().splitlines()]


def gf(name: str) -> str:
    """The id of a formation by its printed name."""
    return GFS[G.gfs.names.index(name)]


def unit(name: str) -> str:
    """The id of a unit by its printed name."""
    return UNITS[G.units.names.index(name.replace("_", " "))]


def packed(names: str, state: str = "full") -> str:
    """Units as ``layout.units`` tells them."""
    return " ".join(sorted(unit(name) + "-" * (state == "reduced") for name in names.split()))


@rule("14.4")
@pytest.mark.parametrize(
    "name,place,names,state", [pytest.param(*line[1:], marks=[rule(line[0])], id=line[0]) for line in lines()]
)
def test_each_formation_begins_where_the_list_has_it_with_the_units_of_the_list(name: str, place: str, names: str, state: str) -> None:
    p = in_use().game.start()
    assert zone(p, gf(name)) == place
    assert units(p, gf(name)) == packed(names, state)


@rule("14.3.a")
@rule("14.3.b")
@ruling("R-F3")
def test_germans_of_the_east_begin_reduced_and_the_second_panzer_army_does_not() -> None:
    p = in_use().game.start()
    west = {"1.Armee", "7.Armee", "10.Armee", "14.Armee", "15.Armee", "19.Armee", "1.FJ.Armee", "2.Pz.Armee"}
    for _, name, _, names, _ in lines():
        if name.endswith("Armee"):
            assert {reduced(p, unit(u)) for u in names.split()} == {name not in west}, name
    assert not any(word.endswith("-") for word in units(p, gf("2.Pz.Armee")).split())


@pytest.mark.parametrize("name,names", [pytest.param(*what, marks=[rule(para)], id=para) for para, what in RESERVE.items()])
def test_formations_of_the_western_reserve(name: str, names: str) -> None:
    p = in_use().game.start()
    assert home(p, gf(name)) and units(p, gf(name)) == packed(names)


@pytest.mark.parametrize("name,turn", [pytest.param(*what, marks=[rule(para)], id=para) for para, what in LATER.items()])
def test_armies_that_come_later_wait_empty_outside_the_map(name: str, turn: int) -> None:
    p = in_use().game.start()
    assert zone(p, gf(name)) == "west-arrivals" and not units(p, gf(name))
    assert (turn, gf(name)) in G.charts.reinforcements


@rule("14.7.j")
@rule("14.7.k")
@ruling("R-F6")
def test_five_loose_corps_and_two_corps_of_paratroops() -> None:
    p = in_use().game.start()
    assert units(p, "reserve west") == packed("XII_US XV_US XXI_US VIII_UK XII_UK")
    assert where(p, unit("I_UK_Para")) == where(p, unit("XVIII_US_Para")) == "paratroops"
    assert not p.used_corps and not p.returns
    assert not units(p, "reserve soviet") and not units(p, "reserve axis")


@rule("14.7.m")
@rule("14.7.o")
@rule("14.7.p")
def test_corps_that_come_later() -> None:
    p = in_use().game.start()
    later = {"VI_US": 2, "I_FR": 2, "II_FR": 2, "III_US": 3, "XIII_US": 3, "XXII_US": 4}
    for name, turn in later.items():
        assert where(p, unit(name)) == "arrivals" and (turn, unit(name)) in G.charts.reinforcements
    assert {u for u in UNITS if where(p, u) == "arrivals"} == {unit(name) for name in later}


@rule("12.1.a")
@rule("14.6.f")
@ruling("R-F5")
def test_three_romanian_and_two_hungarian_units_begin_with_the_axis() -> None:
    p = in_use().game.start()
    for name, (place, names) in OURS.items():
        assert zone(p, gf(name)) == place and units(p, gf(name)) == packed(names)
    nations = [G.units.nation[i] for i in range(len(UNITS)) if G.units.minor >> i & 1]
    assert nations.count("Romania") == 3 and nations.count("Hungary") == 2
    assert all(G.units.side[i] == 2 for i in range(len(UNITS)) if G.units.minor >> i & 1)


@rule("14.4")
def test_nothing_is_on_the_table_that_the_list_does_not_have() -> None:
    p = in_use().game.start()
    listed = {gf(line[1]) for line in lines()} | {gf(name) for name, _ in RESERVE.values()}
    listed |= {gf(name) for name, _ in LATER.values()} | {gf(name) for name in OURS}
    assert listed == set(GFS)
    held = sum(len(units(p, name).split()) for name in GFS)
    assert held == sum(len(line[3].split()) for line in lines()) + sum(len(n.split()) for _, n in RESERVE.values()) + 4
    assert p.pr == (0, 0, 0, 0) and p.turn == 1 and p.held == ((0, 0), (1, 0), (0, 0))
    assert [CARDS[i] for i in range(len(CARDS)) if p.sealed[1].hand >> i & 1] == ["so-organ"]


@rule("14.1")
@rule("0.3.b")
@ruling("R-F22")
def test_one_scenario_of_seven_turns() -> None:
    assert (G.terms.first_turn, G.terms.last_turn, len(G.charts.dates)) == (1, 7, 7)
    assert in_use().game.scenario == "campaign"


@rule("14.7.l")
@rule("14.7.n")
@ruling("R-F95")
def test_landings_belong_to_the_first_two_turns() -> None:
    assert G.charts.landing_turns == {1, 2}


@rule("14.6.c")
@ruling("R-F2")
def test_the_fourth_army_stands_in_40_where_the_printed_list_is_chosen() -> None:
    with playing("armee-4-in-40") as book:
        p = book.game.start()
        assert zone(p, "ax-4a") == "40" and units(p, "ax-4a") == packed("12.K 27.K 39.Pz.K", "reduced")
    assert zone(in_use().game.start(), "ax-4a") == "37"


@rule("14.6.l")
@ruling("R-F4")
def test_the_number_of_a_zone_holds_against_its_label() -> None:
    p = in_use().game.start()
    assert zone(p, "ax-17a") == zone(p, "ax-4pz") == "39"


@example("F-48")
@ruling("R-F23")
def test_F_48_control_at_the_start() -> None:
    p = in_use().game.start()
    held = {name: holder(p, name) for name in ZONES}
    assert [n for n in ZONES if held[n] == "west"] == ["10"]
    assert [n for n in ZONES if held[n] == "soviet"] == ["36", "44", "45", "46", "47"]
    assert sum(h == "axis" for h in held.values()) == 48 and held["9"] == "axis"
    nine = G.land.zone("9")
    assert gfs_in(G, p, 0, nine) and gfs_in(G, p, 2, nine), "contested"


@rule("0.5.c")
@rule("14.4")
@example("F-60")
def test_F_60_the_set_up_keeps_every_limit_and_everybody_is_in_supply() -> None:
    p = in_use().game.start()
    for side in range(3):
        for at in range(len(ZONES)):
            assert len(gfs_in(G, p, side, at)) <= G.stacking(side, at), (side, ZONES[at])
    for i, name in enumerate(GFS):
        assert len(units(p, name).split()) <= G.gfs.capacity[i], name
        if G.on_map(p, i):
            assert supplied(G, p, i), name
            assert units(p, name), f"{name} is empty on the map"


@rule("14.5")
@rule("0.5.f")
@ruling("R-F86")
def test_units_change_formations_whatever_their_home_was() -> None:
    p = lay("axis_action combine axis", "ax-3pz 37: ax-6k / ax-4a 37: ax-12k ax-27k")
    p = play(p, "axis exchange ax-12k > ax-3pz")
    assert units(p, "ax-3pz") == "ax-12k ax-6k"


@rule("14.2.a")
def test_the_first_turn_begins_with_the_draws() -> None:
    p = in_use().start()
    assert phase(p) == "political draw_national west" and p.turn == 1
    assert all(text.startswith("chance draw we-") for text in legal(p))
    assert not in_use().broken(altered(p, turn=1))
