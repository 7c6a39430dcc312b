"""``python -m tests.games.bfg.enumerator SCENARIO [--options a,b] [--position FILE] --plies 2``: how many lines of play there are."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.games.bfg.enumerator import State, actions, play, read, start


def count(state: State, plies: int, told: bool = False) -> int:
    """The number of action sequences of that length."""
    if plies == 0:
        return 1
    lines = actions(state)
    if plies == 1:
        return len(lines)
    total = 0
    for number, line in enumerate(lines, 1):
        total += count(play(state, line), plies - 1)
        if told:
            print(f"\r{number}/{len(lines)} {total}", end="", file=sys.stderr, flush=True)
    if told:
        print("\r\033[K", end="", file=sys.stderr)
    return total


def main(arguments: list[str]) -> int:
    """Prints ``plies count`` lines; 2 for bad input."""
    parser = argparse.ArgumentParser(prog="enumerator", description=__doc__)
    parser.add_argument("scenario")
    parser.add_argument("--options", default="", metavar="A,B")
    parser.add_argument("--position", type=Path, metavar="FILE")
    parser.add_argument("--plies", type=int, default=2, metavar="N")
    given = parser.parse_args(arguments)
    options = [o for o in given.options.split(",") if o and o != "-"]
    try:
        state = read(given.position.read_text("utf-8"), given.scenario, options) if given.position else start(given.scenario, options)
    except (OSError, ValueError) as error:
        print(f"{given.position or given.scenario}: {error}", file=sys.stderr)
        return 2
    for word in state.unread:
        print(f"not read: {word}", file=sys.stderr)
    for plies in range(given.plies + 1):
        print(plies, count(state, plies, sys.stderr.isatty()), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
