"""What is told when the players' part of a layout does not fit its game: each fault by its place, with what is allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamebox.load import data_root, load_box
from gamebox.model import Box
from modgen.layout.layout import Layout, read_layout
from modgen.layout.reading import LayoutErrors

GAME = "overlord-to-berlin"


@pytest.fixture(scope="module")
def box() -> Box:
    return load_box(GAME)


@pytest.fixture(scope="module")
def text() -> str:
    return (data_root() / GAME / "module.toml").read_text("utf-8")


def read(text: str, box: Box, folder: Path) -> Layout:
    path = folder / "module.toml"
    path.write_text(text, "utf-8")
    return read_layout(path, box)


FAULTS = {
    "a card of no deck": (
        'deck = "axis-stratagems", hands',
        'deck = "axis-pile", hands',
        "[[prototype]] Axis stratagem card deck: 'axis-pile' is no",
    ),
    "a hand that is no place": (
        'hands = ["axis-hand"]',
        'hands = ["axis-hnd"]',
        "[[prototype]] Axis stratagem card: 'axis-hnd' is no place",
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


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_told_by_its_place(name: str, text: str, box: Box, tmp_path: Path) -> None:
    old, new, said = FAULTS[name]
    assert old in text, "the layout has changed: this test must plant its fault elsewhere"
    with pytest.raises(LayoutErrors) as caught:
        read(text.replace(old, new, 1), box, tmp_path)
    assert said in str(caught.value), str(caught.value)
    assert all(str(error).startswith(f"{GAME}/module.toml") for error in caught.value.errors)


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
