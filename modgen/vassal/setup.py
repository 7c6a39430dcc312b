"""A scenario ready set up, as the save inside the module that players start from.

Every piece is written as the engine itself would have placed it: expanded from its prototype, with its slot's number, on its hex.
No player is named in it, so every side is free.
"""

from __future__ import annotations

from collections.abc import Iterable

from gamebox.model import Box
from modgen.art import plan
from modgen.errors import ArtError
from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal.pieces import Piece as Counter
from modgen.formats.vassal.pieces import Stack, expand
from modgen.formats.vassal.saves import Metadata, pack_game, save_tokens
from modgen.formats.vassal.turns import LevelState, TrackerState
from modgen.layout.layout import Layout
from modgen.layout.play import Setup
from modgen.vassal import module, names, prototypes

UNITS_AT, MARKERS_AT = 1, 0
"""The index of each layer in the map's layer order, as stacks name it."""


def setup_save(box: Box, layout: Layout, slots: module.Slots, setup: Setup, module_data: bytes) -> bytes:
    """The save of one scenario.

    Raises :class:`ArtError` when a piece has no slot or its place is neither a hex nor a region with a box beside the map.
    """
    scenario = box["scenarios"][setup.scenario]
    defined = prototypes.prototypes(layout)
    made: list[Counter] = []
    stacks: list[Stack] = []
    clock = layout.date

    def identify() -> str:
        nonlocal clock
        clock += 1
        return str(clock)

    def place(piece: Counter, x: int, y: int) -> str:
        full, missing = expand(piece, defined)
        if missing:
            raise ArtError(f"{piece.name}: no prototype {', '.join(missing)}")
        made.append(full.placed(layout.board.map, x, y).named(identify()))
        return made[-1].id

    def stack(members: Iterable[str], x: int, y: int, layer: int) -> None:
        stacks.append(Stack(identify(), layout.board.map, x, y, tuple(members), layer))

    units = {piece.id: counter for piece, counter in slots.units}
    on_map: dict[tuple[int, int], list[Counter]] = {}
    for piece_id, spot in _places(box, layout, scenario.text("setup")):
        if piece_id not in units:
            raise ArtError(f"setups: {piece_id} is in the set-up of {setup.scenario}, but is no counter")
        on_map.setdefault(spot, []).append(units[piece_id])
    for (x, y), here in on_map.items():
        stack([place(counter, x, y) for counter in here], x, y, UNITS_AT)
    for (x, y), counter in _markers(box, layout, slots, scenario.text("first_turn")):
        stack([place(counter, x, y)], x, y, MARKERS_AT)

    values = dict(module.properties(box, layout))
    values |= {names.SCENARIO: setup.scenario, names.LAST_TURN: scenario.text("last_turn")}
    phases = module.phase_names(box, layout, setup.scenario)
    list_level = LevelState(False, 0, 0, (), ("0", ",".join("true" for _ in phases)))
    counter_level = LevelState(True, scenario.int("first_turn", 1), 0, (list_level,), ("false", "-1"))
    tokens = save_tokens(
        made,
        stacks,
        properties=[cmd.PropertyValue(name, value, "Module") for name, value in values.items()],
        turns=[cmd.Turn("TurnTracker0", str(TrackerState(0, (counter_level,))))],
        boards=[cmd.Boards(layout.board.map, (cmd.BoardPlace(layout.board.map),))],
    )
    metadata = Metadata(version=layout.version, vassal_version=layout.vassal, date=str(layout.date), description=setup.name)
    return pack_game(cmd.join_tree(tokens), module_data=module_data, metadata=metadata)


def _places(box: Box, layout: Layout, name: str) -> list[tuple[str, tuple[int, int]]]:
    """Where each piece of a set-up stands, in pixels; those that their owner places wait beside the map."""
    sheet = plan.sheet(layout, box)
    by_region = {h.region: h for h in layout.board.holds if h.region}
    waiting: dict[str, list[str]] = {}
    out: list[tuple[str, tuple[int, int]]] = []
    for piece_id, where in box.setup(name):
        if where in by_region:
            waiting.setdefault(where, []).append(piece_id)
        elif box["hexes"].get(where) is not None:
            out.append((piece_id, sheet.centre(where)))
        else:
            raise ArtError(f"{layout.path.name}: [[hold]]: {piece_id} sets up in {where!r}: no hex, and no box beside the map for it")
    out.sort(key=lambda item: (item[1][1], item[1][0]))
    for region, pieces in waiting.items():
        out += zip(pieces, plan.hold_spots(layout, by_region[region], len(pieces)), strict=True)
    return out


def _markers(box: Box, layout: Layout, slots: module.Slots, turn: str) -> list[tuple[tuple[int, int], Counter]]:
    """Markers that a game begins with: the turn marker, and those that wait in a box of their own."""
    counters = {marker.id: counter for marker, counter in slots.markers}
    out = [
        (plan.turn_spot(layout, box, turn), counters[m.id])
        for m in layout.counters.markers
        if m.style == "turn" and turn in box["turns"].by_key
    ]
    for area in layout.board.holds:
        wanted = [m for m in layout.counters.markers if m.id in area.markers for _ in range(m.count)]
        out += zip(plan.hold_spots(layout, area, len(wanted)), (counters[m.id] for m in wanted), strict=True)
    return out
