"""Chapter 17: four players, decided in Berlin."""

from __future__ import annotations

import pytest

from tests.games.bfg.facts import BERLIN, COURLAND, CRT, JOINED, PLAYABLE, RATES, UNITS, country, rows, theater
from tests.games.bfg.layout import (
    Pos,
    allowed,
    answered,
    attack,
    by,
    cited,
    force,
    in_use,
    lay,
    legal,
    members,
    on,
    owed,
    phase,
    play,
    playing,
    reach,
    refused,
    rule,
    ruling,
    run,
    step,
    told,
    where,
    within,
)
from tests.games.bfg.odds import column

PLAYERS = (("S", "soviet"), ("EG", "east-german"), ("WG", "west-german"), ("W", "western-allied"))
KINDS = ("replacement", "movement", "combat")


@pytest.fixture(autouse=True)
def four() -> object:
    """Every test here is played by four."""
    with playing("four_player") as book:
        yield book


@rule("17.0")
@rule("17.1")
@ruling("R-G108")
@ruling("R-G120")
@ruling("R-G75")
def test_four_players_set_up_by_the_historical_column_and_the_east_german_sets_up_courland() -> None:
    sheet = {row["piece"]: row["place"] for row in rows("setups") if row["setup"] == "hist"}
    p = in_use().start()
    for piece, unit in UNITS.items():
        assert where(p, piece) == ("unplaced" if sheet[piece] == "courland" else sheet[piece])
        assert force(p, piece) == unit.force
    assert by(p) == "east-german"
    assert legal(p) == {f"east-german setup {u} > {h}" for u in ("eg-2", "eg-3-ss", "eg-10", "eg-16") for h in COURLAND}
    assert set(in_use().game.players) == {name for _, name in PLAYERS}


@rule("17.2.a")
@rule("17.2.b")
@rule("17.2.c")
@rule("17.2.d")
@ruling("R-G108")
def test_the_player_turns_follow_each_other_with_three_phases_each() -> None:
    units = "su-1-gds-inf 2515, su-1-bul box-s, eg-24-pz 2514, eg-8 box-eg, we-5-us 2004, we-7-us box-w, wg-1-ss 2005, wg-63 box-wg"
    p = lay("S replacement", units, turn=9)
    seen = []
    while p.turn == 9:
        if not seen or seen[-1] != (phase(p), by(p)):
            seen.append((phase(p), by(p)))
        p = play(p, f"{by(p)} done")
    assert seen == [(f"{name} {kind}", player) for name, player in PLAYERS for kind in KINDS]
    assert p.turn == 10


@rule("17.2.a")
@rule("17.2.b")
@rule("17.2.c")
@rule("17.2.d")
@ruling("R-G121")
@pytest.mark.parametrize(
    ("name", "line", "paragraph"),
    [
        ("S", "soviet replace su-1-bul > 2526", "17.2.a"),
        ("EG", "east-german replace eg-8 > 2514", "17.2.b"),
        ("WG", "west-german replace wg-63 > 2513", "17.2.c"),
        ("W", "western-allied replace we-7-us > 2001", "17.2.d"),
    ],
)
def test_nobody_has_replacements_on_turn_1(name: str, line: str, paragraph: str) -> None:
    units = "su-1-bul box-s, eg-8 box-eg, we-7-us box-w, wg-63 box-wg, su-4-gds-inf 0324, we-6-us 0601"
    refused(lay(f"{name} replacement", units, turn=1), line, paragraph)
    p = lay(f"{name} replacement", units, turn=4)
    allowed(p, line)
    column_of = {"S": "soviet", "EG": "east_german", "WG": "west_german", "W": "western_allied"}[name]
    assert p.rates[0] == RATES[4, column_of]


@rule("17.2.b")
@rule("17.2.c")
@ruling("R-G120")
@ruling("R-G74")
def test_each_moves_his_own_force_and_no_other() -> None:
    units = "su-1-gds-inf 2620, eg-10 2217, eg-1-hun 1419, wg-63 1512, we-5-us 2004"
    mine = {"S": {"su-1-gds-inf"}, "EG": {"eg-10", "eg-1-hun"}, "WG": {"wg-63"}, "W": {"we-5-us"}}
    for name, player in PLAYERS:
        p = lay(f"{name} movement", units)
        assert by(p) == player
        assert {text.split()[2] for text in legal(p) if " move " in text} == mine[name]
    p = lay("EG movement", units)
    assert "17.2.b" in cited(p, "east-german move wg-63 @ 1512 > 1511")
    assert told(p, "west-german move eg-10 @ 2217 > 2216")["not-yours"][0] == "3.0.p1"
    assert "17.2.c" in cited(lay("WG movement", units), "west-german move eg-10 @ 2217 > 2216")
    assert "17.2.a" in cited(lay("S movement", units), "soviet move wg-63 @ 1512 > 1511")
    assert "17.2.d" in cited(lay("W movement", units), "western-allied move eg-10 @ 2217 > 2216")


@rule("17.3.a")
@ruling("R-G24")
@ruling("R-G22")
def test_either_ally_fights_either_german_and_they_fight_back() -> None:
    units = "su-1-gds-inf 2514, su-2-gds-inf 2514, wg-1-ss 2513, eg-24-pz 2515, we-7-us 2412"
    allowed(lay("S combat", units), "soviet attack su-1-gds-inf > 2513", "soviet attack su-1-gds-inf,su-2-gds-inf > 2513,2515")
    allowed(lay("WG combat", units), "west-german attack wg-1-ss > 2514", "west-german attack wg-1-ss > 2412")
    p = lay("EG combat", "eg-24-pz 2514, we-5-us 2513, su-1-gds-inf 2515")
    allowed(p, "east-german attack eg-24-pz > 2513", "east-german attack eg-24-pz > 2515")
    allowed(lay("W combat", "eg-24-pz 2514, we-5-us 2513, wg-63 1512"), "western-allied attack we-5-us > 2514")
    # 6.3 stands: the Allies and the Germans among themselves.
    assert told(lay("S combat", "su-1-gds-inf 2514, we-5-us 2513, eg-2 2515"), "soviet attack su-1-gds-inf > 2513") == {
        "allies-do-not-fight": ("6.3.a",)
    }
    assert told(lay("EG combat", "eg-24-pz 2514, wg-63 2513, su-1-gds-inf 2515"), "east-german attack eg-24-pz > 2513") == {
        "germans-do-not-fight": ("6.3.b",)
    }


@rule("17.3.a")
@ruling("R-G24")
@ruling("R-G5")
def test_zocs_hold_between_all_who_fight() -> None:
    for mover, player, unit, foe in (
        ("S", "soviet", "su-1-gds-inf 2514", "wg-63 2413"),
        ("EG", "east-german", "eg-10 2514", "we-7-us 2413"),
        ("EG", "east-german", "eg-10 2514", "su-1-gds-inf 2413"),
    ):
        piece, place = unit.split()
        p = lay(f"{mover} movement", f"{unit}, {foe}, su-4-gds-inf 0324, we-6-us 0601, eg-2 0522")
        refused(p, f"{player} move {piece} @ {place} > 2315 via 2414", "4.0.c2")
    # Germans are nothing to Germans, Allies to Allies, but in the way.
    p = lay("EG movement", "eg-10 2514, wg-63 2413, su-4-gds-inf 0324, we-6-us 0601")
    allowed(p, "east-german move eg-10 @ 2514 > 2315 via 2414")
    q = lay("S movement", "su-1-gds-inf 2514, we-7-us 2413, eg-2 0522, wg-64 1512")
    allowed(q, "soviet move su-1-gds-inf @ 2514 > 2315 via 2414")


@rule("17.3.a")
@ruling("R-G24")
def test_by_the_switch_each_ally_fights_on_his_own_front() -> None:
    units = "su-1-gds-inf 2514, su-2-gds-inf 2514, wg-1-ss 2513, eg-24-pz 2515, we-7-us 2412"
    with playing("four_player", "17.3/own-front"):
        refused(lay("S combat", units), "soviet attack su-1-gds-inf > 2513", "17.3.a")
        allowed(lay("S combat", units), "soviet attack su-1-gds-inf > 2515")
        allowed(lay("WG combat", units), "west-german attack wg-1-ss > 2412")
        p = lay("EG combat", "eg-24-pz 2514, we-5-us 2513, su-1-gds-inf 2515")
        refused(p, "east-german attack eg-24-pz > 2513", "17.3.a")
        allowed(p, "east-german attack eg-24-pz > 2515")
        allowed(lay("S movement", "su-1-gds-inf 2514, wg-63 2413, eg-2 0522"), "soviet move su-1-gds-inf @ 2514 > 2315 via 2414")


@rule("17.3.a")
@ruling("R-G35")
@ruling("R-G36")
@ruling("R-G37")
def test_the_line_binds_all_four() -> None:
    p = lay("S movement", "su-1-gds-inf 2514, su-2-gds-inf 2513, eg-2 0522, wg-63 1512")
    refused(p, "soviet move su-1-gds-inf @ 2514 > 2412 via 2413", "5.2.2.p1")
    q = play(p, "soviet done")
    assert where(q, "su-2-gds-inf") == "box-s" and where(q, "su-1-gds-inf") == "2514"
    p = lay("W movement", "we-5-us 2513, we-7-us 2514, eg-2 0522, wg-63 1512")
    refused(p, "western-allied move we-5-us @ 2513 > 2414 via 2514", "5.2.2.p1")
    assert where(play(p, "western-allied done"), "we-7-us") == "box-w"
    p = lay("EG movement", "eg-10 2514, su-4-gds-inf 0324, we-6-us 0601")
    refused(p, "east-german move eg-10 @ 2514 > 2412 via 2413", "5.2.1.p1")
    assert all(theater(h) == "east" for h in reach(p, "eg-10"))
    refused(p, f"east-german move eg-10 @ 2514 > {BERLIN}", "5.2.1.p3")
    p = lay("WG movement", "wg-63 2513, su-4-gds-inf 0324, we-6-us 0601")
    refused(p, f"west-german move wg-63 @ 2513 > {BERLIN}", "5.2.1.p3")
    assert all(theater(h) == "west" for h in reach(p, "wg-63"))


@rule("17.3.a")
@rule("5.2.1.p2")
@ruling("R-G49")
@ruling("R-G108")
@ruling("R-G120")
def test_a_german_driven_over_the_line_changes_player() -> None:
    units = "eg-10 2514, su-1-gds-inf 2414, su-2-gds-inf 2515, su-3-gds-inf 2614, we-6-us 0601, eg-2 0522, wg-64 1512"
    p = attack(lay("S combat", units), "su-1-gds-inf su-2-gds-inf su-3-gds-inf", "2514", 6)
    assert CRT["5:1", 6] == "DR" and by(p) == "east-german"
    assert legal(p) == {"east-german retreat eg-10 > 2513"}
    p = play(p, "east-german retreat eg-10 > 2513")
    assert force(p, "eg-10") == "WG"
    p = answered(p)
    p = run(p, "EG movement")
    assert not reach(p, "eg-10")
    p = run(p, "WG movement")
    assert p.turn == 3 and reach(p, "eg-10")
    # Lost later it lies in the western box, and comes back as a West German.
    q = attack(lay("S combat", "eg-10 2513, su-1-gds-inf 2514, su-2-gds-inf 2514, we-6-us 0601"), "su-1-gds-inf su-2-gds-inf", "2513", 1)
    assert where(q, "eg-10") == "box-wg"


@rule("17.3.a")
@rule("7.2.d1")
@ruling("R-G67")
@ruling("R-G66")
def test_a_blocked_replacement_goes_to_the_other_germany() -> None:
    ring = "su-1-gds-inf 2514, su-2-gds-inf 2614, we-5-us 2714"
    p = lay("EG replacement", f"eg-8 box-eg, wg-64 1512, {ring}, we-6-us 0601", turn=4)
    p = play(p, "east-german replace eg-8 > 2612")
    assert force(p, "eg-8") == "WG"
    # It moves doubled the same turn: the West Germans come later.
    p = run(p, "WG movement", 4)
    assert members(p.doubled) == {"eg-8"} and max_cost(p, "eg-8", "2612") > UNITS["eg-8"].move
    ring = "we-5-us 2513, we-7-us 2612, su-3-gds-inf 2713"
    p = lay("WG replacement", f"wg-63 box-wg, eg-2 0522, {ring}, su-4-gds-inf 0324", turn=4)
    p = play(p, "west-german replace wg-63 > 2614")
    assert force(p, "wg-63") == "EG"
    p = run(p, "EG movement", 5)
    assert not p.doubled and max_cost(p, "wg-63", "2614") <= UNITS["wg-63"].move


def max_cost(p: object, unit: str, start: str) -> int:
    """The most points that a unit can spend."""
    reached = reach(p, unit)  # type: ignore[arg-type]
    return next(points for points in range(1, 30) if reached <= within(start, points))


@rule("17.3.a")
@ruling("R-G108")
@ruling("R-G118")
def test_nothing_is_owed_on_turn_1() -> None:
    p = lay("WG combat", "wg-1-ss 2005, wg-2-ss 1905, we-7-us 2004, we-6-us 1904, eg-2 0522", turn=1)
    assert owed(p) == {}
    allowed(p, "west-german done")
    allowed(lay("WG movement", "wg-1-ss 2005, we-7-us 2004, eg-2 0522", turn=1), "west-german done")


@rule("17.3.a")
@ruling("R-G44")
def test_a_unit_may_be_attacked_by_both_allies_in_one_turn() -> None:
    p = lay("S combat", "wg-1-ss 2513, su-1-gds-inf 2514, we-5-us 2412, we-7-us 2412, eg-2 0522")
    assert column(p, "su-1-gds-inf", "2513") == "1:1"
    p = answered(attack(p, "su-1-gds-inf", "2513", 4))
    p = run(p, "W combat")
    allowed(p, "western-allied attack we-5-us,we-7-us > 2513")


# ---------------------------------------------------------------------------------------------------------------------------
# 17.3.b


def result_after(*entries: str) -> str:
    """The result when these Allies pass through Berlin in this order, from turn 7 on."""
    p = lay("S movement", "su-1-gds-inf 2714, we-5-us 2713, eg-2 0522, wg-63 1301", turn=7)
    for name in entries:
        p = run(p, f"{name} movement")
        line = {"S": "soviet move su-1-gds-inf @ 2714 > 2614", "W": "western-allied move we-5-us @ 2713 > 2612"}[name]
        p = play(p, f"{line} via {BERLIN}")
    while not in_use().over(p):
        p = play(p, f"{by(p)} done")
    assert p.turn == 10
    return str(p.result)


@rule("17.3.b1")
@rule("17.3.b2")
@rule("17.3.b3")
@rule("17.3.b4")
@rule("17.3.b5")
@ruling("R-G87")
@ruling("R-G88")
@ruling("R-G108")
def test_who_wins_goes_by_who_was_in_berlin_and_who_first() -> None:
    assert result_after() == "East German and West German win"
    assert result_after("S") == "Soviet and West German win"
    assert result_after("W") == "Western Allied and East German win"
    assert result_after("S", "W") == "Soviet wins"
    assert result_after("W", "S") == "Western Allied wins"


@rule("17.3.b3")
@rule("17.3.b4")
@ruling("R-G88")
def test_the_second_ally_enters_only_when_the_first_has_left() -> None:
    p = lay("W movement", f"su-1-gds-inf {BERLIN}, we-5-us 2713, eg-2 0522, wg-63 1512", turn=8)
    refused(p, f"western-allied move we-5-us @ 2713 > {BERLIN}", "5.0.a3")
    p = lay("W movement", "su-1-gds-inf 2614, we-5-us 2713, eg-2 0522, wg-63 1512", turn=8, berlin_first=(0, 7, 0), berlin_seen=1)
    p = play(p, f"western-allied move we-5-us @ 2713 > {BERLIN}")
    assert p.berlin_first[0] == 0 and p.berlin_seen == 3


@rule("17.3.b1")
@rule("17.3.b5")
@ruling("R-G108")
@ruling("R-G119")
def test_points_decide_nothing() -> None:
    units = "su-1-br 2723, su-2-br 2015, we-5-us 2509, eg-2 0522, wg-63 1512"
    p = play(lay("W combat", units, turn=10), "western-allied done")
    assert in_use().over(p) and p.result == "East German and West German win"


@rule("17.3.a")
@ruling("R-G76")
def test_the_east_german_player_evacuates_courland() -> None:
    p = lay("EG movement", "eg-2 3822, su-2-balt 3723, wg-64 1512", turn=3)
    p = play(p, "east-german evacuate eg-2", "chance roll evacuation 2", "east-german land > 2815")
    assert where(p, "eg-2") == "2815"


@rule("17.3.a")
@ruling("R-G79")
def test_exits_take_from_the_front_of_their_edge() -> None:
    p = lay("EG movement", "eg-24-pz 2026, wg-63 1512, su-1-gds-inf 2323, we-6-us 2223")
    p = play(p, "east-german exit eg-24-pz @ 2026 > 2026")
    assert legal(p) == {"east-german take su-1-gds-inf", "east-german done"}
    p = play(p, "east-german take su-1-gds-inf")
    assert step(p) == "movement" or p.turn
    assert where(run(p, "W movement") if phase(p) != "W movement" else p, "su-1-gds-inf") == "out"
    assert not on(p, "box-s")


@rule("17.3.a")
@ruling("R-G54")
def test_nobody_advances_over_the_line() -> None:
    p = attack(lay("S combat", "su-1-gds-inf 2514, su-2-gds-inf 2514, wg-63 2513, eg-2 0522"), "su-1-gds-inf su-2-gds-inf", "2513", 1)
    assert where(p, "wg-63") == "box-wg" and step(p) != "advance"
    p = attack(lay("W combat", "we-5-us 2513, we-20-us 2513, eg-8 2514, wg-64 1512"), "we-5-us we-20-us", "2514", 1)
    assert where(p, "eg-8") == "box-eg" and step(p) != "advance"
    assert "2514" in JOINED["2513"]


def over_the_line() -> tuple[str, str, str, str]:
    """Hexes of one spot on the line: eastern and western neighbours, and an eastern and a western one beside both."""
    for east in sorted(PLAYABLE):
        for west in JOINED[east] if theater(east) == "east" else ():
            both = sorted({*JOINED[east]} & {*JOINED[west]})
            sides = {theater(name): name for name in both if "yugoslavia" not in (country(name), country(east), country(west))}
            if theater(west) == "west" and {"east", "west"} <= set(sides) and BERLIN not in (*both, east, west):
                return east, west, sides["east"], sides["west"]
    raise AssertionError("the line has no such spot")


@rule("17.0")
@rule("6.5")
@ruling("R-G120")
def test_where_one_combat_is_both_germans_each_decides_for_his_own_units() -> None:
    east, west, here, there = over_the_line()
    units = f"eg-10 {east}, wg-74 {west}, su-4-tk {here}, su-2-tk {there}, we-6-us 0601, eg-2 0522"
    p = lay("S combat", units)
    p = play(p, f"soviet attack su-2-tk,su-4-tk > {','.join(sorted((east, west)))}")
    p = play(p, next(f"chance roll combat {n}" for n in range(1, 7) if outcome_of(p, n) == "AE"))
    assert set(p.agenda[-1].by) == {"east-german", "west-german"}
    assert legal(p) == {
        f"east-german advance eg-10 > {here}",
        f"west-german advance wg-74 > {there}",
        "east-german done",
        "west-german done",
    }
    assert told(p, f"east-german advance wg-74 > {there}") == {"not-yours": ("3.0.p1", "17.0")}
    assert told(p, f"west-german advance eg-10 > {here}") == {"not-yours": ("3.0.p1", "17.0")}
    # A third player has no say, and one who declines leaves the other his choice.
    assert told(p, f"western-allied advance eg-10 > {here}")["not-yours"]
    q = play(p, "west-german done")
    assert legal(q) == {f"east-german advance eg-10 > {here}", "east-german done"}
    q = play(q, f"east-german advance eg-10 > {here}")
    assert (where(q, "eg-10"), where(q, "wg-74")) == (here, west)


@rule("17.0")
@rule("6.2.1.p1")
@ruling("R-G120")
def test_each_german_retreats_his_own_units() -> None:
    p = lay("S combat", "su-1-br 2413, su-1-gds-inf 2413, eg-10 2514, wg-63 2513, we-6-us 0601")
    p = play(p, "soviet attack su-1-br,su-1-gds-inf > 2513,2514")
    p = play(p, next(f"chance roll combat {n}" for n in range(1, 7) if outcome_of(p, n) == "DR"))
    assert {line.split()[0] for line in legal(p)} == {"east-german", "west-german"}
    assert told(p, "west-german retreat eg-10 > 2614") == {"not-yours": ("3.0.p1", "17.0")}
    p = play(p, "west-german retreat wg-63 > 2512")
    assert {line.split()[0] for line in legal(p)} == {"east-german"}


def outcome_of(p: Pos, die: int) -> str:
    """What a die would give: who is asked next tells it, and who has gone."""
    q = play(p, f"chance roll combat {die}")
    attackers, targets = p.agenda[-1].data[:2]
    if all(q.at[u] == p.at[u] for u in attackers) and step(q) == "retreat" and p.force[q.agenda[-1].data[0][0]] != p.force[attackers[0]]:
        return "DR"
    gone = {u for u in attackers if q.at[u] != p.at[u]}
    return "AE" if gone == set(attackers) and step(q) == "advance" and targets else ""
