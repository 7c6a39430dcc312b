"""``modgen``: the command line. Arguments, errors and output only; every command imports what it needs when it runs.

Exit codes: 0 all fine, 1 findings, 2 bad input or usage. Errors are one line each on standard error.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

app = typer.Typer(
    name="modgen",
    help="Turns a game's data into modules for VASSAL, and keeps the data in order.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Game = Annotated[str, typer.Argument(metavar="GAME", help="The game's id: its folder in data/.")]
Overlay = Annotated[Path | None, typer.Option("--overlay", help="A folder or zip of corrections laid over the game's data.")]
Data = Annotated[Path | None, typer.Option("--data", help="The folder that holds the games, instead of our own.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the report as JSON.")]


def _version(asked: bool) -> None:
    if not asked:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        print(f"modgen {version('modgen-referee')}")
    except PackageNotFoundError:
        print("modgen, run from its source without being installed")
    raise typer.Exit


@app.callback()
def _all_commands(
    version: Annotated[bool, typer.Option("--version", help="Say which version this is.", callback=_version, is_eager=True)] = False,
) -> None:
    pass


@app.command()
def check(game: Game, overlay: Overlay = None, data: Data = None, as_json: AsJson = False) -> None:
    """Shows how much of a game's data is printed, derived, reconstructed or an owner's, and whether its tables agree."""
    from gamebox.load import BoxErrors
    from modgen.check import VERSION, error_json, text
    from modgen.check import check as run

    try:
        report = run(game, overlay, data)
    except BoxErrors as errors:
        if as_json:
            _print_json({"version": VERSION, "game": game, "errors": [error_json(error) for error in errors.errors]})
        raise
    if as_json:
        _print_json(report.as_json())
    else:
        sys.stdout.write(text(report))
    raise typer.Exit(1 if report.findings else 0)


@app.command()
def fmt(
    game: Game,
    data: Data = None,
    only_check: Annotated[bool, typer.Option("--check", help="Change nothing; exit code 1 if something would change.")] = False,
) -> None:
    """Sorts a game's tables and repairs what a spreadsheet did to them, where only one way back is possible."""
    from modgen.fmt import fmt as run
    from modgen.fmt import text

    result = run(game, data, write=not only_check)
    sys.stdout.write(text(result, write=not only_check))
    if result.errors:
        _tell([str(error) for error in result.errors])
        raise typer.Exit(2)
    raise typer.Exit(1 if only_check and result.repairs else 0)


@app.command()
def dump(file: Annotated[Path, typer.Argument(metavar="FILE", help="A VASSAL module, save or log (.vmod, .vsav, .vlog).")]) -> None:
    """Prints a client's file as stable text, made to be compared. Players' passwords are left out."""
    from modgen.formats.vassal.dump import dump as run

    # Bytes, not text: the file's own letters must come out whatever the terminal's encoding is.
    sys.stdout.buffer.write(run(file).encode("utf-8", "backslashreplace"))


@app.command()
def build(
    game: Game,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Where to write; build/GAME if not given.")] = None,
    overlay: Overlay = None,
    data: Data = None,
    allocate: Annotated[bool, typer.Option("--allocate", help="Give new counters their permanent numbers (gpids.csv).")] = False,
    as_json: AsJson = False,
) -> None:
    """Builds a game's VASSAL module: GAME.vmod, with its scenarios ready set up."""
    from modgen.art.fonts import ArtError
    from modgen.build import STEPS, BuildError
    from modgen.build import build as run
    from modgen.vassal.ledger import LedgerError

    with _progress(STEPS) as progress:
        try:
            report = run(game, out=out, overlay=overlay, data=data, allocate=allocate, progress=progress)
        except (ArtError, BuildError, LedgerError) as error:
            _tell(str(error).splitlines())
            raise typer.Exit(2) from None
    _tell([f"warning: {warning}" for warning in report.warnings])
    if as_json:
        _print_json(report.as_json())
    else:
        versions = f"{report.game}, module {report.version}, game data {report.game_version}"
        print(f"{report.file.as_posix()}: {versions}, {report.counters} counters, {report.size} bytes, content {report.content[:12]}")


@app.command()
def picture(
    game: Game,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The PNG to write.")],
    what: Annotated[str, typer.Option("--what", help="board or counters.")] = "board",
    width: Annotated[int, typer.Option("--width", min=100, max=4000, help="Pixels.")] = 1200,
    overlay: Overlay = None,
    data: Data = None,
) -> None:
    """Draws a small picture of a game's board or counters, for pages about the module."""
    from modgen.art.fonts import ArtError
    from modgen.build import BuildError
    from modgen.build import picture as run
    from modgen.formats.vassal.archive import write_file

    try:
        png = run(game, what, width, overlay=overlay, data=data)
    except (ArtError, BuildError) as error:
        _tell(str(error).splitlines())
        raise typer.Exit(2) from None
    write_file(out, png)


# ---------------------------------------------------------------------------------------------------------------------------
# Output and errors


@contextmanager
def _progress(steps: int) -> Iterator[Callable[[str], None]]:
    """A bar on a terminal, nothing anywhere else. Each call begins the next step."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=steps)
        yield lambda step: bar.update(task, advance=1, description=step)


def _print_json(value: Mapping[str, Any]) -> None:
    json.dump(value, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")


def _tell(lines: Sequence[str]) -> None:
    for line in lines:
        print(f"modgen: {line}", file=sys.stderr)


def _told(error: Exception) -> list[str]:
    """The error as lines for standard error; an unknown one is our mistake and says so."""
    from gamebox.load import BoxErrors
    from modgen.formats.errors import FormatError

    if isinstance(error, FormatError | BoxErrors):
        return [line for line in str(error).splitlines() if line.strip()]
    if isinstance(error, OSError) and error.strerror:
        return [f"{error.filename}: {error.strerror.lower()}" if error.filename else error.strerror]
    return [f"internal error ({type(error).__name__}: {error}); MODGEN_DEBUG=1 shows where"]


def main() -> None:
    """The entry point of the console script."""
    try:
        app(prog_name="modgen")
    except BrokenPipeError:
        # The reader went away (`| head`): not an error, and nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        if os.environ.get("MODGEN_DEBUG"):
            raise
        _tell(_told(error))
        sys.exit(2)


if __name__ == "__main__":
    main()
