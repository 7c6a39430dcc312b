"""Modules taken apart, changed in one thing, and put together again: faults are seeded so."""

from __future__ import annotations

import copy
import struct
import zipfile
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from modgen.formats.vassal import sequence
from modgen.formats.vassal.archive import pack
from modgen.formats.vassal.commands import join_tree
from modgen.formats.vassal.engine import PREFIX, short
from modgen.formats.vassal.obfuscation import Form
from modgen.formats.vassal.saves import Metadata, pack_game, read_metadata, read_save
from modgen.formats.vassal.traits import TRAITS, make
from modgen.formats.vassal.xml import Element, element, from_bytes, to_bytes

M, MAP, GRID, W = "module.", "module.map.", "module.map.boardPicker.board.", "widget."


def component(kind: str, text: str = "", **attributes: object) -> Element:
    """A component of a class, the engine's package left out; elements that are none have no point in their names."""
    return element(PREFIX + kind if "." in kind else kind, text, **attributes)


def png(width: int, height: int) -> bytes:
    """A picture of which only the head is true."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + head
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))


class Kit:
    """A module in parts. ``entries`` are its files, ``root`` the build file's tree."""

    def __init__(self, path: Path) -> None:
        with zipfile.ZipFile(path) as archive:
            self.entries = {name: archive.read(name) for name in archive.namelist()}
        self.root = from_bytes(self.entries["buildFile.xml"], "buildFile.xml")

    def copy(self) -> Kit:
        """Another kit of the same parts."""
        made = copy.copy(self)
        made.entries, made.root = dict(self.entries), copy.deepcopy(self.root)
        return made

    def packed(self) -> bytes:
        """The module."""
        return pack([*{**self.entries, "buildFile.xml": to_bytes(self.root)}.items()])

    # -- components

    def all(self, kind: str) -> list[Element]:
        """Every element of a class, the engine's package left out."""
        return [found for found in self.root.iter() if short(found) == kind]

    def one(self, kind: str, **attributes: str) -> Element:
        """The first element of a class with these attributes."""
        return next(e for e in self.all(kind) if all(e.get(name) == value for name, value in attributes.items()))

    def parent(self, found: Element) -> Element:
        """What an element stands in."""
        return next(up for up in self.root.iter() if any(child is found for child in up.children))

    def add(self, into: str, kind: str, text: str = "", **attributes: object) -> Element:
        """A new last child of the first element of a class."""
        made = component(kind, text, **attributes)
        (self.root if into == "GameModule" else self.one(into)).children.append(made)
        return made

    def drop(self, found: Element) -> None:
        """Take an element out."""
        up = self.parent(found)
        up.children = [child for child in up.children if child is not found]

    def last(self, found: Element) -> None:
        """Put an element behind its neighbours."""
        up = self.parent(found)
        self.drop(found)
        up.children.append(found)

    def metadata(self, change: Callable[[Metadata], Metadata]) -> None:
        """Change the module's moduledata."""
        self.entries["moduledata"] = change(read_metadata(self.entries["moduledata"], "moduledata")).to_bytes()

    # -- pieces

    def slot(self, *traits: str | tuple[str, str], gpid: str = "800", name: str = "Extra", inner: str | None = None) -> Element:
        """A new piece in the palette: its traits, outermost first, each a type or a type and its state."""
        pairs = [(trait, TRAITS[trait.partition(";")[0]].state) if isinstance(trait, str) else trait for trait in traits]
        innermost = "" if inner is None else inner
        pairs.append((f"piece;;;;{name}", f"null;0;0;{gpid if inner is None else innermost};0"))
        types, states = (sequence.encode_nested([pair[at] for pair in pairs], "\t") for at in (0, 1))
        return self.raw_slot(sequence.encode(("+", "null", types, states), "/"), gpid=gpid, name=name)

    def raw_slot(self, text: str, gpid: str = "800", name: str = "Extra") -> Element:
        """A new slot with this text."""
        return self.add(W + "ListWidget", W + "PieceSlot", text, entryName=name, gpid=gpid, width=34, height=34)

    def calc(self, expression: str) -> Element:
        """A new piece that works out an expression."""
        return self.slot(make("calcProp", name="Worth", expression=expression))

    def button(self, **attributes: object) -> Element:
        """A new action button."""
        return self.add("GameModule", M + "DoActionButton", **{"name": "Extra", "text": "Extra", "tooltip": "", "icon": "", **attributes})

    def prototype(self, name: str, change: Callable[[list[str], list[str]], None]) -> None:
        """Change the traits of a prototype: lists of types and states, to be changed where they are."""
        found = self.one(M + "PrototypeDefinition", name=name)
        parts = sequence.decode(found.text, "/")
        types = sequence.split_nested(parts[2], "\t", stop="piece;")
        states = sequence.split_nested(parts[3], "\t", count=len(types))
        change(types, states)
        found.text = sequence.encode(("+", "null", sequence.encode_nested(types, "\t"), sequence.encode_nested(states, "\t")), "/")

    # -- set-ups

    def setup(
        self, change: Callable[[list[str]], None], file: str = "campaign.vsav", made_for: Callable[[Metadata], Metadata] | None = None
    ) -> None:
        """Change the lines of a set-up where they are, and what it says of the module that it was made for."""
        save = read_save(self.entries[file], where=file)
        lines = [text for _, text in save.tokens]
        change(lines)
        with zipfile.ZipFile(BytesIO(self.entries[file])) as archive:
            module_data = archive.read("moduledata")
        if made_for is not None:
            module_data = made_for(read_metadata(module_data, file)).to_bytes()
        text = join_tree([(0, line) for line in lines])
        self.entries[file] = pack_game(text, module_data=module_data, metadata=save.metadata, form=Form("plain"))


def command(name: str) -> str:
    """A named key."""
    return f"57999,0,{name}"


def keys(*listed: str) -> str:
    """A list of keys."""
    return sequence.encode(listed, ",")


def commands(*triples: tuple[str, str, str]) -> str:
    """Key commands of a property: (menu, key, changer) each."""
    return sequence.encode([sequence.encode(triple, ":") for triple in triples], ",")
