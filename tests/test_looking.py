"""``referee show``, ``score``, ``legal`` and ``options``: positions as text, data and pictures; what may be done; what is agreed on."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import referee
from gamebox.load import load_box
from referee import cli, cli_options
from referee.audit.opened import open_file, until
from referee.rules.events import TableEvent, TableLog
from referee.rules.options import UsageError
from referee.rules.position_text import position_text
from referee.rules.record import header_of, record_of

GAME = "battle-for-germany"
ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "data" / GAME / "samples"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command in this process: exit code, what it prints, what it says on standard error. The text of a position does not
    tell its game, so that is said with it."""

    def command(*words: str | Path) -> tuple[int, str, str]:
        told_by = ("--game", GAME) if any(str(word).endswith(".position") for word in words) and "--game" not in words else ()
        monkeypatch.setattr(sys, "argv", ["referee", *map(str, words), *told_by])
        with pytest.raises(SystemExit) as end:
            cli.main()
        told = capsys.readouterr()
        return (end.value.code if isinstance(end.value.code, int) else 0), told.out, told.err

    return command


@pytest.fixture(scope="module")
def book() -> Any:
    return referee.load(GAME)


@pytest.fixture(scope="module")
def record(book: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record of the set-up and of the first three moves that are legal."""
    p, lines = book.start(), []
    courland = [a for a in book.legal(p) if str(a).startswith("western-allied setup")]
    units = list(dict.fromkeys(a.unit for a in courland))
    hexes = list(dict.fromkeys(a.to for a in courland))
    for i, unit in enumerate(units):
        lines.append(book.parse(f"western-allied setup {unit} > {hexes[i // 2]}"))
        p = book.play(p, lines[-1])
    if book.legal(p) and p.agenda[-1].step == "set-up":
        lines.append(book.parse("western-allied done"))
        p = book.play(p, lines[-1])
    for _ in range(3):
        lines.append(next(islice(book.legal(p), 5, 6)))
        p = book.play(p, lines[-1])
    path = tmp_path_factory.mktemp("record") / "three.record"
    path.write_text(str(record_of(book, header_of(book), lines, p)), "utf-8")
    return path


def laid(book: Any, folder: Path, places: dict[str, str], *, turn: int = 3, force: str = "S", kind: str = "movement") -> Path:
    """A position laid out by hand, as a file."""
    path = folder / "laid.position"
    path.write_text(position_text(book, book.game.arranged(places, turn=turn, force=force, kind=kind)), "utf-8")
    return path


def ground(run: Run, path: Path) -> dict[str, dict[str, Any]]:
    code, out, err = run("score", path, "--json")
    assert code == 0, err
    return {row["hex"]: row for row in json.loads(out)["standing"]["rows"]}


# ---------------------------------------------------------------------------------------------------------------------------
# show


def test_a_record_is_shown_at_any_step(run: Run, record: Path) -> None:
    assert "after action 0 of" in run("show", record, "--at", "0")[1]
    code, out, _ = run("show", record)
    assert code == 0
    assert "Turn 1 (Dec II 1944), Soviet Movement Phase" in out
    assert "To decide: Soviet: move, or end the phase" in out
    assert " moved" in out and "Soviet: " in out


def test_the_data_of_a_position_tell_units_cities_and_who_decides(run: Run, record: Path) -> None:
    told = json.loads(run("show", record, "--json")[1])
    assert (told["version"], told["kind"], told["game"]) == (1, "record", GAME)
    scene = told["scene"]
    assert scene["by"] == ["Soviet"] and scene["turn"] == 1
    assert sum("moved" in unit["marks"] for unit in scene["units"]) == 3
    assert {city["holder"] for city in scene["cities"]} == {"german"}
    assert len(scene["units"]) == 119


def test_a_position_s_text_is_shown_with_its_marks(run: Run, book: Any, tmp_path: Path) -> None:
    path = laid(book, tmp_path, {"su-1-br": "2723", "su-2-tk": "1608", "eg-2": "2515", "eg-6": "box-eg"})
    out = run("show", path, "--game", GAME)[1]
    assert "2723  su-1-br (1 BR 8-20-3) garrison" in out
    assert "1608  su-2-tk (2 Tk 6-4-6) displaced" in out
    assert "Destroyed East Germans (1): eg-6 (6 3-5-4)" in out


def test_a_game_that_hides_nothing_is_shown_whole_to_every_reader_that_there_is(run: Run, record: Path) -> None:
    whole = run("show", record)
    assert whole[0] == 0 and "is left out" not in whole[1]
    for reader in ("public", "director", "Soviet", "western-allied"):
        assert run("show", record, "--for", reader) == whole
    code, out, err = run("show", record, "--for", "finns")
    assert (code, out) == (2, "") and "there is no reader 'finns'; there are: public, director, " in err


def test_a_client_s_log_is_shown_at_a_step(run: Run) -> None:
    code, out, err = run("show", SAMPLES / "01-t1-red-moves.vlog", "--game", GAME, "--module", SAMPLES / "bfg-club.vmod", "--at", "9")
    assert code == 0, err
    assert "01-t1-red-moves.vlog, after step 9 of" in out and "Soviet Movement Phase" in out


def test_an_undo_that_has_not_happened_yet_takes_nothing_back() -> None:
    from referee.rules.events import Table

    events = (
        TableEvent(1, "move", piece="a", undone=True),
        TableEvent(2, "undo", value="1"),
        TableEvent(3, "undo", value="2"),
    )
    log = TableLog("x", "vassal", "", "", 3, Table({}), events)
    assert not until(log, 1).events[0].undone
    assert until(log, 2).events[0].undone
    assert [e.step for e in until(log, 2).events] == [1, 2]


def test_the_same_position_gives_the_same_picture(run: Run, record: Path, tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        code, out, err = run("show", record, "--svg", tmp_path / name)
        assert (code, out) == (0, (tmp_path / name).as_posix() + "\n"), err
    first = (tmp_path / "a.svg").read_bytes()
    assert first == (tmp_path / "b.svg").read_bytes()
    text = first.decode("utf-8")
    assert "Turn 1 (Dec II 1944), Soviet Movement Phase" in text and "has moved in this phase" in text
    assert str(record.parent) not in text


def test_a_picture_can_be_rendered(run: Run, record: Path, tmp_path: Path) -> None:
    assert run("show", record, "--png", tmp_path / "a.png")[0] == 0
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


# ---------------------------------------------------------------------------------------------------------------------------
# score


def test_a_city_goes_to_who_stands_in_it(run: Run, book: Any, tmp_path: Path) -> None:
    row = ground(run, laid(book, tmp_path, {"su-2-tk": "2418", "eg-2": "2419"}))["2418"]
    assert (row["holder"], row["test"], row["points"], row["side"]) == ("Soviet", "occupied", 1, "Soviet")
    assert row["why"] == "occupied by 2 Tk 6-4-6 (su-2-tk)"


def test_a_city_goes_to_the_only_side_whose_zoc_reaches_it(run: Run, book: Any, tmp_path: Path) -> None:
    row = ground(run, laid(book, tmp_path, {"su-2-tk": "2419"}))["2418"]
    assert (row["holder"], row["test"]) == ("Soviet", "zoc")
    assert row["why"] == "only Soviet ZOC reaches it: 2 Tk 6-4-6 in 2419"


def test_a_city_in_the_zoc_of_two_sides_stays_with_its_holder(run: Run, book: Any, tmp_path: Path) -> None:
    row = ground(run, laid(book, tmp_path, {"su-2-tk": "2419", "eg-2": "2417"}))["2418"]
    assert (row["holder"], row["test"], row["points"]) == ("German", "unchanged", 0)
    assert row["why"].startswith("ZOC of several sides reaches it (German: 2 3-5-4 in 2417; Soviet: 2 Tk 6-4-6 in 2419)")


def test_a_capital_scores_for_the_soviets_only_under_a_front(run: Run, book: Any, tmp_path: Path) -> None:
    without = ground(run, laid(book, tmp_path, {"su-2-tk": "2723"}))["2723"]
    assert (without["holder"], without["points"], without["note"]) == ("Soviet", 0, "a capital scores for the Soviets only under a Front")
    assert "R-G93" in without["rules"]
    under = ground(run, laid(book, tmp_path, {"su-1-br": "2723"}))["2723"]
    assert (under["points"], under["note"]) == (2, "under a Front")


def test_the_count_tells_totals_result_and_rule(run: Run, book: Any, tmp_path: Path) -> None:
    out = run("score", laid(book, tmp_path, {"su-2-tk": "2418", "we-1-fr": "2205", "we-2-us": "2205"}))[1]
    assert "VPs: Soviet 1, Western Allied 4. If the game ended now: Western Allied wins 1-4" in out
    assert "Victory: After turn 10 whoever has more VPs wins; a tie is a draw [11.0, R-G94]." in out


def test_a_record_tells_since_when_a_city_has_its_holder(run: Run, record: Path) -> None:
    rows = ground(run, record)
    assert all("since" in row["why"] or row["test"] in ("occupied", "zoc") for row in rows.values())


# ---------------------------------------------------------------------------------------------------------------------------
# legal


def test_the_reach_of_a_unit_has_cost_rest_and_way(run: Run, book: Any, tmp_path: Path) -> None:
    path = laid(book, tmp_path, {"su-2-tk": "2519", "eg-2": "2515"})
    told = json.loads(run("legal", path, "--unit", "su-2-tk", "--json")[1])
    assert told["by"] == ["soviet"] and told["owed"] == []
    assert {a["verb"] for a in told["actions"]} == {"move"}
    for action in told["actions"]:
        assert action["cost"] + action["left"] == 6
        assert action["way"][0] == "2519" and action["way"][-1] == action["to"]
    stopped = next(a for a in told["actions"] if a["to"] == "2516")
    assert stopped["note"] == "in an enemy ZOC"
    assert "move  2518     1     5  2519 2518" in run("legal", path, "--unit", "su-2-tk")[1]


def test_what_may_be_done_is_gathered_by_unit(run: Run, book: Any, tmp_path: Path) -> None:
    out = run("legal", laid(book, tmp_path, {"su-2-tk": "2519", "eg-2": "2515"}))[1]
    assert "su-2-tk (2 Tk 6-4-6, Soviet) in 2519: 6 MP" in out
    assert "2518 (1)" in out and re.search(r"\b2516 \(\d\)\*", out)
    assert out.rstrip().endswith("soviet done")


def test_a_unit_that_cannot_get_there_is_told_why(run: Run, book: Any, tmp_path: Path) -> None:
    path = laid(book, tmp_path, {"su-2-tk": "2519", "eg-2": "2515"})
    out = run("legal", path, "--unit", "su-2-tk", "--to", "2515")[1]
    assert "su-2-tk may not enter 2515" in out or "cannot go to 2515" in out
    told = json.loads(run("legal", path, "--unit", "su-2-tk", "--to", "2515", "--json")[1])
    assert told["actions"] == [] and told["refused"]


def test_a_unit_of_another_force_is_told_why_it_cannot_move(run: Run, book: Any, tmp_path: Path) -> None:
    out = run("legal", laid(book, tmp_path, {"su-2-tk": "2519", "eg-2": "2515"}), "--unit", "eg-2")[1]
    assert "eg-2 (2 3-5-4, East German) in 2515: cannot move:" in out and "it may do nothing now" in out


def test_targets_tell_the_best_odds(run: Run, book: Any, tmp_path: Path) -> None:
    path = laid(book, tmp_path, {"su-1-br": "2516", "su-2-tk": "2414", "eg-2": "2515"}, kind="combat")
    out = run("legal", path)[1]
    assert "soviet target > 2515: 2 3-5-4; best 2:1 (14 : 5) by su-1-br (8), su-2-tk (6)" in out


def test_the_reach_can_be_painted(run: Run, book: Any, tmp_path: Path) -> None:
    path = laid(book, tmp_path, {"su-2-tk": "2519", "eg-2": "2515"})
    code, _, err = run("legal", path, "--unit", "su-2-tk", "--svg", tmp_path / "reach.svg")
    assert code == 0, err
    text = (tmp_path / "reach.svg").read_text("utf-8")
    assert "What 2 Tk 6-4-6 (su-2-tk) may do" in text and "in reach, with MPs left" in text


# ---------------------------------------------------------------------------------------------------------------------------
# options


def choices() -> list[tuple[str, tuple[str, ...]]]:
    """Every scenario without options, and with as many as go together."""
    box = load_box(GAME)
    found: list[tuple[str, tuple[str, ...]]] = []
    for row in box["scenarios"]:
        picked: list[str] = []
        for option in box["options"]:
            try:
                cli_options.must_go_together(box, row.key, [*picked, option.key])
            except UsageError:
                continue
            picked.append(option.key)
        found += [(row.key, ()), (row.key, tuple(picked))]
    return found


@pytest.mark.parametrize(("scenario", "picked"), choices())
def test_a_sheet_fits_a_page(scenario: str, picked: tuple[str, ...]) -> None:
    box = load_box(GAME)
    lines = list(cli_options.text_of(cli_options.sheet_of(box, scenario, picked)))
    assert len(lines) <= cli_options.ROWS
    assert max(map(len, lines)) <= cli_options.PAGE
    text = "\n".join(lines)
    assert all(option in text for option in picked)
    assert ("second combat" in text) == ("18.1" in picked)


def test_every_option_and_switch_has_words_of_its_own() -> None:
    box = load_box(GAME)
    words = cli_options.words_of(box)
    assert set(words.READINGS) == {row.key for row in box["options"] if row.text("kind") == "switch"}
    assert set(words.OPTIONS) == {row.key for row in box["options"] if row.text("kind") != "switch"}


def test_the_list_names_the_rulings_that_an_option_settles(run: Run) -> None:
    told = json.loads(run("options", GAME, "--json")[1])
    rows = {row["id"]: row for row in told["options"]}
    assert rows["6.4/three-effects"]["rulings"] == ["R-G2"]
    assert rows["12.3/east-box"]["needs"] == ["12.3"]
    assert "R-G111" in rows["18.1"]["rulings"]
    assert next(row["id"] for row in told["scenarios"]) == "historical"
    only = json.loads(run("options", GAME, "--scenario", "collapse", "--json")[1])
    assert [row["id"] for row in only["scenarios"]] == ["collapse"]
    assert all("collapse" in row["scenarios"] for row in only["options"])


@pytest.mark.parametrize(
    ("scenario", "picked", "said"),
    [
        ("expanded", "18/12.2,12.3", "does not go with '18/12.2': 12.3 lifts the attacks that 18/12.2 is about [R-G117]"),
        ("expanded", "13.2,13.1/race", "does not go with '13.2'"),
        ("historical", "12.3/east-box", "option '12.3/east-box' needs '12.3' as well"),
        ("rsws", "18/8.0", "has no place in scenario 'rsws'"),
        ("collapse", "18/5.3", "without Western Allied units there are no groups [R-G117]"),
        ("historical", "13.2", "only in expanded"),
        ("historical", "99", "has no option '99'; there are: 6.2.1/vacant-first"),
        ("nowhere", "12.3", "has no scenario 'nowhere'; there are: historical"),
    ],
)
def test_what_makes_no_sense_together_is_refused_with_the_reason(run: Run, scenario: str, picked: str, said: str) -> None:
    code, out, err = run("options", GAME, "--scenario", scenario, "--options", picked, "--sheet")
    assert code == 2 and out == ""
    assert said in err and err.count("\n") == 1


def test_a_sheet_as_html_loads_nothing_from_anywhere(run: Run, tmp_path: Path) -> None:
    assert run("options", GAME, "--scenario", "historical", "--options", "12.3", "--html", tmp_path / "sheet.html")[0] == 0
    text = (tmp_path / "sheet.html").read_text("utf-8")
    assert text.startswith("<!doctype html>") and "http" not in text and "src=" not in text
    assert "all German replacements arrive as East Germans" in text


# ---------------------------------------------------------------------------------------------------------------------------
# Errors


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "nowhere.record"), "nowhere.record: no such file or folder"),
        (("show", "."), ".: is a folder"),
        (("show", "{record}", "--at", "999"), "there is no step 999"),
        (("show", "{record}", "--scenario", "rsws"), "the record says historical, and --scenario says rsws"),
        (("score", "{text}"), "neither a record ('record 1 ...') nor a position"),
        (("score", "{empty}"), "the file is empty"),
        (("score", "{position}"), ":2:1: 'turm' is no field of a position"),
        (("legal", "{record}", "--unit", "2-tk"), "there is no unit '2-tk'; there are su-2-tk"),
        (("legal", "{record}", "--to", "2613"), "--to goes with --unit"),
        (("legal", "{record}", "--unit", "su-2-tk", "--to", "9999"), "'9999' is no hex of this map"),
        (("show", "{record}", "--svg", "nowhere/a.svg"), "nowhere: no such folder"),
        (("options", "no-game"), "there is no game 'no-game'"),
    ],
)
def test_errors_are_one_line_and_exit_code_2(run: Run, record: Path, tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    files = {"record": record, "text": tmp_path / "a.txt", "empty": tmp_path / "empty", "position": tmp_path / "bad.position"}
    files["text"].write_text("hello", "utf-8")
    files["empty"].write_bytes(b"")
    files["position"].write_text("position 1\nturm 3\n", "utf-8")
    code, out, err = run(*(word.format(**files) for word in words))
    assert code == 2 and out == "", out
    assert said in err and err.startswith("referee: ") and err.count("\n") == 1


def test_a_record_that_holds_an_illegal_action_is_shown_up_to_it(run: Run, record: Path, tmp_path: Path) -> None:
    lines = [line.split(" ; ")[0] for line in record.read_text("utf-8").splitlines() if not line.startswith("end ")]
    lines[0] = "record 1"
    lines[-1] = f"{lines[-1].split(' ')[0]} soviet move su-2-tk @ 2723 > 0101"
    bad = tmp_path / "bad.record"
    bad.write_text("\n".join(lines) + "\n", "utf-8")
    code, _, err = run("show", bad)
    number = int(lines[-1].split(" ")[0])
    assert code == 2 and f"--at {number - 1} shows the position before it" in err
    assert run("show", bad, "--at", str(number - 1))[0] == 0


def test_opening_tells_what_led_there(record: Path) -> None:
    opened = open_file(record, at=1)
    assert (opened.kind, opened.step) == ("record", 1)
    assert opened.last.startswith("western-allied setup") and opened.caption.endswith(opened.last)


# ---------------------------------------------------------------------------------------------------------------------------
# Other scenarios


def test_in_collapse_only_the_cities_of_the_east_are_shown_and_counted(run: Run, tmp_path: Path) -> None:
    book: Any = referee.load(GAME, "collapse")
    path = laid(book, tmp_path, {"su-1-br": "2526", "eg-2": "2515"})
    rows = json.loads(run("score", path, "--scenario", "collapse", "--game", GAME, "--json")[1])["standing"]["rows"]
    assert {"2613", "2723", "2015"} <= {row["hex"] for row in rows} and not {"2204", "2203", "1712"} & {row["hex"] for row in rows}
    shown = run("show", path, "--scenario", "collapse", "--game", GAME)[1]
    assert "Cologne" not in shown and "Warsaw" in shown


def test_what_means_nothing_in_a_scenario_is_not_told(run: Run, tmp_path: Path) -> None:
    places = {"su-1-br": "2613", "we-1-br": "2912", "su-1-gds-inf": "2714", "we-5-us": "2712"}
    told = {}
    for scenario, turn in (("rsws", 12), ("expanded", 5)):
        path = laid(referee.load(GAME, scenario), tmp_path, places, turn=turn)
        told[scenario] = run("show", path, "--scenario", scenario, "--game", GAME)[1]
    assert "First in Berlin" in told["expanded"] and "Ports closed to evacuation" in told["expanded"]
    assert "First in Berlin" not in told["rsws"] and "Ports closed" not in told["rsws"]


def test_a_unit_of_no_use_in_the_scenario_is_out_of_the_game(run: Run, tmp_path: Path) -> None:
    path = laid(referee.load(GAME, "rsws"), tmp_path, {"su-1-br": "2613", "we-5-us": "2712"}, turn=12)
    out = run("legal", path, "--scenario", "rsws", "--game", GAME, "--unit", "wg-1-ss")[1]
    assert "wg-1-ss (" in out and "West German): out of the game" in out


def test_after_berlin_it_is_told_that_the_germans_have_left(run: Run) -> None:
    kept = next((ROOT / "tests/records/battle-for-germany/v1").glob("expanded-13.2*racer*.record"))
    out = run("show", kept)[1]
    assert "The Germans have left: no boundary (13.1)" in out and "Nobody's cities" in out and "German cities" not in out
    early = run("show", kept, "--at", "20")[1]
    assert "have left" not in early and "German cities" in early
