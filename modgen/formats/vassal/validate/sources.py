"""Where a module has expressions, formats with ``$name$``, property changers and key commands' targets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from modgen.formats.vassal import engine, sequence
from modgen.formats.vassal.engine import Kind
from modgen.formats.vassal.validate.beanshell import Expression, inside, is_expression, with_matches
from modgen.formats.vassal.validate.model import MAPS, Subject
from modgen.formats.vassal.validate.structure import typed
from modgen.formats.vassal.validate.traits import fields_of

CHANGERS = ("PROP", "setprop", "setpieceprop")
# Attributes that are asked of pieces, wherever their component stands.
_OF_PIECES = frozenset(
    "filter include leafFormat nonLeafFormat sortFormat propertyFilter summaryReportFormat counterReportFormat emptyHexReportForma".split()
)
_NO_FORMATS = frozenset({"piece", "mark", "prototype", "cmt", "submenu", "restrict", "immob", "basicName", "locmsg"})
_DOLLARS = re.compile(r"\$([A-Za-z_][\w .-]*)\$")


@dataclass(frozen=True, slots=True)
class Changer:
    """A property changer where it stands: the letter of what it does, its parts, and the name of the property that it changes.

    ``raw`` is its text; ``parts`` of a key command's list element tell whether that was cut (``MENU:KEY:CHANGER`` are three).
    """

    where: str
    name: str
    raw: str
    command: tuple[str, ...]
    module: bool
    trait: str = ""

    @property
    def parts(self) -> list[str]:
        """The changer's own parts, the letter first."""
        return sequence.decode(self.raw, ",")

    @property
    def most(self) -> int:
        """How many parts the engine reads of it."""
        return 3 if self.letter == "E" else 2

    @property
    def cut(self) -> bool:
        """Whether some of what is written is lost."""
        return len(self.command) > 3 or len(self.parts) > self.most

    @property
    def letter(self) -> str:
        """What it does: P sets, I adds, R asks, E lets choose."""
        return self.raw[:1]


@dataclass(frozen=True, slots=True)
class Text:
    """An old text with ``$name$`` in it."""

    where: str
    text: str

    @property
    def names(self) -> list[str]:
        """The names between dollar signs."""
        return _DOLLARS.findall(self.text)


@dataclass(frozen=True, slots=True)
class Half:
    """A text where the engine looks for an expression that has one of the two braces only."""

    where: str
    text: str


@dataclass(frozen=True)
class Sources:
    """Everything in a module that reads or changes properties."""

    expressions: tuple[Expression, ...]
    texts: tuple[Text, ...]
    changers: tuple[Changer, ...]
    halves: tuple[Half, ...]


@lru_cache(maxsize=1)
def sources(subject: Subject) -> Sources:
    """The sources of a module, matches inside expressions included."""
    values: list[tuple[str, str, bool, bool]] = []
    changers = list(_changers(subject))
    for found, name, kind, value in typed(subject, Kind.EXPRESSION, Kind.FORMAT):
        outside = subject.inside(found, *MAPS) is None and name not in _OF_PIECES
        values.append((f"{subject.place(found)}, {name}", value, outside, kind is Kind.EXPRESSION))
    for found, name, _, value in typed(subject, Kind.TEXT):
        if name in ("propertyGate", "whileExpression", "untilExpression"):
            values.append((f"{subject.place(found)}, {name}", value, subject.inside(found, *MAPS) is None, True))
    for definition in subject.definitions:
        for where, trait in definition.traits():
            if trait.id in CHANGERS or trait.id in _NO_FORMATS:
                continue
            for name, value in fields_of(trait).items():
                if name == "piece":
                    continue
                # Key commands are told from formats by what the field is for.
                strict = name in ("filter", "expression", "property", "while", "until", "zone", "region", "grid_location", "x", "y")
                values.append((where, value, False, strict))
    for changer in changers:
        # What is cut says nothing whole.
        for value in () if changer.cut else changer.parts[1:]:
            values.append((changer.where, value, changer.module, True))
    expressions: list[Expression] = []
    texts: list[Text] = []
    halves: list[Half] = []
    for where, value, outside, strict in values:
        value = value.strip()
        if is_expression(value):
            expressions += with_matches(Expression(where, inside(value), outside))
        elif strict and (value.startswith("{") or value.endswith("}")):
            halves.append(Half(where, value))
        elif "$" in value:
            texts.append(Text(where, value))
    return Sources(tuple(expressions), tuple(texts), tuple(changers), tuple(halves))


def _changers(subject: Subject) -> Iterator[Changer]:
    for found, name, _, value in typed(subject, Kind.CHANGER):
        up = subject.parent(found)
        outside = subject.inside(found, *MAPS) is None
        owner = up.get("name") if up is not None and engine.short(up).startswith("module.properties.") else ""
        yield Changer(f"{subject.place(found)}, {name}", owner, value, ("", found.get("hotkey"), value), outside)
    for definition in subject.definitions:
        for where, trait in definition.traits():
            if trait.id not in CHANGERS:
                continue
            fields = fields_of(trait)
            commands = fields.get("commands", "")
            for command in sequence.decode(commands, ",") if commands else ():
                parts = tuple(sequence.decode(command, ":"))
                raw = parts[2] if len(parts) > 2 else ""
                yield Changer(where, fields.get("name", ""), raw, parts, False, trait.id)
