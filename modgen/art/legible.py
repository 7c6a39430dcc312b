"""Holds the counters of a build against the limits of its layout: what cannot be read or told apart stops it.

Contrast and height are measured of every print that is drawn, whatever its face; colours are held apart between pieces of
different sides, face by face, for each kind of colour vision.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gamebox.load import BoxError
from gamebox.model import Box, Piece
from modgen.art.counters import Drawing, Print, Role
from modgen.art.counters.pen import UNIT
from modgen.art.counters.units import colours
from modgen.art.measure import VISIONS, contrast, distance
from modgen.layout.counters import Face, Limits
from modgen.layout.layout import Layout


def faults(box: Box, layout: Layout, drawn: Sequence[Drawing]) -> list[BoxError]:
    """Everything on the counters that is below a limit: prints that cannot be read, sides that look alike."""
    file = f"{box.id}/{layout.path.name}"
    pieces = {piece.id: piece for piece in box.pieces}
    found: dict[BoxError, int] = {}
    for drawing, printed, measured in unreadable(layout.counters.limits, layout.counters.size, drawn):
        piece = pieces.get(drawing.piece)
        if piece is None:
            error = BoxError(file, 0, 0, f"{drawing.what}: the {printed.role} {printed.what!r}: {measured}")
        else:
            nation = box["nations"][piece.nation]
            if printed.faint and {printed.ink, printed.ground} == {nation.text("ink"), nation.text("fill")}:
                error = BoxError(f"{box.id}/nations.csv", nation.line, 1, f"{piece.nation}: {measured}")
            else:
                table = f"{box.id}/{piece.row.table}.csv"
                error = BoxError(table, piece.row.line, 1, f"{drawing.what}: the {printed.role} {printed.what!r}: {measured}")
        found[error] = found.get(error, 0) + 1
    out = list(found)
    return out + [BoxError(file, 0, 0, text) for text in alike(box, layout)]


@dataclass(frozen=True, slots=True)
class Unread:
    """A print that cannot be read; ``faint`` when it is for its colours."""

    role: Role
    what: str
    ink: str
    ground: str
    faint: bool


def unreadable(limits: Limits, size: int, drawn: Iterable[Drawing]) -> Iterator[tuple[Drawing, Unread, str]]:
    """Each print that is too faint, too small or too narrow, with what was measured. ``size`` is a counter's side in pixels."""
    half = size / UNIT / 2
    for drawing in drawn:
        for printed in drawing.prints:
            faint, measured = _fault(printed, limits, half)
            if measured:
                yield drawing, Unread(printed.role, printed.what, printed.ink, printed.ground, faint), measured


def _fault(printed: Print, limits: Limits, half: float) -> tuple[bool, str]:
    """Whether the colours are at fault, and what was measured; empty for a print that can be read."""
    least = limits.sign if printed.role is Role.SIGN else limits.text
    if (found := contrast(printed.ink, printed.ground)) < least:
        return True, f"{printed.ink} on {printed.ground} has a contrast of {found:.1f}; at least {least:.1f} is needed"
    high = {Role.FACTORS: limits.factors, Role.NAME: limits.name}.get(printed.role, 0.0)
    if printed.height * half < high:
        return False, f"is {printed.height * half:.1f} pixels high at half size; at least {high:.1f} is needed"
    if high and printed.squeeze < limits.squeeze:
        return False, f"is narrowed to {printed.squeeze:.0%} of its width; at least {limits.squeeze:.0%} is needed"
    return False, ""


@dataclass(frozen=True, slots=True)
class _Ground:
    """The colours by which pieces of one nation are known on one face."""

    nation: str
    side: str
    face: str
    fill: str
    box: str
    """The symbol's own ground; empty where the nation has none."""


def _grounds(box: Box, layout: Layout) -> list[_Ground]:
    seen: dict[tuple[str, str, str], tuple[Piece, Face]] = {}
    for piece in box.pieces:
        for face in layout.counters.faces(piece):
            seen.setdefault((piece.nation, piece.side, face.look), (piece, face))
    out = []
    for (nation, side, _), (piece, face) in seen.items():
        look = colours(box, layout.counters, piece, face)
        out.append(_Ground(nation, side, face.id, look.fill, look.box if look.own_box else ""))
    return out


def alike(box: Box, layout: Layout) -> list[str]:
    """Nations of different sides whose counters look alike to some people, one line each pair, at the worst vision.

    Where the grounds are alike, the grounds of the symbols are measured instead if both nations have one of their own.
    """
    grounds = _grounds(box, layout)
    least = layout.counters.limits.distance
    worst: dict[tuple[str, str], tuple[float, str]] = {}
    for index, a in enumerate(grounds):
        for b in grounds[index + 1 :]:
            if a.side == b.side:
                continue
            for vision in VISIONS:
                apart = distance(a.fill, b.fill, vision)
                if apart < least and a.box and b.box:
                    apart = max(apart, distance(a.box, b.box, vision))
                pair = (a.nation, b.nation)
                if apart < least and (pair not in worst or apart < worst[pair][0]):
                    text = (
                        f"counters of {a.nation} ({a.face}, {a.fill}) and of {b.nation} ({b.face}, {b.fill}) look alike: to people with "
                        f"{vision} they are {apart:.1f} apart; at least {least:.1f} is needed"
                    )
                    worst[pair] = apart, text
    return [text for _, text in worst.values()]


