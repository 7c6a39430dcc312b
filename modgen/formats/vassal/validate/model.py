"""The module that is looked at, and what a look finds.

A check is a function from a ``Subject`` to what it found; it names the place as a reader of the build file would look for it
(``buildFile.xml: Map "Main" > BoardPicker > Board "x"``), what is wrong, and what is allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path

from modgen.formats.errors import FormatError
from modgen.formats.vassal import engine, sequence
from modgen.formats.vassal.archive import DEFAULT_LIMITS, Archive, Limits, read_archive
from modgen.formats.vassal.buildfile import BUILD_FILE, Module, read_module
from modgen.formats.vassal.pieces import Piece, Trait, expand, parse_piece
from modgen.formats.vassal.saves import SaveFile, read_save
from modgen.formats.vassal.traits import TRAITS
from modgen.formats.vassal.xml import Element

MAPS = ("module.Map", "module.PrivateMap", "module.PlayerHand")
SLOTS = ("widget.PieceSlot", "widget.CardSlot")
PROTOTYPE = "module.PrototypeDefinition"
GRID = "module.map.boardPicker.board."
ZONE = GRID + "mapgrid.Zone"
PROPERTIES = ("module.properties.GlobalProperty", "module.properties.ZoneProperty", GRID + "mapgrid.ZoneProperty")
_NAMES = ("mapName", "name", "entryName", "chartName", "threadName", "title", "flareName", "description", "text", "buttonText", "tooltip")
_NESTED = 8
"""How deep pieces inside traits of pieces are followed."""


class Severity(StrEnum):
    """How bad a finding is: an error cannot work, a warning works but hardly as meant, a note is worth knowing."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Found:
    """What a check reports: the place, what is wrong, and what is allowed (may be empty).

    ``severity`` None takes the check's own.
    """

    where: str
    what: str
    allowed: str = ""
    severity: Severity | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that must hold of a module. ``holds`` says what, ``because`` what the engine does where it does not."""

    id: str
    severity: Severity
    holds: str
    because: str
    look: Callable[[Subject], Iterable[Found]] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Definition:
    """A piece's text in the module: of a slot, of a prototype, or inside a trait that places another piece.

    ``types`` and ``states`` are the traits as far as they can be read, outermost first, and need not be equally many. ``piece`` is
    None where the text is none of a piece. ``gpid`` is "" in prototypes.
    """

    where: str
    kind: str
    name: str
    text: str
    gpid: str
    types: tuple[str, ...]
    states: tuple[str, ...]
    piece: Piece | None
    element: Element
    placed: tuple[tuple[str, Trait], ...]

    def traits(self) -> tuple[tuple[str, Trait], ...]:
        """(place, trait) of every trait, the BasicPiece last."""
        return self.placed


@dataclass(frozen=True)
class Setup:
    """A position inside the module that a predefined set-up loads. ``save`` is None where it cannot be read, ``problem`` then says why."""

    where: str
    name: str
    file: str
    save: SaveFile | None
    problem: str = ""
    module_data: bytes | None = None


def trait_name(trait: Trait, number: int) -> str:
    """A trait by its number among its piece's traits, and the words of its own that tell it from others."""
    spec = TRAITS.get(trait.id)
    fields = trait.fields
    for name in ("name", "menu", "format", "definition", "image", "keys", "names", "description"):
        index = spec.names.index(name) if spec is not None and name in spec.names else -1
        if 0 <= index < len(fields) and fields[index]:
            return f"trait {number} {trait.id} {quoted(fields[index])}"
    return f"trait {number} {trait.id}"


def quoted(text: str, most: int = 60) -> str:
    """A text in quotation marks, on one line and cut short."""
    flat = "".join(c if c.isprintable() else "�" for c in text)
    return f'"{flat[: most - 3]}..."' if len(flat) > most else f'"{flat}"'


def listed(names: Iterable[str], most: int = 6) -> str:
    """Names for a message: the first ones, and how many there are beyond; ``none`` for none."""
    every = list(names)
    text = ", ".join(every[:most]) or "none"
    return f"{text} and {len(every) - most} more" if len(every) > most else text


class Subject:
    """A module under examination: its entries, its tree, and what the readers make of it. Use it as a context.

    Raises FormatError (on opening) when the file is no module or cannot be read safely.
    """

    def __init__(self, source: Path | bytes, where: str | None = None, limits: Limits = DEFAULT_LIMITS) -> None:
        self.module: Module = read_module(source, where=where, limits=limits)
        self.archive: Archive = read_archive(source, where=where, limits=limits)
        self.limits = limits
        self.where = self.archive.where
        self.root: Element = self.module.root
        self.names: tuple[str, ...] = tuple(name for name in self.archive.names if not name.endswith("/"))
        self.entries: frozenset[str] = frozenset(self.names)
        self.build_file = BUILD_FILE if BUILD_FILE in self.archive else "buildFile"
        self._parents: dict[int, Element] = {}
        self.elements: tuple[Element, ...] = tuple(self.root.iter())
        for found in self.elements:
            for child in found.children:
                self._parents[id(child)] = found

    def __enter__(self) -> Subject:
        return self

    def __exit__(self, *_: object) -> None:
        self.archive.close()

    # -- the tree

    def all(self, *kinds: str) -> list[Element]:
        """Every element of these classes, in document order."""
        return [found for found in self.elements if engine.short(found) in kinds]

    def parent(self, found: Element) -> Element | None:
        """What an element stands in; None for the root."""
        return self._parents.get(id(found))

    def above(self, found: Element) -> Iterator[Element]:
        """What an element stands in, and what that stands in, up to the root."""
        here = self.parent(found)
        while here is not None:
            yield here
            here = self.parent(here)

    def inside(self, found: Element, *kinds: str) -> Element | None:
        """The nearest element of these classes that an element stands in."""
        return next((up for up in self.above(found) if engine.short(up) in kinds), None)

    def map_of(self, found: Element) -> Element | None:
        """The map that an element stands in, or is."""
        return found if engine.short(found) in MAPS else self.inside(found, *MAPS)

    def place(self, found: Element) -> str:
        """Where an element stands, for people: classes and names from the outermost in."""
        chain = [found, *self.above(found)][:-1]
        return f"{self.build_file}: " + (" > ".join(self._step(up) for up in reversed(chain)) or engine.ROOT)

    def _step(self, found: Element) -> str:
        kind = engine.short(found).rpartition(".")[2]
        name = next((value for key in _NAMES if (value := found.get(key).strip())), "")
        if name:
            return f"{kind} {quoted(name)}"
        beside = [child for child in self._parents[id(found)].children if child.name == found.name]
        number = next(index for index, child in enumerate(beside, 1) if child is found)
        return kind if len(beside) == 1 else f"{kind} {number}"

    # -- pieces

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        """Every piece text of the module in document order, pieces inside traits included."""
        found: list[Definition] = []
        for element in self.elements:
            kind = engine.short(element)
            if kind in SLOTS:
                found.append(self._definition(element, "slot", element.get("entryName"), element.get("gpid")))
            elif kind == PROTOTYPE:
                found.append(self._definition(element, "prototype", element.get("name"), ""))
        out: list[Definition] = []
        for made in found:
            out.append(made)
            out += _placed(made, 0)
        return tuple(out)

    def _definition(self, element: Element, kind: str, name: str, gpid: str) -> Definition:
        return read_definition(self.place(element), kind, name, element.text.strip(), gpid, element)

    @cached_property
    def slots(self) -> tuple[Definition, ...]:
        """The definitions that become pieces: slots, and pieces inside traits."""
        return tuple(found for found in self.definitions if found.kind != "prototype")

    def expanded(self, found: Definition) -> Piece | None:
        """A definition's piece with its prototypes' traits in their place."""
        return expand(found.piece, self.module.prototypes)[0] if found.piece is not None else None

    @cached_property
    def wholes(self) -> tuple[tuple[Definition, Piece], ...]:
        """The definitions that become pieces, expanded, one for each list of trait types: others like it differ in states only."""
        seen: dict[tuple[str, ...], tuple[Definition, Piece]] = {}
        for found in self.slots:
            piece = self.expanded(found)
            if piece is not None:
                seen.setdefault(tuple(trait.text for trait in piece.traits[:-1]), (found, piece))
        return tuple(seen.values())

    @cached_property
    def by_gpid(self) -> Mapping[str, Definition]:
        """gpid -> the definition that has it, the first of several."""
        out: dict[str, Definition] = {}
        for found in self.slots:
            if found.gpid:
                out.setdefault(found.gpid, found)
        return out

    # -- set-ups

    @cached_property
    def setups(self) -> tuple[Setup, ...]:
        """The positions that predefined set-ups load, those whose file is there."""
        out: list[Setup] = []
        for found in self.all("module.PredefinedSetup"):
            file = found.get("file").strip()
            if found.get("useFile", "true") != "true" or not file or file not in self.entries:
                continue
            name = found.get("name")
            try:
                data = self.archive.read(file)
                save = read_save(data, where=file, limits=self.limits)
                with read_archive(data, where=file, limits=self.limits) as inner:
                    module_data = inner.read("moduledata") if "moduledata" in inner else None
                _ = save.pieces, save.stacks, save.decks
                out.append(Setup(file, name, file, save, "", module_data))
            except FormatError as error:
                out.append(Setup(file, name, file, None, error.what))
            except ValueError as error:
                out.append(Setup(file, name, file, None, str(error)))
        return tuple(out)

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """The sides of the roster."""
        return tuple(side for side in self.module.sides if side)


def read_definition(where: str, kind: str, name: str, text: str, gpid: str, element: Element) -> Definition:
    """A piece's text, as far as it can be read."""
    parts = sequence.decode(text, "/")
    if len(parts) < 4 or parts[0] != "+":
        return Definition(where, kind, name, text, gpid, (), (), None, element, ())
    types = tuple(sequence.split_nested(parts[2], "\t", stop="piece;"))
    states = tuple(sequence.split_nested(parts[3], "\t"))
    try:
        piece = parse_piece(parts[2], parts[3])
    except ValueError:
        piece = None
    traits = enumerate(piece.traits if piece else (), 1)
    placed = tuple((f"{where} > {trait_name(trait, number)}", trait) for number, trait in traits)
    return Definition(where, kind, name, text, gpid, types, states, piece, element, placed)


def _placed(found: Definition, depth: int) -> Iterator[Definition]:
    if depth >= _NESTED:
        return
    for where, trait in found.traits():
        if trait.id in ("placemark", "replace"):
            text = trait.field("piece")
            if text in ("", "null"):
                continue
            made = read_definition(where, "placed", trait.field("menu"), text, trait.field("gpid"), found.element)
            yield made
            yield from _placed(made, depth + 1)
