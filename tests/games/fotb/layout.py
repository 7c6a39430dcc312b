"""Laying out positions and asking the engine about them, in few words.

A position is told by what stands where: ``lay("axis_action operations axis", "ax-4pz 37: ax-13k ax-42k- / so-bielo3 44: so-5a")``
puts formations into zones with their units, a reduced unit marked by a minus. Formations in the Strategic Reserve stand at
``reserve``; ``+`` instead of a formation lists loose units and what else there is (``+ reserve: ...``, ``+ pile: ...``,
``+ destroyed: ...``, ``+ paratroops: ...``, ``+ 4: ax-64k`` for a pocket).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import msgspec
import pytest

import referee
from referee.games.overlord_to_berlin.land import SIDES
from referee.games.overlord_to_berlin.position import Pos
from referee.games.overlord_to_berlin.terms import TRACKS
from referee.rules.model import Action, Ruling

BOOK = referee.load("overlord-to-berlin", "campaign")
G = BOOK.game.setting  # type: ignore[attr-defined]
UNITS = G.units.ids
GFS = G.gfs.ids
ZONES = G.land.places.names[: G.land.size]
CARDS = G.cards.ids
WEST, SOVIET, AXIS = range(3)
PHASES = tuple(phase.name for phase in G.terms.phases)
"""The order of play as ``lay`` and ``run`` name its steps."""

_NOW: dict[str, Any] = {"book": BOOK}
"""The book in use: BOOK, but inside ``playing``."""


def in_use() -> Any:
    """The book in use."""
    return _NOW["book"]


@contextmanager
def playing(*switches: str) -> Iterator[Any]:
    """Everything in this module uses a book with these switches meanwhile."""
    before = _NOW["book"]
    _NOW["book"] = _book(switches)
    try:
        yield _NOW["book"]
    finally:
        _NOW["book"] = before


@cache
def _book(switches: tuple[str, ...]) -> Any:
    return referee.load("overlord-to-berlin", "campaign", options=switches)


# ---------------------------------------------------------------------------------------------------------------------------
# Positions by hand


def lay(
    phase: str,
    forces: str = "",
    *,
    hands: str = "",
    pr: str = "",
    control: str = "",
    turn: int = 1,
    **fields: Any,
) -> Pos:
    """A settled position at the beginning of ``phase`` (``Phase.name``): the first decision of that step.

    ``forces``: see the module. ``hands``: ``axis: ax-szorkeny op-surprise / west: we-patton``. ``pr``: ``axis 5 england 2``.
    ``control``: ``axis: 3 4 / soviet: 37``, where it differs from the set-up's. ``fields``: fields of ``Pos``.
    """
    return in_use().settled(unsettled(phase, forces, hands=hands, pr=pr, control=control, turn=turn, **fields))  # type: ignore[no-any-return]


def unsettled(
    phase: str,
    forces: str = "",
    *,
    hands: str = "",
    pr: str = "",
    control: str = "",
    turn: int = 1,
    **fields: Any,
) -> Pos:
    """As ``lay``, just before the step begins."""
    gfs: dict[str, str] = {}
    units: dict[str, str] = {}
    reduced: list[str] = []
    for head, words in _groups(forces):
        name, place = head.split()
        if name != "+":
            gfs[name] = place
        for word in words:
            unit = word.rstrip("-")
            units[unit] = place if name == "+" else name
            if word.endswith("-"):
                reduced.append(unit)
    points = pr.split()
    holders = {int(zone): side for side, zones in _groups(control) for zone in zones}
    return in_use().game.arranged(  # type: ignore[no-any-return]
        gfs=gfs,
        units=units,
        reduced=reduced,
        hands=dict(_groups(hands)),
        control=holders,
        pr={track: int(n) for track, n in zip(points[::2], points[1::2], strict=True)},
        turn=turn,
        phase=phase,
        **fields,
    )


def _groups(text: str) -> list[tuple[str, tuple[str, ...]]]:
    found = []
    for part in text.replace("\n", " ").split("/"):
        if part.strip():
            head, _, words = part.partition(":")
            found.append((head.strip(), tuple(words.split())))
    return found


def bare(text: str) -> tuple[int, ...]:
    """Indices of units or formations."""
    return tuple(UNITS.index(word) if word in UNITS else GFS.index(word) for word in text.split())


def bits(words: str) -> int:
    """A set of units, formations, cards or zones as positions keep it, whichever they are."""
    table: Any = next(t for t in (UNITS, GFS, CARDS, ZONES) if all(word in t for word in words.split()))
    return sum(1 << table.index(word) for word in words.split())


def altered(p: Pos, **changes: Any) -> Pos:
    """The position with fields changed."""
    return msgspec.structs.replace(p, **changes)


def sealed(p: Pos, side: str, **changes: Any) -> Pos:
    """The position with hidden facts of a side changed."""
    s = SIDES.index(side)
    own = tuple(msgspec.structs.replace(x, **changes) if i == s else x for i, x in enumerate(p.sealed))
    return altered(p, sealed=own)


# ---------------------------------------------------------------------------------------------------------------------------
# Reading positions


def step(p: Pos) -> str:
    """The kind of decision that waits."""
    return p.agenda[-1].step


def by(p: Pos) -> str:
    """Who has to decide."""
    return ",".join(p.agenda[-1].by)


def phase(p: Pos) -> str:
    """The step of the order of play, as ``west_action combine west``."""
    return PHASES[p.phase] if p.phase >= 0 else "-"


def zone(p: Pos, gf: str) -> str:
    """Where a formation stands: a zone, or the id of a box (``reserve_axis`` or however the box calls it)."""
    return str(G.land.places.names[p.gf_at[GFS.index(gf)]])


def home(p: Pos, gf: str) -> bool:
    """Whether the formation lies in its Strategic Reserve."""
    return bool(p.gf_at[GFS.index(gf)] == G.reserve(G.gfs.side[GFS.index(gf)]))


def where(p: Pos, unit: str) -> str:
    """Where a unit is: a formation, ``reserve``, ``pile``, ``destroyed``, ``removed``, ``arrivals``, ``paratroops``, or a zone."""
    u = UNITS.index(unit)
    side = G.units.side[u]
    places = G.land.places
    at = p.at[u] if p.at[u] != places.inside else p.sealed[side].at[u]
    if at == places.reserve[side]:
        return "reserve"
    if at in places.piles[side]:
        return "pile"
    if at == places.destroyed[side]:
        return "destroyed"
    if at == places.removed[side]:
        return "removed"
    if at == places.arrivals:
        return "arrivals"
    return "paratroops" if at == places.paratroops else str(places.names[at])


def reduced(p: Pos, unit: str) -> bool:
    """Whether its reduced side is up."""
    u = UNITS.index(unit)
    return bool((p.reduced | p.sealed[G.units.side[u]].reduced) >> u & 1)


def units(p: Pos, gf: str) -> str:
    """The units of a formation, or of ``reserve west``, sorted, a reduced one with a minus: ``ax-13k ax-42k-``."""
    name, _, side = gf.partition(" ")
    found = [u for u in UNITS if where(p, u) == name and (not side or SIDES[G.units.side[UNITS.index(u)]] == side)]
    return " ".join(sorted(u + "-" * reduced(p, u) for u in found))


def hand(p: Pos, side: str) -> set[str]:
    """The cards a side holds."""
    return {name for i, name in enumerate(CARDS) if p.sealed[SIDES.index(side)].hand >> i & 1}


def pr(p: Pos, track: str) -> int:
    """Resource points on a track: england, italy, soviet, axis."""
    return int(p.pr[TRACKS.index(track)])


def holder(p: Pos, name: str | int) -> str:
    """Who controls a zone."""
    return SIDES[p.control[G.land.zone(str(name))]]


# ---------------------------------------------------------------------------------------------------------------------------
# Asking


def parse(text: str) -> Action:
    """An action from its notation."""
    return in_use().parse(text)  # type: ignore[no-any-return]


def check(p: Pos, text: str, every: bool = True) -> Ruling:
    """The ruling on one line of notation."""
    return in_use().check(p, parse(text), every=every)  # type: ignore[no-any-return]


def told(p: Pos, text: str) -> dict[str, tuple[str, ...]]:
    """Code -> paragraphs of every reason against an action; empty when it is legal."""
    return {reason.code: reason.paragraphs for reason in check(p, text).reasons}


def owed(p: Pos) -> dict[str, tuple[str, ...]]:
    """Code -> paragraphs of everything that ``done`` is refused for."""
    return {reason.code: reason.paragraphs for reason in in_use().duties(p)}


def allowed(p: Pos, *texts: str) -> None:
    """Each action is legal, on its own."""
    for text in texts:
        ruling = check(p, text)
        assert ruling.legal, f"{text}: refused for {[(r.code, r.paragraphs) for r in ruling.reasons]}"


def refused(p: Pos, text: str, *paragraphs: str, only: bool = False) -> None:
    """The action is illegal and these paragraphs are among the reasons; ``only``: no others are."""
    ruling = check(p, text)
    assert not ruling.legal, f"{text}: allowed, but {paragraphs} forbid it"
    found = {c.para for reason in ruling.reasons for c in reason.cites}
    assert set(paragraphs) <= found, f"{text}: cites {sorted(found)}, not {paragraphs}"
    assert not only or found == set(paragraphs), f"{text}: cites {sorted(found)} beside {paragraphs}"
    assert not check(p, text, every=False).legal
    for reason in ruling.reasons:
        sentence = in_use().sentence(reason)
        assert not sentence.startswith(reason.code), f"no sentence for {reason.code}"
        assert "{" not in sentence, sentence


def play(p: Pos, *texts: str) -> Pos:
    """The position after these actions, each of which must be legal; no invariant may break."""
    for text in texts:
        allowed(p, text)
        p = in_use().play(p, parse(text))
        broken = in_use().broken(p)
        assert not broken, f"after {text}: {broken}"
    return p


def legal(p: Pos, by: str | None = None, about: str = "") -> set[str]:
    """The notation of every legal action (of one player, about one unit or formation)."""
    return {str(a) for a in in_use().legal(p, by=by, about=in_use().game.unit(about) if about else None)}


def verbs(p: Pos, by: str | None = None) -> set[str]:
    """The verbs of all legal actions."""
    return {text.split()[1] for text in legal(p, by)}


def agreed(p: Pos) -> None:
    """Every listed action passes ``check``."""
    for a in in_use().legal(p):
        ruling = in_use().check(p, a, every=True)
        assert ruling.legal, f"{a} is listed, but refused for {[(r.code, r.paragraphs) for r in ruling.reasons]}"


def go_on(p: Pos) -> Pos:
    """Whoever has to decide ends it."""
    return play(p, f"{p.agenda[-1].by[0]} done")


def throw(p: Pos, *faces: int) -> Pos:
    """The dice that are wanted fall so, and nobody throws again: the window after them is closed."""
    assert step(p) in ("dice", "reroll-die"), step(p)
    p = play(p, f"chance roll {p.agenda[-1].data[0]} {','.join(map(str, faces))}")
    return go_on(p) if step(p) == "reroll" else p


def draw(p: Pos, *cards: str) -> Pos:
    """Chance gives these cards to the side that draws."""
    side = next(iter(in_use().legal(p))).side
    return play(p, f"chance draw {','.join(sorted(cards))} @ {side}")


def run(p: Pos, stop: str, turn: int = 0) -> Pos:
    """Plays on, doing as little as possible and throwing ones (for events a three: nothing happens), until that step of the order of
    play runs (of that turn).

    ``done`` where it is allowed, else the first legal action.
    """
    book = in_use()
    for _ in range(3000):
        if phase(p) == stop and turn in (0, p.turn):
            return p
        if book.over(p):
            break
        who = p.agenda[-1].by[0]
        done = None if who == "chance" else book.parse(f"{who} done")
        quiet = book.parse("chance roll event 1,2")
        if step(p) == "dice" and book.check(p, quiet).legal:
            p = book.play(p, quiet)
        else:
            p = book.play(p, done if done is not None and book.check(p, done).legal else next(book.legal(p)))
    raise AssertionError(f"{stop} does not come; {p.agenda[-1]} of turn {p.turn}")


# ---------------------------------------------------------------------------------------------------------------------------
# Marks


def rule(paragraph: str) -> pytest.MarkDecorator:
    """Marks a test of one rule paragraph."""
    return pytest.mark.rule("fotb", paragraph)


def ruling(name: str) -> pytest.MarkDecorator:
    """Marks a test of one of our rulings."""
    return pytest.mark.ruling(name)


def example(name: str) -> pytest.MarkDecorator:
    """Marks a test of one worked example."""
    return pytest.mark.example(name)
