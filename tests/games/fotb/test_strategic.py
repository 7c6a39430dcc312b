"""9.2: the strategic step."""

from __future__ import annotations

import pytest

from tests.games.fotb.layout import (
    agreed,
    allowed,
    altered,
    holder,
    home,
    in_use,
    lay,
    legal,
    owed,
    play,
    reduced,
    refused,
    rule,
    ruling,
    sealed,
    told,
    units,
    unsettled,
    where,
    zone,
)

FORCES = "ax-7a 1: ax-84k ax-47pzk / ax-1a 1: ax-80k / ax-4a reserve: / + reserve: ax-8k ax-20k- ax-56pzk / we-1us 1: we-vus"


@rule("9.2.a")
@ruling("R-F83")
def test_units_of_the_Reserve_join_formations_in_supply_contested_or_not() -> None:
    p = lay("axis_action strategic axis", FORCES + " / ax-2a 24: ax-12k")
    assert told(p, "axis fill ax-8k > ax-9a") == {"gf-not-in-play": ("9.2.a",)}
    p = play(p, "axis fill ax-8k > ax-7a", "axis fill ax-56pzk > ax-2a", "axis fill ax-20k > ax-7a")
    assert units(p, "ax-7a") == "ax-20k- ax-47pzk ax-84k ax-8k" and units(p, "ax-2a") == "ax-12k ax-56pzk"
    agreed(p)
    assert told(p, "axis fill ax-84k > ax-2a") == {"not-in-reserve": ("9.2.a",)}


@rule("9.2.a")
@rule("9.2.b")
@ruling("R-F34")
def test_a_cut_off_formation_gets_none_and_gives_none() -> None:
    p = lay("soviet_action strategic soviet", "so-balt1 31: so-43a so-51a / ax-4a 31: ax-12k / + reserve: so-5a", control="axis: 37")
    assert told(p, "soviet fill so-5a > so-balt1") == {"gf-cut-off": ("9.2.a",)}
    assert told(p, "soviet withdraw so-43a") == {"leaves-cut-off": ("9.2.b",)}
    supplied = lay("soviet_action strategic soviet", "so-balt1 31: so-43a / ax-4a 31: ax-12k / + reserve: so-5a", control="soviet: 37")
    allowed(supplied, "soviet fill so-5a > so-balt1", "soviet withdraw so-43a")


@rule("9.2.b")
@ruling("R-F83")
def test_units_return_to_the_Reserve_with_their_side_up() -> None:
    p = lay("axis_action strategic axis", FORCES.replace("ax-84k", "ax-84k-"))
    allowed(p, "axis withdraw ax-80k")
    p = play(p, "axis withdraw ax-84k")
    assert where(p, "ax-84k") == "reserve" and reduced(p, "ax-84k")
    assert told(p, "axis withdraw ax-8k") == {"unit-in-no-gf": ("9.2.b",)}


@rule("9.2.c")
@ruling("R-F83")
def test_what_was_sent_from_the_map_waits_until_the_next_turn() -> None:
    p = lay("axis_action strategic axis", FORCES)
    p = play(p, "axis withdraw ax-47pzk")
    assert told(p, "axis fill ax-47pzk > ax-1a") == {"unit-waits": ("9.2.c",)}
    assert told(p, "axis fill ax-47pzk > ax-4a") == {"unit-waits": ("9.2.c",)}, "nor into a formation that is to be placed"
    p = lay("axis_action combine axis", FORCES, turn=2)
    later = play(sealed(p, "axis", waiting=0), "axis done")
    allowed(later, "axis fill ax-56pzk > ax-1a")


@rule("9.2.c")
@ruling("R-F83")
def test_the_next_action_phase_of_the_side_forgets_who_waited() -> None:
    p = lay("axis_action strategic axis", FORCES)
    p = play(p, "axis withdraw ax-47pzk", "axis withdraw ax-84k", "axis recall ax-7a")
    assert home(p, "ax-7a") and p.waiting and p.sealed[2].waiting
    later = unsettled("axis_action combine axis", FORCES, turn=2)
    later = in_use().settled(altered(later, gf_at=p.gf_at, sealed=p.sealed, waiting=p.waiting))
    assert not later.waiting and not later.sealed[2].waiting
    later = play(later, "axis done", "axis fill ax-47pzk > ax-7a")
    allowed(later, "axis place ax-7a > 24")


@rule("9.2.c")
@ruling("R-F83")
def test_a_formation_sent_home_whole_is_not_placed_in_the_same_phase() -> None:
    p = lay("axis_action strategic axis", FORCES)
    p = play(p, "axis withdraw ax-84k", "axis withdraw ax-47pzk", "axis recall ax-7a", "axis fill ax-8k > ax-7a")
    assert told(p, "axis place ax-7a > 24") == {"gf-waits": ("9.2.c",)}
    p = play(p, "axis fill ax-20k > ax-4a")
    allowed(p, "axis place ax-4a > 24")


@rule("9.2.d")
@ruling("R-F80")
def test_limits_of_zones_and_displays_bind_when_the_step_ends() -> None:
    p = lay("axis_action strategic axis", "ax-7a 24: ax-84k / ax-1a 24: ax-80k / ax-4a reserve: ax-8k")
    p = play(p, "axis place ax-4a > 24")
    assert owed(p) == {"zone-over-limit": ("7.1.a",)}
    refused(p, "axis done", "7.1.a", only=True)
    p = play(p, "axis withdraw ax-80k", "axis done")
    assert home(p, "ax-1a") and zone(p, "ax-4a") == "24"


@rule("9.2.a")
@ruling("R-F83")
@pytest.mark.parametrize("order", [("withdraw ax-80k", "fill ax-8k > ax-1a"), ("fill ax-8k > ax-1a", "withdraw ax-80k")])
def test_the_only_unit_of_a_formation_is_relieved_by_one_of_the_Reserve_whichever_goes_first(order: tuple[str, str]) -> None:
    p = lay("axis_action strategic axis", FORCES)
    p = play(p, *(f"axis {text}" for text in order), "axis done")
    assert (zone(p, "ax-1a"), units(p, "ax-1a"), where(p, "ax-80k")) == ("1", "ax-8k", "reserve") and not p.waiting


@rule("9.2.d")
@rule("7.1.a")
@ruling("R-F80")
def test_a_formation_takes_the_place_of_one_that_was_emptied_whichever_comes_first() -> None:
    forces = "ax-7a 24: ax-84k / ax-1a 24: ax-80k / ax-4a reserve: ax-8k"
    p = lay("axis_action strategic axis", forces)
    assert "axis place ax-4a > 24" not in legal(p)
    p = play(p, "axis withdraw ax-80k")
    assert "axis place ax-4a > 24" in legal(p), "the one without units leaves when the step ends"
    p = play(p, "axis place ax-4a > 24")
    agreed(p)
    assert not owed(p)
    assert home(play(p, "axis done"), "ax-1a")
    full = play(lay("axis_action strategic axis", forces + " / + reserve: ax-12k"), "axis withdraw ax-80k", "axis place ax-4a > 24")
    full = play(full, "axis fill ax-12k > ax-1a")
    assert owed(full) == {"zone-over-limit": ("7.1.a",)}
    refused(full, "axis recall ax-7a", "9.2.b", "7.1.a")


@rule("PE.Axis.10")
@ruling("R-F129")
def test_a_formation_that_was_emptied_need_not_be_filled_for_the_event() -> None:
    p = lay("axis_action strategic axis", "ax-7a 1: ax-84k / ax-1a 24: ax-80k / + reserve: ax-8k / we-1us 1: we-vus", event=(0, 0, 10))
    assert "event-fill-owed" in owed(p)
    p = play(p, "axis withdraw ax-84k")
    assert not owed(p), "it will have left"
    p = play(p, "axis done")
    assert home(p, "ax-7a")


@rule("9.2.e")
@ruling("R-F84")
def test_a_formation_of_the_Reserve_is_placed_on_a_friendly_zone() -> None:
    p = lay("axis_action strategic axis", "ax-7a 5: ax-84k / we-1us 5: we-vus / ax-4a reserve: ax-8k", control="soviet: 37 / axis: 37 38")
    allowed(p, "axis place ax-4a > 8", "axis place ax-4a > 15")
    assert told(p, "axis place ax-4a > 5") == {"zone-not-friendly": ("9.2.e",)}, "contested"
    assert told(p, "axis place ax-4a > 44") == {"zone-not-friendly": ("9.2.e",)}, "the enemy's"
    cut = "soviet: " + " ".join(str(n) for n in range(1, 55) if n not in (32, 15))
    p = lay("axis_action strategic axis", "ax-4a reserve: ax-8k", control=cut)
    assert told(p, "axis place ax-4a > 32") == {"zone-not-friendly": ("9.2.e",)}, "own, but without a line"
    allowed(p, "axis place ax-4a > 15")


@rule("5.7.d")
@ruling("R-F84")
def test_to_enter_and_to_leave_the_Reserve_costs_nothing() -> None:
    p = lay("axis_action strategic axis", FORCES, pr="axis 0")
    p = play(p, "axis fill ax-8k > ax-4a", "axis place ax-4a > 24", "axis fill ax-20k > ax-7a", "axis withdraw ax-84k")
    assert not any(p.pr) and not any(p.pa)


@rule("9.2.e")
@ruling("R-F84")
def test_only_a_formation_of_the_Reserve_is_placed() -> None:
    p = lay("axis_action strategic axis", "ax-7a 5: ax-84k")
    assert told(p, "axis place ax-7a > 8") == {"gf-not-in-reserve": ("9.2.e",)}


@rule("9.2.f")
@ruling("R-F84")
def test_a_formation_is_filled_in_the_Reserve_and_placed_with_a_unit_at_least() -> None:
    p = lay("axis_action strategic axis", FORCES)
    assert told(p, "axis place ax-4a > 24") == {"gf-empty": ("9.2.f",)}
    p = play(p, "axis fill ax-8k > ax-4a", "axis fill ax-20k > ax-4a", "axis place ax-4a > 24", "axis fill ax-56pzk > ax-4a")
    assert units(p, "ax-4a") == "ax-20k- ax-56pzk ax-8k" and holder(p, 24) == "axis"


@rule("9.2.f")
@ruling("R-F87")
def test_a_formation_of_the_Reserve_gives_its_units_back_freely() -> None:
    p = lay("axis_action strategic axis", "ax-4a reserve: ax-8k / ax-7a 24: ax-84k")
    p = play(p, "axis withdraw ax-8k", "axis fill ax-8k > ax-7a")
    assert units(p, "ax-7a") == "ax-84k ax-8k", "it never was on the map, so it need not wait"


@rule("9.2.e")
@ruling("R-F33")
def test_a_formation_is_placed_in_a_Baltic_zone_only_if_the_place_is_free() -> None:
    only = "soviet: " + " ".join(str(n) for n in range(1, 55) if n != 28)
    p = lay("axis_action strategic axis", "ax-18a reserve: ax-8k", control=only)
    allowed(p, "axis place ax-18a > 28")
    for first, second in (("ax-16a", "ax-18a"), ("ax-18a", "ax-16a")):
        p = lay("axis_action strategic axis", f"{second} reserve: ax-8k / {first} 28: ax-1k", control=only)
        assert told(p, f"axis place {second} > 28") == {"zone-not-friendly": ("9.2.e",)}


@rule("9.1.b")
@ruling("R-F86")
def test_a_unit_may_be_placed_transferred_and_moved_in_one_phase() -> None:
    p = lay("axis_action strategic axis", FORCES + " / ax-2a 5: ax-12k")
    p = play(p, "axis fill ax-56pzk > ax-7a", "axis done", "axis transfer ax-56pzk > ax-2a", "axis done")
    p = play(p, "axis move ax-2a @ 5 > 8", "axis done")
    assert zone(p, "ax-2a") == "8" and units(p, "ax-2a") == "ax-12k ax-56pzk"


def test_the_strategic_step_lists_what_fits() -> None:
    p = lay("axis_action strategic axis", FORCES)
    found = legal(p)
    assert "axis fill ax-8k > ax-7a" in found and "axis withdraw ax-84k" in found and "axis done" in found
    assert {text for text in legal(p, about="ax-8k")} == {f"axis fill ax-8k > {gf}" for gf in ("ax-1a", "ax-4a", "ax-7a")}
    agreed(p)
