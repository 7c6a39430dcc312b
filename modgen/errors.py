"""What goes wrong on the way from a game's data to a module."""

from __future__ import annotations


class ArtError(Exception):
    """Something cannot be drawn as asked; the message says what, where and what is allowed."""
