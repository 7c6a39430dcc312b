"""Our evaluator of the client's expressions does what the engine was seen to do: the cookbook's tables, and its genuine log."""

from __future__ import annotations

import pytest

from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal import sequence
from modgen.formats.vassal.buildfile import Module, read_module
from modgen.formats.vassal.replay import Game, start_of
from modgen.formats.vassal.saves import read_log
from tests.formats.files import COOKBOOK
from tests.modgen.beanshell import ScriptError, shown
from tests.modgen.client import Counter, M, Table

DEMO, LOG = COOKBOOK / "cookbook-demo.vmod", COOKBOOK / "cookbook-demo.vlog"
MAP = "Main Map"


@pytest.fixture(scope="module")
def module() -> Module:
    return read_module(DEMO)


def game() -> Game:
    """The demo's game before its first declaration: R1 4-3 in 0309, R2 in 0409 with 5, B1 in 0510 with 3."""
    log = read_log(LOG)
    out = start_of(log.start.commands)
    for step in log.steps[:2]:
        out.run(step.commands)
    return out


@pytest.fixture
def table(module: Module) -> Table:
    """The same, laid out."""
    return laid(module, game())


def laid(module: Module, game: Game, table: Table | None = None) -> Table:
    """A game as the client in small has it."""
    out = table or Table(module)
    out.properties |= {name: value for (_, name), value in game.properties.items()}
    out.pieces = []
    for live in game.pieces.values():
        piece, (where, x, y) = live.piece(), live.place
        found = module.map(where)
        location = found.locate(x, y) if found is not None else None
        out.pieces.append(Counter(out, piece, where, location.name if location else "", location.zone if location else ""))
    return out


def unit(table: Table, name: str) -> Counter:
    return next(p for p in table.pieces if p.text("UnitId") == name)


@pytest.mark.parametrize(
    ("expression", "kept", "lost"),
    [
        ("{LocationName}", "0309", "309"),
        ('{LocationName=="0309"}', "true", "false"),
        ("{LocationName==Home}", "true", "true"),
        ("{LocationName==309}", "false", "true"),
        ('{Tbl.contains(";"+LocationName+"=R")}', "true", "false"),
        ('{SumLocation("Attack",LocationName,"Main Map")}', "4", "0"),
        ('{SumMap("Attack","{LocationName==\\"0309\\"}")}', "4", "0"),
        ("{Home+1}", "03091", "310"),
        ("{LocationName>300}", "false", "true"),
        ('{GetString("LocationName")}', "0309", "0309"),
        ('{GetProperty("LocationName")}', "309", "309"),
    ],
)
def test_hex_names_with_a_leading_zero(module: Module, expression: str, kept: str, lost: str) -> None:
    for keeps, expected in ((True, kept), (False, lost)):
        table = laid(module, game(), Table(module, keep_zeros=keeps))
        piece = unit(table, "R1")
        piece.marks |= {"Home": "0309", "Tbl": ";0309=R;"}
        assert piece.ask(expression) == expected


@pytest.mark.parametrize("expression", ["{0309}", "{!Nope}", "{IsMatch(1)}", '{"a".charAt(0)}', '{String.format("a")}', "{Max(1, 2)}"])
def test_what_the_engine_does_not_know_or_cannot_do_is_an_error(table: Table, expression: str) -> None:
    with pytest.raises(ScriptError):
        table.ask(expression)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ('{""+Attack+Defence}', "7"),
        ('{"x"+Attack+Defence}', "x43"),
        ("{String.valueOf(Attack)+Defence}", "43"),
        ("{Nope==true}", "false"),
        ("{Nope!=true}", "true"),
        ("{7/2}", "3"),
        ("{-7/2}", "-3"),
        ("{7/2.0}", "3.5"),
        ("{7%4}", "3"),
        ("{(int) (7/2.0)}", "3"),
        ('{Attack>3 ? Attack<5 ? "four" : "more" : "less"}', "four"),
        ('{Integer.parseInt("07")}', "7"),
        ('{Math.min(3, 4)+Math.max(1, 2)+Math.abs(-3)}', "8"),
        ('{Side=~"R.d" && Side!~"B.*"}', "true"),
        ('{Side.toUpperCase().endsWith("ED")}', "true"),
        ('{";1=0309;2=0310;3=0309;".replaceAll("[0-9]+="+LocationName+";", "")}', ";2=0310;"),
        ('{SumMap("Attack")}', "11"),
        ('{SumMap("Attack", "Main Map", "{Side==\\"Red\\"}")}', "11"),
        ("{SumMap(\"Attack\", \"Side = Red\")}", "0"),
        ('{CountMap("{Side==\\"$Side$\\" && Attack>=$Attack$}")}', "2"),
        ('{SumLocation("Attack", "0409")}', "4"),
        ('{SumLocation("Attack", "0409", "Main Map")}', "5"),
        ('{CountLocation("0409", "Main Map", "{Attack==5}")}', "1"),
        ("{CountLocation()}", "1"),
    ],
)
def test_values_are_what_the_cookbook_saw_a_piece_get(table: Table, expression: str, value: str) -> None:
    table.pieces = [p for p in table.pieces if p.text("Side") == "Red"]
    assert unit(table, "R1").ask(expression) == value


def test_a_button_sees_maps_only_by_name(table: Table) -> None:
    named = table.ask('{SumMap("Attack", "Main Map", "{Side==\\"Red\\"}")}')
    assert named == 11
    assert table.ask('{SumMap("Attack")}') == 0 and table.ask('{SumLocation("Attack")}') == 0
    assert table.ask('{SumLocation("Attack", "0309", "Main Map")}') == 4
    with pytest.raises(ScriptError):
        table.ask("{SumMap(\"Attack\", \"Main Map\", \"{Side=='Red'}\")}")


def test_a_comma_in_a_changer_that_is_not_escaped_cuts_the_value() -> None:
    assert sequence.decode("P,{SumMap(1,2)}", ",") == ["P", "{SumMap(1", "2)}"]


def changers(module: Module) -> dict[str, str]:
    """Property -> the expression that its one button sets it to, of the properties of the demo's odds."""
    out = {}
    for found in module.root.iter():
        if found.name == M + "properties.GlobalProperty" and found.get("name") != "Talk":
            for button in found.children:
                out[found.get("name")] = sequence.decode(button.get("propChanger"), ",")[1]
    return out


def test_every_number_of_the_genuine_logs_odds_comes_out_of_the_demos_expressions(module: Module) -> None:
    """Each change that a button of the demo made is worked out anew from the table as it was, and must be what the engine wrote."""
    log = read_log(LOG)
    game = start_of(log.start.commands)
    asked = changers(module)
    (talk,) = (b for p in module.root.iter() if p.get("name") == "Talk" for b in p.children)
    resolved = sequence.decode(talk.get("propChanger"), ",")[1]
    checked: list[tuple[str, str]] = []
    for step in log.steps:
        undone = any(isinstance(c, cmd.Undo) for c in step.commands)
        for command in step.commands:
            if isinstance(command, cmd.PropertyChange) and not undone:
                now = laid(module, game)
                now.properties |= {name: value for (_, name), value in game.properties.items()}
                if command.name == "Talk" and command.new.startswith("RES"):
                    assert shown(now.ask(resolved)) == command.new
                    checked.append(("RES", command.new))
                elif command.name in asked and command.name != "TalkN":
                    assert shown(now.ask(asked[command.name])) == command.new, command.name
                    checked.append((command.name, command.new))
            game.apply(command)
    assert checked == [
        ("AttSum", "9"),
        ("DefSum", "3"),
        ("TerrMult", "3"),
        ("OddsCol", "2"),
        ("OddsText", "1-1"),
        ("CombatResult", "A1"),
        ("RES", "RES|4|0510|9|3|x3|1-1|3|A1"),
        ("RES", "RES|5|0510|9|3|x3|1-1|3|A1"),
        ("DefSum", "2"),
    ]


def test_the_demo_played_again_gives_the_log_that_the_engine_wrote(table: Table) -> None:
    """Declarations by keys, then Resolve: table talk, sums and chat as in steps 3 to 7 of the log."""
    table.dice = [3]
    table.key("65,130", [unit(table, "R1")])
    table.key("65,130", [unit(table, "R2")])
    # The demo's menu entry Target has its own key; its last user pressed the menu.
    target = next(t for t in unit(table, "B1").piece.traits if t.id == "macro" and t.field("menu") == "Target")
    for sent in sequence.decode(target.field("action_keys"), ","):
        unit(table, "B1").hears(sent)
    table.button("Resolve")
    talk = [new for name, _, new in table.changes if name == "Talk"]
    assert [line.rpartition("|")[0] for line in talk[:3]] == ["ATT|1|R1|0309", "ATT|2|R2|0409", "TGT|3|B1|0510"]
    assert talk[3] == "RES|4|0510|9|3|x3|1-1|3|A1"
    assert table.chat == ["*** ODDS 9 : 3 x3 at 0510 = 1-1", "*** RESULT 1-1 die 3 = A1"]


