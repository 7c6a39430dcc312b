"""What must hold in every position, whatever was played: a broken one is a fault of the engine, never of a player."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.overlord_to_berlin.land import SIDES
from referee.games.overlord_to_berlin.position import Pos
from referee.games.overlord_to_berlin.setting import Setting


def broken(g: Setting, p: Pos) -> Iterator[str]:
    """Each invariant that does not hold, in words."""
    yield from _whereabouts(g, p)
    yield from _cards(g, p)


def _whereabouts(g: Setting, p: Pos) -> Iterator[str]:
    """Every unit is in one place: a public one, or a display or the Reserve of its own side (0.2)."""
    inside, places = g.land.places.inside, g.land.places
    for unit, name in enumerate(g.units.ids):
        side = g.units.side[unit]
        for other in range(3):
            if p.sealed[other].known and p.sealed[other].at[unit] != inside and other != side:
                yield f"{name} lies with the {SIDES[other]}"
        own = p.sealed[side]
        if not own.known:
            continue
        hidden = own.at[unit]
        if (hidden == inside) == (p.at[unit] == inside):
            yield f"{name} is in two places or in none"
        elif hidden != inside and hidden != places.reserve[side] and not 0 <= hidden - places.display < len(g.gfs.ids):
            yield f"{name} is hidden in {places.names[hidden]}"
        if hidden == inside and own.reduced >> unit & 1:
            yield f"{name} is outside and remembered as reduced"


def _cards(g: Setting, p: Pos) -> Iterator[str]:
    """Every hand holds what it may, and what is told of it in public is true (11.1, R-F136)."""
    seen = 0
    for side, own in enumerate(p.sealed):
        if not own.known:
            continue
        if own.hand & ~(g.cards.national[side] | g.cards.operational):
            yield f"{SIDES[side]} holds a national stratagem of another side"
        if own.hand & seen:
            yield f"{SIDES[side]} holds a stratagem that somebody else holds"
        seen |= own.hand
        operational = (own.hand & g.cards.operational).bit_count()
        if p.held[side] != (own.hand.bit_count() - operational, operational):
            yield f"the number of cards of the {SIDES[side]} is not as told"
