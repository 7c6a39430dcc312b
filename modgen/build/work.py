"""One game on its way to a module: read, drawn, rendered, written; everything that can be refused is refused before it is rendered."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

from gamebox.load import BoxErrors, data_root, load_box, load_schema
from modgen.build.cache import FOLDER as CACHE
from modgen.build.cache import Cache
from modgen.build.folders import made as made_folder
from modgen.build.keys import bytes_hash, hash_of, module_key
from modgen.build.report import BuildError, Report
from modgen.errors import ArtError
from modgen.formats.errors import FormatError
from modgen.formats.vassal.archive import write_file
from modgen.vassal.ledger import Ledger, LedgerError, read_ledger

if TYPE_CHECKING:
    from gamebox.model import Box
    from modgen.art.counters import Drawing as CounterDrawing
    from modgen.art.maker import Art
    from modgen.build.contents import Picture
    from modgen.build.releases import Release
    from modgen.build.studio import Ordered
    from modgen.build.studio import Studio
    from modgen.formats.vassal.pieces import Piece
    from modgen.formats.vassal.xml import Element
    from modgen.layout.layout import Layout
    from modgen.vassal.frozen import Row
    from modgen.vassal.slots import Slots

P = ParamSpec("P")
REFUSALS = (BoxErrors, ArtError, LedgerError, BuildError, FormatError)
"""What a build raises for bad input; each has one line an error."""


@dataclass(frozen=True, slots=True)
class Order:
    """How to build; see ``modgen.build.run.build``."""

    out: Path | None = None
    overlay: Path | None = None
    data: Path | None = None
    allocate: bool = False
    release: bool = False
    cached: bool = True
    art: Path | None = None

    @property
    def changed(self) -> bool:
        """Whether something is laid over the game's own data or art."""
        return self.overlay is not None or self.art is not None


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
class _Made:
    """What a game's module is made of, so far."""

    box: Box
    layout: Layout
    ledger: Ledger
    allocated: tuple[str, ...]
    frozen: tuple[Row, ...]
    releases: tuple[Release, ...]
    before: Mapping[str, Any]
    slots: Slots
    counters: list[CounterDrawing]
    art: Art
    warnings: list[str] = field(default_factory=list)
    pictures: dict[str, tuple[Picture, ...]] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)
    pieces: Mapping[int, tuple[str, Piece]] = field(default_factory=dict)
    fixtures: Mapping[str, str] = field(default_factory=dict)
    ordered: Ordered | None = None
    entries: dict[str, bytes] = field(default_factory=dict)

    @property
    def released(self) -> Release | None:
        """The release of this very version."""
        return next((release for release in self.releases if release.version == self.layout.version), None)


@dataclass(slots=True)
class Work:
    """One game that is to be built."""

    game: str
    order: Order
    report: Report | None = None
    wrong: Exception | None = None
    _key: str | None = None
    _made: _Made | None = None

    @property
    def target(self) -> Path:
        """The file to be written."""
        return (self.order.out if self.order.out is not None else Path("build") / self.game) / f"{self.game}.vmod"

    @property
    def folder(self) -> Path:
        """The game's data."""
        return (self.order.data if self.order.data is not None else data_root()) / self.game

    @property
    def cache(self) -> Cache:
        """What was made before, kept beside the module."""
        return Cache(self.target.parent / CACHE if self.order.cached else None)

    @property
    def made(self) -> _Made:
        """What has been made; there is something after ``read``, unless there is a report already."""
        assert self._made is not None
        return self._made

    def try_to(self, step: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        """A step whose refusal is told together with those of other games."""
        try:
            step(*args, **kwargs)
        except REFUSALS as error:
            self.wrong = error

    # -- reading

    def read(self) -> None:
        """Everything that can be refused before anything is drawn. When nothing has changed since the last build, that is the report."""
        if blocked := next((folder for folder in self.target.parents if folder.exists() and not folder.is_dir()), None):
            raise BuildError(f"{blocked.as_posix()}: is a file; a folder is expected, in which {self.target.name} is written")
        self._key = module_key(self.folder, self.order.overlay, self.order.art) if self.order.cached else None
        self.report = self._unchanged() if not self.order.release else None
        if self.report is not None:
            return
        from modgen.art.maker import FOLDER, read_art
        from modgen.build import releases
        from modgen.build.contents import read_identity
        from modgen.check import LAYOUT_FILE, LEDGER_FILE
        from modgen.vassal import frozen
        from modgen.vassal.slots import make_slots

        box, layout, drawn = sound(self.game, self.order.overlay, self.order.data)
        if not releases.is_version(layout.version):
            allowed = f"numbers like 1.2.0, and {releases.DRAFT} after them while it is not released"
            raise BuildError(f"{self.game}/{LAYOUT_FILE}: version: {layout.version!r} is not allowed; {allowed}")
        out = releases.read_releases(self.folder / releases.FILE)
        ledger, allocated = self._numbers(box, layout, self.folder / LEDGER_FILE, out)
        before = read_identity(self.target)
        _refuse_moved(before, ledger)
        rows = frozen.read_frozen(self.folder / frozen.FILE)
        slots = make_slots(box, layout, ledger)
        art = read_art(self.folder / FOLDER, self.order.art)
        self._made = _Made(box, layout, ledger, allocated, rows, out, before, slots, drawn, art)
        if self.order.release:
            self._refuse_release()

    def _numbers(self, box: Box, layout: Layout, path: Path, out: tuple[Release, ...]) -> tuple[Ledger, tuple[str, ...]]:
        """The ledger with a number for every counter, and which of them are new: only when allowed."""
        from modgen.build import releases
        from modgen.vassal.slots import slot_names

        ledger = read_ledger(path)
        if faults := releases.moved(out, ledger):
            raise LedgerError(faults)
        wanted = slot_names(box, layout)
        missing = ledger.missing(wanted)
        faults = ledger.gone(wanted, releases.last_gpid(out))
        if missing and not self.order.allocate:
            faults += ledger.unnumbered(wanted)
        if faults:
            raise LedgerError(faults)
        return (ledger.with_slots(wanted, layout.version), tuple(missing)) if missing else (ledger, ())

    def _refuse_release(self) -> None:
        from modgen.build.releases import DRAFT
        from modgen.check import LAYOUT_FILE

        version = self.made.layout.version
        if self.order.changed:
            raise BuildError(f"{self.game}: a release is of the game's own data and art, without an overlay or other pictures")
        if version.endswith(DRAFT):
            raise BuildError(
                f"{self.game}/{LAYOUT_FILE}: version: {version} is still being worked on; take {DRAFT} away, then release "
                f"{version.removesuffix(DRAFT)}"
            )

    def _unchanged(self) -> Report | None:
        """The report of the build that the module now there came of, if nothing has changed since."""
        kept = self.cache.get(self._key) if self._key is not None else None
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
        # Files that were changed while they were read would be kept under the wrong name, and so would a ledger that was written.
        if self._key is None or module_key(self.folder, self.order.overlay, self.order.art) != self._key:
            return
        values = {f.name: getattr(report, f.name) for f in fields(Report) if f.name not in ("file", "changed", "drawn")}
        self.cache.put(self._key, json.dumps({**values, "sha256": sha256}, sort_keys=True).encode())

    # -- drawing

    def draw(self, studio: Studio) -> None:
        """Everything but pixels, which are begun."""
        from modgen.build import contents, releases
        from modgen.build.studio import Ordered

        made = self.made
        made.ordered = Ordered(self.cache)

        def begin(part: str, pictures: Iterable[Picture]) -> None:
            assert made.ordered is not None
            made.pictures[part] = tuple(pictures)
            studio.begin(made.ordered, made.pictures[part])

        # Whatever is begun is rendered while the rest is drawn and written.
        begin("counters", contents.counter_pictures(made.counters, made.art))
        begin("board", contents.board_pictures(made.box, made.layout, made.art))
        begin("charts", contents.chart_pictures(made.box, made.layout, made.art))
        root, begins = self._build_file(), contents.positions(made.box, made.layout, made.ledger, made.slots)
        made.entries = contents.texts(made.box, made.layout, made.ledger, root, begins)
        begin("rest", contents.icon_pictures(made.entries[contents.FIRST[0]], made.art))
        self._look_at_pictures()
        made.parts = releases.described(made.box.data_hash, made.entries, made.pictures)
        if made.layout.version.endswith(releases.DRAFT) or self.order.changed:
            # Nobody may take it for the release of the number, and clients keep pictures by the version.
            made.layout = replace(made.layout, version=f"{made.layout.version}+{hash_of(made.parts)[:7]}")
            made.entries = contents.texts(made.box, made.layout, made.ledger, root, begins)
        elif made.released is not None and (differs := made.released.differs(made.parts)):
            self._refuse_changed(made.released, differs)

    def _look_at_pictures(self) -> None:
        """Refuses names that some system cannot hold apart, a maker's pictures of nothing, and boards beyond any client's memory."""
        from modgen.art import maker

        made = self.made
        pictures = [picture for part in made.pictures.values() for picture in part]
        wrong = maker.unknown(made.art, (picture.file for picture in pictures))
        wrong += _unsafe(self.game, [*made.entries, *(f"images/{picture.file}" for picture in pictures)])
        boards = [(f"{self.game}: {p.file}", p.width, p.height) for p in made.pictures["board"]]
        refused, warned = maker.boards_too_large(boards)
        if wrong or refused:
            raise ArtError("\n".join((*wrong, *refused)))
        made.warnings += (*warned, *maker.coarse(p for p in pictures if isinstance(p, maker.Own)))

    def _build_file(self) -> Element:
        from modgen.vassal import frozen, gpids, module

        made = self.made
        root = module.build_file(made.box, made.layout, made.ledger, made.slots)
        used = gpids.uses(root)
        if faults := gpids.faults(root, used, made.ledger):
            raise BuildError("\n".join(f"{self.game}: {fault}" for fault in faults))
        made.pieces = gpids.pieces(root, used)
        made.fixtures = frozen.fixtures(root)
        if changed := frozen.faults(self.folder / frozen.FILE, made.frozen, made.pieces, made.fixtures):
            raise LedgerError(changed)
        return root

    def _refuse_changed(self, release: Release, differs: list[str]) -> None:
        from modgen.build.releases import DRAFT
        from modgen.check import LAYOUT_FILE

        raise BuildError(
            f"{self.game}/{LAYOUT_FILE}: version: {release.version} was released on {release.date} with other content (what differs: "
            f"{', '.join(differs)}); clients would keep showing the old pictures, and players could not tell the two apart. Raise version, "
            f"to a higher number with {DRAFT} while you work on it"
        )

    # -- rendering and writing

    def render(self, progress: Callable[[float], None]) -> None:
        """All pictures, waited for."""
        from modgen.build.studio import Studio

        ordered = self.made.ordered
        assert ordered is not None
        images = Studio.finish(ordered, lambda: progress(ordered.done / max(ordered.pixels, 1)))
        self.made.entries |= {f"images/{name}": png for name, png in images.items()}

    def write(self) -> None:
        """The module, packed and written where it differs from the one there; then what a release or new counters add to the game."""
        from modgen.build import contents
        from modgen.check import LAYOUT_FILE

        made = self.made
        assert made.ordered is not None
        version = made.layout.version
        content = contents.content_hash(made.entries)
        made.entries[contents.IDENTITY] = contents.identity(made.box, made.layout, made.ledger, content)
        packed = contents.pack(made.entries, made.layout.date)
        changed = not self.target.exists() or self.target.read_bytes() != packed
        report = Report(
            game=made.box.id,
            version=version,
            game_version=made.box.version,
            file=self.target,
            size=len(packed),
            data=made.box.data_hash,
            content=content,
            entries=len(made.entries),
            counters=len(made.slots.units) + len(made.slots.markers),
            allocated=made.allocated,
            changed=changed,
            warnings=tuple(made.warnings),
            pictures=sum(map(len, made.pictures.values())),
            drawn=made.ordered.drawn,
            released=made.released is not None or self.order.release,
        )
        if made.allocated:
            write_file(made.ledger.path, made.ledger.text().encode("utf-8"))
        if changed:
            with made_folder(self.target.parent):
                write_file(self.target, packed)
        if self.order.release and made.released is None:
            self._write_release()
        self._keep(report, bytes_hash(packed))
        self.cache.tidy()
        if made.before.get("version") == version and made.before.get("content") not in (None, content):
            stale = (
                f"{self.target.as_posix()} held other content under the same version {version}: VASSAL keeps pictures by it and may show "
                f"the old board. Raise version in {LAYOUT_FILE}, or end it in -dev while you work on it"
            )
            report = replace(report, warnings=(*report.warnings, stale))
        self.report = report

    def _write_release(self) -> None:
        """The traits first: were the second file not written, the release could be made again."""
        from modgen.build import releases
        from modgen.vassal import frozen

        made = self.made
        layout, last = made.layout, made.ledger.next - 1
        rows = frozen.frozen_with(made.frozen, made.pieces, made.fixtures, layout.version)
        write_file(self.folder / frozen.FILE, frozen.text_of(rows).encode("utf-8"))
        date = dt.datetime.fromtimestamp(layout.date / 1000, dt.UTC).date().isoformat()
        one = releases.Release(layout.version, date, layout.vassal, last, made.ledger.fingerprint(last), made.parts)
        write_file(self.folder / releases.FILE, releases.text_of((*made.releases, one)).encode("utf-8"))


def _refuse_moved(before: Mapping[str, Any], ledger: Ledger) -> None:
    """Numbers that have moved since the build now there, whether it was released or not."""
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


_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*", re.ASCII)


def _unsafe(game: str, names: Iterable[str]) -> list[str]:
    """Names of entries that some system's zip programs or the client cannot hold apart, one line each."""
    seen: dict[str, str] = {}
    out = []
    for name in names:
        if not _SAFE.fullmatch(name):
            out.append(f"{game}: {name!r} cannot be the name of a file in a module; allowed: letters a-z, digits, `.`, `-` and `_`")
        twin = seen.setdefault(name.casefold(), name)
        if twin != name:
            out.append(f"{game}: {name} and {twin} differ only in capital letters; Windows and macOS take them for one file: rename one")
    return out
