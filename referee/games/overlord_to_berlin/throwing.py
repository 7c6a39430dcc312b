"""How chapters ask for dice; who reads them is told in ``game``."""

from __future__ import annotations

from referee.games.overlord_to_berlin.position import Pos, pushed
from referee.rules.model import CHANCE, Frame

_PARAGRAPHS = {
    "event": ("3.1",),
    "war-end": ("PE.West.2", "", "PE.Axis.2"),
    "bombardment": ("5.3",),
    "combat": ("10.2",),
    "free-attack": ("11.7.b", "11.6.a", "11.5.a"),
    "leave": ("10.8",),
    "pocket": ("12.4",),
    "paratroops": ("12.3",),
}
"""Key of a throw -> the paragraph that wants it; where each side has its own: by side."""


def paragraph(key: str, side: int) -> str:
    """The paragraph that wants a throw of the side on move."""
    found = _PARAGRAPHS[key]
    return found[side] if len(found) > 1 else found[0]


def throw(p: Pos, key: str, count: int, side: int, ctx: tuple[int, ...] = ()) -> Pos:
    """So many dice are wanted. ``side``: on move, who closes the window after them; ``ctx``: what the reader of the dice must know
    (public)."""
    return pushed(p, Frame("dice", (CHANCE,), (key, count, side, ctx)))
