"""The client's expressions, evaluated: as much of BeanShell and of the client's own functions as modules of ours use, with its traps.

Written after what was run in the engine (the cookbook's tables of functions, of hex names, of failures), not after what we generate:
whatever was not seen to work there is an error here. ``test_odds_beanshell.py`` holds it against those tables and a genuine log.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

Value = int | float | bool | str


class ScriptError(ValueError):
    """What the client says "Expression evaluation error" to."""


class Source(Protocol):
    """Where names are looked up: a piece, or the module."""

    def text(self, name: str) -> str:
        """The value as the client holds it, "" for none."""


class Thing(Source, Protocol):
    """A piece."""

    @property
    def map(self) -> str: ...

    @property
    def stack(self) -> Sequence[Thing]: ...


@dataclass(frozen=True, slots=True)
class World:
    """What functions see: the pieces in play, the option that keeps leading zeros, and how many hexes two pieces of a map lie apart."""

    pieces: Callable[[], Iterable[Thing]]
    keep_zeros: bool = True
    apart: Callable[[Any, Any], int] | None = None


# --- the language


_TOKEN = re.compile(
    r'\s*(?:("(?:[^"\\]|\\.)*")|(\d+\.\d+|\d+)|([A-Za-z_]\w*)|(==|!=|<=|>=|=~|!~|&&|\|\||[-+*/%<>!?:.,()]))', re.DOTALL
)
Node = tuple[Any, ...]
_LEVELS: tuple[tuple[str, ...], ...] = (("||",), ("&&",), ("==", "!=", "=~", "!~"), ("<", ">", "<=", ">="), ("+", "-"), ("*", "/", "%"))


@lru_cache(maxsize=4096)
def parse(text: str) -> Node:
    """An expression without its braces as a tree. Raises ScriptError where the client would."""
    tokens: list[tuple[str, str]] = []
    at = 0
    text = text.strip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        if not found:
            raise ScriptError(f"{text!r}: {text[at : at + 10]!r} is no part of an expression")
        tokens.append(next((kind, part) for kind, part in zip(("text", "number", "name", "sign"), found.groups(), strict=True) if part))
        at = found.end()
    parser = _Parser(tokens)
    tree = parser.choice()
    if parser.at < len(tokens):
        raise ScriptError(f"{text!r}: does not end where it should")
    return tree


@dataclass(slots=True)
class _Parser:
    tokens: list[tuple[str, str]]
    at: int = 0

    def peek(self) -> tuple[str, str]:
        return self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")

    def take(self) -> tuple[str, str]:
        token = self.peek()
        self.at += 1
        return token

    def sign(self, *signs: str) -> str:
        kind, text = self.peek()
        if kind == "sign" and text in signs:
            self.at += 1
            return text
        return ""

    def need(self, sign: str) -> None:
        if not self.sign(sign):
            raise ScriptError(f"{sign!r} is missing before {self.peek()[1]!r}")

    def choice(self) -> Node:
        test = self.binary(0)
        if not self.sign("?"):
            return test
        yes = self.choice()
        self.need(":")
        return "choice", test, yes, self.choice()

    def binary(self, level: int) -> Node:
        if level == len(_LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while sign := self.sign(*_LEVELS[level]):
            left = "binary", sign, left, self.binary(level + 1)
        return left

    def unary(self) -> Node:
        if sign := self.sign("-", "!"):
            return "unary", sign, self.unary()
        if [t[1] for t in self.tokens[self.at : self.at + 3]] == ["(", "int", ")"]:
            self.at += 3
            return "cast", self.unary()
        return self.postfix()

    def postfix(self) -> Node:
        node = self.primary()
        while self.sign("."):
            kind, name = self.take()
            if kind != "name":
                raise ScriptError(f"a method has no name but {name!r}")
            self.need("(")
            node = "method", node, name, self.args()
        return node

    def args(self) -> tuple[Node, ...]:
        found: list[Node] = []
        if self.sign(")"):
            return ()
        while True:
            found.append(self.choice())
            if self.sign(")"):
                return tuple(found)
            self.need(",")

    def primary(self) -> Node:
        kind, text = self.take()
        if kind == "text":
            return "text", re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL)
        if kind == "number":
            if len(text) > 1 and text.startswith("0") and text.isdigit():
                raise ScriptError(f"{text}: a number that begins with 0 is octal")
            return "number", float(text) if "." in text else int(text)
        if kind == "name" and text in ("true", "false"):
            return "number", text == "true"
        if kind == "name":
            return ("call", text, self.args()) if self.sign("(") else ("name", text)
        if (kind, text) == ("sign", "("):
            inside = self.choice()
            self.need(")")
            return "inside", inside
        raise ScriptError(f"{text!r} where a value should be")


@lru_cache(maxsize=4096)
def _strings(tree: Node) -> frozenset[str]:
    """Names on which methods are called: the client hands those in as texts."""
    found: set[str] = set()
    if tree and tree[0] == "method" and tree[1][0] == "name" and tree[1][1] not in ("Math", "Integer", "String"):
        found.add(tree[1][1])
    for part in tree:
        if isinstance(part, tuple):
            found |= _strings(part)
    return frozenset(found)


# --- values


def typed(text: str, keep_zeros: bool = True) -> Value:
    """What a property's text becomes as a variable: truth, a number, or text."""
    if text in ("true", "false"):
        return text == "true"
    if not set(text) <= set("+-.0123456789"):
        return text
    if keep_zeros and len(text) > 1 and text.startswith("0") and text.isdigit():
        return text
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def shown(value: Value) -> str:
    """A value as text."""
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _number(value: Value) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ScriptError(f"{value!r} is no number")
    return value


def _truth(value: Value) -> bool:
    if not isinstance(value, bool):
        raise ScriptError(f"{value!r} is neither true nor false")
    return value


def _binary(sign: str, left: Value, right: Value) -> Value:
    text = isinstance(left, str) or isinstance(right, str)
    if sign in ("==", "!="):
        kinds = [(isinstance(v, str), isinstance(v, bool)) for v in (left, right)]
        return (kinds[0] == kinds[1] and left == right) == (sign == "==")
    if sign in ("=~", "!~"):
        return bool(re.fullmatch(shown(right), shown(left))) == (sign == "=~")
    if sign == "+" and text:
        # An empty text beside a number is nothing: {""+4+3} is 7.
        if left == "" and not isinstance(right, str):
            return right
        if right == "" and not isinstance(left, str):
            return left
        return shown(left) + shown(right)
    if text:
        if sign in ("<", ">", "<=", ">="):
            return False
        raise ScriptError(f"{left!r} {sign} {right!r}")
    a, b = _number(left), _number(right)
    if sign in "+-*":
        return a + b if sign == "+" else a - b if sign == "-" else a * b
    if sign in "/%":
        if b == 0:
            raise ScriptError("divided by 0")
        if isinstance(a, int) and isinstance(b, int):
            whole = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return whole if sign == "/" else a - whole * b
        return a / b if sign == "/" else a - int(a / b) * b
    return a < b if sign == "<" else a > b if sign == ">" else a <= b if sign == "<=" else a >= b


# --- evaluation


@dataclass(slots=True)
class Script:
    """One evaluation: whom names are asked of, and what functions see. ``piece`` is None for a button."""

    world: World
    source: Source
    piece: Thing | None
    forced: frozenset[str] = frozenset()
    seen: dict[str, Value] = field(default_factory=dict)

    def value(self, node: Node) -> Value:
        """What a part of the tree is."""
        match node:
            case ("text" | "number", value):
                return value  # type: ignore[no-any-return]
            case ("inside", inside):
                return self.value(inside)
            case ("name", name):
                return self.variable(name)
            case ("choice", test, yes, no):
                return self.value(yes if _truth(self.value(test)) else no)
            case ("binary", "&&", left, right):
                return _truth(self.value(left)) and _truth(self.value(right))
            case ("binary", "||", left, right):
                return _truth(self.value(left)) or _truth(self.value(right))
            case ("binary", sign, left, right):
                return _binary(sign, self.value(left), self.value(right))
            case ("unary", "-", inside):
                return -_number(self.value(inside))
            case ("unary", "!", inside):
                return not _truth(self.value(inside))
            case ("cast", inside):
                return int(_number(self.value(inside)))
            case ("method", ("name", ("Math" | "Integer" | "String") as kind), name, args):
                return _static(kind, name, [self.value(a) for a in args])
            case ("method", owner, name, args):
                return _method(self.value(owner), name, [self.value(a) for a in args])
            case ("call", name, args):
                return self.call(name, [self.value(a) for a in args])
        raise ScriptError(f"{node!r}")

    def variable(self, name: str) -> Value:
        if name not in self.seen:
            text = self.source.text(name)
            self.seen[name] = text if name in self.forced else typed(text, self.world.keep_zeros)
        return self.seen[name]

    def call(self, name: str, args: list[Value]) -> Value:
        function = _FUNCTIONS.get(name)
        if function is None:
            raise ScriptError(f"no function {name}")
        return function(self, args)

    def passes(self, test: str, piece: Thing) -> bool:
        """Whether a piece passes a match."""
        if self.piece is not None:
            mine = self.piece
            test = re.sub(r"\$(\w+)\$", lambda found: mine.text(found[1]), test)
        if not test.startswith("{"):
            return False  # the old style "Side = Red" matches nothing
        return shown(evaluate(test, self.world, piece, piece)) == "true"


def evaluate(text: str, world: World, source: Source, piece: Thing | None = None) -> Value:
    """What an expression in braces is; ``piece`` where a piece asks, None where a button does. Other text stands for itself.

    Raises ScriptError.
    """
    text = text.strip()
    if not (text.startswith("{") and text.endswith("}")):
        return text
    if not text[1:-1].strip():
        return ""
    tree = parse(text[1:-1])
    return Script(world, source, piece, _strings(tree)).value(tree)


def _static(kind: str, name: str, args: list[Value]) -> Value:
    match kind, name, args:
        case "Math", ("min" | "max") as which, [a, b]:
            return (min if which == "min" else max)(_number(a), _number(b))
        case "Math", "abs", [a]:
            return abs(_number(a))
        case "Math", "floor", [a]:
            return float(_number(a) // 1)
        case "Math", "round", [a]:
            return int((_number(a) + 0.5) // 1)
        case "Integer", "parseInt", [str(text)]:
            if not re.fullmatch(r"[-+]?\d+", text):
                raise ScriptError(f"{text!r} is no number")
            return int(text)
        case "String", "valueOf", [a]:
            return shown(a)
    raise ScriptError(f"{kind}.{name} with {len(args)} values")


def _cut(text: str, begin: int, end: int) -> str:
    if not 0 <= begin <= end <= len(text):
        raise ScriptError(f"{text!r} has no part from {begin} to {end}")
    return text[begin:end]


def _method(owner: Value, name: str, args: list[Value]) -> Value:
    if not isinstance(owner, str):
        raise ScriptError(f"{owner!r} has no method {name}")
    match name, args:
        case "contains", [str(a)]:
            return a in owner
        case "indexOf", [str(a)]:
            return owner.find(a)
        case "indexOf", [str(a), int(at)]:
            return owner.find(a, max(at, 0))
        case "substring", [int(a)]:
            return _cut(owner, a, len(owner))
        case "substring", [int(a), int(b)]:
            return _cut(owner, a, b)
        case "replace", [str(a), str(b)]:
            return owner.replace(a, b)
        case "replaceAll", [str(a), str(b)]:
            return re.sub(a, b, owner)
        case "length", []:
            return len(owner)
        case "toUpperCase", []:
            return owner.upper()
        case "startsWith", [str(a)]:
            return owner.startswith(a)
        case "endsWith", [str(a)]:
            return owner.endswith(a)
        case "matches", [str(a)]:
            return bool(re.fullmatch(a, owner))
        case "repeat", [int(a)]:
            return owner * a
        case "equals", [a]:
            return owner == a
    raise ScriptError(f"no method {name} with {args!r}")


# --- the client's functions


def _whole(text: str) -> int:
    return int(text) if re.fullmatch(r"[-+]?\d+", text) else 0


def _tally(script: Script, pieces: Iterable[Thing], name: str, test: str, add: bool) -> int:
    total = 0
    for piece in pieces:
        if test and not script.passes(test, piece):
            continue
        if add:
            total += _whole(piece.text(name))
        elif not name or piece.text(name) != "":
            total += 1
    return total


def _is_match(value: Value) -> bool:
    return isinstance(value, str) and value.strip().startswith("{")


def _split(args: Sequence[Value], add: bool) -> tuple[str, str]:
    """(property, match) of the last arguments of a count: either may be left out; sums begin with the property."""
    rest = list(args)
    if add:
        raise ScriptError("a sum without a property")
    if not rest:
        return "", ""
    if len(rest) == 1:
        return ("", str(rest[0])) if _is_match(rest[0]) else (shown(rest[0]), "")
    if len(rest) == 2:
        return shown(rest[0]), str(rest[1])
    raise ScriptError(f"{len(rest)} values are too many")


def _on(script: Script, map_name: str) -> list[Thing]:
    return [p for p in script.world.pieces() if p.map == map_name]


def _map_function(add: bool) -> Callable[[Script, list[Value]], Value]:
    def run(script: Script, args: list[Value]) -> Value:
        rest = list(args)
        name = shown(rest.pop(0)) if add else ""
        if not add and len(rest) == 1 and not _is_match(rest[0]):
            # CountMap(map) or CountMap(property): a map's name is a map.
            maps = {p.map for p in script.world.pieces()}
            if rest[0] not in maps:
                return 0 if script.piece is None else _tally(script, _on(script, script.piece.map), shown(rest[0]), "", False)
        if not add and len(rest) == 2 and _is_match(rest[1]) and rest[0] not in {p.map for p in script.world.pieces()}:
            where, name = "", shown(rest.pop(0))
        elif rest and not _is_match(rest[0]):
            where = shown(rest.pop(0))
        else:
            where = ""
        if not where:
            if script.piece is None:
                return 0
            where = script.piece.map
        if add:
            test = str(rest[0]) if rest else ""
        else:
            found = _split(rest, False)
            name, test = (found[0] or name), found[1]
        return _tally(script, _on(script, where), name, test, add)

    return run


def _place_function(add: bool, word: str) -> Callable[[Script, list[Value]], Value]:
    """SumLocation, SumZone and their counts: the own place of a piece, or a place and a map that are named."""

    def run(script: Script, args: list[Value]) -> Value:
        rest = list(args)
        name = shown(rest.pop(0)) if add else ""
        short = len(rest) <= 1 if add else (len(rest) == 0 or len(rest) == 1 or (len(rest) == 2 and _is_match(rest[1])))
        if short:
            if script.piece is None:
                return 0
            own = script.piece
            here = [p for p in _on(script, own.map) if p.text(word) == own.text(word)]
            if add:
                # A second value is read as a match, whatever it is: SumLocation("CF", "0309") gives the own place.
                return _tally(script, here, name, str(rest[0]) if rest and _is_match(rest[0]) else "", True)
            name, test = _split(rest, False)
            return _tally(script, here, name, test, False)
        place, where = shown(rest.pop(0)), shown(rest.pop(0))
        here = [p for p in _on(script, where) if p.text(word) == place]
        if add:
            return _tally(script, here, name, str(rest[0]) if rest else "", True)
        name, test = _split(rest, False)
        return _tally(script, here, name, test, False)

    return run


def _stack_function(add: bool) -> Callable[[Script, list[Value]], Value]:
    def run(script: Script, args: list[Value]) -> Value:
        if script.piece is None:
            return 0
        rest = list(args)
        name = shown(rest.pop(0)) if add else ""
        test = str(rest[0]) if add and rest else ""
        if not add:
            name, test = _split(rest, False)
        return _tally(script, script.piece.stack, name, test, add)

    return run


def _everywhere(add: bool) -> Callable[[Script, list[Value]], Value]:
    """Sum(property, match[, map]) and Count(match[, map])."""

    def run(script: Script, args: list[Value]) -> Value:
        rest = list(args)
        name = shown(rest.pop(0)) if add else ""
        test = str(rest.pop(0))
        pieces = _on(script, shown(rest[0])) if rest else script.world.pieces()
        return _tally(script, pieces, name, test, add)

    return run


def _property(strip: bool) -> Callable[[Script, list[Value]], Value]:
    def run(script: Script, args: list[Value]) -> Value:
        text = script.source.text(shown(args[0]))
        # GetProperty makes a number of 0309 whatever the option; GetString never does.
        return typed(text, False) if strip else text

    return run


def _count_range(script: Script, args: list[Value]) -> Value:
    """CountRange(least, most, match): pieces of the own map so many hexes away, the asking one among them; a button counts nothing."""
    least, most, test = args
    if script.piece is None:
        return 0
    if script.world.apart is None:
        raise ScriptError("CountRange on a map without hexes")
    mine = script.piece
    low, high = (_whole(shown(a)) for a in (least, most))
    near = [p for p in _on(script, mine.map) if p is mine or low <= script.world.apart(mine, p) <= high]
    return _tally(script, near, "", str(test), False)


def _if(script: Script, args: list[Value]) -> Value:
    return args[1] if _truth(args[0]) else args[2]


_FUNCTIONS: Mapping[str, Callable[[Script, list[Value]], Value]] = {
    "SumMap": _map_function(True),
    "CountMap": _map_function(False),
    "SumLocation": _place_function(True, "LocationName"),
    "CountLocation": _place_function(False, "LocationName"),
    "SumZone": _place_function(True, "CurrentZone"),
    "CountZone": _place_function(False, "CurrentZone"),
    "CountRange": _count_range,
    "SumStack": _stack_function(True),
    "CountStack": _stack_function(False),
    "Sum": _everywhere(True),
    "Count": _everywhere(False),
    "GetProperty": _property(True),
    "GetString": _property(False),
    "If": _if,
}
