"""The turn tracker: one list of phases that serves every scenario, of which each set-up switches on its own.

The client's tracker has one list for the whole module. Saves hold, for each entry of it, whether it is switched on; entries that
are off are passed over, and passing the end of the list is a new turn all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from gamebox.model import Box, Row
from modgen.formats.vassal import sequence
from modgen.formats.vassal.turns import LevelState, TrackerState
from modgen.formats.vassal.xml import Element, element
from modgen.layout.layout import Layout
from modgen.vassal import names
from modgen.vassal.names import command

T = "VASSAL.build.module.turn."
NAME = "Turn"
NO_PHASES = ("Play",)
"""The list of a module without set-ups."""


def phase_name(box: Box, layout: Layout, row: Row) -> str:
    """A row of the phases table as the tracker calls it."""
    words = dict(layout.play.phases.words)
    form = next((named for where, named in layout.play.phases.forms if where(row)), layout.play.phases.named)
    kind = row.text("phase")
    if kind == layout.play.phases.last:
        return words[kind]
    sides = {r.key: r.text("name") for r in box["sides"]}
    cells = {name: row.text(name) for name in row.values}
    cells |= {column: dict(shown).get(cells.get(column, ""), "") for column, shown in layout.play.phases.columns}
    force = cells.get("force", cells.get("side", ""))
    side = sides.get(force) or cells.get("player_turn", force)
    return form.format(**(cells | {"side": side, "phase": words[kind]})).strip()


def phases(box: Box, layout: Layout, scenario: str) -> list[tuple[str, bool]]:
    """The phases of a scenario in order: the tracker's name, and whether it is switched on from the start.

    Where options play them in another order, phases stand there twice; players switch those of their order on.
    """
    optional = layout.play.phases.optional
    return [
        (phase_name(box, layout, row), own and not (optional.tests and optional(row)))
        for side in _by_force(_rows(box, scenario))
        for row, own in _in_all_orders(side, _orders(box))
    ]


def _rows(box: Box, scenario: str) -> list[Row]:
    return sorted((r for r in box["phases"] if r.values.get("scenario", scenario) == scenario), key=lambda r: r.int("order"))


def _by_force(rows: Sequence[Row]) -> list[list[Row]]:
    """The phases of one side after the other; those of nobody likewise."""
    return [list(group) for _, group in groupby(rows, key=lambda row: row.values.get("force"))]


def _orders(box: Box) -> list[list[str]]:
    """The orders in which options play the phases of a side, by the words of the column phase."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in box["sequences"] if "sequences" in box.tables else ():
        found.setdefault((row.text("option"), row.text("player")), []).append(row)
    return [[row.text("phase") for row in sorted(rows, key=lambda r: r.int("order"))] for rows in found.values()]


def _in_all_orders(side: Sequence[Row], orders: Sequence[Sequence[str]]) -> list[tuple[Row, bool]]:
    """A side's phases, and those that only another order has at their place (False)."""
    own = [row.text("phase") for row in side]
    every = own
    for order in orders:
        if set(order) <= set(own):
            every = merged(every, order)
    flags = switched(every, [(kind, True) for kind in own])
    by_kind = {row.text("phase"): row for row in side}
    left = iter(side)
    return [(next(left), True) if on else (by_kind[kind], False) for kind, on in zip(every, flags, strict=True)]


def all_phases(box: Box, layout: Layout) -> list[str]:
    """The tracker's list: a shortest one in which the phases of every scenario that is set up stand in their order."""
    out: list[str] = []
    for scenario in dict.fromkeys(s.scenario for s in layout.play.setups):
        out = merged(out, [name for name, _ in phases(box, layout, scenario)])
    return out or list(NO_PHASES)


def merged(a: Sequence[str], b: Sequence[str]) -> list[str]:
    """A shortest list that holds both in their order; where either may come first, ``a`` does."""
    rest = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) - 1, -1, -1):
        for j in range(len(b) - 1, -1, -1):
            rest[i][j] = rest[i + 1][j + 1] + 1 if a[i] == b[j] else max(rest[i + 1][j], rest[i][j + 1])
    out: list[str] = []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            out.append(a[i])
            i, j = i + 1, j + 1
        elif rest[i + 1][j] >= rest[i][j + 1]:
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    return [*out, *a[i:], *b[j:]]


def switched(listed: Sequence[str], wanted: Sequence[tuple[str, bool]]) -> list[bool]:
    """Which entries of the tracker's list are on for a scenario's phases."""
    out = [False] * len(listed)
    at = 0
    for name, on in wanted:
        at = listed.index(name, at)
        out[at] = on
        at += 1
    return out


def first_turn(box: Box, scenario: str) -> int:
    """The number of a scenario's first turn."""
    return box["scenarios"][scenario].int("first_turn", 1)


def first_phase(box: Box, layout: Layout, scenario: str) -> str:
    """The phase that play begins with: the first that is switched on, of a side whose part of the first turn is played."""
    row = box["scenarios"][scenario]
    late = str(row.values.get("skipped_turn") or "") == str(first_turn(box, scenario))
    idle = str(row.values.get("skipped_side") or "") if late else ""
    optional = layout.play.phases.optional
    played = [r for r in _rows(box, scenario) if not (optional.tests and optional(r)) and not (idle and r.values.get("force") == idle)]
    return phase_name(box, layout, played[0])


def state(box: Box, layout: Layout, scenario: str) -> TrackerState:
    """The tracker as a scenario's set-up has it: its first turn and its first phase."""
    listed = all_phases(box, layout)
    flags = switched(listed, phases(box, layout, scenario))
    text = ",".join("true" if on else "false" for on in flags)
    first = first_phase(box, layout, scenario)
    begins = next(n for n, (name, on) in enumerate(zip(listed, flags, strict=True)) if on and name == first)
    list_level = LevelState(False, begins, 0, (), ("0", text))
    return TrackerState(0, (LevelState(True, first_turn(box, scenario), 0, (list_level,), ("false", "-1")),))


def tracker(box: Box, layout: Layout) -> Element:
    """The tracker's component."""
    setups = layout.play.setups
    out = element(
        T + "TurnTracker",
        name=NAME,
        buttonText=NAME,
        icon="",
        hotkey="",
        nexthotkey=command("nextPhase"),
        prevhotkey="",
        turnFormat="Turn $level1$: $level2$",
        reportFormat="* $oldTurn$ to $newTurn$",
        tooltip="Show or hide the tracker of turns and phases",
        lengthStyle="Maximum",
        length=-1,
    )
    level = out.add(
        T + "CounterTurnLevel",
        name="Turn",
        property=names.TURN,
        turnFormat="$value$",
        start=first_turn(box, setups[0].scenario) if setups else 1,
        incr=1,
        loop=False,
        loopLimit=-1,
    )
    optional = any(not on for s in setups for _, on in phases(box, layout, s.scenario))
    level.add(
        T + "ListTurnLevel",
        name="Phase",
        property=names.PHASE,
        turnFormat="$value$",
        list=sequence.encode(all_phases(box, layout), ","),
        # Players who play with an option switch its phases on themselves.
        configList=optional,
        configFirst=False,
        prompt="",
    )
    return out
