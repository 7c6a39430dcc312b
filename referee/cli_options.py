"""``referee options``: what scenarios, options and switches a game has, and the one-page rules sheet of an event."""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamebox.command_line import Overlay, must_be_new, print_json
from referee.cli_show import AsJson, Options, say

if TYPE_CHECKING:
    from gamebox.model import Box, Row

Game = Annotated[str, typer.Argument(metavar="GAME", help="The game's id.")]
Scenario = Annotated[str | None, typer.Option("--scenario", "-s", help="Only this scenario; for a sheet, else the game's first.")]
AsSheet = Annotated[bool, typer.Option("--sheet", help="Print the rules sheet of an event: one page for a scenario with its --options.")]
Html = Annotated[Path | None, typer.Option("--html", metavar="OUT", readable=False, help="Write the sheet into this HTML file.")]
PAGE = 104
"""Columns of a sheet."""
ROWS = 64
"""Lines that fit a page."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rules sheet of one event."""

    title: str
    subtitle: str
    sections: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    """Heading -> (label, text) pairs; a label may be empty."""
    foot: str


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(options)


def options(
    game: Game,
    scenario: Scenario = None,
    chosen: Options = None,
    sheet: AsSheet = False,
    to_html: Html = None,
    as_json: AsJson = False,
    overlay: Overlay = None,
) -> None:
    """Prints the scenarios, options and switches of a game and the rulings they settle; with --sheet the rules sheet of an event."""
    from gamebox.load import load_box
    from referee.audit.run import find_game

    must_be_new([to_html], [overlay])
    box = load_box(find_game(game), overlay)
    names = [name.strip() for text in chosen or () for name in text.split(",") if name.strip()]
    picked = tuple(sorted(dict.fromkeys(names)))
    if scenario is not None:
        known(box, "scenarios", scenario, "scenario")
    place = scenario or next(iter(box["scenarios"])).key
    must_go_together(box, place if scenario or sheet or to_html or picked else None, picked)
    if not (sheet or to_html):
        if as_json:
            print_json(data_of(box, scenario))
        else:
            say(lines_of(box, scenario, place if picked else None, picked))
        return
    page = sheet_of(box, place, picked)
    if to_html is not None:
        _write(to_html, page_of(page))
        typer.echo(to_html.as_posix(), err=as_json or sheet)
    if as_json:
        print_json(
            {
                "version": 1,
                "game": box.id,
                "scenario": place,
                "options": list(picked),
                "title": page.title,
                "subtitle": page.subtitle,
                "sections": [
                    {"heading": heading, "lines": [{"label": label, "text": text} for label, text in lines]}
                    for heading, lines in page.sections
                ],
                "foot": page.foot,
            }
        )
    elif sheet:
        say(text_of(page))


def _write(path: Path, text: str) -> None:
    from modgen.formats.vassal.archive import write_file
    from referee.rules.options import UsageError

    if not path.parent.is_dir():
        raise UsageError(f"{path.parent.as_posix()}: no such folder")
    write_file(path, text.encode("utf-8"))


def words_of(box: Box) -> Any:
    """The game's module of words for sheets. Raises UsageError when it has none."""
    from referee.rules.options import UsageError

    try:
        return import_module(f"referee.games.{box.id.replace('-', '_')}.sheet")
    except ModuleNotFoundError as e:
        raise UsageError(f"{box.title} has no rules sheets yet") from e


# ---------------------------------------------------------------------------------------------------------------------------
# What goes together


def known(box: Box, table: str, key: str, what: str) -> Row:
    """The row of this key. Raises UsageError with those that there are."""
    from referee.rules.options import UsageError

    row = box[table].get(key)
    if row is None:
        raise UsageError(f"{box.title} has no {what} {key!r}; there are: {', '.join(r.key for r in box[table])}")
    return row


def must_go_together(box: Box, scenario: str | None, chosen: Sequence[str]) -> None:
    """Raises UsageError for options that the game has not, that do not belong to the scenario, that lack another or exclude it."""
    from referee.rules.options import UsageError

    rows = [known(box, "options", name, "option") for name in chosen]
    words: Any = words_of(box) if chosen else None
    for row in rows:
        rests = rulings_in(str(row.source("scenarios")))
        if scenario is not None and scenario not in row.items("scenarios"):
            why = words.misplaced(row.key)
            where = ", ".join(row.items("scenarios"))
            raise UsageError(
                f"option {row.key!r} has no place in scenario {scenario!r}, only in {where}" + (f": {why}" if why else "") + rests
            )
        for need in row.items("needs"):
            if need not in chosen:
                raise UsageError(f"option {row.key!r} needs {need!r} as well{rests}")
        for other in row.items("excludes"):
            if other in chosen:
                why = words.senseless(row.key, other)
                raise UsageError(f"option {row.key!r} does not go with {other!r}" + (f": {why}" if why else "") + rests)


def rulings_in(text: str) -> str:
    """`` [R-G117]`` for the rulings that a source names."""
    found = re.findall(r"R-[A-Z]\d+", text)
    return f" [{', '.join(found)}]" if found else ""


def settles(box: Box, option: str) -> tuple[str, ...]:
    """The rulings that an option settles: those with it as their switch, those about its paragraphs."""
    section = option.partition("/")[0] if option.partition("/")[2].isalpha() else option

    def about(row: Row) -> bool:
        named = section == option and (option in row.items("sections") or f"Option {option}:" in row.text("ruling"))
        return row.text("switch") == option or named

    return tuple(row.key for row in box["rulings"] if about(row))


def refereed(box: Box, scenario: str, chosen: Collection[str] = ()) -> str:
    """ "" when the referee plays this, else why not."""
    import referee
    from referee.rules.options import UsageError

    try:
        referee.load(box.id, scenario, chosen, box=box)
    except UsageError as error:
        return str(error)
    return ""


# ---------------------------------------------------------------------------------------------------------------------------
# Lists


def data_of(box: Box, scenario: str | None) -> dict[str, Any]:
    """Scenarios, options and switches as data."""
    options_ = [row for row in box["options"] if scenario is None or scenario in row.items("scenarios")]
    words = words_of(box)
    return {
        "version": 1,
        "game": box.id,
        "title": box.title,
        "data": box.data_hash,
        "notes": list(words.NOTES),
        "scenarios": [
            {
                "id": row.key,
                "name": row.text("name"),
                "section": row.text("section"),
                "players": row.int("players"),
                "first_turn": row.int("first_turn"),
                "last_turn": row.int("last_turn"),
                "setup": row.text("setup"),
                "sides": list(row.items("sides")),
                "victory_points": "victory_points" in row.values and row.flag("victory_points"),
                "refereed": not refereed(box, row.key),
                "options": [o.key for o in box["options"] if row.key in o.items("scenarios")],
            }
            for row in box["scenarios"]
            if scenario in (None, row.key)
        ],
        "options": [
            {
                "id": row.key,
                "title": row.text("title"),
                "kind": row.text("kind"),
                "scenarios": list(row.items("scenarios")),
                "needs": list(row.items("needs")),
                "excludes": list(row.items("excludes")),
                "rulings": list(settles(box, row.key)),
                "off": words.READINGS.get(row.key, ("", ""))[0],
                "on": words.READINGS.get(row.key, ("", ""))[1] or words.OPTIONS.get(row.key, ""),
            }
            for row in options_
        ],
    }


def lines_of(box: Box, scenario: str | None, place: str | None, chosen: Sequence[str]) -> Iterator[str]:
    """The same as text; with chosen options the word that they go together."""
    data = data_of(box, scenario)
    if place is not None:
        yield f"{', '.join(chosen)} can be played in {box['scenarios'][place].text('name')}"
        yield ""
    yield f"{box.title}: scenarios (the first is the usual one)"
    for row in data["scenarios"]:
        said = f"{row['players']} players, turns {row['first_turn']}-{row['last_turn']}, forces {' '.join(row['sides'])}"
        yield f"  {row['id']:13} {row['name']} [{row['section']}]: {said}" + ("" if row["refereed"] else "; not refereed yet")
    for kind, heading in (("option", "Options of the rulebook"), ("switch", "Switches: the other reading of a ruling of ours")):
        yield ""
        yield heading
        wide = max((19, *(len(row["id"]) for row in data["options"] if row["kind"] == kind)))
        if not any(row["kind"] == kind for row in data["options"]):
            yield "  none"
        for row in data["options"]:
            if row["kind"] != kind:
                continue
            yield f"  {row['id']:{wide}} {row['title']}"
            notes = [f"scenarios {', '.join(row['scenarios'])}"]
            notes += [f"needs {', '.join(row['needs'])}"] if row["needs"] else []
            notes += [f"not with {', '.join(row['excludes'])}"] if row["excludes"] else []
            notes += [f"rulings {', '.join(row['rulings'])}"] if row["rulings"] else []
            yield from _wrapped("; ".join(notes), wide + 3)
    for note in data["notes"]:
        yield ""
        yield from _wrapped(note, 0)


def _wrapped(text: str, indent: int, width: int = PAGE) -> list[str]:
    blanks = " " * indent
    return textwrap.wrap(text, width, initial_indent=blanks, subsequent_indent=blanks, break_long_words=False, break_on_hyphens=False)


# ---------------------------------------------------------------------------------------------------------------------------
# The sheet


def sheet_of(box: Box, scenario: str, chosen: Sequence[str]) -> Sheet:
    """The rules sheet of a scenario with these options."""
    words = words_of(box)
    row = box["scenarios"][scenario]
    here = [o for o in box["options"] if scenario in o.items("scenarios")]
    plain = [o for o in here if o.text("kind") != "switch"]
    on = [(o.key, words.OPTIONS.get(o.key, o.text("title"))) for o in plain if o.key in chosen]
    off = ", ".join(f"{o.key} ({o.text('title')})" for o in plain if o.key not in chosen)
    readings = []
    for o in here:
        if o.text("kind") == "switch" and all(need in chosen for need in o.items("needs")):
            text = words.READINGS.get(o.key, ("as ruled", o.text("title")))[o.key in chosen]
            readings.append((f"{o.key} {'ON' if o.key in chosen else 'off'}", text + rulings_in(" ".join(settles(box, o.key)))))
    missing = refereed(box, scenario, chosen)
    judged = "judged by the referee as it stands here" if not missing else f"not refereed yet: {missing}"
    sections = (
        ("Options", (*(on or [("none", "")]), ("not in force", off or "none"))),
        ("Readings of doubtful rules", tuple(readings) or (("none", ""),)),
        ("Who decides", tuple(("", text) for text in words.deciders(box, scenario))),
        ("A game turn", tuple(order_of(box, scenario, chosen))),
        ("Limits", tuple(("", text) for text in words.limits(box, scenario, chosen))),
        ("Victory", tuple(("", text) for text in words.victory(box, scenario, chosen))),
    )
    turns = f"turns {row.int('first_turn')} to {row.int('last_turn')}"
    return Sheet(
        title=box.title if row.text("name") == box.title else f"{box.title}: {row.text('name')}",
        subtitle=f"Rules section {row.text('section')}, {row.int('players')} players, {turns}, set-up {row.text('setup')}",
        sections=sections,
        foot=f"Numbers in brackets: sections of the rulebook, R-: rulings of the referee. Data {box.data_hash[:12]}, {judged}.",
    )


def order_of(box: Box, scenario: str, chosen: Collection[str]) -> Iterator[tuple[str, str]]:
    """(player turn, its phases) in order, phases of options that are not in force left out, with what else they hang on; in a game
    whose sides share their phases (phase, its steps, each with its side)."""
    within, named = ("player_turn", "phase") if "player_turn" in box["phases"].columns else ("phase", "step")
    turns: dict[str, list[str]] = {}
    for row in box["phases"]:
        if row.text("scenario") != scenario or not row.text("force"):
            continue
        condition = row.text("condition")
        option = re.match(r"option ([^;\s]+)(?:; )?", condition)
        if option is not None:
            if option[1] not in chosen:
                continue
            condition = condition[option.end() :]
        kept = [part for part in condition.split("; ") if part and not re.match(r"(on )?turn \W?", part)]
        phase = f"{row.text('force')} {row.text(named).replace('_', ' ')}"
        turns.setdefault(row.text(within).replace("_", " "), []).append(phase + (f" ({'; '.join(kept)})" if kept else ""))
    for name, phases in turns.items():
        # A condition that a whole run of phases shares is told once.
        shared: list[str] = []
        for i, phase in enumerate(phases):
            condition = phase.partition(" (")[2]
            following = phases[i + 1].partition(" (")[2] if i + 1 < len(phases) else ""
            shared.append(phase.partition(" (")[0] if condition and condition == following else phase)
        yield name, ", ".join(shared)


def text_of(page: Sheet) -> Iterator[str]:
    """The sheet as plain text of one page."""
    yield page.title.upper()
    yield page.subtitle
    for heading, lines in page.sections:
        yield ""
        yield f"{heading.upper()} {'-' * (PAGE - len(heading) - 1)}"
        wide = max((len(label) for label, _ in lines if label), default=0)
        for label, text in lines:
            lead = f"  {label:{wide}}  " if wide else "- "
            body = _wrapped(text, len(lead)) or [""]
            yield (lead + body[0][len(lead) :]).rstrip()
            yield from body[1:]
    yield ""
    yield from _wrapped(page.foot, 0)


def page_of(page: Sheet) -> str:
    """The sheet as an HTML page that prints on one sheet of paper; nothing is loaded from anywhere."""

    def section(heading: str, lines: Iterable[tuple[str, str]]) -> str:
        labelled = any(label for label, _ in lines)
        rows = "".join(
            f"<tr><th>{html.escape(label)}</th><td>{html.escape(text)}</td></tr>" if labelled else f"<li>{html.escape(text)}</li>"
            for label, text in lines
        )
        body = f"<table>{rows}</table>" if labelled else f"<ul>{rows}</ul>"
        return f"<section><h2>{html.escape(heading)}</h2>{body}</section>\n"

    style = (
        "@page{size:A4;margin:12mm}body{font:9.5pt/1.3 sans-serif;color:#1d1914;max-width:186mm;margin:0 auto}"
        "h1{font-size:15pt;margin:0}h2{font-size:10.5pt;margin:7pt 0 2pt;border-bottom:1px solid #3a3021;color:#7c1f17}"
        "p{margin:2pt 0}ul{margin:0;padding-left:12pt}table{border-collapse:collapse}"
        "th{text-align:left;vertical-align:top;padding:0 10pt 1pt 0;white-space:nowrap}"
        "td{padding:0 0 1pt}footer{margin-top:7pt;font-size:8pt}"
    )
    title = html.escape(page.title)
    sections = "".join(section(heading, lines) for heading, lines in page.sections)
    return (
        f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{title}</title><style>{style}</style></head>\n<body>\n'
        f"<h1>{title}</h1>\n<p>{html.escape(page.subtitle)}</p>\n{sections}<footer>{html.escape(page.foot)}</footer>\n</body>\n</html>\n"
    )
