"""All counters on one page, for people to look at: each with its other sides beside it, by side and kind, with captions."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gamebox.model import Box
from modgen.art.counters import faces, marker_faces, mask_file
from modgen.art.fonts import face
from modgen.art.svg import Canvas
from modgen.layout.layout import Layout

if TYPE_CHECKING:
    from PIL.Image import Image

MARGIN, GAP, GROUP = 36, 5, 16
"""Pixels around the page, between sides of a counter, between counters."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Counters under one caption; each a row of picture files."""

    caption: str
    counters: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class _Section:
    title: str
    groups: tuple[_Group, ...]


def _sections(box: Box, layout: Layout) -> list[_Section]:
    out = []
    for side in layout.play.sides:
        kinds: dict[str, list[tuple[str, ...]]] = {}
        order = {id(kind): n for n, kind in enumerate(layout.counters.kinds)}
        pieces = [p for p in box.pieces if p.side == side.id]
        for piece in sorted(pieces, key=lambda p: order[id(layout.counters.kind(p))]):
            kinds.setdefault(layout.counters.kind(piece).label, []).append(tuple(file for _, file in faces(box, layout, piece)))
        out.append(_Section(f"{side.tab} ({len(pieces)})", tuple(_Group(f"{k} ({len(c)})", tuple(c)) for k, c in kinds.items())))
    groups: dict[str, list[tuple[str, ...]]] = {}
    for marker in layout.counters.markers:
        groups.setdefault(marker.group, []).append(tuple(file for _, file in marker_faces(marker)))
    if layout.counters.masks:
        groups["Hidden"] = [(mask_file(mask),) for mask in layout.counters.masks]
    if groups:
        out.append(_Section("Markers", tuple(_Group(k, tuple(c)) for k, c in groups.items())))
    return out


Size = tuple[int, int]
"""Width and height of a picture in pixels."""


@dataclass(frozen=True, slots=True)
class Caption:
    """A line of text with its base line's left end at a point."""

    x: int
    y: int
    text: str
    size: int
    weight: int


@dataclass(slots=True)
class Arrangement:
    """Where everything stands on the page."""

    width: int
    height: int = 0
    captions: list[Caption] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    """Rules across the page, by their height."""
    placed: list[tuple[str, int, int]] = field(default_factory=list)
    """Picture, left and top."""


def arrange(box: Box, layout: Layout, sizes: Mapping[str, Size], width: int) -> Arrangement:
    """The page, ``width`` pixels wide and as high as it needs to be, for pictures of these sizes."""
    page = Arrangement(width)
    y = MARGIN + 62
    page.captions.append(Caption(MARGIN, y - 14, layout.title, 62, 900))
    for section in _sections(box, layout):
        page.captions.append(Caption(MARGIN, y + 70, section.title, 40, 700))
        page.lines.append(y + 84)
        y += 100
        for line in _lines(section.groups, sizes, width - 2 * MARGIN):
            low = y
            for group, left in line:
                page.captions.append(Caption(MARGIN + left, y + 18, group.caption, 22, 600))
                low = max(low, _place(page, group, MARGIN + left, y + 28, sizes))
            y = low + 24
    page.height = y + MARGIN
    return page


def _place(page: Arrangement, group: _Group, left: int, top: int, sizes: Mapping[str, Size]) -> int:
    """A group's counters in as many rows as they need; the height at which they end."""
    x = left
    for counter in group.counters:
        w, h = _size(counter, sizes)
        if x > left and x + w > page.width - MARGIN:
            x, top = left, top + h + GROUP
        for file in counter:
            page.placed.append((file, x, top))
            x += sizes[file][0] + GAP
        x += GROUP - GAP
    return top + h


def draw_page(box: Box, layout: Layout, pictures: Mapping[str, bytes], width: int = 2400) -> Image:
    """The page as a picture."""
    from PIL import Image

    opened = {file: Image.open(io.BytesIO(png)).convert("RGBA") for file, png in pictures.items()}
    page = arrange(box, layout, {file: image.size for file, image in opened.items()}, width)
    ink = layout.board.colours["ink"]
    canvas = Canvas(width, page.height, layout.board.colours["paper"])
    for low in page.lines:
        canvas.line(MARGIN, low, width - MARGIN, low, stroke=ink, stroke_width=2)
    for c in page.captions:
        canvas.text(c.x, c.y, c.text, c.size, weight=c.weight, anchor="start", fill=ink, where=f"counter page: {c.text}")
    out = Image.open(io.BytesIO(canvas.png())).convert("RGB")
    for file, left, top in page.placed:
        out.paste(opened[file], (left, top), opened[file])
    return out


def _size(counter: tuple[str, ...], sizes: Mapping[str, Size]) -> Size:
    """How wide and high a counter's sides are beside each other."""
    return sum(sizes[f][0] + GAP for f in counter) - GAP, max(sizes[f][1] for f in counter)


def _lines(groups: tuple[_Group, ...], sizes: Mapping[str, Size], width: int) -> list[list[tuple[_Group, int]]]:
    """Groups side by side where they fit, each with its distance from the left; a group wider than the page stands alone."""
    out: list[list[tuple[_Group, int]]] = []
    x = width + 1
    for group in groups:
        wide = sum(_size(c, sizes)[0] + GROUP for c in group.counters) - GROUP
        room = max(wide, round(face(600).width(group.caption, 22)))
        if x + room > width:
            out.append([])
            x = 0
        out[-1].append((group, x))
        x += room + 3 * GROUP
    return out
