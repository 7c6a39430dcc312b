"""``python -m bench [PART ...] [--json]``: prints ratios, and seconds where people wait; nothing is asserted."""

from __future__ import annotations

import argparse
import json
import sys
from importlib import import_module

from bench.harness import Count, Ratio, Seconds

PARTS = ("decode", "rules", "files", "bytecodes", "build")


def main() -> int:
    """Runs the parts named, or all; 2 on bad usage."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Speed against a yardstick in the same run, and in seconds.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"any of {', '.join(PARTS)}; all without")
    parser.add_argument("--json", action="store_true", help="print a list of all figures")
    chosen = parser.parse_args()
    for part in chosen.parts:
        if part not in PARTS:
            parser.error(f"there is no part {part!r}; there are {', '.join(PARTS)}")
    found: list[Ratio | Seconds | Count] = []
    for part in chosen.parts or PARTS:
        for ratio in import_module(f"bench.{part}").ratios():
            found.append(ratio)
            if not chosen.json:
                print(ratio.line(), flush=True)
    if chosen.json:
        json.dump([ratio.as_json() for ratio in found], sys.stdout, indent=2)
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
