"""Strengths, columns, shifts, dice and thirds: sums of the worked examples and of the combat table."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import pytest
from msgspec.structs import replace

from referee.games.overlord_to_berlin import odds
from referee.games.overlord_to_berlin.position import Combat
from tests.games.fotb.layout import AXIS, CARDS, GFS, SOVIET, WEST, bits, example, in_use, lay, playing, rule, ruling

PHASE = ("west_action operations west", "soviet_action operations soviet", "axis_action operations axis")
PRINTED = ((0, 0, 0, 0, 1, 1, 2, 3), (0, 0, 0, 1, 1, 2, 3, 4), (0, 0, 1, 1))
"""The rows and cells of the table that the rulebook prints."""
COLUMN = ("1-5", "6-10", "11-15", "16-20", "21-25", "26-30", "31-40", "40+")


def g() -> Any:
    return in_use().game.setting


def zone_no(name: str) -> int:
    return int(g().land.zone(name))


def fight(name: str, attacker: int = SOVIET, **fields: Any) -> Combat:
    """A combat in a zone, as the sums see it; cards by their ids."""
    cards = tuple(bits(words) if words else 0 for words in fields.pop("cards", ("", "")))
    defender = AXIS if attacker != AXIS else SOVIET
    return Combat(zone_no(name), attacker, defender, fields.pop("attackers", 1), 0, 1, cards=(cards[0], cards[1]), **fields)


def final_column(strength: int, name: str, attacker: int = SOVIET, who: int = 0, **fields: Any) -> str:
    """The column that counts for one side."""
    c = fight(name, attacker, **fields)
    _, at = odds.cell(g(), odds.column(g(), strength), odds.total(odds.shifts(g(), c, who)), 3, 0)
    return COLUMN[at]


def cell(column: str, die: int) -> int:
    """Steps lost."""
    return int(g().charts.crt[die][COLUMN.index(column)])


# ---------------------------------------------------------------------------------------------------------------- the table


@rule("CRT.a")
@rule("CRT.b")
@rule("CRT.c")
@example("F-20")
def test_F_20_the_printed_cells_are_in_the_table() -> None:
    table = g().charts.crt
    assert tuple(table[:2]) == PRINTED[:2] and table[2][:4] == PRINTED[2]


@rule("CRT.d")
def test_the_table_never_falls_along_rows_and_columns() -> None:
    table = g().charts.crt
    assert len(table) == 11 and {len(row) for row in table} == {8}
    assert all(a <= b for row in table for a, b in pairwise(row))
    assert all(a <= b for upper, lower in pairwise(table) for a, b in zip(upper, lower, strict=True))


@rule("10.14")
@rule("10.2.c")
@ruling("R-F18")
def test_every_strength_has_the_column_that_is_printed_over_it() -> None:
    ends = {0: -1, 1: 0, 5: 0, 6: 1, 10: 1, 11: 2, 15: 2, 16: 3, 20: 3, 21: 4, 25: 4, 26: 5, 30: 5, 31: 6, 40: 6, 41: 7, 99: 7}
    assert {strength: odds.column(g(), strength) for strength in ends} == ends


@example("F-10")
def test_F_10_a_free_attack_with_a_six_takes_three_steps() -> None:
    c = fight("37", free=True, attackers=0)
    assert odds.inflicted(g(), c, 0, 6) == 3 == cell("16-20", 6)


@rule("10.10.a")
@example("F-11")
def test_F_11_support_fortifications_and_engineers() -> None:
    strength = 20 + 13 // 2
    cards = ("op-engineers", "op-fortifications")
    assert strength == 26 and final_column(strength, "37") == "26-30" and final_column(strength, "37", cards=cards) == "21-25"
    assert odds.inflicted(g(), fight("37", totals=(strength, 12), cards=cards), 0, 2) == 2 == cell("21-25", 3)


@example("F-12")
def test_F_12_twelve_points_and_a_five_take_two_steps() -> None:
    assert odds.inflicted(g(), fight("37", totals=(26, 12)), 1, 5) == 2 == cell("11-15", 5)


@example("F-14")
def test_F_14_fanaticism_makes_four_of_three() -> None:
    c = fight("37", totals=(21, 8), cards=("op-fanaticism", ""))
    assert cell("21-25", 4) == 3 and odds.inflicted(g(), c, 0, 4) == 4


@example("F-15")
def test_F_15_eight_points_and_a_three_take_a_step() -> None:
    assert odds.inflicted(g(), fight("37", totals=(21, 8)), 1, 3) == 1 == cell("6-10", 3)


# ----------------------------------------------------------------------------------------------------------------- shifts


@rule("10.10.a")
@rule("10.10.b")
@rule("CRT.Columns.e")
@rule("0.7.b")
def test_difficult_terrain_shifts_the_attacker_alone() -> None:
    difficult = next(z for z in range(54) if g().land.difficult >> z & 1 and not g().land.vaterland >> z & 1 and z not in (20, 21))
    name = g().land.name(difficult)
    assert final_column(22, name) == "16-20" and final_column(22, name, who=1) == "21-25"
    assert final_column(22, "37") == "21-25"


@rule("10.11.a")
@rule("10.11.b")
@rule("CRT.Columns.f")
@ruling("R-F111")
@example("F-24")
def test_F_24_the_vaterland_shifts_attacks_on_the_axis_once() -> None:
    land = g().land
    plain = next(land.name(z) for z in range(54) if land.vaterland >> z & 1 and not land.difficult >> z & 1)
    both = next(land.name(z) for z in range(54) if (land.vaterland & land.difficult) >> z & 1)
    for name in (plain, both):
        assert [final_column(22, name, side) for side in (WEST, SOVIET)] == ["16-20", "16-20"]
        assert final_column(22, name, who=1) == "21-25"
    assert final_column(22, plain, AXIS) == "21-25"


@rule("10.13")
@rule("12.2.d")
@rule("CRT.Columns.g")
@ruling("R-F112")
@example("F-25")
def test_F_25_partisans_help_soviets_and_west_in_21_and_22() -> None:
    for name, side in product(("21", "22"), (WEST, SOVIET)):
        assert ("partisans", 1) in odds.shifts(g(), fight(name, side), 0)
        assert odds.shifts(g(), fight(name, side), 1) == ()
    assert ("partisans", 1) not in odds.shifts(g(), fight("21", AXIS), 0)
    assert ("partisans", 1) not in odds.shifts(g(), fight("26"), 0)


@example("F-40")
def test_F_40_partisans_and_difficult_terrain_cancel() -> None:
    assert final_column(22, "21") == "21-25"
    assert final_column(22, "14", WEST) == final_column(22, "20", WEST) == "16-20"


@rule("11.5.a")
@rule("11.5.b")
@rule("11.6.a")
@rule("11.7.b")
@example("F-41")
def test_F_41_a_free_attack_has_the_terrain_shift_and_no_partisans() -> None:
    def at(name: str) -> str:
        c = fight(name, WEST, free=True, attackers=0)
        return COLUMN[3 + odds.total(odds.shifts(g(), c, 0))]

    assert at("37") == "16-20" and at("14") == at("20") == at("21") == "11-15"


@rule("11.8.a")
@rule("11.8.c")
@rule("CRT.Columns.a")
@rule("CRT.Columns.b")
def test_anti_tanks_and_surrounding_move_their_owner_right() -> None:
    for card in ("op-antitank", "op-surround"):
        assert odds.shifts(g(), fight("37", cards=(card, "")), 0) == ((card, 1),)
        assert odds.shifts(g(), fight("37", cards=("", card)), 1) == ((card, 1),)
        assert odds.shifts(g(), fight("37", cards=(card, "")), 1) == ()


@rule("11.8.f")
@rule("CRT.Columns.d")
def test_fortifications_move_the_enemy_left() -> None:
    assert odds.shifts(g(), fight("37", cards=("op-fortifications", "")), 1) == (("op-fortifications", -1),)
    assert odds.shifts(g(), fight("37", cards=("op-fortifications", "")), 0) == ()


@rule("12.3.c")
@rule("CRT.Columns.c")
@example("F-26")
def test_F_26_paratroops_move_their_owner_right() -> None:
    corps = bits("we-iukpara")
    assert odds.shifts(g(), fight("37", WEST, drops=(corps, 0)), 0) == (("paratroops", 1),)
    assert odds.shifts(g(), fight("37", AXIS, drops=(0, corps)), 1) == (("paratroops", 1),)


@ruling("R-F15")
@ruling("R-F106")
@example("F-39")
def test_F_39_shifts_are_added_first_and_stop_at_the_ends() -> None:
    difficult = next(g().land.name(z) for z in range(54) if g().land.difficult >> z & 1 and not g().land.vaterland >> z & 1 and z > 21)
    assert final_column(4, difficult) == "1-5" and final_column(45, "37", cards=("op-antitank", "")) == "40+"
    assert final_column(4, difficult, cards=("op-antitank op-surround", "")) == "6-10"
    assert odds.cell(g(), 0, -1, 3, 0) == (3, 0)


@ruling("R-F15")
def test_with_the_switch_each_column_past_the_left_end_costs_a_pip() -> None:
    with playing("left-end-die"):
        assert odds.cell(g(), 0, -1, 3, 0) == (2, 0) and odds.cell(g(), 0, -2, 1, 0) == (0, 0)
        assert odds.cell(g(), 7, 1, 3, 0) == (3, 7) and odds.cell(g(), 1, -1, 3, 0) == (3, 0)


# ------------------------------------------------------------------------------------------------------------------- dice


@rule("11.8.e")
@rule("11.8.i")
@rule("10.9.a")
@rule("CRT.Die.a")
@rule("CRT.Die.b")
@rule("CRT.Die.c")
@ruling("R-F15")
@example("F-55")
def test_F_55_the_largest_die_is_a_ten_and_reads_the_last_row() -> None:
    c = fight("37", AXIS, cards=("op-artillery op-engineers", ""), elite=(True, False), offensive=True)
    assert odds.total(odds.die_bonuses(g(), c, 0)) == 4 and odds.cell(g(), 3, 0, 6, 4) == (10, 3)
    assert odds.cell(g(), 3, 0, 6, 5) == (10, 3)
    assert odds.die_bonuses(g(), c, 1) == ()
    assert odds.die_bonuses(g(), fight("37", elite=(False, True)), 1) == (("elite", 1),)


@rule("11.5.g")
def test_hitler_offensive_adds_one_to_the_attackers_die() -> None:
    c = fight("37", AXIS, offensive=True)
    assert odds.die_bonuses(g(), c, 0) == (("hitler-offensive", 1),) and odds.die_bonuses(g(), c, 1) == ()


# ----------------------------------------------------------------------------------------------------------------- thirds


@rule("11.8.b")
@rule("11.8.d")
@rule("CRT.Other.a")
@rule("CRT.Other.d")
@ruling("R-F50")
@example("F-33")
def test_F_33_thirds_are_rounded_up_and_cancel() -> None:
    elastic, fanatic = fight("37", cards=("", "op-elastic")), fight("37", cards=("op-fanaticism", ""))
    both = fight("37", cards=("op-fanaticism", "op-elastic"))
    assert [odds.with_cards(g(), elastic, 0, n) for n in (0, 1, 2, 3, 4)] == [0, 0, 1, 2, 2]
    assert [odds.with_cards(g(), fanatic, 0, n) for n in (0, 1, 3, 4)] == [0, 2, 4, 6]
    assert [odds.with_cards(g(), both, 0, n) for n in range(9)] == list(range(9))
    assert [odds.with_cards(g(), elastic, 1, n) for n in range(5)] == list(range(5))


# ------------------------------------------------------------------------------------------------------------- who fires first


@rule("10.4.b")
@rule("11.8.g")
@rule("11.8.h")
@rule("CRT.Other.b")
@rule("CRT.Other.c")
@rule("CRT.Other.e")
@ruling("R-F49")
@example("F-36")
@pytest.mark.parametrize(
    ("west", "axis", "first"),
    [("", "", 1), ("op-surprise", "", -1), ("op-surprise op-information", "", 0), ("op-surprise", "op-information", 1)],
)
def test_F_36_who_fires_first_in_a_landing(west: str, axis: str, first: int) -> None:
    assert odds.first_to_fire(g(), fight("1", WEST, landing=True, cards=(west, axis))) == first


@rule("11.8.j")
@rule("10.4.a")
@example("F-37")
@pytest.mark.parametrize(
    ("mine", "other", "first"),
    [("", "", -1), ("op-surprise", "op-information", -1), ("op-surprise", "", 0), ("", "op-information", 1), ("op-information", "", 0)],
)
def test_F_37_who_fires_first_elsewhere(mine: str, other: str, first: int) -> None:
    assert odds.first_to_fire(g(), fight("37", cards=(mine, other))) == first


# ----------------------------------------------------------------------------------------------------------------- strengths


@rule("10.2.a")
@rule("10.1.f")
@rule("8.2.e")
@example("F-34")
def test_F_34_each_supporter_is_halved_by_itself() -> None:
    p = lay(
        PHASE[1],
        """so-bielo1 37: so-5a / so-balt1 37: so-2gda so-4shk so-43a so-51a / so-bielo2 37: so-33a so-49a so-50a so-18a
           / ax-4a 37: ax-12k""",
    )
    balt, bielo = GFS.index("so-balt1"), GFS.index("so-bielo2")
    assert [odds.gf_strength(g(), p, gf) for gf in (balt, bielo)] == [13, 11]
    c = fight("37", attackers=1 << GFS.index("so-bielo1"))
    c = replace(c, supporters=1 << balt | 1 << bielo, defenders=1 << GFS.index("ax-4a"))
    assert odds.totals(g(), p, c) == (3 + 6 + 5, 3)


@rule("6.3.b")
@ruling("R-F36")
@example("F-35")
def test_F_35_a_cut_off_supporter_is_halved_twice() -> None:
    forces = "so-balt1 7: so-2gda so-4shk so-43a so-51a / ax-4a 7: ax-12k"
    cut = lay(PHASE[1], forces)
    gf = GFS.index("so-balt1")
    assert odds.gf_strength(g(), cut, gf) == 6 and odds.gf_strength(g(), cut, gf, supporting=True) == 3
    near = lay(PHASE[1], forces.replace(" 7:", " 37:"))
    assert odds.gf_strength(g(), near, gf) == 13 and odds.gf_strength(g(), near, gf, supporting=True) == 6


@rule("9.6")
@rule("10.9.a")
@rule("10.1.g")
@ruling("R-F105")
@example("F-43")
def test_F_43_the_atlantic_wall_doubles_infantry_once() -> None:
    p = lay(PHASE[0], "ax-7a 1: ax-84k ax-2fjk ax-1sspzk ax-47pzk / we-1us 1: we-vus / we-2uk 1: we-30uk")
    gf = GFS.index("ax-7a")
    assert odds.gf_strength(g(), p, gf, wall=True) == 2 * (3 + 4) + 8 + 6 == 28 and odds.gf_strength(g(), p, gf) == 21
    c = replace(fight("1", WEST, landing=True), attackers=1 << GFS.index("we-1us"), supporters=1 << GFS.index("we-2uk"), defenders=1 << gf)
    assert odds.totals(g(), p, c) == (5 + 3, 28)
    assert odds.totals(g(), p, replace(c, landing=False)) == (5 + 3, 21)
    assert odds.bonuses(g(), p, c) == (False, True), "the elite of a supporter gives nothing"
    assert odds.bonuses(g(), p, replace(c, attackers=c.supporters)) == (True, True)


@rule("10.2.a")
def test_reduced_units_count_with_the_side_that_is_up() -> None:
    p = lay(PHASE[1], "so-bielo3 37: so-5a so-5gtka- / ax-4a 37: ax-12k-")
    assert odds.gf_strength(g(), p, GFS.index("so-bielo3")) == 3 + 4 and odds.gf_strength(g(), p, GFS.index("ax-4a")) == 2


def test_every_operational_card_does_something_here() -> None:
    named = {odds.COLUMN_RIGHT, odds.COLUMN_LEFT, odds.DIE_UP, odds.FEWER, odds.MORE, odds.FIRST}
    cards = g().cards
    assert {cards.effect[i] for i in range(len(CARDS)) if cards.operational >> i & 1} == named


# ------------------------------------------------------------------------------------------- what 11.3 says of its counters


@example("F-13")
def test_F_13_bielo_3_after_a_step_of_39A_and_5GTkA_supports_with_eight() -> None:
    fronts = "so-bielo3 37: so-5a so-31a so-39a- so-11gda so-5gtka- / so-balt1 37: so-43a so-51a so-4shk so-2gda"
    p = lay(PHASE[1], fronts + "/ ax-4a 37: ax-12k")
    balt, bielo = GFS.index("so-balt1"), GFS.index("so-bielo3")
    assert odds.gf_strength(g(), p, bielo) in (16, 17)
    assert odds.gf_strength(g(), p, balt) + odds.gf_strength(g(), p, bielo, supporting=True) == 21


@rule("11.3.e")
@ruling("R-F3")
@example("F-16")
@example("F-17")
def test_F_16_F_17_the_germans_of_the_example_have_nine_steps_and_its_sums() -> None:
    start = "ax-4a 37: ax-12k- ax-27k ax-39pzk / ax-3pz 37: ax-6k ax-9k- ax-53k-"
    p = lay(PHASE[1], start)
    both = (GFS.index("ax-4a"), GFS.index("ax-3pz"))
    assert odds.steps_in(g(), p, both) == 9
    values = {u: (g().units.full[i], g().units.reduced[i]) for i, u in enumerate(g().units.ids)}
    assert sum(values[u][1] for u in ("ax-6k", "ax-27k", "ax-12k", "ax-53k")) == 8
    assert values["ax-27k"][0] - values["ax-27k"][1] + values["ax-39pzk"][1] == 4 and values["ax-9k"][1] == 1


@example("F-18")
def test_F_18_the_two_fronts_of_zone_44_at_their_full_strength() -> None:
    p = in_use().game.start()
    bielo, balt = GFS.index("so-bielo3"), GFS.index("so-balt1")
    assert (odds.gf_strength(g(), p, bielo), odds.gf_strength(g(), p, balt)) == (20, 13)
    assert not odds.elites(g(), p, (bielo,))


@rule("CRT.e")
@rule("0.7.a")
@rule("0.7.c")
@rule("0.7.e")
def test_only_difficult_terrain_and_the_alps_shift_and_oil_does_not() -> None:
    land = g().land
    assert land.alps and land.alps & ~land.difficult == 0
    for z in range(54):
        shifted = dict(odds.shifts(g(), fight(land.name(z), AXIS), 0))
        assert shifted == ({"difficult": -1} if land.difficult >> z & 1 else {}), land.name(z)
    oil = [z for z in range(54) if land.economic >> z & 1]
    assert [land.name(z) for z in oil] == ["26", "53"] and not any(land.difficult >> z & 1 for z in oil)
