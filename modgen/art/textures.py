"""Seamless textures made of fixed noise: hill shading and paper grain. The same on every machine: no randomness is used."""

from __future__ import annotations

import io
from functools import cache
from typing import TYPE_CHECKING, Any

from modgen.art.shapes import lattice

if TYPE_CHECKING:
    from PIL.Image import Image


def octave(size: int, cells: int, seed: int) -> Image:
    """Smooth periodic noise in 0..1 on a square, ``cells`` features a side."""
    from PIL import Image

    pad = 4
    n = cells + 2 * pad
    grid = Image.new("F", (n, n))
    grid.putdata([lattice((i - pad) % cells, (j - pad) % cells, seed) * 0.5 + 0.5 for j in range(n) for i in range(n)])
    return grid.resize((size, size), Image.Resampling.BICUBIC, box=(pad, pad, pad + cells, pad + cells))


def _sum(size: int, octaves: tuple[tuple[int, float], ...], seed: int) -> Image:
    """Octaves of noise added up with their weights."""
    layers = [(octave(size, cells, seed + k), weight) for k, (cells, weight) in enumerate(octaves)]
    return arithmetic(
        lambda a: sum(a[f"x{k}"] * w for k, (_, w) in enumerate(layers)), **{f"x{k}": layer for k, (layer, _) in enumerate(layers)}
    )


def arithmetic(formula: Any, **images: Image) -> Image:
    """Arithmetic on one-band pictures of floating numbers."""
    from PIL import Image, ImageMath

    out = ImageMath.lambda_eval(formula, **images)
    assert isinstance(out, Image.Image)
    return out


@cache
def relief(size: int = 512) -> bytes:
    """Hill shading lit from the north-west as PNG: brown shadows and pale lights, clear where flat."""
    from PIL import Image, ImageChops

    height = _sum(size, ((11, 1.0), (23, 0.5), (47, 0.24), (90, 0.1)), 20)
    slope = arithmetic(lambda a: (a["h"] - a["b"]) * 760.0, h=height, b=ImageChops.offset(height, -3, -3))
    dark = slope.convert("L").point(lambda v: min(v, 125))
    light = arithmetic(lambda a: a["s"] * -0.75, s=slope).convert("L").point(lambda v: min(v, 80))
    shade, shine = Image.new("RGBA", (size, size), (78, 46, 16, 0)), Image.new("RGBA", (size, size), (255, 247, 222, 0))
    shade.putalpha(dark)
    shine.putalpha(light)
    out = io.BytesIO()
    Image.alpha_composite(shade, shine).save(out, "PNG", compress_level=6)
    return out.getvalue()


def grain(size: int = 512) -> Image:
    """Faint paper grain as a grey square around 250, to be multiplied onto a picture."""
    noise = _sum(size, ((7, 0.45), (15, 0.3), (61, 0.2), (170, 0.3)), 40)
    return arithmetic(lambda a: a["n"] * 17.0 + 237.0, n=noise).convert("L")
