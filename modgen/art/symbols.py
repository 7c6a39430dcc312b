"""Small drawings shared by boards, counters and charts: unit symbols, anchors, arrows, marks. Each returns SVG elements."""

from __future__ import annotations

import math

from modgen.art.svg import attrs, num, points


def unit_symbol(symbol: str, x: float, y: float, w: float, h: float, ink: str, ground: str = "none", stroke: float = 2.4) -> str:
    """A unit symbol in the box ``x, y, w, h``: the frame and what stands in it."""
    common = attrs(fill="none", stroke=ink, stroke_width=stroke, stroke_linejoin="round", stroke_linecap="round")
    cx, cy = x + w / 2, y + h / 2
    parts = [f"<rect{attrs(x=x, y=y, width=w, height=h, fill=ground, stroke=ink, stroke_width=stroke)}/>"]
    cross = f'<path{common} d="M{num(x)} {num(y)}L{num(x + w)} {num(y + h)}M{num(x + w)} {num(y)}L{num(x)} {num(y + h)}"/>'
    oval = f"<rect{common}{attrs(x=x + w * 0.18, y=y + h * 0.24, width=w * 0.64, height=h * 0.52, rx=h * 0.26)}/>"
    if symbol == "infantry":
        parts.append(cross)
    elif symbol == "armour":
        parts.append(oval)
    elif symbol == "mechanized":
        parts += [cross, oval]
    elif symbol == "cavalry":
        parts.append(f'<path{common} d="M{num(x + w)} {num(y)}L{num(x)} {num(y + h)}"/>')
    elif symbol == "mountain":
        parts.append(cross)
        peak = [(cx - w * 0.17, y + h), (cx, cy + h * 0.06), (cx + w * 0.17, y + h)]
        parts.append(f"<polygon{attrs(points=points(peak), fill=ink)}/>")
    elif symbol == "airborne":
        parts.append(cross)
        r = w * 0.13
        wings = f"M{num(cx - 2 * r)} {num(y + h - 1)}a{num(r)} {num(r)} 0 0 1 {num(2 * r)} 0a{num(r)} {num(r)} 0 0 1 {num(2 * r)} 0"
        parts.append(f'<path{common} d="{wings}"/>')
    return "".join(parts)


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
