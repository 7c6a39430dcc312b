"""The text of a savedGame cut into positions and steps, in one pass over its commands.

Between two separators stands a chunk: a command and, as backslashes at its end, the depth of the next one. The last chunk of a text has
no next one: backslashes at its end are its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, final

from modgen.formats.vassal import commands as cmd

_LOG: Final = "LOG\t"
_BEGIN: Final = "begin_save"


@final
class Step:
    """One step of a log, numbered from 1."""

    __slots__ = ("_chunks", "_commands", "_everyday", "_tokens", "number")

    def __init__(self, number: int, tokens: tuple[tuple[int, str], ...] | None, chunks: Sequence[str] = ()) -> None:
        """``tokens`` as below; None where the step's ``chunks`` are given in their place."""
        self.number = number
        self._tokens = tokens
        self._chunks = chunks
        self._commands: tuple[cmd.Command, ...] | None = None
        self._everyday = True

    @property
    def tokens(self) -> tuple[tuple[int, str], ...]:
        """(depth, text) as in the file, the first one at depth 0."""
        if self._tokens is None:
            self._tokens = tuple(tokens_of(self._chunks))
        return self._tokens

    @property
    def commands(self) -> tuple[cmd.Command, ...]:
        """The commands of the step in order, at any depth, without their LOG. Broken ones are ``Unknown``."""
        commands = self._commands
        if commands is None:
            made: list[cmd.Command] = []
            for text in cmd.bare(self._chunks) if self._tokens is None else [text for _, text in self._tokens]:
                command = cmd.parse_everyday(text)
                if command is None:
                    self._everyday = False
                    command = cmd.parse_command(text.removeprefix("LOG\t"))
                made.append(command)
            self._commands = commands = tuple(made)
        return commands

    @property
    def everyday(self) -> bool:
        """Whether it holds nothing but ``null``, chat, and changed and moved pieces, as most do."""
        return self._everyday if self._commands is not None else bool(self.commands) and self._everyday

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Step) and (self.number, self.tokens) == (other.number, other.tokens)

    def __hash__(self) -> int:
        return hash((self.number, self.tokens))

    def __repr__(self) -> str:
        return f"Step({self.number}, {self.tokens})"


@final
class Part:
    """A position that a text loads, and what was done from it on."""

    __slots__ = ("before", "start", "steps", "stray")

    def __init__(self, before: int) -> None:
        self.before = before
        """Steps of the text before this part."""
        self.start: list[str] = []
        """The chunks of the position."""
        self.steps: list[Step] = []
        self.stray: list[str] = []
        """The commands after the position that belong to no step."""


def tokens_of(chunks: Sequence[str]) -> list[tuple[int, str]]:
    """(depth, text) of every command, the first one at depth 0."""
    return list(zip(cmd.depths(chunks), cmd.bare(chunks), strict=True))


def cut(chunks: list[str]) -> list[Part]:
    """The positions and steps of a text. A ``begin_save`` behind the first step loads another position, from which steps are numbered on.

    A step is one LOG at depth 0 with all that is nested below it. What stands between the steps and is none belongs to no step, nor does
    what is nested below it.
    """
    part = Part(0)
    parts = [part]
    number = 0
    begin = 0
    last = len(chunks) - 1
    ends = [at + 1 for at, chunk in enumerate(chunks) if at == last or not chunk.endswith("\\")]  # the next one is at depth 0
    for end in ends:
        chunk = chunks[begin]
        if chunk.startswith(_LOG):
            number += 1
            part.steps.append(Step(number, None, chunks[begin:end]))
        else:
            group = chunks[begin:end]
            if number and chunk.startswith(_BEGIN) and cmd.bare(group)[0] == _BEGIN:
                part = Part(number)
                parts.append(part)
            if part.steps:
                part.stray += cmd.bare(group)
            else:
                part.start += group
        begin = end
    return parts
