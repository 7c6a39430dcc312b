"""What players do with a module: seats, what pieces can do, phases, set-ups, help. ``[[side]]`` and its kin in ``module.toml``."""

from __future__ import annotations

from dataclasses import dataclass

from gamebox.model import Piece
from modgen.layout.board import BoardLayout
from modgen.layout.counters import CounterLayout
from modgen.layout.reading import Against, Reader, each


@dataclass(frozen=True, slots=True)
class SidePalette:
    """How one side's pieces are called and filed: its owner's player side, the palette's tab, how a piece is named."""

    id: str
    tab: str
    player: str
    named: str
    exits: bool
    removable: bool


@dataclass(frozen=True, slots=True)
class Elimination:
    """Where a side's eliminated pieces go: zone -> box, ``*`` elsewhere."""

    side: str
    boxes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Setup:
    """One scenario that is offered ready set up."""

    scenario: str
    file: str
    name: str
    note: str


@dataclass(frozen=True, slots=True)
class Phases:
    """How the rows of the phases table are called in the turn tracker."""

    named: str
    words: tuple[tuple[str, str], ...]
    last: str


@dataclass(frozen=True, slots=True)
class PlayLayout:
    """How a module is played."""

    players: tuple[str, ...]
    referees: tuple[str, ...]
    sides: tuple[SidePalette, ...]
    eliminate: tuple[Elimination, ...]
    exit_box: str
    exit_edges: tuple[str, ...]
    """Edges of the map over which pieces may leave it."""
    phases: Phases
    setups: tuple[Setup, ...]
    help: tuple[str, ...]
    """Paragraphs of the player aid."""

    def side(self, side: str) -> SidePalette:
        """The palette of a side."""
        return next(s for s in self.sides if s.id == side)

    def named(self, piece: Piece) -> str:
        """The full, unique name of a piece as chat lines and reports show it."""
        strengths = "-".join(map(str, piece.strengths))
        return self.side(piece.side).named.format(name=piece.name, strengths=strengths, side=piece.side, nation=piece.nation)


def read_play(top: Reader) -> PlayLayout:
    """The players' part of the file."""
    exits = top.table("exit")
    out = PlayLayout(
        players=top.texts("players"),
        referees=top.texts("referees"),
        sides=each(
            top.listed("side"),
            lambda r: SidePalette(r.text("id"), r.text("tab"), r.text("player"), r.text("named"), r.flag("exits"), r.flag("removable")),
        ),
        eliminate=tuple(Elimination(name, tuple((zone, r.text(zone)) for zone in r.data)) for name, r in top.named("eliminate")),
        exit_box=exits.text("box"),
        exit_edges=exits.texts("edges"),
        phases=_phases(top.table("phases")),
        setups=each(top.listed("setup"), lambda r: Setup(r.text("scenario"), r.text("file"), r.text("name"), r.text("note", ""))),
        help=top.texts("help", ()),
    )
    exits.end()
    return out


def _phases(r: Reader) -> Phases:
    words = r.table("words")
    out = Phases(r.text("named"), tuple((key, words.text(key)) for key in words.data), r.text("last"))
    r.end()
    return out


def check_play(play: PlayLayout, board: BoardLayout, counters: CounterLayout, against: Against) -> None:
    """What players do, held against the game's tables and the other parts of the file."""
    a = against
    pieces = {p.side for p in a.box.pieces}
    a.known("[[side]]", (s.id for s in play.sides), pieces, "side with pieces")
    a.known("[[side]]", pieces, (s.id for s in play.sides), "side listed here, but has pieces")
    a.known("[eliminate]", (e.side for e in play.eliminate), pieces, "side with pieces")
    a.known("[eliminate]", pieces, (e.side for e in play.eliminate), "side listed here, but has pieces")
    if "boxes" in a.box.tables:
        a.known("[eliminate]", (b for e in play.eliminate for _, b in e.boxes), a.keys("boxes"), "box of the game")
        a.known("[exit] box", (play.exit_box,), a.keys("boxes"), "box of the game")
    a.known("[eliminate]", (z for e in play.eliminate for z, _ in e.boxes), [*(z.name for z in board.zones), "*"], "zone of this file")
    for e in play.eliminate:
        if "*" not in dict(e.boxes):
            a.fault(f'[eliminate.{e.side}]: "*" is missing: the box for pieces outside every zone')
    a.known("[[side]] player", (s.player for s in play.sides), play.players, "player")
    a.known("[[setup]]", (s.scenario for s in play.setups), a.column("scenarios", "scenario"), "scenario of the game")
    a.known("[phases.words]", a.column("phases", "phase"), dict(play.phases.words), "phase named here, but one of the game")
    a.known("[exit] edges", play.exit_edges, a.column("hexes", "edge"), "edge of the map")
    a.known("[[hold]] markers", (m for h in board.holds for m in h.markers), (m.id for m in counters.markers), "marker of this file")
