"""Positions laid out by hand, for scenes, tests and tables that say no more than where things lie."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from referee.games.overlord_to_berlin.changes import settle_control
from referee.games.overlord_to_berlin.land import SIDES
from referee.games.overlord_to_berlin.position import Pos, Sealed, alter
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.terms import TRACKS
from referee.rules.model import Frame


def arranged(
    g: Setting,
    start: Pos,
    *,
    gfs: Mapping[str, str | int],
    units: Mapping[str, str],
    reduced: Iterable[str] = (),
    hands: Mapping[str, Collection[str]] | None = None,
    control: Mapping[int, str] | None = None,
    pr: Mapping[str, int] | None = None,
    turn: int = 1,
    phase: str = "west_action combine west",
    **fields: object,
) -> Pos:
    """A position at the point where ``phase`` (``Phase.name``) is about to begin: not settled, give it to ``Book.settled``.

    ``gfs``: formation -> zone, or ``reserve``; those not named are out of the game. ``units``: unit -> formation, ``reserve``,
    ``pile``, ``destroyed``, ``paratroops``, or a zone (a pocket); those not named are out of the game. ``control``: zones that
    differ from the start's; then whoever stands alone in a zone controls it (R-F25). ``fields``: any other field of ``Pos``.
    Raises KeyError for names that there are not.
    """
    land, inside = g.land, g.land.places.inside
    gf_at = bytearray(land.places.removed[side] for side in g.gfs.side)
    for name, stands in gfs.items():
        gf = g.gfs.index[name]
        gf_at[gf] = g.reserve(g.gfs.side[gf]) if stands == "reserve" else land.zone(str(stands))
    at = bytearray(land.places.removed[side] for side in g.units.side)
    hidden = [bytearray([inside] * len(at)) for _ in SIDES]
    down = [0, 0, 0]
    pockets_down = 0
    turned = {g.units.index[name] for name in reduced}
    for name, place in units.items():
        unit = g.units.index[name]
        side = g.units.side[unit]
        if place in g.gfs.index or place == "reserve":
            hidden[side][unit] = g.display(g.gfs.index[place]) if place in g.gfs.index else g.reserve(side)
            at[unit] = inside
            down[side] |= (unit in turned) << unit
        elif place == "pile":
            at[unit] = land.places.piles[side][g.units.klass[unit]]
        elif place == "destroyed":
            at[unit] = land.places.destroyed[side]
        elif place == "paratroops":
            at[unit] = land.places.paratroops
        else:
            at[unit] = land.zone(place)
            pockets_down |= (unit in turned) << unit
    cards = [sum(1 << g.cards.index[name] for name in (hands or {}).get(side, ())) for side in SIDES]
    held = tuple(((c & g.cards.national[s]).bit_count(), (c & g.cards.operational).bit_count()) for s, c in enumerate(cards))
    holders = bytearray(land.start_control)
    for zone, holder in (control or {}).items():
        holders[land.zone(str(zone))] = SIDES.index(holder)
    points = {**dict.fromkeys(TRACKS, 0), **(pr or {})}
    index = next(i for i, ph in enumerate(g.terms.phases) if ph.name == phase)
    west, soviet, axis = (Sealed(True, bytes(hidden[s]), down[s], cards[s]) for s in range(3))
    p = alter(
        start,
        turn=turn,
        agenda=(Frame("phase", ()),),
        phase=index - 1,
        control=bytes(holders),
        gf_at=bytes(gf_at),
        at=bytes(at),
        sealed=(west, soviet, axis),
        reduced=pockets_down,
        pr=(points["england"], points["italy"], points["soviet"], points["axis"]),
        held=held,
        **fields,
    )
    return settle_control(g, p)
