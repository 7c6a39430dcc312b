"""The commands of ``referee`` that are about records. Arguments and output only."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from gamebox.command_line import print_json, progress_bar, tell

Records = Annotated[list[Path], typer.Argument(metavar="FILE...", readable=False, help="Records of games (.record).")]
AsDocument = Annotated[bool, typer.Option("--json", help="Print the findings as data (docs/schema/verify-1.json).")]


def register(app: typer.Typer) -> None:
    """Gives the app its commands."""
    app.command()(verify)


def verify(files: Records, as_json: AsDocument = False) -> None:
    """Says of records whether they are whole and every action in them was legal. Exit code 1 if one is not."""
    from gamebox.load import BoxErrors
    from referee.audit.verify import Books, Verified, document, verify_file
    from referee.rules.record import RecordError

    books = Books()
    done: list[Verified] = []
    unreadable: list[tuple[str, str]] = []
    for path in files:
        name = path.as_posix()
        try:
            with progress_bar(path.name) as update:
                progress = None if update is None else lambda at, of, update=update: update(completed=at, total=of)
                one = verify_file(path, name, books=books, progress=progress)
        except RecordError as error:
            unreadable.append((name, str(error)))
        except OSError as error:
            unreadable.append((name, f"{name}: {(error.strerror or str(error)).lower()}"))
        except BoxErrors:
            raise  # the referee's own data: no record can be verified
        except Exception as error:
            if os.environ.get("REFEREE_DEBUG"):
                raise
            unreadable.append((name, f"{name}: internal error ({type(error).__name__}: {error}); REFEREE_DEBUG=1 shows where"))
        else:
            done.append(one)
            if not as_json:
                for line in one.lines():
                    typer.echo(line)
    found = document(done, unreadable)
    if as_json:
        print_json(found)
    elif len(files) > 1:
        typer.echo(", ".join(f"{number} {what}" for what, number in found["summary"].items()))
    tell("referee", [message for _, message in unreadable])
    raise typer.Exit(2 if unreadable else 1 if found["summary"]["failed"] else 0)
