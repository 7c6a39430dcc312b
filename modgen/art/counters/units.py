"""Draws the faces of units, after the designs of the layout."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from gamebox.model import Box, Piece
from modgen.art import symbols
from modgen.art.counters.colours import BLACK, WHITE, Palette, mix, palette, readable, shade, stripe
from modgen.art.counters.pen import SHARP, UNIT, Pen, Role
from modgen.art.fonts import face
from modgen.art.svg import num
from modgen.layout.counters import CounterLayout, Face, Kind, fields, fill_in, shown

EDGE = 3.0
"""Width of the counter's edge."""
_INNER = UNIT - 2 * EDGE
_GONE = "#9a1b16"


class _Draw(Protocol):
    def __call__(self, pen: Pen, part: Part, y: float, h: float) -> None: ...


@dataclass(frozen=True, slots=True)
class Part:
    """All that is known of the face being drawn."""

    face: Face
    kind: Kind
    look: Palette
    band: str
    """The stripe behind the factors; empty for none."""
    texts: Mapping[str, str]
    """What each slot shows; slots that show nothing are left out."""
    ringed: frozenset[str]
    values: Mapping[str, str]
    """What each field of the factors stands for."""
    inverse: bool


def colours(box: Box, layout: CounterLayout, piece: Piece, face: Face) -> Palette:
    """The colours of a piece's face."""
    nation = box["nations"][piece.nation]
    own = nation.text("type_fill") if "type_fill" in nation.values else ""
    return palette(nation.text("fill"), nation.text("ink"), own, face.look, layout.limits.text)


def draw_unit(box: Box, layout: CounterLayout, piece: Piece, face: Face) -> Pen:
    """One face of a piece.

    Raises :class:`ArtError` when a name has no glyph.
    """
    kind = layout.kind(piece)
    kind = replace(kind, size=fill_in(kind.size, {name: shown(name, box, layout, piece, kind) for name in fields(kind.size)}))
    look = colours(box, layout, piece, face)
    texts, values = {}, {}
    for key, slot in face.slots.items():
        if not slot.where(piece.row):
            continue
        cells = {name: shown(name, box, layout, piece, kind) for name in fields(slot.text)}
        if text := fill_in(slot.text, cells).strip():
            texts[key] = text
            if key == "factors":
                values = cells
    part = Part(
        face,
        kind,
        look,
        stripe(look.fill) if face.look == "reduced" else "",
        texts,
        frozenset(column for column, where in face.rings if where(piece.row)),
        values,
        bool(layout.inverse.tests) and layout.inverse(piece.row),
    )
    pen = Pen(f"units {piece.id} {face.id}")
    plate(pen, look.fill)
    if face.look == "removed":
        _removed(pen, part, piece)
    elif face.look == "used":
        _used(pen, part)
    elif face.look == "hidden":
        pen.words(UNIT / 2, 76, "?", 68, look.ink, look.fill, weight=900)
    else:
        _face(pen, part)
    return pen


def plate(pen: Pen, fill: str) -> None:
    """The counter itself: colour, a light upper and a dark lower edge."""
    w, h, e = pen.w, pen.h, EDGE
    pen.rect(0, 0, w, h, shade(fill, -0.38))
    pen.add(f'<path d="M0 0H{num(w)}L{num(w - e)} {num(e)}H{num(e)}V{num(h - e)}L0 {num(h)}Z" fill="{shade(fill, 0.42)}"{SHARP}/>')
    pen.rect(e, e, w - 2 * e, h - 2 * e, fill)


def _face(pen: Pen, part: Part) -> None:
    """Rows from the top: corners and size mark, the symbol between its figures, the name, the factors, a last line."""
    texts, look = part.texts, part.look
    head = part.kind.size or "top_left" in texts or "top_right" in texts
    rows: list[tuple[float, _Draw]] = []
    if head:
        rows.append((12.6, _head))
    symbol_at = len(rows)
    rows.append((0.0, _symbol))
    if "name" in texts:
        rows.append((16.5 if "factors" in texts else 23.0, _name))
    if "factors" in texts:
        rows.append((28.5 if "name" in texts else 34.0, _factors))
    if "foot" in texts:
        rows.append((12.0, _foot))
    gap = 3.0
    free = UNIT - 2 * (EDGE + 1.2) - sum(h for h, _ in rows) - gap * (len(rows) - 1)
    symbol = min(free, 42.0)
    rows[symbol_at] = (symbol, _symbol)
    gap += (free - symbol) / max(len(rows) - 1, 1)
    if part.kind.band and head:
        pen.rect(EDGE, EDGE, _INNER, 15.0, part.kind.band)
    y = EDGE + 1.2
    for h, draw in rows:
        if draw is _factors and part.band:
            left = EDGE + 15.0 if "edge" in texts else EDGE  # the small words along the edge keep their ground
            pen.rect(left, y - 1, UNIT - EDGE - left, UNIT - EDGE - y + 1, part.band)
        draw(pen, part, y, h)
        y += h + gap
    if text := texts.get("left"):
        low = UNIT - EDGE - 3.0 if "factors" not in texts else UNIT - EDGE - 41.0
        middle = (EDGE + 3 + low) / 2
        pen.words(EDGE + 18.5, middle, text, 22, look.ink, look.fill, room=low - EDGE - 3, upward=True, role=Role.NAME)
    if text := texts.get("edge"):
        pen.words(EDGE + 12, 98, text, 14.5, look.ink, look.fill, weight=600, anchor=0, room=92, upward=True)
        pen.rect(EDGE + 15, EDGE, 1.2, _INNER, mix(look.fill, look.ink, 0.45))


_PANEL, _DONE = "#f1ede2", "#1d7a34"
_SMALLER = 0.87


def _used(pen: Pen, part: Part) -> None:
    """Done for the turn: the same on a pale panel, which leaves a frame of the nation's colour, and ticked off."""
    pen.rect(8, 8, UNIT - 16, UNIT - 16, _PANEL, rx=2)
    inner = Pen(pen.where)
    _face(inner, replace(part, look=Palette(_PANEL, BLACK, part.look.box if part.look.own_box else WHITE, part.look.own_box)))
    middle = _middle(part)
    for ink, width in ((_PANEL, 17.0), (_DONE, 9.5)):
        inner.path(f"M{num(middle - 20)} 41L{num(middle - 4)} 56L{num(middle + 25)} 23", stroke=ink, width=width)
    inner.sign("tick", _DONE, _PANEL)
    room = num(UNIT * (1 - _SMALLER) / 2)
    pen.add(f'<g transform="translate({room} {room}) scale({_SMALLER})">{"".join(inner.parts)}</g>')
    pen.prints += [replace(p, height=p.height * _SMALLER) for p in inner.prints]


def _area(part: Part) -> tuple[float, float]:
    """Where the symbol may stand, from left to right."""
    left = EDGE + 2.0
    if "left" in part.texts:
        left += 20.0
    elif "edge" in part.texts:
        left += 15.0
    return left, UNIT - EDGE - 2.0


def _head(pen: Pen, part: Part, y: float, h: float) -> None:
    left, right = _area(part)
    ground = part.kind.band or part.look.fill
    ink = readable(part.kind.band) if part.kind.band else part.look.ink
    middle = _middle(part)
    low = y + h - 1.5
    code = part.texts.get("top_right", "")
    taken = pen.words(right, low, code, 16.5, ink, ground, weight=600, anchor=1, room=36) if code else 0.0
    if part.kind.size:
        # The mark stands over the symbol unless the corner needs the room.
        room = right - taken - 4 - left if taken else right - left
        at = min(middle, right - taken - 5 - min(room, 42) / 2) if taken else middle
        pen.words(at, low, part.kind.size, 16.5, ink, ground, room=min(room, 56))
    if text := part.texts.get("top_left"):
        pen.words(left, low, text, 16.5, ink, ground, weight=600, anchor=0, room=36)


def _box(part: Part, h: float) -> tuple[float, float]:
    """Left edge and width of the symbol."""
    left, right = _area(part)
    if "lead" in part.texts:
        left += 30.0
        right -= 2.0
    if "tail" in part.texts:
        right -= 36.0
    w = min(h * 1.56, right - left - 2)
    return (left + right - w) / 2, w


def _middle(part: Part) -> float:
    """The middle of the symbol."""
    x, w = _box(part, 42.0)
    return x + w / 2


def _symbol(pen: Pen, part: Part, y: float, h: float) -> None:
    look = part.look
    symbol = part.face.symbol or part.kind.symbol
    left, right = _area(part)
    if text := part.texts.get("lead"):
        pen.words(left + 14, y + h / 2 + 12, text, 36, look.ink, look.fill, weight=900, room=28, role=Role.FACTORS)
    if text := part.texts.get("tail"):
        pen.words(right - 18, y + h / 2 + 14.5, text, 44, look.ink, look.fill, weight=900, room=34, role=Role.FACTORS)
    if symbol == "none":
        return
    x, w = _box(part, h)
    h = min(h, w / 1.3)
    stroke = 3.0
    inset = stroke / 2
    ink, ground = (look.box if look.own_box else look.fill, look.ink) if part.inverse else (look.ink, look.box)
    if symbol in symbols.FIGURES:
        ink, ground = look.ink, look.fill
    pen.symbol(symbol, x + inset, y + inset, w - stroke, h - stroke, ink, ground, stroke)
    if part.inverse:
        frame = f"M{num(x + inset)} {num(y + inset)}h{num(w - stroke)}v{num(h - stroke)}h{num(stroke - w)}Z"
        pen.path(frame, stroke=look.ink, width=stroke)


def _name(pen: Pen, part: Part, y: float, h: float) -> None:
    left, right = _area(part)
    size, look = h * 1.4, part.look
    least = 0.8 if size < 30 else 0.62
    middle, room, name = (left + right) / 2, right - left - 2, part.texts["name"]
    pen.words(middle, y + h / 2, name, size, look.ink, look.fill, room=room, least=least, centred=True, role=Role.NAME)


def _foot(pen: Pen, part: Part, y: float, h: float) -> None:
    left, right = _area(part)
    pen.words((left + right) / 2, y + h - 1.5, part.texts["foot"], 15, part.look.ink, part.look.fill, weight=600, room=right - left)


def _factors(pen: Pen, part: Part, y: float, h: float) -> None:
    """The factors, those that are ringed in a ring, centred in what the badge leaves free."""
    look = part.look
    left, right = (EDGE + 2.0, UNIT - EDGE - 2.0) if "edge" not in part.texts else _area(part)
    ground = part.band or look.fill
    ink = readable(part.band) if part.band else look.ink
    low = y + h - 1.5
    badge = part.texts.get("badge")
    if badge:
        slot = part.face.slots["badge"]
        r, fill, letter = 12.5, slot.fill or WHITE, slot.ink or BLACK
        pen.circle(right - r, low - 12.5, r, fill, letter, 2.5)
        pen.words(right - r, low - 12.5 + 6.9, badge, 21, letter, fill, weight=900)
        right -= 2 * r + 3
    size = min(h / 0.66, 38.0 if part.values and len(part.texts["factors"]) > 3 else 42.0)
    pieces = _split(part)
    if not any(ring for _, ring in pieces):
        pen.words((left + right) / 2, low, part.texts["factors"], size, ink, ground, room=right - left, role=Role.FACTORS)
        return
    type_ = face(700)
    r = h / 2
    small = size * 0.82
    widths = [2 * r + 2 if ring else type_.width(text, size) for text, ring in pieces]
    fit = min(1.0, (right - left) / sum(widths))
    x = (left + right - sum(widths) * fit) / 2
    for (text, ring), width in zip(pieces, widths, strict=True):
        width *= fit
        if ring:
            pen.circle(x + width / 2, low - r + 2.0, r - 1.6, stroke=ink, width=3.2)
            pen.words(x + width / 2, low - r + 2.0 + small * 0.33, text, small, ink, ground, room=1.5 * r, role=Role.FACTORS)
        else:
            pen.words(x + width / 2, low, text, size, ink, ground, room=width, role=Role.FACTORS)
        x += width


def _split(part: Part) -> list[tuple[str, bool]]:
    """The factors in runs of text, each ringed or not."""
    template = part.face.slots["factors"].text
    out: list[tuple[str, bool]] = []
    run = ""
    while template:
        plain, brace, rest = template.partition("{")
        run += plain
        if not brace:
            break
        name, _, template = rest.partition("}")
        if name in part.ringed:
            out += [(run, False), (part.values[name], True)]
            run = ""
        else:
            run += part.values[name]
    out.append((run, False))
    return [(text, ring) for text, ring in out if text.strip()]


def _removed(pen: Pen, part: Part, piece: Piece) -> None:
    """A unit marked to leave the game: an arrow out of the counter."""
    look = part.look
    pale = shade(look.fill, 0.55)
    pen.rect(8, 34, UNIT - 16, 36, pale, rx=3)
    pen.add(symbols.arrow(UNIT / 2 + 22, 52, 0, 26, _GONE))
    pen.rect(16, 48, 48, 8, _GONE)
    pen.sign("arrow", _GONE, pale)
    name = part.texts.get("name") or part.texts.get("left") or piece.name
    pen.words(UNIT / 2, 26, name, 23, look.ink, look.fill, room=UNIT - 10, role=Role.NAME)
    if text := part.texts.get("factors"):
        pen.words(UNIT / 2, 94, text, 25, look.ink, look.fill, weight=600, room=UNIT - 9)
