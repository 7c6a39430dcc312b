"""Random lawful games, logged sloppily: nothing in them may be accused, whatever the players write and however they fumble.

The games are those of the benchmarks; only the logging differs. ``HABITS`` names the ways of logging.
"""

from __future__ import annotations

import random
from typing import Any

from bench.logs import PLAYER, _Writer
from modgen.formats.vassal import commands
from modgen.formats.vassal.steps import Step
from referee.rules.model import Action

HABITS = ("tidy", "mute", "fun", "putback", "styles", "late", "batch", "lower", "typo", "sum", "odds")
FORMS = ("{u} on {t}", "{u} -> {t}", "{t}: {u}", "{u} attack {t}", "{u} gegen {t}", "{u} x {t}", "atak {u} na {t}", "{u} vs {t}")
TYPOS = ("atacks", "attakc", "attcks", "angrif auf", "atakuje", "ataque")


class Sloppy(_Writer):
    """Writes a random lawful game with one habit."""

    def __init__(self, habit: str, seed: int) -> None:
        super().__init__(4)
        self.habit, self.whim = habit, random.Random(seed)
        self.pending = ""
        self.since: int | None = None
        self.announced: list[str] = []

    def _log(self, before: Any, action: Action, after: Any) -> None:
        words, whim = str(action).split(), self.whim
        if self.habit == "fun" and whim.random() < 0.1 and before.frame.step in ("combat", "movement"):
            self._say(whim.choice(("lucky roll?", "just for fun", "lol", "wer ist dran?")))
            self._step(commands.Chat(f"*** d6 = {whim.randrange(1, 7)} *** <{PLAYER.name}>"))
        if self.habit == "putback" and words[1] == "move" and whim.random() < 0.3:
            self._move(words[2], words[6])
            self._say("ups")
            self._move(words[2], words[4])
        super()._log(before, action, after)

    def _announce(self, attackers: list[str], targets: list[str]) -> None:
        whim, both = self.whim, " and ".join(targets)
        names = [self.pieces[unit].name for unit in attackers]
        short = [name.rsplit(" ", 1)[0].replace(" Krps", "").replace(" Front", "") for name in names]
        match self.habit:
            case "mute":
                return
            case "styles":
                between = whim.choice((" + ", ", ", "/", " & ", " und ", " i "))
                self._say(whim.choice(FORMS).format(u=between.join(short), t=whim.choice((" and ", "+", " & ")).join(targets)))
            case "late":
                self.pending = f"{' + '.join(names)} attack {both}"
            case "batch":
                self.announced.append(f"{' + '.join(short)} on {both}")
                self._say(whim.choice(("next", "ok", f"now {targets[0]}", "first one" if len(self.announced) == 1 else "next one")))
            case "lower":
                glued = "".join(whim.choice("+/,") + name.replace(" ", "") for name in short)[1:]
                self._say(f"{glued} {whim.choice(('@', 'on', '->', 'na'))} {'+'.join(targets)}".lower())
            case "typo":
                self._say(f"{' + '.join(short)} {whim.choice(TYPOS)} {both}")
            case "sum":
                self._say(f"{both}, {sum(int(name.rsplit(' ', 1)[1].split('-')[0]) for name in names)} against them")
            case "odds":
                self._say(both)
            case _:
                super()._announce(attackers, targets)

    def _step(self, *made: commands.Command) -> None:
        super()._step(*made)
        if self.pending and isinstance(made[0], commands.Chat) and "d6 =" in made[0].text:
            said, self.pending = self.pending, ""
            self._say(f"that was {said}")

    def _turn_to(self, position: Any) -> None:
        self._list_ahead()
        super()._turn_to(position)
        self.since, self.announced = len(self.steps), []

    def _list_ahead(self) -> None:
        """What was announced in the phase stands in one line at its beginning."""
        if self.habit != "batch" or self.since is None or len(self.announced) < 2:
            return
        between = self.whim.choice(("; ", ", then ", " | ", " and then "))
        line = commands.Chat(f"&lt;{PLAYER.name}&gt; - attacks: {between.join(self.announced)}")
        steps = [*self.steps[: self.since], Step(0, ((0, f"LOG\t{line}"),)), *self.steps[self.since :]]
        self.steps = [Step(number, step.tokens) for number, step in enumerate(steps, 1)]


def sloppy(habit: str, plan: str, seed: int, phases: int) -> bytes:
    """The log of a lawful game, written with this habit."""
    return Sloppy(habit, seed).write(phases, plan, seed).data
