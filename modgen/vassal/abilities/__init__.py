"""What pieces can do, one ability a function: its part of a prototype's traits, made from the layout.

A new ability is one function here and its settings in ``modgen.layout.abilities``; a game gets it by a line in its ``module.toml``.
"""

from __future__ import annotations
