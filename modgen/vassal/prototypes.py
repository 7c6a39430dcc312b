"""What pieces can do: the traits of units and markers, written after idioms that were run in the client's engine.

Traits are listed outermost first. The outermost gets a key first, but reports and triggers act after everything inside them.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamebox import tabletalk
from gamebox.model import Box, Piece
from modgen.art import counters, plan
from modgen.errors import ArtError
from modgen.formats.vassal import sequence
from modgen.formats.vassal.pieces import Basic, build
from modgen.formats.vassal.pieces import Piece as Counter
from modgen.formats.vassal.traits import make
from modgen.layout.board import BoxArea
from modgen.layout.counters import Marker
from modgen.layout.layout import Layout
from modgen.layout.play import SidePalette
from modgen.vassal import names
from modgen.vassal.names import KEYS, command

Trait = tuple[str, str]
"""Type string and state string."""
MARKER_PROTOTYPE = "Marker"


def quoted(text: str) -> str:
    """A text inside an expression.

    Raises ValueError for signs that the engine's expressions or property texts do not carry.
    """
    if any(c in text for c in '"\\$\n'):
        raise ValueError(f"{text!r} cannot stand in an expression")
    return f'"{text}"'


def setting(value: str) -> str:
    """A changer that sets a value; it is a comma list itself, so commas in the value are escaped."""
    return sequence.encode(("P", value), ",")


def commands(*pairs: tuple[str, str]) -> str:
    """The command list of a property trait: ``:KEY:CHANGER`` each, without menu entries."""
    return sequence.encode([sequence.encode(("", key, setting(value)), ":") for key, value in pairs], ",")


def keys(*listed: str) -> str:
    """A list of keys."""
    return sequence.encode(listed, ",")


def report(said: str, text: str) -> Trait:
    """A chat line of its own key, also when a global command sent it."""
    return make("report", keys=keys(said), format=text, no_suppress=True), "-1"


def trigger(menu: str, key: str, when: str, *does: str) -> Trait:
    """A menu entry that sends the piece several keys in turn."""
    text = make("macro", name=menu, menu=menu, key=key, filter=when, action_keys=keys(*does), count="1")
    return text, ""


def dynamic(name: str, start: str, *pairs: tuple[str, str]) -> Trait:
    """A property of the piece that is saved and logged with it."""
    return make("PROP", name=name, commands=commands(*pairs)), start


def module_property(name: str, *pairs: tuple[str, str]) -> Trait:
    """Sets a property of the module: always logged, also when the value stays the same."""
    return make("setprop", name=name, commands=commands(*pairs)), ""


def pictures(
    name: str, images: Sequence[str], *, words: Sequence[str] = (), up: str = "", follow: str = "", x: int = 0, y: int = 0
) -> Trait:
    """A layer of pictures drawn at twice the shown size; ``follow`` is an expression that gives the level."""
    text = make(
        "emb2",
        activate_menu="",
        activate_letter="",
        activate_key="",
        images=sequence.encode(images, ","),
        level_names=sequence.encode(words or [""] * len(images), ","),
        loop=bool(up),
        name=name,
        follow=bool(follow),
        property=follow,
        up_key=up,
        x=x,
        y=y,
        scale=str(1 / counters.SCALE),
    )
    return text, "1"


def talk(verb: str, *fields: str) -> str:
    """An expression that gives a line of table talk; fields are expressions themselves."""
    parts = [f'"{tabletalk.MARK}{tabletalk.VERSION}|"', names.TALK_NUMBER, f'"|{verb}|"']
    for index, field in enumerate(fields):
        parts += ['"|"', field] if index else [field]
    return "{" + "+".join(parts) + "}"


def either(name: str, values: Sequence[str]) -> str:
    """A test that a property has one of these values; false for none."""
    return "{" + (" || ".join(f"{name}=={quoted(v)}" for v in values) or "false") + "}"


def prototype_name(side: SidePalette) -> str:
    """The prototype of a side's units."""
    return f"{side.tab} unit"


def box_area(layout: Layout, box_id: str) -> BoxArea:
    """The drawn box of an id."""
    return next(b for b in layout.board.boxes if b.id == box_id)


def boxes_of(layout: Layout, side: str) -> dict[str, BoxArea]:
    """Zone -> the box that a side's eliminated units go to from there; ``*`` from anywhere else."""
    found = next(e for e in layout.play.eliminate if e.side == side)
    return {zone: box_area(layout, box_id) for zone, box_id in found.boxes}


def box_x(layout: Layout, box: Box, piece: Piece) -> int:
    """Where a unit lies in its boxes, in pixels from the left: the same in all of them.

    Raises :class:`ArtError` when the layout draws them out of line.
    """
    found = {area.name: plan.spot(layout, box, area, piece)[0] for area in boxes_of(layout, piece.side).values()}
    if len(set(found.values())) > 1:
        raise ArtError(
            f"{layout.path.name}: [[box]] {', '.join(found)}: boxes of one side must be equally wide, at the same x and with the same sides"
        )
    return next(iter(found.values()))


def _box_y(layout: Layout, side: str) -> str:
    """How far down: a number, or an expression of the zone that the unit was eliminated in."""

    def low(area: BoxArea) -> int:
        return area.rect[1] + area.rect[3] - layout.counters.size // 2 - 8

    boxes = boxes_of(layout, side)
    text = str(low(boxes["*"]))
    by_y: dict[int, list[str]] = {}
    for zone, area in boxes.items():
        if zone != "*":
            by_y.setdefault(low(area), []).append(zone)
    for y, zones in by_y.items():
        test = " || ".join(f"ElimZone=={quoted(z)}" for z in zones)
        text = f"{test} ? {y} : {text}"
    return "{" + text + "}" if by_y else text


def unit_prototype(layout: Layout, side: SidePalette) -> Counter:
    """All that units of one side can do, around an empty piece."""
    here = "LocationName"
    play = either("CurrentZone", [z.name for z in layout.board.zones])
    boxes = list(dict.fromkeys(area.name for area in boxes_of(layout, side.id).values()))
    # A unit that was dragged into a box has nowhere to come back to.
    eliminated = "{(" + either("CurrentZone", boxes)[1:-1] + ') && ElimZone!=""}'
    off = box_area(layout, layout.play.exit_box)
    traits: list[Trait] = [
        report(command("declSay"), "$LocationName$: $BasicName$ $Declared$"),
        report(command("elimSay"), "$BasicName$ eliminated in $ElimFrom$, now in $LocationName$"),
        report(command("backSay"), "$BasicName$ comes back to $LocationName$"),
        report(command("exitSay"), "$BasicName$ leaves $ElimFrom$, now in $LocationName$"),
        report(command("lastSay"), "$BasicName$ goes back to $LocationName$"),
    ]
    if side.removable:
        traits.append(report(command("flipSay"), "$BasicName$ in $LocationName$ is flipped: now $PieceName$"))
    traits += [
        trigger(
            "Declare attack",
            KEYS["attack"],
            "",
            *(command(c) for c in ("bump", "talkAttack", "markAttack", "declSay")),
        ),
        trigger(
            "Declare target",
            KEYS["target"],
            "",
            *(command(c) for c in ("bump", "talkTarget", "markTarget", "declSay")),
        ),
        trigger(
            "Clear declaration",
            KEYS["clear"],
            "{" + f"{names.DECLARED}!={quoted(names.NO_WORD)}" + "}",
            *(command(c) for c in ("bump", "talkClear", "unmark")),
        ),
        trigger("Eliminate", KEYS["eliminate"], play, *(command(c) for c in ("elimNote", "unmark", "elimGo", "elimSay"))),
        trigger("Bring back", KEYS["back"], eliminated, command("elimBack"), command("backSay")),
        trigger(
            "Return to last hex", KEYS["last"], "{" + f"OldMap=={quoted(layout.board.map)}" + "}", command("lastHex"), command("lastSay")
        ),
    ]
    if side.exits:
        on_edge = "{" + f'{names.EXITS}.contains(";"+{here}+";")' + "}"
        traits.append(trigger("Exit map", KEYS["exit"], on_edge, *(command(c) for c in ("elimNote", "unmark", "exitGo", "exitSay"))))
    if side.removable:
        traits += [
            trigger("Mark for removal (flip)", KEYS["flip"], play, command("flip"), command("flipSay")),
            trigger(
                "Remove from the game",
                KEYS["gone"],
                "{" + f"{names.FACE}_Level==2" + "}",
                *(command(c) for c in ("elimNote", "unmark", "exitGo", "exitSay")),
            ),
        ]
    traits += [
        module_property(names.TALK_NUMBER, (command("bump"), "{" + names.TALK_NUMBER + "+1}")),
        module_property(
            names.TALK,
            (command("talkAttack"), talk("ATT", names.UNIT, here)),
            (command("talkTarget"), talk("TGT", names.UNIT, here)),
            (command("talkClear"), talk("CLR", names.UNIT)),
        ),
        dynamic("ElimZone", "", (command("elimNote"), "{CurrentZone}")),
        dynamic("ElimFrom", "", (command("elimNote"), "{LocationName}")),
        dynamic(
            names.DECLARED,
            names.NO_WORD,
            (command("markAttack"), names.ATTACKS),
            (command("markTarget"), names.ATTACKED),
            *((command(c), names.NO_WORD) for c in ("unmark", "clear", "clearDecl")),
        ),
        pictures(
            "DeclMark",
            ("", counters.ATTACK, counters.TARGET),
            follow="{" + f"{names.DECLARED}=={quoted(names.ATTACKS)} ? 2 : {names.DECLARED}=={quoted(names.ATTACKED)} ? 3 : 1" + "}",
            x=-(layout.counters.size // 2 - 9),
            y=-(layout.counters.size // 2 - 9),
        ),
        (
            make(
                "sendto",
                key=command("elimGo"),
                map=layout.board.map,
                x="{" + names.BOX_X + "}",
                y=_box_y(layout, side.id),
                back_key=command("elimBack"),
                x_offset=0,
                y_offset=0,
            ),
            ";;",
        ),
        (make("sendto", key=command("exitGo"), map=layout.board.map, x_offset=0, y_offset=0, dest="Z", zone=off.name), ";;"),
        (make("sendto", key=command("lastHex"), map=layout.board.map, x="{OldX}", y="{OldY}", x_offset=0, y_offset=0), ";;"),
        (make("footprint", key=KEYS["trail"], menu="Movement trail"), "false;;0;false"),
        (
            make(
                "markmoved",
                image=counters.MOVED,
                x=layout.counters.size // 2 - 18,
                y=-(layout.counters.size // 2),
                menu="Mark moved",
                key=KEYS["moved"],
                menu_true="",
                menu_false="",
                key_false=command("clear"),
            ),
            "false",
        ),
    ]
    return build(traits, Basic())


def marker_prototype() -> Counter:
    """Markers can be deleted."""
    return build([(make("delete", key=names.DELETE), "")], Basic())


def prototypes(layout: Layout) -> dict[str, Counter]:
    """Every prototype of the module by name."""
    out = {prototype_name(side): unit_prototype(layout, side) for side in layout.play.sides}
    out[MARKER_PROTOTYPE] = marker_prototype()
    return out


def unit(layout: Layout, box: Box, piece: Piece, gpid: int) -> Counter:
    """A unit as its slot defines it."""
    side = layout.play.side(piece.side)
    images = [counters.front_file(piece)] + ([counters.back_file(piece)] if side.removable else [])
    # One level is called what the piece is called: an empty list of level names was never tried in the engine.
    words = ["", "+ (to be removed)"] if side.removable else [layout.named(piece)]
    values = {
        names.UNIT: piece.id,
        names.SIDE: piece.side,
        names.NATION: piece.nation,
        **{name.capitalize(): str(value) for name, value in zip(piece.columns, piece.strengths, strict=True)},
        names.BOX_X: str(box_x(layout, box, piece)),
        names.LAYER: names.UNIT_LAYER,
    }
    traits: list[Trait] = [
        (make("prototype", name=prototype_name(side)), ""),
        pictures(names.FACE, images, words=words, up=command("flip") if side.removable else ""),
        (make("mark", names=sequence.encode(values, ",")), sequence.encode(values.values(), ",")),
    ]
    return build(traits, Basic(name=layout.named(piece), gpid=str(gpid)))


def marker(layout: Layout, item: Marker, gpid: int) -> Counter:
    """A marker as its slot defines it."""
    values = {names.MARKER_ID: item.id, names.LAYER: names.MARKER_LAYER}
    traits: list[Trait] = [
        (make("prototype", name=MARKER_PROTOTYPE), ""),
        pictures(names.FACE, (counters.marker_file(item),), words=(item.name,)),
        (make("mark", names=sequence.encode(values, ",")), sequence.encode(values.values(), ",")),
    ]
    return build(traits, Basic(name=item.name, gpid=str(gpid)))
