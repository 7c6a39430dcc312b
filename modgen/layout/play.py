"""What players do with a module: seats, what pieces can do, phases, set-ups, dice, windows, help, as ``module.toml`` says it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gamebox.model import Box, Piece
from modgen.layout.abilities import Prototype, Send, read_prototypes
from modgen.layout.board import BoardLayout
from modgen.layout.counters import CounterLayout, Marker, fill_in
from modgen.layout.counters import fields as braces
from modgen.layout.displays import Display
from modgen.layout.places import place_names, track_rows
from modgen.layout.reading import Against, Reader, Where, each
from modgen.layout.telling import Notice, Tally, check_telling, read_notices, read_tallies

PROPERTIES = ("Side", "Nation")
"""What every piece is known by in the client, beside what its prototype lists."""


@dataclass(frozen=True, slots=True)
class SidePalette:
    """How one side's pieces are called and filed: the palette's tab, how a piece is named."""

    id: str
    tab: str
    named: str
    """``{name}``, ``{strengths}``, ``{side}``, ``{nation}`` and any column of the piece's row."""
    forms: tuple[tuple[Where, str], ...] = ()
    """How the pieces that pass a test are named instead."""

    def form(self, piece: Piece) -> str:
        """The template that a piece's name is made from."""
        return next((named for where, named in self.forms if where(piece.row)), self.named)


@dataclass(frozen=True, slots=True)
class Inventory:
    """A window that lists one side's pieces by place; ``seats`` may open it, everybody when there are none."""

    name: str
    sides: tuple[str, ...]
    seats: tuple[str, ...]
    open: bool
    """Only what lies on the map that everybody sees."""
    tooltip: str = ""


@dataclass(frozen=True, slots=True)
class Setup:
    """One scenario that is offered ready set up; ``seats`` are those that play it."""

    scenario: str
    file: str
    name: str
    note: str
    seats: tuple[str, ...]
    notes: tuple[str, ...] = ()
    """Lines of the scenario's notes in the client's notes window."""
    halves: bool = False
    """Who plays first is found out on each turn: the tracker has the first and the second player's phases, not those of the sides."""


@dataclass(frozen=True, slots=True)
class Halves:
    """Turns in which either side may play first: what their phases are called, and what shows who does."""

    first: str
    second: str
    """Words before the phase's own: ``First player: Combat``."""
    marker: str
    sides: tuple[str, ...]
    """The side that plays first while the marker's front is up, and the one while it is turned over."""
    begins: str
    """The phase, by the word of the column phase, that the turn then begins with; it is off in other set-ups."""
    last: str
    """What the last phase of such a turn is called: otherwise than that of other turns."""


@dataclass(frozen=True, slots=True)
class Phases:
    """How the rows of the phases table are called in the turn tracker.

    ``named`` may use ``{phase}``, ``{side}`` and any column of the row; ``forms`` go before it for the rows that pass their test. ``words``
    say what values of the column phase are called, ``columns`` those of others. Rows that pass ``optional`` are in the tracker, switched
    off.
    """

    named: str
    forms: tuple[tuple[Where, str], ...]
    words: tuple[tuple[str, str], ...]
    columns: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    last: str
    optional: Where
    halves: Halves | None = None


@dataclass(frozen=True, slots=True)
class Die:
    """A button that rolls: its words say what the roll is for. ``menu`` gathers it with others under one button."""

    name: str
    tooltip: str
    dice: int
    faces: int
    total: bool
    """The sum is what counts."""
    menu: str


@dataclass(frozen=True, slots=True)
class Order:
    """A button that asks something of all pieces at once; ``order`` is known to some of their prototypes."""

    text: str
    tooltip: str
    order: str
    menu: str
    say: str
    """What the chat says of it; empty where the pieces speak for themselves."""


@dataclass(frozen=True, slots=True)
class Draw:
    """A button that draws cards out of the deck of a box into a hand, chosen at random."""

    text: str
    tooltip: str
    deck: str
    hand: str
    cards: int
    menu: str


@dataclass(frozen=True, slots=True)
class Deck:
    """The deck in a box: face down, drawn at random. ``seats`` may draw from it and put back, everybody when there are none.

    The rows of ``table`` that pass ``dealt`` begin in the hand ``to``, their cards being the markers of the same ids.
    """

    box: str
    cards: tuple[str, ...]
    """Its markers, by id; a ``*`` at the end matches by what stands before it."""
    seats: tuple[str, ...]
    table: str
    dealt: Where
    to: str


@dataclass(frozen=True, slots=True)
class Start:
    """A marker that set-ups begin with: at one place, or at one for each row of a table that passes a test."""

    marker: str
    face: str
    """The side of it that is up; empty for the front."""
    scenarios: tuple[str, ...]
    """Those whose set-ups begin with it; all if there are none."""
    places: tuple[tuple[str, str], ...]
    """(scenario, place); the scenario is empty where the row belongs to none."""
    held: Where
    """Only in hexes of the regions that pass; of those, the regions of the scenario."""

    def at(self, box: Box, scenario: str) -> tuple[str, ...]:
        """Where it lies when a scenario begins."""
        if self.scenarios and scenario not in self.scenarios:
            return ()
        mine = tuple(place for whose, place in self.places if whose in ("", scenario))
        if not self.held.tests:
            return mine
        regions = [r for r in box["regions"] if self.held(r) and scenario in r.items("scenarios")]
        inside = {h for r in regions for h in r.items("hexes")}
        return tuple(place for place in mine if place in inside)


@dataclass(frozen=True, slots=True)
class PlayLayout:
    """How a module is played."""

    players: tuple[str, ...]
    referees: tuple[str, ...]
    sides: tuple[SidePalette, ...]
    inventories: tuple[Inventory, ...]
    prototypes: tuple[Prototype, ...]
    phases: Phases
    setups: tuple[Setup, ...]
    dice: tuple[Die, ...]
    orders: tuple[Order, ...]
    draws: tuple[Draw, ...]
    decks: tuple[Deck, ...]
    starts: tuple[Start, ...]
    notices: tuple[Notice, ...]
    tallies: tuple[Tally, ...]
    menus: tuple[tuple[str, str], ...]
    """Buttons that open a menu of others: the text, the tooltip."""
    help: tuple[str, ...]
    """Paragraphs of the player aid."""

    def side(self, side: str) -> SidePalette:
        """The palette of a side."""
        return next(s for s in self.sides if s.id == side)

    def named(self, piece: Piece) -> str:
        """The full, unique name of a piece as chat lines and reports show it."""
        strengths = "-".join(map(str, piece.strengths))
        side = self.side(piece.side)
        form = side.form(piece)
        cells = {column: piece.row.text(column) for column in piece.row.values}
        return form.format(**(cells | {"name": piece.name, "strengths": strengths, "side": piece.side, "nation": piece.nation}))

    def prototype(self, piece: Piece) -> Prototype:
        """What a piece can do: the first prototype whose test its row passes (the check makes sure that there is one)."""
        return next(p for p in self.prototypes if not p.markers and p.where(piece.row))

    def marker_prototype(self, marker: Marker) -> Prototype:
        """What a marker can do: the first prototype that names it, or ``*``."""
        return next(p for p in self.prototypes if any(_matches(marker.id, name) for name in p.markers))


    def deck(self, marker: Marker) -> Deck | None:
        """The deck that a marker is a card of."""
        return next((d for d in self.decks if any(_matches(marker.id, name) for name in d.cards)), None)


def _matches(marker: str, name: str) -> bool:
    return marker.startswith(name[:-1]) if name.endswith("*") else marker == name


def read_play(top: Reader, box: Box) -> PlayLayout:
    """The players' part of the file; what is made from rows of a table needs the box."""
    return PlayLayout(
        players=top.texts("players"),
        referees=top.texts("referees"),
        sides=each(
            top.listed("side"),
            lambda r: SidePalette(
                r.text("id"),
                r.text("tab"),
                r.text("named"),
                each(r.listed("form"), lambda f: (f.where("where"), f.text("named"))),
            ),
        ),
        inventories=each(
            top.listed("inventory"),
            lambda r: Inventory(r.text("name"), r.texts("sides"), r.texts("seats", ()), r.flag("open"), r.text("tooltip", "")),
        ),
        prototypes=read_prototypes(top.listed("prototype"), box),
        phases=_phases(top.table("phases")),
        setups=each(
            top.listed("setup"),
            lambda r: Setup(
                r.text("scenario"),
                r.text("file"),
                r.text("name"),
                r.text("note", ""),
                r.texts("seats"),
                r.texts("notes", ()),
                r.flag("halves"),
            ),
        ),
        dice=each(
            top.listed("die"),
            lambda r: Die(
                r.text("name"), r.text("tooltip"), r.int("dice", 1, 1, 20), r.int("faces", 6, 2, 100), r.flag("total"), r.text("menu", "")
            ),
        ),
        orders=each(
            top.listed("order"),
            lambda r: Order(r.text("text"), r.text("tooltip"), r.text("order"), r.text("menu", ""), r.text("say", "")),
        ),
        draws=each(
            top.listed("draw"),
            lambda r: Draw(
                r.text("text"), r.text("tooltip"), r.text("deck"), r.text("hand"), r.int("cards", 1, 1, 100), r.text("menu", "")
            ),
        ),
        decks=each(
            top.listed("deck"),
            lambda r: Deck(
                r.text("box"), r.texts("cards"), r.texts("seats", ()), r.text("table", ""), r.where("dealt"), r.text("to", "")
            ),
        ),
        notices=read_notices(top),
        tallies=read_tallies(top),
        starts=each(top.listed("start"), lambda r: _start(r, box)),
        menus=each(top.listed("menu"), lambda r: (r.text("text"), r.text("tooltip"))),
        help=top.texts("help", ()),
    )


def _start(r: Reader, box: Box) -> Start:
    marker, at, table, where, hexes = r.text("marker"), r.text("at"), r.text("rows", ""), r.where("where"), r.where("hexes")
    face, scenarios, held = r.text("face", ""), r.texts("scenarios", ()), r.where("held")

    def made(*places: tuple[str, str]) -> Start:
        return Start(marker, face, scenarios, places, held)

    if not table:
        return made(("", at))
    if table not in box.tables:
        r.fault("rows", f"{table!r} is no table of the game; there are {', '.join(box.tables)}")
        return made()
    if unknown := sorted(set(braces(at)) - set(box[table].columns)):
        r.fault("at", f"{unknown[0]!r} is no column of {table}; there are {', '.join(box[table].columns)}")
        return made()
    for key, test, of in (("where", where, table), ("hexes", hexes, "hexes")):
        columns = box[of].columns if of in box.tables else ()
        if wrong := [column for column, _ in test.tests if column not in columns]:
            r.fault(key, f"{wrong[0]!r} is no column of {of}; there are {', '.join(columns) or 'none'}")
    places = []
    for row in box[table]:
        place = fill_in(at, {c: row.text(c) for c in row.values})
        ground = box["hexes"].get(place) if "hexes" in box.tables else None
        if where(row) and (not hexes.tests or (ground is not None and hexes(ground))):
            places.append((row.text("scenario") if "scenario" in row.values else "", place))
    return made(*places)


def _phases(r: Reader) -> Phases:
    words = r.table("words")
    out = Phases(
        named=r.text("named"),
        forms=each(r.listed("form"), lambda f: (f.where("where"), f.text("named"))),
        words=tuple((key, words.text(key)) for key in words.data),
        columns=tuple((column, tuple((value, sub.text(value)) for value in sub.data)) for column, sub in r.named("columns")),
        last=r.text("last", ""),
        optional=r.where("optional"),
        halves=_halves(r.table("halves")) if "halves" in r.data else None,
    )
    r.end()
    return out


def _halves(r: Reader) -> Halves:
    out = Halves(r.text("first"), r.text("second"), r.text("marker"), r.texts("sides"), r.text("begins"), r.text("last"))
    r.end()
    return out


def check_play(
    play: PlayLayout, board: BoardLayout, displays: Sequence[Display], counters: CounterLayout, against: Against
) -> None:
    """What players do, held against the game's tables and the other parts of the file."""
    a = against
    pieces = {p.side for p in a.box.pieces}
    seats = (*play.players, *play.referees)
    a.known("[[side]]", (s.id for s in play.sides), pieces, "side with pieces")
    a.known("[[side]]", pieces, (s.id for s in play.sides), "side listed here, but has pieces")
    a.known("[[inventory]] sides", (s for i in play.inventories for s in i.sides), pieces, "side with pieces")
    a.known("[[inventory]] seats", (s for i in play.inventories for s in i.seats), seats, "player")
    a.once("[[inventory]]", (i.name for i in play.inventories), "a client tells windows by name alone")
    a.known("[[setup]]", (s.scenario for s in play.setups), a.column("scenarios", "scenario"), "scenario of the game")
    a.known("[[setup]] seats", (s for setup in play.setups for s in setup.seats), seats, "player")
    a.once("[[setup]] file", (s.file for s in play.setups), "every set-up has a file of its own")
    a.known("[phases.words]", a.column("phases", "phase"), dict(play.phases.words), "phase named here, but one of the game")
    for side in play.sides:
        _check_names(side, a)
    _check_halves(play, counters, a)
    for template in (play.phases.named, *(named for _, named in play.phases.forms)):
        a.fills("[phases] named", template, {"phase", "side", *_columns(a, "phases")})
    for column, words in play.phases.columns:
        a.known(f"[phases.columns.{column}]", a.column("phases", column), dict(words), "word put here, but one of the game")
    a.known("[[hold]] markers", (m for h in board.holds for m in h.markers), (m.id for m in counters.markers), "marker of this file")
    a.once("[[die]]", (d.name for d in play.dice), "a client tells dice by name alone")
    named = place_names(board, displays, a.box)
    maps = {board.map, *(display.name for display in displays)}
    _check_prototypes(play, board, counters, named, maps, a)
    _check_buttons(play, board, counters, named, a)


def _check_halves(play: PlayLayout, counters: CounterLayout, a: Against) -> None:
    halves = play.phases.halves
    if halves is None:
        if named := next((s.name for s in play.setups if s.halves), ""):
            a.fault(f"[[setup]] {named} halves: there is no [phases.halves]; allowed with it")
        return
    place = "[phases.halves]"
    a.known(f"{place} marker", (halves.marker,), (m.id for m in counters.markers if len(m.faces) > 1), "marker of this file with two sides")
    a.known(f"{place} sides", halves.sides, a.column("phases", "force"), "side of the phases")
    a.known(f"{place} begins", (halves.begins,), a.column("phases", "phase"), "phase of the game")
    if len(halves.sides) != 2:
        a.fault(f"{place} sides: {len(halves.sides)} sides; allowed: two")


def _check_names(side: SidePalette, a: Against) -> None:
    """What stands in the names of a side's pieces must be known of each piece that is named so."""
    for template in (side.named, *(named for _, named in side.forms)):
        rows = [set(p.row.values) for p in a.box.pieces if p.side == side.id and side.form(p) == template]
        shared = set.intersection(*rows) if rows else {c for p in a.box.pieces for c in p.row.values}
        a.fills(f"[[side]] {side.id} named", template, {"name", "strengths", "side", "nation", *shared})


def _check_buttons(play: PlayLayout, board: BoardLayout, counters: CounterLayout, named: set[str], a: Against) -> None:
    markers = [m.id for m in counters.markers]
    decks = [d.box for d in play.decks]
    texts = [*(d.name for d in play.dice), *(o.text for o in play.orders), *(d.text for d in play.draws), *(t.text for t in play.tallies)]
    menus = [text for text, _ in play.menus]
    a.once("[[die]], [[order]], [[draw]], [[tally]], [[menu]]", [*texts, *menus], "a client tells buttons by their text alone")
    for place, listed in (("[[die]]", play.dice), ("[[order]]", play.orders), ("[[draw]]", play.draws)):
        a.known(f"{place} menu", (b.menu for b in listed if b.menu), menus, "[[menu]] of this file")
    a.known("[[deck]] box", decks, (b.id for b in board.boxes), "box drawn here")
    a.once("[[deck]] box", decks, "a box holds one deck")
    a.known("[[draw]] deck", (d.deck for d in play.draws), decks, "box with a [[deck]]")
    a.known("[[draw]] hand", (d.hand for d in play.draws), named, "place of the boards")
    a.known("[[deck]] seats", (s for d in play.decks for s in d.seats), (*play.players, *play.referees), "player")
    a.known("[[deck]] to", (d.to for d in play.decks if d.to), named, "place of the boards")
    a.known("[[deck]] table", (d.table for d in play.decks if d.table), a.box.tables, "table of the game")
    for deck in play.decks:
        for name in deck.cards:
            if not any(_matches(marker, name) for marker in markers):
                a.fault(f"[[deck]] {deck.box} cards: {name!r} is no marker of this file; there are {', '.join(markers)}")
    check_telling(play.notices, play.tallies, PROPERTIES, named, a)
    a.known("[[start]] marker", (s.marker for s in play.starts), markers, "marker of this file")
    a.known("[[start]] at", (p for s in play.starts for _, p in s.places), named, "place of the boards")
    a.known("[[start]] scenarios", (x for s in play.starts for x in s.scenarios), a.column("scenarios", "scenario"), "scenario of the game")
    faces = {m.id: {f.id for f in m.faces} for m in counters.markers}
    for start in play.starts:
        a.known(f"[[start]] {start.marker} face", [start.face] if start.face else [], faces.get(start.marker, set()), "side of the marker")
        a.known(f"[[start]] {start.marker} held", (c for c, _ in start.held.tests), _columns(a, "regions"), "column of regions")


def _check_prototypes(
    play: PlayLayout, board: BoardLayout, counters: CounterLayout, named: set[str], maps: set[str], a: Against
) -> None:
    zones = [*(z.name for z in board.zones), "*"]
    markers = [m.id for m in counters.markers]
    masks = [m.id for m in counters.masks]
    begin = {*named, *zones, *maps} - {"*"}
    orders = {s.order for p in play.prototypes for s in p.sends if s.order} | {p.card.order for p in play.prototypes if p.card}
    orders = (orders | {"face-up" for p in play.prototypes if p.faces and p.faces.kind == "flip"}) - {""}
    a.known("[[order]] order", (o.order for o in play.orders), orders, "order that a prototype knows")
    a.once("[[prototype]]", (p.name for p in play.prototypes), "a client tells prototypes by name alone")
    for p in play.prototypes:
        place = f"[[prototype]] {p.name}"
        if p.eliminate is not None:
            a.known(f"{place} eliminate", (z for z, _ in p.eliminate.boxes), zones, "zone of this file")
            a.known(f"{place} eliminate", (b for _, b in p.eliminate.boxes), (b.id for b in board.boxes), "box drawn here")
            if "*" not in dict(p.eliminate.boxes):
                a.fault(f'{place} eliminate: "*" is missing: the box for pieces outside every zone')
        if p.exit is not None:
            a.known(f"{place} exit box", (p.exit.box,), (b.id for b in board.boxes), "box drawn here")
            a.known(f"{place} exit edges", p.exit.edges, a.column("hexes", "edge"), "edge of the map")
        if p.faces is not None and p.faces.kind == "leave":
            a.known(f"{place} faces box", (p.faces.box,), (b.id for b in board.boxes), "box drawn here")
        for send in p.sends:
            _check_send(place, send, p, named, begin, a)
        if p.along is not None:
            a.known(f"{place} along row", (p.along.row,), track_rows(board), "row of a [[track]]")
        if p.strength is not None:
            a.known(f"{place} strength seats", p.strength.seats, (*play.players, *play.referees), "player")
            a.known(f"{place} strength table", (p.strength.table,), a.box.tables, "table of the game")
            if p.strength.table in a.box.tables:
                wanted = (p.strength.named, p.strength.high)
                a.known(f"{place} strength", wanted, a.box[p.strength.table].columns, f"column of {p.strength.table}")
        if p.card is not None:
            a.known(f"{place} card deck", (p.card.deck,), (d.box for d in play.decks), "box with a [[deck]]")
            hands = {*p.card.hands, *(hand for one in p.card.lend for hand in one[:2]), p.card.shown}
            a.known(f"{place} card", sorted(hands), named, "place of the boards")
            a.known(f"{place} card mask", (p.card.mask,), masks, "[[mask]] of this file")
            a.known(f"{place} card table", (p.card.table,), a.box.tables, "table of the game")
        a.known(f"{place} place", (m.marker for m in p.places), markers, "marker of this file")
        sides = {side for m in counters.markers for side in (m.id, *(f"{m.id}/{face.id}" for face in m.faces[1:]))}
        a.known(f"{place} state marks", (m for s in p.states for m in s.marks if m), sides, "marker of this file, or marker/side")
        for turn in p.turns:
            a.known(f"{place} turn from", turn.start, named, "place of the boards")
            if p.faces is None or p.faces.kind != "steps":
                a.fault(f"{place} turn: its pieces have no steps; allowed with faces of the kind steps")
        for later in p.later:
            a.known(f"{place} later beyond", (later.beyond,), named, "place of the boards")
            a.known(f"{place} later where", (c for c, _ in later.where.tests), _columns(a, "turns"), "column of turns")
        if p.cross is not None:
            a.known(f"{place} cross ends", p.cross.ends, a.keys("hexes"), "hex of the game")
            if len(p.cross.ends) != 2 or not p.cross.once.isidentifier():
                a.fault(f"{place} cross: {len(p.cross.ends)} ends, once = {p.cross.once!r}; allowed: two hexes, and letters")
        if p.give is not None:
            a.known(f"{place} give to", (p.give.to,), named, "place of the boards")
        if p.take is not None:
            a.known(f"{place} take from", p.take.start, named, "place of the boards")
        for state in p.states:
            a.known(f"{place} state until", (c for w in state.until for c, _ in w.tests), _columns(a, "phases"), "column of phases")
            for what, listed in (("until", state.until[1:] and state.until), ("keys", state.keys), ("codes", state.codes)):
                if listed and len(listed) != len(state.words):
                    a.fault(f"{place} state {state.id}: {len(state.words)} words and {len(listed)} {what}; allowed: one for each")
            if ((state.keys or state.verb) and not state.choose) or bool(state.verb) != bool(state.codes):
                a.fault(f"{place} state {state.id}: keys, verb and codes go with choose, and verb with codes")
            if state.until_moved and len(state.words) != 1:
                a.fault(f"{place} state {state.id} until_moved: {len(state.words)} words; allowed: one")
            if len(state.words) != len(state.marks):
                a.fault(f"{place} state {state.id}: {len(state.words)} words and {len(state.marks)} marks; allowed: one for each")
        if p.mask is not None:
            a.known(f"{place} mask", (p.mask.mask,), masks, "[[mask]] of this file")
        rows = [piece.row for piece in a.box.pieces if not p.markers and p.where(piece.row)]
        only = [w for w in (*(s.only for s in p.states), p.cross.only if p.cross else Where()) if w.tests]
        a.known(f"{place} only", (c for w in only for c, _ in w.tests), {c for row in rows for c in row.values}, "column of its pieces")
        a.known(f"{place} lies", (to for _, to in p.lies), named, "place of the boards")
        a.known(f"{place} columns", p.columns, {c for row in rows for c in row.values}, "column of its pieces")
        a.known(f"{place} note", braces(p.note), {c for row in rows for c in row.values}, "column of its pieces")
    for piece in a.box.pieces:
        if not any(not p.markers and p.where(piece.row) for p in play.prototypes):
            a.fault(f"[[prototype]]: none fits {piece.id}; the last one may have no test")
            break
    for marker in counters.markers:
        if not any(_matches(marker.id, name) for p in play.prototypes for name in p.markers):
            a.fault(f'[[prototype]]: none has the marker {marker.id}; markers = ["*"] has all')


def _columns(a: Against, table: str) -> tuple[str, ...]:
    return a.box[table].columns if table in a.box.tables else ()


def _check_send(place: str, send: Send, p: Prototype, named: set[str], begin: set[str], a: Against) -> None:
    a.known(f"{place} send to", (send.to,), named, "place of the boards")
    a.known(f"{place} send from", send.start, begin, "place or map of the boards")
    if send.turn:
        a.known(f"{place} send turn", (send.turn,), p.columns, "column that the prototype lists under columns")
    if send.face and (p.faces is None or p.faces.kind != "steps"):
        a.fault(f"{place} send face: its pieces have no steps; allowed with faces of the kind steps")
