"""A side's own display: boxes for its formations and for what it keeps hidden. ``[[display]]`` in ``module.toml``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gamebox.model import Box, Row
from modgen.layout.reading import Against, Reader, Where, each
from modgen.layout.tracks import filled


@dataclass(frozen=True, slots=True)
class Cards:
    """A box for every row of a table that passes a test, each with as many slots as its row says."""

    table: str
    where: Where
    order: str
    """The column whose numbers put the boxes in order; empty for that of the table."""
    id: str
    """The id of the game's box, from the row's columns."""
    named: str
    """How clients call it."""
    title: str
    slots: str
    """The column that says how many counters it holds."""
    words: tuple[str, ...]
    """Small print in it, from the row's columns; ``{start}`` is where the row's counter begins in ``setup``."""
    labels: Mapping[str, str]
    """What ``{column:label}`` calls the values of columns."""
    setup: str
    across: int
    """Slots in a line."""


@dataclass(frozen=True, slots=True)
class Room:
    """A wide box without slots."""

    id: str
    name: str
    title: str
    note: str
    span: int
    """How many columns of the display it is wide."""


@dataclass(frozen=True, slots=True)
class Display:
    """A board that only some players see."""

    side: str
    name: str
    title: str
    note: str
    seats: tuple[str, ...]
    """The players' seats that see it."""
    columns: int
    cards: Cards
    rooms: tuple[Room, ...]
    high: int
    """Lines of counters that the wide boxes hold."""

    @property
    def file(self) -> str:
        """The picture's name."""
        return f"display-{self.side}.png"


def read_displays(top: Reader) -> tuple[Display, ...]:
    """The displays of the file."""
    return each(top.listed("display"), _display)


def _display(r: Reader) -> Display:
    cards = r.table("cards")
    labels = cards.table("labels")
    out = Display(
        side=r.text("side"),
        name=r.text("name"),
        title=r.text("title"),
        note=r.text("note", ""),
        seats=r.texts("seats"),
        columns=r.int("columns", low=1, high=20),
        cards=Cards(
            table=cards.text("table"),
            where=cards.where("where"),
            order=cards.text("order", ""),
            id=cards.text("id"),
            named=cards.text("named"),
            title=cards.text("title"),
            slots=cards.text("slots"),
            words=cards.texts("words", ()),
            labels={word: labels.text(word) for word in labels.data},
            setup=cards.text("setup", ""),
            across=cards.int("across", 3, 1, 20),
        ),
        rooms=each(
            r.listed("room"),
            lambda room: Room(
                room.text("id"),
                room.text("name"),
                room.text("title", room.data.get("name", "")),
                room.text("note", ""),
                room.int("span", 1, 1, 20),
            ),
        ),
        high=r.int("high", 2, 1, 10),
    )
    cards.end()
    return out


def rows(cards: Cards, box: Box) -> list[Row]:
    """The rows that have a box, in order."""
    found = [row for row in box[cards.table] if cards.where(row)]
    return sorted(found, key=lambda row: row.int(cards.order)) if cards.order else found


def start(cards: Cards, row: Row, box: Box) -> str:
    """Where a row's counter begins, as the table of set-ups has it; empty without a set-up."""
    found = box["setups"].get(f"{cards.setup}|{row.key}") if cards.setup and "setups" in box.tables else None
    return found.text("place") if found is not None else ""


def words(cards: Cards, row: Row, box: Box) -> list[str]:
    """The small print of a box; lines whose columns are empty say nothing."""
    out = []
    for text in cards.words:
        line = filled(text, row, box, cards.labels, start=_place(start(cards, row, box), box))
        if line.strip() and not any(f"{{{column}" in text and not row.text(column) for column in row.values):
            out.append(line)
    return out


def _place(key: str, box: Box) -> str:
    """A place's number and name, or a box's name."""
    if box.zones is not None and (zone := box[box.zones.zones].get(key)) is not None:
        return f"{key} {zone.text('name')}" if "name" in zone.values else key
    if "boxes" in box.tables and (found := box["boxes"].get(key)) is not None:
        return found.text("name")
    return key


def drawn(displays: Iterable[Display], box: Box) -> set[str]:
    """The ids of the game's boxes that lie on displays."""
    found: set[str] = set()
    for display in displays:
        found.update(room.id for room in display.rooms)
        if display.cards.table in box.tables:
            found.update(filled(display.cards.id, row, box) for row in rows(display.cards, box))
    return found


def check_displays(displays: Sequence[Display], players: Iterable[str], against: Against) -> None:
    """The displays held against the game's tables and the seats of the module."""
    a = against
    a.once("[[display]] name", (d.name for d in displays), "a client tells maps by name")
    a.once("[[display]] side", (d.side for d in displays), "each side has one display")
    seats = tuple(players)
    for display in displays:
        place, cards = f"[[display]] {display.name!r}", display.cards
        a.known(f"{place} seats", display.seats, seats, "player")
        if cards.table not in a.box.tables:
            a.fault(f"{place} table: {cards.table!r} is no table of the game; there are {', '.join(a.box.tables)}")
            continue
        table = a.box[cards.table]
        needed = [c for c in (cards.slots, cards.order) if c and c not in table.columns]
        for column in needed:
            a.fault(f"{place}: {column!r} is no column of {cards.table}; there are {', '.join(table.columns)}")
        if needed:
            continue
        try:
            ids = [filled(cards.id, row, a.box) for row in rows(cards, a.box)]
            names = [filled(cards.named, row, a.box) for row in rows(cards, a.box)]
            for row in rows(cards, a.box):
                filled(cards.title, row, a.box)
                words(cards, row, a.box)
        except KeyError as error:
            a.fault(f"{place}: {error} is no column of {cards.table}; there are {', '.join(table.columns)} and start")
            continue
        if not ids:
            a.fault(f"{place} where: no row of {cards.table} passes")
        if "boxes" in a.box.tables:
            a.known(place, [*ids, *(room.id for room in display.rooms)], a.keys("boxes"), "box of the game")
        a.once(place, [*names, *(room.name for room in display.rooms), display.name], "a client tells places by name alone")
        if sum(room.span for room in display.rooms) > display.columns:
            a.fault(f"{place}: its rooms are {sum(room.span for room in display.rooms)} columns wide; allowed: {display.columns}")
