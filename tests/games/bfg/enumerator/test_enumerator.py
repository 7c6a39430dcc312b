"""The enumerator against the worked examples (G-nn), and whole games of chance in every scenario and with random options."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from tests.games.bfg.enumerator import State, actions, holders, play, read, result, start
from tests.games.bfg.enumerator.board import BIT, OPTIONS, PHASES, SCENARIOS, checked
from tests.games.bfg.enumerator.fight import attack_of, column, multiplier, retreats, strengths
from tests.games.bfg.enumerator.legal import may_end_movement
from tests.games.bfg.enumerator.state import arrange
from tests.games.bfg.enumerator.turn import begin
from tests.games.bfg.enumerator.ways import allowance
from tests.games.bfg.facts import BERLIN, CITIES, CRT, NEAR, UNITS, apart


def laid(
    force: str, kind: str, places: str, turn: int = 3, scenario: str = "historical", options: Iterable[str] = (), waiting: bool = True
) -> State:
    """``piece hex piece hex ...`` at the start of a phase."""
    words = places.split()
    state = arrange(scenario, dict(zip(words[::2], words[1::2], strict=True)), turn, force, kind, options)
    if waiting:
        begin(state)
    return state


def moves(state: State, unit: str) -> set[str]:
    """Where a unit may move."""
    return {line.split()[-1] for line in actions(state) if f" move {unit} " in line}


def after(state: State, *lines: str) -> State:
    """Plays lines, each of which must be listed (the whole attack in one line excepted)."""
    for line in lines:
        if " attack " not in line and " via " not in line:
            assert line in actions(state), (line, actions(state))
        state = play(state, line)
    return state


def set_up(scenario: str = "historical", options: Iterable[str] = (), hexes: str = "3822 3823 3824 3924") -> State:
    """The start with Courland laid out in the order 10, 16, 2, 3 SS."""
    state = start(scenario, options)
    by = actions(state)[0].split()[0]
    for unit, name in zip(("eg-10", "eg-16", "eg-2", "eg-3-ss"), hexes.split(), strict=True):
        state = after(state, f"{by} setup {unit} > {name}")
    return state


# Odds and results


@pytest.mark.parametrize(
    ("attack", "defence", "expected"),
    [(19, 7, "2:1"), (18, 19, "1:2"), (9, 18, "1:2"), (9, 19, "1:3"), (10, 31, ""), (7, 7, "1:1"), (60, 7, "6:1")],
)
def test_g01_g35_odds_are_rounded_for_the_defender(attack: int, defence: int, expected: str) -> None:
    assert column(attack, defence) == expected


def test_g02_the_neighbours_of_2105() -> None:
    assert set(NEAR["2105"]) == set("2104 2106 2004 2005 2204 2205".split())


def test_g03_g04_the_worked_attack_and_its_exchange() -> None:
    state = laid("W", "combat", "wg-63 2105 wg-64 2105 we-5-us 2004 we-7-us 2104 we-12-us 2204")
    crew = ("we-5-us", "we-7-us", "we-12-us")
    assert strengths(state, crew, ("2105",)) == (19, 18)
    assert multiplier(state, "2105", crew) == 3
    by = "western-allied"
    state = after(state, f"{by} target > 2105", *(f"{by} join {u}" for u in crew), f"{by} done", "chance roll combat 1")
    assert sorted(actions(state)) == sorted(f"{by} lose {u}" for u in crew)
    state = after(state, f"{by} lose we-7-us")
    assert f"{by} done" in actions(state)
    state = after(state, f"{by} done")
    assert {line for line in actions(state) if "advance" in line} == {f"{by} advance we-5-us > 2105", f"{by} advance we-12-us > 2105"}
    assert "2105" not in after(state, f"{by} advance we-5-us > 2105").forts_gone - {"2105"}
    assert after(state, f"{by} advance we-5-us > 2105").forts_gone == {"2105"}


def test_g05_g37_river_counts_only_when_all_are_across() -> None:
    state = laid("S", "combat", "eg-8 2525 su-1-gds-inf 2425 su-2-gds-inf 2526 su-3-gds-inf 2624 su-4-gds-inf 2424")
    across = ("su-1-gds-inf", "su-2-gds-inf", "su-3-gds-inf")
    assert multiplier(state, "2525", across) == 2
    assert multiplier(state, "2525", (*across, "su-4-gds-inf")) == 1


def test_g38_three_terrain_effects() -> None:
    places = "wg-58-pz 1905 we-5-us 1904 we-20-us 1904 we-7-us 2004 we-8-us 2004"
    crew = ("we-5-us", "we-20-us", "we-7-us", "we-8-us")
    assert strengths(laid("W", "combat", places), crew, ("1905",)) == (24, 12)
    assert strengths(laid("W", "combat", places, options=["6.4/three-effects"]), crew, ("1905",)) == (24, 15)


KURLAND = (
    "eg-10 3823 eg-3-ss 3822 eg-2 3824 eg-16 3824 su-2-balt 3723 su-1-gds-inf 3723 su-2-tk 3724 "
    "su-3-balt 3725 su-4-tk 3725 su-2-gds-inf 3825"
)


def kurland() -> State:
    """G-07 to G-11: before the first attack, the marker laid."""
    state = laid("S", "replacement", KURLAND, 1, options=["18.1", "18/6.3"])
    state = after(state, "soviet marker su-2-balt", "soviet done", "soviet done")
    assert state.step == "combat"
    return state


def test_g07_to_g11_the_courland_offensive() -> None:
    s = kurland()
    s = after(s, "soviet target > 3823", "soviet join su-2-balt", "soviet join su-1-gds-inf", "soviet join su-2-tk")
    assert strengths(s, ("su-2-balt", "su-1-gds-inf", "su-2-tk"), ("3823",)) == (21, 4)
    s = after(s, "soviet done", "chance roll combat 3", "soviet advance su-2-tk > 3823")
    s = after(s, "soviet target > eg-2", "soviet join su-3-balt", "soviet join su-4-tk", "soviet join su-2-gds-inf", "soviet done")
    s = after(s, "chance roll combat 3", "soviet lose su-4-tk")
    s = after(s, "soviet done")
    assert s.at["eg-2"] == "box-eg" and s.at["eg-16"] == "3824" and s.step == "second-combat"
    s = after(s, "soviet target > 3822", "soviet join su-2-balt", "soviet join su-1-gds-inf", "soviet join su-2-tk", "soviet done")
    s = after(s, "chance roll combat 6")
    assert s.at["eg-3-ss"] == "box-eg"
    s = after(s, "soviet done") if s.step == "advance" else s
    s = after(s, "soviet target > 3824", "soviet join su-3-balt", "soviet join su-2-gds-inf", "soviet done", "chance roll combat 4")
    assert s.at["eg-16"] == "box-eg"
    s = after(s, "soviet done") if s.step == "advance" else s
    assert s.step == "second-movement"
    assert [allowance(s, u) for u in ("su-2-balt", "su-1-gds-inf", "su-2-tk")] == [1, 2, 3]
    assert {line.split()[2] for line in actions(s) if " move " in line} == set(
        "su-2-balt su-1-gds-inf su-2-tk su-3-balt su-2-gds-inf".split()
    )
    s = after(s, "soviet done")
    assert s.tired == set() or s.turn > 1
    while not (s.turn == 2 and s.force == "S" and s.kind == "movement"):
        s = play(s, next(line for line in actions(s) if line.endswith("done")))
    assert s.tired == {"su-2-balt", "su-1-gds-inf", "su-2-tk", "su-3-balt", "su-2-gds-inf"}
    assert [allowance(s, u) for u in ("su-2-balt", "su-1-gds-inf", "su-2-tk")] == [2, 2, 3]


def test_g10_a_unit_in_3725_instead_leaves_3925_open() -> None:
    s = laid("S", "combat", "eg-16 3824 su-3-balt 3725 su-2-gds-inf 3725 su-2-tk 3823")
    assert retreats(s, "eg-16") == ["3925"]


def test_g51_range_and_who_takes_part() -> None:
    s = laid("S", "replacement", "su-2-balt 3723 su-1-pol 3824 su-1-rom 3823 su-2-tk 3825 eg-10 3925", 1, options=["18.1"])
    s = after(s, "soviet marker su-2-balt", "soviet done", "soviet done")
    s = after(s, "soviet done")
    assert s.step == "second-combat" and s.eligible == {"su-2-balt", "su-2-tk"}


# Replacements


def test_g12_the_weakest_west_germans_are_picked() -> None:
    s = laid("WG", "replacement", "wg-47-pz box-wg wg-74 box-wg wg-14-pz box-wg wg-75 box-wg wg-63 box-wg", 4)
    assert {line.split()[2] for line in actions(s) if " replace " in line} == {"wg-75", "wg-63"}
    s = after(s, "soviet replace wg-75 > 2513")
    assert s.step == "movement" and allowance(s, "wg-75") == 8


def test_g13_any_western_allied_unit() -> None:
    s = laid("W", "replacement", "we-5-us box-w we-7-us box-w we-1-br box-w", 6)
    lines = {tuple(line.split()[2::2]) for line in actions(s) if " replace " in line}
    assert {u for u, _ in lines} == {"we-5-us", "we-7-us", "we-1-br"}
    assert all(h.endswith("01") and h <= "2301" for _, h in lines)


def test_g43_blocked_germans_go_to_the_other_theater() -> None:
    s = laid("WG", "replacement", "wg-63 box-wg we-5-us 2513 we-7-us 2612 we-1-br 2713", 4)
    s = after(s, "soviet replace wg-63 > 2514")
    assert s.who["wg-63"] == "EG" and "wg-63" in s.doubled
    s = laid("WG", "replacement", "wg-63 box-wg we-5-us 2513 we-7-us 2612 wg-64 2713 wg-65 2713", 4)
    assert actions(s) == ["soviet done"]
    blocked = "we-5-us 2513 we-7-us 2612 we-1-br 2713 su-1-gds-inf 2514 su-2-gds-inf 2614 su-3-gds-inf 2714"
    assert actions(laid("WG", "replacement", f"wg-63 box-wg {blocked}", 4)) == ["soviet done"]


def test_g44_the_weakest_of_the_soviet_box() -> None:
    s = laid("S", "replacement", "su-1-yug box-s su-1-bul box-s su-1-rom box-s su-2-tk box-s", 4)
    seen: list[str] = []
    for _ in range(2):
        picks = {line.split()[2] for line in actions(s) if " replace " in line}
        assert len(picks) == 1
        seen += picks
        s = play(s, f"soviet replace {seen[-1]} > 3026")
    assert seen == ["su-1-bul", "su-1-rom"]


def test_g42_a_replacement_in_a_zoc_does_not_move() -> None:
    s = laid("S", "replacement", "su-1-bul box-s eg-8 3025 eg-9 1010", 4)
    s = after(s, "soviet replace su-1-bul > 3026")
    assert moves(s, "su-1-bul") == set()
    assert any("target > 3025" in line for line in actions(after(s, "soviet done")))


# Movement


def test_g31_berlin_is_left_to_the_own_side() -> None:
    s = laid("S", "movement", "su-2-tk 2714 eg-8 1010")
    assert {"2514", BERLIN} <= moves(s, "su-2-tk") and "2513" not in moves(s, "su-2-tk")
    s = laid("W", "movement", "we-5-us 2713 wg-63 1010")
    assert {"2612", BERLIN} <= moves(s, "we-5-us") and "2614" not in moves(s, "we-5-us")
    assert BERLIN not in moves(laid("EG", "movement", "eg-24-pz 2714"), "eg-24-pz")


def test_g32_balaton_parts() -> None:
    s = set_up()
    assert not any("1320" in line for line in actions(laid("S", "combat", "su-3-ukr 1220 eg-4-pz 1320")))
    assert not s.enemy_zoc("S") & BIT["1220"] or any(s.side(n) == "EG" for n in NEAR["1220"] if n != "1320")


def test_g33_soviets_and_west_germans() -> None:
    places = "su-2-tk 2514 wg-63 2513"
    assert actions(laid("S", "combat", places)) == ["soviet done"]
    assert "soviet target > 2513" in actions(laid("S", "combat", places, scenario="four_player"))
    assert actions(laid("S", "combat", places, scenario="four_player", options=["17.3/own-front"])) == ["soviet done"]


def test_g34_out_of_a_zoc_first() -> None:
    s = laid("S", "movement", KURLAND, 1)
    assert "3623" in moves(s, "su-2-balt")
    s = laid("S", "movement", "su-2-balt 3723 eg-10 3823", 1)
    assert "3724" in moves(s, "su-2-balt")
    assert after(s, "soviet move su-2-balt @ 3723 > 3724 via 3623").at["su-2-balt"] == "3724"


def test_g55_a_third_unit_only_stops_the_end_of_the_phase() -> None:
    s = laid("S", "movement", "su-2-tk 2714 su-4-tk 2715 su-3-gds-tk 2715 eg-8 1010")
    assert "2715" in moves(s, "su-2-tk")
    s = after(s, "soviet move su-2-tk @ 2714 > 2715")
    assert "soviet done" not in actions(s)
    assert "soviet done" in actions(after(s, "soviet move su-4-tk @ 2715 > 2815"))


def test_g50_the_tripled_move() -> None:
    s = laid("G", "movement", "eg-8 2514 eg-9 2014 su-2-tk 3026", scenario="three_player")
    far = sorted(h for h in moves(s, "eg-8") if apart("2514", h) > 8)
    assert max(apart("2514", h) for h in far) == 12
    t = after(s, f"german move eg-8 @ 2514 > {far[0]}")
    assert t.tripled and all(apart("2014", h) <= 5 for h in moves(t, "eg-9"))
    assert len(moves(t, "eg-9")) < len(moves(s, "eg-9"))
    near = after(s, "german move eg-8 @ 2514 > 2515")
    assert not near.tripled


# Combat


def test_g30_g53_driven_over_the_line() -> None:
    places = "eg-10 2514 su-1-gds-inf 2414 su-2-gds-inf 2515 su-3-gds-inf 2614"
    attack = "soviet attack su-1-gds-inf,su-2-gds-inf,su-3-gds-inf > 2514"
    s = after(laid("S", "combat", places), attack)
    dr = next(d for d in range(1, 7) if CRT[column(*strengths(s, s.combat.units, s.combat.targets)), d] == "DR") if s.combat else 0
    s = play(s, f"chance roll combat {dr}")
    assert actions(s) == ["western-allied retreat eg-10 > 2513"]
    s = after(s, "western-allied retreat eg-10 > 2513")
    assert s.who["eg-10"] == "WG"
    s = after(s, "soviet done")
    assert (s.force, s.kind) == ("WG", "movement") and moves(s, "eg-10")
    s = after(laid("S", "combat", places, scenario="collapse"), attack)
    s = after(s, f"chance roll combat {dr}", "western-allied retreat eg-10 > 2513", "soviet done")
    assert s.who["eg-10"] == "EG" and (s.force, s.kind) == ("EG", "movement")
    assert after(s, "western-allied done").at["eg-10"] == "box-eg"
    back = laid("S", "combat", "eg-10 2513 su-1-gds-inf 2514", scenario="collapse")
    assert "soviet target > 2513" in actions(back)
    assert "2513" not in moves(laid("S", "movement", "su-2-tk 2414", scenario="collapse"), "su-2-tk")


def test_g36_one_attack_on_two_hexes() -> None:
    s = laid("S", "combat", "su-1-br 2624 su-2-tk 2624 su-1-pol 2724 su-2-pol 2724 eg-8 2525 eg-20 2623 eg-23 2623")
    s = after(s, "soviet target > 2525", "soviet target > 2623")
    assert sorted(actions(s)) == ["soviet join su-1-br", "soviet join su-2-tk"]
    s = after(s, "soviet join su-1-br", "soviet join su-2-tk")
    assert strengths(s, ("su-1-br", "su-2-tk"), ("2525", "2623")) == (14, 20)


def test_g40_two_units_part_when_two_hexes_are_vacant() -> None:
    s = laid("S", "combat", "eg-8 2525 eg-20 2525 su-1-gds-inf 2526 su-2-gds-inf 2526")
    s = play(play(s, "soviet attack su-1-gds-inf,su-2-gds-inf > 2525"), "chance roll combat 2")
    assert s.step == "retreat"
    first = actions(s)[0].split()
    t = play(s, " ".join(first))
    other = "eg-20" if first[2] == "eg-8" else "eg-8"
    assert all(line.split()[-1] != first[-1] for line in actions(t) if other in line)


def test_g41_yugoslavs_and_romanians_together() -> None:
    s = laid("S", "combat", "su-1-yug 1021 su-2-yug 1022 su-1-rom 1123 eg-17 1122")
    s = after(s, "soviet attack su-1-yug,su-2-yug,su-1-rom > 1122")
    assert s.combat and multiplier(s, "1122", s.combat.units) == 2
    de = next(d for d in range(1, 7) if CRT[column(*strengths(s, s.combat.units, s.combat.targets)), d] == "DE")
    s = after(s, f"chance roll combat {de}")
    assert sorted(actions(s)) == ["soviet advance su-1-rom > 1122", "soviet done"]


def test_g46_a_garrison_stays() -> None:
    s = laid("EG", "combat", "su-1-br 2723 su-2-tk 2723 eg-24-pz 2722 eg-39-pz 2722 eg-gd-pz 2823 eg-3-ss 2823")
    crew = ("eg-24-pz", "eg-39-pz", "eg-gd-pz", "eg-3-ss")
    s = play(s, f"western-allied attack {','.join(crew)} > 2723")
    dr = next((d for d in range(1, 7) if CRT[column(*strengths(s, crew, ("2723",))), d] == "DR"), 0)
    assert dr
    s = play(s, f"chance roll combat {dr}")
    assert all("su-2-tk" in line for line in actions(s))
    s = play(s, actions(s)[0])
    assert s.at["su-1-br"] == "2723" and s.at["su-2-tk"] != "2723" and s.combat is None


def test_g52_the_mandated_attacks() -> None:
    s = laid("WG", "movement", "wg-1-ss 1704 wg-2-ss 1704 we-12-us 1705", 1)
    s = after(s, "soviet done")
    s = after(s, "soviet target > 1705", "soviet join wg-1-ss", "soviet done", "chance roll combat 4")
    while s.step in ("retreat", "advance"):
        s = play(s, actions(s)[-1])
    assert s.attacks == 1
    if s.step == "combat":
        assert "soviet done" not in actions(s)
    s = laid("WG", "movement", "wg-1-ss 1704 wg-2-ss 1704 we-12-us 1705", 1)
    away = next(h for h in sorted(moves(s, "wg-1-ss")) if h not in NEAR["1705"])
    assert "soviet done" not in actions(after(s, f"soviet move wg-1-ss @ 1704 > {away}"))


def test_g54_a_displaced_soviet_unit_must_come_home() -> None:
    s = laid("S", "movement", "su-2-tk 2513 eg-8 1010", 5)
    assert moves(s, "su-2-tk") and all(h == BERLIN or not s.off_side("S", h) for h in moves(s, "su-2-tk"))
    assert after(s, "soviet done").at["su-2-tk"] == "box-s"


def test_g39_the_ss_under_the_western_player() -> None:
    s = laid("W", "movement", "wg-1-ss 2010:W eg-3-ss 2011:W eg-9-ss 2012:W eg-15-ss 1911:W wg-13-ss 1912:W", 9, "expanded", ["13.2"])
    s.regime = "after-berlin"
    units = ("wg-1-ss", "eg-3-ss", "eg-9-ss", "eg-15-ss", "wg-13-ss")
    assert [(attack_of(s, u), allowance(s, u)) for u in units] == [(4, 4), (4, 4), (2, 2), (1, 3), (3, 3)]


# Courland and exits


def test_g17_evacuation() -> None:
    s = laid("EG", "movement", "eg-10 3822 eg-16 3923 su-2-tk 3026")
    assert {line for line in actions(s) if "evacuate" in line} == {"western-allied evacuate eg-10", "western-allied evacuate eg-16"}
    s = after(s, "western-allied evacuate eg-10")
    assert len(actions(s)) == 6
    assert play(s, "chance roll evacuation 1").at["eg-10"] == "box-eg"
    t = play(s, "chance roll evacuation 2")
    assert actions(t) == ["western-allied land > 2815", "western-allied land > 2912"]
    t = after(t, "western-allied land > 2815")
    assert not any("evacuate" in line for line in actions(t)) and moves(t, "eg-10") == set()
    assert not any("evacuate" in line for line in actions(laid("EG", "movement", "eg-10 3822", 2)))
    assert any("evacuate" in line for line in actions(laid("EG", "movement", "eg-10 3822", 1, options=["18/8.0"])))


def test_g15_g16_g45_exit_and_its_two_nearest() -> None:
    s = set_up()
    near = {"we-5-us", "we-7-us", "we-12-br", "we-8-br", "we-30-br", "we-1-br", "we-2-cn"}
    s.turn, s.phase, s.step = 3, 6, "movement"
    begin(s)
    s.lift("wg-58-pz")
    s.drop("wg-58-pz", "2101")
    s = after(s, "soviet exit wg-58-pz @ 2101 > 2101")
    assert {line.split()[-1] for line in actions(s)} - {"done"} == near
    s = after(s, "soviet take we-5-us", "soviet take we-1-br")
    assert s.step == "movement" and s.flipped == {"we-5-us", "we-1-br"} and s.at["wg-58-pz"] == "off"
    s = after(s, "soviet done")
    assert s.at["we-5-us"] == "off"


@pytest.mark.parametrize(
    ("unit", "gate", "by", "phase", "near"),
    [
        ("eg-17", "0926", "western-allied", 14, {"su-1-yug", "su-1-rom", "su-3-yug"}),
        ("wg-73", "0112", "soviet", 6, {"we-2-us", "we-4-us", "we-13-br", "we-2-pol"}),
    ],
)
def test_g45_the_fronts_of_the_other_edges(unit: str, gate: str, by: str, phase: int, near: set[str]) -> None:
    s = set_up()
    s.turn, s.phase = 3, phase
    begin(s)
    s.lift(unit)
    s.drop(unit, gate)
    s = after(s, f"{by} exit {unit} @ {gate} > {gate}")
    assert {line.split()[-1] for line in actions(s)} - {"done"} == near
    if gate == "0926":
        s = after(s, f"{by} take su-1-rom")
        assert actions(s) == [f"{by} take su-1-yug", f"{by} done"]


def test_r_g81_an_empty_front_pays_from_its_box() -> None:
    s = laid("WG", "movement", "wg-63 1601 we-1-br box-w we-5-us box-w we-7-us box-w we-4-us 0510 wg-64 1701")
    s = after(s, "soviet exit wg-63 @ 1601 > 1601", "soviet take we-1-br", "soviet take we-5-us")
    assert s.at["we-1-br"] == "off" and s.step == "movement"
    s = after(s, "soviet exit wg-64 @ 1701 > 1701", "soviet take we-7-us")
    assert s.step == "movement" and s.at["we-4-us"] == "0510"


# Options


def test_18_6_3_targets_of_a_stack() -> None:
    s = laid("S", "combat", "eg-8 3025 eg-9 3025 su-1-gds-inf 3026", options=["18/6.3"])
    named = {line.split()[-1] for line in actions(s) if " target " in line}
    assert named == {"3025", "eg-8", "eg-9"}
    s = after(s, "soviet target > eg-8")
    assert actions(s) == ["soviet join su-1-gds-inf"]


def test_18_5_3_one_mixed_stack_on_a_front() -> None:
    places = "we-1-br 1904 we-5-us 1904 we-8-br 2004 we-7-us 2003 wg-63 2513"
    s = laid("W", "movement", places, options=["18/5.3"])
    assert "western-allied done" in actions(s)
    s = play(s, "western-allied move we-7-us @ 2003 > 2004")
    assert "western-allied done" not in actions(s)


def test_r_g62_18_12_2_only_even_attacks_count() -> None:
    places = "wg-63 1704 wg-1-ss 1704 we-5-us 1705"
    s = laid("WG", "combat", places, 1, options=["18/12.2"])
    assert "soviet done" not in actions(s)
    s = play(s, "soviet attack wg-63 > 1705")
    assert s.attacks == 0
    s = play(laid("WG", "combat", places, 1), "soviet attack wg-63 > 1705")
    assert s.attacks == 1


def test_12_3_one_pile_for_the_east() -> None:
    s = laid("EG", "replacement", "wg-73 box-wg eg-8 box-eg", options=["12.3"])
    assert {line.split()[2] for line in actions(s) if " replace " in line} == {"wg-73"}
    s = play(s, "western-allied replace wg-73 > 2514")
    assert s.who["wg-73"] == "EG"
    s = laid("EG", "replacement", "wg-73 box-wg eg-8 box-eg", options=["12.3", "12.3/east-box"])
    assert {line.split()[2] for line in actions(s) if " replace " in line} == {"eg-8"}


def test_18_1_the_western_group() -> None:
    s = laid("W", "replacement", "we-1-br 1904 we-5-us 1904 we-1-fr 1903 wg-63 2513", 2, options=["18.1"])
    s = after(s, "western-allied marker we-1-fr", "western-allied done")
    assert actions(s) == ["western-allied group commonwealth", "western-allied group us", "western-allied done"]
    s = after(s, "western-allied group us")
    assert s.step == "second-movement" and {line.split()[2] for line in actions(s) if " move " in line} == {"we-5-us"}
    assert allowance(s, "we-5-us") == 4


def test_r_g60_poles_do_not_attack_poles() -> None:
    s = laid("S", "combat", "su-1-pol 2513 su-2-tk 2513 we-2-pol 2512", 12, "rsws")
    s = after(s, "soviet target > 2512")
    assert actions(s) == ["soviet join su-2-tk"]


# Cities and the end


@pytest.mark.parametrize(
    ("first", "seen", "winners"),
    [
        ("S", "S", ["soviet", "west-german"]),
        ("W", "W", ["east-german", "western-allied"]),
        ("", "", ["east-german", "west-german"]),
        ("W", "SW", ["western-allied"]),
    ],
)
def test_g29_who_wins_with_four(first: str, seen: str, winners: list[str]) -> None:
    s = start("four_player")
    s.step, s.berlin_first, s.berlin_seen = "over", (first, 5, first) if first else None, frozenset(seen)
    end = result(s)
    assert end is not None and end["winners"] == winners


def test_g23_a_capital_pays_the_soviets_only_under_a_front() -> None:
    s = laid("S", "combat", "su-2-tk 2723 su-1-br 2015", 10)
    s.step = "over"
    end = result(s)
    assert end is not None and end["points"] == {"soviet": 2, "western-allied": 0}


def test_g47_posen_goes_to_whoever_came_last() -> None:
    s = laid("S", "movement", "su-2-tk 2620 eg-24-pz 2615")
    assert holders(s)["2618"] == "german"
    s = play(s, "soviet move su-2-tk @ 2620 > 2721 via 2619,2720")
    assert holders(s)["2618"] == "soviet"


def test_g48_g49_control() -> None:
    assert holders(laid("W", "movement", "we-5-us 2603"))["2602"] == "german"
    assert holders(laid("S", "movement", "su-2-tk 1615"))["1515"] == "soviet"
    assert set(holders(set_up()).values()) == {"german"}
    assert [c for c, side in holders(set_up(hexes="3924 3924 3923 3824")).items() if side != "german"] in ([], ["3822"])
    assert holders(start("rsws"))[BERLIN] == "soviet"


def test_g25_the_die_before_red_star_white_star() -> None:
    s = start("rsws")
    assert actions(s) == [f"chance roll turn11 {d}" for d in range(1, 7)]
    assert play(s, "chance roll turn11 3").force == "W" and play(s, "chance roll turn11 4").force == "S"
    assert {u for u in s.garrison} == {"su-1-br", "su-3-br", "su-2-ukr"}


def test_g56_berlin_falls_and_the_germans_leave() -> None:
    s = laid("S", "movement", "su-2-tk 2714 wg-63 1010 eg-8 1515 we-5-us 1905 su-3-br 2925", 8, "expanded", ["13.2"])
    s = after(s, "soviet move su-2-tk @ 2714 > 2613", "soviet done")
    assert (s.force, s.kind, s.regime) == ("WG", "movement", "war")
    s = after(s, "soviet done")
    assert s.regime == "after-berlin" and s.force == "W" and s.at["wg-63"] == "off"


def test_a_position_is_read_from_its_text() -> None:
    text = "position 1\nturn 3\nagenda movement western-allied\nholders 2613=german\nphase east-german-movement\nforts_gone -\n"
    s = read(text + "unit eg-1-cav 2216 moved\nunit eg-8 2514 doubled\nunit su-2-tk 3026\n", "historical")
    assert moves(s, "eg-1-cav") == set() and allowance(s, "eg-8") == 8
    assert {line.split()[0] for line in actions(s)} == {"western-allied"}


# Whole games


def _options(scenario: str, dice: random.Random) -> list[str]:
    while True:
        found = [o for o in OPTIONS if dice.random() < 0.4]
        try:
            checked(scenario, frozenset(found))
        except ValueError:
            continue
        return found


def _sound(s: State) -> None:
    for name, units in s.occ.items():
        assert units and len({s.who[u] for u in units}) == 1
        assert all(s.at[u] == name for u in units)
    assert all(u in s.occ[place] for u, place in s.at.items() if place in BIT)
    assert set(s.holder) == set(CITIES)


def _choice(s: State, lines: list[str], dice: random.Random) -> str:
    """Chance, bent so that phases end, attacks are strong, the Allies go for Berlin, and exits and evacuations come about."""
    verbs = {line.split()[1] for line in lines}
    line = dice.choice(lines)
    if "join" in verbs and dice.random() < 0.8:
        return dice.choice([x for x in lines if " join " in x])
    if s.step == "advance" and dice.random() < 0.8:
        return lines[0]
    if not s.step.endswith("movement"):
        return line
    for verb in ("exit", "evacuate"):
        if verb in verbs and dice.random() < 0.3:
            return dice.choice([x for x in lines if f" {verb} " in x])
    if lines[-1].endswith("done") and dice.random() < 0.06:
        return lines[-1]
    if s.force in ("S", "W"):
        some = [x for x in dice.sample(lines, min(8, len(lines))) if " move " in x]
        return min(some, key=lambda x: apart(x.split()[-1], BERLIN), default=line)
    return lines[-1] if dice.random() < 0.8 else line


def _game(scenario: str, dice: random.Random) -> State:
    """A game that keeps out of the dead ends of 5.1 and 12.2."""
    s = start(scenario, _options(scenario, dice))
    while s.step != "over":
        lines = actions(s)
        assert lines and len(lines) == len(set(lines)), (scenario, s.rules.options, s.step)
        for _ in range(40):
            line = _choice(s, lines, dice)
            t = play(s, line)
            done = line.endswith("done") or not s.step.endswith("movement")
            if done or not t.step.endswith("movement") or t.phase != s.phase or may_end_movement(t):
                break
        else:
            t = play(s, lines[-1])
        s = t
        _sound(s)
    return s


@pytest.mark.parametrize("scenario", list(SCENARIOS))
def test_games_of_chance_come_to_an_end(scenario: str) -> None:
    for seed in range(1):
        end = result(_game(scenario, random.Random(f"{scenario}/{seed}")))
        assert end is not None and set(end) == {"winners", "points"}


def test_every_force_of_the_phases_has_an_owner() -> None:
    assert {force for plan in PHASES.values() for _, force, _ in plan} == {"S", "W", "EG", "WG", "G"}
    assert UNITS
