"""Players for self-play: random ones, and ones with a plan (race to Berlin, run, leave the map). Pure: dice come from outside.

``probes`` yields actions that nobody would play, most of them unlawful, so that every check is met from both sides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar

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
from referee.games.battle_for_germany.mandate import possible_attacks
from referee.games.battle_for_germany.movement import can_move
from referee.games.battle_for_germany.position import WG, Pos, S, W, board
from referee.games.battle_for_germany.retreat import RetreatStep
from referee.games.battle_for_germany.setting import Setting, german
from referee.rules.book import Book
from referee.rules.model import CHANCE, Action, Done, Roll

T = TypeVar("T")


class Dice(Protocol):
    """The part of ``random.Random`` that players use."""

    def random(self) -> float: ...
    def choice(self, seq: Sequence[T], /) -> T: ...
    def randrange(self, start: int, stop: int, /) -> int: ...


PLANS = ("random", "racer", "runner", "exiter")
"""What a game's players are after: nothing; Berlin; far away; off the map."""


def choose(book: Book[Pos], g: Setting, p: Pos, dice: Dice, plan: str) -> Action:
    """The next action of whoever has to act. Always a legal one."""
    frame = p.frame
    by = frame.by[0]
    if by == CHANCE:
        key = "combat" if frame.step == "combat-roll" else frame.step
        return Roll(CHANCE, key, (dice.randrange(1, 7),))
    if frame.step == "movement":
        return _movement(book, g, p, dice, plan, by)
    if frame.step == "combat":
        return _combat(book, p, dice, plan, by)
    options = list(book.legal(p))
    acts = [a for a in options if not isinstance(a, Done)]
    if frame.step == "declare":
        joins = [a for a in acts if isinstance(a, Join)]
        if joins and (len(acts) == len(options) or dice.random() < 0.8):
            return dice.choice(joins)
        if acts and dice.random() < 0.1:
            return dice.choice(acts)
    elif acts and (len(acts) == len(options) or dice.random() < 0.85):
        return dice.choice(acts)
    return Done(by) if len(acts) < len(options) else dice.choice(acts)


def _movement(book: Book[Pos], g: Setting, p: Pos, dice: Dice, plan: str, by: str) -> Action:
    units = [u for u in range(len(p.at)) if can_move(g, p, u)]
    occ = board(p, g.land).occ
    crowded = {n for n, us in occ.items() if _crowded(g, us)}
    if crowded:
        units = [u for u in units if p.at[u] in crowded] or units
    stay = 0.02 if crowded else 0.06 if plan == "random" else 0.03
    while units and (crowded or dice.random() >= stay):
        unit = dice.choice(units)
        units.remove(unit)
        acts = [a for a in book.legal(p, about=unit) if not isinstance(a, Done)]
        move = _pick(g, p, unit, acts, dice, plan)
        if move is not None and not _gives_away(book, g, p, move):
            return move
    return Done(by)


def _gives_away(book: Book[Pos], g: Setting, p: Pos, move: Action) -> bool:
    """The move would leave fewer West German attacks than 12.2 wants (R-G62)."""
    if p.turn != g.terms.mandate_turn or g.phase(p).force != WG:
        return False
    return possible_attacks(g, book.play(p, move), WG, g.terms.mandated_attacks) < p.mandated[1]


def _crowded(g: Setting, units: tuple[int, ...]) -> bool:
    return len(units) > g.terms.stacking or sum(g.roster.front >> u & 1 for u in units) > 1


def _pick(g: Setting, p: Pos, unit: int, acts: list[Action], dice: Dice, plan: str) -> Action | None:
    """A move that keeps the stacks lawful, by the plan."""
    occ = board(p, g.land).occ
    roomy: list[Action] = []
    for a in acts:
        if isinstance(a, Exit | Evacuate):
            if plan == "exiter" or dice.random() < 0.3:
                return a
        elif isinstance(a, Move):
            there = occ.get(g.land.nodes[a.to], ())
            movable = any(can_move(g, p, u) for u in there)
            if not _crowded(g, (*there, unit)) or (movable and len(there) == 2 and dice.random() < 0.02):
                roomy.append(a)
    if not roomy:
        return None
    goals = _goals(g, p, unit, plan)
    if not goals or dice.random() < 0.2:
        return dice.choice(roomy)

    def distance(a: Action) -> int:
        assert isinstance(a, Move)
        node = g.land.nodes[a.to]
        return min(g.land.distance(node, goal) for goal in goals)

    best = min(distance(a) for a in roomy)
    return dice.choice([a for a in roomy if distance(a) == best])


def _goals(g: Setting, p: Pos, unit: int, plan: str) -> tuple[int, ...]:
    force = p.force[unit]
    if plan == "racer" and force in (S, W):
        return (g.land.berlin,)
    if plan == "exiter" and german(force):
        return tuple(n for table in g.land.exits for n in range(g.land.size) if table[n])
    if plan == "runner":
        far = g.land.courland if force == W else g.land.ports
        return tuple(far)
    return ()


def _combat(book: Book[Pos], p: Pos, dice: Dice, plan: str, by: str) -> Action:
    eager = {"random": 0.75, "racer": 0.9, "runner": 0.35, "exiter": 0.6}[plan]
    owed = bool(book.duties(p))
    if owed or dice.random() < eager:
        acts = [a for a in book.legal(p) if isinstance(a, Target)]
        if acts:
            return dice.choice(acts)
    return Done(by)


def probes(g: Setting, p: Pos, dice: Dice) -> Iterator[Action]:
    """Actions near the lawful ones: units of all forces to hexes near by, attacks on whatever is close, answers nobody asked."""
    by = p.frame.by[0] if p.frame.by else CHANCE
    if by == CHANCE:
        key = "combat" if p.frame.step == "combat-roll" else p.frame.step
        yield Roll(CHANCE, key, (dice.choice((0, 7, 9)),))
        return
    ids, names = g.roster.ids, g.land.names
    unit = dice.randrange(0, len(ids))
    force = g.phase(p).force if p.phase >= 0 else 2
    own = [u for u in range(len(ids)) if p.force[u] == force and p.at[u] < g.land.size]
    if own and dice.random() < 0.85:
        unit = dice.choice(own)
    step = p.frame.step
    here = p.at[unit]
    if step == "movement" and here < g.land.size:
        yield from _movement_probes(g, p, dice, by, unit)
    elif step == "combat":
        yield from _combat_probes(g, p, dice, by, own)
    elif step == "replacement":
        boxed = [u for u in range(len(ids)) if g.land.size <= p.at[u]]
        if boxed:
            u = dice.choice(boxed)
            tables = (g.land.entry_soviet, g.land.entry_west, g.land.entry_italy)
            edge = [n for n in range(g.land.size) if any(t[n] for t in tables)]
            for node in (dice.choice(edge), dice.choice(g.land.beside_berlin), dice.randrange(0, g.land.size)):
                yield Replace(by, ids[u], names[node])
            if own:
                yield Replace(by, ids[dice.choice(own)], names[dice.choice(edge)])
    elif step == "retreat":
        for u in RetreatStep.pending(p):
            for node in g.land.touching[p.at[u]]:
                yield Retreat(by, ids[u], names[node])
        if own:
            u = dice.choice(own)
            yield Retreat(by, ids[u], names[dice.choice(g.land.touching[p.at[u]])])
        garrisons = [u for u in range(len(ids)) if p.garrison >> u & 1]
        if garrisons:
            u = dice.choice(garrisons)
            yield Retreat(by, ids[u], names[dice.choice(g.land.touching[p.at[u]])])
        yield Done(by)
    elif step == "advance":
        victors, hexes = p.frame.data
        assert isinstance(victors, tuple) and isinstance(hexes, tuple)
        for u in (*victors, unit):
            for node in hexes:
                yield Advance(by, ids[u], names[node])
        if victors and p.at[victors[0]] < g.land.size:
            yield Advance(by, ids[victors[0]], names[dice.choice(g.land.touching[p.at[victors[0]]])])
    elif step == "take":
        for _ in range(3):
            yield Take(by, ids[dice.randrange(0, len(ids))])
    elif step == "lose":
        yield Lose(by, ids[unit])
        yield Done(by)
    elif step == "declare":
        yield Join(by, ids[unit])
        yield Done(by)
        enemies = sorted(board(p, g.land).occ)
        yield Target(by, names[dice.choice(enemies)])
    elif step == "landing":
        yield PutAshore(by, names[dice.randrange(0, g.land.size)])
        yield PutAshore(by, names[dice.choice(g.land.ports)])
    elif step == "set-up":
        waiting = [u for u in range(len(ids)) if p.at[u] == g.land.unplaced]
        for node in (*sorted(g.land.courland), dice.randrange(0, g.land.size)):
            yield SetUp(by, ids[dice.choice(waiting)], names[node])
        yield Done(by)


def _movement_probes(g: Setting, p: Pos, dice: Dice, by: str, unit: int) -> Iterator[Action]:
    ids, names = g.roster.ids, g.land.names
    here = p.at[unit]
    near = dice.choice(g.land.touching[here])
    yield Move(by, ids[unit], names[here], names[near], ())
    second = dice.choice(g.land.touching[near])
    if second != here:
        yield Move(by, ids[unit], names[here], names[second], (names[near],))
        third = dice.choice(g.land.touching[second])
        yield Move(by, ids[unit], names[here], names[third], (names[near], names[second]))
    yield Move(by, ids[unit], names[here], names[dice.choice(g.land.touching[second])])
    if any(table[here] for table in g.land.exits) or dice.random() < 0.05:
        yield Exit(by, ids[unit], names[here], names[here])
    if any(table[near] for table in g.land.exits) or dice.random() < 0.05:
        yield Exit(by, ids[unit], names[here], names[near])
    moved = [u for u in range(len(ids)) if (p.moved | p.locked | p.garrison) >> u & 1 and p.at[u] < g.land.size]
    if moved:
        u = dice.choice(moved)
        yield Move(by, ids[u], names[p.at[u]], names[dice.choice(g.land.touching[p.at[u]])])
    if here in g.land.courland or dice.random() < 0.02:
        yield Evacuate(by, ids[unit])
    yield Done(by)


def _combat_probes(g: Setting, p: Pos, dice: Dice, by: str, own: list[int]) -> Iterator[Action]:
    occ = board(p, g.land).occ
    ids, names = g.roster.ids, g.land.names
    if not own:
        return
    unit = dice.choice(own)
    close = [n for n in g.land.touching[p.at[unit]] if n in occ] or [dice.choice(sorted(occ))]
    target = dice.choice(close)
    yield Attack(by, (ids[unit],), (names[target],))
    yield Target(by, names[target])
    other = dice.choice(own)
    if other != unit:
        yield Attack(by, tuple(sorted((ids[unit], ids[other]))), (names[target],))
    if len(close) > 1:
        yield Attack(by, (ids[unit],), tuple(sorted((names[close[0]], names[close[1]]))))
    used = [u for u in own if p.attacked >> u & 1]
    if used:
        u = dice.choice(used)
        for n in g.land.touching[p.at[u]]:
            if n in occ:
                yield Attack(by, (ids[u],), (names[n],))
    yield Done(by)
