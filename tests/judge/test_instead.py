"""What is told instead of a refused move: what bars it, never a price that reads as if the way were open."""

from __future__ import annotations

import referee

BOOK = referee.load("battle-for-germany", "historical")


def told(places: dict[str, str], move: str, *, force: str = "S", **more: int) -> str:
    p = BOOK.game.arranged(places, turn=3, force=force, kind="movement")  # type: ignore[attr-defined]
    bits = {name: 1 << BOOK.game.unit(f"{unit}") for name, unit in more.items()}
    if bits:
        from msgspec.structs import replace

        p = replace(p, **bits)
    action = BOOK.parse(move)
    assert not BOOK.check(p, action).legal
    return BOOK.explain(p, action).text


def test_an_occupied_goal_is_said_to_be_occupied_and_has_no_price() -> None:
    text = told({"su-1-gds-inf": "2714", "eg-2": "2614"}, "soviet move su-1-gds-inf @ 2714 > 2614")
    assert text.startswith("su-1-gds-inf (MA 4) cannot go to 2614: units of another force stand there [5.0.a3]; nearest in reach: ")
    assert "cheapest" not in text


def test_a_step_from_zoc_to_zoc_names_whose_zoc_it_is() -> None:
    p = BOOK.start()
    for line in ("eg-3-ss > 3822", "eg-2 > 3823", "eg-10 > 3823", "eg-16 > 3824"):
        p = BOOK.play(p, BOOK.parse(f"western-allied setup {line}"))
    text = BOOK.explain(p, BOOK.parse("soviet move su-1-ukr @ 2224 > 2124")).text
    assert "2224 and 2124 are both in enemy ZOC (eg-49-geb and eg-42 and eg-48-pz) [4.0.c2]" in text
    assert "cheapest" not in text


def test_a_hex_that_is_no_land_is_called_so() -> None:
    text = told({"su-1-balt": "3723"}, "soviet move su-1-balt @ 3723 > 3721")
    assert "it cannot enter 3721: it is no land that can be entered [5.0.a2]" in text
    assert "cheapest" not in text


def test_a_unit_that_may_not_move_at_all_is_told_why_and_no_price() -> None:
    text = told({"su-1-br": "2723"}, "soviet move su-1-br @ 2723 > 2722", garrison="su-1-br")  # type: ignore[arg-type]
    assert text == "su-1-br cannot move in this phase: it is the permanent garrison of 2723: it never moves, advances or retreats"
    text = told({"su-1-balt": "3723", "eg-2": "2525"}, "soviet move eg-2 @ 2525 > 2526")
    assert text == "eg-2 cannot move in this phase: it does not act in the Soviet Movement Phase"


def test_a_way_that_is_only_too_long_has_its_price() -> None:
    p = BOOK.game.arranged({"su-1-gds-inf": "2525", "eg-2": "3822"}, turn=3, force="S", kind="movement")  # type: ignore[attr-defined]
    action = BOOK.parse("soviet move su-1-gds-inf @ 2525 > 2517")
    sentence = BOOK.sentence(BOOK.check(p, action).reasons[0])
    assert "and the cheapest way costs 9 MP (2525," in sentence and "or more" not in sentence
    assert "cannot go to 2517: the cheapest way costs 9 MP (" in BOOK.explain(p, action).text


def test_a_way_that_was_given_is_not_called_the_cheapest() -> None:
    p = BOOK.game.arranged({"su-1-gds-inf": "2525", "eg-2": "3822"}, turn=3, force="S", kind="movement")  # type: ignore[attr-defined]
    round_about = "2526,2425,2424,2423,2422,2522"
    action = BOOK.parse(f"soviet move su-1-gds-inf @ 2525 > 2523 via {round_about}")
    sentence = BOOK.sentence(BOOK.check(p, action).reasons[0])
    assert ", and this way costs " in sentence
    assert BOOK.explain(p, action).text == "su-1-gds-inf can reach 2523 by the cheapest way, for 2 MP"
