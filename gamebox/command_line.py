"""What the command lines have in common: options that several commands take, output, and how errors are told.

Exit codes: 0 all fine, 1 findings, 2 bad input or usage. Every error is one line on standard error that begins with the program's
name. Only command lines import this.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperOption

from gamebox.load import BoxErrors

# The commands themselves say what is wrong with a path, in a line like all others.
Overlay = Annotated[
    Path | None, typer.Option("--overlay", readable=False, help="A folder or zip of corrections laid over the game's data.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the report as JSON.")]

Known = Callable[[Exception], Sequence[str] | None]
"""The lines for an error that a program knows; None for any other."""
_OF_WRITING = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EBADF})


class Command(TyperCommand):
    """A command that takes each option with a value once, unless it is one that may be given again: of two, one would be lost unsaid."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """Raises a usage error for the second of such an option."""
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        for number, param in enumerate(given):
            if isinstance(param, TyperOption) and not (param.multiple or param.is_flag) and param in given[:number]:
                ctx.fail(f"Option '{param.opts[0]}' is given twice")
        return super().parse_args(ctx, args)


def make_app(name: str, does: str) -> typer.Typer:
    """An app without commands yet, with ``--version``."""
    app = typer.Typer(
        name=name, help=does, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None
    )
    app.callback()(_all_commands)
    return app


def _say_version(context: typer.Context, asked: bool) -> None:
    if not asked:
        return
    try:
        print(f"{context.info_name} {version('modgen-referee')}")
    except PackageNotFoundError:
        print(f"{context.info_name}, run from its source without being installed")
    raise typer.Exit


def _all_commands(
    version: Annotated[bool, typer.Option("--version", help="Say which version this is.", callback=_say_version, is_eager=True)] = False,
) -> None:
    pass


def must_be_new(outputs: Iterable[Path | None], inputs: Iterable[Path | None]) -> None:
    """Raises BadParameter when a file that a command is to write is one that it reads, lies in a folder that it reads and is there
    already, or is to be written twice."""
    taken = {path.resolve() for path in inputs if path is not None}
    for path in outputs:
        if path is None or (path.exists() and not path.is_file()):
            continue  # a device or a pipe holds nothing that could be lost; a folder is told where it is to be written
        place = path.resolve()
        if place in taken or (path.exists() and not taken.isdisjoint(place.parents)):
            raise typer.BadParameter(f"{path.as_posix()} is read or written by the same command; write to another file")
        taken.add(place)


# ---------------------------------------------------------------------------------------------------------------------------
# Output


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    json.dump(value, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")


def tell(program: str, lines: Sequence[str]) -> None:
    """Lines on standard error, each with the program's name before it."""
    with suppress(OSError):  # where standard error is lost, the exit code still tells
        for line in lines:
            print(f"{program}: {line}", file=sys.stderr, flush=True)


@contextmanager
def progress_bar(label: str, total: int | None = None) -> Iterator[Callable[..., None] | None]:
    """A bar on standard error while the block runs, None where standard error is no terminal.

    What is yielded takes what ``rich.progress.Progress.update`` takes by name.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total)

        def update(**to: Any) -> None:
            bar.update(task, **to)

        yield update


# ---------------------------------------------------------------------------------------------------------------------------
# Errors


_BY_CTRL_C, _BY_TERM = 128 + signal.SIGINT, 128 + signal.SIGTERM


class Stopped(Exception):
    """A command was stopped by Ctrl-C and has to say something about it."""


def run(app: typer.Typer, program: str, known: Known) -> None:
    """Runs the app on the process's arguments and ends the process with its exit code.

    TERM ends it as Ctrl-C does, tidily, with exit code 143; both are told in a line. ``<PROGRAM>_DEBUG`` in the environment lets errors
    through.
    """
    # Started with standard output or error closed (`>&-`), Python has none; what is written then goes nowhere.
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for as long as the process lives
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for command in app.registered_commands:
        command.cls = Command
    with _ended_by_term():
        try:
            code = app(prog_name=program, standalone_mode=False)
            sys.stdout.flush()
        except BrokenPipeError:
            # The reader went away (`| head`): not an error.
            _drop_output()
            code = 0
        except SystemExit as end:
            # Commands leave by typer.Exit; a 1 is typer's own way of saying that the reader went away.
            if end.code == _BY_TERM:
                tell(program, ["stopped by TERM"])
            if end.code != 1:
                raise
            _drop_output()
            code = 0
        except KeyboardInterrupt:
            code = _BY_CTRL_C
        except Stopped as stopped:
            tell(program, [f"stopped by Ctrl-C; {stopped}"])
            sys.exit(_BY_CTRL_C)
        except Exception as error:
            if os.environ.get(f"{program.upper()}_DEBUG"):
                raise
            tell(program, _told(error, program, known))
            code = 2
        if code == _BY_CTRL_C:  # typer's own way of saying so too
            tell(program, ["stopped by Ctrl-C"])
    sys.exit(code if isinstance(code, int) else 0)


@contextmanager
def _ended_by_term() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        sys.exit(128 + number)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _drop_output() -> None:
    """Nothing more is written to standard output, at the end of the process either."""
    with suppress(OSError, ValueError):  # a stand-in for standard output may have no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _output_is_lost(error: OSError) -> bool:
    """Whether an error that names no file is of standard output: our files are written by code that names them. If so, what is still
    to be written is dropped."""
    lost = error.errno in _OF_WRITING
    try:
        sys.stdout.flush()
    except OSError:
        lost = True
    if lost:
        _drop_output()
    return lost


def _told(error: Exception, program: str, known: Known) -> Sequence[str]:
    """The error as lines for standard error; an unknown one is our mistake and says so."""
    if isinstance(error, typer.TyperException):
        return _usage(error)
    if isinstance(error, OSError) and error.strerror:
        if error.filename is not None:
            return [f"{error.filename}: {error.strerror.lower()}"]
        return [f"standard output: {error.strerror.lower()}" if _output_is_lost(error) else error.strerror.lower()]
    if isinstance(error, MemoryError):
        return ["out of memory: is a file much larger than it should be?"]
    lines = str(error).splitlines() if isinstance(error, BoxErrors) else known(error)
    if lines is not None:
        return [line for line in lines if line.strip()]
    return [f"internal error ({type(error).__name__}: {error}); {program.upper()}_DEBUG=1 shows where"]


def _usage(error: typer.TyperException) -> list[str]:
    """What is wrong with the arguments; a program called without any shows its help."""
    context = getattr(error, "ctx", None)
    message: str = error.format_message() if hasattr(error, "format_message") else str(error)
    if context is not None and message == context.get_help():
        print(message, file=sys.stderr)
        return []
    message = " ".join(message.split()).rstrip(".")
    hint = f"; see {context.command_path} --help" if context is not None else ""
    return [message[:1].lower() + message[1:] + hint]
