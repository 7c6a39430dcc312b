"""Zip archives of modules, saves and logs: read in bounded memory, written with the same bytes every time."""

from __future__ import annotations

import errno
import io
import os
import struct
import threading
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, cast

from isal import igzip_lib
from isal.igzip_lib import DECOMP_DEFLATE, IgzipDecompressor
from isal.isal_zlib import crc32

from modgen.formats.errors import FormatError

_BROKEN: Final = cast("type[Exception]", igzip_lib.error)  # its stubs take the class for one of its errors
_ENTRY: Final = b"PK\x03\x04"
_HEADER: Final = struct.Struct("<4s2xHH16xHH")
"""Before an entry: its mark, flags and packing, and the lengths of its name and of what follows that."""
_ODD, _UTF8 = 1 << 0 | 1 << 5 | 1 << 6, 1 << 11
"""Flags: encrypted in one way or another, or a patch; a name in UTF-8."""
_END: Final = b"PK\x05\x06"
_END64: Final = b"PK\x06\x06"
_BLOCK: Final = 1 << 20
_BOM: Final = b"\xef\xbb\xbf"
_EXPECTED: Final = "a zip archive (.vmod, .vsav, .vlog) is expected"

LEVEL: Final = 6
"""Of zlib. Saves are long and much alike: level 9 takes three times as long for a tenth less."""
FIRST_TIME: Final = (1980, 1, 1, 0, 0, 0)
"""The time stamp of written entries unless another is asked for."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of an archive may be read. Sizes are bytes after unpacking."""

    entry: int = 64 << 20
    """The largest entry. Half of it is the longest text of a save, since every byte is stored as two hex digits."""
    entries: int = 50_000
    directory: int = 8 << 20
    """The size of the archive's own list of entries."""


DEFAULT_LIMITS: Final = Limits()


class Unexpected(Exception):
    """An entry is not as nearly every one is: only reading it whole tells whether it can be read, and what is wrong with it if not."""


class Archive:
    """A zip archive that gives out its entries one by one. Use it as a context, or call ``close``.

    Every error is a FormatError that names the file and the entry.
    """

    def __init__(self, source: Path | bytes, where: str, limits: Limits) -> None:
        self.where = where
        self._limits = limits
        self._zip = _open(source, where, limits)
        self.names: tuple[str, ...] = tuple(info.filename for info in self._zip.infolist())

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __contains__(self, name: object) -> bool:
        return name in self._zip.NameToInfo

    def close(self) -> None:
        """Close the file."""
        self._zip.close()

    def size(self, name: str) -> int:
        """The entry's size in bytes, as the archive states it."""
        return self._zip.getinfo(name).file_size

    def head(self, name: str, most: int = 1 << 18) -> bytes:
        """The first bytes of an entry, at most ``most``: enough to tell what it is, whatever its size. Raises FormatError."""
        return self._read(name, most, whole=False)

    def read(self, name: str, limit: int | None = None) -> bytes:
        """The entry's bytes. Raises FormatError when it is missing, broken, encrypted, or larger than ``limit`` (bytes)."""
        return self._read(name, self._limits.entry if limit is None else limit, whole=True)

    def _read(self, name: str, most: int, *, whole: bool) -> bytes:
        where = f"{self.where}: {name}"
        info = self._zip.NameToInfo.get(name)
        if info is None:
            raise FormatError(self.where, f"holds no entry {name}")
        if whole and info.file_size > most:
            raise FormatError(where, f"is {info.file_size} bytes unpacked; at most {most} are read")
        if whole and (plain := self._plain(info)) is not None:
            return plain
        parts: list[bytes] = []
        total = 0
        try:
            with self._zip.open(info) as stream:
                while block := stream.read(min(_BLOCK, most + whole - total)):
                    total += len(block)
                    if total > most:
                        # The archive lied about the size.
                        raise FormatError(where, f"is more than {most} bytes unpacked; at most that many are read")
                    parts.append(block)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, struct.error, ValueError) as error:
            raise FormatError(where, f"is damaged ({error or type(error).__name__})") from None
        except NotImplementedError as error:
            raise FormatError(where, f"is packed in a way that is not read: {error}; stored and deflated entries are") from None
        except RuntimeError as error:
            raise FormatError(where, f"cannot be read: {error}") from None
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def blocks(self, name: str, size: int, head: int = 0) -> Iterator[bytes]:
        """The bytes of a deflated entry, ``size`` at a time, the first time ``head`` more: what is done with each is done before memory for
        the next is asked for.

        Raises Unexpected where anything is not as nearly every entry is, its size or sum at the end included: ``read`` tells what then.
        """
        info = self._zip.NameToInfo.get(name)
        packed = self._packed(info) if info is not None and info.compress_type == zipfile.ZIP_DEFLATED else None
        if info is None or packed is None or info.file_size > self._limits.entry:
            raise Unexpected(name)
        unpacking = IgzipDecompressor(DECOMP_DEFLATE)
        total = summed = 0
        most = head + size
        while not unpacking.eof:
            try:
                block = unpacking.decompress(packed, most)
            except _BROKEN:
                raise Unexpected(name) from None
            total += len(block)
            summed = crc32(block, summed)
            if total > info.file_size or not (block or unpacking.eof):
                raise Unexpected(name)
            yield block
            packed, most = b"", size
        if total != info.file_size or summed != info.CRC:
            raise Unexpected(name)

    def _plain(self, info: zipfile.ZipInfo) -> bytes | None:
        """A whole entry in one go, as nearly every one is packed. None where anything is not as expected: ``zipfile`` tells what then.

        ISA-L unpacks and sums up a saved game in a third of the time that zlib takes, and a save is little more than unpacked.
        """
        data = self._packed(info)
        if data is not None and info.compress_type == zipfile.ZIP_DEFLATED:
            try:
                # One byte more than the archive states would show that it lies.
                data = IgzipDecompressor(DECOMP_DEFLATE).decompress(data, info.file_size + 1)
            except (ValueError, _BROKEN):
                return None
        return data if data is not None and len(data) == info.file_size and crc32(data) == info.CRC else None

    def _packed(self, info: zipfile.ZipInfo) -> bytes | None:
        """An entry as it is stored, None where what stands before it is not as expected."""
        stream = self._zip.fp
        if stream is None or info.flag_bits & _ODD or info.compress_type not in (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED):
            return None
        try:
            stream.seek(info.header_offset)
            mark, flags, packing, name, extra = _HEADER.unpack(stream.read(_HEADER.size))
            named = stream.read(name + extra)[:name]
            packed = stream.read(info.compress_size)
        except (OSError, ValueError, struct.error):
            return None
        as_listed = flags == info.flag_bits and packing == info.compress_type and named == _stored_name(info)
        return packed if mark == _ENTRY and as_listed and len(packed) == info.compress_size else None


def _stored_name(info: zipfile.ZipInfo) -> bytes:
    return info.orig_filename.encode("utf-8" if info.flag_bits & _UTF8 else "cp437")


def _open(source: Path | bytes, where: str, limits: Limits) -> zipfile.ZipFile:
    try:
        stream: io.BufferedReader | io.BytesIO = source.open("rb") if isinstance(source, Path) else io.BytesIO(source)
    except IsADirectoryError:
        raise FormatError(where, f"is a folder; {_EXPECTED}") from None
    except OSError as error:
        raise FormatError(where, f"cannot be opened: {error.strerror or error}") from None
    try:
        _check_directory(stream, where, limits)
        return zipfile.ZipFile(stream)
    except FormatError:
        stream.close()
        raise
    except (zipfile.BadZipFile, OSError, ValueError, EOFError, struct.error, NotImplementedError) as error:
        stream.close()
        raise FormatError(where, f"is a damaged zip archive ({error})") from None


def _check_directory(stream: io.BufferedReader | io.BytesIO, where: str, limits: Limits) -> None:
    """Refuse what is no zip archive, and one whose list of entries alone would fill the memory."""
    try:
        stream.seek(0, os.SEEK_END)
        size = stream.tell()
        if not size:
            raise FormatError(where, f"is empty; {_EXPECTED}")  # or a device, which would never end
        stream.seek(0)
        head = stream.read(64)
        stream.seek(max(0, size - (1 << 16) - 22))
        tail = stream.read()
    except OSError as error:
        raise FormatError(where, f"cannot be read: {error.strerror or error}") from None
    end = tail.rfind(_END)
    if end < 0 or len(tail) - end < 22:
        raise FormatError(where, _no_archive(head, size))
    entries, directory = struct.unpack_from("<HI", tail, end + 10)
    end64 = tail.rfind(_END64, 0, end)
    if end64 >= 0 and len(tail) - end64 >= 48:
        entries, directory = struct.unpack_from("<QQ", tail, end64 + 32)
    elif end64 < 0 and (entries == 0xFFFF or directory == 0xFFFFFFFF):
        raise FormatError(where, "is a damaged zip archive (the list of its entries is not where it should be)")
    if entries > limits.entries:
        raise FormatError(where, f"lists {entries} entries; at most {limits.entries} are read")
    if directory > limits.directory:
        raise FormatError(where, f"has a list of entries of {directory} bytes; at most {limits.directory} are read")
    stream.seek(0)


def _no_archive(head: bytes, size: int) -> str:
    """What a file is that begins so and has no zip archive's end. ``size``: its bytes."""
    if head.startswith(_ENTRY) or _ENTRY.startswith(head):
        return f"is a zip archive cut off before its end, after {size} bytes"
    if head.removeprefix(_BOM).lstrip()[:1] in (b"{", b"["):
        return f"is JSON text, as a save of Tabletop Simulator is; {_EXPECTED}"
    return "is no zip archive (.vmod, .vsav, .vlog)"


def read_archive(source: Path | bytes, *, where: str | None = None, limits: Limits = DEFAULT_LIMITS) -> Archive:
    """Open a zip archive. ``where`` names it in errors (default: the path, or ``archive`` for bytes).

    Raises FormatError for a missing, empty, truncated or damaged file, for one that is no zip, and for one with too many entries.
    """
    name = where if where is not None else (source.as_posix() if isinstance(source, Path) else "archive")
    return Archive(source, name, limits)


def pack(entries: Iterable[tuple[str, bytes]], *, stamp: tuple[int, int, int, int, int, int] = FIRST_TIME) -> bytes:
    """A zip archive of these entries, in this order, deflated: the same entries and stamp give the same bytes.

    ``stamp`` is the time of every entry (year, month, day, hour, minute, second; from 1980). The engine caches a module's board
    tiles by this time, so a changed board needs a new one or a new module version.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            info = zipfile.ZipInfo(name, stamp)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3
            info.external_attr = 0o644 << 16
            archive.writestr(info, data, compresslevel=LEVEL)
    return buffer.getvalue()


def write_file(path: Path, data: bytes) -> None:
    """Write beside, then rename: ``path`` is never half-written, and nothing is left beside it, also not by Ctrl-C. A link stays one, and
    a device or a pipe is written into.

    Raises FormatError when it cannot be written.
    """
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            _write_beside(path.resolve() if path.is_symlink() else path, data)
    except OSError as error:
        raise FormatError(path.as_posix(), f"cannot be written: {error.strerror or error}") from None


def _write_beside(path: Path, data: bytes) -> None:
    # A name of its own: two that write the same file at a time must not write into each other's.
    beside = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        beside.write_bytes(data)
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
