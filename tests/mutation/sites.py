"""The refusals of a game's rules code, found in the source: what each cites, and the conditions it is given under."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

CODE = re.compile(r"[a-z]+(-[a-z]+)*")
_PATTERN = "\0"
"""Before a regular expression among plain texts."""
DEPTH = 2
"""How far back assignments are followed that feed a condition: ``low`` in ``attack > low``, and what ``low`` is made of."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Source:
    """One module: its dotted name, its path below the root, its text and tree."""

    module: str
    path: str
    text: str
    tree: ast.Module

    @property
    def stem(self) -> str:
        """The last part of the name."""
        return self.module.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class Condition:
    """An expression that decides whether the refusal is given, or which paragraph it cites.

    ``whole``: a truth value, so that it can be negated; else it only feeds one (``left = possible(...)`` before ``if left < 2``).
    """

    node: ast.expr
    whole: bool


@dataclass(frozen=True, slots=True)
class Refusal:
    """One refusal in the source. ``statement`` gives it; ``last``: a ``return`` after which nothing follows, so it cannot be left out."""

    source: Source
    code: str
    paragraphs: tuple[str, ...]
    statement: ast.stmt
    conditions: tuple[Condition, ...]
    last: bool
    delegated: ast.Call | None = None
    """The call that gives the refusal with the paragraph as an argument, where no ``Reason`` is made here."""


def read_package(root: Path, package: str) -> tuple[Source, ...]:
    """Every module of a package below ``root``, by name. Raises OSError and SyntaxError."""
    folder = root.joinpath(*package.split("."))
    found = []
    for path in sorted(folder.glob("*.py")):
        text = path.read_text("utf-8")
        name = package if path.stem == "__init__" else f"{package}.{path.stem}"
        found.append(Source(name, path.relative_to(root).as_posix(), text, ast.parse(text, str(path))))
    return tuple(found)


def refusals(sources: Sequence[Source], known: frozenset[str]) -> tuple[Refusal, ...]:
    """All refusals of the modules, in the order of the text: ``yield Reason(code, cite(...))``, the same with ``return``, and calls
    in such places that take a paragraph as an argument. ``known`` are the paragraphs of the game's rules index."""
    attributes = _attributes(sources)
    return tuple(refusal for source in sources for refusal in _Module(source, known, attributes).refusals())


def _attributes(sources: Iterable[Source]) -> dict[str, set[str]]:
    """Field of a value -> texts given to it by keyword somewhere in the package: what ``phase.para`` may be."""
    found: dict[str, set[str]] = {}
    for source in sources:
        constants = _constants(source.tree)
        for node in ast.walk(source.tree):
            if isinstance(node, ast.keyword) and node.arg:
                found.setdefault(node.arg, set()).update(_texts(node.value, constants))
    return found


def _constants(tree: ast.Module) -> dict[str, tuple[ast.expr, ...]]:
    """What names at the top of a module stand for: the value assigned, or all that a function may return."""
    found: dict[str, tuple[ast.expr, ...]] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            found.update({t.id: (node.value,) for t in node.targets if isinstance(t, ast.Name)})
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            found[node.target.id] = (node.value,)
        elif isinstance(node, ast.FunctionDef):
            inner = list(ast.walk(node))
            returned = tuple(n.value for n in inner if isinstance(n, ast.Return) and n.value is not None)
            found[node.name] = (*returned, *(n.value for n in inner if isinstance(n, ast.Assign)))
    return found


def _texts(node: ast.expr, constants: Mapping[str, tuple[ast.expr, ...]]) -> set[str]:
    """The text constants in an expression and in what the module's names in it stand for."""
    found: set[str] = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            found.add(inner.value)
        elif isinstance(inner, ast.JoinedStr):
            found.add(_PATTERN + "".join(_pattern(part, constants) for part in inner.values))
        elif isinstance(inner, ast.Name) and inner.id in constants:
            rest = {name: values for name, values in constants.items() if name != inner.id}
            for value in constants[inner.id]:
                found |= _texts(value, rest)
    return found


def _pattern(part: ast.expr, constants: Mapping[str, tuple[ast.expr, ...]]) -> str:
    """A regular expression for a part of a text with values in it: a value is one of the texts it leads to, or a number."""
    if isinstance(part, ast.Constant):
        return re.escape(str(part.value))
    texts = sorted(t for t in _texts(part, constants) if not t.startswith(_PATTERN))
    return "(?:" + "|".join([*map(re.escape, texts), r"\d+"]) + ")"


def _calls(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


class _Module:
    """Walks one module."""

    def __init__(self, source: Source, known: frozenset[str], attributes: Mapping[str, set[str]]) -> None:
        self.source = source
        self.known = known
        self.attributes = attributes
        self.constants = _constants(source.tree)
        self.parent: dict[ast.AST, ast.AST] = {c: n for n in ast.walk(source.tree) for c in ast.iter_child_nodes(n)}

    def refusals(self) -> Iterator[Refusal]:
        for node in ast.walk(self.source.tree):
            if isinstance(node, Function):
                found = [s for s in ast.walk(node) if isinstance(s, ast.Expr | ast.Return) and self._function(s) is node]
                for statement in sorted(found, key=lambda s: s.lineno):
                    if (refusal := self._refusal(node, statement)) is not None:
                        yield refusal

    def _refusal(self, function: Function, statement: ast.Expr | ast.Return) -> Refusal | None:
        value = statement.value
        if isinstance(statement, ast.Expr):
            if not isinstance(value, ast.Yield | ast.YieldFrom):
                return None
            value = value.value
        if not isinstance(value, ast.Call):
            return None
        last = isinstance(statement, ast.Return)
        if not _calls(value, "Reason"):
            named = [a.value for a in value.args if isinstance(a, ast.Constant) and isinstance(a.value, str) and a.value in self.known]
            if not named or not isinstance(value.func, ast.Name):
                return None
            return Refusal(self.source, value.func.id, tuple(named), statement, self._conditions(function, statement, ()), last, value)
        if len(value.args) < 2:
            return None
        texts = self._reachable(function, statement, value.args[:2])
        cited = {p for t in texts if (p := t.partition(" ")[0]) in self.known}
        patterns = [re.compile(t.removeprefix(_PATTERN)) for t in texts if t.startswith(_PATTERN)]
        cited |= {p for p in self.known if any(pattern.fullmatch(p) for pattern in patterns)}
        paragraphs = tuple(sorted((p for p in cited if not any(other.startswith(f"{p}.") for other in cited)), key=paragraph_key))
        code = self._code(function, statement, value.args[0])
        if not code or not paragraphs:
            return None
        body = function.body
        last = last and statement is body[-1]
        return Refusal(self.source, code, paragraphs, statement, self._conditions(function, statement, value.args[:2]), last)

    def _code(self, function: Function, statement: ast.stmt, node: ast.expr) -> str:
        """The code, or all it may be, as it stands in the call or in an assignment to the name in the call."""
        named = self._feeding(function, statement, (node,), 1) if isinstance(node, ast.Name) else [node]
        return "|".join(sorted({t for value in named for t in _texts(value, {}) if CODE.fullmatch(t)}))

    def _function(self, node: ast.AST) -> ast.AST | None:
        while (node := self.parent.get(node, self.source.tree)) is not self.source.tree:
            if isinstance(node, Function):
                return node
        return None

    def _reachable(self, function: Function, statement: ast.stmt, nodes: Sequence[ast.expr]) -> set[str]:
        """Texts in expressions, through local names, the module's constants and fields set by keyword in the package."""
        found: set[str] = set()
        for node in nodes:
            for part in (node, *self._feeding(function, statement, (node,))):
                found |= _texts(part, self.constants)
                for inner in ast.walk(part):
                    if isinstance(inner, ast.Attribute):
                        found |= self.attributes.get(inner.attr, set())
        return found

    def _feeding(self, function: Function, before: ast.stmt, nodes: Sequence[ast.expr], depth: int = DEPTH) -> list[ast.expr]:
        """Values assigned in the function before a statement to the names in some expressions, ``depth`` times over."""
        found: list[ast.expr] = []
        front = list(nodes)
        for _ in range(depth):
            names = {n.id for node in front for n in ast.walk(node) if isinstance(n, ast.Name)}
            front = []
            for node in ast.walk(function):
                if not isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign) or node.lineno >= before.lineno or node.value is None:
                    continue
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                set_here = {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
                if names & set_here and node.value not in found:
                    front.append(node.value)
            found += front
        return found

    def _conditions(self, function: Function, statement: ast.stmt, cites: Sequence[ast.expr]) -> tuple[Condition, ...]:
        tests = list(self._guards(function, statement))
        feeds = self._feeding(function, statement, (*tests, *cites))
        inner = list(cites)
        for feed in feeds:
            assigned = self.parent[feed]
            assert isinstance(assigned, ast.stmt)
            tests += (t for t in self._branches(function, assigned) if t not in tests)
            inner.append(feed)
        chosen = [n.test for node in inner for n in ast.walk(node) if isinstance(n, ast.IfExp) and n.test not in tests]
        found = [Condition(test, True) for test in (*tests, *chosen)]
        return (*found, *(Condition(feed, False) for feed in feeds))

    def _branches(self, function: Function, statement: ast.stmt) -> Iterator[ast.expr]:
        """Tests of the ``if`` around a statement: all whose body it is in, and the one whose plain ``else`` it is in."""
        node: ast.AST = statement
        nearest = True
        while node is not function:
            above = self.parent[node]
            if isinstance(above, ast.If):
                if node in above.body or (nearest and not (isinstance(node, ast.If) and node in above.orelse)):
                    yield above.test
                nearest = nearest and isinstance(node, ast.If)
            node = above

    def _guards(self, function: Function, statement: ast.stmt) -> Iterator[ast.expr]:
        """The tests around a statement, and those of earlier ``return`` and ``continue`` that lead past it and refuse nothing."""
        yield from self._branches(function, statement)
        node: ast.AST = statement
        while node is not function:
            above = self.parent[node]
            for name in ("body", "orelse"):
                block = getattr(above, name, ())
                if isinstance(block, list) and node in block:
                    yield from (s.test for s in block[: block.index(node)] if isinstance(s, ast.If) and _leaves_quietly(s))
            node = above


def _leaves_quietly(test: ast.If) -> bool:
    inner = [n for s in test.body for n in ast.walk(s)]
    quiet = not any(isinstance(n, ast.Yield | ast.YieldFrom) or (isinstance(n, ast.Return) and n.value is not None) for n in inner)
    return quiet and isinstance(test.body[-1], ast.Return | ast.Continue)


def paragraph_key(paragraph: str) -> tuple[tuple[int, str], ...]:
    """Sorts 9.0 before 10.0, and 7.2.e2 before 7.2.e10."""
    return tuple((int(number or 0), word) for number, word in re.findall(r"(\d+)|(\D+)", paragraph))


def related(one: str, other: str) -> bool:
    """Whether one paragraph is the other or holds it: 5.1 and 5.1.p1, never 5.1 and 5.10."""
    a, b = one.split("."), other.split(".")
    shorter = min(len(a), len(b))
    return a[:shorter] == b[:shorter]
