"""9.4: operational moves."""

from __future__ import annotations

from tests.games.fotb.layout import (
    BOOK,
    GFS,
    Pos,
    agreed,
    allowed,
    by,
    holder,
    lay,
    legal,
    phase,
    play,
    refused,
    rule,
    ruling,
    step,
    told,
    zone,
)

ARMIES = "so-bielo3 44: so-5a so-31a / so-balt1 44: so-43a / so-bielo1 45: so-3a / ax-16a 30: ax-1k / ax-4a 37: ax-12k"


def soviet(forces: str = ARMIES, **more: str) -> Pos:
    """The operational step of the Soviets."""
    return lay("soviet_action operations soviet", forces, **more)


def go(p: Pos, text: str) -> Pos:
    """A move that nobody cancels."""
    p = play(p, text)
    return play(p, f"{by(p)} done")


@rule("9.4.a")
def test_a_PA_moves_a_formation_to_an_adjacent_zone() -> None:
    p = soviet()
    p = go(p, "soviet move so-bielo3 @ 44 > 37")
    assert zone(p, "so-bielo3") == "37" and holder(p, 37) == "axis", "contested now"
    reasons = BOOK.check(p, BOOK.parse("soviet move so-bielo1 @ 45 > 30"), every=True).reasons
    assert (reasons[0].code, reasons[0].basis) == ("not-adjacent", ("adjacency 30|45 kind",))
    refused(p, "soviet move so-bielo1 @ 45 > 45", "9.4.a")


@rule("9.4.a")
def test_a_formation_moves_from_where_it_stands() -> None:
    p = soviet(ARMIES + " / so-ukr1 reserve: so-13a")
    assert told(p, "soviet move so-bielo3 @ 45 > 37") == {"gf-elsewhere": ("9.4.a",)}
    assert told(p, "soviet move so-ukr1 @ 45 > 37") == {"gf-elsewhere": ("9.4.a",)}
    assert told(p, "soviet move ax-4a @ 37 > 31") == {"not-yours": ("1.f",)}
    assert told(p, "axis move ax-4a @ 37 > 31") == {"wrong-hand": ("2",)}


@rule("0.7.f")
@rule("0.7.a")
def test_terrain_never_affects_movement() -> None:
    for to in ("14", "20", "8", "12", "13"):
        start = "9" if to in ("14", "20") else "13" if to != "13" else "8"
        p = go(lay("axis_action operations axis", f"ax-4a {start}: ax-12k", pr="axis 1"), f"axis move ax-4a @ {start} > {to}")
        assert p.pr[3] == 1 and zone(p, "ax-4a") == to, "one PA into the Alps, difficult and clear terrain alike"


@rule("9.4.b")
@ruling("R-F92")
def test_formations_go_together_from_a_contested_zone_to_another_for_two_PA_each() -> None:
    p = soviet("so-bielo3 37: so-5a / so-balt1 37: so-43a / ax-4a 37: ax-12k / ax-16a 30: ax-1k / ax-2a 31: ax-8k", pr="soviet 2")
    q = go(p, "soviet move so-balt1,so-bielo3 @ 37 > 30")
    assert q.pr[2] == 0 and zone(q, "so-balt1") == zone(q, "so-bielo3") == "30"
    refused(p, "soviet move so-balt1,so-bielo3 @ 37 > 31", "6.2", only=True)


@rule("9.4.c")
@ruling("R-F35")
def test_from_a_contested_zone_nobody_goes_to_an_empty_zone_without_supply() -> None:
    p = soviet("so-bielo3 37: so-5a / ax-4a 37: ax-12k")
    refused(p, "soviet move so-bielo3 @ 37 > 31", "9.4.c")
    allowed(p, "soviet move so-bielo3 @ 37 > 30", "soviet move so-bielo3 @ 37 > 44")
    assert "soviet move so-bielo3 @ 37 > 31" not in legal(p)


@rule("9.4.d")
@ruling("R-F93")
def test_an_empty_enemy_zone_may_be_entered_and_becomes_own() -> None:
    p = go(soviet(), "soviet move so-bielo1 @ 45 > 38")
    assert holder(p, 38) == "soviet"
    p = soviet("so-bielo3 37: so-5a / so-balt1 37: so-43a / ax-4a 37: ax-12k")
    p = go(p, "soviet move so-bielo3 @ 37 > 31")
    assert holder(p, 31) == "soviet" and holder(p, 37) == "axis"


@rule("7.3.a")
@ruling("R-F94")
def test_a_side_goes_everywhere_also_into_zones_without_a_sector() -> None:
    p = lay("axis_action operations axis", "ax-16a 37: ax-1k / ax-4a 9: ax-12k")
    allowed(p, "axis move ax-16a @ 37 > 44", "axis move ax-4a @ 9 > 10")
    p = lay("west_action operations west", "we-1us 37: we-vus / so-balt1 44: so-43a", control="west: 4 7 12 16 18 33 32 31")
    allowed(p, "west move we-1us @ 37 > 45")
    p = lay("soviet_action operations soviet", "so-ukr1 9: so-13a", control="soviet: 21 26 34 39 20 / west: 3")
    allowed(p, "soviet move so-ukr1 @ 9 > 10")
    assert holder(go(p, "soviet move so-ukr1 @ 9 > 10"), 10) == "soviet"


@rule("8.1.b")
def test_a_move_waits_for_the_window_and_is_then_carried_out() -> None:
    p = play(soviet(), "soviet move so-bielo3 @ 44 > 37")
    assert (step(p), by(p), zone(p, "so-bielo3")) == ("cancel", "soviet", "44")
    assert told(p, "axis done").keys() == {"wrong-hand"}
    p = play(p, "soviet done")
    assert (step(p), zone(p, "so-bielo3")) == ("operations", "37")


@rule("9.1.a")
@ruling("R-F41")
def test_the_operational_step_ends_when_the_mover_says_so() -> None:
    p = play(soviet(), "soviet done")
    assert phase(p) == "soviet_action combine_again soviet"


@rule("11.1.b")
@rule("11.1.c")
@ruling("R-F62")
def test_cards_of_other_moments_are_not_played_in_the_operational_step() -> None:
    p = soviet(hands="soviet: so-maskirovka op-surprise so-joukov")
    assert told(p, "soviet play so-maskirovka") == {"no-card-of-operations": ("11.6.b", "11.1.b")}
    assert told(p, "soviet play op-surprise") == {"no-card-of-operations": ("11.1.c",)}
    allowed(p, "soviet play so-joukov > so-balt1")


def test_the_move_of_every_set_of_formations_is_listed() -> None:
    p = soviet()
    moves = {text for text in legal(p) if " move " in text}
    together = ("so-bielo3", "so-balt1", "so-balt1,so-bielo3")
    assert {f"soviet move {gfs} @ 44 > {to}" for gfs in together for to in ("30", "36", "37")} <= moves
    assert not any("> 45" in text and "so-balt1,so-bielo3" in text for text in moves), "45 would hold three"
    agreed(p)
    assert len(GFS) == 40


def test_what_the_mover_may_do_does_not_depend_on_what_lies_in_enemy_displays() -> None:
    p = soviet()
    other = soviet(ARMIES.replace("ax-4a 37: ax-12k", "ax-4a 37: ax-39pzk ax-27k-"))
    assert legal(p, "soviet") == legal(other, "soviet")
