"""Positions laid out by hand for self-play: what whole games reach too seldom to be tried from both sides.

Each is drawn anew from dice within its theme and played on to the last turn. Pure: dice come from outside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from referee.games.overlord_to_berlin.land import AXIS, SOVIET, WEST
from referee.games.overlord_to_berlin.position import Pos
from referee.games.overlord_to_berlin.setting import Setting
from referee.rules.book import Book

T = TypeVar("T")


class Dice(Protocol):
    """The part of ``random.Random`` that scenes use."""

    def random(self) -> float: ...
    def choice(self, seq: Sequence[T], /) -> T: ...
    def sample(self, population: Sequence[T], k: int) -> list[T]: ...
    def randrange(self, start: int, stop: int, /) -> int: ...


class Scene(msgspec.Struct, frozen=True):
    """A theme: what it shows, and where everything stands."""

    shows: str
    phase: str
    """The step of the order of play that begins, as ``Phase.name``."""
    axis: str
    """The zones of the formations of the Axis, one a formation; the first formations of the box take them in turn."""
    west: str = ""
    soviet: str = ""
    turn: int = 3
    hands: Mapping[str, str] = {}
    control: Mapping[str, str] = {}
    """Side -> zones that it controls, where the set-up says otherwise."""
    pockets: str = ""
    """Zones in which a unit of the Axis stays behind."""
    worn: float = 0.4
    """How many units have lost a step."""
    dead: float = 0.15
    """How many units lie in piles."""
    loose: float = 0.2
    """How many units lie loose in the Reserve."""
    fields: Mapping[str, Any] = {}

    def lay_out(self, book: Book[Pos], dice: Dice) -> Pos:
        """The position, not settled."""
        game: Any = book.game
        g: Setting = game.setting
        told = _Told(g, dice, self)
        control = {zone: side for side, zones in self.control.items() for zone in map(int, zones.split())}
        p: Pos = game.arranged(
            gfs=told.gfs,
            units=told.units,
            reduced=told.reduced,
            hands={side: cards.split() for side, cards in self.hands.items()},
            control=control,
            pr={"england": 4, "italy": 3, "soviet": 7, "axis": 9},
            turn=self.turn,
            phase=self.phase,
            **self.fields,
        )
        return p


class _Told:
    """Who stands where in one drawing of a scene."""

    def __init__(self, g: Setting, dice: Dice, scene: Scene) -> None:
        self.g = g
        self.gfs: dict[str, str] = {}
        self.units: dict[str, str] = {}
        self.reduced: list[str] = []
        for side, zones in ((WEST, scene.west), (SOVIET, scene.soviet), (AXIS, scene.axis)):
            self._side(side, zones.split(), dice, scene)
        if scene.pockets:
            free = [u for u in g.units.ids if g.units.german >> g.units.index[u] & 1 and self.units.get(u) in ("reserve", "pile")]
            for zone, unit in zip(scene.pockets.split(), dice.sample(free, min(len(free), len(scene.pockets.split()))), strict=False):
                self.units[unit] = zone

    def _side(self, side: int, zones: Sequence[str], dice: Dice, scene: Scene) -> None:
        g = self.g
        formations = [g.gfs.ids[gf] for gf in range(len(g.gfs.ids)) if g.gfs.side[gf] == side]
        formations = dice.sample(formations, len(formations))
        for name in formations:
            self.gfs[name] = "reserve"
        standing = formations[: len(zones)]
        for name, zone in zip(standing, zones, strict=False):
            self.gfs[name] = zone
        units = [u for u in range(len(g.units.ids)) if g.units.side[u] == side and not g.units.paratroops >> u & 1]
        units = dice.sample(units, len(units))
        for name in standing:
            self._put(units.pop(), name, dice, scene)
        room = {name: g.gfs.capacity[g.gfs.index[name]] - (name in standing) for name in formations}
        for unit in units:
            chance = dice.random()
            open_ = [name for name in formations if room[name] and (name in standing or dice.random() < 0.2)]
            if chance < scene.dead:
                minor = g.units.minor >> unit & 1
                self.units[g.units.ids[unit]] = "destroyed" if minor or dice.random() < 0.3 else "pile"
            elif chance < scene.dead + scene.loose or not open_:
                self._put(unit, "reserve", dice, scene)
            else:
                name = dice.choice(open_)
                room[name] -= 1
                self._put(unit, name, dice, scene)
        for unit in range(len(g.units.ids)):
            if g.units.side[unit] == side and g.units.paratroops >> unit & 1:
                self.units[g.units.ids[unit]] = "paratroops"

    def _put(self, unit: int, place: str, dice: Dice, scene: Scene) -> None:
        name = self.g.units.ids[unit]
        self.units[name] = place
        if dice.random() < scene.worn:
            self.reduced.append(name)


_CARDS = {
    "west": "op-surprise op-antitank op-elastic we-patton we-enigma we-carpet we-8af",
    "soviet": "op-engineers op-information op-fanaticism so-joukov so-maskirovka so-organ so-propaganda",
    "axis": "op-fortifications op-artillery op-surround ax-blocking ax-offensive ax-secret ax-szorkeny",
}
_OTHERS = {**_CARDS, "axis": "op-fortifications op-artillery op-surround ax-mystification ax-propaganda ax-flak ax-blocking"}

SCENES: Mapping[str, Scene] = {
    "courland": Scene(
        "formations of the Axis behind the Soviets on the Baltic, three places for more than three",
        "soviet_action combine soviet",
        axis="28 28 29 29 30 30 17 24 16 11 21",
        soviet="31 31 37 32 25 33 40 48",
        west="9 8",
        hands=_CARDS,
        control={"soviet": "25 31 32 33 37 38 40 41 24", "west": "8"},
        turn=4,
    ),
    "beachhead": Scene(
        "a landing against the wall, with cards on both sides",
        "west_action combine west",
        axis="1 1 4 4 3 2 6 9 9 37 38 40 48",
        soviet="44 44 45 45 46 46 47 47",
        west="9 9",
        hands=_CARDS,
        turn=1,
        dead=0.05,
        loose=0.1,
    ),
    "ports": Scene(
        "contested ports and what stays behind in them",
        "west_action combine west",
        axis="1 2 3 4 6 21 10 7 11 37 40",
        soviet="44 45 46 47 37",
        west="1 1 2 4 3 10 9 21",
        control={"west": "5 9"},
        pockets="2 4",
        hands=_CARDS,
        turn=3,
    ),
    "directives": Scene(
        "events that bind PR and the Reserve of every side",
        "economic income west",
        axis="1 2 4 8 9 21 37 38 39 40 48 49",
        soviet="37 38 44 45 46 47 39 48",
        west="1 1 4 9 9 10",
        hands=_OTHERS,
        turn=3,
        loose=0.4,
        fields={"event": (5, 5, 10)},
    ),
    "balkans": Scene(
        "events of the south: Croatia, the red zones, the Reserve to the south",
        "economic income west",
        axis="9 9 21 22 26 27 53 48 49 37 40 14",
        soviet="48 49 47 46 44 45 37 40",
        west="9 9 10",
        hands=_OTHERS,
        turn=3,
        loose=0.4,
        fields={"event": (9, 9, 5)},
    ),
    "americans": Scene(
        "PR for the Americans alone, the Reserve to the north",
        "economic income west",
        axis="1 2 5 8 9 21 28 37 38 39 40 48 49",
        soviet="37 38 44 45 46 47 39 48",
        west="1 1 5 5 9 9 10",
        control={"west": "3"},
        hands=_OTHERS,
        turn=4,
        loose=0.4,
        fields={"event": (10, 12, 9)},
    ),
    "crowded": Scene(
        "retreats into full zones, with nobody to ask for leave",
        "soviet_action combine soviet",
        axis="37 37 31 31 38 38 39 39 40 40 24 24 9 9",
        soviet="37 37 38 38 39 39 40 44",
        west="9 10",
        hands=_CARDS,
        turn=2,
        fields={"fuhrer_dead": True},
    ),
    "citadel": Scene(
        "attacks of the Axis with its armour, the enemy in the Vaterland",
        "axis_action combine axis",
        axis="7 7 11 11 16 16 24 24 37 38 40 21",
        soviet="16 16 24 25 37 38 40 44",
        west="7 7 11 5 5 9",
        control={"west": "1 2 3 4 6 8", "soviet": "25 31 32 33"},
        hands=_CARDS,
        turn=5,
        dead=0.3,
    ),
    "cauldron": Scene(
        "some of the formations in a zone cut off, some supplied over the Baltic, among Soviets",
        "soviet_action combine soviet",
        axis="30 30 29 29 31 31 16 27 26 21 9 1",
        soviet="30 30 29 29 31 31 37 45 44",
        west="9 10",
        control={"soviet": "24 25 28 32 33 34 37 38 39 40 41 42 43 44 45 46 47 48"},
        hands=_CARDS,
        turn=3,
        worn=0.2,
    ),
    "bucharest": Scene(
        "Soviets in Bucharest and before Budapest, minor allies, volunteers of the Vaterland",
        "final capitulation soviet",
        axis="26 27 14 13 17 16 21 9 1 37",
        soviet="53 53 26 48 16 17 37 44",
        west="9 14 10",
        control={"soviet": "48 49 50 51 52 53 54"},
        hands=_OTHERS,
        turn=3,
        worn=0.6,
    ),
}
"""The themes."""
