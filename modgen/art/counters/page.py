"""All counters on one page, for people to look at: each with its other sides beside it, by side and kind, with captions."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gamebox.model import Box
from modgen.art.counters import faces, marker_faces, mask_file
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


def draw_page(box: Box, layout: Layout, pictures: Mapping[str, bytes], width: int = 2400) -> Image:
    """The page, ``width`` pixels wide and as high as it needs to be."""
    from PIL import Image

    opened = {file: Image.open(io.BytesIO(png)).convert("RGBA") for file, png in pictures.items()}
    colours = layout.board.colours
    placed: list[tuple[str, int, int]] = []
    words: list[tuple[int, int, str, int, int, str]] = []
    y = MARGIN + 62
    words.append((MARGIN, y - 14, layout.title, 62, 900, colours["ink"]))
    lines: list[int] = []
    for section in _sections(box, layout):
        words.append((MARGIN, y + 70, section.title, 40, 700, colours["ink"]))
        lines.append(y + 84)
        y += 100
        for line in _lines(section.groups, opened, width - 2 * MARGIN):
            high = 0
            for group, left in line:
                words.append((MARGIN + left, y + 18, group.caption, 22, 600, colours["ink"]))
                x, top = MARGIN + left, y + 28
                for counter in group.counters:
                    w, h = _size(counter, opened)
                    if x > MARGIN + left and x + w > width - MARGIN:
                        x, top = MARGIN, top + h + GROUP
                    for file in counter:
                        placed.append((file, x, top))
                        x += opened[file].width + GAP
                    x += GROUP - GAP
                    high = max(high, top + h - y)
            y += high + 24
    height = y + MARGIN
    canvas = Canvas(width, height, colours["paper"])
    for low in lines:
        canvas.line(MARGIN, low, width - MARGIN, low, stroke=colours["ink"], stroke_width=2)
    for left, low, text, size, weight, ink in words:
        canvas.text(left, low, text, size, weight=weight, anchor="start", fill=ink, where="counter page")
    page = Image.open(io.BytesIO(canvas.png())).convert("RGB")
    for file, left, top in placed:
        page.paste(opened[file], (left, top), opened[file])
    return page


def _size(counter: tuple[str, ...], opened: Mapping[str, Image]) -> tuple[int, int]:
    """How wide and high a counter's sides are beside each other."""
    return sum(opened[f].width + GAP for f in counter) - GAP, max(opened[f].height for f in counter)


def _lines(groups: tuple[_Group, ...], opened: Mapping[str, Image], width: int) -> list[list[tuple[_Group, int]]]:
    """Groups side by side where they fit, each with its distance from the left; a group wider than the page begins a line and ends it."""
    out: list[list[tuple[_Group, int]]] = []
    x = width + 1
    for group in groups:
        wide = sum(_size(c, opened)[0] + GROUP for c in group.counters) - GROUP
        room = max(wide, len(group.caption) * 11)
        if x + room > width:
            out.append([])
            x = 0
        out[-1].append((group, x))
        x += room + 3 * GROUP
    return out
