"""National stratagems of this chapter and Lend Lease: free attacks, Hitler Offensive, Axis Propaganda, Mystification (11.5 to 11.9),
and who is supplied from the Baltic (6.1)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.fotb.layout import (
    GFS,
    G,
    agreed,
    allowed,
    altered,
    bits,
    by,
    example,
    go_on,
    hand,
    holder,
    home,
    lay,
    legal,
    owed,
    play,
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

WEST, SOVIET, AXIS = "west_action operations west", "soviet_action operations soviet", "axis_action operations axis"
FRONT = "so-balt1 37: so-2gda so-4shk / ax-4a 37: ax-12k ax-27k / ax-3pz 37: ax-6k"
CARDS = {"we-carpet": WEST, "so-organ": SOVIET, "ax-secret": AXIS}


def side(phase: str) -> str:
    """The side on move."""
    return phase.rsplit(" ", 1)[1]


# ------------------------------------------------------------------------------------------------------------ free attacks


@rule("11.6.a")
@rule("11.3.d")
@example("F-10")
def test_F_10_stalins_organ_on_zone_37() -> None:
    p = play(lay(SOVIET, FRONT, hands="soviet: so-organ op-artillery / axis: op-antitank"), "soviet play so-organ > 37")
    assert step(p) == "dice" and p.frame.data[:2] == ("free-attack", 1)
    p = throw(p, 6)
    assert p.combat.losses == (0, 3) and step(p) == "loss" and by(p) == "axis"
    refused(p, "soviet lay op-artillery", "2")
    for line in ("axis lose ax-12k", "soviet lose ax-27k", "axis lose ax-6k"):
        p = play(p, line)
    assert step(p) == "operations" and zone(p, "ax-4a") == "37" and p.fought[36] == 1
    assert not any(p.pa), "no PA"


@rule("11.5.a")
@rule("11.7.b")
@ruling("R-F53")
@pytest.mark.parametrize("card", CARDS)
def test_each_side_has_one_and_needs_no_formation_there(card: str) -> None:
    phase = CARDS[card]
    target = "so-bielo1 45" if card == "ax-secret" else "ax-4a 37"
    unit = "so-3a" if card == "ax-secret" else "ax-12k"
    p = lay(phase, f"{target}: {unit}", hands=f"{side(phase)}: {card}")
    where_to = target.split()[1]
    allowed(p, f"{side(phase)} play {card} > {where_to}")
    cited = {"ax-secret": ("11.5.a",), "so-organ": ("11.6.a", "11.5.a"), "we-carpet": ("11.7.b", "11.5.a")}[card]
    refused(p, f"{side(phase)} play {card} > 32", *cited, only=True)
    refused(p, f"{side(phase)} play {card}", *cited, only=True)
    assert f"{side(phase)} play {card} > {where_to}" in legal(p, side(phase))
    q = play(p, f"{side(phase)} play {card} > {where_to}")
    assert hand(q, side(phase)) == set() and q.held == ((0, 0), (0, 0), (0, 0))


@rule("11.1.b")
@ruling("R-F63")
def test_a_card_that_is_not_held_or_does_something_else_makes_no_attack() -> None:
    p = lay(SOVIET, FRONT, hands="axis: ax-secret / west: we-carpet")
    refused(p, "soviet play so-organ > 37", "11.4", only=True)
    refused(p, "soviet play we-carpet > 37", "11.1.b", only=True)
    assert told(p, "axis play ax-secret > 37")


@rule("11.5.c")
@rule("11.5.b")
@rule("11.3.f")
def test_no_reply_no_stratagem_no_elite_no_retreat() -> None:
    p = lay(SOVIET, "so-ukr1 46: so-1gtka / ax-1pz 46: ax-3pzk ax-1sspzk", hands="soviet: so-organ")
    p = play(p, "soviet play so-organ > 46")
    assert p.combat.elite == (False, False) and p.combat.attackers == 0 and step(p) == "dice"
    p = throw(p, 4)
    assert p.combat.losses == (0, 2)
    p = play(p, "axis lose ax-3pzk", "soviet lose ax-1sspzk")
    assert p.combat is None and step(p) == "operations" and units(p, "so-ukr1") == "so-1gtka"


@rule("11.5.a")
@example("F-41")
@pytest.mark.parametrize(("name", "losses"), [("37", 3), ("14", 3), ("20", 3), ("21", 3)])
def test_F_41_the_column_of_a_free_attack(name: str, losses: int) -> None:
    p = play(lay(WEST, f"ax-4a {name}: ax-12k ax-27k", hands="west: we-carpet"), f"west play we-carpet > {name}")
    p = throw(p, 6)
    assert p.combat.losses == (0, losses)
    low = throw(play(lay(WEST, f"ax-4a {name}: ax-12k ax-27k", hands="west: we-carpet"), f"west play we-carpet > {name}"), 1)
    assert (step(low) == "loss") is (name == "37"), "column 16-20 loses a step on a 1, 11-15 none"


@ruling("R-F53")
def test_losses_of_a_free_attack_are_doubled_out_of_supply_and_fall_on_all_formations() -> None:
    around = " ".join(G.land.name(z) for z in range(54) if G.land.near[36] >> z & 1)
    p = lay(SOVIET, "ax-4a 37: ax-12k / ax-3pz 37: ax-6k", control=f"soviet: {around}", hands="soviet: so-organ")
    p = throw(play(p, "soviet play so-organ > 37"), 4)
    assert p.combat.losses == (0, 4) and legal(p, "axis") == {"axis lose ax-12k", "axis lose ax-6k"}
    for line in ("axis lose ax-12k", "soviet lose ax-6k", "axis lose ax-12k", "soviet lose ax-6k"):
        p = play(p, line)
    assert home(p, "ax-4a") and home(p, "ax-3pz") and holder(p, 37) == "axis", "control passes only where an own formation stands"


@ruling("R-F53")
def test_a_zone_emptied_by_a_free_attack_passes_to_who_stands_there() -> None:
    p = throw(play(lay(SOVIET, "so-balt1 37: so-2gda / ax-4a 37: ax-12k-", hands="soviet: so-organ"), "soviet play so-organ > 37"), 6)
    p = play(p, "axis lose ax-12k")
    assert holder(p, 37) == "soviet"


# ------------------------------------------------------------------------------------------------------- Hitler Offensive


OFFENSIVE = """ax-4pz 37: ax-13k ax-56pzk- / ax-4a 37: ax-12k / so-balt1 37: so-2gda so-4shk
    / + pile: ax-39pzk ax-9k / + destroyed: ax-3sspzk"""


def offensive(forces: str = OFFENSIVE, **fields: Any) -> Any:
    """The card is laid for 4.Pz.Armee."""
    return play(lay(AXIS, forces, hands="axis: ax-offensive op-artillery", **fields), "axis play ax-offensive > ax-4pz")


@rule("11.5.d")
@rule("11.5.e")
@ruling("R-F54")
def test_hitler_offensive_gives_an_attack_and_nothing_else() -> None:
    p = lay(AXIS, OFFENSIVE + "/ ax-2a 31: ax-8k", hands="axis: ax-offensive")
    refused(p, "axis play ax-offensive > ax-2a", "11.5.d", only=True)
    refused(p, "axis play ax-offensive > so-balt1", "11.5.d")
    refused(p, "axis play ax-offensive", "11.5.d", only=True)
    p = play(p, "axis play ax-offensive > ax-4pz")
    assert step(p) == "offensive" and hand(p, "axis") == set() and owed(p) == {"offensive-attack-owed": ("11.5.d",)}
    refused(p, "axis done", "11.5.d", only=True)
    refused(p, "axis attack ax-4a @ 37 via card", "11.5.d", "8.2.h")
    refused(p, "axis attack ax-4pz @ 37 via free", "11.5.e", only=True)
    refused(p, "axis move ax-4pz @ 37 > 31", "11.5.d", only=True)
    agreed(p)
    p = play(p, "axis attack ax-4pz @ 37 via card with ax-4a")
    assert step(p) == "cancel"
    p = go_on(p)
    assert p.combat.offensive and p.combat.totals == (3 + 3 + 1, 8) and not p.pa[GFS.index("ax-4pz")] and not p.extra[GFS.index("ax-4pz")]


@rule("11.5.e")
@ruling("R-F54")
def test_it_is_an_extra_pa_also_for_a_formation_turned_over_or_cut_off() -> None:
    p = lay(AXIS, OFFENSIVE, hands="axis: ax-offensive")
    p = altered(p, pa=bytes(1 | 2 | 16 if gf == GFS.index("ax-4pz") else 0 for gf in range(len(GFS))))
    refused(p, "axis attack ax-4pz @ 37", "8.3")
    p = go_on(play(p, "axis play ax-offensive > ax-4pz", "axis attack ax-4pz @ 37 via card"))
    assert p.combat.offensive


@rule("11.5.f")
@ruling("R-F54")
def test_two_armour_steps_come_first_restored_or_from_pile_and_box_elites_too() -> None:
    p = offensive()
    refused(p, "axis restore ax-13k", "11.5.f")
    refused(p, "axis rebuild ax-9k > reduced", "11.5.f", only=True)
    refused(p, "axis rebuild ax-56pzk > reduced", "11.5.f", only=True)
    refused(p, "axis restore ax-56pzk @ axis", "11.5.f", only=True)
    restored = play(p, "axis restore ax-56pzk")
    refused(restored, "axis restore ax-56pzk", "11.5.f", only=True)
    refused(restored, "axis rebuild ax-39pzk > full", "11.5.f", only=True)
    both = play(restored, "axis rebuild ax-3sspzk > reduced")
    assert units(both, "ax-4pz") == "ax-13k ax-3sspzk- ax-56pzk"
    refused(both, "axis rebuild ax-39pzk > reduced", "11.5.f", only=True)
    full = play(p, "axis rebuild ax-39pzk > full")
    assert units(full, "ax-4pz") == "ax-13k ax-39pzk ax-56pzk-"
    attack = go_on(play(full, "axis attack ax-4pz @ 37 via card"))
    assert attack.combat.totals == (3 + 5 + 3, 8) and attack.sealed[2].given == 0


@ruling("R-F82")
@rule("7.2.d")
def test_armour_comes_within_the_capacity_of_the_formation() -> None:
    p = offensive(OFFENSIVE.replace("ax-13k ax-56pzk-", "ax-13k ax-42k ax-1k ax-2k ax-56pzk-"))
    refused(p, "axis rebuild ax-39pzk > reduced", "7.2.d", only=True)
    allowed(p, "axis restore ax-56pzk")
    allowed(offensive(OFFENSIVE.replace("ax-13k ax-56pzk-", "ax-13k ax-42k ax-1k ax-2k")), "axis rebuild ax-39pzk > full")


@rule("11.5.g")
@ruling("R-F54")
def test_one_is_added_to_the_die_of_that_combat() -> None:
    p = go_on(go_on(go_on(play(offensive(), "axis attack ax-4pz @ 37 via card"))))
    p = throw(p, 5, 1)
    assert p.combat.losses[1] == G.charts.crt[6][1] > 0


@ruling("R-F54")
@ruling("R-F56")
def test_the_steps_stay_when_the_attack_is_cancelled() -> None:
    p = lay(AXIS, OFFENSIVE, hands="axis: ax-offensive / west: we-enigma")
    p = play(p, "axis play ax-offensive > ax-4pz", "axis restore ax-56pzk", "axis attack ax-4pz @ 37 via card")
    p = play(p, "west play we-enigma > ax-4pz", "axis done")
    assert step(p) == "operations" and not reduced(p, "ax-56pzk") and p.combat is None
    allowed(p, "axis attack ax-4pz @ 37 via free")
    q = go_on(play(p, "axis attack ax-4pz @ 37 via free"))
    assert not q.combat.offensive


@ruling("R-F136")
def test_which_steps_the_offensive_restored_is_hidden() -> None:
    none, one = offensive(), play(offensive(), "axis restore ax-56pzk")
    for seat in ("west", "soviet"):
        assert legal(none, seat) == legal(one, seat) and none.frame == one.frame


# ------------------------------------------------------------------------------------------------------------ Propaganda


RUINS = """ax-4a 37: ax-12k / ax-2a reserve: ax-8k- / so-balt1 37: so-2gda so-4shk
    / + reserve: ax-20k- ax-23k / + pile: ax-9k ax-39pzk / + destroyed: ax-3sspzk"""


@rule("11.5.l")
@ruling("R-F58")
def test_propaganda_gives_two_steps_destroyed_units_or_reduced_ones_in_the_reserve() -> None:
    p = play(lay(SOVIET, RUINS, hands="axis: ax-propaganda"), "axis play ax-propaganda")
    assert step(p) == "propaganda" and by(p) == "axis" and hand(p, "axis") == set()
    agreed(p)
    refused(p, "axis restore ax-23k", "11.5.l", only=True)
    refused(p, "axis restore ax-12k", "11.5.l", only=True)
    refused(p, "axis rebuild ax-12k > reduced", "11.5.l", only=True)
    refused(p, "axis rebuild ax-9k @ axis > reduced", "11.5.l", only=True)
    refused(p, "axis fill ax-23k > ax-4a", "11.5.l", only=True)
    refused(p, "soviet done", "2")
    full = play(p, "axis rebuild ax-3sspzk > full")
    refused(full, "axis restore ax-20k", "11.5.l", only=True)
    assert where(full, "ax-3sspzk") == "reserve" and not reduced(full, "ax-3sspzk")
    both = go_on(play(p, "axis rebuild ax-39pzk > reduced", "axis restore ax-8k"))
    assert where(both, "ax-39pzk") == "reserve" and reduced(both, "ax-39pzk") and not reduced(both, "ax-8k")
    assert step(both) == "operations" and both.sealed[2].given == 0


@rule("11.5.m")
@rule("11.5.l")
@ruling("R-F43")
def test_propaganda_is_played_at_any_moment_but_while_losses_are_chosen() -> None:
    p = lay(SOVIET, RUINS, hands="axis: ax-propaganda")
    allowed(p, "axis play ax-propaganda")
    p = play(p, "soviet attack so-balt1 @ 37")
    allowed(p, "axis play ax-propaganda")
    p = go_on(p)
    allowed(p, "axis play ax-propaganda")
    p = play(go_on(go_on(p)), "chance roll combat 6,6")
    allowed(p, "axis play ax-propaganda")
    p = go_on(p)
    assert step(p) == "loss"
    refused(p, "axis play ax-propaganda", "11.5.l", only=True)


@rule("11.5.m")
@ruling("R-F54")
@ruling("R-F58")
def test_propaganda_in_the_midst_of_hitler_offensive_takes_none_of_its_steps() -> None:
    ruins = OFFENSIVE + "/ + reserve: ax-20k-"
    p = play(lay(AXIS, ruins, hands="axis: ax-offensive ax-propaganda"), "axis play ax-offensive > ax-4pz", "axis restore ax-56pzk")
    p = go_on(play(p, "axis play ax-propaganda", "axis restore ax-20k"))
    assert step(p) == "offensive" and p.sealed[2].given == 1 and p.sealed[2].set_aside == 0
    allowed(p, "axis attack ax-4pz @ 37 via card")


@rule("11.5.l")
@rule("11.5.k")
@ruling("R-F63")
def test_propaganda_needs_something_to_act_on_and_no_target() -> None:
    p = lay(SOVIET, FRONT + "/ + reserve: ax-23k", hands="axis: ax-propaganda")
    refused(p, "axis play ax-propaganda", "11.5.l", only=True)
    q = lay(SOVIET, RUINS, hands="axis: ax-propaganda")
    refused(q, "axis play ax-propaganda > 37", "11.5.l")
    refused(lay(SOVIET, RUINS), "axis play ax-propaganda", "11.4", only=True)


@rule("11.5.m")
@ruling("R-F43")
def test_after_propaganda_the_step_goes_on_where_it_was() -> None:
    p = play(lay(SOVIET, RUINS, hands="axis: ax-propaganda"), "soviet attack so-balt1 @ 37")
    q = go_on(play(p, "axis play ax-propaganda"))
    assert q.frame == p.frame and q.agenda == p.agenda


@ruling("R-F58")
@ruling("R-F136")
def test_how_many_steps_propaganda_has_restored_is_hidden() -> None:
    p = play(lay(SOVIET, RUINS, hands="axis: ax-propaganda"), "axis play ax-propaganda")
    one, two = play(p, "axis restore ax-8k"), play(p, "axis restore ax-8k", "axis restore ax-20k")
    for q in (p, one, two):
        allowed(q, "axis done")
        assert q.frame == p.frame and legal(q, "soviet") == legal(p, "soviet")


# --------------------------------------------------------------------------------------------------------- Mystification


@rule("11.5.k")
@ruling("R-F57")
def test_mystification_posts_units_of_the_reserve_before_the_own_phase() -> None:
    p = play(lay(SOVIET, RUINS + "/ ax-1a 7: ax-80k", hands="axis: ax-mystification"), "axis play ax-mystification")
    assert step(p) == "mystification"
    agreed(p)
    refused(p, "axis fill ax-9k > ax-4a", "11.5.k", only=True)
    refused(p, "axis fill so-2gda > ax-4a", "11.5.k", only=True)
    refused(p, "axis fill ax-23k > ax-2a", "11.5.k", only=True)
    refused(p, "axis fill ax-23k > so-balt1", "11.5.k", only=True)
    refused(p, "axis restore ax-20k", "11.5.k", only=True)
    p = go_on(play(p, "axis fill ax-23k > ax-4a", "axis fill ax-8k > ax-4a"))
    assert units(p, "ax-4a") == "ax-12k ax-23k ax-8k-" and step(p) == "operations" and by(p) == "soviet"


@rule("11.5.k")
@rule("7.2.d")
@ruling("R-F80")
def test_mystification_needs_supply_and_room() -> None:
    around = " ".join(G.land.name(z) for z in range(54) if G.land.near[36] >> z & 1)
    forces = RUINS + "/ ax-1a 7: ax-80k / ax-9a 11: ax-35k ax-55k ax-41pzk ax-2k"
    p = play(lay(SOVIET, forces, hands="axis: ax-mystification", control=f"soviet: {around}"), "axis play ax-mystification")
    refused(p, "axis fill ax-23k > ax-4a", "11.5.k", only=True)
    refused(p, "axis fill ax-23k > ax-9a", "7.2.d", only=True)
    p = play(p, "axis fill ax-23k > ax-1a", "axis fill ax-20k > ax-1a")
    refused(play(p, "axis fill ax-8k > ax-1a"), "axis fill ax-23k > ax-1a", "7.2.d")


@rule("11.5.k")
@ruling("R-F57")
def test_when_mystification_is_played() -> None:
    forces, hands = RUINS, "axis: ax-mystification"
    for phase in ("economic spending soviet", "west_action combine west", WEST, "soviet_action strategic soviet", SOVIET):
        allowed(lay(phase, forces, hands=hands), "axis play ax-mystification")
    waiting = lay("economic automatic axis", forces + "/ + pile: ax-1k ax-2k ax-4k ax-5k", hands=hands)
    assert step(waiting) == "pile"
    allowed(waiting, "axis play ax-mystification")
    for phase in ("axis_action combine axis", "axis_action strategic axis", AXIS):
        refused(lay(phase, forces, hands=hands), "axis play ax-mystification", "11.5.k", only=True)
    declared = play(lay(SOVIET, forces, hands=hands), "soviet attack so-balt1 @ 37")
    refused(declared, "axis play ax-mystification", "11.5.k", only=True)
    refused(go_on(declared), "axis play ax-mystification", "11.5.k", only=True)
    thrown = play(go_on(go_on(go_on(declared))), "chance roll combat 1,1")
    refused(thrown, "axis play ax-mystification", "11.5.k", only=True)


@rule("11.5.k")
@ruling("R-F63")
def test_mystification_needs_a_unit_and_a_formation_that_takes_it() -> None:
    refused(lay(SOVIET, FRONT, hands="axis: ax-mystification"), "axis play ax-mystification", "11.5.k", only=True)


# ------------------------------------------------------------------------------------------------------------ Lend Lease


@rule("11.9")
@ruling("R-F52")
def test_the_west_lends_one_operational_a_turn_to_the_soviets() -> None:
    p = lay(SOVIET, FRONT, hands="west: op-artillery op-surprise we-patton / axis: op-antitank")
    refused(p, "west lend we-patton", "11.9", only=True)
    refused(p, "west lend op-antitank", "11.4", only=True)
    refused(p, "soviet lend op-artillery", "11.9", only=True)
    assert {t for t in legal(p, "west") if "lend" in t} == {"west lend op-artillery", "west lend op-surprise"}
    p = play(p, "west lend op-artillery")
    assert hand(p, "soviet") == {"op-artillery"} and hand(p, "west") == {"op-surprise", "we-patton"}
    assert p.held == ((1, 1), (0, 1), (0, 1)) and p.lent and not p.used_cards
    refused(p, "west lend op-surprise", "11.9", only=True)


@rule("11.9")
@ruling("R-F52")
def test_which_card_was_lent_the_axis_does_not_see() -> None:
    p = lay(SOVIET, FRONT, hands="west: op-artillery op-surprise")
    one, other = play(p, "west lend op-artillery"), play(p, "west lend op-surprise")
    from tests.games.fotb.layout import BOOK

    assert BOOK.view(one, "axis") == BOOK.view(other, "axis") and BOOK.view(one, "soviet") != BOOK.view(other, "soviet")


@rule("11.9")
def test_lending_is_open_while_stratagems_are_laid() -> None:
    p = go_on(play(lay(SOVIET, FRONT, hands="west: op-artillery"), "soviet attack so-balt1 @ 37"))
    allowed(p, "west lend op-artillery")


# ------------------------------------------------------------------------------------------------------------ the Baltic


CUT_OFF = "ax-16a 29: ax-1k / ax-18a 29: ax-26k / so-balt1 30: so-2gda / ax-4pz 7: ax-13k"
COURLAND = "soviet: 23 28 30 31 32 36"


@rule("6.1.e")
@ruling("R-F33")
def test_the_axis_names_whom_a_baltic_zone_supplies() -> None:
    p = lay(SOVIET, CUT_OFF, control=COURLAND)
    refused(p, "axis supply ax-16a @ 29", "6.1.e", only=True)
    allowed(p, "axis supply ax-18a @ 29")
    refused(p, "soviet supply ax-18a @ 29", "6.1.e", only=True)
    refused(p, "axis supply ax-4pz @ 29", "6.1.e", only=True)
    refused(p, "axis supply ax-18a @ 31", "6.1.e", only=True)
    refused(p, "axis supply ax-18a @ 28", "6.1.e", only=True)
    p = play(p, "axis supply ax-18a @ 29")
    assert p.baltic[1] == GFS.index("ax-18a")
    refused(p, "axis supply ax-16a @ 29", "6.1.e", only=True)
    assert not any("supply" in t for t in legal(p, "axis"))


@rule("6.1.e")
@ruling("R-F33")
def test_the_place_is_named_anew_at_the_start_of_an_action_phase() -> None:
    named = bytes((255, GFS.index("ax-18a"), 255))
    p = lay("soviet_action combine soviet", CUT_OFF, control=COURLAND, baltic=named)
    allowed(p, "axis supply ax-16a @ 29")
    refused(lay(SOVIET, CUT_OFF, control=COURLAND, baltic=named), "axis supply ax-16a @ 29", "6.1.e", only=True)


@rule("6.1.e")
@ruling("R-F33")
def test_nobody_is_named_between_an_attack_and_its_end() -> None:
    p = play(lay(SOVIET, CUT_OFF + "/ so-balt2 29: so-22a", control=COURLAND), "soviet attack so-balt2 @ 29")
    refused(p, "axis supply ax-18a @ 29", "6.1.e", only=True)
    refused(go_on(p), "axis supply ax-18a @ 29", "6.1.e", only=True)


@rule("6.1.e")
@ruling("R-F33")
def test_the_name_counts_in_the_next_combat() -> None:
    p = lay(SOVIET, CUT_OFF.replace("ax-1k", "ax-1k ax-2k") + "/ so-balt2 29: so-22a", control=COURLAND)
    assert go_on(play(p, "soviet attack so-balt2 @ 29")).combat.totals == (3, 6 + 1)
    p = play(p, "axis supply ax-18a @ 29")
    assert go_on(play(p, "soviet attack so-balt2 @ 29")).combat.totals == (3, 3 + 3)


# ------------------------------------------------------------------------------------------------------------ secrecy


@ruling("R-F43")
@ruling("R-F136")
@pytest.mark.parametrize("phase", [SOVIET, "west_action combine west", "soviet_action strategic soviet"])
def test_what_the_axis_holds_changes_nothing_for_the_others(phase: str) -> None:
    p = lay(phase, RUINS, hands="axis: ax-propaganda")
    q = sealed(p, "axis", hand=bits("ax-mystification"))
    for seat in ("west", "soviet"):
        assert legal(p, seat) == legal(q, seat)


@rule("13")
@ruling("R-F134")
def test_a_player_may_give_up_at_any_moment() -> None:
    p = play(lay(SOVIET, FRONT), "soviet attack so-balt1 @ 37")
    assert play(p, "axis concede").result.startswith("allies") and play(p, "west concede").result.startswith("axis")
