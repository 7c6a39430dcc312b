"""Charts drawn from the tables: combat results, terrain effects, turns. What we reconstructed is slanted and coloured, never hidden."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from gamebox.model import Box, Row
from modgen.art import plan
from modgen.art.fonts import face
from modgen.art.svg import Canvas
from modgen.layout.layout import Layout

CRT, TEC, TURNS = "chart-crt.png", "chart-terrain.png", "chart-turns.png"
TITLES = {CRT: "Combat Results", TEC: "Terrain Effects", TURNS: "Turns and Replacements"}


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a chart: its words, and whether they are printed or derived (or our own)."""

    text: str
    certain: bool = True
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart as rows of cells; the first row is the heading."""

    file: str
    title: str
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...]


def charts(box: Box, layout: Layout) -> tuple[Chart, ...]:
    """The charts of a game, as far as it has the tables for them."""
    makers: tuple[tuple[str, Callable[[Box, Layout], Chart]], ...] = (("crt", _crt), ("terrain", _terrain), ("turns", _turns))
    return tuple(make(box, layout) for table, make in makers if table in box.tables)


def _ratio(odds: str) -> Fraction:
    attack, defence = odds.split(":")
    return Fraction(int(attack), int(defence))


def _crt(box: Box, layout: Layout) -> Chart:
    odds = sorted({row.text("odds") for row in box["crt"]}, key=_ratio)
    dice = sorted({row.int("die") for row in box["crt"]})
    rows = [(Cell("Die", strong=True), *(Cell(o, strong=True) for o in odds))]
    for die in dice:
        cells = [Cell(str(die), strong=True)]
        for o in odds:
            row = box["crt"][f"{o}|{die}"]
            cells.append(Cell(row.text("result"), row.source("result").certain))
        rows.append(tuple(cells))
    return Chart(CRT, "Combat Results Table", tuple(rows), layout.board.chart_notes.get("crt", ()))


def _terrain(box: Box, layout: Layout) -> Chart:
    look = plan.hex_map(layout)
    labels = {**{k: t.label for k, t in look.terrain.items()}, **{k: v.label for k, v in look.features.items()}}
    head = ("Terrain", "Move", "Defence", "Attack across", "ZOC across")
    rows = [tuple(Cell(h, strong=True) for h in head)]

    def yes(row: Row, column: str) -> Cell:
        value = row.values.get(column)
        return Cell("" if value is None else "yes" if value else "no", row.source(column).certain)

    for row in box["terrain"]:
        kind = row.text("kind")
        hexside = row.items("applies_to") == ("hexside",)
        label = look.hexsides[kind].label if hexside and kind in look.hexsides else labels.get(kind, kind.capitalize())
        if row.values.get("passable") == 0:
            move = "may not be crossed" if hexside else "may not be entered"
        elif row.values.get("enter_cost") is not None:
            move = f"{row.int('enter_cost')} MP"
        elif row.int("extra_cost"):
            move = f"+{row.int('extra_cost')} MP"
        else:
            move = "no extra cost"
        certain = row.source("enter_cost").certain and row.source("extra_cost").certain
        times = row.int("defence_multiplier")
        rows.append(
            (
                Cell(label, strong=True),
                Cell(move, certain),
                Cell(
                    f"x{times}" if times > 1 else "" if row.values.get("defence_multiplier") is None else "x1",
                    row.source("defence_multiplier").certain,
                ),
                yes(row, "attack_over"),
                yes(row, "zoc_extends"),
            )
        )
    return Chart(TEC, "Terrain Effects Chart", tuple(rows), layout.board.chart_notes.get("terrain", ()))


def _turns(box: Box, layout: Layout) -> Chart:
    names = [(rate, rate.replace("_", " ").title()) for rate, _, _ in layout.board.rate_labels]
    rows = [(Cell("Turn", strong=True), Cell("Date", strong=True), *(Cell(n, strong=True) for _, n in names))]
    for turn in sorted(box["turns"], key=lambda r: int(r.key)):
        cells = [Cell(turn.key, strong=True), Cell(turn.text("date"), turn.source("date").certain)]
        for rate, _ in names:
            row = box["rates"].get(f"{turn.key}|{rate}")
            cells.append(Cell("" if row is None else str(row.int("number")), row is None or row.source("number").certain))
        rows.append(tuple(cells))
    return Chart(TURNS, "Turns and Replacements", tuple(rows), layout.board.chart_notes.get("turns", ()))


def draw_chart(chart: Chart, layout: Layout) -> bytes:
    """A chart as PNG.

    Raises :class:`ArtError` when a word has no glyph.
    """
    ink, own, frame = layout.board.colours["ink"], layout.board.colours["reconstructed"], layout.board.colours["frame"]
    size, high, pad = 20.0, 36, 18
    bold = face(700)
    columns = len(chart.rows[0])
    widths = [max(bold.width(row[c].text, size) for row in chart.rows) + 30 for c in range(columns)]
    widths = [max(w, 64.0) for w in widths]
    width = max(sum(widths) + 2 * pad, 620.0)
    widths[-1] += width - 2 * pad - sum(widths)
    legend = ("Upright: printed in the rulebook or derived from it.", "Slanted, coloured: our own reconstruction.")
    top = 62
    height = top + high * len(chart.rows) + 14 + 24 * (len(chart.notes) + len(legend)) + 8
    c = Canvas(round(width), height, layout.board.colours["panel"])
    c.rect(0, 0, round(width), 46, fill=frame)
    c.text(pad, 31, chart.title.upper(), 22, weight=700, fill="#fff7e4", anchor="start", spacing=1.5, where=chart.title)
    for r, row in enumerate(chart.rows):
        y = top + r * high
        if r and r % 2 == 0:
            c.rect(pad, y, width - 2 * pad, high, fill="#000000", fill_opacity=0.045)
        x = float(pad)
        for k, cell in enumerate(row):
            if not cell.certain and cell.text:
                c.rect(x + 1, y + 2, widths[k] - 2, high - 4, fill=own, fill_opacity=0.1)
            c.text(
                x + 8 if k == 0 else x + widths[k] / 2,
                y + 25,
                cell.text,
                size,
                weight=700 if cell.strong else 600,
                italic=not cell.certain,
                fill=ink if cell.certain else own,
                anchor="start" if k == 0 else "middle",
                where=chart.title,
            )
            x += widths[k]
        c.line(pad, y + high, width - pad, y + high, stroke=frame, stroke_width=2 if r == 0 else 0.7)
    y = top + high * len(chart.rows) + 28
    for k, note in enumerate((*chart.notes, *legend)):
        last = k == len(chart.notes) + 1
        c.text(
            pad, y + k * 24, note, 16, italic=last, fill=own if last else ink, anchor="start", max_width=width - 2 * pad, where=chart.title
        )
    return c.png()


def html(all_charts: Sequence[Chart]) -> str:
    """The charts as plain tables for a client's help window."""
    out = []
    for chart in all_charts:
        out.append(f"<h2>{_html(chart.title)}</h2><table border=1 cellpadding=4>")
        for row in chart.rows:
            cells = "".join(f"<td align=center>{_cell(cell)}</td>" for cell in row)
            out.append(f"<tr>{cells}</tr>")
        out.append("</table>" + "".join(f"<p>{_html(note)}</p>" for note in chart.notes))
    return "\n".join(out) + "\n<p><i>* our own reconstruction</i></p>"


def _cell(cell: Cell) -> str:
    """A cell's words: bold for headings, slanted with a star for what we reconstructed."""
    words = _html(cell.text)
    if words and not cell.certain:
        words = f"<i>{words} *</i>"
    return f"<b>{words}</b>" if cell.strong else words


def _html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
