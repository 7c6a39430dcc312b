"""Tries aimed at a check that blind ones seldom meet: on the units of the pile, into the zone of an ally, with a bought PA that is barred.

As in ``probing`` a try is only checked, never played. Pure: dice come from outside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from referee.games.overlord_to_berlin.actions import Land, Levy, Lose, Move, Restore, Return, ToBox, Transfer
from referee.games.overlord_to_berlin.land import SOVIET, WEST
from referee.games.overlord_to_berlin.landings import waits_to_sail
from referee.games.overlord_to_berlin.position import BARRED, BOUGHT, SEA, SEA_READY, Pos, members
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.supply import supplied
from referee.games.overlord_to_berlin.terms import TRACKS, TRACKS_OF
from referee.games.overlord_to_berlin.units import gfs_in, in_pile, is_reduced, units_in
from referee.rules.model import Action

T = TypeVar("T")


class Dice(Protocol):
    """The part of ``random.Random`` that aimed tries use."""

    def random(self) -> float: ...
    def choice(self, seq: Sequence[T], /) -> T: ...


def aimed(g: Setting, p: Pos, by: str, dice: Dice) -> Iterator[Action]:
    """Tries of the step that this position is in, each at one check."""
    for aim in _AIMS.get(p.frame.step, ()):
        yield from aim(g, p, by, dice)


def _one(found: Sequence[T], dice: Dice) -> Iterator[T]:
    """One of them, if there is any."""
    if found:
        yield dice.choice(found)


def _standing(g: Setting, p: Pos, side: int) -> list[int]:
    return [gf for gf in members(g.gfs.of_side[side]) if g.on_map(p, gf)]


def _pile(g: Setting, p: Pos, by: str, dice: Dice) -> Iterator[Action]:
    """4.5: more into the box, or back, than the thirds want."""
    for make in (Return, ToBox):
        for unit in _one([unit for pile in g.land.places.piles[g.side(by)] for unit in in_pile(g, p, pile)], dice):
            yield make(by, g.units.ids[unit])


def _levy(g: Setting, p: Pos, by: str, dice: Dice) -> Iterator[Action]:
    """4.4: a unit of the formation, whatever its side that is up."""
    gfs: Any = p.frame.data[0]
    for gf in _one(sorted(set(gfs)), dice):
        yield from (Levy(by, g.units.ids[unit]) for unit in _one(units_in(g, p, gf), dice))


def _liberation(g: Setting, p: Pos, by: str, dice: Dice) -> Iterator[Action]:
    """12.1: any unit in the capital, for nothing or paid."""
    zone: Any = p.frame.data[0]
    there = [unit for gf in gfs_in(g, p, SOVIET, zone) for unit in units_in(g, p, gf)]
    yield from (Restore(by, g.units.ids[unit], "" if dice.random() < 0.8 else "soviet") for unit in _one(there, dice))


def _spend(g: Setting, p: Pos, by: str, dice: Dice) -> Iterator[Action]:
    """4.2, 12.1, the events: a reduced unit by a marker that could pay; a reduced minor ally."""
    side = g.side(by)
    worn = [u for u in members(g.units.of_side[side]) if p.at[u] == g.land.places.inside and is_reduced(g, p, u)]
    for unit in (*_one(worn, dice), *_one([u for u in worn if g.units.minor >> u & 1], dice)):
        yield Restore(by, g.units.ids[unit], TRACKS[dice.choice(TRACKS_OF[side])] if side == WEST else "")


def _transfers(g: Setting, p: Pos, by: str, dice: Dice) -> Iterator[Action]:
    """9.3, 12.4: to a formation that is cut off, from its zone or the next; a pocket to a formation in the next."""
    side = g.side(by)
    standing = _standing(g, p, side)
    for gf in _one([gf for gf in standing if not supplied(g, p, gf)], dice):
        zones = g.land.near[p.gf_at[gf]] | 1 << p.gf_at[gf]
        near = [unit for other in standing if other != gf and zones >> p.gf_at[other] & 1 for unit in units_in(g, p, other)]
        yield from (Transfer(by, g.units.ids[unit], g.gfs.ids[gf]) for unit in _one(near, dice))
    pockets = [unit for unit in members(g.units.of_side[side]) if g.land.everywhere >> p.at[unit] & 1]
    for unit in _one(pockets, dice):
        zones = g.land.near[p.at[unit]] | 1 << p.at[unit]
        near = [gf for gf in standing if zones >> p.gf_at[gf] & 1]
        yield from (Transfer(by, g.units.ids[unit], g.gfs.ids[gf]) for gf in _one(near, dice))


def _groups(g: Setting, p: Pos, by: str, dice: Dice) -> Iterator[Action]:
    """8.2: formations of two groups that stand in one zone by now move together."""
    standing = _standing(g, p, g.side(by))
    pairs = [(a, b) for a in standing for b in standing if a < b and p.gf_at[a] == p.gf_at[b] and p.group[a] != p.group[b]]
    yield from (_move(g, p, by, pair, dice.choice(list(members(g.land.near[p.gf_at[pair[0]]])))) for pair in _one(pairs, dice))


def _to_the_ally(g: Setting, p: Pos, by: str, dice: Dice) -> Iterator[Action]:
    """7.3: into a zone next to the own one in which the ally stands."""
    side = g.side(by)
    allies = {WEST: SOVIET, SOVIET: WEST}.get(side)
    there = {p.gf_at[gf] for gf in _standing(g, p, allies)} if allies is not None else set()
    ways = [(gf, to) for gf in _standing(g, p, side) for to in sorted(there) if g.land.near[p.gf_at[gf]] >> to & 1]
    yield from (_move(g, p, by, (gf,), to) for gf, to in _one(ways, dice))


def _barred(g: Setting, p: Pos, by: str, dice: Dice) -> Iterator[Action]:
    """11.5: who was blocked when it bought buys again."""
    for gf in _one([gf for gf in _standing(g, p, g.side(by)) if p.pa[gf] & BARRED], dice):
        yield from (_move(g, p, by, (gf,), to, (BOUGHT,)) for to in members(g.land.near[p.gf_at[gf]]))


def _ashore(g: Setting, p: Pos, by: str, dice: Dice) -> Iterator[Action]:
    """9.5: who has landed among enemies moves on with the second PA."""
    landed = [gf for gf in _standing(g, p, g.side(by)) if p.landers >> gf & 1 and p.pa[gf] & SEA_READY]
    for gf in _one(landed, dice):
        yield from (_move(g, p, by, (gf,), to, (SEA,)) for to in members(g.land.near[p.gf_at[gf]]))


def _landing(g: Setting, p: Pos, by: str, dice: Dice) -> Iterator[Action]:
    """9.5: on a coast without an arrow, and more than the arrow takes."""
    waiting = [gf for gf in range(len(g.gfs.ids)) if waits_to_sail(g, p, gf) and units_in(g, p, gf)]
    if g.side(by) == WEST and p.turn in g.charts.landing_turns and waiting:
        zone = dice.choice(range(g.land.size))
        yield Land(by, (g.gfs.ids[dice.choice(waiting)],), g.land.name(zone))
        arrows = [zone for zone in range(g.land.size) if 0 < g.land.landing[zone] < len(waiting)]
        for zone in _one(arrows, dice):
            yield Land(by, tuple(sorted(g.gfs.ids[gf] for gf in waiting[: g.land.landing[zone] + 1])), g.land.name(zone))


def _loss(g: Setting, p: Pos, by: str, dice: Dice) -> Iterator[Action]:
    """6.3: the second step from another formation than the first."""
    c = p.combat
    who, again = p.frame.data
    if c is not None and again != -1:
        gfs = c.defenders if who else c.attackers | c.supporters
        others = [unit for gf in members(gfs) if gf != again for unit in units_in(g, p, gf)]
        yield from (Lose(by, g.units.ids[unit]) for unit in _one(others, dice))


def _move(g: Setting, p: Pos, by: str, gfs: Sequence[int], to: int, kinds: tuple[str, ...] = ()) -> Move:
    return Move(by, tuple(sorted(g.gfs.ids[gf] for gf in gfs)), g.land.name(p.gf_at[gfs[0]]), g.land.name(to), kinds)


_AIMS: Mapping[str, tuple[Callable[[Setting, Pos, str, Dice], Iterator[Action]], ...]] = {
    "pile": (_pile,),
    "levy": (_levy,),
    "liberation": (_liberation,),
    "spend": (_spend,),
    "transfers": (_transfers,),
    "operations": (_groups, _to_the_ally, _barred, _ashore, _landing),
    "loss": (_loss,),
}
"""Step -> what is aimed at in it."""
