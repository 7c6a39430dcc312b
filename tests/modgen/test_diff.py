"""What changed, in words: every kind of change between modules, saves, logs and texts is told once, and nothing else is."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modgen.formats.errors import FormatError
from modgen.formats.vassal import sequence
from modgen.formats.vassal.archive import pack
from modgen.formats.vassal.diff import Report, diff, text
from modgen.formats.vassal.diff.model import Change, Kind, in_words, side_by_side
from modgen.formats.vassal.dump import dump
from modgen.formats.vassal.pieces import parse_piece
from modgen.formats.vassal.traits import make
from modgen.formats.vassal.xml import Element
from tests.formats.files import COOKBOOK, LOGS, MODULES, PASSWORDS, ROOT, SAMPLE, SAVES, name

from .seeding import GRID, MAP, Kit, M, W, png
from .test_validate import unit
from .test_validate_modules import NASTY

SCHEMA = json.loads((ROOT / "docs/schema/diff-1.json").read_text("utf-8"))
DEMO, ORACLE = COOKBOOK / "cookbook-demo.vmod", SAMPLE / "sample.vmod"


def changed(tmp_path: Path, base: Path, change: Callable[[Kit], object]) -> Report:
    """A module against itself with one thing changed."""
    kit = Kit(base)
    new = tmp_path / "new.vmod"
    change(kit)
    new.write_bytes(kit.packed())
    return diff(base, new)


def sentences(report: Report) -> list[str]:
    return [f"{'! ' if change.loud else ''}{change.group}: {in_words(change, None)}" for change in report.changes]


def slot(kit: Kit, gpid: str) -> Element:
    return kit.one(W + "PieceSlot", gpid=gpid)


def retyped(kit: Kit, gpid: str, old: str, new: str) -> None:
    found = slot(kit, gpid)
    assert old in found.text
    found.text = found.text.replace(old, new)


def renumbered(kit: Kit, one: str, other: str) -> None:
    """A slot takes another number, in its text too."""
    found = slot(kit, one)
    found.attributes["gpid"] = other
    found.text = found.text.replace(f"null;0;0;{one};0", f"null;0;0;{other};0")


def swapped(kit: Kit) -> None:
    renumbered(kit, "1", "99")
    renumbered(kit, "2", "1")
    renumbered(kit, "99", "2")


def prototype(old: str, new: str) -> Callable[[Kit], None]:
    def change(kit: Kit) -> None:
        def traits(types: list[str], states: list[str]) -> None:
            at = next(n for n, found in enumerate(types) if old in found)
            types[at] = types[at].replace(old, new)

        kit.prototype("Unit", traits)

    return change


def dropped_trait(start: str) -> Callable[[Kit], None]:
    def change(kit: Kit) -> None:
        def traits(types: list[str], states: list[str]) -> None:
            at = next(n for n, found in enumerate(types) if found.startswith(start))
            del types[at], states[at]

        kit.prototype("Unit", traits)

    return change


def attribute(kind: str, key: str, value: str, **which: str) -> Callable[[Kit], None]:
    return lambda kit: kit.one(kind, **which).attributes.update({key: value})


def versioned(version: str) -> Callable[[Kit], None]:
    def change(kit: Kit) -> None:
        kit.root.attributes["version"] = version
        kit.metadata(lambda data: replace(data, version=version))

    return change


BOARD = 'Map "Main Map" > BoardPicker "Choose Boards" > Board "Board"'
ALL_UNITS = '"R1 Inf", "R2 Tank", "B1 Inf", "B2 Inf", "R3 Inf"'
CHANGES: list[tuple[Path, Callable[[Kit], object], list[str]]] = [
    # -- what it says of itself
    (DEMO, versioned("1.1"), ["Identity: module: version 1.0 -> 1.1"]),
    (
        DEMO,
        lambda kit: kit.root.attributes.update(name="Other", ModuleOther2="data abc"),
        [
            "! Identity: module: name Cookbook Demo -> Other (saves ask whether they may be loaded)",
            "Identity: module: data hash (nothing) -> data abc",
        ],
    ),
    (
        DEMO,
        lambda kit: kit.root.attributes.update(nextPieceSlotId="902"),
        ["! Identity: module: nextPieceSlotId 1901 -> 902 (numbers that were given away can be given again)"],
    ),
    # -- numbers of pieces
    (
        DEMO,
        swapped,
        [
            "! Numbers of pieces: UnitId R1: gpid 1 -> 2 (in older saves Refresh Counters makes it UnitId R2)",
            "! Numbers of pieces: UnitId R2: gpid 2 -> 1 (in older saves Refresh Counters makes it UnitId R1)",
        ],
    ),
    (
        DEMO,
        lambda kit: renumbered(kit, "3", "77"),
        ["! Numbers of pieces: UnitId B1: gpid 3 -> 77 (its pieces in older saves are no longer found)"],
    ),
    (
        DEMO,
        lambda kit: retyped(kit, "5", "R3,Red", "R9,Red"),
        ["! Numbers of pieces: gpid 5: is UnitId R3 -> UnitId R9 (in older saves Refresh Counters makes the one the other)"],
    ),
    # -- pieces
    (DEMO, lambda kit: kit.slot(make("delete"), gpid="800"), ['Pieces: added: "Extra" (gpid 800)']),
    (ORACLE, lambda kit: kit.drop(slot(kit, "6")), ['Pieces: removed: "Disrupted" (gpid 6)']),
    (
        DEMO,
        lambda kit: slot(kit, "2").attributes.update(entryName="R2 Armour"),
        ["Pieces: gpid 2: name R2 Tank -> R2 Armour"],
    ),
    (DEMO, lambda kit: retyped(kit, "2", "5,4,3,2", "6,4,3,2"), ['Pieces: "R2 Tank": marker Attack 5 -> 6']),
    (DEMO, lambda kit: retyped(kit, "1", "piece;;;r1.png", "piece;;;r2.png"), ['Pieces: "R1 Inf": piece "R1 Inf" image r1.png -> r2.png']),
    (
        DEMO,
        lambda kit: kit.one(MAP + "SetupStack", name="Reinf").children.append(kit.one(MAP + "SetupStack", name="0309").children.pop()),
        ['Pieces: "R1 Inf": Map "Main Map" > SetupStack "0309" -> Map "Main Map" > SetupStack "Reinf"'],
    ),
    # -- what the refresher would set back
    (
        DEMO,
        prototype("PROP;Attacking;false,0,100,false", "PROP;Attacking;false,0,9,false"),
        [
            f'! Refresh Counters: {ALL_UNITS}: property "Attacking" is set back (its text is another)',
            'Prototypes: "Unit": property "Attacking" limits false,0,100,false -> false,0,9,false',
        ],
    ),
    (
        DEMO,
        dropped_trait("footprint"),
        [
            f'! Refresh Counters: {ALL_UNITS}: trail "Trail" is set back (it is gone)',
            'Prototypes: "Unit": trait trail "Trail"  key=Ctrl-T -> (nothing)',
        ],
    ),
    (
        DEMO,
        lambda kit: retyped(kit, "1", "r1.png,r1b.png", "r1.png,r2b.png"),
        [
            '! Refresh Counters: "R1 Inf": layer "Step" is set back (its text is another; UseLayerName keeps it)',
            'Pieces: "R1 Inf": layer "Step" images r1.png,r1b.png -> r1.png,r2b.png',
        ],
    ),
    (DEMO, prototype("macro;Enter;Enter", "macro;Enter;Arrive"), ['Prototypes: "Unit": trigger "Enter" menu Enter -> Arrive']),
    (DEMO, prototype("57375\\,0\\,step", "57999\\,0\\,step"), []),  # the engine numbers named keys anew
    # -- components
    (DEMO, attribute(M + "DiceButton", "tooltip", "Cast"), ['Components: DiceButton "d6": tooltip Roll the die -> Cast']),
    (
        DEMO,
        lambda kit: kit.one(M + "DiceButton").attributes.pop("prompt"),
        ['Components: DiceButton "d6": prompt false -> unset'],
    ),
    (DEMO, lambda kit: kit.drop(kit.one(M + "DiceButton")), ['Components: removed: DiceButton "d6"']),
    (DEMO, lambda kit: kit.add("GameModule", M + "NotesWindow", buttonText="Notes"), ["Components: added: NotesWindow"]),
    (
        DEMO,
        lambda kit: kit.last(kit.one(M + "DiceButton")),
        ["Components: module: its components stand in another order"],
    ),
    (
        DEMO,
        attribute(GRID + "mapgrid.Zone", "name", "Limbo", name="West Dead"),
        [f'Components: {BOARD} > ZonedGrid > Zone "West Dead": name West Dead -> Limbo'],
    ),
    (DEMO, lambda kit: kit.add(M + "PlayerRoster", "entry", "Umpire"), ["Components: added: PlayerRoster > entry 3"]),
    # -- files
    (
        DEMO,
        lambda kit: kit.entries.update({"images/board.png": png(500, 600)}),
        [
            "! Pictures: board.png: 1008 x 484, 22483 bytes -> 500 x 600, 33 bytes "
            "(under the same version, so that clients go on showing the old board)"
        ],
    ),
    (
        DEMO,
        lambda kit: (versioned("1.1")(kit), kit.entries.update({"images/board.png": png(500, 600)})),
        ["Identity: module: version 1.0 -> 1.1", "Pictures: board.png: 1008 x 484, 22483 bytes -> 500 x 600, 33 bytes"],
    ),
    (
        DEMO,
        lambda kit: kit.entries.update({"images/new.png": png(9, 9), "help/x.txt": b"x"}),
        ["Pictures: added: new.png", "Files: added: help/x.txt"],
    ),
    (DEMO, lambda kit: kit.entries.pop("images/ctl.png"), ["Pictures: removed: ctl.png"]),
    # -- set-ups
    (
        ORACLE,
        unit(lambda kind, state: (kind, str(parse_piece(kind, state).placed("Main Map", 82, 65).state))),
        ['Set-ups: "Campaign": "Blue 1st": Main Map 0604 -> Main Map 0201'],
    ),
    (
        ORACLE,
        lambda kit: kit.setup(lambda lines: lines.insert(-1, "GlobalProperty\t;VP;9;Module")),
        ['Set-ups: "Campaign": property Module/VP: 5 -> 9'],
    ),
]


@pytest.mark.parametrize(("base", "change", "told"), CHANGES, ids=[(each[2] or ["nothing"])[0][:60] for each in CHANGES])
def test_a_change_in_a_module_is_told_and_nothing_else(
    tmp_path: Path, base: Path, change: Callable[[Kit], object], told: list[str]
) -> None:
    assert sentences(changed(tmp_path, base, change)) == told


@pytest.mark.parametrize("path", [*MODULES, *SAVES, *LOGS], ids=name)
def test_a_file_does_not_differ_from_itself(path: Path) -> None:
    report = diff(path, path)
    assert report.changes == () and text(report).endswith("no differences\n")


def test_a_game_played_is_told_piece_by_piece() -> None:
    report = diff(SAMPLE / "sample-start.vsav", SAMPLE / "sample.vsav", module=ORACLE)
    assert sentences(report) == [
        "Turn: Turn: Turn 1 Red Move -> Turn 1 Blue Move",
        'Pieces on the table: added: "Control" in Main Map 0505, "Red Reserve" in Main Map 0202',
        'Pieces moved: "Red 1st", "Red 2nd": Main Map 0303 -> Main Map 0505',
        'Pieces moved: "Blue 1st": Main Map 0604 -> Main Map 0703',
        'Pieces moved: "Event 4": Main Map Events -> Red hand 100,75',
        'Pieces moved: "Blue 2nd": Main Map 0705 -> Main Map Dead Pile',
        'States of pieces: "Red 1st", "Red 2nd": trail "Movement Trail" false;;0;false;0 -> false;Map0;2;134,155;186,245;true;0',
        'States of pieces: "Red 1st", "Blue 1st", "Red 2nd": moved mark "Mark moved" false -> true',
        'States of pieces: "Red 1st": layer "Step" 1 -> 2',
        'States of pieces: "Blue 1st": property "Hits" 0 -> 1',
        'States of pieces: "Blue 1st": trail "Movement Trail" false;;0;false;0 -> false;Map0;1;290,245;false;0',
        'States of pieces: "Event 4": mask "A card" null; -> Red;false|0',
        'States of pieces: "Red 2nd": rotate "Facing" 0 -> 1',
        'States of pieces: "Red 2nd": mask "Unknown unit" null; -> Red;false|0',
        'States of pieces: "Blue 2nd": send to "Eliminate" ;; -> Main Map;342;275',
        "Table: property Module/Weather: Clear -> Rain",
        "Table: property Module/VP: 5 -> 6",
        "Table: public notes: (nothing) -> Red: hold the river line",
        "Table: added: Bob as Blue",
    ]


def test_without_its_module_places_are_pixels() -> None:
    told = sentences(diff(SAMPLE / "sample-start.vsav", SAMPLE / "sample.vsav"))
    assert 'Pieces moved: "Blue 1st": Main Map 290,245 -> Main Map 342,155' in told


def test_logs_are_compared_by_their_steps_and_their_ends() -> None:
    told = sentences(diff(SAMPLE / "sample.vlog", SAMPLE / "gui-made.vlog", module=ORACLE))
    steps = [line for line in told if line.startswith("Steps: ")]
    assert steps[0].startswith("Steps: the logs: share their first 0 steps; then the old one has 28, the new one")
    assert steps[1].startswith('Steps: the old one: goes on with step 1: "') and steps[2].startswith(
        "Steps: the new one: goes on with step 1"
    )
    assert any(line.startswith("At the end: Pieces moved: ") for line in told)


@pytest.mark.parametrize("other", sorted(SAMPLE.glob("*.v*g")) + sorted(SAMPLE.glob("*.vsav")), ids=name)
def test_no_password_is_in_a_difference(other: Path) -> None:
    for report in (diff(SAMPLE / "campaign.vsav", other), diff(other, SAMPLE / "sample.vlog", module=ORACLE)):
        shown = text(report, every=True) + json.dumps(report.as_json())
        assert not any(word in shown for word in PASSWORDS)


def test_texts_are_compared_line_by_line_under_what_they_stand_in(tmp_path: Path) -> None:
    kit = Kit(ORACLE)
    kit.one(M + "DiceButton").attributes["tooltip"] = "Cast"
    kit.drop(slot(kit, "6"))
    (tmp_path / "new.vmod").write_bytes(kit.packed())
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    old.write_text(dump(ORACLE), "utf-8")
    new.write_text(dump(tmp_path / "new.vmod"), "utf-8")
    told = sentences(diff(old, new))
    assert 'Text: GameModule "Oracle Sample" > module.DiceButton "2d6" > .tooltip: Roll 2d6 -> Cast' in told
    panel = 'module.PieceWindow > widget.TabWidget "Units" > widget.PanelWidget "Markers"'
    (removed,) = (line for line in told if line.startswith("Text: removed:"))
    assert f'GameModule "Oracle Sample" > {panel} > widget.PieceSlot' in removed
    assert len(told) == 2
    assert diff(old, old).changes == ()


def test_texts_with_the_same_lines_in_another_order_differ_in_that_only(tmp_path: Path) -> None:
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    old.write_text("vassal save\nchat a\nchat b\n", "utf-8")
    new.write_text("vassal save\nchat b\nchat a\n", "utf-8")
    assert sentences(diff(old, new)) == ["Text: the texts: have the same lines in another order"]


# -- how it is shown


def test_long_lists_are_cut_with_a_count_unless_all_is_asked_for(tmp_path: Path) -> None:
    def many(kit: Kit) -> None:
        for number in range(800, 820):
            kit.add(M + "properties.GlobalProperties", M + "properties.GlobalProperty", name=f"P{number}", initialValue="")
            kit.slot(make("delete"), gpid=str(number), name=f"Unit {number}")
        kit.one(M + "DiceButton").attributes.update({f"note{number}": "x" for number in range(20)})

    report = changed(tmp_path, DEMO, many)
    short, every = text(report), text(report, every=True)
    assert '  added: "Unit 800" (gpid 800), "Unit 801" (gpid 801), "Unit 802" (gpid 802) and 17 more\n' in short
    assert "and 9 more (--all shows them)\n" in short and "Components (21)\n" in short
    assert "more" not in every and '"Unit 819" (gpid 819)' in every and "note19 unset -> x" in every
    assert short.splitlines()[-1] == every.splitlines()[-1] == "22 differences"


def test_what_needs_care_comes_first_and_is_never_cut(tmp_path: Path) -> None:
    shown = text(changed(tmp_path, DEMO, swapped))
    assert "\n! UnitId R1: gpid 1 -> 2 (in older saves Refresh Counters makes it UnitId R2)\n" in shown
    assert shown.endswith("\n2 differences, 2 of them need care\n")


def test_long_values_are_shown_round_their_first_difference() -> None:
    old, new = "a" * 100 + "X" + "b" * 100, "a" * 100 + "Y" + "b" * 100
    before, after = side_by_side(old, new)
    assert before == "..." + "a" * 24 + "X" + "b" * 47 + "..." and after == before.replace("X", "Y")
    assert side_by_side("a\tb", "c") == ("a�b", "c")
    assert in_words(Change("G", Kind.CHANGED, ("x",), "f", "", "1")) == "x: f (nothing) -> 1"


def test_the_json_form_keeps_its_schema(tmp_path: Path) -> None:
    reports = [changed(tmp_path, DEMO, swapped), diff(SAMPLE / "sample-start.vsav", SAMPLE / "sample.vsav"), diff(DEMO, ORACLE)]
    for report in reports:
        value = json.loads(json.dumps(report.as_json()))
        jsonschema.Draft202012Validator(SCHEMA).validate(value)
        assert value["summary"] == {"differences": len(report.changes), "care": sum(change.loud for change in report.changes)}


# -- broken files


@given(st.data())
@settings(max_examples=30)
def test_a_module_with_any_value_anywhere_can_be_compared(data: st.DataObject) -> None:
    base = data.draw(st.sampled_from([DEMO, ORACLE]))
    kit = Kit(base)
    elements = [found for found in kit.root.iter() if found.attributes or found.text.strip()]
    for _ in range(data.draw(st.integers(1, 6))):
        found = elements[data.draw(st.integers(0, len(elements) - 1))]
        if found.attributes and data.draw(st.booleans()):
            found.attributes[data.draw(st.sampled_from(sorted(found.attributes)))] = data.draw(NASTY).replace("\x1b", "")
        else:
            cut = data.draw(st.integers(0, len(found.text)))
            found.text = (found.text[:cut] + data.draw(NASTY) + found.text[cut + data.draw(st.integers(0, 5)) :]).replace("\x1b", "")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "new.vmod"
        path.write_bytes(kit.packed())
        assert text(diff(base, path), every=True) and text(diff(path, base))


def test_a_piece_that_nobody_can_read_is_left_out(tmp_path: Path) -> None:
    kind = "\t".join("\\" * number + "delete;;;" for number in range(3)) + "\t" * 20000
    (tmp_path / "x.vsav").write_bytes(pack([("savedGame", f"begin_save\x1b+/1/{kind}/x\x1bend_save".encode())]))
    assert diff(tmp_path / "x.vsav", tmp_path / "x.vsav").changes == ()


# -- files that cannot be compared


def test_two_kinds_are_not_compared(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"is a save, .*cookbook-demo.vmod a module; two files of a kind are compared"):
        diff(DEMO, SAMPLE / "sample.vsav")
    (tmp_path / "x.vsav").write_bytes(b"nothing")
    with pytest.raises(FormatError, match="no zip archive"):
        diff(SAMPLE / "sample.vsav", tmp_path / "x.vsav")


def test_the_command_ends_with_0_1_or_2(tmp_path: Path) -> None:
    def modgen(*words: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "modgen.cli", "diff", *map(str, words)], cwd=ROOT, capture_output=True, text=True)

    done = modgen(DEMO, DEMO)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.endswith("no differences\n")
    old, new = SAMPLE / "sample-start.vsav", SAMPLE / "sample.vsav"
    done = modgen(old, new, "--module", ORACLE, "--all")
    assert (done.returncode, done.stderr) == (1, "") and done.stdout == text(diff(old, new, module=ORACLE), every=True)
    done = modgen(old, new, "--json")
    assert done.returncode == 1 and json.loads(done.stdout)["kind"] == "save"
    done = modgen(old, tmp_path / "none")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"modgen: {tmp_path}/none: cannot be opened: No such file or directory\n")
    done = modgen(DEMO, new)
    assert done.returncode == 2 and done.stderr.count("\n") == 1


def test_states_of_pieces_without_ids_are_told_apart_by_slot_and_place(tmp_path: Path) -> None:
    """Two pieces of one slot in a set-up: the one that stays is not taken for the one that goes."""

    def two(x: int) -> Callable[[Kit], None]:
        def change(kit: Kit) -> None:
            def lines(texts: list[str]) -> None:
                at = next(n for n, line in enumerate(texts) if line.startswith("+/") and "Blue 1st" in line)
                parts = sequence.decode(texts[at], "/")
                twin = parse_piece(parts[2], parts[3], "4711").placed("Main Map", x, 65)
                texts.insert(at, str(twin))

            kit.setup(lines)

        return change

    kit = Kit(ORACLE)
    two(82)(kit)
    base = tmp_path / "base.vmod"
    base.write_bytes(kit.packed())
    other = Kit(ORACLE)
    two(186)(other)
    (tmp_path / "other.vmod").write_bytes(other.packed())
    assert sentences(diff(base, tmp_path / "other.vmod")) == ['Set-ups: "Campaign": "Blue 1st": Main Map 0201 -> Main Map 0401']
