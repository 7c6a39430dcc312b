"""Where a module gives out gpids: the slots of its palettes, and the traits that put down or replace pieces, also inside prototypes.

The client counts all of them alike. Two with one number make *Refresh Counters* refuse to run, and a number that the ledger does not
hold may be another piece's in the next version.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from modgen.formats.vassal.pieces import Piece, expand, parse_definition
from modgen.formats.vassal.xml import Element
from modgen.vassal.ledger import Ledger

SLOTS = ("VASSAL.build.widget.PieceSlot", "VASSAL.build.widget.CardSlot")
PROTOTYPE = "VASSAL.build.module.PrototypeDefinition"
PLACING = ("placemark", "replace")
NEXT = "nextPieceSlotId"
_DEEPEST = 16


@dataclass(frozen=True, slots=True)
class Use:
    """One place that gives out a gpid: the number as written, what has it (``slot 1 Balt``), and the piece that is made there."""

    gpid: str
    where: str
    piece: Piece


def uses(root: Element) -> tuple[Use, ...]:
    """Every gpid that a build file gives out, in its order. Prototypes of the pieces are not expanded."""
    return tuple(_uses(root))


def _uses(root: Element) -> Iterator[Use]:
    for found in root.iter():
        if found.name in SLOTS:
            piece = parse_definition(found.text)
            name = f"slot {found.attributes.get('entryName', piece.name)}"
            yield Use(found.attributes.get("gpid", ""), name, piece)
            yield from _placed(piece, name, 0)
        elif found.name == PROTOTYPE:
            yield from _placed(parse_definition(found.text), f"prototype {found.attributes.get('name', '')}", 0)


def _placed(piece: Piece, where: str, depth: int) -> Iterator[Use]:
    for trait in piece.traits:
        if trait.id in PLACING and depth < _DEEPEST and trait.field("piece").startswith("+"):
            made = parse_definition(trait.field("piece"))
            name = f"{where}: {trait.id} {made.name}"
            yield Use(trait.field("gpid"), name, made)
            yield from _placed(made, name, depth + 1)


def pieces(root: Element, used: Iterable[Use]) -> Mapping[int, tuple[str, Piece]]:
    """gpid -> what has it, and the piece as the client places it: expanded from its prototypes. ``used`` are the build file's ``uses``."""
    prototypes = {e.attributes.get("name", ""): parse_definition(e.text) for e in root.iter() if e.name == PROTOTYPE}
    return {int(use.gpid): (use.where, expand(use.piece, prototypes)[0]) for use in used if use.gpid.isdecimal()}


def faults(root: Element, used: Iterable[Use], ledger: Ledger) -> list[str]:
    """Numbers given out twice, not in the ledger or not below the module's next one, and pieces that carry another number than their
    place; one line each."""
    known = {number: slot for slot, number in ledger.numbers.items()}
    after = int(root.attributes[NEXT])
    seen: dict[str, str] = {}
    out = []
    for use in used:
        if use.gpid in seen:
            out.append(f"{use.where}: its gpid {use.gpid} is {seen[use.gpid]}'s; allowed: a number of its own from {ledger.path.name}")
        elif not use.gpid.isdecimal() or int(use.gpid) not in known:
            out.append(f"{use.where}: its gpid {use.gpid or '(none)'} is not in {ledger.path.name}; allowed: the number given to it there")
        elif int(use.gpid) >= after:
            out.append(f"{use.where}: its gpid {use.gpid} is not below {NEXT} {after}, so that the client would give it out again")
        if use.piece.gpid != use.gpid:
            out.append(f"{use.where}: its gpid is {use.gpid}, but the piece made there carries {use.piece.gpid or 'none'}")
        seen.setdefault(use.gpid, use.where)
    return out
