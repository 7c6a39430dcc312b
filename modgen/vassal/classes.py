"""The engine's names of components: the packages that they stand in."""

from __future__ import annotations

B = "VASSAL.build."
M = B + "module."
MAP = M + "map."
EVERY_MAP = "MODULE|false|MAP|||||0|0||false|||EQUALS||"
"""The target of a key command that reaches every piece on every map."""
