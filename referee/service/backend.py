"""What the service needs from the referee, as a small protocol of plain values, and the engine behind it. No gRPC here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

Alive = Callable[[], bool]
"""Asked now and then during long work; False means: give up (raise Stopped)."""


@dataclass(frozen=True, slots=True)
class Spec:
    """One game under one set of rules. Empty scenario = the game's first."""

    game: str
    scenario: str = ""
    options: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class At:
    """A position: the engine's text form, or what was played from the start. Neither = the start."""

    text: str = ""
    played: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReasonText:
    """Why an action is refused, ready to tell."""

    code: str
    paragraphs: tuple[str, ...]
    rulings: tuple[str, ...]
    options: tuple[str, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The ruling on one action: verdict (``legal`` or ``illegal``), reasons, canonical notation, position after it ("" if not asked)."""

    verdict: str
    reasons: tuple[ReasonText, ...]
    action: str
    position: str = ""


@dataclass(frozen=True, slots=True)
class Upload:
    """What is to be audited. Logs as (name, content); the rest as files that exist while the audit runs."""

    logs: Sequence[tuple[str, bytes]]
    game: str = ""
    scenario: str = ""
    options: frozenset[str] = frozenset()
    side: str = ""
    module: Path | None = None
    mapping: Path | None = None
    overlay: Path | None = None


class Backend(Protocol):
    """The referee as the service sees it. Methods raise the errors of ``errors.TABLE``."""

    def check(self, spec: Spec, at: At, action: str, *, every: bool, play: bool, alive: Alive) -> Answer:
        """The ruling on one action."""
        ...

    def legal(self, spec: Spec, at: At, *, unit: str, side: str, alive: Alive) -> Iterator[str]:
        """The legal actions in notation, lazily."""
        ...

    def audit(self, upload: Upload, alive: Alive) -> Mapping[str, Any]:
        """The audit document as JSON values (docs/schema/audit-1.json)."""
        ...
