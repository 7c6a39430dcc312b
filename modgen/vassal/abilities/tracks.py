"""Markers that step along the cells of a track."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from modgen.formats.vassal.traits import make
from modgen.layout.abilities import Menu
from modgen.vassal import names, places
from modgen.vassal.abilities.part import Bench, Entry, Part, joined, press, said
from modgen.vassal.idioms import neither, quoted, trigger
from modgen.vassal.names import command


def following(cells: Sequence[places.Spot], beside: str) -> str:
    """An expression: the cell after the one where the piece stands; ``beside`` from the last one and from beside the track."""
    chain = "".join(f"LocationName=={quoted(a.name)} ? {quoted(b.name)} : " for a, b in pairwise(cells))
    return "{" + chain + quoted(beside) + "}"


def along(bench: Bench) -> Part:
    """One cell up and one down; from beside the track onto its first cell. Around the end it goes on from the other one, if so."""
    item = bench.prototype.along
    if item is None:
        return Part()
    cells = places.atlas(bench.layout, bench.box).along(item.row)
    first = cells[0].name
    made = joined((_step(item.up, "trackUp", cells, first, item.around), _step(item.down, "trackDown", cells[::-1], first, False)))
    away = neither("LocationName", [cell.name for cell in cells])
    hides = tuple((away, press(menu, key)) for menu, key in ((item.up, "trackUp"), (item.down, "trackDown")))
    return replace(made, hides=hides) if item.inside else made


def _step(menu: Menu, key: str, cells: Sequence[places.Spot], beside: str, around: bool) -> Part:
    to = make("sendto", key=command(f"{key}Go"), map=cells[0].map, x_offset=0, y_offset=0, dest="R", region=following(cells, beside))
    more = "{" + f"LocationName!={quoted(cells[-1].name)}" + "}" if not around else ""
    return Part(
        says=(said(menu, f"{key}Say", "$BasicName$ now at $LocationName$"),),
        menus=(trigger(menu.text, press(menu, key), more, command(f"{key}Go"), command(f"{key}Say")),),
        inner=((to, ";;"),),
        aid=(Entry(names.pressed(menu.key), menu.text, "one cell along its track, and says so"),),
    )
