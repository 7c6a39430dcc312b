"""The one type family everything is set in: files, widths, and the check that every letter exists.

The renderer drops a glyph it cannot find without a word, so no text is drawn that has not passed :func:`Face.check`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Any

from modgen.errors import ArtError

FAMILY = "Source Sans Pro"
_PACKAGE = "font_source_sans_pro"
_FILES = {
    (400, False): "SourceSansPro-Regular.ttf",
    (600, False): "SourceSansPro-Semibold.ttf",
    (700, False): "SourceSansPro-Bold.ttf",
    (900, False): "SourceSansPro-Black.ttf",
    (400, True): "SourceSansPro-It.ttf",
    (600, True): "SourceSansPro-SemiboldIt.ttf",
}


@dataclass(frozen=True, slots=True)
class Face:
    """One weight of the family: advance widths in units of 1/em, and which code points it has."""

    weight: int
    italic: bool
    file: Path
    units: int
    advances: dict[int, int] = field(repr=False)
    cap: float = 0.66
    """Height of a capital or a figure, in parts of the size."""
    shapes: dict[int, str] = field(default_factory=dict, repr=False, compare=False)
    """Outlines asked for so far, by code point."""

    def check(self, text: str, where: str) -> None:
        """Raise :class:`ArtError` when a letter of ``text`` has no glyph."""
        missing = sorted({c for c in text if ord(c) not in self.advances})
        if missing:
            named = ", ".join(f"{c!r} (U+{ord(c):04X})" for c in missing)
            raise ArtError(
                f"{where}: the font {FAMILY} {self.weight}{' italic' if self.italic else ''} has no glyph for {named} in {text!r}"
            )

    def outline(self, text: str, where: str) -> str:
        """A line of text as SVG path data, from the origin to the right, y upwards, in units of 1/em.

        Where hundreds of small pictures are drawn, one shape a line is drawn faster than text, which the renderer has to lay out first.
        Raises :class:`ArtError` when a letter has no glyph.
        """
        at, out = 0, []
        for sign in text:
            code = ord(sign)
            shape = self.shapes.get(code)
            if shape is None:
                self.check(text, where)
                shape = self.shapes[code] = _outline(self.file, code)
            if shape:
                out.append(f"M{at} 0{shape}")
            at += self.advances[code]
        return "".join(out)

    def width(self, text: str, size: float, spacing: float = 0.0) -> float:
        """Width of ``text`` in pixels at ``size`` pixels, letter spacing included (kerning is left out: it only narrows)."""
        advances = self.advances
        return sum(advances.get(ord(c), self.units) for c in text) * size / self.units + spacing * max(len(text) - 1, 0)


@cache
def face(weight: int = 400, italic: bool = False) -> Face:
    """The face of this weight (400, 600, 700, 900; italic 400 and 600)."""
    from fontTools.ttLib import TTFont

    name = _FILES.get((weight, italic))
    if name is None:
        raise ArtError(f"no face of weight {weight}{' italic' if italic else ''}; there are {sorted(_FILES)}")
    path = _path(name)
    with TTFont(path, lazy=True) as font:
        metrics = font["hmtx"].metrics
        advances = {code: metrics[glyph][0] for code, glyph in font.getBestCmap().items()}
        units = int(font["head"].unitsPerEm)
        return Face(weight, italic, path, units, advances, font["OS/2"].sCapHeight / units)


def _path(name: str) -> Path:
    path = Path(str(resources.files(_PACKAGE) / "files" / name))
    if not path.is_file():
        raise ArtError(f"the font file {name} of the package {_PACKAGE.replace('_', '-')} is missing: install the package again")
    return path


@cache
def _glyphs(file: Path) -> tuple[Any, dict[int, str]]:
    """An open font's outlines, and the glyph of each code point."""
    from fontTools.ttLib import TTFont

    font = TTFont(file, lazy=True)
    return font.getGlyphSet(), font.getBestCmap()


def _outline(file: Path, code: int) -> str:
    """One glyph as SVG path data that is relative to the point where the glyph begins."""
    from fontTools.pens.recordingPen import DecomposingRecordingPen

    glyphs, names = _glyphs(file)
    pen = DecomposingRecordingPen(glyphs)
    glyphs[names[code]].draw(pen)
    out: list[str] = []
    x = y = start_x = start_y = 0
    for command, points in pen.value:
        if command in ("closePath", "endPath"):
            out.append("z")
            x, y = start_x, start_y
            continue
        for letter, curve in _curves(command, points):
            out.append(letter + " ".join(f"{round(px) - x} {round(py) - y}" for px, py in curve))
            x, y = round(curve[-1][0]), round(curve[-1][1])
            if letter == "m":
                start_x, start_y = x, y
    return "".join(out)


def _curves(command: str, points: tuple[tuple[float, float], ...]) -> list[tuple[str, tuple[tuple[float, float], ...]]]:
    """A pen's command as commands of SVG paths. Between two points off a quadratic curve lies one on it."""
    if command != "qCurveTo":
        return [({"moveTo": "m", "lineTo": "l", "curveTo": "c"}[command], points)]
    out: list[tuple[str, tuple[tuple[float, float], ...]]] = []
    for index, (off, following) in enumerate(pairwise(points)):
        on = following if index == len(points) - 2 else ((off[0] + following[0]) / 2, (off[1] + following[1]) / 2)
        out.append(("q", (off, on)))
    return out


def files() -> list[str]:
    """Every font file the renderer is given (and it is given no others).

    Raises :class:`ArtError` when one is missing.
    """
    return [str(_path(name)) for name in _FILES.values()]

