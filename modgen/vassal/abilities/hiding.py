"""Masks, always by side and never by player: whoever takes over a side sees what its pieces are."""

from __future__ import annotations

from modgen.art import counters
from modgen.formats.vassal.traits import make
from modgen.layout.abilities import Menu
from modgen.vassal import names
from modgen.vassal.abilities.part import Bench, Entry, Part, press
from modgen.vassal.idioms import Trait


def cover(bench: Bench, mask_id: str, menu: Menu, key: str) -> Trait:
    """The trait that hides a piece behind the picture of a ``[[mask]]``; its own side sees the picture as a small inset."""
    mask = next(m for m in bench.layout.counters.masks if m.id == mask_id)
    text = make(
        "obs",
        key=press(menu, key),
        image=counters.mask_file(mask),
        menu=menu.text,
        style="I",
        mask_name=mask.face.name,
        access="side:",
        auto_peek=True,
    )
    return text, "null;"


def mask(bench: Bench) -> Part:
    """Stands outermost, so that the other side's menu is empty and its keys do nothing while the piece is masked."""
    item = bench.prototype.mask
    if item is None:
        return Part()
    return Part(
        outer=(cover(bench, item.mask, item.menu, "mask"),),
        aid=(Entry(names.pressed(item.menu.key), item.menu.text, "hides it from the other sides, and shows it again"),),
    )
