"""Expressions taken apart: ``{...}`` is BeanShell, everything else old ``$name$`` text. Nothing is evaluated."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<text>"(?:[^"\\]|\\.)*")
  | (?P<single>'(?:[^'\\]|\\.)*')
  | (?P<number>(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?[fFdDlL]?)
  | (?P<name>[A-Za-z_$]\w*\$?)
  | (?P<sign>==|!=|<=|>=|=~|!~|&&|\|\||\+\+|--|[-+*/%<>=!?:.,;()\[\]{}&|^~@\#])
  | (?P<bad>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_NESTED = 6


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of an expression. ``kind``: text, single, number, name, sign, or bad (a quote that never ends)."""

    kind: str
    text: str

    @property
    def value(self) -> str:
        """What a text says."""
        return re.sub(r"\\(.)", r"\1", self.text[1:-1], flags=re.DOTALL) if self.kind in ("text", "single") else self.text


@dataclass(frozen=True, slots=True)
class Call:
    """A function or method with its arguments; ``method`` when it stands behind a point."""

    name: str
    method: bool
    args: tuple[tuple[Token, ...], ...]

    def literal(self, index: int) -> str | None:
        """What an argument says when it is one text; None when it is something else or missing."""
        if index >= len(self.args):
            return None
        arg = self.args[index]
        return arg[0].value if len(arg) == 1 and arg[0].kind == "text" else None


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression where it stands. ``text`` is without its braces; ``module`` when no piece is at hand where it is evaluated;
    ``match`` when it is the match of another one, asked of every piece."""

    where: str
    text: str
    module: bool = False
    match: bool = False

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The expression's tokens, without white space."""
        return tokens(self.text)


def tokens(text: str) -> tuple[Token, ...]:
    """A text in tokens. Never fails: what fits nothing is a bad token."""
    found = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "bad"
        if kind != "space":
            found.append(Token(kind, match.group()))
    return tuple(found)


def is_expression(text: str) -> bool:
    """Whether the engine takes a text for an expression."""
    return text.startswith("{") and text.endswith("}") and len(text) > 1


def inside(text: str) -> str:
    """An expression's text without its braces."""
    return text[1:-1]


def syntax_fault(text: str) -> str:
    """What is wrong with an expression's brackets and quotes; "" for nothing."""
    open_ones: list[str] = []
    pairs = {")": "(", "]": "[", "}": "{"}
    for token in tokens(text):
        if token.kind == "bad":
            return f"has a {token.text} that opens a text and never ends it" if token.text in "\"'" else f"has the sign {token.text!r}"
        if token.kind != "sign":
            continue
        if token.text in "([{":
            open_ones.append(token.text)
        elif token.text in ")]}" and (not open_ones or open_ones.pop() != pairs[token.text]):
            return f"has a {token.text} too many"
    return f"has a {open_ones[-1]} that is never closed" if open_ones else ""


def calls(found: Sequence[Token]) -> Iterator[Call]:
    """Every call in an expression, inner ones too."""
    for index, token in enumerate(found[:-1]):
        if token.kind == "name" and found[index + 1] == Token("sign", "("):
            method = index > 0 and found[index - 1] == Token("sign", ".")
            yield Call(token.text, method, _arguments(found, index + 2))


def _arguments(found: Sequence[Token], start: int) -> tuple[tuple[Token, ...], ...]:
    depth = 0
    args: list[tuple[Token, ...]] = []
    now: list[Token] = []
    for token in found[start:]:
        sign = token.text if token.kind == "sign" else ""
        if sign == ")" and not depth:
            break
        if sign == "," and not depth:
            args.append(tuple(now))
            now = []
            continue
        depth += (sign in ("(", "[", "{")) - (sign in (")", "]", "}"))
        now.append(token)
    return (*args, tuple(now)) if args or now else ()


def with_matches(found: Expression, depth: int = 0) -> Iterator[Expression]:
    """An expression, and the matches in texts inside it, to a depth that no module reaches."""
    yield found
    if depth >= _NESTED:
        return
    for token in found.tokens:
        if token.kind == "text" and is_expression(token.value):
            yield from with_matches(Expression(found.where, inside(token.value), False, True), depth + 1)


NOT_NAMES = frozenset(
    "true false null int long float double boolean char String Integer Double Float Long Boolean Math Object Character new instanceof "
    "return if else for while do switch case import void final static this super bsh".split()
)
"""Words of the language, and of Java, that are no properties."""


def names_read(found: Sequence[Token]) -> Iterator[str]:
    """The properties that an expression reads by their bare names."""
    for index, token in enumerate(found):
        if token.kind != "name" or token.text in NOT_NAMES or "$" in token.text:
            continue
        before = found[index - 1] if index else None
        after = found[index + 1] if index + 1 < len(found) else None
        if before == Token("sign", ".") or after == Token("sign", "("):
            continue
        yield token.text
