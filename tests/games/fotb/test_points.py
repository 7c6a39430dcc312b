"""8: action points, groups, formations turned over; the PA of stratagems and what cancels a PA (11.5 to 11.7)."""

from __future__ import annotations

from referee.games.overlord_to_berlin import points
from referee.games.overlord_to_berlin.position import BARRED, BOUGHT_USED, FREE_USED, TURNED
from tests.games.fotb.layout import (
    GFS,
    Pos,
    agreed,
    allowed,
    bits,
    by,
    check,
    example,
    go_on,
    hand,
    holder,
    home,
    lay,
    legal,
    parse,
    play,
    pr,
    refused,
    rule,
    ruling,
    step,
    throw,
    told,
    verbs,
    zone,
)

BAGRATION = """so-bielo3 44: so-5a so-31a so-39a so-11gda so-5gtka / so-balt1 44: so-43a so-51a so-4shk so-2gda
    / so-bielo1 45: so-3a so-2gtka / so-bielo2 45: so-33a / so-balt2 36: so-22a / ax-16a 30: ax-1k"""


def soviet(forces: str = BAGRATION, **more: str) -> Pos:
    """The operational step of the Soviets."""
    return lay("soviet_action operations soviet", forces, **{"pr": "soviet 5", **more})


def turned(p: Pos, gf: str) -> bool:
    """Whether the counter lies turned over."""
    return points.face_down(p, GFS.index(gf))


def account(p: Pos, gf: str) -> int:
    """The bits of a formation's PA."""
    return p.pa[GFS.index(gf)]


def go(p: Pos, text: str) -> Pos:
    """An action whose PA nobody cancels."""
    p = play(p, text)
    assert step(p) == "cancel"
    return play(p, f"{by(p)} done")


def fight(p: Pos, text: str, ours: int = 1, theirs: int = 1) -> Pos:
    """An attack with these dice, in which nobody lays a stratagem, losses are chosen as they come, and nobody retreats."""
    p = go(p, text)
    while step(p) != "operations":
        if step(p) == "dice":
            p = throw(p, *([ours, theirs] if p.agenda[-1].data[1] == 2 else [ours]))
        elif step(p) in ("stratagems", "retreat", "leave"):
            p = play(p, f"{by(p)} done")
        else:
            options = sorted(legal(p, by(p)))
            done = f"{by(p)} done"
            p = play(p, done if done in options else options[0])
    return p


@rule("8.1.a")
@ruling("R-F89")
def test_every_formation_has_one_free_PA() -> None:
    p = go(soviet(pr="soviet 0"), "soviet move so-bielo3 @ 44 > 37")
    assert zone(p, "so-bielo3") == "37" and pr(p, "soviet") == 0
    assert told(p, "soviet move so-bielo3 @ 37 > 31 via free") == {"free-used": ("8.1.a",)}
    assert told(p, "soviet move so-bielo3 @ 37 > 31") == {"no-pr": ("5.7.c",)}


@rule("8.1.b")
@ruling("R-F89")
def test_a_PA_is_a_move_of_one_zone() -> None:
    p = soviet()
    refused(p, "soviet move so-bielo3 @ 44 > 31", "9.4.a")
    refused(p, "soviet move so-bielo3 @ 44 > 37 via free,free", "8.1.b", only=True)
    p = go(p, "soviet move so-bielo3 @ 44 > 37 via free")
    assert account(p, "so-bielo3") & FREE_USED


@rule("8.1.c")
@ruling("R-F89")
def test_a_PR_buys_one_more_PA_and_no_third() -> None:
    p = go(soviet(), "soviet move so-bielo3 @ 44 > 37")
    p = go(p, "soviet move so-bielo3 @ 37 > 31")
    assert pr(p, "soviet") == 4 and zone(p, "so-bielo3") == "31"
    refused(p, "soviet move so-bielo3 @ 31 > 32", "8.1.c", "8.3")
    assert turned(p, "so-bielo3")


@example("F-07")
@rule("5.7.c")
def test_F_07_one_PR_buys_the_second_PA_of_one_formation() -> None:
    p = go(soviet(pr="soviet 1"), "soviet move so-balt1,so-bielo3 @ 44 > 37")
    refused(p, "soviet move so-balt1,so-bielo3 @ 37 > 31", "5.7.c", only=True)
    p = go(p, "soviet move so-bielo3 @ 37 > 31")
    assert pr(p, "soviet") == 0
    refused(p, "soviet move so-balt1 @ 37 > 31", "5.7.c", only=True)


@rule("8.1.d")
@ruling("R-F107")
def test_two_PA_may_fight_twice() -> None:
    p = soviet("so-bielo3 37: so-5a so-31a so-39a / ax-16a 37: ax-1k ax-2k ax-10k")
    p = fight(p, "soviet attack so-bielo3 @ 37")
    p = fight(p, "soviet attack so-bielo3 @ 37")
    assert turned(p, "so-bielo3") and pr(p, "soviet") == 4


@rule("8.1.e")
@ruling("R-F110")
def test_two_PA_may_fight_then_move() -> None:
    p = soviet("so-bielo3 37: so-5a so-31a so-39a / ax-16a 37: ax-1k ax-2k ax-10k")
    p = fight(p, "soviet attack so-bielo3 @ 37")
    p = go(p, "soviet move so-bielo3 @ 37 > 44")
    assert zone(p, "so-bielo3") == "44" and turned(p, "so-bielo3")


@rule("8.1.f")
def test_two_PA_may_move_then_fight() -> None:
    p = go(soviet("so-bielo3 44: so-5a so-31a so-39a / ax-16a 37: ax-1k ax-2k"), "soviet move so-bielo3 @ 44 > 37")
    p = fight(p, "soviet attack so-bielo3 @ 37")
    assert turned(p, "so-bielo3") and pr(p, "soviet") == 4


@rule("8.1.g")
@ruling("R-F110")
def test_after_a_win_the_second_PA_follows_the_enemy_for_one() -> None:
    p = soviet("so-bielo3 37: so-5a so-31a so-39a so-11gda so-5gtka / ax-16a 37: ax-1k- / ax-4a 31: ax-12k", control="soviet: 30")
    refused(p, "soviet move so-bielo3 @ 37 > 31 via free", "8.1.b", only=True)
    p = fight(p, "soviet attack so-bielo3 @ 37", ours=6)
    assert home(p, "ax-16a") and holder(p, 37) == "soviet"
    p = go(p, "soviet move so-bielo3 @ 37 > 31")
    assert zone(p, "so-bielo3") == "31" and pr(p, "soviet") == 4


@example("F-42")
@rule("8.1.h")
@ruling("R-F92")
def test_F_42_contested_to_contested_costs_two_PA() -> None:
    forces = """so-bielo3 37: so-5a so-31a / ax-16a 37: ax-1k / ax-4a 31: ax-12k / so-balt1 30: so-43a
        / so-balt2 38: so-22a / ax-2a 38: ax-8k"""
    p = soviet(forces)
    moved = go(p, "soviet move so-bielo3 @ 37 > 31")
    assert pr(moved, "soviet") == 4 and turned(moved, "so-bielo3"), "two PA into a zone with enemies and nobody of ours"
    moved = go(p, "soviet move so-bielo3 @ 37 > 38")
    assert pr(moved, "soviet") == 4 and turned(moved, "so-bielo3"), "two PA into a zone that is contested already"
    moved = go(p, "soviet move so-bielo3 @ 37 > 30")
    assert pr(moved, "soviet") == 5 and not turned(moved, "so-bielo3"), "one PA to a friendly zone"
    moved = go(p, "soviet move so-balt1 @ 30 > 31")
    assert pr(moved, "soviet") == 5, "one PA from an uncontested zone"
    refused(soviet(forces, pr="soviet 0"), "soviet move so-bielo3 @ 37 > 31", "5.7.c", only=True)


@rule("8.1.i")
@ruling("R-F34")
def test_a_PR_needs_supply_the_free_PA_does_not() -> None:
    cut = soviet("so-bielo3 31: so-5a so-31a so-39a / ax-16a 31: ax-1k ax-2k / ax-4a 37: ax-12k", control="axis: 30 37")
    assert told(cut, "soviet attack so-bielo3 @ 31 via bought") == {"bought-cut-off": ("8.1.i",)}
    p = fight(cut, "soviet attack so-bielo3 @ 31")
    assert told(p, "soviet attack so-bielo3 @ 31") == {"bought-cut-off": ("8.1.i",)}


@rule("8.1.j")
@rule("8.2.h")
@rule("9.5.h")
@rule("9.7.f")
@ruling("R-F89")
def test_the_player_names_the_kind_of_each_PA_as_he_goes() -> None:
    p = go(soviet(), "soviet move so-bielo3 @ 44 > 37 via bought")
    assert pr(p, "soviet") == 4 and not account(p, "so-bielo3") & FREE_USED and not turned(p, "so-bielo3")
    assert told(p, "soviet move so-bielo3 @ 37 > 31 via bought") == {"bought-used": ("8.1.c",)}
    assert told(p, "soviet move so-bielo3 @ 37 > 31 via card") == {"no-card-pa": ("8.2.h",)}
    assert told(p, "soviet move so-bielo3 @ 37 > 31 via sea") == {"no-sea-pa": ("9.5.h", "9.7.f")}
    p = go(p, "soviet move so-bielo3 @ 37 > 31")
    assert pr(p, "soviet") == 4 and turned(p, "so-bielo3")
    p = go(soviet(), "soviet move so-balt1,so-bielo3 @ 44 > 37 via bought,free")
    assert account(p, "so-balt1") & BOUGHT_USED and account(p, "so-bielo3") & FREE_USED, "formation after formation"


@rule("5.4.h")
@ruling("R-F68")
def test_the_West_pays_from_the_marker_of_a_port_that_the_formation_traces_to() -> None:
    forces = "we-1us 1: we-vus / we-5us 10: we-iius / we-8uk 3: we-ican"
    p = lay("west_action operations west", forces, pr="england 2 italy 1", control="west: 9")
    assert told(p, "west move we-1us @ 1 > 2 via bought-italy") == {"wrong-marker": ("5.4.h",)}
    p = go(p, "west move we-1us @ 1 > 2 via bought")
    assert (pr(p, "england"), pr(p, "italy")) == (1, 1)
    p = go(p, "west move we-8uk @ 3 > 9 via bought-italy")
    assert (pr(p, "england"), pr(p, "italy")) == (1, 0), "3 and 9 are connected, so it had the choice"


@rule("5.4.i")
@ruling("R-F68")
def test_who_depends_on_the_Italian_port_spends_its_PR_alone() -> None:
    forces = "we-5us 10: we-iius / we-8uk 10: we-ican / we-1us 10: we-vus"
    p = lay("west_action operations west", forces, pr="england 4 italy 2", control="axis: 9")
    for gf in ("we-1us", "we-5us"):
        p = go(p, f"west move {gf} @ 10 > 9 via bought")
        p = play(p, f"west turn-over {gf}")
    assert pr(p, "italy") == 0 and pr(p, "england") == 4
    assert told(p, "west move we-8uk @ 10 > 9 via bought") == {"no-pr": ("5.7.c",)}
    assert told(p, "west move we-8uk @ 10 > 9 via bought-england") == {"wrong-marker": ("5.4.h",)}


@rule("8.2.a")
@ruling("R-F90")
def test_a_formation_finishes_before_one_of_another_group_acts() -> None:
    p = go(soviet(), "soviet move so-bielo3 @ 44 > 37")
    p = go(p, "soviet move so-bielo1 @ 45 > 38")
    assert turned(p, "so-bielo3") and not turned(p, "so-bielo1")
    refused(p, "soviet move so-bielo3 @ 37 > 31", "8.3", only=True)
    p = go(p, "soviet move so-balt1 @ 44 > 30")
    assert turned(p, "so-bielo1"), "who had spent none of the first group may act later, and ends the turn of the second"


@rule("8.2.b")
@ruling("R-F90")
def test_formations_that_began_together_mix_their_PA_at_will() -> None:
    p = go(soviet(), "soviet move so-bielo3 @ 44 > 37")
    p = go(p, "soviet move so-balt1 @ 44 > 37")
    p = go(p, "soviet move so-bielo3 @ 37 > 31")
    p = go(p, "soviet move so-balt1 @ 37 > 38")
    assert (zone(p, "so-bielo3"), zone(p, "so-balt1")) == ("31", "38")


@rule("8.2.b")
@ruling("R-F90")
def test_only_who_began_together_moves_together() -> None:
    p = go(soviet(), "soviet move so-bielo3 @ 44 > 37")
    p = go(p, "soviet move so-bielo1 @ 45 > 37")
    assert told(p, "soviet move so-bielo1,so-bielo3 @ 37 > 31").keys() == {"not-one-group", "turned-over"}
    p = soviet("so-bielo3 44: so-5a / so-bielo1 45: so-3a", hands="soviet: so-joukov")
    p = go(play(p, "soviet play so-joukov > so-bielo3"), "soviet move so-bielo3 @ 44 > 45 via card")
    assert told(p, "soviet move so-bielo1,so-bielo3 @ 45 > 38") == {"not-one-group": ("8.2.b",)}


@rule("8.2.c")
@ruling("R-F90")
def test_formations_that_moved_together_attack_one_after_the_other() -> None:
    p = soviet("so-bielo3 44: so-5a so-31a / so-balt1 44: so-43a so-51a / ax-16a 37: ax-1k ax-2k ax-10k")
    p = go(p, "soviet move so-balt1,so-bielo3 @ 44 > 37")
    p = fight(p, "soviet attack so-bielo3 @ 37 with so-balt1")
    assert turned(p, "so-bielo3") and not turned(p, "so-balt1")
    p = fight(p, "soviet attack so-balt1 @ 37 with so-bielo3")
    assert turned(p, "so-balt1") and pr(p, "soviet") == 3


@rule("8.2.d")
@ruling("R-F89")
def test_each_formation_pays_its_own_PA() -> None:
    p = go(soviet(), "soviet move so-balt1,so-bielo3 @ 44 > 37")
    p = go(p, "soviet move so-balt1,so-bielo3 @ 37 > 31")
    assert pr(p, "soviet") == 3


@rule("8.2.e")
@ruling("R-F91")
def test_support_costs_no_PA() -> None:
    p = soviet("so-bielo3 37: so-5a so-31a / so-balt1 37: so-43a so-51a / ax-16a 37: ax-1k ax-2k ax-10k")
    p = fight(p, "soviet attack so-bielo3 @ 37 with so-balt1")
    assert not account(p, "so-balt1") and account(p, "so-bielo3") & FREE_USED


@example("F-19")
@rule("8.2.h")
@ruling("R-F55")
def test_F_19_Bielo_3_moves_attacks_is_turned_over_and_moves_on_by_Joukov() -> None:
    forces = """so-bielo3 44: so-5a so-31a so-39a so-11gda so-5gtka / so-balt1 44: so-43a so-51a so-4shk so-2gda
        / ax-4a 37: ax-12k- / ax-3pz 37: ax-6k-"""
    p = go(soviet(forces, hands="soviet: so-joukov"), "soviet move so-balt1,so-bielo3 @ 44 > 37")
    p = fight(p, "soviet attack so-bielo3 @ 37 with so-balt1", ours=5)
    assert home(p, "ax-4a") and home(p, "ax-3pz") and turned(p, "so-bielo3") and pr(p, "soviet") == 4
    refused(p, "soviet move so-bielo3 @ 37 > 31", "8.3")
    p = play(p, "soviet play so-joukov > so-bielo3")
    assert not turned(p, "so-bielo3")
    p = go(p, "soviet move so-bielo3 @ 37 > 31")
    assert holder(p, 31) == "soviet" and pr(p, "soviet") == 4 and turned(p, "so-bielo3")


@example("F-51")
@rule("11.7.a")
@ruling("R-F55")
def test_F_51_free_bought_Patton_and_Enigma_make_four_PA() -> None:
    p = lay("west_action operations west", "we-1us 4: we-vus", pr="england 1", hands="west: we-patton we-enigma", control="west: 1 5 8")
    p = play(p, "west play we-patton > we-1us", "west play we-enigma > we-1us")
    for to in ("5", "8", "5", "1"):
        p = go(p, f"west move we-1us @ {zone(p, 'we-1us')} > {to}")
    assert zone(p, "we-1us") == "1" and pr(p, "england") == 0 and turned(p, "we-1us")
    refused(p, "west move we-1us @ 1 > 2", "8.1.c", "8.3")


@rule("11.6.c")
@ruling("R-F55")
def test_a_PA_of_a_stratagem_serves_a_cut_off_formation_and_ends_nobody_s_turn() -> None:
    forces = "so-bielo3 44: so-5a / so-bielo1 31: so-3a / ax-4a 31: ax-12k / ax-16a 37: ax-1k"
    p = soviet(forces, hands="soviet: so-joukov", control="axis: 30 37")
    p = go(p, "soviet move so-bielo3 @ 44 > 45")
    p = play(p, "soviet play so-joukov > so-bielo1")
    p = fight(p, "soviet attack so-bielo1 @ 31 via card")
    assert not turned(p, "so-bielo3"), "the other group may go on"
    assert not account(p, "so-bielo1") & FREE_USED
    allowed(p, "soviet move so-bielo3 @ 45 > 37")


@rule("11.6.d")
@rule("11.6.c")
@rule("8.2.h")
@rule("11.4")
@ruling("R-F62")
def test_Joukov_is_for_an_own_formation_on_the_map() -> None:
    p = soviet(BAGRATION + " / so-ukr1 reserve: so-13a / we-1us 4: we-vus", hands="soviet: so-joukov")
    for to in ("so-ukr1", "we-1us", "ax-16a", "37"):
        assert told(p, f"soviet play so-joukov > {to}") == {"extra-pa-for-own": ("8.2.h", "11.6.c")}
    assert told(p, "soviet play so-joukov") == {"extra-pa-for-own": ("8.2.h", "11.6.c")}
    assert told(soviet(), "soviet play so-joukov > so-balt1") == {"card-not-held": ("11.4",)}
    p = play(p, "soviet play so-joukov > so-balt1")
    assert not hand(p, "soviet") and told(p, "soviet play so-joukov > so-balt1") == {"card-not-held": ("11.4",)}


@rule("8.3")
@ruling("R-F90")
def test_a_formation_without_PA_is_turned_over_until_the_turn_ends() -> None:
    p = go(soviet(), "soviet move so-bielo3 @ 44 > 37")
    assert not turned(p, "so-bielo3"), "it could buy one"
    p = go(p, "soviet move so-bielo3 @ 37 > 31")
    assert turned(p, "so-bielo3")
    p = play(p, "soviet done", "soviet done")
    assert turned(p, "so-bielo3") and step(p) == "combine"


@rule("8.3")
def test_a_player_may_turn_a_formation_over() -> None:
    p = soviet(BAGRATION + " / so-ukr1 reserve: so-13a")
    p = play(p, "soviet turn-over so-bielo3")
    assert turned(p, "so-bielo3")
    assert told(p, "soviet move so-bielo3 @ 44 > 37 via free") == {"turned-over": ("8.3",)}
    assert told(p, "soviet turn-over so-bielo3") == {"lies-turned": ("8.3",)}
    assert told(p, "soviet turn-over so-ukr1") == {"gf-not-on-map": ("8.3",)}
    agreed(p)


@rule("8.1.a")
@ruling("R-F89")
def test_PA_that_were_not_used_lapse() -> None:
    p = soviet(hands="soviet: so-joukov")
    p = play(p, "soviet play so-joukov > so-balt1", "soviet done")
    assert not any(p.extra)


@example("F-49")
@rule("11.5.j")
@ruling("R-F56")
def test_F_49_a_cancelled_PA_is_lost_and_its_PR_kept() -> None:
    p = soviet(hands="axis: ax-blocking")
    p = go(p, "soviet move so-bielo3 @ 44 > 37")
    p = play(p, "soviet move so-bielo3 @ 37 > 31", "axis play ax-blocking > so-bielo3", "soviet done")
    assert zone(p, "so-bielo3") == "37" and pr(p, "soviet") == 5 and account(p, "so-bielo3") & BARRED
    refused(p, "soviet move so-bielo3 @ 37 > 31", "11.5.j")
    assert turned(p, "so-bielo3"), "nothing is left to it"
    p = soviet(hands="axis: ax-blocking")
    p = play(p, "soviet move so-bielo3 @ 44 > 37 via bought", "axis play ax-blocking > so-bielo3", "soviet done")
    assert told(p, "soviet move so-bielo3 @ 44 > 37 via bought") == {"bought-barred": ("11.5.j",)} and pr(p, "soviet") == 5
    allowed(p, "soviet move so-bielo3 @ 44 > 37")
    p = soviet(hands="axis: ax-blocking")
    p = play(p, "soviet move so-bielo3 @ 44 > 37", "axis play ax-blocking > so-bielo3", "soviet done")
    assert zone(p, "so-bielo3") == "44" and account(p, "so-bielo3") & FREE_USED
    p = go(p, "soviet move so-bielo3 @ 44 > 37")
    assert pr(p, "soviet") == 4, "it still buys one"


@rule("11.5.i")
@ruling("R-F43")
def test_the_window_after_a_declared_PA_opens_whatever_anybody_holds() -> None:
    for hands in ("", "axis: ax-blocking"):
        p = play(soviet(hands=hands), "soviet move so-bielo3 @ 44 > 37")
        assert step(p) == "cancel" and by(p) == "soviet"
        assert zone(p, "so-bielo3") == "44" and told(p, "soviet move so-balt1 @ 44 > 37") == {"cancel-open": ("11.5.i",)}
        assert legal(p, "soviet") == {"soviet done"} and legal(p, "west") == set()
    assert legal(p, "axis") == {"axis play ax-blocking > so-bielo3"}


@rule("11.5.i")
@ruling("R-F56")
def test_of_formations_acting_together_only_the_named_one_stops() -> None:
    p = play(soviet(hands="axis: ax-blocking"), "soviet move so-balt1,so-bielo3 @ 44 > 37")
    assert told(p, "axis play ax-blocking > so-bielo1") == {"not-declared": ("11.5.i",)}
    assert told(p, "axis play ax-blocking") == {"not-declared": ("11.5.i",)}
    p = play(p, "axis play ax-blocking > so-balt1", "soviet done")
    assert (zone(p, "so-balt1"), zone(p, "so-bielo3")) == ("44", "37") and not hand(p, "axis")


@rule("11.5.i")
@ruling("R-F56")
def test_a_cancelled_move_of_two_PA_loses_one_and_keeps_the_other() -> None:
    p = soviet("so-bielo3 37: so-5a / ax-16a 37: ax-1k / ax-4a 31: ax-12k", hands="axis: ax-blocking", control="soviet: 30")
    p = play(p, "soviet move so-bielo3 @ 37 > 31", "axis play ax-blocking > so-bielo3", "soviet done")
    assert zone(p, "so-bielo3") == "37" and pr(p, "soviet") == 5
    assert account(p, "so-bielo3") & (FREE_USED | BOUGHT_USED | BARRED | TURNED) == FREE_USED
    allowed(p, "soviet attack so-bielo3 @ 37 via bought")


@rule("11.5.i")
@ruling("R-F56")
def test_a_stratagem_that_gave_a_cancelled_PA_is_used_up() -> None:
    p = soviet(hands="axis: ax-blocking / soviet: so-joukov")
    p = play(p, "soviet play so-joukov > so-bielo3", "soviet move so-bielo3 @ 44 > 37 via card")
    p = play(p, "axis play ax-blocking > so-bielo3", "soviet done")
    assert not any(p.extra) and not account(p, "so-bielo3") and zone(p, "so-bielo3") == "44"


@rule("11.5.i")
@ruling("R-F56")
def test_an_attack_is_cancelled_before_dice_and_stratagems() -> None:
    p = soviet("so-bielo3 37: so-5a / so-balt1 37: so-43a / ax-16a 37: ax-1k", hands="axis: ax-blocking")
    p = play(p, "soviet attack so-bielo3 @ 37 with so-balt1")
    assert told(p, "axis play ax-blocking > so-balt1") == {"not-declared": ("11.5.i",)}, "support costs no PA"
    p = play(p, "axis play ax-blocking > so-bielo3", "soviet done")
    assert step(p) == "operations" and not any(p.fought) and account(p, "so-bielo3") & FREE_USED


@rule("11.7.d")
@rule("11.5.i")
@ruling("R-F21")
def test_Enigma_cancels_a_PA_of_the_Axis_and_of_nobody_else() -> None:
    hands = "west: we-enigma / soviet: so-joukov / axis: ax-blocking"
    p = lay("axis_action operations axis", "ax-7a 5: ax-84k / ax-1a 5: ax-80k", hands=hands)
    p = play(p, "axis move ax-7a @ 5 > 8")
    assert legal(p, "west") == {"west play we-enigma > ax-7a"}
    assert told(p, "soviet play so-joukov > ax-7a") == {"no-cancel-card": ("11.5.i", "11.7.d")}
    assert told(p, "axis move ax-7a @ 5 > 8") == {"cancel-open": ("11.7.d", "11.5.i")}
    assert told(p, "west play we-enigma > ax-1a") == {"not-declared": ("11.7.d", "11.5.i")}
    assert told(p, "axis play ax-blocking > ax-7a") == {"cancels-enemies": ("11.5.i",)}
    assert {c.ruling for r in check(p, "axis play ax-blocking > ax-7a").reasons for c in r.cites} == {"R-F56"}
    stopped = play(p, "west play we-enigma > ax-7a")
    assert told(stopped, "west play we-enigma > ax-7a").keys() == {"card-not-held"}
    assert zone(play(stopped, "axis done"), "ax-7a") == "5"
    p = soviet(hands="west: we-enigma")
    p = play(p, "soviet move so-bielo3 @ 44 > 37")
    assert told(p, "west play we-enigma > so-bielo3") == {"cancels-enemies": ("11.7.d", "11.5.i")}
    rulings = {c.ruling for r in check(p, "west play we-enigma > so-bielo3").reasons for c in r.cites}
    assert rulings == {"R-F21"}, "Enigma answers the Axis"


@rule("11.5.j")
@rule("11.7.d")
@ruling("R-F56")
def test_a_bought_PA_that_Enigma_cancels_costs_no_point_and_is_not_bought_again() -> None:
    p = lay("axis_action operations axis", "ax-7a 5: ax-84k / ax-1a 5: ax-80k", hands="west: we-enigma", pr="axis 3")
    p = play(p, "axis move ax-7a @ 5 > 8 via bought", "west play we-enigma > ax-7a", "axis done")
    assert zone(p, "ax-7a") == "5" and pr(p, "axis") == 3
    assert told(p, "axis move ax-7a @ 5 > 8 via bought") == {"bought-barred": ("11.7.d", "11.5.j")}


@rule("11.7.d")
@rule("11.4")
@ruling("R-F43")
def test_who_holds_no_card_is_offered_none_and_told_so_only_himself() -> None:
    p = play(soviet(hands="west: we-patton"), "soviet move so-bielo3 @ 44 > 37")
    assert told(p, "axis play ax-blocking > so-bielo3") == {"card-not-held": ("11.4",)}
    assert legal(p, "axis") == set()


def test_what_is_listed_in_the_operational_step_is_legal() -> None:
    p = soviet(BAGRATION.replace("ax-16a 30", "ax-16a 44"), hands="soviet: so-joukov so-organ")
    agreed(p)
    assert {"move", "attack", "play", "turn-over", "done"} <= verbs(p)
    assert all("so-balt1" in text for text in legal(p, about="so-balt1"))
    assert bits("so-balt1") == 1 << GFS.index("so-balt1")


@rule("8.2.b")
@ruling("R-F89")
def test_kinds_of_pa_go_to_the_formations_in_the_order_in_which_they_are_written() -> None:
    for gfs, kinds in (("so-bielo3,so-balt1", "bought,free"), ("so-balt1,so-bielo3", "free,bought")):
        line = f"soviet move {gfs} @ 44 > 37 via {kinds}"
        assert str(parse(line)) == line
        p = go_on(play(soviet(), line))
        assert p.pa[GFS.index("so-bielo3")] & BOUGHT_USED and not p.pa[GFS.index("so-bielo3")] & FREE_USED
        assert p.pa[GFS.index("so-balt1")] & FREE_USED and not p.pa[GFS.index("so-balt1")] & BOUGHT_USED
    assert str(parse("soviet move so-bielo3,so-balt1 @ 44 > 37 via free")) == "soviet move so-balt1,so-bielo3 @ 44 > 37 via free"
