"""What the rules read instead of constants: phases, enemies, borders, limits of the scenario and its options (12.0 to 18.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from gamebox.model import Box
from referee.games.battle_for_germany.position import EG, FORCE_NAMES, FORCES, WG, G, S, W
from referee.rules.options import Amendment, Option, UsageError

REPLACEMENT: Final = "replacement"
MOVEMENT: Final = "movement"
COMBAT: Final = "combat"
TURN: Final = "turn"
SECOND_COMBAT: Final = "second_combat"
SECOND_MOVEMENT: Final = "second_movement"
"""The two phases that offensive supply adds (18.1.p8, 18.1.p9; their place R-G124)."""


@dataclass(frozen=True, slots=True)
class Phase:
    """One phase of 3.0: whose it is, what may be done, which paragraph prints it."""

    force: int
    kind: str
    owner: str
    player_turn: str
    para: str

    @property
    def name(self) -> str:
        """As players call it: ``West German Movement Phase``."""
        return "Turn Phase" if self.kind == TURN else f"{FORCE_NAMES[self.force]} {self.kind.replace('_', ' ').title()} Phase"


_KINDS: Final = (REPLACEMENT, MOVEMENT, COMBAT)
_TWO_PLAYERS: Final = {S: "3.0.a", WG: "3.0.a", W: "3.0.b", EG: "3.0.b"}
_THREE_PLAYERS: Final = {S: "16.1.a", G: "16.1.b", W: "16.1.c"}
_FOUR_PLAYERS: Final = {S: "17.2.a", EG: "17.2.b", WG: "17.2.c", W: "17.2.d"}


def _para(players: int, force: int, kind: str) -> str:
    """The paragraph that prints a phase: 3.0, 16.1, 17.2; 18.1 for the second ones."""
    if kind == TURN:
        return "16.1.d" if players == 3 else "3.0.c"
    if kind in (SECOND_COMBAT, SECOND_MOVEMENT):
        return "18.1.p8" if kind == SECOND_COMBAT else "18.1.p9"
    if players == 4:
        return _FOUR_PLAYERS[force]
    if players == 3:
        return f"{_THREE_PLAYERS[force]}{_KINDS.index(kind) + 1}"
    return f"{_TWO_PLAYERS[force]}{_KINDS.index(kind) + (4 if force in (WG, EG) else 1)}"


@dataclass(frozen=True, slots=True)
class Charts:
    """CRT, odds columns and replacement rates."""

    columns: tuple[str, ...]
    """From the lowest odds to the highest."""
    crt: dict[tuple[str, int], str]
    crt_certain: frozenset[tuple[str, int]]
    rates: dict[tuple[int, str], int]
    rate_certain: frozenset[tuple[int, str]]
    dates: dict[int, str]


@dataclass(frozen=True, slots=True)
class Terms:
    """The scenario and its options as the rules read them."""

    scenario: str
    title: str
    first_turn: int
    last_turn: int
    setup: str
    phases: tuple[Phase, ...]
    forces: frozenset[int]
    """The forces in the scenario."""
    enemies: tuple[tuple[int, ...], ...]
    """Per regime, per force the bits of the forces it may fight (R-G22); the second regime holds after the Germans have left."""
    boundary: bool
    owners: tuple[str, ...]
    """Per force the player who runs it (2.5, 16.0, 17.0, R-G120)."""
    players: int = 2
    mandate_turn: int = 1
    """Game turn of the compulsory attacks of 12.2; 0 = none."""
    mandated_attacks: int = 2
    mandate_odds: str = ""
    """The lowest odds at which an attack fulfils 12.2 (18/12.2); empty = any allowed ones."""
    stacking: int = 2
    exit_cost: int = 4
    exit_removals: int = 2
    attempts: int = 1
    attempts_each_turn: bool = False
    """18/8.0: the attempts are counted anew each turn (R-G77)."""
    first_evacuation: int = 3
    loss_die: int = 1
    double: int = 2
    triple: int = 0
    """Factor of the tripled move (16.3.b1); 0 = none."""
    triples: int = 0
    """Tripled moves a German Movement Phase."""
    berlin_barred: bool = True
    """No German enters Berlin (5.2.1.p3); lifted by 16.3.c2."""
    east_only: bool = False
    """Collapse: only the map east of the boundary is used (14.0.p3, R-G100)."""
    concentrated: tuple[str, ...] = ()
    """12.3: the boxes that East German replacements draw on, at both rates (R-G71); empty = 12.3 is not played."""
    berlin_ends_it: bool = False
    """Expanded: the Germans leave when Berlin has fallen (13.1)."""
    ss_stay: bool = False
    """13.2: the SS stay, under the Western player."""
    skip_die: int = 0
    """Red Star/White Star: the highest die that cancels the first Soviet player turn (15.2.b)."""
    markers: int = 0
    """Soviet supply markers at the start (18.1.p3); 0 = 18.1 is not played."""
    markers_turn: int = 2
    """The most that may be placed in one turn (18.1.p5)."""
    markers_again: int = 0
    """The turn on which the stock is full again (18.1.p4); 0 = never."""
    western_marker: bool = False
    supply_range: int = 3
    mixed_stacks: int = -1
    """18/5.3: mixed stacks allowed a front; -1 = any."""
    partial: bool = False
    """18/6.3: single units of a stack may be attacked."""
    victory: str = "points"
    """How the game is decided: ``points`` (11.0), ``three`` (16.3.a), ``berlin`` (17.3.b)."""
    german_points: bool = False
    """The Germans score their cities (14.0.p6, R-G101)."""
    occupied_only: bool = False
    """Only cities with a unit in them score (switch of R-G101)."""
    three_effects: int = 4
    """Multiplier of three terrain effects (R-G2)."""
    vacant_first: bool = False
    """Switch of R-G48: vacant before friend-occupied, whichever side."""
    lenient: bool = False


def slug(owner: str) -> str:
    """A player's name as it stands in notation: ``Western Allied`` -> ``western-allied``."""
    return owner.lower().replace(" ", "-")


def compile_terms(box: Box, scenario: str) -> Terms:
    """The terms of a scenario, before options.

    Raises UsageError for a scenario that the game does not have.
    """
    if scenario not in box["scenarios"].by_key:
        raise UsageError(f"scenario {scenario!r} does not exist; there are: {', '.join(r.key for r in box['scenarios'])}")
    row = box["scenarios"][scenario]
    players = row.int("players")
    phases = tuple(
        Phase(
            force=(force := FORCES.index(r.text("force")) if r.text("force") else -1),
            kind=r.text("phase"),
            owner=slug(r.text("owner")),
            player_turn=r.text("player_turn"),
            para=_para(players, force, r.text("phase")),
        )
        for r in box["phases"]
        if r.text("scenario") == scenario
    )
    constants = box["constants"]

    def constant(name: str) -> int:
        return int(constants[name].text("value"))

    column = {2: "owner_two_player", 3: "owner_three_player", 4: "owner_four_player"}[players]
    owners = tuple(slug(box["sides"][f].text(column)) for f in FORCES[:G])
    base = Terms(
        scenario=scenario,
        title=row.text("name"),
        first_turn=row.int("first_turn"),
        last_turn=row.int("last_turn"),
        setup=row.text("setup"),
        phases=phases,
        forces=frozenset(FORCES.index(f) for f in row.items("sides")) if players != 3 else frozenset((S, W, G)),
        enemies=(_enemies(row.items("enemies")), _enemies(row.items("enemies_later"))),
        boundary=row.flag("theater_boundary"),
        owners=(*owners, owners[EG]),
        players=players,
        mandated_attacks=constant("mandated_attacks"),
        stacking=constant("stacking_limit"),
        exit_cost=constant("exit_cost"),
        exit_removals=constant("exit_removals"),
        attempts=constant("courland_attempts"),
        first_evacuation=constant("courland_first_turn"),
        loss_die=constant("courland_loss_die"),
        double=constant("replacement_move_factor"),
        markers_turn=constant("supply_markers_soviet_per_turn"),
        supply_range=constant("supply_range"),
    )
    return _SCENARIOS[scenario](base, constant)


def _enemies(pairs: Iterable[str]) -> tuple[int, ...]:
    """Who may fight whom, as bits per force (R-G22)."""
    enemies = [0] * len(FORCES)
    for pair in pairs:
        a, b = (FORCES.index(x) for x in pair.split("-"))
        enemies[a] |= 1 << b
        enemies[b] |= 1 << a
    return tuple(enemies)


Constant = Callable[[str], int]
"""Reads a row of ``constants.csv``."""


def _historical(t: Terms, constant: Constant) -> Terms:
    """12.0, as the base has it."""
    return t


def _expanded(t: Terms, constant: Constant) -> Terms:
    """13.0, 13.1: the same until Berlin has fallen."""
    return replace(t, berlin_ends_it=True)


def _collapse(t: Terms, constant: Constant) -> Terms:
    """14.0: the east alone; no compulsory attacks (R-G102); the Germans score (R-G101)."""
    return replace(t, mandate_turn=0, east_only=True, german_points=True)


def _red_star(t: Terms, constant: Constant) -> Terms:
    """15.0: no Germans; a die before play."""
    return replace(t, mandate_turn=0, skip_die=constant("rsws_no_soviet_turn_die"))


def _three_player(t: Terms, constant: Constant) -> Terms:
    """16.0: one German force, one tripled move a phase (16.3.b), Berlin open to it (16.3.c2); no 12.2 (R-G106)."""
    return replace(
        t,
        mandate_turn=0,
        triple=constant("triple_move_factor"),
        triples=constant("triple_moves"),
        berlin_barred=False,
        victory="three",
    )


def _four_player(t: Terms, constant: Constant) -> Terms:
    """17.0: four players, decided in Berlin (17.3.b); no 12.2 (R-G108)."""
    return replace(t, mandate_turn=0, victory="berlin")


_SCENARIOS: Final[dict[str, Callable[[Terms, Constant], Terms]]] = {
    "historical": _historical,
    "expanded": _expanded,
    "collapse": _collapse,
    "rsws": _red_star,
    "three_player": _three_player,
    "four_player": _four_player,
}
"""12.0 to 17.0."""


def compile_charts(box: Box) -> Charts:
    """The CRT (6.1, 6.2) and the replacement rates of the turn track (7.2)."""
    crt = {(r.text("odds"), r.int("die")): r.text("result") for r in box["crt"]}

    def value(odds: str) -> float:
        a, d = odds.split(":")
        return int(a) / int(d)

    return Charts(
        columns=tuple(sorted({odds for odds, _ in crt}, key=value)),
        crt=crt,
        crt_certain=frozenset((r.text("odds"), r.int("die")) for r in box["crt"] if r.source("result").certain),
        rates={(r.int("turn"), r.text("rate")): r.int("number") for r in box["rates"]},
        rate_certain=frozenset((r.int("turn"), r.text("rate")) for r in box["rates"] if r.source("number").certain),
        dates={r.int("turn"): r.text("date") for r in box["turns"]},
    )


def _three_effects(t: Terms, constant: Constant) -> Terms:
    """The other reading of R-G2."""
    return replace(t, three_effects=5)


def _vacant_first(t: Terms, constant: Constant) -> Terms:
    """The other reading of R-G48."""
    return replace(t, vacant_first=True)


def _concentration(t: Terms, constant: Constant) -> Terms:
    """12.3: no compulsory attacks (12.3.p2); all German replacements go east, from both boxes (12.3.p3, R-G71)."""
    return replace(t, mandate_turn=0, concentrated=("box-eg", "box-wg"))


def _east_box(t: Terms, constant: Constant) -> Terms:
    """The other reading of R-G71."""
    return replace(t, concentrated=("box-eg",))


def _race(t: Terms, constant: Constant) -> Terms:
    """13.1.a2, the other reading of R-G1: after Berlin nobody fights (R-G97)."""
    return replace(t, enemies=(t.enemies[0], _enemies(())))


def _ss(t: Terms, constant: Constant) -> Terms:
    """13.2."""
    return replace(t, ss_stay=True)


def _occupied(t: Terms, constant: Constant) -> Terms:
    """The other reading of R-G101."""
    return replace(t, occupied_only=True)


def _own_front(t: Terms, constant: Constant) -> Terms:
    """The other reading of R-G24: each Ally fights the Germans of its own front."""
    own = _enemies(("S-EG", "W-WG"))
    return replace(t, enemies=(own, t.enemies[1]))


def _supply(t: Terms, constant: Constant) -> Terms:
    """18.1; in Collapse the Soviets alone have markers (R-G117); in Expanded the stock is full again on turn 11 (18.1.p4)."""
    return replace(
        t,
        markers=constant("supply_markers_soviet"),
        markers_again=11 if t.scenario == "expanded" else 0,
        western_marker=W in t.forces,
    )


def _groups(t: Terms, constant: Constant) -> Terms:
    """18/5.3."""
    return replace(t, mixed_stacks=constant("mixed_stacks_per_front"))


def _partial(t: Terms, constant: Constant) -> Terms:
    """18/6.3."""
    return replace(t, partial=True)


def _evacuations(t: Terms, constant: Constant) -> Terms:
    """18/8.0: one attempt a turn, from turn 1 (R-G77)."""
    return replace(
        t, attempts=constant("courland_attempts_18_8_0"), attempts_each_turn=True, first_evacuation=constant("courland_first_turn_18_8_0")
    )


def _even_odds(t: Terms, constant: Constant) -> Terms:
    """18/12.2."""
    return replace(t, mandate_odds="1:1")


_CHANGES: Final[dict[str, Callable[[Terms, Constant], Terms]]] = {
    "6.4/three-effects": _three_effects,
    "6.2.1/vacant-first": _vacant_first,
    "12.3": _concentration,
    "12.3/east-box": _east_box,
    "13.1/race": _race,
    "13.2": _ss,
    "14.0/occupied": _occupied,
    "17.3/own-front": _own_front,
    "18.1": _supply,
    "18/5.3": _groups,
    "18/6.3": _partial,
    "18/8.0": _evacuations,
    "18/12.2": _even_odds,
}
"""What each option changes, in the order in which they are applied."""


def options(box: Box) -> tuple[Option[Terms], ...]:
    """The options of the game; where each belongs, and what it needs and excludes, is the box's to say (R-G117).

    Options that reuse a number of the rules are told by ``18/`` (R-G19)."""
    constants = box["constants"]

    def constant(name: str) -> int:
        return int(constants[name].text("value"))

    rows = box["options"]
    return tuple(
        Option(
            name,
            partial(lambda change, terms: change(terms, constant), change),
            frozenset(rows[name].items("scenarios")),
            frozenset(rows[name].items("needs")),
            frozenset(rows[name].items("excludes")),
        )
        for name, change in _CHANGES.items()
    )


def without_supply(t: Terms) -> Terms:
    """The second phases exist only under 18.1, and only for forces that have markers (R-G117)."""
    sided = {S: t.markers > 0, W: t.western_marker}
    kept = tuple(ph for ph in t.phases if ph.kind not in (SECOND_COMBAT, SECOND_MOVEMENT) or sided.get(ph.force, False))
    return replace(t, phases=kept)


AMENDMENTS: tuple[Amendment[Terms], ...] = ()
"""What has changed since rules version 1, the terms as ``compile_terms`` gives them; every change of an old verdict is one more."""
