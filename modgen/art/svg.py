"""Writes SVG text and renders it to PNG: shapes, checked text, fixed number formats, no fonts but our own."""

from __future__ import annotations

import base64
import math
import threading
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from modgen.art.fonts import FAMILY, face, files
from modgen.errors import ArtError

if TYPE_CHECKING:
    from resvg.usvg import Options

Point = tuple[float, float]


def num(value: float) -> str:
    """A number as short as it can be, to a hundredth of a pixel."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in {"", "-0"} else text


def points(line: Sequence[Point]) -> str:
    """Points for a polygon or polyline."""
    return " ".join(f"{num(x)},{num(y)}" for x, y in line)


def path(line: Sequence[Point], closed: bool = False) -> str:
    """Path data of straight pieces through the points."""
    if not line:
        return ""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in line) + ("Z" if closed else "")


def attrs(**values: object) -> str:
    """XML attributes; ``_`` in a name becomes ``-``, a trailing ``_`` goes away, None is left out."""
    out = []
    for key, value in values.items():
        if value is None:
            continue
        if isinstance(value, int | float) and not isinstance(value, bool):
            out.append(f' {_name(key)}="{num(float(value))}"')
        else:
            out.append(f" {_name(key)}={_quoted(str(value))}")
    return "".join(out)


@cache
def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _quoted(text: str) -> str:
    """The value of an attribute in quotes. Nearly all have no letter that needs care, and drawings have very many."""
    return quoteattr(text) if any([sign in text for sign in _CARE]) else f'"{text}"'


_CARE = ("&", "<", ">", '"', "\n", "\r", "\t")


class Canvas:
    """An SVG picture being written, ``width`` x ``height`` user units."""

    def __init__(self, width: float, height: float, background: str | None = None) -> None:
        self.width, self.height = width, height
        self.defs: list[str] = []
        self.body: list[str] = []
        if background:
            self.rect(0, 0, width, height, fill=background)

    def add(self, text: str) -> None:
        """One more finished element."""
        self.body.append(text)

    def rect(self, x: float, y: float, w: float, h: float, **kw: object) -> None:
        """A rectangle."""
        self.add(f"<rect{attrs(x=x, y=y, width=w, height=h, **kw)}/>")

    def circle(self, x: float, y: float, r: float, **kw: object) -> None:
        """A circle."""
        self.add(f"<circle{attrs(cx=x, cy=y, r=r, **kw)}/>")

    def line(self, x1: float, y1: float, x2: float, y2: float, **kw: object) -> None:
        """A straight line."""
        self.add(f"<line{attrs(x1=x1, y1=y1, x2=x2, y2=y2, **kw)}/>")

    def polygon(self, line: Sequence[Point], **kw: object) -> None:
        """A closed figure."""
        self.add(f"<polygon{attrs(points=points(line), **kw)}/>")

    def polyline(self, line: Sequence[Point], **kw: object) -> None:
        """An open line."""
        self.add(f"<polyline{attrs(points=points(line), fill='none', **kw)}/>")

    def path(self, d: str, **kw: object) -> None:
        """A path by its data."""
        if d:
            self.add(f"<path{attrs(d=d, **kw)}/>")

    def group(self, elements: Iterable[str], **kw: object) -> None:
        """Elements under common attributes."""
        self.add(f"<g{attrs(**kw)}>{''.join(elements)}</g>")

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        *,
        weight: int = 400,
        italic: bool = False,
        anchor: str = "middle",
        fill: str = "#000",
        spacing: float = 0.0,
        rotate: float = 0.0,
        halo: str | None = None,
        halo_width: float = 3.0,
        opacity: float | None = None,
        max_width: float | None = None,
        where: str = "text",
    ) -> float:
        """Text with its baseline at ``y``, narrowed to ``max_width`` if wider; its drawn width is returned.

        Raises :class:`ArtError` when a letter has no glyph.
        """
        if not text:
            return 0.0
        type_ = face(weight, italic)
        type_.check(text, where)
        width = type_.width(text, size, spacing)
        squeeze = 1.0 if max_width is None or width <= max_width else max_width / width
        moves = f"translate({num(x)} {num(y)})"
        if rotate:
            moves += f" rotate({num(rotate)})"
        if squeeze < 1:
            moves += f" scale({squeeze:.4f} 1)"
        # Letter spacing is also put behind the last letter: half of it back keeps centred text centred.
        shift = spacing / 2 if anchor == "middle" else 0.0
        common = attrs(
            x=shift,
            y=0,
            transform=moves,
            font_family=FAMILY,
            font_size=size,
            font_weight=weight,
            font_style="italic" if italic else None,
            text_anchor=anchor,
            letter_spacing=spacing or None,
            opacity=opacity,
        )
        # The rim of the whole word is drawn before its letters, so that no letter's rim lies on its neighbour.
        rim = attrs(stroke=halo, stroke_width=halo_width, stroke_linejoin="round", paint_order="stroke") if halo else ""
        self.add(f"<text{common}{attrs(fill=fill)}{rim}>{escape(text)}</text>")
        return width * squeeze

    def image(self, x: float, y: float, w: float, h: float, png: bytes, **kw: object) -> None:
        """A PNG picture inside this one."""
        self.add(f"<image{attrs(x=x, y=y, width=w, height=h, **kw)} href={quoteattr(data_uri(png))}/>")

    def tile(self, name: str, size: float, png: bytes) -> None:
        """A square PNG as a fill pattern ``url(#name)``."""
        self.defs.append(
            f"<pattern{attrs(id=name, width=size, height=size, patternUnits='userSpaceOnUse')}>"
            f"<image{attrs(width=size, height=size)} href={quoteattr(data_uri(png))}/></pattern>"
        )

    def __str__(self) -> str:
        size = attrs(width=self.width, height=self.height, viewBox=f"0 0 {num(self.width)} {num(self.height)}")
        defs = f"<defs>{''.join(self.defs)}</defs>" if self.defs else ""
        return f'<svg xmlns="http://www.w3.org/2000/svg"{size}>{defs}{"".join(self.body)}</svg>'

    def png(self) -> bytes:
        """The picture rendered, a pixel for a user unit.

        Raises :class:`ArtError` when the renderer refuses the picture.
        """
        return render(str(self))


def data_uri(png: bytes) -> str:
    """A PNG as text inside an SVG."""
    return "data:image/png;base64," + base64.b64encode(png).decode("ascii")


def render(svg: str, scale: float = 1.0) -> bytes:
    """SVG text to PNG bytes, ``scale`` pixels a user unit; the same text gives the same bytes on every machine.

    Raises :class:`ArtError` when the renderer refuses the text.
    """
    import resvg
    from resvg import usvg

    try:
        tree = usvg.Tree.from_str(svg, _renderer.options)
        wide, high = tree.int_size()
        size = (math.floor(wide * scale + 0.5), math.floor(high * scale + 0.5))
        # Rows of a matrix: x' = ax + by + c, y' = dx + ey + f.
        return bytes(resvg.render(tree, (size[0] / wide, 0.0, 0.0, 0.0, size[1] / high, 0.0), bg_size=size))
    except RuntimeError as error:
        raise ArtError(f"the picture cannot be rendered: {error}") from error
    except BaseException as error:
        # What the renderer cannot read it panics at: an exception of a class that has no name to be imported by, and is no Exception.
        if type(error).__name__ != "PanicException":
            raise
        raise ArtError(f"the picture cannot be rendered: {error}") from None


class _Renderer(threading.local):
    """The renderer's options, with our fonts and no others, read once. They may be used in the thread alone that made them."""

    @cached_property
    def options(self) -> Options:
        from resvg import usvg

        options = usvg.Options.default()
        for file in files():
            options.load_font_file(file)
        return options


_renderer = _Renderer()
