"""The build step itself: several games at once, each written only when all of them can be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from modgen.build.report import BuildError, Report
from modgen.build.work import REFUSALS, Order, Work

Progress = Callable[[float, str], None]
"""Is told how much of the whole is done (0 to 1), and what is being done now."""
READ, DRAWN, RENDERED = 0.05, 0.25, 0.95
"""How much of a game's work is done after each step."""

__all__ = ["REFUSALS", "Order", "Progress", "build", "build_all"]


def build(
    game: str,
    *,
    out: Path | None = None,
    overlay: Path | None = None,
    art: Path | None = None,
    data: Path | None = None,
    allocate: bool = False,
    release: bool = False,
    cached: bool = True,
    progress: Progress = lambda *_: None,
) -> Report:
    """Build a game's VASSAL module into ``out`` (``build/<game>``); written beside, then renamed.

    ``overlay`` holds corrections of the data, ``art`` pictures that replace drawn ones (see ``modgen.art.maker``).

    ``allocate`` gives new counters their permanent numbers, ``release`` writes down that people are given this version: both change
    files of the game. What was made before is taken from the folder ``.modgen-cache`` there, unless ``cached`` is False; the bytes are
    the same either way.

    Raises BoxErrors for broken data, also for rows that do not agree (see ``modgen.check``), ArtError for a layout that cannot be
    drawn, LedgerError for counters without a permanent number and for state that games under way would lose, BuildError when a number
    would move to another counter or a released version would get other content, FormatError when the file cannot be written.
    """
    order = Order(out, overlay, data, allocate, release, cached, art)
    return build_all([game], order, progress)[0]


def build_all(games: Sequence[str], order: Order, progress: Progress = lambda *_: None) -> tuple[Report, ...]:
    """Build several games' modules. Nothing is written unless all of them can be built.

    Raises what ``build`` raises; what is wrong with several games, all of it in one BuildError.
    """
    asked = [Work(game, order) for game in dict.fromkeys(games)]
    done = [0.0] * len(asked)

    def tell(number: int, part: float, doing: str) -> None:
        done[number] = part
        progress(sum(done) / len(asked), f"{asked[number].game}: {doing}")

    for number, work in enumerate(asked):
        tell(number, 0.0, "reading")
        work.try_to(work.read)
        done[number] = READ if work.report is None else 1.0
    _refuse(asked)
    unfinished = [(number, work) for number, work in enumerate(asked) if work.report is None]
    if unfinished:
        # Only now: what draws takes a while to be loaded.
        from modgen.build.studio import Studio

        with Studio() as studio:
            for number, work in unfinished:
                tell(number, READ, "drawing")
                work.try_to(work.draw, studio)
                tell(number, DRAWN, "drawing")
            _refuse(asked)
            for number, work in unfinished:
                work.render(lambda part, number=number: tell(number, DRAWN + (RENDERED - DRAWN) * part, "rendering"))  # type: ignore[misc]
        for number, work in unfinished:
            tell(number, RENDERED, "writing")
            work.write()
            tell(number, 1.0, "written")
    return tuple(work.report for work in asked if work.report is not None)


def _refuse(asked: Sequence[Work]) -> None:
    wrong = [work.wrong for work in asked if work.wrong is not None]
    if len(wrong) == 1:
        raise wrong[0]
    if wrong:
        raise BuildError("\n".join(map(str, wrong)))
