"""Rails: printed lines with sleepers through the hexes, and the links that run on beyond the edge of the map."""

from __future__ import annotations

from modgen.art.board.hexbase import HexBase
from modgen.art.fonts import face
from modgen.art.labels import TextBox
from modgen.art.shapes import pixels, straight_rounded
from modgen.art.sheet import Corner, chains
from modgen.art.svg import Canvas, path
from modgen.layout.hexmap import Rail

SLEEPERS = 7.0
"""Length of a sleeper in pixels."""
OUT = 38
"""How far outside the frame the links beyond the map run."""


def links(board: HexBase, table: str) -> list[tuple[Corner, Corner]]:
    """The links of a table from centre to centre."""

    def at(name: str) -> Corner:
        x, y = board.sheet.centre(name)
        return x, 3 * y

    return [(at(row.text("hex_a")), at(row.text("hex_b"))) for row in board.table(table)]


def rails(board: HexBase, look: Rail) -> None:
    """Every rail of the map."""
    found = chains(links(board, look.table))
    for chain in found:
        board.avoid(pixels(chain), SLEEPERS, "rail", 2.0)
    line(board.c, "".join(path(straight_rounded(chain, 0.16)) for chain in found), look.colour)


def line(c: Canvas, d: str, colour: str, broken: bool = False) -> None:
    """A rail along a path; a broken one may be there or not."""
    round_ = {"stroke_linejoin": "round", "stroke_linecap": "butt"}
    c.path(d, fill="none", stroke="#fbf6e6", stroke_width=6, stroke_opacity=0.6, **round_)
    c.path(d, fill="none", stroke=colour, stroke_width=2.3, stroke_dasharray="6 4" if broken else None, **round_)
    c.path(d, fill="none", stroke=colour, stroke_width=SLEEPERS, stroke_dasharray="1.5 8.5" if broken else "1.5 6.5", **round_)


def off_map(board: HexBase, look: Rail) -> None:
    """The links beyond the edge of the map, in its margin; one that only an option opens is broken."""
    x0, _, w, _ = board.frame
    for row in board.table(look.off_map):
        option = bool(row.values.get("option"))
        ends = [board.sheet.centre(row.text("hex_a")), board.sheet.centre(row.text("hex_b"))]
        east = ends[0][0] > x0 + w / 2
        edge, out = (x0 + w, x0 + w + OUT) if east else (x0, x0 - OUT)
        (_, y1), (_, y2) = sorted(ends, key=lambda end: end[1])
        far = out - 12 if east else out + 12
        bend = [(edge, y1), (far, y1), (out, y1 + 14), (out, y2 - 14), (far, y2), (edge, y2)]
        line(board.c, path([(float(x), float(y)) for x, y in bend]), look.colour, broken=option)
        words, size = row.text("name"), 13.0
        room = y2 - y1 - 40.0
        if face(600, True).width(words, size) <= room and not option:
            turned = 90 if east else -90
            x, y = out + (-11.0 if east else 11.0), (y1 + y2) / 2
            box = TextBox(x, y, face(600, True).width(words, size), size * 0.8, turned, what=f"rail {words}")
            board.words.add(box)
            ink = board.layout.board.colours["ink"]
            shift = -4.0 if east else 4.0
            board.c.text(x + shift, y, words, size, weight=600, italic=True, fill=ink, rotate=turned, where=f"rail {row.key}")
