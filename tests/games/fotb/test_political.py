"""Chapter 3 and the tables of political events (PE): draws, dice, what an event does at once and what it wants over the turn."""

from __future__ import annotations

from math import comb

import pytest

from tests.games.fotb.layout import (
    CARDS,
    UNITS,
    ZONES,
    G,
    Pos,
    agreed,
    allowed,
    altered,
    bits,
    by,
    draw,
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
    sealed,
    step,
    throw,
    told,
    units,
    where,
    zone,
)

WEST, SOVIET, AXIS = range(3)
PREFIXES = {"west": "we-", "soviet": "so-", "axis": "ax-"}
NATIONALS = {side: {card for card in CARDS if card.startswith(prefix)} for side, prefix in PREFIXES.items()}
OPERATIONALS = {card for card in CARDS if card.startswith("op-")}
FRONTS = "so-balt1 44: so-43a so-4shk / so-balt2 36: so-22a / so-bielo3 44: so-5a so-5gtka"


def held(side: str, *cards: str) -> str:
    """The hands in which a side holds these."""
    return f"{side}: {' '.join(cards)}"


def event(side: str, total: int, **layout: object) -> Pos:
    """The position after a side has thrown this total on its table, in a game that is laid out so."""
    forces = layout.pop("forces", FRONTS + " / ax-4pz 39: ax-13k / we-5us 10: we-iius")
    p = lay(f"political event {side}", str(forces), **layout)  # type: ignore[arg-type]
    first = min(6, total - 1)
    return throw(p, first, total - first)


# ---------------------------------------------------------------------------------------------------------------------------
# 2, 3.1: order and draws


@rule("2.a")
@rule("2.b")
@rule("3.1.a")
@rule("3.1.b")
@rule("3.1.c")
@ruling("R-F39")
def test_draws_come_before_dice_and_each_step_in_the_order_west_soviets_axis() -> None:
    p = in_use().start()
    seen = []
    while phase(p).startswith("political"):
        text = str(next(iter(in_use().legal(p))))
        seen.append(f"{text.split()[1]} {phase(p).split()[-1]}")
        p = throw(p, 1, 2) if step(p) == "dice" else play(p, text)
    draws = [f"draw {side}" for side in ("west", "soviet", "axis")]
    assert seen == [*draws, *draws, *(f"roll {side}" for side in ("west", "soviet", "axis"))]


@rule("3.1.a")
@rule("14.2.a")
@rule("14.2.b")
@example("F-28")
def test_F_28_one_national_each_two_for_the_axis_and_the_organ_is_held_before() -> None:
    p = in_use().start()
    assert hand(p, "soviet") == {"so-organ"} and not hand(p, "west") | hand(p, "axis")
    counts = {side: len(NATIONALS[side]) for side in NATIONALS}
    assert counts == {"axis": 7, "west": 4, "soviet": 4} and len(OPERATIONALS) == 9
    assert len(legal(p)) == 4
    p = draw(p, "we-patton")
    assert legal(p) == {f"chance draw {card} @ soviet" for card in NATIONALS["soviet"] - {"so-organ"}}
    p = draw(p, "so-joukov")
    assert hand(p, "soviet") == {"so-organ", "so-joukov"}
    assert len(legal(p)) == comb(7, 2)
    p = draw(p, "ax-flak", "ax-secret")
    assert hand(p, "axis") == {"ax-flak", "ax-secret"} and p.held == ((1, 0), (2, 0), (2, 0))


@rule("3.1.b")
@rule("11.1.c")
@rule("11.3.a")
@example("F-28")
@ruling("R-F45")
def test_F_28_the_three_sides_draw_all_nine_operationals_every_turn() -> None:
    p = lay("political draw_operational west", FRONTS)
    assert len(legal(p)) == comb(9, 3)
    taken = sorted(OPERATIONALS)
    for i in range(3):
        p = draw(p, *taken[3 * i : 3 * i + 3])
    assert hand(p, "west") | hand(p, "soviet") | hand(p, "axis") == OPERATIONALS
    assert p.held == ((0, 3), (0, 3), (0, 3)) and phase(p) == "political event west"


@rule("3.1.b")
@example("F-28")
@ruling("R-F132")
def test_F_28_after_a_separate_peace_six_are_drawn() -> None:
    p = lay("political draw_operational west", FRONTS, peace=True)
    assert phase(p) == "political draw_operational soviet"
    p = draw(p, *sorted(OPERATIONALS)[:3])
    p = draw(p, *sorted(OPERATIONALS)[3:6])
    assert phase(p) == "political event soviet" and not hand(p, "west")


@rule("3.1.a")
@example("F-53")
@ruling("R-F46")
def test_F_53_an_empty_national_pool_gives_nothing() -> None:
    p = lay("political draw_national west", FRONTS, hands=held("west", *sorted(NATIONALS["west"])))
    assert phase(p) == "political draw_national soviet"
    p = lay("political draw_national axis", FRONTS, hands=held("axis", *sorted(NATIONALS["axis"] - {"ax-flak"})))
    assert legal(p) == {"chance draw ax-flak @ axis"}


@rule("3.1.a")
@rule("3.1.b")
@rule("11.1.a")
@rule("11.2.a")
@rule("11.2.b")
@ruling("R-F47")
def test_a_draw_is_so_many_cards_of_that_pool_for_that_side() -> None:
    p = lay("political draw_national axis", FRONTS, hands="axis: ax-flak")
    allowed(p, "chance draw ax-secret,ax-szorkeny @ axis")
    refused(p, "chance draw ax-secret @ axis", "3.1", only=True)
    refused(p, "chance draw ax-secret,ax-szorkeny @ west", "3.1", only=True)
    refused(p, "chance draw ax-secret,we-patton @ axis", "11.1.a", only=True)
    refused(p, "chance draw ax-flak,ax-secret @ axis", "11.2.a", only=True)
    refused(p, "chance roll event 1,2", "3.1", only=True)
    assert owed(p) == {"draw-awaited": ("3.1",)}
    q = lay("political draw_operational soviet", FRONTS, hands="west: op-elastic op-surprise op-surround")
    allowed(q, "chance draw op-antitank,op-artillery,op-engineers @ soviet")
    refused(q, "chance draw op-antitank,op-artillery,op-elastic @ soviet", "11.2.a", only=True)
    refused(q, "chance draw op-antitank,op-artillery,so-joukov @ soviet", "11.1.a", only=True)
    # An operational that was played this turn is not drawn again in it.
    q = lay("political draw_operational soviet", FRONTS, used_cards=bits("op-antitank"))
    refused(q, "chance draw op-antitank,op-artillery,op-engineers @ soviet", "11.2.a", only=True)
    assert len(legal(q)) == comb(8, 3)


@rule("3.1.c")
@rule("3.1.d")
def test_two_dice_say_the_event_and_it_stays_on_the_table_for_all_to_see() -> None:
    p = lay("political event west", FRONTS)
    assert len(legal(p)) == 36
    p = throw(p, 5, 6)
    assert p.event == (11, 0, 0) and phase(p) == "political event soviet"
    assert in_use().view(p, "axis").event == (11, 0, 0)


@rule("PE.West.3-4")
@rule("PE.West.11")
@rule("PE.West.12")
@rule("PE.Soviet.3-4")
@rule("PE.Soviet.11")
@rule("PE.Axis.3-4")
@rule("PE.Axis.11")
@rule("PE.Axis.12")
@ruling("R-F13")
@pytest.mark.parametrize("side,next_step", [("west", "political event soviet"), ("soviet", "political event axis")])
def test_rows_without_effect_and_rows_without_text_do_nothing(side: str, next_step: str) -> None:
    for total in (3, 4, 11, 12) if side == "west" else (3, 4, 11):
        p = event(side, total)
        assert phase(p) == next_step and step(p) == "dice"
        before = lay(f"political event {side}", FRONTS + " / ax-4pz 39: ax-13k / we-5us 10: we-iius")
        assert p.sealed == before.sealed and p.pr == before.pr and p.at == before.at


@rule("PE.Axis.3-4")
@rule("PE.Axis.11")
@rule("PE.Axis.12")
@ruling("R-F13")
def test_rows_of_the_axis_without_effect_go_on_to_the_economic_phase() -> None:
    for total in (3, 4, 11, 12):
        p = event("axis", total)
        assert phase(p) == "economic bombardment west" and not hand(p, "axis") and not p.fuhrer_dead


@rule("PE.West.6-8")
@rule("PE.Soviet.6-8")
@rule("PE.Axis.6-8")
@rule("11.2.a")
@ruling("R-F131")
@pytest.mark.parametrize("total", [6, 7, 8])
@pytest.mark.parametrize("side", ["west", "soviet", "axis"])
def test_christmas_brings_one_national_at_once(side: str, total: int) -> None:
    p = event(side, total)
    assert step(p) == "draw" and legal(p) == {f"chance draw {card} @ {side}" for card in NATIONALS[side]}
    card = min(NATIONALS[side])
    p = draw(p, card)
    assert hand(p, side) == {card} and step(p) != "draw"


# ---------------------------------------------------------------------------------------------------------------------------
# PE.West.2, PE.Axis.2: the end of the war


@rule("PE.West.2.a")
@rule("PE.West.2.b")
@rule("PE.West.2.d")
@ruling("R-F19")
@ruling("R-F130")
def test_roosevelt_three_dice_and_a_three_bombs_with_two_dice_for_good() -> None:
    p = event("west", 2)
    assert step(p) == "dice" and p.agenda[-1].data[:2] == ("war-end", 3)
    assert not throw(p, 1, 1, 2).roosevelt and not throw(p, 1, 1, 2).peace
    p = throw(p, 1, 1, 1)
    assert p.roosevelt and not p.peace and not p.result and phase(p) == "political event soviet"
    again = event("west", 2, roosevelt=True)
    assert again.agenda[-1].data[:2] == ("war-end", 3)
    assert throw(again, 6, 6, 6).peace


@rule("PE.West.2.a")
@rule("PE.Axis.2.a")
def test_the_dice_for_the_end_of_the_war_are_wanted_by_the_table_of_the_side_that_throws() -> None:
    assert owed(event("west", 2)) == {"roll-awaited": ("PE.West.2",)}
    assert owed(event("axis", 2)) == {"roll-awaited": ("PE.Axis.2",)}


@rule("PE.West.2.c")
@rule("PE.Axis.2.c")
@ruling("R-F132")
@pytest.mark.parametrize("side", ["west", "axis"])
def test_eighteen_takes_the_west_out_of_the_war(side: str) -> None:
    forces = FRONTS + " / ax-4pz 39: ax-13k / we-5us 10: we-iius we-ivus- / we-1us reserve: we-vus"
    forces += " / + paratroops: we-iukpara / + pile: we-iuk"
    p = event(
        side,
        2,
        forces=forces,
        hands="west: we-patton op-surprise / soviet: so-organ",
        pr="england 3 italy 2 soviet 1 axis 4",
        control="west: 1 10",
        mulberry=0,
    )
    assert not throw(p, 6, 6, 5).peace
    p = throw(p, 6, 6, 6)
    assert p.peace and not p.result
    for unit in ("we-iius", "we-ivus", "we-vus", "we-iukpara", "we-iuk"):
        assert where(p, unit) == "removed"
    assert zone(p, "we-5us") == zone(p, "we-1us") == "west-removed"
    assert not hand(p, "west") and p.held[0] == (0, 0) and hand(p, "soviet") == {"so-organ"}
    assert (pr(p, "england"), pr(p, "italy")) == (0, 0) and pr(p, "soviet") >= 1
    assert WEST not in p.control and p.control[G.land.zone("10")] == AXIS and p.control[G.land.zone("1")] == AXIS
    assert not in_use().broken(p)
    # No bombardment and no western step ever after.
    while p.turn == 1:
        assert phase(p).split()[-1] != "west"
        if step(p) == "dice":
            p = throw(p, *[5] * int(p.agenda[-1].data[1]))
        else:
            p = go_on(p) if by(p) != "chance" else in_use().play(p, next(in_use().legal(p)))
    assert p.turn == 2 and phase(p) == "political draw_national soviet"


@rule("PE.Axis.2.a")
@rule("PE.Axis.2.b")
@ruling("R-F19")
@ruling("R-F133")
def test_three_on_the_dice_for_the_fuhrer_ends_the_war_at_once() -> None:
    p = event("axis", 2)
    assert p.agenda[-1].data[:2] == ("war-end", 3)
    p = throw(p, 1, 1, 1)
    assert in_use().over(p) and p.result == "allies, Germany surrenders"


@rule("PE.Axis.2.d")
@rule("PE.Axis.2.e")
@ruling("R-F130")
def test_the_fuhrers_death_frees_retreats_and_voids_the_events_of_the_reserve() -> None:
    p = throw(event("axis", 2), 2, 3, 4)
    assert p.fuhrer_dead and not p.peace and not p.result
    again = event("axis", 2, fuhrer_dead=True)
    assert again.agenda[-1].data[:2] == ("war-end", 3)
    assert throw(again, 1, 1, 1).result.startswith("allies") and throw(again, 6, 6, 6).peace
    after = throw(again, 2, 2, 2)
    assert after.fuhrer_dead and not after.peace and not after.result
    # 18 does not end the war in the East, so the retreats are free then too.
    assert throw(event("axis", 2), 6, 6, 6).fuhrer_dead
    forces = "ax-4pz 37: ax-13k / ax-6a 48: ax-7k / + reserve: ax-42k ax-30k"
    for total in (5, 9):
        for dead in (False, True):
            q = lay("axis_action strategic axis", forces, event=(0, 0, total), fuhrer_dead=dead)
            assert bool(owed(q)) is not dead, (total, dead)


@ruling("R-F59")
def test_one_of_several_dice_is_thrown_again_and_the_player_of_the_card_picks() -> None:
    p = lay("political event west", FRONTS, hands="axis: ax-szorkeny")
    p = play(p, "chance roll event 1,1", "axis reroll ax-szorkeny > 2", "chance roll event 6")
    assert step(p) == "keep" and by(p) == "axis"
    assert go_on(play(p, "axis keep > new")).event[0] == 7
    assert go_on(play(p, "axis keep > old")).agenda[-1].data[0] == "war-end"


# ---------------------------------------------------------------------------------------------------------------------------
# PE.Soviet.2, PE.Soviet.12


@rule("PE.Soviet.2.a")
@rule("PE.Soviet.2.b")
@ruling("R-F126")
@ruling("R-F78")
def test_finland_takes_a_unit_of_the_baltic_fronts_and_a_point() -> None:
    p = event("soviet", 2)
    assert step(p) == "finland" and by(p) == "soviet"
    assert {t for t in legal(p, "soviet") if " remove " in t} == {f"soviet remove {u}" for u in ("so-43a", "so-4shk", "so-22a")}
    assert owed(p) == {"finland-owed": ("PE.Soviet.2.a",)}
    refused(p, "soviet remove so-5a", "PE.Soviet.2.a", only=True)
    refused(p, "soviet disband so-balt1", "2")
    refused(p, "soviet done", "PE.Soviet.2.a", only=True)
    assert told(p, "west remove so-22a") == {"wrong-hand": ("2",)}
    q = play(p, "soviet remove so-22a")
    assert where(q, "so-22a") == "removed" and home(q, "so-balt2") and step(q) != "finland"
    q = play(p, "soviet remove so-43a")
    assert where(q, "so-43a") == "removed" and zone(q, "so-balt1") == "44" and units(q, "so-balt1") == "so-4shk"
    # The point is lost from the stock after income: 5 for the turn, one gone.
    q = throw(q, 5, 6)
    assert phase(q) == "economic bombardment west" and pr(q, "soviet") == 4 and not q.pr_lost


@rule("PE.Soviet.2.a")
@ruling("R-F126")
def test_finland_asks_for_nothing_where_the_fronts_are_empty_and_may_come_again() -> None:
    p = event("soviet", 2, forces="so-bielo3 44: so-5a / so-balt1 reserve / ax-4pz 39: ax-13k")
    assert step(p) == "finland" and not owed(p)
    p = go_on(p)
    assert phase(p) == "political event axis" and p.pr_lost == 1
    # A reduced unit will do, and one of a front in the Reserve.
    p = event("soviet", 2, forces="so-balt1 reserve: so-43a- / ax-4pz 39: ax-13k")
    assert where(play(p, "soviet remove so-43a"), "so-43a") == "removed"


@rule("PE.Soviet.12.a")
@rule("PE.Soviet.12.b")
@ruling("R-F127")
def test_manchuria_takes_a_formation_and_two_units() -> None:
    p = event("soviet", 12, forces=FRONTS + " / + reserve: so-8a- / + pile: so-18a / ax-4pz 39: ax-13k")
    assert step(p) == "manchuria"
    assert set(owed(p)) == {"disbanding-owed", "removal-owed"}
    refused(p, "soviet disband ax-4pz", "PE.Soviet.12.a", only=True)
    refused(p, "soviet disband so-ukr1", "PE.Soviet.12.a", only=True)  # not in this game
    refused(p, "soviet remove so-18a", "PE.Soviet.12.a", only=True)  # destroyed
    refused(p, "soviet remove ax-13k", "PE.Soviet.12.a", only=True)
    agreed(p)
    q = play(p, "soviet disband so-bielo3")
    assert zone(q, "so-bielo3") == "soviet-removed" and where(q, "so-5a") == where(q, "so-5gtka") == "reserve"
    refused(q, "soviet disband so-balt1", "PE.Soviet.12.a", only=True)
    q = play(q, "soviet remove so-8a", "soviet remove so-5a")
    assert where(q, "so-8a") == where(q, "so-5a") == "removed"
    assert phase(q) == "political event axis" and q.manchuria and q.pr_lost == 1
    # In another order: both units first.
    q = play(p, "soviet remove so-22a", "soviet remove so-43a")
    assert home(q, "so-balt2") and set(owed(q)) == {"disbanding-owed"}
    refused(q, "soviet remove so-4shk", "PE.Soviet.12.a", only=True)
    assert phase(play(q, "soviet disband so-balt2")) == "political event axis"


@rule("PE.Soviet.12.c")
@ruling("R-F127")
def test_manchuria_comes_once_and_a_second_time_costs_nothing() -> None:
    p = event("soviet", 12, manchuria=True)
    assert phase(p) == "political event axis" and not p.pr_lost


@rule("PE.Soviet.12.b")
@rule("PE.Soviet.2.b")
@ruling("R-F78")
def test_the_lost_point_comes_from_the_stock_after_income_and_never_below_none() -> None:
    p = lay("economic income soviet", FRONTS, pr="soviet 2", pr_lost=1)
    assert pr(p, "soviet") == 6
    assert pr(lay("economic income soviet", FRONTS, pr="soviet 2"), "soviet") == 7
    assert pr(lay("economic income soviet", FRONTS, pr_lost=9), "soviet") == 0


# ---------------------------------------------------------------------------------------------------------------------------
# PE.West.5, PE.West.10, PE.West.9


WESTERN = "we-1us 4: we-vus- we-viius / we-2uk 1: we-iuk- / we-5us 9: we-iius- / ax-15a 4: ax-64k / ax-7a 1: ax-84k / ax-10a 9: ax-51gek"
LANDS = "west: 2 10"


@rule("PE.West.5")
@ruling("R-F123")
def test_montgomery_keeps_the_points_of_england_for_british_and_canadian_formations() -> None:
    layout = {"forces": WESTERN + " / + destroyed: we-viiiuk", "pr": "england 3 italy 2", "control": LANDS}
    p = lay("economic spending west", **layout, event=(5, 0, 0))  # type: ignore[arg-type]
    allowed(p, "west restore we-iuk @ england", "west restore we-iius @ italy", "west rebuild we-viiiuk @ italy > full")
    refused(p, "west restore we-vus @ england", "PE.West.5", only=True)
    refused(p, "west rebuild we-viiiuk @ england > full", "PE.West.5", only=True)
    free = lay("economic spending west", **layout)  # type: ignore[arg-type]
    allowed(free, "west restore we-vus @ england", "west rebuild we-viiiuk @ england > full")
    # A PA bought from England is for an attack of one of these formations.
    p = lay("west_action operations west", **layout, event=(5, 0, 0))  # type: ignore[arg-type]
    allowed(p, "west attack we-2uk @ 1 via bought-england", "west move we-2uk @ 1 > 2", "west attack we-1us @ 4")
    refused(p, "west attack we-1us @ 4 via bought-england", "PE.West.5", only=True)
    refused(p, "west move we-2uk @ 1 > 2 via bought-england", "PE.West.5", only=True)


def moved(p: Pos, unit: str, place: int) -> bytes:
    """Where the western units lie when one of them lies elsewhere."""
    at = bytearray(p.sealed[WEST].at)
    at[UNITS.index(unit)] = place
    return bytes(at)


@rule("PE.West.10")
@ruling("R-F123")
def test_the_americans_keep_the_points_of_both_markers() -> None:
    layout = {"forces": WESTERN + " / + destroyed: we-viiiuk", "pr": "england 3 italy 2", "control": LANDS}
    p = lay("economic spending west", **layout, event=(10, 0, 0))  # type: ignore[arg-type]
    in_reserve = sealed(p, "west", at=moved(p, "we-vus", G.reserve(WEST)))
    refused(in_reserve, "west restore we-vus @ england", "PE.West.10", only=True)
    allowed(p, "west restore we-vus @ england", "west restore we-iius @ italy")
    refused(p, "west restore we-iuk @ england", "PE.West.10", only=True)
    refused(p, "west rebuild we-viiiuk @ england > reduced", "PE.West.10", only=True)
    refused(p, "west rebuild we-viiiuk @ italy > reduced", "PE.West.10", only=True)
    p = lay("west_action operations west", **layout, event=(10, 0, 0))  # type: ignore[arg-type]
    allowed(p, "west attack we-1us @ 4 via bought-england", "west attack we-5us @ 9 via bought-italy")
    refused(p, "west attack we-2uk @ 1 via bought-england", "PE.West.10", only=True)
    refused(p, "west move we-5us @ 9 > 10 via bought-italy", "PE.West.10", only=True)


@rule("PE.West.5")
@rule("PE.West.10")
@ruling("R-F122")
@ruling("R-F123")
@pytest.mark.parametrize("total,paragraph,gf,track", [(5, "PE.West.5", "we-2uk", "england"), (10, "PE.West.10", "we-1us", "england")])
def test_the_phase_does_not_end_while_a_favoured_formation_could_buy_an_attack(total: int, paragraph: str, gf: str, track: str) -> None:
    def at(forces: str, points: str = "england 1", **fields: object) -> Pos:
        return lay("west_action operations west", forces, pr=points, control=LANDS, event=(total, 0, 0), **fields)  # type: ignore[arg-type]

    here = {"we-2uk": "we-2uk 1: we-iuk / ax-7a 1: ax-84k", "we-1us": "we-1us 4: we-vus / ax-15a 4: ax-64k"}[gf]
    p = at(here)
    assert owed(p) == {"event-attack-owed": (paragraph,)}
    refused(p, "west done", paragraph, only=True)
    assert not owed(lay("west_action operations west", here, pr="england 1", control=LANDS))
    assert not owed(at(here, "england 0 italy 2")), "without PR of a marker that it reaches nothing is owed"
    assert not owed(at(here.split(" / ")[0])), "nobody to attack"
    other = "we-1us 4: we-vus / ax-15a 4: ax-64k" if gf == "we-2uk" else "we-2uk 1: we-iuk / ax-7a 1: ax-84k"
    assert not owed(at(other)), "formations that the event does not name"
    assert not owed(play(p, f"west turn-over {gf}")), "the formation is done for this phase"
    accounts = bytearray(p.pa)
    for mark in (2, 4, 16):
        accounts[in_use().game.setting.gfs.index[gf]] = mark
        assert not owed(altered(p, pa=bytes(accounts))), mark


@rule("PE.West.9.a")
@ruling("R-F124")
@ruling("R-F122")
def test_croatia_must_be_landed_in_by_an_army_of_italy_or_of_the_reserve() -> None:
    def at(forces: str, **fields: object) -> Pos:
        return lay("west_action operations west", forces, event=(9, 0, 0), turn=4, **fields)  # type: ignore[arg-type]

    axis = "ax-10a 9: ax-51gek / ax-2pz 21: ax-69k"
    p = at(f"we-5us 9: we-iius / we-8uk 9: we-vuk / we-3us reserve: we-xvus / {axis}")
    assert owed(p) == {"croatia-landing-owed": ("PE.West.9.a",)}
    allowed(p, "west land we-5us > 21", "west land we-3us > 21")
    assert owed(at(f"we-8uk 10: we-vuk / {axis}"))
    assert not owed(at(f"we-8uk 9: we-vuk / {axis}", control="axis: 10")), "not supplied by the Italian port"
    assert not owed(at(f"we-1us 10: we-vus / {axis}")), "an army that did not begin in Italy"
    assert not owed(at(f"we-8uk 3: we-vuk / {axis}")), "no longer in Italy"
    assert not owed(at(f"we-3us reserve / {axis}")), "nobody to send"
    waiting = f"we-3us reserve / + reserve: we-xvus / {axis}"
    assert owed(at(waiting, began_reserve=bits("we-3us"))), "it can be filled"
    assert not owed(at(waiting)), "it came to the Reserve in this phase, and sails no more"
    assert not owed(at(f"we-5us 9: we-iius / {axis.split(' / ', maxsplit=1)[0]} / so-ukr1 21: so-13a")), "void while Soviets hold 21"
    assert not owed(at(f"we-5us 9: we-iius / {axis.split(' / ', maxsplit=1)[0]}", control="soviet: 21"))
    assert not owed(lay("west_action operations west", f"we-5us 9: we-iius / {axis}", turn=4))
    spent = bytearray(p.pa)
    for gf in ("we-5us", "we-8uk", "we-3us"):
        spent[G.gfs.index[gf]] = 1
    assert not owed(altered(p, pa=bytes(spent))), "no PA left for a landing"
    q = go_on(play(p, "west land we-5us > 21"))
    assert q.croatia and zone(q, "we-5us") == "21" and not owed(q)


@rule("PE.West.9.a")
@ruling("R-F124")
def test_only_the_event_lets_an_army_land_in_croatia_after_turn_two() -> None:
    forces = "we-5us 9: we-iius / ax-10a 9: ax-51gek / ax-2pz 21: ax-69k"
    refused(lay("west_action operations west", forces, turn=4), "west land we-5us > 21", "9.5.a")
    allowed(lay("west_action operations west", forces, turn=4, event=(9, 0, 0)), "west land we-5us > 21")


@rule("PE.West.9.b")
@rule("PE.West.9.c")
@ruling("R-F124")
def test_once_in_croatia_the_points_of_italy_go_to_attacks_and_one_to_steps() -> None:
    forces = "we-5us 21: we-iius- we-ivus- we-xiiiuk- / we-8uk 10: we-vuk- / ax-2pz 21: ax-69k"
    p = lay("economic spending west", forces, pr="italy 3 england 1", control=LANDS, event=(9, 0, 0))
    p = play(p, "west restore we-iius @ italy", "west restore we-ivus @ italy")
    assert pr(p, "italy") == 2
    refused(p, "west restore we-xiiiuk @ italy", "PE.West.9.c", only=True)
    refused(p, "west restore we-vuk @ italy", "PE.West.9.c", only=True)
    q = lay("west_action operations west", forces, pr="italy 1", control=LANDS, event=(9, 0, 0))
    assert owed(q) == {"croatia-attack-owed": ("PE.West.9.b",)}
    allowed(q, "west attack we-5us @ 21 via bought-italy")
    refused(q, "west move we-8uk @ 10 > 9 via bought-italy", "PE.West.9.b", only=True)
    assert not owed(lay("west_action operations west", forces, control=LANDS, event=(9, 0, 0)))
    # Control of 21 is enough to be there; the landing of this turn's event is not.
    forces = "we-8uk 10: we-vuk- / + destroyed: we-vus"
    held_by_west = lay("economic spending west", forces, pr="italy 3", control="west: 10 21", event=(9, 0, 0))
    once = play(held_by_west, "west rebuild we-vus @ italy > full")
    refused(once, "west restore we-vuk @ italy", "PE.West.9.c", only=True)
    landed = altered(q, croatia=True)
    assert not owed(landed)
    allowed(landed, "west move we-8uk @ 10 > 9 via bought-italy")


# ---------------------------------------------------------------------------------------------------------------------------
# PE.Soviet.5, PE.Soviet.9-10


RED_BLACK = "so-ukr2 47: so-27a- / so-bielo3 37: so-5a- so-31a- so-39a- so-11gda- / so-ukr3 48: so-37a- so-46a- so-5shk-"


@rule("PE.Soviet.5.a")
@rule("PE.Soviet.5.b")
@rule("PE.Soviet.9-10.a")
@rule("PE.Soviet.9-10.b")
@example("F-29")
@ruling("R-F125")
@pytest.mark.parametrize("stock,elsewhere", [(6, 2), (5, 2), (7, 3), (4, 1), (2, 0), (1, 0)])
@pytest.mark.parametrize("total,inside", [(5, "37"), (9, "48"), (10, "48")])
def test_F_29_more_than_half_of_the_points_count_in_the_colour(stock: int, elsewhere: int, total: int, inside: str) -> None:
    p = lay("soviet_action operations soviet", RED_BLACK, pr=f"soviet {stock}", event=(0, total, 0), control="soviet: 37 48")
    limit = stock - stock // 2 - 1
    assert limit == elsewhere
    paragraph = "PE.Soviet.5.a" if total == 5 else "PE.Soviet.9-10.a"
    out = {"37": "so-ukr3 @ 48 > 49", "48": "so-bielo3 @ 37 > 38"}[inside]
    move = f"soviet move {out} via bought"
    used = altered(p, pr=(0, 0, stock - limit, 0))
    used = spent(used, 0, limit)
    refused(used, move, paragraph, only=True)
    if limit:
        allowed(spent(altered(p, pr=(0, 0, stock - limit + 1, 0)), 0, limit - 1), move)
    # In the colour there is no limit, and nothing is owed to whoever spends nothing.
    into = {"37": "so-bielo3 @ 37 > 38", "48": "so-ukr3 @ 48 > 49"}[inside]
    allowed(used, f"soviet move {into} via bought")
    assert not owed(p)


def spent(p: Pos, inside: int, outside: int, half: int = 0) -> Pos:
    """The position after the Soviets have spent so many PR in the colour and elsewhere."""
    return sealed(p, "soviet", spent=(inside, outside, 0, half))


@rule("PE.Soviet.5.a")
@ruling("R-F125")
def test_F_29_restorations_count_where_they_are_made_and_both_steps_of_a_point_must_be_in_the_colour() -> None:
    p = lay("economic spending soviet", RED_BLACK + " / + destroyed: so-48a", pr="soviet 3", event=(0, 5, 0), control="soviet: 37 48")
    # One of three may go elsewhere: two steps in red.
    q = play(p, "soviet restore so-37a", "soviet restore so-46a")
    assert q.sealed[SOVIET].spent == (0, 1, 0, 0) and pr(q, "soviet") == 2
    refused(q, "soviet restore so-5shk", "PE.Soviet.5.a", only=True)
    refused(q, "soviet restore so-27a", "PE.Soviet.5.a", only=True)  # 47 has no target
    refused(q, "soviet rebuild so-48a > reduced", "PE.Soviet.5.a", only=True)
    q = play(q, "soviet restore so-5a")
    assert q.sealed[SOVIET].spent == (1, 1, 0, 1) and pr(q, "soviet") == 1
    # The other half of that point would take it out of the colour.
    refused(q, "soviet restore so-5shk", "PE.Soviet.5.a", only=True)
    q = play(q, "soviet restore so-31a", "soviet restore so-39a", "soviet restore so-11gda")
    assert q.sealed[SOVIET].spent == (2, 1, 0, 0) and pr(q, "soviet") == 0
    # A half begun in black and used in red makes the point one of those elsewhere.
    q = play(p, "soviet restore so-5a", "soviet restore so-37a")
    assert q.sealed[SOVIET].spent == (0, 1, 0, 0)
    q = play(p, "soviet restore so-5a", "soviet done")
    assert q.sealed[SOVIET].spent == (1, 0, 0, 0) and not q.sealed[SOVIET].credit


@rule("PE.Soviet.5.a")
@ruling("R-F125")
def test_a_move_counts_in_the_zone_entered_and_a_combat_in_its_zone() -> None:
    forces = "so-bielo3 37: so-5a / so-ukr3 48: so-37a / ax-9a 38: ax-35k / ax-6a 48: ax-7k"
    p = lay("soviet_action operations soviet", forces, pr="soviet 1", event=(0, 5, 0), control="soviet: 37")
    allowed(p, "soviet move so-bielo3 @ 37 > 38 via bought")
    refused(p, "soviet move so-bielo3 @ 37 > 44 via bought", "PE.Soviet.5.a", only=True)
    refused(p, "soviet attack so-ukr3 @ 48 via bought", "PE.Soviet.5.a", only=True)
    q = lay("soviet_action operations soviet", forces, pr="soviet 1", event=(0, 9, 0), control="soviet: 37")
    allowed(q, "soviet attack so-ukr3 @ 48 via bought")
    refused(q, "soviet move so-bielo3 @ 37 > 38 via bought", "PE.Soviet.9-10.a", only=True)


# ---------------------------------------------------------------------------------------------------------------------------
# PE.Axis.5, 9, 10


@rule("PE.Axis.5")
@rule("PE.Axis.9")
@ruling("R-F128")
@ruling("R-F122")
@pytest.mark.parametrize("total,paragraph,gf", [(5, "PE.Axis.5", "ax-6a"), (9, "PE.Axis.9", "ax-4pz")])
def test_half_of_the_reserve_goes_to_the_colour(total: int, paragraph: str, gf: str) -> None:
    other = {"ax-6a": "ax-4pz", "ax-4pz": "ax-6a"}[gf]
    forces = "ax-4pz 37: ax-13k / ax-6a 48: ax-7k / + reserve: ax-42k ax-30k- ax-44k"
    p = lay("axis_action strategic axis", forces, event=(0, 0, total))
    assert p.sealed[AXIS].owed[0] == 2, "half of three, rounded up"
    assert owed(p) == {("event-post-reserve"): (paragraph,)}
    refused(p, "axis done", paragraph, only=True)
    p = play(p, f"axis fill ax-42k > {gf}", f"axis fill ax-44k > {other}")
    assert owed(p)
    assert not owed(play(p, f"axis fill ax-30k > {gf}"))
    assert not owed(lay("axis_action strategic axis", forces))
    assert not owed(lay("axis_action strategic axis", "ax-4pz 37: ax-13k / ax-6a 48: ax-7k", event=(0, 0, total)))


@rule("PE.Axis.5")
@ruling("R-F122")
@ruling("R-F128")
def test_half_of_the_reserve_only_as_far_as_room_and_supply_allow() -> None:
    def at(forces: str, **fields: object) -> Pos:
        return lay("axis_action strategic axis", forces, event=(0, 0, 5), **fields)  # type: ignore[arg-type]

    room = G.gfs.capacity[G.gfs.index["ax-2a"]]
    corps = ["ax-8k", "ax-20k", "ax-23k", "ax-27k", "ax-12k", "ax-55k"][:room]
    full = " ".join(corps)
    reserve = "+ reserve: ax-42k ax-44k"
    assert owed(at(f"ax-2a 48: ax-8k / {reserve}"))
    assert not owed(at(f"ax-2a 48: {full} / {reserve}")), "no room"
    around = " ".join(name for name in ZONES if name != "54" and not G.land.vaterland >> G.land.zone(name) & 1)
    assert not owed(at(f"ax-2a 54: ax-8k / {reserve}", control=f"soviet: {around}")), "cut off"
    assert owed(at(f"ax-2a 54: ax-8k / {reserve}"))
    assert not owed(at(f"ax-2a 37: ax-8k / {reserve}")), "no formation in the colour"
    # A formation of the Reserve can be placed there.
    assert owed(at(f"ax-2a 37: ax-8k / ax-6a reserve / {reserve}"))
    assert owed(at("ax-2a 37: ax-8k / ax-6a reserve: ax-42k ax-44k"))
    assert not owed(at(f"ax-2a 37: ax-8k / ax-6a reserve / {reserve}", control="soviet: 20 21 22 26 27 34 35 42 43 48 49 50 51 52 53 54"))
    p = at(f"ax-2a 37: ax-8k / ax-6a reserve / {reserve}")
    assert not owed(play(p, "axis fill ax-42k > ax-6a", "axis place ax-6a > 48"))
    # What was withdrawn in this phase waits, and cannot be asked for.
    p = at("ax-2a 48: ax-8k / ax-4pz 37: ax-13k ax-42k / + reserve: ax-44k")
    assert not owed(play(p, "axis withdraw ax-13k", "axis fill ax-44k > ax-2a"))


@rule("PE.Axis.5")
@rule("PE.Axis.9")
@ruling("R-F57")
@ruling("R-F128")
def test_units_that_mystification_placed_count_for_the_half() -> None:
    forces = "ax-4pz 37: ax-13k / ax-6a 48: ax-7k / + reserve: ax-42k ax-30k ax-44k"
    p = lay("economic spending axis", forces, hands="axis: ax-mystification", event=(0, 0, 5))
    p = play(p, "axis play ax-mystification", "axis fill ax-42k > ax-6a", "axis fill ax-30k > ax-4pz", "axis done")
    for _ in range(200):
        if phase(p) == "axis_action strategic axis":
            break
        p = throw(p, *[1] * int(p.agenda[-1].data[1])) if step(p) == "dice" else go_on(p)
    assert p.sealed[AXIS].owed == (2, bits("ax-42k ax-30k ax-44k"))
    assert owed(p) and not owed(play(p, "axis fill ax-44k > ax-6a"))


@rule("PE.Axis.10")
@ruling("R-F129")
def test_germany_first_restores_its_formations_in_contested_blue_zones() -> None:
    forces = "we-1us 4: we-vus / ax-15a 4: ax-64k- ax-67k- / ax-4pz 37: ax-13k- / + destroyed: ax-42k"
    p = lay("economic spending axis", forces, pr="axis 3", event=(0, 0, 10))
    assert owed(p) == {"event-restore-owed": ("PE.Axis.10",)}
    refused(p, "axis restore ax-13k", "PE.Axis.10", only=True)
    refused(p, "axis rebuild ax-42k > full", "PE.Axis.10", only=True)
    p = play(p, "axis restore ax-64k", "axis restore ax-67k")
    assert not owed(p)
    allowed(p, "axis restore ax-13k", "axis rebuild ax-42k > full", "axis done")
    # Without PR, or without the West in the zone, nothing is owed; half a PR is some.
    assert not owed(lay("economic spending axis", forces, event=(0, 0, 10)))
    assert not owed(lay("economic spending axis", forces.replace("we-1us 4", "we-1us 3"), pr="axis 3", event=(0, 0, 10)))
    assert not owed(lay("economic spending axis", forces, pr="axis 3"))
    one = lay("economic spending axis", forces, pr="axis 1", event=(0, 0, 10))
    assert owed(one)
    one = play(one, "axis restore ax-64k")
    assert pr(one, "axis") == 0 and owed(one)
    # A formation that is cut off cannot be paid for.
    forces = "we-1us 2: we-vus / ax-1a 2: ax-80k-"
    away = lay("economic spending axis", forces, control="west: 1 3 4 5 6 8 9 11 12 13", pr="axis 3", event=(0, 0, 10))
    assert not owed(away)


@rule("PE.Axis.10")
@ruling("R-F129")
@ruling("R-F122")
def test_the_reserve_fills_the_formations_in_contested_blue_zones() -> None:
    forces = "we-1us 4: we-vus / ax-1fj 4: ax-64k / ax-4pz 37: ax-13k / + reserve: ax-42k- ax-44k ax-30k"
    p = lay("axis_action strategic axis", forces, event=(0, 0, 10))
    assert owed(p) == {"event-fill-owed": ("PE.Axis.10",)}
    refused(p, "axis done", "PE.Axis.10", only=True)
    p = play(p, "axis fill ax-42k > ax-1fj")
    assert owed(p)
    p = play(p, "axis fill ax-44k > ax-1fj")
    assert not owed(p), "it is full"
    assert not owed(lay("axis_action strategic axis", forces.replace("we-1us 4", "we-1us 3"), event=(0, 0, 10)))
    assert not owed(lay("axis_action strategic axis", forces.split(" / +", maxsplit=1)[0], event=(0, 0, 10))), "nobody in the Reserve"


def test_switches_do_not_touch_this_chapter() -> None:
    with playing("three-seats"):
        p = lay("political event soviet", FRONTS)
        p = throw(p, 1, 1)
        assert step(p) == "finland"
        assert not {t for t in legal(p, "west") if " remove " in t} and legal(p, "soviet")
    assert reduced(lay("political event soviet", "so-balt1 44: so-43a-"), "so-43a")
