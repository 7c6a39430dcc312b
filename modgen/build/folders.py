"""Folders that are made to write something into."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def made(folder: Path) -> Iterator[None]:
    """A folder, while something is written into it. When that fails, it and those around it that were made for it go again, but for
    those into which somebody else has written meanwhile.

    Raises OSError when it cannot be made.
    """
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        for one in missing:
            with suppress(OSError):
                one.rmdir()
        raise
