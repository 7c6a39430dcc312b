"""The commands in saves and logs: typed where the engine has a meaning for them, kept as text where not.

``str(parse_command(text)) == text`` for everything the engine writes. ``split_tree`` cuts a savedGame into commands; the depth of
a command is the number of backslashes before the separator in front of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from gamebox.value import Value
from modgen.formats.vassal import sequence
from modgen.formats.vassal.pieces import NULL

ESC: Final = "\x1b"
_MAX_COMMAND: Final = 8 << 20


def split_tree(text: str) -> list[tuple[int, str]]:
    """(depth, text) of every command of a savedGame, in order."""
    chunks = text.split(ESC)
    return list(zip(depths(chunks), bare(chunks), strict=True))


def chunks_of(text: str, most: int) -> list[str]:
    """What stands between separators; after ``most`` only one more follows, with all the rest. Texts are long and separators few: to look
    for each is quicker than to split, which goes by single characters."""
    chunks: list[str] = []
    begin = 0
    for _ in range(most):
        end = text.find(ESC, begin)
        if end < 0:
            break
        chunks.append(text[begin:end])
        begin = end + 1
    chunks.append(text[begin:])
    return chunks


def bare(chunks: Sequence[str]) -> list[str]:
    """The commands of what stands between separators, the last one being the text's last or followed by one at depth 0."""
    last = len(chunks) - 1  # nothing is nested behind it: its backslashes are its own
    return [chunk.rstrip("\\") if at < last else chunk for at, chunk in enumerate(chunks)]


def depths(chunks: Sequence[str]) -> list[int]:
    """How deep each of them is nested, the first one not at all."""
    return [0, *[len(chunk) - len(chunk.rstrip("\\")) for chunk in chunks[:-1]]]


def join_tree(commands: Iterable[tuple[int, str]]) -> str:
    """The savedGame of these (depth, text) commands: the inverse of ``split_tree``."""
    out: list[str] = []
    for index, (depth, text) in enumerate(commands):
        if index:
            out.append("\\" * depth + ESC)
        out.append(text)
    return "".join(out)


class Empty(Value, frozen=True):
    """A command without text: what the engine writes for one that it cannot encode but that has sub-commands."""

    def __str__(self) -> str:
        return ""


class Null(Value, frozen=True):
    """``null``: a logged command that the engine could not encode, a changed property of a moved piece for instance."""

    def __str__(self) -> str:
        return NULL


class BeginSave(Value, frozen=True):
    """``begin_save``: clear the table."""

    def __str__(self) -> str:
        return "begin_save"


class EndSave(Value, frozen=True):
    """``end_save``: the game starts."""

    def __str__(self) -> str:
        return "end_save"


class SetupStacks(Value, frozen=True):
    """``SETUP_STACK``: the module's at-start stacks are placed already."""

    def __str__(self) -> str:
        return "SETUP_STACK\t"


class AddPiece(Value, frozen=True):
    """``+/id/type/state``: a piece, stack or deck comes into the game. ``id`` is ``null`` in definitions."""

    id: str
    type: str
    state: str

    @property
    def is_stack(self) -> bool:
        """True for a stack."""
        return self.type == "stack"

    @property
    def is_deck(self) -> bool:
        """True for a deck."""
        return self.type.startswith("deck;")

    def __str__(self) -> str:
        return sequence.encode(("+", self.id, self.type, self.state), "/")


class RemovePiece(Value, frozen=True):
    """``-/id``: a piece (or an emptied stack) leaves the game."""

    id: str

    def __str__(self) -> str:
        return sequence.encode(("-", self.id), "/")


class ChangePiece(Value, frozen=True):
    """``D/id/new[/old]``: a new state; with the old one it is merged trait by trait."""

    id: str
    new: str
    old: str | None = None

    def __str__(self) -> str:
        parts = ("D", self.id, self.new) if self.old is None else ("D", self.id, self.new, self.old)
        return sequence.encode(parts, "/")


class MovePiece(Value, frozen=True):
    """``M/...``: a piece goes to another place. Maps and ids are "" where the engine writes ``null``.

    ``under`` is the piece just below it in its new stack. ``player`` is the mover's id, which is his password: never show it.
    """

    id: str
    map: str
    x: int
    y: int
    under: str
    old_map: str
    old_x: int
    old_y: int
    old_under: str
    player: str

    def __str__(self) -> str:
        where = (self.map or NULL, str(self.x), str(self.y), self.under or NULL)
        old = (self.old_map or NULL, str(self.old_x), str(self.old_y), self.old_under or NULL)
        return sequence.encode(("M", self.id, *where, *old, self.player), "/")


class Undo(Value, frozen=True):
    """``UNDO true`` and ``UNDO false``: the brackets round the inverse commands of an undo."""

    begins: bool

    def __str__(self) -> str:
        return f"UNDO\t{'true' if self.begins else 'false'}"


class Chat(Value, frozen=True):
    """``CHATtext``: a chat line. Players' words begin with ``&lt;NAME&gt; - ``, the engine's reports with ``*``."""

    text: str

    def __str__(self) -> str:
        return "CHAT" + self.text


class PropertyChange(Value, frozen=True):
    """``MutableProperty``: a global property changes in play. ``container`` is ``Module``, a map, or ``MAP:ZONE``."""

    name: str
    old: str
    new: str
    container: str

    def __str__(self) -> str:
        return "MutableProperty\t" + sequence.encode((self.name, self.old, self.new, self.container), "\t")


class PropertyValue(Value, frozen=True):
    """``GlobalProperty``: the value of a global property in a save."""

    name: str
    value: str
    container: str
    head: str = ""

    def __str__(self) -> str:
        return "GlobalProperty\t" + sequence.encode((self.head, self.name, self.value, self.container), ";")


class Turn(Value, frozen=True):
    """``TURN`` + id + state: a turn tracker; trackers are ``TurnTracker0`` ... by their order in the module."""

    tracker: str
    state: str

    def __str__(self) -> str:
        return f"TURN{self.tracker}\t{self.state}"


class Player(Value, frozen=True):
    """``PLAYER``: someone takes a side. ``id`` is the player's password: never show it."""

    id: str
    name: str
    side: str

    def __str__(self) -> str:
        return "PLAYER\t" + sequence.encode((self.id, self.name, self.side), "\t")


class PlayerLeaves(Value, frozen=True):
    """``PYREMOVE``: a player gives his side up. ``id`` is his password: never show it."""

    id: str

    def __str__(self) -> str:
        return "PYREMOVE\t" + sequence.encode((self.id,), "\t")


class BoardPlace(Value, frozen=True):
    """One board of a map and its place in the map's grid of boards."""

    name: str
    reversed: bool = False
    column: int = 0
    row: int = 0


class Boards(Value, frozen=True):
    """``MAPNAMEBoardPicker``: the boards of a map."""

    map: str
    boards: tuple[BoardPlace, ...]

    def __str__(self) -> str:
        words: list[str] = []
        for board in self.boards:
            words += (board.name + ("/rev" if board.reversed else ""), str(board.column), str(board.row))
        return f"{self.map}BoardPicker\t{sequence.encode(words, chr(9))}" if words else f"{self.map}BoardPicker\t"


class Results(Value, frozen=True):
    """``SHOW_RESULTS``: the faces of a symbol die, counted from 0."""

    button: str
    faces: tuple[str, ...]

    def __str__(self) -> str:
        return "SHOW_RESULTS\t" + sequence.encode((self.button, *self.faces), "\t")


class Note(Value, frozen=True):
    """``NOTES``, ``PNOTES``, ``PNOTE``, ``SNOTE``: scenario, public, private and secret notes, as written."""

    word: str
    text: str

    def __str__(self) -> str:
        return f"{self.word}\t{self.text}"


class Other(Value, frozen=True):
    """A command that the engine knows and that says nothing about the table: sounds, flares, clocks, locks, plug-ins."""

    word: str
    text: str

    def __str__(self) -> str:
        return self.word + self.text


class Unknown(Value, frozen=True):
    """A command that nobody knows, or one that is broken; ``why`` says which."""

    text: str
    why: str = "unknown command"

    def __str__(self) -> str:
        return self.text


class Log(Value, frozen=True):
    """``LOG`` + command: something that was done in play."""

    command: Command

    def __str__(self) -> str:
        return f"LOG\t{self.command}"


Command = (
    Empty
    | Null
    | BeginSave
    | EndSave
    | SetupStacks
    | AddPiece
    | RemovePiece
    | ChangePiece
    | MovePiece
    | Undo
    | Chat
    | PropertyChange
    | PropertyValue
    | Turn
    | Player
    | PlayerLeaves
    | Boards
    | Results
    | Note
    | Other
    | Unknown
    | Log
)

_OTHER: Final = frozenset("UNMASK AUDIO FLARE SGKC CLOCKCONTROL CLOCK EXT PLUGIN GlobalTranslatable LOCKSPOT DECKREPOS DECK".split())
_NOTES: Final = ("NOTES", "PNOTES", "PNOTE", "SNOTE")


def parse_command(text: str) -> Command:
    """Read one command. Never raises: what is broken or unknown comes back as ``Unknown`` and keeps its text."""
    if len(text) > _MAX_COMMAND:
        return Unknown(text[:200], f"command of {len(text)} characters; at most {_MAX_COMMAND} are read")
    try:
        # In the order in which a log is full of them.
        if text.startswith("CHAT"):
            return Chat(text[4:])
        if text.startswith("D/"):
            return _change(text)
        if text.startswith("M/"):
            return _move(text)
        if text.startswith("+/"):
            return _added(text)
        plain = _PLAIN.get(text)
        if plain is not None:
            return plain
        if text.startswith("-/"):
            return RemovePiece(sequence.decode(text, "/")[1])
        if text.startswith("LOG\t"):
            inner = text[4:]
            # A LOG inside a LOG's own text does not exist; reading it as text keeps this free of recursion.
            return Log(Unknown(inner) if inner.startswith("LOG\t") else parse_command(inner))
        return _worded(text)
    except (ValueError, IndexError) as error:
        return Unknown(text, f"broken command: {error}")


def parse_commands(texts: Iterable[str]) -> list[Command]:
    """The commands of these texts."""
    return [parse_command(text) for text in texts]


def parse_everyday(text: str) -> Command | None:
    """A command of a step that is one of those that a log is full of: null, chat, a changed or a moved piece. They are read as they stand,
    with their LOG, since it is not looked at there. None for any other, and for one that is broken."""
    if text == "LOG\tnull":
        return _PLAIN[NULL]
    if len(text) <= _MAX_COMMAND:
        try:
            if text.startswith("LOG\tCHAT"):
                return Chat(text[8:])
            if text.startswith("LOG\tD/"):
                return _change(text)
            if text.startswith("LOG\tM/"):
                return _move(text)
        except (ValueError, IndexError):
            pass
    return None


def _worded(text: str) -> Command:
    """A command that begins with a word of its own."""
    word, tab, rest = text.partition("\t")
    if not tab:
        return Other(text, "") if text in _OTHER else Unknown(text)
    if word in _NOTES:
        return Note(word, rest)
    if word in _OTHER or word.startswith("LOCKSPOT"):
        return Other(word, "\t" + rest)
    if word == "GlobalProperty":
        parts = sequence.decode(rest, ";")
        if len(parts) < 3:
            raise ValueError("a property's value is written ;name;value;container")
        return PropertyValue(parts[1], parts[2], parts[3] if len(parts) > 3 else "", parts[0])
    if word.startswith("TURN"):
        return Turn(word[4:], rest)
    if word.endswith("BoardPicker"):
        return _boards(word.removesuffix("BoardPicker"), sequence.decode(rest, "\t") if rest else [])
    reader = _TABBED.get(word)
    if reader is None:
        return Unknown(text)
    return reader(sequence.decode(rest, "\t"))


def _added(text: str) -> Command:
    parts = _parts(text)
    if len(parts) < 4:
        raise ValueError("an added piece is written +/id/type/state")
    return AddPiece(parts[1], parts[2], parts[3])


def _change(text: str) -> Command:
    parts = _parts(text)
    if len(parts) < 3:
        raise ValueError("a changed piece is written D/id/new/old")
    return ChangePiece(parts[1], parts[2], parts[3] if len(parts) > 3 else None)


def _parts(text: str) -> list[str]:
    """The parts of a command about a piece. Mostly they are four and no slash within one of them may have been escaped, nor a part put in
    quotes, as their ends tell: the texts of a piece are long and full of other backslashes, and hardly one has a slash in it."""
    one = text.find("/")
    two = text.find("/", one + 1)
    three = text.find("/", two + 1)
    if three > two > one and text[two - 1] != "\\" != text[three - 1] and text.find("/", three + 1) < 0 and "'" not in text:
        return [text[:one], text[one + 1 : two], text[two + 1 : three], text[three + 1 :]]
    return sequence.decode(text, "/")


def _move(text: str) -> Command:
    parts = text.split("/") if "\\" not in text and "'" not in text else sequence.decode(text, "/")
    if len(parts) < 11:
        if len(parts) < 10:
            raise ValueError("a move is written M/id/map/x/y/under/map/x/y/under/player")
        parts.append("")
    _, piece, new_map, x, y, under, old_map, old_x, old_y, old_under, player = parts[:11]
    try:
        return MovePiece(
            piece,
            "" if new_map == NULL else new_map,
            int(x),
            int(y),
            "" if under == NULL else under,
            "" if old_map == NULL else old_map,
            int(old_x),
            int(old_y),
            "" if old_under == NULL else old_under,
            player,
        )
    except ValueError:
        raise _no_number() from None


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise _no_number() from None


def _no_number() -> ValueError:
    # The text itself stays out of the message: it may be a secret that slipped a field.
    return ValueError("a whole number is expected where something else stands")


def _boards(map_name: str, words: list[str]) -> Boards:
    boards: list[BoardPlace] = []
    for index in range(0, len(words) - 2, 3):
        name, column, row = words[index : index + 3]
        boards.append(BoardPlace(name.removesuffix("/rev"), name.endswith("/rev"), _whole(column), _whole(row)))
    return Boards(map_name, tuple(boards))


def _property_change(parts: list[str]) -> Command:
    if len(parts) < 3:
        raise ValueError("a property change is written name, old, new, container")
    return PropertyChange(parts[0], parts[1], parts[2], parts[3] if len(parts) > 3 else "")


def _player(parts: list[str]) -> Command:
    if len(parts) < 3:
        raise ValueError("a player is written id, name, side")
    return Player(parts[0], parts[1], parts[2])


def _undo(parts: list[str]) -> Command:
    return Undo(parts[0] == "true")


def _leaves(parts: list[str]) -> Command:
    return PlayerLeaves(parts[0])


def _results(parts: list[str]) -> Command:
    return Results(parts[0], tuple(parts[1:]))


_TABBED: Final = {"MutableProperty": _property_change, "PLAYER": _player, "UNDO": _undo, "PYREMOVE": _leaves, "SHOW_RESULTS": _results}
_PLAIN: Final[dict[str, Command]] = {
    "": Empty(),
    "null": Null(),
    "begin_save": BeginSave(),
    "end_save": EndSave(),
    "SETUP_STACK\t": SetupStacks(),
}
