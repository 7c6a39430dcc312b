"""Which paragraphs a legal action was really examined under: the other half of self-play's table, beside the refusals.

A check that looks at an action and could not possibly refuse it has shown nothing. So every kind of action names here the
paragraphs whose checks look at it *and* the circumstance in which they bite: 4.0.c2 only for a unit that starts in an enemy ZOC,
6.2.1.a2 only where a hex next to the retreating unit holds two friends, 7.2.a1 only where a stronger unit waits too. The
circumstances are written out one by one below; whatever is not named does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from referee.games.battle_for_germany.actions import (
    Advance,
    Attack,
    Evacuate,
    Exit,
    Join,
    Lose,
    Move,
    PutAshore,
    Replace,
    Retreat,
    SetUp,
    Take,
    Target,
)
from referee.games.battle_for_germany.combat import named_target
from referee.games.battle_for_germany.exits import edge_of, takeable
from referee.games.battle_for_germany.movement import MovementStep, allowance
from referee.games.battle_for_germany.odds import column, strengths
from referee.games.battle_for_germany.position import EG, FORCES, WG, S, W, board
from referee.games.battle_for_germany.replacements import boxes, waiting
from referee.games.battle_for_germany.retreat import open_hexes
from referee.games.battle_for_germany.setting import HOME_LINE, HOME_YUGOSLAVIA, Setting, german
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.terms import COMBAT, MOVEMENT
from referee.games.battle_for_germany.zoc import enemy_zoc, held_by_others
from referee.rules.book import Book
from referee.rules.model import CHANCE, Action, Done, Roll

_OWNER = {W: "2.5.a", EG: "2.5.a", S: "2.5.b", WG: "2.5.b"}
"""Whose units the paragraph gives to a player: looked at with every decision of his."""


def examiner(book: Book[Pos]) -> Callable[[Pos, Action], Iterator[str]]:
    """A function (position, legal action) -> the paragraphs whose checks bit and passed; each at most once an action."""
    from referee.games.battle_for_germany.game import BattleForGermany

    game = book.game
    assert isinstance(game, BattleForGermany)
    look = _Look(game.setting)
    return lambda p, a: iter(dict.fromkeys(look.at(p, a)))


class _Look:
    """The circumstances, kind by kind."""

    def __init__(self, g: Setting) -> None:
        self.g = g
        self.movement = MovementStep(g)
        land = g.land
        self.beside_line = {f: self._beside(f, False, HOME_LINE) for f in range(len(FORCES))}
        """Force -> per node 1 where a hex next to it lies over the boundary (5.2)."""
        self.beside_border = {yugoslav: self._beside(S, yugoslav, HOME_YUGOSLAVIA) for yugoslav in (False, True)}
        """Yugoslav or not -> per node 1 where a hex next to it lies over the Yugoslav border (5.3)."""
        self.beside_berlin = bytes(1 if n in land.beside_berlin else 0 for n in range(len(land.names)))

    def _beside(self, force: int, yugoslav: bool, bit: int) -> bytes:
        ward = self.g.regimes[0].ward[force][yugoslav]
        land = self.g.land
        near = land.near
        return bytes(1 if ward[n] & bit and any(not ward[o] & bit for o in near[n]) else 0 for n in range(len(land.names)))

    def at(self, p: Pos, a: Action) -> Iterator[str]:
        g = self.g
        if a.by == CHANCE:
            # The number of dice and their faces are looked at; nothing else can be wrong with a roll.
            yield "6.1.p3" if isinstance(a, Roll) and a.key == "combat" else "8.0.p5"
            return
        # Any other hand would be refused (3.0.p1), because the force belongs to this player (2.5).
        yield "3.0.p1"
        yield _OWNER[self._deciding(p, a)]
        if p.turn == g.terms.last_turn:
            # After this turn the same action would come too late.
            yield "3.0.c"
        match a:
            case Move() | Exit():
                yield g.phase(p).para
                yield from self._way(p, a)
            case Evacuate():
                yield g.phase(p).para
                yield from ("8.0.p3", "8.0.p4", "8.0.p7")
                if p.ports_entered or any(n in board(p, g.land).occ for n in g.land.ports):
                    yield "8.0.p6"
            case SetUp():
                yield "8.0.p1"
                if g.land.nodes[a.to] in board(p, g.land).occ:
                    yield "5.1.p1"
            case PutAshore():
                yield "8.0.p6"
            case Take():
                yield from self._take(p)
            case Replace():
                yield g.phase(p).para
                yield from self._replacement(p, a)
            case Attack():
                yield from self._attack(p, [g.roster.index[u] for u in a.units], sorted({named_target(g, p, n)[0] for n in a.targets}))
            case Target():
                yield from self._target(p, named_target(g, p, a.to)[0])
                targets = p.frame.data[0] if p.frame.step == "declare" else ()
                if targets:
                    yield "6.3.e"
            case Join():
                # Only that this unit may join these hexes; the rest is looked at when the declaration closes.
                yield "6.3.c2"
                if p.attacked:
                    yield from ("6.3.c1", "6.3.c3")
            case Lose():
                yield "6.2.c"
            case Retreat():
                yield from self._retreat(p, g.roster.index[a.unit], g.land.nodes[a.to])
            case Advance():
                yield from self._advance(p, g.roster.index[a.unit], g.land.nodes[a.to])
            case Done():
                yield from self._done(p)
            case _:
                return

    def _deciding(self, p: Pos, a: Action) -> int:
        """A force of the player who acts."""
        return S if a.by == self.g.owner(S) else W

    def _way(self, p: Pos, a: Move | Exit) -> Iterator[str]:
        g, land = self.g, self.g.land
        unit = g.roster.index[a.unit]
        force = p.force[unit]
        way = self.movement.way(p, a)
        zoc = enemy_zoc(g, p, force)
        held = held_by_others(g, p, force)
        steps = [next(c for n, c in land.edges[x] if n == y) for x, y in pairwise(way)]
        cost = sum(steps) + (g.terms.exit_cost if isinstance(a, Exit) else 0)
        if len(way) > 1:
            yield "5.0.a1"
            if max(steps) > 1:  # broken ground or a river on the way: not every step is one MP
                yield "5.0.a2"
            if any(held[n] for here in way[:-1] for n in land.near[here]):  # the way leads past somebody
                yield "5.0.a3"
            if zoc[way[0]]:  # it leaves a ZOC, at the beginning
                yield "4.0.c1"
                if any(zoc[n] for n in land.near[way[0]]):  # and could have gone straight into another
                    yield "4.0.c2"
            if zoc[way[-1]]:  # it enters one, and stops
                yield "4.0.p2"
            yield from self._borders(p, unit, way[:-1], way)
        if cost == allowance(g, p, unit):  # the last MP is spent
            yield "5.0.p1"
        if p.moved:  # others have moved already
            yield "5.0.p3"
        if p.garrison and g.roster.front >> unit & 1:  # some Front is a garrison, and this one is not
            yield "10.0.a1"
        if isinstance(a, Exit):
            yield from ("9.0.p1", "9.0.p2", ("9.0.p3", "9.0.p4", "9.0.p5")[edge_of(g, way[-1])])

    def _borders(self, p: Pos, unit: int, turns: Sequence[int], way: Sequence[int]) -> Iterator[str]:
        """5.2 and 5.3 for a step from each of ``turns``: a hex over the line or the border was next to it."""
        g = self.g
        force = p.force[unit]
        ward = g.wards(p, force, unit)
        if any(self.beside_line[force][n] for n in turns):
            yield "5.2.1.p1" if german(force) else "5.2.2.p1"
        if german(force) and any(self.beside_berlin[n] for n in turns):
            yield "5.2.1.p3"
        if not german(force) and not ward[way[0]] & HOME_LINE and ward[way[-1]] & HOME_LINE:  # displaced, and going home
            yield "5.2.2.p2"
        if force == S and any(self.beside_border[g.yugoslav(unit)][n] for n in turns):
            yield "5.3.1.p1" if g.yugoslav(unit) else "5.3.2.p1"

    def _take(self, p: Pos) -> Iterator[str]:
        left, emptied = p.frame.data[2], p.frame.data[3]
        if emptied:  # the box, not the map
            yield "9.0.b"
            return
        yield "9.0.a1"
        assert isinstance(left, int)
        if len(takeable(self.g, p)) > left:  # equally near ones at the cut
            yield "9.0.a2"

    def _replacement(self, p: Pos, a: Replace) -> Iterator[str]:
        g, land = self.g, self.g.land
        unit, node, force = g.roster.index[a.unit], land.nodes[a.to], g.phase(p).force
        box = p.at[unit]
        yield "7.2.p1"
        if p.rates[boxes(g, force).index(box)] == 1:  # the last one: nothing is saved up
            yield "7.2.p2"
        if any(p.at[u] == box and not g.roster.replaceable >> u & 1 for u in range(len(p.at))):
            yield "7.1.b2"
        if force != W and any(g.roster.attack[u] > g.roster.attack[unit] for u in waiting(g, p, force)):
            yield "7.2.a1"
        if any(p.at[u] == land.off and p.force[u] == force for u in range(len(p.at))):
            yield "9.0.a6"
        occ = board(p, land).occ
        if german(force):
            yield "7.2.b1"
            own = [n for n in land.beside_berlin if land.theater[n] & land.theater[node]]
            other = [n for n in land.beside_berlin if n not in own]
            foes = g.enemies(p, force)
            if any(n in occ and foes >> p.force[occ[n][0]] & 1 for n in land.beside_berlin):
                yield "7.2.c"
            sent = bool(land.theater[node] & (1 if force == EG else 2))
            if sent or any(n in occ and p.force[occ[n][0]] in (S, W) for n in own):  # whether the own side is blocked had to be seen
                yield "7.2.d1"
            if sent and other:  # blocked at home: whether the other theater is blocked too had to be seen
                yield "7.2.d2"
        else:
            yield "7.2.e1" if force == S else "7.2.e3" if box == land.box_italy else "7.2.e2"
        if node in occ:  # it joins a friend
            yield "7.2.e4"
        if enemy_zoc(g, p, force)[node]:
            yield "7.2.f"

    def _target(self, p: Pos, node: int) -> Iterator[str]:
        """The hex may be attacked: beside it might stand those that may not."""
        g = self.g
        phase = g.phase(p)
        yield phase.para
        yield "6.0"
        occ = board(p, g.land).occ
        around = {p.force[occ[n][0]] for near in g.land.near[node] for n in (near, *g.land.near[near]) if n in occ}
        if phase.force in (S, W) and (W if phase.force == S else S) in around:
            yield "6.3.a"
        if german(phase.force) and (WG if phase.force == EG else EG) in around:
            yield "6.3.b"
        if p.attacked:  # the attacks before it have been carried out
            yield "6.1.p4"

    def _attack(self, p: Pos, units: Sequence[int], nodes: Sequence[int]) -> Iterator[str]:
        for node in nodes:
            yield from self._target(p, node)
        if len(units) > 1:
            yield "6.3.c2"
        if len(nodes) > 1:
            yield "6.3.e"
        if any(len(board(p, self.g.land).occ.get(node, ())) > 1 for node in nodes):
            yield "6.3.d1"
        if p.attacked:
            yield from ("6.3.c1", "6.3.c3")
        yield from self._odds(p, units, nodes)
        if any(p.garrison >> u & 1 for u in units):  # a garrison fights like anybody
            yield "10.0.a1"

    def _odds(self, p: Pos, units: Sequence[int], nodes: Sequence[int]) -> Iterator[str]:
        if column(self.g, *strengths(self.g, p, tuple(units), tuple(nodes))) <= 1:  # the two lowest columns: the table was nearly left
            yield "6.1.p2"

    def _retreat(self, p: Pos, unit: int, node: int) -> Iterator[str]:
        g, land = self.g, self.g.land
        here, force = p.at[unit], p.force[unit]
        occ = board(p, land).occ
        zoc = enemy_zoc(g, p, force)
        yield "6.2.1.p1"
        found = open_hexes(g, p, unit)
        ward = g.wards(p, force, unit)
        across = [n for n in found if ward[n] != HOME_LINE | HOME_YUGOSLAVIA]
        if any((n in occ) != (node in occ) for n in found) or node in occ:  # both kinds open, or no vacant one
            yield "6.2.1.a1"
        friends = [n for n in land.near[here] if n in occ and p.force[occ[n][0]] == force]
        if any(len(occ[n]) >= g.terms.stacking for n in friends):
            yield "6.2.1.a2"
        if g.roster.front >> unit & 1 and any(g.roster.front >> u & 1 for n in friends for u in occ[n]):
            yield "6.2.1.a3"
        if len(land.near[here]) < 6:  # the map's edge, a closed hex or a closed side
            yield "6.2.1.b1"
        if any(zoc[n] for n in land.near[here]):
            yield "6.2.1.b2"
        if any(p.garrison >> u & 1 for u in occ[here]):  # its comrade stays
            yield "10.0.a2"
        for n in across:
            if not ward[n] & HOME_LINE:
                yield "5.2.1.p1" if german(force) else "5.2.2.p1"
            elif not ward[n] & HOME_YUGOSLAVIA:
                yield "5.3.1.p1" if g.yugoslav(unit) else "5.3.2.p1"
        if german(force) and land.berlin in land.near[here]:
            yield "5.2.1.p3"

    def _advance(self, p: Pos, unit: int, node: int) -> Iterator[str]:
        g, land = self.g, self.g.land
        here, force = p.at[unit], p.force[unit]
        yield "6.5"
        if len(board(p, land).occ[here]) > 1 or any(
            p.force[us[0]] == force for n in land.near[node] if n != here and (us := board(p, land).occ.get(n))
        ):  # others stand by who took no part, or might not have
            yield "6.5.a"
        if self.beside_line[force][here]:
            yield "5.2.1.p1" if german(force) else "5.2.2.p1"
        if force == S and self.beside_border[g.yugoslav(unit)][here]:
            yield "5.3.1.p3" if g.yugoslav(unit) else "5.3.2.p3"
        if german(force) and self.beside_berlin[here]:
            yield "5.2.1.p3"
        if p.garrison and g.roster.front >> unit & 1:
            yield "10.0.a1"

    def _done(self, p: Pos) -> Iterator[str]:
        g = self.g
        step = p.frame.step
        if step == "declare":
            targets, joined = p.frame.data[:2]
            assert isinstance(targets, tuple) and isinstance(joined, tuple)
            yield "6.0"
            yield from self._attack(p, joined, targets)
            return
        if step == "lose":
            yield "6.2.c"
            return
        if step not in (MOVEMENT, COMBAT):
            return
        phase = g.phase(p)
        if p.turn == g.terms.mandate_turn and phase.force == WG and p.mandated[1]:
            yield "12.2.a"
        if step == MOVEMENT:
            stacks = [us for us in board(p, g.land).occ.values() if len(us) > 1 and p.force[us[0]] == phase.force]
            if stacks:
                yield "5.1.p1"
            if any(g.roster.front >> u & 1 for us in stacks for u in us):
                yield "5.1.p2"
