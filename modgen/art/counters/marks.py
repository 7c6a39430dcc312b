"""Draws markers: a ground, a pictogram in a square of 104 units, and words only where a picture cannot say it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from modgen.art import symbols
from modgen.art.counters.colours import mix, readable, shade
from modgen.art.counters.pen import UNIT, Pen
from modgen.art.counters.units import plate
from modgen.art.measure import contrast
from modgen.art.svg import num, points
from modgen.layout.counters import MarkerFace

HALF = UNIT / 2
_ANY_SHAPE = frozenset(("card", "card-back", "text"))
_RED, _GOLD = "#c8301f", "#ffd34d"
Draw = Callable[[Pen, MarkerFace], None]


def draw_marker(face: MarkerFace, where: str, w: float = UNIT, h: float = UNIT) -> Pen:
    """One side of a marker or mask, ``w`` x ``h`` units.

    Raises :class:`ArtError` when a word has no glyph.
    """
    pen = Pen(where, w, h)
    if face.style in _ANY_SHAPE or (w, h) == (UNIT, UNIT):
        STYLES[face.style](pen, face)
        return pen
    # The others are square: as large as they fit, in the middle.
    square = Pen(where)
    STYLES[face.style](square, face)
    k = min(w, h) / UNIT
    corner = f"translate({num((w - UNIT * k) / 2)} {num((h - UNIT * k) / 2)}) scale({k:.4f})"
    pen.add(f'<g transform="{corner}">{"".join(square.parts)}</g>')
    pen.prints += [replace(p, height=p.height * k) for p in square.prints]
    return pen


def _poly(pen: Pen, shape: Sequence[tuple[float, float]], fill: str) -> None:
    pen.add(f'<polygon points="{points(shape)}" fill="{fill}"/>')


def _picture(pen: Pen, draw: Draw, f: MarkerFace, above_word: bool) -> None:
    """The pictogram, smaller when a word stands below it."""
    inner = Pen(pen.where)
    draw(inner, f)
    inside = "".join(inner.parts)
    pen.add(f'<g transform="translate(9.4 -1) scale(0.82)">{inside}</g>' if above_word else inside)
    pen.prints += inner.prints
    pen.sign(f.style, f.ink, f.fill)


def _on_plate(draw: Draw) -> Draw:
    """A square marker: plate, picture, word below it."""

    def drawn(pen: Pen, f: MarkerFace) -> None:
        plate(pen, f.fill)
        _picture(pen, draw, f, bool(f.text))
        pen.words(HALF, 97, f.text, 24, f.ink, f.fill, room=UNIT - 12)

    return drawn


def _on_disc(draw: Draw) -> Draw:
    """A round marker, for what lies on the map: it never looks like a unit."""

    def drawn(pen: Pen, f: MarkerFace) -> None:
        pen.circle(HALF, HALF, 48, f.fill, shade(f.fill, -0.45), 4)
        pen.circle(HALF, HALF, 41.5, stroke=f.ink, width=2.5)
        _picture(pen, draw, f, False)

    return drawn


def _holding(draw: Draw) -> Draw:
    """A square marker whose picture holds the word itself."""

    def drawn(pen: Pen, f: MarkerFace) -> None:
        plate(pen, f.fill)
        _picture(pen, draw, f, False)

    return drawn


def _waves(pen: Pen, ink: str, *lows: float) -> None:
    for low in lows:
        pen.path(f"M16 {num(low)}q6 -6.5 12 0t12 0 12 0 12 0 12 0 12 0", stroke=ink, width=4.8)


# --- what lies on the map


def _control(pen: Pen, f: MarkerFace) -> None:
    """A flag with a letter."""
    pen.path("M36 86V22", stroke=f.ink, width=5)
    pen.add(f'<polygon points="36,22 84,22 75,40.5 84,59 36,59" fill="{f.ink}"/>')
    pen.words(56, 51, f.text, 29, f.fill, f.ink, weight=900, room=34)


def _rail(pen: Pen, f: MarkerFace) -> None:
    """A track running away, and whose it is."""
    pen.path("M30 88L44 42M74 88L60 42", stroke=f.ink, width=5)
    pen.path("M37.5 51H66.5M33 64.5H71M27 80H77", stroke=f.ink, width=5.5)
    if f.text:
        pen.circle(HALF, 27, 16.5, f.ink)
        pen.words(HALF, 34.5, f.text, 22, f.fill, f.ink, weight=900, room=25)


def _pocket(pen: Pen, f: MarkerFace) -> None:
    """Surrounded, with its back to the water."""
    pen.add(f'<path d="M24 63A30 30 0 1 1 80 63" fill="none" stroke="{f.ink}" stroke-width="7" stroke-dasharray="10 6"/>')
    pen.add(symbols.star(HALF, 47, 17, fill=f.ink))
    for y in (71, 82):
        pen.path(f"M29 {y}q6 -6.5 11.5 0t11.5 0 11.5 0 11.5 0", stroke=f.ink, width=4.8)


def _contested(pen: Pen, f: MarkerFace) -> None:
    """Two blades crossed."""
    for flip in (1, -1):
        pen.add(
            f'<g transform="translate(52 54) scale({flip} 1) rotate(45)" fill="{f.ink}">'
            '<path d="M-4.2 15V-29L0 -38 4.2 -29V15Z"/><rect x="-12" y="15" width="24" height="6" rx="2"/>'
            '<rect x="-3.5" y="20" width="7" height="14" rx="2"/></g>'
        )


def _aim(pen: Pen, f: MarkerFace) -> None:
    """Sights on a place."""
    pen.add(symbols.target(HALF, HALF, 31, f.ink))


# --- supply and works


def _supply(pen: Pen, f: MarkerFace) -> None:
    """Three barrels."""
    pale = shade(f.fill, 0.35)
    for x in (15.5, 41.5, 67.5):
        pen.add(f'<rect x="{x}" y="33" width="21" height="40" rx="5" fill="{pale}" stroke="{f.ink}" stroke-width="3.4"/>')
        pen.path(f"M{x} 46h21M{x} 60h21", stroke=f.ink, width=3.4)


def _unsupplied(pen: Pen, f: MarkerFace) -> None:
    """A barrel struck out."""
    pale = shade(f.fill, 0.35)
    pen.add(f'<rect x="33" y="22" width="38" height="60" rx="8" fill="{pale}" stroke="{f.ink}" stroke-width="4.5"/>')
    pen.path("M33 42h38M33 62h38", stroke=f.ink, width=4.5)
    strong = _RED if contrast(_RED, f.fill) >= 3.0 else f.ink
    for ink, width in ((f.fill, 17.0), (strong, 9.0)):
        pen.path("M20 81L84 23", stroke=ink, width=width)


def _isolated(pen: Pen, f: MarkerFace) -> None:
    """Closed in from all sides."""
    pen.circle(HALF, HALF, 10, f.ink)
    for turn in (45, 135, 225, 315):
        pen.add(f'<g transform="translate(52 52) rotate({turn})" fill="{f.ink}"><path d="M16 0L31 -13V-6H47V6H31V13Z"/></g>')


def _breach(pen: Pen, f: MarkerFace) -> None:
    """A wall blown up."""
    wall = [(9.0, 66.0), (9.0, 42.0), (21.0, 42.0), (21.0, 50.0), (33.0, 50.0), (33.0, 42.0), (45.0, 42.0), (39.0, 60.0), (49.0, 72.0)]
    wall += [(37.0, 90.0), (9.0, 90.0)]
    for shape in (wall, [(UNIT - x, y) for x, y in wall]):
        _poly(pen, shape, f.ink)
    pen.add(symbols.burst(HALF, 38, 28, 12.5, 9, fill=_RED, stroke=_GOLD, stroke_width=2.5))


def _works(pen: Pen, f: MarkerFace) -> None:
    """A wall half built, and a hammer."""
    for row, bricks in enumerate(((0.0, 1.0, 2.0, 3.0), (0.5, 1.5, 2.5), (0.0, 1.0), (0.5,))):
        for at in bricks:
            pen.rect(15 + at * 19, 68 - 13.5 * row, 17, 11.5, f.ink)
    pen.add(
        f'<g transform="translate(72 36) rotate(38)" fill="{f.ink}"><rect x="-3.5" y="-14" width="7" height="38" rx="2"/>'
        '<rect x="-15" y="-21" width="30" height="13" rx="3"/></g>'
    )


def _fort(pen: Pen, f: MarkerFace) -> None:
    """A wall with battlements and a gate."""
    pen.path("M12.5 82V24h13v12h9v-12h13v12h9v-12h13v12h9v-12h13V82Z", f.ink)
    pen.path("M39 82V64a13 13 0 0 1 26 0v18Z", f.fill)


def _harbour(pen: Pen, f: MarkerFace) -> None:
    """An anchor over the water."""
    pen.add(symbols.anchor(HALF, 45, 62, f.ink, "none"))
    _waves(pen, f.ink, 87)


def _landing(pen: Pen, f: MarkerFace) -> None:
    """From the water up the beach."""
    _poly(pen, [(41, 62), (41, 42), (26, 42), (52, 14), (78, 42), (63, 42), (63, 62)], f.ink)
    _waves(pen, f.ink, 74, 87)


def _parachute(pen: Pen, f: MarkerFace) -> None:
    pen.path("M15 50A37 37 0 0 1 89 50Q79.5 42 70.5 50Q61 42 52 50Q43 42 33.5 50Q24.5 42 15 50Z", f.ink)
    pen.path("M17 53L52 78L87 53M35 52L52 78L69 52", stroke=f.ink, width=3.4)
    pen.rect(44, 75, 16, 15, f.ink, rx=2)


def _crate(pen: Pen, f: MarkerFace) -> None:
    """Goods from overseas."""
    pale = shade(f.fill, 0.3)
    pen.add(f'<rect x="19" y="21" width="66" height="62" rx="3" fill="{pale}" stroke="{f.ink}" stroke-width="6"/>')
    pen.path("M19 38h66M19 66h66", stroke=f.ink, width=5)
    pen.path("M23 62L81 42", stroke=f.ink, width=6)


# --- what a unit has done


def _action(pen: Pen, f: MarkerFace) -> None:
    """Two chevrons: forward."""
    for x in (14, 46):
        _poly(pen, [(x, 22), (x + 18, 22), (x + 44, 52), (x + 18, 82), (x, 82), (x + 26, 52)], f.ink)


def _stopped(pen: Pen, f: MarkerFace) -> None:
    """A chevron struck out: not forward."""
    _action(pen, f)
    for ink, width in ((f.fill, 18.0), (f.ink, 9.5)):
        pen.path("M22 84L82 20", stroke=ink, width=width)


def _used(pen: Pen, f: MarkerFace) -> None:
    """A tick: done for this turn."""
    pen.path("M19 54L42 78L85 25", stroke=f.ink, width=15)


def _fought(pen: Pen, f: MarkerFace) -> None:
    """An explosion."""
    pen.add(symbols.burst(HALF, HALF, 40, 20, 9, fill=_RED if contrast(_RED, f.fill) >= 3.0 else f.ink, stroke=f.ink, stroke_width=3))


def _reserve(pen: Pen, f: MarkerFace) -> None:
    """A tank held back behind a line."""
    figure = symbols.FIGURES["tank"].replace("INK", f.ink).replace("GROUND", f.fill)
    pen.add(f'<g transform="translate(7 -1) scale(0.9)">{figure}</g>')
    pen.path("M17 80H87", stroke=f.ink, width=7)


def _refit(pen: Pen, f: MarkerFace) -> None:
    """A spanner."""
    turned = '<g transform="translate(52 52) rotate(45)"'
    pen.add(f'{turned} fill="{f.ink}"><rect x="-8" y="-22" width="16" height="46"/><circle cy="-28" r="18"/><circle cy="28" r="13"/></g>')
    pen.add(f'{turned} fill="{f.fill}"><rect x="-7" y="-50" width="14" height="24"/><circle cy="28" r="5.5"/></g>')


def _retreat(pen: Pen, f: MarkerFace) -> None:
    """An arrow that turns back."""
    pen.path("M30 84V44a22 22 0 0 1 44 0v14", stroke=f.ink, width=13)
    _poly(pen, [(54, 54), (94, 54), (74, 84)], f.ink)


# --- air


def _plane(pen: Pen, scale: float, y: float, ink: str, turn: float = 0.0) -> None:
    figure = symbols.FIGURES["fighter"].replace("INK", ink)
    pen.add(f'<g transform="translate(52 {num(y)}) rotate({num(turn)}) scale({scale}) translate(-50 -50)">{figure}</g>')


def _airfield(pen: Pen, f: MarkerFace) -> None:
    """An aircraft on its runway."""
    ground = mix(f.fill, f.ink, 0.16)
    pen.rect(31, 13, 42, 78, ground, rx=3)
    _plane(pen, 0.78, 52, f.ink)


def _airfield_used(pen: Pen, f: MarkerFace) -> None:
    """An aircraft away from its runway, ticked off."""
    _plane(pen, 0.78, 47, f.ink, 40)
    for ink, width in ((f.fill, 18.0), (f.ink, 9.5)):
        pen.path("M40 72L55 87L90 50", stroke=ink, width=width)


def _intercept(pen: Pen, f: MarkerFace) -> None:
    """An aircraft in the sights."""
    _plane(pen, 0.5, 52, f.ink)
    pen.circle(HALF, HALF, 33, stroke=f.ink, width=5)
    pen.path("M52 8V27M52 77V96M8 52H27M77 52H96", stroke=f.ink, width=5)


def _bombs(pen: Pen, f: MarkerFace) -> None:
    for x, down in ((33, -6), (71, 6)):
        pen.add(
            f'<g transform="translate({x} {52 + down})" fill="{f.ink}"><path d="M0 36C-15 24 -15 -6 -7 -16H7C15 -6 15 24 0 36Z"/>'
            '<path d="M-13 -33H13L7 -17H-7Z"/></g>'
        )


# --- turn, weather, points


def _turn(pen: Pen, f: MarkerFace) -> None:
    pen.add(symbols.star(HALF, 54, 36 if not f.text else 33, fill=f.ink))


def _victory(pen: Pen, f: MarkerFace) -> None:
    """A wreath around the number."""
    for flip in (1, -1):
        leaves = ""
        for turn in range(30, 176, 24):
            x, y = 38 * math.sin(math.radians(turn)), -38 * math.cos(math.radians(turn))
            leaves += (
                f'<ellipse cx="{num(x)}" cy="{num(y)}" rx="5.8" ry="11" transform="rotate({turn + 28} {num(x)} {num(y)})"/>'
            )
        pen.add(f'<g transform="translate(52 51) scale({flip} 1)" fill="{f.ink}">{leaves}</g>')
    if f.text:
        pen.words(HALF, 62, f.text, 32, f.ink, f.fill, weight=900, room=46)
    else:
        pen.add(symbols.star(HALF, 50, 23, fill=f.ink))


def _shock(pen: Pen, f: MarkerFace) -> None:
    """Lightning."""
    pen.path("M61 12L25 58H46L38 94L80 42H58L72 12Z", f.ink)


def _sun(pen: Pen, f: MarkerFace) -> None:
    pen.circle(HALF, HALF, 18, f.ink)
    for turn in range(0, 360, 45):
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        pen.path(f"M{num(HALF + 25 * c)} {num(HALF + 25 * s)}L{num(HALF + 38 * c)} {num(HALF + 38 * s)}", stroke=f.ink, width=7)


def _cloud(pen: Pen, f: MarkerFace, down: float) -> None:
    pen.path(f"M28 {num(54 + down)}a14 14 0 0 1 0 -28a20 20 0 0 1 38 -6a17 17 0 0 1 10 34Z", f.ink)


def _rain(pen: Pen, f: MarkerFace) -> None:
    """A cloud, and the ground under water."""
    _cloud(pen, f, 0)
    for x in (34, 53, 72):
        pen.path(f"M{x} 62l-6 15", stroke=f.ink, width=5.5)
    _waves(pen, f.ink, 89)


def _snow(pen: Pen, f: MarkerFace) -> None:
    for turn in range(0, 360, 60):
        pen.add(
            f'<path transform="translate(52 52) rotate({turn})" d="M0 0V-39M0 -24L-10.5 -34M0 -24L10.5 -34" fill="none" '
            f'stroke="{f.ink}" stroke-width="6" stroke-linecap="round"/>'
        )


def _storm(pen: Pen, f: MarkerFace) -> None:
    """Bad weather of any kind: a cloud with rain and snow."""
    _cloud(pen, f, 0)
    pen.path("M34 63l-7 18", stroke=f.ink, width=6)
    pen.path("M71 63l-7 18", stroke=f.ink, width=6)
    for turn in (0, 60, 120):
        line = f'stroke="{f.ink}" stroke-width="5" stroke-linecap="round"'
        pen.add(f'<path transform="translate(50 78) rotate({turn})" d="M0 -11V11" {line}/>')


def _resource(pen: Pen, f: MarkerFace) -> None:
    """A wheel with teeth, and a word on its hub."""
    teeth = "".join(f'<rect x="-8" y="-46" width="16" height="15" rx="2.5" transform="rotate({40 * n})"/>' for n in range(9))
    pen.add(f'<g transform="translate(52 52)" fill="{f.ink}">{teeth}<circle r="37"/></g>')
    pen.circle(HALF, HALF, 25.5, f.fill)
    pen.words(HALF, 61.5, f.text, 28, f.ink, f.fill, weight=900, room=43)


def _recruits(pen: Pen, f: MarkerFace) -> None:
    """A helmet: men to fill the ranks."""
    pen.path("M16 66C14 36 30 20 52 20S90 36 88 66C97 70 99 76 95 80H9C5 76 7 70 16 66Z", f.ink)
    pen.path("M24 62H80", stroke=f.fill, width=4)


def _train(pen: Pen, f: MarkerFace) -> None:
    """A locomotive from its side."""
    pen.path("M14 66V26H42V42H74V28H84V42H90V66Z", f.ink)
    pen.rect(20, 32, 15, 13, f.fill, rx=2)
    for x, r in ((26, 10.5), (50, 10.5), (74, 10.5)):
        pen.circle(x, 73, r, f.ink, f.fill, 3)
    pen.path("M10 87H94", stroke=f.ink, width=5)


def _strait(pen: Pen, f: MarkerFace) -> None:
    """A boat on the water."""
    pen.path("M14 58H90L78 74H26Z", f.ink)
    pen.path("M48 52V18L80 52Z", f.ink)
    _waves(pen, f.ink, 87)


def _partisan(pen: Pen, f: MarkerFace) -> None:
    """Two rifles crossed below a star."""
    for flip in (1, -1):
        pen.add(
            f'<g transform="translate(52 60) scale({flip} 1) rotate(42)" fill="{f.ink}">'
            '<path d="M-2.6 -46H2.6V6L5.5 10 7 37Q1 41 -5.5 38L-6 8-2.6 2Z"/><rect x="-2.6" y="-2" width="10" height="4"/></g>'
        )
    pen.add(symbols.star(HALF, 24, 14, fill=f.ink))


def _capital(pen: Pen, f: MarkerFace) -> None:
    """Columns under a gable."""
    pen.path("M52 14L92 38H12Z", f.ink)
    for x in (18, 39, 54, 75):
        pen.rect(x, 43, 11, 30, f.ink)
    pen.rect(12, 78, 80, 10, f.ink)


def _surrender(pen: Pen, f: MarkerFace) -> None:
    """A plain flag."""
    pen.path("M25 90V16", stroke=f.ink, width=7)
    pen.path("M28 19Q46 9 60 19T90 19V63Q74 53 60 63T28 63Z", shade(f.fill, 0.92), f.ink, 5)


def _allied(pen: Pen, f: MarkerFace) -> None:
    """A flag that flies."""
    pen.path("M25 90V16", stroke=f.ink, width=7)
    pen.path("M28 19Q46 9 60 19T90 19V63Q74 53 60 63T28 63Z", f.ink, f.ink, 5)


def _bound(pen: Pen, f: MarkerFace) -> None:
    """A lock."""
    pen.path("M34 48V36a18 18 0 0 1 36 0v12", stroke=f.ink, width=9)
    pen.rect(22, 46, 60, 42, f.ink, rx=6)
    pen.circle(HALF, 63, 6, f.fill)
    pen.path("M52 65V76", stroke=f.fill, width=6)


def _free(pen: Pen, f: MarkerFace) -> None:
    """A lock that is open."""
    pen.path("M34 48V32a18 18 0 0 1 36 0", stroke=f.ink, width=9)
    pen.rect(22, 46, 60, 42, f.ink, rx=6)
    pen.circle(HALF, 63, 6, f.fill)
    pen.path("M52 65V76", stroke=f.fill, width=6)


def _event(pen: Pen, f: MarkerFace) -> None:
    """Two dice."""
    for x, y, pips in ((15, 15, ((-10, -10), (10, 10), (0, 0))), (46, 46, ((-10, -10), (10, 10), (-10, 10), (10, -10)))):
        pen.add(f'<rect x="{x}" y="{y}" width="43" height="43" rx="8" fill="{f.ink}" stroke="{f.fill}" stroke-width="3"/>')
        for dx, dy in pips:
            pen.circle(x + 21.5 + dx, y + 21.5 + dy, 4.8, f.fill)


def _barred(pen: Pen, f: MarkerFace) -> None:
    """No entry: something is over."""
    pen.circle(HALF, HALF, 33, stroke=f.ink, width=12)
    pen.path("M30 74L74 30", stroke=f.ink, width=12)


# --- cards, words, backs


def _unknown(pen: Pen, f: MarkerFace) -> None:
    """What the other side sees of a hidden piece."""
    plate(pen, f.fill)
    pale = mix(f.fill, f.ink, 0.14)
    y = 42.0 if f.text else HALF
    pen.circle(HALF, y, 34, pale)
    pen.words(HALF, y + 19, "?", 56, f.ink, pale, weight=900)
    pen.words(HALF, 96, f.text, 23, f.ink, f.fill, room=UNIT - 12)


def _card(pen: Pen, f: MarkerFace) -> None:
    """Its name on a bar, below it what it does."""
    w, h = pen.w, pen.h
    paper = shade(f.fill, 0.84)
    plate(pen, paper)
    bar = h * 0.3 if f.note else h - 6
    pen.rect(3, 3, w - 6, bar, f.fill)
    pen.lines((9, 3, w - 18, bar), f.text, (bar * 0.62 if f.note else h * 0.3, 13), f.ink, f.fill, 700)
    if f.note:
        pen.lines((9, bar + 6, w - 18, h - bar - 12), f.note, (25, 14), readable(paper), paper, 600)


def _card_back(pen: Pen, f: MarkerFace) -> None:
    """The common back of a pool's cards."""
    plate(pen, f.fill)
    w, h = pen.w, pen.h
    line = mix(f.fill, f.ink, 0.35)
    pen.add(f'<rect x="9" y="9" width="{num(w - 18)}" height="{num(h - 18)}" rx="5" fill="none" stroke="{line}" stroke-width="3"/>')
    pen.add(symbols.star(w / 2, h * (0.4 if f.text else 0.53), min(w, h) * (0.24 if f.text else 0.32), fill=f.ink))
    pen.sign(f.style, f.ink, f.fill)
    if f.text:
        pen.lines((14, h * 0.64, w - 28, h * 0.25), f.text, (h * 0.2, 12), f.ink, f.fill, 700)


def _text(pen: Pen, f: MarkerFace) -> None:
    plate(pen, f.fill)
    pen.lines((7, 7, pen.w - 14, pen.h - 14), f.text, (34, 13), f.ink, f.fill, 900)


STYLES: Mapping[str, Draw] = MappingProxyType(
    {
        "action": _on_plate(_action),
        "airfield": _on_plate(_airfield),
        "airfield-used": _on_plate(_airfield_used),
        "allied": _on_plate(_allied),
        "barred": _on_plate(_barred),
        "bombs": _on_plate(_bombs),
        "bound": _on_plate(_bound),
        "breach": _on_plate(_breach),
        "capital": _on_plate(_capital),
        "card": _card,
        "card-back": _card_back,
        "contested": _on_disc(_contested),
        "control": _on_disc(_control),
        "crate": _on_plate(_crate),
        "event": _on_plate(_event),
        "fort": _on_plate(_fort),
        "fought": _on_plate(_fought),
        "free": _on_plate(_free),
        "harbour": _on_plate(_harbour),
        "intercept": _on_plate(_intercept),
        "isolated": _on_plate(_isolated),
        "landing": _on_plate(_landing),
        "parachute": _on_plate(_parachute),
        "partisan": _on_plate(_partisan),
        "pocket": _on_disc(_pocket),
        "rail": _on_disc(_rail),
        "rain": _on_plate(_rain),
        "recruits": _on_plate(_recruits),
        "refit": _on_plate(_refit),
        "reserve": _on_plate(_reserve),
        "resource": _holding(_resource),
        "retreat": _on_plate(_retreat),
        "shock": _on_plate(_shock),
        "snow": _on_plate(_snow),
        "stopped": _on_plate(_stopped),
        "storm": _on_plate(_storm),
        "strait": _on_plate(_strait),
        "sun": _on_plate(_sun),
        "supply": _on_plate(_supply),
        "surrender": _on_plate(_surrender),
        "target": _on_disc(_aim),
        "text": _text,
        "train": _on_plate(_train),
        "turn": _on_plate(_turn),
        "unknown": _unknown,
        "unsupplied": _on_plate(_unsupplied),
        "used": _on_plate(_used),
        "victory": _holding(_victory),
        "works": _on_plate(_works),
    }
)
"""Every style of ``modgen.layout.counters.MARKER_STYLES``."""


# --- marks laid over a unit


def attack_mark(pen: Pen, fill: str = "#c9150f") -> None:
    """A unit declared to attack."""
    half = pen.w / 2
    pen.circle(half, half, half - 2, fill, "#ffffff", 3)
    low, high, wide = pen.w * 0.22, pen.w * 0.78, pen.w * 0.2
    shape = [(wide, half - 4), (half, half - 4), (half, low), (pen.w * 0.82, half), (half, high), (half, half + 4), (wide, half + 4)]
    _poly(pen, shape, "#ffffff")
    pen.sign("arrow", "#ffffff", fill)


def target_mark(pen: Pen, fill: str = "#ffd400") -> None:
    """A unit declared a target."""
    half = pen.w / 2
    pen.circle(half, half, half - 2, fill, "#1a1a1a", 3)
    pen.add(symbols.target(half, half, half - 5, "#1a1a1a"))
    pen.sign("target", "#1a1a1a", fill)


def attacked_mark(pen: Pen) -> None:
    """A unit whose attack is resolved."""
    attack_mark(pen, "#6d675e")


def targeted_mark(pen: Pen) -> None:
    """A unit that was attacked."""
    target_mark(pen, "#cbc5b8")


def answered_mark(pen: Pen) -> None:
    """A unit that is attacked, and whose side has answered."""
    target_mark(pen, "#86cf7d")
    w = pen.w
    tick = f"M{num(w * 0.42)} {num(w * 0.7)}L{num(w * 0.6)} {num(w * 0.88)}L{num(w * 0.94)} {num(w * 0.44)}"
    pen.path(tick, "none", "#ffffff", w * 0.2)
    pen.path(tick, "none", "#14532d", w * 0.11)


def moved_mark(pen: Pen) -> None:
    """A unit that has moved."""
    side = pen.w
    pen.path(f"M1 1H{num(side - 1)}V{num(side - 1)}Z", "#1557b0", "#ffffff", 1.5)
    pen.sign("corner", "#ffffff", "#1557b0")
