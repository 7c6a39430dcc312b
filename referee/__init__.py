"""The referee: a rulebook per game, rulings on actions, audits of what clients export.

``load`` is the way in; everything heavy (network, drawing, client formats) is imported by the parts that use it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from gamebox.model import Box
from referee.rules.book import Book

__all__ = ["Book", "load"]


def load(
    game: str,
    scenario: str = "",
    options: Iterable[str] = (),
    *,
    overlay: Path | Mapping[str, str] | None = None,
    box: Box | None = None,
    lenient: bool = False,
    rules: int | None = None,
) -> Book[Any]:
    """The compiled rulebook of a game.

    ``scenario`` empty = the game's first one. ``overlay``: a folder, a zip, or file name -> text as a record embeds it. ``rules``:
    an older rules version; None = the newest. Raises UsageError for a game, scenario or option that there is not (UnknownRules
    for a rules version), and ``gamebox.load.BoxErrors`` for a broken box.
    """
    from gamebox.load import games, load_box
    from referee.rules.options import UsageError

    if box is None:
        if game not in games():
            raise UsageError(f"there is no game {game!r}; there are: {', '.join(games())}")
        box = load_box(game, overlay)
    try:
        package = import_module(f"referee.games.{game.replace('-', '_')}.game")
    except ModuleNotFoundError as e:
        raise UsageError(f"the rules of {game!r} are not in this referee") from e
    chosen = scenario or next(iter(box["scenarios"])).key
    if chosen not in box["scenarios"].by_key:
        raise UsageError(f"scenario {chosen!r} does not exist; there are: {', '.join(row.key for row in box['scenarios'])}")
    made: Book[Any] = package.book(box, chosen, frozenset(options), lenient=lenient, rules=rules)
    made.overlay = box.overlay
    return made
