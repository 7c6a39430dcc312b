"""From a log's bytes to its verdicts, against python-chess reading PGN: everything a player waits for, the file's decoding included."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from bench.games import GAME
from bench.harness import Ratio, Work, paired
from bench.logs import Game, game, module_path
from bench.yardstick import pgn_work
from referee.audit.run import audit_file

PHASES = 24
TRAITS = (12, 40)


def _judge(log: Game) -> int:
    document = audit_file(
        log.data, "bench.vlog", game=GAME, scenario=None, options=frozenset(), module=module_path(), mapping=None, overlay=None
    ).as_json()
    return sum(document["summary"].values())


def works() -> Iterator[Work]:
    """The same game with pieces of few and of many traits."""
    for traits in TRAITS:
        yield Work(f"log to verdicts, {traits} traits a piece", "verdicts", partial(_judge, game(traits, PHASES)))


def ratios() -> list[Ratio]:
    """Verdicts a second against plies a second."""
    yardstick = pgn_work()
    return [paired(work, yardstick) for work in works()]
