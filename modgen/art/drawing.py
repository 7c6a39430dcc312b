"""A picture of a module before it is made of pixels: its SVG text. What a picture shows follows from the text alone, so the text
tells whether a picture that was rendered before is still right.

Boards are rendered in strips of a fixed height, side by side on several processors; how many there are changes no byte.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from modgen.art import png, textures
from modgen.art.maker import Scan, lay_over
from modgen.art.png import Strip
from modgen.art.svg import Canvas, attrs, render
from modgen.layout.reading import Rect

if TYPE_CHECKING:
    from PIL.Image import Image

STRIP_PIXELS = 4_000_000
"""About how many pixels of a board are rendered at a time."""
GRAIN = 512
"""The side of the square of paper grain that boards are tiled with."""


@dataclass(frozen=True, slots=True)
class Window:
    """A part of an SVG picture, and where its upper left corner comes to lie."""

    part: Rect
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """One picture to be rendered into ``file``, ``width`` x ``height`` pixels.

    ``paper``: the colour of the paper it is drawn on, whose grain it has; none: it may be transparent. ``under``: a PNG that is spread
    over a rectangle of the paper, below the drawing; ``over``: a maker's scan that is laid over it. ``windows``: it is put together from
    parts of the picture, the later above the earlier; without any it is the whole.
    """

    file: str
    svg: str
    width: int
    height: int
    paper: str | None = None
    under: tuple[bytes, Rect] | None = None
    over: Scan | None = None
    windows: tuple[Window, ...] = ()

    @classmethod
    def of(cls, canvas: Canvas, file: str) -> Drawing:
        """What was drawn on a canvas, as the picture ``file``."""
        return cls(file, str(canvas), round(canvas.width), round(canvas.height))

    @property
    def strips(self) -> tuple[tuple[int, int], ...]:
        """(top, height) of the strips that a picture on paper is rendered in; none for other pictures, which are small."""
        if self.paper is None or self.windows:
            return ()
        rows = max(1, STRIP_PIXELS // self.width)
        count = -(-self.height // rows)
        edges = [self.height * k // count for k in range(count + 1)]
        return tuple((top, bottom - top) for top, bottom in pairwise(edges))


def render_whole(drawing: Drawing) -> bytes:
    """The picture as PNG.

    Raises :class:`ArtError` when the renderer refuses it.
    """
    if drawing.strips:
        return png.joined(drawing.width, drawing.height, [render_strip(drawing, number) for number in range(len(drawing.strips))])
    if drawing.paper is None and not drawing.windows:
        return render(drawing.svg)
    picture = _assembled(drawing) if drawing.windows else _pixels(drawing, (0, 0, drawing.width, drawing.height))
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=6)
    return out.getvalue()


def render_strip(drawing: Drawing, number: int) -> Strip:
    """One of ``Drawing.strips``, packed. Raises :class:`ArtError` when the renderer refuses it."""
    top, height = drawing.strips[number]
    picture = _pixels(drawing, (0, top, drawing.width, height))
    return png.strip(picture, last=number + 1 == len(drawing.strips))


def part_of(svg: str, part: Rect) -> str:
    """A part of an SVG picture as a picture of its own: the same pixels, without the words that lie wholly outside."""
    x, y, w, h = part
    start = svg.index(">") + 1
    size = attrs(width=w, height=h, viewBox=f"{x} {y} {w} {h}")
    return f'<svg xmlns="http://www.w3.org/2000/svg"{size}>{_near(svg[start:], part)}'


_GROUPS = "g|svg|pattern|mask|clipPath|symbol|marker|defs"
_MARKS = re.compile(rf"<(?:{_GROUPS})\b[^>]*?(/?)>|</(?:{_GROUPS})>|<text\b.*?</text>")
_TEXT = re.compile(r'<text[^>]* transform="translate\((-?[\d.]+) (-?[\d.]+)\)[^>]*? font-size="([\d.]+)"[^>]*>([^<]*)</text>')
_SPACING = re.compile(r' letter-spacing="([\d.]+)"')


def _near(body: str, part: Rect) -> str:
    """The body of an SVG picture without the words far from a part of it. To lay out words is half of what a small part costs."""
    x, y, w, h = part
    out, at, depth = [], 0, 0
    for found in _MARKS.finditer(body):
        mark = found.group()
        if not mark.startswith("<text"):
            depth += -1 if mark.startswith("</") else not found.group(1)
        elif depth == 0 and (words := _TEXT.fullmatch(mark)):
            spaced = _SPACING.search(mark)
            # Whatever the anchor and the turn: no letter is wider than two ems, nor its halo than one.
            reach = (float(words.group(3)) * 2 + (float(spaced.group(1)) if spaced else 0)) * (len(words.group(4)) + 2)
            across, down = float(words.group(1)), float(words.group(2))
            if not (x - reach < across < x + w + reach and y - reach < down < y + h + reach):
                out.append(body[at : found.start()])
                at = found.end()
    return "".join((*out, body[at:]))


def _pixels(drawing: Drawing, part: Rect) -> Image:
    """A part of a drawing: RGB when it is on paper."""
    from PIL import Image, ImageChops

    x, y, w, h = part
    whole = part == (0, 0, drawing.width, drawing.height)
    drawn = Image.open(io.BytesIO(render(drawing.svg if whole else part_of(drawing.svg, part))))
    if drawing.paper is None:
        return drawn
    out = Image.new("RGB", (w, h), drawing.paper)
    if drawing.under is not None:
        _spread(out, part, *drawing.under)
    out.paste(drawn, (0, 0), drawn if drawn.mode == "RGBA" else None)
    sheet = Image.new("RGB", (w, h))
    for left in range(-(x % GRAIN), w, GRAIN):
        for top in range(-(y % GRAIN), h, GRAIN):
            sheet.paste(_grain(), (left, top))
    out = ImageChops.multiply(out, sheet)
    if drawing.over is not None:
        lay_over(out, part, drawing.over)
    return out


def _spread(out: Image, part: Rect, small: bytes, over: Rect) -> None:
    """Spreads a small picture over a rectangle of the whole, as far as it lies in a part of it: the renderer takes ten times as long."""
    from PIL import Image

    picture = Image.open(io.BytesIO(small)).convert("RGB")
    left, top = max(over[0], part[0]), max(over[1], part[1])
    right, bottom = min(over[0] + over[2], part[0] + part[2]), min(over[1] + over[3], part[1] + part[3])
    if left >= right or top >= bottom:
        return
    across, down = picture.width / over[2], picture.height / over[3]
    # A little more on every side than is needed, so that a part looks as it does in the whole: pixels depend on their neighbours.
    more_x, more_y = int(4 / across) + 1, int(4 / down) + 1
    x0, y0 = max(left - over[0] - more_x, 0), max(top - over[1] - more_y, 0)
    x1, y1 = min(right - over[0] + more_x, over[2]), min(bottom - over[1] + more_y, over[3])
    source = (x0 * across, y0 * down, x1 * across, y1 * down)
    spread = picture.resize((x1 - x0, y1 - y0), Image.Resampling.BICUBIC, box=source)
    u, v = left - over[0] - x0, top - over[1] - y0
    out.paste(spread.crop((u, v, u + right - left, v + bottom - top)), (left - part[0], top - part[1]))


def _assembled(drawing: Drawing) -> Image:
    from PIL import Image

    out = Image.new("RGB" if drawing.paper is not None else "RGBA", (drawing.width, drawing.height))
    for window in drawing.windows:
        out.paste(_pixels(drawing, window.part), (window.x, window.y))
    return out


@cache
def _grain() -> Image:
    from PIL import Image

    tile = textures.grain(GRAIN)
    return Image.merge("RGB", (tile, tile, tile))
