"""One audit document of every shape, and a backend without an engine, for the service's tests."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

from referee.document import summary
from referee.rules.model import NotationError
from referee.service.backend import Alive, Answer, At, ReasonText, Spec, Upload
from referee.service.errors import NotFound, Problem, Stopped

ACTIONS: list[dict[str, Any]] = [
    {
        "step": 5,
        "turn": 1,
        "phase": "movement",
        "side": "red",
        "kind": "move",
        "notation": "red move r-1 @ 0101 > 0102",
        "pieces": ["r-1"],
        "from": "0101",
        "to": "0102",
        "verdict": "legal",
        "rules": [],
        "basis": [],
        "message": "",
    },
    {
        "step": 9,
        "turn": 1,
        "phase": "movement",
        "side": "red",
        "kind": "move",
        "notation": "red move r-2 @ 0101 > 0109",
        "pieces": ["r-2"],
        "from": "0101",
        "to": "0109",
        "verdict": "doubtful",
        "rules": ["5.0"],
        "basis": [{"name": "hexes 0105 terrain", "source": "reconstructed relief"}, {"name": "R-G5", "source": ""}],
        "message": "r-2 cannot reach 0109.",
    },
]


def document(path: str = "a.vlog", game: str = "tiny") -> dict[str, Any]:
    """A document of one file with two actions."""
    file = {"path": path, "game": game, "scenario": "one", "actions": ACTIONS, "notes": ["a note"], "summary": summary(ACTIONS)}
    return {"version": 1, "files": [file], "notes": [], "summary": summary(ACTIONS)}


class FakeBackend:
    """Answers by rote; remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self.gave_up = 0

    def check(self, spec: Spec, at: At, action: str, *, every: bool, play: bool, alive: Alive) -> Answer:
        self.asked.append((spec, at, action, every, play))
        if spec.game != "tiny":
            raise NotFound(Problem("unknown_game", f"no game {spec.game!r} here", "game.game", ("tiny",)))
        if action == "gibberish":
            raise NotationError("an action reads BY VERB ..., not 'gibberish'")
        if action == "crash":
            raise RuntimeError("a secret detail")
        if action == "sleep":
            self._sleep(alive)
        if "0109" in action:
            return Answer("illegal", (ReasonText("too-far", ("5.0",), ("R-G5",), ("18.1",), "r-2 cannot reach 0109."),), action)
        return Answer("legal", (), action, "position" if play else "")

    def legal(self, spec: Spec, at: At, *, unit: str, side: str, alive: Alive) -> Iterator[str]:
        self.asked.append((spec, at, unit, side))
        for number in range(600):
            yield f"red move {unit or 'r-1'} @ 0101 > {number:04}"

    def audit(self, upload: Upload, alive: Alive) -> Mapping[str, Any]:
        self.asked.append(upload)
        self.module = upload.module.read_bytes() if upload.module else None
        self.mapping = upload.mapping.read_text("utf-8") if upload.mapping else None
        self.overlay = {path.name: path.read_text("utf-8") for path in sorted(upload.overlay.iterdir())} if upload.overlay else None
        if upload.scenario == "sleep":
            self._sleep(alive)
        return document(upload.logs[0][0])

    def _sleep(self, alive: Alive) -> None:
        for _ in range(1000):
            if not alive():
                self.gave_up += 1
                raise Stopped(Problem("stopped", "gave up"))
            time.sleep(0.01)
        raise AssertionError("nobody stopped it")
