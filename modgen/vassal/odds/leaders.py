"""Leaders in odds help: one shifts the column of an attack when all of its attackers lie in his reach.

Whether they do, the leader works out himself: only a piece can count what lies in so many hexes around it.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamebox.model import Box
from modgen.formats.vassal.traits import make
from modgen.layout.layout import Layout
from modgen.layout.odds import Lead, Odds
from modgen.vassal import idioms, names
from modgen.vassal.abilities.part import Bench, Part
from modgen.vassal.odds.figure import Figure, match, said
from modgen.vassal.odds.targets import attacking

LEADS = "Leads"
"""Property of a leader: 1 when all attackers of the hex that is being counted lie in his reach, else 0."""
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
    tests = [f"CurrentMap=={idioms.quoted(bench.layout.board.map)}", f'{radius}!=""', f"{UNITS}>0"]
    tests += [f"({on_map[1:-1]})"] if (on_map := bench.on_map()) else []
    tests += [f"({names.SIDE}!={idioms.quoted(side)} || LocationName!={idioms.quoted(hex_)})" for side, hex_ in lead.idle]
    tests += [f"{lead.state}!={idioms.quoted(word)}" for word in lead.words]
    reach = f"CountRange(0, {radius}, {attacks})=={UNITS}"
    return Part(inner=((make("calcProp", name=LEADS, expression="{" + f"{' && '.join(tests)} ? ({reach} ? 1 : 0) : 0" + "}"), ""),))


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
    yield Figure(LEAD, "0", f"CountMap({on}, {leads})>0 ? {worth} : 0")


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
    boosted = f'({BOOST}==1 ? {said(f" right for {lead.boosted_word}")} : {said(f" right for {lead.word}")})'
    word = boosted if lead.boosts and lead.boosted_word else said(f" right for {lead.word}")
    return f'+({LEAD}==0 ? "" : ", "+{LEAD}+{word})'
