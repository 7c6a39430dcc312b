"""Adds games of the newest rules version to the corpus: ``python -m tests.records GAME --scenario NAME``. Overwrites nothing."""

from __future__ import annotations

import argparse
import sys

from referee.rules.options import UsageError
from tests.records.corpus import FOLDER, CorpusError, write

parser = argparse.ArgumentParser(prog="python -m tests.records", description=__doc__)
parser.add_argument("game")
parser.add_argument("--scenario", required=True, action="append", help="may be given again")
parser.add_argument("--options", default="", help="optional rules, by comma")
parser.add_argument("--games", type=int, default=6, help="how many of each scenario")
parser.add_argument("--seed", type=int, default=1)
asked = parser.parse_args()
try:
    for scenario in asked.scenario:
        options = tuple(name for name in asked.options.split(",") if name)
        for path in write(asked.game, scenario=scenario, options=options, games=asked.games, seed=asked.seed):
            print(path.relative_to(FOLDER.parent.parent))
except (CorpusError, UsageError) as error:
    print(error, file=sys.stderr)
    sys.exit(2)
