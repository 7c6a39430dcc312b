"""The text twin: any ``.vmod``, ``.vsav`` or ``.vlog`` as stable text, one fact a line, made to be compared.

Players' ids, which are their passwords, are replaced by numbers in order of appearance; the key of the obfuscation and the times
of zip entries are left out, since they carry nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from modgen.formats.errors import FormatError
from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal import sequence
from modgen.formats.vassal.archive import DEFAULT_LIMITS, Archive, Limits, read_archive
from modgen.formats.vassal.buildfile import BUILD_FILE, PREFIX, read_root
from modgen.formats.vassal.pieces import NULL, Piece, Trait, parse_deck, parse_definition, parse_piece, parse_stack
from modgen.formats.vassal.replay import Game
from modgen.formats.vassal.saves import MODULE_DATA, SAVED_GAME, Metadata, SaveFile, read_log, read_metadata
from modgen.formats.vassal.xml import Element

_SIGNS = str.maketrans({"\t": "⇥", "\n": "⏎", "\r": "␍", "\x1b": "␛", "\x00": "␀"})


def _plain(text: str) -> str:
    return text.translate(_SIGNS)


def dump(path: Path, *, limits: Limits = DEFAULT_LIMITS) -> str:
    """The text twin of a module, save or log. Raises FormatError when the file is none of these."""
    with read_archive(path, limits=limits) as archive:
        module = _is_module(archive)
    lines = _module(path, limits) if module else _log(path, limits)
    return "".join(line.rstrip(" ") + "\n" for line in lines)


def dump_bytes(data: bytes, name: str = "archive", *, limits: Limits = DEFAULT_LIMITS) -> str:
    """The same from bytes; ``name`` stands in errors."""
    with read_archive(data, where=name, limits=limits) as archive:
        module = _is_module(archive)
    lines = _module(data, limits, name) if module else _log(data, limits, name)
    return "".join(line.rstrip(" ") + "\n" for line in lines)


def _is_module(archive: Archive) -> bool:
    if BUILD_FILE in archive or "buildFile" in archive:
        return True
    if SAVED_GAME not in archive:
        raise FormatError(archive.where, f"holds neither {BUILD_FILE}, as a module does (.vmod), nor {SAVED_GAME}, as a save or log does")
    return False


# ------------------------------------------------------------------------------------------------ modules


def _module(source: Path | bytes, limits: Limits, where: str | None = None) -> Iterator[str]:
    with read_archive(source, where=where, limits=limits) as archive:
        yield "vassal module"
        for name in archive.names:
            if name.endswith("/"):
                continue
            if name in (BUILD_FILE, "buildFile", MODULE_DATA):
                yield f"entry {_plain(name)}"
                continue
            data = archive.read(name)
            yield f"entry {_plain(name)} {len(data)} bytes sha256 {hashlib.sha256(data).hexdigest()[:16]}"
        if MODULE_DATA in archive:
            yield from _metadata(MODULE_DATA, read_metadata(archive.read(MODULE_DATA), f"{archive.where}: {MODULE_DATA}"))
        name = BUILD_FILE if BUILD_FILE in archive else "buildFile"
        root = read_root(archive, name)
    yield from _element(root)


def _element(root: Element) -> Iterator[str]:
    stack: list[tuple[Element, int]] = [(root, 0)]
    while stack:
        found, depth = stack.pop()
        indent = "  " * depth
        yield f"{indent}{found.name.removeprefix(PREFIX)}"
        for name, value in sorted(found.attributes.items()):
            yield f"{indent}  .{name} = {_plain(value)}"
        text = found.text.strip()
        if text.startswith("+/"):
            try:
                for line in _traits(parse_definition(text), _Ids()):
                    yield f"{indent}  {line}"
            except ValueError:
                yield f"{indent}  text {_plain(text)}"
        elif text:
            yield f"{indent}  text {_plain(text)}"
        stack.extend((child, depth + 1) for child in reversed(found.children))


# ------------------------------------------------------------------------------------------- saves and logs


class _Ids:
    """Numbers for players' ids, in order of appearance."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def hide(self, player_id: str) -> str:
        """What stands for an id; none stays none."""
        if player_id in ("", NULL):
            return player_id
        return f"<id {self._numbers.setdefault(player_id, len(self._numbers) + 1)}>"

    def scrub(self, text: str) -> str:
        """A text of unknown meaning without any known id in it."""
        for player_id, number in sorted(self._numbers.items(), key=lambda item: -len(item[0])):
            if player_id:
                text = text.replace(player_id, f"<id {number}>")
        return text

    def state(self, kind: str, state: str) -> str:
        """A trait's state, without the id that some traits keep in it."""
        trait, _, rest = kind.partition(";")
        if trait not in ("obs", "hide", "restrict"):
            return state
        owner, cut, after = state.partition(";") if trait == "obs" else (state, "", "")
        by_side = trait != "restrict" and "side" in ",".join(sequence.decode(rest, ";")[3:6])
        if owner in ("", NULL) or (by_side and owner not in self._numbers):
            return state
        return self.hide(owner) + cut + after


def _log(source: Path | bytes, limits: Limits, where: str | None = None) -> Iterator[str]:
    log = read_log(source, where=where, limits=limits)
    start = log.start
    yield "vassal log" if log.steps else "vassal save"
    form = start.form.kind if start.form.encoding == "utf-8" else f"{start.form.kind} {start.form.encoding}"
    yield f"form {form}"
    if start.metadata is not None:
        yield from _metadata("savedata", start.metadata)
    if start.module is not None:
        yield from _metadata(MODULE_DATA, start.module)
    ids = _Ids()
    for part in (log, *log.loads):
        for player in part.start.players:
            ids.hide(player.id)
    for part in (log, *log.loads):
        if part is not log:
            yield f"load after step {part.before}"
        yield from _start(part.start, ids)
        game = Game().run(part.start.commands)
        for step in part.steps:
            yield f"step {step.number}"
            for (depth, _), command in zip(step.tokens, step.commands, strict=True):
                for line in _command(command, ids, game):
                    yield "  " * (depth + 1) + line
                game.apply(command)
        for text in part.stray:
            yield f"stray {_plain(ids.scrub(text))}"


def _metadata(name: str, data: Metadata) -> Iterator[str]:
    yield name
    pairs = (
        ("name", data.name),
        ("version", data.version),
        ("VassalVersion", data.vassal_version),
        ("dateSaved", data.date),
        ("description", data.description),
        ("extra1", data.extra1),
        ("extra2", data.extra2),
    )
    for key, value in pairs:
        if value:
            yield f"  .{key} = {_plain(value)}"


def _start(start: SaveFile, ids: _Ids) -> Iterator[str]:
    game = Game()
    for command in start.commands:
        yield from _command(command, ids, game)


def _traits(piece: Piece, ids: _Ids) -> Iterator[str]:
    for trait in piece.traits:
        yield _trait(trait, ids)


def _trait(trait: Trait, ids: _Ids) -> str:
    if trait.id == "piece":
        return _plain(f"{trait.text} => {_sorted_properties(trait.state)}")
    return _plain(f"{trait.text} => {ids.state(trait.text, trait.state)}")


def _sorted_properties(state: str) -> str:
    """A BasicPiece's state with its properties in order of name: the engine writes them in the order of a hash."""
    parts = sequence.decode(state, ";")
    pairs = sorted(zip(parts[5::2], parts[6::2], strict=False))
    if len(pairs) * 2 != len(parts[5:]):
        return state
    return sequence.encode([*parts[:5], *(word for pair in pairs for word in pair)], ";")


def _place(map_name: str, x: int, y: int) -> str:
    return f"{map_name} {x},{y}" if map_name else "no map"


def _command(command: cmd.Command, ids: _Ids, game: Game) -> Iterator[str]:
    match command:
        case cmd.AddPiece():
            yield from _added(command, ids)
        case cmd.RemovePiece():
            yield f"remove {command.id}"
        case cmd.ChangePiece():
            yield from _changed(command, ids, game)
        case cmd.MovePiece():
            old, new = _place(command.old_map, command.old_x, command.old_y), _place(command.map, command.x, command.y)
            under = f" on {command.under}" if command.under else ""
            old_under = f" from {command.old_under}" if command.old_under else ""
            yield _plain(f"move {command.id} {old} -> {new}{under}{old_under} by {ids.hide(command.player) or 'nobody'}")
        case cmd.Player():
            yield _plain(f"player {ids.hide(command.id)} {command.name} = {command.side}")
        case cmd.PlayerLeaves():
            yield f"player leaves {ids.hide(command.id)}"
        case cmd.Chat():
            yield _plain(f"chat {ids.scrub(command.text) if command.text.startswith('*') else command.text}")
        case cmd.PropertyChange():
            yield _plain(f"property {command.container}/{command.name}: {command.old} -> {command.new}")
        case cmd.PropertyValue():
            yield _plain(f"property {command.container}/{command.name} = {command.value}")
        case cmd.Turn():
            yield _plain(f"turn {command.tracker} {command.state}")
        case cmd.Undo():
            yield "undo begins" if command.begins else "undo ends"
        case cmd.Empty():
            yield "empty"
        case cmd.Unknown():
            yield _plain(f"unknown ({command.why}) {ids.scrub(command.text)}")
        case cmd.Other() | cmd.Note():
            yield _plain(ids.scrub(str(command)))
        case cmd.Log():
            yield from _command(command.command, ids, game)
        case _:
            yield _plain(str(command))


def _added(command: cmd.AddPiece, ids: _Ids) -> Iterator[str]:
    if command.is_stack:
        stack = parse_stack(command.state, command.id)
        yield _plain(f"stack {stack.id} {_place(stack.map, stack.x, stack.y)} layer {stack.layer}: {' '.join(stack.members)}".rstrip())
        return
    if command.is_deck:
        deck = parse_deck(command.type, command.state, command.id)
        side = "face down" if deck.face_down else "face up"
        yield _plain(f"deck {deck.id} {deck.name} {_place(deck.map, deck.x, deck.y)} {side}: {' '.join(deck.members)}".rstrip())
        yield _plain(f"  {deck.type}")
        return
    try:
        piece = parse_piece(command.type, command.state, command.id)
    except ValueError as error:
        yield f"piece {command.id} unreadable: {error}"
        return
    yield _plain(f"piece {piece.id} {piece.name} {_place(piece.basic.map, piece.basic.x, piece.basic.y)}")
    for line in _traits(piece, ids):
        yield f"  {line}"


def _changed(command: cmd.ChangePiece, ids: _Ids, game: Game) -> Iterator[str]:
    live = game.pieces.get(command.id)
    yield f"change {command.id}"
    if live is None or command.old is None:
        yield _plain(f"  {ids.scrub(command.new)}")
        return
    types = [trait.text for trait in live.piece().traits]
    news = sequence.split_nested(command.new, "\t", count=len(types))
    olds = sequence.split_nested(command.old, "\t", count=len(types))
    for kind, old, new in zip(types, olds, news, strict=False):
        if old != new:
            yield _plain(f"  {kind.partition(';')[0]}: {ids.state(kind, old)} -> {ids.state(kind, new)}")


__all__ = ["FormatError", "dump", "dump_bytes"]
