"""One piece in the place of another: it gives up its place, and the other takes it with the face that was up.

Two entries, one on each piece: the client's own trait for it would make a new piece, which no set-up and no ledger knows.
"""

from __future__ import annotations

from modgen.formats.vassal.traits import make
from modgen.layout.abilities import Prototype
from modgen.vassal import names
from modgen.vassal.abilities.part import Bench, Entry, Part, press, said
from modgen.vassal.idioms import either, module_property, neither, trigger
from modgen.vassal.names import command


def properties(prototypes: tuple[Prototype, ...]) -> list[tuple[str, str]]:
    """The module's properties that remember the place given up; none when no piece gives up its own."""
    given = (names.GIVEN_X, names.GIVEN_Y, names.GIVEN_FACE)
    return [(name, "0") for name in given] if any(p.give is not None for p in prototypes) else []


def give(bench: Bench) -> Part:
    """Notes its place and face, then goes to its box."""
    item = bench.prototype.give
    if item is None:
        return Part()
    to = bench.spot(item.to)
    return Part(
        says=(said(item.menu, "giveSay", "{name} in {from} makes room, now in {place}"),),
        menus=(
            trigger(
                item.menu.text,
                press(item.menu, "give"),
                bench.on_map(),
                *(command(c) for c in ("elimNote", "giveNote", "unmark", "giveGo", "giveSay")),
            ),
        ),
        inner=(
            module_property(names.GIVEN_X, (command("giveNote"), "{CurrentX}")),
            module_property(names.GIVEN_Y, (command("giveNote"), "{CurrentY}")),
            module_property(names.GIVEN_FACE, (command("giveNote"), "{" + f"{names.FACE}_Level" + "}")),
            (make("sendto", key=command("giveGo"), map=to.map, x=to.across, y=to.at, x_offset=0, y_offset=0), ";;"),
        ),
        aid=(Entry(names.pressed(item.menu.key), item.menu.text, f"goes to {to.name}; the piece that replaces it then takes its place"),),
        bound=((command("giveGo"), to.name),) if to.gaps else (),
    )


def take(bench: Bench) -> Part:
    """Goes where the other piece was, as strong as that was; each place can be taken once."""
    item = bench.prototype.take
    if item is None:
        return Part()
    level = f"{names.FACE}_Level"
    steps = bench.prototype.faces is not None and bench.prototype.faces.kind == "steps"
    away = [bench.spot(place).name for place in item.start]
    turned = (
        trigger("", command("takeWeak"), "{" + f"{level}<{names.GIVEN_FACE}" + "}", command("step")),
        trigger("", command("takeStrong"), "{" + f"{level}>{names.GIVEN_FACE}" + "}", command("unstep")),
    )
    when = [f"{names.GIVEN_X}>0"]
    when += ["(" + either("LocationName", away)[1:-1] + ")"] if away else []
    keys = ("elimNote", *(("takeWeak", "takeStrong") if steps else ()), "takeGo", "takeSay", "takeDone")
    pressed = press(item.menu, "take")
    go = make(
        "sendto",
        key=command("takeGo"),
        map=bench.layout.board.map,
        x="{" + names.GIVEN_X + "}",
        y="{" + names.GIVEN_Y + "}",
        x_offset=0,
        y_offset=0,
    )
    return Part(
        says=(said(item.menu, "takeSay", "{face} from {from} takes the place in {place}"),),
        menus=(
            trigger(item.menu.text, pressed, "{" + " && ".join(when) + "}", *(command(k) for k in keys)),
            *(turned if steps else ()),
        ),
        inner=((go, ";;"), module_property(names.GIVEN_X, (command("takeDone"), "0"))),
        aid=(Entry(names.pressed(item.menu.key), item.menu.text, "goes where a piece has just made room, as strong as that was"),),
        hides=((neither("LocationName", away), pressed),) if away else (),
    )
