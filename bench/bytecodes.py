"""The same work counted in Python's bytecodes: a figure that no busy machine changes, for telling whether a change made things less.

It says nothing of what C code does, and a bytecode of one program may take longer than one of another: the speed is told by the
ratios of ``rules`` and ``files``.
"""

from __future__ import annotations

from collections.abc import Iterator

from bench import files, rules
from bench.harness import Count, bytecodes
from bench.yardstick import pgn_work


def ratios() -> Iterator[Count]:
    """Every work of ``rules`` and ``files`` against the yardstick, once: the figures do not change from run to run."""
    yardstick = pgn_work()
    theirs = bytecodes(yardstick.run)
    for work in (*rules.works(), *files.works()):
        each = bytecodes(work.run)
        yield Count(work.name, yardstick.name, theirs / each, each, work.unit, theirs, yardstick.unit)
