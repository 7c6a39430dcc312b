"""Leaders in odds help: one shifts the column of an attack when all of its attackers lie in his reach.

Whether they do, the leader works out himself: only a piece can count what lies in so many hexes around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gamebox.model import Box, Piece
from modgen.formats.vassal.traits import make
from modgen.layout.layout import Layout
from modgen.layout.odds import Lead, Odds
from modgen.vassal import idioms, names
from modgen.vassal.abilities.part import Bench, Part
from modgen.vassal.odds.figure import Figure, match, said
from modgen.vassal.odds.targets import attacking

LEADS = "Leads"
"""Property of a leader: 1 when all attackers of the hex that is being counted lie in his reach, 2 when he rides with one of them; or 0."""
UNITS, LEAD, BOOST = "OddsUnits", "OddsLead", "OddsBoost"
"""How many units attack the hex, the columns of a leader, whether leaders are worth more now."""


def leading(bench: Bench) -> Part:
    """What a leader adds to his prototype; nothing for pieces that lead nobody, or without a section for leaders."""
    odds = bench.layout.odds
    lead = odds.lead if isinstance(odds, Odds) else None
    pieces = [piece for piece in bench.box.pieces if bench.layout.play.prototype(piece) is bench.prototype]
    if lead is None or not isinstance(odds, Odds) or not any(lead.where(piece.row) for piece in pieces):
        return Part()
    attacks, radius = match(attacking(odds)), lead.radius.capitalize()
    tests = [f"CurrentMap=={idioms.quoted(bench.layout.board.map)}", f"{UNITS}>0"]
    tests += [f"({on_map[1:-1]})"] if (on_map := bench.on_map()) else []
    tests += [f"({names.SIDE}!={idioms.quoted(side)} || LocationName!={idioms.quoted(hex_)})" for side, hex_ in lead.idle]
    tests += [f"{lead.state}!={idioms.quoted(word)}" for word in lead.words]
    reach = [f'{radius}!=""', f"CountRange(0, {radius}, {attacks})=={UNITS}", *_needed(bench, odds, lead, pieces)]
    leads = f"({' && '.join(reach)} ? 1 : 0)"
    riders = [piece.id for piece in pieces if lead.rides.tests and lead.rides(piece.row)]
    if riders:
        leads = f"({_one_of(riders)} ? (CountLocation({attacks})>0 ? 2 : 0) : {leads})"
    return Part(inner=((make("calcProp", name=LEADS, expression="{" + f"{' && '.join(tests)} ? {leads} : 0" + "}"), ""),))


def _one_of(ids: Iterable[str]) -> str:
    """A test that a piece is one of these."""
    return "(" + " || ".join(f"{names.UNIT}=={idioms.quoted(piece)}" for piece in ids) + ")"


def _needed(bench: Bench, odds: Odds, lead: Lead, pieces: Iterable[Piece]) -> Iterator[str]:
    """Tests that who must attack with a leader does; true for leaders who need nobody."""
    on = idioms.quoted(bench.layout.board.map)
    for leaders, attackers in lead.needs:
        bound = [piece.id for piece in pieces if leaders(piece.row)]
        if bound:
            with_him = _one_of(piece.id for piece in bench.box.pieces if attackers(piece.row))
            yield f"({_one_of(bound)}==false || CountMap({on}, {match(f'{attacking(odds)} && {with_him}')})>0)"


def figures(box: Box, layout: Layout, odds: Odds, side: str) -> Iterator[Figure]:
    """What a leader moves the column by; ``side`` is the figure with the side of the attackers."""
    lead = odds.lead
    if lead is None:
        return
    on = idioms.quoted(layout.board.map)
    yield Figure(UNITS, "0", f"CountMap({on}, {match(attacking(odds))})")
    boosts = [f"({side}=={idioms.quoted(whose)} && CountMap({on}, {match(_lies(layout, marker))})>0)" for whose, marker in lead.boosts]
    if boosts:
        yield Figure(BOOST, "0", f"{' || '.join(boosts)} ? 1 : 0")
    worth = f"({BOOST}==1 ? {lead.boosted} : {lead.value})" if boosts else str(lead.value)
    leads = match(f"{LEADS}==1 && {names.SIDE}=={side}")
    rides = match(f"{LEADS}==2 && {names.SIDE}=={side}")
    beside = f"CountMap({on}, {rides})>0 ? {lead.value} : 0" if lead.rides.tests else "0"
    yield Figure(LEAD, "0", f"CountMap({on}, {leads})>0 ? {worth} : {beside}")


def _lies(layout: Layout, marker: str) -> str:
    """A test that a piece is this marker, with this side of it up (``marker/side``)."""
    name, _, face = marker.partition("/")
    faces = [f.id for m in layout.counters.markers if m.id == name for f in m.faces]
    level = f" && {names.FACE}_Level=={faces.index(face) + 1}" if face else ""
    return f"{names.MARKER_ID}=={idioms.quoted(name)}{level}"


def words(lead: Lead | None) -> str:
    """What is said of it: ``, 1 right for a leader``; nothing without leaders."""
    if lead is None:
        return ""
    most = f"{BOOST}==1 && {LEAD}=={lead.boosted}" if lead.rides.tests else f"{BOOST}==1"
    boosted = f'({most} ? {said(f" right for {lead.boosted_word}")} : {said(f" right for {lead.word}")})'
    word = boosted if lead.boosts and lead.boosted_word else said(f" right for {lead.word}")
    return f'+({LEAD}==0 ? "" : ", "+{LEAD}+{word})'
