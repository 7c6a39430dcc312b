"""Saves (``.vsav``) and logs (``.vlog``): read lazily, written with the same bytes every time.

A log is a save with ``LOG`` commands after ``end_save``. One step is one ``LOG`` at depth 0 with all that is nested below it, as
the engine's own step button counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import compress, repeat
from operator import is_
from pathlib import Path
from typing import Final, TypeVar, cast

from modgen.formats.errors import FormatError
from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal.archive import DEFAULT_LIMITS, Archive, Limits, pack, read_archive, write_file
from modgen.formats.vassal.blocks import chunks_in_blocks
from modgen.formats.vassal.obfuscation import Form, conceal, reveal
from modgen.formats.vassal.pieces import Deck, Piece, Stack, parse_deck, parse_piece, parse_stack
from modgen.formats.vassal.steps import Step, cut, tokens_of
from modgen.formats.vassal.xml import Element, from_bytes, to_bytes

C = TypeVar("C", bound=cmd.Command)

SAVED_GAME: Final = "savedGame"
SAVE_DATA: Final = "savedata"
MODULE_DATA: Final = "moduledata"
MAX_TEXT: Final = 32 << 20
"""The longest text of a savedGame that is read, in bytes."""
_MOST_DIGITS: Final = 2 * MAX_TEXT + 64
MAX_COMMANDS: Final = 400_000
MAX_LOADS: Final = 16
"""Positions that one file may load one after the other."""
_METADATA_LIMIT: Final = 1 << 20
_KEPT_METADATA: Final = 1 << 12


_BEGIN: Final = (0, "begin_save")


@dataclass(frozen=True, slots=True)
class Metadata:
    """``savedata`` or ``moduledata``. ``date`` is epoch milliseconds as text; savedata has no ``name``."""

    version: str = ""
    vassal_version: str = ""
    date: str = ""
    name: str = ""
    description: str = ""
    extra1: str = ""
    extra2: str = ""

    def to_bytes(self) -> bytes:
        """The XML document, as the engine lays it out."""
        root = Element("data", {"version": "1"})
        root.add("version", self.version)
        root.add("extra1", self.extra1)
        root.add("extra2", self.extra2)
        root.add("VassalVersion", self.vassal_version)
        root.add("dateSaved", self.date)
        if self.description or self.name:
            root.add("description", self.description)
        if self.name:
            root.add("name", self.name)
        return to_bytes(root)


def read_metadata(data: bytes, where: str) -> Metadata:
    """Read ``savedata`` or ``moduledata``. Translated names are passed over. Raises FormatError for broken XML."""
    if len(data) < _KEPT_METADATA:
        try:
            return _kept_metadata(data)
        except FormatError:
            pass  # read again, it tells where
    return _metadata_in(data, where)


def _metadata_in(data: bytes, where: str) -> Metadata:
    root = from_bytes(data, where)
    words: dict[str, str] = {}
    for child in root.children:
        if "lang" not in child.attributes:
            words.setdefault(child.name, child.text.strip())
    return Metadata(
        version=words.get("version", ""),
        vassal_version=words.get("VassalVersion", ""),
        date=words.get("dateSaved", ""),
        name=words.get("name", ""),
        description=words.get("description", ""),
        extra1=words.get("extra1", ""),
        extra2=words.get("extra2", ""),
    )


@lru_cache(maxsize=64)
def _kept_metadata(data: bytes) -> Metadata:
    """Kept: every log of a module has the module's own ``moduledata``."""
    return _metadata_in(data, "")


@dataclass
class SaveFile:
    """A position: the commands up to ``end_save``, decoded as far as they are asked for.

    ``tokens`` are (depth, text) in file order. ``metadata`` is savedata's, ``module`` moduledata's; None when the entry is missing.
    """

    where: str
    tokens: Sequence[tuple[int, str]]
    form: Form = field(default_factory=Form)
    metadata: Metadata | None = None
    module: Metadata | None = None
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The savedGame text."""
        return cmd.join_tree(self.tokens)

    @cached_property
    def commands(self) -> tuple[cmd.Command, ...]:
        """Every command, parsed. Broken ones are ``Unknown``."""
        return tuple(cmd.parse_commands([text for _, text in self.tokens]))

    def _of(self, kind: type[C]) -> list[C]:
        """The commands of one kind. There are hundreds of pieces to one of any other, and no kind has kinds of its own."""
        return cast(list[C], list(compress(self.commands, map(is_, map(type, self.commands), repeat(kind)))))

    @cached_property
    def pieces(self) -> dict[str, Piece]:
        """Piece id -> piece, in file order, stacks and decks left out. All traits are decoded."""
        return {a.id: parse_piece(a.type, a.state, a.id) for a in self._of(cmd.AddPiece) if not a.is_stack and not a.is_deck}

    @cached_property
    def stacks(self) -> dict[str, Stack]:
        """Stack id -> stack."""
        return {a.id: parse_stack(a.state, a.id) for a in self._of(cmd.AddPiece) if a.is_stack}

    @cached_property
    def decks(self) -> dict[str, Deck]:
        """Deck id -> deck."""
        return {a.id: parse_deck(a.type, a.state, a.id) for a in self._of(cmd.AddPiece) if a.is_deck}

    @cached_property
    def players(self) -> tuple[cmd.Player, ...]:
        """The roster, each player once. The ids are passwords."""
        return tuple(dict.fromkeys(self._of(cmd.Player)))

    @cached_property
    def properties(self) -> dict[tuple[str, str], str]:
        """(container, name) -> value of every global property."""
        return {(p.container, p.name): p.value for p in self._of(cmd.PropertyValue)}

    @cached_property
    def turns(self) -> dict[str, str]:
        """Tracker id -> state."""
        return {t.tracker: t.state for t in self._of(cmd.Turn)}

    @cached_property
    def boards(self) -> dict[str, tuple[cmd.BoardPlace, ...]]:
        """Map name -> its boards."""
        return {b.map: b.boards for b in self._of(cmd.Boards)}

    @property
    def setup_placed(self) -> bool:
        """True when the save says that the module's at-start stacks stand already."""
        return bool(self._of(cmd.SetupStacks))


@dataclass(frozen=True)
class LogFile:
    """A log: the position it starts from, and what was done. ``stray`` are commands after the start that belong to no step.

    ``loads``: positions that the same text loads later (another ``begin_save`` behind the first step), each with its own steps, which
    are numbered on. ``before``: steps of the file before this part.
    """

    start: SaveFile
    steps: tuple[Step, ...]
    stray: tuple[str, ...] = ()
    loads: tuple[LogFile, ...] = ()
    before: int = 0

    @property
    def where(self) -> str:
        """The file."""
        return self.start.where

    @property
    def cut_off(self) -> bool:
        """The text ends within the position that it begins with: no ``end_save``, which every client writes, and nothing after it."""
        if self.steps or self.stray or self.loads:
            return False
        tokens = self.start.tokens
        return any(token == _BEGIN for token in tokens) and all(text != "end_save" for _, text in tokens)

    @property
    def text(self) -> str:
        """The savedGame text (stray commands left out)."""
        parts = (self, *self.loads)
        return cmd.join_tree(
            [token for part in parts for token in (*part.start.tokens, *(token for step in part.steps for token in step.tokens))]
        )


def read_log(source: Path | bytes, *, where: str | None = None, limits: Limits = DEFAULT_LIMITS) -> LogFile:
    """Read a log or a save (then with no steps).

    Raises FormatError when the file is no zip archive, holds no savedGame, is damaged, or is too large to be read safely.
    A module given by mistake is named as such.
    """
    with read_archive(source, where=where, limits=limits) as archive:
        if SAVED_GAME not in archive:
            raise FormatError(archive.where, f"{_other(archive)}; a save or log (.vsav, .vlog) is expected")
        notes: list[str] = []
        metadata = _metadata(archive, SAVE_DATA, notes)
        module = _metadata(archive, MODULE_DATA, notes)
        place = archive.where
        chunks, form = _chunks(archive)
    if form.fallback:
        notes.append(f"the text is not UTF-8; it was read as {form.encoding}")
    if not _looks_saved(chunks):
        raise FormatError(f"{place}: {SAVED_GAME}", "is no text of a saved game (no begin_save, piece or LOG in it)")
    return _cut(chunks, place, form, metadata, module, tuple(notes))


def _other(archive: Archive) -> str:
    """What an archive without a saved game is."""
    if not archive.names:
        return "is a zip archive with nothing in it"
    if "buildFile.xml" in archive or "buildFile" in archive:
        return "is a module"
    return f"holds no entry {SAVED_GAME}"


def _chunks(archive: Archive) -> tuple[list[str], Form]:
    """What stands between the separators of a saved game, and the form it is in."""
    found = chunks_in_blocks(archive, SAVED_GAME, MAX_COMMANDS) if archive.size(SAVED_GAME) <= _MOST_DIGITS else None
    if found is not None:
        return found
    text, form = _reveal(archive)
    chunks = cmd.chunks_of(text, MAX_COMMANDS + 1)
    if len(chunks) > MAX_COMMANDS + 1:
        raise FormatError(f"{archive.where}: {SAVED_GAME}", f"holds {text.count(cmd.ESC)} commands; at most {MAX_COMMANDS} are read")
    return chunks, form


def _reveal(archive: Archive) -> tuple[str, Form]:
    where = f"{archive.where}: {SAVED_GAME}"
    head = archive.read(SAVED_GAME, None)
    if not head.startswith(b"!VCSK") and len(head) > MAX_TEXT:
        raise FormatError(where, f"is {len(head)} bytes of text; at most {MAX_TEXT} are read")
    if len(head) > _MOST_DIGITS:
        raise FormatError(where, f"is {len(head) // 2} bytes of text; at most {MAX_TEXT} are read")
    return reveal(head, where)


def _looks_saved(chunks: Iterable[str]) -> bool:
    return any(chunk.startswith(("begin_save", "+/", "LOG\t", "end_save")) for chunk in chunks)


def _metadata(archive: Archive, name: str, notes: list[str]) -> Metadata | None:
    if name not in archive:
        return None
    try:
        return read_metadata(archive.read(name, _METADATA_LIMIT), f"{archive.where}: {name}")
    except FormatError as error:
        notes.append(f"{name} {error.what}")
        return None


def _cut(
    chunks: list[str], where: str, form: Form, metadata: Metadata | None, module: Metadata | None, notes: tuple[str, ...]
) -> LogFile:
    parts = cut(chunks)
    if len(parts) > MAX_LOADS:
        raise FormatError(f"{where}: {SAVED_GAME}", f"holds {len(parts)} positions; at most {MAX_LOADS} are read")
    logs: list[LogFile] = []
    for part in parts:
        save = SaveFile(where, tokens_of(part.start), form, metadata, module, notes if not logs else ())
        logs.append(LogFile(save, tuple(part.steps), tuple(part.stray), (), part.before))
    return replace(logs[0], loads=tuple(logs[1:])) if logs[1:] else logs[0]


def read_save(source: Path | bytes, *, where: str | None = None, limits: Limits = DEFAULT_LIMITS) -> SaveFile:
    """Read a save; of a log, the position it starts from. Raises FormatError as ``read_log`` does."""
    return read_log(source, where=where, limits=limits).start


def save_tokens(
    pieces: Iterable[Piece],
    stacks: Iterable[Stack] = (),
    decks: Iterable[Deck] = (),
    *,
    players: Iterable[cmd.Player] = (),
    properties: Iterable[cmd.PropertyValue] = (),
    turns: Iterable[cmd.Turn] = (),
    notes: Iterable[cmd.Note] = (),
    boards: Iterable[cmd.Boards] = (),
    setup_placed: bool = True,
) -> list[tuple[int, str]]:
    """The commands of a position in the engine's order: begin_save, pieces, roster, properties, trackers, notes, boards, end_save.

    Leave ``setup_placed`` on: without that line a module with at-start stacks doubles its pieces on load.
    """
    tokens: list[tuple[int, str]] = [(0, "begin_save"), (0, ""), (0, "")]
    tokens += [(1, str(made)) for made in (*pieces, *stacks, *decks)]
    for line in (*players, *properties, *turns, *notes, *boards):
        tokens.append((0, str(line)))
    if setup_placed:
        tokens.append((0, str(cmd.SetupStacks())))
    tokens.append((0, "end_save"))
    return tokens


def pack_game(text: str, *, module_data: bytes | None, metadata: Metadata | None, form: Form | None = None) -> bytes:
    """The archive of a save or log. ``module_data`` is the module's own ``moduledata`` entry, copied byte for byte.

    Entries stand in the engine's order: savedGame, savedata, moduledata.
    """
    entries = [(SAVED_GAME, conceal(text, form or Form()))]
    if metadata is not None:
        entries.append((SAVE_DATA, metadata.to_bytes()))
    if module_data is not None:
        entries.append((MODULE_DATA, module_data))
    return pack(entries)


def write_save(path: Path | None, save: SaveFile, *, module_data: bytes | None = None) -> bytes:
    """Write a save (``path`` None only makes the bytes) and return its bytes; the same save gives the same bytes."""
    data = pack_game(save.text, module_data=_module_data(save, module_data), metadata=save.metadata, form=save.form)
    if path is not None:
        write_file(path, data)
    return data


def write_log(path: Path | None, log: LogFile, *, module_data: bytes | None = None) -> bytes:
    """Write a log (``path`` None only makes the bytes) and return its bytes; the same log gives the same bytes."""
    start = log.start
    data = pack_game(log.text, module_data=_module_data(start, module_data), metadata=start.metadata, form=start.form)
    if path is not None:
        write_file(path, data)
    return data


def _module_data(save: SaveFile, module_data: bytes | None) -> bytes | None:
    return module_data if module_data is not None or save.module is None else save.module.to_bytes()
