"""Retreat, leave to retreat, overstacked zones (10.6, 10.8, 7.2)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.fotb.layout import (
    GFS,
    agreed,
    allowed,
    altered,
    bits,
    by,
    example,
    go_on,
    holder,
    home,
    lay,
    legal,
    owed,
    play,
    playing,
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


def fought(p: Any, line: str, *faces: int) -> Any:
    """The attack is fought without cards; every loss falls on the first unit that there is."""
    p = throw(go_on(go_on(go_on(play(p, line)))), *faces)
    while step(p) == "loss":
        p = play(p, min(legal(p, by(p))))
    return p


def asked(*gfs: str, faces: tuple[int, int] = (1, 1), forces: str = FRONT, **fields: Any) -> Any:
    """A Soviet attack on 37 after which these formations ask for leave; the die is wanted, or the combat is over."""
    p = fought(lay(SOVIET, forces, **fields), "soviet attack so-balt1 @ 37", *faces)
    for gf in gfs:
        p = play(p, f"axis ask {gf}")
    return go_on(p)


# ------------------------------------------------------------------------------------------------------------ the Axis asks


@rule("10.8.a")
@rule("10.6.a")
@ruling("R-F109")
def test_the_axis_asks_and_one_die_answers_for_all() -> None:
    p = fought(lay(SOVIET, FRONT), "soviet attack so-balt1 @ 37", 1, 1)
    assert step(p) == "ask" and by(p) == "axis"
    refused(p, "axis retreat ax-4a > 31", "10.8.a", only=True)
    assert legal(p, "axis") == {"axis ask ax-4a", "axis ask ax-3pz", "axis done"}
    p = play(p, "axis ask ax-4a")
    refused(p, "axis ask ax-4a", "10.8.a", only=True)
    refused(p, "axis ask ax-2pz", "10.6.a", only=True)
    p = go_on(play(p, "axis ask ax-3pz"))
    assert step(p) == "dice" and p.frame.data[:2] == ("leave", 1)
    p = throw(p, 4)
    assert step(p) == "retreat" and by(p) == "axis"
    allowed(p, "axis retreat ax-4a > 31", "axis retreat ax-3pz > 32", "axis done")
    refused(p, "axis ask ax-4a", "10.6.a", only=True)


@rule("10.8.b")
@example("F-23")
@pytest.mark.parametrize("die", range(1, 7))
def test_F_23_leave_on_four_to_six(die: int) -> None:
    p = throw(asked("ax-4a"), die)
    assert step(p) == ("retreat" if die >= 4 else "operations")
    assert zone(p, "ax-4a") == "37"


@rule("10.8.a")
@ruling("R-F109")
def test_only_those_that_asked_have_leave() -> None:
    p = throw(asked("ax-4a"), 6)
    refused(p, "axis retreat ax-3pz > 31", "10.8.a", only=True)


@rule("10.8.a")
def test_nobody_asks_no_die() -> None:
    p = asked()
    assert step(p) == "operations" and zone(p, "ax-4a") == zone(p, "ax-3pz") == "37"


@rule("10.8.c")
@ruling("R-F11")
@example("F-32")
@pytest.mark.parametrize(("reduced", "steps", "leave"), [("-", 6, True), ("", 7, False)])
def test_F_32_half_of_the_steps_at_the_start_of_this_combat(reduced: str, steps: int, leave: bool) -> None:
    forces = f"so-balt1 37: so-2gda so-4shk so-43a / ax-4a 37: ax-12k ax-27k- ax-39pzk- / ax-3pz 37: ax-6k- ax-53k{reduced}"
    p = fought(lay(SOVIET, forces), "soviet attack so-balt1 @ 37", 6, 1)
    assert p.sealed[2].steps == steps and p.combat.taken == (0, 3)
    p = throw(go_on(play(p, next(iter(sorted(t for t in legal(p, "axis") if "ask" in t))))), 3)
    assert (step(p) == "retreat") is leave


@rule("10.8.d")
@ruling("R-F11")
@example("F-31")
def test_F_31_an_earlier_combat_in_the_zone_gives_one_and_both_together_no_more() -> None:
    p = fought(lay(SOVIET, FRONT + "/ so-bielo3 37: so-5a"), "soviet attack so-balt1 @ 37", 1, 1)
    p = fought(go_on(p), "soviet attack so-bielo3 @ 37", 1, 1)
    again = go_on(play(p, "axis ask ax-4a"))
    assert step(throw(again, 3)) == "retreat" and step(throw(again, 2)) == "operations"
    halved = "so-balt1 37: so-2gda so-4shk / ax-4a 37: ax-12k"
    both = fought(altered(lay(SOVIET, halved), fought=bytes(1 if z == 36 else 0 for z in range(54))), "soviet attack so-balt1 @ 37", 4, 1)
    assert both.combat.taken == (0, 1) and both.fought[36] == 2
    both = go_on(play(both, "axis ask ax-4a"))
    assert step(throw(both, 3)) == "retreat" and step(throw(both, 2)) == "operations"


@rule("10.8.d")
@ruling("R-F53")
def test_a_free_attack_counts_as_an_earlier_combat() -> None:
    p = throw(play(lay(SOVIET, FRONT, hands="soviet: so-organ"), "soviet play so-organ > 37"), 1)
    while step(p) == "loss":
        p = play(p, min(legal(p, by(p))))
    assert step(p) == "operations" and p.fought[36] == 1
    p = fought(p, "soviet attack so-balt1 @ 37", 1, 1)
    assert step(throw(go_on(play(p, "axis ask ax-4a")), 3)) == "retreat"


@rule("PE.Axis.2.d")
@ruling("R-F130")
def test_without_the_fuhrer_the_axis_retreats_freely() -> None:
    p = fought(lay(SOVIET, FRONT, fuhrer_dead=True), "soviet attack so-balt1 @ 37", 1, 1)
    assert step(p) == "retreat" and by(p) == "axis"
    p = play(p, "axis retreat ax-4a > 31", "axis retreat ax-3pz > 32")
    assert (zone(p, "ax-4a"), zone(p, "ax-3pz"), holder(p, 37)) == ("31", "32", "soviet") and step(p) == "operations"


# ------------------------------------------------------------------------------------------------------------ where to


@rule("10.6.a")
@rule("10.6.b")
@ruling("R-F108")
def test_a_retreat_goes_to_an_adjacent_friendly_or_contested_zone_in_supply() -> None:
    forces = FRONT + "/ ax-2a 38: ax-8k / so-bielo2 38: so-33a"
    p = throw(asked("ax-4a", "ax-3pz", forces=forces, control="soviet: 32"), 6)
    allowed(p, "axis retreat ax-4a > 31", "axis retreat ax-4a > 38", "axis done")
    refused(p, "axis retreat ax-4a > 28", "10.6.b", only=True)
    refused(p, "axis retreat ax-4a > 32", "10.6.b", only=True)
    refused(p, "axis retreat ax-4a > 45", "10.6.b")
    agreed(p)


@rule("10.6.b")
@rule("6.2")
def test_no_retreat_to_where_it_would_be_out_of_supply() -> None:
    alone = "so-balt1 37: so-2gda so-4shk / ax-4a 37: ax-12k"
    p = throw(asked("ax-4a", control="soviet: 32 41", forces=alone), 6)
    allowed(p, "axis retreat ax-4a > 31")
    refused(p, "axis retreat ax-4a > 38", "10.6.b", "6.2", only=True)
    nowhere = fought(lay(SOVIET, alone, control="soviet: 32 41 31 30"), "soviet attack so-balt1 @ 37", 1, 1)
    assert step(nowhere) == "operations" and zone(nowhere, "ax-4a") == "37", "nowhere to go: nobody is asked, and it stays at no loss"


@rule("6.1.e")
@ruling("R-F33")
def test_the_place_of_a_baltic_zone_is_not_taken_by_retreating_there() -> None:
    control = "soviet: 23 28 31 32 37 38 36"
    alone = "so-balt1 30: so-2gda so-4shk / ax-16a 30: ax-1k / ax-18a 30: ax-26k"
    p = fought(lay(SOVIET, alone, control=control, fuhrer_dead=True), "soviet attack so-balt1 @ 30", 1, 1)
    allowed(p, "axis retreat ax-16a > 29", "axis retreat ax-18a > 29")
    held = alone + "/ ax-9a 29: ax-35k"
    q = fought(lay(SOVIET, held, control=control, fuhrer_dead=True), "soviet attack so-balt1 @ 30", 1, 1)
    assert step(q) == "operations", "9.Armee has the place of 29"


@rule("10.6.b")
@rule("6.1.e")
@ruling("R-F109")
def test_who_has_nowhere_to_go_does_not_ask() -> None:
    named = bytes((255, 255, GFS.index("ax-16a")))
    forces = "so-balt1 30: so-2gda so-4shk / ax-16a 30: ax-1k / ax-18a 30: ax-26k / ax-9a 29: ax-35k"
    p = fought(lay(SOVIET, forces, control="soviet: 23 28 31 32 37 38 36", baltic=named), "soviet attack so-balt1 @ 30", 1, 1)
    allowed(p, "axis ask ax-16a")
    refused(p, "axis ask ax-18a", "10.6.b", only=True)
    p = throw(go_on(play(p, "axis ask ax-16a")), 6)
    allowed(p, "axis retreat ax-16a > 29")


@rule("10.6.a")
@ruling("R-F108")
def test_west_and_soviets_retreat_at_once_without_a_die_each_where_it_likes() -> None:
    forces = "we-1us 9: we-vus / we-5us 9: we-iius / ax-10a 9: ax-76pzk ax-51gek"
    p = fought(lay(AXIS, forces), "axis attack ax-10a @ 9", 1, 1)
    assert step(p) == "retreat" and by(p) == "west"
    refused(p, "axis retreat ax-10a > 14", "2")
    refused(p, "west retreat we-8uk > 10", "10.6.a", only=True)
    refused(p, "west retreat we-1us > 14", "10.6.b")
    p = go_on(play(p, "west retreat we-1us > 10"))
    assert (zone(p, "we-1us"), zone(p, "we-5us")) == ("10", "9") and step(p) == "operations" and p.combat is None


@rule("10.6.c")
@ruling("R-F108")
def test_who_has_retreated_defends_again_and_the_attacker_never_retreats() -> None:
    p = play(throw(asked("ax-4a", forces=FRONT + "/ so-bielo3 31: so-5a / ax-2a 31: ax-8k"), 5), "axis retreat ax-4a > 31")
    p = fought(p, "soviet attack so-bielo3 @ 31", 1, 1)
    assert p.combat.defenders == bits("ax-2a ax-4a") and step(p) == "ask"
    assert "no-defender" in told(p, "axis ask ax-3pz")


@rule("10.6.a")
@ruling("R-F108")
def test_no_retreat_after_a_free_attack() -> None:
    p = throw(play(lay(SOVIET, FRONT, hands="soviet: so-organ"), "soviet play so-organ > 37"), 1)
    while step(p) == "loss":
        p = play(p, min(legal(p, by(p))))
    assert step(p) == "operations"


@rule("10.6.a")
@ruling("R-F108")
def test_with_the_switch_all_go_or_none() -> None:
    with playing("retreat-together"):
        p = fought(lay(SOVIET, FRONT), "soviet attack so-balt1 @ 37", 1, 1)
        p = play(p, "axis ask ax-4a")
        refused(p, "axis done", "10.6.a", only=True)
        p = throw(go_on(play(p, "axis ask ax-3pz")), 6)
        allowed(p, "axis done")
        p = play(p, "axis retreat ax-4a > 31")
        assert owed(p) == {"retreat-together": ("10.6.a",)}
        p = play(p, "axis retreat ax-3pz > 31")
        assert zone(p, "ax-3pz") == "31" and step(p) == "operations"
    p = play(throw(asked("ax-4a", "ax-3pz"), 6), "axis retreat ax-4a > 31")
    allowed(p, "axis done")


@rule("10.6.a")
def test_the_last_retreat_passes_control_at_once_and_that_may_close_the_way_of_none() -> None:
    p = throw(asked("ax-4a", "ax-3pz"), 6)
    p = play(p, "axis retreat ax-4a > 31")
    assert holder(p, 37) == "axis"
    p = play(p, "axis retreat ax-3pz > 31")
    assert holder(p, 37) == "soviet" and step(p) == "operations"


@rule("10.8.c")
@ruling("R-F138")
def test_what_the_enemy_is_asked_and_told_does_not_hang_on_the_defenders_steps() -> None:
    one = asked("ax-4a")
    other = sealed(one, "axis", steps=one.sealed[2].steps + 4)
    assert legal(one, "soviet") == legal(other, "soviet") and one.frame == other.frame


# ------------------------------------------------------------------------------------------------------------ overstacking


CROWD = "so-balt1 37: so-2gda so-4shk / ax-4a 37: ax-12k / ax-3pz 37: ax-6k / ax-16a 31: ax-1k ax-2k ax-10k / ax-18a 31: ax-26k ax-28k"


def crowded(forces: str = CROWD) -> Any:
    """Two formations have retreated to 31, where two stood."""
    p = fought(lay(SOVIET, forces, fuhrer_dead=True), "soviet attack so-balt1 @ 37", 1, 1)
    return play(p, "axis retreat ax-4a > 31", "axis retreat ax-3pz > 31")


@rule("7.2.a")
@rule("7.2.b")
@ruling("R-F81")
def test_an_overstacked_zone_is_cleared_at_once_by_its_owner() -> None:
    p = crowded()
    assert step(p) == "redistribute" and by(p) == "axis" and p.combat is None
    assert owed(p)["overstacked"] == ("7.2.b",)
    refused(p, "axis done", "7.2.b", only=True)
    agreed(p)
    p = play(p, "axis exchange ax-12k > ax-18a", "axis recall ax-3pz")
    assert home(p, "ax-3pz") and where(p, "ax-6k") == "ax-3pz"
    p = go_on(p)
    assert home(p, "ax-4a") and units(p, "ax-18a") == "ax-12k ax-26k ax-28k" and step(p) == "operations"


@rule("7.2.b")
@ruling("R-F81")
def test_no_more_formations_leave_than_are_too_many() -> None:
    p = play(crowded(), "axis recall ax-3pz", "axis recall ax-4a")
    refused(p, "axis recall ax-16a", "7.2.b", only=True)
    allowed(p, "axis done")


@rule("7.2.d")
@ruling("R-F82")
def test_capacity_binds_when_the_zone_is_cleared() -> None:
    forces = CROWD.replace("ax-18a 31: ax-26k ax-28k", "ax-18a 31: ax-26k ax-28k ax-38k ax-43k ax-3sspzk")
    p = play(crowded(forces), "axis exchange ax-12k > ax-18a")
    assert "capacity-exceeded" in owed(p)
    refused(p, "axis recall ax-18a", "7.2.d", only=True)
    emptied = play(p, "axis recall ax-3pz")
    refused(emptied, "axis done", "7.2.d", only=True)
    p = play(p, "axis exchange ax-26k > ax-3pz", "axis recall ax-3pz")
    p = go_on(p)
    assert units(p, "ax-18a") == "ax-12k ax-28k ax-38k ax-3sspzk ax-43k" and step(p) == "operations"


@rule("7.2.a")
@ruling("R-F81")
def test_only_units_and_formations_of_that_zone_take_part() -> None:
    p = crowded(CROWD + "/ ax-2a 38: ax-8k")
    refused(p, "axis exchange ax-8k > ax-4a", "7.2.a", only=True)
    refused(p, "axis exchange ax-12k > ax-2a", "7.2.a", only=True)
    refused(p, "axis exchange ax-12k > ax-4a", "7.2.a", only=True)
    refused(p, "axis recall ax-2a", "7.2.b", only=True)
    refused(p, "soviet done", "2")
    refused(p, "axis turn-over ax-4a", "7.2.a", only=True)


@rule("7.2.b")
def test_pa_of_the_defender_play_no_part_in_a_retreat() -> None:
    p = throw(asked("ax-4a"), 6)
    p = altered(p, pa=bytes(16 if gf == GFS.index("ax-4a") else b for gf, b in enumerate(p.pa)))
    allowed(p, "axis retreat ax-4a > 31")
