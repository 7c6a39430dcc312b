"""The counters of a module: what units show, and the markers. ``[counters]``, ``[[kind]]`` and ``[[marker]]`` in ``module.toml``."""

from __future__ import annotations

from dataclasses import dataclass

from gamebox.model import Piece
from modgen.layout.reading import Against, Reader, Where, each

SYMBOLS = ("infantry", "armour", "mechanized", "mountain", "cavalry", "airborne", "none")
MARKER_STYLES = ("supply", "breach", "control", "turn", "text")


@dataclass(frozen=True, slots=True)
class Kind:
    """What symbol and size pieces show. ``printed`` is False where the sources do not tell."""

    where: Where
    symbol: str
    size: str
    label: str
    band: str
    printed: bool


@dataclass(frozen=True, slots=True)
class Marker:
    """A counter that is no unit."""

    id: str
    name: str
    style: str
    fill: str
    ink: str
    text: str
    count: int
    group: str


@dataclass(frozen=True, slots=True)
class CounterLayout:
    """How counters look."""

    size: int
    """Pixels of a counter's side on the board at 100 %."""
    kinds: tuple[Kind, ...]
    inverse: Where
    """Pieces whose symbol is drawn in reverse."""
    markers: tuple[Marker, ...]

    def kind(self, piece: Piece) -> Kind:
        """The first kind whose test the piece's row passes (the check makes sure that there is one)."""
        return next(k for k in self.kinds if k.where(piece.row))


def read_counters(top: Reader) -> CounterLayout:
    """The counters' part of the file."""
    counters = top.table("counters")
    out = CounterLayout(
        size=counters.int("size", low=16, high=400),
        kinds=each(
            top.listed("kind"),
            lambda r: Kind(
                r.where("where"),
                r.text("symbol", among=SYMBOLS),
                r.text("size", ""),
                r.text("label"),
                r.text("band", ""),
                r.flag("printed"),
            ),
        ),
        inverse=counters.where("inverse"),
        markers=each(
            top.listed("marker"),
            lambda r: Marker(
                r.text("id"),
                r.text("name"),
                r.text("style", among=MARKER_STYLES),
                r.colour("fill"),
                r.colour("ink"),
                r.text("text", ""),
                r.int("count", 0, 0, 200),
                r.text("group"),
            ),
        ),
    )
    counters.end()
    return out


def check_counters(counters: CounterLayout, against: Against) -> None:
    """The counters held against the game's pieces."""
    for piece in against.box.pieces:
        if not any(k.where(piece.row) for k in counters.kinds):
            against.fault(f"[[kind]]: no kind fits {piece.id}; the last one may have no test")
            break
    against.once("[[marker]]", (m.id for m in counters.markers), "every marker has an id of its own")
