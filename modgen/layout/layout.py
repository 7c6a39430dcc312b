"""``data/<game>/module.toml``: how a game's modules look and are laid out, read and checked.

Nothing here is a fact of the game: facts stand in the tables. Sizes are pixels of the board at 100 %, colours ``#rrggbb``,
rectangles ``[x, y, width, height]``. Every fault of the file is reported at once, by its place (``[board] across``) with what is allowed.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from gamebox.load import BoxError, bounded_text, toml_error
from gamebox.model import Box, Piece
from modgen.layout.abilities import Prototype
from modgen.layout.board import BoardLayout, check_board, read_board
from modgen.layout.cards import Cards, check_cards, read_cards
from modgen.layout.charts import ChartPage, check_charts, read_charts
from modgen.layout.counters import CounterLayout, check_counters, read_counters
from modgen.layout.displays import Display, check_displays, drawn, read_displays
from modgen.layout.odds import Odds, check_odds, read_odds
from modgen.layout.odds_column import ColumnOdds
from modgen.layout.play import PlayLayout, check_play, read_play
from modgen.layout.reading import Against, LayoutErrors, Reader


@dataclass(frozen=True, slots=True)
class Layout:
    """A whole module.toml: what the module is, and its parts."""

    path: Path
    version: str
    vassal: str
    date: int
    """Milliseconds since 1970: the one time every file is given."""
    title: str
    subtitle: str
    description: str
    notes: tuple[str, ...]
    board: BoardLayout
    counters: CounterLayout
    play: PlayLayout
    charts: tuple[ChartPage, ...]
    displays: tuple[Display, ...]
    cards: Cards | None
    """The window in which areas are set up from."""
    odds: Odds | ColumnOdds | None
    """The odds help, if there is any."""

    def named(self, piece: Piece) -> str:
        """The full, unique name of a piece as chat lines and reports show it."""
        return self.play.named(piece)

    def answers(self, prototype: Prototype) -> tuple[str, ...]:
        """The seats that alone may say that pieces of a prototype attack, and answer for them when they are attacked: those of the side
        that sees how strong they are. None where the odds help counts nothing that is hidden."""
        hidden = prototype.strength is not None and isinstance(self.odds, ColumnOdds)
        return prototype.strength.seats if hidden and prototype.strength is not None else ()


def read_layout(path: Path, box: Box) -> Layout:
    """The layout of a game's modules, checked against its box.

    Raises :class:`LayoutErrors` with every fault found.
    """
    file = f"{box.id}/{path.name}"
    try:
        text = bounded_text(path, "utf-8")
        data = tomllib.loads(text)
    except FileNotFoundError:
        raise LayoutErrors([BoxError(file, 0, 0, f"is missing; it says how the modules of {box.title} are laid out")]) from None
    except OSError as error:
        raise LayoutErrors([BoxError(file, 0, 0, f"cannot be read ({error.strerror}); allowed: a readable file")]) from None
    except tomllib.TOMLDecodeError as error:
        raise LayoutErrors([toml_error(file, text, error)]) from None
    except UnicodeDecodeError as error:
        raise LayoutErrors([BoxError(file, 0, 0, f"is no UTF-8 ({error.reason} at byte {error.start})")]) from None
    errors: list[BoxError] = []
    top = Reader(data, "", errors, file)
    layout = Layout(
        path=path,
        version=top.text("version"),
        vassal=top.text("vassal"),
        date=_stamp(top.get("date", object, "a date like 2026-11-30", None), top),
        title=top.text("title"),
        subtitle=top.text("subtitle"),
        description=top.text("description"),
        notes=top.texts("notes", ()),
        board=read_board(top, box),
        counters=read_counters(top, box),
        play=read_play(top, box),
        charts=read_charts(top),
        displays=read_displays(top),
        cards=read_cards(top),
        odds=read_odds(top),
    )
    top.end()
    against = Against(box, errors, file)
    elsewhere = drawn(layout.displays, box) | set(layout.cards.boxes if layout.cards is not None else ())
    check_board(layout.board, against, elsewhere)
    check_displays(layout.displays, (*layout.play.players, *layout.play.referees), against)
    check_counters(layout.counters, against)
    check_charts(layout.charts, against)
    check_cards(layout.cards, (hold.region for hold in layout.board.holds), against)
    check_play(layout.play, layout.board, layout.displays, layout.counters, against)
    states: dict[str, set[str]] = {}
    for state in (state for prototype in layout.play.prototypes for state in prototype.states):
        states.setdefault(state.id, set()).update(state.words)
    dice, markers = ((die.name, die.dice) for die in layout.play.dice), (marker.id for marker in layout.counters.markers)
    told = [word for p in layout.play.prototypes if p.strength is not None for word in p.strength.told]
    faces = (f"{marker.id}/{face.id}" for marker in layout.counters.markers for face in marker.faces[1:])
    check_odds(layout.odds, dice, markers, faces, states, told, against)
    if errors:
        raise LayoutErrors(errors)
    return layout


def _stamp(value: object, top: Reader) -> int:
    import datetime as dt

    if isinstance(value, dt.date) and not isinstance(value, dt.datetime):
        return int(dt.datetime(value.year, value.month, value.day, tzinfo=dt.UTC).timestamp() * 1000)
    if value is not None:
        top.fault("date", f"{value!r} is not allowed; a date like 2026-11-30, without quotes")
    return 0
