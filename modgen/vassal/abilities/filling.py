"""The first free place of a box on a display: what is sent there fills gaps, and lies on nothing that is there already.

A counter that is sent notes the box it is bound for; two calculated properties then tell which of the box's places, counted from 0, each
counter lies in, and which is the first that none lies in. Sums over the pieces of a box could not: two in one place would count as one.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence

from modgen.formats.vassal.traits import make
from modgen.vassal import places
from modgen.vassal.abilities.part import Bench
from modgen.vassal.idioms import Trait, dynamic, quoted
from modgen.vassal.places import FREE, Place

BOUND, SPOT = "Bound", "Spot"
"""The box that a piece is sent to, and the place that it lies in."""


def traits(bench: Bench, ways: Iterable[tuple[str, str]]) -> tuple[Trait, ...]:
    """``ways``: the key of each send-to, and the box it goes to. The first trait must stand outside of all that sends."""
    bound = dict(ways)
    if not bound:
        return ()
    atlas = places.atlas(bench.layout, bench.box)
    boxes = [atlas.places[name] for name in dict.fromkeys(bound.values())]
    on = dict.fromkeys(box.map for box in boxes)
    where = quoted(next(iter(on)))
    for name in list(on)[1:]:
        of = " || ".join(f"{BOUND}=={quoted(box.name)}" for box in boxes if box.map == name)
        where = f"({of} ? {quoted(name)} : {where})"
    most = max(len(box.pixels) for box in boxes)
    free = "".join(f'CountLocation({BOUND}, {where}, "{{{SPOT}=={n}}}")==0 ? {n} : ' for n in range(most)) + str(most)
    return (
        dynamic(BOUND, "", *((key, box) for key, box in bound.items())),
        (make("calcProp", name=FREE, expression="{" + free + "}"), ""),
        (make("calcProp", name=SPOT, expression="{" + _spots(boxes) + "}"), ""),
    )


def _spots(boxes: Sequence[Place]) -> str:
    """An expression: in which place of its box a piece lies, the nearest one where it was dropped by hand."""
    alike: dict[tuple[str, int, int], list[Place]] = {}
    for box in boxes:
        line, dx, _ = places.steps(box)
        alike.setdefault((box.map, line, dx), []).append(box)
    # Most boxes of a display lie in equal steps: one expression counts for all of them, and the others are asked for by name.
    most, *others = sorted(alike.values(), key=lambda group: (not _step(group), -len(group)))
    singly = [box for group in others for box in group] + (most[1:] if not _step(most) else [])
    named = "".join(f"CurrentZone=={quoted(box.name)} ? {_number([box])} : " for box in singly)
    return named + _number(most if _step(most) else most[:1])


def _step(group: Sequence[Place]) -> bool:
    """Whether one expression can count the places of all boxes of a group: no box begins before the one before it has ended."""
    line, dx, _ = places.steps(group[0])
    across, down = (_pitch(box.pixels[0][k] for box in group) for k in (0, 1))
    deep = max(len({y for _, y in box.pixels}) for box in group) * max(places.steps(box)[2] for box in group)
    return (not across or across >= line * dx) and (not down or down >= deep)


def _number(group: Sequence[Place]) -> str:
    """The number of the place, for boxes of which each begins as many whole steps from the others."""
    line, dx, _ = places.steps(group[0])
    dy = max(places.steps(box)[2] for box in group)
    parts = []
    for k, name, step, times in ((0, "CurrentX", dx, 1), (1, "CurrentY", dy, line)):
        if step:
            pitch = _pitch(box.pixels[0][k] for box in group)
            from_first = f"({name}-{min(box.pixels[0][k] for box in group) - step // 2})" + (f"%{pitch}" if pitch else "")
            parts.append(f"{from_first}/{step}" + (f"*{times}" if times > 1 else ""))
    return "+".join(parts)


def _pitch(values: Iterable[int]) -> int:
    """The step that numbers have between them; 0 for one alone."""
    return math.gcd(*(b - a for a, b in itertools.pairwise(sorted(set(values)))))
