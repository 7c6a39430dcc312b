"""Chapters 2 and 3: who owns what, and the order of play."""

from __future__ import annotations

import pytest

from tests.games.bfg.facts import UNITS, rows
from tests.games.bfg.layout import (
    BOOK,
    OWNER,
    PHASES,
    Pos,
    allowed,
    force,
    lay,
    legal,
    phase,
    play,
    refused,
    rule,
    ruling,
    step,
    where,
)

# One unit of each force with an enemy beside it: 2516 (S) - 2515 (EG) and 2004 (W) - 2105 (WG).
QUARTET = "su-1-gds-inf 2516, eg-24-pz 2515, we-5-us 2004, wg-1-ss 2105"
HOME = {"S": "su-1-gds-inf", "EG": "eg-24-pz", "W": "we-5-us", "WG": "wg-1-ss"}
AT = {"S": "2516", "EG": "2515", "W": "2004", "WG": "2105"}
STEP = {"S": "2517", "EG": "2514", "W": "2003", "WG": "2205"}
FOE = {"S": "EG", "EG": "S", "W": "WG", "WG": "W"}
MOVES = {"S": "3.0.a2", "WG": "3.0.a5", "W": "3.0.b2", "EG": "3.0.b5"}
FIGHTS = {"S": "3.0.a3", "WG": "3.0.a6", "W": "3.0.b3", "EG": "3.0.b6"}
RETURNS = {"S": "3.0.a1", "WG": "3.0.a4", "W": "3.0.b1", "EG": "3.0.b4"}
BOXED = {
    "S": ("su-1-bul", "box-s", "2526"),
    "WG": ("wg-63", "box-wg", "2513"),
    "W": ("we-4-us", "box-w", "2001"),
    "EG": ("eg-6", "box-eg", "2614"),
}
NAMES = ("S", "WG", "W", "EG")


def moving(name: str) -> str:
    """A plain step away by the unit of that force."""
    return f"{OWNER[name]} move {HOME[name]} @ {AT[name]} > {STEP[name]}"


@rule("2.5.a")
@rule("2.5.b")
@ruling("R-G120")
@pytest.mark.parametrize("name", NAMES)
def test_each_player_acts_for_the_two_forces_he_owns(name: str) -> None:
    p = lay(f"{name} movement", QUARTET)
    allowed(p, moving(name))
    other = "western-allied" if OWNER[name] == "soviet" else "soviet"
    refused(p, moving(name).replace(OWNER[name], other), "2.5.b" if OWNER[name] == "soviet" else "2.5.a")
    refused(p, f"{other} done", "3.0.p1")


@rule("2.5.a6")
@ruling("R-G74")
def test_hungarians_are_east_germans_in_everything() -> None:
    p = lay("EG movement", "eg-1-hun 2514, eg-6 2514, su-1-gds-inf 3026")
    allowed(p, "western-allied move eg-1-hun @ 2514 > 2515", "western-allied done")
    refused(p, "western-allied move eg-1-hun @ 2514 > 2513", "5.2.1.p1")
    # Exit and evacuation.
    p = lay("EG movement", "eg-1-hun 2026, eg-3-hun 3822, su-1-gds-inf 3026")
    allowed(p, "western-allied exit eg-1-hun @ 2026 > 2026", "western-allied evacuate eg-3-hun")
    # Attacked by S, not by W; a stack with an East German fights as one.
    p = lay("S combat", "eg-1-hun 2515, eg-6 2515, su-1-gds-inf 2516, su-2-gds-inf 2516")
    allowed(p, "soviet attack su-1-gds-inf,su-2-gds-inf > 2515")
    p = lay("EG combat", "eg-1-hun 2514, eg-24-pz 2514, su-1-pol 2515")
    allowed(p, "western-allied attack eg-1-hun,eg-24-pz > 2515")
    # Driven west: West German.
    p = lay("S combat", "eg-1-hun 2514, su-1-gds-inf 2414, su-2-gds-inf 2515, su-3-gds-inf 2614")
    p = play(p, "soviet attack su-1-gds-inf,su-2-gds-inf,su-3-gds-inf > 2514", "chance roll combat 6")
    p = play(p, "western-allied retreat eg-1-hun > 2513")
    assert force(p, "eg-1-hun") == "WG"


@rule("2.5.p5")
@ruling("R-G20")
@ruling("R-G109")
def test_the_luftwaffe_corps_and_four_ss_corps_are_west_german() -> None:
    p = BOOK.start()
    for piece in ("wg-1-lw", "wg-2-lw", "wg-1-ss", "wg-2-ss", "wg-12-ss", "wg-13-ss"):
        assert force(p, piece) == "WG"
    for piece in ("eg-3-ss", "eg-4-ss", "eg-9-ss", "eg-11-ss", "eg-15-ss", "eg-hg-pz"):
        assert force(p, piece) == "EG"


@rule("2.6.b")
@rule("2.6.c")
@rule("2.6.d")
def test_printed_strengths_are_attack_defence_and_movement() -> None:
    assert (UNITS["we-5-us"].attack, UNITS["we-5-us"].defense, UNITS["we-5-us"].move) == (7, 4, 8)
    # Attack with 7, defend with 4: 7 against 3 is 2:1; 6 (wg-13-ss) against 4 is 1:1.
    p = lay("W combat", "we-5-us 2211, wg-63 2212")
    p = play(p, "western-allied attack we-5-us > 2212", "chance roll combat 1")
    assert where(p, "wg-63") == "box-wg"  # 2:1 and 1:1 both give EX on 1
    q = lay("WG combat", "we-5-us 2211, wg-13-ss 2212")
    q = play(q, "soviet attack wg-13-ss > 2211", "chance roll combat 6")
    assert where(q, "wg-13-ss") == "box-wg"  # 1:1, 6: AE; at 6 against 7 it were 1:2
    # MA 8 and 4 over clear hexes.
    p = lay("W movement", "we-5-us 0901, we-4-us 0901, wg-63 2408")
    allowed(p, "western-allied move we-5-us @ 0901 > 1701 via 1001,1101,1201,1301,1401,1501,1601")
    refused(p, "western-allied move we-4-us @ 0901 > 1701 via 1001,1101,1201,1301,1401,1501,1601", "5.0.p1")


@rule("3.0")
@rule("3.0.a")
@rule("3.0.b")
@rule("3.0.c")
@ruling("R-G118")
@ruling("R-G119")
def test_twelve_phases_a_turn_in_their_order_for_ten_turns() -> None:
    # Everybody has something to do in every movement phase; combat and replacement phases here are empty and passed.
    p = lay("S movement", "su-1-gds-inf 2720, eg-24-pz 2416, we-5-us 1604, wg-1-ss 2105", turn=1)
    seen: list[tuple[int, str]] = []
    while not BOOK.over(p):
        seen.append((p.turn, phase(p)))
        p = play(p, f"{p.agenda[-1].by[0]} done")
    assert seen == [(turn, f"{name} movement") for turn in range(1, 11) for name in NAMES]
    assert p.turn == 10 and not legal(p)


@rule("3.0")
def test_a_phase_with_something_to_do_waits() -> None:
    units = QUARTET + ", su-1-bul box-s, wg-63 box-wg, we-4-us box-w, eg-6 box-eg"
    p = lay("S replacement", units, turn=2)
    seen = []
    while p.turn == 2:
        seen.append(phase(p))
        assert p.agenda[-1].by == (OWNER[phase(p).split()[0]],)
        p = play(p, f"{p.agenda[-1].by[0]} done")
    assert seen == [" ".join(x) for x in PHASES]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["replacement", "movement", "combat"])
@rule("3.0.a1")
@rule("3.0.a2")
@rule("3.0.a3")
@rule("3.0.a4")
@rule("3.0.a5")
@rule("3.0.a6")
@rule("3.0.b1")
@rule("3.0.b2")
@rule("3.0.b3")
@rule("3.0.b4")
@rule("3.0.b5")
@rule("3.0.b6")
def test_each_phase_lets_one_force_do_one_thing(name: str, kind: str) -> None:
    units = QUARTET + "".join(f", {unit} {box}" for unit, box, _ in BOXED.values())
    p = lay(f"{name} {kind}", units, turn=4)
    for other in NAMES:
        unit, _, hex_name = BOXED[other]
        lines = {
            "replacement": (f"{OWNER[other]} replace {unit} > {hex_name}", RETURNS[other]),
            "movement": (moving(other), MOVES[other]),
            "combat": (f"{OWNER[other]} attack {HOME[other]} > {AT[FOE[other]]}", FIGHTS[other]),
        }
        for what, (line, paragraph) in lines.items():
            if (other, what) == (name, kind):
                allowed(p, line)
            elif what == kind:  # the phase that runs says who acts
                refused(p, line, {"replacement": RETURNS, "movement": MOVES, "combat": FIGHTS}[kind][name])
            else:  # the phase of the action says when
                refused(p, line, paragraph)


@rule("3.0.a3")
@rule("3.0.a6")
@rule("3.0.b3")
@rule("3.0.b6")
@rule("6.3.a")
@rule("6.3.b")
@ruling("R-G4")
@ruling("R-G22")
@ruling("R-G25")
def test_whom_each_force_may_attack() -> None:
    # Attackers of every force beside a defender of every other force; strengths never forbid it.
    strong = {"S": "su-1-br su-1-gds-inf", "W": "we-5-us we-20-us", "EG": "eg-24-pz eg-39-pz", "WG": "wg-1-ss wg-2-ss"}
    weak = {"S": "su-1-rom", "W": "we-30-br", "EG": "eg-4-pz", "WG": "wg-63"}
    may = {("S", "EG"), ("EG", "S"), ("W", "WG"), ("WG", "W")}
    for attacker, units in strong.items():
        for defender, unit in weak.items():
            if attacker == defender:
                continue
            # EG in 2514 (east), WG in 2513 (west), the other side in the other hex; a displaced Ally fights as always (R-G26).
            mine = "2514" if attacker == "EG" or defender == "WG" else "2513"
            theirs = "2513" if mine == "2514" else "2514"
            first, second = units.split()
            p = lay(f"{attacker} combat", f"{first} {mine}, {second} {mine}, {unit} {theirs}")
            assert force(p, unit) == defender and force(p, first) == attacker
            line = f"{OWNER[attacker]} attack {first},{second} > {theirs}"
            if (attacker, defender) in may:
                allowed(p, line)
            else:
                special = {frozenset(("S", "W")): "6.3.a", frozenset(("EG", "WG")): "6.3.b"}.get(frozenset((attacker, defender)))
                refused(p, line, special or FIGHTS[attacker])


@rule("3.0.c")
@rule("11.0.p5")
@ruling("R-G119")
@ruling("R-G125")
def test_the_game_ends_after_turn_10() -> None:
    p = lay("EG movement", QUARTET, turn=10)
    p = play(p, "western-allied done")
    assert phase(p) == "EG combat" and not BOOK.over(p)
    p = play(p, "western-allied done")
    assert BOOK.over(p) and p.result and step(p) == "over"
    assert not legal(p)
    refused(p, "soviet done", "3.0.c")
    refused(p, moving("S"), "3.0.c")
    q = lay("EG combat", QUARTET, turn=9)
    q = play(q, "western-allied done")
    assert not BOOK.over(q) and q.turn == 10


@rule("3.0.p1")
def test_only_the_phasing_player_acts_but_for_choices_forced_on_his_opponent() -> None:
    p = lay("S combat", "su-1-br 3726, su-1-gds-inf 3726, eg-10 3725, eg-2 0522")
    refused(p, "western-allied done", "3.0.p1")
    p = play(p, "soviet attack su-1-br,su-1-gds-inf > 3725", "chance roll combat 4")
    # DR: the owner of the loser answers, nobody else.
    assert p.agenda[-1].by == ("western-allied",)
    refused(p, "soviet retreat eg-10 > 3724")
    refused(p, "soviet done")
    allowed(p, "western-allied retreat eg-10 > 3724")


@rule("3.0.a2")
@rule("3.0.b2")
def test_all_nations_of_a_force_move_in_its_phase() -> None:
    soviet = {"su-1-gds-inf": "2720", "su-1-pol": "2620", "su-1-bul": "1124", "su-1-rom": "1224", "su-1-yug": "0824"}
    p = lay("S movement", soviet | {"eg-2": "2416"})
    assert {text.split()[2] for text in legal(p) if " move " in text} == set(soviet)
    west = {"we-5-us": "1604", "we-1-br": "1504", "we-1-cn": "1505", "we-1-fr": "1404", "we-2-pol": "1405"}
    p = lay("W movement", west | {"wg-63": "2408"})
    assert {text.split()[2] for text in legal(p) if " move " in text} == set(west)


@ruling("R-G32")
@rule("5.0.p2")
@rule("5.0.p3")
def test_a_unit_moves_once_a_phase() -> None:
    p = lay("S movement", "su-1-gds-inf 2720, su-2-gds-inf 2620, eg-2 2416")
    p = play(p, "soviet move su-1-gds-inf @ 2720 > 2719")
    refused(p, "soviet move su-1-gds-inf @ 2719 > 2718", "5.0.p3")
    allowed(p, "soviet move su-2-gds-inf @ 2620 > 2619")


def test_paragraph_index_has_no_other_refusing_line_of_chapter_3() -> None:
    refusing = {row["id"] for row in rows("rules") if row["section"] == "3.0" and row["role"] == "refuses"}
    after_the_last_turn = "3.0.c"
    assert refusing == {"3.0.p1", after_the_last_turn, *MOVES.values(), *FIGHTS.values(), *RETURNS.values()}


def test_positions_are_values() -> None:
    p: Pos = lay("S movement", QUARTET)
    q = play(p, moving("S"))
    assert p != q and hash(p) == hash(lay("S movement", QUARTET)) and where(p, "su-1-gds-inf") == "2516"
