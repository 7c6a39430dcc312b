"""Laying out positions and asking the engine about them, in few words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import msgspec
import pytest

import referee
from referee.games.battle_for_germany.state import Pos
from referee.rules.model import Ruling
from tests.games.bfg.facts import FEATURES, HEXES, JOINED, PLAYABLE, PORTS, UNITS, cost, rows
from tests.games.bfg.oracle import Table

BOOK = referee.load("battle-for-germany", "historical")
INDEX = {piece: BOOK.game.unit(piece) for piece in UNITS}
PIECES = {number: piece for piece, number in INDEX.items()}
FORCES = ("S", "W", "EG", "WG")
IDENTITIES = (*FORCES, "G")
"""With three players every German is of force G."""
OWNER = {"S": "soviet", "WG": "soviet", "W": "western-allied", "EG": "western-allied"}
PHASES = tuple((f, k) for f in ("S", "WG", "W", "EG") for k in ("replacement", "movement", "combat"))
"""Those of the Historical Scenario without options."""
CITY_ORDER = tuple(row["hex"] for row in rows("cities"))
UNIT_SETS = ("moved", "attacked", "doubled", "locked", "flipped", "garrison", "eligible", "used", "tired")


_NOW: dict[str, Any] = {"book": BOOK}
"""The book in use: BOOK, but inside ``playing``."""


def in_use() -> Any:
    """The book in use."""
    return _NOW["book"]


@contextmanager
def playing(scenario: str = "historical", *options: str) -> Iterator[Any]:
    """Everything in this module uses another book meanwhile: another scenario, or options and switches."""
    before = _NOW["book"]
    _NOW["book"] = _book(scenario, options)
    try:
        yield _NOW["book"]
    finally:
        _NOW["book"] = before


@cache
def _book(scenario: str, options: tuple[str, ...]) -> Any:
    return referee.load("battle-for-germany", scenario, options=options)


def bits(pieces: Iterable[str]) -> int:
    """A set of units as the position keeps it."""
    return sum(1 << INDEX[piece] for piece in pieces)


def members(value: int) -> set[str]:
    """The units of a set."""
    return {piece for piece, number in INDEX.items() if value >> number & 1}


def places(text: str) -> dict[str, str]:
    """``su-1-bul 2525, eg-2 box-eg`` as a mapping."""
    return dict(part.split() for part in text.split(",") if part.strip())


def lay(phase: str, units: str | dict[str, str], turn: int = 3, **more: Any) -> Pos:
    """A position by hand: ``phase`` as ``S movement``; unit sets (moved, attacked ...) as words of one text."""
    force, kind = phase.split()
    p = _NOW["book"].game.arranged(places(units) if isinstance(units, str) else units, turn=turn, force=force, kind=kind)
    changes = {key: bits(value.split()) if key in UNIT_SETS else value for key, value in more.items()}
    return msgspec.structs.replace(p, **changes) if changes else p


@cache
def _place_names() -> dict[int, str]:
    names = dict(enumerate(sorted(HEXES)))
    for box in ("box-w", "box-s", "box-italy", "box-eg", "box-wg"):
        piece = {"box-w": "we-1-br", "box-italy": "we-1-br", "box-s": "su-1-bul", "box-eg": "eg-6", "box-wg": "wg-64"}[box]
        names[BOOK.game.arranged({piece: box}, turn=3, force="S", kind="movement").at[INDEX[piece]]] = box
    names[BOOK.start().at[INDEX["eg-2"]]] = "unplaced"
    names[BOOK.game.arranged({}, turn=3, force="S", kind="movement").at[0]] = "out"
    return names


@cache
def _place_numbers() -> dict[str, int]:
    return {name: number for number, name in _place_names().items()}


def where(p: Pos, piece: str) -> str:
    """A unit's hex or box; ``out`` when it is out of the game, ``unplaced`` before it is set up."""
    return _place_names()[p.at[INDEX[piece]]]


def force(p: Pos, piece: str) -> str:
    """The unit's identity now."""
    return IDENTITIES[p.force[INDEX[piece]]]


def on(p: Pos, name: str) -> set[str]:
    """The units in a hex or box."""
    number = _place_numbers()[name]
    return {PIECES[unit] for unit, at in enumerate(p.at) if at == number}


def phase(p: Pos) -> str:
    """``S movement`` ... of the phase that runs."""
    its = _NOW["book"].game.setting.terms.phases[p.phase]
    return f"{IDENTITIES[its.force]} {its.kind}" if its.force >= 0 else "turn"


def by(p: Pos) -> str:
    """The player whose decision waits."""
    return str(p.agenda[-1].by[0])


def run(p: Pos, stop: str, turn: int = 0) -> Pos:
    """Ends phases until that one runs (of that turn)."""
    for _ in range(400):
        if phase(p) == stop and turn in (0, p.turn):
            return p
        if step(p) == "over":
            break
        p = play(p, f"{by(p)} done")
    raise AssertionError(f"{stop} does not come")


def answered(p: Pos) -> Pos:
    """Every open choice of a combat answered with a legal action, advances declined."""
    while step(p) in {"retreat", "advance", "lose"}:
        p = play(p, f"{by(p)} done" if step(p) == "advance" else sorted(legal(p))[-1])
    return p


def told(p: Pos, text: str) -> dict[str, tuple[str, ...]]:
    """Code -> paragraphs of every reason against an action; empty when it is legal."""
    return {reason.code: reason.paragraphs for reason in check(p, text).reasons}


def owed(p: Pos) -> dict[str, tuple[str, ...]]:
    """Code -> paragraphs of everything that ``done`` is refused for."""
    return {reason.code: reason.paragraphs for reason in _NOW["book"].duties(p)}


def node(name: str) -> int:
    """The engine's number of a hex."""
    return _place_numbers()[name]


def names(nodes: Iterable[int]) -> list[str]:
    """The hexes of these numbers."""
    return [_place_names()[number] for number in nodes]


def step(p: Pos) -> str:
    """The kind of decision that waits."""
    return p.agenda[-1].step


def holder(p: Pos, city: str) -> str:
    """Who holds a city: S, W or G."""
    return "GSW"[p.holders[CITY_ORDER.index(city)]]


def check(p: Pos, text: str, every: bool = True) -> Ruling:
    """The ruling on one line of notation."""
    return _NOW["book"].check(p, _NOW["book"].parse(text), every=every)


def cited(p: Pos, text: str) -> set[str]:
    """Every paragraph that refuses an action."""
    return {c.para for reason in check(p, text).reasons for c in reason.cites}


def allowed(p: Pos, *texts: str) -> None:
    """Each action is legal."""
    for text in texts:
        ruling = check(p, text)
        assert ruling.legal, f"{text}: refused for {[(r.code, r.paragraphs) for r in ruling.reasons]}"


def refused(p: Pos, text: str, *paragraphs: str) -> None:
    """The action is illegal, and each of these paragraphs is among the reasons."""
    ruling = check(p, text)
    assert not ruling.legal, f"{text}: allowed, but {paragraphs} forbid it"
    found = {c.para for reason in ruling.reasons for c in reason.cites}
    assert set(paragraphs) <= found, f"{text}: cites {sorted(found)}, not {paragraphs}"
    first = check(p, text, every=False)
    assert not first.legal and first.reasons
    assert all(_NOW["book"].sentence(reason) for reason in ruling.reasons)


def play(p: Pos, *texts: str) -> Pos:
    """The position after these actions, each of which must be legal."""
    for text in texts:
        allowed(p, text)
        p = _NOW["book"].play(p, _NOW["book"].parse(text))
    return p


def legal(p: Pos, about: str = "") -> set[str]:
    """The notation of every legal action."""
    return {str(a) for a in _NOW["book"].legal(p, about=INDEX[about] if about else None)}


def reach(p: Pos, piece: str) -> set[str]:
    """The hexes that a unit may move to."""
    return {str(a).split("> ")[1] for a in _NOW["book"].legal(p, about=INDEX[piece]) if " move " in str(a)}


def attack(p: Pos, units: str, targets: str, die: int) -> Pos:
    """Declares an attack by the owner of the phase and rolls."""
    p = play(p, f"{by(p)} attack {units.replace(' ', ',')} > {targets.replace(' ', ',')}")
    assert step(p) == "combat-roll"
    return play(p, f"chance roll combat {die}")


def rule(paragraph: str) -> pytest.MarkDecorator:
    """Marks a test of one rule paragraph."""
    return pytest.mark.rule("bfg", paragraph)


def ruling(name: str) -> pytest.MarkDecorator:
    """Marks a test of one of our rulings."""
    return pytest.mark.ruling(name)


def example(name: str) -> pytest.MarkDecorator:
    """Marks a test of one worked example."""
    return pytest.mark.example(name)


def waits(what: str) -> Callable[[Any], Any]:
    """Marks a test of something that the engine does not have yet."""
    return pytest.mark.skip(reason=f"waits: needs {what}")


@cache
def _fort_bits() -> dict[int, str]:
    """Which bit of ``forts_gone`` is which hex: found by sending a Western corps into each."""
    found = {}
    for name, kinds in FEATURES.items():
        if "fortified" in kinds:
            start = next(n for n in JOINED[name] if n in PLAYABLE)
            p = lay("W movement", f"we-5-us {start}, wg-63 3009")
            q = _NOW["book"].play(p, _NOW["book"].parse(f"western-allied move we-5-us @ {start} > {name}"))
            found[q.forts_gone ^ p.forts_gone] = name
    return found


@cache
def _port_bits() -> dict[int, str]:
    """Which bit of ``ports_entered`` is which port."""
    found = {}
    for name in PORTS:
        start = next(n for n in JOINED[name] if n in PLAYABLE and HEXES[n]["theater"] == "east")
        p = lay("S movement", f"su-1-gds-inf {start}, eg-2 0522")
        found[_NOW["book"].play(p, _NOW["book"].parse(f"soviet move su-1-gds-inf @ {start} > {name}")).ports_entered] = name
    return found


def table(p: Pos) -> Table:
    """The position as the second referee takes it."""
    name, kind = PHASES[p.phase] if 0 <= p.phase < len(PHASES) else ("", "")
    at = {piece: where(p, piece) for piece in UNITS}
    return Table(
        name,
        kind,
        p.turn,
        {piece: place for piece, place in at.items() if place != "out"},
        {piece: force(p, piece) for piece, place in at.items() if place != "out"},
        members(p.moved),
        members(p.attacked),
        members(p.doubled),
        members(p.locked),
        members(p.flipped),
        members(p.garrison),
        {name for bit, name in _fort_bits().items() if p.forts_gone & bit},
        {name for bit, name in _port_bits().items() if p.ports_entered & bit},
        p.attempts,
    )


def fallen(stop: str, units: str, turn: int = 12, **more: Any) -> Pos:
    """Expanded: the phase ``stop`` of that turn after Berlin fell in the turn before, with the Germans gone by the rules (13.1)."""
    p = lay("EG combat", units, turn=turn - 1, berlin_first=(1, turn - 1, 0), **more)
    return run(play(p, "western-allied done"), stop, turn)


def within(start: str, points: int, shut: Iterable[str] = ()) -> set[str]:
    """The hexes that so many movement points reach, round some shut ones, where nothing else is in the way (5.0, TEC)."""
    shut = set(shut)
    best = {start: 0}
    queue = [start]
    while queue:
        here = queue.pop(0)
        for there in JOINED[here]:
            spent = best[here] + cost(here, there) if there in PLAYABLE - shut else points + 1
            if spent <= points and spent < best.get(there, points + 1):
                best[there] = spent
                queue.append(there)
    return set(best) - {start}
