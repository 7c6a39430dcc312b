"""How a game is played with the module: options, sides, private windows, turn trackers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from modgen.formats.vassal import engine, sequence
from modgen.formats.vassal.turns import parse_state
from modgen.formats.vassal.validate.model import Check, Found, Severity, Subject, listed, quoted
from modgen.formats.vassal.validate.sources import sources
from modgen.formats.vassal.validate.structure import is_whole
from modgen.formats.vassal.validate.traits import fields_of
from modgen.formats.vassal.xml import Element

_LISTS_OF_SIDES = {
    "module.PrivateMap": "side",
    "module.PlayerHand": "side",
    "module.Inventory": "sides",
    "module.map.DrawPile": "deckOwners",
    "module.chessclockcontrol.ChessClock": "side",
}
_FREE = ("<observer>", "Solitaire", "Solo", "Moderator", "Referee", "Player")
_LEVELS = ("module.turn.CounterTurnLevel", "module.turn.ListTurnLevel")
_SIDE_TEST = re.compile(r'\b[pP]layerSide\s*[!=]=\s*"([^"]*)"|"([^"]*)"\s*[!=]=\s*[pP]layerSide\b')


def _auto_report(subject: Subject) -> Iterator[Found]:
    options = subject.all("module.GlobalOptions")
    if not options:
        yield Found(
            subject.build_file,
            "GlobalOptions is missing: whether moves are reported is left to the engine",
            'autoReport="Always"',
            Severity.NOTE,
        )
    for found in options:
        if "autoReport" not in found.attributes:
            yield Found(subject.place(found), "autoReport is left to the engine", "Always", Severity.NOTE)
        elif found.get("autoReport") != "Always":
            yield Found(
                subject.place(found),
                f"autoReport is {quoted(found.get('autoReport'))}: moves may go unreported, and logs are read by them",
                "Always",
            )


def _move_formats(subject: Subject) -> Iterator[Found]:
    for found in subject.all("module.Map"):
        for name in ("moveWithinFormat", "moveToFormat"):
            if name in found.attributes and not found.get(name).strip():
                yield Found(
                    subject.place(found), f"{name} is empty: moves are not reported", "$pieceName$ moves $previousLocation$ -> $location$ *"
                )


def _roster(subject: Subject) -> Iterator[Found]:
    if not subject.sides:
        yield Found(
            f"{subject.build_file}: PlayerRoster", "names no side: nobody can take one, and masks by side never open", "an <entry> a side"
        )


def _sides_of(subject: Subject) -> Iterator[tuple[str, str]]:
    """(place, side) of every side that is named beside the roster."""
    for found in subject.elements:
        attribute = _LISTS_OF_SIDES.get(engine.short(found))
        if attribute and (engine.short(found) != "module.map.DrawPile" or found.get("deckRestrictAccess") == "true"):
            for side in sequence.decode(found.get(attribute), ","):
                if side:
                    yield subject.place(found), side
    for definition in subject.definitions:
        for where, trait in definition.traits():
            if trait.id in ("obs", "hide"):
                access = trait.field("access")
                if access.startswith("sides:"):
                    yield from ((where, side) for side in sequence.decode(access.removeprefix("sides:"), ":") if side)
            elif trait.id == "restrict":
                yield from ((where, side) for side in sequence.decode(fields_of(trait).get("sides", ""), ",") if side)
    for expression in sources(subject).expressions:
        for match in _SIDE_TEST.finditer(expression.text):
            side = match[1] if match[1] is not None else match[2]
            if side:
                yield expression.where, side


def _sides(subject: Subject) -> Iterator[Found]:
    for where, side in _sides_of(subject):
        if side not in subject.sides and side not in _FREE:
            yield Found(where, f"names the side {quoted(side)}, which nobody can take", listed(subject.sides))


def _private(subject: Subject) -> Iterator[Found]:
    for found in subject.all("module.PrivateMap", "module.PlayerHand"):
        if not [side for side in sequence.decode(found.get("side"), ",") if side]:
            yield Found(subject.place(found), "is private to no side: nobody may use it", "side, as in the roster")


# -- turn trackers


def _levels(found: Element) -> list[Element]:
    return [child for child in found.children if engine.short(child) in _LEVELS]


def _depth(found: Element) -> int:
    return max((1 + _depth(child) for child in _levels(found)), default=0)


def _trackers(subject: Subject) -> Iterator[Found]:
    for found in subject.all("module.turn.TurnTracker"):
        depth = _depth(found)
        if not depth:
            yield Found(subject.place(found), "has no level: it shows nothing", "a CounterTurnLevel or ListTurnLevel")
            continue
        shown = {int(number) for number in re.findall(r"\$level([1-9])\$", found.get("turnFormat", "$level1$ $level2$ $level3$ $level4$"))}
        if "turnFormat" in found.attributes and shown and max(shown) > depth:
            yield Found(subject.place(found), f"shows level {max(shown)} of {depth}", f"$level1$ to $level{depth}$")
        elif "turnFormat" in found.attributes and len(shown) < depth and "turnFormat" in found.attributes:
            missing = [f"$level{number}$" for number in range(1, depth + 1) if number not in shown]
            yield Found(subject.place(found), f"does not show {', '.join(missing)}", "all of its levels", Severity.NOTE)


def _switched_on(subject: Subject, found: Element, values: list[str]) -> list[list[str]]:
    """The entries of a list level that are active, of each set-up that says so."""
    path: list[int] = []
    here = found
    for up in subject.above(found):
        path.insert(0, next(index for index, child in enumerate(_levels(up)) if child is here))
        here = up
        if engine.short(up) == "module.turn.TurnTracker":
            break
    number = next((index for index, one in enumerate(subject.all("module.turn.TurnTracker")) if one is here), -1)
    out = []
    for setup in subject.setups:
        state = setup.save.turns.get(f"TurnTracker{number}", "") if setup.save is not None else ""
        try:
            levels = parse_state(state).levels if state else ()
        except ValueError:
            continue
        level = None
        for index in path:
            level = levels[index] if index < len(levels) else None
            levels = level.below if level is not None else ()
        flags = level.extra[1].split(",") if level is not None else []
        if len(flags) == len(values):
            out.append([value for value, flag in zip(values, flags, strict=True) if flag == "true"])
    return out


def _turn_lists(subject: Subject) -> Iterator[Found]:
    for found in subject.all("module.turn.ListTurnLevel"):
        values = sequence.decode(found.get("list"), ",")
        if not any(value.strip() for value in values):
            yield Found(subject.place(found), "its list is empty: the tracker stands still", "names, with commas between")
            continue
        active = _switched_on(subject, found, values)
        for value, count in Counter(values).items():
            if not value.strip():
                yield Found(subject.place(found), "its list has a nameless entry", "names, with commas between")
            elif count > 1 and not (active and all(one.count(value) < 2 for one in active)):
                what = f"its list has {quoted(value)} {count} times, not every set-up leaves only one on: logs cannot tell them apart"
                yield Found(subject.place(found), what, "names that differ, or set-ups that switch the others off")
    for found in subject.all("module.turn.CounterTurnLevel"):
        start, limit = found.get("start", "1"), found.get("loopLimit", "-1")
        if found.get("loop") == "true" and is_whole(start) and is_whole(limit) and 0 <= int(limit) < int(start):
            yield Found(subject.place(found), f"counts from {start} and ends at {limit}", f"loopLimit of {start} or more")


def _turn_hotkeys(subject: Subject) -> Iterator[Found]:
    for found in subject.all("module.turn.TurnGlobalHotkey"):
        what = "splits every phase change into three steps to undo, stands in the log before it, and fires backwards too"
        yield Found(subject.place(found), what, "a button that sends its keys and then the tracker's own")


CHECKS = (
    Check("report-moves", Severity.WARNING, "moves are reported by themselves", "logs are read by these lines", _auto_report),
    Check("report-formats", Severity.WARNING, "public maps have words for moves", "moves are not reported", _move_formats),
    Check("side-none", Severity.WARNING, "the roster has sides", "nobody can take one", _roster),
    Check("side-unknown", Severity.ERROR, "sides that are named can be taken", "what belongs to them never opens", _sides),
    Check("private-map", Severity.WARNING, "private windows belong to a side", "nobody may use them", _private),
    Check("tracker-levels", Severity.ERROR, "turn trackers have levels, and show no more than those", "the turn is not shown", _trackers),
    Check(
        "tracker-list", Severity.ERROR, "levels of trackers have values that can be told apart", "phases cannot be told apart", _turn_lists
    ),
    Check("tracker-hotkey", Severity.NOTE, "no tracker sends a key by itself", "one phase change is three steps", _turn_hotkeys),
)
