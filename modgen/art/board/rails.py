"""Rails: printed lines with sleepers through the hexes, and the links that run on beyond the edge of the map."""

from __future__ import annotations

from gamebox.model import Row
from modgen.art.board.hexbase import HexBase
from modgen.art.fonts import face
from modgen.art.labels import TextBox
from modgen.art.shapes import pixels, straight_rounded
from modgen.art.sheet import Corner, chains
from modgen.art.svg import Canvas, path
from modgen.layout.hexmap import Rail

SLEEPERS = 6.8
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
    """Every rail of the map, also from its last hexes out to the frame where a link beyond the map begins."""
    found = chains(links(board, look.table))
    for chain in found:
        board.avoid(pixels(chain), SLEEPERS, "rail", 2.0)
    line(board.c, "".join(path(straight_rounded(chain, 0.16)) for chain in found), look.colour)
    for broken in (True, False):
        ends = {name for row in board.table(look.off_map) if bool(row.values.get("option")) is broken for name in _ends(row)}
        out = []
        for name in sorted(ends):
            x, y = board.sheet.centre(name)
            edge = float(_edge(board, x)[0])
            board.avoid([(x, y), (edge, y)], SLEEPERS, "rail", 2.0)
            out.append(path([(x, y), (edge, y)]))
        if out:
            line(board.c, "".join(out), look.colour, broken)


def line(c: Canvas, d: str, colour: str, broken: bool = False) -> None:
    """A rail along a path; a broken one may be there or not."""
    round_ = {"stroke_linejoin": "round", "stroke_linecap": "butt"}
    c.path(d, fill="none", stroke="#fbf6e6", stroke_width=6, stroke_opacity=0.6, **round_)
    c.path(d, fill="none", stroke=colour, stroke_width=2.2, stroke_dasharray="6 4" if broken else None, **round_)
    c.path(d, fill="none", stroke=colour, stroke_width=SLEEPERS, stroke_dasharray="1.4 8.6" if broken else "1.4 6.6", **round_)


def _ends(row: Row) -> tuple[str, str]:
    return row.text("hex_a"), row.text("hex_b")


def _edge(board: HexBase, x: int) -> tuple[int, int]:
    """The side of the frame that is nearer to a hex, and which way out is from it."""
    left, _, w, _ = board.frame
    return (left + w, 1) if x > left + w / 2 else (left, -1)


def off_map(board: HexBase, look: Rail) -> None:
    """The links beyond the edge of the map, in its margin; one that only an option opens is broken."""
    ink = board.layout.board.colours["ink"]
    for row in board.table(look.off_map):
        option = bool(row.values.get("option"))
        (x, y1), (_, y2) = sorted((board.sheet.centre(name) for name in _ends(row)), key=lambda end: end[1])
        edge, way = _edge(board, x)
        out, near = edge + way * OUT, edge + way * (OUT - 10)
        bend = [(edge, y1), (near, y1), (out, y1 + 12), (out, y2 - 12), (near, y2), (edge, y2)]
        line(board.c, path([(float(a), float(b)) for a, b in bend]), look.colour, broken=option)
        words, size = row.text("name"), 13.0
        wide = face(600, True).width(words, size)
        if wide <= y2 - y1 - 20 and not option:
            px, py, turned = out + way * 11.0, (y1 + y2) / 2, 90 * way
            board.words.add(TextBox(px, py, wide, size * 0.8, turned, what=f"rail {words}"))
            board.c.text(
                px - way * 4.0, py, words, size, weight=600, italic=True, fill=ink, rotate=turned, where=f"rail {row.key}"
            )


def leaving(board: HexBase, look: Rail | None) -> frozenset[str]:
    """The hexes from which a rail runs out of the map."""
    return frozenset(name for row in board.table(look.off_map) for name in _ends(row)) if look is not None else frozenset()
