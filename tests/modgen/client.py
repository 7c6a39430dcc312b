"""A client in small, for tests: pieces on maps, properties of the module, named keys and who hears them, the log that comes of it.

It does what buttons, dice, key commands and the traits of declarations do; pictures, stacks and moves are none of its business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from modgen.formats.vassal import sequence
from modgen.formats.vassal.buildfile import Module
from modgen.formats.vassal.keys import key
from modgen.formats.vassal.pieces import Piece, Trait, expand
from modgen.formats.vassal.xml import Element
from tests.modgen.beanshell import Value, World, evaluate, shown

M = "VASSAL.build.module."
PROPERTY = M + "properties.GlobalProperty"


@dataclass(slots=True, eq=False)
class Counter:
    """A piece on the table: what it is made of, where it lies, and what its traits hold now."""

    table: Table
    piece: Piece
    map: str = ""
    place: str = ""
    zone: str = ""
    values: dict[str, str] = field(default_factory=dict)
    """Dynamic properties and levels of layers."""
    marks: dict[str, str] = field(default_factory=dict)
    before: str = ""
    """The place it was dragged from."""
    calculated: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.marks = self.piece.markers()
        levels = {f"{layer.name}_Level": str(layer.level) for layer in self.piece.layers() if not layer.follows}
        self.values = {**self.piece.dynamic(), **levels, **self.values}
        self.calculated = {t.field("name"): t.field("expression") for t in self.piece.traits if t.id == "calcProp"}

    @property
    def stack(self) -> Sequence[Counter]:
        return [p for p in self.table.pieces if (p.map, p.place) == (self.map, self.place)]

    def text(self, name: str) -> str:
        """A property: of its traits, its place, then of the module."""
        for own in (self.values, self.marks):
            if name in own:
                return own[name]
        if name in self.calculated:
            return shown(evaluate(self.calculated[name], self.table.world, self, self))
        match name:
            case "LocationName":
                return self.place or "offboard"
            case "PlayerSide":
                return self.table.seat
            case "OldLocationName":
                return self.before
            case "CurrentZone":
                return self.zone
            case "CurrentMap":
                return self.map
            case "BasicName" | "PieceName":
                return self.piece.name
            case _:
                return self.table.text(name)

    def ask(self, expression: str) -> str:
        return shown(evaluate(expression, self.table.world, self, self))

    def hears(self, pressed: str) -> None:
        """A key comes: what changes properties acts from the outside in, then triggers, then reports speak."""
        sent = name_of(pressed)
        ears = [ear for trait in self.piece.traits if (ear := ear_of(trait.text)) is not None]
        for ear in ears:
            if ear.kind == "emb2" and sent in ear.keys:
                self.values[ear.name] = str(int(self.values.get(ear.name, "1")) + 1)
            for value in (value for heard, value in ear.commands if heard == sent):
                if ear.kind == "PROP":
                    self.values[ear.name] = self.ask(value)
                elif ear.kind == "setprop":
                    self.table.change(ear.name, self.ask(value), always=True)
            if ear.kind == "globalhotkey" and sent in ear.keys:
                self.table.press(ear.name)
        for ear in reversed(ears):
            if ear.kind == "macro" and sent in ear.keys and (not ear.text or self.ask(ear.text) == "true"):
                for each in ear.sends:
                    self.hears(each)
        for ear in ears:
            if ear.kind == "report" and sent in ear.keys:
                said = ear.text
                for word in set(said.split("$")[1::2]):
                    said = said.replace(f"${word}$", self.text(word))
                self.table.chat.append(said)


@dataclass(frozen=True, slots=True)
class Ear:
    """What of a trait hears keys: its kind, its name, the keys, what it sets for each, its filter or report, what it sends on."""

    kind: str
    name: str = ""
    keys: tuple[str, ...] = ()
    commands: tuple[tuple[str, str], ...] = ()
    text: str = ""
    sends: tuple[str, ...] = ()


@lru_cache(maxsize=4096)
def ear_of(text: str) -> Ear | None:
    """The ear of a trait by its type; None for traits that hear nothing of what is played here."""
    trait = Trait(text)
    match trait.id:
        case "PROP" | "setprop":
            commands = [sequence.decode(each, ":") for each in sequence.decode(trait.field("commands"), ",")]
            found = tuple((name_of(heard), sequence.decode(changer, ",")[1]) for _, heard, changer in commands)
            return Ear(trait.id, trait.field("name"), commands=found)
        case "emb2":
            return Ear("emb2", f"{trait.field('name')}_Level", (name_of(trait.field("up_key")),)) if trait.field("up_key") else None
        case "macro":
            sends = tuple(sequence.decode(trait.field("action_keys"), ","))
            return Ear("macro", keys=(name_of(trait.field("key")),), text=trait.field("filter"), sends=sends)
        case "globalhotkey":
            return Ear("globalhotkey", name_of(trait.field("hotkey")), (name_of(trait.field("key")),))
        case "report":
            return Ear("report", keys=tuple(map(name_of, sequence.decode(trait.field("keys"), ","))), text=trait.field("format"))
        case _:
            return None


@lru_cache(maxsize=4096)
def name_of(pressed: str) -> str:
    """What tells keys apart: a named key's name, else the key itself."""
    return key(pressed).name or pressed


@dataclass(slots=True)
class Table:
    """A module being played."""

    module: Module
    dice: list[int] = field(default_factory=list)
    """What will be rolled, in turn."""
    pieces: list[Counter] = field(default_factory=list)
    properties: dict[str, str] = field(default_factory=dict)
    chat: list[str] = field(default_factory=list)
    changes: list[tuple[str, str, str]] = field(default_factory=list)
    """(property, old, new) as the log has it."""
    keep_zeros: bool = True
    apart: Callable[[Counter, Counter], int] | None = None
    """How many hexes two pieces lie apart."""
    seat: str = "Solo"
    """Whose player presses keys."""
    heard: dict[str, list[tuple[Element, Element]]] = field(default_factory=dict)
    world: World = field(init=False)

    def __post_init__(self) -> None:
        self.world = World(lambda: self.pieces, self.keep_zeros, self.apart)
        self.properties = {**self.module.properties, **self.properties}
        self.heard = listeners(self.module)

    def text(self, name: str) -> str:
        """A property of the module, "" for none."""
        return self.properties.get(name, "")

    def put(self, piece: Piece, place: str, *, map_name: str, zone: str = "", **values: str) -> Counter:
        """A piece, whole, laid on a place."""
        counter = Counter(self, piece, map_name, place, zone, values)
        self.pieces.append(counter)
        return counter

    def ask(self, expression: str) -> Value:
        """What a button works out."""
        return evaluate(expression, self.world, self, None)

    def change(self, name: str, value: str, *, always: bool = False) -> None:
        """A property of the module is set; a button that changes nothing stays silent."""
        old = self.properties[name]
        if old != value or always:
            self.changes.append((name, old, value))
        self.properties[name] = value

    def press(self, name: str) -> None:
        """A named key: everything in the module that hears it acts."""
        for found, owner in self.heard.get(name, ()):
            match found.name.removeprefix(M):
                case "properties.ChangePropertyButton":
                    kind, value = sequence.decode(found.get("propChanger"), ",")
                    assert kind == "P"
                    self.change(owner.get("name"), shown(self.ask(value)))
                case "DoActionButton":
                    self._act(found)
                case "GlobalKeyCommand":
                    for piece in list(self.pieces):
                        if not found.get("filter") or piece.ask(found.get("filter")) == "true":
                            piece.hears(found.get("hotkey"))
                case "DiceButton":
                    rolled = [self.dice.pop(0) for _ in range(int(found.get("nDice")))]
                    name = f"{found.get('name')}_result"
                    self.properties.setdefault(name, "1")
                    self.change(name, ",".join(map(str, rolled)), always=True)
                case _:
                    pass

    def _act(self, found: Element) -> None:
        if found.get("doLoop") == "true" and found.get("loopType") == "while":
            while self.ask(found.get("whileExpression")) is True:
                self._act_once(found)
            return
        times = int(shown(self.ask(found.get("loopCount")))) if found.get("doLoop") == "true" else 1
        for _ in range(times):
            self._act_once(found)

    def _act_once(self, found: Element) -> None:
        if found.get("doReport") == "true":
            said = shown(self.ask(found.get("reportFormat")))
            if said:
                self.chat.append(said)
        for sent in sequence.decode(found.get("hotkeys"), ",") if found.get("doHotkey") == "true" else ():
            self.press(key(sent).name)

    def button(self, text: str) -> None:
        """A button of the toolbar, by its text."""
        (found,) = (b for b in self.module.root.iter() if b.name == M + "DoActionButton" and b.get("text") == text)
        self._act(found)

    def drag(self, pieces: Iterable[Counter], place: str, *, zone: str) -> None:
        """Pieces are dragged together to another place of their map, which then sends each of them its key, if it has one."""
        moved = list(pieces)
        for piece in moved:
            piece.before, piece.place, piece.zone = piece.place, place, zone
        for piece in moved:
            (on,) = (e for e in self.module.root.iter() if e.get("mapName") == piece.map)
            if on.get("moveKey"):
                piece.hears(on.get("moveKey"))

    def key(self, pressed: str, pieces: Iterable[Counter]) -> None:
        """A key of players, for the pieces that are selected."""
        for piece in pieces:
            piece.hears(pressed)


def slots(module: Module, marker: str) -> dict[str, Piece]:
    """Value of a marker -> the piece of the palette that has it, with all that its prototypes give it."""
    return {value: expand(slot.piece, module.prototypes)[0] for slot in module.slots if (value := slot.piece.markers().get(marker, ""))}


def listeners(module: Module) -> dict[str, list[tuple[Element, Element]]]:
    """Named key -> what in the module hears it, and what that stands in."""
    made = _LISTENERS.get(id(module))
    if made is None:
        found: dict[str, list[tuple[Element, Element]]] = {}
        for owner in module.root.iter():
            for child in owner.children:
                for attribute in ("hotkey", "buttonHotkey", "nexthotkey"):
                    name = key(child.get(attribute)).name if child.get(attribute) else ""
                    if name and not (child.name == M + "GlobalKeyCommand" and attribute == "hotkey"):
                        found.setdefault(name, []).append((child, owner))
        made = _LISTENERS[id(module)] = (module, found)
    return made[1]


_LISTENERS: dict[int, tuple[Module, dict[str, list[tuple[Element, Element]]]]] = {}
