"""Pieces as text: ``+/ID/TYPE/STATE`` with traits nested outermost first, a BasicPiece innermost; stacks and decks.

TYPE and STATE have the same shape, one state per trait. ``basic_of`` decodes only the innermost part, which holds name, picture
and place; ``parse_piece`` decodes all of it, in time linear in the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from gamebox.value import Value
from modgen.formats.vassal import sequence
from modgen.formats.vassal.traits import TRAITS

NULL: Final = "null"
"""The engine's word for no map, no piece, no id."""

_ANY_TYPE: Final = "piece;;;;"
_ANY_STATE: Final = "null;0;0;;0"
_MAX_TRAITS: Final = 4096
_KEPT_TYPE: Final = 1 << 14
_KEPT_MARK: Final = 1 << 8
_KEPT_WORDS: Final = 16
"""Longer texts than these are decoded anew each time, so that what is kept stays small."""


@dataclass(frozen=True, slots=True)
class Basic:
    """The innermost part of a piece. ``map`` is "" for none; x and y are map pixels; ``props`` keeps the engine's order."""

    name: str = ""
    image: str = ""
    map: str = ""
    x: int = 0
    y: int = 0
    gpid: str = ""
    props: tuple[tuple[str, str], ...] = ()

    def prop(self, name: str, default: str = "") -> str:
        """A persistent property (``OldLocationName``, ``UniqueID`` ...)."""
        return next((value for key, value in self.props if key == name), default)

    @property
    def type(self) -> str:
        """The type string, ``piece;;;IMAGE;NAME``."""
        return "piece;" + sequence.encode(("", "", self.image, self.name), ";")

    @property
    def state(self) -> str:
        """The state string, ``MAP;x;y;GPID;count;key;value;...``."""
        pairs = [word for pair in self.props for word in pair]
        return sequence.encode((self.map or NULL, str(self.x), str(self.y), self.gpid, str(len(self.props)), *pairs), ";")


class Trait(Value, frozen=True):
    """One trait: its type string with its id (``emb2;...``) and its state string."""

    text: str
    state: str = ""

    @property
    def id(self) -> str:
        """What stands before the first semicolon."""
        return self.text.partition(";")[0]

    @property
    def fields(self) -> tuple[str, ...]:
        """The decoded fields after the id."""
        _, mark, rest = self.text.partition(";")
        return tuple(sequence.decode(rest, ";")) if mark else ()

    def field(self, name: str) -> str:
        """A field by name (see ``traits.TRAITS``); the engine's default when it is missing. Raises KeyError for an unlisted name."""
        spec = TRAITS[self.id]
        index = spec.names.index(name) if name in spec.names else -1
        if index < 0:
            raise KeyError(f"trait {self.id} has no field {name}")
        fields = self.fields
        return fields[index] if index < len(fields) else spec.fields[index][1]


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer trait as it stands: ``level`` from 1; ``active`` False when it is switched off."""

    name: str
    level: int
    active: bool
    images: tuple[str, ...]
    follows: bool
    """True when the level follows a property or expression, so the state tells nothing."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece with its traits, outermost first; the last one is the BasicPiece. ``id`` is "" in a definition."""

    id: str
    traits: tuple[Trait, ...]
    basic: Basic

    @property
    def name(self) -> str:
        """The BasicPiece's name."""
        return self.basic.name

    @property
    def gpid(self) -> str:
        """The slot it came from."""
        return self.basic.gpid

    @property
    def place(self) -> tuple[str, int, int]:
        """(map, x, y); map "" for none."""
        return self.basic.map, self.basic.x, self.basic.y

    @property
    def type(self) -> str:
        """The whole type string."""
        return sequence.encode_nested([trait.text for trait in self.traits], "\t")

    @property
    def state(self) -> str:
        """The whole state string."""
        return sequence.encode_nested([trait.state for trait in self.traits], "\t")

    def markers(self) -> dict[str, str]:
        """All marker values by name; the outermost wins."""
        return markers([trait.text for trait in self.traits], [trait.state for trait in self.traits])

    def dynamic(self) -> dict[str, str]:
        """All dynamic properties by name; the outermost wins."""
        found: dict[str, str] = {}
        for trait in self.traits:
            if trait.id == "PROP":
                found.setdefault((trait.fields or ("",))[0], trait.state)
        return found

    def layers(self) -> list[Layer]:
        """All layer traits, outermost first."""
        return [layer(trait) for trait in self.traits if trait.id == "emb2"]

    def with_basic(self, basic: Basic) -> Piece:
        """The same piece with another innermost part."""
        return replace(self, basic=basic, traits=(*self.traits[:-1], Trait(basic.type, basic.state)))

    def placed(self, map_name: str, x: int, y: int) -> Piece:
        """The same piece at this place of a map ("" for none)."""
        return self.with_basic(replace(self.basic, map=map_name, x=x, y=y))

    def named(self, piece_id: str, unique: bool = True) -> Piece:
        """The same piece with an id, and the property UniqueID that the engine gives every piece in play."""
        basic = self.basic
        if unique:
            props = (*(pair for pair in basic.props if pair[0] != "UniqueID"), ("UniqueID", piece_id))
            basic = replace(basic, props=props)
        return replace(self.with_basic(basic), id=piece_id)

    def __str__(self) -> str:
        return sequence.encode(("+", self.id or NULL, self.type, self.state), "/")


def markers(types: Sequence[str], states: Sequence[str]) -> dict[str, str]:
    """All marker values by name, from the types and states of all traits; the outermost wins."""
    found: dict[str, str] = {}
    for kind, state in zip(types, states, strict=True):
        if kind.startswith("mark;"):
            for name, value in marked(kind, state).items():
                found.setdefault(name, value)
    return found


@lru_cache(maxsize=1024)
def _numbered(type_text: str, trait: str) -> tuple[int, tuple[int, ...], tuple[str, ...]]:
    """How many traits a type has, and which of them are of one kind: their numbers and types."""
    types = _types_of(type_text)
    numbers = tuple(index for index, kind in enumerate(types) if kind.startswith(trait))
    return len(types), numbers, tuple(types[index] for index in numbers)


def some_traits(type_text: str, state_text: str, trait: str) -> tuple[Sequence[str], Sequence[str]]:
    """Types and states of the traits whose type begins with ``trait`` (``mark;``), from a piece's whole type and state. The states of
    other traits are not decoded where that is safe. Raises ValueError for more traits than any piece has."""
    if len(type_text) < _KEPT_TYPE:
        count, numbers, types = _numbered(type_text, trait)
        some = sequence.some_nested(state_text, "\t", count, numbers)
        if some is not None:
            return types, some
    whole, states = split_traits(type_text, state_text)
    numbers = tuple(index for index, kind in enumerate(whole) if kind.startswith(trait))
    return [whole[index] for index in numbers], [states[index] for index in numbers]


def marker(trait: Trait) -> dict[str, str]:
    """The values of one ``mark`` trait by name."""
    return marked(trait.text, trait.state)


def marked(type_text: str, state_text: str) -> dict[str, str]:
    """The same from the trait's two texts."""
    names = _names_of(type_text) if len(type_text) < _KEPT_MARK else _mark_names(type_text)
    values = sequence.decode(state_text, ",")
    if len(names) == len(values) == 1:
        return {names[0]: values[0]}
    return {name: values[index] if index < len(values) else "" for index, name in enumerate(names)}


def _mark_names(text: str) -> tuple[str, ...]:
    _, mark, rest = text.partition(";")
    return tuple(sequence.decode(sequence.decode(rest, ";")[0] if mark else "", ","))


_names_of = lru_cache(maxsize=1024)(_mark_names)


def layer(trait: Trait) -> Layer:
    """One ``emb2`` trait, new or old form."""
    level, active = level_of(trait.state)
    fields = trait.fields
    spec = TRAITS["emb2"]
    if len(fields) <= spec.names.index("version") or not fields[spec.names.index("version")].strip():
        return Layer("", level, active, (), False)
    images = tuple(sequence.decode(trait.field("images"), ","))
    return Layer(trait.field("name"), level, active, images, trait.field("follow") == "true")


def level_of(state: str) -> tuple[int, bool]:
    """A layer's state as (level from 1, switched on). Unreadable text is level 1, on."""
    try:
        value = int(state.partition(";")[0])
    except ValueError:
        return 1, True
    return abs(value) or 1, value > 0


def _whole(text: str, default: int = 0) -> int:
    try:
        return int(text)
    except ValueError:
        try:
            return int(float(text))
        except (ValueError, OverflowError):
            return default


def basic(type_text: str, state_text: str) -> Basic:
    """Read a BasicPiece's type (``piece;...``) and state; missing fields are empty, as in the engine."""
    name, image = _called(type_text) if len(type_text) < _KEPT_MARK else _name_and_image(type_text)
    state = sequence.decode(state_text, ";")
    state += [""] * (5 - len(state))
    pairs = state[5:]
    count = min(max(_whole(state[4]), 0), len(pairs) // 2)
    return Basic(
        name=name,
        image=image,
        map="" if state[0] == NULL else state[0],
        x=_whole(state[1]),
        y=_whole(state[2]),
        gpid=state[3],
        props=tuple(zip(pairs[0 : 2 * count : 2], pairs[1 : 2 * count : 2], strict=True)),
    )


def _name_and_image(type_text: str) -> tuple[str, str]:
    kind = sequence.decode(type_text, ";")
    return kind[4] if len(kind) > 4 else "", kind[3] if len(kind) > 3 else ""


_called = lru_cache(maxsize=1024)(_name_and_image)
"""Kept: every log of a module has the same counters."""


def place_in(state_text: str) -> tuple[str, int, int]:
    """(map, x, y) of a BasicPiece's state, without what comes behind them where that is safe."""
    parts = state_text.split(";", 3)
    if len(parts) < 4 or "\\" in state_text or "'" in state_text:
        found = basic("", state_text)
        return found.map, found.x, found.y
    return "" if parts[0] == NULL else parts[0], _whole(parts[1]), _whole(parts[2])


def name_and_gpid(type_text: str, state_text: str) -> tuple[str, str]:
    """The name and the slot of a BasicPiece, without the rest where that is safe."""
    parts = state_text.split(";", 4)
    if len(parts) < 5 or "\\" in state_text or "'" in state_text:
        found = basic(type_text, state_text)
        return found.name, found.gpid
    return (_called(type_text) if len(type_text) < _KEPT_MARK else _name_and_image(type_text))[0], parts[3]


def innermost_at(type_text: str, state_text: str) -> tuple[int, int]:
    """Where the innermost part begins in a type and in a state, found without decoding the traits around it; (-1, -1) where only
    decoding would tell."""
    start, depth = innermost_type(type_text)
    cut = innermost_state(state_text, depth) if start >= 0 else -1
    return (start, cut) if cut >= 0 else (-1, -1)


def innermost_type(type_text: str) -> tuple[int, int]:
    """Where the innermost part begins in a type, and how many backslashes stand before it; (-1, -1) where only decoding would tell."""
    inside = around(type_text)
    return (len(inside.text), inside.depth) if inside.depth >= 0 else (-1, -1)


def innermost_state(state_text: str, depth: int) -> int:
    """Where the innermost part begins in a state, when it stands behind as many backslashes as in the type: then both are the same
    nesting level; else -1."""
    cut = state_text.rfind("\t")
    if cut < depth or state_text.endswith("'"):
        return -1
    begin = cut - depth
    before = state_text[begin - 1 : cut] if begin else "\t" + state_text[:cut]
    return cut + 1 if before[1:] == "\\" * depth and before[0] != "\\" else -1


class Around:
    """The types of the traits around a piece's innermost part, as one text: many pieces have the same, from one prototype."""

    def __init__(self, text: str, depth: int) -> None:
        self.text = text
        self.depth = depth
        """How deep the innermost part is nested; -1 where only decoding would tell where it begins: then the text is the whole type."""
        self._words: dict[str, bool] = {}

    def has(self, word: str) -> bool:
        """Whether the text has a word (``emb2;``) in it."""
        found = self._words.get(word)
        if found is None:
            found = word in self.text
            if len(self._words) < _KEPT_WORDS:
                self._words[word] = found
        return found


def around(type_text: str, guess: Around | None = None) -> Around:
    """What is around a type's innermost part; kept, since every log of a module has the same counters. ``guess``: what may be the same."""
    start = type_text.rfind("\tpiece;") + 1
    if not start or type_text.endswith("'"):
        return Around(type_text, -1)
    if guess is not None and len(guess.text) == start and guess.depth >= 0 and type_text.startswith(guess.text):
        return guess
    return _kept_around(type_text[:start]) if start < _KEPT_TYPE else _around(type_text[:start])


def _around(text: str) -> Around:
    return Around(text, _slashes(text, len(text) - 1))


_kept_around = lru_cache(maxsize=1024)(_around)


def markers_around(types: str, states: str) -> Mapping[str, str]:
    """All marker values by name, from what stands around the innermost parts of a type and a state (``innermost_at``)."""
    return _kept_markers(types, states) if len(types) + len(states) < _KEPT_TYPE else _markers_around(types, states)


def _markers_around(types: str, states: str) -> Mapping[str, str]:
    return markers(*some_traits(types + _ANY_TYPE, states + _ANY_STATE, "mark;"))


_kept_markers = lru_cache(maxsize=2048)(_markers_around)
"""Kept: counters of one prototype have the same markers, and most of them the same states around their innermost parts."""


def basic_of(type_text: str, state_text: str) -> Basic:
    """The innermost part of a piece, without decoding the traits around it where that is safe."""
    start, cut = innermost_at(type_text, state_text)
    if cut >= 0:
        return basic(type_text[start:], state_text[cut:])
    types, states = split_traits(type_text, state_text)
    return basic(types[-1], states[-1])


def _slashes(text: str, end: int) -> int:
    """How many backslashes stand just before ``end``."""
    return end - len(text[:end].rstrip("\\"))


def split_traits(type_text: str, state_text: str) -> tuple[list[str], list[str]]:
    """Type strings and state strings of all traits, outermost first, equally many.

    Missing states are empty (the engine would refuse the piece). Raises ValueError when there are absurdly many traits.
    """
    if type_text.count("\t") > _MAX_TRAITS * 4:
        raise ValueError(f"a piece of more than {_MAX_TRAITS} traits")
    types = list(_types_of(type_text)) if len(type_text) < _KEPT_TYPE else sequence.split_nested(type_text, "\t", stop="piece;")
    states = sequence.split_nested(state_text, "\t", count=len(types))
    states += [""] * (len(types) - len(states))
    return types, states


@lru_cache(maxsize=512)
def _types_of(type_text: str) -> tuple[str, ...]:
    """The types of all traits, kept: every log of a module has the same counters, and only their states differ."""
    return tuple(sequence.split_nested(type_text, "\t", stop="piece;"))


def parse_piece(type_text: str, state_text: str, piece_id: str = "") -> Piece:
    """All traits of a piece. Raises ValueError for more traits than any piece has."""
    types, states = split_traits(type_text, state_text)
    traits = tuple(Trait(kind, state) for kind, state in zip(types, states, strict=True))
    innermost = basic(types[-1], states[-1]) if types[-1].startswith("piece;") else Basic()
    return Piece(piece_id, traits, innermost)


def parse_definition(text: str) -> Piece:
    """A piece's text in a module, ``+/null/TYPE/STATE``. Raises ValueError when it is none."""
    parts = sequence.decode(text.strip(), "/")
    if len(parts) < 4 or parts[0] != "+":
        raise ValueError("a piece is written +/ID/TYPE/STATE")
    return parse_piece(parts[2], parts[3], "" if parts[1] == NULL else parts[1])


def build(traits: Iterable[tuple[str, str]], innermost: Basic, piece_id: str = "") -> Piece:
    """A piece from (type, state) pairs, outermost first, around a BasicPiece."""
    made = tuple(Trait(kind, state) for kind, state in traits)
    return Piece(piece_id, (*made, Trait(innermost.type, innermost.state)), innermost)


def expand(piece: Piece, prototypes: Mapping[str, Piece]) -> tuple[Piece, tuple[str, ...]]:
    """The piece with every ``prototype`` trait replaced by the prototype's own traits, and the names that are not defined.

    The engine does this when a piece is placed: saves and logs hold no ``prototype`` trait. A prototype inside itself is dropped.
    """
    missing: list[str] = []

    def traits_of(traits: Sequence[Trait], inside: tuple[str, ...]) -> Iterable[Trait]:
        for trait in traits:
            if trait.id != "prototype":
                yield trait
                continue
            name, parameters = (*trait.fields, "", "")[:2]
            used = prototypes.get(name)
            if used is None:
                missing.append(name)
            elif name not in inside and len(inside) < 64:
                yield from _with_parameters(traits_of(used.traits[:-1], (*inside, name)), parameters)

    expanded = (*traits_of(piece.traits[:-1], ()), piece.traits[-1])
    return replace(piece, traits=expanded), tuple(missing)


def _with_parameters(traits: Iterable[Trait], parameters: str) -> Iterable[Trait]:
    """Start values for the prototype's dynamic properties, ``name=value,...``."""
    if not parameters:
        yield from traits
        return
    values = dict(pair.split("=", 1) for pair in sequence.decode(parameters, ",") if "=" in pair)
    for trait in traits:
        name = (trait.fields or ("",))[0]
        yield Trait(trait.text, values[name]) if trait.id == "PROP" and name in values else trait


class Stack(Value, frozen=True):
    """A stack: members bottom first. ``layer`` is -1 for at-start stacks, otherwise the index in the map's layer order."""

    id: str
    map: str
    x: int
    y: int
    members: tuple[str, ...] = ()
    layer: int = -1

    @property
    def state(self) -> str:
        """``MAP;x;y;ID;...;@@LAYER``."""
        return sequence.encode((self.map or NULL, str(self.x), str(self.y), *self.members, f"@@{self.layer}"), ";")

    def __str__(self) -> str:
        return sequence.encode(("+", self.id or NULL, "stack", self.state), "/")


def parse_stack(state_text: str, stack_id: str = "") -> Stack:
    """Read a stack's state; an unreadable layer is -1."""
    parts = sequence.decode(state_text, ";")
    parts += [""] * (3 - len(parts))
    members = parts[3:]
    if "" in members:
        members = [part for part in members if part]
    layer_index = -1
    if members and members[-1].startswith("@@"):
        layer_index = _whole(members.pop()[2:], -1)
    return Stack(stack_id, "" if parts[0] == NULL else parts[0], _whole(parts[1]), _whole(parts[2]), tuple(members), layer_index)


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck: members bottom first; ``type`` is kept as written (49 fields, of which ``name`` is the thirteenth)."""

    id: str
    type: str
    map: str
    x: int
    y: int
    face_down: bool
    members: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The deck's name."""
        fields = sequence.decode(self.type, ";")
        return fields[13] if len(fields) > 13 else ""

    @property
    def state(self) -> str:
        """``MAP;x;y;faceDown;ID,ID,...``; the last field is absent when the deck is empty."""
        parts = [self.map or NULL, str(self.x), str(self.y), "true" if self.face_down else "false"]
        if self.members:
            parts.append(sequence.encode(self.members, ","))
        return sequence.encode(parts, ";")

    def __str__(self) -> str:
        return sequence.encode(("+", self.id or NULL, self.type, self.state), "/")


def parse_deck(type_text: str, state_text: str, deck_id: str = "") -> Deck:
    """Read a deck's type and state."""
    parts = sequence.decode(state_text, ";")
    parts += [""] * (5 - len(parts))
    members = tuple(part for part in sequence.decode(parts[4], ",") if part)
    place = "" if parts[0] == NULL else parts[0]
    return Deck(deck_id, type_text, place, _whole(parts[1]), _whole(parts[2]), parts[3] == "true", members)
