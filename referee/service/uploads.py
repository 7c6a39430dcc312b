"""Collects the stream of an audit: header, files, chunks; bounded in size, in memory for logs and on disk for a module."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from referee.service.backend import Alive, Upload
from referee.service.errors import BadRequest, Problem, Stopped, TooLarge
from referee.service.gen import referee_pb2 as pb

_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}\Z")


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """Bounds of one audit, in bytes and files."""

    log_bytes: int = 32 << 20
    module_bytes: int = 256 << 20
    logs: int = 64
    total_log_bytes: int = 64 << 20


@contextmanager
def receive(requests: Iterator[pb.AuditRequest], limits: UploadLimits, alive: Alive) -> Iterator[Upload]:
    """The upload, complete; files on disk are gone when the block ends.

    Raises BadRequest for parts out of order, TooLarge over a limit, Stopped when the caller is gone.
    """
    with TemporaryDirectory(prefix="referee-audit-") as folder:
        collector = _Collector(Path(folder), limits)
        try:
            for request in requests:
                if not alive():
                    raise Stopped(Problem("stopped", "the caller is gone"))
                collector.take(request)
            if not alive():  # a cancelled stream ends like a finished one
                raise Stopped(Problem("stopped", "the caller is gone"))
            yield collector.upload()
        finally:
            collector.close()


class _Collector:
    def __init__(self, folder: Path, limits: UploadLimits) -> None:
        self.folder = folder
        self.limits = limits
        self.header: pb.AuditHeader | None = None
        self.logs: list[tuple[str, bytearray]] = []
        self.log_bytes = 0
        self.module: Path | None = None
        self.module_bytes = 0
        self._module_file = (folder / "module.vmod").open("wb")
        self._role = pb.AuditFile.ROLE_UNSPECIFIED

    def take(self, request: pb.AuditRequest) -> None:
        part = request.WhichOneof("part")
        if self.header is None and part != "header":
            raise BadRequest(Problem("out_of_order", "the first message of an audit is its header", "header"))
        if part == "header":
            if self.header is not None:
                raise BadRequest(Problem("out_of_order", "an audit has one header", "header"))
            self.header = request.header
        elif part == "file":
            self._begin(request.file)
        elif part == "chunk":
            self._add(request.chunk)
        else:
            raise BadRequest(
                Problem("empty_part", "a message of an audit carries a header, a file or a chunk", allowed=("header", "file", "chunk"))
            )

    def _begin(self, file: pb.AuditFile) -> None:
        if file.role == pb.AuditFile.ROLE_LOG:
            if len(self.logs) == self.limits.logs:
                raise TooLarge(Problem("too_many", f"at most {self.limits.logs} logs in one audit", "file"))
            self.logs.append((file.name, bytearray()))
        elif file.role == pb.AuditFile.ROLE_MODULE:
            if self.module is not None:
                raise BadRequest(Problem("two_modules", "an audit takes one module", "file.role"))
            self.module = self.folder / "module.vmod"
        else:
            raise BadRequest(Problem("unknown_role", "a file is a log or a module", "file.role", ("ROLE_LOG", "ROLE_MODULE")))
        self._role = file.role

    def _add(self, chunk: bytes) -> None:
        if self._role == pb.AuditFile.ROLE_LOG:
            name, content = self.logs[-1]
            self.log_bytes += len(chunk)
            if len(content) + len(chunk) > self.limits.log_bytes:
                raise TooLarge(Problem("too_large", f"{name} is over {self.limits.log_bytes} bytes", "chunk"))
            if self.log_bytes > self.limits.total_log_bytes:
                raise TooLarge(Problem("too_large", f"the logs together are over {self.limits.total_log_bytes} bytes", "chunk"))
            content += chunk
        elif self._role == pb.AuditFile.ROLE_MODULE:
            self.module_bytes += len(chunk)
            if self.module_bytes > self.limits.module_bytes:
                raise TooLarge(Problem("too_large", f"the module is over {self.limits.module_bytes} bytes", "chunk"))
            self._module_file.write(chunk)
        else:
            raise BadRequest(Problem("out_of_order", "a chunk follows the file it belongs to", "chunk"))

    def upload(self) -> Upload:
        self._module_file.close()
        if self.header is None:
            raise BadRequest(Problem("missing", "an audit begins with a header", "header"))
        if not self.logs:
            raise BadRequest(Problem("missing", "an audit needs at least one log", "file"))
        mapping = None
        if self.header.mapping:
            mapping = self.folder / "mapping.csv"
            mapping.write_text(self.header.mapping, "utf-8", newline="")
        overlay = None
        if self.header.overlay:
            overlay = self.folder / "overlay"
            overlay.mkdir()
            for name, text in self.header.overlay.items():
                if not _PLAIN_NAME.match(name):
                    raise BadRequest(Problem("bad_name", f"{name!r} is no plain file name", "header.overlay"))
                (overlay / name).write_text(text, "utf-8", newline="")
        return Upload(
            logs=[(name, bytes(content)) for name, content in self.logs],
            game=self.header.game,
            scenario=self.header.scenario,
            options=frozenset(self.header.options),
            side=self.header.side,
            module=self.module,
            mapping=mapping,
            overlay=overlay,
        )

    def close(self) -> None:
        self._module_file.close()
