"""What a log tells, in this game's words: acts on the table in their order, and what lies where after each of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.showing import EVENT_MARKERS, PR_MARKERS
from referee.rules.events import Table, TableEvent

GF, UNIT, TURN, FLIP, CARD, DIE, PR, TALK, STATE, CHAT = "gf", "unit", "turn", "flip", "card", "die", "pr", "talk", "state", "chat"
EVENT = "event"
"""Kinds of acts: a formation, a unit, a card, a marker of a track moved; a formation or a unit turned; dice; words."""
SILENT = frozenset((PR, STATE, TURN, EVENT))
"""Acts that only keep the table in step with what was done; which of several readings they bear out is asked of them."""
_NUMBER = re.compile(r"(\d+)\D*$")
_TALK = re.compile(r"RT1\|\d+\|([A-Z]+)\|?(.*)", re.DOTALL)
_EVENT_CELL = re.compile(r"(\d+(?:-\d+)?)$")
_EVENTS = {marker: side for side, (marker, _) in enumerate(EVENT_MARKERS)}
_TRACKS = {marker: track for track, (marker, _) in enumerate(PR_MARKERS)}


@dataclass(slots=True)
class Act:
    """One thing done on the table. ``pieces``: ids of formations, a unit or a card; ``words``: fields of table talk, or a property and
    its value."""

    kind: str
    step: int
    pieces: tuple[str, ...] = ()
    frm: str = ""
    to: str = ""
    faces: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    value: int = 0
    text: str = ""
    player: str = ""
    seat: str = ""

    @property
    def piece(self) -> str:
        """The first of its pieces."""
        return self.pieces[0] if self.pieces else ""


@dataclass(slots=True)
class Facts:
    """The table at one instant: piece or card -> place, pieces that lie on their back, points shown on the tracks, marks."""

    at: dict[str, str] = field(default_factory=dict)
    back: set[str] = field(default_factory=set)
    points: dict[int, int] = field(default_factory=dict)
    marks: dict[tuple[str, str], str] = field(default_factory=dict)
    events: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Side -> lowest and highest total of the cell that its event marker lies in."""

    def take(self, act: Act) -> None:
        """The table after an act."""
        if act.kind in (GF, UNIT, CARD):
            for piece in act.pieces:
                self.at[piece] = act.to
        elif act.kind in (TURN, FLIP):
            (self.back.add if act.value else self.back.discard)(act.piece)
        elif act.kind == PR:
            self.points[int(act.words[0])] = act.value
        elif act.kind == EVENT:
            low, _, high = act.words[1].partition("-")
            self.events[int(act.words[0])] = (int(low), int(high or low))
        elif act.kind == STATE:
            self.marks[act.piece, act.words[0]] = act.words[1]

    def copy(self) -> Facts:
        """The same, to be changed apart."""
        return Facts(dict(self.at), set(self.back), dict(self.points), dict(self.marks), dict(self.events))


def facts_of(g: Setting, table: Table) -> Facts:
    """What lies on the table at the start of a log."""
    found = Facts({piece: spot.name for piece, spot in table.at.items()}, set(table.flipped))
    for marker, spot in table.marked:
        if marker in _TRACKS:
            number = _NUMBER.search(spot.name)
            if number:
                found.points[_TRACKS[marker]] = int(number[1])
        elif marker in _EVENTS and (cell := _EVENT_CELL.search(spot.name)):
            found.take(Act(EVENT, 0, words=(str(_EVENTS[marker]), cell[1])))
        elif marker in g.cards.index:
            found.at[marker] = spot.name
    return found


def acts(g: Setting, events: Iterable[TableEvent]) -> list[Act]:
    """The acts of a stretch of a log, undone ones left out. Formations that one step takes from one place to another are one act."""
    found: list[Act] = []
    for act in (made for e in events if not e.undone for made in _act(g, e)):
        last = found[-1] if found else None
        if last and act.kind == GF and last.kind == GF and (last.step, last.frm, last.to) == (act.step, act.frm, act.to):
            last.pieces = (*last.pieces, *act.pieces)
        else:
            found.append(act)
    return found


def _act(g: Setting, e: TableEvent) -> Iterator[Act]:
    found = _made(g, e)
    if found is not None:
        found.step, found.player, found.seat = e.step, e.player, e.seat
        yield found


def _made(g: Setting, e: TableEvent) -> Act | None:
    if e.kind in ("move", "place", "remove"):
        frm = "" if e.kind == "place" else e.frm.name
        to = "" if e.kind == "remove" else e.to.name
        if e.marker in _TRACKS:
            number = _NUMBER.search(to)
            return Act(PR, 0, words=(str(_TRACKS[e.marker]),), value=int(number[1])) if number else None
        if e.marker in _EVENTS:
            cell = _EVENT_CELL.search(to)
            return Act(EVENT, 0, words=(str(_EVENTS[e.marker]), cell[1])) if cell else None
        piece = e.piece or e.marker
        kind = GF if piece in g.gfs.index else UNIT if piece in g.units.index else CARD if piece in g.cards.index else ""
        return Act(kind, 0, (piece,), frm, to) if kind and frm != to else None
    if e.kind == "flip":
        kind = TURN if e.piece in g.gfs.index else FLIP if e.piece in g.units.index else ""
        return Act(kind, 0, (e.piece,), value=int(e.value == "1")) if kind else None
    if e.kind == "roll":
        return Act(DIE, 0, faces=e.faces, text=e.value)
    if e.kind == "talk":
        told = _TALK.fullmatch(e.text)
        return Act(TALK, 0, words=(told[1], *told[2].split("|"))) if told else None
    if e.kind == "property" and e.piece in g.gfs.index:
        return Act(STATE, 0, (e.piece,), words=(e.text, e.value))
    return Act(CHAT, 0, text=e.text) if e.kind == "chat" and e.player else None
