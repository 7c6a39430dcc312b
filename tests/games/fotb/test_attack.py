"""Declaring attacks: who attacks, who supports, what it costs, what may stop it (8.1, 8.2, 10.1, 10.12)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace as changed

from referee.games.overlord_to_berlin.position import BARRED, BOUGHT_USED, FREE_USED, SEA_READY, TURNED
from tests.games.fotb.layout import (
    GFS,
    agreed,
    allowed,
    altered,
    bits,
    go_on,
    lay,
    legal,
    play,
    pr,
    refused,
    rule,
    ruling,
    step,
    throw,
    zone,
)

WEST, SOVIET, AXIS = "west_action operations west", "soviet_action operations soviet", "axis_action operations axis"
FRONT = "so-balt1 37: so-2gda so-4shk / so-bielo3 37: so-5a so-5gtka / ax-4a 37: ax-12k ax-27k / ax-3pz 37: ax-6k"


def account(p: Any, gf: str, bit: int) -> bool:
    """Whether a bit of the formation's account of PA is set."""
    return bool(p.pa[GFS.index(gf)] & bit)


def fought_out(p: Any, *faces: int) -> Any:
    """Nothing is laid, the dice fall so, everybody takes the first loss that there is, and nobody retreats."""
    p = go_on(go_on(p))
    p = throw(p, *faces)
    while step(p) in ("loss", "ask", "retreat"):
        p = play(p, next(iter(sorted(legal(p, by=p.agenda[-1].by[0]))))) if step(p) == "loss" else go_on(p)
    return p


@rule("10.1.a")
@rule("8.1.b")
@ruling("R-F107")
def test_an_attack_needs_an_enemy_in_the_zone_and_a_pa() -> None:
    p = lay(SOVIET, FRONT, pr="soviet 0")
    allowed(p, "soviet attack so-balt1 @ 37", "soviet attack so-balt1 @ 37 via free")
    refused(p, "soviet attack so-balt1 @ 38", "10.1.a")
    alone = lay(SOVIET, "so-balt1 37: so-2gda / ax-4a 38: ax-12k")
    refused(alone, "soviet attack so-balt1 @ 37", "10.1.a", only=True)
    after = fought_out(go_on(play(p, "soviet attack so-balt1 @ 37")), 1, 1)
    assert account(after, "so-balt1", FREE_USED) and step(after) == "operations"
    refused(after, "soviet attack so-balt1 @ 37", "5.7.c")


@rule("10.1.a")
def test_an_attack_is_of_own_formations_in_that_zone() -> None:
    p = lay(SOVIET, FRONT + "/ so-bielo2 38: so-33a")
    refused(p, "soviet attack so-bielo2 @ 37", "10.1.a", "10.1.f", only=True)
    refused(p, "soviet attack ax-4a @ 37", "1.f")
    refused(p, "soviet attack so-balt1 @ 37 with so-bielo2", "10.1.a", "10.1.f", only=True)
    refused(p, "soviet attack so-balt1 @ 37 with ax-4a", "1.f")


@rule("10.1.b")
def test_combat_is_never_compulsory() -> None:
    p = lay(SOVIET, FRONT)
    allowed(p, "soviet done")


@rule("10.1.c")
@ruling("R-F103")
def test_every_enemy_formation_of_the_zone_defends_with_full_strength() -> None:
    p = go_on(play(lay(SOVIET, FRONT), "soviet attack so-balt1 @ 37"))
    assert p.combat.defenders == bits("ax-4a ax-3pz") and p.combat.totals == (8, 9)


@rule("10.1.d")
def test_the_zone_may_stay_contested() -> None:
    p = fought_out(go_on(play(lay(SOVIET, FRONT), "soviet attack so-balt1 @ 37")), 3, 3)
    assert {zone(p, gf) for gf in ("so-balt1", "so-bielo3", "ax-4a", "ax-3pz")} == {"37"} and step(p) == "operations"


@rule("10.1.e")
def test_one_formation_attacks_at_a_time() -> None:
    p = lay(SOVIET, FRONT)
    refused(p, "soviet attack so-balt1,so-bielo3 @ 37", "10.1.e", "9.5.f", only=True)
    allowed(p, "soviet attack so-balt1 @ 37", "soviet attack so-bielo3 @ 37")


@rule("10.1.f")
@rule("8.2.e")
@rule("8.2.g")
@ruling("R-F91")
def test_support_is_free_halved_and_open_to_those_that_are_turned_over() -> None:
    p = lay(SOVIET, FRONT)
    turned = altered(p, pa=bytes(TURNED if i == GFS.index("so-bielo3") else b for i, b in enumerate(p.pa)))
    refused(turned, "soviet attack so-bielo3 @ 37", "8.3")
    q = go_on(play(turned, "soviet attack so-balt1 @ 37 with so-bielo3"))
    assert q.combat.totals == (8 + (3 + 7) // 2, 9) and q.combat.supporters == bits("so-bielo3")
    assert not account(q, "so-bielo3", FREE_USED | BOUGHT_USED)


@rule("10.1.f")
def test_nobody_is_named_twice() -> None:
    p = lay(SOVIET, FRONT)
    refused(p, "soviet attack so-balt1 @ 37 with so-balt1", "10.1.f", only=True)
    allowed(p, "soviet attack so-balt1 @ 37 with so-bielo3")


@rule("10.12.a")
@rule("10.12.b")
@rule("8.2.f")
def test_the_two_western_commands_do_not_support_each_other() -> None:
    p = lay(WEST, "we-1us 9: we-vus / we-1fr 9: we-ifr / we-2uk 9: we-30uk / ax-10a 9: ax-76pzk")
    refused(p, "west attack we-1us @ 9 with we-2uk", "10.12.a", "8.2.f", only=True)
    refused(p, "west attack we-2uk @ 9 with we-1fr", "10.12.a", "8.2.f", only=True)
    allowed(p, "west attack we-1us @ 9 with we-1fr", "west attack we-1fr @ 9 with we-1us")
    commonwealth = lay(WEST, "we-1ca 9: we-iican / we-2uk 9: we-30uk / ax-10a 9: ax-76pzk")
    allowed(commonwealth, "west attack we-1ca @ 9 with we-2uk")


@rule("10.12.c")
def test_a_formation_may_hold_units_of_both_commands() -> None:
    p = lay(WEST, "we-5us 9: we-iius we-xiiiuk / ax-10a 9: ax-76pzk")
    assert go_on(play(p, "west attack we-5us @ 9")).combat.totals == (10, 5)


LANDED = "we-1us 1: we-vus / we-2uk 1: we-iuk / we-1fr 1: we-iifr / ax-7a 1: ax-84k ax-47pzk"


def ashore(*lost: str, **fields: Any) -> Any:
    """1 US and 2 UK have landed in zone 1, 1 Fr has come by sea; ``lost``: those without their second PA."""
    p = lay(WEST, LANDED, **fields)
    ready = FREE_USED | SEA_READY | 128
    pa = bytearray(p.pa)
    for gf in ("we-1us", "we-2uk", "we-1fr"):
        pa[GFS.index(gf)] = ready & ~SEA_READY | BARRED if gf in lost else ready
    return altered(p, pa=bytes(pa), wall=bits("1"), landers=bits("we-1us we-2uk"))


@rule("9.5.e")
@rule("9.5.f")
@rule("9.5.g")
@rule("9.5.h")
@ruling("R-F98")
def test_two_that_landed_attack_together_each_with_its_second_pa() -> None:
    p = ashore()
    refused(p, "west attack we-1fr,we-1us @ 1", "10.1.e", "9.5.f", only=True)
    q = go_on(play(p, "west attack we-1us,we-2uk @ 1 with we-1fr"))
    assert q.combat.totals == (5 + 4 + 2, 2 * 3 + 6) and q.combat.landing
    assert not account(q, "we-1us", SEA_READY) and not account(q, "we-2uk", SEA_READY) and account(q, "we-1fr", SEA_READY)
    assert pr(q, "england") == pr(p, "england") == 0


@rule("9.5.g")
@ruling("R-F98")
def test_a_lander_that_lost_its_pa_supports_whatever_its_command() -> None:
    extra = altered(ashore(), extra=bytes(gf == "we-1us" for gf in GFS))
    refused(extra, "west attack we-1us @ 1 with we-2uk via card", "10.12.a", "8.2.f", only=True)
    refused(ashore(), "west attack we-1us @ 1 with we-2uk", "9.5.f", "10.12.a", "8.2.f", only=True)
    allowed(ashore("we-2uk"), "west attack we-1us @ 1 with we-2uk")
    refused(ashore("we-2uk"), "west attack we-1us,we-2uk @ 1", "9.5.h")
    p = play(lay_hand(ashore()), "west attack we-1us,we-2uk @ 1", "axis play ax-blocking > we-2uk", "west done")
    assert p.combat.attackers == bits("we-1us") and p.combat.supporters == bits("we-2uk") and p.combat.totals == (5 + 2, 12)


@rule("10.12.a")
@rule("9.5.f")
@ruling("R-F98")
def test_a_lander_that_has_spent_its_pa_supports_its_own_command_only() -> None:
    p = altered(ashore(), wall=0)
    p = altered(p, pa=bytes(pa & ~SEA_READY if gf == "we-1us" else pa for gf, pa in zip(GFS, p.pa, strict=True)))
    refused(p, "west attack we-2uk @ 1 with we-1us", "10.12.a", "8.2.f", only=True)
    allowed(p, "west attack we-2uk @ 1", "west attack we-1fr @ 1 with we-1us")


@rule("9.5.f")
@rule("10.1.e")
@ruling("R-F98")
def test_two_that_landed_attack_together_once_and_not_with_pa_of_stratagems() -> None:
    p = ashore()
    extra = altered(p, wall=0, extra=bytes(1 if gf in ("we-1us", "we-2uk") else 0 for gf in GFS))
    allowed(extra, "west attack we-1us,we-2uk @ 1", "west attack we-1us,we-2uk @ 1 via sea", "west attack we-1us @ 1 via card")
    refused(extra, "west attack we-1us,we-2uk @ 1 via card", "9.5.f", "10.1.e", only=True)
    refused(extra, "west attack we-1us,we-2uk @ 1 via sea,card", "9.5.f", "10.1.e", only=True)
    q = go_on(play(extra, "west attack we-1us,we-2uk @ 1"))
    assert not account(q, "we-1us", SEA_READY) and q.extra == extra.extra, "their second PA, not those of the cards"
    q = fought_out(q, 1, 1)
    refused(q, "west attack we-1us,we-2uk @ 1", "9.5.h")
    allowed(q, "west attack we-1us @ 1 via card", "west attack we-2uk @ 1 via card")
    agreed(extra)


def lay_hand(p: Any) -> Any:
    """The Axis holds Strategic blocking."""
    west, soviet, axis = p.sealed
    return altered(p, sealed=(west, soviet, changed(axis, hand=bits("ax-blocking"))), held=((0, 0), (0, 0), (1, 0)))


@rule("11.5.i")
@ruling("R-F56")
def test_an_attack_whose_only_pa_is_cancelled_does_not_take_place() -> None:
    p = lay(SOVIET, FRONT, hands="axis: ax-blocking")
    p = play(p, "soviet attack so-balt1 @ 37", "axis play ax-blocking > so-balt1", "soviet done")
    assert step(p) == "operations" and p.combat is None and account(p, "so-balt1", FREE_USED) and not any(p.fought)


@rule("11.5.j")
def test_the_pr_of_a_cancelled_attack_is_kept() -> None:
    p = lay(SOVIET, FRONT, hands="axis: ax-blocking", pr="soviet 3")
    p = play(p, "soviet attack so-balt1 @ 37 via bought", "axis play ax-blocking > so-balt1", "soviet done")
    assert pr(p, "soviet") == 3 and account(p, "so-balt1", BARRED)
    refused(p, "soviet attack so-balt1 @ 37 via bought", "11.5.j")


@rule("10.7.a")
@rule("8.1.d")
def test_a_second_pa_renews_the_attack() -> None:
    p = fought_out(go_on(play(lay(SOVIET, FRONT, pr="soviet 1"), "soviet attack so-balt1 @ 37")), 1, 1)
    p = go_on(play(p, "soviet attack so-balt1 @ 37"))
    assert pr(p, "soviet") == 0 and p.fought[36] == 2 and account(p, "so-balt1", BOUGHT_USED)


@rule("6.3.a")
@ruling("R-F34")
def test_a_cut_off_formation_attacks_with_its_free_pa_only() -> None:
    p = lay(SOVIET, "so-balt1 7: so-2gda so-4shk / ax-4a 7: ax-12k", pr="soviet 5")
    refused(p, "soviet attack so-balt1 @ 7 via bought", "8.1.i", only=True)
    assert go_on(play(p, "soviet attack so-balt1 @ 7")).combat.totals == (4, 3)


@pytest.mark.parametrize("forces", [FRONT, "we-1us 9: we-vus / we-1fr 9: we-ifr / we-2uk 9: we-30uk / ax-10a 9: ax-76pzk"])
def test_every_listed_attack_is_legal_and_every_set_of_supporters_is_listed(forces: str) -> None:
    p = lay(SOVIET if forces == FRONT else WEST, forces)
    agreed(p)
    attacks = {text for text in legal(p) if " attack " in text}
    if forces == FRONT:
        assert attacks == {
            "soviet attack so-balt1 @ 37",
            "soviet attack so-bielo3 @ 37",
            "soviet attack so-balt1 @ 37 with so-bielo3",
            "soviet attack so-bielo3 @ 37 with so-balt1",
        }
    else:
        assert len(attacks) == 5
    assert all(" attack " in text for text in attacks)


def test_an_attack_ends_when_the_table_is_put_right_in_its_window_and_nobody_is_left_to_fight() -> None:
    p = play(lay(SOVIET, FRONT), "soviet attack so-balt1 @ 37")
    gone = bytearray(p.gf_at)
    for name in ("ax-4a", "ax-3pz"):
        gone[GFS.index(name)] = p.gf_at[GFS.index("so-balt1")] + 1
    held = bytearray(p.control)
    held[p.gf_at[GFS.index("so-balt1")]] = 1
    q = play(altered(p, gf_at=bytes(gone), control=bytes(held)), "soviet done")
    assert q.combat is None and step(q) == "operations"
