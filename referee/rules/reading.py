"""From table events to findings: the parts that every game's reading shares.

A game's ``reading`` walks through a log phase by phase, proposes what each stretch of events was as rules actions, and asks
the ``Court`` about each. Values and pure functions only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import msgspec

from gamebox.value import Value
from referee.rules.book import Book
from referee.rules.events import NOWHERE, Spot, TableEvent
from referee.rules.model import Action, Position, Reason, Verdict

P = TypeVar("P", bound=Position)


class Finding(Value, frozen=True):
    """One ruling on a stretch of a log. ``step``: the log step at which the action was complete; ``first``: where it began."""

    step: int
    first: int
    turn: int
    phase: str
    side: str
    kind: str
    verdict: Verdict
    notation: str = ""
    pieces: tuple[str, ...] = ()
    frm: str = ""
    to: str = ""
    rules: tuple[str, ...] = ()
    basis: tuple[str, ...] = ()
    message: str = ""
    instead: str = ""
    """For a refused action: what would have been legal."""
    by_proxy: bool = False
    """Carried out by somebody else than its owner."""
    player: str = ""
    secret: str = ""
    """The side that alone may know of it; "" = everybody may."""


class Open(Value, frozen=True):
    """What waits for somebody without being a breach: a result not yet carried out, an attack without its die, a die without its
    attack, what the phase still owes. An audit of the whole log notes it in neutral words; its owner is told before he sends."""

    finding: Finding
    note: str = ""
    """For the audit of the whole log; "" = nothing is noted there."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """What the court says of one action: verdict, paragraphs, basis, sentence."""

    verdict: Verdict
    rules: tuple[str, ...] = ()
    basis: tuple[str, ...] = ()
    message: str = ""
    codes: frozenset[str] = frozenset()


LAWFUL: Final = Ruled(Verdict.LEGAL)
ACTS: Final = frozenset(("move", "place", "remove"))
"""The kinds of events that put a piece somewhere."""
_DONE: Final = ACTS | {"roll", "flip"}


_CITED: Final = re.compile(r" \[[^\[\]]*\]$")


def uncited(sentence: str) -> str:
    """A sentence without the citations at its end: a finding has them apart."""
    return _CITED.sub("", sentence)


class Court(Generic[P]):
    """Judges actions on our data and, where that data is not agreed on, again with every reconstructed cell at its most lenient
    value: what only the first refuses is *doubtful*."""

    def __init__(self, book: Book[P], lenient: Book[P] | None) -> None:
        self.book = book
        self.lenient = lenient

    def rule(self, p: P, a: Action) -> Ruled:
        """The verdict on one action. A certain reason is named before one that rests on reconstructed cells."""
        strict = self.book.check(p, a, every=True)
        if not strict.reasons:
            return LAWFUL
        return self.against(strict.reasons, None if self.lenient is None else self.lenient.check(fresh(p), a, every=True).reasons)

    def owed(self, p: P) -> tuple[Reason, ...]:
        """The duties that bar the end of the step."""
        return self.book.duties(p)

    def against(self, strict: tuple[Reason, ...], soft: tuple[Reason, ...] | None) -> Ruled:
        """The verdict when ``strict`` speaks on our data and ``soft`` on the lenient data (None: our data is agreed on)."""
        if soft is None:
            sure, verdict = strict, Verdict.ILLEGAL
        elif soft:
            codes = {r.code for r in soft}
            sure, verdict = tuple(r for r in strict if r.code in codes) or soft, Verdict.ILLEGAL
        else:
            sure, verdict = strict, Verdict.DOUBTFUL
        rules = tuple(dict.fromkeys(c.para for r in sure for c in r.cites))
        basis = tuple(dict.fromkeys(x for r in sure for x in r.basis)) if verdict is Verdict.DOUBTFUL else ()
        rulings = tuple(dict.fromkeys(c.ruling for r in sure for c in r.cites if c.ruling))
        return Ruled(verdict, rules, (*basis, *rulings), uncited(self.book.sentence(sure[0])), frozenset(r.code for r in sure))


def fresh(p: P) -> P:
    """The same position without anything cached beside it, for a book compiled from other data."""
    return msgspec.structs.replace(p)


class Net:
    """What became of one piece over a stretch of events: put-backs vanish, stops on the way stay as waypoints."""

    __slots__ = ("end", "first", "last", "piece", "player", "seat", "start", "stops", "unit")

    def __init__(self, piece: str, unit: int, start: Spot, end: Spot, step: int, player: str, seat: str) -> None:
        self.piece = piece
        self.unit = unit
        self.start = start
        self.end = end
        self.first = step
        self.last = step
        self.player = player
        self.seat = seat
        self.stops: tuple[Spot, ...] = ()

    @property
    def still(self) -> bool:
        """The piece ended where it began."""
        return self.start == self.end


def net(events: Iterable[TableEvent], units: dict[str, int]) -> list[Net]:
    """One entry for each piece that is one of ``units`` (piece -> number), in the order of their last event; undone events are left
    out."""
    found: dict[str, Net] = {}
    for e in events:
        kind = e.kind
        if kind not in ACTS:
            continue
        piece = e.piece
        unit = units.get(piece)
        if unit is None or e.undone:
            continue
        to = e.to if kind != "remove" else NOWHERE
        if piece not in found:
            found[piece] = Net(piece, unit, e.frm if kind != "place" else NOWHERE, to, e.step, e.player, e.seat)
            continue
        found[piece] = known = found.pop(piece)  # it comes last now
        known.stops = (*known.stops, known.end)
        known.end, known.last, known.player, known.seat = to, e.step, e.player, e.seat
    return list(found.values())


@dataclass(slots=True)
class Stint:
    """A stretch of events under one phase of the tracker. ``order`` = turn * phases + phase; ``end_step`` 0 = the log stops here."""

    turn: int
    phase: int
    order: int
    events: list[TableEvent]
    end_step: int = 0
    begins_inside: bool = False
    """The log may begin in the middle of this phase."""

    @property
    def acts(self) -> bool:
        """Something happened here besides talk and fun."""
        return any(e.kind in _DONE and not e.undone for e in self.events)


def stints(events: Iterable[TableEvent], phase_of: Any, start: tuple[int, int], phases: int) -> Iterator[Stint]:
    """The log cut at the tracker's steps. A tracker that runs ahead and is turned back without anything done in between is
    taken as never having run ahead. ``phase_of(text) -> index or None`` reads the client's phase names."""
    told = list(events)
    cut: list[Stint] = [Stint(start[0], start[1], start[0] * phases + start[1], [], begins_inside=True)]
    begin = 0
    for at in [i for i, e in enumerate(told) if e.kind == "phase" and not e.undone]:
        e = told[at]
        index = phase_of(e.phase)
        if index is None:
            continue
        cut[-1].events += told[begin:at]
        begin = at + 1
        order = e.turn * phases + index
        if order == cut[-1].order:
            continue
        cut[-1].end_step = e.step
        while len(cut) > 1 and order < cut[-1].order and not cut[-1].acts:
            cut[-2].events.extend(cut[-1].events)
            cut.pop()
        if order == cut[-1].order:
            cut[-1].end_step = 0
        else:
            cut.append(Stint(e.turn, index, order, []))
    cut[-1].events += told[begin:]
    return iter(cut)
