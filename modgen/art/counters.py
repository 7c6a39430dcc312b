"""Draws the counters: units with symbol, size, name and strengths, their backs, the markers and the small marks laid over units.

Everything is drawn on one sheet at twice the size shown on the board and cut apart, so that counters stay sharp when zoomed in.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gamebox.model import Box, Piece
from modgen.art import symbols
from modgen.art.svg import Canvas, attrs, num, points, render
from modgen.layout.counters import Marker
from modgen.layout.layout import Layout

SCALE = 2
"""Pixels drawn for one pixel shown."""
FRONT, BACK = "front", "back"
ATTACK, TARGET, MOVED = "mark-attack.png", "mark-target.png", "mark-moved.png"


@dataclass(frozen=True, slots=True)
class Cut:
    """One picture to be cut from the sheet."""

    file: str
    x: int
    y: int
    w: int
    h: int


def front_file(piece: Piece) -> str:
    """The picture of a piece."""
    return f"{piece.id}.png"


def back_file(piece: Piece) -> str:
    """The picture of a piece's back."""
    return f"{piece.id}-back.png"


def marker_file(marker: Marker) -> str:
    """The picture of a marker."""
    return f"marker-{marker.id}.png"


def faces(box: Box, layout: Layout, piece: Piece) -> tuple[tuple[str, str], ...]:
    """The faces of a piece in the order in which it is turned: (name of the face, picture file). The first is its front."""
    back = ((BACK, back_file(piece)),) if layout.play.prototype(piece).faces is not None else ()
    return ((FRONT, front_file(piece)), *back)


def marker_faces(marker: Marker) -> tuple[tuple[str, str], ...]:
    """The faces of a marker in the order in which it is turned: (name of the face, picture file)."""
    return ((FRONT, marker_file(marker)),)


def shade(colour: str, by: float) -> str:
    """A colour made lighter (``by`` > 0) or darker."""
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    mixed = [round(v + (255 - v) * by if by > 0 else v * (1 + by)) for v in parts]
    return "#" + "".join(f"{v:02x}" for v in mixed)


def unit_art(box: Box, layout: Layout, piece: Piece, side: int) -> str:
    """The front of a piece as SVG elements in a square of ``side`` pixels at the origin.

    Raises :class:`ArtError` when its name has no glyph.
    """
    nation = box["nations"][piece.nation]
    return "".join(_unit(piece, layout, side, nation.text("fill"), nation.text("ink")))


def marker_art(marker: Marker, side: int) -> str:
    """A marker as SVG elements in a square of ``side`` pixels at the origin."""
    return "".join(_marker(marker, side))


def draw_counters(box: Box, layout: Layout) -> dict[str, bytes]:
    """File name -> PNG of every counter and mark.

    Raises :class:`ArtError` when a name has no glyph.
    """
    return cut_sheet(*counter_sheet(box, layout))


def cut_sheet(svg: str, cuts: Sequence[Cut]) -> dict[str, bytes]:
    """The sheet rendered and cut into pictures: file name -> PNG."""
    from PIL import Image

    sheet = Image.open(io.BytesIO(render(svg))).convert("RGBA")
    out: dict[str, bytes] = {}
    for cut in cuts:
        data = io.BytesIO()
        picture = sheet.crop((cut.x, cut.y, cut.x + cut.w, cut.y + cut.h))
        opaque = picture.getchannel("A").getextrema() == (255, 255)
        (picture.convert("RGB") if opaque else picture).save(data, "PNG", compress_level=6)
        out[cut.file] = data.getvalue()
    return out


def counter_sheet(box: Box, layout: Layout) -> tuple[str, list[Cut]]:
    """The sheet as SVG text, and where each picture stands on it."""
    side = layout.counters.size * SCALE
    gap = 4
    columns = 16
    items: list[tuple[str, Iterator[str]]] = []
    nations = {row.key: (row.text("fill"), row.text("ink")) for row in box["nations"]}
    for piece in box.pieces:
        fill, ink = nations[piece.nation]
        items.append((front_file(piece), _unit(piece, layout, side, fill, ink)))
    for piece in box.pieces:
        if layout.play.prototype(piece).faces is not None:
            fill, ink = nations[piece.nation]
            items.append((back_file(piece), _back(piece, side, fill, ink)))
    for marker in layout.counters.markers:
        items.append((marker_file(marker), _marker(marker, side)))
    small = 44
    for file, drawn, size in (
        (ATTACK, _attack(small), small),
        (TARGET, _target(small), small),
        (MOVED, _moved(18), 18),
    ):
        items.append((file, drawn))
        del size
    sizes = {ATTACK: small, TARGET: small, MOVED: 18}
    rows = (len(items) + columns - 1) // columns
    canvas = Canvas(columns * (side + gap), rows * (side + gap))
    cuts = []
    for i, (file, parts) in enumerate(items):
        x, y = (i % columns) * (side + gap), (i // columns) * (side + gap)
        canvas.group(parts, transform=f"translate({x} {y})")
        cut = sizes.get(file, side)
        cuts.append(Cut(file, x, y, cut, cut))
    return str(canvas), cuts


def _plate(side: float, fill: str) -> str:
    """The counter itself: colour, a light upper and a dark lower edge."""
    return (
        f"<rect{attrs(width=side, height=side, fill=fill)}/>"
        f'<path d="M0 0H{num(side)}L{num(side - 3)} 3H3V{num(side - 3)}L0 {num(side)}Z" fill="{shade(fill, 0.45)}"/>'
        f'<path d="M{num(side)} {num(side)}H0L3 {num(side - 3)}H{num(side - 3)}V3L{num(side)} 0Z" fill="{shade(fill, -0.4)}"/>'
    )


def _words(side: float, y: float, text: str, size: float, ink: str, weight: int, where: str, room: float | None = None) -> str:
    """One centred line of text."""
    canvas = Canvas(side, side)
    canvas.text(side / 2, y, text, size, weight=weight, fill=ink, max_width=room if room is not None else side - 10, where=where)
    return canvas.body[0]


def _unit(piece: Piece, layout: Layout, side: int, fill: str, ink: str) -> Iterator[str]:
    k = side / 104
    kind = layout.counters.kind(piece)
    yield _plate(side, fill)
    if kind.band:
        yield f"<rect{attrs(x=3, y=3, width=side - 6, height=15 * k, fill=kind.band)}/>"
    if kind.size:
        yield _words(side, 15 * k, kind.size, 15 * k, "#ffffff" if kind.band else ink, 700, f"size of {piece.id}")
    w, h = 44 * k, 27 * k
    reverse = bool(layout.counters.inverse.tests) and layout.counters.inverse(piece.row)
    if kind.symbol != "none":
        line, ground = (fill, ink) if reverse else (ink, shade(fill, 0.28 if ink != "#ffffff" else 0.12))
        yield symbols.unit_symbol(kind.symbol, (side - w) / 2, 19.5 * k, w, h, line, ground, 2.6 * k)
        if reverse:
            yield f"<rect{attrs(x=(side - w) / 2, y=19.5 * k, width=w, height=h, fill='none', stroke=ink, stroke_width=2.6 * k)}/>"
    yield _words(side, 65.5 * k, piece.name, 20.5 * k, ink, 700, f"units {piece.id} name")
    yield _words(side, 97 * k, "-".join(map(str, piece.strengths)), 38 * k, ink, 700, f"strengths of {piece.id}", side - 9)


def _back(piece: Piece, side: int, fill: str, ink: str) -> Iterator[str]:
    k = side / 104
    yield _plate(side, fill)
    pale = shade(fill, 0.55)
    yield f"<rect{attrs(x=8 * k, y=34 * k, width=side - 16 * k, height=36 * k, fill=pale, rx=3)}/>"
    yield symbols.arrow(side / 2 + 22 * k, 52 * k, 0, 26 * k, "#9a1b16")
    yield f"<rect{attrs(x=16 * k, y=48 * k, width=48 * k, height=8 * k, fill='#9a1b16')}/>"
    yield _words(side, 26 * k, piece.name, 20.5 * k, ink, 700, f"units {piece.id} name")
    yield _words(side, 94 * k, "-".join(map(str, piece.strengths)), 24 * k, ink, 600, f"strengths of {piece.id}", side - 9)


def _marker(marker: Marker, side: int) -> Iterator[str]:
    k = side / 104
    where = f"marker {marker.id}"
    half = side / 2
    if marker.style == "control":
        yield f"<circle{attrs(cx=half, cy=half, r=46 * k, fill=marker.fill, stroke=shade(marker.fill, -0.45), stroke_width=4 * k)}/>"
        yield f"<circle{attrs(cx=half, cy=half, r=38 * k, fill='none', stroke=marker.ink, stroke_width=2.5 * k)}/>"
        yield f'<path d="M{num(38 * k)} {num(84 * k)}V{num(24 * k)}" stroke="{marker.ink}" stroke-width="{num(4 * k)}" fill="none"/>'
        flag = [(38 * k, 24 * k), (82 * k, 24 * k), (74 * k, 41 * k), (82 * k, 58 * k), (38 * k, 58 * k)]
        yield f"<polygon{attrs(points=points(flag), fill=marker.ink)}/>"
        canvas = Canvas(side, side)
        canvas.text(57 * k, 51 * k, marker.text, 27 * k, weight=900, fill=marker.fill, where=where)
        yield canvas.body[0]
        return
    yield _plate(side, marker.fill)
    if marker.style == "supply":
        line = attrs(stroke=marker.ink, stroke_width=3 * k, stroke_linejoin="round")
        for x in (22, 42, 62):
            yield f"<rect{attrs(x=x * k, y=20 * k, width=19 * k, height=30 * k, rx=4 * k, fill=shade(marker.fill, 0.35))}{line}/>"
            yield f'<path d="M{num(x * k)} {num(30 * k)}h{num(19 * k)}M{num(x * k)} {num(40 * k)}h{num(19 * k)}"{line} fill="none"/>'
        yield _words(side, 72 * k, "SUPPLY", 20 * k, marker.ink, 700, where)
        yield _words(side, 95 * k, marker.text, 22 * k, marker.ink, 900, where)
    elif marker.style == "breach":
        wall = [(10, 62), (10, 40), (22, 40), (22, 48), (34, 48), (34, 40), (46, 40), (40, 58), (50, 70), (38, 86), (10, 86)]
        mirror = [(104 - x, y) for x, y in wall]
        for shape in (wall, mirror):
            pts = " ".join(f"{num(x * k)},{num(y * k)}" for x, y in shape)
            yield f'<polygon points="{pts}" fill="{marker.ink}"/>'
        yield symbols.burst(half, 36 * k, 26 * k, 12 * k, 9, fill="#c8301f", stroke="#ffd34d", stroke_width=2.5 * k)
    elif marker.style == "turn":
        yield symbols.star(half, 40 * k, 30 * k, fill=marker.ink)
        yield _words(side, 92 * k, marker.text, 26 * k, marker.ink, 900, where)
    else:
        yield _words(side, 62 * k, marker.text, 30 * k, marker.ink, 900, where)


def _attack(side: float) -> Iterator[str]:
    half = side / 2
    yield f"<circle{attrs(cx=half, cy=half, r=half - 2, fill='#c9150f', stroke='#ffffff', stroke_width=3)}/>"
    low, high, wide = side * 0.22, side * 0.78, side * 0.2
    shape = [(wide, half - 4), (half, half - 4), (half, low), (side * 0.82, half), (half, high), (half, half + 4), (wide, half + 4)]
    yield f"<polygon{attrs(points=points(shape), fill='#ffffff')}/>"


def _target(side: float) -> Iterator[str]:
    half = side / 2
    yield f"<circle{attrs(cx=half, cy=half, r=half - 2, fill='#ffd400', stroke='#1a1a1a', stroke_width=3)}/>"
    yield symbols.target(half, half, half - 5, "#1a1a1a")


def _moved(side: float) -> Iterator[str]:
    yield f'<path d="M1 1H{num(side - 1)}V{num(side - 1)}Z" fill="#1557b0" stroke="#ffffff" stroke-width="1.5" stroke-linejoin="round"/>'


def sample_sheet(box: Box, layout: Layout, pictures: Mapping[str, bytes], columns: int = 14) -> bytes:
    """All fronts and markers on one sheet as PNG, for people to look at."""
    from PIL import Image

    names = [front_file(p) for p in sorted(box.pieces, key=lambda p: ([s.id for s in layout.play.sides].index(p.side), p.row.line))]
    names += [marker_file(m) for m in layout.counters.markers]
    side, gap = layout.counters.size * SCALE, 12
    rows = (len(names) + columns - 1) // columns
    out = Image.new("RGB", (columns * (side + gap) + gap, rows * (side + gap) + gap), layout.board.colours["paper"])
    for i, name in enumerate(names):
        picture = Image.open(io.BytesIO(pictures[name])).convert("RGBA")
        out.paste(picture, (gap + (i % columns) * (side + gap), gap + (i // columns) * (side + gap)), picture)
    data = io.BytesIO()
    out.save(data, "PNG", compress_level=6)
    return data.getvalue()
