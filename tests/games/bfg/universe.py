"""Every canonical action that could be tried in a small position, as lines of notation.

Imports nothing of ``referee``: the tests parse the lines. Canonical: moves without a way, attacks by target, attacker, done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tests.games.bfg.facts import BERLIN, COURLAND, HEXES, PORTS, UNITS, apart, edge

PLAYERS = ("soviet", "western-allied")
ENTRIES = tuple(h for h in HEXES if edge(h, "E") or edge(h, "W") or edge(h, "S") or apart(h, BERLIN) == 1)
OWNERS = {"S": "soviet", "WG": "soviet", "W": "western-allied", "EG": "western-allied"}


def patch(center: str, radius: int) -> tuple[str, ...]:
    """The hexes around a hex, playable or not."""
    return tuple(name for name in sorted(HEXES) if apart(center, name) <= radius)


def lines(units: Mapping[str, str], forces: Mapping[str, str], hexes: Sequence[str]) -> Iterator[str]:
    """Lines for these units (piece -> hex, box or ``unplaced``) and hexes; also nonsense that must be refused."""
    for by in (*PLAYERS, "chance"):
        yield f"{by} done"
        for die in range(1, 7):
            yield f"{by} roll combat {die}"
            yield f"{by} roll evacuation {die}"
    for by in PLAYERS:
        for name in {*hexes, *PORTS}:
            yield f"{by} target > {name}"
            yield f"{by} land > {name}"
    for unit, place in units.items():
        mine = OWNERS[forces[unit]]
        for by in PLAYERS:
            for verb in ("join", "lose", "take", "evacuate"):
                yield f"{by} {verb} {unit}"
        if place in HEXES:
            for name in hexes:
                yield f"{mine} move {unit} @ {place} > {name}"
                yield f"{mine} exit {unit} @ {place} > {name}"
                yield f"{mine} retreat {unit} > {name}"
                yield f"{mine} advance {unit} > {name}"
            other = hexes[len(hexes) // 2]
            stranger = next(p for p in PLAYERS if p != mine)
            yield f"{stranger} move {unit} @ {place} > {other}"
            yield f"{stranger} retreat {unit} > {other}"
            yield f"{stranger} advance {unit} > {other}"
            yield f"{mine} move {unit} @ {other} > {place}"
            yield f"{mine} replace {unit} > {other}"
        elif place.startswith("box"):
            for name in {*hexes, *ENTRIES}:
                yield f"{mine} replace {unit} > {name}"
        elif UNITS[unit].force == "EG":
            for name in {*hexes, *COURLAND}:
                yield f"{mine} setup {unit} > {name}"
