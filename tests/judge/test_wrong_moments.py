"""What is done while the tracker shows somebody else's phase, or nobody's: it is judged, and changes nobody's side."""

from __future__ import annotations

import pytest

from gamebox.load import load_box
from referee.rules.events import NOWHERE, Spot, Table, TableEvent, TableLog
from referee.rules.reading import Finding
from referee.table.judge import Judge

PLACES = {"eg-2": "2525", "su-1-balt": "3725", "we-7-us": "2003", "wg-65": "2108"}
JUDGE = Judge("battle-for-germany", "historical", box=load_box("battle-for-germany"))


def judged(phase: str, *events: TableEvent) -> tuple[Finding, ...]:
    at = {unit: Spot(place) for unit, place in PLACES.items()}
    log = TableLog("hand", "by hand", "", "", len(events), Table(at, 3, phase), tuple(events))
    return JUDGE.judge(log).findings


@pytest.mark.parametrize("phase", ["Turn Phase", "West German Replacement Phase", "West German Movement Phase"])
def test_a_unit_that_returns_in_a_phase_not_its_own_is_refused_and_stays_what_it_was(phase: str) -> None:
    moves_on = TableEvent(3, "move", piece="we-1-fr", frm=Spot("2001"), to=Spot("2002"))
    found = judged(
        phase,
        TableEvent(1, "place", piece="we-1-fr", frm=NOWHERE, to=Spot("2001")),
        TableEvent(2, "phase", turn=4, phase="Western Allied Movement Phase"),
        moves_on,
    )
    placed = next(f for f in found if f.kind == "replace")
    assert placed.verdict == "illegal"
    moved = next(f for f in found if f.kind == "move")
    assert moved.verdict == "legal", moved.message
    assert moved.side == "Western Allied"
