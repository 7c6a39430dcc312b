"""Games of every scenario and option, played by the engine and written as logs on our own module; not genuine logs."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

import referee
from gamebox.load import load_box
from gamebox.model import Box
from modgen.formats.vassal.newgame import predefined
from modgen.formats.vassal.saves import LogFile, write_log
from referee.audit.run import audit_file
from referee.games.battle_for_germany.actions import Attack, Join, Target
from referee.games.battle_for_germany.players import choose
from referee.rules.model import Action, Done
from referee.table.vassal import module_at
from referee.table.writing import TableWriter, write_game

GAME = "battle-for-germany"
SEATS = {
    "soviet": "Soviet",
    "east-german": "East German",
    "west-german": "West German",
    "german": "German",
    "western-allied": "Western Allied",
}


@cache
def engine_box() -> Box:
    return load_box(GAME)


@cache
def book_of(scenario: str, options: tuple[str, ...] = ()) -> Any:
    return referee.load(GAME, scenario, frozenset(options), box=engine_box())


def joined(actions: Iterable[Action]) -> list[Action]:
    """The declarations of each attack in one line, as players announce them."""
    found: list[Action] = []
    targets: list[str] = []
    units: list[str] = []
    for a in actions:
        if isinstance(a, Target):
            targets.append(a.to)
        elif isinstance(a, Join):
            units.append(a.unit)
        elif isinstance(a, Done) and targets:
            found.append(Attack(a.by, tuple(sorted(units)), tuple(sorted(targets))))
            targets, units = [], []
        else:
            found.append(a)
    return found


def lawful(book: Any, seed: int, plan: str, turns: int) -> list[Action]:
    """The actions of the first ``turns`` turns of a random lawful game."""
    dice = random.Random(f"log-{seed}")
    p = book.start()
    last = p.turn + turns - 1
    actions: list[Action] = []
    while not book.over(p) and p.turn <= last:
        a = choose(book, p, dice, plan)
        if not book.check(p, a).legal:
            break
        actions.append(a)
        p = book.play(p, a)
    return joined(actions)


@cache
def played(scenario: str, options: tuple[str, ...], seed: int, plan: str, turns: int) -> tuple[Action, ...]:
    return tuple(lawful(book_of(scenario, options), seed, plan, turns))


SETUPS = {
    "historical": "historical.vsav",
    "expanded": "expanded.vsav",
    "collapse": "collapse.vsav",
    "rsws": "red-star-white-star.vsav",
    "three_player": "three-player.vsav",
    "four_player": "four-player.vsav",
}


def phases(book: Any) -> list[str]:
    """The phases of a scenario with its options, as the module's tracker calls them."""
    return [phase.name for phase in book.game.setting.terms.phases]


def sides(book: Any) -> list[tuple[str, str]]:
    """The players of a scenario, each in a seat of his own."""
    return [(player, SEATS[player]) for player in book.game.players]


def written(book: Any, actions: Iterable[Action], module: Path, style: str) -> LogFile:
    return write_game(
        book, engine_box(), actions, module, setup=SETUPS[book.game.scenario], style=style, sides=sides(book), phases=phases(book)
    )


def audited(book: Any, log: LogFile, module: Path, folder: Path) -> dict[str, Any]:
    """The audit of a log of one scenario with its options."""
    path = folder / "game.vlog"
    write_log(path, log)
    options = frozenset(book.game.options)
    document = audit_file(path, "game", game=GAME, scenario=book.game.scenario, options=options, module=module).as_json()
    file: dict[str, Any] = document["files"][0]
    return file


def acted(book: Any, places: dict[str, str], lines: Iterable[str], clock: tuple[int, str, str], **fields: Any) -> tuple[Any, list[Action]]:
    """(a position laid out by hand at the start of a phase, the actions from there); ``clock``: turn, force, kind of phase."""
    turn, force, kind = clock
    p = book.game.arranged(places, turn=turn, force=force, kind=kind)
    return msgspec.structs.replace(p, **fields), [book.parse(line) for line in lines]


def judged(book: Any, position: Any, actions: Iterable[Action], built: Path, folder: Path, style: str) -> list[dict[str, Any]]:
    """What the audit finds in a log that begins with a position."""
    log = write_game(
        book,
        engine_box(),
        actions,
        built,
        setup=SETUPS[book.game.scenario],
        style=style,
        sides=sides(book),
        position=position,
        phases=phases(book),
    )
    found: list[dict[str, Any]] = audited(book, log, built, folder)["actions"]
    return found


def writer_for(book: Any, module: Path, style: str) -> TableWriter:
    """A writer at the start of a game, for logs that hold more than a list of actions."""
    found = TableWriter(
        book, engine_box(), module_at(module), predefined(module, SETUPS[book.game.scenario]), style=style, phases=phases(book)
    )
    found.sit(sides(book))
    return found
