"""Permanent numbers and frozen trait texts: what old games hold on to."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamebox.load import data_root
from gamebox.model import Box
from modgen.formats.vassal.pieces import Basic, Piece, build
from modgen.formats.vassal.traits import make
from modgen.formats.vassal.xml import Element, element
from modgen.layout.layout import Layout
from modgen.vassal import frozen, gpids
from modgen.vassal.ledger import Ledger, LedgerError, read_ledger
from modgen.vassal.slots import slot_names

from .conftest import GAME, Built

LEDGER = data_root() / GAME / "gpids.csv"


def test_the_ledger_is_never_rewritten(box: Box, layout: Layout) -> None:
    """These numbers are in saves that people have: a row may be added at the end, none may change."""
    ledger = read_ledger(LEDGER)
    assert ledger.text() == LEDGER.read_text("utf-8")
    assert not ledger.missing(slot_names(box, layout))
    known = {"su-1-balt": 1, "su-1-br": 2, "su-1-bul": 3, "marker:turn": 120, "marker:control-g": 126}
    assert {slot: ledger.numbers[slot] for slot in known} == known
    assert sorted(ledger.numbers.values())[:126] == list(range(1, 127))


def test_new_slots_get_numbers_after_the_last(tmp_path: Path) -> None:
    path = tmp_path / "gpids.csv"
    path.write_text("gpid,slot,since\n3,a,1\n7,b,1\n", "utf-8")
    ledger = read_ledger(path).with_slots(["b", "c", "a", "d"], "2")
    assert dict(ledger.numbers) == {"a": 3, "b": 7, "c": 8, "d": 9}
    assert ledger.text() == "gpid,slot,since\n3,a,1\n7,b,1\n8,c,2\n9,d,2\n"
    assert ledger.next == 10


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("gpid,slot,since\n2,a,1\n1,b,1\n", "gpids.csv:3:1: 1 after 2: numbers only grow"),
        ("gpid,slot,since\n1,a,1\n2,a,1\n", "gpids.csv:3:2: a has the number 1 already"),
        ("gpid,slot,since\nx,a,1\n", "gpids.csv:2:1: 'x,a,1' is no row"),
        ("gpid,slot,since\n1,a\n", "gpids.csv:2:1: '1,a' is no row; 3 cells are needed: gpid,slot,since"),
        ("number,slot\n", "gpids.csv:1:1: the heading is number,slot; it must be gpid,slot,since"),
        ("", "gpids.csv:1:1: the heading is ; it must be gpid,slot,since"),
    ],
)
def test_a_damaged_ledger_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "gpids.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(LedgerError, match=said):
        read_ledger(path)


def test_a_counter_that_is_gone_keeps_its_row_and_number(tmp_path: Path) -> None:
    path = tmp_path / "gpids.csv"
    path.write_text("gpid,slot,since,until\n1,a,1,2.0\n2,b,1,\n", "utf-8")
    ledger = read_ledger(path)
    assert ledger.until == {"a": "2.0"} and ledger.gone(["b"], 2) == ()
    assert ledger.with_slots(["c"], "2.0").text() == "gpid,slot,since,until\n1,a,1,2.0\n2,b,1,\n3,c,2.0,\n"
    (again,) = ledger.gone(["a", "b"], 2)
    what = "a went with 2.0, but the module has it; a counter that comes back has nothing in `until`"
    assert str(again) == f"{tmp_path.name}/gpids.csv:2:1: {what}"


def test_a_counter_that_people_have_may_not_vanish_without_a_word() -> None:
    ledger = Ledger(Path("a-game/gpids.csv"), {"a": 1, "b": 2, "c": 3}, dict.fromkeys("abc", "1"))
    (gone,) = ledger.gone(["b"], 2)
    assert str(gone).startswith("a-game/gpids.csv:2:1: a (gpid 1) is in games that people have, and no counter of the module any more")
    assert ledger.gone(["b"], 0) == ()


def test_the_fingerprint_tells_a_number_that_moved_and_is_blind_to_new_ones() -> None:
    before = Ledger(Path("g/gpids.csv"), {"a": 1, "b": 2}, dict.fromkeys("ab", "1"))
    assert before.fingerprint(2) == before.with_slots("c", "2").fingerprint(2)
    assert before.fingerprint(2) != Ledger(before.path, {"a": 2, "b": 1}, before.since).fingerprint(2)
    assert before.fingerprint(2) != Ledger(before.path, {"a": 1, "x": 2}, {"a": "1", "x": "1"}).fingerprint(2)


# -- every gpid of a module


def _marker(gpid: str) -> Piece:
    return build([(make("delete"), "")], Basic(name="Hole", gpid=gpid))


def _unit(gpid: str, placed: str, inner: str | None = None) -> Piece:
    place = make("placemark", menu="Dig", piece=str(_marker(placed if inner is None else inner)), gpid=placed)
    return build([(place, "")], Basic(name="Digger", gpid=gpid))


def _module(*slots: Piece, prototype: Piece | None = None, after: int = 10) -> Element:
    root = element("VASSAL.build.GameModule", nextPieceSlotId=after)
    if prototype is not None:
        root.add("VASSAL.build.module.PrototypeDefinition", str(prototype), name="Sapper")
    for piece in slots:
        root.add("VASSAL.build.widget.PieceSlot", str(piece), entryName=piece.name, gpid=piece.gpid)
    return root


@pytest.mark.parametrize(
    ("root", "said"),
    [
        (_module(_unit("1", "2"), _marker("3"), prototype=_unit("", "4")), ""),
        (_module(_unit("1", "2"), _marker("2")), "slot Hole: its gpid 2 is slot Digger: placemark Hole's; allowed: a number of its own"),
        (_module(_marker("1"), prototype=_unit("", "1")), "slot Hole: its gpid 1 is prototype Sapper: placemark Hole's"),
        (_module(_unit("1", "7")), "slot Digger: placemark Hole: its gpid 7 is not in gpids.csv"),
        (_module(_unit("1", "")), "slot Digger: placemark Hole: its gpid (none) is not in gpids.csv"),
        (_module(_marker("4"), after=4), "slot Hole: its gpid 4 is not below nextPieceSlotId 4"),
        (_module(_unit("1", "2", inner="3")), "slot Digger: placemark Hole: its gpid is 2, but the piece made there carries 3"),
    ],
)
def test_every_number_that_a_module_gives_out_is_its_own_and_in_the_ledger(root: Element, said: str) -> None:
    ledger = Ledger(Path("g/gpids.csv"), {"a": 1, "b": 2, "c": 3, "d": 4}, dict.fromkeys("abcd", "1"))
    found = gpids.faults(root, gpids.uses(root), ledger)
    assert (found == []) if not said else (len(found) == 1 and found[0].startswith(said)), found


def test_the_module_gives_out_the_numbers_of_the_ledger(built: Built) -> None:
    used = gpids.uses(built.root)
    ledger = read_ledger(LEDGER)
    assert gpids.faults(built.root, used, ledger) == []
    assert {int(use.gpid) for use in used} <= set(ledger.numbers.values()) and len(used) >= 126


# -- frozen texts


def _piece(*texts: str, gpid: str = "1") -> Piece:
    return build([(text, "") for text in texts], Basic(name="1st", gpid=gpid))


HITS = make("PROP", name="Hits", commands=":57350\\,0\\,hit:I\\,1")
MOVED = make("markmoved", menu="Mark moved")
STEPS = make("emb2", images="a.png,a-back.png", name="Step")
FREE = (
    make("emb2", images="a.png", name="Face"),
    make("emb2", images="a.png,b.png", name="Mark", follow=True, property="{Hits}"),
    make("mark", names="UnitId"),
    make("macro", menu="Declare"),
    make("sendto", map="Main Map"),
)


def test_only_traits_with_state_are_frozen() -> None:
    piece = _piece(HITS, MOVED, STEPS, *FREE)
    assert [trait.text for trait in frozen.stateful(piece)] == [HITS, MOVED, STEPS]
    assert [frozen.named(trait) for trait in frozen.stateful(piece)] == ["PROP Hits", "markmoved", "emb2 Step"]


def test_a_layer_that_can_be_switched_off_has_state() -> None:
    assert list(frozen.stateful(_piece(make("emb2", images="smoke.png", name="Smoke", always_active=False))))


def test_frozen_rows_go_through_their_file(tmp_path: Path) -> None:
    pieces = {number: (f"slot {number}", _piece(HITS, MOVED if number < 4 else STEPS)) for number in (1, 2, 3, 7)}
    rows = frozen.frozen_with((), pieces, {}, "1.0")
    path = tmp_path / "frozen.csv"
    path.write_text(frozen.text_of(rows), "utf-8")
    read = frozen.read_frozen(path)
    assert [(row.since, row.until, row.trait, row.gpids, row.text) for row in read] == [
        ("1.0", "", "PROP Hits", (1, 2, 3, 7), HITS),
        ("1.0", "", "markmoved", (1, 2, 3), MOVED),
        ("1.0", "", "emb2 Step", (7,), STEPS),
    ]
    assert "PROP Hits,1-3 7," in path.read_text("utf-8")
    assert frozen.frozen_with(read, pieces, {}, "1.1") == read
    assert frozen.faults(path, read, pieces, {}) == ()


def test_a_changed_text_is_told_with_the_piece_both_texts_and_what_would_be_lost(tmp_path: Path) -> None:
    path = tmp_path / "a-game" / "frozen.csv"
    path.parent.mkdir()
    before = {1: ("slot 1st", _piece(MOVED)), 2: ("slot 2nd", _piece(MOVED))}
    path.write_text(frozen.text_of(frozen.frozen_with((), before, {}, "1.0")), "utf-8")
    rows = frozen.read_frozen(path)
    other = make("markmoved", menu="Moved")
    after = {1: ("slot 1st", _piece(other)), 2: ("slot 2nd", _piece())}
    (said,) = frozen.faults(path, rows, after, {})
    assert str(said).startswith(
        f"a-game/frozen.csv:2:1: slot 1st (gpid 1) and 1 more: the trait markmoved was {MOVED!r} since 1.0, and is {other!r}; "
        "in every game under way Refresh Counters would forget whether it has moved."
    )
    (gone,) = frozen.faults(path, rows, {2: ("slot 2nd", _piece())}, {})
    assert "slot 2nd (gpid 2): the trait markmoved" in str(gone) and "and is gone" in str(gone)
    path.write_text(path.read_text("utf-8").replace("1.0,,", "1.0,2.0,"), "utf-8")
    assert frozen.faults(path, frozen.read_frozen(path), after, {}) == ()
    assert [row.since for row in frozen.frozen_with(frozen.read_frozen(path), after, {}, "2.0")] == ["1.0", "2.0"]


def test_the_number_of_a_named_key_is_the_engines_own_affair() -> None:
    """The engine numbers named keys anew in every session: only the name counts."""
    assert frozen.same(HITS, HITS.replace("57350", "57399"))
    assert not frozen.same(HITS, HITS.replace("hit:", "hits:"))
    assert not frozen.same("delete;Delete;68,130;", "delete;Delete;68,0;")
    assert frozen.same("emb2;57361,0,flip", "emb2;60001,0,flip") and not frozen.same("x;57361,0,9", "x;57362,0,9")


def test_new_traits_and_new_order_are_free(tmp_path: Path) -> None:
    rows = frozen.frozen_with((), {1: ("slot 1st", _piece(HITS, MOVED))}, {}, "1.0")
    assert frozen.faults(tmp_path / "frozen.csv", rows, {1: ("slot 1st", _piece(STEPS, MOVED, *FREE, HITS))}, {}) == ()


@pytest.mark.parametrize("gpids_text", ["", "x", "3-1", "2 1", "1-", "1,2"])
def test_a_damaged_frozen_file_is_refused(tmp_path: Path, gpids_text: str) -> None:
    path = tmp_path / "frozen.csv"
    path.write_text(f'since,until,trait,gpids,text\n1.0,,markmoved,"{gpids_text}",markmoved;\n', "utf-8")
    with pytest.raises(LedgerError, match=r"frozen.csv:2:1: .* is no row; a version, a version or nothing, a trait, numbers like 1-40 42"):
        frozen.read_frozen(path)


def _table(name: str = "Sample", board: str = "Map", phases: str = "Move,Fight", maps: str = "Main Map") -> Element:
    root = element("VASSAL.build.GameModule", name=name)
    tracker = root.add("VASSAL.build.module.turn.TurnTracker", name="Turn")
    tracker.add("VASSAL.build.module.turn.CounterTurnLevel").add("VASSAL.build.module.turn.ListTurnLevel", list=phases)
    picker = root.add("VASSAL.build.module.Map", mapName=maps).add("VASSAL.build.module.map.BoardPicker")
    picker.add("VASSAL.build.module.map.boardPicker.Board", name=board)
    return root


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (_table(), ""),
        (_table(phases="Move,Fight,Supply"), ""),
        (_table(phases="Supply,Move,Fight"), "the turn tracker 0 was 'Move,Fight' since 1.0, and is 'Supply,Move,Fight'; games under way"),
        (_table(phases="Move"), "the turn tracker 0 was 'Move,Fight' since 1.0, and is 'Move'; games under way would show another phase"),
        (_table(name="Other"), "the name was 'Sample' since 1.0, and is 'Other'; clients would take it for another game's module"),
        (_table(board="Board"), "the map Main Map was 'Map' since 1.0, and is 'Board'; games under way would come up without this map"),
        (_table(maps="Map"), "the map Main Map was 'Map' since 1.0, and is gone; games under way would come up without this map"),
    ],
)
def test_what_saves_name_outside_of_pieces_is_frozen_too(tmp_path: Path, after: Element, said: str) -> None:
    path = tmp_path / "frozen.csv"
    path.write_text(frozen.text_of(frozen.frozen_with((), {}, frozen.fixtures(_table()), "1.0")), "utf-8")
    rows = frozen.read_frozen(path)
    assert [(row.trait, row.gpids, row.text) for row in rows] == [
        ("name", (), "Sample"),
        ("turn tracker 0", (), "Move,Fight"),
        ("map Main Map", (), "Map"),
    ]
    found = [str(fault) for fault in frozen.faults(path, rows, {}, frozen.fixtures(after))]
    assert (found == []) if not said else (len(found) == 1 and said in found[0] and "`until`" in found[0]), found
    grown = frozen.frozen_with(rows, {}, frozen.fixtures(_table(phases="Move,Fight,Supply")), "1.1")
    assert [(row.since, row.text) for row in grown[3:]] == [("1.1", "Move,Fight,Supply")]
    assert frozen.frozen_with(grown, {}, frozen.fixtures(_table(phases="Move,Fight,Supply")), "1.2") == grown
