"""Players for self-play. Pure: dice come from outside.

``choose`` plays one of ``PLANS``, always lawfully. The first plans play whole games from the set-up; those in ``LAID_OUT`` begin with
a position from ``scenes`` and bring about what whole games seldom reach. ``probes`` yields what nobody would play: see ``probing``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from msgspec.structs import replace

from referee.games.battle_for_germany.actions import Attack, Evacuate, Exit, Move, Target
from referee.games.battle_for_germany.combat import candidates, named_target
from referee.games.battle_for_germany.coverage import examiner
from referee.games.battle_for_germany.land import Land
from referee.games.battle_for_germany.mandate import possible_attacks
from referee.games.battle_for_germany.movement import unit_reach
from referee.games.battle_for_germany.odds import column, strengths
from referee.games.battle_for_germany.position import EG, WG, S, W, board
from referee.games.battle_for_germany.probing import probes
from referee.games.battle_for_germany.scenes import SCENES
from referee.games.battle_for_germany.setting import Setting, german
from referee.games.battle_for_germany.stacking import groups_of
from referee.games.battle_for_germany.state import Pos
from referee.rules.book import Book
from referee.rules.model import CHANCE, Action, Done, Roll

__all__ = ["LAID_OUT", "PLANS", "choose", "examiner", "listed", "opening", "plans", "probes", "stretch"]

T = TypeVar("T")


class Dice(Protocol):
    """The part of ``random.Random`` that players use."""

    def random(self) -> float: ...
    def choice(self, seq: Sequence[T], /) -> T: ...
    def sample(self, population: Sequence[T], k: int) -> list[T]: ...
    def randrange(self, start: int, stop: int, /) -> int: ...


WHOLE = ("random", "racer", "runner", "exiter")
"""What a game's players are after: nothing; Berlin; the far ends of the map; leaving it."""
LAID_OUT: Mapping[str, str] = {name: scene.shows for name, scene in SCENES.items()}
"""The plans that begin with a position laid out by hand, and what it shows."""
PLANS = (*WHOLE, *WHOLE, *WHOLE, *LAID_OUT, "capitals", "capitals", "capitals", "border", "border", "displaced")
_SCENES_OF = ("historical", "expanded", "four_player")
"""The scenarios that have the forces and turns of the laid-out positions."""


def plans(book: Book[Pos]) -> Sequence[str]:
    """The plans that the scenario has room for."""
    return PLANS if book.game.scenario in _SCENES_OF else WHOLE


def opening(book: Book[Pos], dice: Dice, plan: str) -> Pos:
    """The first position of a game: the scenario's start, or the plan's scene."""
    scene = SCENES.get(plan)
    return book.start() if scene is None else book.settled(scene.lay_out(book, dice))


def setting_of(book: Book[Pos]) -> Setting:
    """What the book was compiled to."""
    setting = getattr(book.game, "setting", None)
    assert isinstance(setting, Setting)
    return setting


def choose(book: Book[Pos], p: Pos, dice: Dice, plan: str) -> Action:
    """The next action of whoever has to act. Always a legal one."""
    g = setting_of(book)
    frame = p.frame
    by = frame.by[0]
    if by == CHANCE:
        key = "combat" if frame.step == "combat-roll" else frame.step
        return Roll(CHANCE, key, (dice.randrange(1, 7),))
    if frame.step in ("movement", "second-movement"):
        return _movement(book, g, p, dice, plan, by)
    if frame.step in ("combat", "second-combat"):
        return _combat(book, g, p, dice, plan, by)
    options = list(book.legal(p))
    acts = [a for a in options if not isinstance(a, Done)]
    may_end = len(acts) < len(options)
    if frame.step == "declare":
        joins = [a for a in acts if not isinstance(a, Target)]
        if len(joins) < len(acts) and (not joins or dice.random() < 0.12):
            return dice.choice([a for a in acts if isinstance(a, Target)])
        if joins and (not may_end or dice.random() < (0.97 if plan == "border" else 0.8)):
            return dice.choice(joins)
    elif (frame.step == "take" and plan in ("exiter", "rim") and acts) or (acts and (not may_end or dice.random() < 0.85)):
        return dice.choice(acts)
    return Done(by) if may_end else dice.choice(acts)


def _movement(book: Book[Pos], g: Setting, p: Pos, dice: Dice, plan: str, by: str) -> Action:
    land = g.land
    force = g.phase(p).force
    held = p.moved | p.locked | p.garrison | (~p.eligible if p.frame.step == "second-movement" else 0)
    units = [u for u, node in enumerate(p.at) if node < land.size and p.force[u] == force and not held >> u & 1]
    crowded = {n for n, us in board(p, land).occ.items() if len(us) > 1 and p.force[us[0]] == force and _crowded(g, us)}
    if crowded:
        units = [u for u in units if p.at[u] in crowded] or units
    stay = 0.02 if crowded else _STAY.get(plan, 0.12)
    while units and (crowded or dice.random() >= stay):
        unit = dice.choice(units)
        units.remove(unit)
        acts = [a for a in book.legal(p, about=unit) if not isinstance(a, Done)]
        move = _pick(g, p, unit, acts, dice, plan)
        if move is not None and not _gives_away(book, g, p, move):
            return _by_another_way(book, g, p, move, dice)
    return Done(by)


def _by_another_way(book: Book[Pos], g: Setting, p: Pos, move: Action, dice: Dice) -> Action:
    """Now and then the same move by a way of its own choice, named hex by hex."""
    if not isinstance(move, Move) or dice.random() >= 0.15:
        return move
    land = g.land
    start, goal = land.nodes[move.start], land.nodes[move.to]
    first = dice.choice(land.near[start])
    if goal in land.near[first]:
        other = replace(move, via=(land.names[first],))
        if book.check(p, other).legal:
            return other
    return move


def _gives_away(book: Book[Pos], g: Setting, p: Pos, move: Action) -> bool:
    """The move would leave fewer West German attacks than 12.2 wants (R-G62)."""
    if p.turn != g.terms.mandate_turn or g.phase(p).force != WG:
        return False
    return possible_attacks(g, book.play(p, move), WG, g.terms.mandated_attacks) < p.mandated[1]


def _crowded(g: Setting, units: tuple[int, ...]) -> bool:
    mixed = g.terms.mixed_stacks >= 0 and groups_of(g, units) == 3
    return mixed or len(units) > g.terms.stacking or sum(g.roster.front >> u & 1 for u in units) > 1


def _pick(g: Setting, p: Pos, unit: int, acts: list[Action], dice: Dice, plan: str) -> Action | None:
    """A move that keeps the stacks lawful, by the plan."""
    occ = board(p, g.land).occ
    held = p.moved | p.locked | p.garrison | (~p.eligible if p.frame.step == "second-movement" else 0)
    roomy: list[Move] = []
    for a in acts:
        if isinstance(a, Exit | Evacuate):
            if plan in ("exiter", "rim", "ports") or dice.random() < 0.3:
                return a
        elif isinstance(a, Move):
            there = occ.get(g.land.nodes[a.to])
            if there is None or not _crowded(g, (*there, unit)):
                roomy.append(a)
            elif (
                dice.random() < 0.02
                and len(there) < 3
                and any(
                    not held >> u & 1 and not _crowded(g, (*(v for v in there if v != u), unit)) and _can_make_room(g, p, u) for u in there
                )
            ):
                return a  # three, or two Fronts, for a while: somebody there can still move on (5.1 is judged at the end)
    if not roomy:
        return None
    goal = _goal(g.land, p.force[unit], "governor" if plan == "racer" and g.roster.front >> unit & 1 else plan)
    if goal is None or dice.random() < 0.2:
        return dice.choice(roomy)
    nodes = g.land.nodes
    best = min(goal[nodes[a.to]] for a in roomy)
    return dice.choice([a for a in roomy if goal[nodes[a.to]] == best])


def _can_make_room(g: Setting, p: Pos, unit: int) -> bool:
    """The unit can go where nobody is, and nothing of 12.2 holds it."""
    occ = board(p, g.land).occ
    free = [n for n in unit_reach(g, p, unit).cost if n not in occ]
    return len(free) > 1 and not (p.turn == g.terms.mandate_turn and p.force[unit] == WG)


_GOALS: dict[tuple[str, int], tuple[Land, bytes | None]] = {}


def _goal(land: Land, force: int, plan: str) -> bytes | None:
    """Per node how far it is from where the plan sends a force; None = nowhere."""
    known = _GOALS.get((plan, force))
    if known is None or known[0] is not land:
        goals = tuple(_goals(land, force, plan))
        table = bytes(min(land.distance(n, goal) for goal in goals) for n in range(land.size)) if goals else None
        known = _GOALS[plan, force] = (land, table)
    return known[1]


def _goals(land: Land, force: int, plan: str) -> Sequence[int]:
    if plan == "racer" and force in (S, W):
        return (land.berlin,)
    if plan == "governor":  # the Fronts of racers: to the capitals (10.0)
        return tuple(n for n in range(land.size) if land.capital[n])
    if plan == "exiter" and german(force):
        return tuple(n for table in land.exits for n in range(land.size) if table[n])
    if plan == "runner":
        return tuple(sorted(land.courland)) if force in (W, EG) else land.ports
    return ()


_STAY = {"random": 0.05, "racer": 0.02, "runner": 0.02, "exiter": 0.03, "capitals": 0.5, "berlin": 0.4}
"""How likely a plan is to end a Movement Phase before every unit has moved, asked anew for each."""
_EAGER = {"random": 0.75, "racer": 0.9, "runner": 0.35, "exiter": 0.6, "capitals": 0.97}
"""How likely a plan is to attack once more."""
_IN_ONE_LINE = 0.35


def _combat(book: Book[Pos], g: Setting, p: Pos, dice: Dice, plan: str, by: str) -> Action:
    owed = bool(book.duties(p))
    if owed or dice.random() < _EAGER.get(plan, 0.9):
        acts = [a for a in book.legal(p) if isinstance(a, Target)]
        if acts:
            target = dice.choice(acts)
            whole = _whole_attack(g, p, dice, by, target) if plan != "border" and dice.random() < _IN_ONE_LINE else None
            return whole or target
    return Done(by)


def _whole_attack(g: Setting, p: Pos, dice: Dice, by: str, target: Target) -> Attack | None:
    """The attack in one line: some of those who may join, as many as the odds table asks for."""
    node, named = named_target(g, p, target.to)
    nodes = (node,)
    pool = list(candidates(g, p, nodes, named))
    joined: list[int] = []
    while pool:
        unit = dice.choice(pool)
        pool.remove(unit)
        joined.append(unit)
        if dice.random() < 0.4 and column(g, *strengths(g, p, tuple(joined), nodes, named)) >= 0:
            break
    if column(g, *strengths(g, p, tuple(joined), nodes, named)) < 0:
        return None
    return Attack(by, tuple(sorted(g.roster.ids[u] for u in joined)), (target.to,))


def stretch(book: Book[Pos], p: Pos) -> str:
    """The phase and whose it is, as a record's comments name it."""
    return f"{', '.join(p.agenda[0].by)} {p.agenda[0].step}"


def listed(a: Action) -> bool:
    """Whether ``book.legal`` names the action just so: no way of one's own, no attack in one line."""
    return not isinstance(a, Attack) and not getattr(a, "via", ())
