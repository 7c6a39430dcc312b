"""Stacks and decks as the engine has them after any step of a log.

Un-stacking is done here: the engine does not report that a moved or deleted piece left its stack.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal.pieces import Deck, Stack, parse_deck, parse_stack


class Piles:
    """The stacks and decks of a position. Pieces are known by their ids alone."""

    def __init__(self) -> None:
        self.stacks: dict[str, Stack] = {}
        """In the order in which they came into the game."""
        self.decks: dict[str, Deck] = {}
        self.holder: dict[str, str] = {}
        """Piece id -> id of the stack or deck that holds it."""
        self._at: dict[tuple[str, int, int], list[str]] = {}
        """Place -> ids of the stacks that were ever put there."""

    def tell(self, command: cmd.Command, on_it: bool) -> None:
        """A stack or deck comes into the game, a piece is moved, or a piece leaves. ``on_it``: the piece that is said to be under a moved
        one is at the place where it was put."""
        if isinstance(command, cmd.MovePiece):
            self._leave(command.id)
            if command.map:
                self._merge(command, on_it)
        elif isinstance(command, cmd.AddPiece):
            self._add(command)
        elif isinstance(command, cmd.RemovePiece):
            self._leave(command.id)

    def _add(self, command: cmd.AddPiece) -> None:
        if command.is_stack:
            stack = parse_stack(command.state, command.id)
            self._put(stack)
            self._take(stack.id, stack.members)
        else:
            deck = parse_deck(command.type, command.state, command.id)
            self.decks[command.id] = deck
            self._take(deck.id, deck.members)

    def _put(self, stack: Stack) -> None:
        self.stacks[stack.id] = stack
        here = self._at.setdefault((stack.map, stack.x, stack.y), [])
        if stack.id not in here:
            here.append(stack.id)

    def _standing(self, place: tuple[str, int, int]) -> list[Stack]:
        """The stacks at a place, in the order in which they came into the game."""
        here = [s for s in map(self.stacks.get, self._at.get(place, ())) if s is not None and (s.map, s.x, s.y) == place]
        if len(here) < 2:
            return here
        ids = {s.id for s in here}
        return [s for s in self.stacks.values() if s.id in ids]

    def _take(self, holder: str, members: Iterable[str]) -> None:
        for member in members:
            before = self.holder.get(member)
            if before is not None and before != holder:
                self._leave(member)
            self.holder[member] = holder

    def _leave(self, piece_id: str) -> None:
        holder = self.holder.pop(piece_id, None)
        if holder is None:
            return
        stack = self.stacks.get(holder)
        if stack is not None:
            self.stacks[holder] = _with_members(stack, _without(stack.members, piece_id))
        elif holder in self.decks:
            deck = self.decks[holder]
            self.decks[holder] = replace(deck, members=_without(deck.members, piece_id))

    def remove(self, pile: str) -> None:
        """A stack or deck leaves the game; its pieces stay."""
        holder = self.stacks.pop(pile, None) or self.decks.pop(pile, None)
        if holder is not None:
            self._release(holder.members)

    def change(self, command: cmd.ChangePiece) -> None:
        """A stack or deck takes a new state."""
        if command.id in self.stacks:
            self._release(self.stacks[command.id].members)
            self._put(parse_stack(command.new, command.id))
            self._take(command.id, self.stacks[command.id].members)
        elif command.id in self.decks:
            self._release(self.decks[command.id].members)
            self.decks[command.id] = parse_deck(self.decks[command.id].type, command.new, command.id)
            self._take(command.id, self.decks[command.id].members)

    def _release(self, members: Iterable[str]) -> None:
        for member in members:
            self.holder.pop(member, None)

    def move(self, stack_id: str, place: tuple[str, int, int]) -> tuple[str, ...]:
        """A whole stack goes somewhere else: its pieces, which go with it; none for what is no stack."""
        old = self.stacks.get(stack_id)
        if old is None:
            return ()
        self._put(Stack(old.id, *place, old.members, old.layer))
        return old.members

    def _merge(self, command: cmd.MovePiece, on_it: bool) -> None:
        """Find the stack or deck that takes a dropped piece, as the engine does."""
        place = (command.map, command.x, command.y)
        holder = self.holder.get(command.under) if on_it else None
        if holder is not None and holder not in self.stacks and holder not in self.decks:
            holder = None  # it came a second time without the piece under this one, and was removed
        if holder is None and self.decks:
            holder = next((d.id for d in self.decks.values() if (d.map, d.x, d.y) == place), None)
        if holder is None:
            # A stack with members first; else one emptied here before, which an undo fills again.
            here = self._standing(place)
            holder = next((s.id for s in here if s.members), here[0].id if here else None)
        if holder is None:
            return
        if holder in self.decks:
            deck = self.decks[holder]
            self.decks[holder] = replace(deck, members=(*deck.members, command.id))
        else:
            stack = self.stacks[holder]
            members = list(stack.members)
            at = members.index(command.under) + 1 if command.under in members else (0 if not command.under else len(members))
            members.insert(at, command.id)
            self.stacks[holder] = _with_members(stack, tuple(members))
        self.holder[command.id] = holder


def _without(members: tuple[str, ...], piece_id: str) -> tuple[str, ...]:
    return tuple([member for member in members if member != piece_id])


def _with_members(stack: Stack, members: tuple[str, ...]) -> Stack:
    return Stack(stack.id, stack.map, stack.x, stack.y, members, stack.layer)
