"""What the module tells of itself: a line of chat when a phase begins, and how many pieces lie where."""

from __future__ import annotations

from gamebox.model import Box, Row
from modgen.art.icons import icon_file
from modgen.art.words import Words
from modgen.errors import ArtError
from modgen.formats.vassal.xml import Element
from modgen.layout.layout import Layout
from modgen.layout.play import Setup
from modgen.layout.telling import Count, Notice
from modgen.vassal import idioms, names, tracker
from modgen.vassal.classes import M
from modgen.vassal.names import command
from modgen.vassal.places import find

START, IS, END = "|", "=", "|"
"""What parts the texts of a property that holds many of them: ``|8:Red Movement Phase=text|9:...|``. What only one scenario is told
begins with its name: ``|first/8:Red Movement Phase=text|``."""
_BARRED = "|{}$\"'\\\n"
"""Signs that such a property cannot hold, or that the client would read as something else."""


def notices(box: Box, layout: Layout) -> dict[tuple[str, str, str], str]:
    """(scenario, turn, phase as the tracker calls it) -> what is said when it begins; the scenario is empty for what all are told.

    Raises :class:`ArtError` for words that the client cannot carry.
    """
    out: dict[tuple[str, str, str], list[str]] = {}
    said = Words(box, layout, {})
    for notice in layout.play.notices:
        begun = list(dict.fromkeys(tracker.phase_name(box, layout, row) for row in box["phases"] if notice.phases(row)))
        for turn in (row.key for row in box["turns"]):
            if items := _items(box, said, notice, turn):
                text = notice.text.replace("{items}", ", ".join(items))
                if bad := next((sign for sign in _BARRED if sign in text), ""):
                    place = f"{layout.path.name}: [[notice]] {notice.text!r}"
                    raise ArtError(f"{place}: {bad!r} in {text!r} is not allowed: the client would read it")
                for scenario in notice.scenarios or ("",):
                    for phase in begun:
                        out.setdefault((scenario, turn, phase), []).append(text)
    return {key: " ".join(texts) for key, texts in out.items()}


def _items(box: Box, said: Words, notice: Notice, turn: str) -> list[str]:
    rows: list[Row] = [row for row in box[notice.table] if row.text("turn") == turn and notice.where(row)]
    found = []
    for row in rows:
        case = next((case for case in notice.cases if case.where(row)), None)
        text = said.said(case, row)[0] if case is not None else ""
        found += [text] if text else []
    return found


def properties(box: Box, layout: Layout) -> list[tuple[str, str]]:
    """The module's property with all notices; none without any."""
    told = notices(box, layout)
    text = START + "".join(f"{whose(scenario)}{turn}:{phase}{IS}{words}{END}" for (scenario, turn, phase), words in told.items())
    return [(names.NOTICES, text)] if told else []


def whose(scenario: str) -> str:
    """What the entry of a scenario begins with."""
    return f"{scenario}/" if scenario else ""


def notice(phase: str, none: str = "") -> str:
    """An expression: the notices of the turn and phase that have begun, ``none`` where there is none. ``phase``: the property that has
    the phase.
    """
    for_all, own = f'"{START}"+', f'"{START}"+{names.SCENARIO}+"/"+'
    found = [f'{which}{names.TURN}+":"+{phase}+"{IS}"' for which in (for_all, own)]
    at = [f"{names.NOTICES}.indexOf({key})" for key in found]
    texts = [
        f'{names.NOTICES}.substring({begins}+({key}).length(), {names.NOTICES}.indexOf("{END}", {begins}+1))'
        for key, begins in zip(found, at, strict=True)
    ]
    both = f'({at[0]}<0 ? "" : {texts[0]})+({at[0]}<0 || {at[1]}<0 ? "" : " ")+({at[1]}<0 ? "" : {texts[1]})'
    return "{" + f'{at[0]}<0 && {at[1]}<0 ? {idioms.quoted(none)} : "** "+{both}' + "}"


def first_notice(box: Box, layout: Layout, setup: Setup) -> str:
    """What is told of the phase that a set-up begins with, which no button leads to; empty for nothing."""
    scenario = setup.scenario
    turn, phase = str(tracker.first_turn(box, scenario)), tracker.first_now(box, layout, setup)
    told = notices(box, layout)
    return " ".join(told[key] for key in (("", turn, phase), (scenario, turn, phase)) if key in told)


def tallies(root: Element, box: Box, layout: Layout) -> None:
    """A button for each tally; what it says is counted when it is pressed."""
    for number, tally in enumerate(layout.play.tallies, 1):
        parts = [f"{idioms.quoted(f'{count.label} ')}+{_counted(box, layout, count)}" for count in tally.counts]
        says = f'{idioms.quoted(f"** {tally.says}: ")}+' + '+", "+'.join(parts)
        root.add(
            M + "DoActionButton",
            name=tally.text,
            text=tally.text,
            tooltip=tally.tooltip,
            icon=icon_file("forces"),
            hotkey=command(f"btnTally{number}"),
            canDisable=False,
            doReport=True,
            reportFormat="{" + says + "}",
            doHotkey=False,
            hotkeys="",
            doLoop=False,
        )


def _counted(box: Box, layout: Layout, count: Count) -> str:
    """An expression that counts, on the map named: without a name a button counts nothing."""
    at = find(layout, box, count.place)
    match = "{" + f'{count.property}=={idioms.quoted(count.value)}' + "}"
    return f'CountZone({idioms.quoted(at.name)}, {idioms.quoted(at.map)}, "' + match.replace('"', '\\"') + '")'
