"""Pieces as texts: they must parse, their prototypes exist, and their numbers last."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from modgen.formats.vassal import engine, sequence
from modgen.formats.vassal.pieces import Piece
from modgen.formats.vassal.validate.model import PROTOTYPE, Check, Definition, Found, Severity, Subject, listed, quoted

_LONGER: dict[str, int] = {"footprint": 1, "locCommand": 3, "prototype": 1}
"""Fields that the coming version of the engine adds, or that may follow."""
_OPEN_END = ("button",)


def _unreadable(subject: Subject) -> Iterator[Found]:
    for found in subject.definitions:
        if found.piece is None:
            yield Found(found.where, f"{quoted(found.text)} is no piece: the engine drops it", "+/ID/TYPE/STATE")
        elif not found.types[-1].startswith("piece;"):
            yield Found(found.where, "its innermost trait is no BasicPiece", "a trait that begins with piece;")


def _states(subject: Subject) -> Iterator[Found]:
    for found in subject.definitions:
        types, states = len(found.types), len(found.states)
        if found.piece is None or types == states:
            continue
        what = f"has {types} traits and {states} states"
        if states < types:
            yield Found(found.where, what + ": the engine stops loading the whole module", f"{types} states")
        else:
            yield Found(found.where, what + ": the engine ignores the rest", f"{types} states", Severity.WARNING)


def _unknown(subject: Subject) -> Iterator[Found]:
    known = engine.traits()
    for found in subject.definitions:
        for where, trait in found.traits():
            if trait.id not in known:
                yield Found(
                    where, f"{quoted(trait.id)} is no trait: the engine puts an empty marker in its place", listed(sorted(known), 60)
                )


def _fields(subject: Subject) -> Iterator[Found]:
    known = engine.traits()
    for found in subject.definitions:
        for where, trait in found.traits():
            entry = known.get(trait.id)
            if entry is None or trait.id in _OPEN_END:
                continue
            most, have = entry.fields + _LONGER.get(trait.id, 0), len(trait.fields)
            if have > most:
                yield Found(
                    where,
                    f"{trait.id} has {have} fields: the engine drops what is beyond {most}",
                    f"{most}; a ; inside a field is written \\;",
                )


def _survives(subject: Subject) -> Iterator[Found]:
    """The engine writes a piece anew into every save: what its own way of writing does not bring back is lost."""
    for found in subject.definitions:
        if found.piece is None or len(found.types) != len(found.states):
            continue
        for what, texts in (("type", found.types), ("state", found.states)):
            again = _split(sequence.encode_nested(list(texts), "\t"), len(texts))
            bad = next((number for number, (one, other) in enumerate(zip(texts, again, strict=False), 1) if one != other), None)
            if bad is None and len(again) == len(texts):
                continue
            text = texts[(bad or 1) - 1]
            yield Found(
                found.where, f"the {what} {quoted(text)} does not survive the engine's own writing", "no part that ends in a backslash"
            )


def _split(text: str, count: int) -> list[str]:
    return sequence.split_nested(text, "\t", count=count)


def _gpid_missing(subject: Subject) -> Iterator[Found]:
    for found in subject.slots:
        if not found.gpid.strip():
            yield Found(found.where, "has no gpid: Refresh Counters leaves its pieces as they are", "a number that no other piece ever had")


def _gpid_twice(subject: Subject) -> Iterator[Found]:
    seen: dict[str, list[Definition]] = defaultdict(list)
    for found in subject.slots:
        if found.gpid.strip():
            seen[found.gpid.strip()].append(found)
    for gpid, found_twice in seen.items():
        if len(found_twice) > 1:
            names = listed((quoted(found.name) for found in found_twice), 4)
            what = f"the gpid {gpid} is that of {len(found_twice)} pieces ({names}): Refresh Counters refuses to run"
            yield Found(found_twice[1].where, what, "a number of its own for each, those inside traits and prototypes too")


def _gpid_next(subject: Subject) -> Iterator[Found]:
    text = subject.root.get("nextPieceSlotId").strip()
    following = int(text) if text.isdecimal() and len(text) < 12 else None
    if following is None:
        yield Found(f"{subject.build_file}: {engine.ROOT}", f"nextPieceSlotId is {quoted(text)}", "a number above every gpid")
        return
    for found in subject.slots:
        gpid = found.gpid.strip()
        if gpid.isdecimal() and len(gpid) < 12 and int(gpid) >= following:
            what = f"the gpid {gpid} is not below nextPieceSlotId ({following}): the next piece made in the editor takes it again"
            yield Found(found.where, what, f"nextPieceSlotId above {gpid}")


def _gpid_differs(subject: Subject) -> Iterator[Found]:
    for found in subject.slots:
        if found.kind != "slot" or found.piece is None or len(found.types) != len(found.states) or not found.types[-1].startswith("piece;"):
            continue
        inner = found.piece.gpid
        if found.gpid.strip() and inner != found.gpid.strip():
            yield Found(
                found.where,
                f"its gpid is {found.gpid}, in its text {quoted(inner)}",
                "the same in both",
                Severity.NOTE if not inner else None,
            )


def _gpid_form(subject: Subject) -> Iterator[Found]:
    for found in subject.slots:
        gpid = found.gpid.strip()
        if gpid and not gpid.isdecimal() and ":" not in gpid:
            yield Found(found.where, f"the gpid {quoted(gpid)} is no number", "digits; extensions write ID:NUMBER")


def _undefined(subject: Subject) -> Iterator[Found]:
    known = subject.module.prototypes
    declared = {found.get("name") for found in subject.all(PROTOTYPE)}
    for found in subject.definitions:
        for where, trait in found.traits():
            if trait.id != "prototype":
                continue
            name = (trait.fields or ("",))[0]
            if name.startswith("{") or "$" in name:
                continue
            if name not in known and name not in declared:
                yield Found(
                    where,
                    f"the prototype {quoted(name)} is not defined: the engine leaves it out without a word",
                    listed(sorted(declared), 12),
                )


def _cycles(subject: Subject) -> Iterator[Found]:
    uses = {name: _used(piece) for name, piece in subject.module.prototypes.items()}
    where = {found.name: found.where for found in subject.definitions if found.kind == "prototype"}
    done: dict[str, bool] = {}
    for start, first in uses.items():
        if start in done:
            continue
        done[start] = False
        path = [(start, iter(first))]
        while path:
            name, below = path[-1]
            following = next(below, None)
            if following is None:
                done[name] = True
                path.pop()
            elif following not in done and following in uses:
                done[following] = False
                path.append((following, iter(uses[following])))
            elif done.get(following) is False:
                names = [step for step, _ in path]
                ring = " > ".join([*names[names.index(following) :], following])
                yield Found(where[following], f"the prototypes hold each other: {ring}", "prototypes without a circle")


def _used(piece: Piece) -> tuple[str, ...]:
    return tuple(dict.fromkeys((trait.fields or ("",))[0] for trait in piece.traits if trait.id == "prototype"))


def _idle(subject: Subject) -> Iterator[Found]:
    used = {name for found in subject.definitions if found.piece is not None for name in _used(found.piece)}
    for found in subject.definitions:
        if found.kind == "prototype" and found.name not in used:
            yield Found(found.where, f"no piece uses the prototype {quoted(found.name)}")


def _marked(subject: Subject) -> Iterator[Found]:
    for found in subject.definitions:
        for where, trait in found.traits():
            if trait.id != "mark":
                continue
            names = sequence.decode((trait.fields or ("",))[0], ",")
            values = sequence.decode(trait.state, ",")
            if len(names) != len(values):
                yield Found(
                    where, f"the marker has {len(names)} names and {len(values)} values", "as many; a comma inside a value is written \\,"
                )


def _slot_names(subject: Subject) -> Iterator[Found]:
    for found in subject.slots:
        if found.kind == "slot" and found.piece is not None and found.name and found.piece.name not in ("", found.name):
            yield Found(found.where, f"the slot is called {quoted(found.name)}, its piece {quoted(found.piece.name)}", "the same name")


CHECKS = (
    Check("piece-unreadable", Severity.ERROR, "every piece can be read", "the engine drops it", _unreadable),
    Check("piece-states", Severity.ERROR, "every trait has a state", "one too few and the module does not load", _states),
    Check(
        "piece-writing", Severity.ERROR, "pieces survive being written by the engine", "they come back changed from every save", _survives
    ),
    Check("trait-unknown", Severity.ERROR, "every trait is one of the engine's", "an empty marker takes its place", _unknown),
    Check("trait-fields", Severity.WARNING, "no trait has more fields than the engine reads", "the engine drops the rest", _fields),
    Check("gpid-missing", Severity.WARNING, "every piece has a gpid", "Refresh Counters cannot find it", _gpid_missing),
    Check("gpid-twice", Severity.ERROR, "every gpid is one piece's only", "Refresh Counters refuses to run", _gpid_twice),
    Check("gpid-next", Severity.ERROR, "nextPieceSlotId is above every gpid", "the editor gives a number away twice", _gpid_next),
    Check("gpid-differs", Severity.WARNING, "a slot and its piece have one gpid", "they are not found by the same number", _gpid_differs),
    Check("gpid-form", Severity.WARNING, "gpids are numbers", "the engine counts on from them", _gpid_form),
    Check(
        "prototype-undefined",
        Severity.ERROR,
        "prototypes that are used are defined",
        "the engine leaves them out without a word",
        _undefined,
    ),
    Check("prototype-circle", Severity.ERROR, "no prototype holds itself", "the engine cannot make the piece", _cycles),
    Check("prototype-unused", Severity.NOTE, "prototypes are used", "they do nothing", _idle),
    Check("marker-values", Severity.WARNING, "markers have as many values as names", "values stand at the wrong names", _marked),
    Check("slot-name", Severity.NOTE, "a slot and its piece have one name", "players see the one, reports say the other", _slot_names),
)
