"""A scenario ready set up, as the save inside the module that players start from.

Every piece is written as the engine itself would have placed it: expanded from its prototype, with its slot's number, on its hex.
No player is named in it, so every side is free.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import msgspec

from gamebox.model import Box, Piece, Row
from modgen.art import cards, plan
from modgen.errors import ArtError
from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal.pieces import Deck as Pile
from modgen.formats.vassal.pieces import Piece as Counter
from modgen.formats.vassal.pieces import Stack, expand
from modgen.formats.vassal.saves import Metadata, pack_game, save_tokens
from modgen.layout.layout import Layout
from modgen.layout.places import place_names
from modgen.layout.play import Deck, Setup, Start
from modgen.vassal import decks, module, names, prototypes, telling, tracker
from modgen.vassal.places import MARKER_SPOT, find
from modgen.vassal.slots import Slots

UNITS_AT, MARKERS_AT = 1, 0
"""The index of each layer in the map's layer order, as stacks name it."""
Where = tuple[str, int, int]
"""A map and a pixel of it."""


@dataclass(slots=True)
class _Table:
    """What a set-up lays out: pieces, stacks and decks, each with an id of its own, counted on from the layout's date."""

    defined: Mapping[str, Counter]
    clock: int
    pieces: list[Counter] = field(default_factory=list)
    stacks: list[Stack] = field(default_factory=list)
    decks: list[Pile] = field(default_factory=list)

    def identify(self) -> str:
        self.clock += 1
        return str(self.clock)

    def place(self, piece: Counter, map_name: str, x: int, y: int) -> str:
        full, missing = expand(piece, self.defined)
        if missing:
            raise ArtError(f"{piece.name}: no prototype {', '.join(missing)}")
        self.pieces.append(full.placed(map_name, x, y).named(self.identify()))
        return self.pieces[-1].id

    def stack(self, counters: Iterable[Counter], where: Where, layer: int) -> None:
        members = tuple([self.place(counter, *where) for counter in counters])
        self.stacks.append(Stack(self.identify(), *where, members, layer))


def setup_text(box: Box, layout: Layout, slots: Slots, setup: Setup, gpids: Mapping[str, int]) -> str:
    """The position that one scenario begins with, as the commands of its save.

    Raises :class:`ArtError` when a piece has no slot or its place is no place of the boards.
    """
    scenario = box["scenarios"][setup.scenario]
    table = _Table(prototypes.prototypes(box, layout, gpids), layout.date)
    units = {piece.id: counter for piece, counter in slots.units}
    standing: dict[Where, list[Counter]] = {}
    for piece_id, where, level in _places(box, layout, scenario):
        if piece_id not in units:
            raise ArtError(f"setups: {piece_id} is in the set-up of {setup.scenario}, but is no counter")
        standing.setdefault(where, []).append(_shown(units[piece_id], level))
    for where, here in standing.items():
        table.stack(here, where, UNITS_AT)
    for where, counter in _heaps(_markers(box, layout, slots, scenario)):
        table.stack(counter, where, MARKERS_AT)
    for deck in layout.play.decks:
        _deal(box, layout, slots, deck, table)

    values = dict(module.properties(box, layout))
    values |= {names.SCENARIO: setup.scenario, names.LAST_TURN: scenario.text("last_turn")}
    if names.NOW in values:
        values |= {names.NOW: tracker.first_now(box, layout, setup), names.HALVES: "yes" if setup.halves else "no"}
    tokens = save_tokens(
        table.pieces,
        table.stacks,
        table.decks,
        properties=[cmd.PropertyValue(name, value, "Module") for name, value in values.items()],
        turns=[cmd.Turn("TurnTracker0", str(tracker.state(box, layout, setup)))],
        notes=_notes(box, layout, setup),
        boards=[cmd.Boards(map_name, (cmd.BoardPlace(board),)) for map_name, board in _boards(box, layout, setup)],
    )
    return cmd.join_tree(tokens)


def setup_save(layout: Layout, setup: Setup, text: str, module_data: bytes) -> bytes:
    """The save of one scenario, of its position."""
    metadata = Metadata(version=layout.version, vassal_version=layout.vassal, date=str(layout.date), description=setup.name)
    return pack_game(text, module_data=module_data, metadata=metadata)


def _notes(box: Box, layout: Layout, setup: Setup) -> list[cmd.Note]:
    """The scenario's notes, a line each, with what is told of the phase that play begins with."""
    if not setup.notes:
        return []
    first = telling.first_notice(box, layout, setup)
    begins = f"Play begins with {tracker.first_now(box, layout, setup)}. {first}"
    lines = [setup.note, *setup.notes, *([begins] if first else [])]
    if bad := next((line for line in lines if "|" in line or "\n" in line), ""):
        raise ArtError(f"{layout.path.name}: [[setup]] {setup.name} notes: {bad!r} is not allowed; the client would break the line")
    return [cmd.Note("NOTES", "|".join(line for line in lines if line))]


def _boards(box: Box, layout: Layout, setup: Setup) -> list[tuple[str, str]]:
    """(map, board) of every map: boards are called what their maps are called, but for the cards of the set-up window."""
    card = cards.card_of(layout, box, setup.scenario)
    maps = [(name, name) for name in (layout.board.map, *(d.name for d in layout.displays))]
    return maps if card is None else [*maps, (card.map_name, card.name)]


def _deal(box: Box, layout: Layout, slots: Slots, deck: Deck, table: _Table) -> None:
    """A deck with its cards; those that are dealt before play lie in their hand."""
    at, inside = decks.place(layout, deck), []
    for marker, counter in decks.cards(layout, slots, deck):
        if deck.table and deck.dealt.tests and deck.dealt(box[deck.table][marker.id]):
            to = find(layout, box, deck.to)
            table.stack([counter], (to.map, to.x, to.y), MARKERS_AT)
        else:
            inside.append(table.place(counter, at.map, at.x, at.y))
    table.decks.append(decks.pile(layout, deck, table.identify(), inside))


def _shown(counter: Counter, level: int) -> Counter:
    """The counter with this level of its faces up, counted from 1."""
    if level == 1:
        return counter
    traits = tuple(
        msgspec.structs.replace(t, state=str(level)) if t.id == "emb2" and t.field("name") == names.FACE else t for t in counter.traits
    )
    return replace(counter, traits=traits)


def _places(box: Box, layout: Layout, scenario: Row) -> list[tuple[str, Where, int]]:
    """Where each piece of a set-up stands, and which of its faces is up; pieces that their owner places wait beside the map."""
    main = layout.board.map
    sides = set(scenario.items("sides")) if "sides" in scenario.values else {p.side for p in box.pieces}
    pieces = {p.id: p for p in box.pieces}
    by_region = {h.region: h for h in layout.board.holds if h.region}
    holds = {h.name: h for h in layout.board.holds}
    boxes = {b.id: b for b in layout.board.boxes}
    waiting: dict[str, list[tuple[str, int]]] = {}
    heaps: dict[str, list[tuple[Piece, int]]] = {}
    due: dict[str, list[tuple[Piece, int]]] = {}
    in_zone: dict[str, int] = {}
    known = place_names(layout.board, layout.displays, box)
    card = cards.card_of(layout, box, scenario.key)
    out: list[tuple[str, Where, int]] = []
    for row in box["setups"]:
        piece = pieces.get(row.text("piece"))
        if row.text("setup") != scenario.text("setup") or (piece is not None and piece.side not in sides):
            continue
        where, level = row.text("place"), _level(layout, piece, row)
        if piece is not None:
            where = dict(layout.play.prototype(piece).lies).get(where, where)
        turn = _turn(box, where)
        if card is not None and piece is not None and (space := cards.space_of(card, where, piece.side)) is not None:
            at = space.spots[space.pieces.index(piece.id)]
            out.append((piece.id, (card.map_name, *at), level))
        elif turn and piece is not None:
            due.setdefault(turn, []).append((piece, level))
        elif where in by_region:
            waiting.setdefault(by_region[where].name, []).append((row.text("piece"), level))
        elif where in holds:
            waiting.setdefault(where, []).append((row.text("piece"), level))
        elif where in boxes and piece is not None:
            heaps.setdefault(where, []).append((piece, level))
        elif where in known:
            number = in_zone[where] = in_zone.get(where, -1) + 1
            spot = find(layout, box, where, number)
            out.append((row.text("piece"), (spot.map, spot.x, spot.y), level))
        else:
            what = "no place of the boards, and no box beside the map for it"
            raise ArtError(f"{layout.path.name}: [[hold]]: {row.text('piece')} sets up in {where!r}: {what}")
    out.sort(key=lambda item: (item[1][0] != layout.board.map, item[1][2], item[1][1]))
    for name, listed in waiting.items():
        spots = plan.hold_spots(layout, holds[name].rect, len(listed))
        out += [(piece_id, (main, x, y), level) for (piece_id, level), (x, y) in zip(listed, spots, strict=True)]
    order = [side.id for side in layout.play.sides]
    for turn, arrivals in due.items():
        arrivals.sort(key=lambda item: order.index(item[0].side))
        spots = plan.waiting_spots(layout, box, turn, len(arrivals))
        out += [(piece.id, (main, x, y), level) for (piece, level), (x, y) in zip(arrivals, spots, strict=True)]
    for box_id, heap in heaps.items():
        area = boxes[box_id]
        heap.sort(key=lambda item: item[0].row.int("arrives", 0) if "arrives" in item[0].row.values else 0)
        for (piece, level), at in zip(heap, plan.hold_spots(layout, area.rect, len(heap)), strict=True):
            x, y = plan.spot(layout, box, area, piece) if plan.slots(box, area) else at
            out.append((piece.id, (main, x, y), level))
    return out


def _turn(box: Box, place: str) -> str:
    """The turn whose cell of the turn track a box of the game is; empty for other places."""
    row = box["boxes"].get(place) if "boxes" in box.tables else None
    return str(row.values.get("turn") or "") if row is not None else ""


def _level(layout: Layout, piece: Piece | None, row: Row) -> int:
    faces = layout.play.prototype(piece).faces if piece is not None else None
    if faces is None or "state" not in row.values or row.text("state") not in faces.states:
        return 1
    return 2 + faces.states.index(row.text("state"))


def _markers(box: Box, layout: Layout, slots: Slots, scenario: Row) -> list[tuple[Where, Counter]]:
    """Markers that a game begins with: the turn marker, those that wait in a box of their own, and those that the layout lists."""
    main, turn = layout.board.map, scenario.text("first_turn")
    counters = {marker.id: counter for marker, counter in slots.markers}
    out: list[tuple[Where, Counter]] = [
        ((main, *plan.turn_spot(layout, box, turn)), counters[m.id])
        for m in layout.counters.markers
        if m.style == "turn" and turn in box["turns"].by_key
    ]
    for area in layout.board.holds:
        wanted = [m for m in layout.counters.markers if m.id in area.markers for _ in range(m.count)]
        spots = plan.hold_spots(layout, area.rect, len(wanted))
        out += [((main, *spot), counters[m.id]) for m, spot in zip(wanted, spots, strict=True)]
    lying: dict[str, list[Counter]] = {}
    for start in layout.play.starts:
        shown = _side_up(layout, start, counters[start.marker])
        for place in start.at(box, scenario.key):
            lying.setdefault(place, []).append(shown)
    rects = {hold.name: hold.rect for hold in layout.board.holds}
    for place, here in lying.items():
        if place in rects:
            out += [((main, *at), counter) for at, counter in zip(plan.hold_spots(layout, rects[place], len(here)), here, strict=True)]
            continue
        spot = find(layout, box, place, MARKER_SPOT)
        out += [((spot.map, spot.x, spot.y), counter) for counter in here]
    return out


def _heaps(markers: Iterable[tuple[Where, Counter]]) -> list[tuple[Where, list[Counter]]]:
    """Markers that lie at one pixel, in one stack."""
    found: dict[Where, list[Counter]] = {}
    for where, counter in markers:
        found.setdefault(where, []).append(counter)
    return list(found.items())


def _side_up(layout: Layout, start: Start, counter: Counter) -> Counter:
    """The marker with the side up that it begins with."""
    faces = next(m.faces for m in layout.counters.markers if m.id == start.marker)
    return _shown(counter, 1 + [f.id for f in faces].index(start.face)) if start.face else counter
