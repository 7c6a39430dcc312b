"""What the rules read instead of constants: the scenario with its switches, the charts, the deck of stratagems."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from gamebox.model import Box
from referee.games.overlord_to_berlin.land import SIDES
from referee.rules.options import Amendment, Option

ENGLAND, ITALY, SOVIET_PR, AXIS_PR = 0, 1, 2, 3
"""The tracks of resource points (5.1, 5.4)."""
TRACKS = ("england", "italy", "soviet", "axis")
TRACKS_OF = ((ENGLAND, ITALY), (SOVIET_PR,), (AXIS_PR,))
"""Side -> its tracks."""


class Phase(msgspec.Struct, frozen=True):
    """One row of the order of play (2): a step of one side (-1: of nobody in particular)."""

    phase: str
    """``political`` ``economic`` ``west_action`` ``soviet_action`` ``axis_action`` ``final``."""
    step: str
    side: int

    @property
    def name(self) -> str:
        """``axis_action operations axis``."""
        return " ".join(filter(None, (self.phase, self.step, SIDES[self.side] if self.side >= 0 else "")))


class Terms(msgspec.Struct, frozen=True):
    """The scenario (14.1) and its switches as the rules read them."""

    scenario: str
    title: str
    first_turn: int
    last_turn: int
    setup: str
    phases: tuple[Phase, ...]
    number: dict[str, int]
    """The whole numbers of ``constants.csv`` by name."""
    tracks: tuple[tuple[int, int, int, bool], ...]
    """Track -> start, minimum, maximum (-1 = none), kept from turn to turn (5.1, 5.4)."""
    printed_setup: bool = False
    """R-F2, the other reading: 4.Armee in the zone of the printed list."""
    die_past_left: bool = False
    """R-F15, the other reading: each column too many to the left is -1 on the die."""
    loss_permanent: bool = False
    """R-F20, the other reading."""
    escort_uncontested: bool = False
    """R-F64, the other reading."""
    landers_only: bool = False
    """R-F99, the other reading."""
    retreat_together: bool = False
    """R-F108, the other reading."""
    pocket_any_coast: bool = False
    """R-F115, the other reading."""
    pocket_besieged: bool = False
    """R-F117, the other reading."""
    peace_soviets_alone: bool = False
    """R-F132, the other reading."""
    three_seats: bool = False
    """R-F135, the other reading: each side sees its own alone."""
    lenient: bool = False
    """Compiled with every reconstructed cell at its most lenient value."""


class Charts(msgspec.Struct, frozen=True):
    """The tables of the game."""

    columns: tuple[tuple[int, int], ...]
    """Column -> lowest and highest strength (-1 = no upper end) (CRT, R-F18)."""
    crt: tuple[tuple[int, ...], ...]
    """Die -> column -> steps lost."""
    crt_certain: frozenset[tuple[int, int]]
    """(die, column) of the cells that are printed or follow from the example of 11.3."""
    events: tuple[tuple[str, ...], ...]
    """Side -> dice total - 2 -> effect (PE)."""
    dates: dict[int, str]
    landing_turns: frozenset[int]
    """Turns with a landing (9.5, 14.7)."""
    reinforcements: tuple[tuple[int, str], ...]
    """(turn, formation or unit) (14.7)."""


class Cards(msgspec.Struct, frozen=True):
    """The stratagems (11), each by its index. Sets of them are ints used as bits."""

    ids: tuple[str, ...]
    index: dict[str, int]
    names: tuple[str, ...]
    effect: tuple[str, ...]
    national: tuple[int, int, int]
    """Side -> its national stratagems (11.1)."""
    operational: int
    start: tuple[int, int, int]
    """Side -> what it holds before turn 1 (14.2)."""

    def with_effect(self, effect: str) -> int:
        """The set of cards that do this."""
        return sum(1 << i for i, e in enumerate(self.effect) if e == effect)


def compile_terms(box: Box, scenario: str) -> Terms:
    """The scenario as the base rules have it. Raises KeyError for one that there is not."""
    row = box["scenarios"][scenario]
    rows = sorted((r for r in box["phases"] if r.text("scenario") == scenario), key=lambda r: r.int("order"))
    force = {"": -1, **{name: i for i, name in enumerate(SIDES)}}
    numbers = {r.key: r.text("value") for r in box["constants"]}
    tracks = box["tracks"]
    return Terms(
        scenario=scenario,
        title=row.text("name"),
        first_turn=row.int("first_turn"),
        last_turn=row.int("last_turn"),
        setup=row.text("setup"),
        phases=tuple(Phase(r.text("phase"), r.text("step"), force[r.text("force")]) for r in rows),
        number={name: int(value) for name, value in numbers.items() if value.lstrip("-").isdigit()},
        tracks=tuple(
            (tracks[t].int("start"), tracks[t].int("minimum"), tracks[t].int("maximum", -1), tracks[t].flag("kept")) for t in TRACKS
        ),
    )


def compile_charts(box: Box) -> Charts:
    """The tables of the box."""
    columns = sorted(box["crt_columns"], key=lambda r: r.int("column"))
    cells = {(r.int("die"), r.int("column") - 1): r for r in box["crt"]}
    dice = 1 + max(die for die, _ in cells)
    events = {(r.text("side"), r.int("roll")): r.text("effect") for r in box["political_events"]}
    return Charts(
        columns=tuple((r.int("low"), r.int("high", -1)) for r in columns),
        crt=tuple(tuple(cells[die, column].int("losses") for column in range(len(columns))) for die in range(dice)),
        crt_certain=frozenset(at for at, r in cells.items() if r.source("losses").certain),
        events=tuple(tuple(events[side, roll] for roll in range(2, 13)) for side in SIDES),
        dates={r.int("turn"): r.text("date") for r in box["turns"]},
        landing_turns=frozenset(r.int("turn") for r in box["turns"] if r.flag("landing")),
        reinforcements=tuple((r.int("turn"), r.text("arrival")) for r in box["reinforcements"] if r.text("place")),
    )


def compile_cards(box: Box) -> Cards:
    """The stratagems of the box."""
    rows = list(box["stratagems"])

    def pool(name: str) -> int:
        return sum(1 << i for i, r in enumerate(rows) if r.text("pool") == name)

    def held(name: str) -> int:
        return sum(1 << i for i, r in enumerate(rows) if r.text("pool") == name and r.text("start") == "hand")

    return Cards(
        ids=tuple(r.key for r in rows),
        index={r.key: i for i, r in enumerate(rows)},
        names=tuple(r.text("name") for r in rows),
        effect=tuple(r.text("effect") for r in rows),
        national=(pool("west"), pool("soviet"), pool("axis")),
        operational=pool("operational"),
        start=(held("west"), held("soviet"), held("axis")),
    )


def _field(name: str) -> Callable[[Terms], Terms]:
    def change(terms: Terms) -> Terms:
        return replace(terms, **{name: True})

    return change


def _west_keeps(terms: Terms) -> Terms:
    """R-F67, the other reading; what the ports give in one turn is no limit for what is kept."""
    kept = tuple((start, least, -1, True) for start, least, _, _ in terms.tracks)
    return replace(terms, tracks=kept)


_CHANGES: dict[str, Callable[[Terms], Terms]] = {
    "armee-4-in-40": _field("printed_setup"),
    "escort-uncontested": _field("escort_uncontested"),
    "landing-combat-landers-only": _field("landers_only"),
    "left-end-die": _field("die_past_left"),
    "peace-soviets-alone": _field("peace_soviets_alone"),
    "pocket-any-coast": _field("pocket_any_coast"),
    "pocket-roll-besieged": _field("pocket_besieged"),
    "retreat-together": _field("retreat_together"),
    "three-seats": _field("three_seats"),
    "west-keeps-pr": _west_keeps,
    "yugoslav-loss-permanent": _field("loss_permanent"),
}
"""What each switch of the rulings changes."""


def options(box: Box) -> tuple[Option[Terms], ...]:
    """The switches of the rulings; where each belongs is the box's to say."""
    rows = box["options"]
    return tuple(
        Option(
            name,
            change,
            frozenset(rows[name].items("scenarios")),
            frozenset(rows[name].items("needs")),
            frozenset(rows[name].items("excludes")),
        )
        for name, change in _CHANGES.items()
    )


AMENDMENTS: tuple[Amendment[Terms], ...] = ()
"""What has changed since rules version 1; every change of an old verdict is one more."""
