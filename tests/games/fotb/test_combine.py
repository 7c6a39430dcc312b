"""7: stacking, and the combining of formations at both ends of an action phase."""

from __future__ import annotations

import pytest

from tests.games.fotb.layout import (
    BOOK,
    GFS,
    PHASES,
    G,
    agreed,
    allowed,
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
    reduced,
    refused,
    rule,
    ruling,
    step,
    told,
    units,
    zone,
)


@example("F-08")
@rule("7.1.a")
def test_F_08_limits_of_every_side_in_and_out_of_the_Alps() -> None:
    clear, alps = G.land.zone("37"), G.land.zone("14")
    assert [G.stacking(side, clear) for side in (2, 1, 0)] == [2, 2, 3]
    assert [G.stacking(side, alps) for side in (2, 1, 0)] == [1, 1, 2]
    assert {G.land.name(z) for z in range(G.land.size) if G.land.alps >> z & 1} == {"14", "20"}


@rule("7.1.a")
@ruling("R-F80")
def test_two_formations_a_zone_for_Axis_and_Soviets() -> None:
    p = lay("soviet_action operations soviet", "so-balt1 44: so-43a / so-bielo3 44: so-5a / so-balt2 36: so-22a")
    refused(p, "soviet move so-balt2 @ 36 > 44", "7.1.a", only=True)
    allowed(play(p, "soviet move so-balt1 @ 44 > 37", "soviet done"), "soviet move so-balt2 @ 36 > 44")
    p = lay("axis_action operations axis", "ax-4a 17: ax-12k / ax-2a 17: ax-8k / ax-9a 24: ax-35k")
    refused(p, "axis move ax-9a @ 24 > 17", "7.1.a", only=True)


@rule("7.1.b")
@ruling("R-F80")
def test_three_formations_a_zone_for_the_West() -> None:
    forces = "we-1us 4: we-vus / we-3us 4: we-xvus / we-2uk 5: we-iuk / we-1ca 5: we-viiiuk"
    p = lay("west_action operations west", forces)
    allowed(p, "west move we-2uk @ 5 > 4")
    refused(p, "west move we-1ca,we-2uk @ 5 > 4", "7.1.b", only=True)
    p = play(p, "west move we-2uk @ 5 > 4", "west done")
    refused(p, "west move we-1ca @ 5 > 4", "7.1.b", only=True)


@rule("7.1.a")
@ruling("R-F80")
def test_each_side_has_its_own_limit_in_a_contested_zone() -> None:
    p = lay("soviet_action operations soviet", "so-balt1 44: so-43a / so-bielo3 44: so-5a / ax-4a 37: ax-12k / ax-3pz 37: ax-6k")
    allowed(p, "soviet move so-balt1,so-bielo3 @ 44 > 37")


@rule("7.1.c")
@ruling("R-F80")
def test_in_the_Alps_one_formation_fewer() -> None:
    p = lay("axis_action operations axis", "ax-10a 13: ax-51gek / ax-14a 14: ax-14pzk")
    refused(p, "axis move ax-10a @ 13 > 14", "7.1.c", only=True)
    assert [r.basis for r in BOOK.check(p, BOOK.parse("axis move ax-10a @ 13 > 14")).reasons] == [("zones 14 terrain",)]
    p = lay("west_action operations west", "we-5us 9: we-iius / we-8uk 9: we-ican / we-1us 9: we-vus")
    allowed(p, "west move we-5us,we-8uk @ 9 > 14")
    refused(p, "west move we-1us,we-5us,we-8uk @ 9 > 14", "7.1.c", only=True)


@rule("7.2.c")
@ruling("R-F88")
def test_formations_of_one_zone_exchange_units_at_the_beginning_of_the_phase() -> None:
    p = lay("axis_action combine axis", "ax-7a 1: ax-84k ax-47pzk / ax-1a 1: ax-80k / ax-15a 4: ax-64k")
    assert (step(p), by(p)) == ("combine", "axis")
    p = play(p, "axis exchange ax-84k > ax-1a", "axis exchange ax-80k > ax-7a")
    assert units(p, "ax-1a") == "ax-84k" and units(p, "ax-7a") == "ax-47pzk ax-80k"
    assert told(p, "axis exchange ax-64k > ax-7a") == {"not-same-zone": ("7.2.c",)}
    assert told(p, "axis exchange ax-84k > ax-1a") == {"in-that-gf": ("7.4",)}
    agreed(p)


@rule("7.2.c")
@ruling("R-F41")
def test_and_at_its_end() -> None:
    p = lay("axis_action operations axis", "ax-7a 1: ax-84k ax-47pzk / ax-1a 1: ax-80k")
    refused(p, "axis exchange ax-84k > ax-1a", "2")
    p = play(p, "axis done")
    assert phase(p) == "axis_action combine_again axis"
    p = play(p, "axis exchange ax-84k > ax-1a")
    assert units(p, "ax-1a") == "ax-80k ax-84k"


@rule("7.2.c")
@ruling("R-F88")
def test_a_cut_off_zone_combines_too() -> None:
    p = lay("soviet_action combine soviet", "so-balt1 31: so-43a so-51a / so-bielo3 31: so-5a / ax-4a 31: ax-12k", control="axis: 37")
    play(p, "soviet exchange so-43a > so-bielo3")


@rule("7.2.c")
@rule("9.8")
@ruling("R-F88")
def test_a_formation_left_empty_goes_home_when_the_step_ends_and_waits() -> None:
    p = lay("axis_action combine axis", "ax-7a 1: ax-84k / ax-1a 1: ax-80k / + reserve: ax-8k")
    p = play(p, "axis exchange ax-84k > ax-1a")
    assert zone(p, "ax-7a") == "1" and units(p, "ax-1a") == "ax-80k ax-84k"
    p = play(p, "axis done")
    assert home(p, "ax-7a") and p.waiting == bits("ax-7a")
    p = play(p, "axis fill ax-8k > ax-7a")
    refused(p, "axis place ax-7a > 5", "9.2.c", only=True)


@rule("7.2.c")
@ruling("R-F88")
@pytest.mark.parametrize("order", [("ax-84k > ax-1a", "ax-80k > ax-7a"), ("ax-80k > ax-7a", "ax-84k > ax-1a")])
@pytest.mark.parametrize("phase_", ["axis_action combine axis", "axis_action combine_again axis"])
def test_formations_of_one_unit_each_exchange_them_whichever_goes_first(order: tuple[str, str], phase_: str) -> None:
    p = lay(phase_, "ax-7a 1: ax-84k / ax-1a 1: ax-80k")
    p = play(p, *(f"axis exchange {text}" for text in order))
    agreed(p)
    p = play(p, "axis done")
    assert (zone(p, "ax-7a"), units(p, "ax-7a"), zone(p, "ax-1a"), units(p, "ax-1a")) == ("1", "ax-80k", "1", "ax-84k")
    assert not p.waiting


@rule("9.2.b")
@ruling("R-F85")
@pytest.mark.parametrize("step_", ["combine", "strategic", "transfers", "combine_again"])
def test_an_empty_formation_may_be_sent_home_before_the_step_ends_and_no_other(step_: str) -> None:
    p = lay(f"axis_action {step_} axis", "ax-7a 1: ax-84k / ax-1a 1: ax-80k / ax-4a reserve: ax-8k")
    for gf in ("ax-7a", "ax-1a"):
        assert told(p, f"axis recall {gf}") == {"gf-holds-units": ("9.2.b",)}
    assert told(p, "axis recall ax-4a").keys() >= {"gf-not-on-map"}
    out = {"strategic": "withdraw ax-84k", "transfers": "transfer ax-84k > ax-1a"}.get(step_, "exchange ax-84k > ax-1a")
    p = play(p, f"axis {out}")
    assert {text for text in legal(p, about="ax-7a") if " recall " in text} == {"axis recall ax-7a"}
    agreed(p)
    p = play(p, "axis recall ax-7a")
    assert home(p, "ax-7a") and p.waiting == bits("ax-7a") and step(p) == step_.removesuffix("_again")
    refused(p, "axis recall ax-7a", "9.2.b", only=True)
    assert not any(" recall " in text for text in legal(p))


@rule("7.2.d")
@ruling("R-F85")
def test_nobody_goes_home_early_while_a_display_is_too_full() -> None:
    p = lay("soviet_action combine soviet", "so-bielo3 44: so-5a / so-balt2 44: so-43a so-51a so-39a so-31a / ax-4a 24: ax-12k")
    full = G.gfs.capacity[GFS.index("so-balt2")]
    assert full == 4
    p = play(p, "soviet exchange so-5a > so-balt2")
    refused(p, "soviet recall so-bielo3", "7.2.d", only=True)
    assert "soviet recall so-bielo3" not in legal(p)


@rule("9.8")
@ruling("R-F85")
def test_the_last_unit_that_leaves_a_contested_zone_gives_it_to_the_enemy() -> None:
    p = lay("soviet_action strategic soviet", "so-balt1 37: so-43a / ax-4a 37: ax-12k", control="soviet: 37")
    assert holder(p, 37) == "soviet"
    p = play(p, "soviet withdraw so-43a")
    assert not home(p, "so-balt1") and holder(p, 37) == "soviet", "what leaves when the step ends stands there until then"
    for last in ("soviet done", "soviet recall so-balt1"):
        q = play(p, last)
        assert home(q, "so-balt1") and holder(q, 37) == "axis"


@rule("7.2.d")
@ruling("R-F80")
def test_capacity_binds_when_the_step_ends_so_that_full_formations_may_exchange() -> None:
    full = "ax-7a 1: ax-84k ax-47pzk ax-1sspzk ax-2fjk ax-88k / ax-1a 1: ax-80k ax-86k ax-62k ax-4lwk"
    p = lay("axis_action combine axis", full)
    p = play(p, "axis exchange ax-80k > ax-7a")
    assert owed(p) == {"over-capacity": ("7.2.d",)}
    refused(p, "axis done", "7.2.d", only=True)
    p = play(p, "axis exchange ax-84k > ax-1a", "axis done")
    assert phase(p) == "axis_action strategic axis"
    assert units(p, "ax-1a") == "ax-4lwk ax-62k ax-84k ax-86k"
    assert not any(text.startswith("axis exchange") for text in legal(lay("axis_action combine axis", full))), "none has room"


@rule("7.2.e")
@ruling("R-F82")
def test_a_reduced_unit_takes_a_whole_place() -> None:
    p = lay("axis_action strategic axis", "ax-1a 7: ax-80k- ax-86k- ax-62k- ax-4lwk- / + reserve: ax-8k-")
    p = play(p, "axis fill ax-8k > ax-1a")
    refused(p, "axis done", "7.2.d", only=True)
    assert reduced(p, "ax-8k") and reduced(p, "ax-80k")


@rule("7.3.a")
@rule("6.2")
@ruling("R-F14")
def test_Soviets_and_West_never_share_a_zone() -> None:
    forces = "we-1us 13: we-vus / so-balt1 19: so-43a / ax-4a 13: ax-12k"
    p = lay("soviet_action operations soviet", forces, control="soviet: 25 39 46")
    refused(p, "soviet move so-balt1 @ 19 > 13", "7.3.a", only=True)
    p = lay("soviet_action operations soviet", forces.replace("we-1us 13: we-vus /", ""), control="soviet: 25 39 46")
    allowed(p, "soviet move so-balt1 @ 19 > 13")
    p = lay("west_action operations west", "we-1us 13: we-vus / so-balt1 19: so-43a", control="west: 8 4")
    refused(p, "west move we-1us @ 13 > 19", "7.3.a", only=True)
    lone = forces.replace(" / ax-4a 13: ax-12k", "")
    refused(lay("soviet_action operations soviet", lone, control="soviet: 25 39 46"), "soviet move so-balt1 @ 19 > 13", "7.3.a", only=True)
    p = lay("soviet_action operations soviet", "so-balt1 44: so-43a / so-bielo3 45: so-5a")
    allowed(p, "soviet move so-balt1 @ 44 > 45")
    p = lay("west_action operations west", "we-1us 4: we-vus / we-2uk 5: we-iuk / ax-4a 8: ax-12k")
    allowed(p, "west move we-1us @ 4 > 5", "west move we-1us @ 4 > 8")
    p = lay("axis_action operations axis", "ax-4a 16: ax-12k / so-balt1 19: so-43a", control="axis: 16")
    allowed(p, "axis move ax-4a @ 16 > 19")


@rule("7.3.b")
@ruling("R-F29")
def test_whoever_stands_there_first_stays_and_an_empty_zone_of_the_other_Ally_is_entered() -> None:
    p = lay("west_action operations west", "we-1us 13: we-vus / so-balt1 25: so-43a", control="soviet: 19 39 / west: 8 4")
    p = play(p, "west move we-1us @ 13 > 19", "west done")
    assert holder(p, 19) == "west"
    p = lay("soviet_action operations soviet", "we-1us 19: we-vus / so-balt1 25: so-43a", control="soviet: 39 46 / west: 13 8 4")
    refused(p, "soviet move so-balt1 @ 25 > 19", "7.3.a", only=True)


@rule("7.4")
@ruling("R-F86")
def test_units_change_formations_whatever_their_home_is() -> None:
    p = lay("west_action transfers west", "we-5us 9: we-iius / we-8uk 9: we-ican we-vuk")
    p = play(p, "west transfer we-vuk > we-5us")
    assert units(p, "we-5us") == "we-iius we-vuk"


@ruling("R-F41")
@rule("9.1.a")
@rule("2.f")
@rule("2.g")
@rule("2.h")
@rule("2.j")
@rule("2.k")
def test_the_steps_of_an_action_phase_come_in_order_and_close_each_other() -> None:
    p = lay("west_action combine west", "we-1us 1: we-vus / ax-4a 24: ax-12k / so-balt1 44: so-43a")
    seen = []
    while p.turn == 1 and phase(p).startswith(("west", "soviet", "axis")):
        seen.append((phase(p).split()[1], by(p)))
        p = play(p, f"{by(p)} done")
    order = ["combine", "strategic", "transfers", "operations", "combine_again"]
    assert seen == [(name, side) for side in ("west", "soviet", "axis") for name in order]
    assert G.gfs.side[GFS.index("we-1us")] == 0 and zone(p, "we-1us") == "1"


@rule("2.i")
@ruling("R-F41")
def test_the_pockets_come_last_in_the_phase_of_the_West() -> None:
    p = lay("west_action operations west", "we-1us 1: we-vus / + 4: ax-64k")
    p = play(p, "west done")
    assert phase(p) == "west_action combine_again west"
    p = play(p, "west done")
    assert phase(p) == "west_action pockets west" and step(p) == "dice"
    assert not any(name.startswith(("soviet_action pockets", "axis_action pockets")) for name in PHASES)


@rule("9.1.a")
@ruling("R-F41")
def test_what_belongs_to_another_step_or_another_side_is_refused() -> None:
    p = lay("west_action strategic west", "we-1us 1: we-vus / we-3us 2: we-xvus / so-balt1 44: so-43a / ax-4a 24: ax-12k")
    for text in ("west move we-1us @ 1 > 2", "west exchange we-vus > we-3us", "west transfer we-vus > we-3us"):
        assert told(p, text) == {"wrong-step": ("2",)}
    assert told(p, "soviet withdraw so-43a") == {"wrong-hand": ("2",)}
    assert told(p, "west withdraw so-43a") == {"not-yours": ("1.f",)}
    assert told(p, "west withdraw ax-12k") == {"not-yours": ("1.f",)}


@rule("7.2.d")
@ruling("R-F80")
@ruling("R-F88")
def test_a_display_filled_beyond_its_room_by_the_last_unit_of_another_can_always_be_emptied_again() -> None:
    p = lay("soviet_action combine soviet", "so-bielo3 44: so-5a so-39a so-31a / so-balt2 44: so-43a so-51a")
    p = play(p, "soviet exchange so-5a > so-balt2", "soviet exchange so-39a > so-balt2", "soviet exchange so-31a > so-balt2")
    refused(p, "soviet done", "7.2.d", only=True)
    assert zone(p, "so-bielo3") == "44" and not units(p, "so-bielo3")
    p = play(p, "soviet exchange so-43a > so-bielo3", "soviet done")
    assert (units(p, "so-bielo3"), zone(p, "so-bielo3")) == ("so-43a", "44")
    fits = lay("soviet_action combine soviet", "so-bielo3 44: so-31a / so-balt2 44: so-43a so-51a so-5a")
    assert home(play(fits, "soviet exchange so-31a > so-balt2", "soviet done"), "so-bielo3")
