"""Mutants of refusals: the same source with one refusal left out, or one of its conditions changed in one place.

The text is changed where the tree says a part stands, so that a mutant reads as the module does.
"""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tests.mutation.sites import Condition, Refusal, Source

REMOVE, NEGATE, OFF_BY_ONE, SWAP = "remove", "negate", "off by one", "swap sides"
KINDS = (REMOVE, NEGATE, OFF_BY_ONE, SWAP)

_FLIP: dict[type[ast.cmpop], tuple[str, str]] = {ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">")}
_SHIFT: dict[type[ast.cmpop], int] = {ast.Lt: -1, ast.LtE: 1, ast.Gt: 1, ast.GtE: -1}
"""The other way from the flip: ``x < 3`` is also ``x < 2``, ``x <= 3`` also ``x <= 4``."""
_WRAPPED = (ast.BoolOp, ast.Compare, ast.IfExp, ast.BinOp, ast.NamedExpr, ast.Lambda)
_BITS = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)


@dataclass(frozen=True)
class Swaps:
    """Which words of a game's source are each other's opposite: names of values, of fields, and texts."""

    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @staticmethod
    def of(names: Sequence[Sequence[str]] = (), fields: Sequence[Sequence[str]] = (), texts: Sequence[Sequence[str]] = ()) -> Swaps:
        """From pairs."""

        def both(pairs: Sequence[Sequence[str]]) -> dict[str, tuple[str, ...]]:
            found: dict[str, tuple[str, ...]] = {}
            for a, b in pairs:
                found[a] = (*found.get(a, ()), b)
                found[b] = (*found.get(b, ()), a)
            return found

        return Swaps(both(names), both(fields), both(texts))


@dataclass(frozen=True)
class Mutant:
    """One changed source. ``guard`` and ``mutated`` are the condition before and after, on one line ("" after: left out)."""

    refusal: Refusal
    kind: str
    line: int
    guard: str
    mutated: str
    text: str

    @property
    def key(self) -> tuple[str, str, str, str, str]:
        """Module, code, kind, condition before and after: names the mutant whatever its line."""
        return self.refusal.source.stem, self.refusal.code, self.kind, self.guard, self.mutated

    @property
    def place(self) -> str:
        """``path:line``."""
        return f"{self.refusal.source.path}:{self.line}"

    def diff(self) -> tuple[str, ...]:
        """The lines that differ, the old with ``-`` before them and the new with ``+``."""
        lines = difflib.unified_diff(self.refusal.source.text.splitlines(), self.text.splitlines(), n=0, lineterm="")
        return tuple(line for line in lines if not line.startswith(("---", "+++", "@@")))


class _Text:
    """A source by byte positions, which is how the tree counts columns."""

    def __init__(self, source: Source) -> None:
        self.data = source.text.encode()
        self.starts = [0]
        for line in self.data.split(b"\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self.starts[node.lineno - 1] + node.col_offset, self.starts[node.end_lineno - 1] + node.end_col_offset

    def of(self, node: ast.expr | ast.stmt) -> str:
        start, end = self.span(node)
        return self.data[start:end].decode()

    def put(self, start: int, end: int, new: str) -> bytes:
        return self.data[:start] + new.encode() + self.data[end:]


def one_line(text: str) -> str:
    """The text with every run of blanks as one."""
    return re.sub(r"(?<=[(\[{]) | (?=[)\]}])", "", re.sub(r"\s+", " ", text)).strip()


def mutants(refusal: Refusal, swaps: Swaps) -> tuple[Mutant, ...]:
    """Every mutant of one refusal, each text once, in the order of the kinds and of the text."""
    text = _Text(refusal.source)
    found: dict[str, Mutant] = {}
    for mutant in _mutants(refusal, text, swaps):
        if mutant.text != refusal.source.text:
            found.setdefault(mutant.text, mutant)
    return tuple(sorted(found.values(), key=lambda m: KINDS.index(m.kind)))


def _mutants(refusal: Refusal, text: _Text, swaps: Swaps) -> Iterator[Mutant]:
    statement = refusal.statement
    if refusal.delegated is not None:
        nothing = "return iter(())" if isinstance(statement, ast.Return) else "pass"
        yield _changed(refusal, text, REMOVE, statement, statement, nothing)
        whole: ast.expr | ast.stmt = refusal.delegated
        for node in refusal.delegated.args:
            if isinstance(node, ast.Constant) and type(node.value) is int:
                for value in (node.value + 1, node.value - 1):
                    yield _changed(refusal, text, OFF_BY_ONE, whole, node, str(value))
    elif not refusal.last:
        yield _changed(refusal, text, REMOVE, statement, statement, "pass")
    for condition in refusal.conditions:
        if condition.whole:
            for node in _truths(condition.node):
                yield _changed(refusal, text, NEGATE, condition.node, node, _negated(node, text))
        yield from _inside(refusal, text, condition, swaps)


def _changed(refusal: Refusal, text: _Text, kind: str, whole: ast.expr | ast.stmt, part: ast.expr | ast.stmt, new: str) -> Mutant:
    start, end = text.span(part)
    return _replaced(refusal, text, kind, whole, start, end, new, part.lineno)


def _replaced(refusal: Refusal, text: _Text, kind: str, whole: ast.expr | ast.stmt, start: int, end: int, new: str, line: int) -> Mutant:
    first, last = text.span(whole)
    before, after = text.data[first:start].decode(), text.data[end:last].decode()
    if kind == REMOVE:
        return Mutant(refusal, kind, line, one_line(text.of(whole)), "", text.put(start, end, new).decode())
    return Mutant(refusal, kind, line, one_line(text.of(whole)), one_line(before + new + after), text.put(start, end, new).decode())


def _truths(node: ast.expr) -> Iterator[ast.expr]:
    """A condition and, where it is made of several by ``and`` and ``or``, each of them."""
    yield node
    if isinstance(node, ast.BoolOp):
        for part in node.values:
            yield from _truths(part)


def _negated(node: ast.expr, text: _Text) -> str:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return f"({text.of(node.operand)})" if isinstance(node.operand, ast.BoolOp) else text.of(node.operand)
    return f"not ({text.of(node)})" if isinstance(node, _WRAPPED) else f"not {text.of(node)}"


def _inside(refusal: Refusal, text: _Text, condition: Condition, swaps: Swaps) -> Iterator[Mutant]:
    """Off by one and swapped sides anywhere in a condition."""
    whole = condition.node
    parents = {child: node for node in ast.walk(whole) for child in ast.iter_child_nodes(node)}
    compared: set[ast.AST] = set()
    for node in ast.walk(whole):
        if isinstance(node, ast.Compare):
            left = node.left
            for op, right in zip(node.ops, node.comparators, strict=True):
                if type(op) in _FLIP:
                    compared.update((left, right))
                    yield from _off_by_one(refusal, text, whole, left, op, right)
                left = right
    for node in ast.walk(whole):
        if isinstance(node, ast.Constant) and type(node.value) is int and node not in compared and _counts(node, parents):
            yield _changed(refusal, text, OFF_BY_ONE, whole, node, str(node.value + 1))
        elif isinstance(node, ast.Name):
            for other in swaps.names.get(node.id, ()):
                yield _changed(refusal, text, SWAP, whole, node, other)
        elif isinstance(node, ast.Attribute):
            _, end = text.span(node)
            for other in swaps.fields.get(node.attr, ()):
                yield _replaced(refusal, text, SWAP, whole, end - len(node.attr.encode()), end, other, node.lineno)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            for other in swaps.texts.get(node.value, ()):
                yield _changed(refusal, text, SWAP, whole, node, f'"{other}"')


def _off_by_one(refusal: Refusal, text: _Text, whole: ast.expr, left: ast.expr, op: ast.cmpop, right: ast.expr) -> Iterator[Mutant]:
    old, new = _FLIP[type(op)]
    _, start = text.span(left)
    end, _ = text.span(right)
    between = text.data[start:end].decode()
    at = start + len(between[: between.index(old)].encode())
    yield _replaced(refusal, text, OFF_BY_ONE, whole, at, at + len(old), new, right.lineno)
    step = _SHIFT[type(op)]
    if isinstance(left, ast.Constant) and type(left.value) is int:
        yield _changed(refusal, text, OFF_BY_ONE, whole, left, str(left.value - step))
    elif isinstance(right, ast.Constant) and type(right.value) is int:
        yield _changed(refusal, text, OFF_BY_ONE, whole, right, str(right.value + step))
    elif not isinstance(right, ast.Constant):
        value = f"({text.of(right)})" if isinstance(right, ast.BinOp | ast.IfExp) else text.of(right)
        yield _changed(refusal, text, OFF_BY_ONE, whole, right, f"{value} {'+' if step > 0 else '-'} 1")


def _counts(node: ast.expr, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether a number is an amount: no bit, no shift, no index and no part of one."""
    at: ast.AST = node
    while at in parents:
        above = parents[at]
        if isinstance(above, ast.BinOp) and isinstance(above.op, _BITS):
            return False
        if isinstance(above, ast.Subscript) and at is above.slice:
            return False
        if isinstance(above, ast.Call | ast.Compare | ast.BoolOp):
            return True
        at = above
    return True
