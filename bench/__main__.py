"""``python -m bench [PART ...] [--json] [--compiled FOLDER]``: prints ratios, and seconds where people wait; nothing is asserted.

``FOLDER``: where the compiled packages are (``make fast``). The parts in which something is compiled are then measured on them too, in a
process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.harness import Count, Ratio, Seconds

PARTS = ("decode", "rules", "files", "bytecodes", "build")
COMPILED_PARTS = ("decode", "rules", "files")
"""Those in which something is compiled, and which are measured by the clock."""
ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Runs the parts named, or all; 2 on bad usage."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Speed against a yardstick in the same run, and in seconds.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"any of {', '.join(PARTS)}; all without")
    parser.add_argument("--json", action="store_true", help="print a list of all figures")
    parser.add_argument("--compiled", type=Path, metavar="FOLDER", help="measure the compiled packages there, too")
    chosen = parser.parse_args()
    for part in chosen.parts:
        if part not in PARTS:
            parser.error(f"there is no part {part!r}; there are {', '.join(PARTS)}")
    found: list[dict[str, object]] = []
    for part in chosen.parts or PARTS:
        for ratio in measured(part):
            found.append(ratio.as_json() | {"compiled": compiled()})
            if not chosen.json:
                print(ratio.line(), flush=True)
    again = [part for part in chosen.parts or PARTS if part in COMPILED_PARTS]
    if chosen.compiled is not None and again:
        for figure in on_compiled(chosen.compiled, again):
            found.append(figure)
            if not chosen.json:
                print(f"compiled: {Ratio(**{k: v for k, v in figure.items() if k != 'compiled'}).line()}", flush=True)
    if chosen.json:
        json.dump(found, sys.stdout, indent=2)
        print()
    return 0


def measured(part: str) -> Iterator[Ratio | Seconds | Count]:
    """The figures of one part, each as soon as it is there."""
    yield from import_module(f"bench.{part}").ratios()


def compiled() -> bool:
    """Whether the referee that is measured here is compiled."""
    return not str(import_module("referee.rules.graph").__file__).endswith(".py")


def on_compiled(folder: Path, parts: list[str]) -> Iterator[dict[str, Any]]:
    """The figures of parts measured on the packages in ``folder``, which must be compiled. Raises SystemExit when they are not."""
    for part in parts:
        where = {**os.environ, "PYTHONPATH": os.pathsep.join((str(folder.resolve()), str(ROOT)))}
        command = [sys.executable, "-P", "-m", "bench", part, "--json"]
        run = subprocess.run(command, check=False, cwd=ROOT, env=where, stdout=subprocess.PIPE, text=True)
        if run.returncode:
            raise SystemExit(f"bench: {part} could not be measured on {folder}")
        for figure in json.loads(run.stdout):
            if not figure["compiled"]:
                raise SystemExit(f"bench: there is nothing compiled in {folder}; make fast")
            yield figure


if __name__ == "__main__":
    sys.exit(main())
