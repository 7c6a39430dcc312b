"""The counters of a module: prototypes put together from the abilities that the layout lists, and the slots of units and markers.

Traits are listed outermost first. The outermost gets a key first, but reports and triggers act after everything inside them.
"""

from __future__ import annotations

from collections.abc import Mapping

from gamebox.model import Box, Piece
from gamebox.once import once
from modgen.art import counters
from modgen.formats.vassal import sequence
from modgen.formats.vassal.pieces import Basic, build, expand
from modgen.formats.vassal.pieces import Piece as Counter
from modgen.formats.vassal.traits import make
from modgen.layout.abilities import Prototype
from modgen.layout.counters import Marker, fill_in
from modgen.layout.layout import Layout
from modgen.layout.odds import Odds
from modgen.vassal import names
from modgen.vassal.abilities import cards, declaring, filling, hiding, leaving, moving, replacing, strengths, tracks, turning, waiting
from modgen.vassal.abilities.part import Bench, Part, joined
from modgen.vassal.idioms import Trait, hidden, pictures, submenu
from modgen.vassal.names import command
from modgen.vassal.odds import leaders

_PLAIN = {"last": leaving.last, "moved": moving.moved, "trail": moving.trail, "delete": moving.delete}


def part(bench: Bench) -> Part:
    """Everything that a prototype's pieces can do, in the order of their menu."""
    can = bench.prototype.can
    return joined(
        (
            hiding.mask(bench),
            cards.card(bench),
            declaring.numbering(bench),
            declaring.declare(bench) if "declare" in can else Part(),
            leaders.leading(bench),
            declaring.talks(bench),
            strengths.tell(bench),
            strengths.worth(bench),
            turning.steps(bench),
            turning.turned(bench),
            turning.turn_to(bench),
            turning.flip(bench),
            tracks.along(bench),
            turning.states(bench),
            moving.places(bench),
            moving.cross(bench),
            leaving.notes(bench),
            leaving.eliminate(bench),
            leaving.last(bench) if "last" in can else Part(),
            leaving.exit_map(bench),
            leaving.leave(bench),
            leaving.sends(bench),
            waiting.later(bench),
            replacing.give(bench),
            replacing.take(bench),
            *(_PLAIN[word](bench) for word in ("trail", "moved", "delete") if word in can),
        )
    )


def _benches(box: Box, layout: Layout, gpids: Mapping[str, int]) -> list[Bench]:
    """A bench for each prototype; those of markers first, since others put markers down."""
    simple = {p.name: prototype(Bench(layout, box, p, gpids)) for p in layout.play.prototypes if p.markers}
    markers = {m.id: expand(marker(layout, box, m, 0), simple)[0] for m in layout.counters.markers}
    return [Bench(layout, box, p, gpids, markers) for p in layout.play.prototypes]


def prototype(bench: Bench) -> Counter:
    """A prototype: its abilities around an empty piece."""
    made = part(bench)
    inner = (*filling.traits(bench, made.bound), *made.inner)
    return build((*made.outer, *_hidden(made), *made.says, *made.menus, *_submenus(made), *inner), Basic())


def _hidden(made: Part) -> list[Trait]:
    """What the menu does not show everywhere: outside of all that it hides, one trait for each test."""
    by_test: dict[str, list[str]] = {}
    for test, key in made.hides:
        by_test.setdefault(test, []).append(key)
    return [hidden(test, *dict.fromkeys(keys)) for test, keys in by_test.items()]


def _submenus(made: Part) -> list[Trait]:
    entries: dict[str, list[str]] = {}
    for menu, entry in made.under:
        entries.setdefault(menu, []).append(entry)
    return [submenu(menu, listed) for menu, listed in entries.items()]


@once
def prototypes(box: Box, layout: Layout, gpids: Mapping[str, int]) -> Mapping[str, Counter]:
    """Every prototype of the module by name.

    Raises :class:`ArtError` when one puts down a marker that has no number.
    """
    return {bench.prototype.name: prototype(bench) for bench in _benches(box, layout, gpids)}


@once
def parts(box: Box, layout: Layout, gpids: Mapping[str, int]) -> Mapping[str, Part]:
    """Prototype -> what its pieces can do, for the player aid and for the keys that clear marks."""
    return {bench.prototype.name: part(bench) for bench in _benches(box, layout, gpids)}


def unit(layout: Layout, box: Box, piece: Piece, gpid: int) -> Counter:
    """A unit as its slot defines it."""
    can = layout.play.prototype(piece)
    bench = Bench(layout, box, can)
    files = tuple(file for _, file in counters.faces(box, layout, piece))
    values = {
        names.UNIT: piece.id,
        names.SIDE: piece.side,
        names.NATION: piece.nation,
        **{name.capitalize(): str(value) for name, value in zip(piece.columns, piece.strengths, strict=True)},
        **{column.capitalize(): piece.row.text(column) for column in (*can.columns, *_counted(layout, piece))},
        **({names.NOTE: fill_in(can.note, {c: piece.row.text(c) for c in piece.row.values})} if can.note else {}),
        **({names.BOX_X: str(leaving.box_x(bench, piece.id))} if can.eliminate else {}),
        **(_own_box(bench, piece) if can.strength is not None else {}),
        names.LAYER: names.UNIT_LAYER,
    }
    traits: list[Trait] = [
        (make("prototype", name=can.name), ""),
        turning.face(bench, files, layout.named(piece)),
        (make("mark", names=sequence.encode(values, ",")), sequence.encode(values.values(), ",")),
    ]
    return build(traits, Basic(name=layout.named(piece), gpid=str(gpid)))


def _counted(layout: Layout, piece: Piece) -> list[str]:
    """The columns that odds help counts with, beside the strengths that every piece has, of which this piece has a number."""
    columns = layout.odds.columns if layout.odds is not None else ()
    lead = layout.odds.lead if isinstance(layout.odds, Odds) else None
    if lead is not None and not lead.where(piece.row):
        # Who leads nobody has no reach.
        columns = tuple(c for c in columns if c != lead.radius)
    return [c for c in columns if c not in piece.columns and piece.row.values.get(c) is not None]


def marker(layout: Layout, box: Box, item: Marker, gpid: int) -> Counter:
    """A marker as its slot defines it."""
    can = layout.play.marker_prototype(item)
    card = can.card
    says = {names.SAYS: box[card.table][item.id].text(card.says)} if card is not None else {}
    values = {names.MARKER_ID: item.id, **says, names.LAYER: names.MARKER_LAYER}
    traits: list[Trait] = [
        (make("prototype", name=can.name), ""),
        _marker_face(can, item),
        (make("mark", names=sequence.encode(values, ",")), sequence.encode(values.values(), ",")),
    ]
    return build(traits, Basic(name=item.name, gpid=str(gpid)))


def _own_box(bench: Bench, piece: Piece) -> dict[str, str]:
    """The box of a display that bears the piece's own id."""
    at = bench.spot(piece.id)
    return {strengths.BOX: at.name, strengths.BOX_MAP: at.map}


def _marker_face(can: Prototype, item: Marker) -> Trait:
    """The layer of a marker's sides: all of them if it can be turned over, otherwise its front."""
    if can.faces is None or len(item.faces) == 1:
        return pictures(names.FACE, (counters.marker_file(item),), words=(item.name,))
    files = [file for _, file in counters.marker_faces(item)]
    return pictures(names.FACE, files, words=[face.name for face in item.faces], up=command("flip"))


def place_slots(layout: Layout) -> list[str]:
    """The ledger's names of markers that pieces put down."""
    return [moving.place_slot(p.name, item.marker) for p in layout.play.prototypes for item in p.places]
