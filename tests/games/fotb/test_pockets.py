"""12.4: pockets on the Atlantic and the Mediterranean."""

from __future__ import annotations

from typing import Any

from tests.games.fotb.layout import (
    Pos,
    agreed,
    by,
    example,
    go_on,
    holder,
    in_use,
    lay,
    legal,
    phase,
    play,
    playing,
    reduced,
    rule,
    ruling,
    step,
    throw,
    told,
    units,
    where,
    zone,
)

COAST = "ax-7a 1: ax-84k ax-47pzk- / ax-1a 1: ax-80k / ax-4a 5: ax-12k ax-27k / we-1us 4: we-vus"


def leaving(text: str, forces: str = COAST, **more: Any) -> Pos:
    """The Axis after this move, which nobody cancels."""
    p = play(lay("axis_action operations axis", forces, **more), text)
    return play(p, f"{by(p)} done")


def dice(forces: str, **more: Any) -> Pos:
    """The end of the action phase of the West: the dice for the pockets."""
    return lay("west_action pockets west", forces, **more)


@rule("12.4.a")
@ruling("R-F115")
def test_a_formation_that_leaves_a_port_may_leave_a_unit() -> None:
    p = leaving("axis move ax-7a @ 1 > 5")
    assert (step(p), by(p)) == ("leave-behind", "axis")
    assert legal(p, "axis") == {"axis pocket ax-84k", "axis pocket ax-47pzk", "axis done"}
    q = play(p, "axis pocket ax-47pzk")
    assert where(q, "ax-47pzk") == "1" and reduced(q, "ax-47pzk") and units(q, "ax-7a") == "ax-84k" and step(q) == "operations"
    q = play(p, "axis done")
    assert units(q, "ax-7a") == "ax-47pzk- ax-84k" and step(q) == "operations"


@rule("12.4.a")
@ruling("R-F115")
def test_each_formation_that_leaves_may_leave_one_and_keeps_one() -> None:
    p = leaving("axis move ax-1a,ax-7a @ 1 > 2", COAST.replace("ax-80k", "ax-80k ax-86k"))
    p = play(p, "axis pocket ax-84k")
    assert step(p) == "leave-behind"
    assert told(p, "axis pocket ax-47pzk") == {"not-leaving": ("12.4.a",)}, "one of each"
    p = play(p, "axis pocket ax-86k")
    assert step(p) == "operations" and where(p, "ax-84k") == where(p, "ax-86k") == "1"
    p = leaving("axis move ax-1a @ 1 > 2")
    assert told(p, "axis pocket ax-80k") == {"last-unit": ("12.4.a",)}
    assert told(p, "axis pocket ax-84k") == {"not-leaving": ("12.4.a",)}


@rule("12.4.a")
@ruling("R-F43")
def test_it_is_asked_whatever_the_formation_holds() -> None:
    p = leaving("axis move ax-1a @ 1 > 2")
    assert step(p) == "leave-behind" and legal(p, "axis") == {"axis done"}


@rule("12.4.a")
@ruling("R-F115")
def test_not_elsewhere_not_by_other_ways_not_by_others() -> None:
    assert step(leaving("axis move ax-4a @ 5 > 8")) == "operations", "no port"
    p = lay("axis_action strategic axis", COAST)
    p = play(p, "axis withdraw ax-80k")
    assert step(p) == "strategic"
    p = play(lay("west_action operations west", "we-1us 4: we-vus we-viius"), "west move we-1us @ 4 > 5")
    assert step(play(p, "west done")) == "operations"
    p = leaving("axis move ax-3rom @ 1 > 5", "ax-3rom 1: ax-2romk ax-84k")
    assert step(p) == "operations", "no German formation"
    p = leaving("axis move ax-7a @ 1 > 5", "ax-7a 1: ax-84k ax-2romk")
    assert told(p, "axis pocket ax-2romk") == {"pocket-is-german": ("12.4.a",)}


@rule("12.4.a")
@ruling("R-F115")
def test_ports_of_Italy_and_Croatia_too_and_by_the_switch_any_coast_of_the_western_seas() -> None:
    assert step(leaving("axis move ax-7a @ 21 > 22", "ax-7a 21: ax-84k ax-47pzk")) == "leave-behind"
    assert step(leaving("axis move ax-7a @ 9 > 14", "ax-7a 9: ax-84k ax-47pzk")) == "operations"
    with playing("pocket-any-coast"):
        assert step(leaving("axis move ax-7a @ 9 > 14", "ax-7a 9: ax-84k ax-47pzk")) == "leave-behind"
        assert step(leaving("axis move ax-7a @ 28 > 23", "ax-7a 28: ax-84k ax-47pzk")) == "operations", "the Baltic is none"


@rule("12.4.a")
@ruling("R-F56")
def test_who_was_stopped_has_not_left() -> None:
    p = play(lay("axis_action operations axis", COAST, hands="west: we-enigma"), "axis move ax-1a,ax-7a @ 1 > 2")
    p = play(p, "west play we-enigma > ax-7a", "axis done")
    assert step(p) == "leave-behind" and zone(p, "ax-7a") == "1" and zone(p, "ax-1a") == "2"
    assert told(p, "axis pocket ax-84k") == {"not-leaving": ("12.4.a",)}


@rule("12.4.b")
@ruling("R-F116")
def test_a_pocket_holds_contests_and_stacks_nothing() -> None:
    p = lay("west_action operations west", "we-1us 5: we-vus / we-3us 5: we-xvus / + 4: ax-64k ax-67k", control="west: 1 / axis: 4")
    p = play(p, "west move we-1us,we-3us @ 5 > 4", "west done")
    assert holder(p, 4) == "west"
    assert told(p, "west attack we-1us @ 4").keys() >= {"no-enemy-there"}


@rule("12.4.d")
@ruling("R-F116")
def test_only_the_die_reduces_a_pocket() -> None:
    p = dice("we-1us 4: we-vus / + 4: ax-64k")
    assert step(p) == "dice" and p.agenda[-1].data[0] == "pocket"


@rule("12.4.e")
@ruling("R-F117")
def test_the_West_throws_for_every_pocket_wherever_it_stands_each_with_its_window() -> None:
    p = dice("we-1us 5: we-vus / + 4: ax-64k / + 1: ax-80k / + 10: ax-86k")
    seen = []
    while step(p) == "dice":
        (unit,) = p.agenda[-1].data[3]  # type: ignore[misc]
        seen.append(in_use().game.setting.units.ids[unit])
        p = play(p, "chance roll pocket 1")
        assert step(p) == "reroll" and by(p) == "west"
        p = go_on(p)
    assert sorted(seen) == ["ax-64k", "ax-80k", "ax-86k"] and phase(p).startswith("soviet_action")


@example("F-27")
@rule("12.4.f")
@ruling("R-F117")
def test_F_27_a_step_on_5_or_more() -> None:
    for die in range(1, 7):
        p = throw(dice("we-1us 5: we-vus / + 4: ax-64k"), die)
        assert reduced(p, "ax-64k") == (die >= 5) and where(p, "ax-64k") == "4"
    p = throw(dice("we-1us 5: we-vus / + 4: ax-64k-"), 5)
    assert where(p, "ax-64k") == "pile"


@example("F-45")
@rule("12.4.g")
@ruling("R-F117")
def test_F_45_plus_one_once_with_an_Allied_formation_there() -> None:
    for there in ("we-1us 4: we-vus", "we-1us 4: we-vus / we-3us 4: we-xvus / we-2uk 4: we-iuk", "so-balt1 4: so-43a"):
        p = throw(dice(f"{there} / + 4: ax-64k"), 4)
        assert reduced(p, "ax-64k")
        p = throw(dice(f"{there} / + 4: ax-64k"), 3)
        assert not reduced(p, "ax-64k")
    p = throw(dice("we-1us 5: we-vus / ax-7a 4: ax-84k / + 4: ax-64k"), 4)
    assert not reduced(p, "ax-64k")
    p = dice("we-1us 4: we-vus / + 4: ax-64k ax-80k-")
    p = throw(throw(p, 4), 4)
    assert reduced(p, "ax-64k") and where(p, "ax-80k") == "pile"


@rule("12.4.e")
@ruling("R-F117")
def test_by_the_switch_no_die_for_a_pocket_that_nobody_besieges() -> None:
    forces = "we-1us 5: we-vus / + 4: ax-64k"
    with playing("pocket-roll-besieged"):
        assert step(dice(forces)) == "combine"
        assert step(dice(forces, control="west: 4")) == "dice"
        assert step(dice("we-1us 4: we-vus / ax-7a 4: ax-84k / + 4: ax-64k")) == "dice"
    assert step(dice(forces)) == "dice"


def test_what_is_listed_when_a_port_is_left_is_legal() -> None:
    agreed(leaving("axis move ax-7a @ 1 > 5"))
