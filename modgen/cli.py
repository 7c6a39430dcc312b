"""``modgen``: the command line. Arguments, errors and output only; every command imports what it needs when it runs.

Exit codes: 0 all fine, 1 findings, 2 bad input or usage. Errors are one line each on standard error.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamebox import command_line
from gamebox.command_line import AsJson, Overlay, Stopped, must_be_new, print_json, progress_bar

if TYPE_CHECKING:
    from modgen.build.work import Order

app = command_line.make_app("modgen", "Turns a game's data into modules for VASSAL, and keeps the data in order.")

Game = Annotated[str, typer.Argument(metavar="GAME", help="The game's id: its folder in data/.")]
Games = Annotated[list[str] | None, typer.Argument(metavar="GAME...", help="The games' ids: their folders in data/.", show_default=False)]
Every = Annotated[bool, typer.Option("--all", help="Every game that has a module.toml.")]
Art = Annotated[Path | None, typer.Option("--art", metavar="DIR", readable=False, help="A folder of pictures that replace drawn ones.")]
Out = Annotated[Path | None, typer.Option("--out", metavar="DIR", readable=False, help="Where to write; build/GAME if not given.")]
Data = Annotated[Path | None, typer.Option("--data", readable=False, help="The folder that holds the games, instead of our own.")]


@app.command()
def check(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="The game's id: its folder in data/.", show_default=False)] = None,
    module: Annotated[
        Path | None, typer.Option("--module", metavar="FILE", readable=False, help="Look at this VASSAL module (.vmod), ours or any other.")
    ] = None,
    overlay: Overlay = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Shows how much of a game's data is printed, derived, reconstructed or an owner's, and whether its tables agree.

    With --module: what in a finished module the engine would refuse, drop without a word, or read otherwise than it is meant.
    """
    from gamebox.load import BoxErrors
    from modgen import check as game_check

    if game is None and module is None:
        _tell(["GAME, --module FILE or both are expected; see modgen check --help"])
        raise typer.Exit(2)
    report = None
    try:
        report = game_check.check(game, overlay, data) if game is not None else None
    except BoxErrors as errors:
        if as_json:
            print_json({"version": game_check.VERSION, "game": game, "errors": [game_check.error_json(error) for error in errors.errors]})
        raise
    if module is None:
        if report is not None and as_json:
            print_json(report.as_json())
        elif report is not None:
            sys.stdout.write(game_check.text(report))
        raise typer.Exit(1 if report is not None and report.findings else 0)

    from modgen.formats.vassal import validate
    from modgen.module_check import against

    seen = validate.validate(module)
    seen = against(seen, report) if report is not None else seen
    if as_json:
        print_json({**seen.as_json(), "game": report.as_json()} if report is not None else seen.as_json())
    else:
        sys.stdout.write((game_check.text(report) + "\n" if report is not None else "") + validate.text(seen))
    raise typer.Exit(0 if seen.clean and not (report is not None and report.findings) else 1)


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
def dump(
    file: Annotated[Path, typer.Argument(metavar="FILE", readable=False, help="A VASSAL module, save or log (.vmod, .vsav, .vlog).")],
) -> None:
    """Prints a client's file as stable text, made to be compared. Players' passwords are left out."""
    from modgen.formats.vassal.dump import dump as run

    # Bytes, not text: the file's own letters must come out whatever the terminal's encoding is.
    sys.stdout.buffer.write(run(file).encode("utf-8", "backslashreplace"))


@app.command()
def diff(
    old: Annotated[Path, typer.Argument(metavar="OLD", readable=False, help="A VASSAL module, save or log, or a text that dump printed.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", readable=False, help="Another one of the same kind.")],
    module: Annotated[
        Path | None, typer.Option("--module", metavar="FILE", readable=False, help="The module of two saves or logs: names their places.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Cut no list short.")] = False,
    as_json: AsJson = False,
) -> None:
    """Says in words what changed between two modules, saves or logs; exit code 1 if anything did."""
    from modgen.formats.vassal.diff import diff as run
    from modgen.formats.vassal.diff import text

    report = run(old, new, module=module)
    if as_json:
        print_json(report.as_json())
    else:
        sys.stdout.buffer.write(text(report, every).encode("utf-8", "backslashreplace"))
    raise typer.Exit(1 if report.changes else 0)


@app.command()
def build(
    games: Games = None,
    every: Every = False,
    out: Out = None,
    overlay: Overlay = None,
    art: Art = None,
    data: Data = None,
    allocate: Annotated[bool, typer.Option("--allocate", help="Give new counters their permanent numbers (gpids.csv).")] = False,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Make everything anew, and keep nothing for the next build (.modgen-cache).")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Builds games' VASSAL modules: GAME.vmod, with its scenarios ready set up. Nothing is written unless all can be built."""
    from modgen.build.work import Order

    order = Order(out, overlay, data, allocate, cached=not no_cache, art=art)
    _build(_chosen("build", games, every, data), order, as_json, alone=bool(games))


@app.command()
def release(
    games: Games = None,
    every: Every = False,
    out: Out = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Builds games' modules and writes down that people are given them: from then on that version cannot get other content
    (releases.csv), nor the pieces' traits other texts where games under way would lose state (frozen.csv)."""
    from modgen.build.work import Order

    _build(_chosen("release", games, every, data), Order(out, data=data, release=True), as_json, alone=bool(games))


def _build(games: Sequence[str], order: Order, as_json: bool, alone: bool) -> None:
    """Builds and tells. ``alone``: one game asked for by name is one report, not a list of them."""
    from modgen.build.run import REFUSALS, build_all

    if order.changed and len(games) > 1:
        _tell(["--overlay and --art are of one game; name that game alone"])
        raise typer.Exit(2)
    with progress_bar("", 1) as bar:
        try:
            reports = build_all(games, order, lambda part, doing: bar(completed=part, description=doing) if bar else None)
        except REFUSALS as error:
            _tell(str(error).splitlines())
            raise typer.Exit(2) from None
        except KeyboardInterrupt:
            raise Stopped("no module is half written") from None
    for report in reports:
        _tell([f"warning: {report.game}: {warning}" if len(reports) > 1 else f"warning: {warning}" for warning in report.warnings])
    if as_json:
        print_json(reports[0].as_json() if alone and len(reports) == 1 else {"version": 1, "modules": [r.as_json() for r in reports]})
        return
    for report in reports:
        versions = f"{report.game}, module {report.version}{' (released)' if report.released else ''}, game data {report.game_version}"
        print(f"{report.file.as_posix()}: {versions}, {report.counters} counters, {report.size} bytes, content {report.content[:12]}")


def _chosen(command: str, games: list[str] | None, every: bool, data: Path | None) -> list[str]:
    """The games named, or all that have a module."""
    from gamebox.load import data_root
    from gamebox.load import games as known
    from modgen.check import LAYOUT_FILE

    if bool(games) == every:
        what = "not both: name the games, or --all" if games else "name a game, or --all"
        _tell([f"{what} for every game; see modgen {command} --help"])
        raise typer.Exit(2)
    root = data or data_root()
    chosen = games or [game for game in known(root) if (root / game / LAYOUT_FILE).is_file()]
    if not chosen:
        _tell([f"{root.as_posix()}: holds no game with a {LAYOUT_FILE}"])
        raise typer.Exit(2)
    return chosen


@app.command()
def picture(
    game: Game,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", readable=False, help="The PNG to write.")],
    what: Annotated[str, typer.Option("--what", help="board or counters.")] = "board",
    width: Annotated[int, typer.Option("--width", min=100, max=4000, help="Pixels.")] = 1200,
    overlay: Overlay = None,
    art: Art = None,
    data: Data = None,
) -> None:
    """Draws a small picture of a game's board or counters, for pages about the module."""
    from modgen.build import picture as run
    from modgen.build.work import REFUSALS
    from modgen.formats.vassal.archive import write_file

    must_be_new([out], [overlay, art, data])
    try:
        png = run(game, what, width, overlay=overlay, art=art, data=data)
    except REFUSALS as error:
        _tell(str(error).splitlines())
        raise typer.Exit(2) from None
    write_file(out, png)


# ---------------------------------------------------------------------------------------------------------------------------
# Output and errors


_tell = partial(command_line.tell, "modgen")


def _known(error: Exception) -> Sequence[str] | None:
    from modgen.formats.errors import FormatError

    return str(error).splitlines() if isinstance(error, FormatError) else None


def main() -> None:
    """The entry point of the console script."""
    # Commands make hundreds of thousands of things that stay until the end; to look through them for rings every few hundred, as Python
    # does, takes a tenth of a build.
    gc.set_threshold(100_000, 50, 100)
    command_line.run(app, "modgen", _known)


if __name__ == "__main__":
    main()
