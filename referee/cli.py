"""``referee``: the command line. Arguments, errors and output only; every command imports what it needs when it runs.

Exit codes: 0 all fine, 1 findings, 2 bad input or usage. Errors are one line each on standard error.

The functions behind the commands, with what they are called with:

``referee.audit.run.audit_file(source, name, *, game, scenario, options, module, mapping, overlay, progress, reader) -> AuditDocument``
    ``source``: Path | bytes of a log. ``name``: how the document calls it. ``game``, ``scenario``: str | None (None = found from
    the file, or the game's first). ``options``: frozenset[str]. ``module``, ``mapping``, ``overlay``: Path | None (a client's
    module file, a CSV of ``referee adopt``, a folder or zip laid over the game's data). ``progress``: Callable[[done, of], None] | None,
    called now and then; whatever it raises ends the audit. ``reader``: who it is for (``--for``).
    ``.as_json()`` gives the document of docs/schema/audit-1.json.
``referee.audit.run.check_file(source, name, *, side, game, scenario, options, module, mapping, overlay, progress) -> AuditDocument``
    The same for a turn about to be sent: only what ``side`` did, and what it still owes where the file ends, as actions of
    kind ``duty`` with the verdict ``illegal``.
``referee.audit.selfplay.selfplay(game, *, games, seed, scenario, options, record, progress, processes, plans, overlay)``
    Plays ``games`` legal games from ``seed`` (int). ``record``: Path | None, a folder for one record a game. ``.lines()`` is the
    report for people, ``.as_json()`` the same as data, ``.problems`` a tuple of texts, empty when all was well.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import get_terminal_size
from typing import Annotated, Any

import typer

from gamebox import command_line
from gamebox.command_line import AsJson, Overlay, must_be_new, print_json, progress_bar
from referee import cli_legal, cli_options, cli_records, cli_show
from referee.cli_show import Mapping_, Options
from referee.document import merge

app = command_line.make_app("referee", "Judges what players of board wargames did in VASSAL: is it legal, and by which rule.")

Files = Annotated[
    list[Path], typer.Argument(metavar="FILE...", readable=False, help="VASSAL logs (.vlog) or saves (.vsav), in playing order.")
]
Game = Annotated[str | None, typer.Option("--game", "-g", help="The game's id (its folder in data/); needed where the file does not tell.")]
Scenario = Annotated[str | None, typer.Option("--scenario", "-s", help="The scenario; without it, the game's first.")]
Module = Annotated[Path | None, typer.Option("--module", "-m", readable=False, help="The VASSAL module the game was played with.")]
AsDocument = Annotated[bool, typer.Option("--json", help="Print the audit document (docs/schema/audit-1.json).")]
OnlyFindings = Annotated[bool, typer.Option("--findings", help="Leave out what is plainly legal.")]


@app.command()
def audit(
    files: Files,
    game: Game = None,
    scenario: Scenario = None,
    options: Options = None,
    module: Module = None,
    mapping: Mapping_ = None,
    overlay: Overlay = None,
    as_json: AsDocument = False,
    findings: OnlyFindings = False,
    reader: Annotated[
        str, typer.Option("--for", help="Who reads it: public, director, or a side; it holds only what he may know until the game ends.")
    ] = "public",
) -> None:
    """Judges every action of the files. Exit code 1 if anything is illegal."""
    from referee.audit.run import audit_file

    judge = _judge(audit_file, game, scenario, options, module, mapping, overlay, reader=reader)
    _report(*_run(judge, files), as_json=as_json, findings=findings)


@app.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", readable=False, help="The log of the turn you are about to send.")],
    side: Annotated[str, typer.Option("--side", help="Whose turn it is: a side of the game.")],
    game: Game = None,
    scenario: Scenario = None,
    options: Options = None,
    module: Module = None,
    mapping: Mapping_ = None,
    overlay: Overlay = None,
    as_json: AsDocument = False,
    findings: OnlyFindings = False,
) -> None:
    """Judges what one side did, and what it still owes, before the turn is sent. Exit code 1 if anything is illegal."""
    from referee.audit.run import check_file

    judge = _judge(check_file, game, scenario, options, module, mapping, overlay, side=side)
    _report(*_run(judge, [file]), as_json=as_json, findings=findings)


@app.command()
def adopt(
    module: Annotated[
        Path, typer.Argument(metavar="MODULE", readable=False, help="A VASSAL module (.vmod) that was not made from our data.")
    ],
    game: Annotated[str, typer.Option("--game", "-g", help="The game it is a module of.")],
    out: Annotated[Path | None, typer.Option("--out", readable=False, help="Write the mapping here (CSV) instead of printing it.")] = None,
    overlay: Overlay = None,
) -> None:
    """Drafts which piece of a foreign module is which counter of the game, for --map. Look it over before you rely on it."""
    from gamebox.load import load_box
    from modgen.formats.vassal.archive import write_file
    from referee.audit.run import find_game
    from referee.table.adopt import adopt as match
    from referee.table.adopt import write_csv

    _must_exist([module, *([overlay] if overlay else [])])
    must_be_new([out], [module, overlay])
    box = load_box(find_game(game), overlay)
    adoption = match(module, box)
    if not adoption.matches:
        raise _Usage(f"{module}: no counter of {box.title} was found in this module")
    if adoption.strange:
        raise _Usage(f"{module}: {adoption.strange}; is it another game's module?")
    text = write_csv(adoption)
    if out is None:
        sys.stdout.write(text)
    else:
        write_file(out, text.encode("utf-8"))
        typer.echo(str(out))
    for line in adoption.summary():
        typer.echo(line, err=True)


@app.command()
def selfplay(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game's id.")],
    games: Annotated[int, typer.Option("--games", min=1, help="How many games.")] = 1,
    seed: Annotated[int, typer.Option("--seed", help="Same seed, same games.")] = 1,
    scenario: Scenario = None,
    options: Options = None,
    record: Annotated[Path | None, typer.Option("--record", readable=False, help="Write each game into this folder.")] = None,
    plans: Annotated[list[str] | None, typer.Option("--plan", help="Only players with this plan; may be given again.")] = None,
    processes: Annotated[int, typer.Option("--processes", min=1, max=64, help="Games played at the same time.")] = 2,
    any_options: Annotated[bool, typer.Option("--any-options", help="Each game draws its own options, of those that go together.")] = False,
    overlay: Overlay = None,
    as_json: AsJson = False,
) -> None:
    """Plays legal games against itself, tries unlawful actions on the way, and counts which paragraphs allowed and refused."""
    from referee.audit.selfplay import selfplay as play

    _must_exist([overlay] if overlay else [])
    chosen = _options(options)
    with _progress(f"{games} games") as progress:
        report = play(
            game,
            games=games,
            seed=seed,
            scenario=scenario,
            options=chosen,
            record=record,
            progress=progress,
            processes=processes,
            plans=tuple(plans or ()),
            overlay=overlay,
            any_options=any_options,
        )
    if as_json:
        print_json(report.as_json())
    else:
        for line in report.lines():
            typer.echo(line)
    raise typer.Exit(1 if report.problems else 0)


@app.command()
def serve(
    host: Annotated[str, typer.Option("--host", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; 0 = any free one.")] = 50061,
    workers: Annotated[int, typer.Option("--workers", min=1, max=256, help="Calls answered at the same time.")] = 4,
) -> None:
    """Serves the referee over gRPC (protos/referee/v1), until SIGINT or SIGTERM."""
    # gRPC's own log would tell of a bad address in a line of its own, before ours.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")

    from referee.service.engine import Engine
    from referee.service.server import Settings
    from referee.service.server import serve as run

    def started(taken: int) -> None:
        typer.echo(f"listening on {host}:{taken}")
        sys.stdout.flush()

    run(Engine(), Settings(host=host, port=port, workers=workers), started)


cli_records.register(app)
cli_show.register(app)
cli_legal.register(app)
cli_options.register(app)


# ---------------------------------------------------------------------------------------------------------------------------
# Arguments

Judge = Callable[[Path, Callable[[int, int], None] | None], Mapping[str, Any]]


def _options(options: Sequence[str] | None) -> frozenset[str]:
    return frozenset(name.strip() for text in options or () for name in text.split(",") if name.strip())


def _judge(
    function: Callable[..., Any],
    game: str | None,
    scenario: str | None,
    options: Sequence[str] | None,
    module: Path | None,
    mapping: Path | None,
    overlay: Path | None,
    **more: str,
) -> Judge:
    _must_exist([path for path in (module, mapping, overlay) if path])
    chosen = _options(options)

    def judge(path: Path, progress: Callable[[int, int], None] | None) -> Mapping[str, Any]:
        document = function(
            path,
            path.as_posix(),
            game=game,
            scenario=scenario,
            options=chosen,
            module=module,
            mapping=mapping,
            overlay=overlay,
            progress=progress,
            **more,
        )
        result: Mapping[str, Any] = document.as_json()
        return result

    return judge


def _must_exist(paths: Sequence[Path]) -> None:
    for path in paths:
        if not path.exists():
            raise _Usage(f"{path}: no such file or folder")


def _run(judge: Judge, files: Sequence[Path]) -> tuple[dict[str, Any], list[Exception]]:
    """(the document of all that could be read, what could not be); a file that is no log keeps none of the others from being judged."""
    from modgen.formats.errors import FormatError

    _must_exist(files)
    documents: list[Mapping[str, Any]] = []
    errors: list[Exception] = []
    for path in files:
        try:
            with _progress(path.name) as progress:
                documents.append(judge(path, progress))
        except FormatError as error:
            errors.append(error)
    if not documents:
        raise _Unreadable(errors)
    merged = merge(documents)
    return {**merged, "notes": [*merged["notes"], *(f"not judged: {error}" for error in errors)]}, errors


# ---------------------------------------------------------------------------------------------------------------------------
# Output

_TABLE = 140
"""Columns that a table of findings needs to be read; narrower terminals get a line a finding."""
STYLES = {"legal": "green", "illegal": "bold red", "doubtful": "yellow", "unclear": "cyan"}


@contextmanager
def _progress(label: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on standard error while the block runs; None where standard error is no terminal."""
    with progress_bar(label) as bar:
        yield (lambda done, of: bar(completed=done, total=of)) if bar else None


def _report(document: Mapping[str, Any], errors: Sequence[Exception], *, as_json: bool, findings: bool) -> None:
    if as_json:
        print_json(document)
    elif sys.stdout.isatty() and get_terminal_size().columns >= _TABLE:
        _print_rich(document, findings)
    else:
        _print_plain(document, findings)
    if errors:
        raise _Unreadable(errors)
    raise typer.Exit(1 if document["summary"]["illegal"] else 0)


def rests_on(action: Mapping[str, Any]) -> str:
    """The basis of one action as a short text."""
    return "; ".join(f"{basis['name']} ({basis['source']})" if basis.get("source") else str(basis["name"]) for basis in action["basis"])


def count_line(summary: Mapping[str, int]) -> str:
    """``12 legal, 1 illegal, 0 doubtful, 0 unclear``."""
    return ", ".join(f"{summary[verdict]} {verdict}" for verdict in STYLES)


def what(action: Mapping[str, Any]) -> str:
    """The action in notation, or what can be told of it."""
    parts = [action["side"], action["kind"], ",".join(action["pieces"])]
    parts += [f"@ {action['from']}"] if action["from"] else []
    parts += [f"> {action['to']}"] if action["to"] else []
    return str(action["notation"] or " ".join(part for part in parts if part))


def why(action: Mapping[str, Any]) -> str:
    """The sentence without its full stop and the citations at its end: the rules stand beside it."""
    return re.sub(r" \[[^\[\]]*\]$", "", str(action["message"])).rstrip(".")


def _shown(file: Mapping[str, Any], findings: bool) -> list[Mapping[str, Any]]:
    return [action for action in file["actions"] if not findings or action["verdict"] != "legal"]


def _print_plain(document: Mapping[str, Any], findings: bool) -> None:
    for file in document["files"]:
        typer.echo(f"{file['path']}: {file['game']}, {file['scenario']}")
        for action in _shown(file, findings):
            place = f"step {action['step']}  turn {action['turn']}  {action['phase']}"
            line = f"  {place}  {what(action)}: {action['verdict']}"
            line += f" [{', '.join(action['rules'])}]" if action["rules"] else ""
            line += f" {why(action)}" if action["message"] else ""
            line += f"; rests on {rests_on(action)}" if action["basis"] else ""
            typer.echo(line)
            if action.get("instead"):
                typer.echo(f"      instead: {action['instead']}")
        for note in file["notes"]:
            typer.echo(f"  note: {note}")
        if len(document["files"]) > 1:
            typer.echo(f"  {count_line(file['summary'])}")
    for note in document["notes"]:
        typer.echo(f"note: {note}")
    typer.echo(count_line(document["summary"]))


def _print_rich(document: Mapping[str, Any], findings: bool) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    for file in document["files"]:
        table = Table(title=Text(f"{file['path']}: {file['game']}, {file['scenario']}"), title_justify="left", expand=False)
        table.add_column("step", justify="right")
        table.add_column("turn", justify="right")
        for name in ("phase", "action", "verdict", "rules", "rests on", "why"):
            table.add_column(name, overflow="fold")
        for action in _shown(file, findings):
            verdict = Text(str(action["verdict"]), style=STYLES[action["verdict"]])
            cells = [str(action["step"]), str(action["turn"]), action["phase"], what(action)]
            told = "\n".join(x for x in (why(action), f"Instead: {action['instead']}" if action.get("instead") else "") if x)
            rest = [", ".join(action["rules"]), rests_on(action), told]
            table.add_row(*map(Text, cells), verdict, *map(Text, rest))
        console.print(table)
        for note in file["notes"]:
            console.print(Text(f"note: {note}", style="dim"))
    for note in document["notes"]:
        console.print(Text(f"note: {note}", style="dim"))
    counts = [(count, verdict, style) for verdict, style in STYLES.items() for count in (document["summary"][verdict],)]
    console.print(Text(", ").join(Text(f"{count} {verdict}", style=style if count else "dim") for count, verdict, style in counts))


# ---------------------------------------------------------------------------------------------------------------------------
# Errors


class _Usage(Exception):
    """Bad input that only the command line sees."""


class _Unreadable(_Usage):
    """Files of a batch that are no logs, a line each."""

    def __init__(self, errors: Sequence[Exception]) -> None:
        super().__init__("\n".join(str(error) for error in errors))


def _known(error: Exception) -> Sequence[str] | None:
    from modgen.formats.errors import FormatError
    from referee.rules.model import NotationError
    from referee.rules.options import UsageError
    from referee.table.adopt import MappingErrors

    # BadRequest is of the service, which is not imported for its sake.
    known = isinstance(error, _Usage | FormatError | NotationError | UsageError | MappingErrors) or type(error).__name__ == "BadRequest"
    return str(error).splitlines() if known else None


def main() -> None:
    """The entry point of the console script."""
    command_line.run(app, "referee", _known)


if __name__ == "__main__":
    main()
