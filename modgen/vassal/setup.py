"""A scenario ready set up, as the save inside the module that players start from.

Every piece is written as the engine itself would have placed it: expanded from its prototype, with its slot's number, on its hex.
No player is named in it, so every side is free.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import msgspec

from gamebox.model import Box, Piece, Row
from modgen.art import plan
from modgen.errors import ArtError
from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal.pieces import Piece as Counter
from modgen.formats.vassal.pieces import Stack, expand
from modgen.formats.vassal.saves import Metadata, pack_game, save_tokens
from modgen.layout.layout import Layout
from modgen.layout.play import Setup
from modgen.vassal import module, names, prototypes, tracker
from modgen.vassal.slots import Slots

UNITS_AT, MARKERS_AT = 1, 0
"""The index of each layer in the map's layer order, as stacks name it."""


def setup_save(box: Box, layout: Layout, slots: Slots, setup: Setup, module_data: bytes, gpids: Mapping[str, int]) -> bytes:
    """The save of one scenario.

    Raises :class:`ArtError` when a piece has no slot or its place is neither a hex nor a region with a box beside the map.
    """
    scenario = box["scenarios"][setup.scenario]
    defined = prototypes.prototypes(box, layout, gpids)
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

    units = {piece.id: (piece, counter) for piece, counter in slots.units}
    on_map: dict[tuple[int, int], list[Counter]] = {}
    for piece_id, spot, level in _places(box, layout, scenario):
        if piece_id not in units:
            raise ArtError(f"setups: {piece_id} is in the set-up of {setup.scenario}, but is no counter")
        on_map.setdefault(spot, []).append(_shown(units[piece_id][1], level))
    for (x, y), here in on_map.items():
        stack([place(counter, x, y) for counter in here], x, y, UNITS_AT)
    for (x, y), counter in _markers(box, layout, slots, scenario.text("first_turn")):
        stack([place(counter, x, y)], x, y, MARKERS_AT)

    values = dict(module.properties(box, layout))
    values |= {names.SCENARIO: setup.scenario, names.LAST_TURN: scenario.text("last_turn")}
    tokens = save_tokens(
        made,
        stacks,
        properties=[cmd.PropertyValue(name, value, "Module") for name, value in values.items()],
        turns=[cmd.Turn("TurnTracker0", str(tracker.state(box, layout, setup.scenario)))],
        boards=[cmd.Boards(layout.board.map, (cmd.BoardPlace(layout.board.map),))],
    )
    metadata = Metadata(version=layout.version, vassal_version=layout.vassal, date=str(layout.date), description=setup.name)
    return pack_game(cmd.join_tree(tokens), module_data=module_data, metadata=metadata)


def _shown(counter: Counter, level: int) -> Counter:
    """The counter with this level of its faces up, counted from 1."""
    if level == 1:
        return counter
    traits = tuple(
        msgspec.structs.replace(t, state=str(level)) if t.id == "emb2" and t.field("name") == names.FACE else t for t in counter.traits
    )
    return replace(counter, traits=traits)


def _places(box: Box, layout: Layout, scenario: Row) -> list[tuple[str, tuple[int, int], int]]:
    """Where each piece of a set-up stands, in pixels, and which of its faces is up; pieces that their owner places wait beside the map."""
    sides = set(scenario.items("sides")) if "sides" in scenario.values else {p.side for p in box.pieces}
    pieces = {p.id: p for p in box.pieces}
    by_region = {h.region: h for h in layout.board.holds if h.region}
    boxes = {b.id: b for b in layout.board.boxes}
    waiting: dict[str, list[tuple[str, int]]] = {}
    out: list[tuple[str, tuple[int, int], int]] = []
    for row in box["setups"]:
        piece = pieces.get(row.text("piece"))
        if row.text("setup") != scenario.text("setup") or (piece is not None and piece.side not in sides):
            continue
        where, level = row.text("place"), _level(layout, piece, row)
        if where in by_region:
            waiting.setdefault(where, []).append((row.text("piece"), level))
        elif where in boxes and piece is not None:
            out.append((piece.id, plan.spot(layout, box, boxes[where], piece), level))
        elif "hexes" in box.tables and box["hexes"].get(where) is not None:
            out.append((row.text("piece"), plan.sheet(layout, box).centre(where), level))
        else:
            what = "no hex, and no box beside the map for it"
            raise ArtError(f"{layout.path.name}: [[hold]]: {row.text('piece')} sets up in {where!r}: {what}")
    out.sort(key=lambda item: (item[1][1], item[1][0]))
    for region, listed in waiting.items():
        spots = plan.hold_spots(layout, by_region[region], len(listed))
        out += [(piece_id, spot, level) for (piece_id, level), spot in zip(listed, spots, strict=True)]
    return out


def _level(layout: Layout, piece: Piece | None, row: Row) -> int:
    faces = layout.play.prototype(piece).faces if piece is not None else None
    if faces is None or "state" not in row.values or row.text("state") not in faces.states:
        return 1
    return 2 + faces.states.index(row.text("state"))


def _markers(box: Box, layout: Layout, slots: Slots, turn: str) -> list[tuple[tuple[int, int], Counter]]:
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
