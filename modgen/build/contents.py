"""The entries of a module and the zip they are packed into."""

from __future__ import annotations

import datetime as dt
import hashlib
import io
import json
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from gamebox.model import Box
from modgen.art import cards, charts, counters, icons, maker, plan
from modgen.art.board import draw_board
from modgen.art.board.card import draw_card
from modgen.art.displays import draw_display
from modgen.art.drawing import Drawing
from modgen.art.maker import Art, Own
from modgen.formats.vassal.buildfile import BUILD_FILE
from modgen.formats.vassal.saves import Metadata
from modgen.formats.vassal.xml import Element, to_bytes
from modgen.layout.layout import Layout
from modgen.vassal import help as player_aid
from modgen.vassal import maps, module
from modgen.vassal.ledger import Ledger
from modgen.vassal.setup import setup_save, setup_text
from modgen.vassal.slots import Slots

IDENTITY = "modgen.json"
"""Entry of a module that says what it was built from."""
ZONE_STEP = 80.0
"""About how far the places of a board of zones are apart, in pixels: what a scan may be off goes by it."""
FIRST = (BUILD_FILE, "moduledata")
"""The entries that come first, where a client that reads on from the beginning finds them."""


Picture = Drawing | Own


def board_pictures(box: Box, layout: Layout, art: Art) -> tuple[Picture, ...]:
    """The board, the piece of it that the client's window about the module shows, and displays in windows of their own.

    Raises :class:`ArtError` for what cannot be drawn, and for a maker's scan that does not fit.
    """
    board = draw_board(box, layout)
    x, y, w, h = board.frame
    step = float(layout.board.hexes.across) if layout.board.hexes is not None else ZONE_STEP
    scan = maker.scan(art, plan.field(layout, box), (x + 2, y + 2, w - 4, h - 4), (board.width, board.height), step)
    drawn = (
        replace(board.drawing(maps.BOARD_FILE), over=scan),
        _or_own(replace(board.portrait(module.ABOUT_FILE), over=scan), art, fixed=False),
        *(_or_own(draw_display(box, layout, display), art) for display in layout.displays),
    )
    return drawn


def chart_pictures(box: Box, layout: Layout, art: Art) -> tuple[Picture, ...]:
    """Every chart and card. Raises :class:`ArtError` for what cannot be drawn, and for a maker's card of another shape."""
    return (
        *(_or_own(charts.draw_chart(chart, layout), art, fixed=False) for chart in charts.charts(box, layout)),
        *(_or_own(draw_card(card, box, layout), art) for card in cards.cards(layout, box)),
    )


def counter_pictures(drawn: Iterable[counters.Drawing], art: Art) -> tuple[Picture, ...]:
    """Every counter and mark. Raises :class:`ArtError` for a maker's picture of another shape."""
    return tuple(_or_own(counter.picture, art) for counter in drawn)


def icon_pictures(build_file: bytes, art: Art) -> tuple[Picture, ...]:
    """The icons that a build file names."""
    text = build_file.decode("utf-8")
    return tuple(_or_own(icon, art) for icon in icons.drawings(name for name in icons.ICONS if icons.icon_file(name) in text))


def _or_own(drawing: Drawing, art: Art, *, fixed: bool = True) -> Picture:
    return maker.own(art, drawing.file, drawing.width, drawing.height, fixed) or drawing


def positions(box: Box, layout: Layout, ledger: Ledger, slots: Slots) -> dict[str, str]:
    """File of a set-up -> the position it begins with. Raises :class:`ArtError` when a piece stands on no place of the boards."""
    return {setup.file: setup_text(box, layout, slots, setup, ledger.numbers) for setup in layout.play.setups}


def texts(box: Box, layout: Layout, ledger: Ledger, root: Element, begins: Mapping[str, str]) -> dict[str, bytes]:
    """Name -> bytes of every entry that is no picture. ``root`` is the build file, also that of another version of the same layout;
    ``begins`` are the ``positions``, in which no version is told."""
    metadata = Metadata(
        version=layout.version,
        vassal_version=layout.vassal,
        date=str(layout.date),
        name=layout.title,
        description=layout.description,
        extra1=module.game_word(box),
        extra2=module.data_word(box),
    ).to_bytes()
    pages = player_aid.pages(layout, box, charts.html(charts.charts(box, layout)), ledger.numbers)
    versioned = replace(root, attributes={**root.attributes, "version": layout.version})
    entries = {BUILD_FILE: to_bytes(versioned), "moduledata": metadata}
    entries |= {name: text.encode("utf-8") for name, text in pages.items()}
    entries |= {setup.file: setup_save(layout, setup, begins[setup.file], metadata) for setup in layout.play.setups}
    entries |= {f"overlay/{name}": text.encode("utf-8") for name, text in box.overlay.items()}
    return entries


def identity(box: Box, layout: Layout, ledger: Ledger, content: str) -> bytes:
    """What a module says of itself."""
    about = {
        "builder": "modgen",
        "game": box.id,
        "version": layout.version,
        "data": box.data_hash,
        "content": content,
        "gpids": dict(ledger.numbers),
    }
    return (json.dumps(about, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode("utf-8")


def read_identity(target: Path) -> dict[str, Any]:
    """What an earlier build at this place says of itself; empty when there is none or it cannot be read."""
    try:
        with zipfile.ZipFile(target) as archive:
            found = json.loads(archive.read(IDENTITY))
    except (OSError, KeyError, ValueError, zipfile.BadZipFile):
        return {}
    return found if isinstance(found, dict) else {}


def content_hash(entries: Mapping[str, bytes]) -> str:
    """SHA-256 over names and bytes of all entries but the identity, in the order of their names."""
    total = hashlib.sha256()
    for name in sorted(entries):
        if name != IDENTITY:
            total.update(f"{name}\0{len(entries[name])}\0".encode())
            total.update(entries[name])
    return total.hexdigest()


def pack(entries: Mapping[str, bytes], date: int) -> bytes:
    """The zip: build file and metadata first, then by name; every entry of one date (milliseconds since 1970); pictures are stored,
    for they are packed already."""
    day = dt.datetime.fromtimestamp(date / 1000, dt.UTC)
    stamp = (day.year, day.month, day.day, 0, 0, 0)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in [*FIRST, *sorted(n for n in entries if n not in FIRST)]:
            info = zipfile.ZipInfo(name, stamp)
            info.compress_type = zipfile.ZIP_STORED if name.endswith((".png", ".vsav")) else zipfile.ZIP_DEFLATED
            info.create_system = 3
            info.external_attr = 0o644 << 16
            archive.writestr(info, entries[name], compresslevel=9)
    return out.getvalue()
