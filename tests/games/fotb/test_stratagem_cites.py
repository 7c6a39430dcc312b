"""What is cited against a stratagem is the paragraph that describes it, as the index of the rules has it."""

from __future__ import annotations

import pytest

from gamebox.load import load_box
from referee.games.overlord_to_berlin.stratagems import CANCEL, EXTRA_PA, FREE_ATTACK, RETHROW, described, paragraph
from tests.games.fotb.layout import BOOK

G = BOOK.game.setting
TITLES = {row.key: row.text("title") for row in load_box("overlord-to-berlin")["rules"]}


@pytest.mark.parametrize("card", G.cards.ids)
def test_every_stratagem_has_the_paragraph_that_describes_it(card: str) -> None:
    at = G.cards.index[card]
    found = paragraph(G, at)
    if G.cards.operational >> at & 1:
        assert found == "11.1.c"
        return
    sides = {"Western Allies": "11.7.", "Soviets": "11.6.", "Axis": "11.5."}
    side = next(i for i in range(3) if G.cards.national[i] >> at & 1)
    assert found.startswith([*sides.values()][side])
    assert G.cards.names[at] in TITLES[found].partition(":")[0]


@pytest.mark.parametrize(
    ("card", "like", "cited"),
    [
        ("ax-secret", FREE_ATTACK, ["11.5.a (R-F53)", "11.5.a (R-F63)"]),
        ("so-organ", FREE_ATTACK, ["11.6.a (R-F53)", "11.6.a (R-F63)", "11.5.a (R-F53)"]),
        ("we-carpet", FREE_ATTACK, ["11.7.b (R-F53)", "11.7.b (R-F63)", "11.5.a (R-F53)"]),
        ("we-patton", EXTRA_PA, ["11.7.a (R-F53)", "11.7.a (R-F63)", "11.6.c (R-F53)"]),
        ("we-enigma", CANCEL, ["11.7.d (R-F53)", "11.7.d (R-F63)", "11.5.i (R-F53)"]),
        ("so-propaganda", RETHROW, ["11.6.e (R-F53)", "11.6.e (R-F63)", "11.5.n (R-F53)"]),
    ],
)
def test_a_stratagem_that_is_likened_to_another_is_cited_by_both(card: str, like: str, cited: list[str]) -> None:
    assert [str(c) for c in described(G, G.cards.index[card], like, "R-F53", "R-F63")] == cited
