"""A pool of worker processes that never outlives its program and never speaks for itself.

However the program ends - by itself, by an error, by Ctrl-C, by TERM, by KILL - its workers end at once. A terminal sends Ctrl-C to
all of them; only the program answers it.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


@contextmanager
def workers(
    count: int, *, start: str | None = None, begin: Callable[..., object] | None = None, arguments: tuple[Any, ...] = ()
) -> Iterator[ProcessPoolExecutor]:
    """A pool of ``count`` processes; each calls ``begin(*arguments)`` first.

    ``start``: spawn, fork or forkserver (``multiprocessing.set_start_method``); None = the platform's own. When the block ends by an
    exception the workers are ended in the midst of what they do; what they have returned by then is good.
    """
    context = multiprocessing.get_context(start)
    ear, mouth = context.Pipe(duplex=False)
    pool = _Pool(count, context, _begin, (ear, begin, arguments))
    try:
        yield pool
        pool.shutdown()
    except BaseException:
        # One word for all: nobody takes it out of the pipe, so every worker sees it.
        with suppress(OSError):
            mouth.send_bytes(b".")
        pool.hear_the_end()
        # They end at once. Not to wait would leave the pool's own thread closing its pipe while the interpreter, on its way out, uses it.
        pool.shutdown()
        raise
    finally:
        mouth.close()
        ear.close()


class _Pool(ProcessPoolExecutor):
    """Starts its processes (``submit`` does) with Ctrl-C held back: they inherit that, and are deaf to it before they run a line.

    What was submitted cannot be cancelled: ``map`` cancels what is left when an exception ends it, and the executor stumbles over
    cancelled work when its workers are gone. It ends with them.
    """

    def hear_the_end(self) -> None:
        """Closes our own copy of the pipe that results come through. Otherwise the pool's thread, when a worker ends in the midst of a
        long result, waits for the rest of it for ever: as long as anybody could still write, the pipe has no end."""
        results = getattr(self, "_result_queue", None)
        if results is not None:
            results._writer.close()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        with _ctrl_c_held_back():
            future = super().submit(fn, *args, **kwargs)
        future.cancel = _not_cancelled  # type: ignore[method-assign]
        return future


def _not_cancelled() -> bool:
    return False


@contextmanager
def _ctrl_c_held_back() -> Iterator[None]:
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(ear: Connection, begin: Callable[..., object] | None, arguments: tuple[Any, ...]) -> None:
    """In a new worker: listens for the end of the program."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a forked one has the program's handler
    threading.Thread(target=_end_with_the_program, args=(ear,), daemon=True).start()
    if begin is not None:
        begin(*arguments)


def _end_with_the_program(ear: Connection) -> None:
    program = multiprocessing.parent_process()
    wait([ear] if program is None else [ear, program.sentinel])
    os._exit(1)
