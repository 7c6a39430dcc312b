"""What is told when the players' part of a layout does not fit its game: each fault by its place, with what is allowed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from gamebox.load import data_root, load_box
from gamebox.model import Box
from modgen.layout.layout import Layout, read_layout
from modgen.layout.reading import LayoutErrors

AREAS, HEXES = "overlord-to-berlin", "great-patriotic-war"
"""A game of areas with secrets and cards; one of hexes with areas to set up in, whose units are rebuilt and converted."""


@cache
def game(name: str) -> Box:
    return load_box(name)


def layout_text(name: str) -> str:
    return (data_root() / name / "module.toml").read_text("utf-8")


@pytest.fixture(scope="module")
def box() -> Box:
    return game(AREAS)


@pytest.fixture(scope="module")
def text() -> str:
    return layout_text(AREAS)


def read(text: str, box: Box, folder: Path) -> Layout:
    path = folder / "module.toml"
    path.write_text(text, "utf-8")
    return read_layout(path, box)


AREA_FAULTS = {
    "a card of no deck": (
        'deck = "axis-stratagems", hands',
        'deck = "axis-pile", hands',
        "[[prototype]] Axis rethrow card deck: 'axis-pile' is no",
    ),
    "a hand that is no place": (
        'hands = ["axis-hand"]',
        'hands = ["axis-hnd"]',
        "[[prototype]] Axis rethrow card: 'axis-hnd' is no place",
    ),
    "a back that is not drawn": ('mask = "card-axis"', 'mask = "card-red"', "card mask: 'card-red' is no [[mask]] of this file"),
    "a deck without such cards": ('cards = ["op-*"]', 'cards = ["xx-*"]', "[[deck]] operational-stratagems cards: 'xx-*' is no marker"),
    "a deck in no box": (
        '[[deck]]\nbox = "west-stratagems"',
        '[[deck]]\nbox = "stratagems"',
        "[[deck]] box: 'stratagems' is no box drawn here",
    ),
    "a deck for nobody": (
        'seats = ["Axis", "Referee", "Solo"]\n\n[[deck]]',
        'seats = ["Ax"]\n\n[[deck]]',
        "[[deck]] seats: 'Ax' is no player",
    ),
    "a draw from nowhere": ('text = "Axis: 2 national"', 'text = "Axis: 2 national"\nhands = 1', "hands: no such setting"),
    "two buttons of one text": ('text = "Axis: 2 national"', 'text = "Axis: 1 national"', "'Axis: 1 national' is here twice"),
    "a menu that is not there": ('menu = "Dice"', 'menu = "Dices"', "[[die]] menu: 'Dices' is no [[menu]] of this file"),
    "an order that nobody knows": ('order = "face-up"', 'order = "face-down"', "[[order]] order: 'face-down' is no order"),
    "a track that is not there": ('row = "Resource Points/Italy"', 'row = "Italy"', "along row: 'Italy' is no row of a [[track]]"),
    "a key that is none": ('up_key = "Ctrl+U"', 'up_key = "Ctrl-U"', "up_key: 'Ctrl-U' is not allowed"),
    "a start at no place": ('at = "Axis PR 0"', 'at = "Axis PR"', "[[start]] at: 'Axis PR' is no place"),
    "a start with a column of another table": ('at = "{zone}"', 'at = "{hex}"', "'hex' is no column of zones"),
    "a way to no place": ('to = "axis-removed"', 'to = "axis-gone"', "send to: 'axis-gone' is no place of the boards"),
    "a way from no place": ('from = ["Axis Display"]', 'from = ["Axis Board"]', "send from: 'Axis Board' is no place or map"),
    "a way by rows that none pass": ('where = { kind = "display", side = "axis" }', 'where = { kind = "x" }', "no row of boxes passes"),
    "a way with a wrong column": ('menu = "{zone} {name}"', 'menu = "{zone} {nam}"', "'nam' is no column of zones"),
    "a turn that pieces have not": ('columns = ["command", "arrives"]', 'columns = ["command"]', "send turn: 'arrives' is no column that"),
    "a face that is none": ('face = "last"', 'face = "front"', "face: 'front' is not allowed"),
    "a prototype like none": ('like = "Axis unit"', 'like = "Unit of the Axis"', "like: 'Unit of the Axis' is no prototype above it"),
    "pieces that lie nowhere": (
        'lies = { axis-reserve = "Axis Display/axis-reserve" }',
        'lies = { axis-reserve = "Axis Display/reserve" }',
        "lies: 'Axis",
    ),
    "a strength for nobody": ('seats = ["Axis", "Referee", "Solo"], table', 'seats = ["Axe"], table', "strength seats: 'Axe' is no player"),
    "a strength of no table": ('table = "crt_columns", named', 'table = "crt_column", named', "strength table: 'crt_column' is no table"),
    "a step without a name": ('spending = "spending of PR"\n', "", "[phases.columns.step]: 'spending' is no word put here"),
    "a display for nobody": (
        'seats = ["Allied", "Soviet", "Referee", "Solo"]\ncolumns',
        'seats = ["Red"]\ncolumns',
        "seats: 'Red' is no player",
    ),
}


STATE = 'keys = ["Ctrl+A", "Ctrl+Shift+T", "Ctrl+I"]'
HEX_FAULTS = {
    "a side that is not there": ('side = "soviet"\nheading', 'side = "red"\nheading', "[[cards.side]]: 'red' is no side with pieces"),
    "a side left out of the set-up window": ('side = "soviet"\nheading', 'side = "axis"\nheading', "'soviet' is no side listed here, but"),
    "a waiting box of no game": ('boxes = ["out", "variants"]', 'boxes = ["out", "gone"]', "[cards] boxes: 'gone' is no box of the game"),
    "an area by a wrong column": (
        'where = { kind = "stavka" }',
        'where = { sort = "stavka" }',
        "[[cards.area]] where: 'sort' is no column of",
    ),
    "an area in a style that is none": ('style = "spots"', 'style = "dots"', "[cards] [[area]] 3 style: 'dots' is not allowed; one of"),
    "a space named by nothing": ('named = "{name}, {scenario}"', 'named = "{nam}"', "[cards] named: '{nam}' cannot be filled in"),
    "a space with half a brace": ('named = "{name}, {scenario}"', 'named = "{name"', "[cards] named: '{name' cannot be filled in"),
    "a notice of no table": (
        'force = "axis" }\ntable = "order_of_battle"',
        'force = "axis" }\ntable = "arrivals"',
        "table: 'arrivals' is no table of the game",
    ),
    "a notice without turns": (
        'force = "axis" }\ntable = "order_of_battle"',
        'force = "axis" }\ntable = "cities"',
        "table: cities has no column turn; a notice is about a turn",
    ),
    "a notice at no phase": (
        '[[notice]]\nphases = { phase = "replacement", force',
        '[[notice]]\nphases = { phase = "replacement", by',
        "phases: 'by' is no column of phases",
    ),
    "a notice by a wrong column": ('event = ["withdrawal", "recall"]', 'sort = ["withdrawal"]', "'sort' is no column of order_of_battle"),
    "a notice that shows a wrong column": ('show = "{number}"', 'show = "{count}"', "'count' is no column of rates"),
    "a notice that says nothing": ('show = "{number}"\n', "", "says nothing; allowed: show, or [[notice.case]] with show"),
    "a tally of no place": ('place = "dead-axis", prop', 'place = "dead", prop', "[[tally]] Losses place: 'dead' is no place"),
    "a tally of no property": (
        'property = "Nation"',
        'property = "Country"',
        "[[tally]] Losses property: 'Country' is no property of pieces",
    ),
    "a tally called like a die": ('text = "Losses"', 'text = "Weather"', "'Weather' is here twice; a client tells buttons"),
    "a start with no such side up": ('face = "free"', 'face = "loose"', "[[start]] romania-bound face: 'loose' is no side of the marker"),
    "a start in no scenario": (
        'at = "States of the War"\nscenarios = ["barbarossa", "campaign"]',
        'at = "States of the War"\nscenarios = ["barbarosa"]',
        "[[start]] scenarios: 'barbarosa' is no",
    ),
    "a start by no region": (
        'held = { kind = "control"',
        'held = { sort = "control"',
        "[[start]] control-axis held: 'sort' is no column of",
    ),
    "a start by no hex": ('hexes = { country = ["ussr"', 'hexes = { land = ["ussr"', "'land' is no column of hexes"),
    "words without a mark": (
        ', "support-axis/interception"]',
        "]",
        "Axis aircraft state Mission: 3 words and 2 marks; allowed: one for each",
    ),
    "a mark of no side": ("support-axis/interception", "support-axis/hunt", "state marks: 'support-axis/hunt' is no marker of this file"),
    "words without a key": (STATE, 'keys = ["Ctrl+A"]', "Axis aircraft state Mission: 3 words and 1 keys; allowed: one for each"),
    "keys that choose nothing": ("choose = true\nkeys", "keys", "Axis aircraft state Mission: keys, verb and codes go with choose"),
    "a verb without its words": (
        'codes = ["OAS", "DAS", "INT"]\n',
        "",
        "state Mission: keys, verb and codes go with choose, and verb with codes",
    ),
    "a mark that ends at no phase": ('until = [{ phase = "rep', 'until = [{ step = "rep', "state until: 'step' is no column of phases"),
    "a note of a wrong column": (
        'note = "command radius {radius}"',
        'note = "radius {reach}"',
        "Axis leader note: 'reach' is no column of its pieces",
    ),
    "turned where there is nothing": ('from = ["dead-soviet"]', 'from = ["dead"]', "turn from: 'dead' is no place of the boards"),
    "turned without a second face": (
        'faces = { kind = "steps", words = ["(reduced)"], states = ["reduced"] }\n\n[[prototype.turn]]',
        "\n[[prototype.turn]]",
        "turn: its pieces have no steps; allowed with faces of the kind steps",
    ),
    "later than any place": ('turns = 3\nbeyond = "out"', 'turns = 3\nbeyond = "never"', "Partisans later beyond: 'never' is no place"),
    "a notice in no scenario": (
        'scenarios = ["uranus"]',
        'scenarios = ["uranos"]',
        "scenarios: 'uranos' is no scenario of the game",
    ),
    "a crossing to no hex": (
        'ends = ["A2714", "A2715"], once = "axis"',
        'ends = ["A2714", "A9999"], once = "axis"',
        "cross ends: 'A9999' is no hex",
    ),
    "a reserve of two words": (
        'words = ["in reserve"]\nmarks = ["reserve"]',
        'words = ["in reserve", "out"]\nmarks = ["reserve", ""]',
        "state Reserve until_moved: 2 words; allowed: one",
    ),
    "halves without their marker": (
        'marker = "first-player"\nsides',
        'marker = "first"\nsides',
        "[phases.halves] marker: 'first' is no marker",
    ),
    "a turn by a wrong column": (
        'where = { axis_aircraft = "1" }\nalone',
        'where = { planes = "1" }\nalone',
        "later where: 'planes' is no column of turns",
    ),
    "room made to no place": (
        'key = "Ctrl+G", to = "dead-soviet"',
        'key = "Ctrl+G", to = "dead"',
        "Soviet army give to: 'dead' is no place",
    ),
    "room taken from no place": ('from = ["conversions"]', 'from = ["hand"]', "Guards or shock army take from: 'hand' is no place"),
    "a slot by a wrong column": (
        'kind = ["GDS", "SHK"] } },',
        'sort = "GDS" } },',
        "dead-soviet slot 'Guards, shock' where: 'sort' is no column",
    ),
    "a slot without piles": ("piles = 3", "piles = 0", "[[slot]] 1 piles: 0 is not allowed; a whole number from 1 to 9"),
    "a unit named by nothing": ('named = "{name}', 'named = "{nam}', "named: '{nam}"),
    "a phase named by nothing": ('[phases]\nnamed = "{name}"', '[phases]\nnamed = "{nam}"', "[phases] named: '{nam}' cannot be filled in"),
}
FAULTS = [(game, name, *fault) for game, faults in ((AREAS, AREA_FAULTS), (HEXES, HEX_FAULTS)) for name, fault in faults.items()]


@pytest.mark.parametrize(("name", "old", "new", "said"), [(g, *rest) for g, _, *rest in FAULTS], ids=[name for _, name, *_ in FAULTS])
def test_a_fault_is_told_by_its_place(name: str, old: str, new: str, said: str, tmp_path: Path) -> None:
    text = layout_text(name)
    assert old in text, "the layout has changed: this test must plant its fault elsewhere"
    with pytest.raises(LayoutErrors) as caught:
        read(text.replace(old, new, 1), game(name), tmp_path)
    assert said in str(caught.value), str(caught.value)
    assert all(str(error).startswith(f"{name}/module.toml") for error in caught.value.errors)


def test_a_prototype_has_all_of_the_one_that_it_is_like_and_more(text: str, box: Box, tmp_path: Path) -> None:
    prototypes = {p.name: p for p in read(text, box, tmp_path).play.prototypes}
    assert not {"Unit", "Axis unit", "German unit", "Formation"} & set(prototypes), "they are only there to be taken from"
    infantry, ally = prototypes["German infantry"], prototypes["Axis ally unit"]
    assert infantry.secret == ally.secret == "Axis" and infantry.faces == ally.faces
    assert {s.under for s in infantry.sends} == {s.under for s in ally.sends} | {"Leave as a pocket in"}
    shared = [s for s in infantry.sends if s.under != "Leave as a pocket in"]
    assert shared == list(ally.sends)
    assert infantry.eliminate != ally.eliminate


def test_ways_are_made_from_the_rows_of_a_table(text: str, box: Box, tmp_path: Path) -> None:
    (western,) = (p for p in read(text, box, tmp_path).play.prototypes if p.name == "Western formation")
    landing = {z.key: f"{z.key} {z.text('name')}" for z in box["zones"] if z.int("landing_limit") > 0}
    assert {s.to: s.menu.text for s in western.sends if s.under == "Land in"} == landing
