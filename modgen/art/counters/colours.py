"""Colours of counters: shades of what the nations' table prints, and what stands out on them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from modgen.art.measure import contrast, distance, luminance

BLACK, WHITE = "#000000", "#ffffff"


def shade(colour: str, by: float) -> str:
    """A colour made lighter (``by`` > 0) or darker."""
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    mixed = [round(v + (255 - v) * by if by > 0 else v * (1 + by)) for v in parts]
    return "#" + "".join(f"{v:02x}" for v in mixed)


def mix(a: str, b: str, part: float) -> str:
    """``a`` with this part of ``b`` in it."""
    pairs = ((int(a[i : i + 2], 16), int(b[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(v + (w - v) * part):02x}" for v, w in pairs)


@lru_cache(256)
def readable(ground: str) -> str:
    """Black or white, whichever stands out more."""
    return BLACK if contrast(BLACK, ground) >= contrast(WHITE, ground) else WHITE


@lru_cache(256)
def paler(ground: str, ink: str, least: float) -> str:
    """The ground of a reduced side: as much paler as its print allows, and where it is nearly white already, greyer."""
    if luminance(ground) > 0.85:
        return shade(ground, -0.12)
    for step in range(6, 0, -1):
        pale = shade(ground, step * 0.04)
        if contrast(pale, ink) >= least:
            return pale
    return ground


@lru_cache(256)
def stripe(ground: str) -> str:
    """The stripe on a reduced counter: nearly white, or on nearly white counters grey."""
    light = shade(ground, 0.84)
    return light if distance(light, ground) >= 9 else shade(ground, -0.24)


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one face of a counter."""

    fill: str
    ink: str
    box: str
    """The ground of the symbol."""
    own_box: bool
    """Whether the nation has a ground of its own for it, which tells it from others of the same fill."""


@lru_cache(1024)
def palette(fill: str, ink: str, box: str, look: str, least: float) -> Palette:
    """A nation's colours on a face of this look; ``box`` is empty where the nation has none of its own."""
    if look == "reduced":
        fill = paler(fill, ink, least)
    return Palette(fill, ink, box or shade(fill, 0.28 if luminance(ink) < 0.4 else 0.12), bool(box))
