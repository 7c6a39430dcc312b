"""Everything that is fixed while a game is played: map, counters, cards, charts, terms. Rules take it as ``g``."""

from __future__ import annotations

import msgspec

from referee.games.overlord_to_berlin.land import ALLIES, AXIS, SIDES, SOVIET, WEST, Land
from referee.games.overlord_to_berlin.position import Pos
from referee.games.overlord_to_berlin.roster import Formations, Units
from referee.games.overlord_to_berlin.terms import Cards, Charts, Phase, Terms


class Setting(msgspec.Struct, frozen=True):
    """The compiled book."""

    land: Land
    gfs: Formations
    units: Units
    cards: Cards
    charts: Charts
    terms: Terms

    def phase(self, p: Pos) -> Phase:
        """The phase being played."""
        return self.terms.phases[p.phase]

    def number(self, name: str) -> int:
        """A number of ``constants.csv``."""
        return self.terms.number[name]

    def side(self, word: str) -> int:
        """The number of a side. Raises ValueError."""
        return SIDES.index(word)

    def reserve(self, side: int) -> int:
        """The Strategic Reserve of a side, as a place."""
        return self.land.places.reserve[side]

    def display(self, gf: int) -> int:
        """The display of a formation, as a place."""
        return self.land.places.display + gf

    def on_map(self, p: Pos, gf: int) -> bool:
        """Whether the formation stands in a zone."""
        return p.gf_at[gf] < self.land.size

    def called(self, word: str) -> str:
        """What a card is played on, as a sentence says it: a formation's name, a zone, or nothing."""
        if word in self.gfs.index:
            return self.gfs.names[self.gfs.index[word]]
        return f"zone {word}" if word else "nothing"

    def stacking(self, side: int, zone: int) -> int:
        """How many formations of a side a zone takes (7.1)."""
        limit = self.number(f"stacking_{SIDES[side]}")
        return limit + (self.number("stacking_alps") if self.land.alps >> zone & 1 else 0)

    def sees(self, side: int) -> tuple[int, ...]:
        """The sides whose hidden facts a side may see: the Allied player runs two (R-F135)."""
        return (side,) if self.terms.three_seats or side == AXIS else ALLIES


def enemies(side: int) -> tuple[int, ...]:
    """The sides that a side fights (1, R-F29)."""
    return (WEST, SOVIET) if side == AXIS else (AXIS,)
