"""``referee show`` and ``referee score``: the position of a record, a position's text or a client's file, as picture, text or data."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamebox.command_line import Overlay, must_be_new, print_json

if TYPE_CHECKING:
    from referee.audit.opened import Opened
    from referee.picture import Paint
    from referee.rules.scene import Scene, Seen, Standing

File = Annotated[
    Path, typer.Argument(metavar="FILE", readable=False, help="A record, a position's text, a VASSAL log (.vlog) or save (.vsav).")
]
At = Annotated[int | None, typer.Option("--at", metavar="STEP", help="After so many actions of a record or steps of a log; else the end.")]
Game = Annotated[str | None, typer.Option("--game", "-g", help="The game's id; a record tells it.")]
Scenario = Annotated[str | None, typer.Option("--scenario", "-s", help="The scenario; a record tells it. Else the game's first.")]
Options = Annotated[list[str] | None, typer.Option("--options", "-o", help="Optional rules in force, by comma; may be given again.")]
Module = Annotated[Path | None, typer.Option("--module", "-m", readable=False, help="The VASSAL module a log was played with.")]
Mapping_ = Annotated[
    Path | None, typer.Option("--map", readable=False, help="Which piece of a foreign module is which counter: CSV of `referee adopt`.")
]
For = Annotated[
    str, typer.Option("--for", help="Who looks: public, director, a side or a player; it holds only what he may know until the game ends.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print it as JSON (docs/positions.md).")]
Png = Annotated[Path | None, typer.Option("--png", metavar="OUT", readable=False, help="Draw it on the board into this PNG file.")]
Svg = Annotated[Path | None, typer.Option("--svg", metavar="OUT", readable=False, help="Draw it on the board into this SVG file.")]
WIDTH = 118
"""Columns of the texts."""


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.command()(show)
    app.command()(score)


def show(
    file: File,
    at: At = None,
    png: Png = None,
    svg: Svg = None,
    as_json: AsJson = False,
    game: Game = None,
    scenario: Scenario = None,
    options: Options = None,
    module: Module = None,
    mapping: Mapping_ = None,
    overlay: Overlay = None,
    reader: For = "public",
) -> None:
    """Shows a position: as a picture on the board (--png, --svg), as data (--json), else as text."""
    must_be_new([png, svg], [file, module, mapping, overlay])
    opened = opened_by(file, at, game, scenario, options, module, mapping, overlay, reader)
    scene = opened.shows.scene(opened.position)
    standing = opened.shows.standing(opened.position, opened.since)
    if png or svg:
        for path in drawn(opened, scene, standing, png, svg):
            typer.echo(path.as_posix(), err=as_json)
    if as_json:
        print_json({**head(opened), "scene": plain(scene), "totals": dict(standing.totals), "result": standing.result})
    elif not (png or svg):
        say(lines_of_scene(opened, scene, standing))


def score(
    file: File,
    at: At = None,
    as_json: AsJson = False,
    game: Game = None,
    scenario: Scenario = None,
    options: Options = None,
    module: Module = None,
    mapping: Mapping_ = None,
    overlay: Overlay = None,
    reader: For = "public",
) -> None:
    """Counts the cities at any time: who holds each and why, what it scores, and who would win if the game ended now."""
    opened = opened_by(file, at, game, scenario, options, module, mapping, overlay, reader)
    scene = opened.shows.scene(opened.position)
    standing = opened.shows.standing(opened.position, opened.since)
    if as_json:
        print_json({**head(opened), "turn": scene.turn, "phase": scene.phase, "standing": plain(standing)})
    else:
        say(lines_of_standing(opened, scene, standing))


# ---------------------------------------------------------------------------------------------------------------------------
# What the commands that look at positions share


def opened_by(
    file: Path,
    at: int | None,
    game: str | None,
    scenario: str | None,
    options: Iterable[str] | None,
    module: Path | None,
    mapping: Path | None,
    overlay: Path | None,
    reader: str,
) -> Opened:
    """The file at the step asked for, for its reader. Raises UsageError for paths that are not there, and what ``open_file`` raises."""
    from referee.audit.opened import open_file
    from referee.rules.options import UsageError

    for path in (file, module, mapping, overlay):
        if path is not None and not path.exists():
            raise UsageError(f"{path.as_posix()}: no such file or folder")
    if file.is_dir():
        raise UsageError(f"{file.as_posix()}: is a folder; a record, a position's text, a .vlog or a .vsav is expected")
    chosen = frozenset(name.strip() for text in options or () for name in text.split(",") if name.strip())
    return open_file(
        file, at=at, game=game, scenario=scenario, options=chosen, module=module, mapping=mapping, overlay=overlay, reader=reader
    )


def drawn(opened: Opened, scene: Scene, standing: Standing, png: Path | None, svg: Path | None, paint: Paint | None = None) -> list[Path]:
    """Writes the picture beside and renames it. Raises UsageError when the board cannot be drawn."""
    from modgen.formats.vassal.archive import write_file
    from referee.picture import draw_position, rendered
    from referee.rules.options import UsageError

    wanted = [path for path in (svg, png) if path is not None]
    for path in wanted:
        if not path.parent.is_dir():
            raise UsageError(f"{path.parent.as_posix()}: no such folder")
    text = draw_position(opened.box, scene, caption(opened, scene, standing, paint.title if paint else ""), paint)
    for path in wanted:
        write_file(path, text.encode("utf-8") if path is svg else rendered(text))
    return wanted


def caption(opened: Opened, scene: Scene, standing: Standing, title: str = "") -> list[str]:
    """The lines below a picture."""
    facts = [f"{name}: {value}" for name, value in scene.facts if name != "Result"]
    return [
        title or when(scene),
        f"{when(scene)}. {decides(scene)}" if title else decides(scene),
        tally(standing),
        f"{_title(opened, scene)}{options_of(opened)}; {opened.caption}" + (f"; {told_to(opened)}" if told_to(opened) else ""),
        *(["; ".join(facts)] if facts else []),
    ]


def options_of(opened: Opened) -> str:
    """``, options 18.1,12.3``; nothing where there are none."""
    chosen = sorted(opened.book.game.options)
    return f", options {','.join(chosen)}" if chosen else ""


def _title(opened: Opened, scene: Scene) -> str:
    """The game and its scenario; once where both have one name."""
    return opened.box.title if scene.scenario == opened.box.title else f"{opened.box.title}, {scene.scenario}"


def _in_order(place: str) -> tuple[int, str]:
    """Zone 9 before zone 10, as on the map; hexes have numbers of one length."""
    return (int(place) if place.isdecimal() else 0), place


def told_to(opened: Opened) -> str:
    """Who it is made for, in a game that hides things, and that everybody sees everything once it has ended; "" in other games."""
    if not opened.secrets:
        from referee.table.judge import seats

        return "the game of this file has ended: everybody is shown everything" if seats(opened.book.game)[1] else ""
    who = opened.reader
    what = "everything that the file tells" if who.whole else "what others hide is left out" if who.sides else "what is hidden is left out"
    return f"for {who.name}: {what}"


def when(scene: Scene) -> str:
    """``Turn 4 (Feb I 1945), Soviet Movement Phase``."""
    return f"Turn {scene.turn}" + (f" ({scene.date})" if scene.date else "") + f", {scene.phase}"


def decides(scene: Scene) -> str:
    """Whose decision it is, and which."""
    if not scene.by:
        return "Nobody has to decide: the game is over"
    return f"Awaited: {scene.asks}" if scene.by == ("chance",) else f"To decide: {' or '.join(scene.by)}: {scene.asks}"


def tally(standing: Standing) -> str:
    """VPs and the result if the game ended now."""
    totals = f"VPs: {', '.join(f'{side} {points}' for side, points in standing.totals)}. " if standing.totals else ""
    return f"{totals}If the game ended now: {standing.result}" + (f" ({standing.why})" if standing.why else "")


def head(opened: Opened) -> dict[str, Any]:
    """What every JSON answer begins with."""
    game = opened.book.game
    return {
        "version": 1,
        "file": opened.name,
        "kind": opened.kind,
        "step": opened.step,
        "steps": opened.steps,
        "last": opened.last,
        "game": game.id,
        "scenario": game.scenario,
        "options": sorted(game.options),
        "data": game.data,
        "for": opened.reader.name,
        "notes": list(opened.notes),
    }


def plain(value: Any) -> Any:
    """A value of the rules as JSON has it."""
    import msgspec

    return msgspec.to_builtins(value)


def say(lines: Iterable[str]) -> None:
    """Lines on standard output, at once."""
    typer.echo("\n".join(lines))


def wrapped(text: str, indent: str = "  ", further: str = "    ") -> list[str]:
    """A text in lines of ``WIDTH`` columns; words are never broken."""
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=further, break_long_words=False, break_on_hyphens=False)


# ---------------------------------------------------------------------------------------------------------------------------
# Texts


def opening(opened: Opened, scene: Scene) -> Iterator[str]:
    """The lines that every text begins with."""
    yield f"{_title(opened, scene)}{options_of(opened)}"
    yield opened.caption
    if whom := told_to(opened):
        yield whom
    yield when(scene)
    yield from wrapped(decides(scene), "", "  ")
    for note in opened.notes:
        yield from wrapped(f"note: {note}", "", "  ")


def lines_of_scene(opened: Opened, scene: Scene, standing: Standing) -> Iterator[str]:
    """The position as text: whose decision, cities by holder, units by force and place."""
    yield from opening(opened, scene)
    yield ""
    yield from wrapped(tally(standing), "", "  ")
    titles = dict(scene.holders)
    for holder in dict.fromkeys(city.holder for city in scene.cities):
        own = [city for city in scene.cities if city.holder == holder]
        worth = sum(city.worth for city in own)
        cities = ", ".join(f"{city.hex} {city.name} {city.worth}" for city in own)
        yield from wrapped(f"{titles[holder]} cities ({len(own)}, worth {worth}): {cities}")
    for name, value in scene.facts:
        yield from wrapped(f"{name}: {value}")
    if scene.tokens:
        tokens = ", ".join(f"{t.hex} {t.force}" + (f" x{t.count}" if t.count > 1 else "") for t in scene.tokens)
        yield from wrapped(f"Supply markers: {tokens}")
    off = dict(scene.places)
    for force, title in scene.forces:
        own_units = [unit for unit in scene.units if unit.force == force]
        here = [unit for unit in own_units if unit.place not in off]
        yield ""
        yield f"{title}: {len(here)} on the map"
        for place in dict.fromkeys(sorted((unit.place for unit in here), key=_in_order)):
            yield f"  {place}  {'; '.join(unit_text(unit) for unit in here if unit.place == place)}"
        for place, called in scene.places:
            there = [unit for unit in own_units if unit.place == place]
            if there:
                yield from wrapped(f"{called} ({len(there)}): {', '.join(unit_text(unit) for unit in there)}")


def unit_text(unit: Seen) -> str:
    """``su-1-gds-inf (1 Gds 7-7-4) moved``."""
    return f"{unit.piece} ({unit.name})" + (f" {' '.join(unit.marks)}" if unit.marks else "")


def lines_of_standing(opened: Opened, scene: Scene, standing: Standing) -> Iterator[str]:
    """The count, city by city, then the totals and the result."""
    yield from opening(opened, scene)
    yield ""
    wide = max((len(row.name) for row in standing.rows), default=4)
    at = max((len(row.hex) for row in standing.rows), default=4)
    yield f"{'at':{at}}  {'name':{wide}}  VP  holder           scores for"
    for row in standing.rows:
        star = "*" if row.capital else " "
        scores = f"{row.side} {row.points}" if row.points else "nobody"
        yield f"{row.hex:{at}}  {row.name:{wide}}  {row.worth:2}{star} {row.holder:16} {scores}"
        yield from wrapped(row.why + (f". {row.note}" if row.note else ""), "        ", "        ")
    yield ""
    yield "* capital"
    yield from wrapped(tally(standing), "", "  ")
    yield from wrapped(f"Victory: {standing.rule}", "", "  ")
