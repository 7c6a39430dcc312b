"""Small drawings shared by boards, counters and charts: unit symbols, anchors, arrows, marks. Each returns SVG elements."""

from __future__ import annotations

import math
from collections.abc import Sequence

from modgen.art.svg import attrs, num, points


def unit_symbol(symbol: str, x: float, y: float, w: float, h: float, ink: str, ground: str = "none", stroke: float = 2.4) -> str:
    """A unit symbol in the box ``x, y, w, h``: the frame and what stands in it; people, aircraft and tanks have no frame."""
    if symbol in FIGURES:
        # A figure that is low may be wide, and one that is high a little higher than a frame.
        side = min(w * 1.1, h * 2.4) if symbol == "tank" else min(w, h * 1.25)
        inside = FIGURES[symbol].replace("INK", ink).replace("GROUND", ground if ground != "none" else "#ffffff")
        corner = f"translate({num(x + w / 2 - side / 2)} {num(y + h / 2 - side / 2)}) scale({side / 100:.4f})"
        return f"<g{attrs(transform=corner)}>{inside}</g>"
    if symbol == "motorized":
        # The wheels stand below the frame: the frame is lower instead.
        r = h * 0.09
        low = y + h - r - stroke / 2
        line = attrs(r=r, fill=ground, stroke=ink, stroke_width=stroke * 0.8)
        wheels = "".join(f"<circle{attrs(cx=x + w * part, cy=low)}{line}/>" for part in (0.2, 0.5, 0.8))
        return unit_symbol("infantry", x, y, w, h - 2 * r - stroke / 2, ink, ground, stroke) + wheels
    common = attrs(fill="none", stroke=ink, stroke_width=stroke, stroke_linejoin="round", stroke_linecap="butt")
    cx, cy = x + w / 2, y + h / 2
    parts = [f"<rect{attrs(x=x, y=y, width=w, height=h, fill=ground, stroke=ink, stroke_width=stroke)}/>"]
    cross = f'<path{common} d="M{num(x)} {num(y)}L{num(x + w)} {num(y + h)}M{num(x + w)} {num(y)}L{num(x)} {num(y + h)}"/>'
    oval = f"<rect{common}{attrs(x=x + w * 0.17, y=y + h * 0.22, width=w * 0.66, height=h * 0.56, rx=h * 0.28)}/>"
    if symbol in _CROSSED:
        parts.append(cross)
    if symbol in ("armour", "mechanized"):
        parts.append(oval)
    elif symbol == "cavalry":
        parts.append(f'<path{common} d="M{num(x + w)} {num(y)}L{num(x)} {num(y + h)}"/>')
    elif symbol == "mountain":
        peak = [(cx - w * 0.19, y + h), (cx, cy + h * 0.05), (cx + w * 0.19, y + h)]
        parts.append(f"<polygon{attrs(points=points(peak), fill=ink)}/>")
    elif symbol == "airborne":
        r = w * 0.13
        low = y + h - stroke * 0.9
        wings = f"M{num(cx - 2 * r)} {num(low)}a{num(r)} {num(r)} 0 0 1 {num(2 * r)} 0a{num(r)} {num(r)} 0 0 1 {num(2 * r)} 0"
        parts.append(f'<path{common} d="{wings}"/>')
    elif symbol == "marine":
        parts.append(anchor(cx, cy, h * 0.8, ink, ground if ground != "none" else "#ffffff"))
    elif symbol == "naval":
        parts.append(anchor(cx, cy, h * 0.82, ink, "none"))
    elif symbol == "shock":
        parts.append(f'<path{common} d="M{num(cx)} {num(y)}V{num(y + h)}"/>')
    elif symbol == "garrison":
        parts.append(f"<rect{attrs(x=x, y=y + h * 0.78, width=w, height=h * 0.22, fill=ink)}/>")
    elif symbol == "militia":
        parts.append(f"<polygon{attrs(points=points([(x, y + h), (cx, cy), (x + w, y + h)]), fill=ink)}/>")
    elif symbol == "partisan":
        foot, bowl = h * 0.78, h * 0.23
        left = cx - bowl * 0.75
        round_ = num(bowl * 0.74)
        letter = f"M{num(left)} {num(y + foot)}V{num(y + h * 0.2)}h{num(bowl)}a{round_} {round_} 0 0 1 0 {num(bowl * 1.48)}h{num(-bowl)}"
        parts.append(f'<path{attrs(fill="none", stroke=ink, stroke_width=stroke * 1.35)} d="{letter}"/>')
    elif symbol == "artillery":
        parts.append(f"<circle{attrs(cx=cx, cy=cy, r=h * 0.22, fill=ink)}/>")
    elif symbol == "headquarters":
        parts.append(f"<rect{attrs(x=x, y=y, width=w, height=h * 0.34, fill=ink)}/>")
    return "".join(parts)


_CROSSED = frozenset(("infantry", "mechanized", "mountain", "airborne", "marine", "shock", "garrison", "militia"))


def _mirrored(half: Sequence[tuple[float, float]]) -> str:
    """A figure from its right half, around the line x = 50."""
    return points([*half, *((100 - x, y) for x, y in reversed(half))])


_FIGHTER = [(50, 3), (53, 8), (55.5, 20), (56.5, 34), (88, 42), (97, 47), (97, 54), (57, 57), (54, 80), (68, 87), (68, 93), (52, 92)]
_BOMBER = [
    *((50, 2), (54.5, 8), (56, 20), (56.5, 36), (66, 38), (67, 27), (70.5, 24), (74, 27), (75, 39.5), (99, 46), (99, 53), (57, 58)),
    *((54, 81), (71, 86), (71, 93), (52, 91)),
]
FIGURES = {
    "leader": (
        '<path d="M6 99C6 78 22 70 39 66L50 74 61 66C78 70 94 78 94 99Z" fill="INK"/>'
        '<ellipse cx="50" cy="45" rx="17.5" ry="21" fill="INK"/>'
        '<path d="M26 33C24 17 38 7 50 7S76 17 74 33C66 27 34 27 26 33Z" fill="INK" stroke="GROUND" stroke-width="2.5"/>'
        '<path d="M30 37C38 42 62 42 70 37L72 32C62 27 38 27 28 32Z" fill="INK" stroke="GROUND" stroke-width="2.5"/>'
        '<path d="M40 70L50 84 60 70" fill="none" stroke="GROUND" stroke-width="4"/>'
    ),
    "fighter": f'<polygon points="{_mirrored(_FIGHTER)}" fill="INK"/>',
    "bomber": f'<polygon points="{_mirrored(_BOMBER)}" fill="INK"/>',
    "tank": (
        '<path d="M16 53L24 45H34L38 31H63L68 38H98V42.5H68L69 45H86L93 53Z" fill="INK"/>'
        '<path d="M14 56H95Q99 63 90 74H19Q5 66 14 56Z" fill="INK"/>'
        '<g fill="GROUND"><circle cx="24" cy="65" r="5.5"/><circle cx="39" cy="65" r="5.5"/><circle cx="54" cy="65" r="5.5"/>'
        '<circle cx="69" cy="65" r="5.5"/><circle cx="84" cy="65" r="5.5"/></g>'
    ),
}
"""Symbols without a frame, in a box of 100 x 100."""


def anchor(x: float, y: float, size: float, colour: str, halo: str = "#ffffff") -> str:
    """An anchor centred on a point, ``size`` high."""
    s = size / 2
    d = (
        f"M{num(x)} {num(y - s * 0.62)}V{num(y + s * 0.86)}"
        f"M{num(x - s * 0.42)} {num(y - s * 0.3)}H{num(x + s * 0.42)}"
        f"M{num(x - s * 0.78)} {num(y + s * 0.18)}C{num(x - s * 0.72)} {num(y + s * 1.02)} "
        f"{num(x + s * 0.72)} {num(y + s * 1.02)} {num(x + s * 0.78)} {num(y + s * 0.18)}"
    )
    ring = {"cx": x, "cy": y - s * 0.82, "r": s * 0.2}
    out = ""
    for colour_, extra in ((halo, 2.4), (colour, 0.0)):
        stroke = attrs(fill="none", stroke=colour_, stroke_width=s * 0.26 + extra, stroke_linecap="round")
        out += f"<circle{attrs(**ring)}{stroke}/>" + f'<path d="{d}"{stroke}/>'
    return out


def arrow(x: float, y: float, angle: float, size: float, colour: str, hollow: bool = False) -> str:
    """An arrow head with its middle at a point, pointing to ``angle`` degrees (0 = east, 90 = south)."""
    a = math.radians(angle)

    def at(forward: float, aside: float) -> tuple[float, float]:
        return x + math.cos(a) * forward - math.sin(a) * aside, y + math.sin(a) * forward + math.cos(a) * aside

    shape = [at(size / 2, 0), at(-size / 2, -size * 0.48), at(-size * 0.22, 0), at(-size / 2, size * 0.48)]
    style = attrs(fill="#ffffff" if hollow else colour, stroke=colour, stroke_width=1.6, stroke_linejoin="round")
    return f"<polygon{attrs(points=points(shape))}{style}/>"


def star(x: float, y: float, r: float, **kw: object) -> str:
    """A five-pointed star."""
    pts = [
        (
            x + (r if k % 2 == 0 else r * 0.42) * math.sin(math.pi * k / 5),
            y - (r if k % 2 == 0 else r * 0.42) * math.cos(math.pi * k / 5),
        )
        for k in range(10)
    ]
    return f"<polygon{attrs(points=points(pts), **kw)}/>"


def burst(x: float, y: float, outer: float, inner: float, spikes: int, **kw: object) -> str:
    """A jagged star for something blown up."""
    pts = [
        (
            x + (outer if k % 2 == 0 else inner) * math.sin(math.pi * k / spikes),
            y - (outer if k % 2 == 0 else inner) * math.cos(math.pi * k / spikes),
        )
        for k in range(2 * spikes)
    ]
    return f"<polygon{attrs(points=points(pts), **kw)}/>"


def target(x: float, y: float, r: float, colour: str) -> str:
    """A ring with a cross."""
    stroke = attrs(fill="none", stroke=colour, stroke_width=r * 0.22)
    lines = f"M{num(x - r)} {num(y)}H{num(x - r * 0.4)}M{num(x + r * 0.4)} {num(y)}H{num(x + r)}"
    lines += f"M{num(x)} {num(y - r)}V{num(y - r * 0.4)}M{num(x)} {num(y + r * 0.4)}V{num(y + r)}"
    return f'<circle{attrs(cx=x, cy=y, r=r * 0.72)}{stroke}/><path d="{lines}"{stroke}/>'


def derrick(x: float, y: float, size: float, colour: str) -> str:
    """An oil derrick centred on a point, ``size`` high."""
    s = size / 2
    stroke = attrs(fill="none", stroke=colour, stroke_width=s * 0.2, stroke_linecap="round", stroke_linejoin="round")
    d = (
        f"M{num(x - s * 0.72)} {num(y + s)}L{num(x - s * 0.14)} {num(y - s * 0.8)}H{num(x + s * 0.14)}L{num(x + s * 0.72)} {num(y + s)}"
        f"M{num(x - s * 0.5)} {num(y + s * 0.32)}H{num(x + s * 0.5)}M{num(x - s * 0.3)} {num(y - s * 0.28)}H{num(x + s * 0.3)}"
        f"M{num(x - s * 0.5)} {num(y + s * 0.32)}L{num(x + s * 0.72)} {num(y + s)}"
        f"M{num(x + s * 0.5)} {num(y + s * 0.32)}L{num(x - s * 0.72)} {num(y + s)}"
    )
    return f'<path d="{d}"{stroke}/>'


def crate(x: float, y: float, size: float, colour: str) -> str:
    """A crate of supplies centred on a point."""
    s = size / 2
    stroke = attrs(fill="none", stroke=colour, stroke_width=s * 0.22, stroke_linejoin="round")
    left, right, top, bottom = num(x - s * 0.8), num(x + s * 0.8), num(y - s * 0.62), num(y + s * 0.62)
    return f'<path d="M{left} {top}H{right}V{bottom}H{left}ZL{right} {bottom}M{right} {top}L{left} {bottom}"{stroke}/>'


def bastion(x: float, y: float, size: float, colour: str) -> str:
    """A small fort with four bastions centred on a point."""
    s = size / 2
    pts = []
    for k in range(4):
        a = math.pi / 4 + k * math.pi / 2
        b = a + math.pi / 4
        pts += [(x + math.cos(a) * s, y + math.sin(a) * s), (x + math.cos(b) * s * 0.5, y + math.sin(b) * s * 0.5)]
    return f"<polygon{attrs(points=points(pts), fill=colour)}/>"
