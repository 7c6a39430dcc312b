"""9.3: transfers between formations, Maskirovka (11.6), and pockets that join one (12.4)."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.fotb.layout import (
    agreed,
    allowed,
    bits,
    hand,
    home,
    lay,
    legal,
    owed,
    play,
    reduced,
    refused,
    rule,
    ruling,
    told,
    units,
    where,
)


@rule("9.3.a")
@ruling("R-F86")
def test_the_armour_class_goes_one_zone() -> None:
    p = lay("axis_action transfers axis", "ax-7a 5: ax-84k ax-47pzk- / ax-1a 8: ax-80k / ax-4a 13: ax-12k / ax-2a 14: ax-8k")
    assert told(p, "axis transfer ax-47pzk > ax-4a") == {"not-adjacent": ("9.3.a",)}
    p = play(p, "axis transfer ax-47pzk > ax-1a")
    assert units(p, "ax-1a") == "ax-47pzk- ax-80k"
    assert told(p, "axis transfer ax-47pzk > ax-4a") == {"moved-already": ("9.3.a",)}
    agreed(p)


@rule("9.3.a")
@ruling("R-F86")
def test_mechanized_tank_and_SS_armour_are_of_the_armour_class() -> None:
    p = lay("west_action transfers west", "we-1us 1: we-vus we-xvus we-ivus / we-3us 2: we-xiius")
    allowed(p, "west transfer we-vus > we-3us", "west transfer we-xvus > we-3us")
    refused(p, "west transfer we-ivus > we-3us", "9.3.c", "9.3.e", only=True)
    p = lay("soviet_action transfers soviet", "so-bielo3 44: so-5gtka so-5a / so-bielo1 45: so-3a")
    allowed(p, "soviet transfer so-5gtka > so-bielo1")
    p = lay("axis_action transfers axis", "ax-18a 29: ax-3sspzk ax-6ssk / ax-16a 30: ax-1k")
    allowed(p, "axis transfer ax-3sspzk > ax-16a")
    refused(p, "axis transfer ax-6ssk > ax-16a", "9.3.c", only=False)


@rule("9.3.b")
@ruling("R-F86")
def test_the_zone_is_friendly_or_contested_and_in_supply() -> None:
    forces = "so-bielo3 37: so-5gtka so-5a / so-bielo1 31: so-3a / ax-4a 31: ax-12k"
    allowed(lay("soviet_action transfers soviet", forces), "soviet transfer so-5gtka > so-bielo1")
    cut = lay("soviet_action transfers soviet", forces.replace("bielo3 37", "bielo3 32"), control="soviet: 41 45 / axis: 37")
    allowed(cut, "soviet transfer so-5gtka > so-bielo1")
    cut = lay("soviet_action transfers soviet", forces.replace("bielo3 37", "bielo3 32"), control="axis: 37 41 38")
    assert told(cut, "soviet transfer so-5gtka > so-bielo1") == {"target-cut-off": ("9.3.b",)}


@rule("9.3.b")
@ruling("R-F82")
def test_a_display_takes_no_more_than_its_capacity_when_the_step_ends() -> None:
    p = lay("axis_action transfers axis", "ax-7a 5: ax-84k ax-47pzk ax-3pzk / ax-1a 8: ax-80k ax-86k ax-62k ax-56pzk")
    p = play(p, "axis transfer ax-47pzk > ax-1a")
    assert owed(p) == {"over-capacity": ("7.2.d",)}
    p = play(p, "axis transfer ax-56pzk > ax-7a", "axis done")
    assert units(p, "ax-1a") == "ax-47pzk ax-62k ax-80k ax-86k"


@rule("9.3.b")
def test_both_formations_stand_on_the_map() -> None:
    p = lay("axis_action transfers axis", "ax-7a 5: ax-84k / ax-1a reserve: ax-80k / + reserve: ax-56pzk")
    assert told(p, "axis transfer ax-56pzk > ax-7a") == {"unit-not-on-map": ("7.4",)}
    assert told(p, "axis transfer ax-80k > ax-7a") == {"unit-not-on-map": ("7.4",)}
    assert told(p, "axis transfer ax-84k > ax-1a") == {"gf-not-on-map": ("7.4",)}


@rule("9.3.c")
@ruling("R-F86")
def test_infantry_changes_formations_inside_its_zone_only() -> None:
    p = lay("axis_action transfers axis", "ax-7a 5: ax-84k ax-2fjk / ax-1a 5: ax-80k / ax-4a 8: ax-12k")
    allowed(p, "axis transfer ax-84k > ax-1a", "axis transfer ax-2fjk > ax-1a")
    assert told(p, "axis transfer ax-84k > ax-4a") == {"infantry-stays": ("9.3.c", "9.3.e")}
    assert legal(p, about="ax-84k") == {"axis transfer ax-84k > ax-1a"}


@rule("9.3.e")
@ruling("R-F83")
def test_infantry_for_another_zone_goes_by_the_Reserve_and_loses_a_turn() -> None:
    p = lay("axis_action strategic axis", "ax-7a 5: ax-84k ax-47pzk / ax-4a 8: ax-12k")
    p = play(p, "axis withdraw ax-84k")
    refused(p, "axis fill ax-84k > ax-4a", "9.2.c", only=True)
    p = play(p, "axis done")
    refused(p, "axis transfer ax-84k > ax-4a", "7.4", only=True)


@rule("9.8")
@ruling("R-F83")
def test_a_formation_whose_last_unit_is_transferred_goes_home() -> None:
    p = lay("axis_action transfers axis", "ax-7a 5: ax-47pzk / ax-1a 8: ax-80k")
    p = play(p, "axis transfer ax-47pzk > ax-1a")
    assert not home(p, "ax-7a")
    p = play(p, "axis done")
    assert home(p, "ax-7a") and p.waiting == bits("ax-7a")


@rule("9.3.a")
@rule("9.3.c")
@ruling("R-F86")
@pytest.mark.parametrize("first", [0, 1])
def test_formations_of_one_unit_each_change_them_whichever_goes_first(first: int) -> None:
    for zones, units_ in ((("5", "8"), ("ax-47pzk", "ax-56pzk")), (("5", "5"), ("ax-84k", "ax-80k"))):
        p = lay("axis_action transfers axis", f"ax-7a {zones[0]}: {units_[0]} / ax-1a {zones[1]}: {units_[1]}")
        ways = [f"axis transfer {units_[0]} > ax-1a", f"axis transfer {units_[1]} > ax-7a"]
        p = play(p, ways[first], ways[1 - first])
        agreed(p)
        p = play(p, "axis done")
        assert (units(p, "ax-7a"), units(p, "ax-1a")) == (units_[1], units_[0]) and not p.waiting
        assert not home(p, "ax-7a") and not home(p, "ax-1a")


GUARDS = "so-ukr2 47: so-4gda so-7gda so-1gda so-27a / so-ukr1 46: so-13a / so-ukr4 46: so-3gda so-5gda / so-ukr3 47: so-5shk"


@rule("9.3.d")
@ruling("R-F60")
def test_Maskirovka_lets_Guards_infantry_go_one_zone() -> None:
    p = lay("soviet_action transfers soviet", GUARDS, hands="soviet: so-maskirovka")
    refused(p, "soviet transfer so-4gda > so-ukr1", "9.3.c")
    p = play(p, "soviet play so-maskirovka")
    assert not hand(p, "soviet")
    p = play(p, "soviet transfer so-4gda > so-ukr1")
    assert told(p, "soviet transfer so-5shk > so-ukr1") == {"infantry-stays": ("9.3.c", "9.3.e")}, "Shock armies are no Guards"
    assert told(p, "soviet transfer so-27a > so-ukr1") == {"infantry-stays": ("9.3.c", "9.3.e")}
    p = play(p, "soviet transfer so-4gda > so-ukr3")
    assert units(p, "so-ukr3") == "so-4gda so-5shk", "it ends in the zone where it began"
    allowed(p, "soviet transfer so-4gda > so-ukr2", "soviet transfer so-4gda > so-ukr4")


@rule("11.6.b")
@ruling("R-F60")
def test_Maskirovka_moves_four_from_and_to_different_formations() -> None:
    p = lay("soviet_action transfers soviet", GUARDS, hands="soviet: so-maskirovka")
    p = play(p, "soviet play so-maskirovka", "soviet transfer so-4gda > so-ukr1", "soviet transfer so-7gda > so-ukr4")
    p = play(p, "soviet transfer so-3gda > so-ukr2", "soviet transfer so-1gda > so-ukr1")
    assert told(p, "soviet transfer so-5gda > so-ukr2") == {"maskirovka-used": ("11.6.b",)}
    p = play(p, "soviet transfer so-4gda > so-ukr4")
    assert "so-4gda" in units(p, "so-ukr4"), "inside a zone every unit changes formations freely"
    p = play(p, "soviet transfer so-4gda > so-ukr2")
    allowed(p, "soviet transfer so-5gda > so-ukr2")


@rule("11.6.b")
@rule("11.4")
@ruling("R-F63")
def test_Maskirovka_is_played_by_its_holder_in_the_transfer_step_with_Guards_to_move() -> None:
    p = lay("soviet_action transfers soviet", GUARDS)
    assert told(p, "soviet play so-maskirovka") == {"card-not-held": ("11.4",)}
    p = lay("soviet_action transfers soviet", "so-ukr3 47: so-5shk", hands="soviet: so-maskirovka")
    assert told(p, "soviet play so-maskirovka") == {"no-guards": ("11.6.b",)}
    p = lay("soviet_action transfers soviet", GUARDS, hands="soviet: so-joukov")
    assert told(p, "soviet play so-joukov > so-ukr1") == {"no-card-of-transfers": ("11.6.b",)}
    p = lay("soviet_action operations soviet", GUARDS, hands="soviet: so-maskirovka")
    assert "no-card-of-operations" in told(p, "soviet play so-maskirovka")


@rule("11.6.b")
def test_what_Maskirovka_moved_shows_nowhere_in_public() -> None:
    p = lay("soviet_action transfers soviet", GUARDS, hands="soviet: so-maskirovka")
    p = play(p, "soviet play so-maskirovka")
    from tests.games.fotb.layout import in_use

    before = in_use().view(p, "axis")
    assert in_use().view(play(p, "soviet transfer so-4gda > so-ukr1"), "axis") == before


@rule("12.4.b")
@ruling("R-F118")
def test_a_pocket_joins_a_formation_that_stands_in_its_zone() -> None:
    p = lay("axis_action transfers axis", "ax-7a 4: ax-84k / ax-1a 5: ax-80k / + 4: ax-64k- / + 3: ax-62k")
    assert told(p, "axis transfer ax-64k > ax-1a") == {"pocket-elsewhere": ("12.4.b",)}
    assert told(p, "axis transfer ax-62k > ax-7a") == {"pocket-elsewhere": ("12.4.b",)}
    p = play(p, "axis transfer ax-64k > ax-7a", "axis done")
    assert where(p, "ax-64k") == "ax-7a" and reduced(p, "ax-64k")


@rule("9.3.a")
@ruling("R-F86")
def test_what_counts_is_how_far_a_unit_ends_from_where_it_began() -> None:
    p = lay("axis_action transfers axis", "ax-7a 5: ax-84k ax-47pzk / ax-1a 8: ax-80k / ax-4a 13: ax-12k / ax-2a 4: ax-8k")
    p = play(p, "axis transfer ax-47pzk > ax-1a")
    assert told(p, "axis transfer ax-47pzk > ax-4a") == {"moved-already": ("9.3.a",)}
    refused(lay("axis_action transfers axis", "ax-7a 5: ax-84k ax-47pzk / ax-4a 13: ax-12k"), "axis transfer ax-47pzk > ax-4a", "9.3.a")
    p = play(p, "axis transfer ax-47pzk > ax-2a", "axis transfer ax-47pzk > ax-7a")
    far = lay("axis_action transfers axis", "ax-7a 5: ax-84k ax-47pzk / ax-1a 8: ax-80k / ax-2a 1: ax-8k")
    far = play(far, "axis transfer ax-47pzk > ax-1a")
    assert "axis transfer ax-47pzk > ax-2a" in legal(far), "next to where it began, not to where it is"
    assert not p.sealed[2].came, "back where it began, it has not gone anywhere"
    p = play(p, "axis transfer ax-47pzk > ax-2a", "axis done")
    assert units(p, "ax-2a") == "ax-47pzk ax-8k" and not p.sealed[2].came


@rule("7.2.d")
@rule("9.3.b")
@ruling("R-F80")
def test_a_transfer_step_can_always_be_brought_to_its_end() -> None:
    """A display too full for units that may not go on: what came is put back."""
    p = lay("axis_action transfers axis", "ax-7a 5: ax-84k ax-47pzk / ax-1a 8: ax-80k ax-86k ax-62k ax-4lwk")
    p = play(p, "axis transfer ax-47pzk > ax-1a")
    refused(p, "axis done", "7.2.d", only=True)
    p = play(p, "axis transfer ax-47pzk > ax-7a", "axis done")
    p = lay("axis_action transfers axis", "ax-7a 5: ax-84k / ax-1a 5: ax-80k ax-86k ax-62k ax-4lwk")
    p = play(p, "axis transfer ax-84k > ax-1a")
    refused(p, "axis done", "7.2.d", only=True)
    play(p, "axis transfer ax-86k > ax-7a", "axis done")


CROWD = """ax-7a 5: ax-84k ax-47pzk / ax-19a 5: ax-9k / ax-1a 8: ax-80k ax-86k ax-62k ax-56pzk / ax-15a 8: ax-3pzk /
    ax-2a 4: ax-8k ax-12k / + 4: ax-64k-"""


@rule("7.2.d")
@ruling("R-F80")
@ruling("R-F85")
@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["transfers", "combine"]), st.randoms(use_true_random=False))
def test_whatever_was_put_where_the_step_can_be_brought_to_its_end_by_putting_it_back(name: str, dice: Random) -> None:
    """Displays filled far beyond their room, formations sent home in between: what was done since then is undone one by one."""
    p = lay(f"axis_action {name} axis", CROWD)
    gfs = [head.split()[0] for head in CROWD.replace("\n", " ").split("/")[:-1]]
    movers = [word.rstrip("-") for word in CROWD.split() if word.startswith("ax-") and word not in gfs]
    verb = "transfer" if name == "transfers" else "exchange"
    ways = [f"axis {verb} {unit} > {gf}" for unit in movers for gf in gfs] + [f"axis recall {gf}" for gf in gfs]
    back: list[str] = []
    for _ in range(30):
        lawful = [text for text in dice.sample(ways, 25) if not told(p, text)]
        if lawful:
            text = dice.choice(lawful)
            unit = text.split()[2]
            was = "" if " recall " in text else where(p, unit)
            p = play(p, text)
            back = [] if not was else [*back, f"axis pocket {unit}" if was.isdigit() else f"axis {verb} {unit} > {was}"]
    assert not owed(play(p, *reversed(back)))


@rule("12.4.b")
@ruling("R-F118")
def test_a_pocket_that_has_joined_a_formation_may_become_one_again() -> None:
    p = lay("axis_action transfers axis", "ax-1a 4: ax-80k ax-86k ax-62k ax-4lwk / ax-7a 4: ax-84k / + 4: ax-64k-")
    assert told(p, "axis pocket ax-64k") == {"was-no-pocket": ("12.4.b",)} == told(p, "axis pocket ax-84k")
    p = play(p, "axis transfer ax-64k > ax-1a")
    refused(p, "axis done", "7.2.d", only=True)
    agreed(p)
    q = play(p, "axis transfer ax-64k > ax-7a", "axis pocket ax-64k")
    assert where(q, "ax-64k") == "4" and reduced(q, "ax-64k") and not q.sealed[2].came
    p = play(p, "axis pocket ax-64k", "axis done")
    assert where(p, "ax-64k") == "4" and reduced(p, "ax-64k") and units(p, "ax-1a") == "ax-4lwk ax-62k ax-80k ax-86k"


@rule("9.3.a")
@ruling("R-F85")
def test_what_came_from_a_formation_that_was_sent_home_goes_no_further() -> None:
    p = lay("axis_action transfers axis", "ax-7a 5: ax-47pzk / ax-1a 8: ax-80k / ax-4a 8: ax-12k / ax-2a 6: ax-8k")
    p = play(p, "axis transfer ax-47pzk > ax-1a", "axis recall ax-7a", "axis transfer ax-47pzk > ax-4a")
    assert told(p, "axis transfer ax-47pzk > ax-2a") == {"moved-already": ("9.3.a",)}
    assert told(p, "axis transfer ax-47pzk > ax-7a") == {"gf-not-on-map": ("7.4",)}
    agreed(p)


@rule("12.4.b")
@ruling("R-F118")
def test_a_pocket_joins_only_where_there_is_room() -> None:
    p = lay("axis_action transfers axis", "ax-1a 4: ax-80k ax-86k ax-62k ax-4lwk / + 4: ax-64k")
    assert "axis transfer ax-64k > ax-1a" not in legal(p)
    refused(play(p, "axis transfer ax-64k > ax-1a"), "axis done", "7.2.d", only=True)
