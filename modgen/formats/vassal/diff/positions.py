"""Two positions compared: which piece now stands where, what state it is in, what else the table remembers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress

from modgen.formats.vassal import turns
from modgen.formats.vassal.buildfile import Module
from modgen.formats.vassal.diff.model import Change, Kind
from modgen.formats.vassal.dump import Ids
from modgen.formats.vassal.pieces import Piece, marker
from modgen.formats.vassal.replay import Game
from modgen.formats.vassal.words import name_of, title, without_numbers

MOVED, STATES, COUNTERS, TURN, TABLE = "Pieces moved", "States of pieces", "Pieces on the table", "Turn", "Table"
GROUPS = (TURN, COUNTERS, MOVED, STATES, TABLE)
_Place = Callable[[Piece], str]


def compare(
    old: Game, new: Game, old_module: Module | None = None, new_module: Module | None = None, *, by_slot: bool = False
) -> Iterator[Change]:
    """What differs between two positions. With their modules places and turns are named as players see them.

    ``by_slot``: pieces are told apart by the slots they come from, since their ids were given anew.
    """
    ids = Ids()
    for game in (old, new):
        for player in game.players:
            ids.hide(player)
    before, after = _pieces(old), _pieces(new)
    was, now = _places(old, old_module), _places(new, new_module)
    yield from _turns(old, new, old_module, new_module)
    pairs, gone, fresh = _paired(before, after, was, now, by_slot)
    for piece in gone:
        yield Change(COUNTERS, Kind.REMOVED, (f"{_name(piece)} from {was(piece)}",))
    for piece in fresh:
        yield Change(COUNTERS, Kind.ADDED, (f"{_name(piece)} in {now(piece)}",))
    for one, two in pairs:
        if one.place != two.place:
            start, end = was(one), now(two)
            if start == end:
                start, end = (f"{where} {piece.basic.x},{piece.basic.y}" for where, piece in ((start, one), (end, two)))
            yield Change(MOVED, Kind.MOVED, (_name(two),), "", start, end)
        yield from _states(one, two, ids)
    yield from _table(old, new)


def _pieces(game: Game) -> dict[str, Piece]:
    """The pieces on the table by their ids; one that nobody can read is left out, as the engine leaves it out."""
    out: dict[str, Piece] = {}
    for key, live in game.pieces.items():
        with suppress(ValueError):
            out[key] = live.piece()
    return out


def _name(piece: Piece) -> str:
    return f'"{piece.name}"' if piece.name else f"piece {piece.id or piece.gpid}"


def _places(game: Game, module: Module | None) -> _Place:
    laid = {each.name: each.placed(game.boards.get(each.name)) for each in module.maps} if module is not None else {}

    def place(piece: Piece) -> str:
        on, x, y = piece.place
        each = module.map(on) if module is not None else None
        if not on:
            return "no map"
        if each is None or module is None:
            return f"{on} {x},{y}"
        name = each.locate_on(laid[on], x, y).name
        if name == "offboard":
            return f"{on} {x},{y}"
        return name if len(module.maps) == 1 else f"{on} {name}"

    return place


def _paired(
    before: Mapping[str, Piece], after: Mapping[str, Piece], was: _Place, now: _Place, by_slot: bool
) -> tuple[list[tuple[Piece, Piece]], list[Piece], list[Piece]]:
    """(pieces that are the same, those that are gone, those that are new)."""
    pairs: list[tuple[Piece, Piece]] = []
    left: dict[tuple[str, str], list[Piece]] = defaultdict(list)
    rest: dict[tuple[str, str], list[Piece]] = defaultdict(list)
    for key, piece in before.items():
        if not by_slot and key in after:
            pairs.append((piece, after[key]))
        else:
            left[piece.gpid, "" if piece.gpid else piece.name].append(piece)
    for key, piece in after.items():
        if by_slot or key not in before:
            rest[piece.gpid, "" if piece.gpid else piece.name].append(piece)
    gone: list[Piece] = []
    fresh: list[Piece] = []
    for slot, ones in left.items():
        others = rest.pop(slot, [])
        # Those that stand where they stood come first; of the rest any may be any.
        here: dict[str, list[Piece]] = defaultdict(list)
        for piece in others:
            here[now(piece)].append(piece)
        unmatched = []
        for piece in ones:
            standing = here.get(was(piece))
            if standing:
                other = standing.pop(0)
                pairs.append((piece, other))
                others = [one for one in others if one is not other]
            else:
                unmatched.append(piece)
        pairs += list(zip(unmatched, others, strict=False))
        gone += unmatched[len(others) :]
        fresh += others[len(unmatched) :]
    for others in rest.values():
        fresh += others
    return pairs, gone, fresh


def _states(old: Piece, new: Piece, ids: Ids) -> Iterator[Change]:
    before: dict[str, list[str]] = defaultdict(list)
    for trait in old.traits[:-1]:
        before[without_numbers(trait.text)].append(trait.state)
    markers = old.markers()
    for trait in new.traits[:-1]:
        if trait.id == "mark":
            for name, value in marker(trait).items():
                if name in markers and markers[name] != value:
                    yield Change(STATES, Kind.CHANGED, (_name(new),), f"marker {name}", markers[name], value)
            continue
        states = before.get(without_numbers(trait.text))
        if not states:
            continue
        state = states.pop(0)
        if state != trait.state:
            field = title(trait) if name_of(trait) else trait.id
            yield Change(STATES, Kind.CHANGED, (_name(new),), field, ids.state(trait.text, state), ids.state(trait.text, trait.state))
    lost = [trait for trait in old.traits[:-1] if trait.id != "mark" and before[without_numbers(trait.text)]]
    if lost and len(old.traits) != len(new.traits):
        yield Change(STATES, Kind.NOTE, (_name(new),), f"has {len(new.traits)} traits, had {len(old.traits)}")
    elif lost:
        yield Change(STATES, Kind.NOTE, (_name(new),), f"{len(lost)} of its traits are written otherwise")


def _turns(old: Game, new: Game, old_module: Module | None, new_module: Module | None) -> Iterator[Change]:
    for tracker in dict.fromkeys((*old.turns, *new.turns)):
        before, after = old.turns.get(tracker, ""), new.turns.get(tracker, "")
        if before != after:
            name, start = _turn(old_module, tracker, before)
            other, end = _turn(new_module, tracker, after)
            start, end = (before, after) if start == end else (start, end)
            yield Change(TURN, Kind.CHANGED, (other or name or tracker,), "", start, end)


def _turn(module: Module | None, tracker_id: str, state: str) -> tuple[str, str]:
    """(the tracker's name, what it shows)."""
    tracker = module.tracker(tracker_id) if module is not None else None
    if tracker is None or not state:
        return "", state
    try:
        return tracker.name, turns.shown(tracker, turns.parse_state(state)).text
    except ValueError:
        return tracker.name, state


def _table(old: Game, new: Game) -> Iterator[Change]:
    for container, name in dict.fromkeys((*old.properties, *new.properties)):
        before, after = (game.properties.get((container, name), "unset") for game in (old, new))
        if before != after:
            yield Change(TABLE, Kind.CHANGED, (f"property {container}/{name}",), "", before, after)
    for name in dict.fromkeys((*old.boards, *new.boards)):
        before, after = (
            ", ".join(f"{board.name}{' turned round' if board.reversed else ''}" for board in game.boards.get(name, ()))
            for game in (old, new)
        )
        if before != after:
            yield Change(TABLE, Kind.CHANGED, (f"boards of {name}",), "", before, after)
    for word in dict.fromkeys((*old.notes, *new.notes)):
        before, after = old.notes.get(word, ""), new.notes.get(word, "")
        if before != after:
            yield Change(TABLE, Kind.CHANGED, (_NOTES.get(word, word),), "", before, after)
    seats = [sorted(game.players.values(), key=lambda seat: (seat[1], seat[0])) for game in (old, new)]
    for name, side in seats[0]:
        if (name, side) not in seats[1]:
            yield Change(TABLE, Kind.REMOVED, (f"{name} as {side}",))
    for name, side in seats[1]:
        if (name, side) not in seats[0]:
            yield Change(TABLE, Kind.ADDED, (f"{name} as {side}",))


_NOTES = {"NOTES": "scenario notes", "PNOTES": "public notes", "PNOTE": "private notes", "SNOTE": "secret notes"}
