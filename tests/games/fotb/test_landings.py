"""9.5, 9.7: landings, arrivals by sea, the landing in Croatia (PE.West.9), the Mulberry (5.5)."""

from __future__ import annotations

from typing import Any

from referee.games.overlord_to_berlin import points
from tests.games.fotb.layout import (
    BOOK,
    GFS,
    G,
    Pos,
    agreed,
    allowed,
    altered,
    bits,
    by,
    example,
    holder,
    home,
    lay,
    legal,
    owed,
    phase,
    play,
    pr,
    refused,
    rule,
    ruling,
    run,
    step,
    told,
    units,
    zone,
)

ENGLAND = """we-1us reserve: we-vus we-viius / we-2uk reserve: we-iuk we-30uk / we-3us reserve: we-xvus / we-1ca reserve:
    / we-5us 9: we-iius / we-8uk 9: we-ican / ax-10a 9: ax-51gek / ax-7a 1: ax-84k ax-47pzk / + reserve: we-xiius we-ivus"""


def operations(forces: str = ENGLAND, **more: Any) -> Pos:
    """The operational step of the West after an action phase that began with these forces."""
    p = lay("west_action combine west", forces, **more)
    return play(p, "west done", "west done", "west done")


def go(p: Pos, text: str) -> Pos:
    """An action whose PA nobody cancels."""
    p = play(p, text)
    assert step(p) == "cancel"
    return play(p, f"{by(p)} done")


def turned(p: Pos, gf: str) -> bool:
    """Whether the counter lies turned over."""
    return points.face_down(p, GFS.index(gf))


@example("F-52")
@rule("9.5.b")
@rule("9.5.a")
@ruling("R-F96")
def test_F_52_where_and_when_somebody_lands() -> None:
    for turn in (1, 2):
        p = operations(turn=turn)
        assert {text.rpartition("> ")[2] for text in legal(p) if " land " in text} == {"1", "2", "3", "4", "6", "21"}
        agreed(p)
    p = operations(turn=3)
    assert not any(" land " in text for text in legal(p))
    refused(p, "west land we-1us > 1", "9.5.a", only=True)
    for turn in (1, 3, 7):
        p = operations(turn=turn)
        allowed(p, "west sail we-1us > 10")
        refused(p, "west land we-1us > 10", "9.5.b")
    refused(operations(), "west land we-1us > 5", "9.5.b", only=True)


@rule("9.5.a")
@ruling("R-F95")
def test_one_landing_a_turn_and_none_is_saved() -> None:
    p = go(operations(), "west land we-1us > 1")
    refused(p, "west land we-2uk > 2", "9.5.a", only=True)
    p = operations(turn=2)
    p = go(p, "west land we-1us > 2")
    assert p.landings == (255, G.land.zone("2")), "none was made in turn 1"
    refused(p, "west land we-2uk > 3", "9.5.a", only=True)
    p = operations(turn=2, landings=(G.land.zone("1"),))
    assert go(p, "west land we-1us > 2").landings == (G.land.zone("1"), G.land.zone("2"))


@rule("9.5.a")
@rule("9.7.a")
def test_the_West_alone_lands() -> None:
    p = lay("soviet_action operations soviet", "so-balt1 44: so-43a / so-ukr1 reserve: so-13a")
    refused(p, "soviet land so-ukr1 > 1", "9.5.a", only=True)
    refused(p, "soviet sail so-ukr1 > 1", "9.7.a", only=True)
    refused(operations(), "west land so-ukr1 > 1", "1.f", only=True)


@rule("9.5.b")
@ruling("R-F96")
def test_nobody_lands_where_an_Ally_is_already() -> None:
    p = operations(control="west: 2 / soviet: 3")
    refused(p, "west land we-1us > 2", "9.5.b", only=True)
    refused(p, "west land we-1us > 3", "9.5.b", only=True)
    p = operations(ENGLAND + " / we-7us 4: we-vius / ax-15a 4: ax-67k")
    refused(p, "west land we-1us > 4", "9.5.b", only=True)


@rule("9.5.c")
@ruling("R-F96")
def test_two_formations_land_in_1_and_4_and_one_elsewhere() -> None:
    p = operations()
    allowed(p, "west land we-1us,we-2uk > 1", "west land we-1us,we-2uk > 4", "west land we-2uk > 6")
    for to in ("2", "3", "6", "21"):
        refused(p, f"west land we-1us,we-2uk > {to}", "9.5.c", "7.1.d", only=True)
    reasons = BOOK.check(p, BOOK.parse("west land we-1us,we-2uk > 2")).reasons
    assert reasons[0].basis == ("zones 2 landing_limit",)


@rule("7.1.d")
@ruling("R-F96")
def test_the_arrow_limits_the_landing_and_others_follow_by_sea() -> None:
    p = go(operations(), "west land we-1us > 2")
    p = go(p, "west sail we-2uk > 2")
    p = go(p, "west sail we-3us > 2")
    assert zone(p, "we-1us") == zone(p, "we-2uk") == zone(p, "we-3us") == "2"


@rule("7.1.e")
@ruling("R-F101")
def test_formations_follow_by_sea_into_the_landing_zone_in_the_same_phase() -> None:
    p = operations()
    refused(p, "west sail we-3us > 1", "9.7.a", only=True)
    p = go(p, "west land we-1us,we-2uk > 1")
    p = go(p, "west sail we-3us > 1")
    assert zone(p, "we-3us") == "1" and holder(p, 1) == "axis"


@rule("9.5.c")
@rule("9.7.b")
@ruling("R-F96")
def test_only_formations_that_began_in_the_Reserve_and_hold_a_unit_land() -> None:
    p = operations()
    refused(p, "west land we-5us > 1", "9.5.c", only=True)
    refused(p, "west land we-1ca > 1", "9.7.b", only=True)
    forces = ENGLAND.replace("we-1ca reserve:", "we-1ca 10: we-viiiuk")
    p = lay("west_action strategic west", forces, began_reserve=bits("we-1us we-2uk we-3us"))
    p = play(p, "west withdraw we-viiiuk", "west fill we-xiius > we-1ca", "west done", "west done")
    refused(p, "west land we-1ca > 1", "9.5.c", only=True)
    refused(p, "west sail we-1ca > 10", "9.7.a", only=True)


@rule("9.5.d")
@ruling("R-F97")
def test_the_landing_is_the_first_PA() -> None:
    p = go(operations(), "west land we-1us > 2")
    assert zone(p, "we-1us") == "2" and holder(p, 2) == "west"
    refused(p, "west move we-1us @ 2 > 5 via free", "8.1.a", only=True)
    p = go(p, "west move we-1us @ 2 > 5")
    assert turned(p, "we-1us") and holder(p, 5) == "west"


@rule("9.5.e")
@ruling("R-F97")
def test_the_second_PA_attacks() -> None:
    p = go(operations(), "west land we-1us,we-2uk > 1")
    allowed(p, "west attack we-1us,we-2uk @ 1")
    p = go(p, "west attack we-1us,we-2uk @ 1")
    assert p.combat is not None and p.combat.landing and p.combat.attackers == bits("we-1us we-2uk")


@rule("9.5.f")
@ruling("R-F98")
def test_of_two_that_landed_neither_attacks_alone_with_its_second_PA_while_the_other_has_its_own() -> None:
    p = go(operations(hands="west: we-patton"), "west land we-1us,we-2uk > 1")
    refused(p, "west attack we-1us @ 1", "9.5.f", only=True)
    refused(p, "west attack we-2uk @ 1", "9.5.f", only=True)
    allowed(play(p, "west play we-patton > we-1us"), "west attack we-1us @ 1 via card")
    allowed(play(p, "west turn-over we-2uk"), "west attack we-1us @ 1")
    allowed(go(operations(), "west land we-1us > 1"), "west attack we-1us @ 1")


@rule("9.5.e")
@ruling("R-F97")
def test_the_second_PA_moves_only_where_no_enemy_is() -> None:
    p = go(operations(control="west: 2", hands="west: we-patton"), "west land we-1us > 1")
    refused(p, "west move we-1us @ 1 > 2", "9.5.e", only=True)
    p = play(p, "west play we-patton > we-1us")
    allowed(p, "west move we-1us @ 1 > 2")
    allowed(go(operations(), "west land we-1us > 2"), "west move we-1us @ 2 > 5")
    p = go(go(operations(control="west: 2"), "west land we-1us > 1"), "west sail we-2uk > 1")
    allowed(p, "west move we-2uk @ 1 > 2")


@rule("9.5.h")
@ruling("R-F97")
def test_the_second_PA_costs_no_PR_and_none_may_be_spent() -> None:
    p = go(operations(pr="england 4 italy 2"), "west land we-1us > 2")
    refused(p, "west move we-1us @ 2 > 5 via bought-england", "9.5.h", "9.7.f", only=True)
    p = go(p, "west move we-1us @ 2 > 5")
    assert pr(p, "england") == 4 and pr(p, "italy") == 2
    refused(p, "west move we-1us @ 5 > 8", "8.3", "9.5.h")


@rule("9.5.h")
@ruling("R-F97")
def test_a_stratagem_gives_a_landed_formation_one_more() -> None:
    p = go(operations(hands="west: we-patton"), "west land we-1us > 2")
    p = go(p, "west move we-1us @ 2 > 5")
    p = go(play(p, "west play we-patton > we-1us"), "west move we-1us @ 5 > 8")
    assert zone(p, "we-1us") == "8"


@rule("9.5.g")
@ruling("R-F96")
def test_formations_of_two_commands_land_together() -> None:
    allowed(operations(), "west land we-1us,we-2uk > 4")


@rule("9.5.i")
@ruling("R-F101")
def test_an_arrival_by_sea_may_follow_a_landing_and_each_is_a_group_of_its_own() -> None:
    p = go(operations(), "west land we-1us > 2")
    p = go(p, "west sail we-2uk > 2")
    assert turned(p, "we-1us"), "another group has acted"
    refused(p, "west move we-1us @ 2 > 5", "8.3")
    p = go(p, "west move we-2uk @ 2 > 5")
    assert zone(p, "we-2uk") == "5"


@rule("8.2.b")
@ruling("R-F90")
def test_formations_that_land_together_are_a_group() -> None:
    p = go(operations(), "west land we-1us,we-2uk > 4")
    p = go(p, "west move we-1us @ 4 > 5")
    p = go(p, "west move we-2uk @ 4 > 5")
    assert zone(p, "we-2uk") == "5"


@rule("9.7.g")
@ruling("R-F90")
@ruling("R-F101")
def test_who_was_stopped_and_comes_by_sea_is_no_group_with_those_that_landed() -> None:
    for stopped, ashore in (("we-1us", "we-2uk"), ("we-2uk", "we-1us")):
        p = operations(hands="axis: ax-blocking")
        p = play(p, "west land we-1us,we-2uk > 4", f"axis play ax-blocking > {stopped}", "west done")
        p = go(p, f"west sail {stopped} > 4")
        assert zone(p, stopped) == "4" and turned(p, ashore), "another group has acted"


@rule("9.5.d")
@ruling("R-F56")
def test_a_landing_that_is_cancelled_is_not_spent_and_may_be_made_with_the_second_PA() -> None:
    p = operations(hands="axis: ax-blocking")
    p = play(p, "west land we-1us > 2", "axis play ax-blocking > we-1us", "west done")
    assert home(p, "we-1us") and p.landings == () and holder(p, 2) == "axis"
    p = go(p, "west land we-1us > 2")
    assert zone(p, "we-1us") == "2" and turned(p, "we-1us"), "without attack"


@rule("9.5.d")
@ruling("R-F100")
def test_a_formation_whose_both_PA_were_cancelled_stays_in_the_Reserve() -> None:
    p = operations(hands="axis: ax-blocking")
    p = play(p, "west land we-1us > 2", "axis play ax-blocking > we-1us", "west done")
    again = altered(p, sealed=(*p.sealed[:2], operations(hands="axis: ax-blocking").sealed[2]), held=((0, 0), (0, 0), (1, 0)))
    again = play(again, "west land we-1us > 2", "axis play ax-blocking > we-1us", "west done")
    refused(again, "west land we-1us > 2", "9.5.h", "9.7.f")
    allowed(again, "west land we-2uk > 2")


@rule("9.5.d")
@ruling("R-F56")
def test_of_two_that_land_together_the_one_stopped_may_follow_by_sea() -> None:
    p = operations(hands="axis: ax-blocking")
    p = play(p, "west land we-1us,we-2uk > 1", "axis play ax-blocking > we-2uk", "west done")
    assert zone(p, "we-1us") == "1" and home(p, "we-2uk") and p.landings == (0,)
    p = go(p, "west sail we-2uk > 1")
    assert zone(p, "we-2uk") == "1" and turned(p, "we-2uk")


@rule("9.6")
@ruling("R-F99")
def test_after_a_landing_the_zone_waits_for_its_landing_combat() -> None:
    p = go(operations(), "west land we-1us > 1")
    assert p.wall == bits("1") and p.landers == bits("we-1us")
    p = go(p, "west sail we-2uk > 1")
    assert p.landers == bits("we-1us"), "who arrives by sea has not landed"


@rule("9.7.a")
@ruling("R-F101")
def test_formations_arrive_in_ports_that_are_friendly_or_contested_with_own_formations() -> None:
    forces = ENGLAND + " / we-7us 4: we-vius / ax-15a 4: ax-67k"
    p = operations(forces, control="west: 2 5")
    allowed(p, "west sail we-1us > 2", "west sail we-1us > 4", "west sail we-1us > 10")
    refused(p, "west sail we-1us > 1", "9.7.a", only=True)
    refused(p, "west sail we-1us > 5", "9.7.a", only=True)
    refused(p, "west sail we-5us > 2", "9.7.a", only=True)


@rule("9.7.b")
@ruling("R-F101")
def test_a_formation_is_filled_when_it_sails() -> None:
    p = operations()
    p = play(p, "west fill we-xiius > we-1ca", "west fill we-ivus > we-1us", "west withdraw we-vus")
    p = go(p, "west sail we-1ca > 10")
    assert units(p, "we-1ca") == "we-xiius" and units(p, "we-1us") == "we-ivus we-viius"
    refused(p, "west fill we-vus > we-1ca", "9.7.b", only=True)
    refused(p, "west fill we-vus > we-5us", "9.7.b", only=True)
    refused(p, "west withdraw we-iius", "9.7.b", only=True)
    refused(p, "west withdraw we-vus", "9.7.b", only=True)


@rule("9.7.b")
@ruling("R-F80")
def test_at_sea_capacity_binds_at_once() -> None:
    p = operations(ENGLAND + " / we-9us reserve: we-xixus we-vius we-iiius we-xiiius")
    refused(p, "west fill we-xiius > we-9us", "9.7.b", only=True)
    allowed(p, "west fill we-xiius > we-3us")


@rule("9.7.c")
@ruling("R-F101")
def test_the_arrival_is_the_first_PA() -> None:
    p = go(operations(control="west: 2"), "west sail we-1us > 2")
    refused(p, "west move we-1us @ 2 > 5 via free", "8.1.a", only=True)


@rule("9.7.d")
@ruling("R-F80")
def test_no_more_than_three_stand_in_the_port() -> None:
    p = operations(ENGLAND + " / we-7us 2: we-vius / we-9us 2: we-xixus / we-1fr 3: we-ifr")
    p = go(p, "west sail we-1us > 2")
    refused(p, "west sail we-2uk > 2", "7.1.b", only=True)
    allowed(p, "west sail we-2uk > 3")


@rule("9.7.e")
@ruling("R-F101")
def test_an_arrival_has_two_PA() -> None:
    p = go(operations(control="west: 2"), "west sail we-1us > 2")
    p = go(p, "west move we-1us @ 2 > 5")
    assert turned(p, "we-1us")


@rule("9.7.f")
@ruling("R-F101")
def test_the_second_PA_of_an_arrival_costs_no_PR() -> None:
    p = go(operations(control="west: 2", pr="england 4"), "west sail we-1us > 2")
    p = go(p, "west move we-1us @ 2 > 5")
    assert pr(p, "england") == 4
    refused(p, "west move we-1us @ 5 > 8 via bought-england", "8.3", "9.7.f")


@rule("9.7.g")
@ruling("R-F101")
def test_formations_arrive_singly() -> None:
    p = go(operations(control="west: 2"), "west sail we-1us > 2")
    p = go(p, "west sail we-2uk > 2")
    assert p.group[GFS.index("we-1us")] != p.group[GFS.index("we-2uk")]
    assert told(p, "west move we-1us,we-2uk @ 2 > 5").keys() >= {"not-one-group"}


@rule("9.7.h")
@ruling("R-F91")
def test_an_arrival_is_supported_under_its_command() -> None:
    forces = ENGLAND + " / we-7us 1: we-vius / we-9us 1: we-xixus"
    p = go(operations(forces), "west sail we-2uk > 1")
    refused(p, "west attack we-2uk @ 1 with we-7us", "10.12.a")
    p = go(operations(forces), "west sail we-1us > 1")
    allowed(p, "west attack we-1us @ 1 with we-7us")


@rule("9.8")
@ruling("R-F101")
def test_who_has_come_by_sea_and_is_back_does_not_come_again() -> None:
    p = go(operations(), "west land we-1us > 2")
    assert not p.began_reserve >> GFS.index("we-1us") & 1


CROATIA = (9, 0, 0)


@rule("PE.West.9.a")
@ruling("R-F124")
def test_the_event_lands_a_formation_in_Croatia_besides_the_landing_of_the_turn() -> None:
    p = operations(turn=4, event=CROATIA)
    assert owed(p) == {"croatia-landing-owed": ("PE.West.9.a",)}
    refused(p, "west land we-1us > 1", "9.5.a", only=True)
    refused(p, "west land we-1us,we-2uk > 21", "9.5.a", "9.5.c", "7.1.d", only=True)
    for gf in ("we-1us", "we-5us", "we-8uk"):
        q = go(p, f"west land {gf} > 21")
        assert zone(q, gf) == "21" and q.croatia and q.landings == () and q.wall == bits("21")
        assert owed(q) == {}
    p = go(go(operations(event=CROATIA), "west land we-1us > 21"), "west land we-2uk > 2")
    assert p.landings == (G.land.zone("2"),)


@rule("PE.West.9.a")
@ruling("R-F124")
def test_from_Italy_only_the_two_that_began_there_and_are_supplied_by_its_port() -> None:
    p = operations(ENGLAND + " / we-7us 10: we-vius", turn=4, event=CROATIA)
    refused(p, "west land we-7us > 21", "9.5.a", "9.5.c", only=True)
    allowed(p, "west land we-5us > 21")
    cut = operations(ENGLAND, turn=4, event=CROATIA, control="axis: 10")
    refused(cut, "west land we-5us > 21", "9.5.a", "9.5.c", only=True)
    refused(operations(turn=4), "west land we-5us > 21", "9.5.a", "9.5.c", only=True)


@rule("PE.West.9.a")
@ruling("R-F124")
def test_who_lands_in_Croatia_from_Italy_has_its_second_PA_without_PR() -> None:
    p = go(operations(turn=4, event=CROATIA, pr="italy 2"), "west land we-5us > 21")
    assert holder(p, 21) == "west"
    refused(p, "west move we-5us @ 21 > 22 via bought-italy", "9.5.h", "9.7.f", only=False)
    p = go(p, "west move we-5us @ 21 > 22")
    assert zone(p, "we-5us") == "22" and pr(p, "italy") == 2 and turned(p, "we-5us")


@rule("8.2.b")
@ruling("R-F90")
@ruling("R-F124")
def test_who_lands_in_Croatia_from_Italy_is_still_of_the_group_with_which_it_began() -> None:
    forces = "we-5us 10: we-iius / we-8uk 10: we-ican / we-1us reserve: we-vus"
    p = go(operations(forces, turn=4, event=CROATIA, control="west: 9"), "west move we-8uk @ 10 > 9")
    same = go(p, "west land we-5us > 21")
    assert not turned(same, "we-8uk"), "both began in 10"
    other = go(p, "west land we-1us > 21")
    assert turned(other, "we-8uk")


@rule("5.5.a")
@ruling("R-F70")
def test_the_Mulberry_stands_in_the_first_landing_zone_that_was_kept() -> None:
    p = go(operations(), "west land we-1us > 1")
    assert p.mulberry == 255
    p = play(p, "west done", "west done")
    assert phase(p) == "soviet_action combine soviet" and p.mulberry == 0
    p = go(operations(), "west land we-1us > 2")
    p = go(p, "west move we-1us @ 2 > 5")
    p = play(p, "west done", "west done")
    assert p.mulberry == 255 and not p.mulberry_gone, "nobody stayed in the zone"


@rule("5.5.a")
@ruling("R-F70")
def test_the_Mulberry_ends_for_good_when_the_last_formation_leaves() -> None:
    forces = "we-1us 2: we-vus / we-3us reserve: we-xvus"
    p = operations(forces, turn=2, mulberry=G.land.zone("2"), mulberry_gone=True, landings=(G.land.zone("2"),))
    p = go(p, "west move we-1us @ 2 > 1")
    assert p.mulberry == 255
    p = go(p, "west land we-3us > 4")
    p = play(p, "west done", "west done")
    assert p.mulberry == 255, "a later landing is not it"


@rule("5.5.a")
@ruling("R-F70")
def test_the_landing_of_the_event_is_no_Mulberry() -> None:
    p = go(operations(event=CROATIA), "west land we-1us > 21")
    p = play(p, "west done", "west done")
    assert p.mulberry == 255


def test_the_phase_of_the_West_ends_after_a_landing() -> None:
    p = go(operations(), "west land we-1us > 2")
    assert phase(run(p, "soviet_action operations soviet")) == "soviet_action operations soviet"
