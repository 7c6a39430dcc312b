"""0 and 1: map, counters and stratagems, and the words of the rules, as the game reads them."""

from __future__ import annotations

from referee.games.overlord_to_berlin import odds, points
from referee.games.overlord_to_berlin.land import SIDES
from tests.games.fotb.layout import (
    BOOK,
    CARDS,
    GFS,
    UNITS,
    G,
    by,
    example,
    in_use,
    lay,
    legal,
    play,
    playing,
    pr,
    rule,
    ruling,
    step,
    told,
    units,
    verbs,
)


def named(zones: int) -> set[int]:
    """The printed numbers of a set of zones."""
    return {int(G.land.name(z)) for z in range(G.land.size) if zones >> z & 1}


@example("F-30")
@rule("0.1.c")
@rule("0.1.e")
@rule("0.1.f")
@rule("0.7.d")
def test_F_30_sectors_Vaterland_ports_and_oil() -> None:
    assert {name: len(named(zones)) for name, zones in G.land.sectors.items()} == {"west": 12, "northeast": 19, "southeast": 16}
    assert named(G.land.vaterland) == {7, *range(11, 21), 23}
    assert named(G.land.ports) == {1, 2, 3, 4, 6, 10, 21}
    assert named(G.land.economic) == {26, 53}


@rule("0.1.b")
@rule("0.7.c")
def test_three_kinds_of_terrain_of_which_the_Alps_are_difficult_too() -> None:
    assert named(G.land.alps) == {14, 20} and not G.land.alps & ~G.land.difficult
    clear = set(range(1, 55)) - named(G.land.difficult)
    assert 37 in clear and 31 in clear and len(clear) > 27, "clear covers most of the map"


@rule("0.1.d")
@rule("0.7.e")
def test_the_oil_zones_are_two_and_shift_no_combat() -> None:
    oil, plain = G.land.zone("53"), G.land.zone("50")
    assert G.land.economic >> oil & 1 and not G.land.difficult >> oil & 1
    shifts = []
    for zone in (oil, plain):
        name = G.land.name(zone)
        p = lay("soviet_action operations soviet", f"so-ukr2 {name}: so-27a so-40a / ax-6a {name}: ax-7k ax-30k ax-44k")
        p = play(p, f"soviet attack so-ukr2 @ {name}", "soviet done")
        assert p.combat is not None
        shifts.append((odds.shifts(G, p.combat, odds.ATTACKER), odds.shifts(G, p.combat, odds.DEFENDER), p.combat.totals))
    assert shifts[0] == shifts[1]


@rule("0.1.g")
def test_landing_zones_and_how_many_land_there() -> None:
    assert {int(G.land.name(z)): n for z, n in enumerate(G.land.landing) if n} == {1: 2, 4: 2, 2: 1, 3: 1, 6: 1, 21: 1}


@rule("0.2.b")
@rule("0.2.c")
@rule("0.5.b")
def test_units_lie_in_the_display_of_their_formation_or_in_the_Reserve_of_their_side() -> None:
    p = BOOK.game.start()
    assert units(p, "ax-7a") == "ax-1sspzk ax-2fjk ax-47pzk ax-84k"
    assert {"we-xiius", "we-viiiuk", "we-xvus", "we-xiiuk", "we-xxius"} == set(units(p, "reserve west").split())
    assert len(set(G.gfs.names)) == len(GFS), "the name is enough to find the display"


@rule("0.2.e")
@ruling("R-F136")
def test_nobody_sees_what_lies_in_the_displays_of_the_enemy() -> None:
    p = lay("axis_action operations axis", "ax-7a 5: ax-84k ax-47pzk- / we-1us 1: we-vus / so-balt1 44: so-43a")
    other = lay("axis_action operations axis", "ax-7a 5: ax-1k / we-1us 1: we-xvus we-vus / so-balt1 44: so-5a")
    west = in_use().view(p, "west")
    assert not west.sealed[2].known and west.sealed[0].known and west.sealed[1].known
    assert not in_use().view(p, "axis").sealed[0].known
    assert in_use().view(p, "west").sealed[2] == in_use().view(other, "west").sealed[2]
    assert west.gf_at == p.gf_at, "where a formation stands everybody sees"


@rule("1.h")
@ruling("R-F135")
def test_one_player_runs_both_Allies_and_sees_both_unless_three_sit_down() -> None:
    forces = "ax-7a 5: ax-84k / we-1us 1: we-vus / so-balt1 44: so-43a"
    assert in_use().view(lay("axis_action operations axis", forces), "soviet").sealed[0].known
    with playing("three-seats") as book:
        p = lay("axis_action operations axis", forces)
        assert not book.view(p, "soviet").sealed[0].known and book.view(p, "soviet").sealed[1].known


@rule("0.4.c")
@rule("0.4.d")
@rule("0.5.h")
def test_what_the_counters_show() -> None:
    seventh, first = GFS.index("ax-7a"), UNITS.index("ax-1sspzk")
    assert (G.gfs.capacity[seventh], G.gfs.nation[seventh], G.gfs.names[seventh]) == (5, "Germany", "7.Armee")
    assert (G.units.full[first], G.units.reduced[first]) == (8, 4) and G.units.elite >> first & 1
    corps = [u for u in range(len(UNITS)) if not G.units.paratroops >> u & 1]
    assert all(0 < G.units.reduced[u] < G.units.full[u] for u in corps), "the back is weaker"


@rule("0.5.d")
def test_the_back_of_a_formation_marks_it_used() -> None:
    p = lay("axis_action operations axis", "ax-7a 5: ax-84k")
    assert not points.face_down(p, GFS.index("ax-7a"))
    assert points.face_down(play(p, "axis turn-over ax-7a"), GFS.index("ax-7a"))


@rule("0.5.e")
def test_every_unit_is_infantry_or_armour_but_the_paratroops_of_the_West() -> None:
    assert G.units.infantry & G.units.armour == 0
    assert {UNITS[u] for u in range(len(UNITS)) if not (G.units.infantry | G.units.armour) >> u & 1} == {"we-iukpara", "we-xviiiuspara"}
    for name, armour in (("ax-4lwk", 0), ("ax-2fjk", 0), ("ax-21gek", 0), ("ax-6ssk", 0), ("ax-3sspzk", 1), ("so-1gtka", 1), ("we-vus", 1)):
        assert G.units.armour >> UNITS.index(name) & 1 == armour, name


@rule("0.5.g")
def test_elites_are_marked_and_none_is_in_Bielo_3() -> None:
    start = BOOK.game.start()
    assert not any(G.units.elite >> UNITS.index(u) & 1 for u in units(start, "so-bielo3").split())
    assert G.units.elite >> UNITS.index("so-1gtka") & 1


@rule("0.6.a")
@rule("0.6.b")
def test_national_stratagems_belong_to_a_side_and_the_operational_ones_to_all() -> None:
    pools = [{name for i, name in enumerate(CARDS) if pool >> i & 1} for pool in (*G.cards.national, G.cards.operational)]
    assert [len(pool) for pool in pools] == [4, 4, 7, 9]
    assert sum(map(len, pools)) == len(set().union(*pools)) == len(CARDS)


@rule("0.6.c")
@ruling("R-F136")
def test_which_cards_a_side_holds_is_secret_and_how_many_is_not() -> None:
    p = lay("axis_action operations axis", "ax-7a 5: ax-84k", hands="axis: ax-szorkeny op-surprise")
    other = lay("axis_action operations axis", "ax-7a 5: ax-84k", hands="axis: ax-flak op-elastic")
    assert in_use().view(p, "west") == in_use().view(other, "west") and p.held[2] == (1, 1)
    assert in_use().view(p, "axis") != in_use().view(other, "axis")


@rule("1.a")
@ruling("R-F10")
def test_a_PA_lets_a_formation_move_or_fight() -> None:
    p = lay("soviet_action operations soviet", "so-bielo3 37: so-5a / ax-4a 37: ax-12k", control="soviet: 30")
    assert {"move", "attack"} <= verbs(p)
    p = play(play(p, "soviet move so-bielo3 @ 37 > 30", "soviet done"), "soviet done")
    assert step(p) == "combine"


@rule("1.b")
def test_a_PR_pays_for_steps_and_for_PA() -> None:
    p = lay("soviet_action operations soviet", "so-bielo3 44: so-5a", pr="soviet 1")
    p = play(p, "soviet move so-bielo3 @ 44 > 37 via bought", "soviet done")
    assert pr(p, "soviet") == 0
    p = lay("economic spending soviet", "so-bielo3 44: so-5a- so-31a / + destroyed: so-39a", pr="soviet 2")
    assert {"soviet restore so-5a", "soviet rebuild so-39a > reduced", "soviet rebuild so-39a > full"} <= legal(p, "soviet")


@rule("1.f")
@rule("1.g")
def test_three_sides_and_their_nations() -> None:
    nations = {side: {G.gfs.nation[gf] for gf in range(len(GFS)) if SIDES[G.gfs.side[gf]] == side} for side in SIDES}
    assert nations["axis"] == {"Germany", "Romania", "Hungary"} and nations["soviet"] == {"Soviet Union"}
    assert nations["west"] == {"United States", "Britain", "Canada", "France"}
    of_units = {G.units.nation[u] for u in range(len(UNITS))}
    assert "Bulgaria" not in of_units and "Poland" in {G.units.nation[u] for u in range(len(UNITS)) if G.units.side[u] == 0}
    assert {G.units.nation[u] for u in range(len(UNITS)) if G.units.side[u] == 1} == {"Soviet Union"}


@rule("1.f")
def test_everybody_handles_his_own_counters() -> None:
    p = lay("west_action strategic west", "we-1us 1: we-vus / so-balt1 44: so-43a / ax-7a 5: ax-84k")
    assert by(p) == "west" and told(p, "soviet withdraw so-43a").keys() == {"wrong-hand"}
    assert told(p, "west withdraw ax-84k").keys() == {"not-yours"}
