"""The validator on whole modules: genuine ones and our own pass, broken ones never stop it, and its report keeps its form."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamebox.model import Box
from modgen import check as game_check
from modgen.formats.errors import FormatError
from modgen.formats.vassal import engine, sequence
from modgen.formats.vassal.archive import pack
from modgen.formats.vassal.traits import TRAITS, make
from modgen.formats.vassal.validate import CHECKS, Report, Severity, page, text, validate
from modgen.module_check import against
from tests.formats.files import COOKBOOK, MODULES, ROOT, SAMPLE, name

from .conftest import GAME, GAMES, Builder, Built
from .seeding import MAP, Kit, M, W

HERE = Path(__file__).parent
SCHEMA = json.loads((ROOT / "docs/schema/module-check-1.json").read_text("utf-8"))
DEMO = COOKBOOK / "cookbook-demo.vmod"


def lines(report: Report, severity: Severity) -> list[str]:
    return [f"{finding.check}: {finding.where}: {finding.what}" for finding in report.of(severity)]


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_modules_that_load_in_the_engine_have_no_errors(path: Path) -> None:
    assert lines(validate(path), Severity.ERROR) == []


def test_of_the_genuine_modules_only_the_sample_has_a_warning() -> None:
    """Its units' masks lie inside traits with menu entries, which the engine leaves to the other side."""
    found = {name(path): [finding.check for finding in validate(path).of(Severity.WARNING)] for path in MODULES}
    assert {path: checks for path, checks in found.items() if checks} == {"sample/sample.vmod": ["mask-order"]}


@pytest.mark.parametrize("game", GAMES)
def test_our_own_modules_have_nothing_above_a_note(builder: Builder, game: str) -> None:
    report = validate(builder(game).path)
    assert lines(report, Severity.ERROR) == [] and lines(report, Severity.WARNING) == []
    assert report.clean


@pytest.fixture(scope="module")
def own(built: Built) -> Kit:
    return Kit(built.path)


def seed_hidden_zone(kit: Kit) -> None:
    grid = kit.one(MAP + "boardPicker.board.ZonedGrid")
    grid.children.insert(0, grid.children.pop(next(n for n, zone in enumerate(grid.children) if zone.get("name") == "East")))
    grid.children[0].attributes["path"] = "0,0;9000,0;9000,9000;0,9000"


def seed_key(kit: Kit) -> None:
    kit.one(M + "DoActionButton", name="NextPhase").attributes["hotkeys"] = sequence.encode(("57999,0,nextPhaze",), ",")


def seed_slot(kit: Kit) -> None:
    found = kit.all(W + "PieceSlot")
    found[1].attributes["gpid"] = found[0].get("gpid")


def seed_picture(kit: Kit) -> None:
    del kit.entries[next(entry for entry in kit.entries if entry.startswith("images/") and "board" not in entry and "about" not in entry)]


def seed_unit_off_the_board(kit: Kit) -> None:
    def move(texts: list[str]) -> None:
        at = next(n for n, line in enumerate(texts) if line.startswith("+/") and "/stack/" in line)
        parts = sequence.decode(texts[at], "/")
        on, _, _, *rest = sequence.decode(parts[3], ";")
        parts[3] = sequence.encode((on, "90000", "5", *rest), ";")
        texts[at] = sequence.encode(parts, "/")

    kit.setup(move, "historical.vsav")


@pytest.mark.parametrize(
    ("seed", "check"),
    [
        (seed_hidden_zone, "zone-outside"),
        (seed_hidden_zone, "zone-covered"),
        (seed_key, "key-unheard"),
        (seed_slot, "gpid-twice"),
        (seed_picture, "picture-missing"),
        (seed_unit_off_the_board, "setup-stack"),
    ],
)
def test_faults_in_our_own_module_are_found(own: Kit, seed: object, check: str) -> None:
    kit = own.copy()
    assert callable(seed)
    seed(kit)
    assert check in {finding.check for finding in validate(kit.packed(), where="x.vmod").findings}


def test_a_module_with_code_of_its_own_is_not_accused(tmp_path: Path) -> None:
    """What its classes do cannot be seen: they may do what the engine's own do."""
    kit = Kit(DEMO)
    encoder, mover = kit.one(M + "BasicCommandEncoder"), kit.one(MAP + "PieceMover")
    encoder.name, mover.name = "club.Encoder", "club.Mover"
    assert {"class-unknown", "encoder-first", "map-parts"} == {f.check for f in validate(kit.packed(), where="x").of(Severity.ERROR)}
    kit.entries |= {"club/Encoder.class": b"x", "club/Mover.class": b"x"}
    report = validate(kit.packed(), where="x")
    assert report.clean and {"class-unknown", "map-parts"} <= {finding.check for finding in report.of(Severity.NOTE)}


def test_places_of_a_board_without_names_are_not_called_wrong() -> None:
    kit = Kit(SAMPLE / "sample.vmod")
    grid = kit.one(MAP + "boardPicker.board.ZonedGrid")
    grid.children = []
    found = [finding for finding in validate(kit.packed(), where="x").findings if finding.check == "setup-place"]
    assert found == []


# What the engine does without a word, or worse, and which checks see it. Facts that no module shows are left out: how a log is
# written, what a player types; that gpids moved between two builds, or a board under one version, is for modgen diff.
SILENT = {
    "a definition's prototype stands unexpanded in a set-up": ["setup-prototype"],
    "a player's password stands in a set-up": ["setup-player"],
    "a piece without moved-mark or trail loses where it came from": ["old-place"],
    "at-start pieces come twice": ["setup-placed"],
    "an empty condition matches nothing": ["command-condition"],
    "a prototype is not defined": ["prototype-undefined"],
    "an attribute is not known": ["attribute-unknown"],
    "a default board does not exist": ["board-default", "setup-board"],
    "the board of an at-start stack does not exist": ["start-board"],
    "a map cannot move pieces": ["map-parts"],
    "a zone's path is broken": ["zone-path"],
    "gpids collide": ["gpid-twice", "gpid-next"],
    "a set-up has a line that is no command": ["setup-line"],
    "fewer states than traits": ["piece-states"],
    "a trait or piece cannot be read": ["trait-unknown", "piece-unreadable"],
    "the version makes the engine look for another build file": ["engine-version"],
    "descending numbers count from odd maxima": ["grid-names"],
    "a part that ends in a backslash does not survive": ["piece-writing"],
    "letters of property changers": ["changer-letter"],
    "a send-to whose place does not exist": ["send-place", "send-map"],
    "a property that is set and not there": ["property-set"],
    "a match in single quotes": ["expression-quotes"],
    "a picture without its extension": ["picture-missing"],
    "a picture too large": ["board-size"],
    "an unescaped comma in a changer": ["changer-comma"],
    "a value that ends in a backslash": ["changer-backslash"],
    "a marker called PieceId": ["marker-taken"],
    "a button that changes nothing logs nothing": ["changer-constant"],
    "an empty text before numbers": ["expression-empty"],
    "zeros of hex numbers": ["zeros-kept", "zeros-get", "zeros-compared"],
    "sums that ignore a place, or have no map": ["expression-location", "expression-map"],
    "the small pieceName of reports": ["report-word"],
    "a layer at level 0": ["layer-zero"],
    "a mask inside other traits": ["mask-order"],
    "a changed trait resets its state": ["setup-traits"],
    "two reports on one key": ["report-twice"],
    "a tracker's own hotkey": ["tracker-hotkey"],
    "mask and moved-mark on one key": ["key-mask-moved"],
    "masks that belong to a player": ["mask-access"],
    "an inner trigger is asked first": ["trigger-order"],
    "an unknown class, or a word in a number": ["class-unknown", "value-number"],
    "the encoder behind pieces, the boards behind stacks": ["encoder-first", "picker-first"],
    "a stagger that nobody asked for": ["grid-stagger"],
    "return to a deck by a field that is not read": ["return-deck"],
    "functions that do not exist": ["expression-function"],
    "octal numbers": ["expression-octal"],
    "negating a missing property": ["expression-not"],
}


@pytest.mark.parametrize("fact", SILENT)
def test_what_the_engine_says_nothing_of_is_seen(fact: str) -> None:
    assert set(SILENT[fact]) <= set(CHECKS)


# -- what it knows


def test_the_engines_table_has_every_class_and_attribute_that_the_tests_know() -> None:
    """The tests' own list was written for the builder; the product's must not know less."""
    known = engine.classes()
    for long_name, entry in json.loads((HERE / "components.json").read_text("utf-8")).items():
        found = known[long_name.removeprefix(engine.PREFIX)]
        assert set(entry["attributes"]) <= set(found.attributes), long_name
        assert {child.removeprefix(engine.PREFIX) for child in entry["children"]} <= found.children, long_name


def test_every_class_that_may_stand_in_another_is_known() -> None:
    for owner, entry in engine.classes().items():
        assert entry.children <= set(engine.classes()), owner


def test_every_trait_has_named_fields_as_many_as_the_engine_writes() -> None:
    assert set(engine.traits()) == set(TRAITS)
    for trait, entry in engine.traits().items():
        written = len(sequence.decode(make(trait).partition(";")[2], ";"))
        assert written == entry.fields, trait
        assert TRAITS[trait].state == entry.state or trait == "piece", trait


def test_checks_say_what_must_hold_and_are_listed_for_users() -> None:
    assert all(check.holds and check.because and check.id == key for key, check in CHECKS.items())
    assert len({check.holds for check in CHECKS.values()}) == len(CHECKS) == len({check.look for check in CHECKS.values()})
    assert (ROOT / "docs/module-checks.md").read_text("utf-8") == page(), "write it anew: python -m tests.modgen.test_validate_modules"


# -- the report


def test_findings_that_differ_in_their_place_only_are_one() -> None:
    kit = Kit(DEMO)
    for gpid in ("800", "801", "802"):
        kit.slot(make("calcProp", name="Worth", expression="{Atack}"), gpid=gpid, name=f"Unit {gpid}")
    (found,) = (finding for finding in validate(kit.packed(), where="x.vmod").findings if finding.check == "property-undefined")
    assert len(found.places) == 3 and found.where == found.places[0]
    shown = text(validate(kit.packed(), where="x.vmod"))
    assert f"warning: {found.where} (and 2 more): {found.what}; allowed: {found.allowed} [property-undefined]\n" in shown


def test_errors_come_first_and_places_are_named_as_in_the_build_file() -> None:
    kit = Kit(DEMO)
    kit.one(MAP + "boardPicker.Board").attributes["image"] = "gone.png"
    kit.one(M + "DiceButton").attributes["tooltipp"] = "x"
    report = validate(kit.packed(), where="x.vmod")
    severities = [list(Severity).index(finding.severity) for finding in report.findings]
    assert severities == sorted(severities)
    (missing,) = report.of(Severity.ERROR)
    assert missing.where == 'buildFile.xml: Map "Main Map" > BoardPicker "Choose Boards" > Board "Board", image'
    assert [finding.where for finding in report.of(Severity.WARNING)] == ['buildFile.xml: DiceButton "d6"']


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_the_json_form_keeps_its_schema(path: Path) -> None:
    value = json.loads(json.dumps(validate(path).as_json()))
    jsonschema.Draft202012Validator(SCHEMA).validate(value)
    assert value["summary"] == {
        f"{severity}s": sum(finding["severity"] == severity for finding in value["findings"]) for severity in ("error", "warning", "note")
    }


# -- broken modules


NASTY = st.sampled_from(
    [
        *("", " ", "-1", "0", "999999999999999999999", "NaN", "1e400", "null", "true", "x" * 3000, "ß", "٣", "²", "\t", "\x1b"),
        *("{", "}", "{}", "{{", '{"', "{'}", "{" + "(" * 2000 + "}", "$", "$$", "$a$"),
        *("/", "\\", "'", "''", "\\'", ";", "|||", "a,b", ",,,", ":", "::P", "P,", "E,"),
        *("piece;", "+/null//", "+/1/piece;/x", "emb2;", "obs;", "rotate;1", "prototype;Unit", "placemark;;;", "player:", "sides:"),
        *("0,0;", "-5,-5;0,0;5,5", "MAP|true|ZONE|x", "65,130", "57344,0,"),
    ]
)


@given(st.data())
@settings(max_examples=60)
def test_a_module_with_any_value_anywhere_is_looked_at_to_the_end(data: st.DataObject) -> None:
    kit = Kit(data.draw(st.sampled_from([DEMO, SAMPLE / "sample.vmod"])))
    elements = list(kit.root.iter())
    for _ in range(data.draw(st.integers(1, 6))):
        found = elements[data.draw(st.integers(0, len(elements) - 1))]
        if found.attributes and data.draw(st.booleans()):
            found.attributes[data.draw(st.sampled_from(sorted(found.attributes)))] = data.draw(NASTY).replace("\x1b", "")
        elif found.text.strip():
            cut = data.draw(st.integers(0, len(found.text)))
            found.text = (found.text[:cut] + data.draw(NASTY) + found.text[cut + data.draw(st.integers(0, 5)) :]).replace("\x1b", "")
    report = validate(kit.packed(), where="x.vmod")
    assert all(finding.where and finding.what for finding in report.findings)


@given(st.data())
@settings(max_examples=30)
def test_a_set_up_with_anything_in_it_is_looked_at_to_the_end(data: st.DataObject) -> None:
    kit = Kit(SAMPLE / "sample.vmod")

    def change(texts: list[str]) -> None:
        for _ in range(data.draw(st.integers(1, 5))):
            at = data.draw(st.integers(0, len(texts) - 1))
            cut = data.draw(st.integers(0, len(texts[at])))
            texts[at] = texts[at][:cut] + data.draw(NASTY) + texts[at][cut + data.draw(st.integers(0, 9)) :]

    kit.setup(change)
    validate(kit.packed(), where="x.vmod")


def test_prototypes_and_markers_nested_without_end_are_looked_at() -> None:
    inner = "+/null/piece;;;;End/null;0;0;902;0"
    for number in range(30):
        trait = make("placemark", key="81,130", piece=inner, gpid=str(903 + number))
        kind, state = sequence.encode((trait, "piece;;;;M"), "\t"), sequence.encode(("", "null;0;0;1;0"), "\t")
        inner = sequence.encode(("+", "null", kind, state), "/")
        if len(inner) > 1 << 18:
            break
    kit = Kit(DEMO)
    kit.raw_slot(inner)
    validate(kit.packed(), where="x.vmod")


@pytest.mark.parametrize(("data", "told"), [(b"x", "no zip"), (pack([("savedGame", b"begin_save")]), "a module (.vmod) is expected")])
def test_what_is_no_module_is_told(data: bytes, told: str) -> None:
    with pytest.raises(FormatError) as error:
        validate(data, where="x.vmod")
    assert told in str(error.value) and str(error.value).startswith("x.vmod: ")


# -- the command


def modgen(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "modgen.cli", *map(str, words)], cwd=ROOT, capture_output=True, text=True, timeout=120)


def test_the_command_ends_with_0_1_or_2(tmp_path: Path) -> None:
    done = modgen("check", "--module", DEMO)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout == text(validate(DEMO))
    done = modgen("check", "--module", SAMPLE / "sample.vmod", "--json")
    assert done.returncode == 1 and json.loads(done.stdout)["summary"]["warnings"] == 1
    done = modgen("check", "--module", SAMPLE / "campaign.vsav")
    assert (done.returncode, done.stdout) == (2, "") and "a module (.vmod) is expected" in done.stderr
    done = modgen("check", "--module", tmp_path / "none.vmod")
    assert (done.returncode, done.stdout) == (2, "") and done.stderr.count("\n") == 1
    done = modgen("check")
    assert (done.returncode, done.stdout) == (2, "") and done.stderr.startswith("modgen: GAME, --module FILE or both are expected")


def test_a_module_is_held_against_its_games_data(built: Built, box: Box) -> None:
    report, game = validate(built.path), game_check.check(GAME)
    assert against(report, game) == report
    done = modgen("check", GAME, "--module", built.path, "--json")
    value = json.loads(done.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(value)
    assert done.returncode == 0 and value["game"]["game"] == GAME and value["game"]["data_hash"] == box.data_hash
    kit = Kit(built.path)
    for attribute, wrong, check in (
        ("ModuleOther1", "game other-game", "game-other"),
        ("ModuleOther2", "data 0123456789abcdef", "game-data"),
        ("version", "99.0", "game-version"),
    ):
        changed = kit.copy()
        changed.root.attributes[attribute] = wrong
        found = against(validate(changed.packed(), where="x.vmod"), game)
        assert check in {finding.check for finding in found.findings} and not found.clean
    assert against(validate(DEMO), game) == validate(DEMO), "nothing is said of a module that is not ours"


if __name__ == "__main__":
    (ROOT / "docs/module-checks.md").write_text(page(), "utf-8")
