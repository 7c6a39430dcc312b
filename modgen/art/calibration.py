"""Where a scan of the printed board lies under the places of the map: fitted to a few points, and refused when they do not agree.

The fit goes from the board's pixels to the scan's, as a picture is looked up when it is laid under the grid. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from modgen.art.svg import Point
from modgen.errors import ArtError

LEAST_LIMIT = 5.0
"""Pixels of the board that a point may always be off."""
OFF = 0.1
"""How far a point may be off, in parts of the distance between two neighbouring places."""
MOST_SQUEEZE, MOST_TURN, MOST_SLANT = 1.25, 10.0, 4.0
"""How unlike across and down may be, and how far a scan may be turned, or its axes from a right angle, in degrees."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One point: its name for people, where it is on the board, and where on the scan."""

    name: str
    board: Point
    scan: Point


@dataclass(frozen=True, slots=True)
class Fit:
    """Board to scan: x' = a x + b y + c, y' = d x + e y + f; ``off`` is how far the worst point is off, in pixels of the board."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float
    off: float = 0.0

    def __call__(self, x: float, y: float) -> Point:
        """A point of the board on the scan."""
        return self.a * x + self.b * y + self.c, self.d * x + self.e * y + self.f

    @property
    def scale(self) -> float:
        """Pixels of the scan for one of the board."""
        return math.sqrt(abs(self.a * self.e - self.b * self.d))

    @property
    def numbers(self) -> tuple[float, float, float, float, float, float]:
        """The six numbers in order."""
        return self.a, self.b, self.c, self.d, self.e, self.f


def fit(pairs: Sequence[Pair], step: float, where: str) -> Fit:
    """The best fit. Two or three points: the scan lies straight; four or more: it may be turned a little.

    ``step`` is the distance between two neighbouring places of the board in pixels. Raises :class:`ArtError`, its text beginning with
    ``where``, for fewer than two points, points on one line, and points that do not agree: then it names the one that is off.
    """
    if len(pairs) < 2:
        raise ArtError(f"{where}: {len(pairs)} of the points that a fit needs; at least two, in opposite corners of the map")
    limit = max(LEAST_LIMIT, OFF * step)
    found = _fitted(pairs, where)
    wrong = _strange(found)
    if found.off > limit or wrong:
        raise ArtError(f"{where}: the points do not lie as on the board: {_worst(pairs, found, limit, where)}{wrong}")
    return found


def _fitted(pairs: Sequence[Pair], where: str) -> Fit:
    made = _affine(pairs) if len(pairs) > 3 else _straight(pairs)
    if made is None:
        what = "all in one line" if len(pairs) > 3 else "in one row or column"
        raise ArtError(f"{where}: the points lie {what}; take them from opposite corners of the map")
    return Fit(*made.numbers, off=max(_off(made, pair) for pair in pairs))


def _off(made: Fit, pair: Pair) -> float:
    return math.dist(made(*pair.board), pair.scan) / max(made.scale, 1e-9)


def _strange(made: Fit) -> str:
    """What no scan of the board is like; empty for a sane one."""
    across, down = math.hypot(made.a, made.d), math.hypot(made.b, made.e)
    if min(across, down) < 1e-6:
        return "; they lie on one spot"
    if made.a * made.e - made.b * made.d < 0:
        return "; the scan would be a mirror picture"
    squeeze = max(across / down, down / across)
    if squeeze > MOST_SQUEEZE:
        return f"; the scan would be squeezed by {squeeze:.2f}, and {MOST_SQUEEZE} is allowed"
    turn = math.degrees(math.atan2(made.d, made.a))
    slant = math.degrees(math.asin(max(-1.0, min(1.0, (made.a * made.b + made.d * made.e) / (across * down)))))
    if abs(turn) > MOST_TURN:
        return f"; the scan would be turned by {abs(turn):.0f} degrees, and {MOST_TURN:.0f} are allowed: turn the picture first"
    if abs(slant) > MOST_SLANT:
        return f"; the scan would be slanted by {abs(slant):.0f} degrees, and {MOST_SLANT:.0f} are allowed"
    return ""


def _worst(pairs: Sequence[Pair], found: Fit, limit: float, where: str) -> str:
    """The point without which the others agree best, and how far it is off then; the farthest where there are too few to tell."""
    worst = max(pairs, key=lambda pair: _off(found, pair))
    off = found.off
    if len(pairs) > 3:
        rest = []
        for pair in pairs:
            others = [other for other in pairs if other is not pair]
            try:
                without = _fitted(others, where)
            except ArtError:
                continue
            rest.append((without.off, _off(without, pair), pair))
        if rest:
            _, off, worst = min(rest, key=lambda item: (item[0], -item[1]))
    told = f"{worst.name} at {_spot(worst.scan)} is {off:.0f} pixels off, and {limit:.0f} are allowed"
    return told if len(pairs) > 3 else f"{told}; with a fourth point the wrong one can be told, and a turned scan from a wrong point"


def _spot(point: Point) -> str:
    return f"{point[0]:g}, {point[1]:g}"


def _straight(pairs: Sequence[Pair]) -> Fit | None:
    """The best fit without any turning, x and y for themselves; None when the points lie in one row or column."""
    across = _line([pair.board[0] for pair in pairs], [pair.scan[0] for pair in pairs])
    down = _line([pair.board[1] for pair in pairs], [pair.scan[1] for pair in pairs])
    if across is None or down is None:
        return None
    return Fit(across[0], 0.0, across[1], 0.0, *down)


def _line(xs: Sequence[float], ys: Sequence[float]) -> tuple[float, float] | None:
    """Slope and height of the best line through points; None when all have one x."""
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    if spread < 1e-6:
        return None
    slope = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / spread
    return slope, mean_y - slope * mean_x


def _affine(pairs: Sequence[Pair]) -> Fit | None:
    """The best fit of any straight-lined kind; None when the points lie in one line."""
    middle = [sum(pair.board[at] for pair in pairs) / len(pairs) for at in (0, 1)]
    us, vs = ([pair.board[at] - middle[at] for pair in pairs] for at in (0, 1))
    uu, vv, uv = sum(u * u for u in us), sum(v * v for v in vs), sum(u * v for u, v in zip(us, vs, strict=True))
    whole = uu * vv - uv * uv
    if whole <= 1e-9 * max(uu * vv, 1.0):
        return None
    rows = []
    for at in (0, 1):
        mean = sum(pair.scan[at] for pair in pairs) / len(pairs)
        ut = sum(u * (pair.scan[at] - mean) for u, pair in zip(us, pairs, strict=True))
        vt = sum(v * (pair.scan[at] - mean) for v, pair in zip(vs, pairs, strict=True))
        p, q = (ut * vv - vt * uv) / whole, (vt * uu - ut * uv) / whole
        rows.append((p, q, mean - p * middle[0] - q * middle[1]))
    return Fit(*rows[0], *rows[1])
