"""6: supply, and the zones that are own, contested and friendly (1)."""

from __future__ import annotations

import csv
from pathlib import Path
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.overlord_to_berlin import supply
from tests.games.fotb.layout import (
    AXIS,
    BOOK,
    GFS,
    WEST,
    G,
    Pos,
    allowed,
    example,
    holder,
    lay,
    legal,
    play,
    refused,
    rule,
    ruling,
    told,
    zone,
)

BOX = Path(__file__).parents[3] / "data" / "overlord-to-berlin"


def supplied(p: Pos, gf: str) -> bool:
    """Whether the engine has the formation in supply."""
    return supply.supplied(G, p, GFS.index(gf))


def friendly(p: Pos, gf: str) -> set[str]:
    """The zones that are friendly for a formation."""
    zones = supply.friendly_for(G, p, GFS.index(gf))
    return {G.land.name(z) for z in range(G.land.size) if zones >> z & 1}


def west(forces: str, **more: str) -> Pos:
    """The strategic step of the West with these forces."""
    return lay("west_action strategic west", forces, **more)


def axis(forces: str, **more: str) -> Pos:
    """The strategic step of the Axis."""
    return lay("axis_action strategic axis", forces, **more)


@example("F-48")
@rule("1.e")
@ruling("R-F23")
def test_F_48_control_at_the_start() -> None:
    p = BOOK.game.start()
    held = {side: {n for n in range(1, 55) if holder(p, n) == side} for side in ("west", "soviet", "axis")}
    assert held["west"] == {10} and held["soviet"] == {36, 44, 45, 46, 47} and len(held["axis"]) == 48
    ninth = 1 << G.land.zone("9")
    assert holder(p, 9) == "axis"
    assert supply.ground(G, p, AXIS).contested & ninth and supply.ground(G, p, WEST).contested & ninth


@example("F-60")
@rule("6.1.a")
def test_F_60_at_the_start_every_formation_is_within_its_limit_and_in_supply() -> None:
    p = BOOK.start()
    for gf, name in enumerate(GFS):
        if G.on_map(p, gf):
            side = G.gfs.side[gf]
            there = [x for x in range(len(GFS)) if p.gf_at[x] == p.gf_at[gf] and G.gfs.side[x] == side]
            assert len(there) <= G.stacking(side, p.gf_at[gf]), name
            assert supplied(p, name), name


@rule("1.c")
@ruling("R-F27")
def test_a_zone_is_contested_by_formations_of_both_and_not_by_a_pocket() -> None:
    p = west("we-1us 1: we-vus / ax-7a 1: ax-84k / we-3us 4: we-xvus / + 4: ax-64k")
    both = supply.ground(G, p, WEST).contested
    assert both >> G.land.zone("1") & 1 and not both >> G.land.zone("4") & 1
    assert holder(p, 4) == "west", "a pocket holds no zone"


@rule("1.d")
def test_a_zone_is_contested_whatever_the_supply_of_those_who_stand_there() -> None:
    p = west("we-1us 12: we-vus / ax-7a 12: ax-84k")
    assert not supplied(p, "we-1us") and supplied(p, "ax-7a")
    assert supply.ground(G, p, WEST).contested >> G.land.zone("12") & 1


@rule("1.e")
@ruling("R-F28")
def test_friendly_is_own_and_in_supply() -> None:
    p = west("we-1us 5: we-vus / we-3us 1: we-xvus / ax-7a 1: ax-84k", control="west: 2 8 18")
    assert friendly(p, "we-1us") == {"2", "5", "8", "10"}, "1 is contested, 18 has no line, 10 is a port of its own"


@rule("9.4.d")
@ruling("R-F25")
def test_control_passes_when_a_side_stands_alone_and_stays_when_it_leaves() -> None:
    p = lay("soviet_action operations soviet", "so-bielo3 44: so-5a / ax-3pz 37: ax-6k / so-balt1 44: so-43a")
    p = play(p, "soviet move so-bielo3 @ 44 > 37", "soviet done")
    assert holder(p, 37) == "axis", "an enemy stands there still"
    p = play(p, "soviet move so-balt1 @ 44 > 30", "soviet done")
    assert holder(p, 30) == "soviet" and holder(p, 44) == "soviet"


@rule("6.1.a")
@ruling("R-F32")
def test_a_line_runs_through_friendly_and_contested_zones_any_number_of_them() -> None:
    inland = "we-1us 8: we-vus"
    assert not supplied(west(inland), "we-1us")
    assert supplied(west(inland, control="west: 3"), "we-1us")
    assert supplied(west(inland, control="west: 5 1"), "we-1us")
    assert not supplied(west(inland, control="west: 5"), "we-1us"), "no port at the end of the line"
    row = f"{inland} / we-3us 5: we-xvus / ax-7a 5: ax-84k / we-2uk 1: we-iuk / ax-1a 1: ax-80k"
    assert supplied(west(row), "we-1us"), "two contested zones in a row"
    assert not supplied(west("we-1us 8: we-vus / ax-7a 5: ax-84k", control="west: 1"), "we-1us")


@rule("6.1.b")
@ruling("R-F38")
def test_every_port_of_the_West_supplies_own_or_contested() -> None:
    for port in (1, 2, 3, 4, 6, 10, 21):
        assert supplied(west(f"we-1us {port}: we-vus"), "we-1us")
        assert supplied(west(f"we-1us {port}: we-vus / ax-7a {port}: ax-84k"), "we-1us")
    for other in (5, 7, 8, 9, 22, 27):
        assert not supplied(west(f"we-1us {other}: we-vus", control="axis: 10"), "we-1us")
    assert not supplied(west("we-1us 9: we-vus / ax-10a 10: ax-51gek"), "we-1us"), "the port must be held"


@rule("6.1.b")
@ruling("R-F116")
def test_a_pocket_does_not_close_a_port_for_supply() -> None:
    assert supplied(west("we-1us 5: we-vus / + 4: ax-64k", control="west: 4"), "we-1us")


@rule("6.1.c")
@ruling("R-F29")
def test_the_Soviets_are_supplied_from_the_edge_through_zones_of_their_own() -> None:
    def soviet(forces: str, **more: str) -> Pos:
        return lay("soviet_action strategic soviet", forces, **more)

    for edge in (36, 44, 45, 46, 47):
        assert supplied(soviet(f"so-balt1 {edge}: so-43a"), "so-balt1")
    assert supplied(soviet("so-balt1 31: so-43a", control="soviet: 37"), "so-balt1")
    assert not supplied(soviet("so-balt1 31: so-43a"), "so-balt1")
    assert not supplied(soviet("so-balt1 31: so-43a", control="west: 37 30"), "so-balt1"), "zones of the other Ally carry no line"
    assert not supplied(soviet("so-balt1 4: so-43a"), "so-balt1"), "ports supply the West"


@rule("6.1.d")
@ruling("R-F31")
def test_the_Axis_is_supplied_from_any_zone_of_the_Vaterland_it_holds() -> None:
    for home in (7, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 23):
        others = " ".join(str(n) for n in range(1, 55) if n != home)
        assert supplied(axis(f"ax-4a {home}: ax-12k", control=f"soviet: {others}"), "ax-4a"), "cut off, and a source still"
    around = "soviet: " + " ".join(str(n) for n in range(1, 55) if n not in (24, 15))
    assert not supplied(axis("ax-4a 24: ax-12k", control=around), "ax-4a")
    around = "soviet: " + " ".join(str(n) for n in range(1, 55) if n not in (24, 17))
    assert supplied(axis("ax-4a 24: ax-12k", control=around), "ax-4a")
    taken = "ax-4a 24: ax-12k / so-balt1 17: so-43a"
    assert not supplied(axis(taken, control=around), "ax-4a")
    assert supplied(axis(f"{taken} / ax-2a 17: ax-8k", control=around), "ax-4a"), "contested with a formation of its own"


ONLY_28 = "soviet: " + " ".join(str(n) for n in range(1, 55) if n not in (28, 31))


@rule("6.1.e")
@ruling("R-F17")
def test_each_Baltic_zone_supplies_one_formation() -> None:
    p = axis("ax-18a 28: ax-26k / ax-16a 28: ax-1k", control=ONLY_28)
    assert supplied(p, "ax-16a") and not supplied(p, "ax-18a"), "the first in the order of the set-up has the place"
    p = axis("ax-18a 28: ax-26k / ax-16a 30: ax-1k", control=ONLY_28)
    assert supplied(p, "ax-16a") and supplied(p, "ax-18a"), "a place in each of two zones"
    p = axis("ax-18a 28: ax-26k / ax-16a 28: ax-1k", control="soviet: " + " ".join(str(n) for n in range(1, 55) if n not in (23, 28)))
    assert supplied(p, "ax-18a"), "with a line to the Vaterland nobody needs the Baltic"


@rule("6.1.e")
@ruling("R-F33")
def test_a_Baltic_zone_supplies_by_a_line_too_while_nobody_else_wants_the_place() -> None:
    p = axis("ax-16a 31: ax-1k", control=ONLY_28)
    assert supplied(p, "ax-16a")
    p = axis("ax-16a 31: ax-1k / ax-18a 31: ax-26k", control=ONLY_28)
    assert not supplied(p, "ax-16a") and not supplied(p, "ax-18a"), "two want it and none is named"
    p = play(p, "axis supply ax-18a @ 28")
    assert supplied(p, "ax-18a") and not supplied(p, "ax-16a")
    p = axis("ax-16a 31: ax-1k / ax-18a 28: ax-26k", control=ONLY_28)
    assert supplied(p, "ax-18a") and not supplied(p, "ax-16a"), "who stands in the zone comes first"
    two = "soviet: " + " ".join(str(n) for n in range(1, 55) if n not in (28, 30, 31))
    p = axis("ax-16a 31: ax-1k / ax-18a 31: ax-26k", control=two)
    assert supplied(p, "ax-16a") and supplied(p, "ax-18a"), "two places for two"


@rule("6.1.e")
@ruling("R-F33")
def test_a_Baltic_zone_that_the_enemy_holds_supplies_nobody() -> None:
    assert not supplied(axis("ax-16a 31: ax-1k", control=ONLY_28 + " 28"), "ax-16a")
    assert supplied(axis("ax-16a 28: ax-1k / so-balt1 28: so-43a", control=ONLY_28), "ax-16a"), "contested will do"


@rule("6.1.e")
@ruling("R-F33")
def test_a_zone_supplied_from_the_Baltic_is_friendly_for_the_one_with_the_place_alone() -> None:
    p = axis("ax-18a 28: ax-26k / ax-16a 28: ax-1k", control=ONLY_28)
    assert friendly(p, "ax-16a") == {"28", "31"} and friendly(p, "ax-18a") == set()
    p = lay("axis_action operations axis", "ax-16a 28: ax-1k / ax-18a 31: ax-26k / so-balt1 31: so-43a", control=ONLY_28)
    refused(p, "axis move ax-18a @ 31 > 28", "9.4.c", "6.2", only=True)
    p = lay("axis_action operations axis", "ax-18a 28: ax-1k / ax-16a 31: ax-26k / so-balt1 31: so-43a", control=ONLY_28)
    refused(p, "axis move ax-16a @ 31 > 28", "6.2", "6.1.e", only=True)
    three = "soviet: " + " ".join(str(n) for n in range(1, 55) if n not in (28, 30, 31))
    p = lay("axis_action operations axis", "ax-16a 28: ax-1k / ax-18a 31: ax-26k / so-balt1 31: so-43a", control=three)
    allowed(p, "axis move ax-18a @ 31 > 30")


@rule("6.1.e")
@ruling("R-F33")
def test_who_was_named_for_a_Baltic_zone_loses_it_with_the_line() -> None:
    p = lay("axis_action operations axis", "ax-16a 28: ax-1k / ax-18a 31: ax-26k / ax-4a 31: ax-12k", control=ONLY_28)
    p = play(p, "axis supply ax-18a @ 28")
    assert supplied(p, "ax-18a") and not supplied(p, "ax-16a")
    at = G.land.baltic.index(G.land.zone("28"))
    assert p.baltic[at] == GFS.index("ax-18a")
    p = play(p, "axis move ax-18a @ 31 > 23", "axis done")
    assert p.baltic[at] == 255, "it has reached the Vaterland and needs no place"


@rule("6.2")
@ruling("R-F35")
def test_nobody_goes_where_he_would_be_out_of_supply() -> None:
    p = lay("soviet_action operations soviet", "so-bielo3 37: so-5a", control="axis: 44 45 30 / soviet: 31")
    assert not supplied(p, "so-bielo3")
    refused(p, "soviet move so-bielo3 @ 37 > 31", "6.2", only=True)
    refused(p, "soviet move so-bielo3 @ 37 > 32", "6.2", only=True)
    allowed(p, "soviet move so-bielo3 @ 37 > 44")
    assert "soviet move so-bielo3 @ 37 > 31" not in legal(p)


@rule("9.4.c")
@ruling("R-F35")
def test_the_last_formation_leaves_a_contested_zone_only_if_another_line_remains() -> None:
    forces = "so-bielo3 37: so-5a / so-balt1 37: so-43a / ax-3pz 37: ax-6k"
    p = lay("soviet_action operations soviet", forces)
    allowed(p, "soviet move so-bielo3 @ 37 > 31")
    refused(p, "soviet move so-balt1,so-bielo3 @ 37 > 31", "9.4.c", "6.2", only=True)
    p = lay("soviet_action operations soviet", forces, control="soviet: 30")
    allowed(p, "soviet move so-balt1,so-bielo3 @ 37 > 31")


@rule("6.2")
@ruling("R-F35")
def test_formations_that_go_together_keep_each_other_in_supply() -> None:
    forces = "we-1us 4: we-vus / we-2uk 4: we-iuk / ax-15a 4: ax-67k / ax-19a 7: ax-62k"
    p = lay("west_action operations west", forces, control="axis: 5 8 6")
    allowed(p, "west move we-1us @ 4 > 5", "west move we-2uk @ 4 > 5")
    refused(p, "west move we-1us,we-2uk @ 4 > 5", "9.4.c", "6.2", only=True)


@rule("6.3.a")
@ruling("R-F34")
def test_a_formation_in_a_contested_zone_without_a_line_is_cut_off_and_stays() -> None:
    p = lay(
        "west_action strategic west",
        "we-1us 12: we-vus we-viius / ax-7a 12: ax-84k / + reserve: we-xiius / we-3us 1: we-xvus",
        pr="england 4",
    )
    assert not supplied(p, "we-1us")
    assert told(p, "west fill we-xiius > we-1us") == {"gf-cut-off": ("9.2.a",)}
    refused(p, "west withdraw we-vus", "9.2.b", only=True)
    allowed(p, "west fill we-xiius > we-3us", "west withdraw we-xvus")
    p = play(p, *["west done"] * 2)
    refused(p, "west move we-1us @ 12 > 8 via bought", "8.1.i")
    assert zone(p, "we-1us") == "12"


@rule("6.3.a")
@ruling("R-F34")
def test_a_cut_off_formation_moves_only_to_supply_and_with_its_free_PA() -> None:
    p = lay("west_action operations west", "we-1us 8: we-vus", control="west: 3", pr="england 4")
    assert supplied(p, "we-1us")
    forces = "we-1us 5: we-vus / ax-7a 5: ax-84k / ax-1a 4: ax-80k"
    p = lay("west_action operations west", forces, control="west: 2 / axis: 1 3 8", pr="england 4")
    assert supplied(p, "we-1us"), "zone 2 is a port"
    p = lay("west_action operations west", "we-1us 8: we-vus / ax-7a 8: ax-84k", control="west: 2", pr="england 4")
    assert not supplied(p, "we-1us")
    allowed(p, "west move we-1us @ 8 > 5")
    refused(p, "west move we-1us @ 8 > 7", "9.4.c", "6.2", only=True)
    refused(p, "west move we-1us @ 8 > 5 via bought-england", "8.1.i", only=True)


@rule("6.1.a")
@ruling("R-F30")
def test_supply_is_judged_anew_with_every_move() -> None:
    p = lay("soviet_action operations soviet", "so-balt1 37: so-43a / so-bielo3 31: so-5a", control="axis: 30 44 45")
    assert not supplied(p, "so-bielo3")
    p = play(p, "soviet move so-balt1 @ 37 > 44", "soviet done")
    assert supplied(p, "so-bielo3"), "37 stays Soviet and 44 is an edge again"


ZONE_ROWS = list(csv.DictReader((BOX / "zones.csv").open(encoding="utf-8")))
TOUCHING = {frozenset((row["zone_a"], row["zone_b"])) for row in csv.DictReader((BOX / "adjacency.csv").open(encoding="utf-8"))}
COLUMN = {"west": "port", "soviet": "soviet_edge", "axis": "vaterland"}
"""The column that marks the sources of a side."""


def reached(own: set[str], contested: set[str], side: str) -> set[str]:
    """6.1 once more, from the tables alone: every zone that a chain of own and contested zones joins to a source in one of them."""
    open_ = own | contested
    found = {row["zone"] for row in ZONE_ROWS if row[COLUMN[side]] == "1"} & open_
    while True:
        more = {z for z in open_ - found if any(frozenset((z, f)) in TOUCHING for f in found)}
        if not more:
            return found
        found |= more


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.randoms(use_true_random=False))
@rule("6.1.a")
@ruling("R-F28")
def test_supply_agrees_with_a_search_over_the_tables(dice: Random) -> None:
    zones = [row["zone"] for row in ZONE_ROWS]
    owner = {z: dice.choice(("axis", "axis", "soviet", "west")) for z in zones}
    units = {"west": "we-vus we-xvus we-iuk", "soviet": "so-5a so-43a so-3a so-13a", "axis": "ax-1k ax-12k ax-8k ax-80k ax-84k"}
    armies = {"west": "we-1us we-3us we-2uk", "soviet": "so-bielo3 so-balt1 so-bielo1 so-ukr1", "axis": "ax-16a ax-4a ax-2a ax-1a ax-7a"}
    stands: dict[str, set[str]] = {side: set() for side in armies}
    forces = []
    for side, names in armies.items():
        for gf, unit in zip(names.split(), units[side].split(), strict=True):
            free = [z for z in zones if z not in stands[side] and not (side == "soviet" and z in stands["west"])]
            met = [z for z in free if z in stands["west"] | stands["soviet"]]
            at = dice.choice(met if side == "axis" and met and dice.random() < 0.5 else free)
            stands[side].add(at)
            forces.append(f"{gf} {at}: {unit}")
    control = " / ".join(f"{side}: " + " ".join(z for z in zones if owner[z] == side) for side in armies)
    p = lay("axis_action strategic axis", " / ".join(forces), control=control)
    allied = stands["west"] | stands["soviet"]
    for index, side in enumerate(armies):
        foes = allied if side == "axis" else stands["axis"]
        own = ({z for z in zones if owner[z] == side} - allied - stands["axis"]) | (stands[side] - foes)
        net = reached(own, stands[side] & foes, side)
        assert {G.land.name(z) for z in range(G.land.size) if supply.ground(G, p, index).net >> z & 1} == net
        for gf in armies[side].split():
            if side != "axis":
                assert supplied(p, gf) == (zone(p, gf) in net)
            elif zone(p, gf) in net:
                assert supplied(p, gf)
