"""What must hold in every position, whatever was played: a broken one is a fault of the engine, never of a player."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.overlord_to_berlin.land import AXIS, SIDES, SOVIET, WEST
from referee.games.overlord_to_berlin.position import (
    BARRED,
    BOUGHT_USED,
    BY_SEA,
    NOBODY,
    SEA_READY,
    TURNED,
    Pos,
    Sealed,
    members,
)
from referee.games.overlord_to_berlin.roster import ARMOUR, INFANTRY
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.units import gfs_in, zones_of

_ROOM_LATER = ("combine", "strategic", "transfers", "redistribute")
"""Steps at whose end capacity binds (R-F80), and formations left empty go home (9.8)."""
_LIMIT_LATER = ("strategic", "redistribute")
"""Steps at whose end the limit of a zone binds (R-F80, R-F81)."""


def broken(g: Setting, p: Pos) -> Iterator[str]:
    """Each invariant that does not hold, in words."""
    yield from _whereabouts(g, p)
    yield from _outside(g, p)
    yield from _cards(g, p)
    yield from _ground(g, p)
    yield from _formations(g, p)
    yield from _points(g, p)
    yield from _passing(g, p)
    yield from _gone(g, p)


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
        if own.hand & p.used_cards:
            yield f"the {SIDES[side]} hold a stratagem that was played this turn"


def _outside(g: Setting, p: Pos) -> Iterator[str]:
    """Public places hold what belongs there: each pile its class, no minor ally in one, paratroops in no display (4.5, 12.1, 12.3)."""
    places = g.land.places
    for unit, at in enumerate(p.at):
        name, side = g.units.ids[unit], g.units.side[unit]
        if p.reduced >> unit & 1 and at >= g.land.size:
            yield f"{name} is no pocket and remembered as a reduced one"
        if at < g.land.size:
            if not g.units.german >> unit & 1:
                yield f"{name} is a pocket and not German"
            continue
        if at == places.inside:
            if g.units.paratroops >> unit & 1:
                yield f"{name} lies in a display or the Reserve"
            continue
        if any(at in (*places.piles[other], places.destroyed[other], places.removed[other]) for other in range(3) if other != side):
            yield f"{name} lies in {places.names[at]}"
        infantry, armour = places.piles[side]
        if at in (infantry, armour) and (
            g.units.minor >> unit & 1 or g.units.klass[unit] != (INFANTRY if at == infantry else ARMOUR)
        ):
            yield f"{name} lies in {places.names[at]}"


def _ground(g: Setting, p: Pos) -> Iterator[str]:
    """7.3: no zone holds Soviets and West together. R-F25: who stands alone in a zone controls it."""
    stands = [zones_of(g, p, side) for side in (WEST, SOVIET, AXIS)]
    for zone in members(stands[WEST] & stands[SOVIET]):
        yield f"Soviets and West stand together in {g.land.name(zone)}"
    allied = stands[WEST] | stands[SOVIET]
    for side, foes in ((WEST, stands[AXIS]), (SOVIET, stands[AXIS]), (AXIS, allied)):
        for zone in members(stands[side] & ~foes):
            if p.control[zone] != side:
                yield f"the {SIDES[side]} stand alone in {g.land.name(zone)} and do not control it"
    if p.mulberry != NOBODY and not stands[WEST] >> p.mulberry & 1:
        yield f"the Mulberry of {g.land.name(p.mulberry)} has outlived the West there"


def _formations(g: Setting, p: Pos) -> Iterator[str]:
    """Where formations may be; zones within their limits, displays within capacity; none empty on the map unless its owner is putting units
    from display to display (7.1, 7.2, 9.8)."""
    steps = {frame.step for frame in p.agenda}
    fighting = p.combat is not None
    sorting = {by for frame in p.agenda if frame.step in _ROOM_LATER for by in frame.by}
    for gf, at in enumerate(p.gf_at):
        side, name = g.gfs.side[gf], g.gfs.ids[gf]
        off_map = {g.reserve(side), g.land.places.removed[side], *((g.land.places.arrivals,) if side == WEST else ())}
        if at >= g.land.size and at not in off_map:
            yield f"{name} stands in {g.land.places.names[at]}"
        if not p.sealed[side].known:
            continue
        held = p.sealed[side].at.count(g.display(gf))
        if at < g.land.size and not held and not fighting and SIDES[side] not in sorting:
            yield f"{name} is empty on the map"
        if held > g.gfs.capacity[gf] and SIDES[side] not in sorting:
            yield f"{name} holds {held} units"
        if at == g.land.places.removed[side] and held:
            yield f"{name} is out of the game and holds units"
    if not fighting and not steps & {*_LIMIT_LATER}:
        for side in (WEST, SOVIET, AXIS):
            for zone in members(zones_of(g, p, side)):
                if len(gfs_in(g, p, side, zone)) > g.stacking(side, zone):
                    yield f"too many formations of the {SIDES[side]} in {g.land.name(zone)}"


def _points(g: Setting, p: Pos) -> Iterator[str]:
    """PR within their tracks (5.1); accounts of PA that can be (8.1): nothing bought twice, nothing bought by who came by sea, nobody
    turned over outside the action phases."""
    for (_, least, most, _), points, word in zip(g.terms.tracks, p.pr, ("england", "italy", "soviet", "axis"), strict=True):
        if points < least or (0 <= most < points):
            yield f"{points} PR on the track of {word}"
    phase = g.phase(p).phase if p.phase >= 0 else "political"
    for gf, has in enumerate(p.pa):
        if has & BOUGHT_USED and has & (BY_SEA | SEA_READY | BARRED):
            yield f"{g.gfs.ids[gf]} has bought a PA that it may not have"
        if has & TURNED and phase in ("political", "economic"):
            yield f"{g.gfs.ids[gf]} lies turned over in the {phase} phase"


def _passing(g: Setting, p: Pos) -> Iterator[str]:
    """What lasts no longer than a combat, a card or a step is remembered no longer (R-F102)."""
    steps = {frame.step for frame in p.agenda}
    if (p.combat is not None) != ("combat" in steps):
        yield "a combat is remembered and not fought, or fought and not remembered"
    if p.combat is None and p.shown:
        yield "units are shown after their combat"
    for side, own in enumerate(p.sealed):
        if own == Sealed():
            continue
        if p.combat is None and own.steps:
            yield f"steps of a combat of the {SIDES[side]} are remembered after it"
        if own.given and not steps & {"propaganda", "offensive"}:
            yield f"the {SIDES[side]} have steps to take without a card"
        if own.credit and not any(frame.step == "spend" and SIDES[side] in frame.by for frame in p.agenda):
            yield f"the {SIDES[side]} have half a PR left over outside their spending"
        if own.came and not any(frame.step == "transfers" and SIDES[side] in frame.by for frame in p.agenda):
            yield f"the {SIDES[side]} remember where units lay before a transfer step that is over"
        for unit in members(own.waiting):
            if own.at[unit] != g.reserve(side):
                yield f"{g.units.ids[unit]} waits and is not in the Reserve"


def _gone(g: Setting, p: Pos) -> Iterator[str]:
    """Who has capitulated (12.1) or made peace (R-F132) has nothing left in the game."""
    for unit, name in enumerate(g.units.ids):
        side = g.units.side[unit]
        if g.units.nation[unit] in p.capitulated and p.at[unit] != g.land.places.removed[side]:
            yield f"{name} fights on after its country has capitulated"
        if p.peace and side == WEST and p.at[unit] != g.land.places.removed[WEST]:
            yield f"{name} fights on after the separate peace"
    for gf, name in enumerate(g.gfs.ids):
        side = g.gfs.side[gf]
        if p.gf_at[gf] != g.land.places.removed[side] and (g.gfs.nation[gf] in p.capitulated or (p.peace and side == WEST)):
            yield f"{name} is in the game still"
    if p.peace and p.held[WEST] != (0, 0):
        yield "the West holds stratagems after the separate peace"
