"""What can go wrong in a call, and the one table from our errors to status codes.

Plain Python code raises ``ServiceError`` or any error of ours; only ``guard.py`` turns it into gRPC.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import grpc

from gamebox.load import BoxErrors
from modgen.formats.errors import FormatError
from referee.rules.model import NotationError
from referee.rules.options import UsageError
from referee.rules.position_text import PositionError
from referee.table.adopt import MappingErrors


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: a stable code, where (a field, a file with its place, a log step), a sentence, what is allowed."""

    code: str
    message: str
    where: str = ""
    allowed: tuple[str, ...] = ()


class ServiceError(Exception):
    """A call that cannot be answered; each subclass has its row in the table below."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = problems


class BadRequest(ServiceError):
    """The request does not say what it must."""


class NotFound(ServiceError):
    """The request names a game that is not here."""


class TooLarge(ServiceError):
    """The request is over a limit."""


class Stopped(ServiceError):
    """The caller's deadline has passed or it went away: the work was given up."""


# Error of ours -> status code and the problem's code. The first row that fits counts.
TABLE: tuple[tuple[type[Exception], grpc.StatusCode, str], ...] = (
    (BadRequest, grpc.StatusCode.INVALID_ARGUMENT, "bad_request"),
    (NotFound, grpc.StatusCode.NOT_FOUND, "not_found"),
    (TooLarge, grpc.StatusCode.RESOURCE_EXHAUSTED, "too_large"),
    (Stopped, grpc.StatusCode.CANCELLED, "stopped"),
    (NotationError, grpc.StatusCode.INVALID_ARGUMENT, "bad_notation"),
    (PositionError, grpc.StatusCode.INVALID_ARGUMENT, "bad_position"),
    (UsageError, grpc.StatusCode.INVALID_ARGUMENT, "bad_choice"),
    (FormatError, grpc.StatusCode.INVALID_ARGUMENT, "unreadable_file"),
    (MappingErrors, grpc.StatusCode.INVALID_ARGUMENT, "bad_mapping"),
    (BoxErrors, grpc.StatusCode.INVALID_ARGUMENT, "bad_data"),
)
OURS = (grpc.StatusCode.INTERNAL, (Problem("internal", "the referee made a mistake; the server's log has it"),))


def status_of(error: Exception) -> tuple[grpc.StatusCode, tuple[Problem, ...]]:
    """The status code and the problems to tell the caller. Unknown errors tell nothing of what is inside."""
    for kind, status, code in TABLE:
        if isinstance(error, kind):
            return status, error.problems if isinstance(error, ServiceError) else tuple(_problems(error, code))
    return OURS


def _problems(error: Exception, code: str) -> Iterator[Problem]:
    if isinstance(error, FormatError):
        yield Problem(code, error.what, error.where)
    elif isinstance(error, BoxErrors | MappingErrors):
        yield from (Problem(code, line) for line in str(error).splitlines() if line.strip())
    elif isinstance(error, PositionError):
        yield Problem(code, str(error), "position.text")
    else:
        yield Problem(code, str(error))
