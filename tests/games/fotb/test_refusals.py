"""Each check alone: the lawful neighbour of a refused action, and that nothing else speaks against the refused one."""

from __future__ import annotations

import pytest

from referee.games.overlord_to_berlin.actions import Reroll
from referee.games.overlord_to_berlin.position import CARD, Pos, alter, set_byte
from tests.games.fotb.layout import (
    BOOK,
    CARDS,
    GFS,
    allowed,
    go_on,
    lay,
    owed,
    play,
    playing,
    refused,
    rule,
    ruling,
    run,
    sealed,
    step,
    throw,
    told,
    unsettled,
)

FRONT = """ax-4pz 37: ax-13k ax-42k / ax-3pz 37: ax-9k / ax-1a 38: ax-8k / ax-2a 38: ax-20k / so-balt1 37: so-43a so-51a /
    so-bielo3 44: so-5a so-5gtka / we-8uk 9: we-vuk / we-5us 9: we-iius"""
SOVIET, AXIS, WEST = "soviet_action operations soviet", "axis_action operations axis", "west_action operations west"


def declared(hands: str) -> Pos:
    """A move of the Soviets waits in the window in which it can be cancelled."""
    p = play(lay(SOVIET, FRONT, hands=hands), "soviet move so-bielo3 @ 44 > 45")
    assert step(p) == "cancel"
    return p


@rule("11.5.i")
@ruling("R-F56")
def test_only_a_card_that_cancels_stops_a_declared_PA() -> None:
    p = declared("axis: ax-blocking ax-flak / west: we-enigma")
    allowed(p, "axis play ax-blocking > so-bielo3")
    refused(p, "axis play ax-flak > so-bielo3", "11.5.i", only=True)
    refused(p, "axis play ax-blocking > so-balt1", "11.5.i", only=True)
    refused(p, "axis play ax-blocking > 45", "11.5.i", only=True)
    refused(p, "west play we-enigma > so-bielo3", "11.5.i", "11.7.d", only=True)


@rule("11.4")
@ruling("R-F136")
def test_a_card_that_cancels_must_be_held() -> None:
    allowed(declared("axis: ax-blocking"), "axis play ax-blocking > so-bielo3")
    refused(declared("axis: ax-szorkeny"), "axis play ax-blocking > so-bielo3", "11.4", only=True)


def before_stratagems(hands: str) -> Pos:
    """The Soviets attack in 37 and may lay stratagems."""
    p = go_on(play(lay(SOVIET, FRONT + " / + paratroops: we-iukpara", hands=hands), "soviet attack so-balt1 @ 37"))
    assert step(p) == "stratagems"
    return p


@rule("11.1.c")
@rule("11.1.b")
def test_no_national_stratagem_is_laid_in_a_combat() -> None:
    p = before_stratagems("soviet: so-joukov op-antitank")
    allowed(p, "soviet lay op-antitank")
    refused(p, "soviet lay so-joukov", "11.1.c", "11.1.b", only=True)


@rule("12.3.b")
def test_the_Soviets_drop_no_paratroops_of_the_West() -> None:
    refused(before_stratagems(""), "soviet drop we-iukpara", "12.3.b", only=True)


@rule("12.3.a")
def test_only_paratroops_are_dropped() -> None:
    west = lay(WEST, "we-8uk 9: we-vuk we-ican / ax-10a 9: ax-51gek / so-balt1 44: so-43a / + paratroops: we-iukpara")
    p = go_on(play(west, "west attack we-8uk @ 9"))
    allowed(p, "west drop we-iukpara")
    refused(p, "west drop we-vuk", "12.3.a", only=True)


class TestExchange:
    """7.2, 7.4: between formations of one zone on the map."""

    def here(self) -> Pos:
        return lay("axis_action combine axis", FRONT + " / ax-2pz reserve: ax-69k / + reserve: ax-27k / we-9us 10: we-iiius")

    @rule("7.4")
    def test_a_unit_changes_between_formations_on_the_map(self) -> None:
        p = self.here()
        allowed(p, "axis exchange ax-13k > ax-3pz", "axis exchange ax-8k > ax-2a", "axis exchange ax-20k > ax-1a")
        refused(p, "axis exchange ax-27k > ax-4pz", "7.4", only=True)
        refused(p, "axis exchange ax-69k > ax-4pz", "7.4", only=True)
        refused(p, "axis exchange ax-13k > ax-2pz", "7.4", only=True)
        refused(p, "axis exchange ax-13k > ax-4pz", "7.4", only=True)

    @rule("7.2.c")
    def test_both_formations_stand_in_one_zone(self) -> None:
        p = self.here()
        allowed(p, "axis exchange ax-8k > ax-2a")
        refused(p, "axis exchange ax-8k > ax-3pz", "7.2.c", only=True)
        refused(p, "axis exchange ax-13k > ax-1a", "7.2.c", only=True)
        refused(p, "axis exchange ax-27k > ax-4pz", "7.4", only=True)


def overseas(turn: int, more: str = "") -> Pos:
    """The operations of the West, with armies that have waited in the Reserve since its phase began."""
    forces = """we-1us reserve: we-vus we-viius / we-2uk reserve: we-iuk / we-3us reserve: / we-9us reserve: we-iiius / we-8uk 10: we-vuk /
        ax-7a 1: ax-84k / ax-4pz 37: ax-13k / so-balt1 44: so-43a / + reserve: we-xiius"""
    return run(lay("west_action combine west", forces + more, turn=turn), WEST)


@rule("9.5.a")
def test_landings_are_made_in_two_turns() -> None:
    allowed(overseas(2), "west land we-1us > 1")
    refused(overseas(3), "west land we-1us > 1", "9.5.a", only=True)


@rule("9.7.b")
def test_an_army_sails_with_a_unit_and_is_filled_in_the_Reserve() -> None:
    p = overseas(2)
    allowed(p, "west land we-1us > 1", "west fill we-xiius > we-3us", "west withdraw we-vus", "west sail we-2uk > 10")
    refused(p, "west land we-3us > 1", "9.7.b", only=True)
    refused(p, "west sail we-3us > 10", "9.7.b", only=True)
    refused(p, "west withdraw we-xiius", "9.7.b", only=True)
    refused(p, "west fill we-xiius > we-8uk", "9.7.b", only=True)


@rule("9.7.a")
def test_nobody_else_comes_by_sea() -> None:
    allowed(overseas(2), "west sail we-1us > 10")
    refused(lay(SOVIET, FRONT + " / so-bielo2 reserve: so-33a"), "soviet sail so-bielo2 > 10", "9.7.a", only=True)


@rule("9.5.e")
@rule("9.5.d")
def test_who_lands_where_nobody_is_may_move_on_with_the_second_PA() -> None:
    p = go_on(play(overseas(2), "west land we-1us > 2"))
    allowed(p, "west move we-1us @ 2 > 5")


@rule("9.5.h")
@rule("9.7.f")
def test_a_PA_from_the_sea_is_for_those_who_came_by_sea() -> None:
    p = overseas(2)
    q = go_on(play(p, "west sail we-1us > 10"))
    allowed(q, "west move we-1us @ 10 > 9 via sea")
    refused(p, "west move we-8uk @ 10 > 9 via sea", "9.5.h", "9.7.f", only=True)


@rule("6.3.c")
@ruling("R-F37")
def test_a_loss_put_on_a_formation_out_of_supply_takes_two_steps_of_that_formation() -> None:
    """Two cut-off armies on one Baltic zone: 16.Armee has its place, 18.Armee none."""
    forces = """ax-16a 30: ax-1k ax-2k / ax-18a 30: ax-26k ax-28k / so-balt1 30: so-43a so-51a so-4shk so-2gda /
        so-bielo3 30: so-5a so-31a so-39a so-11gda so-5gtka / we-8uk 10: we-vuk"""
    p = lay(SOVIET, forces, control="soviet: 28 29 31 23 24 37 36")
    p = go_on(go_on(go_on(play(p, "soviet attack so-balt1 @ 30 with so-bielo3"))))
    p = throw(p, 6, 1)
    assert step(p) == "loss" and p.agenda[-1].by == ("axis",)
    allowed(p, "axis lose ax-1k", "axis lose ax-26k")
    q = play(p, "axis lose ax-26k")
    assert q.agenda[-1].by == ("axis",)
    allowed(q, "axis lose ax-26k", "axis lose ax-28k")
    refused(q, "axis lose ax-1k", "6.3.c", only=True)
    assert play(p, "axis lose ax-1k").agenda[-1].by == ("soviet",)


@rule("7.3.a")
@rule("6.2")
@rule("9.4.c")
@ruling("R-F14")
def test_Soviets_and_West_do_not_share_a_zone_and_supply_has_nothing_to_do_with_it() -> None:
    forces = "so-ukr1 26: so-13a / we-8uk 20: we-vuk / we-5us 9: we-iius / ax-4pz 21: ax-13k / so-balt1 44: so-43a"
    own = "soviet: 34 39 46 25 40 / west: 20 9"
    soviet = lay(SOVIET, forces, control=own)
    refused(soviet, "soviet move so-ukr1 @ 26 > 20", "7.3.a", only=True)
    allowed(soviet, "soviet move so-ukr1 @ 26 > 25")
    west = lay(WEST, forces, control=own)
    refused(west, "west move we-8uk @ 20 > 26", "7.3.a", only=True)
    allowed(west, "west move we-8uk @ 20 > 9")
    axis = lay(AXIS, forces + " / ax-3pz 22: ax-9k / ax-2a 19: ax-8k", control=own)
    allowed(axis, "axis move ax-2a @ 19 > 20")


@rule("11.1.b")
@ruling("R-F62")
def test_a_card_of_another_moment_is_not_played_between_moves() -> None:
    p = lay(SOVIET, FRONT, hands="soviet: so-joukov so-maskirovka / axis: ax-flak")
    allowed(p, "soviet play so-joukov > so-bielo3")
    refused(p, "soviet play so-maskirovka > so-bielo3", "11.6.b", "11.1.b", only=True)
    refused(lay(AXIS, FRONT, hands="axis: ax-flak"), "axis play ax-flak > ax-4pz", "11.5.h", "11.1.b", only=True)


@rule("11.1.b")
def test_a_card_of_another_side_is_not_played_whatever_is_held() -> None:
    p = lay(SOVIET, FRONT, hands="soviet: so-joukov / west: we-patton")
    allowed(p, "soviet play so-joukov > so-bielo3")
    refused(p, "soviet play we-patton > so-bielo3", "11.1.b", only=True)
    refused(p, "west play ax-propaganda", "11.1.b", "11.5.l", only=True)


@rule("11.4")
def test_a_card_that_gives_a_PA_must_be_held() -> None:
    allowed(lay(SOVIET, FRONT, hands="soviet: so-joukov"), "soviet play so-joukov > so-bielo3")
    refused(lay(SOVIET, FRONT), "soviet play so-joukov > so-bielo3", "11.4", only=True)


@rule("8.2.h")
@rule("11.6.c")
@ruling("R-F55")
def test_a_card_gives_its_PA_to_an_own_formation_on_the_map() -> None:
    more = " / so-bielo2 reserve: so-33a / we-9us 10: we-iiius"
    p = lay(SOVIET, FRONT + more, hands="soviet: so-joukov")
    allowed(p, "soviet play so-joukov > so-bielo3")
    for wrong in (" > ax-4pz", " > so-bielo2", " > 37", " > we-8uk", ""):
        refused(p, f"soviet play so-joukov{wrong}", "8.2.h", "11.6.c", only=True)
    west = lay(WEST, FRONT + more, hands="west: we-patton")
    allowed(west, "west play we-patton > we-9us")
    refused(west, "west play we-patton > 9", "8.2.h", "11.7.a", "11.6.c", only=True)
    enigma = lay(WEST, FRONT + more, hands="west: we-enigma")
    allowed(enigma, "west play we-enigma > we-9us")
    refused(enigma, "west play we-enigma > 9", "8.2.h", "11.7.d", "11.6.c", only=True)


@rule("8.2.h")
def test_a_PA_of_a_card_is_spent_by_who_has_one() -> None:
    p = lay(SOVIET, FRONT)
    q = alter(p, extra=set_byte(p.extra, GFS.index("so-bielo3"), 1))
    line = f"soviet move so-bielo3 @ 44 > 45 via {CARD}"
    allowed(q, line)
    refused(p, line, "8.2.h", only=True)


class TestRethrow:
    """R-F59: any one die just thrown, by a card that rethrows."""

    def thrown(self, hand: str) -> Pos:
        p = lay("political event west", FRONT, hands=f"axis: {hand}")
        p = play(p, "chance roll event 2,3")
        assert step(p) == "reroll"
        return p

    @rule("11.5.n")
    def test_the_card_rethrows_one_of_the_dice(self) -> None:
        p = self.thrown("ax-szorkeny ax-flak")
        allowed(p, "axis reroll ax-szorkeny > 1", "axis reroll ax-szorkeny > 2", "west done")
        refused(p, "axis reroll ax-szorkeny > 3", "11.5.n", only=True)
        assert not BOOK.check(p, Reroll("axis", "ax-szorkeny", 0)).legal
        refused(p, "axis reroll ax-flak > 1", "11.5.n", only=True)
        refused(p, "west turn-over we-8uk", "11.5.n", "11.6.e", only=True)

    @rule("11.4")
    def test_the_card_must_be_held(self) -> None:
        allowed(self.thrown("ax-szorkeny"), "axis reroll ax-szorkeny > 1")
        refused(self.thrown("ax-flak"), "axis reroll ax-szorkeny > 1", "11.4", only=True)

    @rule("11.5.n")
    def test_one_die_falls_anew_and_either_throw_is_kept(self) -> None:
        p = play(self.thrown("ax-szorkeny"), "axis reroll ax-szorkeny > 2")
        assert step(p) == "reroll-die" and "roll-awaited" in owed(p)
        allowed(p, "chance roll event 1", "chance roll event 6")
        for wrong in ("chance roll event 7", "chance roll event 0", "chance roll event 1,2", "chance roll combat 1"):
            refused(p, wrong, "11.5.n", only=True)
        p = play(p, "chance roll event 6")
        refused(p, "axis turn-over ax-4pz", "11.5.n", only=True)
        assert "keep-awaited" in owed(p) and told(p, "axis done")
        assert play(p, "axis keep > old").agenda[-1].data[1] == (2, 3)
        assert play(p, "axis keep > new").agenda[-1].data[1] == (2, 6)

    @rule("11.5.n")
    def test_a_card_rethrows_a_die_once(self) -> None:
        p = play(self.thrown("ax-szorkeny"), "axis reroll ax-szorkeny > 2", "chance roll event 6", "axis keep > new")
        again = sealed(p, "axis", hand=1 << CARDS.index("ax-szorkeny"))
        allowed(again, "axis reroll ax-szorkeny > 1")
        refused(again, "axis reroll ax-szorkeny > 2", "11.5.n", only=True)


@rule("PE.West.9.a")
@rule("PE.West.9.b")
@ruling("R-F124")
def test_with_the_West_in_Croatia_its_attacks_are_owed_and_no_landing() -> None:
    forces = "we-5us 21: we-iius we-ivus / ax-2pz 21: ax-69k / we-8uk 9: we-vuk / so-balt1 44: so-43a / ax-4pz 37: ax-13k"
    p = lay(WEST, forces, pr="italy 1 england 1", event=(9, 0, 0), control="west: 10 9")
    assert set(owed(p)) == {"croatia-attack-owed"}
    assert not owed(lay(WEST, forces, pr="england 1", event=(9, 0, 0), control="west: 10 9"))
    assert not owed(lay(WEST, forces, pr="italy 1", event=(3, 0, 0), control="west: 10 9"))


@rule("PE.Axis.10")
@ruling("R-F129")
def test_units_that_must_wait_fill_nobody() -> None:
    forces = "ax-7a 1: ax-84k / we-1us 1: we-vus / ax-4pz 24: ax-13k ax-42k / so-balt1 44: so-43a"
    p = lay("axis_action strategic axis", forces + " / + reserve: ax-8k", event=(0, 0, 10), control="axis: 5 2 8")
    assert set(owed(p)) == {"event-fill-owed"}
    q = lay("axis_action strategic axis", forces, event=(0, 0, 10), control="axis: 5 2 8")
    assert not owed(q) and not owed(play(q, "axis withdraw ax-42k"))


@pytest.mark.parametrize("card", ["op-surprise", "op-elastic"])
@rule("11.1.c")
def test_an_operational_card_is_for_combat_alone(card: str) -> None:
    p = lay(SOVIET, FRONT, hands=f"soviet: {card}")
    assert not BOOK.check(p, BOOK.parse(f"soviet lay {card}")).legal


def fought(forces: str = FRONT) -> Pos:
    """A combat in 37 without losses is over; the Axis may ask for leave."""
    p = go_on(go_on(go_on(play(lay(SOVIET, forces), "soviet attack so-balt1 @ 37"))))
    p = throw(p, 1, 1)
    while step(p) == "loss":
        p = play(p, str(next(BOOK.legal(p))))
    assert step(p) == "ask"
    return p


@rule("10.6.a")
@rule("10.8.a")
def test_leave_is_asked_for_defenders_and_each_retreats_with_leave() -> None:
    p = fought()
    allowed(p, "axis ask ax-4pz", "axis ask ax-3pz", "axis done")
    refused(p, "axis ask ax-1a", "10.6.a", only=True)
    refused(p, "axis turn-over ax-4pz", "10.8.a", only=True)
    p = play(p, "axis ask ax-4pz")
    refused(p, "axis ask ax-4pz", "10.8.a", only=True)
    p = throw(go_on(p), 6)
    assert step(p) == "retreat"
    allowed(p, "axis retreat ax-4pz > 32", "axis done")
    refused(p, "axis retreat ax-3pz > 32", "10.8.a", only=True)
    refused(p, "axis retreat ax-1a > 32", "10.6.a", only=True)
    refused(p, "axis turn-over ax-4pz", "10.6.a", only=True)


@rule("10.6.a")
@ruling("R-F108")
def test_with_the_switch_all_defenders_ask_or_none_and_all_go_or_none() -> None:
    with playing("retreat-together"):
        p = fought()
        assert not owed(p)
        one = play(p, "axis ask ax-4pz")
        assert set(owed(one)) == {"retreat-together"}
        both = play(one, "axis ask ax-3pz")
        assert not owed(both)
        p = throw(go_on(both), 6)
        assert not owed(p)
        gone = play(p, "axis retreat ax-4pz > 32")
        assert set(owed(gone)) == {"retreat-together"}
        p = play(gone, "axis retreat ax-3pz > 32")
        assert step(p) != "retreat"
    assert not owed(play(fought(), "axis ask ax-4pz"))


@rule("11.5.l")
@ruling("R-F63")
def test_Propaganda_needs_a_destroyed_unit_or_a_reduced_one_in_the_Reserve_and_no_target() -> None:
    def here(more: str) -> Pos:
        return lay(SOVIET, FRONT + more, hands="axis: ax-propaganda")

    for more in (" / + pile: ax-26k", " / + destroyed: ax-26k", " / + reserve: ax-26k-", " / + pile: ax-26k / + reserve: ax-27k-"):
        allowed(here(more), "axis play ax-propaganda")
        refused(here(more), "axis play ax-propaganda > 37", "11.5.l", only=True)
    refused(here(""), "axis play ax-propaganda", "11.5.l", only=True)
    refused(here(" / + reserve: ax-26k"), "axis play ax-propaganda", "11.5.l", only=True)


@rule("11.5.k")
@rule("7.2.d")
def test_Mystification_fills_formations_that_have_room() -> None:
    def here(more: str) -> Pos:
        return lay(SOVIET, "ax-3pz 37: ax-9k ax-6k / so-bielo3 44: so-5a / we-8uk 9: we-vuk" + more, hands="axis: ax-mystification")

    p = here(" / + reserve: ax-26k ax-27k ax-28k ax-35k")
    allowed(p, "axis play ax-mystification")
    refused(here(""), "axis play ax-mystification", "11.5.k", only=True)
    p = play(p, "axis play ax-mystification", "axis fill ax-26k > ax-3pz", "axis fill ax-27k > ax-3pz")
    allowed(p, "axis fill ax-28k > ax-3pz")  # the fifth place is the last
    refused(play(p, "axis fill ax-28k > ax-3pz"), "axis fill ax-35k > ax-3pz", "7.2.d", only=True)


@rule("9.2.b")
@ruling("R-F34")
def test_units_leave_a_formation_in_supply_and_no_other() -> None:
    forces = """ax-1a 12: ax-8k / ax-16a 30: ax-1k ax-2k / ax-18a 30: ax-27k ax-28k / so-balt2 30: so-22a / so-bielo3 44: so-5a /
        + reserve: ax-26k"""
    p = lay("axis_action strategic axis", forces, control="soviet: 28 29 31 37 23 24 36")
    allowed(p, "axis withdraw ax-8k", "axis withdraw ax-1k")  # 16.Armee has the one place of the zone
    refused(p, "axis withdraw ax-27k", "9.2.b", only=True)
    refused(p, "axis withdraw ax-26k", "9.2.b", only=True)


@rule("11.5.d")
@rule("11.5.f")
@rule("7.2.d")
@ruling("R-F54")
def test_the_offensive_is_for_an_own_formation_before_an_enemy_and_fills_it_up_to_its_capacity() -> None:
    forces = FRONT + " / so-bielo1 38: so-3a / we-9us 10: we-iiius / + pile: ax-3pzk ax-24pzk ax-46pzk"
    p = lay(AXIS, forces.replace("ax-13k ax-42k", "ax-13k ax-42k ax-56pzk ax-59k"), hands="axis: ax-offensive")
    allowed(p, "axis play ax-offensive > ax-1a", "axis play ax-offensive > ax-4pz")
    for wrong in (" > so-balt1", " > we-9us", " > 37", ""):
        refused(p, f"axis play ax-offensive{wrong}", "11.5.d", only=True)
    assert BOOK.game.setting.gfs.capacity[GFS.index("ax-4pz")] == 5  # type: ignore[attr-defined]
    p = play(p, "axis play ax-offensive > ax-4pz")
    allowed(p, "axis rebuild ax-3pzk > reduced", "axis rebuild ax-3pzk > full")
    p = play(p, "axis rebuild ax-3pzk > reduced")
    refused(p, "axis rebuild ax-24pzk > reduced", "7.2.d", only=True)


@rule("7.2.b")
@rule("7.2.d")
@ruling("R-F81")
def test_a_crowded_zone_is_cleared_of_its_own_formations_full_ones_too() -> None:
    forces = FRONT.replace("ax-13k ax-42k", "ax-13k ax-42k ax-56pzk ax-59k ax-3pzk")
    p = lay(SOVIET, forces, fuhrer_dead=True)
    p = throw(go_on(go_on(go_on(play(p, "soviet attack so-balt1 @ 37")))), 1, 1)
    while step(p) == "loss":
        p = play(p, str(next(BOOK.legal(p))))
    p = go_on(play(p, "axis retreat ax-4pz > 38"))
    assert step(p) == "redistribute" and set(owed(p)) == {"overstacked"}
    allowed(p, "axis recall ax-4pz", "axis recall ax-1a")
    refused(p, "axis recall ax-3pz", "7.2.b", only=True)
    assert not owed(play(p, "axis recall ax-4pz"))


@rule("11.4")
@rule("11.6.b")
def test_Maskirovka_must_be_held_and_names_no_target() -> None:
    guards = "so-bielo3 44: so-11gda / so-balt1 45: so-43a / ax-4pz 37: ax-13k"
    held = lay("soviet_action transfers soviet", guards, hands="soviet: so-maskirovka")
    allowed(held, "soviet play so-maskirovka")
    refused(held, "soviet play so-maskirovka > so-balt1", "11.6.b", only=True)
    refused(lay("soviet_action transfers soviet", guards), "soviet play so-maskirovka", "11.4", only=True)


@rule("12.4.b")
@ruling("R-F118")
def test_a_pocket_joins_a_formation_of_its_zone_whichever_zone_it_is() -> None:
    p = lay("axis_action transfers axis", "ax-4pz 54: ax-13k / ax-3pz 12: ax-9k / so-balt1 44: so-43a / + 54: ax-64k", turn=3)
    allowed(p, "axis transfer ax-64k > ax-4pz")
    refused(p, "axis transfer ax-64k > ax-3pz", "12.4.b", only=True)


@rule("9.3.b")
@rule("7.4")
def test_a_transfer_ends_in_supply_and_begins_on_the_map() -> None:
    forces = """ax-1a 30: ax-8k ax-20k / ax-18a 30: ax-27k / so-balt2 30: so-22a / so-bielo3 44: so-5a / we-9us 10: we-iiius /
        ax-4pz 12: ax-13k / ax-3pz 12: ax-9k / + reserve: ax-26k"""
    p = lay("axis_action transfers axis", forces, control="soviet: 28 29 31 37 23 24 36")
    allowed(p, "axis transfer ax-27k > ax-1a", "axis transfer ax-13k > ax-3pz")
    refused(p, "axis transfer ax-8k > ax-18a", "9.3.b", only=True)
    refused(p, "axis transfer ax-26k > ax-18a", "7.4", only=True)
    refused(p, "axis transfer ax-26k > ax-3pz", "7.4", only=True)


@rule("2")
def test_between_two_steps_of_the_order_of_play_nothing_is_done_by_hand() -> None:
    p = unsettled(AXIS, FRONT)
    assert step(p) == "phase" and set(told(p, "axis turn-over ax-4pz")) == {"nothing-to-do"}
    allowed(BOOK.settled(p), "axis turn-over ax-4pz")


@rule("13")
def test_after_the_end_nothing_is_done() -> None:
    p = lay(AXIS, FRONT)
    allowed(p, "axis turn-over ax-4pz", "axis done")
    over = play(p, "axis concede")
    assert BOOK.over(over) and over.result.startswith("allies")
    refused(over, "axis turn-over ax-4pz", "13", only=True)
    refused(over, "west concede", "13", only=True)
    assert set(owed(over)) == {"game-over"}
