"""Reading ``module.toml``: typed look-ups that collect every fault of the file instead of stopping at the first. Pure."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from gamebox.load import BoxError
from gamebox.model import Box, Row
from modgen.errors import ArtError

T = TypeVar("T")
Rect = tuple[int, int, int, int]
"""x, y, width, height in pixels of the board at 100 %."""
COLOUR = re.compile(r"#[0-9a-f]{6}")


class LayoutErrors(ArtError):
    """Every fault of a module.toml; ``str()`` gives one line each."""

    def __init__(self, errors: Iterable[BoxError]) -> None:
        self.errors = tuple(errors)
        super().__init__("\n".join(map(str, self.errors)))


@dataclass(frozen=True, slots=True)
class Where:
    """A test on a row: column -> allowed values; a value with ``*`` at an end matches by that part. All columns must pass."""

    tests: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def __call__(self, row: Row) -> bool:
        for column, values in self.tests:
            if column not in row.values:
                return False
            cells = row.items(column) if isinstance(row.values[column], tuple) else (row.text(column),)
            if not any([_like(cells, value) for value in values]):
                return False
        return True


def _like(cells: tuple[str, ...], value: str) -> bool:
    if "*" not in value:
        return value in cells
    if value.startswith("*") and value.endswith("*") and len(value) > 2:
        return any(value[1:-1] in cell for cell in cells)
    if value.startswith("*"):
        return any(cell.endswith(value[1:]) for cell in cells)
    if value.endswith("*"):
        return any(cell.startswith(value[:-1]) for cell in cells)
    return value in cells


class Reader:
    """One table of the file: typed look-ups that collect faults instead of raising."""

    def __init__(self, data: Mapping[str, Any], place: str, errors: list[BoxError], file: str) -> None:
        self.data, self.place, self.errors, self.file = data, place, errors, file
        self.used: set[str] = set()

    def fault(self, key: str, text: str) -> None:
        self.errors.append(BoxError(self.file, 0, 0, f"{self.place}{' ' if self.place else ''}{key}: {text}"))

    def get(self, key: str, kind: type | tuple[type, ...], allowed: str, default: Any, test: Callable[[Any], bool] | None = None) -> Any:
        self.used.add(key)
        if key not in self.data:
            if default is None:
                self.fault(key, f"is missing; {allowed}")
                return None
            return default
        value = self.data[key]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool) or (test is not None and not test(value)):
            self.fault(key, f"{value!r} is not allowed; {allowed}")
            return default
        return value

    def text(self, key: str, default: str | None = None, among: Iterable[str] | None = None) -> str:
        options = tuple(among) if among is not None else None
        allowed = "a text" if options is None else "one of " + ", ".join(options)
        value = self.get(key, str, allowed, default, (lambda v: v in options) if options is not None else None)
        return value if isinstance(value, str) else ""

    def int(self, key: str, default: int | None = None, low: int = -100000, high: int = 100000) -> int:
        value = self.get(key, int, f"a whole number from {low} to {high}", default, lambda v: low <= v <= high)
        return value if isinstance(value, int) else low if low > 0 else 0

    def real(self, key: str, default: float | None = None) -> float:
        value = self.get(key, (int, float), "a number from 0 to 1", default, lambda v: 0 <= v <= 1)
        return float(value) if isinstance(value, int | float) else 0.0

    def flag(self, key: str, default: bool = False) -> bool:
        return bool(self.get(key, bool, "true or false", default))

    def colour(self, key: str, default: str | None = None) -> str:
        value = self.get(key, str, "a colour like #a0b0c0", default, lambda v: bool(COLOUR.fullmatch(v)))
        return value if isinstance(value, str) else "#000000"

    def colours(self, key: str) -> tuple[str, ...]:
        value = self.get(
            key,
            list,
            'a list of colours like ["#a0b0c0"]',
            None,
            lambda v: bool(v) and all(isinstance(x, str) and COLOUR.fullmatch(x) for x in v),
        )
        return tuple(value) if value is not None else ("#000000",)

    def texts(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        value = self.get(key, list, 'a list of texts like ["a", "b"]', default, lambda v: all(isinstance(x, str) for x in v))
        return tuple(value) if value is not None else ()

    def rect(self, key: str) -> Rect:
        value = self.get(
            key,
            list,
            "a rectangle [x, y, width, height] in pixels",
            None,
            lambda v: len(v) == 4 and all(type(x) is int and x >= 0 for x in v),
        )
        return (value[0], value[1], value[2], value[3]) if value is not None else (0, 0, 10, 10)

    def where(self, key: str) -> Where:
        value = self.get(key, dict, 'columns and values like { country = "x", move = ["3", "4"] }', {})
        tests = []
        for column, allowed in value.items():
            values = allowed if isinstance(allowed, list) else [allowed]
            if not all(isinstance(v, str) for v in values):
                self.fault(f"{key}.{column}", f"{allowed!r} is not allowed; a text or a list of texts")
                continue
            tests.append((column, tuple(values)))
        return Where(tuple(tests))

    def wheres(self, key: str) -> tuple[Where, ...]:
        """One test, or a list of them."""
        value = self.data.get(key)
        if not isinstance(value, list):
            return tuple(found for found in [self.where(key)] if found.tests)
        self.used.add(key)
        return tuple(Reader({key: one}, self.place, self.errors, self.file).where(key) for one in value)

    def table(self, key: str) -> Reader:
        value = self.get(key, dict, "a table", {})
        return Reader(value, f"[{key}]", self.errors, self.file)

    def named(self, key: str) -> list[tuple[str, Reader]]:
        """Tables under a table: ``[key.NAME]``."""
        value = self.get(key, dict, f"tables [{key}.NAME]", {})
        return [
            (name, Reader(sub if isinstance(sub, dict) else {}, f"[{key}.{name}]", self.errors, self.file)) for name, sub in value.items()
        ]

    def listed(self, key: str) -> list[Reader]:
        """``[[key]]`` tables, numbered from 1 in messages."""
        value = self.get(key, list, f"tables [[{key}]]", [])
        place = f"{self.place} [[{key}]]".lstrip()
        return [Reader(sub if isinstance(sub, dict) else {}, f"{place} {n}", self.errors, self.file) for n, sub in enumerate(value, 1)]

    def end(self) -> None:
        """Report keys that nobody asked for."""
        for key in self.data:
            if key not in self.used:
                near = difflib.get_close_matches(key, sorted(self.used), 1)
                self.fault(
                    key, "no such setting" + (f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(sorted(self.used))}")
                )


def each(readers: Iterable[Reader], make: Callable[[Reader], T]) -> tuple[T, ...]:
    out = []
    for r in readers:
        out.append(make(r))
        r.end()
    return tuple(out)


@dataclass(frozen=True, slots=True)
class Against:
    """What the file says of the game, held against the game's tables; collects faults."""

    box: Box
    errors: list[BoxError]
    file: str

    def fault(self, text: str) -> None:
        """Something that does not fit."""
        self.errors.append(BoxError(self.file, 0, 0, text))

    def known(self, place: str, names: Iterable[str], among: Iterable[str], what: str) -> None:
        """Every name must be among those that there are."""
        have = set(among)
        for name in names:
            if name not in have:
                self.fault(f"{place}: {name!r} is no {what}; there are {', '.join(sorted(have)) or 'none'}")

    def fills(self, place: str, template: str, among: Iterable[str]) -> None:
        """What stands in a template's braces must be among the names that can be filled in, and every brace must have its other half."""
        have = sorted(set(among))
        try:
            template.format(**dict.fromkeys(have, ""))
        except (KeyError, IndexError, ValueError, AttributeError):
            self.fault(f"{place}: {template!r} cannot be filled in; allowed in braces: {', '.join(have)}")

    def keys(self, table: str) -> set[str]:
        """The keys of a table; none when the game has no such table."""
        return {row.key for row in self.box[table]} if table in self.box.tables else set()

    def column(self, table: str, name: str) -> set[str]:
        """Every value of a column; none when the game has no such table or column."""
        if table not in self.box.tables:
            return set()
        return {v for row in self.box[table] for v in (row.items(name) if name in row.values else ())}

    def cells(self, table: str) -> set[str]:
        """The columns of a table that have cells to be read, those with sources left out; none when the game has no such table."""
        return {column for row in self.box[table] for column in row.values} if table in self.box.tables else set()

    def once(self, place: str, names: Iterable[str], why: str) -> None:
        """No name may stand twice."""
        seen: set[str] = set()
        for name in names:
            if name in seen:
                self.fault(f"{place}: {name!r} is here twice; {why}")
            seen.add(name)
