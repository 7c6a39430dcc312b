"""One build of the sample game, shared by the tests of the module."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from gamebox.load import data_root, load_box
from gamebox.model import Box
from modgen.formats.vassal.buildfile import Module, read_module
from modgen.formats.vassal.saves import SaveFile, read_save
from modgen.formats.vassal.xml import Element, from_bytes
from modgen.layout.layout import Layout, read_layout

GAME = "battle-for-germany"


@dataclass(frozen=True)
class Built:
    """A built module: its file (only to be read), its entries, and what our own readers make of it."""

    path: Path
    entries: dict[str, bytes]
    root: Element
    module: Module
    save: SaveFile

    def all(self, name: str) -> list[Element]:
        """Every element of a class, in document order; the engine's package may be left out."""
        return [e for e in self.root.iter() if e.name in (name, f"VASSAL.build.{name}")]


@pytest.fixture(scope="session")
def box() -> Box:
    return load_box(GAME)


@pytest.fixture(scope="session")
def layout(box: Box) -> Layout:
    return read_layout(data_root() / GAME / "module.toml", box)


@pytest.fixture(scope="session")
def built(built_module: Path) -> Built:
    path = built_module
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    return Built(
        path,
        entries,
        from_bytes(entries["buildFile.xml"], "buildFile.xml"),
        read_module(path),
        read_save(entries["historical.vsav"]),
    )
