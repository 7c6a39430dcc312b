"""Going away: eliminated into the right box and back, off the map, to another place, back to where the piece came from."""

from __future__ import annotations

from modgen.art import plan
from modgen.errors import ArtError
from modgen.formats.vassal.traits import make
from modgen.layout.abilities import Eliminate, Send
from modgen.vassal import names
from modgen.vassal.abilities.part import Bench, Entry, Part, gathered, joined, press, said, worded
from modgen.vassal.idioms import Trait, dynamic, either, quoted, report, trigger
from modgen.vassal.names import KEYS, command


def low(bench: Bench, box_id: str) -> int:
    """How far down pieces lie in a box."""
    _, y, _, h = bench.area(box_id).rect
    return y + h - bench.size // 2 - 8


def _box_y(bench: Bench, item: Eliminate) -> str:
    """How far down: a number, or an expression of the zone that the unit was eliminated in."""
    boxes = dict(item.boxes)
    text = str(low(bench, boxes["*"]))
    by_y: dict[int, list[str]] = {}
    for zone, box_id in boxes.items():
        if zone != "*":
            by_y.setdefault(low(bench, box_id), []).append(zone)
    for y, zones in by_y.items():
        test = " || ".join(f"ElimZone=={quoted(z)}" for z in zones)
        text = f"{test} ? {y} : {text}"
    return "{" + text + "}" if by_y else text


def notes(bench: Bench) -> Part:
    """Where a piece was when it left, for the report and for the way back."""
    p = bench.prototype
    sent = any(not send.direct for send in p.sends)
    if not (p.eliminate or p.exit or sent or p.later or p.cross or p.give or p.take or (p.faces and p.faces.kind == "leave")):
        return Part()
    return Part(
        inner=(
            dynamic("ElimZone", "", (command("elimNote"), "{CurrentZone}")),
            dynamic("ElimFrom", "", (command("elimNote"), "{LocationName}")),
        )
    )


def _off() -> tuple[str, ...]:
    """What every departure does first: note the place, take a declaration's mark off."""
    return command("elimNote"), command("unmark")


def eliminate(bench: Bench) -> Part:
    """To the box of the zone that it stands in, sorted there by strength where the box has slots; and back."""
    item = bench.prototype.eliminate
    if item is None:
        return Part()
    boxes = list(dict.fromkeys(bench.area(box_id).name for _, box_id in item.boxes))
    secret = bench.prototype.secret
    # A unit that was dragged into a box has nowhere to come back to.
    eliminated = "{(" + either("CurrentZone", boxes)[1:-1] + ') && ElimZone!=""}'
    return Part(
        says=(
            report(command("elimSay"), f"$BasicName$ eliminated{'' if secret else ' in $ElimFrom$'}, now in $LocationName$"),
            report(command("backSay"), f"$BasicName$ comes back{'' if secret else ' to $LocationName$'}"),
        ),
        menus=(
            trigger("Eliminate", KEYS["eliminate"], bench.on_map(), *_off(), command("elimGo"), command("elimSay")),
            trigger("Bring back", KEYS["back"], eliminated, command("elimBack"), command("backSay")),
        ),
        inner=(
            (
                make(
                    "sendto",
                    key=command("elimGo"),
                    map=bench.layout.board.map,
                    x="{" + names.BOX_X + "}",
                    y=_box_y(bench, item),
                    back_key=command("elimBack"),
                    x_offset=0,
                    y_offset=0,
                ),
                ";;",
            ),
        ),
        aid=(
            Entry(KEYS["eliminate"], "Eliminate", "sends the unit to its box and says so"),
            Entry(KEYS["back"], "Bring back", "from the box to where it was eliminated"),
        ),
    )


def box_x(bench: Bench, piece_id: str) -> int:
    """Where a piece lies in its boxes, in pixels from the left: the same in all of them.

    Raises :class:`ArtError` when the layout draws them out of line.
    """
    item = bench.prototype.eliminate
    assert item is not None
    piece = next(p for p in bench.box.pieces if p.id == piece_id)
    areas = [bench.area(box_id) for _, box_id in item.boxes]
    found = {area.name: plan.spot(bench.layout, bench.box, area, piece)[0] for area in areas}
    if len(set(found.values())) > 1:
        raise ArtError(
            f"{bench.layout.path.name}: [[box]] {', '.join(found)}: "
            "boxes of one side must be equally wide, at the same x and with the same sides"
        )
    return next(iter(found.values()))


def _gone(bench: Bench, box_id: str, key: str) -> Trait:
    zone = bench.area(box_id).name
    return make("sendto", key=command(key), map=bench.layout.board.map, x_offset=0, y_offset=0, dest="Z", zone=zone), ";;"


def exit_map(bench: Bench) -> Part:
    """Off the map, from the hexes that lead off it."""
    item = bench.prototype.exit
    if item is None:
        return Part()
    on_edge = "{" + f'{names.EXITS}.contains(";"+LocationName+";")' + "}"
    return Part(
        says=(report(command("exitSay"), "$BasicName$ leaves $ElimFrom$, now in $LocationName$"),),
        menus=(trigger("Exit map", KEYS["exit"], on_edge, *_off(), command("exitGo"), command("exitSay")),),
        inner=(_gone(bench, item.box, "exitGo"),),
        aid=(Entry(KEYS["exit"], "Exit map", "from a hex that leads off the map"),),
    )


def leave(bench: Bench) -> Part:
    """Marked to be removed from the game (turned), and removed."""
    faces = bench.prototype.faces
    if faces is None or faces.kind != "leave":
        return Part()
    on_map = bench.on_map()[1:-1]
    marked = "{" + (f"({on_map}) && " if on_map else "") + f"{names.FACE}_Level==2" + "}"
    return Part(
        says=(
            report(command("flipSay"), "$BasicName$ in $LocationName$ is flipped: now $PieceName$"),
            report(command("goneSay"), "$BasicName$ leaves $ElimFrom$, now in $LocationName$"),
        ),
        menus=(
            trigger("Mark for removal (flip)", KEYS["flip"], bench.on_map(), command("flip"), command("flipSay")),
            trigger("Remove from the game", KEYS["gone"], marked, *_off(), command("goneGo"), command("goneSay")),
        ),
        inner=(_gone(bench, faces.box, "goneGo"),),
        aid=(
            Entry(KEYS["flip"], "Mark for removal (flip)", "turns the unit over; again to undo"),
            Entry(KEYS["gone"], "Remove from the game", "a unit that is turned over"),
        ),
    )


def last(bench: Bench) -> Part:
    """Back to where the last move began."""
    from_map = "{" + f"OldMap=={quoted(bench.layout.board.map)}" + "}"
    words = f"Return to last {'hex' if bench.layout.board.hexes is not None else 'place'}"
    # A declaration is of the place where it was made.
    undeclared = (command("dragged"),) if "declare" in bench.prototype.can else ()
    return Part(
        says=(report(command("lastSay"), "$BasicName$ goes back to $LocationName$"),),
        menus=(trigger(words, KEYS["last"], from_map, command("lastHex"), *undeclared, command("lastSay")),),
        inner=(
            (
                make("sendto", key=command("lastHex"), map=bench.layout.board.map, x="{OldX}", y="{OldY}", x_offset=0, y_offset=0),
                ";;",
            ),
        ),
        aid=(Entry(KEYS["last"], words, "takes the last move back"),),
    )


def _start(bench: Bench, item: Send) -> tuple[str, str]:
    """Where a way begins: a test (without braces) that the piece is there, and one that it is not; empty for anywhere."""
    maps = {bench.layout.board.map, *(display.name for display in bench.layout.displays)}
    zones = {z.name for z in bench.layout.board.zones}

    def where(place: str) -> tuple[str, str]:
        if place in maps:
            return "CurrentMap", place
        if place in zones:
            return "CurrentZone", place
        return "LocationName", place if "hexes" in bench.box.tables and place in bench.box["hexes"].by_key else bench.spot(place).name

    at = [where(place) for place in item.start]
    return " || ".join(f"{name}=={quoted(value)}" for name, value in at), " && ".join(f"{name}!={quoted(value)}" for name, value in at)


def _send(bench: Bench, item: Send, number: int) -> Part:
    key = f"send{number}"
    to = bench.spot(item.to)
    here, away = _start(bench, item)
    pressed = press(item.menu, key) if not item.order else command(f"order-{item.order}")
    hides = (("{" + away + "}", pressed),) if item.hide and away else ()
    under = ((item.under, item.menu.text),) if item.under else ()
    aid = () if item.under else (Entry(names.pressed(item.menu.key), item.menu.text, f"to {to.name}"),)
    go = make(
        "sendto",
        menu=item.menu.text if item.direct else "",
        key=pressed if item.direct else command(f"{key}Go"),
        map=to.map,
        x=to.across,
        y=to.at,
        back_key=command(f"{key}Back") if item.back else "",
        x_offset=0,
        y_offset=0,
    )
    bound = ((pressed if item.direct else command(f"{key}Go"), to.name),) if to.gaps else ()
    if item.direct:
        return Part(inner=((go, ";;"),), aid=aid, hides=hides, under=under, bound=bound)
    tests = [f"({here})" if " || " in here and item.turn else here] if here else []
    # A button asks all pieces: those that lie there already neither move nor say so.
    tests += [f"LocationName!={quoted(to.name)}"] if item.order and not here else []
    tests += [f"{item.turn.capitalize()}<={names.TURN}"] if item.turn else []
    when = "{" + " && ".join(tests) + "}" if tests else ""
    default = "{name} goes to {place}" if bench.prototype.secret else "{name} goes from {from} to {place}"
    says: tuple[Trait, ...] = () if item.quiet else (said(item.menu, f"{key}Say", default),)
    spoken = () if item.quiet else (command(f"{key}Say"),)
    turned = (command(f"face-{item.face}"),) if item.face else ()
    menus: tuple[Trait, ...] = (trigger(item.menu.text, pressed, when, *_off(), *turned, command(f"{key}Go"), *spoken),)
    if item.back:
        there = "{" + f'LocationName=={quoted(to.name)} && ElimFrom!=""' + "}"
        says += (report(command(f"{key}BackSay"), "$BasicName$ comes back to $LocationName$"),)
        menus += (trigger(f"{item.menu.text}: undo", command(f"{key}BackMenu"), there, command(f"{key}Back"), command(f"{key}BackSay")),)
    orders = ((item.order, pressed),) if item.order else ()
    return Part(says=says, menus=menus, inner=((go, ";;"),), aid=aid, hides=hides, under=under, orders=orders, bound=bound)


def _said(bench: Bench) -> Part:
    """One report for all ways that go without more and are told in the same words: it hears the keys of their menu entries."""
    by_words: dict[str, list[str]] = {}
    for number, item in enumerate(bench.prototype.sends, 1):
        if item.direct and not item.quiet:
            by_words.setdefault(item.menu.say, []).append(press(item.menu, f"send{number}"))
    return Part(says=tuple(report(listed, worded(words)) for words, listed in by_words.items()))


def sends(bench: Bench) -> Part:
    """To the places that the layout names."""
    listed = gathered(bench.prototype.sends)
    return joined((_said(bench), listed, *(_send(bench, item, number) for number, item in enumerate(bench.prototype.sends, 1))))
