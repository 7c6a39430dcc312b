"""The parts that odds help is made of: properties of the module, each with the buttons that set it, and pieces of expressions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from modgen.errors import ArtError
from modgen.vassal import idioms, names

BARRED = "\"'$\\|{}"
"""Signs that texts of expressions and properties cannot hold, or that the client would read as something else."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A property of the module. ``asked``: the expression that the count works it out by, if it does; ``changes``: further keys, each
    with the value or expression that it sets."""

    name: str
    start: str
    asked: str = ""
    changes: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        """The command that works it out."""
        return f"work{self.name}"

    @property
    def changers(self) -> tuple[tuple[str, str], ...]:
        """(command, value) of each of its buttons."""
        own = ((self.key, "{" + self.asked + "}"),) if self.asked else ()
        return own + self.changes


def said(text: str) -> str:
    """A text inside an expression.

    Raises :class:`ArtError` for signs that the client would read.
    """
    if bad := next((sign for sign in BARRED if sign in text), ""):
        raise ArtError(f"[odds]: {bad!r} in {text!r} is not allowed: the client reads it")
    return f'"{text}"'


def match(test: str) -> str:
    """A test of pieces, as the functions that count them are told it: a text with an expression in it."""
    return '"{' + test.replace('"', '\\"') + '}"'


def entries(values: Iterable[tuple[str, str]]) -> str:
    """A table as one text: ``;0309=1hills;0310=...;``. Its keys must be of one length."""
    return ";" + "".join(f"{key}={value};" for key, value in values)


def entry(table: str, key: str, width: int, missing: str) -> str:
    """An expression: what a table of entries has for a key of so many letters. Nothing in it is taken for a number, be the key one."""
    sought = f'";"+{key}+"="'
    at = f"{table}.indexOf({sought})"
    return f'{at}<0 ? "{missing}" : {table}.substring({at}+{width + 2}, {table}.indexOf(";", {at}+1))'


def cells(values: Iterable[str]) -> tuple[str, int]:
    """Texts one behind the other, each filled up with blanks to the same width, and that width."""
    listed = list(values)
    width = max(map(len, listed))
    return "".join(value.ljust(width) for value in listed), width


def cell(table: str, number: str, width: int) -> str:
    """An expression: the cell of this number, counted from 0."""
    return f'{table}.substring(({number})*{width}, ({number})*{width}+{width}).replace(" ", "")'


def summed(pieces: str, here: str, test: str = "") -> str:
    """An expression: the sum of a property over the pieces of a place (``"0309", "Map"``), or of a map (``"Map"``)."""
    function = "SumLocation" if ", " in here else "SumMap"
    return f"{function}({idioms.quoted(pieces)}, {here}" + (f", {match(test)})" if test else ")")


def declared(word: str) -> str:
    """A test that a piece has been declared."""
    return f"{names.DECLARED}=={idioms.quoted(word)}"
