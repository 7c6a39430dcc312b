"""Measures what is drawn: contrast of print on counters, and whether opposing colours stay apart for people with colour blindness."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gamebox.load import BoxError
from gamebox.model import Box
from modgen.layout.layout import Layout

LEAST_CONTRAST = 4.5
"""WCAG AA for text of ordinary size."""
LEAST_DISTANCE = 10.0
"""CIE 1976 distance below which two colours are easily taken for each other at a glance."""

_Vector = tuple[float, float, float]
# Machado, Oliveira and Fernandes 2009, full severity, on linear RGB.
VISIONS: dict[str, tuple[_Vector, _Vector, _Vector]] = {
    "normal sight": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def _linear(colour: str) -> _Vector:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts)
    return r, g, b


def _dot(a: _Vector, b: _Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def luminance(colour: str) -> float:
    """Relative luminance, 0 to 1."""
    return _dot(_linear(colour), (0.2126, 0.7152, 0.0722))


def contrast(a: str, b: str) -> float:
    """The WCAG contrast of two colours, 1 to 21."""
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def _lab(rgb: Sequence[float]) -> _Vector:
    r, g, b = (min(max(v, 0.0), 1.0) for v in rgb)
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(a: str, b: str, vision: str = "normal sight") -> float:
    """How far apart two colours look to people with this vision (CIE 1976)."""
    rows = VISIONS[vision]
    la, lb = (_lab([_dot(row, _linear(colour)) for row in rows]) for colour in (a, b))
    return math.dist(la, lb)


def faults(box: Box, layout: Layout) -> list[BoxError]:
    """Counters and markers that cannot be read."""
    file = f"{box.id}/{layout.path.name}"
    nations = box["nations"] if "nations" in box.tables else ()
    printed = [(f"{box.id}/nations.csv", row.line, row.key, row.text("fill"), row.text("ink")) for row in nations]
    printed += [(file, 0, f"[[marker]] {m.id}", m.fill, m.ink) for m in layout.counters.markers]
    return [
        BoxError(
            where, line, 1, f"{what}: {ink} on {fill} has a contrast of {contrast(fill, ink):.1f}; at least {LEAST_CONTRAST} is needed"
        )
        for where, line, what, fill, ink in printed
        if contrast(fill, ink) < LEAST_CONTRAST
    ]


def alike(box: Box) -> list[str]:
    """Nations of different sides whose counters look alike to some people, one line each."""
    out = []
    nations = list(box["nations"])
    for i, a in enumerate(nations):
        for b in nations[i + 1 :]:
            if a.text("side") == b.text("side"):
                continue
            for vision in VISIONS:
                apart = distance(a.text("fill"), b.text("fill"), vision)
                if apart < LEAST_DISTANCE:
                    out.append(
                        f"the counters of {a.key} and {b.key} look alike ({vision}: {apart:.0f}, at least {LEAST_DISTANCE:.0f} is wanted)"
                    )
                    break
    return out
