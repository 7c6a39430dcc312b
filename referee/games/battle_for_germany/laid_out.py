"""The position that a log leads to, as its reading has it: what stands on the table, and what no table shows as far as the log tells."""

from __future__ import annotations

from referee.games.battle_for_germany.game import BattleForGermany
from referee.games.battle_for_germany.position import HOLDER_NAMES
from referee.games.battle_for_germany.reading import Reader
from referee.games.battle_for_germany.state import Pos
from referee.rules.events import TableLog
from referee.rules.reached import Reached
from referee.rules.reading import Court, Stint


class _Follower(Reader):
    """A reader that keeps the last position, and when cities changed hands."""

    last: Pos | None = None
    since: dict[str, str]

    def _stint(self, p: Pos, stint: Stint) -> Pos:
        before = p if self.last is None else self.last
        self.last = super()._stint(p, stint)
        where = f"turn {stint.turn}, {self.phase(stint).name}"
        for city, (old, new) in enumerate(zip(before.holders, self.last.holders, strict=True)):
            if old != new:
                self.since[self.g.hex_name(self.g.land.cities[city])] = f"{HOLDER_NAMES[new]} since {where}"
        return self.last


def position_after(court: Court[Pos], game: BattleForGermany, log: TableLog) -> Reached[Pos]:
    """The position where the log ends."""
    reader = _Follower(court, game, log)
    reader.since = {}
    reader.read()
    assert reader.last is not None  # a log has at least one stretch
    hexes = (game.setting.hex_name(node) for node in game.setting.land.cities)
    unchanged = {name: "unchanged in this log" for name in hexes}
    return Reached(reader.last, unchanged | reader.since, tuple(reader.notes), reader.whose_note)
