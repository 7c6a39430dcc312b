"""Masks, always by side and never by player: whoever takes over a side sees what its pieces are."""

from __future__ import annotations

from modgen.formats.vassal.traits import make
from modgen.vassal import names
from modgen.vassal.abilities.part import Bench, Entry, Part, press


def mask(bench: Bench) -> Part:
    """Stands outermost, so that the other side's menu is empty and its keys do nothing while the piece is masked."""
    item = bench.prototype.mask
    if item is None:
        return Part()
    text = make(
        "obs",
        key=press(item.menu, "mask"),
        image=item.image,
        menu=item.menu.text,
        style=f"G{item.image}",
        mask_name=item.name,
        access="side:",
        peek_menu="",
        auto_peek=True,
    )
    return Part(
        outer=((text, "null;"),),
        aid=(Entry(names.pressed(item.menu.key), item.menu.text, "hides it from the other sides, and shows it again"),),
    )
