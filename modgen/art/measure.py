"""Measures colours: contrast of print on its ground, and how far apart colours look, also to people with colour blindness."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

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


@lru_cache(1024)
def luminance(colour: str) -> float:
    """Relative luminance, 0 to 1."""
    return _dot(_linear(colour), (0.2126, 0.7152, 0.0722))


@lru_cache(4096)
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


@lru_cache(4096)
def _seen(colour: str, vision: str) -> _Vector:
    """A colour as people with this vision see it, in CIELAB."""
    linear = _linear(colour)
    return _lab([_dot(row, linear) for row in VISIONS[vision]])


@lru_cache(16384)
def distance(a: str, b: str, vision: str = "normal sight") -> float:
    """How far apart two colours look to people with this vision (CIEDE2000; below about 8 they are confused at a glance)."""
    return apart(_seen(a, vision), _seen(b, vision))


def apart(a: _Vector, b: _Vector) -> float:
    """The CIEDE2000 distance of two colours in CIELAB."""
    (l1, a1, b1), (l2, a2, b2) = a, b
    # The names are those of Sharma, Wu and Dalal, The CIEDE2000 Color-Difference Formula, 2005.
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = 0.5 * (1 - math.sqrt(mean**7 / (mean**7 + 25**7)))
    p1, p2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = math.hypot(p1, b1), math.hypot(p2, b2)
    h1, h2 = (math.degrees(math.atan2(y, x)) % 360 if x or y else 0.0 for x, y in ((p1, b1), (p2, b2)))
    turn = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    dl, dc = l2 - l1, c2 - c1
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    lm, cm = (l1 + l2) / 2, (c1 + c2) / 2
    if c1 * c2 == 0:
        hm = h1 + h2
    else:
        hm = (h1 + h2) / 2 if abs(h1 - h2) <= 180 else (h1 + h2 + 360) / 2 if h1 + h2 < 360 else (h1 + h2 - 360) / 2
    t = (
        1
        - 0.17 * math.cos(math.radians(hm - 30))
        + 0.24 * math.cos(math.radians(2 * hm))
        + 0.32 * math.cos(math.radians(3 * hm + 6))
        - 0.20 * math.cos(math.radians(4 * hm - 63))
    )
    sl = 1 + 0.015 * (lm - 50) ** 2 / math.sqrt(20 + (lm - 50) ** 2)
    sc, sh = 1 + 0.045 * cm, 1 + 0.015 * cm * t
    rt = -2 * math.sqrt(cm**7 / (cm**7 + 25**7)) * math.sin(math.radians(60 * math.exp(-(((hm - 275) / 25) ** 2))))
    return math.sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 + rt * (dc / sc) * (dh / sh))
