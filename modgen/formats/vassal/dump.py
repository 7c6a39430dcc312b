"""The text twin: any ``.vmod``, ``.vsav`` or ``.vlog`` as stable text, one fact a line, made to be compared.

Traits stand in words, with those of their fields that are not as the engine makes them (``words``). Players' ids, which are their
passwords, are replaced by numbers in order of appearance; the key of the obfuscation, the times of zip entries and the numbers of
named keys are left out, since they carry nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from modgen.formats.errors import FormatError
from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal import engine, sequence
from modgen.formats.vassal.archive import DEFAULT_LIMITS, Archive, Limits, read_archive
from modgen.formats.vassal.buildfile import BUILD_FILE, PREFIX, read_root
from modgen.formats.vassal.pieces import NULL, Basic, Piece, Trait, basic, parse_deck, parse_definition, parse_piece, parse_stack
from modgen.formats.vassal.replay import Game
from modgen.formats.vassal.saves import MODULE_DATA, SAVED_GAME, Metadata, SaveFile, read_log, read_metadata
from modgen.formats.vassal.words import described, key_text, keys_words, title
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
        known = engine.classes().get(engine.short(found))
        for name, value in sorted(found.attributes.items()):
            attribute = known.attributes.get(name) if known is not None else None
            yield f"{indent}  .{name} = {_plain(_attribute(attribute, value))}"
        text = found.text.strip()
        if text.startswith("+/"):
            try:
                for line in _traits(parse_definition(text), Ids()):
                    yield f"{indent}  {line}"
            except ValueError:
                yield f"{indent}  text {_plain(text)}"
        elif text:
            yield f"{indent}  text {_plain(text)}"
        stack.extend((child, depth + 1) for child in reversed(found.children))


def _attribute(attribute: engine.Attribute | None, value: str) -> str:
    """An attribute's value; keys in words."""
    if attribute is not None and attribute.kind is engine.Kind.KEYS:
        return keys_words(value)
    return key_text(value) if attribute is not None and attribute.kind is engine.Kind.KEY else value


# ------------------------------------------------------------------------------------------- saves and logs


class Ids:
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
    ids = Ids()
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


def _start(start: SaveFile, ids: Ids) -> Iterator[str]:
    game = Game()
    for command in start.commands:
        yield from _command(command, ids, game)


def _traits(piece: Piece, ids: Ids) -> Iterator[str]:
    for trait in piece.traits:
        yield from _trait(trait, ids)


def _trait(trait: Trait, ids: Ids) -> Iterator[str]:
    """A trait in words; a piece that it places follows, one level in."""
    if trait.id == "mark":
        yield _plain(_marker(trait))
        return
    shown = _basic_state(trait.state) if trait.id == "piece" else ids.state(trait.text, trait.state)
    yield _plain(f"{described(trait)} => {shown}" if shown else described(trait))
    if trait.id in ("placemark", "replace") and (text := trait.field("piece")) not in ("", NULL):
        try:
            inner = parse_definition(text)
        except ValueError:
            yield _plain(f"  piece={text}")
            return
        for line in _traits(inner, ids):
            yield f"  {line}"


def _marker(trait: Trait) -> str:
    names, values = sequence.decode((trait.fields or ("",))[0], ","), sequence.decode(trait.state, ",")
    if len(names) != len(values):
        return f"marker  names={','.join(names)} => {trait.state}"
    return "  ".join(["marker", *(f"{name}={value}" for name, value in zip(names, values, strict=True))])


def _basic_state(state: str) -> str:
    """A BasicPiece's state, its properties in order of name: the engine writes them in the order of a hash."""
    parts = sequence.decode(state, ";")
    pairs = sorted(zip(parts[5::2], parts[6::2], strict=False))
    if len(parts) < 5 or len(pairs) * 2 != len(parts[5:]) or parts[4] != str(len(pairs)):
        return state
    place = "no map" if parts[0] == NULL and parts[1:3] == ["0", "0"] else f"{parts[0]} {parts[1]},{parts[2]}"
    return "  ".join([f"{place} gpid {parts[3]}", *(f"{name}={value}" for name, value in pairs)])


def _basic_change(old: str, new: str) -> Iterator[str]:
    """What changed in a BasicPiece's state."""
    before, after = basic("piece;", old), basic("piece;", new)
    if (before.map, before.x, before.y, before.gpid) != (after.map, after.x, after.y, after.gpid):
        yield f"{_place(*_at(before))} gpid {before.gpid} -> {_place(*_at(after))} gpid {after.gpid}"
    was, now = dict(before.props), dict(after.props)
    for name in sorted({*was, *now}):
        if was.get(name) != now.get(name):
            yield f"{name} {was.get(name, 'unset')} -> {now.get(name, 'unset')}"


def _at(piece: Basic) -> tuple[str, int, int]:
    return piece.map, piece.x, piece.y


def _place(map_name: str, x: int, y: int) -> str:
    return f"{map_name} {x},{y}" if map_name else "no map"


def _command(command: cmd.Command, ids: Ids, game: Game) -> Iterator[str]:
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


def _added(command: cmd.AddPiece, ids: Ids) -> Iterator[str]:
    if command.is_stack:
        stack = parse_stack(command.state, command.id)
        yield _plain(f"stack {stack.id} {_place(stack.map, stack.x, stack.y)} layer {stack.layer}: {' '.join(stack.members)}".rstrip())
        return
    if command.is_deck:
        deck = parse_deck(command.type, command.state, command.id)
        side = "face down" if deck.face_down else "face up"
        yield _plain(f"deck {deck.id} {deck.name} {_place(deck.map, deck.x, deck.y)} {side}: {' '.join(deck.members)}".rstrip())
        yield _plain(f"  {described(Trait(deck.type))}")
        return
    try:
        piece = parse_piece(command.type, command.state, command.id)
    except ValueError as error:
        yield f"piece {command.id} unreadable: {error}"
        return
    yield _plain(f"piece {piece.id} {piece.name} {_place(piece.basic.map, piece.basic.x, piece.basic.y)}")
    for line in _traits(piece, ids):
        yield f"  {line}"


def _changed(command: cmd.ChangePiece, ids: Ids, game: Game) -> Iterator[str]:
    live = game.pieces.get(command.id)
    yield f"change {command.id}"
    if command.id in game.decks:
        deck = parse_deck(game.decks[command.id].type, command.new, command.id)
        yield _plain(f"  deck {deck.name} {'face down' if deck.face_down else 'face up'}: {' '.join(deck.members)}".rstrip())
        return
    if command.id in game.stacks:
        yield _plain(f"  stack: {' '.join(parse_stack(command.new, command.id).members)}".rstrip())
        return
    if live is None or command.old is None:
        yield _plain(f"  {ids.scrub(command.new)}")
        return
    types = [trait.text for trait in live.piece().traits]
    news = sequence.split_nested(command.new, "\t", count=len(types))
    olds = sequence.split_nested(command.old, "\t", count=len(types))
    for kind, old, new in zip(types, olds, news, strict=False):
        if old != new and kind.startswith("piece;"):
            for line in _basic_change(old, new):
                yield _plain(f"  piece: {line}")
        elif old != new:
            yield _plain(f"  {title(Trait(kind))}: {ids.state(kind, old)} -> {ids.state(kind, new)}")


__all__ = ["FormatError", "dump", "dump_bytes"]
