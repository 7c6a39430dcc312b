"""The table as the engine has it after any step of a log: pieces, stacks, decks, trackers, properties, roster."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import compress
from operator import ne
from typing import Final

from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal import sequence
from modgen.formats.vassal.pieces import (
    NULL,
    Around,
    Basic,
    Deck,
    Piece,
    Stack,
    Trait,
    around,
    basic,
    innermost_state,
    markers,
    markers_around,
    name_and_gpid,
    place_in,
    some_traits,
    split_traits,
)
from modgen.formats.vassal.piles import Piles

_QUOTED: Final = re.compile("(?:^|\t)'")
"""Where a part of nested pairs may stand in quotes."""


class LivePiece:
    """One piece in play. Traits are decoded only when something asks for them: most of what happens to a piece is a move, and a
    change of nothing but its innermost part."""

    __slots__ = ("_around", "_basic", "_changed", "_inner", "_outer", "_place", "_put", "_state", "_states", "_types", "id", "type")

    def __init__(self, piece_id: str, type_text: str, state_text: str, like: LivePiece | None = None) -> None:
        """``like``: a piece that may be of the same prototype."""
        self.id = piece_id
        self.type = type_text
        self._around: Around = around(type_text, like._around if like is not None else None)
        self._changed = False
        self._types: list[str] | None = None
        self._take(state_text)

    def _take(self, state_text: str) -> None:
        self._state = state_text
        self._states: list[str] | None = None
        depth = self._around.depth
        cut = innermost_state(state_text, depth) if depth >= 0 else -1
        self._outer = state_text[:cut] if cut >= 0 else ""
        """The states of the traits around the innermost part, "" while only decoding all traits would tell where they end."""
        self._inner: str | None = state_text[cut:] if cut >= 0 else None
        """The innermost part's state, as it was before the piece was put to ``_place``; None while only decoding all would tell it."""
        self._place: tuple[str, int, int] | None = None
        """Where it is, None while nobody has asked."""
        self._put = False
        """Whether it was put there, so that its innermost part still tells another place."""
        self._basic: Basic | None = None

    def _split(self) -> tuple[list[str], list[str]]:
        """Types and states of all traits; the last state is the innermost part as it came."""
        if self._types is None or self._states is None:
            self._types, self._states = split_traits(self.type, self._state)
            if self._inner is None:
                self._inner = self._states[-1]
        return self._types, self._states

    def _innermost_type(self) -> str:
        return self.type[len(self._around.text) :] if self._outer else self._split()[0][-1]

    def _innermost(self) -> str:
        """The innermost part's state as it is now but for the place."""
        if self._inner is None:
            self._split()
        return self._inner or ""

    @property
    def basic(self) -> Basic:
        """The innermost part as it is now."""
        if self._basic is None:
            found = basic(self._innermost_type(), self._innermost())
            if self._put and self._place is not None:
                found = Basic(found.name, found.image, *self._place, found.gpid, found.props)
            self._basic = found
        return self._basic

    @property
    def name_and_gpid(self) -> tuple[str, str]:
        """The BasicPiece's name and slot, empty when the innermost part is none: as ``piece()`` has them."""
        if not self._outer:
            whole = self.piece()
            return whole.name, whole.gpid
        return name_and_gpid(self._innermost_type(), self._innermost())

    def is_as_added(self, type_text: str, state_text: str) -> bool:
        """Whether it came into the game with these texts and nothing has changed it since."""
        return not self._changed and self.type == type_text and self._state == state_text

    def markers(self) -> Mapping[str, str]:
        """All marker values by name; the outermost wins. Raises ValueError for more traits than any piece has."""
        return markers_around(self._around.text, self._outer) if self._outer else markers(*self.some("mark;"))

    def may_have(self, word: str) -> bool:
        """False where the types of the traits around the innermost part do not have a word (``emb2;``, a marker's name) in them: asked
        for every piece of every log, and kept with what is around."""
        return self._around.has(word)

    def some(self, trait: str) -> tuple[Sequence[str], Sequence[str]]:
        """Types and states of the traits around the innermost part whose type begins with ``trait``, the others undecoded.

        Raises ValueError for more traits than any piece has.
        """
        if self._types is None or self._states is None:
            return some_traits(self.type, self._state, trait)
        numbers = [index for index, kind in enumerate(self._types) if kind.startswith(trait)]
        return [self._types[index] for index in numbers], [self._states[index] for index in numbers]

    @property
    def place(self) -> tuple[str, int, int]:
        """(map, x, y); map "" for none."""
        place = self._place
        if place is None:
            place = self._place = place_in(self._innermost())
        return place

    @property
    def stands(self) -> bool:
        """False where its state may have put it to another place since somebody asked where it is."""
        return self._place is not None

    def move(self, map_name: str, x: int, y: int) -> None:
        """Put it somewhere else; no other trait changes."""
        self.put((map_name, x, y))

    def put(self, place: tuple[str, int, int]) -> None:
        """The same, the place as ``place`` gives it."""
        if self._inner is None:
            self._split()
        self._changed = self._put = True
        self._place = place
        self._basic = None

    def set_state(self, new: str) -> None:
        """Take a whole new state."""
        self._changed = True
        self._take(new)

    def merge_state(self, new: str, old: str) -> list[tuple[str, str, str]]:
        """Take over the traits that differ between ``old`` and ``new``: (trait type, state before, state now) of each, BasicPieces apart.

        The innermost part is taken whole, place included, when it differs.
        """
        self._changed = True
        if new == old:
            return []
        outer = self._outer
        if outer and old.startswith(outer) and not new.endswith("'") and not old.endswith("'"):
            inner = new[len(outer) :]
            if "\t" not in inner and new.startswith(outer):  # the traits around the innermost part are the same text, and as they were
                self._put_innermost(inner)
                return []
            changed = self._merge_chunks(new, old)
            if changed is not None:
                return changed
        return self._merge_traits(new, old)

    def _merge_chunks(self, new: str, old: str) -> list[tuple[str, str, str]] | None:
        """The same from the pieces between delimiters: only those that differ are decoded. ``old`` has the traits around the innermost part
        as they are. None where the whole texts must be decoded to tell (``sequence.some_nested``)."""
        cut = innermost_state(new, self._around.depth)
        news, olds = new.split("\t"), old.split("\t")
        types, states = self._split()
        last = len(types) - 1
        if cut < 0 or not last == self._around.depth + 1 == len(news) - 1 == len(olds) - 1 or _QUOTED.search(new) or _QUOTED.search(old):
            return None
        differing = list(compress(range(last), map(ne, news, olds)))
        changed: list[tuple[str, str, str]] = []
        for number in differing:
            was, now = olds[number].rstrip("\\"), news[number].rstrip("\\")
            if len(olds[number]) - len(was) != number or len(news[number]) - len(now) != number:
                return None
            changed.append((types[number], states[number], now))
        for number, (_, _, now) in zip(differing, changed, strict=True):
            states[number] = now
        self._outer = new[:cut]
        if news[last] != olds[last]:
            self._put_innermost(news[last])
        return changed

    def _merge_traits(self, new: str, old: str) -> list[tuple[str, str, str]]:
        types, states = self._split()
        changed: list[tuple[str, str, str]] = []
        news = sequence.split_nested(new, "\t", count=len(types))
        olds = sequence.split_nested(old, "\t", count=len(types))
        last = len(types) - 1
        for index in range(min(len(types), len(news), len(olds))):
            if news[index] == olds[index]:
                continue
            if index < last:
                changed.append((types[index], states[index], news[index]))
                states[index] = news[index]
                self._outer = ""
            else:
                if not types[index].startswith("piece;"):
                    changed.append((types[index], olds[index], news[index]))
                self._put_innermost(news[index])
        if changed and self._around.depth >= 0 and states[:-1] == news[:-1]:
            self._outer = new[: max(innermost_state(new, self._around.depth), 0)]
        return changed

    def _put_innermost(self, state_text: str) -> None:
        place = self._place
        # Mostly only remembered properties change: then the place stands and nothing need be decoded.
        if place is not None and ("\\" in state_text or not state_text.startswith(f"{place[0] or NULL};{place[1]};{place[2]};")):
            self._place, self._put = None, False
        self._inner, self._basic = state_text, None

    @property
    def state(self) -> str:
        """The whole state as it is now."""
        return sequence.encode_nested([*self._split()[1][:-1], self._inner_state()], "\t")

    def _inner_state(self) -> str:
        return self.basic.state if self._put else self._innermost()

    def piece(self) -> Piece:
        """All traits, decoded."""
        types, states = self._split()
        innermost = self.basic if types[-1].startswith("piece;") else Basic()
        return Piece(self.id, tuple(map(Trait, types, [*states[:-1], self._inner_state()])), innermost)


class Game:
    """A position that commands change. ``apply`` never raises; commands about pieces that are not there do nothing.

    Which stack a piece lies in is worked out when something asks for it: a log may be read to its end without that.
    """

    def __init__(self) -> None:
        self.pieces: dict[str, LivePiece] = {}
        self.holders: set[str] = set()
        """The ids of all stacks and decks."""
        self._piles = Piles()
        self._later: list[tuple[cmd.Command, bool]] = []
        """What ``_piles`` has not been told yet: stacks and decks that came in, pieces that were moved (and whether the piece that is said
        to be under it was there) and pieces that left."""
        self._latest: LivePiece | None = None
        """The piece that came in last."""
        self.players: dict[str, tuple[str, str]] = {}
        """Player id (password) -> (name, side)."""
        self.properties: dict[tuple[str, str], str] = {}
        self.turns: dict[str, str] = {}
        self.boards: dict[str, tuple[cmd.BoardPlace, ...]] = {}
        self.notes: dict[str, str] = {}

    @property
    def stacks(self) -> dict[str, Stack]:
        """Id -> stack. Emptied ones too: they stay in the game until the client clears them; a save leaves them out."""
        return self._told().stacks

    @property
    def decks(self) -> dict[str, Deck]:
        """Id -> deck."""
        return self._told().decks

    @property
    def in_stack(self) -> dict[str, str]:
        """Piece id -> id of the stack or deck that holds it."""
        return self._told().holder

    def _told(self) -> Piles:
        if self._later:
            later, self._later = self._later, []
            for command, on_it in later:
                self._piles.tell(command, on_it)
        return self._piles

    def run(self, commands: Iterable[cmd.Command]) -> Game:
        """Apply all of them in order."""
        for command in commands:
            if type(command) is cmd.AddPiece:
                self._add(command)
            else:
                self.apply(command)
        return self

    def apply(self, command: cmd.Command) -> list[tuple[str, str, str]]:
        """Carry one command out. For a changed piece: (trait type, state before, state now) of each trait that differs, its BasicPiece
        apart."""
        if type(command) is cmd.MovePiece:  # ``isinstance`` takes its time with values that have no subclasses
            self.move(command)
        elif type(command) is cmd.ChangePiece:
            return self.change(command)
        elif type(command) is cmd.AddPiece:
            self._add(command)
        elif type(command) is cmd.RemovePiece:
            self._remove(command)
        elif type(command) is cmd.PropertyChange:
            self.properties[command.container, command.name] = command.new
        elif type(command) is cmd.PropertyValue:
            self.properties[command.container, command.name] = command.value
        elif type(command) is cmd.Turn:
            self.turns[command.tracker] = command.state
        elif type(command) is cmd.Player:
            self.players[command.id] = (command.name, command.side)
        elif type(command) is cmd.PlayerLeaves:
            self.players.pop(command.id, None)
        elif type(command) is cmd.Boards:
            self.boards[command.map] = command.boards
        elif type(command) is cmd.Note:
            self.notes[command.word] = command.text
        elif type(command) is cmd.Log:
            return self.apply(command.command)
        return []

    def _add(self, command: cmd.AddPiece) -> None:
        if command.type == "stack" or command.type.startswith("deck;"):
            self.holders.add(command.id)
            self._later.append((command, False))
        else:
            self._latest = self.pieces[command.id] = LivePiece(command.id, command.type, command.state, self._latest)

    def _remove(self, command: cmd.RemovePiece) -> None:
        if command.id in self.pieces:
            self._later.append((command, False))
            del self.pieces[command.id]
            return
        piles = self._told()
        piles.remove(command.id)
        self.holders = {*piles.stacks, *piles.decks}

    def change(self, command: cmd.ChangePiece) -> list[tuple[str, str, str]]:
        """The same for one that changes a piece, a stack or a deck."""
        piece = self.pieces.get(command.id)
        if piece is None:
            self._told().change(command)
            return []
        if command.old is not None:
            return piece.merge_state(command.new, command.old)
        old = piece.state
        piece.set_state(command.new)
        return [(kind, before, now) for kind, before, now in _differences(piece.type, old, command.new) if before != now]

    def move(self, command: cmd.MovePiece) -> None:
        """The same for one that moves a piece or a stack."""
        place = (command.map, command.x, command.y)
        piece = self.pieces.get(command.id)
        if piece is not None:
            self.drop(piece, command, place)
            return
        for member in self._told().move(command.id, place):
            if member in self.pieces:
                self.pieces[member].put(place)

    def drop(self, piece: LivePiece, command: cmd.MovePiece, place: tuple[str, int, int]) -> None:
        """The same for one that moves a piece, which is this one of the position; ``place`` is where the command puts it."""
        piece.put(place)
        under = self.pieces.get(command.under) if command.under else None
        self._later.append((command, under is not None and under.place == place))

    def top_of(self, map_name: str, x: int, y: int) -> str:
        """The id of the topmost piece at a pixel of a map, "" when there is none."""
        for stack in self.stacks.values():
            if stack.members and (stack.map, stack.x, stack.y) == (map_name, x, y):
                return stack.members[-1]
        return next((p.id for p in self.pieces.values() if p.place == (map_name, x, y) and p.id not in self.in_stack), "")


def _differences(type_text: str, old: str, new: str) -> Iterable[tuple[str, str, str]]:
    types, befores = split_traits(type_text, old)
    _, nows = split_traits(type_text, new)
    return zip(types, befores, nows, strict=True)


def start_of(commands: Iterable[cmd.Command]) -> Game:
    """A game after these commands."""
    return Game().run(commands)


__all__ = ["NULL", "Game", "LivePiece", "start_of"]
