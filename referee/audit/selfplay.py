"""The referee against itself: whole games by players that play lawfully, and tries that nobody would play, counted by paragraph.

Every action played is held to: it is ruled legal, its notation reads back, and no invariant of the game is broken after it. Every
game is written as a record, read back and replayed to the same position. Now and then the whole list of legal actions is checked, and
a lawful try must stand in it. Anything else is a *problem*: a fault of the referee, never of a player.

For the table, a paragraph has *allowed* a legal action when a check that cites it looked at the action and bit (the game's own
``examiner`` says when), and *refused* a try when one check alone stands against it: left out, the try is legal.

A game offers its players as ``referee.games.<id>.players``; see ``Players``. Same seed, same games, whatever the number of processes.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

import msgspec

import referee
from gamebox.load import load_box
from gamebox.model import Box
from gamebox.model import Row as Row_
from gamebox.workers import workers
from modgen.formats.errors import FormatError
from modgen.formats.vassal.archive import write_file
from referee.rules.book import Book
from referee.rules.model import CHANCE, Action
from referee.rules.notation import core_action
from referee.rules.options import UsageError
from referee.rules.position_text import parse_position, position_text
from referee.rules.record import RecordError, header_of, read_record, record_of, replay

ENOUGH = 20
"""How often each paragraph that can refuse should have allowed and refused in a full run."""
FULL_RUN = 200
"""Games in a full run."""
_OPTION = 0.4
"""How likely each option is to be drawn."""
LIST_EVERY = 150
"""Actions between two looks at the whole list of legal actions."""
TOO_LONG = 50_000
"""Actions after which a game is given up as endless."""

Progress = Callable[[int, int], None]


class Players(Protocol):
    """What a game's module ``players`` offers."""

    LAID_OUT: Mapping[str, str]
    """The plans whose games begin with a position laid out by hand, and what it shows."""

    def plans(self, book: Book[Any]) -> Sequence[str]:
        """What players may be after; game number i plays plan i modulo their number."""
        ...

    def opening(self, book: Book[Any], dice: random.Random, plan: str) -> Any:
        """The first position of a game."""
        ...

    def stretch(self, book: Book[Any], p: Any) -> str:
        """The phase that a position is in, as the comments of a record name it."""
        ...

    def choose(self, book: Book[Any], p: Any, dice: random.Random, plan: str) -> Action:
        """A legal action of whoever has to act; rolls too."""
        ...

    def probes(self, book: Book[Any], p: Any, dice: random.Random, plan: str) -> Iterator[Action]:
        """Tries around the position, most of them unlawful; they are checked, never played."""
        ...

    def examiner(self, book: Book[Any]) -> Callable[[Any, Action], Iterable[str]]:
        """(position, legal action) -> the paragraphs whose checks looked at it and bit."""
        ...

    def listed(self, a: Action) -> bool:
        """Whether the action, if it is legal, stands in ``book.legal`` just so."""
        ...


class Played(msgspec.Struct, frozen=True):
    """One game."""

    number: int
    plan: str
    options: tuple[str, ...]
    actions: int
    tries: int
    result: str
    allowed: dict[str, int]
    refused: dict[str, int]
    checks: dict[str, int]
    """Check -> how often it stood alone against a try."""
    problems: tuple[str, ...]


class Row(msgspec.Struct, frozen=True):
    """One paragraph in the table; the last two count the part that comes from laid-out positions."""

    paragraph: str
    title: str
    role: str
    allowed: int
    refused: int
    allowed_laid_out: int
    refused_laid_out: int

    @property
    def weak(self) -> bool:
        """It can refuse, and a full run should have met it oftener."""
        return self.role == "refuses" and min(self.allowed, self.refused) < ENOUGH


class SelfplayReport(msgspec.Struct, frozen=True):
    """All games of one run."""

    game: str
    scenario: str
    options: tuple[str, ...]
    any_options: bool
    """Each game drew its own further options."""
    seed: int
    played: tuple[Played, ...]
    laid_out: dict[str, str]
    rows: tuple[Row, ...]

    @property
    def actions(self) -> int:
        """Actions played."""
        return sum(p.actions for p in self.played)

    @property
    def problems(self) -> tuple[str, ...]:
        """Everything that should not be; empty when all was well."""
        return tuple(problem for p in self.played for problem in p.problems)

    def as_json(self) -> dict[str, Any]:
        """The report as JSON values."""
        return {
            "game": self.game,
            "scenario": self.scenario,
            "options": list(self.options),
            "any_options": [list(p.options) for p in self.played] if self.any_options else None,
            "seed": self.seed,
            "games": len(self.played),
            "actions": self.actions,
            "tries": sum(p.tries for p in self.played),
            "plans": {plan: [p.result for p in self.played if p.plan == plan] for plan in self.plans()},
            "laid_out": self.laid_out,
            "checks": self.checks(),
            "paragraphs": [msgspec.to_builtins(row) for row in self.rows],
            "problems": list(self.problems),
        }

    def plans(self) -> tuple[str, ...]:
        """The plans played, in order."""
        return tuple(dict.fromkeys(p.plan for p in self.played))

    def checks(self) -> dict[str, int]:
        """Check -> how often it stood alone against a try."""
        found: Counter[str] = Counter()
        for p in self.played:
            found.update(p.checks)
        return dict(sorted(found.items()))

    def lines(self) -> Iterator[str]:
        """The report for people: plans, then the table of paragraphs, then problems."""
        tries = sum(p.tries for p in self.played)
        options = f"options {', '.join(self.options)}" if self.options else "no options"
        if self.any_options:
            options = f"options drawn for each game ({len({p.options for p in self.played})} sets)"
        yield f"{self.game}, {self.scenario}, {options}: {len(self.played)} games from seed {self.seed}"
        yield f"{self.actions} actions played and ruled legal, {tries} tries ruled on, {len(self.problems)} problems"
        yield f"{len(self.checks())} kinds of checks stood alone against a try"
        yield ""
        for plan in self.plans():
            games = [p for p in self.played if p.plan == plan]
            begins = f"laid out: {self.laid_out[plan]}" if plan in self.laid_out else "from the set-up"
            yield f"  {plan:<12}{len(games):>5} games {sum(p.actions for p in games):>8} actions  {begins}"
        yield ""
        yield f"{'paragraph':<12}{'allowed':>9}{'refused':>9}{'laid out':>16}  title"
        for row in self.rows:
            laid = f"{row.allowed_laid_out}/{row.refused_laid_out}" if row.allowed_laid_out or row.refused_laid_out else "-"
            mark = "  (below)" if row.weak and len(self.played) >= FULL_RUN else ""
            yield f"{row.paragraph:<12}{row.allowed:>9}{row.refused:>9}{laid:>16}  {row.title}{mark}"
        able = [row for row in self.rows if row.role == "refuses"]
        weak = [row.paragraph for row in able if row.weak]
        yield ""
        yield f"{len(able) - len(weak)} of {len(able)} paragraphs that can refuse have allowed and refused at least {ENOUGH} times each"
        if weak:
            yield f"below that: {', '.join(weak)}"
        for problem in self.problems:
            yield f"problem: {problem}"


def players_of(book: Book[Any]) -> Players:
    """The game's players.

    Raises UsageError for a game whose package has none.
    """
    name = f"referee.games.{book.game.id.replace('-', '_')}.players"
    try:
        module: Any = import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise
        raise UsageError(f"the referee has no players for {book.game.id!r}") from error
    players: Players = module
    return players


def selfplay(
    game: str,
    *,
    games: int = 1,
    seed: int = 1,
    scenario: str | None = None,
    options: Iterable[str] = (),
    record: Path | None = None,
    progress: Progress | None = None,
    processes: int = 2,
    plans: Sequence[str] = (),
    overlay: Path | None = None,
    any_options: bool = False,
) -> SelfplayReport:
    """Plays ``games`` games from ``seed``, by all plans in turn or by ``plans`` only; with ``any_options`` each under options drawn
    from those that the scenario may have, besides the ones given.

    ``record``: a folder, made if need be, for one record a game. ``overlay``: a folder or zip laid over the game's data; the records
    embed it. Raises BoxErrors for data or an overlay that is broken, UsageError for a game, scenario, option or plan that there
    is not, and OSError or FormatError when a record cannot be written.
    """
    chosen = tuple(sorted(options))
    table = _Table(game, scenario or "", chosen, seed, tuple(plans), record, overlay, any_options)
    if record is not None:
        record.mkdir(parents=True, exist_ok=True)
    numbers = range(games)
    played: list[Played] = []
    if processes < 2 or games < 2:
        for number in numbers:
            played.append(table.play(number))
            if progress:
                progress(len(played), games)
    else:
        seated = (game, scenario or "", chosen, seed, tuple(plans), record, overlay, any_options)
        # No copy of our threads (a progress bar runs in one).
        with workers(min(processes, games), start="spawn", begin=_sit_down, arguments=seated) as pool:
            for one in pool.map(_play, numbers):
                played.append(one)
                if progress:
                    progress(len(played), games)
    return _report(table, played)


def _report(table: _Table, played: Sequence[Played]) -> SelfplayReport:
    laid_out = {plan: shows for plan, shows in table.players.LAID_OUT.items() if any(p.plan == plan for p in played)}
    allowed, refused, allowed_laid, refused_laid = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for one in played:
        allowed.update(one.allowed)
        refused.update(one.refused)
        if one.plan in laid_out:
            allowed_laid.update(one.allowed)
            refused_laid.update(one.refused)
    box = load_box(table.game)
    rows = tuple(
        Row(r.key, r.text("title"), r.text("role"), allowed[r.key], refused[r.key], allowed_laid[r.key], refused_laid[r.key])
        for r in box["rules"]
        if refused[r.key] or (r.text("role") == "refuses" and _in_force(box, r, played, table.book.game.scenario))
    )
    game = table.book.game
    options = tuple(sorted(game.options))
    return SelfplayReport(game.id, game.scenario, options, table.any_options, table.seed, tuple(played), laid_out, rows)


def _in_force(box: Box, row: Row_, played: Sequence[Played], scenario: str) -> bool:
    """The paragraph belongs to the scenario, and to an option only if one of the games had it."""
    chosen = {name for one in played for name in one.options}
    here = bool({"all", scenario} & {*row.items("scenarios")})
    return here and (row.text("kind") != "option" or bool(chosen & {*options_of(box, row)}))


def options_of(box: Box, row: Row_) -> tuple[str, ...]:
    """The options that a paragraph of the rules index belongs to, by its number, its section, or the sections of its rulings."""
    keys = [option.key for option in box["options"]]
    named = [key for key in keys if row.key == key or row.key.startswith(f"{key}.") or row.text("section") == key]
    if not named:
        sections = [s for name in row.items("rulings") for s in box["rulings"][name].items("sections")]
        named = [key for key in keys if key in sections or key.split("/")[0] == row.text("section")]
    return tuple(named)


class _Table:
    """Where games are played: one a process."""

    def __init__(
        self,
        game: str,
        scenario: str,
        options: tuple[str, ...],
        seed: int,
        plans: tuple[str, ...],
        record: Path | None,
        overlay: Path | None,
        any_options: bool,
    ) -> None:
        self.game = game
        self.scenario = scenario
        self.options = options
        self.overlay = overlay
        self.any_options = any_options
        self.seed = seed
        self.record = record
        self.book: Book[Any] = referee.load(game, scenario, options, overlay=overlay)
        self.players = players_of(self.book)
        able = tuple(self.players.plans(self.book))
        self.plans = plans or able
        for plan in self.plans:
            if plan not in able:
                raise UsageError(f"nobody plays {plan!r} here; there are: {', '.join(dict.fromkeys(able))}")

    def book_for(self, number: int) -> Book[Any]:
        """The book of one game: the run's, or one with options of the game's own."""
        if not self.any_options:
            return self.book
        dice = random.Random(f"{self.seed}/{number}/options")
        scenario = self.book.game.scenario
        able = [row.key for row in load_box(self.game, self.overlay)["options"] if scenario in row.items("scenarios")]
        while True:
            drawn = {*self.options, *(name for name in able if dice.random() < _OPTION)}
            try:
                return referee.load(self.game, self.scenario, tuple(sorted(drawn)), overlay=self.overlay)
            except UsageError:  # they do not go together: draw again
                continue

    def play(self, number: int) -> Played:
        """One game: its dice are its own, and its tries have dice apart, so that more tries change no game."""
        game = _Game(self, number, self.plans[number % len(self.plans)], self.book_for(number))
        try:
            game.play()
        except (OSError, FormatError):
            raise
        except Exception as error:
            game.problem(f"{type(error).__name__}: {error}")
        allowed, refused, checks = (dict(sorted(counter.items())) for counter in (game.allowed, game.refused, game.checks))
        options = tuple(sorted(game.book.game.options))
        return Played(number, game.plan, options, len(game.lines), game.tries, game.result, allowed, refused, checks, tuple(game.problems))


class _Game:
    """One game being played."""

    def __init__(self, table: _Table, number: int, plan: str, book: Book[Any]) -> None:
        self.table = table
        self.book = book
        self.examined = table.players.examiner(book)
        self.number = number
        self.plan = plan
        self.seed = f"{table.seed}/{number}"
        self.dice = random.Random(f"{self.seed}/{plan}")
        self.tried = random.Random(f"{self.seed}/{plan}/tries")
        self.lines: list[str] = []
        self.marks: dict[int, str] = {}
        self.allowed: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.checks: Counter[str] = Counter()
        self.tries = 0
        self.result = ""
        self.problems: list[str] = []

    def problem(self, text: str) -> None:
        last = f" after {self.lines[-1]!r}" if self.lines else ""
        self.problems.append(f"game {self.number + 1} ({self.plan}, seed {self.seed}), action {len(self.lines)}{last}: {text}")

    def play(self) -> None:
        book, players = self.book, self.table.players
        first = players.opening(book, self.dice, self.plan)
        p = first
        stretch = None
        while not book.over(p) and not self.problems:
            if len(self.lines) >= TOO_LONG:
                self.problem("the game does not end")
                return
            if (now := (p.turn, p.phase, players.stretch(book, p))) != stretch:
                stretch = now
                self.marks[len(self.lines)] = f"# turn {p.turn}: {stretch[-1]}"
            self.probe(p)
            action = players.choose(book, p, self.dice, self.plan)
            p = self.step(p, action)
        if not self.problems:
            self.probe(p)
            self.result = str(getattr(p, "result", ""))
            self.keep(first, p)

    def step(self, p: Any, action: Action) -> Any:
        """Plays one action and holds what must hold."""
        book = self.book
        text = str(action)
        if book.parse(text) != action:
            self.problem(f"{text!r} does not read back as it was written")
        ruling = book.check(p, action)
        if not ruling.legal:
            self.problem(f"{text!r} is played and ruled {ruling.verdict}: {'; '.join(book.sentence(r) for r in ruling.reasons)}")
            return p
        self.allowed.update(self.examined(p, action))
        if len(self.lines) % LIST_EVERY == 0:
            self.hold_list(p)
        q = book.play(p, action)
        self.lines.append(text)
        for broken in book.broken(q):
            self.problem(broken)
        return q

    def hold_list(self, p: Any) -> None:
        """Everything that is listed as legal is ruled so, and the position reads back."""
        book = self.book
        for action in islice(book.legal(p), 300):
            if not (ruling := book.check(p, action)).legal:
                self.problem(f"{str(action)!r} is listed as legal and ruled {ruling.verdict}: {book.sentence(ruling.reasons[0])}")
        if parse_position(book, position_text(book, p)) != p:
            self.problem("the position does not read back as it was written")

    def probe(self, p: Any) -> None:
        """Tries what nobody would play, and counts whose check alone refuses it."""
        book, tried = self.book, self.tried
        for action in self.table.players.probes(book, p, tried, self.plan):
            self.tries += 1
            ruling = book.check(p, action, every=True)
            codes = {reason.code for reason in ruling.reasons}
            if len(codes) == 1:  # so leaving that check out makes it legal (``book.check`` without it)
                self.checks.update(codes)
                self.refused.update({para for reason in ruling.reasons for para in reason.paragraphs})
            elif ruling.legal and self.table.players.listed(action) and tried.random() < 0.1 and action not in set(book.legal(p)):
                self.problem(f"{str(action)!r} is ruled legal and not listed")
            if ruling.legal and core_action(str(action)) is None and action.by == CHANCE:
                self.problem(f"{str(action)!r} is ruled legal, and chance only rolls")

    def keep(self, first: Any, last: Any) -> None:
        """The game as a record: read back, replayed to the same position, written where it was asked for."""
        book = self.book
        start = "" if self.plan not in self.table.players.LAID_OUT else position_text(book, first)
        marked = (line for n, text in enumerate(self.lines) for line in (*((self.marks[n],) if n in self.marks else ()), text))
        text = str(record_of(book, header_of(book, seed=self.seed, notes=(f"plan {self.plan}",)), marked, last, start=start))
        name = f"{book.game.id}-{self.table.seed}-{self.number + 1:04}.record"
        read = read_record(text, name)
        if str(read) != text:
            self.problem("the record does not read back as it was written")
        try:
            replay(book, read)
        except RecordError as error:
            self.problem(str(error))
        if self.table.record is not None:
            write_file(self.table.record / name, text.encode("utf-8"))


_seat: _Table | None = None


def _sit_down(*arguments: Any) -> None:
    """In a new process: its own book, once."""
    global _seat  # noqa: PLW0603 - one table a process, made before its first game
    _seat = _Table(*arguments)


def _play(number: int) -> Played:
    assert _seat is not None
    return _seat.play(number)
