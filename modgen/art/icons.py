"""Icons of the toolbar, drawn at the size that clients show."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from modgen.art.drawing import Drawing
from modgen.art.svg import Canvas

SIZE = 22
INK, PAPER, RED, BLUE = "#2b2419", "#fffdf5", "#b3201a", "#1d5a94"


def icon_file(name: str) -> str:
    """The picture of an icon."""
    return f"icon-{name}.png"


def _next(c: Canvas) -> None:
    c.polygon([(4, 4), (13, 11), (4, 18)], fill=BLUE)
    c.rect(14, 4, 4, 14, fill=BLUE)


def _clear(c: Canvas) -> None:
    c.circle(11, 11, 8, fill=PAPER, stroke=RED, stroke_width=2.4)
    c.line(5.5, 16.5, 16.5, 5.5, stroke=RED, stroke_width=2.4)


def _die(c: Canvas) -> None:
    c.rect(3, 3, 16, 16, rx=3.5, fill=PAPER, stroke=INK, stroke_width=1.8)
    for x, y in ((7, 7), (15, 7), (11, 11), (7, 15), (15, 15)):
        c.circle(x, y, 1.8, fill=INK)


def _charts(c: Canvas) -> None:
    c.rect(2.5, 3.5, 17, 15, fill=PAPER, stroke=INK, stroke_width=1.6)
    c.rect(2.5, 3.5, 17, 4.5, fill=INK)
    for x in (8, 14):
        c.line(x, 8, x, 18.5, stroke=INK, stroke_width=1.1)
    c.line(2.5, 13, 19.5, 13, stroke=INK, stroke_width=1.1)


def _counters(c: Canvas) -> None:
    for k, fill in enumerate(("#b98a58", "#8b8f93", "#5f6b2e")):
        c.rect(2.5 + 3.5 * k, 2.5 + 3.5 * k, 10, 10, fill=fill, stroke=INK, stroke_width=1.3)


def _forces(c: Canvas) -> None:
    for y in (4, 9.5, 15):
        c.rect(3, y, 4, 4, fill=BLUE, stroke=INK, stroke_width=0.8)
        c.line(9.5, y + 2, 19, y + 2, stroke=INK, stroke_width=2)


def _odds(c: Canvas) -> None:
    c.line(11, 3, 11, 17, stroke=INK, stroke_width=1.8)
    c.line(4, 6, 18, 6, stroke=INK, stroke_width=1.8)
    c.path("M1.5 12.5L4 6L6.5 12.5Z", fill=BLUE, stroke=INK, stroke_width=0.8)
    c.path("M15.5 12.5L18 6L20.5 12.5Z", fill=RED, stroke=INK, stroke_width=0.8)
    c.line(6.5, 18, 15.5, 18, stroke=INK, stroke_width=2.4)


def _display(c: Canvas) -> None:
    c.rect(2.5, 3.5, 17, 15, fill=PAPER, stroke=INK, stroke_width=1.6)
    for x in (5, 11.5):
        for y in (6, 12):
            c.rect(x, y, 5.5, 4.5, fill="#8b8f93", stroke=INK, stroke_width=0.8)


def _help(c: Canvas) -> None:
    c.circle(11, 11, 8.5, fill=BLUE)
    c.text(11, 16, "?", 15, weight=900, fill=PAPER, where="icon")


def _plus(c: Canvas) -> None:
    c.rect(9, 4, 4, 14, fill=BLUE)
    c.rect(4, 9, 14, 4, fill=BLUE)


def _minus(c: Canvas) -> None:
    c.rect(4, 9, 14, 4, fill=RED)


def _cards(c: Canvas) -> None:
    c.rect(3, 2.5, 10, 14, rx=1.5, fill="#8b8f93", stroke=INK, stroke_width=1.4)
    c.rect(8, 5.5, 10, 14, rx=1.5, fill=PAPER, stroke=INK, stroke_width=1.4)
    c.polygon([(13, 8.5), (16, 12.5), (13, 16.5), (10, 12.5)], fill=RED)


def _order(c: Canvas) -> None:
    c.rect(2.5, 9, 7, 7, fill=PAPER, stroke=INK, stroke_width=1.4)
    c.rect(12.5, 9, 7, 7, fill="#8b8f93", stroke=INK, stroke_width=1.4)
    c.path("M6 7C7.5 2.5 14.5 2.5 16 7", stroke=BLUE, stroke_width=2)
    c.polygon([(13, 5), (18.6, 4.4), (16.6, 9)], fill=BLUE)


ICONS: dict[str, Callable[[Canvas], None]] = {
    "next": _next,
    "clear": _clear,
    "die": _die,
    "charts": _charts,
    "counters": _counters,
    "forces": _forces,
    "odds": _odds,
    "display": _display,
    "help": _help,
    "cards": _cards,
    "order": _order,
    "plus": _plus,
    "minus": _minus,
}


def drawings(names: Iterable[str]) -> tuple[Drawing, ...]:
    """These icons, by their names."""
    out = []
    for name in names:
        canvas = Canvas(SIZE, SIZE)
        ICONS[name](canvas)
        out.append(Drawing.of(canvas, icon_file(name)))
    return tuple(out)
