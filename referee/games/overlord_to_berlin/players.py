"""Players for self-play. Pure: dice come from outside.

``choose`` plays one of ``PLANS``, always lawfully. The first plans play whole games from the set-up; those in ``LAID_OUT`` begin with
a position from ``scenes`` and bring about what whole games seldom reach. ``probes`` yields what nobody would play: see ``probing``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from referee.games.overlord_to_berlin.actions import (
    Ask,
    Attack,
    Drop,
    Exchange,
    Fill,
    Land,
    Lay,
    Lend,
    Move,
    Place,
    Play,
    Pocket,
    Recall,
    Restore,
    Retreat,
    Sail,
    Supply,
    TurnOver,
    Withdraw,
)
from referee.games.overlord_to_berlin.coverage import examiner
from referee.games.overlord_to_berlin.land import AXIS, BLACK, BLUE, RED, WEST
from referee.games.overlord_to_berlin.position import Pos, members
from referee.games.overlord_to_berlin.probing import probes
from referee.games.overlord_to_berlin.scenes import SCENES
from referee.games.overlord_to_berlin.setting import Setting, enemies
from referee.games.overlord_to_berlin.showing import phase_name
from referee.games.overlord_to_berlin.units import zones_of
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


class Plan(msgspec.Struct, frozen=True):
    """What the players of a game are after."""

    allies: str = ""
    """Where the Allied formations go: ``targets`` (13), ``vaterland``, ``yugoslavia`` (12.2), ``capitals`` (12.1), ``behind`` (into the
    rear, so that lines are cut); "" = anywhere."""
    axis: str = ""
    """Where those of the Axis go: ``home`` (to the Vaterland), ``front`` (to the nearest enemy), ``coast``; "" = anywhere."""
    attack: float = 0.8
    """How likely a formation that can attack does."""
    cards: float = 0.6
    """How likely a card that can be played is, once a chance is looked at."""
    spend: float = 0.85
    """How likely one more step is bought."""
    retreat: float = 0.6
    """How likely the Axis asks for leave, and the others go."""
    land: float = 0.9
    """How likely the West lands when it can."""
    fate: bool = False
    """Dice that whole games seldom see: the ends of the event tables, and what follows from them."""


_WHOLE = {
    "random": Plan(attack=0.5, cards=0.4, spend=0.6),
    "crusade": Plan("targets", "front", attack=0.9),
    "runner": Plan("vaterland", "home", attack=0.6, retreat=0.95),
    "siege": Plan("yugoslavia", "", attack=0.9, cards=0.8),
    "capitals": Plan("capitals", "front", attack=0.9, cards=0.8),
    "hoarder": Plan("targets", "front", attack=0.7, cards=0.08, spend=0.15),
    "counter": Plan("", "front", attack=0.95, cards=0.9, retreat=0.1),
    "rear": Plan("behind", "coast", attack=0.4, retreat=0.8),
    "fate": Plan("targets", "front", attack=0.7, fate=True),
    "islanders": Plan("targets", "front", land=0.0),
}
LAID_OUT: Mapping[str, str] = {name: scene.shows for name, scene in SCENES.items()}
"""The plans that begin with a position laid out by hand, and what it shows."""
PLANS = (*_WHOLE, *LAID_OUT)
_SCENE_PLAN = Plan("targets", "front", attack=0.85, cards=0.7)


def plans(book: Book[Pos]) -> Sequence[str]:
    """Every plan; there is one scenario."""
    return PLANS


def opening(book: Book[Pos], dice: Dice, plan: str) -> Pos:
    """The first position of a game: the set-up, or the plan's scene."""
    scene = SCENES.get(plan)
    return book.start() if scene is None else book.settled(scene.lay_out(book, dice))


def setting_of(book: Book[Pos]) -> Setting:
    """What the book was compiled to."""
    setting = getattr(book.game, "setting", None)
    assert isinstance(setting, Setting)
    return setting


def stretch(book: Book[Pos], p: Pos) -> str:
    """The step of the order of play, as a record's comments name it."""
    return phase_name(setting_of(book).phase(p)) if p.phase >= 0 else "set-up"


def listed(a: Action) -> bool:
    """Whether the action, if it is legal, stands in ``book.legal`` just so: no PA named by hand, nothing beyond a display's room, no
    giving up."""
    return isinstance(a, Lay | Drop | Ask | Retreat | Land | Sail | Play | TurnOver | Pocket | Withdraw | Restore)


def choose(book: Book[Pos], p: Pos, dice: Dice, plan: str) -> Action:
    """The next action of whoever has to act, now and then of somebody who may react. Always a legal one."""
    g = setting_of(book)
    way = _WHOLE.get(plan, _SCENE_PLAN)
    if p.frame.by == (CHANCE,):
        return _fate(book, g, p, dice, way)
    options = list(book.legal(p))
    by = p.frame.by
    own = [a for a in options if a.by in by and not isinstance(a, Done) and not _reaction(g, p, a) and not _needless(p, a)]
    reactions = [a for a in options if a not in own and not isinstance(a, Done) and not isinstance(a, Supply)]
    named = [a for a in options if isinstance(a, Supply)]
    done = next((a for a in options if isinstance(a, Done)), None)
    if reactions and dice.random() < way.cards * _EAGER.get(p.frame.step, 0.1):
        return dice.choice(reactions)
    if named and dice.random() < 0.05:
        return dice.choice(named)
    chosen = _STEPS.get(p.frame.step, _any)(g, p, dice, way, own)
    if chosen is not None and (done is None or p.frame.step not in _MOODS or dice.random() < _MOODS[p.frame.step](way)):
        return chosen
    if done is not None:
        return done
    return dice.choice(own or options)


_EAGER = {"reroll": 0.4, "cancel": 0.5, "keep": 0.0}
"""How eager players are to react in a window; elsewhere a tenth."""


def _reaction(g: Setting, p: Pos, a: Action) -> bool:
    """What is played between two actions, by whoever it may be (R-F43)."""
    effect = g.cards.effect[g.cards.index[a.card]] if isinstance(a, Play) else ""
    return isinstance(a, Lend | Supply) or effect in ("rebuild_two_steps_to_reserve", "reserve_to_displays")


def _needless(p: Pos, a: Action) -> bool:
    """An empty formation sent home before the step sends it (9.8)."""
    return isinstance(a, Recall) and p.frame.step != "redistribute"


_MOODS: dict[str, Callable[[Plan], float]] = {
    "spend": lambda way: way.spend,
    "stratagems": lambda way: way.cards,
    "bombard": lambda way: way.cards,
    "ask": lambda way: way.retreat,
    "retreat": lambda way: way.retreat,
    "combine": lambda way: 0.3,
    "transfers": lambda way: 0.45,
    "strategic": lambda way: 0.9,
    "operations": lambda way: 0.95,
    "leave-behind": lambda way: 0.6,
    "mystification": lambda way: 0.8,
    "propaganda": lambda way: 0.95,
    "offensive": lambda way: 0.95,
    "cancel": lambda way: 0.0,
    "redistribute": lambda way: 0.1,
}
"""Step -> how likely one more action of its own is before ``done``; steps that are not here go on as long as anything is left."""


def _any(g: Setting, p: Pos, dice: Dice, way: Plan, own: list[Action]) -> Action | None:
    return dice.choice(own) if own else None


def _strategic(g: Setting, p: Pos, dice: Dice, way: Plan, own: list[Action]) -> Action | None:
    """Fill and place; send home seldom, and never as a habit."""
    forward = [a for a in own if isinstance(a, Fill | Place)]
    if forward and dice.random() < 0.93:
        return dice.choice(forward)
    back = [a for a in own if isinstance(a, Withdraw)]
    return dice.choice(back) if back and dice.random() < 0.25 else dice.choice(forward) if forward else None


def _transfers(g: Setting, p: Pos, dice: Dice, way: Plan, own: list[Action]) -> Action | None:
    cards = [a for a in own if isinstance(a, Play)]
    return dice.choice(cards) if cards and dice.random() < way.cards else dice.choice(own) if own else None


def _redistribute(g: Setting, p: Pos, dice: Dice, way: Plan, own: list[Action]) -> Action | None:
    recalls = [a for a in own if isinstance(a, Recall)]
    exchanges = [a for a in own if isinstance(a, Exchange)]
    if recalls and (not exchanges or dice.random() < 0.7):
        return dice.choice(recalls)
    return dice.choice(exchanges) if exchanges else None


def _operations(g: Setting, p: Pos, dice: Dice, way: Plan, own: list[Action]) -> Action | None:
    """Land, play, attack, move towards the goal; a formation turned over by hand now and then."""
    by = p.frame.by[0]
    landing = [a for a in own if isinstance(a, Land | Sail)]
    filling = [a for a in own if isinstance(a, Fill)]
    if filling and dice.random() < 0.6 * way.land:
        return dice.choice(filling)
    if landing and dice.random() < way.land:
        both = [a for a in landing if isinstance(a, Land) and len(a.gfs) > 1]
        return dice.choice(both) if both and dice.random() < 0.7 else dice.choice(landing)
    cards = [a for a in own if isinstance(a, Play)]
    if cards and dice.random() < way.cards * 0.5:
        return dice.choice(cards)
    attacks = [a for a in own if isinstance(a, Attack)]
    if attacks and dice.random() < way.attack:
        most = max(len(a.supporters) + 2 * len(a.gfs) for a in attacks)
        strong = [a for a in attacks if len(a.supporters) + 2 * len(a.gfs) == most]
        return dice.choice(strong) if dice.random() < 0.6 else dice.choice(attacks)
    moves = [a for a in own if isinstance(a, Move)]
    if moves and dice.random() < 0.85:
        return _towards(g, p, dice, way, moves, g.side(by))
    turns = [a for a in own if isinstance(a, TurnOver)]
    return dice.choice(turns) if turns and dice.random() < 0.1 else None


def _towards(g: Setting, p: Pos, dice: Dice, way: Plan, moves: list[Move], side: int) -> Action | None:
    """A move that brings its formations nearer to the goal of the plan."""
    goal = _goal(g, p, way.axis if side == AXIS else way.allies, side)
    if not goal or dice.random() < 0.25:
        return dice.choice(moves)
    far = _distances(g, goal)
    nearer = [a for a in moves if far[g.land.zone(a.to)] < far[g.land.zone(a.start)]]
    if nearer:
        return dice.choice(nearer)
    return dice.choice(moves) if dice.random() < 0.15 else None


def _goal(g: Setting, p: Pos, what: str, side: int) -> int:
    """The zones that a side makes for."""
    land = g.land
    foes = 0
    for enemy in enemies(side):
        foes |= zones_of(g, p, enemy)
    held = sum(1 << zone for zone, holder in enumerate(p.control) if holder == side)
    own = held & ~foes
    return {
        "": 0,
        "targets": (land.sectors[BLUE] if side == WEST else land.sectors[BLACK] | land.sectors[RED]) & ~own,
        "vaterland": land.vaterland & ~own if side != AXIS else land.vaterland,
        "yugoslavia": sum(1 << land.zone(name) for name in ("21", "22")),
        "capitals": sum(1 << zone for zone in land.capital.values()) & ~own,
        "behind": land.everywhere & ~own & ~foes,
        "home": land.vaterland,
        "front": foes,
        "coast": land.ports,
    }[what]


def _distances(g: Setting, goal: int) -> list[int]:
    """Zone -> zones to go to the nearest of the goal."""
    far = [99] * g.land.size
    reached, fresh, steps = goal, goal, 0
    while fresh:
        around = 0
        for zone in members(fresh):
            far[zone] = steps
            around |= g.land.near[zone]
        fresh, steps = around & ~reached, steps + 1
        reached |= fresh
    return far


_STEPS: dict[str, Callable[[Setting, Pos, Dice, Plan, list[Action]], Action | None]] = {
    "strategic": _strategic,
    "transfers": _transfers,
    "redistribute": _redistribute,
    "operations": _operations,
}


def _fate(book: Book[Pos], g: Setting, p: Pos, dice: Dice, way: Plan) -> Action:
    """Dice and draws; a plan of fate throws what is rare as often as what is not."""
    data: Any = p.frame.data
    if p.frame.step == "draw":
        return dice.choice(list(book.legal(p)))
    key, count = str(data[0]), data[1] if p.frame.step == "dice" else 1
    if way.fate and key == "event" and p.frame.step == "dice":
        return Roll(CHANCE, key, dice.choice(_EVENT_FACES))
    if way.fate and key == "war-end" and p.frame.step == "dice":
        face = dice.choice((1, 6, 2, 3, 4, 5))
        return Roll(CHANCE, key, (face,) * 3)
    return Roll(CHANCE, key, tuple(dice.randrange(1, 7) for _ in range(count)))


_EVENT_FACES = tuple((max(1, total - 6), total - max(1, total - 6)) for total in range(2, 13))
"""One pair of dice for each total of the event tables (3.1)."""

