"""Changes that several chapters make: formations and units put somewhere, control passed, steps lost, points paid.

Unchecked: the chapters' ``judge`` has looked. Each returns a new position.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from referee.games.overlord_to_berlin.land import AXIS
from referee.games.overlord_to_berlin.position import NOBODY, Pos, alter, members, seal, set_byte
from referee.games.overlord_to_berlin.roster import ARMOUR
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.supply import baltic_places
from referee.games.overlord_to_berlin.units import is_reduced, units_in, zones_of


def put_gf(g: Setting, p: Pos, gf: int, place: int) -> Pos:
    """The formation in another zone, or in its Reserve; control is settled apart (``settle_control``)."""
    return alter(p, gf_at=set_byte(p.gf_at, gf, place))


def put_inside(g: Setting, p: Pos, unit: int, place: int, *, reduced: bool) -> Pos:
    """The unit in a display or its Reserve, hidden from now on, with this side up."""
    side = g.units.side[unit]
    own = p.sealed[side]
    bit = 1 << unit
    if p.at[unit] != g.land.places.inside:
        p = alter(p, at=set_byte(p.at, unit, g.land.places.inside), reduced=p.reduced & ~bit)
    return seal(p, side, at=set_byte(own.at, unit, place), reduced=own.reduced | bit if reduced else own.reduced & ~bit)


def put_outside(g: Setting, p: Pos, unit: int, place: int, *, reduced: bool = False) -> Pos:
    """The unit in a public place: a pile, a box, or as a pocket in a zone (then with this side up)."""
    side = g.units.side[unit]
    own = p.sealed[side]
    bit = 1 << unit
    p = seal(
        p,
        side,
        at=set_byte(own.at, unit, g.land.places.inside),
        reduced=own.reduced & ~bit,
        waiting=own.waiting & ~bit,
        came=tuple(pair for pair in own.came if pair[0] != unit),
    )
    return alter(p, at=set_byte(p.at, unit, place), reduced=p.reduced | bit if reduced else p.reduced & ~bit)


def flip(g: Setting, p: Pos, unit: int, *, reduced: bool) -> Pos:
    """The unit, inside, with this side up."""
    side = g.units.side[unit]
    own, bit = p.sealed[side], 1 << unit
    return seal(p, side, reduced=own.reduced | bit if reduced else own.reduced & ~bit)


def grave_of(g: Setting, unit: int) -> int:
    """Where a destroyed unit goes: its pile by class (4.5); a Romanian or Hungarian straight to the destroyed box (12.1, R-F74)."""
    side = g.units.side[unit]
    if g.units.minor >> unit & 1:
        return g.land.places.destroyed[side]
    return g.land.places.piles[side][1 if g.units.klass[unit] == ARMOUR else 0]


def lose_step(g: Setting, p: Pos, unit: int) -> Pos:
    """10.3: the unit flips, or is destroyed when it is reduced; a unit inside or a pocket. What both sides saw of it stays shown."""
    if is_reduced(g, p, unit):
        p = put_outside(g, p, unit, grave_of(g, unit))
        return alter(p, shown=tuple(s for s in p.shown if s[0] != unit))
    if p.at[unit] != g.land.places.inside:
        return alter(p, reduced=p.reduced | 1 << unit)
    p = flip(g, p, unit, reduced=True)
    return alter(p, shown=tuple((u, gf, 1 if u == unit else was) for u, gf, was in p.shown))


def settle_control(g: Setting, p: Pos) -> Pos:
    """R-F25: a zone passes at once to the side that has a formation there when no enemy has. Also ends what hangs on standing in
    a zone: the Mulberry (5.5), the Yugoslav loss (the other reading of R-F20)."""
    sides = [zones_of(g, p, side) for side in (0, 1, 2)]
    control = bytearray(p.control)
    allied = sides[0] | sides[1]
    for side in (0, 1, 2):
        foes = allied if side == AXIS else sides[AXIS]
        for zone in members(sides[side] & ~foes):
            control[zone] = side
    changes: dict[str, object] = {}
    if bytes(control) != p.control:
        changes["control"] = bytes(control)
    if p.mulberry != NOBODY and not sides[0] >> p.mulberry & 1:
        changes["mulberry"] = NOBODY
    if not p.yugoslavia_lost and all(control[z] != AXIS for z in garrison_zones(g)):
        changes["yugoslavia_lost"] = True
    q = alter(p, **changes) if changes else p
    return _forget_baltic(g, q)


def garrison_zones(g: Setting) -> tuple[int, ...]:
    """The zones of the Yugoslav garrison (12.2)."""
    return tuple(g.land.places.index[name] for name in ("21", "22"))


def _forget_baltic(g: Setting, p: Pos) -> Pos:
    """A formation that was named for a Baltic zone and has no longer the place has lost it (R-F33)."""
    if not p.baltic or all(gf == NOBODY for gf in p.baltic):
        return p
    places = baltic_places(g, p)
    kept = bytes(gf if places.get(zone) == gf else NOBODY for zone, gf in zip(g.land.baltic, p.baltic, strict=True))
    return alter(p, baltic=kept) if kept != p.baltic else p


def send_home(g: Setting, p: Pos, gfs: Iterable[int]) -> Pos:
    """9.8: formations, with whatever units they hold, to the Reserve of their side; then control."""
    for gf in gfs:
        p = put_gf(g, p, gf, g.reserve(g.gfs.side[gf]))
        p = alter(p, pa=set_byte(p.pa, gf, 0), extra=set_byte(p.extra, gf, 0), landers=p.landers & ~(1 << gf))
    return settle_control(g, p)


def empty_home(g: Setting, p: Pos, side: int) -> Pos:
    """9.8: formations of a side on the map that hold no unit go to the Reserve."""
    empty = [gf for gf in members(g.gfs.of_side[side]) if g.on_map(p, gf) and not units_in(g, p, gf)]
    return send_home(g, p, empty) if empty else p


def pay(g: Setting, p: Pos, track: int, points: int) -> Pos:
    """The track with so many points less (or more, when negative), within its limits (5.1)."""
    _, least, most, _ = g.terms.tracks[track]
    value = max(least, p.pr[track] - points)
    value = min(value, most) if most >= 0 else value
    return alter(p, pr=(*p.pr[:track], value, *p.pr[track + 1 :]))


def gain_cards(g: Setting, p: Pos, side: int, cards: int) -> Pos:
    """Cards into a hand (3.1, 11.2)."""
    q = seal(p, side, hand=p.sealed[side].hand | cards)
    return _count(g, q, side, cards, 1)


def lose_cards(g: Setting, p: Pos, side: int, cards: int) -> Pos:
    """Cards out of a hand: a national to its pool; an operational is used for this turn (R-F47)."""
    q = seal(p, side, hand=p.sealed[side].hand & ~cards)
    q = alter(q, used_cards=q.used_cards | cards & g.cards.operational)
    return _count(g, q, side, cards, -1)


def _count(g: Setting, p: Pos, side: int, cards: int, sign: int) -> Pos:
    national, operational = p.held[side]
    of_all = (cards & g.cards.operational).bit_count()
    own = (national + sign * (cards.bit_count() - of_all), operational + sign * of_all)
    return alter(p, held=(*p.held[:side], own, *p.held[side + 1 :]))


def place_shown(g: Setting, p: Pos, gfs: Iterable[int]) -> Pos:
    """R-F102: the units of these formations are seen by both sides until the combat ends."""
    seen = {u for u, _, _ in p.shown}
    more = [(u, gf, int(is_reduced(g, p, u))) for gf in gfs for u in units_in(g, p, gf) if u not in seen]
    return alter(p, shown=tuple(sorted((*p.shown, *more)))) if more else p


def combat_over(p: Pos) -> Pos:
    """The combat is over: nothing of it is remembered, and its units are hidden again (R-F102)."""
    clean = tuple(replace(s, steps=0) if s.known and s.steps else s for s in p.sealed)
    return alter(p, combat=None, shown=(), sealed=clean)


