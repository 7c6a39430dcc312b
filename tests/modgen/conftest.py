"""The games' modules as tests look at them; the sample game's is shared by most."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from gamebox.load import data_root, load_box
from gamebox.model import Box
from modgen.check import LAYOUT_FILE, LEDGER_FILE
from modgen.formats.vassal.buildfile import Module, read_module
from modgen.formats.vassal.saves import SaveFile, read_save
from modgen.formats.vassal.xml import Element, from_bytes
from modgen.layout.layout import Layout, read_layout

GAME = "battle-for-germany"
GAMES = tuple(sorted(f.parent.name for f in data_root().glob(f"*/{LEDGER_FILE}") if (f.parent / LAYOUT_FILE).exists()))
"""The games that have a module: a layout, and numbers for its counters."""


@dataclass(frozen=True)
class Built:
    """A built module: its file (only to be read), its entries, and what our own readers make of it. ``save`` is its first set-up."""

    path: Path
    entries: dict[str, bytes]
    root: Element
    module: Module
    saves: dict[str, SaveFile]
    box: Box
    layout: Layout

    @property
    def save(self) -> SaveFile:
        return next(iter(self.saves.values()))

    def all(self, name: str) -> list[Element]:
        """Every element of a class, in document order; the engine's package may be left out."""
        return [e for e in self.root.iter() if e.name in (name, f"VASSAL.build.{name}")]


Builder = Callable[[str], Built]


@pytest.fixture(scope="session")
def box() -> Box:
    return load_box(GAME)


@pytest.fixture(scope="session")
def layout(box: Box) -> Layout:
    return read_layout(data_root() / GAME / LAYOUT_FILE, box)


@pytest.fixture(scope="session")
def builder(build_once: Callable[[str], Path]) -> Builder:
    """Game -> its module, built and read."""

    def made(game: str) -> Built:
        path = build_once(game)
        with zipfile.ZipFile(path) as archive:
            entries = {name: archive.read(name) for name in archive.namelist()}
        box = load_box(game)
        layout = read_layout(data_root() / game / LAYOUT_FILE, box)
        return Built(
            path,
            entries,
            from_bytes(entries["buildFile.xml"], "buildFile.xml"),
            read_module(path),
            {setup.file: read_save(entries[setup.file]) for setup in layout.play.setups},
            box,
            layout,
        )

    return made


@pytest.fixture(scope="session")
def built(builder: Builder) -> Built:
    """The sample game's module."""
    return builder(GAME)
