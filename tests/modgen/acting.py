"""A game on a built module as its pieces and buttons act it out: what a key does, where pieces go, what is said.

After the engine's behaviour as far as our modules use it: a key goes to the outermost trait first, but reports and triggers act after
everything inside them, and a trigger further out reads its test after the inner one has acted. Hidden menu entries hear no key; a
masked piece answers only to the side that masked it; a deck that lies face down gives its cards out masked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from modgen.formats.vassal import sequence
from modgen.formats.vassal.keys import key
from modgen.formats.vassal.pieces import Piece, Trait
from modgen.formats.vassal.saves import SaveFile
from modgen.formats.vassal.xml import Element
from tests.modgen.beanshell import Value, World, evaluate, shown
from tests.modgen.conftest import Built


def named(text: str) -> str:
    """A key by what tells it from others: its name, or the code and modifiers of one that players press."""
    found = key(text)
    return found.name or text


@dataclass(eq=False)
class Actor:
    """A piece in play."""

    table: Table
    id: str
    traits: list[Trait]
    states: list[str]
    map: str
    x: int
    y: int
    deck: str = ""
    name: str = ""
    old: dict[str, str] = field(default_factory=dict)
    back: dict[int, tuple[str, int, int]] = field(default_factory=dict)
    masked: str = ""
    deleted: bool = False

    def text(self, name: str) -> str:
        """A property of the piece or of the module; empty for none."""
        return self.table.look(self, name) or ""

    @property
    def stack(self) -> Sequence[Actor]:
        """The pieces at the same pixel."""
        return [a for a in self.table.there() if (a.map, a.x, a.y) == (self.map, self.x, self.y)]

    def marker(self, name: str) -> str:
        """A marker of the piece; empty for none."""
        for trait, state in zip(self.traits, self.states, strict=True):
            if trait.id == "mark":
                values = dict(zip(sequence.decode(trait.fields[0], ","), sequence.decode(state, ","), strict=True))
                if name in values:
                    return values[name]
        return ""

    def state(self, prop: str) -> str:
        """A dynamic property."""
        return next(s for t, s in zip(self.traits, self.states, strict=True) if t.id == "PROP" and t.field("name") == prop)

    @property
    def level(self) -> int:
        """Which face is up, from 1."""
        return next(int(s) for t, s in zip(self.traits, self.states, strict=True) if t.id == "emb2" and t.field("name") == "Face")


class Table:
    """A set-up in play for the player of one seat."""

    def __init__(self, built: Built, save: SaveFile, seat: str) -> None:
        self.built, self.seat = built, seat
        self.properties = {name: value for (_, name), value in save.properties.items()} | {"GameTurn": "1"}
        self.chat: list[str] = []
        self.talk: list[str] = []
        self.maps = {m.name: m for m in built.module.maps}
        self.boards = save.boards
        inside = {member: deck for deck in save.decks.values() for member in deck.members}
        self.world = World(self.there)
        self.actors = {p.id: _actor(self, p, inside[p.id].name if p.id in inside else "") for p in save.pieces.values()}
        self.decks = {d.get("name"): d for d in built.all("module.map.DrawPile")}

    def of(self, value: str) -> Actor:
        """The piece with this id of the game's tables."""
        (found,) = (a for a in self.actors.values() if value in (a.marker("UnitId"), a.marker("MarkerId")) and not a.deleted)
        return found

    def where(self, actor: Actor) -> str:
        """What the client calls the place of a piece."""
        return self.maps[actor.map].location_name(actor.x, actor.y, self.boards.get(actor.map))

    # -- properties

    def look(self, actor: Actor | None, name: str) -> str | None:
        """A property of a piece, or of the module."""
        if actor is not None and (own := self._own(actor, name)) is not None:
            return own
        return self.properties.get(name)

    def _own(self, actor: Actor, name: str) -> str | None:
        match name:
            case "LocationName":
                return self.where(actor)
            case "CurrentZone":
                return self.maps[actor.map].locate(actor.x, actor.y, self.boards.get(actor.map)).zone
            case "CurrentX" | "CurrentY":
                return str(actor.x if name == "CurrentX" else actor.y)
            case "CurrentMap":
                return actor.map
            case "DeckName":
                return actor.deck
            case "BasicName":
                return actor.name
            case "PieceName":
                return self._called(actor)
            case "PlayerSide":
                return self.seat
            case "Moved":
                return next((s for t, s in zip(actor.traits, actor.states, strict=True) if t.id == "markmoved"), None)
            case "ObscuredToOthers":
                return "true" if actor.masked else "false"
        if name in actor.old:
            return actor.old[name]
        for trait, state in zip(actor.traits, actor.states, strict=True):
            if trait.id == "mark":
                values = dict(zip(sequence.decode(trait.fields[0], ","), sequence.decode(state, ","), strict=True))
                if name in values:
                    return values[name]
            elif (trait.id == "PROP" and trait.field("name") == name) or (trait.id == "emb2" and name == f"{trait.field('name')}_Level"):
                return state
            elif trait.id == "calcProp" and trait.field("name") == name:
                return shown(self.evaluate(trait.field("expression"), actor))
        return None

    def _called(self, actor: Actor) -> str:
        """The piece's name with what its face adds; a face with a name of its own stands for it."""
        for trait, state in zip(actor.traits, actor.states, strict=True):
            if trait.id == "emb2" and trait.field("name") == "Face":
                word = sequence.decode(trait.field("level_names"), ",")[int(state) - 1]
                return actor.name + word.removeprefix("+") if word.startswith("+") or not word else word
        return actor.name

    def there(self) -> list[Actor]:
        """All pieces in play."""
        return [a for a in self.actors.values() if not a.deleted]

    def evaluate(self, text: str, actor: Actor) -> Value:
        """An expression, or plain text."""
        return evaluate(text, self.world, actor, actor)

    def holds(self, test: str, actor: Actor) -> bool:
        """A test; none always holds."""
        return not test or self.evaluate(test, actor) is True

    # -- keys

    def menu(self, actor: Actor) -> list[str]:
        """The entries that the piece's menu shows to this seat and that do something."""
        return [text for text, _, able in self._entries(actor) if able]

    def _entries(self, actor: Actor) -> Iterator[tuple[str, str, bool]]:
        hidden: set[str] = set()
        if actor.masked and actor.masked != self.seat:
            return
        for trait in actor.traits:
            if trait.id == "hideCmd" and self.holds(trait.field("filter"), actor):
                hidden |= {named(k) for k in sequence.decode(trait.field("keys"), ",")}
            elif trait.id in ("macro", "sendto", "obs", "delete", "return") and trait.field("menu"):
                pressed = named(trait.field("key"))
                able = trait.id != "macro" or self.holds(trait.field("filter"), actor)
                if pressed not in hidden:
                    yield trait.field("menu"), trait.field("key"), able

    def choose(self, actor: Actor, text: str) -> list[str]:
        """An entry of the menu; the chat lines that it gives.

        Raises AssertionError for one that the menu does not offer there.
        """
        offered = {entry: pressed for entry, pressed, able in self._entries(actor) if able}
        assert text in offered, (actor.name, text, sorted(offered))
        said = len(self.chat)
        self.press(actor, offered[text])
        return self.chat[said:]

    def press(self, actor: Actor, pressed: str) -> None:
        """A key on a piece."""
        self._event(actor, 0, named(pressed))

    def _event(self, actor: Actor, at: int, pressed: str) -> None:
        if at == len(actor.traits):
            return
        trait = actor.traits[at]
        if trait.id == "hideCmd":
            keys = {named(k) for k in sequence.decode(trait.field("keys"), ",")}
            if pressed in keys and self.holds(trait.field("filter"), actor):
                return
        if trait.id == "obs" and actor.masked and actor.masked != self.seat:
            return
        if trait.id in ("report", "macro"):
            self._event(actor, at + 1, pressed)
            self._act(actor, at, pressed)
        else:
            self._act(actor, at, pressed)
            self._event(actor, at + 1, pressed)

    def _act(self, actor: Actor, at: int, pressed: str) -> None:
        trait = actor.traits[at]
        match trait.id:
            case "macro" if named(trait.field("key")) == pressed and self.holds(trait.field("filter"), actor):
                for one in sequence.decode(trait.field("action_keys"), ","):
                    self.press(actor, one)
            case "report" if pressed in {named(k) for k in sequence.decode(trait.field("keys"), ",")}:
                self.chat.append(self._worded(trait.field("format"), actor))
            case "PROP" | "setprop":
                self._set(actor, at, pressed)
            case "emb2":
                self._turn(actor, at, pressed)
            case "sendto" if named(trait.field("key")) == pressed:
                self._send(actor, at)
            case "sendto" if trait.field("back_key") and named(trait.field("back_key")) == pressed and at in actor.back:
                self._move(actor, *actor.back.pop(at))
            case "return" if named(trait.field("key")) == pressed:
                deck = self.decks[trait.field("deck")]
                if self.seat in (seats := sequence.decode(deck.get("deckOwners"), ",")) or seats == [""]:
                    self._move(actor, self.built.layout.board.map, int(deck.get("x")), int(deck.get("y")))
                    actor.deck = trait.field("deck")
            case "obs" if named(trait.field("key")) == pressed:
                actor.masked = "" if actor.masked else self.seat
            case "delete" if named(trait.field("key")) == pressed:
                actor.deleted = True

    def _worded(self, text: str, actor: Actor) -> str:
        return re.sub(r"\$(\w+)\$", lambda found: self.look(actor, found[1]) or "", text)

    def _set(self, actor: Actor, at: int, pressed: str) -> None:
        trait = actor.traits[at]
        for command in sequence.decode(trait.field("commands"), ","):
            _, heard, changer = sequence.decode(command, ":")
            if named(heard) != pressed:
                continue
            value = shown(self.evaluate(sequence.decode(changer, ",")[1], actor))
            if trait.id == "PROP":
                actor.states[at] = value
            else:
                self.properties[trait.field("name")] = value
                self.talk += [value] if trait.field("name") == "Talk" else []

    def _turn(self, actor: Actor, at: int, pressed: str) -> None:
        trait, level = actor.traits[at], int(actor.states[at])
        most = len(sequence.decode(trait.field("images"), ","))
        if trait.field("up_key") and named(trait.field("up_key")) == pressed:
            actor.states[at] = str(1 if level == most and trait.field("loop") == "true" else min(level + 1, most))
        elif trait.field("down_key") and named(trait.field("down_key")) == pressed:
            actor.states[at] = str(max(level - 1, 1))

    def _send(self, actor: Actor, at: int) -> None:
        trait = actor.traits[at]
        actor.back[at] = (actor.map, actor.x, actor.y)
        if trait.field("dest") == "R":
            region = shown(self.evaluate(trait.field("region"), actor))
            x, y = self.regions(trait.field("map"))[region]
        else:
            assert trait.field("dest") == "L", trait.text
            x, y = (int(shown(self.evaluate(trait.field(f), actor))) for f in ("x", "y"))
        self._move(actor, trait.field("map"), x, y)

    def regions(self, map_name: str) -> dict[str, tuple[int, int]]:
        """Region -> its pixel, of a map's grids."""
        (window,) = (e for e in self._windows() if e.get("mapName") == map_name)
        found = (e for e in window.iter() if e.name.endswith(".Region"))
        return {e.get("name"): (int(e.get("originx")), int(e.get("originy"))) for e in found}

    def _windows(self) -> list[Element]:
        return [*self.built.all("module.Map"), *self.built.all("module.PrivateMap")]

    def _move(self, actor: Actor, map_name: str, x: int, y: int) -> None:
        if actor.deck:
            actor.masked, actor.deck = self.seat, ""
        actor.old = {"OldMap": actor.map, "OldX": str(actor.x), "OldY": str(actor.y)}
        actor.map, actor.x, actor.y = map_name, x, y

    # -- buttons

    def button(self, text: str) -> list[str]:
        """A button that sends all pieces a key; the chat lines that it gives."""
        (found,) = (b for b in self.built.all("module.GlobalKeyCommand") if b.get("buttonText") == text)
        return self._ask(found)

    def command(self, name: str) -> list[str]:
        """A button without a face that sends all pieces a key when it hears a command of this name."""
        (found,) = (b for b in self.built.all("module.GlobalKeyCommand") if named(b.get("buttonHotkey")) == name)
        return self._ask(found)

    def says(self, name: str) -> str:
        """What a button without a face reports when it hears a command of this name."""
        (found,) = (b for b in self.built.all("module.DoActionButton") if named(b.get("hotkey")) == name)
        return shown(evaluate(found.get("reportFormat"), self.world, self))

    def work(self, name: str) -> str:
        """A property of the module is worked out by the button without a face that hears a command of this name; what it then is."""
        buttons = ((o, b) for o in self.built.root.iter() for b in o.children if b.get("hotkey"))
        owner, found = next((o, b) for o, b in buttons if named(b.get("hotkey")) == name)
        self.properties[owner.get("name")] = shown(self.asks(sequence.decode(found.get("propChanger"), ",")[1]))
        return self.properties[owner.get("name")]

    def asks(self, expression: str) -> Value:
        """What a button works out."""
        return evaluate(expression, self.world, self)

    def text(self, name: str) -> str:
        """A property of the module; empty for none."""
        return self.properties.get(name, "")

    def _ask(self, found: Element) -> list[str]:
        said, cards, taken = len(self.chat), int(found.get("deckCount")), dict.fromkeys(self.decks, 0)
        for actor in list(self.actors.values()):
            if actor.deck:
                owners = sequence.decode(self.decks[actor.deck].get("deckOwners"), ",")
                if (self.seat not in owners and owners != [""]) or taken[actor.deck] >= cards:
                    continue
            if self.holds(found.get("filter"), actor):
                if actor.deck:
                    taken[actor.deck] += 1
                self.press(actor, found.get("hotkey"))
        return self.chat[said:]


def _actor(table: Table, piece: Piece, deck: str) -> Actor:
    traits = list(piece.traits[:-1])
    return Actor(table, piece.id, traits, [t.state for t in traits], piece.basic.map, piece.basic.x, piece.basic.y, deck, piece.basic.name)
