"""Positions laid out by hand for self-play: what whole games reach too seldom to be tried from both sides.

Each is drawn anew from dice within its theme and played on to the last turn. Pure: dice come from outside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from referee.games.battle_for_germany.land import EAST, WEST, Land
from referee.games.battle_for_germany.position import EG, FORCES, WG, S, W
from referee.games.battle_for_germany.setting import HOME_YUGOSLAVIA, Setting
from referee.games.battle_for_germany.stacking import groups_of
from referee.games.battle_for_germany.state import Pos
from referee.rules.book import Book

T = TypeVar("T")


class Dice(Protocol):
    """The part of ``random.Random`` that scenes use."""

    def random(self) -> float: ...
    def choice(self, seq: Sequence[T], /) -> T: ...
    def sample(self, population: Sequence[T], k: int) -> list[T]: ...
    def randrange(self, start: int, stop: int, /) -> int: ...


class Arranging(Protocol):
    """What a scene needs of the game."""

    @property
    def setting(self) -> Setting: ...
    def arranged(self, places: Mapping[str, str], *, turn: int, force: str, kind: str) -> Pos: ...


class Stage:
    """A layout in the making: hexes with room, units not yet placed."""

    def __init__(self, game: Arranging, dice: Dice) -> None:
        self.game = game
        self.dice = dice
        self.g = game.setting
        self.land = self.g.land
        self.places: dict[str, str] = {}
        self.stacks: dict[int, list[int]] = {}
        self.hexes = [n for n in range(self.land.size) if self.land.playable[n]]

    def units(self, force: int, keep: Callable[[int], bool] = lambda _: True) -> list[int]:
        """The units of a force that are not placed yet."""
        r = self.g.roster
        return [u for u, f in enumerate(r.force) if f == force and r.ids[u] not in self.places and keep(u)]

    def may_stand(self, unit: int, node: int, *, displaced: bool = False) -> bool:
        """Room, friends only, no second Front, nobody where he may not be (5.1, 5.2, 5.3)."""
        g, land = self.g, self.land
        r = g.roster
        force = r.force[unit]
        stack = self.stacks.get(node, [])
        if len(stack) >= g.terms.stacking or any(r.force[u] != force for u in stack) or not land.playable[node]:
            return False
        if g.terms.mixed_stacks >= 0 and groups_of(g, (*stack, unit)) == 3:
            return False
        if r.front >> unit & 1 and any(r.front >> u & 1 for u in stack):
            return False
        theater = land.theater[node]
        if force in (EG, WG):
            return theater == (EAST if force == EG else WEST)
        return displaced or (
            bool(theater & (EAST if force == S else WEST)) and bool(g.regimes[0].ward[force][g.yugoslav(unit)][node] & HOME_YUGOSLAVIA)
        )

    def put(self, unit: int, node: int, *, displaced: bool = False) -> bool:
        """Places the unit if it may stand there."""
        if not self.may_stand(unit, node, displaced=displaced):
            return False
        self.places[self.g.roster.ids[unit]] = self.land.names[node]
        self.stacks.setdefault(node, []).append(unit)
        return True

    def some(
        self, force: int, nodes: Iterable[int], count: int, keep: Callable[[int], bool] = lambda _: True, *, displaced: bool = False
    ) -> None:
        """Up to ``count`` units of a force, each in one of the hexes."""
        there = list(nodes)
        for _ in range(count * 4):
            pool = self.units(force, keep)
            if not pool or not there or count < 1:
                return
            count -= self.put(self.dice.choice(pool), self.dice.choice(there), displaced=displaced)

    def boxed(self, force: int, box: int, count: int) -> None:
        """Units of a force in a Destroyed Units box."""
        for _ in range(count):
            pool = self.units(force)
            if pool:
                self.places[self.g.roster.ids[self.dice.choice(pool)]] = self.land.names[box]

    def around(self, nodes: Iterable[int], radius: int) -> list[int]:
        """The playable hexes within a distance of any of these."""
        centres = list(nodes)
        return [n for n in self.hexes if any(self.land.distance(n, c) <= radius for c in centres)]

    def ready(self, turn: int, force: int, kind: str) -> Pos:
        """The position at the start of that phase."""
        return self.game.arranged(self.places, turn=turn, force=FORCES[force], kind=kind)


def stage(book: Book[Pos], dice: Dice) -> Stage:
    """An empty stage on the book's map."""
    game = book.game
    setting = getattr(game, "setting", None)
    assert isinstance(setting, Setting)
    arranged: Arranging = game  # type: ignore[assignment]
    return Stage(arranged, dice)


def _border(book: Book[Pos], dice: Dice) -> Pos:
    """Fights over the Yugoslav border (5.3), some units on the wrong side of it."""
    s = stage(book, dice)
    land, yugoslav = s.land, s.g.roster.yugoslav
    pairs = [(n, o) for n in s.hexes if land.yugoslavia[n] for o in land.near[n] if not land.yugoslavia[o] and land.theater[o] & EAST]
    sampled = dice.sample(pairs, 5)
    kept: tuple[Callable[[int], bool], ...] = (lambda u: not yugoslav >> u & 1, lambda u: bool(yugoslav >> u & 1))
    for target, beside in (*((o, i) for i, o in sampled[:2]), *sampled[2:]):
        s.some(EG, (target,), 1, lambda u: s.g.roster.defence[u] < 4)
        s.some(S, (beside,), 2, kept[land.yugoslavia[beside]])
        s.some(S, land.near[target], 1, kept[land.yugoslavia[target]])
        s.some(S, s.around((target,), 1), 1, displaced=dice.random() < 0.4)
        s.some(EG, s.around((target,), 2), 1)
    return s.ready(dice.choice((9, 10)), dice.choice((S, S, EG)), dice.choice(("combat", "combat", "movement")))


def _capitals(book: Book[Pos], dice: Dice) -> Pos:
    """Garrisons with company under attack and attacking (10.0); Fronts beside Fronts (6.2.1.a3)."""
    s = stage(book, dice)
    land, front = s.land, s.g.roster.front
    capitals = [n for n in s.hexes if land.capital[n] and n != land.berlin]
    for node in capitals:
        s.some(S, (node,), 1, lambda u: bool(front >> u & 1))
        s.some(S, (node,), 1, lambda u: not front >> u & 1 and not s.g.yugoslav(u) and s.g.roster.defence[u] < 6)
        first = dice.choice(land.near[node])
        west = [first, *(n for n in land.near[node] if n in land.near[first])][:2]
        s.some(EG, west, 4, lambda u: s.g.roster.attack[u] > 3)
        s.some(S, [n for n in land.near[node] if n not in west], dice.choice((1, 2, 3)), lambda u: bool(front >> u & 1))
    return s.ready(dice.choice((8, 9, 10)), dice.choice((S, EG)), "combat")


def _berlin(book: Book[Pos], dice: Dice) -> Pos:
    """Replacements of both Germanies with Berlin ringed, wholly or on one side (7.2.c to 7.2.d2)."""
    s = stage(book, dice)
    land = s.land
    ring = land.beside_berlin
    east, west = ([n for n in ring if land.theater[n] == t] for t in (EAST, WEST))
    both = (east, west)
    ways: tuple[tuple[list[int], list[int]], ...] = ((east, []), ([], west), both, both, both, (east, west[:2]), (east[1:], west))
    for force, held in zip((S, W), dice.choice(ways), strict=True):
        for node in held:
            s.some(force, (node,), dice.choice((1, 2)))
    s.some(EG, east, 2)
    s.some(WG, west, 2)
    for force, box in ((EG, land.box_eg), (WG, land.box_wg), (S, land.box_s), (W, land.box_w), (W, land.box_italy)):
        s.boxed(force, box, 4)
    for force in (S, W, EG, WG):
        s.some(force, s.hexes, 4)
    return s.ready(dice.choice((8, 9, 10)), dice.choice((WG, EG)), "replacement")


def _displaced(book: Book[Pos], dice: Dice) -> Pos:
    """Allies across the boundary, some able to get home and some not (5.2.2); Germans driven over it (5.2.1)."""
    s = stage(book, dice)
    land = s.land
    line = [
        n for n in s.hexes if land.theater[n] in (EAST, WEST) and any(land.theater[o] not in (0, land.theater[n]) for o in land.near[n])
    ]
    for centre in dice.sample(line, 4):
        near = s.around((centre,), 2)
        s.some(S, [n for n in near if land.theater[n] == WEST], 2, lambda u: not s.g.yugoslav(u), displaced=True)
        s.some(W, [n for n in near if land.theater[n] == EAST and not land.yugoslavia[n]], 2, displaced=True)
        s.some(EG, near, 3)
        s.some(WG, near, 3)
        s.some(S, near, 1, lambda u: not s.g.yugoslav(u))
        s.some(W, near, 1)
    return s.ready(10, dice.choice((S, W, S, W, EG, WG)), dice.choice(("movement", "combat", "movement")))


def _ports(book: Book[Pos], dice: Dice) -> Pos:
    """Courland with both ports entered, full or free, before and after the one attempt (8.0.p3 to 8.0.p7)."""
    s = stage(book, dice)
    land = s.land
    s.some(EG, sorted(land.courland_ports), 3)
    s.some(EG, sorted(land.courland), 2)
    for port in land.ports:
        s.some(EG if land.theater[port] == EAST else WG, (port,), dice.choice((0, 1, 2, 2)))
    for force in (S, W, EG, WG):
        s.some(force, s.hexes, 5)
    p = s.ready(dice.choice((2, 8, 9, 10)) if dice.random() < 0.3 else dice.choice((9, 10)), EG, "movement")
    return replace(p, ports_entered=p.ports_entered | dice.choice((0, 1, 2, 3, 3)), attempts=dice.choice((0, 0, 1)))


def _rim(book: Book[Pos], dice: Dice) -> Pos:
    """Germans at the map's edges, on exit hexes and beside them, against fronts of few units or none (9.0)."""
    s = stage(book, dice)
    land = s.land
    rim = [n for n in s.hexes if _on_rim(land, n)]
    s.some(WG, [n for n in rim if land.theater[n] == WEST], 6)
    s.some(EG, [n for n in rim if land.theater[n] == EAST], 8)
    for force, most in ((S, 3), (W, 3)):
        s.some(force, s.hexes, dice.randrange(0, most + 1))
    s.some(W, [n for n in s.hexes if land.italy[n]], dice.randrange(0, 3))
    for force, box in ((S, land.box_s), (W, land.box_w), (W, land.box_italy)):
        s.boxed(force, box, dice.randrange(0, 4))
    return s.ready(dice.choice((9, 10)), dice.choice((WG, EG)), "movement")


def _on_rim(land: Land, node: int) -> bool:
    name = land.names[node]
    return name[:2] == "01" or name[2:] in ("01", "26")


class Scene(msgspec.Struct, frozen=True):
    """One theme."""

    shows: str
    """What it brings about, for the table."""
    lay_out: Callable[[Book[Pos], Dice], Pos]
    """(book, dice) -> the position, at the start of one phase, not settled."""


SCENES: Mapping[str, Scene] = {
    "border": Scene("fights over the Yugoslav border", _border),
    "capitals": Scene("garrisons in battle, Fronts beside Fronts", _capitals),
    "berlin": Scene("replacements with Berlin ringed", _berlin),
    "displaced": Scene("Allies and Germans across the boundary", _displaced),
    "ports": Scene("Courland with the ports entered, full or free", _ports),
    "rim": Scene("Germans at the edges, fronts of few units or none", _rim),
}
