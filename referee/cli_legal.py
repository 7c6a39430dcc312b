"""``referee legal``: what may be done in a position, with what it costs; for one unit every hex in reach, the way and the MPs left."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamebox.command_line import Overlay, must_be_new, print_json
from referee.cli_show import (
    AsJson,
    At,
    File,
    For,
    Game,
    Mapping_,
    Module,
    Options,
    Png,
    Scenario,
    Svg,
    drawn,
    head,
    opened_by,
    opening,
    plain,
    say,
    when,
    wrapped,
)

if TYPE_CHECKING:
    from referee.audit.opened import Opened
    from referee.picture import Paint
    from referee.rules.model import Action
    from referee.rules.scene import Detail, Scene

Legal = tuple["Action", "Detail"]
Unit = Annotated[str | None, typer.Option("--unit", "-u", metavar="ID", help="Only what this unit may do.")]
To = Annotated[str | None, typer.Option("--to", metavar="HEX", help="With --unit: only to this hex; if it may not go there, why.")]


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(legal)


def legal(
    file: File,
    at: At = None,
    unit: Unit = None,
    to: To = None,
    as_json: AsJson = False,
    png: Png = None,
    svg: Svg = None,
    game: Game = None,
    scenario: Scenario = None,
    options: Options = None,
    module: Module = None,
    mapping: Mapping_ = None,
    overlay: Overlay = None,
    reader: For = "director",
) -> None:
    """Lists what may be done now, with costs; for one unit (--unit) every hex in reach with the way and the MPs left."""
    must_be_new([png, svg], [file, module, mapping, overlay])
    opened = opened_by(file, at, game, scenario, options, module, mapping, overlay, reader)
    if to is not None and unit is None:
        raise _usage("--to goes with --unit")
    about = None if unit is None else number_of(opened, unit)
    found = legal_now(opened, about, to)
    scene = opened.shows.scene(opened.position)
    refused = why_not(opened, scene, unit, to) if unit is not None and to is not None and not found else ""
    if png or svg:
        standing = opened.shows.standing(opened.position)
        for path in drawn(opened, scene, standing, png, svg, paint_of(opened, scene, found, unit, about)):
            typer.echo(path.as_posix(), err=as_json)
    if as_json:
        owed = [opened.book.sentence(reason) for reason in owed_now(opened)]
        by = list(opened.position.agenda[-1].by) if opened.position.agenda else []
        print_json(
            {
                **head(opened),
                "turn": scene.turn,
                "phase": scene.phase,
                "by": by,
                "unit": unit or "",
                "actions": [as_data(legal) for legal in found],
                "owed": owed,
                "refused": refused,
            }
        )
    else:
        say([*opening(opened, scene), "", *(lines_about(opened, about, found, refused) if about is not None else lines_of(opened, found))])


def _usage(text: str) -> Exception:
    from referee.rules.options import UsageError

    return UsageError(text)


def number_of(opened: Opened, unit: str) -> int:
    """The engine's number of a piece. Raises UsageError for a piece that the game does not have, with those that are called alike."""
    try:
        return int(opened.book.game.unit(unit))
    except KeyError:
        names = [piece.id for piece in opened.box.pieces]
        near = [name for name in names if unit.casefold() in name] or difflib.get_close_matches(unit, names, 5)
        alike = f"; there are {', '.join(near[:8])}" if near else "; `referee show` lists them"
        raise _usage(f"there is no unit {unit!r}{alike}") from None


def legal_now(opened: Opened, about: int | None, to: str | None) -> list[Legal]:
    """The legal actions that its reader may know, with their details, ``done`` left out when one unit is asked about."""
    return [(a, opened.shows.detail(opened.position, a)) for a in _known(opened, about) if to is None or goal_of(a) == to]


def _known(opened: Opened, about: int | None) -> Iterator[Action]:
    """What a side may do hangs on what it hides: told are the actions of the reader's own sides, and dice, which are open to all."""
    from referee.rules.model import CHANCE, Roll

    book, missing = opened.book, _missing(opened)
    if opened.reader.whole and not missing:
        yield from book.legal(opened.position, about=about)
        return
    for player in book.game.players:
        if player not in missing and (opened.reader.whole or player in opened.reader.sides):
            yield from book.legal(opened.position, by=player, about=about)
    yield from (a for a in book.legal(opened.whole, by=CHANCE, about=about) if isinstance(a, Roll))


def _missing(opened: Opened) -> tuple[str, ...]:
    """Of whom the file itself holds no hidden fact: it is the text of somebody's view, and what they may do cannot be told."""
    from referee.rules.position_text import left_out

    return left_out(opened.book.game.layout, opened.whole)


def untold(opened: Opened) -> str:
    """Who decides of whom it is not told what they may do, as a sentence; "" where all is told."""
    deciders = opened.position.agenda[-1].by if opened.position.agenda else ()
    if those := [by for by in deciders if by in _missing(opened)]:
        return f"what {' and '.join(those)} may do cannot be told: the position leaves out what they hide"
    others = [] if opened.reader.whole else [by for by in deciders if by in opened.book.game.players and by not in opened.reader.sides]
    return f"what {' and '.join(others)} may do is theirs to know: --for {others[0]}, or director" if others else ""


def owed_now(opened: Opened) -> Sequence[Any]:
    """What ``done`` would be refused for, as far as its reader may know; a die that is awaited is no duty of anybody's."""
    book, p, missing = opened.book, opened.position, _missing(opened)
    if opened.reader.whole and not missing:
        found = book.duties(p)
    else:
        deciders = [by for by in (p.agenda[-1].by if p.agenda else ()) if by not in missing]
        found = tuple(reason for by in deciders if opened.reader.whole or by in opened.reader.sides for reason in book.duties(p, by))
    return [reason for reason in found if reason.code not in ("roll-awaited", "game-over")]


def why_not(opened: Opened, scene: Scene, piece: str, to: str) -> str:
    """Why a piece, unit or formation, may not move to a hex or zone. Raises UsageError for one that the map does not have."""
    from referee.rules.model import NotationError

    p = opened.position
    here = next((seen.place for seen in scene.units if seen.piece == piece), "")
    if not here:
        return f"Where {piece} lies is hidden from this reader."
    by = next(iter(p.agenda[-1].by), "") if p.agenda else ""
    try:
        action = opened.book.parse(f"{by} move {piece} @ {here} > {to}")
    except NotationError as error:
        raise _usage(str(error)) from None
    ruling = opened.book.check(p, action)
    if ruling.legal:
        return ""
    return f"{opened.book.sentence(ruling.reasons[0])} {opened.book.explain(p, action).text}."


def verb(a: Action) -> str:
    """The verb of the notation."""
    return str(a).split(" ")[1]


def unit_of(a: Action) -> str:
    """The one unit that the action names, "" for none."""
    return str(getattr(a, "unit", ""))


def goal_of(a: Action) -> str:
    """The place that the action leads to, "" for none."""
    return str(getattr(a, "to", ""))


def as_data(legal: Legal) -> dict[str, Any]:
    """One action for JSON."""
    a, detail = legal
    return {"notation": str(a), "by": a.by, "verb": verb(a), "unit": unit_of(a), "to": goal_of(a), **plain(detail)}


def paint_of(opened: Opened, scene: Scene, found: Iterable[Legal], unit: str | None, about: int | None) -> Paint:
    """What is painted: the reach of one unit, or the hexes that can be attacked."""
    from referee.picture import Paint

    words: dict[str, str] = {}
    targets: dict[str, None] = {}
    ways = []
    for a, detail in found:
        if verb(a) == "target":
            targets[goal_of(a)] = None
        elif about is not None and goal_of(a):
            words.setdefault(goal_of(a), "" if detail.left is None else str(detail.left))
            ways.append(detail.way)
    name = next((seen.name for seen in scene.units if seen.piece == unit), "")
    title = (
        f"What {name} ({unit}) may do: {when(scene)}" if about is not None else f"What may be attacked: {when(scene)}" if targets else ""
    )
    return Paint(words, tuple(targets), ways[0] if len(set(ways)) == 1 else (), title)


# ---------------------------------------------------------------------------------------------------------------------------
# Texts


def lines_of(opened: Opened, found: Sequence[Legal]) -> Iterator[str]:
    """Everything that may be done, gathered by unit."""
    if told := untold(opened):
        yield told
    elif not found:
        yield "nothing may be done"
    by_unit: dict[str, list[Legal]] = {}
    rest: list[Legal] = []
    for legal in found:
        piece = unit_of(legal[0])
        if piece and goal_of(legal[0]):
            by_unit.setdefault(piece, []).append(legal)
        else:
            rest.append(legal)
    for piece, own in by_unit.items():
        yield opened.shows.unit_line(opened.position, int(opened.book.game.unit(piece)))
        for kind in dict.fromkeys(verb(a) for a, _ in own):
            those = sorted((legal for legal in own if verb(legal[0]) == kind), key=_cheapest)
            yield from wrapped(f"{kind}: {', '.join(map(short, those))}", "    ", "      ")
    if any("ZOC" in detail.note for _, detail in found):
        yield "numbers in brackets: cost in MPs; * = it ends in an enemy ZOC"
    for a, detail in rest:
        yield from wrapped(f"{a}" + (f": {detail.note}" if detail.note else ""), "", "    ")
    yield from owed_lines(opened)


def _cheapest(legal: Legal) -> tuple[int, str]:
    return legal[1].cost or 0, goal_of(legal[0])


def short(legal: Legal) -> str:
    """``2614 (1)``, with a star where the move ends in an enemy ZOC."""
    a, detail = legal
    return goal_of(a) + ("" if detail.cost is None else f" ({detail.cost})") + ("*" if "ZOC" in detail.note else "")


def lines_about(opened: Opened, about: int, found: Sequence[Legal], refused: str) -> Iterator[str]:
    """What one unit may do, one hex a line."""
    yield opened.shows.unit_line(opened.position, about)
    if refused:
        yield from wrapped(refused, "", "  ")
        return
    if not found:
        yield untold(opened) or "it may do nothing now"
        return
    marches = sorted((legal for legal in found if legal[1].cost is not None), key=_cheapest)
    if marches:
        yield "verb  to    cost  left  way"
    for a, detail in marches:
        note = f"  [{detail.note}]" if detail.note else ""
        yield f"{verb(a):5} {goal_of(a):5} {detail.cost:4}  {detail.left:4}  {' '.join(detail.way)}{note}"
    for a, detail in found:
        if detail.cost is None:
            yield from wrapped(f"{a}" + (f": {detail.note}" if detail.note else ""), "", "    ")


def owed_lines(opened: Opened) -> Iterator[str]:
    """What must be done before the step can end."""
    for reason in owed_now(opened):
        yield from wrapped(f"owed before it can end: {opened.book.sentence(reason)}", "", "    ")
