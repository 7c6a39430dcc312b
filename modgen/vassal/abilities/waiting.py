"""Pieces that come back later: they wait on the turn track, in the cell of the turn on which they are due."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby

from modgen.art import plan
from modgen.formats.vassal.traits import make
from modgen.layout.abilities import Later
from modgen.layout.places import turn_name
from modgen.vassal import names
from modgen.vassal.abilities.part import Bench, Entry, Part, joined, press, said
from modgen.vassal.idioms import Trait, dynamic, quoted, trigger
from modgen.vassal.names import command
from modgen.vassal.odds.figure import match

WAITS = "Waits"
"""Property of a piece: ``yes`` once it has gone to wait on the turn track where only one of its side may."""


def due(bench: Bench, item: Later) -> dict[int, str]:
    """Turn -> the turn on which a piece that leaves then comes back; empty where there is none any more."""
    turns = sorted(int(row.key) for row in bench.box["turns"])
    open_ = [t for t in turns if item.where(bench.box["turns"][str(t)])]
    return {t: str(next((o for o in open_ if o >= t + item.turns), "")) for t in turns}


def by_turn(values: Sequence[tuple[int, int]], turn: str = names.TURN) -> str:
    """An expression: a number for each turn, the last one for all that come after. ``turn`` is the property with the turn."""
    groups = [(value, max(t for t, _ in group)) for value, group in groupby(values, key=lambda pair: pair[1])]
    tests = "".join(f"{turn}<={last} ? {value} : " for value, last in groups[:-1])
    return "{" + tests + str(groups[-1][0]) + "}"


def _spot(bench: Bench, item: Later, turn: str, sides: Collection[str]) -> tuple[int, int]:
    """Where a piece goes that is due on a turn, or never; ``sides`` are those of the prototype's pieces."""
    if not turn:
        beyond = bench.spot(item.beyond)
        return beyond.x, beyond.y
    if len(sides) == 1:
        return plan.turn_side_spot(bench.layout, bench.box, turn, next(iter(sides)))
    return plan.turn_spot(bench.layout, bench.box, turn)


def _first_free(bench: Bench, item: Later, turns: Sequence[int], sides: Sequence[str]) -> str:
    """An expression: the first of the turns that is late enough and in whose cell no piece of these sides waits; 0 for none."""
    mine = " || ".join(f"{names.SIDE}=={quoted(side)}" for side in sides)
    waits = match(f'{WAITS}=="yes" && ({mine})')
    on = quoted(bench.layout.board.map)
    tests = (f"{names.TURN}+{item.turns}<={t} && CountLocation({quoted(turn_name(str(t)))}, {on}, {waits})==0 ? {t} : " for t in turns)
    return "".join(tests) + "0"


def _later(bench: Bench, item: Later, number: int) -> Part:
    key = f"later{number}"
    sides = {p.side for p in bench.box.pieces if bench.layout.play.prototype(p) is bench.prototype}
    turns, prop = due(bench, item), names.TURN
    inner: tuple[Trait, ...] = ()
    if item.alone:
        prop, open_ = f"Due{number}", sorted({int(to) for to in turns.values() if to})
        # 0 for no such turn: it comes first, before the cells of all turns.
        turns = {0: "", **{t: str(t) for t in open_}}
        calculated = make("calcProp", name=prop, expression="{" + _first_free(bench, item, open_, sorted(sides)) + "}")
        inner = ((calculated, ""), dynamic(WAITS, "no", (command(f"{key}Note"), "yes")))
    spots = [(turn, _spot(bench, item, to, sides)) for turn, to in sorted(turns.items())]
    go = make(
        "sendto",
        key=command(f"{key}Go"),
        map=bench.layout.board.map,
        x=by_turn([(turn, x) for turn, (x, _) in spots], prop),
        y=by_turn([(turn, y) for turn, (_, y) in spots], prop),
        x_offset=0,
        y_offset=0,
    )
    noted = (command(f"{key}Note"),) if item.alone else ()
    sends = (command("elimNote"), command("unmark"), command(f"{key}Go"), *noted, command(f"{key}Say"))
    entry = f"{item.under}: {item.menu.text}" if item.under else item.menu.text
    return Part(
        says=(said(item.menu, f"{key}Say", "{name} leaves {from}, back at {place}"),),
        menus=(trigger(item.menu.text, press(item.menu, key), bench.on_map(), *sends),),
        inner=((go, ";;"), *inner),
        aid=(Entry(names.pressed(item.menu.key), entry, "onto the turn track, to the turn on which it is due"),),
        under=((item.under, item.menu.text),) if item.under else (),
    )


def later(bench: Bench) -> Part:
    """Every such way of the prototype."""
    return joined(_later(bench, item, number) for number, item in enumerate(bench.prototype.later, 1))
