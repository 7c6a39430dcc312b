"""Makes pixels of drawings: what was rendered before is taken from the cache, the rest is rendered by worker processes.

What is asked for is begun at once, so that the next board can be drawn while the last is still being rendered.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import TracebackType

from gamebox.workers import workers
from modgen.art import png
from modgen.art.drawing import Drawing, render_strip, render_whole
from modgen.art.maker import Own, render_own
from modgen.build.cache import Cache
from modgen.build.keys import drawing_key

BATCH, BATCH_TEXT = 24, 300_000
"""How many small pictures, and of how much SVG text, a worker renders before it answers."""


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(slots=True)
class _Board:
    """A picture that is rendered in strips."""

    drawing: Drawing
    strips: list[Future[png.Strip]]


@dataclass(slots=True)
class Ordered:
    """The pictures of one module, being made. ``pixels`` counts those of all pictures, ``done`` of what is finished."""

    cache: Cache
    ready: dict[str, bytes] = field(default_factory=dict)
    """File -> PNG of what was at hand."""
    keys: dict[str, str] = field(default_factory=dict)
    """File -> what its picture is kept under; empty when nothing is kept."""
    boards: list[_Board] = field(default_factory=list)
    batches: list[tuple[Sequence[Drawing | Own], Future[list[bytes]]]] = field(default_factory=list)
    pixels: int = 0
    done: int = 0

    @property
    def drawn(self) -> int:
        """How many pictures had to be rendered."""
        return len(self.boards) + sum(len(drawings) for drawings, _ in self.batches)


class Studio:
    """The workers that render; a context. None is started before there is something to render."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Studio:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> bool | None:
        return self._stack.__exit__(kind, error, trace)

    def _workers(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = self._stack.enter_context(workers(min(processors(), 16)))
        return self._pool

    def begin(self, order: Ordered, drawings: Iterable[Drawing | Own]) -> None:
        """Begin some pictures of a module."""
        small: list[Drawing | Own] = []
        for drawing in drawings:
            order.pixels += drawing.width * drawing.height
            known = None
            if order.cache.folder is not None:
                order.keys[drawing.file] = drawing_key(drawing)
                known = order.cache.get(order.keys[drawing.file])
            if known is not None:
                order.ready[drawing.file] = known
                order.done += drawing.width * drawing.height
            elif isinstance(drawing, Drawing) and drawing.strips:
                pool = self._workers()
                strips = [pool.submit(render_strip, drawing, number) for number in range(len(drawing.strips))]
                order.boards.append(_Board(drawing, strips))
            else:
                small.append(drawing)
        for some in _batches(small):
            order.batches.append((some, self._workers().submit(render_all, some)))

    @staticmethod
    def finish(order: Ordered, progress: Callable[[], None] = lambda: None) -> dict[str, bytes]:
        """File -> PNG of all pictures of an order; ``progress`` is called after each that was waited for.

        Raises :class:`ArtError` when the renderer refuses one.
        """
        images = dict(order.ready)
        for drawings, rendered in order.batches:
            for drawing, made in zip(drawings, rendered.result(), strict=True):
                images[drawing.file] = made
                order.done += drawing.width * drawing.height
            progress()
        for board in order.boards:
            strips = []
            for (_, height), strip in zip(board.drawing.strips, board.strips, strict=True):
                strips.append(strip.result())
                order.done += board.drawing.width * height
                progress()
            images[board.drawing.file] = png.joined(board.drawing.width, board.drawing.height, strips)
        for file, made in images.items():
            if file not in order.ready and file in order.keys:
                order.cache.put(order.keys[file], made)
        return images


def _batches(drawings: Iterable[Drawing | Own]) -> Iterator[list[Drawing | Own]]:
    batch: list[Drawing | Own] = []
    text = 0
    for drawing in drawings:
        longer = len(drawing.svg) if isinstance(drawing, Drawing) else 0
        if batch and (len(batch) == BATCH or text + longer > BATCH_TEXT):
            yield batch
            batch, text = [], 0
        batch.append(drawing)
        text += longer
    if batch:
        yield batch


def render_all(drawings: Sequence[Drawing | Own]) -> list[bytes]:
    """Several pictures, one after the other. Raises :class:`ArtError` when the renderer refuses one or a maker's is damaged."""
    return [render_own(drawing) if isinstance(drawing, Own) else render_whole(drawing) for drawing in drawings]
