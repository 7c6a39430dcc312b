"""``modgen check``: how much of a game's data is printed, derived, reconstructed or an owner's, and whether its tables agree.

The loader has already held every cell to its type and every reference to its table (``gamebox.load``). What is held here runs
between rows: it follows ``[checks]`` and ``[zones]`` of ``game.toml`` and the tables that most games have (hexes, hexsides, regions,
setups, rules, rulings, options, phases, scenarios), and leaves out what a game does not have.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gamebox.geometry import GeometryError, Hexes, Zones, hexes, zones
from gamebox.load import BoxError, GameSchema, TableSchema, data_root, load_box, load_schema
from gamebox.model import Box, Piece, Row, SourceKind, Table

if TYPE_CHECKING:
    from modgen.vassal.ledger import Ledger

LAYOUT_FILE, LEDGER_FILE = "module.toml", "gpids.csv"
VERSION = 1
"""Of the JSON form."""


@dataclass(frozen=True, slots=True)
class TableCount:
    """The facts of one table by what they rest on. A fact is a filled cell beside the key, or the row when there is none."""

    name: str
    title: str
    rows: int
    facts: Mapping[SourceKind, int]

    @property
    def total(self) -> int:
        """All facts of the table."""
        return sum(self.facts.values())


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that must hold: how many cases were looked at, and what is wrong (sorted)."""

    name: str
    cases: int
    findings: tuple[BoxError, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """What ``modgen check`` found in one game."""

    game: str
    title: str
    version: str
    data_hash: str
    tables: tuple[TableCount, ...]
    checks: tuple[Check, ...]
    overlay: tuple[str, ...] = ()
    module_version: str = ""
    """The version that module.toml gives to the game's modules; empty where there is none."""

    @property
    def findings(self) -> tuple[BoxError, ...]:
        """Everything that is wrong, check by check."""
        return tuple(finding for check in self.checks for finding in check.findings)

    def as_json(self) -> dict[str, Any]:
        """The report as plain values."""
        return {
            "version": VERSION,
            "game": self.game,
            "title": self.title,
            "game_version": self.version,
            "module_version": self.module_version,
            "data_hash": self.data_hash,
            "overlay": list(self.overlay),
            "tables": [
                {"table": count.name, "rows": count.rows, **{str(kind): count.facts.get(kind, 0) for kind in SourceKind}}
                for count in self.tables
            ],
            "checks": [
                {"check": check.name, "cases": check.cases, "findings": [error_json(finding) for finding in check.findings]}
                for check in self.checks
            ],
            "findings": len(self.findings),
        }


@dataclass(slots=True)
class _Look:
    """A box while it is being checked."""

    box: Box
    schema: GameSchema
    hexes: Hexes | None
    zones: Zones | None = None
    found: list[BoxError] = field(default_factory=list)

    def table(self, name: str, *columns: str) -> Table | None:
        """The table if the game has it with all these columns."""
        table = self.box.tables.get(name)
        return table if table is not None and all(column in table.columns for column in columns) else None

    def wrong(self, row: Row, message: str) -> None:
        self.at(row.table, row.line, message)

    def at(self, table: str, line: int, message: str) -> None:
        self.found.append(BoxError(f"{self.box.id}/{self.schema.tables[table].file}", max(line, 1), 1, message))


def error_json(error: BoxError) -> dict[str, Any]:
    """An error as plain values."""
    return {"file": error.file, "line": error.line, "column": error.column, "message": error.message}


def check(game: str, overlay: Path | Mapping[str, str] | None = None, root: Path | None = None) -> Report:
    """Loads a game and checks it, and the files of its modules if it has them. Raises BoxErrors when it does not load."""
    box = load_box(game, overlay, root)
    report = check_box(box, load_schema(game, root))
    version, checks = _module(box, (root or data_root()) / game)
    return replace(report, checks=report.checks + checks, module_version=version)


def check_box(box: Box, schema: GameSchema) -> Report:
    """Checks a box that has loaded."""
    counts = tuple(_count(schema.tables[name], table) for name, table in box.tables.items())
    checks: list[Check] = []
    try:
        board = zones(box)
    except GeometryError:
        # The checks of outlines and adjacency say which row it is; the others have nothing to look at.
        board = None
    for name, run in CHECKS.items():
        look = _Look(box, schema, hexes(box.grid) if box.grid else None, board)
        cases = run(look)
        if cases:
            checks.append(Check(name, cases, tuple(sorted(set(look.found)))))
    return Report(box.id, box.title, box.version, box.data_hash, counts, tuple(checks), tuple(sorted(box.overlay)))


def _module(box: Box, folder: Path) -> tuple[str, tuple[Check, ...]]:
    """The version of the modules, and their layout and ledger of permanent numbers checked; a game without a module has neither."""
    # Imported here: a check of tables alone needs neither fonts nor pictures.
    from modgen.art.counters import drawings
    from modgen.art.legible import faults
    from modgen.errors import ArtError
    from modgen.layout.layout import read_layout
    from modgen.layout.reading import LayoutErrors
    from modgen.vassal.ledger import Ledger, LedgerError, read_ledger
    from modgen.vassal.slots import slot_names

    layout_file, ledger_file = folder / LAYOUT_FILE, folder / LEDGER_FILE
    version = ""
    slots: list[str] = []
    checks: list[Check] = []
    if layout_file.exists():
        found: tuple[BoxError, ...] = ()
        try:
            layout = read_layout(layout_file, box)
            version = layout.version
            found = tuple(faults(box, layout, drawings(box, layout)))
            slots = slot_names(box, layout)
        except LayoutErrors as errors:
            found = errors.errors
        except ArtError as error:
            found = (BoxError(f"{box.id}/{LAYOUT_FILE}", 0, 0, str(error)),)
        checks.append(Check(f"{LAYOUT_FILE} fits the tables", 1, found))
    # Before the first build no counter has a number: the build itself says how they get them.
    if ledger_file.exists():
        ledger, found = Ledger(ledger_file, {}, {}), ()
        try:
            ledger = read_ledger(ledger_file)
            found = ledger.unnumbered(slots)
        except LedgerError as wrong:
            found = wrong.errors
        if found or ledger.numbers:
            checks.append(Check(f"{LEDGER_FILE} has one number for every counter", len(slots) or len(ledger.numbers), found))
        if released := _released(folder, ledger, slots):
            checks.append(released)
    return version, tuple(checks)


def _released(folder: Path, ledger: Ledger, slots: Sequence[str]) -> Check | None:
    """What was released, held against the ledger as it is now; None for a game of which nothing is."""
    from modgen.build import releases
    from modgen.vassal import frozen
    from modgen.vassal.ledger import LedgerError

    found: tuple[BoxError, ...] = ()
    out: tuple[releases.Release, ...] = ()
    try:
        out = releases.read_releases(folder / releases.FILE)
        found = releases.moved(out, ledger) + (ledger.gone(slots, releases.last_gpid(out)) if slots else ())
        frozen.read_frozen(folder / frozen.FILE)
    except LedgerError as wrong:
        found += wrong.errors
    name = f"{LEDGER_FILE}, {releases.FILE} and {frozen.FILE} keep what was released"
    return Check(name, len(out) or 1, tuple(sorted(found))) if out or found else None


def text(report: Report) -> str:
    """The report for a reader: provenance table, then the checks with their findings."""
    kinds = tuple(SourceKind)
    head = ("table", "rows", *(kind.value for kind in kinds), "printed or derived")
    lines: list[tuple[str, ...]] = [head]
    total: Counter[SourceKind] = Counter()
    for count in report.tables:
        lines.append(_line(count.name, count.rows, count.facts))
        total.update(count.facts)
    lines.append(_line("all", sum(count.rows for count in report.tables), total))
    widths = [max(len(line[at]) for line in lines) for at in range(len(head))]
    module = f", module {report.module_version}" if report.module_version else ""
    out = [f"{report.title} ({report.game}): game data {report.version}{module}", f"data {report.data_hash}"]
    if report.overlay:
        out.append(f"with an overlay of {', '.join(report.overlay)}")
    out.append("")
    out += [
        "  ".join(cell.ljust(width) if at == 0 else cell.rjust(width) for at, (cell, width) in enumerate(zip(line, widths, strict=True)))
        for line in lines
    ]
    out.append("")
    for one in report.checks:
        out.append(f"{'ok' if not one.findings else 'WRONG'}  {one.name} ({one.cases})")
        out += [f"    {finding}" for finding in one.findings]
    return "\n".join(line.rstrip() for line in out) + "\n"


def _line(name: str, rows: int, facts: Mapping[SourceKind, int]) -> tuple[str, ...]:
    total = sum(facts.values())
    sure = facts.get(SourceKind.RULEBOOK, 0) + facts.get(SourceKind.DERIVED, 0)
    # Rounded down, so that 100 % means all.
    return (name, str(rows), *(str(facts.get(kind, 0)) for kind in SourceKind), f"{100 * sure // total} %" if total else "-")


def _count(schema: TableSchema, table: Table) -> TableCount:
    columns = [column for column in schema.values if column not in schema.key]
    facts: Counter[SourceKind] = Counter()
    for row in table:
        filled = [column for column in columns if row.values[column] not in (None, ())]
        facts.update(row.source(column).kind for column in (filled or [""]))
    return TableCount(table.name, schema.title, len(table), facts)


# -- checks: each gives the number of cases it looked at, 0 when the game has no such thing -----------------------------------


def _grid(look: _Look) -> int:
    table = look.table("hexes")
    if table is None or look.hexes is None:
        return 0
    for name in look.hexes.names:
        if name not in table.by_key:
            look.at("hexes", 1, f"hex {name} of the grid has no row; allowed: a row for each of {len(look.hexes)} hexes")
    return len(look.hexes)


def _hexsides(look: _Look) -> int:
    cases = 0
    for name, schema in look.schema.tables.items():
        if schema.pair and name in look.box.tables:
            # That the hexes touch is the loader's to hold; here the sides must also lie on the map that has rows.
            table = look.table("hexes")
            for row in look.box[name]:
                cases += 1
                for column in schema.pair:
                    if table is not None and row.text(column) not in table.by_key:
                        look.wrong(row, f"{row.key}: {row.text(column)} has no row in {look.schema.tables['hexes'].file}")
    return cases


def _outlines(look: _Look) -> int:
    """Every zone has an outline, and every ring closes on its first point, crosses itself nowhere and lies on the board."""
    board = look.box.zones
    if board is None:
        return 0
    drawn: set[str] = set()
    for row in look.box[board.outlines]:
        ring = row.points("points")
        drawn.add(row.key.partition("|")[0])
        if len(set(ring)) < 3 or ring[0] != ring[-1]:
            look.wrong(row, f"{row.key}: {len(ring)} points that do not close; allowed: three or more, and the first once more at the end")
            continue
        if any(not (0 <= x <= board.width and 0 <= y <= board.height) for x, y in ring):
            look.wrong(row, f"{row.key} leaves the board; allowed: 0,0 to {board.width},{board.height}")
        for x, y in Zones.of({row.key: [ring]}).crossings(row.key):
            look.wrong(row, f"{row.key} meets itself after {x:g},{y:g}; allowed: a line that crosses and touches itself nowhere")
    for row in look.box[board.zones]:
        if row.key not in drawn:
            look.wrong(row, f"zone {row.key} has no outline in {look.schema.tables[board.outlines].file}")
    return len(look.box[board.outlines])


_OVERLAP = 0.01
"""The part of the smaller zone that may lie under another: more is no slip of a hand-drawn border."""


def _apart(look: _Look) -> int:
    board = look.box.zones
    if board is None or look.zones is None:
        return 0
    place = list(look.box[board.zones].by_key)
    for pair, area in look.zones.overlaps().items():
        a, b = sorted(pair, key=place.index)
        if area > _OVERLAP * min(look.zones.area(a), look.zones.area(b)):
            look.wrong(look.box[board.zones][b], f"zones {a} and {b} lie over each other by about {area:.0f} square units")
    return len(look.zones.names)


def _labels(look: _Look) -> int:
    board = look.box.zones
    if board is None or look.zones is None:
        return 0
    for row in look.box[board.zones]:
        x, y = row.text("label_x"), row.text("label_y")
        if not look.zones.contains(row.key, float(x), float(y)):
            look.wrong(row, f"zone {row.key}: its label at {x},{y} lies outside of it")
    return len(look.box[board.zones])


def _adjacent(look: _Look) -> int:
    board = look.box.zones
    if board is None:
        return 0
    place = {key: at for at, key in enumerate(look.box[board.zones].by_key)}
    # Without outlines that can be drawn nothing is said of borders; the check of the outlines says why.
    touching = board.touching and look.zones is not None
    shared = {frozenset(pair) for pair in look.zones.shared()} if look.zones is not None else set()
    named: set[frozenset[str]] = set()
    for row in look.box[board.adjacency]:
        a, _, b = row.key.partition("|")
        pair = frozenset((a, b))
        if place[a] >= place[b] or pair in named:
            look.wrong(row, f"{a} and {b}: allowed: two different zones, each pair once, in the order of the zones")
        elif touching and pair not in shared:
            look.wrong(row, f"{a} and {b} are adjacent, but their outlines have no edge in common")
        named.add(pair)
    for a, b in sorted(sorted(pair, key=place.__getitem__) for pair in shared - named) if touching else ():
        file = look.schema.tables[board.adjacency].file
        look.wrong(look.box[board.zones][a], f"the outlines of {a} and {b} have an edge in common, but {file} does not name them")
    return len(named | shared)


def _playable(look: _Look, name: str) -> bool:
    table = look.table("hexes", "playable")
    return table is None or (name in table.by_key and table[name].flag("playable"))


def _in_play(look: _Look) -> int:
    """Set-ups, regions and whatever lies in a hex are on playable hexes."""
    if look.table("hexes", "playable") is None:
        return 0
    cases = 0
    for name in ("setups", "regions", "cities", "features"):
        for row, place in _places(look, name):
            cases += 1
            if not _playable(look, place):
                look.wrong(row, f"{row.key}: hex {place} is not playable")
    return cases


def _places(look: _Look, name: str) -> Iterator[tuple[Row, str]]:
    table = look.box.tables.get(name)
    hex_table = look.box.tables.get("hexes")
    if table is None or hex_table is None:
        return
    column = next((column for column in ("place", "hexes", "hex") if column in table.columns), None)
    for row in table if column else ():
        for place in row.items(column or ""):
            if place in hex_table.by_key:
                yield row, place


def _setups(look: _Look) -> int:
    """Every counter begins somewhere in some set-up."""
    table = look.table("setups", "setup", "piece", "place")
    if table is None or not look.box.pieces:
        return 0
    used = {row.text("piece") for row in table}
    for piece in look.box.pieces:
        if piece.id not in used:
            look.wrong(piece.row, f"{piece.id} begins nowhere; allowed: a place in at least one set-up")
    return len(look.box.pieces)


def _stacking(look: _Look) -> int:
    table = look.table("setups", "setup", "piece", "place")
    limit, alone = look.schema.checks.stacking, look.schema.checks.alone
    if table is None or not limit:
        return 0
    regions, boxes = look.table("regions", "hexes"), look.table("boxes")
    pieces = {piece.id: piece for piece in look.box.pieces}
    stacks: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in table:
        if boxes is None or row.text("place") not in boxes.by_key:
            stacks[row.text("setup"), row.text("place")].append(row)
    counted: dict[str, list[tuple[Row, tuple[str, ...]]]] = defaultdict(list)
    for (setup, place), rows in stacks.items():
        inside = regions[place].items("hexes") if regions is not None and place in regions.by_key else (place,)
        room = limit * len(inside)
        counting = [row for row in rows if row.text("piece") in pieces and _counts(look, pieces[row.text("piece")])]
        if len(counting) > room:
            look.wrong(counting[room], f"{setup}: {len(counting)} counters begin in {place}; allowed: {room}")
        else:
            counted[setup] += [(row, inside) for row in counting]
        sides = sorted({pieces[row.text("piece")].side for row in rows if row.text("piece") in pieces})
        if len(sides) > 1:
            look.wrong(rows[1], f"{setup}: counters of {' and '.join(sides)} begin in {place}; allowed: one side")
        for column in alone:
            flagged = [row for row in rows if row.text("piece") in pieces and pieces[row.text("piece")].row.flag(column)]
            if len(flagged) > 1 and room == limit:
                look.wrong(flagged[1], f"{setup}: {len(flagged)} counters with {column} begin in {place}; allowed: one")
    for setup, placed in counted.items():
        for row in _without_room(placed, limit):
            piece, place = row.text("piece"), row.text("place")
            look.wrong(row, f"{setup}: {piece} finds no room in {place} beside the others; allowed: {limit} in a hex")
    return len(stacks)


def _counts(look: _Look, piece: Piece) -> bool:
    return not any(
        column in piece.row.values and piece.row.text(column) in words for column, words in look.schema.checks.uncounted.items()
    )


def _without_room(placed: Sequence[tuple[Row, tuple[str, ...]]], limit: int) -> list[Row]:
    """The counters that are left over when as many as can be stand in hexes of their places, ``limit`` in each."""
    held: dict[tuple[str, int], int] = {}
    lost: list[Row] = []

    def settle(at: int, seen: set[tuple[str, int]]) -> bool:
        for hex_name in placed[at][1]:
            for slot in ((hex_name, number) for number in range(limit)):
                if slot in seen:
                    continue
                seen.add(slot)
                if slot not in held or settle(held[slot], seen):
                    held[slot] = at
                    return True
        return False

    # Those with the least choice first: then hardly anybody has to move.
    for at in sorted(range(len(placed)), key=lambda at: len(placed[at][1])):
        if not settle(at, set()):
            lost.append(placed[at][0])
    return lost


def _borders(look: _Look) -> int:
    table, sides = look.table("hexes"), look.table("hexsides", "hex_a", "hex_b", "feature")
    if table is None or sides is None or look.hexes is None:
        return 0
    cases = 0
    for border in look.schema.checks.borders:
        if border.column not in table.columns:
            look.at("hexes", 1, f"[checks] names the column {border.column}, which is not there")
            continue
        lines = {(row.text("hex_a"), row.text("hex_b")): row for row in sides if row.text("feature") in border.features}
        named = " or ".join(border.features)
        for name in table.by_key:
            if not _playable(look, name):
                continue
            for other in look.hexes.neighbours(name):
                if other not in table.by_key or not _playable(look, other) or look.hexes.hexside(name, other) != (name, other):
                    continue
                cases += 1
                values = [table[hex_name].text(border.column) for hex_name in (name, other)]
                apart = (values[0] == border.value) != (values[1] == border.value) if border.value else values[0] != values[1]
                apart = apart and not set(values) & set(border.both)
                row = lines.get((name, other))
                if apart and row is None:
                    look.wrong(
                        table[name], f"{name} and {other} differ in {border.column}; allowed: a hexside {named} between them"
                    )
                elif row is not None and not apart:
                    look.wrong(row, f"{row.text('feature')} between {name} and {other}, which do not differ in {border.column}")
    return cases


def _complete(look: _Look) -> int:
    cases = 0
    # A combat results table is drawn as a grid of odds and dice, so it has no holes in any game.
    charts = ("crt",) if look.table("crt", "odds", "die", "result") else ()
    for name in dict.fromkeys((*look.schema.checks.complete, *charts)):
        table, schema = look.box.tables.get(name), look.schema.tables[name]
        if table is None:
            continue
        values: list[list[str]] = []
        for column in schema.key:
            kind = schema.columns[column].kinds[0]
            if kind.base == "enum":
                values.append(list(kind.words))
            elif kind.base == "int" and kind.low is not None and kind.high is not None:
                values.append([str(number) for number in range(kind.low, kind.high + 1)])
            elif kind.base == "ref":
                values.append([key for word in kind.words for key in look.box[word].by_key])
            else:
                values.append(list(dict.fromkeys(row.text(column) for row in table)))
        for parts in product(*values):
            cases += 1
            if "|".join(parts) not in table.by_key:
                look.at(name, 1, f"no row for {' '.join(parts)}; allowed: one for each {' and '.join(schema.key)}")
    return cases


def _same_keys(look: _Look) -> int:
    cases = 0
    for first, second in look.schema.checks.same_keys:
        for one, other in ((first, second), (second, first)):
            for row in look.box[one]:
                cases += 1
                if row.key not in look.box[other].by_key:
                    look.wrong(row, f"{row.key} has no row in {look.schema.tables[other].file}")
    return cases


def _terrain(look: _Look) -> int:
    """Every terrain and hexside feature of the map is in the Terrain Effects Chart."""
    table = look.table("terrain")
    if table is None:
        return 0
    cases = 0
    for name, column in (("hexes", "terrain"), ("hexsides", "feature")):
        used: dict[str, Row] = {}
        for row in look.table(name, column) or ():
            used.setdefault(row.text(column), row)
        for kind, row in used.items():
            cases += 1
            if kind not in table.by_key:
                look.wrong(row, f"{kind} has no row in {look.schema.tables['terrain'].file}")
    return cases


def _phases(look: _Look) -> int:
    table = look.table("phases", "scenario", "order")
    if table is None:
        return 0
    last: dict[str, int] = {}
    for row in sorted(table, key=lambda row: (row.text("scenario"), row.int("order"))):
        scenario = row.text("scenario")
        if row.int("order") != last.get(scenario, 0) + 1:
            look.wrong(row, f"{scenario}: phase {row.int('order')} follows phase {last.get(scenario, 0)}; allowed: 1, 2, 3 and on")
        last[scenario] = row.int("order")
    for row in look.table("scenarios") or ():
        if row.key not in last:
            look.wrong(row, f"{row.key} has no phases")
    return len(table)


def _scenarios(look: _Look) -> int:
    table = look.table("scenarios", "first_turn", "last_turn")
    if table is None:
        return 0
    setups = {row.text("setup") for row in look.table("setups", "setup") or ()}
    for row in table:
        if row.int("first_turn") > row.int("last_turn"):
            look.wrong(row, f"{row.key} ends on turn {row.int('last_turn')}, before turn {row.int('first_turn')}")
        if "setup" in table.columns and row.text("setup") not in setups:
            look.wrong(row, f"{row.key} uses the set-up {row.text('setup')}, which places nothing")
    return len(table)


def _options(look: _Look) -> int:
    table = look.table("options", "excludes")
    if table is None:
        return 0
    for row in table:
        for other in row.items("excludes"):
            if row.key not in table[other].items("excludes"):
                look.wrong(table[other], f"{row.key} excludes {other}, but not the other way round")
            if other == row.key or ("needs" in table.columns and other in row.items("needs")):
                look.wrong(row, f"{row.key} excludes {other}, which it is or needs")
    return len(table)


def _rules(look: _Look) -> int:
    table = look.table("rules", "enforceable", "why_not", "rulings")
    if table is None:
        return 0
    cited: set[str] = set()
    for row in table:
        cited.update(row.items("rulings"))
        if (row.text("enforceable") == "no") != bool(row.text("why_not")):
            look.wrong(
                row,
                f"{row.key}: enforceable is {row.text('enforceable')}, why_not `{row.text('why_not')}`; allowed: a reason exactly where no",
            )
        if "role" in table.columns and row.text("role") and row.text("enforceable") == "no":
            look.wrong(row, f"{row.key} has the role {row.text('role')}, but is not enforceable")
    for ruling in look.table("rulings") or ():
        if ruling.key not in cited:
            look.wrong(ruling, f"{ruling.key} belongs to no rule; allowed: at least one rule that names it")
    return len(table)


CHECKS: Mapping[str, Callable[[_Look], int]] = {
    "every hex of the grid has a row": _grid,
    "hexsides lie between hexes that touch": _hexsides,
    "outlines of zones are there, close, and cross themselves nowhere": _outlines,
    "zones do not lie over each other": _apart,
    "labels of zones lie inside them": _labels,
    "adjacent zones are named once, and are those that touch": _adjacent,
    "set-ups, regions, cities and features lie on playable hexes": _in_play,
    "every counter begins in some set-up": _setups,
    "set-ups keep to stacking, one side a hex": _stacking,
    "borders run exactly between the hexes they part": _borders,
    "tables are complete": _complete,
    "tables with the same keys agree": _same_keys,
    "every terrain is in the effects chart": _terrain,
    "phases count from 1, and every scenario has some": _phases,
    "scenarios begin before they end, with a set-up": _scenarios,
    "options exclude each other both ways": _options,
    "rules say why they are not enforceable, rulings belong to rules": _rules,
}
"""What is held, in the order of the report."""
