"""What odds help adds to pieces that can be declared."""

from __future__ import annotations

from modgen.layout.layout import Layout
from modgen.layout.odds import Odds
from modgen.layout.odds_column import ColumnOdds
from modgen.vassal.idioms import Trait
from modgen.vassal.odds import column
from modgen.vassal.odds.targets import announced, targets


def added(layout: Layout) -> tuple[Trait, ...]:
    """Traits that must stand outside of the property that holds the declaration, outermost first."""
    if isinstance(layout.odds, ColumnOdds):
        return (targets(layout.board.map), *column.traits(), *column.counting(layout.odds))
    return (*announced(layout.board.map), targets(layout.board.map)) if together(layout) else (targets(layout.board.map),)


def together(layout: Layout) -> bool:
    """Whether attacks are announced together and resolved one by one."""
    return isinstance(layout.odds, Odds) and layout.odds.announced
