"""One combat from the announced strengths to the end: stratagems, dice, who fires first, losses (10.2 to 10.5, 9.6, 6.3)."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.overlord_to_berlin import odds
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
    playing,
    reduced,
    refused,
    rule,
    ruling,
    step,
    throw,
    told,
    units,
    verbs,
    where,
    zone,
)

WEST, SOVIET, AXIS = "west_action operations west", "soviet_action operations soviet", "axis_action operations axis"
FRONT = "so-balt1 37: so-2gda so-4shk so-43a / so-bielo3 37: so-5a so-5gtka / ax-4a 37: ax-12k ax-27k / ax-3pz 37: ax-6k ax-53k"
LANDED = "we-1us 1: we-vus we-viius / we-2uk 1: we-iuk / ax-7a 1: ax-84k ax-47pzk"


def attacked(p: Any, line: str) -> Any:
    """The attack is declared and nobody cancels it."""
    return go_on(play(p, line))


def laid(p: Any, attacker: str = "", defender: str = "") -> Any:
    """Both lay these cards and corps and end."""
    for words in (attacker, defender):
        side = by(p)
        for word in words.split():
            p = play(p, f"{side} {'drop' if 'para' in word else 'lay'} {word}")
        p = go_on(p)
    return p


def lost(p: Any, *lines: str) -> Any:
    """Losses chosen as told, each by whoever must."""
    for line in lines:
        assert step(p) == "loss" and by(p) == line.split()[0], (line, p.frame)
        p = play(p, f"{line.split()[0]} lose {line.split()[1]}")
    return p


def landing(p: Any, *, wall: str = "1") -> Any:
    """1 US and 2 UK have just landed in zone 1 with their second PA left."""
    pa = bytearray(p.pa)
    for gf in ("we-1us", "we-2uk"):
        pa[GFS.index(gf)] = 1 | 8 | 128
    return altered(p, pa=bytes(pa), wall=bits(wall) if wall else 0, landers=bits("we-1us we-2uk"))


# ------------------------------------------------------------------------------------------------------ stratagems and secrecy


@rule("10.5.a")
@ruling("R-F102")
def test_strengths_and_elite_bonus_are_known_before_stratagems_are_laid_units_are_not() -> None:
    p = attacked(lay(SOVIET, FRONT), "soviet attack so-balt1 @ 37 with so-bielo3")
    assert step(p) == "stratagems" and p.combat.totals == (11 + 5, 12) and p.combat.elite == (False, False) and p.shown == ()


@rule("10.2.b")
@ruling("R-F48")
def test_the_attacker_lays_first_any_number_then_the_defender() -> None:
    p = attacked(lay(SOVIET, FRONT, hands="soviet: op-artillery op-surround / axis: op-antitank"), "soviet attack so-balt1 @ 37")
    assert by(p) == "soviet"
    refused(p, "axis lay op-antitank", "2")
    p = play(p, "soviet lay op-artillery", "soviet lay op-surround")
    p = go_on(p)
    assert by(p) == "axis"
    refused(p, "soviet lay op-artillery", "2")
    p = go_on(play(p, "axis lay op-antitank"))
    assert step(p) == "dice" and p.combat.cards == (bits("op-artillery op-surround"), bits("op-antitank"))
    assert hand(p, "soviet") == hand(p, "axis") == set()


@rule("10.2.b")
@rule("11.1.b")
@rule("11.1.c")
@rule("11.4")
def test_only_operationals_of_the_hand_are_laid() -> None:
    p = attacked(lay(SOVIET, FRONT, hands="soviet: op-artillery so-joukov"), "soviet attack so-balt1 @ 37")
    allowed(p, "soviet lay op-artillery", "soviet done")
    refused(p, "soviet lay op-surround", "11.4", only=True)
    refused(p, "soviet lay so-joukov", "11.1.c", "11.1.b", only=True)
    refused(p, "soviet attack so-balt1 @ 37", "10.2.b", only=True)


@rule("11.1.c")
@ruling("R-F51")
def test_a_western_card_serves_the_soviets_only_after_lend_lease() -> None:
    p = attacked(lay(SOVIET, FRONT, hands="west: op-artillery"), "soviet attack so-balt1 @ 37")
    refused(p, "soviet lay op-artillery", "11.4")
    p = play(p, "west lend op-artillery", "soviet lay op-artillery")
    assert p.combat.cards[0] == bits("op-artillery") and p.held == ((0, 0), (0, 0), (0, 0))


@rule("10.5.b")
@ruling("R-F47")
def test_a_laid_card_is_out_of_the_hand_and_not_drawn_again_this_turn() -> None:
    p = laid(attacked(lay(SOVIET, FRONT, hands="soviet: op-artillery"), "soviet attack so-balt1 @ 37"), "op-artillery")
    assert p.used_cards == bits("op-artillery") and p.held[1] == (0, 0)


@rule("10.5.a")
def test_windows_of_stratagems_open_whatever_anybody_holds() -> None:
    for hands in ("", "soviet: op-artillery / axis: op-antitank"):
        p = attacked(lay(SOVIET, FRONT, hands=hands), "soviet attack so-balt1 @ 37")
        assert step(p) == "stratagems" and by(p) == "soviet"
        p = go_on(p)
        assert step(p) == "stratagems" and by(p) == "axis"


# ------------------------------------------------------------------------------------------------------------ the dice, losses


@rule("10.1.i")
@rule("10.4.a")
@rule("10.2.d")
def test_both_throw_on_their_own_strength_and_the_figure_is_what_the_enemy_loses() -> None:
    p = laid(attacked(lay(SOVIET, FRONT), "soviet attack so-balt1 @ 37"))
    assert step(p) == "dice" and p.frame.data[1] == 2
    p = throw(p, 6, 4)
    assert p.combat.dice == (6, 4) and p.combat.losses == (G.charts.crt[4][2], G.charts.crt[6][2]) == (2, 3)


@rule("10.4.a")
@ruling("R-F104")
def test_in_a_simultaneous_combat_the_defenders_losses_come_first_from_the_strengths_before() -> None:
    p = laid(attacked(lay(SOVIET, "so-balt1 37: so-2gda so-4shk / ax-4a 37: ax-12k-"), "soviet attack so-balt1 @ 37"))
    p = throw(p, 6, 6)
    assert by(p) == "axis" and p.combat.losses == (2, 2)
    p = lost(p, "axis ax-12k")
    assert where(p, "ax-12k") == "pile" and by(p) == "soviet", "the dead fire too"
    p = lost(p, "soviet so-2gda", "axis so-4shk")
    assert home(p, "ax-4a") and holder(p, 37) == "soviet" and step(p) == "operations"


@rule("10.3.a")
@example("F-09")
def test_F_09_losses_are_chosen_by_turns_owner_first() -> None:
    p = throw(laid(attacked(lay(SOVIET, FRONT), "soviet attack so-balt1 @ 37")), 6, 4)
    refused(p, "soviet lose ax-12k", "2")
    p = lost(p, "axis ax-12k", "soviet ax-6k", "axis ax-12k")
    assert where(p, "ax-12k") == "pile" and reduced(p, "ax-6k")
    p = lost(p, "soviet so-43a", "axis so-2gda")
    assert units(p, "so-balt1") == "so-2gda- so-43a- so-4shk"


@rule("10.3.a")
def test_losses_must_be_taken() -> None:
    p = throw(laid(attacked(lay(SOVIET, FRONT), "soviet attack so-balt1 @ 37")), 6, 4)
    assert owed(p) == {"loss-owed": ("10.3.a",)}
    refused(p, "axis done", "10.3.a", only=True)
    refused(p, "axis ask ax-4a", "10.3.a", only=True)
    assert not any(text.endswith("done") for text in legal(p))


@rule("10.3.b")
@rule("10.3.d")
def test_a_step_turns_a_unit_over_or_puts_a_reduced_one_on_its_pile() -> None:
    forces = "so-balt1 37: so-2gda so-4shk so-43a / ax-8a 37: ax-4romk- ax-40pzk- ax-4k"
    p = throw(laid(attacked(lay(SOVIET, forces), "soviet attack so-balt1 @ 37")), 6, 1)
    p = lost(p, "axis ax-4romk", "soviet ax-40pzk", "axis ax-4k")
    assert (where(p, "ax-4romk"), where(p, "ax-40pzk"), reduced(p, "ax-4k")) == ("destroyed", "pile", True)
    assert p.at[G.units.index["ax-40pzk"]] == G.land.places.piles[2][1]


@rule("10.2.e")
@example("F-57")
def test_F_57_the_attacker_bleeds_to_its_last_step_then_the_supporters() -> None:
    forces = "so-balt1 37: so-2gda / so-bielo3 37: so-5a / ax-4a 37: ax-12k ax-27k ax-39pzk"
    supported = throw(laid(attacked(lay(SOVIET, forces), "soviet attack so-balt1 @ 37 with so-bielo3")), 1, 6)
    assert supported.combat.losses == (3, 0)
    refused(supported, "soviet lose so-5a", "10.2.e", only=True)
    p = lost(supported, "soviet so-2gda", "axis so-2gda")
    refused(p, "soviet lose so-2gda", "10.2.e", only=True)
    p = lost(p, "soviet so-5a")
    assert reduced(p, "so-5a") and home(p, "so-balt1") and step(p) == "ask"
    alone = throw(laid(attacked(lay(SOVIET, forces), "soviet attack so-balt1 @ 37")), 1, 6)
    p = lost(alone, "soviet so-2gda", "axis so-2gda")
    assert home(p, "so-balt1") and not reduced(p, "so-5a") and step(p) == "ask", "the third is dropped"


@rule("10.2.e")
@ruling("R-F104")
def test_any_unit_of_any_defending_formation_can_be_chosen() -> None:
    p = throw(laid(attacked(lay(SOVIET, FRONT), "soviet attack so-balt1 @ 37")), 6, 1)
    assert legal(p, "axis") == {f"axis lose {u}" for u in ("ax-12k", "ax-27k", "ax-6k", "ax-53k")}
    refused(p, "axis lose so-5a", "10.2.e")
    refused(p, "axis lose ax-13k", "10.2.e")


@ruling("R-F102")
def test_units_are_shown_when_the_enemy_must_pick_and_hidden_again_after_the_combat() -> None:
    p = throw(laid(attacked(lay(SOVIET, FRONT), "soviet attack so-balt1 @ 37")), 6, 4)
    assert p.shown == (), "the owner picks first, alone"
    p = lost(p, "axis ax-12k")
    shown = {u for u, _, _ in p.shown}
    assert shown == {G.units.index[u] for u in ("ax-12k", "ax-27k", "ax-6k", "ax-53k")}
    assert legal(p, "soviet") == {f"soviet lose {u}" for u in ("ax-12k", "ax-27k", "ax-6k", "ax-53k")}
    agreed(p)
    p = lost(p, "soviet ax-6k", "axis ax-53k", "soviet so-43a", "axis so-43a")
    p = go_on(p)
    assert p.shown == () and p.combat is None


@ruling("R-F102")
def test_a_unit_that_takes_a_single_loss_is_shown_with_it() -> None:
    p = throw(laid(attacked(lay(SOVIET, FRONT), "soviet attack so-balt1 @ 37")), 2, 1)
    assert p.combat.losses == (0, 1)
    p = lost(p, "axis ax-12k")
    assert p.shown == ((G.units.index["ax-12k"], GFS.index("ax-4a"), 1),)


# --------------------------------------------------------------------------------------------------------------- elites


@rule("10.9.a")
@rule("10.9.b")
@rule("10.3.c")
@ruling("R-F12")
@example("F-56")
def test_F_56_the_elite_that_gave_the_bonus_takes_the_first_loss_of_an_attacker() -> None:
    forces = "so-ukr1 46: so-1gtka so-13a so-3gtka / ax-1pz 46: ax-3pzk ax-24pzk ax-59k ax-48pzk"
    p = attacked(lay(SOVIET, forces), "soviet attack so-ukr1 @ 46")
    assert p.combat.elite == (True, False)
    p = throw(laid(p), 1, 2)
    assert p.combat.losses[0] == 1 and p.combat.dice == (1, 2)
    p = lost(p, "axis ax-59k")
    refused(p, "soviet lose so-13a", "10.3.c", "10.9.b", only=True)
    assert legal(p, "soviet") == {"soviet lose so-1gtka", "soviet lose so-3gtka"}


@rule("10.9.b")
@example("F-56")
def test_F_56_after_the_elite_the_enemy_picks_freely_and_a_defender_is_not_bound() -> None:
    forces = "so-ukr1 46: so-1gtka so-13a / ax-1pz 46: ax-3pzk ax-24pzk ax-59k ax-48pzk"
    p = throw(laid(attacked(lay(SOVIET, forces), "soviet attack so-ukr1 @ 46")), 1, 4)
    p = lost(p, "soviet so-1gtka")
    assert legal(p, "axis") >= {"axis lose so-1gtka", "axis lose so-13a"}
    defending = "so-ukr1 46: so-1gtka so-13a / ax-1pz 46: ax-3pzk ax-24pzk ax-59k ax-48pzk"
    q = attacked(lay(AXIS, defending), "axis attack ax-1pz @ 46")
    assert q.combat.elite == (False, True)
    q = throw(laid(q), 3, 1)
    assert legal(q, "soviet") == {"soviet lose so-1gtka", "soviet lose so-13a"}


@rule("10.1.g")
def test_an_elite_that_supports_gives_nothing_and_is_not_bound() -> None:
    forces = "so-ukr1 46: so-1gtka / so-ukr4 46: so-18a so-38a / ax-1pz 46: ax-3pzk ax-24pzk ax-59k ax-48pzk"
    p = attacked(lay(SOVIET, forces), "soviet attack so-ukr4 @ 46 with so-ukr1")
    assert p.combat.elite == (False, False)
    p = throw(laid(p), 1, 3)
    assert legal(p, "soviet") == {"soviet lose so-18a", "soviet lose so-38a"}


# ------------------------------------------------------------------------------------------------------------ first fire


@rule("10.4.b")
@rule("11.8.j")
@ruling("R-F49")
def test_who_fires_first_throws_alone_and_the_other_fires_with_what_is_left() -> None:
    p = laid(attacked(lay(SOVIET, FRONT, hands="soviet: op-surprise"), "soviet attack so-balt1 @ 37"), "op-surprise")
    assert p.frame.data[1:4] == (1, 1, (0,))
    p = throw(p, 6)
    p = lost(p, "axis ax-12k", "soviet ax-6k", "axis ax-53k")
    assert step(p) == "dice" and p.frame.data[3] == (1,) and p.combat.totals == (11, 12 - 3)
    p = throw(p, 6)
    assert p.combat.losses == (G.charts.crt[6][1], 0)


@ruling("R-F49")
def test_nothing_left_no_throw() -> None:
    forces = "so-balt1 37: so-2gda so-4shk so-43a / ax-4a 37: ax-12k-"
    p = laid(attacked(lay(SOVIET, forces, hands="soviet: op-surprise"), "soviet attack so-balt1 @ 37"), "op-surprise")
    p = lost(throw(p, 6), "axis ax-12k")
    assert step(p) == "operations" and home(p, "ax-4a")


@ruling("R-F49")
def test_an_elite_that_fell_to_the_first_fire_gives_no_bonus_to_the_second() -> None:
    forces = "so-ukr1 46: so-1gtka- so-13a so-5gda / ax-1pz 46: ax-3pzk ax-24pzk ax-59k ax-48pzk"
    p = attacked(lay(SOVIET, forces, hands="axis: op-surprise"), "soviet attack so-ukr1 @ 46")
    p = throw(laid(p, "", "op-surprise"), 1)
    assert p.combat.elite == (True, False) and p.combat.losses == (1, 0)
    p = lost(p, "soviet so-1gtka")
    assert p.combat.elite == (False, False) and p.combat.totals[0] == 7 and p.frame.data[3] == (0,)


@rule("9.5.e")
@rule("9.6")
@rule("10.4.b")
@ruling("R-F99")
@example("F-22")
def test_F_22_in_the_landing_combat_the_infantry_of_the_axis_is_doubled_and_the_defender_fires_first() -> None:
    p = attacked(landing(lay(WEST, LANDED)), "west attack we-1us,we-2uk @ 1")
    assert p.combat.landing and p.combat.totals == (5 + 6 + 4, 2 * 3 + 6) and p.wall == 0
    p = laid(p)
    assert p.frame.data[3] == (1,)
    p = throw(p, 2)
    assert p.combat.losses == (1, 0)
    assert legal(p, "west") == {"west lose we-viius"}, "the elite of either takes the first loss (R-F98)"


@rule("9.6")
@ruling("R-F99")
def test_the_next_combat_there_is_no_landing_combat() -> None:
    p = attacked(landing(lay(WEST, LANDED), wall=""), "west attack we-1us,we-2uk @ 1")
    assert not p.combat.landing and p.combat.totals == (15, 9)


@ruling("R-F99")
def test_whoever_of_the_west_attacks_first_after_a_landing_meets_the_wall() -> None:
    forces = LANDED + "/ we-1ca 1: we-iican"
    for switches, meets in (((), True), (("landing-combat-landers-only",), False)):
        with playing(*switches):
            p = attacked(landing(lay(WEST, forces)), "west attack we-1ca @ 1")
            assert p.combat.landing is meets and p.wall == (0 if meets else bits("1"))


@ruling("R-F99")
def test_for_the_landers_alone_the_wall_waits_until_they_attack() -> None:
    with playing("landing-combat-landers-only"):
        p = throw(laid(attacked(landing(lay(WEST, LANDED + "/ we-1ca 1: we-iican")), "west attack we-1ca @ 1")), 1, 1)
        while step(p) != "operations":
            p = go_on(p)
        assert attacked(p, "west attack we-1us,we-2uk @ 1").combat.landing


@ruling("R-F99")
def test_a_free_attack_is_not_the_landing_combat() -> None:
    p = play(landing(lay(WEST, LANDED, hands="west: we-carpet")), "west play we-carpet > 1")
    assert not p.combat.landing and p.wall == bits("1")


# ---------------------------------------------------------------------------------------------------------------- supply


CUT = "so-balt1 7: so-2gda so-4shk so-43a / ax-4a 7: ax-12k ax-27k ax-39pzk"


@rule("6.3.b")
@rule("6.3.c")
@ruling("R-F37")
@example("F-21")
def test_F_21_out_of_supply_halves_strength_and_doubles_losses() -> None:
    p = attacked(lay(SOVIET, CUT), "soviet attack so-balt1 @ 7")
    assert p.combat.totals == (11 // 2, 11)
    p = throw(laid(p), 1, 5)
    assert p.combat.losses == (4, 0)


@rule("11.8.b")
@ruling("R-F50")
@example("F-33")
def test_F_33_elastic_defence_of_a_cut_off_side_comes_before_doubling() -> None:
    p = attacked(lay(SOVIET, CUT + " ax-1sspzk", hands="soviet: op-elastic"), "soviet attack so-balt1 @ 7")
    assert p.combat.totals[1] == 19
    p = laid(p, "op-elastic")
    p = throw(p, 1, 6)
    assert odds.inflicted(G, p.combat, 1, 6) == 2 == 4 - 2 and p.combat.losses[0] == 4


BALTIC = """ax-16a 29: ax-1k ax-2k / ax-18a 29: ax-26k ax-28k / so-balt1 29: so-2gda so-4shk so-43a so-51a"""
COURLAND = "soviet: 23 28 30 31 32 37 38 36"


@rule("6.1.e")
@rule("6.3.c")
@ruling("R-F37")
def test_where_only_some_are_cut_off_each_loss_on_them_takes_two_steps_of_theirs() -> None:
    p = lay(SOVIET, BALTIC, control=COURLAND)
    p = attacked(p, "soviet attack so-balt1 @ 29")
    assert p.combat.totals == (13, 6 + 3), "16.Armee has the place of the Baltic, 18.Armee has not"
    p = throw(laid(p), 5, 1)
    assert p.combat.losses == (0, 2)
    p = lost(p, "axis ax-26k")
    assert by(p) == "axis" and p.combat.losses == (0, 1)
    refused(p, "axis lose ax-1k", "6.3.c", only=True)
    assert legal(p, "axis") == {"axis lose ax-26k", "axis lose ax-28k"}
    p = lost(p, "axis ax-28k")
    assert p.combat.taken == (0, 2) and p.combat.losses == (0, 1) and by(p) == "soviet"
    p = lost(p, "soviet ax-1k")
    assert p.combat is None and units(p, "ax-16a") == "ax-1k- ax-2k" and units(p, "ax-18a") == "ax-26k- ax-28k-"


@rule("6.1.e")
@rule("6.3.c")
@ruling("R-F37")
def test_the_enemy_names_both_steps_of_his_choice() -> None:
    p = throw(laid(attacked(lay(SOVIET, BALTIC, control=COURLAND), "soviet attack so-balt1 @ 29")), 5, 1)
    p = lost(p, "axis ax-1k", "soviet ax-26k")
    assert by(p) == "soviet" and legal(p, "soviet") == {"soviet lose ax-26k", "soviet lose ax-28k"}
    p = lost(p, "soviet ax-26k")
    assert where(p, "ax-26k") == "pile"


@ruling("R-F37")
def test_a_cut_off_formation_with_one_step_left_takes_one() -> None:
    p = lay(SOVIET, BALTIC.replace("ax-26k ax-28k", "ax-26k-"), control=COURLAND)
    p = throw(laid(attacked(p, "soviet attack so-balt1 @ 29")), 5, 1)
    p = lost(p, "axis ax-26k", "soviet ax-1k")
    assert home(p, "ax-18a")


# ------------------------------------------------------------------------------------------------------------ strength 0


@ruling("R-F16")
def test_a_side_of_strength_nothing_does_not_throw() -> None:
    p = attacked(lay(SOVIET, "so-balt1 7: so-51a- / ax-4a 7: ax-12k"), "soviet attack so-balt1 @ 7")
    assert p.combat.totals == (0, 3)
    p = laid(p)
    assert p.frame.data[1] == 1 and p.frame.data[3] == (1,)


@ruling("R-F16")
def test_where_both_have_nothing_nobody_throws() -> None:
    around = " ".join(G.land.name(z) for z in range(54) if G.land.near[36] >> z & 1)
    p = attacked(lay(SOVIET, "so-balt1 37: so-51a- / ax-4a 37: ax-9k-", control=f"west: {around}"), "soviet attack so-balt1 @ 37")
    assert p.combat.totals == (0, 0)
    p = laid(p)
    assert step(p) == "operations" and p.combat is None and p.fought[36] == 1


# ------------------------------------------------------------------------------------------------------------ the end


@rule("10.7.b")
@rule("9.8")
@ruling("R-F110")
def test_an_emptied_zone_passes_at_once_and_its_victor_follows_for_one_pa() -> None:
    forces = "so-balt1 37: so-2gda so-4shk so-43a / ax-4a 37: ax-12k-"
    p = lost(throw(laid(attacked(lay(SOVIET, forces, pr="soviet 1"), "soviet attack so-balt1 @ 37")), 6, 1), "axis ax-12k")
    assert holder(p, 37) == "soviet" and home(p, "ax-4a") and step(p) == "operations"
    p = go_on(play(p, "soviet move so-balt1 @ 37 > 31"))
    assert zone(p, "so-balt1") == "31"


@ruling("R-F26")
def test_where_both_sides_vanish_control_stays() -> None:
    forces = "so-balt1 37: so-43a- / ax-4a 37: ax-39pzk- ax-12k-"
    p = attacked(lay(SOVIET, forces, hands="soviet: op-artillery op-engineers op-fanaticism"), "soviet attack so-balt1 @ 37")
    p = throw(laid(p, "op-artillery op-engineers op-fanaticism"), 6, 6)
    p = lost(p, "axis ax-12k", "soviet ax-39pzk", "soviet so-43a")
    assert home(p, "ax-4a") and home(p, "so-balt1") and holder(p, 37) == "axis"


# ------------------------------------------------------------------------------------------------------------ paratroops


PARA = "we-1us 9: we-vus / we-5us 9: we-iius / ax-10a 9: ax-76pzk / + paratroops: we-iukpara we-xviiiuspara"


@rule("12.3.b")
@rule("12.3.a")
@ruling("R-F113")
def test_a_corps_is_dropped_with_the_stratagems_of_a_western_combat_one_a_zone_and_turn() -> None:
    p = attacked(lay(WEST, PARA), "west attack we-1us @ 9")
    refused(p, "west drop we-vus", "12.3.a", only=True)
    refused(p, "soviet drop we-iukpara", "2")
    p = play(p, "west drop we-iukpara")
    refused(p, "west drop we-iukpara", "12.3.b")
    refused(p, "west drop we-xviiiuspara", "12.3.b", only=True)
    assert p.combat.drops == (bits("we-iukpara"), 0) and p.used_corps == bits("we-iukpara") and p.dropped == bits("9")
    assert odds.shifts(G, p.combat, 0)[-1] == ("paratroops", 1)
    assert p.combat.totals == (5, 5), "no strength"


@rule("12.3.b")
@ruling("R-F113")
def test_a_corps_is_dropped_once_a_turn_and_the_other_in_another_zone() -> None:
    p = attacked(lay(WEST, PARA, used_corps=bits("we-iukpara"), dropped=bits("3")), "west attack we-1us @ 9")
    refused(p, "west drop we-iukpara", "12.3.b", only=True)
    allowed(p, "west drop we-xviiiuspara")


@rule("12.3.b")
@ruling("R-F113")
def test_a_corps_serves_defenders_and_not_soviets() -> None:
    p = go_on(attacked(lay(AXIS, PARA), "axis attack ax-10a @ 9"))
    allowed(p, "west drop we-iukpara")
    refused(p, "axis drop we-iukpara", "2")
    soviet = attacked(lay(SOVIET, FRONT + "/ + paratroops: we-iukpara"), "soviet attack so-balt1 @ 37")
    refused(soviet, "soviet drop we-iukpara", "12.3.b", only=True)


@rule("12.3.d")
@rule("12.3.a")
@ruling("R-F114")
def test_a_corps_that_is_away_is_not_dropped() -> None:
    corps = G.units.index["we-iukpara"]
    p = attacked(lay(WEST, PARA, turn=3, returns=((corps, 4),)), "west attack we-1us @ 9")
    refused(p, "west drop we-iukpara", "12.3.d", only=True)
    allowed(attacked(lay(WEST, PARA, turn=4, returns=((corps, 4),)), "west attack we-1us @ 9"), "west drop we-iukpara")
    without = attacked(lay(WEST, PARA.split("/ +", maxsplit=1)[0]), "west attack we-1us @ 9")
    refused(without, "west drop we-iukpara", "12.3.a", only=True)


@pytest.mark.parametrize("hands", ["", "soviet: op-artillery so-joukov / axis: op-antitank ax-szorkeny / west: op-surprise"])
def test_everything_that_is_listed_in_a_combat_is_legal(hands: str) -> None:
    p = attacked(lay(SOVIET, FRONT, hands=hands, pr="soviet 2"), "soviet attack so-balt1 @ 37")
    for _ in range(40):
        agreed(p)
        if step(p) == "operations":
            break
        who = by(p)
        p = throw(p, *[5] * p.frame.data[1]) if step(p) == "dice" else go_on(p) if step(p) != "loss" else play(p, min(legal(p, who)))
    assert step(p) == "operations"


def test_told_reasons_of_a_combat_have_sentences() -> None:
    p = attacked(lay(SOVIET, FRONT), "soviet attack so-balt1 @ 37")
    assert "stratagems-awaited" in told(p, "soviet turn-over so-balt1") and "lay" not in verbs(p)
