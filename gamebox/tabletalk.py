"""Table talk: the machine-readable lines that our modules write into a client's log. Pure.

One line is ``RT1|n|VERB|field|field...``: the mark and version, a running number that makes each line a new one, a verb of
capital letters, and its fields. The verbs of version 1:

    ATT|piece|place    this piece attacks
    TGT|piece|place    this piece is attacked
    ANS|piece|place    the side of this piece, which is attacked, answers the attack
    CLR|piece          a declaration about this piece is taken back; ``*`` clears all
    PH|turn|phase      the turn and phase that begin
    RES|result|...     the result of a combat, in the module's words; what follows is how it came about: the column, the die, the
                       strengths of attack and defence, the hexes attacked, columns moved by hand
    SUP|piece|place    a marker of supply is placed under this piece
    GRP|group          the group of units that the marker serves

A line is written by the client's own text replacement, so a field that can hold anything is escaped here: ``%`` and the two
or more hexadecimal digits of its UTF-8 bytes stand for ``%``, ``|``, ``$``, backslash, ``'``, every control or line-breaking
sign, and blanks at a field's ends (VASSAL takes text between two ``$`` for a property, and a value that ends in a backslash
swallows the next command). Piece ids and hex names need no escape and read the same in the log.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

VERSION = 1
MARK = "RT"
MAX_LENGTH = 2000
"""Characters in one line; longer ones are refused both ways."""
VERBS = {
    "ATT": ("piece", "place"),
    "TGT": ("piece", "place"),
    "ANS": ("piece", "place"),
    "CLR": ("piece",),
    "PH": ("turn", "phase"),
    "RES": ("result",),
    "SUP": ("piece", "place"),
    "GRP": ("group",),
}
"""Verb -> the fields that it has at least. Lines with verbs that are not listed here are read as well: later modules may have more."""
ALL = "*"

_HEAD = re.compile(r"RT([1-9]\d{0,3})\|", re.ASCII)
_NUMBER = re.compile(r"0|[1-9]\d{0,17}", re.ASCII)
_VERB = re.compile(r"[A-Z]{1,12}", re.ASCII)
_UNSAFE = re.compile(r"[%|$\\'\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]|^ +| +$")
_ESCAPED = re.compile(r"(?:%[0-9A-F]{2})+")


class TalkError(ValueError):
    """A line that is no table talk, or fields that cannot be written; the message says what is allowed."""


@dataclass(frozen=True, slots=True)
class Talk:
    """One line of table talk. ``number`` only grows within one log."""

    number: int
    verb: str
    fields: tuple[str, ...] = ()

    def field(self, name: str) -> str:
        """The field of this name by the table of verbs; ``""`` when the verb has none of that name."""
        names = VERBS.get(self.verb, ())
        at = names.index(name) if name in names else len(self.fields)
        return self.fields[at] if at < len(self.fields) else ""

    def __str__(self) -> str:
        return encode(self)


def encode(talk: Talk) -> str:
    """The line: no ``$``, no line feed, no backslash, and ``|`` only between fields. Raises TalkError."""
    if not _NUMBER.fullmatch(str(talk.number)):
        raise TalkError(f"number {talk.number}; allowed: 0 to 18 digits")
    if not _VERB.fullmatch(talk.verb):
        raise TalkError(f"verb `{talk.verb}`; allowed: one to twelve capital letters")
    _check_fields(talk.verb, talk.fields)
    line = "|".join((f"{MARK}{VERSION}", str(talk.number), talk.verb, *(escape(text) for text in talk.fields)))
    if len(line) > MAX_LENGTH:
        raise TalkError(f"a line of {len(line)} characters; allowed: {MAX_LENGTH}")
    return line


def decode(line: str) -> Talk:
    """The talk in a line. Raises TalkError for anything that is not a whole line of version 1."""
    head = _HEAD.match(line)
    if not head:
        raise TalkError(f"no table talk; allowed: lines that begin with {MARK}{VERSION}|")
    if int(head[1]) != VERSION:
        raise TalkError(f"table talk of version {head[1]}; allowed: {VERSION}")
    if len(line) > MAX_LENGTH:
        raise TalkError(f"a line of {len(line)} characters; allowed: {MAX_LENGTH}")
    number, *rest = line[head.end() :].split("|")
    if not _NUMBER.fullmatch(number):
        raise TalkError(f"number `{number[:20]}`; allowed: 0 to 18 digits")
    if not rest or not _VERB.fullmatch(rest[0]):
        raise TalkError(f"verb `{rest[0][:20] if rest else ''}`; allowed: one to twelve capital letters")
    fields = tuple(unescape(text) for text in rest[1:])
    _check_fields(rest[0], fields)
    return Talk(int(number), rest[0], fields)


def is_talk(line: str) -> bool:
    """Whether a line claims to be table talk, of whatever version; ``decode`` may still refuse it."""
    return _HEAD.match(line) is not None


def escape(text: str) -> str:
    """A field as it stands in a line. Raises TalkError for text that UTF-8 cannot hold (lone surrogates)."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise TalkError("a lone surrogate; allowed: text that UTF-8 can hold") from None
    return _UNSAFE.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8")), text)


def unescape(text: str) -> str:
    """The text of a field. A ``%`` that begins no escape stands for itself: clients write fields that we did not escape."""

    def read(found: re.Match[str]) -> str:
        try:
            return bytes.fromhex(found[0].replace("%", "")).decode("utf-8")
        except UnicodeDecodeError:
            return found[0]

    return _ESCAPED.sub(read, text)


def _check_fields(verb: str, fields: tuple[str, ...]) -> None:
    names = VERBS.get(verb, ())
    if len(fields) < len(names) or not all(fields[: len(names)]):
        raise TalkError(f"{verb} with {len(fields)} fields; allowed: {verb}|{'|'.join(names)}, none of them empty")
