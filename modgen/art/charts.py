"""Charts made from the tables as the layout asks for them. What we reconstructed is slanted and coloured, never hidden."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from gamebox.model import Box, Row
from modgen.art.drawing import Drawing
from modgen.art.fonts import face
from modgen.art.svg import Canvas
from modgen.art.words import Words
from modgen.layout.charts import Column, Part
from modgen.layout.layout import Layout

SIZE, LINE, PAD = 20.0, 26, 18
TOGETHER = 28
"""Items of a list up to so many letters are not broken."""
LEGEND = ("Upright: printed in the rulebook or derived from it.", "Slanted, coloured: our own reconstruction.")


@dataclass(frozen=True, slots=True)
class Run:
    """Words of one kind: printed or derived ones, or our own."""

    text: str
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a chart: what its rows say, with the separators between."""

    runs: tuple[Run, ...]
    strong: bool = False
    left: bool = False
    fill: str = ""

    @property
    def text(self) -> str:
        """All its words."""
        return "".join(run.text for run in self.runs)

    @property
    def certain(self) -> bool:
        """Whether none of it is our own."""
        return all(run.certain for run in self.runs)


@dataclass(frozen=True, slots=True)
class Grid:
    """One table of a chart as rows of cells; the first row is the heading."""

    title: str
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...]
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """A page: its file, its name in the chart window, its heading, its tables."""

    file: str
    name: str
    heading: str
    grids: tuple[Grid, ...]
    notes: tuple[str, ...]
    width: int

    @property
    def certain(self) -> bool:
        """Whether nothing on it is our own."""
        return all(cell.certain for grid in self.grids for row in grid.rows for cell in row)


def charts(box: Box, layout: Layout) -> tuple[Chart, ...]:
    """The charts of a game, in the order of its layout."""
    out = []
    for page in layout.charts:
        grids = tuple(_grid(box, layout, part) for part in page.parts)
        out.append(Chart(f"chart-{page.id}.png", page.title, page.heading, grids, page.notes, page.width))
    return tuple(out)


# -- what the cells say


def _grid(box: Box, layout: Layout, part: Part) -> Grid:
    words = Words(box, layout, part.words)
    rows = [row for row in box[part.table] if part.where(row)]
    lines = _groups(rows, part.rows) if part.rows else [[row] for row in rows]
    found = list(dict.fromkeys(row.text(part.across) for row in rows)) if part.across else []
    values = [*(v for v in part.order if v in found), *(v for v in _ordered(found) if v not in part.order)]
    head = [Cell((Run(column.title),), strong=True, left=column.left or not k) for k, column in enumerate(part.columns)]
    for value in values:
        first = next(row for row in rows if row.text(part.across) == value)
        head.append(Cell((Run(words.fill(part.heading.pieces, first)[0] if part.heading else value),), strong=True))
    out = [tuple(head)]
    for line in lines:
        # The first column only names the line: what is said of it stands in the others.
        named = _cell(words, part, part.columns[0], line)
        cells = [Cell((Run(named.text),), strong=True, left=True)]
        cells += [_cell(words, part, column, line) for column in part.columns[1:]]
        if part.cell is not None:
            cells += [_cell(words, part, part.cell, [row for row in line if row.text(part.across) == value]) for value in values]
        out.append(tuple(cells))
    return Grid(part.title, tuple(out), part.notes, part.beside)


def _groups(rows: Sequence[Row], column: str) -> list[list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.text(column), []).append(row)
    return [found[value] for value in _ordered(list(found))]


def _ordered(values: Sequence[str]) -> list[str]:
    """Numbers and odds by their worth, anything else as it came."""
    try:
        return sorted(values, key=_worth)
    except ValueError:
        return list(values)


def _worth(value: str) -> Fraction:
    if ":" in value:
        attack, _, defence = value.partition(":")
        return Fraction(int(attack), int(defence))
    return Fraction(int(value))


def _cell(words: Words, part: Part, column: Column, rows: Sequence[Row]) -> Cell:
    """What a column says of the rows of a line."""
    runs: list[Run] = []
    for row in rows:
        text, certain = words.column(column, row)
        if text and text not in (run.text for run in runs):
            runs += [Run(column.join), Run(text, certain)] if runs else [Run(text, certain)]
    return Cell(tuple(runs), left=column.left, fill=part.fills.get("".join(run.text for run in runs), ""))


# -- how they are drawn

_Word = tuple[str, bool, float]
"""A word, whether it is certain, its width with the blank behind it."""


class _Sheet:
    """One table being laid out: widths of its columns, lines of its cells."""

    def __init__(self, grid: Grid, room: float) -> None:
        self.grid = grid
        words = [[list(_words(cell)) for cell in row] for row in grid.rows]
        count = len(grid.rows[0])
        blank = face(600).width(" ", SIZE)
        natural = [max(_length(row[c]) - blank for row in words) + 26 for c in range(count)]
        least = [max((w for row in words for _, _, w in row[c]), default=0.0) + 18 for c in range(count)]
        natural = [max(n, lo, 56.0) for n, lo in zip(natural, least, strict=True)]
        self.widths = _shared(natural, [max(lo, 56.0) for lo in least], room)
        self.lines = [[_broken(cell, self.widths[c] - 16) for c, cell in enumerate(row)] for row in words]
        self.heights = [max(len(cell) for cell in row) * LINE + 10 for row in self.lines]
        self.notes = [line for note in grid.notes for line in wrapped(note, sum(self.widths), 16)]
        self.title = 34 if grid.title else 0

    def widen(self, width: float) -> None:
        """Spread over a wider page: every column but the first grows alike."""
        grow = self.widths[1:] or self.widths
        more = (width - self.width) / len(grow)
        self.widths = [*self.widths[: len(self.widths) - len(grow)], *(w + more for w in grow)]

    @property
    def width(self) -> float:
        return sum(self.widths)

    @property
    def height(self) -> float:
        return self.title + sum(self.heights) + 8 + 22 * len(self.notes)


def _words(cell: Cell) -> Iterator[_Word]:
    """The words of a cell: short items of a list in one piece, separators with what they follow, "" for the start of a new line."""
    bold = face(700 if cell.strong else 600)
    found: list[tuple[str, bool]] = []
    for k, run in enumerate(cell.runs):
        if k % 2:
            word, certain = found.pop() if found and run.text.strip() else ("", True)
            if run.text.strip():
                found.append((word + run.text.rstrip(), certain))
            if "\n" in run.text:
                found.append(("", True))
            continue
        whole = len(cell.runs) > 1 and len(run.text) <= TOGETHER
        found += [(part, run.certain) for part in ([run.text] if whole else run.text.split(" ")) if part]
    for text, certain in found:
        yield text, certain, (bold if certain else face(600, True)).width(text + " ", SIZE) if text else 0.0


def _length(words: Sequence[_Word]) -> float:
    """The width of the longest line when nothing is broken that need not be."""
    longest = here = 0.0
    for text, _, wide in words:
        here = here + wide if text else 0.0
        longest = max(longest, here)
    return longest


def _shared(natural: list[float], least: list[float], room: float) -> list[float]:
    """Widths within ``room``: narrow columns keep what they need, the wide ones share what is left."""
    if sum(natural) <= room:
        return natural
    low, high = 0.0, max(natural)
    for _ in range(40):
        cap = (low + high) / 2
        if sum(max(lo, min(n, cap)) for n, lo in zip(natural, least, strict=True)) > room:
            high = cap
        else:
            low = cap
    return [max(lo, min(n, low)) for n, lo in zip(natural, least, strict=True)]


def _broken(words: Sequence[_Word], room: float) -> list[list[_Word]]:
    """Words in lines no wider than ``room`` (a word that is wider stands alone)."""
    lines: list[list[_Word]] = [[]]
    wide = 0.0
    for word in words:
        if not word[0] or (lines[-1] and wide + word[2] > room + 6):
            lines.append([])
            wide = 0.0
        if not word[0]:
            continue
        lines[-1].append(word)
        wide += word[2]
    return lines


def wrapped(text: str, room: float, size: float, italic: bool = False) -> list[str]:
    """A text in lines no wider than ``room``."""
    type_, lines = face(400, italic), [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and type_.width(longer, size) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def draw_chart(chart: Chart, layout: Layout) -> Drawing:
    """A chart as a picture.

    Raises :class:`ArtError` when a word has no glyph.
    """
    colours = layout.board.colours
    bands: list[list[_Sheet]] = []
    for grid in chart.grids:
        sheet = _Sheet(grid, chart.width - 2 * PAD)
        if grid.beside and bands:
            bands[-1].append(sheet)
        else:
            bands.append([sheet])
    inner = max([620.0 - 2 * PAD, *(sum(s.width for s in band) + 28 * (len(band) - 1) for band in bands)])
    inner = max(inner, face(700).width(chart.heading.upper(), 22, 1.5))
    legend = LEGEND if not chart.certain else LEGEND[:1]
    notes = [line for note in chart.notes for line in wrapped(note, inner, 16)]
    tall = [max(s.height for s in band) for band in bands]
    height = 62 + sum(tall) + 18 * len(bands) + 24 * (len(notes) + len(legend)) + 12
    width = inner + 2 * PAD
    c = Canvas(round(width), round(height), colours["panel"])
    c.rect(0, 0, round(width), 46, fill=colours["frame"])
    c.text(PAD, 31, chart.heading.upper(), 22, weight=700, fill="#fff7e4", anchor="start", spacing=1.5, where=chart.name)
    y = 62.0
    for band, high in zip(bands, tall, strict=True):
        if len(band) == 1:
            band[0].widen(inner)
        x = float(PAD)
        for sheet in band:
            _draw_sheet(c, sheet, x, y, chart.name, colours)
            x += sheet.width + 28
        y += high + 18
    for k, note in enumerate((*notes, *legend)):
        ours = k > len(notes)
        fill = colours["reconstructed" if ours else "ink"]
        c.text(PAD, y + 10 + k * 24, note, 16, italic=ours, fill=fill, anchor="start", where=chart.name)
    return Drawing.of(c, chart.file)


def _draw_sheet(c: Canvas, sheet: _Sheet, left: float, top: float, where: str, colours: Mapping[str, str]) -> None:
    """A table with its title above and its notes below."""
    ink, own, frame = colours["ink"], colours["reconstructed"], colours["frame"]
    blank = face(600).width(" ", SIZE)
    if sheet.grid.title:
        c.text(left + 4, top + 22, sheet.grid.title, 18, weight=700, fill=colours["city"], anchor="start", where=where)
    y = top + sheet.title
    for r, (row, lines, high) in enumerate(zip(sheet.grid.rows, sheet.lines, sheet.heights, strict=True)):
        if r and r % 2 == 0:
            c.rect(left, y, sheet.width, high, fill="#000000", fill_opacity=0.045)
        x = left
        for cell, broken, wide in zip(row, lines, sheet.widths, strict=True):
            if cell.fill:
                c.rect(x + 1, y + 1, wide - 2, high - 2, fill=cell.fill)
            elif not cell.certain and cell.text:
                c.rect(x + 1, y + 2, wide - 2, high - 4, fill=own, fill_opacity=0.1)
            for k, line in enumerate(broken):
                length = sum(w for _, _, w in line) - blank
                at = x + 8 if cell.left else x + (wide - length) / 2
                base = y + (high - LINE * len(broken)) / 2 + LINE * k + 20
                for certain, words in itertools.groupby(line, key=lambda word: word[1]):
                    run = list(words)
                    weight, fill = 700 if certain and cell.strong else 600, ink if certain else own
                    text = " ".join(word for word, _, _ in run)
                    c.text(at, base, text, SIZE, weight=weight, italic=not certain, fill=fill, anchor="start", where=where)
                    at += sum(step for _, _, step in run)
            x += wide
        y += high
        c.line(left, y, left + sheet.width, y, stroke=frame, stroke_width=2 if r == 0 else 0.7)
    for k, note in enumerate(sheet.notes):
        c.text(left + 4, y + 22 + 22 * k, note, 16, fill=ink, anchor="start", where=where)


def html(all_charts: Sequence[Chart]) -> str:
    """The charts as plain tables for a client's help window."""
    out = []
    for chart in all_charts:
        out.append(f"<h2>{_html(chart.heading)}</h2>")
        for grid in chart.grids:
            out.append((f"<h3>{_html(grid.title)}</h3>" if grid.title else "") + "<table border=1 cellpadding=4>")
            for row in grid.rows:
                cells = "".join(f"<td align={'left' if cell.left else 'center'}>{_html_cell(cell)}</td>" for cell in row)
                out.append(f"<tr>{cells}</tr>")
            out.append("</table>" + "".join(f"<p>{_html(note)}</p>" for note in grid.notes))
        out.append("".join(f"<p>{_html(note)}</p>" for note in chart.notes))
    return "\n".join(out) + "\n<p><i>* our own reconstruction</i></p>"


def _html_cell(cell: Cell) -> str:
    """A cell's words: bold for headings, slanted with a star for what we reconstructed."""
    words = "".join(_html(run.text) if run.certain or not run.text else f"<i>{_html(run.text)} *</i>" for run in cell.runs)
    return f"<b>{words}</b>" if cell.strong else words


def _html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
