"""The text twins of the engine's files are held as golden pairs, and so is every feature alone; no player's id is ever in one.

After a change that is meant, write them anew: ``python -m tests.formats.test_dump``.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal.archive import pack
from modgen.formats.vassal.dump import dump, dump_bytes
from modgen.formats.vassal.obfuscation import Form
from modgen.formats.vassal.pieces import Basic, Deck, Stack, build
from modgen.formats.vassal.saves import Metadata, pack_game
from modgen.formats.vassal.traits import DECK, TRAITS, make
from modgen.formats.vassal.words import STATEFUL, TITLES, described, differences, key_words, title, without_numbers
from modgen.formats.vassal.xml import Element, element, to_bytes
from tests.formats.files import COOKBOOK, DATA, LOGS, MODULES, PASSWORDS, ROOT, SAMPLE, SAVES, name

HERE = Path(__file__).parent / "dumps"
M, GRID = "VASSAL.build.module.", "VASSAL.build.module.map.boardPicker.board."
GOLDEN = {
    "campaign.vsav.txt": SAMPLE / "campaign.vsav",
    "sample.vlog.txt": SAMPLE / "sample.vlog",
    "sample.vmod.txt": SAMPLE / "sample.vmod",
    "cookbook-demo.vlog.txt": COOKBOOK / "cookbook-demo.vlog",
}
TWINS = DATA / "twins"


@pytest.mark.parametrize("twin", GOLDEN)
def test_the_twin_of_an_engines_file_stays_as_it_is(twin: str) -> None:
    assert dump(GOLDEN[twin]) == (TWINS / twin).read_text("utf-8")


@pytest.mark.parametrize("path", [*SAVES, *LOGS, *MODULES], ids=name)
def test_no_password_is_in_a_twin(path: Path) -> None:
    text = dump(path)
    assert text.endswith("\n") and not any(word in text for word in PASSWORDS)
    assert not any(line != line.rstrip() for line in text.splitlines())


def test_owners_of_masks_and_restricted_pieces_are_numbers() -> None:
    piece = str(
        cmd.AddPiece(
            "1",
            "obs;73,130;m.png;Mask;I;?;player:;;;;;\thide;73,130;Hide;;player:;0.3;;false\\\trestrict;Red;true;false;\\\\\tpiece;;;;Unit",
            "qwertz1;false|0\tqwertz2\\\tqwertz3\\\\\tnull;0;0;1;0",
        )
    )
    move = str(cmd.Log(cmd.MovePiece("1", "M", 1, 1, "", "M", 2, 2, "", "qwertz4")))
    odd = ["SOMETHING\tqwertz4", "PYREMOVE\tqwertz4", "UNMASK\tqwertz1"]
    text = dump_bytes(pack([("savedGame", "\x1b".join(["begin_save", piece, "end_save", move, *odd]).encode())]), "x")
    assert "qwertz" not in text
    assert "<id 1>;false|0" in text and "by <id 4>" in text


def test_side_names_on_masks_stay() -> None:
    assert 'mask "Unknown unit": null; -> Red;false|0' in dump(SAMPLE / "sample.vlog")


def test_the_command_prints_the_twin_and_tells_bad_files(tmp_path: Path) -> None:
    def modgen(*args: object) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([sys.executable, "-m", "modgen.cli", *map(str, args)], cwd=ROOT, capture_output=True, timeout=60)

    done = modgen("dump", SAMPLE / "campaign.vsav")
    assert (done.returncode, done.stdout.decode("utf-8"), done.stderr) == (0, dump(SAMPLE / "campaign.vsav"), b"")
    (tmp_path / "x.vlog").write_text("x")
    done = modgen("dump", tmp_path / "x.vlog")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == f"modgen: {tmp_path}/x.vlog: is no zip archive (.vmod, .vsav, .vlog)\n"


# ------------------------------------------------------------------------------------------------ one feature each


def save(*lines: object, form: Form | None = None, **parts: object) -> bytes:
    """A save of these lines, or of a position with steps behind it."""
    text = cmd.join_tree([(0, "begin_save"), *((0, str(line)) for line in lines if not isinstance(line, tuple)), (0, "end_save")])
    steps = [line for line in lines if isinstance(line, tuple)]
    if steps:
        text += "\x1b" + cmd.join_tree([(depth, f"LOG\t{command}") for depth, command in steps])
    return pack_game(text, module_data=None, metadata=None, form=form or Form("plain"))


def module(*children: Element) -> bytes:
    root = element("VASSAL.build.GameModule", name="Small", version="1.0", VassalVersion="3.7.26", nextPieceSlotId=9)
    return pack([("buildFile.xml", to_bytes(root.append(*children)))])


def unit(*traits: str | tuple[str, str], piece_id: str = "1", at: tuple[str, int, int] = ("Main", 30, 35)) -> str:
    """A piece in play."""
    pairs = [(one, TRAITS[one.partition(";")[0]].state) if isinstance(one, str) else one for one in traits]
    return str(build(pairs, Basic(name="1st", image="r1.png", gpid="7")).named(piece_id).placed(*at))


def slot(*traits: str | tuple[str, str]) -> Element:
    pairs = [(one, TRAITS[one.partition(";")[0]].state) if isinstance(one, str) else one for one in traits]
    return element("VASSAL.build.widget.PieceSlot", str(build(pairs, Basic(name="1st", gpid="7"))), entryName="1st", gpid=7)


def tracker() -> Element:
    level = element(M + "turn.ListTurnLevel", name="Phase", property="Phase", list="Move,Fight", configList=True)
    counter = element(M + "turn.CounterTurnLevel", name="Turn", property="Turn", start=1).append(level)
    return element(M + "turn.TurnTracker", name="Turn", turnFormat="$level1$ $level2$").append(counter)


MASKED = make("obs", key="73,130", image="mask.png", style="Gback.png", mask_name="?", access="side:")
OLD = str(Basic(map="Main", x=30, y=35, gpid="7", props=(("UniqueID", "1"), ("OldX", "10"), ("OldZone", ""))).state)

FEATURES: dict[str, Callable[[], bytes]] = {
    "mask": lambda: save(
        unit((MASKED, "null;"), (make("hide", access="sides:Red:Blue"), "Red")),
        (0, cmd.ChangePiece("1", "Red;false|0\tRed\\\tnull;0;0;7;0", "null;\tRed\\\tnull;0;0;7;0")),
    ),
    "layer": lambda: save(
        unit((make("emb2", name="Step", images="a.png,b.png", level_names=",+ (reduced)", loop=False, up_key="57375,0,step"), "-2"))
    ),
    "deck": lambda: save(
        unit((MASKED, "null;"), piece_id="1"),
        unit(piece_id="2"),
        str(
            Deck(
                "9",
                "deck;" + ";".join(["true", *(default for _, default in DECK.fields[1:12]), "Events"]),
                "Main",
                30,
                35,
                True,
                ("1", "2"),
            )
        ),
        (0, cmd.ChangePiece("9", "Main;30;35;true;2,1", "Main;30;35;true;1,2")),
        (1, cmd.Chat("* Ann shuffles Events *")),
    ),
    "stack": lambda: save(
        unit(piece_id="1"),
        unit(piece_id="2"),
        str(Stack("9", "Main", 30, 35, ("1", "2"), 1)),
        (0, cmd.ChangePiece("9", "Main;30;35;2;1;@@1")),
    ),
    "private-map": lambda: module(
        element(M + "PrivateMap", mapName="Red Display", side="Red", visible=False).append(
            element(M + "map.BoardPicker").append(element(M + "map.boardPicker.Board", name="Tray", width=90, height=60))
        )
    ),
    "turn-tracker": lambda: module(tracker()),
    "turn-flags": lambda: save(str(cmd.Turn("TurnTracker0", "0|3;0;false;-1;1\\;0\\;0\\;false,true"))),
    "place-marker": lambda: module(
        slot(
            make(
                "placemark",
                menu="Control",
                key="80,130",
                gpid="8",
                piece="+/null/delete;Remove;127,0;\tpiece;;;ctl.png;Flag/\tnull;0;0;8;0",
            )
        )
    ),
    "undo": lambda: save(
        unit(),
        (0, cmd.Undo(True)),
        (1, cmd.MovePiece("1", "Main", 30, 35, "", "Main", 60, 35, "", "secret-1")),
        (1, cmd.Undo(False)),
        (0, cmd.Chat("* UNDO: * 1st moves")),
    ),
    "property": lambda: save(
        str(cmd.PropertyValue("VP", "3", "Module")),
        (0, cmd.PropertyChange("VP", "3", "4", "Module")),
        (1, cmd.PropertyChange("Mult", "1", "2", "Main:Hills")),
    ),
    "piece-property": lambda: save(
        unit((make("PROP", name="Hits", limits="true,0,9,false", commands="Add:49\\,130:I\\,1,:57344\\,0\\,clear:P\\,0"), "2")),
        (0, cmd.ChangePiece("1", "3\t" + OLD, "2\t" + OLD)),
    ),
    "chat": lambda: save((0, cmd.Chat("&lt;Ann&gt; - hello")), (0, cmd.Chat("* 1st moves 0101 -> 0102 *"))),
    "dice": lambda: save(
        (0, cmd.Chat("*** 2d6 = 5,3 *** <Ann>")),
        (1, cmd.PropertyChange("2d6_total", "0", "8", "Module")),
        (0, cmd.Results("Chit", ("1", "0"))),
    ),
    "notes": lambda: save("NOTES\tHold the bridge.", "PNOTES\t", "PNOTE\tsecret plan"),
    "board-reversed": lambda: save(str(cmd.Boards("Main", (cmd.BoardPlace("North", True, 0, 0), cmd.BoardPlace("South", False, 0, 1))))),
    "zone-property": lambda: module(
        element(GRID + "mapgrid.Zone", name="Hills", path="0,0;9,0;9,9", useParentGrid=True).append(
            element(M + "properties.ZoneProperty", name="Mult", initialValue=2)
        )
    ),
    "trail": lambda: save(unit((make("footprint", key="84,130"), "false;Map0;2;134,155;186,245;true"))),
    "trail-3.8": lambda: save(unit((make("footprint", key="84,130") + ";false", "false;Map0;1;134,155;true;1"))),
    "moved-mark": lambda: save(unit((make("markmoved", image="moved.png", key="77,130", key_false="57344,0,clear"), "true"))),
    "rotate": lambda: save(unit((make("rotate", name="Face"), "2"), ("rotate;1;82,130;Turn;;;Free;;;;;true", "45.0"))),
    "label": lambda: save(unit((make("label", key="76,130", property="Note"), "dug in"))),
    "restricted": lambda: save(
        unit(
            (make("restrict", sides="Red,Blue", by_player=True), "secret-2"),
            make("hideCmd", name="late", filter="{Turn>9}", keys="127\\,0"),
        )
    ),
    "prototype": lambda: module(
        element(M + "PrototypesContainer").append(
            element(M + "PrototypeDefinition", "+/null/delete;Remove;127,0;\tpiece;;;;/\tnull;0;0;;0", name="Unit")
        ),
        slot(make("prototype", name="Unit"), ("mark;Side,Note", "Red,a\\,b")),
    ),
    "trigger": lambda: module(
        slot(
            make(
                "macro",
                name="Lose",
                menu="Lose a step",
                key="82,130",
                filter="{Step_Level==1}",
                action_keys="57344\\,0\\,step,57345\\,0\\,say",
            ),
            make("report", keys="57345\\,0\\,say", format="$BasicName$ reduced"),
            make("setprop", name="Talk", commands=':57346\\,0\\,talk:P\\,{"A|"+N}'),
        )
    ),
    "send-to": lambda: save(unit((make("sendto", menu="Dead pile", key="69,130", map="Main", dest="Z", zone="Dead"), "Main;342;275"))),
    "move": lambda: save(
        unit(),
        (0, cmd.Null()),
        (1, cmd.ChangePiece("1", str(Basic(map="Main", x=30, y=35, gpid="7", props=(("UniqueID", "1"), ("OldX", "30"))).state), OLD)),
        (1, cmd.MovePiece("1", "Main", 60, 35, "2", "Main", 30, 35, "", "secret-1")),
        (1, cmd.AddPiece("9", "stack", "Main;60;35;1;@@0")),
    ),
    "roster": lambda: save("PLAYER\tsecret-1\tAnn\tRed", "PLAYER\tsecret-1\tAnn\tRed", (0, cmd.PlayerLeaves("secret-1"))),
    "unknown": lambda: save(unit(("frobnicate;a;b", "c")), "FROB\tnothing", (0, cmd.Other("FLARE", "\tMain\t5\t6"))),
    "form-vcsk": lambda: save(form=Form("vcsk", 77)),
    "form-vobs": lambda: save(form=Form("vobs", 77)),
    "form-plain": save,
    "second-load": lambda: pack_game(
        "begin_save\x1bend_save\x1bLOG\tCHAT* one\x1bbegin_save\x1bend_save\x1bLOG\tCHAT* two",
        module_data=None,
        metadata=Metadata("1.0", "3.7.26", "0"),
        form=Form("plain"),
    ),
}


@pytest.mark.parametrize("feature", FEATURES)
def test_the_twin_of_a_feature_stays_as_it_is(feature: str) -> None:
    text = dump_bytes(FEATURES[feature](), "x")
    assert text == (HERE / f"{feature}.txt").read_text("utf-8")
    assert "secret-" not in text and not any(line != line.rstrip() for line in text.splitlines())


def test_every_golden_text_belongs_to_a_feature() -> None:
    assert {path.stem for path in HERE.glob("*.txt")} == set(FEATURES)


# ------------------------------------------------------------------------------------------------------- words


def test_every_trait_has_words() -> None:
    assert set(TITLES) == set(TRAITS) and set(STATEFUL) < set(TRAITS)
    assert len(set(TITLES.values())) == len(TITLES)


@pytest.mark.parametrize("trait", sorted(set(TRAITS) - {"piece", "mark", "prototype", "cmt", "basicName"}))
def test_every_field_that_is_not_the_default_is_told(trait: str) -> None:
    """A fresh trait shows nothing; one field changed shows that field, and nothing else."""
    from modgen.formats.vassal.pieces import Trait

    fresh = Trait(make(trait))
    for field, _ in TRAITS[trait].fields:
        if field in ("piece", "facings"):
            continue
        changed = Trait(make(trait, **{field: "zz9"}))
        assert list(differences(fresh, fresh)) == []
        assert [name for name, _, _ in differences(fresh, changed)] == [field]
        assert "zz9" in described(changed) and "zz9" not in described(fresh)


def test_named_keys_are_told_without_their_numbers() -> None:
    from modgen.formats.vassal.keys import key
    from modgen.formats.vassal.pieces import Trait

    assert [key_words(key(text)) for text in ("65,130", "57351,0,step", "127,0", "112,0", "69,195")] == [
        "Ctrl-A",
        "<step>",
        "Delete",
        "112,0",
        "Ctrl-Shift-E",
    ]
    one, other = (make("emb2", name="Step", up_key=f"{number},0,step") for number in (57351, 57999))
    assert without_numbers(one) == without_numbers(other) != one
    assert described(Trait(one)) == described(Trait(other))
    assert without_numbers("PROP;X;;:65\\,130:P\\,57351,0") == "PROP;X;;:65\\,130:P\\,57351,0", "a number is no key"
    assert title(Trait(make("calcProp", name="CF"))) == 'calculated property "CF"'


if __name__ == "__main__":
    TWINS.mkdir(exist_ok=True)
    for twin, source in GOLDEN.items():
        (TWINS / twin).write_text(dump(source), "utf-8")
    HERE.mkdir(exist_ok=True)
    for old in HERE.glob("*.txt"):
        old.unlink()
    for feature, made in FEATURES.items():
        (HERE / f"{feature}.txt").write_text(dump_bytes(made(), "x"), "utf-8")
