"""Positions as text: hidden facts in words a reader understands, a view without them, both read back exactly."""

from __future__ import annotations

from referee.rules.position_text import digest, parse_position, position_text
from tests.games.fotb.layout import BOOK, sealed, unsettled


def test_the_set_up_reads_back_and_so_does_every_view_of_it() -> None:
    p = BOOK.game.start()
    for seen in (p, *(BOOK.view(p, side) for side in BOOK.game.players)):
        text = position_text(BOOK, seen)
        assert parse_position(BOOK, text) == seen
        assert digest(BOOK, parse_position(BOOK, text)) == digest(BOOK, seen)


def test_a_display_a_reserve_and_a_hand_are_told_in_words() -> None:
    p = unsettled("axis_action operations axis", "ax-4pz 37: ax-13k ax-42k- / + reserve: ax-8k", hands="axis: ax-szorkeny op-surprise")
    lines = position_text(BOOK, p).splitlines()
    assert [line for line in lines if line.startswith("sealed axis")] == [
        "sealed axis known true",
        "sealed axis hand ax-szorkeny,op-surprise",
        "sealed axis unit ax-8k axis-reserve",
        "sealed axis unit ax-13k ax-4pz",
        "sealed axis unit ax-42k ax-4pz reduced",
    ]
    assert not any("base64" in line or '"' in line for line in lines if line.startswith("sealed"))


def test_a_view_tells_of_the_enemy_that_nothing_is_known() -> None:
    p = unsettled("axis_action operations axis", "ax-4pz 37: ax-13k", hands="axis: ax-szorkeny")
    text = position_text(BOOK, BOOK.view(p, "west"))
    assert "\nsealed axis -\n" in text
    assert not any("ax-13k" in line and "removed" not in line for line in text.splitlines())


def test_the_digest_of_a_view_does_not_move_with_what_is_hidden_from_it() -> None:
    p = unsettled("axis_action operations axis", "ax-4pz 37: ax-13k / + reserve: ax-42k", hands="axis: ax-szorkeny")
    q = sealed(p, "axis", reduced=p.sealed[2].reduced | 1 << BOOK.game.unit("ax-13k"))
    assert digest(BOOK, p) != digest(BOOK, q)
    for side in ("west", "soviet"):
        assert digest(BOOK, BOOK.view(p, side)) == digest(BOOK, BOOK.view(q, side))
