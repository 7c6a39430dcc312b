"""Things made before, kept in a folder beside what is built: each under a name that follows from all that it was made of.

Nothing kept is trusted blindly: a file holds the hash of its content and counts for nothing when the two do not agree. Several builds
may use one folder at a time, and be cut off at any moment: files are written beside and renamed. The folder may be removed whenever
nobody builds, and a cache that cannot be read or written only costs time.
"""

from __future__ import annotations

import hashlib
import os
import threading
from contextlib import suppress
from pathlib import Path

from modgen.build.folders import made

FOLDER = ".modgen-cache"
"""The name of the folder, beside the module."""
LIMIT = 400 << 20
"""Bytes that are kept; what was used longest ago goes first."""
_HASH = 32


class Cache:
    """A folder of kept things; ``None`` keeps nothing."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def get(self, key: str) -> bytes | None:
        """What was kept under a key, None when there is nothing or it is damaged."""
        if self.folder is None:
            return None
        path = self.folder / key
        try:
            held = path.read_bytes()
        except OSError:
            return None
        content = held[_HASH:]
        if len(held) < _HASH or hashlib.sha256(content).digest() != held[:_HASH]:
            with suppress(OSError):
                path.unlink()
            return None
        with suppress(OSError):
            os.utime(path)  # it was used: the oldest go first
        return content

    def put(self, key: str, content: bytes) -> None:
        """Keep something under a key (letters, digits, ``-``)."""
        if self.folder is None:
            return
        # A name of its own, and none that was there before: several builds may keep the same thing at a time.
        beside = self.folder / f"{key}.{os.getpid()}-{threading.get_ident()}.part"
        with suppress(OSError), made(self.folder):
            try:
                beside.write_bytes(hashlib.sha256(content).digest() + content)
                os.replace(beside, self.folder / key)
            except BaseException:
                with suppress(OSError):
                    beside.unlink()
                raise

    def tidy(self, limit: int = LIMIT) -> None:
        """Removes what was used longest ago until no more than ``limit`` bytes are kept."""
        if self.folder is None:
            return
        kept = []
        with suppress(OSError):
            for path in self.folder.iterdir():
                with suppress(OSError):
                    about = path.stat()
                    kept.append((about.st_mtime_ns, about.st_size, path))
        total = sum(size for _, size, _ in kept)
        for _, size, path in sorted(kept, key=lambda item: (item[0], item[2].name)):
            if total <= limit:
                return
            with suppress(OSError):
                path.unlink()
                total -= size
