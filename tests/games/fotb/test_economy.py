"""Chapters 4 and 5, and what 12 says of income: points, bombardment, piles, automatic steps, spending."""

from __future__ import annotations

import msgspec

from referee.games.overlord_to_berlin.changes import grave_of
from referee.games.overlord_to_berlin.piles import split
from tests.games.fotb.layout import (
    ZONES,
    G,
    Pos,
    agreed,
    allowed,
    altered,
    bits,
    by,
    example,
    go_on,
    hand,
    home,
    in_use,
    lay,
    legal,
    owed,
    phase,
    play,
    playing,
    pr,
    reduced,
    refused,
    rule,
    ruling,
    step,
    throw,
    told,
    units,
    unsettled,
    where,
    zone,
)

VATERLAND = "7 11 12 13 14 15 16 17 18 19 20 23"
PORTS = "1 2 3 4 6 10 21"


def opened() -> Pos:
    """The first turn from the set-up, without a political event, up to the bombardment."""
    p = in_use().start()
    while phase(p).startswith("political"):
        p = throw(p, 5, 6) if step(p) == "dice" else in_use().play(p, next(in_use().legal(p)))
    assert phase(p) == "economic bombardment west"
    return p


def income(side: str, forces: str = "", **layout: object) -> Pos:
    """The position just after a side's income."""
    before = unsettled(f"economic income {side}", forces, **layout)  # type: ignore[arg-type]
    begun = in_use().game.steps["phase"].settle(before)
    assert begun is not None
    return begun  # type: ignore[no-any-return]


# ---------------------------------------------------------------------------------------------------------------------------
# 2, 4.1: order; 14.7: reinforcements


@rule("2.a")
@rule("2.c")
@rule("2.d")
@rule("2.e")
@rule("4.1")
@rule("5.1.a")
@ruling("R-F40")
def test_the_economic_phase_goes_income_bombardment_automatic_spending_each_west_soviets_axis() -> None:
    p = opened()
    assert p.turn == 1 and p.pr == (0, 2, 5, 14), "income comes before, in the first turn too"
    seen = []
    while phase(p).startswith("economic"):
        seen.append(phase(p))
        p = throw(p, 1) if step(p) == "dice" else go_on(p)
    assert list(dict.fromkeys(seen)) == ["economic bombardment west", *(f"economic spending {side}" for side in ("west", "soviet", "axis"))]


@rule("14.7.d")
@rule("14.7.e")
@rule("14.7.f")
@rule("14.7.m")
@rule("14.7.o")
@rule("14.7.p")
@ruling("R-F40")
def test_reinforcements_come_to_the_reserve_in_their_turn() -> None:
    p = in_use().start()
    due = {2: ("we-vius", "we-ifr", "we-iifr"), 3: ("we-iiius", "we-xiiius"), 4: ("we-xxiius",)}
    armies = {2: ("we-1fr", "we-7us"), 3: ("we-9us",), 4: ()}
    for turn in (1, 2, 3, 4):
        p = altered(p, turn=turn, phase=8, agenda=p.agenda[:1])
        p = in_use().game.steps["phase"].settle(p)
        assert G.terms.phases[p.phase].step == "reinforcements"
        for when, names in due.items():
            for unit in names:
                assert where(p, unit) == ("reserve" if when <= turn else "arrivals")
            for gf in armies[when]:
                assert home(p, gf) is (when <= turn)
    assert not any(reduced(p, unit) for names in due.values() for unit in names)
    assert not in_use().broken(p)


# ---------------------------------------------------------------------------------------------------------------------------
# 5.2, 12.2: the Axis


@rule("5.2.a")
@rule("5.2.b")
@rule("5.2.e")
@rule("12.2.b")
@example("F-03")
@ruling("R-F66")
@ruling("R-F77")
def test_F_03_fourteen_points_two_less_without_a_garrison_then_the_bombardment() -> None:
    assert pr(income("axis", "ax-2pz 21: ax-69k ax-5ssgek ax-15gek"), "axis") == 14
    assert pr(income("axis", ""), "axis") == 12
    p = opened()
    assert pr(p, "axis") == 14
    p = throw(go_on(go_on(p)), 4)
    assert pr(p, "axis") == 9, "die 4 and the escort of the armies in Italy"
    # From saved points too, and never below none.
    poor = lay("economic bombardment west", "we-5us 9: we-iius", pr="axis 3")
    assert pr(throw(go_on(go_on(poor)), 6), "axis") == 0
    assert pr(income("axis", "", control="soviet: " + VATERLAND + " 26 53"), "axis") == 0


@rule("5.2.a")
@rule("5.2.b")
@rule("5.2.c")
@ruling("R-F24")
@ruling("R-F77")
def test_axis_zones_pay_by_control_or_by_a_formation_contested_or_cut_off() -> None:
    def points(forces: str = "", control: str = "") -> int:
        return pr(income("axis", forces, control=control), "axis") + 2

    assert points() == 14
    for name in (*VATERLAND.split(), "26", "53"):
        assert points(control=f"soviet: {name}") == 13, name
    assert points(control="soviet: 40 1 21") == 14, "other zones pay nothing"
    assert points("we-1us 7: we-vus / ax-1a 7: ax-80k") == 14, "contested"
    assert points("we-1us 7: we-vus / ax-1a 7: ax-80k", "west: 7") == 14, "held by a formation alone"
    assert points("we-1us 7: we-vus") == 13
    everything = " ".join(name for name in ZONES if name not in ("53", "10"))
    assert pr(income("axis", "ax-6a 53: ax-7k", control=f"soviet: {everything}", pr="axis 5"), "axis") == 5 + 1 - 2


@rule("12.2.a")
@rule("12.2.b")
@rule("12.2.c")
@example("F-46")
@ruling("R-F76")
@ruling("R-F20")
def test_F_46_one_formation_of_three_units_in_21_or_22_is_the_garrison() -> None:
    def lost(forces: str, control: str = "") -> int:
        return 14 - pr(income("axis", forces, control=control), "axis")

    assert lost("ax-2pz 21: ax-69k ax-5ssgek ax-15gek ax-21gek") == 0
    assert lost("ax-2pz 21: ax-69k ax-5ssgek / ax-6a 22: ax-15gek ax-21gek") == 2
    assert lost("ax-2pz 22: ax-69k- ax-5ssgek- ax-15gek- / so-ukr1 22: so-13a") == 0, "reduced and contested"
    assert lost("ax-2pz 27: ax-69k ax-5ssgek ax-15gek") == 2
    assert lost("so-ukr1 21: so-13a / so-ukr2 22: so-27a") == 2
    assert lost("so-ukr1 21: so-13a", "soviet: 21 22") == 2
    back = "so-ukr1 21: so-13a / ax-2pz 22: ax-69k ax-5ssgek ax-15gek"
    assert lost(back, "soviet: 21") == 0
    with playing("yugoslav-loss-permanent"):
        assert lost(back) == 0
        fallen = income("axis", back, yugoslavia_lost=True)
        assert pr(fallen, "axis") == 12
    assert pr(income("axis", back, yugoslavia_lost=True), "axis") == 14


# ---------------------------------------------------------------------------------------------------------------------------
# 5.3: the bombardment


def bombed(*faces: int, forces: str = "we-5us 10: we-iius", cards: str = "", **fields: object) -> int:
    """How many of 20 points the Axis loses; ``cards``: those that are played."""
    p = lay("economic bombardment west", forces, hands="west: we-8af / axis: ax-flak", pr="axis 20", **fields)  # type: ignore[arg-type]
    p = play(p, "west play we-8af") if "8af" in cards else go_on(p)
    p = play(p, "axis play ax-flak") if "flak" in cards else go_on(p)
    assert step(p) == "dice" and p.agenda[-1].data[:2] == ("bombardment", len(faces))
    p = throw(p, *faces)
    assert p.flak == 0
    return 20 - pr(p, "axis")


@rule("5.3.a")
@rule("5.3.d")
@rule("5.2.d")
@rule("5.3.e")
@rule("11.5.h")
@rule("11.7.c")
@example("F-04")
@ruling("R-F65")
def test_F_04_the_die_flak_halves_it_the_air_force_throws_two_and_keeps_the_better() -> None:
    assert bombed(5) == 5
    assert bombed(5, forces="we-5us 9: we-iius", cards="flak") == 2 + 1
    assert bombed(3, 5, cards="8af") == 5
    assert bombed(1, 1, cards="8af flak") == 0
    for die in range(1, 7):
        assert bombed(die) == die


@rule("5.3.b")
@example("F-58")
@ruling("R-F65")
def test_F_58_two_dice_after_roosevelt_the_lowest_of_three_dropped_then_flak_then_the_escort() -> None:
    assert bombed(3, 4, roosevelt=True) == 7
    assert bombed(3, 4, 1, cards="8af", roosevelt=True) == 7
    assert bombed(3, 4, 1, cards="8af flak", roosevelt=True) == 3
    assert bombed(3, 4, 1, cards="8af flak", roosevelt=True, forces="we-5us 9: we-iius") == 4


@rule("5.3.e")
@rule("5.3.f")
@rule("11.4")
@ruling("R-F65")
@ruling("R-F43")
def test_the_west_says_first_then_the_axis_whatever_they_hold() -> None:
    p = lay("economic bombardment west", "we-5us 10: we-iius", hands="west: we-8af we-patton / axis: ax-flak ax-secret")
    assert by(p) == "west" and step(p) == "bombard"
    allowed(p, "west play we-8af", "west done")
    refused(p, "west play we-patton", "5.3.e", only=True)
    refused(p, "west play we-8af > 4", "5.3.e", only=True)
    refused(p, "axis play ax-flak", "2", only=True)
    refused(p, "west restore we-iius", "2", only=True)
    q = play(p, "west play we-8af")
    assert by(q) == "axis" and "we-8af" not in hand(q, "west")
    assert "axis play ax-flak" in legal(q, "axis")
    refused(q, "axis play ax-secret", "5.3.e", only=True)
    refused(q, "axis play we-8af", "5.3.e", only=True)
    none = lay("economic bombardment west", "we-5us 10: we-iius")
    assert by(none) == "west" and step(none) == "bombard", "asked with an empty hand too"
    refused(none, "west play we-8af", "11.4", only=True)
    after = go_on(none)
    assert by(after) == "axis" and step(after) == "bombard"
    refused(after, "axis play ax-flak", "11.4", only=True)


@rule("11.2.b")
@ruling("R-F47")
def test_bombardment_cards_are_back_in_their_pools_and_can_be_drawn_again() -> None:
    p = play(lay("economic bombardment west", "we-5us 10: we-iius", hands="west: we-8af"), "west play we-8af")
    assert p.held[0] == (0, 0)
    again = altered(p, phase=-1, agenda=p.agenda[:1])
    assert "chance draw we-8af @ west" in legal(in_use().settled(again))


@rule("5.3.c")
@example("F-60")
@ruling("R-F64")
def test_F_60_the_escort_is_a_western_formation_in_or_next_to_the_vaterland() -> None:
    start = opened()
    p = throw(go_on(go_on(start)), 1)
    assert pr(start, "axis") - pr(p, "axis") == 2, "the armies in 9, contested"
    near = {name for name in ZONES if G.land.near[G.land.zone(name)] & G.land.vaterland} | set(VATERLAND.split())
    assert "9" in near and "10" not in near and "7" in near
    for name in ZONES:
        assert bombed(1, forces=f"we-1us {name}: we-vus") == (2 if name in near else 1), name
    assert bombed(1, forces="so-ukr1 7: so-13a / we-1us 10: we-vus") == 1, "a Soviet formation is no escort"
    assert bombed(1, forces="we-1us reserve: we-vus") == 1
    with playing("escort-uncontested"):
        assert bombed(1, forces="we-1us 9: we-vus / ax-10a 9: ax-51gek") == 1
        assert bombed(1, forces="we-1us 9: we-vus") == 2
        assert bombed(1, forces="we-1us 9: we-vus / ax-10a 9: ax-51gek / we-2uk 8: we-iuk") == 2


@rule("5.3.g")
def test_the_throw_is_made_every_turn_even_at_no_points() -> None:
    for turn in (1, 4, 7):
        p = lay("economic bombardment west", "we-5us 10: we-iius", turn=turn)
        assert step(go_on(go_on(p))) == "dice"


# ---------------------------------------------------------------------------------------------------------------------------
# 5.4, 5.5, 12.4: the West; 5.6: the Soviets


@rule("5.4.f")
@rule("5.4.g")
@rule("5.4.k")
@rule("12.4.c")
@example("F-05")
@ruling("R-F69")
def test_F_05_two_points_a_port_one_less_if_contested_or_with_a_pocket_or_both() -> None:
    def points(forces: str = "", control: str = "") -> tuple[int, int]:
        p = income("west", forces, control=control)
        return pr(p, "england"), pr(p, "italy")

    assert points() == (0, 2)
    assert points(control="west: 1 2 3 4 6 21") == (10, 4)
    assert points("we-1us 4: we-vus") == (2, 2)
    assert points("we-1us 4: we-vus / ax-15a 4: ax-64k") == (1, 2)
    assert points("we-1us 4: we-vus / + 4: ax-64k") == (1, 2)
    assert points("we-1us 4: we-vus / ax-15a 4: ax-64k / + 4: ax-67k ax-81k") == (1, 2)
    assert points("+ 4: ax-64k", control="west: 4") == (1, 2)
    assert points(control="soviet: 4") == (0, 2)
    assert points(control="axis: 10") == (0, 0)
    assert points("ax-10a 10: ax-51gek") == (0, 0)


@rule("5.4.b")
@rule("5.4.i")
@rule("5.1.b")
@example("F-05")
@ruling("R-F67")
def test_F_05_unspent_western_points_lapse_and_the_others_keep_theirs() -> None:
    assert pr(income("west", "", pr="england 3 italy 1", control="west: 4"), "england") == 2
    assert pr(income("west", "", pr="england 3 italy 1"), "italy") == 2
    assert pr(income("soviet", "", pr="soviet 7"), "soviet") == 12
    assert pr(income("axis", "", pr="axis 7"), "axis") == 7 + 12
    with playing("west-keeps-pr"):
        p = income("west", "", pr="england 3 italy 1", control="west: 4")
        assert (pr(p, "england"), pr(p, "italy")) == (5, 3)
        p = income("west", "", pr="england 9 italy 4", control="west: 4")
        assert (pr(p, "england"), pr(p, "italy")) == (11, 6), "what ports give in one turn is no limit for what is kept"


@rule("5.4.c")
@rule("5.4.d")
@rule("5.4.e")
@rule("3.2.a")
@rule("3.2.b")
@rule("3.2.c")
@example("F-30")
@ruling("R-F8")
@ruling("R-F68")
def test_F_30_sectors_ports_and_the_vaterland() -> None:
    def named(zones: int) -> set[int]:
        return {int(name) for i, name in enumerate(ZONES) if zones >> i & 1}

    sectors = {colour: named(zones) for colour, zones in G.land.sectors.items()}
    assert sectors["west"] == {1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14}
    assert sectors["northeast"] == {15, 16, 17, 18, 19, 23, 24, 25, 28, 29, 30, 31, 32, 33, 37, 38, 39, 40, 41}
    assert sectors["southeast"] == {20, 21, 22, 26, 27, 34, 35, 42, 43, 48, 49, 50, 51, 52, 53, 54}
    assert named(G.land.vaterland) == set(map(int, VATERLAND.split()))
    assert named(G.land.ports) == set(map(int, PORTS.split()))
    for name in PORTS.split():
        p = income("west", "", control=f"west: {name}")
        assert (pr(p, "england"), pr(p, "italy")) == ((0, 2 + 2 * (name == "21")) if name in ("10", "21") else (2, 2)), name


@rule("5.5.a")
@rule("5.5.b")
@example("F-05")
@ruling("R-F70")
def test_F_05_the_mulberry_pays_two_though_contested_while_the_west_stays() -> None:
    zone_1 = G.land.zone("1")
    contested = "we-1us 1: we-vus / ax-7a 1: ax-84k / + 1: ax-64k"
    assert pr(income("west", contested), "england") == 1
    p = income("west", contested, mulberry=zone_1, mulberry_gone=True)
    assert pr(p, "england") == 2
    assert pr(income("west", "we-1us 1: we-vus", mulberry=zone_1, mulberry_gone=True), "england") == 2
    # It stands where nobody was before, from the first landing that stays; a later one gets none.
    q = lay("west_action operations west", "we-1us reserve: we-vus / ax-7a 1: ax-84k", began_reserve=bits("we-1us"))
    q = go_on(play(q, "west land we-1us > 1"))
    for _ in range(20):
        if phase(q).startswith("soviet"):
            break
        q = go_on(q)
    assert q.mulberry == zone_1 and q.mulberry_gone
    # When the last western formation has left, it is gone for good.
    gone = in_use().settled(unsettled("economic income west", "we-1us 4: we-vus", mulberry=zone_1, mulberry_gone=True))
    assert gone.mulberry != zone_1 and pr(gone, "england") == 2, "the two points are those of zone 4"


@rule("5.6.a")
@rule("5.6.b")
@example("F-06")
@ruling("R-F24")
def test_F_06_five_points_and_one_for_each_oil_zone_held_uncontested() -> None:
    def points(forces: str = "", control: str = "") -> int:
        return pr(income("soviet", forces, control=control), "soviet")

    assert points() == 5
    assert points(control="soviet: 26") == points(control="soviet: 53") == 6
    assert points(control="soviet: 26 53 40 17") == 7
    assert points("so-ukr1 53: so-13a") == 6
    assert points("so-ukr1 53: so-13a / ax-6a 53: ax-7k", "soviet: 53") == 5
    assert points(control="west: 26") == 5


# ---------------------------------------------------------------------------------------------------------------------------
# 4.5: the piles


def infantry(count: int, elites: int = 0) -> list[str]:
    """So many Axis infantry units, so many of them elite."""
    best = [u for i, u in enumerate(G.units.ids) if (G.units.elite & G.units.infantry & G.units.of_side[2]) >> i & 1]
    plain = [u for i, u in enumerate(G.units.ids) if (G.units.infantry & G.units.german & ~G.units.elite) >> i & 1]
    return plain[: count - elites] + best[:elites]


def pile(*names: str, side: str = "axis", more: str = "") -> Pos:
    """The position in which that side's piles are to be split."""
    forces = {"axis": "so-ukr1 46: so-13a", "soviet": "so-ukr4 46: so-18a", "west": "we-5us 10: we-iius"}[side]
    return lay(f"economic automatic {side}", f"{forces} / + pile: {' '.join(names)}{more}")


def sorted_out(p: Pos) -> tuple[int, int, int]:
    """Units that return, go to the box, stay: played out with the first legal choices."""
    before = sum(at in places for at in p.at for places in [G.land.places.piles[G.side(p.agenda[-1].by[0])]])
    back = out = 0
    while step(p) == "pile":
        text = next(iter(sorted(t for t in legal(p) if t.split()[1] in ("return", "box"))))
        back, out = back + (" return " in text), out + (" box " in text)
        p = play(p, text)
    return back, out, before - back - out


@rule("4.5.c")
@rule("4.5.e")
@rule("4.5.g")
@rule("4.5.k")
@rule("2.d")
@example("F-01")
@ruling("R-F73")
def test_F_01_of_eight_two_return_reduced_five_go_to_the_box_and_one_stays() -> None:
    names = infantry(8)
    p = pile(*names)
    assert step(p) == "pile" and by(p) == "axis" and p.agenda[-1].data == (2, 0, 2, 5)
    assert owed(p) == {"pile-waits": ("4.5.c",)}
    agreed(p)
    p = play(p, f"axis return {names[0]}", f"axis return {names[5]}", *(f"axis box {u}" for u in names[1:5]), f"axis box {names[6]}")
    assert where(p, names[0]) == where(p, names[5]) == "reserve" and reduced(p, names[0]) and reduced(p, names[5])
    assert [u for u in names if where(p, u) == "destroyed"] == [*names[1:5], names[6]]
    assert where(p, names[7]) == "pile" and step(p) != "pile"
    for n in range(3, 12):
        assert sorted_out(pile(*infantry(n))) == (n // 3, 2 * n // 3, n - n // 3 - 2 * n // 3), n


@rule("4.5.l")
@rule("4.5.b")
@rule("4.5.j")
@rule("12.1.e")
@example("F-02")
@ruling("R-F7")
def test_F_02_below_three_nothing_moves_and_minor_allies_lie_in_no_pile() -> None:
    for n in (0, 1, 2):
        assert step(pile(*infantry(n))) != "pile"
    two_and_two = [*infantry(2), "ax-39pzk", "ax-24pzk"]
    assert step(pile(*two_and_two)) != "pile", "infantry and armour are counted apart"
    for unit in ("ax-4romk", "ax-2romk", "ax-6romk", "ax-6hunk", "ax-7hunk"):
        assert grave_of(G, G.units.index[unit]) == G.land.places.destroyed[2]


@rule("4.5.c")
@rule("4.5.j")
@rule("4.5.e")
@example("F-38")
@ruling("R-F73")
def test_F_38_elites_count_and_never_return_free() -> None:
    def shares(count: int, elites: int) -> tuple[int, int, int]:
        """With elites of our choice, as no side has three of one class."""
        names = infantry(count)
        best = sum(1 << G.units.index[name] for name in names[:elites])
        other = msgspec.structs.replace(G, units=msgspec.structs.replace(G.units, elite=best))
        back, out = split(other, unsettled("economic automatic axis", "+ pile: " + " ".join(names)), 2, 0)
        return back, out, count - back - out

    assert shares(3, 3) == (0, 3, 0)
    assert shares(3, 1) == (1, 2, 0)
    assert shares(6, 5) == (1, 5, 0)
    assert shares(4, 0) == (1, 2, 1)
    assert shares(5, 0) == (1, 3, 1)
    assert sorted_out(pile(*infantry(3, 1))) == (1, 2, 0)
    assert sorted_out(pile(*infantry(6, 2))) == (2, 4, 0)


@rule("4.5.a")
@rule("4.5.c")
@rule("4.5.e")
@rule("4.5.i")
@rule("4.5.j")
@ruling("R-F73")
def test_the_owner_picks_within_the_numbers() -> None:
    names = infantry(5, 2)
    best = [u for u in names if G.units.elite >> G.units.index[u] & 1]
    plain = [u for u in names if u not in best]
    p = pile(*names, "ax-39pzk", more=" / + destroyed: ax-89k")
    assert p.agenda[-1].data == (2, 0, 1, 3)
    allowed(p, *(f"axis return {u}" for u in plain), *(f"axis box {u}" for u in names))
    refused(p, f"axis return {best[0]}", "4.5.j", only=True)
    refused(p, "axis box ax-39pzk", "4.5.a", only=True)
    refused(p, "axis box ax-89k", "4.5.a", only=True)
    refused(p, "axis done", "4.5.c", only=True)
    refused(p, f"axis restore {plain[0]}", "2", only=True)
    q = play(p, f"axis return {plain[0]}")
    refused(q, f"axis return {plain[1]}", "4.5.c", only=True)
    q = play(p, f"axis box {plain[0]}", f"axis box {plain[1]}")
    refused(q, f"axis box {plain[2]}", "4.5.c", only=True)  # needed for the one that returns
    q = play(q, f"axis box {best[0]}")
    refused(q, f"axis box {best[1]}", "4.5.e", only=True)
    assert step(play(q, f"axis return {plain[2]}")) != "pile"


@rule("4.5.a")
@rule("4.5.d")
@ruling("R-F73")
def test_every_side_sorts_its_piles_infantry_then_armour() -> None:
    tanks = ("so-1gtka", "so-3gtka", "so-4gtka")
    armies = ("so-5a", "so-31a", "so-39a")
    p = pile(*armies, *tanks, side="soviet")
    assert p.agenda[-1].data[:2] == (1, 0)
    p = play(p, "soviet return so-5a", "soviet box so-31a", "soviet box so-39a")
    assert step(p) == "pile" and p.agenda[-1].data[:2] == (1, 1)
    west = pile("we-xiius", "we-vus", "we-viius", side="west")
    assert step(west) == "pile" and by(west) == "west"


@rule("4.5.d")
@ruling("R-F73")
def test_what_propaganda_takes_out_of_a_pile_meanwhile_is_no_more_asked_for() -> None:
    names = infantry(3)
    p = lay("economic automatic axis", f"so-ukr1 46: so-13a / + pile: {' '.join(names)}", hands="axis: ax-propaganda")
    p = play(p, "axis play ax-propaganda", f"axis rebuild {names[0]} > reduced", f"axis rebuild {names[1]} > reduced", "axis done")
    assert step(p) == "pile" and p.agenda[-1].data == (2, 0, 1, 0)
    assert where(play(p, f"axis return {names[2]}"), names[2]) == "reserve"
    # Nothing left of those that could return: the places go to the box.
    mixed = infantry(3, 2)
    p = lay("economic automatic axis", f"so-ukr1 46: so-13a / + pile: {' '.join(mixed)}", hands="axis: ax-propaganda")
    p = play(p, "axis play ax-propaganda", f"axis rebuild {mixed[0]} > full", "axis done")
    assert p.agenda[-1].data == (2, 0, 0, 2)


# ---------------------------------------------------------------------------------------------------------------------------
# 12.1, 4.4, 5.4: what needs no payment


@rule("12.1.b")
@rule("12.1.c")
@rule("12.1.d")
@example("F-50")
@ruling("R-F74")
def test_F_50_romanians_and_hungarians_come_back_full_every_turn() -> None:
    start = opened()
    assert reduced(start, "ax-4romk") and where(start, "ax-4romk") == "ax-8a"
    p = throw(go_on(go_on(start)), 1)
    while phase(p) != "economic spending axis":
        p = go_on(p)
    assert not reduced(p, "ax-4romk") and where(p, "ax-4romk") == "ax-8a"
    forces = "ax-8a 48: ax-4k- ax-4romk- / ax-1hun reserve: ax-6hunk- / + reserve: ax-7hunk- / + destroyed: ax-2romk ax-89k"
    p = lay("economic automatic axis", forces, control="soviet: " + VATERLAND + " 26 27 28 29 30")
    assert units(p, "ax-8a") == "ax-4k- ax-4romk", "out of supply too; Germans stay as they are"
    assert units(p, "ax-1hun") == "ax-6hunk" and units(p, "reserve axis") == "ax-2romk ax-7hunk"
    assert where(p, "ax-89k") == "destroyed"


@rule("12.1.d")
@ruling("R-F74")
def test_after_the_capitulation_they_are_gone() -> None:
    p = lay("economic automatic axis", "ax-8a 48: ax-4k-", capitulated=("Romania",))
    assert where(p, "ax-4romk") == "removed"


@rule("4.4.a")
@rule("4.4.b")
@ruling("R-F75")
def test_volkssturm_a_step_for_each_formation_in_a_contested_zone_of_the_vaterland() -> None:
    forces = (
        "ax-4pz 16: ax-13k- ax-42k- ax-56pzk- / ax-2a 16: ax-8k / so-ukr1 16: so-13a / ax-6a 17: ax-7k-"
        " / ax-9a 37: ax-35k- / so-bielo3 37: so-5a / ax-1a 7: ax-80k- / we-1us 7: we-vus"
    )
    p = lay("economic automatic axis", forces)
    assert step(p) == "levy" and by(p) == "axis"
    assert {t for t in legal(p) if " levy " in t} == {"axis levy ax-13k", "axis levy ax-42k", "axis levy ax-80k"}
    refused(p, "axis levy ax-56pzk", "4.4.a", only=True)  # armour
    refused(p, "axis levy ax-8k", "4.4.b", only=True)  # full: the step is lost
    refused(p, "axis levy ax-7k", "4.4.a", only=True)  # not contested
    refused(p, "axis levy ax-35k", "4.4.a", only=True)  # not in the Vaterland
    refused(p, "axis restore ax-13k", "2", only=True)
    q = play(p, "axis levy ax-13k")
    assert not reduced(q, "ax-13k") and pr(q, "axis") == pr(p, "axis")
    refused(q, "axis levy ax-42k", "4.4.a", only=True)  # one step a formation
    q = play(q, "axis levy ax-80k")
    assert {t for t in legal(q) if " levy " in t} == set()
    q = go_on(q)
    assert phase(q) == "economic spending west"
    assert phase(go_on(p)) == "economic spending west" and reduced(go_on(p), "ax-13k")


@rule("4.4.a")
@ruling("R-F75")
@ruling("R-F138")
def test_volkssturm_is_asked_for_whatever_the_formations_hold_and_reaches_those_cut_off() -> None:
    p = lay("economic automatic axis", "ax-4pz 16: ax-56pzk / so-ukr1 16: so-13a")
    assert step(p) == "levy" and not [t for t in legal(p) if " levy " in t]
    assert step(lay("economic automatic axis", "ax-4pz 16: ax-13k-")) != "levy"
    for kind in ("ax-2fjk", "ax-4lwk", "ax-6ssk", "ax-15gek", "ax-9k"):
        allowed(lay("economic automatic axis", f"ax-4pz 16: {kind}- / so-ukr1 16: so-13a"), f"axis levy {kind}")


@rule("5.4.l")
@ruling("R-F79")
def test_western_units_in_the_reserve_are_full_before_spending_those_of_the_third_too() -> None:
    forces = "we-1us reserve: we-vus- / we-2uk 4: we-iuk- / + reserve: we-viiiuk- / + pile: we-xiius we-xvus we-xxius"
    p = lay("economic automatic west", forces)
    assert reduced(p, "we-vus")
    p = play(p, "west return we-xiius", "west box we-xvus", "west box we-xxius")
    assert units(p, "we-1us") == "we-vus" and units(p, "reserve west") == "we-viiiuk we-xiius"
    assert reduced(p, "we-iuk"), "on the map nothing is free"
    assert reduced(lay("economic automatic soviet", "so-ukr1 46: so-13a / + reserve: so-5a-"), "so-5a"), "nor for the others"


# ---------------------------------------------------------------------------------------------------------------------------
# 4.2, 4.3, 5.7: spending


@rule("5.7.a")
@rule("4.3.b")
@rule("4.2")
@rule("4.3.a")
@rule("4.5.f")
@rule("4.5.h")
@example("F-07")
@example("F-47")
@ruling("R-F71")
def test_F_47_one_point_buys_two_steps_and_a_single_one_costs_a_whole_point() -> None:
    forces = "ax-4pz 37: ax-13k- ax-42k- ax-56pzk- / + destroyed: ax-7k ax-1sspzk / + pile: ax-30k"
    p = lay("economic spending axis", forces, pr="axis 5")
    one = play(p, "axis restore ax-13k")
    assert pr(one, "axis") == 4 and not reduced(one, "ax-13k") and where(one, "ax-13k") == "ax-4pz"
    two = play(one, "axis restore ax-56pzk")
    assert pr(two, "axis") == 4
    three = play(two, "axis restore ax-42k")
    assert pr(three, "axis") == 3 and pr(go_on(three), "axis") == 3, "the half is lost"
    assert not go_on(three).sealed[2].credit
    full = play(p, "axis rebuild ax-7k > full")
    assert pr(full, "axis") == 4 and where(full, "ax-7k") == "reserve" and not reduced(full, "ax-7k")
    half = play(p, "axis rebuild ax-30k > reduced", "axis rebuild ax-1sspzk > reduced")
    assert pr(half, "axis") == 4 and reduced(half, "ax-30k") and reduced(half, "ax-1sspzk"), "from the pile, and an elite"
    # A step paid for serves first: half a point is there, the full unit takes one more.
    assert pr(play(one, "axis rebuild ax-7k > full"), "axis") == 3
    assert pr(play(one, "axis rebuild ax-7k > full", "axis restore ax-42k"), "axis") == 3
    agreed(p)


@rule("4.1")
@rule("4.2")
@rule("4.3.a")
@rule("5.7.b")
@ruling("R-F72")
def test_steps_are_bought_for_units_in_the_reserve_and_in_supplied_formations() -> None:
    cut = "soviet: " + " ".join(name for name in ZONES if name not in (*VATERLAND.split(), "54", "10"))
    forces = "ax-4pz 54: ax-13k- / ax-2a reserve: ax-8k- / + reserve: ax-42k- / ax-6a 16: ax-7k- ax-30k / so-ukr1 16: so-13a / + 4: ax-64k-"
    p = lay("economic spending axis", forces, pr="axis 9", control=cut)
    allowed(p, "axis restore ax-8k", "axis restore ax-42k", "axis restore ax-7k")
    refused(p, "axis restore ax-13k", "4.2", only=True)  # cut off
    refused(p, "axis restore ax-30k", "4.2", only=True)  # full
    refused(p, "axis restore ax-64k", "4.2", only=True)  # a pocket
    refused(p, "axis restore so-13a", "4.1", only=True)
    refused(p, "axis rebuild ax-42k > full", "4.3.a", only=True)
    refused(p, "axis fill ax-42k > ax-6a", "2", only=True)
    here = play(p, "axis restore ax-8k", "axis restore ax-42k", "axis restore ax-7k")
    assert pr(here, "axis") == 7
    # A rebuilt unit lies in the Reserve and may be restored there in the same phase.
    q = lay("economic spending soviet", "so-ukr1 46: so-13a / + destroyed: so-5a", pr="soviet 1")
    q = play(q, "soviet rebuild so-5a > reduced", "soviet restore so-5a")
    assert where(q, "so-5a") == "reserve" and not reduced(q, "so-5a") and pr(q, "soviet") == 0


@rule("5.7.a")
@ruling("R-F71")
def test_points_must_be_there() -> None:
    forces = "ax-4pz 37: ax-13k- ax-42k- / + destroyed: ax-7k"
    refused(lay("economic spending axis", forces), "axis restore ax-13k", "5.7.a", only=True)
    p = play(lay("economic spending axis", forces, pr="axis 1"), "axis restore ax-13k")
    allowed(p, "axis restore ax-42k", "axis rebuild ax-7k > reduced")
    refused(p, "axis rebuild ax-7k > full", "5.7.a", only=True)


@rule("5.4.h")
@rule("5.4.k")
@rule("5.4.j")
@rule("5.4.m")
@ruling("R-F68")
def test_western_points_come_from_the_marker_whose_port_the_formation_reaches() -> None:
    forces = "we-1us 4: we-vus- / we-5us 9: we-iius- we-ivus- / + destroyed: we-viiiuk / + reserve: we-xvus-"
    p = lay("economic spending west", forces, pr="england 2 italy 2")
    allowed(p, "west restore we-vus @ england", "west restore we-iius @ italy")
    refused(p, "west restore we-vus @ italy", "5.4.h", only=True)
    refused(p, "west restore we-iius @ england", "5.4.h", only=True)
    allowed(p, "west rebuild we-viiiuk @ england > full", "west rebuild we-viiiuk @ italy > full")
    allowed(p, "west restore we-xvus @ italy", "west restore we-xvus @ england")
    refused(p, "west restore we-vus", "5.4.k", only=True)
    refused(p, "west restore we-vus @ axis", "5.4.k", only=True)
    refused(lay("economic spending soviet", "so-ukr1 46: so-13a-", pr="soviet 1"), "soviet restore so-13a @ soviet", "5.4.k", only=True)
    # Both steps of a point come from one marker.
    q = play(p, "west restore we-iius @ italy", "west restore we-vus @ england")
    assert (pr(q, "england"), pr(q, "italy")) == (1, 1)
    q = play(q, "west restore we-ivus @ italy")
    assert (pr(q, "england"), pr(q, "italy")) == (1, 1)
    # A formation that reaches ports of both may use either.
    both = lay("economic spending west", "we-5us 5: we-iius-", pr="england 1 italy 1", control="west: 4 5 8 13 14 9 10")
    reach = {t.split("@ ")[1] for t in legal(both) if " restore " in t}
    assert reach >= {"england"}


@rule("12.1.b")
@ruling("R-F74")
def test_minor_allies_are_never_paid_for() -> None:
    forces = "ax-8a 48: ax-4k- ax-4romk- / + destroyed: ax-2romk"
    p = lay("economic spending axis", forces, pr="axis 3")
    allowed(p, "axis restore ax-4k")
    refused(p, "axis restore ax-4romk", "12.1.b", only=True)
    refused(p, "axis rebuild ax-2romk > full", "12.1.b", only=True)


@rule("2.e")
@ruling("R-F43")
def test_each_side_is_asked_in_turn_even_without_points() -> None:
    p = lay("economic spending west", "we-5us 10: we-iius")
    for side in ("west", "soviet", "axis"):
        assert step(p) == "spend" and by(p) == side and phase(p) == f"economic spending {side}"
        assert told(p, f"{'axis' if side != 'axis' else 'west'} done") == {"wrong-hand": ("2",)}
        p = go_on(p)
    assert phase(p) == "west_action combine west"


@rule("4.3.a")
@ruling("R-F137")
@ruling("R-F136")
def test_rebuilding_is_seen_and_restoring_is_not() -> None:
    forces = "ax-4pz 37: ax-13k- ax-42k- / + destroyed: ax-7k"
    p = lay("economic spending axis", forces, pr="axis 3")
    a, b = play(p, "axis restore ax-13k"), play(p, "axis restore ax-42k")
    view = in_use().view
    assert view(a, "west") == view(b, "west") != view(p, "west")
    c = play(p, "axis rebuild ax-7k > reduced")
    assert view(c, "west").at != view(p, "west").at
    # One step or two for a point: what the enemy sees is the point.
    assert view(play(a, "axis restore ax-42k"), "soviet") == view(a, "soviet")
    assert zone(a, "ax-4pz") == "37"


@rule("5.1.c")
@ruling("R-F136")
def test_everybody_sees_the_points_of_all_sides() -> None:
    p = lay("economic spending west", "we-5us 10: we-iius", pr="england 1 italy 2 soviet 3 axis 4")
    for side in ("west", "soviet", "axis"):
        assert in_use().view(p, side).pr == (1, 2, 3, 4)
