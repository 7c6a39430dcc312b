"""Where units and formations are, and what they are worth: readings of a position, shared by all chapters.

A reading of a side's units needs that side's sealed facts; on a view that lacks them it finds none.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.overlord_to_berlin.position import Pos, members
from referee.games.overlord_to_berlin.setting import Setting


def gfs_in(g: Setting, p: Pos, side: int, zone: int) -> tuple[int, ...]:
    """The formations of a side in a zone (or in its Reserve, given that place), in the order of the box."""
    return tuple(gf for gf in members(g.gfs.of_side[side]) if p.gf_at[gf] == zone)


def zones_of(g: Setting, p: Pos, side: int) -> int:
    """The zones in which formations of a side stand."""
    found = 0
    for gf in members(g.gfs.of_side[side]):
        if p.gf_at[gf] < g.land.size:
            found |= 1 << p.gf_at[gf]
    return found


def units_in(g: Setting, p: Pos, gf: int) -> tuple[int, ...]:
    """The units in a display."""
    return _at(p, g.gfs.side[gf], g.display(gf))


def loose(g: Setting, p: Pos, side: int) -> tuple[int, ...]:
    """The units in a side's Strategic Reserve that are in no formation."""
    return _at(p, side, g.reserve(side))


def place_of(g: Setting, p: Pos, unit: int) -> int:
    """Where a unit is: its public place, or its display or the Reserve as far as the position shows them (else ``inside``)."""
    at = p.at[unit]
    if at != g.land.places.inside:
        return at
    own = p.sealed[g.units.side[unit]]
    return own.at[unit] if own.known else at


def is_reduced(g: Setting, p: Pos, unit: int) -> bool:
    """Whether a unit shows its reduced side; of pockets and of units inside."""
    return bool((p.reduced | p.sealed[g.units.side[unit]].reduced) >> unit & 1)


def worth(g: Setting, p: Pos, unit: int) -> int:
    """The combat value of the side that is up (0.5)."""
    return g.units.reduced[unit] if is_reduced(g, p, unit) else g.units.full[unit]


def steps_of(g: Setting, p: Pos, unit: int) -> int:
    """The steps of a unit that is inside or a pocket: two, or one when reduced."""
    return 1 if is_reduced(g, p, unit) else 2


def in_pile(g: Setting, p: Pos, place: int) -> Iterator[int]:
    """The units in a public place: a pile, a box of destroyed units, a zone (pockets)."""
    return (unit for unit, at in enumerate(p.at) if at == place)


def _at(p: Pos, side: int, place: int) -> tuple[int, ...]:
    own = p.sealed[side]
    found: list[int] = []
    at = own.at.find(place)
    while at >= 0:
        found.append(at)
        at = own.at.find(place, at + 1)
    return tuple(found)
