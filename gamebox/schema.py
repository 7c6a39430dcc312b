"""The types of cells: what ``game.toml`` may say of a column, and how a cell is read. Pure.

A type is written ``BASE`` or ``BASE | BASE``, with ``?`` at its end when the cell may be empty. Bases:

    text            any text on one line or more
    int  int(1..6)  whole number, with optional bounds
    flag            1 or 0
    value           whole number if it looks like one, else text
    decimal         number with a decimal point (kept as text)
    hex             a hex name of the game's grid
    hexes           hex names with blanks between them
    id              piece id (see ``gamebox.ids``)
    colour          #rrggbb
    enum(a, b)      one of these words; their order sorts the table
    ref(T, U)       a key of table T or U
    list(BASE)      items with ``;`` between them; ``list`` alone: texts
    points          places on a plane, ``x,y`` with blanks between them
    source          what the row rests on; source(a, b): what columns a and b rest on

``restored`` undoes what spreadsheets do to such cells (0112 turned into 112, 4-8 into a date, 1:3 into a time, 1 into 1.0).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from gamebox.ids import SYNTAX, is_piece_id
from gamebox.model import Source, SourceKind, Value

BASES = ("text", "int", "flag", "value", "decimal", "hex", "hexes", "id", "colour", "enum", "ref", "list", "points", "source")
_NAME = re.compile(r"[a-z]+")
_BOUNDS = re.compile(r"(-?\d*)\.\.(-?\d*)")
_INT = re.compile(r"-?\d{1,18}", re.ASCII)
_DECIMAL = re.compile(r"-?\d+(\.\d+)?", re.ASCII)
_COLOUR = re.compile(r"#[0-9a-f]{6}", re.ASCII)
_POINT = re.compile(r"-?\d{1,9}(\.\d{1,6})?,-?\d{1,9}(\.\d{1,6})?", re.ASCII)


class SchemaError(ValueError):
    """A column's type in ``game.toml`` is not in the grammar above."""


class CellError(ValueError):
    """A cell is not what its column allows; the message says what is wrong and what is allowed."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One alternative of a column's type."""

    base: str
    words: tuple[str, ...] = ()
    """enum: the words; ref: the tables; source: the columns it serves (none: all others)."""
    low: int | None = None
    high: int | None = None
    item: ColumnType | None = None
    """list: the type of its items."""

    @property
    def allowed(self) -> str:
        """What a cell of this kind may be, in words."""
        if self.base == "int":
            if self.low is not None and self.high is not None:
                return f"a whole number from {self.low} to {self.high}"
            return "a whole number" + (
                f" from {self.low}" if self.low is not None else f" up to {self.high}" if self.high is not None else ""
            )
        if self.base == "list":
            return "a list with `;` between its items" + (f", each {self.item.allowed}" if self.item else "")
        return {
            "text": "text",
            "flag": "1 or 0",
            "value": "a number or a text",
            "decimal": "a number with a decimal point",
            "hex": "a hex of the grid",
            "hexes": "hexes of the grid with blanks between them",
            "id": f"a piece id ({SYNTAX})",
            "colour": "a colour as #rrggbb in lower case",
            "points": "points as x,y with blanks between them, such as 0,0 12.5,3",
            "enum": ", ".join(self.words),
            "ref": "a key of " + " or ".join(self.words),
            "source": ", ".join(kind for kind in SourceKind) + ", then the sections or the reason",
        }[self.base]


@dataclass(frozen=True, slots=True)
class ColumnType:
    """The type of a column: its alternatives, and whether a cell may be empty."""

    kinds: tuple[Kind, ...]
    optional: bool = False

    @property
    def allowed(self) -> str:
        """What a cell may be, in words."""
        return " or ".join(kind.allowed for kind in self.kinds) + (" or empty" if self.optional else "")

    @property
    def many(self) -> bool:
        """Whether a cell holds a list."""
        return any(kind.base in ("list", "hexes", "points") for kind in self.kinds)

    @property
    def is_source(self) -> bool:
        """Whether the column says what others rest on."""
        return self.kinds[0].base == "source"

    @property
    def order(self) -> tuple[str, ...]:
        """The words of an enum in their order, for sorting; () for other types."""
        return self.kinds[0].words if self.kinds[0].base == "enum" else ()


@dataclass(frozen=True, slots=True)
class Scope:
    """What cells are checked against: the names of the grid's hexes, and the keys of every table."""

    hexes: frozenset[str] | None = None
    keys: dict[str, frozenset[str]] = field(default_factory=dict)
    """Tables that are not in it are not checked (their own errors are reported already)."""
    numbered: frozenset[str] = frozenset()
    """The tables whose only key column is a whole number: references to them are read as numbers."""


def parse_type(text: str) -> ColumnType:
    """Reads a column's type. Raises SchemaError."""
    body = text.strip()
    optional = body.endswith("?")
    if optional:
        body = body[:-1]
    kinds, rest = _alternatives(body)
    if rest:
        raise SchemaError(f"`{text}`: `{rest}` is too much; allowed: {', '.join(BASES)}, alternatives with `|`, `?` at the end")
    if len(kinds) > 1 and any(kind.base in ("list", "hexes", "points", "source") for kind in kinds):
        raise SchemaError(f"`{text}`: list, hexes, points and source stand alone; allowed: alternatives inside list( )")
    return ColumnType(kinds, optional)


def read_cell(kind: ColumnType, text: str, scope: Scope) -> Value:
    """The value of a cell: None or () when empty.

    Raises CellError with what is wrong, what is allowed, and the way back from a spreadsheet's damage.
    """
    if not text:
        if kind.optional:
            return () if kind.many else None
        raise CellError(f"is empty; allowed: {kind.allowed}")
    complaint = ""
    for alternative in kind.kinds:
        try:
            return _read(alternative, text, scope)
        except CellError as error:
            complaint = str(error) or complaint
    raise CellError(complaint or _with_fix(kind, text, scope))


def read_source(text: str) -> Source:
    """The value of a source cell. Raises CellError."""
    word, _, rest = text.partition(" ")
    if word not in tuple(SourceKind):
        raise CellError(f"`{_clip(word)}` is no kind of source; allowed: {Kind('source').allowed}")
    if not rest.strip():
        raise CellError(
            f"`{_clip(text)}` does not say where or why; allowed: `{word}` and then the sections, the reason or the owner's name"
        )
    return Source(SourceKind(word), rest.strip())


def restored(kind: ColumnType, text: str, scope: Scope) -> tuple[str, str] | None:
    """What the cell was before a spreadsheet changed it, and what was done to it; None when that is not certain.

    Certain means: the cell is not allowed as it stands, and exactly one way back gives an allowed one.
    """
    if _fits(kind, text, scope):
        return None
    found = _ways_back(kind, text, scope)
    return next(iter(found.items())) if len(found) == 1 else None


_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan jän january januar janv",
            "feb february februar févr fév",
            "mar mär mrz march märz mars",
            "apr april avr",
            "may mai",
            "jun june juni juin",
            "jul july juli juil",
            "aug august août",
            "sep sept september",
            "oct okt october oktober",
            "nov november",
            "dec dez december dezember déc",
        ),
        start=1,
    )
    for name in names.split()
}
_DAY_MONTH = re.compile(r"(\d{1,2})[-. /]+([^\W\d_]+)\.?")
_MONTH_DAY = re.compile(r"([^\W\d_]+)\.?[-. /]+(\d{1,4})")
_ISO_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ]00:00(?::00)?)?")
_DATE = re.compile(r"(\d{1,2})[./-](\d{1,2})[./-](\d{2,4})")
_TIME = re.compile(r"(\d{1,2}):(\d\d)(?::00)?(?: ?[AaPp]\.?[Mm]\.?)?")
_POINT_ZERO = re.compile(r"(-?\d+)[.,]0+")
_SCIENTIFIC = re.compile(r"(\d)(?:[.,](\d+))?[Ee]\+?0?(\d)")


def looks_like_date(text: str) -> bool:
    """Whether a text is a day and a month as spreadsheets write them (04-Aug, Aug-04)."""
    found = _DAY_MONTH.fullmatch(text)
    if found:
        return found[2].casefold() in _MONTHS
    found = _MONTH_DAY.fullmatch(text)
    return bool(found) and found is not None and found[1].casefold() in _MONTHS


def damage(text: str) -> Iterator[tuple[str, str]]:
    """Every text that spreadsheets are known to turn into this one, with what they did."""
    quoted = re.fullmatch(r"'(.+)|=\"(.+)\"", text)
    if quoted:
        yield quoted[1] or quoted[2], "a spreadsheet's mark for text was left in"
    if text.casefold() in ("true", "wahr", "vrai", "yes"):
        yield "1", "a spreadsheet made a truth value of it"
    if text.casefold() in ("false", "falsch", "faux", "no"):
        yield "0", "a spreadsheet made a truth value of it"
    number = text
    found = _POINT_ZERO.fullmatch(text)
    if found:
        number = found[1]
        yield number, "a spreadsheet made a decimal number of it"
    found = _SCIENTIFIC.fullmatch(text)
    if found:
        digits = found[2] or ""
        number = (found[1] + digits).ljust(int(found[3]) + 1, "0")
        yield number, "a spreadsheet made a number of it"
    if number.isascii() and number.isdigit():
        for width in range(len(number) + 1, 7):
            yield number.zfill(width), "a spreadsheet dropped the leading zero"
    found = _TIME.fullmatch(text)
    if found:
        yield f"{int(found[1])}:{int(found[2])}", "a spreadsheet made a time of it"
    day = month = year = 0
    found = _DAY_MONTH.fullmatch(text)
    if found and found[2].casefold() in _MONTHS:
        day, month = int(found[1]), _MONTHS[found[2].casefold()]
    found = _MONTH_DAY.fullmatch(text)
    if found and found[1].casefold() in _MONTHS:
        day, month = int(found[2]) % 100, _MONTHS[found[1].casefold()]
    found = _ISO_DATE.fullmatch(text)
    if found:
        year, month, day = int(found[1]) % 100, int(found[2]), int(found[3])
    found = _DATE.fullmatch(text)
    if found:
        day, month, year = int(found[1]), int(found[2]), int(found[3]) % 100
    if day and month:
        for mark in "-./":
            yield f"{day}{mark}{month}", "a spreadsheet made a date of it"
            yield f"{month}{mark}{day}", "a spreadsheet made a date of it"
        if year:
            yield f"{day}.{month}.{year}", "a spreadsheet made a date of it"


def _clip(text: str) -> str:
    """A cell as messages show it."""
    return text if len(text) <= 80 else text[:77] + "..."


def _with_fix(kind: ColumnType, text: str, scope: Scope) -> str:
    """The complaint about a cell, with the way back where a spreadsheet spoilt it."""
    if text.startswith("#") and text.rstrip("?!/A").isupper() and kind.kinds[0].base != "colour":
        return f"`{_clip(text)}` is a spreadsheet's error; allowed: {kind.allowed}"
    fixes = _ways_back(kind, text, scope)
    if fixes:
        what = next(iter(fixes.values()))
        return f"`{_clip(text)}`: {what}; write {' or '.join(fixes)} (and format the column as text)"
    hint = ""
    if looks_like_date(text):
        hint = " (a spreadsheet makes dates of values such as 4-8: format the column as text)"
    return f"`{_clip(text)}` is not allowed; allowed: {kind.allowed}{hint}"


def _fits(kind: ColumnType, text: str, scope: Scope) -> bool:
    """Whether a filled cell is allowed; plain text, which anything would be, does not count."""
    for alternative in kind.kinds:
        if alternative.base == "text":
            continue
        try:
            _read(alternative, text, scope)
        except CellError:
            continue
        return True
    return False


def _ways_back(kind: ColumnType, text: str, scope: Scope) -> dict[str, str]:
    """The allowed cells that a spreadsheet may have turned into this one, with what it did."""
    found: dict[str, str] = {}
    for was, what in damage(text):
        if _fits(kind, was, scope):
            found.setdefault(was, what)
    return found


def _read(kind: Kind, text: str, scope: Scope) -> Value:
    """The value; raises CellError, with a message only where there is more to say than what is allowed."""
    match kind.base:
        case "text":
            if looks_like_date(text):
                ways = " or ".join(dict.fromkeys(was for was, _ in damage(text) if "-" in was))
                raise CellError(f"`{_clip(text)}`: a spreadsheet made a date of it; write {ways} if that is what it was")
            if text.startswith("=") or (text.startswith("#") and text.rstrip("?!/A").isupper()):
                raise CellError(f"`{_clip(text)}` is a spreadsheet's formula or error; allowed: text")
            return text
        case "int":
            if (
                not _INT.fullmatch(text)
                or (kind.low is not None and int(text) < kind.low)
                or (kind.high is not None and int(text) > kind.high)
            ):
                raise CellError
            if str(int(text)) != text:
                raise CellError(f"`{_clip(text)}` is written with needless zeros; write {int(text)}")
            return int(text)
        case "flag":
            if text not in ("0", "1"):
                raise CellError
            return int(text)
        case "value":
            return int(text) if _INT.fullmatch(text) and str(int(text)) == text else text
        case "decimal":
            if not _DECIMAL.fullmatch(text):
                raise CellError
            return text
        case "hex":
            if scope.hexes is not None and text not in scope.hexes:
                raise CellError
            return text
        case "hexes":
            return _items(ColumnType((Kind("hex"),)), text.split(), scope)
        case "points":
            points = tuple(text.split())
            for point in points:
                if not _POINT.fullmatch(point):
                    raise CellError(f"`{_clip(point)}` is no point; allowed: {kind.allowed}")
            return points
        case "id":
            if not is_piece_id(text):
                raise CellError
            return text
        case "colour":
            if not _COLOUR.fullmatch(text):
                raise CellError
            return text
        case "enum":
            if text not in kind.words:
                raise CellError
            return text
        case "ref":
            if all(text not in scope.keys.get(table, frozenset((text,))) for table in kind.words):
                raise CellError
            numbered = any(table in scope.numbered for table in kind.words) and _INT.fullmatch(text)
            return int(text) if numbered else text
        case "list":
            parts = [part.strip() for part in text.split(";")]
            return _items(kind.item or ColumnType((Kind("text"),)), parts, scope)
        case _:
            return str(read_source(text))


def _items(item: ColumnType, parts: list[str], scope: Scope) -> tuple[str, ...]:
    found: list[str] = []
    for part in parts:
        try:
            value = read_cell(item, part, scope)
        except CellError as error:
            raise CellError(f"an item {error}" if not part else str(error)) from None
        if str(value) in found:
            raise CellError(f"`{_clip(part)}` stands twice in the list; allowed: each item once")
        found.append(str(value))
    return tuple(found)


def _alternatives(text: str) -> tuple[tuple[Kind, ...], str]:
    kinds: list[Kind] = []
    rest = text
    while True:
        kind, rest = _base(rest.strip())
        kinds.append(kind)
        rest = rest.strip()
        if not rest.startswith("|"):
            return tuple(kinds), rest
        rest = rest[1:]


def _base(text: str) -> tuple[Kind, str]:
    found = _NAME.match(text)
    base = found[0] if found else ""
    if base not in BASES:
        raise SchemaError(f"`{text}` is no type; allowed: {', '.join(BASES)}")
    rest = text[len(base) :]
    if not rest.startswith("("):
        if base in ("enum", "ref"):
            raise SchemaError(f"`{base}` needs its words in brackets: {base}(a, b)")
        return Kind(base), rest
    inside, rest = _brackets(rest, text)
    if base == "list":
        kinds, more = _alternatives(inside)
        if more or any(kind.base in ("list", "hexes", "points", "source") for kind in kinds):
            raise SchemaError(f"`{text}`: allowed inside list( ): one or more plain types")
        return Kind(base, item=ColumnType(kinds)), rest
    if base == "int":
        bounds = _BOUNDS.fullmatch(inside)
        if not bounds:
            raise SchemaError(f"`{text}`: allowed: int(1..6), int(0..), int(..9)")
        return Kind(base, low=int(bounds[1]) if bounds[1] else None, high=int(bounds[2]) if bounds[2] else None), rest
    if base not in ("enum", "ref", "source"):
        raise SchemaError(f"`{base}` takes nothing in brackets")
    words = tuple(word.strip() for word in inside.split(","))
    if not all(words) or len(set(words)) != len(words):
        raise SchemaError(f"`{text}`: empty or repeated word; allowed: {base}(a, b)")
    return Kind(base, words), rest


def _brackets(text: str, whole: str) -> tuple[str, str]:
    depth = 0
    for at, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return text[1:at], text[at + 1 :]
    raise SchemaError(f"`{whole}`: a bracket is not closed")
