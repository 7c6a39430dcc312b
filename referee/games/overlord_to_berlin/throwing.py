"""How chapters ask for dice; who reads them is told in ``game``."""

from __future__ import annotations

from referee.games.overlord_to_berlin.position import Pos, pushed
from referee.rules.model import CHANCE, Frame

PARAGRAPHS = {
    "event": "3.1",
    "war-end": "PE.West.2",
    "bombardment": "5.3",
    "combat": "10.2",
    "free-attack": "11.5",
    "leave": "10.8",
    "pocket": "12.4",
    "paratroops": "12.3",
}
"""Key of a throw -> the paragraph that wants it."""


def throw(p: Pos, key: str, count: int, side: int, ctx: tuple[int, ...] = ()) -> Pos:
    """So many dice are wanted. ``side``: on move, who closes the window after them; ``ctx``: what the reader of the dice must know
    (public)."""
    return pushed(p, Frame("dice", (CHANCE,), (key, count, side, ctx)))
