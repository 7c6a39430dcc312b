"""The sea, deeper the farther from land: a small picture that is spread over the map, since a smooth shade needs no sharp pixels."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence

from modgen.art.svg import Point
from modgen.layout.reading import Rect

STEP = 8
"""Pixels of the board for one of the picture."""
SHALLOW, OPEN = 120, 70
"""How much of the land around, of 255, still shows where the shore's colour ends and where the deep begins."""


def picture(frame: Rect, land: Iterable[Sequence[Point]], colours: tuple[str, str, str]) -> bytes:
    """A PNG for the frame of a map; ``land``: outlines in pixels of the board; ``colours``: at the shore, in the open, in the deep."""
    from PIL import Image, ImageDraw, ImageFilter

    x, y, w, h = frame
    pad = 20
    size = (w // STEP + 1 + 2 * pad, h // STEP + 1 + 2 * pad)
    mask = Image.new("L", size, 0)
    pen = ImageDraw.Draw(mask)
    for shape in land:
        pen.polygon([((px - x) / STEP + pad, (py - y) / STEP + pad) for px, py in shape], fill=255)
    near, far = mask.filter(ImageFilter.GaussianBlur(5)), mask.filter(ImageFilter.GaussianBlur(18))
    spread = Image.blend(near, far, 0.55)
    bands = []
    for shore, middle, deep in zip(*map(_rgb, colours), strict=True):
        steps = [
            deep + (middle - deep) * min(v / OPEN, 1.0) + (shore - middle) * max(0.0, min((v - OPEN) / SHALLOW, 1.0)) for v in range(256)
        ]
        bands.append(spread.point([round(v) for v in steps]))
    sea = Image.merge("RGB", bands).crop((pad, pad, size[0] - pad, size[1] - pad))
    out = io.BytesIO()
    sea.save(out, "PNG", compress_level=6)
    return out.getvalue()


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def tone(colour: str, by: float) -> str:
    """A colour nearer to white (``by`` up to 1) or to black (down to -1)."""
    end = 255 if by > 0 else 0
    return "#" + "".join(f"{round(v + (end - v) * abs(by)):02x}" for v in _rgb(colour))
