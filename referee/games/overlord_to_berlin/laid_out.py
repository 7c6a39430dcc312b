"""The position that a log leads to, as its reading has it: what stands on the table, and what no table shows as far as the log tells."""

from __future__ import annotations

from referee.games.overlord_to_berlin.game import OverlordToBerlin
from referee.games.overlord_to_berlin.land import SIDE_NAMES
from referee.games.overlord_to_berlin.position import Pos
from referee.games.overlord_to_berlin.reading import Reader
from referee.games.overlord_to_berlin.reading_table import Act
from referee.games.overlord_to_berlin.showing import phase_name
from referee.rules.events import TableLog
from referee.rules.reached import Reached
from referee.rules.reading import Court, Stint


class _Follower(Reader):
    """A reader that keeps when zones changed hands."""

    before: bytes = b""
    since: dict[str, str]

    def _stint(self, found: list[Act], stint: Stint) -> None:
        super()._stint(found, stint)
        here = self._windows_closed().control
        where = f"turn {self.turn}, {phase_name(self.step_of(self.phase))}"
        for zone, (old, new) in enumerate(zip(self.before or here, here, strict=True)):
            if old != new:
                self.since[self.g.land.name(zone)] = f"{SIDE_NAMES[new]} since {where}"
        self.before = here

    def _given_up(self) -> None:
        """Words move nothing on the table; and what is read may be no more than the log up to some step."""


def position_after(court: Court[Pos], game: OverlordToBerlin, log: TableLog) -> Reached[Pos]:
    """The position where the log ends, hidden facts and all."""
    reader = _Follower(court, game, log)
    reader.since = {}
    reader.read()
    zones = game.setting.land.places.names[: game.setting.land.size]
    since = {name: "unchanged in this log" for name in zones} | reader.since
    return Reached(reader.p, since, tuple(reader.notes), reader.whose_note)
