"""What is cited against a stratagem is the paragraph that describes it, as the index of the rules has it."""

from __future__ import annotations

import pytest

from gamebox.load import load_box
from referee.games.overlord_to_berlin.stratagems import foreign, paragraph
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


@pytest.mark.parametrize("card", G.cards.ids)
def test_a_national_stratagem_is_foreign_to_the_other_sides_alone(card: str) -> None:
    at = G.cards.index[card]
    sides = [side for side in range(3) if foreign(G, side, at)]
    assert sides == ([] if G.cards.operational >> at & 1 else [side for side in range(3) if not G.cards.national[side] >> at & 1])
