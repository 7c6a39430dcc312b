"""Lawful attacks announced in words that are easily misread: by the hex of a stack, hex first, with sums, numbers of a list, units that
stay out or that are named last. Whatever the words, nobody is accused and the attack is read as it was made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from modgen.formats.vassal.saves import write_log
from referee.audit.run import audit_file
from referee.games.battle_for_germany.reading_words import left_out
from referee.rules.chat import Names
from tests.judge.scenarist.desk import MODULE, Desk

GAME = "battle-for-germany"
EIGHTH, TANKS = "8 Gds 7-7-4", "1 Gds Tk 6-4-6"
FIFTH, THIRD = "5 Gds 7-7-4", "3 Gds 7-7-4"


def judged(tmp_path: Path, desk: Desk) -> list[dict[str, Any]]:
    Desk.all.remove(desk)
    path = tmp_path / "said.vlog"
    write_log(path, desk.log.log())
    found: list[dict[str, Any]] = audit_file(path, "t", game=GAME, module=MODULE).as_json()["files"][0]["actions"]
    return found


def attacks(found: Sequence[dict[str, Any]]) -> list[tuple[str, list[str]]]:
    """(hex attacked, attackers) of each attack, after a look that nothing else than lawful play was found."""
    assert [a["message"] for a in found if a["verdict"] in ("illegal", "unclear")] == []
    return [(a["to"], a["pieces"]) for a in found if a["kind"] == "attack"]


def thrown_back(text: str) -> Desk:
    """8 Gds and 1 Gds Tk attack 2525, 13:6 = 2:1, and a 5 drives both back (6.2.d)."""
    desk = Desk("said", "said", turn=2, phase="S C").red(text)
    return desk.die(5).drag("2626", EIGHTH).drag("2426", TANKS).next()


@pytest.mark.parametrize(
    "text",
    [
        "Stack 2526 hits 2525",
        "2526->2525",
        "8 Krps from 2526",
        "13 pts from 2526 on 2525",
        "my 13 points at 2526 vs your 3 at 2525 (river, 6)",
        "2526 on 2525, 2425 stays",
        "2525: 8 Gds, 1 Gds Tk. 5 Gds and 3 Gds stay out",
        "8 Gds and 1 Gds Tk on 2525, not 5 Gds",
        "5 Gds stays, 3 Gds too. 8 Gds and 1 Gds Tk on 2525",
        "8 Gds mit 1 Gds Tk auf 2525, ohne 1 BR",
        "attack #3: 8 Gds & 1 Gds Tk on 2525",
        "#1 2525 - 8 Gds, 1 Gds Tk",
        "turn 3, attack 2 of 5: 8 Gds and 1 Gds Tk on 2525",
        "2525 by 8 Gds and 1 Gds Tk, need a 3 or less",
        "8 Gds + 1 Gds Tk (7+6=13) vs 8 Krps 3 x2 = 6, 2:1",
        "8 Gds + 1 Gds Tk (7+6) on 2525",
        "8 Gds 7, 1 Gds Tk (6) on 2525",
        "8 Gds hits 8 Krps, 1 Gds Tk helps",
        "8 Gds auf 8. Korps in 2525, dazu 1. Gds Tk",
        "8 Gds on 2525 with 1 Gds Tk",
    ],
)
def test_who_attacked_is_read_from_many_words(tmp_path: Path, text: str) -> None:
    ((target, pieces),) = attacks(judged(tmp_path, thrown_back(text)))
    assert (target, set(pieces)) == ("2525", {"su-8-gds-inf", "su-1-gds-tk"})


def wrong(text: str) -> Desk:
    """The same, but 1 Gds Tk stands its ground though it was driven back."""
    return Desk("said", "said", turn=2, phase="S C").red(text).die(5).drag("2626", EIGHTH).next()


def test_of_two_that_are_named_one_may_not_stand_though_driven_back(tmp_path: Path) -> None:
    """The words that shield a lawful attack do not shield the one that breaks 6.2.d in every reading of them."""
    found = judged(tmp_path, wrong("8 Gds, 1 Gds Tk on 2525. 5 Gds and 3 Gds stay out"))
    (attack,) = [a for a in found if a["kind"] == "attack"]
    assert attack["verdict"] in ("illegal", "doubtful") and "6.2.d" in attack["rules"], attack


@pytest.mark.parametrize("text", ["2104 + 19 US on 2105", "all of 2104 plus 19 on 67 Krps", "19 US and 2104 v 2105"])
def test_a_hex_in_a_list_of_units_is_its_stack(tmp_path: Path, text: str) -> None:
    """19:15 = 1:1, die 4: AR; 19 US has no hex to go to."""
    desk = Desk("said", "said", turn=2, phase="W C").blue(text)
    desk.die(4).drag("2103", "5 (US) 7-4-8").drag("2003", "7 (US) 6-6-7").delete("19 (US) 6-6-7").next()
    ((target, pieces),) = attacks(judged(tmp_path, desk))
    assert (target, set(pieces)) == ("2105", {"we-5-us", "we-7-us", "we-19-us"})


@pytest.mark.parametrize("text", ["1806 on 15 US", "15 US from 1806", "1806 hits 15 US (1706)"])
def test_a_hex_that_attacks_a_unit_is_not_what_is_attacked(tmp_path: Path, text: str) -> None:
    """10:8 = 1:1, die 2: DR."""
    desk = Desk("said", "said", turn=2, phase="WG C").red(text).die(2).drag("1704", "15 (US) 4-8-6")
    found = judged(tmp_path, desk.next())
    assert [(a["to"], set(a["pieces"])) for a in found if a["kind"] == "attack"] == [("1706", {"wg-13-ss", "wg-82"})]
    assert not [a for a in found if a["kind"] == "attack" and a["verdict"] == "illegal"]


@pytest.mark.parametrize("text", ["Poles (2724) on 41 Pz and 55 (2823)", "Poles (2724) on 2823"])
def test_a_word_for_two_armies_beside_their_hex(tmp_path: Path, text: str) -> None:
    """6:9 = 1:2, die 2: AR."""
    desk = Desk("said", "said", turn=2, phase="S C").red(text)
    desk.die(2).drag("2725", "1 Polish 3-4-4").drag("2725", "2 Polish 3-4-4").next()
    ((target, pieces),) = attacks(judged(tmp_path, desk))
    assert (target, set(pieces)) == ("2823", {"su-1-pol", "su-2-pol"})


def three_german_attacks(text: str) -> Desk:
    """12 SS on 2303 (AR), 47 and 58 Pz on 1904 (AR), 13 SS and 82 on 1706 (1:1, die 4: AR)."""
    desk = Desk("said", "said", turn=2, phase="WG C").red(text)
    desk.die(2).drag("2305", "12 SS Pz Krps 8-5-8").die(4).drag("1906", "47 Pz Krps 6-5-6").drag("1907", "58 Pz Krps 5-3-6")
    return desk.next()


@pytest.mark.parametrize(
    "text",
    [
        "12 SS auf 30+8 Br; danach 47+58 auf 8 US",
        "12 SS v 30 Br, 8 Br; 47 Pz + 58 Pz v 8 US",
        "attack 1: 12 SS vs 2303, attack 2: 47, 58 vs 1904",
    ],
)
def test_attacks_on_named_units_in_one_line_are_several(tmp_path: Path, text: str) -> None:
    found = judged(tmp_path, three_german_attacks(text))
    read = [(a["to"], set(a["pieces"])) for a in found if a["kind"] == "attack"]
    assert read == [("2303", {"wg-12-ss"}), ("1904", {"wg-47-pz", "wg-58-pz"})]


@pytest.mark.parametrize(
    "text",
    [
        "8 Gds, 1 Gds Tk on 2525, then 2425 on 2424 by 5 Gds and 3 Gds",
        "8 Krps attacked by 8 Gds, 1 Gds Tk; 46/56 by 5 Gds, 3 Gds",
        "8 Krps: 8 Gds, 1 Gds Tk; 46 Pz + 56 Pz: 3 Gds, 5 Gds",
        "2526x2525, 2425x2424",
    ],
)
def test_two_attacks_of_one_line_in_either_order(tmp_path: Path, text: str) -> None:
    """13:6 = 2:1, die 5: AR; 14:12 = 1:1, die 2: DR."""
    desk = Desk("said", "said", turn=2, phase="S C").red(text).die(5)
    desk.drag("2626", EIGHTH).drag("2426", TANKS).die(2).drag("2423", "46 Pz Krps 4-3-5").drag("2423", "56 Pz Krps 4-3-5").next()
    found = attacks(judged(tmp_path, desk))
    assert [(to, set(pieces)) for to, pieces in found] == [
        ("2525", {"su-8-gds-inf", "su-1-gds-tk"}),
        ("2424", {"su-5-gds-inf", "su-3-gds-inf"}),
    ]


def test_a_number_in_the_wrong_phase_accuses_nobody_of_another_force(tmp_path: Path) -> None:
    found = judged(tmp_path, Desk("said", "said", turn=2, phase="S C").red("13 more on 2526 later").die(5).next())
    assert not [a for a in found if a["verdict"] == "illegal"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("A on 2525, not B", ["not B"]),
        ("A on 2525. B and C stay out", [" B and C stay"]),
        ("A on 2525, B holds", [" B holds"]),
        ("A on 2525 without B, C on 2424", ["without B"]),
        ("8. Garde bleibt; A on 2525", ["8. Garde bleibt"]),
        ("A stays, B too. C on 2525", ["A stays, B too"]),
        ("A bleibt hier, B auch; C auf 2525", ["A bleibt hier, B auch"]),
        ("A stays, B on 2525, C too", ["A stays"]),
        ("A and B on 2525", []),
    ],
)
def test_what_stays_out(text: str, parts: list[str]) -> None:
    assert [text[begin:end] for begin, end in left_out(text)] == parts


@pytest.mark.parametrize(
    ("text", "odds", "named"),
    [
        ("3: 8 Gds on 2525", (), ["a"]),
        ("attack 2: 47, 58 on 2525", (), ["b"]),
        ("21:4 on 2525", ((21, 4),), []),
        ("21 : 4", ((21, 4),), []),
        ("13: 6 for 2525", ((13, 6),), []),
    ],
)
def test_numbers_of_a_list_are_no_odds(text: str, odds: tuple[tuple[int, int], ...], named: list[str]) -> None:
    names = Names({"a": ("8", "gds"), "b": ("47", "pz")})
    is_hex: Callable[[str], bool] = lambda word: word == "2525"  # noqa: E731
    line = names.read(text, is_hex)
    assert line.odds == odds
    assert [m.units[0] for m in line.mentions] == named


def test_attacks_that_are_told_only_after_they_are_carried_out(tmp_path: Path) -> None:
    """Die, result, words, and again: the words behind the first result are not for the second die, which nobody would be free for."""
    desk = Desk("said", "said", turn=2, phase="S C").red().die(5).drag("2626", EIGHTH).drag("2426", TANKS)
    desk.say("that was 8 Gds and 1 Gds Tk on 2525, 2-1, AR").die(2).blue()
    desk.drag("2423", "46 Pz Krps 4-3-5").drag("2423", "56 Pz Krps 4-3-5").red("5 Gds + 3 Gds on 2424 I mean").next()
    found = attacks(judged(tmp_path, desk))
    assert [(to, set(pieces)) for to, pieces in found] == [
        ("2525", {"su-8-gds-inf", "su-1-gds-tk"}),
        ("2424", {"su-5-gds-inf", "su-3-gds-inf"}),
    ]


def test_a_second_attack_told_before_its_die_is_still_a_second_attack(tmp_path: Path) -> None:
    desk = Desk("said", "said", turn=2, phase="S C").red("5 Gds + 3 Gds on 2424").die(2)
    desk.drag("2423", "46 Pz Krps 4-3-5").drag("2423", "56 Pz Krps 4-3-5").say("5 Gds again, on 2525").die(5).drag("2426", FIFTH).next()
    found = judged(tmp_path, desk)
    assert [(a["to"], a["verdict"]) for a in found if a["kind"] == "attack"] == [("2424", "legal"), ("2525", "illegal")]
    assert any(rule.startswith("6.3.c1") for a in found for rule in a["rules"])


def test_a_name_that_is_taken_for_a_stranger_accuses_nobody(tmp_path: Path) -> None:
    """ "8 Corps" is 8 (Br) to the player; by its words it is the German 8 Krps, far away and no enemy. 13:10 = 1:1, die 4: AR."""
    desk = Desk("said", "said", turn=2, phase="W C").blue("30 Corps & 8 Corps, 2304").die(4)
    found = judged(tmp_path, desk.drag("2202", "30 (Br) 7-4-8").drag("2302", "8 (Br) 6-6-7").next())
    assert not [a for a in found if a["verdict"] == "illegal"]


def test_a_stranger_who_is_attacked_is_still_an_offence(tmp_path: Path) -> None:
    """East Germans may not attack Western Allied units (3.0)."""
    desk = Desk("said", "said", turn=7, phase="EG C", at={"20 (US) 7-4-8": "2513", "GD Pz Krps 7-5-8": "2614"})
    found = judged(tmp_path, desk.blue("GD on 20 US (2513)").die(3).next())
    assert [a["verdict"] for a in found if a["kind"] == "attack"] == ["illegal"]


@pytest.mark.parametrize(
    "text", ["XIX, VII and V US attack 2105", "XIX Corps, VII Corps and V Corps on LXVII", "V US + VII US + XIX US -> 2105"]
)
def test_roman_numbers_name_units(tmp_path: Path, text: str) -> None:
    desk = Desk("said", "said", turn=2, phase="W C").blue(text)
    desk.die(4).drag("2103", "5 (US) 7-4-8").drag("2003", "7 (US) 6-6-7").delete("19 (US) 6-6-7").next()
    ((target, pieces),) = attacks(judged(tmp_path, desk))
    assert (target, set(pieces)) == ("2105", {"we-5-us", "we-7-us", "we-19-us"})


def at_posen(text: str, face: int) -> Desk:
    """8 Gds and 1 Gds Tk in 2619 on GD in Posen, 13:5 = 2:1."""
    at = {"GD Pz Krps 7-5-8": "2618", EIGHTH: "2619", TANKS: "2619"}
    return Desk("said", "said", turn=3, phase="S C", at=at).red(text).die(face)


@pytest.mark.parametrize("text", ["8 Gds, 1 Gds Tk on GD in Posen", "8 Gds, 1 Gds Tk on Posen"])
def test_a_city_is_as_sure_as_its_hex(tmp_path: Path, text: str) -> None:
    found = judged(tmp_path, at_posen(text, 5).drag("2620", EIGHTH).drag("2720", TANKS).next())
    assert attacks(found) == [("2618", ["su-1-gds-tk", "su-8-gds-inf"])]
    found = judged(tmp_path, at_posen(text, 5).drag("2620", EIGHTH).next())
    (attack,) = [a for a in found if a["kind"] == "attack"]
    assert attack["verdict"] == "illegal" and "6.2.d" in attack["rules"], attack


@pytest.mark.parametrize("text", ["10 Gds attacks on the way to Posen", "10 Gds on GD near Posen", "10 Gds from the east on Posen"])
def test_a_city_that_may_not_be_what_is_attacked_accuses_nobody(tmp_path: Path, text: str) -> None:
    found = judged(tmp_path, at_posen(text, 5).next())
    assert not [a for a in found if a["verdict"] in ("illegal", "doubtful")], found


def test_a_stranger_in_a_city_is_an_offence_by_its_name_too(tmp_path: Path) -> None:
    at = {"20 (US) 7-4-8": "2613", "GD Pz Krps 7-5-8": "2614"}
    found = judged(tmp_path, Desk("said", "said", turn=7, phase="EG C", at=at).blue("GD on 20 US in Berlin").die(3).next())
    assert [(a["verdict"], "3.0.b6" in a["rules"]) for a in found if a["kind"] == "attack"] == [("illegal", True)]
