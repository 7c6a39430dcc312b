"""The counters of a module: what units and markers show, face by face.

``[counters]``, ``[[kind]]``, ``[[face]]``, ``[[marker]]`` and ``[[mask]]`` in ``module.toml``. A kind says which symbol and size a piece
shows and which design it has; the faces of that design say what stands where, in templates over the columns of the piece's row:

- ``{attack}`` is the cell of a column, ``{home:formations.name}`` the cell of the row of another table that the column names;
- ``{name}``, ``{size}`` and ``{label}`` are the piece's name, its kind's size mark and its kind's label, ``{nation.short}`` a cell of its
  nation's row;
- ``[counters.words.COLUMN]`` says how values of a column are shortened on counters.

A ``[[marker]]`` with ``rows = "TABLE"`` stands for one marker for each row of the table that its test passes; its texts, its id and its
count may then use the row's columns in braces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from gamebox.load import BoxError
from gamebox.model import Box, Piece, Row
from modgen.layout.reading import COLOUR, Against, Reader, Where, each

SYMBOLS = (
    "infantry",
    "armour",
    "mechanized",
    "motorized",
    "mountain",
    "cavalry",
    "airborne",
    "marine",
    "shock",
    "garrison",
    "militia",
    "partisan",
    "artillery",
    "headquarters",
    "leader",
    "fighter",
    "bomber",
    "naval",
    "tank",
    "none",
)
"""Every unit symbol that can be drawn."""
MARKER_STYLES = (
    "action",
    "airfield",
    "airfield-used",
    "allied",
    "barred",
    "bombs",
    "bound",
    "breach",
    "capital",
    "card",
    "card-back",
    "contested",
    "control",
    "crate",
    "event",
    "fort",
    "fought",
    "free",
    "harbour",
    "intercept",
    "isolated",
    "landing",
    "parachute",
    "partisan",
    "pocket",
    "rail",
    "rain",
    "recruits",
    "refit",
    "reserve",
    "resource",
    "retreat",
    "shock",
    "snow",
    "stopped",
    "storm",
    "strait",
    "sun",
    "supply",
    "surrender",
    "target",
    "text",
    "train",
    "turn",
    "unknown",
    "unsupplied",
    "used",
    "victory",
    "works",
)
"""Every way in which a marker can be drawn."""
LOOKS = ("plain", "reduced", "used", "removed", "hidden")
"""What is different about a face: nothing, paler with a stripe behind the factors, done for the turn, to be taken off, unknown."""
SLOTS = ("top_left", "top_right", "left", "edge", "lead", "tail", "name", "factors", "badge", "foot")
"""Where a face can show text: the corners above the symbol, upright at its left (large) or along the left edge (small), as big figures
before and behind the symbol, below it, at the bottom, as a disc at the bottom right, and as a small last line."""
FRONT = "front"
_ANY = Where()
_FIELD = re.compile(r"\{([^{}]*)\}")
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Limits:
    """Below these a build fails."""

    text: float
    """WCAG contrast of letters on what is behind them."""
    sign: float
    """WCAG contrast of symbols and pictograms."""
    distance: float
    """Distance (CIEDE2000) between the grounds of counters of different sides, to people with any colour vision."""
    factors: float
    """Height in pixels of the factors on a counter shown at half its size."""
    name: float
    """Height in pixels of a unit's name at half size."""
    squeeze: float
    """How narrow a word may be set, in parts of its own width."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Text at one place of a face, on the pieces that pass the test."""

    text: str
    where: Where = _ANY
    fill: str = ""
    ink: str = ""


@dataclass(frozen=True, slots=True)
class Face:
    """One side of the counters of a design."""

    id: str
    design: str
    look: str
    where: Where
    slots: Mapping[str, Slot]
    rings: tuple[tuple[str, Where], ...]
    """Columns whose value stands in a ring, on the pieces that pass the test."""
    symbol: str
    """A symbol in place of the kind's; empty for the kind's own."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What symbol and size pieces show. ``printed`` is False where the sources do not tell."""

    where: Where
    symbol: str
    size: str
    """The size mark over the symbol; may be a column in braces."""
    label: str
    band: str
    printed: bool
    design: str = "unit"


@dataclass(frozen=True, slots=True)
class MarkerFace:
    """One side of a marker or mask."""

    id: str
    name: str
    style: str
    fill: str
    ink: str
    text: str
    note: str


@dataclass(frozen=True, slots=True)
class Marker:
    """A counter that is no unit. ``faces`` are its sides, the front first."""

    id: str
    name: str
    faces: tuple[MarkerFace, ...]
    count: int
    group: str
    width: int
    """Pixels on the board at 100 %; 0 for the size of a unit."""
    height: int

    @property
    def style(self) -> str:
        """How the front is drawn."""
        return self.faces[0].style

    @property
    def fill(self) -> str:
        """The ground of the front."""
        return self.faces[0].fill

    @property
    def ink(self) -> str:
        """The print of the front."""
        return self.faces[0].ink

    @property
    def text(self) -> str:
        """The word on the front."""
        return self.faces[0].text


@dataclass(frozen=True, slots=True)
class Mask:
    """What the other side sees of a hidden piece."""

    where: Where
    face: MarkerFace
    width: int = 0
    """Pixels as shown; 0 for the size of a unit."""
    height: int = 0

    @property
    def id(self) -> str:
        return self.face.id


@dataclass(frozen=True, slots=True)
class CounterLayout:
    """How counters look."""

    size: int
    """Pixels of a counter's side on the board at 100 %."""
    kinds: tuple[Kind, ...]
    designs: Mapping[str, tuple[Face, ...]]
    inverse: Where
    """Pieces whose symbol is drawn in reverse."""
    words: Mapping[str, Mapping[str, str]]
    """Column -> value -> how counters show it."""
    limits: Limits
    markers: tuple[Marker, ...]
    masks: tuple[Mask, ...] = ()

    def kind(self, piece: Piece) -> Kind:
        """The first kind whose test the piece's row passes (the check makes sure that there is one)."""
        return next(k for k in self.kinds if k.where(piece.row))

    def faces(self, piece: Piece) -> tuple[Face, ...]:
        """The sides of a piece's counter, its front first."""
        return tuple(f for f in self.designs[self.kind(piece).design] if f.where(piece.row))

    def mask(self, piece: Piece) -> Mask | None:
        """What the other side sees while the piece is hidden, if such pieces can be hidden."""
        return next((m for m in self.masks if m.where(piece.row)), None)


def fields(template: str) -> Iterator[str]:
    """The names in a template's braces."""
    for match in _FIELD.finditer(template):
        yield match[1]


def fill_in(template: str, cell: Mapping[str, str]) -> str:
    """A template with its fields replaced; ``cell`` has every one of them."""
    return _FIELD.sub(lambda m: cell[m[1]], template)


def shown(name: str, box: Box, layout: CounterLayout, piece: Piece, kind: Kind) -> str:
    """What a field of a template stands for on this piece (the check makes sure that it exists)."""
    if name in piece.row.values:
        text = piece.row.text(name)
        return layout.words.get(name, {}).get(text, text)
    if name in ("name", "id", "side", "size", "label"):
        return {"name": piece.name, "id": piece.id, "side": piece.side, "size": kind.size, "label": kind.label}[name]
    column, _, rest = name.partition(":")
    table, _, other = rest.partition(".") if rest else ("nations", "", name.removeprefix("nation."))
    row = box[table].get(piece.row.text(column) if rest else piece.nation)
    return "" if row is None else row.text(other)


# --- reading


def read_counters(top: Reader, box: Box) -> CounterLayout:
    """The counters' part of the file; markers made from rows of a table need the box."""
    counters = top.table("counters")
    limits = counters.table("limits")
    out = CounterLayout(
        size=counters.int("size", low=16, high=400),
        kinds=each(top.listed("kind"), _kind),
        designs=_designs(each(top.listed("face"), _face)),
        inverse=counters.where("inverse"),
        words=_words(counters),
        limits=Limits(
            text=_number(limits, "text", 4.5),
            sign=_number(limits, "sign", 3.0),
            distance=_number(limits, "distance", 8.0),
            factors=_number(limits, "factors", 5.0),
            name=_number(limits, "name", 2.9),
            squeeze=_number(limits, "squeeze", 0.6),
        ),
        markers=tuple(marker for r in top.listed("marker") for marker in _markers(r, box)),
        masks=each(
            top.listed("mask"),
            lambda r: Mask(
                r.where("where"),
                _marker_face(r, r.text("id"), r.text("name"), None),
                r.int("width", 0, 0, 400),
                r.int("height", 0, 0, 400),
            ),
        ),
    )
    limits.end()
    counters.end()
    return out


def _number(r: Reader, key: str, default: float) -> float:
    value = r.get(key, (int, float), "a number from 0 to 100", default, lambda v: 0 <= v <= 100)
    return float(value)


def _kind(r: Reader) -> Kind:
    return Kind(
        where=r.where("where"),
        symbol=r.text("symbol", among=SYMBOLS),
        size=r.text("size", ""),
        label=r.text("label"),
        band=r.colour("band", ""),
        printed=r.flag("printed"),
        design=r.text("design", "unit"),
    )


def _face(r: Reader) -> Face:
    slots = {}
    for key in SLOTS:
        if isinstance(r.data.get(key), dict):
            sub = r.table(key)
            sub.place = f"{r.place} {key}"
            slots[key] = Slot(sub.text("text"), sub.where("where"), sub.colour("fill", ""), sub.colour("ink", ""))
            sub.end()
        elif text := r.text(key, ""):
            slots[key] = Slot(text)
    ring = r.table("ring")
    ring.place = f"{r.place} ring"
    return Face(
        id=r.text("id", FRONT),
        design=r.text("design", "unit"),
        look=r.text("look", "plain", LOOKS),
        where=r.where("where"),
        slots=MappingProxyType(slots),
        rings=tuple((column, ring.where(column)) for column in ring.data),
        symbol=r.text("symbol", "", ("", *SYMBOLS)),
    )


_PLAIN = Face(FRONT, "unit", "plain", _ANY, MappingProxyType({"name": Slot("{name}")}), (), "")
"""What the counters of a layout without any faces show."""


def _designs(faces: Iterable[Face]) -> dict[str, tuple[Face, ...]]:
    out: dict[str, tuple[Face, ...]] = {}
    for face in faces:
        out[face.design] = (*out.get(face.design, ()), face)
    return out or {"unit": (_PLAIN,)}


def _words(counters: Reader) -> dict[str, dict[str, str]]:
    out: dict[str, dict[str, str]] = {}
    for column, sub in counters.named("words"):
        if not isinstance(value := counters.data["words"][column], dict):
            counters.errors.append(BoxError(counters.file, 0, 0, f"[counters.words] {column}: {value!r} is not allowed; a table of texts"))
        out[column] = {value: sub.text(value) for value in sub.data}
    return out


def _marker_face(r: Reader, id_: str, name: str, front: MarkerFace | None) -> MarkerFace:
    return MarkerFace(
        id=id_,
        name=name,
        style=r.text("style", front.style if front else None, MARKER_STYLES),
        fill=r.colour("fill", front.fill if front else None),
        ink=r.colour("ink", front.ink if front else None),
        text=r.text("text", front.text if front else ""),
        note=r.text("note", ""),
    )


def _markers(r: Reader, box: Box) -> Iterator[Marker]:
    """The marker, or one for each row of the table that it is made from."""
    id_, name = r.text("id"), r.text("name")
    front = _marker_face(r, FRONT, name, None)
    faces = [front]
    for number, sub in enumerate(r.listed("face"), 1):
        sub.place = f"{r.place} [[marker.face]] {number}"
        faces.append(_marker_face(sub, sub.text("id"), sub.text("name", name), front))
        sub.end()
    made = Marker(
        id=id_,
        name=name,
        faces=tuple(faces),
        count=0 if isinstance(r.data.get("count"), str) else r.int("count", 0, 0, 200),
        group=r.text("group"),
        width=r.int("width", 0, 0, 400),
        height=r.int("height", 0, 0, 400),
    )
    table, where = r.text("rows", ""), r.where("where")
    counted = r.text("count", "") if table and isinstance(r.data.get("count"), str) else ""
    r.end()
    texts = [made.id, made.name, counted, *(t for f in faces for t in (f.name, f.text, f.note))]
    if not table:
        if isinstance(r.data.get("count"), str):
            r.fault("count", "is a text; a whole number, or with rows a column in braces")
        if braced := next((text for text in texts if "{" in text or "}" in text), None):
            r.fault("rows", f"is missing, and {braced!r} has braces; rows names the table whose columns stand in them")
        yield made
        return
    if table not in box.tables:
        r.fault("rows", f"{table!r} is no table of the game; there are {', '.join(box.tables)}")
        return
    columns = box[table].columns
    if unknown := sorted({name for text in texts for name in fields(text)} - set(columns)):
        r.fault("rows", f"{unknown[0]!r} is no column of {table}; there are {', '.join(columns)}")
        return
    if broken := next((text for text in texts if {"{", "}"} & set(_FIELD.sub("", text))), None):
        r.fault("rows", f"{broken!r} has a brace without its other half")
        return
    rows = [row for row in box[table] if where(row)]
    if not rows:
        r.fault("where", f"no row of {table} passes")
    for row in rows:
        yield _filled(made, row, columns, counted)


def _filled(marker: Marker, row: Row, columns: Iterable[str], counted: str) -> Marker:
    cells = {column: row.text(column) if column in row.values else "" for column in columns}
    count = fill_in(counted, cells)
    return replace(
        marker,
        id=fill_in(marker.id, cells),
        count=int(count) if count.isdecimal() else marker.count,
        name=fill_in(marker.name, cells),
        faces=tuple(
            replace(f, name=fill_in(f.name, cells), text=fill_in(f.text, cells), note=fill_in(f.note, cells)) for f in marker.faces
        ),
    )


# --- checks


@dataclass(frozen=True, slots=True)
class _Files:
    """Names of pictures, held apart without regard to case: on many disks two that differ only in case are one."""

    against: Against
    seen: dict[str, str] = field(default_factory=dict)

    def add(self, file: str, what: str) -> None:
        if (other := self.seen.setdefault(file.casefold(), what)) != what:
            self.against.fault(f"{what} and {other} would have the same picture {file.casefold()}; names must differ in more than case")


def check_counters(counters: CounterLayout, against: Against) -> None:
    """The counters held against the game's pieces."""
    box = against.box
    columns = {column for table in {piece.row.table for piece in box.pieces} for column in box[table].columns}
    tests = [("[[kind]] where", kind.where) for kind in counters.kinds] + [("[counters] inverse", counters.inverse)]
    for design, faces in counters.designs.items():
        against.once(f"[[face]] of design {design!r}", (f.id for f in faces), "every face of a design has an id of its own")
        for face in faces:
            place = f"[[face]] {face.id!r} of design {design!r}"
            tests.append((place, face.where))
            tests += [(f"{place} {key}", slot.where) for key, slot in face.slots.items()]
            tests += [(f"{place} ring", where) for _, where in face.rings]
            against.known(f"{place} ring", (column for column, _ in face.rings), columns, "column of the pieces")
            for key, slot in face.slots.items():
                _check_braces(f"{place} {key}", slot.text, against)
                for name in fields(slot.text):
                    _check_field(f"{place} {key}", name, columns, against)
    for kind in counters.kinds:
        _check_braces("[[kind]] size", kind.size, against)
        against.known("[[kind]] size", fields(kind.size), columns, "column of the pieces")
    for place, where in tests:
        against.known(place, (column for column, _ in where.tests), columns, "column of the pieces")
    against.known("[counters.words]", counters.words, columns, "column of the pieces")
    against.known("[[kind]] design", (k.design for k in counters.kinds), counters.designs, "design of a [[face]]")
    against.once("[[marker]]", (m.id for m in counters.markers), "every marker has an id of its own")
    against.once("[[mask]]", (m.id for m in counters.masks), "every mask has an id of its own")
    _check_nations(against)
    names = _Files(against)
    for piece in box.pieces:
        fits = next((k for k in counters.kinds if k.where(piece.row)), None)
        if fits is None:
            against.fault(f"[[kind]]: no kind fits {piece.id}; the last one may have no test")
            break
        faces = tuple(f for f in counters.designs.get(fits.design, ()) if f.where(piece.row))
        if not faces or faces[0].id != FRONT:
            against.fault(f"[[face]] of design {fits.design!r}: {piece.id} has no face {FRONT!r} first")
            break
        for face in faces:
            names.add(face_file(piece.id, face.id), f"{piece.id} {face.id}")
    for marker in counters.markers:
        for side in marker.faces:
            names.add(face_file(marker_stem(marker.id), side.id), f"marker {marker.id} {side.id}")
    for mask in counters.masks:
        names.add(face_file(f"mask-{mask.id}", FRONT), f"mask {mask.id}")
    parts = [f.id for faces in counters.designs.values() for f in faces] + [f.id for m in counters.markers for f in m.faces]
    parts += [m.id for m in counters.markers] + [m.id for m in counters.masks]
    for part in dict.fromkeys(parts):
        if not _ID.fullmatch(part):
            against.fault(f"{part!r} is no id that a picture can be named by; small letters and figures, parted by single hyphens")


def _check_nations(against: Against) -> None:
    """Every piece's nation must have its colours."""
    box = against.box
    if not box.pieces:
        return
    if "nations" not in box.tables or not {"fill", "ink"} <= set(box["nations"].columns):
        against.fault("[counters]: the game has no table nations with columns fill and ink, the colours of its counters")
        return
    for nation in dict.fromkeys(piece.nation for piece in box.pieces):
        row = box["nations"].get(nation)
        if row is None:
            against.fault(f"[counters]: {nation!r} is no row of nations; it has no colours")
            continue
        for column in ("fill", "ink", "type_fill"):
            value = row.text(column) if column in row.values else ""
            if not COLOUR.fullmatch(value) and (value or column != "type_fill"):
                against.fault(f"[counters]: nations {nation}: {column} {value!r} is no colour like #a0b0c0")


def marker_stem(marker: str) -> str:
    """What the pictures of a marker are called before the face; ids that say what they are keep their own."""
    return marker if marker.startswith("marker-") else f"marker-{marker}"


def face_file(name: str, face: str) -> str:
    """The picture of a face; the front's carries the name alone."""
    return f"{name}.png" if face == FRONT else f"{name}-{face}.png"


def _check_braces(place: str, template: str, against: Against) -> None:
    """A brace that is not closed would be shown as it is."""
    if {"{", "}"} & set(_FIELD.sub("", template)):
        against.fault(f"{place}: {template!r} has a brace without its other half")


def _check_field(place: str, name: str, columns: set[str], against: Against) -> None:
    """A field of a template must be something that can be shown."""
    box = against.box
    if name in columns or name in ("name", "id", "side", "size", "label"):
        return
    column, parted, rest = name.partition(":")
    if parted:
        against.known(place, [column], columns, "column of the pieces")
        table, _, other = rest.partition(".")
    elif name.startswith("nation."):
        table, other = "nations", name.removeprefix("nation.")
    else:
        against.known(place, [name], columns, "column of the pieces")
        return
    against.known(place, [table], box.tables, "table of the game")
    if table in box.tables:
        against.known(place, [other], box[table].columns, f"column of {table}")
