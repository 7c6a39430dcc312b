"""The validator: genuine modules pass, and every check finds what it is there for, alone.

Each seed changes one thing in a module that was in order. What is found beyond what the module had must come from the check that
the seed names and from no other, so that no check can be taken away without a seed going unfound.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import pytest

from modgen.formats.vassal import sequence
from modgen.formats.vassal.pieces import parse_piece
from modgen.formats.vassal.saves import Metadata
from modgen.formats.vassal.traits import make
from modgen.formats.vassal.validate import CHECKS, Finding, Report, validate
from tests.formats.files import CLUB, COOKBOOK, ROOT, SAMPLE

from .seeding import GRID, MAP, Kit, M, W, command, commands, component, keys, png

BASES = {"cookbook": COOKBOOK / "cookbook-demo.vmod", "sample": SAMPLE / "sample.vmod", "club": CLUB}
SCHEMA = json.loads((ROOT / "docs/schema/module-check-1.json").read_text("utf-8"))


@lru_cache
def kit_of(base: str) -> Kit:
    return Kit(BASES[base])


@lru_cache
def report_of(base: str) -> Report:
    return validate(kit_of(base).packed(), where="x.vmod")


@dataclass(frozen=True)
class Seed:
    """A fault: the check that must find it, the module it is put into, how, and a word of what is found."""

    check: str
    base: str
    change: Callable[[Kit], object]
    word: str = ""

    def __str__(self) -> str:
        return f"{self.check} {self.word}".strip()


@cache
def new_findings(seed: Seed) -> list[Finding]:
    kit = kit_of(seed.base).copy()
    seed.change(kit)
    before = {(f.check, f.severity, f.what) for f in report_of(seed.base).findings}
    return [f for f in validate(kit.packed(), where="x.vmod").findings if (f.check, f.severity, f.what) not in before]


def setting(kind: str, **values: str) -> Callable[[Kit], None]:
    """Set attributes of the first component of a class."""
    return lambda kit: kit.one(kind).attributes.update(values)


def named(kind: str, attribute: str, value: str, **values: str) -> Callable[[Kit], None]:
    """Set attributes of the component of a class with this name."""
    return lambda kit: kit.one(kind, **{attribute: value}).attributes.update(values)


def adding(into: str, kind: str, text_of: str = "", **attributes: object) -> Callable[[Kit], object]:
    return lambda kit: kit.add(into, kind, text_of, **attributes)


def piece(*traits: str | tuple[str, str], **more: str) -> Callable[[Kit], object]:
    return lambda kit: kit.slot(*traits, **more)


def calc(expression: str) -> Callable[[Kit], object]:
    return lambda kit: kit.calc(expression)


def button(**attributes: object) -> Callable[[Kit], object]:
    return lambda kit: kit.button(**attributes)


def changer(value: str) -> Callable[[Kit], object]:
    """A piece whose property is changed by this changer at Ctrl-Q."""
    return piece(make("PROP", name="Mood", commands=commands(("Change", "81,130", value))))


def raw_commands(value: str) -> Callable[[Kit], object]:
    """A piece whose property has this list of key commands, as it is."""
    return piece(make("PROP", name="Mood", commands=value))


def dropping(kind: str) -> Callable[[Kit], None]:
    return lambda kit: kit.drop(kit.one(kind))


def hand(kit: Kit) -> None:
    """Gives the board of the hand a grid of hexes."""
    board = kit.one(M + "map.boardPicker.Board", name="Hand")
    grid = component(GRID + "HexGrid", dx="20.0", dy="20.0", x0=0, y0=10)
    grid.children.append(component(GRID + "mapgrid.HexGridNumbering", sep="/", stagger="false", hLeading=1, vLeading=1))
    board.children.append(grid)


def handed(**values: str) -> Callable[[Kit], None]:
    """The same with other numbers."""

    def change(kit: Kit) -> None:
        hand(kit)
        grid = kit.one(M + "map.boardPicker.Board", name="Hand").children[-1]
        for key, value in values.items():
            owner = grid if key in ("dx", "dy") else grid.children[0]
            owner.attributes[key] = value
            if not value:
                del owner.attributes[key]

    return change


def with_entry(file: str, data: bytes) -> Callable[[Kit], None]:
    return lambda kit: kit.entries.update({file: data})


def after(*changes: Callable[[Kit], object]) -> Callable[[Kit], None]:
    def change(kit: Kit) -> None:
        for one in changes:
            one(kit)

    return change


def twice(kind: str, attribute: str) -> Callable[[Kit], None]:
    """Gives the second component of a class the name of the first."""

    def change(kit: Kit) -> None:
        first, second, *_ = kit.all(kind)
        second.attributes[attribute] = first.get(attribute)

    return change


def again(kind: str) -> Callable[[Kit], None]:
    """Puts a component into the module a second time."""

    def change(kit: Kit) -> None:
        found = kit.copy().one(kind)
        kit.parent(kit.one(kind)).children.append(found)

    return change


def boardless(kit: Kit) -> None:
    """A second hand, without a board."""
    found = kit.copy().one(M + "PlayerHand")
    found.attributes.update(mapName="Blue hand", side="Blue", buttonName="Blue hand")
    next(child for child in found.children if child.name.endswith("BoardPicker")).children.clear()
    kit.root.children.append(found)


def encoder_last(kit: Kit) -> None:
    kit.last(kit.one(M + "BasicCommandEncoder"))


def triggers_swapped(types: list[str], states: list[str]) -> None:
    inner, outer = (next(n for n, t in enumerate(types) if t.startswith(f"macro;{word};")) for word in ("loss1", "loss2"))
    types[inner], types[outer] = types[outer], types[inner]


def campaign(change: Callable[[list[str]], None]) -> Callable[[Kit], None]:
    return lambda kit: kit.setup(change)


def origin(change: Callable[[Metadata], Metadata]) -> Callable[[Kit], None]:
    """Changes what the set-up says of its module."""
    return lambda kit: kit.setup(lambda lines: None, made_for=change)


def att_sum(value: str) -> Callable[[Kit], None]:
    """Changes what the button of the property AttSum does."""
    return lambda kit: kit.one(PROP, name="AttSum").children[0].attributes.update(propChanger=value)


def expanded_not(kind: str, state: str) -> tuple[str, str]:
    """A piece as its slot has it, its prototype unexpanded."""
    return f"prototype;Unit\t{kind[kind.rindex('piece;') :]}", f"\t{state[state.rindex('Main Map') :]}"


def without(start: str) -> Callable[[Kit], None]:
    return campaign(lambda lines: lines.remove(next(line for line in lines if line.startswith(start))))


def line(text_of: str) -> Callable[[Kit], None]:
    return campaign(lambda lines: lines.insert(len(lines) - 1, text_of))


def unit(change: Callable[[str, str], tuple[str, str]]) -> Callable[[Kit], None]:
    """Changes type and state of the first unit of the set-up."""

    def of(lines: list[str]) -> None:
        at = next(n for n, found in enumerate(lines) if found.startswith("+/") and "Blue 1st" in found)
        word, piece_id, kind, state = sequence.decode(lines[at], "/")
        lines[at] = sequence.encode((word, piece_id, *change(kind, state)), "/")

    return campaign(of)


def unit_moved(x: int) -> Callable[[Kit], None]:
    """Moves Blue 1st and its stack."""

    def of(lines: list[str]) -> None:
        at = next(n for n, found in enumerate(lines) if found.startswith("+/") and "Blue 1st" in found)
        parts = sequence.decode(lines[at], "/")
        made = parse_piece(parts[2], parts[3], parts[1])
        lines[at] = str(made.placed("Main Map", x, 30))
        stack = next(n for n, found in enumerate(lines) if "/stack/" in found and f";{made.id}" in found)
        lines[stack] = re.sub(r"Main Map;\d+;\d+;", f"Main Map;{x};30;", lines[stack])

    return campaign(of)


PROTO = M + "PrototypeDefinition"
PROP = M + "properties.GlobalProperty"
DEFINITION = "+/null/{0}piece;;;;/{1}null;0;0;;0"
TURN = "TURNTurnTracker0\t"

SEEDS = (
    # -- components
    Seed("class-unknown", "cookbook", adding("GameModule", M + "NoSuchThing")),
    Seed("attribute-unknown", "cookbook", setting(MAP + "Zoomer", zoomInTooltip="In"), "inTooltip"),
    Seed("value-number", "cookbook", setting(M + "DiceButton", nSides="six")),
    Seed("value-number", "cookbook", setting(M + "Map", edgeWidth="12.5"), "12.5"),
    Seed("value-flag", "cookbook", setting(M + "Map", allowMultiple="yes")),
    Seed("value-word", "sample", setting(MAP + "DrawPile", shuffle="Sometimes")),
    Seed("value-colour", "cookbook", setting(M + "Map", color="300,0,0")),
    Seed("value-key", "cookbook", setting(MAP + "Zoomer", zoomInKey="plus")),
    Seed("value-key", "cookbook", button(hotkeys="57353,0,oddsSay"), "lone"),
    Seed("child-misplaced", "cookbook", adding(M + "Map", M + "DiceButton", name="d8", nDice="1", nSides="8")),
    Seed("encoder-first", "cookbook", encoder_last, "behind"),
    Seed("encoder-first", "cookbook", dropping(M + "BasicCommandEncoder"), "missing"),
    Seed("picker-first", "cookbook", lambda kit: kit.last(kit.one(MAP + "BoardPicker"))),
    *(
        Seed("map-parts", "cookbook", dropping(MAP + part), part)
        for part in ("PieceMover", "KeyBufferer", "MenuDisplayer", "ForwardToKeyBuffer")
    ),
    Seed("map-comforts", "cookbook", dropping(MAP + "Zoomer"), "Zoomer"),
    Seed("engine-version", "cookbook", setting("GameModule", VassalVersion="3.4.12"), "3.4"),
    Seed("engine-version", "cookbook", lambda kit: kit.metadata(lambda d: replace(d, vassal_version="3.2.17")), "3.2"),
    Seed("engine-version", "cookbook", setting("GameModule", VassalVersion="4.0"), "newer"),
    Seed("moduledata", "cookbook", lambda kit: kit.metadata(lambda d: replace(d, version="0.9")), "version"),
    Seed("moduledata", "cookbook", lambda kit: kit.entries.pop("moduledata"), "missing"),
    Seed(
        "module-identity",
        "cookbook",
        after(setting("GameModule", version=""), lambda kit: kit.metadata(lambda d: replace(d, version=""))),
    ),
    # -- names
    Seed("name-twice", "cookbook", twice(GRID + "mapgrid.Zone", "name"), "zones"),
    Seed("name-twice", "cookbook", adding(M + "properties.GlobalProperties", PROP, name="Terrain", initialValue=""), "properties"),
    Seed("name-twice", "sample", twice(GRID + "Region", "name"), "regions"),
    Seed("name-twice", "club", again(PROTO), "prototypes"),
    Seed("name-twice", "sample", again(M + "map.boardPicker.Board"), "boards"),
    Seed("name-twice", "sample", again(W + "Chart"), "charts"),
    Seed("name-twice", "sample", again(M + "PredefinedSetup"), "set-ups"),
    Seed("name-twice", "sample", again(M + "DiceButton"), "dice"),
    Seed("name-twice", "cookbook", adding(M + "PlayerRoster", "entry", "Blue"), "sides"),
    Seed("name-twice", "sample", again(M + "PlayerHand"), "maps"),
    Seed("name-twice", "cookbook", again(M + "turn.TurnTracker"), "turn trackers"),
    Seed("name-twice", "sample", adding(M + "Map", MAP + "DrawPile", name="Events", owningBoard="Board", x="450", y="500"), "decks"),
    Seed("name-nearly", "cookbook", named(GRID + "mapgrid.Zone", "name", "East", name="west")),
    Seed("name-missing", "sample", named(GRID + "Region", "name", "Box 2", name="")),
    Seed(
        "name-taken",
        "cookbook",
        adding(M + "properties.GlobalProperties", PROP, name="Moved", initialValue="", description="", isNumeric="false"),
    ),
    Seed("side-signs", "cookbook", adding(M + "PlayerRoster", "entry", "Red: reserve")),
    # -- pictures and files
    Seed("picture-missing", "cookbook", setting(M + "GlobalKeyCommand", icon="nope.png"), "nope.png"),
    Seed("picture-missing", "sample", setting(M + "Inventory", icon="Chart.png"), "small letters"),
    Seed("picture-missing", "cookbook", piece(make("emb2", images="r1.png,gone.png", name="Face")), "gone.png"),
    Seed("picture-missing", "cookbook", piece(make("obs", image="veil.png", style="I", access="side:")), "veil.png"),
    Seed("picture-missing", "cookbook", piece(make("obs", image="mask.png", style="Gback.png", access="side:")), "back.png"),
    Seed("picture-missing", "cookbook", piece(make("markmoved", image="went.png", key="77,130")), "went.png"),
    Seed("picture-built-in", "cookbook", setting(M + "GlobalKeyCommand", icon="/images/nosuch.gif")),
    Seed("picture-unused", "cookbook", with_entry("images/idle.png", png(10, 10))),
    Seed("picture-form", "cookbook", with_entry("images/r1.png", b"not a picture")),
    Seed("picture-form", "cookbook", with_entry("images/r1.png", b"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'/>"), "SVG"),
    Seed(
        "page-picture",
        "sample",
        after(
            adding(W + "TabWidget", W + "HtmlChart", chartName="Aid", fileName="help/aid.html", description=""),
            with_entry("help/aid.html", b"<p><img alt='' src='nope.png'> <img src=\"card1.png\">"),
        ),
        "nope.png",
    ),
    *(
        Seed(
            "board-size",
            "sample",
            after(named(M + "map.boardPicker.Board", "name", "Hand", image="big.png"), with_entry("images/big.png", png(width, 8000))),
            word,
        )
        for width, word in ((12000, "96 million"), (6000, "48 million"))
    ),
    Seed("file-missing", "sample", setting(M + "PredefinedSetup", file="nope.vsav")),
    Seed(
        "file-missing", "sample", adding(M + "Documentation", M + "documentation.HelpFile", title="Aid", fileName="help/x.html"), "x.html"
    ),
    Seed("sound-missing", "cookbook", button(doSound="true", soundClip="bang.wav")),
    Seed("entry-twice", "cookbook", after(with_entry("help/A.txt", b"a"), with_entry("help/a.txt", b"a"))),
    # -- boards
    Seed("zone-path", "cookbook", named(GRID + "mapgrid.Zone", "name", "Blue Box", path="808,160;998,160;998"), "broken"),
    Seed("zone-path", "cookbook", named(GRID + "mapgrid.Zone", "name", "Blue Box", path="808,160;998,160"), "encloses"),
    Seed("zone-outside", "cookbook", named(GRID + "mapgrid.Zone", "name", "Blue Box", path="808,160;5000,160;5000,300;808,300")),
    Seed("zone-covered", "cookbook", named(GRID + "mapgrid.Zone", "name", "Blue Box", path="650,170;700,170;700,290;650,290")),
    Seed("grid-size", "sample", handed(dx="-20")),
    Seed("grid-names", "sample", handed(dx="10.0", dy="10.0", sep="", hLeading="0", vLeading="0"), "the name of another"),
    Seed("grid-names", "sample", handed(hOff="-50"), "negative"),
    Seed("grid-stagger", "sample", handed(stagger="")),
    Seed("region-outside", "sample", named(GRID + "Region", "name", "Box 2", originx="5000"), "outside the board"),
    Seed("region-outside", "sample", named(GRID + "Region", "name", "Box 2", originy="300"), "outside its zone"),
    Seed("start-board", "cookbook", setting(MAP + "SetupStack", owningBoard="Nowhere")),
    Seed("start-place", "cookbook", setting(MAP + "SetupStack", location="9999"), "9999"),
    Seed("start-place", "cookbook", named(MAP + "SetupStack", "name", "Reinf", x="9000"), "9000"),
    Seed("board-default", "sample", lambda kit: setattr(kit.one("setup"), "text", "Main MapBoardPicker\tNowhere\t0\t0"), "Nowhere"),
    Seed("board-default", "sample", lambda kit: setattr(kit.one("setup"), "text", "Other MapBoardPicker\tBoard\t0\t0"), "Other Map"),
    Seed("board-none", "sample", boardless),
    Seed("board-flat", "sample", named(M + "map.boardPicker.Board", "name", "Hand", width="0")),
    # -- pieces
    Seed("piece-unreadable", "cookbook", lambda kit: kit.raw_slot("a counter"), "no piece"),
    Seed("piece-unreadable", "cookbook", lambda kit: kit.raw_slot("+/null/delete;Delete;127,0;/"), "innermost"),
    Seed(
        "piece-states", "cookbook", lambda kit: kit.raw_slot("+/null/delete;Delete;127,0;\tpiece;;;;Extra/null;0;0;800;0"), "2 traits and 1"
    ),
    Seed("piece-states", "cookbook", lambda kit: kit.raw_slot("+/null/piece;;;;Extra/null;0;0;800;0\tmore"), "1 traits and 2"),
    Seed("piece-writing", "cookbook", lambda kit: kit.raw_slot("+/null/'cmt;a\\'\tpiece;;;;Extra/\tnull;0;0;800;0")),
    Seed("trait-unknown", "cookbook", piece(("frobnicate;a;b", ""))),
    Seed("trait-fields", "cookbook", piece(("delete;Delete;127,0;said;extra", ""))),
    Seed("gpid-missing", "cookbook", piece(gpid="")),
    Seed("gpid-twice", "cookbook", piece(gpid="901"), "901"),
    Seed("gpid-twice", "cookbook", piece(gpid="1"), "that of 2"),
    Seed("gpid-next", "cookbook", piece(gpid="5000"), "5000"),
    Seed("gpid-next", "cookbook", setting("GameModule", nextPieceSlotId="901"), "901"),
    Seed("gpid-differs", "cookbook", piece(gpid="800", inner="801")),
    Seed("gpid-form", "cookbook", piece(gpid="first")),
    Seed("prototype-undefined", "cookbook", piece(make("prototype", name="Nope"))),
    Seed(
        "prototype-circle",
        "cookbook",
        lambda kit: [
            kit.add(M + "PrototypesContainer", PROTO, DEFINITION.format(f"prototype;{other}\t", "\t"), name=own, description="")
            for own, other in (("Yin", "Yang"), ("Yang", "Yin"))
        ],
    ),
    Seed("prototype-unused", "cookbook", adding(M + "PrototypesContainer", PROTO, DEFINITION.format("", ""), name="Idle", description="")),
    Seed("marker-values", "cookbook", piece(("mark;Side,Attack", "Red"))),
    Seed("slot-name", "cookbook", lambda kit: kit.raw_slot("+/null/piece;;;;Other/null;0;0;800;0")),
    # -- traits
    Seed("trait-form", "cookbook", piece(make("rotate", facings="six")), "facings"),
    Seed("trait-form", "cookbook", piece(make("footprint", key="plus")), "key"),
    Seed("trait-form", "cookbook", piece(make("restrict", sides="Red", by_player="maybe")), "by_player"),
    Seed("layer-old", "cookbook", piece(make("emb2", images="r1.png", name="Face", version="0"))),
    Seed("layer-levels", "cookbook", piece((make("emb2", images="r1.png", name="Face"), "4")), "level 4"),
    Seed("layer-levels", "cookbook", piece(make("emb2", images="r1.png", level_names="a,b", name="Face")), "2 names"),
    Seed("layer-levels", "cookbook", piece(make("emb2", images="", name="Face")), "no picture"),
    Seed("layer-zero", "cookbook", piece((make("emb2", images="r1.png", name="Face"), "0")), "stands on level 0"),
    Seed(
        "layer-zero",
        "cookbook",
        piece(make("emb2", images="r1.png", name="Face", follow=True, property="{Attacking==true ? 1 : 0}")),
        "may be 0",
    ),
    Seed("mask-access", "cookbook", piece(make("obs", image="mask.png", access="player:")), "player"),
    Seed("mask-access", "cookbook", piece(make("hide", access="player:")), "player"),
    Seed("mask-order", "cookbook", piece(make("delete", key="127,0"), make("obs", image="mask.png", access="side:"))),
    Seed("marker-taken", "cookbook", piece(("mark;PieceId", "r1")), "PieceId"),
    Seed("marker-taken", "cookbook", piece(("mark;LocationName", "r1")), "LocationName"),
    Seed("report-word", "cookbook", piece(make("report", keys=keys("81,130"), format="$pieceName$ sits down"))),
    Seed(
        "report-twice",
        "cookbook",
        piece(make("report", keys=keys("81,130"), format="one"), make("report", keys=keys("81,130"), format="two")),
    ),
    Seed("return-deck", "cookbook", piece(make("return", deck="Events")), "Events"),
    Seed("return-deck", "sample", piece("return;Return;82,130;Events;;;2;false;"), "does not read"),
    Seed("submenu-entry", "cookbook", piece(make("submenu", name="More", items="Vanish"))),
    Seed("old-place", "cookbook", piece(make("sendto", menu="Back", key="81,130", map="Main Map", x="{OldX}", y="{OldY}"))),
    Seed("placed-nothing", "cookbook", piece(make("placemark", key="81,130", gpid="801"))),
    Seed("trigger-order", "cookbook", lambda kit: kit.prototype("Unit", triggers_swapped), "loss2"),
    # -- keys
    Seed("key-engine", "cookbook", button(hotkey="90,130")),
    Seed("key-twice", "cookbook", after(button(hotkey="81,130"), button(hotkey="81,130")), "Ctrl-Q"),
    Seed(
        "key-mask-moved",
        "cookbook",
        piece(make("obs", key="77,130", menu="", image="mask.png", access="side:"), make("markmoved", image="moved.png", key="77,130")),
    ),
    Seed("key-menu-twice", "cookbook", piece(make("delete", key="68,130"), make("clone", key="68,130"))),
    Seed("key-unheard", "cookbook", button(hotkeys=keys(command("odds9"))), "odds9"),
    Seed("key-unheard", "cookbook", piece(make("macro", key="81,130", action_keys=keys(command("stpe")))), "stpe"),
    Seed("key-unsent", "cookbook", piece(make("delete", menu="", key=command("vanish"))), "vanish"),
    # -- expressions
    Seed("expression-syntax", "cookbook", calc("{Attack+(1}"), "never closed"),
    Seed("expression-syntax", "cookbook", calc('{Side=="Red}'), "never ends"),
    Seed("expression-syntax", "cookbook", calc("{Attack+1"), "one brace"),
    Seed("expression-quotes", "cookbook", calc("{Side=='Red'}"), "single"),
    Seed("expression-quotes", "cookbook", calc('{SumMap("CF","Main Map","{Side==\'Red\'}")}'), "single"),
    Seed("expression-function", "cookbook", calc("{Max(Attack,Defence)}"), "Max"),
    Seed("expression-function", "cookbook", calc('{IsMatch(Side,"R.*")}'), "IsMatch"),
    Seed("expression-function", "cookbook", calc("{Side.charAt(0)}"), "charAt"),
    Seed("expression-arguments", "cookbook", calc('{GetMapProperty("MapP")}'), "1 arguments"),
    Seed("expression-map", "cookbook", button(doReport="true", reportFormat='{"CF "+SumMap("CF")}'), "SumMap"),
    Seed("expression-map", "cookbook", button(doReport="true", reportFormat='{"CF "+SumLocation("CF")}'), "SumLocation"),
    Seed("expression-place", "cookbook", calc('{SumMap("CF","Other Map","{Side==\\"Red\\"}")}'), "Other Map"),
    Seed("expression-place", "cookbook", calc('{SumZone("CF","North","Main Map")}'), "North"),
    Seed("expression-location", "cookbook", calc('{SumLocation("CF",LocationName)}')),
    Seed("expression-match", "cookbook", calc('{Sum("CF","Side = Red")}')),
    Seed("expression-dollars", "cookbook", calc('{"at $LocationName$"}'), "LocationName"),
    Seed("expression-dollars", "cookbook", changer("P,5 $"), "loses"),
    Seed("expression-octal", "cookbook", calc("{Attack==0309}")),
    Seed("expression-not", "cookbook", calc("{!Attacking}")),
    Seed("expression-assign", "cookbook", calc("{Attack=3}")),
    Seed("expression-empty", "cookbook", calc('{""+Attack+Defence}')),
    Seed("zeros-kept", "cookbook", setting(M + "GlobalOptions", storeLeadingZeroIntegersAsStrings="false")),
    Seed("zeros-get", "cookbook", calc('{GetProperty("LocationName")}')),
    Seed("zeros-compared", "cookbook", calc("{LocationName==309}")),
    Seed("changer-letter", "cookbook", changer("X,5")),
    Seed("changer-comma", "cookbook", changer("P,{Math.min(Attack,Defence)}"), "cut at a comma"),
    Seed("changer-comma", "cookbook", att_sum('P,{SumMap("CF","Main Map")}'), "Main Map"),
    Seed("changer-colon", "cookbook", raw_commands("Change:81\\,130:P\\,{Attack>1 ? 1 : 2}"), "lost"),
    Seed("changer-backslash", "cookbook", raw_commands("One:81\\,130:P\\,a\\,Two:81\\,195:P\\,b"), "swallows"),
    Seed("changer-backslash", "cookbook", att_sum("P,$AttSum$\\"), "a backslash"),
    Seed(
        "changer-constant",
        "cookbook",
        lambda kit: kit.add(PROP, M + "properties.ChangePropertyButton", text="Fair", hotkey="", propChanger="P,fair"),
    ),
    # -- properties
    Seed("property-undefined", "cookbook", calc("{Atack+1}"), "Attack"),
    Seed("property-word", "cookbook", piece(make("report", keys=keys("81,130"), format="$Nmae$ speaks")), "Nmae"),
    Seed("property-set", "cookbook", piece(make("setprop", name="TalkM", commands=commands(("Say", "81,130", "P,x")))), "TalkM"),
    Seed(
        "property-set",
        "cookbook",
        piece(make("setpieceprop", name="Mood", commands=commands(("Say", "81,130", "P,x")))),
        "no piece has",
    ),
    Seed("property-idle", "cookbook", adding(M + "properties.GlobalProperties", PROP, name="Spare", initialValue="")),
    # -- orders
    Seed("command-condition", "cookbook", setting(M + "GlobalKeyCommand", condition="")),
    Seed("command-condition", "sample", setting(MAP + "MassKeyCommand", condition="")),
    Seed("command-target", "cookbook", setting(M + "GlobalKeyCommand", target="MAP|false|MAP|||||0|0||false|||EQUALS||"), "not of MODULE"),
    Seed("command-target", "cookbook", setting(M + "GlobalKeyCommand", target="MODULE|false|TABLE|||||0|0||false|||EQUALS||"), "TABLE"),
    Seed("command-place", "cookbook", setting(M + "GlobalKeyCommand", target="MODULE|true|MAP|Attic||||0|0||false|||EQUALS||"), "Attic"),
    Seed(
        "command-key", "cookbook", adding("GameModule", M + "GlobalKeyCommand", name="Idle", buttonText="Idle", hotkey="", buttonHotkey="")
    ),
    Seed("send-map", "cookbook", piece(make("sendto", menu="Away", key="81,130", map="Attic", dest="Z", zone="Red Box")), "Attic"),
    Seed(
        "send-place", "cookbook", piece(make("sendto", menu="Away", key="81,130", map="Main Map", dest="Z", zone="Green Box")), "Green Box"
    ),
    Seed(
        "send-place", "cookbook", piece(make("sendto", menu="Away", key="81,130", map="Main Map", dest="G", grid_location="9909")), "9909"
    ),
    Seed("send-place", "sample", piece(make("sendto", menu="Away", key="81,130", map="Main Map", dest="R", region="Box 9")), "Box 9"),
    Seed("send-place", "cookbook", piece(make("sendto", menu="Away", key="81,130", map="Main Map", x="99999", y="5")), "99999"),
    # -- play
    Seed("report-moves", "cookbook", setting(M + "GlobalOptions", autoReport="Never"), "Never"),
    Seed("report-moves", "cookbook", lambda kit: kit.one(M + "GlobalOptions").attributes.pop("autoReport"), "left to the engine"),
    Seed("report-formats", "cookbook", setting(M + "Map", moveWithinFormat="")),
    Seed("side-none", "club", lambda kit: kit.one(M + "PlayerRoster").children.clear()),
    Seed("side-unknown", "cookbook", piece(make("restrict", sides="Green")), "Green"),
    Seed("side-unknown", "cookbook", piece(make("obs", image="mask.png", access="sides:Red:Green")), "Green"),
    Seed("side-unknown", "cookbook", calc('{PlayerSide=="Rde"}'), "Rde"),
    Seed("side-unknown", "sample", setting(M + "Inventory", sides="Green"), "Green"),
    Seed("side-unknown", "sample", setting(M + "PlayerHand", side="Green"), "Green"),
    Seed("private-map", "sample", setting(M + "PlayerHand", side="")),
    Seed("tracker-levels", "cookbook", setting(M + "turn.TurnTracker", turnFormat="T$level1$ $level2$ $level3$"), "level 3"),
    Seed("tracker-list", "cookbook", setting(M + "turn.ListTurnLevel", list="Red Move,Red Combat,Red Move,Blue Combat"), "2 times"),
    Seed("tracker-list", "cookbook", setting(M + "turn.ListTurnLevel", list=""), "empty"),
    Seed(
        "tracker-hotkey",
        "cookbook",
        adding(M + "turn.TurnTracker", M + "turn.TurnGlobalHotkey", name="clear", hotkey="57358,0,clearAll", match="", reportFormat=""),
    ),
    # -- set-ups
    Seed("setup-unreadable", "sample", with_entry("campaign.vsav", b"no save")),
    Seed("setup-brackets", "sample", without("end_save"), "end_save"),
    Seed("setup-brackets", "sample", without("begin_save"), "begin_save"),
    Seed("setup-placed", "sample", without("SETUP_STACK")),
    Seed("setup-player", "sample", line("PLAYER\tsecret-word\tAnn\tRed"), "Ann"),
    Seed("setup-board", "sample", line("AtticBoardPicker\tBoard\t0\t0"), "Attic"),
    Seed("setup-prototype", "sample", unit(expanded_not)),
    Seed("setup-gpid", "sample", unit(lambda kind, state: (kind, re.sub(r"(Main Map;\d+;\d+;)3;", r"\g<1>777;", state))), "777"),
    Seed("setup-traits", "sample", unit(lambda kind, state: (kind.replace("Hit twice", "Hit 2 times"), state)), "macro"),
    Seed("setup-face", "sample", unit(lambda kind, state: (kind, state.replace("Blue,3,5", "Blue,9,5"))), "Attack 9"),
    Seed("setup-place", "sample", unit_moved(5000), "no board"),
    Seed("setup-stack", "sample", campaign(lambda lines: lines.insert(-1, "+/77/stack/Main Map;30;35;4711;@@-1")), "4711"),
    Seed("setup-turn", "sample", after(without(TURN), line(TURN + "0|1;0;false;-1;9\\;0\\;0\\;true,true,true,true")), "entry 9"),
    Seed("setup-turn", "sample", after(without(TURN), line(TURN + "0|1;0;false;-1;0\\;0\\;0\\;true,true,true")), "active flags"),
    Seed("setup-turn", "sample", after(without(TURN), line(TURN + "0|1;0;false;-1;1\\;0\\;0\\;true,false,true,true")), "switched off"),
    Seed("setup-property", "sample", line("GlobalProperty\t;Luck;3;Module"), "Luck"),
    Seed("setup-line", "sample", line("FROB\tnothing"), "FROB"),
    Seed("setup-origin", "sample", origin(lambda d: replace(d, name="Other Module")), "Other Module"),
)


@pytest.mark.parametrize("seed", SEEDS, ids=str)
def test_a_seeded_fault_is_found_by_its_check_alone(seed: Seed) -> None:
    found = new_findings(seed)
    assert found, "nothing was found"
    assert {finding.check for finding in found} == {seed.check}, "\n".join(f"{f.check}: {f.where}: {f.what}" for f in found)
    assert any(seed.word in f"{finding.what} {finding.allowed}" for finding in found), [finding.what for finding in found]
    assert all(finding.where and finding.what for finding in found)


APART = [
    ('{A=="x"}', '{A!="x"}', True),
    ('{(Zone=="1") && (A=="x" || A=="y")}', '{(Zone=="1") && (A!="x" && A!="y")}', True),
    ('{A=="x)("}', '{A!="x)("}', True),
    ('{A=="x" || A=="y"}', '{A!="x"}', False),
    ('{A=="x" || B=="x"}', '{A!="x"}', False),
    ('{A=="x"}', "", False),
]


@pytest.mark.parametrize(("one", "other", "apart"), APART, ids=[f"{a} {b}" for a, b, _ in APART])
def test_triggers_of_which_only_one_can_act_may_share_a_key(one: str, other: str, apart: bool) -> None:
    triggers = (make("macro", name=n, menu=n, key="68,130", filter=test) for n, test in (("First", one), ("Second", other)))
    found = {finding.check for finding in new_findings(Seed("key-menu-twice", "cookbook", piece(*triggers)))}
    assert ("key-menu-twice" in found) != apart, found


@pytest.mark.parametrize("check", CHECKS)
def test_every_check_finds_a_seed_at_its_own_severity(check: str) -> None:
    """With the test above: no check can be taken away, since each alone finds some seed."""
    seeds = [seed for seed in SEEDS if seed.check == check]
    assert seeds
    assert any(finding.severity is CHECKS[check].severity for seed in seeds for finding in new_findings(seed))
