"""Logs of every scenario and option: lawful play is never called illegal, and what breaks a rule of the scenario is found."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest

from modgen.formats.vassal.saves import Metadata, write_log
from referee.audit.run import audit_file
from referee.games.battle_for_germany.actions import Move
from referee.games.battle_for_germany.movement import MovementStep
from referee.rules.options import UsageError
from tests.judge.games_as_logs import acted, audited, book_of, judged, played, writer_for, written

STYLES = ("talk", "chat", "silent")
GAMES: tuple[tuple[str, tuple[str, ...], int, str, int], ...] = (
    ("expanded", (), 2, "racer", 9),
    ("expanded", ("13.2", "18/6.3"), 2, "racer", 8),
    ("expanded", ("13.1/race",), 2, "racer", 8),
    ("collapse", (), 2, "racer", 6),
    ("collapse", ("14.0/occupied", "18.1"), 1, "random", 4),
    ("rsws", (), 2, "racer", 6),
    ("rsws", ("18.1", "18/5.3", "18/6.3"), 2, "racer", 4),
    ("three_player", (), 4, "exiter", 4),
    ("three_player", ("18.1", "18/6.3", "18/5.3", "18/8.0"), 1, "random", 4),
    ("four_player", (), 2, "racer", 4),
    ("four_player", ("17.3/own-front", "18.1"), 1, "random", 4),
    ("historical", ("18.1",), 1, "random", 4),
    ("historical", ("12.3", "18/6.3"), 2, "racer", 4),
    ("historical", ("18/5.3", "18/8.0"), 2, "racer", 4),
)
"""Scenario, options, and the game: seed, plan, turns."""


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("scenario", "options", "seed", "plan", "turns"), GAMES, ids=str)
def test_lawful_play_is_never_called_illegal(
    built_module: Path, tmp_path: Path, scenario: str, options: tuple[str, ...], seed: int, plan: str, turns: int, style: str
) -> None:
    book = book_of(scenario, options)
    actions = played(scenario, options, seed, plan, turns)
    found = audited(book, written(book, actions, built_module, style), built_module, tmp_path)["actions"]
    wrong = [a for a in found if a["verdict"] in ("illegal", "doubtful")]
    assert not wrong, wrong[:3]
    asked = [a for a in found if a["verdict"] == "unclear"]
    if style == "talk":
        assert not asked, asked[:3]
    # with nobody telling where the markers lie, everything in a second phase is asked for
    served = [a for a in asked if "18.1.p7" in a["rules"] or "Second" in a["phase"]]
    assert len(asked) - len(served) <= len(found) // 50 + 1
    assert len(found) > 50


@pytest.mark.parametrize("style", STYLES)
def test_what_hangs_on_a_marker_that_nobody_told_is_asked_for(built_module: Path, tmp_path: Path, style: str) -> None:
    actions = played("historical", ("18.1",), 1, "random", 4)
    book = book_of("historical", ("18.1",))
    found = audited(book, written(book, actions, built_module, style), built_module, tmp_path)["actions"]
    second = [a for a in found if "Second" in a["phase"] and a["kind"] in ("move", "attack")]
    assert len(second) > 10
    if style == "silent":
        assert {a["verdict"] for a in second} == {"unclear"}
        assert all(a["message"].endswith("Nobody said") for a in second if a["kind"] == "move")
    else:
        assert {a["verdict"] for a in second} == {"legal"}


def test_the_germans_leave_without_a_breach_when_berlin_has_fallen(built_module: Path, tmp_path: Path) -> None:
    actions = played("expanded", (), 2, "racer", 9)
    book = book_of("expanded")
    found = audited(book, written(book, actions, built_module, "chat"), built_module, tmp_path)["actions"]
    gone = [a for a in found if a["rules"] == ["13.1.p2"]]
    assert len(gone) > 15
    assert {a["verdict"] for a in gone} == {"legal"}


Case = tuple[str, tuple[str, ...], dict[str, str], tuple[int, str, str], tuple[str, ...], str]
BREACHES: dict[str, Case] = {
    "Expanded: Soviets on Western units before Berlin falls": (
        "expanded",
        (),
        {"su-1-gds-inf": "2614", "we-7-us": "2612", "su-2-tk": "2512", "eg-2": "2116"},
        (5, "S", "combat"),
        ("soviet attack su-2-tk > 2612", "chance roll combat 1"),
        "6.3.a",
    ),
    "Expanded: over the boundary before Berlin falls": (
        "expanded",
        (),
        {"su-3-gds-tk": "2316", "we-7-us": "2003", "eg-2": "2116"},
        (5, "S", "movement"),
        ("soviet move su-3-gds-tk @ 2316 > 2311",),
        "5.2.2.p1",
    ),
    "Three players: Allies on each other": (
        "three_player",
        (),
        {"su-2-tk": "2512", "we-7-us": "2612", "eg-2": "2116"},
        (5, "W", "combat"),
        ("western-allied attack we-7-us > 2512", "chance roll combat 1"),
        "6.3.a",
    ),
    "Three players: a second tripled move": (
        "three_player",
        (),
        {"eg-2": "2116", "eg-16": "2216", "su-1-balt": "3725", "we-7-us": "2003"},
        (5, "G", "movement"),
        ("german move eg-2 @ 2116 > 2109", "german move eg-16 @ 2216 > 2210"),
        "16.3.b1",
    ),
    "Four players: East Germans into Berlin": (
        "four_player",
        (),
        {"eg-2": "2614", "su-1-balt": "3725", "we-7-us": "2003", "wg-65": "2108"},
        (5, "EG", "movement"),
        ("east-german move eg-2 @ 2614 > 2613",),
        "5.2.1.p3",
    ),
    "Four players: East Germans into the west": (
        "four_player",
        (),
        {"eg-2": "2614", "su-1-balt": "3725", "we-7-us": "2003", "wg-65": "2108"},
        (5, "EG", "movement"),
        ("east-german move eg-2 @ 2614 > 2611",),
        "5.2.1.p1",
    ),
    "Own front: Soviets on West Germans": (
        "four_player",
        ("17.3/own-front",),
        {"su-2-tk": "2613", "wg-65": "2612", "eg-2": "2116", "we-7-us": "2003"},
        (5, "S", "combat"),
        ("soviet attack su-2-tk > 2612", "chance roll combat 1"),
        "17.3.a",
    ),
    "Red Star/White Star: Poles on Poles": (
        "rsws",
        (),
        {"su-1-pol": "2613", "we-2-pol": "2612", "su-1-balt": "3725"},
        (12, "S", "combat"),
        ("soviet attack su-1-pol > 2612", "chance roll combat 1"),
        "15.2.f",
    ),
    "Red Star/White Star: a third unit": (
        "rsws",
        (),
        {"su-2-tk": "2614", "su-4-tk": "2614", "su-10-gds-inf": "2615", "we-7-us": "2003"},
        (12, "S", "movement"),
        ("soviet move su-10-gds-inf @ 2615 > 2614", "soviet done"),
        "5.1.p1",
    ),
    "Collapse: Soviets into the west": (
        "collapse",
        (),
        {"su-3-gds-tk": "2316", "eg-2": "2116"},
        (5, "S", "movement"),
        ("soviet move su-3-gds-tk @ 2316 > 2311",),
        "14.0.p3",
    ),
    "Collapse: a third unit": (
        "collapse",
        (),
        {"su-2-tk": "2718", "su-4-tk": "2718", "su-10-gds-inf": "2719", "eg-2": "2116"},
        (5, "S", "movement"),
        ("soviet move su-10-gds-inf @ 2719 > 2718", "soviet done"),
        "5.1.p1",
    ),
    "18.1: an ally in the second combat": (
        "historical",
        ("18.1",),
        {"su-1-balt": "2718", "su-2-tk": "2717", "su-1-pol": "2717", "eg-2": "2716", "we-7-us": "2003", "wg-65": "2108"},
        (5, "S", "replacement"),
        ("soviet marker su-1-balt", "soviet done", "soviet done", "soviet done", "soviet attack su-1-pol > 2716", "chance roll combat 1"),
        "18.1.p7",
    ),
    "18.1: a tired unit attacks": (
        "historical",
        ("18.1",),
        {
            "su-1-balt": "2718",
            "su-2-tk": "2718",
            "su-10-gds-inf": "2717",
            "eg-56-pz": "2716",
            "we-7-us": "2003",
            "wg-65": "2108",
        },
        (5, "S", "replacement"),
        (
            "soviet marker su-1-balt",
            *["soviet done"] * 4,
            "soviet move su-2-tk @ 2718 > 2717",
            *["soviet done"] * 2,
            *["western-allied done"] * 4,
            *["soviet done"] * 2,
            "soviet attack su-2-tk > 2716",
            "chance roll combat 1",
        ),
        "18.1.p11",
    ),
    "18.1: a marker under no Front": (
        "historical",
        ("18.1",),
        {"su-1-balt": "2718", "su-2-tk": "2717", "eg-2": "2716"},
        (5, "S", "replacement"),
        ("soviet marker su-2-tk",),
        "18.1.p6",
    ),
    "18/5.3: a second mixed stack": (
        "historical",
        ("18/5.3",),
        {"we-7-us": "2003", "we-12-br": "2003", "we-4-us": "1903", "we-5-br": "1902", "wg-65": "2108"},
        (5, "W", "movement"),
        ("western-allied move we-5-br @ 1902 > 1903", "western-allied done"),
        "18/5.3.c",
    ),
    "18/6.3: twice in one phase": (
        "three_player",
        ("18/6.3",),
        {"su-1-balt": "2717", "su-10-gds-inf": "2717", "su-2-tk": "2719", "eg-2": "2718", "eg-16": "2718", "we-7-us": "2003"},
        (5, "S", "combat"),
        (
            "soviet attack su-1-balt,su-10-gds-inf > eg-2",
            "chance roll combat 1",
            "soviet attack su-1-balt > 2718",
            "chance roll combat 1",
        ),
        "6.3.c1",
    ),
    "12.3: West Germans return": (
        "historical",
        ("12.3",),
        {"wg-65": "box-wg", "we-7-us": "2003", "eg-2": "2716", "su-1-balt": "2818"},
        (5, "WG", "replacement"),
        ("soviet replace wg-65 > 2612",),
        "12.3.p3",
    ),
}


@pytest.mark.parametrize("name", BREACHES)
def test_breaches_of_a_scenario_are_found(built_module: Path, tmp_path: Path, name: str) -> None:
    scenario, options, places, clock, lines, para = BREACHES[name]
    book = book_of(scenario, options)
    position, actions = acted(book, places, lines, clock)
    found = judged(book, position, actions, built_module, tmp_path, "talk")
    wrong: list[dict[str, Any]] = [a for a in found if a["verdict"] == "illegal"]
    assert [a for a in wrong if para in a["rules"]], [(a["notation"], a["verdict"], a["rules"], a["message"]) for a in found]
    assert len(wrong) == 1, [(a["notation"], a["rules"], a["message"]) for a in wrong]


@pytest.mark.parametrize(("face", "verdict"), [(2, "illegal"), (5, "legal")])
def test_a_first_player_turn_that_the_die_leaves_out_is_not_played(built_module: Path, tmp_path: Path, face: int, verdict: str) -> None:
    book = book_of("rsws")
    writer = writer_for(book, built_module, "talk")
    writer.log.roll(writer.die, (face,))
    p = book.play(book.start(), book.parse("chance roll turn11 5"))  # the turn is played, whatever the die says
    writer.show_phase(p)
    writer.play(p, next(a for a in book.legal(p) if " move " in str(a)))
    found = audited(book, writer.log.log(), built_module, tmp_path)["actions"]
    assert next(a["notation"] for a in found if a["rules"] == ["15.2.b"]) == f"chance roll turn11 {face}"
    wrong = [a for a in found if a["verdict"] == "illegal"]
    assert [a["rules"] for a in wrong] == ([["15.2.b"]] if verdict == "illegal" else [])


def test_a_drag_that_need_not_lead_through_berlin_does_not_make_it_fall(built_module: Path, tmp_path: Path) -> None:
    # The first entry would drive all Germans off (13.1), and only the ends of the drag are in the log.
    book = book_of("expanded")
    places = {"su-3-gds-tk": "2714", "we-7-us": "2003", "eg-2": "2116", "eg-16": "2117"}
    lines = ("soviet move su-3-gds-tk @ 2714 > 2514 via 2715,2614", "soviet done")
    position, actions = acted(book, places, lines, (5, "S", "movement"))
    shortest = MovementStep(book.game.setting).way(position, Move("soviet", "su-3-gds-tk", "2714", "2514"))
    assert book.game.setting.land.berlin in shortest
    found = judged(book, position, actions, built_module, tmp_path, "silent")
    moves = [a for a in found if a["kind"] == "move"]
    assert [a["verdict"] for a in moves] == ["legal"]
    assert "2613" not in moves[0]["notation"] and " via " in moves[0]["notation"]
    assert not any(a["rules"] == ["13.1.p2"] for a in found)


def test_a_log_of_our_module_says_its_game_and_its_scenario(built_module: Path, tmp_path: Path) -> None:
    """Without it a lawful game of another scenario would be judged by the rules of the first."""
    book = book_of("collapse")
    path = tmp_path / "collapse.vlog"
    write_log(path, written(book, played("collapse", (), 3, "random", 2), built_module, "talk"))
    file = audit_file(path, "game", module=built_module).as_json()["files"][0]
    assert (file["game"], file["scenario"]) == ("battle-for-germany", "collapse")
    assert file["actions"] and not [a for a in file["actions"] if a["verdict"] in ("illegal", "doubtful")]


@pytest.mark.parametrize("game", [None, "battle-for-germany"])
def test_a_log_of_another_of_our_games_is_not_judged_by_these_rules(tmp_path: Path, game: str | None) -> None:
    path = tmp_path / "other.vsav"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("savedGame", "begin_save\x1b\x1b\x1bend_save")
        archive.writestr("savedata", Metadata(version="1").to_bytes())
        archive.writestr("moduledata", Metadata(version="1", name="Other", extra1="game great-patriotic-war").to_bytes())
    with pytest.raises(UsageError, match="not of battle-for-germany" if game else "no rules of great-patriotic-war"):
        audit_file(path, "other", game=game)
