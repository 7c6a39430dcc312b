"""Expressions and property changers: what the engine reads otherwise than it is written, mostly without a word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from modgen.formats.vassal import grid as grids
from modgen.formats.vassal.validate.beanshell import NOT_NAMES, Call, Expression, Token, calls, names_read, syntax_fault
from modgen.formats.vassal.validate.model import Check, Found, Severity, Subject, listed, quoted
from modgen.formats.vassal.validate.sources import Changer, sources
from modgen.formats.vassal.validate.structure import key_fault

_FUNCTIONS: Mapping[str, tuple[int, int]] = {
    "If": (3, 3),
    "SumStack": (1, 2),
    "CountStack": (0, 2),
    "MaxAttach": (2, 2),
    "MinAttach": (2, 2),
    "SumAttach": (2, 3),
    "CountAttach": (2, 3),
    "GetAttachProperty": (2, 3),
    "SumMat": (1, 2),
    "CountMat": (1, 2),
    "SumLocation": (1, 4),
    "CountLocation": (0, 4),
    "SumMap": (1, 3),
    "CountMap": (0, 3),
    "SumZone": (1, 4),
    "CountZone": (0, 4),
    "Sum": (2, 3),
    "Count": (1, 2),
    "Range": (1, 5),
    "RangePx": (1, 5),
    "SumRange": (3, 4),
    "SumRangePx": (3, 4),
    "CountRange": (2, 4),
    "CountRangePx": (2, 4),
    "Alert": (1, 2),
    "Audit": (1, 3),
    "Sleep": (1, 1),
    "GetProperty": (1, 1),
    "GetString": (1, 1),
    "GetLocalizedProperty": (1, 1),
    "GetMapProperty": (2, 2),
    "GetZoneProperty": (2, 3),
    "Random": (1, 2),
    "IsRandom": (0, 1),
}
"""The engine's functions -> least and most arguments."""
_FAILING_METHODS = {"charAt": "substring(n, n+1)", "split": "indexOf and substring", "format": "texts joined with +"}
_HERE_ONLY = ("SumStack", "CountStack", "SumRange", "SumRangePx", "CountRange", "CountRangePx", "SumMat", "CountMat")
_MATCHES: Mapping[str, Mapping[int, int]] = {
    # function -> number of arguments -> which of them is the match
    "SumStack": {2: 1},
    "CountStack": {2: 1},
    "SumLocation": {4: 3},
    "CountLocation": {4: 3},
    "SumMap": {3: 2},
    "CountMap": {3: 2},
    "SumZone": {4: 3},
    "CountZone": {4: 3},
    "Sum": {2: 1, 3: 1},
    "Count": {1: 0, 2: 0},
    "SumRange": {4: 3},
    "SumRangePx": {4: 3},
    "CountRange": {4: 3},
    "CountRangePx": {4: 3},
}
_MAPS: Mapping[str, Mapping[int, int]] = {
    "SumMap": {3: 1},
    "Sum": {3: 2},
    "Count": {2: 1},
    "SumLocation": {3: 2, 4: 2},
    "CountLocation": {4: 1},
    "SumZone": {3: 2, 4: 2},
    "CountZone": {4: 1},
    "CountMap": {3: 0},
    "GetMapProperty": {2: 1},
    "GetZoneProperty": {3: 2},
    "Range": {5: 4},
    "RangePx": {5: 4},
}
_ZONES: Mapping[str, Mapping[int, int]] = {
    "SumZone": {3: 1, 4: 1},
    "CountZone": {4: 0},
    "GetZoneProperty": {2: 1, 3: 1},
}
LOCATIONS = frozenset({"LocationName", "OldLocationName"})
_COMPARES = frozenset({"==", "!=", "<", ">", "<=", ">="})


def _each(subject: Subject) -> Iterator[tuple[Expression, tuple[Token, ...]]]:
    for found in sources(subject).expressions:
        if not syntax_fault(found.text):
            yield found, found.tokens


def _called(subject: Subject) -> Iterator[tuple[Expression, Call]]:
    for found, parts in _each(subject):
        for call in calls(parts):
            yield found, call


def _shown(found: Expression) -> str:
    return quoted("{" + found.text + "}", 90)


def _syntax(subject: Subject) -> Iterator[Found]:
    for half in sources(subject).halves:
        yield Found(half.where, f"{quoted(half.text)} has one brace of two and is read as plain text", "{...} around the whole expression")
    for found in sources(subject).expressions:
        if fault := syntax_fault(found.text):
            yield Found(found.where, f"the expression {_shown(found)} {fault}", "every bracket and quote closed")


def _single(subject: Subject) -> Iterator[Found]:
    for found, parts in _each(subject):
        bad = next((token for token in parts if token.kind == "single"), None)
        if bad is not None:
            what = f"the expression {_shown(found)} has {bad.text} in single quotes, which is no text: the engine cannot work it out"
            yield Found(found.where, what, 'double quotes, written \\" inside a match')


def _functions(subject: Subject) -> Iterator[Found]:
    for found, call in _called(subject):
        if call.method:
            if call.name in _FAILING_METHODS:
                yield Found(found.where, f"{call.name}() fails in the engine's expressions: {_shown(found)}", _FAILING_METHODS[call.name])
        elif call.name not in _FUNCTIONS and call.name not in NOT_NAMES:
            yield Found(found.where, f"there is no function {call.name}: {_shown(found)}", listed(_FUNCTIONS, 40))
    for found, parts in _each(subject):
        if any(token == Token("name", "import") for token in parts):
            yield Found(found.where, f"import fails in the engine's expressions: {_shown(found)}", "the functions that are there")


def _arguments(subject: Subject) -> Iterator[Found]:
    for found, call in _called(subject):
        least, most = _FUNCTIONS.get(call.name, (0, 99))
        if not call.method and not least <= len(call.args) <= most:
            wanted = f"{least}" if least == most else f"{least} to {most}"
            yield Found(found.where, f"{call.name} has {len(call.args)} arguments: {_shown(found)}", wanted)


def _no_map(subject: Subject) -> Iterator[Found]:
    maps = {each.name for each in subject.module.maps}
    for found, call in _called(subject):
        if not found.module or call.method:
            continue
        plain = [call.literal(index) for index in range(len(call.args))]
        if call.name in ("SumMap", "CountMap"):
            # Of a map given by something else than a text nothing is known.
            lost = all(text is not None and text not in maps for text in plain[call.name == "SumMap" :])
        elif call.name in ("SumLocation", "SumZone"):
            lost = len(call.args) < 3
        elif call.name in ("CountLocation", "CountZone"):
            lost = len(call.args) < 2
        elif call.name in ("Range", "RangePx"):
            lost = len(call.args) < 5
        elif call.name == "GetZoneProperty":
            lost = len(call.args) < 3
        else:
            lost = call.name in _HERE_ONLY
        if lost:
            what = f"{call.name} without a map is 0 where no piece asks: {_shown(found)}"
            yield Found(found.where, what, f"a map's name: {listed(sorted(maps))}")


def _two_arguments(subject: Subject) -> Iterator[Found]:
    for found, call in _called(subject):
        if call.method or call.name not in ("SumLocation", "SumZone") or len(call.args) != 2:
            continue
        text = call.literal(1)
        if text is None or not text.startswith("{"):
            what = f"the second of two arguments of {call.name} is read as a match, not as a place: {_shown(found)}"
            yield Found(found.where, what, f"{call.name}(property, place, map)")


def _old_matches(subject: Subject) -> Iterator[Found]:
    for found, call in _called(subject):
        index = _MATCHES.get(call.name, {}).get(len(call.args))
        text = call.literal(index) if index is not None and not call.method else None
        if text is not None and not text.startswith("{") and re.search(r"[=<>~]", text):
            yield Found(
                found.where, f"the match {quoted(text)} is in the old form, which {call.name} finds nothing with", '"{Name==\\"value\\"}"'
            )


def _places(subject: Subject) -> Iterator[Found]:
    maps = {each.name for each in subject.module.maps}
    zones = {found.get("name") for found in subject.all("module.map.boardPicker.board.mapgrid.Zone")}
    for found, call in _called(subject):
        if call.method:
            continue
        for what, table, known in (("map", _MAPS, maps), ("zone", _ZONES, zones)):
            index = table.get(call.name, {}).get(len(call.args))
            text = call.literal(index) if index is not None else None
            if text is not None and text not in known and not text.startswith("{") and "$" not in text:
                yield Found(found.where, f"{call.name} asks for the {what} {quoted(text)}, which is not there", listed(sorted(known), 12))


def _dollars(subject: Subject) -> Iterator[Found]:
    for found, parts in _each(subject):
        if found.match:
            continue
        for token in parts:
            plain = token.kind == "text" and not token.value.startswith("{") and re.search(r"\$[A-Za-z_][\w ]*\$", token.value)
            if plain or (token.kind == "name" and "$" in token.text):
                yield Found(
                    found.where, f"{token.text} keeps its dollar signs in the expression {_shown(found)}", "the bare name of the property"
                )
                break
    for changer in sources(subject).changers:
        for value in changer.parts[1:]:
            if changer.letter == "P" and not value.startswith("{") and value.count("$") % 2:
                yield Found(changer.where, f"the value {quoted(value)} loses its dollar sign", "a value without $, or $name$")


def has_zeros(subject: Subject) -> bool:
    """Whether any place of the module's maps has a name of digits with a zero in front."""
    for each in subject.module.maps:
        for board in each.boards:
            for found in grids.hex_grids(board.grid):
                if any(re.fullmatch(r"0\d+", name) for name in found.names()):
                    return True
    return False


def keeps_zeros(subject: Subject) -> bool:
    """Whether the module's options keep the zeros in front of numbers."""
    return any(found.get("storeLeadingZeroIntegersAsStrings") == "true" for found in subject.all("module.GlobalOptions"))


def _zeros(subject: Subject) -> Iterator[Found]:
    if keeps_zeros(subject) or not has_zeros(subject):
        return
    reads = next((found for found, parts in _each(subject) if LOCATIONS & set(names_read(parts))), None)
    where = next((subject.place(found) for found in subject.all("module.GlobalOptions")), f"{subject.build_file}: GlobalOptions")
    what = "storeLeadingZeroIntegersAsStrings is not true: in expressions a hex 0309 is the number 309"
    if reads is not None:
        yield Found(where, f"{what}, as in {_shown(reads)}", "true")
    else:
        yield Found(where, f"{what}; no expression of the module reads one", "true", Severity.NOTE)


def _get_property(subject: Subject) -> Iterator[Found]:
    for found, call in _called(subject):
        if not call.method and call.name == "GetProperty" and call.literal(0) in LOCATIONS:
            yield Found(found.where, f"GetProperty takes the zeros from a hex number: {_shown(found)}", "GetString, or the bare name")


def _location_numbers(subject: Subject) -> Iterator[Found]:
    keeps = keeps_zeros(subject)
    for found, parts in _each(subject):
        for before, sign, after in zip(parts, parts[1:], parts[2:], strict=False):
            pair = {before.text, after.text}
            if sign.kind != "sign" or sign.text not in _COMPARES or not pair & LOCATIONS:
                continue
            other = after if before.text in LOCATIONS else before
            if other.kind == "number" and keeps:
                yield Found(
                    found.where, f"a place is a text and never equals the number {other.text}: {_shown(found)}", f'"{other.text}" in quotes'
                )
            elif other.kind == "text" and not keeps and re.fullmatch(r"0\d+", other.value):
                yield Found(
                    found.where,
                    f"a place loses its zeros and never equals {other.text}: {_shown(found)}",
                    "storeLeadingZeroIntegersAsStrings",
                )


def _empty_text(subject: Subject) -> Iterator[Found]:
    for found, parts in _each(subject):
        for one, other in pairwise(parts):
            if one == Token("text", '""') and other == Token("sign", "+"):
                what = f'"" is as nothing when numbers are added: {_shown(found)} adds them up'
                yield Found(found.where, what, "a text with a sign in it, or String.valueOf(name)+...")
                break


def _octal(subject: Subject) -> Iterator[Found]:
    for found, parts in _each(subject):
        for token in parts:
            if token.kind == "number" and re.fullmatch(r"0\d+", token.text):
                yield Found(found.where, f"the number {token.text} is an error: {_shown(found)}", f'"{token.text}" in quotes')
                break


def _negation(subject: Subject) -> Iterator[Found]:
    for found, parts in _each(subject):
        for index, (one, other) in enumerate(pairwise(parts)):
            after = parts[index + 2].text if index + 2 < len(parts) else ""
            if one == Token("sign", "!") and other.kind == "name" and after not in ("(", "."):
                yield Found(found.where, f"!{other.text} is an error where the property is missing: {_shown(found)}", f"{other.text}!=true")
                break


def _assignment(subject: Subject) -> Iterator[Found]:
    for found, parts in _each(subject):
        if any(token == Token("sign", "=") for token in parts):
            yield Found(found.where, f"a single = in an expression changes no property and compares nothing: {_shown(found)}", "==")


# -- changers


def _letters(subject: Subject) -> Iterator[Found]:
    for found in sources(subject).changers:
        if found.raw and found.letter not in ("P", "I", "R", "E"):
            yield Found(
                found.where, f"the changer {quoted(found.raw)} begins with none of its letters", "P set, I add, R ask, E choose from a list"
            )


def _commas(subject: Subject) -> Iterator[Found]:
    for found in sources(subject).changers:
        if found.letter in ("P", "I", "R", "E") and len(found.parts) > found.most and len(found.command) <= 3:
            lost = quoted(",".join(found.parts[found.most :]))
            yield Found(found.where, f"the changer {quoted(found.raw)} is cut at a comma: {lost} is lost", "\\, for a comma inside")


def _colons(subject: Subject) -> Iterator[Found]:
    for found in sources(subject).changers:
        if len(found.command) > 3 and not _swallowed(found):
            lost = quoted(":".join(found.command[3:]))
            what = f"the command of {quoted(found.name)} has more than MENU:KEY:CHANGER: {lost} is lost"
            yield Found(found.where, what, "\\: for a colon inside")
        elif found.trait and len(found.command) < 3:
            yield Found(found.where, f"the command {quoted(':'.join(found.command))} lacks its changer", "MENU:KEY:CHANGER")


def _swallowed(found: Changer) -> bool:
    """Whether a command ended in a backslash, which has escaped the comma before the next one."""
    return len(found.command) > 4 and len(found.parts) > 2 and key_fault(found.command[3]) == ""


def _backslashes(subject: Subject) -> Iterator[Found]:
    for found in sources(subject).changers:
        if found.raw.endswith("\\") or _swallowed(found):
            yield Found(
                found.where, f"the value {quoted(found.raw)} ends in a backslash, which swallows the command behind it", "another last sign"
            )


def _constants(subject: Subject) -> Iterator[Found]:
    """A button that sets a property to what it is already logs nothing; a piece's trait does."""
    for found in sources(subject).changers:
        if (
            not found.trait
            and found.letter == "P"
            and len(found.parts) > 1
            and not found.parts[1].startswith("{")
            and "$" not in found.parts[1]
        ):
            yield Found(
                found.where,
                f"the button sets {quoted(found.name)} to {quoted(found.parts[1])}; pressed again, it leaves no trace in the log",
            )


CHECKS = (
    Check(
        "expression-syntax", Severity.ERROR, "expressions have their braces, brackets and quotes", "the engine cannot read them", _syntax
    ),
    Check(
        "expression-quotes", Severity.ERROR, "texts in expressions are in double quotes", "a match in single quotes is an error", _single
    ),
    Check("expression-function", Severity.ERROR, "functions in expressions exist", "the engine cannot work them out", _functions),
    Check(
        "expression-arguments",
        Severity.ERROR,
        "functions have as many arguments as they take",
        "the engine cannot work them out",
        _arguments,
    ),
    Check("expression-map", Severity.WARNING, "sums of buttons name their map", "they are 0", _no_map),
    Check("expression-place", Severity.ERROR, "maps and zones that expressions name exist", "the sum is 0", _places),
    Check("expression-location", Severity.WARNING, "sums over a place name its map too", "the place is taken for a match", _two_arguments),
    Check("expression-match", Severity.WARNING, "matches are expressions", "one in the old form finds nothing", _old_matches),
    Check("expression-dollars", Severity.WARNING, "$name$ stands only where it is replaced", "it stays as it is, or vanishes", _dollars),
    Check("expression-octal", Severity.ERROR, "no number begins with 0", "the engine takes it for an octal one and fails", _octal),
    Check("expression-not", Severity.WARNING, "! stands before no property", "an error where it is missing", _negation),
    Check("expression-assign", Severity.WARNING, "comparisons are written ==", "a single = changes nothing", _assignment),
    Check("expression-empty", Severity.WARNING, 'no text is made with ""+', "the engine adds the numbers", _empty_text),
    Check("zeros-kept", Severity.WARNING, "hex numbers keep their zeros in expressions", "0309 becomes 309", _zeros),
    Check("zeros-get", Severity.WARNING, "hexes are not read by GetProperty", "it takes the zeros away in any case", _get_property),
    Check("zeros-compared", Severity.WARNING, "places are compared as they are kept", "they never agree", _location_numbers),
    Check("changer-letter", Severity.ERROR, "property changers begin with P, I, R or E", "the engine does nothing", _letters),
    Check("changer-comma", Severity.ERROR, "commas inside changers are escaped", "the value is cut without a word", _commas),
    Check("changer-colon", Severity.ERROR, "key commands of properties have three parts", "the value is cut without a word", _colons),
    Check("changer-backslash", Severity.ERROR, "no value ends in a backslash", "the next command of the trait is dead", _backslashes),
    Check(
        "changer-constant", Severity.NOTE, "buttons set properties to something new", "nothing is logged when it is the same", _constants
    ),
)
