"""The build step itself: several games at once, each written only when all of them can be."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gamebox.load import BoxErrors, data_root, load_box, load_schema
from modgen.build.cache import FOLDER, Cache
from modgen.build.keys import bytes_hash, module_key
from modgen.build.report import BuildError, Report
from modgen.errors import ArtError
from modgen.formats.errors import FormatError
from modgen.formats.vassal.archive import write_file
from modgen.vassal.ledger import Ledger, LedgerError, read_ledger

if TYPE_CHECKING:
    from gamebox.model import Box
    from modgen.art.counters import Drawing as CounterDrawing
    from modgen.art.drawing import Drawing
    from modgen.build.studio import Order, Studio
    from modgen.layout.layout import Layout
    from modgen.vassal.slots import Slots

Progress = Callable[[float, str], None]
"""Is told how much of the whole is done (0 to 1), and what is being done now."""
REFUSALS = (BoxErrors, ArtError, LedgerError, BuildError, FormatError)
"""What a build raises for bad input; each has one line an error."""
READ, DRAWN, RENDERED = 0.05, 0.25, 0.95
"""How much of a game's work is done after each step."""


def build(
    game: str,
    *,
    out: Path | None = None,
    overlay: Path | None = None,
    data: Path | None = None,
    allocate: bool = False,
    cached: bool = True,
    progress: Progress = lambda *_: None,
) -> Report:
    """Build a game's VASSAL module into ``out`` (``build/<game>``); written beside, then renamed.

    What was made before is taken from the folder ``.modgen-cache`` there, unless ``cached`` is False; the bytes are the same either way.

    Raises BoxErrors for broken data, also for rows that do not agree (see ``modgen.check``), ArtError for a layout that cannot be
    drawn, LedgerError for counters without a permanent number, BuildError when a number would move to another counter, FormatError
    when the file cannot be written.
    """
    return build_all([game], out=out, overlay=overlay, data=data, allocate=allocate, cached=cached, progress=progress)[0]


def build_all(
    games: Sequence[str],
    *,
    out: Path | None = None,
    overlay: Path | None = None,
    data: Path | None = None,
    allocate: bool = False,
    cached: bool = True,
    progress: Progress = lambda *_: None,
) -> tuple[Report, ...]:
    """Build several games' modules, each into ``out`` (``build/<game>`` if None). Nothing is written unless all of them can be built.

    Raises what ``build`` raises; what is wrong with several games, all of it in one BuildError.
    """
    asked = [_Work(game, out, overlay, data, allocate, cached) for game in dict.fromkeys(games)]
    done = [0.0] * len(asked)

    def tell(number: int, part: float, doing: str) -> None:
        done[number] = part
        progress(sum(done) / len(asked), f"{asked[number].game}: {doing}")

    for number, work in enumerate(asked):
        tell(number, 0.0, "reading")
        work.try_to(work.read)
        done[number] = READ if work.report is None else 1.0
    _refuse(asked)
    open_ones = [(number, work) for number, work in enumerate(asked) if work.report is None]
    if open_ones:
        from modgen.build.studio import Studio

        with Studio() as studio:
            for number, work in open_ones:
                tell(number, READ, "drawing")
                work.try_to(lambda work=work: work.draw(studio))  # type: ignore[misc]
                tell(number, DRAWN, "drawing")
            _refuse(asked)
            for number, work in open_ones:
                work.render(lambda part, number=number: tell(number, DRAWN + (RENDERED - DRAWN) * part, "rendering"))  # type: ignore[misc]
        for number, work in open_ones:
            tell(number, RENDERED, "writing")
            work.write()
            tell(number, 1.0, "written")
    return tuple(work.report for work in asked if work.report is not None)


def _refuse(asked: Sequence[_Work]) -> None:
    wrong = [work.wrong for work in asked if work.wrong is not None]
    if len(wrong) == 1:
        raise wrong[0]
    if wrong:
        raise BuildError("\n".join(map(str, wrong)))


def sound(game: str, overlay: Path | None, data: Path | None) -> tuple[Box, Layout, list[CounterDrawing]]:
    """The game's box, the layout of its modules and its counters as they are drawn, all held against each other too: a module of a
    broken box would be handed on to people.

    Raises BoxErrors and ArtError with everything that is wrong.
    """
    from modgen.art import counters, legible
    from modgen.check import LAYOUT_FILE, check_box
    from modgen.layout.layout import read_layout

    box = load_box(game, overlay, data)
    if findings := check_box(box, load_schema(game, data)).findings:
        raise BoxErrors(findings)
    layout = read_layout((data if data is not None else data_root()) / game / LAYOUT_FILE, box)
    drawn = counters.drawings(box, layout)
    if unreadable := legible.faults(box, layout, drawn):
        raise ArtError("\n".join(map(str, unreadable)))
    return box, layout, drawn


@dataclass(slots=True)
class _Work:
    """One game on its way to a module."""

    game: str
    out: Path | None
    overlay: Path | None
    data: Path | None
    allocate: bool
    cached: bool
    report: Report | None = None
    wrong: Exception | None = None
    key: str | None = None
    made: _Made | None = None

    @property
    def target(self) -> Path:
        """The file to be written."""
        return (self.out if self.out is not None else Path("build") / self.game) / f"{self.game}.vmod"

    @property
    def folder(self) -> Path:
        """The game's data."""
        return (self.data if self.data is not None else data_root()) / self.game

    @property
    def cache(self) -> Cache:
        """What was made before, kept beside the module."""
        return Cache(self.target.parent / FOLDER if self.cached else None)

    def try_to(self, step: Callable[[], None]) -> None:
        """A step whose refusal is told together with those of other games."""
        try:
            step()
        except REFUSALS as error:
            self.wrong = error

    def read(self) -> None:
        """Everything that can be refused before anything is drawn. When nothing has changed since the last build, that is the report."""
        if blocked := next((folder for folder in self.target.parents if folder.exists() and not folder.is_dir()), None):
            raise BuildError(f"{blocked.as_posix()}: is a file; a folder is expected, in which {self.target.name} is written")
        self.key = module_key(self.folder, self.overlay) if self.cached else None
        self.report = self._unchanged()
        if self.report is not None:
            return
        from modgen.check import LEDGER_FILE
        from modgen.vassal.slots import make_slots

        box, layout, drawn = sound(self.game, self.overlay, self.data)
        ledger, allocated = _numbers(box, layout, self.folder / LEDGER_FILE, self.allocate)
        before = _identity(self.target)
        _refuse_moved(before, ledger)
        slots = make_slots(box, layout, ledger)
        self.made = _Made(box, layout, ledger, allocated, before, slots, drawn)

    def _unchanged(self) -> Report | None:
        """The report of the build that the module now there came of, if nothing has changed since."""
        kept = self.cache.get(self.key) if self.key is not None else None
        if kept is None:
            return None
        try:
            found = json.loads(kept)
            if bytes_hash(self.target.read_bytes()) != found.pop("sha256"):
                return None
        except OSError:
            return None
        texts = {name: tuple(found[name]) for name in ("allocated", "warnings")}
        return Report(**{**found, **texts, "file": self.target, "changed": False, "drawn": 0})

    def _keep(self, report: Report, sha256: str) -> None:
        # Files that were changed while they were read would be kept under the wrong name.
        if self.key is None or module_key(self.folder, self.overlay) != self.key or report.allocated:
            return
        values = {f.name: getattr(report, f.name) for f in fields(Report) if f.name not in ("file", "changed", "drawn")}
        self.cache.put(self.key, json.dumps({**values, "sha256": sha256}, sort_keys=True).encode())

    def draw(self, studio: Studio) -> None:
        """Everything but pixels, which are begun."""
        from modgen.build import contents

        made = self.made
        assert made is not None
        made.texts = contents.texts(made.box, made.layout, made.ledger, made.slots)
        made.drawings = contents.drawings(made.box, made.layout, made.counters, made.texts[contents.FIRST[0]].decode())
        made.order = studio.order(made.drawings, self.cache)

    def render(self, progress: Callable[[float], None]) -> None:
        """All pictures, waited for."""
        from modgen.build.studio import Studio

        assert self.made is not None and self.made.order is not None
        order = self.made.order
        images = Studio.finish(order, lambda: progress(order.done / max(order.pixels, 1)))
        self.made.entries = self.made.texts | {f"images/{name}": png for name, png in images.items()}

    def write(self) -> None:
        """The module, packed and written where it differs from the one there."""
        from modgen.build import contents
        from modgen.check import LAYOUT_FILE

        made = self.made
        assert made is not None and made.order is not None
        layout = made.layout
        content = contents.content_hash(made.entries)
        made.entries[contents.IDENTITY] = contents.identity(made.box, layout, made.ledger, content)
        packed = contents.pack(made.entries, layout.date)
        changed = not self.target.exists() or self.target.read_bytes() != packed
        report = Report(
            game=made.box.id,
            version=layout.version,
            game_version=made.box.version,
            file=self.target,
            size=len(packed),
            data=made.box.data_hash,
            content=content,
            entries=len(made.entries),
            counters=len(made.slots.units) + len(made.slots.markers),
            allocated=tuple(made.allocated),
            changed=changed,
            warnings=(),
            pictures=len(made.drawings),
            drawn=made.order.drawn,
        )
        if made.allocated:
            write_file(made.ledger.path, made.ledger.text().encode("utf-8"))
        if changed:
            self.target.parent.mkdir(parents=True, exist_ok=True)
            write_file(self.target, packed)
        self._keep(report, bytes_hash(packed))
        self.cache.tidy()
        if made.before.get("version") == layout.version and made.before.get("content") not in (None, content):
            stale = (
                f"{self.target.as_posix()} held other content under the same version {layout.version}: raise version in {LAYOUT_FILE} "
                "before you give this module to anybody, or clients keep showing the old board"
            )
            report = replace(report, warnings=(*report.warnings, stale))
        self.report = report


@dataclass(slots=True)
class _Made:
    """What a game's module is made of, so far."""

    box: Box
    layout: Layout
    ledger: Ledger
    allocated: list[str]
    before: Mapping[str, Any]
    slots: Slots
    counters: list[CounterDrawing]
    drawings: tuple[Drawing, ...] = ()
    order: Order | None = None
    texts: dict[str, bytes] = field(default_factory=dict)
    entries: dict[str, bytes] = field(default_factory=dict)


def _identity(target: Path) -> Mapping[str, Any]:
    from modgen.build.contents import read_identity

    return read_identity(target)


def _numbers(box: Box, layout: Layout, path: Path, allocate: bool) -> tuple[Ledger, list[str]]:
    """The ledger with a number for every counter, and which of them are new: only when allowed."""
    from modgen.vassal.slots import slot_names

    ledger = read_ledger(path)
    wanted = slot_names(box, layout)
    missing = ledger.missing(wanted)
    if not missing:
        return ledger, []
    if not allocate:
        raise LedgerError(ledger.unnumbered(wanted))
    return ledger.with_slots(wanted, layout.version), missing


def _refuse_moved(before: Mapping[str, Any], ledger: Ledger) -> None:
    old = before.get("gpids")
    if not isinstance(old, dict):
        return
    moved = [f"{slot} had {old[slot]}, has {number}" for slot, number in ledger.numbers.items() if slot in old and old[slot] != number]
    taken = {number: slot for slot, number in ledger.numbers.items()}
    moved += [f"{number} was {slot}'s, is {taken[number]}'s" for slot, number in old.items() if taken.get(number, slot) != slot]
    if moved:
        raise BuildError(
            f"{ledger.path.name}: numbers have moved since the last build ({'; '.join(moved[:4])}): old saves would swap units. "
            "Put the file back as it was"
        )
