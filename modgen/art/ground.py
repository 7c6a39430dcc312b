"""Seamless patterns for kinds of ground: crags, woods, hedges, marsh. Fixed by arithmetic, the same on every machine."""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from functools import cache

from modgen.art.shapes import lattice
from modgen.art.svg import attrs, data_uri, num
from modgen.art.textures import arithmetic, octave, relief

WOODS, HEDGES, MARSH = 120, 128, 112


@cache
def _crags(size: int) -> str:
    """The picture of crags inside an SVG."""
    from PIL import Image, ImageChops

    layers = [(octave(size, cells, 60 + k), weight) for k, (cells, weight) in enumerate(((9, 1.0), (18, 0.55), (37, 0.3), (80, 0.12)))]
    # Ridges where the noise crosses its middle.
    height = arithmetic(
        lambda a: sum((1.0 - abs(a[f"x{k}"] * 2.0 - 1.0)) * w for k, (_, w) in enumerate(layers)),
        **{f"x{k}": layer for k, (layer, _) in enumerate(layers)},
    )
    slope = arithmetic(lambda a: (a["h"] - a["b"]) * 620.0, h=height, b=ImageChops.offset(height, -3, -3))
    dark = slope.convert("L").point(lambda v: min(v, 150))
    light = arithmetic(lambda a: a["s"] * -1.0, s=slope).convert("L").point(lambda v: min(v, 170))
    shade, shine = Image.new("RGBA", (size, size), (70, 62, 58, 0)), Image.new("RGBA", (size, size), (255, 255, 255, 0))
    shade.putalpha(dark)
    shine.putalpha(light)
    out = io.BytesIO()
    Image.alpha_composite(shade, shine).save(out, "PNG", compress_level=6)
    return data_uri(out.getvalue())


@cache
def crags(name: str = "crags", size: int = 512) -> str:
    """High mountains lit from the north-west: sharp ridges, grey-brown shadows, snow on the lit sides, clear between."""
    # Turned, so that the creases of the noise run along no edge of the page.
    picture = f'<image{attrs(width=size, height=size)} href="{_crags(size)}"/>'
    return _pattern(name, size, picture, patternTransform="rotate(24)")


def hills(name: str = "hills", size: int = 512) -> str:
    """Hill shading lit from the north-west."""
    return _pattern(name, size, f'<image{attrs(width=size, height=size)} href="{data_uri(relief(size))}"/>')


def pattern(texture: str, name: str, fill: str = "") -> str:
    """A texture as a pattern of a name, on a ground of a colour; without one it is clear between its lines.

    Raises KeyError for a texture that there is not.
    """
    makers: dict[str, Callable[[str], str]] = {"hills": hills, "crags": crags, "woods": woods, "hedges": hedges, "marsh": marsh}
    made = makers[texture](name)
    start = made.index(">") + 1
    return made[:start] + (f'<rect width="512" height="512" fill="{fill}"/>' if fill else "") + made[start:]


def _pattern(name: str, size: int, body: str, **more: object) -> str:
    return f"<pattern{attrs(id=name, width=size, height=size, patternUnits='userSpaceOnUse', **more)}>{body}</pattern>"


def _scattered(size: int, cells: int, seed: int) -> list[tuple[float, float, float]]:
    """Points spread over a square that repeats, each with a number in 0..1 of its own."""
    step = size / cells
    out = []
    for j in range(cells):
        for i in range(cells):
            dx, dy = lattice(i, j, seed) * 0.46, lattice(i, j, seed + 1) * 0.46
            shift = 0.5 if j % 2 else 0.0
            out.append((((i + 0.5 + shift + dx) * step) % size, ((j + 0.5 + dy) * step) % size, lattice(i, j, seed + 2) * 0.5 + 0.5))
    return sorted(out, key=lambda p: p[1])


def _wrapped(x: float, y: float, reach: float, size: int) -> list[tuple[float, float]]:
    """A point and its images beyond the edges of the tile that still reach into it."""
    return [
        (x + dx, y + dy)
        for dx in (-size, 0, size)
        for dy in (-size, 0, size)
        if -reach < x + dx < size + reach and -reach < y + dy < size + reach
    ]


@cache
def woods(name: str = "woods") -> str:
    """Clumps of trees."""
    parts = []
    for x, y, v in _scattered(WOODS, 5, 91):
        if v < 0.18:
            continue
        r = 4.6 + 2.4 * v
        for px, py in _wrapped(x, y, 14, WOODS):
            parts.append(f"<ellipse{attrs(cx=px + 2, cy=py + 2.4, rx=r + 0.5, ry=r * 0.8, fill='#38451f', fill_opacity=0.28)}/>")
            for dx, dy, k in ((-r * 0.55, 0.8, 0.8), (r * 0.5, 1.0, 0.72), (0.0, -r * 0.3, 1.0)):
                parts.append(
                    f"<circle{attrs(cx=px + dx, cy=py + dy, r=r * k * 0.72, fill='#7d9454' if k < 1 else '#8fa664', fill_opacity=0.8)}/>"
                )
    return _pattern(name, WOODS, "".join(parts))


@cache
def hedges(name: str = "hedges") -> str:
    """Small fields between hedges."""
    cells, step = 5, HEDGES / 5
    node = {
        (i, j): ((i + 0.34 * lattice(i % cells, j % cells, 71)) * step, (j + 0.34 * lattice(i % cells, j % cells, 72)) * step)
        for i in range(-1, cells + 2)
        for j in range(-1, cells + 2)
    }
    d, dots = "", ""
    for (i, j), (x, y) in node.items():
        for other in ((i + 1, j), (i, j + 1)):
            if other in node and lattice(i % cells, j % cells, 73 + (other[0] == i)) > -0.62:
                u, v = node[other]
                d += f"M{num(x)} {num(y)}L{num(u)} {num(v)}"
                n = max(2, round(math.dist((x, y), (u, v)) / 7))
                for k in range(n):
                    t = (k + 0.5) / n
                    dots += f"M{num(x + (u - x) * t)} {num(y + (v - y) * t)}h0.01"
    line = f'<path d="{d}"{attrs(fill="none", stroke="#6f8346", stroke_width=1.5, stroke_opacity=0.55)}/>'
    bush = f'<path d="{dots}"{attrs(fill="none", stroke="#7a8f4c", stroke_width=4.4, stroke_opacity=0.6, stroke_linecap="round")}/>'
    return _pattern(name, HEDGES, line + bush)


@cache
def marsh(name: str = "marsh") -> str:
    """Tufts of reed over strokes of water."""
    water, reed = "", ""
    for x, y, v in _scattered(MARSH, 4, 131):
        for px, py in _wrapped(x, y, 16, MARSH):
            half = 7 + 4 * v
            water += f"M{num(px - half)} {num(py)}h{num(2 * half)}M{num(px - half * 0.4)} {num(py + 4)}h{num(half)}"
            for dx in (-3.5, 0, 3.5):
                reed += f"M{num(px + dx * 0.5)} {num(py - 1)}L{num(px + dx * 1.3)} {num(py - 8 + abs(dx) * 0.5)}"
    line = f'<path d="{water}"{attrs(fill="none", stroke="#5d8fa8", stroke_width=1.7, stroke_opacity=0.75, stroke_linecap="round")}/>'
    tuft = f'<path d="{reed}"{attrs(fill="none", stroke="#6d7d3a", stroke_width=1.4, stroke_opacity=0.85, stroke_linecap="round")}/>'
    return _pattern(name, MARSH, line + tuft)
