"""Positions as readable text, and back: ``parse_position(book, position_text(book, p)) == p``, exactly.

One fact a line, in the order of the position's fields; what belongs to units stands on one line a unit, at the end::

    position 1
    turn 3
    agenda retreat soviet su-1-rom,su-4-rom
    holders 2723=Soviet 2015=German
    rates [2,0]
    unit su-1-gds-inf 2714 moved abroad=3

    sealed red hand knife,rope
    sealed red unit guard-3 cellar tired

The first line is the version of this form. ``agenda`` lines come bottom first; the last one is what waits for an answer. A field
that its game's ``Layout`` does not name is JSON; one that it calls ``later`` is left out at its default. Lines that
are empty or begin with ``#`` are skipped when read. What only some may see (``Layout.sealed``) stands on lines of its own, the
holder after the field's name, in the same form; ``sealed blue -`` where nothing of it is known, as in the view of somebody else.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar, get_type_hints

import msgspec

from referee.rules.book import Book
from referee.rules.layout import NUMBER, PLACE, PLACES, UNIT, UNITS, Layout, Sealed
from referee.rules.model import Frame, Position

P = TypeVar("P", bound=Position)

VERSION = 1
"""The version of the text form."""


class PositionError(ValueError):
    """A text that is no position: ``where:line:column: what is wrong, what is allowed``."""


def position_text(book: Book[P], p: P) -> str:
    """The position as text, one fact a line. The same position always gives the same text."""
    return "\n".join((f"position {VERSION}", *_Form(book.game.layout).lines(p))) + "\n"


def digest(book: Book[P], p: P) -> str:
    """SHA-256 over the position's text, in hex: equal for equal positions, whatever led to them."""
    return hashlib.sha256(position_text(book, p).encode()).hexdigest()


def parse_position(book: Book[P], text: str, where: str = "position") -> P:
    """The position that the text tells.

    Raises PositionError for anything that is no position of this game's form; whether it keeps the game's invariants is
    ``book.broken``'s to say.
    """
    found: P = _Reading(_Form(book.game.layout), type(book.game.start()), where).read(text)
    return found


def left_out(layout: Layout, p: Position) -> tuple[str, ...]:
    """The holders of whose hidden facts the position tells nothing, as a view does of the others'; () for a whole position."""
    found: list[str] = []
    for field, sealed in layout.sealed.items():
        for holder, value in zip(sealed.holders, getattr(p, field), strict=True):
            if value == sealed.kind() and holder not in found:
                found.append(holder)
    return tuple(found)


def field_texts(layout: Layout, p: Position) -> dict[str, str]:
    """Field -> its value as the position's text has it, of everything that is no unit's and not the agenda."""
    form = _Form(layout)
    skipped = {"agenda", *form.of_units}
    return {field: form.value(field, getattr(p, field)) for field in p.__struct_fields__ if field not in {*skipped, *layout.sealed}}


def frame_text(layout: Layout, frame: Frame) -> tuple[str, ...]:
    """The items of a frame's data as the position's text has them; ``-`` for none."""
    return tuple(_Form(layout).frame(frame).split(" ")[3:])


_FALLBACK = "json"
_NOTHING, _EMPTY, _WHOLE = "-", "empty", "json"
"""What may stand instead of a sealed line: nothing is known; known, and all of it as usual; one that has no lines, as JSON."""


def _kinds(layout: Layout, step: str, items: int) -> tuple[str, ...]:
    """What each item of a frame's data is; the last ones may be left out."""
    kinds = layout.data.get(step, ())
    return kinds[:items] if items <= len(kinds) else (_FALLBACK,) * items


class _Form:
    """One layout, both ways."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.of_units = {*((layout.at,) if layout.at else ()), *layout.values, *layout.marks, *layout.notes}
        self.units = {name: i for i, name in enumerate(layout.units)}
        self.places = {name: i for i, name in enumerate(layout.places)}
        self.called = {word: (field, n) for field, (names, _) in layout.values.items() for n, word in enumerate(names)}

    def lines(self, p: msgspec.Struct) -> Iterator[str]:
        usual = {field.name: field.default for field in msgspec.structs.fields(p)} if self.layout.later else {}
        for field in p.__struct_fields__:
            if field in self.of_units:
                continue
            value = getattr(p, field)
            if field in self.layout.later and value == usual[field]:
                continue
            if field == "agenda":
                yield from (self.frame(frame) for frame in value)
            elif field in self.layout.sealed:
                yield from self.sealed_lines(field, self.layout.sealed[field], value)
            else:
                yield f"{field} {self.value(field, value)}"
        if self.of_units:
            yield from self.unit_lines(p)

    def sealed_lines(self, field: str, sealed: Sealed, values: Iterable[msgspec.Struct]) -> Iterator[str]:
        form = _Form(sealed.layout)
        for holder, value in zip(sealed.holders, values, strict=True):
            head = f"{field} {holder}"
            if value == sealed.kind():
                yield f"{head} {_NOTHING}"
            elif sealed.layout.at and len(getattr(value, sealed.layout.at)) != len(sealed.layout.units):  # no table of places: as it is
                yield f"{head} {_WHOLE} {msgspec.json.encode(value).decode()}"
            else:
                yield from (f"{head} {line}" for line in form.lines(value)) if value != form.bare(sealed.kind) else (f"{head} {_EMPTY}",)

    def bare(self, kind: type[msgspec.Struct]) -> msgspec.Struct:
        """The struct of which nothing is told although its table of places is there."""
        layout = self.layout
        return kind(**({layout.at: bytes([layout.absent] * len(layout.units))} if layout.at else {}))

    def value(self, field: str, value: Any) -> str:
        layout = self.layout
        if field in layout.tables:
            keys, words = layout.tables[field]
            return " ".join(f"{key}={words[n]}" for key, n in zip(keys, value, strict=True)) or "-"
        if field in layout.sets:
            bits = layout.sets[field]
            return ",".join(name for i, name in enumerate(bits) if value >> i & 1) or "-"
        if field in layout.names:
            called: str = layout.names[field][value + 1]
            return called
        if field in layout.lists:
            return ",".join(layout.lists[field][n] for n in value) or "-"
        return msgspec.json.encode(value).decode()

    def frame(self, frame: Frame) -> str:
        kinds = _kinds(self.layout, frame.step, len(frame.data))
        words = [self.item(kind, item) for kind, item in zip(kinds, frame.data, strict=True)]
        return " ".join(("agenda", frame.step, ",".join(frame.by) or "-", *words))

    def item(self, kind: str, item: Any) -> str:
        layout = self.layout
        names = layout.units if kind in (UNIT, UNITS) else layout.places
        if kind in (UNITS, PLACES):
            return ",".join(names[n] for n in item) or "-"
        if kind in (UNIT, PLACE):
            return names[item] if item >= 0 else "-"
        return str(item) if kind == NUMBER else msgspec.json.encode(item).decode()

    def unit_lines(self, p: msgspec.Struct) -> Iterator[str]:
        layout = self.layout
        places = getattr(p, layout.at) if layout.at else ()
        marks = [(field, getattr(p, field)) for field in layout.marks]
        notes = {field: dict(getattr(p, field)) for field in layout.notes}
        values = [(getattr(p, field), words, usual) for field, (words, usual) in layout.values.items()]
        for unit, name in enumerate(layout.units):
            words = [called[table[unit]] for table, called, usual in values if table[unit] != usual[unit]]
            words += [field for field, bits in marks if bits >> unit & 1]
            words += [f"{field}={pairs[unit]}" for field, pairs in notes.items() if unit in pairs]
            if layout.at and (words or places[unit] != layout.absent):
                words.insert(0, layout.places[places[unit]])
            if words:
                yield f"unit {name} {' '.join(words)}"


class _Reading:
    """One text being read; knows where it is."""

    def __init__(self, form: _Form, kind: type[Any], where: str) -> None:
        self.form = form
        self.layout = form.layout
        self.kind = kind
        self.where = where
        self.hints: dict[str, Any] = get_type_hints(kind)
        self.number = 0
        self.line = ""

    def read(self, text: str) -> Any:
        layout = self.layout
        agenda: list[Frame] = []
        opened = False
        self.begin()
        hidden = {
            field: {holder: self.below(sealed) for holder in sealed.holders} for field, sealed in layout.sealed.items()
        }
        for self.number, self.line in enumerate(text.splitlines(), 1):
            words = [(match.group(), match.start()) for match in re.finditer(r"\S+", self.line)]
            if not words or words[0][0].startswith("#"):
                continue
            (verb, start), rest = words[0], words[1:]
            if not opened:
                if [w for w, _ in words] != ["position", str(VERSION)]:
                    raise self.error(start, f"a position begins with 'position {VERSION}', not {self.line.strip()[:60]!r}")
                opened = True
            elif verb == "agenda":
                agenda.append(self.frame(rest))
            elif verb in hidden:
                self.sealed(verb, rest, hidden[verb])
            else:
                self.take(verb, start, rest)
        self.number += 1
        self.line = ""
        for field, readings in hidden.items():
            if untold := [holder for holder, reading in readings.items() if not reading.told]:
                raise self.error(0, f"the position ends without {field} of {', '.join(untold)}" if opened else "the text is empty")
            self.found[field] = tuple(reading.sealed_value() for reading in readings.values())
        if missing := [f for f in self.fields if f not in self.found and f != "agenda" and f not in layout.later]:
            raise self.error(0, f"the position ends without {', '.join(missing)}" if opened else "the text is empty")
        self.found["agenda"] = tuple(agenda)
        return self.made()

    def begin(self) -> None:
        """Nothing is read yet."""
        layout = self.layout
        self.found: dict[str, Any] = {}
        self.at = [layout.absent] * len(layout.units)
        self.values = {field: bytearray(usual) for field, (_, usual) in layout.values.items()}
        self.marks = dict.fromkeys(layout.marks, 0)
        self.notes: dict[str, list[tuple[int, int]]] = {field: [] for field in layout.notes}
        self.seen: set[int] = set()
        self.fields = [f for f in self.kind.__struct_fields__ if f not in self.form.of_units]
        self.told = ""
        """Of a sealed value: ``lines`` or the word that stands for all of it."""

    def take(self, verb: str, start: int, rest: list[tuple[str, int]]) -> None:
        """One line of a field or a unit."""
        if verb == "unit" and self.form.of_units:
            self.unit(rest)
        elif verb not in self.fields:
            raise self.error(start, f"{verb!r} is no field of a position; there are: {', '.join((*self.fields, *self.unit_word()))}")
        elif verb in self.found:
            raise self.error(start, f"{verb!r} stands here twice")
        else:
            self.found[verb] = self.value(verb, rest)

    def made(self) -> Any:
        """What all lines together tell."""
        layout, found = self.layout, self.found
        if layout.at:
            found[layout.at] = bytes(self.at) if self.hints[layout.at] is bytes else tuple(self.at)
        found.update((field, bytes(table)) for field, table in self.values.items())
        found.update(self.marks)
        found.update((field, tuple(sorted(pairs))) for field, pairs in self.notes.items())
        return self.kind(**found)

    def below(self, sealed: Sealed) -> _Reading:
        """The reading of what one holder may see."""
        reading = _Reading(_Form(sealed.layout), sealed.kind, self.where)
        reading.begin()
        return reading

    def sealed(self, field: str, words: list[tuple[str, int]], readings: Mapping[str, _Reading]) -> None:
        """One line about what a holder may see."""
        if len(words) < 2:
            raise self.error(len(self.line), f"{field} reads '{field} WHO WHAT ...', or '{field} WHO {_NOTHING}' where nothing is known")
        (holder, column), (verb, start), rest = words[0], words[1], words[2:]
        if holder not in readings:
            raise self.error(column, f"{holder!r} holds no {field}; there are: {', '.join(readings)}")
        reading = readings[holder]
        reading.number, reading.line = self.number, self.line
        alone = verb in (_NOTHING, _EMPTY, _WHOLE)
        if reading.told and (alone or reading.told != "lines"):
            raise self.error(start, f"{verb!r} cannot stand beside what is told of {holder!r} before")
        if alone and verb != _WHOLE and rest:
            raise self.error(rest[0][1], f"{verb!r} stands alone, and {rest[0][0]!r} is left over")
        reading.told = verb if alone else "lines"
        if verb == _WHOLE:
            if not rest:
                raise self.error(len(self.line), f"{field} has no value")
            reading.found[_WHOLE] = self.json(self.line[rest[0][1] :].rstrip(), rest[0][1], reading.kind)
        elif not alone:
            reading.take(verb, start, rest)

    def sealed_value(self) -> Any:
        """What is told of one holder."""
        return self.kind() if self.told == _NOTHING else self.found[_WHOLE] if self.told == _WHOLE else self.made()

    def unit_word(self) -> tuple[str, ...]:
        return ("unit",) if self.form.of_units else ()

    def error(self, column: int, message: str) -> PositionError:
        return PositionError(f"{self.where}:{self.number}:{column + 1}: {message}")

    def index(self, names: Iterable[str], word: str, column: int, what: str) -> int:
        known = names if isinstance(names, Mapping) else {name: i for i, name in enumerate(names)}
        found: int | None = known.get(word)
        if found is None:
            shown = f"; there are: {', '.join(known)}" if len(known) <= 30 else ""
            raise self.error(column, f"{word!r} is no {what}{shown}")
        return found

    def whole(self, word: str, column: int) -> int:
        if not re.fullmatch(r"-?\d{1,9}", word, re.ASCII):
            raise self.error(column, f"{word!r} is no whole number")
        return int(word)

    def unit(self, words: list[tuple[str, int]]) -> None:
        layout = self.layout
        if len(words) < (2 if layout.at else 1):
            raise self.error(len(self.line), f"a unit reads 'unit PIECE {'PLACE ' if layout.at else ''}[MARK ...]'")
        (piece, column), rest = words[0], words[1:]
        unit = self.index(self.form.units, piece, column, "unit of this game")
        if unit in self.seen:
            raise self.error(column, f"{piece!r} stands here twice")
        self.seen.add(unit)
        if layout.at:
            place, column = rest.pop(0)
            self.at[unit] = self.index(self.form.places, place, column, "place of this game")
        called = self.form.called
        for word, column in rest:
            key, _, value = word.partition("=")
            if word in called:
                field, n = called[word]
                self.values[field][unit] = n
            elif word in self.marks:
                self.marks[word] |= 1 << unit
            elif value and key in self.notes:
                self.notes[key].append((unit, self.whole(value, column + len(key) + 1)))
            else:
                allowed = (*called, *self.marks, *(f"{field}=NUMBER" for field in self.notes))
                raise self.error(column, f"{word!r} cannot be said of a unit; there are: {', '.join(allowed)}")

    def frame(self, words: list[tuple[str, int]]) -> Frame:
        if len(words) < 2:
            raise self.error(len(self.line), "an agenda line reads 'agenda STEP WHO [WHAT ...]', WHO '-' for nobody")
        step, by = words[0][0], () if words[1][0] == "-" else tuple(words[1][0].split(","))
        items = words[2:]
        kinds = _kinds(self.layout, step, len(items))
        return Frame(step, by, tuple(self.item(kind, word, column) for kind, (word, column) in zip(kinds, items, strict=True)))

    def item(self, kind: str, word: str, column: int) -> Any:
        names = self.form.units if kind in (UNIT, UNITS) else self.form.places
        what = "unit of this game" if kind in (UNIT, UNITS) else "place of this game"
        if kind in (UNITS, PLACES):
            return () if word == "-" else tuple(self.index(names, name, column, what) for name in word.split(","))
        if kind in (UNIT, PLACE):
            return -1 if word == "-" else self.index(names, word, column, what)
        return self.whole(word, column) if kind == NUMBER else self.json(word, column, int | str | tuple[int, ...])

    def value(self, field: str, words: list[tuple[str, int]]) -> Any:
        layout = self.layout
        if not words:
            raise self.error(len(self.line), f"{field} has no value")
        word, column = words[0]
        if field in layout.tables:
            keys, called = layout.tables[field]
            told = {} if word == "-" else {key: (n, col) for w, col in words for key, _, n in (w.partition("="),)}
            if len(told) < len(words) - (word == "-") or set(told) != set(keys):
                raise self.error(column, f"{field} tells each once, as KEY=VALUE: {', '.join(keys)}")
            return bytes(self.index(called, told[key][0], told[key][1], "value of it") for key in keys)
        if field in layout.names or field in layout.sets or field in layout.lists:
            if len(words) > 1:
                raise self.error(words[1][1], f"{field} takes one value, and {words[1][0]!r} is left over")
            if field in layout.names:
                return self.index(layout.names[field], word, column, f"value of {field}") - 1
            if field in layout.lists:
                listed = () if word == "-" else word.split(",")
                return tuple(sorted(self.index(layout.lists[field], n, column, f"part of {field}") for n in listed))
            bits = () if word == "-" else tuple(self.index(layout.sets[field], n, column, f"part of {field}") for n in word.split(","))
            return sum(1 << n for n in set(bits))
        return self.json(self.line[column:].rstrip(), column, self.hints[field])

    def json(self, text: str, column: int, kind: Any) -> Any:
        decode: Callable[..., Any] = msgspec.json.decode
        try:
            return decode(text, type=kind)
        except (msgspec.DecodeError, UnicodeError) as error:
            raise self.error(column, f"{text[:60]!r} is no value of it: {error}") from None
