"""Makes hex outlines look drawn by hand: a fixed field of small displacements, and rounded corners.

The field depends on the place alone, so two areas that share a hexside bend it alike, and the same map always looks the same.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence

from modgen.art.sheet import Corner
from modgen.art.svg import Point, path


@functools.lru_cache(maxsize=1 << 16)
def lattice(i: int, j: int, seed: int) -> float:
    """A fixed value in -1..1 for a lattice point."""
    h = (i * 374761393 + j * 668265263 + seed * 2147483647) & 0xFFFFFFFF
    h = ((h ^ (h >> 13)) * 1274126177) & 0xFFFFFFFF
    h = ((h ^ (h >> 15)) * 2246822519) & 0xFFFFFFFF
    return ((h ^ (h >> 16)) & 0xFFFF) / 32767.5 - 1.0


def noise(x: float, y: float, wave: float, seed: int) -> float:
    """Smooth noise in -1..1 with features ``wave`` pixels wide."""
    fx, fy = x / wave, y / wave
    i, j = int(fx // 1), int(fy // 1)
    u, v = fx - i, fy - j
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    a, b = lattice(i, j, seed), lattice(i + 1, j, seed)
    c, d = lattice(i, j + 1, seed), lattice(i + 1, j + 1, seed)
    return (a + (b - a) * u) * (1 - v) + (c + (d - c) * u) * v


@functools.lru_cache(maxsize=1 << 16)
def moved(x: float, y: float, amount: float) -> Point:
    """Where the field takes a point: coarse bends and fine ones, at most about ``amount`` pixels."""
    dx = 0.7 * noise(x, y, 26, 1) + 0.3 * noise(x, y, 9, 2)
    dy = 0.7 * noise(x, y, 26, 3) + 0.3 * noise(x, y, 9, 4)
    return x + amount * dx, y + amount * dy


def _split(line: Sequence[Point], step: float) -> list[Point]:
    out: list[Point] = [line[0]]
    for (x1, y1), (x2, y2) in itertools.pairwise(line):
        n = max(1, round(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 / step))
        out += [(x1 + (x2 - x1) * k / n, y1 + (y2 - y1) * k / n) for k in range(1, n + 1)]
    return out


def pixels(line: Sequence[Corner]) -> list[Point]:
    """Corners as drawing points."""
    return [(float(x), y / 3) for x, y in line]


def natural_loop(loop: Sequence[Corner], amount: float, step: float = 14.0) -> list[Point]:
    """A closed outline bent by the field; ``curve`` rounds it."""
    line = pixels(loop)
    fine = _split([*line, line[0]], step)[:-1]
    return [moved(x, y, amount) for x, y in _eased(fine, closed=True)]


def natural_line(chain: Sequence[Corner], amount: float, step: float = 14.0) -> list[Point]:
    """An open line bent by the field; ``curve`` rounds it."""
    return [moved(x, y, amount) for x, y in _eased(_split(pixels(chain), step), closed=False)]


def _eased(line: Sequence[Point], closed: bool) -> list[Point]:
    """Every point a quarter of the way towards the middle of its neighbours; the ends of an open line stay."""
    out = list(line)
    for i, (x, y) in enumerate(line):
        if closed or 0 < i < len(line) - 1:
            (ax, ay), (bx, by) = line[i - 1], line[(i + 1) % len(line)]
            out[i] = (0.75 * x + 0.125 * (ax + bx), 0.75 * y + 0.125 * (ay + by))
    return out


def curve(line: Sequence[Point], closed: bool = False) -> str:
    """Path data of a smooth curve that the points pull at: it runs through the middles between them, and from end to end if open."""
    if len(line) < 3:
        return path(line, closed)
    middles = [((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in itertools.pairwise([*line, line[0]])]
    if closed:
        start, pulls, ends = middles[-1], line, middles
    else:
        start, pulls, ends = line[0], line[1:-1], [*middles[1:-2], line[-1]]
    bends = "".join(f"Q{x:.1f} {y:.1f} {u:.1f} {v:.1f}" for (x, y), (u, v) in zip(pulls, ends, strict=True))
    return f"M{start[0]:.1f} {start[1]:.1f}{bends}" + ("Z" if closed else "")


def straight_rounded(chain: Sequence[Corner], cut: float = 0.22) -> list[Point]:
    """A line exactly along the hexsides, its corners cut by the given part of a side and rounded: borders."""
    line = pixels(chain)
    if len(line) < 3:
        return line
    closed = chain[0] == chain[-1]
    out: list[Point] = [] if closed else [line[0]]
    inner = range(len(line) - 1) if closed else range(1, len(line) - 1)
    for i in inner:
        (ax, ay), (bx, by), (cx, cy) = line[i - 1] if i else line[-2], line[i], line[i + 1]
        p, q = (bx + (ax - bx) * cut, by + (ay - by) * cut), (bx + (cx - bx) * cut, by + (cy - by) * cut)
        for t in (0.0, 0.25, 0.5, 0.75, 1.0):
            out.append(
                (
                    (1 - t) ** 2 * p[0] + 2 * t * (1 - t) * bx + t * t * q[0],
                    (1 - t) ** 2 * p[1] + 2 * t * (1 - t) * by + t * t * q[1],
                )
            )
    out.append(out[0] if closed else line[-1])
    return out
