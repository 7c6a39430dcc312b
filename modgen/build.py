"""``modgen build``: a game's data into finished client modules. The same data gives the same bytes, wherever and whenever it is built."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gamebox.load import BoxErrors, data_root, load_box, load_schema
from gamebox.model import Box
from gamebox.workers import workers
from modgen.art import charts, counters, legible
from modgen.art.board import BoardArt, draw_board
from modgen.art.counters.page import draw_page
from modgen.art.svg import render
from modgen.check import LAYOUT_FILE, LEDGER_FILE, check_box
from modgen.errors import ArtError
from modgen.formats.vassal.archive import write_file
from modgen.formats.vassal.saves import Metadata
from modgen.formats.vassal.xml import to_bytes
from modgen.layout.layout import Layout, read_layout
from modgen.vassal import help as player_aid
from modgen.vassal import module
from modgen.vassal.ledger import Ledger, LedgerError, read_ledger
from modgen.vassal.setup import setup_save

IDENTITY = "modgen.json"
"""Entry of a module that says what it was built from."""
STEPS = 6
Progress = Callable[[str], None]


class BuildError(Exception):
    """Nothing was built; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Report:
    """What was built. ``version`` is the module's, ``game_version`` that of the game's data.

    ``content`` is a SHA-256 over all entries but the identity; ``changed`` False when the file was so already.
    """

    game: str
    version: str
    game_version: str
    file: Path
    size: int
    data: str
    content: str
    entries: int
    counters: int
    allocated: tuple[str, ...]
    changed: bool
    warnings: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The report for programs."""
        return {
            "version": 1,
            "game": self.game,
            "module_version": self.version,
            "game_version": self.game_version,
            "file": self.file.as_posix(),
            "bytes": self.size,
            "data": self.data,
            "content": self.content,
            "entries": self.entries,
            "counters": self.counters,
            "allocated": list(self.allocated),
            "changed": self.changed,
            "warnings": list(self.warnings),
        }


def build(
    game: str,
    *,
    out: Path | None = None,
    overlay: Path | None = None,
    data: Path | None = None,
    allocate: bool = False,
    progress: Progress = lambda _: None,
) -> Report:
    """Build a game's VASSAL module into ``out`` (``build/<game>``); written beside, then renamed.

    Raises BoxErrors for broken data, also for rows that do not agree (see ``modgen.check``), ArtError for a layout that cannot be
    drawn, LedgerError for counters without a permanent number, BuildError when a number would move to another counter, FormatError
    when the file cannot be written.
    """
    progress("read")
    target = (out if out is not None else Path("build") / game) / f"{game}.vmod"
    if blocked := next((folder for folder in target.parents if folder.exists() and not folder.is_dir()), None):
        raise BuildError(f"{blocked.as_posix()}: is a file; a folder is expected, in which {target.name} is written")
    box = _sound_box(game, overlay, data)
    folder = (data if data is not None else data_root()) / game
    layout = read_layout(folder / LAYOUT_FILE, box)
    drawn = counters.drawings(box, layout)
    if unreadable := legible.faults(box, layout, drawn):
        raise ArtError("\n".join(map(str, unreadable)))
    ledger, allocated = _numbers(box, layout, folder / LEDGER_FILE, allocate)
    before = _identity(target)
    _refuse_moved(before, ledger)

    slots = module.make_slots(box, layout, ledger)
    progress("draw")
    with workers(2) as pool:
        rendered = [pool.submit(counters.render_all, share) for share in counters.shares(drawn, 2)]
        board = draw_board(box, layout)
        progress("render")
        halves = [pool.submit(render, half) for half in board.halves()]
        all_charts = charts.charts(box, layout)
        images = {chart.file: charts.draw_chart(chart, layout) for chart in all_charts}
        progress("counters")
        for share in rendered:
            images |= share.result()
        progress("board")
        images |= _board_images(board, [half.result() for half in halves])

    progress("write")
    entries = _entries(box, layout, ledger, slots, all_charts, images)
    content = content_hash(entries)
    identity = {
        "builder": "modgen",
        "game": box.id,
        "version": layout.version,
        "data": box.data_hash,
        "content": content,
        "gpids": {slot: number for slot, number in ledger.numbers.items()},
    }
    entries[IDENTITY] = (json.dumps(identity, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode("utf-8")
    packed = _pack(entries, layout)
    warnings = []
    if before.get("version") == layout.version and before.get("content") not in (None, content):
        warnings.append(
            f"{target.as_posix()} held other content under the same version {layout.version}: raise version in {LAYOUT_FILE} before you "
            "give this module to anybody, or clients keep showing the old board"
        )
    changed = not target.exists() or target.read_bytes() != packed
    if changed:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_file(target, packed)
    return Report(
        game=box.id,
        version=layout.version,
        game_version=box.version,
        file=target,
        size=len(packed),
        data=box.data_hash,
        content=content,
        entries=len(entries),
        counters=len(slots.units) + len(slots.markers),
        allocated=tuple(allocated),
        changed=changed,
        warnings=tuple(warnings),
    )


def _sound_box(game: str, overlay: Path | None, data: Path | None) -> Box:
    """The game's box, with its tables held against each other too: a module of a broken box would be handed on to people."""
    box = load_box(game, overlay, data)
    if findings := check_box(box, load_schema(game, data)).findings:
        raise BoxErrors(findings)
    return box


def _numbers(box: Box, layout: Layout, path: Path, allocate: bool) -> tuple[Ledger, list[str]]:
    """The ledger with a number for every counter; new ones only when allowed, and then written at once."""
    ledger = read_ledger(path)
    wanted = module.slot_names(box, layout)
    missing = ledger.missing(wanted)
    if not missing:
        return ledger, []
    if not allocate:
        raise LedgerError(ledger.unnumbered(wanted))
    ledger = ledger.with_slots(wanted, layout.version)
    write_file(path, ledger.text().encode("utf-8"))
    return ledger, missing


def _identity(target: Path) -> dict[str, Any]:
    """What an earlier build at this place says of itself; empty when there is none or it cannot be read."""
    try:
        with zipfile.ZipFile(target) as archive:
            found = json.loads(archive.read(IDENTITY))
    except (OSError, KeyError, ValueError, zipfile.BadZipFile):
        return {}
    return found if isinstance(found, dict) else {}


def _refuse_moved(before: Mapping[str, Any], ledger: Ledger) -> None:
    old = before.get("gpids")
    if not isinstance(old, dict):
        return
    moved = [f"{slot} had {old[slot]}, has {number}" for slot, number in ledger.numbers.items() if slot in old and old[slot] != number]
    taken = {number: slot for slot, number in ledger.numbers.items()}
    moved += [f"{number} was {slot}'s, is {taken[number]}'s" for slot, number in old.items() if taken.get(number, slot) != slot]
    if moved:
        raise BuildError(
            f"{ledger.path.name}: numbers have moved since the last build ({'; '.join(moved[:4])}): old saves would swap units. "
            "Put the file back as it was"
        )


def _board_images(board: BoardArt, halves: list[bytes]) -> dict[str, bytes]:
    picture = board.joined(halves)
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=2)
    about = io.BytesIO()
    board.portrait(picture).save(about, "PNG", compress_level=2)
    return {module.BOARD_FILE: out.getvalue(), module.ABOUT_FILE: about.getvalue()}


def _entries(
    box: Box, layout: Layout, ledger: Ledger, slots: module.Slots, all_charts: tuple[charts.Chart, ...], images: Mapping[str, bytes]
) -> dict[str, bytes]:
    """Name -> bytes of every entry of the module."""
    metadata = Metadata(
        version=layout.version,
        vassal_version=layout.vassal,
        date=str(layout.date),
        name=layout.title,
        description=layout.description,
        extra1=module.game_word(box),
        extra2=module.data_word(box),
    ).to_bytes()
    page = player_aid.page(layout, box, charts.html(all_charts), ledger.numbers)
    entries = {
        "buildFile.xml": to_bytes(module.build_file(box, layout, ledger, slots)),
        "moduledata": metadata,
        player_aid.FILE: page.encode("utf-8"),
    }
    entries |= {setup.file: setup_save(box, layout, slots, setup, metadata, ledger.numbers) for setup in layout.play.setups}
    entries |= {f"images/{name}": png for name, png in images.items()}
    entries |= {f"overlay/{name}": text.encode("utf-8") for name, text in box.overlay.items()}
    return entries


def content_hash(entries: Mapping[str, bytes]) -> str:
    """SHA-256 over names and bytes of all entries but the identity, in the order of their names."""
    total = hashlib.sha256()
    for name in sorted(entries):
        if name != IDENTITY:
            total.update(f"{name}\0{len(entries[name])}\0".encode())
            total.update(entries[name])
    return total.hexdigest()


def _pack(entries: Mapping[str, bytes], layout: Layout) -> bytes:
    """The zip: build file and metadata first, then by name; one fixed time; pictures stored, for they are packed already."""
    import datetime as dt

    day = dt.datetime.fromtimestamp(layout.date / 1000, dt.UTC)
    stamp = (day.year, day.month, day.day, 0, 0, 0)
    first = ["buildFile.xml", "moduledata"]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in [*first, *sorted(n for n in entries if n not in first)]:
            info = zipfile.ZipInfo(name, stamp)
            info.compress_type = zipfile.ZIP_STORED if name.endswith((".png", ".vsav")) else zipfile.ZIP_DEFLATED
            info.create_system = 3
            info.external_attr = 0o644 << 16
            archive.writestr(info, entries[name], compresslevel=9)
    return out.getvalue()


def picture(game: str, what: str, width: int, *, overlay: Path | None = None, data: Path | None = None) -> bytes:
    """A picture of a game's board (``what`` = board) or counters as PNG, ``width`` pixels wide, for pages about the module.

    Raises what ``build`` raises, and BuildError for a picture that there is not.
    """
    from PIL import Image

    box = _sound_box(game, overlay, data)
    layout = read_layout((data if data is not None else data_root()) / game / LAYOUT_FILE, box)
    if what == "board":
        board = draw_board(box, layout)
        image = board.joined([render(half) for half in board.halves()])
    elif what == "counters":
        image = draw_page(box, layout, counters.draw_counters(box, layout))
    else:
        raise BuildError(f"no picture of {what!r}; there are board and counters")
    out = io.BytesIO()
    small = image.convert("RGB").resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS)
    # A palette: a third of the size, and nobody plays on this picture.
    small.quantize(256, method=Image.Quantize.FASTOCTREE).save(out, "PNG", compress_level=9)
    return out.getvalue()
