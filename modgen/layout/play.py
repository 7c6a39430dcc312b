"""What players do with a module: seats, what pieces can do, phases, set-ups, dice, windows, help, as ``module.toml`` says it."""

from __future__ import annotations

from dataclasses import dataclass

from gamebox.model import Piece
from modgen.layout.abilities import Prototype, read_prototypes
from modgen.layout.board import BoardLayout
from modgen.layout.counters import CounterLayout, Marker
from modgen.layout.reading import Against, Reader, Where, each


@dataclass(frozen=True, slots=True)
class SidePalette:
    """How one side's pieces are called and filed: the palette's tab, how a piece is named."""

    id: str
    tab: str
    named: str


@dataclass(frozen=True, slots=True)
class Inventory:
    """A window that lists one side's pieces by place; ``seats`` may open it, everybody when there are none."""

    name: str
    sides: tuple[str, ...]
    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Setup:
    """One scenario that is offered ready set up; ``seats`` are those that play it."""

    scenario: str
    file: str
    name: str
    note: str
    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Phases:
    """How the rows of the phases table are called in the turn tracker.

    ``named`` may use ``{phase}``, ``{side}`` and any column of the row. Rows that pass ``optional`` are in the tracker, switched off.
    """

    named: str
    words: tuple[tuple[str, str], ...]
    last: str
    optional: Where


@dataclass(frozen=True, slots=True)
class Die:
    """A button that rolls: its words say what the roll is for."""

    name: str
    tooltip: str
    dice: int
    faces: int


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
    help: tuple[str, ...]
    """Paragraphs of the player aid."""

    def side(self, side: str) -> SidePalette:
        """The palette of a side."""
        return next(s for s in self.sides if s.id == side)

    def named(self, piece: Piece) -> str:
        """The full, unique name of a piece as chat lines and reports show it."""
        strengths = "-".join(map(str, piece.strengths))
        return self.side(piece.side).named.format(name=piece.name, strengths=strengths, side=piece.side, nation=piece.nation)

    def prototype(self, piece: Piece) -> Prototype:
        """What a piece can do: the first prototype whose test its row passes (the check makes sure that there is one)."""
        return next(p for p in self.prototypes if not p.markers and p.where(piece.row))

    def marker_prototype(self, marker: Marker) -> Prototype:
        """What a marker can do: the first prototype that names it, or ``*``."""
        return next(p for p in self.prototypes if any(_matches(marker.id, name) for name in p.markers))


def _matches(marker: str, name: str) -> bool:
    return marker.startswith(name[:-1]) if name.endswith("*") else marker == name


def read_play(top: Reader) -> PlayLayout:
    """The players' part of the file."""
    return PlayLayout(
        players=top.texts("players"),
        referees=top.texts("referees"),
        sides=each(top.listed("side"), lambda r: SidePalette(r.text("id"), r.text("tab"), r.text("named"))),
        inventories=each(top.listed("inventory"), lambda r: Inventory(r.text("name"), r.texts("sides"), r.texts("seats", ()))),
        prototypes=read_prototypes(top.listed("prototype")),
        phases=_phases(top.table("phases")),
        setups=each(
            top.listed("setup"),
            lambda r: Setup(r.text("scenario"), r.text("file"), r.text("name"), r.text("note", ""), r.texts("seats")),
        ),
        dice=each(top.listed("die"), lambda r: Die(r.text("name"), r.text("tooltip"), r.int("dice", 1, 1, 20), r.int("faces", 6, 2, 100))),
        help=top.texts("help", ()),
    )


def _phases(r: Reader) -> Phases:
    words = r.table("words")
    out = Phases(r.text("named"), tuple((key, words.text(key)) for key in words.data), r.text("last", ""), r.where("optional"))
    r.end()
    return out


def check_play(play: PlayLayout, board: BoardLayout, counters: CounterLayout, against: Against) -> None:
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
    a.known("[[hold]] markers", (m for h in board.holds for m in h.markers), (m.id for m in counters.markers), "marker of this file")
    a.once("[[die]]", (d.name for d in play.dice), "a client tells dice by name alone")
    _check_prototypes(play, board, counters, a)


def _check_prototypes(play: PlayLayout, board: BoardLayout, counters: CounterLayout, a: Against) -> None:
    zones = [*(z.name for z in board.zones), "*"]
    markers = [m.id for m in counters.markers]
    spaces = [*(b.name for b in board.boxes), *(h.name for h in board.holds)]
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
        hexes = a.keys("hexes") | a.keys("zones")
        a.known(f"{place} send to", (s.to for s in p.sends if s.to not in hexes), spaces, "space beside the map, and no hex")
        a.known(f"{place} place", (m.marker for m in p.places), markers, "marker of this file")
        a.known(f"{place} state marks", (m for s in p.states for m in s.marks if m), markers, "marker of this file")
        for state in p.states:
            if len(state.words) != len(state.marks):
                a.fault(f"{place} state {state.id}: {len(state.words)} words and {len(state.marks)} marks; allowed: one for each")
        if p.mask is not None:
            a.known(f"{place} mask", (p.mask.side,), play.players, "player")
    for piece in a.box.pieces:
        if not any(not p.markers and p.where(piece.row) for p in play.prototypes):
            a.fault(f"[[prototype]]: none fits {piece.id}; the last one may have no test")
            break
    for marker in counters.markers:
        if not any(_matches(marker.id, name) for p in play.prototypes for name in p.markers):
            a.fault(f'[[prototype]]: none has the marker {marker.id}; markers = ["*"] has all')
