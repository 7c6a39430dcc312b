"""What is said to an action that does not fit the moment, or comes from the wrong hand."""

from __future__ import annotations

from referee.games.overlord_to_berlin.position import Pos
from referee.games.overlord_to_berlin.setting import Setting
from referee.rules.model import Action, Reason, cite


def wrong_step(g: Setting, p: Pos, a: Action) -> Reason:
    """The action belongs to another step of the order of play (2)."""
    return Reason("wrong-step", cite("2"), (("action", str(a)), ("step", p.frame.step)))


def wrong_hand(g: Setting, p: Pos, a: Action) -> Reason:
    """Somebody else decides this (2)."""
    return Reason("wrong-hand", cite("2"), (("by", a.by), ("who", ", ".join(p.frame.by) or "nobody")))
