"""Paired runs: what is measured and its yardstick take turns in one process, so that a slow moment hits both.

A ratio over 1 means: faster than the yardstick.
"""

from __future__ import annotations

import gc
import os
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from types import FrameType

ROUNDS = 7
LEAST_SECONDS = 0.2
"""A run is repeated until it has taken at least this long, so that the clock's grain does not count."""


@dataclass(frozen=True, slots=True)
class Work:
    """One thing to time. ``run`` does it once and returns how many items it did; they are called ``unit`` in print."""

    name: str
    unit: str
    run: Callable[[], int]


@dataclass(frozen=True, slots=True)
class Ratio:
    """The median of the rounds' ratios, with the lowest and highest; rates in items a second."""

    name: str
    yardstick: str
    ratio: float
    lowest: float
    highest: float
    rate: float
    unit: str
    yardstick_rate: float
    yardstick_unit: str
    rounds: int

    def line(self) -> str:
        """One line for people."""
        return (
            f"{self.name} / {self.yardstick}: x{self.ratio:.3g} ({self.lowest:.3g} to {self.highest:.3g}); "
            f"{_figure(self.rate)} {self.unit}/s against {_figure(self.yardstick_rate)} {self.yardstick_unit}/s"
        )

    def as_json(self) -> dict[str, object]:
        """All fields."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Seconds:
    """How long something takes by the clock: the median of the rounds, with the shortest and longest. For what people wait for.

    ``busy``: the median of what its processes together kept processors busy for, in seconds; other work on the machine changes it less.
    """

    name: str
    seconds: float
    shortest: float
    longest: float
    busy: float
    rounds: int

    @classmethod
    def of(cls, name: str, rounds: int, run: Callable[[], object], before: Callable[[], object] = lambda: None) -> Seconds:
        """Times ``run``, each time after ``before``, which does not count."""
        taken, busy = [], []
        for _ in range(rounds):
            before()
            start, worked = time.perf_counter(), _worked()
            run()
            taken.append(time.perf_counter() - start)
            busy.append(_worked() - worked)
        return cls(name, statistics.median(taken), min(taken), max(taken), statistics.median(busy), rounds)

    def line(self) -> str:
        """One line for people."""
        return f"{self.name}: {self.seconds:.2f} s ({self.shortest:.2f} to {self.longest:.2f}); processors {self.busy:.2f} s"

    def as_json(self) -> dict[str, object]:
        """All fields."""
        return asdict(self)


def _worked() -> float:
    """Seconds that this process and those it has waited for kept processors busy."""
    return sum(os.times()[:4])


@dataclass(frozen=True, slots=True)
class Count:
    """Bytecodes for one item of some work and for one of the yardstick's; ``ratio`` over 1: fewer than the yardstick."""

    name: str
    yardstick: str
    ratio: float
    each: float
    unit: str
    yardstick_each: float
    yardstick_unit: str

    def line(self) -> str:
        """One line for people."""
        return (
            f"{self.name} / {self.yardstick}: x{self.ratio:.3g} in bytecodes; "
            f"{self.each:,.0f} for one of the {self.unit} against {self.yardstick_each:,.0f} for one of the {self.yardstick_unit}"
        )

    def as_json(self) -> dict[str, object]:
        """All fields."""
        return asdict(self)


def bytecodes(run: Callable[[], int]) -> float:
    """How many bytecodes Python executes for one item, after a run that fills what is kept."""
    run()
    counted = 0

    def inside(_: FrameType, event: str, __: object) -> Callable[..., object]:
        nonlocal counted
        counted += event == "opcode"
        return inside

    def entered(frame: FrameType, _: str, __: object) -> Callable[..., object]:
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return inside

    before = sys.gettrace()
    sys.settrace(entered)
    try:
        items = run()
    finally:
        sys.settrace(before)
    return counted / items


def _figure(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 100 else f"{rate:.3g}"


def _rate(work: Work) -> float:
    done, start = 0, time.perf_counter()
    while True:
        done += work.run()
        taken = time.perf_counter() - start
        if taken >= LEAST_SECONDS:
            return done / taken


def paired(measured: Work, yardstick: Work, rounds: int = ROUNDS) -> Ratio:
    """Runs both in turn ``rounds`` times after one run each to warm up, with the garbage collector held off."""
    measured.run()
    yardstick.run()
    ours: list[float] = []
    theirs: list[float] = []
    for number in range(rounds):
        gc.collect()
        gc.disable()
        try:
            # Who goes first changes each round: neither always runs on the other's warm caches.
            for work, rates in ((measured, ours), (yardstick, theirs))[:: 1 if number % 2 else -1]:
                rates.append(_rate(work))
        finally:
            gc.enable()
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    return Ratio(
        name=measured.name,
        yardstick=yardstick.name,
        ratio=statistics.median(ratios),
        lowest=min(ratios),
        highest=max(ratios),
        rate=statistics.median(ours),
        unit=measured.unit,
        yardstick_rate=statistics.median(theirs),
        yardstick_unit=yardstick.unit,
        rounds=rounds,
    )
