"""What the rules read instead of constants: phases, enemies, borders, limits of the scenario and its options (12.0 to 18.1)."""

from __future__ import annotations

import msgspec

from gamebox.model import Box
from referee.games.battle_for_germany.position import EG, FORCES, WG, S, W
from referee.rules.options import Amendment, Option, UsageError

REPLACEMENT, MOVEMENT, COMBAT, TURN = "replacement", "movement", "combat", "turn"


class Phase(msgspec.Struct, frozen=True):
    """One phase of 3.0: whose it is, what may be done, which paragraph prints it."""

    force: int
    kind: str
    owner: str
    player_turn: str
    para: str

    @property
    def name(self) -> str:
        """As players call it: ``West German Movement Phase``."""
        return "Turn Phase" if self.kind == TURN else f"{_FORCE_TITLES[self.force]} {self.kind.title()} Phase"


_FORCE_TITLES = ("Soviet", "Western Allied", "East German", "West German")

_PARAS = {
    (S, REPLACEMENT): "3.0.a1",
    (S, MOVEMENT): "3.0.a2",
    (S, COMBAT): "3.0.a3",
    (WG, REPLACEMENT): "3.0.a4",
    (WG, MOVEMENT): "3.0.a5",
    (WG, COMBAT): "3.0.a6",
    (W, REPLACEMENT): "3.0.b1",
    (W, MOVEMENT): "3.0.b2",
    (W, COMBAT): "3.0.b3",
    (EG, REPLACEMENT): "3.0.b4",
    (EG, MOVEMENT): "3.0.b5",
    (EG, COMBAT): "3.0.b6",
}


class Charts(msgspec.Struct, frozen=True):
    """CRT, odds columns and replacement rates."""

    columns: tuple[str, ...]
    """From the lowest odds to the highest."""
    crt: dict[tuple[str, int], str]
    crt_certain: frozenset[tuple[str, int]]
    rates: dict[tuple[int, str], int]
    rate_certain: frozenset[tuple[int, str]]
    dates: dict[int, str]


class Terms(msgspec.Struct, frozen=True):
    """The scenario and its options as the rules read them."""

    scenario: str
    title: str
    first_turn: int
    last_turn: int
    setup: str
    phases: tuple[Phase, ...]
    enemies: tuple[int, int, int, int]
    """Per force the bits of the forces it may fight (R-G22)."""
    boundary: bool
    owners: tuple[str, str, str, str]
    """Per force the player who runs it (2.5, R-G120)."""
    mandate_turn: int = 1
    """Game turn of the compulsory attacks of 12.2; 0 = none."""
    mandated_attacks: int = 2
    stacking: int = 2
    exit_cost: int = 4
    exit_removals: int = 2
    attempts: int = 1
    first_evacuation: int = 3
    loss_die: int = 1
    double: int = 2
    three_effects: int = 4
    """Multiplier of three terrain effects (R-G2)."""
    vacant_first: bool = False
    """Switch of R-G48: vacant before friend-occupied, whichever side."""
    lenient: bool = False


def slug(owner: str) -> str:
    """A player's name as it stands in notation: ``Western Allied`` -> ``western-allied``."""
    return owner.lower().replace(" ", "-")


PLAYABLE = ("historical",)
"""The scenarios whose rules are whole; the others are refused by name."""


def compile_terms(box: Box, scenario: str) -> Terms:
    """The terms of a scenario, before options.

    Raises UsageError for a scenario that is not playable.
    """
    if scenario not in PLAYABLE:
        raise UsageError(f"scenario {scenario!r} is not refereed; there are: {', '.join(PLAYABLE)}")
    row = box["scenarios"][scenario]
    phases = tuple(
        Phase(
            force=FORCES.index(r.text("force")) if r.text("force") else -1,
            kind=r.text("phase"),
            owner=slug(r.text("owner")),
            player_turn=r.text("player_turn"),
            para=_PARAS.get((FORCES.index(r.text("force")), r.text("phase")), "3.0") if r.text("force") else "3.0.c",
        )
        for r in box["phases"]
        if r.text("scenario") == scenario and not r.text("phase").startswith("second")
    )
    enemies = [0, 0, 0, 0]
    for pair in row.text("enemies").split():
        a, b = (FORCES.index(x) for x in pair.split("-"))
        enemies[a] |= 1 << b
        enemies[b] |= 1 << a
    constants = box["constants"]
    owners = tuple(slug(box["sides"][f].text("owner_two_player")) for f in FORCES)
    return Terms(
        scenario=scenario,
        title=row.text("name"),
        first_turn=row.int("first_turn"),
        last_turn=row.int("last_turn"),
        setup=row.text("setup"),
        phases=phases,
        enemies=(enemies[0], enemies[1], enemies[2], enemies[3]),
        boundary=row.flag("theater_boundary"),
        owners=(owners[0], owners[1], owners[2], owners[3]),
        mandated_attacks=int(constants["mandated_attacks"].text("value")),
        stacking=int(constants["stacking_limit"].text("value")),
        exit_cost=int(constants["exit_cost"].text("value")),
        exit_removals=int(constants["exit_removals"].text("value")),
        attempts=int(constants["courland_attempts"].text("value")),
        first_evacuation=int(constants["courland_first_turn"].text("value")),
        loss_die=int(constants["courland_loss_die"].text("value")),
        double=int(constants["replacement_move_factor"].text("value")),
    )


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


def _three_effects(t: Terms) -> Terms:
    return msgspec.structs.replace(t, three_effects=5)


def _vacant_first(t: Terms) -> Terms:
    return msgspec.structs.replace(t, vacant_first=True)


OPTIONS: tuple[Option[Terms], ...] = (
    Option("6.4/three-effects", _three_effects, frozenset(PLAYABLE)),
    Option("6.2.1/vacant-first", _vacant_first, frozenset(PLAYABLE)),
)
"""The options that are whole in the engine; ``referee`` refuses any other by name."""

AMENDMENTS: tuple[Amendment[Terms], ...] = ()
"""What has changed since rules version 1, the terms as ``compile_terms`` gives them; every change of an old verdict is one more."""
