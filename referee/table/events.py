"""The values that readers of client files make; they live in the core, where the games' readings can see them."""

from __future__ import annotations

from referee.rules.events import NOWHERE, EventKind, Spot, Table, TableEvent, TableLog

__all__ = ["NOWHERE", "EventKind", "Spot", "Table", "TableEvent", "TableLog"]
