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
from modgen.layout.play import Setup
from modgen.vassal import names
from modgen.vassal.idioms import quoted
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


def _orders(box: Box, player: str = "") -> list[list[str]]:
    """The orders in which options play the phases of a side, by the words of the column phase; of one player, if one is named."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in box["sequences"] if "sequences" in box.tables else ():
        if player and row.text("player") != player:
            continue
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
    """The tracker's list: a shortest one in which the phases of every scenario that is set up stand in their order, and behind it the
    phases of the first and the second player, if there are set-ups with them."""
    return [*_of_sides(box, layout), *(name for name, _ in of_halves(box, layout))]


def _of_sides(box: Box, layout: Layout) -> list[str]:
    out: list[str] = []
    for scenario in dict.fromkeys(s.scenario for s in layout.play.setups):
        out = merged(out, [name for name, _ in phases(box, layout, scenario)])
    return out or list(NO_PHASES)


def of_halves(box: Box, layout: Layout) -> list[tuple[str, bool]]:
    """The phases of the first player, of the second, and the last one, with whether they are on from the start; none without set-ups
    that have them. They are those of the first such set-up's scenario."""
    halves = layout.play.phases.halves
    setup = next((s for s in layout.play.setups if s.halves), None)
    if halves is None or setup is None:
        return []
    rows, optional, words = _rows(box, setup.scenario), layout.play.phases.optional, dict(layout.play.phases.words)
    out = []
    for called, player in ((halves.first, "first"), (halves.second, "second")):
        own = [row for row in rows if row.values.get("force") == halves.sides[0]]
        for row, on in _in_all_orders(own, _orders(box, player)):
            out.append((half_name(called, words[row.text("phase")]), on and not (optional.tests and optional(row))))
    return [*out, (halves.last, True)]


def half_name(half: str, phase: str) -> str:
    """What the tracker calls a phase of the first or the second player."""
    return f"{half}: {phase}"


def phase_now(box: Box, layout: Layout) -> str:
    """The property with the phase that runs, by the names of the sides."""
    return names.NOW if of_halves(box, layout) else names.PHASE


def passed_over(box: Box, layout: Layout) -> str:
    """A test that the phase that runs is of turns in which either side may play first, in a game that has none of them.

    A save of a version without them has no switch for them, and the client takes them for switched on.
    """
    listed = dict.fromkeys(name for name, _ in of_halves(box, layout))
    return f'{names.HALVES}!="yes" && ({" || ".join(f"{names.PHASE}=={quoted(name)}" for name in listed)})'


def now_expression(box: Box, layout: Layout) -> str:
    """An expression of the phase that runs, by the names of the sides: who plays first is what the marker shows."""
    halves = layout.play.phases.halves
    setup = next((s for s in layout.play.setups if s.halves), None)
    assert halves is not None and setup is not None
    turned = f'{names.MARKER_ID}==\\"{halves.marker}\\" && {names.FACE}_Level==2'
    other = f'CountMap({quoted(layout.board.map)}, "{{{turned}}}")>0'
    words, rows = dict(layout.play.phases.words), _rows(box, setup.scenario)
    tests = ""
    for kind in dict.fromkeys(row.text("phase") for row in rows if row.values.get("force") == halves.sides[0]):
        of = {r.values.get("force"): phase_name(box, layout, r) for r in rows if r.text("phase") == kind}
        mine = [of.get(side, "") for side in halves.sides]
        for called, (front, back) in ((halves.first, mine), (halves.second, mine[::-1])):
            name = quoted(half_name(called, words[kind]))
            tests += f"{names.PHASE}=={name} ? ({other} ? {quoted(back)} : {quoted(front)}) : "
    return "{" + tests + names.PHASE + "}"


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


def half_phases(box: Box, layout: Layout) -> list[tuple[str, bool]]:
    """The phases of a turn in which either side may play first, in order, with whether they are on from the start."""
    halves = layout.play.phases.halves
    words = dict(layout.play.phases.words)
    return [(words[halves.begins], True), *of_halves(box, layout)] if halves is not None else []


def first_of(box: Box, layout: Layout, setup: Setup) -> str:
    """The phase that a set-up begins with, as the tracker calls it: a half turn at the start is the second player's."""
    halves = layout.play.phases.halves
    if not setup.halves or halves is None:
        return first_phase(box, layout, setup.scenario)
    row = box["scenarios"][setup.scenario]
    late = str(row.values.get("skipped_turn") or "") == str(first_turn(box, setup.scenario))
    listed = half_phases(box, layout)
    return next(name for name, on in listed if on and name.startswith(half_name(halves.second, ""))) if late else listed[0][0]


def first_now(box: Box, layout: Layout, setup: Setup) -> str:
    """The same by the names of the sides."""
    halves = layout.play.phases.halves
    begun = first_of(box, layout, setup)
    if not setup.halves or halves is None or not begun.startswith(half_name(halves.second, "")):
        return begun
    return first_phase(box, layout, setup.scenario)


def state(box: Box, layout: Layout, setup: Setup) -> TrackerState:
    """The tracker as a set-up has it: its first turn and its first phase."""
    listed = all_phases(box, layout)
    flags = switched(listed, half_phases(box, layout) if setup.halves else phases(box, layout, setup.scenario))
    text = ",".join("true" if on else "false" for on in flags)
    scenario, first = setup.scenario, first_of(box, layout, setup)
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
    optional = any(not on for s in setups for _, on in phases(box, layout, s.scenario)) or any(s.halves for s in setups)
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
