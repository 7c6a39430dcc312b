"""The helper that lays out positions says what lies where."""

from __future__ import annotations

from tests.games.fotb.layout import BOOK, hand, holder, home, phase, pr, reduced, units, unsettled, where, zone


def test_a_position_told_in_words_has_everything_where_the_words_say() -> None:
    p = unsettled(
        "axis_action operations axis",
        """ax-4pz 37: ax-13k ax-42k- / so-bielo3 44: so-5a / ax-2pz reserve:
           / + reserve: ax-8k- / + pile: ax-9k / + destroyed: ax-39pzk / + 4: ax-64k-""",
        hands="axis: ax-szorkeny op-surprise / west: we-patton",
        pr="axis 7 england 3",
        control="soviet: 38",
        turn=3,
    )
    assert (zone(p, "ax-4pz"), zone(p, "so-bielo3")) == ("37", "44") and home(p, "ax-2pz")
    assert units(p, "ax-4pz") == "ax-13k ax-42k-" and units(p, "reserve axis") == "ax-8k-"
    assert (where(p, "ax-9k"), where(p, "ax-39pzk"), where(p, "ax-64k")) == ("pile", "destroyed", "4")
    assert reduced(p, "ax-64k") and where(p, "ax-1k") == "removed"
    assert hand(p, "axis") == {"op-surprise", "ax-szorkeny"} and hand(p, "west") == {"we-patton"}
    assert (pr(p, "axis"), pr(p, "england")) == (7, 3)
    assert (holder(p, 38), holder(p, 37), holder(p, 44)) == ("soviet", "axis", "soviet")
    assert p.turn == 3 and not BOOK.broken(p)


def test_the_set_up_stands_at_the_beginning() -> None:
    p = BOOK.game.start()
    assert phase(p) == "-" and not BOOK.broken(p)
    assert units(p, "ax-7a") == "ax-1sspzk ax-2fjk ax-47pzk ax-84k"
