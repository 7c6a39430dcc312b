"""Names by which things are found must be there, and be one thing's only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from modgen.formats.vassal import engine
from modgen.formats.vassal.validate.model import GRID, MAPS, PROPERTIES, PROTOTYPE, ZONE, Check, Found, Severity, Subject, listed, quoted
from modgen.formats.vassal.xml import Element


@dataclass(frozen=True, slots=True)
class _Group:
    """Components of one sort that are told apart by a name, inside what they stand in (None: the whole module)."""

    what: str
    kinds: tuple[str, ...]
    attribute: str
    inside: tuple[str, ...]
    because: str


_WHOLE: tuple[str, ...] = ()
_GROUPS = (
    _Group("maps", MAPS, "mapName", _WHOLE, "saves and moves name a map only"),
    _Group("boards", ("module.map.boardPicker.Board",), "name", ("module.map.BoardPicker",), "set-ups name a board only"),
    _Group("zones", (ZONE,), "name", (GRID + "ZonedGrid",), "reports and send-to name a zone only"),
    _Group("regions", (GRID + "Region",), "name", ("module.map.boardPicker.Board",), "reports and send-to name a region only"),
    _Group("prototypes", (PROTOTYPE,), "name", _WHOLE, "the last one of a name wins"),
    _Group(
        "properties",
        PROPERTIES,
        "name",
        ("module.properties.GlobalProperties", ZONE),
        "changes reach one of them only",
    ),
    _Group("decks", ("module.map.DrawPile",), "name", _WHOLE, "return-to-deck names a deck only"),
    _Group("turn trackers", ("module.turn.TurnTracker",), "name", _WHOLE, "players cannot tell them apart"),
    _Group("charts", ("widget.Chart", "widget.HtmlChart"), "chartName", ("module.ChartWindow",), "players cannot tell them apart"),
    _Group("set-ups", ("module.PredefinedSetup",), "name", _WHOLE, "players cannot tell them apart"),
    _Group("dice", ("module.DiceButton", "module.SpecialDiceButton"), "name", _WHOLE, "their results are properties of the same name"),
    _Group("sides", ("entry",), "", ("module.PlayerRoster",), "they are one side to the engine"),
)


def _name(found: Element, group: _Group) -> str:
    return (found.get(group.attribute) if group.attribute else found.text).strip()


def _scope(subject: Subject, found: Element, group: _Group) -> int:
    """What a name must be unique in: the id of the nearest element of the group's kind, 0 for the module."""
    up = subject.inside(found, *group.inside) if group.inside else None
    return id(up) if up is not None else 0


def _twice(subject: Subject) -> Iterator[Found]:
    for group in _GROUPS:
        seen: dict[tuple[int, str], list[Element]] = defaultdict(list)
        for found in subject.all(*group.kinds):
            if name := _name(found, group):
                seen[_scope(subject, found, group), name].append(found)
        for (_, name), all_of_them in seen.items():
            if len(all_of_them) > 1:
                what = f"{len(all_of_them)} {group.what} are called {quoted(name)}: {group.because}"
                yield Found(subject.place(all_of_them[1]), what, "a name of its own for each")


def _nearly(subject: Subject) -> Iterator[Found]:
    for group in _GROUPS:
        seen: dict[tuple[int, str], str] = {}
        for found in subject.all(*group.kinds):
            name = _name(found, group)
            before = seen.setdefault((_scope(subject, found, group), " ".join(name.lower().split())), name)
            if before != name:
                what = f"{quoted(before)} and {quoted(name)} ({group.what}) differ only in large and small letters or spaces"
                yield Found(subject.place(found), what)


_NEEDS: tuple[tuple[str, str, Callable[[Element], bool]], ...] = (
    *((kind, "mapName", lambda found: True) for kind in MAPS),
    ("module.map.boardPicker.Board", "name", lambda found: True),
    (ZONE, "name", lambda found: True),
    (GRID + "Region", "name", lambda found: True),
    (PROTOTYPE, "name", lambda found: True),
    *((kind, "name", lambda found: True) for kind in PROPERTIES),
    ("module.PredefinedSetup", "name", lambda found: found.get("isMenu") != "true"),
)


def _nameless(subject: Subject) -> Iterator[Found]:
    for kind, name, needed in _NEEDS:
        for found in subject.all(kind):
            if needed(found) and not found.get(name).strip():
                yield Found(subject.place(found), f"{kind.rpartition('.')[2]} has no {name}: nothing can refer to it", "a name")


def _engines(subject: Subject) -> Iterator[Found]:
    """Properties that the engine gives by itself hide those of the same name."""
    for found in subject.all(*PROPERTIES):
        if found.get("name") in engine.PROPERTIES:
            yield Found(
                subject.place(found), f"the property {found.get('name')} is the engine's own, which is read in its place", "another name"
            )


def _separators(subject: Subject) -> Iterator[Found]:
    """Sides stand in lists with commas and colons; map names stand before a fixed word."""
    for side in subject.sides:
        bad = [sign for sign in (":", ",", ";", "|") if sign in side]
        if bad:
            yield Found(
                f"{subject.build_file}: PlayerRoster",
                f"the side {quoted(side)} has {listed(bad)} in it, which masks take apart",
                "letters and spaces",
            )


CHECKS = (
    Check("name-twice", Severity.WARNING, "names by which things are found are one thing's only", "the engine takes one of them", _twice),
    Check("name-nearly", Severity.NOTE, "names differ in more than large and small letters", "people take one for the other", _nearly),
    Check("name-missing", Severity.WARNING, "things that others refer to have a name", "nothing can refer to them", _nameless),
    Check("name-taken", Severity.WARNING, "properties do not have names of the engine's own", "the engine's value is read", _engines),
    Check("side-signs", Severity.WARNING, "sides have no separators in their names", "masks for that side never open", _separators),
)
